/* Declarations that are printed read back as the same ones, and print as the same text again. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "locktypes/syntax_parser.h"
#include "support.h"

/* ---- random declarations ---- */

struct maker {
    struct arena arena;
    uint64_t state;
};

static uint32_t below(struct maker *maker, uint32_t limit)
{
    return (uint32_t)(support_random(&maker->state) % limit);
}

static bool one_in(struct maker *maker, uint32_t chances)
{
    return below(maker, chances) == 0;
}

/* Plain names, and all that could be taken for something else. */
static struct text make_name(struct maker *maker)
{
    static const char *const names[] = {"a",
                                        "mu",
                                        "thisOwner",
                                        "x1",
                                        "_y",
                                        "\xC3\xA9t\xC3\xA9",
                                        "this$0",
                                        "val$x",
                                        "Outer$Inner",
                                        "$",
                                        "a$",
                                        "$a",
                                        "a$$b",
                                        "this$x",
                                        "class$1",
                                        "requires",
                                        "nothing",
                                        "guarded_by",
                                        "no_warn",
                                        "atomicity",
                                        "atomic",
                                        "holds",
                                        "self",
                                        "thisThread",
                                        "unique",
                                        "readonly",
                                        "itself",
                                        "this",
                                        "class",
                                        "record",
                                        "extends",
                                        "ghost",
                                        "inferred",
                                        "final",
                                        "sealed",
                                        "throws",
                                        "thread_local",
                                        "const",
                                        "mover",
                                        "error",
                                        "foo-bar",
                                        "a b",
                                        "0",
                                        "1a",
                                        "-",
                                        "\xED\xA0\x80",
                                        "\xFF",
                                        "//",
                                        "_",
                                        "acquires",
                                        "interface",
                                        "static",
                                        "unguarded",
                                        "<x>",
                                        "write_guarded_by",
                                        "reads",
                                        "cmpd",
                                        "enum",
                                        "\t",
                                        "$0"};
    if (!one_in(maker, 3))
        return text_from(names[below(maker, 6)]);
    return text_from(names[below(maker, sizeof names / sizeof names[0])]);
}

/* The name of a class: some, with dots or slashes. */
static struct text make_path(struct maker *maker)
{
    struct builder path;
    builder_init(&path);
    const char separator = one_in(maker, 3) ? '/' : '.';
    for (uint32_t left = below(maker, 3); left > 0; left--) {
        builder_add(&path, make_name(maker));
        builder_add_byte(&path, separator);
    }
    builder_add(&path, make_name(maker));
    const struct text copy = text_copy(&maker->arena, builder_text(&path));
    builder_release(&path);
    return copy;
}

static struct syntax_segment make_segment(struct maker *maker, bool first, bool only_names)
{
    struct syntax_segment segment = {.kind = SEGMENT_NAME};
    if (first && one_in(maker, 3))
        segment.kind = one_in(maker, 3) ? SEGMENT_ITSELF : SEGMENT_THIS;
    else if (first && one_in(maker, 8))
        segment =
            (struct syntax_segment){.kind = SEGMENT_PARAMETER, .parameter = 1 + below(maker, 255)};
    else if (!first && only_names && one_in(maker, 4))
        segment.kind = one_in(maker, 2) ? SEGMENT_THIS : SEGMENT_CLASS;
    else if (one_in(maker, 5))
        segment.kind = SEGMENT_CALL;
    if (segment.kind == SEGMENT_NAME || segment.kind == SEGMENT_CALL)
        segment.name = make_name(maker);
    return segment;
}

static void make_path_lock(struct maker *maker, struct syntax_lock *lock)
{
    const uint32_t count = one_in(maker, 2) ? 1 : 1 + below(maker, 4);
    struct syntax_segment *segments = ARENA_ARRAY(&maker->arena, struct syntax_segment, count);
    assert_non_null(segments);
    bool only_names = true;
    for (uint32_t i = 0; i < count; i++) {
        segments[i] = make_segment(maker, i == 0, only_names);
        only_names = only_names && segments[i].kind == SEGMENT_NAME;
    }
    *lock = (struct syntax_lock){.segments = segments, .segment_count = count};
}

static void make_lock(struct maker *maker, struct syntax_lock *lock)
{
    make_path_lock(maker, lock);
    struct syntax_segment *single = ARENA_NEW(&maker->arena, struct syntax_segment);
    assert_non_null(single);
    if (one_in(maker, 5)) {
        single->kind = (enum segment_kind)(SEGMENT_SELF + (int)below(maker, 4));
        *lock = (struct syntax_lock){.segments = single, .segment_count = 1};
    } else if (one_in(maker, 4)) {
        struct syntax_lock *qualifier = ARENA_NEW(&maker->arena, struct syntax_lock);
        assert_non_null(qualifier);
        make_path_lock(maker, qualifier);
        single->name = make_name(maker);
        *lock =
            (struct syntax_lock){.segments = single, .segment_count = 1, .qualifier = qualifier};
    }
}

static struct syntax_locks make_locks(struct maker *maker, uint32_t count)
{
    struct syntax_lock *items = ARENA_ARRAY(&maker->arena, struct syntax_lock, count);
    assert_non_null(items);
    for (uint32_t i = 0; i < count; i++)
        make_lock(maker, &items[i]);
    return (struct syntax_locks){items, count};
}

static const struct syntax_atomicity *make_atomicity(struct maker *maker, unsigned depth)
{
    struct syntax_atomicity *atomicity = ARENA_NEW(&maker->arena, struct syntax_atomicity);
    assert_non_null(atomicity);
    if (depth == 0 || one_in(maker, 2)) {
        atomicity->basic = (enum basic_atomicity)below(maker, 5);
        return atomicity;
    }
    atomicity->lock = make_locks(maker, 1).items;
    atomicity->then = make_atomicity(maker, depth - 1);
    atomicity->otherwise = make_atomicity(maker, depth - 1);
    return atomicity;
}

static struct syntax_type make_type(struct maker *maker)
{
    struct syntax_type type = {.name = make_path(maker)};
    type.owners = make_locks(maker, one_in(maker, 2) ? below(maker, 4) : 0);
    type.dimensions = one_in(maker, 4) ? below(maker, 3) : 0;
    if (one_in(maker, 5))
        type.name = TEXT("");
    return type;
}

static struct syntax_guard make_guard(struct maker *maker)
{
    struct syntax_guard guard = {.kind = (enum guard_kind)below(maker, 3)};
    guard.locks = make_locks(maker, guard.kind == GUARD_NONE ? 0 : below(maker, 4));
    return guard;
}

static struct syntax_no_warn make_no_warn(struct maker *maker)
{
    static const char *const rules[] = {
        "race", "guard-not-held",   "atomicity", "atomic", "holds", "requires", "a-",
        "-",    "requires-not-held"};
    struct syntax_no_warn no_warn = {.all = one_in(maker, 6)};
    if (no_warn.all || !one_in(maker, 3))
        return no_warn;
    no_warn.count = 1 + below(maker, 3);
    struct text *names = ARENA_ARRAY(&maker->arena, struct text, no_warn.count);
    assert_non_null(names);
    for (uint32_t i = 0; i < no_warn.count; i++)
        names[i] = text_from(rules[below(maker, sizeof rules / sizeof rules[0])]);
    no_warn.rules = names;
    return no_warn;
}

static void make_parameters(struct maker *maker, struct syntax_method *method)
{
    method->any_parameters = one_in(maker, 6);
    method->parameter_count = method->any_parameters ? 0 : below(maker, 4);
    struct syntax_parameter *parameters =
        ARENA_ARRAY(&maker->arena, struct syntax_parameter, method->parameter_count);
    assert_non_null(parameters);
    for (uint32_t i = 0; i < method->parameter_count; i++) {
        parameters[i] = (struct syntax_parameter){.type = make_type(maker)};
        if (one_in(maker, 2))
            parameters[i].name = make_name(maker);
    }
    method->parameters = parameters;
}

static void make_method(struct maker *maker, struct syntax_method *method)
{
    *method = (struct syntax_method){.name = make_name(maker)};
    if (one_in(maker, 5))
        method->name = one_in(maker, 3) ? TEXT("<clinit>") : TEXT("<init>");
    else if (!one_in(maker, 4))
        method->result = make_type(maker);
    make_parameters(maker, method);
    method->has_requires = one_in(maker, 2);
    method->requires = make_locks(maker, method->has_requires ? below(maker, 3) : 0);
    method->effect_count = below(maker, 4);
    struct syntax_effect *effects =
        ARENA_ARRAY(&maker->arena, struct syntax_effect, method->effect_count);
    assert_non_null(effects);
    for (uint32_t i = 0; i < method->effect_count; i++) {
        effects[i].kind = (enum effect_kind)below(maker, EFFECT_WRITES + 1);
        make_lock(maker, &effects[i].lock);
    }
    method->effects = effects;
    if (one_in(maker, 2))
        method->atomicity = make_atomicity(maker, 4);
    method->no_warn = make_no_warn(maker);
}

static void make_members(struct maker *maker, struct syntax_class *class)
{
    class->field_count = below(maker, 4);
    class->method_count = below(maker, 4);
    struct syntax_field *fields =
        ARENA_ARRAY(&maker->arena, struct syntax_field, class->field_count);
    struct syntax_method *methods =
        ARENA_ARRAY(&maker->arena, struct syntax_method, class->method_count);
    assert_true(fields && methods);
    for (uint32_t i = 0; i < class->field_count; i++) {
        fields[i] = (struct syntax_field){
            .name = make_name(maker), .guard = make_guard(maker), .no_warn = make_no_warn(maker)};
        if (!one_in(maker, 4))
            fields[i].type = make_type(maker);
    }
    for (uint32_t i = 0; i < class->method_count; i++)
        make_method(maker, &methods[i]);
    class->fields = fields;
    class->methods = methods;
}

static void make_class(struct maker *maker, struct syntax_class *class)
{
    *class = (struct syntax_class){.name = make_path(maker),
                                   .formal_count = one_in(maker, 2) ? below(maker, 4) : 0,
                                   .nature = (enum class_nature)below(maker, 5),
                                   .guard = make_guard(maker),
                                   .no_warn = make_no_warn(maker)};
    class->internal_name = text_find(class->name, '/') >= 0;
    struct syntax_formal *formals =
        ARENA_ARRAY(&maker->arena, struct syntax_formal, class->formal_count);
    assert_non_null(formals);
    for (uint32_t i = 0; i < class->formal_count; i++) {
        formals[i] = (struct syntax_formal){.name = make_name(maker)};
        if (one_in(maker, 2))
            formals[i].type = make_path(maker);
    }
    class->formals = formals;
    if (one_in(maker, 3))
        class->superclass = make_type(maker);
    make_members(maker, class);
}

static void make_declarations(struct maker *maker, struct declarations *declarations)
{
    *declarations = (struct declarations){
        .source = SOURCE_LOCKS_FILE, .inferred = one_in(maker, 3), .class_count = below(maker, 4)};
    struct syntax_class *classes =
        ARENA_ARRAY(&maker->arena, struct syntax_class, declarations->class_count);
    assert_non_null(classes);
    for (uint32_t i = 0; i < declarations->class_count; i++)
        make_class(maker, &classes[i]);
    declarations->classes = classes;
}

/* ---- comparing, without places ---- */

static void compare_text(struct text a, struct text b)
{
    assert_int_equal(a.length, b.length);
    if (a.length)
        assert_memory_equal(a.bytes, b.bytes, a.length);
}

static void compare_path(const struct syntax_lock *a, const struct syntax_lock *b)
{
    assert_int_equal(a->segment_count, b->segment_count);
    for (uint32_t i = 0; i < a->segment_count; i++) {
        assert_int_equal(a->segments[i].kind, b->segments[i].kind);
        assert_int_equal(a->segments[i].parameter, b->segments[i].parameter);
        compare_text(a->segments[i].name, b->segments[i].name);
    }
}

static void compare_lock(const struct syntax_lock *a, const struct syntax_lock *b)
{
    compare_path(a, b);
    assert_int_equal(!a->qualifier, !b->qualifier);
    if (a->qualifier)
        compare_path(a->qualifier, b->qualifier);
    /* What has been printed is what the reader saw. */
    struct builder printed;
    builder_init(&printed);
    syntax_print_lock(a, &printed);
    compare_text(builder_text(&printed), b->written);
    builder_release(&printed);
}

static void compare_locks(const struct syntax_locks *a, const struct syntax_locks *b)
{
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++)
        compare_lock(&a->items[i], &b->items[i]);
}

static void compare_type(const struct syntax_type *a, const struct syntax_type *b)
{
    compare_text(a->name, b->name);
    assert_int_equal(a->dimensions, b->dimensions);
    compare_locks(&a->owners, &b->owners);
}

static void compare_guard(const struct syntax_guard *a, const struct syntax_guard *b)
{
    assert_int_equal(a->kind, b->kind);
    compare_locks(&a->locks, &b->locks);
}

static void compare_no_warn(const struct syntax_no_warn *a, const struct syntax_no_warn *b)
{
    assert_int_equal(a->all, b->all);
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++)
        compare_text(a->rules[i], b->rules[i]);
}

static void compare_atomicity(const struct syntax_atomicity *a, const struct syntax_atomicity *b)
{
    assert_int_equal(!a, !b);
    if (!a)
        return;
    assert_int_equal(!a->lock, !b->lock);
    if (!a->lock) {
        assert_int_equal(a->basic, b->basic);
        return;
    }
    compare_lock(a->lock, b->lock);
    compare_atomicity(a->then, b->then);
    compare_atomicity(a->otherwise, b->otherwise);
}

static void compare_method(const struct syntax_method *a, const struct syntax_method *b)
{
    compare_text(a->name, b->name);
    compare_type(&a->result, &b->result);
    assert_int_equal(a->any_parameters, b->any_parameters);
    assert_int_equal(a->parameter_count, b->parameter_count);
    for (uint32_t i = 0; i < a->parameter_count; i++) {
        compare_text(a->parameters[i].name, b->parameters[i].name);
        compare_type(&a->parameters[i].type, &b->parameters[i].type);
    }
    assert_int_equal(a->has_requires, b->has_requires);
    compare_locks(&a->requires, &b->requires);
    assert_int_equal(a->effect_count, b->effect_count);
    for (uint32_t i = 0; i < a->effect_count; i++) {
        assert_int_equal(a->effects[i].kind, b->effects[i].kind);
        compare_lock(&a->effects[i].lock, &b->effects[i].lock);
    }
    compare_atomicity(a->atomicity, b->atomicity);
    compare_no_warn(&a->no_warn, &b->no_warn);
}

static void compare_class(const struct syntax_class *a, const struct syntax_class *b)
{
    compare_text(a->name, b->name);
    assert_int_equal(a->internal_name, b->internal_name);
    assert_int_equal(a->nature, b->nature);
    assert_int_equal(a->formal_count, b->formal_count);
    for (uint32_t i = 0; i < a->formal_count; i++) {
        compare_text(a->formals[i].name, b->formals[i].name);
        compare_text(a->formals[i].type, b->formals[i].type);
    }
    compare_type(&a->superclass, &b->superclass);
    compare_guard(&a->guard, &b->guard);
    compare_no_warn(&a->no_warn, &b->no_warn);
    assert_int_equal(a->field_count, b->field_count);
    for (uint32_t i = 0; i < a->field_count; i++) {
        compare_text(a->fields[i].name, b->fields[i].name);
        compare_type(&a->fields[i].type, &b->fields[i].type);
        compare_guard(&a->fields[i].guard, &b->fields[i].guard);
        compare_no_warn(&a->fields[i].no_warn, &b->fields[i].no_warn);
    }
    assert_int_equal(a->method_count, b->method_count);
    for (uint32_t i = 0; i < a->method_count; i++)
        compare_method(&a->methods[i], &b->methods[i]);
}

static void compare(const struct declarations *a, const struct declarations *b)
{
    assert_int_equal(a->source, b->source);
    assert_int_equal(a->inferred, b->inferred);
    assert_int_equal(a->class_count, b->class_count);
    for (uint32_t i = 0; i < a->class_count; i++)
        compare_class(&a->classes[i], &b->classes[i]);
}

/* ---- tests ---- */

static void parse(struct declarations *result, struct arena *arena, struct text text)
{
    struct syntax_errors errors = {.arena = arena};
    assert_true(
        syntax_parse_file(result, arena, TEXT("a.locks"), text, SOURCE_LOCKS_FILE, &errors));
    if (errors.items.count) {
        struct builder shown;
        builder_init(&shown);
        syntax_error_print(&errors.items.items[0], &shown);
        print_error("%s", builder_string(&shown));
        builder_release(&shown);
    }
    assert_int_equal(errors.items.count, 0);
    vector_release(&errors.items);
}

static void test_random_declarations(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        struct maker maker = {.state = seed};
        struct declarations made, read;
        struct builder first, second;
        arena_init(&maker.arena);
        builder_init(&first);
        builder_init(&second);
        make_declarations(&maker, &made);
        syntax_print_file(&made, &first);
        parse(&read, &maker.arena, builder_text(&first));
        compare(&made, &read);
        syntax_print_file(&read, &second);
        assert_string_equal(builder_string(&first), builder_string(&second));
        builder_release(&first);
        builder_release(&second);
        arena_release(&maker.arena);
    }
}

static void assert_prints(const char *text, const char *expected)
{
    struct arena arena;
    struct declarations read;
    struct builder printed;
    arena_init(&arena);
    builder_init(&printed);
    parse(&read, &arena, text_from(text));
    syntax_print_file(&read, &printed);
    assert_string_equal(builder_string(&printed), expected);
    builder_release(&printed);
    arena_release(&arena);
}

/* What a reader of the file sees. */
static void test_form(void **state)
{
    (void)state;
    assert_prints(
        "inferred ;public class TStack < thisOwner,TOwner>extends p.Base<self> {\n"
        "void push(final T<TOwner> value)requires(thisOwner)atomicity thisOwner?mover:\n"
        "error; TNode<thisOwner$this,TOwner>[] head guarded_by(thisOwner,a);\n"
        "TStack(); x(*) atomicity (atomic) no_warn; void y() requires ();\n"
        "void z() acquires a acquires b releases c atomicity a?(b?const):(c?cmpd);}\n"
        "thread_local enum E {}",
        "inferred;\n"
        "\n"
        "class TStack<thisOwner, TOwner> extends p.Base<self> {\n"
        "    TNode<thisOwner$this, TOwner>[] head  guarded_by thisOwner, a;\n"
        "    void push(T<TOwner> value)  requires thisOwner  atomicity thisOwner ? mover;\n"
        "    TStack();\n"
        "    x(*)  atomic  no_warn;\n"
        "    void y()  requires nothing;\n"
        "    void z()  acquires a, b  releases c  atomicity a ? (b ? const) : c ? cmpd;\n"
        "}\n"
        "\n"
        "thread_local class E;\n");
}

/* Readers of class files know members by descriptors. */
static void test_descriptors(void **state)
{
    (void)state;
    const struct syntax_segment this = {.kind = SEGMENT_THIS};
    const struct syntax_lock lock = {.segments = &this, .segment_count = 1};
    const struct syntax_parameter parameters[] = {{.name = TEXT("a")}, {.type.owners = {&lock, 1}}};
    const struct syntax_field fields[] = {
        {.name = TEXT("map"),
         .descriptor = TEXT("[Ljava/util/Map$Entry;"),
         .type.owners = {&lock, 1}},
        {.name = TEXT("count"), .descriptor = TEXT("J"), .guard = {GUARD_ALWAYS, {&lock, 1}}},
        {.name = TEXT("odd"), .descriptor = TEXT("Lp/a-b;")}};
    const struct syntax_method methods[] = {
        {.name = TEXT("<init>"),
         .descriptor = TEXT("(ILp/Node;)V"),
         .parameters = parameters,
         .parameter_count = 2},
        {.name = TEXT("get"), .descriptor = TEXT("()[[Z"), .result.owners = {&lock, 1}}};
    const struct syntax_class class = {.name = TEXT("p/Outer$Inner"),
                                       .internal_name = true,
                                       .fields = fields,
                                       .field_count = 3,
                                       .methods = methods,
                                       .method_count = 2};
    const struct declarations declarations = {.classes = &class, .class_count = 1};
    const char *const expected = "class p/Outer$Inner {\n"
                                 "    java.util.Map$Entry<this>[] map;\n"
                                 "    long count  guarded_by this;\n"
                                 "    `p/a-b` odd;\n"
                                 "    Outer$Inner(int a, p.Node<this>);\n"
                                 "    boolean<this>[][] get();\n"
                                 "}\n";
    struct builder printed;
    builder_init(&printed);
    syntax_print_file(&declarations, &printed);
    assert_string_equal(builder_string(&printed), expected);
    builder_release(&printed);
    assert_prints(expected, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_declarations),
        cmocka_unit_test(test_form),
        cmocka_unit_test(test_descriptors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
