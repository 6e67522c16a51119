/* Annotations: their values, and the targets of type annotations. */

#include "classfile/attribute_writer.h"

static void write_annotation(struct writer *writer, const struct annotation *annotation);

static void write_value(struct writer *writer, const struct element_value *value)
{
    writer_u1(writer, value->tag);
    switch (value->tag) {
    case 'e':
        writer_u2(writer, value->as.enumerator.type);
        writer_u2(writer, value->as.enumerator.name);
        break;
    case 'c':
        writer_u2(writer, value->as.class_index);
        break;
    case '@':
        write_annotation(writer, value->as.annotation);
        break;
    case '[':
        writer_u2(writer, value->as.array.count);
        for (uint16_t i = 0; i < value->as.array.count; i++)
            write_value(writer, &value->as.array.items[i]);
        break;
    default:
        writer_u2(writer, value->as.constant);
        break;
    }
}

static void write_annotation(struct writer *writer, const struct annotation *annotation)
{
    writer_u2(writer, annotation->type);
    writer_u2(writer, annotation->element_count);
    for (uint16_t i = 0; i < annotation->element_count; i++) {
        writer_u2(writer, annotation->elements[i].name);
        write_value(writer, &annotation->elements[i].value);
    }
}

static void write_annotations(struct writer *writer, const struct annotations *list)
{
    writer_u2(writer, list->count);
    for (uint16_t i = 0; i < list->count; i++)
        write_annotation(writer, &list->items[i]);
}

void attribute_write_annotations(struct writer *writer, const struct attribute *attribute)
{
    write_annotations(writer, attribute->as.annotations);
}

void attribute_write_parameter_annotations(struct writer *writer, const struct attribute *attribute)
{
    const struct parameter_annotations *table = attribute->as.parameter_annotations;
    writer_u1(writer, table->count);
    for (uint8_t i = 0; i < table->count; i++)
        write_annotations(writer, &table->parameters[i]);
}

void attribute_write_element_value(struct writer *writer, const struct attribute *attribute)
{
    write_value(writer, attribute->as.default_value);
}

/* ---- type annotations ---- */

static void write_local_target(struct writer *writer, const struct type_annotation *annotation)
{
    writer_u2(writer, annotation->target.local.count);
    for (uint16_t i = 0; i < annotation->target.local.count; i++) {
        const struct local_target_range *range = &annotation->target.local.ranges[i];
        writer_u2(writer, range->start);
        writer_u2(writer, range->length);
        writer_u2(writer, range->index);
    }
}

/* The target types are named in annotation_reader.c. */
static void write_target(struct writer *writer, const struct type_annotation *annotation)
{
    switch (annotation->target_type) {
    case 0x00:
    case 0x01:
        writer_u1(writer, annotation->target.type_parameter);
        break;
    case 0x10:
        writer_u2(writer, annotation->target.supertype);
        break;
    case 0x11:
    case 0x12:
        writer_u1(writer, annotation->target.bound.parameter);
        writer_u1(writer, annotation->target.bound.bound);
        break;
    case 0x16:
        writer_u1(writer, annotation->target.formal_parameter);
        break;
    case 0x17:
        writer_u2(writer, annotation->target.throws_index);
        break;
    case 0x40:
    case 0x41:
        write_local_target(writer, annotation);
        break;
    case 0x42:
        writer_u2(writer, annotation->target.exception_index);
        break;
    case 0x43:
    case 0x44:
    case 0x45:
    case 0x46:
        writer_u2(writer, annotation->target.offset);
        break;
    case 0x47:
    case 0x48:
    case 0x49:
    case 0x4A:
    case 0x4B:
        writer_u2(writer, annotation->target.argument.offset);
        writer_u1(writer, annotation->target.argument.index);
        break;
    default: /* field, return type, receiver: nothing */
        break;
    }
}

void attribute_write_type_annotations(struct writer *writer, const struct attribute *attribute)
{
    const struct type_annotations *table = attribute->as.type_annotations;
    writer_u2(writer, table->count);
    for (uint16_t i = 0; i < table->count; i++) {
        const struct type_annotation *annotation = &table->items[i];
        writer_u1(writer, annotation->target_type);
        write_target(writer, annotation);
        writer_u1(writer, annotation->path_length);
        for (uint8_t step = 0; step < annotation->path_length; step++) {
            writer_u1(writer, annotation->path[step].kind);
            writer_u1(writer, annotation->path[step].argument);
        }
        write_annotation(writer, &annotation->annotation);
    }
}
