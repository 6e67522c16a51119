/*
 * zip_directory: the central directory of a zip archive.
 *
 * libzip inflates entries and checks them, but does not say where in the archive an entry stands,
 * cuts names at their first zero byte, does not find an archive behind a prefix (the header of a
 * jmod, the shell script of an executable jar), and refuses all of an archive for one bad record.
 * So the directory, which is the only place where the JVM looks too, is read here, and libzip is
 * given one that was cleaned. All reading is bounds-checked; names point into the archive's bytes.
 */
#ifndef TURNSTILE_CLASSFILE_ZIP_DIRECTORY_H
#define TURNSTILE_CLASSFILE_ZIP_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"
#include "base/text.h"
#include "base/writer.h"

struct zip_directory {
    const uint8_t *bytes;
    size_t size;
    size_t start;    /* first byte of the archive, behind a prefix */
    size_t end;      /* behind the end record and its comment */
    size_t position; /* of the first record of the central directory */
    size_t limit; /* behind its last record. How many there are the end record says too, but wrong
                     for more than 65,535, and the JVM does not ask it */
};

struct zip_directory_entry {
    struct text name;      /* as it stands in the archive: any bytes */
    size_t header_offset;  /* of the entry's local header, counted in all of the bytes */
    uint64_t local_offset; /* the same, as the archive says it */
    uint64_t compressed_size;
    uint64_t size; /* as declared */
    uint32_t crc;
    unsigned flags;
    unsigned method;
};

#define ZIP_DIRECTORY_ENCRYPTED 1u /* flag */
#define ZIP_DIRECTORY_STORED 0u    /* methods */
#define ZIP_DIRECTORY_DEFLATED 8u

/* True if an end record is there, so that the bytes were meant to be an archive that ends here. */
bool zip_directory_is_there(const void *bytes, size_t size);

/* Finds the central directory; the bytes must outlive it. */
bool zip_directory_open(struct zip_directory *directory, const void *bytes, size_t size,
                        struct problem *problem);

/* It cannot hold more. */
uint64_t zip_directory_most_entries(const struct zip_directory *directory);

/* The record at the cursor, which starts at directory->position and moves on to the next one. */
bool zip_directory_next(const struct zip_directory *directory, size_t *cursor,
                        struct zip_directory_entry *entry, struct problem *problem);

/* Why an entry that the directory lists cannot be where it is said to be; NULL if it can. */
const char *zip_directory_misplaced(const struct zip_directory *directory,
                                    const struct zip_directory_entry *entry);

/* The other way round, a directory of our own that stands at `position` and does not have what we
   do not want: a record (of which `header_offset` is not used), and the end behind all of them. */
void zip_directory_write_entry(struct writer *out, const struct zip_directory_entry *entry);
void zip_directory_write_end(struct writer *out, uint64_t entries, uint64_t position);

#endif
