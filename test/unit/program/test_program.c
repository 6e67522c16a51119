#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program/hierarchy.h"
#include "program/program_fixture.h"

#define OBJECT                                                                                     \
    {                                                                                              \
        .access = 0x21, .name = "java/lang/Object"                                                 \
    }

static void test_application_classes_are_numbered_by_name(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        {.access = 0x21, .name = "p/C", .super = "p/Absent"},
        OBJECT,
        {.access = 0x21,
         .name = "p/A",
         .super = "java/lang/Object",
         .methods = {{0x401, "b", "()V", NULL, 0}, {0x401, "a", "()V", NULL, 0}}},
    };
    struct program_fixture fixture;
    fixture_load(&fixture, samples, 3);
    const struct program *program = &fixture.program;
    assert_int_equal(program->application_count, 3);
    assert_text(program->classes[0].name, "java/lang/Object");
    assert_text(program->classes[1].name, "p/A");
    assert_text(program->classes[2].name, "p/C");
    assert_int_equal(program->object, 0);
    /* Methods keep the order of their class file. */
    assert_int_equal(program->classes[1].method_count, 2);
    assert_text(program_method_name(program, program->classes[1].first_method), "b");
    assert_text(program_method_descriptor(program, program->classes[1].first_method + 1), "()V");
    assert_int_equal(program_find_method(program, "p/A", "a", "()V"),
                     program->classes[1].first_method + 1);
    assert_int_equal(program_find_method(program, "p/A", "a", "()I"), PROGRAM_NONE);
    assert_int_equal(program_find_class(program, TEXT("p/B")), PROGRAM_NONE);
    /* Arrays have java/lang/Object's methods. */
    assert_int_equal(program_find_class(program, TEXT("[I")), program->object);
    fixture_close(&fixture);
}

static void test_missing_classes_are_there_and_marked(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x21, .name = "p/A", .super = "p/Absent", .interfaces = {"p/Gone"}},
        {.access = 0x21, .name = "p/B", .super = "p/A"},
        {.access = 0x21, .name = "p/Whole", .super = "java/lang/Object"},
    };
    struct program_fixture fixture;
    fixture_load(&fixture, samples, 4);
    const struct program *program = &fixture.program;
    const struct program_class *absent = &program->classes[class_number(&fixture, "p/Absent")];
    assert_true(absent->missing);
    assert_false(absent->application);
    assert_null(absent->class_file);
    assert_int_equal(program->missing_count, 2);
    assert_true(program->classes[class_number(&fixture, "p/B")].incomplete);
    assert_false(program->classes[class_number(&fixture, "p/B")].missing);
    assert_false(program->classes[class_number(&fixture, "p/Whole")].incomplete);
    assert_true(hierarchy_is_subtype(program, class_number(&fixture, "p/B"),
                                     class_number(&fixture, "p/Gone")));
    fixture_close(&fixture);
}

static void test_first_definition_on_the_class_path_wins(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x21,
         .name = "p/A",
         .super = "java/lang/Object",
         .methods = {{0x401, "first", "()V", NULL, 0}}},
        {.access = 0x21,
         .name = "p/A",
         .super = "java/lang/Object",
         .methods = {{0x401, "second", "()V", NULL, 0}}},
    };
    struct program_fixture fixture;
    fixture_load(&fixture, samples, 3);
    assert_int_equal(fixture.program.application_count, 2);
    assert_int_equal(fixture.program.duplicate_count, 1);
    assert_int_not_equal(program_find_method(&fixture.program, "p/A", "first", "()V"),
                         PROGRAM_NONE);
    assert_int_equal(program_find_method(&fixture.program, "p/A", "second", "()V"), PROGRAM_NONE);
    fixture_close(&fixture);
}

static void test_bytes_that_are_no_class_are_refused(void **unused)
{
    (void)unused;
    struct program_fixture fixture;
    fixture_open(&fixture);
    assert_false(program_add_class(&fixture.program, TEXT("bad"), "\xCA\xFE\xBA\xBE\0\0", 6,
                                   &fixture.problem));
    assert_true(fixture.problem.set);
    problem_clear(&fixture.problem);
    fixture_link(&fixture);
    assert_int_equal(fixture.program.application_count, 0);
    fixture_close(&fixture);
}

static void test_circular_hierarchies_are_cut(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x21, .name = "p/A", .super = "p/B"},
        {.access = 0x21, .name = "p/B", .super = "p/C"},
        {.access = 0x21, .name = "p/C", .super = "p/A", .interfaces = {"p/I", "p/K"}},
        {.access = 0x601, .name = "p/I", .super = "java/lang/Object", .interfaces = {"p/J"}},
        {.access = 0x601, .name = "p/J", .super = "java/lang/Object", .interfaces = {"p/I", "p/K"}},
        {.access = 0x601, .name = "p/K", .super = "java/lang/Object"},
        {.access = 0x601, .name = "p/Self", .super = "java/lang/Object", .interfaces = {"p/Self"}},
    };
    struct program_fixture fixture;
    fixture_load(&fixture, samples, sizeof samples / sizeof *samples);
    const struct program *program = &fixture.program;
    unsigned circular = 0;
    for (uint32_t i = 0; i < program->class_count; i++)
        circular += program->classes[i].circular;
    /* One class in each of the three cycles: the chain, the pair and the self-loop. */
    assert_int_equal(circular, 3);
    /* What stood behind the cut link is still there. */
    assert_true(hierarchy_is_subtype(program, class_number(&fixture, "p/J"),
                                     class_number(&fixture, "p/K")));
    assert_true(hierarchy_is_subtype(program, class_number(&fixture, "p/A"),
                                     class_number(&fixture, "p/K")));
    fixture_close(&fixture);
}

static void test_subtypes(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x601, .name = "p/I", .super = "java/lang/Object"},
        {.access = 0x601, .name = "p/J", .super = "java/lang/Object", .interfaces = {"p/I"}},
        {.access = 0x601, .name = "p/Lonely", .super = "java/lang/Object"},
        {.access = 0x21, .name = "p/A", .super = "java/lang/Object"},
        {.access = 0x21, .name = "p/B", .super = "p/A", .interfaces = {"p/J"}},
        {.access = 0x21, .name = "p/C", .super = "p/B"},
        {.access = 0x21, .name = "p/D", .super = "p/A"},
    };
    struct program_fixture fixture;
    fixture_load(&fixture, samples, sizeof samples / sizeof *samples);
    const struct program *program = &fixture.program;
    uint32_t a = class_number(&fixture, "p/A"), b = class_number(&fixture, "p/B");
    uint32_t c = class_number(&fixture, "p/C"), d = class_number(&fixture, "p/D");
    uint32_t i = class_number(&fixture, "p/I"), object = program->object;
    assert_true(hierarchy_is_subtype(program, c, a));
    assert_true(hierarchy_is_subtype(program, c, i));
    assert_true(hierarchy_is_subtype(program, i, object));
    assert_true(hierarchy_is_subtype(program, a, a));
    assert_false(hierarchy_is_subtype(program, a, c));
    assert_false(hierarchy_is_subtype(program, d, i));
    assert_false(hierarchy_is_subclass(program, c, i));
    assert_int_equal(hierarchy_subtypes(program, a).count, 4);
    assert_int_equal(hierarchy_subtypes(program, i).count, 4); /* itself, J, B, C */
    assert_int_equal(hierarchy_subtypes(program, class_number(&fixture, "p/Lonely")).count, 1);
    assert_int_equal(hierarchy_subtypes(program, object).count, 8);
    assert_int_equal(hierarchy_common_superclass(program, c, d), a);
    assert_int_equal(hierarchy_common_superclass(program, b, c), b);
    assert_int_equal(hierarchy_common_superclass(program, c, i), object);
    struct type_hierarchy types = program_type_hierarchy(program);
    assert_text(types.common_superclass(types.context, TEXT("p/D"), TEXT("p/C")), "p/A");
    assert_text(types.common_superclass(types.context, TEXT("p/D"), TEXT("p/Nowhere")),
                "java/lang/Object");
    fixture_close(&fixture);
}

/* A recursive walk would not survive this. */
static void test_deep_hierarchies(void **unused)
{
    (void)unused;
    enum { DEPTH = 5000 };
    struct program_fixture fixture;
    fixture_open(&fixture);
    static const struct sample object = OBJECT;
    fixture_add_sample(&fixture, &object);
    for (unsigned i = 0; i < DEPTH; i++) {
        char name[32], super[32];
        snprintf(name, sizeof name, "p/C%u", i);
        snprintf(super, sizeof super, "p/C%u", i - 1);
        struct sample sample = {
            .access = 0x21, .name = name, .super = i ? super : "java/lang/Object"};
        fixture_add_sample(&fixture, &sample);
    }
    fixture_link(&fixture);
    uint32_t top = class_number(&fixture, "p/C0"), bottom = class_number(&fixture, "p/C4999");
    assert_true(hierarchy_is_subtype(&fixture.program, bottom, top));
    assert_false(hierarchy_is_subtype(&fixture.program, top, bottom));
    assert_int_equal(hierarchy_subtypes(&fixture.program, top).count, DEPTH);
    fixture_close(&fixture);
}

/* A chain of interfaces needs a table of n*n/2 entries: refused, not attempted. */
static void test_too_deep_interfaces_are_refused(void **unused)
{
    (void)unused;
    enum { DEPTH = 7000 };
    struct program_fixture fixture;
    fixture_open(&fixture);
    for (unsigned i = 0; i < DEPTH; i++) {
        char name[32], super[32];
        snprintf(name, sizeof name, "p/I%u", i);
        snprintf(super, sizeof super, "p/I%u", i - 1);
        struct sample sample = {.access = 0x601, .name = name, .super = "java/lang/Object"};
        sample.interfaces[0] = i ? super : NULL;
        fixture_add_sample(&fixture, &sample);
    }
    assert_false(program_link(&fixture.program, &fixture.diagnostics, &fixture.problem));
    assert_non_null(strstr(fixture.problem.reason, "too many superinterfaces"));
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_application_classes_are_numbered_by_name),
        cmocka_unit_test(test_missing_classes_are_there_and_marked),
        cmocka_unit_test(test_first_definition_on_the_class_path_wins),
        cmocka_unit_test(test_bytes_that_are_no_class_are_refused),
        cmocka_unit_test(test_circular_hierarchies_are_cut),
        cmocka_unit_test(test_subtypes),
        cmocka_unit_test(test_deep_hierarchies),
        cmocka_unit_test(test_too_deep_interfaces_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
