#include "check/random_program.h"

#include <string.h>

enum { PATHS = 160, HELD = 12, DEPTH = 3 };

struct held {
    struct mini_path path;
    bool shared;
};

struct maker {
    struct mini_program *program;
    uint64_t random;
    unsigned mistakes;     /* that may still be made */
    unsigned shared_count; /* classes that are neither workers nor Main */

    /* The method. */
    unsigned class;
    struct mini_method *method;
    bool constructing; /* `this` must not be shown to anybody, nor can it be known yet */
    struct held held[HELD];
    unsigned held_count;
    bool fresh[MINI_LOCALS]; /* made here, and known to nobody else */
    bool owner_known[MINI_LOCALS];
    struct mini_path owners[MINI_LOCALS];
    unsigned loops;
    unsigned left; /* statements that may still be made */
};

static unsigned draw(struct maker *maker, unsigned limit)
{
    uint64_t mixed = maker->random += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return (unsigned)((mixed ^ mixed >> 31) % limit);
}

static bool chance(struct maker *maker, unsigned of_hundred)
{
    return draw(maker, 100) < of_hundred;
}

/* Whether to do what a careful programmer would not; a program has few such places, because one
   that the checker misses is hidden by another one that it finds. */
static bool mistake(struct maker *maker, unsigned of_hundred)
{
    if (!maker->mistakes || !chance(maker, of_hundred))
        return false;
    maker->mistakes--;
    return true;
}

/* ---- paths ---- */

struct paths {
    struct mini_path items[PATHS];
    unsigned count;
};

static const struct mini_path self = {.base = MINI_LOCAL};

static void add_path(struct paths *paths, const struct mini_path *path)
{
    if (paths->count < PATHS)
        paths->items[paths->count++] = *path;
}

static bool extend(struct mini_path *path, struct mini_step step)
{
    if (path->count == MINI_STEPS)
        return false;
    path->steps[path->count++] = step;
    return true;
}

/* The path and what can be reached from it through fields. */
static void add_reached(struct maker *maker, struct paths *paths, const struct mini_path *path,
                        unsigned type, unsigned depth, bool constant_only)
{
    add_path(paths, path);
    for (unsigned class = type; depth && mini_is_class(class);
         class = maker->program->classes[class].superclass) {
        const struct mini_class *it = &maker->program->classes[class];
        for (unsigned i = 0; i < it->field_count; i++) {
            struct mini_path longer = *path;
            if (it->fields[i].is_static || it->fields[i].type == MINI_INT ||
                (constant_only && !it->fields[i].is_constant))
                continue;
            if (extend(&longer, (struct mini_step){(uint8_t) class, (uint8_t)i}))
                add_reached(maker, paths, &longer, it->fields[i].type, depth - 1, constant_only);
        }
    }
}

static void add_statics(struct maker *maker, struct paths *paths)
{
    for (unsigned class = 0; class < maker->program->class_count; class ++)
        for (unsigned i = 0; i < maker->program->classes[class].field_count; i++) {
            const struct mini_field *field = &maker->program->classes[class].fields[i];
            if (field->is_static && field->type != MINI_INT)
                add_path(paths, &(struct mini_path){.base = MINI_STATIC,
                                                    .number = (uint8_t) class,
                                                    .count = 1,
                                                    .steps = {{(uint8_t) class, (uint8_t)i}}});
        }
}

/* Everything that the method has a name for. */
static void find_paths(struct maker *maker, struct paths *paths)
{
    const bool constant_only = draw(maker, 8) || !mistake(maker, 4);
    const unsigned depth = 1 + draw(maker, 2);
    paths->count = 0;
    for (unsigned i = maker->method->is_static ? 1 : 0; i < maker->method->local_count; i++) {
        const struct mini_path path = {.base = MINI_LOCAL, .number = (uint8_t)i};
        add_reached(maker, paths, &path, maker->method->types[i], depth, constant_only);
    }
    add_statics(maker, paths);
}

/* One that can be used where this type is wanted; MINI_VOID: an object of any class of the program
   that has fields. */
static bool pick_path(struct maker *maker, unsigned type, struct mini_path *result)
{
    static struct paths paths, good;
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
            add_path(&good, &paths.items[i]);
    }
    if (!good.count)
        return false;
    *result = good.items[draw(maker, good.count)];
    return true;
}

/* ---- locks ---- */

/* What the formal of the object's class is. */
static bool owner_of(struct maker *maker, const struct mini_path *path, struct mini_path *owner)
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
        return owner_of(maker, &before, owner);
    return mini_path_substitute(&field->owner, &before, NULL, owner);
}

/* A declared lock as it is called here. */
static bool needed_lock(struct maker *maker, const struct mini_path *declared,
                        const struct mini_path *object, const struct mini_path *arguments,
                        struct mini_path *needed)
{
    if (declared->base == MINI_GHOST)
        return owner_of(maker, object, needed);
    return mini_path_substitute(declared, object, arguments, needed);
}

static bool is_held(const struct maker *maker, const struct mini_path *path, bool write)
{
    for (unsigned i = 0; i < maker->held_count; i++)
        if (mini_path_equal(&maker->held[i].path, path) && !(write && maker->held[i].shared))
            return true;
    return false;
}

static void hold(struct maker *maker, const struct mini_path *path, bool shared)
{
    if (maker->held_count < HELD)
        maker->held[maker->held_count++] = (struct held){*path, shared};
}

/* The local gets another value: what begins with it is something else now. */
static void forget_local(struct maker *maker, unsigned local)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < maker->held_count; i++)
        if (maker->held[i].path.base != MINI_LOCAL || maker->held[i].path.number != local)
            maker->held[kept++] = maker->held[i];
    maker->held_count = kept;
    maker->owner_known[local] = maker->fresh[local] = false;
}

static void forget_held(struct maker *maker, const struct mini_path *path)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < maker->held_count; i++)
        if (!mini_path_equal(&maker->held[i].path, path))
            maker->held[kept++] = maker->held[i];
    maker->held_count = kept;
}

/* Somebody else knows what the path denotes from now on. */
static void show(struct maker *maker, const struct mini_path *path)
{
    if (path->base == MINI_LOCAL && maker->fresh[path->number] && !mistake(maker, 50))
        maker->fresh[path->number] = false;
}

/* ---- statements ---- */

static uint16_t new_statement(struct maker *maker, enum mini_kind kind)
{
    if (maker->program->statement_count == MINI_STATEMENTS)
        return 0;
    const uint16_t number = maker->program->statement_count++;
    memset(&maker->program->statements[number], 0, sizeof maker->program->statements[number]);
    maker->program->statements[number].kind = (uint8_t)kind;
    if (maker->left)
        maker->left--;
    return number;
}

static uint16_t make_block(struct maker *maker, unsigned depth);

static enum mini_kind pick_lock_kind(struct maker *maker, unsigned type)
{
    static const enum mini_kind kinds[] = {MINI_LOCKED, MINI_FINALLY, MINI_FINALLY, MINI_TRY_LOCK};
    const bool is_lock = type == MINI_MUTEX || type == MINI_READ_WRITE;
    return is_lock && !mistake(maker, 5) ? kinds[draw(maker, 4)] : MINI_SYNCHRONIZED;
}

/* The statement under the lock. */
static uint16_t wrap(struct maker *maker, uint16_t inner, const struct mini_path *lock, bool write)
{
    const unsigned type = mini_path_type(maker->program, maker->method->types, lock);
    const uint16_t number = new_statement(maker, pick_lock_kind(maker, type));
    if (!number)
        return inner;
    struct mini_statement *statement = &maker->program->statements[number];
    statement->path = *lock;
    statement->body = inner;
    if (type == MINI_READ_WRITE && statement->kind != MINI_SYNCHRONIZED)
        statement->shared = write ? mistake(maker, 10) : chance(maker, 60);
    return number;
}

static uint16_t wrap_all(struct maker *maker, uint16_t inner, const struct mini_path *locks,
                         unsigned count, const struct mini_path *object,
                         const struct mini_path *arguments, bool write)
{
    const unsigned forgotten = arguments ? 30 : 12; /* of 100; calls are rarer */
    for (unsigned i = 0; inner && i < count; i++) {
        struct mini_path needed;
        if (!needed_lock(maker, &locks[i], object, arguments, &needed) ||
            needed.base == MINI_GHOST || is_held(maker, &needed, write) ||
            mistake(maker, forgotten))
            continue;
        inner = wrap(maker, inner, &needed, write);
    }
    return inner;
}

static uint16_t guard_access(struct maker *maker, uint16_t number)
{
    const struct mini_statement *statement = &maker->program->statements[number];
    const struct mini_field *field = mini_field_of(maker->program, statement->member);
    const bool write = statement->kind != MINI_READ;
    const struct mini_path object = statement->path;
    if (field->guard == MINI_WRITE_GUARDED && !write && chance(maker, 80))
        return number;
    if (maker->constructing && object.base == MINI_LOCAL && !object.number && !object.count)
        return number;
    if (object.base == MINI_LOCAL && !object.count && maker->fresh[object.number] &&
        chance(maker, 80))
        return number;
    return wrap_all(maker, number, field->locks, field->lock_count, &object, NULL, write);
}

/* A field of the class or a superclass that is of this kind. */
static bool pick_field(struct maker *maker, unsigned class, bool whole_number, bool is_static,
                       struct mini_step *result)
{
    struct mini_step found[3 * MINI_FIELDS];
    unsigned count = 0;
    for (; mini_is_class(class); class = maker->program->classes[class].superclass)
        for (unsigned i = 0; i < maker->program->classes[class].field_count; i++) {
            const struct mini_field *field = &maker->program->classes[class].fields[i];
            if (!field->is_constant && field->is_static == is_static &&
                (field->type == MINI_INT) == whole_number && count < 3 * MINI_FIELDS)
                found[count++] = (struct mini_step){(uint8_t) class, (uint8_t)i};
        }
    if (count)
        *result = found[draw(maker, count)];
    return count > 0;
}

static uint16_t make_access(struct maker *maker)
{
    struct mini_path path = {.base = MINI_NULL};
    struct mini_step member;
    if (chance(maker, 15)) {
        if (!pick_field(maker, draw(maker, maker->shared_count), true, true, &member))
            return 0;
    } else if (!pick_path(maker, MINI_VOID, &path) ||
               !pick_field(maker, mini_path_type(maker->program, maker->method->types, &path), true,
                           false, &member)) {
        return 0;
    }
    const uint16_t number = new_statement(maker, chance(maker, 50) ? MINI_READ : MINI_WRITE);
    if (!number)
        return 0;
    maker->program->statements[number].path = path;
    maker->program->statements[number].member = member;
    return guard_access(maker, number);
}

static uint16_t make_store(struct maker *maker)
{
    struct mini_path path, value = {.base = MINI_NULL};
    struct mini_step member;
    if (!pick_path(maker, MINI_VOID, &path) ||
        !pick_field(maker, mini_path_type(maker->program, maker->method->types, &path), false,
                    false, &member))
        return 0;
    const struct mini_field *field = mini_field_of(maker->program, member);
    if (chance(maker, 90) && !pick_path(maker, field->type, &value))
        return 0;
    const uint16_t number = new_statement(maker, MINI_STORE);
    if (!number)
        return 0;
    maker->program->statements[number].path = path;
    maker->program->statements[number].member = member;
    maker->program->statements[number].value = value;
    show(maker, &value);
    return guard_access(maker, number);
}

/* A local that is no parameter, most of the time. */
static bool pick_local(struct maker *maker, unsigned *local)
{
    const struct mini_method *method = maker->method;
    const unsigned first = chance(maker, 90) ? method->parameter_count : 1;
    if (first >= method->local_count || method->is_main)
        return false;
    *local = first + draw(maker, method->local_count - first);
    return true;
}

/* A local gets what a path denotes: with the locks that reading it takes. */
static uint16_t make_assign(struct maker *maker)
{
    unsigned local;
    struct mini_path value, object, owner;
    if (!pick_local(maker, &local))
        return 0;
    const unsigned type = maker->method->types[local];
    struct mini_step member;
    bool guarded = false;
    if (!pick_path(maker, type, &value))
        return 0;
    if (mini_is_class(type) && chance(maker, 50) && pick_path(maker, MINI_VOID, &object) &&
        pick_field(maker, mini_path_type(maker->program, maker->method->types, &object), false,
                   false, &member) &&
        mini_is_subclass(maker->program, mini_field_of(maker->program, member)->type, type) &&
        object.count < MINI_STEPS) {
        value = object;
        extend(&value, member);
        guarded = true;
    }
    uint16_t number = new_statement(maker, MINI_ASSIGN);
    if (!number)
        return 0;
    maker->program->statements[number].local = (uint8_t)local;
    maker->program->statements[number].value = value;
    show(maker, &value);
    const bool owned = owner_of(maker, &value, &owner);
    if (guarded) {
        const struct mini_field *field = mini_field_of(maker->program, member);
        number = wrap_all(maker, number, field->locks, field->lock_count, &object, NULL, false);
    }
    forget_local(maker, local);
    maker->owner_known[local] = owned && !(owner.base == MINI_LOCAL && owner.number == local);
    maker->owners[local] = owner;
    return number;
}

static bool pick_arguments(struct maker *maker, const struct mini_method *method,
                           struct mini_path *arguments)
{
    for (unsigned i = 1; i < method->parameter_count; i++) {
        if (chance(maker, 1))
            arguments[i] = (struct mini_path){.base = MINI_NULL};
        else if (!pick_path(maker, method->types[i], &arguments[i]))
            return false;
    }
    return true;
}

static void set_arguments(struct maker *maker, uint16_t number, const struct mini_method *method,
                          const struct mini_path *arguments)
{
    struct mini_statement *statement = &maker->program->statements[number];
    statement->argument_count = 0;
    for (unsigned i = 1; i < method->parameter_count; i++) {
        statement->arguments[statement->argument_count++] = arguments[i];
        show(maker, &arguments[i]);
    }
}

static uint16_t make_new(struct maker *maker)
{
    unsigned local;
    struct mini_path arguments[MINI_PARAMETERS];
    if (!pick_local(maker, &local) || !mini_is_class(maker->method->types[local]))
        return 0;
    const struct mini_step member = {maker->method->types[local], 0};
    const struct mini_method *constructor = mini_method_of(maker->program, member);
    if (!pick_arguments(maker, constructor, arguments))
        return 0;
    const uint16_t number = new_statement(maker, MINI_NEW);
    if (!number)
        return 0;
    maker->program->statements[number].local = (uint8_t)local;
    maker->program->statements[number].member = member;
    set_arguments(maker, number, constructor, arguments);
    forget_local(maker, local);
    maker->fresh[local] = !maker->loops;
    return number;
}

static bool pick_method(struct maker *maker, const struct mini_path *object, unsigned class,
                        struct mini_step *result)
{
    const unsigned choices = maker->program->classes[class].method_count;
    if (choices < 2)
        return false;
    *result = (struct mini_step){(uint8_t) class, (uint8_t)(1 + draw(maker, choices - 1))};
    const struct mini_method *method = mini_method_of(maker->program, *result);
    if (method->is_private && class != maker->class)
        return false;
    if (method->is_helper && !maker->method->is_helper && !mistake(maker, 20))
        return false;
    return !(method->is_main || method->is_run ||
             (object->base == MINI_NULL && !method->is_static));
}

/* A constructor calls one of its helpers. */
static uint16_t make_helper_call(struct maker *maker)
{
    const struct mini_step member = {
        (uint8_t)maker->class, (uint8_t)(maker->program->classes[maker->class].method_count - 1)};
    if (!mini_method_of(maker->program, member)->is_helper || !maker->method->is_constructor)
        return 0;
    const uint16_t number = new_statement(maker, MINI_CALL);
    if (!number)
        return 0;
    maker->program->statements[number].path = self;
    maker->program->statements[number].member = member;
    return number;
}

static uint16_t make_call(struct maker *maker)
{
    struct mini_path object = {.base = MINI_NULL}, arguments[MINI_PARAMETERS];
    unsigned class = draw(maker, maker->shared_count), local = 0;
    struct mini_step member;
    if (chance(maker, 85) && pick_path(maker, MINI_VOID, &object))
        class = mini_path_type(maker->program, maker->method->types, &object);
    if (chance(maker, 25) && maker->program->classes[class].superclass != MINI_OBJECT)
        class = maker->program->classes[class].superclass;
    if (!pick_method(maker, &object, class, &member))
        return 0;
    const struct mini_method *method = mini_method_of(maker->program, member);
    if (!pick_arguments(maker, method, arguments))
        return 0;
    if (method->result != MINI_VOID &&
        (!pick_local(maker, &local) || maker->method->types[local] != method->result))
        return 0;
    uint16_t number = new_statement(maker, MINI_CALL);
    if (!number)
        return 0;
    maker->program->statements[number].path = object;
    maker->program->statements[number].member = member;
    maker->program->statements[number].local = (uint8_t)local;
    set_arguments(maker, number, method, arguments);
    number =
        wrap_all(maker, number, method->requires, method->require_count, &object, arguments, true);
    if (method->result != MINI_VOID)
        forget_local(maker, local);
    return number;
}

/* ---- blocks ---- */

/* The body of a block: what it assigns and takes is not known behind it. */
static uint16_t make_body(struct maker *maker, unsigned depth)
{
    struct held before[HELD];
    const unsigned count = maker->held_count;
    memcpy(before, maker->held, sizeof before);
    const uint16_t body = make_block(maker, depth);
    /* What was held is so still, but for what begins with locals that got other values. */
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++)
        if (is_held(maker, &before[i].path, !before[i].shared))
            before[kept++] = before[i];
    memcpy(maker->held, before, sizeof before);
    maker->held_count = kept;
    return body;
}

static bool pick_lock(struct maker *maker, struct mini_path *lock)
{
    if (chance(maker, 15)) {
        *lock = (struct mini_path){.base = MINI_CLASS,
                                   .number = (uint8_t)draw(maker, maker->shared_count)};
        return true;
    }
    if (chance(maker, 25) && pick_path(maker, MINI_MUTEX, lock))
        return true;
    if (chance(maker, 25) && pick_path(maker, MINI_READ_WRITE, lock))
        return true;
    return pick_path(maker, MINI_OBJECT, lock);
}

static uint16_t make_locked(struct maker *maker, unsigned depth)
{
    struct mini_path lock;
    if (!pick_lock(maker, &lock))
        return 0;
    const unsigned type = mini_path_type(maker->program, maker->method->types, &lock);
    const uint16_t number = new_statement(maker, pick_lock_kind(maker, type));
    if (!number)
        return 0;
    struct mini_statement *statement = &maker->program->statements[number];
    statement->path = lock;
    statement->shared =
        type == MINI_READ_WRITE && statement->kind != MINI_SYNCHRONIZED && chance(maker, 30);
    const unsigned before = maker->held_count;
    hold(maker, &lock, statement->shared);
    statement->body = make_body(maker, depth - 1);
    if (maker->held_count > before)
        maker->held_count = before;
    if (statement->kind == MINI_TRY_LOCK && chance(maker, 40))
        statement->other = make_body(maker, depth - 1);
    return number;
}

static uint16_t append_to(struct maker *maker, uint16_t first, uint16_t number)
{
    uint16_t last = first;
    if (!first)
        return number;
    while (maker->program->statements[last].next)
        last = maker->program->statements[last].next;
    maker->program->statements[last].next = number;
    return first;
}

/* A lock that is given up in the body and taken again at its end. Whether what follows in `other`
   (the handler of a try) has it is not known. */
static bool open_gap(struct maker *maker, struct held *gap)
{
    if (!maker->held_count || !chance(maker, 30))
        return false;
    *gap = maker->held[draw(maker, maker->held_count)];
    if (gap->path.base == MINI_GHOST)
        return false;
    const unsigned type = mini_path_type(maker->program, maker->method->types, &gap->path);
    if (type != MINI_MUTEX && type != MINI_READ_WRITE)
        return false;
    if (!mistake(maker, 40))
        forget_held(maker, &gap->path);
    return true;
}

static uint16_t fill_gap(struct maker *maker, uint16_t body, const struct held *gap)
{
    const uint16_t give = new_statement(maker, MINI_UNLOCK), take = new_statement(maker, MINI_LOCK);
    if (!take)
        return body;
    maker->program->statements[give].path = maker->program->statements[take].path = gap->path;
    maker->program->statements[give].shared = maker->program->statements[take].shared = gap->shared;
    maker->program->statements[give].next = body;
    return append_to(maker, give, take);
}

/* The next round of the loop finds another value in a local that a held lock begins with. */
static uint16_t change_held(struct maker *maker, uint16_t body)
{
    for (unsigned i = 0; i < maker->held_count; i++) {
        const struct mini_path *path = &maker->held[i].path;
        struct mini_path value;
        if (path->base != MINI_LOCAL || !path->number || maker->method->is_main ||
            !mistake(maker, 30) || !pick_path(maker, maker->method->types[path->number], &value))
            continue;
        const uint16_t number = new_statement(maker, MINI_ASSIGN);
        if (!number)
            break;
        maker->program->statements[number].local = path->number;
        maker->program->statements[number].value = value;
        body = append_to(maker, body, number);
        forget_local(maker, path->number);
        break;
    }
    return body;
}

/* A statement that accesses a whole number of what a local denotes. */
static uint16_t make_access_of(struct maker *maker, unsigned local)
{
    struct mini_step member;
    if (!mini_is_class(maker->method->types[local]) ||
        !pick_field(maker, maker->method->types[local], true, false, &member))
        return 0;
    const uint16_t number = new_statement(maker, chance(maker, 40) ? MINI_READ : MINI_WRITE);
    if (!number)
        return 0;
    maker->program->statements[number].path =
        (struct mini_path){.base = MINI_LOCAL, .number = (uint8_t)local};
    maker->program->statements[number].member = member;
    return number;
}

/* A new object is put where others find it, and then used. */
static uint16_t make_published(struct maker *maker)
{
    const uint16_t made = make_new(maker);
    struct mini_path place;
    struct mini_step member;
    if (!made)
        return 0;
    const unsigned local = maker->program->statements[made].local;
    for (unsigned tries = 0; tries < 8; tries++) {
        if (!pick_path(maker, MINI_VOID, &place) ||
            (place.base == MINI_LOCAL && place.number == local) ||
            !pick_field(maker, mini_path_type(maker->program, maker->method->types, &place), false,
                        false, &member) ||
            mini_field_of(maker->program, member)->type != maker->method->types[local])
            continue;
        const uint16_t store = new_statement(maker, MINI_STORE);
        const uint16_t used = make_access_of(maker, local);
        if (!store || !used)
            return made;
        struct mini_statement *statement = &maker->program->statements[store];
        statement->path = place;
        statement->member = member;
        statement->value = (struct mini_path){.base = MINI_LOCAL, .number = (uint8_t)local};
        show(maker, &statement->value);
        append_to(maker, made, guard_access(maker, store));
        append_to(maker, made, guard_access(maker, used));
        return made;
    }
    return made;
}

/* A loop that goes on to another object each time; the lock is that of the first, if it is not
   taken for each. */
static uint16_t make_walk(struct maker *maker)
{
    unsigned local;
    struct mini_path value;
    if (!pick_local(maker, &local) || !pick_path(maker, maker->method->types[local], &value))
        return 0;
    const uint16_t used = make_access_of(maker, local);
    const uint16_t loop = used ? new_statement(maker, MINI_WHILE) : 0;
    const uint16_t next = loop ? new_statement(maker, MINI_ASSIGN) : 0;
    if (!next)
        return 0;
    maker->program->statements[next].local = (uint8_t)local;
    maker->program->statements[next].value = value;
    const bool outside = mistake(maker, 60);
    maker->program->statements[loop].body =
        append_to(maker, outside ? used : guard_access(maker, used), next);
    const struct mini_field *field =
        mini_field_of(maker->program, maker->program->statements[used].member);
    const struct mini_path object = {.base = MINI_LOCAL, .number = (uint8_t)local};
    const uint16_t whole =
        outside ? wrap_all(maker, loop, field->locks, field->lock_count, &object, NULL, true)
                : loop;
    forget_local(maker, local);
    return whole;
}

static uint16_t make_choice(struct maker *maker, unsigned depth, enum mini_kind kind)
{
    const uint16_t number = new_statement(maker, kind);
    if (!number)
        return 0;
    struct mini_statement *statement = &maker->program->statements[number];
    if ((kind == MINI_IF_NULL || kind == MINI_IF_SAME) &&
        !pick_path(maker, MINI_VOID, &statement->path))
        statement->kind = MINI_IF;
    else if (kind == MINI_IF_SAME && !pick_path(maker, MINI_VOID, &statement->value))
        statement->kind = MINI_IF;
    struct held gap;
    const bool has_gap = open_gap(maker, &gap);
    maker->loops += kind == MINI_WHILE;
    statement->body = make_body(maker, depth - 1);
    maker->loops -= kind == MINI_WHILE;
    if (kind == MINI_WHILE)
        statement->body = change_held(maker, statement->body);
    if (has_gap)
        statement->body = fill_gap(maker, statement->body, &gap);
    if (kind == MINI_TRY || (kind != MINI_WHILE && chance(maker, 50)))
        statement->other = make_body(maker, depth - 1);
    return number;
}

/* A lock that is taken or given up by itself. */
static uint16_t make_lock(struct maker *maker)
{
    struct mini_path lock;
    const bool mutex = chance(maker, 50);
    if (!pick_path(maker, mutex ? MINI_MUTEX : MINI_READ_WRITE, &lock))
        return 0;
    const uint16_t number = new_statement(maker, chance(maker, 50) ? MINI_LOCK : MINI_UNLOCK);
    if (!number)
        return 0;
    struct mini_statement *statement = &maker->program->statements[number];
    statement->path = lock;
    statement->shared = !mutex && chance(maker, 50);
    if (statement->kind == MINI_LOCK)
        hold(maker, &lock, statement->shared);
    return number;
}

static uint16_t make_statement(struct maker *maker, unsigned depth)
{
    const unsigned choice = draw(maker, 100);
    /* What nobody calls shows nothing. */
    if (maker->method->is_run && chance(maker, 40))
        return make_call(maker);
    if (choice < 36 || !depth)
        return make_access(maker);
    if (choice < 50)
        return maker->constructing ? make_helper_call(maker) : make_call(maker);
    if (choice < 58)
        return make_assign(maker);
    if (choice < 60)
        return make_published(maker);
    if (choice < 62)
        return make_walk(maker);
    if (choice < 68)
        return make_store(maker);
    if (choice < 80)
        return make_locked(maker, depth);
    if (choice < 86)
        return make_choice(maker, depth,
                           (enum mini_kind[]){MINI_IF, MINI_IF_NULL, MINI_IF_SAME}[draw(maker, 3)]);
    if (choice < 91)
        return make_choice(maker, depth, MINI_WHILE);
    if (choice < 94)
        return make_choice(maker, depth, MINI_TRY);
    if (choice < 96)
        return new_statement(maker, chance(maker, 50) ? MINI_RETURN : MINI_THROW);
    if (choice < 98)
        return maker->loops ? new_statement(maker, chance(maker, 50) ? MINI_BREAK : MINI_CONTINUE)
                            : 0;
    return make_lock(maker);
}

static uint16_t make_block(struct maker *maker, unsigned depth)
{
    uint16_t first = 0, last = 0;
    for (unsigned count = 2 + draw(maker, 4); count && maker->left; count--) {
        const uint16_t made = make_statement(maker, depth);
        if (!made)
            continue;
        if (last)
            maker->program->statements[last].next = made;
        else
            first = made;
        for (last = made; maker->program->statements[last].next;)
            last = maker->program->statements[last].next;
    }
    return first;
}

/* Most locals have a value when the body begins; `end` is where statements are added. */
static uint16_t *begin_locals(struct maker *maker, uint16_t *end)
{
    const struct mini_method *method = maker->method;
    for (unsigned i = method->parameter_count; i < method->local_count; i++) {
        struct mini_path value;
        if (!chance(maker, 85) || !pick_path(maker, method->types[i], &value) ||
            (value.base == MINI_LOCAL && value.number >= i))
            continue;
        const uint16_t number = new_statement(maker, MINI_ASSIGN);
        if (!number)
            break;
        maker->program->statements[number].local = (uint8_t)i;
        maker->program->statements[number].value = value;
        maker->owner_known[i] = owner_of(maker, &value, &maker->owners[i]);
        *end = number;
        end = &maker->program->statements[number].next;
    }
    return end;
}

/* ---- methods ---- */

static void begin_method(struct maker *maker, unsigned class, struct mini_method *method)
{
    maker->class = class;
    maker->method = method;
    maker->constructing = method->is_constructor || method->is_helper;
    maker->held_count = 0;
    maker->loops = 0;
    maker->left = 6 + draw(maker, 10) + (method->is_run ? 6 : 0);
    for (unsigned i = 0; i < MINI_LOCALS; i++) {
        maker->fresh[i] = false;
        maker->owner_known[i] = i < method->parameter_count && method->owned[i];
        if (maker->owner_known[i])
            maker->owners[i] = method->owners[i];
    }
    for (unsigned i = 0; i < method->require_count; i++)
        hold(maker, &method->requires[i], false);
    if (method->is_synchronized && method->is_static)
        hold(maker, &(struct mini_path){.base = MINI_CLASS, .number = (uint8_t) class}, false);
    else if (method->is_synchronized)
        hold(maker, &self, false);
}

static unsigned pick_class(struct maker *maker)
{
    return draw(maker, maker->shared_count);
}

static void add_locals(struct maker *maker, struct mini_method *method)
{
    for (unsigned count = draw(maker, 3); count && method->local_count < MINI_LOCALS; count--)
        method->types[method->local_count++] =
            (uint8_t)(chance(maker, 80) ? pick_class(maker) : MINI_OBJECT);
}

/* Locks that callers hold: those that guard something of `this` or a parameter. */
static void add_requires(struct maker *maker, unsigned class, struct mini_method *method)
{
    maker->class = class;
    maker->method = method;
    for (unsigned i = 0; i < MINI_LOCALS; i++)
        maker->owner_known[i] = false;
    for (unsigned tries = 1 + draw(maker, 2); tries; tries--) {
        struct mini_path object, needed;
        struct mini_step member;
        if (!pick_path(maker, MINI_VOID, &object) ||
            !pick_field(maker, mini_path_type(maker->program, method->types, &object), true, false,
                        &member))
            continue;
        const struct mini_field *field = mini_field_of(maker->program, member);
        if (field->lock_count && method->require_count < MINI_LOCKS &&
            needed_lock(maker, &field->locks[0], &object, NULL, &needed))
        method->requires[method->require_count++] = needed;
    }
}

/* What the first formal of a parameter's class is: `this`, another parameter, or part of it. */
static void add_owner(struct maker *maker, unsigned class, struct mini_method *method,
                      unsigned parameter)
{
    const unsigned type = method->types[parameter];
    if (!mini_is_class(type) || !maker->program->classes[type].has_formal)
        return;
    method->owned[parameter] = true;
    if (method->is_static)
        method->owners[parameter] =
            parameter > 1 ? (struct mini_path){.base = MINI_LOCAL, .number = 1}
                          : (struct mini_path){.base = MINI_CLASS, .number = (uint8_t) class};
    else if (maker->program->classes[class].has_formal)
        method->owners[parameter] = (struct mini_path){.base = MINI_GHOST};
    else
        method->owners[parameter] = self;
}

static void declare_method(struct maker *maker, unsigned class, struct mini_method *method)
{
    method->name = maker->program->next_name++;
    method->result = MINI_VOID;
    method->is_static = chance(maker, 12);
    method->is_synchronized = chance(maker, 30);
    method->is_private = chance(maker, 15);
    method->types[0] = (uint8_t) class;
    method->parameter_count = 1;
    for (unsigned count = draw(maker, 3); count; count--) {
        method->types[method->parameter_count] =
            (uint8_t)(chance(maker, 85) ? pick_class(maker) : MINI_OBJECT);
        add_owner(maker, class, method, method->parameter_count++);
    }
    method->local_count = method->parameter_count;
    if (maker->program->classes[class].has_formal && !method->is_static && !mistake(maker, 5))
    method->requires[method->require_count++] = (struct mini_path){.base = MINI_GHOST};
    else if (chance(maker, 35)) add_requires(maker, class, method);
    add_locals(maker, method);
}

static bool has_name(const struct mini_class *class, unsigned name)
{
    for (unsigned i = 1; i + 1u < class->method_count; i++)
        if (class->methods[i].name == name)
            return true;
    return false;
}

/* A method of the superclass again, with what the checker may or may not like. */
static void override_method(struct maker *maker, unsigned class, struct mini_method *method)
{
    const struct mini_class *above =
        &maker->program->classes[maker->program->classes[class].superclass];
    const struct mini_method *old = &above->methods[1 + draw(maker, above->method_count - 1u)];
    if (old->is_private || old->is_static || old->result != MINI_VOID ||
        has_name(&maker->program->classes[class], old->name)) {
        declare_method(maker, class, method);
        return;
    }
    *method = *old;
    method->types[0] = (uint8_t) class;
    method->local_count = method->parameter_count;
    if (chance(maker, 20))
        method->is_synchronized = !method->is_synchronized;
    if (chance(maker, 10))
        method->require_count = 0;
    if (mistake(maker, 5))
        add_requires(maker, class, method);
    add_locals(maker, method);
}

/* A getter of a field that holds an object. */
static void declare_getter(struct maker *maker, unsigned class, struct mini_method *method)
{
    static struct paths paths;
    method->name = maker->program->next_name++;
    method->parameter_count = method->local_count = 1;
    method->types[0] = (uint8_t) class;
    method->result = MINI_VOID;
    paths.count = 0;
    add_reached(maker, &paths, &self, class, 1, chance(maker, 80));
    const struct mini_path *path = &paths.items[draw(maker, paths.count)];
    const unsigned type = mini_path_type(maker->program, method->types, path);
    if (!mini_is_class(type) || maker->program->classes[type].has_formal)
        return;
    method->result = (uint8_t)type;
    method->returned = *path;
    method->is_synchronized = chance(maker, 10);
}

/* A private method for constructors, which need no lock to write their object. */
static void declare_helper(struct maker *maker, unsigned class, struct mini_method *method)
{
    method->name = maker->program->next_name++;
    method->is_helper = method->is_private = true;
    method->result = MINI_VOID;
    method->types[0] = (uint8_t) class;
    method->parameter_count = method->local_count = 1;
}

static void declare_methods(struct maker *maker, unsigned class)
{
    struct mini_class *it = &maker->program->classes[class];
    for (unsigned count = 1 + draw(maker, 3); count; count--) {
        struct mini_method *method = &it->methods[it->method_count++];
        if (it->superclass != MINI_OBJECT && chance(maker, 50) &&
            maker->program->classes[it->superclass].method_count > 1)
            override_method(maker, class, method);
        else if (chance(maker, 15))
            declare_getter(maker, class, method);
        else
            declare_method(maker, class, method);
    }
    if (chance(maker, 20) && !it->has_formal)
        declare_helper(maker, class, &it->methods[it->method_count++]);
}

/* ---- fields ---- */

/* A lock for the fields of the class: a path from `this`, or something static. */
static bool pick_guard(struct maker *maker, unsigned class, bool is_static, struct mini_path *guard)
{
    static struct paths paths;
    paths.count = 0;
    if (!is_static)
        add_reached(maker, &paths, &self, class, 2, !mistake(maker, 2));
    add_statics(maker, &paths);
    if (is_static || chance(maker, 8))
        add_path(&paths, &(struct mini_path){.base = MINI_CLASS, .number = (uint8_t) class});
    for (unsigned tries = 0; tries < 10 && paths.count; tries++) {
        const struct mini_path *path = &paths.items[draw(maker, paths.count)];
        const uint8_t types[] = {(uint8_t) class};
        const unsigned type = mini_path_type(maker->program, types, path);
        if (mini_is_class(type) && maker->program->classes[type].has_formal)
            continue;
        if (path->count && path->steps[0].class == class &&
            path->steps[0].field + 1u == maker->program->classes[class].field_count)
            continue; /* by itself: that is about what it refers to */
        *guard = *path;
        return true;
    }
    return false;
}

static struct mini_field *new_field(struct mini_class *class, unsigned type)
{
    struct mini_field *field = &class->fields[class->field_count++];
    field->type = (uint8_t)type;
    return field;
}

static void guard_field(struct maker *maker, unsigned class, struct mini_field *field)
{
    if (maker->program->classes[class].has_formal && !field->is_static && chance(maker, 85)) {
        field->locks[field->lock_count++] = (struct mini_path){.base = MINI_GHOST};
        field->guard = MINI_GUARDED;
        return;
    }
    for (unsigned count = chance(maker, 8) ? 2 : 1; count; count--)
        if (!pick_guard(maker, class, field->is_static, &field->locks[field->lock_count]))
            field->locks[field->lock_count++] =
                (struct mini_path){.base = MINI_CLASS, .number = (uint8_t) class};
        else
            field->lock_count++;
    field->guard = MINI_GUARDED;
    if (field->type == MINI_INT && chance(maker, 12)) {
        field->guard = MINI_WRITE_GUARDED;
        field->is_volatile = chance(maker, 50);
    }
}

static void add_lock_field(struct maker *maker, unsigned class, bool is_static)
{
    static const uint8_t types[] = {MINI_OBJECT, MINI_OBJECT, MINI_MUTEX, MINI_READ_WRITE};
    struct mini_class *it = &maker->program->classes[class];
    struct mini_field *field = new_field(it, types[draw(maker, 4)]);
    field->origin = MINI_FROM_NEW;
    field->is_static = is_static;
    field->is_constant = true;
    field->is_final = chance(maker, 94);
    if (!is_static && field->type == MINI_OBJECT && chance(maker, 30) && !it->has_formal)
        field->origin = MINI_FROM_PARAMETER;
}

/* An object that belongs to this one; or to a lock that it has. */
static void add_part(struct maker *maker, unsigned class, unsigned type, bool is_constant)
{
    struct mini_field *field = new_field(&maker->program->classes[class], type);
    field->is_constant = field->is_final = is_constant;
    field->origin = is_constant ? MINI_FROM_NEW : MINI_FROM_NOTHING;
    field->owned = true;
    field->owner = self;
    if (maker->program->classes[class].has_formal)
        field->owner = (struct mini_path){.base = MINI_GHOST};
    else if (chance(maker, 40))
        pick_guard(maker, class, false, &field->owner);
    if (!is_constant)
        guard_field(maker, class, field);
}

static void add_reference(struct maker *maker, unsigned class, unsigned type, bool is_constant)
{
    struct mini_class *it = &maker->program->classes[class];
    if (maker->program->classes[type].has_formal) {
        add_part(maker, class, type, is_constant && type != class);
        return;
    }
    if (is_constant && (type >= class || it->has_formal))
        return;
    struct mini_field *field = new_field(it, type);
    field->is_constant = is_constant;
    if (is_constant) {
        field->is_final = chance(maker, 94);
        field->origin = MINI_FROM_PARAMETER;
    } else {
        guard_field(maker, class, field);
    }
}

static void declare_constructor(struct maker *maker, unsigned class)
{
    struct mini_class *it = &maker->program->classes[class];
    struct mini_method *method = &it->methods[0];
    method->is_constructor = true;
    method->result = MINI_VOID;
    method->types[0] = (uint8_t) class;
    method->parameter_count = 1;
    if (it->superclass != MINI_OBJECT) {
        const struct mini_method *above = &maker->program->classes[it->superclass].methods[0];
        memcpy(method->types + 1, above->types + 1, above->parameter_count - 1u);
        method->parameter_count = above->parameter_count;
    }
    for (unsigned i = 0; i < it->field_count; i++)
        if (it->fields[i].origin == MINI_FROM_PARAMETER) {
            if (method->parameter_count == MINI_PARAMETERS) {
                it->fields[i].origin = MINI_FROM_NOTHING; /* stays null */
                continue;
            }
            method->types[method->parameter_count++] = it->fields[i].type;
        }
    method->local_count = method->parameter_count;
    it->method_count = 1;
}

static void declare_shared(struct maker *maker, unsigned class)
{
    struct mini_class *it = &maker->program->classes[class];
    if (class && !it->has_formal && chance(maker, 25)) {
        const unsigned above = draw(maker, class);
        if (!maker->program->classes[above].has_formal &&
            maker->program->classes[above].superclass == MINI_OBJECT)
            it->superclass = (uint8_t)above;
    }
    for (unsigned count = draw(maker, 3); count && !it->has_formal; count--)
        add_lock_field(maker, class, false);
    if (chance(maker, 30))
        add_lock_field(maker, class, true);
    if (class && chance(maker, 60))
        add_reference(maker, class, draw(maker, class), true);
    if (chance(maker, 35))
        add_reference(maker, class, draw(maker, class + 1), false);
    for (unsigned count = 1 + draw(maker, 2); count; count--)
        guard_field(maker, class, new_field(it, MINI_INT));
    if (chance(maker, 20)) {
        struct mini_field *field = new_field(it, MINI_INT);
        field->is_static = true;
        guard_field(maker, class, field);
    }
    declare_constructor(maker, class);
    declare_methods(maker, class);
}

/* A worker knows some of what is shared, and may be shared itself. */
static void declare_worker(struct maker *maker, unsigned class)
{
    struct mini_class *it = &maker->program->classes[class];
    it->is_worker = true;
    for (unsigned shared = 0; shared < maker->shared_count; shared++)
        if (chance(maker, 85))
            add_reference(maker, class, shared, true);
    add_reference(maker, class, pick_class(maker), true);
    if (chance(maker, 40))
        guard_field(maker, class, new_field(it, MINI_INT));
    declare_constructor(maker, class);
    struct mini_method *run = &it->methods[it->method_count++];
    run->name = maker->program->next_name++;
    run->is_run = true;
    run->result = MINI_VOID;
    run->types[0] = (uint8_t) class;
    run->parameter_count = run->local_count = 1;
    run->is_synchronized = chance(maker, 10);
    if (mistake(maker, 3))
        add_requires(maker, class, run);
    add_locals(maker, run);
}

/* ---- Main ---- */

static uint16_t *append(struct maker *maker, uint16_t *end, uint16_t number)
{
    *end = number;
    if (!number)
        return end;
    return &maker->program->statements[number].next;
}

/* An object in a new local, or 0. Only what is there already can be passed. */
static uint16_t make_object(struct maker *maker, unsigned class)
{
    struct mini_method *main = maker->method;
    struct mini_path arguments[MINI_PARAMETERS];
    const struct mini_step member = {(uint8_t) class, 0};
    const struct mini_method *constructor = mini_method_of(maker->program, member);
    if (main->local_count == MINI_LOCALS || !pick_arguments(maker, constructor, arguments))
        return 0;
    const uint16_t number = new_statement(maker, MINI_NEW);
    if (!number)
        return 0;
    maker->program->statements[number].local = main->local_count;
    maker->program->statements[number].member = member;
    set_arguments(maker, number, constructor, arguments);
    main->types[main->local_count++] = (uint8_t) class;
    return number;
}

static void make_main(struct maker *maker, unsigned class)
{
    struct mini_class *it = &maker->program->classes[class];
    struct mini_method *main = &it->methods[1];
    it->is_main = true;
    declare_constructor(maker, class);
    it->method_count = 2;
    main->is_main = main->is_static = true;
    main->result = MINI_VOID;
    main->parameter_count = main->local_count = 1;
    main->types[0] = MINI_VOID;
    begin_method(maker, class, main);
    uint16_t *end = &main->body;
    for (unsigned shared = 0; shared < maker->shared_count; shared++)
        for (unsigned count = maker->program->classes[shared].has_formal ? 0 : 1 + draw(maker, 2);
             count; count--)
            end = append(maker, end, make_object(maker, shared));
    maker->left = 3;
    if (chance(maker, 30))
        end = append(maker, end, make_access(maker));
    for (unsigned threads = 2 + draw(maker, 2), worker = maker->shared_count; threads; threads--) {
        const uint16_t made = make_object(maker, worker);
        end = append(maker, end, made);
        for (unsigned times = chance(maker, 25) ? 2 : 1; made && times; times--) {
            const uint16_t start = new_statement(maker, MINI_START);
            if (start)
                maker->program->statements[start].path = (struct mini_path){
                    .base = MINI_LOCAL, .number = maker->program->statements[made].local};
            end = append(maker, end, start);
        }
        if (++worker == class)
            worker = maker->shared_count;
    }
    if (chance(maker, 40)) {
        maker->left = 6;
        end = append(maker, end, make_block(maker, 2));
    }
}

void random_program_make(struct mini_program *program, uint64_t seed)
{
    struct maker maker = {.program = program, .random = seed * 0x9E3779B97F4A7C15u + 1};
    memset(program, 0, sizeof *program);
    program->statement_count = 1;
    maker.mistakes = chance(&maker, 25) ? 0 : chance(&maker, 75) ? 1 : 2;
    maker.shared_count = 1 + draw(&maker, 3);
    const unsigned workers = 1 + draw(&maker, 2);
    program->class_count = (uint8_t)(maker.shared_count + workers + 1);
    for (unsigned class = 0; class < program->class_count; class ++)
        program->classes[class].superclass = MINI_OBJECT;
    for (unsigned class = 0; class + 1u < maker.shared_count; class ++)
        program->classes[class].has_formal = chance(&maker, 18);
    for (unsigned class = 0; class < maker.shared_count; class ++)
        declare_shared(&maker, class);
    for (unsigned class = maker.shared_count; class + 1u < program->class_count; class ++)
        declare_worker(&maker, class);
    for (unsigned class = 0; class + 1u < program->class_count; class ++)
        for (unsigned i = 0; i < program->classes[class].method_count; i++) {
            struct mini_method *method = &program->classes[class].methods[i];
            begin_method(&maker, class, method);
            if (method->is_constructor || method->is_helper)
                maker.left = draw(&maker, 4);
            if (method->result != MINI_VOID || !maker.left)
                continue;
            uint16_t *end = begin_locals(&maker, &method->body);
            *end = make_block(&maker, maker.constructing ? 1 : DEPTH);
        }
    make_main(&maker, program->class_count - 1u);
}
