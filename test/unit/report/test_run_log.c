/* What JVMs tell the command, and that of one that was killed nothing is lost. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/finding_bytes.h"
#include "report/report_json.h"
#include "report/run_log.h"
#include "sample.h"

SUPPORT_FOLDER

/* With something in every part. */
static void fill(struct sample *sample)
{
    sample_init(sample);
    sample->race.stack_count = 4;
    sample->stacks[0].locks_unknown = true;
    sample->stacks[1].callers_unknown = true;
    sample->stacks[1].presumed = true;
    sample->race.basis = FINDING_BASIS_INFERRED;
    sample->race.help = TEXT("Take \"the\" lock.");
    sample->race.locks = &sample->account;
    sample->race.lock_count = 1;
    sample->race.surety = 17;
    sample->race.count = 12;
}

static void json_of(const struct finding *finding, struct builder *to)
{
    struct finding_list list;
    finding_list_init(&list);
    assert_non_null(finding_list_add(&list, finding));
    const struct report report = {.findings = &list, .version = TEXT("0"), .command = TEXT("run")};
    assert_true(report_json_write(&report, to));
    finding_list_release(&list);
}

static void a_finding_is_the_same_again(void **state)
{
    (void)state;
    struct sample sample;
    struct writer writer;
    struct reader reader;
    struct problem problem;
    struct arena arena;
    struct finding read;
    struct builder before, after;
    fill(&sample);
    writer_init(&writer);
    finding_bytes_write(&writer, &sample.race);
    problem_clear(&problem);
    reader_init(&reader, writer.bytes, writer.size, &problem);
    arena_init(&arena);
    assert_true(finding_bytes_read(&reader, &arena, &read));
    assert_int_equal(reader_left(&reader), 0);
    assert_int_equal(read.surety, 17);
    assert_int_equal(read.count, 12);
    builder_init(&before);
    builder_init(&after);
    json_of(&sample.race, &before);
    json_of(&read, &after);
    assert_string_equal(builder_string(&before), builder_string(&after));
    builder_release(&before);
    builder_release(&after);
    arena_release(&arena);
    writer_release(&writer);
}

/* Wherever it ends, and whatever one of its bytes is: refused, or some finding; never a crash. */
static void damaged_bytes_are_found_out(void **state)
{
    (void)state;
    struct sample sample;
    struct writer writer;
    struct arena arena;
    struct finding read;
    fill(&sample);
    writer_init(&writer);
    finding_bytes_write(&writer, &sample.race);
    arena_init(&arena);
    for (size_t size = 0; size < writer.size; size++) {
        struct problem problem;
        struct reader reader;
        uint8_t *exact = malloc(size ? size : 1); /* so that reading behind it is noticed */
        assert_non_null(exact);
        memcpy(exact, writer.bytes, size);
        problem_clear(&problem);
        reader_init(&reader, exact, size, &problem);
        assert_false(finding_bytes_read(&reader, &arena, &read));
        assert_true(problem.set);
        free(exact);
        arena_clear(&arena);
    }
    for (size_t i = 0; i < writer.size * 8; i++) {
        struct problem problem;
        struct reader reader;
        writer.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        problem_clear(&problem);
        reader_init(&reader, writer.bytes, writer.size, &problem);
        const bool done = finding_bytes_read(&reader, &arena, &read);
        assert_true(done == !problem.set);
        writer.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        arena_clear(&arena);
    }
    arena_release(&arena);
    writer_release(&writer);
}

/* A process that tells what it has found, and perhaps that it has ended. Gives its number. */
static long run_process(const char *path, struct text report, const struct finding *finding,
                        bool ends)
{
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        bool told = run_log_began(path, report) && run_log_found(path, finding) &&
                    run_log_found(path, finding) &&
                    (!ends || (run_log_marked(path, 3) && run_log_ended(path, 1)));
        _exit(told ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_int_equal(status, 0);
    return process;
}

static void read_log(struct run_log *log, const char *path)
{
    struct problem problem;
    problem_clear(&problem);
    run_log_init(log);
    assert_true(run_log_read(log, path, &problem));
}

static void only_what_nobody_reported_is_left(void **state)
{
    (void)state;
    struct sample sample;
    struct run_log log;
    const char *path = support_path(&folder, "log");
    fill(&sample);
    support_write(path, "", 0);
    run_process(path, TEXT("first.json"), &sample.race, true);
    read_log(&log, path);
    assert_int_equal(log.ended, 1);
    assert_int_equal(log.marked, 3);
    assert_int_equal(log.findings, 1);
    assert_int_equal(log.lost.count, 0);
    assert_int_equal(log.found.items.count, 0);
    run_log_release(&log);

    const long killed = run_process(path, TEXT("a name\nof two lines"), &sample.race, false);
    assert_true(run_log_began(path, TEXT(""))); /* this process runs on */
    assert_true(run_log_found(path, &sample.race));
    read_log(&log, path);
    assert_int_equal(log.ended, 1);
    assert_int_equal(log.marked, 3);
    assert_int_equal(log.findings, 1);
    assert_int_equal(log.lost.count, 1);
    assert_int_equal(log.lost.items[0].process, killed);
    assert_text(log.lost.items[0].report, "a name\nof two lines");
    assert_int_equal(log.found.items.count, 1);
    assert_text(log.found.items.items[0]->member, "balance");
    assert_int_equal(log.found.items.items[0]->stack_count, 4);
    run_log_release(&log);
}

static void only_what_no_process_used_is_unmatched(void **state)
{
    (void)state;
    struct run_log log;
    const char *path = support_path(&folder, "patterns");
    support_write(path, "", 0);
    assert_true(run_log_pattern(path, TEXT("--watch 'a'"), false));
    assert_true(run_log_pattern(path, TEXT("--watch 'b':\nended 1 1"), false));
    assert_true(run_log_pattern(path, TEXT("--include 'a'"), true));
    assert_true(run_log_pattern(path, TEXT("--watch 'a'"), true)); /* by another process */
    assert_true(run_log_pattern(path, TEXT("--watch 'b':\nended 1 1"), false));
    assert_true(run_log_pattern(path, TEXT("--include 'a'"), false));
    assert_true(run_log_pattern(path, TEXT("--watch 'c'"), false));
    assert_true(run_log_ended(path, 0));
    read_log(&log, path);
    assert_int_equal(log.ended, 1);
    assert_int_equal(log.findings, 0);
    assert_int_equal(log.unmatched.count, 2);
    assert_text(log.unmatched.items[0], "--watch 'b':\nended 1 1");
    assert_text(log.unmatched.items[1], "--watch 'c'");
    run_log_release(&log);
}

static void a_damaged_log_is_read_as_far_as_it_goes(void **state)
{
    (void)state;
    struct sample sample;
    struct run_log log;
    const char *path = support_path(&folder, "damaged");
    static const char *const others[] = {"\n",
                                         "nonsense\n",
                                         "ended\n",
                                         "ended 7\n",
                                         "found x y\n",
                                         "ended 99999999999999999999999999 1\n",
                                         "found 7 3\nabc",
                                         "began 7 99999999\n"};
    fill(&sample);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        support_write(path, others[i], strlen(others[i]));
        run_process(path, TEXT(""), &sample.race, false);
        read_log(&log, path);
        assert_int_equal(log.ended, 0);
        assert_int_equal(log.lost.count, 1);
        assert_int_equal(log.found.items.count, 1);
        run_log_release(&log);
    }
}

static void a_log_that_is_gone_is_no_trouble(void **state)
{
    (void)state;
    struct sample sample;
    struct run_log log;
    struct problem problem;
    const char *path = support_path(&folder, "gone");
    fill(&sample);
    assert_false(run_log_began(path, TEXT("")));
    assert_false(run_log_found(path, &sample.race));
    assert_false(run_log_ended(path, 1));
    problem_clear(&problem);
    run_log_init(&log);
    assert_false(run_log_read(&log, path, &problem));
    assert_true(problem.set);
    run_log_release(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finding_is_the_same_again),
        cmocka_unit_test(damaged_bytes_are_found_out),
        cmocka_unit_test(only_what_nobody_reported_is_left),
        cmocka_unit_test(only_what_no_process_used_is_unmatched),
        cmocka_unit_test(a_damaged_log_is_read_as_far_as_it_goes),
        cmocka_unit_test(a_log_that_is_gone_is_no_trouble),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
