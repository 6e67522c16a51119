/*
 * constant_pool: reads, checks and writes the constants of a class.
 */
#ifndef TURNSTILE_CLASSFILE_CONSTANT_POOL_H
#define TURNSTILE_CLASSFILE_CONSTANT_POOL_H

#include "base/reader.h"
#include "base/writer.h"
#include "classfile/class_file.h"
#include "classfile/class_parse.h"

/* From the count to the last constant, with every reference between constants checked; sets the
   class file's constants and the parse's knowledge of them. The version must have been read. */
void constant_pool_read(struct class_parse *parse, struct reader *reader);

/* Fails at a constant, named in the message, that was read before. */
void constant_pool_fail(struct class_parse *parse, uint16_t index, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));

void constant_pool_write(struct writer *writer, const struct class_file *class_file);

#endif
