#include "check/made_fields.h"

#include "check/accessors.h"
#include "program/resolve.h"

/* The field that the value was read from; TERM_NONE for the object: not from a field of one. */
static struct term_content origin_of(const struct method_flow *flow, term value)
{
    struct term_content content = term_content(&flow->terms, value);
    if (content.kind == TERM_OPAQUE && value < flow->origin_count && flow->origins[value])
        content = term_content(&flow->terms, flow->origins[value]);
    if (content.kind != TERM_FIELD && content.kind != TERM_VARYING)
        content = (struct term_content){TERM_KIND_NONE, TERM_NONE, PROGRAM_NONE};
    return content;
}

/* Whether the constructors have handed out the object, and with it all that hangs there. */
static bool is_shown(const struct checker *checker, const struct method_flow *flow, term holder)
{
    const struct program *program = checker->program;
    uint32_t class_id = holder < flow->origin_count ? flow->types[holder] : PROGRAM_NONE;
    for (; class_id < program->application_count; class_id = program->classes[class_id].superclass)
        if (checker->shown[class_id])
            return true;
    return false;
}

bool made_fields_is_private(const struct checker *checker, const struct method_flow *flow,
                            unsigned flags, term object)
{
    const struct term_content origin = origin_of(flow, object);
    const uint32_t field = origin.b;
    if (flags & EVENT_OBJECT_FRESH)
        return true;
    if (!(flags & EVENT_OBJECT_PART) || is_shown(checker, flow, origin.a))
        return false;
    if (flags & EVENT_PART_MADE)
        return true;
    return field < checker->program->application_field_count && checker->made[field];
}

/* ---- finding them ---- */

/* One method's part in it. */
struct search {
    struct checker *checker;
    const struct method_flow *flow;
    uint32_t class_id;
    bool is_constructor;
    uint32_t *stored; /* by term: the field that it has been stored in, plus 1; 0: none */
};

static void rule_out(struct checker *checker, uint32_t field)
{
    if (field < checker->program->application_field_count)
        checker->made[field] = 0;
}

static bool is_null(const struct method_flow *flow, term value)
{
    const struct term_content content = term_content(&flow->terms, value);
    return content.kind == TERM_OPAQUE && content.a < flow->bytecode.count &&
           flow->bytecode.instructions[content.a].opcode == OP_ACONST_NULL;
}

static bool is_constructed(const struct search *search, term value)
{
    const struct term_content content = term_content(&search->flow->terms, value);
    return search->is_constructor && content.kind == TERM_PARAMETER && content.a == 0;
}

static void hand_out(struct search *search, term value)
{
    if (value == TERM_NONE)
        return;
    if (value < search->flow->terms.count && search->stored[value])
        rule_out(search->checker, search->stored[value] - 1);
    const struct term_content origin = origin_of(search->flow, value);
    if (is_constructed(search, origin.a))
        rule_out(search->checker, origin.b);
    if (is_constructed(search, value))
        search->checker->shown[search->class_id] = 1;
}

static void look_at_event(struct search *search, const struct flow_event *event)
{
    const struct method_flow *flow = search->flow;
    for (uint32_t i = event->first_argument; i < event->first_argument + event->argument_count; i++)
        if (!(flow->argument_flags[i] & ARGUMENT_LENT))
            hand_out(search, flow->arguments[i]);
    switch ((enum event_kind)event->kind) {
    case EVENT_WRITE:
        hand_out(search, event->value);
        if (event->id == PROGRAM_NONE || is_null(flow, event->value))
            break;
        if (!(event->flags & EVENT_VALUE_FRESH))
            rule_out(search->checker, event->id);
        else
            search->stored[event->value] = event->id + 1;
        break;
    case EVENT_ARRAY_WRITE:
    case EVENT_RETURN:
    case EVENT_THROW:
        hand_out(search, event->value);
        break;
    default:
        break;
    }
}

/* Whoever hands out a join may hand out what meets in it, and nobody looks which way it was. */
static void look_at_joins(struct search *search)
{
    for (uint32_t i = 0; i < search->flow->join_count; i++)
        hand_out(search, search->flow->joins[i].input);
}

/* In the order of the code, in which a value is stored before anybody can find it there; what a
   loop hands out in its next round has gone into a join. */
static void look_at_method(struct search *search)
{
    for (uint32_t i = 0; i < search->flow->event_count; i++)
        look_at_event(search, &search->flow->events[i]);
    look_at_joins(search);
}

/* What cannot be executed may assign whatever it names, and hand out what it constructs. */
static void look_at_names(struct search *search, uint32_t method)
{
    struct checker *checker = search->checker;
    const struct class_file *class_file =
        program_class_of_method(checker->program, method)->class_file;
    for (uint32_t i = 1; i < class_file->constant_count; i++)
        if (class_file->constants[i].tag == CONSTANT_FIELD)
            rule_out(checker, resolve_field_constant(checker->program, class_file, (uint16_t)i).id);
    if (search->is_constructor)
        checker->shown[search->class_id] = 1;
}

bool made_fields_find(struct checker *checker)
{
    const struct program *program = checker->program;
    struct arena scratch;
    bool found = true;
    checker->made = arena_allocate(&checker->arena, program->application_field_count + 1u, 1);
    checker->shown = arena_allocate_zeroed(&checker->arena, program->application_count + 1u, 1);
    if (!checker->made || !checker->shown)
        return false;
    memset(checker->made, 1, program->application_field_count);
    arena_init(&scratch);
    for (uint32_t method = 0; method < program->application_method_count && found; method++) {
        const struct member *member = program_method_member(program, method);
        struct search search = {.checker = checker,
                                .flow = checker->flows[method],
                                .class_id = program->methods[method].class_id};
        search.is_constructor = text_is(program_method_name(program, method), "<init>");
        if (!search.flow && member && member_code(member))
            look_at_names(&search, method);
        if (!search.flow || accessors_is_one(checker, method))
            continue; /* accessors stand in their callers, too */
        arena_clear(&scratch);
        search.stored = arena_allocate_zeroed(
            &scratch, search.flow->terms.count * sizeof *search.stored, alignof(uint32_t));
        found = search.stored != NULL;
        if (found)
            look_at_method(&search);
    }
    arena_release(&scratch);
    return found;
}
