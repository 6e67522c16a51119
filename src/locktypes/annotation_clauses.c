/* What one annotation says: its strings, parsed, by the meaning that the table gives it. */

#include "locktypes/annotation_clauses.h"

#include "classfile/names.h"

static const struct annotation_row rows[] = {
#define ANNOTATION(package, name, places, meaning, element)                                        \
    {{"L" package name ";", sizeof("L" package name ";") - 1},                                     \
     {name, sizeof(name) - 1},                                                                     \
     places,                                                                                       \
     MEANS_##meaning,                                                                              \
     {element, sizeof(element) - 1}},
#include "locktypes/annotations.def"
};

const struct annotation_row *annotation_find(const struct class_file *class_file,
                                             const struct annotation *annotation)
{
    const struct text descriptor = class_utf8(class_file, annotation->type);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (text_equal(rows[i].descriptor, descriptor))
            return &rows[i];
    return NULL;
}

void annotation_context_init(struct annotation_context *context, struct arena *arena,
                             struct syntax_errors *errors)
{
    *context = (struct annotation_context){.arena = arena, .errors = errors};
    builder_init(&context->builder);
}

void annotation_context_release(struct annotation_context *context)
{
    vector_release(&context->texts);
    vector_release(&context->locks);
    builder_release(&context->builder);
}

const void *annotation_keep(struct annotation_context *context, const void *items, size_t count,
                            size_t size, size_t alignment)
{
    if (!count)
        return NULL;
    const void *kept = arena_copy(context->arena, items, count * size, alignment);
    if (!kept)
        context->no_memory = true;
    return kept;
}

/* ---- errors ---- */

/* A field has no line, so that the message must say which one it is. */
static struct text describe_error(struct annotation_context *context,
                                  const struct annotation_row *row, struct text message)
{
    struct builder *builder = &context->builder;
    const struct text class_name = class_this_name(context->class_file);
    builder_clear(builder);
    builder_add_format(builder, "@%.*s on ", TEXT_ARGUMENTS(row->name));
    names_add_dotted(builder, class_name);
    if (context->member) {
        const struct text name = class_utf8(context->class_file, context->member->name);
        builder_add_format(builder, ".%.*s%s", TEXT_ARGUMENTS(name),
                           context->is_method ? "()" : "");
    }
    builder_add_string(builder, ": ");
    builder_add(builder, message);
    if (builder->failed) {
        context->no_memory = true;
        return message;
    }
    return text_copy(context->errors->arena, builder_text(builder));
}

static void say_about(const struct annotation_context *context, struct syntax_error *error)
{
    error->class_name = class_this_name(context->class_file);
    error->member =
        context->member ? class_utf8(context->class_file, context->member->name) : TEXT("");
}

void annotation_fail(struct annotation_context *context, const struct annotation_row *row,
                     const char *message)
{
    struct syntax_error error = {.place = context->place};
    error.message = describe_error(context, row, text_from(message));
    say_about(context, &error);
    if (!vector_push(&context->errors->items, error))
        context->no_memory = true;
}

/* The parser knows only the text; a parser that fails without saying why has no memory. */
static void explain_errors(struct annotation_context *context, const struct annotation_row *row,
                           size_t first, bool parsed)
{
    if (!parsed && context->errors->items.count == first)
        context->no_memory = true;
    for (size_t i = first; i < context->errors->items.count; i++) {
        struct syntax_error *error = &context->errors->items.items[i];
        error->message = describe_error(context, row, error->message);
        say_about(context, error);
    }
}

/* ---- strings ---- */

static void add_string(struct annotation_context *context, const struct annotation_row *row,
                       const struct element_value *value)
{
    if (value->tag != 's')
        annotation_fail(context, row, "a string is expected");
    else if (!vector_push(&context->texts, class_utf8(context->class_file, value->as.constant)))
        context->no_memory = true;
}

/* The strings of the row's element, in context->texts. */
static void read_strings(struct annotation_context *context, const struct annotation_row *row,
                         const struct annotation *annotation)
{
    vector_clear(&context->texts);
    for (uint16_t i = 0; i < annotation->element_count; i++) {
        const struct annotation_element *element = &annotation->elements[i];
        if (!text_equal(class_utf8(context->class_file, element->name), row->element))
            continue;
        if (element->value.tag != '[') {
            add_string(context, row, &element->value);
            continue;
        }
        for (uint16_t n = 0; n < element->value.as.array.count; n++)
            add_string(context, row, &element->value.as.array.items[n]);
    }
}

/* ---- locks ---- */

static bool parse_lock(struct annotation_context *context, const struct annotation_row *row,
                       struct text text, struct syntax_lock *lock)
{
    /* The Checker Framework's word for `itself`. */
    static const struct syntax_segment itself = {.kind = SEGMENT_ITSELF};
    if (text_is(text, "<self>")) {
        *lock = (struct syntax_lock){
            .segments = &itself, .segment_count = 1, .written = text, .place = context->place};
        return true;
    }
    if (!text.length) {
        annotation_fail(context, row, "a lock expression is empty");
        return false;
    }
    const size_t first = context->errors->items.count;
    bool parsed = syntax_parse_lock(lock, context->arena, text, context->place, context->errors);
    explain_errors(context, row, first, parsed);
    return parsed;
}

/* Locks have no comma in them, so that "a, b" can only be two. */
static bool add_locks(struct annotation_context *context, const struct annotation_row *row,
                      struct text list)
{
    bool complete = true;
    for (bool more = true; more;) {
        const ptrdiff_t comma = text_find(list, ',');
        const size_t end = comma < 0 ? list.length : (size_t)comma;
        struct syntax_lock lock;
        if (!parse_lock(context, row, text_trimmed(text_slice(list, 0, end)), &lock))
            complete = false;
        else if (!vector_push(&context->locks, lock))
            context->no_memory = true;
        more = comma >= 0;
        list = text_slice(list, end + 1, list.length);
    }
    return complete;
}

static bool has_lock(const struct annotation_context *context, const struct syntax_lock *lock)
{
    for (size_t i = 0; i < context->locks.count; i++)
        if (text_equal(context->locks.items[i].written, lock->written))
            return true;
    return false;
}

bool annotation_locks(struct annotation_context *context, const struct annotation_row *row,
                      const struct annotation *annotation, struct syntax_locks *locks)
{
    bool complete = true;
    read_strings(context, row, annotation);
    vector_clear(&context->locks);
    for (size_t i = 0; i < context->texts.count; i++)
        complete &= add_locks(context, row, context->texts.items[i]);
    locks->items = ANNOTATION_KEEP(context, &context->locks, struct syntax_lock);
    locks->count = locks->items ? (uint32_t)context->locks.count : 0;
    return complete;
}

/* The same lock is often named by the annotations of two libraries. */
static void merge_locks(struct annotation_context *context, struct syntax_locks *locks,
                        const struct syntax_locks *added)
{
    if (!locks->count) {
        *locks = *added;
        return;
    }
    vector_clear(&context->locks);
    for (uint32_t i = 0; i < locks->count + added->count; i++) {
        const struct syntax_lock *lock =
            i < locks->count ? &locks->items[i] : &added->items[i - locks->count];
        if (!has_lock(context, lock) && !vector_push(&context->locks, *lock))
            context->no_memory = true;
    }
    const struct syntax_lock *items = ANNOTATION_KEEP(context, &context->locks, struct syntax_lock);
    if (items)
        *locks = (struct syntax_locks){items, (uint32_t)context->locks.count};
}

static void add_guard(struct annotation_context *context, const struct annotation_row *row,
                      const struct annotation *annotation, enum annotation_place place,
                      struct syntax_guard *guard)
{
    const enum guard_kind kind =
        row->meaning == MEANS_WRITE_GUARDED_BY ? GUARD_WRITES : GUARD_ALWAYS;
    struct syntax_locks locks;
    bool complete = annotation_locks(context, row, annotation, &locks);
    if (!locks.count) {
        /* In the Checker Framework's types no lock means no guard. */
        if (complete && place != ON_FIELD_TYPE && !context->no_memory)
            annotation_fail(context, row, "no lock is named");
        return;
    }
    if (guard->kind != GUARD_NONE && guard->kind != kind) {
        annotation_fail(context, row, "there is a guard of another kind already");
        return;
    }
    guard->kind = kind;
    merge_locks(context, &guard->locks, &locks);
}

static void add_requires(struct annotation_context *context, const struct annotation_row *row,
                         const struct annotation *annotation, struct syntax_clauses *clauses)
{
    struct syntax_locks locks;
    bool complete = annotation_locks(context, row, annotation, &locks);
    /* Nothing but mistakes does not mean that nothing is required. */
    if (!complete && !locks.count)
        return;
    clauses->has_requires = true;
    merge_locks(context, &clauses->requires, &locks);
}

/* ---- the rest ---- */

static enum class_nature nature_of(enum annotation_meaning meaning)
{
    switch (meaning) {
    case MEANS_THREAD_LOCAL:
        return NATURE_THREAD_LOCAL;
    case MEANS_IMMUTABLE:
        return NATURE_IMMUTABLE;
    case MEANS_THREAD_SAFE:
        return NATURE_SAFE;
    case MEANS_UNGUARDED:
        return NATURE_UNGUARDED;
    default:
        return NATURE_NONE;
    }
}

/* Whether the first says all that the second does. */
static bool nature_includes(enum class_nature nature, enum class_nature other)
{
    return nature == other || other == NATURE_NONE ||
           (nature == NATURE_IMMUTABLE && other == NATURE_SAFE) ||
           (nature == NATURE_UNGUARDED && other == NATURE_THREAD_LOCAL);
}

static void add_nature(struct annotation_context *context, const struct annotation_row *row,
                       struct syntax_clauses *clauses)
{
    const enum class_nature nature = nature_of(row->meaning);
    if (nature_includes(nature, clauses->nature))
        clauses->nature = nature;
    else if (!nature_includes(clauses->nature, nature))
        annotation_fail(context, row, "it contradicts another annotation of the class");
}

/* Whether there is any clause besides formals, owners and an atomicity. */
static bool has_other_clauses(const struct syntax_clauses *clauses)
{
    return clauses->nature != NATURE_NONE || clauses->guard.kind != GUARD_NONE ||
           clauses->has_requires || clauses->effect_count || clauses->has_no_warn ||
           clauses->has_holds;
}

static bool parse_clauses(struct annotation_context *context, const struct annotation_row *row,
                          const char *before, struct text text, const char *behind,
                          struct syntax_clauses *clauses)
{
    builder_clear(&context->builder);
    builder_add_string(&context->builder, before);
    builder_add(&context->builder, text);
    builder_add_string(&context->builder, behind);
    const struct text whole = text_copy(context->arena, builder_text(&context->builder));
    if (context->builder.failed || context->arena->failed) {
        context->no_memory = true;
        return false;
    }
    const size_t first = context->errors->items.count;
    *clauses = (struct syntax_clauses){0};
    bool parsed =
        syntax_parse_clauses(clauses, context->arena, whole, context->place, context->errors);
    explain_errors(context, row, first, parsed);
    return parsed && context->errors->items.count == first;
}

static void set_atomicity(struct annotation_context *context, const struct annotation_row *row,
                          const struct syntax_atomicity *atomicity, struct syntax_clauses *clauses)
{
    if (clauses->atomicity)
        annotation_fail(context, row, "the method has an atomicity already");
    else
        clauses->atomicity = atomicity;
}

static void add_atomicity(struct annotation_context *context, const struct annotation_row *row,
                          const struct annotation *annotation, struct syntax_clauses *clauses)
{
    static const struct syntax_atomicity atomic = {.basic = ATOMICITY_ATOMIC};
    if (row->meaning == MEANS_ATOMIC) {
        set_atomicity(context, row, &atomic, clauses);
        return;
    }
    read_strings(context, row, annotation);
    for (size_t i = 0; i < context->texts.count; i++) {
        struct syntax_clauses parsed;
        if (!parse_clauses(context, row, "atomicity ", context->texts.items[i], "", &parsed))
            continue;
        if (parsed.atomicity && !parsed.has_formals && !parsed.has_owners &&
            !has_other_clauses(&parsed))
            set_atomicity(context, row, parsed.atomicity, clauses);
        else
            annotation_fail(context, row, "this is not an atomicity");
    }
}

/* Who gives owners counts on the number of formals, so that there are all of them or none. */
static void add_formals(struct annotation_context *context, const struct annotation_row *row,
                        const struct annotation *annotation, struct syntax_clauses *clauses)
{
    VECTOR(struct syntax_formal) formals = VECTOR_EMPTY;
    bool complete = true;
    read_strings(context, row, annotation);
    for (size_t i = 0; i < context->texts.count && complete; i++) {
        struct syntax_clauses parsed;
        complete = parse_clauses(context, row, "<", context->texts.items[i], ">", &parsed);
        if (complete && (!parsed.formal_count || parsed.atomicity || has_other_clauses(&parsed))) {
            annotation_fail(context, row, "this is not a parameter of a class");
            complete = false;
        }
        for (uint32_t n = 0; complete && n < parsed.formal_count; n++)
            if (!vector_push(&formals, parsed.formals[n]))
                context->no_memory = true;
    }
    if (complete) {
        clauses->formals = ANNOTATION_KEEP(context, &formals, struct syntax_formal);
        clauses->formal_count = clauses->formals ? (uint32_t)formals.count : 0;
        clauses->has_formals = clauses->formal_count > 0;
    }
    vector_release(&formals);
}

static void add_no_warn(struct annotation_context *context, const struct annotation_row *row,
                        const struct annotation *annotation, struct syntax_clauses *clauses)
{
    read_strings(context, row, annotation);
    clauses->has_no_warn = true;
    clauses->no_warn.rules = ANNOTATION_KEEP(context, &context->texts, struct text);
    clauses->no_warn.count = clauses->no_warn.rules ? (uint32_t)context->texts.count : 0;
    clauses->no_warn.all = context->texts.count == 0;
}

/* A field of an immutable class that is computed when it is first asked for, the same by whomever.
 */
static void add_lazy(struct syntax_clauses *clauses)
{
    static const struct text rule = {"readonly-written", sizeof "readonly-written" - 1};
    if (clauses->has_no_warn)
        return;
    clauses->has_no_warn = true;
    clauses->no_warn = (struct syntax_no_warn){.rules = &rule, .count = 1};
}

void annotation_clauses_add(struct annotation_context *context, const struct annotation_row *row,
                            const struct annotation *annotation, enum annotation_place place,
                            struct syntax_clauses *clauses)
{
    if (!(row->places & (unsigned)place))
        return;
    switch (row->meaning) {
    case MEANS_GUARDED_BY:
    case MEANS_WRITE_GUARDED_BY:
        if (place == ON_METHOD)
            add_requires(context, row, annotation, clauses);
        else
            add_guard(context, row, annotation, place, &clauses->guard);
        break;
    case MEANS_REQUIRES:
        add_requires(context, row, annotation, clauses);
        break;
    case MEANS_THREAD_LOCAL:
    case MEANS_IMMUTABLE:
    case MEANS_THREAD_SAFE:
    case MEANS_UNGUARDED:
        add_nature(context, row, clauses);
        break;
    case MEANS_ATOMIC:
    case MEANS_ATOMICITY:
        add_atomicity(context, row, annotation, clauses);
        break;
    case MEANS_FORMALS:
        add_formals(context, row, annotation, clauses);
        break;
    case MEANS_NO_WARN:
        add_no_warn(context, row, annotation, clauses);
        break;
    case MEANS_LAZY:
        add_lazy(clauses);
        break;
    case MEANS_OWNERS:
        break; /* part of a type: annotation_reader.c */
    }
}
