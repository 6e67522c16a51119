/*
 * instrument: what is told of monitors, class initializers, and calls that order threads or copy
 * objects; from the forms in the beginnings of monitors.c and calls.c.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "instrument/instrument_fixture.h"

/* ---- monitors ---- */

/* The first handler for anything that covers the instruction; NULL without one. */
static const struct exception_handler *handler_at(struct fixture *fixture, const char *method,
                                                  uint32_t offset)
{
    const struct code *code = member_code(find_method(fixture, method));
    for (uint16_t i = 0; i < code->handler_count; i++)
        if (code->handlers[i].catch_type == 0 && code->handlers[i].start <= offset &&
            offset < code->handlers[i].end)
            return &code->handlers[i];
    return NULL;
}

/* The offset of the n-th instruction of that kind, n from 0 on. */
static uint32_t offset_of(struct fixture *fixture, const char *method, enum opcode opcode,
                          unsigned number)
{
    struct bytecode bytecode;
    decode(fixture, method, &bytecode);
    for (uint32_t i = 0; i < bytecode.count; i++)
        if (bytecode.instructions[i].opcode == opcode && number-- == 0)
            return bytecode.instructions[i].offset;
    fail_msg("no %s", opcode_infos[opcode].name);
    return 0;
}

#define THIS_LOCK "aload_0 aload_0 getfield:%lock "

static void a_synchronized_method(void **state)
{
    struct fixture *fixture = *state;
    uint16_t call = method_constant(fixture, "p/Other", "call", "()V");
    uint16_t object = method_constant(fixture, "java/lang/Object", "<init>", "()V");
    METHOD(fixture, ACCESS_SYNCHRONIZED, "m", "()V", OP_INVOKESTATIC, TWO(call), OP_RETURN);
    METHOD(fixture, 0, "<init>", "()V", OP_ALOAD_0, OP_INVOKESPECIAL, TWO(object), OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"), THIS_LOCK
                        "invokestatic:entered invokestatic:call " THIS_LOCK
                        "invokestatic:leaving return " THIS_LOCK "invokestatic:leaving athrow ");
    const struct exception_handler *handler =
        handler_at(fixture, "m", offset_of(fixture, "m", OP_INVOKESTATIC, 1));
    assert_non_null(handler);
    assert_true(handler->handler > offset_of(fixture, "m", OP_RETURN, 0));
    /* Leaving is told once: what it might throw is not caught here. */
    assert_null(handler_at(fixture, "m", offset_of(fixture, "m", OP_INVOKESTATIC, 2)));
    assert_null(handler_at(fixture, "m", offset_of(fixture, "m", OP_INVOKESTATIC, 3)));
    /* The number of the lock is found out when nobody holds it yet. */
    assert_string_equal(code_of(fixture, "<init>"),
                        "aload_0 invokespecial:<init> aload_0 dup invokestatic:number "
                        "putfield:%lock return ");
    check_field(fixture, find_field(fixture, "$turnstile$lock"), HIDDEN | ACCESS_TRANSIENT, "I");
    assert_int_equal(fixture->instrument.monitors, 1);
}

static void a_synchronized_static_method(void **state)
{
    struct fixture *fixture = *state;
    uint16_t call = method_constant(fixture, "p/Other", "call", "()I");
    METHOD(fixture, ACCESS_SYNCHRONIZED | ACCESS_STATIC, "m", "()I", OP_INVOKESTATIC, TWO(call),
           OP_IRETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"),
                        "ldc:class p/Sample iconst_0 invokestatic:entered invokestatic:call "
                        "ldc:class p/Sample iconst_0 invokestatic:leaving ireturn "
                        "ldc:class p/Sample iconst_0 invokestatic:leaving athrow ");
    assert_int_equal(added_fields(fixture), 0);
}

/* The object stays at hand although the method gives local 0 another value. */
static void a_synchronized_method_without_this(void **state)
{
    struct fixture *fixture = restart(state, 49);
    METHOD(fixture, ACCESS_SYNCHRONIZED, "m", "()V", OP_ACONST_NULL, OP_ASTORE_0, OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"),
                        "aload_0 astore aload iconst_0 invokestatic:entered aconst_null astore_0 "
                        "aload iconst_0 invokestatic:leaving return "
                        "aload iconst_0 invokestatic:leaving athrow ");
}

#define BLOCK_LEFT "aload_2 iload iflt dup iload iconst_m1 istore invokestatic:leaving monitorexit "

/* synchronized (parameter) { call(); }, as javac writes it. */
static void a_synchronized_block(void **state)
{
    struct fixture *fixture = restart(state, 49);
    uint16_t call = method_constant(fixture, "p/Other", "call", "()V");
    struct code *code =
        METHOD(fixture, 0, "m", "(Ljava/lang/Object;)V", OP_ALOAD_1, OP_DUP, OP_ASTORE_2,
               OP_MONITORENTER, OP_INVOKESTATIC, TWO(call), OP_ALOAD_2, OP_MONITOREXIT, OP_GOTO,
               TWO(8), OP_ASTORE_3, OP_ALOAD_2, OP_MONITOREXIT, OP_ALOAD_3, OP_ATHROW, OP_RETURN);
    const struct exception_handler handlers[] = {{4, 9, 12, 0}, {12, 15, 12, 0}};
    add_handlers(fixture, code, handlers, 2);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"),
                        "aconst_null astore iconst_0 istore aload_1 dup astore_2 "
                        "dup dup astore invokestatic:number istore monitorenter "
                        "aload iload invokestatic:entered invokestatic:call " BLOCK_LEFT
                        "goto astore_3 aload_2 monitorexit aload_3 athrow return "
                        "iload iflt aload iload iconst_m1 istore invokestatic:leaving athrow ");
    /* From the instruction behind monitorenter on: the monitor is left if the hook throws. What is
       thrown is told on the way to the handler, not in it. */
    const uint32_t entered = offset_of(fixture, "m", OP_MONITORENTER, 0) + 1;
    const struct exception_handler *handler = handler_at(fixture, "m", entered);
    assert_non_null(handler);
    assert_int_equal(handler->start, entered);
    assert_int_equal(handler->handler, offset_of(fixture, "m", OP_RETURN, 0) + 1);
    handler = handler_at(fixture, "m", offset_of(fixture, "m", OP_INVOKESTATIC, 4));
    assert_non_null(handler);
    assert_int_equal(handler->handler, offset_of(fixture, "m", OP_ASTORE_3, 0));
    /* Up to and with each monitorexit, as before. */
    for (unsigned i = 0; i < 2; i++) {
        handler = handler_at(fixture, "m", offset_of(fixture, "m", OP_MONITOREXIT, i));
        assert_non_null(handler);
        assert_int_equal(handler->end, offset_of(fixture, "m", OP_MONITOREXIT, i) + 1);
    }
    assert_int_equal(fixture->instrument.monitors, 3);
}

/* synchronized (lock) { call(); } with a final field: the number is kept beside it. Behind the
   branch the local gets the object once more: only so does the JVM see that it is the one that is
   locked.
 */
static void a_block_of_a_final_field(void **state)
{
    struct fixture *fixture = restart(state, 49);
    uint16_t lock = add_field(fixture, ACCESS_FINAL, "lock", "Ljava/lang/Object;");
    uint16_t shared =
        add_field(fixture, ACCESS_FINAL | ACCESS_STATIC, "shared", "Ljava/lang/Object;");
    METHOD(fixture, 0, "own", "()V", OP_ALOAD_0, OP_GETFIELD, TWO(lock), OP_DUP, OP_ASTORE_1,
           OP_MONITORENTER, OP_ALOAD_1, OP_MONITOREXIT, OP_RETURN);
    METHOD(fixture, ACCESS_STATIC, "shared", "()V", OP_GETSTATIC, TWO(shared), OP_DUP, OP_ASTORE_1,
           OP_MONITORENTER, OP_ALOAD_1, OP_MONITOREXIT, OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "own"),
                        "aconst_null astore iconst_0 istore aload_0 getfield:lock dup astore_1 "
                        "dup dup astore aload_0 getfield:%n$lock dup ifne "
                        "pop dup invokestatic:number dup aload_0 swap putfield:%n$lock "
                        "swap pop istore dup astore_1 monitorenter "
                        "aload iload invokestatic:entered aload_1 iload iflt dup iload iconst_m1 "
                        "istore invokestatic:leaving monitorexit return ");
    assert_non_null(strstr(code_of(fixture, "shared"),
                           "getstatic:%n$shared dup ifne pop dup invokestatic:number dup "
                           "putstatic:%n$shared swap pop istore dup astore_1 monitorenter "));
    const struct text name = checks_beside_name(&fixture->arena, CHECK_BESIDE_NUMBER, TEXT("lock"),
                                                TEXT("Ljava/lang/Object;"));
    check_field(fixture, find(fixture, fixture->result->fields, fixture->result->field_count, name),
                HIDDEN | ACCESS_TRANSIENT, "I");
}

/* Not as javac writes it: no local keeps the object, so the end of the block does not know its
 * number. */
static void other_blocks(void **state)
{
    struct fixture *fixture = restart(state, 49);
    METHOD(fixture, ACCESS_STATIC, "m", "(Ljava/lang/Object;)V", OP_ALOAD_0, OP_MONITORENTER,
           OP_ALOAD_0, OP_MONITOREXIT, OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"),
                        "aconst_null astore iconst_0 istore aload_0 dup dup astore "
                        "invokestatic:number istore monitorenter aload iload invokestatic:entered "
                        "aload_0 dup iconst_0 invokestatic:leaving monitorexit return ");
}

static void class_initializers(void **state)
{
    struct fixture *fixture = *state;
    METHOD(fixture, ACCESS_STATIC, "<clinit>", "()V", OP_NOP, OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "<clinit>"),
                        "invokestatic:initializing nop invokestatic:initialized return "
                        "invokestatic:initialized athrow ");
    assert_non_null(handler_at(fixture, "<clinit>", offset_of(fixture, "<clinit>", OP_NOP, 0)));
}

/* How many locals the frame at the offset has; -1 without a frame. Frames of kinds other than full
   ones count on from the method's parameters. */
static int locals_at(struct fixture *fixture, const char *method, uint32_t offset, int parameters)
{
    const struct code *code = member_code(find_method(fixture, method));
    const struct attribute *attribute =
        attributes_find(&code->attributes, ATTRIBUTE_STACK_MAP_TABLE);
    uint32_t at = 0;
    int locals = parameters;
    for (uint16_t i = 0; attribute && i < attribute->as.stack_map->count; i++) {
        const struct stack_map_frame *frame = &attribute->as.stack_map->frames[i];
        at += frame->offset_delta + (i ? 1u : 0u);
        if (frame->type == FRAME_FULL)
            locals = frame->local_count;
        else if (frame->type > FRAME_SAME_EXTENDED)
            locals += frame->local_count;
        else if (frame->type >= FRAME_CHOP_FIRST)
            locals -= FRAME_SAME_EXTENDED - frame->type;
        if (at == offset)
            return locals;
    }
    return -1;
}

/* Compilers that compute frames put `nop ... athrow`, with a frame without locals, in the place of
   code that cannot be reached. The handler that leaves the monitor needs `this`: it must not cover
   such code, or the code's frame must have `this`. JVMS 4.10.1.6: else the class does not verify.
 */
static void dead_code(void **state)
{
    struct fixture *fixture = *state;
    struct code *code = METHOD(fixture, ACCESS_SYNCHRONIZED, "m", "()V", OP_ICONST_0, OP_POP,
                               OP_RETURN, OP_NOP, OP_NOP, OP_ATHROW);
    struct verification_type throwable = {
        VERIFICATION_OBJECT, class_editor_class(&fixture->editor, TEXT("java/lang/Throwable"))};
    struct stack_map_frame frame = {
        .type = FRAME_FULL, .offset_delta = 3, .stack_count = 1, .stack = &throwable};
    struct stack_map map = {&frame, 1};
    struct attribute *attribute =
        class_editor_add_attribute(&fixture->editor, &code->attributes, ATTRIBUTE_STACK_MAP_TABLE);
    assert_non_null(attribute);
    attribute->as.stack_map = &map;
    run(fixture);
    assert_non_null(handler_at(fixture, "m", offset_of(fixture, "m", OP_POP, 0)));
    const uint32_t dead = offset_of(fixture, "m", OP_NOP, 0);
    const int locals = locals_at(fixture, "m", dead, 1);
    assert_true(locals >= 0);
    if (locals == 0)
        for (uint32_t offset = dead; offset <= offset_of(fixture, "m", OP_ATHROW, 0); offset++)
            assert_null(handler_at(fixture, "m", offset));
}

/* ---- calls ---- */

static void waits(void **state)
{
    struct fixture *fixture = *state;
    uint16_t plain = method_constant(fixture, "java/lang/Object", "wait", "()V");
    uint16_t timed = method_constant(fixture, "java/lang/Object", "wait", "(J)V");
    uint16_t other = method_constant(fixture, "p/Other", "wait", "(I)V");
    METHOD(fixture, 0, "m", "(Ljava/lang/Object;)V", OP_ALOAD_1, OP_INVOKEVIRTUAL, TWO(plain),
           OP_ALOAD_1, OP_LCONST_1, OP_INVOKEVIRTUAL, TWO(timed), OP_ALOAD_1, OP_ICONST_1,
           OP_INVOKEVIRTUAL, TWO(other), OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"),
                        "aload_1 dup invokestatic:waiting invokevirtual:wait "
                        "aload_1 lconst_1 lstore dup invokestatic:waiting lload invokevirtual:wait "
                        "aload_1 iconst_1 invokevirtual:wait return ");
}

static void copies(void **state)
{
    struct fixture *fixture = *state;
    uint16_t clone = method_constant(fixture, "java/lang/Object", "clone", "()Ljava/lang/Object;");
    uint16_t virtual = method_constant(fixture, "p/Other", "clone", "()Ljava/lang/Object;");
    METHOD(fixture, 0, "m", "()Ljava/lang/Object;", OP_ALOAD_0, OP_INVOKEVIRTUAL, TWO(virtual),
           OP_POP, OP_ALOAD_0, OP_INVOKESPECIAL, TWO(clone), OP_ARETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"),
                        "aload_0 invokevirtual:clone pop aload_0 invokespecial:clone dup "
                        "invokestatic:copied areturn ");
}

static void var_handles(void **state)
{
    struct fixture *fixture = *state;
    uint16_t set =
        method_constant(fixture, "java/lang/invoke/VarHandle", "setVolatile", "(Lp/Sample;J)V");
    uint16_t get = method_constant(fixture, "java/lang/invoke/VarHandle", "getVolatile", "()I");
    uint16_t plain = method_constant(fixture, "java/lang/invoke/VarHandle", "get", "()I");
    METHOD(fixture, 0, "m", "(Ljava/lang/invoke/VarHandle;)V", OP_ALOAD_1, OP_ALOAD_0, OP_LCONST_1,
           OP_INVOKEVIRTUAL, TWO(set), OP_ALOAD_1, OP_INVOKEVIRTUAL, TWO(get), OP_POP, OP_ALOAD_1,
           OP_INVOKEVIRTUAL, TWO(plain), OP_POP, OP_RETURN);
    run(fixture);
    /* The handle, the object that the field is of or null, and what it does: 2 write, 1 read. */
    assert_string_equal(code_of(fixture, "m"),
                        "aload_1 aload_0 lconst_1 lstore astore dup aload iconst_2 "
                        "invokestatic:varHandle aload lload invokevirtual:setVolatile "
                        "aload_1 dup aconst_null iconst_1 invokestatic:varHandle "
                        "invokevirtual:getVolatile pop aload_1 invokevirtual:get pop return ");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_synchronized_method),
        TEST(a_synchronized_static_method),
        TEST(a_synchronized_method_without_this),
        TEST(a_synchronized_block),
        TEST(a_block_of_a_final_field),
        TEST(other_blocks),
        TEST(class_initializers),
        TEST(dead_code),
        TEST(waits),
        TEST(copies),
        TEST(var_handles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
