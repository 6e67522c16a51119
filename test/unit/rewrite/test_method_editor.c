/*
 * Tables, frames and exceptional exits of rewritten methods, compared with offsets and types that
 * follow from the rules in method_editor.h.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "rewrite/method_fixture.h"

static int set_up(void **state)
{
    struct method_fixture *fixture = malloc(sizeof *fixture);
    method_fixture_start(fixture, 61);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    method_fixture_end(*state);
    free(*state);
    return 0;
}

static void before_every(struct method_fixture *fixture)
{
    for (uint32_t i = 0; i < fixture->edit.bytecode.count; i++)
        assert_true(method_editor_before(&fixture->edit, i, &fixture->nop));
}

/* if (something that is 0) nop; */
static struct snippet *branching(struct method_fixture *fixture)
{
    struct snippet *snippet = &fixture->snippet;
    snippet_clear(snippet);
    snippet_label end = snippet_new_label(snippet);
    snippet_add(snippet, OP_ICONST_0);
    snippet_branch(snippet, OP_IFEQ, end);
    snippet_add(snippet, OP_NOP);
    snippet_bind(snippet, end);
    return snippet; /* five bytes */
}

/* ---- plans ---- */

/* Two snippets one after the other in the same variable are not the same snippet. */
static void snippets_in_one_variable(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_RETURN);
    struct snippet snippet;
    snippet_init(&snippet, &fixture->editor);
    snippet_add(&snippet, OP_NOP);
    assert_true(method_editor_before(&fixture->edit, 0, &snippet));
    snippet_release(&snippet);
    snippet_init(&snippet, &fixture->editor);
    snippet_add(&snippet, OP_ICONST_0);
    snippet_add(&snippet, OP_POP);
    assert_true(method_editor_before(&fixture->edit, 0, &snippet));
    snippet_add(&snippet, OP_NOP);
    assert_true(method_editor_before(&fixture->edit, 0, &snippet));
    snippet_release(&snippet);
    CHECK_CODE(method_fixture_apply(fixture), OP_NOP, OP_ICONST_0, OP_POP, OP_ICONST_0, OP_POP,
               OP_NOP, OP_RETURN);
}

/* ---- tables ---- */

/* 0 aconst_null, 1 astore_1, 2 aload_1, 3 pop, 4 return: with a nop before each and one at entry,
   their labels are 1, 3, 5, 7, 9 and the end is 11. */
static void open_five(struct method_fixture *fixture)
{
    METHOD_OPEN(fixture, OP_ACONST_NULL, OP_ASTORE_1, OP_ALOAD_1, OP_POP, OP_RETURN);
    before_every(fixture);
    assert_true(method_editor_at_entry(&fixture->edit, &fixture->nop));
}

static void moves_line_numbers(void **state)
{
    struct method_fixture *fixture = *state;
    struct line_number items[] = {{0, 10}, {2, 11}, {4, 12}, {2, 13}};
    struct line_numbers lines = {items, 4};
    method_fixture_add(fixture, ATTRIBUTE_LINE_NUMBER_TABLE)->as.line_numbers = &lines;
    open_five(fixture);
    const struct code *code = method_fixture_apply(fixture);
    const struct line_numbers *moved =
        attributes_find(&code->attributes, ATTRIBUTE_LINE_NUMBER_TABLE)->as.line_numbers;
    /* The entry snippet belongs to the first line. */
    static const uint16_t starts[] = {0, 5, 9, 5};
    assert_int_equal(moved->count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(moved->items[i].start, starts[i]);
        assert_int_equal(moved->items[i].line, items[i].line);
    }
    assert_int_equal(items[1].start, 2); /* the old table is as it was */
}

static void moves_variables(void **state)
{
    struct method_fixture *fixture = *state;
    uint16_t name = class_editor_utf8(&fixture->editor, TEXT("v"));
    uint16_t type = class_editor_utf8(&fixture->editor, TEXT("Lp/Sample;"));
    struct local_variable items[] = {
        {0, 5, name, type, 0}, {2, 2, name, type, 1}, {4, 0, name, type, 2}};
    struct local_variables variables = {items, 3};
    method_fixture_add(fixture, ATTRIBUTE_LOCAL_VARIABLE_TABLE)->as.local_variables = &variables;
    method_fixture_add(fixture, ATTRIBUTE_LOCAL_VARIABLE_TYPE_TABLE)->as.local_variables =
        &variables;
    open_five(fixture);
    const struct code *code = method_fixture_apply(fixture);
    static const enum attribute_kind kinds[] = {ATTRIBUTE_LOCAL_VARIABLE_TABLE,
                                                ATTRIBUTE_LOCAL_VARIABLE_TYPE_TABLE};
    for (int kind = 0; kind < 2; kind++) {
        const struct local_variables *moved =
            attributes_find(&code->attributes, kinds[kind])->as.local_variables;
        assert_int_equal(moved->items[0].start, 1);
        assert_int_equal(moved->items[0].length, 10);
        assert_int_equal(moved->items[1].start, 5);
        assert_int_equal(moved->items[1].length, 4);
        assert_int_equal(moved->items[1].index, 1);
        assert_int_equal(moved->items[2].start, 9);
        assert_int_equal(moved->items[2].length, 0);
    }
}

static void moves_handlers(void **state)
{
    struct method_fixture *fixture = *state;
    uint16_t throwable = class_editor_class(&fixture->editor, TEXT("java/lang/Throwable"));
    struct exception_handler handlers[] = {{0, 2, 3, 0}, {2, 5, 3, throwable}};
    fixture->sample.code.handlers = handlers;
    fixture->sample.code.handler_count = 2;
    fixture->sample.class_file.major = 49;
    open_five(fixture);
    const struct code *code = method_fixture_apply(fixture);
    assert_int_equal(code->handler_count, 2);
    assert_int_equal(code->handlers[0].start, 1);
    assert_int_equal(code->handlers[0].end, 5);
    assert_int_equal(code->handlers[0].handler, 7);
    assert_int_equal(code->handlers[0].catch_type, 0);
    assert_int_equal(code->handlers[1].start, 5);
    assert_int_equal(code->handlers[1].end, 11); /* the end of the body */
    assert_int_equal(code->handlers[1].catch_type, throwable);
}

/* 1 monitorenter, 2 nop, 4 monitorexit, 5 return; 6 a handler that leaves the monitor, at 8, also
   for itself; 11 a handler of somebody else. What stands behind a monitorexit must not lead to
   where the monitor is left once more. */
static void ranges_end_where_monitors_are_left(void **state)
{
    struct method_fixture *fixture = *state;
    static struct exception_handler handlers[] = {{2, 5, 6, 0}, {6, 9, 6, 0}, {0, 5, 11, 0}};
    static const uint16_t expected[][3] = {{2, 6, 8}, {8, 11, 8}, {0, 7, 14}};
    fixture->sample.code.handlers = handlers;
    fixture->sample.code.handler_count = 3;
    METHOD_OPEN(fixture, OP_ALOAD_0, OP_MONITORENTER, OP_NOP, OP_ALOAD_0, OP_MONITOREXIT, OP_RETURN,
                OP_ASTORE_1, OP_ALOAD_0, OP_MONITOREXIT, OP_ALOAD_1, OP_ATHROW, OP_POP, OP_RETURN);
    static const uint32_t monitors[] = {1, 4, 8};
    for (int i = 0; i < 3; i++)
        assert_true(method_editor_after(&fixture->edit, monitors[i], &fixture->nop));
    const struct code *code = method_fixture_apply(fixture);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(code->handlers[i].start, expected[i][0]);
        assert_int_equal(code->handlers[i].end, expected[i][1]);
        assert_int_equal(code->handlers[i].handler, expected[i][2]);
    }
}

/* Targets that name an instruction mean the instruction itself; ranges go by labels. */
static void moves_type_annotations(void **state)
{
    struct method_fixture *fixture = *state;
    struct local_target_range range = {2, 3, 1};
    struct type_annotation items[] = {
        {.target_type = 0x40, .target.local = {&range, 1}},
        {.target_type = 0x42, .target.exception_index = 1},
        {.target_type = 0x44, .target.offset = 0},
        {.target_type = 0x47, .target.argument = {3, 2}},
    };
    struct type_annotations annotations = {items, 4};
    method_fixture_add(fixture, ATTRIBUTE_RUNTIME_VISIBLE_TYPE_ANNOTATIONS)->as.type_annotations =
        &annotations;
    open_five(fixture);
    const struct code *code = method_fixture_apply(fixture);
    const struct type_annotation *moved =
        attributes_find(&code->attributes, ATTRIBUTE_RUNTIME_VISIBLE_TYPE_ANNOTATIONS)
            ->as.type_annotations->items;
    assert_int_equal(moved[0].target.local.ranges[0].start, 5);
    assert_int_equal(moved[0].target.local.ranges[0].length, 6);
    assert_int_equal(moved[0].target.local.ranges[0].index, 1);
    assert_int_equal(moved[1].target.exception_index, 1);
    assert_int_equal(moved[2].target.offset, 2);
    assert_int_equal(moved[3].target.argument.offset, 8);
    assert_int_equal(moved[3].target.argument.index, 2);
}

/* In a replacement the target is the copy of the instruction. */
static void annotations_follow_the_copy(void **state)
{
    struct method_fixture *fixture = *state;
    uint16_t type = class_editor_class(&fixture->editor, TEXT("a/B"));
    struct type_annotation item = {.target_type = 0x44, .target.offset = 1};
    struct type_annotations annotations = {&item, 1};
    method_fixture_add(fixture, ATTRIBUTE_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS)->as.type_annotations =
        &annotations;
    METHOD_OPEN(fixture, OP_NOP, OP_NEW, TWO(type), OP_POP, OP_RETURN);
    snippet_type(&fixture->snippet, OP_NEW, TEXT("c/D"));                     /* at 1 */
    snippet_add(&fixture->snippet, OP_POP);                                   /* at 4 */
    snippet_copy(&fixture->snippet, &fixture->edit.bytecode.instructions[1]); /* at 5 */
    assert_true(method_editor_replace(&fixture->edit, 1, &fixture->snippet));
    const struct code *code = method_fixture_apply(fixture);
    assert_int_equal(
        attributes_find(&code->attributes, ATTRIBUTE_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS)
            ->as.type_annotations->items[0]
            .target.offset,
        5);
}

/* The replacement of a `new` may make another object of that class first: what was said of the
   `new` goes for its copy. 0 new, 3 dup, 4 the call of <init>, 7 pop, 8 return. */
static void the_copy_is_not_what_looks_like_it(void **state)
{
    struct method_fixture *fixture = *state;
    const struct text name = TEXT("a/B");
    uint16_t type = class_editor_class(&fixture->editor, name);
    uint16_t init =
        class_editor_member(&fixture->editor, CONSTANT_METHOD, name, TEXT("<init>"), TEXT("()V"));
    struct type_annotation item = {.target_type = 0x44};
    struct type_annotations annotations = {&item, 1};
    method_fixture_add(fixture, ATTRIBUTE_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS)->as.type_annotations =
        &annotations;
    fixture->sample.code.max_stack = 2;
    METHOD_OPEN(fixture, OP_NEW, TWO(type), OP_DUP, OP_INVOKESPECIAL, TWO(init), OP_POP, OP_RETURN);
    struct snippet replacement;
    snippet_init(&replacement, &fixture->editor);
    snippet_type(&replacement, OP_NEW, name);                            /* at 0 */
    snippet_add(&replacement, OP_POP);                                   /* at 3 */
    snippet_copy(&replacement, &fixture->edit.bytecode.instructions[0]); /* at 4 */
    assert_true(method_editor_replace(&fixture->edit, 0, &replacement));
    assert_true(method_editor_after(&fixture->edit, 0, branching(fixture)));
    const struct code *code = method_fixture_apply(fixture);
    CHECK_FRAMES(code, {4 + 3 + 5, 64 + 4 + 3 + 5, "", "n"});
    assert_int_equal(method_fixture_map(code)->frames[0].stack[0].value, 4);
    assert_int_equal(
        attributes_find(&code->attributes, ATTRIBUTE_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS)
            ->as.type_annotations->items[0]
            .target.offset,
        4);
    snippet_release(&replacement);
}

/* The JVM does not check that debug tables name starts of instructions. */
static void takes_offsets_inside_instructions(void **state)
{
    struct method_fixture *fixture = *state;
    uint16_t name = class_editor_utf8(&fixture->editor, TEXT("v"));
    uint16_t type = class_editor_utf8(&fixture->editor, TEXT("I"));
    struct local_variable variable = {1, 1, name, type, 0};
    struct local_variables variables = {&variable, 1};
    struct line_number line = {1, 10};
    struct line_numbers lines = {&line, 1};
    method_fixture_add(fixture, ATTRIBUTE_LOCAL_VARIABLE_TABLE)->as.local_variables = &variables;
    method_fixture_add(fixture, ATTRIBUTE_LINE_NUMBER_TABLE)->as.line_numbers = &lines;
    METHOD_OPEN(fixture, OP_SIPUSH, TWO(1000), OP_POP, OP_RETURN);
    before_every(fixture);
    const struct code *code = method_fixture_apply(fixture);
    const struct local_variable *moved =
        attributes_find(&code->attributes, ATTRIBUTE_LOCAL_VARIABLE_TABLE)
            ->as.local_variables->items;
    assert_int_equal(moved->start, 0);
    assert_int_equal(moved->length, 4);
    assert_int_equal(attributes_find(&code->attributes, ATTRIBUTE_LINE_NUMBER_TABLE)
                         ->as.line_numbers->items[0]
                         .start,
                     0);
}

/* Unknown attributes stay, except those known to hold code offsets. */
static void drops_stale_attributes(void **state)
{
    struct method_fixture *fixture = *state;
    static const uint8_t raw[] = {1, 2, 3};
    static const char *const names[] = {"CharacterRangeTable", "org.example.Note", "CoverageTable"};
    struct attribute attributes[3];
    for (int i = 0; i < 3; i++)
        attributes[i] = (struct attribute){
            .kind = ATTRIBUTE_UNKNOWN,
            .name_index = class_editor_utf8(&fixture->editor, text_from(names[i])),
            .length = sizeof raw,
            .as.raw = raw};
    fixture->sample.code.attributes = (struct attributes){attributes, 3};
    open_five(fixture);
    const struct code *code = method_fixture_apply(fixture);
    assert_int_equal(code->attributes.count, 1);
    assert_text(class_utf8(&fixture->sample.class_file, code->attributes.items[0].name_index),
                "org.example.Note");
    assert_ptr_equal(code->attributes.items[0].as.raw, raw);
}

/* ---- frames that were there ---- */

static void set_map(struct method_fixture *fixture, struct stack_map *map)
{
    method_fixture_add(fixture, ATTRIBUTE_STACK_MAP_TABLE)->as.stack_map = map;
}

/* A frame that a short form cannot reach any more gets the extended one, JVMS 4.7.4. */
static void moves_frames(void **state)
{
    struct method_fixture *fixture = *state;
    struct verification_type integer = {VERIFICATION_INTEGER, 0};
    struct stack_map_frame frames[] = {
        {.type = 40, .offset_delta = 40},
        {.type = 64 + 3, .offset_delta = 3, .stack_count = 1, .stack = &integer}};
    struct stack_map map = {frames, 2};
    set_map(fixture, &map);
    /*  0: nop * 36, 36: iconst_0, 37: ifeq 40, 40: iconst_0, 41: goto 44, 44: pop, 45: return */
    uint8_t code[46] = {0};
    const uint8_t end[] = {OP_ICONST_0, OP_IFEQ, TWO(3), OP_ICONST_0,
                           OP_GOTO,     TWO(3),  OP_POP, OP_RETURN};
    memcpy(code + 36, end, sizeof end);
    method_fixture_open(fixture, code, sizeof code);
    before_every(fixture);
    /* 38 instructions before the first target, two more before the second. */
    CHECK_FRAMES(method_fixture_apply(fixture), {40 + 38, FRAME_SAME_EXTENDED, "", ""},
                 {44 + 40, 64 + 5, "", "I"});
    assert_int_equal(frames[0].type, 40); /* the old table is as it was */
}

/* The offset in an uninitialized type is that of the `new` itself. */
static void moves_uninitialized_types(void **state)
{
    struct method_fixture *fixture = *state;
    uint16_t type = class_editor_class(&fixture->editor, TEXT("a/B"));
    struct verification_type fresh = {VERIFICATION_UNINITIALIZED, 1};
    struct stack_map_frame frame = {
        .type = 64 + 7, .offset_delta = 7, .stack_count = 1, .stack = &fresh};
    struct stack_map map = {&frame, 1};
    set_map(fixture, &map);
    METHOD_OPEN(fixture, OP_NOP, OP_NEW, TWO(type), OP_GOTO, TWO(3), OP_POP, OP_RETURN);
    before_every(fixture);
    const struct code *code = method_fixture_apply(fixture);
    CHECK_FRAMES(code, {10, 64 + 10, "", "n"});
    assert_int_equal(method_fixture_map(code)->frames[0].stack[0].value, 3);
    assert_int_equal(fresh.value, 1);
}

/* A frame at offset 0 is that of a loop to the first instruction: it moves behind the entry. */
static void moves_the_frame_at_0(void **state)
{
    struct method_fixture *fixture = *state;
    struct stack_map_frame frame = {.type = 0};
    struct stack_map map = {&frame, 1};
    set_map(fixture, &map);
    METHOD_OPEN(fixture, OP_NOP, OP_GOTO, TWO(-1));
    assert_true(method_editor_at_entry(&fixture->edit, &fixture->nop));
    CHECK_FRAMES(method_fixture_apply(fixture), {1, 1, "", ""});
}

static void old_files_get_no_frames(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.class_file.major = 49;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN);
    assert_true(method_editor_before(&fixture->edit, 0, branching(fixture)));
    assert_true(method_editor_at_throw(&fixture->edit, branching(fixture)));
    assert_null(method_fixture_map(method_fixture_apply(fixture)));
}

static void bad_frames_are_reported(void **state)
{
    struct method_fixture *fixture = *state;
    struct stack_map_frame frame = {.type = 1, .offset_delta = 1};
    struct stack_map map = {&frame, 1};
    set_map(fixture, &map);
    METHOD_OPEN(fixture, OP_GOTO, TWO(3), OP_RETURN);
    before_every(fixture);
    method_fixture_refuse(fixture, REWRITE_FAILED, "offset 1");
}

/* ---- new frames ---- */

/* static int m(int, Object): an int on the stack and two locals at the insertion. */
static void frames_at_inserted_targets(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.method.descriptor =
        class_editor_utf8(&fixture->editor, TEXT("(ILjava/lang/Object;)I"));
    METHOD_OPEN(fixture, OP_ILOAD_0, OP_IRETURN);
    assert_true(method_editor_before(&fixture->edit, 1, branching(fixture)));
    const struct code *code = method_fixture_apply(fixture);
    CHECK_CODE(code, OP_ILOAD_0, OP_ICONST_0, OP_IFEQ, TWO(4), OP_NOP, OP_IRETURN);
    /* The same locals as at the start, one int on the stack. */
    CHECK_FRAMES(code, {6, 64 + 6, "", "I"});
}

/* The JVM checks a method of version 50 that has no branches by the rules of tables: a branch that
   is inserted needs a frame there, or the whole class goes back to the older verifier. */
static void version_50_without_table_gets_frames(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.class_file.major = 50;
    fixture->sample.method.descriptor =
        class_editor_utf8(&fixture->editor, TEXT("(ILjava/lang/Object;)I"));
    METHOD_OPEN(fixture, OP_ILOAD_0, OP_IRETURN);
    assert_true(method_editor_before(&fixture->edit, 1, branching(fixture)));
    const struct code *code = method_fixture_apply(fixture);
    CHECK_CODE(code, OP_ILOAD_0, OP_ICONST_0, OP_IFEQ, TWO(4), OP_NOP, OP_IRETURN);
    CHECK_FRAMES(code, {6, 64 + 6, "", "I"});
}

/* Code behind a return needs a frame, JVMS 4.10.1.6. Without one the older verifier has accepted
   the class, and it goes on to do so. */
static void version_50_with_dead_code_gets_no_frames(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.class_file.major = 50;
    METHOD_OPEN(fixture, OP_RETURN, OP_NOP, OP_RETURN);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(method_editor_before(&fixture->edit, i, branching(fixture)));
    assert_null(method_fixture_map(method_fixture_apply(fixture)));
}

/* A table that says that there is an int on the stack where there is none. */
static void version_50_loses_a_table_that_does_not_fit(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.class_file.major = 50;
    struct verification_type integer = {VERIFICATION_INTEGER, 0};
    struct stack_map_frame frame = {
        .type = 64 + 4, .offset_delta = 4, .stack_count = 1, .stack = &integer};
    struct stack_map map = {&frame, 1};
    set_map(fixture, &map);
    METHOD_OPEN(fixture, OP_ICONST_0, OP_IFEQ, TWO(3), OP_RETURN);
    assert_true(method_editor_before(&fixture->edit, 0, branching(fixture)));
    assert_null(method_fixture_map(method_fixture_apply(fixture)));
}

/* The end of a snippet after i is the label of i+1, where a frame may stand already. */
static void one_frame_at_one_place(void **state)
{
    struct method_fixture *fixture = *state;
    struct stack_map_frame frame = {.type = 4, .offset_delta = 4};
    struct stack_map map = {&frame, 1};
    set_map(fixture, &map);
    METHOD_OPEN(fixture, OP_ICONST_0, OP_IFEQ, TWO(3), OP_RETURN);
    assert_true(method_editor_after(&fixture->edit, 1, branching(fixture)));
    const struct code *code = method_fixture_apply(fixture);
    CHECK_CODE(code, OP_ICONST_0, OP_IFEQ, TWO(8), OP_ICONST_0, OP_IFEQ, TWO(4), OP_NOP, OP_RETURN);
    CHECK_FRAMES(code, {9, 9, "", ""});
}

/* A scratch local that is an int on one way and unset on the other is nothing where they join; in a
   loop it stays an int. */
static void joins_scratch_locals(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.code.max_locals = 0;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN);
    uint16_t scratch = method_editor_new_local(&fixture->edit, 1);
    assert_int_equal(scratch, 0);
    struct snippet *snippet = &fixture->snippet;
    snippet_label loop = snippet_new_label(snippet), end = snippet_new_label(snippet);
    snippet_add(snippet, OP_ICONST_0);          /* 0 */
    snippet_branch(snippet, OP_IFEQ, end);      /* 1 */
    snippet_push_int(snippet, 3);               /* 4 */
    snippet_local(snippet, OP_ISTORE, scratch); /* 5 */
    snippet_bind(snippet, loop);                /* 6 */
    snippet_increment(snippet, scratch, -1);    /* 6 */
    snippet_local(snippet, OP_ILOAD, scratch);  /* 9 */
    snippet_branch(snippet, OP_IFGT, loop);     /* 10 */
    snippet_bind(snippet, end);                 /* 13 */
    assert_true(method_editor_before(&fixture->edit, 0, snippet));
    const struct code *code = method_fixture_apply(fixture);
    assert_int_equal(code->max_locals, 1);
    CHECK_FRAMES(code, {6, FRAME_SAME_EXTENDED + 1, "I", ""},
                 {13, FRAME_SAME_EXTENDED - 1, "", ""});
}

/* What a backward branch tells about the start of a loop also holds inside the loop: the scratch
   local comes in as an int and around as a float, so it is nothing at both labels. */
static void backward_branches_reach_inner_labels(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.code.max_locals = 0;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN);
    uint16_t scratch = method_editor_new_local(&fixture->edit, 1);
    struct snippet *snippet = &fixture->snippet;
    snippet_label loop = snippet_new_label(snippet), inner = snippet_new_label(snippet);
    snippet_add(snippet, OP_ICONST_0);          /* 0 */
    snippet_local(snippet, OP_ISTORE, scratch); /* 1 */
    snippet_bind(snippet, loop);
    snippet_add(snippet, OP_ICONST_0);       /* 2 */
    snippet_branch(snippet, OP_IFEQ, inner); /* 3 */
    snippet_add(snippet, OP_NOP);            /* 6 */
    snippet_bind(snippet, inner);
    snippet_add(snippet, OP_FCONST_0);          /* 7 */
    snippet_local(snippet, OP_FSTORE, scratch); /* 8 */
    snippet_add(snippet, OP_ICONST_0);          /* 9 */
    snippet_branch(snippet, OP_IFNE, loop);     /* 10 */
    assert_true(method_editor_before(&fixture->edit, 0, snippet));
    CHECK_FRAMES(method_fixture_apply(fixture), {2, 2, "", ""}, {7, 4, "", ""});
}

/* An object made in a snippet, with a branch between `new` and <init>. */
static void new_in_a_snippet(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN);
    struct snippet *snippet = branching(fixture);
    snippet_clear(snippet);
    snippet_label end = snippet_new_label(snippet);
    snippet_type(snippet, OP_NEW, TEXT("java/lang/Object")); /* 0 */
    snippet_add(snippet, OP_DUP);                            /* 3 */
    snippet_add(snippet, OP_ICONST_0);                       /* 4 */
    snippet_branch(snippet, OP_IFEQ, end);                   /* 5 */
    snippet_add(snippet, OP_NOP);                            /* 8 */
    snippet_bind(snippet, end);                              /* 9 */
    snippet_call(snippet, OP_INVOKESPECIAL, TEXT("java/lang/Object"), TEXT("<init>"), TEXT("()V"),
                 false);
    snippet_add(snippet, OP_POP);
    assert_true(method_editor_before(&fixture->edit, 1, snippet));
    const struct code *code = method_fixture_apply(fixture);
    CHECK_FRAMES(code, {10, FRAME_FULL, "", "nn"});
    assert_int_equal(method_fixture_map(code)->frames[0].stack[0].value, 1);
    assert_int_equal(code->max_stack, 10 + 3);
}

/* Behind a widened conditional branch stands a frame: the goto_w jumps over it. */
static void frame_behind_widened_condition(void **state)
{
    struct method_fixture *fixture = *state;
    uint32_t length = 4 + 32764 + 1;
    uint8_t *code = calloc(1, length);
    const uint8_t start[] = {OP_ICONST_0, OP_IFEQ, TWO(32767)};
    memcpy(code, start, sizeof start);
    code[length - 1] = OP_RETURN;
    struct stack_map_frame frame = {.type = FRAME_SAME_EXTENDED, .offset_delta = 32768};
    struct stack_map map = {&frame, 1};
    set_map(fixture, &map);
    method_fixture_open(fixture, code, length);
    assert_true(method_editor_before(&fixture->edit, 2, &fixture->nop));
    const struct code *result = method_fixture_apply(fixture);
    assert_int_equal(result->bytes[1], OP_IFNE);
    assert_int_equal(result->bytes[4], OP_GOTO_W);
    CHECK_FRAMES(result, {9, 9, "", ""}, {32768 + 6, FRAME_SAME_EXTENDED, "", ""});
    free(code);
}

/* What follows a snippet that does not fall through is reached no more: only a frame makes it
   acceptable. */
static void frame_behind_a_dead_end(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN);
    snippet_add(&fixture->snippet, OP_ACONST_NULL);
    snippet_add(&fixture->snippet, OP_ATHROW);
    assert_true(method_editor_replace(&fixture->edit, 0, &fixture->snippet));
    const struct code *code = method_fixture_apply(fixture);
    CHECK_CODE(code, OP_ACONST_NULL, OP_ATHROW, OP_RETURN);
    CHECK_FRAMES(code, {2, 2, "", ""});
}

/* ---- kept locals ---- */

static void kept_locals_are_in_every_frame(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.code.max_locals = 1;
    struct stack_map_frame frame = {.type = 4, .offset_delta = 4};
    struct stack_map map = {&frame, 1};
    set_map(fixture, &map);
    METHOD_OPEN(fixture, OP_ICONST_0, OP_IFEQ, TWO(3), OP_RETURN);
    uint16_t number = method_editor_new_kept_local(&fixture->edit, TEXT("J"));
    uint16_t text = method_editor_new_kept_local(&fixture->edit, TEXT("Ljava/lang/String;"));
    assert_int_equal(number, 1);
    assert_int_equal(text, 3);
    struct snippet *snippet = &fixture->snippet;
    snippet_push_long(snippet, 1);             /* 0 */
    snippet_local(snippet, OP_LSTORE, number); /* 1 */
    snippet_add(snippet, OP_ACONST_NULL);      /* 2 */
    snippet_local(snippet, OP_ASTORE, text);   /* 3: label 0 is 4 */
    assert_true(method_editor_at_entry(&fixture->edit, snippet));
    snippet_clear(snippet);
    snippet_local(snippet, OP_ALOAD, text);
    snippet_add(snippet, OP_POP);
    assert_true(method_editor_at_throw(&fixture->edit, snippet));
    const struct code *code = method_fixture_apply(fixture);
    assert_int_equal(code->max_locals, 4);
    assert_int_equal(code->length, 4 + 5 + 3);
    CHECK_FRAMES(code, {8, FRAME_SAME_EXTENDED + 3, "TLO", ""}, {9, 64, "", "O"});
}

static void kept_locals_must_be_set(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_RETURN);
    method_editor_new_kept_local(&fixture->edit, TEXT("I"));
    assert_true(method_editor_at_entry(&fixture->edit, &fixture->nop));
    method_fixture_refuse(fixture, REWRITE_FAILED, "kept local 10");
}

/* ---- exceptional exits ---- */

/* The return and its snippets are not covered; `this` can be used in the handler. */
static void covers_the_body(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.method.access = 0;
    METHOD_OPEN(fixture, OP_ICONST_0, OP_POP, OP_RETURN, OP_NOP, OP_RETURN);
    fixture->sample.class_file.major = 49; /* dead code without a frame */
    assert_true(method_editor_at_entry(&fixture->edit, &fixture->nop));
    assert_true(method_editor_at_return(&fixture->edit, &fixture->nop));
    assert_true(method_editor_at_throw(&fixture->edit, &fixture->nop));
    const struct code *code = method_fixture_apply(fixture);
    CHECK_CODE(code, OP_NOP, OP_ICONST_0, OP_POP, OP_NOP, OP_RETURN, OP_NOP, OP_NOP, OP_RETURN,
               OP_NOP, OP_ATHROW);
    assert_int_equal(code->handler_count, 2);
    static const uint16_t expected[2][2] = {{1, 3}, {5, 6}};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(code->handlers[i].start, expected[i][0]);
        assert_int_equal(code->handlers[i].end, expected[i][1]);
        assert_int_equal(code->handlers[i].handler, 8);
        assert_int_equal(code->handlers[i].catch_type, 0);
    }
}

/* Handlers that were there come first. */
static void comes_last_in_the_table(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.method.access = 0;
    struct verification_type this = {VERIFICATION_OBJECT, fixture->sample.class_file.this_class};
    struct verification_type thrown = {
        VERIFICATION_OBJECT, class_editor_class(&fixture->editor, TEXT("java/lang/Error"))};
    struct stack_map_frame frame = {.type = FRAME_FULL,
                                    .offset_delta = 2,
                                    .local_count = 1,
                                    .locals = &this,
                                    .stack_count = 1,
                                    .stack = &thrown};
    struct stack_map map = {&frame, 1};
    set_map(fixture, &map);
    struct exception_handler handler = {0, 1, 2, thrown.value};
    fixture->sample.code.handlers = &handler;
    fixture->sample.code.handler_count = 1;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN, OP_ATHROW);
    assert_true(method_editor_at_throw(&fixture->edit, &fixture->nop));
    const struct code *code = method_fixture_apply(fixture);
    assert_int_equal(code->handler_count, 3);
    assert_int_equal(code->handlers[0].catch_type, thrown.value);
    assert_int_equal(code->handlers[1].end, 1);
    assert_int_equal(code->handlers[2].start, 2);
    assert_int_equal(code->handlers[2].end, 3);
    assert_int_equal(code->handlers[2].handler, 3);
    CHECK_FRAMES(code, {2, FRAME_FULL, "O", "O"}, {3, FRAME_FULL, "O", "O"});
}

/* ---- detours ---- */

/* 0 nop, 1 return, 2 athrow: a handler for the first, and for itself. */
static void open_with_handler(struct method_fixture *fixture, uint16_t catch_type)
{
    static struct verification_type this, thrown;
    static struct stack_map_frame frame;
    static struct stack_map map;
    static struct exception_handler handlers[2];
    this = (struct verification_type){VERIFICATION_OBJECT, fixture->sample.class_file.this_class};
    thrown = (struct verification_type){
        VERIFICATION_OBJECT, class_editor_class(&fixture->editor, TEXT("java/lang/Throwable"))};
    frame = (struct stack_map_frame){.type = FRAME_FULL,
                                     .offset_delta = 2,
                                     .local_count = 1,
                                     .locals = &this,
                                     .stack_count = 1,
                                     .stack = &thrown};
    map = (struct stack_map){&frame, 1};
    set_map(fixture, &map);
    handlers[0] = (struct exception_handler){0, 1, 2, catch_type};
    handlers[1] = (struct exception_handler){2, 3, 2, catch_type};
    fixture->sample.method.access = 0;
    fixture->sample.code.handlers = handlers;
    fixture->sample.code.handler_count = 2;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN, OP_ATHROW);
}

/* What is thrown goes through the detour and from there, as what the detour itself throws, to the
   handler; but not from the handler to the detour. */
static void a_detour(void **state)
{
    struct method_fixture *fixture = *state;
    open_with_handler(fixture, 0);
    assert_true(method_editor_at_handler(&fixture->edit, 2, &fixture->nop));
    const struct code *code = method_fixture_apply(fixture);
    CHECK_CODE(code, OP_NOP, OP_RETURN, OP_ATHROW, OP_NOP, OP_ATHROW);
    static const uint16_t expected[3][3] = {{0, 1, 3}, {2, 3, 2}, {3, 5, 2}};
    assert_int_equal(code->handler_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(code->handlers[i].start, expected[i][0]);
        assert_int_equal(code->handlers[i].end, expected[i][1]);
        assert_int_equal(code->handlers[i].handler, expected[i][2]);
        assert_int_equal(code->handlers[i].catch_type, 0);
    }
    CHECK_FRAMES(code, {2, 64 + 2, "", "O"}, {3, 64, "", "O"});
}

/* Where a block never ends normally, compilers write one range for it and for its handler. */
static void a_detour_in_one_range(void **state)
{
    struct method_fixture *fixture = *state;
    open_with_handler(fixture, 0);
    static struct exception_handler both = {0, 3, 2, 0};
    fixture->sample.code.handlers = &both;
    fixture->sample.code.handler_count = 1;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN, OP_ATHROW);
    assert_true(method_editor_at_handler(&fixture->edit, 2, &fixture->nop));
    const struct code *code = method_fixture_apply(fixture);
    static const uint16_t expected[3][3] = {{0, 2, 3}, {2, 3, 2}, {3, 5, 2}};
    assert_int_equal(code->handler_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(code->handlers[i].start, expected[i][0]);
        assert_int_equal(code->handlers[i].end, expected[i][1]);
        assert_int_equal(code->handlers[i].handler, expected[i][2]);
    }
}

/* Type annotations of exception parameters name entries of the exception table, which such a range
   makes longer. */
static void annotations_follow_their_handlers(void **state)
{
    struct method_fixture *fixture = *state;
    open_with_handler(fixture, 0);
    static struct exception_handler handlers[] = {{0, 3, 2, 0}, {0, 1, 2, 0}};
    fixture->sample.code.handlers = handlers;
    fixture->sample.code.handler_count = 2;
    struct type_annotation items[] = {{.target_type = 0x42, .target.exception_index = 0},
                                      {.target_type = 0x42, .target.exception_index = 1}};
    struct type_annotations annotations = {items, 2};
    method_fixture_add(fixture, ATTRIBUTE_RUNTIME_VISIBLE_TYPE_ANNOTATIONS)->as.type_annotations =
        &annotations;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN, OP_ATHROW);
    assert_true(method_editor_at_handler(&fixture->edit, 2, &fixture->nop));
    const struct code *code = method_fixture_apply(fixture);
    const struct type_annotation *moved =
        attributes_find(&code->attributes, ATTRIBUTE_RUNTIME_VISIBLE_TYPE_ANNOTATIONS)
            ->as.type_annotations->items;
    assert_int_equal(moved[0].target.exception_index, 0);
    assert_int_equal(moved[1].target.exception_index, 2);
    assert_int_equal(code->handlers[2].end, 1); /* what was the second entry */
}

/* Exceptional exits cover the handler, as before, and stand before the detours. */
static void a_detour_and_an_exit(void **state)
{
    struct method_fixture *fixture = *state;
    open_with_handler(fixture, 0);
    assert_true(method_editor_at_handler(&fixture->edit, 2, &fixture->nop));
    assert_true(method_editor_at_throw(&fixture->edit, &fixture->nop));
    const struct code *code = method_fixture_apply(fixture);
    CHECK_CODE(code, OP_NOP, OP_RETURN, OP_ATHROW, OP_NOP, OP_ATHROW, OP_NOP, OP_ATHROW);
    const struct exception_handler *last = &code->handlers[code->handler_count - 1];
    assert_int_equal(code->handlers[0].handler, 5);
    assert_int_equal(last->start, 5);
    assert_int_equal(last->end, 7);
    assert_int_equal(last->handler, 2);
    CHECK_FRAMES(code, {2, 64 + 2, "", "O"}, {3, 64, "", "O"}, {5, 64 + 1, "", "O"});
}

static void detours_to_nowhere(void **state)
{
    struct method_fixture *fixture = *state;
    open_with_handler(fixture, 0);
    assert_false(method_editor_at_handler(&fixture->edit, 1, &fixture->nop));
    method_fixture_refuse(fixture, REWRITE_FAILED, "begins no handler");
}

static void detours_must_catch_everything(void **state)
{
    struct method_fixture *fixture = *state;
    open_with_handler(fixture, class_editor_class(&fixture->editor, TEXT("java/lang/Throwable")));
    assert_false(method_editor_at_handler(&fixture->edit, 2, &fixture->nop));
    method_fixture_refuse(fixture, REWRITE_FAILED, "does not catch everything");
}

static void this_that_is_overwritten_is_not_offered(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.method.access = 0;
    METHOD_OPEN(fixture, OP_ACONST_NULL, OP_ASTORE_0, OP_RETURN);
    assert_true(method_editor_at_throw(&fixture->edit, &fixture->nop));
    CHECK_FRAMES(method_fixture_apply(fixture), {3, FRAME_FULL, "", "O"});
}

/* 0 aload_0, 1 the call, 4 nop, 5 return. Before the call `this` is uninitialized; the call itself
   cannot be covered. */
static void constructors_have_two_handlers(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.method.access = 0;
    fixture->sample.method.name = class_editor_utf8(&fixture->editor, TEXT("<init>"));
    uint16_t call = class_editor_member(&fixture->editor, CONSTANT_METHOD, TEXT("java/lang/Object"),
                                        TEXT("<init>"), TEXT("()V"));
    METHOD_OPEN(fixture, OP_ALOAD_0, OP_INVOKESPECIAL, TWO(call), OP_NOP, OP_RETURN);
    assert_true(method_editor_after(&fixture->edit, 1, &fixture->nop));
    assert_true(method_editor_at_throw(&fixture->edit, &fixture->nop));
    const struct code *code = method_fixture_apply(fixture);
    assert_int_equal(code->length, 6 + 1 + 2 + 2);
    assert_int_equal(code->handler_count, 2);
    assert_int_equal(code->handlers[0].start, 0);
    assert_int_equal(code->handlers[0].end, 1);
    assert_int_equal(code->handlers[0].handler, 9);
    assert_int_equal(code->handlers[1].start, 4);
    assert_int_equal(code->handlers[1].end, 6);
    assert_int_equal(code->handlers[1].handler, 7);
    CHECK_FRAMES(code, {7, FRAME_FULL, "O", "O"}, {9, FRAME_FULL, "U", "O"});
}

/* super() on two ways, so that the types decide: JVMS allows it, javac does not write it.
    0 iload_1, 1 ifeq 11, 4 aload_0, 5 super, 8 goto 15, 11 aload_0, 12 super, 15 return */
static void constructor_calls_on_two_ways(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.method.access = 0;
    fixture->sample.method.name = class_editor_utf8(&fixture->editor, TEXT("<init>"));
    fixture->sample.method.descriptor = class_editor_utf8(&fixture->editor, TEXT("(I)V"));
    uint16_t call = class_editor_member(&fixture->editor, CONSTANT_METHOD, TEXT("java/lang/Object"),
                                        TEXT("<init>"), TEXT("()V"));
    struct verification_type this = {VERIFICATION_OBJECT, fixture->sample.class_file.this_class};
    struct verification_type locals[] = {this, {VERIFICATION_INTEGER, 0}};
    struct stack_map_frame frames[] = {
        {.type = 11, .offset_delta = 11},
        {.type = FRAME_FULL, .offset_delta = 3, .local_count = 2, .locals = locals}};
    struct stack_map map = {frames, 2};
    set_map(fixture, &map);
    METHOD_OPEN(fixture, OP_ILOAD_1, OP_IFEQ, TWO(10), OP_ALOAD_0, OP_INVOKESPECIAL, TWO(call),
                OP_GOTO, TWO(7), OP_ALOAD_0, OP_INVOKESPECIAL, TWO(call), OP_RETURN);
    assert_true(method_editor_at_throw(&fixture->edit, &fixture->snippet));
    const struct code *code = method_fixture_apply(fixture);
    static const uint16_t expected[3][3] = {{0, 5, 17}, {8, 11, 16}, {11, 12, 17}};
    assert_int_equal(code->handler_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(code->handlers[i].start, expected[i][0]);
        assert_int_equal(code->handlers[i].end, expected[i][1]);
        assert_int_equal(code->handlers[i].handler, expected[i][2]);
    }
    CHECK_FRAMES(code, {11, 11, "", ""}, {15, FRAME_FULL, "OI", ""}, {16, FRAME_FULL, "O", "O"},
                 {17, FRAME_FULL, "U", "O"});
}

/* Behind super() stands a handler for what comes before it, where `this` is still uninitialized.
   0 nop, 1 aload_0, 2 super, 5 return, 6 athrow. */
static void a_handler_for_what_comes_before_super(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.method.access = 0;
    fixture->sample.method.name = class_editor_utf8(&fixture->editor, TEXT("<init>"));
    uint16_t call = class_editor_member(&fixture->editor, CONSTANT_METHOD, TEXT("java/lang/Object"),
                                        TEXT("<init>"), TEXT("()V"));
    struct verification_type this = {VERIFICATION_UNINITIALIZED_THIS, 0};
    struct verification_type thrown = {
        VERIFICATION_OBJECT, class_editor_class(&fixture->editor, TEXT("java/lang/Error"))};
    struct stack_map_frame frame = {.type = FRAME_FULL,
                                    .offset_delta = 6,
                                    .local_count = 1,
                                    .locals = &this,
                                    .stack_count = 1,
                                    .stack = &thrown};
    struct stack_map map = {&frame, 1};
    set_map(fixture, &map);
    struct exception_handler handler = {0, 1, 6, thrown.value};
    fixture->sample.code.handlers = &handler;
    fixture->sample.code.handler_count = 1;
    METHOD_OPEN(fixture, OP_NOP, OP_ALOAD_0, OP_INVOKESPECIAL, TWO(call), OP_RETURN, OP_ATHROW);
    assert_true(method_editor_at_throw(&fixture->edit, &fixture->nop));
    const struct code *code = method_fixture_apply(fixture);
    static const uint16_t expected[2][3] = {{0, 2, 7}, {6, 7, 7}};
    assert_int_equal(code->handler_count, 3);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(code->handlers[1 + i].start, expected[i][0]);
        assert_int_equal(code->handlers[1 + i].end, expected[i][1]);
        assert_int_equal(code->handlers[1 + i].handler, expected[i][2]);
    }
    CHECK_FRAMES(code, {6, FRAME_FULL, "U", "O"}, {7, FRAME_FULL, "U", "O"});
}

/* ---- memory ---- */

static bool rewrite_richly(void *context)
{
    (void)context;
    struct method_fixture fixture;
    method_fixture_start(&fixture, 61);
    fixture.sample.code.max_locals = 5000; /* more than a chunk of an arena for each frame */
    struct line_number line = {0, 1};
    struct line_numbers lines = {&line, 1};
    struct stack_map_frame frame = {.type = 4, .offset_delta = 4};
    struct stack_map map = {&frame, 1};
    struct attribute *attribute = class_editor_add_attribute(
        &fixture.editor, &fixture.sample.code.attributes, ATTRIBUTE_STACK_MAP_TABLE);
    if (attribute)
        attribute->as.stack_map = &map;
    attribute = class_editor_add_attribute(&fixture.editor, &fixture.sample.code.attributes,
                                           ATTRIBUTE_LINE_NUMBER_TABLE);
    if (attribute)
        attribute->as.line_numbers = &lines;
    static const uint8_t bytes[] = {OP_ICONST_0, OP_IFEQ, TWO(3), OP_RETURN};
    sample_set_code(&fixture.sample, bytes, sizeof bytes);
    bool good = method_editor_init(&fixture.edit, &fixture.editor, &fixture.sample.method,
                                   &fixture.scratch, NULL, &fixture.problem);
    if (good) {
        uint16_t kept = method_editor_new_kept_local(&fixture.edit, TEXT("I"));
        struct snippet *snippet = branching(&fixture);
        snippet_push_int(snippet, 0);
        snippet_local(snippet, OP_ISTORE, kept);
        method_editor_at_entry(&fixture.edit, snippet);
        for (uint32_t i = 3; i-- > 0;)
            method_editor_before(&fixture.edit, i, branching(&fixture));
        method_editor_at_throw(&fixture.edit, snippet);
        const struct code before = fixture.sample.code;
        good = method_editor_apply(&fixture.edit, &fixture.problem) == REWRITE_DONE;
        if (!good)
            assert_memory_equal(&before, &fixture.sample.code, sizeof before);
    }
    if (!good)
        assert_true(fixture.problem.set);
    good = good && !fixture.nop.failed; /* made by the fixture, not used here */
    method_fixture_end(&fixture);
    return good;
}

static void survives_lack_of_memory(void **state)
{
    (void)state;
    assert_true(support_fail_each_request(rewrite_richly, NULL) > 15);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(snippets_in_one_variable),
        TEST(moves_line_numbers),
        TEST(moves_variables),
        TEST(moves_handlers),
        TEST(ranges_end_where_monitors_are_left),
        TEST(moves_type_annotations),
        TEST(annotations_follow_the_copy),
        TEST(the_copy_is_not_what_looks_like_it),
        TEST(takes_offsets_inside_instructions),
        TEST(drops_stale_attributes),
        TEST(moves_frames),
        TEST(moves_uninitialized_types),
        TEST(moves_the_frame_at_0),
        TEST(old_files_get_no_frames),
        TEST(bad_frames_are_reported),
        TEST(frames_at_inserted_targets),
        TEST(version_50_without_table_gets_frames),
        TEST(version_50_with_dead_code_gets_no_frames),
        TEST(version_50_loses_a_table_that_does_not_fit),
        TEST(one_frame_at_one_place),
        TEST(joins_scratch_locals),
        TEST(backward_branches_reach_inner_labels),
        TEST(new_in_a_snippet),
        TEST(frame_behind_widened_condition),
        TEST(frame_behind_a_dead_end),
        TEST(kept_locals_are_in_every_frame),
        TEST(kept_locals_must_be_set),
        TEST(covers_the_body),
        TEST(comes_last_in_the_table),
        TEST(a_detour),
        TEST(a_detour_in_one_range),
        TEST(annotations_follow_their_handlers),
        TEST(a_detour_and_an_exit),
        TEST(detours_to_nowhere),
        TEST(detours_must_catch_everything),
        TEST(this_that_is_overwritten_is_not_offered),
        TEST(constructors_have_two_handlers),
        TEST(constructor_calls_on_two_ways),
        TEST(a_handler_for_what_comes_before_super),
        cmocka_unit_test(survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
