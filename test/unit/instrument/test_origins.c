/*
 * origins: where operands come from, told from code that is written byte by byte; what each case
 * expects follows from what the JVM's instructions do to the stack (JVMS 6.5).
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/memory.h"
#include "bytecode/sample.h"
#include "instrument/origins.h"
#include "instrument/ways.h"

struct fixture {
    struct sample sample; /* of a method that is not static, unless a test says so */
    struct origins origins;
    uint16_t field, other, rows, make, take3;
};

static int set_up(void **state)
{
    struct fixture *fixture = malloc(sizeof *fixture);
    struct sample *sample = &fixture->sample;
    sample_init(sample, 48);
    sample->method.access = 0;
    fixture->field = sample_member(sample, CONSTANT_FIELD, "data", "[I");
    fixture->other = sample_member(sample, CONSTANT_FIELD, "other", "[I");
    fixture->rows = sample_member(sample, CONSTANT_FIELD, "rows", "[[D");
    fixture->make = sample_member(sample, CONSTANT_METHOD, "make", "()[I");
    fixture->take3 =
        sample_member(sample, CONSTANT_METHOD, "take3", "(Ljava/lang/Object;JLjava/lang/Object;)V");
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    sample_release(&fixture->sample);
    free(fixture);
    return 0;
}

static void compute(struct fixture *fixture, const uint8_t *bytes, size_t length)
{
    struct sample *sample = &fixture->sample;
    if (!sample_decode(sample, bytes, length))
        fail_msg("%s", sample->problem.reason);
    assert_true(origins_compute(&fixture->origins, &sample->bytecode,
                                sample->method.access & ACCESS_STATIC, false, &sample->arena));
}

#define COMPUTE(fixture, ...)                                                                      \
    compute((fixture), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* The operand of the instruction at a byte offset. */
static struct origin operand(const struct fixture *fixture, uint32_t offset, unsigned depth)
{
    uint32_t number = bytecode_number_at(&fixture->sample.bytecode, offset);
    assert_int_not_equal(number, INSTRUCTION_NONE);
    return origins_operand(&fixture->origins, number, depth);
}

static void check(const struct fixture *fixture, uint32_t offset, unsigned depth,
                  enum origin_kind kind, uint16_t constant)
{
    struct origin found = operand(fixture, offset, depth);
    assert_int_equal(found.kind, kind);
    assert_int_equal(found.constant, constant);
}

static void check_local(const struct fixture *fixture, uint32_t offset, unsigned depth,
                        enum origin_kind kind, uint16_t constant, uint16_t slot)
{
    check(fixture, offset, depth, kind, constant);
    assert_true(operand(fixture, offset, depth).local);
    assert_int_equal(operand(fixture, offset, depth).slot, slot);
}

/* ---- values ---- */

static void fields(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ALOAD_0, OP_GETFIELD, TWO(fixture->field), OP_ICONST_0, OP_IALOAD, OP_POP,
            OP_GETSTATIC, TWO(fixture->other), OP_ICONST_0, OP_DCONST_0, OP_DASTORE, OP_RETURN);
    check_local(fixture, 1, 0, ORIGIN_THIS, 0, 0);
    check(fixture, 5, 1, ORIGIN_FIELD, fixture->field);
    assert_false(operand(fixture, 5, 1).local);
    assert_int_equal(operand(fixture, 5, 1).instruction, 1);
    check(fixture, 12, 3, ORIGIN_STATIC, fixture->other); /* below an index and a double */
    check(fixture, 12, 4, ORIGIN_UNKNOWN, 0);
    check(fixture, 13, 0, ORIGIN_UNKNOWN, 0);
}

static void static_methods_have_no_this(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.method.access = ACCESS_STATIC;
    COMPUTE(fixture, OP_ALOAD_0, OP_MONITORENTER, OP_RETURN);
    check_local(fixture, 1, 0, ORIGIN_UNKNOWN, 0, 0);
}

static void calls(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ALOAD_0, OP_ALOAD_0, OP_LCONST_0, OP_INVOKESTATIC, TWO(fixture->make),
            OP_INVOKEVIRTUAL, TWO(fixture->take3), OP_RETURN);
    check(fixture, 6, 0, ORIGIN_RESULT, 0);
    assert_int_equal(operand(fixture, 6, 0).instruction, 3);
    check(fixture, 6, 1, ORIGIN_UNKNOWN, 0);
    check(fixture, 6, 3, ORIGIN_THIS, 0);
    check(fixture, 6, 4, ORIGIN_THIS, 0); /* the receiver, below four slots of arguments */
}

static void elements(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->rows), OP_ICONST_0, OP_AALOAD, OP_ICONST_1,
            OP_DALOAD, OP_POP2, OP_RETURN);
    check(fixture, 6, 1, ORIGIN_ELEMENT, fixture->rows);
}

/* A loop stands between the store of the locals and their use, so that only the whole method can
   tell. */
static void elements_over_locals(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->rows), OP_ASTORE_1, OP_ALOAD_1, OP_ICONST_0,
            OP_AALOAD, OP_ASTORE_2,                      /* 7 */
            OP_ALOAD_2, OP_ICONST_1, OP_DALOAD, OP_POP2, /* 8 .. 11 */
            OP_ICONST_0, OP_IFEQ, TWO(-5 & 0xFFFF), OP_RETURN);
    check_local(fixture, 10, 1, ORIGIN_ELEMENT, fixture->rows, 2);
}

static void casts_change_nothing(void **state)
{
    struct fixture *fixture = *state;
    uint16_t type = sample_named(&fixture->sample, CONSTANT_CLASS, "[I");
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->field), OP_CHECKCAST, TWO(type), OP_ARRAYLENGTH,
            OP_POP, OP_RETURN);
    check(fixture, 6, 0, ORIGIN_STATIC, fixture->field);
}

/* Four references A B C D on the stack, as static fields; then the instruction; then a call takes
   what is there. Expected: the letters from the bottom up. */
static void duplicates(void **state)
{
    static const struct {
        uint8_t opcode;
        const char *expected;
    } cases[] = {
        {OP_DUP, "ABCDD"},      {OP_DUP_X1, "ABDCD"},   {OP_DUP_X2, "ADBCD"}, {OP_DUP2, "ABCDCD"},
        {OP_DUP2_X1, "ACDBCD"}, {OP_DUP2_X2, "CDABCD"}, {OP_SWAP, "ABDC"},    {OP_POP, "ABC"},
        {OP_POP2, "AB"},        {OP_NOP, "ABCD"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture *fixture = *state;
        struct sample *sample = &fixture->sample;
        const size_t length = strlen(cases[i].expected);
        char descriptor[160] = "(";
        uint16_t letters[4];
        for (size_t j = 0; j < length; j++)
            strcat(descriptor, "Ljava/lang/Object;");
        strcat(descriptor, ")V");
        for (int j = 0; j < 4; j++)
            letters[j] = sample_member(sample, CONSTANT_FIELD, "f", "[I");
        uint16_t call = sample_member(sample, CONSTANT_METHOD, "take", descriptor);
        COMPUTE(fixture, OP_GETSTATIC, TWO(letters[0]), OP_GETSTATIC, TWO(letters[1]), OP_GETSTATIC,
                TWO(letters[2]), OP_GETSTATIC, TWO(letters[3]), cases[i].opcode, OP_INVOKESTATIC,
                TWO(call), OP_RETURN);
        for (size_t j = 0; j < length; j++)
            check(fixture, 13, (unsigned)(length - 1 - j), ORIGIN_STATIC,
                  letters[cases[i].expected[j] - 'A']);
        tear_down(state);
        set_up(state);
    }
}

/* ---- locals ---- */

/* 3 is where a branch comes back to. */
static void locals_that_are_stored_once(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ALOAD_0, OP_ASTORE, 5, OP_ALOAD, 5, OP_MONITORENTER, OP_ICONST_0, OP_IFEQ,
            TWO(-4 & 0xFFFF), OP_RETURN);
    check_local(fixture, 5, 0, ORIGIN_THIS, 0, 5);
}

static void locals_that_are_stored_twice(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->field), OP_ASTORE_1, /* 3 */
            OP_ICONST_0, OP_IFEQ, TWO(7),                            /* to 12 */
            OP_GETSTATIC, TWO(fixture->other), OP_ASTORE_1,          /* 11 */
            OP_ALOAD_1, OP_ARRAYLENGTH, OP_POP,                      /* 12 */
            OP_GETSTATIC, TWO(fixture->field), OP_ASTORE_1,          /* 18 */
            OP_ALOAD_1, OP_ARRAYLENGTH, OP_POP, OP_RETURN);
    check_local(fixture, 13, 0, ORIGIN_UNKNOWN, 0, 1);
    check_local(fixture, 20, 0, ORIGIN_STATIC, fixture->field, 1); /* the store was just before */
}

/* Compilers use a local again: for (int i : data) ...; for (int i : other) ... Each loop knows what
   was stored before it. */
static void locals_that_are_used_again(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->field), OP_ASTORE_1, /* 3 */
            OP_ALOAD_1, OP_ARRAYLENGTH, OP_IFEQ, TWO(8),             /* 4: the loop; 6, to 14 */
            OP_ALOAD_1, OP_ARRAYLENGTH, OP_IFEQ, TWO(-7 & 0xFFFF),   /* 11, to 4 */
            OP_NOP,                                                  /* 14 */
            OP_GETSTATIC, TWO(fixture->other), OP_ASTORE_1,          /* 18 */
            OP_ALOAD_1, OP_ARRAYLENGTH, OP_IFEQ, TWO(-2 & 0xFFFF),   /* 19; 21, to 19 */
            OP_RETURN);
    check_local(fixture, 5, 0, ORIGIN_STATIC, fixture->field, 1);
    check_local(fixture, 10, 0, ORIGIN_STATIC, fixture->field, 1);
    check_local(fixture, 20, 0, ORIGIN_STATIC, fixture->other, 1);
}

/* A loop that stores the local comes back with something else. */
static void locals_that_a_loop_stores(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->field), OP_ASTORE_1, /* 3 */
            OP_ALOAD_1, OP_ARRAYLENGTH, OP_POP,                      /* 4: the loop */
            OP_GETSTATIC, TWO(fixture->other), OP_ASTORE_1,          /* 10 */
            OP_ICONST_0, OP_IFEQ, TWO(-8 & 0xFFFF), OP_RETURN);      /* 12, to 4 */
    check_local(fixture, 5, 0, ORIGIN_UNKNOWN, 0, 1);
}

static void locals_that_are_stored_twice_the_same(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ACONST_NULL, OP_ASTORE_1,           /* agrees with all */
            OP_GETSTATIC, TWO(fixture->field), OP_ASTORE_1, /* 5 */
            OP_ICONST_0, OP_IFEQ, TWO(7),                   /* to 14 */
            OP_GETSTATIC, TWO(fixture->field), OP_ASTORE_1, /* 13 */
            OP_ALOAD_1, OP_ARRAYLENGTH, OP_POP, OP_RETURN);
    check_local(fixture, 15, 0, ORIGIN_STATIC, fixture->field, 1);
}

static void locals_of_other_types_do_not_matter(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ICONST_0, OP_ISTORE_1, OP_GETSTATIC, TWO(fixture->field), OP_ASTORE_1,
            OP_ALOAD_1, OP_ARRAYLENGTH, OP_IFEQ, TWO(-2 & 0xFFFF), OP_RETURN);
    check_local(fixture, 7, 0, ORIGIN_STATIC, fixture->field, 1);
}

static void parameters_that_are_stored(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.method.descriptor = sample_utf8(&fixture->sample, "([I)V");
    COMPUTE(fixture, OP_ICONST_0, OP_IFEQ, TWO(7), OP_GETSTATIC, TWO(fixture->field), OP_ASTORE_1,
            OP_ALOAD_1, OP_ARRAYLENGTH, OP_POP, OP_RETURN);
    check_local(fixture, 9, 0, ORIGIN_UNKNOWN, 0, 1);
}

static void this_may_be_overwritten(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ICONST_0, OP_IFEQ, TWO(7), OP_GETSTATIC, TWO(fixture->field), OP_ASTORE_0,
            OP_ALOAD_0, OP_MONITORENTER, OP_RETURN);
    check_local(fixture, 9, 0, ORIGIN_UNKNOWN, 0, 0);
}

/* Copies of each other, and nothing else: there is no origin, and an end to looking for it. */
static void copies_in_a_circle(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ALOAD_1, OP_ASTORE_2, OP_ICONST_0, OP_IFEQ, TWO(3), OP_ALOAD_2, OP_ASTORE_1,
            OP_ICONST_0, OP_IFEQ, TWO(3), OP_ALOAD_1, OP_MONITORENTER, OP_RETURN);
    check_local(fixture, 13, 0, ORIGIN_UNKNOWN, 0, 1);
}

static void wide_locals(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.code.max_locals = 400;
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->field), OP_WIDE, OP_ASTORE, TWO(300), OP_ICONST_0,
            OP_IFEQ, TWO(3), OP_WIDE, OP_ALOAD, TWO(300), OP_ARRAYLENGTH, OP_POP, OP_RETURN);
    check_local(fixture, 15, 0, ORIGIN_STATIC, fixture->field, 300);
}

/* ---- branches ---- */

/* data[0] = cond ? 1 : 2: both ways meet with the array still on the stack. */
static void conditional_values(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->field), OP_ICONST_0, OP_ICONST_0, OP_IFEQ,
            TWO(7),                       /* 5, to 12 */
            OP_ICONST_1, OP_GOTO, TWO(4), /* 9, to 13 */
            OP_ICONST_2, OP_IASTORE, OP_RETURN);
    check(fixture, 13, 2, ORIGIN_STATIC, fixture->field);
    check(fixture, 13, 0, ORIGIN_UNKNOWN, 0);
}

/* (cond ? data : other)[0] */
static void conditional_arrays(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ICONST_0, OP_IFEQ, TWO(9),              /* 1, to 10 */
            OP_GETSTATIC, TWO(fixture->field), OP_GOTO, TWO(6), /* 7, to 13 */
            OP_GETSTATIC, TWO(fixture->other),                  /* 10 */
            OP_ICONST_0, OP_IALOAD, OP_POP, OP_RETURN);
    check(fixture, 14, 1, ORIGIN_UNKNOWN, 0);
}

static void switches(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->field), OP_ICONST_0, OP_ICONST_0, /* 4 */
            OP_TABLESWITCH, 0, 0, FOUR(19), FOUR(0), FOUR(0), FOUR(23), /* 5, to 24 or 28 */
            OP_ICONST_1, OP_GOTO, TWO(4),                               /* 24; 25, to 29 */
            OP_ICONST_2, OP_IASTORE, OP_RETURN);
    check(fixture, 29, 2, ORIGIN_STATIC, fixture->field);
}

static void nothing_is_known_where_a_loop_starts(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->field), OP_NOP, /* 3: the loop */
            OP_ICONST_0, OP_IFEQ, TWO(-2 & 0xFFFF), OP_ARRAYLENGTH, OP_POP, OP_RETURN);
    check(fixture, 8, 0, ORIGIN_UNKNOWN, 0);
}

/* Code that nobody reaches may find anything on its stack, also nothing. */
static void dead_code(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->field), OP_GOTO, TWO(8), /* 3, to 11 */
            OP_ARRAYLENGTH, OP_POP2, OP_DUP2_X2, OP_SWAP, OP_RETURN,     /* 6 .. 10 */
            OP_ARRAYLENGTH, OP_POP, OP_RETURN);
    check(fixture, 6, 0, ORIGIN_UNKNOWN, 0);
    check(fixture, 11, 0, ORIGIN_STATIC, fixture->field);
}

/* Before version 50 stack depths of dead code are not checked at all. */
static void too_deep(void **state)
{
    struct fixture *fixture = *state;
    uint8_t code[64];
    memset(code, OP_ALOAD_0, sizeof code);
    code[62] = OP_MONITORENTER;
    code[63] = OP_RETURN;
    fixture->sample.code.max_stack = 1;
    compute(fixture, code, sizeof code);
    check(fixture, 62, 0, ORIGIN_THIS, 0);
}

static void subroutines(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->field), OP_ASTORE_1, OP_JSR, TWO(7), /* 4, to 11 */
            OP_ALOAD_1, OP_ARRAYLENGTH, OP_POP, OP_RETURN,                           /* 7 .. 10 */
            OP_ASTORE_2, OP_RET, 2);
    check_local(fixture, 8, 0, ORIGIN_STATIC, fixture->field, 1);
    check(fixture, 11, 0, ORIGIN_UNKNOWN, 0);
}

static void handlers(void **state)
{
    struct fixture *fixture = *state;
    struct exception_handler handler[] = {{0, 5, 5, 0}};
    fixture->sample.code.handlers = handler;
    fixture->sample.code.handler_count = 1;
    COMPUTE(fixture, OP_GETSTATIC, TWO(fixture->field), OP_ICONST_0, OP_POP, OP_ATHROW);
    check(fixture, 5, 0, ORIGIN_UNKNOWN, 0); /* the exception, or the array: who knows */
    fixture->sample.code.handler_count = 0;
}

/* ---- arrays that are made here ---- */

static uint32_t escape(const struct fixture *fixture, uint32_t maker)
{
    uint32_t number = bytecode_number_at(&fixture->sample.bytecode, maker);
    uint32_t found = origins_escape(&fixture->origins, number);
    return found == INSTRUCTION_NONE ? found : bytecode_offset(&fixture->sample.bytecode, found);
}

static bool is_private(const struct fixture *fixture, uint32_t offset, unsigned depth)
{
    struct ways ways;
    struct arena arena;
    arena_init(&arena);
    assert_true(ways_compute(&ways, &fixture->origins, &arena));
    uint32_t number = bytecode_number_at(&fixture->sample.bytecode, offset);
    bool found = ways_is_private(&ways, number, origins_operand(&fixture->origins, number, depth));
    arena_release(&arena);
    return found;
}

/* data = new int[] {1}; */
static void initial_values_are_private(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ICONST_1, OP_NEWARRAY, 10, OP_DUP, OP_ICONST_0, OP_ICONST_1, OP_IASTORE,
            OP_PUTSTATIC, TWO(fixture->field), OP_RETURN);
    assert_int_equal(operand(fixture, 6, 2).kind, ORIGIN_NEW);
    assert_int_equal(operand(fixture, 6, 2).instruction, 1);
    assert_int_equal(escape(fixture, 1), 7);
    assert_true(is_private(fixture, 6, 2));
}

/* (data = new int[1])[0] = 1; */
static void not_after_it_was_stored(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ICONST_1, OP_NEWARRAY, 10, OP_DUP, OP_PUTSTATIC, TWO(fixture->field),
            OP_ICONST_0, OP_ICONST_1, OP_IASTORE, OP_RETURN);
    assert_int_equal(escape(fixture, 1), 4);
    assert_false(is_private(fixture, 9, 2));
}

/* int[] a = new int[1]; do a[0] = 1; while (...); data = a; a[0] = 2; */
static void private_until_it_is_stored(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ICONST_1, OP_NEWARRAY, 10, OP_ASTORE_1,           /* 3 */
            OP_ALOAD_1, OP_ICONST_0, OP_ICONST_1, OP_IASTORE,             /* 7 */
            OP_ICONST_0, OP_IFEQ, TWO(-5 & 0xFFFF), OP_ALOAD_1,           /* 12 */
            OP_PUTSTATIC, TWO(fixture->field),                            /* 13 */
            OP_ALOAD_1, OP_ICONST_0, OP_ICONST_2, OP_IASTORE, OP_RETURN); /* 19 */
    assert_int_equal(escape(fixture, 1), 13);
    assert_true(is_private(fixture, 7, 2));
    assert_false(is_private(fixture, 19, 2));
}

/* The same, with a loop around what comes after the store to the local: in its second round the
   array is known. */
static void loops_come_back_with_known_arrays(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ICONST_1, OP_NEWARRAY, 10, OP_ASTORE_1, /* 3 */
            OP_ALOAD_1, OP_ICONST_0, OP_ICONST_1, OP_IASTORE,   /* 7 */
            OP_ALOAD_1, OP_PUTSTATIC, TWO(fixture->field),      /* 9 */
            OP_ICONST_0, OP_IFEQ, TWO(-9 & 0xFFFF), OP_RETURN); /* 13, to 4 */
    assert_false(is_private(fixture, 7, 2));
}

/* A loop around all of it makes a new array in each round. */
static void loops_that_make_a_new_one(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ICONST_1, OP_NEWARRAY, 10, OP_ASTORE_1,  /* 3 */
            OP_ALOAD_1, OP_ICONST_0, OP_ICONST_1, OP_IASTORE,    /* 7 */
            OP_ALOAD_1, OP_PUTSTATIC, TWO(fixture->field),       /* 9 */
            OP_ICONST_0, OP_IFEQ, TWO(-13 & 0xFFFF), OP_RETURN); /* 13, to 0 */
    assert_true(is_private(fixture, 7, 2));
}

/* Unless a round can go around the store: int[] a = null; do { if (...) a = new int[1]; a[0] = 1;
   data = a; } while (...); */
static void loops_that_may_make_a_new_one(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ACONST_NULL, OP_ASTORE_1, OP_ICONST_0, OP_IFEQ, TWO(7), /* 3, to 10 */
            OP_ICONST_1, OP_NEWARRAY, 10, OP_ASTORE_1,                          /* 9 */
            OP_ALOAD_1, OP_ICONST_0, OP_ICONST_1, OP_IASTORE,                   /* 13 */
            OP_ALOAD_1, OP_PUTSTATIC, TWO(fixture->field),                      /* 15 */
            OP_ICONST_0, OP_IFEQ, TWO(-17 & 0xFFFF), OP_RETURN);                /* 19, to 2 */
    assert_int_equal(operand(fixture, 13, 2).kind, ORIGIN_NEW);
    assert_false(is_private(fixture, 13, 2));
}

/* A handler may be entered after the array was given away. */
static void handlers_come_back_with_known_arrays(void **state)
{
    struct fixture *fixture = *state;
    struct exception_handler handler[] = {{13, 16, 5, 0}};
    fixture->sample.code.handlers = handler;
    fixture->sample.code.handler_count = 1;
    COMPUTE(fixture, OP_ICONST_1, OP_NEWARRAY, 10, OP_ASTORE_1, OP_ACONST_NULL, /* 4 */
            OP_POP, OP_ALOAD_1, OP_ICONST_0, OP_ICONST_1, OP_IASTORE,           /* 5; 9 */
            OP_ALOAD_1, OP_NOP, OP_NOP, OP_PUTSTATIC, TWO(fixture->field),      /* 13 */
            OP_RETURN);
    assert_int_equal(escape(fixture, 1), 13);
    assert_false(is_private(fixture, 9, 2));
    fixture->sample.code.handler_count = 0;
}

/* data = cond ? new int[1] : other, with the array in a local as well. */
static void what_meets_others_is_lost(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ICONST_0, OP_IFEQ, TWO(11),                             /* 1, to 12 */
            OP_ICONST_1, OP_NEWARRAY, 10, OP_DUP, OP_ASTORE_1, OP_GOTO, TWO(6), /* 5; 9, to 15 */
            OP_GETSTATIC, TWO(fixture->other),                                  /* 12 */
            OP_PUTSTATIC, TWO(fixture->field),                                  /* 15 */
            OP_ALOAD_1, OP_ICONST_0, OP_ICONST_1, OP_IASTORE, OP_RETURN);       /* 21 */
    assert_true(escape(fixture, 5) <= 15);
    assert_false(is_private(fixture, 21, 2));
}

/* The local holds another array elsewhere: a load of it may mean either. */
static void what_shares_a_local_is_lost(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ICONST_1, OP_NEWARRAY, 10, OP_DUP, OP_ASTORE_1, OP_ASTORE_2, /* 4, 5 */
            OP_ICONST_0, OP_IFEQ, TWO(7),                                            /* 7, to 14 */
            OP_GETSTATIC, TWO(fixture->other), OP_ASTORE_1,                          /* 13 */
            OP_ALOAD_1, OP_PUTSTATIC, TWO(fixture->field),                           /* 15 */
            OP_ALOAD_2, OP_ICONST_0, OP_ICONST_1, OP_IASTORE, OP_RETURN);            /* 21 */
    assert_int_equal(escape(fixture, 1), 4);
    assert_false(is_private(fixture, 21, 2));
}

static void calls_give_away(void **state)
{
    struct fixture *fixture = *state;
    uint16_t take = sample_member(&fixture->sample, CONSTANT_METHOD, "take", "([I)V");
    COMPUTE(fixture, OP_ICONST_1, OP_NEWARRAY, 10, OP_DUP, OP_INVOKESTATIC, TWO(take), OP_ICONST_0,
            OP_IALOAD, OP_POP, OP_RETURN);
    assert_int_equal(escape(fixture, 1), 4);
    assert_false(is_private(fixture, 8, 1));
}

static void lengths_and_comparisons_do_not(void **state)
{
    struct fixture *fixture = *state;
    COMPUTE(fixture, OP_ICONST_1, OP_NEWARRAY, 10, OP_DUP, OP_ARRAYLENGTH, OP_POP, OP_DUP,
            OP_IFNULL, TWO(3), OP_ICONST_0, OP_IALOAD, OP_POP, OP_RETURN); /* 7, to 10 */
    assert_int_equal(escape(fixture, 1), INSTRUCTION_NONE);
    assert_true(is_private(fixture, 11, 1));
}

/* ---- memory ---- */

static void survives_without_memory(void **state)
{
    struct fixture *fixture = *state;
    struct sample *sample = &fixture->sample;
    assert_true(SAMPLE_DECODE(sample, OP_ICONST_1, OP_NEWARRAY, 10, OP_ICONST_0, OP_ICONST_0,
                              OP_IFEQ, TWO(7), OP_ICONST_1, OP_GOTO, TWO(4), OP_ICONST_2,
                              OP_IASTORE, OP_RETURN));
    for (long requests = 0;; requests++) {
        struct arena arena;
        struct origins origins;
        arena_init(&arena);
        memory_fail_after(requests);
        bool computed = origins_compute(&origins, &sample->bytecode, false, false, &arena);
        memory_fail_after(-1);
        arena_release(&arena);
        if (computed) {
            assert_true(requests > 0);
            break;
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(fields),
        TEST(static_methods_have_no_this),
        TEST(calls),
        TEST(elements),
        TEST(elements_over_locals),
        TEST(casts_change_nothing),
        TEST(duplicates),
        TEST(locals_that_are_stored_once),
        TEST(locals_that_are_stored_twice),
        TEST(locals_that_are_used_again),
        TEST(locals_that_a_loop_stores),
        TEST(locals_that_are_stored_twice_the_same),
        TEST(locals_of_other_types_do_not_matter),
        TEST(parameters_that_are_stored),
        TEST(this_may_be_overwritten),
        TEST(copies_in_a_circle),
        TEST(wide_locals),
        TEST(conditional_values),
        TEST(conditional_arrays),
        TEST(switches),
        TEST(nothing_is_known_where_a_loop_starts),
        TEST(dead_code),
        TEST(too_deep),
        TEST(subroutines),
        TEST(handlers),
        TEST(initial_values_are_private),
        TEST(not_after_it_was_stored),
        TEST(private_until_it_is_stored),
        TEST(loops_come_back_with_known_arrays),
        TEST(loops_that_make_a_new_one),
        TEST(loops_that_may_make_a_new_one),
        TEST(handlers_come_back_with_known_arrays),
        TEST(what_meets_others_is_lost),
        TEST(what_shares_a_local_is_lost),
        TEST(calls_give_away),
        TEST(lengths_and_comparisons_do_not),
        TEST(survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
