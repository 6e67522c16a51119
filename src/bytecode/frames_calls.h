/*
 * frames_calls: the subroutines (jsr) that a place in the code is inside of, and what each has
 * written.
 *
 * Old compilers made `finally` a subroutine that several places of a method call. The types of the
 * locals that it does not write must survive the call, although the callers may differ in them
 * (JVMS 4.10.2.5). So next to the frame the data flow carries this list. Only for
 * src/bytecode/frames*.c.
 */
#ifndef TURNSTILE_BYTECODE_FRAMES_CALLS_H
#define TURNSTILE_BYTECODE_FRAMES_CALLS_H

#include "bytecode/frames_internal.h"

struct frames_call {
    uint32_t entry;    /* instruction where the subroutine starts */
    uint64_t *written; /* a bit for each local that may have been written since its call */
};

struct frames_calls {
    struct frames_call *items; /* outermost first */
    uint32_t count;
    uint32_t words; /* of each `written` */
};

/* An empty list with room for `capacity` calls. */
bool frames_calls_init(struct frames_calls *calls, struct frames_maker *maker, uint32_t capacity);

/* Makes `to` equal; it must have room for as many. */
void frames_calls_assign(struct frames_calls *to, const struct frames_calls *from);

/* Two paths meet: only subroutines that both are inside of count. True if `to` changed. */
bool frames_calls_merge(struct frames_calls *to, const struct frames_calls *from);

bool frames_calls_equal(const struct frames_calls *a, const struct frames_calls *b);

/* The call of that subroutine, or NULL. */
struct frames_call *frames_calls_find(const struct frames_calls *calls, uint32_t entry);

/* One subroutine deeper; there must be room. */
void frames_calls_push(struct frames_calls *calls, uint32_t entry);

/* Every subroutine in the list has written this local. */
void frames_calls_write(struct frames_calls *calls, unsigned local);

/* Every subroutine in the list has written what that one has. */
void frames_calls_add_written(struct frames_calls *calls, const struct frames_call *call);

static inline bool frames_call_wrote(const struct frames_call *call, unsigned local)
{
    return call->written[local / 64] >> (local % 64) & 1;
}

#endif
