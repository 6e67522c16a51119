#include <string.h>

#include "base/memory.h"
#include "bytecode/frames.h"
#include "classfile/descriptor.h"

enum { FIRST_CAPACITY = 32, NAME_LIMIT = 1 << 28 };

static const char object_name[] = "java/lang/Object";

bool type_table_init(struct type_table *table, struct arena *arena,
                     const struct type_hierarchy *hierarchy)
{
    *table = (struct type_table){.arena = arena, .hierarchy = hierarchy};
    textmap_init(&table->numbers);
    intmap_init(&table->joins);
    return type_table_object(table, text_from(object_name)) ==
           frame_type_make(VERIFICATION_OBJECT, 0);
}

void type_table_release(struct type_table *table)
{
    textmap_release(&table->numbers);
    intmap_release(&table->joins);
    memory_release(table->names);
    table->names = NULL;
    table->count = table->capacity = 0;
}

/* Callers see a failure in the arena, whatever it was that ran out. */
static frame_type fail(struct type_table *table)
{
    table->arena->failed = true;
    return FRAME_TOP;
}

static bool reserve(struct type_table *table)
{
    if (table->count < table->capacity)
        return true;
    if (table->count >= NAME_LIMIT)
        return false;
    uint32_t capacity = table->capacity ? table->capacity * 2 : FIRST_CAPACITY;
    struct text *names = memory_resize(table->names, capacity * sizeof *names);
    if (!names)
        return false;
    table->names = names;
    table->capacity = capacity;
    return true;
}

/* The type of a name whose bytes live long enough. */
static frame_type intern(struct type_table *table, struct text name)
{
    uint32_t number;
    if (textmap_get(&table->numbers, name, &number))
        return frame_type_make(VERIFICATION_OBJECT, number);
    if (!reserve(table) || !textmap_put(&table->numbers, name, table->count))
        return fail(table);
    table->names[table->count] = name;
    return frame_type_make(VERIFICATION_OBJECT, table->count++);
}

/* The type of a name that was put together in the arena. It stays there only if it is new: one long
   name may be what very many pairs join to. */
static frame_type intern_made(struct type_table *table, char *bytes, size_t length)
{
    const uint32_t count = table->count;
    const frame_type type = intern(table, text_of(bytes, length));
    if (table->count == count)
        arena_shrink(table->arena, bytes, 0, length);
    return type;
}

frame_type type_table_object(struct type_table *table, struct text name)
{
    uint32_t number;
    if (textmap_get(&table->numbers, name, &number))
        return frame_type_make(VERIFICATION_OBJECT, number);
    struct text copy = text_copy(table->arena, name);
    if (copy.length != name.length)
        return FRAME_TOP;
    return intern(table, copy);
}

frame_type type_table_descriptor(struct type_table *table, struct text descriptor)
{
    switch (descriptor.length ? descriptor.bytes[0] : 'V') {
    case 'Z':
    case 'B':
    case 'C':
    case 'S':
    case 'I':
        return FRAME_INTEGER;
    case 'J':
        return FRAME_LONG;
    case 'F':
        return FRAME_FLOAT;
    case 'D':
        return FRAME_DOUBLE;
    case 'L':
        return type_table_object(table, text_slice(descriptor, 1, descriptor.length - 1));
    case '[':
        return type_table_object(table, descriptor);
    default:
        return FRAME_TOP;
    }
}

/* ---- joins ---- */

/* The parts of a name: "[[Ljava/lang/String;" has 2 dimensions and the class java/lang/String. */
struct parts {
    size_t dimensions;
    bool primitive;    /* the innermost element */
    struct text class; /* if it is not primitive */
};

static struct parts take_apart(struct text name)
{
    struct parts parts = {0};
    while (parts.dimensions < name.length && name.bytes[parts.dimensions] == '[')
        parts.dimensions++;
    parts.class = name;
    if (parts.dimensions > 0) {
        parts.primitive = parts.dimensions == name.length || name.bytes[parts.dimensions] != 'L';
        parts.class = text_slice(name, parts.dimensions + 1, name.length - 1);
    }
    return parts;
}

/* The type of an array of that many dimensions of a class; of the class itself if there are none.
 */
static frame_type put_together(struct type_table *table, size_t dimensions, struct text class)
{
    if (dimensions == 0)
        return type_table_object(table, class);
    size_t length = dimensions + 1 + class.length + 1;
    char *bytes = arena_allocate(table->arena, length, 1);
    if (!bytes)
        return FRAME_TOP;
    memset(bytes, '[', dimensions);
    bytes[dimensions] = 'L';
    memcpy(bytes + dimensions + 1, class.bytes, class.length);
    bytes[length - 1] = ';';
    return intern_made(table, bytes, length);
}

static struct text common_superclass(const struct type_table *table, struct text a, struct text b)
{
    if (text_equal(a, b))
        return a;
    const struct text object = text_from(object_name);
    if (!table->hierarchy || text_equal(a, object) || text_equal(b, object))
        return object;
    return table->hierarchy->common_superclass(table->hierarchy->context, a, b);
}

/* JVMS 4.10.2.2: two arrays of the same dimensions with class elements join element by element.
   Otherwise an array counts as an Object from the innermost level on that both have: int[][] and
   String[] are both Object[], int[] and long[] are both Object. */
static frame_type join_names(struct type_table *table, struct text a, struct text b)
{
    const struct parts first = take_apart(a);
    const struct parts second = take_apart(b);
    if (first.dimensions == second.dimensions && !first.primitive && !second.primitive)
        return put_together(table, first.dimensions,
                            common_superclass(table, first.class, second.class));
    size_t dimensions = first.dimensions;
    bool primitive = first.primitive;
    if (second.dimensions < first.dimensions) {
        dimensions = second.dimensions;
        primitive = second.primitive;
    } else if (second.dimensions == first.dimensions) {
        primitive = true;
    }
    return put_together(table, primitive ? dimensions - 1 : dimensions, text_from(object_name));
}

static frame_type join_objects(struct type_table *table, frame_type a, frame_type b)
{
    const uint32_t low = frame_type_value(a < b ? a : b);
    const uint32_t high = frame_type_value(a < b ? b : a);
    if (low == 0)
        return frame_type_make(VERIFICATION_OBJECT, 0);
    const uint64_t key = (uint64_t)high << 32 | low;
    uint64_t known;
    if (intmap_get(&table->joins, key, &known))
        return (frame_type)known;
    frame_type joined = join_names(table, table->names[low], table->names[high]);
    if (joined != FRAME_TOP && !intmap_put(&table->joins, key, joined))
        return fail(table);
    return joined;
}

frame_type type_table_join(struct type_table *table, frame_type a, frame_type b)
{
    if (a == b)
        return a;
    const unsigned first = frame_type_tag(a);
    const unsigned second = frame_type_tag(b);
    if (first == VERIFICATION_OBJECT && second == VERIFICATION_OBJECT)
        return join_objects(table, a, b);
    if (first == VERIFICATION_NULL && second == VERIFICATION_OBJECT)
        return b;
    if (first == VERIFICATION_OBJECT && second == VERIFICATION_NULL)
        return a;
    return FRAME_TOP;
}

frame_type type_table_array(struct type_table *table, frame_type element)
{
    /* In the map of joins no pair has such a partner. */
    const uint64_t key = (uint64_t)UINT32_MAX << 32 | frame_type_value(element);
    uint64_t known;
    if (intmap_get(&table->joins, key, &known))
        return (frame_type)known;
    const struct text name = type_table_name(table, element);
    const bool array = name.length > 0 && name.bytes[0] == '[';
    frame_type result;
    if (array) {
        char *bytes = arena_allocate(table->arena, name.length + 1, 1);
        if (!bytes)
            return FRAME_TOP;
        bytes[0] = '[';
        memcpy(bytes + 1, name.bytes, name.length);
        result = intern_made(table, bytes, name.length + 1);
    } else {
        result = put_together(table, 1, name);
    }
    if (result != FRAME_TOP && !intmap_put(&table->joins, key, result))
        return fail(table);
    return result;
}

/* ---- printing ---- */

void type_table_print(const struct type_table *table, const struct bytecode *bytecode,
                      frame_type type, struct builder *builder)
{
    static const char *const names[] = {
        [VERIFICATION_TOP] = "top",
        [VERIFICATION_INTEGER] = "int",
        [VERIFICATION_FLOAT] = "float",
        [VERIFICATION_DOUBLE] = "double",
        [VERIFICATION_LONG] = "long",
        [VERIFICATION_NULL] = "null",
        [VERIFICATION_UNINITIALIZED_THIS] = "uninitializedThis",
    };
    const uint32_t value = frame_type_value(type);
    switch (frame_type_tag(type)) {
    case VERIFICATION_OBJECT:
        builder_add(builder, type_table_name(table, type));
        break;
    case VERIFICATION_UNINITIALIZED:
        builder_add_format(builder, "uninitialized %u", bytecode_offset(bytecode, value));
        break;
    case TYPE_RETURN_ADDRESS:
        builder_add_format(builder, "return address %u", bytecode_offset(bytecode, value));
        break;
    default:
        builder_add_string(builder, names[frame_type_tag(type)]);
        break;
    }
}
