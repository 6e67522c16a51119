/*
 * What the files of collections share.
 */
#ifndef TURNSTILE_INSTRUMENT_COLLECTIONS_INTERNAL_H
#define TURNSTILE_INSTRUMENT_COLLECTIONS_INTERNAL_H

#include "bytecode/decode.h"
#include "classfile/class_file.h"
#include "instrument/collections.h"
#include "instrument/origins.h"

struct instrument_class;
struct instrument_method;

/* What the table says of one call. */
struct collection_target {
    struct member_reference callee;
    unsigned slots; /* of its arguments */
    bool has_receiver;
    bool wraps;                         /* the result is a view of its first argument */
    const struct collection_type *type; /* NULL if it is not listed */
    struct text chain;                  /* method of TurnstileObjects for the receiver */
    struct collection_call call;        /* what it does to the receiver; a constructor: unknown */
};

/* For an invoke instruction that is not invokedynamic. It is found out once for each method that
   the class calls. */
const struct collection_target *collections_target(struct instrument_class *owner,
                                                   const struct instruction *instruction);

/* Goes back over calls that give a view of an object, or the object itself, to that object. If
   there are very many, it stops on the way; from there it would go on. */
struct origin collections_base(const struct instrument_method *method, struct origin origin);

/* Whether a call keeps the operand that is `depth` slots below the top to itself: only reads or
   writes it, as the table says. */
bool collections_call_keeps(const struct instrument_method *method, uint32_t instruction,
                            uint32_t depth);

/* Whether the object was made in this method and never leaves it, so that no other thread can see
   it. False if that is not clear. The first question looks at all objects that the method makes. */
bool collections_is_private(struct instrument_method *method, struct origin origin);

#endif
