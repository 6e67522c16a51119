#include "bytecode/dump.h"

#include "bytecode/dump_internal.h"
#include "classfile/descriptor.h"

/* ---- the class ---- */

static const char *class_word(const struct class_file *class_file)
{
    const uint16_t access = class_file->access;
    if (access & ACCESS_MODULE)
        return "module ";
    if (access & ACCESS_ANNOTATION)
        return "@interface ";
    if (access & ACCESS_INTERFACE)
        return "interface ";
    if (access & ACCESS_ENUM)
        return "enum ";
    if (attributes_find(&class_file->attributes, ATTRIBUTE_RECORD))
        return "record ";
    return "class ";
}

/* Modifiers that the word itself implies are left out, as in source. */
static unsigned shown_class_flags(const struct class_file *class_file)
{
    unsigned flags = class_file->access;
    if (flags & ACCESS_INTERFACE)
        flags &= ~(unsigned)ACCESS_ABSTRACT;
    if ((flags & ACCESS_ENUM) || attributes_find(&class_file->attributes, ATTRIBUTE_RECORD))
        flags &= ~(unsigned)(ACCESS_FINAL | ACCESS_ABSTRACT);
    return flags;
}

static void dump_declaration(struct dump *dump)
{
    const struct class_file *class_file = dump->class_file;
    struct builder *builder = dump->builder;
    dump_flags(dump, shown_class_flags(class_file), FLAGS_OF_CLASS, false);
    if (attributes_find(&class_file->attributes, ATTRIBUTE_PERMITTED_SUBCLASSES))
        builder_add_string(builder, "sealed ");
    builder_add_string(builder, class_word(class_file));
    dump_java_name(dump, class_this_name(class_file));
    const bool interface = class_file->access & ACCESS_INTERFACE;
    if (class_file->super_class != 0 && !interface) {
        builder_add_string(builder, " extends ");
        dump_java_name(dump, class_name_at(class_file, class_file->super_class));
    }
    for (unsigned i = 0; i < class_file->interface_count; i++) {
        if (i > 0)
            builder_add_string(builder, ", ");
        else
            builder_add_string(builder, interface ? " extends " : " implements ");
        dump_java_name(dump, class_name_at(class_file, class_file->interfaces[i]));
    }
    builder_add_byte(builder, '\n');
}

static void dump_version(struct dump *dump)
{
    const unsigned major = dump->class_file->major, minor = dump->class_file->minor;
    dump_indent(dump, INDENT_CLASS);
    builder_add_format(dump->builder, "version %u.%u (Java %s%u%s)\n", major, minor,
                       major < 49 ? "1." : "", major - 44,
                       minor == UINT16_MAX && major >= 56 ? " preview" : "");
}

/* ---- members ---- */

static void dump_parameters(struct dump *dump, struct text descriptor, bool variable)
{
    size_t position = 1;
    struct text parameter;
    bool more = descriptor_next_parameter(descriptor, &position, &parameter);
    builder_add_byte(dump->builder, '(');
    while (more) {
        const struct text current = parameter;
        more = descriptor_next_parameter(descriptor, &position, &parameter);
        if (!more && variable && current.bytes[0] == '[') {
            dump_type(dump, text_slice(current, 1, current.length));
            builder_add_string(dump->builder, "...");
        } else {
            dump_type(dump, current);
        }
        if (more)
            builder_add_string(dump->builder, ", ");
    }
    builder_add_byte(dump->builder, ')');
}

static void dump_throws(struct dump *dump, const struct member *method)
{
    const struct attribute *attribute = attributes_find(&method->attributes, ATTRIBUTE_EXCEPTIONS);
    for (unsigned i = 0; attribute && i < attribute->as.indices->count; i++) {
        builder_add_string(dump->builder, i == 0 ? " throws " : ", ");
        dump_java_name(dump, class_name_at(dump->class_file, attribute->as.indices->items[i]));
    }
}

static void dump_method_declaration(struct dump *dump, const struct member *method)
{
    const struct class_file *class_file = dump->class_file;
    const struct text name = class_utf8(class_file, method->name);
    const struct text descriptor = class_utf8(class_file, method->descriptor);
    dump_flags(dump, method->access, FLAGS_OF_METHOD, false);
    if ((class_file->access & ACCESS_INTERFACE) && !text_is(name, "<clinit>") &&
        !(method->access & (ACCESS_ABSTRACT | ACCESS_STATIC | ACCESS_PRIVATE)))
        builder_add_string(dump->builder, "default ");
    if (text_is(name, "<clinit>")) {
        builder_add_string(dump->builder, "{}");
    } else if (text_is(name, "<init>")) {
        dump_java_name(dump, class_this_name(class_file));
        dump_parameters(dump, descriptor, method->access & ACCESS_VARARGS);
    } else {
        dump_type(dump, descriptor_return(descriptor));
        builder_add_byte(dump->builder, ' ');
        dump_name(dump, name);
        dump_parameters(dump, descriptor, method->access & ACCESS_VARARGS);
    }
    dump_throws(dump, method);
}

static void dump_descriptor_and_flags(struct dump *dump, const struct member *member,
                                      enum flag_place place)
{
    dump_indent(dump, INDENT_OF_MEMBER);
    builder_add_string(dump->builder, "descriptor ");
    dump_name(dump, class_utf8(dump->class_file, member->descriptor));
    builder_add_byte(dump->builder, '\n');
    dump_indent(dump, INDENT_OF_MEMBER);
    builder_add_string(dump->builder, "flags ");
    dump_flag_words(dump, member->access, place);
    builder_add_byte(dump->builder, '\n');
}

static void dump_field(struct dump *dump, const struct member *field)
{
    const struct text descriptor = class_utf8(dump->class_file, field->descriptor);
    builder_add_byte(dump->builder, '\n');
    dump_indent(dump, INDENT_MEMBER);
    dump_flags(dump, field->access, FLAGS_OF_FIELD, false);
    dump_type(dump, descriptor);
    builder_add_byte(dump->builder, ' ');
    dump_name(dump, class_utf8(dump->class_file, field->name));
    const struct attribute *value = attributes_find(&field->attributes, ATTRIBUTE_CONSTANT_VALUE);
    if (value) {
        builder_add_string(dump->builder, " = ");
        dump_value(dump, value->as.index, descriptor.bytes[0]);
    }
    builder_add_string(dump->builder, ";\n");
    dump_descriptor_and_flags(dump, field, FLAGS_OF_FIELD);
    dump_attributes(dump, &field->attributes, INDENT_OF_MEMBER);
}

static void dump_method(struct dump *dump, const struct member *method)
{
    builder_add_byte(dump->builder, '\n');
    dump_indent(dump, INDENT_MEMBER);
    dump_method_declaration(dump, method);
    builder_add_string(dump->builder, ";\n");
    dump_descriptor_and_flags(dump, method, FLAGS_OF_METHOD);
    dump_attributes(dump, &method->attributes, INDENT_OF_MEMBER);
    if (member_code(method))
        dump_code(dump, method);
}

void dump_class(struct builder *builder, const struct class_file *class_file,
                const struct dump_options *options, struct text path,
                struct diagnostics *diagnostics)
{
    struct dump dump = {.builder = builder,
                        .class_file = class_file,
                        .options = options,
                        .path = path,
                        .diagnostics = diagnostics};
    arena_init(&dump.arena);
    arena_init(&dump.table_arena);
    if (options->frames)
        dump.table_usable = type_table_init(&dump.table, &dump.table_arena, options->hierarchy);
    dump_declaration(&dump);
    dump_version(&dump);
    dump_indent(&dump, INDENT_CLASS);
    builder_add_string(builder, "flags ");
    dump_flag_words(&dump, class_file->access, FLAGS_OF_CLASS);
    builder_add_byte(builder, '\n');
    dump_attributes(&dump, &class_file->attributes, INDENT_CLASS);
    for (unsigned i = 0; i < class_file->field_count; i++)
        dump_field(&dump, &class_file->fields[i]);
    for (unsigned i = 0; i < class_file->method_count; i++)
        dump_method(&dump, &class_file->methods[i]);
    /* Classes come one behind another. */
    builder_add_byte(builder, '\n');
    if (options->frames)
        type_table_release(&dump.table);
    arena_release(&dump.table_arena);
    arena_release(&dump.arena);
}
