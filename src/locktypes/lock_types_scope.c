#include <stdio.h>
#include <string.h>

#include "bytecode/decode.h"
#include "locktypes/lock_types_internal.h"
#include "program/hierarchy.h"
#include "program/resolve.h"

static const struct path_object nothing = {.type = PROGRAM_NONE};

/* ---- fields ---- */

static bool is_captured(const struct program *program, uint32_t field)
{
    struct text name = program_field_name(program, field);
    return (program->fields[field].access & ACCESS_SYNTHETIC) &&
           (text_starts_with(name, TEXT("this$")) || text_starts_with(name, TEXT("val$")));
}

bool lock_types_is_final(const struct lock_types *types, uint32_t field)
{
    const struct program *program = types->program;
    if ((program->fields[field].access & ACCESS_FINAL) || is_captured(program, field))
        return true;
    if (!types->facts)
        return false;
    enum field_fact fact = field_fact_of(types->facts, field);
    return fact == FIELD_FINAL || fact == FIELD_EFFECTIVELY_FINAL || fact == FIELD_UNASSIGNED;
}

static uint32_t find_declared_field(const struct program *program, uint32_t class_id,
                                    struct text prefix, struct text name)
{
    const struct program_class *class = &program->classes[class_id];
    for (uint32_t i = 0; i < class->field_count; i++) {
        struct text found = program_field_name(program, class->first_field + i);
        if (text_starts_with(found, prefix) &&
            text_equal(text_slice(found, prefix.length, found.length), name))
            return class->first_field + i;
    }
    return PROGRAM_NONE;
}

uint32_t scope_find_field(const struct program *program, uint32_t class_id, struct text name)
{
    const uint32_t start = class_id;
    uint32_t found;
    while (class_id != PROGRAM_NONE) {
        if ((found = find_declared_field(program, class_id, TEXT(""), name)) != PROGRAM_NONE)
            return found;
        class_id = program->classes[class_id].superclass;
    }
    struct program_ids interfaces = program->classes[start].all_interfaces;
    for (uint32_t i = 0; i < interfaces.count; i++)
        if ((found = find_declared_field(program, interfaces.items[i], TEXT(""), name)) !=
            PROGRAM_NONE)
            return found;
    return PROGRAM_NONE;
}

static void note_not_final(struct expression_context *context, uint32_t field)
{
    const struct program *program = context->types->program;
    if (context->not_final.length)
        return;
    struct text name = program_field_name(program, field);
    struct text class_name =
        lock_names_of_class(context->types, context->arena, program->fields[field].class_id);
    const char *why = program->fields[field].access & ACCESS_VOLATILE ? "volatile" : "not final";
    const char *fact =
        context->types->facts ? field_fact_name(field_fact_of(context->types->facts, field)) : NULL;
    char message[512];
    int length = snprintf(message, sizeof message,
                          "'%.*s' of %.*s is %s%s%s%s: it may name different locks over time",
                          TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(class_name), why, fact ? " (" : "",
                          fact ? fact : "", fact ? ")" : "");
    if (length > 0)
        context->not_final = text_copy(
            context->arena, text_of(message, (size_t)length < sizeof message ? (size_t)length
                                                                             : sizeof message - 1));
}

/* Nobody among the given classes assigns it a second time. Others could, since it is not private;
   but somebody who declares that it is a lock says that they do not. */
static bool is_kept_by_all(const struct lock_types *types, uint32_t field)
{
    return types->facts && field < types->program->application_field_count &&
           field_fact_of(types->facts, field) == FIELD_OPEN &&
           !(types->program->fields[field].access & ACCESS_VOLATILE);
}

struct path_object scope_field_of(struct expression_context *context, term object, uint32_t field)
{
    const struct program *program = context->types->program;
    struct text descriptor = program_field_descriptor(program, field);
    bool final = lock_types_is_final(context->types, field);
    struct path_object result = {.type = lock_names_type_class(program, descriptor, false),
                                 .name = descriptor};
    if (!final && !is_kept_by_all(context->types, field))
        note_not_final(context, field);
    if (program->fields[field].access & ACCESS_STATIC)
        result.object = final ? term_make(context->to, TERM_STATIC, field, 0)
                              : term_make(context->to, TERM_VARYING, TERM_NONE, field);
    else if (object != TERM_NONE)
        result.object = term_make(context->to, final ? TERM_FIELD : TERM_VARYING, object, field);
    return result;
}

/* ---- the classes around a place ---- */

struct scope {
    uint32_t class_id;
    term self; /* its `this`, or TERM_NONE: it cannot be reached */
};

static struct scope innermost(struct expression_context *context)
{
    struct scope scope = {.class_id = context->class_id};
    if (!context->is_static)
        scope.self = term_make(context->to, TERM_PARAMETER, 0, 0);
    return scope;
}

/* The compiler keeps the outer instance in a synthetic field of the inner class. */
static uint32_t find_outer_field(const struct program *program, uint32_t class_id, uint32_t outer)
{
    const struct program_class *class = &program->classes[class_id];
    for (uint32_t i = 0; i < class->field_count; i++) {
        uint32_t field = class->first_field + i;
        if ((program->fields[field].access & (ACCESS_SYNTHETIC | ACCESS_STATIC)) ==
                ACCESS_SYNTHETIC &&
            text_starts_with(program_field_name(program, field), TEXT("this$")) &&
            lock_names_type_class(program, program_field_descriptor(program, field), false) ==
                outer)
            return field;
    }
    return PROGRAM_NONE;
}

/* False if there is no class around it. */
static bool go_outward(struct expression_context *context, struct scope *scope)
{
    const struct program *program = context->types->program;
    uint32_t outer = lock_names_enclosing(program, scope->class_id);
    if (outer == PROGRAM_NONE)
        return false;
    uint32_t field = find_outer_field(program, scope->class_id, outer);
    scope->self = field == PROGRAM_NONE || scope->self == TERM_NONE
                      ? (term)TERM_NONE
                      : term_make(context->to, TERM_FIELD, scope->self, field);
    scope->class_id = outer;
    return true;
}

static void fail_unreachable(struct expression_context *context, struct text name, uint32_t of)
{
    struct text class_name = lock_names_of_class(context->types, context->arena, of);
    if (of == context->class_id)
        expression_fail(context, "'%.*s' is a field of an object, and there is no 'this' here",
                        TEXT_ARGUMENTS(name));
    else
        expression_fail(context,
                        "'%.*s' is a field of %.*s, and no object of that class is known here",
                        TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(class_name));
}

bool scope_find_variable(struct expression_context *context, struct text name,
                         struct path_object *result)
{
    const struct program *program = context->types->program;
    struct scope scope = innermost(context);
    do {
        uint32_t field = scope_find_field(program, scope.class_id, name);
        if (field == PROGRAM_NONE)
            field = find_declared_field(program, scope.class_id, TEXT("val$"), name);
        if (field == PROGRAM_NONE)
            continue;
        *result = nothing;
        if (scope.self == TERM_NONE && !(program->fields[field].access & ACCESS_STATIC))
            fail_unreachable(context, name, scope.class_id);
        else
            *result = scope_field_of(context, scope.self, field);
        return true;
    } while (go_outward(context, &scope));
    return false;
}

static struct path_object object_of_scope(const struct scope *scope)
{
    return (struct path_object){.object = scope->self, .type = scope->class_id};
}

struct path_object scope_outer_this(struct expression_context *context, uint32_t class_id)
{
    struct text name = lock_names_of_class(context->types, context->arena, class_id);
    struct scope scope = innermost(context);
    do {
        if (scope.class_id != class_id)
            continue;
        if (scope.self == TERM_NONE)
            expression_fail(context, "no '%.*s.this' is known here", TEXT_ARGUMENTS(name));
        return object_of_scope(&scope);
    } while (go_outward(context, &scope));
    struct text here = lock_names_of_class(context->types, context->arena, context->class_id);
    expression_fail(context, "%.*s is no class around %.*s", TEXT_ARGUMENTS(name),
                    TEXT_ARGUMENTS(here));
    return nothing;
}

void scope_near_names(const struct expression_context *context, struct near_name *near)
{
    const struct program *program = context->types->program;
    const struct class_entry *entry = lock_types_class_entry(context->types, context->class_id);
    for (uint32_t i = 0; i < context->parameter_count; i++)
        near_name_try(near, context->parameter_names[i]);
    for (uint32_t i = 0; entry && i < entry->locks.formal_count; i++)
        near_name_try(near, entry->locks.formals[i]);
    for (uint32_t around = context->class_id; around != PROGRAM_NONE;
         around = lock_names_enclosing(program, around))
        for (uint32_t id = around; id != PROGRAM_NONE; id = program->classes[id].superclass) {
            const struct program_class *class = &program->classes[id];
            for (uint32_t i = 0; i < class->field_count; i++)
                if (!(program->fields[class->first_field + i].access & ACCESS_SYNTHETIC))
                    near_name_try(near, program_field_name(program, class->first_field + i));
        }
}

/* ---- calls ---- */

#define LOCKS "java/util/concurrent/locks/"

static bool is_of_class(const struct program *program, const struct path_object *object,
                        struct text name)
{
    if (object->type != PROGRAM_NONE)
        return hierarchy_is_subtype(program, object->type, program_find_class(program, name));
    /* The platform may not be there to look into. */
    return object->name.length == name.length + 2 &&
           text_equal(text_slice(object->name, 1, object->name.length - 1), name);
}

/* readLock() and the like. False if it is no such call. */
static bool call_view(struct expression_context *context, struct path_object *object,
                      struct text name)
{
    const struct program *program = context->types->program;
    bool read_write = is_of_class(program, object, TEXT(LOCKS "ReadWriteLock")) ||
                      is_of_class(program, object, TEXT(LOCKS "ReentrantReadWriteLock"));
    bool stamped = is_of_class(program, object, TEXT(LOCKS "StampedLock"));
    if (object->is_class || (!read_write && !stamped))
        return false;
    if (stamped && text_is(name, "asReadWriteLock")) {
        object->type = program_find_class(program, TEXT(LOCKS "ReadWriteLock"));
        object->name = TEXT("L" LOCKS "ReadWriteLock;");
        return true;
    }
    enum term_kind kind;
    if (text_is(name, read_write ? "readLock" : "asReadLock"))
        kind = TERM_READ_VIEW;
    else if (text_is(name, read_write ? "writeLock" : "asWriteLock"))
        kind = TERM_WRITE_VIEW;
    else
        return false;
    object->object = term_make(context->to, kind, object->object, 0);
    object->type = program_find_class(program, TEXT(LOCKS "Lock"));
    object->name = TEXT("L" LOCKS "Lock;");
    return true;
}

static uint32_t find_declared_getter(const struct program *program, uint32_t class_id,
                                     struct text name)
{
    const struct program_class *class = &program->classes[class_id];
    for (uint32_t i = 0; i < class->method_count; i++) {
        uint32_t method = class->first_method + i;
        if (!(program->methods[method].access & ACCESS_BRIDGE) &&
            text_equal(program_method_name(program, method), name) &&
            text_starts_with(program_method_descriptor(program, method), TEXT("()")))
            return method;
    }
    return PROGRAM_NONE;
}

static uint32_t find_getter(const struct program *program, uint32_t class_id, struct text name)
{
    const uint32_t start = class_id;
    uint32_t found;
    for (; class_id != PROGRAM_NONE; class_id = program->classes[class_id].superclass)
        if ((found = find_declared_getter(program, class_id, name)) != PROGRAM_NONE)
            return found;
    struct program_ids interfaces = program->classes[start].all_interfaces;
    for (uint32_t i = 0; i < interfaces.count; i++)
        if ((found = find_declared_getter(program, interfaces.items[i], name)) != PROGRAM_NONE)
            return found;
    return PROGRAM_NONE;
}

/* A subclass of `class_id` that has its own method for this one, or PROGRAM_NONE. */
static uint32_t find_override(const struct program *program, uint32_t class_id, uint32_t method)
{
    const struct program_member *member = &program->methods[method];
    if (member->access & (ACCESS_STATIC | ACCESS_PRIVATE | ACCESS_FINAL))
        return PROGRAM_NONE;
    struct program_ids subtypes = hierarchy_subtypes(program, class_id);
    for (uint32_t i = 0; i < subtypes.count; i++) {
        uint32_t other = program_declared_method(program, subtypes.items[i], member->selector);
        if (other != PROGRAM_NONE && other != method)
            return subtypes.items[i];
    }
    return PROGRAM_NONE;
}

/* One instruction of a getter; false if it does not belong in one. */
static bool follow_instruction(struct expression_context *context, const struct bytecode *bytecode,
                               const struct instruction *instruction, struct path_object self,
                               struct path_object *value)
{
    const struct program *program = context->types->program;
    const struct class_file *class_file = bytecode->class_file;
    switch (instruction->opcode) {
    case OP_ALOAD_0:
        *value = self;
        return self.object != TERM_NONE;
    case OP_CHECKCAST:
        return value->object != TERM_NONE;
    case OP_LDC:
    case OP_LDC_W: {
        if (class_file->constants[instruction->operand].tag != CONSTANT_CLASS)
            return false;
        uint32_t class_id =
            program_find_class(program, class_name_at(class_file, instruction->operand));
        *value = (struct path_object){.type = program_find_class(program, TEXT("java/lang/Class")),
                                      .name = TEXT("Ljava/lang/Class;")};
        if (class_id != PROGRAM_NONE)
            value->object = term_make(context->to, TERM_CLASS, class_id, 0);
        return class_id != PROGRAM_NONE;
    }
    case OP_GETSTATIC:
    case OP_GETFIELD: {
        struct resolution field = resolve_field_constant(program, class_file, instruction->operand);
        if (field.status != RESOLVE_FOUND ||
            (instruction->opcode == OP_GETFIELD && value->object == TERM_NONE))
            return false;
        *value = scope_field_of(context, value->object, field.id);
        return true;
    }
    default:
        return false;
    }
}

enum { MOST_GETTER_INSTRUCTIONS = 8 };

/* What the method returns, if it does nothing but return a field or the like. */
static struct path_object follow_getter(struct expression_context *context, uint32_t method,
                                        struct path_object self)
{
    const struct program *program = context->types->program;
    const struct class_file *class_file = program_class_of_method(program, method)->class_file;
    const struct member *member = program_method_member(program, method);
    struct path_object value = nothing;
    struct bytecode bytecode;
    struct problem problem;
    problem_clear(&problem);
    if (!class_file || !member || !member_code(member) ||
        member_code(member)->length > 4 * MOST_GETTER_INSTRUCTIONS ||
        !bytecode_decode(&bytecode, context->arena, class_file, member, &problem))
        return nothing;
    if (program->methods[method].access & ACCESS_STATIC)
        self = nothing;
    for (uint32_t i = 0; i < bytecode.count; i++) {
        const struct instruction *instruction = &bytecode.instructions[i];
        if (instruction->opcode == OP_ARETURN)
            return i + 1 == bytecode.count ? value : nothing;
        if (!follow_instruction(context, &bytecode, instruction, self, &value))
            break;
    }
    return nothing;
}

static struct path_object call_getter(struct expression_context *context, uint32_t method,
                                      struct path_object from, struct text name)
{
    const struct program *program = context->types->program;
    bool is_static = program->methods[method].access & ACCESS_STATIC;
    if (!is_static && from.object == TERM_NONE) {
        expression_fail(context, "'%.*s()' is a method of an object, and there is none here",
                        TEXT_ARGUMENTS(name));
        return nothing;
    }
    uint32_t other = find_override(program, from.type, method);
    if (other != PROGRAM_NONE) {
        struct text class_name = lock_names_of_class(context->types, context->arena, other);
        expression_fail(context, "'%.*s()' is no fixed lock: %.*s overrides it",
                        TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(class_name));
        return nothing;
    }
    struct path_object result = follow_getter(context, method, from);
    if (result.object == TERM_NONE)
        expression_fail(context, "'%.*s()' is no fixed lock: it does not just return a field",
                        TEXT_ARGUMENTS(name));
    return result;
}

static void fail_no_method(struct expression_context *context, uint32_t class_id, struct text name)
{
    const struct program *program = context->types->program;
    struct text class_name = lock_names_of_class(context->types, context->arena, class_id);
    struct near_name near;
    near_name_init(&near, name);
    for (uint32_t id = class_id; id != PROGRAM_NONE; id = program->classes[id].superclass) {
        const struct program_class *class = &program->classes[id];
        for (uint32_t i = 0; i < class->method_count; i++)
            if (text_starts_with(program_method_descriptor(program, class->first_method + i),
                                 TEXT("()")))
                near_name_try(&near, program_method_name(program, class->first_method + i));
    }
    if (near_name_found(&near))
        expression_fail(context, "%.*s has no method '%.*s()': did you mean '%.*s()'?",
                        TEXT_ARGUMENTS(class_name), TEXT_ARGUMENTS(name),
                        TEXT_ARGUMENTS(near.best));
    else
        expression_fail(context, "%.*s has no method '%.*s()'", TEXT_ARGUMENTS(class_name),
                        TEXT_ARGUMENTS(name));
}

struct path_object scope_call(struct expression_context *context, struct path_object from,
                              struct text name)
{
    if (call_view(context, &from, name))
        return from;
    if (from.type == PROGRAM_NONE) {
        expression_fail(context, "nothing is known of the class that has the method '%.*s()'",
                        TEXT_ARGUMENTS(name));
        return nothing;
    }
    uint32_t method = find_getter(context->types->program, from.type, name);
    if (method == PROGRAM_NONE) {
        fail_no_method(context, from.type, name);
        return nothing;
    }
    if (from.is_class)
        from.object = TERM_NONE;
    return call_getter(context, method, from, name);
}

struct path_object scope_bare_call(struct expression_context *context, struct text name)
{
    struct scope scope = innermost(context);
    do {
        uint32_t method = find_getter(context->types->program, scope.class_id, name);
        if (method != PROGRAM_NONE)
            return call_getter(context, method, object_of_scope(&scope), name);
    } while (go_outward(context, &scope));
    fail_no_method(context, context->class_id, name);
    return nothing;
}
