#include "check/random_internal.h"

#include <string.h>

enum { DEPTH = 3 }; /* of blocks in blocks */

/* ---- methods ---- */

static void begin_method(struct random_maker *maker, unsigned class, struct mini_method *method)
{
    maker->class = class;
    maker->method = method;
    maker->constructing = method->is_constructor || method->is_helper;
    maker->held_count = 0;
    maker->loops = 0;
    maker->left = 6 + random_draw(maker, 10) + (method->is_run ? 6 : 0);
    for (unsigned i = 0; i < MINI_LOCALS; i++) {
        maker->fresh[i] = false;
        maker->owner_known[i] = i < method->parameter_count && method->owned[i];
        if (maker->owner_known[i])
            maker->owners[i] = method->owners[i];
    }
    for (unsigned i = 0; i < method->require_count; i++)
        random_hold(maker, &method->requires[i], false);
    if (method->is_synchronized && method->is_static)
        random_hold(maker, &(struct mini_path){.base = MINI_CLASS, .number = (uint8_t) class},
                    false);
    else if (method->is_synchronized)
        random_hold(maker, &random_self, false);
}

static unsigned pick_class(struct random_maker *maker)
{
    return random_draw(maker, maker->shared_count);
}

static void add_locals(struct random_maker *maker, struct mini_method *method)
{
    for (unsigned count = random_draw(maker, 3); count && method->local_count < MINI_LOCALS;
         count--)
        method->types[method->local_count++] =
            (uint8_t)(random_chance(maker, 80) ? pick_class(maker) : MINI_OBJECT);
}

/* Locks that callers hold: those that guard something of `this` or a parameter. */
static void add_requires(struct random_maker *maker, unsigned class, struct mini_method *method)
{
    maker->class = class;
    maker->method = method;
    for (unsigned i = 0; i < MINI_LOCALS; i++)
        maker->owner_known[i] = false;
    for (unsigned tries = 1 + random_draw(maker, 2); tries; tries--) {
        struct mini_path object, needed;
        struct mini_step member;
        if (!random_pick_path(maker, MINI_VOID, &object) ||
            !random_pick_field(maker, mini_path_type(maker->program, method->types, &object), true,
                               false, &member))
            continue;
        const struct mini_field *field = mini_field_of(maker->program, member);
        if (field->lock_count && method->require_count < MINI_LOCKS &&
            random_needed_lock(maker, &field->locks[0], &object, NULL, &needed))
        method->requires[method->require_count++] = needed;
    }
}

/* What the first formal of a parameter's class is: `this`, another parameter, or part of it. */
static void add_owner(struct random_maker *maker, unsigned class, struct mini_method *method,
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
        method->owners[parameter] = random_self;
}

static void declare_method(struct random_maker *maker, unsigned class, struct mini_method *method)
{
    method->name = maker->program->next_name++;
    method->result = MINI_VOID;
    method->is_static = random_chance(maker, 12);
    method->is_synchronized = random_chance(maker, 30);
    method->is_private = random_chance(maker, 15);
    method->types[0] = (uint8_t) class;
    method->parameter_count = 1;
    for (unsigned count = random_draw(maker, 3); count; count--) {
        method->types[method->parameter_count] =
            (uint8_t)(random_chance(maker, 85) ? pick_class(maker) : MINI_OBJECT);
        add_owner(maker, class, method, method->parameter_count++);
    }
    method->local_count = method->parameter_count;
    if (maker->program->classes[class].has_formal && !method->is_static &&
        !random_mistake(maker, 5))
    method->requires[method->require_count++] = (struct mini_path){.base = MINI_GHOST};
    else if (random_chance(maker, 35)) add_requires(maker, class, method);
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
static void override_method(struct random_maker *maker, unsigned class, struct mini_method *method)
{
    const struct mini_class *above =
        &maker->program->classes[maker->program->classes[class].superclass];
    const struct mini_method *old =
        &above->methods[1 + random_draw(maker, above->method_count - 1u)];
    if (old->is_private || old->is_static || old->result != MINI_VOID ||
        has_name(&maker->program->classes[class], old->name)) {
        declare_method(maker, class, method);
        return;
    }
    *method = *old;
    method->types[0] = (uint8_t) class;
    method->local_count = method->parameter_count;
    if (random_chance(maker, 20))
        method->is_synchronized = !method->is_synchronized;
    if (random_chance(maker, 10))
        method->require_count = 0;
    if (random_mistake(maker, 5))
        add_requires(maker, class, method);
    add_locals(maker, method);
}

/* A getter of a field that holds an object. */
static void declare_getter(struct random_maker *maker, unsigned class, struct mini_method *method)
{
    static struct random_paths paths;
    method->name = maker->program->next_name++;
    method->parameter_count = method->local_count = 1;
    method->types[0] = (uint8_t) class;
    method->result = MINI_VOID;
    paths.count = 0;
    random_add_reached(maker, &paths, &random_self, class, 1, random_chance(maker, 80));
    const struct mini_path *path = &paths.items[random_draw(maker, paths.count)];
    const unsigned type = mini_path_type(maker->program, method->types, path);
    if (!mini_is_class(type) || maker->program->classes[type].has_formal)
        return;
    method->result = (uint8_t)type;
    method->returned = *path;
    method->is_synchronized = random_chance(maker, 10);
}

/* A private method for constructors, which need no lock to write their object. */
static void declare_helper(struct random_maker *maker, unsigned class, struct mini_method *method)
{
    method->name = maker->program->next_name++;
    method->is_helper = method->is_private = true;
    method->result = MINI_VOID;
    method->types[0] = (uint8_t) class;
    method->parameter_count = method->local_count = 1;
}

static void declare_methods(struct random_maker *maker, unsigned class)
{
    struct mini_class *it = &maker->program->classes[class];
    for (unsigned count = 1 + random_draw(maker, 3); count; count--) {
        struct mini_method *method = &it->methods[it->method_count++];
        if (it->superclass != MINI_OBJECT && random_chance(maker, 50) &&
            maker->program->classes[it->superclass].method_count > 1)
            override_method(maker, class, method);
        else if (random_chance(maker, 15))
            declare_getter(maker, class, method);
        else
            declare_method(maker, class, method);
    }
    if (random_chance(maker, 20) && !it->has_formal)
        declare_helper(maker, class, &it->methods[it->method_count++]);
}

/* ---- fields ---- */

/* A lock for the fields of the class: a path from `this`, or something static. */
static bool pick_guard(struct random_maker *maker, unsigned class, bool is_static,
                       struct mini_path *guard)
{
    static struct random_paths paths;
    paths.count = 0;
    if (!is_static)
        random_add_reached(maker, &paths, &random_self, class, 2, !random_mistake(maker, 2));
    random_add_statics(maker, &paths);
    if (is_static || random_chance(maker, 8))
        random_add_path(&paths, &(struct mini_path){.base = MINI_CLASS, .number = (uint8_t) class});
    for (unsigned tries = 0; tries < 10 && paths.count; tries++) {
        const struct mini_path *path = &paths.items[random_draw(maker, paths.count)];
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

static void guard_field(struct random_maker *maker, unsigned class, struct mini_field *field)
{
    if (maker->program->classes[class].has_formal && !field->is_static &&
        random_chance(maker, 85)) {
        field->locks[field->lock_count++] = (struct mini_path){.base = MINI_GHOST};
        field->guard = MINI_GUARDED;
        return;
    }
    for (unsigned count = random_chance(maker, 8) ? 2 : 1; count; count--)
        if (!pick_guard(maker, class, field->is_static, &field->locks[field->lock_count]))
            field->locks[field->lock_count++] =
                (struct mini_path){.base = MINI_CLASS, .number = (uint8_t) class};
        else
            field->lock_count++;
    field->guard = MINI_GUARDED;
    if (field->type == MINI_INT && random_chance(maker, 12)) {
        field->guard = MINI_WRITE_GUARDED;
        field->is_volatile = random_chance(maker, 50);
    }
}

static void add_lock_field(struct random_maker *maker, unsigned class, bool is_static)
{
    static const uint8_t types[] = {MINI_OBJECT, MINI_OBJECT, MINI_MUTEX, MINI_READ_WRITE};
    struct mini_class *it = &maker->program->classes[class];
    struct mini_field *field = new_field(it, types[random_draw(maker, 4)]);
    field->origin = MINI_FROM_NEW;
    field->is_static = is_static;
    field->is_constant = true;
    field->is_final = random_chance(maker, 94);
    if (!is_static && field->type == MINI_OBJECT && random_chance(maker, 30) && !it->has_formal)
        field->origin = MINI_FROM_PARAMETER;
}

/* An object that belongs to this one; or to a lock that it has. */
static void add_part(struct random_maker *maker, unsigned class, unsigned type, bool is_constant)
{
    struct mini_field *field = new_field(&maker->program->classes[class], type);
    field->is_constant = field->is_final = is_constant;
    field->origin = is_constant ? MINI_FROM_NEW : MINI_FROM_NOTHING;
    field->owned = true;
    field->owner = random_self;
    if (maker->program->classes[class].has_formal)
        field->owner = (struct mini_path){.base = MINI_GHOST};
    else if (random_chance(maker, 40))
        pick_guard(maker, class, false, &field->owner);
    if (!is_constant)
        guard_field(maker, class, field);
}

static void add_reference(struct random_maker *maker, unsigned class, unsigned type,
                          bool is_constant)
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
        field->is_final = random_chance(maker, 94);
        field->origin = MINI_FROM_PARAMETER;
    } else {
        guard_field(maker, class, field);
    }
}

static void declare_constructor(struct random_maker *maker, unsigned class)
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

static void declare_shared(struct random_maker *maker, unsigned class)
{
    struct mini_class *it = &maker->program->classes[class];
    if (class && !it->has_formal && random_chance(maker, 25)) {
        const unsigned above = random_draw(maker, class);
        if (!maker->program->classes[above].has_formal &&
            maker->program->classes[above].superclass == MINI_OBJECT)
            it->superclass = (uint8_t)above;
    }
    for (unsigned count = random_draw(maker, 3); count && !it->has_formal; count--)
        add_lock_field(maker, class, false);
    if (random_chance(maker, 30))
        add_lock_field(maker, class, true);
    if (class && random_chance(maker, 60))
        add_reference(maker, class, random_draw(maker, class), true);
    if (random_chance(maker, 35))
        add_reference(maker, class, random_draw(maker, class + 1), false);
    for (unsigned count = 1 + random_draw(maker, 2); count; count--)
        guard_field(maker, class, new_field(it, MINI_INT));
    if (random_chance(maker, 20)) {
        struct mini_field *field = new_field(it, MINI_INT);
        field->is_static = true;
        guard_field(maker, class, field);
    }
    declare_constructor(maker, class);
    declare_methods(maker, class);
}

/* A worker knows some of what is shared, and may be shared itself. */
static void declare_worker(struct random_maker *maker, unsigned class)
{
    struct mini_class *it = &maker->program->classes[class];
    it->is_worker = true;
    for (unsigned shared = 0; shared < maker->shared_count; shared++)
        if (random_chance(maker, 85))
            add_reference(maker, class, shared, true);
    add_reference(maker, class, pick_class(maker), true);
    if (random_chance(maker, 40))
        guard_field(maker, class, new_field(it, MINI_INT));
    declare_constructor(maker, class);
    struct mini_method *run = &it->methods[it->method_count++];
    run->name = maker->program->next_name++;
    run->is_run = true;
    run->result = MINI_VOID;
    run->types[0] = (uint8_t) class;
    run->parameter_count = run->local_count = 1;
    run->is_synchronized = random_chance(maker, 10);
    if (random_mistake(maker, 3))
        add_requires(maker, class, run);
    add_locals(maker, run);
}

/* ---- Main ---- */

static uint16_t *append(struct random_maker *maker, uint16_t *end, uint16_t number)
{
    *end = number;
    if (!number)
        return end;
    return &maker->program->statements[number].next;
}

/* An object in a new local, or 0. Only what is there already can be passed. */
static uint16_t make_object(struct random_maker *maker, unsigned class)
{
    struct mini_method *main = maker->method;
    struct mini_path arguments[MINI_PARAMETERS];
    const struct mini_step member = {(uint8_t) class, 0};
    const struct mini_method *constructor = mini_method_of(maker->program, member);
    if (main->local_count == MINI_LOCALS || !random_pick_arguments(maker, constructor, arguments))
        return 0;
    const uint16_t number = random_new_statement(maker, MINI_NEW);
    if (!number)
        return 0;
    maker->program->statements[number].local = main->local_count;
    maker->program->statements[number].member = member;
    random_set_arguments(maker, number, constructor, arguments);
    main->types[main->local_count++] = (uint8_t) class;
    return number;
}

static void make_main(struct random_maker *maker, unsigned class)
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
        for (unsigned count =
                 maker->program->classes[shared].has_formal ? 0 : 1 + random_draw(maker, 2);
             count; count--)
            end = append(maker, end, make_object(maker, shared));
    maker->left = 3;
    if (random_chance(maker, 30))
        end = append(maker, end, random_make_access(maker));
    for (unsigned threads = 2 + random_draw(maker, 2), worker = maker->shared_count; threads;
         threads--) {
        const uint16_t made = make_object(maker, worker);
        end = append(maker, end, made);
        for (unsigned times = random_chance(maker, 25) ? 2 : 1; made && times; times--) {
            const uint16_t start = random_new_statement(maker, MINI_START);
            if (start)
                maker->program->statements[start].path = (struct mini_path){
                    .base = MINI_LOCAL, .number = maker->program->statements[made].local};
            end = append(maker, end, start);
        }
        if (++worker == class)
            worker = maker->shared_count;
    }
    if (random_chance(maker, 40)) {
        maker->left = 6;
        end = append(maker, end, random_make_block(maker, 2));
    }
}

void random_program_make(struct mini_program *program, uint64_t seed)
{
    struct random_maker maker = {.program = program, .random = seed * 0x9E3779B97F4A7C15u + 1};
    memset(program, 0, sizeof *program);
    program->statement_count = 1;
    maker.mistakes = random_chance(&maker, 25) ? 0 : random_chance(&maker, 75) ? 1 : 2;
    maker.shared_count = 1 + random_draw(&maker, 3);
    const unsigned workers = 1 + random_draw(&maker, 2);
    program->class_count = (uint8_t)(maker.shared_count + workers + 1);
    for (unsigned class = 0; class < program->class_count; class ++)
        program->classes[class].superclass = MINI_OBJECT;
    for (unsigned class = 0; class + 1u < maker.shared_count; class ++)
        program->classes[class].has_formal = random_chance(&maker, 18);
    for (unsigned class = 0; class < maker.shared_count; class ++)
        declare_shared(&maker, class);
    for (unsigned class = maker.shared_count; class + 1u < program->class_count; class ++)
        declare_worker(&maker, class);
    for (unsigned class = 0; class + 1u < program->class_count; class ++)
        for (unsigned i = 0; i < program->classes[class].method_count; i++) {
            struct mini_method *method = &program->classes[class].methods[i];
            begin_method(&maker, class, method);
            if (method->is_constructor || method->is_helper)
                maker.left = random_draw(&maker, 4);
            if (method->result != MINI_VOID || !maker.left)
                continue;
            uint16_t *end = random_begin_locals(&maker, &method->body);
            *end = random_make_block(&maker, maker.constructing ? 1 : DEPTH);
        }
    make_main(&maker, program->class_count - 1u);
}
