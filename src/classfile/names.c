#include "classfile/names.h"

#include <stdint.h>

#include "classfile/descriptor.h"

enum { FORBIDDEN = 1, SLASH = 2, ANGLE = 4 };

static const uint8_t byte_kind[256] = {
    ['.'] = FORBIDDEN, [';'] = FORBIDDEN, ['['] = FORBIDDEN,
    ['/'] = SLASH,     ['<'] = ANGLE,     ['>'] = ANGLE,
};

static bool has_none(struct text name, unsigned kinds)
{
    if (!name.length)
        return false;
    unsigned found = 0;
    for (size_t i = 0; i < name.length; i++)
        found |= byte_kind[(unsigned char)name.bytes[i]];
    return !(found & kinds);
}

bool names_is_internal(struct text name)
{
    size_t part = 0; /* where the unqualified name that is being read begins */
    for (size_t i = 0; i < name.length; i++) {
        unsigned kind = byte_kind[(unsigned char)name.bytes[i]] & (FORBIDDEN | SLASH);
        if (!kind)
            continue;
        if (kind == FORBIDDEN || i == part)
            return false;
        part = i + 1;
    }
    return part < name.length;
}

bool names_is_class(struct text name)
{
    if (name.length && name.bytes[0] == '[')
        return descriptor_is_field(name);
    return names_is_internal(name);
}

bool names_is_field(struct text name)
{
    return has_none(name, FORBIDDEN | SLASH);
}

bool names_is_method(struct text name)
{
    if (name.length && name.bytes[0] == '<')
        return text_equal(name, TEXT("<init>")) || text_equal(name, TEXT("<clinit>"));
    return has_none(name, FORBIDDEN | SLASH | ANGLE);
}

void names_add_dotted(struct builder *builder, struct text internal_name)
{
    for (size_t i = 0; i < internal_name.length; i++)
        builder_add_byte(builder, internal_name.bytes[i] == '/' ? '.' : internal_name.bytes[i]);
}

struct text names_dotted(struct arena *arena, struct text internal_name)
{
    const struct text copy = text_copy(arena, internal_name);
    char *bytes = (char *)(uintptr_t)copy.bytes; /* nobody else has seen it yet */
    for (size_t i = 0; i < copy.length; i++)
        if (bytes[i] == '/')
            bytes[i] = '.';
    return copy;
}

static bool is_separator(char byte)
{
    return byte == '/' || byte == '$' || byte == '.';
}

bool names_may_be(struct text internal_name, struct text written)
{
    if (!written.length || written.length > internal_name.length)
        return false;
    size_t start = internal_name.length - written.length;
    for (size_t i = 0; i < written.length; i++) {
        char a = internal_name.bytes[start + i], b = written.bytes[i];
        if (a != b && !(is_separator(a) && is_separator(b)))
            return false;
    }
    if (start == 0 || is_separator(internal_name.bytes[start - 1]))
        return true;
    /* A local class: "A$1Local". */
    while (start > 0 && internal_name.bytes[start - 1] >= '0' &&
           internal_name.bytes[start - 1] <= '9')
        start--;
    return start > 0 && internal_name.bytes[start - 1] == '$';
}
