#include "trace/event.h"

const char *trace_kind_name(enum trace_kind kind)
{
    static const char *const names[TRACE_KIND_COUNT] = {
        [TRACE_READ] = "read",
        [TRACE_WRITE] = "write",
        [TRACE_ACQUIRE] = "acquire",
        [TRACE_RELEASE] = "release",
        [TRACE_ACQUIRE_SHARED] = "acquire shared",
        [TRACE_RELEASE_SHARED] = "release shared",
        [TRACE_WAIT] = "wait",
        [TRACE_WAITED] = "waited",
        [TRACE_SYNC_RELEASE] = "synchronization release",
        [TRACE_SYNC_ACQUIRE] = "synchronization acquire",
        [TRACE_FORK] = "fork",
        [TRACE_JOIN] = "join",
        [TRACE_BEGIN] = "begin",
        [TRACE_END] = "end",
        [TRACE_TRY] = "try",
        [TRACE_HAND_OVER] = "hand over",
        [TRACE_TAKE_OVER] = "take over",
        [TRACE_WANT] = "want",
    };
    return names[kind];
}
