#include "rewrite/class_editor.h"

#include <string.h>

/* The highest value of constant_count: indices run from 1 to one below it. */
#define LARGEST_POOL UINT16_MAX

static const char *const attribute_names[ATTRIBUTE_KIND_COUNT] = {
#define ATTRIBUTE(kind, name, form, places, since) [ATTRIBUTE_##kind] = (name),
#include "classfile/attributes.def"
#undef ATTRIBUTE
};

void class_editor_init(struct class_editor *editor, struct class_file *class_file)
{
    memset(editor, 0, sizeof *editor);
    editor->class_file = class_file;
    editor->constant_capacity = class_file->constant_count;
    editor->field_capacity = class_file->field_count;
    editor->method_capacity = class_file->method_count;
    textmap_init(&editor->utf8s);
    intmap_init(&editor->others);
}

void class_editor_release(struct class_editor *editor)
{
    textmap_release(&editor->utf8s);
    intmap_release(&editor->others);
}

/* ---- finding constants ---- */

static bool is_wide(const struct constant *constant)
{
    return constant->tag == CONSTANT_LONG || constant->tag == CONSTANT_DOUBLE;
}

static bool has_bits(const struct constant *constant)
{
    return constant->tag >= CONSTANT_INTEGER && constant->tag <= CONSTANT_DOUBLE;
}

/* A key of the map: all of the content for short constants, a mixture of it for 64-bit numbers. */
static uint64_t key_of(const struct constant *constant)
{
    uint64_t key = (uint64_t)constant->tag << 56;
    if (is_wide(constant)) {
        uint64_t mixed = constant->value.bits * 0x9E3779B97F4A7C15u;
        return key | (mixed ^ mixed >> 32) >> 8;
    }
    if (has_bits(constant))
        return key | (constant->value.bits & UINT32_MAX);
    return key | (uint64_t)constant->reference_kind << 32 | (uint64_t)constant->first << 16 |
           constant->second;
}

static bool same_constant(const struct constant *a, const struct constant *b)
{
    if (a->tag != b->tag)
        return false;
    if (has_bits(a))
        return a->value.bits == b->value.bits;
    return a->reference_kind == b->reference_kind && a->first == b->first && a->second == b->second;
}

/* The index of an equal constant, or 0 with the key under which it would have to be put. */
static uint16_t find_other(const struct class_editor *editor, const struct constant *constant,
                           uint64_t *key)
{
    uint64_t index;
    *key = key_of(constant);
    /* Two different 64-bit numbers may share a key: the later one takes the next free key. */
    for (; intmap_get(&editor->others, *key, &index); ++*key)
        if (same_constant(&editor->class_file->constants[index], constant))
            return (uint16_t)index;
    return 0;
}

static bool index_constant(struct class_editor *editor, uint16_t index)
{
    const struct constant *constant = &editor->class_file->constants[index];
    bool added;
    uint64_t key;
    if (constant->tag == CONSTANT_UNUSABLE)
        return true;
    if (constant->tag == CONSTANT_UTF8)
        return textmap_find_or_add(&editor->utf8s, class_utf8(editor->class_file, index), index,
                                   &added);
    /* A pool may hold the same constant twice: the first is the one that is used. */
    if (find_other(editor, constant, &key))
        return true;
    return intmap_put(&editor->others, key, index);
}

/* False, with the failure noted, when nothing can be looked up or added any more. */
static bool prepare(struct class_editor *editor)
{
    if (class_editor_failed(editor))
        return false;
    if (editor->indexed)
        return true;
    for (uint32_t i = 1; i < editor->class_file->constant_count; i++)
        if (!index_constant(editor, (uint16_t)i)) {
            editor->out_of_memory = true;
            return false;
        }
    editor->indexed = true;
    return true;
}

/* ---- adding constants ---- */

static bool reserve_constants(struct class_editor *editor, uint32_t more)
{
    struct class_file *class_file = editor->class_file;
    uint32_t wanted = class_file->constant_count + more;
    if (wanted > LARGEST_POOL) {
        editor->pool_full = true;
        return false;
    }
    if (wanted <= editor->constant_capacity)
        return true;
    uint32_t capacity = wanted + wanted / 4 + 16;
    if (capacity > LARGEST_POOL)
        capacity = LARGEST_POOL;
    struct constant *grown = ARENA_ARRAY(class_file->arena, struct constant, capacity);
    if (!grown) {
        editor->out_of_memory = true;
        return false;
    }
    memcpy(grown, class_file->constants, class_file->constant_count * sizeof *grown);
    class_file->constants = grown;
    editor->constant_capacity = capacity;
    return true;
}

static uint16_t add_constant(struct class_editor *editor, const struct constant *constant)
{
    struct class_file *class_file = editor->class_file;
    uint16_t slots = is_wide(constant) ? 2 : 1;
    if (!reserve_constants(editor, slots))
        return 0;
    uint16_t index = class_file->constant_count;
    class_file->constants[index] = *constant;
    class_file->constants[index].uses = class_constant_uses(class_file, constant);
    if (slots == 2)
        class_file->constants[index + 1] = (struct constant){.tag = CONSTANT_UNUSABLE};
    if (!index_constant(editor, index)) {
        editor->out_of_memory = true;
        return 0;
    }
    class_file->constant_count = (uint16_t)(index + slots);
    return index;
}

static uint16_t other_constant(struct class_editor *editor, struct constant constant)
{
    uint64_t key;
    if (!prepare(editor))
        return 0;
    uint16_t found = find_other(editor, &constant, &key);
    return found ? found : add_constant(editor, &constant);
}

uint16_t class_editor_utf8(struct class_editor *editor, struct text text)
{
    uint32_t found;
    if (!prepare(editor))
        return 0;
    if (textmap_get(&editor->utf8s, text, &found))
        return (uint16_t)found;
    if (text.length > UINT16_MAX) {
        editor->pool_full = true;
        return 0;
    }
    struct text copy = text_copy(editor->class_file->arena, text);
    if (copy.length != text.length) {
        editor->out_of_memory = true;
        return 0;
    }
    struct constant constant = {.tag = CONSTANT_UTF8, .first = (uint16_t)text.length};
    constant.value.utf8 = copy.bytes;
    return add_constant(editor, &constant);
}

static uint16_t number_constant(struct class_editor *editor, enum constant_tag tag, uint64_t bits)
{
    struct constant constant = {.tag = (uint8_t)tag};
    constant.value.bits = bits;
    return other_constant(editor, constant);
}

uint16_t class_editor_integer(struct class_editor *editor, int32_t value)
{
    return number_constant(editor, CONSTANT_INTEGER, (uint32_t)value);
}

uint16_t class_editor_float(struct class_editor *editor, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return number_constant(editor, CONSTANT_FLOAT, bits);
}

uint16_t class_editor_long(struct class_editor *editor, int64_t value)
{
    return number_constant(editor, CONSTANT_LONG, (uint64_t)value);
}

uint16_t class_editor_double(struct class_editor *editor, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return number_constant(editor, CONSTANT_DOUBLE, bits);
}

/* Constants made of others: if a later part does not fit, the earlier ones go away again. (Their
   entries in the maps stay, but nothing is looked up in them after a failure.) */
static uint16_t finish(struct class_editor *editor, uint16_t count_before, uint16_t index)
{
    if (!index)
        editor->class_file->constant_count = count_before;
    return index;
}

static uint16_t named_constant(struct class_editor *editor, enum constant_tag tag, struct text name)
{
    uint16_t before = editor->class_file->constant_count;
    struct constant constant = {.tag = (uint8_t)tag, .first = class_editor_utf8(editor, name)};
    return finish(editor, before, constant.first ? other_constant(editor, constant) : 0);
}

uint16_t class_editor_class(struct class_editor *editor, struct text internal_name)
{
    return named_constant(editor, CONSTANT_CLASS, internal_name);
}

uint16_t class_editor_string(struct class_editor *editor, struct text modified_utf8)
{
    return named_constant(editor, CONSTANT_STRING, modified_utf8);
}

uint16_t class_editor_method_type(struct class_editor *editor, struct text descriptor)
{
    return named_constant(editor, CONSTANT_METHOD_TYPE, descriptor);
}

uint16_t class_editor_name_and_type(struct class_editor *editor, struct text name,
                                    struct text descriptor)
{
    uint16_t before = editor->class_file->constant_count;
    struct constant constant = {.tag = CONSTANT_NAME_AND_TYPE};
    constant.first = class_editor_utf8(editor, name);
    constant.second = class_editor_utf8(editor, descriptor);
    bool fits = constant.first && constant.second;
    return finish(editor, before, fits ? other_constant(editor, constant) : 0);
}

uint16_t class_editor_member(struct class_editor *editor, enum constant_tag tag, struct text owner,
                             struct text name, struct text descriptor)
{
    uint16_t before = editor->class_file->constant_count;
    struct constant constant = {.tag = (uint8_t)tag};
    constant.first = class_editor_class(editor, owner);
    constant.second = class_editor_name_and_type(editor, name, descriptor);
    bool fits = constant.first && constant.second;
    return finish(editor, before, fits ? other_constant(editor, constant) : 0);
}

uint16_t class_editor_method_handle(struct class_editor *editor, enum reference_kind kind,
                                    uint16_t member)
{
    struct constant constant = {
        .tag = CONSTANT_METHOD_HANDLE, .reference_kind = (uint8_t)kind, .first = member};
    return member ? other_constant(editor, constant) : 0;
}

/* ---- bootstrap methods ---- */

static bool same_bootstrap(const struct bootstrap_method *a, const struct bootstrap_method *b)
{
    return a->method == b->method && a->argument_count == b->argument_count &&
           (a->argument_count == 0 ||
            memcmp(a->arguments, b->arguments, a->argument_count * sizeof *a->arguments) == 0);
}

static struct bootstrap_methods *bootstrap_table(struct class_editor *editor)
{
    struct class_file *class_file = editor->class_file;
    struct attribute *attribute =
        attributes_find(&class_file->attributes, ATTRIBUTE_BOOTSTRAP_METHODS);
    if (attribute)
        return attribute->as.bootstrap_methods;
    struct bootstrap_methods *table = ARENA_NEW(class_file->arena, struct bootstrap_methods);
    if (!table) {
        editor->out_of_memory = true;
        return NULL;
    }
    attribute =
        class_editor_add_attribute(editor, &class_file->attributes, ATTRIBUTE_BOOTSTRAP_METHODS);
    if (!attribute)
        return NULL;
    attribute->as.bootstrap_methods = table;
    return table;
}

static bool append_bootstrap(struct class_editor *editor, struct bootstrap_methods *table,
                             const struct bootstrap_method *entry)
{
    struct arena *arena = editor->class_file->arena;
    if (table->count == UINT16_MAX) {
        editor->pool_full = true;
        return false;
    }
    struct bootstrap_method *items =
        ARENA_ARRAY(arena, struct bootstrap_method, (size_t)table->count + 1);
    uint16_t *arguments = arena_copy(arena, entry->arguments,
                                     entry->argument_count * sizeof *arguments, alignof(uint16_t));
    if (!items || !arguments) {
        editor->out_of_memory = true;
        return false;
    }
    if (table->count)
        memcpy(items, table->items, table->count * sizeof *items);
    items[table->count] = *entry;
    items[table->count].arguments = arguments;
    table->items = items;
    table->count++;
    return true;
}

/* The number of the entry, or -1. */
static int32_t bootstrap_number(struct class_editor *editor, const struct bootstrap_method *entry)
{
    struct bootstrap_methods *table = bootstrap_table(editor);
    if (!table)
        return -1;
    for (uint16_t i = 0; i < table->count; i++)
        if (same_bootstrap(&table->items[i], entry))
            return i;
    return append_bootstrap(editor, table, entry) ? table->count - 1 : -1;
}

uint16_t class_editor_dynamic(struct class_editor *editor, enum constant_tag tag,
                              uint16_t method_handle, const uint16_t *arguments,
                              uint16_t argument_count, struct text name, struct text descriptor)
{
    uint16_t before = editor->class_file->constant_count;
    if (!method_handle || !prepare(editor))
        return 0;
    struct constant constant = {.tag = (uint8_t)tag};
    constant.second = class_editor_name_and_type(editor, name, descriptor);
    /* Only looked at: what is added to the table gets a copy. */
    struct bootstrap_method entry = {.method = method_handle, .argument_count = argument_count};
    entry.arguments = (uint16_t *)(uintptr_t)arguments;
    int32_t number = constant.second ? bootstrap_number(editor, &entry) : -1;
    if (number < 0)
        return finish(editor, before, 0);
    constant.first = (uint16_t)number;
    return finish(editor, before, other_constant(editor, constant));
}

/* ---- members and attributes ---- */

static struct member *add_member(struct class_editor *editor, struct member **members,
                                 uint16_t *count, uint32_t *capacity, struct member member)
{
    if (class_editor_failed(editor) || *count == UINT16_MAX)
        return NULL;
    if (*count == *capacity) {
        uint32_t grown_capacity = *capacity + *capacity / 2 + 8;
        struct member *grown =
            ARENA_ARRAY(editor->class_file->arena, struct member, grown_capacity);
        if (!grown) {
            editor->out_of_memory = true;
            return NULL;
        }
        if (*count)
            memcpy(grown, *members, *count * sizeof *grown);
        *members = grown;
        *capacity = grown_capacity;
    }
    (*members)[*count] = member;
    return &(*members)[(*count)++];
}

static struct member new_member(struct class_editor *editor, uint16_t access, struct text name,
                                struct text descriptor)
{
    struct member member = {.access = access};
    member.name = class_editor_utf8(editor, name);
    member.descriptor = class_editor_utf8(editor, descriptor);
    return member;
}

struct member *class_editor_add_field(struct class_editor *editor, uint16_t access,
                                      struct text name, struct text descriptor)
{
    struct class_file *class_file = editor->class_file;
    struct member member = new_member(editor, access, name, descriptor);
    return add_member(editor, &class_file->fields, &class_file->field_count,
                      &editor->field_capacity, member);
}

struct member *class_editor_add_method(struct class_editor *editor, uint16_t access,
                                       struct text name, struct text descriptor)
{
    struct class_file *class_file = editor->class_file;
    struct member member = new_member(editor, access, name, descriptor);
    return add_member(editor, &class_file->methods, &class_file->method_count,
                      &editor->method_capacity, member);
}

struct attribute *class_editor_add_attribute(struct class_editor *editor,
                                             struct attributes *attributes,
                                             enum attribute_kind kind)
{
    uint16_t name = class_editor_utf8(editor, text_from(attribute_names[kind]));
    if (!name || attributes->count == UINT16_MAX)
        return NULL;
    struct attribute *items =
        ARENA_ARRAY(editor->class_file->arena, struct attribute, (size_t)attributes->count + 1);
    if (!items) {
        editor->out_of_memory = true;
        return NULL;
    }
    if (attributes->count)
        memcpy(items, attributes->items, attributes->count * sizeof *items);
    struct attribute *added = &items[attributes->count];
    memset(added, 0, sizeof *added);
    added->kind = kind;
    added->name_index = name;
    attributes->items = items;
    attributes->count++;
    return added;
}
