/*
 * unique: the only reference to an object is handed over, not copied.
 *
 * A value whose owner is `unique` is handed over when it is stored, returned, captured, or passed
 * where an owner is declared. On no path may it be used after that, and what is handed over
 * from a field must have been replaced in the field. Only what is made here, or was itself unique,
 * may be stored where a unique reference is declared.
 */
#include "base/vector.h"
#include "bytecode/flow.h"
#include "check/method_check.h"

struct unique_search {
    struct method_check *check;
    struct flow blocks;
    bool built;
    uint8_t *seen; /* by block */
};

static bool is_unique_list(const struct method_check *check, struct term_list owners)
{
    return owners.count > 0 && term_kind(&check->flow->terms, owners.items[0]) == TERM_UNIQUE;
}

static bool is_unique(struct method_check *check, term value)
{
    if (value == TERM_NONE || value >= check->flow->origin_count)
        return false;
    return is_unique_list(check, owners_of(check, value, check->flow->types[value]));
}

/* A parameter without owners borrows its argument; one with any takes it over. */
static bool takes_over(const struct method_check *check, const struct flow_event *call,
                       uint32_t argument)
{
    const struct method_locks *locks = lock_types_method(check->checker->types, call->id);
    const uint32_t parameter = argument + !(call->flags & EVENT_STATIC);
    return locks->parameter_owners && locks->parameter_owners[parameter].count > 0;
}

static bool hands_over(const struct method_check *check, const struct flow_event *event, term value)
{
    if (event->kind == EVENT_WRITE || event->kind == EVENT_ARRAY_WRITE ||
        event->kind == EVENT_RETURN || event->kind == EVENT_THROW)
        return event->value == value;
    for (uint32_t i = 0; i < event->argument_count; i++) {
        if (check->flow->arguments[event->first_argument + i] != value)
            continue;
        if (event->kind == EVENT_LAMBDA ||
            (event->kind == EVENT_CALL && event->id != PROGRAM_NONE && takes_over(check, event, i)))
            return true;
    }
    return false;
}

static bool mentions(const struct method_check *check, const struct flow_event *event, term value)
{
    const bool makes = event->kind == EVENT_NEW || event->kind == EVENT_READ ||
                       event->kind == EVENT_ARRAY_READ || event->kind == EVENT_LAMBDA ||
                       event->kind == EVENT_CALL;
    if (event->object == value || (event->value == value && !makes))
        return true;
    for (uint32_t i = 0; i < event->argument_count; i++)
        if (check->flow->arguments[event->first_argument + i] == value)
            return true;
    return false;
}

/* The instruction that makes a value anew each time it runs. */
static uint32_t maker_of(const struct method_check *check, term value)
{
    const struct term_content content = term_content(&check->flow->terms, value);
    return content.kind == TERM_NEW || content.kind == TERM_OPAQUE ? content.a : INSTRUCTION_NONE;
}

static void report(struct method_check *check, const struct flow_event *event, struct text message)
{
    const struct check_subject subject = {
        .rule = FINDING_UNIQUE_SHARED,
        .basis = FINDING_BASIS_DECLARED,
        .class_id = check->class_id,
        .instruction = event->instruction,
        .event = event,
        .role = "uses",
        .message = message,
    };
    method_check_report(check, &subject);
}

/* Events of the instructions first .. end - 1 that use the value; false when its maker comes. */
static bool look_at(struct unique_search *search, uint32_t first, uint32_t end, term value,
                    const struct flow_event *handed)
{
    struct method_check *check = search->check;
    const uint32_t maker = maker_of(check, value);
    const uint32_t stop = maker >= first && maker < end ? maker : end;
    for (uint32_t i = 0; i < check->flow->event_count; i++) {
        const struct flow_event *event = &check->flow->events[i];
        if (event->instruction >= first && event->instruction < stop &&
            mentions(check, event, value))
            report(check, event,
                   method_check_text(check,
                                     "a unique object is used after it was handed over at "
                                     "line %u",
                                     method_flow_line(check->flow, handed->instruction)));
    }
    return stop == end;
}

static void look_behind(struct unique_search *search, const struct flow_event *handed, term value)
{
    struct method_check *check = search->check;
    if (!search->built) {
        search->built = true;
        if (!flow_build(&search->blocks, check->arena, &check->flow->bytecode)) {
            search->blocks.count = 0;
            return;
        }
    }
    if (!search->blocks.count)
        return;
    VECTOR(uint32_t) work = VECTOR_EMPTY;
    search->seen = arena_allocate_zeroed(check->arena, search->blocks.count, 1);
    const struct block *own = &search->blocks.blocks[search->blocks.block_of[handed->instruction]];
    if (!search->seen)
        return;
    if (look_at(search, handed->instruction + 1, own->end, value, handed))
        for (uint32_t i = 0; i < own->successor_count; i++)
            if (!vector_push(&work, own->successors[i]))
                check->arena->failed = true;
    while (work.count) {
        const uint32_t number = vector_pop(&work);
        const struct block *block = &search->blocks.blocks[number];
        if (search->seen[number]++)
            continue;
        if (!look_at(search, block->first, block->end, value, handed))
            continue;
        for (uint32_t i = 0; i < block->successor_count; i++)
            if (!search->seen[block->successors[i]] && !vector_push(&work, block->successors[i]))
                check->arena->failed = true;
    }
    vector_release(&work);
}

/* Does a later instruction of the method replace what the field held? */
static bool is_replaced(const struct method_check *check, uint32_t field, term object,
                        uint32_t after)
{
    for (uint32_t i = 0; i < check->flow->event_count; i++) {
        const struct flow_event *event = &check->flow->events[i];
        if (event->kind == EVENT_WRITE && event->id == field && event->object == object &&
            event->instruction > after)
            return true;
    }
    return false;
}

static void check_handed(struct unique_search *search, const struct flow_event *event, term value)
{
    struct method_check *check = search->check;
    uint32_t field;
    term object;
    look_behind(search, event, value);
    const uint32_t maker = maker_of(check, value);
    if (maker != INSTRUCTION_NONE && method_check_origin(check, value, &field, &object) &&
        !is_replaced(check, field, object, maker))
        report(check, event,
               method_check_text(check, "a unique object is handed over, and %.*s keeps it",
                                 TEXT_ARGUMENTS(method_check_field_name(check, field))));
}

/* Where a unique reference is declared, only unique ones are stored. */
static void check_stored(struct method_check *check, const struct flow_event *event)
{
    const struct lock_types *types = check->checker->types;
    if (event->kind != EVENT_WRITE || event->id == PROGRAM_NONE || event->value == TERM_NONE)
        return;
    const struct field_locks *locks = lock_types_field(types, event->id);
    if (!locks->owners.count || term_kind(&types->terms, locks->owners.items[0]) != TERM_UNIQUE ||
        is_unique(check, event->value) || (event->flags & EVENT_VALUE_FRESH) ||
        method_check_is_null(check, event->value))
        return;
    report(check, event,
           method_check_text(check,
                             "%.*s is declared unique, but others may know the object that "
                             "is stored in it",
                             TEXT_ARGUMENTS(method_check_field_name(check, event->id))));
}

void rule_unique(struct method_check *check)
{
    struct unique_search search = {.check = check};
    if (check->owners.inert)
        return;
    for (uint32_t i = 0; i < check->flow->event_count; i++) {
        const struct flow_event *event = &check->flow->events[i];
        check_stored(check, event);
        if (event->value != TERM_NONE && is_unique(check, event->value) &&
            hands_over(check, event, event->value))
            check_handed(&search, event, event->value);
        for (uint32_t k = 0; k < event->argument_count; k++) {
            const term argument = check->flow->arguments[event->first_argument + k];
            if (argument != event->value && is_unique(check, argument) &&
                hands_over(check, event, argument))
                check_handed(&search, event, argument);
        }
    }
}
