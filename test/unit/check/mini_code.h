/*
 * mini_code: class files of a mini_program, with the code in a form that mini_run.h can execute.
 *
 * Code is what javac would make: synchronized blocks have handlers that leave the monitor, and
 * every way out of one (return, break, continue) leaves it first. The classes of the JDK that
 * programs use are made too, without code that does anything.
 */
#ifndef TURNSTILE_TEST_MINI_CODE_H
#define TURNSTILE_TEST_MINI_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "check/mini_program.h"
#include "classfile/class_builder.h"

enum {
    MINI_CODE_SIZE = 4000,
    MINI_CONSTANTS = 4000,
    MINI_HANDLERS = 200,
    MINI_SLOTS = 40, /* locals and stack of a frame */
};

/* What is not the program's own code. */
enum mini_library {
    MINI_INIT_OBJECT,
    MINI_INIT_MUTEX,
    MINI_INIT_READ_WRITE,
    MINI_INIT_THROWN,
    MINI_INIT_THREAD,
    MINI_START_THREAD,
    MINI_MUTEX_LOCK,
    MINI_MUTEX_UNLOCK,
    MINI_MUTEX_TRY,
    MINI_READ_VIEW,
    MINI_WRITE_VIEW,
    MINI_READ_LOCK,
    MINI_READ_UNLOCK,
    MINI_READ_TRY,
    MINI_WRITE_LOCK,
    MINI_WRITE_UNLOCK,
    MINI_WRITE_TRY,
    MINI_CHANCE,
    MINI_LIBRARY_COUNT
};

/* Types of `new` besides those of mini_program.h. */
enum { MINI_THROWN = 200, MINI_THREAD };

/* What a constant names. */
struct mini_constant {
    uint8_t kind;  /* 'F' field, 'M' method, 'L' library method, 'C' class */
    uint8_t class; /* or type, or enum mini_library */
    uint8_t member;
};

struct mini_handler {
    uint16_t start, end, handler;
};

struct mini_body {
    uint16_t size, handler_count;
    uint8_t code[MINI_CODE_SIZE];
    struct mini_handler handlers[MINI_HANDLERS];
};

struct mini_code {
    const struct mini_program *program;
    struct mini_constant constants[MINI_CLASSES][MINI_CONSTANTS];
    struct mini_body bodies[MINI_CLASSES][MINI_METHODS];
    struct class_build build;
    bool failed; /* something is too large: the program is of no use */
};

typedef void (*mini_class_taker)(void *context, const char *name, const uint8_t *bytes,
                                 size_t size);

/* Makes all classes and gives them to the taker, those of the JDK first. */
void mini_code_make(struct mini_code *code, const struct mini_program *program,
                    mini_class_taker taker, void *context);

#endif
