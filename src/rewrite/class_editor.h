/*
 * class_editor: a class model that grows: constants, fields, methods, attributes.
 *
 * Existing constants keep their indices; new ones go to the end, and an equal one is never added
 * twice. Everything that is added, texts too, is copied to the class's arena. A constant that does
 * not fit (the pool holds 65,534 of them, a Utf8 65,535 bytes) sets `pool_full`, which sticks: from
 * then on every constant is 0 and the pool is as it was before the call that failed. Whoever has
 * edited a class and then changes his mind writes the original bytes.
 */
#ifndef TURNSTILE_REWRITE_CLASS_EDITOR_H
#define TURNSTILE_REWRITE_CLASS_EDITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intmap.h"
#include "base/text.h"
#include "base/textmap.h"
#include "base/vector.h"
#include "classfile/class_file.h"

struct code_image;

struct class_editor {
    struct class_file *class_file;
    /* For plan.c. The snippet that an image was last made of, by its version, and an image that
       lives as long as the class: of a snippet that several methods use as it is. */
    uint64_t last_version;
    const struct code_image *shared_image;
    struct textmap utf8s; /* Utf8 text -> index */
    struct intmap others; /* tag and content -> index */
    uint32_t constant_capacity;
    uint32_t field_capacity;
    uint32_t method_capacity;
    bool indexed;   /* the two maps hold the pool (built at the first question for a constant) */
    bool pool_full; /* some constant did not fit: the class must stay as it was */
    bool out_of_memory;
};

void class_editor_init(struct class_editor *editor, struct class_file *class_file);
void class_editor_release(struct class_editor *editor);

static inline bool class_editor_failed(const struct class_editor *editor)
{
    return editor->pool_full || editor->out_of_memory;
}

/* The index of a constant, found or added; 0 when the pool is full or memory ran out. */
uint16_t class_editor_utf8(struct class_editor *editor, struct text text);
uint16_t class_editor_integer(struct class_editor *editor, int32_t value);
uint16_t class_editor_float(struct class_editor *editor, float value);
uint16_t class_editor_long(struct class_editor *editor, int64_t value);
uint16_t class_editor_double(struct class_editor *editor, double value);
uint16_t class_editor_class(struct class_editor *editor, struct text internal_name);
uint16_t class_editor_string(struct class_editor *editor, struct text modified_utf8);
uint16_t class_editor_name_and_type(struct class_editor *editor, struct text name,
                                    struct text descriptor);
/* tag: CONSTANT_FIELD, CONSTANT_METHOD or CONSTANT_INTERFACE_METHOD. */
uint16_t class_editor_member(struct class_editor *editor, enum constant_tag tag, struct text owner,
                             struct text name, struct text descriptor);
uint16_t class_editor_method_type(struct class_editor *editor, struct text descriptor);
/* `member` is the index of a field, method or interface method constant. */
uint16_t class_editor_method_handle(struct class_editor *editor, enum reference_kind kind,
                                    uint16_t member);
/* Adds to BootstrapMethods too (an equal entry is used again).
   tag: CONSTANT_DYNAMIC or CONSTANT_INVOKE_DYNAMIC. */
uint16_t class_editor_dynamic(struct class_editor *editor, enum constant_tag tag,
                              uint16_t method_handle, const uint16_t *arguments,
                              uint16_t argument_count, struct text name, struct text descriptor);

/* A new field or method, without attributes; NULL if there is no room for one more or no memory.
   Pointers to other fields (methods) of the class are invalid after that. The caller sees to it
   that the name is free. */
struct member *class_editor_add_field(struct class_editor *editor, uint16_t access,
                                      struct text name, struct text descriptor);
struct member *class_editor_add_method(struct class_editor *editor, uint16_t access,
                                       struct text name, struct text descriptor);

/* Adds an attribute of that kind (not ATTRIBUTE_UNKNOWN) at the end of the list; its content is
   zero. NULL when it does not fit or memory ran out. Pointers into the list are invalid then. */
struct attribute *class_editor_add_attribute(struct class_editor *editor,
                                             struct attributes *attributes,
                                             enum attribute_kind kind);

#endif
