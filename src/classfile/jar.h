/*
 * jar: the classes, and the archives, in one zip archive in memory: jar, war, ear, zip, jmod.
 *
 * Opening a jar lists what of it belongs to a program, in the order of the archive: names that
 * leave the archive are reported and left out, of entries with the same name the last stays (it is
 * the one that every JVM class loader takes), and of a multi-release jar each class stays in the
 * version that the given release would load. Reading an entry never trusts the sizes that the
 * archive declares. Nothing is written to disk, and names are never used as paths.
 *
 * A jar is not changed after it was opened: any number of readers, one a thread, may share it.
 */
#ifndef TURNSTILE_CLASSFILE_JAR_H
#define TURNSTILE_CLASSFILE_JAR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diagnostics.h"
#include "base/problem.h"
#include "base/text.h"
#include "base/vector.h"
#include "base/writer.h"
#include "classfile/zip_directory.h"

/* The parts of a class file are bounded by 16-bit counts, but attributes may be long; generated
   parsers reach a few megabytes, so this is well beyond any real class. */
#define JAR_CLASS_LIMIT ((size_t)64 << 20)

/* An archive inside an archive is inflated into memory as a whole. */
#define JAR_NESTED_LIMIT ((size_t)1 << 30)

/* Signed jars list each entry in their manifest: some megabytes for the largest ones. */
#define JAR_MANIFEST_LIMIT ((size_t)32 << 20)

/* jar in war in ear is 2; installers and test data add a level or two. */
#define JAR_DEPTH_LIMIT 4u

/* What an archive on disk may inflate to, archives inside it included. Class files shrink to a
   third or so; a hundred times is a bomb, unless the archive is small. */
#define JAR_BUDGET_FREE ((uint64_t)256 << 20)
#define JAR_BUDGET_FACTOR 100u

/* Deflate turns one bit into at most 258 bytes of a run, in practice at most 1032 : 1. */
#define JAR_DEFLATE_FACTOR 1032u

/* Shared by all that is read from one archive on disk, on all threads. */
struct jar_budget {
    uint64_t total;
    _Atomic uint64_t used;
    atomic_flag reported; /* the one message about it was taken by somebody */
};

void jar_budget_init(struct jar_budget *budget, size_t archive_size);
bool jar_budget_is_spent(const struct jar_budget *budget);

enum jar_kind { JAR_CLASS, JAR_ARCHIVE };

struct jar_entry {
    struct zip_directory_entry record;
    struct text name;  /* in the archive, whole */
    struct text entry; /* without WEB-INF/classes/, META-INF/versions/9/, classes/ of a jmod ... */
    size_t offset;     /* of its local header, for messages */
    uint64_t index;    /* libzip's */
    unsigned version;  /* N of META-INF/versions/N/, else 0 */
    enum jar_kind kind;
    bool repeated; /* the name occurs again: was reported */
};

struct jar {
    struct zip_directory directory;
    VECTOR(struct jar_entry) entries;
    struct writer index; /* a central directory of just these entries, for libzip */
    bool jmod;
    bool multi_release;
};

struct jar_options {
    unsigned release;                /* 0: base entries only */
    bool all_versions;               /* all entries, whether multi-release or not */
    struct text where;               /* the archive, for messages */
    struct diagnostics *diagnostics; /* for problems with single entries */
    struct jar_budget *budget;
};

/* True if the bytes can only be meant as an archive: a zip, perhaps behind a prefix, or a jmod. */
bool jar_is_one(const void *bytes, size_t size);

/* True if a file or entry of this name is expected to be an archive. */
bool jar_is_name_of_one(struct text name);

/* The bytes must outlive the jar. False with a problem if the archive as a whole is unusable. */
bool jar_open(struct jar *jar, const void *bytes, size_t size, const struct jar_options *options,
              struct problem *problem);
void jar_close(struct jar *jar);

/* "WHERE: at byte N: REASON" for an entry of the archive WHERE. */
void jar_report(struct diagnostics *diagnostics, enum diagnostics_level level, struct text where,
                struct text entry_name, const struct problem *problem);

/* Makes the directory that libzip sees, of the entries. False when there is no memory. */
bool jar_index_entries(struct jar *jar);

/* One thread's way into a jar. */
struct jar_reader {
    struct zip *zip;
    struct zip_directory directory;
    struct writer buffer; /* the entry read last */
};

bool jar_reader_init(struct jar_reader *reader, const struct jar *jar, struct problem *problem);
void jar_reader_release(struct jar_reader *reader);

/* Inflates the entry into reader->buffer, at most `limit` bytes. The budget may be NULL. */
bool jar_reader_read(struct jar_reader *reader, const struct jar_entry *entry, size_t limit,
                     struct jar_budget *budget, struct problem *problem);

#endif
