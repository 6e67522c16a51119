/*
 * Accesses of fields.
 *
 * The check stands before the access. Its argument is the object, which is on top of the stack (a
 * read), below the value (a write), or is `this` and need not be looked for.
 */
#include "classfile/descriptor.h"
#include "instrument/batches.h"
#include "instrument/repeats.h"
#include "instrument/telling.h"

/* The number of the class's own field; -1 if it is another's. */
static int32_t own_number(const struct instrument_class *owner,
                          const struct member_reference *field)
{
    const struct class_file *class_file = owner->editor->class_file;
    if (!text_equal(field->owner, owner->name))
        return -1;
    for (uint16_t i = 0; i < class_file->field_count; i++) {
        const struct member *member = &class_file->fields[i];
        if (text_equal(class_utf8(class_file, member->name), field->name) &&
            text_equal(class_utf8(class_file, member->descriptor), field->descriptor))
            return i;
    }
    return -1;
}

bool fields_find_own(const struct instrument_class *owner, const struct member_reference *field,
                     uint16_t *access)
{
    const int32_t number = own_number(owner, field);
    if (number >= 0)
        *access = owner->editor->class_file->fields[number].access;
    return number >= 0;
}

bool fields_is_lasting(const struct instrument_class *owner, uint16_t constant)
{
    const struct member_reference field =
        class_member_reference(owner->editor->class_file, constant);
    uint16_t access = 0;
    return !owner->interface && fields_find_own(owner, &field, &access) && (access & ACCESS_FINAL);
}

static const char *beside_descriptor(enum check_beside what)
{
    return what == CHECK_BESIDE_WORDS ? "[J" : "I";
}

/* From now on the class has that hidden field. */
static struct text beside_name(struct instrument_class *owner, const struct member_reference *field,
                               enum check_beside what)
{
    const uint16_t count = owner->editor->class_file->field_count;
    const int32_t number = own_number(owner, field);
    const struct text name =
        checks_beside_name(&owner->arena, what, field->name, field->descriptor);
    if (!owner->beside)
        owner->beside = arena_allocate_zeroed(&owner->arena, count, 1);
    if (!owner->beside || number < 0 || !name.length)
        owner->failed = true;
    else
        owner->beside[number] |= (uint8_t)(1u << what);
    return name;
}

void fields_push_beside(struct instrument_method *method, struct snippet *snippet, uint32_t getter,
                        uint16_t holder, enum check_beside what,
                        void make(struct instrument_method *, struct snippet *))
{
    struct instrument_class *owner = method->owner;
    const struct instruction *get = &method->edit->bytecode.instructions[getter];
    const struct member_reference field =
        class_member_reference(method->edit->bytecode.class_file, get->operand);
    const struct text name = beside_name(owner, &field, what);
    const struct text descriptor = text_from(beside_descriptor(what));
    const bool is_static = get->opcode == OP_GETSTATIC;
    snippet_label known = snippet_new_label(snippet);
    if (!is_static)
        snippet_local(snippet, OP_ALOAD, holder);
    snippet_field(snippet, get->opcode, owner->name, name, descriptor);
    snippet_add(snippet, OP_DUP);
    snippet_branch(snippet, what == CHECK_BESIDE_WORDS ? OP_IFNONNULL : OP_IFNE, known);
    snippet_add(snippet, OP_POP);
    snippet_add(snippet, OP_DUP);
    make(method, snippet);
    snippet_add(snippet, OP_DUP);
    if (!is_static) {
        snippet_local(snippet, OP_ALOAD, holder);
        snippet_add(snippet, OP_SWAP);
    }
    snippet_field(snippet, is_static ? OP_PUTSTATIC : OP_PUTFIELD, owner->name, name, descriptor);
    snippet_bind(snippet, known);
    snippet_add(snippet, OP_SWAP);
    snippet_add(snippet, OP_POP);
}

/* Classes whose fields nobody watches. */
static bool is_platform(struct text class_name)
{
    return text_starts_with(class_name, TEXT("java/")) ||
           text_starts_with(class_name, TEXT("jdk/")) ||
           text_starts_with(class_name, TEXT("sun/")) || class_name.bytes[0] == '[';
}

/* All fields that the class declares are one variable. */
static void join_fields(struct instrument_class *owner, const struct accessed *accessed)
{
    struct sites *sites = owner->instrument->sites;
    const struct accessed all = {.kind = ACCESSED_FIELD, .owner = owner->name};
    uint32_t number = sites_accessed(sites, accessed), variable = sites_accessed(sites, &all);
    if (number && variable)
        sites_set_variable(sites, number, variable);
}

/* The first use of a static field initializes the class that declares it, or fails. That must
   happen here, not under the check: what the initializer sees of the stack is the program's, and
   the check needs a field that is there. So the field is read, for nothing. */
static void initialize_holder(struct snippet *snippet, const struct member_reference *field)
{
    snippet_field(snippet, OP_GETSTATIC, field->owner, field->name, field->descriptor);
    snippet_add(snippet, descriptor_slots(field->descriptor) == 2 ? OP_POP2 : OP_POP);
}

static bool is_write(enum opcode opcode)
{
    return opcode == OP_PUTFIELD || opcode == OP_PUTSTATIC;
}

static bool is_static_access(enum opcode opcode)
{
    return opcode == OP_GETSTATIC || opcode == OP_PUTSTATIC;
}

/* The object whose field is accessed; unknown for a static field. */
static struct origin object_of(const struct instrument_method *method, uint32_t instruction,
                               const struct member_reference *field)
{
    const enum opcode opcode = method->edit->bytecode.instructions[instruction].opcode;
    if (is_static_access(opcode))
        return (struct origin){.kind = ORIGIN_UNKNOWN};
    return origins_operand(&method->origins, instruction,
                           is_write(opcode) ? descriptor_slots(field->descriptor) : 0);
}

static bool is_on_this(const struct instrument_method *method, uint32_t instruction,
                       const struct member_reference *field)
{
    return method->this_kept && object_of(method, instruction, field).kind == ORIGIN_THIS;
}

static struct accessed accessed_of(const struct member_reference *field, enum opcode opcode)
{
    return (struct accessed){is_static_access(opcode) ? ACCESSED_STATIC : ACCESSED_FIELD,
                             field->owner, field->name, field->descriptor};
}

bool fields_is_checked(struct instrument_class *owner, const struct member_reference *field,
                       enum opcode opcode)
{
    uint16_t flags = 0;
    const bool own = fields_find_own(owner, field, &flags);
    if (is_platform(field->owner) || text_starts_with(field->name, TEXT(INSTRUMENT_PREFIX)) ||
        (own && (flags & ACCESS_FINAL)))
        return false;
    /* A volatile orders threads, whether somebody wants to look at it or not. So may a field of
       another class: if it is not volatile, and not wanted, it has no shadow there. */
    const struct accessed accessed = accessed_of(field, opcode);
    return !own || (flags & ACCESS_VOLATILE) || instrument_wants(owner, &accessed);
}

/* ---- one access ---- */

/* An access that is being planned. */
struct planned {
    struct instrument_method *method;
    struct snippet *snippet;
    uint32_t instruction;
    const struct instruction *code;
    struct member_reference field;
    enum check_kind kind;
    uint32_t site;
};

/* Of a read that a write follows. */
static enum check_kind update_of(enum opcode read)
{
    return read == OP_GETSTATIC ? CHECK_STATIC_UPDATE : CHECK_FIELD_UPDATE;
}

/* Of the instruction that is checked for, which accesses the same field. */
static enum check_kind kind_of(const struct instrument_method *method, uint32_t instruction,
                               const struct member_reference *field)
{
    uint16_t flags = 0;
    switch (method->edit->bytecode.instructions[instruction].opcode) {
    case OP_GETSTATIC:
        return CHECK_STATIC_READ;
    case OP_PUTSTATIC:
        return CHECK_STATIC_WRITE;
    case OP_GETFIELD:
        return CHECK_FIELD_READ;
    default:
        return method->is_constructor && fields_find_own(method->owner, field, &flags) &&
                       !(flags & ACCESS_VOLATILE) && !method->owner->instrument->recorded &&
                       is_on_this(method, instruction, field)
                   ? CHECK_FIELD_START
                   : CHECK_FIELD_WRITE;
    }
}

/* Of a planned check for the instruction. */
static uint32_t site_of(const struct planned *planned, uint32_t instruction,
                        const struct accessed *accessed)
{
    struct instrument_class *owner = planned->method->owner;
    const struct origin object = object_of(planned->method, instruction, &planned->field);
    const uint32_t site = instrument_access_site(planned->method, instruction, accessed, object);
    if (site < owner->checks.sites.count)
        owner->checks.sites.items[site].starts = planned->kind == CHECK_FIELD_START;
    return site;
}

typedef bool call(const struct planned *planned, const struct batch *batch);

static bool call_check(const struct planned *planned, const struct batch *batch)
{
    (void)batch;
    return checks_call(planned->method->owner, planned->snippet, planned->kind,
                       planned->code->operand, 0, planned->site);
}

static bool call_told(const struct planned *planned, const struct batch *batch)
{
    (void)batch;
    return checks_call(planned->method->owner, planned->snippet, planned->kind,
                       planned->code->operand, CHECK_TOLD, planned->site);
}

static bool call_batch(const struct planned *planned, const struct batch *batch)
{
    return checks_call_batch(planned->method->owner, planned->snippet, batch->check);
}

/* Brings the object of a putfield to the top of the stack and takes it away by a call, with the
   stack as before. */
static bool call_below_value(const struct planned *planned, const struct batch *batch, call *what)
{
    struct snippet *snippet = planned->snippet;
    if (descriptor_slots(planned->field.descriptor) == 1) {
        snippet_add(snippet, OP_DUP2);
        snippet_add(snippet, OP_POP);
        return what(planned, batch);
    }
    snippet_add(snippet, OP_DUP2_X1);
    snippet_add(snippet, OP_POP2);
    snippet_add(snippet, OP_DUP);
    bool called = what(planned, batch);
    snippet_add(snippet, OP_DUP_X2);
    snippet_add(snippet, OP_POP);
    return called;
}

/* Adds the call, with the object that it needs; the stack is as before. */
static bool call_with_object(const struct planned *planned, const struct batch *batch, call *what)
{
    const enum opcode opcode = planned->code->opcode;
    if (!is_static_access(opcode)) {
        if (is_on_this(planned->method, planned->instruction, &planned->field))
            snippet_local(planned->snippet, OP_ALOAD, 0);
        else if (opcode == OP_PUTFIELD)
            return call_below_value(planned, batch, what);
        else
            snippet_add(planned->snippet, OP_DUP);
    }
    return what(planned, batch);
}

/* A check that stands for itself; a loop may need it only once. */
static bool plan_alone(const struct planned *planned, uint32_t as)
{
    struct instrument_method *method = planned->method;
    struct instrument_class *owner = method->owner;
    struct snippet *snippet = planned->snippet;
    const int32_t flag = repeats_flag(method, as);
    snippet_label known = 0;
    if (flag >= 0) {
        known = snippet_new_label(snippet);
        snippet_local(snippet, OP_ILOAD, (uint16_t)flag);
        snippet_branch(snippet, OP_IFNE, known);
    }
    if (!call_with_object(planned, NULL, call_check))
        return false;
    if (repeats_may_end(method, planned->instruction)) {
        snippet_label goes_on = snippet_new_label(snippet);
        checks_push_repeated(owner, snippet, planned->kind, planned->code->operand);
        snippet_branch(snippet, OP_IFNE, goes_on);
        repeats_clear(method, snippet);
        snippet_bind(snippet, goes_on);
    }
    if (flag >= 0) {
        checks_push_repeated(owner, snippet, planned->kind, planned->code->operand);
        telling_clear(method, snippet);
        snippet_local(snippet, OP_ISTORE, (uint16_t)flag);
        snippet_bind(snippet, known);
    }
    return true;
}

/* ---- batches ---- */

/* Gives sites to all accesses of the batch, and makes its check. */
static bool begin_batch(const struct planned *planned, struct batch *batch)
{
    struct instrument_method *method = planned->method;
    const struct bytecode *bytecode = &method->edit->bytecode;
    struct check_batch check = {.kind = planned->kind, .own = batch->own, .count = batch->count};
    for (uint32_t i = 0; i < batch->count; i++) {
        const uint32_t as = batches_at(method, batch->accesses[i]).as;
        const struct instruction *code = &bytecode->instructions[as];
        const struct member_reference field =
            class_member_reference(bytecode->class_file, code->operand);
        const struct accessed accessed = accessed_of(&field, code->opcode);
        batch->sites[i] =
            instrument_access_site(method, as, &accessed, object_of(method, as, &field));
        check.sites[i] = batch->sites[i];
        check.constants[i] = code->operand;
    }
    for (uint32_t i = 0; i < batch->asked_count; i++)
        check.asked[check.asked_count++] = batch->asked[i];
    return checks_add_batch(method->owner, &check, &batch->check);
}

/* The flag says whether it is a batch; its first access finds out what is known of that by now. */
static bool plan_first(const struct planned *planned, const struct batch *batch)
{
    struct snippet *snippet = planned->snippet;
    if (batch->own)
        return call_with_object(planned, batch, call_batch);
    snippet_label alone = snippet_new_label(snippet), done = snippet_new_label(snippet);
    checks_push_batch(planned->method->owner, snippet, batch->check);
    snippet_add(snippet, OP_DUP);
    snippet_local(snippet, OP_ISTORE, batch->flag);
    snippet_branch(snippet, OP_IFLE, alone);
    if (!call_with_object(planned, batch, call_batch))
        return false;
    snippet_branch(snippet, OP_GOTO, done);
    snippet_bind(snippet, alone);
    if (!call_with_object(planned, NULL, call_check))
        return false;
    snippet_bind(snippet, done);
    return true;
}

static bool plan_further(const struct planned *planned, const struct batch *batch, bool last)
{
    struct snippet *snippet = planned->snippet;
    snippet_label done = snippet_new_label(snippet);
    snippet_local(snippet, OP_ILOAD, batch->flag);
    snippet_branch(snippet, OP_IFGT, done);
    if (!call_with_object(planned, NULL, call_check))
        return false;
    if (last) {
        snippet_local(snippet, OP_ILOAD, batch->flag);
        snippet_branch(snippet, OP_IFNE, done);
        if (!checks_call_batch_test(planned->method->owner, snippet, batch->check))
            return false;
    }
    snippet_bind(snippet, done);
    return true;
}

static bool plan_batched(struct planned *planned, const struct batched *batched)
{
    struct batch *batch = batched->batch;
    if (batched->answer == BATCH_FIRST && !begin_batch(planned, batch))
        return false;
    for (uint32_t i = 0; i < batch->count; i++)
        if (batch->accesses[i] == planned->instruction)
            planned->site = batch->sites[i];
    return batched->answer == BATCH_FIRST
               ? plan_first(planned, batch)
               : plan_further(planned, batch, batched->answer == BATCH_LAST);
}

/* ---- all of them ---- */

static bool plan_for_races(struct planned *planned, const struct batched *batched,
                           const struct accessed *accessed)
{
    if (batched->answer == BATCH_NEEDLESS)
        return true;
    if (batched->answer != BATCH_ALONE && batched->answer != BATCH_UPDATE)
        return plan_batched(planned, batched);
    planned->site = site_of(planned, batched->as, accessed);
    return plan_alone(planned, batched->as);
}

/* A check of the access alone, if the thread tells; else what is enough for races. */
static bool plan_gated(struct planned *planned, const struct batched *batched,
                       const struct accessed *accessed)
{
    struct instrument_method *method = planned->method;
    struct snippet *snippet = planned->snippet;
    const snippet_label tells = snippet_new_label(snippet), done = snippet_new_label(snippet);
    telling_branch(method, snippet, true, tells);
    if (!plan_for_races(planned, batched, accessed))
        return false;
    snippet_branch(snippet, OP_GOTO, done);
    snippet_bind(snippet, tells);
    planned->kind = kind_of(method, planned->instruction, &planned->field);
    planned->site = site_of(planned, planned->instruction, accessed);
    if (!call_with_object(planned, NULL, call_told))
        return false;
    snippet_bind(snippet, done);
    return true;
}

bool fields_plan(struct instrument_method *method, uint32_t instruction)
{
    struct instrument_class *owner = method->owner;
    struct method_editor *edit = method->edit;
    const struct instruction *code = &edit->bytecode.instructions[instruction];
    const struct member_reference field =
        class_member_reference(owner->editor->class_file, code->operand);
    const bool is_static = is_static_access(code->opcode);
    /* Before super() only fields of `this` can be written, and it cannot be shown to a check. */
    if (!fields_is_checked(owner, &field, code->opcode) ||
        (!is_static && instrument_is_early(method, instruction)))
        return true;
    atomic_fetch_add_explicit(&owner->instrument->accesses, 1, memory_order_relaxed);
    const struct batched batched = batches_at(method, instruction);
    const bool gated = telling_differs(method, instruction);
    if (batched.answer == BATCH_NEEDLESS && !gated)
        return true;
    struct planned planned = {.method = method,
                              .snippet = instrument_snippet(method),
                              .instruction = instruction,
                              .code = code,
                              .field = field,
                              .kind = batched.answer == BATCH_UPDATE
                                          ? update_of(code->opcode)
                                          : kind_of(method, batched.as, &field)};
    uint16_t flags = 0;
    const bool own = fields_find_own(owner, &field, &flags);
    if (is_static && !own)
        initialize_holder(planned.snippet, &field);
    const struct accessed accessed = accessed_of(&field, code->opcode);
    if (own && !is_static && owner->instrument->object_words)
        join_fields(owner, &accessed);
    if (gated ? !plan_gated(&planned, &batched, &accessed)
              : !plan_for_races(&planned, &batched, &accessed))
        return false;
    return method_editor_before(edit, instruction, planned.snippet);
}

static uint16_t hidden_access(uint16_t access)
{
    return (uint16_t)(ACCESS_PRIVATE | ACCESS_TRANSIENT | ACCESS_SYNTHETIC |
                      (access & ACCESS_STATIC));
}

static bool add_beside(struct instrument_class *owner, const struct member *field,
                       enum check_beside what)
{
    const struct class_file *class_file = owner->editor->class_file;
    const struct text name =
        checks_beside_name(&owner->arena, what, class_utf8(class_file, field->name),
                           class_utf8(class_file, field->descriptor));
    return name.length && class_editor_add_field(owner->editor, hidden_access(field->access), name,
                                                 text_from(beside_descriptor(what)));
}

static bool add_all_beside(struct instrument_class *owner, uint32_t count)
{
    for (uint32_t i = 0; owner->beside && i < count; i++) {
        const struct member field = owner->editor->class_file->fields[i];
        for (unsigned what = 0; what < CHECK_BESIDE_COUNT; what++)
            if ((owner->beside[i] >> what & 1) &&
                !add_beside(owner, &field, (enum check_beside)what))
                return false;
    }
    return true;
}

bool fields_finish(struct instrument_class *owner)
{
    const struct class_file *class_file = owner->editor->class_file;
    const bool object_words = owner->instrument->object_words;
    const uint32_t count = class_file->field_count;
    bool has_object_word = false;
    if (owner->interface)
        return true; /* all its fields are final */
    if (!add_all_beside(owner, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct member field = class_file->fields[i];
        const struct accessed reference = {ACCESSED_FIELD, owner->name,
                                           class_utf8(class_file, field.name),
                                           class_utf8(class_file, field.descriptor)};
        if ((field.access & (ACCESS_FINAL | ACCESS_VOLATILE)) ||
            text_starts_with(reference.name, TEXT(INSTRUMENT_PREFIX)) ||
            !instrument_wants(owner, &reference))
            continue;
        const bool is_static = field.access & ACCESS_STATIC;
        if (object_words && !is_static) {
            if (has_object_word)
                continue;
            has_object_word = true;
        }
        struct text name = checks_shadow_name(&owner->arena, object_words && !is_static,
                                              reference.name, reference.descriptor);
        if (!name.length ||
            !class_editor_add_field(owner->editor, hidden_access(field.access), name, TEXT("J")))
            return false;
        atomic_fetch_add_explicit(&owner->instrument->fields, 1, memory_order_relaxed);
    }
    return true;
}
