/*
 * jimage: the JDK's lib/modules, which holds the classes of all modules of a run-time image.
 *
 * The file is a header, a perfect hash table over resource names
 * ("/java.base/java/util/Map.class"), the attributes and strings that the table leads to, and then
 * the resources, which jlink may have compressed. Everything but the strings is in the byte order
 * of the machine it was made for; an image of the other order is refused. The file is trusted no
 * more than any other: each offset is checked where it is used.
 *
 * An image is not changed after it was opened and may be shared by threads; a buffer may not.
 */
#ifndef TURNSTILE_CLASSFILE_JIMAGE_H
#define TURNSTILE_CLASSFILE_JIMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"
#include "base/text.h"
#include "base/writer.h"

/* As for classes in jars: far beyond any real resource that is a class. */
#define JIMAGE_RESOURCE_LIMIT ((size_t)64 << 20)

struct jimage {
    const uint8_t *bytes;
    size_t size;
    uint32_t table_length; /* of both tables */
    size_t redirects;      /* where the parts of the index begin */
    size_t offsets;
    size_t locations;
    size_t strings;
    size_t resources; /* behind the index */
};

/* One resource: "/module/parent/base.extension". */
struct jimage_location {
    struct text module;
    struct text parent;
    struct text base;
    struct text extension;
    uint64_t offset;       /* in the resources */
    uint64_t compressed;   /* 0: not compressed */
    uint64_t uncompressed; /* size */
};

enum jimage_found { JIMAGE_FOUND, JIMAGE_MISSING, JIMAGE_BROKEN };

/* For compressed resources: two, because decompressors may be stacked. */
struct jimage_buffer {
    struct writer parts[2];
};

/* True if the bytes begin like an image, of either byte order. */
bool jimage_is_one(const void *bytes, size_t size);

/* Checks the header; the bytes must outlive the image. There is nothing to close. */
bool jimage_open(struct jimage *image, const void *bytes, size_t size, struct problem *problem);

/* The location at `index` of the table, 0 .. table_length-1. */
bool jimage_location_at(const struct jimage *image, uint32_t index,
                        struct jimage_location *location, struct problem *problem);

/* By the whole name, "/java.base/java/util/Map.class" or "/packages/java.util". */
enum jimage_found jimage_find(const struct jimage *image, struct text name,
                              struct jimage_location *location, struct problem *problem);

/* A class by its internal name, "java/util/Map", in whichever module has its package. */
enum jimage_found jimage_find_class(const struct jimage *image, struct text internal_name,
                                    struct jimage_location *location, struct problem *problem);

/* True for what is a class of a module, not one of the image's own tables. */
bool jimage_location_is_class(const struct jimage_location *location);

/* The content, in the image itself or, if it is compressed there, in the buffer. */
bool jimage_read(const struct jimage *image, const struct jimage_location *location,
                 struct jimage_buffer *buffer, const uint8_t **bytes, size_t *size,
                 struct problem *problem);

void jimage_buffer_init(struct jimage_buffer *buffer);
void jimage_buffer_release(struct jimage_buffer *buffer);

/* A string of the image's table. False with a problem if it does not begin and end in it. */
bool jimage_string(const struct jimage *image, uint64_t offset, struct text *string,
                   struct problem *problem);

/* For jimage_read: takes the header off a compressed resource and undoes it, again and again as
   long as there is one. `position` is where the resource stands in the file, for problems. */
bool jimage_decompress(const struct jimage *image, size_t position, const uint8_t *content,
                       size_t content_size, struct jimage_buffer *buffer, const uint8_t **bytes,
                       size_t *size, struct problem *problem);

#endif
