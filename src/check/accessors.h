/*
 * accessors: methods that compilers make so that classes inside one another reach private members
 * (`access$000`, before Java 11). What they do counts as done by who calls them.
 */
#ifndef TURNSTILE_CHECK_ACCESSORS_H
#define TURNSTILE_CHECK_ACCESSORS_H

#include <stdbool.h>
#include <stdint.h>

struct checker;

/* By its name, and by how little it does: what does more is a method like others. The flows must be
   there. */
bool accessors_is_one(const struct checker *checker, uint32_t method);

/* Puts the events of accessors behind the calls of them, in all flows; by one thread. False when
   there is no memory. */
bool accessors_inline(struct checker *checker);

#endif
