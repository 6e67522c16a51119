/*
 * quiet: what a piece of code surely does not do, so that checks can be left out or moved.
 *
 * Both are asked of one instruction. A quiet one releases nothing: no lock, no volatile, nothing
 * that another thread could wait for; a check that stands behind it could as well stand before it,
 * if the access had been made there. A sure one, moreover, goes on to the next instruction: it
 * throws nothing, calls nothing that might, and acquires nothing.
 *
 * Methods of the class itself are looked into, a few calls deep, as they were when the class was
 * read: so the order in which they are changed makes no difference. Nothing is known of those of
 * other classes but Math and StringBuilder.
 */
#ifndef TURNSTILE_INSTRUMENT_QUIET_H
#define TURNSTILE_INSTRUMENT_QUIET_H

#include "instrument/instrument_internal.h"

/* Before any method is changed. False if memory ran out. */
bool quiet_begin(struct instrument_class *owner);

/* The field at this constant is one of the class's own and not volatile. */
bool quiet_is_plain(const struct instrument_class *owner, uint16_t constant);

bool quiet_releases_nothing(struct instrument_class *owner, const struct instruction *instruction);

/* An access of an instance field is sure if its object is not null, which the caller must know. */
bool quiet_is_sure(struct instrument_class *owner, const struct instruction *instruction);

#endif
