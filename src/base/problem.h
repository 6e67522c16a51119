/*
 * problem: why some input could not be used.
 *
 * Code that reads bytes from outside fills one of these and gives up; it does not print. Only the
 * first problem is kept, because those that follow are usually its echo.
 */
#ifndef TURNSTILE_BASE_PROBLEM_H
#define TURNSTILE_BASE_PROBLEM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROBLEM_NO_OFFSET SIZE_MAX

struct problem {
    bool set;
    size_t offset; /* byte offset in the input, or PROBLEM_NO_OFFSET */
    char reason[360];
};

void problem_clear(struct problem *problem);

/* Keeps the first: later calls change nothing. (Functions that only those call who have failed are
   marked as cold: compilers then put the calls out of the way of what succeeds.) */
void problem_set(struct problem *problem, size_t offset, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));
void problem_set_list(struct problem *problem, size_t offset, const char *format, va_list arguments)
    __attribute__((cold, format(printf, 3, 0)));

#endif
