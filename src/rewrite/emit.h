/*
 * emit: the bytes of a method whose layout is known.
 */
#ifndef TURNSTILE_REWRITE_EMIT_H
#define TURNSTILE_REWRITE_EMIT_H

#include <stdint.h>

#include "rewrite/exits.h"
#include "rewrite/layout.h"

/* Writes exits->code_end bytes. */
void emit_code(uint8_t *to, const struct layout *layout, const struct exits *exits);

#endif
