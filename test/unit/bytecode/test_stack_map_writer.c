/* Frames become StackMapTable entries in the forms of JVMS 4.7.4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "bytecode/stack_map_writer.h"

enum { LOCALS = 8, STACK = 6, CLASS_INDEX = 77, NEW_OFFSET = 1000 };

static uint16_t class_index(void *context, struct text name)
{
    (void)context;
    return text_is(name, "no/Room") ? 0 : CLASS_INDEX;
}

static uint32_t new_offset(void *context, uint32_t instruction)
{
    (void)context;
    return NEW_OFFSET + instruction;
}

static const struct stack_map_names names = {NULL, class_index, new_offset};

struct test {
    struct arena arena;
    struct type_table table;
    struct stack_map_writer writer;
    struct frame frame;
    frame_type locals[LOCALS];
    frame_type stack[STACK];
};

/* I int, F float, J long, D double, N null, A an object, U uninitialized, T uninitialized this, R
   return address,
   - top. A long takes the place behind it. */
static unsigned put(struct test *test, frame_type *places, const char *kinds)
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
        case 'J':
        case 'D':
            places[count++] = *kinds == 'J' ? FRAME_LONG : FRAME_DOUBLE;
            places[count++] = FRAME_TOP;
            break;
        case 'N':
            places[count++] = FRAME_NULL;
            break;
        case 'A':
            places[count++] = type_table_object(&test->table, TEXT("java/lang/String"));
            break;
        case 'X':
            places[count++] = type_table_object(&test->table, TEXT("no/Room"));
            break;
        case 'U':
            places[count++] = frame_type_make(VERIFICATION_UNINITIALIZED, 5);
            break;
        case 'T':
            places[count++] = FRAME_UNINITIALIZED_THIS;
            break;
        case 'R':
            places[count++] = frame_type_make(TYPE_RETURN_ADDRESS, 5);
            break;
        default:
            places[count++] = FRAME_TOP;
            break;
        }
    }
    return count;
}

static const struct frame *make(struct test *test, const char *locals, const char *stack)
{
    for (unsigned i = put(test, test->locals, locals); i < LOCALS; i++)
        test->locals[i] = FRAME_TOP;
    test->frame = (struct frame){.locals = test->locals,
                                 .stack = test->stack,
                                 .local_count = LOCALS,
                                 .stack_count = (uint16_t)put(test, test->stack, stack),
                                 .reached = true};
    return &test->frame;
}

static void start(struct test *test, const char *initial)
{
    arena_init(&test->arena);
    assert_true(type_table_init(&test->table, &test->arena, NULL));
    assert_true(stack_map_writer_init(&test->writer, &test->arena, &test->table,
                                      make(test, initial, ""), &names));
}

static void end(struct test *test)
{
    stack_map_writer_release(&test->writer);
    type_table_release(&test->table);
    arena_release(&test->arena);
}

/* One frame behind an initial one; the entry that comes out. */
struct form {
    const char *before;
    const char *locals, *stack;
    uint32_t offset;
    uint8_t type;
    uint16_t local_count, stack_count;
};

static void forms(void **state)
{
    (void)state;
    static const struct form cases[] = {
        {"IJ", "IJ", "", 0, 0, 0, 0},
        {"IJ", "IJ", "", 63, 63, 0, 0},
        {"IJ", "IJ", "", 64, 251, 0, 0},
        {"IJ", "IJ", "", 65535, 251, 0, 0},
        {"IJ", "IJ", "A", 0, 64, 0, 1},
        {"IJ", "IJ", "D", 63, 127, 0, 1}, /* a double on the stack is one */
        {"IJ", "IJ", "A", 64, 247, 0, 1},
        {"IJ", "IJ", "AA", 1, 255, 2, 2},
        {"IJ", "I", "", 1, 250, 0, 0}, /* chop 1: a long is one */
        {"IJFA", "I", "", 1, 248, 0, 0},
        {"IJFA", "", "", 1, 255, 0, 0}, /* four cannot be chopped */
        {"IJ", "I", "A", 1, 255, 1, 1}, /* nor with something on the stack */
        {"IJ", "IJF", "", 1, 252, 1, 0},
        {"IJ", "IJFDA", "", 1, 254, 3, 0},
        {"", "IIII", "", 1, 255, 4, 0},
        {"IJ", "FJ", "", 1, 255, 2, 0},
        {"I", "I-F", "", 1, 253, 2, 0}, /* a hole is a type of its own */
        {"IF", "-F", "", 1, 255, 2, 0},
        {"IF", "I-", "", 1, 250, 0, 0}, /* but unused locals at the end are left out */
        {"TI", "TI", "TU", 1, 255, 2, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct test test;
        start(&test, cases[i].before);
        assert_true(stack_map_writer_add(&test.writer, cases[i].offset,
                                         make(&test, cases[i].locals, cases[i].stack)));
        const struct stack_map *map = stack_map_writer_finish(&test.writer);
        assert_non_null(map);
        assert_int_equal(map->count, 1);
        const struct stack_map_frame *entry = &map->frames[0];
        if (entry->type != cases[i].type || entry->offset_delta != cases[i].offset ||
            entry->local_count != cases[i].local_count ||
            entry->stack_count != cases[i].stack_count)
            fail_msg("%s to %s|%s: type %u, delta %u, %u locals, %u on the stack", cases[i].before,
                     cases[i].locals, cases[i].stack, entry->type, entry->offset_delta,
                     entry->local_count, entry->stack_count);
        end(&test);
    }
}

static void types_and_offsets(void **state)
{
    (void)state;
    struct test test;
    start(&test, "A");
    assert_true(stack_map_writer_add(&test.writer, 10, make(&test, "AUN", "")));
    assert_true(stack_map_writer_add(&test.writer, 11, make(&test, "AUN", "")));
    assert_true(stack_map_writer_add(&test.writer, 11, make(&test, "AUN", ""))); /* ignored */
    assert_true(stack_map_writer_add(&test.writer, 20, make(&test, "AJ-I", "DT")));
    const struct stack_map *map = stack_map_writer_finish(&test.writer);
    assert_non_null(map);
    assert_int_equal(map->count, 3);
    const struct stack_map_frame *first = &map->frames[0];
    assert_int_equal(first->type, 253);
    assert_int_equal(first->offset_delta, 10);
    assert_int_equal(first->locals[0].tag, 8);
    assert_int_equal(first->locals[0].value, NEW_OFFSET + 5);
    assert_int_equal(first->locals[1].tag, 5);
    assert_int_equal(map->frames[1].offset_delta, 0);
    assert_int_equal(map->frames[1].type, 0);
    const struct stack_map_frame *last = &map->frames[2];
    assert_int_equal(last->type, 255);
    assert_int_equal(last->offset_delta, 8);
    static const uint8_t locals[] = {7, 4, 0, 1};
    assert_int_equal(last->local_count, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(last->locals[i].tag, locals[i]);
    assert_int_equal(last->locals[0].value, CLASS_INDEX);
    assert_int_equal(last->stack_count, 2);
    assert_int_equal(last->stack[0].tag, 3);
    assert_int_equal(last->stack[1].tag, 6);
    end(&test);
}

static void no_frames(void **state)
{
    (void)state;
    struct test test;
    start(&test, "I");
    const struct stack_map *map = stack_map_writer_finish(&test.writer);
    assert_non_null(map);
    assert_int_equal(map->count, 0);
    end(&test);
}

static void assert_fails(const char *locals, uint32_t offset, bool reached,
                         enum stack_map_failure failure)
{
    struct test test;
    start(&test, "I");
    assert_true(stack_map_writer_add(&test.writer, 1, make(&test, "I", "")));
    make(&test, locals, "");
    test.frame.reached = reached;
    assert_false(stack_map_writer_add(&test.writer, offset, &test.frame));
    assert_int_equal(test.writer.failure, failure);
    /* It sticks. */
    assert_false(stack_map_writer_add(&test.writer, 100, make(&test, "I", "")));
    assert_null(stack_map_writer_finish(&test.writer));
    assert_int_equal(test.writer.failure, failure);
    end(&test);
}

static void failures(void **state)
{
    (void)state;
    assert_fails("X", 2, true, STACK_MAP_POOL_FULL);
    assert_fails("R", 2, true, STACK_MAP_NOT_WRITABLE);
    assert_fails("I", 2, false, STACK_MAP_NOT_WRITABLE);
    assert_fails("I", 65536, true, STACK_MAP_TOO_LARGE);
    assert_fails("I", 0, true, STACK_MAP_TOO_LARGE);
}

static void no_memory(void **state)
{
    (void)state;
    struct test test;
    start(&test, "I");
    memory_fail_after(0);
    assert_false(stack_map_writer_add(&test.writer, 1, make(&test, "I", "")));
    memory_fail_after(-1);
    assert_int_equal(test.writer.failure, STACK_MAP_NO_MEMORY);
    assert_null(stack_map_writer_finish(&test.writer));
    end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms),     cmocka_unit_test(types_and_offsets),
        cmocka_unit_test(no_frames), cmocka_unit_test(failures),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
