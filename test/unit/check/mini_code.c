#include "check/mini_code.h"

#include <stdio.h>

#include "base/text.h"

enum {
    ACONST_NULL = 0x01,
    ICONST_1 = 0x04,
    LDC_W = 0x13,
    ALOAD = 0x19,
    ASTORE = 0x3A,
    POP = 0x57,
    DUP = 0x59,
    IFEQ = 0x99,
    IF_ACMPNE = 0xA6,
    GOTO = 0xA7,
    ARETURN = 0xB0,
    RETURN = 0xB1,
    GETSTATIC = 0xB2,
    PUTSTATIC = 0xB3,
    GETFIELD = 0xB4,
    PUTFIELD = 0xB5,
    INVOKEVIRTUAL = 0xB6,
    INVOKESPECIAL = 0xB7,
    INVOKESTATIC = 0xB8,
    NEW = 0xBB,
    ATHROW = 0xBF,
    MONITORENTER = 0xC2,
    MONITOREXIT = 0xC3,
    IFNONNULL = 0xC7,

    MAJOR = 49, /* needs no stack maps */
    CONTEXTS = 16,
    JUMPS = 32
};

static const struct {
    const char *owner, *name, *descriptor;
} library[MINI_LIBRARY_COUNT] = {
    [MINI_INIT_OBJECT] = {"java/lang/Object", "<init>", "()V"},
    [MINI_INIT_MUTEX] = {"java/util/concurrent/locks/ReentrantLock", "<init>", "()V"},
    [MINI_INIT_READ_WRITE] = {"java/util/concurrent/locks/ReentrantReadWriteLock", "<init>", "()V"},
    [MINI_INIT_THROWN] = {"java/lang/RuntimeException", "<init>", "()V"},
    [MINI_INIT_THREAD] = {"java/lang/Thread", "<init>", "(Ljava/lang/Runnable;)V"},
    [MINI_START_THREAD] = {"java/lang/Thread", "start", "()V"},
    [MINI_MUTEX_LOCK] = {"java/util/concurrent/locks/ReentrantLock", "lock", "()V"},
    [MINI_MUTEX_UNLOCK] = {"java/util/concurrent/locks/ReentrantLock", "unlock", "()V"},
    [MINI_MUTEX_TRY] = {"java/util/concurrent/locks/ReentrantLock", "tryLock", "()Z"},
    [MINI_READ_VIEW] = {"java/util/concurrent/locks/ReentrantReadWriteLock", "readLock",
                        "()Ljava/util/concurrent/locks/ReentrantReadWriteLock$ReadLock;"},
    [MINI_WRITE_VIEW] = {"java/util/concurrent/locks/ReentrantReadWriteLock", "writeLock",
                         "()Ljava/util/concurrent/locks/ReentrantReadWriteLock$WriteLock;"},
    [MINI_READ_LOCK] = {"java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock", "lock",
                        "()V"},
    [MINI_READ_UNLOCK] = {"java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock", "unlock",
                          "()V"},
    [MINI_READ_TRY] = {"java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock", "tryLock",
                       "()Z"},
    [MINI_WRITE_LOCK] = {"java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock", "lock",
                         "()V"},
    [MINI_WRITE_UNLOCK] = {"java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock", "unlock",
                           "()V"},
    [MINI_WRITE_TRY] = {"java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock", "tryLock",
                        "()Z"},
    [MINI_CHANCE] = {"p/Main", "chance", "()Z"},
};

/* A block that has to be left properly. */
struct context {
    enum { SYNCHRONIZED_BLOCK, FINALLY_BLOCK, LOOP, TRY_BLOCK } kind;
    uint8_t slot;                           /* of the lock: synchronized */
    const struct mini_statement *statement; /* of a finally */
    uint16_t start;                         /* of the code that its handler protects */
    uint16_t ranges[JUMPS][2];
    unsigned range_count;
    uint16_t begin; /* loop: where continue goes */
    uint16_t breaks[JUMPS];
    unsigned break_count;
};

struct maker {
    struct mini_code *code;
    const struct mini_program *program;
    const struct mini_method *method;
    unsigned class;
    struct mini_body *body;
    struct context contexts[CONTEXTS];
    unsigned depth;
    uint8_t next_slot;
    bool alive; /* the place can be reached */
};

/* ---- names and constants ---- */

static void name_class(const struct mini_program *program, unsigned class, char *to, size_t size)
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

static void name_type(const struct mini_program *program, unsigned type, char *to, size_t size)
{
    if (mini_is_class(type))
        name_class(program, type, to, size);
    else
        snprintf(to, size, "%s", other_type_name(type));
}

static size_t describe_type(const struct mini_program *program, unsigned type, char *to,
                            size_t size)
{
    char name[80];
    if (type == MINI_INT || type == MINI_VOID)
        return (size_t)snprintf(to, size, "%s", type == MINI_INT ? "I" : "V");
    name_type(program, type, name, sizeof name);
    return (size_t)snprintf(to, size, "L%s;", name);
}

static void describe_method(const struct mini_program *program, const struct mini_method *method,
                            char *to, size_t size)
{
    size_t length = (size_t)snprintf(to, size, "(");
    if (method->is_main)
        length += (size_t)snprintf(to + length, size - length, "[Ljava/lang/String;");
    for (unsigned i = 1; i < method->parameter_count; i++)
        length += describe_type(program, method->types[i], to + length, size - length);
    length += (size_t)snprintf(to + length, size - length, ")");
    describe_type(program, method->result, to + length, size - length);
}

static void name_method(const struct mini_method *method, char *to, size_t size)
{
    if (method->is_constructor || method->is_run || method->is_main)
        snprintf(to, size, "%s",
                 method->is_constructor ? "<init>"
                 : method->is_run       ? "run"
                                        : "main");
    else
        snprintf(to, size, "m%u", method->name);
}

static unsigned remember(struct maker *maker, unsigned index, struct mini_constant constant)
{
    if (index < MINI_CONSTANTS)
        maker->code->constants[maker->class][index] = constant;
    else
        maker->code->failed = true;
    return index;
}

static unsigned field_constant(struct maker *maker, struct mini_step step)
{
    char owner[40], name[20], descriptor[80];
    name_class(maker->program, step.class, owner, sizeof owner);
    snprintf(name, sizeof name, "f%u_%u", step.class, step.field);
    describe_type(maker->program, mini_field_of(maker->program, step)->type, descriptor,
                  sizeof descriptor);
    return remember(maker, add_member(&maker->code->build, 9, owner, name, descriptor),
                    (struct mini_constant){'F', step.class, step.field});
}

static unsigned method_constant(struct maker *maker, struct mini_step step)
{
    char owner[40], name[20], descriptor[600];
    const struct mini_method *method = mini_method_of(maker->program, step);
    name_class(maker->program, step.class, owner, sizeof owner);
    name_method(method, name, sizeof name);
    describe_method(maker->program, method, descriptor, sizeof descriptor);
    return remember(maker, add_member(&maker->code->build, 10, owner, name, descriptor),
                    (struct mini_constant){'M', step.class, step.field});
}

static unsigned class_constant(struct maker *maker, unsigned type)
{
    char name[80];
    name_type(maker->program, type, name, sizeof name);
    return remember(maker, add_class(&maker->code->build, name),
                    (struct mini_constant){'C', (uint8_t)type, 0});
}

/* ---- code ---- */

static void byte(struct maker *maker, unsigned value)
{
    if (maker->body->size < MINI_CODE_SIZE)
        maker->body->code[maker->body->size++] = (uint8_t)value;
    else
        maker->code->failed = true;
}

static void two(struct maker *maker, unsigned value)
{
    byte(maker, value >> 8 & 0xFF);
    byte(maker, value & 0xFF);
}

static void with_constant(struct maker *maker, unsigned opcode, unsigned constant)
{
    byte(maker, opcode);
    two(maker, constant);
}

static void with_slot(struct maker *maker, unsigned opcode, unsigned slot)
{
    byte(maker, opcode);
    byte(maker, slot);
}

static void call_library(struct maker *maker, enum mini_library number)
{
    const bool special = text_is(text_from(library[number].name), "<init>");
    const unsigned constant = remember(maker,
                                       add_member(&maker->code->build, 10, library[number].owner,
                                                  library[number].name, library[number].descriptor),
                                       (struct mini_constant){'L', (uint8_t)number, 0});
    with_constant(maker,
                  special                 ? INVOKESPECIAL
                  : number == MINI_CHANCE ? INVOKESTATIC
                                          : INVOKEVIRTUAL,
                  constant);
}

/* A jump whose target is not known yet: its place. */
static uint16_t jump(struct maker *maker, unsigned opcode)
{
    const uint16_t at = maker->body->size;
    byte(maker, opcode);
    two(maker, 0);
    return at;
}

static void jump_to(struct maker *maker, uint16_t at, uint16_t target)
{
    const unsigned offset = (unsigned)(target - at) & 0xFFFF;
    if (at + 2 >= MINI_CODE_SIZE)
        return;
    maker->body->code[at + 1] = (uint8_t)(offset >> 8);
    maker->body->code[at + 2] = (uint8_t)offset;
}

static void jump_here(struct maker *maker, uint16_t at)
{
    jump_to(maker, at, maker->body->size);
}

static unsigned slot_of(const struct maker *maker, unsigned local)
{
    return maker->method->is_static && !maker->method->is_main ? local - 1 : local;
}

static uint8_t new_slot(struct maker *maker)
{
    if (maker->next_slot + 1 >= MINI_SLOTS)
        maker->code->failed = true;
    return maker->next_slot++;
}

static void load(struct maker *maker, const struct mini_path *path)
{
    unsigned first = 0;
    if (path->base == MINI_NULL)
        byte(maker, ACONST_NULL);
    else if (path->base == MINI_LOCAL)
        with_slot(maker, ALOAD, slot_of(maker, path->number));
    else if (path->base == MINI_CLASS)
        with_constant(maker, LDC_W, class_constant(maker, path->number));
    else
        with_constant(maker, GETSTATIC, field_constant(maker, path->steps[first++]));
    for (unsigned i = first; i < path->count; i++)
        with_constant(maker, GETFIELD, field_constant(maker, path->steps[i]));
}

static void make_object(struct maker *maker, unsigned type, enum mini_library constructor)
{
    with_constant(maker, NEW, class_constant(maker, type));
    byte(maker, DUP);
    call_library(maker, constructor);
}

static void make_lock(struct maker *maker, unsigned type)
{
    make_object(maker, type,
                type == MINI_MUTEX        ? MINI_INIT_MUTEX
                : type == MINI_READ_WRITE ? MINI_INIT_READ_WRITE
                                          : MINI_INIT_OBJECT);
}

/* ---- blocks and their ends ---- */

static void make_block(struct maker *maker, uint16_t first);

static struct context *enter(struct maker *maker, unsigned kind)
{
    struct context *context =
        &maker->contexts[maker->depth < CONTEXTS - 1 ? maker->depth++ : CONTEXTS - 1];
    if (maker->depth == CONTEXTS - 1)
        maker->code->failed = true;
    context->kind = kind;
    context->start = maker->body->size;
    context->range_count = context->break_count = 0;
    return context;
}

static void close_range(struct maker *maker, struct context *context)
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
static void add_handlers(struct maker *maker, const struct context *context, uint16_t handler)
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

static void change_lock(struct maker *maker, const struct mini_statement *statement, unsigned way)
{
    static const enum mini_library calls[3][3] = {
        {MINI_MUTEX_LOCK, MINI_MUTEX_UNLOCK, MINI_MUTEX_TRY},
        {MINI_READ_LOCK, MINI_READ_UNLOCK, MINI_READ_TRY},
        {MINI_WRITE_LOCK, MINI_WRITE_UNLOCK, MINI_WRITE_TRY}};
    const bool mutex =
        mini_path_type(maker->program, maker->method->types, &statement->path) == MINI_MUTEX;
    load(maker, &statement->path);
    if (!mutex)
        call_library(maker, statement->shared ? MINI_READ_VIEW : MINI_WRITE_VIEW);
    call_library(maker, calls[mutex ? 0 : statement->shared ? 1 : 2][way]);
}

static void leave(struct maker *maker, const struct context *context)
{
    if (context->kind == SYNCHRONIZED_BLOCK) {
        with_slot(maker, ALOAD, context->slot);
        byte(maker, MONITOREXIT);
    } else if (context->kind == FINALLY_BLOCK) {
        change_lock(maker, context->statement, 1);
    }
}

/* Leaves the blocks from the innermost to that of number `outermost`: the code that does it is no
   longer protected by what it has left. */
static void leave_all(struct maker *maker, unsigned outermost)
{
    for (unsigned i = maker->depth; i-- > outermost;) {
        close_range(maker, &maker->contexts[i]);
        leave(maker, &maker->contexts[i]);
    }
}

/* Behind a jump out, the blocks go on. */
static void go_on(struct maker *maker, unsigned outermost)
{
    for (unsigned i = outermost; i < maker->depth; i++)
        maker->contexts[i].start = maker->body->size;
    maker->alive = false;
}

/* The end of a synchronized block or a finally, with the handler. */
static void finish_block(struct maker *maker, struct context *context)
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
    with_slot(maker, ASTORE, thrown);
    leave(maker, context);
    /* As javac has it, the handler of a monitor protects itself. */
    if (context->kind == SYNCHRONIZED_BLOCK)
        close_range(maker, context);
    with_slot(maker, ALOAD, thrown);
    byte(maker, ATHROW);
    add_handlers(maker, context, handler);
    if (alive)
        jump_here(maker, over);
    maker->alive = alive;
}

static void make_synchronized(struct maker *maker, const struct mini_statement *statement)
{
    const uint8_t slot = new_slot(maker);
    load(maker, &statement->path);
    byte(maker, DUP);
    with_slot(maker, ASTORE, slot);
    byte(maker, MONITORENTER);
    struct context *context = enter(maker, SYNCHRONIZED_BLOCK);
    context->slot = slot;
    make_block(maker, statement->body);
    finish_block(maker, context);
}

static void make_finally(struct maker *maker, const struct mini_statement *statement)
{
    change_lock(maker, statement, 0);
    struct context *context = enter(maker, FINALLY_BLOCK);
    context->statement = statement;
    make_block(maker, statement->body);
    finish_block(maker, context);
}

static void make_try(struct maker *maker, const struct mini_statement *statement)
{
    struct context *context = enter(maker, TRY_BLOCK);
    make_block(maker, statement->body);
    maker->depth--;
    close_range(maker, context);
    const bool alive = maker->alive;
    if (!context->range_count)
        return; /* nothing to protect */
    const uint16_t over = alive ? jump(maker, GOTO) : 0;
    add_handlers(maker, context, maker->body->size);
    byte(maker, POP);
    maker->alive = true;
    make_block(maker, statement->other);
    if (alive)
        jump_here(maker, over);
    maker->alive = maker->alive || alive;
}

static void make_while(struct maker *maker, const struct mini_statement *statement)
{
    struct context *context = enter(maker, LOOP);
    context->begin = maker->body->size;
    call_library(maker, MINI_CHANCE);
    const uint16_t over = jump(maker, IFEQ);
    make_block(maker, statement->body);
    if (maker->alive)
        jump_to(maker, jump(maker, GOTO), context->begin);
    jump_here(maker, over);
    for (unsigned i = 0; i < context->break_count; i++)
        jump_here(maker, context->breaks[i]);
    maker->depth--;
    maker->alive = true;
}

static void make_jump(struct maker *maker, const struct mini_statement *statement)
{
    unsigned loop = maker->depth;
    while (loop > 0 && maker->contexts[loop - 1].kind != LOOP)
        loop--;
    if (!loop)
        return; /* the loop is gone */
    struct context *context = &maker->contexts[loop - 1];
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

static void make_if(struct maker *maker, const struct mini_statement *statement)
{
    uint16_t otherwise, over = 0;
    if (statement->kind == MINI_IF) {
        call_library(maker, MINI_CHANCE);
        otherwise = jump(maker, IFEQ);
    } else if (statement->kind == MINI_TRY_LOCK) {
        change_lock(maker, statement, 2);
        otherwise = jump(maker, IFEQ);
    } else if (statement->kind == MINI_IF_NULL) {
        load(maker, &statement->path);
        otherwise = jump(maker, IFNONNULL);
    } else {
        load(maker, &statement->path);
        load(maker, &statement->value);
        otherwise = jump(maker, IF_ACMPNE);
    }
    make_block(maker, statement->body);
    if (statement->kind == MINI_TRY_LOCK && maker->alive)
        change_lock(maker, statement, 1);
    const bool alive = maker->alive;
    if (alive && statement->other)
        over = jump(maker, GOTO);
    jump_here(maker, otherwise);
    maker->alive = true;
    make_block(maker, statement->other);
    if (alive && statement->other)
        jump_here(maker, over);
    maker->alive = maker->alive || alive;
}

/* ---- simple statements ---- */

static void make_access(struct maker *maker, const struct mini_statement *statement)
{
    const bool is_static = mini_field_of(maker->program, statement->member)->is_static;
    if (!is_static)
        load(maker, &statement->path);
    if (statement->kind == MINI_WRITE)
        byte(maker, ICONST_1);
    else if (statement->kind == MINI_STORE)
        load(maker, &statement->value);
    const bool write = statement->kind != MINI_READ;
    with_constant(maker,
                  is_static ? (write ? PUTSTATIC : GETSTATIC) : (write ? PUTFIELD : GETFIELD),
                  field_constant(maker, statement->member));
    if (!write)
        byte(maker, POP);
}

static void make_arguments(struct maker *maker, const struct mini_statement *statement)
{
    for (unsigned i = 0; i < statement->argument_count; i++)
        load(maker, &statement->arguments[i]);
}

static void make_call(struct maker *maker, const struct mini_statement *statement)
{
    const struct mini_method *method = mini_method_of(maker->program, statement->member);
    if (!method->is_static)
        load(maker, &statement->path);
    make_arguments(maker, statement);
    with_constant(maker,
                  method->is_static    ? INVOKESTATIC
                  : method->is_private ? INVOKESPECIAL
                                       : INVOKEVIRTUAL,
                  method_constant(maker, statement->member));
    if (method->result != MINI_VOID)
        with_slot(maker, ASTORE, slot_of(maker, statement->local));
}

static void make_new(struct maker *maker, const struct mini_statement *statement)
{
    with_constant(maker, NEW, class_constant(maker, statement->member.class));
    byte(maker, DUP);
    make_arguments(maker, statement);
    with_constant(maker, INVOKESPECIAL, method_constant(maker, statement->member));
    with_slot(maker, ASTORE, slot_of(maker, statement->local));
}

static void make_start(struct maker *maker, const struct mini_statement *statement)
{
    with_constant(maker, NEW, class_constant(maker, MINI_THREAD));
    byte(maker, DUP);
    load(maker, &statement->path);
    call_library(maker, MINI_INIT_THREAD);
    call_library(maker, MINI_START_THREAD);
}

static void make_statement(struct maker *maker, const struct mini_statement *statement)
{
    switch (statement->kind) {
    case MINI_READ:
    case MINI_WRITE:
    case MINI_STORE:
        make_access(maker, statement);
        break;
    case MINI_ASSIGN:
        load(maker, &statement->value);
        with_slot(maker, ASTORE, slot_of(maker, statement->local));
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
        make_block(maker, statement->body);
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
        byte(maker, RETURN);
        go_on(maker, 0);
        break;
    case MINI_THROW:
        make_object(maker, MINI_THROWN, MINI_INIT_THROWN);
        byte(maker, ATHROW);
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

static void make_block(struct maker *maker, uint16_t first)
{
    for (uint16_t i = first; i && maker->alive; i = maker->program->statements[i].next)
        make_statement(maker, &maker->program->statements[i]);
}

/* ---- methods ---- */

/* The superclass's constructor has the first parameters of this one; the rest are fields. */
static void make_construction(struct maker *maker)
{
    const struct mini_class *class = &maker->program->classes[maker->class];
    unsigned parameter = 1;
    with_slot(maker, ALOAD, 0);
    if (class->superclass == MINI_OBJECT) {
        call_library(maker, MINI_INIT_OBJECT);
    } else {
        const struct mini_method *above = &maker->program->classes[class->superclass].methods[0];
        for (; parameter < above->parameter_count; parameter++)
            with_slot(maker, ALOAD, parameter);
        with_constant(maker, INVOKESPECIAL,
                      method_constant(maker, (struct mini_step){class->superclass, 0}));
    }
    for (unsigned i = 0; i < class->field_count; i++) {
        const struct mini_field *field = &class->fields[i];
        if (field->is_static || field->origin == MINI_FROM_NOTHING)
            continue;
        with_slot(maker, ALOAD, 0);
        if (field->origin == MINI_FROM_PARAMETER) {
            with_slot(maker, ALOAD, parameter++);
        } else if (mini_is_class(field->type)) {
            with_constant(maker, NEW, class_constant(maker, field->type));
            byte(maker, DUP);
            with_constant(maker, INVOKESPECIAL,
                          method_constant(maker, (struct mini_step){field->type, 0}));
        } else {
            make_lock(maker, field->type);
        }
        with_constant(maker, PUTFIELD,
                      field_constant(maker, (struct mini_step){(uint8_t)maker->class, (uint8_t)i}));
    }
}

static void make_code(struct maker *maker, const struct mini_method *method)
{
    maker->method = method;
    maker->body->size = maker->body->handler_count = 0;
    maker->depth = 0;
    maker->alive = true;
    maker->next_slot = (uint8_t)slot_of(maker, method->local_count);
    if (method->is_constructor)
        make_construction(maker);
    for (unsigned i = method->parameter_count; i < method->local_count; i++) {
        byte(maker, ACONST_NULL);
        with_slot(maker, ASTORE, slot_of(maker, i));
    }
    make_block(maker, method->body);
    if (method->result != MINI_VOID) {
        load(maker, &method->returned);
        byte(maker, ARETURN);
    } else if (maker->alive) {
        byte(maker, RETURN);
    }
}

static void put_code(struct class_build *build, const struct mini_body *body)
{
    const size_t start = begin_attribute(build, "Code");
    put_u2(&build->body, 12); /* stack */
    put_u2(&build->body, MINI_SLOTS);
    put_u4(&build->body, body->size);
    put_bytes(&build->body, body->code, body->size);
    put_u2(&build->body, body->handler_count);
    for (unsigned i = 0; i < body->handler_count; i++) {
        put_u2(&build->body, body->handlers[i].start);
        put_u2(&build->body, body->handlers[i].end);
        put_u2(&build->body, body->handlers[i].handler);
        put_u2(&build->body, 0);
    }
    put_u2(&build->body, 0);
    end_attribute(build, start);
}

static void put_method(struct maker *maker, unsigned number)
{
    const struct mini_method *method = &maker->program->classes[maker->class].methods[number];
    struct class_build *build = &maker->code->build;
    char name[20], descriptor[600];
    name_method(method, name, sizeof name);
    describe_method(maker->program, method, descriptor, sizeof descriptor);
    maker->body = &maker->code->bodies[maker->class][number];
    make_code(maker, method);
    put_member(build,
               (method->is_private ? 0x2u : 0x1u) | (method->is_static ? 0x8u : 0) |
                   (method->is_synchronized ? 0x20u : 0),
               name, descriptor);
    put_u2(&build->body, 1);
    put_code(build, maker->body);
}

/* Static locks are made by the initializer. */
static void put_initializer(struct maker *maker)
{
    const struct mini_class *class = &maker->program->classes[maker->class];
    static struct mini_body body;
    maker->body = &body;
    maker->body->size = maker->body->handler_count = 0;
    for (unsigned i = 0; i < class->field_count; i++)
        if (class->fields[i].is_static && class->fields[i].origin == MINI_FROM_NEW) {
            make_lock(maker, class->fields[i].type);
            with_constant(
                maker, PUTSTATIC,
                field_constant(maker, (struct mini_step){(uint8_t)maker->class, (uint8_t)i}));
        }
    byte(maker, RETURN);
    put_member(&maker->code->build, 0x8, "<clinit>", "()V");
    put_u2(&maker->code->build.body, 1);
    put_code(&maker->code->build, maker->body);
}

static void put_field(struct maker *maker, unsigned number)
{
    const struct mini_field *field = &maker->program->classes[maker->class].fields[number];
    struct class_build *build = &maker->code->build;
    char name[20], descriptor[80];
    snprintf(name, sizeof name, "f%u_%u", maker->class, number);
    describe_type(maker->program, field->type, descriptor, sizeof descriptor);
    put_member(build,
               0x1u | (field->is_static ? 0x8u : 0) | (field->is_final ? 0x10u : 0) |
                   (field->is_volatile ? 0x40u : 0),
               name, descriptor);
    put_u2(&build->body, 0);
}

static void make_class(struct maker *maker, mini_class_taker taker, void *context)
{
    const struct mini_class *class = &maker->program->classes[maker->class];
    struct class_build *build = &maker->code->build;
    char name[40], above[40];
    name_class(maker->program, maker->class, name, sizeof name);
    name_type(maker->program, class->superclass, above, sizeof above);
    class_build_init(build, MAJOR);
    put_class(build, 0x21, name, above);
    put_u2(&build->body, class->is_worker ? 1 : 0);
    if (class->is_worker)
        put_u2(&build->body, add_class(build, "java/lang/Runnable"));
    put_u2(&build->body, class->field_count);
    for (unsigned i = 0; i < class->field_count; i++)
        put_field(maker, i);
    put_u2(&build->body, class->method_count + 1u + (class->is_main ? 1 : 0));
    for (unsigned i = 0; i < class->method_count; i++)
        put_method(maker, i);
    put_initializer(maker);
    if (class->is_main) {
        put_member(build, 0x109, library[MINI_CHANCE].name, library[MINI_CHANCE].descriptor);
        put_u2(&build->body, 0);
    }
    put_u2(&build->body, 0);
    const struct build_bytes *bytes = class_build_finish(build);
    taker(context, name, bytes->bytes, bytes->size);
}

/* ---- the JDK's classes ---- */

#define LOCKS "java/util/concurrent/locks/"

static const struct {
    const char *name, *super, *interface;
} library_classes[] = {
    {"java/lang/Object", NULL, NULL},
    {"java/lang/RuntimeException", "java/lang/Object", NULL},
    {"java/lang/Thread", "java/lang/Object", NULL},
    {LOCKS "ReentrantLock", "java/lang/Object", LOCKS "Lock"},
    {LOCKS "ReentrantReadWriteLock", "java/lang/Object", LOCKS "ReadWriteLock"},
    {LOCKS "ReentrantReadWriteLock$ReadLock", "java/lang/Object", LOCKS "Lock"},
    {LOCKS "ReentrantReadWriteLock$WriteLock", "java/lang/Object", LOCKS "Lock"},
};

static const struct {
    const char *name, *methods[3][2];
} library_interfaces[] = {
    {"java/lang/Runnable", {{"run", "()V"}}},
    {LOCKS "Lock", {{"lock", "()V"}, {"tryLock", "()Z"}, {"unlock", "()V"}}},
    {LOCKS "ReadWriteLock",
     {{"readLock", "()L" LOCKS "Lock;"}, {"writeLock", "()L" LOCKS "Lock;"}}},
};

/* Methods of the JDK are native, so that nobody looks into them; constructors cannot be. */
static void put_library_method(struct class_build *build, unsigned number)
{
    static const struct mini_body nothing = {.size = 1, .code = {RETURN}};
    const bool native = !text_is(text_from(library[number].name), "<init>");
    put_member(build, native ? 0x101 : 0x1, library[number].name, library[number].descriptor);
    put_u2(&build->body, native ? 0 : 1);
    if (!native)
        put_code(build, &nothing);
}

static void make_library_class(struct mini_code *code, unsigned number, mini_class_taker taker,
                               void *context)
{
    struct class_build *build = &code->build;
    const char *name = library_classes[number].name;
    const char *interface = library_classes[number].interface;
    unsigned count = 0;
    class_build_init(build, MAJOR);
    put_class(build, 0x21, name, library_classes[number].super);
    put_u2(&build->body, interface ? 1 : 0);
    if (interface)
        put_u2(&build->body, add_class(build, interface));
    put_u2(&build->body, 0);
    for (unsigned i = 0; i < MINI_LIBRARY_COUNT; i++)
        count += text_is(text_from(library[i].owner), name);
    put_u2(&build->body, count);
    for (unsigned i = 0; i < MINI_LIBRARY_COUNT; i++)
        if (text_is(text_from(library[i].owner), name))
            put_library_method(build, i);
    put_u2(&build->body, 0);
    const struct build_bytes *bytes = class_build_finish(build);
    taker(context, name, bytes->bytes, bytes->size);
}

static void make_library_interface(struct mini_code *code, unsigned number, mini_class_taker taker,
                                   void *context)
{
    struct class_build *build = &code->build;
    unsigned count = 0;
    class_build_init(build, MAJOR);
    put_class(build, 0x601, library_interfaces[number].name, "java/lang/Object");
    put_u2(&build->body, 0);
    put_u2(&build->body, 0);
    while (count < 3 && library_interfaces[number].methods[count][0])
        count++;
    put_u2(&build->body, count);
    for (unsigned i = 0; i < count; i++) {
        put_member(build, 0x401, library_interfaces[number].methods[i][0],
                   library_interfaces[number].methods[i][1]);
        put_u2(&build->body, 0);
    }
    put_u2(&build->body, 0);
    const struct build_bytes *bytes = class_build_finish(build);
    taker(context, library_interfaces[number].name, bytes->bytes, bytes->size);
}

void mini_code_make(struct mini_code *code, const struct mini_program *program,
                    mini_class_taker taker, void *context)
{
    static struct maker maker;
    maker.code = code;
    maker.program = program;
    code->program = program;
    code->failed = false;
    for (unsigned i = 0; i < sizeof library_classes / sizeof *library_classes; i++)
        make_library_class(code, i, taker, context);
    for (unsigned i = 0; i < sizeof library_interfaces / sizeof *library_interfaces; i++)
        make_library_interface(code, i, taker, context);
    for (maker.class = 0; maker.class < program->class_count; maker.class ++)
        make_class(&maker, taker, context);
}
