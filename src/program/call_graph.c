#include "program/call_graph.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "program/call_graph_internal.h"
#include "program/program_internal.h"

static const struct {
    enum call_unknown reason;
    const char *class_name;
    const char *method;
} unknown_calls[] = {
#define UNKNOWN_CALL(reason, class_name, method) {CALL_UNKNOWN_##reason, class_name, method},
#include "program/unknown_calls.def"
#undef UNKNOWN_CALL
};

/* What all sets of targets may take, in classes, methods and lambdas looked at; none has more
   members than it took. The whole JDK takes a tenth of it. */
#define MOST_TARGET_STEPS (UINT64_C(1) << 24)

struct construction {
    struct call_graph *graph;
    struct problem *problem;
    struct call_scanner *scanners;
    unsigned scanner_count;
    uint8_t *unknown_of;
    struct class_span *spans;       /* by class */
    uint32_t *site_counts;          /* by method */
    uint8_t *too_many_initializers; /* by class */
    uint32_t class_count;           /* classes 0 .. class_count-1 are scanned */
    VECTOR(struct raw_lambda) lambdas;
    struct target_builder targets;
};

static bool no_memory(struct construction *construction)
{
    program_no_memory(construction->problem);
    return false;
}

/* ---- scanning ---- */

static void mark_unknown_calls(const struct program *program, uint8_t *unknown_of)
{
    memset(unknown_of, CALL_KNOWN, program->method_count);
    for (size_t i = 0; i < sizeof unknown_calls / sizeof *unknown_calls; i++) {
        uint32_t id = program_find_class(program, text_from(unknown_calls[i].class_name));
        if (id == PROGRAM_NONE)
            continue;
        const struct program_class *class = &program->classes[id];
        for (uint32_t j = 0; j < class->method_count; j++)
            if (text_is(program_method_name(program, class->first_method + j),
                        unknown_calls[i].method))
                unknown_of[class->first_method + j] = (uint8_t)unknown_calls[i].reason;
    }
}

static void scan_item(void *context, size_t item, unsigned worker)
{
    struct construction *construction = context;
    struct call_scanner *scanner = &construction->scanners[worker];
    construction->spans[item] =
        (struct class_span){.worker = worker, .first_site = scanner->sites.count};
    call_scan_class(scanner, (uint32_t)item, construction->site_counts);
}

static bool scan(struct construction *construction, const struct call_graph_options *options,
                 struct diagnostics *diagnostics)
{
    const struct program *program = construction->graph->program;
    unsigned workers = options->workers ? options->workers : program->workers;
    size_t methods = construction->graph->scanned_method_count;
    construction->scanners = memory_allocate(workers * sizeof *construction->scanners);
    construction->unknown_of = memory_allocate(program->method_count);
    construction->spans = memory_allocate(construction->class_count * sizeof *construction->spans);
    construction->site_counts = memory_allocate(methods * sizeof *construction->site_counts);
    if (!construction->scanners || !construction->unknown_of || !construction->spans ||
        !construction->site_counts)
        return no_memory(construction);
    memset(construction->site_counts, 0, methods * sizeof *construction->site_counts);
    memset(construction->scanners, 0, workers * sizeof *construction->scanners);
    construction->scanner_count = workers;
    mark_unknown_calls(program, construction->unknown_of);
    for (unsigned i = 0; i < workers; i++) {
        struct call_scanner *scanner = &construction->scanners[i];
        scanner->program = program;
        scanner->unknown_of = construction->unknown_of;
        scanner->diagnostics = diagnostics;
        scanner->scan_platform = options->scan_platform;
        arena_init(&scanner->scratch);
        arena_init(&scanner->kept);
    }
    parallel_for(construction->class_count, workers, scan_item, construction);
    for (unsigned i = 0; i < workers; i++) {
        construction->graph->bad_method_count += construction->scanners[i].bad_method_count;
        if (construction->scanners[i].failed)
            return no_memory(construction);
    }
    return true;
}

/* ---- putting together ---- */

static struct program_ids copy_ids(struct arena *arena, struct program_ids ids)
{
    return (struct program_ids){
        arena_copy(arena, ids.items, ids.count * sizeof *ids.items, alignof(uint32_t)), ids.count};
}

/* Lambdas get their final numbers in the order of the classes and of the code. */
static bool gather_lambdas(struct construction *construction)
{
    struct call_graph *graph = construction->graph;
    for (uint32_t i = 0; i < construction->class_count; i++) {
        const struct program_class *class = &graph->program->classes[i];
        struct call_scanner *scanner = &construction->scanners[construction->spans[i].worker];
        size_t site = construction->spans[i].first_site;
        for (uint32_t j = 0; j < class->method_count; j++)
            for (uint32_t k = construction->site_counts[class->first_method + j]; k > 0; k--) {
                struct call_site *raw = &scanner->sites.items[site++];
                if (!(raw->flags & RAW_LAMBDA))
                    continue;
                struct raw_lambda lambda = scanner->lambdas.items[raw->targets];
                lambda.lambda.markers = copy_ids(&graph->arena, lambda.lambda.markers);
                lambda.lambda.selectors = copy_ids(&graph->arena, lambda.lambda.selectors);
                raw->targets = (uint32_t)construction->lambdas.count;
                if (graph->arena.failed || !vector_push(&construction->lambdas, lambda))
                    return no_memory(construction);
            }
    }
    for (unsigned i = 0; i < construction->scanner_count; i++) {
        vector_release(&construction->scanners[i].lambdas);
        arena_release(&construction->scanners[i].kept);
        arena_release(&construction->scanners[i].scratch);
    }
    return true;
}

static bool finish_lambdas(struct construction *construction)
{
    for (size_t i = 0; i < construction->lambdas.count; i++) {
        struct raw_lambda *lambda = &construction->lambdas.items[i];
        if (lambda->dispatch_class != PROGRAM_NONE &&
            !target_builder_dispatch(&construction->targets, lambda->dispatch_class,
                                     lambda->lambda.implementation, &lambda->set))
            return false;
        if (lambda->dispatch_class != PROGRAM_NONE)
            lambda->lambda.targets = lambda->set.targets;
    }
    return true;
}

/* The set of a raw site. */
static bool finish_site(struct construction *construction, struct call_site *site)
{
    uint16_t flags = site->flags;
    struct target_set set = {.targets = site->targets};
    if (flags & RAW_DISPATCH) {
        if (!target_builder_dispatch(&construction->targets, site->targets, site->method, &set))
            return false;
    } else if (flags & RAW_INITIALIZER) {
        set.targets = construction->graph->initializers[site->targets];
        set.too_large = construction->too_many_initializers[site->targets];
    } else if (flags & RAW_LAMBDA) {
        const struct raw_lambda *lambda = &construction->lambdas.items[site->targets];
        set = lambda->set;
        set.targets = lambda->lambda.targets;
    }
    site->targets = set.targets;
    site->flags = set.open ? CALL_MAY_RUN_PLATFORM : 0;
    if (set.too_large)
        site->unknown = CALL_TOO_MANY;
    return true;
}

static bool finish_sites(struct construction *construction)
{
    struct call_graph *graph = construction->graph;
    size_t total = 0;
    for (unsigned i = 0; i < construction->scanner_count; i++)
        total += construction->scanners[i].sites.count;
    graph->sites = memory_allocate(total * sizeof *graph->sites);
    graph->first_site =
        memory_allocate(((size_t)graph->scanned_method_count + 1) * sizeof *graph->first_site);
    if (!graph->sites || !graph->first_site || total >= UINT32_MAX)
        return no_memory(construction);
    for (uint32_t i = 0; i < construction->class_count; i++) {
        const struct program_class *class = &graph->program->classes[i];
        const struct call_scanner *scanner = &construction->scanners[construction->spans[i].worker];
        size_t next = construction->spans[i].first_site;
        for (uint32_t method = class->first_method;
             method < class->first_method + class->method_count; method++) {
            graph->first_site[method] = graph->site_count;
            for (uint32_t k = construction->site_counts[method]; k > 0; k--) {
                struct call_site site = scanner->sites.items[next++];
                uint32_t lambda = site.flags & RAW_LAMBDA ? site.targets : PROGRAM_NONE;
                if (!finish_site(construction, &site))
                    return false;
                if (site.kind == CALL_INITIALIZER && site.targets == CALL_NO_TARGETS)
                    continue;
                if (lambda != PROGRAM_NONE)
                    construction->lambdas.items[lambda].lambda.site = graph->site_count;
                graph->sites[graph->site_count++] = site;
            }
        }
    }
    graph->first_site[graph->scanned_method_count] = graph->site_count;
    return true;
}

static bool find_initializers(struct construction *construction)
{
    struct call_graph *graph = construction->graph;
    size_t count = graph->program->class_count;
    graph->initializers = memory_allocate(count * sizeof *graph->initializers);
    construction->too_many_initializers = memory_allocate(count);
    if (!graph->initializers || !construction->too_many_initializers)
        return no_memory(construction);
    for (uint32_t i = 0; i < count; i++) {
        struct target_set set = {.targets = CALL_NO_TARGETS};
        if (i < construction->class_count &&
            !target_builder_initializers(&construction->targets, i, &set))
            return false;
        graph->initializers[i] = set.targets;
        construction->too_many_initializers[i] = set.too_large;
    }
    return true;
}

/* The builder's tables become the graph's. */
static bool hand_over(struct construction *construction)
{
    struct call_graph *graph = construction->graph;
    struct target_builder *targets = &construction->targets;
    if (!vector_push(&targets->first, (uint32_t)targets->targets.count))
        return no_memory(construction);
    graph->set_count = (uint32_t)targets->first.count - 1;
    graph->target_count = (uint32_t)targets->targets.count;
    graph->first_target = targets->first.items;
    graph->targets = targets->targets.items;
    memset(&targets->first, 0, sizeof targets->first);
    memset(&targets->targets, 0, sizeof targets->targets);
    graph->lambda_count = (uint32_t)construction->lambdas.count;
    graph->lambdas = ARENA_ARRAY(&graph->arena, struct call_lambda, graph->lambda_count);
    if (!graph->lambdas)
        return no_memory(construction);
    for (uint32_t i = 0; i < graph->lambda_count; i++)
        graph->lambdas[i] = construction->lambdas.items[i].lambda;
    return true;
}

static void warn_of_large_sets(const struct call_graph *graph, struct diagnostics *diagnostics)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->site_count; i++)
        count += graph->sites[i].unknown == CALL_TOO_MANY;
    if (count)
        diagnostics_warning(diagnostics,
                            "%u calls may run too many methods: what they run is not known", count);
}

static void release_construction(struct construction *construction)
{
    for (unsigned i = 0; i < construction->scanner_count; i++) {
        struct call_scanner *scanner = &construction->scanners[i];
        vector_release(&scanner->sites);
        vector_release(&scanner->lambdas);
        vector_release(&scanner->initialized);
        vector_release(&scanner->resolved);
        arena_release(&scanner->scratch);
        arena_release(&scanner->kept);
    }
    memory_release(construction->scanners);
    memory_release(construction->unknown_of);
    memory_release(construction->spans);
    memory_release(construction->site_counts);
    memory_release(construction->too_many_initializers);
    vector_release(&construction->lambdas);
    target_builder_release(&construction->targets);
}

bool call_graph_build(struct call_graph *graph, const struct program *program,
                      const struct call_graph_options *options, struct diagnostics *diagnostics,
                      struct problem *problem)
{
    memset(graph, 0, sizeof *graph);
    graph->program = program;
    arena_init(&graph->arena);
    struct construction construction = {.graph = graph, .problem = problem};
    construction.class_count =
        options->scan_platform ? program->class_count : program->application_count;
    graph->scanned_method_count =
        options->scan_platform ? program->method_count : program->application_method_count;
    bool ok = scan(&construction, options, diagnostics) && gather_lambdas(&construction) &&
              target_builder_init(&construction.targets, program, construction.lambdas.items,
                                  (uint32_t)construction.lambdas.count,
                                  options->most_target_steps ? options->most_target_steps
                                                             : MOST_TARGET_STEPS,
                                  problem) &&
              find_initializers(&construction) && finish_lambdas(&construction) &&
              finish_sites(&construction) && hand_over(&construction) &&
              call_callbacks_build(graph, problem);
    release_construction(&construction);
    if (ok)
        warn_of_large_sets(graph, diagnostics);
    else
        call_graph_release(graph);
    return ok;
}

void call_graph_release(struct call_graph *graph)
{
    memory_release(graph->first_site);
    memory_release(graph->sites);
    memory_release(graph->first_target);
    memory_release(graph->targets);
    memory_release(graph->first_callback);
    memory_release(graph->callbacks);
    memory_release(graph->initializers);
    arena_release(&graph->arena);
    memset(graph, 0, sizeof *graph);
}

/* ---- queries ---- */

struct call_sites call_graph_sites(const struct call_graph *graph, uint32_t method)
{
    if (method >= graph->scanned_method_count)
        return (struct call_sites){NULL, 0};
    uint32_t first = graph->first_site[method];
    return (struct call_sites){graph->sites + first, graph->first_site[method + 1] - first};
}

const struct call_site *call_graph_site_at(const struct call_graph *graph, uint32_t method,
                                           uint32_t instruction, bool lambda)
{
    const struct call_sites sites = call_graph_sites(graph, method);
    uint32_t low = 0, high = sites.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sites.items[middle].instruction < instruction)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < sites.count && sites.items[low].instruction == instruction; low++) {
        const uint8_t kind = sites.items[low].kind;
        if (lambda ? kind == CALL_LAMBDA : kind <= CALL_STATIC)
            return &sites.items[low];
    }
    return NULL;
}

struct program_ids call_graph_targets(const struct call_graph *graph, uint32_t set, uint32_t *one)
{
    if (set == CALL_NO_TARGETS)
        return (struct program_ids){NULL, 0};
    if (set & CALL_ONE_TARGET) {
        *one = set & ~CALL_ONE_TARGET;
        return (struct program_ids){one, 1};
    }
    uint32_t first = graph->first_target[set];
    return (struct program_ids){graph->targets + first, graph->first_target[set + 1] - first};
}

const struct call_lambda *call_graph_lambda(const struct call_graph *graph,
                                            const struct call_site *site)
{
    uint32_t number = (uint32_t)(site - graph->sites), low = 0, high = graph->lambda_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (graph->lambdas[middle].site < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->lambda_count && graph->lambdas[low].site == number ? &graph->lambdas[low]
                                                                           : NULL;
}

struct program_ids call_graph_callbacks(const struct call_graph *graph, uint32_t class_id)
{
    uint32_t first = graph->first_callback[class_id];
    return (struct program_ids){graph->callbacks + first,
                                graph->first_callback[class_id + 1] - first};
}

const char *call_kind_name(enum call_kind kind)
{
    static const char *const names[CALL_KIND_COUNT] = {
        "virtual", "interface", "special", "static", "lambda", "dynamic", "initializer"};
    return kind < CALL_KIND_COUNT ? names[kind] : "?";
}

const char *call_unknown_name(enum call_unknown unknown)
{
    static const char *const names[CALL_UNKNOWN_COUNT] = {
        NULL,
        "unresolved",
        "too many targets",
#define UNKNOWN_CALL_REASON(id, text) text,
#include "program/unknown_calls.def"
#undef UNKNOWN_CALL_REASON
    };
    return unknown < CALL_UNKNOWN_COUNT ? names[unknown] : "?";
}
