#include <string.h>

#include "classfile/descriptor.h"
#include "locktypes/lock_types_internal.h"

enum { MOST_ATOMICITY_DEPTH = 64 };

static void report_no_method(const struct bind_source *from, const struct syntax_method *method)
{
    const struct program *program = from->types->program;
    const struct program_class *class = &program->classes[from->class_id];
    struct text class_name = lock_names_of_class(from->types, &from->types->arena, from->class_id);
    struct text name = method->name;
    struct near_name near;
    bool other_parameters = false;
    if (text_equal(name, TEXT("<init>")))
        name = lock_names_simple(class->name);
    near_name_init(&near, name);
    for (uint32_t i = 0; i < class->method_count; i++) {
        struct text candidate = program_method_name(program, class->first_method + i);
        other_parameters |= text_equal(candidate, method->name);
        near_name_try(&near, candidate);
    }
    if (other_parameters)
        bind_problem(from, FINDING_BAD_ANNOTATION, &method->place,
                     "no method '%.*s' of %.*s has these parameters", TEXT_ARGUMENTS(name),
                     TEXT_ARGUMENTS(class_name));
    else if (near_name_found(&near))
        bind_problem(from, FINDING_BAD_ANNOTATION, &method->place,
                     "%.*s has no method '%.*s': did you mean '%.*s'?", TEXT_ARGUMENTS(class_name),
                     TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(near.best));
    else
        bind_problem(from, FINDING_BAD_ANNOTATION, &method->place, "%.*s has no method '%.*s'",
                     TEXT_ARGUMENTS(class_name), TEXT_ARGUMENTS(name));
}

/* ---- owners ---- */

static bool names_owners(const struct syntax_method *method)
{
    for (uint32_t i = 0; i < method->parameter_count; i++)
        if (method->parameters[i].type.owners.count)
            return true;
    return method->result.owners.count > 0;
}

static void bind_method_owners(const struct bind_source *from, struct expression_context *context,
                               struct method_entry *entry, const struct syntax_method *method)
{
    const struct program *program = from->types->program;
    uint32_t first = !context->is_static;
    uint32_t at = first;
    struct term_list *lists =
        ARENA_ARRAY(&from->types->arena, struct term_list, context->parameter_count);
    if (!lists)
        return;
    if (context->parameter_count)
        memset(lists, 0, context->parameter_count * sizeof *lists);
    if (context->parameter_count - first != method->parameter_count)
        at += context->hidden;
    context->declares = true;
    for (uint32_t i = 0; i < method->parameter_count && at + i < context->parameter_count; i++)
        lists[at + i] = bind_owners(from, context, &method->parameters[i].type.owners,
                                    lock_names_parameter_type(program, context->method, at + i));
    context->declares = false;
    entry->locks.parameter_owners = lists;
    entry->locks.result_owners =
        bind_owners(from, context, &method->result.owners,
                    descriptor_return(program_method_descriptor(program, context->method)));
}

static bool same_owners(const struct method_locks *a, const struct method_locks *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!term_lists_equal(&a->parameter_owners[i], &b->parameter_owners[i]))
            return false;
    return term_lists_equal(&a->result_owners, &b->result_owners);
}

static void merge_owners(const struct bind_source *from, struct expression_context *context,
                         struct method_entry *entry, const struct syntax_method *method)
{
    bool again;
    if (!names_owners(method) ||
        !bind_takes(&entry->owners_rank, rank_of(from->source, !method->any_parameters), &again))
        return;
    struct method_locks before = entry->locks;
    bind_method_owners(from, context, entry, method);
    if (!again || !before.parameter_owners || !entry->locks.parameter_owners)
        return;
    if (!same_owners(&before, &entry->locks, context->parameter_count))
        bind_contradiction(from, &method->place, "list of owners", &before.place);
    entry->locks.parameter_owners = before.parameter_owners;
    entry->locks.result_owners = before.result_owners;
}

/* ---- requires, effects, atomicity ---- */

static void merge_requires(const struct bind_source *from, struct expression_context *context,
                           struct method_entry *entry, const struct syntax_method *method)
{
    bool again;
    if (!method->has_requires ||
        !bind_takes(&entry->requires_rank, rank_of(from->source, !method->any_parameters), &again))
        return;
    const struct text *written;
    struct term_list locks = bind_locks(from, context, &method->requires, &written);
    if (again) {
        if (!term_lists_equal(&locks, &entry->locks.requires))
            bind_contradiction(from, &method->place, "requires clause", &entry->locks.place);
        return;
    }
    if (method->requires.count && !locks.count) {
        entry->requires_rank = 0;
        return;
    }
    entry->locks.has_requires = true;
    entry->locks.basis = (uint8_t)from->basis;
    entry->locks.requires = locks;
    entry->locks.written = written;
}

static bool same_effects(const struct method_locks *locks, const struct bound_effect *effects,
                         uint32_t count)
{
    if (locks->effect_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (locks->effects[i].kind != effects[i].kind || locks->effects[i].lock != effects[i].lock)
            return false;
    return true;
}

static void merge_effects(const struct bind_source *from, struct expression_context *context,
                          struct method_entry *entry, const struct syntax_method *method)
{
    bool again;
    if (!method->effect_count ||
        !bind_takes(&entry->effects_rank, rank_of(from->source, !method->any_parameters), &again))
        return;
    struct bound_effect *effects =
        ARENA_ARRAY(&from->types->arena, struct bound_effect, method->effect_count);
    uint32_t count = 0;
    for (uint32_t i = 0; effects && i < method->effect_count; i++) {
        /* Of all the methods of one name, some may lack the parameter. */
        term lock = bind_lock(from, context, &method->effects[i].lock, method->any_parameters);
        if (lock != TERM_NONE)
            effects[count++] = (struct bound_effect){(uint8_t)method->effects[i].kind, lock};
    }
    if (again) {
        if (!same_effects(&entry->locks, effects, count))
            bind_contradiction(from, &method->place, "list of effects", &entry->locks.place);
        return;
    }
    entry->locks.effects = effects;
    entry->locks.effect_count = count;
    if (!count)
        entry->effects_rank = 0;
}

/* Only looks whether its locks make sense. */
static bool check_atomicity(const struct bind_source *from, struct expression_context *context,
                            const struct syntax_atomicity *atomicity, unsigned depth)
{
    if (!atomicity || !atomicity->lock || depth > MOST_ATOMICITY_DEPTH)
        return true;
    bool good = bind_lock(from, context, atomicity->lock, false) != TERM_NONE;
    good &= check_atomicity(from, context, atomicity->then, depth + 1);
    return good & check_atomicity(from, context, atomicity->otherwise, depth + 1);
}

static bool same_lock(const struct syntax_lock *a, const struct syntax_lock *b)
{
    if (!a || !b)
        return a == b;
    return text_equal(a->written, b->written);
}

static bool same_atomicity(const struct syntax_atomicity *a, const struct syntax_atomicity *b,
                           unsigned depth)
{
    if (!a || !b || depth > MOST_ATOMICITY_DEPTH)
        return a == b;
    if (!same_lock(a->lock, b->lock))
        return false;
    if (!a->lock)
        return a->basic == b->basic;
    return same_atomicity(a->then, b->then, depth + 1) &&
           same_atomicity(a->otherwise, b->otherwise, depth + 1);
}

static void merge_atomicity(const struct bind_source *from, struct expression_context *context,
                            struct method_entry *entry, const struct syntax_method *method)
{
    bool again;
    if (!method->atomicity ||
        !bind_takes(&entry->atomicity_rank, rank_of(from->source, !method->any_parameters), &again))
        return;
    if (again) {
        if (!same_atomicity(method->atomicity, entry->locks.atomicity, 0))
            bind_contradiction(from, &method->place, "atomicity", &entry->locks.place);
        return;
    }
    if (!check_atomicity(from, context, method->atomicity, 0)) {
        entry->atomicity_rank = 0;
        return;
    }
    entry->locks.atomicity = method->atomicity;
    entry->locks.atomicity_method = context->method;
}

/* ---- methods ---- */

static void bind_method(const struct bind_source *class_from, const struct syntax_method *method,
                        uint32_t id)
{
    const struct program *program = class_from->types->program;
    struct method_entry *entry = lock_types_make_method(class_from->types, id);
    if (!entry)
        return;
    struct bind_source from = *class_from;
    from.member = program_method_name(program, id);
    from.signature = program_method_descriptor(program, id);
    if (method->place.line)
        from.place = method->place;
    struct expression_context context = {.types = from.types,
                                         .to = &from.types->terms,
                                         .arena = &from.types->arena,
                                         .class_id = from.class_id,
                                         .method = id,
                                         .field = PROGRAM_NONE,
                                         .method_entry = entry};
    expression_context_parameters(&context, method);
    if (!entry->locks.place.file.length)
        entry->locks.place = method->place;
    merge_owners(&from, &context, entry, method);
    merge_requires(&from, &context, entry, method);
    merge_effects(&from, &context, entry, method);
    merge_atomicity(&from, &context, entry, method);
    bind_no_warn(&from, &entry->locks.no_warn, &method->no_warn, &method->place);
}

static void bind_matching(const struct bind_source *from, const struct syntax_method *method)
{
    uint32_t id = lock_names_next_method(from->types, from->class_id, method, PROGRAM_NONE);
    if (id == PROGRAM_NONE && from->source != SOURCE_PLATFORM &&
        !from->types->program->classes[from->class_id].missing)
        report_no_method(from, method);
    for (; id != PROGRAM_NONE; id = lock_names_next_method(from->types, from->class_id, method, id))
        bind_method(from, method, id);
}

void bind_methods_of(const struct bind_source *from, const struct syntax_class *class)
{
    /* What is said of one method counts before what is said of all with its name. */
    for (uint32_t i = 0; i < class->method_count; i++)
        if (!class->methods[i].any_parameters)
            bind_matching(from, &class->methods[i]);
    for (uint32_t i = 0; i < class->method_count; i++)
        if (class->methods[i].any_parameters)
            bind_matching(from, &class->methods[i]);
}
