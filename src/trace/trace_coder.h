/*
 * trace_coder: one event to some bytes and back, by prediction; trace_format.h says how.
 *
 * Programs run in loops: what a thread does next is mostly what it did next the last time, to the
 * next element of the same array, or to another field of the object it was at. All of that is one
 * control byte, and then mostly the same one again and again, which deflate turns into next to
 * nothing. The encoder's time is paid by the recorded program, so it is a few table accesses
 * and no search.
 */
#ifndef TURNSTILE_TRACE_TRACE_CODER_H
#define TURNSTILE_TRACE_TRACE_CODER_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "trace/event.h"

enum {
    TRACE_CODER_CONTEXT_BITS = 10,
    TRACE_CODER_CONTEXTS = 1 << TRACE_CODER_CONTEXT_BITS,
    TRACE_CODER_SORTS = 5, /* of targets */
    TRACE_CODER_KINDS = TRACE_LEAVE + 1,

    TRACE_CODER_SITE = 1,
    TRACE_CODER_STACK = 2,
    TRACE_CODER_TARGET_SHIFT = 2,
    TRACE_CODER_RESERVED = 16,
    TRACE_CODER_GROWTH_SHIFT = 5,
    TRACE_CODER_GROWTH_LONG = 7,
};

enum trace_coder_target {
    TRACE_CODER_BY_STRIDE,
    TRACE_CODER_BY_NEIGHBOUR,
    TRACE_CODER_FROM_NEIGHBOUR,
    TRACE_CODER_FROM_LAST,
};

/*
 * A link says, for a context, what was encoded behind it the last time, if that was one of many
 * (trace_stream_packed): when the same comes again, it is encoded the same way but for its target,
 * and nobody has to find out where and what it is. For as long as the block. Readers have none.
 */
struct trace_link {
    uint32_t packed; /* its low half */
    uint32_t before; /* the site of the event before it, as the coder has it */
    uint32_t stack;  /* TRACE_LINK_NONE if there is no link */
    uint32_t place;  /* its context */
    uint32_t site, location;
    uint32_t block; /* its target if it is a block's, else 0 */
    uint32_t mask;  /* of the target that it comes with: none if it is a block's */
    uint8_t sort;   /* of its target */
    uint8_t events; /* how many it is */
};

#define TRACE_LINK_NONE UINT32_MAX

/* All that an event needs is in one line of the cache. */
struct trace_coder_context {
    alignas(64) uint32_t target;
    uint32_t stride;
    uint32_t neighbour; /* the target less the neighbour */
    uint32_t stack;
    uint32_t next_location;
    uint32_t next_kind;
    struct trace_link link;
};

_Static_assert(sizeof(struct trace_coder_context) == 64, "a context is a line of the cache");

struct trace_coder {
    struct trace_coder_context contexts[TRACE_CODER_CONTEXTS];
    uint64_t sequence; /* of the last event */
    uint32_t place;    /* its context */
    uint32_t location;
    uint32_t site;
    uint32_t targets[TRACE_CODER_SORTS];
};

/* The numbers of different sorts have nothing to do with each other. */
static inline unsigned trace_coder_sort(enum trace_kind kind)
{
    static const uint8_t sorts[TRACE_CODER_KINDS] = {
        [TRACE_READ] = 0,
        [TRACE_WRITE] = 0,
        [TRACE_ACQUIRE] = 1,
        [TRACE_RELEASE] = 1,
        [TRACE_ACQUIRE_SHARED] = 1,
        [TRACE_RELEASE_SHARED] = 1,
        [TRACE_WAIT] = 1,
        [TRACE_WAITED] = 1,
        [TRACE_SYNC_RELEASE] = 2,
        [TRACE_SYNC_ACQUIRE] = 2,
        [TRACE_FORK] = 3,
        [TRACE_JOIN] = 3,
        [TRACE_BEGIN] = 4,
        [TRACE_END] = 4,
        [TRACE_TRY] = 1,
        [TRACE_HAND_OVER] = 1,
        [TRACE_TAKE_OVER] = 1,
        [TRACE_WANT] = 1,
        [TRACE_UPDATE] = 0,
        [TRACE_ENTER] = 1,
        [TRACE_LEAVE] = 1,
    };
    return sorts[kind];
}

/* A block begins; its first event will have the sequence number `first`, or more. */
static inline void trace_coder_start(struct trace_coder *coder, uint64_t first)
{
    memset(coder, 0, sizeof *coder);
    coder->sequence = first - 1;
}

/* Kinds have four bits: one above shares the contexts of another, which costs some bytes. */
static inline uint32_t trace_coder_site(uint32_t location, enum trace_kind kind)
{
    return location << 4 | (uint32_t)kind;
}

/* Which context an event has, by its site and that of the event before. */
static inline uint32_t trace_coder_place(uint32_t site, uint32_t before)
{
    const uint32_t hash = (site * 0x9E3779B1u) ^ (before * 0x85EBCA77u);
    return hash >> (32 - TRACE_CODER_CONTEXT_BITS);
}

static inline struct trace_coder_context *trace_coder_enter(struct trace_coder *coder,
                                                            uint32_t location, enum trace_kind kind)
{
    const uint32_t site = trace_coder_site(location, kind);
    coder->place = trace_coder_place(site, coder->site);
    coder->site = site;
    coder->location = location;
    return &coder->contexts[coder->place];
}

static inline void trace_coder_learn(struct trace_coder_context *context, uint32_t *neighbour,
                                     uint32_t target)
{
    context->stride = target - context->target;
    context->neighbour = target - *neighbour;
    context->target = target;
    *neighbour = target;
}

static inline uint8_t *trace_coder_varint(uint8_t *to, uint64_t value)
{
    while (value >= 0x80) {
        *to++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *to++ = (uint8_t)value;
    return to;
}

/* The same bytes for 32 bits, without a loop whose end nobody can foresee. Writes up to eight, of
   which only those before the place it gives mean anything. */
static inline uint8_t *trace_coder_varint32(uint8_t *to, uint32_t value)
{
    /* The bytes behind the first: the highest bit's number by 7, which is exact up to 68. */
    const unsigned more = (31u - (unsigned)__builtin_clz(value | 1)) * 37 >> 8;
    /* Seven bits to a byte: first apart into halves of 14, then each of these. */
    const uint64_t halves = (value & 0x3FFF) | (uint64_t)(value & 0xFFFC000) << 2;
    const uint64_t parts =
        (halves & 0x007F007F) | (halves & 0x3F803F80) << 1 | (uint64_t)(value >> 28) << 32;
    uint64_t bytes = parts | (UINT64_C(0x80808080) & ((UINT64_C(1) << 8 * more) - 1));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(to, &bytes, sizeof bytes);
    return to + more + 1;
}

static inline uint32_t trace_coder_zigzag(uint32_t difference)
{
    return difference << 1 ^ (0u - (difference >> 31));
}

static inline uint32_t trace_coder_unzigzag(uint32_t value)
{
    return value >> 1 ^ (0u - (value & 1));
}

/* `growth` is by how much the sequence number grew, less 1. */
static inline uint8_t *trace_coder_put_growth(uint8_t *to, unsigned *control, uint64_t growth)
{
    if (growth < TRACE_CODER_GROWTH_LONG) {
        *control |= (unsigned)growth << TRACE_CODER_GROWTH_SHIFT;
        return to;
    }
    const uint64_t rest = growth - TRACE_CODER_GROWTH_LONG;
    *control |= TRACE_CODER_GROWTH_LONG << TRACE_CODER_GROWTH_SHIFT;
    return rest <= UINT32_MAX ? trace_coder_varint32(to, (uint32_t)rest)
                              : trace_coder_varint(to, rest);
}

/* Puts the target, and learns it. The control byte, of which all else is in `control`, is put at
   `start`: known so early, it needs no place of its own. */
static inline uint8_t *trace_coder_put_target(uint8_t *start, uint8_t *to, unsigned control,
                                              struct trace_coder_context *context,
                                              uint32_t *neighbour, uint32_t target)
{
    const uint32_t to_last = target - context->target, to_neighbour = target - *neighbour;
    const struct trace_coder_context before = *context;
    trace_coder_learn(context, neighbour, target);
    if (to_last == before.stride) {
        *start = (uint8_t)(control | TRACE_CODER_BY_STRIDE << TRACE_CODER_TARGET_SHIFT);
        return to;
    }
    if (to_neighbour == before.neighbour) {
        *start = (uint8_t)(control | TRACE_CODER_BY_NEIGHBOUR << TRACE_CODER_TARGET_SHIFT);
        return to;
    }
    const uint32_t from_last = trace_coder_zigzag(to_last);
    const uint32_t from_neighbour = trace_coder_zigzag(to_neighbour);
    const bool nearer = from_neighbour < from_last;
    const enum trace_coder_target by = nearer ? TRACE_CODER_FROM_NEIGHBOUR : TRACE_CODER_FROM_LAST;
    *start = (uint8_t)(control | (unsigned)by << TRACE_CODER_TARGET_SHIFT);
    return trace_coder_varint32(to, nearer ? from_neighbour : from_last);
}

/* Writes at most TRACE_FORMAT_EVENT_MAX bytes: the place behind them. The sequence number is
   greater than that of the last event. */
static inline uint8_t *trace_coder_encode(struct trace_coder *coder, uint8_t *to, uint64_t sequence,
                                          const struct trace_event *event)
{
    uint8_t *const start = to++;
    unsigned control = 0;
    to = trace_coder_put_growth(to, &control, sequence - coder->sequence - 1);
    coder->sequence = sequence + trace_kind_events(event->kind) - 1;

    struct trace_coder_context *before = &coder->contexts[coder->place];
    if (before->next_location != event->location || before->next_kind != (uint32_t)event->kind) {
        control |= TRACE_CODER_SITE;
        *to++ = (uint8_t)event->kind;
        to = trace_coder_varint(to, trace_coder_zigzag(event->location - coder->location));
        before->next_location = event->location;
        before->next_kind = (uint32_t)event->kind;
    }

    struct trace_coder_context *context = trace_coder_enter(coder, event->location, event->kind);
    const bool other_stack = event->stack != context->stack;
    if (other_stack)
        control |= TRACE_CODER_STACK;
    to = trace_coder_put_target(start, to, control, context,
                                &coder->targets[trace_coder_sort(event->kind)], event->target);
    if (other_stack) {
        to = trace_coder_varint(to, event->stack);
        context->stack = event->stack;
    }
    return to;
}

/* Takes what is there even if it is too long: the caller looks at how far it got. */
static inline uint32_t trace_coder_take(const uint8_t **from)
{
    const uint8_t *at = *from;
    uint32_t value = *at & 0x7F;
    for (unsigned shift = 7; *at++ & 0x80 && shift < 35; shift += 7)
        value |= (uint32_t)(*at & 0x7F) << shift;
    *from = at;
    return value;
}

static inline uint64_t trace_coder_take_long(const uint8_t **from)
{
    const uint8_t *at = *from;
    uint64_t value = *at & 0x7F;
    for (unsigned shift = 7; *at++ & 0x80 && shift < 70; shift += 7)
        value |= shift < 64 ? (uint64_t)(*at & 0x7F) << shift : 0;
    *from = at;
    return value;
}

static inline uint32_t trace_coder_take_target(const uint8_t **from, unsigned control,
                                               const struct trace_coder_context *context,
                                               uint32_t neighbour)
{
    switch (control >> TRACE_CODER_TARGET_SHIFT & 3) {
    case TRACE_CODER_BY_STRIDE:
        return context->target + context->stride;
    case TRACE_CODER_BY_NEIGHBOUR:
        return neighbour + context->neighbour;
    case TRACE_CODER_FROM_NEIGHBOUR:
        return neighbour + trace_coder_unzigzag(trace_coder_take(from));
    default:
        return context->target + trace_coder_unzigzag(trace_coder_take(from));
    }
}

/* Reads at most TRACE_FORMAT_EVENT_MAX bytes, whatever they are: those must be there. Sets all of
   the event but its thread; of one that is two, `sequence` is the second number. False for bytes
   that the encoder does not write. */
static inline bool trace_coder_decode(struct trace_coder *coder, const uint8_t **from,
                                      struct trace_event *event)
{
    const unsigned control = *(*from)++;
    uint64_t growth = control >> TRACE_CODER_GROWTH_SHIFT;
    if (growth == TRACE_CODER_GROWTH_LONG) {
        const uint64_t rest = trace_coder_take_long(from);
        growth = rest < UINT64_MAX - growth ? growth + rest : UINT64_MAX;
    }
    if (control & TRACE_CODER_RESERVED || growth >= UINT64_MAX - coder->sequence)
        return false;
    coder->sequence += growth + 1;

    struct trace_coder_context *before = &coder->contexts[coder->place];
    if (control & TRACE_CODER_SITE) {
        before->next_kind = *(*from)++;
        before->next_location = coder->location + trace_coder_unzigzag(trace_coder_take(from));
        if (before->next_kind >= TRACE_CODER_KINDS ||
            (before->next_kind >= TRACE_KIND_COUNT && before->next_kind < TRACE_UPDATE))
            return false;
    }
    event->location = before->next_location;
    event->kind = (enum trace_kind)before->next_kind;
    if (trace_kind_events(event->kind) > 1 && ++coder->sequence == 0)
        return false;

    struct trace_coder_context *context = trace_coder_enter(coder, event->location, event->kind);
    uint32_t *neighbour = &coder->targets[trace_coder_sort(event->kind)];
    event->target = trace_coder_take_target(from, control, context, *neighbour);
    trace_coder_learn(context, neighbour, event->target);
    if (control & TRACE_CODER_STACK)
        context->stack = trace_coder_take(from);
    event->stack = context->stack;
    return true;
}

#endif
