/*
 * Calls on library objects that are variables: a check of the object before the call.
 *
 *     ..., object, arguments           the arguments are moved so that a copy of the object is on
 * top TurnstileObjects.CHAIN(object, name)      the object with the word, or null check(object,
 * site)
 */
#include "instrument/collections.h"

#include "base/builder.h"
#include "classfile/descriptor.h"
#include "instrument/batches.h"
#include "instrument/collections_internal.h"
#include "instrument/instrument_internal.h"
#include "instrument/telling.h"

#define OBJECTS "java/lang/TurnstileObjects"

/* ---- which call is what ---- */

static bool is_platform(struct text class_name)
{
    static const struct text prefixes[] = {{"java/", 5}, {"javax/", 6},   {"jdk/", 4},
                                           {"sun/", 4},  {"com/sun/", 8}, {"[", 1}};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (text_starts_with(class_name, prefixes[i]))
            return true;
    return false;
}

/* Methods of the JDK's collections have no other types in their descriptors than int, boolean,
   classes of the JDK and arrays of objects. */
static bool is_descriptor_of_collections(struct text descriptor)
{
    size_t position = 1;
    struct text type;
    bool more;
    do {
        more = descriptor_next_parameter(descriptor, &position, &type);
        if (!more)
            type = descriptor_return(descriptor);
        if (type.bytes[0] == '[')
            type = text_slice(type, 1, type.length);
        if (type.length == 1 ? !strchr("IZV", type.bytes[0])
                             : !text_starts_with(type, TEXT("Ljava/")))
            return false;
    } while (more);
    return true;
}

/* Methods that all objects have. */
static bool is_method_of_object(struct text name)
{
    return text_is(name, "equals") || text_is(name, "hashCode") || text_is(name, "toString") ||
           text_is(name, "clone");
}

static bool declares(const struct class_file *class_file, struct text name)
{
    for (uint32_t i = 0; i < class_file->method_count; i++)
        if (text_equal(class_utf8(class_file, class_file->methods[i].name), name))
            return true;
    return false;
}

/* A class of the application may extend one of the JDK's: what a method of that name would do then.
 */
static struct collection_call inherited_call(const struct instrument_class *owner,
                                             struct collection_target *target)
{
    static const struct text families[] = {
        {"java/util/TreeMap", 17}, {"java/util/LinkedList", 20}, {"java/util/TreeSet", 17}};
    const struct member_reference *callee = &target->callee;
    const struct class_file *class_file = owner->editor->class_file;
    struct collection_call call = {COLLECTION_UNKNOWN, COLLECTION_OTHER};
    if (!collections_has_name(callee->name) || is_platform(callee->owner) ||
        is_method_of_object(callee->name) || !is_descriptor_of_collections(callee->descriptor))
        return call;
    if (text_equal(callee->owner, owner->name)) {
        struct text super = class_file->super_class
                                ? class_name_at(class_file, class_file->super_class)
                                : TEXT("java/lang/Object");
        if (declares(class_file, callee->name) ||
            (text_is(super, "java/lang/Object") && !class_file->interface_count))
            return call;
        target->type = collections_type(super);
        if (target->type) {
            target->chain = target->type->chain;
            return collections_call(target->type, callee->name, callee->descriptor);
        }
    }
    target->chain = TEXT("heir");
    for (size_t i = 0; i < sizeof families / sizeof families[0] && !call.effect; i++)
        call = collections_call(collections_type(families[i]), callee->name, callee->descriptor);
    return call;
}

/* Static methods that wrap their first argument. */
static bool is_wrapper(const struct member_reference *callee)
{
    return text_is(callee->owner, "java/util/Collections") &&
           (text_starts_with(callee->name, TEXT("unmodifiable")) ||
            text_starts_with(callee->name, TEXT("synchronized")) ||
            text_starts_with(callee->name, TEXT("checked")));
}

static void find_target(const struct instrument_class *owner, const struct instruction *instruction,
                        struct collection_target *target)
{
    *target = (struct collection_target){
        .callee = class_member_reference(owner->editor->class_file, instruction->operand),
        .has_receiver = instruction->opcode != OP_INVOKESTATIC,
    };
    const struct member_reference *callee = &target->callee;
    target->slots = descriptor_parameter_slots(callee->descriptor);
    target->wraps = !target->has_receiver && target->slots && is_wrapper(callee);
    target->type = collections_type(callee->owner);
    if (!target->has_receiver || text_is(callee->name, "<init>"))
        return;
    if (!target->type) {
        target->call = inherited_call(owner, target);
        return;
    }
    target->chain = target->type->chain;
    target->call = collections_call(target->type, callee->name, callee->descriptor);
}

/* By the constant that names the method, twice: for invokestatic and for the others. */
struct collection_targets {
    struct collection_target **items; /* NULL: not asked yet */
    size_t count;
};

static struct collection_targets *make_targets(struct instrument_class *owner)
{
    struct collection_targets *targets = ARENA_NEW(&owner->arena, struct collection_targets);
    if (!targets)
        return NULL;
    targets->count = 2 * (size_t)owner->editor->class_file->constant_count;
    targets->items = arena_allocate_zeroed(&owner->arena, targets->count * sizeof *targets->items,
                                           alignof(struct collection_target *));
    return targets->items ? targets : NULL;
}

const struct collection_target *collections_target(struct instrument_class *owner,
                                                   const struct instruction *instruction)
{
    static const struct collection_target unknown = {.callee = {.descriptor = {"()V", 3}}};
    const size_t number =
        2 * (size_t)instruction->operand + (instruction->opcode == OP_INVOKESTATIC);
    if (!owner->targets)
        owner->targets = make_targets(owner);
    /* Bad code may name a constant that was added since. */
    if (owner->targets && number >= owner->targets->count)
        return &unknown;
    struct collection_target **target = owner->targets ? &owner->targets->items[number] : NULL;
    if (target && !*target && (*target = ARENA_NEW(&owner->arena, struct collection_target)))
        find_target(owner, instruction, *target);
    if (target && *target)
        return *target;
    owner->failed = true;
    return &unknown;
}

/* ---- names ---- */

struct origin collections_base(const struct instrument_method *method, struct origin origin)
{
    enum { STEPS_MAX = 64 }; /* more calls than people chain */
    for (int i = 0; i < STEPS_MAX && origin.kind == ORIGIN_RESULT; i++) {
        const struct instruction *call = &method->edit->bytecode.instructions[origin.instruction];
        if (call->opcode == OP_INVOKEDYNAMIC)
            return origin;
        const struct collection_target *target = collections_target(method->owner, call);
        if (!target->wraps && target->call.result == COLLECTION_OTHER)
            return origin;
        /* The deepest argument of a static method stands where the receiver would. */
        origin =
            origins_operand(&method->origins, origin.instruction, target->slots - target->wraps);
    }
    return origin;
}

static struct text object_descriptor(struct instrument_class *owner, struct text class_name)
{
    if (class_name.length && class_name.bytes[0] == '[')
        return class_name;
    struct builder builder;
    builder_init(&builder);
    builder_add_format(&builder, "L%.*s;", TEXT_ARGUMENTS(class_name));
    struct text descriptor = text_copy(&owner->arena, builder_text(&builder));
    owner->failed |= builder.failed || owner->arena.failed;
    builder_release(&builder);
    return descriptor;
}

static struct text without_dimensions(struct text descriptor)
{
    while (descriptor.length && descriptor.bytes[0] == '[')
        descriptor = text_slice(descriptor, 1, descriptor.length);
    return descriptor;
}

/* The best that the code shows of what is accessed; `type` is what the call takes it for. */
static struct accessed accessed_of(struct instrument_method *method, struct origin origin,
                                   struct text type)
{
    struct instrument_class *owner = method->owner;
    const struct class_file *class_file = owner->editor->class_file;
    struct accessed accessed = {.kind = ACCESSED_COLLECTION, .owner = TEXT(""), .name = TEXT("")};
    const struct origin base = collections_base(method, origin);
    struct text better = TEXT("");
    if (base.kind == ORIGIN_FIELD || base.kind == ORIGIN_STATIC || base.kind == ORIGIN_ELEMENT) {
        struct member_reference field = class_member_reference(class_file, base.constant);
        accessed.owner = field.owner;
        accessed.name = field.name;
        better = without_dimensions(field.descriptor);
    } else if (base.kind == ORIGIN_NEW) {
        const struct instruction *made = &method->edit->bytecode.instructions[base.instruction];
        if (made->opcode == OP_NEW)
            type = class_name_at(class_file, made->operand);
    } else if (base.kind == ORIGIN_THIS) {
        type = owner->name;
    } else if (base.kind == ORIGIN_RESULT) {
        uint16_t constant = method->edit->bytecode.instructions[base.instruction].operand;
        better = descriptor_return(class_member_reference(class_file, constant).descriptor);
    }
    bool is_better =
        better.length && better.bytes[0] == 'L' && !text_is(better, "Ljava/lang/Object;");
    accessed.descriptor = is_better ? better : object_descriptor(owner, type);
    return accessed;
}

/* ---- the check ---- */

/* One object of a call: its receiver or an argument. */
struct operand {
    unsigned above;    /* slots over it on the stack */
    size_t above_at;   /* where the descriptors of those begin in that of the method */
    struct text type;  /* the class that the call takes it for */
    struct text chain; /* method of TurnstileObjects */
    int name;          /* number of the method's name */
    enum collection_effect effect;
    bool gated; /* only for a thread that tells */
};

static bool add_check(struct instrument_method *method, struct snippet *snippet,
                      uint32_t instruction, const struct operand *operand,
                      const struct accessed *accessed)
{
    const struct origin origin = origins_operand(&method->origins, instruction, operand->above);
    if (!text_is(operand->chain, "self")) {
        snippet_push_int(snippet, operand->name);
        snippet_call(snippet, OP_INVOKESTATIC, TEXT(OBJECTS), operand->chain,
                     TEXT("(Ljava/lang/Object;I)Ljava/lang/Object;"), false);
    }
    uint32_t site = instrument_access_site(method, instruction, accessed, origin);
    return checks_call(method->owner, snippet,
                       operand->effect == COLLECTION_WRITE ? CHECK_OBJECT_WRITE : CHECK_OBJECT_READ,
                       0, method->edit->bytecode.instructions[instruction].operand, site);
}

enum { ARGUMENTS_MAX = 255 };

/* Moves what is above the object into locals, and back after the check. */
static bool check_below_locals(struct instrument_method *method, struct snippet *snippet,
                               uint32_t instruction, const struct operand *operand,
                               struct text descriptor, const struct accessed *accessed)
{
    struct text types[ARGUMENTS_MAX];
    uint16_t locals[ARGUMENTS_MAX];
    unsigned count = 0;
    size_t position = operand->above_at;
    while (count < ARGUMENTS_MAX &&
           descriptor_next_parameter(descriptor, &position, &types[count])) {
        locals[count] = method_editor_new_local(method->edit, descriptor_slots(types[count]));
        count++;
    }
    /* The loads and the stores of the five types are in the same order. */
    for (unsigned i = count; i-- > 0;)
        snippet_local(snippet, snippet_store_of(types[i]), locals[i]);
    snippet_add(snippet, OP_DUP);
    bool added = add_check(method, snippet, instruction, operand, accessed);
    for (unsigned i = 0; i < count; i++)
        snippet_local(snippet, snippet_load_of(types[i]), locals[i]);
    return added;
}

static bool plan_operand(struct instrument_method *method, uint32_t instruction,
                         const struct operand *operand, struct text descriptor)
{
    const struct origin origin = origins_operand(&method->origins, instruction, operand->above);
    if (collections_is_private(method, origin))
        return true;
    const struct accessed accessed = accessed_of(method, origin, operand->type);
    if (!instrument_wants(method->owner, &accessed))
        return true;
    struct snippet *snippet = instrument_snippet(method);
    const snippet_label done = operand->gated ? snippet_new_label(snippet) : 0;
    bool added;
    if (operand->gated)
        telling_branch(method, snippet, false, done);
    switch (operand->above) {
    case 0:
        snippet_add(snippet, OP_DUP);
        added = add_check(method, snippet, instruction, operand, &accessed);
        break;
    case 1:
        snippet_add(snippet, OP_DUP2);
        snippet_add(snippet, OP_POP);
        added = add_check(method, snippet, instruction, operand, &accessed);
        break;
    case 2:
        snippet_add(snippet, OP_DUP2_X1);
        snippet_add(snippet, OP_POP2);
        snippet_add(snippet, OP_DUP_X2);
        added = add_check(method, snippet, instruction, operand, &accessed);
        break;
    default:
        added = check_below_locals(method, snippet, instruction, operand, descriptor, &accessed);
        break;
    }
    if (!added || method->owner->failed)
        return false;
    if (operand->gated)
        snippet_bind(snippet, done);
    atomic_fetch_add_explicit(&method->owner->instrument->collections, 1, memory_order_relaxed);
    return method_editor_before(method->edit, instruction, snippet);
}

static bool is_access(enum collection_effect effect)
{
    return effect == COLLECTION_READ || effect == COLLECTION_WRITE;
}

static bool plan_receiver(struct instrument_method *method, uint32_t instruction,
                          const struct collection_target *target)
{
    const bool needless = batches_at(method, instruction).answer == BATCH_NEEDLESS;
    if (!is_access(target->call.effect) || text_is(target->chain, "none") ||
        (needless && !telling_differs(method, instruction)))
        return true;
    const bool special =
        method->edit->bytecode.instructions[instruction].opcode == OP_INVOKESPECIAL;
    const struct operand operand = {
        .above = target->slots,
        .above_at = 1,
        .type = target->callee.owner,
        .chain = target->chain,
        /* super.put() is the JDK's method, whatever the object's class has made of it. Nobody can
           override what an iterator of the JDK does. */
        .name = (special && target->type) || text_is(target->chain, "iterator")
                    ? COLLECTIONS_NAME_NOTHING
                    : collections_name_number(target->callee.name),
        .effect = target->call.effect,
        .gated = needless,
    };
    return plan_operand(method, instruction, &operand, target->callee.descriptor);
}

static bool plan_argument(struct instrument_method *method, uint32_t instruction,
                          const struct collection_target *target, struct text parameter,
                          size_t position, enum collection_effect effect)
{
    if (parameter.bytes[0] != 'L')
        return true;
    const struct text class_name = text_slice(parameter, 1, parameter.length - 1);
    const struct collection_type *type = collections_type(class_name);
    struct operand operand = {
        .above_at = position,
        .type = class_name,
        .chain = type && !text_is(type->chain, "none") ? type->chain : TEXT("other"),
        .name = COLLECTIONS_NAME_ANY,
        .effect = effect,
    };
    struct text above;
    while (descriptor_next_parameter(target->callee.descriptor, &position, &above))
        operand.above += descriptor_slots(above);
    return plan_operand(method, instruction, &operand, target->callee.descriptor);
}

bool collections_plan(struct instrument_method *method, uint32_t instruction)
{
    const struct collection_target *target =
        collections_target(method->owner, &method->edit->bytecode.instructions[instruction]);
    if (!plan_receiver(method, instruction, target))
        return false;
    size_t position = 1;
    struct text parameter;
    for (unsigned i = 0; target->type && descriptor_next_parameter(target->callee.descriptor,
                                                                   &position, &parameter);
         i++) {
        enum collection_effect effect =
            collections_argument(target->type, target->callee.name, target->callee.descriptor, i);
        if (is_access(effect) &&
            !plan_argument(method, instruction, target, parameter, position, effect))
            return false;
    }
    return true;
}
