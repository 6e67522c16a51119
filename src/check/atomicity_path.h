/*
 * atomicity_path: why a method is not atomic: where it commits, and the first step after that which
 * others can notice.
 *
 * A method is followed along its control flow with a given set of locks held on entry. Until it
 * commits there are only right movers; the commit is the first step that is none, and whatever
 * comes behind it must be left movers. Both places are followed into the methods that are called.
 */
#ifndef TURNSTILE_CHECK_ATOMICITY_PATH_H
#define TURNSTILE_CHECK_ATOMICITY_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "check/atomicity_inference.h"

enum { ATOMICITY_PATH_DEPTH = 12 };

/* A step, innermost last: the method, and the number of its atom; UINT32_MAX for what a
   synchronized method does as such. */
struct atomicity_step {
    uint32_t methods[ATOMICITY_PATH_DEPTH];
    uint32_t atoms[ATOMICITY_PATH_DEPTH];
    uint32_t depth;
    atomicity value; /* of the innermost */
};

struct atomicity_path {
    struct atomicity_step commit, violation; /* the same if one step alone is too much */
};

/* Which locks are held on entry: names of the method. */
struct atomicity_held {
    bool (*is_held)(void *context, term lock);
    void *context;
};

/* The same for the synchronized block that this atom, an acquire, begins: up to where the lock is
   released. */
bool atomicity_path_find_block(struct atomicity_inference *inference, uint32_t method,
                               uint32_t acquire, const struct atomicity_held *held,
                               struct atomicity_path *path);

/* False if no such path is found: the method is atomic with these locks. */
bool atomicity_path_find(struct atomicity_inference *inference, uint32_t method,
                         const struct atomicity_held *held, struct atomicity_path *path);

#endif
