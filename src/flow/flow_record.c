/*
 * Events, and the result in its final form: with those terms only that somebody can see.
 */
#include <stdlib.h>
#include <string.h>

#include "flow/flow_internal.h"

struct flow_event *flow_event_add(struct flow_run *run, enum event_kind kind)
{
    if (!run->recording || run->failed)
        return NULL;
    struct flow_event event = {.instruction = run->instruction,
                               .kind = (uint8_t)kind,
                               .locks = flow_locks_number(run),
                               .id = PROGRAM_NONE,
                               .other = PROGRAM_NONE,
                               .first_argument = (uint32_t)run->arguments.count};
    if (!run->failed && vector_push(&run->events, event))
        return &vector_last(&run->events);
    flow_fail_memory(run);
    return NULL;
}

void flow_event_argument(struct flow_run *run, struct flow_event *event, term value, bool lent)
{
    const uint8_t flags = flow_object_flags(run, value) | (lent ? ARGUMENT_LENT : 0);
    if (vector_push(&run->arguments, value) && vector_push(&run->argument_flags, flags))
        event->argument_count++;
    else
        flow_fail_memory(run);
}

uint8_t flow_object_flags(const struct flow_run *run, term object)
{
    struct term_content content = term_content(&run->terms, object);
    unsigned flags = flow_is_fresh(run, object) ? EVENT_OBJECT_FRESH : 0;
    if (run->is_constructor && content.kind == TERM_PARAMETER && content.a == 0)
        flags |= EVENT_UNDER_CONSTRUCTION;
    flags |= flow_part_flags(&run->now, object);
    return (uint8_t)flags;
}

/* ---- the terms that stay ---- */

struct keeper {
    struct flow_run *run;
    struct term_table *to;
    term *kept; /* by old number: the new one, or TERM_NONE */
    bool failed;
};

static term keep(struct keeper *keeper, term number)
{
    if (number == TERM_NONE || keeper->kept[number] != TERM_NONE)
        return keeper->kept[number];
    struct term_content content = term_content(&keeper->run->terms, number);
    switch ((enum term_kind)content.kind) {
    case TERM_FIELD:
    case TERM_READ_VIEW:
    case TERM_WRITE_VIEW:
    case TERM_STALE:
    case TERM_RESULT:
    case TERM_MONITOR:
        content.a = keep(keeper, content.a);
        break;
    case TERM_FORMAL:
    case TERM_METHOD_FORMAL:
        content.b = keep(keeper, content.b);
        break;
    default:
        break;
    }
    term made = term_make(keeper->to, (enum term_kind)content.kind, content.a, content.b);
    keeper->failed |= made == TERM_NONE;
    return keeper->kept[number] = made;
}

static int by_lock(const void *left, const void *right)
{
    const struct held_lock *a = left, *b = right;
    if (a->lock != b->lock)
        return a->lock < b->lock ? -1 : 1;
    return (int)a->mode - (int)b->mode;
}

static bool keep_sets(struct keeper *keeper, struct arena *arena)
{
    struct flow_run *run = keeper->run;
    struct lock_set *sets = ARENA_ARRAY(arena, struct lock_set, run->sets.count);
    if (!sets)
        return false;
    for (size_t i = 0; i < run->sets.count; i++) {
        uint32_t count = run->sets.items[i].count;
        struct held_lock *locks = arena_copy(arena, run->sets.items[i].items, count * sizeof *locks,
                                             alignof(struct held_lock));
        if (!locks)
            return false;
        for (uint32_t j = 0; j < count; j++)
            locks[j].lock = keep(keeper, locks[j].lock);
        qsort(locks, count, sizeof *locks, by_lock);
        sets[i] = (struct lock_set){locks, count};
    }
    run->flow->lock_sets = sets;
    run->flow->lock_set_count = (uint32_t)run->sets.count;
    return true;
}

static bool keep_events(struct keeper *keeper, struct arena *arena)
{
    struct flow_run *run = keeper->run;
    struct method_flow *flow = run->flow;
    flow->events = arena_copy(arena, run->events.items, run->events.count * sizeof *flow->events,
                              alignof(struct flow_event));
    flow->arguments = arena_copy(arena, run->arguments.items,
                                 run->arguments.count * sizeof *flow->arguments, alignof(term));
    flow->argument_flags =
        arena_copy(arena, run->argument_flags.items, run->argument_flags.count, 1);
    if (!flow->events || !flow->arguments || !flow->argument_flags)
        return false;
    flow->event_count = (uint32_t)run->events.count;
    flow->argument_count = (uint32_t)run->arguments.count;
    for (uint32_t i = 0; i < flow->argument_count; i++)
        flow->arguments[i] = keep(keeper, flow->arguments[i]);
    for (uint32_t i = 0; i < flow->event_count; i++) {
        flow->events[i].object = keep(keeper, flow->events[i].object);
        flow->events[i].value = keep(keeper, flow->events[i].value);
    }
    if (!run->returns_differ && run->returned != TERM_NONE &&
        !flow_is_code_value(run, run->returned))
        flow->returned = keep(keeper, run->returned);
    return true;
}

/* ---- what is known of them ---- */

/* Values that were read from a field which changes come from that field. */
static bool find_origins(struct method_flow *flow, struct arena *arena)
{
    uint32_t room = flow->terms.count;
    term *varying = arena_allocate_zeroed(arena, room * sizeof *varying, alignof(term));
    if (!varying)
        return false;
    for (uint32_t i = 0; i < flow->event_count; i++) {
        const struct flow_event *event = &flow->events[i];
        struct term_content value = term_content(&flow->terms, event->value);
        /* What a final field holds may be a value that came from elsewhere. */
        if (event->kind != EVENT_READ || event->id == PROGRAM_NONE || value.kind != TERM_OPAQUE ||
            value.a != event->instruction)
            continue;
        varying[event->value] = term_make(&flow->terms, TERM_VARYING, event->object, event->id);
        if (varying[event->value] == TERM_NONE)
            return false;
    }
    flow->origin_count = flow->terms.count;
    flow->origins =
        arena_allocate_zeroed(arena, flow->origin_count * sizeof *varying, alignof(term));
    if (!flow->origins)
        return false;
    memcpy(flow->origins, varying, room * sizeof *varying);
    return true;
}

static bool find_types(struct keeper *keeper, struct arena *arena)
{
    struct flow_run *run = keeper->run;
    struct method_flow *flow = run->flow;
    const uint32_t *types = flow_value_types(run, keeper->kept);
    flow->types = ARENA_ARRAY(arena, uint32_t, flow->origin_count);
    if (!types || !flow->types)
        return false;
    for (uint32_t i = 0; i < flow->origin_count; i++)
        flow->types[i] = PROGRAM_NONE;
    for (uint32_t i = 0; i < run->terms.count; i++)
        if (keeper->kept[i] != TERM_NONE)
            flow->types[keeper->kept[i]] = types[i];
    return true;
}

/* What meets in the joins that stay; inputs that are joins themselves stay with them. */
static bool keep_joins(struct keeper *keeper, struct arena *arena)
{
    struct flow_run *run = keeper->run;
    struct method_flow *flow = run->flow;
    uint32_t known = 0;
    flow->joins = ARENA_ARRAY(arena, struct flow_join, run->inputs.count);
    bool *taken = arena_allocate_zeroed(run->scratch, run->inputs.count + 1, 1);
    if (!flow->joins || !taken)
        return false;
    do {
        known = flow->join_count;
        for (size_t i = 0; i < run->inputs.count; i++) {
            const struct join_input *input = &run->inputs.items[i];
            if (taken[i] || keeper->kept[input->join] == TERM_NONE)
                continue;
            taken[i] = true;
            flow->joins[flow->join_count++] =
                (struct flow_join){keeper->kept[input->join], keep(keeper, input->input)};
        }
    } while (known != flow->join_count);
    return true;
}

bool flow_record_finish(struct flow_run *run, struct arena *arena)
{
    struct method_flow *flow = run->flow;
    struct keeper keeper = {.run = run, .to = &flow->terms};
    keeper.kept =
        arena_allocate_zeroed(run->scratch, run->terms.count * sizeof *keeper.kept, alignof(term));
    return keeper.kept && keep_events(&keeper, arena) && keep_sets(&keeper, arena) &&
           keep_joins(&keeper, arena) && !keeper.failed && find_origins(flow, arena) &&
           find_types(&keeper, arena);
}
