/*
 * reduction: finds blocks that are meant to be atomic and are not, by Lipton's reduction.
 *
 * A block can be run as if nobody came between if its operations are right-movers, then at most one
 * non-mover, then left-movers (mover.h). So each open block of a thread is in its right part until
 * a left- or a non-mover, at which it commits, and in its left part from then on; a right- or
 * non-mover in the left part violates the block. Blocks nest, and each has a state of its own: an
 * inner block may be atomic where the outer is not. A violation is reported once per execution of a
 * block, by a call back on the block's thread with no lock of the engine held; telling reports of
 * the same places apart is for those above.
 *
 * A block that waits on a condition is two blocks: one ends where the wait gives the lock up, the
 * other begins where it gets it again. So are all blocks around it.
 *
 * The caller tells what each thread does, in the thread's own order, inside of blocks and outside,
 * after it has told the race engine; threads may do so at the same time. A NULL thread (there was
 * no room for it) is accepted everywhere.
 *
 * What was said too early. A both-mover is one because of how its variable or lock was used up to
 * then. When protection is lost while a block is open that relied on it, the operation is taken
 * back: it counts as the mover that it is now, in the place where it was, and the block is judged
 * again. For that each thread with open blocks keeps a log of its latest both-movers, and of the
 * right- and non-movers that come after them; others post what they have lost to it, and it looks
 * there before it does anything else. Not taken back are
 *
 *   - operations that are ordered before the one that lost the protection without the help of
 *     locks (by a start, a queue, a volatile ...): the two cannot meet;
 *   - those of a first owner, which are how things are initialized, unless the second thread came
 *     while they could still meet (`concurrent`), or the owner itself comes back;
 *   - those that have left the log, which is bounded, or were not in it yet when the post came.
 *
 * All this can only add warnings to those of the Atomizer, and what is dropped can only lose them.
 *
 * Which accesses need not be told. The race engine's caller leaves out an access when the word
 * shows that the thread has made one of the same or the stronger kind in the same segment, and
 * nobody another since. Let the earlier one have been a both-mover. Between the two the thread has
 * neither acquired nor released a lock, so it holds the same ones; the variable's state has not
 * changed, since only accesses change it; so the second is a both-mover, too, by the same rule, and
 * both-movers change no block. What is lost is that it is not in the log: if protection goes later,
 * the first alone counts as a non-mover, or neither does if the first was made before the block was
 * entered. So a warning can be lost that depends on taking back, and none is invented. An access
 * that is not a both-mover counts each time, and a write can be a non-mover where a read is a
 * both-mover. Therefore, as long as the thread is in a block, an access may be left out only if the
 * last one that was told of the same or the stronger kind was a both-mover (reduction_access says
 * so), and none that was not has been told since: after a non-mover the word must not be left such
 * that the next access is taken for a repetition, and a read may not leave it as that of a write.
 * The same goes for accesses that are left out because the thread has been seen (inline.h).
 *
 * With the whole trace at hand (`final` in the options of the movers) there are two passes. The
 * first collects the usage of locks and variables with mover_acquire, mover_release and
 * mover_usage_add; after mover_freeze the second tells reduction all operations, with the final
 * facts of each variable (mover_usage_facts). Then nothing is logged or taken back, and the order
 * of events does not matter.
 */
#ifndef TURNSTILE_ENGINE_REDUCTION_H
#define TURNSTILE_ENGINE_REDUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "engine/mover.h"

enum reduction_kind {
    REDUCTION_ENTER,
    REDUCTION_READ,    /* object: field */
    REDUCTION_WRITE,   /* field */
    REDUCTION_ACQUIRE, /* lock */
    REDUCTION_RELEASE, /* lock */
    REDUCTION_WAITED,  /* lock; the acquire at the end of a wait */
    REDUCTION_START,   /* the caller's number for the thread */
    REDUCTION_JOIN,
    REDUCTION_SYNC, /* a volatile or atomic access, a concurrent collection: the caller's number */
};

/* An operation of a thread, and where it was. Fields, keys, locks, locations and stacks are the
   caller's numbers. */
struct reduction_place {
    enum reduction_kind kind;
    enum mover mover; /* in reports; the caller need not set it */
    uint32_t object;
    uint32_t key;
    uint32_t location;
    uint32_t stack;   /* 0: not known; see `stack` in the options */
    uint32_t lockset; /* locks held. For a read: all, for a write: those held exclusively, for an
                         operation on a lock: those held exclusively but for this one, before an
                         acquire and after a release. LOCKSET_ALL: not known */
    uint32_t shared;  /* those held in shared mode only, in `lockset` or not; for reports alone */
};

/* The access, or use of a lock, of another thread because of which something was taken back. */
struct reduction_other {
    uint64_t thread; /* 0: nothing was taken back */
    struct reduction_place place;
};

struct reduction_violation {
    uint32_t block;
    uint64_t thread;
    bool after_wait; /* the block is what followed a wait */
    struct reduction_place entered;
    struct reduction_place commits;
    struct reduction_place violated;
    struct reduction_other other;
};

/* `violation` is good during the call only. Events of the thread must not be told from within. */
typedef void (*reduction_report)(void *context, const struct reduction_violation *violation);

/* The present stack of the calling thread, for the place where `block` (the innermost of those
   concerned) commits or is violated. */
typedef uint32_t (*reduction_stack)(void *context, uint32_t block,
                                    const struct reduction_place *place);

struct reduction_options {
    uint32_t threads;        /* at the same time */
    uint32_t depth;          /* open blocks per thread; deeper ones are not looked at */
    uint32_t log;            /* operations remembered per thread */
    uint32_t posts;          /* places in the cache of what has been posted */
    reduction_report report; /* may be NULL */
    reduction_stack stack;   /* may be NULL; asked where a stack is needed and not given */
    void *context;
};

struct reduction_counts {
    uint64_t blocks;
    uint64_t violations;
    uint64_t taken_back; /* operations that were reclassified */
    uint64_t unlogged;   /* operations that left the log while their block was open */
    uint64_t unposted;   /* posts for which there was no room */
    uint64_t too_deep;   /* blocks that were not looked at */
    uint64_t refused;    /* threads that were not */
};

struct reduction;
struct reduction_thread;

void reduction_options_default(struct reduction_options *options);

/* NULL when there is no memory. `movers` must outlive it. */
struct reduction *reduction_new(const struct reduction_options *options,
                                struct mover_table *movers);

/* No thread may be using it. */
void reduction_free(struct reduction *reduction);

/* `thread` is the race engine's. `name` is for reports. NULL when there is no room. */
struct reduction_thread *reduction_thread_start(struct reduction *reduction, struct thread *thread,
                                                uint64_t name);

/* Leaves all blocks. */
void reduction_thread_end(struct reduction *reduction, struct reduction_thread *thread);

/* `place` says where; its kind does not matter. Blocks are left in the order in which they were
   entered, the innermost first. */
void reduction_enter(struct reduction *reduction, struct reduction_thread *thread, uint32_t block,
                     const struct reduction_place *place);
void reduction_exit(struct reduction *reduction, struct reduction_thread *thread);

/* How many blocks the thread is in. */
uint32_t reduction_depth(const struct reduction_thread *thread);

/* There is a block that could still be violated: if not, stacks need not be taken. */
bool reduction_is_watching(const struct reduction_thread *thread);

/* A variable, for reduction. */
struct reduction_variable {
    uint64_t identity; /* tells it from all others that live; 0: nothing is taken back for it */
    struct engine_facts facts; /* after the access */
    bool concurrent; /* up to this access the variable was another thread's alone, and it has not
                        been handed over: the word had an owner, and the state is neither
                        thread-local nor thread-local (2) */
};

/* What the access is. To be told also outside of blocks. */
enum mover reduction_access(struct reduction *reduction, struct reduction_thread *thread,
                            const struct reduction_place *place,
                            const struct reduction_variable *variable);

/* Locks, by mover_acquire and mover_release. `reentrant`: the thread has, or still has, the lock.
   To be told also outside of blocks. */
enum mover reduction_acquire(struct reduction *reduction, struct reduction_thread *thread,
                             const struct reduction_place *place, bool reentrant);
enum mover reduction_release(struct reduction *reduction, struct reduction_thread *thread,
                             const struct reduction_place *place, bool reentrant);

/* A wait gives the lock up and gets it again. `place->object` is the lock. */
void reduction_wait_begin(struct reduction *reduction, struct reduction_thread *thread,
                          const struct reduction_place *place);
void reduction_wait_end(struct reduction *reduction, struct reduction_thread *thread,
                        const struct reduction_place *place);

/* Anything else: REDUCTION_START is a left-mover, REDUCTION_JOIN a right-mover, REDUCTION_SYNC a
   non-mover. */
void reduction_step(struct reduction *reduction, struct reduction_thread *thread,
                    const struct reduction_place *place);

/* The variable has lost protection by an access of this thread that was not told to
   reduction_access: takes back what relied on it. */
void reduction_reclassify(struct reduction *reduction, struct reduction_thread *thread,
                          const struct reduction_place *place,
                          const struct reduction_variable *variable);

void reduction_counts(struct reduction *reduction, struct reduction_counts *counts);

/* "read", "write", "acquire", ... */
const char *reduction_kind_name(enum reduction_kind kind);

#endif
