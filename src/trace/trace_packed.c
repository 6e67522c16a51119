/* Events that a stream is given many at a time: the hot path of recording. */
#include "trace/trace_writer_internal.h"

/* What of the coder changes with every event, so that it can be in registers. */
struct packing {
    struct trace_coder_context *contexts, *context;
    uint64_t sequence;
    uint32_t location, site;
    uint32_t variable, lock, block; /* neighbours */
};

static struct packing begin_packing(const struct trace_stream *stream, struct trace_coder *coder)
{
    return (struct packing){coder->contexts,
                            coder->context,
                            stream->last,
                            coder->location,
                            coder->site,
                            coder->targets[trace_coder_sort(TRACE_READ)],
                            coder->targets[trace_coder_sort(TRACE_ACQUIRE)],
                            coder->targets[trace_coder_sort(TRACE_BEGIN)]};
}

static void end_packing(struct trace_stream *stream, const struct packing *state)
{
    struct trace_coder *coder = &stream->coder;
    coder->context = state->context;
    coder->location = state->location;
    coder->site = state->site;
    coder->targets[trace_coder_sort(TRACE_READ)] = state->variable;
    coder->targets[trace_coder_sort(TRACE_ACQUIRE)] = state->lock;
    coder->targets[trace_coder_sort(TRACE_BEGIN)] = state->block;
    coder->sequence = state->sequence;
    stream->last = state->sequence;
}

/* As trace_coder_encode does. */
static inline uint8_t *encode_next(uint8_t *to, struct packing *state, uint64_t sequence,
                                   uint32_t *neighbour, const struct trace_event *event)
{
    const enum trace_kind kind = event->kind;
    const uint32_t target = event->target, location = event->location, stack = event->stack;
    struct trace_coder_context *const before = state->context;
    uint8_t *start = to++;
    const uint64_t growth = sequence - state->sequence - 1;
    unsigned control = (unsigned)growth << TRACE_CODER_GROWTH_SHIFT;
    if (growth >= TRACE_CODER_GROWTH_LONG) {
        control = TRACE_CODER_GROWTH_LONG << TRACE_CODER_GROWTH_SHIFT;
        to = trace_coder_varint(to, growth - TRACE_CODER_GROWTH_LONG);
    }
    state->sequence = sequence;
    if (before->next_location != location || before->next_kind != (uint32_t)kind) {
        control |= TRACE_CODER_SITE;
        *to++ = (uint8_t)kind;
        to = trace_coder_varint(to, trace_coder_zigzag(location - state->location));
        before->next_location = location;
        before->next_kind = (uint32_t)kind;
    }
    const uint32_t site = trace_coder_site(location, kind);
    struct trace_coder_context *const context =
        &state->contexts[trace_coder_place(site, state->site)];
    state->site = site;
    state->location = location;
    state->context = context;
    to = trace_coder_put_target(to, &control, context, *neighbour, target);
    trace_coder_learn(context, neighbour, target);
    if (stack != context->stack) {
        control |= TRACE_CODER_STACK;
        to = trace_coder_varint(to, stack);
        context->stack = stack;
    }
    *start = (uint8_t)control;
    return to;
}

static inline bool is_packable(enum trace_kind kind)
{
    return kind <= TRACE_RELEASE || trace_packed_is_block(kind);
}

/* False if it is no jump, or one too far. */
static inline bool take_jump(uint64_t packed, uint64_t *sequence)
{
    if ((packed & 15) != TRACE_PACKED_JUMP || packed >> (68 - TRACE_PACKED_JUMP_BITS))
        return false;
    *sequence = packed >> 4 << TRACE_PACKED_JUMP_BITS;
    return true;
}

/* Those for which there is room in the buffer, which is not empty. */
static size_t encode_packed(struct trace_stream *stream, uint64_t *sequence, const uint64_t *packed,
                            size_t count, const struct trace_site *sites)
{
    struct packing state = begin_packing(stream, &stream->coder);
    uint8_t *to = stream->end, *const full = stream->full;
    uint64_t next = *sequence;
    uint32_t events = 0;
    size_t done = 0;
    for (; done < count && to <= full; done++) {
        const enum trace_kind kind = trace_packed_kind(packed[done]);
        if (!is_packable(kind)) {
            if (!take_jump(packed[done], &next) || next <= state.sequence)
                break;
            continue;
        }
        const struct trace_event event = trace_packed_event(packed[done], sites);
        /* A copy of it for each neighbour, so that those are in registers. */
        if (kind <= TRACE_WRITE)
            to = encode_next(to, &state, next, &state.variable, &event);
        else if (kind <= TRACE_RELEASE)
            to = encode_next(to, &state, next, &state.lock, &event);
        else
            to = encode_next(to, &state, next, &state.block, &event);
        next++;
        events++;
    }
    end_packing(stream, &state);
    stream->end = to;
    stream->count += events;
    *sequence = next;
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
        trace_stream_event(stream, (*sequence)++, &event);
        done++;
        if (stream->count && stream->last + 1 == *sequence)
            done += encode_packed(stream, sequence, packed + done, count - done, sites);
        if (stream->end > stream->full)
            trace_stream_flush(stream);
    }
    return done;
}
