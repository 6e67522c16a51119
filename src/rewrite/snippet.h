/*
 * snippet: a short piece of code to be inserted into a method.
 *
 * A snippet is written for one class: constants that it needs are added to that class's pool. It
 * may branch to its own labels, forwards and backwards, and fall out at its end; it must leave the
 * operand stack as the place where it is inserted expects (for an insertion before an instruction:
 * as it found it). Every instruction in it must be reachable from its start.
 * Errors (a full constant pool, no memory, a branch to a label that was never bound) stick, and
 * come out when the snippet is used.
 */
#ifndef TURNSTILE_REWRITE_SNIPPET_H
#define TURNSTILE_REWRITE_SNIPPET_H

#include <stdbool.h>
#include <stdint.h>

#include "bytecode/decode.h"
#include "rewrite/class_editor.h"

typedef uint32_t snippet_label;

/* In `labels`: the label was made but stands nowhere yet. */
#define SNIPPET_UNBOUND UINT32_MAX

#define SNIPPET_NO_COPY UINT32_MAX

struct snippet {
    struct class_editor *editor;
    VECTOR(struct instruction)
    instructions;            /* branch targets are label numbers until the snippet is used */
    VECTOR(uint32_t) labels; /* instruction number each label stands before */
    uint32_t copied;  /* the first instruction that snippet_copy added; SNIPPET_NO_COPY if none */
    uint64_t version; /* as long as it is the same, so is the rest; no two snippets share one; never
                         0 */
    bool failed;
};

void snippet_init(struct snippet *snippet, struct class_editor *editor);
void snippet_release(struct snippet *snippet);
/* Forgets the code and the failure, keeps the memory. */
void snippet_clear(struct snippet *snippet);

/* An instruction without operands. */
void snippet_add(struct snippet *snippet, enum opcode opcode);
/* A load or store of a local (OP_ILOAD to OP_ALOAD, OP_ISTORE to OP_ASTORE) in its shortest form:
   iload_2, iload 4 or wide iload 400. */
void snippet_local(struct snippet *snippet, enum opcode opcode, uint16_t local);
/* The load or store of a local for a value with that field descriptor. */
enum opcode snippet_load_of(struct text descriptor);
enum opcode snippet_store_of(struct text descriptor);
void snippet_increment(struct snippet *snippet, uint16_t local, int16_t amount);
/* The shortest instruction that pushes the value. */
void snippet_push_int(struct snippet *snippet, int32_t value);
void snippet_push_long(struct snippet *snippet, int64_t value);
void snippet_push_string(struct snippet *snippet, struct text modified_utf8);
void snippet_push_class(struct snippet *snippet, struct text internal_name);
/* new, anewarray, checkcast, instanceof. */
void snippet_type(struct snippet *snippet, enum opcode opcode, struct text internal_name);
/* getstatic, putstatic, getfield, putfield. */
void snippet_field(struct snippet *snippet, enum opcode opcode, struct text owner, struct text name,
                   struct text descriptor);
/* invokevirtual, -special, -static, -interface; `interface` says that the owner is one. */
void snippet_call(struct snippet *snippet, enum opcode opcode, struct text owner, struct text name,
                  struct text descriptor, bool interface);
/* A copy of an instruction of the method that the snippet is for (not a branch or switch): to keep
   it in a replacement. What is said of the replaced instruction (that it made an object, has a type
   annotation, calls the other constructor) goes for the first copy. */
void snippet_copy(struct snippet *snippet, const struct instruction *instruction);

snippet_label snippet_new_label(struct snippet *snippet);
void snippet_bind(struct snippet *snippet, snippet_label label);
/* A conditional branch or goto. */
void snippet_branch(struct snippet *snippet, enum opcode opcode, snippet_label label);

#endif
