#include "check/method_check.h"

#include <stdarg.h>

#include "base/builder.h"
#include "program/hierarchy.h"

/* ---- names ---- */

struct text method_check_text(struct method_check *check, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *bytes = length < 0 ? NULL : arena_allocate(check->arena, (size_t)length + 1, 1);
    if (bytes)
        vsnprintf(bytes, (size_t)length + 1, format, again);
    va_end(again);
    return bytes ? text_of(bytes, (size_t)length) : TEXT("");
}

/* The last part of a class's name: reports have the whole name elsewhere. */
static struct text simple_name(struct text name)
{
    return text_slice(name, (size_t)(text_find_last(name, '/') + 1), name.length);
}

struct text method_check_field_name(struct method_check *check, uint32_t field)
{
    const struct program *program = check->checker->program;
    const struct program_class *class = &program->classes[program->fields[field].class_id];
    return method_check_text(check, "%.*s.%.*s", TEXT_ARGUMENTS(simple_name(class->name)),
                             TEXT_ARGUMENTS(program_field_name(program, field)));
}

struct text method_check_method_name(struct method_check *check, uint32_t method)
{
    const struct program *program = check->checker->program;
    const struct text class = simple_name(program_class_of_method(program, method)->name);
    const struct text name = program_method_name(program, method);
    if (text_is(name, "<init>"))
        return method_check_text(check, "the constructor of %.*s", TEXT_ARGUMENTS(class));
    return method_check_text(check, "%.*s.%.*s", TEXT_ARGUMENTS(class), TEXT_ARGUMENTS(name));
}

static uint32_t line_of(void *context, uint32_t instruction)
{
    const struct method_check *check = context;
    return method_flow_line(check->flow, instruction);
}

static term origin_of(void *context, term value)
{
    const struct method_check *check = context;
    return value < check->flow->origin_count ? check->flow->origins[value] : TERM_NONE;
}

struct text method_check_term(struct method_check *check, term number)
{
    const struct class_locks *locks = lock_types_class(check->checker->types, check->class_id);
    const struct method_locks *own = lock_types_method(check->checker->types, check->method);
    struct builder builder;
    builder_init(&builder);
    const struct term_printer printer = {
        .program = check->checker->program,
        .table = &check->flow->terms,
        .parameter_names = check->parameter_names,
        .parameter_count = check->flow->parameter_count,
        .is_static = check->flow->is_static,
        .formals = locks->formals,
        .formal_count = locks->formal_count,
        .method_formals = own->method_formals,
        .method_formal_count = own->method_formal_count,
        .line_of = line_of,
        .origin_of = origin_of,
        .context = check,
    };
    term_print(&printer, number, &builder);
    const struct text text = text_copy(check->arena, builder_text(&builder));
    builder_release(&builder);
    return text;
}

/* ---- where values come from ---- */

bool method_check_origin(const struct method_check *check, term value, uint32_t *field,
                         term *object)
{
    const struct method_flow *flow = check->flow;
    for (unsigned steps = 0; steps < 8 && value != TERM_NONE; steps++) {
        struct term_content content = term_content(&flow->terms, value);
        if (content.kind == TERM_OPAQUE && value < flow->origin_count && flow->origins[value])
            content = term_content(&flow->terms, flow->origins[value]);
        if (content.kind == TERM_FIELD || content.kind == TERM_VARYING) {
            *field = content.b;
            *object = content.a;
            return true;
        }
        if (content.kind == TERM_STATIC) {
            *field = content.a;
            *object = TERM_NONE;
            return true;
        }
        const uint32_t producer = value < check->producer_count ? check->producers[value] : 0;
        if (!producer || flow->events[producer - 1].kind != EVENT_ARRAY_READ)
            return false;
        value = flow->events[producer - 1].object;
    }
    return false;
}

bool method_check_is_null(const struct method_check *check, term value)
{
    const struct term_content content = term_content(&check->flow->terms, value);
    return content.kind == TERM_OPAQUE && content.a < check->flow->bytecode.count &&
           check->flow->bytecode.instructions[content.a].opcode == OP_ACONST_NULL;
}

bool method_check_is_private(const struct method_check *check, const struct flow_event *event)
{
    if (event->flags & EVENT_OBJECT_FRESH)
        return true;
    if (check->checker->options.constructor_checked || check->later)
        return false;
    if (event->flags & EVENT_UNDER_CONSTRUCTION)
        return true;
    const struct term_content content = term_content(&check->flow->terms, event->object);
    return check->constructing && content.kind == TERM_PARAMETER && content.a == 0;
}

bool method_check_owns(const struct method_check *check, const struct flow_event *event,
                       term object)
{
    const struct term_content content = term_content(&check->flow->terms, object);
    struct flow_event access = *event;
    access.object = object;
    access.flags = (uint8_t)(access.flags &
                             ~(EVENT_UNDER_CONSTRUCTION | EVENT_OBJECT_FRESH | EVENT_OBJECT_PART));
    if (content.kind == TERM_PARAMETER && content.a == 0 && !check->flow->is_static &&
        text_is(program_method_name(check->checker->program, check->method), "<init>"))
        access.flags |= EVENT_UNDER_CONSTRUCTION;
    return method_check_is_private(check, &access);
}

/* ---- bindings ---- */

struct term_binding method_check_binding(struct method_check *check, term object, uint32_t class_id)
{
    struct term_binding binding = {.to = &check->flow->terms};
    term *parameters = ARENA_ARRAY(check->arena, term, 1);
    if (!parameters)
        return binding;
    parameters[0] = object;
    binding.parameters = parameters;
    binding.parameter_count = 1;
    if (object != TERM_NONE) {
        const struct term_list owners = owners_of(check, object, class_id);
        binding.formals = owners.items;
        binding.formal_count = owners.count;
    }
    return binding;
}

struct term_binding method_check_call_binding(struct method_check *check,
                                              const struct flow_event *event)
{
    const struct program *program = check->checker->program;
    const bool has_receiver = !(event->flags & EVENT_STATIC);
    struct term_binding binding = method_check_binding(
        check, has_receiver ? event->object : TERM_NONE, program->methods[event->id].class_id);
    term *parameters = ARENA_ARRAY(check->arena, term, (size_t)event->argument_count + 1);
    uint32_t count = 0;
    if (!parameters)
        return binding;
    if (has_receiver)
        parameters[count++] = event->object;
    for (uint32_t i = 0; i < event->argument_count; i++)
        parameters[count++] = check->flow->arguments[event->first_argument + i];
    const struct term_list own = owners_of_call(check, event);
    binding.parameters = parameters;
    binding.parameter_count = count;
    binding.method_formals = own.items;
    binding.method_formal_count = own.count;
    return binding;
}

/* ---- what is held ---- */

/* A view stands for the lock that it is a view of. */
static term lock_of_view(const struct term_table *terms, term lock)
{
    const struct term_content content = term_content(terms, lock);
    return content.kind == TERM_READ_VIEW || content.kind == TERM_WRITE_VIEW ? content.a : lock;
}

/* The same lock: equal terms, or a value that was read from the varying field that is meant. */
static bool is_same_lock(const struct method_flow *flow, term held, term wanted)
{
    return held == wanted || (held < flow->origin_count && flow->origins[held] == wanted &&
                              term_kind(&flow->terms, wanted) == TERM_VARYING);
}

static bool is_lock_type(const struct program *program, uint32_t type)
{
    static const char *const locks[] = {"java/util/concurrent/locks/Lock",
                                        "java/util/concurrent/locks/ReadWriteLock",
                                        "java/util/concurrent/locks/StampedLock"};
    for (size_t i = 0; i < sizeof locks / sizeof locks[0]; i++) {
        const uint32_t class_id = program_find_class(program, text_from(locks[i]));
        if (class_id != PROGRAM_NONE && hierarchy_is_subtype(program, type, class_id))
            return true;
    }
    return false;
}

/* The monitor of a library lock is not the lock; and who guards by an Object means its monitor,
   whatever the object turns out to be. */
static bool is_other_kind(const struct method_check *check, const struct held_lock *held)
{
    const struct program *program = check->checker->program;
    const struct method_flow *flow = check->flow;
    const uint32_t type = held->lock < flow->origin_count ? flow->types[held->lock] : PROGRAM_NONE;
    if (type == PROGRAM_NONE || held->at >= flow->bytecode.count)
        return false;
    return flow->bytecode.instructions[held->at].opcode == OP_MONITORENTER
               ? is_lock_type(program, type)
               : type == program->object && !held->known;
}

/* The static type of a term, also of one that was made after the flow. */
static uint32_t type_of(const struct method_check *check, term number)
{
    const struct program *program = check->checker->program;
    const struct term_content content = term_content(&check->flow->terms, number);
    if (number < check->flow->origin_count && check->flow->types[number] != PROGRAM_NONE)
        return check->flow->types[number];
    if (content.kind != TERM_FIELD && content.kind != TERM_STATIC)
        return PROGRAM_NONE;
    const struct text descriptor =
        program_field_descriptor(program, content.kind == TERM_FIELD ? content.b : content.a);
    return descriptor.length > 2 && descriptor.bytes[0] == 'L'
               ? program_find_class(program, text_slice(descriptor, 1, descriptor.length - 1))
               : PROGRAM_NONE;
}

/* An unlock of something that was not taken here may be that of any entry lock of its type. */
static bool may_give_up(const struct method_check *check, const struct held_lock *held, term lock)
{
    const struct bytecode *bytecode = &check->flow->bytecode;
    const uint32_t type = held->mode == LOCK_GIVEN_UP ? type_of(check, held->lock) : PROGRAM_NONE;
    return type != PROGRAM_NONE && type == type_of(check, lock) && held->at < bytecode->count &&
           bytecode->instructions[held->at].opcode != OP_MONITOREXIT;
}

static bool is_held_by_line(struct method_check *check, uint32_t instruction, term lock)
{
    const uint32_t line = method_flow_line(check->flow, instruction);
    for (uint32_t i = 0; check->lines && i < check->lines->count; i++) {
        const struct syntax_line *declared = check->lines->items[i];
        struct text message;
        if (declared->kind != LINE_HOLDS || line < declared->first || line > declared->last)
            continue;
        const term held =
            lock_types_bind_expression(check->checker->types, &declared->lock, check->class_id,
                                       check->method, &check->flow->terms, check->arena, &message);
        if (held != TERM_NONE && checker_canonical(check->checker, check->flow, held) == lock)
            return true;
    }
    return false;
}

/* Constructors hold the lock of what they construct, initializers that of their class. */
static bool is_held_by_construction(const struct method_check *check, term lock)
{
    const struct term_content content = term_content(&check->flow->terms, lock);
    const struct text name = program_method_name(check->checker->program, check->method);
    if (check->later)
        return false;
    if (content.kind == TERM_CLASS)
        return content.a == check->class_id && text_is(name, "<clinit>");
    return content.kind == TERM_PARAMETER && content.a == 0 && !check->flow->is_static &&
           !check->checker->options.constructor_checked &&
           (check->constructing || text_is(name, "<init>"));
}

bool method_check_holds(struct method_check *check, const struct flow_event *event, term lock,
                        bool for_writing, bool inferred_too)
{
    struct method_flow *flow = check->flow;
    lock = owners_resolve(&check->owners, &flow->terms, lock);
    if (lock == TERM_NONE)
        return false;
    if (term_is_always_held(&flow->terms, lock))
        return true;
    lock = checker_canonical(check->checker, check->flow, lock);
    lock = lock_of_view(&flow->terms, lock);
    const struct lock_set *set = &flow->lock_sets[event->locks];
    bool given_up = false;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct held_lock *held = &set->items[i];
        given_up = given_up || may_give_up(check, held, lock);
        if (!is_same_lock(flow, held->lock, lock) || is_other_kind(check, held))
            continue;
        if (held->mode == LOCK_EXCLUSIVE || (held->mode == LOCK_SHARED && !for_writing))
            return true;
        given_up = given_up || held->mode == LOCK_GIVEN_UP;
    }
    for (uint32_t i = 0; i < check->entry_count && !given_up && !check->later; i++) {
        const struct entry_lock *entry = &check->entry[i];
        if (is_same_lock(flow, entry->lock, lock) && (inferred_too || !entry->inferred) &&
            (entry->mode == LOCK_EXCLUSIVE || !for_writing))
            return true;
    }
    return is_held_by_construction(check, lock) || is_held_by_line(check, event->instruction, lock);
}

enum { PATH_FIELDS_MAX = 8 };

static bool assigns(const struct method_flow *flow, uint32_t field)
{
    for (uint32_t i = 0; i < flow->event_count; i++)
        if (flow->events[i].kind == EVENT_WRITE && flow->events[i].id == field)
            return true;
    return false;
}

/* Both were read from the same field, which the method does not assign, of the same object or of
   objects of which this is true. */
static bool are_of_one_field(const struct method_flow *flow, term one, term other)
{
    for (unsigned fields = 0; one != other; fields++) {
        if (fields == PATH_FIELDS_MAX || one >= flow->origin_count || other >= flow->origin_count ||
            flow->origins[one] == TERM_NONE || flow->origins[other] == TERM_NONE)
            return false;
        const struct term_content a = term_content(&flow->terms, flow->origins[one]);
        const struct term_content b = term_content(&flow->terms, flow->origins[other]);
        if (a.kind != TERM_VARYING || b.kind != TERM_VARYING || a.b != b.b || assigns(flow, a.b))
            return false;
        one = a.a;
        other = b.a;
    }
    return true;
}

bool method_check_holds_earlier(const struct method_check *check, const struct flow_event *event,
                                term lock)
{
    const struct method_flow *flow = check->flow;
    const struct lock_set *set = &flow->lock_sets[event->locks];
    for (uint32_t i = 0; lock != TERM_NONE && i < set->count; i++)
        if (set->items[i].mode == LOCK_EXCLUSIVE &&
            are_of_one_field(flow, set->items[i].lock, lock))
            return true;
    return false;
}
