/*
 * dump_call_graph: a program's classes, fields and calls as text, for people and for tests.
 *
 *     class bank/Account extends java/lang/Object
 *       field lock Ljava/lang/Object; effectively final
 *       field balance I assigned elsewhere
 *       method deposit(I)V [entry: main] [reached from main, thread]
 *         7 (line 31): virtual bank/Account.check(I)Z -> bank/Account.check(I)Z, bank/Savings...
 *         12 (line 32): static java/lang/Class.forName(...)... ? class loaded by name
 *
 * The first number is the instruction's byte offset, as javap shows it.
 * Classes are in the order of their names, methods and calls in that of the class file, so that the
 * same program always gives the same text. A call's arrow is left out when it can only run the
 * method that it names.
 *
 * A call on a platform class or interface that may have more subtypes than were loaded has behind
 * its arrow the application's targets and then "(platform)"; platform methods are not listed there,
 * since it is chance which are known. A method reference to such a method is shown with the method
 * that it names: "lambda java/util/function/Consumer.accept(...)V by java/util/List.add(...)Z ->
 * (platform)". "(none known)" means that no class of the program can answer the call.
 */
#ifndef TURNSTILE_PROGRAM_DUMP_CALL_GRAPH_H
#define TURNSTILE_PROGRAM_DUMP_CALL_GRAPH_H

#include <stdbool.h>
#include <stdio.h>

#include "base/builder.h"
#include "base/diagnostics.h"
#include "program/call_graph.h"
#include "program/entry_points.h"
#include "program/field_facts.h"
#include "program/reachability.h"

struct dump_call_graph_options {
    uint32_t most_targets; /* of one call that are listed; 0: all */
    /* Which classes are shown, by internal name; NULL: all. */
    bool (*is_wanted)(struct text class_name);
};

/* All that this folder knows of a linked program: builds the graph and the rest, and prints every
   application class to the stream, then a summary. False with the problem set when memory ran out
   or the stream failed. */
bool program_dump_call_graph(const struct program *program,
                             const struct dump_call_graph_options *options, FILE *stream,
                             struct diagnostics *diagnostics, struct problem *problem);

#endif
