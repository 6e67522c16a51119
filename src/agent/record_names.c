#include "agent/record_names.h"

#include "agent/runtime.h"
#include "base/builder.h"
#include "base/intmap.h"
#include "base/textmap.h"
#include "classfile/names.h"

enum { VARIABLES_AT_ONCE = 64 };

/* Numbers that were asked for ahead. */
struct reserve {
    uint32_t field, next, end;
};

static struct {
    pthread_mutex_t lock;                           /* for all but the indexes */
    struct sites_index locations, calls_of, blocks; /* by site */
    struct sites_index stacks, tops;                /* by stack */
    struct arena arena;                             /* for the keys of places */
    struct textmap places;                          /* to the number of a location */
    struct intmap nodes;                            /* of a stack: parent and location */
    struct intmap calls; /* by what of a stack is the program's: a location */
    struct intmap locks, syncs;
    struct intmap reserves; /* by what is accessed: index in `reserved` */
    VECTOR(struct reserve) reserved;
} names = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- places ---- */

static uint32_t new_location(struct trace_writer *writer, const struct finding_frame *frame,
                             uint32_t block, bool unshared)
{
    const struct trace_location location = {frame->class_name, frame->method, frame->file,
                                            frame->line,       block,         unshared};
    return trace_writer_location(writer, &location);
}

/* Under the lock. */
static uint32_t location_of(struct trace_writer *writer, const struct finding_frame *frame,
                            bool unshared)
{
    struct builder key;
    builder_init(&key);
    builder_add_format(&key, "%.*s.%.*s %.*s:%u%s", TEXT_ARGUMENTS(frame->class_name),
                       TEXT_ARGUMENTS(frame->method), TEXT_ARGUMENTS(frame->file), frame->line,
                       unshared ? " unshared" : "");
    uint32_t number = 0;
    if (!key.failed && !textmap_get(&names.places, builder_text(&key), &number)) {
        number = new_location(writer, frame, 0, unshared);
        textmap_put(&names.places, text_copy(&names.arena, builder_text(&key)), number);
    }
    builder_release(&key);
    return number;
}

/* The site and its frame, in the arena. */
static bool frame_of(struct arena *arena, uint32_t number, struct site *site,
                     struct finding_frame *frame)
{
    if (!sites_get(&runtime.sites, number, site))
        return false;
    *frame = (struct finding_frame){names_dotted(arena, site->class_name), site->method, site->file,
                                    site->line};
    return true;
}

/* In `calls_of` a site has a location of its own, of the block with that number. */
static uint32_t locate(struct trace_writer *writer, uint32_t site, struct sites_index *index,
                       uint32_t block)
{
    uint32_t number = sites_index_at(index, site);
    if (number || !site)
        return number;
    struct arena arena;
    struct site place;
    struct finding_frame frame;
    arena_init(&arena);
    if (frame_of(&arena, site, &place, &frame)) {
        pthread_mutex_lock(&names.lock);
        number = sites_index_at(index, site);
        if (!number) {
            number = index == &names.calls_of ? new_location(writer, &frame, block, false)
                                              : location_of(writer, &frame, place.unshared);
            sites_index_set(index, site, number);
        }
        pthread_mutex_unlock(&names.lock);
    }
    arena_release(&arena);
    return number;
}

uint32_t record_location(struct trace_writer *writer, uint32_t site)
{
    return locate(writer, site, &names.locations, 0);
}

uint32_t record_block_number(struct trace_writer *writer, uint32_t site)
{
    uint32_t number = sites_index_at(&names.blocks, site);
    if (number)
        return number;
    struct arena arena;
    struct site place;
    struct finding_frame frame;
    const uint32_t location = record_location(writer, site);
    arena_init(&arena);
    if (frame_of(&arena, site, &place, &frame)) {
        pthread_mutex_lock(&names.lock);
        number = sites_index_at(&names.blocks, site);
        if (!number) {
            number = trace_writer_block(
                writer, &(struct trace_block){frame.class_name, frame.method, location});
            sites_index_set(&names.blocks, site, number);
        }
        pthread_mutex_unlock(&names.lock);
    }
    arena_release(&arena);
    return number;
}

uint32_t record_call(struct trace_writer *writer, uint32_t site, uint32_t block)
{
    return locate(writer, site, &names.calls_of, block ? record_block_number(writer, block) : 0);
}

/* ---- stacks ---- */

/* Under the lock. */
static uint32_t node_of(struct trace_writer *writer, uint32_t parent, uint32_t location)
{
    bool added = false;
    uint64_t *value =
        intmap_find_or_add(&names.nodes, (uint64_t)parent << 32 | location, 0, &added);
    if (value && added)
        *value = trace_writer_stack(writer, parent, location);
    return value ? (uint32_t)*value : 0;
}

/* Under the lock. */
static uint32_t add_frames(struct trace_writer *writer, const struct finding_frame *frames,
                           size_t count)
{
    uint32_t number = 0;
    while (count-- > 0)
        number = node_of(writer, number, location_of(writer, &frames[count], false));
    return number;
}

/* The number of the innermost place of the program, as one of its calls. Under the lock. */
static uint32_t call_of(struct trace_writer *writer, uint64_t key,
                        const struct finding_frame *innermost)
{
    bool added = false;
    uint64_t *value = intmap_find_or_add(&names.calls, key, 0, &added);
    if (value && added)
        *value = new_location(writer, innermost, 0, false);
    return value ? (uint32_t)*value : 0;
}

uint32_t record_stack(struct trace_writer *writer, uint32_t stack)
{
    uint32_t number = sites_index_at(&names.stacks, stack);
    if (number || !stack)
        return number;
    struct arena arena;
    const struct finding_frame *frames;
    arena_init(&arena);
    uint64_t key;
    const size_t count = stacks_program_frames(&arena, stack, &frames, &key);
    pthread_mutex_lock(&names.lock);
    number = add_frames(writer, frames, count);
    const uint32_t top = number ? call_of(writer, key, &frames[0]) : 0;
    pthread_mutex_unlock(&names.lock);
    sites_index_set(&names.tops, stack, top);
    sites_index_set(&names.stacks, stack, number);
    arena_release(&arena);
    return number;
}

uint32_t record_top(struct trace_writer *writer, uint32_t stack)
{
    record_stack(writer, stack);
    return sites_index_at(&names.tops, stack);
}

/* ---- locks ---- */

/* Asked when there is no number yet: what to call a thing of which nobody has noted the class. */
typedef struct text unknown_name(struct arena *arena, uint32_t stack);

static struct text unknown_lock(struct arena *arena, uint32_t stack)
{
    (void)arena;
    (void)stack;
    return TEXT("lock");
}

/* The class of the JDK that the program calls there, or that a thread of the JDK's own runs in. */
static struct text unknown_sync(struct arena *arena, uint32_t stack)
{
    const struct finding_frame *frames;
    const size_t count = stacks_frames(arena, stack, &frames);
    const size_t skipped = stacks_platform_frames(frames, count);
    return skipped ? frames[skipped - 1].class_name : TEXT("synchronization");
}

static uint32_t find_number(struct intmap *map, uint32_t id)
{
    uint64_t number = 0;
    pthread_mutex_lock(&names.lock);
    if (!intmap_get(map, id, &number))
        number = 0;
    pthread_mutex_unlock(&names.lock);
    return (uint32_t)number;
}

static uint32_t numbered(struct intmap *map, struct trace_writer *writer, uint32_t id,
                         uint32_t (*add)(struct trace_writer *writer, struct text name),
                         unknown_name *unknown, uint32_t stack)
{
    bool added = false;
    uint32_t number = find_number(map, id);
    if (number)
        return number;
    struct arena arena;
    arena_init(&arena);
    const struct text other = text_copy(&arena, unknown(&arena, stack));
    /* A class from the stack has no number: this one may be of a part of the object. */
    const bool by_class = !locks_is_noted(id) && text_find_last(other, '.') >= 0;
    const struct text name = by_class ? other : locks_name(&arena, id, other.bytes);
    pthread_mutex_lock(&names.lock);
    uint64_t *value = intmap_find_or_add(map, id, 0, &added);
    if (value && added)
        *value = add(writer, name);
    if (value)
        number = (uint32_t)*value;
    pthread_mutex_unlock(&names.lock);
    arena_release(&arena);
    return number;
}

uint32_t record_lock_number(struct trace_writer *writer, uint32_t lock)
{
    return numbered(&names.locks, writer, lock, trace_writer_lock, unknown_lock, 0);
}

uint32_t record_sync_number(struct trace_writer *writer, uint32_t sync, uint32_t stack)
{
    return numbered(&names.syncs, writer, sync, trace_writer_sync, unknown_sync, stack);
}

/* ---- variables ---- */

/* What the site's variable is called, by the class that declares it if that is known. */
static uint32_t add_field(struct trace_writer *writer, uint32_t site)
{
    struct arena arena;
    struct finding named = {0};
    arena_init(&arena);
    findings_name(&arena, site, &named);
    const uint32_t field = trace_writer_field(
        writer, &(struct trace_field){named.class_name, named.member, named.signature});
    arena_release(&arena);
    return field;
}

/* Under the lock; by what is accessed. */
static struct reserve *reserve_of(struct trace_writer *writer, uint32_t site)
{
    uint32_t accessed = sites_index_at(&runtime.sites.accessed_of, site);
    bool added = false;
    uint64_t *value = intmap_find_or_add(&names.reserves, accessed, 0, &added);
    if (value && added) {
        const struct reserve reserve = {.field = add_field(writer, site)};
        *value = names.reserved.count;
        if (!vector_push(&names.reserved, reserve))
            *value = UINT64_MAX;
    }
    return value && *value < names.reserved.count ? &names.reserved.items[*value] : NULL;
}

uint32_t record_variable(struct trace_writer *writer, uint32_t site)
{
    uint32_t number = 0;
    pthread_mutex_lock(&names.lock);
    struct reserve *reserve = reserve_of(writer, site);
    if (reserve && reserve->next == reserve->end) {
        reserve->next = trace_writer_variables(writer, reserve->field, VARIABLES_AT_ONCE);
        reserve->end = reserve->next ? reserve->next + VARIABLES_AT_ONCE : 0;
    }
    if (reserve && reserve->next < reserve->end)
        number = reserve->next++;
    pthread_mutex_unlock(&names.lock);
    return number;
}
