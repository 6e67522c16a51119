/*
 * program_stats [--platform HOME] PATH...: loads a program, builds everything that src/program
 * knows of it, and prints how much there is, how long it took and how much memory it needed.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "program/call_graph.h"
#include "program/entry_points.h"
#include "program/field_facts.h"
#include "program/program.h"
#include "program/reachability.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int fail(const struct problem *problem)
{
    fprintf(stderr, "program_stats: %s\n", problem->reason);
    return 2;
}

static double step(const char *name, double since)
{
    double time = now();
    printf("time %-14s %.3f s\n", name, time - since);
    return time;
}

static void print_sites(const struct call_graph *graph)
{
    uint64_t kinds[CALL_KIND_COUNT] = {0}, unknown[CALL_UNKNOWN_COUNT] = {0}, edges = 0;
    for (uint32_t i = 0; i < graph->site_count; i++) {
        uint32_t one;
        kinds[graph->sites[i].kind]++;
        unknown[graph->sites[i].unknown]++;
        edges += call_graph_targets(graph, graph->sites[i].targets, &one).count;
    }
    printf("call sites %u\nedges %llu\ntarget sets %u with %u targets\nlambdas %u\n"
           "methods with bad code %u\n",
           graph->site_count, (unsigned long long)edges, graph->set_count, graph->target_count,
           graph->lambda_count, graph->bad_method_count);
    for (unsigned i = 0; i < CALL_KIND_COUNT; i++)
        printf("  %s %llu\n", call_kind_name(i), (unsigned long long)kinds[i]);
    for (unsigned i = 1; i < CALL_UNKNOWN_COUNT; i++)
        printf("  unknown: %s %llu\n", call_unknown_name(i), (unsigned long long)unknown[i]);
}

static void print_facts(const struct field_facts *facts, const struct entry_points *entries,
                        const struct reachability *reachability)
{
    printf("application fields %u\n", facts->program->application_field_count);
    for (unsigned i = 0; i < FIELD_FACT_COUNT; i++)
        printf("  %s %u\n", field_fact_name(i), facts->counts[i]);
    printf("calls that write fields by name %u\nentry points %u\nmethods reached %u\n",
           facts->field_writes_by_name, entries->count, reachability->reached_count);
    for (unsigned kind = 0; kind < ENTRY_KIND_COUNT; kind++) {
        unsigned found = 0;
        for (uint32_t i = 0; i < entries->count; i++)
            found += entries->items[i].kind == (enum entry_kind)kind;
        printf("  %s: %u entries, %u methods\n", entry_kind_name(kind), found,
               reachability->reached[kind]);
    }
}

int main(int count, char **arguments)
{
    struct program_options options = {0};
    struct diagnostics diagnostics;
    struct problem problem;
    struct program program;
    int first = 1;
    if (count > 2 && strcmp(arguments[1], "--platform") == 0) {
        options.platform = arguments[2];
        first = 3;
    }
    problem_clear(&problem);
    diagnostics_init(&diagnostics, stderr, DIAGNOSTICS_COLOR_NEVER);
    double time = now();
    if (!program_init(&program, &options, &diagnostics, &problem))
        return fail(&problem);
    for (int i = first; i < count; i++)
        if (!program_add_path(&program, arguments[i], &diagnostics, &problem) && problem.set)
            return fail(&problem);
    time = step("load", time);
    if (!program_link(&program, &diagnostics, &problem))
        return fail(&problem);
    time = step("link", time);
    struct call_graph graph;
    struct call_graph_options graph_options = {0};
    if (!call_graph_build(&graph, &program, &graph_options, &diagnostics, &problem))
        return fail(&problem);
    time = step("call graph", time);
    struct field_facts facts;
    struct field_facts_options fact_options = {0};
    if (!field_facts_build(&facts, &graph, &fact_options, &problem))
        return fail(&problem);
    time = step("field facts", time);
    struct entry_points entries;
    if (!entry_points_find(&entries, &graph, &problem))
        return fail(&problem);
    time = step("entry points", time);
    struct reachability reachability;
    if (!reachability_compute(&reachability, &graph, &entries, REACHABILITY_DEFAULT, &problem))
        return fail(&problem);
    step("reachability", time);
    printf("application classes %u\nplatform classes %u\nmissing classes %u\nduplicates %u\n"
           "application methods %u\nmethods %u\n",
           program.application_count,
           program.class_count - program.application_count - program.missing_count,
           program.missing_count, program.duplicate_count, program.application_method_count,
           program.method_count);
    print_sites(&graph);
    print_facts(&facts, &entries, &reachability);
    reachability_release(&reachability);
    entry_points_release(&entries);
    field_facts_release(&facts);
    call_graph_release(&graph);
    program_release(&program);
    diagnostics_release(&diagnostics);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("peak memory %ld MB\n", usage.ru_maxrss / 1024);
    return 0;
}
