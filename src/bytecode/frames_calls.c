#include "bytecode/frames_calls.h"

#include <string.h>

bool frames_calls_init(struct frames_calls *calls, struct frames_maker *maker, uint32_t capacity)
{
    const uint32_t words = (maker->code->max_locals + 63u) / 64u;
    *calls = (struct frames_calls){.words = words};
    maker->places += (uint64_t)capacity * words * 2;
    if (maker->places > FRAMES_PLACE_LIMIT)
        return frames_fail(maker, 0, "too many subroutines to know what each writes");
    calls->items = ARENA_ARRAY(maker->arena, struct frames_call, capacity);
    uint64_t *written = ARENA_ARRAY(maker->arena, uint64_t, (size_t)capacity * words);
    if (!calls->items || !written)
        return frames_fail_memory(maker);
    for (uint32_t i = 0; i < capacity; i++)
        calls->items[i] = (struct frames_call){.written = written + (size_t)i * words};
    return true;
}

void frames_calls_assign(struct frames_calls *to, const struct frames_calls *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        to->items[i].entry = from->items[i].entry;
        memcpy(to->items[i].written, from->items[i].written, from->words * sizeof(uint64_t));
    }
    to->count = from->count;
}

static bool add_bits(uint64_t *to, const uint64_t *from, uint32_t words)
{
    bool changed = false;
    for (uint32_t i = 0; i < words; i++) {
        changed |= (from[i] & ~to[i]) != 0;
        to[i] |= from[i];
    }
    return changed;
}

bool frames_calls_merge(struct frames_calls *to, const struct frames_calls *from)
{
    bool changed = false;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < to->count; i++) {
        const struct frames_call *other = frames_calls_find(from, to->items[i].entry);
        if (!other) {
            changed = true;
            continue;
        }
        changed |= add_bits(to->items[i].written, other->written, to->words);
        const struct frames_call call = to->items[i];
        to->items[i] = to->items[kept];
        to->items[kept++] = call;
    }
    to->count = kept;
    return changed;
}

bool frames_calls_equal(const struct frames_calls *a, const struct frames_calls *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->items[i].entry != b->items[i].entry ||
            memcmp(a->items[i].written, b->items[i].written, a->words * sizeof(uint64_t)) != 0)
            return false;
    }
    return true;
}

struct frames_call *frames_calls_find(const struct frames_calls *calls, uint32_t entry)
{
    for (uint32_t i = 0; i < calls->count; i++) {
        if (calls->items[i].entry == entry)
            return &calls->items[i];
    }
    return NULL;
}

void frames_calls_push(struct frames_calls *calls, uint32_t entry)
{
    struct frames_call *call = &calls->items[calls->count++];
    call->entry = entry;
    memset(call->written, 0, calls->words * sizeof(uint64_t));
}

void frames_calls_write(struct frames_calls *calls, unsigned local)
{
    for (uint32_t i = 0; i < calls->count; i++)
        calls->items[i].written[local / 64] |= UINT64_C(1) << (local % 64);
}

void frames_calls_add_written(struct frames_calls *calls, const struct frames_call *call)
{
    for (uint32_t i = 0; i < calls->count; i++)
        add_bits(calls->items[i].written, call->written, calls->words);
}
