/*
 * unshared: which accesses are to an object that no other thread can know yet.
 *
 * They are those of a constructor to fields of `this`, until the code gives `this` away: passes it
 * to a method, stores it, or calls a method of another class on it (start() of a thread is one).
 * Nobody can come between such accesses or notice them, whatever locks are held; what makes the
 * object known orders them before all that others do to it. For races nothing is left out: an
 * object that is published by a race can be seen half made.
 *
 * Other constructors, and methods that the class itself declares, are taken not to give `this`
 * away. Where one does, blocks that are not atomic may be missed, and none is invented.
 */
#ifndef TURNSTILE_INSTRUMENT_UNSHARED_H
#define TURNSTILE_INSTRUMENT_UNSHARED_H

#include "instrument/instrument_internal.h"

/* When the origins are known. */
void unshared_begin(struct instrument_method *method);

/* Whether the instruction is such an access. */
bool unshared_is(const struct instrument_method *method, uint32_t instruction);

#endif
