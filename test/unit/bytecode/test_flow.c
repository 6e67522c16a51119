#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "bytecode/flow.h"
#include "bytecode/sample.h"

static void build(struct flow *flow, struct sample *sample)
{
    assert_true(flow_build(flow, &sample->arena, &sample->bytecode));
    /* True of every graph: blocks follow each other, and block_of agrees with them. */
    uint32_t next = 0;
    for (uint32_t i = 0; i < flow->count; i++) {
        assert_int_equal(flow->blocks[i].first, next);
        assert_true(flow->blocks[i].end > next);
        next = flow->blocks[i].end;
        for (uint32_t j = flow->blocks[i].first; j < next; j++)
            assert_int_equal(flow->block_of[j], i);
    }
    assert_int_equal(next, sample->bytecode.count);
}

static void assert_numbers(const uint32_t *numbers, uint32_t count, const uint32_t *expected,
                           uint32_t expected_count)
{
    assert_int_equal(count, expected_count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(numbers[i], expected[i]);
}

#define NUMBERS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4
#define SUCCESSORS(block, ...)                                                                     \
    assert_numbers(flow.blocks[block].successors, flow.blocks[block].successor_count,              \
                   NUMBERS(__VA_ARGS__))
#define HANDLERS(block, ...)                                                                       \
    assert_numbers(flow.blocks[block].handlers, flow.blocks[block].handler_count,                  \
                   NUMBERS(__VA_ARGS__))

static void straight_line(void **state)
{
    (void)state;
    struct sample sample;
    struct flow flow;
    sample_init(&sample, 52);
    assert_true(SAMPLE_DECODE(&sample, OP_NOP, OP_NOP, OP_RETURN));
    build(&flow, &sample);
    assert_int_equal(flow.count, 1);
    assert_int_equal(flow.blocks[0].successor_count, 0);
    assert_int_equal(flow.blocks[0].handler_count, 0);
    assert_true(flow.blocks[0].reachable);
    sample_release(&sample);
}

static void diamond_and_dead_code(void **state)
{
    (void)state;
    struct sample sample;
    struct flow flow;
    sample_init(&sample, 52);
    /* 0 iconst_0, 1 ifeq 8 | 4 nop, 5 goto 9 | 8 nop | 9 return | 10 goto 10 */
    assert_true(SAMPLE_DECODE(&sample, OP_ICONST_0, OP_IFEQ, TWO(7), OP_NOP, OP_GOTO, TWO(4),
                              OP_NOP, OP_RETURN, OP_GOTO, TWO(0)));
    build(&flow, &sample);
    assert_int_equal(flow.count, 5);
    SUCCESSORS(0, 1, 2);
    SUCCESSORS(1, 3);
    SUCCESSORS(2, 3);
    assert_int_equal(flow.blocks[3].successor_count, 0);
    SUCCESSORS(4, 4);
    assert_true(flow.blocks[3].reachable);
    assert_false(flow.blocks[4].reachable);
    sample_release(&sample);
}

static void branch_to_the_next_is_one_edge(void **state)
{
    (void)state;
    struct sample sample;
    struct flow flow;
    sample_init(&sample, 52);
    assert_true(SAMPLE_DECODE(&sample, OP_ICONST_0, OP_IFEQ, TWO(3), OP_RETURN));
    build(&flow, &sample);
    assert_int_equal(flow.count, 2);
    SUCCESSORS(0, 1);
    sample_release(&sample);
}

static void switch_targets_once_each(void **state)
{
    (void)state;
    struct sample sample;
    struct flow flow;
    sample_init(&sample, 52);
    /* 0 tableswitch 28 28 29 28, 28 return, 29 return */
    assert_true(SAMPLE_DECODE(&sample, OP_TABLESWITCH, 0, 0, 0, FOUR(28), FOUR(0), FOUR(2),
                              FOUR(28), FOUR(29), FOUR(28), OP_RETURN, OP_RETURN));
    build(&flow, &sample);
    assert_int_equal(flow.count, 3);
    SUCCESSORS(0, 1, 2);
    sample_release(&sample);
}

static void handlers_split_blocks(void **state)
{
    (void)state;
    struct sample sample;
    struct flow flow;
    sample_init(&sample, 52);
    /* Instructions 0 to 5 are nops, 6 return, 7 pop, 8 return, 9 athrow. The first handler covers 1
       and 2, the second 2 to 4, the third as much as the second with the same handler as the first.
     */
    struct exception_handler handlers[] = {{1, 3, 7, 0}, {2, 5, 9, 0}, {2, 5, 7, 0}};
    sample.code.handlers = handlers;
    sample.code.handler_count = 3;
    assert_true(SAMPLE_DECODE(&sample, OP_NOP, OP_NOP, OP_NOP, OP_NOP, OP_NOP, OP_NOP, OP_RETURN,
                              OP_POP, OP_RETURN, OP_ATHROW));
    build(&flow, &sample);
    /* 0 | 1 | 2 | 3 4 | 5 6 | 7 8 | 9 */
    assert_int_equal(flow.count, 7);
    assert_int_equal(flow.blocks[0].handler_count, 0);
    HANDLERS(1, 5);
    HANDLERS(2, 5, 6);
    HANDLERS(3, 6, 5);
    assert_int_equal(flow.blocks[4].handler_count, 0);
    SUCCESSORS(0, 1);
    SUCCESSORS(3, 4);
    assert_true(flow.blocks[5].reachable);
    assert_true(flow.blocks[6].reachable);
    sample_release(&sample);
}

static void dead_handlers(void **state)
{
    (void)state;
    struct sample sample;
    struct flow flow;
    sample_init(&sample, 52);
    struct exception_handler handler = {1, 2, 2, 0};
    sample.code.handlers = &handler;
    sample.code.handler_count = 1;
    assert_true(SAMPLE_DECODE(&sample, OP_RETURN, OP_RETURN, OP_ATHROW));
    build(&flow, &sample);
    assert_int_equal(flow.count, 3);
    assert_false(flow.blocks[1].reachable);
    assert_false(flow.blocks[2].reachable);
    sample_release(&sample);
}

static void subroutine_called_twice(void **state)
{
    (void)state;
    struct sample sample;
    struct flow flow;
    sample_init(&sample, 48);
    /* 0 jsr 7 | 3 jsr 7 | 6 return | 7 astore_1, 8 ret 1 */
    assert_true(
        SAMPLE_DECODE(&sample, OP_JSR, TWO(7), OP_JSR, TWO(4), OP_RETURN, OP_ASTORE_1, OP_RET, 1));
    build(&flow, &sample);
    assert_int_equal(flow.count, 4);
    SUCCESSORS(0, 3);
    SUCCESSORS(1, 3);
    SUCCESSORS(3, 1, 2);
    assert_true(flow.blocks[2].reachable);
    sample_release(&sample);
}

static void nested_subroutines_return_to_their_own_calls(void **state)
{
    (void)state;
    struct sample sample;
    struct flow flow;
    sample_init(&sample, 48);
    /* 0 jsr 4 | 3 return | 4 astore_1, 5 jsr 10 | 8 ret 1 | 10 astore_2, 11 ret 2 */
    assert_true(SAMPLE_DECODE(&sample, OP_JSR, TWO(4), OP_RETURN, OP_ASTORE_1, OP_JSR, TWO(5),
                              OP_RET, 1, OP_ASTORE_2, OP_RET, 2));
    build(&flow, &sample);
    assert_int_equal(flow.count, 5);
    SUCCESSORS(2, 4);
    SUCCESSORS(3, 1);
    SUCCESSORS(4, 3);
    for (uint32_t i = 0; i < flow.count; i++)
        assert_true(flow.blocks[i].reachable);
    sample_release(&sample);
}

/* JVMS 4.9.2 lets a subroutine return past its caller, to the caller's caller. */
static void inner_subroutine_returns_from_the_outer(void **state)
{
    (void)state;
    struct sample sample;
    struct flow flow;
    sample_init(&sample, 48);
    /* 0 jsr 4 | 3 return | 4 astore_1, 5 jsr 9 | 8 nop | 9 astore_2, 10 ret 1 */
    assert_true(SAMPLE_DECODE(&sample, OP_JSR, TWO(4), OP_RETURN, OP_ASTORE_1, OP_JSR, TWO(4),
                              OP_NOP, OP_ASTORE_2, OP_RET, 1));
    build(&flow, &sample);
    assert_int_equal(flow.count, 5);
    SUCCESSORS(4, 1);
    assert_true(flow.blocks[1].reachable);
    assert_false(flow.blocks[3].reachable);
    sample_release(&sample);
}

static void dead_calls_are_not_returned_to(void **state)
{
    (void)state;
    struct sample sample;
    struct flow flow;
    sample_init(&sample, 48);
    /* 0 jsr 8 | 3 return | 4 jsr 8 | 7 return | 8 astore 1, 10 ret 1 */
    assert_true(SAMPLE_DECODE(&sample, OP_JSR, TWO(8), OP_RETURN, OP_JSR, TWO(4), OP_RETURN,
                              OP_ASTORE, 1, OP_WIDE, OP_RET, TWO(1)));
    build(&flow, &sample);
    assert_int_equal(flow.count, 5);
    SUCCESSORS(4, 1);
    assert_false(flow.blocks[2].reachable);
    assert_false(flow.blocks[3].reachable);
    sample_release(&sample);
}

/* Tables of handlers can ask for billions of edges; that is refused before memory or time is gone.
 */
static void too_many_edges(void **state)
{
    (void)state;
    enum { COUNT = 30000 };
    struct sample sample;
    struct flow flow;
    sample_init(&sample, 52);
    uint8_t *bytes = calloc(65535, 1);
    bytes[65534] = OP_RETURN;
    struct exception_handler *handlers = calloc(COUNT, sizeof *handlers);
    for (unsigned i = 0; i < COUNT; i++)
        handlers[i] = (struct exception_handler){(uint16_t)i, 65535, (uint16_t)(i + 30000), 0};
    sample.code.handlers = handlers;
    sample.code.handler_count = COUNT;
    assert_true(sample_decode(&sample, bytes, 65535));
    assert_false(flow_build(&flow, &sample.arena, &sample.bytecode));
    assert_true(arena_used(&sample.arena) < 64 << 20);
    free(handlers);
    free(bytes);
    sample_release(&sample);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (long requests = 0;; requests++) {
        struct sample sample;
        struct flow flow;
        sample_init(&sample, 48);
        assert_true(SAMPLE_DECODE(&sample, OP_JSR, TWO(7), OP_JSR, TWO(4), OP_RETURN, OP_ASTORE_1,
                                  OP_RET, 1));
        struct arena arena;
        arena_init(&arena);
        memory_fail_after(requests);
        const bool done = flow_build(&flow, &arena, &sample.bytecode);
        memory_fail_after(-1);
        arena_release(&arena);
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
        cmocka_unit_test(straight_line),
        cmocka_unit_test(diamond_and_dead_code),
        cmocka_unit_test(branch_to_the_next_is_one_edge),
        cmocka_unit_test(switch_targets_once_each),
        cmocka_unit_test(handlers_split_blocks),
        cmocka_unit_test(dead_handlers),
        cmocka_unit_test(subroutine_called_twice),
        cmocka_unit_test(nested_subroutines_return_to_their_own_calls),
        cmocka_unit_test(inner_subroutine_returns_from_the_outer),
        cmocka_unit_test(dead_calls_are_not_returned_to),
        cmocka_unit_test(too_many_edges),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
