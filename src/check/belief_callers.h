/*
 * belief_callers: what the callers that we see have in common, whoever else may call.
 *
 * entry_locks.h tells what is held for certain: nothing, where others may call the method. For
 * beliefs that is too strict: a protected method of a library that is called with the lock held
 * wherever we look was meant to be called so, and the body of a privileged action runs while the
 * one who asked for it waits. So here only the calls count that are there, and so does what they
 * say about the objects: one that has just been made, and was given to nobody yet.
 *
 * Calls by constructors and other methods that set objects up do not count if there are others:
 * they come before anybody else has the object.
 *
 * What is found is a reason to doubt a finding, and never a proof that a lock is held.
 */
#ifndef TURNSTILE_CHECK_BELIEF_CALLERS_H
#define TURNSTILE_CHECK_BELIEF_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "check/entry_locks.h"
#include "flow/method_flow.h"
#include "locktypes/terms.h"

struct checker;

struct belief_caller {
    const struct entry_lock *locks; /* in terms of the method's parameters */
    uint32_t count;
    const struct entry_lock *some_locks; /* that some caller holds; only if it is not api */
    uint32_t some_count;
    uint64_t private_parameters; /* bit n: nobody else knows what parameter n is, at any call */
    bool api;                    /* users of the library may call it, by its name */
    bool makes;                  /* what it returns it has just made */
    bool begins; /* by its name it sets the object up, or only such methods call it */
};

struct belief_callers {
    struct arena arena;
    struct term_table terms;
    struct belief_caller *methods; /* by application method */
};

/* False when there is no memory. */
bool belief_callers_find(struct belief_callers *callers, const struct checker *checker);
void belief_callers_release(struct belief_callers *callers);

/* Whether the method made the object, or had it made, and gave it to nobody before this event, in
   the order of the code. Methods that were called on it are trusted, unlike in flags of events. */
bool belief_is_new(const struct belief_callers *callers, const struct checker *checker,
                   const struct method_flow *flow, uint32_t event, term object);

/* Methods in which nobody else has `this`: it is being read from a stream, or nobody has it any
   more. */
bool belief_has_this_alone(const struct program *program, uint32_t method);

/* The lock that item `i` of the set says was given up, and that this other set still has: the
   caller must hold it there, or it could not be given up later. */
term belief_given_up_later(const struct method_flow *flow, const struct lock_set *now, uint32_t set,
                           uint32_t i);

/* The term in the one form in which beliefs compare: canonical, and with one name for the outer
   object, which each class of a hierarchy of inner classes keeps in a field of its own. */
term belief_normal(const struct checker *checker, struct method_flow *flow, term number);

/* One name for another, for belief_rename. */
struct belief_name {
    term from, to;
};

/* A normal term of the flow in other terms; TERM_NONE if it has no name there. */
term belief_rename(const struct method_flow *flow, term number, const struct belief_name *names,
                   uint32_t count, struct term_table *to);

#endif
