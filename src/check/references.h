/*
 * references: what a reference to a named method (`this::flush`, `list::add`) does when it runs.
 */
#ifndef TURNSTILE_CHECK_REFERENCES_H
#define TURNSTILE_CHECK_REFERENCES_H

#include <stdbool.h>

#include "check/checker.h"
#include "flow/method_flow.h"

struct reference_call {
    struct flow_event call; /* as an EVENT_CALL of what is captured, the receiver among it */
    bool later; /* it may run at any time, when nothing is held and nothing is under construction;
                   else what the reference is passed to runs it at once */
};

/* False: the event makes no function of a named method. Bodies of lambdas are judged by themselves.
 */
bool reference_find(struct reference_call *found, const struct checker *checker,
                    const struct method_flow *flow, const struct flow_event *event);

#endif
