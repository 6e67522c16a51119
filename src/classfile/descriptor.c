#include "classfile/descriptor.h"

#include <string.h>

#include "classfile/byte_scan.h"
#include "classfile/names.h"

enum { MOST_DIMENSIONS = 255, MOST_PARAMETER_SLOTS = 255 };

/* The flags of a text that was not scanned. */
#define ANYTHING 0xFFu

/* Whether a part of a descriptor, in which the scan found at most this, is an internal name. */
static bool is_name(struct text name, unsigned scan)
{
    if (scan & (SCAN_DOT | SCAN_DOUBLE_SLASH))
        return names_is_internal(name);
    return name.length && name.bytes[0] != '/' && name.bytes[name.length - 1] != '/' &&
           (!(scan & SCAN_BRACKET) || !memchr(name.bytes, '[', name.length));
}

/* Behind the class name that starts at `position` and its semicolon, or 0. */
static size_t class_end(struct text descriptor, size_t position, unsigned scan)
{
    const char *start = descriptor.bytes + position;
    const char *end = memchr(start, ';', descriptor.length - position);
    if (!end || !is_name(text_of(start, (size_t)(end - start)), scan))
        return 0;
    return (size_t)(end - descriptor.bytes) + 1;
}

/* Behind the field descriptor that starts at `position`, or 0 if there is no well-formed one. */
static size_t checked_end(struct text descriptor, size_t position, unsigned scan)
{
    size_t start = position;
    while (position < descriptor.length && descriptor.bytes[position] == '[')
        position++;
    if (position - start > MOST_DIMENSIONS || position == descriptor.length)
        return 0;
    switch (descriptor.bytes[position]) {
    case 'B':
    case 'C':
    case 'D':
    case 'F':
    case 'I':
    case 'J':
    case 'S':
    case 'Z':
        return position + 1;
    case 'L':
        return class_end(descriptor, position + 1, scan);
    default:
        return 0;
    }
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

static int method_slots(struct text descriptor, unsigned scan)
{
    if (descriptor.length < 3 || descriptor.bytes[0] != '(')
        return -1;
    size_t position = 1;
    unsigned slots = 0;
    while (descriptor.bytes[position] != ')') {
        slots += slots_of(descriptor.bytes[position]);
        position = checked_end(descriptor, position, scan);
        if (!position || position == descriptor.length || slots > MOST_PARAMETER_SLOTS)
            return -1;
    }
    position++;
    if (position == descriptor.length)
        return -1;
    size_t end =
        descriptor.bytes[position] == 'V' ? position + 1 : checked_end(descriptor, position, scan);
    return end == descriptor.length ? (int)slots : -1;
}

bool descriptor_is_field(struct text descriptor)
{
    return descriptor.length && checked_end(descriptor, 0, ANYTHING) == descriptor.length;
}

bool descriptor_is_field_scanned(struct text descriptor, unsigned scan)
{
    return descriptor.length && checked_end(descriptor, 0, scan) == descriptor.length;
}

bool descriptor_is_method(struct text descriptor)
{
    return method_slots(descriptor, ANYTHING) >= 0;
}

int descriptor_method_slots_scanned(struct text descriptor, unsigned scan)
{
    return method_slots(descriptor, scan);
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
