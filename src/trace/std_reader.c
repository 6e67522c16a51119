#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "trace/std.h"
#include "trace/trace_format.h"

struct std_reader {
    struct trace_names names;
    struct textmap threads, variables, locks, blocks, locations; /* to numbers */
    gzFile file;
    uint64_t line;
    size_t start; /* what of the buffer was not used yet */
    size_t end;
    bool ended;        /* nothing more can be read from the file */
    char trouble[128]; /* why not, or empty */
    uint64_t lines[TRACE_BATCH];
    char buffer[STD_LINE_MAX + 2]; /* a line and its end */
};

/* What can be shown of bytes that are no valid line. */
struct excerpt {
    char text[44];
};

static struct excerpt excerpt_of(struct text text)
{
    struct excerpt excerpt = {{0}};
    size_t length = text.length < 40 ? text.length : 40;
    for (size_t i = 0; i < length; i++)
        excerpt.text[i] = (char)(text.bytes[i] < ' ' || text.bytes[i] > '~' ? '?' : text.bytes[i]);
    strcpy(excerpt.text + length, text.length > 40 ? "..." : "");
    return excerpt;
}

/* Always false, so that it can be returned. */
static bool fail_line(struct trace_source *source, const struct std_reader *reader,
                      const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool fail_line(struct trace_source *source, const struct std_reader *reader,
                      const char *format, ...)
{
    char reason[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    trace_source_fail(source, PROBLEM_NO_OFFSET, "line %llu: %s", (unsigned long long)reader->line,
                      reason);
    return false;
}

static uint32_t add_variable(struct trace_names *names, struct text name)
{
    const struct trace_field field = {TEXT(""), name, TEXT("")};
    const uint32_t number = trace_names_add_field(names, &field);
    return number ? trace_names_add_variables(names, number, 1) : 0;
}

static uint32_t add_block(struct trace_names *names, struct text name)
{
    const struct trace_block block = {TEXT(""), name, 0};
    return trace_names_add_block(names, &block);
}

static uint32_t add_location(struct trace_names *names, struct text name)
{
    const struct trace_location location = {
        .class_name = TEXT(""), .method = TEXT(""), .file = name};
    return trace_names_add_location(names, &location);
}

/* The number of a name, which is added if it is new; 0 when there is no memory. */
static uint32_t number_of(struct std_reader *reader, struct textmap *map, struct text name,
                          uint32_t (*add)(struct trace_names *names, struct text name))
{
    uint32_t number;
    if (textmap_get(map, name, &number))
        return number;
    number = add(&reader->names, name);
    if (!number)
        return 0;
    /* The key must be a copy that stays. */
    struct text kept = TEXT("");
    if (name.length) {
        uint32_t index = 0;
        textmap_get(&reader->names.texts, text_slice(name, 0, TRACE_TEXT_MAX), &index);
        kept = reader->names.text_list.items[index];
    }
    return textmap_put(map, kept, number) ? number : 0;
}

struct operation {
    struct text name;
    enum trace_kind kind;
};

static const struct operation operations[] = {
    {{"r", 1}, TRACE_READ},      {{"w", 1}, TRACE_WRITE},   {{"acq", 3}, TRACE_ACQUIRE},
    {{"rel", 3}, TRACE_RELEASE}, {{"fork", 4}, TRACE_FORK}, {{"join", 4}, TRACE_JOIN},
    {{"begin", 5}, TRACE_BEGIN}, {{"end", 3}, TRACE_END},
};

static bool find_kind(struct text name, enum trace_kind *kind)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (text_equal(name, operations[i].name)) {
            *kind = operations[i].kind;
            return true;
        }
    return false;
}

static uint32_t target_of(struct std_reader *reader, enum trace_kind kind, struct text name)
{
    switch (kind) {
    case TRACE_READ:
    case TRACE_WRITE:
        return number_of(reader, &reader->variables, name, add_variable);
    case TRACE_ACQUIRE:
    case TRACE_RELEASE:
        return number_of(reader, &reader->locks, name, trace_names_add_lock);
    case TRACE_FORK:
    case TRACE_JOIN:
        return number_of(reader, &reader->threads, name, trace_names_add_thread);
    default:
        return number_of(reader, &reader->blocks, name, add_block);
    }
}

static bool has_parenthesis(struct text text)
{
    return text_find(text, '(') >= 0 || text_find(text, ')') >= 0;
}

/* OPERATION(NAME), or `begin` or `end` alone. */
static bool parse_operation(struct trace_source *source, struct std_reader *reader,
                            struct text text, struct trace_event *event)
{
    const ptrdiff_t open = text_find(text, '(');
    const struct text name = open < 0 ? text : text_slice(text, 0, (size_t)open);
    if (!find_kind(name, &event->kind))
        return fail_line(source, reader,
                         "\"%s\" is no operation (r, w, acq, rel, fork, join, begin, end)",
                         excerpt_of(name).text);
    const bool block = event->kind == TRACE_BEGIN || event->kind == TRACE_END;
    event->target = 0;
    if (open < 0)
        return block || fail_line(source, reader, "%s has nothing in parentheses behind it",
                                  excerpt_of(name).text);
    if (text.bytes[text.length - 1] != ')')
        return fail_line(source, reader, "\"%s\" does not end with \")\"", excerpt_of(text).text);
    const struct text argument = text_slice(text, (size_t)open + 1, text.length - 1);
    if (has_parenthesis(argument))
        return fail_line(source, reader, "the name \"%s\" has a parenthesis in it",
                         excerpt_of(argument).text);
    if (argument.length == 0 && !block)
        return fail_line(source, reader, "%s() names nothing", excerpt_of(name).text);
    event->target = target_of(reader, event->kind, argument);
    return event->target || fail_line(source, reader, "there is no memory for its names");
}

static bool parse_line(struct trace_source *source, struct std_reader *reader, struct text line,
                       struct trace_event *event)
{
    const ptrdiff_t first = text_find(line, '|');
    if (first < 0)
        return fail_line(source, reader, "\"%s\" is not THREAD|OPERATION|LOCATION",
                         excerpt_of(line).text);
    const struct text thread = text_slice(line, 0, (size_t)first);
    struct text rest = text_slice(line, (size_t)first + 1, line.length);
    struct text location = TEXT("");
    const ptrdiff_t second = text_find(rest, '|');
    if (second >= 0) {
        location = text_slice(rest, (size_t)second + 1, rest.length);
        rest = text_slice(rest, 0, (size_t)second);
    }
    if (thread.length == 0)
        return fail_line(source, reader, "there is no thread before the first \"|\"");
    if (has_parenthesis(thread) || has_parenthesis(location))
        return fail_line(source, reader, "the name \"%s\" has a parenthesis in it",
                         excerpt_of(has_parenthesis(thread) ? thread : location).text);
    if (text_find(location, '|') >= 0)
        return fail_line(source, reader, "there is more behind the location");
    event->stack = 0;
    event->location = 0;
    if (!parse_operation(source, reader, rest, event))
        return false;
    event->thread = number_of(reader, &reader->threads, thread, trace_names_add_thread);
    if (second >= 0)
        event->location = number_of(reader, &reader->locations, location, add_location);
    return (event->thread && (event->location || second < 0)) ||
           fail_line(source, reader, "there is no memory for its names");
}

/* Reads more behind what is left in the buffer, which has room. */
static void read_more(struct std_reader *reader)
{
    memmove(reader->buffer, reader->buffer + reader->start, reader->end - reader->start);
    reader->end -= reader->start;
    reader->start = 0;
    const size_t room = sizeof reader->buffer - reader->end;
    const int got = gzread(reader->file, reader->buffer + reader->end, (unsigned)room);
    if (got > 0)
        reader->end += (size_t)got;
    if (got >= 0 && (size_t)got == room)
        return;
    int code = Z_OK;
    const char *message = gzerror(reader->file, &code);
    reader->ended = true;
    if (code == Z_BUF_ERROR)
        strcpy(reader->trouble, "the compressed data ends too early");
    else if (code != Z_OK && code != Z_STREAM_END)
        snprintf(reader->trouble, sizeof reader->trouble, "the file cannot be read: %.80s",
                 message);
}

/* The next line without its end; false at the end, or when the source has failed. */
static bool next_line(struct trace_source *source, struct std_reader *reader, struct text *line)
{
    for (;;) {
        const size_t size = reader->end - reader->start;
        const char *start = reader->buffer + reader->start;
        const char *end = memchr(start, '\n', size);
        if (!end && !reader->ended && size < sizeof reader->buffer) {
            read_more(reader);
            continue;
        }
        if (!end && (size == 0 || reader->trouble[0]))
            break;
        size_t length = end ? (size_t)(end - start) : size;
        reader->line++;
        if (length > STD_LINE_MAX)
            return fail_line(source, reader, "is longer than %d bytes", STD_LINE_MAX);
        reader->start += length + (end ? 1 : 0);
        while (length && start[length - 1] == '\r') /* all: what is written must read the same */
            length--;
        if (length) {
            *line = text_of(start, length);
            return true;
        }
    }
    if (reader->trouble[0])
        trace_source_fail(source, PROBLEM_NO_OFFSET, "line %llu: %s",
                          (unsigned long long)reader->line + 1, reader->trouble);
    else
        trace_source_finish(source);
    return false;
}

static void fill(struct trace_source *source)
{
    struct std_reader *reader = source->state;
    struct text line = TEXT("");
    while (source->count < TRACE_BATCH && next_line(source, reader, &line)) {
        if (reader->line == 1 && line.length >= TRACE_FORMAT_MAGIC_SIZE - 1 &&
            memcmp(line.bytes, TRACE_FORMAT_MAGIC, TRACE_FORMAT_MAGIC_SIZE - 1) == 0) {
            trace_source_fail(source, PROBLEM_NO_OFFSET,
                              "is a recorded trace, which can be read from a file only");
            return;
        }
        if (!parse_line(source, reader, line, &source->events[source->count]))
            return;
        reader->lines[source->count++] = reader->line;
    }
}

static void free_reader(struct std_reader *reader)
{
    textmap_release(&reader->threads);
    textmap_release(&reader->variables);
    textmap_release(&reader->locks);
    textmap_release(&reader->blocks);
    textmap_release(&reader->locations);
    trace_names_release(&reader->names);
    memory_release(reader);
}

static void close_reader(struct trace_source *source)
{
    struct std_reader *reader = source->state;
    gzclose(reader->file);
    free_reader(reader);
}

bool std_open(struct trace_source *source, int descriptor)
{
    struct std_reader *reader = memory_allocate(sizeof *reader);
    if (reader) {
        memset(reader, 0, offsetof(struct std_reader, buffer));
        trace_names_init(&reader->names);
        reader->names.plain = true;
        reader->file = gzdopen(descriptor, "rb");
    }
    if (!reader || !reader->file) {
        trace_source_fail(source, PROBLEM_NO_OFFSET, "there is no memory to read a trace");
        if (reader)
            free_reader(reader);
        return false;
    }
    gzbuffer(reader->file, 1 << 17);
    source->names = &reader->names;
    source->lines = reader->lines;
    source->state = reader;
    source->fill = fill;
    source->close = close_reader;
    return true;
}
