/*
 * interleavings: a brute-force reference for atomicity, for small programs.
 *
 * A program is what each thread does, in order; thread 0 runs from the start, the others from where
 * they are forked. An interleaving respects the order of each thread, locks (which are re-entrant),
 * forks and joins. Its transactions are the outermost blocks that count, and every operation
 * outside of them is one of its own.
 *
 *     interleavings_split        says which operation belongs to which transaction
 *     interleavings_search       is there an interleaving, or the beginning of one, whose conflicts
 *                                form a cycle of transactions? Does not try equal situations twice
 *     interleavings_each         all complete interleavings, one after the other
 *     interleavings_is_conflict_serializable, interleavings_is_view_serializable   of one of them
 *
 * Conflicts are those of accesses to a variable, at least one of them a write, and what start, join
 * and the order of a thread ask for; with `locks_conflict` also operations on the same lock: then a
 * serial order must be one in which locks are taken as they were.
 *
 * Include it behind <cmocka.h>; fails the test if a program is too large.
 */
#ifndef TURNSTILE_TEST_INTERLEAVINGS_H
#define TURNSTILE_TEST_INTERLEAVINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define INTERLEAVINGS_THREADS 3u
#define INTERLEAVINGS_LENGTH 16u /* operations of a thread, begins and ends of blocks counted */
#define INTERLEAVINGS_TOTAL 24u  /* operations of all, without those */
#define INTERLEAVINGS_LOCKS 4u
#define INTERLEAVINGS_VARIABLES 4u
#define INTERLEAVINGS_BLOCKS 16u
#define INTERLEAVINGS_PLACES (1u << 15)

enum interleavings_kind {
    INTERLEAVINGS_READ,    /* object: variable */
    INTERLEAVINGS_WRITE,   /* variable */
    INTERLEAVINGS_ACQUIRE, /* lock */
    INTERLEAVINGS_RELEASE, /* lock */
    INTERLEAVINGS_FORK,    /* thread */
    INTERLEAVINGS_JOIN,    /* thread */
    INTERLEAVINGS_BEGIN,   /* block; each number once */
    INTERLEAVINGS_END,     /* block */
};

struct interleavings_operation {
    enum interleavings_kind kind;
    unsigned object;
    unsigned transaction; /* by interleavings_split */
};

struct interleavings_thread {
    unsigned count;
    struct interleavings_operation operations[INTERLEAVINGS_LENGTH];
};

struct interleavings_program {
    unsigned threads;
    bool locks_conflict;
    unsigned transactions; /* by interleavings_split */
    struct interleavings_thread thread[INTERLEAVINGS_THREADS];
};

/* One operation of an interleaving. */
struct interleavings_step {
    unsigned thread;
    unsigned index;
};

struct interleavings_order {
    unsigned count;
    struct interleavings_step steps[INTERLEAVINGS_TOTAL];
};

/* Where the threads are, and who has the locks. */
struct interleavings_state {
    uint8_t next[INTERLEAVINGS_THREADS];
    uint8_t forked; /* bits */
    uint8_t holder[INTERLEAVINGS_LOCKS];
    uint8_t times[INTERLEAVINGS_LOCKS];
};

static inline const struct interleavings_operation *
interleavings_at(const struct interleavings_program *program, struct interleavings_step step)
{
    return &program->thread[step.thread].operations[step.index];
}

static inline bool interleavings_is_marker(const struct interleavings_operation *operation)
{
    return operation->kind == INTERLEAVINGS_BEGIN || operation->kind == INTERLEAVINGS_END;
}

/* Transactions are the outermost blocks with their bit in `blocks`, and all that is outside. */
static inline void interleavings_split(struct interleavings_program *program, uint32_t blocks)
{
    program->transactions = 0;
    for (unsigned t = 0; t < program->threads; t++) {
        unsigned depth = 0, current = 0;
        for (unsigned i = 0; i < program->thread[t].count; i++) {
            struct interleavings_operation *operation = &program->thread[t].operations[i];
            if (interleavings_is_marker(operation)) {
                bool counts = blocks >> operation->object & 1;
                if (counts && operation->kind == INTERLEAVINGS_BEGIN && !depth++)
                    current = program->transactions++;
                else if (counts && operation->kind == INTERLEAVINGS_END)
                    depth--;
                continue;
            }
            operation->transaction = depth ? current : program->transactions++;
        }
    }
    if (program->transactions > 32)
        fail_msg("too many transactions");
}

static inline void interleavings_skip_markers(const struct interleavings_program *program,
                                              struct interleavings_state *state, unsigned thread)
{
    const struct interleavings_thread *list = &program->thread[thread];
    while (state->next[thread] < list->count &&
           interleavings_is_marker(&list->operations[state->next[thread]]))
        state->next[thread]++;
}

static inline void interleavings_begin(const struct interleavings_program *program,
                                       struct interleavings_state *state)
{
    memset(state, 0, sizeof *state);
    state->forked = 1;
    for (unsigned t = 0; t < program->threads; t++)
        interleavings_skip_markers(program, state, t);
}

static inline bool interleavings_is_enabled(const struct interleavings_program *program,
                                            const struct interleavings_state *state,
                                            unsigned thread)
{
    const struct interleavings_thread *list = &program->thread[thread];
    if (!(state->forked >> thread & 1) || state->next[thread] >= list->count)
        return false;
    const struct interleavings_operation *operation = &list->operations[state->next[thread]];
    unsigned object = operation->object;
    if (operation->kind == INTERLEAVINGS_ACQUIRE)
        return !state->times[object] || state->holder[object] == thread;
    if (operation->kind == INTERLEAVINGS_JOIN)
        return (state->forked >> object & 1) &&
               state->next[object] >= program->thread[object].count;
    return true;
}

static inline struct interleavings_step
interleavings_perform(const struct interleavings_program *program,
                      struct interleavings_state *state, unsigned thread)
{
    struct interleavings_step step = {thread, state->next[thread]++};
    const struct interleavings_operation *operation = interleavings_at(program, step);
    unsigned object = operation->object;
    if (operation->kind == INTERLEAVINGS_ACQUIRE) {
        state->holder[object] = (uint8_t)thread;
        state->times[object]++;
    } else if (operation->kind == INTERLEAVINGS_RELEASE) {
        state->times[object]--;
    } else if (operation->kind == INTERLEAVINGS_FORK) {
        state->forked |= (uint8_t)(1u << object);
    }
    interleavings_skip_markers(program, state, thread);
    return step;
}

static inline bool interleavings_is_complete(const struct interleavings_program *program,
                                             const struct interleavings_state *state)
{
    for (unsigned t = 0; t < program->threads; t++)
        if (state->next[t] < program->thread[t].count)
            return false;
    return true;
}

/* The earlier of the two must stay the earlier one. */
static inline bool interleavings_conflict(const struct interleavings_program *program,
                                          struct interleavings_step earlier,
                                          struct interleavings_step later)
{
    const struct interleavings_operation *a = interleavings_at(program, earlier);
    const struct interleavings_operation *b = interleavings_at(program, later);
    if (earlier.thread == later.thread ||
        (a->kind == INTERLEAVINGS_FORK && a->object == later.thread) ||
        (b->kind == INTERLEAVINGS_JOIN && b->object == earlier.thread))
        return true;
    if (a->object != b->object)
        return false;
    bool a_access = a->kind <= INTERLEAVINGS_WRITE, b_access = b->kind <= INTERLEAVINGS_WRITE;
    if (a_access && b_access)
        return a->kind == INTERLEAVINGS_WRITE || b->kind == INTERLEAVINGS_WRITE;
    bool a_lock = a->kind == INTERLEAVINGS_ACQUIRE || a->kind == INTERLEAVINGS_RELEASE;
    bool b_lock = b->kind == INTERLEAVINGS_ACQUIRE || b->kind == INTERLEAVINGS_RELEASE;
    return program->locks_conflict && a_lock && b_lock;
}

/*
 * Search. A situation is where the threads are, and which transactions are before which others.
 */

struct interleavings_situation {
    uint8_t next[4];
    uint32_t before[INTERLEAVINGS_TOTAL];
};

struct interleavings_place {
    uint32_t round;
    struct interleavings_situation situation;
};

/* Make it with calloc; it can be used again and again. */
struct interleavings_memory {
    uint32_t round;
    unsigned used;
    const struct interleavings_program *program;
    struct interleavings_order path; /* found: leads to the cycle */
    uint32_t cycle;                  /* found: the transactions in it, as bits */
    struct interleavings_place places[INTERLEAVINGS_PLACES];
};

/* True when the situation is new. */
static inline bool interleavings_note(struct interleavings_memory *memory,
                                      const struct interleavings_situation *situation)
{
    const uint8_t *bytes = (const uint8_t *)situation;
    size_t size = sizeof situation->next + memory->program->transactions * sizeof(uint32_t);
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < size; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    if (memory->used > INTERLEAVINGS_PLACES / 2)
        return true; /* some are tried more than once */
    for (size_t i = hash % INTERLEAVINGS_PLACES;; i = (i + 1) % INTERLEAVINGS_PLACES) {
        struct interleavings_place *place = &memory->places[i];
        if (place->round != memory->round) {
            place->round = memory->round;
            place->situation = *situation;
            memory->used++;
            return true;
        }
        if (!memcmp(&place->situation, situation, size))
            return false;
    }
}

/* The transactions that get before the last one by its operation. */
static inline uint32_t interleavings_predecessors(const struct interleavings_memory *memory,
                                                  struct interleavings_step last)
{
    const struct interleavings_program *program = memory->program;
    unsigned own = interleavings_at(program, last)->transaction;
    uint32_t found = 0;
    for (unsigned i = 0; i + 1 < memory->path.count; i++) {
        unsigned other = interleavings_at(program, memory->path.steps[i])->transaction;
        if (other != own && !(found >> other & 1) &&
            interleavings_conflict(program, memory->path.steps[i], last))
            found |= UINT32_C(1) << other;
    }
    return found;
}

/* Adds what the last step orders. False when that makes a cycle. */
static inline bool interleavings_order_last(struct interleavings_memory *memory,
                                            struct interleavings_situation *situation)
{
    const struct interleavings_program *program = memory->program;
    struct interleavings_step last = memory->path.steps[memory->path.count - 1];
    unsigned own = interleavings_at(program, last)->transaction;
    uint32_t direct = interleavings_predecessors(memory, last), all = direct;
    for (unsigned i = 0; i < program->transactions; i++)
        if (direct >> i & 1)
            all |= situation->before[i];
    if (all >> own & 1) {
        memory->cycle = UINT32_C(1) << own;
        for (unsigned i = 0; i < program->transactions; i++)
            if ((all >> i & 1) && (situation->before[i] >> own & 1))
                memory->cycle |= UINT32_C(1) << i;
        return false;
    }
    situation->before[own] |= all;
    for (unsigned i = 0; i < program->transactions; i++)
        if (situation->before[i] >> own & 1)
            situation->before[i] |= situation->before[own];
    return true;
}

static inline bool interleavings_descend(struct interleavings_memory *memory,
                                         const struct interleavings_state *state,
                                         const struct interleavings_situation *situation)
{
    for (unsigned t = 0; t < memory->program->threads; t++) {
        if (!interleavings_is_enabled(memory->program, state, t))
            continue;
        struct interleavings_state next = *state;
        struct interleavings_situation then = *situation;
        memory->path.steps[memory->path.count++] = interleavings_perform(memory->program, &next, t);
        memcpy(then.next, next.next, sizeof next.next);
        if (!interleavings_order_last(memory, &then) ||
            (interleavings_note(memory, &then) && interleavings_descend(memory, &next, &then)))
            return true;
        memory->path.count--;
    }
    return false;
}

static inline void interleavings_check_size(const struct interleavings_program *program)
{
    unsigned total = 0;
    for (unsigned t = 0; t < program->threads; t++)
        for (unsigned i = 0; i < program->thread[t].count; i++)
            total += !interleavings_is_marker(&program->thread[t].operations[i]);
    if (total > INTERLEAVINGS_TOTAL || program->transactions > INTERLEAVINGS_TOTAL)
        fail_msg("the program is too large");
}

/* True: there is a cycle, and `memory` has an interleaving that leads to it. */
static inline bool interleavings_search(struct interleavings_memory *memory,
                                        const struct interleavings_program *program)
{
    struct interleavings_state state;
    struct interleavings_situation situation;
    interleavings_check_size(program);
    memset(&situation, 0, sizeof situation);
    memory->program = program;
    memory->round++;
    memory->used = 0;
    memory->path.count = 0;
    interleavings_begin(program, &state);
    return interleavings_descend(memory, &state, &situation);
}

/*
 * All of them.
 */

/* False: enough. */
typedef bool (*interleavings_visit)(void *context, const struct interleavings_program *program,
                                    const struct interleavings_order *order);

static inline bool interleavings_each_from(const struct interleavings_program *program,
                                           const struct interleavings_state *state,
                                           struct interleavings_order *order,
                                           interleavings_visit visit, void *context)
{
    if (interleavings_is_complete(program, state))
        return visit(context, program, order);
    for (unsigned t = 0; t < program->threads; t++) {
        if (!interleavings_is_enabled(program, state, t))
            continue;
        struct interleavings_state next = *state;
        order->steps[order->count++] = interleavings_perform(program, &next, t);
        bool more = interleavings_each_from(program, &next, order, visit, context);
        order->count--;
        if (!more)
            return false;
    }
    return true;
}

/* Visits all interleavings that come to an end. False when the visitor had enough. */
static inline bool interleavings_each(const struct interleavings_program *program,
                                      interleavings_visit visit, void *context)
{
    struct interleavings_state state;
    struct interleavings_order order = {0};
    interleavings_check_size(program);
    interleavings_begin(program, &state);
    return interleavings_each_from(program, &state, &order, visit, context);
}

static inline bool
interleavings_is_conflict_serializable(const struct interleavings_program *program,
                                       const struct interleavings_order *order)
{
    uint32_t before[32] = {0};
    for (unsigned k = 0; k < order->count; k++) {
        unsigned later = interleavings_at(program, order->steps[k])->transaction;
        for (unsigned i = 0; i < k; i++) {
            unsigned earlier = interleavings_at(program, order->steps[i])->transaction;
            if (earlier != later &&
                interleavings_conflict(program, order->steps[i], order->steps[k]))
                before[later] |= UINT32_C(1) << earlier;
        }
    }
    for (unsigned middle = 0; middle < program->transactions; middle++)
        for (unsigned later = 0; later < program->transactions; later++)
            if (before[later] >> middle & 1)
                before[later] |= before[middle];
    for (unsigned i = 0; i < program->transactions; i++)
        if (before[i] >> i & 1)
            return false;
    return true;
}

/*
 * View serializability: is there a serial order of the transactions that keeps the order of each
 * thread, forks and joins, in which each read sees the same write and the last writes are the same?
 */

struct interleavings_view {
    const struct interleavings_program *program;
    const struct interleavings_order *order;
    uint32_t before[32];               /* order of threads, forks, joins */
    int seen[INTERLEAVINGS_TOTAL];     /* by step: the step whose write it reads */
    int last[INTERLEAVINGS_VARIABLES]; /* the last write */
};

/* Runs the steps of one transaction (of all, if `transaction` is negative). False when a read sees
   another write than it did; `record` makes it what it did. */
static inline bool interleavings_view_run(struct interleavings_view *view, int transaction,
                                          int *last, bool record)
{
    for (unsigned i = 0; i < view->order->count; i++) {
        const struct interleavings_operation *operation =
            interleavings_at(view->program, view->order->steps[i]);
        if (transaction >= 0 && operation->transaction != (unsigned)transaction)
            continue;
        if (operation->kind == INTERLEAVINGS_WRITE)
            last[operation->object] = (int)i;
        if (operation->kind != INTERLEAVINGS_READ)
            continue;
        if (record)
            view->seen[i] = last[operation->object];
        else if (view->seen[i] != last[operation->object])
            return false;
    }
    return true;
}

static inline bool interleavings_view_serial(struct interleavings_view *view, uint32_t done,
                                             const int *last)
{
    unsigned count = view->program->transactions;
    if (done == (count == 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1))
        return !memcmp(last, view->last, sizeof view->last);
    for (unsigned i = 0; i < count; i++) {
        int then[INTERLEAVINGS_VARIABLES];
        if ((done >> i & 1) || (view->before[i] & ~done))
            continue;
        memcpy(then, last, sizeof then);
        if (interleavings_view_run(view, (int)i, then, false) &&
            interleavings_view_serial(view, done | UINT32_C(1) << i, then))
            return true;
    }
    return false;
}

static inline bool interleavings_is_view_serializable(const struct interleavings_program *program,
                                                      const struct interleavings_order *order)
{
    struct interleavings_view view = {.program = program, .order = order};
    int initial[INTERLEAVINGS_VARIABLES];
    for (unsigned k = 0; k < order->count; k++) {
        const struct interleavings_operation *b = interleavings_at(program, order->steps[k]);
        for (unsigned i = 0; i < k; i++) {
            const struct interleavings_operation *a = interleavings_at(program, order->steps[i]);
            bool ordered = order->steps[i].thread == order->steps[k].thread ||
                           (a->kind == INTERLEAVINGS_FORK && a->object == order->steps[k].thread) ||
                           (b->kind == INTERLEAVINGS_JOIN && b->object == order->steps[i].thread);
            if (ordered && a->transaction != b->transaction)
                view.before[b->transaction] |= UINT32_C(1) << a->transaction;
        }
    }
    for (unsigned i = 0; i < INTERLEAVINGS_VARIABLES; i++)
        view.last[i] = initial[i] = -1;
    interleavings_view_run(&view, -1, view.last, true);
    return interleavings_view_serial(&view, 0, initial);
}

#endif
