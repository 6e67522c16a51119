/*
 * The default rules of Race Free Java for what nobody has declared: a class without annotations and
 * without synchronized methods is thread-local; fields of other classes are guarded by their
 * object, static fields by their class. (The fourth rule, that a guard of a class counts for its
 * fields, is part of binding.)
 */
#include "locktypes/lock_types_internal.h"
#include "program/hierarchy.h"

static bool is_declared(const struct lock_types *types, uint32_t class_id)
{
    const struct program_class *class = &types->program->classes[class_id];
    uint64_t unused;
    if (lock_types_class(types, class_id)->declared)
        return true;
    for (uint32_t i = 0; i < class->field_count; i++)
        if (intmap_get(&types->fields, class->first_field + i, &unused))
            return true;
    for (uint32_t i = 0; i < class->method_count; i++)
        if (lock_types_declares_method(types, class->first_method + i))
            return true;
    return false;
}

static bool has_synchronized_method(const struct program *program, uint32_t class_id)
{
    const struct program_class *class = &program->classes[class_id];
    for (uint32_t i = 0; i < class->method_count; i++)
        if (program->methods[class->first_method + i].access & ACCESS_SYNCHRONIZED)
            return true;
    return false;
}

/* Interfaces have no state, and the constants of an enum are everybody's. */
static bool is_thread_local(const struct lock_types *types, uint32_t class_id)
{
    const struct program *program = types->program;
    uint32_t thread = program_find_class(program, TEXT("java/lang/Thread"));
    return class_id != program->object &&
           !(program->classes[class_id].access & (ACCESS_INTERFACE | ACCESS_ENUM)) &&
           !hierarchy_is_subclass(program, class_id, thread) &&
           !has_synchronized_method(program, class_id) && !is_declared(types, class_id);
}

static void default_nature(struct lock_types *types, uint32_t class_id)
{
    bool confined = is_thread_local(types, class_id);
    struct class_entry *entry = lock_types_make_class(types, class_id);
    if (!entry || entry->locks.nature != NATURE_NONE)
        return;
    entry->locks.nature_source = SOURCE_DEFAULT;
    if (confined)
        entry->locks.nature = NATURE_THREAD_LOCAL;
    else
        entry->locks.shared = true;
}

static bool wants_guard(const struct lock_types *types, uint32_t class_id, uint32_t field)
{
    uint16_t access = types->program->fields[field].access;
    if ((access & (ACCESS_VOLATILE | ACCESS_SYNTHETIC)) || lock_types_is_final(types, field) ||
        lock_types_field(types, field)->guard != GUARD_NONE)
        return false;
    if (access & ACCESS_STATIC)
        return true;
    enum class_nature nature = lock_types_nature(types, class_id);
    return nature == NATURE_NONE || nature == NATURE_SAFE;
}

/* The lists are the same for all fields of a class. */
struct default_guard {
    term *lock;
    struct text *written;
};

static struct default_guard make_guard(struct lock_types *types, enum term_kind kind,
                                       uint32_t number, struct text written)
{
    struct default_guard guard = {ARENA_NEW(&types->arena, term),
                                  ARENA_NEW(&types->arena, struct text)};
    if (!guard.lock || !guard.written) {
        types->failed = true;
        return guard;
    }
    *guard.lock = term_make(&types->terms, kind, number, 0);
    *guard.written = written;
    if (*guard.lock == TERM_NONE)
        types->failed = true;
    return guard;
}

static struct text class_lock_name(struct lock_types *types, uint32_t class_id)
{
    struct builder name;
    struct term_printer printer = {.program = types->program, .table = &types->terms};
    builder_init(&name);
    term_print(&printer, term_make(&types->terms, TERM_CLASS, class_id, 0), &name);
    struct text result = text_copy(&types->arena, builder_text(&name));
    types->failed |= name.failed;
    builder_release(&name);
    return result;
}

static void default_guards(struct lock_types *types, uint32_t class_id)
{
    const struct program *program = types->program;
    const struct program_class *class = &program->classes[class_id];
    struct default_guard guards[2] = {{NULL, NULL}, {NULL, NULL}}; /* of objects, of the class */
    for (uint32_t i = 0; i < class->field_count && !types->failed; i++) {
        uint32_t field = class->first_field + i;
        if (!wants_guard(types, class_id, field))
            continue;
        bool is_static = program->fields[field].access & ACCESS_STATIC;
        struct default_guard *guard = &guards[is_static];
        if (!guard->lock)
            *guard = is_static
                         ? make_guard(types, TERM_CLASS, class_id, class_lock_name(types, class_id))
                         : make_guard(types, TERM_PARAMETER, 0, TEXT("this"));
        struct field_entry *entry = lock_types_make_field(types, field);
        if (!entry || types->failed)
            return;
        entry->locks.guard = GUARD_ALWAYS;
        entry->locks.basis = FINDING_BASIS_DEFAULT;
        entry->locks.locks = (struct term_list){guard->lock, 1};
        entry->locks.written = guard->written;
    }
}

void bind_defaults(struct lock_types *types)
{
    /* All natures first: fields of subclasses ask for them. */
    for (uint32_t id = 0; id < types->program->application_count && !types->failed; id++)
        default_nature(types, id);
    for (uint32_t id = 0; id < types->program->application_count && !types->failed; id++)
        default_guards(types, id);
}
