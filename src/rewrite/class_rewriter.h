/*
 * class_rewriter: class bytes in, rewritten class bytes out; the front door of this folder.
 *
 *     class_rewriter_init(&rewriter);
 *     switch (class_rewriter_run(&rewriter, bytes, size, &visitor, &problem)) ...
 *     class_rewriter_release(&rewriter);
 *
 * A visitor says what to change. Whatever cannot be done is told to it, and left as it was: a
 * method whose code would become too large or is bad stays alone as it was; a class whose constant
 * pool is full, or for which memory ran out, as a whole. A rewriter is used for any number of
 * classes, by one thread at a time, and keeps its memory between them.
 */
#ifndef TURNSTILE_REWRITE_CLASS_REWRITER_H
#define TURNSTILE_REWRITE_CLASS_REWRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/problem.h"
#include "base/writer.h"
#include "bytecode/frames.h"
#include "rewrite/class_editor.h"
#include "rewrite/method_editor.h"

enum class_left {
    CLASS_LEFT_TOO_LARGE, /* the method would pass a limit: the problem says which */
    CLASS_LEFT_BAD_CODE,  /* the method's code is not what the JVM would accept */
    CLASS_LEFT_BAD_PLAN,  /* the visitor planned what cannot be */
    CLASS_LEFT_POOL_FULL, /* the class's constant pool has no room */
    CLASS_LEFT_NO_MEMORY
};

/* "the constant pool is full", ...: for messages. */
const char *class_left_text(enum class_left reason);

/* Any of the functions may be NULL. */
struct class_visitor {
    void *context;
    /* Before the methods. Snippets that several methods share can be made here; fields, methods
       and attributes added. False: the class stays as it is. */
    bool (*begin)(void *context, struct class_editor *editor);
    /* For each method with code: plans into `edit`. Must not add methods or fields. False: the
       method stays as it is. */
    bool (*method)(void *context, struct method_editor *edit);
    /* After the methods, whenever `begin` was called: may add more. Snippets can be released. */
    void (*end)(void *context, struct class_editor *editor);
    /* What could not be done. `method` is NULL if it is about the whole class. The problem is not
       set when the reason says it all. */
    void (*left)(void *context, const struct class_file *class_file, const struct member *method,
                 enum class_left reason, const struct problem *problem);
    /* The method has its new code, or stays as it is because nothing was planned: `edit` tells
       where its instructions are. The class may still have to stay as it was as a whole. */
    void (*placed)(void *context, const struct method_editor *edit);
};

struct class_rewriter {
    struct arena arena;                     /* of the class in hand */
    struct arena scratch;                   /* of the method in hand */
    struct writer writer;                   /* the rewritten bytes */
    const struct type_hierarchy *hierarchy; /* may be NULL: see frames.h */
};

void class_rewriter_init(struct class_rewriter *rewriter);
void class_rewriter_release(struct class_rewriter *rewriter);

enum class_rewritten {
    CLASS_REWRITTEN, /* the new bytes are rewriter->writer.bytes, good until the next run */
    CLASS_UNCHANGED, /* nothing was changed, or nothing but constants added that nobody uses: use
                        the bytes that you have */
    CLASS_LEFT, /* something was wanted, but the class had to stay as it was: `left` was told */
    CLASS_UNREADABLE /* not a class file that the JVM would load, or no memory: see the problem */
};

enum class_rewritten class_rewriter_run(struct class_rewriter *rewriter, const void *bytes,
                                        size_t size, const struct class_visitor *visitor,
                                        struct problem *problem);

#endif
