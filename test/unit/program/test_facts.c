/*
 * Entry points, reachability and fields where Java source cannot easily say it: see also
 * test/java/program.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program/entry_points.h"
#include "program/field_facts.h"
#include "program/program_fixture.h"
#include "program/reachability.h"

#define RETURN CODE("\xB1")
#define STRINGS "([Ljava/lang/String;)V"

#define OBJECT                                                                                     \
    {                                                                                              \
        .access = 0x21, .name = "java/lang/Object", .methods = {                                   \
            {0x1, "<init>", "()V", RETURN},                                                        \
        }                                                                                          \
    }

struct facts_fixture {
    struct program_fixture base;
    struct call_graph graph;
    struct entry_points entries;
    struct field_facts facts;
    struct reachability reachability;
};

static void open_facts(struct facts_fixture *fixture, const struct sample *samples, size_t count,
                       bool open_world)
{
    struct call_graph_options options = {.workers = 1};
    struct field_facts_options fact_options = {.open_world = open_world};
    struct problem *problem = &fixture->base.problem;
    fixture_load(&fixture->base, samples, count);
    assert_true(call_graph_build(&fixture->graph, &fixture->base.program, &options,
                                 &fixture->base.diagnostics, problem));
    assert_true(entry_points_find(&fixture->entries, &fixture->graph, problem));
    assert_true(field_facts_build(&fixture->facts, &fixture->graph, &fact_options, problem));
    assert_true(reachability_compute(&fixture->reachability, &fixture->graph, &fixture->entries,
                                     REACHABILITY_DEFAULT, problem));
}

static void close_facts(struct facts_fixture *fixture)
{
    reachability_release(&fixture->reachability);
    field_facts_release(&fixture->facts);
    entry_points_release(&fixture->entries);
    call_graph_release(&fixture->graph);
    fixture_close(&fixture->base);
}

static uint32_t method(const struct facts_fixture *fixture, const char *class_name,
                       const char *name, const char *descriptor)
{
    uint32_t id = program_find_method(&fixture->base.program, class_name, name, descriptor);
    assert_int_not_equal(id, PROGRAM_NONE);
    return id;
}

static bool is_entry(const struct facts_fixture *fixture, const char *class_name, const char *name,
                     const char *descriptor, enum entry_kind kind)
{
    uint32_t count;
    const struct entry_point *entries =
        entry_points_of(&fixture->entries, method(fixture, class_name, name, descriptor), &count);
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].kind == kind)
            return true;
    return false;
}

/* Up to Java 24 only public static void main(String[]); Java 25 (69) takes others (JEP 512). */
static void test_main(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x21,
         .name = "p/Old",
         .super = "java/lang/Object",
         .methods = {{0x1, "<init>", "()V", RETURN},
                     {0x9, "main", STRINGS, RETURN},
                     {0x9, "main", "()V", RETURN}}},
        {.access = 0x21,
         .name = "p/OldHidden",
         .super = "java/lang/Object",
         .methods = {{0x8, "main", STRINGS, RETURN}}},
        {.access = 0x21,
         .name = "p/New",
         .super = "java/lang/Object",
         .major = 69,
         .methods = {{0x0, "<init>", "()V", RETURN},
                     {0x0, "main", "()V", RETURN},
                     {0x9, "main", "(I)V", RETURN}}},
        {.access = 0x21,
         .name = "p/NewStatic",
         .super = "java/lang/Object",
         .major = 69,
         .methods = {{0x8, "main", STRINGS, RETURN}}},
        {.access = 0x21,
         .name = "p/NewPrivate",
         .super = "java/lang/Object",
         .major = 69,
         .methods = {{0xA, "main", STRINGS, RETURN}}},
        {.access = 0x21,
         .name = "p/NewUnmade",
         .super = "java/lang/Object",
         .major = 69,
         .methods = {{0x2, "<init>", "()V", RETURN}, {0x0, "main", "()V", RETURN}}},
        /* The launcher makes an object of the class that it is given, which may inherit main. */
        {.access = 0x21,
         .name = "p/NewHeir",
         .super = "p/New",
         .major = 69,
         .methods = {{0x0, "<init>", "()V", RETURN}}},
        /* The launcher looks for main(String[]) first. */
        {.access = 0x21,
         .name = "p/NewBoth",
         .super = "java/lang/Object",
         .major = 69,
         .methods = {{0x0, "<init>", "()V", RETURN},
                     {0x0, "main", "()V", RETURN},
                     {0x9, "main", STRINGS, RETURN}}},
        {.access = 0x21,
         .name = "p/NewOther",
         .super = "java/lang/Object",
         .major = 69,
         .methods = {{0x0, "<init>", "()V", RETURN}, {0x0, "run", "()V", RETURN}}},
    };
    struct facts_fixture fixture;
    open_facts(&fixture, samples, sizeof samples / sizeof *samples, false);
    assert_true(is_entry(&fixture, "p/Old", "main", STRINGS, ENTRY_MAIN));
    assert_false(is_entry(&fixture, "p/Old", "main", "()V", ENTRY_MAIN));
    assert_false(is_entry(&fixture, "p/OldHidden", "main", STRINGS, ENTRY_MAIN));
    assert_true(is_entry(&fixture, "p/New", "main", "()V", ENTRY_MAIN));
    assert_false(is_entry(&fixture, "p/New", "main", "(I)V", ENTRY_MAIN));
    assert_true(is_entry(&fixture, "p/NewStatic", "main", STRINGS, ENTRY_MAIN));
    assert_false(is_entry(&fixture, "p/NewPrivate", "main", STRINGS, ENTRY_MAIN));
    assert_false(is_entry(&fixture, "p/NewUnmade", "main", "()V", ENTRY_MAIN));
    assert_false(is_entry(&fixture, "p/NewUnmade", "<init>", "()V", ENTRY_MAIN));
    assert_true(is_entry(&fixture, "p/New", "<init>", "()V", ENTRY_MAIN));
    assert_true(is_entry(&fixture, "p/NewBoth", "main", STRINGS, ENTRY_MAIN));
    assert_false(is_entry(&fixture, "p/NewBoth", "main", "()V", ENTRY_MAIN));
    assert_false(is_entry(&fixture, "p/NewBoth", "<init>", "()V", ENTRY_MAIN));
    assert_true(is_entry(&fixture, "p/NewHeir", "<init>", "()V", ENTRY_MAIN));
    assert_false(is_entry(&fixture, "p/Old", "<init>", "()V", ENTRY_MAIN));
    assert_false(is_entry(&fixture, "p/NewOther", "<init>", "()V", ENTRY_MAIN));
    close_facts(&fixture);
}

/* The servlet API is rarely among the inputs; its subclasses are known by its name. */
static void test_entries_through_missing_classes(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x421,
         .name = "p/Base",
         .super = "javax/servlet/http/HttpServlet",
         .methods = {{0x4, "doPost", "(Lx;)V", RETURN}, {0x2, "doSecretly", "(Lx;)V", RETURN}}},
        {.access = 0x21,
         .name = "p/Page",
         .super = "p/Base",
         .methods = {{0x4, "doGet", "(Lx;)V", RETURN},
                     {0x1, "help", "()V", RETURN},
                     {0x9, "doStatic", "()V", RETURN}}},
    };
    struct facts_fixture fixture;
    open_facts(&fixture, samples, 3, false);
    assert_true(is_entry(&fixture, "p/Page", "doGet", "(Lx;)V", ENTRY_CONTAINER));
    assert_true(is_entry(&fixture, "p/Base", "doPost", "(Lx;)V", ENTRY_CONTAINER));
    assert_false(is_entry(&fixture, "p/Base", "doSecretly", "(Lx;)V", ENTRY_CONTAINER));
    assert_false(is_entry(&fixture, "p/Page", "help", "()V", ENTRY_CONTAINER));
    assert_false(is_entry(&fixture, "p/Page", "doStatic", "()V", ENTRY_CONTAINER));
    assert_int_equal(fixture.reachability.from[method(&fixture, "p/Page", "doGet", "(Lx;)V")],
                     REACHABILITY_KIND(ENTRY_CONTAINER));
    assert_int_equal(fixture.reachability.from[method(&fixture, "p/Page", "doStatic", "()V")], 0);
    close_facts(&fixture);
}

static enum field_fact fact(const struct facts_fixture *fixture, const char *name)
{
    uint32_t field = program_find_field(&fixture->base.program, "p/A", name, "I");
    assert_int_not_equal(field, PROGRAM_NONE);
    return field_fact_of(&fixture->facts, field);
}

/* this.a = 1; this.b = 1, each behind super(). */
static const struct sample assigning[] = {
    OBJECT,
    {.access = 0x21,
     .name = "p/A",
     .super = "java/lang/Object",
     .references = {{10, "java/lang/Object", "<init>", "()V"},
                    {9, "p/A", "a", "I"},
                    {9, "p/A", "b", "I"}},
     .fields = {{0x2, "a", "I", NULL, 0}, {0x1, "b", "I", NULL, 0}},
     .methods = {{0x1, "<init>", "()V",
                  CODE("\x2A\xB7\x00\x06\x2A\x04\xB5\x00\x0C\x2A\x04\xB5\x00\x12\xB1")}}},
};

static void test_open_world(void **unused)
{
    (void)unused;
    struct facts_fixture fixture;
    open_facts(&fixture, assigning, 2, false);
    assert_int_equal(fact(&fixture, "a"), FIELD_EFFECTIVELY_FINAL);
    assert_int_equal(fact(&fixture, "b"), FIELD_EFFECTIVELY_FINAL);
    close_facts(&fixture);
    open_facts(&fixture, assigning, 2, true);
    assert_int_equal(fact(&fixture, "a"), FIELD_EFFECTIVELY_FINAL); /* private */
    assert_int_equal(fact(&fixture, "b"), FIELD_OPEN);
    close_facts(&fixture);
}

/* Up to version 52 any method of the class may assign its final fields; from 53 on the JVM refuses
   that, and always where another class does. */
static void test_final_fields_assigned_by_methods(void **unused)
{
    (void)unused;
    struct sample samples[] = {
        OBJECT,
        {.access = 0x21,
         .name = "p/A",
         .super = "java/lang/Object",
         .major = 52,
         .references = {{9, "p/A", "a", "I"}},
         .fields = {{0x10, "a", "I", NULL, 0}, {0x10, "b", "I", NULL, 0}},
         .methods = {{0x1, "set", "()V", CODE("\x2A\x04\xB5\x00\x06\xB1")}}},
        {.access = 0x21,
         .name = "p/B",
         .super = "java/lang/Object",
         .major = 52,
         .references = {{9, "p/A", "b", "I"}},
         .methods = {{0x9, "set", "(Lp/A;)V", CODE("\x2A\x04\xB5\x00\x06\xB1")}}},
    };
    struct facts_fixture fixture;
    open_facts(&fixture, samples, 3, false);
    assert_int_equal(fact(&fixture, "a"), FIELD_ASSIGNED_ELSEWHERE);
    assert_int_equal(fact(&fixture, "b"), FIELD_FINAL);
    close_facts(&fixture);
    samples[1].major = 53;
    open_facts(&fixture, samples, 3, false);
    assert_int_equal(fact(&fixture, "a"), FIELD_FINAL);
    close_facts(&fixture);
}

/* Bytecode that no Java compiler makes. */
static void test_odd_constructors(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x21,
         .name = "p/A",
         .super = "java/lang/Object",
         .references = {{10, "java/lang/Object", "<init>", "()V"},
                        {9, "p/A", "a", "I"},
                        {9, "p/A", "b", "I"},
                        {9, "p/A", "c", "I"}},
         .fields = {{0x2, "a", "I", NULL, 0}, {0x2, "b", "I", NULL, 0}, {0x2, "c", "I", NULL, 0}},
         /* `a` before super(); local 0 replaced by the parameter, through which `b` is assigned;
            `c` through a copy of `this` that went over dup_x1 and swap. */
         .methods = {{0x1, "<init>", "(Lp/A;)V",
                      CODE("\x2A\x04\xB5\x00\x0C" /* aload_0 iconst_1 putfield a */
                           "\x2A\xB7\x00\x06"     /* aload_0 invokespecial */
                           "\x2A\x4D"             /* aload_0 astore_2 */
                           "\x2B\x4B"             /* aload_1 astore_0 */
                           "\x2A\x04\xB5\x00\x12" /* aload_0 iconst_1 putfield b */
                           "\x04\x2C\x5A\x57"     /* iconst_1 aload_2 dup_x1 pop */
                           "\x5F\x5F\xB5\x00\x18" /* swap swap putfield c */
                           "\xB1")}}},
    };
    struct facts_fixture fixture;
    open_facts(&fixture, samples, 2, false);
    assert_int_equal(fact(&fixture, "a"), FIELD_EFFECTIVELY_FINAL);
    assert_int_equal(fact(&fixture, "b"), FIELD_ASSIGNED_ELSEWHERE);
    assert_int_equal(fact(&fixture, "c"), FIELD_EFFECTIVELY_FINAL);
    close_facts(&fixture);
}

/* Stack underflow: nothing is claimed of fields whose constructor cannot be followed. */
static void test_constructors_that_cannot_be_followed(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x21,
         .name = "p/A",
         .super = "java/lang/Object",
         .references = {{9, "p/A", "a", "I"}},
         .fields = {{0x2, "a", "I", NULL, 0}},
         .methods = {{0x1, "<init>", "()V", CODE("\x57\x2A\x04\xB5\x00\x06\xB1")}}},
    };
    struct facts_fixture fixture;
    open_facts(&fixture, samples, 2, false);
    assert_int_equal(fact(&fixture, "a"), FIELD_BAD_CODE);
    close_facts(&fixture);
}

/* Each store is told to each handler, and what is told are all locals: no compiler makes so much of
   it, and nothing is claimed. With few handlers the same code is followed. */
static void test_constructors_that_take_too_long(void **unused)
{
    (void)unused;
    enum { STORES = 150, HANDLERS = 150, SUPER = 4, HANDLERS_AT = SUPER + 5 * STORES + 1 };
    static char code[HANDLERS_AT + HANDLERS];
    memcpy(code, "\x2A\xB7\x00\x06", SUPER); /* aload_0 invokespecial */
    for (unsigned i = 0; i < STORES; i++)    /* aload_0 iconst_1 putfield */
        memcpy(code + SUPER + i * 5, "\x2A\x04\xB5\x00\x0C", 5);
    code[HANDLERS_AT - 1] = '\xB1';
    memset(code + HANDLERS_AT, 0xBF, HANDLERS); /* athrow */
    struct sample samples[] = {
        OBJECT,
        {.access = 0x21,
         .name = "p/A",
         .super = "java/lang/Object",
         .references = {{10, "java/lang/Object", "<init>", "()V"}, {9, "p/A", "a", "I"}},
         .fields = {{0x2, "a", "I", NULL, 0}},
         .methods = {{0x1, "<init>", "()V", code, sizeof code}},
         .locals = 16384,
         .handler_count = 2,
         .protected_from = SUPER,
         .handlers_at = HANDLERS_AT},
    };
    struct facts_fixture fixture;
    open_facts(&fixture, samples, 2, false);
    assert_int_equal(fact(&fixture, "a"), FIELD_ASSIGNED_TWICE);
    close_facts(&fixture);
    samples[1].handler_count = HANDLERS;
    open_facts(&fixture, samples, 2, false);
    assert_int_equal(fact(&fixture, "a"), FIELD_BAD_CODE);
    close_facts(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_main),
        cmocka_unit_test(test_entries_through_missing_classes),
        cmocka_unit_test(test_open_world),
        cmocka_unit_test(test_final_fields_assigned_by_methods),
        cmocka_unit_test(test_odd_constructors),
        cmocka_unit_test(test_constructors_that_cannot_be_followed),
        cmocka_unit_test(test_constructors_that_take_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
