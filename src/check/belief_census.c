#include "check/accessors.h"
#include "check/belief_internal.h"

/* ---- what counts ---- */

static bool may_have_belief(const struct checker *checker, uint32_t field)
{
    const struct program *program = checker->program;
    if (field >= program->application_field_count)
        return false;
    const uint16_t access = program->fields[field].access;
    return !(access & (ACCESS_VOLATILE | ACCESS_SYNTHETIC)) &&
           !lock_types_is_final(checker->types, field) &&
           lock_types_field(checker->types, field)->guard == GUARD_NONE &&
           lock_types_nature(checker->types, program->fields[field].class_id) !=
               NATURE_THREAD_LOCAL;
}

/* All calls that we see are about objects that nobody else knows yet. */
static bool is_lonely(const struct belief_search *search, const struct method_flow *flow,
                      term object)
{
    const struct term_content content = term_content(&flow->terms, object);
    return content.kind == TERM_PARAMETER && content.a < 64 &&
           (search->callers.methods[flow->method].private_parameters >> content.a & 1);
}

/* Accesses that no other thread can meet, for certain or as far as we see. */
static bool is_private(const struct belief_search *search, const struct method_flow *flow,
                       uint32_t event_number)
{
    const struct checker *checker = search->checker;
    const struct flow_event *event = &flow->events[event_number];
    const struct term_content object = term_content(&flow->terms, event->object);
    if (event->flags & (EVENT_OBJECT_FRESH | EVENT_UNDER_CONSTRUCTION))
        return true;
    if (object.kind != TERM_PARAMETER)
        return belief_is_new(&search->callers, checker, flow, event_number, event->object);
    if (is_lonely(search, flow, event->object) && !search->callers.methods[flow->method].api)
        return true;
    return object.a == 0 && !flow->is_static &&
           (checker->entry.methods[flow->method].constructing ||
            belief_has_this_alone(checker->program, flow->method));
}

/* ---- candidates ---- */

static struct belief_tally *tally_of(struct belief_search *search, uint32_t field)
{
    if (!search->by_field[field]) {
        search->by_field[field] = ARENA_NEW(&search->scratch, struct belief_tally);
        if (search->by_field[field])
            search->by_field[field]->field = field;
        else
            search->failed = true;
    }
    return search->by_field[field];
}

/* The candidate as a set; empty if there are too many. */
static uint64_t candidate_bit(struct belief_search *search, struct belief_tally *tally, term lock)
{
    for (size_t i = 0; i < tally->candidates.count; i++)
        if (tally->candidates.items[i] == lock)
            return UINT64_C(1) << i;
    if (tally->candidates.count == BELIEF_CANDIDATES)
        return 0;
    if (!vector_push(&tally->candidates, lock)) {
        search->failed = true;
        return 0;
    }
    return UINT64_C(1) << (tally->candidates.count - 1);
}

struct place {
    struct belief_search *search;
    struct method_flow *flow;
    struct belief_tally *tally;
    const struct lock_set *set;
    struct belief_name object; /* what `this` of the field's class is here */
    bool write;
};

static uint64_t named(const struct place *place, term lock)
{
    if (lock == TERM_NONE)
        return 0;
    struct term_table *to = &place->search->beliefs->terms;
    const term name =
        belief_rename(place->flow, belief_normal(place->search->checker, place->flow, lock),
                      &place->object, place->object.from != TERM_NONE, to);
    return name == TERM_NONE ? 0 : candidate_bit(place->search, place->tally, name);
}

static bool is_enough(unsigned mode, bool write)
{
    return mode == LOCK_EXCLUSIVE || (mode == LOCK_SHARED && !write);
}

static bool is_given_up(const struct lock_set *set, term lock)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->items[i].lock == lock && set->items[i].mode == LOCK_GIVEN_UP)
            return true;
    return false;
}

static uint64_t of_entry(const struct place *place, const struct term_table *terms,
                         const struct entry_lock *locks, uint32_t count)
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < count; i++) {
        const term lock = is_enough(locks[i].mode, place->write)
                              ? entry_locks_copy(terms, locks[i].lock, &place->flow->terms)
                              : (term)TERM_NONE;
        if (lock != TERM_NONE && !is_given_up(place->set, lock))
            set |= named(place, lock);
    }
    return set;
}

static void count_access(struct belief_search *search, struct method_flow *flow, uint32_t number)
{
    const struct checker *checker = search->checker;
    const struct flow_event *event = &flow->events[number];
    const struct method_entry *entry = &checker->entry.methods[flow->method];
    const struct belief_caller *caller = &search->callers.methods[flow->method];
    struct place place = {
        .search = search,
        .flow = flow,
        .tally = tally_of(search, event->id),
        .set = &flow->lock_sets[event->locks],
        .object = {belief_normal(checker, flow, event->object),
                   term_make(&search->beliefs->terms, TERM_PARAMETER, 0, 0)},
        .write = event->kind == EVENT_WRITE,
    };
    struct belief_access access = {.method = flow->method,
                                   .event = number,
                                   .write = place.write,
                                   .lonely = is_lonely(search, flow, event->object)};
    if (!place.tally)
        return;
    for (uint32_t i = 0; i < place.set->count; i++) {
        const struct held_lock *held = &place.set->items[i];
        const uint64_t bit = is_enough(held->mode, place.write) ? named(&place, held->lock) : 0;
        access.held |= bit;
        access.in_block |= held->at != INSTRUCTION_NONE ? bit : 0;
    }
    for (uint32_t k = 0; k < flow->lock_set_count; k++)
        for (uint32_t i = 0; i < flow->lock_sets[k].count; i++)
            access.held |= named(&place, belief_given_up_later(flow, place.set, k, i));
    access.held |= of_entry(&place, &checker->entry.terms, entry->locks, entry->count);
    access.likely = of_entry(&place, &search->callers.terms, caller->locks, caller->count);
    /* All callers of a method that nobody else can call are those that we see. */
    if (!checker_is_called_from_outside(checker, flow->method))
        access.held |= access.likely;
    access.likely &= ~access.held;
    access.mixed = of_entry(&place, &search->callers.terms, caller->some_locks, caller->some_count);
    access.mixed &= ~(access.held | access.likely);
    if (!vector_push(&place.tally->accesses, access))
        search->failed = true;
}

/* A class with a method that takes a lock and keeps it: its users hold it, where we cannot see. */
static void find_lenders(struct belief_search *search)
{
    const struct checker *checker = search->checker;
    for (uint32_t m = 0; m < checker->program->application_method_count; m++) {
        const struct method_flow *flow = checker->flows[m];
        for (uint32_t i = 0; flow && i < flow->event_count; i++) {
            if (flow->events[i].kind != EVENT_RETURN)
                continue;
            const struct lock_set *set = &flow->lock_sets[flow->events[i].locks];
            for (uint32_t k = 0; k < set->count; k++)
                if (set->items[k].mode != LOCK_GIVEN_UP && !set->items[k].known &&
                    set->items[k].at != INSTRUCTION_NONE)
                    search->lenders[checker->program->methods[m].class_id] = true;
        }
    }
}

void belief_census(struct belief_search *search)
{
    const struct checker *checker = search->checker;
    find_lenders(search);
    for (uint32_t m = 0; m < checker->program->application_method_count; m++) {
        struct method_flow *flow = accessors_is_one(checker->program, m) ? NULL : checker->flows[m];
        for (uint32_t i = 0; flow && i < flow->event_count && !search->failed; i++) {
            const struct flow_event *event = &flow->events[i];
            if ((event->kind == EVENT_READ || event->kind == EVENT_WRITE) &&
                may_have_belief(checker, event->id) && !is_private(search, flow, i))
                count_access(search, flow, i);
        }
    }
}
