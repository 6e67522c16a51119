/*
 * code_image: a snippet made ready for insertion: encoded once, copied wherever it is planned.
 *
 * Branches stay inside the snippet, so its bytes do not depend on where they will stand.
 */
#ifndef TURNSTILE_REWRITE_CODE_IMAGE_H
#define TURNSTILE_REWRITE_CODE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/problem.h"
#include "rewrite/snippet.h"

/* Images are copied in pieces of this size: the fixed size makes the copy a few instructions. So
   many bytes may be read from the start of an image, however short it is. */
enum { CODE_IMAGE_PIECE = 16 };

struct code_image {
    uint64_t version; /* of the snippet that it was made of */
    /* offsets count from the image's start; branch targets are instruction numbers, `count` being
       the end */
    const struct instruction *instructions;
    uint32_t count;
    uint32_t copied; /* as the snippet has it */
    const uint8_t *bytes;
    uint32_t length;
    /* By instruction number, the end included: the number of this branch target among those of the
       image, or CODE_IMAGE_NO_TARGET. NULL without branches. */
    const uint16_t *targets;
    uint16_t target_count;
    uint16_t lowest_store; /* the lowest local that it writes; UINT16_MAX if none */
    uint32_t local_end;    /* one more than the highest local it uses; 0 if none */
    int32_t growth;        /* most slots on the stack above what was there at the start */
    int32_t change;        /* slots more at the end than at the start (if it falls through) */
    bool falls_through;    /* its end can be reached */
};

#define CODE_IMAGE_NO_TARGET UINT16_MAX

/* The image, in the arena. NULL with the problem set if the snippet has failed or cannot be right:
   unbound label, unreachable code, stack depths that do not agree, longer than 32,767 bytes. */
struct code_image *code_image_new(struct arena *arena, const struct snippet *snippet,
                                  struct problem *problem);

/* Whether code_image_new would make the same image again. */
bool code_image_is_of(const struct code_image *image, const struct snippet *snippet);

/* The same for a snippet that was not touched since: it need not be looked at. False says nothing.
 */
static inline bool code_image_is_current(const struct code_image *image,
                                         const struct snippet *snippet)
{
    return image->version == snippet->version;
}

/* The byte offset, in the image, of the copy of an instruction that the image replaces: of the one
   that snippet_copy made; else of the first one that is the same, or has at least the same opcode;
   0 if there is none. */
uint32_t code_image_find(const struct code_image *image, const struct instruction *instruction);

/* The local that an instruction loads, stores or increments, also if only its opcode says which;
   -1 if it uses none. */
int32_t code_image_local(const struct instruction *instruction, bool *stores, unsigned *slots);

#endif
