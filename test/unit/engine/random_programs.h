/*
 * random_programs: small programs for interleavings.h, and runs of them, made up.
 *
 *     programs_make    two or three threads that use up to two locks and two variables, in blocks
 *                      and outside; the first one starts the others, now and then after it has done
 *                      something, and joins some of them
 *     programs_run     one interleaving of one; false when it came to a deadlock
 *     programs_blocks  the blocks, as a set of bits
 *
 * Include it behind <cmocka.h>.
 */
#ifndef TURNSTILE_TEST_RANDOM_PROGRAMS_H
#define TURNSTILE_TEST_RANDOM_PROGRAMS_H

#include "engine/interleavings.h"
#include "support.h"

#define PROGRAMS_OPERATIONS 12u

struct programs_maker {
    uint64_t random;
    struct interleavings_program *program;
    unsigned locks, variables;
    unsigned left;  /* operations that may still be made */
    unsigned block; /* next block */
};

static inline unsigned programs_below(uint64_t *random, unsigned limit)
{
    return (unsigned)(support_random(random) % limit);
}

static inline void programs_emit(struct programs_maker *maker, unsigned thread,
                                 enum interleavings_kind kind, unsigned object)
{
    struct interleavings_thread *list = &maker->program->thread[thread];
    assert_true(list->count < INTERLEAVINGS_LENGTH);
    list->operations[list->count++] = (struct interleavings_operation){kind, object, 0};
    if (kind < INTERLEAVINGS_BEGIN && maker->left)
        maker->left--;
}

/* What a thread has open. */
struct programs_making {
    unsigned held[INTERLEAVINGS_LOCKS];
    unsigned held_count;
    unsigned blocks[2];
    unsigned block_count;
};

static inline void programs_take(struct programs_maker *maker, struct programs_making *making,
                                 unsigned thread)
{
    unsigned lock = programs_below(&maker->random, maker->locks), times = 0;
    for (unsigned i = 0; i < making->held_count; i++)
        times += making->held[i] == lock;
    /* Now and then a lock is taken twice. */
    if (making->held_count >= 3 || (times && programs_below(&maker->random, 3)))
        return;
    making->held[making->held_count++] = lock;
    programs_emit(maker, thread, INTERLEAVINGS_ACQUIRE, lock);
}

/* Mostly the last one. */
static inline void programs_give_back(struct programs_maker *maker, struct programs_making *making,
                                      unsigned thread)
{
    if (!making->held_count)
        return;
    unsigned i = making->held_count - 1;
    if (!programs_below(&maker->random, 4))
        i = programs_below(&maker->random, making->held_count);
    programs_emit(maker, thread, INTERLEAVINGS_RELEASE, making->held[i]);
    memmove(&making->held[i], &making->held[i + 1],
            (--making->held_count - i) * sizeof making->held[0]);
}

static inline void programs_open_block(struct programs_maker *maker, struct programs_making *making,
                                       unsigned thread)
{
    if (making->block_count == 2 || maker->block == INTERLEAVINGS_BLOCKS)
        return;
    making->blocks[making->block_count++] = maker->block;
    programs_emit(maker, thread, INTERLEAVINGS_BEGIN, maker->block++);
}

static inline void programs_close_block(struct programs_maker *maker,
                                        struct programs_making *making, unsigned thread)
{
    if (making->block_count)
        programs_emit(maker, thread, INTERLEAVINGS_END, making->blocks[--making->block_count]);
}

static inline void programs_make_part(struct programs_maker *maker, struct programs_making *making,
                                      unsigned thread, unsigned length)
{
    unsigned begin = maker->left;
    for (unsigned attempt = 0;
         attempt < 30 && begin - maker->left < length && maker->left > making->held_count &&
         maker->program->thread[thread].count < 9;
         attempt++) {
        unsigned choice = programs_below(&maker->random, 20);
        if (choice < 5)
            programs_emit(maker, thread, INTERLEAVINGS_READ,
                          programs_below(&maker->random, maker->variables));
        else if (choice < 9)
            programs_emit(maker, thread, INTERLEAVINGS_WRITE,
                          programs_below(&maker->random, maker->variables));
        else if (choice < 13)
            programs_take(maker, making, thread);
        else if (choice < 15)
            programs_give_back(maker, making, thread);
        else if (choice < 18)
            programs_open_block(maker, making, thread);
        else
            programs_close_block(maker, making, thread);
    }
}

static inline void programs_finish(struct programs_maker *maker, struct programs_making *making,
                                   unsigned thread)
{
    while (making->held_count)
        programs_give_back(maker, making, thread);
    while (making->block_count)
        programs_close_block(maker, making, thread);
}

static inline void programs_make(uint64_t *seed, struct interleavings_program *program)
{
    struct programs_making making[INTERLEAVINGS_THREADS];
    struct programs_maker maker = {.random = support_random(seed), .program = program};
    memset(program, 0, sizeof *program);
    memset(making, 0, sizeof making);
    program->locks_conflict = true;
    program->threads = 2 + programs_below(&maker.random, 2);
    maker.locks = 1 + programs_below(&maker.random, 2);
    maker.variables = 1 + programs_below(&maker.random, 2);
    maker.left = PROGRAMS_OPERATIONS - (program->threads - 1);
    for (unsigned t = 1; t < program->threads; t++) {
        if (!programs_below(&maker.random, 4))
            programs_make_part(&maker, &making[0], 0, 1 + programs_below(&maker.random, 2));
        programs_emit(&maker, 0, INTERLEAVINGS_FORK, t);
    }
    for (unsigned t = program->threads; t-- > 1;) {
        programs_make_part(&maker, &making[t], t, 2 + programs_below(&maker.random, 4));
        programs_finish(&maker, &making[t], t);
    }
    programs_make_part(&maker, &making[0], 0, programs_below(&maker.random, 5));
    for (unsigned t = 1; t < program->threads; t++)
        if (program->thread[0].count < 11 && programs_below(&maker.random, 2)) {
            programs_emit(&maker, 0, INTERLEAVINGS_JOIN, t);
            if (programs_below(&maker.random, 2))
                programs_make_part(&maker, &making[0], 0, 1);
        }
    programs_finish(&maker, &making[0], 0);
}

/* A run, with the begins and ends of blocks. False when it came to a deadlock. */
struct programs_run {
    unsigned count;
    struct interleavings_step steps[INTERLEAVINGS_THREADS * INTERLEAVINGS_LENGTH];
};

static inline bool programs_run(uint64_t *random, const struct interleavings_program *program,
                                struct programs_run *run)
{
    struct interleavings_state state;
    memset(&state, 0, sizeof state);
    state.forked = 1;
    run->count = 0;
    while (!interleavings_is_complete(program, &state)) {
        unsigned enabled = 0, choice[INTERLEAVINGS_THREADS];
        for (unsigned t = 0; t < program->threads; t++)
            if (interleavings_is_enabled(program, &state, t))
                choice[enabled++] = t;
        if (!enabled)
            return false;
        unsigned thread = choice[programs_below(random, enabled)];
        unsigned next = state.next[thread];
        interleavings_perform(program, &state, thread);
        /* That skips markers; here they are steps. */
        for (; next < state.next[thread]; next++)
            run->steps[run->count++] = (struct interleavings_step){thread, next};
    }
    return true;
}

static inline uint32_t programs_blocks(const struct interleavings_program *program)
{
    uint32_t blocks = 0;
    for (unsigned t = 0; t < program->threads; t++)
        for (unsigned i = 0; i < program->thread[t].count; i++)
            if (program->thread[t].operations[i].kind == INTERLEAVINGS_BEGIN)
                blocks |= 1u << program->thread[t].operations[i].object;
    return blocks;
}

#endif
