/*
 * The block engine on scripts. A script is a list of what threads do, each with the thread's digit
 * in front:
 *
 *     1[ 1]      begins, ends a block        1rx 1wx    reads, writes x
 *     1+L 1-L    acquires, releases L        1(L 1)L    the same for reading
 *     1~L        waits on L                  1>2 1<2    starts, joins thread 2
 *     1!s 1?s    releases, acquires a synchronization object
 *
 * Violations are written the same way, in the order that the engine says is possible. A location is
 * the number of the step in the script, from 1.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/blocks.h"

#define THREADS 4
#define VIOLATIONS_MAX 16

struct published {
    struct clock *clock;
    uint64_t segment;
    uint32_t slot;
};

struct stage {
    struct clock_pool pool;
    struct blocks *blocks;
    struct blocks_thread *threads[THREADS];
    struct clock *clocks[THREADS];
    uint64_t segments[THREADS];
    struct published syncs[26];
    struct blocks_violation violations[VIOLATIONS_MAX];
    unsigned count;
    char shown[VIOLATIONS_MAX][64];
};

static void note(void *context, const struct blocks_violation *violation)
{
    struct stage *stage = context;
    assert_true(stage->count < VIOLATIONS_MAX);
    char *text = stage->shown[stage->count];
    for (unsigned i = 0; i < violation->event_count; i++) {
        const struct blocks_event *event = &violation->events[i];
        const struct blocks_transaction *transaction = &violation->transactions[event->transaction];
        *text++ = (char)('0' + transaction->thread);
        *text++ = event->write ? 'w' : 'r';
        *text++ = (char)('a' + event->variable);
        *text++ = ' ';
    }
    text[-1] = '\0';
    stage->violations[stage->count++] = *violation;
}

static struct clock_view view_of(const struct stage *stage, unsigned thread)
{
    return (struct clock_view){
        .base = stage->clocks[thread], .slot = thread, .segment = stage->segments[thread]};
}

static void tell_order(struct stage *stage, unsigned thread)
{
    struct clock_view view = view_of(stage, thread);
    blocks_order(stage->blocks, stage->threads[thread], &view);
}

static void start_thread(struct stage *stage, unsigned thread)
{
    struct clock_view view = view_of(stage, thread);
    stage->threads[thread] = blocks_thread_start(stage->blocks, thread, &view);
    assert_non_null(stage->threads[thread]);
}

static void step(struct stage *stage, const char *token, uint32_t number)
{
    unsigned thread = (unsigned)(token[0] - '0');
    assert_in_range(thread, 1, THREADS - 1);
    if (!stage->threads[thread])
        start_thread(stage, thread);
    struct blocks *blocks = stage->blocks;
    struct blocks_thread *self = stage->threads[thread];
    struct blocks_place place = {.location = number, .stack = number + 1000};
    char name = token[1] == '[' || token[1] == ']' ? '\0' : token[2];
    uint32_t lock = (uint32_t)(name - 'A');
    uint32_t small = (uint32_t)(name - 'a');
    unsigned other = (unsigned)(name - '0');
    struct published *sync = &stage->syncs[small % 26];
    switch (token[1]) {
    case '[':
        blocks_begin(blocks, self, thread * 10, place);
        break;
    case ']':
        blocks_end(blocks, self);
        break;
    case 'r':
    case 'w':
        blocks_access(blocks, self, small, small, token[1] == 'w', place);
        break;
    case '+':
        blocks_acquire(blocks, self, lock, false);
        break;
    case '-':
        blocks_release(blocks, self, lock, false);
        break;
    case '(':
        blocks_acquire(blocks, self, lock, true);
        break;
    case ')':
        blocks_release(blocks, self, lock, true);
        break;
    case '~':
        blocks_wait_end(blocks, self, lock, blocks_wait_begin(blocks, self, lock));
        break;
    case '>':
        clock_join(&stage->pool, &stage->clocks[other], stage->clocks[thread], thread,
                   stage->segments[thread]++);
        start_thread(stage, other);
        tell_order(stage, thread);
        break;
    case '<':
        clock_join(&stage->pool, &stage->clocks[thread], stage->clocks[other], other,
                   stage->segments[other]++);
        tell_order(stage, thread);
        break;
    case '!':
        clock_drop(&stage->pool, sync->clock);
        *sync = (struct published){clock_keep(stage->clocks[thread]), stage->segments[thread]++,
                                   thread};
        tell_order(stage, thread);
        break;
    case '?':
        clock_join(&stage->pool, &stage->clocks[thread], sync->clock, sync->slot, sync->segment);
        tell_order(stage, thread);
        break;
    default:
        fail_msg("step %s", token);
    }
}

static void play(struct stage *stage, const char *script)
{
    uint32_t number = 0;
    char token[8];
    int length;
    while (sscanf(script, "%7s%n", token, &length) == 1) {
        step(stage, token, ++number);
        script += length;
    }
}

static void open_stage(struct stage *stage)
{
    memset(stage, 0, sizeof *stage);
    assert_true(clock_pool_init(&stage->pool));
    struct blocks_options options;
    blocks_options_default(&options);
    options.clocks = &stage->pool;
    options.report = note;
    options.context = stage;
    stage->blocks = blocks_new(&options);
    assert_non_null(stage->blocks);
    for (unsigned i = 0; i < THREADS; i++)
        stage->segments[i] = 1;
}

static void close_stage(struct stage *stage)
{
    for (unsigned i = 0; i < THREADS; i++)
        blocks_thread_end(stage->blocks, stage->threads[i]);
    blocks_free(stage->blocks);
    for (unsigned i = 0; i < THREADS; i++)
        clock_drop(&stage->pool, stage->clocks[i]);
    for (unsigned i = 0; i < 26; i++)
        clock_drop(&stage->pool, stage->syncs[i].clock);
    clock_pool_release(&stage->pool);
}

/* The script gives these violations, separated by "; ", in any order. */
static void expect(const char *script, const char *violations)
{
    struct stage stage;
    open_stage(&stage);
    play(&stage, script);
    unsigned expected = 0;
    bool same = true;
    for (const char *at = violations; *at;) {
        size_t length = strcspn(at, ";");
        bool found = false;
        for (unsigned i = 0; i < stage.count; i++)
            found |= strlen(stage.shown[i]) == length && !memcmp(stage.shown[i], at, length);
        same &= found;
        expected++;
        at += length;
        at += strspn(at, "; ");
    }
    if (!same || expected != stage.count) {
        print_error("%s\nexpected: %s\n", script, violations);
        for (unsigned i = 0; i < stage.count; i++)
            print_error("     got: %s\n", stage.shown[i]);
        fail();
    }
    close_stage(&stage);
}

/*
 * One variable.
 */

static void test_read_write_read(void **state)
{
    (void)state;
    expect("1[ 1rx 1rx 1] 2wx", "1rx 2wx 1rx");
    expect("2wx 1[ 1rx 1rx 1]", "1rx 2wx 1rx");
    /* Held all the time by both, by one, by both but given up in between. */
    expect("1[ 1+L 1rx 1rx 1-L 1] 2+L 2wx 2-L", "");
    expect("1[ 1+L 1rx 1rx 1-L 1] 2wx", "1rx 2wx 1rx");
    expect("1[ 1rx 1rx 1] 2+L 2wx 2-L", "1rx 2wx 1rx");
    expect("1[ 1+L 1rx 1-L 1+L 1rx 1-L 1] 2+L 2wx 2-L", "1rx 2wx 1rx");
    /* A reader, or a write of something else, does not matter. */
    expect("1[ 1rx 1rx 1] 2rx", "");
    expect("1[ 1rx 1rx 1] 2wy", "");
}

static void test_write_read_write(void **state)
{
    (void)state;
    expect("1[ 1wx 1wx 1] 2rx", "1wx 2rx 1wx");
    expect("1[ 1+L 1wx 1wx 1-L 1] 2+L 2rx 2-L", "");
    expect("1[ 1+L 1wx 1-L 1+L 1wx 1-L 1] 2+L 2rx 2-L", "1wx 2rx 1wx");
    /* The reader has written before: it reads what it wrote, or the first violates it. */
    expect("1[ 1+L 1wx 1wx 1-L 1] 2[ 2+L 2wx 2rx 2-L 2]", "");
    expect("1[ 1+L 1wx 1-L 1+L 1wx 1-L 1] 2[ 2+L 2wx 2rx 2-L 2]", "");
}

static void test_read_write_write(void **state)
{
    (void)state;
    expect("1[ 1rx 1wx 1] 2wx", "1rx 2wx 1wx");
    expect("1[ 1+L 1rx 1wx 1-L 1] 2+L 2wx 2-L", "");
    expect("1[ 1+L 1rx 1-L 1+L 1wx 1-L 1] 2+L 2wx 2-L", "1rx 2wx 1wx");
    /* Two increments without a common lock: each can lose the other's. */
    expect("1[ 1rx 1wx 1] 2[ 2rx 2wx 2]", "1rx 2wx 1wx; 2rx 1wx 2wx");
    expect("1[ 1+L 1rx 1-L 1+L 1wx 1-L 1] 2[ 2+L 2rx 2wx 2-L 2]", "1rx 2wx 1wx");
}

static void test_write_write_read(void **state)
{
    (void)state;
    expect("1[ 1wx 1rx 1] 2wx", "1wx 2wx 1rx");
    expect("1[ 1+L 1wx 1rx 1-L 1] 2+L 2wx 2-L", "");
    expect("1[ 1+L 1wx 1-L 1+L 1rx 1-L 1] 2+L 2wx 2-L", "1wx 2wx 1rx");
    /* Only what lies between the read and the write before it counts. */
    expect("1[ 1+L 1wx 1-L 1+L 1wx 1rx 1-L 1] 2+L 2wx 2-L", "");
}

/* Only a final write in the middle makes the earlier read wrong. */
static void test_middle_must_be_final(void **state)
{
    (void)state;
    expect("1[ 1+L 1rx 1-L 1+L 1wx 1-L 1] 2[ 2+L 2wx 2-L 2+L 2wx 2-L 2]",
           "1rx 2wx 1wx; 2wx 1rx 2wx");
    expect("1[ 1+R 1rx 1-R 1wx 1] 2[ 2+R 2wx 2wx 2-R 2]", "1rx 2wx 1wx");
    /* M keeps thread 2 from being done by the time of the write, R the read from coming between. */
    expect("1[ 1+M 1+R 1rx 1-R 1wx 1-M 1] 2[ 2+R 2wx 2+M 2wx 2-M 2-R 2]", "");
}

static void test_locks(void **state)
{
    (void)state;
    /* Another lock does not help; re-entrance does not interrupt. */
    expect("1[ 1+L 1rx 1rx 1-L 1] 2+M 2wx 2-M", "1rx 2wx 1rx");
    expect("1[ 1+L 1+L 1rx 1-L 1+L 1rx 1-L 1-L 1] 2+L 2wx 2-L", "");
    expect("1[ 1+L 1+M 1rx 1-M 1+M 1rx 1-M 1-L 1] 2+M 2wx 2-M", "1rx 2wx 1rx");
    expect("1[ 1+L 1+M 1rx 1-M 1+M 1rx 1-M 1-L 1] 2+M 2+L 2wx 2-L 2-M", "");
    /* Locks held before the block begins, and after it ends. */
    expect("1+L 1[ 1rx 1rx 1] 1-L 2+L 2wx 2-L", "");
    expect("1+L 1[ 1rx 1rx 1] 1-L 2+L 2[ 2wx 2] 2-L", "");
    expect("1+L 1[ 1rx 1-L 1rx 1] 2+L 2wx 2-L", "1rx 2wx 1rx");
    expect("1[ 1+L 1rx 1rx 1] 1-L 2[ 2+L 2wx 2] 2-L", "");
    /* Hand over hand: there is always one of the two. */
    expect("1[ 1+L 1rx 1+M 1-L 1rx 1-M 1] 2+L 2+M 2wx 2-M 2-L", "");
    expect("1[ 1+L 1rx 1+M 1-L 1rx 1-M 1] 2+L 2wx 2-L", "1rx 2wx 1rx");
    /* Readers keep writers out, not each other. */
    expect("1[ 1(L 1rx 1rx 1)L 1] 2+L 2wx 2-L", "");
    expect("1[ 1+L 1rx 1rx 1-L 1] 2(L 2wx 2)L", "");
    expect("1[ 1(L 1rx 1rx 1)L 1] 2(L 2wx 2)L", "1rx 2wx 1rx");
}

/* What could only happen on the way into a deadlock does not happen. */
static void test_deadlock(void **state)
{
    (void)state;
    expect("1[ 1+L 1rx 1+M 1rx 1-M 1-L 1] 2[ 2+M 2wx 2+L 2-L 2-M 2]", "");
    expect("1[ 1+L 1rx 1+M 1rx 1-M 1-L 1] 2[ 2+M 2wx 2-M 2+L 2-L 2]", "1rx 2wx 1rx");
    /* The same when the outer locks are taken before the blocks. */
    expect("1+L 1[ 1rx 1+M 1rx 1-M 1] 1-L 2+M 2[ 2wx 2+L 2-L 2] 2-M", "");
    /* To hold M and have had L, thread 2 must begin after thread 1 has given up L. */
    expect("1+L 1+M 1-M 1[ 1rx 1rx 1] 1-L 2+M 2+L 2-L 2[ 2wx 2] 2-M", "");
    expect("1+L 1+M 1-M 1[ 1rx 1rx 1] 1-L 2+M 2[ 2wx 2] 2-M", "1rx 2wx 1rx");
}

/*
 * Two variables.
 */

static void test_transfer_and_audit(void **state)
{
    (void)state;
    /* Each account under its own lock: the auditor can see the money on neither, or on both. */
    expect("1[ 1+A 1ra 1wa 1-A 1+B 1rb 1wb 1-B 1] 2[ 2+A 2ra 2-A 2+B 2rb 2-B 2]",
           "2ra 1wa 1wb 2rb; 1wa 2ra 2rb 1wb");
    /* One lock around the transfer is not enough, around both is. */
    expect("1[ 1+T 1+A 1ra 1wa 1-A 1+B 1rb 1wb 1-B 1-T 1] 2[ 2+A 2ra 2-A 2+B 2rb 2-B 2]",
           "2ra 1wa 1wb 2rb; 1wa 2ra 2rb 1wb");
    expect("1[ 1+T 1+A 1ra 1wa 1-A 1+B 1rb 1wb 1-B 1-T 1] "
           "2[ 2+T 2+A 2ra 2-A 2+B 2rb 2-B 2-T 2]",
           "");
    /* Both locks during the transfer, but the auditor gives up one before it takes the other. */
    expect("1[ 1+A 1+B 1ra 1wa 1rb 1wb 1-B 1-A 1] 2[ 2+A 2ra 2-A 2+B 2rb 2-B 2]",
           "2ra 1wa 1wb 2rb");
    expect("1[ 1+A 1+B 1ra 1wa 1rb 1wb 1-B 1-A 1] 2[ 2+A 2ra 2+B 2rb 2-B 2-A 2]", "");
}

static void test_two_counters(void **state)
{
    (void)state;
    /* Both set both; in the end one is from each. */
    expect("1[ 1+L 1wx 1-L 1+L 1wy 1-L 1] 2[ 2+L 2wx 2-L 2+L 2wy 2-L 2]",
           "1wx 2wx 2wy 1wy; 2wx 1wx 1wy 2wy");
    expect("1[ 1+L 1wx 1-L 1+L 1wy 1-L 1] 2[ 2+L 2wx 2wy 2-L 2]", "1wx 2wx 2wy 1wy");
    expect("1[ 1+L 1wx 1wy 1-L 1] 2[ 2+L 2wx 2wy 2-L 2]", "");
    /* Each reads what the other writes: both may miss the other. */
    expect("1[ 1rx 1wy 1] 2[ 2ry 2wx 2]", "2ry 1rx 2wx 1wy");
    /* In this order each write would have to come before the read that it comes after. */
    expect("1[ 1wy 1rx 1] 2[ 2wy 2rx 2]", "");
}

/* Only initial reads and final writes say who came first. */
static void test_initial_and_final(void **state)
{
    (void)state;
    /* What thread 1 reads of x it has written itself, in the same breath. */
    expect("1[ 1+L 1wx 1rx 1-L 1+M 1ry 1-M 1] 2[ 2+L 2rz 2-L 2+M 2wy 2-M 2]", "");
    expect("1[ 1+L 1rx 1-L 1+M 1ry 1-M 1] 2[ 2+L 2wx 2-L 2+M 2wy 2-M 2]",
           "1rx 2wx 2wy 1ry; 2wx 1rx 1ry 2wy");
    /* x is written again, at the same time as y: who saw the first write saw a wrong value, but
       nobody can see the new x and the old y. */
    expect("1[ 1+L 1wx 1-L 1+L 1wx 1wy 1-L 1] 2[ 2+L 2rx 2ry 2-L 2]", "1wx 2rx 1wx");
    expect("1[ 1+L 1wx 1wx 1wy 1-L 1] 2[ 2+L 2rx 2ry 2-L 2]", "");
}

/*
 * Order.
 */

static void test_start_and_join(void **state)
{
    (void)state;
    expect("1[ 1rx 1rx 1] 1>2 2wx", "");
    expect("1>2 1[ 1rx 1rx 1] 2wx", "1rx 2wx 1rx");
    expect("1>2 2wx 1<2 1[ 1rx 1rx 1]", "");
    expect("1>2 1>3 2wx 1<2 3[ 3rx 3rx 3]", "3rx 2wx 3rx");
    /* In the middle of a block. */
    expect("1[ 1rx 1>2 1rx 1] 2wx", "1rx 2wx 1rx");
    expect("1[ 1rx 1rx 1>2 1] 2wx", "");
    expect("1[ 1rx 1>2 2wx 1<2 1rx 1]", "1rx 2wx 1rx");
    expect("1[ 1>2 2wx 1<2 1rx 1rx 1]", "");
    expect("1[ 1>2 1rx 1<2 1rx 1] 2wx", "1rx 2wx 1rx");
    /* The block that a thread starts in another's. */
    expect("1[ 1wx 1>2 2[ 2rx 2rx 2] 1wx 1]", "1wx 2rx 1wx; 2rx 1wx 2rx");
    expect("1[ 1wx 1wx 1>2 2[ 2rx 2rx 2] 1]", "");
}

/* What was ordered once need not be later. */
static void test_later_occurrence(void **state)
{
    (void)state;
    expect("1[ 1rx 1rx 1] 1>2 2wx 1[ 1rx 1rx 1]", "1rx 2wx 1rx");
    expect("1wx 1>2 2[ 2rx 2rx 2] 1wx", "2rx 1wx 2rx");
}

static void test_synchronization(void **state)
{
    (void)state;
    expect("1[ 1rx 1rx 1] 1!s 2?s 2wx", "");
    expect("1[ 1rx 1rx 1] 1!s 2wx 2?s", "1rx 2wx 1rx");
    expect("1[ 1rx 1!s 1rx 1] 2?s 2wx", "1rx 2wx 1rx");
    expect("1[ 1rx 1rx 1!s 1] 2[ 2?s 2wx 2]", "");
    expect("1[ 1rx 1rx 1!s 1] 2[ 2wx 2?s 2]", "1rx 2wx 1rx");
    /* Handed over again and again. */
    expect("1[ 1rx 1rx 1] 1!s 2?s 2wx 2!t 1?t 1[ 1rx 1rx 1] 1!s 2?s 2wx", "");
}

/*
 * Transactions.
 */

static void test_nesting(void **state)
{
    (void)state;
    expect("1[ 1rx 1[ 1ry 1] 1rx 1] 2wx", "1rx 2wx 1rx");
    expect("1[ 1rx 1] 1[ 1rx 1] 2wx", "");
    expect("1rx 1rx 2wx", "");
    /* The same thread does not disturb itself. */
    expect("1[ 1rx 1rx 1] 1wx", "");
    /* An end without a begin is nothing. */
    expect("1] 1rx 1] 1rx 2wx", "");
}

static void test_wait(void **state)
{
    (void)state;
    expect("1[ 1+L 1rx 1~L 1rx 1-L 1] 2+L 2wx 2-L", "");
    expect("1[ 1+L 1rx 1~L 1rx 1-L 1+L 1rx 1-L 1] 2+L 2wx 2-L", "1rx 2wx 1rx");
    expect("1[ 1+L 1rx 1-L 1+L 1rx 1~L 1rx 1-L 1] 2+L 2wx 2-L", "1rx 2wx 1rx");
    /* However often it was entered, it is given up and taken again. */
    expect("1[ 1+L 1+L 1~L 1rx 1-L 1rx 1-L 1] 2+L 2wx 2-L", "");
    /* Who does not hold it does not wait. */
    expect("1[ 1rx 1~L 1rx 1] 2wx", "1rx 2wx 1rx");
}

static void test_equal_transactions(void **state)
{
    (void)state;
    struct stage stage;
    open_stage(&stage);
    struct clock_view views[2] = {{.slot = 1, .segment = 1}, {.slot = 2, .segment = 1}};
    for (unsigned i = 0; i < 2; i++)
        stage.threads[i + 1] = blocks_thread_start(stage.blocks, i + 1, &views[i]);
    for (unsigned turn = 0; turn < 1000; turn++) {
        struct blocks_thread *thread = stage.threads[1 + turn % 2];
        blocks_begin(stage.blocks, thread, 7, (struct blocks_place){.location = 1});
        blocks_access(stage.blocks, thread, 5, 5, false, (struct blocks_place){.location = 2});
        blocks_access(stage.blocks, thread, 5, 5, true, (struct blocks_place){.location = 3});
        blocks_end(stage.blocks, thread);
    }
    /* Stored once, compared once, reported once; most ends are recognized at once. */
    struct blocks_counts counts;
    blocks_counts(stage.blocks, &counts);
    assert_int_equal(stage.count, 1);
    assert_string_equal(stage.shown[0], "2rf 1wf 2wf");
    assert_int_equal(counts.shapes, 1);
    assert_int_equal(counts.compared, 1);
    assert_int_equal(counts.violations, 1);
    assert_int_equal(counts.transactions, 1000);
    assert_int_equal(counts.repeated, 998);
    close_stage(&stage);
}

/* What a report shows. */
static void test_report(void **state)
{
    (void)state;
    struct stage stage;
    open_stage(&stage);
    play(&stage, "1[ 1+K 1+L 1rx 1-L 1+L 1wx 1-L 1-K 1] 2ry 2+M 2+L 2wx 2-L 2-M");
    assert_int_equal(stage.count, 1);
    const struct blocks_violation *violation = &stage.violations[0];
    assert_int_equal(violation->pattern, BLOCKS_READ_WRITE_WRITE);
    assert_int_equal(violation->event_count, 3);
    static const uint32_t locations[3] = {4, 14, 7};
    static const char *const held[3] = {"KL", "LM", "KL"};
    for (unsigned i = 0; i < 3; i++) {
        const struct blocks_event *event = &violation->events[i];
        assert_int_equal(event->transaction, i == 1);
        assert_int_equal(event->place.location, locations[i]);
        assert_int_equal(event->place.stack, locations[i] + 1000);
        assert_int_equal(event->variable, 'x' - 'a');
        assert_int_equal(event->write, i > 0);
        assert_int_equal(event->held.count, 2);
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(event->held.locks[k], held[i][k] - 'A');
    }
    const struct blocks_transaction *block = &violation->transactions[0];
    assert_int_equal(block->thread, 1);
    assert_int_equal(block->block, 10);
    assert_int_equal(block->number, 1);
    assert_int_equal(block->entered.location, 1);
    assert_int_equal(block->between.count, 1);
    assert_int_equal(block->between.locks[0], 'K' - 'A');
    assert_int_equal(violation->transactions[1].thread, 2);
    assert_int_equal(violation->transactions[1].block, 0);
    assert_int_equal(violation->transactions[1].number, 2);
    assert_int_equal(violation->transactions[1].entered.location, 14);
    close_stage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_write_read),
        cmocka_unit_test(test_write_read_write),
        cmocka_unit_test(test_read_write_write),
        cmocka_unit_test(test_write_write_read),
        cmocka_unit_test(test_middle_must_be_final),
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_transfer_and_audit),
        cmocka_unit_test(test_two_counters),
        cmocka_unit_test(test_initial_and_final),
        cmocka_unit_test(test_start_and_join),
        cmocka_unit_test(test_later_occurrence),
        cmocka_unit_test(test_synchronization),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_wait),
        cmocka_unit_test(test_equal_transactions),
        cmocka_unit_test(test_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
