#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <fcntl.h>
#include <zlib.h>

#include "support.h"
#include "trace/std.h"
#include "trace/trace_check.h"

SUPPORT_FOLDER

static void open_text(struct trace_source *source, const char *text, size_t length)
{
    const char *path = support_path(&folder, "trace.std");
    support_write(path, text, length);
    assert_true(trace_open(source, path));
}

static void open_string(struct trace_source *source, const char *text)
{
    open_text(source, text, strlen(text));
}

static void check_next(struct trace_source *source, const char *thread, enum trace_kind kind,
                       const char *target, const char *location, uint64_t line)
{
    struct trace_event event = {0};
    assert_int_equal(trace_next(source, &event), TRACE_EVENT);
    assert_text(trace_names_thread(source->names, event.thread), thread);
    assert_int_equal(event.kind, kind);
    switch (kind) {
    case TRACE_READ:
    case TRACE_WRITE:
        assert_text(
            trace_names_field(source->names, trace_names_field_of(source->names, event.target))
                .member,
            target);
        break;
    case TRACE_ACQUIRE:
    case TRACE_RELEASE:
        assert_text(trace_names_lock(source->names, event.target), target);
        break;
    case TRACE_FORK:
    case TRACE_JOIN:
        assert_text(trace_names_thread(source->names, event.target), target);
        break;
    default:
        assert_text(trace_names_block(source->names, event.target).method, target);
        break;
    }
    assert_text(trace_names_location(source->names, event.location).file, location);
    assert_int_equal(event.stack, 0);
    assert_int_equal(trace_line(source), line);
}

static void all_operations_are_read(void **state)
{
    (void)state;
    struct trace_source source;
    struct trace_event event = {0};
    open_string(&source, "T0|fork(T1)|1\n"
                         "T1|acq(m)|L2\n"
                         "\n"
                         "T1|begin|L3\n"
                         "T1|r(x[1].y)|L4\r\r\n"
                         "\r\n"
                         "T1|w(x[1].y)|L5\n"
                         "T1|end|L6\n"
                         "T1|begin(A.f)|L6\n"
                         "T1|end()|L6\n"
                         "T1|rel(m)|\n"
                         "T0|join(T1)");
    assert_true(source.names->plain);
    check_next(&source, "T0", TRACE_FORK, "T1", "1", 1);
    check_next(&source, "T1", TRACE_ACQUIRE, "m", "L2", 2);
    check_next(&source, "T1", TRACE_BEGIN, "", "L3", 4);
    check_next(&source, "T1", TRACE_READ, "x[1].y", "L4", 5);
    check_next(&source, "T1", TRACE_WRITE, "x[1].y", "L5", 7);
    check_next(&source, "T1", TRACE_END, "", "L6", 8);
    check_next(&source, "T1", TRACE_BEGIN, "A.f", "L6", 9);
    check_next(&source, "T1", TRACE_END, "", "L6", 10);
    check_next(&source, "T1", TRACE_RELEASE, "m", "", 11);
    check_next(&source, "T0", TRACE_JOIN, "T1", "", 12);
    assert_int_equal(trace_next(&source, &event), TRACE_FINISHED);
    assert_int_equal(source.names->threads.count, 2);
    assert_int_equal(source.names->variables.count, 1);
    assert_int_equal(source.names->locks.count, 1);
    trace_close(&source);
}

/* A thread, a variable and a lock may have the same name. */
static void names_of_different_kinds_are_different(void **state)
{
    (void)state;
    struct trace_source source;
    open_string(&source, "a|w(a)|a\na|acq(a)|a\na|fork(b)|b\nb|r(b)|b\n");
    check_next(&source, "a", TRACE_WRITE, "a", "a", 1);
    check_next(&source, "a", TRACE_ACQUIRE, "a", "a", 2);
    check_next(&source, "a", TRACE_FORK, "b", "b", 3);
    check_next(&source, "b", TRACE_READ, "b", "b", 4);
    trace_close(&source);
}

static void every_wrong_line_is_explained(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *reason;
    } wrong[] = {
        {"hello", "line 3: \"hello\" is not THREAD|OPERATION|LOCATION"},
        {"\x1b[31m\xff", "line 3: \"?[31m?\" is not THREAD|OPERATION|LOCATION"},
        {"|r(x)|1", "line 3: there is no thread before the first \"|\""},
        {"T1|read(x)|1",
         "line 3: \"read\" is no operation (r, w, acq, rel, fork, join, begin, end)"},
        {"T1||1", "line 3: \"\" is no operation (r, w, acq, rel, fork, join, begin, end)"},
        {"T1|r|1", "line 3: r has nothing in parentheses behind it"},
        {"T1|acq|1", "line 3: acq has nothing in parentheses behind it"},
        {"T1|r(|1", "line 3: \"r(\" does not end with \")\""},
        {"T1|r(x|1", "line 3: \"r(x\" does not end with \")\""},
        {"T1|r(x)y|1", "line 3: \"r(x)y\" does not end with \")\""},
        {"T1|r()|1", "line 3: r() names nothing"},
        {"T1|fork()|1", "line 3: fork() names nothing"},
        {"T1|r(f(x))|1", "line 3: the name \"f(x)\" has a parenthesis in it"},
        {"T1|r(x))|1", "line 3: the name \"x)\" has a parenthesis in it"},
        {"T(1|r(x)|1", "line 3: the name \"T(1\" has a parenthesis in it"},
        {"T1|r(x)|f()", "line 3: the name \"f()\" has a parenthesis in it"},
        {"T1|r(x)|1|2", "line 3: there is more behind the location"},
        {"T1|a very long operation that nobody will want to read|1",
         "line 3: \"a very long operation that nobody will w...\" is no operation (r, w, acq, rel, "
         "fork, join, begin, end)"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200];
        snprintf(text, sizeof text, "T1|w(x)|1\n\n%s\nT1|w(x)|1\n", wrong[i].line);
        struct trace_source source;
        struct trace_event event = {0};
        open_string(&source, text);
        check_next(&source, "T1", TRACE_WRITE, "x", "1", 1);
        assert_int_equal(trace_next(&source, &event), TRACE_FAILED);
        assert_string_equal(source.problem.reason, wrong[i].reason);
        trace_close(&source);
        struct builder builder;
        builder_init(&builder);
        trace_explain(&source, &builder);
        snprintf(text, sizeof text, "%s; 1 event before that could be used", wrong[i].reason);
        assert_text(builder_text(&builder), text);
        builder_release(&builder);
    }
}

static void lines_have_a_greatest_length(void **state)
{
    (void)state;
    enum { SIZE = STD_LINE_MAX + 100 };
    static char text[SIZE];
    memset(text, 'x', SIZE);
    memcpy(text, "T1|w(", 5);
    struct trace_source source;
    struct trace_event event = {0};
    memcpy(text + STD_LINE_MAX - 2, ")|\n", 3); /* as long as it may be */
    open_text(&source, text, STD_LINE_MAX + 1);
    assert_int_equal(trace_next(&source, &event), TRACE_EVENT);
    assert_int_equal(trace_next(&source, &event), TRACE_FINISHED);
    trace_close(&source);
    memcpy(text + STD_LINE_MAX - 2, "x)|\n", 4);
    open_text(&source, text, STD_LINE_MAX + 2);
    assert_int_equal(trace_next(&source, &event), TRACE_FAILED);
    assert_string_equal(source.problem.reason, "line 1: is longer than 65536 bytes");
    trace_close(&source);
}

/* 100,000 lines, with names of which many come again. */
static char *make_lines(size_t *length)
{
    static const char *const operations[] = {"r(v%u)",    "w(v%u)",     "acq(l%u)", "rel(l%u)",
                                             "begin",     "begin(b%u)", "end(b%u)", "end",
                                             "fork(t%u)", "join(t%u)"};
    char *text = malloc(100000 * 40);
    assert_non_null(text);
    uint64_t random = 9;
    *length = 0;
    for (size_t i = 0; i < 100000; i++) {
        char operation[32];
        const char *format = operations[support_random(&random) % 10];
        const unsigned number = (unsigned)(support_random(&random) % 500);
        /* The formats are those above. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
        snprintf(operation, sizeof operation, format, number);
#pragma GCC diagnostic pop
        *length +=
            (size_t)sprintf(text + *length, "t%u|%s|%u\n", (unsigned)(support_random(&random) % 9),
                            operation, (unsigned)(support_random(&random) % 100));
    }
    return text;
}

/* Reads the file and writes what it read; the text is to be freed. */
static char *copy_trace(const char *path, size_t *length, enum trace_status expected)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, length);
    assert_non_null(file);
    struct trace_source source;
    struct trace_event event = {0};
    assert_true(trace_open(&source, path));
    struct std_writer writer;
    std_writer_init(&writer, file, source.names);
    enum trace_status status;
    while ((status = trace_next(&source, &event)) == TRACE_EVENT)
        assert_true(std_writer_event(&writer, &event));
    assert_int_equal(status, expected);
    struct problem problem;
    problem_clear(&problem);
    assert_int_equal(writer.lines, trace_delivered(&source));
    assert_true(std_writer_finish(&writer, &problem));
    trace_close(&source);
    assert_int_equal(fclose(file), 0);
    return text;
}

static void what_is_read_is_written_again(void **state)
{
    (void)state;
    size_t length, copied;
    char *lines = make_lines(&length);
    const char *path = support_path(&folder, "trace.std");
    support_write(path, lines, length);
    char *copy = copy_trace(path, &copied, TRACE_FINISHED);
    assert_int_equal(copied, length);
    assert_memory_equal(copy, lines, length);
    free(copy);
    free(lines);
}

static void compressed_files_are_recognized(void **state)
{
    (void)state;
    size_t length, copied;
    char *lines = make_lines(&length);
    const char *path = support_path(&folder, "trace.std.gz");
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, lines, (unsigned)length), length);
    assert_int_equal(gzclose(file), Z_OK);
    char *copy = copy_trace(path, &copied, TRACE_FINISHED);
    assert_int_equal(copied, length);
    assert_memory_equal(copy, lines, length);
    free(copy);

    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(truncate(path, status.st_size / 2), 0);
    copy = copy_trace(path, &copied, TRACE_FAILED);
    assert_in_range(copied, length / 4, length - 1);
    assert_memory_equal(copy, lines, copied);
    assert_int_equal(copy[copied - 1], '\n');
    free(copy);
    free(lines);
}

static void damaged_compression_is_explained(void **state)
{
    (void)state;
    struct trace_source source;
    struct trace_event event = {0};
    open_text(&source, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff\xff\xff", 13);
    assert_int_equal(trace_next(&source, &event), TRACE_FAILED);
    assert_non_null(strstr(source.problem.reason, "line 1: the file cannot be read: "));
    trace_close(&source);
    open_text(&source, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b", 11);
    assert_int_equal(trace_next(&source, &event), TRACE_FAILED);
    assert_string_equal(source.problem.reason, "line 1: the compressed data ends too early");
    trace_close(&source);
}

static void text_is_read_from_pipes(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "T1|w(x)|1\n", 10), 10);
    close(ends[1]);
    struct trace_source source;
    struct trace_event event = {0};
    assert_true(trace_open_descriptor(&source, ends[0]));
    check_next(&source, "T1", TRACE_WRITE, "x", "1", 1);
    assert_int_equal(trace_next(&source, &event), TRACE_FINISHED);
    trace_close(&source);
}

/*
 * Traces that are no STD.
 */
static void add_names(struct trace_names *names)
{
    const struct trace_field field = {TEXT("bank.Account"), TEXT("balance"), TEXT("I")};
    const struct trace_location location = {
        TEXT("bank.Account"), TEXT("<init>"), TEXT("Account.java"), 12, 0, false};
    const struct trace_block block = {TEXT("bank.Account"), TEXT("deposit"), 1};
    trace_names_init(names);
    assert_int_equal(trace_names_add_thread(names, TEXT("main")), 1);
    assert_int_equal(trace_names_add_thread(names, TEXT("pool (1)|a b")), 2);
    assert_int_equal(trace_names_add_lock(names, TEXT("Account@1")), 1);
    assert_int_equal(trace_names_add_sync(names, TEXT("Account.done")), 1);
    assert_int_equal(trace_names_add_field(names, &field), 1);
    assert_int_equal(trace_names_add_variables(names, 1, 2), 1);
    assert_int_equal(trace_names_add_location(names, &location), 1);
    assert_int_equal(trace_names_add_block(names, &block), 1);
}

static char *write_events(const struct trace_event *events, size_t count, bool numbers)
{
    struct trace_names names;
    add_names(&names);
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    struct std_writer writer;
    std_writer_init(&writer, file, &names);
    writer.numbers = numbers;
    for (size_t i = 0; i < count; i++)
        assert_true(std_writer_event(&writer, &events[i]));
    struct problem problem;
    problem_clear(&problem);
    assert_true(std_writer_finish(&writer, &problem));
    assert_int_equal(fclose(file), 0);
    trace_names_release(&names);
    return text;
}

static const struct trace_event all_kinds[] = {
    {1, 2, 1, 0, TRACE_FORK},
    {2, 1, 1, 0, TRACE_BEGIN},
    {2, 1, 1, 0, TRACE_TRY},
    {2, 1, 1, 0, TRACE_ACQUIRE},
    {2, 1, 1, 0, TRACE_TAKE_OVER},
    {2, 1, 1, 0, TRACE_ACQUIRE},
    {2, 1, 1, 0, TRACE_READ},
    {2, 2, 1, 0, TRACE_WRITE},
    {2, 1, 0, 0, TRACE_HAND_OVER},
    {2, 1, 0, 0, TRACE_WAIT},
    {1, 1, 0, 0, TRACE_ACQUIRE},
    {1, 1, 0, 0, TRACE_RELEASE},
    {2, 1, 0, 0, TRACE_WAITED},
    {2, 1, 0, 0, TRACE_RELEASE},
    {2, 1, 0, 0, TRACE_RELEASE},
    {2, 1, 0, 0, TRACE_END},
    {1, 1, 0, 0, TRACE_ACQUIRE_SHARED},
    {2, 1, 0, 0, TRACE_ACQUIRE_SHARED},
    {1, 1, 0, 0, TRACE_RELEASE_SHARED},
    {2, 1, 0, 0, TRACE_RELEASE_SHARED},
    {2, 1, 0, 0, TRACE_SYNC_RELEASE},
    {1, 1, 0, 0, TRACE_SYNC_ACQUIRE},
    {1, 0, 0, 0, TRACE_BEGIN},
    {1, 0, 0, 0, TRACE_END},
    {1, 1, 0, 0, TRACE_WANT},
    {1, 2, 0, 0, TRACE_JOIN},
};
enum { ALL_KINDS = sizeof all_kinds / sizeof *all_kinds };

static void every_event_is_written(void **state)
{
    (void)state;
    char *text = write_events(all_kinds, ALL_KINDS, false);
    assert_string_equal(text,
                        "main#1|fork(pool__1__a_b#2)|bank.Account.<init>:12#1\n"
                        "pool__1__a_b#2|begin(bank.Account.deposit#1)|bank.Account.<init>:12#1\n"
                        "pool__1__a_b#2|acq(Account@1#1)|bank.Account.<init>:12#1\n"
                        "pool__1__a_b#2|acq(Account@1#1)|bank.Account.<init>:12#1\n"
                        "pool__1__a_b#2|r(bank.Account.balance#1)|bank.Account.<init>:12#1\n"
                        "pool__1__a_b#2|w(bank.Account.balance#2)|bank.Account.<init>:12#1\n"
                        "pool__1__a_b#2|rel(Account@1#1)|0\n"
                        "pool__1__a_b#2|rel(Account@1#1)|0\n"
                        "main#1|acq(Account@1#1)|0\n"
                        "main#1|rel(Account@1#1)|0\n"
                        "pool__1__a_b#2|acq(Account@1#1)|0\n"
                        "pool__1__a_b#2|acq(Account@1#1)|0\n"
                        "pool__1__a_b#2|rel(Account@1#1)|0\n"
                        "pool__1__a_b#2|rel(Account@1#1)|0\n"
                        "pool__1__a_b#2|end(bank.Account.deposit#1)|0\n"
                        "main#1|acq(Account@1#1)|0\n"
                        "main#1|rel(Account@1#1)|0\n"
                        "pool__1__a_b#2|acq(Account@1#1)|0\n"
                        "pool__1__a_b#2|rel(Account@1#1)|0\n"
                        "main#1|acq(Account@1#1)|0\n"
                        "main#1|rel(Account@1#1)|0\n"
                        "pool__1__a_b#2|acq(Account@1#1)|0\n"
                        "pool__1__a_b#2|rel(Account@1#1)|0\n"
                        "pool__1__a_b#2|acq(sync:Account.done#1)|0\n"
                        "pool__1__a_b#2|rel(sync:Account.done#1)|0\n"
                        "main#1|acq(sync:Account.done#1)|0\n"
                        "main#1|rel(sync:Account.done#1)|0\n"
                        "main#1|begin|0\n"
                        "main#1|end|0\n"
                        "main#1|join(pool__1__a_b#2)|0\n");
    free(text);
}

/* What is written can be read, and can have happened. */
static void what_is_written_is_a_possible_trace(void **state)
{
    (void)state;
    for (int numbers = 0; numbers < 2; numbers++) {
        char *text = write_events(all_kinds, ALL_KINDS, numbers);
        struct trace_source source, checked;
        struct trace_event event = {0};
        open_string(&source, text);
        struct trace_check check;
        trace_check_init(&check, source.names, false);
        assert_true(trace_check_source(&checked, &source, &check));
        enum trace_status status;
        while ((status = trace_next(&checked, &event)) == TRACE_EVENT)
            ;
        assert_int_equal(status, TRACE_FINISHED);
        assert_int_equal(trace_delivered(&checked), 30);
        trace_close(&checked);
        trace_check_release(&check);
        trace_close(&source);
        free(text);
    }
    char *text = write_events(all_kinds + 5, 3, true);
    assert_string_equal(text, "T2|acq(L1)|1\nT2|r(V1)|1\nT2|w(V2)|1\n");
    free(text);
}

static void a_file_that_cannot_be_written_is_explained(void **state)
{
    (void)state;
    struct trace_names names;
    add_names(&names);
    FILE *file = fopen("/dev/full", "w");
    assert_non_null(file);
    struct std_writer writer;
    std_writer_init(&writer, file, &names);
    bool written = true;
    for (size_t i = 0; i < 100000 && written; i++)
        written = std_writer_event(&writer, &all_kinds[0]);
    assert_false(written);
    assert_false(std_writer_event(&writer, &all_kinds[0]));
    struct problem problem;
    problem_clear(&problem);
    assert_false(std_writer_finish(&writer, &problem));
    assert_string_equal(problem.reason, "cannot be written: No space left on device");
    fclose(file);
    trace_names_release(&names);
}

static bool read_lines(void *context)
{
    const char *path = context;
    struct trace_source source;
    if (!trace_open(&source, path)) {
        assert_non_null(strstr(source.problem.reason, "memory"));
        return false;
    }
    struct trace_event event = {0};
    enum trace_status status;
    while ((status = trace_next(&source, &event)) == TRACE_EVENT)
        ;
    if (status == TRACE_FAILED)
        assert_non_null(strstr(source.problem.reason, "memory"));
    trace_close(&source);
    return status == TRACE_FINISHED;
}

static void missing_memory_is_survived(void **state)
{
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s", support_path(&folder, "trace.std"));
    static const char lines[] = "T1|fork(T2)|1\nT1|acq(m)|2\nT2|begin(B)|3\nT2|r(x)|4\n";
    support_write(path, lines, sizeof lines - 1);
    assert_true(support_fail_each_request(read_lines, path) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_operations_are_read),
        cmocka_unit_test(names_of_different_kinds_are_different),
        cmocka_unit_test(every_wrong_line_is_explained),
        cmocka_unit_test(lines_have_a_greatest_length),
        cmocka_unit_test(what_is_read_is_written_again),
        cmocka_unit_test(compressed_files_are_recognized),
        cmocka_unit_test(damaged_compression_is_explained),
        cmocka_unit_test(text_is_read_from_pipes),
        cmocka_unit_test(every_event_is_written),
        cmocka_unit_test(what_is_written_is_a_possible_trace),
        cmocka_unit_test(a_file_that_cannot_be_written_is_explained),
        cmocka_unit_test(missing_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
