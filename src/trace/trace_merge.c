/* The events of all threads of a recorded trace in their one order. */
#include "base/memory.h"
#include "trace/trace_reader_internal.h"

/* Nothing from `sequence` on can be used. Of several reasons the one that comes first counts. */
static void end_at(struct trace_reader *reader, uint64_t sequence, uint64_t offset,
                   const char *reason)
{
    if (sequence >= reader->horizon)
        return;
    reader->horizon = sequence;
    problem_clear(&reader->damage);
    problem_set(&reader->damage, (size_t)offset, "%s", reason);
}

static struct trace_decoder *take_decoder(struct trace_reader *reader, size_t size)
{
    struct trace_decoder *decoder = reader->free_decoders;
    if (decoder) {
        reader->free_decoders = decoder->next_free;
    } else {
        decoder = memory_allocate_aligned(sizeof *decoder, _Alignof(struct trace_decoder));
        if (!decoder)
            return NULL;
        decoder->room = (struct trace_room){0};
    }
    decoder->next_free = NULL;
    /* An event may be read beyond the end, before that is noticed. */
    if (!trace_room_make(&decoder->room, size + TRACE_FORMAT_EVENT_MAX)) {
        memory_release(decoder);
        return NULL;
    }
    memset(decoder->room.bytes + size, 0, TRACE_FORMAT_EVENT_MAX);
    return decoder;
}

static void give_decoder(struct trace_reader *reader, struct trace_decoder *decoder)
{
    decoder->next_free = reader->free_decoders;
    reader->free_decoders = decoder;
}

/* Of the block whose lock is taken or given up there. */
static struct trace_event block_event(const struct trace_reader *reader,
                                      const struct trace_event *lock, enum trace_kind kind)
{
    const uint32_t number = trace_names_location(&reader->names, lock->location).block;
    return (struct trace_event){.thread = lock->thread,
                                .target = number,
                                .location = trace_names_block(&reader->names, number).location,
                                .stack = kind == TRACE_END ? 0 : lock->stack,
                                .kind = kind};
}

/* The two that stand in the file as one. */
static void take_apart(const struct trace_reader *reader, struct trace_decoder *decoder)
{
    struct trace_event *const first = &decoder->event, *const second = &decoder->second;
    *second = *first;
    if (first->kind == TRACE_UPDATE) {
        first->kind = TRACE_READ;
        second->kind = TRACE_WRITE;
    } else if (first->kind == TRACE_ENTER) {
        second->kind = TRACE_ACQUIRE;
        *first = block_event(reader, second, TRACE_BEGIN);
    } else {
        first->kind = TRACE_RELEASE;
        *second = block_event(reader, first, TRACE_END);
    }
    decoder->doubled = true;
}

/* The next event, to be looked at and delivered later. False if the bytes are wrong. */
static inline bool decode(const struct trace_reader *reader, struct trace_decoder *decoder)
{
    if (decoder->doubled) {
        decoder->doubled = false;
        decoder->event = decoder->second;
        decoder->sequence++;
        return decoder->sequence <= decoder->last;
    }
    const bool known = trace_coder_decode(&decoder->coder, &decoder->position, &decoder->event);
    decoder->sequence = decoder->coder.sequence;
    if (!known || decoder->position > decoder->end ||
        decoder->event.target > reader->limits[decoder->event.kind] ||
        decoder->event.location > reader->names.locations.count ||
        decoder->event.stack > reader->names.stacks.count)
        return false;
    if (trace_kind_events(decoder->event.kind) > 1) {
        take_apart(reader, decoder);
        decoder->sequence--;
    }
    return decoder->sequence <= decoder->last;
}

/* NULL, or what is wrong. */
static const char *open_block(struct trace_reader *reader, struct trace_cursor *cursor)
{
    const struct trace_indexed *block = &reader->index.items[cursor->block];
    struct trace_decoder *decoder = take_decoder(reader, block->unpacked);
    if (!decoder)
        return "there is no memory to read a block";
    const char *wrong = trace_reader_unpack(reader, block->offset, block, decoder->room.bytes);
    if (!wrong) {
        decoder->position = decoder->room.bytes;
        decoder->end = decoder->room.bytes + block->unpacked;
        decoder->left = block->count;
        decoder->last = block->last;
        decoder->doubled = false;
        decoder->event.thread = cursor->thread;
        trace_coder_start(&decoder->coder, block->first);
        if (!decode(reader, decoder) || decoder->sequence != block->first)
            wrong = "the events in a block are wrong";
    }
    if (wrong) {
        give_decoder(reader, decoder);
        return wrong;
    }
    cursor->decoder = decoder;
    return NULL;
}

static void sink(struct trace_reader *reader, size_t at)
{
    struct trace_cursor *heap = reader->heap.items;
    const struct trace_cursor cursor = heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= reader->heap.count)
            break;
        if (child + 1 < reader->heap.count && heap[child + 1].sequence < heap[child].sequence)
            child++;
        if (cursor.sequence <= heap[child].sequence)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = cursor;
}

bool trace_merge_start(struct trace_reader *reader)
{
    for (uint32_t thread = 1; thread < reader->chains.count; thread++) {
        const uint32_t block = reader->chains.items[thread].first;
        if (block == TRACE_READER_NONE)
            continue;
        const struct trace_cursor cursor = {
            .sequence = reader->index.items[block].first, .thread = thread, .block = block};
        if (!vector_push(&reader->heap, cursor))
            return false;
    }
    for (size_t i = reader->heap.count / 2; i-- > 0;)
        sink(reader, i);
    return true;
}

static void drop_top(struct trace_reader *reader)
{
    reader->heap.items[0] = reader->heap.items[--reader->heap.count];
    if (reader->heap.count)
        sink(reader, 0);
}

/* The block of the top is done: on to the next of its thread. */
static void next_block(struct trace_reader *reader)
{
    struct trace_cursor *top = &reader->heap.items[0];
    const struct trace_indexed *block = &reader->index.items[top->block];
    if (top->decoder->position != top->decoder->end || top->decoder->doubled ||
        top->decoder->sequence != block->last)
        end_at(reader, block->last + 1, block->offset, "the events in a block are wrong");
    give_decoder(reader, top->decoder);
    top->decoder = NULL;
    top->block = block->next;
    if (top->block == TRACE_READER_NONE) {
        drop_top(reader);
    } else {
        top->sequence = reader->index.items[top->block].first;
        sink(reader, 0);
    }
}

static uint64_t second_sequence(const struct trace_reader *reader)
{
    const struct trace_cursor *heap = reader->heap.items;
    uint64_t second = UINT64_MAX;
    if (reader->heap.count > 1)
        second = heap[1].sequence;
    if (reader->heap.count > 2 && heap[2].sequence < second)
        second = heap[2].sequence;
    return second;
}

/* Delivers what the top has before all others. */
static size_t take_run(struct trace_reader *reader, uint64_t limit, struct trace_event *events,
                       size_t capacity)
{
    struct trace_cursor *top = &reader->heap.items[0];
    struct trace_decoder *decoder = top->decoder;
    size_t count = 0;
    while (count < capacity && decoder->sequence < limit) {
        events[count++] = decoder->event;
        if (--decoder->left == 0) {
            next_block(reader);
            return count;
        }
        if (!decode(reader, decoder)) {
            /* The number may be one of the wrong things; what follows the last is not known. */
            end_at(reader, top->sequence + 1, reader->index.items[top->block].offset,
                   "the events in a block are wrong");
            drop_top(reader);
            give_decoder(reader, decoder);
            return count;
        }
        top->sequence = decoder->sequence;
    }
    sink(reader, 0);
    return count;
}

/* One run, or none if a block had to be opened or cannot be. */
static size_t step(struct trace_reader *reader, struct trace_event *events, size_t capacity)
{
    struct trace_cursor *top = &reader->heap.items[0];
    uint64_t limit = second_sequence(reader);
    const uint64_t offset = reader->index.items[top->block].offset;
    if (limit == top->sequence) {
        end_at(reader, limit, offset, "two events have the same sequence number");
        return 0;
    }
    if (!top->decoder) {
        const char *wrong = open_block(reader, top);
        if (wrong) {
            end_at(reader, top->sequence, offset, wrong);
            return 0;
        }
    }
    return take_run(reader, limit < reader->horizon ? limit : reader->horizon, events, capacity);
}

static void finish(struct trace_source *source, struct trace_reader *reader, size_t count)
{
    if (reader->damage.set)
        trace_source_fail(source, reader->damage.offset, "%s", reader->damage.reason);
    else if (source->before + count != reader->total)
        trace_source_fail(source, (size_t)(reader->position - TRACE_FORMAT_BLOCK_HEADER),
                          "the trace should have %llu events", (unsigned long long)reader->total);
    else
        trace_source_finish(source);
}

void trace_merge_fill(struct trace_source *source)
{
    struct trace_reader *reader = source->state;
    size_t count = 0;
    while (count < TRACE_BATCH) {
        if (reader->heap.count == 0 || reader->heap.items[0].sequence >= reader->horizon) {
            finish(source, reader, count);
            break;
        }
        count += step(reader, source->events + count, TRACE_BATCH - count);
    }
    source->count = count;
}

void trace_merge_release(struct trace_reader *reader)
{
    for (size_t i = 0; i < reader->heap.count; i++)
        if (reader->heap.items[i].decoder)
            give_decoder(reader, reader->heap.items[i].decoder);
    while (reader->free_decoders) {
        struct trace_decoder *decoder = reader->free_decoders;
        reader->free_decoders = decoder->next_free;
        memory_release(decoder->room.bytes);
        memory_release(decoder);
    }
}
