#include <stdio.h>

#include "base/text.h"
#include "check/mini_code_internal.h"

/* ---- names and constants ---- */

void mini_code_name_class(const struct mini_program *program, unsigned class, char *to, size_t size)
{
    snprintf(to, size, "p/%s", mini_class_name(program, class));
}

static const char *other_type_name(unsigned type)
{
    switch (type) {
    case MINI_MUTEX:
        return "java/util/concurrent/locks/ReentrantLock";
    case MINI_READ_WRITE:
        return "java/util/concurrent/locks/ReentrantReadWriteLock";
    case MINI_THROWN:
        return "java/lang/RuntimeException";
    case MINI_THREAD:
        return "java/lang/Thread";
    default:
        return "java/lang/Object";
    }
}

void mini_code_name_type(const struct mini_program *program, unsigned type, char *to, size_t size)
{
    if (mini_is_class(type))
        mini_code_name_class(program, type, to, size);
    else
        snprintf(to, size, "%s", other_type_name(type));
}

size_t mini_code_describe_type(const struct mini_program *program, unsigned type, char *to,
                               size_t size)
{
    char name[80];
    if (type == MINI_INT || type == MINI_VOID)
        return (size_t)snprintf(to, size, "%s", type == MINI_INT ? "I" : "V");
    mini_code_name_type(program, type, name, sizeof name);
    return (size_t)snprintf(to, size, "L%s;", name);
}

void mini_code_describe_method(const struct mini_program *program, const struct mini_method *method,
                               char *to, size_t size)
{
    size_t length = (size_t)snprintf(to, size, "(");
    if (method->is_main)
        length += (size_t)snprintf(to + length, size - length, "[Ljava/lang/String;");
    for (unsigned i = 1; i < method->parameter_count; i++)
        length += mini_code_describe_type(program, method->types[i], to + length, size - length);
    length += (size_t)snprintf(to + length, size - length, ")");
    mini_code_describe_type(program, method->result, to + length, size - length);
}

void mini_code_name_method(const struct mini_method *method, char *to, size_t size)
{
    if (method->is_constructor || method->is_run || method->is_main)
        snprintf(to, size, "%s",
                 method->is_constructor ? "<init>"
                 : method->is_run       ? "run"
                                        : "main");
    else
        snprintf(to, size, "m%u", method->name);
}

static unsigned remember(struct code_maker *maker, unsigned index, struct mini_constant constant)
{
    if (index < MINI_CONSTANTS)
        maker->code->constants[maker->class][index] = constant;
    else
        maker->code->failed = true;
    return index;
}

unsigned mini_code_field_constant(struct code_maker *maker, struct mini_step step)
{
    char owner[40], name[20], descriptor[80];
    mini_code_name_class(maker->program, step.class, owner, sizeof owner);
    snprintf(name, sizeof name, "f%u_%u", step.class, step.field);
    mini_code_describe_type(maker->program, mini_field_of(maker->program, step)->type, descriptor,
                            sizeof descriptor);
    return remember(maker, add_member(&maker->code->build, 9, owner, name, descriptor),
                    (struct mini_constant){'F', step.class, step.field});
}

unsigned mini_code_method_constant(struct code_maker *maker, struct mini_step step)
{
    char owner[40], name[20], descriptor[600];
    const struct mini_method *method = mini_method_of(maker->program, step);
    mini_code_name_class(maker->program, step.class, owner, sizeof owner);
    mini_code_name_method(method, name, sizeof name);
    mini_code_describe_method(maker->program, method, descriptor, sizeof descriptor);
    return remember(maker, add_member(&maker->code->build, 10, owner, name, descriptor),
                    (struct mini_constant){'M', step.class, step.field});
}

unsigned mini_code_class_constant(struct code_maker *maker, unsigned type)
{
    char name[80];
    mini_code_name_type(maker->program, type, name, sizeof name);
    return remember(maker, add_class(&maker->code->build, name),
                    (struct mini_constant){'C', (uint8_t)type, 0});
}

/* ---- code ---- */

void mini_code_byte(struct code_maker *maker, unsigned value)
{
    if (maker->body->size < MINI_CODE_SIZE)
        maker->body->code[maker->body->size++] = (uint8_t)value;
    else
        maker->code->failed = true;
}

static void two(struct code_maker *maker, unsigned value)
{
    mini_code_byte(maker, value >> 8 & 0xFF);
    mini_code_byte(maker, value & 0xFF);
}

void mini_code_with_constant(struct code_maker *maker, unsigned opcode, unsigned constant)
{
    mini_code_byte(maker, opcode);
    two(maker, constant);
}

void mini_code_with_slot(struct code_maker *maker, unsigned opcode, unsigned slot)
{
    mini_code_byte(maker, opcode);
    mini_code_byte(maker, slot);
}

void mini_code_call_library(struct code_maker *maker, enum mini_library number)
{
    const bool special = text_is(text_from(mini_library[number].name), "<init>");
    const unsigned constant =
        remember(maker,
                 add_member(&maker->code->build, 10, mini_library[number].owner,
                            mini_library[number].name, mini_library[number].descriptor),
                 (struct mini_constant){'L', (uint8_t)number, 0});
    mini_code_with_constant(maker,
                            special                 ? INVOKESPECIAL
                            : number == MINI_CHANCE ? INVOKESTATIC
                                                    : INVOKEVIRTUAL,
                            constant);
}

/* A jump whose target is not known yet: its place. */
static uint16_t jump(struct code_maker *maker, unsigned opcode)
{
    const uint16_t at = maker->body->size;
    mini_code_byte(maker, opcode);
    two(maker, 0);
    return at;
}

static void jump_to(struct code_maker *maker, uint16_t at, uint16_t target)
{
    const unsigned offset = (unsigned)(target - at) & 0xFFFF;
    if (at + 2 >= MINI_CODE_SIZE)
        return;
    maker->body->code[at + 1] = (uint8_t)(offset >> 8);
    maker->body->code[at + 2] = (uint8_t)offset;
}

static void jump_here(struct code_maker *maker, uint16_t at)
{
    jump_to(maker, at, maker->body->size);
}

unsigned mini_code_slot_of(const struct code_maker *maker, unsigned local)
{
    return maker->method->is_static && !maker->method->is_main ? local - 1 : local;
}

static uint8_t new_slot(struct code_maker *maker)
{
    if (maker->next_slot + 1 >= MINI_SLOTS)
        maker->code->failed = true;
    return maker->next_slot++;
}

void mini_code_load(struct code_maker *maker, const struct mini_path *path)
{
    unsigned first = 0;
    if (path->base == MINI_NULL)
        mini_code_byte(maker, ACONST_NULL);
    else if (path->base == MINI_LOCAL)
        mini_code_with_slot(maker, ALOAD, mini_code_slot_of(maker, path->number));
    else if (path->base == MINI_CLASS)
        mini_code_with_constant(maker, LDC_W, mini_code_class_constant(maker, path->number));
    else
        mini_code_with_constant(maker, GETSTATIC,
                                mini_code_field_constant(maker, path->steps[first++]));
    for (unsigned i = first; i < path->count; i++)
        mini_code_with_constant(maker, GETFIELD, mini_code_field_constant(maker, path->steps[i]));
}

static void make_object(struct code_maker *maker, unsigned type, enum mini_library constructor)
{
    mini_code_with_constant(maker, NEW, mini_code_class_constant(maker, type));
    mini_code_byte(maker, DUP);
    mini_code_call_library(maker, constructor);
}

void mini_code_make_lock(struct code_maker *maker, unsigned type)
{
    make_object(maker, type,
                type == MINI_MUTEX        ? MINI_INIT_MUTEX
                : type == MINI_READ_WRITE ? MINI_INIT_READ_WRITE
                                          : MINI_INIT_OBJECT);
}

/* ---- blocks and their ends ---- */

static struct code_context *enter(struct code_maker *maker, unsigned kind)
{
    struct code_context *context =
        &maker->contexts[maker->depth < CONTEXTS - 1 ? maker->depth++ : CONTEXTS - 1];
    if (maker->depth == CONTEXTS - 1)
        maker->code->failed = true;
    context->kind = kind;
    context->start = maker->body->size;
    context->range_count = context->break_count = 0;
    return context;
}

static void close_range(struct code_maker *maker, struct code_context *context)
{
    if (context->kind == LOOP || maker->body->size == context->start)
        return;
    if (context->range_count == JUMPS) {
        maker->code->failed = true;
        return;
    }
    context->ranges[context->range_count][0] = context->start;
    context->ranges[context->range_count++][1] = maker->body->size;
}

/* All code that the block protects goes to the handler. */
static void add_handlers(struct code_maker *maker, const struct code_context *context,
                         uint16_t handler)
{
    for (unsigned i = 0; i < context->range_count; i++) {
        if (maker->body->handler_count == MINI_HANDLERS) {
            maker->code->failed = true;
            return;
        }
        maker->body->handlers[maker->body->handler_count++] =
            (struct mini_handler){context->ranges[i][0], context->ranges[i][1], handler};
    }
}

static void change_lock(struct code_maker *maker, const struct mini_statement *statement,
                        unsigned way)
{
    static const enum mini_library calls[3][3] = {
        {MINI_MUTEX_LOCK, MINI_MUTEX_UNLOCK, MINI_MUTEX_TRY},
        {MINI_READ_LOCK, MINI_READ_UNLOCK, MINI_READ_TRY},
        {MINI_WRITE_LOCK, MINI_WRITE_UNLOCK, MINI_WRITE_TRY}};
    const bool mutex =
        mini_path_type(maker->program, maker->method->types, &statement->path) == MINI_MUTEX;
    mini_code_load(maker, &statement->path);
    if (!mutex)
        mini_code_call_library(maker, statement->shared ? MINI_READ_VIEW : MINI_WRITE_VIEW);
    mini_code_call_library(maker, calls[mutex ? 0 : statement->shared ? 1 : 2][way]);
}

static void leave(struct code_maker *maker, const struct code_context *context)
{
    if (context->kind == SYNCHRONIZED_BLOCK) {
        mini_code_with_slot(maker, ALOAD, context->slot);
        mini_code_byte(maker, MONITOREXIT);
    } else if (context->kind == FINALLY_BLOCK) {
        change_lock(maker, context->statement, 1);
    }
}

/* Leaves the blocks from the innermost to that of number `outermost`: the code that does it is no
   longer protected by what it has left. */
static void leave_all(struct code_maker *maker, unsigned outermost)
{
    for (unsigned i = maker->depth; i-- > outermost;) {
        close_range(maker, &maker->contexts[i]);
        leave(maker, &maker->contexts[i]);
    }
}

/* Behind a jump out, the blocks go on. */
static void go_on(struct code_maker *maker, unsigned outermost)
{
    for (unsigned i = outermost; i < maker->depth; i++)
        maker->contexts[i].start = maker->body->size;
    maker->alive = false;
}

/* The end of a synchronized block or a finally, with the handler. */
static void finish_block(struct code_maker *maker, struct code_context *context)
{
    uint16_t over = 0;
    const bool alive = maker->alive;
    const uint8_t thrown = new_slot(maker);
    maker->depth--;
    if (context->kind == FINALLY_BLOCK)
        close_range(maker, context);
    if (alive) {
        leave(maker, context);
        if (context->kind == SYNCHRONIZED_BLOCK)
            close_range(maker, context);
        over = jump(maker, GOTO);
    } else if (context->kind == SYNCHRONIZED_BLOCK) {
        close_range(maker, context);
    }
    const uint16_t handler = maker->body->size;
    context->start = handler;
    mini_code_with_slot(maker, ASTORE, thrown);
    leave(maker, context);
    /* As javac has it, the handler of a monitor protects itself. */
    if (context->kind == SYNCHRONIZED_BLOCK)
        close_range(maker, context);
    mini_code_with_slot(maker, ALOAD, thrown);
    mini_code_byte(maker, ATHROW);
    add_handlers(maker, context, handler);
    if (alive)
        jump_here(maker, over);
    maker->alive = alive;
}

static void make_synchronized(struct code_maker *maker, const struct mini_statement *statement)
{
    const uint8_t slot = new_slot(maker);
    mini_code_load(maker, &statement->path);
    mini_code_byte(maker, DUP);
    mini_code_with_slot(maker, ASTORE, slot);
    mini_code_byte(maker, MONITORENTER);
    struct code_context *context = enter(maker, SYNCHRONIZED_BLOCK);
    context->slot = slot;
    mini_code_make_block(maker, statement->body);
    finish_block(maker, context);
}

static void make_finally(struct code_maker *maker, const struct mini_statement *statement)
{
    change_lock(maker, statement, 0);
    struct code_context *context = enter(maker, FINALLY_BLOCK);
    context->statement = statement;
    mini_code_make_block(maker, statement->body);
    finish_block(maker, context);
}

static void make_try(struct code_maker *maker, const struct mini_statement *statement)
{
    struct code_context *context = enter(maker, TRY_BLOCK);
    mini_code_make_block(maker, statement->body);
    maker->depth--;
    close_range(maker, context);
    const bool alive = maker->alive;
    if (!context->range_count)
        return; /* nothing to protect */
    const uint16_t over = alive ? jump(maker, GOTO) : 0;
    add_handlers(maker, context, maker->body->size);
    mini_code_byte(maker, POP);
    maker->alive = true;
    mini_code_make_block(maker, statement->other);
    if (alive)
        jump_here(maker, over);
    maker->alive = maker->alive || alive;
}

static void make_while(struct code_maker *maker, const struct mini_statement *statement)
{
    struct code_context *context = enter(maker, LOOP);
    context->begin = maker->body->size;
    mini_code_call_library(maker, MINI_CHANCE);
    const uint16_t over = jump(maker, IFEQ);
    mini_code_make_block(maker, statement->body);
    if (maker->alive)
        jump_to(maker, jump(maker, GOTO), context->begin);
    jump_here(maker, over);
    for (unsigned i = 0; i < context->break_count; i++)
        jump_here(maker, context->breaks[i]);
    maker->depth--;
    maker->alive = true;
}

static void make_jump(struct code_maker *maker, const struct mini_statement *statement)
{
    unsigned loop = maker->depth;
    while (loop > 0 && maker->contexts[loop - 1].kind != LOOP)
        loop--;
    if (!loop)
        return; /* the loop is gone */
    struct code_context *context = &maker->contexts[loop - 1];
    leave_all(maker, loop);
    const uint16_t at = jump(maker, GOTO);
    if (statement->kind == MINI_CONTINUE)
        jump_to(maker, at, context->begin);
    else if (context->break_count < JUMPS)
        context->breaks[context->break_count++] = at;
    else
        maker->code->failed = true;
    go_on(maker, loop);
}

static void make_if(struct code_maker *maker, const struct mini_statement *statement)
{
    uint16_t otherwise, over = 0;
    if (statement->kind == MINI_IF) {
        mini_code_call_library(maker, MINI_CHANCE);
        otherwise = jump(maker, IFEQ);
    } else if (statement->kind == MINI_TRY_LOCK) {
        change_lock(maker, statement, 2);
        otherwise = jump(maker, IFEQ);
    } else if (statement->kind == MINI_IF_NULL) {
        mini_code_load(maker, &statement->path);
        otherwise = jump(maker, IFNONNULL);
    } else {
        mini_code_load(maker, &statement->path);
        mini_code_load(maker, &statement->value);
        otherwise = jump(maker, IF_ACMPNE);
    }
    mini_code_make_block(maker, statement->body);
    if (statement->kind == MINI_TRY_LOCK && maker->alive)
        change_lock(maker, statement, 1);
    const bool alive = maker->alive;
    if (alive && statement->other)
        over = jump(maker, GOTO);
    jump_here(maker, otherwise);
    maker->alive = true;
    mini_code_make_block(maker, statement->other);
    if (alive && statement->other)
        jump_here(maker, over);
    maker->alive = maker->alive || alive;
}

/* ---- simple statements ---- */

static void make_access(struct code_maker *maker, const struct mini_statement *statement)
{
    const bool is_static = mini_field_of(maker->program, statement->member)->is_static;
    if (!is_static)
        mini_code_load(maker, &statement->path);
    if (statement->kind == MINI_WRITE)
        mini_code_byte(maker, ICONST_1);
    else if (statement->kind == MINI_STORE)
        mini_code_load(maker, &statement->value);
    const bool write = statement->kind != MINI_READ;
    mini_code_with_constant(
        maker, is_static ? (write ? PUTSTATIC : GETSTATIC) : (write ? PUTFIELD : GETFIELD),
        mini_code_field_constant(maker, statement->member));
    if (!write)
        mini_code_byte(maker, POP);
}

static void make_arguments(struct code_maker *maker, const struct mini_statement *statement)
{
    for (unsigned i = 0; i < statement->argument_count; i++)
        mini_code_load(maker, &statement->arguments[i]);
}

static void make_call(struct code_maker *maker, const struct mini_statement *statement)
{
    const struct mini_method *method = mini_method_of(maker->program, statement->member);
    if (!method->is_static)
        mini_code_load(maker, &statement->path);
    make_arguments(maker, statement);
    mini_code_with_constant(maker,
                            method->is_static    ? INVOKESTATIC
                            : method->is_private ? INVOKESPECIAL
                                                 : INVOKEVIRTUAL,
                            mini_code_method_constant(maker, statement->member));
    if (method->result != MINI_VOID)
        mini_code_with_slot(maker, ASTORE, mini_code_slot_of(maker, statement->local));
}

static void make_new(struct code_maker *maker, const struct mini_statement *statement)
{
    mini_code_with_constant(maker, NEW, mini_code_class_constant(maker, statement->member.class));
    mini_code_byte(maker, DUP);
    make_arguments(maker, statement);
    mini_code_with_constant(maker, INVOKESPECIAL,
                            mini_code_method_constant(maker, statement->member));
    mini_code_with_slot(maker, ASTORE, mini_code_slot_of(maker, statement->local));
}

static void make_start(struct code_maker *maker, const struct mini_statement *statement)
{
    mini_code_with_constant(maker, NEW, mini_code_class_constant(maker, MINI_THREAD));
    mini_code_byte(maker, DUP);
    mini_code_load(maker, &statement->path);
    mini_code_call_library(maker, MINI_INIT_THREAD);
    mini_code_call_library(maker, MINI_START_THREAD);
}

static void make_statement(struct code_maker *maker, const struct mini_statement *statement)
{
    switch (statement->kind) {
    case MINI_READ:
    case MINI_WRITE:
    case MINI_STORE:
        make_access(maker, statement);
        break;
    case MINI_ASSIGN:
        mini_code_load(maker, &statement->value);
        mini_code_with_slot(maker, ASTORE, mini_code_slot_of(maker, statement->local));
        break;
    case MINI_NEW:
        make_new(maker, statement);
        break;
    case MINI_CALL:
        make_call(maker, statement);
        break;
    case MINI_SYNCHRONIZED:
        make_synchronized(maker, statement);
        break;
    case MINI_LOCK:
    case MINI_UNLOCK:
        change_lock(maker, statement, statement->kind == MINI_UNLOCK);
        break;
    case MINI_LOCKED:
        change_lock(maker, statement, 0);
        mini_code_make_block(maker, statement->body);
        if (maker->alive)
            change_lock(maker, statement, 1);
        break;
    case MINI_FINALLY:
        make_finally(maker, statement);
        break;
    case MINI_WHILE:
        make_while(maker, statement);
        break;
    case MINI_BREAK:
    case MINI_CONTINUE:
        make_jump(maker, statement);
        break;
    case MINI_RETURN:
        leave_all(maker, 0);
        mini_code_byte(maker, RETURN);
        go_on(maker, 0);
        break;
    case MINI_THROW:
        make_object(maker, MINI_THROWN, MINI_INIT_THROWN);
        mini_code_byte(maker, ATHROW);
        maker->alive = false;
        break;
    case MINI_TRY:
        make_try(maker, statement);
        break;
    case MINI_START:
        make_start(maker, statement);
        break;
    default:
        make_if(maker, statement);
        break;
    }
}

void mini_code_make_block(struct code_maker *maker, uint16_t first)
{
    for (uint16_t i = first; i && maker->alive; i = maker->program->statements[i].next)
        make_statement(maker, &maker->program->statements[i]);
}
