#include "classfile/written_type.h"

#include "classfile/descriptor.h"
#include "classfile/names.h"

static const struct {
    char descriptor;
    const char *name;
} primitives[] = {{'B', "byte"}, {'C', "char"},  {'D', "double"},  {'F', "float"}, {'I', "int"},
                  {'J', "long"}, {'S', "short"}, {'Z', "boolean"}, {'V', "void"}};

static const char *primitive_name(char descriptor)
{
    for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++)
        if (primitives[i].descriptor == descriptor)
            return primitives[i].name;
    return "";
}

bool written_type_is_primitive(struct text name)
{
    for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++)
        if (text_is(name, primitives[i].name))
            return true;
    return false;
}

bool written_type_may_be(struct text name, uint32_t dimensions, struct text descriptor)
{
    uint32_t depth = 0;
    while (depth < descriptor.length && descriptor.bytes[depth] == '[')
        depth++;
    if (depth != dimensions || depth >= descriptor.length)
        return false;
    descriptor = text_slice(descriptor, depth, descriptor.length);
    if (descriptor.bytes[0] != 'L')
        return name.length && text_is(name, primitive_name(descriptor.bytes[0]));
    return names_may_be(text_slice(descriptor, 1, descriptor.length - 1), name);
}

/* ---- parameters ---- */

static bool cut(struct text *text, struct text ending)
{
    if (!text_ends_with(*text, ending))
        return false;
    *text = text_trimmed(text_slice(*text, 0, text->length - ending.length));
    return true;
}

/* Behind the type parameters, <T:Ljava/lang/Object;>, and the parenthesis; 0 if there is none. */
static size_t first_parameter(struct text signature)
{
    size_t position = 0, open = 0;
    for (; position < signature.length; position++) {
        const char byte = signature.bytes[position];
        open += byte == '<';
        open -= byte == '>' && open;
        if (byte == '(' && !open)
            return position + 1;
    }
    return 0;
}

/* The next parameter's type in the signature; empty where it ends or is none. */
static struct text next_in_signature(struct text signature, size_t *position)
{
    size_t end = *position, open = 0;
    while (end < signature.length && signature.bytes[end] == '[')
        end++;
    if (end >= signature.length || signature.bytes[end] == ')')
        return TEXT("");
    if (signature.bytes[end] == 'L' || signature.bytes[end] == 'T')
        while (end < signature.length && (signature.bytes[end] != ';' || open)) {
            open += signature.bytes[end] == '<';
            open -= signature.bytes[end] == '>' && open;
            end++;
        }
    const struct text type = text_slice(signature, *position, end + 1);
    *position = end + 1;
    return type;
}

/* [[TNAME; */
static bool is_variable(struct text type, struct text name, uint32_t dimensions)
{
    for (uint32_t i = 0; i < dimensions; i++) {
        if (!type.length || type.bytes[0] != '[')
            return false;
        type = text_slice(type, 1, type.length);
    }
    return type.length > 2 && type.bytes[0] == 'T' &&
           text_equal(text_slice(type, 1, type.length - 1), name);
}

static bool parameter_may_be(struct text written, struct text descriptor, struct text generic)
{
    uint32_t dimensions = 0;
    written = text_trimmed(written);
    while (cut(&written, TEXT("[]")) || cut(&written, TEXT("...")))
        dimensions++;
    return text_is(written, "_") || written_type_may_be(written, dimensions, descriptor) ||
           is_variable(generic, written, dimensions);
}

bool written_types_may_be(struct text types, struct text descriptor, struct text signature)
{
    types = text_trimmed(types);
    if (text_is(types, "*"))
        return true;
    size_t position = 1, generic_position = first_parameter(signature);
    struct text parameter;
    bool more = types.length > 0;
    while (descriptor_next_parameter(descriptor, &position, &parameter)) {
        const struct text generic =
            generic_position ? next_in_signature(signature, &generic_position) : TEXT("");
        const ptrdiff_t comma = text_find(types, ',');
        const size_t end = comma < 0 ? types.length : (size_t)comma;
        if (!more || !parameter_may_be(text_slice(types, 0, end), parameter, generic))
            return false;
        more = comma >= 0;
        types = text_slice(types, end + 1, types.length);
    }
    return !more;
}
