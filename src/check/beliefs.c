#include "check/beliefs.h"

#include "base/vector.h"
#include "check/accessors.h"
#include "check/checker.h"

enum {
    WRITE_WEIGHT = 2, /* a write without the lock says more than a read */
    LEAST_HELD = 2,   /* one access under a lock is chance */
    LEAST_WEIGHT = 4, /* so are two reads */
    LEAST_WRITES = 3, /* for a guard of writes only */
    TOO_MANY = 64     /* candidates for one field: no discipline there */
};

struct candidate {
    term lock;
    uint32_t reads, writes; /* that hold it */
};

struct tally {
    uint32_t field;
    uint32_t reads, writes; /* that count */
    VECTOR(struct candidate) candidates;
};

struct census {
    struct beliefs *beliefs;
    const struct checker *checker;
    struct tally **by_field;
    struct arena scratch;
    bool failed;
};

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

/* Accesses that no other thread can meet. */
static bool is_private(const struct checker *checker, const struct method_flow *flow,
                       const struct flow_event *event)
{
    const struct term_content object = term_content(&flow->terms, event->object);
    return (event->flags & (EVENT_OBJECT_FRESH | EVENT_UNDER_CONSTRUCTION)) ||
           (object.kind == TERM_PARAMETER && object.a == 0 && !flow->is_static &&
            checker->entry.methods[flow->method].constructing);
}

/* ---- counting ---- */

static struct tally *tally_of(struct census *census, uint32_t field)
{
    if (!census->by_field[field]) {
        census->by_field[field] = ARENA_NEW(&census->scratch, struct tally);
        if (census->by_field[field])
            census->by_field[field]->field = field;
        else
            census->failed = true;
    }
    return census->by_field[field];
}

static void count_candidate(struct census *census, struct tally *tally, term lock, bool write)
{
    for (size_t i = 0; i < tally->candidates.count; i++) {
        struct candidate *candidate = &tally->candidates.items[i];
        if (candidate->lock == lock) {
            candidate->writes += write;
            candidate->reads += !write;
            return;
        }
    }
    if (tally->candidates.count < TOO_MANY &&
        !vector_push(&tally->candidates, ((struct candidate){lock, !write, write})))
        census->failed = true;
}

/* Each lock once, even if it is held twice over. */
struct named_locks {
    term items[TOO_MANY];
    uint32_t count;
};

static void name_lock(struct census *census, const struct method_flow *flow, term lock, term object,
                      struct named_locks *named)
{
    const term name = entry_locks_translate(&flow->terms, lock, &object, object != TERM_NONE, false,
                                            &census->beliefs->terms);
    if (name == TERM_NONE || named->count == TOO_MANY)
        return;
    for (uint32_t i = 0; i < named->count; i++)
        if (named->items[i] == name)
            return;
    named->items[named->count++] = name;
}

static bool is_enough(unsigned mode, bool write)
{
    return mode == LOCK_EXCLUSIVE || (mode == LOCK_SHARED && !write);
}

static void count_access(struct census *census, struct method_flow *flow,
                         const struct flow_event *event)
{
    const struct checker *checker = census->checker;
    const bool write = event->kind == EVENT_WRITE;
    struct tally *tally = tally_of(census, event->id);
    struct named_locks named = {.count = 0};
    if (!tally)
        return;
    tally->writes += write;
    tally->reads += !write;
    const struct lock_set *set = &flow->lock_sets[event->locks];
    for (uint32_t i = 0; i < set->count; i++)
        if (is_enough(set->items[i].mode, write))
            name_lock(census, flow, set->items[i].lock, event->object, &named);
    const struct method_entry *entry = &checker->entry.methods[flow->method];
    for (uint32_t i = 0; i < entry->count; i++) {
        /* Entry locks are in terms of parameters; so is the object, if it is one of them, or a
           part of one. */
        const struct term_table *terms = &checker->entry.terms;
        if (!is_enough(entry->locks[i].mode, write))
            continue;
        const term lock = entry_locks_copy(terms, entry->locks[i].lock, &flow->terms);
        if (lock != TERM_NONE)
            name_lock(census, flow, lock, event->object, &named);
    }
    for (uint32_t i = 0; i < named.count; i++)
        count_candidate(census, tally, named.items[i], write);
}

static void take_census(struct census *census)
{
    const struct checker *checker = census->checker;
    for (uint32_t m = 0; m < checker->program->application_method_count; m++) {
        struct method_flow *flow = accessors_is_one(checker->program, m) ? NULL : checker->flows[m];
        for (uint32_t i = 0; flow && i < flow->event_count && !census->failed; i++) {
            const struct flow_event *event = &flow->events[i];
            if ((event->kind == EVENT_READ || event->kind == EVENT_WRITE) &&
                may_have_belief(checker, event->id) && !is_private(checker, flow, event))
                count_access(census, flow, event);
        }
    }
}

/* ---- deciding ---- */

static uint32_t weight(uint32_t reads, uint32_t writes)
{
    return reads + writes * WRITE_WEIGHT;
}

/* `this` before fields of it before statics, where the counts are equal. */
static bool is_simpler(const struct term_table *terms, term a, term b)
{
    return term_kind(terms, a) < term_kind(terms, b);
}

static const struct candidate *best_candidate(const struct census *census,
                                              const struct tally *tally)
{
    const struct candidate *best = NULL;
    for (size_t i = 0; i < tally->candidates.count; i++) {
        const struct candidate *candidate = &tally->candidates.items[i];
        const uint32_t own = weight(candidate->reads, candidate->writes);
        const uint32_t other = best ? weight(best->reads, best->writes) : 0;
        if (own > other ||
            (own == other && is_simpler(&census->beliefs->terms, candidate->lock, best->lock)))
            best = candidate;
    }
    return best;
}

static bool decide(const struct census *census, const struct tally *tally, struct belief *belief)
{
    const struct candidate *best = best_candidate(census, tally);
    if (!best || !tally->writes)
        return false;
    const uint32_t held = weight(best->reads, best->writes);
    const uint32_t all = weight(tally->reads, tally->writes);
    *belief = (struct belief){.lock = best->lock};
    if (held * 3 >= all * 2 && held >= LEAST_WEIGHT && best->reads + best->writes >= LEAST_HELD &&
        best->writes > 0) {
        belief->guard = GUARD_ALWAYS;
        belief->held = best->reads + best->writes;
        belief->total = tally->reads + tally->writes;
        belief->surety = (uint16_t)(1000 * (uint64_t)held / (all + LEAST_WEIGHT));
        return true;
    }
    if (best->writes >= LEAST_WRITES && best->writes * 4 >= tally->writes * 3) {
        belief->guard = GUARD_WRITES;
        belief->held = best->writes;
        belief->total = tally->writes;
        belief->surety = (uint16_t)(800 * (uint64_t)best->writes / (tally->writes + LEAST_WRITES));
        return true;
    }
    return false;
}

static void keep_beliefs(struct census *census)
{
    struct beliefs *beliefs = census->beliefs;
    const uint32_t count = census->checker->program->application_field_count;
    for (uint32_t field = 0; field < count && !census->failed; field++) {
        const struct tally *tally = census->by_field[field];
        struct belief belief;
        if (!tally)
            continue;
        if (!decide(census, tally, &belief)) {
            beliefs->silent++;
            continue;
        }
        struct belief *kept = ARENA_NEW(&beliefs->arena, struct belief);
        if (kept)
            *kept = belief;
        if (!kept || !intmap_put(&beliefs->by_field, field, (uint64_t)(uintptr_t)kept))
            census->failed = true;
    }
}

bool beliefs_find(struct beliefs *beliefs, const struct checker *checker, struct problem *problem)
{
    const uint32_t count = checker->program->application_field_count;
    struct census census = {.beliefs = beliefs, .checker = checker};
    arena_init(&beliefs->arena);
    arena_init(&census.scratch);
    intmap_init(&beliefs->by_field);
    census.by_field = arena_allocate_zeroed(&census.scratch, (count + 1u) * sizeof *census.by_field,
                                            alignof(struct tally *));
    census.failed = !census.by_field || !term_table_init(&beliefs->terms, &beliefs->arena);
    if (!census.failed) {
        take_census(&census);
        keep_beliefs(&census);
        for (uint32_t i = 0; i < count; i++)
            if (census.by_field[i])
                vector_release(&census.by_field[i]->candidates);
    }
    arena_release(&census.scratch);
    if (census.failed)
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    return !census.failed;
}

void beliefs_release(struct beliefs *beliefs)
{
    intmap_release(&beliefs->by_field);
    term_table_release(&beliefs->terms);
    arena_release(&beliefs->arena);
}

const struct belief *beliefs_of(const struct beliefs *beliefs, uint32_t field)
{
    uint64_t value;
    return intmap_get(&beliefs->by_field, field, &value) ? (const struct belief *)(uintptr_t)value
                                                         : NULL;
}
