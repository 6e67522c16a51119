/*
 * Terms: equal ones are one number; substitution is that of EPAJ, section 2.2; printing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "locktypes/terms.h"
#include "program/program_fixture.h"

struct tables {
    struct arena arena;
    struct term_table from, to;
};

static void open_tables(struct tables *tables)
{
    arena_init(&tables->arena);
    assert_true(term_table_init(&tables->from, &tables->arena));
    assert_true(term_table_init(&tables->to, &tables->arena));
}

static void close_tables(struct tables *tables)
{
    term_table_release(&tables->from);
    term_table_release(&tables->to);
    arena_release(&tables->arena);
}

static void test_equal_terms_are_one(void **unused)
{
    (void)unused;
    struct tables tables;
    open_tables(&tables);
    struct term_table *table = &tables.from;
    term self = term_make(table, TERM_PARAMETER, 0, 0);
    assert_int_not_equal(self, TERM_NONE);
    assert_int_equal(self, term_make(table, TERM_PARAMETER, 0, 0));
    assert_int_not_equal(self, term_make(table, TERM_PARAMETER, 1, 0));
    assert_int_not_equal(self, term_make(table, TERM_CLASS, 0, 0));
    /* Contents that differ in one part only, over several growths of the table. */
    term numbers[3][40][5];
    static const enum term_kind kinds[] = {TERM_FIELD, TERM_VARYING, TERM_JOIN};
    for (unsigned kind = 0; kind < 3; kind++)
        for (unsigned a = 0; a < 40; a++)
            for (unsigned b = 0; b < 5; b++)
                numbers[kind][a][b] = term_make(table, kinds[kind], a, b);
    assert_int_equal(table->count, 4 + 3 * 40 * 5);
    for (unsigned kind = 0; kind < 3; kind++)
        for (unsigned a = 0; a < 40; a++)
            for (unsigned b = 0; b < 5; b++) {
                term number = numbers[kind][a][b];
                assert_int_equal(number, term_make(table, kinds[kind], a, b));
                struct term_content content = term_content(table, number);
                assert_int_equal(content.kind, kinds[kind]);
                assert_int_equal(content.a, a);
                assert_int_equal(content.b, b);
            }
    close_tables(&tables);
}

static void test_always_held(void **unused)
{
    (void)unused;
    struct tables tables;
    open_tables(&tables);
    static const struct {
        enum term_kind kind;
        bool held;
    } cases[] = {
        {TERM_THIS_THREAD, true}, {TERM_UNIQUE, true},        {TERM_READONLY, true},
        {TERM_SELF, false},       {TERM_OTHER_THREAD, false}, {TERM_PARAMETER, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            term_is_always_held(&tables.from, term_make(&tables.from, cases[i].kind, 0, 0)),
            cases[i].held);
    assert_false(term_is_always_held(&tables.from, TERM_NONE));
    close_tables(&tables);
}

/* thisOwner$this, where thisOwner is each kind of owner: the three cases of the definition. */
static void test_substitution_of_formals(void **unused)
{
    (void)unused;
    struct tables tables;
    open_tables(&tables);
    struct term_table *from = &tables.from, *to = &tables.to;
    term qualified = term_make(from, TERM_FORMAL, 0, term_make(from, TERM_PARAMETER, 0, 0));
    term bare = term_make(from, TERM_FORMAL, 0, TERM_NONE);
    term object = term_make(to, TERM_NEW, 7, 0);
    term self = term_make(to, TERM_SELF, 0, 0), confined = term_make(to, TERM_THIS_THREAD, 0, 0);
    term other = term_make(to, TERM_FORMAL, 3, TERM_NONE);
    term in_method = term_make(to, TERM_METHOD_FORMAL, 1, TERM_NONE);
    term lock = term_make(to, TERM_STATIC, 5, 0);
    term fixed = term_make(to, TERM_FORMAL, 3, lock);
    term open = term_make(to, TERM_OWNER, 2, TERM_NONE);
    struct {
        term owner, qualified;
    } cases[] = {
        {self, object},
        {confined, confined},
        {lock, lock},
        {other, term_make(to, TERM_FORMAL, 3, object)},
        {in_method, term_make(to, TERM_METHOD_FORMAL, 1, object)},
        {open, term_make(to, TERM_OWNER, 2, object)}, /* it may turn out to be self */
        {fixed, fixed}, /* thisOwner$this for thisOwner: it keeps its own qualifier */
        {TERM_NONE, TERM_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct term_binding binding = {.to = to,
                                       .parameters = &object,
                                       .parameter_count = 1,
                                       .formals = &cases[i].owner,
                                       .formal_count = 1};
        assert_int_equal(term_substitute(from, qualified, &binding), cases[i].qualified);
        assert_int_equal(term_substitute(from, bare, &binding), cases[i].owner);
    }
    /* A type without owners: nothing is known, least of all that the formal is the caller's. */
    struct term_binding raw = {.to = to, .parameters = &object, .parameter_count = 1};
    assert_int_equal(term_substitute(from, qualified, &raw), TERM_NONE);
    /* The receiver has no name: what depends on it has none. */
    term nobody = TERM_NONE;
    struct term_binding nameless = {
        .to = to, .parameters = &nobody, .parameter_count = 1, .formals = &self, .formal_count = 1};
    assert_int_equal(term_substitute(from, qualified, &nameless), TERM_NONE);
    nameless.formals = &other;
    assert_int_equal(term_substitute(from, qualified, &nameless), TERM_NONE);
    nameless.formals = &confined;
    assert_int_equal(term_substitute(from, qualified, &nameless), confined);
    close_tables(&tables);
}

static void test_substitution_of_paths(void **unused)
{
    (void)unused;
    struct tables tables;
    open_tables(&tables);
    struct term_table *from = &tables.from, *to = &tables.to;
    term second = term_make(from, TERM_PARAMETER, 1, 0);
    term path = term_make(from, TERM_FIELD, term_make(from, TERM_FIELD, second, 10), 11);
    term view = term_make(from, TERM_READ_VIEW, path, 0);
    term varying = term_make(from, TERM_VARYING, second, 12);
    term varying_static = term_make(from, TERM_VARYING, TERM_NONE, 13);
    term arguments[] = {TERM_NONE, term_make(to, TERM_OPAQUE, 4, 0)};
    term itself = term_make(to, TERM_OPAQUE, 9, 0);
    struct term_binding binding = {
        .to = to, .parameters = arguments, .parameter_count = 2, .itself = itself};
    term expected = term_make(to, TERM_FIELD, term_make(to, TERM_FIELD, arguments[1], 10), 11);
    assert_int_equal(term_substitute(from, path, &binding), expected);
    assert_int_equal(term_substitute(from, view, &binding),
                     term_make(to, TERM_READ_VIEW, expected, 0));
    assert_int_equal(term_substitute(from, term_make(from, TERM_WRITE_VIEW, path, 0), &binding),
                     term_make(to, TERM_WRITE_VIEW, expected, 0));
    assert_int_equal(term_substitute(from, varying, &binding),
                     term_make(to, TERM_VARYING, arguments[1], 12));
    assert_int_equal(term_substitute(from, varying_static, &binding),
                     term_make(to, TERM_VARYING, TERM_NONE, 13));
    assert_int_equal(term_substitute(from, term_make(from, TERM_CLASS, 6, 0), &binding),
                     term_make(to, TERM_CLASS, 6, 0));
    assert_int_equal(term_substitute(from, term_make(from, TERM_ITSELF, 0, 0), &binding), itself);
    /* `this` has no name here, and a parameter that the call does not have neither. */
    term self = term_make(from, TERM_PARAMETER, 0, 0);
    assert_int_equal(term_substitute(from, term_make(from, TERM_FIELD, self, 10), &binding),
                     TERM_NONE);
    assert_int_equal(term_substitute(from, term_make(from, TERM_READ_VIEW, self, 0), &binding),
                     TERM_NONE);
    assert_int_equal(term_substitute(from, term_make(from, TERM_PARAMETER, 2, 0), &binding),
                     TERM_NONE);
    assert_int_equal(term_substitute(from, TERM_NONE, &binding), TERM_NONE);
    close_tables(&tables);
}

/* A path of any length must not use up the stack. */
static void test_deep_terms(void **unused)
{
    (void)unused;
    struct tables tables;
    struct builder text;
    open_tables(&tables);
    builder_init(&text);
    term first = term_make(&tables.from, TERM_PARAMETER, 0, 0), deep = first;
    for (uint32_t i = 0; i < 1000000; i++)
        deep = term_make(&tables.from, TERM_FIELD, deep, i);
    struct term_binding binding = {.to = &tables.to, .parameters = &first, .parameter_count = 1};
    assert_int_equal(term_substitute(&tables.from, deep, &binding), TERM_NONE);
    struct term_printer printer = {.table = &tables.from};
    term_print(&printer, deep, &text);
    assert_true(text_starts_with(builder_text(&text), TEXT("...")));
    builder_release(&text);
    close_tables(&tables);
}

/* ---- printing ---- */

#define SYNTHETIC_FINAL 0x1010

static const struct sample printed[] = {
    {.access = 0x21, .name = "java/lang/Object"},
    {.access = 0x21,
     .name = "Account",
     .super = "java/lang/Object",
     .fields = {{0x10, "mu", "Ljava/lang/Object;", NULL, 0},
                {0x10, "rw", "Ljava/util/concurrent/locks/ReadWriteLock;", NULL, 0}}},
    {.access = 0x21,
     .name = "p/Registry",
     .super = "java/lang/Object",
     .fields = {{0x18, "lock", "Ljava/lang/Object;", NULL, 0}}},
    {.access = 0x20,
     .name = "p/Registry$1",
     .super = "java/lang/Object",
     .fields = {{SYNTHETIC_FINAL, "this$0", "Lp/Registry;", NULL, 0},
                {SYNTHETIC_FINAL, "val$found", "Ljava/lang/Object;", NULL, 0},
                {0x10, "this$1", "Lp/Registry;", NULL, 0}}},
};

static uint32_t line_of(void *context, uint32_t instruction)
{
    (void)context;
    return instruction == 3 ? 12 : 0;
}

static term origin_of(void *context, term value)
{
    const term *pair = context;
    return value == pair[0] ? pair[1] : (term)TERM_NONE;
}

static void assert_printed(const struct term_printer *printer, term number, const char *expected)
{
    struct builder text;
    builder_init(&text);
    term_print(printer, number, &text);
    assert_string_equal(builder_string(&text), expected);
    builder_release(&text);
}

static void test_printing(void **unused)
{
    (void)unused;
    struct program_fixture fixture;
    struct tables tables;
    fixture_load(&fixture, printed, sizeof printed / sizeof *printed);
    open_tables(&tables);
    const struct program *program = &fixture.program;
    struct term_table *table = &tables.from;
    struct text names[] = {TEXT("this"), TEXT(""), TEXT("other")};
    struct text formals[] = {TEXT("owner")}, method_formals[] = {TEXT("g1")};
    term pair[2] = {term_make(table, TERM_OPAQUE, 5, 0), TERM_NONE};
    struct term_printer printer = {.program = program,
                                   .table = table,
                                   .parameter_names = names,
                                   .parameter_count = 3,
                                   .formals = formals,
                                   .formal_count = 1,
                                   .method_formals = method_formals,
                                   .method_formal_count = 1,
                                   .line_of = line_of,
                                   .origin_of = origin_of,
                                   .context = pair};
    uint32_t mu = program_find_field(program, "Account", "mu", "Ljava/lang/Object;");
    uint32_t rw =
        program_find_field(program, "Account", "rw", "Ljava/util/concurrent/locks/ReadWriteLock;");
    uint32_t lock = program_find_field(program, "p/Registry", "lock", "Ljava/lang/Object;");
    uint32_t outer = program_find_field(program, "p/Registry$1", "this$0", "Lp/Registry;");
    uint32_t found = program_find_field(program, "p/Registry$1", "val$found", "Ljava/lang/Object;");
    uint32_t own = program_find_field(program, "p/Registry$1", "this$1", "Lp/Registry;");
    term self = term_make(table, TERM_PARAMETER, 0, 0);
    term path = term_make(table, TERM_FIELD, self, rw);
    pair[1] = term_make(table, TERM_VARYING, self, mu);

    assert_printed(&printer, self, "this");
    assert_printed(&printer, term_make(table, TERM_PARAMETER, 1, 0), "parameter 1");
    assert_printed(&printer, term_make(table, TERM_PARAMETER, 2, 0), "other");
    assert_printed(&printer, term_make(table, TERM_FIELD, self, mu), "this.mu");
    assert_printed(&printer, term_make(table, TERM_READ_VIEW, path, 0), "this.rw.readLock()");
    assert_printed(&printer, term_make(table, TERM_WRITE_VIEW, path, 0), "this.rw.writeLock()");
    assert_printed(&printer, term_make(table, TERM_CLASS, class_number(&fixture, "Account"), 0),
                   "Account.class");
    assert_printed(&printer, term_make(table, TERM_STATIC, lock, 0), "p.Registry.lock");
    assert_printed(&printer, term_make(table, TERM_VARYING, TERM_NONE, lock), "p.Registry.lock");
    assert_printed(&printer, term_make(table, TERM_FORMAL, 0, TERM_NONE), "owner");
    assert_printed(&printer, term_make(table, TERM_FORMAL, 0, self), "owner$this");
    assert_printed(&printer, term_make(table, TERM_METHOD_FORMAL, 0, self), "g1$this");
    assert_printed(&printer, term_make(table, TERM_METHOD_FORMAL, TERM_UNDECLARED + 65, self),
                   "an owner that is not known");
    assert_printed(&printer, term_make(table, TERM_GHOST, TERM_UNDECLARED, 0),
                   "an owner that is not known");
    assert_printed(&printer, term_make(table, TERM_THIS_THREAD, 0, 0), "thisThread");
    assert_printed(&printer, term_make(table, TERM_NEW, 3, 0), "the object made at line 12");
    assert_printed(&printer, term_make(table, TERM_NEW, 4, 0), "a new object");
    assert_printed(&printer, pair[0], "this.mu");
    assert_printed(&printer, TERM_NONE, "something without a name");
    /* What the compiler has put into an inner class. */
    assert_printed(&printer, term_make(table, TERM_FIELD, self, outer), "p.Registry.this");
    assert_printed(&printer, term_make(table, TERM_FIELD, self, found), "found");
    assert_printed(&printer, term_make(table, TERM_FIELD, self, own), "this.this$1");
    assert_printed(&printer,
                   term_make(table, TERM_FIELD, term_make(table, TERM_PARAMETER, 2, 0), outer),
                   "other.this$0");
    printer.is_static = true;
    assert_printed(&printer, term_make(table, TERM_PARAMETER, 1, 0), "parameter 2");
    close_tables(&tables);
    fixture_close(&fixture);
}

static bool make_many(void *unused)
{
    (void)unused;
    struct arena arena;
    struct term_table table;
    bool made = true;
    arena_init(&arena);
    if (!term_table_init(&table, &arena)) {
        arena_release(&arena);
        return false;
    }
    for (uint32_t i = 0; made && i < 3000; i++)
        made = term_make(&table, TERM_CLASS, i, 0) != TERM_NONE;
    term_table_release(&table);
    arena_release(&arena);
    return made;
}

static void test_no_memory(void **unused)
{
    (void)unused;
    assert_true(support_fail_each_request(make_many, NULL) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_terms_are_one),
        cmocka_unit_test(test_always_held),
        cmocka_unit_test(test_substitution_of_formals),
        cmocka_unit_test(test_substitution_of_paths),
        cmocka_unit_test(test_deep_terms),
        cmocka_unit_test(test_printing),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
