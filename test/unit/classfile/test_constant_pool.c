/* Constants: all kinds, and what is wrong with those that the JVM refuses (JVMS 4.4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "classfile/reading.h"
#include "classfile/sample_classes.h"

static struct class_build build;

static void begin(unsigned major)
{
    class_build_init(&build, major);
    put_plain_class(&build); /* constants 1 to 4 */
    put_u2(&build.body, 0);
}

static void reads_every_kind(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    begin(69);
    uint16_t integer = add_u4(&build, 3, 0x80000000);
    uint16_t number = add_u4(&build, 4, 0x7F800000);
    uint16_t wide = add_u8(&build, 5, 0x0123456789ABCDEFu);
    uint16_t real = add_u8(&build, 6, 0x3FF0000000000000u);
    uint16_t string = add_u2(&build, 8, add_utf8(&build, "s"));
    uint16_t field = add_member(&build, 9, "p/F", "f", "[J");
    uint16_t method = add_member(&build, 10, "[I", "clone", "()Ljava/lang/Object;");
    uint16_t interface = add_member(&build, 11, "p/I", "i", "()V");
    uint16_t handle = add_method_handle(&build, 9, interface);
    uint16_t type = add_u2(&build, 16, add_utf8(&build, "(I)V"));
    struct class_file *class_file = expect_good(&arena, &build);

    assert_int_equal(class_file->constants[0].tag, CONSTANT_UNUSABLE);
    assert_int_equal(class_file->constants[integer].value.bits, 0x80000000);
    assert_int_equal(class_file->constants[number].tag, CONSTANT_FLOAT);
    assert_int_equal(class_file->constants[wide].value.bits, 0x0123456789ABCDEF);
    assert_int_equal(class_file->constants[wide + 1].tag, CONSTANT_UNUSABLE);
    assert_int_equal(class_file->constants[real].tag, CONSTANT_DOUBLE);
    assert_int_equal(class_file->constants[real].value.bits, 0x3FF0000000000000);
    assert_true(text_is(class_name_at(class_file, string), "s"));
    assert_true(text_is(class_name_at(class_file, type), "(I)V"));
    assert_int_equal(class_file->constants[handle].reference_kind, REFERENCE_INVOKE_INTERFACE);
    assert_int_equal(class_file->constants[handle].first, interface);
    assert_int_equal(class_file->constant_count, type + 1);

    struct member_reference reference = class_member_reference(class_file, field);
    assert_true(text_is(reference.owner, "p/F"));
    assert_true(text_is(reference.name, "f"));
    assert_true(text_is(reference.descriptor, "[J"));
    assert_false(reference.interface);
    assert_true(text_is(class_member_reference(class_file, method).owner, "[I"));
    assert_true(class_member_reference(class_file, interface).interface);
    arena_release(&arena);
}

static void reads_forward_references(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    begin(50);
    uint16_t next = build.constant_count;
    add_u2_u2(&build, 10, next + 1u, next + 2u); /* class and name and type behind it */
    add_u2(&build, 7, next + 3u);
    add_u2_u2(&build, 12, next + 3u, next + 4u);
    add_utf8(&build, "name");
    add_utf8(&build, "()V");
    expect_good(&arena, &build);
    arena_release(&arena);
}

static void names_the_constant_and_the_byte(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    begin(69);
    size_t offset = 10 + build.pool.size;
    uint16_t index = add_u2(&build, 7, 40);
    assert_int_equal(index, 5);
    const struct build_bytes *result = class_build_finish(&build);
    struct problem problem;
    assert_null(class_read(&arena, result->bytes, result->size, &problem));
    assert_string_equal(problem.reason, "constant 5: class name index 40 is beyond the constant "
                                        "pool (5 constants)");
    assert_int_equal(problem.offset, offset);
    arena_release(&arena);
}

static void refuses_wrong_references(void **state)
{
    (void)state;
    begin(69);
    add_u2(&build, 7, 0);
    expect_bad(&build, "class name index is 0");
    begin(69);
    add_u2(&build, 7, 2);
    expect_bad(&build, "class name index 2 is of kind Class, not Utf8");
    begin(69);
    add_u2(&build, 8, add_u8(&build, 5, 1) + 1u);
    expect_bad(&build, "unusable one behind a Long or Double");
    begin(69);
    add_u2_u2(&build, 9, 2, 2);
    expect_bad(&build, "name and type index 2 is of kind Class, not NameAndType");
    begin(69);
    add_u2_u2(&build, 9, 1, 2);
    expect_bad(&build, "class index 1 is of kind Utf8, not Class");
    begin(69);
    add_u2_u2(&build, 12, 2, 1);
    expect_bad(&build, "name index 2 is of kind Class");
    begin(69);
    add_u2(&build, 16, 2);
    expect_bad(&build, "descriptor index 2 is of kind Class");
    begin(69);
    add_u2_u2(&build, 18, 0, 2);
    expect_bad(&build, "name and type index 2 is of kind Class");
}

static void refuses_bad_names(void **state)
{
    (void)state;
    const char *const bad_classes[] = {"", "a.b", "a//b", "/a", "a/", "La;", "[", "[a", "[V"};
    for (size_t i = 0; i < sizeof bad_classes / sizeof bad_classes[0]; i++) {
        begin(69);
        add_class(&build, bad_classes[i]);
        expect_bad(&build, "is not a class name");
    }
    const struct {
        unsigned tag;
        const char *name, *descriptor, *reason;
    } members[] = {
        {9, "f", "()V", "is not a field descriptor"},
        {10, "m", "I", "is not a method descriptor"},
        {11, "m", "[I", "is not a method descriptor"},
        {9, "a/b", "I", "is not a field name"},
        {9, "", "I", "is not a field name"},
        {9, "f", "", "is not a field descriptor"},
        {10, "a.b", "()V", "is not a method name"},
        {10, "<other>", "()V", "is not a method name"},
        {10, "<clinit>", "()V", "cannot be called"},
        {10, "<init>", "()I", "cannot have the descriptor"},
        {10, "<clinit>", "(I)V", "cannot have the descriptor"},
        {10, "m", "(V)V", "is not a method descriptor"},
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        begin(69);
        add_member(&build, members[i].tag, "p/B", members[i].name, members[i].descriptor);
        expect_bad(&build, strcmp(members[i].reason, "cannot be called") == 0
                               ? "is not a method that can be called"
                               : members[i].reason);
    }
    begin(69);
    add_u2(&build, 16, add_utf8(&build, "I"));
    expect_bad(&build, "is not a method descriptor");
}

/* JDK 25 loads all of these; the table before has what it refuses. */
static void takes_any_initializer_that_nobody_calls(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    static const char *const names[] = {"<init>", "<clinit>"};
    static const char *const descriptors[] = {"()I", "(I)I", "(I)V"};
    for (size_t name = 0; name < 2; name++) {
        for (size_t i = 0; i < sizeof descriptors / sizeof descriptors[0]; i++) {
            begin(69);
            add_name_and_type(&build, names[name], descriptors[i]);
            expect_good(&arena, &build);
            begin(69);
            add_member(&build, 11, "p/B", names[name], descriptors[i]);
            expect_good(&arena, &build);
            class_build_init(&build, 69);
            put_plain_class(&build);
            put_u2(&build.body, 1);
            put_bootstrap_methods(&build);
            add_u2_u2(&build, 18, 0, add_name_and_type(&build, names[name], descriptors[i]));
            expect_good(&arena, &build);
        }
    }
    arena_release(&arena);
}

static void checks_method_handles(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    /* By kind: what it may refer to in version 51 and from 52 on. f, m, i: field, method, interface
       method; n: a constructor. */
    static const char *const allowed[][2] = {{"", ""},   {"f", "f"}, {"f", "f"},  {"f", "f"},
                                             {"f", "f"}, {"m", "m"}, {"m", "mi"}, {"m", "mi"},
                                             {"n", "n"}, {"i", "i"}, {"", ""}};
    for (unsigned kind = 0; kind <= 10; kind++) {
        for (unsigned newer = 0; newer < 2; newer++) {
            for (const char *target = "fmin"; *target; target++) {
                begin(newer ? 52 : 51);
                uint16_t member =
                    *target == 'f' ? add_member(&build, 9, "p/B", "f", "I")
                    : *target == 'i'
                        ? add_member(&build, 11, "p/B", "m", "()V")
                        : add_member(&build, 10, "p/B", *target == 'n' ? "<init>" : "m", "()V");
                add_method_handle(&build, kind, member);
                if (strchr(allowed[kind][newer], *target))
                    expect_good(&arena, &build);
                else
                    expect_bad(&build, "method handle");
            }
        }
    }
    arena_release(&arena);
}

static void knows_which_version_has_what(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    const struct {
        unsigned tag, since;
    } tags[] = {{15, 51}, {16, 51}, {17, 55}, {18, 51}, {19, 53}, {20, 53}};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        begin(tags[i].since - 1);
        add_u2_u2(&build, tags[i].tag, 1, 1);
        expect_bad(&build, "needs class file version");
    }
    const unsigned unknown[] = {0, 2, 13, 14, 21, 255};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        begin(69);
        add_u2_u2(&build, unknown[i], 1, 1);
        expect_bad(&build, "unknown tag");
    }
    begin(53); /* only a module declaration may name modules and packages */
    add_u2(&build, 19, 1);
    expect_bad(&build, "only a module declaration has");
    arena_release(&arena);
}

static void checks_texts(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    begin(48);
    size_t offset = 10 + build.pool.size;
    add_utf8(&build, "abc\xC1\x81");
    const struct build_bytes *result = class_build_finish(&build);
    struct problem problem;
    assert_null(class_read(&arena, result->bytes, result->size, &problem));
    assert_string_equal(problem.reason, "constant 5: byte 0xC1 is not modified UTF-8");
    assert_int_equal(problem.offset, offset + 3 + 3);
    build.major = 47; /* where characters may be written longer than needed */
    expect_good(&arena, &build);
    begin(47);
    add_utf8_bytes(&build, "a\0b", 3);
    expect_bad(&build, "byte 0x00 is not modified UTF-8");
    arena_release(&arena);
}

static void refuses_impossible_counts(void **state)
{
    (void)state;
    begin(69);
    build.constant_count = 0;
    expect_bad(&build, "count is 0");
    begin(69);
    build.constant_count = 65535;
    expect_bad(&build, "65534 constants cannot fit");
    begin(69);
    build.constant_count++;
    expect_bad(&build, "constant 5: unknown tag 0"); /* the access flags follow */
    class_build_init(&build, 69);
    put_u1(&build.pool, 5);
    put_u4(&build.pool, 0);
    put_u4(&build.pool, 0);
    build.constant_count = 2;
    expect_bad(&build, "takes two indices, but is the last");
    class_build_init(&build, 69);
    add_utf8(&build, "longer than what is left");
    build.pool.size -= 3;
    expect_bad(&build, "ends inside its 24 bytes of text");
}

static void checks_bootstrap_numbers(void **state)
{
    (void)state;
    begin(55);
    add_u2_u2(&build, 17, 0, add_name_and_type(&build, "d", "I"));
    expect_bad(&build, "bootstrap method number 0, but the class has 0");
    begin(55);
    add_u2_u2(&build, 17, 0, add_name_and_type(&build, "d", "()V"));
    expect_bad(&build, "is not a field descriptor");
    begin(55);
    add_u2_u2(&build, 18, 0, add_name_and_type(&build, "d", "I"));
    expect_bad(&build, "is not a method descriptor");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_kind),
        cmocka_unit_test(reads_forward_references),
        cmocka_unit_test(names_the_constant_and_the_byte),
        cmocka_unit_test(refuses_wrong_references),
        cmocka_unit_test(refuses_bad_names),
        cmocka_unit_test(takes_any_initializer_that_nobody_calls),
        cmocka_unit_test(checks_method_handles),
        cmocka_unit_test(knows_which_version_has_what),
        cmocka_unit_test(checks_texts),
        cmocka_unit_test(refuses_impossible_counts),
        cmocka_unit_test(checks_bootstrap_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
