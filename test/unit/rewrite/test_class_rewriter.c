/*
 * Whole classes through the front door.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "bytecode/sample.h"
#include "classfile/class_reader.h"
#include "classfile/class_writer.h"
#include "rewrite/class_rewriter.h"
#include "support.h"

struct fixture {
    struct sample sample;
    struct writer bytes;
    struct class_rewriter rewriter;
    struct problem problem;
    struct class_visitor visitor;
    struct snippet snippet;
    /* what the visitor does and saw */
    bool unwanted, needs_constant, needs_bootstrap, bad_plan, no_plan, add_field;
    unsigned methods, ends, left, placed;
    uint32_t starts[2], instruction_ends[2]; /* of the first two instructions, when placed */
    enum class_left reason;
    bool whole_class;
    bool has_problem;
};

static bool begin(void *context, struct class_editor *editor)
{
    struct fixture *fixture = context;
    snippet_clear(&fixture->snippet);
    fixture->snippet.editor = editor;
    if (fixture->needs_constant) {
        snippet_push_int(&fixture->snippet, 1234567);
        snippet_add(&fixture->snippet, OP_POP);
    } else {
        snippet_add(&fixture->snippet, OP_NOP);
    }
    if (fixture->needs_bootstrap) {
        uint16_t called =
            class_editor_member(editor, CONSTANT_METHOD, TEXT("a/B"), TEXT("b"), TEXT("()V"));
        uint16_t handle = class_editor_method_handle(editor, REFERENCE_INVOKE_STATIC, called);
        assert_int_not_equal(class_editor_dynamic(editor, CONSTANT_INVOKE_DYNAMIC, handle, NULL, 0,
                                                  TEXT("c"), TEXT("()V")),
                             0);
    }
    if (fixture->add_field)
        class_editor_add_field(editor, ACCESS_STATIC, TEXT("added"), TEXT("J"));
    return !fixture->unwanted;
}

static bool visit(void *context, struct method_editor *edit)
{
    struct fixture *fixture = context;
    fixture->methods++;
    if (fixture->no_plan)
        return true;
    method_editor_after(edit, 0, &fixture->snippet);
    method_editor_before(edit, fixture->bad_plan ? 99999 : 0, &fixture->snippet);
    return true;
}

static void placed(void *context, const struct method_editor *edit)
{
    struct fixture *fixture = context;
    fixture->placed++;
    for (uint32_t i = 0; i < 2; i++) {
        fixture->starts[i] = method_editor_start(edit, i);
        fixture->instruction_ends[i] = method_editor_end(edit, i);
    }
}

static void end(void *context, struct class_editor *editor)
{
    struct fixture *fixture = context;
    assert_ptr_equal(fixture->snippet.editor, editor);
    fixture->ends++;
}

static void left(void *context, const struct class_file *class_file, const struct member *method,
                 enum class_left reason, const struct problem *problem)
{
    struct fixture *fixture = context;
    assert_non_null(class_file);
    fixture->left++;
    fixture->reason = reason;
    fixture->whole_class = method == NULL;
    fixture->has_problem = problem->set;
}

static void fixture_start(struct fixture *fixture)
{
    memset(fixture, 0, sizeof *fixture);
    sample_init(&fixture->sample, 61);
    static const uint8_t code[] = {OP_NOP, OP_RETURN};
    sample_set_code(&fixture->sample, code, sizeof code);
    writer_init(&fixture->bytes);
    class_rewriter_init(&fixture->rewriter);
    snippet_init(&fixture->snippet, NULL);
    problem_clear(&fixture->problem);
    fixture->visitor = (struct class_visitor){.context = fixture,
                                              .begin = begin,
                                              .method = visit,
                                              .end = end,
                                              .left = left,
                                              .placed = placed};
}

static void fixture_end(struct fixture *fixture)
{
    writer_release(&fixture->bytes);
    class_rewriter_release(&fixture->rewriter);
    snippet_release(&fixture->snippet);
    sample_release(&fixture->sample);
}

static int set_up(void **state)
{
    struct fixture *fixture = malloc(sizeof *fixture);
    fixture_start(fixture);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    fixture_end(*state);
    free(*state);
    return 0;
}

static enum class_rewritten run(struct fixture *fixture)
{
    writer_clear(&fixture->bytes);
    class_write(&fixture->bytes, &fixture->sample.class_file);
    return class_rewriter_run(&fixture->rewriter, fixture->bytes.bytes, fixture->bytes.size,
                              &fixture->visitor, &fixture->problem);
}

static void rewrites(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(run(fixture), CLASS_REWRITTEN);
    assert_int_equal(fixture->methods, 1);
    assert_int_equal(fixture->ends, 1);
    assert_int_equal(fixture->left, 0);
    /* Two nops more, and nothing else. */
    assert_int_equal(fixture->rewriter.writer.size, fixture->bytes.size + 2);
    struct arena arena;
    arena_init(&arena);
    struct class_file *class_file = class_read(&arena, fixture->rewriter.writer.bytes,
                                               fixture->rewriter.writer.size, &fixture->problem);
    assert_non_null(class_file);
    static const uint8_t expected[] = {OP_NOP, OP_NOP, OP_NOP, OP_RETURN};
    const struct code *code = member_code(&class_file->methods[0]);
    assert_int_equal(code->length, 4);
    assert_memory_equal(code->bytes, expected, 4);
    arena_release(&arena);
}

/* A snippet before an instruction is none of its own, one after it is. */
static void tells_where_instructions_are(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(run(fixture), CLASS_REWRITTEN);
    assert_int_equal(fixture->placed, 1);
    assert_int_equal(fixture->starts[0], 1);
    assert_int_equal(fixture->instruction_ends[0], 3);
    assert_int_equal(fixture->starts[1], 3);
    assert_int_equal(fixture->instruction_ends[1], 4);
    fixture->no_plan = true;
    assert_int_equal(run(fixture), CLASS_UNCHANGED);
    assert_int_equal(fixture->placed, 2);
    assert_int_equal(fixture->starts[0], 0);
    assert_int_equal(fixture->instruction_ends[0], 1);
    assert_int_equal(fixture->starts[1], 1);
    assert_int_equal(fixture->instruction_ends[1], 2);
}

static void leaves_what_is_not_wanted(void **state)
{
    struct fixture *fixture = *state;
    fixture->unwanted = true;
    assert_int_equal(run(fixture), CLASS_UNCHANGED);
    assert_int_equal(fixture->methods, 0);
    assert_int_equal(fixture->ends, 1);
    fixture->unwanted = false;
    fixture->visitor.method = NULL;
    assert_int_equal(run(fixture), CLASS_UNCHANGED);
    fixture->add_field = true;
    assert_int_equal(run(fixture), CLASS_REWRITTEN);
}

static void bad_code_is_told(void **state)
{
    struct fixture *fixture = *state;
    static const uint8_t code[] = {OP_NOP, 203};
    sample_set_code(&fixture->sample, code, sizeof code);
    assert_int_equal(run(fixture), CLASS_UNCHANGED);
    assert_int_equal(fixture->left, 1);
    assert_int_equal(fixture->reason, CLASS_LEFT_BAD_CODE);
    assert_true(fixture->has_problem);
    assert_false(fixture->whole_class);
}

static void bad_plan_is_told(void **state)
{
    struct fixture *fixture = *state;
    fixture->bad_plan = true;
    assert_int_equal(run(fixture), CLASS_UNCHANGED);
    assert_int_equal(fixture->reason, CLASS_LEFT_BAD_PLAN);
    assert_true(fixture->has_problem);
    assert_int_equal(fixture->placed, 0);
}

static void set_large_code(struct fixture *fixture)
{
    uint8_t *code = calloc(1, 65535);
    code[65534] = OP_RETURN;
    sample_set_code(&fixture->sample, code, 65535);
    free(code);
}

static void large_method_is_told(void **state)
{
    struct fixture *fixture = *state;
    set_large_code(fixture);
    assert_int_equal(run(fixture), CLASS_UNCHANGED);
    assert_int_equal(fixture->left, 1);
    assert_int_equal(fixture->reason, CLASS_LEFT_TOO_LARGE);
    assert_true(fixture->has_problem);
    assert_false(fixture->whole_class);
}

/* The class keeps its bytes if the methods that would use the new constants do. */
static void constants_alone_are_no_change(void **state)
{
    struct fixture *fixture = *state;
    set_large_code(fixture);
    fixture->needs_constant = fixture->needs_bootstrap = true;
    assert_int_equal(run(fixture), CLASS_UNCHANGED);
    assert_int_equal(fixture->left, 1);
    fixture->add_field = true;
    assert_int_equal(run(fixture), CLASS_REWRITTEN);
}

/* Adds one to the class, or to its method. */
static void add_attribute(struct fixture *fixture, struct class_editor *editor, bool to_method)
{
    struct class_file *class_file = editor->class_file;
    struct attributes *attributes =
        to_method ? &class_file->methods[0].attributes : &class_file->attributes;
    assert_ptr_equal(fixture->snippet.editor, editor);
    assert_non_null(class_editor_add_attribute(editor, attributes, ATTRIBUTE_DEPRECATED));
}

static void end_with_class_attribute(void *context, struct class_editor *editor)
{
    add_attribute(context, editor, false);
}

static void end_with_method_attribute(void *context, struct class_editor *editor)
{
    add_attribute(context, editor, true);
}

static void attributes_are_a_change(void **state)
{
    struct fixture *fixture = *state;
    fixture->visitor.method = NULL;
    fixture->visitor.end = end_with_class_attribute;
    assert_int_equal(run(fixture), CLASS_REWRITTEN);
    fixture->visitor.end = end_with_method_attribute;
    assert_int_equal(run(fixture), CLASS_REWRITTEN);
}

static void full_pool_is_told_once(void **state)
{
    struct fixture *fixture = *state;
    struct class_editor editor;
    class_editor_init(&editor, &fixture->sample.class_file);
    for (int32_t i = 0; !editor.pool_full; i++)
        class_editor_integer(&editor, 10000000 + i);
    class_editor_release(&editor);
    fixture->needs_constant = true;
    assert_int_equal(run(fixture), CLASS_LEFT);
    assert_int_equal(fixture->left, 1);
    assert_int_equal(fixture->reason, CLASS_LEFT_POOL_FULL);
    assert_true(fixture->whole_class);
    /* What needs no constant still works. */
    fixture->needs_constant = false;
    assert_int_equal(run(fixture), CLASS_REWRITTEN);
}

static void garbage_is_not_readable(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(class_rewriter_run(&fixture->rewriter, "not a class", 11, &fixture->visitor,
                                        &fixture->problem),
                     CLASS_UNREADABLE);
    assert_true(fixture->problem.set);
    assert_int_equal(fixture->ends, 0);
}

/* With the class bytes made before memory runs out. */
static bool run_with_little_memory(void *context)
{
    struct fixture *fixture = context;
    struct fixture inner;
    memory_fail_after(-1);
    fixture_start(&inner);
    memory_fail_after((long)fixture->methods++);
    inner.needs_constant = inner.add_field = true;
    enum class_rewritten result = class_rewriter_run(
        &inner.rewriter, fixture->bytes.bytes, fixture->bytes.size, &inner.visitor, &inner.problem);
    memory_fail_after(-1);
    if (result == CLASS_UNREADABLE)
        assert_true(inner.problem.set);
    if (result == CLASS_LEFT)
        assert_true(inner.left == 1 && inner.reason == CLASS_LEFT_NO_MEMORY && inner.whole_class);
    assert_int_not_equal(result, CLASS_UNCHANGED);
    fixture_end(&inner);
    return result == CLASS_REWRITTEN;
}

static void survives_lack_of_memory(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(run(fixture), CLASS_REWRITTEN);
    fixture->methods = 0;
    while (!run_with_little_memory(fixture))
        assert_true(fixture->methods < 1000);
    assert_true(fixture->methods > 4);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(rewrites),
        TEST(tells_where_instructions_are),
        TEST(leaves_what_is_not_wanted),
        TEST(bad_code_is_told),
        TEST(bad_plan_is_told),
        TEST(large_method_is_told),
        TEST(constants_alone_are_no_change),
        TEST(attributes_are_a_change),
        TEST(full_pool_is_told_once),
        TEST(garbage_is_not_readable),
        TEST(survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
