/*
 * frames_agree [--exact] [--classpath PLACE...] [--check] PLACE...: compares the frames that data
 * flow computes, before every instruction, with what the compiler has left in the class: the
 * StackMapTable, and the types of local variables in LocalVariableTables (which old files have too,
 * also for methods with subroutines).
 *
 * A compiler's StackMapTable says what it needs to be known, not all that is known: where it names
 * a class, data flow may know a subclass or that the value is null; where it says nothing (top),
 * data flow may know something. Everything else must be equal. What is assignable to what is
 * decided as the JVM's verifier does it: an interface takes any object. With --exact only equal
 * types agree.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "known_classes.h"
#include "tools.h"

struct check {
    struct known_classes known;
    struct type_hierarchy hierarchy;
    struct diagnostics diagnostics;
    struct arena class_arena, method_arena;
    uint64_t classes, methods, instructions, dead, places[5]; /* by enum agreement */
    uint64_t without_table, variables, variable_places, failures;

    bool exact; /* the StackMapTables were made from data flow: they must say the same */

    /* the method in work */
    const struct class_file *class_file;
    const struct member *method;
    const struct bytecode *bytecode;
    struct type_table *table;
    struct frame *declared; /* by instruction, from the table */
};

static void report(struct check *check, uint32_t instruction, const char *what)
{
    const struct text class = class_this_name(check->class_file);
    const struct text name = class_utf8(check->class_file, check->method->name);
    const struct text descriptor = class_utf8(check->class_file, check->method->descriptor);
    if (++check->failures <= 50)
        printf("DISAGREE %.*s.%.*s%.*s at %u: %s\n", TEXT_ARGUMENTS(class), TEXT_ARGUMENTS(name),
               TEXT_ARGUMENTS(descriptor), bytecode_offset(check->bytecode, instruction), what);
}

/* ---- assignability ---- */

enum answer { NO, YES, UNKNOWN };

static struct text element_of(struct text array)
{
    const struct text element = text_slice(array, 1, array.length);
    if (element.length > 0 && element.bytes[0] == 'L')
        return text_slice(element, 1, element.length - 1);
    return element;
}

static bool is_array(struct text name)
{
    return name.length > 0 && name.bytes[0] == '[';
}

static bool has_primitive_elements(struct text array)
{
    return array.length == 2;
}

static enum answer assignable(struct known_classes *known, struct text from, struct text to)
{
    for (;;) {
        if (text_equal(from, to) || text_is(to, "java/lang/Object"))
            return YES;
        if (!is_array(from) || !is_array(to))
            break;
        if (has_primitive_elements(from) || has_primitive_elements(to))
            return NO;
        from = element_of(from);
        to = element_of(to);
    }
    if (is_array(to))
        return NO;
    const struct known_class *target = known_classes_find(known, to);
    if (!target || !target->found)
        return UNKNOWN;
    if (target->interface)
        return YES;
    if (is_array(from))
        return NO;
    if (known_classes_extends(known, from, to))
        return YES;
    for (; from.length > 0; from = known_classes_super(known, from)) {
        const struct known_class *class = known_classes_find(known, from);
        if (!class || !class->found)
            return UNKNOWN;
    }
    return NO;
}

/* ---- comparing ---- */

static bool collect(void *context, uint32_t instruction, const struct frame *frame)
{
    struct check *check = context;
    struct frame *copy = &check->declared[instruction];
    *copy = *frame;
    if (!frame->reached)
        return true;
    copy->locals = arena_copy(&check->method_arena, frame->locals,
                              frame->local_count * sizeof *frame->locals, alignof(frame_type));
    copy->stack = arena_copy(&check->method_arena, frame->stack,
                             frame->stack_count * sizeof *frame->stack, alignof(frame_type));
    return copy->locals && copy->stack;
}

enum agreement { EQUAL, NARROWER, MORE, UNDECIDED, DIFFERENT };

static enum agreement agreement(struct check *check, frame_type declared, frame_type computed)
{
    if (declared == computed)
        return EQUAL;
    if (declared == FRAME_TOP)
        return MORE;
    if (frame_type_tag(declared) != VERIFICATION_OBJECT)
        return DIFFERENT;
    if (computed == FRAME_NULL)
        return NARROWER;
    if (frame_type_tag(computed) != VERIFICATION_OBJECT)
        return DIFFERENT;
    switch (assignable(&check->known, type_table_name(check->table, computed),
                       type_table_name(check->table, declared))) {
    case YES:
        return NARROWER;
    case UNKNOWN:
        return UNDECIDED;
    default:
        return DIFFERENT;
    }
}

static void report_types(struct check *check, uint32_t instruction, const char *where,
                         unsigned number, frame_type declared, frame_type computed)
{
    struct builder builder;
    builder_init(&builder);
    builder_add_format(&builder, "%s %u is declared ", where, number);
    type_table_print(check->table, check->bytecode, declared, &builder);
    builder_add_string(&builder, " but computed ");
    type_table_print(check->table, check->bytecode, computed, &builder);
    report(check, instruction, builder_string(&builder));
    builder_release(&builder);
}

static void compare_places(struct check *check, uint32_t instruction, const char *where,
                           const frame_type *declared, const frame_type *computed, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        enum agreement found = agreement(check, declared[i], computed[i]);
        if (check->exact && found != EQUAL)
            found = DIFFERENT;
        check->places[found]++;
        if (found == DIFFERENT)
            report_types(check, instruction, where, i, declared[i], computed[i]);
    }
}

static bool compare(void *context, uint32_t instruction, const struct frame *computed)
{
    struct check *check = context;
    const struct frame *declared = &check->declared[instruction];
    check->instructions++;
    if (!computed->reached) {
        check->dead++;
        return true;
    }
    if (!declared->reached) {
        report(check, instruction, "reached by data flow but not declared");
        return true;
    }
    if (declared->stack_count != computed->stack_count) {
        report(check, instruction, "the stack depths differ");
        return true;
    }
    compare_places(check, instruction, "stack", declared->stack, computed->stack,
                   declared->stack_count);
    compare_places(check, instruction, "local", declared->locals, computed->locals,
                   declared->local_count);
    return true;
}

/* ---- local variables ---- */

struct scope_check {
    struct check *check;
    const struct local_variables *variables;
};

/* Variables are few and instructions many: a plain search is fast enough for a test. */
static bool compare_variables(void *context, uint32_t instruction, const struct frame *computed)
{
    const struct scope_check *scope = context;
    struct check *check = scope->check;
    const uint32_t offset = bytecode_offset(check->bytecode, instruction);
    for (unsigned i = 0; computed->reached && i < scope->variables->count; i++) {
        const struct local_variable *variable = &scope->variables->items[i];
        if (offset < variable->start || offset - variable->start >= variable->length)
            continue;
        const struct text descriptor = class_utf8(check->class_file, variable->descriptor);
        const frame_type declared = type_table_descriptor(check->table, descriptor);
        const frame_type found = computed->locals[variable->index];
        check->variable_places++;
        /* A constructor's `this` is what it is. */
        if (found == FRAME_UNINITIALIZED_THIS && variable->index == 0)
            continue;
        if (agreement(check, declared, found) == DIFFERENT)
            report_types(check, instruction, "variable", variable->index, declared, found);
    }
    return true;
}

static void check_variables(struct check *check, const struct frames *frames)
{
    struct problem problem;
    problem_clear(&problem);
    const struct attributes *attributes = &check->bytecode->code->attributes;
    for (unsigned i = 0; i < attributes->count; i++) {
        if (attributes->items[i].kind != ATTRIBUTE_LOCAL_VARIABLE_TABLE)
            continue;
        struct scope_check scope = {check, attributes->items[i].as.local_variables};
        check->variables += scope.variables->count;
        if (!frames_walk(frames, &check->method_arena, compare_variables, &scope, &problem))
            report(check, 0, problem.reason);
    }
}

/* ---- methods and classes ---- */

static void check_table(struct check *check, const struct flow *flow,
                        const struct frames *from_flow)
{
    struct arena *arena = &check->method_arena;
    struct frames from_table;
    struct problem problem;
    problem_clear(&problem);
    check->methods++;
    if (!frames_compute(&from_table, arena, flow, check->table, FRAMES_FROM_STACK_MAP, &problem)) {
        report(check, 0, problem.reason);
        return;
    }
    if (from_table.source != FRAMES_FROM_STACK_MAP) {
        report(check, 0, "the StackMapTable was not used");
        return;
    }
    check->declared = ARENA_ARRAY(arena, struct frame, check->bytecode->count);
    if (!check->declared || !frames_walk(&from_table, arena, collect, check, &problem) ||
        !frames_walk(from_flow, arena, compare, check, &problem))
        report(check, 0, problem.set ? problem.reason : "out of memory");
}

static void check_method(struct check *check, const struct code *code)
{
    struct arena *arena = &check->method_arena;
    struct bytecode bytecode;
    struct flow flow;
    struct frames frames;
    struct problem problem;
    problem_clear(&problem);
    check->bytecode = &bytecode;
    if (!bytecode_decode(&bytecode, arena, check->class_file, check->method, &problem) ||
        !flow_build(&flow, arena, &bytecode) ||
        !frames_compute(&frames, arena, &flow, check->table, FRAMES_FROM_DATA_FLOW, &problem)) {
        report(check, 0, problem.reason);
        return;
    }
    if (attributes_find(&code->attributes, ATTRIBUTE_STACK_MAP_TABLE))
        check_table(check, &flow, &frames);
    else
        check->without_table++;
    check_variables(check, &frames);
}

static void check_class(void *context, const struct input_class *input)
{
    struct check *check = context;
    struct problem problem;
    struct type_table table;
    problem_clear(&problem);
    arena_clear(&check->class_arena);
    check->class_file = class_read(&check->class_arena, input->bytes, input->size, &problem);
    if (!check->class_file) {
        diagnostics_problem(&check->diagnostics, DIAGNOSTICS_ERROR, input->path, &problem);
        return;
    }
    check->classes++;
    check->table = &table;
    if (!type_table_init(&table, &check->class_arena, &check->hierarchy))
        exit(3);
    for (unsigned i = 0; i < check->class_file->method_count; i++) {
        check->method = &check->class_file->methods[i];
        const struct code *code = member_code(check->method);
        if (!code)
            continue;
        arena_clear(&check->method_arena);
        check_method(check, code);
    }
    type_table_release(&table);
}

/* ---- the command ---- */

static void print_summary(const struct check *check)
{
    uint64_t places = 0;
    for (unsigned i = 0; i <= DIFFERENT; i++)
        places += check->places[i];
    printf("%" PRIu64 " classes, %" PRIu64 " methods with a StackMapTable (%" PRIu64
           " without), %" PRIu64 " instructions (%" PRIu64 " dead), %" PRIu64 " places:\n",
           check->classes, check->methods, check->without_table, check->instructions, check->dead,
           places);
    printf("  %" PRIu64 " equal, %" PRIu64 " narrower by data flow, %" PRIu64
           " known by data flow only, %" PRIu64 " undecided because a class is missing\n",
           check->places[EQUAL], check->places[NARROWER], check->places[MORE],
           check->places[UNDECIDED]);
    printf("%" PRIu64 " local variables, compared at %" PRIu64
           " instructions; disagreements: %" PRIu64 "\n",
           check->variables, check->variable_places, check->failures);
}

int tool_frames_agree(int count, char **arguments)
{
    static struct check check;
    diagnostics_init(&check.diagnostics, stderr, DIAGNOSTICS_COLOR_NEVER);
    known_classes_init(&check.known);
    check.hierarchy = (struct type_hierarchy){&check.known, known_classes_common};
    arena_init(&check.class_arena);
    arena_init(&check.method_arena);
    const struct input_options options = {0};
    bool classpath = false;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--classpath") == 0)
            classpath = true;
        else if (strcmp(arguments[i], "--check") == 0)
            classpath = false;
        else if (strcmp(arguments[i], "--exact") == 0)
            check.exact = true;
        else if (classpath)
            known_classes_add_root(&check.known, arguments[i], &check.diagnostics);
        else if (!input_walk(arguments[i], &options, &check.diagnostics, check_class, &check))
            return 2;
    }
    print_summary(&check);
    const bool fine = check.classes > 0 && check.failures == 0 && check.diagnostics.errors == 0;
    known_classes_release(&check.known);
    arena_release(&check.class_arena);
    arena_release(&check.method_arena);
    diagnostics_release(&check.diagnostics);
    return fine ? 0 : 1;
}
