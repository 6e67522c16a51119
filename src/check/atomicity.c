#include "check/atomicity.h"

#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "check/atomicity_internal.h"

#define FIRST_CAPACITY 64u

/* ---- the table ---- */

bool atomicity_table_init(struct atomicity_table *table, struct problem *problem)
{
    memset(table, 0, sizeof *table);
    arena_init(&table->arena);
    intmap_init(&table->numbers);
    intmap_init(&table->memo);
    if (term_table_init(&table->locks, &table->arena))
        return true;
    problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    atomicity_table_release(table);
    return false;
}

void atomicity_table_release(struct atomicity_table *table)
{
    term_table_release(&table->locks);
    intmap_release(&table->numbers);
    intmap_release(&table->memo);
    memory_release(table->nodes);
    table->nodes = NULL;
    table->node_count = table->node_capacity = 0;
    arena_release(&table->arena);
}

/* ---- the order of locks ---- */

/* Where a term has another term in it, which no kind has twice. */
enum part { PART_NONE, PART_A, PART_B };

static enum part part_of(uint8_t kind)
{
    switch ((enum term_kind)kind) {
    case TERM_FIELD:
    case TERM_VARYING:
    case TERM_READ_VIEW:
    case TERM_WRITE_VIEW:
    case TERM_STALE:
    case TERM_RESULT:
    case TERM_MONITOR:
        return PART_A;
    case TERM_FORMAL:
    case TERM_METHOD_FORMAL:
        return PART_B;
    default:
        return PART_NONE;
    }
}

int atomicity_compare_locks(const struct term_table *locks, term a, term b)
{
    while (a != b) {
        const struct term_content left = term_content(locks, a), right = term_content(locks, b);
        if (left.kind != right.kind)
            return order_of(left.kind, right.kind);
        const enum part part = part_of(left.kind);
        int order = 0;
        if (part != PART_A)
            order = order_of(left.a, right.a);
        if (order == 0 && part != PART_B)
            order = order_of(left.b, right.b);
        if (order != 0 || part == PART_NONE)
            return order;
        /* Parts were made before what they are parts of, so that this comes to an end. */
        a = part == PART_A ? left.a : left.b;
        b = part == PART_A ? right.a : right.b;
    }
    return 0;
}

/* ---- nodes ---- */

static uint32_t paths_of(const struct atomicity_table *table, atomicity number)
{
    return atomicity_is_basic(number) ? 1 : atomicity_node_of(table, number)->paths;
}

static uint32_t depth_of(const struct atomicity_table *table, atomicity number)
{
    return atomicity_is_basic(number) ? 0 : atomicity_node_of(table, number)->depth;
}

atomicity atomicity_worst(const struct atomicity_table *table, atomicity number)
{
    return atomicity_is_basic(number) ? number : atomicity_node_of(table, number)->worst;
}

atomicity atomicity_best(const struct atomicity_table *table, atomicity number)
{
    return atomicity_is_basic(number) ? number : atomicity_node_of(table, number)->best;
}

static bool grow_nodes(struct atomicity_table *table)
{
    const uint32_t capacity = table->node_capacity ? table->node_capacity * 2 : FIRST_CAPACITY;
    if (capacity > 1u << (ATOMICITY_NUMBER_BITS - 1))
        return false;
    struct atomicity_node *nodes =
        memory_resize(table->nodes, (size_t)capacity * sizeof *table->nodes);
    if (!nodes)
        return false;
    table->nodes = nodes;
    table->node_capacity = capacity;
    return true;
}

static uint64_t mixed(uint64_t value)
{
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return value ^ value >> 31;
}

/* Contents have more bits than a key of the map. Those that meet at one key stand at the keys
   behind it. */
static uint64_t node_key(const struct atomicity_node *node)
{
    const uint64_t sides = (uint64_t)node->held << 32 | node->otherwise;
    return mixed(mixed(sides) + node->lock) >> 1; /* never INTMAP_NO_KEY, nor near it */
}

static bool same_content(const struct atomicity_node *a, const struct atomicity_node *b)
{
    return a->lock == b->lock && a->held == b->held && a->otherwise == b->otherwise;
}

static atomicity intern_node(struct atomicity_table *table, const struct atomicity_node *node)
{
    if (table->node_count == table->node_capacity && !grow_nodes(table))
        return ATOMICITY_NO_MEMORY;
    for (uint64_t key = node_key(node);; key++) {
        bool added;
        const uint64_t *index = intmap_find_or_add(&table->numbers, key, table->node_count, &added);
        if (!index)
            return ATOMICITY_NO_MEMORY;
        if (added) {
            table->nodes[table->node_count] = *node;
            return ATOMICITY_BASIC_COUNT + table->node_count++;
        }
        if (same_content(&table->nodes[*index], node))
            return ATOMICITY_BASIC_COUNT + (atomicity)*index;
    }
}

atomicity atomicity_make_node(struct atomicity_table *table, term lock, atomicity held,
                              atomicity otherwise)
{
    if (held >= ATOMICITY_TOO_LARGE || otherwise >= ATOMICITY_TOO_LARGE)
        return held > otherwise ? held : otherwise;
    if (held == otherwise)
        return held;
    const uint32_t paths = paths_of(table, held) + paths_of(table, otherwise);
    const uint32_t held_depth = depth_of(table, held), other_depth = depth_of(table, otherwise);
    const uint32_t depth = 1 + (held_depth > other_depth ? held_depth : other_depth);
    if (paths > ATOMICITY_MOST_PATHS || depth > ATOMICITY_MOST_DEPTH)
        return ATOMICITY_TOO_LARGE;
    const struct atomicity_node node = {
        .lock = lock,
        .held = held,
        .otherwise = otherwise,
        .paths = (uint16_t)paths,
        .depth = (uint8_t)depth,
        .worst = (uint8_t)atomicity_basic_join(atomicity_worst(table, held),
                                               atomicity_worst(table, otherwise)),
        .best = (uint8_t)atomicity_basic_meet(atomicity_best(table, held),
                                              atomicity_best(table, otherwise)),
        .one_sided =
            atomicity_is_one_sided(table, held) || atomicity_is_one_sided(table, otherwise),
    };
    return intern_node(table, &node);
}

/* ---- questions ---- */

atomicity atomicity_at(const struct atomicity_table *table, atomicity number,
                       bool (*is_held)(void *context, term lock), void *context)
{
    while (!atomicity_is_basic(number)) {
        const struct atomicity_node *node = atomicity_node_of(table, number);
        number = is_held(context, node->lock) ? node->held : node->otherwise;
    }
    return number;
}

static void add_lock(const struct term_table *terms, struct atomicity_locks *locks, term lock)
{
    uint32_t low = 0, high = locks->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = atomicity_compare_locks(terms, locks->items[middle], lock);
        if (order == 0)
            return;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(&locks->items[low + 1], &locks->items[low],
            (locks->count - low) * sizeof *locks->items);
    locks->items[low] = lock;
    locks->count++;
}

/* Walks the diagram as the tree that it stands for, which has few paths. */
static void collect(const struct atomicity_table *table, atomicity number,
                    struct atomicity_locks *locks)
{
    while (!atomicity_is_basic(number)) {
        const struct atomicity_node *node = atomicity_node_of(table, number);
        add_lock(&table->locks, locks, node->lock);
        collect(table, node->held, locks);
        number = node->otherwise;
    }
}

void atomicity_collect_locks(const struct atomicity_table *table, atomicity number,
                             struct atomicity_locks *locks)
{
    locks->count = 0;
    collect(table, number, locks);
}

void atomicity_each_lock(const struct atomicity_table *table, atomicity number,
                         void (*visit)(void *context, term lock), void *context)
{
    struct atomicity_locks locks;
    atomicity_collect_locks(table, number, &locks);
    for (uint32_t i = 0; i < locks.count; i++)
        visit(context, locks.items[i]);
}
