/* What the lock-type language means: files, clauses and lock expressions that are right. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "locktypes/syntax_parser.h"
#include "support.h"

struct fixture {
    struct arena arena;
    struct syntax_errors errors;
    struct declarations declarations;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    arena_init(&fixture->arena);
    fixture->errors.arena = &fixture->arena;
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    vector_release(&fixture->errors.items);
    arena_release(&fixture->arena);
    free(fixture);
    return 0;
}

static void assert_no_errors(struct fixture *fixture)
{
    for (size_t i = 0; i < fixture->errors.items.count; i++) {
        struct builder shown;
        builder_init(&shown);
        syntax_error_print(&fixture->errors.items.items[i], &shown);
        print_error("%s", builder_string(&shown));
        builder_release(&shown);
    }
    assert_int_equal(fixture->errors.items.count, 0);
}

static const struct syntax_class *parse(struct fixture *fixture, const char *text,
                                        uint32_t class_count)
{
    assert_true(syntax_parse_file(&fixture->declarations, &fixture->arena, TEXT("a.locks"),
                                  text_from(text), SOURCE_LOCKS_FILE, &fixture->errors));
    assert_no_errors(fixture);
    assert_int_equal(fixture->declarations.class_count, class_count);
    return fixture->declarations.classes;
}

static struct syntax_lock lock_of(struct fixture *fixture, const char *text)
{
    struct syntax_lock lock;
    const struct syntax_place place = {TEXT("A.java"), 4, 20};
    assert_true(
        syntax_parse_lock(&lock, &fixture->arena, text_from(text), place, &fixture->errors));
    assert_no_errors(fixture);
    assert_text(lock.written, text);
    return lock;
}

/* The segments' kinds as letters, with their names: "Na Tthis" would be `a.this`. */
static void describe(const struct syntax_lock *lock, struct builder *to)
{
    static const char *const letters[] = {
        [SEGMENT_NAME] = "N",        [SEGMENT_CALL] = "M",
        [SEGMENT_THIS] = "this",     [SEGMENT_CLASS] = "class",
        [SEGMENT_PARAMETER] = "P",   [SEGMENT_ITSELF] = "itself",
        [SEGMENT_SELF] = "self",     [SEGMENT_THIS_THREAD] = "thread",
        [SEGMENT_UNIQUE] = "unique", [SEGMENT_READONLY] = "readonly"};
    for (uint32_t i = 0; i < lock->segment_count; i++) {
        const struct syntax_segment *segment = &lock->segments[i];
        builder_add_format(to, "%s%s", i ? " " : "", letters[segment->kind]);
        if (segment->kind == SEGMENT_NAME || segment->kind == SEGMENT_CALL)
            builder_add_format(to, ":%.*s", TEXT_ARGUMENTS(segment->name));
        if (segment->kind == SEGMENT_PARAMETER)
            builder_add_format(to, ":%u", segment->parameter);
    }
    if (lock->qualifier) {
        builder_add_string(to, " $ ");
        describe(lock->qualifier, to);
    }
}

static void assert_described(const struct syntax_lock *lock, const char *expected)
{
    struct builder described;
    builder_init(&described);
    describe(lock, &described);
    assert_string_equal(builder_string(&described), expected);
    builder_release(&described);
}

/* ---- lock expressions ---- */

static void test_lock_expressions(void **state)
{
    static const struct {
        const char *text, *meaning, *normal;
    } cases[] = {
        {"this", "this", "this"},
        {"lock", "N:lock", "lock"},
        {"this.lock", "this N:lock", "this.lock"},
        {"this . lock", "this N:lock", "this.lock"},
        {"Outer.this", "N:Outer this", "Outer.this"},
        {"p.Outer.this.lock", "N:p N:Outer this N:lock", "p.Outer.this.lock"},
        {"C.class", "N:C class", "C.class"},
        {"C.staticLock", "N:C N:staticLock", "C.staticLock"},
        {"itself", "itself", "itself"},
        {"<self>", "itself", "itself"},
        {"getLock()", "M:getLock", "getLock()"},
        {"a.b().c", "N:a M:b N:c", "a.b().c"},
        {"#2", "P:2", "#2"},
        {"#1.mu", "P:1 N:mu", "#1.mu"},
        {"self", "self", "self"},
        {"thisThread", "thread", "thisThread"},
        {"unique", "unique", "unique"},
        {"readonly", "readonly", "readonly"},
        {"self.lock", "N:self N:lock", "self.lock"},
        {"unique()", "M:unique", "unique()"},
        {"this.readonly", "this N:readonly", "this.readonly"},
        {"`self`", "N:self", "`self`"},
        {"`foo-bar`.x", "N:foo-bar N:x", "`foo-bar`.x"},
        {"requires", "N:requires", "requires"},
        {"\xC3\xA9tat", "N:\xC3\xA9tat", "\xC3\xA9tat"},
        /* A $ makes a qualifier where a single segment stands before it, and a path behind it. */
        {"thisOwner$this", "N:thisOwner $ this", "thisOwner$this"},
        {"f$a.b()", "N:f $ N:a M:b", "f$a.b()"},
        {"f$#1", "N:f $ P:1", "f$#1"},
        {"f$g$h", "N:f $ N:g$h", "f$g$h"},
        {"f$$g", "N:f $ N:$g", "f$$g"},
        {"Outer$Inner.lock", "N:Outer $ N:Inner N:lock", "Outer$Inner.lock"},
        {"Outer$Inner.this", "N:Outer $ N:Inner this", "Outer$Inner.this"},
        {"f$`x-y`", "N:f $ N:x-y", "f$`x-y`"},
        {"`x-y`$this", "N:x-y $ this", "`x-y`$this"},
        {"self$this", "N:self $ this", "self$this"},
        /* These are names. */
        {"this$0", "N:this$0", "this$0"},
        {"this$x.lock", "N:this$x N:lock", "this$x.lock"},
        {"lambda$0", "N:lambda$0", "lambda$0"},
        {"a.b$c", "N:a N:b$c", "a.b$c"},
        {"this.val$x", "this N:val$x", "this.val$x"},
        {"$x", "N:$x", "$x"},
        {"x$", "N:x$", "x$"},
        {"`a$b`", "N:a$b", "`a$b`"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct builder printed;
        const struct syntax_lock lock = lock_of(*state, cases[i].text);
        assert_described(&lock, cases[i].meaning);
        builder_init(&printed);
        syntax_print_lock(&lock, &printed);
        assert_string_equal(builder_string(&printed), cases[i].normal);
        builder_release(&printed);
        assert_int_equal(lock.place.line, 4);
        assert_int_equal(lock.place.column, 20);
    }
}

static void test_place_of_qualifier(void **state)
{
    const struct syntax_lock lock = lock_of(*state, "\xC3\xA9$this.x");
    assert_text(lock.qualifier->written, "this.x");
    assert_int_equal(lock.qualifier->place.column, 22);
}

/* ---- the papers' listings ---- */

/* Figures 3 and 4 of "Automated Type-Based Analysis of Data Races and Atomicity". */
static const char stack_listing[] = "class TStack<thisOwner,TOwner> {\n"
                                    "  TNode<thisOwner$this,TOwner> head\n"
                                    "  guarded_by thisOwner;\n"
                                    "\n"
                                    "  void push(T<TOwner> value) requires (thisOwner)\n"
                                    "  atomicity thisOwner ? mover;\n"
                                    "  T<TOwner> pop() requires (thisOwner)\n"
                                    "  atomicity thisOwner ? mover;\n"
                                    "}\n"
                                    "\n"
                                    "class TNode<thisOwner,TOwner> {\n"
                                    "  T<TOwner> value guarded_by thisOwner;\n"
                                    "  TNode<thisOwner,TOwner> next guarded_by thisOwner;\n"
                                    "\n"
                                    "  void init(T<TOwner> v, TNode<thisOwner,TOwner> n)\n"
                                    "  requires (thisOwner)\n"
                                    "  atomicity thisOwner ? mover;\n"
                                    "\n"
                                    "  T<TOwner> value() requires (thisOwner)\n"
                                    "  atomicity thisOwner ? mover;\n"
                                    "\n"
                                    "  TNode<thisOwner,TOwner> next()\n"
                                    "  requires (thisOwner)\n"
                                    "  atomicity thisOwner ? mover;\n"
                                    "}\n"
                                    "\n"
                                    "class T<thisOwner> {\n"
                                    "  int x guarded_by thisOwner;\n"
                                    "}\n"
                                    "\n"
                                    "class Worker<thisOwner> {\n"
                                    "  final TStack<self,self> s3;\n"
                                    "  Worker(TStack<self,self> s);\n"
                                    "  int run();\n"
                                    "}\n";

static void test_stack_head(void **state)
{
    const struct syntax_class *stack = parse(*state, stack_listing, 4);
    assert_text(stack->name, "TStack");
    assert_false(stack->internal_name);
    assert_int_equal(stack->formal_count, 2);
    assert_text(stack->formals[0].name, "thisOwner");
    assert_text(stack->formals[1].name, "TOwner");
    assert_int_equal(stack->formals[0].type.length, 0);
    assert_int_equal(stack->field_count, 1);
    const struct syntax_field *head = &stack->fields[0];
    assert_text(head->name, "head");
    assert_text(head->type.name, "TNode");
    assert_int_equal(head->type.owners.count, 2);
    assert_described(&head->type.owners.items[0], "N:thisOwner $ this");
    assert_described(&head->type.owners.items[1], "N:TOwner");
    assert_int_equal(head->guard.kind, GUARD_ALWAYS);
    assert_int_equal(head->guard.locks.count, 1);
    assert_described(&head->guard.locks.items[0], "N:thisOwner");
    assert_int_equal(head->guard.locks.items[0].place.line, 3);
    assert_int_equal(head->guard.locks.items[0].place.column, 14);
    assert_text(head->place.file, "a.locks");
    assert_int_equal(head->place.line, 2);
}

static void test_stack_methods(void **state)
{
    const struct syntax_class *classes = parse(*state, stack_listing, 4);
    assert_int_equal(classes[0].method_count, 2);
    const struct syntax_method *push = &classes[0].methods[0];
    assert_text(push->name, "push");
    assert_text(push->result.name, "void");
    assert_int_equal(push->parameter_count, 1);
    assert_text(push->parameters[0].name, "value");
    assert_text(push->parameters[0].type.name, "T");
    assert_described(&push->parameters[0].type.owners.items[0], "N:TOwner");
    assert_true(push->has_requires);
    assert_int_equal(push->requires.count, 1);
    assert_described(push->atomicity->lock, "N:thisOwner");
    assert_null(push->atomicity->then->lock);
    assert_int_equal(push->atomicity->then->basic, ATOMICITY_MOVER);
    assert_int_equal(push->atomicity->otherwise->basic, ATOMICITY_ERROR);

    /* A field and a method of the same name. */
    assert_text(classes[1].fields[0].name, "value");
    assert_text(classes[1].methods[1].name, "value");
    assert_int_equal(classes[1].method_count, 3);

    const struct syntax_class *worker = &classes[3];
    assert_text(worker->fields[0].name, "s3");
    assert_int_equal(worker->fields[0].guard.kind, GUARD_NONE);
    assert_described(&worker->fields[0].type.owners.items[1], "self");
    assert_text(worker->methods[0].name, "<init>");
    assert_int_equal(worker->methods[0].result.name.length, 0);
    assert_text(worker->methods[1].name, "run");
    assert_false(worker->methods[1].has_requires);
    assert_null(worker->methods[1].atomicity);
}

/* Figures 2 and 3 of "Type-Based Race Detection for Java". */
static void test_race_free_java(void **state)
{
    const struct syntax_class *classes = parse(
        *state,
        "class Node<ghost Dictionary d> {\n"
        "  String key guarded_by d;\n"
        "  Object value guarded_by d;\n"
        "  Node<d> next guarded_by d;\n"
        "  void init(String k, Object v, Node<d> n) requires d;\n"
        "  void update(String k, Object v) requires d;\n"
        "}\n"
        "class Dictionary {\n"
        "  Node<this> head guarded_by this;\n"
        "  void put(String k, Object v);\n"
        "}\n"
        "thread_local class LinkEnumerator { String text; int index; void init(String t); }\n",
        3);
    assert_int_equal(classes[0].formal_count, 1);
    assert_text(classes[0].formals[0].name, "d");
    assert_text(classes[0].formals[0].type, "Dictionary");
    assert_int_equal(classes[0].field_count, 3);
    assert_int_equal(classes[0].method_count, 2);
    assert_int_equal(classes[0].methods[0].parameter_count, 3);
    assert_described(&classes[1].fields[0].type.owners.items[0], "this");
    assert_int_equal(classes[2].nature, NATURE_THREAD_LOCAL);
    assert_int_equal(classes[2].field_count, 2);
    /* "init" without being the class's name is no constructor. */
    assert_text(classes[2].methods[0].name, "init");
}

/* ---- files ---- */

static void test_class_heads(void **state)
{
    const struct syntax_class *classes =
        parse(*state,
              "\xEF\xBB\xBF/* one */ public final class A;\r\n"
              "thread_safe interface java.util.Map.Entry { }\n"
              "class java/util/Map$Entry extends p/Base<this, a.b> guarded_by this, lock\n"
              "  no_warn race, guard-not-held {}\n"
              "unguarded record R; // last\n"
              "enum E immutable;;\n"
              "class `kotlin/-Util` no_warn;\n",
              6);
    assert_text(classes[0].name, "A");
    assert_int_equal(classes[0].place.line, 1);
    assert_int_equal(classes[0].place.column, 30); /* the mark does not count */
    assert_text(classes[1].name, "java.util.Map.Entry");
    assert_int_equal(classes[1].nature, NATURE_SAFE);
    assert_false(classes[1].internal_name);
    assert_text(classes[2].name, "java/util/Map$Entry");
    assert_true(classes[2].internal_name);
    assert_text(classes[2].superclass.name, "p/Base");
    assert_int_equal(classes[2].superclass.owners.count, 2);
    assert_int_equal(classes[2].guard.kind, GUARD_ALWAYS);
    assert_int_equal(classes[2].guard.locks.count, 2);
    assert_int_equal(classes[2].no_warn.count, 2);
    assert_false(classes[2].no_warn.all);
    assert_text(classes[2].no_warn.rules[1], "guard-not-held");
    assert_int_equal(classes[3].nature, NATURE_UNGUARDED);
    assert_int_equal(classes[4].nature, NATURE_IMMUTABLE);
    assert_text(classes[5].name, "kotlin/-Util");
    assert_true(classes[5].internal_name);
    assert_true(classes[5].no_warn.all);
    assert_false(((struct fixture *)*state)->declarations.inferred);
}

static void test_inferred(void **state)
{
    struct fixture *fixture = *state;
    parse(fixture, "inferred; class A;", 1);
    assert_true(fixture->declarations.inferred);
    assert_int_equal(fixture->declarations.source, SOURCE_LOCKS_FILE);
    parse(fixture, " // nothing", 0);
    assert_false(fixture->declarations.inferred);
}

static void test_odd_fields(void **state)
{
    const struct syntax_class *class =
        parse(*state,
              "class p.A {\n"
              "  head guarded_by (this);\n"
              "  private static volatile int[][] table write_guarded_by a write_guarded_by b;\n"
              "  java.util.Map<this> map no_warn;\n"
              "  Object requires guarded_by requires;\n"
              "  Object atomic;\n"
              "  requires;\n"
              "  _<this> owned;\n"
              "  int nothing guarded_by ();\n"
              "}",
              1);
    const struct syntax_field *fields = class->fields;
    assert_int_equal(class->field_count, 8);
    assert_text(fields[0].name, "head");
    assert_int_equal(fields[0].type.name.length, 0);
    assert_int_equal(fields[0].guard.locks.count, 1);
    assert_text(fields[1].type.name, "int");
    assert_int_equal(fields[1].type.dimensions, 2);
    assert_int_equal(fields[1].guard.kind, GUARD_WRITES);
    assert_int_equal(fields[1].guard.locks.count, 2);
    assert_text(fields[2].type.name, "java.util.Map");
    assert_true(fields[2].no_warn.all);
    assert_text(fields[3].name, "requires");
    assert_described(&fields[3].guard.locks.items[0], "N:requires");
    assert_text(fields[4].name, "atomic");
    assert_text(fields[4].type.name, "Object");
    assert_text(fields[5].name, "requires");
    assert_int_equal(fields[6].type.name.length, 0);
    assert_int_equal(fields[6].type.owners.count, 1);
    assert_int_equal(fields[7].guard.kind, GUARD_ALWAYS);
    assert_int_equal(fields[7].guard.locks.count, 0);
}

static void test_methods(void **state)
{
    const struct syntax_class *class =
        parse(*state,
              "class p.Outer$Inner {\n"
              "  Inner(int a);\n"
              "  Outer$Inner();\n"
              "  <init>(final String... s) requires nothing;\n"
              "  Inner Inner(int[], long) throws java.io.IOException, E requires a, b;\n"
              "  put(*) writes this  reads #1, #2;\n"
              "  void requires(T<self> x) requires () atomic;\n"
              "  boolean tryLock() tries this  no_warn atomicity;\n"
              "  void calls() no_warn atomicity mover;\n"
              "}",
              1);
    const struct syntax_method *methods = class->methods;
    assert_int_equal(class->method_count, 8);
    assert_text(methods[0].name, "<init>");
    assert_text(methods[1].name, "<init>");
    assert_text(methods[2].name, "<init>");
    assert_int_equal(methods[2].parameters[0].type.dimensions, 1);
    assert_text(methods[2].parameters[0].name, "s");
    assert_true(methods[2].has_requires);
    assert_int_equal(methods[2].requires.count, 0);
    assert_text(methods[3].name, "Inner");
    assert_int_equal(methods[3].parameter_count, 2);
    assert_int_equal(methods[3].parameters[0].type.dimensions, 1);
    assert_int_equal(methods[3].parameters[1].name.length, 0);
    assert_int_equal(methods[3].requires.count, 2);
    assert_true(methods[4].any_parameters);
    assert_int_equal(methods[4].effect_count, 3);
    assert_int_equal(methods[4].effects[0].kind, EFFECT_WRITES);
    assert_int_equal(methods[4].effects[2].kind, EFFECT_READS);
    assert_described(&methods[4].effects[2].lock, "P:2");
    assert_text(methods[5].name, "requires");
    assert_int_equal(methods[5].parameter_count, 1);
    assert_true(methods[5].has_requires);
    assert_int_equal(methods[5].atomicity->basic, ATOMICITY_ATOMIC);
    assert_int_equal(methods[6].no_warn.count, 1);
    assert_text(methods[6].no_warn.rules[0], "atomicity");
    assert_null(methods[6].atomicity);
    assert_true(methods[7].no_warn.all);
    assert_int_equal(methods[7].atomicity->basic, ATOMICITY_MOVER);
}

static void test_all_effects(void **state)
{
    static const char *const words[] = {"acquires",  "acquires_shared", "tries",    "tries_shared",
                                        "releases",  "waits",           "holds_if", "asserts",
                                        "starts",    "joins",           "calls",    "returns",
                                        "read_view", "write_view",      "reads",    "writes"};
    for (int i = 0; i < 16; i++) {
        char text[100];
        snprintf(text, sizeof text, "class A { void m() %s this; }", words[i]);
        const struct syntax_class *class = parse(*state, text, 1);
        assert_int_equal(class->methods[0].effect_count, 1);
        assert_int_equal(class->methods[0].effects[0].kind, i);
    }
}

static void test_atomicities(void **state)
{
    const struct syntax_class *class =
        parse(*state,
              "class A {\n"
              "  void a() atomicity a ? b ? const : cmpd : ((error));\n"
              "  void b() atomicity (a ? mover) ;\n"
              "  void c() atomicity const ? const : b.c ? atomic;\n"
              "}",
              1);
    /* The second colon belongs to the first condition. */
    const struct syntax_atomicity *a = class->methods[0].atomicity;
    assert_described(a->lock, "N:a");
    assert_described(a->then->lock, "N:b");
    assert_int_equal(a->then->then->basic, ATOMICITY_CONST);
    assert_int_equal(a->then->otherwise->basic, ATOMICITY_CMPD);
    assert_int_equal(a->otherwise->basic, ATOMICITY_ERROR);
    assert_int_equal(class->methods[1].atomicity->then->basic, ATOMICITY_MOVER);
    const struct syntax_atomicity *c = class->methods[2].atomicity;
    assert_described(c->lock, "N:const");
    assert_described(c->otherwise->lock, "N:b N:c");
    assert_int_equal(c->otherwise->otherwise->basic, ATOMICITY_ERROR);
}

/* ---- clauses ---- */

static struct syntax_clauses clauses_of(struct fixture *fixture, const char *text)
{
    struct syntax_clauses clauses;
    const struct syntax_place place = {TEXT("A.java"), 7, 30};
    assert_true(
        syntax_parse_clauses(&clauses, &fixture->arena, text_from(text), place, &fixture->errors));
    assert_no_errors(fixture);
    return clauses;
}

static void test_clauses(void **state)
{
    struct syntax_clauses clauses = clauses_of(*state, " guarded_by this.a ");
    assert_int_equal(clauses.guard.kind, GUARD_ALWAYS);
    assert_described(&clauses.guard.locks.items[0], "this N:a");
    assert_int_equal(clauses.guard.locks.items[0].place.line, 7);
    assert_int_equal(clauses.guard.locks.items[0].place.column, 42);
    assert_false(clauses.has_requires || clauses.has_no_warn || clauses.has_owners);

    clauses = clauses_of(*state, "requires l1,\n l2 atomic; no_warn race thread_local");
    assert_true(clauses.has_requires);
    assert_int_equal(clauses.requires.count, 2);
    assert_int_equal(clauses.requires.items[1].place.line, 8);
    assert_int_equal(clauses.requires.items[1].place.column, 2);
    assert_int_equal(clauses.atomicity->basic, ATOMICITY_ATOMIC);
    assert_true(clauses.has_no_warn);
    assert_text(clauses.no_warn.rules[0], "race");
    assert_int_equal(clauses.nature, NATURE_THREAD_LOCAL);

    clauses = clauses_of(*state, "holds f, g.h");
    assert_true(clauses.has_holds);
    assert_int_equal(clauses.holds.count, 2);
    clauses = clauses_of(*state, "no_warn requires-not-held requires x");
    assert_text(clauses.no_warn.rules[0], "requires-not-held");
    assert_int_equal(clauses.requires.count, 1);
    clauses = clauses_of(*state, "no_warn");
    assert_true(clauses.has_no_warn && clauses.no_warn.all);
}

static void test_angles(void **state)
{
    struct syntax_clauses clauses = clauses_of(*state, "<ghost p.Dictionary d, e>");
    assert_true(clauses.has_formals && !clauses.has_owners);
    assert_int_equal(clauses.formal_count, 2);
    assert_text(clauses.formals[0].type, "p.Dictionary");
    assert_text(clauses.formals[1].name, "e");

    clauses = clauses_of(*state, "<this>");
    assert_true(!clauses.has_formals && clauses.has_owners);
    assert_described(&clauses.owners.items[0], "this");
    clauses = clauses_of(*state, "<self>");
    assert_true(!clauses.has_formals && clauses.has_owners);
    assert_described(&clauses.owners.items[0], "self");
    clauses = clauses_of(*state, "<a$this, b>");
    assert_true(!clauses.has_formals && clauses.has_owners);

    clauses = clauses_of(*state, "<a, b> guarded_by a");
    assert_true(clauses.has_formals && clauses.has_owners);
    assert_int_equal(clauses.formal_count, 2);
    assert_int_equal(clauses.owners.count, 2);
    assert_int_equal(clauses.guard.kind, GUARD_ALWAYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lock_expressions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_place_of_qualifier, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stack_head, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stack_methods, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_race_free_java, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_class_heads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_inferred, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_odd_fields, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_methods, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_all_effects, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_atomicities, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_clauses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_angles, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
