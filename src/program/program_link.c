/*
 * Linking: numbers for classes, names and members, and the platform's classes that are needed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "classfile/class_reader.h"
#include "classfile/input.h"
#include "program/hierarchy.h"
#include "program/program.h"
#include "program/program_internal.h"

/* Numbers stay below this, so that two of them and a flag fit into 64 bits. */
#define MOST_NUMBERS ((size_t)1 << 30)

struct linker {
    struct program *program;
    struct diagnostics *diagnostics;
    struct problem *problem;
    VECTOR(struct program_class) classes;
    VECTOR(struct program_member) methods;
    VECTOR(struct program_member) fields;
    VECTOR(struct program_selector) selectors;
    VECTOR(struct text) symbols;
};

static bool no_memory(struct linker *linker)
{
    program_no_memory(linker->problem);
    return false;
}

/* ---- classes ---- */

/* The number of a new class of that name, or PROGRAM_NONE without memory. */
static uint32_t add_class(struct linker *linker, struct text name,
                          const struct class_file *class_file)
{
    ptrdiff_t slash = text_find_last(name, '/');
    struct program_class class = {
        .name = name,
        .class_file = class_file,
        .missing = !class_file,
        .access = class_file ? class_file->access : ACCESS_PUBLIC,
        .package_length = (uint16_t)(slash < 0 ? 0 : slash),
        .superclass = PROGRAM_NONE,
    };
    uint32_t id = (uint32_t)linker->classes.count;
    if (id >= MOST_NUMBERS || !vector_push(&linker->classes, class) ||
        !textmap_put(&linker->program->class_ids, name, id)) {
        no_memory(linker);
        return PROGRAM_NONE;
    }
    linker->program->missing_count += !class_file;
    return id;
}

static int compare_loaded(const void *left, const void *right)
{
    const struct loaded_class *a = left, *b = right;
    int order = text_compare(class_this_name(a->class_file), class_this_name(b->class_file));
    if (order)
        return order;
    if (a->position != b->position)
        return a->position < b->position ? -1 : 1;
    if (a->in_place != b->in_place)
        return a->in_place ? -1 : 1;
    return text_compare(a->path, b->path);
}

static bool add_application(struct linker *linker)
{
    VECTOR(struct loaded_class) all = VECTOR_EMPTY;
    struct program_loader *loader = linker->program->loader;
    for (unsigned i = 0; i < loader->worker_count; i++) {
        struct loader_worker *worker = &loader->workers[i];
        for (size_t j = 0; j < worker->loaded.count; j++)
            if (!vector_push(&all, worker->loaded.items[j])) {
                vector_release(&all);
                return no_memory(linker);
            }
        vector_release(&worker->loaded);
    }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare_loaded);
    bool ok = true;
    for (size_t i = 0; ok && i < all.count; i++) {
        const struct loaded_class *loaded = &all.items[i];
        struct text name = class_this_name(loaded->class_file);
        if (textmap_get(&linker->program->class_ids, name, NULL)) {
            linker->program->duplicate_count++;
            diagnostics_note(linker->diagnostics,
                             "%.*s: not used: class %.*s comes earlier on the class path",
                             TEXT_ARGUMENTS(loaded->path), TEXT_ARGUMENTS(name));
            continue;
        }
        uint32_t id = add_class(linker, name, loaded->class_file);
        ok = id != PROGRAM_NONE;
        if (ok) {
            linker->classes.items[id].path = loaded->path;
            linker->classes.items[id].application = true;
        }
    }
    vector_release(&all);
    linker->program->application_count = (uint32_t)linker->classes.count;
    return ok;
}

/* The platform's class of that name, or NULL if it has none that can be read. */
static const struct class_file *read_platform_class(struct linker *linker, struct text name)
{
    struct program *program = linker->program;
    if (!program->platform)
        return NULL;
    struct problem problem;
    problem_clear(&problem);
    const uint8_t *bytes;
    size_t size;
    enum input_found found =
        input_root_find(program->platform, name, &program->arena, &bytes, &size, &problem);
    const struct class_file *class_file = NULL;
    if (found == INPUT_FOUND)
        class_file = class_read(&program->arena, bytes, size, &problem);
    if (problem.set && !program->arena.failed)
        diagnostics_problem(linker->diagnostics, DIAGNOSTICS_WARNING, name, &problem);
    if (class_file && !text_equal(class_this_name(class_file), name))
        return NULL;
    return class_file;
}

/* The element type's name of an array class, or the name itself; empty for arrays of primitives. */
static struct text element_name(struct text name)
{
    if (!name.length || name.bytes[0] != '[')
        return name;
    size_t start = 0;
    while (start < name.length && name.bytes[start] == '[')
        start++;
    if (start >= name.length || name.bytes[start] != 'L')
        return text_of("", 0);
    return text_slice(name, start + 1, name.length - 1);
}

/* The number of the class, found, read from the platform, or noted as missing. */
static uint32_t require_class(struct linker *linker, struct text name)
{
    uint32_t id;
    if (textmap_get(&linker->program->class_ids, name, &id))
        return id;
    const struct class_file *class_file = read_platform_class(linker, name);
    if (linker->program->arena.failed) {
        no_memory(linker);
        return PROGRAM_NONE;
    }
    return add_class(linker, name, class_file);
}

static bool link_supertypes(struct linker *linker, uint32_t id, const struct class_file *class_file)
{
    if (class_file->super_class) {
        uint32_t superclass =
            require_class(linker, class_name_at(class_file, class_file->super_class));
        if (superclass == PROGRAM_NONE)
            return false;
        linker->classes.items[id].superclass = superclass;
    }
    uint32_t *interfaces =
        ARENA_ARRAY(&linker->program->arena, uint32_t, class_file->interface_count);
    if (!interfaces)
        return no_memory(linker);
    for (uint16_t i = 0; i < class_file->interface_count; i++) {
        interfaces[i] = require_class(linker, class_name_at(class_file, class_file->interfaces[i]));
        if (interfaces[i] == PROGRAM_NONE)
            return false;
    }
    linker->classes.items[id].interfaces =
        (struct program_ids){interfaces, class_file->interface_count};
    return true;
}

/* Every class that a descriptor names. */
static bool require_descriptor(struct linker *linker, struct text descriptor)
{
    for (size_t i = 0; i < descriptor.length; i++) {
        if (descriptor.bytes[i] != 'L')
            continue;
        size_t end = i + 1;
        while (end < descriptor.length && descriptor.bytes[end] != ';')
            end++;
        if (require_class(linker, text_slice(descriptor, i + 1, end)) == PROGRAM_NONE)
            return false;
        i = end;
    }
    return true;
}

/*
 * What the application's code names: owners of members, classes that are made and cast to. Files
 * from before stack maps need more: their frames are joined by the hierarchy, also where a class
 * is named only in a descriptor.
 */
static bool require_named_classes(struct linker *linker, const struct class_file *class_file)
{
    for (uint16_t i = 1; i < class_file->constant_count; i++) {
        const struct constant *constant = &class_file->constants[i];
        if (constant->tag == CONSTANT_CLASS) {
            struct text name = element_name(class_name_at(class_file, i));
            if (name.length && require_class(linker, name) == PROGRAM_NONE)
                return false;
        } else if (constant->tag == CONSTANT_INVOKE_DYNAMIC ||
                   (constant->tag == CONSTANT_NAME_AND_TYPE && class_file->major <= 50)) {
            uint16_t pair = constant->tag == CONSTANT_NAME_AND_TYPE ? i : constant->second;
            if (!require_descriptor(linker,
                                    class_utf8(class_file, class_file->constants[pair].second)))
                return false;
        }
    }
    return true;
}

static bool link_classes(struct linker *linker)
{
    linker->program->object = require_class(linker, TEXT("java/lang/Object"));
    if (linker->program->object == PROGRAM_NONE)
        return false;
    /* The list grows while it is walked: what is added is linked in its turn. */
    for (uint32_t id = 0; id < linker->classes.count; id++) {
        const struct class_file *class_file = linker->classes.items[id].class_file;
        if (!class_file)
            continue;
        if (!link_supertypes(linker, id, class_file))
            return false;
        if (linker->classes.items[id].application && !require_named_classes(linker, class_file))
            return false;
    }
    return true;
}

/* ---- names and members ---- */

static uint32_t intern_symbol(struct linker *linker, struct text text)
{
    bool added;
    uint32_t *id = textmap_find_or_add(&linker->program->symbol_ids, text,
                                       (uint32_t)linker->symbols.count, &added);
    if (!id || (added && !vector_push(&linker->symbols, text)))
        return PROGRAM_NONE;
    return *id;
}

static uint32_t intern_selector(struct linker *linker, struct text name, struct text descriptor)
{
    struct program_selector selector = {intern_symbol(linker, name),
                                        intern_symbol(linker, descriptor)};
    if (selector.name == PROGRAM_NONE || selector.descriptor == PROGRAM_NONE)
        return PROGRAM_NONE;
    bool added;
    uint64_t *id = intmap_find_or_add(&linker->program->selector_ids,
                                      (uint64_t)selector.name << 32 | selector.descriptor,
                                      linker->selectors.count, &added);
    if (!id || (added && !vector_push(&linker->selectors, selector)))
        return PROGRAM_NONE;
    return (uint32_t)*id;
}

/* The first of two equal members counts; the JVM would refuse such a class. */
static bool number_member(struct linker *linker, struct intmap *ids, uint32_t class_id,
                          const struct class_file *class_file, const struct member *member,
                          uint32_t id, uint32_t *selector)
{
    bool added;
    *selector = intern_selector(linker, class_utf8(class_file, member->name),
                                class_utf8(class_file, member->descriptor));
    return *selector != PROGRAM_NONE && id < MOST_NUMBERS &&
           intmap_find_or_add(ids, (uint64_t)class_id << 32 | *selector, id, &added);
}

static bool number_members(struct linker *linker, uint32_t class_id)
{
    struct program_class *class = &linker->classes.items[class_id];
    const struct class_file *class_file = class->class_file;
    class->first_method = (uint32_t)linker->methods.count;
    class->first_field = (uint32_t)linker->fields.count;
    if (!class_file)
        return true;
    class->method_count = class_file->method_count;
    class->field_count = class_file->field_count;
    struct program_member number = {.class_id = class_id};
    for (uint16_t i = 0; i < class_file->method_count; i++) {
        number.index = i;
        number.access = class_method_access(class_file, &class_file->methods[i]);
        if (!number_member(linker, &linker->program->method_ids, class_id, class_file,
                           &class_file->methods[i], (uint32_t)linker->methods.count,
                           &number.selector) ||
            !vector_push(&linker->methods, number))
            return no_memory(linker);
    }
    for (uint16_t i = 0; i < class_file->field_count; i++) {
        number.index = i;
        number.access = class_file->fields[i].access;
        if (!number_member(linker, &linker->program->field_ids, class_id, class_file,
                           &class_file->fields[i], (uint32_t)linker->fields.count,
                           &number.selector) ||
            !vector_push(&linker->fields, number))
            return no_memory(linker);
    }
    return true;
}

static bool number_all_members(struct linker *linker)
{
    struct program *program = linker->program;
    for (uint32_t id = 0; id < linker->classes.count; id++) {
        if (id == program->application_count) {
            program->application_method_count = (uint32_t)linker->methods.count;
            program->application_field_count = (uint32_t)linker->fields.count;
        }
        if (!number_members(linker, id))
            return false;
    }
    if (linker->classes.count == program->application_count) {
        program->application_method_count = (uint32_t)linker->methods.count;
        program->application_field_count = (uint32_t)linker->fields.count;
    }
    return true;
}

static void hand_over(struct linker *linker)
{
    struct program *program = linker->program;
    program->classes = linker->classes.items;
    program->class_count = (uint32_t)linker->classes.count;
    program->methods = linker->methods.items;
    program->method_count = (uint32_t)linker->methods.count;
    program->fields = linker->fields.items;
    program->field_count = (uint32_t)linker->fields.count;
    program->selectors = linker->selectors.items;
    program->selector_count = (uint32_t)linker->selectors.count;
    program->symbols = linker->symbols.items;
    program->symbol_count = (uint32_t)linker->symbols.count;
}

bool program_link(struct program *program, struct diagnostics *diagnostics, struct problem *problem)
{
    if (program->linked)
        return true;
    struct linker linker = {.program = program, .diagnostics = diagnostics, .problem = problem};
    bool ok = add_application(&linker) && link_classes(&linker) && number_all_members(&linker);
    hand_over(&linker);
    if (!ok || !hierarchy_build(program, problem))
        return false;
    program->linked = true;
    return true;
}
