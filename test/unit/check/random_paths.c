#include "check/random_internal.h"

unsigned random_draw(struct random_maker *maker, unsigned limit)
{
    uint64_t mixed = maker->random += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return (unsigned)((mixed ^ mixed >> 31) % limit);
}

bool random_chance(struct random_maker *maker, unsigned of_hundred)
{
    return random_draw(maker, 100) < of_hundred;
}

bool random_mistake(struct random_maker *maker, unsigned of_hundred)
{
    if (!maker->mistakes || !random_chance(maker, of_hundred))
        return false;
    maker->mistakes--;
    return true;
}

/* ---- paths ---- */

const struct mini_path random_self = {.base = MINI_LOCAL};

void random_add_path(struct random_paths *paths, const struct mini_path *path)
{
    if (paths->count < RANDOM_PATHS)
        paths->items[paths->count++] = *path;
}

bool random_extend(struct mini_path *path, struct mini_step step)
{
    if (path->count == MINI_STEPS)
        return false;
    path->steps[path->count++] = step;
    return true;
}

void random_add_reached(struct random_maker *maker, struct random_paths *paths,
                        const struct mini_path *path, unsigned type, unsigned depth,
                        bool constant_only)
{
    random_add_path(paths, path);
    for (unsigned class = type; depth && mini_is_class(class);
         class = maker->program->classes[class].superclass) {
        const struct mini_class *it = &maker->program->classes[class];
        for (unsigned i = 0; i < it->field_count; i++) {
            struct mini_path longer = *path;
            if (it->fields[i].is_static || it->fields[i].type == MINI_INT ||
                (constant_only && !it->fields[i].is_constant))
                continue;
            if (random_extend(&longer, (struct mini_step){(uint8_t) class, (uint8_t)i}))
                random_add_reached(maker, paths, &longer, it->fields[i].type, depth - 1,
                                   constant_only);
        }
    }
}

void random_add_statics(struct random_maker *maker, struct random_paths *paths)
{
    for (unsigned class = 0; class < maker->program->class_count; class ++)
        for (unsigned i = 0; i < maker->program->classes[class].field_count; i++) {
            const struct mini_field *field = &maker->program->classes[class].fields[i];
            if (field->is_static && field->type != MINI_INT)
                random_add_path(paths,
                                &(struct mini_path){.base = MINI_STATIC,
                                                    .number = (uint8_t) class,
                                                    .count = 1,
                                                    .steps = {{(uint8_t) class, (uint8_t)i}}});
        }
}

/* Everything that the method has a name for. */
static void find_paths(struct random_maker *maker, struct random_paths *paths)
{
    const bool constant_only = random_draw(maker, 8) || !random_mistake(maker, 4);
    const unsigned depth = 1 + random_draw(maker, 2);
    paths->count = 0;
    for (unsigned i = maker->method->is_static ? 1 : 0; i < maker->method->local_count; i++) {
        const struct mini_path path = {.base = MINI_LOCAL, .number = (uint8_t)i};
        random_add_reached(maker, paths, &path, maker->method->types[i], depth, constant_only);
    }
    random_add_statics(maker, paths);
}

bool random_pick_path(struct random_maker *maker, unsigned type, struct mini_path *result)
{
    static struct random_paths paths, good;
    find_paths(maker, &paths);
    good.count = 0;
    for (unsigned i = 0; i < paths.count; i++) {
        const unsigned found =
            mini_path_type(maker->program, maker->method->types, &paths.items[i]);
        const bool bare =
            paths.items[i].base == MINI_LOCAL && !paths.items[i].number && !paths.items[i].count;
        if (maker->constructing && bare && type != MINI_VOID)
            continue;
        if (type == MINI_VOID ? mini_is_class(found)
            : mini_is_class(type)
                ? mini_is_class(found) && mini_is_subclass(maker->program, found, type)
                : found == type || (type == MINI_OBJECT && mini_is_class(found) &&
                                    !maker->program->classes[found].has_formal))
            random_add_path(&good, &paths.items[i]);
    }
    if (!good.count)
        return false;
    *result = good.items[random_draw(maker, good.count)];
    return true;
}

/* ---- locks ---- */

bool random_owner_of(struct random_maker *maker, const struct mini_path *path,
                     struct mini_path *owner)
{
    if (path->base != MINI_LOCAL)
        return false;
    if (!path->count) {
        if (!path->number) {
            *owner = (struct mini_path){.base = MINI_GHOST};
            return maker->program->classes[maker->class].has_formal;
        }
        *owner = maker->owners[path->number];
        return maker->owner_known[path->number];
    }
    struct mini_path before = *path;
    const struct mini_field *field = mini_field_of(maker->program, before.steps[--before.count]);
    if (!field->owned)
        return false;
    if (field->owner.base == MINI_GHOST)
        return random_owner_of(maker, &before, owner);
    return mini_path_substitute(&field->owner, &before, NULL, owner);
}

bool random_needed_lock(struct random_maker *maker, const struct mini_path *declared,
                        const struct mini_path *object, const struct mini_path *arguments,
                        struct mini_path *needed)
{
    if (declared->base == MINI_GHOST)
        return random_owner_of(maker, object, needed);
    return mini_path_substitute(declared, object, arguments, needed);
}

bool random_is_held(const struct random_maker *maker, const struct mini_path *path, bool write)
{
    for (unsigned i = 0; i < maker->held_count; i++)
        if (mini_path_equal(&maker->held[i].path, path) && !(write && maker->held[i].shared))
            return true;
    return false;
}

void random_hold(struct random_maker *maker, const struct mini_path *path, bool shared)
{
    if (maker->held_count < RANDOM_HELD)
        maker->held[maker->held_count++] = (struct random_held){*path, shared};
}

void random_forget_local(struct random_maker *maker, unsigned local)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < maker->held_count; i++)
        if (maker->held[i].path.base != MINI_LOCAL || maker->held[i].path.number != local)
            maker->held[kept++] = maker->held[i];
    maker->held_count = kept;
    maker->owner_known[local] = maker->fresh[local] = false;
}

void random_forget_held(struct random_maker *maker, const struct mini_path *path)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < maker->held_count; i++)
        if (!mini_path_equal(&maker->held[i].path, path))
            maker->held[kept++] = maker->held[i];
    maker->held_count = kept;
}

void random_show(struct random_maker *maker, const struct mini_path *path)
{
    if (path->base == MINI_LOCAL && maker->fresh[path->number] && !random_mistake(maker, 50))
        maker->fresh[path->number] = false;
}
