#include "base/problem.h"
#include "bytecode/dump_internal.h"
#include "bytecode/flow.h"
#include "bytecode/frames.h"

/* Wide enough for the offsets of most methods; longer numbers just stand out. */
enum { OFFSET_WIDTH = 5 };

/* In a row, shown one by one: what compilers make has less. */
enum { MOST_TOPS = 64 };

/* Which lines of source start at which offset: a list for each offset. */
struct line_index {
    uint32_t *first; /* by code offset: number in `items`, plus one */
    uint32_t *next;
    const struct line_number **items;
};

struct code_dump {
    struct dump *dump;
    const struct bytecode *bytecode;
    struct line_index lines;
    bool have_lines;
    uint32_t shown; /* instructions so far */
};

/* ---- instructions ---- */

static const char *array_type_name(uint16_t type)
{
    static const char *const names[] = {"boolean", "char",  "float", "double",
                                        "byte",    "short", "int",   "long"};
    return type >= 4 && type <= 11 ? names[type - 4] : "?";
}

static void dump_resolved(struct dump *dump, uint16_t index)
{
    builder_add_string(dump->builder, "  ");
    dump_constant(dump, index);
}

static void dump_operands(struct dump *dump, const struct bytecode *bytecode,
                          const struct instruction *instruction)
{
    struct builder *builder = dump->builder;
    switch ((enum operands)opcode_infos[instruction->opcode].operands) {
    case OPERANDS_NONE:
    case OPERANDS_WIDE:
        break;
    case OPERANDS_BYTE:
    case OPERANDS_SHORT:
        builder_add_format(builder, " %d", instruction->immediate);
        break;
    case OPERANDS_LOCAL:
        builder_add_format(builder, " %u", instruction->operand);
        break;
    case OPERANDS_INCREMENT:
        builder_add_format(builder, " %u, %d", instruction->operand, instruction->immediate);
        break;
    case OPERANDS_CONSTANT_NARROW:
    case OPERANDS_CONSTANT_WIDE:
    case OPERANDS_CONSTANT_DOUBLE:
    case OPERANDS_FIELD:
    case OPERANDS_METHOD:
    case OPERANDS_DYNAMIC:
    case OPERANDS_CLASS:
        builder_add_format(builder, " #%u", instruction->operand);
        dump_resolved(dump, instruction->operand);
        break;
    case OPERANDS_INTERFACE_METHOD:
    case OPERANDS_DIMENSIONS:
        builder_add_format(builder, " #%u, %d", instruction->operand, instruction->immediate);
        dump_resolved(dump, instruction->operand);
        break;
    case OPERANDS_ARRAY_TYPE:
        builder_add_format(builder, " %s", array_type_name(instruction->operand));
        break;
    case OPERANDS_BRANCH:
    case OPERANDS_BRANCH_WIDE:
        builder_add_format(builder, " %u", bytecode_offset(bytecode, instruction->target));
        break;
    case OPERANDS_TABLE_SWITCH:
    case OPERANDS_LOOKUP_SWITCH:
        builder_add_format(builder, " %u cases", bytecode->switches[instruction->target].count);
        break;
    }
}

static void dump_cases(struct dump *dump, const struct bytecode *bytecode,
                       const struct switch_table *table)
{
    const int width = INDENT_OF_MEMBER + OFFSET_WIDTH + 14;
    for (uint32_t i = 0; i < table->count; i++) {
        const int32_t key = table->keys ? table->keys[i] : (int32_t)((int64_t)table->low + i);
        builder_add_format(dump->builder, "%*d: %u\n", width, key,
                           bytecode_offset(bytecode, table->targets[i]));
    }
    builder_add_format(dump->builder, "%*s: %u\n", width, "default",
                       bytecode_offset(bytecode, table->default_target));
}

static void dump_line_numbers(struct code_dump *code_dump, uint32_t offset)
{
    const struct line_index *lines = &code_dump->lines;
    if (!code_dump->have_lines)
        return;
    for (uint32_t at = lines->first[offset]; at != 0; at = lines->next[at - 1]) {
        dump_indent(code_dump->dump, INDENT_OF_MEMBER);
        builder_add_format(code_dump->dump->builder, "line %u\n", lines->items[at - 1]->line);
    }
}

static void dump_instruction(struct code_dump *code_dump, uint32_t number)
{
    struct dump *dump = code_dump->dump;
    const struct bytecode *bytecode = code_dump->bytecode;
    const struct instruction *instruction = &bytecode->instructions[number];
    dump_indent(dump, INDENT_OF_MEMBER);
    builder_add_format(dump->builder, "%*u: %s%s", OFFSET_WIDTH, instruction->offset,
                       instruction->wide ? "wide " : "", opcode_infos[instruction->opcode].name);
    dump_operands(dump, bytecode, instruction);
    builder_add_byte(dump->builder, '\n');
    if (opcode_infos[instruction->opcode].flow == FLOW_SWITCH)
        dump_cases(dump, bytecode, &bytecode->switches[instruction->target]);
}

/* Everything up to and including the instruction, with the line numbers. */
static void dump_up_to(struct code_dump *code_dump, uint32_t end)
{
    for (; code_dump->shown < end; code_dump->shown++) {
        dump_line_numbers(code_dump, code_dump->bytecode->instructions[code_dump->shown].offset);
        dump_instruction(code_dump, code_dump->shown);
    }
}

/* ---- frames ---- */

static void dump_frame_type(struct code_dump *code_dump, frame_type type)
{
    struct dump *dump = code_dump->dump;
    if (frame_type_tag(type) == VERIFICATION_OBJECT)
        dump_name(dump, type_table_name(&dump->table, type));
    else
        type_table_print(&dump->table, code_dump->bytecode, type, dump->builder);
}

static unsigned count_tops(const frame_type *types, unsigned count)
{
    unsigned tops = 0;
    while (tops < count && types[tops] == FRAME_TOP)
        tops++;
    return tops;
}

/* The second place of a long or double is not shown. Where more places in a row hold nothing than
   anybody would count, their number is. */
static void dump_frame_types(struct code_dump *code_dump, const frame_type *types, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            builder_add_string(code_dump->dump->builder, ", ");
        const unsigned tops = count_tops(&types[i], count - i);
        if (tops > MOST_TOPS) {
            builder_add_format(code_dump->dump->builder, "top x %u", tops);
            i += tops - 1;
            continue;
        }
        dump_frame_type(code_dump, types[i]);
        if (types[i] == FRAME_LONG || types[i] == FRAME_DOUBLE)
            i++;
    }
}

static bool dump_frame(void *context, uint32_t number, const struct frame *frame)
{
    struct code_dump *code_dump = context;
    struct builder *builder = code_dump->dump->builder;
    dump_line_numbers(code_dump, code_dump->bytecode->instructions[number].offset);
    dump_indent(code_dump->dump, INDENT_OF_MEMBER + OFFSET_WIDTH + 2);
    if (frame->reached) {
        unsigned locals = frame->local_count;
        while (locals > 0 && frame->locals[locals - 1] == FRAME_TOP &&
               !(locals > 1 && (frame->locals[locals - 2] == FRAME_LONG ||
                                frame->locals[locals - 2] == FRAME_DOUBLE)))
            locals--;
        builder_add_string(builder, "; locals [");
        dump_frame_types(code_dump, frame->locals, locals);
        builder_add_string(builder, "] stack [");
        dump_frame_types(code_dump, frame->stack, frame->stack_count);
        builder_add_string(builder, "]\n");
    } else {
        builder_add_string(builder, "; never executed\n");
    }
    dump_instruction(code_dump, number);
    code_dump->shown = number + 1;
    return true;
}

static void report(struct dump *dump, const struct problem *problem)
{
    diagnostics_problem(dump->diagnostics, DIAGNOSTICS_ERROR, dump->path, problem);
}

static void dump_with_frames(struct code_dump *code_dump)
{
    struct dump *dump = code_dump->dump;
    struct flow flow;
    struct frames frames;
    struct problem problem;
    problem_clear(&problem);
    bool built = dump->table_usable && flow_build(&flow, &dump->arena, code_dump->bytecode);
    if (!dump->table_usable)
        problem_set(&problem, PROBLEM_NO_OFFSET, "out of memory");
    else if (!built)
        flow_explain(&dump->arena, &problem);
    bool done = built &&
                frames_compute(&frames, &dump->arena, &flow, &dump->table,
                               frames_default_source(code_dump->bytecode), &problem) &&
                frames_walk(&frames, &dump->arena, dump_frame, code_dump, &problem);
    if (!done)
        report(dump, &problem);
}

/* ---- tables ---- */

static bool index_lines(struct code_dump *code_dump)
{
    struct arena *arena = &code_dump->dump->arena;
    const struct code *code = code_dump->bytecode->code;
    struct line_index *lines = &code_dump->lines;
    size_t total = 0;
    for (unsigned i = 0; i < code->attributes.count; i++) {
        if (code->attributes.items[i].kind == ATTRIBUTE_LINE_NUMBER_TABLE)
            total += code->attributes.items[i].as.line_numbers->count;
    }
    lines->first = arena_allocate_zeroed(arena, code->length * sizeof(uint32_t), alignof(uint32_t));
    lines->next = ARENA_ARRAY(arena, uint32_t, total);
    lines->items = ARENA_ARRAY(arena, const struct line_number *, total);
    if (!lines->first || !lines->next || !lines->items)
        return false;
    uint32_t count = 0;
    /* Backwards, so that each list comes out in the order of the table. */
    for (unsigned i = code->attributes.count; i-- > 0;) {
        if (code->attributes.items[i].kind != ATTRIBUTE_LINE_NUMBER_TABLE)
            continue;
        const struct line_numbers *table = code->attributes.items[i].as.line_numbers;
        for (unsigned j = table->count; j-- > 0;) {
            if (table->items[j].start >= code->length)
                continue;
            lines->items[count] = &table->items[j];
            lines->next[count] = lines->first[table->items[j].start];
            lines->first[table->items[j].start] = ++count;
        }
    }
    return true;
}

static void dump_handlers(struct dump *dump, const struct code *code)
{
    for (unsigned i = 0; i < code->handler_count; i++) {
        const struct exception_handler *handler = &code->handlers[i];
        dump_indent(dump, INDENT_OF_MEMBER);
        builder_add_format(dump->builder, "handler %u to %u goes to %u for ", handler->start,
                           handler->end, handler->handler);
        if (handler->catch_type != 0)
            dump_name(dump, class_name_at(dump->class_file, handler->catch_type));
        else
            builder_add_string(dump->builder, "any");
        builder_add_byte(dump->builder, '\n');
    }
}

static void dump_variables(struct dump *dump, const char *word,
                           const struct local_variables *variables)
{
    for (unsigned i = 0; i < variables->count; i++) {
        const struct local_variable *variable = &variables->items[i];
        dump_indent(dump, INDENT_OF_MEMBER);
        builder_add_format(dump->builder, "%s %u from %u to %u: ", word, variable->index,
                           variable->start, (unsigned)variable->start + variable->length);
        dump_name(dump, class_utf8(dump->class_file, variable->name));
        builder_add_byte(dump->builder, ' ');
        dump_name(dump, class_utf8(dump->class_file, variable->descriptor));
        builder_add_byte(dump->builder, '\n');
    }
}

static void dump_variable_tables(struct dump *dump, const struct code *code)
{
    for (unsigned i = 0; i < code->attributes.count; i++) {
        const struct attribute *attribute = &code->attributes.items[i];
        if (attribute->kind == ATTRIBUTE_LOCAL_VARIABLE_TABLE)
            dump_variables(dump, "local", attribute->as.local_variables);
        else if (attribute->kind == ATTRIBUTE_LOCAL_VARIABLE_TYPE_TABLE)
            dump_variables(dump, "generic local", attribute->as.local_variables);
    }
}

void dump_code(struct dump *dump, const struct member *method)
{
    const struct code *code = member_code(method);
    dump_indent(dump, INDENT_OF_MEMBER);
    builder_add_format(dump->builder, "code of %u bytes, stack %u, locals %u\n", code->length,
                       code->max_stack, code->max_locals);
    if (!dump->options->code && !dump->options->frames)
        return;
    struct problem problem;
    struct bytecode bytecode;
    problem_clear(&problem);
    arena_clear(&dump->arena);
    if (!bytecode_decode(&bytecode, &dump->arena, dump->class_file, method, &problem)) {
        report(dump, &problem);
        return;
    }
    struct code_dump code_dump = {.dump = dump, .bytecode = &bytecode};
    code_dump.have_lines = index_lines(&code_dump);
    if (dump->options->frames)
        dump_with_frames(&code_dump);
    dump_up_to(&code_dump, bytecode.count);
    dump_handlers(dump, code);
    dump_variable_tables(dump, code);
    dump_attributes(dump, &code->attributes, INDENT_OF_MEMBER);
}
