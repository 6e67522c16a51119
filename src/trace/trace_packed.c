/* Events that a stream is given many at a time: the hot path of recording. */
#include "trace/trace_writer_internal.h"

static inline bool is_packable(enum trace_kind kind)
{
    return kind <= TRACE_RELEASE || kind >= TRACE_UPDATE || trace_packed_is_block(kind);
}

/* False if it is no jump, or one too far. */
static inline bool take_jump(uint64_t packed, uint64_t *sequence)
{
    if ((packed & 15) != TRACE_PACKED_JUMP || packed >> (68 - TRACE_PACKED_JUMP_BITS))
        return false;
    *sequence = packed >> 4 << TRACE_PACKED_JUMP_BITS;
    return true;
}

/*
 * Encodes what is as it was before, as trace_coder_encode would, and takes jumps, as long as there
 * is room. That is almost all: hence few variables, no state in memory but what is learned, and a
 * function of its own, in which the compiler finds registers for them. How many numbers.
 */
__attribute__((noinline)) static size_t
follow_links(struct trace_stream *stream, uint64_t *sequence, const uint64_t *packed, size_t count)
{
    struct trace_coder *const coder = &stream->coder;
    uint8_t *to = stream->end, *const full = stream->full;
    const uint64_t *from = packed, *const end = packed + count;
    const struct trace_link here = {.site = coder->site, .location = coder->location};
    const struct trace_link *came = &here;
    struct trace_coder_context *node = &coder->contexts[coder->place];
    /* If nothing was left out, the number of the next event; and what is left out. */
    uint64_t next = coder->sequence + 1, gap = *sequence - next, gaps = 0;
    for (; from < end && to <= full; from++) {
        const uint64_t number = *from;
        const struct trace_link *const link = &node->link;
        struct trace_coder_context *const context = &coder->contexts[link->place];
        if (link->packed != (uint32_t)number || link->before != came->site ||
            link->stack != context->stack) {
            uint64_t jump;
            if (!take_jump(number, &jump) || jump < next)
                break;
            gap = jump - next;
            continue;
        }
        const uint32_t target = ((uint32_t)(number >> 32) & link->mask) | link->block;
        uint8_t *const start = to++;
        unsigned control = 0;
        if (gap) {
            to = trace_coder_put_growth(to, &control, gap);
            next += gap;
            gaps += gap;
            gap = 0;
        }
        to = trace_coder_put_target(start, to, control, context, &coder->targets[link->sort],
                                    target);
        next += link->events;
        came = link;
        node = context;
    }
    stream->count += (uint32_t)(next - gaps - coder->sequence - 1);
    stream->end = to;
    coder->place = (uint32_t)(node - coder->contexts);
    coder->site = came->site;
    coder->location = came->location;
    coder->sequence = next - 1;
    *sequence = next + gap;
    return (size_t)(from - packed);
}

/* Encodes it as an event, and remembers how. */
static void encode(struct trace_stream *stream, uint64_t *sequence, uint64_t packed,
                   const struct trace_site *sites)
{
    struct trace_coder *const coder = &stream->coder;
    struct trace_link *const link = &coder->contexts[coder->place].link;
    const struct trace_event event = trace_packed_event(packed, sites);
    const bool block = trace_packed_is_block(event.kind);
    *link = (struct trace_link){.packed = (uint32_t)packed,
                                .before = coder->site,
                                .stack = event.stack,
                                .block = block ? event.target : 0,
                                .mask = block ? 0 : UINT32_MAX,
                                .sort = (uint8_t)trace_coder_sort(event.kind),
                                .events = (uint8_t)trace_kind_events(event.kind)};
    stream->end = trace_coder_encode(coder, stream->end, *sequence, &event);
    link->place = coder->place;
    link->site = coder->site;
    link->location = coder->location;
    stream->count += link->events;
    *sequence += link->events;
}

/* Those for which there is room in the buffer, which is not empty. */
static size_t encode_packed(struct trace_stream *stream, uint64_t *sequence, const uint64_t *packed,
                            size_t count, const struct trace_site *sites)
{
    size_t done = 0;
    for (;;) {
        done += follow_links(stream, sequence, packed + done, count - done);
        if (done == count || stream->end > stream->full ||
            !is_packable(trace_packed_kind(packed[done])))
            break;
        encode(stream, sequence, packed[done++], sites);
    }
    stream->last = stream->coder.sequence;
    return done;
}

size_t trace_stream_packed(struct trace_stream *stream, uint64_t *sequence, const uint64_t *packed,
                           size_t count, const struct trace_site *sites)
{
    size_t done = 0;
    while (done < count) {
        if (take_jump(packed[done], sequence)) {
            done++;
            continue;
        }
        if (!is_packable(trace_packed_kind(packed[done])))
            break;
        const struct trace_event event = trace_packed_event(packed[done], sites);
        trace_stream_event(stream, *sequence, &event);
        *sequence += trace_kind_events(event.kind);
        done++;
        if (stream->count && stream->last + 1 == *sequence)
            done += encode_packed(stream, sequence, packed + done, count - done, sites);
        if (stream->end > stream->full)
            trace_stream_flush(stream);
    }
    return done;
}
