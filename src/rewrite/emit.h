/*
 * emit: the bytes of a method whose layout is known.
 */
#ifndef TURNSTILE_REWRITE_EMIT_H
#define TURNSTILE_REWRITE_EMIT_H

#include <stdint.h>

#include "rewrite/exits.h"
#include "rewrite/layout.h"

/* The exits->code_end bytes, in the arena; NULL if memory ran out. */
const uint8_t *emit_code(struct arena *arena, const struct layout *layout,
                         const struct exits *exits);

#endif
