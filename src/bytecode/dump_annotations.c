#include "bytecode/dump_internal.h"

/* Annotations inside annotations, and arrays in arrays, are followed this deep. */
enum { MOST_DEPTH = 64 };

static void dump_value_at_depth(struct dump *dump, const struct element_value *value,
                                unsigned depth);

static void dump_annotation(struct dump *dump, const struct annotation *annotation, unsigned depth)
{
    builder_add_byte(dump->builder, '@');
    dump_type(dump, class_utf8(dump->class_file, annotation->type));
    if (annotation->element_count == 0)
        return;
    builder_add_byte(dump->builder, '(');
    for (unsigned i = 0; i < annotation->element_count; i++) {
        const struct annotation_element *element = &annotation->elements[i];
        if (i > 0)
            builder_add_string(dump->builder, ", ");
        dump_name(dump, class_utf8(dump->class_file, element->name));
        builder_add_string(dump->builder, " = ");
        dump_value_at_depth(dump, &element->value, depth + 1);
    }
    builder_add_byte(dump->builder, ')');
}

static void dump_array(struct dump *dump, const struct element_value *value, unsigned depth)
{
    builder_add_byte(dump->builder, '{');
    for (unsigned i = 0; i < value->as.array.count; i++) {
        if (i > 0)
            builder_add_string(dump->builder, ", ");
        dump_value_at_depth(dump, &value->as.array.items[i], depth + 1);
    }
    builder_add_byte(dump->builder, '}');
}

static void dump_value_at_depth(struct dump *dump, const struct element_value *value,
                                unsigned depth)
{
    dump_flush(dump); /* an array of numbers is as long as the file, and has no names */
    if (depth > MOST_DEPTH) {
        builder_add_string(dump->builder, "...");
        return;
    }
    switch (value->tag) {
    case 'e':
        dump_type(dump, class_utf8(dump->class_file, value->as.enumerator.type));
        builder_add_byte(dump->builder, '.');
        dump_name(dump, class_utf8(dump->class_file, value->as.enumerator.name));
        break;
    case 'c':
        dump_type(dump, class_utf8(dump->class_file, value->as.class_index));
        builder_add_string(dump->builder, ".class");
        break;
    case '@':
        dump_annotation(dump, value->as.annotation, depth);
        break;
    case '[':
        dump_array(dump, value, depth);
        break;
    default:
        dump_value(dump, value->as.constant, (char)value->tag);
    }
}

void dump_element_value(struct dump *dump, const struct element_value *value)
{
    dump_value_at_depth(dump, value, 0);
}

static void end_line(struct dump *dump, bool visible)
{
    builder_add_string(dump->builder, visible ? "\n" : "  (not kept at run time)\n");
}

void dump_annotations(struct dump *dump, const struct annotations *annotations, bool visible,
                      unsigned indent)
{
    for (unsigned i = 0; i < annotations->count; i++) {
        dump_indent(dump, indent);
        dump_annotation(dump, &annotations->items[i], 0);
        end_line(dump, visible);
    }
}

void dump_parameter_annotations(struct dump *dump, const struct parameter_annotations *parameters,
                                bool visible, unsigned indent)
{
    for (unsigned i = 0; i < parameters->count; i++) {
        const struct annotations *annotations = &parameters->parameters[i];
        for (unsigned j = 0; j < annotations->count; j++) {
            dump_indent(dump, indent);
            builder_add_format(dump->builder, "parameter %u: ", i);
            dump_annotation(dump, &annotations->items[j], 0);
            end_line(dump, visible);
        }
    }
}

/* ---- type annotations ---- */

static void dump_local_target(struct dump *dump, const struct type_annotation *annotation)
{
    builder_add_string(dump->builder, annotation->target_type == 0x40 ? "variable" : "resource");
    for (unsigned i = 0; i < annotation->target.local.count; i++) {
        const struct local_target_range *range = &annotation->target.local.ranges[i];
        builder_add_format(dump->builder, "%s %u at %u to %u", i > 0 ? "," : "", range->index,
                           range->start, (unsigned)range->start + range->length);
    }
}

static void dump_supertype_target(struct dump *dump, uint16_t number)
{
    if (number == UINT16_MAX)
        builder_add_string(dump->builder, "superclass");
    else
        builder_add_format(dump->builder, "interface %u", number);
}

static void dump_offset_target(struct dump *dump, const struct type_annotation *annotation)
{
    static const char *const words[] = {[0x43 - 0x43] = "instanceof",
                                        [0x44 - 0x43] = "new",
                                        [0x45 - 0x43] = "constructor reference",
                                        [0x46 - 0x43] = "method reference",
                                        [0x47 - 0x43] = "cast",
                                        [0x48 - 0x43] = "constructor type argument",
                                        [0x49 - 0x43] = "method type argument",
                                        [0x4A - 0x43] = "constructor reference type argument",
                                        [0x4B - 0x43] = "method reference type argument"};
    builder_add_string(dump->builder, words[annotation->target_type - 0x43]);
    if (annotation->target_type < 0x47)
        builder_add_format(dump->builder, " at %u", annotation->target.offset);
    else
        builder_add_format(dump->builder, " %u at %u", annotation->target.argument.index,
                           annotation->target.argument.offset);
}

static void dump_target(struct dump *dump, const struct type_annotation *annotation)
{
    struct builder *builder = dump->builder;
    const uint8_t type = annotation->target_type;
    switch (type) {
    case 0x00:
    case 0x01:
        builder_add_format(builder, "type parameter %u", annotation->target.type_parameter);
        break;
    case 0x10:
        dump_supertype_target(dump, annotation->target.supertype);
        break;
    case 0x11:
    case 0x12:
        builder_add_format(builder, "bound %u of type parameter %u", annotation->target.bound.bound,
                           annotation->target.bound.parameter);
        break;
    case 0x13:
        builder_add_string(builder, "type");
        break;
    case 0x14:
        builder_add_string(builder, "return type");
        break;
    case 0x15:
        builder_add_string(builder, "receiver");
        break;
    case 0x16:
        builder_add_format(builder, "parameter %u", annotation->target.formal_parameter);
        break;
    case 0x17:
        builder_add_format(builder, "throws %u", annotation->target.throws_index);
        break;
    case 0x40:
    case 0x41:
        dump_local_target(dump, annotation);
        break;
    case 0x42:
        builder_add_format(builder, "handler %u", annotation->target.exception_index);
        break;
    default:
        if (type >= 0x43 && type <= 0x4B)
            dump_offset_target(dump, annotation);
    }
}

static void dump_path(struct dump *dump, const struct type_annotation *annotation)
{
    static const char *const words[] = {"element", "nested", "wildcard bound", "type argument"};
    for (unsigned i = 0; i < annotation->path_length; i++) {
        const struct type_path_step *step = &annotation->path[i];
        builder_add_format(dump->builder, ", %s", step->kind < 4 ? words[step->kind] : "?");
        if (step->kind == 3)
            builder_add_format(dump->builder, " %u", step->argument);
    }
}

void dump_type_annotations(struct dump *dump, const struct type_annotations *annotations,
                           bool visible, unsigned indent)
{
    for (unsigned i = 0; i < annotations->count; i++) {
        const struct type_annotation *annotation = &annotations->items[i];
        dump_indent(dump, indent);
        dump_annotation(dump, &annotation->annotation, 0);
        builder_add_string(dump->builder, " on ");
        dump_target(dump, annotation);
        dump_path(dump, annotation);
        end_line(dump, visible);
    }
}
