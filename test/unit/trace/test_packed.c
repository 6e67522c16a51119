/* Events that are stored many at a time, and those that a thread keeps elsewhere for a while. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "trace/trace_coder.h"
#include "trace_support.h"

enum { EVENTS = 30000, SITES = 50 };

SUPPORT_FOLDER

static struct trace_writer *new_writer(const char *path, size_t block_bytes, uint64_t idle_events)
{
    const struct trace_writer_options options = {block_bytes, idle_events};
    struct problem problem;
    problem_clear(&problem);
    struct trace_writer *writer =
        trace_writer_new(open(path, O_RDWR | O_CREAT | O_TRUNC, 0600), &options, &problem);
    assert_non_null(writer);
    support_trace_names(writer, 2);
    return writer;
}

static void close_writer(struct trace_writer *writer, uint64_t events)
{
    struct trace_writer_counts counts;
    struct problem problem;
    problem_clear(&problem);
    assert_true(trace_writer_close(writer, &counts, &problem));
    assert_int_equal(counts.events, events);
    assert_int_equal(counts.dropped, 0);
}

static const unsigned packable[] = {TRACE_READ,          TRACE_WRITE,        TRACE_ACQUIRE,
                                    TRACE_RELEASE,       TRACE_BEGIN,        TRACE_END,
                                    TRACE_PACKED_UPDATE, TRACE_PACKED_ENTER, TRACE_PACKED_LEAVE};
enum { PACKABLE = sizeof packable / sizeof packable[0] };

/* Regular stretches and others, as programs have them. */
static void fill(uint64_t *packed, struct trace_site *sites, uint64_t *random)
{
    for (size_t i = 0; i < SITES; i++) {
        atomic_store(&sites[i].location, (uint32_t)(support_random(random) % SUPPORT_NUMBERS));
        atomic_store(&sites[i].stack, (uint32_t)(support_random(random) % SUPPORT_NUMBERS));
        atomic_store(&sites[i].block, (uint32_t)(1 + support_random(random) % SUPPORT_NUMBERS));
    }
    for (size_t i = 0; i < EVENTS; i++) {
        const bool regular = i / 1000 % 2;
        const uint64_t site = regular ? i % PACKABLE : support_random(random) % SITES;
        const uint64_t kind = packable[(regular ? site : support_random(random)) % PACKABLE];
        const uint64_t target =
            1 + (regular ? i : support_random(random)) % (uint64_t)SUPPORT_NUMBERS;
        packed[i] = target << 32 | site << 4 | kind;
    }
}

/* How many events it is. */
static unsigned count_parts(uint64_t packed)
{
    const unsigned code = packed & 15;
    return code >= TRACE_PACKED_UPDATE && code <= TRACE_PACKED_LEAVE ? 2 : 1;
}

static enum trace_kind kind_of_part(unsigned code, unsigned part)
{
    switch (code) {
    case TRACE_PACKED_UPDATE:
        return part ? TRACE_WRITE : TRACE_READ;
    case TRACE_PACKED_ENTER:
        return part ? TRACE_ACQUIRE : TRACE_BEGIN;
    case TRACE_PACKED_LEAVE:
        return part ? TRACE_END : TRACE_RELEASE;
    default:
        return (enum trace_kind)code;
    }
}

static void check(const char *path, const uint64_t *packed, const struct trace_site *sites)
{
    struct trace_source source;
    struct trace_event event = {0};
    assert_true(trace_open(&source, path));
    for (size_t i = 0; i < EVENTS; i++) {
        const struct trace_site *site = &sites[packed[i] >> 4 & 0x0FFFFFFF];
        const unsigned code = packed[i] & 15;
        const uint32_t location = atomic_load(&site->location);
        for (unsigned part = 0; part < count_parts(packed[i]); part++) {
            const enum trace_kind kind = kind_of_part(code, part);
            const bool block = kind == TRACE_BEGIN || kind == TRACE_END;
            /* That of the names: a block has the number of its location, which is a monitor of the
               block before. */
            const bool joined = block && code != (unsigned)kind;
            const uint32_t before = location ? location - 1 : 0;
            assert_int_equal(trace_next(&source, &event), TRACE_EVENT);
            assert_int_equal(event.thread, 1);
            assert_int_equal(event.kind, kind);
            assert_int_equal(event.target, joined  ? before
                                           : block ? atomic_load(&site->block)
                                                   : packed[i] >> 32);
            assert_int_equal(event.location, joined ? before : location);
            assert_int_equal(event.stack, kind == TRACE_END ? 0 : atomic_load(&site->stack));
        }
    }
    assert_int_equal(trace_next(&source, &event), TRACE_FINISHED);
    trace_close(&source);
}

static size_t count_events(const uint64_t *packed)
{
    size_t count = 0;
    for (size_t i = 0; i < EVENTS; i++)
        count += count_parts(packed[i]);
    return count;
}

/* Many at a time; now and then one alone, as an event. */
static size_t put_some(struct trace_stream *stream, uint64_t *sequence, const uint64_t *packed,
                       size_t count, const struct trace_site *sites, uint64_t *random)
{
    if ((packed[0] & 15) == TRACE_PACKED_JUMP || support_random(random) % 3) {
        assert_int_equal(trace_stream_packed(stream, sequence, packed, count, sites), count);
        return count;
    }
    const struct trace_event event = trace_packed_event(packed[0], sites);
    trace_stream_event(stream, *sequence, &event);
    *sequence += trace_kind_events(event.kind);
    return 1;
}

/* With jumps between them, small ones and large ones: how many numbers. */
static size_t add_jumps(uint64_t *to, const uint64_t *packed, uint64_t *random)
{
    uint64_t group = 0;
    size_t count = 0;
    for (size_t i = 0; i < EVENTS; i++) {
        if (i % 1000 == 0 || support_random(random) % 10 == 0) {
            group += 1 + support_random(random) % (support_random(random) % 10 ? 3 : 1000000);
            to[count++] = group << 4 | TRACE_PACKED_JUMP;
        }
        to[count++] = packed[i];
    }
    return count;
}

static void packed_events_are_read_as_events(void **state)
{
    (void)state;
    static uint64_t packed[EVENTS], jumping[2 * EVENTS];
    static struct trace_site sites[SITES];
    static const size_t sizes[] = {64, 500, 1 << 16};
    uint64_t random = 5;
    for (size_t round = 0; round < 6; round++) {
        const char *path = support_path(&folder, "trace");
        struct trace_writer *writer = new_writer(path, sizes[round % 3], 0);
        struct trace_stream *stream = trace_stream_open(writer, 1);
        fill(packed, sites, &random);
        const size_t all = add_jumps(jumping, packed, &random);
        uint64_t sequence = 1;
        for (size_t i = 0; i < all;) {
            size_t count = 1 + support_random(&random) % (support_random(&random) % 2 ? 2500 : 20);
            if (count > all - i)
                count = all - i;
            i += put_some(stream, &sequence, jumping + i, count, sites, &random);
        }
        close_writer(writer, count_events(packed));
        check(path, packed, sites);
    }
}

/* What others did in between has the numbers in between. */
static void a_jump_gives_the_next_number(void **state)
{
    (void)state;
    static struct trace_site sites[1];
    const uint64_t packed[] = {5u << 4 | TRACE_PACKED_JUMP, 1ull << 32, 2ull << 32,
                               7u << 4 | TRACE_PACKED_JUMP, 4ull << 32};
    const struct trace_event event = {.target = 3, .kind = TRACE_READ};
    const char *path = support_path(&folder, "trace");
    struct trace_writer *writer = new_writer(path, 500, 0);
    struct trace_stream *stream = trace_stream_open(writer, 1);
    struct trace_stream *other = trace_stream_open(writer, 2);
    uint64_t sequence = 1;
    assert_int_equal(trace_stream_packed(stream, &sequence, packed, 5, sites), 5);
    assert_int_equal(sequence, (7 << TRACE_PACKED_JUMP_BITS) + 1);
    trace_stream_event(other, 6 << TRACE_PACKED_JUMP_BITS, &event);
    close_writer(writer, 4);
    struct trace_source source;
    struct trace_event read = {0};
    assert_true(trace_open(&source, path));
    for (uint32_t i = 1; i <= 4; i++) {
        assert_int_equal(trace_next(&source, &read), TRACE_EVENT);
        assert_int_equal(read.target, i);
        assert_int_equal(read.thread, i == 3 ? 2 : 1);
    }
    trace_close(&source);
}

static void packed_events_end_at_anything_else(void **state)
{
    (void)state;
    static struct trace_site sites[1];
    const uint64_t packed[] = {1ull << 32, 2ull << 32 | TRACE_WRITE, 3ull << 32 | TRACE_FORK,
                               4ull << 32, 1ull << 56 | TRACE_PACKED_JUMP};
    struct trace_writer *writer = new_writer(support_path(&folder, "trace"), 500, 0);
    struct trace_stream *stream = trace_stream_open(writer, 1);
    uint64_t sequence = 1;
    assert_int_equal(trace_stream_packed(stream, &sequence, packed, 5, sites), 2);
    assert_int_equal(trace_stream_packed(stream, &sequence, packed + 2, 3, sites), 0);
    assert_int_equal(trace_stream_packed(stream, &sequence, packed + 3, 2, sites), 1);
    assert_int_equal(sequence, 4);
    close_writer(writer, 3);
}

static void check_varint(uint32_t value)
{
    uint8_t one[16] = {0}, other[16] = {0};
    const size_t size = (size_t)(trace_coder_varint(one, value) - one);
    assert_int_equal(trace_coder_varint32(other, value) - other, size);
    assert_memory_equal(one, other, size);
}

static void both_ways_to_write_a_number_are_the_same(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (unsigned bit = 0; bit < 32; bit++) {
        check_varint((UINT32_C(1) << bit) - 1);
        check_varint(UINT32_C(1) << bit);
        for (unsigned i = 0; i < 100; i++)
            check_varint((uint32_t)support_random(&random) >> bit);
    }
    check_varint(UINT32_MAX);
}

/* A thread that has kept ten events, with the numbers 1 to 10. */
struct keeper {
    struct trace_stream *stream;
    bool still;
    unsigned asked;
    uint64_t kept;
};

static bool collect(void *context)
{
    struct keeper *keeper = context;
    const struct trace_event event = {0, 1, 1, 0, TRACE_WRITE};
    keeper->asked++;
    if (!keeper->still)
        return false;
    for (uint64_t i = 1; i <= keeper->kept; i++)
        trace_stream_event(keeper->stream, i, &event);
    keeper->kept = 0;
    return true;
}

static size_t count_usable(const char *path)
{
    struct trace_source source;
    struct trace_event event = {0};
    assert_true(trace_open(&source, path));
    while (trace_next(&source, &event) == TRACE_EVENT)
        ;
    const size_t count = (size_t)trace_delivered(&source);
    trace_close(&source);
    return count;
}

static size_t usable_with_keeper(struct keeper *keeper, size_t block_bytes, uint64_t kept)
{
    const char *path = support_path(&folder, "trace");
    struct trace_writer *writer = new_writer(path, block_bytes, 100);
    *keeper = (struct keeper){trace_stream_open(writer, 1), keeper->still, 0, kept};
    struct trace_stream *other = trace_stream_open(writer, 2);
    const struct trace_event event = {0, 1, 1, 0, TRACE_READ};
    trace_stream_set_collector(keeper->stream, collect, keeper);
    trace_stream_pause(keeper->stream);
    for (uint64_t i = kept + 1; i <= 20000; i++)
        trace_stream_event(other, i, &event);
    const size_t usable = count_usable(path);
    trace_stream_resume(keeper->stream);
    keeper->still = true;
    collect(keeper);
    close_writer(writer, 20000);
    assert_int_equal(count_usable(path), 20000);
    return usable;
}

static void what_a_thread_keeps_is_collected(void **state)
{
    (void)state;
    struct keeper keeper = {.still = true};
    assert_in_range(usable_with_keeper(&keeper, 500, 10), 15000, 20000);
    /* More than a block. */
    keeper.still = true;
    assert_in_range(usable_with_keeper(&keeper, 100, 3000), 15000, 20000);
    /* Nothing, but nobody knows that without asking; once is enough. */
    keeper.still = true;
    assert_in_range(usable_with_keeper(&keeper, 500, 0), 15000, 20000);
    assert_int_equal(keeper.asked, 2);
    /* It may be about to tell of an event. */
    keeper.still = false;
    assert_int_equal(usable_with_keeper(&keeper, 500, 10), 0);
    assert_true(keeper.asked > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_events_are_read_as_events),
        cmocka_unit_test(a_jump_gives_the_next_number),
        cmocka_unit_test(packed_events_end_at_anything_else),
        cmocka_unit_test(both_ways_to_write_a_number_are_the_same),
        cmocka_unit_test(what_a_thread_keeps_is_collected),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
