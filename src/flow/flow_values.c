/*
 * Terms of the values, and what is known of them.
 *
 * The first terms of the table stand for what each instruction makes; they are put there without
 * being looked up, which is much quicker, and works because nobody else makes such terms.
 */
#include <string.h>

#include "classfile/descriptor.h"
#include "flow/flow_internal.h"
#include "program/hierarchy.h"

/* Besides class numbers: the type of null, and of what has not been looked at yet. */
#define TYPE_NULL (UINT32_MAX - 1)
#define TYPE_UNSEEN (UINT32_MAX - 2)

/* Over joins whose types depend on each other; then nothing is known. */
enum { MOST_PASSES = 32, MOST_INPUTS = 1 << 20 };

static bool makes_object(uint8_t opcode)
{
    return opcode == OP_NEW || opcode == OP_NEWARRAY || opcode == OP_ANEWARRAY ||
           opcode == OP_MULTIANEWARRAY;
}

bool flow_values_init(struct flow_run *run)
{
    const struct bytecode *bytecode = &run->flow->bytecode;
    struct term_table *table = &run->terms;
    if (!term_table_init(table, run->scratch))
        return false;
    uint32_t room = bytecode->count * 2 + 64;
    struct term_content *items = ARENA_ARRAY(run->scratch, struct term_content, room);
    if (!items || !vector_reserve(&run->infos, room))
        return false;
    items[TERM_NONE] = table->items[TERM_NONE];
    for (uint32_t i = 0; i < bytecode->count; i++)
        items[flow_made(i)] = (struct term_content){
            makes_object(bytecode->instructions[i].opcode) ? TERM_NEW : TERM_OPAQUE, i, 0};
    table->items = items;
    table->capacity = room;
    table->count = bytecode->count + 1;
    for (uint32_t i = 0; i < table->count; i++)
        run->infos.items[i] = (struct value_info){.root = i, .type = TYPE_UNSEEN};
    run->infos.count = table->count;
    return true;
}

/* Substitution makes terms behind our back. */
static bool know_all(struct flow_run *run)
{
    if (run->infos.count >= run->terms.count)
        return true;
    if (!vector_reserve(&run->infos, run->terms.count - run->infos.count)) {
        flow_fail_memory(run);
        return false;
    }
    for (uint32_t i = (uint32_t)run->infos.count; i < run->terms.count; i++) {
        struct term_content content = run->terms.items[i];
        struct value_info info = {.root = i, .type = TYPE_UNSEEN};
        switch ((enum term_kind)content.kind) {
        case TERM_FIELD:
        case TERM_READ_VIEW:
        case TERM_WRITE_VIEW:
        case TERM_STALE:
        case TERM_RESULT:
        case TERM_MONITOR:
            info = run->infos.items[content.a];
            info.type = TYPE_UNSEEN;
            info.depth++;
            break;
        default:
            break;
        }
        run->infos.items[run->infos.count++] = info;
    }
    return true;
}

term flow_make(struct flow_run *run, enum term_kind kind, uint32_t a, uint32_t b)
{
    term made = term_make(&run->terms, kind, a, b);
    if (made == TERM_NONE)
        flow_fail_memory(run);
    return know_all(run) ? made : (term)TERM_NONE;
}

term flow_root(struct flow_run *run, term number)
{
    return know_all(run) ? run->infos.items[number].root : (term)TERM_NONE;
}

bool flow_is_code_value(struct flow_run *run, term number)
{
    enum term_kind kind = term_kind(&run->terms, flow_root(run, number));
    return kind == TERM_NEW || kind == TERM_OPAQUE || kind == TERM_JOIN || kind == TERM_STALE;
}

/* Whether the value stays the same until the method ends. */
static bool is_lasting(struct flow_run *run, term number)
{
    struct term_content root = term_content(&run->terms, flow_root(run, number));
    if (!run->in_loop)
        return true;
    switch ((enum term_kind)root.kind) {
    case TERM_NEW:
    case TERM_OPAQUE:
        return !run->in_loop[run->blocks.block_of[root.a]];
    case TERM_JOIN:
        return !run->in_loop[root.a];
    default:
        return true;
    }
}

/* ---- paths ---- */

static term canonical(struct flow_run *run, term number, unsigned depth);

static term substitute(struct flow_run *run, const struct term_table *from, term number,
                       const term *parameters, uint32_t count, unsigned depth)
{
    struct term_binding binding = {
        .to = &run->terms, .parameters = parameters, .parameter_count = count};
    term result = term_substitute(from, number, &binding);
    return know_all(run) ? canonical(run, result, depth + 1) : (term)TERM_NONE;
}

static term alias_of(struct flow_run *run, uint32_t field)
{
    return run->context->summaries ? flow_summaries_alias(run->context->summaries, field)
                                   : (term)TERM_NONE;
}

/* What the constructor is known to have stored in the field of an object made here. */
static term stored_value(struct flow_run *run, term object, uint32_t field, unsigned depth)
{
    const struct construction *construction = run->uses[run->terms.items[object].a];
    if (!run->use_constructions || !construction || construction->unknown || !construction->summary)
        return TERM_NONE;
    for (uint32_t i = 0; i < construction->summary->stored_count; i++) {
        const struct stored_parameter *stored = &construction->summary->stored[i];
        if (stored->field != field)
            continue;
        term value = substitute(run, &run->context->summaries->terms, stored->value,
                                construction->arguments, construction->argument_count, depth);
        return value != TERM_NONE && is_lasting(run, value) ? value : (term)TERM_NONE;
    }
    return TERM_NONE;
}

static term field_term(struct flow_run *run, term object, uint32_t field, unsigned depth)
{
    if (object == TERM_NONE || !know_all(run) || run->infos.items[object].depth >= MOST_PATH)
        return TERM_NONE;
    term known = TERM_NONE;
    term alias = depth < MOST_PATH ? alias_of(run, field) : (term)TERM_NONE;
    if (alias != TERM_NONE)
        known = substitute(run, &run->context->summaries->terms, alias, &object, 1, depth);
    if (known == TERM_NONE && depth < MOST_PATH && term_kind(&run->terms, object) == TERM_NEW)
        known = stored_value(run, object, field, depth);
    return known != TERM_NONE ? known : flow_make(run, TERM_FIELD, object, field);
}

static term static_term(struct flow_run *run, uint32_t field, unsigned depth)
{
    term alias = depth < MOST_PATH ? alias_of(run, field) : (term)TERM_NONE;
    term known = TERM_NONE;
    if (alias != TERM_NONE)
        known = substitute(run, &run->context->summaries->terms, alias, NULL, 0, depth);
    return known != TERM_NONE ? known : flow_make(run, TERM_STATIC, field, 0);
}

/* The same path with every alias in it followed. */
static term canonical(struct flow_run *run, term number, unsigned depth)
{
    struct term_content content = term_content(&run->terms, number);
    switch ((enum term_kind)content.kind) {
    case TERM_STATIC:
        return static_term(run, content.a, depth);
    case TERM_FIELD:
        return field_term(run, canonical(run, content.a, depth), content.b, depth);
    case TERM_READ_VIEW:
    case TERM_WRITE_VIEW:
    case TERM_RESULT:
    case TERM_MONITOR: {
        term object = canonical(run, content.a, depth);
        return object == TERM_NONE
                   ? object
                   : flow_make(run, (enum term_kind)content.kind, object, content.b);
    }
    default:
        return number;
    }
}

term flow_field_term(struct flow_run *run, term object, uint32_t field)
{
    return field_term(run, object, field, 0);
}

term flow_static_term(struct flow_run *run, uint32_t field)
{
    return static_term(run, field, 0);
}

term flow_substitute(struct flow_run *run, const struct term_table *from, term number,
                     const term *parameters, uint32_t count)
{
    return substitute(run, from, number, parameters, count, 0);
}

/* ---- types ---- */

void flow_note_join(struct flow_run *run, term join, term input)
{
    struct join_input pair = {join, input};
    struct value_info *info = &run->infos.items[join];
    if (run->failed || info->last_input == input)
        return;
    info->last_input = input;
    if (run->inputs.count >= MOST_INPUTS)
        run->types_lost = true;
    else if (!vector_push(&run->inputs, pair))
        flow_fail_memory(run);
}

static uint32_t descriptor_type(const struct flow_run *run, struct text descriptor)
{
    if (descriptor.length < 3 || descriptor.bytes[0] != 'L')
        return PROGRAM_NONE;
    return program_find_class(run->program, text_slice(descriptor, 1, descriptor.length - 1));
}

static uint32_t class_type(const struct flow_run *run, uint16_t constant)
{
    struct text name = class_name_at(run->flow->bytecode.class_file, constant);
    if (!name.length || name.bytes[0] == '[')
        return PROGRAM_NONE;
    return program_find_class(run->program, name);
}

static uint32_t constant_type(const struct flow_run *run, uint16_t constant)
{
    switch (run->flow->bytecode.class_file->constants[constant].tag) {
    case CONSTANT_STRING:
        return program_find_class(run->program, TEXT("java/lang/String"));
    case CONSTANT_CLASS:
        return program_find_class(run->program, TEXT("java/lang/Class"));
    default:
        return PROGRAM_NONE;
    }
}

/* A result that is cast at once has the type of the cast: generic code gives Objects. */
static uint32_t cast_type(const struct flow_run *run, uint32_t instruction, uint32_t declared)
{
    const struct bytecode *bytecode = &run->flow->bytecode;
    if (instruction + 1 >= bytecode->count ||
        bytecode->instructions[instruction + 1].opcode != OP_CHECKCAST)
        return declared;
    return class_type(run, bytecode->instructions[instruction + 1].operand);
}

static uint32_t made_type(const struct flow_run *run, uint32_t number)
{
    const struct class_file *class_file = run->flow->bytecode.class_file;
    const struct instruction *instruction = &run->flow->bytecode.instructions[number];
    struct text descriptor;
    switch (instruction->opcode) {
    case OP_ACONST_NULL:
        return TYPE_NULL;
    case OP_NEW:
        return class_type(run, instruction->operand);
    case OP_LDC:
    case OP_LDC_W:
        return constant_type(run, instruction->operand);
    case OP_AALOAD:
        return cast_type(run, number, PROGRAM_NONE);
    case OP_GETFIELD:
    case OP_GETSTATIC:
        descriptor = class_member_reference(class_file, instruction->operand).descriptor;
        return cast_type(run, number, descriptor_type(run, descriptor));
    case OP_INVOKEVIRTUAL:
    case OP_INVOKESPECIAL:
    case OP_INVOKESTATIC:
    case OP_INVOKEINTERFACE:
    case OP_INVOKEDYNAMIC:
        descriptor = class_member_reference(class_file, instruction->operand).descriptor;
        return cast_type(run, number, descriptor_type(run, descriptor_return(descriptor)));
    default:
        return PROGRAM_NONE;
    }
}

static uint32_t parameter_type(const struct flow_run *run, uint32_t number)
{
    struct text descriptor = program_method_descriptor(run->program, run->flow->method);
    struct text parameter;
    size_t position = 1;
    uint32_t next = run->flow->is_static ? 0 : 1;
    if (number == 0 && !run->flow->is_static)
        return run->class_id;
    while (descriptor_next_parameter(descriptor, &position, &parameter))
        if (next++ == number)
            return descriptor_type(run, parameter);
    return PROGRAM_NONE;
}

static uint32_t type_of(struct flow_run *run, term number)
{
    struct value_info *info = &run->infos.items[number];
    struct term_content content = term_content(&run->terms, number);
    if (info->type != TYPE_UNSEEN)
        return info->type;
    uint32_t type = PROGRAM_NONE;
    switch ((enum term_kind)content.kind) {
    case TERM_PARAMETER:
        type = parameter_type(run, content.a);
        break;
    case TERM_CLASS:
        type = program_find_class(run->program, TEXT("java/lang/Class"));
        break;
    case TERM_STATIC:
        type = descriptor_type(run, program_field_descriptor(run->program, content.a));
        break;
    case TERM_FIELD:
        type = descriptor_type(run, program_field_descriptor(run->program, content.b));
        break;
    case TERM_NEW:
    case TERM_OPAQUE:
        type = made_type(run, content.a);
        break;
    case TERM_JOIN:
        return TYPE_UNSEEN; /* until its inputs are known */
    default:
        break;
    }
    info->type = type;
    return type;
}

static uint32_t meet_types(const struct flow_run *run, uint32_t a, uint32_t b)
{
    if (a == b || b == TYPE_NULL || b == TYPE_UNSEEN)
        return a;
    if (a == TYPE_NULL || a == TYPE_UNSEEN)
        return b;
    if (a == PROGRAM_NONE || b == PROGRAM_NONE)
        return PROGRAM_NONE;
    if (hierarchy_is_subtype(run->program, a, b))
        return b;
    if (hierarchy_is_subtype(run->program, b, a))
        return a;
    return hierarchy_common_superclass(run->program, a, b);
}

/* Marks what the types of the needed joins depend on. */
static void need_inputs(const struct flow_run *run, bool *needed)
{
    bool changed = true;
    for (unsigned pass = 0; changed; pass++) {
        changed = false;
        for (size_t i = run->inputs.count; i-- > 0;) {
            const struct join_input *pair = &run->inputs.items[i];
            if ((needed[pair->join] || pass == MOST_PASSES) && !needed[pair->input]) {
                needed[pair->input] = true;
                changed = pass < MOST_PASSES;
            }
        }
    }
}

/* Joins take the types of what meets in them; those of other joins may still change. */
static void type_joins(struct flow_run *run, const bool *needed)
{
    bool changed = true;
    for (unsigned pass = 0; changed; pass++) {
        changed = false;
        for (size_t i = 0; i < run->inputs.count; i++) {
            const struct join_input *pair = &run->inputs.items[i];
            uint32_t *type = &run->infos.items[pair->join].type;
            if (!needed[pair->join])
                continue;
            uint32_t met = pass < MOST_PASSES ? meet_types(run, *type, type_of(run, pair->input))
                                              : PROGRAM_NONE;
            changed |= met != *type;
            *type = met;
        }
    }
}

uint32_t *flow_value_types(struct flow_run *run, const term *kept)
{
    if (!know_all(run))
        return NULL;
    uint32_t count = run->terms.count;
    uint32_t *types = ARENA_ARRAY(run->scratch, uint32_t, count);
    bool *needed = ARENA_ARRAY(run->scratch, bool, count);
    if (!types || !needed)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        needed[i] = kept[i] != TERM_NONE;
    need_inputs(run, needed);
    type_joins(run, needed);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t type = kept[i] == TERM_NONE ? PROGRAM_NONE : type_of(run, i);
        types[i] = type == TYPE_NULL || type == TYPE_UNSEEN ? PROGRAM_NONE : type;
    }
    return types;
}
