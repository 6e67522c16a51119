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
    uint8_t *platform_selector; /* by selector: some platform method can be overridden by it */
    VECTOR(uint32_t) callbacks;
    size_t class_first; /* in callbacks: of the class under work */
    bool failed;
};

static void find_platform_selectors(struct callback_finder *finder)
{
    const struct program *program = finder->program;
    for (uint32_t i = program->application_method_count; i < program->method_count; i++)
        if (!(program->methods[i].access & (ACCESS_PRIVATE | ACCESS_STATIC | ACCESS_FINAL)))
            finder->platform_selector[program->methods[i].selector] = 1;
}

static void add_callback(struct callback_finder *finder, uint32_t method)
{
    if (method == PROGRAM_NONE || !program_is_application_method(finder->program, method) ||
        finder->program->methods[method].access & ACCESS_ABSTRACT)
        return;
    if (!vector_push(&finder->callbacks, method))
        finder->failed = true;
}

/* A method of the platform that has this selector, in this supertype of the class. */
static void check_platform_type(struct callback_finder *finder, uint32_t class_id, uint32_t type,
                                uint32_t selector)
{
    const struct program *program = finder->program;
    if (program->classes[type].application)
        return;
    uint32_t method = program_declared_method(program, type, selector);
    if (method != PROGRAM_NONE &&
        !(program->methods[method].access & (ACCESS_PRIVATE | ACCESS_STATIC | ACCESS_FINAL)))
        add_callback(finder, resolve_select(program, class_id, method));
}

static void check_method(struct callback_finder *finder, uint32_t class_id, uint32_t method)
{
    const struct program *program = finder->program;
    const struct program_class *class = &program->classes[class_id];
    const struct program_member *member = &program->methods[method];
    if (member->access & (ACCESS_PRIVATE | ACCESS_STATIC | ACCESS_ABSTRACT) ||
        program_method_name(program, method).bytes[0] == '<')
        return;
    if (class->incomplete)
        add_callback(finder, resolve_select(program, class_id, method));
    if (!finder->platform_selector[member->selector])
        return;
    for (uint32_t id = class->superclass; id != PROGRAM_NONE; id = program->classes[id].superclass)
        check_platform_type(finder, class_id, id, member->selector);
    for (uint32_t i = 0; i < class->all_interfaces.count; i++)
        check_platform_type(finder, class_id, class->all_interfaces.items[i], member->selector);
}

static void check_methods_of(struct callback_finder *finder, uint32_t class_id, uint32_t type)
{
    const struct program_class *declarer = &finder->program->classes[type];
    if (!declarer->application)
        return;
    for (uint32_t i = 0; i < declarer->method_count; i++)
        check_method(finder, class_id, declarer->first_method + i);
}

static int compare_ids(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static void find_callbacks(struct callback_finder *finder, uint32_t class_id)
{
    const struct program *program = finder->program;
    const struct program_class *class = &program->classes[class_id];
    finder->class_first = finder->callbacks.count;
    if (!class->application || !program_is_instantiable(class))
        return;
    for (uint32_t id = class_id; id != PROGRAM_NONE; id = program->classes[id].superclass)
        check_methods_of(finder, class_id, id);
    for (uint32_t i = 0; i < class->all_interfaces.count; i++)
        check_methods_of(finder, class_id, class->all_interfaces.items[i]);
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

bool call_callbacks_build(struct call_graph *graph, struct problem *problem)
{
    const struct program *program = graph->program;
    struct callback_finder finder = {.program = program};
    size_t classes = program->class_count;
    finder.platform_selector = memory_allocate(program->selector_count);
    graph->first_callback = memory_allocate((classes + 1) * sizeof *graph->first_callback);
    bool ok = finder.platform_selector && graph->first_callback;
    if (ok) {
        memset(finder.platform_selector, 0, program->selector_count);
        find_platform_selectors(&finder);
        for (uint32_t i = 0; i < classes && !finder.failed; i++) {
            graph->first_callback[i] = (uint32_t)finder.callbacks.count;
            find_callbacks(&finder, i);
        }
        graph->first_callback[classes] = (uint32_t)finder.callbacks.count;
        ok = !finder.failed && finder.callbacks.count < UINT32_MAX;
    }
    memory_release(finder.platform_selector);
    graph->callbacks = finder.callbacks.items;
    if (!ok)
        program_no_memory(problem);
    return ok;
}
