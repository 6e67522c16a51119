/*
 * dump: a class as text, for people and for tests.
 */
#ifndef TURNSTILE_BYTECODE_DUMP_H
#define TURNSTILE_BYTECODE_DUMP_H

#include <stdbool.h>

#include "base/builder.h"
#include "base/diagnostics.h"
#include "bytecode/frames.h"
#include "classfile/class_file.h"

struct dump_options {
    bool code;   /* instructions, handlers and line numbers of each method */
    bool frames; /* and the frame before each instruction */
    const struct type_hierarchy *hierarchy; /* for frames by data flow; may be NULL */
    /* Told now and then, within a method too, so that the text of a whole class need not be in
       memory: may take away what the builder has. NULL: it is not told. */
    void (*flush)(void *context, struct builder *builder);
    void *context;
};

/* Adds the class's text. A method whose code is bad is reported, named as `path`, and shown without
 * its code. */
void dump_class(struct builder *builder, const struct class_file *class_file,
                const struct dump_options *options, struct text path,
                struct diagnostics *diagnostics);

#endif
