/*
 * What code that is not scanned may call on instances of application classes.
 *
 * The platform knows only its own types, so on an object of an application class it can call only
 * what overrides a method of one of the platform's types. Of a class with missing supertypes
 * anything visible may be called.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/call_graph_internal.h"
#include "program/program_internal.h"

struct callback_finder {
    const struct program *program;
    uint8_t *application_selector; /* by selector: some application method has it */
    uint8_t *is_function;          /* by class: an interface of function objects */
    uint32_t *platform_above;      /* by class: its nearest superclass of the platform's */
    VECTOR(uint32_t) callbacks;
    size_t class_first; /* in callbacks: of the class under work */
    bool failed;
};

static void find_application_selectors(struct callback_finder *finder)
{
    const struct program *program = finder->program;
    for (uint32_t i = 0; i < program->application_method_count; i++)
        finder->application_selector[program->methods[i].selector] = 1;
}

static void find_functions(struct callback_finder *finder, const struct call_graph *graph)
{
    for (uint32_t i = 0; i < graph->lambda_count; i++) {
        const struct call_lambda *lambda = &graph->lambdas[i];
        if (lambda->interface == PROGRAM_NONE)
            continue;
        finder->is_function[lambda->interface] = 1;
        for (uint32_t j = 0; j < lambda->markers.count; j++)
            finder->is_function[lambda->markers.items[j]] = 1;
    }
}

/* Hierarchies from outside may be thousands of classes deep: each class asks the one above. */
static void find_platform_above(struct callback_finder *finder)
{
    const struct program *program = finder->program;
    for (uint32_t place = 0; place < program->class_count; place++) {
        uint32_t id = program->tree[place], above = program->classes[id].superclass;
        if (above != PROGRAM_NONE && program->classes[above].application)
            above = finder->platform_above[above];
        finder->platform_above[id] = above;
    }
}

static void add_callback(struct callback_finder *finder, uint32_t method)
{
    if (method == PROGRAM_NONE || !program_is_application_method(finder->program, method) ||
        finder->program->methods[method].access & ACCESS_ABSTRACT)
        return;
    if (!vector_push(&finder->callbacks, method))
        finder->failed = true;
}

static bool is_constructor(const struct program *program, uint32_t method)
{
    return program_method_name(program, method).bytes[0] == '<';
}

/* What the application has for the methods of one of the platform's types, above the class. */
static void check_platform_type(struct callback_finder *finder, uint32_t class_id, uint32_t type)
{
    const struct program *program = finder->program;
    const struct program_class *declarer = &program->classes[type];
    for (uint32_t i = 0; i < declarer->method_count; i++) {
        uint32_t method = declarer->first_method + i;
        const struct program_member *member = &program->methods[method];
        if (finder->application_selector[member->selector] &&
            !(member->access & (ACCESS_PRIVATE | ACCESS_STATIC | ACCESS_FINAL)) &&
            !is_constructor(program, method))
            add_callback(finder, resolve_select(program, class_id, method));
    }
}

/* What may override a method of a supertype that is missing. */
static void check_visible_methods(struct callback_finder *finder, uint32_t class_id, uint32_t type)
{
    const struct program *program = finder->program;
    const struct program_class *declarer = &program->classes[type];
    for (uint32_t i = 0; declarer->application && i < declarer->method_count; i++) {
        uint32_t method = declarer->first_method + i;
        if (!(program->methods[method].access &
              (ACCESS_PRIVATE | ACCESS_STATIC | ACCESS_ABSTRACT)) &&
            !is_constructor(program, method))
            add_callback(finder, resolve_select(program, class_id, method));
    }
}

static void check_supertypes(struct callback_finder *finder, uint32_t class_id)
{
    const struct program *program = finder->program;
    const struct program_class *class = &program->classes[class_id];
    for (uint32_t id = finder->platform_above[class_id]; id != PROGRAM_NONE;
         id = finder->platform_above[id])
        check_platform_type(finder, class_id, id);
    for (uint32_t i = 0; i < class->all_interfaces.count; i++)
        if (!program->classes[class->all_interfaces.items[i]].application)
            check_platform_type(finder, class_id, class->all_interfaces.items[i]);
    if (!class->incomplete)
        return;
    for (uint32_t id = class_id; id != PROGRAM_NONE; id = program->classes[id].superclass)
        check_visible_methods(finder, class_id, id);
    for (uint32_t i = 0; i < class->all_interfaces.count; i++)
        check_visible_methods(finder, class_id, class->all_interfaces.items[i]);
}

static int compare_ids(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static void find_callbacks(struct callback_finder *finder, uint32_t class_id)
{
    const struct program_class *class = &finder->program->classes[class_id];
    finder->class_first = finder->callbacks.count;
    if (!class->application || !(program_is_instantiable(class) || finder->is_function[class_id]))
        return;
    check_supertypes(finder, class_id);
    size_t count = finder->callbacks.count - finder->class_first;
    if (count < 2)
        return;
    uint32_t *items = finder->callbacks.items + finder->class_first;
    qsort(items, count, sizeof *items, compare_ids);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!kept || items[kept - 1] != items[i])
            items[kept++] = items[i];
    finder->callbacks.count = finder->class_first + kept;
}

static bool prepare(struct callback_finder *finder, const struct call_graph *graph)
{
    const struct program *program = finder->program;
    size_t classes = program->class_count;
    finder->application_selector = memory_allocate(program->selector_count);
    finder->is_function = memory_allocate(classes);
    finder->platform_above = memory_allocate(classes * sizeof *finder->platform_above);
    if (!finder->application_selector || !finder->is_function || !finder->platform_above)
        return false;
    memset(finder->application_selector, 0, program->selector_count);
    memset(finder->is_function, 0, classes);
    find_application_selectors(finder);
    find_functions(finder, graph);
    find_platform_above(finder);
    return true;
}

bool call_callbacks_build(struct call_graph *graph, struct problem *problem)
{
    const struct program *program = graph->program;
    struct callback_finder finder = {.program = program};
    size_t classes = program->class_count;
    graph->first_callback = memory_allocate((classes + 1) * sizeof *graph->first_callback);
    bool ok = prepare(&finder, graph) && graph->first_callback;
    for (uint32_t i = 0; ok && i < classes; i++) {
        graph->first_callback[i] = (uint32_t)finder.callbacks.count;
        find_callbacks(&finder, i);
        ok = !finder.failed && finder.callbacks.count < UINT32_MAX;
    }
    if (ok)
        graph->first_callback[classes] = (uint32_t)finder.callbacks.count;
    memory_release(finder.application_selector);
    memory_release(finder.is_function);
    memory_release(finder.platform_above);
    graph->callbacks = finder.callbacks.items;
    if (!ok)
        program_no_memory(problem);
    return ok;
}
