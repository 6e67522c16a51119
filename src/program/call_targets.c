/*
 * Receiver classes and resolved methods -> shared sets of targets.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/call_graph_internal.h"
#include "program/hierarchy.h"
#include "program/program_internal.h"

#define NO_ENTRY UINT32_MAX
#define SET_IS_OPEN (UINT64_C(1) << 32)

static bool no_memory(struct target_builder *builder)
{
    program_no_memory(builder->problem);
    return false;
}

/* ---- lambdas by what they implement ---- */

static bool index_lambda(struct target_builder *builder, uint32_t number)
{
    const struct call_lambda *lambda = &builder->lambdas[number].lambda;
    if (lambda->interface == PROGRAM_NONE)
        return true;
    builder->is_lambda_interface[lambda->interface] = 1;
    for (uint32_t i = 0; i < lambda->markers.count; i++)
        builder->is_lambda_interface[lambda->markers.items[i]] = 1;
    for (uint32_t i = 0; i < lambda->selectors.count; i++) {
        bool added;
        uint64_t *first =
            intmap_find_or_add(&builder->lambdas_of, lambda->selectors.items[i], NO_ENTRY, &added);
        uint64_t entry = first ? *first << 32 | number : 0;
        uint64_t place = builder->chain.count;
        if (!first || !vector_push(&builder->chain, entry))
            return no_memory(builder);
        *first = place;
    }
    return true;
}

bool target_builder_init(struct target_builder *builder, const struct program *program,
                         const struct raw_lambda *lambdas, uint32_t lambda_count,
                         struct problem *problem)
{
    memset(builder, 0, sizeof *builder);
    builder->program = program;
    builder->lambdas = lambdas;
    builder->lambda_count = lambda_count;
    builder->problem = problem;
    intmap_init(&builder->sets);
    intmap_init(&builder->lambdas_of);
    builder->lambda_stamp = memory_allocate(lambda_count * sizeof *builder->lambda_stamp);
    builder->is_lambda_interface = memory_allocate(program->class_count);
    if (!builder->lambda_stamp || !builder->is_lambda_interface)
        return no_memory(builder);
    memset(builder->lambda_stamp, 0, lambda_count * sizeof *builder->lambda_stamp);
    memset(builder->is_lambda_interface, 0, program->class_count);
    for (uint32_t i = 0; i < lambda_count; i++)
        if (!index_lambda(builder, i))
            return false;
    return true;
}

void target_builder_release(struct target_builder *builder)
{
    intmap_release(&builder->sets);
    intmap_release(&builder->lambdas_of);
    vector_release(&builder->first);
    vector_release(&builder->targets);
    vector_release(&builder->collected);
    vector_release(&builder->pending);
    vector_release(&builder->chain);
    memory_release(builder->lambda_stamp);
    memory_release(builder->is_lambda_interface);
}

/* ---- one set ---- */

static int compare_ids(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

/* Turns what was collected into a set code. */
static bool finish_set(struct target_builder *builder, uint32_t *set)
{
    size_t count = builder->collected.count;
    uint32_t *items = builder->collected.items;
    if (count)
        qsort(items, count, sizeof *items, compare_ids);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!kept || items[kept - 1] != items[i])
            items[kept++] = items[i];
    if (kept < 2) {
        *set = kept ? CALL_ONE_TARGET | items[0] : CALL_NO_TARGETS;
        return true;
    }
    *set = (uint32_t)builder->first.count;
    if (builder->targets.count + kept >= UINT32_MAX / 2 ||
        !vector_push(&builder->first, (uint32_t)builder->targets.count) ||
        !vector_reserve(&builder->targets, kept))
        return no_memory(builder);
    memcpy(builder->targets.items + builder->targets.count, items, kept * sizeof *items);
    builder->targets.count += kept;
    return true;
}

/* Equal neighbours are common (subclasses that inherit) and left out at once. */
static bool collect(struct target_builder *builder, uint32_t method)
{
    if (method == PROGRAM_NONE)
        return true;
    if (builder->collected.count && vector_last(&builder->collected) == method)
        return true;
    return vector_push(&builder->collected, method) || no_memory(builder);
}

/* Of a platform class only those subclasses are loaded that the application happens to name. */
static bool has_unloaded_overrides(const struct program *program, uint32_t class_id,
                                   uint32_t method)
{
    const struct program_class *class = &program->classes[class_id];
    const uint16_t fixed = ACCESS_FINAL | ACCESS_PRIVATE | ACCESS_STATIC;
    return !class->application && !(class->access & ACCESS_FINAL) &&
           !(program->methods[method].access & fixed);
}

/* What selection finds for the classes that can have instances. */
static bool collect_selected(struct target_builder *builder, uint32_t class_id, uint32_t method)
{
    const struct program *program = builder->program;
    struct program_ids subtypes = hierarchy_subtypes(program, class_id);
    if (has_unloaded_overrides(program, class_id, method))
        builder->open = true;
    for (uint32_t i = 0; i < subtypes.count; i++) {
        uint32_t sub = subtypes.items[i];
        uint32_t selected;
        if (program_is_instantiable(&program->classes[sub]))
            selected = resolve_select(program, sub, method);
        else if (builder->is_lambda_interface[sub])
            /* What a lambda of that interface inherits rather than implements. */
            selected = resolve_select(program, sub, method);
        else
            continue;
        if (selected != PROGRAM_NONE && !(program->methods[selected].access & ACCESS_ABSTRACT) &&
            !collect(builder, selected))
            return false;
    }
    return true;
}

static bool lambda_has_type(const struct program *program, const struct call_lambda *lambda,
                            uint32_t class_id)
{
    if (hierarchy_is_subtype(program, lambda->interface, class_id))
        return true;
    for (uint32_t i = 0; i < lambda->markers.count; i++)
        if (hierarchy_is_subtype(program, lambda->markers.items[i], class_id))
            return true;
    return false;
}

/* Notes the lambdas on which a call of this method, on this class, may arrive. */
static bool find_lambdas(struct target_builder *builder, uint32_t class_id, uint32_t method)
{
    const struct program *program = builder->program;
    uint64_t entry;
    if (!(program->classes[class_id].access & ACCESS_INTERFACE) ||
        !intmap_get(&builder->lambdas_of, program->methods[method].selector, &entry))
        return true;
    while (entry != NO_ENTRY) {
        uint32_t number = (uint32_t)builder->chain.items[entry];
        entry = builder->chain.items[entry] >> 32;
        if (builder->lambda_stamp[number] == builder->stamp ||
            !lambda_has_type(program, &builder->lambdas[number].lambda, class_id))
            continue;
        builder->lambda_stamp[number] = builder->stamp;
        if (!vector_push(&builder->pending, number))
            return no_memory(builder);
    }
    return true;
}

static bool collect_all(struct target_builder *builder, uint32_t class_id, uint32_t method)
{
    builder->stamp++;
    builder->open = false;
    vector_clear(&builder->collected);
    vector_clear(&builder->pending);
    if (!collect_selected(builder, class_id, method) || !find_lambdas(builder, class_id, method))
        return false;
    while (builder->pending.count) {
        const struct raw_lambda *lambda = &builder->lambdas[vector_pop(&builder->pending)];
        uint32_t implementation = lambda->lambda.implementation;
        if (implementation == PROGRAM_NONE)
            continue;
        if (lambda->dispatch_class == PROGRAM_NONE) {
            if (!collect(builder, implementation))
                return false;
        } else if (!collect_selected(builder, lambda->dispatch_class, implementation) ||
                   !find_lambdas(builder, lambda->dispatch_class, implementation)) {
            return false;
        }
    }
    return true;
}

bool target_builder_dispatch(struct target_builder *builder, uint32_t class_id, uint32_t method,
                             uint32_t *set, bool *open)
{
    *open = false;
    if (class_id == PROGRAM_NONE) {
        *set = CALL_NO_TARGETS;
        return true;
    }
    bool added;
    uint64_t *known = intmap_find_or_add(&builder->sets, (uint64_t)class_id << 32 | method,
                                         CALL_NO_TARGETS, &added);
    if (!known)
        return no_memory(builder);
    if (!added) {
        *set = (uint32_t)*known;
        *open = (*known & SET_IS_OPEN) != 0;
        return true;
    }
    /* Nothing below adds to the map, so the place stays good. */
    if (!collect_all(builder, class_id, method) || !finish_set(builder, set))
        return false;
    *open = builder->open;
    *known = *set | (*open ? SET_IS_OPEN : 0);
    return true;
}

/* ---- initializers ---- */

static bool has_default_method(const struct program *program, uint32_t class_id)
{
    const struct program_class *class = &program->classes[class_id];
    for (uint32_t i = 0; i < class->method_count; i++)
        if (!(program->methods[class->first_method + i].access & (ACCESS_ABSTRACT | ACCESS_STATIC)))
            return true;
    return false;
}

static bool collect_initializer(struct target_builder *builder, uint32_t class_id,
                                uint32_t selector)
{
    uint32_t method = program_declared_method(builder->program, class_id, selector);
    return method == PROGRAM_NONE || !(builder->program->methods[method].access & ACCESS_STATIC) ||
           collect(builder, method);
}

bool target_builder_initializers(struct target_builder *builder, uint32_t class_id, uint32_t *set)
{
    const struct program *program = builder->program;
    const struct program_class *class = &program->classes[class_id];
    uint32_t selector = program_find_selector(program, TEXT("<clinit>"), TEXT("()V"));
    vector_clear(&builder->collected);
    if (class->access & ACCESS_INTERFACE) {
        /* Initializing an interface does not initialize its superinterfaces. */
        return collect_initializer(builder, class_id, selector) && finish_set(builder, set);
    }
    for (uint32_t id = class_id; id != PROGRAM_NONE; id = program->classes[id].superclass)
        if (!collect_initializer(builder, id, selector))
            return false;
    for (uint32_t i = 0; i < class->all_interfaces.count; i++) {
        uint32_t interface = class->all_interfaces.items[i];
        if (has_default_method(program, interface) &&
            !collect_initializer(builder, interface, selector))
            return false;
    }
    return finish_set(builder, set);
}
