/* Events that a stream is given many at a time: the hot path of recording. */
#include "trace/trace_writer_internal.h"

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
    uint8_t *to = stream->end, *const full = stream->full;
    uint64_t next = *sequence;
    size_t done = 0, jumps = 0;
    for (; done < count && to <= full; done++) {
        const enum trace_kind kind = trace_packed_kind(packed[done]);
        if (!is_packable(kind)) {
            if (!take_jump(packed[done], &next) || next <= stream->coder.sequence)
                break;
            jumps++;
            continue;
        }
        const struct trace_event event = trace_packed_event(packed[done], sites);
        to = trace_coder_encode(&stream->coder, to, next++, &event);
    }
    stream->last = stream->coder.sequence;
    stream->end = to;
    stream->count += (uint32_t)(done - jumps);
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
