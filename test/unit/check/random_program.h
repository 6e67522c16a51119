/*
 * random_program: a mini_program for each seed.
 *
 * Most accesses and calls are put under the locks that they need, as a careful programmer would
 * do, so that a good part of the programs is accepted; now and then one is forgotten, or another
 * lock taken. What the checker says it does not see is left out: constructors do not show their
 * object to anybody, and whatever threads share has a guard.
 */
#ifndef TURNSTILE_TEST_RANDOM_PROGRAM_H
#define TURNSTILE_TEST_RANDOM_PROGRAM_H

#include <stdint.h>

#include "check/mini_program.h"

void random_program_make(struct mini_program *program, uint64_t seed);

#endif
