/*
 * known_classes: superclasses of classes found on a class path and in a JDK, read when first asked
 * for. A second, simple implementation of what src/program does, for checks that should not depend
 * on it.
 */
#ifndef TURNSTILE_TEST_KNOWN_CLASSES_H
#define TURNSTILE_TEST_KNOWN_CLASSES_H

#include <stdio.h>

#include "base/textmap.h"
#include "base/vector.h"
#include "bytecode/frames.h"
#include "classfile/class_reader.h"
#include "classfile/input.h"

struct known_class {
    struct text name;
    struct text super; /* empty: java/lang/Object, or not found */
    bool found;
    bool interface;
};

struct known_classes {
    struct arena arena;
    struct arena scratch;
    struct textmap numbers;
    VECTOR(struct known_class) classes;
    VECTOR(struct input_root *) roots; /* searched in this order */
};

static inline void known_classes_init(struct known_classes *known)
{
    *known = (struct known_classes){0};
    arena_init(&known->arena);
    arena_init(&known->scratch);
    textmap_init(&known->numbers);
}

static inline bool known_classes_add_root(struct known_classes *known, const char *path,
                                          struct diagnostics *diagnostics)
{
    struct input_options options = {0};
    struct input_root *root = input_root_open(path, &options, diagnostics);
    return root && vector_push(&known->roots, root);
}

static inline void known_classes_release(struct known_classes *known)
{
    for (size_t i = 0; i < known->roots.count; i++)
        input_root_close(known->roots.items[i]);
    vector_release(&known->roots);
    vector_release(&known->classes);
    textmap_release(&known->numbers);
    arena_release(&known->scratch);
    arena_release(&known->arena);
}

static inline void known_classes_read(struct known_classes *known, struct known_class *class)
{
    for (size_t i = 0; i < known->roots.count && !class->found; i++) {
        const uint8_t *bytes;
        size_t size;
        struct problem problem;
        problem_clear(&problem);
        arena_clear(&known->scratch);
        if (input_root_find(known->roots.items[i], class->name, &known->scratch, &bytes, &size,
                            &problem) != INPUT_FOUND)
            continue;
        const struct class_file *model = class_read(&known->scratch, bytes, size, &problem);
        if (!model)
            continue;
        class->found = true;
        class->interface = model->access & ACCESS_INTERFACE;
        if (model->super_class)
            class->super = text_copy(&known->arena, class_name_at(model, model->super_class));
    }
}

/* Never NULL but when memory runs out; good until the next call. */
static inline const struct known_class *known_classes_find(struct known_classes *known,
                                                           struct text name)
{
    uint32_t number;
    if (textmap_get(&known->numbers, name, &number))
        return &known->classes.items[number];
    struct known_class class = {.name = text_copy(&known->arena, name)};
    known_classes_read(known, &class);
    number = (uint32_t)known->classes.count;
    if (!textmap_put(&known->numbers, class.name, number) || !vector_push(&known->classes, class))
        return NULL;
    return &vector_last(&known->classes);
}

static inline struct text known_classes_super(struct known_classes *known, struct text name)
{
    const struct known_class *class = known_classes_find(known, name);
    return class ? class->super : TEXT("");
}

/* Whether `above` is the class itself or one of its superclasses. */
static inline bool known_classes_extends(struct known_classes *known, struct text name,
                                         struct text above)
{
    for (; name.length > 0; name = known_classes_super(known, name)) {
        if (text_equal(name, above))
            return true;
    }
    return false;
}

static inline struct text known_classes_common(void *context, struct text a, struct text b)
{
    struct known_classes *known = context;
    const struct known_class *first = known_classes_find(known, a);
    const bool interface = !first || first->interface;
    const struct known_class *second = known_classes_find(known, b);
    if (interface || !second || second->interface)
        return TEXT("java/lang/Object");
    for (; a.length > 0; a = known_classes_super(known, a)) {
        if (known_classes_extends(known, b, a))
            return a;
    }
    return TEXT("java/lang/Object");
}

#endif
