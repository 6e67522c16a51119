#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytecode/dump_internal.h"
#include "classfile/descriptor.h"
#include "classfile/modified_utf8.h"

void dump_indent(struct dump *dump, unsigned indent)
{
    dump_flush(dump);
    for (unsigned i = 0; i < indent; i++)
        builder_add_byte(dump->builder, ' ');
}

void dump_name(struct dump *dump, struct text name)
{
    dump_flush(dump);
    modified_utf8_add_escaped(dump->builder, name);
}

void dump_java_name(struct dump *dump, struct text internal_name)
{
    struct builder *builder = dump->builder;
    dump_flush(dump);
    const size_t start = builder->length;
    modified_utf8_add_escaped(builder, internal_name);
    if (builder->failed)
        return;
    for (size_t i = start; i < builder->length; i++) {
        if (builder->bytes[i] == '/')
            builder->bytes[i] = '.';
    }
}

/* ---- types ---- */

static const char *primitive_name(char type)
{
    switch (type) {
    case 'B':
        return "byte";
    case 'C':
        return "char";
    case 'D':
        return "double";
    case 'F':
        return "float";
    case 'I':
        return "int";
    case 'J':
        return "long";
    case 'S':
        return "short";
    case 'Z':
        return "boolean";
    case 'V':
        return "void";
    default:
        return NULL;
    }
}

void dump_type(struct dump *dump, struct text descriptor)
{
    if (!text_is(descriptor, "V") && !descriptor_is_field(descriptor)) {
        dump_name(dump, descriptor);
        return;
    }
    size_t dimensions = 0;
    while (descriptor.bytes[dimensions] == '[')
        dimensions++;
    const struct text element = text_slice(descriptor, dimensions, descriptor.length);
    const char *primitive = primitive_name(element.bytes[0]);
    if (primitive)
        builder_add_string(dump->builder, primitive);
    else
        dump_java_name(dump, text_slice(element, 1, element.length - 1));
    for (size_t i = 0; i < dimensions; i++)
        builder_add_string(dump->builder, "[]");
}

/* ---- flags ---- */

static const struct flag_word {
    uint16_t bit;
    uint8_t places; /* enum flag_place, as bits */
    bool keyword;   /* Java has it as a modifier there */
    const char *word;
} flag_words[] = {
    {ACCESS_PUBLIC, FLAGS_OF_CLASS | FLAGS_OF_INNER | FLAGS_OF_FIELD | FLAGS_OF_METHOD, true,
     "public"},
    {ACCESS_PRIVATE, FLAGS_OF_INNER | FLAGS_OF_FIELD | FLAGS_OF_METHOD, true, "private"},
    {ACCESS_PROTECTED, FLAGS_OF_INNER | FLAGS_OF_FIELD | FLAGS_OF_METHOD, true, "protected"},
    {ACCESS_ABSTRACT, FLAGS_OF_CLASS | FLAGS_OF_INNER | FLAGS_OF_METHOD, true, "abstract"},
    {ACCESS_STATIC, FLAGS_OF_INNER | FLAGS_OF_FIELD | FLAGS_OF_METHOD, true, "static"},
    {ACCESS_FINAL,
     FLAGS_OF_CLASS | FLAGS_OF_INNER | FLAGS_OF_FIELD | FLAGS_OF_METHOD | FLAGS_OF_PARAMETER, true,
     "final"},
    {ACCESS_SUPER, FLAGS_OF_CLASS, false, "super"},
    {ACCESS_SYNCHRONIZED, FLAGS_OF_METHOD, true, "synchronized"},
    {ACCESS_OPEN, FLAGS_OF_MODULE, true, "open"},
    {ACCESS_TRANSITIVE, FLAGS_OF_REQUIRES, true, "transitive"},
    {ACCESS_STATIC_PHASE, FLAGS_OF_REQUIRES, true, "static"},
    {ACCESS_VOLATILE, FLAGS_OF_FIELD, true, "volatile"},
    {ACCESS_BRIDGE, FLAGS_OF_METHOD, false, "bridge"},
    {ACCESS_TRANSIENT, FLAGS_OF_FIELD, true, "transient"},
    {ACCESS_VARARGS, FLAGS_OF_METHOD, false, "varargs"},
    {ACCESS_NATIVE, FLAGS_OF_METHOD, true, "native"},
    {ACCESS_INTERFACE, FLAGS_OF_CLASS | FLAGS_OF_INNER, false, "interface"},
    {ACCESS_STRICT, FLAGS_OF_METHOD, true, "strictfp"},
    {ACCESS_ANNOTATION, FLAGS_OF_CLASS | FLAGS_OF_INNER, false, "annotation"},
    {ACCESS_ENUM, FLAGS_OF_CLASS | FLAGS_OF_INNER | FLAGS_OF_FIELD, false, "enum"},
    {ACCESS_MODULE, FLAGS_OF_CLASS, false, "module"},
    {ACCESS_SYNTHETIC, 0xFF, false, "synthetic"},
    {ACCESS_MANDATED, FLAGS_OF_PARAMETER | FLAGS_OF_MODULE | FLAGS_OF_REQUIRES | FLAGS_OF_PACKAGE,
     false, "mandated"},
};

void dump_flags(struct dump *dump, unsigned flags, enum flag_place place, bool with_all)
{
    for (size_t i = 0; i < sizeof flag_words / sizeof *flag_words; i++) {
        const struct flag_word *word = &flag_words[i];
        if ((flags & word->bit) && (word->places & place) && (word->keyword || with_all)) {
            builder_add_string(dump->builder, word->word);
            builder_add_byte(dump->builder, ' ');
        }
    }
}

void dump_flag_words(struct dump *dump, unsigned flags, enum flag_place place)
{
    dump_flags(dump, flags, place, true);
    builder_add_format(dump->builder, "(0x%04x)", flags);
}

/* ---- constants ---- */

void dump_name_and_type(struct dump *dump, uint16_t index)
{
    const struct constant *constant = &dump->class_file->constants[index];
    dump_name(dump, class_utf8(dump->class_file, constant->first));
    builder_add_byte(dump->builder, ':');
    dump_name(dump, class_utf8(dump->class_file, constant->second));
}

void dump_reference(struct dump *dump, uint16_t index)
{
    const struct constant *constant = &dump->class_file->constants[index];
    dump_name(dump, class_name_at(dump->class_file, constant->first));
    builder_add_byte(dump->builder, '.');
    dump_name_and_type(dump, constant->second);
}

static void dump_string(struct dump *dump, struct text text)
{
    builder_add_byte(dump->builder, '"');
    dump_name(dump, text);
    builder_add_byte(dump->builder, '"');
}

/* The shortest digits that mean this number, always with a point or exponent. */
static void dump_floating(struct dump *dump, double value, bool single)
{
    if (value != value) {
        builder_add_string(dump->builder, single ? "NaNf" : "NaN");
        return;
    }
    char digits[40];
    const int most = single ? 9 : 17;
    /* So many digits are always meant, except by the numbers next to zero. */
    const double least = single ? FLT_MIN : DBL_MIN;
    const int sure = value > -least && value < least ? 1 : single ? FLT_DIG : DBL_DIG;
    for (int precision = sure; precision <= most; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (single ? strtof(digits, NULL) == (float)value : strtod(digits, NULL) == value)
            break;
    }
    if (strstr(digits, "inf"))
        snprintf(digits, sizeof digits, "%sInfinity", value < 0 ? "-" : "");
    else if (!strpbrk(digits, ".e"))
        strcat(digits, ".0");
    builder_add_string(dump->builder, digits);
    if (single)
        builder_add_byte(dump->builder, 'f');
}

static void dump_number(struct dump *dump, const struct constant *constant)
{
    const uint64_t bits = constant->value.bits;
    const uint32_t low = (uint32_t)bits;
    float single;
    double value;
    switch (constant->tag) {
    case CONSTANT_INTEGER:
        builder_add_format(dump->builder, "%" PRId32, (int32_t)low);
        break;
    case CONSTANT_LONG:
        builder_add_format(dump->builder, "%" PRId64 "L", (int64_t)bits);
        break;
    case CONSTANT_FLOAT:
        memcpy(&single, &low, sizeof single);
        dump_floating(dump, (double)single, true);
        break;
    default:
        memcpy(&value, &bits, sizeof value);
        dump_floating(dump, value, false);
    }
}

static const char *const reference_kinds[] = {
    [REFERENCE_GET_FIELD] = "getfield",
    [REFERENCE_GET_STATIC] = "getstatic",
    [REFERENCE_PUT_FIELD] = "putfield",
    [REFERENCE_PUT_STATIC] = "putstatic",
    [REFERENCE_INVOKE_VIRTUAL] = "invokevirtual",
    [REFERENCE_INVOKE_STATIC] = "invokestatic",
    [REFERENCE_INVOKE_SPECIAL] = "invokespecial",
    [REFERENCE_NEW_INVOKE_SPECIAL] = "newinvokespecial",
    [REFERENCE_INVOKE_INTERFACE] = "invokeinterface",
};

static void dump_handle(struct dump *dump, const struct constant *constant)
{
    const unsigned kind = constant->reference_kind;
    const bool known = kind >= REFERENCE_GET_FIELD && kind <= REFERENCE_INVOKE_INTERFACE;
    builder_add_format(dump->builder, "method handle %s ", known ? reference_kinds[kind] : "?");
    dump_reference(dump, constant->first);
}

static void dump_kind_and_name(struct dump *dump, const char *kind, uint16_t index)
{
    builder_add_string(dump->builder, kind);
    dump_name(dump, class_name_at(dump->class_file, index));
}

void dump_constant(struct dump *dump, uint16_t index)
{
    const struct constant *constant = &dump->class_file->constants[index];
    switch (constant->tag) {
    case CONSTANT_UTF8:
        dump_string(dump, class_utf8(dump->class_file, index));
        break;
    case CONSTANT_STRING:
        dump_string(dump, class_name_at(dump->class_file, index));
        break;
    case CONSTANT_INTEGER:
    case CONSTANT_FLOAT:
    case CONSTANT_LONG:
    case CONSTANT_DOUBLE:
        dump_number(dump, constant);
        break;
    case CONSTANT_CLASS:
        dump_kind_and_name(dump, "class ", index);
        break;
    case CONSTANT_METHOD_TYPE:
        dump_kind_and_name(dump, "method type ", index);
        break;
    case CONSTANT_MODULE:
        dump_kind_and_name(dump, "module ", index);
        break;
    case CONSTANT_PACKAGE:
        dump_kind_and_name(dump, "package ", index);
        break;
    case CONSTANT_FIELD:
    case CONSTANT_METHOD:
    case CONSTANT_INTERFACE_METHOD:
        dump_reference(dump, index);
        break;
    case CONSTANT_NAME_AND_TYPE:
        dump_name_and_type(dump, index);
        break;
    case CONSTANT_METHOD_HANDLE:
        dump_handle(dump, constant);
        break;
    case CONSTANT_DYNAMIC:
    case CONSTANT_INVOKE_DYNAMIC:
        /* Its arguments stand with the bootstrap method: following them here could go in circles.
         */
        if (constant->tag == CONSTANT_DYNAMIC)
            builder_add_string(dump->builder, "dynamic ");
        dump_name_and_type(dump, constant->second);
        builder_add_format(dump->builder, " bootstrap %u", constant->first);
        break;
    default:
        builder_add_string(dump->builder, "?");
    }
}

static void dump_character(struct dump *dump, uint32_t unit)
{
    char bytes[3];
    size_t length = 0;
    /* The escaper takes modified UTF-8, in which a zero has two bytes. */
    if (unit > 0 && unit < 0x80) {
        bytes[length++] = (char)unit;
    } else if (unit < 0x800) {
        bytes[length++] = (char)(0xC0 | unit >> 6);
        bytes[length++] = (char)(0x80 | (unit & 0x3F));
    } else {
        bytes[length++] = (char)(0xE0 | (unit >> 12 & 0xF));
        bytes[length++] = (char)(0x80 | (unit >> 6 & 0x3F));
        bytes[length++] = (char)(0x80 | (unit & 0x3F));
    }
    builder_add_byte(dump->builder, '\'');
    dump_name(dump, text_of(bytes, length));
    builder_add_byte(dump->builder, '\'');
}

void dump_value(struct dump *dump, uint16_t index, char type)
{
    const struct constant *constant = &dump->class_file->constants[index];
    const uint32_t number = (uint32_t)constant->value.bits;
    if (type == 'Z' && constant->tag == CONSTANT_INTEGER && number <= 1)
        builder_add_string(dump->builder, number ? "true" : "false");
    else if (type == 'C' && constant->tag == CONSTANT_INTEGER && number <= UINT16_MAX)
        dump_character(dump, number);
    else
        dump_constant(dump, index);
}

void dump_lines(struct dump *dump, const uint8_t *bytes, size_t size, unsigned indent)
{
    bool start = true;
    for (size_t i = 0; i < size; i++) {
        dump_flush(dump); /* a line may be as long as the file */
        if (start)
            dump_indent(dump, indent);
        start = bytes[i] == '\n';
        if (start || (bytes[i] >= ' ' && bytes[i] < 0x7F))
            builder_add_byte(dump->builder, (char)bytes[i]);
        else
            builder_add_format(dump->builder, "\\x%02x", bytes[i]);
    }
    if (!start)
        builder_add_byte(dump->builder, '\n');
}
