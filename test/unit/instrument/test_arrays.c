/*
 * arrays: what is put before loads and stores of elements, for each way to find an array's words,
 * as the names of the instructions; from the forms in arrays.c's and array_sources.h's
 * descriptions.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/builder.h"
#include "instrument/array_sources.h"
#include "instrument/quiet.h"
#include "rewrite/method_fixture.h"

/* A check behind the words and the index: the site's number and the call. */
#define CHECK_0 "iconst_0 invokestatic "
#define CHECK_1 "iconst_1 invokestatic "
/* A lookup: the method's number and the call. */
#define LOOKED_UP "dup2 swap iconst_0 invokestatic swap "
#define FOLLOWED "dup aload swap "
#define CACHED                                                                                     \
    "dup2 pop aload if_acmpeq dup2 pop dup astore iconst_0 invokestatic astore dup aload swap "

struct fixture {
    struct method_fixture method; /* version 49: no frames */
    struct member fields[3];
    uint16_t data, rows, statics; /* of the class itself */
    uint16_t other;               /* of another class */
    uint16_t call;
    struct sites sites;
    struct instrument instrument;
    struct instrument_class owner;
    struct instrument_method planned;
    struct builder names;
};

static uint16_t own_field(struct fixture *fixture, struct member *member, uint16_t access,
                          const char *name, const char *descriptor)
{
    struct class_editor *editor = &fixture->method.editor;
    *member = (struct member){.access = access,
                              .name = class_editor_utf8(editor, text_from(name)),
                              .descriptor = class_editor_utf8(editor, text_from(descriptor))};
    return class_editor_member(editor, CONSTANT_FIELD, TEXT("p/Sample"), text_from(name),
                               text_from(descriptor));
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    method_fixture_start(&fixture->method, 49);
    struct class_file *class_file = &fixture->method.sample.class_file;
    fixture->data = own_field(fixture, &fixture->fields[0], 0, "data", "[I");
    fixture->rows = own_field(fixture, &fixture->fields[1], 0, "rows", "[[D");
    fixture->statics = own_field(fixture, &fixture->fields[2], ACCESS_STATIC, "statics", "[I");
    class_file->fields = fixture->fields;
    class_file->field_count = 3;
    fixture->other = class_editor_member(&fixture->method.editor, CONSTANT_FIELD, TEXT("p/Other"),
                                         TEXT("array"), TEXT("[I"));
    fixture->call = class_editor_member(&fixture->method.editor, CONSTANT_METHOD, TEXT("p/Other"),
                                        TEXT("call"), TEXT("()I"));
    assert_true(sites_init(&fixture->sites));
    fixture->instrument = (struct instrument){.sites = &fixture->sites, .arrays = true};
    builder_init(&fixture->names);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    builder_release(&fixture->names);
    sites_release(&fixture->sites);
    method_fixture_end(&fixture->method);
    free(fixture);
    return 0;
}

static void open_owner(struct fixture *fixture)
{
    fixture->owner = (struct instrument_class){.instrument = &fixture->instrument,
                                               .editor = &fixture->method.editor,
                                               .name = TEXT("p/Sample"),
                                               .file = TEXT("")};
    arena_init(&fixture->owner.arena);
    checks_init(&fixture->owner.checks);
    snippet_init(&fixture->owner.snippet, &fixture->method.editor);
    assert_true(quiet_begin(&fixture->owner));
}

static void close_owner(struct fixture *fixture)
{
    snippet_release(&fixture->owner.snippet);
    checks_release(&fixture->owner.checks);
    arena_release(&fixture->owner.arena);
}

static bool plan(struct fixture *fixture)
{
    struct method_editor *edit = &fixture->method.edit;
    const struct class_file *class_file = edit->bytecode.class_file;
    struct instrument_method *method = &fixture->planned;
    *method =
        (struct instrument_method){.owner = &fixture->owner,
                                   .edit = edit,
                                   .name = TEXT("m"),
                                   .descriptor = class_utf8(class_file, edit->method->descriptor),
                                   .is_static = edit->method->access & ACCESS_STATIC,
                                   .this_kept = !(edit->method->access & ACCESS_STATIC)};
    if (!origins_compute(&method->origins, &edit->bytecode, method->is_static, false,
                         edit->arena) ||
        !arrays_begin(method))
        return false;
    for (uint32_t i = 0; i < edit->bytecode.count; i++) {
        enum opcode opcode = edit->bytecode.instructions[i].opcode;
        if ((array_is_load(opcode) || array_is_store(opcode)) && !arrays_plan(method, i))
            return false;
    }
    return arrays_end(method);
}

/* The names of the instructions that the method has now. */
static const char *names_of(struct fixture *fixture)
{
    struct sample *sample = &fixture->method.sample;
    struct bytecode bytecode;
    if (!bytecode_decode(&bytecode, &sample->arena, &sample->class_file, &sample->method,
                         &fixture->method.problem))
        fail_msg("%s", fixture->method.problem.reason);
    builder_clear(&fixture->names);
    for (uint32_t i = 0; i < bytecode.count; i++)
        builder_add_format(&fixture->names, "%s ",
                           opcode_infos[bytecode.instructions[i].opcode].name);
    return builder_string(&fixture->names);
}

static void open_method(struct fixture *fixture, uint16_t access, const char *descriptor,
                        const uint8_t *bytes, size_t length)
{
    fixture->method.sample.method.access = access;
    fixture->method.sample.method.descriptor =
        class_editor_utf8(&fixture->method.editor, text_from(descriptor));
    method_fixture_open(&fixture->method, bytes, length);
    open_owner(fixture);
}

/* Plans, applies and compares. The owner stays open for more questions. */
static void rewrite(struct fixture *fixture, uint16_t access, const char *descriptor,
                    const char *expected, const uint8_t *bytes, size_t length)
{
    open_method(fixture, access, descriptor, bytes, length);
    assert_true(plan(fixture));
    method_fixture_apply(&fixture->method);
    assert_string_equal(names_of(fixture), expected);
}

#define REWRITE(fixture, access, descriptor, expected, ...)                                        \
    rewrite((fixture), (access), (descriptor), (expected), (const uint8_t[]){__VA_ARGS__},         \
            sizeof((const uint8_t[]){__VA_ARGS__}))

/* Plans nothing. */
static void leave(struct fixture *fixture, uint16_t access, const char *descriptor,
                  const uint8_t *bytes, size_t length)
{
    open_method(fixture, access, descriptor, bytes, length);
    assert_true(plan(fixture));
    assert_int_equal(method_editor_apply(&fixture->method.edit, &fixture->method.problem),
                     REWRITE_UNCHANGED);
    close_owner(fixture);
}

static enum check_kind kind_of(const struct fixture *fixture, size_t number)
{
    assert_true(number < fixture->owner.checks.items.count);
    return fixture->owner.checks.items.items[number].kind;
}

static struct accessed accessed_at(struct fixture *fixture, size_t site)
{
    struct accessed accessed;
    assert_true(site < fixture->owner.checks.sites.count);
    assert_true(sites_get_accessed(&fixture->sites,
                                   fixture->owner.checks.sites.items[site].accessed, &accessed));
    assert_int_equal(accessed.kind, ACCESSED_ELEMENTS);
    return accessed;
}

/* ---- one access ---- */

static void a_load(void **state)
{
    struct fixture *fixture = *state;
    REWRITE(fixture, ACCESS_STATIC, "()V",
            "getstatic iconst_2 " LOOKED_UP CHECK_0 "iaload pop return ", OP_GETSTATIC,
            TWO(fixture->other), OP_ICONST_2, OP_IALOAD, OP_POP, OP_RETURN);
    assert_int_equal(kind_of(fixture, 0), CHECK_ELEMENT_READ);
    struct accessed accessed = accessed_at(fixture, 0);
    assert_text(accessed.owner, "p/Other");
    assert_text(accessed.name, "array");
    assert_text(accessed.descriptor, "[I");
    close_owner(fixture);
}

static void stores(void **state)
{
    static const struct {
        uint8_t push, store;
        const char *before, *after;
        const char *descriptor;
    } cases[] = {
        {OP_ICONST_0, OP_IASTORE, "iconst_0 istore ", "iload iastore ", "[I"},
        {OP_LCONST_0, OP_LASTORE, "lconst_0 lstore ", "lload lastore ", "[J"},
        {OP_FCONST_0, OP_FASTORE, "fconst_0 fstore ", "fload fastore ", "[F"},
        {OP_DCONST_0, OP_DASTORE, "dconst_0 dstore ", "dload dastore ", "[D"},
        {OP_ACONST_NULL, OP_AASTORE, "aconst_null astore ", "aload aastore ",
         "[Ljava/lang/Object;"},
        {OP_ICONST_0, OP_BASTORE, "iconst_0 istore ", "iload bastore ", "[B"},
        {OP_ICONST_0, OP_CASTORE, "iconst_0 istore ", "iload castore ", "[C"},
        {OP_ICONST_0, OP_SASTORE, "iconst_0 istore ", "iload sastore ", "[S"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture *fixture = *state;
        struct builder expected;
        builder_init(&expected);
        builder_add_format(&expected, "aload_0 iconst_1 %s" LOOKED_UP CHECK_0 "%sreturn ",
                           cases[i].before, cases[i].after);
        REWRITE(fixture, ACCESS_STATIC, "(Ljava/lang/Object;)V", builder_string(&expected),
                OP_ALOAD_0, OP_ICONST_1, cases[i].push, cases[i].store, OP_RETURN);
        builder_release(&expected);
        assert_int_equal(kind_of(fixture, 0), CHECK_ELEMENT_WRITE);
        struct accessed accessed = accessed_at(fixture, 0);
        assert_int_equal(accessed.owner.length + accessed.name.length, 0);
        assert_text(accessed.descriptor, cases[i].descriptor);
        close_owner(fixture);
        tear_down(state);
        set_up(state);
    }
}

/* rows[1][0]: the row is an element of the field, and so is its own element. */
static void elements_of_elements(void **state)
{
    struct fixture *fixture = *state;
    REWRITE(fixture, 0, "()V",
            "aload_0 getfield iconst_1 " LOOKED_UP CHECK_0 "aaload iconst_0 " LOOKED_UP CHECK_1
            "daload pop2 return ",
            OP_ALOAD_0, OP_GETFIELD, TWO(fixture->rows), OP_ICONST_1, OP_AALOAD, OP_ICONST_0,
            OP_DALOAD, OP_POP2, OP_RETURN);
    assert_text(accessed_at(fixture, 0).name, "rows");
    assert_text(accessed_at(fixture, 1).name, "rows");
    close_owner(fixture);
}

static void whole_arrays(void **state)
{
    struct fixture *fixture = *state;
    fixture->instrument.array_objects = true;
    REWRITE(fixture, ACCESS_STATIC, "()V",
            "getstatic iconst_2 dup2 pop iconst_0 invokestatic iconst_0 " CHECK_0
            "iaload pop return ",
            OP_GETSTATIC, TWO(fixture->other), OP_ICONST_2, OP_IALOAD, OP_POP, OP_RETURN);
    close_owner(fixture);
}

/* ---- updates ---- */

/* a[2] += 1: the check before the load is that of the store. */
static void an_update(void **state)
{
    struct fixture *fixture = *state;
    REWRITE(fixture, ACCESS_STATIC, "()V",
            "getstatic iconst_2 dup2 " LOOKED_UP CHECK_0 "iaload iconst_1 iadd iastore return ",
            OP_GETSTATIC, TWO(fixture->other), OP_ICONST_2, OP_DUP2, OP_IALOAD, OP_ICONST_1,
            OP_IADD, OP_IASTORE, OP_RETURN);
    assert_int_equal(fixture->owner.checks.items.count, 1);
    assert_int_equal(kind_of(fixture, 0), CHECK_ELEMENT_WRITE);
    close_owner(fixture);
}

/* a[2] += call(): other threads may come in between. */
static void an_update_with_a_call(void **state)
{
    struct fixture *fixture = *state;
    open_method(fixture, ACCESS_STATIC, "()V",
                (const uint8_t[]){OP_GETSTATIC, TWO(fixture->other), OP_ICONST_2, OP_DUP2,
                                  OP_IALOAD, OP_INVOKESTATIC, TWO(fixture->call), OP_IADD,
                                  OP_IASTORE, OP_RETURN},
                12);
    assert_true(plan(fixture));
    assert_int_equal(fixture->owner.checks.items.count, 2);
    assert_int_equal(kind_of(fixture, 0), CHECK_ELEMENT_READ);
    assert_int_equal(kind_of(fixture, 1), CHECK_ELEMENT_WRITE);
    close_owner(fixture);
}

/* a[2] = (other[1] = a[2]): what dup2 left below is not for the first store that comes. */
static void not_an_update(void **state)
{
    struct fixture *fixture = *state;
    open_method(fixture, ACCESS_STATIC, "()V",
                (const uint8_t[]){OP_GETSTATIC, TWO(fixture->other), OP_ICONST_2, OP_DUP2,
                                  OP_IALOAD, OP_POP, OP_GETSTATIC, TWO(fixture->statics),
                                  OP_ICONST_1, OP_ICONST_0, OP_IASTORE, OP_POP2, OP_RETURN},
                15);
    assert_true(plan(fixture));
    assert_int_equal(fixture->owner.checks.items.count, 2);
    assert_int_equal(kind_of(fixture, 0), CHECK_ELEMENT_READ);
    close_owner(fixture);
}

/* ---- loops ---- */

/* for (;;) a[0]: the words are looked up once, at the entry. */
static void a_parameter_in_a_loop(void **state)
{
    struct fixture *fixture = *state;
    REWRITE(fixture, ACCESS_STATIC, "([I)V",
            "aload_0 iconst_0 invokestatic astore aload_0 iconst_2 " FOLLOWED CHECK_0
            "iaload ifeq return ",
            OP_ALOAD_0, OP_ICONST_2, OP_IALOAD, OP_IFEQ, TWO(-3 & 0xFFFF), OP_RETURN);
    assert_text(accessed_at(fixture, 0).descriptor, "[I");
    close_owner(fixture);
}

/* The index of a store is below a value of one slot, which can stay where it is. */
static void a_store_in_a_loop(void **state)
{
    struct fixture *fixture = *state;
    REWRITE(fixture, ACCESS_STATIC, "([I)V",
            "aload_0 iconst_0 invokestatic astore aload_0 iconst_2 iconst_1 dup2 pop aload "
            "swap " CHECK_0 "iastore iconst_0 ifeq return ",
            OP_ALOAD_0, OP_ICONST_2, OP_ICONST_1, OP_IASTORE, OP_ICONST_0, OP_IFEQ,
            TWO(-5 & 0xFFFF), OP_RETURN);
    close_owner(fixture);
}

static void a_long_store_in_a_loop(void **state)
{
    struct fixture *fixture = *state;
    REWRITE(
        fixture, ACCESS_STATIC, "([J)V",
        "aload_0 iconst_0 invokestatic astore aload_0 iconst_2 lconst_1 lstore " FOLLOWED CHECK_0
        "lload lastore iconst_0 ifeq return ",
        OP_ALOAD_0, OP_ICONST_2, OP_LCONST_1, OP_LASTORE, OP_ICONST_0, OP_IFEQ, TWO(-5 & 0xFFFF),
        OP_RETURN);
    close_owner(fixture);
}

/* int[] a = array; for (;;) a[0]; a = null: it is followed at both stores, and let go at the
   second. */
static void a_local_in_a_loop(void **state)
{
    struct fixture *fixture = *state;
    REWRITE(fixture, ACCESS_STATIC, "()V",
            "aconst_null astore getstatic dup iconst_0 invokestatic astore astore_1 "
            "aload_1 iconst_2 " FOLLOWED CHECK_0 "iaload ifeq "
            "aconst_null aconst_null astore astore_1 return ",
            OP_GETSTATIC, TWO(fixture->other), OP_ASTORE_1, OP_ALOAD_1, OP_ICONST_2, OP_IALOAD,
            OP_IFEQ, TWO(-3 & 0xFFFF), OP_ACONST_NULL, OP_ASTORE_1, OP_RETURN);
    assert_text(accessed_at(fixture, 0).name, "array");
    close_owner(fixture);
}

/* for (;;) { int[] a = array; a[0]; a[1]; }: the array is often the same as in the round before. */
static void a_local_that_is_stored_in_a_loop(void **state)
{
    struct fixture *fixture = *state;
    REWRITE(fixture, ACCESS_STATIC, "()V",
            "aconst_null astore aconst_null astore "
            "getstatic dup aload if_acmpeq dup dup astore iconst_0 invokestatic astore astore_1 "
            "aload_1 iconst_2 " FOLLOWED CHECK_0 "iaload pop "
            "aload_1 iconst_2 " FOLLOWED CHECK_1 "iaload ifeq return ",
            OP_GETSTATIC, TWO(fixture->other), OP_ASTORE_1, OP_ALOAD_1, OP_ICONST_2, OP_IALOAD,
            OP_POP, OP_ALOAD_1, OP_ICONST_2, OP_IALOAD, OP_IFEQ, TWO(-11 & 0xFFFF), OP_RETURN);
    close_owner(fixture);
}

/* nop; for (;;) data[2]: looked up before the loop too, from the same field. */
static void an_own_field_in_a_loop(void **state)
{
    struct fixture *fixture = *state;
    REWRITE(fixture, 0, "()V",
            "aconst_null astore aconst_null astore nop "
            "aload_0 getfield dup aload if_acmpeq dup astore iconst_0 invokestatic astore goto pop "
            "aload_0 getfield iconst_2 " CACHED CHECK_0 "iaload ifeq return ",
            OP_NOP, OP_ALOAD_0, OP_GETFIELD, TWO(fixture->data), OP_ICONST_2, OP_IALOAD, OP_IFEQ,
            TWO(-6 & 0xFFFF), OP_RETURN);
    close_owner(fixture);
}

/* A parameter may be null, and a null may be right. */
static void a_field_of_a_parameter_in_a_loop(void **state)
{
    struct fixture *fixture = *state;
    REWRITE(fixture, ACCESS_STATIC, "(Lp/Sample;)V",
            "aconst_null astore aconst_null astore nop aload_0 ifnull "
            "aload_0 getfield dup aload if_acmpeq dup astore iconst_0 invokestatic astore goto pop "
            "aload_0 getfield iconst_2 " CACHED CHECK_0 "iaload ifeq return ",
            OP_NOP, OP_ALOAD_0, OP_GETFIELD, TWO(fixture->data), OP_ICONST_2, OP_IALOAD, OP_IFEQ,
            TWO(-6 & 0xFFFF), OP_RETURN);
    close_owner(fixture);
}

/* `((Sample) given).data[2]`: what is given is no Sample to the verifier where the code does not
   cast it, before the loop. */
static void a_field_of_a_cast_parameter_in_a_loop(void **state)
{
    struct fixture *fixture = *state;
    const uint16_t type = class_editor_class(&fixture->method.editor, TEXT("p/Sample"));
    REWRITE(fixture, ACCESS_STATIC, "(Lp/Base;)V",
            "aconst_null astore aconst_null astore nop aload_0 checkcast getfield iconst_2 " CACHED
                CHECK_0 "iaload ifeq return ",
            OP_NOP, OP_ALOAD_0, OP_CHECKCAST, TWO(type), OP_GETFIELD, TWO(fixture->data),
            OP_ICONST_2, OP_IALOAD, OP_IFEQ, TWO(-9 & 0xFFFF), OP_RETURN);
    close_owner(fixture);
}

/* Reading a static field of another class might initialize that class too early. */
static void a_field_of_another_class_in_a_loop(void **state)
{
    struct fixture *fixture = *state;
    REWRITE(fixture, ACCESS_STATIC, "()V",
            "aconst_null astore aconst_null astore nop getstatic iconst_2 " CACHED CHECK_0
            "iaload ifeq return ",
            OP_NOP, OP_GETSTATIC, TWO(fixture->other), OP_ICONST_2, OP_IALOAD, OP_IFEQ,
            TWO(-5 & 0xFFFF), OP_RETURN);
    close_owner(fixture);
}

/* ---- what is not followed ---- */

/* With jsr, a local may hold a return address, which cannot be passed to anybody. */
static void subroutines(void **state)
{
    struct fixture *fixture = *state;
    fixture->method.sample.class_file.major = 48;
    REWRITE(fixture, ACCESS_STATIC, "([I)V",
            "aconst_null astore aconst_null astore aload_0 iconst_2 " CACHED CHECK_0
            "iaload ifeq jsr return astore_0 ret ",
            OP_ALOAD_0, OP_ICONST_2, OP_IALOAD, OP_IFEQ, TWO(-3 & 0xFFFF), OP_JSR, TWO(4),
            OP_RETURN, OP_ASTORE_0, OP_RET, 0);
    close_owner(fixture);
}

static void private_arrays(void **state)
{
    struct fixture *fixture = *state;
    static const uint8_t code[] = {OP_ICONST_1, OP_NEWARRAY, 10,         OP_ASTORE_0, OP_ALOAD_0,
                                   OP_ICONST_0, OP_ICONST_1, OP_IASTORE, OP_ALOAD_0,  OP_ICONST_0,
                                   OP_IALOAD,   OP_POP,      OP_RETURN};
    leave(fixture, ACCESS_STATIC, "()V", code, sizeof code);
    assert_int_equal(fixture->instrument.elements, 0);
}

/* ---- size ---- */

static uint8_t *many_loads(size_t count, size_t *length)
{
    static const uint8_t load[] = {OP_ALOAD_0, OP_ICONST_2, OP_IALOAD, OP_POP};
    uint8_t *code = malloc(count * sizeof load + 1);
    for (size_t i = 0; i < count; i++)
        memcpy(code + i * sizeof load, load, sizeof load);
    *length = count * sizeof load;
    code[(*length)++] = OP_RETURN;
    return code;
}

/* A method that the JIT would not compile any more gets the shortest form. */
static void long_methods(void **state)
{
    struct fixture *fixture = *state;
    size_t length = 0;
    uint8_t *code = many_loads(1000, &length);
    open_method(fixture, ACCESS_STATIC, "([I)V", code, length);
    assert_true(plan(fixture));
    method_fixture_apply(&fixture->method);
    static const char expected[] = "aload_0 iconst_2 " LOOKED_UP;
    assert_memory_equal(names_of(fixture), expected, strlen(expected));
    assert_int_equal(fixture->instrument.elements, 1000);
    close_owner(fixture);
    free(code);
}

/* One that would not fit the format any more does without: its fields can still be checked. */
static void longest_methods(void **state)
{
    struct fixture *fixture = *state;
    size_t length = 0;
    uint8_t *code = many_loads(4000, &length);
    leave(fixture, ACCESS_STATIC, "([I)V", code, length);
    free(code);
}

/* ---- memory ---- */

static void survives_without_memory(void **state)
{
    struct fixture *fixture = *state;
    static const uint8_t code[] = {OP_NOP,      OP_ALOAD_0,       OP_ICONST_2,
                                   OP_DCONST_0, OP_DASTORE,       OP_ICONST_0,
                                   OP_IFEQ,     TWO(-5 & 0xFFFF), OP_RETURN};
    bool planned = false;
    for (long requests = 0; !planned; requests++) {
        method_fixture_open(&fixture->method, code, sizeof code);
        open_owner(fixture);
        memory_fail_after(requests);
        planned = plan(fixture);
        memory_fail_after(-1);
        close_owner(fixture);
        arena_clear(&fixture->method.scratch);
        assert_true(requests < 1000);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_load),
        TEST(stores),
        TEST(elements_of_elements),
        TEST(whole_arrays),
        TEST(an_update),
        TEST(an_update_with_a_call),
        TEST(not_an_update),
        TEST(a_parameter_in_a_loop),
        TEST(a_store_in_a_loop),
        TEST(a_long_store_in_a_loop),
        TEST(a_local_in_a_loop),
        TEST(a_local_that_is_stored_in_a_loop),
        TEST(an_own_field_in_a_loop),
        TEST(a_field_of_a_parameter_in_a_loop),
        TEST(a_field_of_a_cast_parameter_in_a_loop),
        TEST(a_field_of_another_class_in_a_loop),
        TEST(subroutines),
        TEST(private_arrays),
        TEST(long_methods),
        TEST(longest_methods),
        TEST(survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
