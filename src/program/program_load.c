/*
 * Loading: the application's classes, read on several threads, each into its own arena.
 */
#include <string.h>

#include "base/memory.h"
#include "classfile/class_reader.h"
#include "classfile/input.h"
#include "program/program.h"
#include "program/program_internal.h"

struct program_loader *program_loader_new(unsigned workers)
{
    struct program_loader *loader = memory_allocate(sizeof *loader);
    if (!loader)
        return NULL;
    memset(loader, 0, sizeof *loader);
    loader->workers = memory_allocate(workers * sizeof *loader->workers);
    if (!loader->workers) {
        memory_release(loader);
        return NULL;
    }
    memset(loader->workers, 0, workers * sizeof *loader->workers);
    loader->worker_count = workers;
    for (unsigned i = 0; i < workers; i++)
        arena_init(&loader->workers[i].arena);
    return loader;
}

void program_loader_free(struct program_loader *loader)
{
    if (!loader)
        return;
    for (unsigned i = 0; i < loader->worker_count; i++) {
        vector_release(&loader->workers[i].loaded);
        arena_release(&loader->workers[i].arena);
    }
    memory_release(loader->workers);
    memory_release(loader);
}

/* Whether it stands where the JVM looks for a class of that name. */
static bool is_in_place(const struct input_class *input, struct text name)
{
    const struct text suffix = TEXT(".class");
    return input->entry.length == name.length + suffix.length &&
           text_starts_with(input->entry, name) && text_ends_with(input->entry, suffix);
}

/* False with the problem set. A module or package description is no class: it is left out. */
static bool load_class(struct loader_worker *worker, uint32_t position,
                       const struct input_class *input, struct problem *problem)
{
    const void *copy = arena_copy(&worker->arena, input->bytes, input->size, 1);
    struct class_file *class_file =
        copy ? class_read(&worker->arena, copy, input->size, problem) : NULL;
    if (!class_file) {
        if (!problem->set || worker->arena.failed) {
            worker->failed = true;
            program_no_memory(problem);
        }
        return false;
    }
    if (class_file->access & ACCESS_MODULE)
        return true;
    const struct loaded_class loaded = {class_file, text_copy(&worker->arena, input->path),
                                        position, is_in_place(input, class_this_name(class_file))};
    if (worker->arena.failed || !vector_push(&worker->loaded, loaded)) {
        worker->failed = true;
        program_no_memory(problem);
        return false;
    }
    return true;
}

struct walk {
    struct program *program;
    struct diagnostics *diagnostics;
    uint32_t position;
};

static void take_input(void *context, const struct input_class *input)
{
    struct walk *walk = context;
    struct program_loader *loader = walk->program->loader;
    if (input->worker >= loader->worker_count)
        return;
    struct loader_worker *worker = &loader->workers[input->worker];
    if (worker->failed)
        return;
    struct problem problem;
    problem_clear(&problem);
    if (!load_class(worker, walk->position, input, &problem) && !worker->failed)
        diagnostics_problem(walk->diagnostics, DIAGNOSTICS_ERROR, input->path, &problem);
}

bool program_add_path(struct program *program, const char *path, struct diagnostics *diagnostics,
                      struct problem *problem)
{
    struct walk walk = {program, diagnostics, program->loader->position++};
    struct input_options options = {.workers = program->workers, .release = program->release};
    bool usable = input_walk(path, &options, diagnostics, take_input, &walk);
    for (unsigned i = 0; i < program->loader->worker_count; i++)
        if (program->loader->workers[i].failed) {
            program_no_memory(problem);
            return false;
        }
    return usable;
}

bool program_add_class(struct program *program, struct text path, const void *bytes, size_t size,
                       struct problem *problem)
{
    const struct input_class input = {.path = path, .bytes = bytes, .size = size};
    return load_class(&program->loader->workers[0], program->loader->position++, &input, problem);
}
