/*
 * entry_locks: which locks are held when a method begins.
 *
 * Two answers for each method. The strict one is what the lock types promise: its requires clause,
 * and, for the body of a lambda that is called at once, what is held where it is called. Declared
 * guards are checked with it alone. The inferred one is what every caller that we know of happens
 * to hold (for methods that nobody else can call); beliefs are judged with both.
 *
 * A method is `constructing` if it is only ever called on an object under construction, by its
 * constructors or by other such methods: what it does to `this` nobody else can see.
 *
 * Terms are in terms of the method's parameters, in `terms`.
 */
#ifndef TURNSTILE_CHECK_ENTRY_LOCKS_H
#define TURNSTILE_CHECK_ENTRY_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/problem.h"
#include "flow/method_flow.h"
#include "locktypes/terms.h"

struct checker;

struct entry_lock {
    term lock;
    uint8_t mode;  /* enum lock_mode: EXCLUSIVE or SHARED */
    bool inferred; /* by looking at the callers */
};

struct method_entry {
    const struct entry_lock *locks;
    uint32_t count;
    bool constructing;
};

struct entry_locks {
    struct arena arena;
    struct term_table terms;
    struct method_entry *methods; /* by application method */
};

/* The checker's flows must be there. False with the problem set when there is no memory. */
bool entry_locks_find(struct entry_locks *entry, const struct checker *checker,
                      struct problem *problem);
void entry_locks_release(struct entry_locks *entry);

/* The one call that runs the function which this EVENT_LAMBDA makes, if it is called there, before
   that call returns, and used nowhere else; NULL: it may run at any time. */
const struct flow_event *entry_locks_called_at_once(const struct checker *checker,
                                                    const struct method_flow *flow,
                                                    const struct flow_event *lambda);

/* The same term in another table, whose parameters and formals mean the same. */
term entry_locks_copy(const struct term_table *from, term number, struct term_table *to);

/* A term of the caller in terms of the callee, whose parameters are `arguments` there (receiver
   first); TERM_NONE if it has no name there. `same_class`: both are methods of one class and speak
   of the same object, so that the class's formals mean the same. */
term entry_locks_translate(const struct term_table *from, term number, const term *arguments,
                           uint32_t count, bool same_class, struct term_table *to);

#endif
