#include "check/random_internal.h"

#include <string.h>

/* ---- statements ---- */

uint16_t random_new_statement(struct random_maker *maker, enum mini_kind kind)
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

static enum mini_kind pick_lock_kind(struct random_maker *maker, unsigned type)
{
    static const enum mini_kind kinds[] = {MINI_LOCKED, MINI_FINALLY, MINI_FINALLY, MINI_TRY_LOCK};
    const bool is_lock = type == MINI_MUTEX || type == MINI_READ_WRITE;
    return is_lock && !random_mistake(maker, 5) ? kinds[random_draw(maker, 4)] : MINI_SYNCHRONIZED;
}

/* The statement under the lock. */
static uint16_t wrap(struct random_maker *maker, uint16_t inner, const struct mini_path *lock,
                     bool write)
{
    const unsigned type = mini_path_type(maker->program, maker->method->types, lock);
    const uint16_t number = random_new_statement(maker, pick_lock_kind(maker, type));
    if (!number)
        return inner;
    struct mini_statement *statement = &maker->program->statements[number];
    statement->path = *lock;
    statement->body = inner;
    if (type == MINI_READ_WRITE && statement->kind != MINI_SYNCHRONIZED)
        statement->shared = write ? random_mistake(maker, 10) : random_chance(maker, 60);
    return number;
}

static uint16_t wrap_all(struct random_maker *maker, uint16_t inner, const struct mini_path *locks,
                         unsigned count, const struct mini_path *object,
                         const struct mini_path *arguments, bool write)
{
    const unsigned forgotten = arguments ? 30 : 12; /* of 100; calls are rarer */
    for (unsigned i = 0; inner && i < count; i++) {
        struct mini_path needed;
        if (!random_needed_lock(maker, &locks[i], object, arguments, &needed) ||
            needed.base == MINI_GHOST || random_is_held(maker, &needed, write) ||
            random_mistake(maker, forgotten))
            continue;
        inner = wrap(maker, inner, &needed, write);
    }
    return inner;
}

static uint16_t guard_access(struct random_maker *maker, uint16_t number)
{
    const struct mini_statement *statement = &maker->program->statements[number];
    const struct mini_field *field = mini_field_of(maker->program, statement->member);
    const bool write = statement->kind != MINI_READ;
    const struct mini_path object = statement->path;
    if (field->guard == MINI_WRITE_GUARDED && !write && random_chance(maker, 80))
        return number;
    if (maker->constructing && object.base == MINI_LOCAL && !object.number && !object.count)
        return number;
    if (object.base == MINI_LOCAL && !object.count && maker->fresh[object.number] &&
        random_chance(maker, 80))
        return number;
    return wrap_all(maker, number, field->locks, field->lock_count, &object, NULL, write);
}

bool random_pick_field(struct random_maker *maker, unsigned class, bool whole_number,
                       bool is_static, struct mini_step *result)
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
        *result = found[random_draw(maker, count)];
    return count > 0;
}

uint16_t random_make_access(struct random_maker *maker)
{
    struct mini_path path = {.base = MINI_NULL};
    struct mini_step member;
    if (random_chance(maker, 15)) {
        if (!random_pick_field(maker, random_draw(maker, maker->shared_count), true, true, &member))
            return 0;
    } else if (!random_pick_path(maker, MINI_VOID, &path) ||
               !random_pick_field(maker,
                                  mini_path_type(maker->program, maker->method->types, &path), true,
                                  false, &member)) {
        return 0;
    }
    const uint16_t number =
        random_new_statement(maker, random_chance(maker, 50) ? MINI_READ : MINI_WRITE);
    if (!number)
        return 0;
    maker->program->statements[number].path = path;
    maker->program->statements[number].member = member;
    return guard_access(maker, number);
}

static uint16_t make_store(struct random_maker *maker)
{
    struct mini_path path, value = {.base = MINI_NULL};
    struct mini_step member;
    if (!random_pick_path(maker, MINI_VOID, &path) ||
        !random_pick_field(maker, mini_path_type(maker->program, maker->method->types, &path),
                           false, false, &member))
        return 0;
    const struct mini_field *field = mini_field_of(maker->program, member);
    if (random_chance(maker, 90) && !random_pick_path(maker, field->type, &value))
        return 0;
    const uint16_t number = random_new_statement(maker, MINI_STORE);
    if (!number)
        return 0;
    maker->program->statements[number].path = path;
    maker->program->statements[number].member = member;
    maker->program->statements[number].value = value;
    random_show(maker, &value);
    return guard_access(maker, number);
}

/* A local that is no parameter, most of the time. */
static bool pick_local(struct random_maker *maker, unsigned *local)
{
    const struct mini_method *method = maker->method;
    const unsigned first = random_chance(maker, 90) ? method->parameter_count : 1;
    if (first >= method->local_count || method->is_main)
        return false;
    *local = first + random_draw(maker, method->local_count - first);
    return true;
}

/* A local gets what a path denotes: with the locks that reading it takes. */
static uint16_t make_assign(struct random_maker *maker)
{
    unsigned local;
    struct mini_path value, object, owner;
    if (!pick_local(maker, &local))
        return 0;
    const unsigned type = maker->method->types[local];
    struct mini_step member;
    bool guarded = false;
    if (!random_pick_path(maker, type, &value))
        return 0;
    if (mini_is_class(type) && random_chance(maker, 50) &&
        random_pick_path(maker, MINI_VOID, &object) &&
        random_pick_field(maker, mini_path_type(maker->program, maker->method->types, &object),
                          false, false, &member) &&
        mini_is_subclass(maker->program, mini_field_of(maker->program, member)->type, type) &&
        object.count < MINI_STEPS) {
        value = object;
        random_extend(&value, member);
        guarded = true;
    }
    uint16_t number = random_new_statement(maker, MINI_ASSIGN);
    if (!number)
        return 0;
    maker->program->statements[number].local = (uint8_t)local;
    maker->program->statements[number].value = value;
    random_show(maker, &value);
    const bool owned = random_owner_of(maker, &value, &owner);
    if (guarded) {
        const struct mini_field *field = mini_field_of(maker->program, member);
        number = wrap_all(maker, number, field->locks, field->lock_count, &object, NULL, false);
    }
    random_forget_local(maker, local);
    maker->owner_known[local] = owned && !(owner.base == MINI_LOCAL && owner.number == local);
    maker->owners[local] = owner;
    return number;
}

bool random_pick_arguments(struct random_maker *maker, const struct mini_method *method,
                           struct mini_path *arguments)
{
    for (unsigned i = 1; i < method->parameter_count; i++) {
        if (random_chance(maker, 1))
            arguments[i] = (struct mini_path){.base = MINI_NULL};
        else if (!random_pick_path(maker, method->types[i], &arguments[i]))
            return false;
    }
    return true;
}

void random_set_arguments(struct random_maker *maker, uint16_t number,
                          const struct mini_method *method, const struct mini_path *arguments)
{
    struct mini_statement *statement = &maker->program->statements[number];
    statement->argument_count = 0;
    for (unsigned i = 1; i < method->parameter_count; i++) {
        statement->arguments[statement->argument_count++] = arguments[i];
        random_show(maker, &arguments[i]);
    }
}

static uint16_t make_new(struct random_maker *maker)
{
    unsigned local;
    struct mini_path arguments[MINI_PARAMETERS];
    if (!pick_local(maker, &local) || !mini_is_class(maker->method->types[local]))
        return 0;
    const struct mini_step member = {maker->method->types[local], 0};
    const struct mini_method *constructor = mini_method_of(maker->program, member);
    if (!random_pick_arguments(maker, constructor, arguments))
        return 0;
    const uint16_t number = random_new_statement(maker, MINI_NEW);
    if (!number)
        return 0;
    maker->program->statements[number].local = (uint8_t)local;
    maker->program->statements[number].member = member;
    random_set_arguments(maker, number, constructor, arguments);
    random_forget_local(maker, local);
    maker->fresh[local] = !maker->loops;
    return number;
}

static bool pick_method(struct random_maker *maker, const struct mini_path *object, unsigned class,
                        struct mini_step *result)
{
    const unsigned choices = maker->program->classes[class].method_count;
    if (choices < 2)
        return false;
    *result = (struct mini_step){(uint8_t) class, (uint8_t)(1 + random_draw(maker, choices - 1))};
    const struct mini_method *method = mini_method_of(maker->program, *result);
    if (method->is_private && class != maker->class)
        return false;
    if (method->is_helper && !maker->method->is_helper && !random_mistake(maker, 20))
        return false;
    return !(method->is_main || method->is_run ||
             (object->base == MINI_NULL && !method->is_static));
}

/* A constructor calls one of its helpers. */
static uint16_t make_helper_call(struct random_maker *maker)
{
    const struct mini_step member = {
        (uint8_t)maker->class, (uint8_t)(maker->program->classes[maker->class].method_count - 1)};
    if (!mini_method_of(maker->program, member)->is_helper || !maker->method->is_constructor)
        return 0;
    const uint16_t number = random_new_statement(maker, MINI_CALL);
    if (!number)
        return 0;
    maker->program->statements[number].path = random_self;
    maker->program->statements[number].member = member;
    return number;
}

static uint16_t make_call(struct random_maker *maker)
{
    struct mini_path object = {.base = MINI_NULL}, arguments[MINI_PARAMETERS];
    unsigned class = random_draw(maker, maker->shared_count), local = 0;
    struct mini_step member;
    if (random_chance(maker, 85) && random_pick_path(maker, MINI_VOID, &object))
        class = mini_path_type(maker->program, maker->method->types, &object);
    if (random_chance(maker, 25) && maker->program->classes[class].superclass != MINI_OBJECT)
        class = maker->program->classes[class].superclass;
    if (!pick_method(maker, &object, class, &member))
        return 0;
    const struct mini_method *method = mini_method_of(maker->program, member);
    if (!random_pick_arguments(maker, method, arguments))
        return 0;
    if (method->result != MINI_VOID &&
        (!pick_local(maker, &local) || maker->method->types[local] != method->result))
        return 0;
    uint16_t number = random_new_statement(maker, MINI_CALL);
    if (!number)
        return 0;
    maker->program->statements[number].path = object;
    maker->program->statements[number].member = member;
    maker->program->statements[number].local = (uint8_t)local;
    random_set_arguments(maker, number, method, arguments);
    number =
        wrap_all(maker, number, method->requires, method->require_count, &object, arguments, true);
    if (method->result != MINI_VOID)
        random_forget_local(maker, local);
    return number;
}

/* ---- blocks ---- */

/* The body of a block: what it assigns and takes is not known behind it. */
static uint16_t make_body(struct random_maker *maker, unsigned depth)
{
    struct random_held before[RANDOM_HELD];
    const unsigned count = maker->held_count;
    memcpy(before, maker->held, sizeof before);
    const uint16_t body = random_make_block(maker, depth);
    /* What was held is so still, but for what begins with locals that got other values. */
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++)
        if (random_is_held(maker, &before[i].path, !before[i].shared))
            before[kept++] = before[i];
    memcpy(maker->held, before, sizeof before);
    maker->held_count = kept;
    return body;
}

static bool pick_lock(struct random_maker *maker, struct mini_path *lock)
{
    if (random_chance(maker, 15)) {
        *lock = (struct mini_path){.base = MINI_CLASS,
                                   .number = (uint8_t)random_draw(maker, maker->shared_count)};
        return true;
    }
    if (random_chance(maker, 25) && random_pick_path(maker, MINI_MUTEX, lock))
        return true;
    if (random_chance(maker, 25) && random_pick_path(maker, MINI_READ_WRITE, lock))
        return true;
    return random_pick_path(maker, MINI_OBJECT, lock);
}

static uint16_t make_locked(struct random_maker *maker, unsigned depth)
{
    struct mini_path lock;
    if (!pick_lock(maker, &lock))
        return 0;
    const unsigned type = mini_path_type(maker->program, maker->method->types, &lock);
    const uint16_t number = random_new_statement(maker, pick_lock_kind(maker, type));
    if (!number)
        return 0;
    struct mini_statement *statement = &maker->program->statements[number];
    statement->path = lock;
    statement->shared =
        type == MINI_READ_WRITE && statement->kind != MINI_SYNCHRONIZED && random_chance(maker, 30);
    const unsigned before = maker->held_count;
    random_hold(maker, &lock, statement->shared);
    statement->body = make_body(maker, depth - 1);
    if (maker->held_count > before)
        maker->held_count = before;
    if (statement->kind == MINI_TRY_LOCK && random_chance(maker, 40))
        statement->other = make_body(maker, depth - 1);
    return number;
}

static uint16_t append_to(struct random_maker *maker, uint16_t first, uint16_t number)
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
static bool open_gap(struct random_maker *maker, struct random_held *gap)
{
    if (!maker->held_count || !random_chance(maker, 30))
        return false;
    *gap = maker->held[random_draw(maker, maker->held_count)];
    if (gap->path.base == MINI_GHOST)
        return false;
    const unsigned type = mini_path_type(maker->program, maker->method->types, &gap->path);
    if (type != MINI_MUTEX && type != MINI_READ_WRITE)
        return false;
    if (!random_mistake(maker, 40))
        random_forget_held(maker, &gap->path);
    return true;
}

static uint16_t fill_gap(struct random_maker *maker, uint16_t body, const struct random_held *gap)
{
    const uint16_t give = random_new_statement(maker, MINI_UNLOCK),
                   take = random_new_statement(maker, MINI_LOCK);
    if (!take)
        return body;
    maker->program->statements[give].path = maker->program->statements[take].path = gap->path;
    maker->program->statements[give].shared = maker->program->statements[take].shared = gap->shared;
    maker->program->statements[give].next = body;
    return append_to(maker, give, take);
}

/* The next round of the loop finds another value in a local that a held lock begins with. */
static uint16_t change_held(struct random_maker *maker, uint16_t body)
{
    for (unsigned i = 0; i < maker->held_count; i++) {
        const struct mini_path *path = &maker->held[i].path;
        struct mini_path value;
        if (path->base != MINI_LOCAL || !path->number || maker->method->is_main ||
            !random_mistake(maker, 30) ||
            !random_pick_path(maker, maker->method->types[path->number], &value))
            continue;
        const uint16_t number = random_new_statement(maker, MINI_ASSIGN);
        if (!number)
            break;
        maker->program->statements[number].local = path->number;
        maker->program->statements[number].value = value;
        body = append_to(maker, body, number);
        random_forget_local(maker, path->number);
        break;
    }
    return body;
}

/* A statement that accesses a whole number of what a local denotes. */
static uint16_t make_access_of(struct random_maker *maker, unsigned local)
{
    struct mini_step member;
    if (!mini_is_class(maker->method->types[local]) ||
        !random_pick_field(maker, maker->method->types[local], true, false, &member))
        return 0;
    const uint16_t number =
        random_new_statement(maker, random_chance(maker, 40) ? MINI_READ : MINI_WRITE);
    if (!number)
        return 0;
    maker->program->statements[number].path =
        (struct mini_path){.base = MINI_LOCAL, .number = (uint8_t)local};
    maker->program->statements[number].member = member;
    return number;
}

/* A new object is put where others find it, and then used. */
static uint16_t make_published(struct random_maker *maker)
{
    const uint16_t made = make_new(maker);
    struct mini_path place;
    struct mini_step member;
    if (!made)
        return 0;
    const unsigned local = maker->program->statements[made].local;
    for (unsigned tries = 0; tries < 8; tries++) {
        if (!random_pick_path(maker, MINI_VOID, &place) ||
            (place.base == MINI_LOCAL && place.number == local) ||
            !random_pick_field(maker, mini_path_type(maker->program, maker->method->types, &place),
                               false, false, &member) ||
            mini_field_of(maker->program, member)->type != maker->method->types[local])
            continue;
        const uint16_t store = random_new_statement(maker, MINI_STORE);
        const uint16_t used = make_access_of(maker, local);
        if (!store || !used)
            return made;
        struct mini_statement *statement = &maker->program->statements[store];
        statement->path = place;
        statement->member = member;
        statement->value = (struct mini_path){.base = MINI_LOCAL, .number = (uint8_t)local};
        random_show(maker, &statement->value);
        append_to(maker, made, guard_access(maker, store));
        append_to(maker, made, guard_access(maker, used));
        return made;
    }
    return made;
}

/* A loop that goes on to another object each time; the lock is that of the first, if it is not
   taken for each. */
static uint16_t make_walk(struct random_maker *maker)
{
    unsigned local;
    struct mini_path value;
    if (!pick_local(maker, &local) || !random_pick_path(maker, maker->method->types[local], &value))
        return 0;
    const uint16_t used = make_access_of(maker, local);
    const uint16_t loop = used ? random_new_statement(maker, MINI_WHILE) : 0;
    const uint16_t next = loop ? random_new_statement(maker, MINI_ASSIGN) : 0;
    if (!next)
        return 0;
    maker->program->statements[next].local = (uint8_t)local;
    maker->program->statements[next].value = value;
    const bool outside = random_mistake(maker, 60);
    maker->program->statements[loop].body =
        append_to(maker, outside ? used : guard_access(maker, used), next);
    const struct mini_field *field =
        mini_field_of(maker->program, maker->program->statements[used].member);
    const struct mini_path object = {.base = MINI_LOCAL, .number = (uint8_t)local};
    const uint16_t whole =
        outside ? wrap_all(maker, loop, field->locks, field->lock_count, &object, NULL, true)
                : loop;
    random_forget_local(maker, local);
    return whole;
}

static uint16_t make_choice(struct random_maker *maker, unsigned depth, enum mini_kind kind)
{
    const uint16_t number = random_new_statement(maker, kind);
    if (!number)
        return 0;
    struct mini_statement *statement = &maker->program->statements[number];
    if ((kind == MINI_IF_NULL || kind == MINI_IF_SAME) &&
        !random_pick_path(maker, MINI_VOID, &statement->path))
        statement->kind = MINI_IF;
    else if (kind == MINI_IF_SAME && !random_pick_path(maker, MINI_VOID, &statement->value))
        statement->kind = MINI_IF;
    struct random_held gap;
    const bool has_gap = open_gap(maker, &gap);
    maker->loops += kind == MINI_WHILE;
    statement->body = make_body(maker, depth - 1);
    maker->loops -= kind == MINI_WHILE;
    if (kind == MINI_WHILE)
        statement->body = change_held(maker, statement->body);
    if (has_gap)
        statement->body = fill_gap(maker, statement->body, &gap);
    if (kind == MINI_TRY || (kind != MINI_WHILE && random_chance(maker, 50)))
        statement->other = make_body(maker, depth - 1);
    return number;
}

/* A lock that is taken or given up by itself. */
static uint16_t make_lock(struct random_maker *maker)
{
    struct mini_path lock;
    const bool mutex = random_chance(maker, 50);
    if (!random_pick_path(maker, mutex ? MINI_MUTEX : MINI_READ_WRITE, &lock))
        return 0;
    const uint16_t number =
        random_new_statement(maker, random_chance(maker, 50) ? MINI_LOCK : MINI_UNLOCK);
    if (!number)
        return 0;
    struct mini_statement *statement = &maker->program->statements[number];
    statement->path = lock;
    statement->shared = !mutex && random_chance(maker, 50);
    if (statement->kind == MINI_LOCK)
        random_hold(maker, &lock, statement->shared);
    return number;
}

static uint16_t make_statement(struct random_maker *maker, unsigned depth)
{
    const unsigned choice = random_draw(maker, 100);
    /* What nobody calls shows nothing. */
    if (maker->method->is_run && random_chance(maker, 40))
        return make_call(maker);
    if (choice < 36 || !depth)
        return random_make_access(maker);
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
        return make_choice(
            maker, depth,
            (enum mini_kind[]){MINI_IF, MINI_IF_NULL, MINI_IF_SAME}[random_draw(maker, 3)]);
    if (choice < 91)
        return make_choice(maker, depth, MINI_WHILE);
    if (choice < 94)
        return make_choice(maker, depth, MINI_TRY);
    if (choice < 96)
        return random_new_statement(maker, random_chance(maker, 50) ? MINI_RETURN : MINI_THROW);
    if (choice < 98)
        return maker->loops ? random_new_statement(maker, random_chance(maker, 50) ? MINI_BREAK
                                                                                   : MINI_CONTINUE)
                            : 0;
    return make_lock(maker);
}

uint16_t random_make_block(struct random_maker *maker, unsigned depth)
{
    uint16_t first = 0, last = 0;
    for (unsigned count = 2 + random_draw(maker, 4); count && maker->left; count--) {
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

uint16_t *random_begin_locals(struct random_maker *maker, uint16_t *end)
{
    const struct mini_method *method = maker->method;
    for (unsigned i = method->parameter_count; i < method->local_count; i++) {
        struct mini_path value;
        if (!random_chance(maker, 85) || !random_pick_path(maker, method->types[i], &value) ||
            (value.base == MINI_LOCAL && value.number >= i))
            continue;
        const uint16_t number = random_new_statement(maker, MINI_ASSIGN);
        if (!number)
            break;
        maker->program->statements[number].local = (uint8_t)i;
        maker->program->statements[number].value = value;
        maker->owner_known[i] = random_owner_of(maker, &value, &maker->owners[i]);
        *end = number;
        end = &maker->program->statements[number].next;
    }
    return end;
}
