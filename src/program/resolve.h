/*
 * resolve: from symbolic references to fields and methods, as the JVM does it.
 *
 * Resolution follows the JVM specification 5.4.3.2 to 5.4.3.4, selection 5.4.5, 5.4.6 and
 * invokespecial. Access rights are not looked at: a reference to a private member of another class
 * resolves.
 */
#ifndef TURNSTILE_PROGRAM_RESOLVE_H
#define TURNSTILE_PROGRAM_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "program/program.h"

enum resolve_status {
    RESOLVE_FOUND,
    RESOLVE_NO_SUCH_MEMBER, /* NoSuchFieldError, NoSuchMethodError */
    RESOLVE_WRONG_KIND,     /* IncompatibleClassChangeError: a class where an interface belongs */
    RESOLVE_MISSING_CLASS   /* the class or one of its supertypes is not there to look in */
};

struct resolution {
    enum resolve_status status;
    uint32_t id; /* of the field or method; PROGRAM_NONE if not found */
};

/* A field of the class or inherited by it. */
struct resolution resolve_field(const struct program *program, uint32_t class_id,
                                uint32_t selector);

/* A method reference to a class. `name` is needed for the signature-polymorphic methods of
   MethodHandle and VarHandle, whose descriptor is whatever the caller says. */
struct resolution resolve_class_method(const struct program *program, uint32_t class_id,
                                       uint32_t selector, struct text name);

/* A method reference to an interface. */
struct resolution resolve_interface_method(const struct program *program, uint32_t class_id,
                                           uint32_t selector);

/* Whatever field or method constant stands at that index of the class. */
struct resolution resolve_field_constant(const struct program *program,
                                         const struct class_file *class_file, uint16_t index);
struct resolution resolve_method_constant(const struct program *program,
                                          const struct class_file *class_file, uint16_t index);

/* The class that a field or method constant names. */
uint32_t resolve_owner(const struct program *program, const struct class_file *class_file,
                       uint16_t index);

/* Which method runs when the resolved one is called on an instance of exactly this class:
   PROGRAM_NONE where the JVM would throw AbstractMethodError because nothing is found, or
   IncompatibleClassChangeError because several defaults conflict. An abstract method may be the
   answer: calling it throws AbstractMethodError. */
uint32_t resolve_select(const struct program *program, uint32_t receiver, uint32_t method);

/* The same for callers who ask very often. */
struct selection {
    uint32_t method;
    uint32_t steps; /* what it took, in methods and interfaces looked at */
    bool undecided; /* so many superinterfaces declare it that `method` may be wrong */
};
struct selection resolve_selection(const struct program *program, uint32_t receiver,
                                   uint32_t method);

/* Which method `invokespecial` in `caller` runs for this resolved method of the class or interface
   `owner` that the reference names. */
uint32_t resolve_special(const struct program *program, uint32_t caller, uint32_t owner,
                         uint32_t method);

/* The only maximally-specific superinterface method that is not abstract, or PROGRAM_NONE.
   The class itself is not looked at. */
uint32_t resolve_default(const struct program *program, uint32_t class_id, uint32_t selector);

#endif
