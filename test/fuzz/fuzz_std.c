/* Any bytes as an STD file. What is read is written, and read again: it must be the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/std.h"
#include "trace/trace_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct lines {
    char *text;
    size_t length;
    uint64_t count;
};

static void write_again(struct trace_source *source, struct lines *lines)
{
    FILE *file = open_memstream(&lines->text, &lines->length);
    if (!file)
        abort();
    struct std_writer writer;
    std_writer_init(&writer, file, source->names);
    struct trace_event event;
    while (trace_next(source, &event) == TRACE_EVENT)
        if (!std_writer_event(&writer, &event))
            abort();
    struct problem problem;
    problem_clear(&problem);
    lines->count = writer.lines;
    if (!std_writer_finish(&writer, &problem) || lines->count != trace_delivered(source))
        abort();
    fclose(file);
}

static bool copy(const void *bytes, size_t size, struct lines *lines)
{
    const int descriptor = memfd_create("trace", MFD_CLOEXEC);
    if (descriptor < 0 || write(descriptor, bytes, size) != (ssize_t)size ||
        lseek(descriptor, 0, SEEK_SET) != 0)
        abort();
    struct trace_source source;
    const bool opened = trace_open_descriptor(&source, descriptor);
    const bool text = opened && source.names->plain;
    if (text)
        write_again(&source, lines);
    else if (!opened && !source.problem.set)
        abort();
    trace_close(&source);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct lines first = {0}, second = {0};
    if (size > 1 << 16 || !copy(bytes, size, &first))
        return 0;
    /* Compressed, a little can be much. */
    if (first.length < 1 << 20) {
        if (!copy(first.text, first.length, &second) || first.count != second.count ||
            first.length != second.length || memcmp(first.text, second.text, first.length) != 0)
            abort();
    }
    free(first.text);
    free(second.text);
    return 0;
}
