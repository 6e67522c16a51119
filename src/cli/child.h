/*
 * child: another program, run as if nobody stood between it and its user.
 *
 * It has our standard streams, working directory, environment, process group and signal
 * dispositions. Signals that somebody sends to us go on to it; those that a terminal sends reach it
 * by themselves, because it is in our process group. We end after it, and as it did.
 */
#ifndef TURNSTILE_CLI_CHILD_H
#define TURNSTILE_CLI_CHILD_H

#include <stdbool.h>

struct child_end {
    int status; /* its exit status, if `signal` is 0 */
    int signal; /* the signal that ended it, or 0 */
};

/* Runs the program and waits for its end. `arguments` begins with the program's name for itself and
   ends with NULL. 0, or the errno of why it could not be started. */
int child_run(const char *path, char *const *arguments, struct child_end *end);

/* What to leave main with: the child's status. Does not return if a signal ended the child and can
   end us too, so that whoever started us sees the same; otherwise 128 and the signal, as shells do.
 */
int child_exit_status(const struct child_end *end);

#endif
