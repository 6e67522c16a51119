/*
 * emit: the bytes of a method with its plan carried out.
 *
 * One pass over the code copies the old instructions and what is inserted between them, and notes
 * where everything stands (emit_body). How far branches and switches go is known only then, and is
 * put right at the end (emit_finish), when no branch must be widened any more: see layout.h.
 */
#ifndef TURNSTILE_REWRITE_EMIT_H
#define TURNSTILE_REWRITE_EMIT_H

#include <stdint.h>

#include "rewrite/exits.h"
#include "rewrite/layout.h"

/* Writes the body, as far as it does not depend on distances, into layout->code, with those
   branches wide that are marked so; fills in the places and body_end. If the body does not fit into
   layout->room, body_end becomes LAYOUT_LARGEST_CODE + 1 and the places mean nothing. */
void emit_body(struct layout *layout);

/* So many bytes behind the code belong to it as well, and become 0 in the end: see struct code. */
enum { EMIT_MARGIN = CODE_IMAGE_PIECE };

/* The bytes behind the body that must be there for both functions. */
size_t emit_room_behind(const struct plan *plan);

/* Fills in what depends on distances, and appends the exceptional exits. */
void emit_finish(const struct layout *layout, const struct exits *exits);

#endif
