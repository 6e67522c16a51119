/*
 * repeats: checks of fields that a loop need not make again.
 *
 * An access that a thread makes again before it has released anything tells nothing new: whoever
 * races with the second races with the first. So in a loop that releases nothing, a field of an
 * object that stays the same needs one check, not one in each round. The method gets a local, the
 * flag, which says that the check was made; it is cleared on every way into the loop:
 *
 *     flag = 0; while (...) { if (flag == 0) { check(object); flag = 1; } ... object.field ... }
 *
 * After a round or so the JIT sees that nothing is left of that, and can treat the loop as if it
 * were not watched.
 *
 * A loop qualifies if it has no monitorenter or monitorexit, writes no volatile field, and calls
 * only methods that are known to do nothing of the kind either: those of Math, and such methods of
 * the class itself. The object must be `this`, or be in a local that the loop does not store to.
 * Whether a field of another class is volatile is seen when it is checked: if it is, its flag stays
 * 0, and a write of it clears all flags.
 */
#ifndef TURNSTILE_INSTRUMENT_REPEATS_H
#define TURNSTILE_INSTRUMENT_REPEATS_H

#include "instrument/instrument_internal.h"

struct repeats;

/* Finds them and plans the clearing. method->repeats stays NULL if there are none. False if memory
   ran out. */
bool repeats_begin(struct instrument_method *method);

/* The flag of the check for this instruction; -1 if it has none. */
int32_t repeats_flag(const struct instrument_method *method, uint32_t instruction);

/* Whether all flags must be cleared behind the check for this instruction, if that finds the field
   to be volatile. */
bool repeats_may_end(const struct instrument_method *method, uint32_t instruction);

void repeats_clear(const struct instrument_method *method, struct snippet *snippet);

#endif
