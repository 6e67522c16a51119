#include "instrument/lock_fields.h"

#include <string.h>

#include "classfile/descriptor.h"
#include "instrument/instrument_internal.h"

/* ---- the table ---- */

bool lock_fields_init(struct lock_fields *table)
{
    memset(table, 0, sizeof *table);
    arena_init(&table->arena);
    textmap_init(&table->methods);
    textmap_init(&table->fields);
    builder_init(&table->key);
    return pthread_mutex_init(&table->lock, NULL) == 0;
}

void lock_fields_release(struct lock_fields *table)
{
    pthread_mutex_destroy(&table->lock);
    builder_release(&table->key);
    vector_release(&table->places);
    textmap_release(&table->methods);
    textmap_release(&table->fields);
    arena_release(&table->arena);
}

enum stored { STORED_MADE = 1, STORED_GIVEN = 2 };

static struct text make_field_key(struct lock_fields *table, struct text owner, struct text name)
{
    builder_clear(&table->key);
    builder_add(&table->key, owner);
    builder_add_byte(&table->key, '.');
    builder_add(&table->key, name);
    return table->key.failed ? TEXT("") : builder_text(&table->key);
}

/* The number of a key, which is copied if it is new; NULL if memory ran out. */
static uint32_t *find_or_add(struct lock_fields *table, struct textmap *map, struct text key)
{
    bool added = false;
    uint32_t known = 0;
    if (!textmap_get(map, key, &known)) {
        table->arena.failed = false; /* the table outlives a shortage of memory */
        key = text_copy(&table->arena, key);
        if (table->arena.failed)
            return NULL;
    }
    return textmap_find_or_add(map, key, 0, &added);
}

void lock_fields_add_store(struct lock_fields *table, struct text owner, struct text name,
                           bool given)
{
    pthread_mutex_lock(&table->lock);
    const struct text key = make_field_key(table, owner, name);
    uint32_t *stored = key.length ? find_or_add(table, &table->fields, key) : NULL;
    if (stored)
        *stored |= given ? STORED_GIVEN : STORED_MADE;
    pthread_mutex_unlock(&table->lock);
}

bool lock_fields_is_own(struct lock_fields *table, struct text owner, struct text name)
{
    uint32_t stored = 0;
    pthread_mutex_lock(&table->lock);
    const struct text key = make_field_key(table, owner, name);
    const bool own =
        key.length && textmap_get(&table->fields, key, &stored) && stored == STORED_MADE;
    pthread_mutex_unlock(&table->lock);
    return own;
}

/* False if memory ran out. */
static bool make_key(struct lock_fields *table, const struct lock_fields_method *method)
{
    builder_clear(&table->key);
    builder_add(&table->key, method->class_name);
    builder_add_byte(&table->key, '.');
    builder_add(&table->key, method->name);
    builder_add(&table->key, method->descriptor);
    builder_add_format(&table->key, "%u", method->length);
    return !table->key.failed;
}

static bool is_known(const struct lock_fields *table, uint32_t number,
                     const struct lock_fields_place *place)
{
    for (; number; number = table->places.items[number - 1].next) {
        const struct lock_fields_place *known = &table->places.items[number - 1];
        if (known->start == place->start && known->end == place->end &&
            known->accessed == place->accessed)
            return true;
    }
    return false;
}

void lock_fields_add(struct lock_fields *table, const struct lock_fields_method *method,
                     const struct lock_fields_place *place)
{
    pthread_mutex_lock(&table->lock);
    uint32_t *last = make_key(table, method)
                         ? find_or_add(table, &table->methods, builder_text(&table->key))
                         : NULL;
    if (last && !is_known(table, *last, place)) {
        struct lock_fields_place added = *place;
        added.next = *last;
        if (vector_push(&table->places, added))
            *last = (uint32_t)table->places.count;
    }
    pthread_mutex_unlock(&table->lock);
}

/* Of all places of a method: that number is the last. */
static uint32_t field_at(const struct lock_fields *table, uint32_t number, uint32_t offset)
{
    uint32_t found = 0;
    for (; number; number = table->places.items[number - 1].next) {
        const struct lock_fields_place *place = &table->places.items[number - 1];
        if (offset < place->start || offset >= place->end)
            continue;
        if (found && found != place->accessed)
            return 0;
        found = place->accessed;
    }
    return found;
}

uint32_t lock_fields_find(struct lock_fields *table, const struct lock_fields_method *method,
                          uint32_t offset)
{
    uint32_t last = 0, found = 0;
    pthread_mutex_lock(&table->lock);
    if (make_key(table, method) && textmap_get(&table->methods, builder_text(&table->key), &last))
        found = field_at(table, last, offset);
    pthread_mutex_unlock(&table->lock);
    return found;
}

/* ---- what a class has ---- */

enum { VIEWS_MAX = 2 }; /* of views: stamped.asReadWriteLock().readLock() */

/* For want of memory it may be left out. */
static void note(struct instrument_method *method, uint32_t instruction, const struct origin *lock)
{
    struct instrument_class *owner = method->owner;
    if (lock->kind != ORIGIN_FIELD && lock->kind != ORIGIN_STATIC)
        return;
    const struct member_reference field =
        class_member_reference(owner->editor->class_file, lock->constant);
    const struct accessed accessed = {lock->kind == ORIGIN_STATIC ? ACCESSED_STATIC
                                                                  : ACCESSED_FIELD,
                                      field.owner, field.name, field.descriptor};
    const struct lock_fields_note noted = {instruction,
                                           sites_accessed(owner->instrument->sites, &accessed)};
    if (noted.accessed)
        (void)vector_push(&owner->lock_notes, noted);
}

void lock_fields_note_monitor(struct instrument_method *method, uint32_t instruction)
{
    const struct origin lock = origins_operand(&method->origins, instruction, 0);
    if (method->owner->instrument->lock_fields)
        note(method, instruction, &lock);
}

/* Whether nobody else has what is stored. */
static bool is_made(const struct instrument_method *method, const struct origin *value)
{
    if (value->kind == ORIGIN_NEW)
        return true;
    if (value->kind != ORIGIN_RESULT)
        return false;
    const struct instruction *call = &method->edit->bytecode.instructions[value->instruction];
    if (call->opcode == OP_INVOKEDYNAMIC)
        return false;
    const struct member_reference callee =
        class_member_reference(method->owner->editor->class_file, call->operand);
    return text_starts_with(callee.owner, TEXT("java/"));
}

void lock_fields_note_store(struct instrument_method *method, uint32_t instruction)
{
    struct instrument_class *owner = method->owner;
    const struct member_reference field = class_member_reference(
        owner->editor->class_file, method->edit->bytecode.instructions[instruction].operand);
    if (!owner->instrument->lock_fields ||
        (field.descriptor.bytes[0] != 'L' && field.descriptor.bytes[0] != '['))
        return;
    const struct origin value = origins_operand(&method->origins, instruction, 0);
    if (value.kind != ORIGIN_NULL)
        lock_fields_add_store(owner->instrument->lock_fields, field.owner, field.name,
                              !text_equal(field.owner, owner->name) || !is_made(method, &value));
}

static bool is_lock(const struct member_reference *callee)
{
    return text_starts_with(callee->owner, TEXT(LOCK_FIELDS_PACKAGE)) &&
           text_ends_with(callee->owner, TEXT("Lock"));
}

static struct origin receiver_of(const struct instrument_method *method, uint32_t instruction,
                                 const struct member_reference *callee)
{
    return origins_operand(&method->origins, instruction,
                           descriptor_parameter_slots(callee->descriptor));
}

void lock_fields_note_call(struct instrument_method *method, uint32_t instruction,
                           const struct member_reference *callee)
{
    if (!method->owner->instrument->lock_fields || !is_lock(callee))
        return;
    struct origin lock = receiver_of(method, instruction, callee);
    for (unsigned i = 0; i < VIEWS_MAX && lock.kind == ORIGIN_RESULT; i++) {
        const struct instruction *view = &method->edit->bytecode.instructions[lock.instruction];
        if (view->opcode != OP_INVOKEVIRTUAL && view->opcode != OP_INVOKEINTERFACE)
            return;
        const struct member_reference viewed =
            class_member_reference(method->owner->editor->class_file, view->operand);
        if (!is_lock(&viewed))
            return;
        lock = receiver_of(method, lock.instruction, &viewed);
    }
    note(method, instruction, &lock);
}

void lock_fields_place(struct instrument_class *owner, const struct method_editor *edit)
{
    const struct class_file *class_file = owner->editor->class_file;
    struct lock_fields_placed placed = {.method = {owner->name,
                                                   class_utf8(class_file, edit->method->name),
                                                   class_utf8(class_file, edit->method->descriptor),
                                                   member_code(edit->method)->length}};
    for (size_t i = 0; i < owner->lock_notes.count; i++) {
        const struct lock_fields_note *noted = &owner->lock_notes.items[i];
        placed.place =
            (struct lock_fields_place){.start = method_editor_start(edit, noted->instruction),
                                       .end = method_editor_end(edit, noted->instruction),
                                       .accessed = noted->accessed};
        (void)vector_push(&owner->lock_places, placed);
    }
}

void lock_fields_finish(struct instrument_class *owner)
{
    for (size_t i = 0; i < owner->lock_places.count; i++) {
        const struct lock_fields_placed *placed = &owner->lock_places.items[i];
        lock_fields_add(owner->instrument->lock_fields, &placed->method, &placed->place);
    }
}
