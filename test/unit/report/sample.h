/*
 * sample: findings as runs of examples/bank would give them, for the tests of the writers; and
 * what each of those tests starts with.
 */
#ifndef TURNSTILE_TEST_REPORT_SAMPLE_H
#define TURNSTILE_TEST_REPORT_SAMPLE_H

#include "base/builder.h"
#include "base/finding.h"
#include "report/report.h"
#include "support.h"

#define FRAME(class_, method_, file_, line_)                                                       \
    ((struct finding_frame){TEXT(class_), TEXT(method_), TEXT(file_), line_})

struct sample {
    struct text account;
    struct finding_frame deposit[3];
    struct finding_frame withdraw[3];
    struct finding_frame start_monday[1];
    struct finding_frame start_friday[1];
    struct finding_stack stacks[4];
    struct finding race;
};

/* `race` has stacks 0 and 1 only; with a stack_count of 4 it also has where the threads started. */
static inline void sample_init(struct sample *sample)
{
    *sample = (struct sample){
        .account = TEXT("Account@1b28cdfa"),
        .deposit = {FRAME("Account", "deposit", "Account.java", 11),
                    FRAME("Bank$Clerk", "run", "Bank.java", 28),
                    FRAME("java.lang.Thread", "run", "Thread.java", 840)},
        .withdraw = {FRAME("Account", "withdraw", "Account.java", 15),
                     FRAME("Bank$Clerk", "run", "Bank.java", 27),
                     FRAME("java.lang.Thread", "run", "Thread.java", 840)},
        .start_monday = {FRAME("Bank", "main", "Bank.java", 40)},
        .start_friday = {FRAME("Bank", "main", "Bank.java", 41)},
    };
    sample->stacks[0] = (struct finding_stack){.role = TEXT("write"),
                                               .thread = TEXT("monday"),
                                               .frames = sample->deposit,
                                               .frame_count = 3};
    sample->stacks[1] = (struct finding_stack){.role = TEXT("read"),
                                               .thread = TEXT("friday"),
                                               .locks = &sample->account,
                                               .lock_count = 1,
                                               .frames = sample->withdraw,
                                               .frame_count = 3};
    sample->stacks[2] = (struct finding_stack){.role = TEXT("thread \"friday\" started"),
                                               .thread = TEXT("main"),
                                               .frames = sample->start_friday,
                                               .frame_count = 1};
    sample->stacks[3] = (struct finding_stack){.role = TEXT("thread \"monday\" started"),
                                               .frames = sample->start_monday,
                                               .frame_count = 1};
    sample->race =
        (struct finding){.rule = FINDING_RACE,
                         .grade = FINDING_GRADE_OBSERVED,
                         .class_name = TEXT("Account"),
                         .member = TEXT("balance"),
                         .signature = TEXT("I"),
                         .file = TEXT("Account.java"),
                         .line = 11,
                         .message = TEXT("Two threads access it at once, and one of them writes."),
                         .help = TEXT("Hold one lock."),
                         .stacks = sample->stacks,
                         .stack_count = 2};
}

struct fixture {
    struct sample sample;
    struct finding_list list;
    struct report report;
    struct builder builder;
};

static inline int set_up(void **state)
{
    struct fixture *fixture = malloc(sizeof *fixture);
    assert_non_null(fixture);
    sample_init(&fixture->sample);
    finding_list_init(&fixture->list);
    builder_init(&fixture->builder);
    fixture->report = (struct report){
        .findings = &fixture->list, .version = TEXT("0.1.0"), .command = TEXT("run")};
    *state = fixture;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *fixture = *state;
    finding_list_release(&fixture->list);
    builder_release(&fixture->builder);
    free(fixture);
    return 0;
}

static inline void add(struct fixture *fixture, const struct finding *finding)
{
    assert_non_null(finding_list_add(&fixture->list, finding));
}

#endif
