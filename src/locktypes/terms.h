/*
 * terms: lock expressions and symbolic values, numbered so that equal ones are the same number.
 *
 * The checker speaks of objects by terms: `this`, the third parameter, C.class, what a final field
 * of such an object holds, the object that an instruction made. Two terms that are equal denote the
 * same object (in one execution of one method); terms that differ may denote the same one or not.
 *
 * Declarations use the kinds up to TERM_READONLY; a method's code adds those behind them. All terms
 * live in tables: one for the declarations of a program, one for each method that is executed. A
 * table is changed by one thread at a time.
 */
#ifndef TURNSTILE_LOCKTYPES_TERMS_H
#define TURNSTILE_LOCKTYPES_TERMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/builder.h"
#include "base/intmap.h"
#include "program/program.h"

typedef uint32_t term; /* a number in its table; TERM_NONE is in every table */

enum { TERM_NONE = 0 }; /* no term, no memory; equal to nothing */

enum term_kind {
    TERM_KIND_NONE,
    TERM_PARAMETER,  /* a: number; in instance methods 0 is `this`. Each parameter counts one. In
                        declarations of fields and classes `this` is parameter 0 */
    TERM_CLASS,      /* a: class number: its class object */
    TERM_STATIC,     /* a: field number: what that static final field holds */
    TERM_FIELD,      /* a: term of the object, b: field number: what its final field holds */
    TERM_VARYING,    /* the same for a field that is not final (a may be TERM_NONE: static). Only in
                        declarations, where it is reported, and as `origin` of values */
    TERM_READ_VIEW,  /* a: term: the read lock of a read/write lock */
    TERM_WRITE_VIEW, /* a: term: its write lock. Holding it is holding the lock itself */
    TERM_FORMAL,     /* a: number of the class's formal, b: term that qualifies it (f$e), or
                        TERM_NONE for a bare one */
    TERM_GHOST,      /* a: number of the class's formal that is a ghost parameter of Race Free Java:
                        a lock and never `self`, so that nothing qualifies it */
    TERM_METHOD_FORMAL, /* the same for an owner that only a method's parameter types name */
    TERM_ITSELF,        /* in guards: what the guarded field refers to */
    TERM_SELF,          /* special owners */
    TERM_THIS_THREAD,
    TERM_OTHER_THREAD, /* what thisThread of another thread is called here: never held */
    TERM_UNIQUE,
    TERM_READONLY,
    /* Values in code. */
    TERM_NEW,     /* a: instruction: the object made there, when it was last executed */
    TERM_OPAQUE,  /* a: instruction: whatever it gave when it was last executed */
    TERM_JOIN,    /* a: block, b: place (locals first, then stack): where different values meet */
    TERM_STALE,   /* a: term of one of the three above: what it was the time before */
    TERM_RESULT,  /* a: term of a lock, b: enum term_result: a number that tells of the lock */
    TERM_MONITOR, /* a: term: the monitor of an object that is also a library lock in use */
    TERM_OWNER,   /* a: number: an owner that is not known yet (check/owners), b: as of formals */
    TERM_KIND_COUNT
};

/* Formals of numbers from here on are nobody's: owners that are not known, but told apart. */
enum { TERM_UNDECLARED = 1 << 16 };

enum term_result {
    RESULT_ACQUIRED,        /* not 0: the lock has been acquired (tryLock) */
    RESULT_ACQUIRED_SHARED, /* not 0: acquired for reading */
    RESULT_HELD,            /* not 0: the thread holds it */
};

struct term_content {
    uint8_t kind; /* enum term_kind */
    uint32_t a, b;
};

struct term_table {
    struct arena *arena;
    struct term_content *items;
    uint32_t count, capacity;
    struct intmap numbers;
    bool failed; /* memory ran out for some term */
};

/* False when there is no memory. The arena must outlive the table. */
bool term_table_init(struct term_table *table, struct arena *arena);
void term_table_release(struct term_table *table);

/* The number of this term; a new one if it is not there. TERM_NONE when there is no memory. */
term term_make(struct term_table *table, enum term_kind kind, uint32_t a, uint32_t b);

static inline struct term_content term_content(const struct term_table *table, term number)
{
    return table->items[number];
}

static inline enum term_kind term_kind(const struct term_table *table, term number)
{
    return (enum term_kind)table->items[number].kind;
}

/* Whether the term is one of the special owners that count as held always: thisThread, unique,
   readonly. */
bool term_is_always_held(const struct term_table *table, term number);

/* What the names in a declaration stand for at one place in the code. */
struct term_binding {
    struct term_table *to;  /* results are made here */
    const term *parameters; /* `this` first where there is one; TERM_NONE: has no name here */
    uint32_t parameter_count;
    const term *formals; /* what the class's formals are: owners, in `to`; see term_substitute.
                            Those beyond the count, or TERM_NONE, have no name here */
    uint32_t formal_count;
    const term *method_formals;
    uint32_t method_formal_count;
    term itself;
};

/* The term of a declaration in terms of the place where it is used, by the papers' substitution:
   f$e becomes e if f is `self`, f'$e' if f is a bare formal f' or an owner that is not known yet,
   else what f is. A bare formal becomes what it is. A field of something without a name has none:
   TERM_NONE. So has a term of more than TERM_DEPTH steps. */
enum { TERM_DEPTH = 64 };

term term_substitute(const struct term_table *from, term number,
                     const struct term_binding *binding);

/* As a user would write it: "this.mu", "Account.class", "owner$this", "the object made at line 12".
   Parameters go by `names` where it has them (NULL: "parameter 2"). `line_of` gives the line of an
   instruction (NULL: none). */
struct term_printer {
    const struct program *program;
    const struct term_table *table;
    const struct text *parameter_names; /* NULL, or one for each; empty ones are not known */
    uint32_t parameter_count;
    bool is_static;             /* parameter 0 is not `this` */
    const struct text *formals; /* names of the class's formals */
    uint32_t formal_count;
    const struct text *method_formals;
    uint32_t method_formal_count;
    uint32_t (*line_of)(void *context, uint32_t instruction);
    /* The origin of an opaque value (a varying field, "this.head"), or TERM_NONE. */
    term (*origin_of)(void *context, term value);
    void *context;
};

void term_print(const struct term_printer *printer, term number, struct builder *to);

#endif
