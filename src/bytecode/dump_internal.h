/*
 * dump_internal: what the parts of the dumper share.
 *
 * Names come from files that may be hostile: every byte of theirs goes through dump_name and its
 * kin, which leave nothing that a terminal would obey.
 */
#ifndef TURNSTILE_BYTECODE_DUMP_INTERNAL_H
#define TURNSTILE_BYTECODE_DUMP_INTERNAL_H

#include "base/arena.h"
#include "bytecode/decode.h"
#include "bytecode/dump.h"

struct dump {
    struct builder *builder;
    const struct class_file *class_file;
    const struct dump_options *options;
    struct text path;
    struct diagnostics *diagnostics;
    struct arena arena;       /* cleared for each method */
    struct arena table_arena; /* what `table` lives in */
    struct type_table table;
    bool table_usable;
};

/* Left margins: of the class's attributes, of members, of what belongs to a member. */
enum { INDENT_CLASS = 4, INDENT_MEMBER = 2, INDENT_OF_MEMBER = 6, INDENT_STEP = 4 };

/* Where flags stand: the same bit has different names. */
enum flag_place {
    FLAGS_OF_CLASS = 1,
    FLAGS_OF_INNER = 2,
    FLAGS_OF_FIELD = 4,
    FLAGS_OF_METHOD = 8,
    FLAGS_OF_PARAMETER = 16,
    FLAGS_OF_MODULE = 32,
    FLAGS_OF_REQUIRES = 64,
    FLAGS_OF_PACKAGE = 128 /* exports and opens */
};

/* At each line and each name: nothing else of a line is long, but a line may have very many of
 * them. */
static inline void dump_flush(struct dump *dump)
{
    if (dump->options->flush)
        dump->options->flush(dump->options->context, dump->builder);
}

/* ---- dump_text.c: names, types, constants ---- */

void dump_indent(struct dump *dump, unsigned indent);

/* As it is in the file, but escaped. */
void dump_name(struct dump *dump, struct text name);

/* With dots for slashes: java.lang.String. */
void dump_java_name(struct dump *dump, struct text internal_name);

/* The Java type of a field or return descriptor, "int[]"; the descriptor itself if it is not one.
 */
void dump_type(struct dump *dump, struct text descriptor);

/* "public static " and so on; with_all: also what Java has no keyword for. */
void dump_flags(struct dump *dump, unsigned flags, enum flag_place place, bool with_all);

/* "public synchronized (0x0021)" */
void dump_flag_words(struct dump *dump, unsigned flags, enum flag_place place);

/* owner.name:descriptor of a field or method constant. */
void dump_reference(struct dump *dump, uint16_t index);

/* name:descriptor of a name and type. */
void dump_name_and_type(struct dump *dump, uint16_t index);

/* Any constant, on one line: "text", 5L, class a/B, a/B.c:()V, ... */
void dump_constant(struct dump *dump, uint16_t index);

/* The value of a constant that stands for a boolean, char, ...: `type` is one of B C D F I J S Z s.
 */
void dump_value(struct dump *dump, uint16_t index, char type);

/* Arbitrary bytes as lines of text. */
void dump_lines(struct dump *dump, const uint8_t *bytes, size_t size, unsigned indent);

/* ---- dump_attributes.c ---- */

void dump_attributes(struct dump *dump, const struct attributes *attributes, unsigned indent);

/* ---- dump_annotations.c ---- */

void dump_annotations(struct dump *dump, const struct annotations *annotations, bool visible,
                      unsigned indent);
void dump_parameter_annotations(struct dump *dump, const struct parameter_annotations *parameters,
                                bool visible, unsigned indent);
void dump_type_annotations(struct dump *dump, const struct type_annotations *annotations,
                           bool visible, unsigned indent);
void dump_element_value(struct dump *dump, const struct element_value *value);

/* ---- dump_module.c ---- */

void dump_module(struct dump *dump, const struct module *module, unsigned indent);
void dump_module_hashes(struct dump *dump, const struct module_hashes *hashes, unsigned indent);

/* ---- dump_code.c ---- */

/* The method's Code; a problem with it is reported and the instructions left out. */
void dump_code(struct dump *dump, const struct member *method);

#endif
