#include "check/atomicity_clusters.h"

#include <stdlib.h>

#include "base/builder.h"
#include "base/vector.h"
#include "classfile/names.h"

/* A lock as all methods call it: a class whose object it is, or a field that holds it. */
struct label {
    uint32_t kind; /* enum term_kind; 0: none */
    uint32_t id;
};

struct labelled {
    struct label label;
    uint32_t warning;
};

/* A method as the last search found it. */
struct node {
    uint32_t search; /* that came here last; what follows is of that one */
    uint32_t parent; /* union-find */
    uint8_t sides;
    bool leads_on, kept;
};

struct sorting {
    struct atomicity_inference *inference;
    struct arena *arena;
    struct atomicity_warning *warnings;
    uint32_t warning_count;
    VECTOR(struct labelled) labelled;
    VECTOR(struct atomicity_cluster) clusters;
    struct node *nodes; /* by method */
    uint32_t search;
    bool failed;
};

/* ---- labels ---- */

static struct label label_of(const struct sorting *sorting, uint32_t method, term lock)
{
    const struct program *program = sorting->inference->checker->program;
    const struct term_content content = term_content(&sorting->inference->table.locks, lock);
    switch (content.kind) {
    case TERM_FIELD:
    case TERM_VARYING:
        return (struct label){TERM_FIELD, content.b};
    case TERM_STATIC:
        return (struct label){TERM_FIELD, content.a};
    case TERM_CLASS:
        return (struct label){TERM_CLASS, content.a};
    case TERM_PARAMETER: {
        const struct atomic_code *code = sorting->inference->codes[method];
        const struct method_flow *flow = code->check.flow;
        const term parameter =
            term_make(&code->check.flow->terms, TERM_PARAMETER, content.a, content.b);
        const uint32_t type = parameter < flow->origin_count ? flow->types[parameter]
                                                             : program->methods[method].class_id;
        return (struct label){TERM_PARAMETER, type};
    }
    default:
        return (struct label){content.kind, content.a};
    }
}

static struct text label_text(struct sorting *sorting, struct label label)
{
    const struct program *program = sorting->inference->checker->program;
    struct builder builder;
    builder_init(&builder);
    if (label.kind && label.kind != TERM_FIELD && label.kind != TERM_CLASS)
        builder_add_string(&builder, "the lock of ");
    if (label.kind == TERM_FIELD) {
        names_add_dotted(&builder, program->classes[program->fields[label.id].class_id].name);
        builder_add_byte(&builder, '.');
        builder_add(&builder, program_field_name(program, label.id));
    } else if (label.kind && label.id < program->class_count) {
        names_add_dotted(&builder, program->classes[label.id].name);
        builder_add_string(&builder, label.kind == TERM_CLASS ? ".class" : "");
    }
    const struct text text = text_copy(sorting->arena, builder_text(&builder));
    builder_release(&builder);
    return text;
}

struct one_lock {
    term lock;
};

static bool is_that_lock(void *context, term lock)
{
    return ((const struct one_lock *)context)->lock == lock;
}

struct label_visit {
    struct sorting *sorting;
    uint32_t warning;
    bool any;
};

static void add_label(struct sorting *sorting, struct label label, uint32_t warning)
{
    if (!vector_push(&sorting->labelled, ((struct labelled){label, warning})))
        sorting->failed = true;
}

/* With this lock alone the method would be atomic. */
static void try_lock(void *context, term lock)
{
    struct label_visit *visit = context;
    struct sorting *sorting = visit->sorting;
    const uint32_t method = sorting->warnings[visit->warning].method;
    struct one_lock one = {lock};
    const atomicity with = atomicity_at(&sorting->inference->table, sorting->inference->of[method],
                                        is_that_lock, &one);
    if (with > ATOMICITY_OF_ATOMIC)
        return;
    visit->any = true;
    add_label(sorting, label_of(sorting, method, lock), visit->warning);
}

static void label_all(struct sorting *sorting)
{
    for (uint32_t i = 0; i < sorting->warning_count && !sorting->failed; i++) {
        struct label_visit visit = {sorting, i, false};
        atomicity_each_lock(&sorting->inference->table,
                            sorting->inference->of[sorting->warnings[i].method], try_lock, &visit);
        if (!visit.any)
            add_label(sorting, (struct label){0, 0}, i);
    }
}

static int compare_labelled(const void *left, const void *right)
{
    const struct labelled *a = left, *b = right;
    if (a->label.kind != b->label.kind)
        return a->label.kind < b->label.kind ? -1 : 1;
    if (a->label.id != b->label.id)
        return a->label.id < b->label.id ? -1 : 1;
    return (a->warning > b->warning) - (a->warning < b->warning);
}

/* ---- one label's methods ---- */

/* Two methods of a group belong together if a path leads from one to the other. All such paths are
   made of methods that are reached from the group and lead back into it; so the clusters are what
   hangs together among those, whatever the direction. */
enum { BELOW = 1, ABOVE = 2 }; /* reached from the group; leading to it */

struct group {
    const struct labelled *items;
    uint32_t count;
};

static uint8_t *sides_of(struct sorting *sorting, uint32_t method)
{
    struct node *node = &sorting->nodes[method];
    if (node->search != sorting->search)
        *node = (struct node){.search = sorting->search, .parent = method};
    return &node->sides;
}

static uint32_t root_of(struct sorting *sorting, uint32_t method)
{
    struct node *nodes = sorting->nodes;
    while (nodes[method].parent != method)
        method = nodes[method].parent = nodes[nodes[method].parent].parent;
    return method;
}

typedef VECTOR(uint32_t) method_list;

static void reach(struct sorting *sorting, method_list *work, uint32_t method, uint8_t side)
{
    uint8_t *sides = sides_of(sorting, method);
    if (*sides & side)
        return;
    *sides |= side;
    if (!vector_push(work, method))
        sorting->failed = true;
}

static void reach_callees(struct sorting *sorting, method_list *work, uint32_t method)
{
    const struct atomic_code *code = sorting->inference->codes[method];
    for (uint32_t i = 0; code && i < code->atom_count; i++)
        for (uint32_t k = 0; k < code->atoms[i].targets.count; k++)
            reach(sorting, work, code->atoms[i].targets.items[k], BELOW);
}

static void reach_callers(struct sorting *sorting, method_list *work, uint32_t method)
{
    const struct atomicity_inference *inference = sorting->inference;
    for (uint32_t i = inference->first_caller[method]; i < inference->first_caller[method + 1]; i++)
        reach(sorting, work, inference->callers[i], ABOVE);
}

static void search_side(struct sorting *sorting, const struct group *group, uint8_t side,
                        method_list *all)
{
    method_list work = VECTOR_EMPTY;
    for (uint32_t i = 0; i < group->count; i++)
        reach(sorting, &work, sorting->warnings[group->items[i].warning].method, side);
    while (work.count && !sorting->failed) {
        const uint32_t method = vector_pop(&work);
        if (side == BELOW && !vector_push(all, method))
            sorting->failed = true;
        if (side == BELOW)
            reach_callees(sorting, &work, method);
        else
            reach_callers(sorting, &work, method);
    }
    vector_release(&work);
}

/* Joins what hangs together; a member that leads to another one is not the lowest. */
static void join_callees(struct sorting *sorting, uint32_t method)
{
    const struct atomic_code *code = sorting->inference->codes[method];
    if (*sides_of(sorting, method) != (BELOW | ABOVE))
        return;
    for (uint32_t i = 0; code && i < code->atom_count; i++)
        for (uint32_t k = 0; k < code->atoms[i].targets.count; k++) {
            const uint32_t callee = code->atoms[i].targets.items[k];
            if (callee == method || *sides_of(sorting, callee) != (BELOW | ABOVE))
                continue;
            sorting->nodes[root_of(sorting, method)].parent = root_of(sorting, callee);
            sorting->nodes[method].leads_on = true;
        }
}

/* The cluster that has exactly these methods already, or a new one. */
static void keep_cluster(struct sorting *sorting, const struct group *group, uint32_t first,
                         uint32_t root)
{
    const uint32_t number = (uint32_t)sorting->clusters.count;
    uint32_t members = 0, known = UINT32_MAX;
    bool same = true;
    for (uint32_t i = first; i < group->count; i++) {
        const struct atomicity_warning *warning = &sorting->warnings[group->items[i].warning];
        if (root_of(sorting, warning->method) != root)
            continue;
        if (members++ == 0)
            known = warning->cluster;
        same = same && warning->cluster == known && known != UINT32_MAX;
    }
    if (same && sorting->clusters.items[known].method_count == members)
        return;
    const struct atomicity_cluster cluster = {label_text(sorting, group->items[first].label),
                                              members};
    if (!vector_push(&sorting->clusters, cluster)) {
        sorting->failed = true;
        return;
    }
    for (uint32_t i = first; i < group->count; i++) {
        struct atomicity_warning *warning = &sorting->warnings[group->items[i].warning];
        if (root_of(sorting, warning->method) != root)
            continue;
        if (warning->cluster == UINT32_MAX)
            warning->cluster = number;
        warning->lowest = warning->lowest || !sorting->nodes[warning->method].leads_on;
    }
}

static void sort_group(struct sorting *sorting, const struct labelled *items, uint32_t count)
{
    const struct group group = {items, count};
    method_list below = VECTOR_EMPTY;
    sorting->search++;
    search_side(sorting, &group, BELOW, &below);
    search_side(sorting, &group, ABOVE, NULL);
    for (size_t i = 0; i < below.count && !sorting->failed; i++)
        join_callees(sorting, below.items[i]);
    for (uint32_t i = 0; i < count && !sorting->failed; i++) {
        const uint32_t root = root_of(sorting, sorting->warnings[items[i].warning].method);
        if (!sorting->nodes[root].kept) {
            sorting->nodes[root].kept = true;
            keep_cluster(sorting, &group, i, root);
        }
    }
    vector_release(&below);
}

/* Methods that call each other in a circle are all lowest: none would be else. */
static void lift_circles(struct sorting *sorting)
{
    bool *has_lowest = arena_allocate_zeroed(sorting->arena, sorting->clusters.count + 1, 1);
    if (!has_lowest) {
        sorting->failed = true;
        return;
    }
    for (uint32_t i = 0; i < sorting->warning_count; i++)
        if (sorting->warnings[i].lowest)
            has_lowest[sorting->warnings[i].cluster] = true;
    for (uint32_t i = 0; i < sorting->warning_count; i++)
        if (!has_lowest[sorting->warnings[i].cluster])
            sorting->warnings[i].lowest = true;
}

bool atomicity_clusters_find(struct atomicity_clusters *clusters,
                             struct atomicity_inference *inference, struct arena *arena,
                             struct atomicity_warning *warnings, uint32_t warning_count)
{
    const uint32_t methods = inference->checker->program->application_method_count;
    struct sorting sorting = {.inference = inference,
                              .arena = arena,
                              .warnings = warnings,
                              .warning_count = warning_count};
    sorting.nodes =
        arena_allocate_zeroed(arena, (methods + 1u) * sizeof *sorting.nodes, alignof(struct node));
    sorting.failed = arena->failed;
    for (uint32_t i = 0; i < warning_count && !sorting.failed; i++) {
        warnings[i].cluster = UINT32_MAX;
        warnings[i].lowest = false;
    }
    if (!sorting.failed)
        label_all(&sorting);
    if (sorting.labelled.count)
        qsort(sorting.labelled.items, sorting.labelled.count, sizeof *sorting.labelled.items,
              compare_labelled);
    for (size_t first = 0, end; first < sorting.labelled.count && !sorting.failed; first = end) {
        const struct label label = sorting.labelled.items[first].label;
        for (end = first + 1; end < sorting.labelled.count; end++)
            if (sorting.labelled.items[end].label.kind != label.kind ||
                sorting.labelled.items[end].label.id != label.id)
                break;
        sort_group(&sorting, &sorting.labelled.items[first], (uint32_t)(end - first));
    }
    if (!sorting.failed)
        lift_circles(&sorting);
    clusters->count = (uint32_t)sorting.clusters.count;
    clusters->items =
        arena_copy(arena, sorting.clusters.items, sorting.clusters.count * sizeof *clusters->items,
                   alignof(struct atomicity_cluster));
    vector_release(&sorting.labelled);
    vector_release(&sorting.clusters);
    return !sorting.failed && clusters->items;
}
