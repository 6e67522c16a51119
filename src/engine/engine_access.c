/*
 * What an access does: to a variable that nobody accessed or its owner does (own), to one that a
 * second thread comes to (share), and to one that has a record (revisit).
 */
#include "engine/engine.h"
#include "engine/engine_internal.h"

/* What the owner of a variable did last, as far as the word tells. */
struct first_phase {
    struct remembered
        accesses[2]; /* the last write, if it is not the last access; the last access */
    uint32_t count;
    bool over; /* all of it happened before the access that ended it */
};

/* The races of one access, reported when the record is unlocked. */
struct verdict {
    struct history_finding findings[HISTORY_MAX];
    uint32_t count;
};

/* A thread that comes back to a variable in one segment after the other notes that in places side
   by side. `access` says which variable. Callers do this themselves, too (inline.h), and have no
   more of the segment at hand. */
static uint64_t site_place(uint32_t slot, uint64_t segment, const struct engine_access *access,
                           uint32_t identity, bool write)
{
    uint64_t variable = (uint64_t)(access->key ^ identity) << 32 | access->field;
    uint64_t who = (slot * UINT64_C(2) + write) * UINT64_C(0xD1B54A32D192ED03);
    return cache_mix(variable ^ who) + (segment & WORD_SEGMENT_MASK);
}

static uint64_t site_key(uint64_t place)
{
    uint64_t key = cache_mix(place);
    return key ? key : 1;
}

static void put_site(struct engine *engine, uint32_t slot, uint64_t segment,
                     const struct engine_access *access)
{
    uint64_t place = site_place(slot, segment, access, access->identity, access->write);
    cache_put_at(&engine->sites, place, site_key(place),
                 (uint64_t)access->location << 32 | access->stack);
}

static bool get_site(struct engine *engine, uint32_t slot, uint64_t segment,
                     const struct engine_access *access, uint32_t identity, bool write,
                     uint64_t *site)
{
    uint64_t place = site_place(slot, segment, access, identity, write);
    return cache_get_at(&engine->sites, place, site_key(place), site);
}

/* For describe. True if there are any. */
static bool note_shared(struct engine *engine, uint32_t slot, uint64_t segment, uint32_t shared)
{
    if (shared != LOCKSET_EMPTY)
        cache_put(&engine->shared, thread_stamp_of(slot, segment), shared);
    return shared != LOCKSET_EMPTY;
}

static uint32_t shared_locks(const struct engine *engine, const struct remembered *access)
{
    uint64_t shared = LOCKSET_ALL;
    if (!access->shares)
        return LOCKSET_EMPTY;
    if (!cache_get(&engine->shared, thread_stamp_of(access->slot, access->segment), &shared))
        return LOCKSET_ALL;
    return (uint32_t)shared;
}

static void describe(struct engine *engine, const struct remembered *access, struct race_side *side)
{
    *side = (struct race_side){
        .thread = thread_name_of(&engine->threads, access->slot, access->segment),
        .segment = access->segment,
        .slot = access->slot,
        .lockset = access->lockset,
        .shared = shared_locks(engine, access),
        .location = access->location,
        .stack = access->stack,
        .write = access->write,
    };
}

static uint32_t find_between(struct engine *engine, const struct thread *thread,
                             const struct race_side *earlier)
{
    uint64_t released = 0;
    const uint32_t lock = thread_lock_between(thread, earlier->slot, earlier->segment, &released);
    /* The slot may have another thread since. */
    const bool same =
        !released || thread_name_of(&engine->threads, earlier->slot, released) == earlier->thread;
    return same ? lock : 0;
}

/* Whether the side has a lock to itself that the other one holds in shared mode. */
static bool keeps_out(struct engine *engine, const struct race_side *side,
                      const struct race_side *other)
{
    struct lockset_table *sets = &engine->locksets;
    if (!lockset_is_known(sets, side->lockset) || !lockset_is_known(sets, side->shared) ||
        !lockset_is_known(sets, other->shared))
        return false;
    const uint32_t both = lockset_intersection(sets, side->lockset, other->shared);
    return both != LOCKSET_EMPTY && !lockset_subset(sets, both, side->shared);
}

static void report(struct engine *engine, const struct thread *thread,
                   const struct engine_access *access, const struct remembered *later,
                   const struct verdict *verdict)
{
    for (uint32_t i = 0; i < verdict->count; i++) {
        const struct history_finding *finding = &verdict->findings[i];
        engine_count(&engine->races[finding->grade]);
        if (!engine->options.report)
            continue;
        struct race race = {
            .grade = finding->grade,
            .field = access->field,
            .key = access->key,
            .locks_alone = engine->options.mode == ENGINE_LOCKSET,
        };
        describe(engine, &finding->earlier, &race.earlier);
        describe(engine, later, &race.later);
        if (race.grade == RACE_PREDICTED)
            race.between = find_between(engine, thread, &race.earlier);
        race.kept_apart = !race.locks_alone && (keeps_out(engine, &race.earlier, &race.later) ||
                                                keeps_out(engine, &race.later, &race.earlier));
        engine->options.report(engine->options.context, &race);
    }
}

static struct history_now now_of(struct engine *engine, struct thread *thread,
                                 const struct engine_access *access)
{
    const uint32_t shared = engine_shared(engine, thread);
    return (struct history_now){
        .access = {.segment = thread_segment(thread),
                   .slot = thread->slot & WORD_SLOT_MASK,
                   .write = access->write,
                   .shares = note_shared(engine, thread->slot, thread_segment(thread), shared),
                   .lockset = engine_lockset(engine, thread, access->write),
                   .location = access->location,
                   .stack = access->stack},
        .full = thread_full(thread),
        .ordered = thread_ordered(thread),
    };
}

static void set_facts(struct engine_facts *facts, enum variable_state state, uint32_t owner)
{
    if (facts)
        *facts = (struct engine_facts){state, owner, LOCKSET_ALL, LOCKSET_ALL};
}

static void facts_of_record(struct engine_facts *facts, const struct variable *variable)
{
    if (!facts)
        return;
    set_facts(facts, (enum variable_state)variable->state, variable->owner);
    if (variable->state == VARIABLE_SHARED_MODIFIED) {
        facts->access_set = variable->access_set;
        facts->write_set = variable->write_set;
    }
}

/* How many segments before `segment` the owner's last write was, given the owner's last word. */
static uint32_t distance_to_write(uint64_t word, uint64_t last, uint64_t segment)
{
    if (!word || (!word_is_written(word) && !word_distance(word)))
        return 0;
    if (!word_is_written(word) && word_distance(word) == WORD_DISTANCE_MAX)
        return WORD_DISTANCE_MAX;
    uint64_t distance = segment - last + (word_is_written(word) ? 0 : word_distance(word));
    return distance < WORD_DISTANCE_MAX ? (uint32_t)distance : WORD_DISTANCE_MAX;
}

/* The first thread's access: its word is all that is kept. `word` is its last one, or 0. */
static uint64_t own(struct engine *engine, struct thread *thread,
                    const struct engine_access *access, uint64_t word, uint64_t last,
                    struct engine_facts *facts)
{
    uint64_t segment = thread_segment(thread);
    uint32_t distance = access->write ? 0 : distance_to_write(word, last, segment);
    thread_note_segment(thread);
    if (access->location | access->stack)
        put_site(engine, thread->slot, segment, access);
    set_facts(facts, VARIABLE_THREAD_LOCAL, thread->slot);
    return word_of_owner(thread->slot, segment, access->write, distance,
                         word_next_age(word, last, segment));
}

static void add_past(struct engine *engine, struct first_phase *phase,
                     const struct engine_access *access, struct thread *owner, uint64_t segment,
                     bool write)
{
    uint64_t site = 0;
    if (!get_site(engine, owner->slot, segment, access, access->identity, write, &site) &&
        !get_site(engine, owner->slot, segment, access, 0, write, &site))
        site = 0;
    const uint32_t shared = thread_shared_in(owner, segment, &engine->locksets);
    phase->accesses[phase->count++] = (struct remembered){
        .segment = segment,
        .slot = owner->slot & WORD_SLOT_MASK,
        .write = write,
        .shares = note_shared(engine, owner->slot, segment, shared),
        .lockset = thread_locks_in(owner, segment, write, &engine->locksets),
        .location = (uint32_t)(site >> 32),
        .stack = (uint32_t)site,
    };
}

static void find_first_phase(struct engine *engine, struct thread *thread,
                             const struct engine_access *access, uint64_t word,
                             struct thread *owner, uint64_t last, struct first_phase *phase)
{
    struct clock_view full = thread_full(thread);
    phase->count = 0;
    phase->over =
        engine->options.mode == ENGINE_LOCKSET || clock_view_at(&full, owner->slot) >= last;
    if (phase->over && !engine->options.object_rule)
        return; /* it is not going to be remembered */
    uint32_t distance = word_is_written(word) ? 0 : word_distance(word);
    if (distance && distance < WORD_DISTANCE_MAX && distance < last)
        add_past(engine, phase, access, owner, last - distance, true);
    add_past(engine, phase, access, owner, last, word_is_written(word));
}

/* The Atomizer's state of a variable that two threads use at once: what they do counts from the
   start. What happened before the second thread's access does not. */
static void begin_concurrent(struct engine *engine, struct variable *variable,
                             const struct first_phase *phase, const struct history_now *now)
{
    bool modified = now->access.write;
    for (uint32_t i = 0; i < phase->count; i++)
        if (clock_view_at(&now->full, phase->accesses[i].slot) < phase->accesses[i].segment)
            modified |= phase->accesses[i].write;
    variable_begin_shared(variable, modified);
    if (!modified)
        return;
    for (uint32_t i = 0; i < phase->count; i++) {
        const struct remembered *past = &phase->accesses[i];
        if (clock_view_at(&now->full, past->slot) < past->segment)
            variable_restrict(variable, &engine->locksets, past->write, past->lockset);
    }
    variable_restrict(variable, &engine->locksets, now->access.write, now->access.lockset);
}

/* Locksets alone: a report at each access of a modified variable that no lock protects. */
static void judge_locksets(struct engine *engine, const struct variable *variable,
                           const struct history_now *now, struct verdict *verdict)
{
    if (variable->state != VARIABLE_SHARED_MODIFIED || variable->access_set != LOCKSET_EMPTY)
        return;
    const struct remembered *earlier =
        history_opponent(&engine->rules, &variable->history, &now->access);
    struct history_finding finding = {.grade = RACE_PREDICTED};
    finding.earlier.lockset = LOCKSET_ALL;
    if (earlier)
        finding.earlier = *earlier;
    verdict->findings[verdict->count++] = finding;
}

static void judge(struct engine *engine, const struct variable *variable,
                  const struct history_now *now, struct verdict *verdict)
{
    if (engine->options.mode == ENGINE_LOCKSET)
        judge_locksets(engine, variable, now, verdict);
    else
        verdict->count = history_judge(&engine->rules, &variable->history, now, verdict->findings);
}

/* Remembers what there is of the first phase, and judges the access that ended it. */
static void judge_first_phase(struct engine *engine, struct variable *variable,
                              const struct first_phase *phase, const struct history_now *now,
                              struct verdict *verdict)
{
    for (uint32_t i = 0; i < phase->count; i++)
        history_append(&engine->variables.histories, &variable->history, &phase->accesses[i]);
    judge(engine, variable, now, verdict);
}

/* Fills the record of a variable to which a second thread has come. */
static void begin_record(struct engine *engine, struct variable *variable,
                         const struct first_phase *phase, const struct history_now *now,
                         struct verdict *verdict)
{
    const struct engine_options *options = &engine->options;
    if (options->object_rule) {
        variable_begin_shared(variable, now->access.write);
        variable_restrict(variable, &engine->locksets, now->access.write, now->access.lockset);
    } else if (!phase->over) {
        begin_concurrent(engine, variable, phase, now);
    } else {
        variable->owner = (uint16_t)now->access.slot;
    }
    judge_first_phase(engine, variable, phase, now, verdict);
    history_remember(&engine->variables.histories, &engine->rules, &variable->history, now);
}

/* Whether accesses of guarded variables may be left out: not where every access must be seen. */
static bool may_settle(const struct engine *engine)
{
    return engine->options.mode == ENGINE_HYBRID && !engine->options.discipline &&
           !engine->options.object_rule;
}

static uint64_t share(struct engine *engine, struct thread *thread,
                      const struct engine_access *access, uint64_t word, struct thread *owner,
                      uint64_t last, struct engine_facts *facts)
{
    struct history_now now = now_of(engine, thread, access);
    struct first_phase phase;
    struct verdict verdict;
    verdict.count = 0;
    find_first_phase(engine, thread, access, word, owner, last, &phase);
    uint32_t handle;
    struct variable *variable =
        variable_new(&engine->variables, access->field, access->key, &handle);
    if (!variable) {
        engine_count(&engine->forgotten);
        return own(engine, thread, access, 0, 0, facts);
    }
    begin_record(engine, variable, &phase, &now, &verdict);
    if (may_settle(engine))
        variable_settle(variable, &engine->locksets, handle, thread_seen(thread), access->write,
                        now.access.lockset);
    uint64_t result = word_of_record(thread_expected(thread), access->write, handle);
    variable->last = result;
    facts_of_record(facts, variable);
    spin_unlock(&variable->lock);
    report(engine, thread, access, &now.access, &verdict);
    return result;
}

/* The locks that count for the access have the one that guards the variable among them. */
static bool holds_guard(const struct thread *thread, const struct variable *variable, bool write)
{
    const uint32_t guard = variable_guard(variable);
    const struct thread_held *held = guard ? thread_find_held(thread, guard) : NULL;
    return held && (held->exclusive || (held->shared && !write));
}

static uint64_t revisit(struct engine *engine, struct thread *thread,
                        const struct engine_access *access, uint64_t word,
                        struct engine_facts *facts)
{
    struct history_now now = now_of(engine, thread, access);
    struct verdict verdict;
    verdict.count = 0;
    struct variable *variable = variable_lock(&engine->variables, word, access->field, access->key);
    if (!variable) {
        engine_count(&engine->stale);
        return own(engine, thread, access, 0, 0, facts);
    }
    now.guarded = may_settle(engine) && holds_guard(thread, variable, access->write);
    variable_step(variable, &engine->locksets, engine->options.object_rule, thread->slot,
                  access->write, now.access.lockset);
    judge(engine, variable, &now, &verdict);
    history_remember(&engine->variables.histories, &engine->rules, &variable->history, &now);
    if (now.guarded)
        variable_note_seen(variable, thread_seen(thread), access->write);
    else if (may_settle(engine))
        variable_settle(variable, &engine->locksets, word_handle(word), thread_seen(thread),
                        access->write, now.access.lockset);
    uint64_t result = word_of_record(thread_expected(thread), access->write, word_handle(word));
    variable->last = result;
    facts_of_record(facts, variable);
    spin_unlock(&variable->lock);
    report(engine, thread, access, &now.access, &verdict);
    return result;
}

uint64_t engine_access(struct engine *engine, struct thread *thread,
                       const struct engine_access *access, uint64_t word,
                       struct engine_facts *facts)
{
    if (thread && thread->untracked)
        engine_count(&engine->unjudged);
    if (!thread || thread->untracked || engine_is_repeated(thread, word, access->write)) {
        if (facts)
            engine_facts_of(engine, word, access->field, access->key, facts);
        return word;
    }
    uint64_t slow = atomic_load_explicit(&thread->slow_accesses, memory_order_relaxed);
    atomic_store_explicit(&thread->slow_accesses, slow + 1, memory_order_relaxed);
    if (word_is_shared(word))
        return revisit(engine, thread, access, word, facts);
    struct thread *owner = word ? thread_at(&engine->threads, word_slot(word)) : NULL;
    if (!owner)
        return own(engine, thread, access, 0, 0, facts);
    uint64_t last = word_owned_segment(word, thread_segment(owner));
    /* The same slot may have had another thread. */
    if (owner == thread && last >= thread_birth(thread))
        return own(engine, thread, access, word, last, facts);
    return share(engine, thread, access, word, owner, last, facts);
}

bool engine_lost(struct engine *engine, uint64_t word, uint64_t result)
{
    if (word == result)
        return false;
    if (!word_is_shared(result))
        return true;
    /* The record has the access; whose word is stored does not matter. */
    if (word_is_shared(word) && word_handle(word) == word_handle(result))
        return false;
    variable_discard(&engine->variables, word_handle(result));
    return true;
}

void engine_access_at(struct engine *engine, struct thread *thread,
                      const struct engine_access *access, _Atomic uint64_t *word,
                      struct engine_facts *facts)
{
    uint64_t seen = atomic_load_explicit(word, memory_order_relaxed);
    for (;;) {
        uint64_t before = seen;
        uint64_t result = engine_access(engine, thread, access, before, facts);
        if (result == before ||
            atomic_compare_exchange_strong_explicit(word, &seen, result, memory_order_relaxed,
                                                    memory_order_relaxed) ||
            !engine_lost(engine, before, result))
            return;
    }
}

void engine_facts_of(struct engine *engine, uint64_t word, uint32_t field, uint32_t key,
                     struct engine_facts *facts)
{
    set_facts(facts, VARIABLE_UNTOUCHED, 0);
    if (!word)
        return;
    if (!word_is_shared(word)) {
        set_facts(facts, VARIABLE_THREAD_LOCAL, word_slot(word));
        return;
    }
    struct variable *variable = variable_lock(&engine->variables, word, field, key);
    if (!variable)
        return;
    facts_of_record(facts, variable);
    spin_unlock(&variable->lock);
}
