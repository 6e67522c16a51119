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
#define SET_IS_TOO_LARGE (UINT64_C(1) << 33)

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

/* ---- receivers ---- */

/* Whether what a call runs may be selected in exactly this class: it can have instances, or a
   lambda of that interface inherits rather than implements the method. */
static bool is_receiver(const struct target_builder *builder, uint32_t class_id)
{
    return program_is_instantiable(&builder->program->classes[class_id]) ||
           builder->is_lambda_interface[class_id];
}

static void find_receivers(struct target_builder *builder)
{
    const struct program *program = builder->program;
    uint32_t next = program->class_count;
    builder->next_receiver[next] = next;
    for (uint32_t place = program->class_count; place-- > 0;) {
        if (is_receiver(builder, program->tree[place]))
            next = place;
        builder->next_receiver[place] = next;
    }
}

bool target_builder_init(struct target_builder *builder, const struct program *program,
                         const struct raw_lambda *lambdas, uint32_t lambda_count,
                         uint64_t most_steps, struct problem *problem)
{
    memset(builder, 0, sizeof *builder);
    builder->program = program;
    builder->lambdas = lambdas;
    builder->lambda_count = lambda_count;
    builder->problem = problem;
    builder->most_steps = most_steps;
    intmap_init(&builder->sets);
    intmap_init(&builder->lambdas_of);
    builder->lambda_stamp = memory_allocate(lambda_count * sizeof *builder->lambda_stamp);
    builder->is_lambda_interface = memory_allocate(program->class_count);
    builder->default_methods = memory_allocate(program->class_count);
    builder->next_receiver =
        memory_allocate(((size_t)program->class_count + 1) * sizeof *builder->next_receiver);
    if (!builder->lambda_stamp || !builder->is_lambda_interface || !builder->default_methods ||
        !builder->next_receiver)
        return no_memory(builder);
    memset(builder->lambda_stamp, 0, lambda_count * sizeof *builder->lambda_stamp);
    memset(builder->is_lambda_interface, 0, program->class_count);
    memset(builder->default_methods, 0, program->class_count);
    for (uint32_t i = 0; i < lambda_count; i++)
        if (!index_lambda(builder, i))
            return false;
    find_receivers(builder);
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
    memory_release(builder->default_methods);
    memory_release(builder->next_receiver);
}

/* ---- one set ---- */

static int compare_ids(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

/* What a set may take when the others have left nothing: most sets are small, and one large part of
   a program should not make all the others unknown. */
enum { FEW_STEPS = 64 };

static void begin_set(struct target_builder *builder)
{
    builder->stamp++;
    if (builder->most_steps < builder->steps + FEW_STEPS)
        builder->most_steps = builder->steps + FEW_STEPS;
    builder->open = builder->too_large = false;
    vector_clear(&builder->collected);
    vector_clear(&builder->pending);
}

/* Hierarchies from outside may have as many sets as classes, each as large as the program. Together
   they may take so much work, and no more. */
static void count_steps(struct target_builder *builder, uint32_t steps)
{
    builder->steps += steps;
    if (builder->steps > builder->most_steps)
        builder->too_large = true;
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

static bool collect_selected(struct target_builder *builder, struct selection selection)
{
    count_steps(builder, selection.steps + 1);
    if (selection.undecided)
        builder->too_large = true;
    return selection.method == PROGRAM_NONE ||
           builder->program->methods[selection.method].access & ACCESS_ABSTRACT ||
           collect(builder, selection.method);
}

/* Places first..end-1 of the tree are classes that have the same nearest declaration. What
   selection finds among their superclasses it finds for all of them; defaults of interfaces are
   their own. */
static bool collect_alike(struct target_builder *builder, uint32_t first, uint32_t end,
                          uint32_t method)
{
    const struct program *program = builder->program;
    const uint32_t *next = builder->next_receiver;
    for (uint32_t place = next[first]; place < end && !builder->too_large;
         place = next[place + 1]) {
        uint32_t receiver = program->tree[place];
        struct selection selection = resolve_selection(program, receiver, method);
        if (!collect_selected(builder, selection))
            return false;
        if (selection.method != PROGRAM_NONE &&
            hierarchy_is_subclass(program, receiver, program->methods[selection.method].class_id))
            break;
    }
    return true;
}

static bool collect_subclasses(struct target_builder *builder, uint32_t class_id, uint32_t method)
{
    const struct program *program = builder->program;
    const struct program_class *class = &program->classes[class_id];
    struct declarers_range changes =
        declarers_in_tree(&program->method_declarers, program->methods[method].selector,
                          class->tree_first, class->tree_end);
    uint32_t first = class->tree_first;
    for (uint32_t i = 0; i <= changes.count && !builder->too_large; i++) {
        uint32_t end = i < changes.count ? changes.items[i].place : class->tree_end;
        count_steps(builder, 1);
        if (!collect_alike(builder, first, end, method))
            return false;
        first = end;
    }
    return true;
}

static bool collect_implementers(struct target_builder *builder, struct program_ids subtypes,
                                 uint32_t method)
{
    count_steps(builder, subtypes.count);
    for (uint32_t i = 0; i < subtypes.count && !builder->too_large; i++)
        if (is_receiver(builder, subtypes.items[i]) &&
            !collect_selected(builder,
                              resolve_selection(builder->program, subtypes.items[i], method)))
            return false;
    return true;
}

/* What selection finds for the receivers of that class. */
static bool collect_subtypes(struct target_builder *builder, uint32_t class_id, uint32_t method)
{
    const struct program *program = builder->program;
    if (has_unloaded_overrides(program, class_id, method))
        builder->open = true;
    if (hierarchy_is_superinterface(program, class_id))
        return collect_implementers(builder, hierarchy_subtypes(program, class_id), method);
    return collect_subclasses(builder, class_id, method);
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
    while (entry != NO_ENTRY && !builder->too_large) {
        count_steps(builder, 1);
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
    begin_set(builder);
    if (!collect_subtypes(builder, class_id, method) || !find_lambdas(builder, class_id, method))
        return false;
    while (builder->pending.count && !builder->too_large) {
        const struct raw_lambda *lambda = &builder->lambdas[vector_pop(&builder->pending)];
        uint32_t implementation = lambda->lambda.implementation;
        if (implementation == PROGRAM_NONE)
            continue;
        if (lambda->dispatch_class == PROGRAM_NONE) {
            if (!collect(builder, implementation))
                return false;
        } else if (!collect_subtypes(builder, lambda->dispatch_class, implementation) ||
                   !find_lambdas(builder, lambda->dispatch_class, implementation)) {
            return false;
        }
    }
    if (builder->too_large)
        vector_clear(&builder->collected);
    return true;
}

bool target_builder_dispatch(struct target_builder *builder, uint32_t class_id, uint32_t method,
                             struct target_set *set)
{
    *set = (struct target_set){.targets = CALL_NO_TARGETS};
    if (class_id == PROGRAM_NONE)
        return true;
    bool added;
    uint64_t *known = intmap_find_or_add(&builder->sets, (uint64_t)class_id << 32 | method,
                                         CALL_NO_TARGETS, &added);
    if (!known)
        return no_memory(builder);
    if (!added) {
        set->targets = (uint32_t)*known;
        set->open = (*known & SET_IS_OPEN) != 0;
        set->too_large = (*known & SET_IS_TOO_LARGE) != 0;
        return true;
    }
    /* Nothing below adds to the map, so the place stays good. */
    if (!collect_all(builder, class_id, method) || !finish_set(builder, &set->targets))
        return false;
    set->open = builder->open;
    set->too_large = builder->too_large;
    *known = set->targets | (set->open ? SET_IS_OPEN : 0) | (set->too_large ? SET_IS_TOO_LARGE : 0);
    return true;
}

/* ---- initializers ---- */

enum { DEFAULTS_NOT_LOOKED_FOR, HAS_NO_DEFAULT, HAS_DEFAULT };

static uint8_t look_for_default(const struct program *program, uint32_t class_id)
{
    const struct program_class *class = &program->classes[class_id];
    for (uint32_t i = 0; i < class->method_count; i++)
        if (!(program->methods[class->first_method + i].access & (ACCESS_ABSTRACT | ACCESS_STATIC)))
            return HAS_DEFAULT;
    return HAS_NO_DEFAULT;
}

static bool has_default_method(struct target_builder *builder, uint32_t class_id)
{
    uint8_t *known = &builder->default_methods[class_id];
    if (*known == DEFAULTS_NOT_LOOKED_FOR)
        *known = look_for_default(builder->program, class_id);
    return *known == HAS_DEFAULT;
}

static bool collect_initializer(struct target_builder *builder, uint32_t method)
{
    count_steps(builder, 1);
    return !(builder->program->methods[method].access & ACCESS_STATIC) || collect(builder, method);
}

/* Of an interface, which does not initialize its superinterfaces. */
static bool collect_own_initializer(struct target_builder *builder, uint32_t class_id,
                                    uint32_t selector)
{
    uint32_t method = program_declared_method(builder->program, class_id, selector);
    return method == PROGRAM_NONE || collect_initializer(builder, method);
}

static bool collect_initializers(struct target_builder *builder, uint32_t class_id,
                                 uint32_t selector)
{
    const struct program *program = builder->program;
    const struct declarers *declarers = &program->method_declarers;
    uint32_t above = declarers_nearest(program, declarers, class_id, selector);
    while (above != PROGRAM_NONE && !builder->too_large) {
        if (!collect_initializer(builder, above))
            return false;
        above = declarers_nearest(program, declarers,
                                  program_class_of_method(program, above)->superclass, selector);
    }
    struct declarers_walk walk = declarers_walk(program, declarers, class_id, selector);
    for (uint32_t method; !builder->too_large && (method = declarers_next(&walk)) != PROGRAM_NONE;)
        if (has_default_method(builder, program->methods[method].class_id) &&
            !collect_initializer(builder, method))
            return false;
    return true;
}

bool target_builder_initializers(struct target_builder *builder, uint32_t class_id,
                                 struct target_set *set)
{
    const struct program *program = builder->program;
    uint32_t selector = program_find_selector(program, TEXT("<clinit>"), TEXT("()V"));
    begin_set(builder);
    bool ok = program->classes[class_id].access & ACCESS_INTERFACE
                  ? collect_own_initializer(builder, class_id, selector)
                  : collect_initializers(builder, class_id, selector);
    if (builder->too_large && builder->collected.count)
        builder->collected.count = 1;
    *set = (struct target_set){.too_large = builder->too_large};
    return ok && finish_set(builder, &set->targets);
}
