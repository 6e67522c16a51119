#include "instrument/batches.h"

#include "classfile/descriptor.h"
#include "instrument/collections_internal.h"
#include "instrument/quiet.h"
#include "instrument/repeats.h"
#include "instrument/targets.h"

enum {
    STATIC = -1,   /* as an object: none, it is a static field */
    IN_FIELD = -2, /* as an object, less a constant: what that final field of `this` or of the
                      class holds */
    KNOWN_MAX = 16,
    OPEN_MAX = 4,
    AHEAD_MAX = 40, /* so far a write is looked for */
    FLAGS_MAX = 16
};

/* An access whose check can be left out, moved or put together with others. */
struct access {
    int32_t object; /* a local (0: also `this`), STATIC, or IN_FIELD and below */
    uint16_t constant;
    bool write;
    bool own;
};

/* A batch that may still grow; or an access that may become one. */
struct open_batch {
    struct batch *batch;
    int32_t object;
};

struct finder {
    struct instrument_method *method;
    struct batched *batched; /* by instruction */
    struct target_sources sources;
    uint32_t *stored; /* by local: one more than the instruction that stored to it last */
    uint32_t *used;   /* by local: the same for one that needed it not to be null */
    uint32_t local_count;
    uint32_t first;                 /* where this code began: no branch leads behind it */
    struct access known[KNOWN_MAX]; /* what has been checked */
    uint32_t known_count;
    struct open_batch open[OPEN_MAX];
    uint32_t open_count;
    uint16_t flags[FLAGS_MAX];
    uint32_t flag_count;
};

/* ---- accesses ---- */

static const struct instruction *at(const struct finder *finder, uint32_t instruction)
{
    return &finder->method->edit->bytecode.instructions[instruction];
}

static bool is_field_access(enum opcode opcode)
{
    return opcode == OP_GETFIELD || opcode == OP_PUTFIELD || opcode == OP_GETSTATIC ||
           opcode == OP_PUTSTATIC;
}

/* What was loaded from a local since the code began, and is still in it. */
static bool is_kept_local(const struct finder *finder, const struct origin *origin)
{
    return origin->local && origin->loaded != INSTRUCTION_NONE && origin->loaded >= finder->first &&
           origin->slot < finder->local_count && finder->stored[origin->slot] <= origin->loaded;
}

/* The object whose field is accessed: `this`, or such a local. */
static bool find_object(const struct finder *finder, uint32_t instruction, int32_t *object)
{
    const struct instrument_method *method = finder->method;
    const struct instruction *access = at(finder, instruction);
    const struct member_reference field =
        class_member_reference(method->edit->bytecode.class_file, access->operand);
    const unsigned below = access->opcode == OP_PUTFIELD ? descriptor_slots(field.descriptor) : 0;
    const struct origin origin = origins_operand(&method->origins, instruction, below);
    if (origin.kind == ORIGIN_THIS && method->this_kept) {
        *object = 0;
        return true;
    }
    *object = origin.slot;
    return is_kept_local(finder, &origin);
}

/* False if the access must be left as it is. */
static bool describe(const struct finder *finder, uint32_t instruction, struct access *access)
{
    struct instrument_class *owner = finder->method->owner;
    const struct instruction *code = at(finder, instruction);
    if (!is_field_access(code->opcode))
        return false;
    const struct member_reference field =
        class_member_reference(owner->editor->class_file, code->operand);
    uint16_t flags = 0;
    *access = (struct access){.object = STATIC,
                              .constant = code->operand,
                              .write = code->opcode == OP_PUTFIELD || code->opcode == OP_PUTSTATIC,
                              .own = fields_find_own(owner, &field, &flags)};
    if ((flags & ACCESS_VOLATILE) || !fields_is_checked(owner, &field, code->opcode))
        return false;
    if (code->opcode == OP_GETSTATIC || code->opcode == OP_PUTSTATIC)
        return access->own;
    /* Whether another class's field is volatile cannot be seen in an interface, and a write of it
       may be a release. */
    return find_object(finder, instruction, &access->object) &&
           (access->own || (!access->write && !owner->interface));
}

/* Whether what the field holds is the same each time: it is final, and of this object or class. */
static bool is_lasting(const struct finder *finder, const struct origin *origin)
{
    const struct instrument_method *method = finder->method;
    if (origin->kind != ORIGIN_FIELD && origin->kind != ORIGIN_STATIC)
        return false;
    return fields_is_lasting(method->owner, origin->constant) &&
           (origin->kind == ORIGIN_STATIC ||
            (method->this_kept && at(finder, origin->instruction)->opcode == OP_GETFIELD &&
             origins_operand(&method->origins, origin->instruction, 0).kind == ORIGIN_THIS));
}

/* A call that uses a StringBuilder, all of which is one variable. */
static bool describe_builder(const struct finder *finder, uint32_t instruction,
                             struct access *access)
{
    const struct instrument_method *method = finder->method;
    const struct instruction *code = at(finder, instruction);
    if (code->opcode != OP_INVOKEVIRTUAL ||
        !text_is(class_member_reference(method->edit->bytecode.class_file, code->operand).owner,
                 "java/lang/StringBuilder"))
        return false;
    const struct collection_target *target = collections_target(method->owner, code);
    if (target->call.effect != COLLECTION_READ && target->call.effect != COLLECTION_WRITE)
        return false;
    const struct origin base =
        collections_base(method, origins_operand(&method->origins, instruction, target->slots));
    *access = (struct access){.write = target->call.effect == COLLECTION_WRITE, .own = true};
    if (base.local) {
        access->object = base.slot;
        return is_kept_local(finder, &base);
    }
    access->object = IN_FIELD - base.constant;
    return is_lasting(finder, &base);
}

static bool is_same_field(const struct access *a, const struct access *b)
{
    return a->object == b->object && a->constant == b->constant;
}

/* ---- the code so far ---- */

static bool is_known(const struct finder *finder, const struct access *access)
{
    for (uint32_t i = 0; i < finder->known_count; i++)
        if (is_same_field(&finder->known[i], access) && (finder->known[i].write || !access->write))
            return true;
    return false;
}

static void know(struct finder *finder, const struct access *access)
{
    if (access->own && finder->known_count < KNOWN_MAX)
        finder->known[finder->known_count++] = *access;
}

/* What is behind may not be reached, or not before something is acquired: no batch goes on. */
static void close_batches(struct finder *finder)
{
    finder->open_count = 0;
}

static void begin(struct finder *finder, uint32_t instruction)
{
    close_batches(finder);
    finder->known_count = 0;
    finder->first = instruction;
}

static void forget_object(struct finder *finder, int32_t object)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < finder->known_count; i++)
        if (finder->known[i].object != object)
            finder->known[count++] = finder->known[i];
    finder->known_count = count;
    count = 0;
    for (uint32_t i = 0; i < finder->open_count; i++)
        if (finder->open[i].object != object)
            finder->open[count++] = finder->open[i];
    finder->open_count = count;
}

/* ---- what surely comes ---- */

/* `object`: as find_object gives it. */
static bool is_not_null(const struct finder *finder, int32_t object)
{
    return (object == 0 && !finder->method->is_static && finder->method->this_kept) ||
           (finder->used[object] > finder->stored[object] && finder->used[object] > finder->first);
}

/* A read of a field that may be volatile, for all that is known; its check will know. */
static bool is_asked(const struct finder *finder, const struct instruction *code)
{
    struct instrument_class *owner = finder->method->owner;
    if (code->opcode != OP_GETFIELD || owner->interface)
        return false;
    const struct member_reference field =
        class_member_reference(owner->editor->class_file, code->operand);
    uint16_t flags;
    return !fields_find_own(owner, &field, &flags) &&
           fields_is_checked(owner, &field, code->opcode);
}

/* The next instruction is executed, nothing is acquired or released; as far as this is known. */
static bool goes_on(const struct finder *finder, uint32_t instruction)
{
    const struct instruction *code = at(finder, instruction);
    int32_t object;
    if ((code->opcode == OP_GETFIELD || code->opcode == OP_PUTFIELD) &&
        (!find_object(finder, instruction, &object) || !is_not_null(finder, object)))
        return false;
    return is_asked(finder, code) || quiet_is_sure(finder->method->owner, code);
}

static bool is_entered(const struct finder *finder, uint32_t instruction)
{
    return finder->sources.lowest[instruction] != INSTRUCTION_NONE;
}

/* The write that surely follows a read of the same field; INSTRUCTION_NONE if there is none. */
static uint32_t find_write(const struct finder *finder, uint32_t read, const struct access *access)
{
    const uint32_t count = finder->method->edit->bytecode.count;
    for (uint32_t i = read + 1; i < count && i < read + AHEAD_MAX; i++) {
        struct access other;
        if (is_entered(finder, i) || origins_stored_local(at(finder, i)) >= 0)
            break;
        if (describe(finder, i, &other) && other.write && is_same_field(&other, access))
            return i;
        if (is_asked(finder, at(finder, i)) || !goes_on(finder, i))
            break;
    }
    return INSTRUCTION_NONE;
}

/* An instruction that only computes: it surely goes on, and has nothing to tell. */
static bool is_silent(const struct finder *finder, uint32_t instruction)
{
    const struct instruction *code = at(finder, instruction);
    const bool calls = code->opcode >= OP_INVOKEVIRTUAL && code->opcode <= OP_INVOKEDYNAMIC;
    return !calls && !is_field_access(code->opcode) && quiet_is_sure(finder->method->owner, code);
}

/* The write that follows a read of the same field at once; INSTRUCTION_NONE if none does. */
static uint32_t find_update(const struct finder *finder, uint32_t read, const struct access *access)
{
    const struct instrument_method *method = finder->method;
    uint32_t i = read + 1;
    while (i < method->edit->bytecode.count && !is_entered(finder, i) && is_silent(finder, i) &&
           origins_stored_local(at(finder, i)) < 0)
        i++;
    struct access other;
    if (i < method->edit->bytecode.count && !is_entered(finder, i) && describe(finder, i, &other) &&
        other.write && is_same_field(&other, access) &&
        instrument_line(method, i) == instrument_line(method, read))
        return i;
    return INSTRUCTION_NONE;
}

/* ---- batches ---- */

static struct batch *find_open(const struct finder *finder, const struct access *access)
{
    for (uint32_t i = 0; i < finder->open_count; i++) {
        struct batch *batch = finder->open[i].batch;
        if (finder->open[i].object == access->object && batch->write == access->write &&
            batch->own == access->own && batch->count < BATCH_MAX)
            return batch;
    }
    return NULL;
}

static bool holds_constant(const struct finder *finder, const struct batch *batch,
                           uint16_t constant)
{
    for (uint32_t i = 0; i < batch->count; i++)
        if (at(finder, batch->accesses[i])->operand == constant)
            return true;
    return false;
}

static bool open_batch(struct finder *finder, uint32_t instruction, const struct access *access)
{
    if (finder->open_count == OPEN_MAX)
        return true;
    struct batch *batch = ARENA_NEW(finder->method->edit->arena, struct batch);
    if (!batch)
        return false;
    *batch = (struct batch){
        .write = access->write, .own = access->own, .accesses = {instruction}, .count = 1};
    finder->open[finder->open_count++] = (struct open_batch){batch, access->object};
    return true;
}

/* Now that there is a second access. False if there are too many flags. */
static bool begin_batch(struct finder *finder, struct batch *batch)
{
    if (!batch->own) {
        if (finder->flag_count == FLAGS_MAX)
            return false;
        batch->flag = method_editor_new_kept_local(finder->method->edit, TEXT("I"));
        finder->flags[finder->flag_count++] = batch->flag;
    }
    struct batched *first = &finder->batched[batch->accesses[0]];
    first->answer = BATCH_FIRST;
    first->batch = batch;
    return true;
}

static void add_to_batch(struct finder *finder, struct batch *batch, uint32_t instruction)
{
    if (batch->count == 1 && !begin_batch(finder, batch))
        return;
    struct batched *before = &finder->batched[batch->accesses[batch->count - 1]];
    if (before->answer == BATCH_LAST)
        before->answer = BATCH_FURTHER;
    batch->accesses[batch->count++] = instruction;
    finder->batched[instruction].answer = batch->own ? BATCH_NEEDLESS : BATCH_LAST;
    finder->batched[instruction].batch = batch;
}

/* Batches that go on behind the read of another class's field must know whether that is volatile.
   Those of the class's own fields have no way to ask. */
static void ask(struct finder *finder, uint16_t constant)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < finder->open_count; i++) {
        struct batch *batch = finder->open[i].batch;
        if (batch->own || batch->asked_count == BATCH_MAX)
            continue;
        if (!holds_constant(finder, batch, constant))
            batch->asked[batch->asked_count++] = constant;
        finder->open[count++] = finder->open[i];
    }
    finder->open_count = count;
}

/* ---- going through the code ---- */

/* Leaves the check out if it was made before. Otherwise it is made now, and this is false. */
static bool leave_out(struct finder *finder, uint32_t instruction, const struct access *access)
{
    if (is_known(finder, access)) {
        finder->batched[instruction].answer = BATCH_NEEDLESS;
        return true;
    }
    know(finder, access);
    return false;
}

static bool place(struct finder *finder, uint32_t instruction, const struct access *access)
{
    if (leave_out(finder, instruction, access) || access->object == STATIC ||
        repeats_flag(finder->method, finder->batched[instruction].as) >= 0)
        return true;
    struct batch *batch = find_open(finder, access);
    if (!batch)
        return open_batch(finder, instruction, access);
    if (!holds_constant(finder, batch, access->constant))
        add_to_batch(finder, batch, instruction);
    return true;
}

/* All that is done where every access counts. */
static void look_for_update(struct finder *finder, uint32_t instruction)
{
    struct access access;
    if (!describe(finder, instruction, &access) || access.write || !access.own)
        return;
    const uint32_t write = find_update(finder, instruction, &access);
    if (write == INSTRUCTION_NONE)
        return;
    finder->batched[instruction].answer = BATCH_UPDATE;
    finder->batched[write].answer = BATCH_NEEDLESS;
}

static bool look_at(struct finder *finder, uint32_t instruction)
{
    struct access access;
    if (finder->method->owner->instrument->recorded) {
        look_for_update(finder, instruction);
        return true;
    }
    if (describe_builder(finder, instruction, &access)) {
        leave_out(finder, instruction, &access);
        return true;
    }
    if (!describe(finder, instruction, &access))
        return true;
    if (!access.write && access.own && !is_known(finder, &access)) {
        const uint32_t write = find_write(finder, instruction, &access);
        if (write != INSTRUCTION_NONE) {
            finder->batched[instruction].as = write;
            access.write = true;
        }
    }
    return place(finder, instruction, &access);
}

/* Behind an access of a field its object is not null. */
static void note_use(struct finder *finder, uint32_t instruction)
{
    const enum opcode opcode = at(finder, instruction)->opcode;
    int32_t object;
    if ((opcode == OP_GETFIELD || opcode == OP_PUTFIELD) &&
        find_object(finder, instruction, &object))
        finder->used[object] = instruction + 1;
}

static void go_past(struct finder *finder, uint32_t instruction)
{
    const struct instruction *code = at(finder, instruction);
    if (!quiet_releases_nothing(finder->method->owner, code))
        begin(finder, instruction + 1);
    else if (is_asked(finder, code))
        ask(finder, code->operand);
    const int32_t stored = origins_stored_local(code);
    if (stored >= 0 && (uint32_t)stored < finder->local_count) {
        finder->stored[stored] = instruction + 1;
        forget_object(finder, stored);
    }
}

static bool find_batches(struct finder *finder)
{
    const struct bytecode *bytecode = &finder->method->edit->bytecode;
    for (uint32_t i = 0; i < bytecode->count; i++)
        finder->batched[i] = (struct batched){.answer = BATCH_ALONE, .as = i};
    for (uint32_t i = 0; i < bytecode->count; i++) {
        if (is_entered(finder, i))
            begin(finder, i);
        if (!goes_on(finder, i))
            close_batches(finder);
        note_use(finder, i);
        if (!look_at(finder, i))
            return false;
        go_past(finder, i);
    }
    return true;
}

/* Flags start at 0, for the verifier's sake. */
static bool plan_flags(struct finder *finder)
{
    if (!finder->flag_count)
        return true;
    struct snippet *snippet = instrument_snippet(finder->method);
    for (uint32_t i = 0; i < finder->flag_count; i++) {
        snippet_push_int(snippet, 0);
        snippet_local(snippet, OP_ISTORE, finder->flags[i]);
    }
    return method_editor_at_entry(finder->method->edit, snippet);
}

/* Zeroes by local. There is one for `this` in any case. */
static uint32_t *new_by_local(struct arena *arena, uint32_t local_count)
{
    return arena_allocate_zeroed(arena, ((size_t)local_count + 1) * sizeof(uint32_t),
                                 alignof(uint32_t));
}

bool batches_begin(struct instrument_method *method)
{
    struct arena *arena = method->edit->arena;
    const struct bytecode *bytecode = &method->edit->bytecode;
    /* In a constructor the checks are other ones; or all fields of an object are one variable. */
    if (method->is_constructor || method->owner->instrument->object_words)
        return true;
    const uint32_t local_count = bytecode->code->max_locals;
    struct finder finder = {.method = method,
                            .batched = ARENA_ARRAY(arena, struct batched, bytecode->count),
                            .stored = new_by_local(arena, local_count),
                            .used = new_by_local(arena, local_count),
                            .local_count = local_count};
    if (!finder.batched || !finder.stored || !finder.used ||
        !targets_find_sources(&finder.sources, bytecode, arena))
        return false;
    targets_add_handlers(&finder.sources, bytecode);
    method->batches = finder.batched;
    return find_batches(&finder) && plan_flags(&finder);
}

struct batched batches_at(const struct instrument_method *method, uint32_t instruction)
{
    return method->batches ? method->batches[instruction]
                           : (struct batched){.answer = BATCH_ALONE, .as = instruction};
}
