/*
 * mini_program: a small multi-threaded Java program as a tree, for tests that make programs.
 *
 * There are a few classes with fields, lock types and methods; `main` makes objects and starts
 * threads whose bodies are `run` methods. The last class is Main, before it come the workers
 * (Runnables), before these the classes that they share. Statements are numbered nodes; number 0
 * is no statement.
 *
 * The tree is made by random_program.h, becomes class files in mini_code.h, is executed by
 * mini_run.h, and is printed here: as Java for people and as lock types for the checker.
 */
#ifndef TURNSTILE_TEST_MINI_PROGRAM_H
#define TURNSTILE_TEST_MINI_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/builder.h"

enum {
    MINI_CLASSES = 9,
    MINI_FIELDS = 8,
    MINI_METHODS = 7,
    MINI_PARAMETERS = 6, /* `this` counts */
    MINI_LOCALS = 12,    /* parameters count */
    MINI_STEPS = 3,      /* fields in a path */
    MINI_LOCKS = 2,      /* in a guard, or a requires clause */
    MINI_STATEMENTS = 600
};

/* Types: the number of a class, or one of these. */
enum { MINI_INT = 100, MINI_OBJECT, MINI_MUTEX, MINI_READ_WRITE, MINI_VOID };

enum mini_base {
    MINI_LOCAL,  /* number: of the local. 0 is `this`; static methods have none, and start at 1 */
    MINI_STATIC, /* number: of the class; the first step is its static field */
    MINI_CLASS,  /* number: of the class; its class object */
    MINI_GHOST,  /* in guards only: the formal of the class */
    MINI_NULL
};

struct mini_step {
    uint8_t class, field;
};

/* An expression for an object: this, p1.f2.f0, A.s1, A.class. */
struct mini_path {
    uint8_t base; /* enum mini_base */
    uint8_t number;
    uint8_t count;
    struct mini_step steps[MINI_STEPS];
};

enum mini_guard { MINI_UNGUARDED, MINI_GUARDED, MINI_WRITE_GUARDED };

/* Where a field's first value comes from. */
enum mini_origin { MINI_FROM_NOTHING, MINI_FROM_NEW, MINI_FROM_PARAMETER };

struct mini_field {
    uint8_t type;
    uint8_t origin;
    bool is_final;    /* as declared; fields that only the constructor assigns may be without it */
    bool is_static;   /* statics are final or of type int */
    bool is_constant; /* assigned by the constructor or initializer only */
    bool is_volatile;
    uint8_t guard; /* enum mini_guard */
    uint8_t lock_count;
    struct mini_path locks[MINI_LOCKS];
    bool owned; /* its class has a formal; `owner` is what it is */
    struct mini_path owner;
};

struct mini_method {
    uint8_t name;            /* overriding methods have the same */
    uint8_t parameter_count; /* `this` counts */
    uint8_t local_count;
    uint8_t types[MINI_LOCALS];
    uint8_t result; /* a type; not MINI_VOID: it returns `returned` and does nothing else */
    struct mini_path returned;
    bool is_static, is_synchronized, is_private, is_constructor, is_run, is_main;
    bool is_helper; /* meant for constructors */
    uint8_t require_count;
    struct mini_path requires[MINI_LOCKS];
    bool owned[MINI_PARAMETERS]; /* by parameter: its class has a formal, which is */
    struct mini_path owners[MINI_PARAMETERS];
    uint16_t body; /* statement */
};

struct mini_class {
    uint8_t superclass; /* of a smaller number; MINI_OBJECT: none */
    bool is_worker, is_main;
    bool has_formal;                   /* <ghost Object g> */
    uint8_t field_count, method_count; /* method 0 is the constructor */
    struct mini_field fields[MINI_FIELDS];
    struct mini_method methods[MINI_METHODS];
};

enum mini_kind {
    MINI_READ,         /* path.field of type int */
    MINI_WRITE,        /* path.field = number */
    MINI_STORE,        /* path.field = value */
    MINI_ASSIGN,       /* local = value */
    MINI_NEW,          /* local = new class(arguments) */
    MINI_CALL,         /* path.method(arguments), or static; a result goes to the local */
    MINI_SYNCHRONIZED, /* synchronized (path) { body } */
    MINI_LOCK,         /* path.lock(), readLock().lock(), ... */
    MINI_UNLOCK,
    MINI_LOCKED,   /* lock; body; unlock */
    MINI_FINALLY,  /* lock; try { body } finally { unlock } */
    MINI_TRY_LOCK, /* if (path.tryLock()) { body; unlock } else other */
    MINI_IF,       /* if (chance) body else other */
    MINI_IF_NULL,  /* if (path == null) ... */
    MINI_IF_SAME,  /* if (path == value) ... */
    MINI_WHILE,    /* while (chance) body */
    MINI_BREAK,
    MINI_CONTINUE,
    MINI_RETURN,
    MINI_THROW,
    MINI_TRY,  /* try { body } catch (Throwable) { other } */
    MINI_START /* new Thread(path).start() */
};

struct mini_statement {
    uint8_t kind; /* enum mini_kind */
    bool shared;  /* locks: for reading */
    uint8_t local;
    uint8_t argument_count;
    struct mini_step member; /* field or method */
    struct mini_path path, value;
    struct mini_path arguments[MINI_PARAMETERS];
    uint16_t body, other, next;
};

struct mini_program {
    uint8_t class_count;
    uint8_t next_name;
    uint16_t statement_count;
    struct mini_class classes[MINI_CLASSES];
    struct mini_statement statements[MINI_STATEMENTS];
};

static inline const struct mini_field *mini_field_of(const struct mini_program *program,
                                                     struct mini_step step)
{
    return &program->classes[step.class].fields[step.field];
}

static inline const struct mini_method *mini_method_of(const struct mini_program *program,
                                                       struct mini_step step)
{
    return &program->classes[step.class].methods[step.field];
}

static inline bool mini_is_class(unsigned type)
{
    return type < MINI_CLASSES;
}

/* The type of what the path denotes; `types` are those of the locals. */
unsigned mini_path_type(const struct mini_program *program, const uint8_t *types,
                        const struct mini_path *path);

/* Whether a class is the other one or a subclass of it. */
bool mini_is_subclass(const struct mini_program *program, unsigned class, unsigned of);

bool mini_path_equal(const struct mini_path *one, const struct mini_path *other);

/* The path with `this` and parameters put in; false if it gets too long. */
bool mini_path_substitute(const struct mini_path *path, const struct mini_path *self,
                          const struct mini_path *arguments, struct mini_path *result);

/* "A", "Main" ... without the package; "java/lang/Object" and the like for other types. */
const char *mini_class_name(const struct mini_program *program, unsigned class);
const char *mini_type_name(const struct mini_program *program, unsigned type);

void mini_path_print(const struct mini_program *program, const struct mini_path *path,
                     struct builder *to);

/* The whole program as Java with lock types in comments. */
void mini_program_print(const struct mini_program *program, struct builder *to);

/* Its lock types as a .locks file. */
void mini_locks_print(const struct mini_program *program, struct builder *to);

#endif
