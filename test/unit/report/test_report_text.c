#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "report/report_text.h"
#include "sample.h"

static struct text write_text(struct fixture *fixture, bool color)
{
    builder_clear(&fixture->builder);
    assert_true(report_text_write(&fixture->report, color, &fixture->builder));
    return builder_text(&fixture->builder);
}

/* The text report without colour is exactly this. */
static void expect(struct fixture *fixture, const char *expected)
{
    assert_text(write_text(fixture, false), expected);
}

static void expect_part(struct fixture *fixture, const char *part)
{
    struct text text = write_text(fixture, false);
    if (!strstr(text.bytes, part)) {
        print_error("expected \"%s\" in \"%s\"\n", part, text.bytes);
        fail();
    }
}

static void nothing_found_is_said(void **state)
{
    expect(*state, "turnstile: nothing found\n");
}

static void a_race_shows_both_accesses(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, &fixture->sample.race);
    expect(fixture, "race (observed): Account.balance at Account.java:11\n"
                    "  Two threads access it at once, and one of them writes.\n"
                    "\n"
                    "  write by thread \"monday\", holding no lock\n"
                    "    at Account.deposit(Account.java:11)\n"
                    "    at Bank$Clerk.run(Bank.java:28)\n"
                    "    at java.lang.Thread.run(Thread.java:840)\n"
                    "\n"
                    "  read by thread \"friday\", holding Account@1b28cdfa\n"
                    "    at Account.withdraw(Account.java:15)\n"
                    "    at Bank$Clerk.run(Bank.java:27)\n"
                    "    at java.lang.Thread.run(Thread.java:840)\n"
                    "\n"
                    "  help: Hold one lock.\n"
                    "\n"
                    "turnstile: 1 race (1 observed)\n");
}

/* The starts come in the other order than the accesses, and go with the thread that they name. */
static void the_start_of_a_thread_stands_below_its_access(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.race.stack_count = 4;
    fixture->sample.race.count = 12;
    add(fixture, &fixture->sample.race);
    expect(fixture, "race (observed): Account.balance at Account.java:11\n"
                    "  Two threads access it at once, and one of them writes.\n"
                    "\n"
                    "  write by thread \"monday\", holding no lock\n"
                    "    at Account.deposit(Account.java:11)\n"
                    "    at Bank$Clerk.run(Bank.java:28)\n"
                    "    at java.lang.Thread.run(Thread.java:840)\n"
                    "    thread \"monday\" started at Bank.main(Bank.java:40)\n"
                    "\n"
                    "  read by thread \"friday\", holding Account@1b28cdfa\n"
                    "    at Account.withdraw(Account.java:15)\n"
                    "    at Bank$Clerk.run(Bank.java:27)\n"
                    "    at java.lang.Thread.run(Thread.java:840)\n"
                    "    thread \"friday\" started by thread \"main\" at Bank.main(Bank.java:41)\n"
                    "\n"
                    "  help: Hold one lock.\n"
                    "  seen 12 times\n"
                    "\n"
                    "turnstile: 1 race (1 observed)\n");
}

/* Two threads called "worker": the first access goes with the first start. */
static void starts_of_threads_with_one_name_are_told_apart(void **state)
{
    struct fixture *fixture = *state;
    struct finding_stack *stacks = fixture->sample.stacks;
    stacks[0].thread = stacks[1].thread = TEXT("worker");
    stacks[2].role = stacks[3].role = TEXT("thread \"worker\" started");
    fixture->sample.race.stack_count = 4;
    add(fixture, &fixture->sample.race);
    expect_part(fixture, "  write by thread \"worker\", holding no lock\n"
                         "    at Account.deposit(Account.java:11)\n"
                         "    at Bank$Clerk.run(Bank.java:28)\n"
                         "    at java.lang.Thread.run(Thread.java:840)\n"
                         "    thread \"worker\" started by thread \"main\" at "
                         "Bank.main(Bank.java:41)\n");
    expect_part(fixture, "    at Bank$Clerk.run(Bank.java:27)\n"
                         "    at java.lang.Thread.run(Thread.java:840)\n"
                         "    thread \"worker\" started at Bank.main(Bank.java:40)\n");
}

static void the_start_of_another_thread_is_not_lost(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.stacks[3].role = TEXT("thread \"sunday\" started");
    fixture->sample.race.stack_count = 4;
    add(fixture, &fixture->sample.race);
    expect_part(fixture, "\n  thread \"sunday\" started at Bank.main(Bank.java:40)\n");
}

/* Who used the pool is what the reader wants to know, not how the pool starts a thread. */
static void the_start_of_a_pool_thread_shows_who_used_the_pool(void **state)
{
    struct fixture *fixture = *state;
    const struct finding_frame frames[] = {FRAME("java.util.concurrent.ThreadPoolExecutor",
                                                 "addWorker", "ThreadPoolExecutor.java", 945),
                                           FRAME("shop.Server", "serve", "Server.java", 30),
                                           FRAME("shop.Main", "main", "Main.java", 5)};
    fixture->sample.stacks[3].frames = frames;
    fixture->sample.stacks[3].frame_count = 3;
    fixture->sample.race.stack_count = 4;
    add(fixture, &fixture->sample.race);
    expect_part(fixture, "\n    thread \"monday\" started at shop.Server.serve(Server.java:30)\n");
}

/* deposit against withdraw (observed), deposit against deposit (predicted): one field, one heading,
   two findings. The stronger one comes first though its line is later. */
static void findings_about_one_field_stand_together(void **state)
{
    struct fixture *fixture = *state;
    struct finding deposits = fixture->sample.race;
    struct finding_stack both[2] = {fixture->sample.stacks[0], fixture->sample.stacks[0]};
    both[0].frame_count = both[1].frame_count = 1;
    both[1].thread = TEXT("friday");
    deposits.grade = FINDING_GRADE_PREDICTED;
    deposits.stacks = both;
    fixture->sample.stacks[0].frame_count = 1;
    fixture->sample.stacks[1].frame_count = 1;
    fixture->sample.race.line = 15;
    fixture->sample.race.count = 3;
    add(fixture, &deposits);
    add(fixture, &fixture->sample.race);
    expect(fixture, "race (1 observed, 1 predicted): Account.balance, 2 pairs of lines in "
                    "Account.java\n"
                    "  Two threads access it at once, and one of them writes.\n"
                    "\n"
                    "  1. observed: Account.java:11 and Account.java:15, seen 3 times\n"
                    "\n"
                    "    write by thread \"monday\", holding no lock\n"
                    "      at Account.deposit(Account.java:11)\n"
                    "\n"
                    "    read by thread \"friday\", holding Account@1b28cdfa\n"
                    "      at Account.withdraw(Account.java:15)\n"
                    "\n"
                    "  2. predicted: Account.java:11 and Account.java:11\n"
                    "\n"
                    "    write by thread \"monday\", holding no lock\n"
                    "      at Account.deposit(Account.java:11)\n"
                    "\n"
                    "    write by thread \"friday\", holding no lock\n"
                    "      at Account.deposit(Account.java:11)\n"
                    "\n"
                    "  help: Hold one lock.\n"
                    "\n"
                    "turnstile: 2 races (1 observed, 1 predicted)\n");
}

/* Where the findings of a group say different things, each says its own; what all of them are is
   said once. */
static void what_findings_of_a_group_differ_in_is_said_by_each(void **state)
{
    struct fixture *fixture = *state;
    struct finding other = fixture->sample.race;
    other.line = 20;
    other.message = TEXT("Another way.");
    other.help = TEXT("Another help.");
    other.stack_count = 0;
    fixture->sample.race.stack_count = 0;
    add(fixture, &other);
    add(fixture, &fixture->sample.race);
    expect(fixture, "race (observed): Account.balance, 2 findings in Account.java\n"
                    "\n"
                    "  1. Account.java:11\n"
                    "    Two threads access it at once, and one of them writes.\n"
                    "\n"
                    "    help: Hold one lock.\n"
                    "\n"
                    "  2. Account.java:20\n"
                    "    Another way.\n"
                    "\n"
                    "    help: Another help.\n"
                    "\n"
                    "turnstile: 2 races (2 observed)\n");
}

/* Only first lines and the end are not indented: those lines of the report, joined by '|'. */
static void expect_outline(struct fixture *fixture, const char *expected)
{
    struct text text = write_text(fixture, false);
    struct builder outline;
    builder_init(&outline);
    for (size_t start = 0; start < text.length;) {
        const char *end = strchr(text.bytes + start, '\n');
        assert_non_null(end);
        size_t stop = (size_t)(end - text.bytes);
        if (stop > start && text.bytes[start] != ' ') {
            builder_add(&outline, text_slice(text, start, stop));
            builder_add_byte(&outline, '|');
        }
        start = stop + 1;
    }
    assert_text(builder_text(&outline), expected);
    builder_release(&outline);
}

static struct finding bare(enum finding_rule rule, enum finding_grade grade, struct text class_name,
                           struct text file, uint32_t line)
{
    return (struct finding){.rule = rule,
                            .grade = grade,
                            .class_name = class_name,
                            .member = TEXT("x"),
                            .file = file,
                            .line = line};
}

/* Bank.pay calls Purse.move, which commits and is broken. Audit.check is broken elsewhere. */
static void blocks_that_break_at_the_same_places_are_told_once(void **state)
{
    struct fixture *fixture = *state;
    const struct finding_frame pay[] = {FRAME("Bank", "pay", "Bank.java", 7)};
    const struct finding_frame move[] = {FRAME("Purse", "move", "Purse.java", 20), pay[0]};
    const struct finding_frame commits[] = {FRAME("Purse", "add", "Purse.java", 30), move[0],
                                            pay[0]};
    const struct finding_frame breaks[] = {FRAME("Purse", "add", "Purse.java", 31), move[0],
                                           pay[0]};
    const struct finding_frame elsewhere[] = {FRAME("Purse", "add", "Purse.java", 32), move[0],
                                              pay[0]};
    const struct finding_frame meanwhile[] = {FRAME("Bank", "audit", "Bank.java", 70)};
    struct finding_stack stacks[] = {
        {.role = TEXT("entered"), .thread = TEXT("monday"), .frames = move, .frame_count = 2},
        {.role = TEXT("commits at"), .thread = TEXT("monday"), .frames = commits, .frame_count = 3},
        {.role = TEXT("violated at"), .thread = TEXT("monday"), .frames = breaks, .frame_count = 3},
        {.role = TEXT("meanwhile write"),
         .thread = TEXT("friday"),
         .frames = meanwhile,
         .frame_count = 1},
    };
    struct finding finding = {.rule = FINDING_ATOMICITY,
                              .grade = FINDING_GRADE_PREDICTED,
                              .class_name = TEXT("Purse"),
                              .member = TEXT("move"),
                              .file = TEXT("Purse.java"),
                              .line = 31,
                              .message = TEXT("It should be atomic."),
                              .help = TEXT("Hold one lock."),
                              .stacks = stacks,
                              .stack_count = 4};
    add(fixture, &finding);
    /* Around the first, and what others do meanwhile does not matter. */
    stacks[0].frames = pay;
    stacks[0].frame_count = 1;
    finding.class_name = TEXT("Bank");
    finding.member = TEXT("pay");
    finding.stack_count = 3;
    add(fixture, &finding);
    expect(fixture, "atomicity (predicted): Purse.move at Purse.java:31\n"
                    "  It should be atomic.\n"
                    "\n"
                    "  entered, thread \"monday\", holding no lock\n"
                    "    at Purse.move(Purse.java:20)\n"
                    "    at Bank.pay(Bank.java:7)\n"
                    "\n"
                    "  commits at, thread \"monday\", holding no lock\n"
                    "    at Purse.add(Purse.java:30)\n"
                    "    at Purse.move(Purse.java:20)\n"
                    "    at Bank.pay(Bank.java:7)\n"
                    "\n"
                    "  violated at, thread \"monday\", holding no lock\n"
                    "    at Purse.add(Purse.java:31)\n"
                    "    at Purse.move(Purse.java:20)\n"
                    "    at Bank.pay(Bank.java:7)\n"
                    "\n"
                    "  meanwhile write, thread \"friday\", holding no lock\n"
                    "    at Bank.audit(Bank.java:70)\n"
                    "\n"
                    "  at the same places 1 more block is broken:\n"
                    "    Bank.pay\n"
                    "\n"
                    "  help: Hold one lock.\n"
                    "\n"
                    "turnstile: 2 atomicity violations (2 predicted)\n");
    /* The strongest is shown in full, be it further out. */
    finding.class_name = TEXT("Teller");
    finding.grade = FINDING_GRADE_OBSERVED;
    add(fixture, &finding);
    expect_part(fixture, "atomicity (observed): Teller.pay at Purse.java:31\n");
    expect_part(fixture, "  at the same places 2 more blocks are broken:\n"
                         "    Purse.move (predicted)\n"
                         "    Bank.pay (predicted)\n");
    /* If only that one is from another trace, it is told there. */
    const struct text trace = TEXT("two.trace");
    finding.class_name = TEXT("Window");
    finding.traces = &trace;
    finding.trace_count = 1;
    add(fixture, &finding);
    expect_part(fixture, "    Window.pay in two.trace\n");
    finding.trace_count = 0;
    /* Another place is another mistake. */
    stacks[2].frames = elsewhere;
    finding.class_name = TEXT("Audit");
    add(fixture, &finding);
    expect_part(fixture, "atomicity (observed): Audit.pay at Purse.java:31\n");
}

static void the_strongest_come_first_then_by_place(void **state)
{
    struct fixture *fixture = *state;
    struct finding findings[] = {
        bare(FINDING_RACE, FINDING_GRADE_DISCIPLINE, TEXT("A"), TEXT("A.java"), 1),
        bare(FINDING_RACE, FINDING_GRADE_OBSERVED, TEXT("C"), TEXT("C.java"), 9),
        bare(FINDING_RACE, FINDING_GRADE_PREDICTED, TEXT("A$B"), TEXT("A.java"), 2),
        bare(FINDING_RACE, FINDING_GRADE_OBSERVED, TEXT("B"), TEXT("B.java"), 30),
        /* Weaker than the other about C.x, and yet it stands with it. */
        bare(FINDING_RACE, FINDING_GRADE_DISCIPLINE, TEXT("C"), TEXT("C.java"), 3),
    };
    const char *expected = "race (observed): B.x at B.java:30|"
                           "race (1 observed, 1 discipline): C.x, 2 findings in C.java|"
                           "race (predicted): A$B.x at A.java:2|"
                           "race (discipline): A.x at A.java:1|"
                           "turnstile: 5 races (2 observed, 1 predicted, 2 discipline)|";
    for (size_t i = 0; i < 5; i++)
        add(fixture, &findings[i]);
    expect_outline(fixture, expected);
    /* And the same in the other order of arrival. */
    finding_list_release(&fixture->list);
    finding_list_init(&fixture->list);
    for (size_t i = 5; i-- > 0;)
        add(fixture, &findings[i]);
    expect_outline(fixture, expected);
}

/* Deadlocks name no member: that they were found in one class does not make them one. */
static void findings_about_no_member_stand_alone(void **state)
{
    struct fixture *fixture = *state;
    struct finding first =
        bare(FINDING_DEADLOCK, FINDING_GRADE_PREDICTED, TEXT("A"), TEXT("A.java"), 1);
    first.member = TEXT("");
    struct finding second = first;
    second.line = 2;
    add(fixture, &first);
    add(fixture, &second);
    expect_outline(fixture, "deadlock (predicted): A at A.java:1|"
                            "deadlock (predicted): A at A.java:2|"
                            "turnstile: 2 deadlocks (2 predicted)|");
}

static void the_summary_counts_each_kind(void **state)
{
    struct fixture *fixture = *state;
    struct finding findings[] = {
        bare(FINDING_RACE, FINDING_GRADE_OBSERVED, TEXT("A"), TEXT("A.java"), 1),
        bare(FINDING_RACE, FINDING_GRADE_PREDICTED, TEXT("A"), TEXT("A.java"), 2),
        bare(FINDING_ATOMICITY, FINDING_GRADE_OBSERVED, TEXT("B"), TEXT("B.java"), 1),
        bare(FINDING_DEADLOCK, FINDING_GRADE_NONE, TEXT("C"), TEXT("C.java"), 1),
        bare(FINDING_GUARD_NOT_HELD, FINDING_GRADE_NONE, TEXT("D"), TEXT("D.java"), 1),
        bare(FINDING_NOT_ATOMIC, FINDING_GRADE_NONE, TEXT("D"), TEXT("D.java"), 1),
    };
    for (size_t i = 0; i < 6; i++)
        add(fixture, &findings[i]);
    assert_true(report_text_write_summary(&fixture->report, false, &fixture->builder));
    assert_text(builder_text(&fixture->builder),
                "turnstile: 2 races (1 observed, 1 predicted), 1 atomicity violation (1 observed), "
                "1 deadlock, 2 warnings\n");
    fixture->report.not_shown = 7;
    fixture->report.most = 2;
    expect_part(fixture, "1 deadlock, 2 warnings; there are more: --max-reports is 2\n");
}

/* What the checker reports: a basis, no thread; the lock that is missing; the title of the rule
   where there is no message. */
static void a_finding_of_the_checker(void **state)
{
    struct fixture *fixture = *state;
    struct finding_stack stack = {
        .role = TEXT("declared at"), .frames = fixture->sample.deposit, .frame_count = 1};
    struct text lock = TEXT("this.mu");
    struct finding finding = {.rule = FINDING_GUARD_NOT_HELD,
                              .basis = FINDING_BASIS_DECLARED,
                              .class_name = TEXT("shop.Account"),
                              .member = TEXT("balance"),
                              .file = TEXT("Account.java"),
                              .help = TEXT("Hold it."),
                              .locks = &lock,
                              .lock_count = 1,
                              .stacks = &stack,
                              .stack_count = 1};
    add(fixture, &finding);
    expect(fixture, "guard-not-held (declared): shop.Account.balance in Account.java\n"
                    "  field accessed without its guarding lock\n"
                    "  lock: this.mu\n"
                    "\n"
                    "  declared at\n"
                    "    at Account.deposit(Account.java:11)\n"
                    "\n"
                    "  help: Hold it.\n"
                    "\n"
                    "turnstile: 1 warning\n");
}

static void roles_that_are_no_accesses_read_well_too(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.race.rule = FINDING_ATOMICITY;
    fixture->sample.stacks[0].role = TEXT("entered");
    fixture->sample.stacks[1].role = TEXT("commits at");
    add(fixture, &fixture->sample.race);
    expect_part(fixture, "\n  entered, thread \"monday\", holding no lock\n    at Account.deposit");
    expect_part(fixture, "\n  commits at, thread \"friday\", holding Account@1b28cdfa\n    at ");
}

/* As java.lang.StackTraceElement.toString has it: the file without a line, or Unknown Source. */
static void frames_without_a_place(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.deposit[1].line = 0;
    fixture->sample.deposit[2].file = (struct text){NULL, 0};
    fixture->sample.stacks[1].frame_count = 0;
    add(fixture, &fixture->sample.race);
    expect_part(fixture, "    at Account.deposit(Account.java:11)\n"
                         "    at Bank$Clerk.run(Bank.java)\n"
                         "    at java.lang.Thread.run(Unknown Source)\n"
                         "\n"
                         "  read by thread \"friday\", holding Account@1b28cdfa\n"
                         "    (its stack is not known)\n");
}

static void long_stacks_are_cut(void **state)
{
    struct fixture *fixture = *state;
    struct finding_frame frames[15];
    for (size_t i = 0; i < 15; i++)
        frames[i] = FRAME("A", "f", "A.java", (uint32_t)(100 + i));
    fixture->sample.stacks[0].frames = frames;
    fixture->sample.stacks[0].frame_count = 15;
    fixture->sample.stacks[1].frames = frames;
    fixture->sample.stacks[1].frame_count = 12;
    add(fixture, &fixture->sample.race);
    /* Twelve of fifteen, then all of twelve. */
    expect_part(fixture, "    at A.f(A.java:111)\n    ... 3 more\n\n  read by");
    expect_part(fixture, "    at A.f(A.java:111)\n\n  help:");
}

static void several_locks_have_commas(void **state)
{
    struct fixture *fixture = *state;
    struct text locks[2] = {TEXT("Account@1"), TEXT("Bank.class")};
    fixture->sample.stacks[0].locks = locks;
    fixture->sample.stacks[0].lock_count = 2;
    add(fixture, &fixture->sample.race);
    expect_part(fixture, "write by thread \"monday\", holding Account@1, Bank.class\n");
}

/* To say that none was held would send the reader to the wrong place. */
static void unknown_locks_are_not_no_locks(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.stacks[0].locks_unknown = true;
    add(fixture, &fixture->sample.race);
    expect_part(fixture, "write by thread \"monday\", holding locks that are not known\n");
}

/* One frame alone looks like a thread that begins there. */
static void unknown_callers_are_told(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.stacks[0].frame_count = 1;
    fixture->sample.stacks[0].callers_unknown = true;
    add(fixture, &fixture->sample.race);
    expect_part(fixture, ")\n    (what called it is not known)\n");
}

static void presumed_places_are_told(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.stacks[0].frame_count = 1;
    fixture->sample.stacks[0].presumed = true;
    add(fixture, &fixture->sample.race);
    expect_part(fixture, ")\n    (most likely: its place was not noted)\n");
}

/* Nothing that the program chose can end a line, command a terminal or look like our own words. */
static void hostile_names(void **state)
{
    struct fixture *fixture = *state;
    struct finding_frame frame = FRAME("Ev\x1b[2Jil", "a\nb", "E\r.java", 3);
    struct text lock = TEXT("L\x07@1");
    fixture->sample.stacks[0] = (struct finding_stack){.role = TEXT("write"),
                                                       .thread = TEXT("m\"\n\nturnstile: \\"),
                                                       .locks = &lock,
                                                       .lock_count = 1,
                                                       .frames = &frame,
                                                       .frame_count = 1};
    fixture->sample.race.class_name = TEXT("Ev\x1b[2Jil");
    fixture->sample.race.member = TEXT("\xed\xa0\xbd\xed\xb4\x92\xff");
    fixture->sample.race.file = TEXT("E\r.java");
    fixture->sample.race.message = TEXT("one\ntwo");
    fixture->sample.race.stack_count = 1;
    add(fixture, &fixture->sample.race);
    expect(fixture, "race (observed): Ev\\u001B[2Jil.\xf0\x9f\x94\x92\xef\xbf\xbd at E\\r.java:11\n"
                    "  one\\ntwo\n"
                    "\n"
                    "  write by thread \"m\\\"\\n\\nturnstile: \\\\\", holding L\\u0007@1\n"
                    "    at Ev\\u001B[2Jil.a\\nb(E\\r.java:3)\n"
                    "\n"
                    "  help: Hold one lock.\n"
                    "\n"
                    "turnstile: 1 race (1 observed)\n");
}

static void a_finding_with_nothing_in_it(void **state)
{
    struct fixture *fixture = *state;
    struct finding_stack stack = {.frame_count = 0};
    struct finding finding = {.rule = FINDING_DEADLOCK, .stacks = &stack, .stack_count = 1};
    add(fixture, &finding);
    expect_part(fixture, "deadlock: possible deadlock\n"
                         "  possible deadlock\n"
                         "\n"
                         "  access, holding no lock\n"
                         "    (its stack is not known)\n"
                         "\n"
                         "  help: ");
}

static void statistics_are_aligned(void **state)
{
    struct fixture *fixture = *state;
    const struct report_stat stats[] = {
        {TEXT("classes_changed"), 12}, {TEXT("events"), UINT64_MAX}, {TEXT("races"), 0}};
    fixture->report.stats = stats;
    fixture->report.stat_count = 3;
    expect(fixture, "statistics:\n"
                    "  classes changed                    12\n"
                    "  events           18446744073709551615\n"
                    "  races                               0\n"
                    "\n"
                    "turnstile: nothing found\n");
}

/* Without its escape sequences, the report in colour is the report without. */
static void colour_adds_only_colour(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.race.stack_count = 4;
    add(fixture, &fixture->sample.race);
    struct text colored = write_text(fixture, true);
    struct builder stripped;
    builder_init(&stripped);
    bool open = false;
    size_t sequences = 0;
    for (size_t i = 0; i < colored.length; i++) {
        if (colored.bytes[i] != '\x1b') {
            /* What is coloured ends with its line, so that a cut line leaves no colour behind. */
            assert_false(open && colored.bytes[i] == '\n');
            builder_add_byte(&stripped, colored.bytes[i]);
            continue;
        }
        const char *end = strchr(colored.bytes + i, 'm');
        assert_non_null(end);
        open = strncmp(colored.bytes + i, "\x1b[0m", 4) != 0;
        i = (size_t)(end - colored.bytes);
        sequences++;
    }
    assert_true(sequences > 0 && sequences % 2 == 0);
    assert_true(text_starts_with(colored, TEXT("\x1b[1;31mrace (observed):\x1b[0m")));
    assert_text(write_text(fixture, false), builder_string(&stripped));
    builder_release(&stripped);
}

/* Without memory to sort in, each finding stands on its own; without memory for the text itself,
   the writer says so and the builder has the beginning. */
static void a_failing_request_for_memory_is_survived(void **state)
{
    struct fixture *fixture = *state;
    struct finding other = fixture->sample.race;
    other.line = 12;
    other.stack_count = 1;
    add(fixture, &fixture->sample.race);
    add(fixture, &other);
    struct text all = write_text(fixture, false);
    assert_non_null(strstr(all.bytes, "Account.balance, 2 findings"));
    bool written = false;
    for (long request = 1; !written && request < 1000; request++) {
        struct builder builder;
        builder_init(&builder);
        memory_fail_after(request);
        written = report_text_write(&fixture->report, false, &builder);
        memory_fail_after(-1);
        assert_int_equal(written, text_equal(builder_text(&builder), all));
        assert_true(text_starts_with(all, builder_text(&builder)));
        builder_release(&builder);
        assert_true(written || request < 100);
    }
    memory_fail_after(0);
    builder_clear(&fixture->builder);
    assert_true(report_text_write(&fixture->report, false, &fixture->builder));
    memory_fail_after(-1);
    const char *text = builder_string(&fixture->builder);
    assert_non_null(strstr(text, "Account.balance at Account.java:11\n"));
    assert_non_null(strstr(text, "Account.balance at Account.java:12\n"));
    assert_non_null(strstr(text, "\nturnstile: 2 races (2 observed)\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_found_is_said),
        TEST(a_race_shows_both_accesses),
        TEST(the_start_of_a_thread_stands_below_its_access),
        TEST(starts_of_threads_with_one_name_are_told_apart),
        TEST(the_start_of_another_thread_is_not_lost),
        TEST(the_start_of_a_pool_thread_shows_who_used_the_pool),
        TEST(findings_about_one_field_stand_together),
        TEST(what_findings_of_a_group_differ_in_is_said_by_each),
        TEST(blocks_that_break_at_the_same_places_are_told_once),
        TEST(the_strongest_come_first_then_by_place),
        TEST(findings_about_no_member_stand_alone),
        TEST(the_summary_counts_each_kind),
        TEST(a_finding_of_the_checker),
        TEST(roles_that_are_no_accesses_read_well_too),
        TEST(frames_without_a_place),
        TEST(long_stacks_are_cut),
        TEST(several_locks_have_commas),
        TEST(unknown_locks_are_not_no_locks),
        TEST(unknown_callers_are_told),
        TEST(presumed_places_are_told),
        TEST(hostile_names),
        TEST(a_finding_with_nothing_in_it),
        TEST(statistics_are_aligned),
        TEST(colour_adds_only_colour),
        TEST(a_failing_request_for_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
