/*
 * declarers: by name and descriptor, which classes declare a field or method.
 *
 * Resolution and selection ask for the nearest class that declares something, and hierarchies that
 * come from outside may be thousands of classes deep. So linking writes down, for each selector,
 * where in program->tree the answer changes: a search of that list replaces the way up. Of
 * interfaces only those that declare the selector are looked at, or, if these are more, those that
 * the class has.
 */
#ifndef TURNSTILE_PROGRAM_DECLARERS_H
#define TURNSTILE_PROGRAM_DECLARERS_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct program;
struct program_member;

/* From this place of program->tree to that of the next step, `member` is the nearest of its
   selector; PROGRAM_NONE where no class on the way up has one. */
struct declarers_step {
    uint32_t place;
    uint32_t member;
};

/* Of all fields, or of all methods. */
struct declarers {
    const struct program_member *members;
    uint32_t *first_step; /* by selector: selector_count + 1 entries */
    struct declarers_step *steps;
    uint32_t *first_interface; /* by selector: selector_count + 1 entries */
    uint32_t *interfaces;      /* the members that superinterfaces declare, by class */
};

/* What the class declares or inherits along superclasses; PROGRAM_NONE if nothing. */
uint32_t declarers_nearest(const struct program *program, const struct declarers *declarers,
                           uint32_t class_id, uint32_t selector);

/* Where the answer changes behind place `first` of program->tree and before `end`. */
struct declarers_range {
    const struct declarers_step *items;
    uint32_t count;
};
struct declarers_range declarers_in_tree(const struct declarers *declarers, uint32_t selector,
                                         uint32_t first, uint32_t end);

/* The members of one selector in the superinterfaces of a class, in the order of these:

       struct declarers_walk walk = declarers_walk(program, declarers, class_id, selector);
       for (uint32_t id; (id = declarers_next(&walk)) != PROGRAM_NONE;)

   `steps` counts what was looked at. */
struct declarers_walk {
    const struct program *program;
    const struct declarers *declarers;
    uint32_t class_id, selector;
    uint32_t next, end;
    bool by_declarer; /* next..end-1 are in declarers->interfaces, else in all_interfaces */
    uint32_t steps;
};
struct declarers_walk declarers_walk(const struct program *program,
                                     const struct declarers *declarers, uint32_t class_id,
                                     uint32_t selector);
uint32_t declarers_next(struct declarers_walk *walk);

/* ---- for hierarchy.c ---- */

/* Fills program->method_declarers and ->field_declarers, for which it needs the tree and the lists
   of subtypes. False without memory. */
bool declarers_build(struct program *program);

#endif
