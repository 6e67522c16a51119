/*
 * method_flow: one method executed symbolically.
 *
 * Every value that the method computes becomes a term (terms.h): copies share a term, and where
 * different values meet the result is a new opaque one. At every instruction it is known which
 * locks the method itself has taken on all paths that lead there: by monitorenter, by being
 * synchronized, and by library calls that the lock types describe (lock, unlock, tryLock with its
 * branch, ...). Locks that the caller must hold are not in these sets, because they are not the
 * flow's business: entry locks are added by whoever knows them. Only their release is seen: a lock
 * that the method gives up without having taken it is in the set as `given up`.
 *
 * What is left when the execution is over are events in code order: what the rules look at.
 *
 * Soundness where loops are concerned: a term for what an instruction made stands for its latest
 * execution only. So where a loop begins, every local that the loop assigns becomes a TERM_JOIN of
 * its own: nothing that is left of an earlier execution has a term any more, and locks on it are
 * forgotten, except that a lock which one of those locals holds on every way goes by the name of
 * the join (hand-over-hand locking).
 *
 * Objects that the method made and that nobody else can know yet are `fresh`; they stop being so
 * when they are stored, returned, thrown, passed (but not to their own constructor, nor to library
 * methods that are known to only read or write them), captured, or met by other values.
 */
#ifndef TURNSTILE_FLOW_METHOD_FLOW_H
#define TURNSTILE_FLOW_METHOD_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/problem.h"
#include "bytecode/decode.h"
#include "locktypes/lock_types.h"
#include "locktypes/terms.h"

struct call_graph;
struct flow_summaries;

/* ---- lock sets ---- */

enum lock_mode {
    LOCK_EXCLUSIVE,
    LOCK_SHARED,  /* for reading */
    LOCK_GIVEN_UP /* not held although the caller may have held it */
};

struct held_lock {
    term lock; /* of a read view: the read/write lock, LOCK_SHARED */
    uint8_t mode;
    uint8_t depth; /* how often it is taken, up to 255; 0 only if it is known */
    bool known;    /* held whatever the method takes and releases: the program says that the caller
                      holds it (holdsLock, asserts) */
    uint32_t at;   /* the instruction that took it first, of tryLock the branch on its result;
                      INSTRUCTION_NONE: synchronized method */
};

struct lock_set {
    const struct held_lock *items; /* ascending by lock, then by mode: a lock may be there in
                                      several modes */
    uint32_t count;
};

/* ---- events ---- */

enum event_kind {
    EVENT_READ,  /* of a field; id: field or PROGRAM_NONE if unresolved; object; value: result */
    EVENT_WRITE, /* value: what is written */
    EVENT_ARRAY_READ, /* object: the array; value: result */
    EVENT_ARRAY_WRITE,
    EVENT_CALL,    /* id: resolved method; object: receiver or TERM_NONE; arguments; value:
                      result, for constructors TERM_NONE */
    EVENT_LAMBDA,  /* id: the method that it will run; arguments: what it captures; value: it;
                      other: the interface's class, or PROGRAM_NONE */
    EVENT_NEW,     /* id: class, PROGRAM_NONE for arrays; value: it */
    EVENT_ACQUIRE, /* object: the lock; locks are those before it. other: enum acquire_way; id:
                      enum lock_mode. Behind the EVENT_CALL that does it */
    EVENT_RELEASE, /* the same */
    EVENT_CAST,    /* id: class; object */
    EVENT_RETURN,  /* value, or TERM_NONE */
    EVENT_THROW    /* value */
};

enum acquire_way {
    FLOW_BY_CALL,
    FLOW_BY_MONITOR,
    FLOW_BY_TRYING /* it may fail */
};

enum event_flags {
    EVENT_STATIC = 1,       /* field access or call without an object */
    EVENT_OBJECT_FRESH = 2, /* nobody else can know the object */
    EVENT_VALUE_FRESH = 4,  /* nobody else can know what is written, returned, or passed: then
                               every object that is passed is fresh, and there is one */
    EVENT_DISPATCHED = 8,   /* virtual or interface call: overriding methods may run */
    EVENT_VOLATILE = 16,    /* volatile field */
    EVENT_UNDER_CONSTRUCTION = 32, /* the object is `this` of a constructor (or a static field of
                                      the class in its static initializer), before or after
                                      super() */
    EVENT_OBJECT_PART = 64, /* the object hangs in one that nobody else can know, and the method has
                               not handed it out */
    EVENT_PART_MADE = 128 /* besides, the method has put it there itself, when nobody else knew it;
                             otherwise whoever made the holder has, and others may know it */
};

/* In the place of a flag that is about no object: the callee does not keep the argument. */
enum { ARGUMENT_LENT = EVENT_STATIC };

struct flow_event {
    uint32_t instruction;
    uint8_t kind; /* enum event_kind */
    uint8_t flags;
    uint16_t argument_count; /* receiver not counted */
    uint32_t locks;          /* number of the lock set before the instruction */
    uint32_t id;
    uint32_t other;
    term object, value;
    uint32_t first_argument; /* in flow->arguments; primitive ones are terms too */
    uint16_t constant;       /* index of the field or method constant, for unresolved names */
};

/* One of the values that meet in a TERM_JOIN. */
struct flow_join {
    term join, input;
};

struct method_flow {
    uint32_t method; /* number in the program */
    struct bytecode bytecode;
    struct term_table terms;
    term *origins; /* by term: for opaque values where they came from (TERM_VARYING, TERM_FIELD of
                      something, ...), else TERM_NONE; origin_count entries */
    uint32_t origin_count;
    uint32_t *types; /* by term: class number of its static type, or PROGRAM_NONE; as many */
    struct flow_join *joins;
    uint32_t join_count;
    struct lock_set *lock_sets; /* number 0 is the empty set */
    uint32_t lock_set_count;
    struct flow_event *events;
    uint32_t event_count;
    term *arguments;
    uint8_t *argument_flags; /* by argument: what of enum event_flags is true of it as of an
                                event's object, and ARGUMENT_LENT */
    uint32_t argument_count;
    term returned;            /* what every return gives, if that is one term without code values */
    uint32_t parameter_count; /* `this` counts */
    bool is_static;
};

struct flow_context {
    const struct program *program;
    const struct lock_types *types;
    const struct flow_summaries *summaries; /* NULL: none */
    const struct call_graph *graph; /* for lambdas and dispatched calls; NULL: the summaries' */
    struct arena *scratch;          /* for one execution, which clears it; NULL: one of its own */
};

/* Executes the method; it must have code. All of the result hangs in the arena (term_table_release
   and the like are done by method_flow_release). False with the problem set if the code cannot be
   decoded or is not well typed, or memory ran out. */
bool method_flow_run(struct method_flow *flow, struct arena *arena,
                     const struct flow_context *context, uint32_t method, struct problem *problem);
void method_flow_release(struct method_flow *flow);

/* The line of an instruction, 0 if unknown. */
uint32_t method_flow_line(const struct method_flow *flow, uint32_t instruction);

/* The lock itself, for its read or write view, and in which mode the object gives it. Lock sets
   have no views in them. */
term flow_lock_of(const struct term_table *terms, term object, uint8_t *mode);

/* Whether the lock, which the caller may hold, has been given up. */
bool lock_set_is_given_up(const struct lock_set *set, term lock);

/* Whether the set has the lock in a mode that is enough. */
bool lock_set_has(const struct lock_set *set, term lock, bool for_writing);

#endif
