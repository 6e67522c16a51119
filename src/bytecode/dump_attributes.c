#include "bytecode/dump_internal.h"

static void dump_word_and_class(struct dump *dump, const char *word, uint16_t index,
                                unsigned indent)
{
    dump_indent(dump, indent);
    builder_add_string(dump->builder, word);
    dump_java_name(dump, class_name_at(dump->class_file, index));
    builder_add_byte(dump->builder, '\n');
}

static void dump_word_and_utf8(struct dump *dump, const char *word, uint16_t index, unsigned indent)
{
    dump_indent(dump, indent);
    builder_add_string(dump->builder, word);
    dump_name(dump, class_utf8(dump->class_file, index));
    builder_add_byte(dump->builder, '\n');
}

static void dump_word(struct dump *dump, const char *word, unsigned indent)
{
    dump_indent(dump, indent);
    builder_add_string(dump->builder, word);
    builder_add_byte(dump->builder, '\n');
}

static void dump_class_list(struct dump *dump, const char *word, const struct index_list *list,
                            unsigned indent)
{
    for (unsigned i = 0; i < list->count; i++)
        dump_word_and_class(dump, word, list->items[i], indent);
}

static void dump_inner_classes(struct dump *dump, const struct inner_classes *classes,
                               unsigned indent)
{
    for (unsigned i = 0; i < classes->count; i++) {
        const struct inner_class *class = &classes->items[i];
        dump_indent(dump, indent);
        builder_add_string(dump->builder, "inner class ");
        dump_java_name(dump, class_name_at(dump->class_file, class->inner));
        if (class->outer != 0) {
            builder_add_string(dump->builder, " of ");
            dump_java_name(dump, class_name_at(dump->class_file, class->outer));
        }
        if (class->name != 0) {
            builder_add_string(dump->builder, " named ");
            dump_name(dump, class_utf8(dump->class_file, class->name));
        } else {
            builder_add_string(dump->builder, " without name");
        }
        builder_add_string(dump->builder, ", ");
        dump_flag_words(dump, class->access, FLAGS_OF_INNER);
        builder_add_byte(dump->builder, '\n');
    }
}

static void dump_enclosing_method(struct dump *dump, const struct enclosing_method *enclosing,
                                  unsigned indent)
{
    dump_indent(dump, indent);
    builder_add_string(dump->builder, "enclosed by ");
    dump_java_name(dump, class_name_at(dump->class_file, enclosing->class_index));
    if (enclosing->method != 0) {
        builder_add_byte(dump->builder, '.');
        dump_name_and_type(dump, enclosing->method);
    }
    builder_add_byte(dump->builder, '\n');
}

static void dump_bootstrap_methods(struct dump *dump, const struct bootstrap_methods *methods,
                                   unsigned indent)
{
    for (unsigned i = 0; i < methods->count; i++) {
        const struct bootstrap_method *method = &methods->items[i];
        dump_indent(dump, indent);
        builder_add_format(dump->builder, "bootstrap %u: ", i);
        dump_constant(dump, method->method);
        builder_add_byte(dump->builder, '\n');
        for (unsigned j = 0; j < method->argument_count; j++) {
            dump_indent(dump, indent + INDENT_STEP);
            builder_add_format(dump->builder, "#%u  ", method->arguments[j]);
            dump_constant(dump, method->arguments[j]);
            builder_add_byte(dump->builder, '\n');
        }
    }
}

static void dump_method_parameters(struct dump *dump, const struct method_parameters *parameters,
                                   unsigned indent)
{
    for (unsigned i = 0; i < parameters->count; i++) {
        const struct method_parameter *parameter = &parameters->items[i];
        dump_indent(dump, indent);
        builder_add_format(dump->builder, "parameter %u: ", i);
        dump_flags(dump, parameter->access, FLAGS_OF_PARAMETER, true);
        if (parameter->name != 0)
            dump_name(dump, class_utf8(dump->class_file, parameter->name));
        else
            builder_add_string(dump->builder, "without name");
        builder_add_byte(dump->builder, '\n');
    }
}

static void dump_record(struct dump *dump, const struct record *record, unsigned indent)
{
    for (unsigned i = 0; i < record->count; i++) {
        const struct record_component *component = &record->items[i];
        dump_indent(dump, indent);
        builder_add_string(dump->builder, "component ");
        dump_type(dump, class_utf8(dump->class_file, component->descriptor));
        builder_add_byte(dump->builder, ' ');
        dump_name(dump, class_utf8(dump->class_file, component->name));
        builder_add_byte(dump->builder, '\n');
        dump_attributes(dump, &component->attributes, indent + INDENT_STEP);
    }
}

static void dump_resolution(struct dump *dump, uint16_t flags, unsigned indent)
{
    static const char *const words[] = {"not by default", "warn: deprecated",
                                        "warn: deprecated for removal", "warn: incubating"};
    dump_indent(dump, indent);
    builder_add_format(dump->builder, "resolution 0x%04x", flags);
    for (unsigned i = 0; i < 4; i++) {
        if (flags & 1u << i)
            builder_add_format(dump->builder, ", %s", words[i]);
    }
    builder_add_byte(dump->builder, '\n');
}

static void dump_unknown(struct dump *dump, const struct attribute *attribute, unsigned indent)
{
    enum { SHOWN = 32 };
    dump_indent(dump, indent);
    builder_add_string(dump->builder, "attribute ");
    dump_name(dump, class_utf8(dump->class_file, attribute->name_index));
    builder_add_format(dump->builder, ", %u bytes", attribute->length);
    for (uint32_t i = 0; i < attribute->length && i < SHOWN; i++)
        builder_add_format(dump->builder, "%s%02x", i == 0 ? ": " : " ", attribute->as.raw[i]);
    builder_add_string(dump->builder, attribute->length > SHOWN ? " ...\n" : "\n");
}

static void dump_default(struct dump *dump, const struct attribute *attribute, unsigned indent)
{
    dump_indent(dump, indent);
    builder_add_string(dump->builder, "default ");
    dump_element_value(dump, attribute->as.default_value);
    builder_add_byte(dump->builder, '\n');
}

/* The module attributes; false if it is another one. */
static bool dump_module_attribute(struct dump *dump, const struct attribute *attribute,
                                  unsigned indent)
{
    switch (attribute->kind) {
    case ATTRIBUTE_MODULE:
        dump_module(dump, attribute->as.module, indent);
        return true;
    case ATTRIBUTE_MODULE_PACKAGES:
        dump_class_list(dump, "package ", attribute->as.indices, indent);
        return true;
    case ATTRIBUTE_MODULE_MAIN_CLASS:
        dump_word_and_class(dump, "main class ", attribute->as.index, indent);
        return true;
    case ATTRIBUTE_MODULE_TARGET:
        dump_word_and_utf8(dump, "target platform ", attribute->as.index, indent);
        return true;
    case ATTRIBUTE_MODULE_RESOLUTION:
        dump_resolution(dump, attribute->as.index, indent);
        return true;
    case ATTRIBUTE_MODULE_HASHES:
        dump_module_hashes(dump, attribute->as.module_hashes, indent);
        return true;
    default:
        return false;
    }
}

static bool dump_annotation_attribute(struct dump *dump, const struct attribute *attribute,
                                      unsigned indent)
{
    switch (attribute->kind) {
    case ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS:
    case ATTRIBUTE_RUNTIME_INVISIBLE_ANNOTATIONS:
        dump_annotations(dump, attribute->as.annotations,
                         attribute->kind == ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS, indent);
        return true;
    case ATTRIBUTE_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS:
    case ATTRIBUTE_RUNTIME_INVISIBLE_PARAMETER_ANNOTATIONS:
        dump_parameter_annotations(
            dump, attribute->as.parameter_annotations,
            attribute->kind == ATTRIBUTE_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS, indent);
        return true;
    case ATTRIBUTE_RUNTIME_VISIBLE_TYPE_ANNOTATIONS:
    case ATTRIBUTE_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS:
        dump_type_annotations(dump, attribute->as.type_annotations,
                              attribute->kind == ATTRIBUTE_RUNTIME_VISIBLE_TYPE_ANNOTATIONS,
                              indent);
        return true;
    case ATTRIBUTE_ANNOTATION_DEFAULT:
        dump_default(dump, attribute, indent);
        return true;
    default:
        return false;
    }
}

static bool dump_class_attribute(struct dump *dump, const struct attribute *attribute,
                                 unsigned indent)
{
    switch (attribute->kind) {
    case ATTRIBUTE_SOURCE_FILE:
        dump_word_and_utf8(dump, "source ", attribute->as.index, indent);
        return true;
    case ATTRIBUTE_SOURCE_DEBUG_EXTENSION:
        dump_word(dump, "source debug extension", indent);
        dump_lines(dump, attribute->as.raw, attribute->length, indent + INDENT_STEP);
        return true;
    case ATTRIBUTE_INNER_CLASSES:
        dump_inner_classes(dump, attribute->as.inner_classes, indent);
        return true;
    case ATTRIBUTE_ENCLOSING_METHOD:
        dump_enclosing_method(dump, attribute->as.enclosing_method, indent);
        return true;
    case ATTRIBUTE_NEST_HOST:
        dump_word_and_class(dump, "nest host ", attribute->as.index, indent);
        return true;
    case ATTRIBUTE_NEST_MEMBERS:
        dump_class_list(dump, "nest member ", attribute->as.indices, indent);
        return true;
    case ATTRIBUTE_PERMITTED_SUBCLASSES:
        dump_class_list(dump, "permitted subclass ", attribute->as.indices, indent);
        return true;
    case ATTRIBUTE_RECORD:
        dump_record(dump, attribute->as.record, indent);
        return true;
    case ATTRIBUTE_BOOTSTRAP_METHODS:
        dump_bootstrap_methods(dump, attribute->as.bootstrap_methods, indent);
        return true;
    default:
        return false;
    }
}

static void dump_attribute(struct dump *dump, const struct attribute *attribute, unsigned indent)
{
    if (dump_annotation_attribute(dump, attribute, indent) ||
        dump_class_attribute(dump, attribute, indent) ||
        dump_module_attribute(dump, attribute, indent))
        return;
    switch (attribute->kind) {
    case ATTRIBUTE_UNKNOWN:
        dump_unknown(dump, attribute, indent);
        break;
    case ATTRIBUTE_SIGNATURE:
        dump_word_and_utf8(dump, "signature ", attribute->as.index, indent);
        break;
    case ATTRIBUTE_METHOD_PARAMETERS:
        dump_method_parameters(dump, attribute->as.method_parameters, indent);
        break;
    case ATTRIBUTE_SYNTHETIC:
        dump_word(dump, "synthetic", indent);
        break;
    case ATTRIBUTE_DEPRECATED:
        dump_word(dump, "deprecated", indent);
        break;
    default:
        /* ConstantValue and Exceptions stand in the declaration; Code and what belongs to it is
           dump_code's. */
        break;
    }
}

void dump_attributes(struct dump *dump, const struct attributes *attributes, unsigned indent)
{
    for (unsigned i = 0; i < attributes->count; i++)
        dump_attribute(dump, &attributes->items[i], indent);
}
