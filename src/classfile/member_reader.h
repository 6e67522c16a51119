/*
 * member_reader: the fields and methods of a class, with the rules that the JVM has for their
 * flags.
 *
 * Internal to the class reader.
 */
#ifndef TURNSTILE_CLASSFILE_MEMBER_READER_H
#define TURNSTILE_CLASSFILE_MEMBER_READER_H

#include "base/reader.h"
#include "classfile/class_parse.h"

/* The count and that many fields or methods, into the class file. Its constants and flags must have
   been read. */
void member_read_fields(struct class_parse *parse, struct reader *reader);
void member_read_methods(struct class_parse *parse, struct reader *reader);

#endif
