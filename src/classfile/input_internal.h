/*
 * input_internal: what the parts of input share. One file for each kind of place: input_archive.c,
 * input_image.c, input_directory.c, input_jdk.c; input.c tells them apart; input_root.c looks up.
 */
#ifndef TURNSTILE_CLASSFILE_INPUT_INTERNAL_H
#define TURNSTILE_CLASSFILE_INPUT_INTERNAL_H

#include "base/arena.h"
#include "base/builder.h"
#include "base/vector.h"
#include "base/writer.h"
#include "classfile/input.h"
#include "classfile/jar.h"

/* What input_walk was asked for. */
struct input_walk {
    struct input_options options; /* workers: at least 1 */
    struct diagnostics *diagnostics;
    input_function function;
    void *context;
};

/* Hands one class to the caller. */
void input_walk_class(const struct input_walk *walk, struct text path, struct text entry,
                      const uint8_t *bytes, size_t size, unsigned worker);

/* Whatever the file holds, told by its content. False, after reporting, if it is unusable. */
bool input_walk_file(const struct input_walk *walk, const char *path);

/* An archive in memory. `where` names it; `depth` counts the archives around it. */
bool input_walk_archive(const struct input_walk *walk, struct text where, const uint8_t *bytes,
                        size_t size, unsigned depth, struct jar_budget *budget);

/* A modules image in memory. */
bool input_walk_image(const struct input_walk *walk, struct text where, const uint8_t *bytes,
                      size_t size);

bool input_walk_directory(const struct input_walk *walk, const char *path);

/* The files of a directory tree that matter, sorted by name, directory by directory. Paths begin
   with the directory's, and a zero stands behind them. */
struct input_listing {
    struct arena arena;
    VECTOR(struct text) classes;
    VECTOR(struct text) archives;
};

void input_listing_init(struct input_listing *listing);
void input_listing_release(struct input_listing *listing);

/* Parts that cannot be read are reported and left out; false if that is the directory itself.
   Symbolic links are followed; a directory that is reached twice is listed once. */
bool input_listing_fill(struct input_listing *listing, const char *directory,
                        struct diagnostics *diagnostics);

/* Reads a regular file into the buffer, which is cleared first. */
bool input_read_file(const char *path, struct writer *buffer, size_t limit,
                     struct problem *problem);

/* The files that hold the platform's classes, if the directory is the home of a JDK or JRE: its
   lib/modules, or all its jmods, or the jars of Java 8. They are added as zero-ended texts in the
   arena; none if it is not such a home. False when there is no memory. */
struct input_files {
    VECTOR(struct text) paths;
};

bool input_jdk_files(const char *home, struct arena *arena, struct input_files *files);

#endif
