/*
 * Accesses of fields.
 *
 * The check stands before the access. Its argument is the object, which is on top of the stack (a
 * read), below the value (a write), or is `this` and need not be looked for.
 */
#include "classfile/descriptor.h"
#include "instrument/repeats.h"

bool fields_find_own(const struct instrument_class *owner, const struct member_reference *field,
                     uint16_t *access)
{
    const struct class_file *class_file = owner->editor->class_file;
    if (!text_equal(field->owner, owner->name))
        return false;
    for (uint32_t i = 0; i < class_file->field_count; i++) {
        const struct member *member = &class_file->fields[i];
        if (text_equal(class_utf8(class_file, member->name), field->name) &&
            text_equal(class_utf8(class_file, member->descriptor), field->descriptor)) {
            *access = member->access;
            return true;
        }
    }
    return false;
}

/* Classes whose fields nobody watches. */
static bool is_platform(struct text class_name)
{
    return text_starts_with(class_name, TEXT("java/")) ||
           text_starts_with(class_name, TEXT("jdk/")) ||
           text_starts_with(class_name, TEXT("sun/")) || class_name.bytes[0] == '[';
}

/* Brings the object of a putfield to the top of the stack and takes it away by a call of a check,
   with the stack as before. */
static bool check_below_value(struct instrument_method *method, struct snippet *snippet,
                              unsigned value_slots, enum check_kind kind, uint16_t constant,
                              uint32_t site)
{
    struct instrument_class *owner = method->owner;
    if (value_slots == 1) {
        snippet_add(snippet, OP_DUP2);
        snippet_add(snippet, OP_POP);
        return checks_call(owner, snippet, kind, constant, 0, site);
    }
    snippet_add(snippet, OP_DUP2_X1);
    snippet_add(snippet, OP_POP2);
    snippet_add(snippet, OP_DUP);
    bool called = checks_call(owner, snippet, kind, constant, 0, site);
    snippet_add(snippet, OP_DUP_X2);
    snippet_add(snippet, OP_POP);
    return called;
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

/* The object whose field is accessed is `this`. */
static bool is_on_this(const struct instrument_method *method, uint32_t instruction,
                       const struct member_reference *field)
{
    const bool write = is_write(method->edit->bytecode.instructions[instruction].opcode);
    const unsigned below = write ? descriptor_slots(field->descriptor) : 0;
    return method->this_kept &&
           origins_operand(&method->origins, instruction, below).kind == ORIGIN_THIS;
}

static enum check_kind kind_of(const struct instrument_method *method, uint32_t instruction,
                               const struct member_reference *field, bool own, uint16_t flags)
{
    switch (method->edit->bytecode.instructions[instruction].opcode) {
    case OP_GETSTATIC:
        return CHECK_STATIC_READ;
    case OP_PUTSTATIC:
        return CHECK_STATIC_WRITE;
    case OP_GETFIELD:
        return CHECK_FIELD_READ;
    default:
        return own && method->is_constructor && !(flags & ACCESS_VOLATILE) &&
                       !method->owner->instrument->every_access &&
                       is_on_this(method, instruction, field)
                   ? CHECK_FIELD_START
                   : CHECK_FIELD_WRITE;
    }
}

/* Adds the call of the check, with the object that it needs; the stack is as before. */
static bool call_check(struct instrument_method *method, struct snippet *snippet,
                       uint32_t instruction, const struct member_reference *field,
                       enum check_kind kind, uint32_t site)
{
    const struct instruction *access = &method->edit->bytecode.instructions[instruction];
    if (access->opcode == OP_GETFIELD || access->opcode == OP_PUTFIELD) {
        if (is_on_this(method, instruction, field))
            snippet_local(snippet, OP_ALOAD, 0);
        else if (is_write(access->opcode))
            return check_below_value(method, snippet, descriptor_slots(field->descriptor), kind,
                                     access->operand, site);
        else
            snippet_add(snippet, OP_DUP);
    }
    return checks_call(method->owner, snippet, kind, access->operand, 0, site);
}

bool fields_plan(struct instrument_method *method, uint32_t instruction)
{
    struct instrument_class *owner = method->owner;
    struct method_editor *edit = method->edit;
    const struct instruction *access = &edit->bytecode.instructions[instruction];
    const struct member_reference field =
        class_member_reference(owner->editor->class_file, access->operand);
    const bool is_static = access->opcode == OP_GETSTATIC || access->opcode == OP_PUTSTATIC;
    uint16_t flags = 0;
    const bool own = fields_find_own(owner, &field, &flags);
    if (is_platform(field.owner) || text_starts_with(field.name, TEXT(INSTRUMENT_PREFIX)) ||
        (own && (flags & ACCESS_FINAL)))
        return true;
    /* Before super() only fields of `this` can be written, and it cannot be shown to a check. */
    if (!is_static && instrument_is_early(method, instruction))
        return true;
    struct accessed accessed = {is_static ? ACCESSED_STATIC : ACCESSED_FIELD, field.owner,
                                field.name, field.descriptor};
    /* A volatile orders threads, whether somebody wants to look at it or not. So may a field of
       another class: if it is not volatile, and not wanted, it has no shadow there. */
    if (own && !(flags & ACCESS_VOLATILE) && !instrument_wants(owner, &accessed))
        return true;
    uint32_t site = instrument_site(method, instruction, &accessed);
    if (own && !is_static && owner->instrument->object_words)
        join_fields(owner, &accessed);
    struct snippet *snippet = instrument_snippet(method);
    atomic_fetch_add_explicit(&owner->instrument->accesses, 1, memory_order_relaxed);
    if (is_static && !own)
        initialize_holder(snippet, &field);
    const int32_t flag = repeats_flag(method, instruction);
    snippet_label known = 0;
    if (flag >= 0) {
        known = snippet_new_label(snippet);
        snippet_local(snippet, OP_ILOAD, (uint16_t)flag);
        snippet_branch(snippet, OP_IFNE, known);
    }
    const enum check_kind kind = kind_of(method, instruction, &field, own, flags);
    if (!call_check(method, snippet, instruction, &field, kind, site))
        return false;
    if (repeats_may_end(method, instruction)) {
        snippet_label goes_on = snippet_new_label(snippet);
        checks_push_repeated(owner, snippet, kind, access->operand);
        snippet_branch(snippet, OP_IFNE, goes_on);
        repeats_clear(method, snippet);
        snippet_bind(snippet, goes_on);
    }
    if (flag >= 0) {
        checks_push_repeated(owner, snippet, kind, access->operand);
        snippet_local(snippet, OP_ISTORE, (uint16_t)flag);
        snippet_bind(snippet, known);
    }
    return method_editor_before(edit, instruction, snippet);
}

bool fields_finish(struct instrument_class *owner)
{
    const struct class_file *class_file = owner->editor->class_file;
    const bool object_words = owner->instrument->object_words;
    const uint32_t count = class_file->field_count;
    bool has_object_word = false;
    if (owner->interface)
        return true; /* all its fields are final */
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
        uint16_t access = (uint16_t)(ACCESS_PRIVATE | ACCESS_TRANSIENT | ACCESS_SYNTHETIC |
                                     (is_static ? ACCESS_STATIC : 0));
        if (!name.length || !class_editor_add_field(owner->editor, access, name, TEXT("J")))
            return false;
        atomic_fetch_add_explicit(&owner->instrument->fields, 1, memory_order_relaxed);
    }
    return true;
}
