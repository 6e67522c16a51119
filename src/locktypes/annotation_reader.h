/*
 * annotation_reader: lock types from annotations in class files.
 *
 * Ours (package turnstile.annotation), and those that Java code already carries: GuardedBy of
 * net.jcip.annotations, javax.annotation.concurrent, com.google.errorprone.annotations.concurrent,
 * com.google.errorprone.annotations, androidx.annotation, org.checkerframework.checker.lock.qual
 * (also as a type annotation) with Holding; Immutable, NotThreadSafe, ThreadSafe. Which annotation
 * means what stands in annotations.def. On a method GuardedBy means `requires`.
 *
 * Members are named by their descriptors; a method's parameters are those of its descriptor, also
 * where the source has fewer (enums, inner classes). One string may name several locks: "a, b".
 */
#ifndef TURNSTILE_LOCKTYPES_ANNOTATION_READER_H
#define TURNSTILE_LOCKTYPES_ANNOTATION_READER_H

#include "locktypes/syntax_parser.h"
#include "program/program.h"

/* The annotations of all application classes. Strings that cannot be parsed are in the errors, at
   the place of their member, whose message begins with "@GuardedBy on p.C.member: ". False when
   there is no memory. */
bool annotation_reader_read(struct declarations *result, struct arena *arena,
                            const struct program *program, struct syntax_errors *errors);

#endif
