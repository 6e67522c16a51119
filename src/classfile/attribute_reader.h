/*
 * attribute_reader: reads attributes, each by the function of its form in attributes.def.
 *
 * Internal to the class reader. The functions live in attribute_reader.c, code_reader.c,
 * annotation_reader.c and module_reader.c.
 */
#ifndef TURNSTILE_CLASSFILE_ATTRIBUTE_READER_H
#define TURNSTILE_CLASSFILE_ATTRIBUTE_READER_H

#include "base/reader.h"
#include "classfile/class_file.h"
#include "classfile/class_parse.h"

enum attribute_place {
    IN_CLASS = 1,
    IN_MODULE = 2,
    IN_FIELD = 4,
    IN_METHOD = 8,
    IN_CODE = 16,
    IN_COMPONENT = 32
};

/* What the attributes belong to. */
struct attribute_owner {
    enum attribute_place place;
    uint16_t access;         /* field, method: its flags, as the JVM sees them */
    uint16_t descriptor;     /* field, method */
    const struct code *code; /* code: what stands before its attributes */
};

/* The count and that many attributes. */
void attribute_read_all(struct class_parse *parse, struct reader *reader,
                        const struct attribute_owner *owner, struct attributes *attributes);

/* attribute_read_FORM: the reader holds exactly the content. What is left over is an error that the
   caller reports. */
#define ATTRIBUTE(kind, name, form, places, since)                                                 \
    void attribute_read_##form(struct class_parse *parse, struct reader *reader,                   \
                               const struct attribute_owner *owner, struct attribute *attribute);
#include "classfile/attributes.def"
#undef ATTRIBUTE

/* A count and that many constants of one kind. */
void attribute_read_indices(struct class_parse *parse, struct reader *reader, uint32_t tags,
                            const char *what, struct index_list *list);

#endif
