/*
 * agent_options: what stands behind the '=' of -agentpath:libturnstile.so=...
 */
#ifndef TURNSTILE_AGENT_AGENT_OPTIONS_H
#define TURNSTILE_AGENT_AGENT_OPTIONS_H

#include <stdbool.h>

#include "base/problem.h"

struct agent_options {
    bool rewrite_nop; /* rewrite=nop */
    bool verbose;     /* verbose */
};

/* Words separated by commas; NULL means none. False with the problem set at an unknown word. */
bool agent_options_parse(struct agent_options *options, const char *words, struct problem *problem);

#endif
