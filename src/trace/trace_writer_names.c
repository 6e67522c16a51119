/* The numbers that the writer gives out, and what it writes about them. */
#include "trace/trace_writer_internal.h"

static void put_varint(struct writer *to, uint64_t value)
{
    uint8_t bytes[10];
    writer_bytes(to, bytes, (size_t)(trace_coder_varint(bytes, value) - bytes));
}

static void put_text(struct writer *to, struct text text)
{
    const struct text cut = text_slice(text, 0, TRACE_TEXT_MAX);
    put_varint(to, cut.length);
    if (cut.length)
        writer_bytes(to, cut.bytes, cut.length);
}

/* One definition: up to three texts, then up to two numbers. */
struct definition {
    enum trace_definition kind;
    struct text texts[3];
    size_t text_count;
    uint32_t numbers[2];
    size_t number_count;
};

static bool put_definition(struct trace_writer *writer, const struct definition *definition)
{
    struct writer *to = &writer->pending;
    const size_t before = to->size;
    writer_u1(to, (uint8_t)definition->kind);
    for (size_t i = 0; i < definition->text_count; i++)
        put_text(to, definition->texts[i]);
    for (size_t i = 0; i < definition->number_count; i++)
        put_varint(to, definition->numbers[i]);
    if (to->failed) {
        to->failed = false;
        to->size = before;
        return false;
    }
    writer->pending_count++;
    return true;
}

static void lock_with_room(struct trace_writer *writer)
{
    pthread_mutex_lock(&writer->names_lock);
    while (writer->pending.size >= TRACE_WRITER_DEFINITIONS) {
        pthread_mutex_unlock(&writer->names_lock);
        pthread_mutex_lock(&writer->file_lock);
        trace_writer_write_definitions(writer);
        pthread_mutex_unlock(&writer->file_lock);
        pthread_mutex_lock(&writer->names_lock);
    }
}

/* `count` numbers of that kind, of which the first is returned. */
static uint32_t define(struct trace_writer *writer, const struct definition *definition,
                       uint32_t count, uint32_t limit)
{
    uint32_t first = 0;
    lock_with_room(writer);
    const bool is_location =
        definition->kind == TRACE_DEFINE_MONITOR || definition->kind == TRACE_DEFINE_UNSHARED;
    uint32_t *last = &writer->numbers[is_location ? TRACE_DEFINE_LOCATION : definition->kind];
    if (count <= limit - *last && put_definition(writer, definition)) {
        first = *last + 1;
        *last += count;
    }
    pthread_mutex_unlock(&writer->names_lock);
    return first;
}

uint32_t trace_writer_thread(struct trace_writer *writer, struct text name)
{
    const struct definition definition = {TRACE_DEFINE_THREAD, {name}, 1, {0}, 0};
    return define(writer, &definition, 1, TRACE_NUMBER_MAX);
}

uint32_t trace_writer_lock(struct trace_writer *writer, struct text name)
{
    const struct definition definition = {TRACE_DEFINE_LOCK, {name}, 1, {0}, 0};
    return define(writer, &definition, 1, TRACE_NUMBER_MAX);
}

uint32_t trace_writer_sync(struct trace_writer *writer, struct text name)
{
    const struct definition definition = {TRACE_DEFINE_SYNC, {name}, 1, {0}, 0};
    return define(writer, &definition, 1, TRACE_NUMBER_MAX);
}

uint32_t trace_writer_field(struct trace_writer *writer, const struct trace_field *field)
{
    const struct definition definition = {
        TRACE_DEFINE_FIELD, {field->class_name, field->member, field->signature}, 3, {0}, 0};
    return define(writer, &definition, 1, TRACE_NUMBER_MAX);
}

uint32_t trace_writer_variables(struct trace_writer *writer, uint32_t field, uint32_t count)
{
    const struct definition definition = {
        TRACE_DEFINE_VARIABLES, {{NULL, 0}}, 0, {field, count}, 2};
    return count ? define(writer, &definition, count, TRACE_VARIABLE_MAX) : 0;
}

uint32_t trace_writer_location(struct trace_writer *writer, const struct trace_location *location)
{
    const struct definition definition = {location->block      ? TRACE_DEFINE_MONITOR
                                          : location->unshared ? TRACE_DEFINE_UNSHARED
                                                               : TRACE_DEFINE_LOCATION,
                                          {location->class_name, location->method, location->file},
                                          3,
                                          {location->line, location->block},
                                          location->block ? 2 : 1};
    return define(writer, &definition, 1, TRACE_NUMBER_MAX);
}

uint32_t trace_writer_stack(struct trace_writer *writer, uint32_t parent, uint32_t location)
{
    const struct definition definition = {
        TRACE_DEFINE_STACK, {{NULL, 0}}, 0, {parent, location}, 2};
    return define(writer, &definition, 1, TRACE_NUMBER_MAX);
}

uint32_t trace_writer_block(struct trace_writer *writer, const struct trace_block *block)
{
    const struct definition definition = {
        TRACE_DEFINE_BLOCK, {block->class_name, block->method}, 2, {block->location}, 1};
    return define(writer, &definition, 1, TRACE_NUMBER_MAX);
}
