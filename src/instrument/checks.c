#include "instrument/checks.h"

#include <stdio.h>

#include "base/builder.h"
#include "classfile/names.h"
#include "instrument/instrument_internal.h"

/* So many first writes of constructors to a field are noted as other accesses are. */
enum { STARTS_NOTED = 16 };

void checks_init(struct checks *checks)
{
    *checks = (struct checks){0};
    intmap_init(&checks->numbers);
}

void checks_release(struct checks *checks)
{
    vector_release(&checks->items);
    vector_release(&checks->sites);
    vector_release(&checks->batches);
    intmap_release(&checks->numbers);
}

/* A class may have two fields of one name and different types. Before version 49 names must be
   identifiers of the Java language, so that a descriptor cannot stand in one. */
static struct text name_beside(struct arena *arena, char letter, struct text field,
                               struct text descriptor)
{
    struct builder name;
    builder_init(&name);
    builder_add_format(&name, INSTRUMENT_PREFIX "%c$%.*s$%016llx", letter, TEXT_ARGUMENTS(field),
                       (unsigned long long)text_hash(descriptor));
    struct text copy = name.failed ? TEXT("") : text_copy(arena, builder_text(&name));
    builder_release(&name);
    return copy;
}

struct text checks_shadow_name(struct arena *arena, bool object_words, struct text field,
                               struct text descriptor)
{
    return object_words ? TEXT(INSTRUMENT_PREFIX "w") : name_beside(arena, 'w', field, descriptor);
}

struct text checks_beside_name(struct arena *arena, enum check_beside what, struct text field,
                               struct text descriptor)
{
    return name_beside(arena, what == CHECK_BESIDE_WORDS ? 'a' : 'n', field, descriptor);
}

/* ---- names and types of check methods ---- */

static bool is_static_check(enum check_kind kind)
{
    return kind == CHECK_STATIC_READ || kind == CHECK_STATIC_WRITE || kind == CHECK_STATIC_UPDATE;
}

static bool is_element_check(enum check_kind kind)
{
    return kind == CHECK_ELEMENT_READ || kind == CHECK_ELEMENT_WRITE;
}

static bool is_object_check(enum check_kind kind)
{
    return kind == CHECK_OBJECT_READ || kind == CHECK_OBJECT_WRITE;
}

static bool is_block_check(enum check_kind kind)
{
    return kind == CHECK_BLOCK_BEGIN || kind == CHECK_BLOCK_END || kind == CHECK_BLOCK_ENTER;
}

static bool is_batch_check(enum check_kind kind)
{
    return kind == CHECK_BATCH || kind == CHECK_BATCH_TEST;
}

static bool is_monitor_check(enum check_kind kind)
{
    return kind >= CHECK_MONITOR_ENTER && kind <= CHECK_MONITOR_END;
}

static bool is_block_monitor_check(enum check_kind kind)
{
    return kind == CHECK_MONITOR_BEGIN || kind == CHECK_MONITOR_END;
}

/* It takes the number of the site alone. */
static bool is_bare_check(enum check_kind kind)
{
    return is_static_check(kind) || kind == CHECK_BLOCK_BEGIN || kind == CHECK_BLOCK_END;
}

static bool is_field_check(enum check_kind kind)
{
    return kind <= CHECK_STATIC_UPDATE;
}

static bool is_update_check(enum check_kind kind)
{
    return kind == CHECK_FIELD_UPDATE || kind == CHECK_STATIC_UPDATE;
}

static bool is_write_check(enum check_kind kind)
{
    return kind == CHECK_FIELD_WRITE || kind == CHECK_FIELD_START || kind == CHECK_STATIC_WRITE ||
           kind == CHECK_ELEMENT_WRITE || kind == CHECK_OBJECT_WRITE;
}

static struct text numbered_name(struct instrument_class *owner, char letter, uint32_t number)
{
    char name[sizeof INSTRUMENT_PREFIX + 16];
    int length = snprintf(name, sizeof name, INSTRUMENT_PREFIX "%c%u", letter, (unsigned)number);
    return text_copy(&owner->arena, text_of(name, (size_t)length));
}

static struct text descriptor_of(struct instrument_class *owner, const struct check *check)
{
    const bool batch = check->kind == CHECK_BATCH;
    if (check->kind == CHECK_BATCH_TEST)
        return TEXT("()V");
    if (is_bare_check(check->kind))
        return TEXT("(I)V");
    if (is_element_check(check->kind))
        return TEXT("([JII)V");
    if (is_block_monitor_check(check->kind))
        return TEXT("(Ljava/lang/Object;III)V");
    if (is_monitor_check(check->kind))
        return TEXT("(Ljava/lang/Object;II)V");
    if (!check->own)
        return batch ? TEXT("(Ljava/lang/Object;)V") : TEXT("(Ljava/lang/Object;I)V");
    struct builder builder;
    builder_init(&builder);
    builder_add_format(&builder, "(L%.*s;%s)V", TEXT_ARGUMENTS(owner->name), batch ? "" : "I");
    struct text descriptor = text_copy(&owner->arena, builder_text(&builder));
    if (builder.failed)
        owner->failed = true;
    builder_release(&builder);
    return descriptor;
}

/* ---- calling ---- */

static uint64_t key_of(enum check_kind kind, uint16_t constant, uint32_t group)
{
    return (uint64_t)group << 32 | (uint64_t)constant << 8 | (uint64_t)kind;
}

static bool find_or_add(struct instrument_class *owner, enum check_kind kind, uint16_t constant,
                        uint32_t group, uint32_t *number)
{
    struct checks *checks = &owner->checks;
    bool added = false;
    uint64_t *value = intmap_find_or_add(&checks->numbers, key_of(kind, constant, group),
                                         checks->items.count, &added);
    if (!value)
        return false;
    *number = (uint32_t)*value;
    if (!added)
        return true;
    struct check check = {.kind = kind, .constant = constant, .group = group};
    if (is_batch_check(kind))
        check.own = checks->batches.items[group - 1].own;
    if (constant && !is_element_check(kind) && !is_object_check(kind)) {
        struct member_reference field = class_member_reference(owner->editor->class_file, constant);
        uint16_t access = 0;
        check.own = fields_find_own(owner, &field, &access);
    }
    return vector_push(&checks->items, check);
}

bool checks_call_at(struct instrument_class *owner, struct snippet *snippet, enum check_kind kind,
                    uint16_t constant, uint32_t group)
{
    uint32_t number = 0;
    if (!find_or_add(owner, kind, constant, group, &number)) {
        owner->failed = true;
        return false;
    }
    const struct text name = numbered_name(owner, 'c', number);
    const struct text descriptor = descriptor_of(owner, &owner->checks.items.items[number]);
    if (owner->arena.failed)
        owner->failed = true;
    if (owner->failed)
        return false;
    snippet_call(snippet, OP_INVOKESTATIC, owner->name, name, descriptor, owner->interface);
    return true;
}

bool checks_call(struct instrument_class *owner, struct snippet *snippet, enum check_kind kind,
                 uint16_t constant, uint32_t group, uint32_t site)
{
    snippet_push_int(snippet, (int32_t)site);
    return checks_call_at(owner, snippet, kind, constant, group);
}

/* ---- batches ---- */

bool checks_add_batch(struct instrument_class *owner, const struct check_batch *batch,
                      uint32_t *number)
{
    uint32_t check;
    *number = (uint32_t)owner->checks.batches.count;
    bool added = vector_push(&owner->checks.batches, *batch);
    for (uint32_t i = 0; added && i < batch->count; i++)
        added = find_or_add(owner, batch->kind, batch->constants[i], 0, &check);
    for (uint32_t i = 0; added && i < batch->asked_count; i++)
        added = find_or_add(owner, CHECK_FIELD_READ, batch->asked[i], 0, &check);
    owner->failed |= !added;
    return added;
}

bool checks_call_batch(struct instrument_class *owner, struct snippet *snippet, uint32_t number)
{
    return checks_call_at(owner, snippet, CHECK_BATCH, 0, number + 1);
}

bool checks_call_batch_test(struct instrument_class *owner, struct snippet *snippet,
                            uint32_t number)
{
    return checks_call_at(owner, snippet, CHECK_BATCH_TEST, 0, number + 1);
}

void checks_push_batch(struct instrument_class *owner, struct snippet *snippet, uint32_t number)
{
    snippet_field(snippet, OP_GETSTATIC, owner->name, numbered_name(owner, 'b', number), TEXT("I"));
}

void checks_push_repeated(struct instrument_class *owner, struct snippet *snippet,
                          enum check_kind kind, uint16_t constant)
{
    uint32_t number = 0;
    if (!find_or_add(owner, kind, constant, 0, &number)) {
        owner->failed = true;
        return;
    }
    if (owner->checks.items.items[number].own) {
        snippet_push_int(snippet, 1);
        return;
    }
    /* The offset is below -1 for a volatile: 1 if it is greater than -2. */
    snippet_field(snippet, OP_GETSTATIC, owner->name, numbered_name(owner, 'o', number), TEXT("J"));
    snippet_push_long(snippet, -2);
    snippet_add(snippet, OP_LCMP);
    snippet_push_int(snippet, 1);
    snippet_add(snippet, OP_IADD);
    snippet_push_int(snippet, 1);
    snippet_add(snippet, OP_ISHR);
}

/* ---- making ---- */

/* One check method in the making. */
struct making {
    struct instrument_class *owner;
    struct snippet *code;
    const struct check *check;
    uint32_t number;
    uint32_t base; /* of the class's sites */
    struct text
        offset; /* the static field for the offset; empty in an interface, where none can be */
    struct text holder; /* the static field for the class that declares a static field; or empty */
    snippet_label end;
    struct member_reference field;
    struct text shadow;
};

static void push_offset(struct making *making)
{
    if (making->offset.length)
        snippet_field(making->code, OP_GETSTATIC, making->owner->name, making->offset, TEXT("J"));
    else
        snippet_push_long(making->code, 0);
}

/* 0: not known yet; below: there is no word. */
static void push_offset_sign(struct making *making)
{
    push_offset(making);
    snippet_add(making->code, OP_LCONST_0);
    snippet_add(making->code, OP_LCMP);
}

/* Only once: to store it each time would have all threads write to the same place. */
static void store_offset(struct making *making)
{
    struct snippet *code = making->code;
    if (making->offset.length) {
        snippet_label known = snippet_new_label(code);
        push_offset_sign(making);
        snippet_branch(code, OP_IFNE, known);
        snippet_field(code, OP_PUTSTATIC, making->owner->name, making->offset, TEXT("J"));
        snippet_branch(code, OP_GOTO, making->end);
        snippet_bind(code, known);
    }
    snippet_add(code, OP_POP2);
}

static void push_holder(struct making *making)
{
    snippet_field(making->code, OP_GETSTATIC, making->owner->name, making->holder,
                  TEXT("Ljava/lang/Object;"));
}

/* The parameter with the site's number, made global. */
static void push_site(struct making *making, uint16_t local)
{
    snippet_local(making->code, OP_ILOAD, local);
    snippet_push_int(making->code, (int32_t)making->base);
    snippet_add(making->code, OP_IADD);
}

static void call_recorder(struct snippet *code, const char *name, const char *descriptor)
{
    snippet_call(code, OP_INVOKESTATIC, TEXT("java/lang/TurnstileRecorder"), text_from(name),
                 text_from(descriptor), false);
}

/* On the stack: the word. Goes to the label if the word covers the access or, where every access
   counts, if it could be recorded at once. */
static void compare(struct making *making, uint16_t site_local, snippet_label covered)
{
    struct snippet *code = making->code;
    const bool write = is_write_check(making->check->kind);
    if (making->check->group == CHECK_TOLD && is_field_check(making->check->kind)) {
        snippet_add(code, OP_POP2);
        return;
    }
    if (making->owner->instrument->recorded) {
        push_site(making, site_local);
        call_recorder(code,
                      is_update_check(making->check->kind) ? "isUpdateRecorded"
                      : write                              ? "isWriteRecorded"
                                                           : "isReadRecorded",
                      "(JI)Z");
    } else {
        instrument_call_hook(code, write ? "isWriteCovered" : "isReadCovered", "(J)Z");
    }
    snippet_branch(code, OP_IFNE, covered);
}

/* On the stack: the object or class, and the offset. */
static void call_slow(struct making *making, uint16_t site_local)
{
    const enum check_kind kind = making->check->kind;
    push_site(making, site_local);
    instrument_call_hook(making->code,
                         is_update_check(kind)  ? "updateField"
                         : is_write_check(kind) ? "writeField"
                                                : "readField",
                         "(Ljava/lang/Object;JI)J");
}

/* Goes to the label the first times, where it is noted who makes the object, and where: most
   objects that everybody uses are made once. */
static void note_first_starts(struct making *making, snippet_label noted)
{
    struct snippet *code = making->code;
    const struct text owner = making->owner->name;
    const struct text starts = numbered_name(making->owner, 's', making->number);
    snippet_label enough = snippet_new_label(code);
    snippet_field(code, OP_GETSTATIC, owner, starts, TEXT("I"));
    snippet_push_int(code, STARTS_NOTED);
    snippet_branch(code, OP_IF_ICMPGE, enough);
    snippet_field(code, OP_GETSTATIC, owner, starts, TEXT("I"));
    snippet_push_int(code, 1);
    snippet_add(code, OP_IADD);
    snippet_field(code, OP_PUTSTATIC, owner, starts, TEXT("I"));
    snippet_branch(code, OP_GOTO, noted);
    snippet_bind(code, enough);
}

static void make_own_field(struct making *making)
{
    struct snippet *code = making->code;
    const bool start = making->check->kind == CHECK_FIELD_START;
    snippet_local(code, OP_ALOAD, 0);
    if (start) {
        /* `this` of a constructor is never null. A field that nobody has touched becomes this
           thread's; no one else can see it yet, or should. */
        snippet_label touched = snippet_new_label(code);
        snippet_field(code, OP_GETFIELD, making->owner->name, making->shadow, TEXT("J"));
        snippet_add(code, OP_LCONST_0);
        snippet_add(code, OP_LCMP);
        snippet_branch(code, OP_IFNE, touched);
        note_first_starts(making, touched);
        if (making->owner->instrument->sampled) {
            /* ... unless the thread tells what it does (sample.h). */
            instrument_call_hook(code, "fresh", "()J");
            snippet_add(code, OP_LCONST_0);
            snippet_add(code, OP_LCMP);
            snippet_branch(code, OP_IFEQ, touched);
        }
        snippet_local(code, OP_ALOAD, 0);
        instrument_call_hook(code, "fresh", "()J");
        snippet_field(code, OP_PUTFIELD, making->owner->name, making->shadow, TEXT("J"));
        snippet_branch(code, OP_GOTO, making->end);
        snippet_bind(code, touched);
    } else {
        snippet_branch(code, OP_IFNULL, making->end);
    }
    snippet_local(code, OP_ALOAD, 0);
    snippet_field(code, OP_GETFIELD, making->owner->name, making->shadow, TEXT("J"));
    compare(making, 1, making->end);
    snippet_local(code, OP_ALOAD, 0);
    push_offset(making);
    call_slow(making, 1);
    store_offset(making);
}

/* The field of another class, or an inherited one: its word is found by its offset; 0 means not
   known yet, below 0 that there is none. */
static void make_other_field(struct making *making)
{
    struct snippet *code = making->code;
    snippet_label slow = snippet_new_label(code);
    snippet_local(code, OP_ALOAD, 0);
    snippet_branch(code, OP_IFNULL, making->end);
    if (making->offset.length) {
        snippet_label known = snippet_new_label(code);
        push_offset_sign(making);
        snippet_branch(code, OP_IFGT, known);
        push_offset(making);
        snippet_push_long(code, -1);
        snippet_add(code, OP_LCMP);
        snippet_branch(code, OP_IFEQ, making->end);
        snippet_branch(code, OP_GOTO, slow);
        snippet_bind(code, known);
        snippet_local(code, OP_ALOAD, 0);
        push_offset(making);
        instrument_call_hook(code, "word", "(Ljava/lang/Object;J)J");
        compare(making, 1, making->end);
        snippet_bind(code, slow);
    }
    snippet_local(code, OP_ALOAD, 0);
    push_offset(making);
    call_slow(making, 1);
    store_offset(making);
}

static void make_own_static(struct making *making)
{
    struct snippet *code = making->code;
    snippet_field(code, OP_GETSTATIC, making->owner->name, making->shadow, TEXT("J"));
    compare(making, 0, making->end);
    instrument_push_class(making->owner, code);
    push_offset(making);
    call_slow(making, 0);
    store_offset(making);
}

/* The class that the field is named by. It is loaded already, and stays uninitialized if it is: the
   field may be a superclass's. */
static void push_named_class(struct making *making)
{
    struct snippet *code = making->code;
    if (making->owner->class_constants) {
        snippet_push_class(code, making->field.owner);
        return;
    }
    const struct text dotted = names_dotted(&making->owner->arena, making->field.owner);
    if (!dotted.length) {
        making->owner->failed = true;
        return;
    }
    snippet_push_string(code, dotted);
    snippet_push_int(code, 0);
    instrument_push_class(making->owner, code);
    snippet_call(code, OP_INVOKEVIRTUAL, TEXT("java/lang/Class"), TEXT("getClassLoader"),
                 TEXT("()Ljava/lang/ClassLoader;"), false);
    snippet_call(code, OP_INVOKESTATIC, TEXT("java/lang/Class"), TEXT("forName"),
                 TEXT("(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;"), false);
}

static void push_declaring_class(struct making *making)
{
    push_named_class(making);
    push_site(making, 0);
    instrument_call_hook(making->code, "holder", "(Ljava/lang/Class;I)Ljava/lang/Object;");
}

static void make_other_static(struct making *making)
{
    struct snippet *code = making->code;
    if (!making->offset.length) {
        push_declaring_class(making);
        push_offset(making);
        call_slow(making, 0);
        store_offset(making);
        return;
    }
    snippet_label known = snippet_new_label(code), slow = snippet_new_label(code);
    push_offset_sign(making);
    snippet_branch(code, OP_IFGT, known);
    push_offset(making);
    snippet_push_long(code, -1);
    snippet_add(code, OP_LCMP);
    snippet_branch(code, OP_IFEQ, making->end);
    push_holder(making);
    snippet_branch(code, OP_IFNONNULL, slow);
    push_declaring_class(making);
    snippet_field(code, OP_PUTSTATIC, making->owner->name, making->holder,
                  TEXT("Ljava/lang/Object;"));
    snippet_branch(code, OP_GOTO, slow);
    snippet_bind(code, known);
    push_holder(making);
    push_offset(making);
    instrument_call_hook(code, "word", "(Ljava/lang/Object;J)J");
    compare(making, 0, making->end);
    snippet_bind(code, slow);
    push_holder(making);
    push_offset(making);
    call_slow(making, 0);
    store_offset(making);
}

/* Locals: words, index, site. */
static void make_element(struct making *making)
{
    struct snippet *code = making->code;
    snippet_local(code, OP_ALOAD, 0);
    snippet_branch(code, OP_IFNULL, making->end);
    snippet_local(code, OP_ILOAD, 1);
    snippet_branch(code, OP_IFLT, making->end);
    snippet_local(code, OP_ILOAD, 1);
    snippet_local(code, OP_ALOAD, 0);
    snippet_add(code, OP_ARRAYLENGTH);
    snippet_branch(code, OP_IF_ICMPGE, making->end);
    snippet_local(code, OP_ALOAD, 0);
    snippet_local(code, OP_ILOAD, 1);
    snippet_add(code, OP_LALOAD);
    compare(making, 2, making->end);
    snippet_local(code, OP_ALOAD, 0);
    snippet_local(code, OP_ILOAD, 1);
    push_site(making, 2);
    instrument_call_hook(code, is_write_check(making->check->kind) ? "writeElement" : "readElement",
                         "([JII)V");
}

/* Local 2 holds the offset of the word in the object; it is an entry snippet's scratch local. */
static void make_object(struct making *making)
{
    struct snippet *code = making->code;
    snippet_label watched = snippet_new_label(code);
    snippet_local(code, OP_ALOAD, 0);
    snippet_call(code, OP_INVOKESTATIC, TEXT("java/lang/TurnstileObjects"), TEXT("offset"),
                 TEXT("(Ljava/lang/Object;)J"), false);
    snippet_local(code, OP_LSTORE, 2);
    snippet_local(code, OP_LLOAD, 2);
    snippet_add(code, OP_LCONST_0);
    snippet_add(code, OP_LCMP);
    snippet_branch(code, OP_IFGT, watched);
    snippet_branch(code, OP_GOTO, making->end);
    snippet_bind(code, watched);
    snippet_local(code, OP_ALOAD, 0);
    snippet_local(code, OP_LLOAD, 2);
    instrument_call_hook(code, "word", "(Ljava/lang/Object;J)J");
    compare(making, 1, making->end);
    snippet_local(code, OP_ALOAD, 0);
    snippet_local(code, OP_LLOAD, 2);
    call_slow(making, 1);
    snippet_add(code, OP_POP2);
}

/* The word of one of a batch's fields; the object is in local 0. */
static void push_batch_word(struct making *making, const struct check_batch *batch, uint32_t which)
{
    struct instrument_class *owner = making->owner;
    uint32_t number = 0;
    if (!find_or_add(owner, batch->kind, batch->constants[which], 0, &number)) {
        owner->failed = true;
        return;
    }
    snippet_local(making->code, OP_ALOAD, 0);
    if (batch->own) {
        const struct member_reference field =
            class_member_reference(owner->editor->class_file, batch->constants[which]);
        snippet_field(making->code, OP_GETFIELD, owner->name,
                      checks_shadow_name(&owner->arena, false, field.name, field.descriptor),
                      TEXT("J"));
        return;
    }
    snippet_field(making->code, OP_GETSTATIC, owner->name, numbered_name(owner, 'o', number),
                  TEXT("J"));
    instrument_call_hook(making->code, "word", "(Ljava/lang/Object;J)J");
}

/* Local 1 holds the first word. The others count by how they differ from it. */
static void make_batch(struct making *making)
{
    struct snippet *code = making->code;
    const struct check_batch *batch =
        &making->owner->checks.batches.items[making->check->group - 1];
    const bool write = is_write_check(batch->kind);
    snippet_local(code, OP_ALOAD, 0);
    snippet_branch(code, OP_IFNULL, making->end);
    push_batch_word(making, batch, 0);
    snippet_local(code, OP_LSTORE, 1);
    snippet_local(code, OP_LLOAD, 1);
    for (uint32_t i = 1; i < batch->count; i++) {
        push_batch_word(making, batch, i);
        snippet_local(code, OP_LLOAD, 1);
        snippet_add(code, OP_LXOR);
        if (i > 1)
            snippet_add(code, OP_LOR);
    }
    instrument_call_hook(code, write ? "areWritesCovered" : "areReadsCovered", "(JJ)Z");
    snippet_branch(code, OP_IFNE, making->end);
    for (uint32_t i = 0; i < batch->count; i++) {
        snippet_local(code, OP_ALOAD, 0);
        checks_call(making->owner, code, batch->kind, batch->constants[i], 0, batch->sites[i]);
    }
}

/* The offsets of all fields say what they are. */
static void make_batch_test(struct making *making)
{
    struct instrument_class *owner = making->owner;
    struct snippet *code = making->code;
    const struct check_batch *batch = &owner->checks.batches.items[making->check->group - 1];
    snippet_push_int(code, 1);
    for (uint32_t i = 0; i < batch->count + batch->asked_count; i++) {
        const bool asked = i >= batch->count;
        uint32_t number = 0;
        if (!find_or_add(owner, asked ? CHECK_FIELD_READ : batch->kind,
                         asked ? batch->asked[i - batch->count] : batch->constants[i], 0, &number))
            owner->failed = true;
        snippet_field(code, OP_GETSTATIC, owner->name, numbered_name(owner, 'o', number),
                      TEXT("J"));
        instrument_call_hook(code, asked ? "passed" : "joined", "(IJ)I");
    }
    snippet_field(code, OP_PUTSTATIC, owner->name,
                  numbered_name(owner, 'b', making->check->group - 1), TEXT("I"));
}

static void make_block(struct making *making)
{
    const enum check_kind kind = making->check->kind;
    if (kind == CHECK_BLOCK_ENTER) {
        snippet_local(making->code, OP_ALOAD, 0);
        snippet_branch(making->code, OP_IFNULL, making->end);
    }
    push_site(making, kind == CHECK_BLOCK_ENTER ? 1 : 0);
    instrument_call_hook(making->code, kind == CHECK_BLOCK_END ? "blockEnd" : "blockBegin", "(I)V");
}

/* Locals: object, number, the block's site if there is a block, site. */
static void make_monitor(struct making *making)
{
    const enum check_kind kind = making->check->kind;
    const bool enters = kind == CHECK_MONITOR_ENTER || kind == CHECK_MONITOR_BEGIN;
    const bool block = is_block_monitor_check(kind);
    snippet_local(making->code, OP_ALOAD, 0);
    snippet_local(making->code, OP_ILOAD, 1);
    push_site(making, 2);
    if (block)
        push_site(making, 3);
    call_recorder(making->code, enters ? "entered" : "leaving",
                  block ? "(Ljava/lang/Object;III)V" : "(Ljava/lang/Object;II)V");
}

static void make_volatile(struct making *making, uint32_t variable)
{
    struct snippet *code = making->code;
    if (is_static_check(making->check->kind))
        instrument_push_class(making->owner, code);
    else
        snippet_local(code, OP_ALOAD, 0);
    snippet_push_int(code, (int32_t)variable);
    instrument_call_hook(code,
                         is_write_check(making->check->kind) ? "volatileWrite" : "volatileRead",
                         "(Ljava/lang/Object;I)V");
}

static bool add_storage(struct making *making)
{
    struct instrument_class *owner = making->owner;
    const struct check *check = making->check;
    const uint16_t access = ACCESS_PRIVATE | ACCESS_STATIC | ACCESS_TRANSIENT | ACCESS_SYNTHETIC;
    if (owner->interface || is_element_check(check->kind) || is_object_check(check->kind))
        return true;
    if (check->kind == CHECK_BATCH_TEST)
        return class_editor_add_field(owner->editor, access,
                                      numbered_name(owner, 'b', check->group - 1), TEXT("I"));
    making->offset = numbered_name(owner, 'o', making->number);
    if (!class_editor_add_field(owner->editor, access, making->offset, TEXT("J")))
        return false;
    if (check->kind == CHECK_FIELD_START &&
        !class_editor_add_field(owner->editor, access, numbered_name(owner, 's', making->number),
                                TEXT("I")))
        return false;
    if (check->own || !is_static_check(check->kind))
        return true;
    making->holder = numbered_name(owner, 'h', making->number);
    return class_editor_add_field(owner->editor, access, making->holder,
                                  TEXT("Ljava/lang/Object;"));
}

static bool make_field_check(struct making *making)
{
    struct instrument_class *owner = making->owner;
    const struct check *check = making->check;
    const bool is_static = is_static_check(check->kind);
    uint16_t access = 0;
    making->field = class_member_reference(owner->editor->class_file, check->constant);
    if (fields_find_own(owner, &making->field, &access) && (access & ACCESS_VOLATILE)) {
        struct accessed accessed = {is_static ? ACCESSED_STATIC : ACCESSED_FIELD, owner->name,
                                    making->field.name, making->field.descriptor};
        uint32_t variable = sites_accessed(owner->instrument->sites, &accessed);
        make_volatile(making, variable);
        return variable;
    }
    making->shadow = checks_shadow_name(&owner->arena, owner->instrument->object_words,
                                        making->field.name, making->field.descriptor);
    if (!add_storage(making))
        return false;
    if (check->own && is_static)
        making->shadow =
            checks_shadow_name(&owner->arena, false, making->field.name, making->field.descriptor);
    if (is_static)
        (check->own ? make_own_static : make_other_static)(making);
    else
        (check->own ? make_own_field : make_other_field)(making);
    return true;
}

/* Parameters and what else the check keeps. */
static uint16_t locals_of(enum check_kind kind)
{
    if (is_object_check(kind) || is_block_monitor_check(kind))
        return 4;
    if (kind == CHECK_BATCH_TEST)
        return 0;
    if (kind == CHECK_BATCH || is_element_check(kind) || is_monitor_check(kind))
        return 3;
    return is_bare_check(kind) ? 1 : 2;
}

/* A method that only returns, with the code as what it does at its entry: the editor of methods
   knows how to make frames. */
static bool make_method(struct making *making)
{
    static const uint8_t only_return[] = {OP_RETURN};
    struct instrument_class *owner = making->owner;
    const uint16_t access = (uint16_t)(ACCESS_PRIVATE | ACCESS_STATIC | ACCESS_SYNTHETIC);
    const struct text name = numbered_name(owner, 'c', making->number);
    const struct text descriptor = descriptor_of(owner, making->check);
    if (owner->failed || owner->arena.failed)
        return false;
    struct member *method = class_editor_add_method(owner->editor, access, name, descriptor);
    if (!method)
        return false;
    struct attribute *attribute =
        class_editor_add_attribute(owner->editor, &method->attributes, ATTRIBUTE_CODE);
    struct code *code = ARENA_NEW(owner->editor->class_file->arena, struct code);
    if (!attribute || !code)
        return false;
    *code = (struct code){.max_locals = locals_of(making->check->kind),
                          .length = sizeof only_return,
                          .bytes = only_return};
    attribute->as.code = code;
    struct arena scratch;
    struct method_editor edit;
    struct problem problem;
    problem_clear(&problem);
    arena_init(&scratch);
    bool made = method_editor_init(&edit, owner->editor, method, &scratch, NULL, &problem) &&
                method_editor_at_entry(&edit, making->code) &&
                method_editor_apply(&edit, &problem) == REWRITE_DONE;
    arena_release(&scratch);
    return made;
}

bool checks_finish(struct instrument_class *owner)
{
    struct checks *checks = &owner->checks;
    if (!checks->items.count)
        return true;
    uint32_t base = sites_add(owner->instrument->sites, checks->sites.items, checks->sites.count);
    if (!base)
        return false;
    for (uint32_t i = 0; i < checks->items.count; i++) {
        snippet_clear(&owner->snippet);
        struct making making = {.owner = owner,
                                .code = &owner->snippet,
                                .check = &checks->items.items[i],
                                .number = i,
                                .base = base};
        making.end = snippet_new_label(making.code);
        if (is_element_check(making.check->kind))
            make_element(&making);
        else if (is_object_check(making.check->kind))
            make_object(&making);
        else if (making.check->kind == CHECK_BATCH)
            make_batch(&making);
        else if (making.check->kind == CHECK_BATCH_TEST && add_storage(&making))
            make_batch_test(&making);
        else if (is_block_check(making.check->kind))
            make_block(&making);
        else if (is_monitor_check(making.check->kind))
            make_monitor(&making);
        else if (!make_field_check(&making))
            return false;
        snippet_bind(making.code, making.end);
        if (owner->failed || owner->arena.failed || !make_method(&making))
            return false;
    }
    return true;
}
