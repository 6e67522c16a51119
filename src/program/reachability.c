#include "program/reachability.h"

#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "program/program_internal.h"

struct search {
    const struct program *program;
    const struct call_graph *graph;
    struct reachability *reachability;
    uint8_t *set_done; /* by set */
    uint32_t finalize; /* selector of finalize()V, or PROGRAM_NONE */
    VECTOR(uint32_t) pending;
    uint16_t bit;
    bool failed;
};

static void reach(struct search *search, uint32_t method)
{
    uint16_t *from = &search->reachability->from[method];
    if (*from & search->bit)
        return;
    *from |= search->bit;
    if (!vector_push(&search->pending, method))
        search->failed = true;
}

static void reach_set(struct search *search, uint32_t set)
{
    if (set == CALL_NO_TARGETS)
        return;
    uint32_t one;
    struct program_ids targets = call_graph_targets(search->graph, set, &one);
    if (!(set & CALL_ONE_TARGET)) {
        if (search->set_done[set])
            return;
        search->set_done[set] = 1;
    }
    for (uint32_t i = 0; i < targets.count; i++)
        reach(search, targets.items[i]);
}

/* What the platform may call on an object, here or on another thread: which of them cannot be told
   without its code. Only finalize is certain to wait for its own thread. */
static void reach_callbacks(struct search *search, uint32_t class_id)
{
    struct program_ids callbacks = call_graph_callbacks(search->graph, class_id);
    for (uint32_t i = 0; i < callbacks.count; i++)
        if (search->program->methods[callbacks.items[i]].selector != search->finalize)
            reach(search, callbacks.items[i]);
}

static void reach_constructed(struct search *search, uint32_t method)
{
    const struct program *program = search->program;
    if (program_is_application_method(program, method) &&
        text_is(program_method_name(program, method), "<init>"))
        reach_callbacks(search, program->methods[method].class_id);
}

/* A function object has the default methods of its interfaces besides what it implements. */
static void reach_function(struct search *search, const struct call_site *site)
{
    const struct call_lambda *lambda = call_graph_lambda(search->graph, site);
    if (!lambda || lambda->interface == PROGRAM_NONE)
        return;
    reach_callbacks(search, lambda->interface);
    for (uint32_t i = 0; i < lambda->markers.count; i++)
        reach_callbacks(search, lambda->markers.items[i]);
}

static void follow(struct search *search)
{
    while (search->pending.count && !search->failed) {
        uint32_t method = vector_pop(&search->pending);
        struct call_sites sites = call_graph_sites(search->graph, method);
        for (uint32_t i = 0; i < sites.count; i++) {
            reach_set(search, sites.items[i].targets);
            if (sites.items[i].kind == CALL_LAMBDA)
                reach_function(search, &sites.items[i]);
        }
        reach_constructed(search, method);
    }
}

/* Entering a class's code from outside initializes the class; the constructor of an entry's object
   has run too, but where is found from where it was made. */
static void search_from(struct search *search, const struct entry_points *entries,
                        enum entry_kind kind)
{
    search->bit = (uint16_t)REACHABILITY_KIND(kind);
    memset(search->set_done, 0, search->graph->set_count);
    for (uint32_t i = 0; i < entries->count; i++) {
        const struct entry_point *entry = &entries->items[i];
        if (entry->kind != kind)
            continue;
        reach(search, entry->method);
        reach_set(search, call_graph_initializers(
                              search->graph, search->program->methods[entry->method].class_id));
    }
    follow(search);
}

static void count_reached(struct reachability *reachability, const struct program *program)
{
    for (uint32_t i = 0; i < program->application_method_count; i++) {
        reachability->reached_count += reachability->from[i] != 0;
        for (unsigned kind = 0; kind < ENTRY_KIND_COUNT; kind++)
            reachability->reached[kind] += (reachability->from[i] & REACHABILITY_KIND(kind)) != 0;
    }
}

bool reachability_compute(struct reachability *reachability, const struct call_graph *graph,
                          const struct entry_points *entries, unsigned kinds,
                          struct problem *problem)
{
    const struct program *program = graph->program;
    memset(reachability, 0, sizeof *reachability);
    struct search search = {.program = program, .graph = graph, .reachability = reachability};
    size_t methods = program->method_count;
    reachability->from = memory_allocate(methods * sizeof *reachability->from);
    search.finalize = program_find_selector(program, TEXT("finalize"), TEXT("()V"));
    search.set_done = memory_allocate(graph->set_count);
    bool ok = reachability->from && search.set_done;
    if (ok) {
        memset(reachability->from, 0, methods * sizeof *reachability->from);
        for (unsigned kind = 0; kind < ENTRY_KIND_COUNT; kind++)
            if (kinds & REACHABILITY_KIND(kind))
                search_from(&search, entries, kind);
        ok = !search.failed;
    }
    memory_release(search.set_done);
    vector_release(&search.pending);
    if (!ok) {
        program_no_memory(problem);
        reachability_release(reachability);
        return false;
    }
    count_reached(reachability, program);
    return true;
}

void reachability_release(struct reachability *reachability)
{
    memory_release(reachability->from);
    memset(reachability, 0, sizeof *reachability);
}
