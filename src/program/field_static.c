/*
 * Which calls may run code that reads static fields.
 *
 * While a class is being initialized, other threads wait; only code that the initializer itself
 * runs can see a static field before it is assigned. A method counts as a reader if it reads a
 * candidate field, calls something unknown, or calls another reader. The platform's code reads no
 * field of the application itself, but may call it back through objects that it is given: so only
 * calls that give it nothing but numbers, strings and class objects are taken as harmless, and
 * constructors of the platform are on objects of whose class the application overrides no method
 * that they call.
 */
#include <string.h>

#include "base/memory.h"
#include "classfile/descriptor.h"
#include "program/field_facts_internal.h"
#include "program/program_internal.h"

static bool is_simple_type(struct text type)
{
    while (type.length && type.bytes[0] == '[')
        type = text_slice(type, 1, type.length);
    return (type.length == 1) || text_is(type, "Ljava/lang/String;") ||
           text_is(type, "Ljava/lang/Class;") || text_is(type, "Ljava/lang/Integer;") ||
           text_is(type, "Ljava/lang/Long;") || text_is(type, "Ljava/lang/Boolean;") ||
           text_is(type, "Ljava/util/concurrent/TimeUnit;");
}

static bool platform_calls_back(const struct program *program, uint32_t method)
{
    const struct program_member *member = &program->methods[method];
    bool is_bound = member->access & ACCESS_STATIC ||
                    program->classes[member->class_id].access & ACCESS_FINAL ||
                    text_is(program_method_name(program, method), "<init>");
    if (!is_bound || member->access & ACCESS_ABSTRACT)
        return true;
    struct text descriptor = program_method_descriptor(program, method), parameter;
    size_t position = 1;
    while (descriptor_next_parameter(descriptor, &position, &parameter))
        if (!is_simple_type(parameter))
            return true;
    return false;
}

/* What is known of a method alone, before its calls are considered. */
static void mark_direct_readers(struct static_readers *readers, const struct field_uses *uses,
                                const uint8_t *is_candidate)
{
    const struct program *program = readers->graph->program;
    for (uint32_t i = 0; i < program->method_count; i++) {
        if (i < program->application_method_count)
            readers->method_reads[i] = (program->methods[i].access & ACCESS_NATIVE) != 0;
        else
            readers->method_reads[i] = platform_calls_back(program, i);
    }
    for (size_t i = 0; i < uses->reads.count; i++)
        if (is_candidate[uses->reads.items[i].field])
            readers->method_reads[uses->reads.items[i].method] = 1;
}

static bool set_reads(const struct static_readers *readers, const uint8_t *of_set, uint32_t set)
{
    if (set & CALL_ONE_TARGET)
        return readers->method_reads[set & ~CALL_ONE_TARGET];
    return of_set[set];
}

/* A call that has no target, as far as we know, has one that we do not know; and a platform class
   that is not loaded may call back as others do. */
static bool is_open(const struct call_site *site)
{
    return site->unknown != CALL_KNOWN || site->targets == CALL_NO_TARGETS ||
           call_graph_may_run_platform(site);
}

/* Making a function object runs nothing. */
static bool site_reads(const struct static_readers *readers, const uint8_t *of_set,
                       const struct call_site *site)
{
    if (site->kind == CALL_LAMBDA)
        return false;
    return is_open(site) || set_reads(readers, of_set, site->targets);
}

/* Whether a constructor of the platform's superclass may call a reader on the new object. */
static bool construction_reads(const struct static_readers *readers, uint32_t method)
{
    const struct program *program = readers->graph->program;
    const uint32_t class_id = program->methods[method].class_id;
    const uint32_t calls = readers->construction_calls[class_id];
    if (calls == CONSTRUCTION_CALLS_NOTHING ||
        !text_is(program_method_name(program, method), "<init>"))
        return false;
    const struct program_ids callbacks = call_graph_callbacks(readers->graph, class_id);
    for (uint32_t i = 0; i < callbacks.count; i++)
        if (readers->method_reads[callbacks.items[i]] &&
            (calls == CONSTRUCTION_CALLS_ANY ||
             calls == program->methods[callbacks.items[i]].selector))
            return true;
    return false;
}

static bool calls_reader(const struct static_readers *readers, const uint8_t *of_set,
                         uint32_t method)
{
    const struct call_sites sites = call_graph_sites(readers->graph, method);
    for (uint32_t i = 0; i < sites.count; i++)
        if (site_reads(readers, of_set, &sites.items[i]))
            return true;
    return construction_reads(readers, method);
}

/* One round over all sets and methods; true if something new was found. */
static bool spread(struct static_readers *readers, uint8_t *of_set)
{
    const struct call_graph *graph = readers->graph;
    bool changed = false;
    for (uint32_t set = 0; set < graph->set_count; set++) {
        for (uint32_t i = graph->first_target[set];
             !of_set[set] && i < graph->first_target[set + 1]; i++)
            of_set[set] = readers->method_reads[graph->targets[i]];
    }
    for (uint32_t method = 0; method < graph->program->application_method_count; method++) {
        if (!readers->method_reads[method] && calls_reader(readers, of_set, method)) {
            readers->method_reads[method] = 1;
            changed = true;
        }
    }
    return changed;
}

bool static_readers_build(struct static_readers *readers, const struct call_graph *graph,
                          const struct static_reader_input *input, struct problem *problem)
{
    const struct program *program = graph->program;
    uint8_t *of_set = memory_allocate(graph->set_count);
    *readers = (struct static_readers){.graph = graph,
                                       .construction_calls = input->construction_calls,
                                       .method_reads = memory_allocate(program->method_count),
                                       .initializer_reads = memory_allocate(program->class_count)};
    bool ok = of_set && readers->method_reads && readers->initializer_reads;
    if (ok) {
        memset(of_set, 0, graph->set_count);
        mark_direct_readers(readers, input->uses, input->is_candidate);
        while (spread(readers, of_set)) {
        }
        for (uint32_t i = 0; i < program->class_count; i++)
            readers->initializer_reads[i] = graph->initializers[i] != CALL_NO_TARGETS &&
                                            set_reads(readers, of_set, graph->initializers[i]);
    } else {
        program_no_memory(problem);
    }
    memory_release(of_set);
    return ok;
}

void static_readers_release(struct static_readers *readers)
{
    memory_release(readers->method_reads);
    memory_release(readers->initializer_reads);
}

bool static_readers_site(const struct static_readers *readers, const struct call_site *site)
{
    if (site->kind == CALL_LAMBDA)
        return false;
    if (is_open(site))
        return true;
    uint32_t one;
    struct program_ids targets = call_graph_targets(readers->graph, site->targets, &one);
    for (uint32_t i = 0; i < targets.count; i++)
        if (readers->method_reads[targets.items[i]])
            return true;
    return false;
}
