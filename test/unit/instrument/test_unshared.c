/*
 * unshared: which accesses are told to be to an object that nobody else can know. The methods are
 * made by hand; what is expected follows from where the object is given away, and from where the
 * code can go then.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "instrument/instrument_fixture.h"

/* Fields of the class, for accesses to be told apart; what constructors call. */
struct constants {
    uint16_t a, b, c, wide, holder, shared;
    uint16_t object_init, other_init, own, inherited, take;
};

static void add_constants(struct fixture *fixture, struct constants *constants)
{
    constants->a = add_field(fixture, 0, "a", "I");
    constants->b = add_field(fixture, 0, "b", "I");
    constants->c = add_field(fixture, 0, "c", "I");
    constants->wide = add_field(fixture, 0, "wide", "J");
    constants->holder = add_field(fixture, 0, "holder", "Ljava/lang/Object;");
    constants->shared = add_field(fixture, ACCESS_STATIC, "shared", "Lp/Sample;");
    constants->object_init = method_constant(fixture, "java/lang/Object", "<init>", "()V");
    constants->other_init = method_constant(fixture, "p/Other", "<init>", "(Lp/Sample;)V");
    constants->own = method_constant(fixture, "p/Sample", "own", "()V");
    constants->inherited = method_constant(fixture, "p/Sample", "start", "()V");
    constants->take = method_constant(fixture, "p/Other", "take", "(Ljava/lang/Object;I)V");
    METHOD(fixture, 0, "own", "()V", OP_RETURN);
}

/* The fields that are accessed at unshared sites, in the order of the code. */
static const char *unshared_of(struct fixture *fixture)
{
    fixture->instrument.recorded = true; /* so that all accesses have sites of their own */
    run(fixture);
    builder_clear(&fixture->text);
    for (uint32_t i = 1; i <= sites_count(&fixture->sites); i++) {
        struct site site;
        struct accessed accessed;
        assert_true(sites_get(&fixture->sites, i, &site));
        if (!site.unshared)
            continue;
        assert_true(sites_get_accessed(&fixture->sites, site.accessed, &accessed));
        builder_add_format(&fixture->text, "%.*s ", TEXT_ARGUMENTS(accessed.name));
    }
    return builder_string(&fixture->text);
}

#define CONSTRUCTOR(fixture, ...) METHOD((fixture), 0, "<init>", "()V", __VA_ARGS__)
#define CALL_SUPER OP_ALOAD_0, OP_INVOKESPECIAL, TWO(constants.object_init)
#define WRITE(field) OP_ALOAD_0, OP_ICONST_1, OP_PUTFIELD, TWO(constants.field)
#define READ(field) OP_ALOAD_0, OP_GETFIELD, TWO(constants.field), OP_POP

static void what_a_constructor_does_to_its_object(void **state)
{
    struct fixture *fixture = *state;
    struct constants constants;
    add_constants(fixture, &constants);
    CONSTRUCTOR(fixture, CALL_SUPER, WRITE(a), READ(b), OP_ALOAD_0, OP_LCONST_1, OP_PUTFIELD,
                TWO(constants.wide), OP_RETURN);
    assert_string_equal(unshared_of(fixture), "a b wide ");
}

static void other_methods_and_objects_are_shared(void **state)
{
    struct fixture *fixture = *state;
    struct constants constants;
    add_constants(fixture, &constants);
    METHOD(fixture, 0, "<init>", "(Lp/Sample;)V", CALL_SUPER, OP_ALOAD_1, OP_ICONST_1, OP_PUTFIELD,
           TWO(constants.b), OP_GETSTATIC, TWO(constants.shared), OP_POP, WRITE(a), OP_RETURN);
    METHOD(fixture, 0, "method", "()V", WRITE(c), OP_RETURN);
    assert_string_equal(unshared_of(fixture), "a ");
}

/* Another object may be in local 0. */
static void this_must_stay_where_it_is(void **state)
{
    struct fixture *fixture = *state;
    struct constants constants;
    add_constants(fixture, &constants);
    METHOD(fixture, 0, "<init>", "(Lp/Sample;)V", CALL_SUPER, OP_ALOAD_1, OP_ASTORE_0, WRITE(a),
           OP_RETURN);
    assert_string_equal(unshared_of(fixture), "");
}

static void giving_it_away_ends_it(void **state)
{
    struct constants constants;
    for (int way = 0; way < 6; way++) {
        struct fixture *fixture = restart(state, 61);
        add_constants(fixture, &constants);
        /* Each way pads to nine bytes. */
        const uint8_t ways[][9] = {
            {OP_ALOAD_0, OP_PUTSTATIC, TWO(constants.shared)},
            {OP_ALOAD_0, OP_ALOAD_0, OP_PUTFIELD, TWO(constants.holder)},
            {OP_ALOAD_0, OP_INVOKEVIRTUAL, TWO(constants.inherited)},
            {OP_ACONST_NULL, OP_ALOAD_0, OP_ICONST_0, OP_INVOKEVIRTUAL, TWO(constants.take)},
            {OP_ICONST_1, OP_ANEWARRAY, TWO(class_editor_class(&fixture->editor, TEXT("p/Sample"))),
             OP_ICONST_0, OP_ALOAD_0, OP_AASTORE},
            {OP_ACONST_NULL, OP_ALOAD_0, OP_INVOKESPECIAL, TWO(constants.other_init)},
        };
        uint8_t code[64];
        size_t length = 0;
        const uint8_t first[] = {CALL_SUPER, WRITE(a)}, last[] = {WRITE(b), OP_RETURN};
        memcpy(code, first, sizeof first);
        length += sizeof first;
        memcpy(code + length, ways[way], sizeof ways[way]);
        length += sizeof ways[way];
        memcpy(code + length, last, sizeof last);
        length += sizeof last;
        add_method(fixture, 0, "<init>", "()V", code, length);
        /* The store into `holder` itself comes when the object is known. */
        assert_string_equal(unshared_of(fixture), "a ");
    }
}

static void own_methods_and_constructors_keep_it(void **state)
{
    struct fixture *fixture = *state;
    struct constants constants;
    add_constants(fixture, &constants);
    const uint16_t this_init = method_constant(fixture, "p/Sample", "<init>", "()V");
    CONSTRUCTOR(fixture, CALL_SUPER, WRITE(a), OP_ALOAD_0, OP_INVOKEVIRTUAL, TWO(constants.own),
                WRITE(b), OP_RETURN);
    METHOD(fixture, 0, "<init>", "(I)V", OP_ALOAD_0, OP_INVOKESPECIAL, TWO(this_init), WRITE(c),
           OP_RETURN);
    assert_string_equal(unshared_of(fixture), "a b c ");
}

/* In the second round of the loop the object is known. */
static void going_back_behind_it(void **state)
{
    struct fixture *fixture = *state;
    struct constants constants;
    add_constants(fixture, &constants);
    struct code *code =
        CONSTRUCTOR(fixture, CALL_SUPER, WRITE(a), /* 9: */ WRITE(b), /* 14: */ OP_ALOAD_0,
                    OP_PUTSTATIC, TWO(constants.shared), /* 18: */ OP_ALOAD_0, OP_GETFIELD,
                    TWO(constants.c), OP_IFNE, TWO(9 - 22), OP_RETURN);
    struct stack_map_frame *frames = ARENA_NEW(&fixture->sample.arena, struct stack_map_frame);
    struct stack_map *map = ARENA_NEW(&fixture->sample.arena, struct stack_map);
    *frames = (struct stack_map_frame){.type = 9, .offset_delta = 9};
    *map = (struct stack_map){frames, 1};
    class_editor_add_attribute(&fixture->editor, &code->attributes, ATTRIBUTE_STACK_MAP_TABLE)
        ->as.stack_map = map;
    assert_string_equal(unshared_of(fixture), "a ");
}

/* What is thrown when it has been given away goes back to a handler that stands before. */
static void handlers_before_it(void **state)
{
    struct fixture *fixture = restart(state, 49); /* no frames needed */
    struct constants constants;
    add_constants(fixture, &constants);
    struct code *code =
        CONSTRUCTOR(fixture, CALL_SUPER, WRITE(a), /* 9: */ OP_GOTO, TWO(9), /* 12: */ OP_POP,
                    WRITE(b), /* 18: */ OP_ALOAD_0, OP_PUTSTATIC, TWO(constants.shared),
                    /* 22: */ OP_ALOAD_0, OP_INVOKEVIRTUAL, TWO(constants.own), OP_RETURN);
    const struct exception_handler handler = {18, 26, 12, 0};
    add_handlers(fixture, code, &handler, 1);
    assert_string_equal(unshared_of(fixture), "a ");
}

static void what_the_object_holds(void **state)
{
    struct fixture *fixture = *state;
    struct constants constants;
    add_constants(fixture, &constants);
    const uint16_t list = class_editor_class(&fixture->editor, TEXT("java/util/ArrayList"));
    const uint16_t list_init = method_constant(fixture, "java/util/ArrayList", "<init>", "()V");
    const uint16_t clear = method_constant(fixture, "java/util/ArrayList", "clear", "()V");
    const uint16_t own = add_field(fixture, 0, "own", "Ljava/util/ArrayList;");
    const uint16_t given = add_field(fixture, 0, "given", "Ljava/util/ArrayList;");
    const uint16_t numbers = add_field(fixture, 0, "numbers", "[I");
    METHOD(fixture, 0, "<init>", "(Ljava/util/ArrayList;)V", CALL_SUPER,
           /* this.own = new ArrayList(); this.given = given; this.numbers = new int[1]; */
           OP_ALOAD_0, OP_NEW, TWO(list), OP_DUP, OP_INVOKESPECIAL, TWO(list_init), OP_PUTFIELD,
           TWO(own), OP_ALOAD_0, OP_ALOAD_1, OP_PUTFIELD, TWO(given), OP_ALOAD_0, OP_ICONST_1,
           OP_NEWARRAY, 10, OP_PUTFIELD, TWO(numbers),
           /* own.clear(); given.clear(); numbers[0] = 1; */
           OP_ALOAD_0, OP_GETFIELD, TWO(own), OP_INVOKEVIRTUAL, TWO(clear), OP_ALOAD_0, OP_GETFIELD,
           TWO(given), OP_INVOKEVIRTUAL, TWO(clear), OP_ALOAD_0, OP_GETFIELD, TWO(numbers),
           OP_ICONST_0, OP_ICONST_1, OP_IASTORE,
           /* shared = this; own.clear(); */
           OP_ALOAD_0, OP_PUTSTATIC, TWO(constants.shared), OP_ALOAD_0, OP_GETFIELD, TWO(own),
           OP_INVOKEVIRTUAL, TWO(clear), OP_RETURN);
    /* Each field is stored and read; what is in them may be known. */
    assert_string_equal(unshared_of(fixture), "own given numbers own given numbers ");
}

/* It may be `this` that is stored, or another object. */
static void losing_it_from_sight(void **state)
{
    struct fixture *fixture = restart(state, 49);
    struct constants constants;
    add_constants(fixture, &constants);
    METHOD(fixture, 0, "<init>", "(Lp/Sample;)V", CALL_SUPER, WRITE(a), /* 9: */ OP_ALOAD_1,
           OP_IFNONNULL, TWO(7), /* 13: */ OP_ALOAD_0, OP_GOTO, TWO(4), /* 17: */ OP_ALOAD_1,
           /* 18: */ OP_PUTSTATIC, TWO(constants.shared), WRITE(b), OP_RETURN);
    assert_string_equal(unshared_of(fixture), "a ");
    fixture = restart(state, 49);
    add_constants(fixture, &constants);
    METHOD(fixture, 0, "<init>", "(Lp/Sample;)V", CALL_SUPER, WRITE(a), OP_ALOAD_0, OP_ASTORE_2,
           /* 11: */ OP_ALOAD_1, OP_IFNULL, TWO(5), OP_ALOAD_1, OP_ASTORE_2, /* 17: */ OP_ALOAD_2,
           OP_PUTSTATIC, TWO(constants.shared), WRITE(b), OP_RETURN);
    assert_string_equal(unshared_of(fixture), "a ");
}

/* ---- objects that a method makes ---- */

#define NEW_OTHER OP_NEW, TWO(other), OP_DUP, OP_INVOKESPECIAL, TWO(init), OP_ASTORE_1
#define WRITE_OTHER OP_ALOAD_1, OP_ICONST_1, OP_PUTFIELD, TWO(field)
#define OTHERS                                                                                     \
    const uint16_t other = class_editor_class(&fixture->editor, TEXT("p/Other"));                  \
    const uint16_t init = method_constant(fixture, "p/Other", "<init>", "()V");                    \
    const uint16_t field = field_constant(fixture, "p/Other", "x", "I")

/* A new object in local 1, of which x is written before and behind the bytes. */
static const char *written_around(struct fixture *fixture, const uint8_t *bytes, size_t length)
{
    OTHERS;
    const uint8_t first[] = {NEW_OTHER, WRITE_OTHER}, last[] = {WRITE_OTHER, OP_RETURN};
    uint8_t code[64];
    memcpy(code, first, sizeof first);
    memcpy(code + sizeof first, bytes, length);
    memcpy(code + sizeof first + length, last, sizeof last);
    add_method(fixture, ACCESS_STATIC, "method", "(Lp/Other;)V", code,
               sizeof first + length + sizeof last);
    return unshared_of(fixture);
}

#define WRITTEN_AROUND(fixture, ...)                                                               \
    written_around((fixture), (const uint8_t[]){__VA_ARGS__},                                      \
                   sizeof((const uint8_t[]){__VA_ARGS__}))

static void objects_until_they_are_given_away(void **state)
{
    struct fixture *fixture = restart(state, 61);
    uint16_t number = field_constant(fixture, "p/Other", "next", "Lp/Other;");
    assert_string_equal(WRITTEN_AROUND(fixture, OP_ALOAD_0, OP_ALOAD_1, OP_PUTFIELD, TWO(number)),
                        "x ");
    fixture = restart(state, 61);
    number = field_constant(fixture, "p/Other", "shared", "Lp/Other;");
    assert_string_equal(WRITTEN_AROUND(fixture, OP_ALOAD_1, OP_PUTSTATIC, TWO(number)), "x ");
    fixture = restart(state, 61);
    number = method_constant(fixture, "p/Other", "take", "(Ljava/lang/Object;)V");
    assert_string_equal(WRITTEN_AROUND(fixture, OP_ALOAD_1, OP_INVOKESTATIC, TWO(number)), "x ");
    fixture = restart(state, 61);
    number = method_constant(fixture, "p/Other", "start", "()V");
    assert_string_equal(WRITTEN_AROUND(fixture, OP_ALOAD_1, OP_INVOKEVIRTUAL, TWO(number)), "x ");
}

/* The same, where the object may be one of two. */
static void objects_that_are_lost(void **state)
{
    struct fixture *fixture = restart(state, 49);
    uint16_t number = field_constant(fixture, "p/Other", "shared", "Lp/Other;");
    assert_string_equal(WRITTEN_AROUND(fixture, OP_ALOAD_0, OP_IFNONNULL, TWO(7), OP_ALOAD_1,
                                       OP_GOTO, TWO(4), OP_ALOAD_0, OP_PUTSTATIC, TWO(number)),
                        "x ");
    fixture = restart(state, 49);
    number = field_constant(fixture, "p/Other", "shared", "Lp/Other;");
    assert_string_equal(WRITTEN_AROUND(fixture, OP_ALOAD_0, OP_IFNONNULL, TWO(5), OP_ALOAD_1,
                                       OP_ASTORE_0, OP_ALOAD_0, OP_PUTSTATIC, TWO(number)),
                        "x ");
    /* Methods of other classes may be called like those of collections. */
    fixture = restart(state, 49);
    number = method_constant(fixture, "p/Other", "clear", "()V");
    assert_string_equal(WRITTEN_AROUND(fixture, OP_ALOAD_1, OP_INVOKEVIRTUAL, TWO(number)), "x ");
}

static void objects_that_are_kept(void **state)
{
    struct fixture *fixture = restart(state, 61);
    assert_string_equal(
        WRITTEN_AROUND(fixture, OP_ALOAD_1, OP_MONITORENTER, OP_ALOAD_1, OP_MONITOREXIT), "x x ");
    fixture = restart(state, 61);
    const uint16_t next = field_constant(fixture, "p/Other", "next", "Lp/Other;");
    assert_string_equal(WRITTEN_AROUND(fixture, OP_ALOAD_1, OP_ALOAD_0, OP_PUTFIELD, TWO(next)),
                        "x next x ");
    /* What is done to another object says nothing. */
    fixture = restart(state, 61);
    const uint16_t shared = field_constant(fixture, "p/Other", "shared", "Lp/Other;");
    assert_string_equal(WRITTEN_AROUND(fixture, OP_ALOAD_0, OP_PUTSTATIC, TWO(shared)), "x x ");
}

/* In the second round it is the object of the first that is written, and that is known. */
static void objects_in_loops(void **state)
{
    struct fixture *fixture = restart(state, 48);
    OTHERS;
    const uint16_t shared = field_constant(fixture, "p/Other", "shared", "Lp/Other;");
    METHOD(fixture, ACCESS_STATIC, "known", "()V", NEW_OTHER, /* 8: */ WRITE_OTHER, OP_ALOAD_1,
           OP_PUTSTATIC, TWO(shared), OP_GOTO, TWO(8 - 17));
    assert_string_equal(unshared_of(fixture), "");
}

static void objects_of_each_round(void **state)
{
    struct fixture *fixture = restart(state, 48);
    OTHERS;
    const uint16_t shared = field_constant(fixture, "p/Other", "shared", "Lp/Other;");
    METHOD(fixture, ACCESS_STATIC, "own", "()V", NEW_OTHER, WRITE_OTHER, OP_ALOAD_1, OP_PUTSTATIC,
           TWO(shared), OP_GOTO, TWO(-17));
    assert_string_equal(unshared_of(fixture), "x ");
}

/* A library object is used by the calls that the table knows. */
static void library_objects(void **state)
{
    struct fixture *fixture = restart(state, 61);
    const uint16_t list = class_editor_class(&fixture->editor, TEXT("java/util/ArrayList"));
    const uint16_t init = method_constant(fixture, "java/util/ArrayList", "<init>", "()V");
    const uint16_t clear = method_constant(fixture, "java/util/ArrayList", "clear", "()V");
    const uint16_t shared = add_field(fixture, ACCESS_STATIC, "list", "Ljava/util/ArrayList;");
    METHOD(fixture, ACCESS_STATIC, "method", "()V", OP_NEW, TWO(list), OP_DUP, OP_INVOKESPECIAL,
           TWO(init), OP_ASTORE_1, OP_ALOAD_1, OP_INVOKEVIRTUAL, TWO(clear), OP_ALOAD_1,
           OP_PUTSTATIC, TWO(shared), OP_ALOAD_1, OP_INVOKEVIRTUAL, TWO(clear), OP_RETURN);
    fixture->instrument.recorded = true;
    run(fixture);
    struct site site;
    unsigned collections = 0, unshared = 0;
    for (uint32_t i = 1; i <= sites_count(&fixture->sites); i++) {
        struct accessed accessed;
        assert_true(sites_get(&fixture->sites, i, &site));
        if (!sites_get_accessed(&fixture->sites, site.accessed, &accessed) ||
            accessed.kind != ACCESSED_COLLECTION)
            continue;
        /* The first is, the second is not. */
        assert_int_equal(site.unshared, collections == 0);
        collections++;
        unshared += site.unshared;
    }
    assert_int_equal(collections, 2);
    assert_int_equal(unshared, 1);
}

/* Checks for races alone have no use for it. */
static void only_where_all_is_told(void **state)
{
    struct fixture *fixture = *state;
    struct constants constants;
    struct site site;
    add_constants(fixture, &constants);
    CONSTRUCTOR(fixture, CALL_SUPER, WRITE(a), OP_RETURN);
    run(fixture);
    for (uint32_t i = 1; i <= sites_count(&fixture->sites); i++) {
        assert_true(sites_get(&fixture->sites, i, &site));
        assert_false(site.unshared);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_a_constructor_does_to_its_object),
        TEST(other_methods_and_objects_are_shared),
        TEST(this_must_stay_where_it_is),
        TEST(giving_it_away_ends_it),
        TEST(own_methods_and_constructors_keep_it),
        TEST(going_back_behind_it),
        TEST(handlers_before_it),
        TEST(what_the_object_holds),
        TEST(objects_until_they_are_given_away),
        TEST(losing_it_from_sight),
        TEST(objects_that_are_lost),
        TEST(objects_that_are_kept),
        TEST(objects_in_loops),
        TEST(objects_of_each_round),
        TEST(library_objects),
        TEST(only_where_all_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
