/*
 * beliefs: guards that nobody declared, but that most of the code seems to keep to.
 *
 * For each field of the application without a declared guard, its accesses are counted, and for
 * each lock that can be said in terms of the object (this, a path of final fields from it, a static
 * lock, its outer object) at how many of them it is held. Not counted are accesses to objects under
 * construction or not yet known to others, and those in static initializers of the field's class. A
 * lock that is held at nearly all of them is believed to be the guard; the others are then findings
 * of basis `belief`, the surer the more accesses agree. Fields that are final or volatile, never
 * written outside of construction, or that no lock is held for more than by chance, have none.
 */
#ifndef TURNSTILE_CHECK_BELIEFS_H
#define TURNSTILE_CHECK_BELIEFS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intmap.h"
#include "base/problem.h"
#include "locktypes/terms.h"

struct checker;

struct belief {
    term lock;       /* in terms of the field's object (parameter 0), in beliefs->terms */
    uint8_t guard;   /* enum guard_kind: WRITES if reads go without and writes never do */
    uint32_t held;   /* accesses that hold it */
    uint32_t total;  /* accesses that count */
    uint16_t surety; /* 0 to 1000 */
};

struct beliefs {
    struct arena arena;
    struct term_table terms;
    struct intmap by_field; /* to a struct belief * */
    uint32_t silent;        /* fields that were looked at and have none */
};

/* The checker's flows and entry locks must be there. */
bool beliefs_find(struct beliefs *beliefs, const struct checker *checker, struct problem *problem);
void beliefs_release(struct beliefs *beliefs);

/* NULL: none. */
const struct belief *beliefs_of(const struct beliefs *beliefs, uint32_t field);

#endif
