/*
 * accessors: methods that compilers make so that classes inside one another reach private members
 * (`access$000`, before Java 11). What they do counts as done by who calls them.
 */
#ifndef TURNSTILE_CHECK_ACCESSORS_H
#define TURNSTILE_CHECK_ACCESSORS_H

#include <stdbool.h>
#include <stdint.h>

#include "program/program.h"

struct checker;

bool accessors_is_one(const struct program *program, uint32_t method);

/* Puts the events of accessors behind the calls of them, in all flows; by one thread. False when
   there is no memory. */
bool accessors_inline(struct checker *checker);

#endif
