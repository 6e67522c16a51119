#include "engine/thread.h"

#include <sched.h>
#include <string.h>

#include "base/memory.h"

bool thread_table_init(struct thread_table *table, struct clock_pool *clocks, uint32_t limit,
                       uint32_t keep_dead, size_t version_bytes)
{
    memset(table, 0, sizeof *table);
    table->clocks = clocks;
    table->limit = limit < THREAD_SLOTS_MAX ? limit : THREAD_SLOTS_MAX;
    table->keep_dead = keep_dead;
    table->version_bytes = version_bytes;
    return table->limit > 0;
}

static void release_held(struct thread *thread)
{
    if (thread->held != thread->held_inline)
        memory_release(thread->held);
    thread->held = thread->held_inline;
    thread->held_count = 0;
    thread->held_capacity = THREAD_HELD_INLINE;
}

/* Replaces the version by one of that clock, whose reference is used up. */
static void put_version(struct thread_table *table, struct thread_version *version, uint64_t from,
                        struct clock *clock)
{
    uint64_t changes = atomic_load_explicit(&version->changes, memory_order_relaxed) | 1;
    struct clock *old = atomic_load_explicit(&version->clock, memory_order_relaxed);
    atomic_store_explicit(&version->changes, changes, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&version->from, from, memory_order_relaxed);
    atomic_store_explicit(&version->clock, clock, memory_order_relaxed);
    atomic_store_explicit(&version->changes, changes + 1, memory_order_release);
    clock_drop(table->clocks, old);
}

static void drop_versions_but(struct thread_table *table, struct thread *thread, uint32_t kept)
{
    for (uint32_t i = 0; i < THREAD_VERSIONS; i++)
        if (i != kept && atomic_load_explicit(&thread->versions[i].from, memory_order_relaxed) !=
                             THREAD_NO_VERSION)
            put_version(table, &thread->versions[i], THREAD_NO_VERSION, NULL);
}

static void drop_versions(struct thread_table *table, struct thread *thread)
{
    drop_versions_but(table, thread, THREAD_VERSIONS);
    atomic_store_explicit(&thread->version_count, 0, memory_order_release);
    thread->full = NULL;
}

void thread_table_release(struct thread_table *table)
{
    for (uint32_t slot = 1; slot <= table->count; slot++) {
        struct thread *thread = atomic_load(&table->slots[slot]);
        clock_drop(table->clocks, thread->ordered);
        clock_drop(table->clocks, thread->past_full);
        clock_drop(table->clocks, thread->past_ordered);
        drop_versions(table, thread);
        release_held(thread);
        memory_release(thread);
    }
    memset(table, 0, sizeof *table);
}

static struct thread *new_slot(struct thread_table *table)
{
    if (table->count == table->limit)
        return NULL;
    struct thread *thread = memory_allocate_aligned(sizeof *thread, _Alignof(struct thread));
    if (!thread)
        return NULL;
    memset(thread, 0, sizeof *thread);
    thread->slot = table->count + 1;
    thread->held = thread->held_inline;
    thread->held_capacity = THREAD_HELD_INLINE;
    table->count++;
    atomic_store_explicit(&table->slots[thread->slot], thread, memory_order_release);
    return thread;
}

/* The slot of the thread that ended first. What that thread knew is kept for late joins. */
static struct thread *reuse_slot(struct thread_table *table)
{
    struct thread *thread = table->first_dead;
    if (!thread)
        return NULL;
    table->first_dead = thread->next_dead;
    if (!table->first_dead)
        table->last_dead = NULL;
    table->dead_count--;
    thread->next_dead = NULL;
    uint64_t last = thread_segment(thread);
    clock_join(table->clocks, &thread->past_full, thread->full, thread->slot, last);
    clock_join(table->clocks, &thread->past_ordered, thread->ordered, thread->slot, last);
    clock_drop(table->clocks, thread->ordered);
    thread->ordered = NULL;
    drop_versions(table, thread);
    return thread;
}

struct thread *thread_begin(struct thread_table *table, uint64_t name)
{
    spin_lock(&table->lock);
    struct thread *thread = NULL;
    if (table->dead_count > table->keep_dead)
        thread = reuse_slot(table);
    if (!thread)
        thread = new_slot(table);
    if (!thread)
        thread = reuse_slot(table);
    if (thread) {
        thread->live = true;
        /* In a window of its own: what the slot's last thread was alone with is not this one's. */
        atomic_store_explicit(&thread->segment, thread_segment(thread) | (WORD_BUSY_WINDOW - 1),
                              memory_order_relaxed);
        thread_new_segment(thread, true);
        thread->birth_epoch = ++thread->epoch;
        uint64_t birth = thread_segment(thread);
        atomic_store_explicit(&thread->birth, birth, memory_order_relaxed);
        thread->names[thread->name_count++ % THREAD_NAMES] = (struct thread_name){birth, name};
    }
    spin_unlock(&table->lock);
    if (!thread)
        atomic_fetch_add_explicit(&table->refused, 1, memory_order_relaxed);
    return thread;
}

void thread_end(struct thread_table *table, struct thread *thread)
{
    release_held(thread);
    thread->untracked = 0;
    thread->handover_count = 0;
    spin_lock(&table->lock);
    if (thread->live) {
        thread->live = false;
        thread->next_dead = NULL;
        if (table->last_dead)
            table->last_dead->next_dead = thread;
        else
            table->first_dead = thread;
        table->last_dead = thread;
        table->dead_count++;
    }
    spin_unlock(&table->lock);
}

bool thread_last_clocks(struct thread_table *table, const struct thread *ended, uint64_t birth,
                        struct thread_clocks *clocks)
{
    spin_lock(&table->lock);
    bool reused = thread_birth(ended) != birth;
    bool over = reused || !ended->live;
    if (over)
        *clocks = (struct thread_clocks){
            .full = clock_keep(reused ? ended->past_full : ended->full),
            .ordered = clock_keep(reused ? ended->past_ordered : ended->ordered),
            .slot = ended->slot,
            .segment = reused ? thread_birth(ended) - 1 : thread_segment(ended),
        };
    spin_unlock(&table->lock);
    return over;
}

void thread_set_full(struct thread_table *table, struct thread *thread, struct clock *clock)
{
    uint64_t count = atomic_load_explicit(&thread->version_count, memory_order_relaxed);
    uint64_t segment = thread_segment(thread);
    if (count && clock == thread->full) {
        clock_drop(table->clocks, clock);
        return;
    }
    const struct thread_version *last = &thread->versions[(count - 1) % THREAD_VERSIONS];
    if (count && atomic_load_explicit(&last->from, memory_order_relaxed) == segment)
        count--; /* nobody has seen the thread in this segment */
    const uint32_t place = (uint32_t)(count % THREAD_VERSIONS);
    put_version(table, &thread->versions[place], segment, clock);
    thread->growth = THREAD_GROWTH_UNKNOWN;
    atomic_store_explicit(&thread->version_count, count + 1, memory_order_release);
    thread->full = clock;
    /* Not before the new one is there: who asks must find one. */
    if (atomic_load_explicit(&table->clocks->bytes, memory_order_relaxed) > table->version_bytes)
        drop_versions_but(table, thread, place);
}

/* The version that holds in that segment; if that is gone, the last one, whose clock knows more
   (and not the oldest, which is the next to be changed). False when it was changed meanwhile.
   `clock` gets a copy, of which the caller owns a reference. */
static bool copy_version(struct thread_table *table, struct thread *thread, uint64_t segment,
                         struct clock **clock)
{
    const uint64_t count = atomic_load_explicit(&thread->version_count, memory_order_acquire);
    uint64_t which = 1;
    while (which < THREAD_VERSIONS && which <= count &&
           atomic_load_explicit(&thread->versions[(count - which) % THREAD_VERSIONS].from,
                                memory_order_relaxed) > segment)
        which++;
    if (which == THREAD_VERSIONS || which > count)
        which = 1;
    const struct thread_version *version = &thread->versions[(count - which) % THREAD_VERSIONS];
    const uint64_t changes = atomic_load_explicit(&version->changes, memory_order_acquire);
    const uint64_t from = atomic_load_explicit(&version->from, memory_order_relaxed);
    /* All versions may have been dropped since they were counted. */
    if (!count || changes % 2 || from == THREAD_NO_VERSION || (which > 1 && from > segment))
        return false;
    struct clock *copy =
        clock_copy(table->clocks, atomic_load_explicit(&version->clock, memory_order_relaxed));
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&version->changes, memory_order_relaxed) == changes) {
        *clock = copy;
        return true;
    }
    clock_drop(table->clocks, copy);
    return false;
}

struct clock *thread_clock_in(struct thread_table *table, uint32_t slot, uint64_t segment)
{
    /* Who is changing the version may not be running just now. To take what it knows for everything
       is the last resort: whoever learns from that knows everything, too, and races are lost. */
    enum { TRIES = 1000, PATIENT_TRIES = 100000 };
    struct thread *thread = thread_at(table, slot);
    struct clock *clock = NULL;
    if (!thread)
        return NULL;
    bool copied = false;
    for (unsigned i = 0; i < PATIENT_TRIES && !copied; i++) {
        if (i >= TRIES) {
            if (segment < thread_birth(thread))
                break;
            sched_yield();
        }
        copied = copy_version(table, thread, segment, &clock);
    }
    if (copied && segment >= thread_birth(thread))
        return clock;
    clock_drop(table->clocks, clock);
    /* An earlier thread in the slot: what it knew was added to the past before its versions went.
     */
    spin_lock(&table->lock);
    bool past = segment < thread_birth(thread);
    clock = clock_keep(past ? thread->past_full : table->clocks->everything);
    spin_unlock(&table->lock);
    return clock;
}

uint64_t thread_name_of(struct thread_table *table, uint32_t slot, uint64_t segment)
{
    struct thread *thread = thread_at(table, slot);
    if (!thread)
        return 0;
    uint64_t name = 0, birth = 0;
    spin_lock(&table->lock);
    for (uint32_t i = 0; i < THREAD_NAMES && i < thread->name_count; i++) {
        if (thread->names[i].birth <= segment && thread->names[i].birth >= birth) {
            birth = thread->names[i].birth;
            name = thread->names[i].name;
        }
    }
    spin_unlock(&table->lock);
    return name;
}

void thread_new_segment(struct thread *thread, bool locks_changed)
{
    uint64_t segment = thread_segment(thread) + 1;
    atomic_store_explicit(&thread->segment, segment, memory_order_relaxed);
    if (locks_changed)
        return;
    thread->epoch++;
    if (thread->locksets_segment == segment - 1)
        thread->locksets_segment = segment;
}

const struct thread_held *thread_find_held(const struct thread *thread, uint32_t lock)
{
    for (uint32_t i = thread->held_count; i-- > 0;)
        if (thread->held[i].lock == lock)
            return &thread->held[i];
    return NULL;
}

void thread_note_handover(struct thread *thread, uint32_t lock, uint64_t stamp)
{
    const uint64_t index = thread->handover_count++ % THREAD_HANDOVERS;
    thread->handovers[index] = (struct thread_handover){stamp, thread_segment(thread), lock};
}

/* The segment in which the thread learned of that one; 0 if it knew in all its versions. */
static uint64_t segment_learned(const struct thread *thread, uint32_t slot, uint64_t segment)
{
    const uint64_t count = atomic_load_explicit(&thread->version_count, memory_order_relaxed);
    uint64_t learned = 0;
    for (uint64_t i = 1; i <= count && i <= THREAD_VERSIONS; i++) {
        const struct thread_version *version = &thread->versions[(count - i) % THREAD_VERSIONS];
        const uint64_t from = atomic_load_explicit(&version->from, memory_order_relaxed);
        const struct clock *clock = atomic_load_explicit(&version->clock, memory_order_relaxed);
        if (from == THREAD_NO_VERSION)
            return 0;
        if (clock_at(clock, slot) < segment)
            return learned;
        learned = from;
    }
    return 0;
}

uint32_t thread_lock_between(const struct thread *thread, uint32_t slot, uint64_t segment,
                             uint64_t *released)
{
    const uint64_t count = thread->handover_count;
    const uint64_t learned = segment_learned(thread, slot, segment);
    for (uint64_t i = count > THREAD_HANDOVERS ? count - THREAD_HANDOVERS : 0; i < count; i++) {
        const struct thread_handover *handover = &thread->handovers[i % THREAD_HANDOVERS];
        const uint64_t stamp = handover->stamp;
        const bool direct =
            thread_stamp_slot(stamp) == slot && thread_stamp_segment(stamp) >= segment;
        *released = direct ? thread_stamp_segment(stamp) : 0;
        if (direct || (learned && handover->segment == learned))
            return handover->lock;
    }
    return 0;
}

/* Room for one lock more. */
static bool reserve_held(struct thread *thread)
{
    if (thread->held_count < thread->held_capacity)
        return true;
    uint32_t capacity = thread->held_capacity * 2;
    struct thread_held *held = memory_allocate(capacity * sizeof *held);
    if (!held)
        return false;
    memcpy(held, thread->held, thread->held_count * sizeof *held);
    if (thread->held != thread->held_inline)
        memory_release(thread->held);
    thread->held = held;
    thread->held_capacity = capacity;
    return true;
}

enum thread_change thread_hold(struct thread_table *table, struct thread *thread, uint32_t lock,
                               enum thread_lock_mode mode, uint32_t times)
{
    struct thread_held *held = (struct thread_held *)thread_find_held(thread, lock);
    if (!held) {
        if (lock > LOCKSET_LOCK_MAX || !reserve_held(thread)) {
            thread->untracked += times;
            atomic_fetch_add_explicit(&table->unnoted, times, memory_order_relaxed);
            return THREAD_UNKNOWN;
        }
        held = &thread->held[thread->held_count++];
        *held = (struct thread_held){.lock = lock};
    }
    bool changes = !held->exclusive && (mode == THREAD_EXCLUSIVE || !held->shared);
    if (mode == THREAD_EXCLUSIVE)
        held->exclusive += times;
    else
        held->shared += times;
    return changes ? THREAD_CHANGED : THREAD_SAME;
}

enum thread_change thread_let_go(struct thread_table *table, struct thread *thread, uint32_t lock,
                                 enum thread_lock_mode mode, uint32_t times)
{
    struct thread_held *held = (struct thread_held *)thread_find_held(thread, lock);
    uint32_t *count = NULL;
    if (held)
        count = mode == THREAD_EXCLUSIVE ? &held->exclusive : &held->shared;
    if (!count || *count < times || !times) {
        if (thread->untracked >= times)
            thread->untracked -= times;
        else
            atomic_fetch_add_explicit(&table->unbalanced, 1, memory_order_relaxed);
        return THREAD_UNKNOWN;
    }
    *count -= times;
    if (*count)
        return THREAD_SAME;
    bool changes = mode == THREAD_EXCLUSIVE || !held->exclusive;
    if (!held->exclusive && !held->shared) {
        uint32_t index = (uint32_t)(held - thread->held);
        thread->held_count--;
        memmove(held, held + 1, (thread->held_count - index) * sizeof *held);
    }
    return changes ? THREAD_CHANGED : THREAD_SAME;
}

void thread_find_locksets(struct thread *thread, struct lockset_table *locksets)
{
    if (thread->locksets_segment == thread_segment(thread))
        return;
    uint32_t any = LOCKSET_EMPTY, exclusive = LOCKSET_EMPTY, shared = LOCKSET_EMPTY;
    for (uint32_t i = 0; i < thread->held_count; i++) {
        uint32_t single = lockset_single(thread->held[i].lock);
        any = lockset_union(locksets, any, single);
        if (thread->held[i].exclusive)
            exclusive = lockset_union(locksets, exclusive, single);
        else
            shared = lockset_union(locksets, shared, single);
    }
    thread->any = any;
    thread->exclusive = exclusive;
    thread->shared = shared;
    thread->locksets_segment = thread_segment(thread);
}

/* The lock's id + 1, so that 0 is no lock; the top bit: it is held in shared mode only. */
static uint64_t note_of(const struct thread *thread, uint32_t index)
{
    if (index >= thread->held_count)
        return 0;
    const struct thread_held *held = &thread->held[index];
    return (uint64_t)(held->lock + 1) | (held->exclusive ? 0 : THREAD_LOCK_SHARED);
}

void thread_note_segment(struct thread *thread)
{
    uint64_t segment = thread_segment(thread);
    if (thread->noted == segment)
        return;
    thread->noted = segment;
    struct thread_segment *note = &thread->segments[segment % THREAD_SEGMENTS];
    if (thread->held_count > THREAD_SEGMENT_LOCKS)
        return;
    atomic_store_explicit(&note->segment, 0, memory_order_relaxed);
    for (uint32_t i = 0; i < THREAD_SEGMENT_LOCKS / 2; i++)
        atomic_store_explicit(&note->locks[i],
                              note_of(thread, 2 * i) | note_of(thread, 2 * i + 1) << 32,
                              memory_order_release);
    atomic_store_explicit(&note->segment, segment, memory_order_release);
}

/* What was noted of the segment, as note_of has it; false when that is not known any more. */
static bool read_note(struct thread *thread, uint64_t segment, uint32_t locks[THREAD_SEGMENT_LOCKS])
{
    struct thread_segment *note = &thread->segments[segment % THREAD_SEGMENTS];
    uint64_t before = atomic_load_explicit(&note->segment, memory_order_acquire);
    for (uint32_t i = 0; i < THREAD_SEGMENT_LOCKS / 2; i++) {
        uint64_t two = atomic_load_explicit(&note->locks[i], memory_order_acquire);
        locks[2 * i] = (uint32_t)two;
        locks[2 * i + 1] = (uint32_t)(two >> 32);
    }
    uint64_t after = atomic_load_explicit(&note->segment, memory_order_relaxed);
    return before == segment && after == segment;
}

static uint32_t add_noted(struct lockset_table *locksets, uint32_t set, uint32_t noted)
{
    return lockset_union(locksets, set, lockset_single((noted & ~THREAD_LOCK_SHARED) - 1));
}

uint32_t thread_locks_in(struct thread *thread, uint64_t segment, bool write,
                         struct lockset_table *locksets)
{
    uint32_t locks[THREAD_SEGMENT_LOCKS], set = LOCKSET_EMPTY;
    if (!read_note(thread, segment, locks))
        return LOCKSET_ALL;
    for (uint32_t i = 0; i < THREAD_SEGMENT_LOCKS; i++)
        if (locks[i] && !(write && (locks[i] & THREAD_LOCK_SHARED)))
            set = add_noted(locksets, set, locks[i]);
    return set;
}

uint32_t thread_shared_in(struct thread *thread, uint64_t segment, struct lockset_table *locksets)
{
    uint32_t locks[THREAD_SEGMENT_LOCKS], set = LOCKSET_EMPTY;
    if (!read_note(thread, segment, locks))
        return LOCKSET_EMPTY;
    for (uint32_t i = 0; i < THREAD_SEGMENT_LOCKS; i++)
        if (locks[i] & THREAD_LOCK_SHARED)
            set = add_noted(locksets, set, locks[i]);
    return set;
}
