/*
 * hierarchy: who is whose subtype.
 *
 * Answers come from tables that program_link made, without searching: superclasses are a tree whose
 * subtrees stand in a row, superinterfaces are a sorted list at each class.
 */
#ifndef TURNSTILE_PROGRAM_HIERARCHY_H
#define TURNSTILE_PROGRAM_HIERARCHY_H

#include <stdbool.h>
#include <stdint.h>

#include "bytecode/frames.h"
#include "program/program.h"

/* Whether `sub` is `super`, or extends or implements it, directly or not. */
bool hierarchy_is_subtype(const struct program *program, uint32_t sub, uint32_t super);

/* Along superclasses only; true also for the class itself. */
bool hierarchy_is_subclass(const struct program *program, uint32_t sub, uint32_t super);

/* Whether the interface is among all superinterfaces of the class. */
bool hierarchy_has_interface(const struct program *program, uint32_t class_id, uint32_t interface);

/* Whether any class has it among its superinterfaces. */
bool hierarchy_is_superinterface(const struct program *program, uint32_t class_id);

/* The class and all its subclasses; of an interface all its implementers and subinterfaces and the
   interface itself. In a fixed order. */
struct program_ids hierarchy_subtypes(const struct program *program, uint32_t class_id);

/* The closest common superclass; java/lang/Object if one of them is an interface. PROGRAM_NONE if
   the known superclasses do not meet. */
uint32_t hierarchy_common_superclass(const struct program *program, uint32_t a, uint32_t b);

/* What frames.h needs to know of classes, answered by a linked program. The program must outlive
   the result. */
struct type_hierarchy program_type_hierarchy(const struct program *program);

/* ---- for program_link ---- */

/* Cuts cycles, then fills all_interfaces, incomplete, the tree, the lists of subtypes and the
   declarers. False with the problem set when memory ran out or the hierarchy is so deep that its
   tables would not fit. */
bool hierarchy_build(struct program *program, struct problem *problem);

#endif
