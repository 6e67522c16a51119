/*
 * unshared: which accesses are to an object that no other thread can know yet.
 *
 * They are those
 *   - of a constructor to fields of `this`, until the code gives `this` away: passes it to a
 * method, stores it, or calls a method of another class on it (start() of a thread is one);
 *   - to fields of an object, and to a library object, that the method itself has made, until the
 *     code gives that away: does anything else with it than to access its fields, to call what the
 *     table of library objects has, and to keep it in locals of its own.
 *
 * An object that the code loses from sight, because it may be one of several, counts as given away.
 * Nobody can come between such accesses or notice them, whatever locks are held; what makes the
 * object known orders them before all that others do to it. For races nothing is left out: an
 * object that is published by a race can be seen half made.
 *
 * Constructors, and methods that the class itself declares, are taken not to give `this` away.
 * Where one does, blocks that are not atomic may be missed, and none is invented.
 */
#ifndef TURNSTILE_INSTRUMENT_UNSHARED_H
#define TURNSTILE_INSTRUMENT_UNSHARED_H

#include "instrument/instrument_internal.h"

/* Only where accesses are told one by one: recorded, or in samples. */
bool unshared_is_wanted(const struct instrument_method *method);

/* When the origins are known. False if memory ran out. */
bool unshared_begin(struct instrument_method *method);

/* Whether the instruction's access is to such an object. `object`: where what it accesses, or has
   the field or element that it accesses, comes from. */
bool unshared_is(struct instrument_method *method, uint32_t instruction, struct origin object);

#endif
