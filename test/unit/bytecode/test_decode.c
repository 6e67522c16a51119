#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "bytecode/flow.h"
#include "bytecode/sample.h"

static void assert_instruction(const struct sample *sample, uint32_t number, unsigned offset,
                               enum opcode opcode, unsigned operand, int immediate)
{
    assert_true(number < sample->bytecode.count);
    const struct instruction *instruction = &sample->bytecode.instructions[number];
    assert_int_equal(instruction->offset, offset);
    assert_int_equal(instruction->opcode, opcode);
    assert_int_equal(instruction->operand, operand);
    assert_int_equal(instruction->immediate, immediate);
}

/* Refused, at this code offset, with this in the reason. */
static void assert_refused(struct sample *sample, bool accepted, unsigned offset, const char *part)
{
    if (accepted)
        fail_msg("accepted, expected: %s", part);
    assert_true(sample->problem.set);
    if (!strstr(sample->problem.reason, part))
        fail_msg("'%s' does not contain '%s'", sample->problem.reason, part);
    assert_int_equal(sample->problem.offset, SAMPLE_ORIGIN + offset);
}

#define ACCEPTED(...) assert_true(SAMPLE_DECODE(&sample, __VA_ARGS__))
#define REFUSED(offset, part, ...)                                                                 \
    assert_refused(&sample, SAMPLE_DECODE(&sample, __VA_ARGS__), (offset), (part))

static void immediates_and_locals(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample, 52);
    sample.code.max_locals = 301;
    ACCEPTED(OP_BIPUSH, 0x80, OP_SIPUSH, 0xFF, 0x00, OP_ISTORE, 200, OP_IINC, 200, 0xFF, OP_WIDE,
             OP_IINC, TWO(300), TWO(-1000), OP_WIDE, OP_ALOAD, TWO(300), OP_NEWARRAY, 10,
             OP_ARETURN);
    assert_int_equal(sample.bytecode.count, 8);
    assert_instruction(&sample, 0, 0, OP_BIPUSH, 0, -128);
    assert_instruction(&sample, 1, 2, OP_SIPUSH, 0, -256);
    assert_instruction(&sample, 2, 5, OP_ISTORE, 200, 0);
    assert_instruction(&sample, 3, 7, OP_IINC, 200, -1);
    assert_instruction(&sample, 4, 10, OP_IINC, 300, -1000);
    assert_true(sample.bytecode.instructions[4].wide);
    assert_false(sample.bytecode.instructions[3].wide);
    assert_instruction(&sample, 5, 16, OP_ALOAD, 300, 0);
    assert_instruction(&sample, 6, 20, OP_NEWARRAY, 10, 0);
    assert_instruction(&sample, 7, 22, OP_ARETURN, 0, 0);
    sample_release(&sample);
}

static void branches_are_instruction_numbers(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample, 52);
    ACCEPTED(OP_ICONST_0, OP_IFEQ, TWO(9), OP_GOTO_W, FOUR(-4), OP_NOP, OP_GOTO, TWO(-9),
             OP_RETURN);
    /* 0 iconst_0, 1 ifeq 10, 4 goto_w 0, 9 nop, 10 goto 1, 13 return */
    assert_int_equal(sample.bytecode.instructions[1].target, 4);
    assert_int_equal(sample.bytecode.instructions[2].target, 0);
    assert_int_equal(sample.bytecode.instructions[4].target, 1);
    assert_int_equal(bytecode_number_at(&sample.bytecode, 10), 4);
    assert_int_equal(bytecode_number_at(&sample.bytecode, 11), INSTRUCTION_NONE);
    assert_int_equal(bytecode_number_at(&sample.bytecode, 14), 6);
    assert_int_equal(bytecode_number_at(&sample.bytecode, 15), INSTRUCTION_NONE);
    assert_int_equal(bytecode_offset(&sample.bytecode, 4), 10);
    assert_int_equal(bytecode_offset(&sample.bytecode, 6), 14);
    sample_release(&sample);
}

static void switches_at_every_alignment(void **state)
{
    (void)state;
    for (unsigned shift = 0; shift < 4; shift++) {
        struct sample sample;
        sample_init(&sample, 50);
        uint8_t code[80] = {0};
        size_t at = shift; /* that many nops */
        const uint8_t start = (uint8_t)at;
        code[at++] = OP_TABLESWITCH;
        at = (at + 3) & ~(size_t)3;
        const uint8_t table[] = {FOUR(0), FOUR(-2), FOUR(-1), FOUR(0 - start), FOUR(0)};
        memcpy(code + at, table, sizeof table);
        at += sizeof table;
        const uint8_t second = (uint8_t)at;
        code[at++] = OP_LOOKUPSWITCH;
        at = (at + 3) & ~(size_t)3;
        const uint8_t lookup[] = {FOUR(start - second), FOUR(2),         FOUR(INT32_MIN), FOUR(0),
                                  FOUR(INT32_MAX),      FOUR(0 - second)};
        memcpy(code + at, lookup, sizeof lookup);
        at += sizeof lookup;
        assert_true(sample_decode(&sample, code, at));
        assert_int_equal(sample.bytecode.count, shift + 2);
        assert_int_equal(sample.bytecode.switch_count, 2);
        const struct switch_table *first = &sample.bytecode.switches[0];
        assert_int_equal(first->count, 2);
        assert_int_equal(first->low, -2);
        assert_null(first->keys);
        assert_int_equal(first->default_target, shift);
        assert_int_equal(first->targets[0], 0);
        assert_int_equal(first->targets[1], shift);
        const struct switch_table *other = &sample.bytecode.switches[1];
        assert_int_equal(sample.bytecode.instructions[shift + 1].target, 1);
        assert_int_equal(other->count, 2);
        assert_int_equal(other->keys[0], INT32_MIN);
        assert_int_equal(other->keys[1], INT32_MAX);
        assert_int_equal(other->default_target, shift);
        assert_int_equal(other->targets[0], shift + 1);
        assert_int_equal(other->targets[1], 0);
        sample_release(&sample);
    }
}

static void bad_switches(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample, 50);
    REFUSED(0, "goes from 1 to 0", OP_TABLESWITCH, 0, 0, 0, FOUR(0), FOUR(1), FOUR(0));
    REFUSED(0, "more cases", OP_TABLESWITCH, 0, 0, 0, FOUR(0), FOUR(0), FOUR(1), FOUR(0));
    REFUSED(0, "more cases", OP_TABLESWITCH, 0, 0, 0, FOUR(0), FOUR(INT32_MIN), FOUR(INT32_MAX));
    REFUSED(0, "more cases", OP_LOOKUPSWITCH, 0, 0, 0, FOUR(0), FOUR(0x20000000));
    REFUSED(0, "more cases", OP_LOOKUPSWITCH, 0, 0, 0, FOUR(0), FOUR(-1));
    REFUSED(0, "ends inside a switch", OP_LOOKUPSWITCH, 0, 0, 0, FOUR(0), TWO(0));
    REFUSED(0, "do not ascend", OP_LOOKUPSWITCH, 0, 0, 0, FOUR(0), FOUR(2), FOUR(5), FOUR(0),
            FOUR(5), FOUR(0));
    REFUSED(0, "no instruction starts", OP_LOOKUPSWITCH, 0, 0, 0, FOUR(1), FOUR(0));
    REFUSED(0, "no instruction starts", OP_LOOKUPSWITCH, 0, 0, 0, FOUR(0), FOUR(1), FOUR(0),
            FOUR(-1));
    REFUSED(0, "padding", OP_LOOKUPSWITCH, 0, 1, 0, FOUR(0), FOUR(0));
    sample.class_file.major = 51;
    ACCEPTED(OP_LOOKUPSWITCH, 0, 1, 0, FOUR(0), FOUR(0));
    sample_release(&sample);
}

static void bad_opcodes_and_ends(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample, 52);
    REFUSED(1, "opcode 202 does not exist", OP_NOP, 202);
    REFUSED(0, "opcode 255 does not exist", 255);
    REFUSED(0, "cannot be wide", OP_WIDE, OP_IADD, OP_RETURN);
    REFUSED(0, "cannot be wide", OP_WIDE, OP_WIDE, OP_ILOAD, 0, 0);
    REFUSED(0, "ends behind wide", OP_WIDE);
    REFUSED(1, "ends inside an instruction", OP_NOP, OP_SIPUSH, 1);
    REFUSED(0, "ends inside an instruction", OP_WIDE, OP_IINC, 0, 1, 0);
    REFUSED(0, "runs past the end", OP_NOP);
    REFUSED(1, "runs past the end", OP_ICONST_0, OP_IFEQ, TWO(-1));
    REFUSED(1, "runs past the end", OP_RETURN, OP_NOP);
    sample_release(&sample);
}

static void bad_branches(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample, 52);
    REFUSED(0, "goto goes to 1", OP_GOTO, TWO(1));
    REFUSED(0, "goto goes to -1", OP_GOTO, TWO(-1));
    REFUSED(0, "goto goes to 3", OP_GOTO, TWO(3));
    REFUSED(1, "goto_w goes to 2147483648", OP_NOP, OP_GOTO_W, FOUR(INT32_MAX));
    REFUSED(0, "jsr in a class of version 52", OP_JSR, TWO(0), OP_RETURN);
    REFUSED(0, "ret in a class of version 52", OP_RET, 0);
    REFUSED(0, "ret in a class of version 52", OP_RET, 0, OP_NOP, OP_RETURN);
    REFUSED(0, "ret in a class of version 52", OP_WIDE, OP_RET, TWO(0));
    sample.class_file.major = 50;
    ACCEPTED(OP_JSR, TWO(4), OP_RETURN, OP_ASTORE_0, OP_RET, 0);
    sample_release(&sample);
}

static void locals_below_max(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample, 50);
    sample.code.max_locals = 3;
    ACCEPTED(OP_ILOAD_2, OP_DLOAD_1, OP_ILOAD, 2, OP_LSTORE, 1, OP_IINC, 2, 1, OP_RETURN);
    REFUSED(0, "local 3 is not below max_locals, 3", OP_ILOAD_3, OP_RETURN);
    REFUSED(0, "local 3", OP_ASTORE_3, OP_RETURN);
    REFUSED(0, "local 3", OP_LLOAD_2, OP_RETURN);
    REFUSED(0, "local 3", OP_DSTORE_2, OP_RETURN);
    REFUSED(0, "local 3", OP_DLOAD, 2, OP_RETURN);
    REFUSED(0, "local 3", OP_FLOAD, 3, OP_RETURN);
    REFUSED(0, "local 3", OP_IINC, 3, 1, OP_RETURN);
    REFUSED(0, "local 65536", OP_WIDE, OP_LLOAD, TWO(65535), OP_RETURN);
    REFUSED(0, "local 3", OP_RET, 3);
    sample.code.max_locals = 0;
    REFUSED(0, "local 0", OP_ALOAD_0, OP_RETURN);
    sample_release(&sample);
}

static void ldc_by_version(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample, 55);
    const uint16_t integer = sample_constant(&sample, (struct constant){.tag = CONSTANT_INTEGER});
    const uint16_t wide = sample_constant(&sample, (struct constant){.tag = CONSTANT_LONG});
    sample_constant(&sample, (struct constant){0});
    const uint16_t class = sample_named(&sample, CONSTANT_CLASS, "p/Other");
    const uint16_t type = sample_named(&sample, CONSTANT_METHOD_TYPE, "()V");
    const uint16_t single = sample_dynamic(&sample, CONSTANT_DYNAMIC, "x", "[J");
    const uint16_t twice = sample_dynamic(&sample, CONSTANT_DYNAMIC, "x", "J");
    const uint16_t member = sample_member(&sample, CONSTANT_FIELD, "f", "I");
    ACCEPTED(OP_LDC, (uint8_t)integer, OP_LDC_W, TWO(integer), OP_LDC2_W, TWO(wide), OP_RETURN);
    ACCEPTED(OP_LDC, (uint8_t)single, OP_LDC2_W, TWO(twice), OP_RETURN);
    REFUSED(0, "cannot load constant", OP_LDC, (uint8_t)twice, OP_RETURN);
    REFUSED(0, "cannot load constant", OP_LDC2_W, TWO(single), OP_RETURN);
    REFUSED(0, "ldc cannot use", OP_LDC, (uint8_t)wide, OP_RETURN);
    REFUSED(0, "ldc2_w cannot use", OP_LDC2_W, TWO(integer), OP_RETURN);
    REFUSED(0, "ldc cannot use", OP_LDC, (uint8_t)member, OP_RETURN);
    REFUSED(0, "does not exist", OP_LDC, 0, OP_RETURN);
    REFUSED(0, "does not exist", OP_LDC_W, TWO(9999), OP_RETURN);
    REFUSED(0, "cannot use", OP_LDC_W, TWO(wide + 1), OP_RETURN);
    sample.class_file.major = 54;
    REFUSED(0, "cannot use", OP_LDC, (uint8_t)single, OP_RETURN);
    REFUSED(0, "cannot use", OP_LDC2_W, TWO(twice), OP_RETURN);
    sample.class_file.major = 51;
    ACCEPTED(OP_LDC, (uint8_t)type, OP_RETURN);
    sample.class_file.major = 50;
    REFUSED(0, "cannot use", OP_LDC, (uint8_t)type, OP_RETURN);
    sample.class_file.major = 49;
    ACCEPTED(OP_LDC, (uint8_t) class, OP_RETURN);
    sample.class_file.major = 48;
    REFUSED(0, "cannot use", OP_LDC, (uint8_t) class, OP_RETURN);
    sample_release(&sample);
}

static void calls(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample, 52);
    const uint16_t method = sample_member(&sample, CONSTANT_METHOD, "a", "(IJ)V");
    const uint16_t interface = sample_member(&sample, CONSTANT_INTERFACE_METHOD, "a", "(IJ)V");
    const uint16_t init = sample_member(&sample, CONSTANT_METHOD, "<init>", "()V");
    const uint16_t clinit = sample_member(&sample, CONSTANT_METHOD, "<clinit>", "()V");
    const uint16_t dynamic = sample_dynamic(&sample, CONSTANT_INVOKE_DYNAMIC, "a", "()V");
    ACCEPTED(OP_INVOKEVIRTUAL, TWO(method), OP_INVOKESPECIAL, TWO(init), OP_INVOKESTATIC,
             TWO(interface), OP_INVOKESPECIAL, TWO(interface), OP_INVOKEINTERFACE, TWO(interface),
             4, 0, OP_INVOKEDYNAMIC, TWO(dynamic), 0, 0, OP_RETURN);
    assert_instruction(&sample, 4, 12, OP_INVOKEINTERFACE, interface, 4);
    REFUSED(0, "cannot use", OP_INVOKEVIRTUAL, TWO(interface), OP_RETURN);
    REFUSED(0, "cannot use", OP_INVOKEINTERFACE, TWO(method), 4, 0, OP_RETURN);
    REFUSED(0, "says 3 slots but passes 4", OP_INVOKEINTERFACE, TWO(interface), 3, 0, OP_RETURN);
    REFUSED(0, "not 0", OP_INVOKEINTERFACE, TWO(interface), 4, 1, OP_RETURN);
    REFUSED(0, "not 0", OP_INVOKEDYNAMIC, TWO(dynamic), 0, 1, OP_RETURN);
    REFUSED(0, "not 0", OP_INVOKEDYNAMIC, TWO(dynamic), 1, 0, OP_RETURN);
    REFUSED(0, "must not call <init>", OP_INVOKEVIRTUAL, TWO(init), OP_RETURN);
    REFUSED(0, "must not call <init>", OP_INVOKESTATIC, TWO(init), OP_RETURN);
    REFUSED(0, "must not call <clinit>", OP_INVOKESTATIC, TWO(clinit), OP_RETURN);
    REFUSED(0, "must not call <clinit>", OP_INVOKESPECIAL, TWO(clinit), OP_RETURN);
    REFUSED(0, "cannot use", OP_GETFIELD, TWO(method), OP_RETURN);
    sample.class_file.major = 51;
    REFUSED(0, "cannot use", OP_INVOKESTATIC, TWO(interface), OP_RETURN);
    REFUSED(0, "cannot use", OP_INVOKESPECIAL, TWO(interface), OP_RETURN);
    sample.class_file.major = 50;
    REFUSED(0, "version 50", OP_INVOKEDYNAMIC, TWO(dynamic), 0, 0, OP_RETURN);
    sample_release(&sample);
}

static void new_objects(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample, 52);
    char deep[257];
    memset(deep, '[', 255);
    memcpy(deep + 255, "I", 2);
    const uint16_t class = sample_named(&sample, CONSTANT_CLASS, "p/Other");
    const uint16_t array = sample_named(&sample, CONSTANT_CLASS, "[[I");
    const uint16_t deepest = sample_named(&sample, CONSTANT_CLASS, deep);
    const uint16_t shallower = sample_named(&sample, CONSTANT_CLASS, deep + 1);
    ACCEPTED(OP_NEW, TWO(class), OP_ANEWARRAY, TWO(array), OP_CHECKCAST, TWO(array), OP_ANEWARRAY,
             TWO(shallower), OP_MULTIANEWARRAY, TWO(array), 2, OP_RETURN);
    assert_instruction(&sample, 4, 12, OP_MULTIANEWARRAY, array, 2);
    REFUSED(0, "new of an array", OP_NEW, TWO(array), OP_RETURN);
    REFUSED(0, "255 dimensions", OP_ANEWARRAY, TWO(deepest), OP_RETURN);
    REFUSED(0, "multianewarray of 3", OP_MULTIANEWARRAY, TWO(array), 3, OP_RETURN);
    REFUSED(0, "multianewarray of 0", OP_MULTIANEWARRAY, TWO(array), 0, OP_RETURN);
    REFUSED(0, "multianewarray of 1", OP_MULTIANEWARRAY, TWO(class), 1, OP_RETURN);
    REFUSED(0, "newarray of type 3", OP_NEWARRAY, 3, OP_RETURN);
    REFUSED(0, "newarray of type 12", OP_NEWARRAY, 12, OP_RETURN);
    REFUSED(0, "cannot use", OP_NEW, TWO(class - 1), OP_RETURN);
    sample_release(&sample);
}

static void handlers_stand_at_instructions(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample, 52);
    struct exception_handler handler = {.start = 0, .end = 4, .handler = 3};
    sample.code.handlers = &handler;
    sample.code.handler_count = 1;
    const uint16_t class = sample_named(&sample, CONSTANT_CLASS, "p/Other");
    handler.catch_type = class;
    ACCEPTED(OP_SIPUSH, 0, 0, OP_RETURN);
    assert_int_equal(sample.bytecode.handlers[0].start, 0);
    assert_int_equal(sample.bytecode.handlers[0].end, 2);
    assert_int_equal(sample.bytecode.handlers[0].handler, 1);
    assert_int_equal(sample.bytecode.handlers[0].catch_type, class);
    handler.end = 2;
    REFUSED(0, "covers 0 to 2", OP_SIPUSH, 0, 0, OP_RETURN);
    handler.end = 5;
    REFUSED(0, "covers 0 to 5", OP_SIPUSH, 0, 0, OP_RETURN);
    handler = (struct exception_handler){.start = 3, .end = 3, .handler = 0};
    REFUSED(3, "covers 3 to 3", OP_SIPUSH, 0, 0, OP_RETURN);
    handler = (struct exception_handler){.start = 0, .end = 3, .handler = 1};
    REFUSED(1, "starts inside", OP_SIPUSH, 0, 0, OP_RETURN);
    handler.handler = 4;
    REFUSED(4, "behind the code", OP_SIPUSH, 0, 0, OP_RETURN);
    handler = (struct exception_handler){.end = 3, .catch_type = (uint16_t)(class - 1)};
    REFUSED(0, "not a class", OP_SIPUSH, 0, 0, OP_RETURN);
    sample_release(&sample);
}

/* The old verifier follows execution; the new one looks at the last instruction. */
static void old_code_may_end_in_dead_code(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample, 48);
    ACCEPTED(OP_RETURN, OP_NOP);
    /* jsr to a subroutine that returns from the method: behind the jsr comes nothing. */
    ACCEPTED(OP_GOTO, TWO(5), OP_POP, OP_RETURN, OP_JSR, TWO(-2));
    REFUSED(7, "past the end", OP_GOTO, TWO(7), OP_ASTORE_0, OP_NOP, OP_RET, 0, OP_JSR, TWO(-4));
    REFUSED(1, "past the end", OP_NOP, OP_NOP);
    /* A handler is not executed if nothing is that it covers. */
    struct exception_handler handlers[] = {{.start = 2, .end = 3, .handler = 3},
                                           {.start = 1, .end = 2, .handler = 2},
                                           {.start = 0, .end = 1, .handler = 1}};
    sample.code.handlers = handlers;
    sample.code.handler_count = 2;
    ACCEPTED(OP_RETURN, OP_RETURN, OP_RETURN, OP_NOP);
    sample.code.handler_count = 3;
    REFUSED(3, "past the end", OP_RETURN, OP_RETURN, OP_RETURN, OP_NOP);
    sample.code.handler_count = 0;
    sample.class_file.major = 51;
    REFUSED(1, "past the end", OP_RETURN, OP_NOP);
    sample_release(&sample);
}

static void lengths_outside_the_limits(void **state)
{
    (void)state;
    struct sample sample;
    sample_init(&sample, 52);
    assert_refused(&sample, sample_decode(&sample, NULL, 0), 0, "0 bytes long");
    uint8_t *nops = calloc(65536, 1);
    nops[65534] = OP_RETURN;
    assert_true(sample_decode(&sample, nops, 65535));
    assert_int_equal(sample.bytecode.count, 65535);
    assert_int_equal(bytecode_number_at(&sample.bytecode, 65534), 65534);
    nops[65535] = OP_RETURN;
    assert_refused(&sample, sample_decode(&sample, nops, 65536), 0, "65536 bytes long");
    free(nops);
    sample_release(&sample);
}

/* Whatever the bytes are, decoding reads no others, and what it accepts keeps its promises. */
static void any_bytes(void **state)
{
    (void)state;
    struct sample sample;
    uint32_t seed = 12345;
    unsigned accepted = 0;
    for (unsigned round = 0; round < 20000; round++) {
        sample_init(&sample, round & 1 ? 50 : 61);
        uint8_t bytes[24];
        for (size_t i = 0; i < sizeof bytes; i++) {
            seed = seed * 1664525 + 1013904223;
            bytes[i] = (uint8_t)(seed >> 24);
            /* Half of them small, so that distances and locals fit now and then. */
            if (seed & 0x800000)
                bytes[i] &= 15;
        }
        bytes[sizeof bytes - 1] = OP_RETURN;
        const size_t length = 1 + (seed >> 8) % sizeof bytes;
        if (sample_decode(&sample, bytes + sizeof bytes - length, length)) {
            struct flow flow;
            accepted++;
            assert_false(sample.problem.set);
            assert_true(flow_build(&flow, &sample.arena, &sample.bytecode));
        } else {
            assert_true(sample.problem.set);
        }
        sample_release(&sample);
    }
    assert_true(accepted > 100);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (long requests = 0;; requests++) {
        struct sample sample;
        sample_init(&sample, 48);
        const uint8_t code[] = {OP_GOTO,         TWO(5), OP_POP, OP_RETURN, OP_JSR,  TWO(-2),
                                OP_LOOKUPSWITCH, 0,      0,      0,         FOUR(0), FOUR(0)};
        sample_set_code(&sample, code, sizeof code);
        problem_clear(&sample.problem);
        memory_fail_after(requests);
        const bool done = bytecode_decode(&sample.bytecode, &sample.arena, &sample.class_file,
                                          &sample.method, &sample.problem);
        memory_fail_after(-1);
        if (!done)
            assert_non_null(strstr(sample.problem.reason, "out of memory"));
        sample_release(&sample);
        if (done) {
            assert_true(requests > 0);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(immediates_and_locals),
        cmocka_unit_test(branches_are_instruction_numbers),
        cmocka_unit_test(switches_at_every_alignment),
        cmocka_unit_test(bad_switches),
        cmocka_unit_test(bad_opcodes_and_ends),
        cmocka_unit_test(bad_branches),
        cmocka_unit_test(locals_below_max),
        cmocka_unit_test(ldc_by_version),
        cmocka_unit_test(calls),
        cmocka_unit_test(new_objects),
        cmocka_unit_test(handlers_stand_at_instructions),
        cmocka_unit_test(old_code_may_end_in_dead_code),
        cmocka_unit_test(lengths_outside_the_limits),
        cmocka_unit_test(any_bytes),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
