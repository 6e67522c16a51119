/*
 * names: what may be the name of a class, field or method (JVMS 4.2), and class names as Java
 * programmers write them.
 */
#ifndef TURNSTILE_CLASSFILE_NAMES_H
#define TURNSTILE_CLASSFILE_NAMES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/builder.h"
#include "base/text.h"

/* An internal name, "java/util/Map$Entry": unqualified names with single slashes between them. */
bool names_is_internal(struct text name);

/* What a Class constant may hold: an internal name or the descriptor of an array. */
bool names_is_class(struct text name);

/* Not empty, and no '.', ';', '[' or '/'. Also for local variables and record components. */
bool names_is_field(struct text name);

/* The same without '<' and '>', except <init> and <clinit>. */
bool names_is_method(struct text name);

/* "java/util/Map$Entry" as "java.util.Map$Entry". */
void names_add_dotted(struct builder *builder, struct text internal_name);

/* The same in the arena; empty, with the arena's `failed` set, if memory ran out. */
struct text names_dotted(struct arena *arena, struct text internal_name);

/* Whether the name, as written in source, may stand for the class: "Entry", "Map.Entry" and
   "java.util.Map.Entry" for "java/util/Map$Entry", "Local" for "A$1Local". */
bool names_may_be(struct text internal_name, struct text written);

#endif
