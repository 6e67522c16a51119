#include "locktypes/lock_types.h"

#include <stdlib.h>
#include <string.h>

#include "locktypes/lock_types_internal.h"

/* ---- adding ---- */

bool lock_types_init(struct lock_types *types, const struct program *program,
                     const struct field_facts *facts, struct problem *problem)
{
    memset(types, 0, sizeof *types);
    types->program = program;
    types->facts = facts;
    arena_init(&types->arena);
    intmap_init(&types->classes);
    intmap_init(&types->fields);
    intmap_init(&types->methods);
    intmap_init(&types->allocations);
    textmap_init(&types->lines);
    textmap_init(&types->simple_names);
    if (term_table_init(&types->terms, &types->arena) && lock_names_index(types))
        return true;
    problem_set(problem, PROBLEM_NO_OFFSET, "not enough memory");
    lock_types_release(types);
    return false;
}

void lock_types_release(struct lock_types *types)
{
    term_table_release(&types->terms);
    intmap_release(&types->classes);
    intmap_release(&types->fields);
    intmap_release(&types->methods);
    intmap_release(&types->allocations);
    textmap_release(&types->lines);
    textmap_release(&types->simple_names);
    vector_release(&types->problems);
    vector_release(&types->added);
    arena_release(&types->arena);
}

bool lock_types_add(struct lock_types *types, const struct declarations *declarations)
{
    if (vector_push(&types->added, declarations))
        return true;
    types->failed = true;
    return false;
}

/* ---- entries ---- */

static void *find_entry(const struct intmap *map, uint32_t id)
{
    uint64_t address;
    return intmap_get(map, id, &address) ? (void *)(uintptr_t)address : NULL;
}

static void *make_entry(struct lock_types *types, struct intmap *map, uint32_t id, size_t size)
{
    void *entry = find_entry(map, id);
    if (entry)
        return entry;
    entry = arena_allocate_zeroed(&types->arena, size, alignof(max_align_t));
    if (entry && intmap_put(map, id, (uintptr_t)entry))
        return entry;
    types->failed = true;
    return NULL;
}

struct class_entry *lock_types_make_class(struct lock_types *types, uint32_t class_id)
{
    return make_entry(types, &types->classes, class_id, sizeof(struct class_entry));
}

struct field_entry *lock_types_make_field(struct lock_types *types, uint32_t field)
{
    return make_entry(types, &types->fields, field, sizeof(struct field_entry));
}

struct method_entry *lock_types_make_method(struct lock_types *types, uint32_t method)
{
    return make_entry(types, &types->methods, method, sizeof(struct method_entry));
}

const struct class_entry *lock_types_class_entry(const struct lock_types *types, uint32_t class_id)
{
    return find_entry(&types->classes, class_id);
}

/* ---- binding ---- */

/* Runs the pass over all declarations, the strongest source first. */
static void for_each_added(struct lock_types *types, uint32_t **class_ids,
                           void (*pass)(struct lock_types *, const struct declarations *,
                                        uint32_t *))
{
    for (int source = SOURCE_LOCKS_FILE; source >= SOURCE_DEFAULT; source--)
        for (size_t i = 0; i < types->added.count; i++)
            if ((int)types->added.items[i]->source == source)
                pass(types, types->added.items[i], class_ids[i]);
}

static void bind_bodies(struct lock_types *types, const struct declarations *declarations,
                        uint32_t *class_ids)
{
    bind_class_bodies(types, declarations, class_ids);
}

static bool bind_added(struct lock_types *types)
{
    uint32_t **class_ids = ARENA_ARRAY(&types->arena, uint32_t *, types->added.count);
    if (!class_ids)
        return false;
    for (size_t i = 0; i < types->added.count; i++) {
        class_ids[i] = ARENA_ARRAY(&types->arena, uint32_t, types->added.items[i]->class_count);
        if (!class_ids[i])
            return false;
    }
    for_each_added(types, class_ids, bind_class_heads);
    for_each_added(types, class_ids, bind_bodies);
    return true;
}

static int compare_problems(const void *left, const void *right)
{
    const struct lock_problem *a = left, *b = right;
    int order = text_compare(a->place.file, b->place.file);
    if (!order)
        order = (a->place.line > b->place.line) - (a->place.line < b->place.line);
    if (!order)
        order = (a->place.column > b->place.column) - (a->place.column < b->place.column);
    if (!order)
        order = (a->class_id > b->class_id) - (a->class_id < b->class_id);
    if (!order)
        order = text_compare(a->member, b->member);
    if (!order)
        order = (a->rule > b->rule) - (a->rule < b->rule);
    return order ? order : text_compare(a->message, b->message);
}

/* In the order of their places, each once: what stands in one line of the source may be in the
   code of several constructors. */
static void sort_problems(struct lock_types *types)
{
    size_t kept = 0;
    if (types->problems.count)
        qsort(types->problems.items, types->problems.count, sizeof *types->problems.items,
              compare_problems);
    for (size_t i = 0; i < types->problems.count; i++) {
        const struct lock_problem *next = &types->problems.items[i];
        const struct lock_problem *last = kept ? &types->problems.items[kept - 1] : NULL;
        if (last && next->rule == last->rule && next->place.line == last->place.line &&
            next->place.column == last->place.column && next->class_id == last->class_id &&
            text_equal(next->place.file, last->place.file) &&
            text_equal(next->message, last->message))
            continue;
        types->problems.items[kept++] = *next;
    }
    types->problems.count = kept;
}

bool lock_types_bind(struct lock_types *types, enum lock_defaults defaults, struct problem *problem)
{
    if (!bind_added(types))
        types->failed = true;
    if (!types->failed)
        bind_class_guards(types);
    if (!types->failed)
        bind_reject_cycles(types);
    if (!types->failed)
        bind_lines(types);
    if (!types->failed)
        bind_inherited(types);
    if (!types->failed && defaults == DEFAULTS_RFJ)
        bind_defaults(types);
    sort_problems(types);
    types->failed |= types->arena.failed || types->terms.failed;
    if (types->failed)
        problem_set(problem, PROBLEM_NO_OFFSET, "not enough memory");
    return !types->failed;
}

/* ---- queries ---- */

const struct class_locks *lock_types_class(const struct lock_types *types, uint32_t class_id)
{
    static const struct class_locks none;
    const struct class_entry *entry = find_entry(&types->classes, class_id);
    return entry ? &entry->locks : &none;
}

const struct field_locks *lock_types_field(const struct lock_types *types, uint32_t field)
{
    static const struct field_locks none;
    const struct field_entry *entry = find_entry(&types->fields, field);
    return entry ? &entry->locks : &none;
}

const struct method_locks *lock_types_method(const struct lock_types *types, uint32_t method)
{
    static const struct method_locks none;
    const struct method_entry *entry = find_entry(&types->methods, method);
    return entry ? &entry->locks : &none;
}

bool lock_types_declares_method(const struct lock_types *types, uint32_t method)
{
    const struct method_entry *entry = find_entry(&types->methods, method);
    return entry && !entry->locks.inherited;
}

term lock_types_formal(const struct lock_types *types, uint32_t class_id, uint32_t number,
                       struct term_table *to)
{
    const struct class_locks *locks = lock_types_class(types, class_id);
    const bool ghost = number < locks->formal_count && locks->ghosts && locks->ghosts[number];
    return term_make(to, ghost ? TERM_GHOST : TERM_FORMAL, number, TERM_NONE);
}

enum class_nature lock_types_nature(const struct lock_types *types, uint32_t class_id)
{
    const bool application =
        class_id != PROGRAM_NONE && types->program->classes[class_id].application;
    for (; class_id != PROGRAM_NONE; class_id = types->program->classes[class_id].superclass) {
        const struct class_locks *locks = lock_types_class(types, class_id);
        /* What a program adds to an immutable library class need not be so too. */
        const bool foreign = application && !types->program->classes[class_id].application;
        if (foreign && locks->nature == NATURE_IMMUTABLE)
            return NATURE_NONE;
        if (locks->nature != NATURE_NONE || locks->shared)
            return (enum class_nature)locks->nature;
    }
    return NATURE_NONE;
}

const struct file_lines *lock_types_lines(const struct lock_types *types, struct text file)
{
    uint32_t number;
    return textmap_get(&types->lines, file, &number) ? &types->line_lists[number] : NULL;
}

const struct term_list *lock_types_allocation(const struct lock_types *types, uint32_t method,
                                              uint32_t offset)
{
    uint64_t address;
    if (!intmap_get(&types->allocations, (uint64_t)method << 32 | offset, &address))
        return NULL;
    return (const struct term_list *)(uintptr_t)address;
}
