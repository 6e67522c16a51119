#include "instrument/array_sources.h"

#include <string.h>

#include "base/intmap.h"
#include "classfile/descriptor.h"
#include "instrument/quiet.h"
#include "rewrite/code_image.h"
#include "rewrite/stack_effect.h"

/* Kept locals cost frame entries, and registers. */
enum { MOST_KEPT = 12 };

/* The JIT gives up on methods with more bytecode than this. */
enum { COMPILED_LIMIT = 8000 };

/* With more, the method might not fit the format, and would stay without any check. */
enum { ROOM_LIMIT = 56000 };

/* Bytes that the forms of a check may need; see arrays.c. */
enum {
    BYTES_LOOKED_UP = 21,
    BYTES_CACHED = 39,
    BYTES_FOLLOWED = 16,
    BYTES_STORE = 22,
    BYTES_REFRESH = 31,
    BYTES_ENTRY = 15,
    BYTES_KEPT = 22, /* more, where the words are beside the field */
    BYTES_FIELD = 10 /* a check of a field */
};

/* Furthest that the store of `a[i] += x` is looked for. */
enum { UPDATE_LENGTH = 48 };

/* ---- updates: a[i] += x ---- */

/* Whether nothing that it does tells other threads anything, or learns of them. It may throw for a
   null or a bad index, which programs do not do in the middle of an update. */
static bool may_be_in_update(const struct instrument_method *method,
                             const struct instruction *instruction)
{
    return instruction->opcode == OP_ARRAYLENGTH || array_is_load(instruction->opcode) ||
           quiet_is_sure(method->owner, instruction);
}

/* If the load is that of `a[i] op= x`, with nothing in between that has to do with other threads:
   the store. */
static uint32_t find_update(const struct instrument_method *method, const struct ways *ways,
                            uint32_t load)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    const enum opcode opcode = bytecode->instructions[load].opcode;
    const enum opcode store = opcode - OP_IALOAD + OP_IASTORE;
    unsigned depth = array_element_slots(opcode); /* above the array and the index */
    if (!load || bytecode->instructions[load - 1].opcode != OP_DUP2 ||
        ways->sources.lowest[load] != INSTRUCTION_NONE)
        return INSTRUCTION_NONE;
    for (uint32_t i = load + 1; i < bytecode->count && i - load < UPDATE_LENGTH; i++) {
        const struct instruction *instruction = &bytecode->instructions[i];
        if (ways->sources.lowest[i] != INSTRUCTION_NONE)
            break;
        if (instruction->opcode == store && depth == array_element_slots(store))
            return i;
        if (!may_be_in_update(method, instruction))
            break;
        struct stack_effect effect = stack_effect_of(bytecode->class_file, instruction);
        if (effect.pops > depth)
            break;
        depth += effect.pushes - effect.pops;
    }
    return INSTRUCTION_NONE;
}

/* ---- sources ---- */

/* In what object the field is, as far as that is told apart. */
static uint64_t holder_key(const struct origins *origins, uint32_t getter)
{
    struct origin holder = origins_operand(origins, getter, 0);
    return holder.local ? holder.slot + UINT64_C(1) : 0;
}

static uint64_t source_key(const struct origins *origins, uint32_t instruction, struct origin array)
{
    enum { BY_LOCAL, BY_FIELD, BY_STATIC, BY_INSTRUCTION };
    if (array.local)
        return (uint64_t)array.slot << 2 | BY_LOCAL;
    switch (array.kind) {
    case ORIGIN_FIELD:
        return (holder_key(origins, array.instruction) << 16 | array.constant) << 2 | BY_FIELD;
    case ORIGIN_STATIC:
        return (uint64_t)array.constant << 2 | BY_STATIC;
    default:
        if (array.instruction != INSTRUCTION_NONE)
            instruction = array.instruction;
        return (uint64_t)instruction << 2 | BY_INSTRUCTION;
    }
}

static uint32_t weight_at(const struct ways *ways, uint32_t instruction)
{
    const unsigned depth = ways->depths[instruction];
    return UINT32_C(1) << 3 * (depth < 4 ? depth : 4);
}

static void add_weight(uint32_t *sum, uint32_t weight)
{
    if (__builtin_add_overflow(*sum, weight, sum))
        *sum = UINT32_MAX;
}

/* Whether the type is that of the class and no other, as the verifier sees it. */
static bool is_type_of(struct text descriptor, struct text class_name)
{
    return descriptor.length == class_name.length + 2 && descriptor.bytes[0] == 'L' &&
           text_equal(text_slice(descriptor, 1, class_name.length + 1), class_name);
}

/* A parameter that holds an object of the class all through the method. That the code casts it
   before it uses the object does not help elsewhere. */
static bool is_kept_parameter(const struct instrument_method *method, uint16_t slot,
                              struct text class_name)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    size_t position = 1;
    unsigned next = method->is_static ? 0 : 1;
    struct text parameter = TEXT("");
    while (next <= slot && descriptor_next_parameter(method->descriptor, &position, &parameter)) {
        if (next == slot)
            break;
        next += descriptor_slots(parameter);
        parameter = TEXT("");
    }
    if (!is_type_of(parameter, class_name))
        return false;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        bool stores = false;
        unsigned slots = 0;
        int32_t local = code_image_local(&bytecode->instructions[i], &stores, &slots);
        if (local >= 0 && stores && local <= slot && slot < local + (int32_t)slots)
            return false;
    }
    return true;
}

/* Whether the getfield or getstatic that the array comes from can be repeated at other places
   without anybody noticing. */
static bool is_repeatable(const struct instrument_method *method, struct origin array)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    uint16_t access = 0;
    if (array.local || (array.kind != ORIGIN_FIELD && array.kind != ORIGIN_STATIC))
        return false;
    struct member_reference field = class_member_reference(bytecode->class_file, array.constant);
    if (!fields_find_own(method->owner, &field, &access) || (access & ACCESS_VOLATILE) ||
        !(access & ACCESS_STATIC) != (array.kind == ORIGIN_FIELD))
        return false;
    if (array.kind == ORIGIN_STATIC)
        return true;
    struct origin holder = origins_operand(&method->origins, array.instruction, 0);
    return holder.local && ((holder.slot == 0 && method->this_kept) ||
                            is_kept_parameter(method, holder.slot, field.owner));
}

/* An access that must be checked. `instruction` is the access; if it is an update, its load. */
static bool add_access(const struct instrument_method *method, struct array_caches *caches,
                       struct intmap *keys, uint32_t instruction)
{
    const struct origins *origins = &method->origins;
    const struct origin array = array_operand(origins, instruction);
    bool added = false;
    uint64_t *number =
        intmap_find_or_add(keys, source_key(origins, instruction, array), caches->count, &added);
    if (!number)
        return false;
    struct array_source *source = &caches->items[*number];
    if (added) {
        *source = (struct array_source){
            .local = array.local, .slot = array.slot, .getter = INSTRUCTION_NONE};
        if (is_repeatable(method, array)) {
            source->getter = array.instruction;
            source->holder = origins_operand(origins, array.instruction, 0).slot;
            source->kept = fields_is_lasting(method->owner, array.constant);
        }
        caches->count++;
    }
    caches->sources[instruction] = (uint32_t)*number;
    source->accesses++;
    add_weight(&source->weight, weight_at(&caches->ways, instruction));
    return true;
}

static bool find_accesses(struct instrument_method *method, struct array_caches *caches,
                          struct intmap *keys, bool *covered)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const enum opcode opcode = bytecode->instructions[i].opcode;
        if ((!array_is_load(opcode) && !array_is_store(opcode)) || covered[i] ||
            ways_is_private(&caches->ways, i, array_operand(&method->origins, i)))
            continue;
        uint32_t store =
            array_is_load(opcode) ? find_update(method, &caches->ways, i) : INSTRUCTION_NONE;
        if (store != INSTRUCTION_NONE)
            covered[store] = true;
        caches->checks[i] = array_is_store(opcode) || store != INSTRUCTION_NONE ? ARRAY_CHECK_WRITE
                                                                                : ARRAY_CHECK_READ;
        if (!add_access(method, caches, keys, i))
            return false;
    }
    return true;
}

/* ---- modes ---- */

/* Whether the words of what the local holds can be looked up wherever it is stored, and that is
   worth it. */
static bool may_follow(const struct instrument_method *method, const struct array_caches *caches,
                       struct array_source *source)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    uint32_t stores = 1;
    if (!source->local || caches->ways.subroutines)
        return false;
    source->remembers = false;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        if (origins_stored_local(&bytecode->instructions[i]) != source->slot)
            continue;
        const uint8_t kind = origins_operand(&method->origins, i, 0).kind;
        if (kind == ORIGIN_NULL)
            continue;
        /* Before super() an object that cannot be passed might be stored. */
        if (kind == ORIGIN_UNKNOWN && instrument_is_early(method, i))
            return false;
        add_weight(&stores, weight_at(&caches->ways, i));
        source->remembers |= caches->ways.depths[i] > 0;
    }
    return source->weight >= stores;
}

static struct array_source *heaviest(const struct array_caches *caches)
{
    struct array_source *best = NULL;
    for (uint32_t i = 0; i < caches->count; i++) {
        struct array_source *source = &caches->items[i];
        if (source->mode == ARRAY_LOOKED_UP && source->weight > 1 &&
            (!best || source->weight > best->weight))
            best = source;
    }
    return best;
}

/* Each loop and source once. */
static bool find_refreshes(const struct instrument_method *method, struct array_caches *caches,
                           struct intmap *keys)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    intmap_clear(keys);
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const uint32_t loop = caches->ways.loops[i];
        if (caches->checks[i] == ARRAY_CHECK_NONE || loop == INSTRUCTION_NONE)
            continue;
        const uint32_t source = caches->sources[i];
        bool added = false;
        if (caches->items[source].mode != ARRAY_CACHED ||
            caches->items[source].getter == INSTRUCTION_NONE || instrument_is_early(method, loop))
            continue;
        if (!intmap_find_or_add(keys, (uint64_t)source << 32 | loop, 0, &added))
            return false;
        if (added)
            caches->refreshes[caches->refresh_count++] = (struct array_refresh){source, loop};
    }
    return true;
}

static bool is_short_enough(const struct instrument_method *method,
                            const struct array_caches *caches, uint32_t limit)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    uint64_t size =
        bytecode->code->length + (uint64_t)caches->refresh_count * (BYTES_REFRESH + BYTES_KEPT);
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const struct instruction *instruction = &bytecode->instructions[i];
        const int32_t local = origins_stored_local(instruction);
        if (opcode_infos[instruction->opcode].operands == OPERANDS_FIELD)
            size += BYTES_FIELD;
        else if (local >= 0 && local < bytecode->code->max_locals &&
                 caches->by_local[local] != ARRAY_NO_SOURCE)
            size += BYTES_STORE;
    }
    for (uint32_t i = 0; i < caches->count; i++) {
        const struct array_source *source = &caches->items[i];
        uint64_t each = source->mode == ARRAY_CACHED     ? BYTES_CACHED
                        : source->mode == ARRAY_FOLLOWED ? BYTES_FOLLOWED
                                                         : BYTES_LOOKED_UP;
        if (source->kept)
            each += BYTES_KEPT;
        size += each * source->accesses + (source->mode == ARRAY_LOOKED_UP ? 0 : BYTES_ENTRY);
    }
    return size <= limit;
}

static bool choose_modes(const struct instrument_method *method, struct array_caches *caches,
                         struct intmap *keys)
{
    for (uint32_t kept = 0; kept < MOST_KEPT; kept++) {
        struct array_source *source = heaviest(caches);
        if (!source)
            break;
        if (may_follow(method, caches, source)) {
            source->mode = ARRAY_FOLLOWED;
            caches->by_local[source->slot] = (uint32_t)(source - caches->items);
            caches->followed++;
        } else {
            source->mode = ARRAY_CACHED;
            source->remembers = true;
        }
    }
    if (!find_refreshes(method, caches, keys))
        return false;
    if (is_short_enough(method, caches, COMPILED_LIMIT))
        return true;
    caches->followed = 0;
    caches->refresh_count = 0;
    for (uint32_t i = 0; i < caches->count; i++) {
        if (caches->items[i].mode == ARRAY_FOLLOWED)
            caches->by_local[caches->items[i].slot] = ARRAY_NO_SOURCE;
        caches->items[i].mode = ARRAY_LOOKED_UP;
    }
    return true;
}

/* ---- all of it ---- */

static uint32_t count_accesses(const struct bytecode *bytecode)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const enum opcode opcode = bytecode->instructions[i].opcode;
        count += array_is_load(opcode) || array_is_store(opcode);
    }
    return count;
}

static bool find_sources(struct instrument_method *method, struct array_caches *caches,
                         uint32_t accesses)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    struct arena *arena = method->edit->arena;
    const uint32_t locals = bytecode->code->max_locals;
    caches->checks = arena_allocate_zeroed(arena, bytecode->count, 1);
    caches->sources = ARENA_ARRAY(arena, uint32_t, bytecode->count);
    caches->items = ARENA_ARRAY(arena, struct array_source, accesses);
    caches->refreshes = ARENA_ARRAY(arena, struct array_refresh, accesses);
    caches->by_local = ARENA_ARRAY(arena, uint32_t, locals);
    bool *covered = arena_allocate_zeroed(arena, bytecode->count * sizeof(bool), alignof(bool));
    if (!caches->checks || !caches->sources || !caches->items || !caches->refreshes ||
        !caches->by_local || !covered || !ways_compute(&caches->ways, &method->origins, arena))
        return false;
    memset(caches->by_local, 0xFF, locals * sizeof *caches->by_local);
    struct intmap keys;
    intmap_init(&keys);
    bool found =
        find_accesses(method, caches, &keys, covered) && choose_modes(method, caches, &keys);
    intmap_release(&keys);
    return found;
}

bool array_sources_find(struct instrument_method *method)
{
    method->arrays = NULL;
    const uint32_t accesses = count_accesses(&method->edit->bytecode);
    if (!accesses)
        return true;
    struct array_caches *caches = ARENA_NEW(method->edit->arena, struct array_caches);
    if (!caches || !find_sources(method, caches, accesses))
        return false;
    if (!caches->count || !is_short_enough(method, caches, ROOM_LIMIT))
        return true;
    caches->number = atomic_fetch_add_explicit(&method->owner->instrument->array_methods, 1,
                                               memory_order_relaxed);
    caches->group = (uint32_t)(method->edit->method - method->owner->editor->class_file->methods);
    method->arrays = caches;
    return true;
}
