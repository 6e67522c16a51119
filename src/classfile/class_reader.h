/*
 * class_reader: bytes -> checked class model.
 */
#ifndef TURNSTILE_CLASSFILE_CLASS_READER_H
#define TURNSTILE_CLASSFILE_CLASS_READER_H

#include <stddef.h>

#include "base/arena.h"
#include "base/problem.h"
#include "classfile/class_file.h"

/* The model, in the arena, pointing into the bytes. NULL with the problem set (offset of the first
   bad byte, and what is wrong with it) when the bytes are not a class file that the JVM could load,
   or memory ran out ("out of memory", without an offset); else the problem is clear. As strict as
   the JVM with -Xverify:all about the format, not stricter. Reads nothing outside the bytes, takes
   time and memory linear in `size`. */
struct class_file *class_read(struct arena *arena, const void *bytes, size_t size,
                              struct problem *problem);

#endif
