#include "engine/reduction.h"

#include <string.h>

#include "base/memory.h"
#include "engine/reduction_internal.h"

void reduction_options_default(struct reduction_options *options)
{
    *options = (struct reduction_options){
        .threads = THREAD_SLOTS_MAX,
        .depth = 1024,
        .log = 64,
        .posts = 1u << 12,
    };
}

struct reduction *reduction_new(const struct reduction_options *options, struct mover_table *movers)
{
    struct reduction *reduction = memory_allocate(sizeof *reduction);
    if (!reduction)
        return NULL;
    memset(reduction, 0, sizeof *reduction);
    reduction->options = *options;
    reduction->movers = movers;
    reduction->threads = memory_allocate(options->threads * sizeof *reduction->threads);
    if (!reduction->threads || !cache_init(&reduction->posts, options->posts)) {
        reduction_free(reduction);
        return NULL;
    }
    for (uint32_t i = 0; i < options->threads; i++)
        atomic_init(&reduction->threads[i], NULL);
    return reduction;
}

void reduction_free(struct reduction *reduction)
{
    if (!reduction)
        return;
    uint32_t count = atomic_load_explicit(&reduction->thread_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        struct reduction_thread *thread =
            atomic_load_explicit(&reduction->threads[i], memory_order_relaxed);
        vector_release(&thread->blocks);
        memory_release(thread->log);
        memory_release(thread);
    }
    memory_release(reduction->threads);
    cache_release(&reduction->posts);
    memory_release(reduction);
}

/* A thread that ended has left its structure, or there is a new one. */
static struct reduction_thread *take_thread(struct reduction *reduction)
{
    spin_lock(&reduction->lock);
    struct reduction_thread *thread = reduction->free;
    uint32_t count = atomic_load_explicit(&reduction->thread_count, memory_order_relaxed);
    if (thread) {
        reduction->free = thread->next_free;
    } else if (count < reduction->options.threads) {
        thread = memory_allocate(sizeof *thread);
        if (thread) {
            memset(thread, 0, sizeof *thread);
            atomic_store_explicit(&reduction->threads[count], thread, memory_order_release);
            atomic_store_explicit(&reduction->thread_count, count + 1, memory_order_release);
        }
    }
    spin_unlock(&reduction->lock);
    return thread;
}

struct reduction_thread *reduction_thread_start(struct reduction *reduction, struct thread *thread,
                                                uint64_t name)
{
    struct reduction_thread *taken = take_thread(reduction);
    if (!taken) {
        reduction_count(&reduction->refused);
        return NULL;
    }
    taken->thread = thread;
    taken->name = name;
    atomic_store_explicit(&taken->slot, thread ? thread->slot : 0, memory_order_relaxed);
    return taken;
}

static void read_posts(struct reduction *reduction, struct reduction_thread *thread)
{
    if (atomic_load_explicit(&thread->posted, memory_order_acquire))
        reduction_read_posts(reduction, thread);
}

void reduction_thread_end(struct reduction *reduction, struct reduction_thread *thread)
{
    if (!thread)
        return;
    read_posts(reduction, thread);
    vector_clear(&thread->blocks);
    thread->committed = thread->reported = thread->too_deep = 0;
    reduction_log_clear(thread);
    thread->thread = NULL;
    spin_lock(&reduction->lock);
    thread->next_free = reduction->free;
    reduction->free = thread;
    spin_unlock(&reduction->lock);
}

/*
 * Blocks.
 */

void reduction_enter(struct reduction *reduction, struct reduction_thread *thread, uint32_t block,
                     const struct reduction_place *place)
{
    if (!thread)
        return;
    uint64_t blocks = atomic_load_explicit(&thread->block_count, memory_order_relaxed);
    atomic_store_explicit(&thread->block_count, blocks + 1, memory_order_relaxed);
    struct reduction_block entered = {
        .id = block, .begin = thread->position + 1, .entered = *place};
    entered.entered.kind = REDUCTION_ENTER;
    entered.entered.mover = MOVER_BOTH;
    if (thread->too_deep || thread->blocks.count >= reduction->options.depth ||
        !vector_push(&thread->blocks, entered)) {
        thread->too_deep++;
        reduction_count(&reduction->too_deep);
    }
}

void reduction_exit(struct reduction *reduction, struct reduction_thread *thread)
{
    if (!thread)
        return;
    read_posts(reduction, thread);
    if (thread->too_deep) {
        thread->too_deep--;
        return;
    }
    if (!thread->blocks.count)
        return;
    uint32_t depth = (uint32_t)--thread->blocks.count;
    if (thread->committed > depth)
        thread->committed = depth;
    if (thread->reported > depth)
        thread->reported = depth;
    if (!depth)
        reduction_log_clear(thread);
}

uint32_t reduction_depth(const struct reduction_thread *thread)
{
    return thread ? (uint32_t)thread->blocks.count + thread->too_deep : 0;
}

bool reduction_is_watching(const struct reduction_thread *thread)
{
    return thread && thread->reported < thread->blocks.count;
}

void reduction_violate(struct reduction *reduction, struct reduction_thread *thread, uint32_t index,
                       const struct reduction_place *violated, const struct reduction_other *other)
{
    const struct reduction_block *block = &thread->blocks.items[index];
    thread->reported = index + 1;
    reduction_count(&reduction->violations);
    if (!reduction->options.report)
        return;
    struct reduction_violation violation = {
        .block = block->id,
        .thread = thread->name,
        .after_wait = block->after_wait,
        .entered = block->entered,
        .commits = block->commits,
        .violated = *violated,
        .other = other ? *other : block->other,
    };
    reduction->options.report(reduction->options.context, &violation);
}

static void complete(struct reduction *reduction, struct reduction_thread *thread,
                     struct reduction_place *place)
{
    if (!place->stack && reduction->options.stack)
        place->stack = reduction->options.stack(reduction->options.context,
                                                vector_last(&thread->blocks).id, place);
}

static void commit(struct reduction_thread *thread, const struct reduction_place *place)
{
    for (size_t i = thread->committed; i < thread->blocks.count; i++) {
        struct reduction_block *block = &thread->blocks.items[i];
        block->commits = *place;
        block->commit_position = thread->position;
        block->other.thread = 0;
    }
    thread->committed = (uint32_t)thread->blocks.count;
}

/* A step that is no both-mover. */
static void advance(struct reduction *reduction, struct reduction_thread *thread,
                    struct reduction_place *place)
{
    bool moves_right = place->mover == MOVER_RIGHT, moves_left = place->mover == MOVER_LEFT;
    if ((!moves_left && thread->reported < thread->committed) ||
        (!moves_right && thread->committed < thread->blocks.count))
        complete(reduction, thread, place);
    while (!moves_left && thread->reported < thread->committed)
        reduction_violate(reduction, thread, thread->reported, place, NULL);
    if (!moves_right)
        commit(thread, place);
    /* It matters if something before it is taken back. */
    if (!moves_left && thread->log_count && reduction_is_watching(thread))
        reduction_log_add(reduction, thread, place, 0, false);
}

/* `thing` is 0 if a both-mover cannot lose what makes it one. */
static void step(struct reduction *reduction, struct reduction_thread *thread,
                 const struct reduction_place *place, enum mover mover, uint64_t thing,
                 bool first_owner)
{
    if (!reduction_is_watching(thread) || (mover == MOVER_BOTH && !thing))
        return;
    struct reduction_place now = *place;
    now.mover = mover;
    thread->position++;
    if (mover == MOVER_BOTH)
        reduction_log_add(reduction, thread, &now, thing, first_owner);
    else
        advance(reduction, thread, &now);
}

/*
 * Operations.
 */

static bool is_final(const struct reduction *reduction)
{
    return reduction->movers->rules.final;
}

static uint64_t digest(const struct reduction_variable *variable)
{
    const struct engine_facts *facts = &variable->facts;
    uint64_t sets = (uint64_t)facts->access_set << 32 | facts->write_set;
    return cache_mix(cache_mix(sets) + (uint64_t)facts->state * 2 + variable->concurrent);
}

void reduction_reclassify(struct reduction *reduction, struct reduction_thread *thread,
                          const struct reduction_place *place,
                          const struct reduction_variable *variable)
{
    if (!thread || !variable->identity || is_final(reduction))
        return;
    uint64_t posted, now = digest(variable);
    bool is_posted = cache_get(&reduction->posts, variable->identity, &posted) && posted == now;
    if (is_posted && !reduction_log_may_have(thread, variable->identity, false))
        return;
    struct reduction_post post = {
        .thing = variable->identity,
        .concurrent = variable->concurrent,
        .own = true,
        .facts = variable->facts,
        .other = {thread->name, *place},
    };
    reduction_take_back(reduction, thread, &post);
    if (is_posted)
        return;
    post.own = false;
    reduction_post_all(reduction, thread, &post);
    cache_put(&reduction->posts, variable->identity, now);
}

/* Protection goes with writes to what is shared. That the first owner was not alone when another
   came is to be told at once: it is what later writes are judged by. */
static bool can_lose(const struct reduction_variable *variable)
{
    return variable->facts.state == VARIABLE_SHARED_MODIFIED || variable->concurrent;
}

enum mover reduction_access(struct reduction *reduction, struct reduction_thread *thread,
                            const struct reduction_place *place,
                            const struct reduction_variable *variable)
{
    if (!thread)
        return MOVER_BOTH;
    read_posts(reduction, thread);
    if (can_lose(variable))
        reduction_reclassify(reduction, thread, place, variable);
    enum mover mover = mover_of_access(&reduction->movers->rules, &variable->facts, place->lockset,
                                       place->kind == REDUCTION_WRITE);
    step(reduction, thread, place, mover, is_final(reduction) ? 0 : variable->identity,
         variable->facts.state == VARIABLE_THREAD_LOCAL);
    return mover;
}

/* Takes back what relied on how the lock was used, here and elsewhere. */
static void reclassify_lock(struct reduction *reduction, struct reduction_thread *thread,
                            const struct reduction_place *place,
                            const struct mover_verdict *verdict)
{
    const uint64_t thing = (uint64_t)place->object + 1;
    if (!verdict->lost && !reduction_log_may_have(thread, thing, true))
        return;
    struct reduction_post post = {
        .thing = thing,
        .lock = true,
        .concurrent = !(reduction->movers->rules.refinements & MOVER_THREAD_LOCAL_2_LOCKS),
        .own = true,
        .verdict = *verdict,
        .other = {thread->name, *place},
    };
    reduction_take_back(reduction, thread, &post);
    post.own = false;
    if (verdict->lost)
        reduction_post_all(reduction, thread, &post);
}

static enum mover use_lock(struct reduction *reduction, struct reduction_thread *thread,
                           const struct reduction_place *place, bool reentrant, bool stepping)
{
    struct mover_user user = mover_user_of(thread->thread);
    struct mover_verdict verdict =
        place->kind == REDUCTION_RELEASE
            ? mover_release(reduction->movers, place->object, &user, place->lockset, reentrant)
            : mover_acquire(reduction->movers, place->object, &user, place->lockset, reentrant);
    if (verdict.state != MOVER_UNUSED && !is_final(reduction))
        reclassify_lock(reduction, thread, place, &verdict);
    bool losable = verdict.losable && !is_final(reduction);
    if (stepping)
        step(reduction, thread, place, verdict.mover, losable ? (uint64_t)place->object + 1 : 0,
             verdict.state == MOVER_LOCAL);
    return verdict.mover;
}

static enum mover tell_lock(struct reduction *reduction, struct reduction_thread *thread,
                            const struct reduction_place *place, enum reduction_kind kind,
                            bool reentrant, bool stepping)
{
    if (!thread)
        return MOVER_BOTH;
    struct reduction_place of_kind = *place;
    of_kind.kind = kind;
    read_posts(reduction, thread);
    return use_lock(reduction, thread, &of_kind, reentrant, stepping);
}

enum mover reduction_acquire(struct reduction *reduction, struct reduction_thread *thread,
                             const struct reduction_place *place, bool reentrant)
{
    return tell_lock(reduction, thread, place, REDUCTION_ACQUIRE, reentrant, true);
}

enum mover reduction_release(struct reduction *reduction, struct reduction_thread *thread,
                             const struct reduction_place *place, bool reentrant)
{
    return tell_lock(reduction, thread, place, REDUCTION_RELEASE, reentrant, true);
}

void reduction_wait_begin(struct reduction *reduction, struct reduction_thread *thread,
                          const struct reduction_place *place)
{
    /* A left-mover at the end of a block violates nothing. */
    tell_lock(reduction, thread, place, REDUCTION_RELEASE, false, false);
}

void reduction_wait_end(struct reduction *reduction, struct reduction_thread *thread,
                        const struct reduction_place *place)
{
    if (!thread)
        return;
    read_posts(reduction, thread);
    for (size_t i = 0; i < thread->blocks.count; i++) {
        thread->blocks.items[i].begin = thread->position + 1;
        thread->blocks.items[i].after_wait = true;
    }
    thread->committed = 0;
    reduction_log_clear(thread);
    tell_lock(reduction, thread, place, REDUCTION_WAITED, false, true);
}

void reduction_step(struct reduction *reduction, struct reduction_thread *thread,
                    const struct reduction_place *place)
{
    if (!thread)
        return;
    read_posts(reduction, thread);
    enum mover mover = place->kind == REDUCTION_START  ? MOVER_LEFT
                       : place->kind == REDUCTION_JOIN ? MOVER_RIGHT
                                                       : MOVER_NON;
    step(reduction, thread, place, mover, 0, false);
}

void reduction_counts(struct reduction *reduction, struct reduction_counts *counts)
{
    *counts = (struct reduction_counts){
        .violations = atomic_load_explicit(&reduction->violations, memory_order_relaxed),
        .taken_back = atomic_load_explicit(&reduction->taken_back, memory_order_relaxed),
        .unlogged = atomic_load_explicit(&reduction->unlogged, memory_order_relaxed),
        .unposted = atomic_load_explicit(&reduction->unposted, memory_order_relaxed),
        .too_deep = atomic_load_explicit(&reduction->too_deep, memory_order_relaxed),
        .refused = atomic_load_explicit(&reduction->refused, memory_order_relaxed),
    };
    uint32_t count = atomic_load_explicit(&reduction->thread_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        const struct reduction_thread *thread =
            atomic_load_explicit(&reduction->threads[i], memory_order_acquire);
        counts->blocks += atomic_load_explicit(&thread->block_count, memory_order_relaxed);
    }
}

const char *reduction_kind_name(enum reduction_kind kind)
{
    static const char *const names[] = {"enter", "read",  "write", "acquire", "release",
                                        "wait",  "start", "join",  "sync"};
    return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : "unknown";
}
