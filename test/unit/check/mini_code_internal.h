/*
 * mini_code_internal: what the parts of mini_code share.
 *
 *     mini_code_statements.c  bodies of methods
 *     mini_code.c             methods, classes, and those of the JDK
 */
#ifndef TURNSTILE_TEST_MINI_CODE_INTERNAL_H
#define TURNSTILE_TEST_MINI_CODE_INTERNAL_H

#include "check/mini_code.h"

enum {
    ACONST_NULL = 0x01,
    ICONST_1 = 0x04,
    LDC_W = 0x13,
    ALOAD = 0x19,
    ASTORE = 0x3A,
    POP = 0x57,
    DUP = 0x59,
    IFEQ = 0x99,
    IF_ACMPNE = 0xA6,
    GOTO = 0xA7,
    ARETURN = 0xB0,
    RETURN = 0xB1,
    GETSTATIC = 0xB2,
    PUTSTATIC = 0xB3,
    GETFIELD = 0xB4,
    PUTFIELD = 0xB5,
    INVOKEVIRTUAL = 0xB6,
    INVOKESPECIAL = 0xB7,
    INVOKESTATIC = 0xB8,
    NEW = 0xBB,
    ATHROW = 0xBF,
    MONITORENTER = 0xC2,
    MONITOREXIT = 0xC3,
    IFNONNULL = 0xC7,

    MAJOR = 49, /* needs no stack maps */
    CONTEXTS = 16,
    JUMPS = 32
};

struct library_method {
    const char *owner, *name, *descriptor;
};

extern const struct library_method mini_library[MINI_LIBRARY_COUNT];

/* A block that has to be left properly. */
struct code_context {
    enum { SYNCHRONIZED_BLOCK, FINALLY_BLOCK, LOOP, TRY_BLOCK } kind;
    uint8_t slot;                           /* of the lock: synchronized */
    const struct mini_statement *statement; /* of a finally */
    uint16_t start;                         /* of the code that its handler protects */
    uint16_t ranges[JUMPS][2];
    unsigned range_count;
    uint16_t begin; /* loop: where continue goes */
    uint16_t breaks[JUMPS];
    unsigned break_count;
};

struct code_maker {
    struct mini_code *code;
    const struct mini_program *program;
    const struct mini_method *method;
    unsigned class;
    struct mini_body *body;
    struct code_context contexts[CONTEXTS];
    unsigned depth;
    uint8_t next_slot;
    bool alive; /* the place can be reached */
};
void mini_code_name_class(const struct mini_program *program, unsigned class, char *to,
                          size_t size);
void mini_code_name_type(const struct mini_program *program, unsigned type, char *to, size_t size);
size_t mini_code_describe_type(const struct mini_program *program, unsigned type, char *to,
                               size_t size);
void mini_code_describe_method(const struct mini_program *program, const struct mini_method *method,
                               char *to, size_t size);
void mini_code_name_method(const struct mini_method *method, char *to, size_t size);
unsigned mini_code_field_constant(struct code_maker *maker, struct mini_step step);
unsigned mini_code_method_constant(struct code_maker *maker, struct mini_step step);
unsigned mini_code_class_constant(struct code_maker *maker, unsigned type);
void mini_code_byte(struct code_maker *maker, unsigned value);
void mini_code_with_constant(struct code_maker *maker, unsigned opcode, unsigned constant);
void mini_code_with_slot(struct code_maker *maker, unsigned opcode, unsigned slot);
void mini_code_call_library(struct code_maker *maker, enum mini_library number);
unsigned mini_code_slot_of(const struct code_maker *maker, unsigned local);
void mini_code_load(struct code_maker *maker, const struct mini_path *path);
void mini_code_make_lock(struct code_maker *maker, unsigned type);
void mini_code_make_block(struct code_maker *maker, uint16_t first);

#endif
