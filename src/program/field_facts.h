/*
 * field_facts: which fields keep the value that they are first given.
 *
 * A field is effectively final if it could be declared final, or nearly so: in the whole program
 * it is assigned only by constructors of its class, on the object under construction (a static
 * field: only by its class's static initializer); exactly once on every path that completes; and
 * nobody can read it before: not the constructor itself, and no other code, because `this` is not
 * handed out before the assignment (for a static field: because no code that might read statics of
 * the application is called before it).
 *
 * What counts against a field, always on the safe side:
 *   - an assignment anywhere else, also through a method handle constant;
 *   - for a static field: the static initializer of a superclass, which runs before, if it might
 *     read statics;
 *   - `this` passed to a method, stored, thrown or captured before the assignment; also by a
 *     superclass's constructor, which is looked into, up to the platform's;
 *   - its name as a string constant in a class that also uses an API which writes fields by name
 *     (reflection, VarHandle, field updaters, Unsafe) and names the field's class or a subclass;
 *   - code that cannot be decoded.
 * A private field can be assigned by its nest alone. Of the others we know all assignments only if
 * the program is closed: nobody else's classes will be added.
 */
#ifndef TURNSTILE_PROGRAM_FIELD_FACTS_H
#define TURNSTILE_PROGRAM_FIELD_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "program/call_graph.h"
#include "program/program.h"

/* Where several count against a field, the first of them is told. */
enum field_fact {
    FIELD_UNKNOWN, /* not looked at: a platform class's */
    FIELD_FINAL,   /* declared so, and not assigned elsewhere, as class files of Java 8 may */
    FIELD_EFFECTIVELY_FINAL,
    FIELD_UNASSIGNED, /* nobody assigns it: it stays zero or null, or its constant */
    FIELD_ASSIGNED_ELSEWHERE,
    FIELD_ASSIGNED_TWICE,      /* on one path, or in a loop */
    FIELD_NOT_ALWAYS_ASSIGNED, /* on some path that completes it keeps its first value */
    FIELD_READ_BEFORE,
    FIELD_VISIBLE_BEFORE, /* `this` escapes, or other code runs, before the assignment */
    FIELD_REFLECTIVE,     /* may be written by name */
    FIELD_OPEN,           /* not private, and the program is not closed */
    FIELD_BAD_CODE,       /* some code of its class cannot be analysed */
    FIELD_FACT_COUNT
};

struct field_facts_options {
    bool open_world; /* other classes than the program's may assign what is not private */
};

struct field_facts {
    const struct program *program;
    uint8_t *facts;                /* by field: enum field_fact */
    uint32_t *counts;              /* by fact: how many fields of application classes */
    uint32_t field_writes_by_name; /* calls that write fields chosen at run time */
};

/* False with the problem set when there is no memory. */
bool field_facts_build(struct field_facts *facts, const struct call_graph *graph,
                       const struct field_facts_options *options, struct problem *problem);
void field_facts_release(struct field_facts *facts);

static inline enum field_fact field_fact_of(const struct field_facts *facts, uint32_t field)
{
    return (enum field_fact)facts->facts[field];
}

/* "final", "effectively final", "assigned elsewhere", ... */
const char *field_fact_name(enum field_fact fact);

#endif
