#include "program/hierarchy.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "program/program_internal.h"

/* No sane program comes near: a chain of 5,000 interfaces would. */
#define MOST_TABLE_ENTRIES ((size_t)16 << 20)

/* ---- queries ---- */

static bool has_id(struct program_ids ids, uint32_t id)
{
    uint32_t low = 0, high = ids.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ids.items[middle] == id)
            return true;
        if (ids.items[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool hierarchy_is_subclass(const struct program *program, uint32_t sub, uint32_t super)
{
    if (sub == PROGRAM_NONE || super == PROGRAM_NONE)
        return false;
    const struct program_class *tree = &program->classes[super];
    uint32_t place = program->classes[sub].tree_first;
    return tree->tree_first <= place && place < tree->tree_end;
}

bool hierarchy_is_subtype(const struct program *program, uint32_t sub, uint32_t super)
{
    if (sub == PROGRAM_NONE || super == PROGRAM_NONE)
        return false;
    return sub == super || super == program->object || hierarchy_is_subclass(program, sub, super) ||
           hierarchy_has_interface(program, sub, super);
}

bool hierarchy_has_interface(const struct program *program, uint32_t class_id, uint32_t interface)
{
    return has_id(program->classes[class_id].all_interfaces, interface);
}

bool hierarchy_is_superinterface(const struct program *program, uint32_t class_id)
{
    return program->sub_first[class_id + 1] > program->sub_first[class_id];
}

struct program_ids hierarchy_subtypes(const struct program *program, uint32_t class_id)
{
    const struct program_class *class = &program->classes[class_id];
    uint32_t first = program->sub_first[class_id], end = program->sub_first[class_id + 1];
    if (hierarchy_is_superinterface(program, class_id))
        return (struct program_ids){program->sub_items + first, end - first};
    return (struct program_ids){program->tree + class->tree_first,
                                class->tree_end - class->tree_first};
}

uint32_t hierarchy_common_superclass(const struct program *program, uint32_t a, uint32_t b)
{
    if (a == b)
        return a;
    if ((program->classes[a].access | program->classes[b].access) & ACCESS_INTERFACE)
        return program->object;
    while (a != PROGRAM_NONE && !hierarchy_is_subclass(program, b, a))
        a = program->classes[a].superclass;
    return a;
}

static struct text common_superclass_name(void *context, struct text a, struct text b)
{
    const struct program *program = context;
    uint32_t class_a = program_find_class(program, a);
    uint32_t class_b = program_find_class(program, b);
    if (class_a == PROGRAM_NONE || class_b == PROGRAM_NONE)
        return text_equal(a, b) ? a : TEXT("java/lang/Object");
    uint32_t common = hierarchy_common_superclass(program, class_a, class_b);
    return common == PROGRAM_NONE ? TEXT("java/lang/Object") : program->classes[common].name;
}

struct type_hierarchy program_type_hierarchy(const struct program *program)
{
    /* The callback only reads; its type has no const because other users of it do write. */
    return (struct type_hierarchy){(void *)(uintptr_t)program, common_superclass_name};
}

/* ---- building ---- */

struct builder_state {
    struct program *program;
    struct problem *problem;
    uint8_t *color;  /* by class: 0 not seen, 1 on the path, 2 done */
    uint32_t *order; /* classes with supertypes before subtypes */
    uint32_t order_count;
    uint32_t *next_edge; /* by class: which supertype comes next */
    uint32_t *path;
    size_t entries;
};

static bool no_memory(struct builder_state *state)
{
    program_no_memory(state->problem);
    return false;
}

/* Supertype number `edge` of a class: 0 the superclass, then the interfaces. */
static uint32_t supertype(const struct program_class *class, uint32_t edge)
{
    return edge == 0 ? class->superclass : class->interfaces.items[edge - 1];
}

static bool cut(struct builder_state *state, struct program_class *class, uint32_t edge)
{
    class->circular = true;
    class->incomplete = true;
    if (edge == 0) {
        class->superclass = PROGRAM_NONE;
        return true;
    }
    uint32_t count = class->interfaces.count;
    uint32_t *items = ARENA_ARRAY(&state->program->arena, uint32_t, count);
    if (!items)
        return no_memory(state);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i != edge - 1)
            items[kept++] = class->interfaces.items[i];
    class->interfaces = (struct program_ids){items, kept};
    return true;
}

/* Depth first without recursion: hierarchies come from outside and may be deep. */
static bool visit(struct builder_state *state, uint32_t root)
{
    struct program_class *classes = state->program->classes;
    uint32_t depth = 0;
    state->path[depth++] = root;
    state->color[root] = 1;
    while (depth) {
        uint32_t id = state->path[depth - 1];
        struct program_class *class = &classes[id];
        if (state->next_edge[id] > class->interfaces.count) {
            state->color[id] = 2;
            state->order[state->order_count++] = id;
            depth--;
            continue;
        }
        uint32_t edge = state->next_edge[id]++;
        uint32_t next = supertype(class, edge);
        if (next == PROGRAM_NONE || state->color[next] == 2)
            continue;
        if (state->color[next] == 1) {
            if (!cut(state, class, edge))
                return false;
            if (edge)
                state->next_edge[id]--; /* the next interface has moved into its place */
            continue;
        }
        state->color[next] = 1;
        state->path[depth++] = next;
    }
    return true;
}

static int compare_ids(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static uint32_t sort_unique(uint32_t *items, uint32_t count)
{
    if (count)
        qsort(items, count, sizeof *items, compare_ids);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!kept || items[kept - 1] != items[i])
            items[kept++] = items[i];
    return kept;
}

/* The JVM loads no class that implements a class. Here such a link counts for nothing: tables of
   interfaces that had classes in them would lose the subclasses of these. */
static bool may_be_interface(const struct program_class *class)
{
    return class->missing || class->access & ACCESS_INTERFACE;
}

/* All supertypes of the class have their lists already. */
static bool collect_interfaces(struct builder_state *state, struct program_class *class)
{
    struct program_class *classes = state->program->classes;
    struct program_ids inherited = {NULL, 0};
    if (class->superclass != PROGRAM_NONE) {
        inherited = classes[class->superclass].all_interfaces;
        class->incomplete |= classes[class->superclass].incomplete;
    }
    class->incomplete |= class->missing;
    if (class->interfaces.count == 0) {
        class->all_interfaces = inherited;
        return true;
    }
    size_t most = inherited.count;
    for (uint32_t i = 0; i < class->interfaces.count; i++) {
        const struct program_class *interface = &classes[class->interfaces.items[i]];
        class->incomplete |= interface->incomplete || !may_be_interface(interface);
        most += (size_t)interface->all_interfaces.count + 1;
    }
    if (most > MOST_TABLE_ENTRIES - state->entries) {
        problem_set(state->problem, PROBLEM_NO_OFFSET,
                    "the classes have too many superinterfaces: more than %zu in all",
                    MOST_TABLE_ENTRIES);
        return false;
    }
    uint32_t *all = ARENA_ARRAY(&state->program->arena, uint32_t, most);
    if (!all)
        return no_memory(state);
    uint32_t count = inherited.count;
    if (count)
        memcpy(all, inherited.items, count * sizeof *all);
    for (uint32_t i = 0; i < class->interfaces.count; i++) {
        uint32_t interface = class->interfaces.items[i];
        struct program_ids more = classes[interface].all_interfaces;
        if (!may_be_interface(&classes[interface]))
            continue;
        all[count++] = interface;
        if (more.count)
            memcpy(all + count, more.items, more.count * sizeof *all);
        count += more.count;
    }
    class->all_interfaces = (struct program_ids){all, sort_unique(all, count)};
    state->entries += most;
    return true;
}

/* Counting sort by parent, then one walk that numbers each subtree in a row. */
static bool build_tree(struct builder_state *state)
{
    struct program *program = state->program;
    uint32_t count = program->class_count;
    uint32_t *size = state->next_edge; /* no longer needed */
    program->tree = memory_allocate((size_t)count * sizeof *program->tree);
    if (!program->tree)
        return no_memory(state);
    for (uint32_t i = 0; i < count; i++)
        size[i] = 1;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t superclass = program->classes[state->order[i]].superclass;
        if (superclass != PROGRAM_NONE)
            size[superclass] += size[state->order[i]];
    }
    /* Superclasses come first in `order`, so a class's place is known before its subclasses';
       `path` holds where the next child of each class goes. */
    uint32_t next_root = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = state->order[i];
        struct program_class *class = &program->classes[id];
        uint32_t *place =
            class->superclass == PROGRAM_NONE ? &next_root : &state->path[class->superclass];
        class->tree_first = *place;
        class->tree_end = *place + size[id];
        *place += size[id];
        state->path[id] = class->tree_first + 1;
        program->tree[class->tree_first] = id;
    }
    return true;
}

static bool build_subtypes(struct builder_state *state)
{
    struct program *program = state->program;
    uint32_t count = program->class_count;
    uint32_t *first = memory_allocate(((size_t)count + 1) * sizeof *first);
    if (!first)
        return no_memory(state);
    program->sub_first = first;
    memset(first, 0, ((size_t)count + 1) * sizeof *first);
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct program_class *class = &program->classes[i];
        for (uint32_t j = 0; j < class->all_interfaces.count; j++)
            first[class->all_interfaces.items[j]]++;
        total += class->all_interfaces.count;
        if (total > MOST_TABLE_ENTRIES) {
            problem_set(state->problem, PROBLEM_NO_OFFSET,
                        "the classes have too many superinterfaces: more than %zu in all",
                        MOST_TABLE_ENTRIES);
            return false;
        }
    }
    /* An interface with subtypes lists itself too. */
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t here = i < count && first[i] ? first[i] + 1 : 0;
        first[i] = sum;
        sum += here;
    }
    program->sub_items = memory_allocate((size_t)sum * sizeof *program->sub_items);
    if (!program->sub_items)
        return no_memory(state);
    uint32_t *next = state->path;
    for (uint32_t i = 0; i < count; i++) {
        next[i] = first[i];
        if (first[i + 1] > first[i])
            program->sub_items[next[i]++] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct program_class *class = &program->classes[i];
        for (uint32_t j = 0; j < class->all_interfaces.count; j++)
            program->sub_items[next[class->all_interfaces.items[j]]++] = i;
    }
    return true;
}

bool hierarchy_build(struct program *program, struct problem *problem)
{
    size_t count = program->class_count;
    struct builder_state state = {.program = program, .problem = problem};
    state.color = memory_allocate(count);
    state.order = memory_allocate(count * sizeof *state.order);
    state.next_edge = memory_allocate(count * sizeof *state.next_edge);
    state.path = memory_allocate(count * sizeof *state.path);
    bool ok = state.color && state.order && state.next_edge && state.path;
    if (ok) {
        memset(state.color, 0, count);
        memset(state.next_edge, 0, count * sizeof *state.next_edge);
    } else {
        no_memory(&state);
    }
    for (uint32_t i = 0; ok && i < count; i++)
        if (state.color[i] == 0)
            ok = visit(&state, i);
    for (uint32_t i = 0; ok && i < count; i++)
        ok = collect_interfaces(&state, &program->classes[state.order[i]]);
    ok = ok && build_tree(&state) && build_subtypes(&state);
    if (ok && !declarers_build(program))
        ok = no_memory(&state);
    memory_release(state.color);
    memory_release(state.order);
    memory_release(state.next_edge);
    memory_release(state.path);
    return ok;
}
