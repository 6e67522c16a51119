/*
 * written_type: types as they are written in source, compared with those of class files.
 *
 * What is written knows neither imports nor packages: "Entry" may be any class of that name. So a
 * type that is written may be that of several descriptors.
 */
#ifndef TURNSTILE_CLASSFILE_WRITTEN_TYPE_H
#define TURNSTILE_CLASSFILE_WRITTEN_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Whether the name is that of a primitive type, or void. */
bool written_type_is_primitive(struct text name);

/* Whether the name with so many `[]` behind it may be what a well-formed field or return descriptor
   says; classes as in names_may_be. */
bool written_type_may_be(struct text name, uint32_t dimensions, struct text descriptor);

/* Whether types that are written between commas, "int, String[], Object...", may be those of the
   parameters of a well-formed method descriptor. `_` is any type, `*` alone are any parameters. If
   the method's Signature is given (empty: it has none), type variables may be written, too. */
bool written_types_may_be(struct text types, struct text descriptor, struct text signature);

#endif
