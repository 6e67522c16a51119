/*
 * zip_bytes: archives made byte by byte, because no tool makes bad ones.
 *
 *     struct zip_bytes zip;
 *     zip_bytes_init(&zip);
 *     zip_bytes_store(&zip, "p/C.class", bytes, size);
 *     zip_bytes_finish(&zip);
 *     ... zip.out.bytes, zip.out.size ...
 *     zip_bytes_release(&zip);
 *
 * Any byte can be changed afterwards: the places of all headers are known.
 */
#ifndef TURNSTILE_TEST_ZIP_BYTES_H
#define TURNSTILE_TEST_ZIP_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/text.h"
#include "base/writer.h"

#define ZIP_BYTES_STORED 0
#define ZIP_BYTES_DEFLATED 8
#define ZIP_BYTES_ENCRYPTED 1 /* flag */

struct zip_bytes {
    struct writer out;
    struct writer directory;
    unsigned count;
    size_t last_header; /* of the entry added last */
};

struct zip_bytes_entry {
    struct text name;
    uint16_t method;
    uint16_t flags;
    uint32_t crc;
    uint32_t size; /* as declared */
    const void *content;
    size_t content_size; /* in the archive */
};

static inline void zip_bytes_u2(struct writer *out, unsigned value)
{
    writer_u1(out, (uint8_t)value);
    writer_u1(out, (uint8_t)(value >> 8));
}

static inline void zip_bytes_u4(struct writer *out, size_t value)
{
    zip_bytes_u2(out, value & 0xFFFF);
    zip_bytes_u2(out, value >> 16 & 0xFFFF);
}

static inline void zip_bytes_init(struct zip_bytes *zip)
{
    memset(zip, 0, sizeof *zip);
    writer_init(&zip->out);
    writer_init(&zip->directory);
}

static inline void zip_bytes_release(struct zip_bytes *zip)
{
    writer_release(&zip->out);
    writer_release(&zip->directory);
}

/* The fields that local header and directory record have in common. */
static inline void zip_bytes_common(struct writer *out, const struct zip_bytes_entry *entry)
{
    zip_bytes_u2(out, 20); /* version needed */
    zip_bytes_u2(out, entry->flags);
    zip_bytes_u2(out, entry->method);
    zip_bytes_u4(out, 0x21u << 16); /* 1980-01-01 00:00 */
    zip_bytes_u4(out, entry->crc);
    zip_bytes_u4(out, entry->content_size);
    zip_bytes_u4(out, entry->size);
    zip_bytes_u2(out, (unsigned)entry->name.length);
    zip_bytes_u2(out, 0); /* extra field */
}

/* A directory record for the local header at `offset`. */
static inline void zip_bytes_list(struct zip_bytes *zip, const struct zip_bytes_entry *entry,
                                  size_t offset)
{
    struct writer *out = &zip->directory;
    zip_bytes_u4(out, 0x02014b50);
    zip_bytes_u2(out, 20); /* version made by */
    zip_bytes_common(out, entry);
    zip_bytes_u2(out, 0); /* comment */
    zip_bytes_u2(out, 0); /* disk */
    zip_bytes_u2(out, 0); /* internal attributes */
    zip_bytes_u4(out, 0); /* external attributes */
    zip_bytes_u4(out, offset);
    writer_bytes(out, entry->name.bytes, entry->name.length);
    zip->count++;
}

static inline void zip_bytes_add(struct zip_bytes *zip, const struct zip_bytes_entry *entry)
{
    struct writer *out = &zip->out;
    zip->last_header = out->size;
    zip_bytes_u4(out, 0x04034b50);
    zip_bytes_common(out, entry);
    writer_bytes(out, entry->name.bytes, entry->name.length);
    writer_bytes(out, entry->content, entry->content_size);
    zip_bytes_list(zip, entry, zip->last_header);
}

static inline uint32_t zip_bytes_crc(const void *content, size_t size)
{
    return (uint32_t)crc32(0, content, (uInt)size);
}

static inline void zip_bytes_store_text(struct zip_bytes *zip, struct text name,
                                        const void *content, size_t size)
{
    struct zip_bytes_entry entry = {.name = name,
                                    .method = ZIP_BYTES_STORED,
                                    .crc = zip_bytes_crc(content, size),
                                    .size = (uint32_t)size,
                                    .content = content,
                                    .content_size = size};
    zip_bytes_add(zip, &entry);
}

static inline void zip_bytes_store(struct zip_bytes *zip, const char *name, const void *content,
                                   size_t size)
{
    zip_bytes_store_text(zip, text_from(name), content, size);
}

static inline void zip_bytes_store_string(struct zip_bytes *zip, const char *name,
                                          const char *content)
{
    zip_bytes_store(zip, name, content, strlen(content));
}

/* Raw deflate, as archives have it; the result is in the writer. */
static inline void zip_bytes_compress(struct writer *out, const void *content, size_t size)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)content, .avail_in = (uInt)size};
    if (deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    size_t bound = deflateBound(&stream, (uLong)size);
    stream.next_out = writer_extend(out, bound);
    stream.avail_out = (uInt)bound;
    if (!stream.next_out || deflate(&stream, Z_FINISH) != Z_STREAM_END)
        abort();
    out->size -= stream.avail_out;
    deflateEnd(&stream);
}

/* Adds the content deflated; `entry` may have been filled with lies by `change`, or that is NULL.
 */
static inline void zip_bytes_deflate(struct zip_bytes *zip, const char *name, const void *content,
                                     size_t size, void (*change)(struct zip_bytes_entry *))
{
    struct writer packed;
    writer_init(&packed);
    zip_bytes_compress(&packed, content, size);
    struct zip_bytes_entry entry = {.name = text_from(name),
                                    .method = ZIP_BYTES_DEFLATED,
                                    .crc = zip_bytes_crc(content, size),
                                    .size = (uint32_t)size,
                                    .content = packed.bytes,
                                    .content_size = packed.size};
    if (change)
        change(&entry);
    zip_bytes_add(zip, &entry);
    writer_release(&packed);
}

/* The central directory and the end record, whose offsets count from `prefix`. */
static inline void zip_bytes_finish_behind(struct zip_bytes *zip, size_t prefix,
                                           const char *comment)
{
    struct writer *out = &zip->out;
    size_t start = out->size - prefix;
    writer_bytes(out, zip->directory.bytes, zip->directory.size);
    zip_bytes_u4(out, 0x06054b50);
    zip_bytes_u4(out, 0); /* disks */
    zip_bytes_u2(out, zip->count);
    zip_bytes_u2(out, zip->count);
    zip_bytes_u4(out, zip->directory.size);
    zip_bytes_u4(out, start);
    zip_bytes_u2(out, (unsigned)strlen(comment));
    writer_bytes(out, comment, strlen(comment));
    if (out->failed)
        abort();
}

static inline void zip_bytes_finish(struct zip_bytes *zip)
{
    zip_bytes_finish_behind(zip, 0, "");
}

/* A class without members, as bytes of a class file of Java 8. */
static inline void zip_bytes_class(struct writer *out, const char *internal_name)
{
    static const char object[] = "java/lang/Object";
    writer_u4(out, 0xCAFEBABE);
    writer_u4(out, 52);
    writer_u2(out, 5); /* constants 1 to 4: class, its name, super class, its name */
    writer_u1(out, 7);
    writer_u2(out, 2);
    writer_u1(out, 1);
    writer_u2(out, (uint16_t)strlen(internal_name));
    writer_bytes(out, internal_name, strlen(internal_name));
    writer_u1(out, 7);
    writer_u2(out, 4);
    writer_u1(out, 1);
    writer_u2(out, sizeof object - 1);
    writer_bytes(out, object, sizeof object - 1);
    writer_u2(out, 0x21); /* public super */
    writer_u2(out, 1);
    writer_u2(out, 3);
    for (int i = 0; i < 4; i++)
        writer_u2(out, 0); /* no interfaces, fields, methods, attributes */
}

#endif
