#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "locktypes/lock_types_internal.h"

enum { MOST_SEGMENTS = TERM_DEPTH / 2, MOST_CLASS_NAME = 400 };

static const struct path_object nothing = {.type = PROGRAM_NONE};

void expression_fail(struct expression_context *context, const char *format, ...)
{
    char message[512];
    if (context->message.length)
        return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (length <= 0)
        return;
    size_t most = sizeof message - 1;
    context->message =
        text_copy(context->arena, text_of(message, (size_t)length < most ? (size_t)length : most));
}

void expression_context_parameters(struct expression_context *context,
                                   const struct syntax_method *declaration)
{
    const struct program *program = context->types->program;
    uint32_t count = lock_types_parameter_count(program, context->method);
    struct text *names = ARENA_ARRAY(context->arena, struct text, count);
    context->is_static = program->methods[context->method].access & ACCESS_STATIC;
    context->hidden = lock_names_hidden_parameters(program, context->method);
    context->parameter_count = 0;
    if (!names)
        return;
    lock_types_parameter_names(program, context->method, names, count);
    uint32_t first = !context->is_static;
    if (declaration) {
        uint32_t at = first;
        if (count - first != declaration->parameter_count)
            at += context->hidden;
        for (uint32_t i = 0; i < declaration->parameter_count && at + i < count; i++)
            if (declaration->parameters[i].name.length)
                names[at + i] = declaration->parameters[i].name;
    }
    context->parameter_names = names;
    context->parameter_count = count;
}

/* ---- formals ---- */

static uint32_t find_name(const struct text *names, uint32_t count, struct text name)
{
    for (uint32_t i = 0; i < count; i++)
        if (text_equal(names[i], name))
            return i;
    return PROGRAM_NONE;
}

static bool find_formal(const struct expression_context *context, struct text name,
                        enum term_kind *kind, uint32_t *number)
{
    const struct class_locks *class = lock_types_class(context->types, context->class_id);
    *kind = TERM_FORMAL;
    *number = find_name(class->formals, class->formal_count, name);
    if (*number != PROGRAM_NONE)
        return true;
    if (!context->method_entry)
        return false;
    *kind = TERM_METHOD_FORMAL;
    *number = find_name(context->method_entry->locks.method_formals,
                        context->method_entry->locks.method_formal_count, name);
    return *number != PROGRAM_NONE;
}

/* The parameter that a method's formal is the owner of: what the formal speaks of when it is
   `self`. TERM_NONE with the message set if there are several. */
static term owned_parameter(struct expression_context *context, uint32_t formal, struct text name)
{
    const struct method_locks *locks = &context->method_entry->locks;
    uint32_t found = PROGRAM_NONE;
    for (uint32_t i = 0; locks->parameter_owners && i < context->parameter_count; i++) {
        struct term_list owners = locks->parameter_owners[i];
        if (!owners.count)
            continue;
        struct term_content first = term_content(&context->types->terms, owners.items[0]);
        if (first.kind != TERM_METHOD_FORMAL || first.a != formal)
            continue;
        if (found != PROGRAM_NONE) {
            expression_fail(context,
                            "'%.*s' is the owner of several parameters: say of which one it is "
                            "meant, as in '%.*s$%.*s'",
                            TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(name),
                            TEXT_ARGUMENTS(context->parameter_names[found]));
            return TERM_NONE;
        }
        found = i;
    }
    if (found == PROGRAM_NONE && context->is_static) {
        expression_fail(context, "'%.*s' is the owner of no parameter", TEXT_ARGUMENTS(name));
        return TERM_NONE;
    }
    return term_make(context->to, TERM_PARAMETER, found == PROGRAM_NONE ? 0 : found, 0);
}

static term bare_formal(struct expression_context *context, enum term_kind kind, uint32_t number,
                        struct text name)
{
    if (kind == TERM_FORMAL && context->is_static) {
        expression_fail(context, "'%.*s' belongs to an object, and there is no 'this' here",
                        TEXT_ARGUMENTS(name));
        return TERM_NONE;
    }
    if (kind == TERM_FORMAL) {
        term formal = lock_types_formal(context->types, context->class_id, number, context->to);
        if (context->is_owner || term_kind(context->to, formal) == TERM_GHOST)
            return formal;
    }
    if (context->is_owner)
        return term_make(context->to, kind, number, TERM_NONE);
    term object = kind == TERM_FORMAL ? term_make(context->to, TERM_PARAMETER, 0, 0)
                                      : owned_parameter(context, number, name);
    return object == TERM_NONE ? (term)TERM_NONE : term_make(context->to, kind, number, object);
}

/* A new formal of the method. */
static term declare_formal(struct expression_context *context, struct text name)
{
    struct method_entry *entry = context->method_entry;
    uint32_t count = entry->locks.method_formal_count;
    struct text *names = ARENA_ARRAY(context->arena, struct text, (size_t)count + 1);
    if (!names)
        return TERM_NONE;
    if (count)
        memcpy(names, entry->locks.method_formals, count * sizeof *names);
    names[count] = name;
    entry->locks.method_formals = names;
    entry->locks.method_formal_count = count + 1;
    return term_make(context->to, TERM_METHOD_FORMAL, count, TERM_NONE);
}

/* ---- the first segment of a path ---- */

static void fail_unknown(struct expression_context *context, struct text name)
{
    struct text class_name = lock_names_of_class(context->types, context->arena, context->class_id);
    const char *what = context->method == PROGRAM_NONE ? "field" : "field or parameter";
    struct near_name near;
    near_name_init(&near, name);
    scope_near_names(context, &near);
    if (near_name_found(&near))
        expression_fail(context, "%.*s has no %s '%.*s': did you mean '%.*s'?",
                        TEXT_ARGUMENTS(class_name), what, TEXT_ARGUMENTS(name),
                        TEXT_ARGUMENTS(near.best));
    else
        expression_fail(context, "%.*s has no %s '%.*s', and no class has this name",
                        TEXT_ARGUMENTS(class_name), what, TEXT_ARGUMENTS(name));
}

static struct path_object start_this(struct expression_context *context)
{
    if (context->is_static) {
        struct text name = lock_names_of_class(context->types, context->arena, context->class_id);
        expression_fail(context, "there is no 'this' in a static %s: '%.*s.class' is always there",
                        context->method == PROGRAM_NONE ? "field" : "method", TEXT_ARGUMENTS(name));
        return nothing;
    }
    return (struct path_object){.object = term_make(context->to, TERM_PARAMETER, 0, 0),
                                .type = context->class_id};
}

static struct path_object start_parameter(struct expression_context *context, uint32_t number)
{
    const struct program *program = context->types->program;
    struct text type = lock_names_parameter_type(program, context->method, number);
    return (struct path_object){.object = term_make(context->to, TERM_PARAMETER, number, 0),
                                .type = lock_names_type_class(program, type, false),
                                .name = type};
}

/* #2, which counts what the source has. */
static struct path_object start_numbered(struct expression_context *context, uint32_t written)
{
    uint32_t first = !context->is_static;
    if (context->method == PROGRAM_NONE) {
        expression_fail(context, "'#%u' is a parameter, and this is no method", written);
        return nothing;
    }
    uint32_t have = context->parameter_count - first;
    have = have > context->hidden ? have - context->hidden : 0;
    if (written == 0 || written > have) {
        expression_fail(context, "there is no parameter '#%u': the method has %u", written, have);
        return nothing;
    }
    return start_parameter(context, written - 1 + first + context->hidden);
}

static struct path_object start_itself(struct expression_context *context)
{
    const struct program *program = context->types->program;
    if (context->field == PROGRAM_NONE) {
        expression_fail(context, "'itself' has a meaning in the guard of a field only");
        return nothing;
    }
    struct text type = program_field_descriptor(program, context->field);
    return (struct path_object){.object = term_make(context->to, TERM_ITSELF, 0, 0),
                                .type = lock_names_type_class(program, type, false),
                                .name = type};
}

static struct path_object start_formal(struct expression_context *context, enum term_kind kind,
                                       uint32_t number, struct text name)
{
    struct path_object result = {.object = bare_formal(context, kind, number, name),
                                 .type = PROGRAM_NONE};
    const struct class_entry *entry = lock_types_class_entry(context->types, context->class_id);
    if (kind == TERM_FORMAL && entry && entry->formals && entry->formals[number].type.length)
        result.type = lock_names_find_class(context->types, entry->formals[number].type,
                                            context->class_id, true);
    return result;
}

/* The class that the first names stand for; `*used` are so many segments. */
static uint32_t find_class_prefix(const struct expression_context *context,
                                  const struct syntax_segment *segments, uint32_t count,
                                  bool anywhere, uint32_t *used)
{
    const struct lock_types *types = context->types;
    char bytes[MOST_CLASS_NAME];
    size_t length = 0;
    uint32_t found = PROGRAM_NONE;
    for (uint32_t i = 0; i < count && segments[i].kind == SEGMENT_NAME; i++) {
        struct text name = segments[i].name;
        if (length + 1 + name.length > sizeof bytes)
            break;
        /* A field of the class found so far hides its member classes. */
        if (found != PROGRAM_NONE && scope_find_field(types->program, found, name) != PROGRAM_NONE)
            break;
        if (i)
            bytes[length++] = '.';
        memcpy(bytes + length, name.bytes, name.length);
        length += name.length;
        uint32_t longer =
            lock_names_find_class(types, text_of(bytes, length), context->class_id, anywhere);
        if (longer != PROGRAM_NONE) {
            found = longer;
            *used = i + 1;
        }
    }
    return found;
}

static struct path_object start_name(struct expression_context *context,
                                     const struct syntax_segment *segments, uint32_t count,
                                     uint32_t *used)
{
    struct text name = segments[0].name;
    struct path_object result;
    enum term_kind kind;
    *used = 1;
    uint32_t number = find_name(context->parameter_names, context->parameter_count, name);
    if (number != PROGRAM_NONE)
        return start_parameter(context, number);
    if (find_formal(context, name, &kind, &number))
        return start_formal(context, kind, number, name);
    if (scope_find_variable(context, name, &result))
        return result;
    uint32_t class_id = find_class_prefix(context, segments, count, false, used);
    if (class_id == PROGRAM_NONE && !(context->declares && count == 1))
        class_id = find_class_prefix(context, segments, count, true, used);
    if (class_id != PROGRAM_NONE)
        return (struct path_object){.type = class_id, .is_class = true};
    if (context->declares && count == 1)
        return (struct path_object){.object = declare_formal(context, name), .type = PROGRAM_NONE};
    fail_unknown(context, name);
    return nothing;
}

static struct path_object start(struct expression_context *context,
                                const struct syntax_segment *segments, uint32_t count,
                                uint32_t *used)
{
    *used = 1;
    switch (segments[0].kind) {
    case SEGMENT_NAME:
        return start_name(context, segments, count, used);
    case SEGMENT_CALL:
        return scope_bare_call(context, segments[0].name);
    case SEGMENT_THIS:
        return start_this(context);
    case SEGMENT_PARAMETER:
        return start_numbered(context, segments[0].parameter);
    case SEGMENT_ITSELF:
        return start_itself(context);
    case SEGMENT_CLASS:
    case SEGMENT_SELF:
    case SEGMENT_THIS_THREAD:
    case SEGMENT_UNIQUE:
    case SEGMENT_READONLY:
        break;
    }
    expression_fail(context, "a special owner is no object: it stands alone");
    return nothing;
}

/* ---- the others ---- */

/* What a descriptor's class is called in a message. */
static struct text type_text(struct text descriptor)
{
    if (descriptor.length > 2 && descriptor.bytes[0] == 'L')
        return text_slice(descriptor, 1, descriptor.length - 1);
    return descriptor.length ? descriptor : TEXT("?");
}

static bool is_primitive_type(struct text descriptor)
{
    return descriptor.length == 1;
}

static void fail_no_field(struct expression_context *context, uint32_t class_id, struct text name)
{
    const struct program *program = context->types->program;
    struct text class_name = lock_names_of_class(context->types, context->arena, class_id);
    struct near_name near;
    near_name_init(&near, name);
    for (uint32_t id = class_id; id != PROGRAM_NONE; id = program->classes[id].superclass) {
        const struct program_class *class = &program->classes[id];
        for (uint32_t i = 0; i < class->field_count; i++)
            near_name_try(&near, program_field_name(program, class->first_field + i));
    }
    if (near_name_found(&near))
        expression_fail(context, "%.*s has no field '%.*s': did you mean '%.*s'?",
                        TEXT_ARGUMENTS(class_name), TEXT_ARGUMENTS(name),
                        TEXT_ARGUMENTS(near.best));
    else
        expression_fail(context, "%.*s has no field '%.*s'", TEXT_ARGUMENTS(class_name),
                        TEXT_ARGUMENTS(name));
}

static struct path_object follow_field(struct expression_context *context,
                                       struct path_object object, struct text name)
{
    const struct program *program = context->types->program;
    if (object.type == PROGRAM_NONE) {
        struct text type = type_text(object.name);
        expression_fail(context, "'%.*s' cannot be looked up: nothing is known of the class %.*s",
                        TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(type));
        return nothing;
    }
    uint32_t field = scope_find_field(program, object.type, name);
    if (field == PROGRAM_NONE) {
        fail_no_field(context, object.type, name);
        return nothing;
    }
    if (object.is_class && !(program->fields[field].access & ACCESS_STATIC)) {
        struct text class_name = lock_names_of_class(context->types, context->arena, object.type);
        expression_fail(context, "'%.*s' of %.*s is not static: write 'this.%.*s' for its own",
                        TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(class_name), TEXT_ARGUMENTS(name));
        return nothing;
    }
    return scope_field_of(context, object.object, field);
}

static struct path_object follow(struct expression_context *context, struct path_object object,
                                 const struct syntax_segment *segment)
{
    const struct program *program = context->types->program;
    switch (segment->kind) {
    case SEGMENT_NAME:
        return follow_field(context, object, segment->name);
    case SEGMENT_CALL:
        return scope_call(context, object, segment->name);
    case SEGMENT_THIS:
        if (object.is_class)
            return scope_outer_this(context, object.type);
        break;
    case SEGMENT_CLASS:
        if (object.is_class)
            return (struct path_object){
                .object = term_make(context->to, TERM_CLASS, object.type, 0),
                .type = program_find_class(program, TEXT("java/lang/Class")),
                .name = TEXT("Ljava/lang/Class;")};
        break;
    case SEGMENT_PARAMETER:
    case SEGMENT_ITSELF:
    case SEGMENT_SELF:
    case SEGMENT_THIS_THREAD:
    case SEGMENT_UNIQUE:
    case SEGMENT_READONLY:
        break;
    }
    expression_fail(context, "'%s' cannot stand here",
                    segment->kind == SEGMENT_THIS    ? "this"
                    : segment->kind == SEGMENT_CLASS ? "class"
                                                     : "a special owner");
    return nothing;
}

static term bind_path(struct expression_context *context, const struct syntax_segment *segments,
                      uint32_t count)
{
    uint32_t used;
    if (count == 0 || count > MOST_SEGMENTS) {
        expression_fail(context, count ? "the lock expression is too long" : "no lock is named");
        return TERM_NONE;
    }
    struct path_object object = start(context, segments, count, &used);
    for (uint32_t i = used; i < count; i++) {
        if (object.object == TERM_NONE && !object.is_class)
            return TERM_NONE;
        object = follow(context, object, &segments[i]);
    }
    if (object.is_class) {
        struct text name = lock_names_of_class(context->types, context->arena, object.type);
        expression_fail(context, "%.*s is a class: write '%.*s.class' for its lock",
                        TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(name));
        return TERM_NONE;
    }
    if (object.object != TERM_NONE && is_primitive_type(object.name)) {
        expression_fail(context, "a value of a primitive type is no lock");
        return TERM_NONE;
    }
    return object.object;
}

/* ---- f$e ---- */

/* a$b.c as a path whose first name has a `$` in it, in the arena; NULL when there is no memory. */
static struct syntax_segment *joined_segments(struct expression_context *context,
                                              const struct syntax_lock *lock, uint32_t *count)
{
    char name[MOST_CLASS_NAME];
    size_t length = 0;
    for (;; lock = lock->qualifier) {
        if (!lock->segment_count)
            return NULL;
        const struct syntax_segment *first = &lock->segments[0];
        struct text text = first->kind == SEGMENT_THIS ? TEXT("this") : first->name;
        if (length + 1 + text.length > sizeof name)
            return NULL;
        if (text.length)
            memcpy(name + length, text.bytes, text.length);
        length += text.length;
        if (!lock->qualifier)
            break;
        name[length++] = '$';
    }
    /* The last part has the rest of the path. */
    *count = lock->segment_count;
    struct syntax_segment *segments = ARENA_ARRAY(context->arena, struct syntax_segment, *count);
    if (!segments)
        return NULL;
    memcpy(segments, lock->segments, *count * sizeof *segments);
    if (segments[0].kind != SEGMENT_CALL)
        segments[0].kind = SEGMENT_NAME;
    segments[0].name = text_copy(context->arena, text_of(name, length));
    return segments;
}

static term bind_special(struct expression_context *context, enum segment_kind kind)
{
    switch (kind) {
    case SEGMENT_SELF:
        /* What is guarded by its own object is guarded by `this`: f$this, where f is self. */
        if (!context->is_owner)
            return start_this(context).object;
        return term_make(context->to, TERM_SELF, 0, 0);
    case SEGMENT_THIS_THREAD:
        return term_make(context->to, TERM_THIS_THREAD, 0, 0);
    case SEGMENT_UNIQUE:
        return term_make(context->to, TERM_UNIQUE, 0, 0);
    case SEGMENT_READONLY:
        return term_make(context->to, TERM_READONLY, 0, 0);
    case SEGMENT_NAME:
    case SEGMENT_CALL:
    case SEGMENT_THIS:
    case SEGMENT_CLASS:
    case SEGMENT_PARAMETER:
    case SEGMENT_ITSELF:
        break;
    }
    return TERM_NONE;
}

static bool is_special(const struct syntax_lock *lock)
{
    return lock->segment_count == 1 &&
           (lock->segments[0].kind == SEGMENT_SELF ||
            lock->segments[0].kind == SEGMENT_THIS_THREAD ||
            lock->segments[0].kind == SEGMENT_UNIQUE || lock->segments[0].kind == SEGMENT_READONLY);
}

/* The `e` of f$e. */
static term bind_qualifier(struct expression_context *context, const struct syntax_lock *qualifier)
{
    bool is_owner = context->is_owner, declares = context->declares;
    context->is_owner = context->declares = false;
    if (is_special(qualifier))
        expression_fail(context, "a formal is qualified by an object, not by a special owner");
    term object = is_special(qualifier) ? (term)TERM_NONE : expression_bind(context, qualifier);
    context->is_owner = is_owner;
    context->declares = declares;
    return object;
}

/* The part before `$` is no formal: it may be the start of a name. */
static term bind_joined(struct expression_context *context, const struct syntax_lock *lock)
{
    struct text name = lock->segments[0].name;
    uint32_t count;
    bool declares = context->declares;
    const struct syntax_segment *segments = joined_segments(context, lock, &count);
    context->declares = false;
    term found = segments ? bind_path(context, segments, count) : (term)TERM_NONE;
    context->declares = declares;
    if (found != TERM_NONE || lock->segments[0].kind != SEGMENT_NAME)
        return found;
    context->message = TEXT("");
    if (context->declares) {
        term formal = declare_formal(context, name);
        term object =
            formal == TERM_NONE ? (term)TERM_NONE : bind_qualifier(context, lock->qualifier);
        if (object == TERM_NONE)
            return TERM_NONE;
        return term_make(context->to, TERM_METHOD_FORMAL, term_content(context->to, formal).a,
                         object);
    }
    const struct class_locks *class = lock_types_class(context->types, context->class_id);
    struct text class_name = lock_names_of_class(context->types, context->arena, context->class_id);
    struct near_name near;
    near_name_init(&near, name);
    for (uint32_t i = 0; i < class->formal_count; i++)
        near_name_try(&near, class->formals[i]);
    if (near_name_found(&near))
        expression_fail(context, "%.*s has no formal '%.*s': did you mean '%.*s'?",
                        TEXT_ARGUMENTS(class_name), TEXT_ARGUMENTS(name),
                        TEXT_ARGUMENTS(near.best));
    else
        expression_fail(context, "%.*s has no formal '%.*s'", TEXT_ARGUMENTS(class_name),
                        TEXT_ARGUMENTS(name));
    return TERM_NONE;
}

static term bind_qualified(struct expression_context *context, const struct syntax_lock *lock)
{
    enum term_kind kind;
    uint32_t number;
    if (is_special(lock)) {
        if (lock->segments[0].kind == SEGMENT_SELF)
            return bind_qualifier(context, lock->qualifier);
        return bind_special(context, lock->segments[0].kind);
    }
    if (lock->segment_count != 1 || lock->segments[0].kind != SEGMENT_NAME ||
        !find_formal(context, lock->segments[0].name, &kind, &number))
        return bind_joined(context, lock);
    term object = bind_qualifier(context, lock->qualifier);
    if (object == TERM_NONE)
        return TERM_NONE;
    term formal = lock_types_formal(context->types, context->class_id, number, context->to);
    return kind == TERM_FORMAL && term_kind(context->to, formal) == TERM_GHOST
               ? formal
               : term_make(context->to, kind, number, object);
}

/* Locks qualify each other no deeper than the parser lets them, but hands may build deeper ones. */
static bool is_too_deep(const struct syntax_lock *lock)
{
    unsigned depth = 0;
    while (lock && depth <= MOST_SEGMENTS) {
        lock = lock->qualifier;
        depth++;
    }
    return depth > MOST_SEGMENTS;
}

term expression_bind(struct expression_context *context, const struct syntax_lock *lock)
{
    if (!lock->segment_count || is_too_deep(lock)) {
        expression_fail(context, "%s",
                        lock->segment_count ? "the lock expression is too long"
                                            : "no lock is named");
        return TERM_NONE;
    }
    if (lock->qualifier)
        return bind_qualified(context, lock);
    if (is_special(lock))
        return bind_special(context, lock->segments[0].kind);
    return bind_path(context, lock->segments, lock->segment_count);
}

term lock_types_bind_expression(const struct lock_types *types, const struct syntax_lock *lock,
                                uint32_t class_id, uint32_t method, struct term_table *to,
                                struct arena *arena, struct text *message)
{
    struct expression_context context = {.types = types,
                                         .to = to,
                                         .arena = arena,
                                         .class_id = class_id,
                                         .method = method,
                                         .field = PROGRAM_NONE};
    struct method_entry formals;
    memset(&formals, 0, sizeof formals);
    if (method != PROGRAM_NONE) {
        expression_context_parameters(&context, NULL);
        formals.locks = *lock_types_method(types, method);
        context.method_entry = &formals;
    }
    term result = expression_bind(&context, lock);
    if (to->failed || arena->failed)
        context.message = TEXT("not enough memory");
    *message = result == TERM_NONE ? context.message : context.not_final;
    return result;
}
