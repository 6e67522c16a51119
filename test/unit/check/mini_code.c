#include <stdio.h>

#include "base/text.h"
#include "check/mini_code_internal.h"

const struct library_method mini_library[MINI_LIBRARY_COUNT] = {
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

/* ---- methods ---- */

/* The superclass's constructor has the first parameters of this one; the rest are fields. */
static void make_construction(struct code_maker *maker)
{
    const struct mini_class *class = &maker->program->classes[maker->class];
    unsigned parameter = 1;
    mini_code_with_slot(maker, ALOAD, 0);
    if (class->superclass == MINI_OBJECT) {
        mini_code_call_library(maker, MINI_INIT_OBJECT);
    } else {
        const struct mini_method *above = &maker->program->classes[class->superclass].methods[0];
        for (; parameter < above->parameter_count; parameter++)
            mini_code_with_slot(maker, ALOAD, parameter);
        mini_code_with_constant(
            maker, INVOKESPECIAL,
            mini_code_method_constant(maker, (struct mini_step){class->superclass, 0}));
    }
    for (unsigned i = 0; i < class->field_count; i++) {
        const struct mini_field *field = &class->fields[i];
        if (field->is_static || field->origin == MINI_FROM_NOTHING)
            continue;
        mini_code_with_slot(maker, ALOAD, 0);
        if (field->origin == MINI_FROM_PARAMETER) {
            mini_code_with_slot(maker, ALOAD, parameter++);
        } else if (mini_is_class(field->type)) {
            mini_code_with_constant(maker, NEW, mini_code_class_constant(maker, field->type));
            mini_code_byte(maker, DUP);
            mini_code_with_constant(
                maker, INVOKESPECIAL,
                mini_code_method_constant(maker, (struct mini_step){field->type, 0}));
        } else {
            mini_code_make_lock(maker, field->type);
        }
        mini_code_with_constant(
            maker, PUTFIELD,
            mini_code_field_constant(maker, (struct mini_step){(uint8_t)maker->class, (uint8_t)i}));
    }
}

static void make_code(struct code_maker *maker, const struct mini_method *method)
{
    maker->method = method;
    maker->body->size = maker->body->handler_count = 0;
    maker->depth = 0;
    maker->alive = true;
    maker->next_slot = (uint8_t)mini_code_slot_of(maker, method->local_count);
    if (method->is_constructor)
        make_construction(maker);
    for (unsigned i = method->parameter_count; i < method->local_count; i++) {
        mini_code_byte(maker, ACONST_NULL);
        mini_code_with_slot(maker, ASTORE, mini_code_slot_of(maker, i));
    }
    mini_code_make_block(maker, method->body);
    if (method->result != MINI_VOID) {
        mini_code_load(maker, &method->returned);
        mini_code_byte(maker, ARETURN);
    } else if (maker->alive) {
        mini_code_byte(maker, RETURN);
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

static void put_method(struct code_maker *maker, unsigned number)
{
    const struct mini_method *method = &maker->program->classes[maker->class].methods[number];
    struct class_build *build = &maker->code->build;
    char name[20], descriptor[600];
    mini_code_name_method(method, name, sizeof name);
    mini_code_describe_method(maker->program, method, descriptor, sizeof descriptor);
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
static void put_initializer(struct code_maker *maker)
{
    const struct mini_class *class = &maker->program->classes[maker->class];
    static struct mini_body body;
    maker->body = &body;
    maker->body->size = maker->body->handler_count = 0;
    for (unsigned i = 0; i < class->field_count; i++)
        if (class->fields[i].is_static && class->fields[i].origin == MINI_FROM_NEW) {
            mini_code_make_lock(maker, class->fields[i].type);
            mini_code_with_constant(
                maker, PUTSTATIC,
                mini_code_field_constant(maker,
                                         (struct mini_step){(uint8_t)maker->class, (uint8_t)i}));
        }
    mini_code_byte(maker, RETURN);
    put_member(&maker->code->build, 0x8, "<clinit>", "()V");
    put_u2(&maker->code->build.body, 1);
    put_code(&maker->code->build, maker->body);
}

static void put_field(struct code_maker *maker, unsigned number)
{
    const struct mini_field *field = &maker->program->classes[maker->class].fields[number];
    struct class_build *build = &maker->code->build;
    char name[20], descriptor[80];
    snprintf(name, sizeof name, "f%u_%u", maker->class, number);
    mini_code_describe_type(maker->program, field->type, descriptor, sizeof descriptor);
    put_member(build,
               0x1u | (field->is_static ? 0x8u : 0) | (field->is_final ? 0x10u : 0) |
                   (field->is_volatile ? 0x40u : 0),
               name, descriptor);
    put_u2(&build->body, 0);
}

static void make_class(struct code_maker *maker, mini_class_taker taker, void *context)
{
    const struct mini_class *class = &maker->program->classes[maker->class];
    struct class_build *build = &maker->code->build;
    char name[40], above[40];
    mini_code_name_class(maker->program, maker->class, name, sizeof name);
    mini_code_name_type(maker->program, class->superclass, above, sizeof above);
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
        put_member(build, 0x109, mini_library[MINI_CHANCE].name,
                   mini_library[MINI_CHANCE].descriptor);
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
    const bool native = !text_is(text_from(mini_library[number].name), "<init>");
    put_member(build, native ? 0x101 : 0x1, mini_library[number].name,
               mini_library[number].descriptor);
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
        count += text_is(text_from(mini_library[i].owner), name);
    put_u2(&build->body, count);
    for (unsigned i = 0; i < MINI_LIBRARY_COUNT; i++)
        if (text_is(text_from(mini_library[i].owner), name))
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
    static struct code_maker maker;
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
