/*
 * beliefs: guards that nobody declared, but that most of the code seems to keep to.
 *
 * For each field of the application without a declared guard, its accesses are counted, and for
 * each lock that can be said in terms of the object (this, a path of final fields from it, a static
 * lock, its outer object) at how many of them it is held. Not counted are accesses to objects under
 * construction or not yet known to others, those in static initializers of the field's class, and
 * those in methods that all callers which we see call with the lock held. A lock that is held at
 * two thirds of them (a write counts twice), in at least as many methods as go without, is believed
 * to be the guard; one synchronized method alone proves nothing. If only the writes agree, three in
 * four of them, it is the guard of writes.
 *
 * A final field that refers to a new array or a new library object without locks of its own (a
 * HashMap) is never written; there the accesses are those to what is in the object.
 *
 * The other accesses are findings of basis `belief`. Each has a surety of its own: the more
 * accesses agree the surer, and the more it looks like a mistake (belief_surety.c). Fields that are
 * final or volatile, never written outside of construction, or that no lock is held for more than
 * by chance, have no belief.
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
    uint16_t surety; /* of its surest finding, 0 to 1000; 0: everything keeps to it */
};

struct beliefs {
    struct arena arena;
    struct term_table terms;
    struct intmap by_field; /* to a struct belief * */
    struct intmap breaks;   /* method << 32 | event, to a list of struct belief_broken * */
    uint32_t silent;        /* fields that were looked at and have none */
};

/* The checker's flows and entry locks must be there. */
bool beliefs_find(struct beliefs *beliefs, const struct checker *checker, struct problem *problem);
void beliefs_release(struct beliefs *beliefs);

/* NULL: none. */
const struct belief *beliefs_of(const struct beliefs *beliefs, uint32_t field);

/* An access that breaks the belief of its field. One event can make several. */
struct belief_break {
    uint32_t method, event, field;
    term object; /* whose field it is, or the object whose content is accessed */
};

/* How sure it is that this is done by mistake, up to 1000; 0: it breaks no belief, or for a reason.
 */
uint32_t beliefs_surety(const struct beliefs *beliefs, const struct belief_break *access);

#endif
