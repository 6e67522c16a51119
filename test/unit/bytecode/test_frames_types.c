/* Joins of types and the effect of instructions on a frame. */
#include "frames_fixture.h"

#include <stdio.h>

#include "base/memory.h"

/* ---- joins, JVMS 4.10.2.2 ---- */

struct join_case {
    const char *a, *b, *joined;
};

/* By name; "null" is the null type. */
static frame_type type_of(struct type_table *table, const char *name)
{
    return text_is(text_from(name), "null") ? FRAME_NULL
                                            : type_table_object(table, text_from(name));
}

static void join_of_references(void **state)
{
    (void)state;
    static const struct join_case cases[] = {
        {"A", "A", "A"},
        {"A", "B", "Base"},
        {"C", "A", "A"},
        {"C", "B", "Base"},
        {"A", "java/lang/Object", "java/lang/Object"},
        {"A", "java/lang/String", "java/lang/Object"},
        /* an interface counts as Object */
        {"A", "I", "java/lang/Object"},
        {"I", "I", "I"},
        {"null", "A", "A"},
        {"null", "[I", "[I"},
        /* arrays of the same dimensions join element by element */
        {"[LA;", "[LB;", "[LBase;"},
        {"[[LA;", "[[LC;", "[[LA;"},
        {"[LA;", "[LI;", "[Ljava/lang/Object;"},
        /* an int[] is an Object but no Object[]; an int[][] is an Object[] */
        {"[I", "[J", "java/lang/Object"},
        {"[I", "[LA;", "java/lang/Object"},
        {"[LA;", "[D", "java/lang/Object"},
        {"[[I", "[[J", "[Ljava/lang/Object;"},
        {"[[I", "[LA;", "[Ljava/lang/Object;"},
        {"[[I", "[I", "java/lang/Object"},
        {"[[LA;", "[LA;", "[Ljava/lang/Object;"},
        {"[[[I", "[[LA;", "[[Ljava/lang/Object;"},
        {"[[[LA;", "[[I", "[Ljava/lang/Object;"},
        /* an array and a class have only Object in common */
        {"[LA;", "A", "java/lang/Object"},
        {"[I", "java/lang/Object", "java/lang/Object"},
    };
    struct arena arena;
    arena_init(&arena);
    struct type_table table;
    assert_true(type_table_init(&table, &arena, &fixture_hierarchy));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const frame_type a = type_of(&table, cases[i].a);
        const frame_type b = type_of(&table, cases[i].b);
        const frame_type expected = type_of(&table, cases[i].joined);
        for (int round = 0; round < 2; round++) { /* the second comes from memory */
            if (type_table_join(&table, a, b) != expected ||
                type_table_join(&table, b, a) != expected)
                fail_msg("%s and %s do not join to %s", cases[i].a, cases[i].b, cases[i].joined);
        }
    }
    type_table_release(&table);
    arena_release(&arena);
}

static struct text same_for_all(void *context, struct text a, struct text b)
{
    (void)a, (void)b;
    return *(const struct text *)context;
}

/* The pairs are new each time, but not the arrays of their superclass. */
static void joins_keep_each_name_once(void **state)
{
    (void)state;
    enum { LENGTH = 60000, CLASSES = 30 };
    static char bytes[LENGTH];
    memset(bytes, 'x', LENGTH);
    struct text name = {bytes, LENGTH};
    const struct type_hierarchy hierarchy = {&name, same_for_all};
    struct arena arena;
    arena_init(&arena);
    struct type_table table;
    assert_true(type_table_init(&table, &arena, &hierarchy));
    frame_type arrays[CLASSES];
    for (unsigned i = 0; i < CLASSES; i++) {
        char array[16];
        snprintf(array, sizeof array, "[LX%u;", i);
        arrays[i] = type_of(&table, array);
    }
    const frame_type joined = type_table_join(&table, arrays[0], arrays[1]);
    assert_int_equal(type_table_name(&table, joined).length, LENGTH + 3);
    for (unsigned i = 0; i < CLASSES; i++)
        for (unsigned j = 0; j < i; j++)
            assert_int_equal(type_table_join(&table, arrays[i], arrays[j]), joined);
    assert_int_equal(type_table_array(&table, type_table_object(&table, name)), joined);
    assert_true(arena_used(&arena) < 4 * LENGTH);
    type_table_release(&table);
    arena_release(&arena);
}

static void join_of_others(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct type_table table;
    assert_true(type_table_init(&table, &arena, NULL));
    const frame_type object = type_of(&table, "A");
    const frame_type new_at_1 = frame_type_make(VERIFICATION_UNINITIALIZED, 1);
    const frame_type new_at_2 = frame_type_make(VERIFICATION_UNINITIALIZED, 2);
    assert_int_equal(type_table_join(&table, FRAME_INTEGER, FRAME_INTEGER), FRAME_INTEGER);
    assert_int_equal(type_table_join(&table, FRAME_INTEGER, FRAME_FLOAT), FRAME_TOP);
    assert_int_equal(type_table_join(&table, FRAME_INTEGER, object), FRAME_TOP);
    assert_int_equal(type_table_join(&table, FRAME_TOP, object), FRAME_TOP);
    assert_int_equal(type_table_join(&table, new_at_1, new_at_1), new_at_1);
    assert_int_equal(type_table_join(&table, new_at_1, new_at_2), FRAME_TOP);
    assert_int_equal(type_table_join(&table, new_at_1, FRAME_NULL), FRAME_TOP);
    assert_int_equal(type_table_join(&table, FRAME_UNINITIALIZED_THIS, object), FRAME_TOP);
    /* without a hierarchy nothing is known of classes */
    assert_int_equal(type_table_join(&table, object, type_of(&table, "B")),
                     type_of(&table, "java/lang/Object"));
    type_table_release(&table);
    arena_release(&arena);
}

/* ---- the dup family: each form of JVMS 6.5 ---- */

struct stack_case {
    enum opcode opcode;
    const char *before; /* I int, F float, A reference (null), J long, D double; bottom first */
    const char *after;  /* NULL: must be refused */
};

static unsigned put(frame_type *places, const char *kinds)
{
    unsigned count = 0;
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'I':
            places[count++] = FRAME_INTEGER;
            break;
        case 'F':
            places[count++] = FRAME_FLOAT;
            break;
        case 'A':
            places[count++] = FRAME_NULL;
            break;
        default:
            places[count++] = *kinds == 'J' ? FRAME_LONG : FRAME_DOUBLE;
            places[count++] = FRAME_TOP;
            break;
        }
    }
    return count;
}

static void stack_shuffles(void **state)
{
    (void)state;
    static const struct stack_case cases[] = {
        {OP_POP, "IA", "I"},          {OP_POP, "J", NULL},
        {OP_POP2, "IA", ""},          {OP_POP2, "IJ", "I"},
        {OP_POP2, "JI", NULL},        {OP_POP2, "I", NULL},
        {OP_DUP, "IA", "IAA"},        {OP_DUP, "J", NULL},
        {OP_DUP_X1, "FIA", "FAIA"},   {OP_DUP_X1, "JI", NULL},
        {OP_DUP_X1, "IJ", NULL},      {OP_DUP_X2, "FIA", "AFIA"},     /* form 1 */
        {OP_DUP_X2, "JA", "AJA"},                                     /* form 2 */
        {OP_DUP_X2, "DIA", NULL},     {OP_DUP2, "FIA", "FIAIA"},      /* form 1 */
        {OP_DUP2, "FJ", "FJJ"},                                       /* form 2 */
        {OP_DUP2, "JI", NULL},        {OP_DUP2_X1, "FIA", "IAFIA"},   /* form 1 */
        {OP_DUP2_X1, "FJ", "JFJ"},                                    /* form 2 */
        {OP_DUP2_X1, "JIA", NULL},    {OP_DUP2_X2, "FAIA", "IAFAIA"}, /* form 1 */
        {OP_DUP2_X2, "FAJ", "JFAJ"},                                  /* form 2 */
        {OP_DUP2_X2, "DIA", "IADIA"},                                 /* form 3 */
        {OP_DUP2_X2, "DJ", "JDJ"},                                    /* form 4 */
        {OP_DUP2_X2, "DFIA", NULL},   {OP_DUP2_X2, "IIA", NULL},
        {OP_SWAP, "FIA", "FAI"},      {OP_SWAP, "IJ", NULL},
        {OP_SWAP, "JI", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        frame_type places[8];
        frame_type expected[8];
        struct frame frame = {.stack = places,
                              .stack_count = (uint16_t)put(places, cases[i].before)};
        const struct instruction instruction = {.opcode = (uint8_t)cases[i].opcode};
        struct problem problem;
        problem_clear(&problem);
        const bool done = frame_execute(&frame, NULL, NULL, &instruction, 0, 8, &problem);
        assert_int_equal(problem.set, !done);
        if (done != (cases[i].after != NULL))
            fail_msg("%s on %s", opcode_infos[cases[i].opcode].name, cases[i].before);
        if (!done)
            continue;
        const unsigned count = put(expected, cases[i].after);
        if (frame.stack_count != count || memcmp(places, expected, count * sizeof *places) != 0)
            fail_msg("%s on %s does not give %s", opcode_infos[cases[i].opcode].name,
                     cases[i].before, cases[i].after);
    }
}

static void stack_limits(void **state)
{
    (void)state;
    frame_type places[4];
    struct frame frame = {.stack = places, .stack_count = (uint16_t)put(places, "IJ")};
    struct problem problem;
    problem_clear(&problem);
    const struct instruction dup2 = {.opcode = OP_DUP2};
    assert_false(frame_execute(&frame, NULL, NULL, &dup2, 0, 4, &problem));
    assert_non_null(strstr(problem.reason, "overflows"));
    problem_clear(&problem);
    const struct instruction lconst = {.opcode = OP_LCONST_0};
    assert_false(frame_execute(&frame, NULL, NULL, &lconst, 0, 4, &problem));
    assert_non_null(strstr(problem.reason, "overflows"));
    problem_clear(&problem);
    frame.stack_count = 1;
    const struct instruction iadd = {.opcode = OP_IADD};
    assert_false(frame_execute(&frame, NULL, NULL, &iadd, 0, 4, &problem));
    assert_non_null(strstr(problem.reason, "underflows"));
}

/* ---- locals ---- */

/* A long in locals 1 and 2; what is left of it after a store into one of them, or beside them. */
static void stores_into_longs(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 52);
    fixture_method(&fixture, ACCESS_STATIC, "m", "()V", 2, 5);
    FIXTURE_CODE(&fixture,                             /* */
                 OP_LCONST_0, OP_LSTORE_1,             /*  0 */
                 OP_ICONST_0, OP_ISTORE_2,             /*  2: into its second half */
                 OP_LCONST_0, OP_LSTORE_1,             /*  4 */
                 OP_ICONST_0, OP_ISTORE_1,             /*  6: into its first half */
                 OP_LCONST_0, OP_LSTORE_1,             /*  8 */
                 OP_DCONST_0, OP_DSTORE_2,             /* 10: a double over its second half */
                 OP_LCONST_0, OP_LSTORE_1,             /* 12: over the first half of the double */
                 OP_ICONST_0, OP_ISTORE_3, OP_RETURN); /* 14: behind it */
    assert_computes(&fixture, FRAMES_FROM_STACK_MAP);
    assert_frame(&fixture, 2, "top long top top top | ");
    assert_frame(&fixture, 4, "top top int top top | ");
    assert_frame(&fixture, 8, "top int top top top | ");
    assert_frame(&fixture, 12, "top top double top top | ");
    assert_frame(&fixture, 14, "top long top top top | ");
    assert_frame(&fixture, 16, "top long top int top | ");
    fixture_release(&fixture);
}

static void half_a_long_cannot_be_loaded(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 52);
    fixture_method(&fixture, ACCESS_STATIC, "m", "(J)V", 2, 2);
    FIXTURE_CODE(&fixture, OP_ICONST_0, OP_ISTORE_1, OP_LLOAD_0, OP_RETURN);
    assert_refused(&fixture, FRAMES_FROM_STACK_MAP, "holds something else");
    fixture_release(&fixture);
}

/* ---- objects, arrays, constants ---- */

static void values_of_all_kinds(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 55);
    assert_int_equal(fixture_named(&fixture, CONSTANT_STRING, "s"), 6);
    assert_int_equal(fixture_named(&fixture, CONSTANT_METHOD_TYPE, "()V"), 8);
    assert_int_equal(fixture_class(&fixture, "[[LA;"), 10);
    assert_int_equal(fixture_class(&fixture, "A"), 12);
    assert_int_equal(fixture_member(&fixture, CONSTANT_FIELD, "A", "f", "[J"), 18);
    assert_int_equal(fixture_member(&fixture, CONSTANT_METHOD, "A", "m", "(IJLI;)D"), 24);
    fixture_method(&fixture, 0, "m", "(LA;[[LA;Z)V", 6, 4);
    FIXTURE_CODE(&fixture,                                                   /* */
                 OP_LDC, 6, OP_POP,                                          /*  0 */
                 OP_LDC, 8, OP_POP,                                          /*  3 */
                 OP_LDC, 12, OP_POP,                                         /*  6 */
                 OP_ALOAD_2, OP_ICONST_0, OP_AALOAD,                         /*  9 */
                 OP_ICONST_0, OP_AALOAD,                                     /* 12: of an A[] */
                 OP_GETFIELD, 0, 18,                                         /* 14: of an A */
                 OP_POP,                                                     /* 17: a long[] */
                 OP_ICONST_0, OP_ANEWARRAY, 0, 12, OP_POP,                   /* 18 */
                 OP_ICONST_0, OP_ANEWARRAY, 0, 10, OP_POP,                   /* 23 */
                 OP_ICONST_0, OP_MULTIANEWARRAY, 0, 10, 1, OP_POP,           /* 28 */
                 OP_ICONST_0, OP_NEWARRAY, 5, OP_POP,                        /* 34 */
                 OP_ACONST_NULL, OP_CHECKCAST, 0, 12,                        /* 38 */
                 OP_ILOAD_3, OP_LCONST_0, OP_ACONST_NULL,                    /* 42 */
                 OP_INVOKEVIRTUAL, 0, 24, OP_POP2,                           /* 45 */
                 OP_ACONST_NULL, OP_ICONST_0, OP_AALOAD, OP_POP, OP_RETURN); /* 49 */
    assert_computes(&fixture, FRAMES_FROM_STACK_MAP);
    assert_frame(&fixture, 0, "T A [[LA; int | ");
    assert_frame(&fixture, 2, "T A [[LA; int | java/lang/String");
    assert_frame(&fixture, 5, "T A [[LA; int | java/lang/invoke/MethodType");
    assert_frame(&fixture, 8, "T A [[LA; int | java/lang/Class");
    assert_frame(&fixture, 12, "T A [[LA; int | [LA;");
    assert_frame(&fixture, 14, "T A [[LA; int | A");
    assert_frame(&fixture, 17, "T A [[LA; int | [J");
    assert_frame(&fixture, 22, "T A [[LA; int | [LA;");
    assert_frame(&fixture, 27, "T A [[LA; int | [[[LA;");
    assert_frame(&fixture, 33, "T A [[LA; int | [[LA;");
    assert_frame(&fixture, 37, "T A [[LA; int | [C");
    assert_frame(&fixture, 42, "T A [[LA; int | A");
    assert_frame(&fixture, 45, "T A [[LA; int | A int long top null");
    assert_frame(&fixture, 48, "T A [[LA; int | double top");
    assert_frame(&fixture, 52, "T A [[LA; int | null");
    fixture_release(&fixture);
}

/* Every copy of a fresh object becomes initialised at once, and only copies of that one. */
static void initialisation_reaches_all_copies(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 52);
    assert_int_equal(fixture_class(&fixture, "A"), 6);
    assert_int_equal(fixture_member(&fixture, CONSTANT_METHOD, "A", "<init>", "(I)V"), 12);
    fixture_method(&fixture, ACCESS_STATIC, "m", "()V", 4, 2);
    FIXTURE_CODE(&fixture,                          /* */
                 OP_NEW, 0, 6, OP_ASTORE_1,         /*  0 */
                 OP_NEW, 0, 6, OP_DUP, OP_ASTORE_0, /*  4 */
                 OP_ALOAD_0, OP_ICONST_0,           /*  9 */
                 OP_INVOKESPECIAL, 0, 12,           /* 11 */
                 OP_POP, OP_RETURN);                /* 14 */
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 11,
                 "uninitialized 4 uninitialized 0 | uninitialized 4 uninitialized 4 int");
    assert_frame(&fixture, 14, "A uninitialized 0 | A");
    fixture_release(&fixture);
}

static void an_object_is_initialised_once(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 52);
    assert_int_equal(fixture_class(&fixture, "A"), 6);
    assert_int_equal(fixture_member(&fixture, CONSTANT_METHOD, "A", "<init>", "()V"), 12);
    fixture_method(&fixture, ACCESS_STATIC, "m", "()V", 2, 0);
    FIXTURE_CODE(&fixture, OP_NEW, 0, 6, OP_DUP, OP_INVOKESPECIAL, 0, 12, OP_INVOKESPECIAL, 0, 12,
                 OP_RETURN);
    assert_refused(&fixture, FRAMES_FROM_STACK_MAP, "not fresh");
    assert_int_equal(fixture.problem.offset, 7); /* code.origin is 0 here */
    fixture_release(&fixture);
}

/* ---- no memory ---- */

/* Whatever request fails, the answer is a problem, not a crash; in the end it works. */
static void running_out_of_memory(void **state)
{
    (void)state;
    for (long allowed = 0;; allowed++) {
        struct fixture fixture;
        fixture_init(&fixture, 48);
        assert_int_equal(fixture_class(&fixture, "A"), 6);
        fixture_method(&fixture, ACCESS_STATIC, "m", "(ILA;LB;)V", 4, 40);
        FIXTURE_CODE(&fixture,                              /* */
                     OP_ALOAD_1, OP_ILOAD_0, OP_IFEQ, 0, 5, /* 0 -> 7 */
                     OP_POP, OP_ALOAD_2,                    /* 5 */
                     OP_ICONST_0, OP_ANEWARRAY, 0, 6,       /* 7 */
                     OP_POP, OP_POP, OP_RETURN);            /* 11 */
        problem_clear(&fixture.problem);
        assert_true(bytecode_decode(&fixture.bytecode, &fixture.arena, &fixture.class_file,
                                    &fixture.method, &fixture.problem));
        assert_true(flow_build(&fixture.flow, &fixture.arena, &fixture.bytecode));
        /* A fresh arena, so that every allocation is a request of its own sooner or later. */
        struct arena arena;
        arena_init(&arena);
        memory_fail_after(allowed);
        const bool done = frames_compute(&fixture.frames, &arena, &fixture.flow, &fixture.table,
                                         FRAMES_FROM_DATA_FLOW, &fixture.problem);
        memory_fail_after(-1);
        if (done)
            assert_frame(&fixture, 7,
                         "int A B top top top top top top top top top top top top top "
                         "top top top top top top top top top top top top top top top "
                         "top top top top top top top top top | Base");
        else
            assert_true(fixture.problem.set);
        arena_release(&arena);
        fixture_release(&fixture);
        if (done) {
            assert_true(allowed > 0);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(join_of_references),
        cmocka_unit_test(joins_keep_each_name_once),
        cmocka_unit_test(join_of_others),
        cmocka_unit_test(stack_shuffles),
        cmocka_unit_test(stack_limits),
        cmocka_unit_test(stores_into_longs),
        cmocka_unit_test(half_a_long_cannot_be_loaded),
        cmocka_unit_test(values_of_all_kinds),
        cmocka_unit_test(initialisation_reaches_all_copies),
        cmocka_unit_test(an_object_is_initialised_once),
        cmocka_unit_test(running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
