/*
 * Transactions on written traces.
 *
 * A trace is a line of operations: the thread, what it does, to what.
 *
 *     {  enters a block     r  reads       a  acquires          A  acquires shared    f  starts
 *     }  leaves it          w  writes      l  lets go           L  lets go, shared    j  joins
 *     |  splits             v  releases a synchronization object    ^  acquires it    x  ends
 *
 * The n-th operation has location n, stack 1000 + n, and, if it enters a block, block n.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include "engine/transactions.h"
#include "support.h"

#define THREADS_MAX 10u

struct run {
    struct transactions *transactions;
    struct transactions_thread *threads[THREADS_MAX];
    uint64_t births[THREADS_MAX];
    bool ended[THREADS_MAX];
    uint32_t location;
    uint32_t closed_at; /* the first operation that closed a cycle */
    unsigned closed;
    unsigned reports;
    struct transactions_violation first;
};

static void note_report(void *context, const struct transactions_violation *violation)
{
    struct run *run = context;
    if (!run->reports++)
        run->first = *violation;
}

static void run_init(struct run *run, const struct transactions_options *options)
{
    memset(run, 0, sizeof *run);
    struct transactions_options mine = *options;
    mine.report = note_report;
    mine.context = run;
    run->transactions = transactions_new(&mine);
    assert_non_null(run->transactions);
}

static unsigned digit(char letter)
{
    assert_in_range(letter, '0', '9');
    return (unsigned)(letter - '0');
}

static void start(struct run *run, struct transactions_thread *parent, unsigned child)
{
    run->threads[child] = transactions_thread_start(run->transactions, parent, 100 + child,
                                                    run->location, 1000 + run->location);
    run->births[child] = transactions_thread_birth(run->threads[child]);
    run->ended[child] = false;
}

static bool perform(struct run *run, struct transactions_thread *thread, char what, char object)
{
    static const char LETTERS[] = "rwalAL^v";
    const char *letter = strchr(LETTERS, what);
    assert_non_null(letter);
    return transactions_perform(run->transactions, thread,
                                (enum transactions_kind)(letter - LETTERS), (uint64_t)object,
                                run->location, 1000 + run->location);
}

static void tell(struct run *run, const char *operation)
{
    unsigned number = digit(operation[0]);
    run->location++;
    if (!run->threads[number])
        start(run, NULL, number);
    struct transactions_thread *thread = run->threads[number];
    bool closes = false;
    switch (operation[1]) {
    case '{':
        transactions_begin(run->transactions, thread, run->location, run->location,
                           1000 + run->location);
        break;
    case '}':
        transactions_end(run->transactions, thread);
        break;
    case '|':
        transactions_split(run->transactions, thread);
        break;
    case 'x':
        transactions_thread_end(run->transactions, thread);
        break;
    case 'f':
        start(run, thread, digit(operation[2]));
        break;
    case 'j':
        closes = transactions_thread_join(
            run->transactions, thread, run->threads[digit(operation[2])],
            run->births[digit(operation[2])], run->location, 1000 + run->location);
        break;
    default:
        closes = perform(run, thread, operation[1], operation[2]);
    }
    run->closed += closes;
    if (closes && !run->closed_at)
        run->closed_at = run->location;
}

static void tell_all(struct run *run, const char *trace)
{
    while (*trace) {
        tell(run, trace);
        trace += strcspn(trace, " ");
        trace += strspn(trace, " ");
    }
}

static struct run told(const char *trace)
{
    struct transactions_options options;
    transactions_options_default(&options);
    struct run run;
    run_init(&run, &options);
    tell_all(&run, trace);
    transactions_free(run.transactions);
    run.transactions = NULL;
    return run;
}

#define assert_serial(trace) assert_int_equal(told(trace).closed_at, 0)

/* The locations along the first report's path, such as "2-3 4-5", after the violated block. */
static void assert_report(const char *trace, uint32_t block, const char *path)
{
    struct run run = told(trace);
    char text[400];
    size_t length = 0;
    assert_true(run.reports > 0);
    assert_int_equal(run.first.blocks[0].block, block);
    assert_int_equal(run.first.blocks[0].location, block);
    assert_int_equal(run.first.blocks[0].stack, 1000 + block);
    assert_true(run.first.whole);
    for (uint32_t index = 0; index < run.first.path_count; index++) {
        const struct transactions_conflict *conflict = &run.first.path[index];
        if (conflict->earlier.location)
            assert_int_equal(conflict->earlier.stack, 1000 + conflict->earlier.location);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%u-%u", index ? " " : "",
                                   conflict->earlier.location, conflict->later.location);
    }
    assert_string_equal(text, path);
    uint32_t last = run.first.path[run.first.path_count - 1].later.location;
    assert_int_equal(last, run.closed_at);
}

static void test_read_modify_write(void **state)
{
    (void)state;
    assert_report("1{ 1rx 2wx 1wx 1}", 1, "2-3 3-4");
    assert_report("1{ 1wx 2wx 1rx 1}", 1, "2-3 3-4");
    assert_report("1{ 1rx 2wx 1rx 1}", 1, "2-3 3-4");
    assert_report("1{ 1wx 2rx 1wx 1}", 1, "2-3 3-4");
    /* Nobody reads or writes in between. */
    assert_serial("1{ 1rx 1wx 1} 2wx 1{ 1rx 1wx 1} 2rx");
    assert_serial("1{ 1rx 2rx 1rx 1wx 1}");
    assert_serial("2wx 1{ 1rx 1wx 1} 2wx");
    /* It reads nothing that the other wrote. */
    assert_serial("1{ 1rx 2wx 1wy 1} 2wx");
}

static void test_report(void **state)
{
    (void)state;
    struct run run = told("1{ 1rx 2{ 2wx 2} 1wx 1}");
    assert_int_equal(run.reports, 1);
    const struct transactions_violation *violation = &run.first;
    assert_int_equal(violation->thread, 101);
    assert_int_equal(violation->block_count, 1);
    assert_int_equal(violation->path_count, 2);
    assert_true(violation->alone);
    const struct transactions_conflict *out = &violation->path[0], *in = &violation->path[1];
    assert_int_equal(out->object, 'x');
    assert_int_equal(out->earlier.kind, TRANSACTIONS_READ);
    assert_int_equal(out->earlier.thread, 101);
    assert_int_equal(out->earlier.block, 1);
    assert_int_equal(out->later.kind, TRANSACTIONS_WRITE);
    assert_int_equal(out->later.thread, 102);
    assert_int_equal(out->later.block, 3);
    assert_int_equal(in->earlier.location, 4);
    assert_int_equal(in->later.kind, TRANSACTIONS_WRITE);
    assert_int_equal(in->later.thread, 101);
}

static void test_two_variables(void **state)
{
    (void)state;
    /* The other one sees half of a swap, or the first one half of the other's. */
    assert_report("1{ 1wx 2rx 2ry 1wy 1}", 1, "2-3 4-5");
    assert_report("1{ 1rx 2wx 2wy 1ry 1}", 1, "2-3 4-5");
    assert_serial("1{ 1wx 2ry 2rx 1wy 1} 3rx 3ry 1wx");
    assert_serial("1{ 1wx 1wy 1} 2{ 2rx 2ry 2} 1{ 1wx 1wy 1}");
    /* Both in blocks, each one in front of the other. */
    assert_report("1{ 2{ 1wx 2wy 1ry 2rx 1} 2}", 2, "4-5 3-6");
    assert_false(told("1{ 2{ 1wx 2wy 1ry 2rx 1} 2}").first.alone);
    assert_serial("1{ 2{ 1wx 2wy 1ry 2rz 1} 2}");
}

static void test_three_transactions(void **state)
{
    (void)state;
    assert_report("1{ 1wx 2rx 2wy 3ry 3wz 1rz 1}", 1, "2-3 4-5 6-7");
    assert_report("1{ 1wx 2{ 2rx 2wy 2} 3{ 3ry 3wz 3} 1rz 1}", 1, "2-4 5-8 9-11");
    /* The middle one goes out before it comes in: only as transactions are they a cycle. */
    assert_report("2{ 2wy 1{ 1wx 3ry 3wz 2rx 1rz 1} 2}", 3, "4-7 2-5 6-8");
    assert_false(told("2{ 2wy 1{ 1wx 3ry 3wz 2rx 1rz 1} 2}").first.alone);
    assert_serial("2wy 1{ 1wx 3ry 3wz 2rx 1rz 1}");
    /* The same when the middle one has ended before the way to it is there. */
    assert_report("1{ 3{ 3wz 2{ 2rz 2wy 2} 1wx 3rx 1ry 1} 3}", 1, "8-9 3-5 6-10");
}

static void test_locks(void **state)
{
    (void)state;
    /* Two critical sections in one block, another's in between. */
    assert_report("1{ 1am 1rx 1lm 2am 2wx 2lm 1am 1wx 1lm 1}", 1, "4-5 7-8");
    assert_report("1{ 1am 1lm 2{ 2am 2lm 2} 1am 1lm 1}", 1, "3-5 6-8");
    assert_serial("1{ 1am 1rx 1wx 1lm 1} 2{ 2am 2rx 2wx 2lm 2} 1{ 1am 1rx 1lm 1}");
    /* Different locks: no cycle by them. */
    assert_serial("1{ 1am 1lm 2an 2ln 1am 1lm 1}");
    /* Taken again: only the outermost counts. */
    assert_serial("1{ 1am 1am 1lm 1lm 1} 2am 2lm");
    /* Readers do not come after each other, writers do. */
    assert_serial("1{ 1Am 1Lm 2{ 2Am 2Lm 2} 1Am 1Lm 1}");
    assert_report("1{ 1Am 1Lm 2am 2lm 1Am 1Lm 1}", 1, "3-4 5-6");
    assert_report("1{ 1am 1lm 2Am 2Lm 1am 1lm 1}", 1, "3-4 5-6");
    assert_serial("2Am 1{ 1Am 1Lm 2Lm 1Am 1Lm 1}");
    assert_report("1{ 1Am 1Lm 2Am 3am 3lm 2Am 2Lm 1Am", 1, "3-5 6-9");
}

static void test_threads_and_synchronization(void **state)
{
    (void)state;
    assert_report("1{ 1vs 2^s 2vt 1^t 1}", 1, "2-3 4-5");
    /* All releases count, not only the last. */
    assert_report("1{ 1vs 2^s 2vt 3vt 1^t 1}", 1, "2-3 4-6");
    assert_serial("1{ 1vs 2vs 1vs 2vs 1}");
    /* Starts a thread and waits for it: not atomic. */
    assert_report("1{ 1f2 2rx 2x 1j2 1}", 1, "2-0 0-5");
    assert_report("1{ 1f2 2wx 1rx 1}", 1, "2-0 3-4");
    assert_serial("1f2 1{ 2wx 1rx 1} 2x 1{ 1j2 1}");
    assert_serial("1{ 1wx 1f2 1} 2rx 2wx 2x 1j2 1rx");
}

static void test_nested(void **state)
{
    (void)state;
    /* The inner block has both operations in it, or only the outer one has. */
    assert_report("1{ 1{ 1rx 2wx 1wx 1} 1}", 2, "3-4 4-5");
    assert_int_equal(told("1{ 1{ 1rx 2wx 1wx 1} 1}").first.block_count, 2);
    assert_int_equal(told("1{ 1{ 1rx 2wx 1wx 1} 1}").first.blocks[1].block, 1);
    assert_report("1{ 1rx 2wx 1{ 1wx 1} 1}", 1, "2-3 3-5");
    assert_report("1{ 1{ 1rx 1} 2wx 1{ 1wx 1} 1}", 1, "3-5 5-7");
    /* The outer one was ahead before, but the inner one is as well. */
    assert_report("1{ 1wx 2rx 1{ 1wy 2ry 2wz 1rz 1} 1}", 4, "5-6 7-8");
    /* The inner one is ahead as well, but of something later. */
    assert_report("1{ 1wx 2rx 2wz 1{ 1wy 2ry 1rz 1} 1}", 1, "2-3 4-8");
    assert_report("1{ 1{ 1{ 1{ 1{ 1{ 1rx 2wx 1wx", 6, "7-8 8-9");
    /* An inner block that ends leaves what came after it to the outer one. */
    assert_report("1{ 1{ 1wx 2rx 1} 2wy 1ry 1}", 1, "3-4 6-7");
    /* Blocks that follow each other are transactions of their own. */
    assert_serial("1{ 1rx 1} 2wx 1{ 1wx 1}");
    assert_serial("1{ 1rx 2wx 1| 1wx 1}");
    assert_report("1{ 1rx 1| 1ry 2wy 1wy 1}", 1, "4-5 5-6");
}

static void test_single_operations(void **state)
{
    (void)state;
    assert_serial("1rx 2wx 1wx 2rx 1wx");
    assert_serial("1wx 2rx 2wy 1ry 1wx 2rx");
    /* Operations outside of blocks are not one transaction, even with a block elsewhere... */
    assert_serial("3{ 3wz 1wx 2rx 2wy 1ry 3}");
    assert_serial("3{ 2wx 3wy 2ry 3rx 3}");
    /* ... but come after each other: the second write of x comes after y was read. */
    assert_report("3{ 2wx 3wy 2ry 2wx 3rx 3}", 1, "3-4 5-6");
}

static void test_threads_come_and_go(void **state)
{
    (void)state;
    /* The new thread is not the old one: it does not come after thread 1's block. */
    assert_serial("1{ 1wx 2rx 2x 3wy 1ry 1}");
    assert_report("1{ 1wx 2rx 2f3 2x 3wy 1ry 1}", 1, "2-3 4-0 6-7");
    struct transactions_options options;
    transactions_options_default(&options);
    options.threads = 2;
    struct run run;
    run_init(&run, &options);
    tell_all(&run, "1{ 1wx 2rx 2x 3wy 1ry 1}");
    assert_null(run.threads[3]); /* no room: the slot of the old one is still needed */
    assert_int_equal(run.closed, 0);
    tell_all(&run, "3{ 3rx 1wx 3rx 3}");
    assert_non_null(run.threads[3]);
    assert_int_equal(run.closed, 1);
    tell_all(&run, "1j2");
    struct transactions_counts counts;
    transactions_counts(run.transactions, &counts);
    assert_int_equal(counts.refused, 1);
    assert_int_equal(counts.threads, 2);
    transactions_free(run.transactions);
}

static void test_one_report_per_place(void **state)
{
    (void)state;
    struct run run = told("");
    struct transactions_options options;
    transactions_options_default(&options);
    run_init(&run, &options);
    for (unsigned turn = 0; turn < 10; turn++) {
        run.location = 0;
        tell_all(&run, "1{ 1rx 2wx 1wx 1} 1{ 1rx 2wx 1rx 1}");
    }
    assert_int_equal(run.closed, 20);
    assert_int_equal(run.reports, 2);
    transactions_free(run.transactions);
}

/* Whether to skip what changes nothing is decided by the stamp. */
static void test_stamp(void **state)
{
    (void)state;
    struct transactions_options options;
    transactions_options_default(&options);
    struct run run;
    run_init(&run, &options);
    tell_all(&run, "3{ 2wx");
    uint64_t stamp = transactions_stamp(run.threads[2]);
    tell_all(&run, "2rx");
    assert_int_equal(transactions_stamp(run.threads[2]), stamp);
    tell_all(&run, "3wy 2ry");
    assert_int_not_equal(transactions_stamp(run.threads[2]), stamp);
    stamp = transactions_stamp(run.threads[2]);
    tell_all(&run, "2wx 2ry 2rx 2wx");
    assert_int_equal(transactions_stamp(run.threads[2]), stamp);
    stamp = transactions_stamp(run.threads[3]);
    tell_all(&run, "3{");
    assert_int_not_equal(transactions_stamp(run.threads[3]), stamp);
    transactions_free(run.transactions);
}

/* What does not matter any more goes; what does stays. */
static void test_sweeping(void **state)
{
    (void)state;
    struct transactions_options options;
    transactions_options_default(&options);
    options.objects = options.accesses = 4096;
    struct run run;
    run_init(&run, &options);
    tell_all(&run, "1{ 1rx 3{ 3vs 2^s 3}");
    for (uint64_t variable = 0; variable < 200000; variable++) {
        tell(&run, "2{");
        transactions_perform(run.transactions, run.threads[2], TRANSACTIONS_READ, 1000 + variable,
                             1, 1);
        transactions_perform(run.transactions, run.threads[2], TRANSACTIONS_WRITE,
                             1000000 + variable, 1, 1);
        tell(&run, "2}");
    }
    struct transactions_counts counts;
    transactions_counts(run.transactions, &counts);
    assert_true(counts.sweeps > 0);
    assert_in_range(counts.objects, 1, 4096);
    assert_int_equal(counts.lost, 0);
    tell_all(&run, "2wx 1wx");
    assert_int_equal(run.closed, 1);
    transactions_free(run.transactions);
}

/* When the tables are full nothing is invented, and it is said. */
static void test_full_tables(void **state)
{
    (void)state;
    struct transactions_options options;
    transactions_options_default(&options);
    options.objects = 4;
    options.accesses = 2;
    options.steps = 1;
    options.row_bytes = 1024;
    struct run run;
    run_init(&run, &options);
    tell_all(&run, "1{ 1ra 1rb 1rc 1rd 1re 1wf 1wg 1wh 1wi 2wa 2wb 2wc 2wd 2we 1ra 1} 1rb");
    struct transactions_counts counts;
    transactions_counts(run.transactions, &counts);
    assert_true(counts.lost > 0);
    assert_int_equal(run.closed, 1); /* a was remembered */
    transactions_free(run.transactions);

    /* A cycle is found without knowing all of the way. */
    options.objects = options.accesses = 64;
    run_init(&run, &options);
    tell_all(&run, "1{ 1wx 2rx 2wy 3ry 3wz 1rz");
    assert_int_equal(run.reports, 1);
    assert_false(run.first.whole);
    assert_false(run.first.alone);
    assert_int_equal(run.first.path_count, 1);
    assert_int_equal(run.first.path[0].earlier.location, 6);
    transactions_free(run.transactions);

    /* Without rows, no cycles. */
    options.row_bytes = 0;
    run_init(&run, &options);
    tell_all(&run, "1{ 1rx 2wx 1wx 1}");
    transactions_counts(run.transactions, &counts);
    assert_int_equal(run.closed, 0);
    assert_true(counts.lost > 0);
    transactions_free(run.transactions);
}

/* A way longer than a report has room for keeps its two ends. */
static void test_long_way(void **state)
{
    (void)state;
    struct transactions_options options;
    transactions_options_default(&options);
    struct run run;
    run_init(&run, &options);
    tell_all(&run, "1{ 1w0 2r0");
    for (char turn = 1; turn < 40; turn++) {
        run.location++;
        unsigned from = turn % 2 ? 2 : 3;
        /* New threads, so that each is one conflict further away. */
        tell(&run, from == 2 ? "2v_" : "3v_");
        perform(&run, run.threads[from], 'w', (char)(turn + 40));
        unsigned other = 5 - from;
        if (run.threads[other])
            transactions_thread_end(run.transactions, run.threads[other]);
        start(&run, NULL, other);
        perform(&run, run.threads[other], 'r', (char)(turn + 40));
    }
    tell_all(&run, "3wz 1rz");
    if (!run.closed)
        tell_all(&run, "2wz 1rz");
    assert_int_equal(run.closed, 1);
    assert_int_equal(run.reports, 1);
    assert_false(run.first.whole);
    assert_in_range(run.first.path_count, 3, TRANSACTIONS_PATH_MAX);
    assert_int_equal(run.first.path[0].earlier.location, 2);
    assert_int_equal(run.first.path[0].later.location, 3);
    assert_int_equal(run.first.path[run.first.path_count - 1].later.location, run.closed_at);
    transactions_free(run.transactions);
}

/* True when nothing was missing. */
static bool run_without_memory(void)
{
    struct transactions_options options;
    transactions_options_default(&options);
    struct run run = {.closed = 0};
    options.report = note_report;
    options.context = &run;
    run.transactions = transactions_new(&options);
    if (!run.transactions)
        return false;
    tell_all(&run, "1{ 1{ 1{ 1{ 1{ 1{ 1rx 2wx 1wx 1} 1} 1} 1} 1} 1} 1{ 3{ 1vs 3^s 3wz 2wz 1}");
    bool complete = run.reports == 1 && run.first.whole && run.first.blocks[0].block == 6 &&
                    run.threads[1] && run.threads[2] && run.threads[3];
    assert_true(run.closed <= 1);
    transactions_free(run.transactions);
    return complete;
}

static void test_no_memory(void **state)
{
    (void)state;
    unsigned incomplete = 0;
    for (long request = 0; request < 60; request++) {
        memory_fail_after(request);
        incomplete += !run_without_memory();
        memory_fail_after(-1);
    }
    assert_in_range(incomplete, 10, 40);
    assert_true(run_without_memory());
}

/*
 * Threads at the same time: blocks that hold one lock all the time are serial, whatever the order.
 */

#define WORKERS 4u
#define ROUNDS 20000u

struct crowd {
    struct transactions *transactions;
    pthread_mutex_t mutex;
    bool careless; /* gives the lock up in the middle of the block */
};

struct worker {
    struct crowd *crowd;
    struct transactions_thread *thread;
    uint64_t random;
    unsigned closed;
};

static unsigned work_locked(struct worker *worker)
{
    struct transactions *transactions = worker->crowd->transactions;
    unsigned closed = 0;
    pthread_mutex_lock(&worker->crowd->mutex);
    closed += transactions_perform(transactions, worker->thread, TRANSACTIONS_ACQUIRE, 1, 1, 0);
    for (unsigned access = 0; access < 4; access++) {
        uint64_t random = support_random(&worker->random);
        closed += transactions_perform(transactions, worker->thread,
                                       random & 1 ? TRANSACTIONS_READ : TRANSACTIONS_WRITE,
                                       random >> 1 & 7, 2, 0);
    }
    closed += transactions_perform(transactions, worker->thread, TRANSACTIONS_RELEASE, 1, 3, 0);
    pthread_mutex_unlock(&worker->crowd->mutex);
    return closed;
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct transactions *transactions = worker->crowd->transactions;
    for (unsigned round = 0; round < ROUNDS; round++) {
        transactions_begin(transactions, worker->thread, 1, 1, 0);
        transactions_perform(transactions, worker->thread, TRANSACTIONS_WRITE,
                             1000 + worker->random % 16 * 4 + round % 4, 2, 0);
        worker->closed += work_locked(worker);
        if (worker->crowd->careless)
            worker->closed += work_locked(worker);
        transactions_end(transactions, worker->thread);
        if (!worker->crowd->careless)
            worker->closed += work_locked(worker);
    }
    transactions_thread_end(transactions, worker->thread);
    return NULL;
}

static unsigned run_crowd(bool careless)
{
    struct transactions_options options;
    transactions_options_default(&options);
    struct crowd crowd = {.mutex = PTHREAD_MUTEX_INITIALIZER, .careless = careless};
    crowd.transactions = transactions_new(&options);
    assert_non_null(crowd.transactions);
    struct worker workers[WORKERS];
    pthread_t threads[WORKERS];
    for (unsigned index = 0; index < WORKERS; index++) {
        workers[index] = (struct worker){.crowd = &crowd, .random = index};
        workers[index].thread =
            transactions_thread_start(crowd.transactions, NULL, index + 1, 0, 0);
        assert_non_null(workers[index].thread);
    }
    unsigned closed = 0;
    for (unsigned index = 0; index < WORKERS; index++)
        assert_int_equal(pthread_create(&threads[index], NULL, work, &workers[index]), 0);
    for (unsigned index = 0; index < WORKERS; index++) {
        pthread_join(threads[index], NULL);
        closed += workers[index].closed;
    }
    struct transactions_counts counts;
    transactions_counts(crowd.transactions, &counts);
    assert_int_equal(counts.cycles, closed);
    assert_int_equal(counts.lost, 0);
    transactions_free(crowd.transactions);
    pthread_mutex_destroy(&crowd.mutex);
    return closed;
}

static void test_at_the_same_time(void **state)
{
    (void)state;
    assert_int_equal(run_crowd(false), 0);
    run_crowd(true); /* how many cycles there are depends on the schedule */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_modify_write),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_two_variables),
        cmocka_unit_test(test_three_transactions),
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_threads_and_synchronization),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_single_operations),
        cmocka_unit_test(test_threads_come_and_go),
        cmocka_unit_test(test_one_report_per_place),
        cmocka_unit_test(test_stamp),
        cmocka_unit_test(test_sweeping),
        cmocka_unit_test(test_full_tables),
        cmocka_unit_test(test_long_way),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
