/*
 * Functions that other threads run because they are passed to a method that starts or uses some.
 *
 * Nothing follows a value from where it is made to where it is passed. So of a method that passes a
 * function the lambdas and objects of that interface count that it makes itself; if it makes none,
 * the function comes from elsewhere, and it may be any of the program's.
 */
#include <string.h>

#include "base/memory.h"
#include "classfile/descriptor.h"
#include "program/entry_points_internal.h"
#include "program/hierarchy.h"
#include "program/program_internal.h"

struct passed_rule {
    enum entry_kind kind;
    const char *class_name, *method, *why;
    bool nearby;
};

static const struct passed_rule rules[] = {
#define ENTRY_PASSED(kind, class_name, method, why) {ENTRY_##kind, class_name, method, why, false},
#define ENTRY_NEARBY(kind, class_name, method, why) {ENTRY_##kind, class_name, method, why, true},
#include "program/entry_points.def"
#undef ENTRY_PASSED
#undef ENTRY_NEARBY
};

enum { RULE_COUNT = sizeof rules / sizeof *rules };

/* Functions of an interface that a rule is about. */
struct functions {
    uint32_t interface; /* PROGRAM_NONE: any */
    const struct passed_rule *rule;
};

typedef VECTOR(struct functions) functions_list;

struct search {
    struct entry_finder *finder;
    uint32_t rule_classes[RULE_COUNT]; /* PROGRAM_NONE: the program does not know it */
    uint8_t *is_function;              /* by class: an interface of functions */
    uint32_t next_lambda;              /* of the method under work; lambdas are sorted */
    functions_list asked;              /* of that method */
    functions_list elsewhere;          /* that some method passes and does not make */
};

static bool is_function_name(struct text name)
{
    return text_starts_with(name, TEXT("java/util/function/")) ||
           text_is(name, "java/util/Comparator");
}

/* What is found for the methods that the interface declares. */
static void add_object(const struct search *search, uint32_t class_id, uint32_t interface,
                       const struct passed_rule *rule)
{
    const struct program *program = search->finder->program;
    const struct program_class *declarer = &program->classes[interface];
    for (uint32_t i = 0; i < declarer->method_count; i++) {
        const struct program_member *method = &program->methods[declarer->first_method + i];
        if (method->access & ACCESS_ABSTRACT)
            entry_finder_add(search->finder,
                             entry_virtual_method(program, class_id, method->selector), class_id,
                             rule->kind, rule->why);
    }
}

/* PROGRAM_NONE stands for any interface of functions. */
static bool is_function_of(const struct search *search, uint32_t class_id, uint32_t interface)
{
    const struct program *program = search->finder->program;
    if (interface != PROGRAM_NONE)
        return hierarchy_is_subtype(program, class_id, interface);
    const struct program_ids above = program->classes[class_id].all_interfaces;
    for (uint32_t i = 0; i < above.count; i++)
        if (search->is_function[above.items[i]])
            return true;
    return search->is_function[class_id];
}

static bool is_made(const struct program *program, uint32_t class_id)
{
    const struct program_class *class = &program->classes[class_id];
    return class->application && program_is_instantiable(class);
}

/* ---- what one method makes ---- */

/* The class of which the site makes an object, or calls another constructor. */
static uint32_t constructed(const struct program *program, const struct call_site *site)
{
    if (site->kind != CALL_SPECIAL || site->method == PROGRAM_NONE ||
        !text_is(program_method_name(program, site->method), "<init>"))
        return PROGRAM_NONE;
    return program->methods[site->method].class_id;
}

/* What an object has for the interfaces of functions above its class; whether there are any. */
static bool add_inherited(const struct search *search, uint32_t class_id, uint32_t interface,
                          const struct passed_rule *rule)
{
    const struct program_ids above = search->finder->program->classes[class_id].all_interfaces;
    bool any = false;
    for (uint32_t i = 0; i < above.count; i++) {
        const uint32_t own = above.items[i];
        if (interface == PROGRAM_NONE ? !search->is_function[own] : own != interface)
            continue;
        add_object(search, class_id, own, rule);
        any = true;
    }
    return any;
}

/* A function object has default methods besides what it implements. */
static void add_lambda(const struct search *search, const struct call_lambda *lambda,
                       uint32_t interface, const struct passed_rule *rule)
{
    entry_finder_add_lambda(search->finder, lambda, rule->kind, rule->why);
    add_inherited(search, lambda->interface, interface, rule);
}

/* Adds the functions of the interface that the method makes; whether there are any. */
static bool add_made(const struct search *search, uint32_t method, uint32_t interface,
                     const struct passed_rule *rule)
{
    const struct program *program = search->finder->program;
    const struct call_graph *graph = search->finder->graph;
    const struct call_sites sites = call_graph_sites(graph, method);
    bool any = false;
    for (uint32_t i = search->next_lambda;
         i < graph->lambda_count && graph->lambdas[i].maker == method; i++) {
        const struct call_lambda *lambda = &graph->lambdas[i];
        if (lambda->interface == PROGRAM_NONE ||
            !is_function_of(search, lambda->interface, interface))
            continue;
        add_lambda(search, lambda, interface, rule);
        any = true;
    }
    for (uint32_t i = 0; i < sites.count; i++) {
        const uint32_t class_id = constructed(program, &sites.items[i]);
        if (class_id != PROGRAM_NONE && is_made(program, class_id))
            any |= add_inherited(search, class_id, interface, rule);
    }
    return any;
}

/* ---- calls ---- */

static void note(struct search *search, functions_list *list, struct functions functions)
{
    if (!vector_push(list, functions))
        search->finder->failed = true;
}

static bool is_among(const functions_list *list, struct functions functions)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].interface == functions.interface &&
            list->items[i].rule == functions.rule)
            return true;
    return false;
}

/* Once for each method, however often that passes such functions. */
static void ask(struct search *search, uint32_t method, struct functions functions)
{
    if (is_among(&search->asked, functions))
        return;
    note(search, &search->asked, functions);
    if (!add_made(search, method, functions.interface, functions.rule) && !functions.rule->nearby &&
        !is_among(&search->elsewhere, functions))
        note(search, &search->elsewhere, functions);
}

/* The class of a parameter that is a function; PROGRAM_NONE for others. */
static uint32_t function_of(const struct search *search, struct text parameter)
{
    if (parameter.bytes[0] != 'L')
        return PROGRAM_NONE;
    const uint32_t class_id =
        program_find_class(search->finder->program, text_slice(parameter, 1, parameter.length - 1));
    return class_id != PROGRAM_NONE && search->is_function[class_id] ? class_id : PROGRAM_NONE;
}

static void apply(struct search *search, uint32_t method, uint32_t called,
                  const struct passed_rule *rule)
{
    struct text parameter;
    size_t position = 1;
    if (rule->nearby) {
        ask(search, method, (struct functions){PROGRAM_NONE, rule});
        return;
    }
    const struct text descriptor = program_method_descriptor(search->finder->program, called);
    while (descriptor_next_parameter(descriptor, &position, &parameter)) {
        const uint32_t interface = function_of(search, parameter);
        if (interface != PROGRAM_NONE)
            ask(search, method, (struct functions){interface, rule});
    }
}

static bool matches(const struct search *search, uint32_t called, size_t number)
{
    const struct program *program = search->finder->program;
    const struct passed_rule *rule = &rules[number];
    if (program->methods[called].class_id != search->rule_classes[number])
        return false;
    if (rule->method[0] == '(')
        return text_starts_with(program_method_descriptor(program, called),
                                text_from(rule->method));
    return !rule->method[0] || text_is(program_method_name(program, called), rule->method);
}

static void look_into(struct search *search, uint32_t method)
{
    const struct call_graph *graph = search->finder->graph;
    const struct call_sites sites = call_graph_sites(graph, method);
    vector_clear(&search->asked);
    while (search->next_lambda < graph->lambda_count &&
           graph->lambdas[search->next_lambda].maker < method)
        search->next_lambda++;
    for (uint32_t i = 0; i < sites.count; i++) {
        const struct call_site *site = &sites.items[i];
        if (site->method == PROGRAM_NONE || site->kind == CALL_LAMBDA ||
            program_is_application_method(search->finder->program, site->method))
            continue;
        for (size_t j = 0; j < RULE_COUNT; j++)
            if (matches(search, site->method, j))
                apply(search, method, site->method, &rules[j]);
    }
}

static void add_elsewhere(const struct search *search, const struct functions *from)
{
    const struct program *program = search->finder->program;
    const struct call_graph *graph = search->finder->graph;
    for (uint32_t i = 0; i < graph->lambda_count; i++)
        if (graph->lambdas[i].interface != PROGRAM_NONE &&
            hierarchy_is_subtype(program, graph->lambdas[i].interface, from->interface))
            add_lambda(search, &graph->lambdas[i], from->interface, from->rule);
    const struct program_ids subtypes = hierarchy_subtypes(program, from->interface);
    for (uint32_t i = 0; i < subtypes.count; i++)
        if (is_made(program, subtypes.items[i]))
            add_object(search, subtypes.items[i], from->interface, from->rule);
}

void entry_passed_find(struct entry_finder *finder)
{
    const struct program *program = finder->program;
    struct search search = {.finder = finder, .is_function = memory_allocate(program->class_count)};
    if (!search.is_function) {
        finder->failed = true;
        return;
    }
    for (size_t i = 0; i < RULE_COUNT; i++)
        search.rule_classes[i] = program_find_class(program, text_from(rules[i].class_name));
    for (uint32_t i = 0; i < program->class_count; i++)
        search.is_function[i] = is_function_name(program->classes[i].name);
    for (uint32_t i = 0; i < program->application_method_count; i++)
        look_into(&search, i);
    for (size_t i = 0; i < search.elsewhere.count; i++)
        add_elsewhere(&search, &search.elsewhere.items[i]);
    memory_release(search.is_function);
    vector_release(&search.asked);
    vector_release(&search.elsewhere);
}
