/*
 * declared_methods: methods and synchronized blocks of which somebody has declared whether they
 * should be atomic, in .locks files and comments of Java source.
 *
 * The command reads those and hands them to the agent in a file of lines, the strongest first; the
 * agent asks for each method that it instruments. The first line that means the method counts.
 * Class files are there only where it is asked, so that lines say names and types as written:
 *
 *     method  atomic|other  is|ends|numbered  CLASS  NAME  TYPES  [FIRST  LAST]
 *     block   FILE  FIRST  LAST
 *
 * with tabs between the words. CLASS is an internal name (`is`), what a name that may be written in
 * source ends with (`ends`: names_may_be), or that of a local or anonymous class with `#` for its
 * number, which only the compiler knows (`numbered`; then the lines of its code tell which one).
 * TYPES as in written_types_may_be. FILE is the SourceFile in the folder of its package; a block is
 * entered on one of the lines.
 */
#ifndef TURNSTILE_INSTRUMENT_DECLARED_METHODS_H
#define TURNSTILE_INSTRUMENT_DECLARED_METHODS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/builder.h"
#include "base/text.h"
#include "base/textmap.h"
#include "base/vector.h"
#include "locktypes/atomicity_claim.h"

enum declared_class { DECLARED_IS, DECLARED_ENDS, DECLARED_NUMBERED };

struct declared_method {
    enum atomicity_claim claim; /* ATOMIC or OTHER */
    enum declared_class how;
    struct text class_name, name, types;
    uint32_t first_line, last_line; /* 0: any */
    uint32_t previous;              /* of this name; UINT32_MAX: none */
};

struct declared_block {
    struct text file;
    uint32_t first_line, last_line;
};

/* Zeroed: there are none. */
struct declared_methods {
    VECTOR(struct declared_method) methods;
    VECTOR(struct declared_block) blocks;
    struct textmap names; /* -> the last method of that name */
};

void declared_methods_release(struct declared_methods *declared);

/* Adds a line to the file. Nothing, and false, if a name has a character that cannot stand in one.
 */
bool declared_methods_write_method(struct builder *file, const struct declared_method *method);
bool declared_methods_write_block(struct builder *file, const struct declared_block *block);

enum declared_result { DECLARED_DONE, DECLARED_MALFORMED, DECLARED_NO_MEMORY };

/* Adds what a line says; the texts live in the arena. */
enum declared_result declared_methods_read(struct declared_methods *declared, struct arena *arena,
                                           struct text line);

/* A method of a class file. */
struct declared_asked {
    struct text class_name, name, descriptor;
    struct text signature;          /* empty: none */
    uint32_t first_line, last_line; /* of its code; 0: not known */
};

enum atomicity_claim declared_methods_find(const struct declared_methods *declared,
                                           const struct declared_asked *asked);

/* `class_name` gives the package. `line` 0: on any line. */
bool declared_methods_has_block(const struct declared_methods *declared, struct text class_name,
                                struct text file, uint32_t line);

#endif
