/*
 * class_writer: class model -> bytes. Writing a model that was read gives the bytes it came from.
 */
#ifndef TURNSTILE_CLASSFILE_CLASS_WRITER_H
#define TURNSTILE_CLASSFILE_CLASS_WRITER_H

#include "base/writer.h"
#include "classfile/class_file.h"

/* Appends the class. Only memory can fail: see writer->failed. */
void class_write(struct writer *writer, const struct class_file *class_file);

#endif
