#include "classfile/descriptor.h"

#include <string.h>

#include "classfile/byte_scan.h"
#include "classfile/names.h"

enum { MOST_DIMENSIONS = 255, MOST_PARAMETER_SLOTS = 255 };

/* What may stand where the descriptor of a value begins: its slots, or one of these. */
enum { OBJECT = 3, ARRAY = 4 };

static const uint8_t types[256] = {
    ['B'] = 1, ['C'] = 1, ['F'] = 1, ['I'] = 1,      ['S'] = 1,
    ['Z'] = 1, ['D'] = 2, ['J'] = 2, ['L'] = OBJECT, ['['] = ARRAY,
};

static unsigned type_at(struct text descriptor, size_t position)
{
    return types[(unsigned char)descriptor.bytes[position]];
}

/* Behind the class name that starts at `position` and its semicolon, or 0. */
static size_t class_end(struct text descriptor, size_t position, size_t readable)
{
    const char *start = descriptor.bytes + position;
    size_t left = descriptor.length - position;
    size_t length = byte_scan_name_before_semicolon(start, left, readable - position);
    if (length)
        return position + length + 1;
    const char *end = memchr(start, ';', left);
    if (!end || !names_is_internal(text_of(start, (size_t)(end - start))))
        return 0;
    return (size_t)(end - descriptor.bytes) + 1;
}

/* Behind the field descriptor that starts at `position`, or 0 if there is no well-formed one. */
static size_t checked_end(struct text descriptor, size_t position, size_t readable)
{
    size_t start = position;
    while (position < descriptor.length && descriptor.bytes[position] == '[')
        position++;
    if (position - start > MOST_DIMENSIONS || position == descriptor.length)
        return 0;
    if (descriptor.bytes[position] == 'L')
        return class_end(descriptor, position + 1, readable);
    return type_at(descriptor, position) ? position + 1 : 0;
}

/* The same for a descriptor that is known to be well-formed. */
static size_t known_end(struct text descriptor, size_t position)
{
    while (descriptor.bytes[position] == '[')
        position++;
    if (descriptor.bytes[position] != 'L')
        return position + 1;
    struct text rest = text_slice(descriptor, position, descriptor.length);
    return position + (size_t)text_find(rest, ';') + 1;
}

static unsigned slots_of(char first)
{
    return first == 'J' || first == 'D' ? 2 : first == 'V' ? 0 : 1;
}

bool descriptor_is_field_inside(struct text descriptor, size_t readable)
{
    return descriptor.length && checked_end(descriptor, 0, readable) == descriptor.length;
}

bool descriptor_is_field(struct text descriptor)
{
    return descriptor_is_field_inside(descriptor, descriptor.length);
}

/* Behind the parameter that starts at `position`, or 0. Adds its slots. */
static inline size_t parameter_end(struct text descriptor, size_t position, size_t readable,
                                   unsigned *slots)
{
    unsigned type = type_at(descriptor, position);
    *slots += type < OBJECT ? type : 1;
    if (type == OBJECT)
        return class_end(descriptor, position + 1, readable);
    if (type == ARRAY)
        return checked_end(descriptor, position, readable);
    return type ? position + 1 : 0;
}

int descriptor_method_slots_inside(struct text descriptor, size_t readable)
{
    if (descriptor.length < 3 || descriptor.bytes[0] != '(')
        return -1;
    size_t position = 1;
    unsigned slots = 0;
    while (descriptor.bytes[position] != ')') {
        position = parameter_end(descriptor, position, readable, &slots);
        if (!position || position == descriptor.length || slots > MOST_PARAMETER_SLOTS)
            return -1;
    }
    position++;
    if (position == descriptor.length)
        return -1;
    size_t end = descriptor.bytes[position] == 'V' ? position + 1
                                                   : checked_end(descriptor, position, readable);
    return end == descriptor.length ? (int)slots : -1;
}

bool descriptor_is_method(struct text descriptor)
{
    return descriptor_method_slots_inside(descriptor, descriptor.length) >= 0;
}

bool descriptor_next_parameter(struct text descriptor, size_t *position, struct text *parameter)
{
    if (descriptor.bytes[*position] == ')')
        return false;
    size_t end = known_end(descriptor, *position);
    *parameter = text_slice(descriptor, *position, end);
    *position = end;
    return true;
}

struct text descriptor_return(struct text method_descriptor)
{
    /* Not the last parenthesis: a class name may contain one. */
    size_t position = 1;
    struct text parameter;
    while (descriptor_next_parameter(method_descriptor, &position, &parameter))
        continue;
    return text_slice(method_descriptor, position + 1, method_descriptor.length);
}

unsigned descriptor_slots(struct text field_descriptor)
{
    return slots_of(field_descriptor.bytes[0]);
}

unsigned descriptor_parameter_slots(struct text method_descriptor)
{
    unsigned slots = 0;
    size_t position = 1;
    struct text parameter;
    while (descriptor_next_parameter(method_descriptor, &position, &parameter))
        slots += descriptor_slots(parameter);
    return slots;
}
