#include "classfile/zip_directory.h"

#define END_RECORD 0x06054b50u
#define END_RECORD_SIZE 22u
#define END64_LOCATOR 0x07064b50u
#define END64_LOCATOR_SIZE 20u
#define END64_RECORD 0x06064b50u
#define END64_RECORD_SIZE 56u
#define ENTRY_RECORD 0x02014b50u
#define ENTRY_RECORD_SIZE 46u
#define LOCAL_HEADER 0x04034b50u
#define LOCAL_HEADER_SIZE 30u
#define COMMENT_LIMIT 65535u

#define ZIP64_EXTRA 1u
#define ZIP64_VERSION 45u
#define IN_ZIP64_EXTRA UINT32_MAX /* a 32-bit field whose value is in the extra field instead */

/* The same for the fields of the end record, whose values are then in the 64-bit one. */
#define IN_END64_RECORD UINT32_MAX
#define COUNT_IN_END64_RECORD UINT16_MAX

static uint32_t u2_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static uint32_t u4_at(const uint8_t *bytes)
{
    return u2_at(bytes) | u2_at(bytes + 2) << 16;
}

static uint64_t u8_at(const uint8_t *bytes)
{
    return (uint64_t)u4_at(bytes) | (uint64_t)u4_at(bytes + 4) << 32;
}

static bool is_at(const uint8_t *bytes, size_t size, size_t position, uint32_t signature)
{
    return position <= size && size - position >= 4 && u4_at(bytes + position) == signature;
}

/* An end record's signature may stand in a comment by chance: the comment must reach to the end
   of the file, or the directory must be where the record says. */
static bool is_end_record(const uint8_t *bytes, size_t size, size_t position)
{
    if (!is_at(bytes, size, position, END_RECORD))
        return false;
    size_t comment = u2_at(bytes + position + 20);
    if (position + END_RECORD_SIZE + comment == size)
        return true;
    size_t directory_size = u4_at(bytes + position + 12);
    return directory_size >= ENTRY_RECORD_SIZE && directory_size <= position &&
           is_at(bytes, size, position - directory_size, ENTRY_RECORD);
}

static bool find_end_record(const uint8_t *bytes, size_t size, size_t *found)
{
    if (size < END_RECORD_SIZE)
        return false;
    size_t position = size - END_RECORD_SIZE;
    size_t first = position > COMMENT_LIMIT ? position - COMMENT_LIMIT : 0;
    for (;; position--) {
        if (is_end_record(bytes, size, position)) {
            *found = position;
            return true;
        }
        if (position == first)
            return false;
    }
}

bool zip_directory_is_there(const void *bytes, size_t size)
{
    size_t position;
    return find_end_record(bytes, size, &position);
}

/* The place of the 64-bit end record, if there is one before the end record at `end`. */
static bool find_end64_record(const uint8_t *bytes, size_t end, size_t *found)
{
    if (end < END64_LOCATOR_SIZE + END64_RECORD_SIZE ||
        u4_at(bytes + end - END64_LOCATOR_SIZE) != END64_LOCATOR)
        return false;
    uint64_t position = u8_at(bytes + end - END64_LOCATOR_SIZE + 8);
    /* Behind a prefix the offset is too small by its length; then it stands before the locator. */
    if (position > end - END64_LOCATOR_SIZE - END64_RECORD_SIZE ||
        u4_at(bytes + position) != END64_RECORD)
        position = end - END64_LOCATOR_SIZE - END64_RECORD_SIZE;
    if (u4_at(bytes + position) != END64_RECORD)
        return false;
    *found = (size_t)position;
    return true;
}

/* Where the central directory is, by either end record. */
struct location {
    uint64_t entries, size, offset;
    size_t record; /* which the directory ends before */
};

/* Whether the JVM would not look at the 64-bit record, because the other one says something else;
   a directory must stand where that has it. */
static bool contradicts(const uint8_t *bytes, size_t size, const struct location *location,
                        const struct location *location64)
{
    bool agrees =
        (location->entries == location64->entries || location->entries == COUNT_IN_END64_RECORD) &&
        (location->size == location64->size || location->size == IN_END64_RECORD) &&
        (location->offset == location64->offset || location->offset == IN_END64_RECORD);
    return !agrees && location->size >= ENTRY_RECORD_SIZE && location->size <= location->record &&
           is_at(bytes, size, location->record - (size_t)location->size, ENTRY_RECORD);
}

static struct location locate(const uint8_t *bytes, size_t size, size_t end)
{
    struct location location = {.entries = u2_at(bytes + end + 10),
                                .size = u4_at(bytes + end + 12),
                                .offset = u4_at(bytes + end + 16),
                                .record = end};
    size_t end64;
    if (!find_end64_record(bytes, end, &end64))
        return location;
    struct location location64 = {.entries = u8_at(bytes + end64 + 32),
                                  .size = u8_at(bytes + end64 + 40),
                                  .offset = u8_at(bytes + end64 + 48),
                                  .record = end64};
    return contradicts(bytes, size, &location, &location64) ? location : location64;
}

bool zip_directory_open(struct zip_directory *directory, const void *bytes, size_t size,
                        struct problem *problem)
{
    *directory = (struct zip_directory){.bytes = bytes, .size = size};
    const uint8_t *all = bytes;
    size_t end;
    if (!find_end_record(all, size, &end)) {
        if (is_at(all, size, 0, LOCAL_HEADER))
            problem_set(problem, size, "archive is cut off: it has no central directory");
        else
            problem_set(problem, 0, "is not a zip archive");
        return false;
    }
    struct location location = locate(all, size, end);
    if (location.size > location.record || location.offset > location.record - location.size) {
        problem_set(problem, location.record,
                    "central directory of %llu bytes at %llu does not fit before its end record",
                    (unsigned long long)location.size, (unsigned long long)location.offset);
        return false;
    }
    if (location.entries > location.size / ENTRY_RECORD_SIZE) {
        problem_set(problem, location.record,
                    "central directory of %llu bytes cannot hold %llu entries",
                    (unsigned long long)location.size, (unsigned long long)location.entries);
        return false;
    }
    size_t comment = u2_at(all + end + 20);
    directory->position = location.record - (size_t)location.size;
    directory->limit = location.record;
    directory->start = directory->position - (size_t)location.offset;
    directory->end =
        comment < size - end - END_RECORD_SIZE ? end + END_RECORD_SIZE + comment : size;
    return true;
}

uint64_t zip_directory_most_entries(const struct zip_directory *directory)
{
    return (directory->limit - directory->position) / ENTRY_RECORD_SIZE;
}

/* What of the three values is too large for the record itself is in an extra field, in order. */
static void read_zip64_extra(const uint8_t *extra, size_t length, uint64_t *sizes_and_offset[3])
{
    while (length >= 4) {
        size_t field = u2_at(extra + 2);
        if (field > length - 4)
            return;
        if (u2_at(extra) == ZIP64_EXTRA) {
            const uint8_t *value = extra + 4;
            for (int i = 0; i < 3; i++) {
                if (*sizes_and_offset[i] != IN_ZIP64_EXTRA)
                    continue;
                if (field < 8)
                    return;
                *sizes_and_offset[i] = u8_at(value);
                value += 8;
                field -= 8;
            }
            return;
        }
        extra += 4 + field;
        length -= 4 + field;
    }
}

bool zip_directory_next(const struct zip_directory *directory, size_t *cursor,
                        struct zip_directory_entry *entry, struct problem *problem)
{
    const uint8_t *record = directory->bytes + *cursor;
    size_t left = directory->limit - *cursor;
    if (left < ENTRY_RECORD_SIZE || u4_at(record) != ENTRY_RECORD) {
        problem_set(problem, *cursor, "central directory is broken: no entry stands here");
        return false;
    }
    size_t name = u2_at(record + 28);
    size_t extra = u2_at(record + 30);
    size_t comment = u2_at(record + 32);
    if (name + extra + comment > left - ENTRY_RECORD_SIZE) {
        problem_set(problem, *cursor,
                    "central directory is broken: an entry reaches beyond its end");
        return false;
    }
    uint64_t compressed = u4_at(record + 20);
    uint64_t uncompressed = u4_at(record + 24);
    uint64_t offset = u4_at(record + 42);
    uint64_t *values[3] = {&uncompressed, &compressed, &offset};
    read_zip64_extra(record + ENTRY_RECORD_SIZE + name, extra, values);
    *entry = (struct zip_directory_entry){
        .name = text_of(record + ENTRY_RECORD_SIZE, name),
        .local_offset = offset,
        .compressed_size = compressed,
        .size = uncompressed,
        .crc = u4_at(record + 16),
        .flags = u2_at(record + 8),
        .method = u2_at(record + 10),
        .header_offset = offset > directory->size - directory->start
                             ? directory->size
                             : directory->start + (size_t)offset,
    };
    *cursor += ENTRY_RECORD_SIZE + name + extra + comment;
    return true;
}

const char *zip_directory_misplaced(const struct zip_directory *directory,
                                    const struct zip_directory_entry *entry)
{
    size_t end = directory->position;
    size_t header = entry->header_offset;
    if (header > end || end - header < LOCAL_HEADER_SIZE)
        return "entry is said to begin behind all entries";
    const uint8_t *bytes = directory->bytes + header;
    if (u4_at(bytes) != LOCAL_HEADER)
        return "entry is said to begin where no local header stands";
    size_t content = LOCAL_HEADER_SIZE + u2_at(bytes + 26) + u2_at(bytes + 28);
    if (content > end - header || entry->compressed_size > end - header - content)
        return "entry reaches into the central directory";
    return NULL;
}

static void put_u2(struct writer *out, unsigned value)
{
    writer_u1(out, (uint8_t)value);
    writer_u1(out, (uint8_t)(value >> 8));
}

static void put_u4(struct writer *out, uint32_t value)
{
    put_u2(out, value & 0xFFFFu);
    put_u2(out, value >> 16);
}

static void put_u8(struct writer *out, uint64_t value)
{
    put_u4(out, (uint32_t)value);
    put_u4(out, (uint32_t)(value >> 32));
}

void zip_directory_write_entry(struct writer *out, const struct zip_directory_entry *entry)
{
    put_u4(out, ENTRY_RECORD);
    put_u2(out, ZIP64_VERSION);
    put_u2(out, ZIP64_VERSION);
    put_u2(out, entry->flags);
    put_u2(out, entry->method);
    put_u4(out, 0); /* time and date */
    put_u4(out, entry->crc);
    for (int i = 0; i < 2; i++)
        put_u4(out, IN_ZIP64_EXTRA);
    put_u2(out, (unsigned)entry->name.length);
    put_u2(out, 4 + 3 * 8);
    put_u2(out, 0); /* comment */
    put_u2(out, 0); /* disk */
    put_u2(out, 0); /* attributes */
    put_u4(out, 0);
    put_u4(out, IN_ZIP64_EXTRA);
    writer_bytes(out, entry->name.bytes, entry->name.length);
    put_u2(out, ZIP64_EXTRA);
    put_u2(out, 3 * 8);
    put_u8(out, entry->size);
    put_u8(out, entry->compressed_size);
    put_u8(out, entry->local_offset);
}

void zip_directory_write_end(struct writer *out, uint64_t entries, uint64_t position)
{
    uint64_t directory_size = out->size;
    put_u4(out, END64_RECORD);
    put_u8(out, END64_RECORD_SIZE - 12);
    put_u2(out, ZIP64_VERSION);
    put_u2(out, ZIP64_VERSION);
    put_u8(out, 0); /* disks */
    put_u8(out, entries);
    put_u8(out, entries);
    put_u8(out, directory_size);
    put_u8(out, position);
    put_u4(out, END64_LOCATOR);
    put_u4(out, 0); /* disk */
    put_u8(out, position + directory_size);
    put_u4(out, 1); /* disks */
    put_u4(out, END_RECORD);
    put_u4(out, 0); /* disks; what follows is in the 64-bit record */
    for (int i = 0; i < 3; i++)
        put_u4(out, UINT32_MAX);
    put_u2(out, 0); /* comment */
}
