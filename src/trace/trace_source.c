#include "trace/trace_source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "trace/std.h"
#include "trace/trace_format.h"
#include "trace/trace_reader.h"

static const struct trace_names no_names;

bool trace_source_init(struct trace_source *source)
{
    *source = (struct trace_source){.names = &no_names, .after = TRACE_FAILED};
    problem_clear(&source->problem);
    source->events = memory_allocate(TRACE_BATCH * sizeof *source->events);
    if (!source->events) {
        trace_source_fail(source, PROBLEM_NO_OFFSET, "there is no memory to read a trace");
        return false;
    }
    source->after = TRACE_EVENT;
    return true;
}

void trace_source_finish(struct trace_source *source)
{
    source->after = TRACE_FINISHED;
}

void trace_source_fail(struct trace_source *source, size_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    problem_set_list(&source->problem, offset, format, arguments);
    va_end(arguments);
    source->after = TRACE_FAILED;
}

enum trace_status trace_refill(struct trace_source *source)
{
    source->before += source->count;
    source->position = source->count = 0;
    while (source->count == 0 && source->after == TRACE_EVENT)
        source->fill(source);
    return source->count ? TRACE_EVENT : source->after;
}

uint64_t trace_line(const struct trace_source *source)
{
    return source->lines && source->position ? source->lines[source->position - 1] : 0;
}

void trace_explain(const struct trace_source *source, struct builder *to)
{
    if (source->problem.offset != PROBLEM_NO_OFFSET)
        builder_add_format(to, "offset %zu: ", source->problem.offset);
    const uint64_t events = trace_delivered(source);
    builder_add_format(to, "%s; ", source->problem.reason);
    if (events == 0)
        builder_add_string(to, "no event could be used");
    else
        builder_add_format(to, "%llu %s before that could be used", (unsigned long long)events,
                           events == 1 ? "event" : "events");
}

static bool open_format(struct trace_source *source, int descriptor)
{
    char magic[TRACE_FORMAT_MAGIC_SIZE];
    const ssize_t size = pread(descriptor, magic, sizeof magic, 0);
    if (size < 0 && errno == EISDIR) {
        trace_source_fail(source, PROBLEM_NO_OFFSET, "is a directory");
        return false;
    }
    /* Pipes cannot be looked into: those are STD, or refused there. */
    if (size > 0 && memcmp(magic, TRACE_FORMAT_MAGIC, (size_t)size) == 0)
        return trace_reader_open(source, descriptor);
    return std_open(source, descriptor);
}

bool trace_open_descriptor(struct trace_source *source, int descriptor)
{
    if (trace_source_init(source) && open_format(source, descriptor))
        return true;
    close(descriptor);
    memory_release(source->events);
    source->events = NULL;
    return false;
}

bool trace_open(struct trace_source *source, const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0)
        return trace_open_descriptor(source, descriptor);
    const int error = errno;
    char text[128];
    if (trace_source_init(source))
        trace_source_fail(source, PROBLEM_NO_OFFSET, "cannot be opened: %s",
                          strerror_r(error, text, sizeof text));
    memory_release(source->events);
    source->events = NULL;
    return false;
}

/* A generator and what it is called with. */
struct generator {
    trace_generator generate;
    void *context;
};

static void fill_generated(struct trace_source *source)
{
    const struct generator *generator = source->state;
    source->count = generator->generate(generator->context, source->events, TRACE_BATCH);
    if (source->count == 0)
        trace_source_finish(source);
}

static void close_generator(struct trace_source *source)
{
    memory_release(source->state);
}

bool trace_generate(struct trace_source *source, const struct trace_names *names,
                    trace_generator generator, void *context)
{
    struct generator *state = memory_allocate(sizeof *state);
    if (!trace_source_init(source) || !state) {
        trace_source_fail(source, PROBLEM_NO_OFFSET, "there is no memory to make a trace");
        memory_release(source->events);
        source->events = NULL;
        memory_release(state);
        return false;
    }
    *state = (struct generator){generator, context};
    source->names = names;
    source->state = state;
    source->fill = fill_generated;
    source->close = close_generator;
    return true;
}

void trace_close(struct trace_source *source)
{
    if (source->close)
        source->close(source);
    source->close = NULL;
    source->names = &no_names;
    source->before = trace_delivered(source); /* for trace_explain */
    source->position = source->count = 0;
    source->after = TRACE_FINISHED;
    memory_release(source->events);
    source->events = NULL;
}
