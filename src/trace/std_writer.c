#include <errno.h>
#include <string.h>

#include "trace/std.h"

void std_writer_init(struct std_writer *writer, FILE *file, const struct trace_names *names)
{
    *writer = (struct std_writer){.file = file, .names = names};
    builder_init(&writer->line);
    problem_clear(&writer->problem);
}

/* Other programs end a name at what STD uses itself, and at spaces. */
static void add_safe(struct builder *line, struct text text)
{
    for (size_t i = 0; i < text.length; i++) {
        const char byte = text.bytes[i];
        const bool bad = strchr("|() \t\r\n\v\f", byte) != NULL; /* or a zero byte */
        builder_add_byte(line, bad ? '_' : byte);
    }
}

/* CLASS.MEMBER, or what there is of it. */
static void add_member(struct builder *line, struct text class_name, struct text member)
{
    add_safe(line, class_name);
    if (class_name.length && member.length)
        builder_add_byte(line, '.');
    add_safe(line, member);
}

static void add_thread(struct std_writer *writer, uint32_t thread)
{
    const struct text name = trace_names_thread(writer->names, thread);
    if (writer->numbers) {
        builder_add_format(&writer->line, "T%u", thread);
    } else if (writer->names->plain) {
        builder_add(&writer->line, name);
    } else {
        add_safe(&writer->line, name);
        builder_add_format(&writer->line, "#%u", thread);
    }
}

static void add_variable(struct std_writer *writer, uint32_t variable)
{
    const struct trace_field field =
        trace_names_field(writer->names, trace_names_field_of(writer->names, variable));
    if (writer->numbers) {
        builder_add_format(&writer->line, "V%u", variable);
    } else if (writer->names->plain) {
        builder_add(&writer->line, field.member);
    } else {
        add_member(&writer->line, field.class_name, field.member);
        builder_add_format(&writer->line, "#%u", variable);
    }
}

static void add_lock(struct std_writer *writer, uint32_t lock)
{
    const struct text name = trace_names_lock(writer->names, lock);
    if (writer->numbers) {
        builder_add_format(&writer->line, "L%u", lock);
    } else if (writer->names->plain) {
        builder_add(&writer->line, name);
    } else {
        add_safe(&writer->line, name);
        builder_add_format(&writer->line, "#%u", lock);
    }
}

static void add_sync(struct std_writer *writer, uint32_t sync)
{
    if (writer->numbers) {
        builder_add_format(&writer->line, "S%u", sync);
    } else {
        builder_add_string(&writer->line, "sync:");
        add_safe(&writer->line, trace_names_sync(writer->names, sync));
        builder_add_format(&writer->line, "#%u", sync);
    }
}

/* With its parentheses, or nothing for a block without a name. */
static void add_block(struct std_writer *writer, uint32_t number)
{
    const struct trace_block block = trace_names_block(writer->names, number);
    if (!number)
        return;
    builder_add_byte(&writer->line, '(');
    if (writer->numbers) {
        builder_add_format(&writer->line, "B%u", number);
    } else if (writer->names->plain) {
        builder_add(&writer->line, block.method);
    } else {
        add_member(&writer->line, block.class_name, block.method);
        builder_add_format(&writer->line, "#%u", number);
    }
    builder_add_byte(&writer->line, ')');
}

static void add_location(struct std_writer *writer, uint32_t number)
{
    const struct trace_location location = trace_names_location(writer->names, number);
    if (writer->numbers || !number) {
        builder_add_format(&writer->line, "%u", number);
    } else if (writer->names->plain) {
        builder_add(&writer->line, location.file);
    } else {
        add_member(&writer->line, location.class_name, location.method);
        builder_add_format(&writer->line, ":%u#%u", location.line, number);
    }
}

static void add_target(struct std_writer *writer, const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_READ:
    case TRACE_WRITE:
        add_variable(writer, event->target);
        break;
    case TRACE_FORK:
    case TRACE_JOIN:
        add_thread(writer, event->target);
        break;
    case TRACE_SYNC_RELEASE:
    case TRACE_SYNC_ACQUIRE:
        add_sync(writer, event->target);
        break;
    default:
        add_lock(writer, event->target);
        break;
    }
}

static bool write_line(struct std_writer *writer, const char *operation,
                       const struct trace_event *event)
{
    struct builder *line = &writer->line;
    builder_clear(line);
    add_thread(writer, event->thread);
    builder_add_byte(line, '|');
    builder_add_string(line, operation);
    if (event->kind == TRACE_BEGIN || event->kind == TRACE_END) {
        add_block(writer, event->target);
    } else {
        builder_add_byte(line, '(');
        add_target(writer, event);
        builder_add_byte(line, ')');
    }
    builder_add_byte(line, '|');
    add_location(writer, event->location);
    builder_add_byte(line, '\n');
    const struct text text = builder_text(line);
    if (line->failed) {
        problem_set(&writer->problem, PROBLEM_NO_OFFSET, "there is no memory to write a line");
    } else if (fwrite(text.bytes, 1, text.length, writer->file) != text.length) {
        char reason[128];
        problem_set(&writer->problem, PROBLEM_NO_OFFSET, "cannot be written: %s",
                    strerror_r(errno, reason, sizeof reason));
    } else {
        writer->lines++;
    }
    return !writer->problem.set;
}

static bool write_times(struct std_writer *writer, const char *operation,
                        const struct trace_event *event, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        if (!write_line(writer, operation, event))
            return false;
    return true;
}

static bool write_pair(struct std_writer *writer, const struct trace_event *event)
{
    return write_line(writer, "acq", event) && write_line(writer, "rel", event);
}

static struct trace_held_lock *held(struct std_writer *writer, const struct trace_event *event)
{
    struct trace_held_lock *entry = trace_held_get(&writer->held, event->thread, event->target);
    if (!entry)
        problem_set(&writer->problem, PROBLEM_NO_OFFSET, "there is no memory to write a line");
    return entry;
}

/* How often a thread has a lock matters where it waits. */
static bool write_lock(struct std_writer *writer, const struct trace_event *event)
{
    struct trace_held_lock *entry = held(writer, event);
    if (!entry)
        return false;
    uint32_t times = 1;
    const bool takes = event->kind == TRACE_ACQUIRE || event->kind == TRACE_WAITED;
    switch (event->kind) {
    case TRACE_ACQUIRE:
        entry->exclusive++;
        break;
    case TRACE_RELEASE:
        entry->exclusive -= entry->exclusive > 0;
        break;
    case TRACE_WAIT:
        /* A trace may begin in the middle: then it is once. */
        times = entry->waiting = entry->exclusive ? entry->exclusive : 1;
        entry->exclusive = 0;
        break;
    default:
        times = entry->exclusive = entry->waiting ? entry->waiting : 1;
        entry->waiting = 0;
        break;
    }
    trace_held_drop(&writer->held, event->thread, entry);
    return write_times(writer, takes ? "acq" : "rel", event, times);
}

bool std_writer_event(struct std_writer *writer, const struct trace_event *event)
{
    if (writer->problem.set)
        return false;
    switch (event->kind) {
    case TRACE_READ:
        return write_line(writer, "r", event);
    case TRACE_WRITE:
        return write_line(writer, "w", event);
    case TRACE_FORK:
        return write_line(writer, "fork", event);
    case TRACE_JOIN:
        return write_line(writer, "join", event);
    case TRACE_BEGIN:
        return write_line(writer, "begin", event);
    case TRACE_END:
        return write_line(writer, "end", event);
    case TRACE_ACQUIRE:
    case TRACE_RELEASE:
    case TRACE_WAIT:
    case TRACE_WAITED:
        return write_lock(writer, event);
    case TRACE_ACQUIRE_SHARED:
    case TRACE_RELEASE_SHARED:
    case TRACE_SYNC_RELEASE:
    case TRACE_SYNC_ACQUIRE:
        return write_pair(writer, event);
    default:
        return true;
    }
}

bool std_writer_finish(struct std_writer *writer, struct problem *problem)
{
    if (!writer->problem.set && fflush(writer->file) != 0) {
        char reason[128];
        problem_set(&writer->problem, PROBLEM_NO_OFFSET, "cannot be written: %s",
                    strerror_r(errno, reason, sizeof reason));
    }
    const bool complete = !writer->problem.set;
    if (!complete)
        problem_set(problem, PROBLEM_NO_OFFSET, "%s", writer->problem.reason);
    builder_release(&writer->line);
    trace_held_release(&writer->held);
    return complete;
}
