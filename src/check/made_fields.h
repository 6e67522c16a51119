/*
 * made_fields: fields that hold only what was made for them.
 *
 * Whatever the program assigns to such a field is an object that nobody else knows at that moment;
 * the method that assigns it does not hand it out afterwards, nor does a constructor that reads the
 * field. So what hangs there in an object that nobody else knows (EVENT_OBJECT_PART) is known to
 * nobody else either: the flow of one method cannot say that of what was there before.
 *
 * Nor does it help if a constructor shows the object itself to something else, as an outer object
 * or as what a thread or listener runs on: what hangs there may be reached that way, although the
 * object itself counts as known to nobody. What constructors do to `this` in other methods does not
 * count.
 */
#ifndef TURNSTILE_CHECK_MADE_FIELDS_H
#define TURNSTILE_CHECK_MADE_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "check/checker.h"
#include "flow/method_flow.h"

/* Fills in checker->made and checker->shown, from the flows. False without memory. */
bool made_fields_find(struct checker *checker);

/* Whether nobody else can know the object, by what an event of the flow, or one of its arguments,
   has for flags. */
bool made_fields_is_private(const struct checker *checker, const struct method_flow *flow,
                            unsigned flags, term object);

#endif
