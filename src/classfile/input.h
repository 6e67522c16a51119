/*
 * input: where classes come from.
 *
 * A path may be a class file, a directory tree, a jar, zip or jmod, a war or ear (jars inside
 * jars), a JDK's lib/modules image, or a JDK's home directory. input_walk hands out every class in
 * it, one at a time or on several threads.
 *
 * What a file is, its content says, not its name; only inside directories and archives do names
 * decide what is looked at (.class, .jar, .war, .ear, .zip, .jmod). The limits are in jar.h.
 *
 * Archives are hostile until shown otherwise: names that leave the archive, duplicate names, sizes
 * out of proportion and broken entries are reported as problems, and the rest is still read.
 * Of entries with the same name the last is taken, as the JVM's class loaders do.
 */
#ifndef TURNSTILE_CLASSFILE_INPUT_H
#define TURNSTILE_CLASSFILE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diagnostics.h"
#include "base/text.h"

/* One class as bytes. All of it is valid only during the call. */
struct input_class {
    struct text path;  /* for messages: "lib/a.jar!/p/C.class" or, from an archive inside,
                          "w.war!/WEB-INF/lib/a.jar!/p/C.class" */
    struct text entry; /* the name inside its root, "p/C.class": without WEB-INF/classes/,
                          META-INF/versions/9/, classes/ of a jmod, or /java.base/ of an image */
    const uint8_t *bytes;
    size_t size;
    unsigned worker; /* which of the walk's threads calls, 0 .. workers-1 */
};

typedef void (*input_function)(void *context, const struct input_class *input);

struct input_options {
    unsigned workers;  /* at most this many threads; 0 and 1: the caller's alone */
    unsigned release;  /* Java release whose META-INF/versions apply; 0: only the base entries */
    bool all_versions; /* every entry of a multi-release jar, for tools that look at files, not
                          programs */
    const char *name;  /* what to call a file, for messages; NULL: as the path */
};

/* Calls the function for each class found under the path, in any order if there are several
   workers, else in a fixed one. What cannot be read is reported to the diagnostics as an error, one
   line each. False if the path itself could not be used at all. */
bool input_walk(const char *path, const struct input_options *options,
                struct diagnostics *diagnostics, input_function function, void *context);

/* ---- classes by name ---- */

/* A place to look classes up in: a class path entry or a JDK. */
struct input_root;

/* Opens any path that input_walk takes, except a single class file. NULL after reporting why not.
   `options->workers` is not used. */
struct input_root *input_root_open(const char *path, const struct input_options *options,
                                   struct diagnostics *diagnostics);
void input_root_close(struct input_root *root);

enum input_found { INPUT_FOUND, INPUT_MISSING, INPUT_BROKEN };

/* The bytes of a class by internal name ("java/util/Map"), in the arena (or, if the root maps its
   file, pointing into that). INPUT_BROKEN sets the problem. Several threads may look up in one
   root, each with an arena of its own. */
enum input_found input_root_find(struct input_root *root, struct text internal_name,
                                 struct arena *arena, const uint8_t **bytes, size_t *size,
                                 struct problem *problem);

/* The home of the JDK to look platform classes up in: $JAVA_HOME, or that of the `java` on the
   PATH, or the newest under the usual folders; a text copied to the arena, empty if there is none.
 */
struct text input_find_jdk(struct arena *arena);

/* The feature release of a JDK home (17, 25), from its `release` file; 0 if it is not one. */
unsigned input_jdk_release(struct text home);

#endif
