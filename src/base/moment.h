/*
 * moment: how time goes on, whatever the calendar says.
 */
#ifndef TURNSTILE_BASE_MOMENT_H
#define TURNSTILE_BASE_MOMENT_H

#include <stdint.h>

/* Since some moment in the past. */
uint64_t moment_milliseconds(void);

#endif
