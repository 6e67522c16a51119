/* Any bytes as a recorded trace: once as they are, and once with right checksums. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/writer.h"
#include "trace/trace_check.h"
#include "trace/trace_format.h"
#include "trace/trace_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_numbers(const struct trace_names *names, const struct trace_event *event)
{
    uint32_t frames[64];
    if (event->thread == 0 || event->thread > names->threads.count ||
        event->location > names->locations.count || event->stack > names->stacks.count)
        abort();
    if ((event->kind == TRACE_READ || event->kind == TRACE_WRITE) &&
        event->target > names->variables.count)
        abort();
    trace_names_field(names, trace_names_field_of(names, event->target));
    trace_names_frames(names, event->stack, event->location, frames, 64);
}

/* What is delivered can be repaired, and then can have happened. */
static void read_all(struct trace_source *source)
{
    struct trace_check lenient, strict;
    struct trace_source repaired, checked;
    struct trace_event event;
    trace_check_init(&lenient, source->names, true);
    trace_check_init(&strict, source->names, false);
    if (!trace_check_source(&repaired, source, &lenient) ||
        !trace_check_source(&checked, &repaired, &strict))
        abort();
    enum trace_status status;
    while ((status = trace_next(&checked, &event)) == TRACE_EVENT)
        check_numbers(source->names, &event);
    if (strict.problem.set || (status == TRACE_FAILED) != source->problem.set)
        abort();
    trace_close(&checked);
    trace_close(&repaired);
    trace_check_release(&strict);
    trace_check_release(&lenient);
}

static void read_bytes(const uint8_t *bytes, size_t size)
{
    const int descriptor = memfd_create("trace", MFD_CLOEXEC);
    if (descriptor < 0 || write(descriptor, bytes, size) != (ssize_t)size ||
        lseek(descriptor, 0, SEEK_SET) != 0)
        abort();
    struct trace_source source;
    if (trace_open_descriptor(&source, descriptor))
        read_all(&source);
    else if (!source.problem.set)
        abort();
    trace_close(&source);
}

/* Behind a checksum nothing is reached by chance. */
static void correct(uint8_t *bytes, size_t size)
{
    size_t at = TRACE_FORMAT_FILE_HEADER;
    while (size >= at && size - at >= TRACE_FORMAT_BLOCK_HEADER) {
        uint8_t *header = bytes + at;
        const size_t left = size - at - TRACE_FORMAT_BLOCK_HEADER;
        const size_t stored = (size_t)header[8] << 24 | (size_t)header[9] << 16 |
                              (size_t)header[10] << 8 | header[11];
        if (stored > left)
            return;
        writer_store_u4(header + 48,
                        trace_format_checksum(header + TRACE_FORMAT_BLOCK_HEADER, stored));
        writer_store_u4(header + 52, trace_format_checksum(header, 52));
        at += TRACE_FORMAT_BLOCK_HEADER + stored;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > 1 << 16)
        return 0;
    read_bytes(bytes, size);
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    if (size)
        memcpy(copy, bytes, size);
    correct(copy, size);
    read_bytes(copy, size);
    free(copy);
    return 0;
}
