#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "trace/trace_format.h"
#include "trace_support.h"

SUPPORT_FOLDER

static void check_names(const struct trace_names *names, uint32_t threads)
{
    assert_int_equal(names->threads.count, threads);
    assert_text(trace_names_thread(names, 1), "thread 1");
    assert_int_equal(names->variables.count, SUPPORT_NUMBERS);
    const struct trace_field field = trace_names_field(names, trace_names_field_of(names, 7));
    assert_text(field.class_name, "com.example.Account");
    assert_text(field.member, "name 7");
    assert_text(field.signature, "I");
    assert_text(trace_names_lock(names, 3), "name 3");
    assert_text(trace_names_sync(names, 40), "name 40");
    assert_text(trace_names_location(names, 2).method, "name 2");
    assert_text(trace_names_location(names, 2).file, "Account.java");
    assert_int_equal(trace_names_location(names, 2).line, 200);
    assert_int_equal(trace_names_location(names, 2).block, 1);
    assert_false(trace_names_is_unshared(names, 2));
    assert_true(trace_names_is_unshared(names, 1));
    assert_false(trace_names_is_unshared(names, 0));
    assert_false(trace_names_is_unshared(names, SUPPORT_NUMBERS + 1));
    assert_text(trace_names_block(names, 9).method, "name 9");
    assert_int_equal(trace_names_block(names, 9).location, 9);
    assert_int_equal(trace_names_stack(names, 5).parent, 4);
    assert_int_equal(trace_names_stack(names, 5).location, 5);
    assert_false(names->plain);
}

/* Any events, any number of threads, blocks of any size. */
static void what_is_recorded_is_read_again(void **state)
{
    (void)state;
    static const uint32_t threads[] = {1, 2, 3, 30};
    static const size_t sizes[] = {0, 64, 1000, 1 << 16};
    uint64_t random = 11;
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            struct support_trace trace;
            support_trace_random(&trace, 20000, threads[i], &random);
            const char *path = support_path(&folder, "trace");
            struct trace_writer_counts counts =
                support_trace_record(path, sizes[j], &trace, threads[i]);
            assert_int_equal(counts.events, trace.count);
            assert_int_equal(counts.dropped, 0);
            struct trace_source source;
            assert_true(trace_open(&source, path));
            check_names(source.names, threads[i]);
            assert_int_equal(support_trace_compare(&source, &trace, TRACE_FINISHED), trace.count);
            assert_int_equal(trace_line(&source), 0);
            trace_close(&source);
            support_trace_free(&trace);
        }
    }
}

static void a_trace_may_have_no_events(void **state)
{
    (void)state;
    const char *path = support_path(&folder, "trace");
    struct support_trace trace;
    support_trace_make(&trace, 0);
    support_trace_record(path, 1000, &trace, 1);
    struct trace_source source;
    assert_true(trace_open(&source, path));
    support_trace_compare(&source, &trace, TRACE_FINISHED);
    trace_close(&source);
    support_trace_free(&trace);
}

/* The greatest numbers that an event can have. */
static void great_numbers_are_kept(void **state)
{
    (void)state;
    const char *path = support_path(&folder, "trace");
    struct trace_writer *writer = support_trace_writer(path, 1000);
    const uint32_t thread = trace_writer_thread(writer, TEXT("main"));
    assert_int_equal(trace_writer_variables(writer, 0, TRACE_VARIABLE_MAX), 1);
    assert_int_equal(trace_writer_variables(writer, 0, 1), 0);
    struct trace_stream *stream = trace_stream_open(writer, thread);
    const struct trace_event events[] = {{1, TRACE_VARIABLE_MAX, 0, 0, TRACE_WRITE},
                                         {1, 1, 0, 0, TRACE_READ},
                                         {1, 0, 0, 0, TRACE_READ},
                                         {1, TRACE_VARIABLE_MAX, 0, 0, TRACE_READ}};
    static const uint64_t sequences[] = {1, 2, UINT64_MAX - 2, UINT64_MAX - 1};
    for (size_t i = 0; i < 4; i++)
        trace_stream_event(stream, sequences[i], &events[i]);
    /* A number that does not grow. */
    trace_stream_event(stream, UINT64_MAX - 1, &events[0]);
    struct trace_writer_counts counts;
    struct problem problem;
    problem_clear(&problem);
    assert_false(trace_writer_close(writer, &counts, &problem));
    assert_non_null(strstr(problem.reason, "do not grow"));
    assert_int_equal(counts.events, 4);
    assert_int_equal(counts.dropped, 1);
    struct trace_source source;
    assert_true(trace_open(&source, path));
    for (size_t i = 0; i < 4; i++) {
        struct trace_event event = {0};
        assert_int_equal(trace_next(&source, &event), TRACE_EVENT);
        assert_true(support_same_event(&event, &events[i]));
    }
    trace_close(&source);
}

/* Two threads that do what programs do: a loop over arrays, several accesses on one line; fields of
   objects met in no order; a counter under a lock. About 20 locations. */
static struct trace_event next_of_program(uint32_t thread, uint32_t step, uint32_t *object,
                                          uint64_t *random)
{
    const uint32_t turn = step / 12;
    const uint32_t element = thread * 50000 + turn % 50000;
    const uint32_t variable = 400000 + *object;
    switch (step % 12) {
    case 0:
        return (struct trace_event){thread, 1 + element, 5, 0, TRACE_READ};
    case 1:
        return (struct trace_event){thread, 150001 + element, 5, 0, TRACE_READ};
    case 2:
        return (struct trace_event){thread, 250001 + element, 5, 0, TRACE_WRITE};
    case 3:
        *object = (uint32_t)(support_random(random) % 10000 * 6);
        return (struct trace_event){thread, 400000 + *object, 8, 1, TRACE_READ};
    case 4:
        return (struct trace_event){thread, variable + 1, 9, 1, TRACE_READ};
    case 5:
        return (struct trace_event){thread, variable + 2, 9, 1, TRACE_READ};
    case 6:
        return (struct trace_event){thread, variable + 3,
                                    10 + (uint32_t)(support_random(random) % 5), 1, TRACE_WRITE};
    case 7:
        return (struct trace_event){thread, 600000 + turn * 3 % 1000, 16, 0, TRACE_READ};
    case 8:
        return (struct trace_event){thread, 1, 17, 0, TRACE_ACQUIRE};
    case 9:
        return (struct trace_event){thread, 900000, 18, 0, TRACE_READ};
    case 10:
        return (struct trace_event){thread, 900000, 18, 0, TRACE_WRITE};
    default:
        return (struct trace_event){thread, 1, 19, 0, TRACE_RELEASE};
    }
}

static void an_event_takes_less_than_four_bytes(void **state)
{
    (void)state;
    enum { EVENTS = 400000 };
    const char *path = support_path(&folder, "trace");
    struct trace_writer *writer = support_trace_writer(path, 1 << 16);
    support_trace_names(writer, 2);
    trace_writer_variables(writer, 1, 1000000);
    struct trace_stream *streams[] = {trace_stream_open(writer, 1), trace_stream_open(writer, 2)};
    uint64_t random = 3;
    uint32_t steps[2] = {0, 0}, objects[2] = {0, 0}, which = 0;
    for (uint64_t i = 1; i <= EVENTS; i++) {
        if (support_random(&random) % 3 == 0)
            which = (uint32_t)(support_random(&random) % 2);
        const struct trace_event event =
            next_of_program(which + 1, steps[which]++, &objects[which], &random);
        trace_stream_event(streams[which], i, &event);
    }
    struct trace_writer_counts counts;
    struct problem problem;
    problem_clear(&problem);
    assert_true(trace_writer_close(writer, &counts, &problem));
    const double bytes = (double)counts.bytes / EVENTS;
    print_message("%.2f bytes per event\n", bytes);
    /* Under 4 is the promise; the rest is what this encoding is there for. */
    assert_true(bytes < 1.5);
}

/*
 * Real threads.
 */
enum { THREADS = 4, EVENTS_EACH = 30000 };

struct recorder {
    struct trace_writer *writer;
    _Atomic uint64_t *counter;
    uint32_t thread;
    uint64_t sequences[EVENTS_EACH];
    uint32_t targets[EVENTS_EACH];
};

/* Each thread makes names of its own all the time, and uses them at once. */
static void *record_thread(void *argument)
{
    struct recorder *recorder = argument;
    uint64_t random = recorder->thread;
    struct trace_stream *stream = trace_stream_open(recorder->writer, recorder->thread);
    uint32_t variable = 0;
    for (uint32_t i = 0; stream && i < EVENTS_EACH; i++) {
        if (i % 100 == 0)
            variable = trace_writer_variables(recorder->writer, 0, 100);
        if (support_random(&random) % 500 == 0) {
            trace_stream_pause(stream);
            if (support_random(&random) % 10 == 0)
                sched_yield();
            trace_stream_resume(stream);
        }
        recorder->targets[i] = variable + i % 100;
        recorder->sequences[i] = atomic_fetch_add(recorder->counter, 1) + 1;
        const struct trace_event event = {0, recorder->targets[i], 0, 0, TRACE_WRITE};
        trace_stream_event(stream, recorder->sequences[i], &event);
    }
    if (stream)
        trace_stream_close(stream);
    return NULL;
}

static void threads_record_at_once(void **state)
{
    (void)state;
    static struct recorder recorders[THREADS];
    static uint32_t order[THREADS * EVENTS_EACH + 1], targets[THREADS * EVENTS_EACH + 1];
    const char *path = support_path(&folder, "trace");
    struct trace_writer_options options = {.block_bytes = 500, .idle_events = 50};
    struct problem problem;
    problem_clear(&problem);
    struct trace_writer *writer =
        trace_writer_new(open(path, O_RDWR | O_CREAT | O_TRUNC, 0600), &options, &problem);
    assert_non_null(writer);
    _Atomic uint64_t counter = 0;
    pthread_t threads[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        recorders[i].writer = writer;
        recorders[i].counter = &counter;
        recorders[i].thread = trace_writer_thread(writer, TEXT("worker"));
        assert_int_equal(pthread_create(&threads[i], NULL, record_thread, &recorders[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_true(trace_writer_close(writer, NULL, &problem));
    for (uint32_t i = 0; i < THREADS; i++)
        for (uint32_t j = 0; j < EVENTS_EACH; j++) {
            order[recorders[i].sequences[j]] = recorders[i].thread;
            targets[recorders[i].sequences[j]] = recorders[i].targets[j];
        }
    struct trace_source source;
    struct trace_event event = {0};
    assert_true(trace_open(&source, path));
    for (uint32_t i = 1; i <= THREADS * EVENTS_EACH; i++) {
        assert_int_equal(trace_next(&source, &event), TRACE_EVENT);
        assert_int_equal(event.thread, order[i]);
        assert_int_equal(event.target, targets[i]);
    }
    assert_int_equal(trace_next(&source, &event), TRACE_FINISHED);
    trace_close(&source);
}

/*
 * A program that dies: the file is read while the writer still has it open.
 */
static size_t read_unfinished(const char *path)
{
    struct trace_source source;
    struct trace_event event = {0};
    assert_true(trace_open(&source, path));
    enum trace_status status;
    while ((status = trace_next(&source, &event)) == TRACE_EVENT)
        ;
    assert_int_equal(status, TRACE_FAILED);
    assert_non_null(strstr(source.problem.reason, "not finished"));
    const size_t count = (size_t)trace_delivered(&source);
    trace_close(&source);
    return count;
}

/* The first of two threads has events 1 to 10 and then stands still; the second goes on. */
static size_t usable_with_idle_thread(bool pauses, uint64_t idle_events)
{
    const char *path = support_path(&folder, "trace");
    struct trace_writer_options options = {.block_bytes = 500, .idle_events = idle_events};
    struct problem problem;
    problem_clear(&problem);
    struct trace_writer *writer =
        trace_writer_new(open(path, O_RDWR | O_CREAT | O_TRUNC, 0600), &options, &problem);
    assert_non_null(writer);
    support_trace_names(writer, 2);
    struct trace_stream *streams[] = {trace_stream_open(writer, 1), trace_stream_open(writer, 2)};
    const struct trace_event event = {0, 1, 1, 0, TRACE_READ};
    for (uint64_t i = 1; i <= 10; i++)
        trace_stream_event(streams[0], i, &event);
    if (pauses)
        trace_stream_pause(streams[0]);
    for (uint64_t i = 11; i <= 10000; i++)
        trace_stream_event(streams[1], i, &event);
    const size_t usable = read_unfinished(path);
    if (pauses)
        trace_stream_resume(streams[0]);
    for (uint64_t i = 10001; i <= 10020; i++)
        trace_stream_event(streams[i % 2], i, &event);
    assert_true(trace_writer_close(writer, NULL, &problem));
    struct trace_source source;
    struct trace_event got;
    assert_true(trace_open(&source, path));
    while (trace_next(&source, &got) == TRACE_EVENT)
        ;
    assert_int_equal(trace_delivered(&source), 10020);
    assert_false(source.problem.set);
    trace_close(&source);
    return usable;
}

static void paused_threads_do_not_hold_up_what_can_be_used(void **state)
{
    (void)state;
    /* What the first thread had is only in the memory of the dead process. */
    assert_int_equal(usable_with_idle_thread(false, 0), 0);
    assert_int_equal(usable_with_idle_thread(true, 1 << 20), 0);
    /* Events of the second are lost up to one block of 500 bytes. */
    assert_in_range(usable_with_idle_thread(true, 0), 9000, 10000);
}

/*
 * Files that cannot be written.
 */
static void a_full_device_is_refused(void **state)
{
    (void)state;
    struct trace_writer_options options;
    trace_writer_options_default(&options);
    struct problem problem;
    problem_clear(&problem);
    const int full = open("/dev/full", O_WRONLY);
    assert_true(full >= 0);
    assert_null(trace_writer_new(full, &options, &problem));
    assert_string_equal(problem.reason, "the trace cannot be written: No space left on device");
}

static void a_device_that_fills_up_drops_events(void **state)
{
    (void)state;
    const char *path = support_path(&folder, "trace");
    struct trace_writer_options options = {.block_bytes = 100, .idle_events = 0};
    struct problem problem;
    problem_clear(&problem);
    const int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    struct trace_writer *writer = trace_writer_new(descriptor, &options, &problem);
    assert_non_null(writer);
    support_trace_names(writer, 1);
    struct trace_stream *stream = trace_stream_open(writer, 1);
    const struct trace_event event = {1, 1, 1, 0, TRACE_READ};
    for (uint64_t i = 1; i <= 10; i++)
        trace_stream_event(stream, i, &event);
    trace_stream_flush(stream);
    assert_false(trace_writer_failed(writer, &problem));
    const int full = open("/dev/full", O_WRONLY);
    assert_int_equal(dup2(full, descriptor), descriptor);
    close(full);
    for (uint64_t i = 11; i <= 1000; i++)
        trace_stream_event(stream, i, &event);
    assert_true(trace_writer_failed(writer, &problem));
    struct trace_writer_counts counts;
    assert_false(trace_writer_close(writer, &counts, &problem));
    assert_string_equal(problem.reason, "the trace cannot be written: No space left on device");
    assert_int_equal(counts.events, 10);
    assert_int_equal(counts.dropped, 990);
    assert_int_equal(read_unfinished(path), 10);
}

/* The limit makes a write short and the next one fail; half a block is cut off again. */
static void half_a_block_is_not_left_behind(void **state)
{
    (void)state;
    uint64_t random = 5;
    struct support_trace trace;
    support_trace_random(&trace, 2000, 1, &random);
    const char *path = support_path(&folder, "trace");
    struct rlimit old, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    struct trace_writer *writer = support_trace_writer(path, 300);
    support_trace_names(writer, 1);
    struct trace_stream *stream = trace_stream_open(writer, 1);
    signal(SIGXFSZ, SIG_IGN);
    limit = old;
    limit.rlim_cur = 5000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (size_t i = 0; i < trace.count; i++)
        trace_stream_event(stream, trace.sequences[i], &trace.events[i]);
    struct trace_writer_counts counts;
    struct problem problem;
    problem_clear(&problem);
    assert_false(trace_writer_close(writer, &counts, &problem));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_string_equal(problem.reason, "the trace cannot be written: File too large");
    assert_int_equal(counts.events + counts.dropped, trace.count);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_size, counts.bytes);
    assert_true(counts.events > 0);
    struct trace_source source;
    assert_true(trace_open(&source, path));
    assert_int_equal(support_trace_compare(&source, &trace, TRACE_FAILED), counts.events);
    struct builder builder;
    builder_init(&builder);
    trace_explain(&source, &builder);
    char expected[200];
    snprintf(expected, sizeof expected,
             "offset %llu: the trace was not finished (the end block is missing); %llu events "
             "before that could be used",
             (unsigned long long)counts.bytes, (unsigned long long)counts.events);
    assert_text(builder_text(&builder), expected);
    builder_release(&builder);
    trace_close(&source);
    support_trace_free(&trace);
}

/*
 * Memory that is missing.
 */
static bool record_some(void *context)
{
    const struct support_trace *trace = context;
    struct trace_writer_options options = {.block_bytes = 200, .idle_events = 0};
    struct problem problem;
    problem_clear(&problem);
    const int descriptor = open(support_path(&folder, "short"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    struct trace_writer *writer = trace_writer_new(descriptor, &options, &problem);
    if (!writer) {
        assert_true(problem.set);
        return false;
    }
    bool all = true;
    for (uint32_t i = 0; i < 200; i++)
        all = trace_writer_thread(writer, TEXT("a thread with a long name")) && all;
    struct trace_stream *stream = trace_stream_open(writer, 1);
    for (size_t i = 0; stream && i < trace->count; i++)
        trace_stream_event(stream, trace->sequences[i], &trace->events[i]);
    assert_true(trace_writer_close(writer, NULL, &problem));
    return all && stream;
}

static bool read_some(void *context)
{
    const struct support_trace *trace = context;
    struct trace_source source;
    if (!trace_open(&source, support_path(&folder, "trace"))) {
        assert_non_null(strstr(source.problem.reason, "memory"));
        return false;
    }
    struct trace_event event = {0};
    enum trace_status status;
    while ((status = trace_next(&source, &event)) == TRACE_EVENT) {
        assert_true(trace_delivered(&source) <= trace->count);
        assert_true(support_same_event(&event, &trace->events[trace_delivered(&source) - 1]));
    }
    if (status == TRACE_FAILED)
        assert_non_null(strstr(source.problem.reason, "memory"));
    trace_close(&source);
    return status == TRACE_FINISHED;
}

static void missing_memory_is_survived(void **state)
{
    (void)state;
    uint64_t random = 6;
    struct support_trace trace;
    support_trace_random(&trace, 100, 1, &random);
    support_trace_record(support_path(&folder, "trace"), 200, &trace, 1);
    assert_true(support_fail_each_request(record_some, &trace) > 10);
    assert_true(support_fail_each_request(read_some, &trace) > 10);
    support_trace_free(&trace);
}

static size_t count_down(void *context, struct trace_event *events, size_t capacity)
{
    size_t *left = context;
    size_t count = 0;
    while (count<capacity && * left> 0)
        events[count++] = (struct trace_event){1, (uint32_t)(*left)--, 0, 0, TRACE_READ};
    return count;
}

static void events_can_be_made_up(void **state)
{
    (void)state;
    struct trace_names names;
    trace_names_init(&names);
    size_t left = 10000;
    struct trace_source source;
    assert_true(trace_generate(&source, &names, count_down, &left));
    struct trace_event event = {0};
    for (uint32_t i = 10000; i > 0; i--) {
        assert_int_equal(trace_next(&source, &event), TRACE_EVENT);
        assert_int_equal(event.target, i);
    }
    assert_int_equal(trace_next(&source, &event), TRACE_FINISHED);
    assert_int_equal(trace_delivered(&source), 10000);
    trace_close(&source);
    trace_names_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_recorded_is_read_again),
        cmocka_unit_test(a_trace_may_have_no_events),
        cmocka_unit_test(great_numbers_are_kept),
        cmocka_unit_test(an_event_takes_less_than_four_bytes),
        cmocka_unit_test(threads_record_at_once),
        cmocka_unit_test(paused_threads_do_not_hold_up_what_can_be_used),
        cmocka_unit_test(a_full_device_is_refused),
        cmocka_unit_test(a_device_that_fills_up_drops_events),
        cmocka_unit_test(half_a_block_is_not_left_behind),
        cmocka_unit_test(missing_memory_is_survived),
        cmocka_unit_test(events_can_be_made_up),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
