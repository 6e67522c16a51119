#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/finding.h"
#include "support.h"

/* Account.deposit and Account.withdraw race on Account.balance. */
struct sample {
    struct text locks[1];
    struct finding_frame deposit[2];
    struct finding_frame withdraw[2];
    struct finding_stack stacks[2];
    struct finding finding;
};

static void sample_init(struct sample *sample)
{
    *sample = (struct sample){
        .locks = {TEXT("Account.log")},
        .deposit = {{TEXT("Account"), TEXT("deposit"), TEXT("Account.java"), 7},
                    {TEXT("Main"), TEXT("run"), TEXT("Main.java"), 20}},
        .withdraw = {{TEXT("Account"), TEXT("withdraw"), TEXT("Account.java"), 12},
                     {TEXT("Main"), TEXT("main"), TEXT("Main.java"), 30}},
    };
    sample->stacks[0] = (struct finding_stack){.role = TEXT("write"),
                                               .thread = TEXT("Thread-0"),
                                               .locks = sample->locks,
                                               .lock_count = 1,
                                               .frames = sample->deposit,
                                               .frame_count = 2};
    sample->stacks[1] = (struct finding_stack){
        .role = TEXT("read"), .thread = TEXT("main"), .frames = sample->withdraw, .frame_count = 2};
    sample->finding = (struct finding){.rule = FINDING_RACE,
                                       .grade = FINDING_GRADE_PREDICTED,
                                       .class_name = TEXT("Account"),
                                       .member = TEXT("balance"),
                                       .signature = TEXT("I"),
                                       .file = TEXT("Account.java"),
                                       .line = 7,
                                       .message = TEXT("race on Account.balance"),
                                       .locks = sample->locks,
                                       .lock_count = 1,
                                       .stacks = sample->stacks,
                                       .stack_count = 2};
}

static void swap_stacks(struct sample *sample)
{
    struct finding_stack first = sample->stacks[0];
    sample->stacks[0] = sample->stacks[1];
    sample->stacks[1] = first;
}

/* Who started the threads is shown, but does not make it another race: neither when it is known
   in one run only, nor when it is somebody else. */
static void where_a_thread_was_started_makes_no_difference(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample);
    struct finding_frame main_frame = {TEXT("Main"), TEXT("main"), TEXT("Main.java"), 9};
    struct finding_frame pool_frame = {TEXT("Pool"), TEXT("grow"), TEXT("Pool.java"), 5};
    struct finding_stack stacks[3] = {sample.stacks[0], sample.stacks[1]};
    stacks[2].role = TEXT("thread \"Thread-0\" started");
    stacks[2].frames = &main_frame;
    stacks[2].frame_count = 1;
    struct finding_list list;
    finding_list_init(&list);
    const struct finding *first = finding_list_add(&list, &sample.finding);
    sample.finding.stacks = stacks;
    sample.finding.stack_count = 3;
    assert_ptr_equal(finding_list_add(&list, &sample.finding), first);
    stacks[2].frames = &pool_frame;
    assert_ptr_equal(finding_list_add(&list, &sample.finding), first);
    assert_int_equal(list.items.count, 1);
    assert_int_equal(first->count, 3);
    assert_int_equal(finding_fingerprint(&sample.finding), first->fingerprint);
    finding_list_release(&list);
}

static void a_finding_owns_what_it_shows(void **state)
{
    (void)state;
    struct finding_list list;
    finding_list_init(&list);
    /* The source is freed and its texts are overwritten before anything is looked at. */
    struct sample *sample = malloc(sizeof *sample);
    assert_non_null(sample);
    sample_init(sample);
    char message[] = "race on Account.balance";
    char class_name[] = "Account";
    char lock[] = "Account.log";
    sample->finding.message = text_from(message);
    sample->finding.class_name = sample->deposit[0].class_name = text_from(class_name);
    sample->locks[0] = text_from(lock);
    const struct finding *kept = finding_list_add(&list, &sample->finding);
    memset(sample, 0xEE, sizeof *sample);
    free(sample);
    memset(message, '#', sizeof message);
    memset(class_name, '#', sizeof class_name);
    memset(lock, '#', sizeof lock);

    assert_non_null(kept);
    assert_int_equal(list.items.count, 1);
    assert_ptr_equal(list.items.items[0], kept);
    assert_int_equal(kept->rule, FINDING_RACE);
    assert_int_equal(kept->grade, FINDING_GRADE_PREDICTED);
    assert_int_equal(kept->basis, FINDING_BASIS_NONE);
    assert_text(kept->class_name, "Account");
    assert_text(kept->member, "balance");
    assert_text(kept->signature, "I");
    assert_text(kept->file, "Account.java");
    assert_int_equal(kept->line, 7);
    assert_text(kept->message, "race on Account.balance");
    assert_int_equal(kept->lock_count, 1);
    assert_text(kept->locks[0], "Account.log");
    assert_int_equal(kept->count, 1);
    assert_int_equal(kept->stack_count, 2);
    assert_text(kept->stacks[0].role, "write");
    assert_text(kept->stacks[0].thread, "Thread-0");
    assert_int_equal(kept->stacks[0].lock_count, 1);
    assert_text(kept->stacks[0].locks[0], "Account.log");
    assert_int_equal(kept->stacks[0].frame_count, 2);
    assert_text(kept->stacks[0].frames[0].class_name, "Account");
    assert_text(kept->stacks[0].frames[0].method, "deposit");
    assert_text(kept->stacks[0].frames[0].file, "Account.java");
    assert_int_equal(kept->stacks[0].frames[0].line, 7);
    assert_text(kept->stacks[0].frames[1].method, "run");
    assert_text(kept->stacks[1].role, "read");
    assert_int_equal(kept->stacks[1].lock_count, 0);
    assert_int_equal(kept->stacks[1].frames[1].line, 30);
    finding_list_release(&list);
}

static void the_rule_helps_where_the_finding_does_not(void **state)
{
    (void)state;
    struct finding_list list;
    finding_list_init(&list);
    struct sample sample;
    sample_init(&sample);
    const struct finding *kept = finding_list_add(&list, &sample.finding);
    assert_text(kept->help, finding_rule_info(FINDING_RACE)->help);
    sample.finding.member = TEXT("other");
    sample.finding.help = TEXT("hold Account.log");
    kept = finding_list_add(&list, &sample.finding);
    assert_text(kept->help, "hold Account.log");
    finding_list_release(&list);
}

/* Computed by hand from the definition: FNV-1a over "race", "Account", "balance", "I", each
   followed by the byte 255, then the sum of FNV-1a over (class, method) of both top frames. */
static void the_fingerprint_is_the_one_that_baselines_have(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample);
    assert_int_equal(finding_fingerprint(&sample.finding), 0x3ee7c2d9db7b4167);
    struct finding empty = {.rule = FINDING_BAD_ANNOTATION};
    assert_int_equal(finding_fingerprint(&empty), 0xa281066eb656c3f2);
}

static void the_fingerprint_ignores_lines_threads_schedule_and_run(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample);
    uint64_t fingerprint = finding_fingerprint(&sample.finding);
    sample.finding.line = 100;
    sample.deposit[0].line = 101;
    sample.deposit[1].line = 102;
    sample.finding.message = TEXT("in other words");
    sample.finding.grade = FINDING_GRADE_OBSERVED;
    sample.finding.count = 17;
    sample.stacks[0].thread = TEXT("Thread-12");
    sample.stacks[0].lock_count = 0;
    sample.stacks[0].role = TEXT("read");
    sample.deposit[1].method = TEXT("anotherCaller");
    sample.stacks[1].frame_count = 1;
    swap_stacks(&sample);
    assert_int_equal(finding_fingerprint(&sample.finding), fingerprint);

    /* Names that one hidden class had in several runs, of Java 17 and of Java 21. */
    static const char *const names[] = {
        "Main$$Lambda$14/0x00007f00c0000a00",
        "Main$$Lambda$15/0x00007f00c8000b18",
        "Main$$Lambda/0x00007f00c8000b18",
    };
    uint64_t first = 0;
    for (size_t i = 0; i < 3; i++) {
        sample.deposit[0].class_name = text_from(names[i]);
        fingerprint = finding_fingerprint(&sample.finding);
        if (i == 0)
            first = fingerprint;
        assert_int_equal(fingerprint, first);
    }
}

static void the_fingerprint_tells_findings_apart(void **state)
{
    (void)state;
    enum { CHANGES = 9 };
    uint64_t fingerprints[CHANGES];
    for (int i = 0; i < CHANGES; i++) {
        struct sample sample;
        sample_init(&sample);
        switch (i) {
        case 1:
            sample.finding.rule = FINDING_DEADLOCK;
            break;
        case 2:
            sample.finding.class_name = TEXT("Accounts");
            break;
        case 3:
            sample.finding.member = TEXT("total");
            break;
        case 4:
            sample.finding.signature = TEXT("J");
            break;
        case 5:
            sample.withdraw[0].method = TEXT("deposit");
            break;
        case 6:
            sample.withdraw[0].class_name = TEXT("Savings");
            break;
        case 7:
            sample.finding.stack_count = 1;
            break;
        case 8:
            /* A letter that moves from one name to the next. */
            sample.finding.class_name = TEXT("Accountb");
            sample.finding.member = TEXT("alance");
            break;
        default:
            break;
        }
        fingerprints[i] = finding_fingerprint(&sample.finding);
        for (int k = 0; k < i; k++)
            assert_int_not_equal(fingerprints[i], fingerprints[k]);
    }
}

static void fingerprints_are_written_as_16_digits(void **state)
{
    (void)state;
    char digits[FINDING_FINGERPRINT_SIZE];
    uint64_t number;
    finding_fingerprint_print(0xABC, digits);
    assert_string_equal(digits, "0000000000000abc");
    finding_fingerprint_print(UINT64_MAX, digits);
    assert_string_equal(digits, "ffffffffffffffff");
    assert_true(finding_fingerprint_parse(TEXT("0000000000000abc"), &number));
    assert_int_equal(number, 0xABC);
    assert_true(finding_fingerprint_parse(TEXT("FEDCBA9876543210"), &number));
    assert_int_equal(number, 0xFEDCBA9876543210);
    assert_false(finding_fingerprint_parse(TEXT("abc"), &number));
    assert_false(finding_fingerprint_parse(TEXT("0000000000000abg"), &number));
    assert_false(finding_fingerprint_parse(TEXT("00000000000000abc"), &number));
    assert_false(finding_fingerprint_parse(TEXT(" 000000000000abc"), &number));
}

static void the_same_finding_is_counted(void **state)
{
    (void)state;
    struct finding_list list;
    finding_list_init(&list);
    struct sample sample;
    sample_init(&sample);
    const struct finding *first = finding_list_add(&list, &sample.finding);
    /* Seen from the other side: the threads came in the other order. */
    swap_stacks(&sample);
    sample.finding.line = 12;
    sample.stacks[0].thread = TEXT("Thread-5");
    sample.finding.count = 3;
    assert_ptr_equal(finding_list_add(&list, &sample.finding), first);
    assert_int_equal(list.items.count, 1);
    assert_int_equal(first->count, 4);
    assert_text(first->stacks[0].thread, "Thread-0");
    finding_list_release(&list);
}

static void each_pair_of_lines_is_a_finding(void **state)
{
    (void)state;
    struct finding_list list;
    finding_list_init(&list);
    struct sample sample;
    sample_init(&sample);
    const struct finding *first = finding_list_add(&list, &sample.finding);
    sample.withdraw[0].line = 13;
    const struct finding *second = finding_list_add(&list, &sample.finding);
    assert_ptr_not_equal(first, second);
    assert_int_equal(first->fingerprint, second->fingerprint);

    /* The checker's findings have no stacks: there the line itself counts. */
    struct finding warning = {
        .rule = FINDING_GUARD_NOT_HELD, .class_name = TEXT("A"), .member = TEXT("x"), .line = 5};
    first = finding_list_add(&list, &warning);
    warning.line = 6;
    assert_ptr_not_equal(finding_list_add(&list, &warning), first);
    warning.line = 5;
    assert_ptr_equal(finding_list_add(&list, &warning), first);
    assert_int_equal(list.items.count, 4);
    finding_list_release(&list);
}

/* All pairs of lines of one method: also those with the same sum, such as 14 and 17, 15 and 16. */
static void no_two_pairs_of_lines_are_taken_for_one(void **state)
{
    (void)state;
    struct finding_list list;
    struct sample sample;
    finding_list_init(&list);
    sample_init(&sample);
    sample.withdraw[0].method = TEXT("deposit");
    size_t pairs = 0;
    for (uint32_t first = 1; first <= 40; first++) {
        for (uint32_t second = first; second <= 40; second++) {
            sample.deposit[0].line = first;
            sample.withdraw[0].line = second;
            assert_non_null(finding_list_add(&list, &sample.finding));
            assert_int_equal(list.items.count, ++pairs);
        }
    }
    finding_list_release(&list);
}

/* What others did meanwhile is an example. */
static void what_others_did_makes_no_difference(void **state)
{
    (void)state;
    struct finding_list list;
    struct sample sample;
    finding_list_init(&list);
    sample_init(&sample);
    const struct finding *first = finding_list_add(&list, &sample.finding);
    struct finding_stack stacks[3] = {sample.stacks[0], sample.stacks[1], sample.stacks[0]};
    stacks[2].role = TEXT("meanwhile write");
    sample.finding.stacks = stacks;
    sample.finding.stack_count = 3;
    assert_ptr_equal(finding_list_add(&list, &sample.finding), first);
    finding_list_release(&list);
}

/* What is found in several traces is from all of them, and the same finding. */
static void a_finding_is_from_the_traces_of_all(void **state)
{
    (void)state;
    struct sample sample;
    struct finding_list list;
    const struct text names[] = {TEXT("one.trace"), TEXT("two.trace"), TEXT("three.trace")};
    sample_init(&sample);
    finding_list_init(&list);
    const uint64_t alone = finding_list_add(&list, &sample.finding)->fingerprint;
    sample.finding.trace_count = 1;
    sample.finding.grade = FINDING_GRADE_PREDICTED;
    /* The last one is surer than those before it, and takes their place. */
    for (size_t i = 0; i < 5; i++) {
        sample.finding.traces = &names[i / 2];
        if (i == 4)
            sample.finding.grade = FINDING_GRADE_OBSERVED;
        assert_non_null(finding_list_add(&list, &sample.finding));
    }
    assert_int_equal(list.items.count, 1);
    assert_int_equal(list.items.items[0]->fingerprint, alone);
    assert_int_equal(list.items.items[0]->trace_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_text(list.items.items[0]->traces[i], names[i].bytes);
    finding_list_release(&list);
}

static void the_strongest_grade_is_shown(void **state)
{
    (void)state;
    struct finding_list list;
    finding_list_init(&list);
    struct sample sample;
    sample_init(&sample);
    sample.finding.grade = FINDING_GRADE_DISCIPLINE;
    const struct finding *kept = finding_list_add(&list, &sample.finding);
    sample.finding.grade = FINDING_GRADE_OBSERVED;
    sample.finding.message = TEXT("observed race");
    sample.stacks[0].thread = TEXT("Thread-9");
    assert_ptr_equal(finding_list_add(&list, &sample.finding), kept);
    sample.finding.grade = FINDING_GRADE_PREDICTED;
    sample.finding.message = TEXT("predicted race");
    assert_ptr_equal(finding_list_add(&list, &sample.finding), kept);
    assert_int_equal(list.items.count, 1);
    assert_int_equal(kept->count, 3);
    assert_int_equal(kept->grade, FINDING_GRADE_OBSERVED);
    assert_text(kept->message, "observed race");
    assert_text(kept->stacks[0].thread, "Thread-9");
    finding_list_release(&list);
}

/* In the order in which they must come out. */
static const struct {
    const char *file;
    const char *class_name;
    uint32_t line;
    enum finding_rule rule;
    const char *member;
    const char *signature;
} ordered[] = {
    {"A.java", "A", 2, FINDING_RACE, "", ""},      {"A.java", "A", 10, FINDING_RACE, "", ""},
    {"A.java", "A", 10, FINDING_DEADLOCK, "", ""}, {"A.java", "A$B", 1, FINDING_RACE, "", ""},
    {"B.java", "A", 1, FINDING_RACE, "a", ""},     {"B.java", "A", 1, FINDING_RACE, "b", ""},
    {"B.java", "A", 1, FINDING_RACE, "b", "I"},
};

enum { ORDERED = sizeof ordered / sizeof *ordered };

static const struct finding *add_ordered(struct finding_list *list, size_t i)
{
    struct finding finding = {.rule = ordered[i].rule,
                              .class_name = text_from(ordered[i].class_name),
                              .member = text_from(ordered[i].member),
                              .signature = text_from(ordered[i].signature),
                              .file = text_from(ordered[i].file),
                              .line = ordered[i].line};
    const struct finding *kept = finding_list_add(list, &finding);
    assert_non_null(kept);
    return kept;
}

/* Arrive as p0 o1 d2 o3 p4: letters of their grades, numbers as lines. */
static void a_cut_leaves_the_surest(void **state)
{
    (void)state;
    static const enum finding_grade grades[] = {FINDING_GRADE_PREDICTED, FINDING_GRADE_OBSERVED,
                                                FINDING_GRADE_DISCIPLINE, FINDING_GRADE_OBSERVED,
                                                FINDING_GRADE_PREDICTED};
    enum { COUNT = sizeof grades / sizeof grades[0] };
    static const struct {
        size_t count;
        uint32_t lines[COUNT];
    } left[COUNT + 2] = {
        {0, {0}},
        {1, {1}},
        {2, {1, 3}},
        {3, {0, 1, 3}},
        {4, {0, 1, 3, 4}},
        {5, {0, 1, 2, 3, 4}},
        {5, {0, 1, 2, 3, 4}},
    };
    for (size_t most = 0; most < COUNT + 2; most++) {
        struct finding_list list;
        finding_list_init(&list);
        for (uint32_t i = 0; i < COUNT; i++) {
            char name[] = {(char)('a' + i), 0};
            const struct finding finding = {
                .rule = FINDING_RACE, .grade = grades[i], .member = text_from(name), .line = i};
            assert_non_null(finding_list_add(&list, &finding));
        }
        /* What is of another kind neither takes their room, nor has to go for them. */
        const struct finding other = {
            .rule = FINDING_ATOMICITY, .grade = FINDING_GRADE_OBSERVED, .line = COUNT};
        if (most)
            assert_non_null(finding_list_add(&list, &other));
        assert_int_equal(finding_list_cut(&list, most), COUNT - left[most].count);
        assert_true(!most || list.items.items[--list.items.count]->line == COUNT);
        assert_int_equal(list.items.count, left[most].count);
        for (size_t i = 0; i < list.items.count; i++)
            assert_int_equal(list.items.items[i]->line, left[most].lines[i]);
        finding_list_release(&list);
    }
}

static void the_order_does_not_depend_on_arrival(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int round = 0; round < 20; round++) {
        size_t order[ORDERED];
        for (size_t i = 0; i < ORDERED; i++) {
            size_t k = support_random(&random) % (i + 1);
            order[i] = order[k];
            order[k] = i;
        }
        struct finding_list list;
        finding_list_init(&list);
        finding_list_sort(&list);
        const struct finding *added[ORDERED];
        for (size_t i = 0; i < ORDERED; i++)
            added[order[i]] = add_ordered(&list, order[i]);
        finding_list_sort(&list);
        assert_int_equal(list.items.count, ORDERED);
        for (size_t i = 0; i < ORDERED; i++)
            assert_ptr_equal(list.items.items[i], added[i]);
        /* A list still knows its findings after it was sorted. */
        assert_ptr_equal(add_ordered(&list, 3), added[3]);
        assert_int_equal(list.items.count, ORDERED);
        finding_list_release(&list);
    }
}

static void the_summary_counts_findings_by_rule_and_kind(void **state)
{
    (void)state;
    struct finding_list list;
    finding_list_init(&list);
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < ORDERED; i++)
            add_ordered(&list, i);
    struct finding warning = {.rule = FINDING_NOT_ATOMIC};
    assert_non_null(finding_list_add(&list, &warning));
    warning.rule = FINDING_LOCK_NOT_FINAL;
    assert_non_null(finding_list_add(&list, &warning));
    warning.rule = FINDING_ATOMICITY;
    assert_non_null(finding_list_add(&list, &warning));
    struct finding_counts counts = finding_list_count(&list);
    assert_int_equal(counts.all, ORDERED + 3);
    assert_int_equal(counts.by_rule[FINDING_RACE], 6);
    assert_int_equal(counts.by_rule[FINDING_DEADLOCK], 1);
    assert_int_equal(counts.by_rule[FINDING_NOT_ATOMIC], 1);
    assert_int_equal(counts.by_rule[FINDING_GUARD_NOT_HELD], 0);
    assert_int_equal(counts.by_kind[FINDING_KIND_RACES], 6);
    assert_int_equal(counts.by_kind[FINDING_KIND_DEADLOCKS], 1);
    assert_int_equal(counts.by_kind[FINDING_KIND_ATOMICITY], 1);
    assert_int_equal(counts.by_kind[FINDING_KIND_WARNINGS], 2);
    finding_list_release(&list);
}

static void every_rule_has_an_id_a_title_and_one_line_of_help(void **state)
{
    (void)state;
    for (unsigned i = 0; i < FINDING_RULE_COUNT; i++) {
        const struct finding_rule_info *info = finding_rule_info((enum finding_rule)i);
        assert_true(strlen(info->id) > 0 && strlen(info->title) > 0 && strlen(info->help) > 0);
        assert_null(strchr(info->help, '\n'));
        assert_int_equal(strspn(info->id, "abcdefghijklmnopqrstuvwxyz-"), strlen(info->id));
        enum finding_rule parsed = FINDING_RULE_COUNT;
        assert_true(finding_rule_parse(text_from(info->id), &parsed));
        assert_int_equal(parsed, i);
    }
    enum finding_rule rule;
    assert_false(finding_rule_parse(TEXT("races"), &rule));
    assert_false(finding_rule_parse(TEXT(""), &rule));
}

/* The names are those of the JSON format. */
static void names_are_those_of_the_format(void **state)
{
    (void)state;
    enum finding_grade grade;
    enum finding_basis basis;
    assert_string_equal(finding_grade_name(FINDING_GRADE_OBSERVED), "observed");
    assert_string_equal(finding_grade_name(FINDING_GRADE_PREDICTED), "predicted");
    assert_string_equal(finding_grade_name(FINDING_GRADE_DISCIPLINE), "discipline");
    assert_string_equal(finding_grade_name(FINDING_GRADE_NONE), "");
    assert_true(finding_grade_parse(TEXT("predicted"), &grade));
    assert_int_equal(grade, FINDING_GRADE_PREDICTED);
    assert_true(finding_grade_parse(TEXT(""), &grade));
    assert_int_equal(grade, FINDING_GRADE_NONE);
    assert_false(finding_grade_parse(TEXT("Observed"), &grade));
    assert_string_equal(finding_basis_name(FINDING_BASIS_DECLARED), "declared");
    assert_string_equal(finding_basis_name(FINDING_BASIS_INFERRED), "inferred");
    assert_string_equal(finding_basis_name(FINDING_BASIS_DEFAULT), "default");
    assert_string_equal(finding_basis_name(FINDING_BASIS_BELIEF), "belief");
    assert_true(finding_basis_parse(TEXT("belief"), &basis));
    assert_int_equal(basis, FINDING_BASIS_BELIEF);
    assert_false(finding_basis_parse(TEXT("guess"), &basis));
    assert_string_equal(finding_kind_name(FINDING_KIND_RACES), "races");
    assert_string_equal(finding_kind_name(FINDING_KIND_ATOMICITY), "atomicity");
    assert_string_equal(finding_kind_name(FINDING_KIND_DEADLOCKS), "deadlocks");
    assert_string_equal(finding_kind_name(FINDING_KIND_WARNINGS), "warnings");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_a_thread_was_started_makes_no_difference),
        cmocka_unit_test(a_finding_owns_what_it_shows),
        cmocka_unit_test(the_rule_helps_where_the_finding_does_not),
        cmocka_unit_test(the_fingerprint_is_the_one_that_baselines_have),
        cmocka_unit_test(the_fingerprint_ignores_lines_threads_schedule_and_run),
        cmocka_unit_test(the_fingerprint_tells_findings_apart),
        cmocka_unit_test(fingerprints_are_written_as_16_digits),
        cmocka_unit_test(the_same_finding_is_counted),
        cmocka_unit_test(each_pair_of_lines_is_a_finding),
        cmocka_unit_test(no_two_pairs_of_lines_are_taken_for_one),
        cmocka_unit_test(what_others_did_makes_no_difference),
        cmocka_unit_test(a_finding_is_from_the_traces_of_all),
        cmocka_unit_test(the_strongest_grade_is_shown),
        cmocka_unit_test(the_order_does_not_depend_on_arrival),
        cmocka_unit_test(a_cut_leaves_the_surest),
        cmocka_unit_test(the_summary_counts_findings_by_rule_and_kind),
        cmocka_unit_test(every_rule_has_an_id_a_title_and_one_line_of_help),
        cmocka_unit_test(names_are_those_of_the_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
