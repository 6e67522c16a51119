#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "trace/trace_format.h"
#include "trace_support.h"

/* Recorded traces that were cut or changed. The places of fields are those of trace_format.h. */

enum { THREADS = 3 };

static struct support_folder folder;
static struct support_trace trace;
static uint8_t *good;
static size_t good_size;

static int record(void **state)
{
    (void)state;
    support_folder_make(&folder);
    uint64_t random = 21;
    support_trace_random(&trace, 300, THREADS, &random);
    const char *path = support_path(&folder, "good");
    support_trace_record(path, 150, &trace, THREADS);
    good = support_read(path, &good_size);
    return 0;
}

static int forget(void **state)
{
    (void)state;
    free(good);
    support_trace_free(&trace);
    support_folder_remove(&folder);
    return 0;
}

static uint64_t number_at(const uint8_t *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | bytes[i];
    return value;
}

static void store_at(uint8_t *bytes, size_t size, uint64_t value)
{
    for (size_t i = size; i-- > 0; value >>= 8)
        bytes[i] = (uint8_t)value;
}

/* Where the block begins that is not whole in the first `size` bytes, and how many events come
   before the first one that any thread may have behind it. */
static size_t find_end(size_t size, size_t *usable)
{
    uint64_t below[THREADS + 1] = {0};
    size_t at = 12;
    while (size - at >= 56) {
        const size_t whole = 56 + (size_t)number_at(good + at + 8, 4);
        if (size - at < whole)
            break;
        if (good[at + 4] == 2)
            below[number_at(good + at + 16, 4)] = number_at(good + at + 32, 8) + 1;
        at += whole;
    }
    uint64_t first = UINT64_MAX;
    for (size_t i = 1; i <= THREADS; i++)
        first = below[i] < first ? below[i] : first;
    *usable = 0;
    while (*usable < trace.count && trace.sequences[*usable] < first)
        ++*usable;
    return at;
}

static void a_file_may_be_cut_anywhere(void **state)
{
    (void)state;
    const char *path = support_path(&folder, "cut");
    size_t most = 0;
    for (size_t size = 0; size < good_size; size++) {
        support_write(path, good, size);
        struct trace_source source;
        const bool opened = trace_open(&source, path);
        assert_true(opened || size < 12);
        if (opened && size >= 12) {
            size_t usable;
            const size_t end = find_end(size, &usable);
            const size_t count = support_trace_compare(&source, &trace, TRACE_FAILED);
            assert_int_equal(source.problem.offset, end);
            /* The last block of a thread that has ended comes with a greater horizon. */
            assert_true(count >= usable);
            assert_true(count >= most);
            most = count;
            assert_non_null(strstr(source.problem.reason, size == end ? "was not finished"
                                                          : size - end < 56
                                                              ? "ends inside the header of a block"
                                                              : "ends inside a block"));
        } else if (opened) {
            struct trace_event event = {0};
            assert_int_equal(trace_next(&source, &event),
                             size == 0 ? TRACE_FINISHED : TRACE_FAILED);
        } else {
            assert_string_equal(source.problem.reason, "the file ends inside its header");
        }
        trace_close(&source);
    }
    /* Nearly all of it: one block of each thread is at stake. */
    assert_true(most >= trace.count - 60);
}

/* Whatever bit is wrong, no wrong event is delivered, and it is said. */
static void a_wrong_bit_is_found(void **state)
{
    (void)state;
    const char *path = support_path(&folder, "flipped");
    for (size_t bit = 0; bit < good_size * 8; bit += 3 + bit % 5) {
        good[bit / 8] = (uint8_t)(good[bit / 8] ^ 1u << bit % 8);
        support_write(path, good, good_size);
        struct trace_source source;
        if (trace_open(&source, path)) {
            const bool is_text = bit / 8 < 8; /* what is not our format is taken for STD */
            if (!is_text) {
                support_trace_compare(&source, &trace, TRACE_FAILED);
                assert_true(source.problem.offset <= bit / 8);
            }
        } else {
            assert_in_range(bit / 8, 8, 11);
            assert_non_null(strstr(source.problem.reason, "version"));
        }
        trace_close(&source);
        good[bit / 8] = (uint8_t)(good[bit / 8] ^ 1u << bit % 8);
    }
}

/* The first versions have fewer kinds of events, and are the same otherwise. */
static void the_first_versions_are_read(void **state)
{
    (void)state;
    const char *path = support_path(&folder, "first");
    for (uint8_t version = 0; version < 65; version++) {
        const uint8_t own = good[11];
        good[11] = version;
        support_write(path, good, good_size);
        good[11] = own;
        struct trace_source source;
        const bool known = version == 1 || version == 2 || version == 4 || version == 8 ||
                           version == 16 || version == 32;
        assert_int_equal(trace_open(&source, path), known);
        if (known)
            support_trace_compare(&source, &trace, TRACE_FINISHED);
        else
            assert_non_null(strstr(source.problem.reason, "version"));
        trace_close(&source);
    }
}

/* The other threads' events are used up to the first one of the damaged block. */
static void a_damaged_block_ends_the_trace_at_its_first_event(void **state)
{
    (void)state;
    const char *path = support_path(&folder, "damaged");
    size_t at = 12, blocks = 0;
    for (; at < good_size; at += 56 + (size_t)number_at(good + at + 8, 4)) {
        if (good[at + 4] != 2)
            continue;
        const uint64_t first = number_at(good + at + 24, 8);
        size_t expected = 0;
        while (trace.sequences[expected] < first)
            expected++;
        good[at + 56] ^= 0x55;
        support_write(path, good, good_size);
        good[at + 56] ^= 0x55;
        struct trace_source source;
        assert_true(trace_open(&source, path));
        assert_int_equal(support_trace_compare(&source, &trace, TRACE_FAILED), expected);
        assert_int_equal(source.problem.offset, at);
        assert_string_equal(source.problem.reason, "a block is damaged (its checksum is wrong)");
        trace_close(&source);
        blocks++;
    }
    assert_true(blocks >= 6);
}

/*
 * Files with right checksums and wrong contents, as somebody might make them on purpose.
 */
struct forged {
    uint8_t bytes[4096];
    size_t size;
};

static void forge_start(struct forged *file)
{
    trace_format_file_header(file->bytes);
    file->size = TRACE_FORMAT_FILE_HEADER;
}

static void forge_block(struct forged *file, struct trace_block_header header, const void *bytes,
                        size_t size)
{
    header.stored = header.unpacked = (uint32_t)size;
    header.checksum = trace_format_checksum(bytes, size);
    header.horizon = UINT64_MAX;
    trace_format_store(file->bytes + file->size, &header);
    file->size += TRACE_FORMAT_BLOCK_HEADER;
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static void forge_definitions(struct forged *file, uint32_t count, const char *bytes, size_t size)
{
    const struct trace_block_header header = {.kind = TRACE_BLOCK_DEFINITIONS, .count = count};
    forge_block(file, header, bytes, size);
}

static void forge_events(struct forged *file, uint32_t thread, uint32_t count, uint64_t first,
                         uint64_t last, const char *bytes, size_t size)
{
    const struct trace_block_header header = {
        .kind = TRACE_BLOCK_EVENTS, .thread = thread, .count = count, .first = first, .last = last};
    forge_block(file, header, bytes, size);
}

static void check_forged(const struct forged *file, const char *reason, size_t events)
{
    const char *path = support_path(&folder, "forged");
    support_write(path, file->bytes, file->size);
    struct trace_source source;
    assert_true(trace_open(&source, path));
    struct trace_event event = {0};
    enum trace_status status;
    while ((status = trace_next(&source, &event)) == TRACE_EVENT)
        ;
    assert_int_equal(status, TRACE_FAILED);
    if (!strstr(source.problem.reason, reason))
        print_error("expected \"%s\", got \"%s\"\n", reason, source.problem.reason);
    assert_non_null(strstr(source.problem.reason, reason));
    assert_int_equal(trace_delivered(&source), events);
    trace_close(&source);
}

#define BYTES(literal) literal, sizeof(literal) - 1

static void wrong_definitions_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        uint32_t count;
    } wrong[] = {
        {BYTES("\x00"), 1},                         /* no such kind */
        {BYTES("\x0A"), 1},                         /* no such kind */
        {BYTES("\x09\x00\x00\x00\x00"), 1},         /* it ends inside */
        {BYTES("\x09\x00\x00\x00\x00\x01"), 1},     /* no block 1 */
        {BYTES("\x01\x05main"), 1},                 /* longer than what is there */
        {BYTES("\x01\x04main\x01"), 1},             /* more behind it */
        {BYTES("\x03\x01\x01"), 1},                 /* no field 1 */
        {BYTES("\x03\x00\x00"), 1},                 /* no variables at all */
        {BYTES("\x03\x00\xFF\xFF\xFF\xFF\x7F"), 1}, /* too many */
        {BYTES("\x07\x01\x00"), 1},                 /* no stack 1 */
        {BYTES("\x07\x00\x01"), 1},                 /* no location 1 */
        {BYTES("\x08\x01"
               "a\x01"
               "b\x01"),
         1},                                                            /* no location 1 */
        {BYTES("\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"), 1}, /* a number without end */
        {BYTES("\x01\xFF\xFF\x7F"), 1},                                 /* an enormous name */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct forged file;
        forge_start(&file);
        forge_definitions(&file, wrong[i].count, wrong[i].bytes, wrong[i].size);
        check_forged(&file, "the definitions in a block are wrong", 0);
    }
}

static void wrong_events_are_refused(void **state)
{
    (void)state;
    static const char names[] = "\x01\x01"
                                "a\x01\x01"
                                "b\x03\x00\x02"; /* 2 threads, 2 variables */
    static const struct {
        uint32_t thread, count;
        uint64_t first, last;
        const char *bytes;
        size_t size;
        const char *reason;
        size_t events;
    } wrong[] = {
        {3, 1, 1, 1, BYTES("\x00"), "unknown thread", 0},
        {0, 1, 1, 1, BYTES("\x00"), "no thread", 0},
        {1, 0, 1, 1, BYTES("\x00"), "no events", 0},
        {1, 3, 1, 3, BYTES("\x00"), "impossible sequence numbers", 0},
        {1, 2, 5, 5, BYTES("\x00\x00"), "impossible sequence numbers", 0},
        {1, 1, 0, 5, BYTES("\x00"), "impossible sequence numbers", 0},
        {1, 1, 6, 5, BYTES("\x00"), "impossible sequence numbers", 0},
        {1, 1, 1, 1, BYTES("\x10"), "events in a block are wrong", 0},         /* reserved bit */
        {1, 1, 1, 1, BYTES("\x20"), "events in a block are wrong", 0},         /* not the first */
        {1, 1, 1, 1, BYTES("\x01\x12\x00"), "events in a block are wrong", 0}, /* no such kind */
        {1, 1, 1, 1, BYTES("\x01\x00\x02"), "events in a block are wrong", 0}, /* no location 1 */
        {1, 1, 1, 1, BYTES("\x0C\x06"), "events in a block are wrong", 0},     /* no variable 3 */
        {1, 1, 1, 1, BYTES("\x02\x01"), "events in a block are wrong", 0},     /* no stack 1 */
        {1, 1, 1, 1, BYTES("\x0C\x80"), "events in a block are wrong", 0},     /* it ends inside */
        {1, 2, 1, 2, BYTES("\x00"), "events in a block are wrong", 1}, /* an event without bytes */
        {1, 1, 1, 1, BYTES("\x01\x14\x00"), "events in a block are wrong", 1}, /* half an update */
        {1, 1, 1, 1, BYTES("\x01\x15\x00"), "events in a block are wrong", 1}, /* half an enter */
        {1, 1, 1, 1, BYTES("\x01\x16\x00"), "events in a block are wrong", 1}, /* half a leave */
        {1, 1, 1, 1, BYTES("\x01\x17\x00"), "events in a block are wrong", 0}, /* no such kind */
        {1, 2, 1, 2, BYTES("\x0D\x15\x00\x02"), "events in a block are wrong", 0}, /* no lock 1 */
        {1, 2, 1, 2, BYTES("\x0C\x02\x10"), "events in a block are wrong", 1},
        {1, 2, 1, 2, BYTES("\x00\x20"), "events in a block are wrong", 1}, /* beyond the last */
        {1, 2, 1, 9, BYTES("\x00\x00"), "events in a block are wrong", 2}, /* not the last */
        {1, 1, 1, 1, BYTES("\x00\x00"), "events in a block are wrong", 1}, /* more behind it */
        {1, 2, 1, UINT64_MAX, BYTES("\x00\xE0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"),
         "events in a block are wrong", 1},
        /* An update at the last number there is: its write would have none. */
        {1, 2, 1, UINT64_MAX, BYTES("\x00\xE1\xF6\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\x14\x00"),
         "events in a block are wrong", 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct forged file;
        forge_start(&file);
        forge_definitions(&file, 3, names, sizeof names - 1);
        forge_events(&file, wrong[i].thread, wrong[i].count, wrong[i].first, wrong[i].last,
                     wrong[i].bytes, wrong[i].size);
        check_forged(&file, wrong[i].reason, wrong[i].events);
    }
}

static void blocks_that_do_not_fit_together_are_refused(void **state)
{
    (void)state;
    static const char names[] = "\x01\x01"
                                "a\x01\x01"
                                "b";
    const struct trace_block_header end = {.kind = TRACE_BLOCK_END, .first = 2};
    struct forged file;
    /* The same sequence number twice, in one thread and in two. */
    forge_start(&file);
    forge_definitions(&file, 2, names, sizeof names - 1);
    forge_events(&file, 1, 2, 1, 2, BYTES("\x00\x00"));
    forge_events(&file, 1, 1, 2, 2, BYTES("\x00"));
    check_forged(&file, "the blocks of a thread are not in order", 2);
    forge_start(&file);
    forge_definitions(&file, 2, names, sizeof names - 1);
    forge_events(&file, 1, 2, 1, 2, BYTES("\x00\x00"));
    forge_events(&file, 2, 1, 2, 2, BYTES("\x00"));
    check_forged(&file, "two events have the same sequence number", 1);
    /* Fewer events than the end says, and something behind the end. */
    forge_start(&file);
    forge_definitions(&file, 2, names, sizeof names - 1);
    forge_events(&file, 1, 1, 1, 1, BYTES("\x00"));
    forge_block(&file, end, "", 0);
    check_forged(&file, "the trace should have 2 events", 1);
    forge_start(&file);
    forge_definitions(&file, 2, names, sizeof names - 1);
    forge_events(&file, 2, 2, 1, 2, BYTES("\x00\x00"));
    forge_block(&file, end, "", 0);
    forge_block(&file, end, "", 0);
    check_forged(&file, "there are bytes behind the end of the trace", 2);
    /* A definition that comes too late for its events. */
    forge_start(&file);
    forge_events(&file, 1, 1, 1, 1, BYTES("\x00"));
    forge_definitions(&file, 2, names, sizeof names - 1);
    check_forged(&file, "unknown thread", 0);
}

static void wrong_headers_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t place, size;
        uint64_t value;
        const char *reason;
    } wrong[] = {
        {0, 4, 0x54424C4C, "no block begins here"},
        {4, 1, 0, "unknown kind"},
        {4, 1, 4, "unknown kind"},
        {5, 1, 2, "packed in an unknown way"},
        {6, 2, 1, "unknown kind"},
        {8, 4, 0xFFFFFFFF, "impossible size"},
        {12, 4, (1 << 20) + 1, "impossible size"},
        {12, 4, 0, "impossible size"},
    };
    uint8_t *changed = malloc(good_size);
    assert_non_null(changed);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(changed, good, good_size);
        store_at(changed + 12 + wrong[i].place, wrong[i].size, wrong[i].value);
        store_at(changed + 12 + 52, 4, trace_format_checksum(changed + 12, 52));
        const char *path = support_path(&folder, "header");
        support_write(path, changed, good_size);
        struct trace_source source;
        assert_true(trace_open(&source, path));
        assert_int_equal(support_trace_compare(&source, &trace, TRACE_FAILED), 0);
        assert_int_equal(source.problem.offset, 12);
        assert_non_null(strstr(source.problem.reason, wrong[i].reason));
        trace_close(&source);
    }
    free(changed);
}

static void recorded_traces_are_not_read_from_pipes(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], good, 1000), 1000);
    close(ends[1]);
    struct trace_source source;
    struct trace_event event = {0};
    assert_true(trace_open_descriptor(&source, ends[0]));
    assert_int_equal(trace_next(&source, &event), TRACE_FAILED);
    assert_string_equal(source.problem.reason,
                        "is a recorded trace, which can be read from a file only");
    trace_close(&source);
}

static void files_that_are_not_there_are_named(void **state)
{
    (void)state;
    struct trace_source source;
    assert_false(trace_open(&source, support_path(&folder, "nothing")));
    assert_string_equal(source.problem.reason, "cannot be opened: No such file or directory");
    trace_close(&source);
    assert_false(trace_open(&source, folder.path));
    assert_string_equal(source.problem.reason, "is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_may_be_cut_anywhere),
        cmocka_unit_test(a_wrong_bit_is_found),
        cmocka_unit_test(the_first_versions_are_read),
        cmocka_unit_test(a_damaged_block_ends_the_trace_at_its_first_event),
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(wrong_events_are_refused),
        cmocka_unit_test(blocks_that_do_not_fit_together_are_refused),
        cmocka_unit_test(wrong_headers_are_refused),
        cmocka_unit_test(recorded_traces_are_not_read_from_pipes),
        cmocka_unit_test(files_that_are_not_there_are_named),
    };
    return cmocka_run_group_tests(tests, record, forget);
}
