/*
 * descriptor: field and method descriptors, "[Ljava/lang/String;" and "(IJ)V".
 */
#ifndef TURNSTILE_CLASSFILE_DESCRIPTOR_H
#define TURNSTILE_CLASSFILE_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Well-formed as JVMS 4.3 says: at most 255 dimensions, at most 255 parameter slots not counting
   `this`, no empty class name. */
bool descriptor_is_field(struct text descriptor);
bool descriptor_is_method(struct text descriptor);

/* The same, faster, for a text inside an input of which `readable` bytes may be looked at from the
   start of the text on. The slots of a method's parameters without `this`, or -1 if it is not a
   method descriptor. */
bool descriptor_is_field_inside(struct text descriptor, size_t readable);
int descriptor_method_slots_inside(struct text descriptor, size_t readable);

/* The following need a well-formed descriptor. */

/* Walks the parameters: `position` starts at 1 (behind the parenthesis); the next parameter's
   descriptor is stored and the position moves behind it. False at the closing parenthesis. */
bool descriptor_next_parameter(struct text descriptor, size_t *position, struct text *parameter);

/* The descriptor of what a method returns. */
struct text descriptor_return(struct text method_descriptor);

/* Stack or local slots of a field or return descriptor: 0 for V, 2 for J and D, else 1. */
unsigned descriptor_slots(struct text field_descriptor);

/* Slots of all parameters, without `this`. */
unsigned descriptor_parameter_slots(struct text method_descriptor);

#endif
