#include "check/mini_run.h"

#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 5,
    FRAMES = 8,
    STACK = 14,
    OBJECTS = 64, /* number 0 is null; then come the class objects */
    LEVELS = 3,   /* of superclasses */
    FIELD_ROOM = LEVELS * MINI_FIELDS,
    STEPS_MAX = 1200,
    BURST = 12,
    RUNS_PER_ENGINE = 4000
};

/* Of an object, besides the types. */
enum { TYPE_READ_VIEW = 210, TYPE_WRITE_VIEW, TYPE_CLASS_OBJECT };

/* The monitor, or the lock that a lock object is. */
struct owner {
    int thread; /* -1: nobody */
    unsigned depth;
};

struct object {
    uint8_t type;
    uint8_t viewed; /* a view: of which object */
    bool reachable; /* other threads may know it */
    struct owner monitor, lock;
    uint8_t readers[THREADS];
    uint8_t values[FIELD_ROOM];
    uint64_t words[MINI_ENGINES][FIELD_ROOM];
};

struct frame {
    struct mini_step method;
    uint16_t pc;
    uint8_t top;
    uint8_t monitor; /* of a synchronized method */
    uint8_t slots[MINI_SLOTS];
    uint8_t stack[STACK];
};

struct runner {
    struct frame frames[FRAMES];
    unsigned depth;
    bool over;
    uint8_t body; /* the Runnable, until its run begins */
    struct thread *threads[MINI_ENGINES];
};

struct machine {
    struct mini_world *world;
    const struct mini_code *code;
    const struct mini_program *program;
    struct mini_outcome *outcome;
    uint64_t random;
    struct object objects[OBJECTS];
    unsigned object_count;
    uint8_t statics[MINI_CLASSES][MINI_FIELDS];
    uint64_t static_words[MINI_ENGINES][MINI_CLASSES][MINI_FIELDS];
    struct runner runners[THREADS];
    unsigned runner_count;
};

enum progress { GOES_ON, BLOCKED };

static uint64_t draw(struct machine *machine, unsigned limit)
{
    uint64_t mixed = machine->random += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return (mixed ^ mixed >> 31) % limit;
}

/* ---- objects ---- */

static uint8_t class_object(unsigned class)
{
    return (uint8_t)(1 + class);
}

/* 0 if there are too many. */
static uint8_t new_object(struct machine *machine, unsigned type)
{
    if (machine->object_count == OBJECTS)
        return 0;
    struct object *object = &machine->objects[machine->object_count];
    memset(object, 0, sizeof *object);
    object->type = (uint8_t)type;
    object->monitor.thread = object->lock.thread = -1;
    return (uint8_t)machine->object_count++;
}

static uint8_t new_of_type(struct machine *machine, unsigned type)
{
    const uint8_t object = new_object(machine, type);
    if (object && type == MINI_READ_WRITE) {
        const uint8_t reading = new_object(machine, TYPE_READ_VIEW);
        const uint8_t writing = new_object(machine, TYPE_WRITE_VIEW);
        if (!writing)
            return 0;
        machine->objects[reading].viewed = machine->objects[writing].viewed = object;
    }
    return object;
}

static unsigned place_of(const struct mini_program *program, struct mini_step step)
{
    unsigned level = 0;
    for (unsigned class = step.class; program->classes[class].superclass != MINI_OBJECT;
         class = program->classes[class].superclass)
        level++;
    return level * MINI_FIELDS + step.field;
}

static void make_reachable(struct machine *machine, uint8_t number)
{
    struct object *object = &machine->objects[number];
    if (!number || object->reachable)
        return;
    object->reachable = true;
    if (!mini_is_class(object->type))
        return;
    for (unsigned class = object->type; mini_is_class(class);
         class = machine->program->classes[class].superclass) {
        const struct mini_class *it = &machine->program->classes[class];
        for (unsigned i = 0; i < it->field_count; i++) {
            const struct mini_step step = {(uint8_t) class, (uint8_t)i};
            if (it->fields[i].type != MINI_INT && !it->fields[i].is_static)
                make_reachable(machine, object->values[place_of(machine->program, step)]);
        }
    }
}

/* ---- locks ---- */

static uint32_t lock_name(const struct machine *machine, uint8_t object, bool monitor)
{
    return machine->world->next_lock + object * 2u + (monitor ? 0 : 1);
}

static void tell_acquire(struct machine *machine, unsigned runner, uint32_t lock, bool shared)
{
    for (unsigned i = 0; i < MINI_ENGINES; i++)
        engine_lock_acquire(machine->world->engines[i], machine->runners[runner].threads[i], lock,
                            shared ? THREAD_SHARED : THREAD_EXCLUSIVE);
}

static void tell_release(struct machine *machine, unsigned runner, uint32_t lock, bool shared)
{
    for (unsigned i = 0; i < MINI_ENGINES; i++)
        engine_lock_release(machine->world->engines[i], machine->runners[runner].threads[i], lock,
                            shared ? THREAD_SHARED : THREAD_EXCLUSIVE);
}

static bool others_read(const struct machine *machine, const struct object *object, unsigned runner)
{
    for (unsigned i = 0; i < machine->runner_count; i++)
        if (object->readers[i] && i != runner)
            return true;
    return false;
}

/* Exclusively. A reader that wants to write waits for itself, too. */
static bool take(struct machine *machine, unsigned runner, uint8_t number, bool monitor)
{
    struct object *object = &machine->objects[number];
    struct owner *owner = monitor ? &object->monitor : &object->lock;
    if (owner->thread >= 0 && owner->thread != (int)runner)
        return false;
    if (!monitor && owner->thread < 0 &&
        (others_read(machine, object, runner) || object->readers[runner]))
        return false;
    owner->thread = (int)runner;
    owner->depth++;
    tell_acquire(machine, runner, lock_name(machine, number, monitor), false);
    return true;
}

static bool give(struct machine *machine, unsigned runner, uint8_t number, bool monitor)
{
    struct object *object = &machine->objects[number];
    struct owner *owner = monitor ? &object->monitor : &object->lock;
    if (owner->thread != (int)runner)
        return false;
    tell_release(machine, runner, lock_name(machine, number, monitor), false);
    if (!--owner->depth)
        owner->thread = -1;
    return true;
}

static bool take_shared(struct machine *machine, unsigned runner, uint8_t number)
{
    struct object *object = &machine->objects[number];
    if (object->lock.thread >= 0 && object->lock.thread != (int)runner)
        return false;
    object->readers[runner]++;
    tell_acquire(machine, runner, lock_name(machine, number, false), true);
    return true;
}

static bool give_shared(struct machine *machine, unsigned runner, uint8_t number)
{
    struct object *object = &machine->objects[number];
    if (!object->readers[runner])
        return false;
    tell_release(machine, runner, lock_name(machine, number, false), true);
    object->readers[runner]--;
    return true;
}

/* ---- accesses ---- */

static bool holds(const struct machine *machine, unsigned runner, uint8_t number, bool write)
{
    const struct object *object = &machine->objects[number];
    return object->monitor.thread == (int)runner || object->lock.thread == (int)runner ||
           (!write && object->readers[runner]);
}

/* What a guard denotes for this object; 0 if nothing. */
static uint8_t look_up(const struct machine *machine, const struct mini_path *path, uint8_t self)
{
    unsigned first = 0;
    uint8_t value = self;
    if (path->base == MINI_CLASS)
        value = class_object(path->number);
    else if (path->base == MINI_STATIC) {
        value = machine->statics[path->steps[0].class][path->steps[0].field];
        first = 1;
    }
    for (unsigned i = first; value && i < path->count; i++)
        value = machine->objects[value].values[place_of(machine->program, path->steps[i])];
    return value;
}

static void check_guard(struct machine *machine, unsigned runner, uint8_t object,
                        struct mini_step step, bool write)
{
    const struct mini_field *field = mini_field_of(machine->program, step);
    const struct runner *it = &machine->runners[runner];
    if (object && !machine->objects[object].reachable)
        return;
    machine->outcome->accesses++;
    for (unsigned i = 0; i < field->lock_count; i++) {
        if (field->locks[i].base == MINI_GHOST)
            continue;
        if (holds(machine, runner, look_up(machine, &field->locks[i], object), write))
            continue;
        if (!machine->outcome->broken++) {
            machine->outcome->at = step;
            machine->outcome->in = it->frames[it->depth - 1].method;
        }
    }
}

static void tell_access(struct machine *machine, unsigned runner, uint8_t object,
                        struct mini_step step, bool write)
{
    const struct mini_field *field = mini_field_of(machine->program, step);
    if (field->guard == MINI_UNGUARDED || (field->guard == MINI_WRITE_GUARDED && !write))
        return;
    check_guard(machine, runner, object, step, write);
    const struct engine_access access = {
        .field = machine->world->next_field + step.class * (uint32_t)MINI_FIELDS + step.field,
        .key = object,
        .identity = object,
        .write = write,
    };
    for (unsigned i = 0; i < MINI_ENGINES; i++) {
        uint64_t *word = object
                             ? &machine->objects[object].words[i][place_of(machine->program, step)]
                             : &machine->static_words[i][step.class][step.field];
        *word = engine_access(machine->world->engines[i], machine->runners[runner].threads[i],
                              &access, *word, NULL);
    }
}

/* ---- frames ---- */

static const struct mini_body *body_of(const struct machine *machine, struct mini_step method)
{
    return &machine->code->bodies[method.class][method.field];
}

/* Back to the handler that catches it, or to the end of the thread. */
static void throw_up(struct machine *machine, unsigned runner)
{
    struct runner *it = &machine->runners[runner];
    while (it->depth) {
        struct frame *frame = &it->frames[it->depth - 1];
        const struct mini_body *body = body_of(machine, frame->method);
        for (unsigned i = 0; i < body->handler_count; i++) {
            const struct mini_handler *handler = &body->handlers[i];
            if (frame->pc < handler->start || frame->pc >= handler->end)
                continue;
            frame->pc = handler->handler;
            frame->top = 0;
            frame->stack[frame->top++] = 0; /* what is thrown is of no interest */
            return;
        }
        if (frame->monitor)
            give(machine, runner, frame->monitor, true);
        it->depth--;
    }
    it->over = true;
}

/* Slots of the arguments: receiver first. */
static enum progress enter_method(struct machine *machine, unsigned runner, struct mini_step step,
                                  const uint8_t *arguments, unsigned count)
{
    struct runner *it = &machine->runners[runner];
    const struct mini_method *method = mini_method_of(machine->program, step);
    const uint8_t monitor = !method->is_synchronized ? 0
                            : method->is_static      ? class_object(step.class)
                                                     : arguments[0];
    if (it->depth == FRAMES) {
        throw_up(machine, runner);
        return GOES_ON;
    }
    if (monitor && !take(machine, runner, monitor, true))
        return BLOCKED;
    struct frame *frame = &it->frames[it->depth++];
    memset(frame, 0, sizeof *frame);
    frame->method = step;
    frame->monitor = monitor;
    memcpy(frame->slots, arguments, count);
    return GOES_ON;
}

/* The method that runs when this one is called on an object of the class. */
static struct mini_step select_method(const struct machine *machine, unsigned class,
                                      struct mini_step named)
{
    const struct mini_method *wanted = mini_method_of(machine->program, named);
    if (wanted->is_private || wanted->is_constructor)
        return named;
    for (; mini_is_class(class); class = machine->program->classes[class].superclass)
        for (unsigned i = 1; i < machine->program->classes[class].method_count; i++) {
            const struct mini_method *method = &machine->program->classes[class].methods[i];
            if (method->name == wanted->name && !method->is_static)
                return (struct mini_step){(uint8_t) class, (uint8_t)i};
        }
    return named;
}

/* ---- instructions ---- */

static enum progress call(struct machine *machine, unsigned runner, struct frame *frame,
                          struct mini_step named, bool dispatched)
{
    const struct mini_method *method = mini_method_of(machine->program, named);
    const unsigned count = method->parameter_count - (method->is_static ? 1u : 0u);
    uint8_t *arguments = &frame->stack[frame->top - count];
    struct mini_step target = named;
    if (!method->is_static) {
        if (!arguments[0]) {
            throw_up(machine, runner);
            return GOES_ON;
        }
        if (dispatched)
            target = select_method(machine, machine->objects[arguments[0]].type, named);
    }
    /* The arguments are taken away when it returns. */
    return enter_method(machine, runner, target, arguments, count);
}

static void return_from(struct machine *machine, unsigned runner, bool with_value)
{
    struct runner *it = &machine->runners[runner];
    struct frame *frame = &it->frames[--it->depth];
    const struct mini_method *method = mini_method_of(machine->program, frame->method);
    const uint8_t value = with_value ? frame->stack[frame->top - 1] : 0;
    if (frame->monitor)
        give(machine, runner, frame->monitor, true);
    if (!it->depth) {
        it->over = true;
        return;
    }
    struct frame *caller = &it->frames[it->depth - 1];
    caller->top = (uint8_t)(caller->top - (method->parameter_count - (method->is_static ? 1 : 0)));
    caller->pc = (uint16_t)(caller->pc + 3);
    if (with_value)
        caller->stack[caller->top++] = value;
}

static void start_thread(struct machine *machine, unsigned runner, uint8_t body)
{
    if (machine->runner_count == THREADS || !body)
        return;
    struct runner *started = &machine->runners[machine->runner_count++];
    started->depth = 0;
    started->over = false;
    started->body = body;
    for (unsigned i = 0; i < MINI_ENGINES; i++)
        started->threads[i] =
            engine_thread_start(machine->world->engines[i], machine->runners[runner].threads[i],
                                ++machine->world->next_thread);
}

/* A lock's method: `way` 0 takes, 1 gives, 2 tries. */
static enum progress use_lock(struct machine *machine, unsigned runner, struct frame *frame,
                              bool shared, unsigned way)
{
    uint8_t object = frame->stack[--frame->top];
    if (machine->objects[object].viewed)
        object = machine->objects[object].viewed;
    const bool done = way == 1 ? (shared ? give_shared(machine, runner, object)
                                         : give(machine, runner, object, false))
                               : (shared ? take_shared(machine, runner, object)
                                         : take(machine, runner, object, false));
    if (way == 0 && !done) {
        frame->top++; /* again */
        return BLOCKED;
    }
    if (way == 1 && !done) {
        throw_up(machine, runner);
        return GOES_ON;
    }
    if (way == 2)
        frame->stack[frame->top++] = done;
    frame->pc = (uint16_t)(frame->pc + 3);
    return GOES_ON;
}

static enum progress call_library(struct machine *machine, unsigned runner, struct frame *frame,
                                  unsigned number)
{
    if (number != MINI_CHANCE && !frame->stack[frame->top - 1]) {
        throw_up(machine, runner);
        return GOES_ON;
    }
    switch (number) {
    case MINI_INIT_THREAD: /* the thread stands for its body */
        frame->stack[frame->top - 3] = frame->stack[frame->top - 1];
        make_reachable(machine, frame->stack[frame->top - 1]);
        frame->top = (uint8_t)(frame->top - 2);
        break;
    case MINI_START_THREAD:
        start_thread(machine, runner, frame->stack[--frame->top]);
        break;
    case MINI_READ_VIEW:
    case MINI_WRITE_VIEW:
        frame->stack[frame->top - 1] =
            (uint8_t)(frame->stack[frame->top - 1] + (number == MINI_READ_VIEW ? 1 : 2));
        break;
    case MINI_CHANCE:
        frame->stack[frame->top++] = (uint8_t)draw(machine, 2);
        break;
    case MINI_MUTEX_LOCK:
    case MINI_MUTEX_UNLOCK:
    case MINI_MUTEX_TRY:
        return use_lock(machine, runner, frame, false, number - MINI_MUTEX_LOCK);
    case MINI_READ_LOCK:
    case MINI_READ_UNLOCK:
    case MINI_READ_TRY:
        return use_lock(machine, runner, frame, true, number - MINI_READ_LOCK);
    case MINI_WRITE_LOCK:
    case MINI_WRITE_UNLOCK:
    case MINI_WRITE_TRY:
        return use_lock(machine, runner, frame, false, number - MINI_WRITE_LOCK);
    default: /* constructors */
        frame->top--;
        break;
    }
    frame->pc = (uint16_t)(frame->pc + 3);
    return GOES_ON;
}

static void access_field(struct machine *machine, unsigned runner, struct frame *frame,
                         struct mini_step step, bool write)
{
    const struct mini_field *field = mini_field_of(machine->program, step);
    const uint8_t value = write ? frame->stack[--frame->top] : 0;
    const uint8_t object = field->is_static ? 0 : frame->stack[--frame->top];
    if (!field->is_static && !object) {
        throw_up(machine, runner);
        return;
    }
    uint8_t *place = field->is_static
                         ? &machine->statics[step.class][step.field]
                         : &machine->objects[object].values[place_of(machine->program, step)];
    tell_access(machine, runner, object, step, write);
    if (write) {
        *place = value;
        if (field->type != MINI_INT && (field->is_static || machine->objects[object].reachable))
            make_reachable(machine, value);
    } else {
        frame->stack[frame->top++] = *place;
    }
    frame->pc = (uint16_t)(frame->pc + 3);
}

static void make_new(struct machine *machine, unsigned runner, struct frame *frame, unsigned type)
{
    const uint8_t object = new_of_type(machine, type);
    if (!object) {
        throw_up(machine, runner);
        return;
    }
    frame->stack[frame->top++] = object;
    frame->pc = (uint16_t)(frame->pc + 3);
}

static void branch(struct frame *frame, unsigned operand, bool taken)
{
    frame->pc = (uint16_t)(frame->pc + (taken ? operand : 3));
}

/* Instructions without a constant. */
static enum progress step_plain(struct machine *machine, unsigned runner, struct frame *frame,
                                unsigned opcode, unsigned operand)
{
    unsigned size = 1;
    switch (opcode) {
    case 0x01: /* aconst_null */
    case 0x04: /* iconst_1 */
        frame->stack[frame->top++] = opcode == 0x04;
        break;
    case 0x19: /* aload */
        frame->stack[frame->top++] = frame->slots[operand >> 8];
        size = 2;
        break;
    case 0x3A: /* astore */
        frame->slots[operand >> 8] = frame->stack[--frame->top];
        size = 2;
        break;
    case 0x57: /* pop */
        frame->top--;
        break;
    case 0x59: /* dup */
        frame->stack[frame->top] = frame->stack[frame->top - 1];
        frame->top++;
        break;
    case 0x99: /* ifeq */
        branch(frame, operand, !frame->stack[--frame->top]);
        return GOES_ON;
    case 0xC7: /* ifnonnull */
        branch(frame, operand, frame->stack[--frame->top]);
        return GOES_ON;
    case 0xA6: /* if_acmpne */
        frame->top = (uint8_t)(frame->top - 2);
        branch(frame, operand, frame->stack[frame->top] != frame->stack[frame->top + 1]);
        return GOES_ON;
    case 0xA7: /* goto */
        branch(frame, operand, true);
        return GOES_ON;
    case 0xC2: /* monitorenter */
        if (!frame->stack[frame->top - 1]) {
            throw_up(machine, runner);
            return GOES_ON;
        }
        if (!take(machine, runner, frame->stack[frame->top - 1], true))
            return BLOCKED;
        frame->top--;
        break;
    case 0xC3: /* monitorexit */
        if (!give(machine, runner, frame->stack[--frame->top], true))
            abort(); /* the code is not what it should be */
        break;
    case 0xB0: /* areturn */
    case 0xB1: /* return */
        return_from(machine, runner, opcode == 0xB0);
        return GOES_ON;
    case 0xBF: /* athrow */
        throw_up(machine, runner);
        return GOES_ON;
    default:
        abort();
    }
    frame->pc = (uint16_t)(frame->pc + size);
    return GOES_ON;
}

static enum progress step(struct machine *machine, unsigned runner)
{
    struct runner *it = &machine->runners[runner];
    if (!it->depth) {
        /* Each worker has one run, behind its constructor. */
        const struct mini_step run = {machine->objects[it->body].type, 1};
        return enter_method(machine, runner, run, &it->body, 1);
    }
    struct frame *frame = &it->frames[it->depth - 1];
    const uint8_t *code = body_of(machine, frame->method)->code + frame->pc;
    const unsigned opcode = code[0];
    const unsigned operand = (unsigned)code[1] << 8 | code[2];
    const struct mini_constant *constant =
        &machine->code->constants[frame->method.class][operand % MINI_CONSTANTS];
    const struct mini_step named = {constant->class, constant->member};
    switch (opcode) {
    case 0x13: /* ldc_w */
        frame->stack[frame->top++] = class_object(constant->class);
        frame->pc = (uint16_t)(frame->pc + 3);
        return GOES_ON;
    case 0xB2: /* getstatic */
    case 0xB4: /* getfield */
        access_field(machine, runner, frame, named, false);
        return GOES_ON;
    case 0xB3: /* putstatic */
    case 0xB5: /* putfield */
        access_field(machine, runner, frame, named, true);
        return GOES_ON;
    case 0xB6: /* invokevirtual */
    case 0xB7: /* invokespecial */
    case 0xB8: /* invokestatic */
        return constant->kind == 'L' ? call_library(machine, runner, frame, constant->class)
                                     : call(machine, runner, frame, named, opcode == 0xB6);
    case 0xBB: /* new */
        make_new(machine, runner, frame, constant->class);
        return GOES_ON;
    default:
        return step_plain(machine, runner, frame, opcode, operand);
    }
}

/* ---- a run ---- */

static void note_race(void *context, const struct race *race)
{
    (void)race;
    ((struct mini_world *)context)->races++;
}

bool mini_world_open(struct mini_world *world)
{
    static const enum engine_mode modes[MINI_ENGINES] = {ENGINE_LOCKSET, ENGINE_HYBRID};
    struct engine_options options;
    bool opened = true;
    memset(world, 0, sizeof *world);
    engine_options_default(&options);
    options.report = note_race;
    options.context = world;
    options.threads = 64; /* a run has few; small clocks are quick */
    options.dead_threads = 8;
    for (unsigned i = 0; i < MINI_ENGINES; i++) {
        options.mode = modes[i];
        world->engines[i] = engine_new(&options);
        opened = opened && world->engines[i];
    }
    return opened;
}

void mini_world_close(struct mini_world *world)
{
    for (unsigned i = 0; i < MINI_ENGINES; i++)
        if (world->engines[i])
            engine_free(world->engines[i]);
}

static void set_up(struct machine *machine)
{
    const struct mini_program *program = machine->program;
    machine->object_count = 1;
    for (unsigned class = 0; class < MINI_CLASSES; class ++)
        new_object(machine, TYPE_CLASS_OBJECT);
    for (unsigned class = 0; class < program->class_count; class ++)
        for (unsigned i = 0; i < program->classes[class].field_count; i++) {
            const struct mini_field *field = &program->classes[class].fields[i];
            if (field->is_static && field->origin == MINI_FROM_NEW)
                machine->statics[class][i] = new_of_type(machine, field->type);
        }
    machine->runner_count = 1;
    for (unsigned i = 0; i < MINI_ENGINES; i++)
        machine->runners[0].threads[i] =
            engine_thread_start(machine->world->engines[i], NULL, ++machine->world->next_thread);
    const struct mini_step main = {(uint8_t)(program->class_count - 1), 1};
    const uint8_t arguments = 0;
    enter_method(machine, 0, main, &arguments, 1);
}

/* Threads take turns of random length; the run is over when none can go on. */
static void interleave(struct machine *machine)
{
    unsigned blocked = 0;
    for (unsigned steps = 0; steps < STEPS_MAX && blocked < 30; steps++) {
        const unsigned runner = (unsigned)draw(machine, machine->runner_count);
        if (machine->runners[runner].over) {
            blocked++;
            continue;
        }
        for (unsigned burst = (unsigned)draw(machine, BURST) + 1; burst; burst--) {
            if (machine->runners[runner].over)
                break;
            if (step(machine, runner) == BLOCKED) {
                blocked++;
                break;
            }
            blocked = 0;
        }
    }
}

/* Locks that are held in the end would be held by nobody in the next run. */
static void tear_down(struct machine *machine)
{
    for (unsigned i = 1; i < machine->object_count; i++) {
        struct object *object = &machine->objects[i];
        while (object->monitor.thread >= 0)
            give(machine, (unsigned)object->monitor.thread, (uint8_t)i, true);
        while (object->lock.thread >= 0)
            give(machine, (unsigned)object->lock.thread, (uint8_t)i, false);
        for (unsigned runner = 0; runner < machine->runner_count; runner++)
            while (give_shared(machine, runner, (uint8_t)i))
                ;
    }
    for (unsigned runner = 0; runner < machine->runner_count; runner++)
        for (unsigned i = 0; i < MINI_ENGINES; i++)
            engine_thread_end(machine->world->engines[i], machine->runners[runner].threads[i]);
}

bool mini_run(struct mini_world *world, const struct mini_code *code, uint64_t seed,
              struct mini_outcome *outcome)
{
    static struct machine machine;
    if (world->runs++ == RUNS_PER_ENGINE) {
        mini_world_close(world);
        if (!mini_world_open(world))
            return false;
        world->runs = 1;
    }
    memset(&machine, 0, sizeof machine);
    machine.world = world;
    machine.code = code;
    machine.program = code->program;
    machine.outcome = outcome;
    machine.random = seed;
    world->races = 0;
    set_up(&machine);
    interleave(&machine);
    tear_down(&machine);
    outcome->races += world->races;
    outcome->threads += machine.runner_count;
    world->next_lock += OBJECTS * 2;
    world->next_field += MINI_CLASSES * MINI_FIELDS;
    return true;
}
