#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "classfile/descriptor.h"
#include "classfile/names.h"
#include "locktypes/lock_types_internal.h"

/* ---- problems ---- */

void bind_problem(const struct bind_source *from, enum finding_rule rule,
                  const struct syntax_place *place, const char *format, ...)
{
    struct lock_types *types = from->types;
    char message[600];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    size_t most = sizeof message - 1;
    struct lock_problem problem = {
        .rule = rule,
        .basis = from->basis,
        .class_id = from->class_id,
        .member = from->member,
        .signature = from->signature,
        .place = place && place->line ? *place : from->place,
        .message =
            text_copy(&types->arena, text_of(message, length < 0              ? 0
                                                      : (size_t)length < most ? (size_t)length
                                                                              : most)),
    };
    if (!vector_push(&types->problems, problem))
        types->failed = true;
}

bool bind_takes(item_rank *rank, item_rank rank_of_new, bool *again)
{
    *again = *rank == rank_of_new;
    if (rank_of_new < *rank)
        return false;
    *rank = rank_of_new;
    return true;
}

void bind_contradiction(const struct bind_source *from, const struct syntax_place *place,
                        const char *what, const struct syntax_place *other)
{
    if (other->line)
        bind_problem(from, FINDING_BAD_ANNOTATION, place, "this %s contradicts that of %.*s:%u",
                     what, TEXT_ARGUMENTS(other->file), other->line);
    else
        bind_problem(from, FINDING_BAD_ANNOTATION, place, "this %s contradicts another one of %.*s",
                     what, TEXT_ARGUMENTS(other->file));
}

/* ---- rules that are switched off ---- */

/* Rule names have dashes; in the middle of other code underscores are easier to write. */
static bool is_rule(struct text written, const char *id)
{
    if (written.length != strlen(id))
        return false;
    for (size_t i = 0; i < written.length; i++)
        if (written.bytes[i] != id[i] && !(written.bytes[i] == '_' && id[i] == '-'))
            return false;
    return true;
}

static bool is_some_rule(struct text written)
{
    for (int rule = 0; rule < FINDING_RULE_COUNT; rule++)
        if (is_rule(written, finding_rule_info((enum finding_rule)rule)->id))
            return true;
    return false;
}

bool no_warn_covers(const struct syntax_no_warn *no_warn, enum finding_rule rule)
{
    if (no_warn->all)
        return true;
    for (uint32_t i = 0; i < no_warn->count; i++)
        if (is_rule(no_warn->rules[i], finding_rule_info(rule)->id))
            return true;
    return false;
}

void bind_no_warn(const struct bind_source *from, struct syntax_no_warn *no_warn,
                  const struct syntax_no_warn *more, const struct syntax_place *place)
{
    struct arena *arena = &from->types->arena;
    no_warn->all |= more->all;
    if (!more->count)
        return;
    struct text *rules =
        ARENA_ARRAY(arena, struct text, (size_t)no_warn->count + (size_t)more->count);
    if (!rules)
        return;
    uint32_t count = no_warn->count;
    if (count)
        memcpy(rules, no_warn->rules, count * sizeof *rules);
    for (uint32_t i = 0; i < more->count; i++) {
        if (is_some_rule(more->rules[i])) {
            rules[count++] = more->rules[i];
            continue;
        }
        struct near_name near;
        near_name_init(&near, more->rules[i]);
        for (int rule = 0; rule < FINDING_RULE_COUNT; rule++)
            near_name_try(&near, text_from(finding_rule_info((enum finding_rule)rule)->id));
        bool found = near_name_found(&near);
        bind_problem(from, FINDING_BAD_ANNOTATION, place, "there is no rule '%.*s'%s%.*s%s",
                     TEXT_ARGUMENTS(more->rules[i]), found ? ": did you mean '" : "",
                     found ? (int)near.best.length : 0, near.best.bytes ? near.best.bytes : "",
                     found ? "'?" : "");
    }
    no_warn->rules = rules;
    no_warn->count = count;
}

/* ---- lists of locks and owners ---- */

bool term_lists_equal(const struct term_list *a, const struct term_list *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

term bind_lock(const struct bind_source *from, struct expression_context *context,
               const struct syntax_lock *lock, bool quiet)
{
    context->message = context->not_final = TEXT("");
    term result = expression_bind(context, lock);
    if (result == TERM_NONE && !context->message.length)
        from->types->failed = true;
    else if (result == TERM_NONE && !quiet)
        bind_problem(from, FINDING_BAD_ANNOTATION, &lock->place, "'%.*s': %.*s",
                     TEXT_ARGUMENTS(lock->written), TEXT_ARGUMENTS(context->message));
    else if (context->not_final.length && !quiet)
        bind_problem(from, FINDING_LOCK_NOT_FINAL, &lock->place, "'%.*s': %.*s",
                     TEXT_ARGUMENTS(lock->written), TEXT_ARGUMENTS(context->not_final));
    return result;
}

struct term_list bind_locks(const struct bind_source *from, struct expression_context *context,
                            const struct syntax_locks *locks, const struct text **written)
{
    struct arena *arena = &from->types->arena;
    term *items = ARENA_ARRAY(arena, term, locks->count);
    struct text *texts = ARENA_ARRAY(arena, struct text, locks->count);
    struct term_list list = {items, 0};
    *written = texts;
    if (!items || !texts)
        return list;
    for (uint32_t i = 0; i < locks->count; i++) {
        term lock = bind_lock(from, context, &locks->items[i], false);
        if (lock == TERM_NONE)
            continue;
        items[list.count] = lock;
        texts[list.count++] = locks->items[i].written;
    }
    return list;
}

static bool is_special_owner(const struct syntax_lock *lock)
{
    return lock->segment_count == 1 && !lock->qualifier &&
           (lock->segments[0].kind == SEGMENT_SELF ||
            lock->segments[0].kind == SEGMENT_THIS_THREAD ||
            lock->segments[0].kind == SEGMENT_UNIQUE || lock->segments[0].kind == SEGMENT_READONLY);
}

/* Whether so many owners fit the class; else that is reported. */
static bool owners_fit(const struct bind_source *from, const struct syntax_locks *owners,
                       uint32_t class_id, bool is_array)
{
    const struct lock_types *types = from->types;
    const struct syntax_lock *first = &owners->items[0];
    uint32_t formals =
        class_id == PROGRAM_NONE ? 0 : lock_types_class(types, class_id)->formal_count;
    if (formals == owners->count)
        return true;
    if (formals == 0 && owners->count == 1) {
        /* One owner says how an object without formals is protected. Those of classes that protect
           themselves are special; what belongs to somebody may be anything. */
        if (is_special_owner(first) || is_array || class_id == PROGRAM_NONE ||
            class_id == types->program->object || types->program->classes[class_id].missing ||
            lock_types_nature(types, class_id) == NATURE_UNGUARDED)
            return true;
    }
    struct text name = lock_names_of_class(types, &from->types->arena, class_id);
    if (formals == 0)
        bind_problem(from, FINDING_BAD_ANNOTATION, &first->place,
                     "%.*s has no formals: it takes no owners but one of self, thisThread, unique "
                     "and readonly",
                     TEXT_ARGUMENTS(name));
    else
        bind_problem(from, FINDING_BAD_ANNOTATION, &first->place,
                     "%.*s has %u formal%s, but there %s %u owner%s here", TEXT_ARGUMENTS(name),
                     formals, formals == 1 ? "" : "s", owners->count == 1 ? "is" : "are",
                     owners->count, owners->count == 1 ? "" : "s");
    return false;
}

struct term_list bind_class_owners(const struct bind_source *from,
                                   struct expression_context *context,
                                   const struct syntax_locks *owners, uint32_t class_id,
                                   bool is_array)
{
    struct term_list list = {NULL, 0};
    if (!owners->count || !owners_fit(from, owners, class_id, is_array))
        return list;
    term *items = ARENA_ARRAY(&from->types->arena, term, owners->count);
    if (!items)
        return list;
    bool was_owner = context->is_owner, complete = true;
    context->is_owner = true;
    for (uint32_t i = 0; i < owners->count; i++) {
        items[i] = bind_lock(from, context, &owners->items[i], false);
        complete &= items[i] != TERM_NONE;
    }
    context->is_owner = was_owner;
    if (complete)
        list = (struct term_list){items, owners->count};
    return list;
}

struct term_list bind_owners(const struct bind_source *from, struct expression_context *context,
                             const struct syntax_locks *owners, struct text descriptor)
{
    bool is_array = descriptor.length && descriptor.bytes[0] == '[';
    if (owners->count && descriptor.length == 1) {
        bind_problem(from, FINDING_BAD_ANNOTATION, &owners->items[0].place,
                     "a value of a primitive type has no owner");
        return (struct term_list){NULL, 0};
    }
    return bind_class_owners(from, context, owners,
                             lock_names_type_class(from->types->program, descriptor, true),
                             is_array);
}

/* ---- classes: what others need to know before they are bound ---- */

static struct bind_source source_of(struct lock_types *types,
                                    const struct declarations *declarations, uint32_t class_id,
                                    const struct syntax_class *class)
{
    return (struct bind_source){.types = types,
                                .source = declarations->source,
                                .basis = declarations->inferred ? FINDING_BASIS_INFERRED
                                                                : FINDING_BASIS_DECLARED,
                                .class_id = class_id,
                                .place = class->place};
}

static uint32_t find_declared_class(struct lock_types *types,
                                    const struct declarations *declarations,
                                    const struct syntax_class *class)
{
    bool platform = declarations->source == SOURCE_PLATFORM;
    if (class->internal_name || platform) {
        uint32_t id = program_find_class(types->program, class->name);
        if (id != PROGRAM_NONE || class->internal_name)
            return id;
    }
    return lock_names_find_class(types, class->name, PROGRAM_NONE, !platform);
}

static void report_no_class(const struct bind_source *from, const struct syntax_class *class)
{
    const struct program *program = from->types->program;
    struct near_name near;
    near_name_init(&near, class->name);
    for (uint32_t i = 0; i < program->application_count; i++) {
        near_name_try(&near, lock_names_of_class(from->types, &from->types->arena, i));
        near_name_try(&near, lock_names_simple(program->classes[i].name));
    }
    uint32_t same;
    bool ambiguous = textmap_get(&from->types->simple_names, class->name, &same) &&
                     from->types->next_of_name[same] != PROGRAM_NONE;
    if (near_name_found(&near))
        bind_problem(from, FINDING_BAD_ANNOTATION, &class->place,
                     "the program has no class '%.*s': did you mean '%.*s'?",
                     TEXT_ARGUMENTS(class->name), TEXT_ARGUMENTS(near.best));
    else if (ambiguous)
        bind_problem(from, FINDING_BAD_ANNOTATION, &class->place,
                     "the program has several classes '%.*s': say of which package",
                     TEXT_ARGUMENTS(class->name));
    else
        bind_problem(from, FINDING_BAD_ANNOTATION, &class->place, "the program has no class '%.*s'",
                     TEXT_ARGUMENTS(class->name));
}

static bool same_formals(const struct class_locks *locks, const struct syntax_class *class)
{
    if (locks->formal_count != class->formal_count)
        return false;
    for (uint32_t i = 0; i < class->formal_count; i++)
        if (!text_equal(locks->formals[i], class->formals[i].name))
            return false;
    return true;
}

static void bind_formals(const struct bind_source *from, struct class_entry *entry,
                         const struct syntax_class *class)
{
    bool again;
    if (!class->formal_count ||
        !bind_takes(&entry->formals_rank, rank_of(from->source, true), &again))
        return;
    if (again) {
        if (!same_formals(&entry->locks, class))
            bind_contradiction(from, &class->formals[0].place, "list of formals",
                               &entry->formals[0].place);
        return;
    }
    for (uint32_t i = 0; i < class->formal_count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (text_equal(class->formals[i].name, class->formals[j].name)) {
                bind_problem(from, FINDING_BAD_ANNOTATION, &class->formals[i].place,
                             "there are two formals '%.*s'",
                             TEXT_ARGUMENTS(class->formals[i].name));
                entry->formals_rank = 0;
                return;
            }
    struct text *names = ARENA_ARRAY(&from->types->arena, struct text, class->formal_count);
    bool *ghosts = ARENA_ARRAY(&from->types->arena, bool, class->formal_count);
    if (!names || !ghosts)
        return;
    for (uint32_t i = 0; i < class->formal_count; i++) {
        names[i] = class->formals[i].name;
        ghosts[i] = class->formals[i].type.length > 0;
    }
    entry->locks.ghosts = ghosts;
    entry->formals = class->formals;
    entry->locks.formals = names;
    entry->locks.formal_count = class->formal_count;
}

static const char *const nature_names[] = {"none", "thread_local", "immutable", "thread_safe",
                                           "unguarded"};

static void bind_nature(const struct bind_source *from, struct class_entry *entry,
                        const struct syntax_class *class)
{
    bool again;
    if (class->nature == NATURE_NONE ||
        !bind_takes(&entry->nature_rank, rank_of(from->source, true), &again))
        return;
    if (again) {
        if (entry->locks.nature != class->nature)
            bind_problem(from, FINDING_BAD_ANNOTATION, &class->place,
                         "the class cannot be both %s and %s", nature_names[entry->locks.nature],
                         nature_names[class->nature]);
        return;
    }
    entry->locks.nature = (uint8_t) class->nature;
    entry->locks.nature_source = (uint8_t)from->source;
}

void bind_class_heads(struct lock_types *types, const struct declarations *declarations,
                      uint32_t *class_ids)
{
    for (uint32_t i = 0; i < declarations->class_count; i++) {
        const struct syntax_class *class = &declarations->classes[i];
        uint32_t id = find_declared_class(types, declarations, class);
        struct bind_source from = source_of(types, declarations, id, class);
        class_ids[i] = id;
        if (id == PROGRAM_NONE) {
            if (declarations->source != SOURCE_PLATFORM)
                report_no_class(&from, class);
            continue;
        }
        struct class_entry *entry = lock_types_make_class(types, id);
        if (!entry)
            continue;
        if (!entry->locks.declared)
            entry->locks.place = class->place;
        entry->locks.declared = true;
        bind_formals(&from, entry, class);
        bind_nature(&from, entry, class);
        bind_no_warn(&from, &entry->locks.no_warn, &class->no_warn, &class->place);
    }
}

/* ---- classes: the rest ---- */

static struct expression_context class_context(const struct bind_source *from)
{
    return (struct expression_context){.types = from->types,
                                       .to = &from->types->terms,
                                       .arena = &from->types->arena,
                                       .class_id = from->class_id,
                                       .method = PROGRAM_NONE,
                                       .field = PROGRAM_NONE};
}

static void check_formal_types(const struct bind_source *from, const struct syntax_class *class)
{
    for (uint32_t i = 0; i < class->formal_count; i++)
        if (class->formals[i].type.length &&
            lock_names_find_class(from->types, class->formals[i].type, from->class_id, true) ==
                PROGRAM_NONE)
            bind_problem(from, FINDING_BAD_ANNOTATION, &class->formals[i].place,
                         "there is no class '%.*s'", TEXT_ARGUMENTS(class->formals[i].type));
}

static bool names_interface(const struct program *program, uint32_t class_id, struct text name)
{
    struct program_ids interfaces = program->classes[class_id].interfaces;
    for (uint32_t i = 0; i < interfaces.count; i++)
        if (names_may_be(program->classes[interfaces.items[i]].name, name))
            return true;
    return false;
}

static void bind_superclass(const struct bind_source *from, struct class_entry *entry,
                            const struct syntax_class *class)
{
    const struct program *program = from->types->program;
    const struct syntax_type *type = &class->superclass;
    uint32_t super = program->classes[from->class_id].superclass;
    struct text name = program->classes[from->class_id].name;
    bool again;
    if (names_interface(program, from->class_id, type->name))
        return; /* owners of interfaces are those of the class */
    if (type->name.length &&
        (super == PROGRAM_NONE || !names_may_be(program->classes[super].name, type->name))) {
        bind_problem(from, FINDING_BAD_ANNOTATION, &type->place,
                     names_may_be(name, type->name) ? "'%.*s' cannot extend itself"
                                                    : "'%.*s' is not the superclass",
                     TEXT_ARGUMENTS(type->name));
        return;
    }
    if (!type->owners.count || !bind_takes(&entry->super_rank, rank_of(from->source, true), &again))
        return;
    struct expression_context context = class_context(from);
    struct term_list owners = bind_class_owners(from, &context, &type->owners, super, false);
    if (!again)
        entry->locks.super_owners = owners;
    else if (!term_lists_equal(&owners, &entry->locks.super_owners))
        bind_contradiction(from, &type->place, "list of owners", &entry->locks.place);
}

static void bind_class_guard(const struct bind_source *from, struct class_entry *entry,
                             const struct syntax_class *class)
{
    bool again;
    if (class->guard.kind == GUARD_NONE ||
        !bind_takes(&entry->guard_rank, rank_of(from->source, true), &again))
        return;
    struct expression_context context = class_context(from);
    struct field_locks guard = {
        .guard = (uint8_t) class->guard.kind, .basis = (uint8_t)from->basis, .place = class->place};
    guard.locks = bind_locks(from, &context, &class->guard.locks, &guard.written);
    if (again &&
        (entry->guard.guard != guard.guard || !term_lists_equal(&entry->guard.locks, &guard.locks)))
        bind_contradiction(from, &class->place, "guard", &entry->guard.place);
    else if (!again && guard.locks.count)
        entry->guard = guard;
    else if (!again)
        entry->guard_rank = 0;
}

/* ---- fields ---- */

static void report_no_field(const struct bind_source *from, const struct syntax_field *field)
{
    const struct program *program = from->types->program;
    const struct program_class *class = &program->classes[from->class_id];
    struct text class_name = lock_names_of_class(from->types, &from->types->arena, from->class_id);
    struct near_name near;
    near_name_init(&near, field->name);
    for (uint32_t i = 0; i < class->field_count; i++)
        near_name_try(&near, program_field_name(program, class->first_field + i));
    bool found = near_name_found(&near);
    bind_problem(from, FINDING_BAD_ANNOTATION, &field->place, "%.*s has no field '%.*s'%s%.*s%s",
                 TEXT_ARGUMENTS(class_name), TEXT_ARGUMENTS(field->name),
                 found ? ": did you mean '" : "", found ? (int)near.best.length : 0,
                 near.best.bytes ? near.best.bytes : "", found ? "'?" : "");
}

/* `@GuardedBy("queue") final Deque queue` means what the field refers to: the field itself keeps
   its value, and needs no guard. */
static void name_itself(struct expression_context *context, struct term_list locks)
{
    term *items = (term *)(uintptr_t)locks.items; /* bind_locks has just made them */
    term self = term_make(context->to, TERM_PARAMETER, 0, 0);
    term own = context->is_static ? term_make(context->to, TERM_STATIC, context->field, 0)
                                  : term_make(context->to, TERM_FIELD, self, context->field);
    for (uint32_t i = 0; i < locks.count; i++)
        if (items[i] == own)
            items[i] = term_make(context->to, TERM_ITSELF, 0, 0);
}

/* Its guard; one with no lock that makes sense is none. */
static void bind_guard(const struct bind_source *from, struct expression_context *context,
                       struct field_entry *entry, const struct syntax_field *field)
{
    bool again;
    if (field->guard.kind == GUARD_NONE ||
        !bind_takes(&entry->guard_rank, rank_of(from->source, true), &again))
        return;
    const struct text *written;
    struct term_list locks = bind_locks(from, context, &field->guard.locks, &written);
    name_itself(context, locks);
    if (again) {
        if (entry->locks.guard != field->guard.kind ||
            !term_lists_equal(&entry->locks.locks, &locks))
            bind_contradiction(from, &field->place, "guard", &entry->locks.place);
        return;
    }
    if (!locks.count) {
        entry->guard_rank = 0;
        return;
    }
    entry->locks.guard = (uint8_t)field->guard.kind;
    entry->locks.basis = (uint8_t)from->basis;
    entry->locks.locks = locks;
    entry->locks.written = written;
    entry->locks.place = field->place;
}

static void bind_field(const struct bind_source *class_from, const struct syntax_field *field,
                       uint32_t id)
{
    const struct program *program = class_from->types->program;
    struct field_entry *entry = lock_types_make_field(class_from->types, id);
    if (!entry)
        return;
    struct bind_source from = *class_from;
    from.member = program_field_name(program, id);
    from.signature = program_field_descriptor(program, id);
    if (field->place.line)
        from.place = field->place;
    struct expression_context context = class_context(&from);
    context.field = id;
    context.is_static = program->fields[id].access & ACCESS_STATIC;
    if (!entry->locks.place.file.length)
        entry->locks.place = field->place;
    bind_guard(&from, &context, entry, field);
    bool again;
    if (field->type.owners.count &&
        bind_takes(&entry->owners_rank, rank_of(from.source, true), &again)) {
        struct term_list owners = bind_owners(&from, &context, &field->type.owners, from.signature);
        if (!again)
            entry->locks.owners = owners;
        else if (!term_lists_equal(&owners, &entry->locks.owners))
            bind_contradiction(&from, &field->place, "list of owners", &entry->locks.place);
    }
    bind_no_warn(&from, &entry->locks.no_warn, &field->no_warn, &field->place);
}

static void bind_fields_of(const struct bind_source *from, const struct syntax_class *class)
{
    const struct program *program = from->types->program;
    const struct program_class *found = &program->classes[from->class_id];
    for (uint32_t i = 0; i < class->field_count; i++) {
        const struct syntax_field *field = &class->fields[i];
        uint32_t id = PROGRAM_NONE;
        for (uint32_t j = 0; j < found->field_count && id == PROGRAM_NONE; j++) {
            uint32_t candidate = found->first_field + j;
            if (text_equal(program_field_name(program, candidate), field->name) &&
                (!field->descriptor.length ||
                 text_equal(program_field_descriptor(program, candidate), field->descriptor)))
                id = candidate;
        }
        if (id != PROGRAM_NONE)
            bind_field(from, field, id);
        else if (from->source != SOURCE_PLATFORM && !found->missing)
            report_no_field(from, field);
    }
}

void bind_class_bodies(struct lock_types *types, const struct declarations *declarations,
                       const uint32_t *class_ids)
{
    for (uint32_t i = 0; i < declarations->class_count; i++) {
        const struct syntax_class *class = &declarations->classes[i];
        if (class_ids[i] == PROGRAM_NONE)
            continue;
        struct bind_source from = source_of(types, declarations, class_ids[i], class);
        struct class_entry *entry = lock_types_make_class(types, class_ids[i]);
        if (!entry)
            continue;
        check_formal_types(&from, class);
        bind_superclass(&from, entry, class);
        bind_class_guard(&from, entry, class);
        bind_fields_of(&from, class);
        bind_methods_of(&from, class);
    }
}

/* ---- afterwards ---- */

static void apply_class_guard(struct lock_types *types, uint32_t class_id,
                              const struct field_locks *guard)
{
    const struct program *program = types->program;
    const struct program_class *class = &program->classes[class_id];
    for (uint32_t i = 0; i < class->field_count; i++) {
        uint32_t field = class->first_field + i;
        if (program->fields[field].access & (ACCESS_STATIC | ACCESS_FINAL | ACCESS_SYNTHETIC))
            continue;
        struct field_entry *entry = lock_types_make_field(types, field);
        if (!entry || entry->locks.guard != GUARD_NONE)
            continue;
        entry->locks.guard = guard->guard;
        entry->locks.basis = guard->basis;
        entry->locks.locks = guard->locks;
        entry->locks.written = guard->written;
        if (!entry->locks.place.line)
            entry->locks.place = guard->place;
    }
}

void bind_class_guards(struct lock_types *types)
{
    for (uint32_t id = 0; id < types->program->class_count; id++) {
        const struct class_entry *entry = lock_types_class_entry(types, id);
        if (entry && entry->guard.guard != GUARD_NONE)
            apply_class_guard(types, id, &entry->guard);
    }
}

/* ---- guards that need themselves ---- */

enum { NOT_VISITED, OPEN, DONE };

struct cycle_search {
    struct lock_types *types;
    struct intmap states;
    VECTOR(uint32_t) cyclic;
};

static void search_field(struct cycle_search *search, uint32_t field, unsigned depth);

static void search_term(struct cycle_search *search, term number, unsigned depth)
{
    for (;;) {
        struct term_content content = term_content(&search->types->terms, number);
        switch (content.kind) {
        case TERM_STATIC:
            search_field(search, content.a, depth);
            return;
        case TERM_FIELD:
        case TERM_VARYING:
            search_field(search, content.b, depth);
            break;
        case TERM_READ_VIEW:
        case TERM_WRITE_VIEW:
            break;
        case TERM_FORMAL:
        case TERM_METHOD_FORMAL:
            content.a = content.b;
            break;
        default:
            return;
        }
        number = content.a;
    }
}

static void search_field(struct cycle_search *search, uint32_t field, unsigned depth)
{
    const struct field_locks *locks = lock_types_field(search->types, field);
    uint64_t state = NOT_VISITED;
    if (!locks->locks.count || depth > TERM_DEPTH)
        return;
    intmap_get(&search->states, field, &state);
    if (state == OPEN && !vector_push(&search->cyclic, field))
        search->types->failed = true;
    if (state != NOT_VISITED)
        return;
    if (!intmap_put(&search->states, field, OPEN))
        search->types->failed = true;
    for (uint32_t i = 0; i < locks->locks.count && !search->types->failed; i++)
        search_term(search, locks->locks.items[i], depth + 1);
    if (!intmap_put(&search->states, field, DONE))
        search->types->failed = true;
}

static void drop_guard(struct lock_types *types, uint32_t field)
{
    const struct program *program = types->program;
    struct field_entry *entry = lock_types_make_field(types, field);
    if (!entry || !entry->locks.locks.count)
        return;
    struct bind_source from = {.types = types,
                               .basis = entry->locks.basis,
                               .class_id = program->fields[field].class_id,
                               .member = program_field_name(program, field),
                               .signature = program_field_descriptor(program, field),
                               .place = entry->locks.place};
    bind_problem(&from, FINDING_BAD_ANNOTATION, NULL,
                 "'%.*s': the guard of '%.*s' goes through '%.*s' itself",
                 TEXT_ARGUMENTS(entry->locks.written[0]), TEXT_ARGUMENTS(from.member),
                 TEXT_ARGUMENTS(from.member));
    entry->locks.guard = GUARD_NONE;
    entry->locks.locks = (struct term_list){NULL, 0};
    entry->locks.written = NULL;
}

void bind_reject_cycles(struct lock_types *types)
{
    struct cycle_search search = {.types = types};
    intmap_init(&search.states);
    for (uint32_t field = 0; field < types->program->field_count && types->fields.count; field++)
        search_field(&search, field, 0);
    for (size_t i = 0; i < search.cyclic.count; i++)
        drop_guard(types, search.cyclic.items[i]);
    intmap_release(&search.states);
    vector_release(&search.cyclic);
}
