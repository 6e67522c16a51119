/*
 * What hangs in objects that nobody else knows: `made.list`, after `made = new Table()`.
 *
 * What a field of a fresh object refers to is a part of it, as long as the method does not hand it
 * to others. Whether others knew it before, when it was stored there, the flow can say only of what
 * the method itself has made; of the rest, whoever uses the events has to judge. There is one
 * level: parts of parts are not followed.
 *
 * A value that is in no local and nowhere on the stack can be handed out only after it has been
 * read again, so it need not be remembered. Where there is no room to remember that a field's value
 * is known to others, the object stops being fresh: that is always true.
 */
#include <string.h>

#include "flow/flow_internal.h"

static void remove_at(struct flow_state *state, uint32_t index)
{
    state->part_count--;
    memmove(&state->parts[index], &state->parts[index + 1],
            (state->part_count - index) * sizeof *state->parts);
}

void flow_parts_forget(struct flow_state *state, term holder)
{
    for (uint32_t i = state->part_count; i-- > 0;)
        if (state->parts[i].holder == holder)
            remove_at(state, i);
}

static void forget_field(struct flow_state *state, term holder, uint32_t field)
{
    for (uint32_t i = state->part_count; i-- > 0;)
        if (state->parts[i].holder == holder && state->parts[i].field == field)
            remove_at(state, i);
}

static struct fresh_part *find(const struct flow_state *state, const struct fresh_part *part)
{
    for (uint32_t i = 0; i < state->part_count; i++)
        if (state->parts[i].holder == part->holder && state->parts[i].field == part->field &&
            state->parts[i].kind == part->kind && state->parts[i].value == part->value)
            return &state->parts[i];
    return NULL;
}

static bool is_known(const struct flow_state *state, term holder, uint32_t field,
                     enum part_kind kind)
{
    return find(state, &(struct fresh_part){
                           .holder = holder, .field = field, .kind = (uint8_t)kind}) != NULL;
}

/* Whether the code can still hand it out without reading it again. */
static bool is_alive(const struct flow_state *state, uint32_t places, const struct fresh_part *part)
{
    for (uint32_t i = 0; part->kind == PART_VALUE && i < places; i++)
        if (state->places[i] == part->value)
            return true;
    return part->kind != PART_VALUE;
}

static void forget_dead(struct flow_run *run)
{
    struct flow_state *now = &run->now;
    const uint32_t places = run->local_count + now->stack_count;
    flow_count_work(run, now->part_count * places);
    for (uint32_t i = now->part_count; i-- > 0;)
        if (!is_alive(now, places, &now->parts[i]))
            remove_at(now, i);
}

static bool add(struct flow_state *state, const struct fresh_part *part)
{
    if (state->part_count == state->part_room)
        return false;
    state->parts[state->part_count++] = *part;
    return true;
}

static void share(struct flow_state *state, term holder, uint32_t field)
{
    const struct fresh_part shared = {.holder = holder, .field = field, .kind = PART_SHARED};
    forget_field(state, holder, field);
    if (!add(state, &shared))
        flow_state_drop_fresh(state, holder);
}

/* A value hangs in one object only: to store it in another shares it. */
static const struct fresh_part *find_value(const struct flow_state *state, term value)
{
    for (uint32_t i = 0; value != TERM_NONE && i < state->part_count; i++)
        if (state->parts[i].value == value)
            return &state->parts[i];
    return NULL;
}

unsigned flow_part_flags(const struct flow_state *state, term value)
{
    const struct fresh_part *part = find_value(state, value);
    return !part ? 0 : EVENT_OBJECT_PART | (part->made ? EVENT_PART_MADE : 0);
}

bool flow_parts_escape(struct flow_state *state, const struct flow_state *known, term value)
{
    const struct fresh_part *found = find_value(known, value);
    if (!found || !flow_state_is_fresh(state, found->holder))
        return false;
    const term holder = found->holder; /* it may be in the state that changes */
    const uint32_t field = found->field;
    if (is_known(state, holder, field, PART_SHARED))
        return false;
    share(state, holder, field);
    return true;
}

/* ---- reading and writing ---- */

static bool is_reference(const struct flow_run *run, uint32_t field)
{
    const char kind = program_field_descriptor(run->program, field).bytes[0];
    return kind == 'L' || kind == '[';
}

/* Final fields may have been given something that has a name of its own. */
static bool is_of(const struct flow_run *run, term object, term value)
{
    const struct term_content content = term_content(&run->terms, value);
    return value == flow_made(run->instruction) ||
           (content.kind == TERM_FIELD && content.a == object);
}

void flow_parts_read(struct flow_run *run, term object, uint32_t field, term value)
{
    struct flow_state *now = &run->now;
    if (field == PROGRAM_NONE || !flow_is_fresh(run, object) || !is_reference(run, field) ||
        !is_of(run, object, value) || is_known(now, object, field, PART_SHARED))
        return;
    const struct fresh_part part = {.holder = object,
                                    .field = field,
                                    .kind = PART_VALUE,
                                    .made = is_known(now, object, field, PART_MADE),
                                    .value = value};
    struct fresh_part *old = find(now, &part);
    run->handlers_behind = true;
    if (old) {
        old->made = part.made;
        return;
    }
    if (now->part_count == now->part_room)
        forget_dead(run);
    if (!add(now, &part))
        share(now, object, field);
}

void flow_parts_write(struct flow_run *run, term object, uint32_t field, term value, bool fresh)
{
    struct flow_state *now = &run->now;
    if (field == PROGRAM_NONE || !flow_is_fresh(run, object) || !is_reference(run, field))
        return;
    struct fresh_part part = {.holder = object, .field = field, .kind = PART_MADE};
    run->handlers_behind = true;
    forget_field(now, object, field);
    if (!fresh)
        return;
    if (now->part_count + 2 > now->part_room)
        forget_dead(run);
    bool added = add(now, &part);
    part = (struct fresh_part){object, field, PART_VALUE, true, value};
    added = added && add(now, &part);
    if (!added)
        share(now, object, field);
}

/* ---- meeting ---- */

static bool keep_made(struct flow_state *to, const struct flow_state *from)
{
    bool changed = false;
    for (uint32_t i = to->part_count; i-- > 0;) {
        struct fresh_part *part = &to->parts[i];
        const struct fresh_part *other = find(from, part);
        if (part->kind == PART_MADE && !other) {
            remove_at(to, i);
            changed = true;
        } else if (part->made && other && !other->made) {
            part->made = false;
            changed = true;
        }
    }
    return changed;
}

void flow_parts_begin(struct flow_state *to, const struct flow_state *from, uint32_t places)
{
    to->part_count = 0;
    for (uint32_t i = 0; i < from->part_count; i++)
        if (is_alive(from, places, &from->parts[i]))
            to->parts[to->part_count++] = from->parts[i];
}

bool flow_parts_meet(struct flow_state *to, const struct flow_state *from, uint32_t places)
{
    bool changed = keep_made(to, from);
    for (uint32_t i = 0; i < from->part_count; i++) {
        const struct fresh_part *part = &from->parts[i];
        if (part->kind == PART_MADE || find(to, part) || !flow_state_is_fresh(to, part->holder) ||
            is_known(to, part->holder, part->field, PART_SHARED) || !is_alive(from, places, part))
            continue;
        changed = true;
        if (part->kind == PART_SHARED || !add(to, part))
            share(to, part->holder, part->field);
    }
    return changed;
}
