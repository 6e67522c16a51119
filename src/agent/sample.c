#include "agent/sample.h"

#include <string.h>

#include "agent/record.h"
#include "base/intmap.h"
#include "base/memory.h"
#include "base/moment.h"

enum {
    /* Accesses and the like that a thread may tell; each takes about as long as some hundred that
       are not told. */
    BUDGET = 200000, /* at once, and when it is new */
    BUDGET_OF_SECOND = 50000,
    BUDGET_OF_BLOCK = 40000, /* in one execution of an outermost block */
    OUTSIDE = 20000,         /* outside of blocks, ever */
    LOCK_COST = 4,           /* its stack is taken each time */
    LOCKS_MAX = 32,          /* held at once, that are told */
    VARIABLES_MAX = 1 << 21,
};

/* A lock that the thread has in the trace. */
struct sample_lock {
    uint32_t lock, exclusive, shared;
};

/* What a thread has told; stays with its slot. */
struct sample_told {
    struct sample_lock locks[LOCKS_MAX];
    uint32_t waiting; /* in the trace it waits, and had the lock so often */
};

static struct {
    pthread_mutex_t lock;
    jlong tag; /* the last one that was given */
    struct intmap variables;
} sample = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- how much a thread may tell ---- */

void sample_thread(struct agent_thread *thread, bool for_program)
{
    if (!thread->told)
        thread->told = memory_allocate(sizeof *thread->told);
    if (!thread->counts) {
        thread->counts = memory_map((SAMPLE_BLOCKS + SAMPLE_ACCESSES) * sizeof *thread->counts);
        thread->budget = BUDGET;
        thread->outside = OUTSIDE;
        thread->refilled = moment_milliseconds();
    }
    if (thread->told)
        *thread->told = (struct sample_told){0};
    thread->active = thread->telling =
        for_program && thread->counts && thread->told && thread->outside > 0;
}

bool sample_begin(struct agent_thread *thread)
{
    if (!thread->counts || !thread->told)
        return false;
    const uint64_t now = moment_milliseconds(), since = now - thread->refilled;
    const int64_t more = since < 60000 ? (int64_t)since * BUDGET_OF_SECOND / 1000 : BUDGET;
    if (more) {
        thread->budget = thread->budget + more < BUDGET ? thread->budget + more : BUDGET;
        thread->refilled = now;
    }
    if (thread->budget <= 0)
        return false;
    thread->floor = thread->budget > BUDGET_OF_BLOCK ? thread->budget - BUDGET_OF_BLOCK : 0;
    return true;
}

static bool spend(struct agent_thread *thread, int64_t cost)
{
    if (!thread->told_blocks) {
        thread->outside -= cost;
        return thread->outside > 0;
    }
    thread->budget -= cost;
    return thread->budget > thread->floor;
}

/* ---- locks ---- */

static struct sample_lock *told_lock(struct agent_thread *thread, uint32_t lock)
{
    for (uint32_t i = 0; i < thread->told_locks; i++)
        if (thread->told->locks[i].lock == lock)
            return &thread->told->locks[i];
    return NULL;
}

/* The others stay in the order in which they were taken: whether one is held around the uses of
   another can matter. */
static void forget_lock(struct agent_thread *thread, struct sample_lock *told)
{
    const struct sample_lock *const end = thread->told->locks + thread->told_locks--;
    memmove(told, told + 1, (size_t)(end - told - 1) * sizeof *told);
}

static struct thread_held held_lock(const struct agent_thread *thread, uint32_t lock)
{
    const struct thread *engine = thread->engine;
    for (uint32_t i = 0; i < engine->held_count; i++)
        if (engine->held[i].lock == lock)
            return engine->held[i];
    return (struct thread_held){.lock = lock};
}

static void tell_lock(struct agent_thread *thread, enum trace_kind kind, uint32_t lock)
{
    record_lock(thread, kind, lock);
    spend(thread, LOCK_COST);
}

/* In the trace the thread has the lock no more than so often. */
static void give_up(struct agent_thread *thread, struct sample_lock *told, uint32_t exclusive,
                    uint32_t shared)
{
    for (; told->exclusive > exclusive; told->exclusive--)
        tell_lock(thread, TRACE_RELEASE, told->lock);
    for (; told->shared > shared; told->shared--)
        tell_lock(thread, TRACE_RELEASE_SHARED, told->lock);
    if (!told->exclusive && !told->shared)
        forget_lock(thread, told);
}

/* The innermost first, as they are given up in the program. */
static void tell_given_up(struct agent_thread *thread, bool all)
{
    for (uint32_t i = thread->told_locks; i > 0; i--) {
        struct sample_lock *told = &thread->told->locks[i - 1];
        const struct thread_held held = held_lock(thread, told->lock);
        give_up(thread, told, all ? 0 : held.exclusive, all ? 0 : held.shared);
    }
}

static void tell_taken(struct agent_thread *thread, const struct thread_held *held, bool at_once)
{
    struct sample_lock *told = told_lock(thread, held->lock);
    if (!told) {
        if (thread->told_locks == LOCKS_MAX)
            return;
        told = &thread->told->locks[thread->told_locks++];
        *told = (struct sample_lock){.lock = held->lock};
    }
    for (; told->exclusive < held->exclusive; told->exclusive++) {
        if (at_once)
            tell_lock(thread, TRACE_TRY, held->lock);
        tell_lock(thread, TRACE_ACQUIRE, held->lock);
    }
    for (; told->shared < held->shared; told->shared++) {
        if (at_once)
            tell_lock(thread, TRACE_TRY, held->lock);
        tell_lock(thread, TRACE_ACQUIRE_SHARED, held->lock);
    }
}

void sample_locks(struct agent_thread *thread, bool at_once)
{
    const struct thread *engine = thread->engine;
    tell_given_up(thread, false);
    if (!thread->telling)
        return;
    for (uint32_t i = 0; i < engine->held_count; i++)
        tell_taken(thread, &engine->held[i], at_once);
}

void sample_wait(struct agent_thread *thread, uint32_t lock)
{
    struct sample_lock *told = told_lock(thread, lock);
    if (!thread->telling || !told) {
        sample_locks(thread, false);
        return;
    }
    tell_lock(thread, TRACE_WAIT, lock);
    thread->told->waiting = told->exclusive;
    forget_lock(thread, told);
}

void sample_waited(struct agent_thread *thread, uint32_t lock)
{
    if (thread->told && thread->told->waiting && thread->told_locks < LOCKS_MAX) {
        tell_lock(thread, TRACE_WAITED, lock);
        thread->told->locks[thread->told_locks++] =
            (struct sample_lock){.lock = lock, .exclusive = thread->told->waiting};
        thread->told->waiting = 0;
    }
    sample_locks(thread, false);
}

void sample_changed(struct agent_thread *thread)
{
    spend(thread, 1);
    if (thread->telling)
        sample_locks(thread, false);
    else if (!thread->told_blocks)
        tell_given_up(thread, true);
}

/* ---- blocks and accesses ---- */

void sample_block(struct agent_thread *thread, uint32_t site, bool begins)
{
    record_at_site(thread, begins ? RECORD_BEGIN : RECORD_END, 0, site);
    spend(thread, 1);
}

/* Under the lock. 0 if the object cannot be told from others. */
static jlong tag_of(jobject object)
{
    jlong tag = 0;
    if ((*runtime.jvmti)->GetTag(runtime.jvmti, object, &tag) != JVMTI_ERROR_NONE)
        return 0;
    if (!tag && (*runtime.jvmti)->SetTag(runtime.jvmti, object, sample.tag + 1) == JVMTI_ERROR_NONE)
        tag = ++sample.tag;
    return tag;
}

/* Tells variables apart: two have the same with a probability that is nothing to think of. */
static uint64_t key_of(uint64_t tag, uint64_t offset)
{
    uint64_t key = tag * UINT64_C(0x9E3779B97F4A7C15) + offset;
    key = (key ^ key >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    key = (key ^ key >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    key ^= key >> 32;
    return key == INTMAP_NO_KEY ? 0 : key;
}

/* The number of the variable in the trace, 0 if there are too many. */
static uint32_t variable_of(struct agent_thread *thread, jobject object, uint64_t offset,
                            uint32_t site)
{
    pthread_mutex_lock(&sample.lock);
    const jlong tag = sample.variables.count < VARIABLES_MAX ? tag_of(object) : 0;
    bool added = false;
    uint64_t *number =
        tag ? intmap_find_or_add(&sample.variables, key_of((uint64_t)tag, offset), 0, &added)
            : NULL;
    if (number && added)
        *number = record_new_variable(thread, site);
    const uint32_t found = number ? (uint32_t)*number : 0;
    pthread_mutex_unlock(&sample.lock);
    return found;
}

bool sample_access(struct agent_thread *thread, jobject object, uint64_t offset, uint32_t site,
                   bool write)
{
    /* It must not seem to have fewer locks than it has. */
    if (thread->engine->held_count > LOCKS_MAX || thread->engine->untracked)
        return false;
    const uint32_t variable = variable_of(thread, object, offset, site);
    if (variable)
        record_at_site(thread, write ? RECORD_WRITE : RECORD_READ, variable, site);
    return spend(thread, 1);
}
