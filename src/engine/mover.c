#include "engine/mover.h"

#include <string.h>

#include "base/memory.h"
#include "engine/cache.h"

#define SLOT_SHIFT 50
#define SEGMENT_MASK ((UINT64_C(1) << SLOT_SHIFT) - 1)
#define WAYS 4u
#define CHUNK_SETS 64u

const char *const mover_refinement_names[MOVER_REFINEMENTS] = {
    "reentrant-locks", "thread-local-locks",   "thread-local-2-locks",
    "protected-locks", "write-protected-data",
};

uint32_t mover_refinement_from(struct text name)
{
    for (unsigned i = 0; i < MOVER_REFINEMENTS; i++)
        if (text_is(name, mover_refinement_names[i]))
            return UINT32_C(1) << i;
    return 0;
}

const char *mover_name(enum mover mover)
{
    switch (mover) {
    case MOVER_BOTH:
        return "both-mover";
    case MOVER_RIGHT:
        return "right-mover";
    case MOVER_LEFT:
        return "left-mover";
    case MOVER_NON:
        break;
    }
    return "non-mover";
}

enum mover mover_of_access(const struct mover_rules *rules, const struct engine_facts *facts,
                           uint32_t lockset, bool write)
{
    if (facts->state != VARIABLE_SHARED_MODIFIED)
        return MOVER_BOTH;
    bool pairs = rules->refinements & MOVER_WRITE_PROTECTED_DATA;
    uint32_t set = pairs && !write ? facts->write_set : facts->access_set;
    return lockset_disjoint(rules->locksets, set, lockset) ? MOVER_NON : MOVER_BOTH;
}

/*
 * Usage.
 */

static uint64_t pack(const struct mover_user *user)
{
    return (uint64_t)user->slot << SLOT_SHIFT | (user->segment & SEGMENT_MASK);
}

static bool is_after(const struct mover_user *user, uint64_t use)
{
    return mover_is_after(user, (uint32_t)(use >> SLOT_SHIFT), use & SEGMENT_MASK);
}

static bool is_after_all(const struct mover_user *user, const uint64_t *uses)
{
    for (unsigned i = 0; i < MOVER_USERS && uses[i]; i++)
        if (!is_after(user, uses[i]))
            return false;
    return true;
}

static bool is_only_user(const struct mover_usage *usage, uint32_t slot)
{
    return usage->users[0] >> SLOT_SHIFT == slot && !usage->users[1];
}

/* Puts `use` behind the others. */
static void append_use(struct mover_usage *usage, uint64_t use)
{
    unsigned count = 0;
    while (count < MOVER_USERS && usage->users[count])
        count++;
    if (count == MOVER_USERS) {
        memmove(usage->users, usage->users + 1, --count * sizeof *usage->users);
        usage->crowded = true;
    }
    usage->users[count] = use;
}

static void note_user(struct mover_usage *usage, const struct mover_user *user)
{
    unsigned kept = 0;
    if (is_only_user(usage, user->slot)) {
        usage->users[0] = pack(user);
        return;
    }
    for (unsigned i = 0; i < MOVER_USERS; i++) {
        uint64_t use = usage->users[i];
        if (use && !is_after(user, use))
            usage->users[kept++] = use;
    }
    while (kept < MOVER_USERS)
        usage->users[kept++] = 0;
    append_use(usage, pack(user));
}

/* Can the uses of the present group stand beside each other? */
static bool is_protected(const struct mover_usage *usage, const struct mover_rules *rules,
                         enum mover_thing thing)
{
    if (usage->state == MOVER_UNUSED || usage->state == MOVER_LOCAL_2)
        return true;
    if (thing == MOVER_VARIABLE)
        return usage->state == MOVER_LOCAL || !usage->written || usage->access_set != LOCKSET_EMPTY;
    return (usage->state == MOVER_LOCAL && (rules->refinements & MOVER_THREAD_LOCAL_LOCKS)) ||
           ((rules->refinements & MOVER_PROTECTED_LOCKS) && usage->access_set != LOCKSET_EMPTY);
}

/* The user takes over from the group. What goes on from there is another group. */
static void hand_over(struct mover_usage *usage, const struct mover_rules *rules,
                      enum mover_thing thing)
{
    if (rules->final) {
        if (!usage->handed_over)
            usage->past_access_set = usage->past_write_set = LOCKSET_ALL;
        if (!is_protected(usage, rules, thing)) {
            uint32_t before = usage->open ? usage->open_write_set : LOCKSET_ALL;
            usage->open = true;
            usage->open_write_set = lockset_intersection(rules->locksets, before, usage->write_set);
        }
        memcpy(usage->past_users, usage->users, sizeof usage->past_users);
        usage->past_access_set =
            lockset_intersection(rules->locksets, usage->past_access_set, usage->access_set);
        usage->past_write_set =
            lockset_intersection(rules->locksets, usage->past_write_set, usage->write_set);
        usage->past_written |= usage->written;
    }
    usage->handed_over = true;
    usage->state = MOVER_LOCAL_2;
    memset(usage->users, 0, sizeof usage->users);
    usage->access_set = usage->write_set = LOCKSET_ALL;
    usage->written = false;
}

/* The user can run at the same time as a group that was thought to be over. */
static void merge_past(struct mover_usage *usage, const struct mover_rules *rules)
{
    usage->state = MOVER_SHARED;
    usage->access_set =
        lockset_intersection(rules->locksets, usage->access_set, usage->past_access_set);
    usage->write_set =
        lockset_intersection(rules->locksets, usage->write_set, usage->past_write_set);
    usage->written |= usage->past_written;
    for (unsigned i = 0; i < MOVER_USERS; i++)
        if (usage->past_users[i])
            append_use(usage, usage->past_users[i]);
    memset(usage->past_users, 0, sizeof usage->past_users);
}

static bool may_hand_over(const struct mover_usage *usage, const struct mover_rules *rules,
                          enum mover_thing thing, const struct mover_user *user)
{
    if (thing == MOVER_LOCK && !(rules->refinements & MOVER_THREAD_LOCAL_2_LOCKS))
        return false;
    return is_after_all(user, usage->users) || (!rules->final && usage->state == MOVER_LOCAL);
}

bool mover_usage_add(struct mover_usage *usage, const struct mover_rules *rules,
                     enum mover_thing thing, const struct mover_user *user, uint32_t lockset,
                     bool write)
{
    bool taken_over = false;
    if (!user->slot)
        return false;
    if (usage->state == MOVER_UNUSED) {
        usage->state = MOVER_LOCAL;
        usage->access_set = usage->write_set = LOCKSET_ALL;
    } else if (!is_only_user(usage, user->slot)) {
        taken_over = may_hand_over(usage, rules, thing, user);
        if (taken_over)
            hand_over(usage, rules, thing);
        else
            usage->state = MOVER_SHARED;
    }
    if (!is_after_all(user, usage->past_users))
        merge_past(usage, rules);
    note_user(usage, user);
    usage->access_set = lockset_intersection(rules->locksets, usage->access_set, lockset);
    if (write) {
        usage->write_set = lockset_intersection(rules->locksets, usage->write_set, lockset);
        usage->written = true;
    }
    return taken_over;
}

void mover_usage_facts(const struct mover_usage *usage, const struct mover_rules *rules,
                       struct engine_facts *facts)
{
    static const enum variable_state states[] = {
        [MOVER_UNUSED] = VARIABLE_UNTOUCHED,
        [MOVER_LOCAL] = VARIABLE_THREAD_LOCAL,
        [MOVER_LOCAL_2] = VARIABLE_THREAD_LOCAL_2,
        [MOVER_SHARED] = VARIABLE_READ_SHARED,
    };
    bool open = !is_protected(usage, rules, MOVER_VARIABLE);
    *facts = (struct engine_facts){states[usage->state], 0, LOCKSET_ALL, LOCKSET_ALL};
    if (usage->state == MOVER_LOCAL || usage->state == MOVER_LOCAL_2)
        facts->owner = (uint32_t)(usage->users[0] >> SLOT_SHIFT);
    if (usage->state == MOVER_SHARED && usage->written)
        facts->state = VARIABLE_SHARED_MODIFIED;
    if (usage->open || open) {
        facts->state = VARIABLE_SHARED_MODIFIED;
        facts->access_set = LOCKSET_EMPTY;
        if (open)
            facts->write_set = usage->write_set;
        if (usage->open)
            facts->write_set =
                lockset_intersection(rules->locksets, facts->write_set, usage->open_write_set);
    } else if (facts->state == VARIABLE_SHARED_MODIFIED && !usage->handed_over) {
        facts->access_set = usage->access_set;
        facts->write_set = usage->write_set;
    }
}

/*
 * The table of locks: sets of a few places each, in chunks that come when they are needed.
 */

struct mover_entry {
    uint32_t lock;
    bool used;
    bool referenced; /* since the hand passed */
    struct mover_usage usage;
};

struct mover_set {
    struct spin lock;
    uint32_t hand;
    struct mover_entry entries[WAYS];
};

struct mover_chunk {
    struct mover_set sets[CHUNK_SETS];
};

void mover_options_default(struct mover_options *options)
{
    *options = (struct mover_options){.refinements = MOVER_ALL_REFINEMENTS, .locks = 1u << 16};
}

static size_t chunk_count(const struct mover_table *table)
{
    return ((size_t)table->set_mask + 1) / CHUNK_SETS;
}

bool mover_table_init(struct mover_table *table, const struct mover_options *options,
                      struct lockset_table *locksets)
{
    uint32_t sets = CHUNK_SETS;
    while (sets < (UINT32_C(1) << 30) && (uint64_t)sets * WAYS < options->locks)
        sets *= 2;
    *table = (struct mover_table){
        .rules = {locksets, options->refinements, options->final},
        .set_mask = sets - 1,
    };
    table->chunks = memory_allocate(chunk_count(table) * sizeof *table->chunks);
    if (!table->chunks)
        return false;
    for (size_t i = 0; i < chunk_count(table); i++)
        atomic_init(&table->chunks[i], NULL);
    return true;
}

void mover_table_release(struct mover_table *table)
{
    for (size_t i = 0; table->chunks && i < chunk_count(table); i++)
        memory_release(atomic_load_explicit(&table->chunks[i], memory_order_relaxed));
    memory_release(table->chunks);
    table->chunks = NULL;
}

static void count(_Atomic uint64_t *counter)
{
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* The set of a lock; NULL when it is not there, and cannot be or is not to be made. */
static struct mover_set *set_of(struct mover_table *table, uint32_t lock, bool make)
{
    uint32_t index = (uint32_t)cache_mix((uint64_t)lock + 1) & table->set_mask;
    _Atomic(struct mover_chunk *) *place = &table->chunks[index / CHUNK_SETS];
    struct mover_chunk *chunk = atomic_load_explicit(place, memory_order_acquire);
    if (!chunk && make) {
        struct mover_chunk *made = memory_allocate(sizeof *made);
        if (!made)
            return NULL;
        memset(made, 0, sizeof *made);
        if (atomic_compare_exchange_strong_explicit(place, &chunk, made, memory_order_acq_rel,
                                                    memory_order_acquire))
            chunk = made;
        else
            memory_release(made);
    }
    return chunk ? &chunk->sets[index % CHUNK_SETS] : NULL;
}

static struct mover_entry *find_entry(struct mover_set *set, uint32_t lock)
{
    for (unsigned i = 0; i < WAYS; i++)
        if (set->entries[i].used && set->entries[i].lock == lock)
            return &set->entries[i];
    return NULL;
}

/* A place for a new lock: a free one, or that of one that was not used for a while. */
static struct mover_entry *add_entry(struct mover_table *table, struct mover_set *set,
                                     uint32_t lock)
{
    struct mover_entry *entry = NULL;
    for (unsigned i = 0; i < WAYS && !entry; i++)
        if (!set->entries[i].used)
            entry = &set->entries[i];
    while (!entry) {
        struct mover_entry *candidate = &set->entries[set->hand++ % WAYS];
        if (!candidate->referenced)
            entry = candidate;
        candidate->referenced = false;
    }
    if (entry->used)
        count(&table->evicted);
    count(&table->locks);
    memset(entry, 0, sizeof *entry);
    entry->lock = lock;
    entry->used = true;
    return entry;
}

static bool is_lock_protected(const struct mover_rules *rules, const struct mover_usage *usage)
{
    return is_protected(usage, rules, MOVER_LOCK) && !(rules->final && usage->open);
}

/* Uses the lock, unless all that matters is known, and says what is known of it. */
static void consult(struct mover_table *table, uint32_t lock, const struct mover_user *user,
                    uint32_t held, bool note, struct mover_verdict *verdict)
{
    note &= !table->frozen;
    struct mover_set *set = set_of(table, lock, note);
    *verdict = (struct mover_verdict){.mover = MOVER_BOTH, .protecting = LOCKSET_ALL};
    if (!set) {
        if (note)
            count(&table->forgotten);
        return;
    }
    spin_lock(&set->lock);
    struct mover_entry *entry = find_entry(set, lock);
    if (!entry && note)
        entry = add_entry(table, set, lock);
    if (entry) {
        bool before = is_lock_protected(&table->rules, &entry->usage);
        entry->referenced = true;
        if (note)
            verdict->taken_over =
                mover_usage_add(&entry->usage, &table->rules, MOVER_LOCK, user, held, true);
        verdict->state = (enum mover_state)entry->usage.state;
        verdict->protecting = entry->usage.access_set;
        verdict->crowded = entry->usage.crowded;
        verdict->losable = is_lock_protected(&table->rules, &entry->usage);
        verdict->lost = before && !verdict->losable;
    }
    spin_unlock(&set->lock);
}

static struct mover_verdict classify(struct mover_table *table, uint32_t lock,
                                     const struct mover_user *user, uint32_t held, bool reentrant,
                                     enum mover plain)
{
    struct mover_verdict verdict = {.mover = MOVER_BOTH, .protecting = LOCKSET_ALL};
    if (!user->slot || (reentrant && (table->rules.refinements & MOVER_REENTRANT_LOCKS)))
        return verdict;
    consult(table, lock, user, held, !reentrant, &verdict);
    if (verdict.state != MOVER_UNUSED && !verdict.losable)
        verdict.mover = plain;
    return verdict;
}

struct mover_verdict mover_acquire(struct mover_table *table, uint32_t lock,
                                   const struct mover_user *user, uint32_t held, bool reentrant)
{
    return classify(table, lock, user, held, reentrant, MOVER_RIGHT);
}

struct mover_verdict mover_release(struct mover_table *table, uint32_t lock,
                                   const struct mover_user *user, uint32_t held, bool reentrant)
{
    return classify(table, lock, user, held, reentrant, MOVER_LEFT);
}

enum mover mover_reconsider(const struct mover_rules *rules, const struct mover_verdict *verdict,
                            uint32_t held, bool acquire)
{
    if (verdict->losable && (verdict->state != MOVER_SHARED ||
                             !lockset_disjoint(rules->locksets, verdict->protecting, held)))
        return MOVER_BOTH;
    return acquire ? MOVER_RIGHT : MOVER_LEFT;
}

void mover_forget(struct mover_table *table, uint32_t lock)
{
    struct mover_set *set = set_of(table, lock, false);
    if (!set)
        return;
    spin_lock(&set->lock);
    struct mover_entry *entry = find_entry(set, lock);
    if (entry)
        entry->used = false;
    spin_unlock(&set->lock);
}

void mover_freeze(struct mover_table *table)
{
    table->frozen = true;
}

void mover_counts(struct mover_table *table, struct mover_counts *counts)
{
    *counts = (struct mover_counts){
        .locks = atomic_load_explicit(&table->locks, memory_order_relaxed),
        .evicted = atomic_load_explicit(&table->evicted, memory_order_relaxed),
        .forgotten = atomic_load_explicit(&table->forgotten, memory_order_relaxed),
    };
}
