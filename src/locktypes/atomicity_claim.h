/*
 * atomicity_claim: whether a declared atomicity says that the method should be atomic.
 *
 * For who looks at runs, where no lock of a declaration can be asked for. A method should be atomic
 * if it is declared to be `atomic` or better for every set of locks that it may be called with:
 * those that it requires are held, and those that make it an `error` are not there. So `this ?
 * mover : atomic` and `this ? mover` are claims, `this ? mover : cmpd` is none. With any
 * declaration, the method's author has decided: nobody else expects more of it.
 */
#ifndef TURNSTILE_LOCKTYPES_ATOMICITY_CLAIM_H
#define TURNSTILE_LOCKTYPES_ATOMICITY_CLAIM_H

#include "classfile/class_file.h"
#include "locktypes/syntax.h"

enum atomicity_claim {
    CLAIM_NONE,   /* nothing is declared */
    CLAIM_ATOMIC, /* the method should be atomic */
    CLAIM_OTHER   /* it need not */
};

/* `atomicity` NULL: not declared. Locks are the same if they are written the same. */
enum atomicity_claim atomicity_claim(const struct syntax_atomicity *atomicity,
                                     const struct syntax_locks *requires);

/* What annotations of the method say: @Atomic of any package, @Atomicity("...") of ours with what
   its @Requires says. Strings that cannot be read say nothing. False when there is no memory. */
bool atomicity_claim_annotated(enum atomicity_claim *claim, const struct class_file *class_file,
                               const struct member *method);

#endif
