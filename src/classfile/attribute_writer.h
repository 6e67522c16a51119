/*
 * attribute_writer: writes attributes, each by the function of its form in attributes.def.
 *
 * Internal to the class writer. The functions live in attribute_writer.c and annotation_writer.c.
 */
#ifndef TURNSTILE_CLASSFILE_ATTRIBUTE_WRITER_H
#define TURNSTILE_CLASSFILE_ATTRIBUTE_WRITER_H

#include "base/writer.h"
#include "classfile/class_file.h"

/* The count and the attributes, with the lengths that they turn out to have. */
void attribute_write_all(struct writer *writer, const struct attributes *attributes);

#define ATTRIBUTE(kind, name, form, places, since)                                                 \
    void attribute_write_##form(struct writer *writer, const struct attribute *attribute);
#include "classfile/attributes.def"
#undef ATTRIBUTE

/* A count and the indices. */
void attribute_write_indices(struct writer *writer, const uint16_t *items, uint16_t count);

#endif
