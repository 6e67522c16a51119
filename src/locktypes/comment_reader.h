/*
 * comment_reader: lock types from comments in Java source.
 *
 * Comments that begin with `#` attach by position: behind a class's name, before or behind a
 * field's declarator, between a method's parameters and its body, behind a type. One that ends a
 * line belongs to what is before it there, else to what comes behind it. Before a declaration of
 * several fields it is about all of them, behind a declarator about that one.
 *
 * `holds` counts from its line to the end of the block it stands in, `no_warn` on its line, or, if
 * it is alone there, on the next; in the header of a field, method or class it is also about all of
 * that. Those, `atomic` before a block, and owners of allocations and locals become line
 * declarations. Line tables have one line for all that a statement makes; so where only some of its
 * objects of one class have owners, the others have a line declaration without owners, and their
 * order tells them apart.
 *
 * Classes are told apart by their package, name, and, for anonymous and local ones, by the lines of
 * their code. Places in the result have the path of the file as it was found.
 */
#ifndef TURNSTILE_LOCKTYPES_COMMENT_READER_H
#define TURNSTILE_LOCKTYPES_COMMENT_READER_H

#include "base/diagnostics.h"
#include "locktypes/syntax_parser.h"
#include "program/program.h"

/* Looks for the source file of every application class under the folder (in the folder of its
   package, or anywhere below with the right `package` line), and reads those that have such
   comments. The folder may also be a single file. Without a program (NULL), all Java files there
   are read, and the numbers of local and anonymous classes are not known. False if the folder
   cannot be read (told), or when there is no memory. */
bool comment_reader_read(struct declarations *result, struct arena *arena,
                         const struct program *program, const char *folder,
                         struct syntax_errors *errors, struct diagnostics *diagnostics);

#endif
