/*
 * What the block engine does when there is too much of something: violations may be missed, none is
 * invented, nothing grows without bound, and the counts say so.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "engine/blocks.h"
#include "support.h"

struct stage {
    struct blocks_options options;
    struct blocks *blocks;
    struct blocks_thread *threads[20];
    atomic_uint count;
    struct blocks_violation last;
};

static void note(void *context, const struct blocks_violation *violation)
{
    struct stage *stage = context;
    atomic_fetch_add(&stage->count, 1);
    stage->last = *violation;
}

static void prepare(struct stage *stage)
{
    memset(stage, 0, sizeof *stage);
    blocks_options_default(&stage->options);
    stage->options.shapes = 64;
    stage->options.report = note;
    stage->options.context = stage;
}

static bool open_stage(struct stage *stage, unsigned threads)
{
    stage->blocks = blocks_new(&stage->options);
    for (unsigned i = 0; i < threads && stage->blocks; i++) {
        struct clock_view view = {.slot = i, .segment = 1};
        stage->threads[i] = blocks_thread_start(stage->blocks, i + 1, &view);
        if (!stage->threads[i])
            return false;
    }
    return stage->blocks != NULL;
}

static void close_stage(struct stage *stage)
{
    for (unsigned i = 0; i < 20; i++)
        blocks_thread_end(stage->blocks, stage->threads[i]);
    blocks_free(stage->blocks);
}

static void begin(struct stage *stage, unsigned thread)
{
    blocks_begin(stage->blocks, stage->threads[thread], 1, (struct blocks_place){.location = 1});
}

static void end(struct stage *stage, unsigned thread)
{
    blocks_end(stage->blocks, stage->threads[thread]);
}

static void touch(struct stage *stage, unsigned thread, uint64_t variable, bool write)
{
    struct blocks_place place = {.location = write ? 3 : 2};
    blocks_access(stage->blocks, stage->threads[thread], variable, 1, write, place);
}

static void acquire(struct stage *stage, unsigned thread, uint32_t lock)
{
    blocks_acquire(stage->blocks, stage->threads[thread], lock, false);
}

static void release(struct stage *stage, unsigned thread, uint32_t lock)
{
    blocks_release(stage->blocks, stage->threads[thread], lock, false);
}

static struct blocks_counts counts_of(struct stage *stage)
{
    struct blocks_counts counts;
    blocks_counts(stage->blocks, &counts);
    return counts;
}

/* A loop in a transaction takes the same room however often it runs, with locks in it or not. */
static void test_loops(void **state)
{
    (void)state;
    for (unsigned locked = 0; locked < 3; locked++) {
        struct stage stage;
        prepare(&stage);
        stage.options.steps = 48;
        assert_true(open_stage(&stage, 2));
        for (unsigned passes = 10; passes <= 1000; passes *= 10) {
            begin(&stage, 0);
            for (unsigned i = 0; i < passes; i++) {
                for (uint32_t lock = 0; lock < locked; lock++) {
                    acquire(&stage, 0, lock);
                    touch(&stage, 0, lock, false);
                    touch(&stage, 0, lock, true);
                    release(&stage, 0, lock);
                }
                if (!locked) {
                    touch(&stage, 0, 0, false);
                    touch(&stage, 0, 0, true);
                }
            }
            end(&stage, 0);
        }
        struct blocks_counts counts = counts_of(&stage);
        assert_int_equal(counts.transactions, 3);
        assert_int_equal(counts.shapes, 1);
        assert_int_equal(counts.cut, 0);
        /* Between two passes is room for another thread's write. */
        acquire(&stage, 1, 0);
        touch(&stage, 1, 0, true);
        release(&stage, 1, 0);
        assert_true(stage.count > 0);
        close_stage(&stage);
    }
}

/* Many accesses between two lock operations. */
static void test_long_segment(void **state)
{
    (void)state;
    struct stage stage;
    prepare(&stage);
    stage.options.steps = 32;
    assert_true(open_stage(&stage, 2));
    begin(&stage, 0);
    acquire(&stage, 0, 0);
    for (unsigned i = 0; i < 10000; i++)
        touch(&stage, 0, i % 3, i > 5000 && i % 2);
    release(&stage, 0, 0);
    acquire(&stage, 0, 0);
    touch(&stage, 0, 9, true);
    release(&stage, 0, 0);
    end(&stage, 0);
    assert_int_equal(counts_of(&stage).cut, 0);
    /* Under the same lock nothing can come in between. */
    acquire(&stage, 1, 0);
    touch(&stage, 1, 1, true);
    release(&stage, 1, 0);
    assert_int_equal(stage.count, 0);
    touch(&stage, 1, 1, true);
    assert_true(stage.count > 0);
    close_stage(&stage);
}

/* A transaction that is too long is judged as far as it was kept; its last known write need not be
   its last. */
static void test_cut(void **state)
{
    (void)state;
    struct stage stage;
    prepare(&stage);
    stage.options.steps = 16;
    assert_true(open_stage(&stage, 3));
    begin(&stage, 0);
    touch(&stage, 0, 100, true);
    touch(&stage, 0, 200, false);
    touch(&stage, 0, 200, false);
    for (unsigned i = 0; i < 100; i++)
        touch(&stage, 0, i, false);
    touch(&stage, 0, 100, true);
    end(&stage, 0);
    assert_int_equal(counts_of(&stage).cut, 1);
    begin(&stage, 1);
    touch(&stage, 1, 100, false);
    touch(&stage, 1, 100, true);
    end(&stage, 1);
    assert_int_equal(stage.count, 0);
    touch(&stage, 2, 200, true);
    assert_int_equal(stage.count, 1);
    assert_int_equal(stage.last.pattern, BLOCKS_READ_WRITE_READ);
    close_stage(&stage);
}

static void test_eviction(void **state)
{
    (void)state;
    struct stage stage;
    prepare(&stage);
    stage.options.bytes = 40000;
    assert_true(open_stage(&stage, 2));
    for (unsigned i = 0; i < 10000; i++) {
        begin(&stage, 0);
        touch(&stage, 0, i, false);
        touch(&stage, 0, i, true);
        end(&stage, 0);
        struct blocks_counts counts = counts_of(&stage);
        assert_true(counts.shapes <= 64);
        assert_true(counts.bytes <= 44000);
    }
    struct blocks_counts counts = counts_of(&stage);
    assert_int_equal(counts.evicted + counts.shapes, 10000);
    assert_int_equal(stage.count, 0);
    /* What is still there is compared, what is forgotten is not. */
    touch(&stage, 1, 1, true);
    assert_int_equal(stage.count, 0);
    touch(&stage, 1, 9999, true);
    assert_int_equal(stage.count, 1);
    close_stage(&stage);
}

/* A thread that repeats what it did must not rely on it when it has been forgotten. */
static void test_repeated_after_eviction(void **state)
{
    (void)state;
    struct stage stage;
    prepare(&stage);
    assert_true(open_stage(&stage, 2));
    for (unsigned round = 0; round < 3; round++) {
        begin(&stage, 0);
        touch(&stage, 0, 7, false);
        touch(&stage, 0, 7, false);
        end(&stage, 0);
        for (unsigned i = 1000; i < 2000 && round < 2; i++)
            touch(&stage, 0, i, true);
    }
    touch(&stage, 1, 7, true);
    assert_int_equal(stage.count, 1);
    close_stage(&stage);
}

static void test_many_threads(void **state)
{
    (void)state;
    struct stage stage;
    prepare(&stage);
    stage.options.threads_per_shape = 4;
    stage.options.shapes_per_variable = 4;
    assert_true(open_stage(&stage, 20));
    for (unsigned thread = 0; thread < 20; thread++) {
        begin(&stage, thread);
        acquire(&stage, thread, 0);
        touch(&stage, thread, 0, false);
        touch(&stage, thread, 0, true);
        release(&stage, thread, 0);
        touch(&stage, thread, 1000, false); /* or else the lock says that nothing is to compare */
        end(&stage, thread);
    }
    struct blocks_counts counts = counts_of(&stage);
    assert_int_equal(counts.shapes, 1);
    assert_int_equal(counts.forgotten, 16);
    assert_int_equal(counts.compared, 1);
    assert_int_equal(stage.count, 0);
    /* Many different transactions for one variable. */
    for (uint32_t lock = 1; lock < 20; lock++) {
        acquire(&stage, 1, lock);
        touch(&stage, 1, 0, false);
        release(&stage, 1, lock);
    }
    assert_int_equal(counts_of(&stage).unlinked, 16);
    close_stage(&stage);
}

static void test_many_locks(void **state)
{
    (void)state;
    struct stage stage;
    prepare(&stage);
    assert_true(open_stage(&stage, 2));
    touch(&stage, 1, 0, true);
    for (uint32_t lock = 0; lock < 100; lock++)
        acquire(&stage, 0, lock);
    begin(&stage, 0);
    touch(&stage, 0, 0, false);
    touch(&stage, 0, 0, false);
    end(&stage, 0);
    assert_int_equal(stage.count, 0);
    assert_int_equal(counts_of(&stage).unjudged, 1);
    for (uint32_t lock = 100; lock-- > 0;)
        release(&stage, 0, lock);
    assert_int_equal(counts_of(&stage).unbalanced, 0);
    begin(&stage, 0);
    touch(&stage, 0, 0, false);
    touch(&stage, 0, 0, false);
    end(&stage, 0);
    assert_int_equal(stage.count, 1);
    release(&stage, 0, 5);
    assert_int_equal(counts_of(&stage).unbalanced, 1);
    close_stage(&stage);
}

/* Locks that come and go while another is held all the time. */
static void test_long_held_lock(void **state)
{
    (void)state;
    struct stage stage;
    prepare(&stage);
    assert_true(open_stage(&stage, 2));
    touch(&stage, 1, 0, true);
    acquire(&stage, 0, 1000);
    for (uint32_t lock = 0; lock < 100; lock++) {
        acquire(&stage, 0, lock);
        release(&stage, 0, lock);
    }
    for (unsigned turn = 0; turn < 2; turn++) {
        begin(&stage, 0);
        touch(&stage, 0, 0, false);
        touch(&stage, 0, 0, false);
        end(&stage, 0);
        assert_int_equal(stage.count, turn);
        assert_int_equal(counts_of(&stage).unjudged, 1);
        if (turn == 0)
            release(&stage, 0, 1000);
    }
    close_stage(&stage);
}

/* Thread 0 writes the variable 0 under two locks. */
static void write_under(struct stage *stage, uint32_t outer, uint32_t inner)
{
    acquire(stage, 0, outer);
    acquire(stage, 0, inner);
    touch(stage, 0, 0, true);
    release(stage, 0, inner);
    release(stage, 0, outer);
}

/* A block of thread 1 reads it twice under the lock 0. */
static void read_twice(struct stage *stage, bool shared)
{
    begin(stage, 1);
    blocks_acquire(stage->blocks, stage->threads[1], 0, shared);
    touch(stage, 1, 0, false);
    touch(stage, 1, 0, false);
    blocks_release(stage->blocks, stage->threads[1], 0, shared);
    end(stage, 1);
}

/* Where one lock is held for all accesses, no pair is compared, nor counted as work; who holds
   another one, or the same only shared, still is found. */
static void test_guarded(void **state)
{
    (void)state;
    struct stage stage;
    prepare(&stage);
    stage.options.pairs = 1;
    assert_true(open_stage(&stage, 2));
    touch(&stage, 0, 0, true); /* without a lock, and the last that is looked at */
    for (unsigned i = 0; i < 20; i++)
        write_under(&stage, 0, i + 1);
    read_twice(&stage, false);
    assert_int_equal(counts_of(&stage).compared, 1);
    assert_int_equal(stage.count, 1);
    close_stage(&stage);

    /* All have a lock in common but the last of them. */
    prepare(&stage);
    assert_true(open_stage(&stage, 2));
    for (unsigned i = 0; i < 20; i++)
        write_under(&stage, i < 19 ? 0 : 1, i + 2);
    read_twice(&stage, false);
    assert_int_equal(counts_of(&stage).compared, 1);
    assert_int_equal(stage.count, 1);
    close_stage(&stage);

    /* Two readers' parts of a lock exclude nobody. */
    prepare(&stage);
    assert_true(open_stage(&stage, 2));
    blocks_acquire(stage.blocks, stage.threads[0], 0, true);
    touch(&stage, 0, 0, true);
    blocks_release(stage.blocks, stage.threads[0], 0, true);
    read_twice(&stage, true);
    assert_int_equal(stage.count, 1);
    close_stage(&stage);
}

/* Work that is left for the next time is done then. */
static void test_work(void **state)
{
    (void)state;
    /* Newest first: the one without locks is the last that is looked at. */
    struct stage stage;
    prepare(&stage);
    stage.options.pairs = 2;
    assert_true(open_stage(&stage, 2));
    touch(&stage, 0, 0, true);
    for (unsigned i = 0; i < 10; i++)
        write_under(&stage, 0, i + 1);
    for (unsigned turn = 0; turn < 6; turn++) {
        assert_int_equal(stage.count, 0);
        begin(&stage, 1);
        acquire(&stage, 1, 0);
        touch(&stage, 1, 0, false);
        touch(&stage, 1, 0, false);
        release(&stage, 1, 0);
        touch(&stage, 1, 1000, false); /* or else the lock says that nothing is to compare */
        end(&stage, 1);
    }
    assert_int_equal(stage.count, 1);
    assert_int_equal(counts_of(&stage).compared, 11);
    assert_int_equal(counts_of(&stage).postponed, 9 + 7 + 5 + 3 + 1);
    close_stage(&stage);
}

static void test_undecided(void **state)
{
    (void)state;
    struct stage stage;
    prepare(&stage);
    stage.options.cells = 4;
    assert_true(open_stage(&stage, 2));
    touch(&stage, 0, 0, true);
    begin(&stage, 1);
    touch(&stage, 1, 0, false);
    touch(&stage, 1, 0, false);
    end(&stage, 1);
    assert_int_equal(stage.count, 0);
    assert_int_equal(counts_of(&stage).undecided, 1);
    close_stage(&stage);
}

static bool run_without_memory(void *context)
{
    struct stage *stage = context;
    prepare(stage);
    bool opened = open_stage(stage, 2);
    if (opened) {
        for (unsigned turn = 0; turn < 4; turn++) {
            begin(stage, turn % 2);
            for (unsigned i = 0; i < 60; i++) {
                acquire(stage, turn % 2, i);
                touch(stage, turn % 2, i % 30, turn == 3);
                release(stage, turn % 2, i);
            }
            end(stage, turn % 2);
        }
    }
    bool succeeded = opened && stage->count > 0 && counts_of(stage).cut == 0;
    close_stage(stage);
    return succeeded;
}

/* Whichever request fails, nothing breaks and nothing leaks, and a violation that is found is one.
   (Some requests can be done without, so success is not the end.) */
static void test_no_memory(void **state)
{
    (void)state;
    struct stage stage;
    unsigned failed = 0;
    for (long request = 0; request < 100; request++) {
        memory_fail_after(request);
        failed += !run_without_memory(&stage);
        memory_fail_after(-1);
    }
    assert_in_range(failed, 20, 80);
    assert_true(run_without_memory(&stage));
}

/*
 * All threads at once.
 */

struct worker {
    struct stage *stage;
    unsigned thread;
};

static void *work(void *context)
{
    struct worker *worker = context;
    struct stage *stage = worker->stage;
    for (unsigned i = 0; i < 20000; i++) {
        begin(stage, worker->thread);
        uint32_t account = i * 7 % 100;
        acquire(stage, worker->thread, account);
        touch(stage, worker->thread, account, false);
        touch(stage, worker->thread, account, true);
        release(stage, worker->thread, account);
        end(stage, worker->thread);
        touch(stage, worker->thread, 1000 + worker->thread, true);
    }
    return NULL;
}

static void test_at_once(void **state)
{
    (void)state;
    struct stage stage;
    prepare(&stage);
    assert_true(open_stage(&stage, 4));
    pthread_t handles[4];
    struct worker workers[4];
    for (unsigned i = 0; i < 4; i++) {
        workers[i] = (struct worker){&stage, i};
        assert_int_equal(pthread_create(&handles[i], NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++)
        pthread_join(handles[i], NULL);
    assert_int_equal(stage.count, 0);
    assert_int_equal(counts_of(&stage).transactions, 4 * 2 * 20000);
    /* And with all of that behind it, it still finds something. */
    touch(&stage, 0, 5, true);
    begin(&stage, 1);
    touch(&stage, 1, 5, false);
    touch(&stage, 1, 5, true);
    end(&stage, 1);
    assert_true(stage.count > 0);
    close_stage(&stage);
}

static void test_no_thread(void **state)
{
    (void)state;
    struct stage stage;
    prepare(&stage);
    assert_true(open_stage(&stage, 0));
    struct clock_view view = {.slot = 1, .segment = 1};
    blocks_order(stage.blocks, NULL, &view);
    begin(&stage, 0);
    acquire(&stage, 0, 1);
    touch(&stage, 0, 1, true);
    blocks_wait_end(stage.blocks, NULL, 1, blocks_wait_begin(stage.blocks, NULL, 1));
    release(&stage, 0, 1);
    end(&stage, 0);
    assert_int_equal(counts_of(&stage).transactions, 0);
    close_stage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_long_segment),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_eviction),
        cmocka_unit_test(test_repeated_after_eviction),
        cmocka_unit_test(test_many_threads),
        cmocka_unit_test(test_many_locks),
        cmocka_unit_test(test_long_held_lock),
        cmocka_unit_test(test_guarded),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_undecided),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_at_once),
        cmocka_unit_test(test_no_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
