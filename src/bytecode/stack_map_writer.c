#include "bytecode/stack_map_writer.h"

#include <string.h>

static bool fail(struct stack_map_writer *writer, enum stack_map_failure failure)
{
    if (writer->failure == STACK_MAP_FINE)
        writer->failure = failure;
    return false;
}

/* ---- types ---- */

static bool write_type(struct stack_map_writer *writer, frame_type from,
                       struct verification_type *to)
{
    const struct stack_map_names *names = writer->names;
    *to = (struct verification_type){.tag = (uint8_t)frame_type_tag(from)};
    switch (to->tag) {
    case VERIFICATION_OBJECT:
        to->value = names->class_index(names->context, type_table_name(writer->table, from));
        return to->value != 0 || fail(writer, STACK_MAP_POOL_FULL);
    case VERIFICATION_UNINITIALIZED: {
        const uint32_t offset = names->new_offset(names->context, frame_type_value(from));
        to->value = (uint16_t)offset;
        return offset <= UINT16_MAX || fail(writer, STACK_MAP_TOO_LARGE);
    }
    case TYPE_RETURN_ADDRESS:
        return fail(writer, STACK_MAP_NOT_WRITABLE);
    default:
        return true;
    }
}

/* The places as the format has them: without the second half of a long or double. */
static bool write_places(struct stack_map_writer *writer, const frame_type *places, unsigned count,
                         struct verification_type **types, uint16_t *type_count)
{
    struct verification_type *to = ARENA_ARRAY(writer->arena, struct verification_type, count);
    if (!to)
        return fail(writer, STACK_MAP_NO_MEMORY);
    unsigned written = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!write_type(writer, places[i], &to[written++]))
            return false;
        if (places[i] == FRAME_LONG || places[i] == FRAME_DOUBLE)
            i++;
    }
    *types = to;
    *type_count = (uint16_t)written;
    return true;
}

static bool write_locals(struct stack_map_writer *writer, const struct frame *frame,
                         struct verification_type **types, uint16_t *count)
{
    unsigned used = frame->local_count;
    while (used > 0 && frame->locals[used - 1] == FRAME_TOP)
        used--;
    return write_places(writer, frame->locals, used, types, count);
}

/* ---- entries ---- */

static unsigned common_start(const struct verification_type *a, unsigned a_count,
                             const struct verification_type *b, unsigned b_count)
{
    unsigned i = 0;
    while (i < a_count && i < b_count && a[i].tag == b[i].tag && a[i].value == b[i].value)
        i++;
    return i;
}

/* Chooses the shortest form that says the same as the full frame. */
static void shorten(struct stack_map_frame *entry, const struct verification_type *before,
                    unsigned before_count)
{
    const unsigned count = entry->local_count;
    const unsigned common = common_start(before, before_count, entry->locals, count);
    const uint16_t delta = entry->offset_delta;
    if (common == before_count && common == count && entry->stack_count <= 1) {
        const bool one = entry->stack_count == 1;
        if (delta <= FRAME_SAME_LAST)
            entry->type = (uint8_t)(one ? FRAME_SAME_ONE_STACK + delta : delta);
        else
            entry->type = one ? FRAME_SAME_ONE_STACK_EXTENDED : FRAME_SAME_EXTENDED;
        entry->local_count = 0;
    } else if (entry->stack_count == 0 && common == count && before_count - count <= 3) {
        entry->type = (uint8_t)(FRAME_SAME_EXTENDED - (before_count - count));
        entry->local_count = 0;
    } else if (entry->stack_count == 0 && common == before_count && count - before_count <= 3) {
        entry->type = (uint8_t)(FRAME_SAME_EXTENDED + (count - before_count));
        entry->local_count = (uint16_t)(count - before_count);
        entry->locals += before_count;
    }
}

bool stack_map_writer_init(struct stack_map_writer *writer, struct arena *arena,
                           const struct type_table *table, const struct frame *initial,
                           const struct stack_map_names *names)
{
    *writer = (struct stack_map_writer){.arena = arena, .table = table, .names = names};
    return write_locals(writer, initial, &writer->locals, &writer->local_count);
}

bool stack_map_writer_add(struct stack_map_writer *writer, uint32_t offset,
                          const struct frame *frame)
{
    if (writer->failure != STACK_MAP_FINE)
        return false;
    const bool first = writer->frames.count == 0;
    if (!first && offset == writer->last_offset)
        return true;
    if (!frame->reached)
        return fail(writer, STACK_MAP_NOT_WRITABLE);
    if (offset > UINT16_MAX || writer->frames.count >= UINT16_MAX ||
        (!first && offset < writer->last_offset))
        return fail(writer, STACK_MAP_TOO_LARGE);
    const uint32_t delta = first ? offset : offset - writer->last_offset - 1;
    struct stack_map_frame entry = {.type = FRAME_FULL, .offset_delta = (uint16_t)delta};
    if (!write_locals(writer, frame, &entry.locals, &entry.local_count) ||
        !write_places(writer, frame->stack, frame->stack_count, &entry.stack, &entry.stack_count))
        return false;
    struct verification_type *locals = entry.locals;
    const uint16_t local_count = entry.local_count;
    shorten(&entry, writer->locals, writer->local_count);
    if (!vector_push(&writer->frames, entry))
        return fail(writer, STACK_MAP_NO_MEMORY);
    writer->locals = locals;
    writer->local_count = local_count;
    writer->last_offset = offset;
    return true;
}

struct stack_map *stack_map_writer_finish(struct stack_map_writer *writer)
{
    struct stack_map *map = NULL;
    if (writer->failure == STACK_MAP_FINE) {
        map = ARENA_NEW(writer->arena, struct stack_map);
        if (map) {
            map->count = (uint16_t)writer->frames.count;
            map->frames = ARENA_ARRAY(writer->arena, struct stack_map_frame, map->count);
        }
        if (!map || !map->frames) {
            fail(writer, STACK_MAP_NO_MEMORY);
            map = NULL;
        } else if (map->count > 0) {
            memcpy(map->frames, writer->frames.items, map->count * sizeof *map->frames);
        }
    }
    stack_map_writer_release(writer);
    return map;
}

void stack_map_writer_release(struct stack_map_writer *writer)
{
    vector_release(&writer->frames);
}
