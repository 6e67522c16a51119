#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/problem.h"
#include "base/reader.h"
#include "base/writer.h"
#include "support.h"

static const uint8_t counting[16] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
                                     0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0xF0};

static void numbers_are_big_endian(void **state)
{
    (void)state;
    struct problem problem;
    problem_clear(&problem);
    struct reader reader;
    reader_init(&reader, counting, sizeof counting, &problem);
    assert_int_equal(reader_u1(&reader), 0x01);
    assert_int_equal(reader_u2(&reader), 0x0203);
    assert_int_equal(reader_u4(&reader), 0x04050607);
    assert_int_equal(reader_u8(&reader), 0x08090A0B0C0D0E0F);
    assert_int_equal(reader_left(&reader), 1);
    assert_int_equal(reader_u1(&reader), 0xF0);
    assert_int_equal(reader_left(&reader), 0);
    assert_true(reader_ok(&reader));

    static const uint8_t high[] = {0xFF, 0xFE, 0xFD, 0xFC, 0xFF, 0xFE};
    reader_init(&reader, high, sizeof high, &problem);
    assert_int_equal(reader_u4(&reader), 0xFFFEFDFCu);
    assert_int_equal(reader_u2(&reader), 0xFFFE);
}

/* Each kind of read, one byte short, from position 5 of the input. */
static void a_short_read_fails_where_it_starts_and_gives_zero(void **state)
{
    (void)state;
    for (size_t size = 1; size <= 8; size *= 2) {
        struct problem problem;
        problem_clear(&problem);
        struct reader reader;
        reader_init(&reader, counting, 5 + size - 1, &problem);
        assert_non_null(reader_bytes(&reader, 5));
        uint64_t got = size == 1   ? reader_u1(&reader)
                       : size == 2 ? reader_u2(&reader)
                       : size == 4 ? reader_u4(&reader)
                                   : reader_u8(&reader);
        assert_int_equal(got, 0);
        assert_true(problem.set);
        assert_int_equal(problem.offset, 5);
        assert_int_equal(reader.position, 5);
        char reason[80];
        snprintf(reason, sizeof reason, "ends too early: %zu more byte%s needed, %zu left", size,
                 size == 1 ? "" : "s", size - 1);
        assert_string_equal(problem.reason, reason);
    }
}

static void after_a_failure_every_read_gives_zero(void **state)
{
    (void)state;
    struct problem problem;
    problem_clear(&problem);
    struct reader reader;
    reader_init(&reader, counting, sizeof counting, &problem);
    reader_u4(&reader);
    reader_fail(&reader, "bad tag %d", 99);
    assert_false(reader_ok(&reader));
    assert_int_equal(reader_u1(&reader), 0);
    assert_int_equal(reader_u2(&reader), 0);
    assert_int_equal(reader_u4(&reader), 0);
    assert_int_equal(reader_u8(&reader), 0);
    assert_null(reader_bytes(&reader, 1));
    assert_null(reader_bytes(&reader, SIZE_MAX));
    assert_int_equal(reader_count(&reader, 1, 1, "things"), 0);
    assert_int_equal(reader_left(&reader), 12);
    struct reader part = reader_part(&reader, 2);
    assert_int_equal(reader_left(&part), 0);
    assert_int_equal(reader_u1(&part), 0);
    reader_fail(&reader, "an echo");
    assert_string_equal(problem.reason, "bad tag 99");
    assert_int_equal(problem.offset, 4);
}

static void a_size_near_the_largest_does_not_wrap(void **state)
{
    (void)state;
    struct problem problem;
    problem_clear(&problem);
    struct reader reader;
    reader_init(&reader, counting, sizeof counting, &problem);
    reader_u4(&reader);
    assert_null(reader_bytes(&reader, SIZE_MAX - 2));
    assert_true(problem.set);
    assert_int_equal(problem.offset, 4);
}

static void a_count_must_fit_into_what_is_left(void **state)
{
    (void)state;
    struct problem problem;
    problem_clear(&problem);
    struct reader reader;
    reader_init(&reader, counting, sizeof counting, &problem);
    reader_u2(&reader);
    assert_int_equal(reader_count(&reader, 7, 2, "entries"), 7);
    assert_int_equal(reader_count(&reader, 0, 1000, "entries"), 0);
    assert_true(reader_ok(&reader));
    assert_int_equal(reader_count(&reader, 8, 2, "entries"), 0);
    assert_false(reader_ok(&reader));
    assert_int_equal(problem.offset, 2);
    assert_string_equal(problem.reason, "8 entries cannot fit into the 14 bytes left");

    problem_clear(&problem);
    /* A product that would be 0 if it were computed. */
    assert_int_equal(reader_count(&reader, (uint32_t)1 << 31, (size_t)1 << 33, "entries"), 0);
    assert_false(reader_ok(&reader));
}

static void a_part_ends_where_it_must_and_counts_in_the_whole(void **state)
{
    (void)state;
    struct problem problem;
    problem_clear(&problem);
    struct reader whole;
    reader_init(&whole, counting, sizeof counting, &problem);
    reader_u2(&whole);
    struct reader part = reader_part(&whole, 6);
    assert_int_equal(reader_u1(&whole), 0x09);
    assert_int_equal(reader_u1(&part), 0x03);
    struct reader inner = reader_part(&part, 3);
    assert_int_equal(reader_u2(&inner), 0x0405);
    assert_int_equal(reader_left(&part), 2);
    /* One byte is left in the inner part, at offset 5 of the whole. */
    assert_int_equal(reader_u2(&inner), 0);
    assert_int_equal(problem.offset, 5);
    assert_false(reader_ok(&whole));
}

static void a_part_that_is_too_long_fails_the_whole(void **state)
{
    (void)state;
    struct problem problem;
    problem_clear(&problem);
    struct reader whole;
    reader_init(&whole, counting, sizeof counting, &problem);
    reader_u8(&whole);
    struct reader part = reader_part(&whole, 9);
    assert_int_equal(reader_left(&part), 0);
    assert_int_equal(problem.offset, 8);
    assert_false(reader_ok(&whole));
}

static void an_empty_input_can_be_read_to_its_end(void **state)
{
    (void)state;
    struct problem problem;
    problem_clear(&problem);
    struct reader reader;
    reader_init(&reader, NULL, 0, &problem);
    assert_non_null(reader_bytes(&reader, 0));
    struct reader part = reader_part(&reader, 0);
    assert_non_null(reader_bytes(&part, 0));
    assert_true(reader_ok(&reader));
    reader_u1(&part);
    assert_false(reader_ok(&reader));
}

static void what_is_written_is_big_endian(void **state)
{
    (void)state;
    struct writer writer;
    writer_init(&writer);
    writer_u1(&writer, 0x01);
    writer_u2(&writer, 0x0203);
    writer_u4(&writer, 0x04050607);
    writer_u8(&writer, 0x08090A0B0C0D0E0F);
    writer_bytes(&writer, &counting[15], 1);
    assert_false(writer.failed);
    assert_int_equal(writer.size, sizeof counting);
    assert_memory_equal(writer.bytes, counting, sizeof counting);
    writer_release(&writer);
}

static void earlier_bytes_can_be_patched(void **state)
{
    (void)state;
    static const uint8_t expected[] = {0xAA, 0x01, 0x02, 0x03, 0x04, 0xBB, 0xFE, 0xDC};
    struct writer writer;
    writer_init(&writer);
    writer_u1(&writer, 0xAA);
    writer_u4(&writer, 0);
    writer_u1(&writer, 0xBB);
    writer_u2(&writer, 0);
    writer_patch_u4(&writer, 1, 0x01020304);
    writer_patch_u2(&writer, 6, 0xFEDC);
    assert_int_equal(writer.size, sizeof expected);
    assert_memory_equal(writer.bytes, expected, sizeof expected);
    writer_clear(&writer);
    assert_int_equal(writer.size, 0);
    writer_u2(&writer, 0x1234);
    assert_int_equal(writer.bytes[1], 0x34);
    writer_release(&writer);
}

static void many_bytes_survive_growing(void **state)
{
    (void)state;
    struct writer writer;
    writer_init(&writer);
    for (uint32_t i = 0; i < 50000; i++)
        writer_u4(&writer, i * 0x01010101u);
    assert_int_equal(writer.size, 200000);
    struct problem problem;
    problem_clear(&problem);
    struct reader reader;
    reader_init(&reader, writer.bytes, writer.size, &problem);
    for (uint32_t i = 0; i < 50000; i++)
        assert_int_equal(reader_u4(&reader), i * 0x01010101u);
    writer_release(&writer);
}

static void writing_nothing_is_no_error(void **state)
{
    (void)state;
    struct writer writer;
    writer_init(&writer);
    writer_bytes(&writer, NULL, 0);
    assert_false(writer.failed);
    assert_int_equal(writer.size, 0);
    assert_non_null(writer_extend(&writer, 0));
    writer_release(&writer);
}

static void a_failed_writer_takes_no_more(void **state)
{
    (void)state;
    struct writer writer;
    writer_init(&writer);
    memory_fail_after(0);
    writer_u4(&writer, 1);
    memory_fail_after(-1);
    assert_true(writer.failed);
    writer_u1(&writer, 1);
    writer_u8(&writer, 1);
    writer_bytes(&writer, counting, sizeof counting);
    writer_patch_u4(&writer, 0, 1);
    writer_patch_u2(&writer, 0, 1);
    assert_int_equal(writer.size, 0);
    assert_true(writer.failed);
    writer_clear(&writer);
    assert_null(writer_extend(&writer, SIZE_MAX));
    assert_true(writer.failed);
    writer_release(&writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_big_endian),
        cmocka_unit_test(a_short_read_fails_where_it_starts_and_gives_zero),
        cmocka_unit_test(after_a_failure_every_read_gives_zero),
        cmocka_unit_test(a_size_near_the_largest_does_not_wrap),
        cmocka_unit_test(a_count_must_fit_into_what_is_left),
        cmocka_unit_test(a_part_ends_where_it_must_and_counts_in_the_whole),
        cmocka_unit_test(a_part_that_is_too_long_fails_the_whole),
        cmocka_unit_test(an_empty_input_can_be_read_to_its_end),
        cmocka_unit_test(what_is_written_is_big_endian),
        cmocka_unit_test(earlier_bytes_can_be_patched),
        cmocka_unit_test(many_bytes_survive_growing),
        cmocka_unit_test(writing_nothing_is_no_error),
        cmocka_unit_test(a_failed_writer_takes_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
