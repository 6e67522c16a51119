/* Damaged and hostile classes: never a crash, and whatever is read is written as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "classfile/reading.h"
#include "classfile/sample_classes.h"

static struct class_build build;

/* The samples by number. */
static const struct build_bytes *build_sample(int number)
{
    return number == 0 ? build_rich_class(&build) : build_module(&build);
}

/* The bytes in a block of their own size, so that the sanitizer sees a read behind them. */
static uint8_t *copy_of(const struct build_bytes *sample, size_t size)
{
    uint8_t *copy = memory_allocate(size);
    assert_non_null(copy);
    memcpy(copy, sample->bytes, size);
    return copy;
}

static void every_cut_is_found(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (int number = 0; number < 2; number++) {
        const struct build_bytes *sample = build_sample(number);
        for (size_t size = 0; size < sample->size; size++) {
            uint8_t *copy = copy_of(sample, size);
            struct problem problem;
            arena_clear(&arena);
            assert_null(class_read(&arena, copy, size, &problem));
            assert_true(problem.set);
            assert_true(problem.offset <= size);
            assert_true(problem.reason[0] != '\0');
            memory_release(copy);
        }
    }
    arena_release(&arena);
}

static void try_change(struct arena *arena, uint8_t *bytes, size_t size, size_t place,
                       uint8_t value)
{
    struct problem problem;
    uint8_t before = bytes[place];
    bytes[place] = value;
    arena_clear(arena);
    if (!read_and_write(arena, bytes, size, &problem))
        assert_true(problem.offset <= size);
    bytes[place] = before;
}

static void every_changed_byte_is_kept_or_found(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (int number = 0; number < 2; number++) {
        const struct build_bytes *sample = build_sample(number);
        uint8_t *copy = copy_of(sample, sample->size);
        for (size_t place = 0; place < sample->size; place++) {
            for (int bit = 0; bit < 8; bit++)
                try_change(&arena, copy, sample->size, place, copy[place] ^ (uint8_t)(1 << bit));
            try_change(&arena, copy, sample->size, place, 0x00);
            try_change(&arena, copy, sample->size, place, 0xFF);
            try_change(&arena, copy, sample->size, place, (uint8_t)(copy[place] + 1));
        }
        memory_release(copy);
    }
    arena_release(&arena);
}

static void every_lost_or_doubled_byte_is_kept_or_found(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (int number = 0; number < 2; number++) {
        const struct build_bytes *sample = build_sample(number);
        for (size_t place = 0; place < sample->size; place++) {
            struct problem problem;
            uint8_t *shorter = copy_of(sample, sample->size);
            memmove(shorter + place, shorter + place + 1, sample->size - place - 1);
            arena_clear(&arena);
            read_and_write(&arena, shorter, sample->size - 1, &problem);
            memory_release(shorter);
            uint8_t *longer = memory_allocate(sample->size + 1);
            assert_non_null(longer);
            memcpy(longer, sample->bytes, place + 1);
            memcpy(longer + place + 1, sample->bytes + place, sample->size - place);
            arena_clear(&arena);
            read_and_write(&arena, longer, sample->size + 1, &problem);
            memory_release(longer);
        }
    }
    arena_release(&arena);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    for (int number = 0; number < 2; number++) {
        const struct build_bytes *sample = build_sample(number);
        for (long requests = 0;; requests++) {
            struct arena arena;
            struct writer writer;
            struct problem problem;
            arena_init(&arena);
            writer_init(&writer);
            memory_fail_after(requests);
            struct class_file *class_file =
                class_read(&arena, sample->bytes, sample->size, &problem);
            if (class_file)
                class_write(&writer, class_file);
            memory_fail_after(-1);
            bool done = class_file && !writer.failed;
            if (done)
                assert_memory_equal(writer.bytes, sample->bytes, sample->size);
            if (!class_file) {
                assert_string_equal(problem.reason, "out of memory");
                assert_int_equal(problem.offset, PROBLEM_NO_OFFSET);
            }
            writer_release(&writer);
            arena_release(&arena);
            if (done)
                break;
            assert_true(requests < 1000);
        }
    }
}

/* An arena fails at the first chunk only when it needs one: here it needs one for every table. */
static void memory_that_ends_inside_annotations_is_reported(void **state)
{
    (void)state;
    class_build_init(&build, 69);
    put_plain_class(&build);
    put_u2(&build.body, 1);
    size_t start = begin_attribute(&build, "RuntimeVisibleAnnotations");
    put_u2(&build.body, 5000);
    uint16_t type = add_utf8(&build, "Lp/N;");
    for (int i = 0; i < 5000; i++) {
        put_u2(&build.body, type);
        put_u2(&build.body, 0);
    }
    end_attribute(&build, start);
    const struct build_bytes *sample = class_build_finish(&build);
    struct arena arena;
    struct problem problem;
    arena_init(&arena);
    memory_fail_after(1);
    assert_null(class_read(&arena, sample->bytes, sample->size, &problem));
    memory_fail_after(-1);
    assert_string_equal(problem.reason, "out of memory");
    arena_clear(&arena);
    assert_non_null(class_read(&arena, sample->bytes, sample->size, &problem));
    arena_release(&arena);
}

/* Behind this comes the default value of an annotation's element, then end_default. */
static size_t begin_default(void)
{
    class_build_init(&build, 69);
    put_class(&build, 0x2601, "p/N", "java/lang/Object");
    put_u2(&build.body, 0);
    put_u2(&build.body, 0);
    put_u2(&build.body, 1);
    put_member(&build, 0x0401, "value", "()I");
    put_u2(&build.body, 1);
    return begin_attribute(&build, "AnnotationDefault");
}

static void end_default(size_t start)
{
    end_attribute(&build, start);
    put_u2(&build.body, 0);
}

static void put_array(unsigned count)
{
    put_u1(&build.body, '[');
    put_u2(&build.body, count);
}

/* `depth` arrays inside each other: [[[...]]] */
static void put_deep_default(int depth)
{
    size_t start = begin_default();
    for (int i = 1; i < depth; i++)
        put_array(1);
    put_array(0);
    end_default(start);
}

static void deep_annotations_do_not_exhaust_the_stack(void **state)
{
    (void)state;
    const struct {
        int depth;
        enum attribute_kind kind;
    } cases[] = {{1, ATTRIBUTE_ANNOTATION_DEFAULT},
                 {256, ATTRIBUTE_ANNOTATION_DEFAULT},
                 {257, ATTRIBUTE_UNKNOWN},
                 {40000, ATTRIBUTE_UNKNOWN}};
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_deep_default(cases[i].depth);
        struct class_file *class_file = expect_good(&arena, &build);
        assert_int_equal(class_file->methods[0].attributes.items[0].kind, cases[i].kind);
    }
    arena_release(&arena);
}

/* Each of the lists alone could be as long as it says, but not all of them. */
static void nested_counts_cost_what_the_file_has(void **state)
{
    (void)state;
    enum { DEPTH = 120, REST = 60000 };
    struct arena arena;
    arena_init(&arena);
    for (int annotations = 0; annotations < 2; annotations++) {
        size_t start = begin_default();
        uint16_t type = add_utf8(&build, "Lp/N;");
        for (int i = 0; i < DEPTH; i++) {
            if (!annotations) {
                put_array(REST / 3);
                continue;
            }
            put_u1(&build.body, '@');
            put_u2(&build.body, type);
            put_u2(&build.body, REST / 5);
            put_u2(&build.body, type);
        }
        for (int i = 0; i < REST; i++)
            put_u1(&build.body, 0);
        end_default(start);
        arena_clear(&arena);
        struct class_file *class_file = expect_good(&arena, &build);
        assert_int_equal(class_file->methods[0].attributes.items[0].kind, ATTRIBUTE_UNKNOWN);
        assert_true(arena_used(&arena) < 20 * (size_t)REST);
    }
    arena_release(&arena);
}

/* {{}, {{}, {}}, {}}: what the arrays take at least is all that they take. */
static void nested_lists_may_fill_their_attribute(void **state)
{
    (void)state;
    size_t start = begin_default();
    static const uint8_t counts[] = {3, 0, 2, 0, 0, 0};
    for (size_t i = 0; i < sizeof counts; i++)
        put_array(counts[i]);
    end_default(start);
    struct arena arena;
    arena_init(&arena);
    struct class_file *class_file = expect_good(&arena, &build);
    const struct attribute *attribute = &class_file->methods[0].attributes.items[0];
    assert_int_equal(attribute->kind, ATTRIBUTE_ANNOTATION_DEFAULT);
    assert_int_equal(attribute->as.default_value->as.array.count, 3);
    assert_int_equal(attribute->as.default_value->as.array.items[1].as.array.count, 2);
    arena_release(&arena);
}

/* Counts that promise more than the file can hold must not cost memory. */
static void huge_counts_cost_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {
        "InnerClasses", "BootstrapMethods",          "NestMembers",
        "Record",       "RuntimeVisibleAnnotations", "RuntimeVisibleTypeAnnotations"};
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        class_build_init(&build, 69);
        put_plain_class(&build);
        put_u2(&build.body, 1);
        size_t start = begin_attribute(&build, names[i]);
        put_u2(&build.body, 0xFFFF);
        put_u4(&build.body, 0xFFFFFFFF);
        end_attribute(&build, start);
        const struct build_bytes *sample = class_build_finish(&build);
        struct problem problem;
        arena_clear(&arena);
        class_read(&arena, sample->bytes, sample->size, &problem);
        assert_true(arena_used(&arena) < 4096);
    }
    for (unsigned items = 0; items < 3; items++) { /* fields, methods, attributes */
        class_build_init(&build, 69);
        put_class(&build, 0x21, "p/A", "java/lang/Object");
        put_u2(&build.body, 0);
        for (unsigned i = 0; i < items; i++)
            put_u2(&build.body, 0);
        put_u2(&build.body, 0xFFFF);
        put_u4(&build.body, 0);
        put_u4(&build.body, 0);
        const struct build_bytes *sample = class_build_finish(&build);
        struct problem problem;
        arena_clear(&arena);
        assert_null(class_read(&arena, sample->bytes, sample->size, &problem));
        assert_true(arena_used(&arena) < 4096);
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_is_found),
        cmocka_unit_test(every_changed_byte_is_kept_or_found),
        cmocka_unit_test(every_lost_or_doubled_byte_is_kept_or_found),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(memory_that_ends_inside_annotations_is_reported),
        cmocka_unit_test(deep_annotations_do_not_exhaust_the_stack),
        cmocka_unit_test(nested_counts_cost_what_the_file_has),
        cmocka_unit_test(nested_lists_may_fill_their_attribute),
        cmocka_unit_test(huge_counts_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
