/*
 * atomicity_code: a method as steps with atomicities, for their inference.
 *
 * Every event of a method's flow becomes one or more atoms: a basic atomicity, a guard that makes
 * the step a mover if its lock is held, an acquire or a release, or a call, whose atomicity is that
 * of the methods that may run. Locks in atoms are names: terms of the table of atomicities, in
 * terms of the method's own parameters. A lock that the method itself holds at the step is no
 * condition any more; one that has no name outside is not held as far as anybody can tell.
 *
 * What is unguarded: a field that nobody declares a guard for, and that has none by belief or
 * default, belongs to its thread if its class synchronizes nothing, and is racy if it does.
 */
#ifndef TURNSTILE_CHECK_ATOMICITY_CODE_H
#define TURNSTILE_CHECK_ATOMICITY_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "bytecode/flow.h"
#include "check/atomicity.h"
#include "check/method_check.h"

enum atom_kind {
    ATOM_BASIC,   /* `held` */
    ATOM_GUARD,   /* lock ? held : otherwise; without a name: otherwise */
    ATOM_ACQUIRE, /* lock ? mover : right */
    ATOM_RELEASE, /* lock ? mover : left */
    ATOM_CALL,    /* what the targets are, at this place */
    ATOM_DECLARED /* a library method of which somebody says what it is */
};

struct atom {
    uint8_t kind;
    uint8_t held, otherwise; /* basic atomicities */
    bool repeated;           /* of a call: any number of times, by a library method */
    term lock;               /* TERM_NONE: it has no name */
    uint32_t event;          /* number in the flow */
    uint32_t lambda; /* of a call: number of the EVENT_LAMBDA whose body runs, or UINT32_MAX */
    struct program_ids targets; /* application methods */
    atomicity declared;
};

/* The atoms of one basic block: first .. end - 1. */
struct atom_block {
    uint32_t first, end;
};

struct atomic_code {
    struct method_check check;
    struct atom *atoms;
    uint32_t atom_count;
    struct flow blocks;
    struct atom_block *atoms_of; /* by block */
    term monitor;                /* of a synchronized method, a name; TERM_NONE: it is none */
    struct intmap renamed;       /* atom << 32 | lock of a callee to what it is called here */
};

/* What is known of all fields and classes before the first method is looked at. */
struct atomicity_facts {
    uint8_t *class_synchronizes; /* by application class */
    uint8_t *field_written;      /* by application field: also when others may see the object */
};

bool atomicity_facts_find(struct atomicity_facts *facts, struct arena *arena,
                          const struct checker *checker);

/* A declared atomicity, in terms of the parameters of the method that it is declared for. `bad` is
   the first lock expression in it that has no meaning, with the reason, or NULL. */
struct declared_atomicity {
    atomicity value;
    const struct syntax_lock *bad;
    struct text message;
};

struct declared_atomicity atomicity_declared(const struct checker *checker,
                                             struct atomicity_table *table, struct arena *arena,
                                             uint32_t method);

/* False when there is no memory. The code lives in the arena; atomic_code_release for the rest. */
bool atomic_code_make(struct atomic_code *code, struct arena *arena, const struct checker *checker,
                      const struct atomicity_facts *facts, struct atomicity_table *table,
                      uint32_t method);
void atomic_code_release(struct atomic_code *code);

/* What one atom is now; `of` has the atomicity of every application method. */
atomicity atom_value(struct atomic_code *code, struct atomicity_table *table,
                     const struct atom *atom, const atomicity *of);

/* What the whole method is. */
atomicity atomic_code_value(struct atomic_code *code, struct atomicity_table *table,
                            const atomicity *of, struct arena *scratch);

/* What a lock of the callee is called at this call; TERM_NONE, with *always set if it is held here,
   else because it has no name. */
term atom_rename_lock(struct atomic_code *code, struct atomicity_table *table,
                      const struct atom *atom, term lock, bool *always);

/* The atomicity of the target at this call. */
atomicity atom_target_value(struct atomic_code *code, struct atomicity_table *table,
                            const struct atom *atom, atomicity target);

#endif
