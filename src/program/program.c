#include "program/program.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "classfile/input.h"
#include "program/program_internal.h"

static void open_platform(struct program *program, const struct program_options *options,
                          struct diagnostics *diagnostics)
{
    if (options->platform)
        program->platform_home = text_copy(&program->arena, text_from(options->platform));
    else
        program->platform_home = input_find_jdk(&program->arena);
    program->release = options->release;
    if (program->platform_home.length == 0)
        return;
    struct input_options input = {.release = input_jdk_release(program->platform_home)};
    if (!program->release)
        program->release = input.release;
    program->platform = input_root_open(program->platform_home.bytes, &input, diagnostics);
}

bool program_init(struct program *program, const struct program_options *options,
                  struct diagnostics *diagnostics, struct problem *problem)
{
    memset(program, 0, sizeof *program);
    arena_init(&program->arena);
    textmap_init(&program->class_ids);
    textmap_init(&program->symbol_ids);
    intmap_init(&program->selector_ids);
    intmap_init(&program->method_ids);
    intmap_init(&program->field_ids);
    program->object = PROGRAM_NONE;
    program->workers = options->workers ? options->workers : parallel_workers();
    program->loader = program_loader_new(program->workers);
    if (!program->loader) {
        program_no_memory(problem);
        return false;
    }
    open_platform(program, options, diagnostics);
    if (program->arena.failed) {
        program_no_memory(problem);
        program_release(program);
        return false;
    }
    return true;
}

void program_release(struct program *program)
{
    memory_release(program->classes);
    memory_release(program->methods);
    memory_release(program->fields);
    memory_release(program->selectors);
    memory_release(program->symbols);
    memory_release(program->tree);
    memory_release(program->sub_first);
    memory_release(program->sub_items);
    textmap_release(&program->class_ids);
    textmap_release(&program->symbol_ids);
    intmap_release(&program->selector_ids);
    intmap_release(&program->method_ids);
    intmap_release(&program->field_ids);
    program_loader_free(program->loader);
    if (program->platform)
        input_root_close(program->platform);
    arena_release(&program->arena);
    memset(program, 0, sizeof *program);
}

uint32_t program_find_class(const struct program *program, struct text name)
{
    if (name.length && name.bytes[0] == '[')
        return program->object;
    uint32_t id;
    return textmap_get(&program->class_ids, name, &id) ? id : PROGRAM_NONE;
}

uint32_t program_find_selector(const struct program *program, struct text name,
                               struct text descriptor)
{
    uint32_t name_id, descriptor_id;
    uint64_t id;
    if (!textmap_get(&program->symbol_ids, name, &name_id) ||
        !textmap_get(&program->symbol_ids, descriptor, &descriptor_id) ||
        !intmap_get(&program->selector_ids, (uint64_t)name_id << 32 | descriptor_id, &id))
        return PROGRAM_NONE;
    return (uint32_t)id;
}

static uint32_t declared(const struct intmap *ids, uint32_t class_id, uint32_t selector)
{
    uint64_t id;
    if (class_id == PROGRAM_NONE || selector == PROGRAM_NONE ||
        !intmap_get(ids, (uint64_t)class_id << 32 | selector, &id))
        return PROGRAM_NONE;
    return (uint32_t)id;
}

uint32_t program_declared_method(const struct program *program, uint32_t class_id,
                                 uint32_t selector)
{
    return declared(&program->method_ids, class_id, selector);
}

uint32_t program_declared_field(const struct program *program, uint32_t class_id, uint32_t selector)
{
    return declared(&program->field_ids, class_id, selector);
}

uint32_t program_find_method(const struct program *program, const char *class_name,
                             const char *name, const char *descriptor)
{
    return program_declared_method(
        program, program_find_class(program, text_from(class_name)),
        program_find_selector(program, text_from(name), text_from(descriptor)));
}

uint32_t program_find_field(const struct program *program, const char *class_name, const char *name,
                            const char *descriptor)
{
    return program_declared_field(
        program, program_find_class(program, text_from(class_name)),
        program_find_selector(program, text_from(name), text_from(descriptor)));
}

const struct member *program_method_member(const struct program *program, uint32_t method)
{
    if (method >= program->method_count)
        return NULL;
    const struct program_member *member = &program->methods[method];
    return &program->classes[member->class_id].class_file->methods[member->index];
}

const struct member *program_field_member(const struct program *program, uint32_t field)
{
    if (field >= program->field_count)
        return NULL;
    const struct program_member *member = &program->fields[field];
    return &program->classes[member->class_id].class_file->fields[member->index];
}

bool program_same_package(const struct program *program, uint32_t class_a, uint32_t class_b)
{
    const struct program_class *a = &program->classes[class_a];
    const struct program_class *b = &program->classes[class_b];
    return a->package_length == b->package_length &&
           memcmp(a->name.bytes, b->name.bytes, a->package_length) == 0;
}
