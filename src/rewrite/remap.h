/*
 * remap: the tables of a rewritten method, with every code offset moved to where its instruction
 * is now.
 *
 * Line numbers, handlers and variable ranges follow the labels of instructions, type annotations of
 * instructions the instructions themselves. Entry snippets belong to the line of the first
 * instruction (so that a stack trace from there shows a line); no other table covers them.
 *
 * An offset of a debug table that is not the start of an instruction (the JVM does not look) is
 * taken as the instruction around it. Attributes that the class model does not decode are kept,
 * except those known to hold code offsets, which would be wrong now: CharacterRangeTable,
 * CoverageTable, StackMap, and decoded kinds that are too new for the file and so not used by the
 * JVM.
 */
#ifndef TURNSTILE_REWRITE_REMAP_H
#define TURNSTILE_REWRITE_REMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "rewrite/exits.h"
#include "rewrite/layout.h"

/* Gives the code its exception table, in the class's arena, with the exceptional exits at its end,
   and notes in `exits` if its entries have other numbers now. False if memory ran out, or if there
   are more than 65,535: then `too_large` is set. */
bool remap_handlers(const struct layout *layout, struct exits *exits, struct code *code,
                    bool *too_large);

/* After that: the attributes of the code, in the class's arena, with all tables moved; the
   StackMapTable is replaced by `map`, or left out if that is NULL. There is room for one more
   attribute behind the last. False if memory ran out. */
bool remap_attributes(const struct layout *layout, const struct exits *exits, struct stack_map *map,
                      struct attributes *attributes);

#endif
