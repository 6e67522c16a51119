/*
 * array_sources: how the words of the arrays that a method uses are found.
 *
 * The words of an array are found by a lookup, TurnstileArrays.words, which costs more than the
 * access itself. So where several accesses use the same array, as far as one can tell from where it
 * comes from (its source), or one in a loop does, the words are kept in a local of the method:
 *
 *   looked up   at the access, each time; a final field of the class itself has the words of its
 *               array in a hidden field beside it, from the first lookup on
 *   cached      at the access, if the array is not the one that was looked up last for this source;
 *               the source is a field (of an object that is in a certain local), a static field, or
 *               an instruction that gives an array. For a field of the class itself, of `this` or
 *               of a parameter that is declared as that class, this is also done before a loop with
 *               such accesses: then it is not needed at the access, what the JIT sees, and the
 *               words are the same all through the loop
 *   followed    where the local that holds the array is stored; so nothing is left to do at the
 *               access, and the words do not change in a loop that does not store the local
 */
#ifndef TURNSTILE_INSTRUMENT_ARRAY_SOURCES_H
#define TURNSTILE_INSTRUMENT_ARRAY_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "instrument/instrument_internal.h"
#include "instrument/ways.h"

enum array_mode { ARRAY_LOOKED_UP, ARRAY_CACHED, ARRAY_FOLLOWED };

/* Before the loop that starts there, the source is looked up. */
struct array_refresh {
    uint32_t source;
    uint32_t loop;
};

struct array_source {
    uint32_t weight; /* of its accesses: how often they may be executed */
    uint32_t accesses;
    bool local; /* what `slot` holds */
    uint16_t slot;
    uint32_t getter; /* the getfield or getstatic to repeat before loops, or INSTRUCTION_NONE */
    uint16_t holder; /* of a getfield: the local with the object */
    bool kept;       /* the getter's field is final: the words are kept beside it */
    uint8_t mode;    /* enum array_mode */
    bool remembers;  /* `array` is used: always if cached; if followed, where stores are in loops */
    uint16_t array;  /* kept local: the array that the words are of */
    uint16_t words;  /* kept local */
};

/* What is to be done at an access. */
enum array_check {
    ARRAY_CHECK_NONE, /* it is not one, or the array is private, or an earlier check covers it */
    ARRAY_CHECK_READ,
    ARRAY_CHECK_WRITE, /* also at the load of `a[i] += x`: it covers the store as well */
};

struct array_caches {
    struct ways ways;
    uint8_t *checks;   /* by instruction: enum array_check */
    uint32_t *sources; /* by instruction with a check: its source */
    struct array_source *items;
    uint32_t count;
    uint32_t followed; /* how many are */
    struct array_refresh *refreshes;
    uint32_t refresh_count;
    uint32_t *by_local;  /* the followed source of a local, or ARRAY_NO_SOURCE */
    uint32_t group;      /* for checks_call */
    uint32_t number;     /* the method's, for TurnstileArrays.words: of all with arrays */
    uint16_t scratch[2]; /* locals for a value of one and of two slots; 0: none yet */
};

#define ARRAY_NO_SOURCE UINT32_MAX

static inline bool array_is_load(enum opcode opcode)
{
    return opcode >= OP_IALOAD && opcode <= OP_SALOAD;
}

static inline bool array_is_store(enum opcode opcode)
{
    return opcode >= OP_IASTORE && opcode <= OP_SASTORE;
}

/* Slots of the element that a load or store moves. */
static inline unsigned array_element_slots(enum opcode opcode)
{
    return opcode == OP_LALOAD || opcode == OP_DALOAD || opcode == OP_LASTORE ||
                   opcode == OP_DASTORE
               ? 2
               : 1;
}

/* The array operand of a load or store. */
static inline struct origin array_operand(const struct origins *origins, uint32_t instruction)
{
    enum opcode opcode = origins->bytecode->instructions[instruction].opcode;
    return origins_operand(origins, instruction,
                           array_is_load(opcode) ? 1 : 1 + array_element_slots(opcode));
}

/* Finds the accesses to check and their sources, and decides on modes, in the method's arena;
   leaves method->arrays NULL if there is nothing to check. False if memory ran out. */
bool array_sources_find(struct instrument_method *method);

#endif
