/*
 * Lock types over several classes: owners, inheritance, the defaults of Race Free Java, and what
 * line tables lead to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "locktypes/lock_fixture.h"

#define BAD FINDING_BAD_ANNOTATION

/* ---- owners ---- */

static const struct sample stack[] = {
    OBJECT_CLASS,
    {.access = 0x21,
     .name = "TStack",
     .super = "java/lang/Object",
     .fields = {{0, "head", "LTNode;", NULL, 0}},
     .methods = {{0x1, "push", "(LT;)V", RETURN}, {0x1, "pop", "()LT;", RETURN}}},
    {.access = 0x21,
     .name = "TNode",
     .super = "java/lang/Object",
     .fields = {{0, "value", "LT;", NULL, 0}, {0, "next", "LTNode;", NULL, 0}},
     .methods = {{0x9, "swap", "(LT;LT;)V", RETURN}, {0x1, "one", "(LT;)V", RETURN}}},
    {.access = 0x21, .name = "T", .super = "java/lang/Object", .fields = {{0, "x", "I", NULL, 0}}},
    {.access = 0x21,
     .name = "Sub",
     .super = "TStack",
     .fields = {{0, "plain", "LPlain;", NULL, 0}, {0, "all", "[LT;", NULL, 0}},
     .methods = {{0x1, "push", "(LT;)V", RETURN}}},
    {.access = 0x21, .name = "Plain", .super = "java/lang/Object"},
};

/* Figure 3 of EPAJ. */
static void test_owners(void **unused)
{
    (void)unused;
    struct lock_fixture fixture;
    locks_open(&fixture, stack, COUNT(stack));
    locks_say(&fixture, SOURCE_LOCKS_FILE,
              "class TStack<thisOwner, TOwner> {\n"
              "  TNode<thisOwner$this, TOwner> head guarded_by thisOwner;\n"
              "  void push(T<TOwner>) requires thisOwner;\n"
              "  T<TOwner> pop() requires thisOwner;\n"
              "}\n"
              "class TNode<thisOwner, TOwner> {\n"
              "  T<TOwner> value guarded_by thisOwner;\n"
              "  TNode<thisOwner, TOwner> next guarded_by thisOwner;\n"
              "  static void swap(T<g1> a, T<g1> b) requires g1$a, g1$b;\n"
              "  void one(T<g> a) requires g;\n"
              "}\n"
              "class T<thisOwner> { int x guarded_by thisOwner; }\n"
              "class Sub<a, b> extends TStack<b, self> { Plain<unique> plain; T<a>[] all; }\n");
    locks_bind(&fixture, DEFAULTS_BELIEF);
    locks_assert_problems(&fixture, NULL, 0);
    const struct lock_types *types = &fixture.types;
    uint32_t head = locks_field(&fixture, "TStack", "head");
    uint32_t class_id = class_number(&fixture.base, "TStack");
    locks_assert_guard(&fixture, "TStack", "head", "thisOwner$this");
    locks_assert_list(&fixture, lock_types_field(types, head)->owners, class_id, PROGRAM_NONE,
                      "thisOwner$this, TOwner");
    uint32_t push = locks_method(&fixture, "TStack", "push", "(LT;)V");
    locks_assert_list(&fixture, lock_types_method(types, push)->parameter_owners[1], class_id, push,
                      "TOwner");
    uint32_t pop = locks_method(&fixture, "TStack", "pop", "()LT;");
    locks_assert_list(&fixture, lock_types_method(types, pop)->result_owners, class_id, pop,
                      "TOwner");
    locks_assert_requires(&fixture, "TNode", "swap", "(LT;LT;)V", "g1$parameter 1, g1$parameter 2");
    locks_assert_requires(&fixture, "TNode", "one", "(LT;)V", "g$parameter 1");
    /* Inherited, in the formals of the class that inherits. */
    locks_assert_requires(&fixture, "Sub", "push", "(LT;)V", "b$this");
    uint32_t sub_push = locks_method(&fixture, "Sub", "push", "(LT;)V");
    uint32_t sub = class_number(&fixture.base, "Sub");
    assert_false(lock_types_declares_method(types, sub_push));
    locks_assert_list(&fixture, lock_types_method(types, sub_push)->parameter_owners[1], sub,
                      sub_push, "self");
    locks_assert_list(&fixture, lock_types_class(types, sub)->super_owners, sub, PROGRAM_NONE,
                      "b, self");
    locks_close(&fixture);
}

static void test_bad_owners(void **unused)
{
    (void)unused;
    static const struct expected_problem expected[] = {
        {1, BAD, "there are two formals 'a'"},
        {3, BAD, "TNode has 2 formals, but there is 1 owner here"},
        {4, BAD, "'g1' is the owner of several parameters"},
        {6, BAD, "'T' is not the superclass"},
        {6, BAD, "Plain has no formals"},
        {7, BAD, "'Plain' cannot extend itself"},
        {8, BAD, "there is no class 'Nobody'"},
        {8, BAD, "primitive type has no owner"},
    };
    struct lock_fixture fixture;
    locks_open(&fixture, stack, COUNT(stack));
    locks_say(&fixture, SOURCE_LOCKS_FILE,
              "class TStack<a, a> { }\n"
              "class TNode<o, p> {\n"
              "  TNode<o> next;\n"
              "  static void swap(T<g1> a, T<g1> b) requires g1;\n"
              "}\n"
              "class Sub extends T { Plain<this> plain; }\n"
              "class Plain extends Plain { }\n"
              "class T<ghost Nobody n> { int<self> x; }\n");
    locks_bind(&fixture, DEFAULTS_BELIEF);
    locks_assert_problems(&fixture, expected, COUNT(expected));
    assert_int_equal(
        lock_types_field(&fixture.types, locks_field(&fixture, "TNode", "next"))->owners.count, 0);
    locks_close(&fixture);
}

/* ---- inheritance ---- */

static const struct sample family[] = {
    OBJECT_CLASS,
    {.access = 0x601,
     .name = "ATask",
     .super = "java/lang/Object",
     .methods = {{0x401, "run", "(" OBJECT ")V", NULL, 0}}},
    {.access = 0x601,
     .name = "CloserTask",
     .super = "java/lang/Object",
     .interfaces = {"ATask"},
     .methods = {{0x401, "run", "(" OBJECT ")V", NULL, 0}}},
    {.access = 0x21,
     .name = "Base",
     .super = "java/lang/Object",
     .methods = {{0x1, "work", "(" OBJECT ")V", RETURN},
                 {0x2, "hidden", "()V", RETURN},
                 {0x9, "fixed", "()V", RETURN}}},
    {.access = 0x21,
     .name = "Middle",
     .super = "Base",
     .methods = {{0x1, "work", "(" OBJECT ")V", RETURN},
                 {0x1, "hidden", "()V", RETURN},
                 {0x9, "fixed", "()V", RETURN}}},
    {.access = 0x21,
     .name = "Last",
     .super = "Middle",
     .interfaces = {"CloserTask"},
     .references = {{10, "Last", "run", "(LLast;)V"}},
     .methods = {{0x1, "work", "(" OBJECT ")V", RETURN},
                 {0x1, "run", "(LLast;)V", RETURN},
                 {0x1041, "run", "(" OBJECT ")V", CODE("\x2A\x01\xB6\x00\x06\xB1")}}},
    {.access = 0x21,
     .name = "AfterLast",
     .super = "Last",
     .methods = {{0x1, "run", "(LLast;)V", RETURN}}},
};

static void test_inheritance(void **unused)
{
    (void)unused;
    struct lock_fixture fixture;
    locks_open(&fixture, family, COUNT(family));
    locks_say(&fixture, SOURCE_LOCKS_FILE,
              "class Base { void work(Object a) requires a atomic; void hidden() requires this;\n"
              "  static void fixed() requires Base.class; }\n"
              "class Middle { void work(Object a) requires nothing; }\n"
              "class ATask { void run(Object o) requires o calls o; }\n"
              "class CloserTask { void run(Object o) requires this; }\n");
    locks_bind(&fixture, DEFAULTS_BELIEF);
    locks_assert_problems(&fixture, NULL, 0);
    const struct lock_types *types = &fixture.types;
    uint32_t middle = locks_method(&fixture, "Middle", "work", "(" OBJECT ")V");
    uint32_t last = locks_method(&fixture, "Last", "work", "(" OBJECT ")V");
    /* `requires nothing` is said, the atomicity is not. */
    assert_true(lock_types_declares_method(types, middle));
    assert_int_equal(lock_types_method(types, middle)->requires.count, 0);
    assert_non_null(lock_types_method(types, middle)->atomicity);
    assert_false(lock_types_declares_method(types, last));
    assert_true(lock_types_method(types, last)->has_requires);
    assert_int_equal(lock_types_method(types, last)->requires.count, 0);
    assert_non_null(lock_types_method(types, last)->atomicity);
    /* Private and static methods are not overridden. */
    assert_false(
        lock_types_method(types, locks_method(&fixture, "Middle", "hidden", "()V"))->has_requires);
    assert_false(
        lock_types_method(types, locks_method(&fixture, "Middle", "fixed", "()V"))->has_requires);
    /* The closer interface counts; what it does not say comes from the other one. The bridge
       overrides, and the method behind it has the same, as have those that override that. */
    static const struct {
        const char *class_name, *descriptor;
    } runs[] = {{"Last", "(" OBJECT ")V"}, {"Last", "(LLast;)V"}, {"AfterLast", "(LLast;)V"}};
    for (size_t i = 0; i < COUNT(runs); i++) {
        uint32_t run = locks_method(&fixture, runs[i].class_name, "run", runs[i].descriptor);
        locks_assert_requires(&fixture, runs[i].class_name, "run", runs[i].descriptor, "this");
        assert_int_equal(lock_types_method(types, run)->effect_count, 1);
        assert_false(lock_types_declares_method(types, run));
    }
    locks_close(&fixture);
}

/* ---- defaults ---- */

static const struct sample unannotated[] = {
    OBJECT_CLASS,
    {.access = 0x21, .name = "java/lang/Thread", .super = "java/lang/Object"},
    {.access = 0x21,
     .name = "Plain",
     .super = "java/lang/Object",
     .fields = {{0, "f", "I", NULL, 0}, {STATIC, "s", "I", NULL, 0}}},
    {.access = 0x21,
     .name = "Shared",
     .super = "Plain",
     .fields = {{0, "f", "I", NULL, 0},
                {STATIC, "s", "I", NULL, 0},
                {FINAL, "fixed", "I", NULL, 0},
                {VOLATILE, "v", "I", NULL, 0},
                {SYNTHETIC, "generated", "I", NULL, 0}},
     .methods = {{0x21, "m", "()V", RETURN}}},
    {.access = 0x21,
     .name = "Worker",
     .super = "java/lang/Thread",
     .fields = {{0, "f", "I", NULL, 0}}},
    {.access = 0x21,
     .name = "Annotated",
     .super = "java/lang/Object",
     .fields = {{0, "f", "I", NULL, 0}, {0, "g", OBJECT, NULL, 0}}},
    {.access = 0x21,
     .name = "Immutable",
     .super = "java/lang/Object",
     .fields = {{0, "f", "I", NULL, 0}}},
};

static void test_defaults(void **unused)
{
    (void)unused;
    static const struct {
        const char *class_name;
        enum class_nature nature;
    } natures[] = {{"Plain", NATURE_THREAD_LOCAL},
                   {"Shared", NATURE_NONE},
                   {"Worker", NATURE_NONE},
                   {"Annotated", NATURE_NONE},
                   {"Immutable", NATURE_IMMUTABLE}};
    struct lock_fixture fixture;
    locks_open(&fixture, unannotated, COUNT(unannotated));
    locks_say(&fixture, SOURCE_COMMENT,
              "class Annotated { f guarded_by g; } immutable class Immutable { }");
    locks_bind(&fixture, DEFAULTS_RFJ);
    for (size_t i = 0; i < COUNT(natures); i++)
        assert_int_equal(
            lock_types_nature(&fixture.types, class_number(&fixture.base, natures[i].class_name)),
            natures[i].nature);
    locks_assert_guard(&fixture, "Plain", "f", "");
    locks_assert_guard(&fixture, "Plain", "s", "Plain.class");
    locks_assert_guard(&fixture, "Shared", "f", "this");
    locks_assert_guard(&fixture, "Shared", "s", "Shared.class");
    locks_assert_guard(&fixture, "Shared", "fixed", "");
    locks_assert_guard(&fixture, "Shared", "v", "");
    locks_assert_guard(&fixture, "Shared", "generated", "");
    locks_assert_guard(&fixture, "Worker", "f", "this");
    locks_assert_guard(&fixture, "Annotated", "f", "this.g");
    locks_assert_guard(&fixture, "Annotated", "g", "this");
    locks_assert_guard(&fixture, "Immutable", "f", "");
    const struct lock_types *types = &fixture.types;
    assert_int_equal(lock_types_field(types, locks_field(&fixture, "Shared", "f"))->basis,
                     FINDING_BASIS_DEFAULT);
    assert_int_equal(lock_types_field(types, locks_field(&fixture, "Annotated", "f"))->basis,
                     FINDING_BASIS_DECLARED);
    locks_close(&fixture);

    locks_open(&fixture, unannotated, COUNT(unannotated));
    locks_bind(&fixture, DEFAULTS_BELIEF);
    locks_assert_guard(&fixture, "Shared", "f", "");
    assert_int_equal(lock_types_nature(&fixture.types, class_number(&fixture.base, "Plain")),
                     NATURE_NONE);
    locks_close(&fixture);
}

/* ---- lines and allocations ---- */

/* class p.Maker { static void make() { at 0: line 5: new T (its constructor at line 6);
                                        at 7: line 8: new T, twice } }, of Maker.java */
static void add_maker(struct program_fixture *fixture)
{
    struct class_build *build = fixture->build;
    class_build_init(build, 61);
    uint16_t made = add_class(build, "p/T");
    uint16_t constructor = add_member(build, 10, "p/T", "<init>", "()V");
    uint16_t file = add_utf8(build, "Maker.java");
    put_class(build, 0x21, "p/Maker", "java/lang/Object");
    put_u2(&build->body, 0);
    put_u2(&build->body, 0);
    put_u2(&build->body, 1);
    put_member(build, 0x9, "make", "()V");
    put_u2(&build->body, 1);
    size_t code = begin_attribute(build, "Code");
    put_u2(&build->body, 4);
    put_u2(&build->body, 0);
    put_u4(&build->body, 3 * 7 + 1);
    for (int i = 0; i < 3; i++) {
        put_u1(&build->body, 0xBB);
        put_u2(&build->body, made);
        put_u1(&build->body, 0xB7);
        put_u2(&build->body, constructor);
        put_u1(&build->body, 0x00);
    }
    put_u1(&build->body, 0xB1);
    put_u2(&build->body, 0);
    put_u2(&build->body, 1);
    size_t lines = begin_attribute(build, "LineNumberTable");
    static const unsigned table[][2] = {{0, 5}, {3, 6}, {7, 8}};
    put_u2(&build->body, COUNT(table));
    for (size_t i = 0; i < COUNT(table); i++) {
        put_u2(&build->body, table[i][0]);
        put_u2(&build->body, table[i][1]);
    }
    end_attribute(build, lines);
    end_attribute(build, code);
    put_u2(&build->body, 1);
    put_index_attribute(build, "SourceFile", file);
    const struct build_bytes *bytes = class_build_finish(build);
    assert_true(program_add_class(&fixture->program, TEXT("sample"), bytes->bytes, bytes->size,
                                  &fixture->problem));
}

static struct syntax_lock special_owner(enum segment_kind kind, const char *written)
{
    struct syntax_segment *segment = malloc(sizeof *segment);
    assert_non_null(segment);
    *segment = (struct syntax_segment){.kind = kind};
    return (struct syntax_lock){
        .segments = segment, .segment_count = 1, .written = text_from(written)};
}

static struct syntax_line owners_line(uint32_t line, const char *type,
                                      const struct syntax_lock *owner)
{
    return (struct syntax_line){.kind = LINE_OWNERS,
                                .first = line,
                                .last = line,
                                .type = {.name = text_from(type), .owners = {owner, 1}}};
}

static void assert_allocation(const struct lock_types *types, uint32_t method, uint32_t offset,
                              enum term_kind kind)
{
    const struct term_list *owners = lock_types_allocation(types, method, offset);
    assert_non_null(owners);
    assert_int_equal(owners->count, 1);
    assert_int_equal(term_kind(&types->terms, owners->items[0]), kind);
}

static void test_lines(void **unused)
{
    (void)unused;
    static const struct sample made = {.access = 0x21, .name = "p/T", .super = "java/lang/Object"};
    struct program_fixture base;
    struct lock_types types;
    struct syntax_lock owners[] = {special_owner(SEGMENT_SELF, "self"),
                                   special_owner(SEGMENT_THIS_THREAD, "thisThread"),
                                   special_owner(SEGMENT_UNIQUE, "unique")};
    struct syntax_line lines[] = {
        owners_line(8, "T", &owners[1]),
        owners_line(8, "T", &owners[2]),
        owners_line(6, "p.T", &owners[0]),
        owners_line(9, "T", &owners[0]),
        {.kind = LINE_NO_WARN, .first = 2, .last = 2, .no_warn = {.all = true}},
    };
    lines[1].place.column = 9;
    for (size_t i = 0; i < COUNT(lines); i++)
        lines[i].file = TEXT("p/Maker.java");
    struct declarations declarations = {
        .source = SOURCE_COMMENT, .lines = lines, .line_count = COUNT(lines)};
    fixture_open(&base);
    fixture_add_sample(&base, &(struct sample)OBJECT_CLASS);
    fixture_add_sample(&base, &made);
    add_maker(&base);
    fixture_link(&base);
    assert_true(lock_types_init(&types, &base.program, NULL, &base.problem));
    assert_true(lock_types_add(&types, &declarations));
    assert_true(lock_types_bind(&types, DEFAULTS_BELIEF, &base.problem));
    assert_int_equal(types.problems.count, 0);

    const struct file_lines *found = lock_types_lines(&types, TEXT("p/Maker.java"));
    assert_non_null(found);
    assert_int_equal(found->count, COUNT(lines));
    static const uint32_t order[] = {2, 6, 8, 8, 9};
    for (size_t i = 0; i < COUNT(order); i++)
        assert_int_equal(found->items[i]->first, order[i]);
    assert_null(lock_types_lines(&types, TEXT("Maker.java")));

    uint32_t make = program_find_method(&base.program, "p/Maker", "make", "()V");
    assert_allocation(&types, make, 0, TERM_SELF); /* its call is in line 6 */
    assert_allocation(&types, make, 7, TERM_THIS_THREAD);
    assert_allocation(&types, make, 14, TERM_UNIQUE);
    assert_null(lock_types_allocation(&types, make, 3));
    lock_types_release(&types);
    fixture_close(&base);
    for (size_t i = 0; i < COUNT(owners); i++)
        free((void *)(uintptr_t)owners[i].segments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_owners),      cmocka_unit_test(test_bad_owners),
        cmocka_unit_test(test_inheritance), cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
