#include <zip.h>

#include "classfile/jar.h"

/* Of this size at least, the buffer grows with what was really inflated. */
#define FIRST_STEP ((size_t)32 << 10)

void jar_budget_init(struct jar_budget *budget, size_t archive_size)
{
    budget->total = JAR_BUDGET_FREE + (uint64_t)JAR_BUDGET_FACTOR * archive_size;
    atomic_init(&budget->used, 0);
    atomic_flag_clear(&budget->reported);
}

bool jar_budget_is_spent(const struct jar_budget *budget)
{
    return atomic_load_explicit(&budget->used, memory_order_relaxed) > budget->total;
}

static bool spend(struct jar_budget *budget, size_t bytes)
{
    if (!budget)
        return true;
    uint64_t before = atomic_fetch_add_explicit(&budget->used, bytes, memory_order_relaxed);
    return before + bytes <= budget->total;
}

bool jar_index_entries(struct jar *jar)
{
    writer_clear(&jar->index);
    for (size_t i = 0; i < jar->entries.count; i++) {
        struct jar_entry *entry = &jar->entries.items[i];
        struct zip_directory_entry record = entry->record;
        entry->index = i;
        /* libzip refuses the archive for some methods. What is not readable is never asked for. */
        record.flags = 0;
        if (record.method != ZIP_DIRECTORY_DEFLATED)
            record.method = ZIP_DIRECTORY_STORED;
        zip_directory_write_entry(&jar->index, &record);
    }
    zip_directory_write_end(&jar->index, jar->entries.count,
                            jar->directory.position - jar->directory.start);
    return !jar->index.failed;
}

bool jar_reader_init(struct jar_reader *reader, const struct jar *jar, struct problem *problem)
{
    reader->zip = NULL;
    reader->directory = jar->directory;
    writer_init(&reader->buffer);
    const struct zip_directory *directory = &jar->directory;
    /* libzip does not change the bytes: they are not its own, and the archive is read-only. */
    zip_buffer_fragment_t parts[2] = {
        {.data = (zip_uint8_t *)(uintptr_t)(directory->bytes + directory->start),
         .length = directory->position - directory->start},
        {.data = jar->index.bytes, .length = jar->index.size},
    };
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = parts[0].length
                               ? zip_source_buffer_fragment_create(parts, 2, 0, &error)
                               : zip_source_buffer_fragment_create(parts + 1, 1, 0, &error);
    if (source) {
        reader->zip = zip_open_from_source(source, ZIP_RDONLY, &error);
        if (!reader->zip)
            zip_source_free(source);
    }
    if (!reader->zip)
        problem_set(problem, directory->position, "archive cannot be opened: %s",
                    zip_error_strerror(&error));
    zip_error_fini(&error);
    return reader->zip;
}

void jar_reader_release(struct jar_reader *reader)
{
    if (reader->zip)
        zip_discard(reader->zip);
    reader->zip = NULL;
    writer_release(&reader->buffer);
}

/* Whether it makes sense to start inflating. */
static bool check_entry(const struct jar_entry *entry, size_t limit, struct problem *problem)
{
    const struct zip_directory_entry *record = &entry->record;
    unsigned long long size = record->size;
    unsigned long long compressed = record->compressed_size;
    bool stored = record->method == ZIP_DIRECTORY_STORED;
    if (record->flags & ZIP_DIRECTORY_ENCRYPTED)
        problem_set(problem, entry->offset, "entry is encrypted");
    else if (!stored && record->method != ZIP_DIRECTORY_DEFLATED)
        problem_set(problem, entry->offset, "compression method %u is not one that Java reads",
                    record->method);
    else if (size > limit)
        problem_set(problem, entry->offset, "entry declares %llu bytes, more than the limit of %zu",
                    size, limit);
    else if (stored ? size != compressed : size / JAR_DEFLATE_FACTOR > compressed)
        problem_set(problem, entry->offset,
                    "entry declares %llu bytes, which its %llu bytes in the archive cannot be",
                    size, compressed);
    else
        return true;
    return false;
}

/* libzip's words, unless we know better: of an entry in a wrong place it only says that an argument
   is invalid. */
static void fail_entry(const struct jar_reader *reader, const struct jar_entry *entry,
                       const char *words, struct problem *problem)
{
    const char *misplaced = zip_directory_misplaced(&reader->directory, &entry->record);
    if (misplaced)
        problem_set(problem, entry->offset, "%s", misplaced);
    else
        problem_set(problem, entry->offset, "entry cannot be read: %s", words);
}

static bool inflate_entry(struct jar_reader *reader, zip_file_t *file, size_t declared,
                          const struct jar_entry *entry, struct jar_budget *budget,
                          struct problem *problem)
{
    struct writer *buffer = &reader->buffer;
    for (;;) {
        /* One byte more than declared: reading on to the end makes libzip check the checksum. */
        size_t step = declared + 1 - buffer->size;
        size_t most = buffer->size > FIRST_STEP ? buffer->size : FIRST_STEP;
        if (step > most)
            step = most;
        uint8_t *to = writer_extend(buffer, step);
        if (!to) {
            problem_set(problem, entry->offset, "no memory for an entry of %zu bytes", declared);
            return false;
        }
        zip_int64_t count = zip_fread(file, to, step);
        buffer->size -= step - (count > 0 ? (size_t)count : 0);
        if (count < 0) {
            fail_entry(reader, entry, zip_file_strerror(file), problem);
            return false;
        }
        if (!spend(budget, (size_t)count)) {
            problem_set(problem, entry->offset,
                        "archive inflates to more than %llu bytes: the rest is left out",
                        (unsigned long long)budget->total);
            return false;
        }
        if (buffer->size > declared) {
            problem_set(problem, entry->offset,
                        "entry has more than the %zu bytes that it declares", declared);
            return false;
        }
        if (count == 0 && buffer->size < declared)
            problem_set(problem, entry->offset, "entry has %zu bytes but declares %zu",
                        buffer->size, declared);
        if (count == 0)
            return !problem->set;
    }
}

bool jar_reader_read(struct jar_reader *reader, const struct jar_entry *entry, size_t limit,
                     struct jar_budget *budget, struct problem *problem)
{
    writer_clear(&reader->buffer);
    if (!check_entry(entry, limit, problem))
        return false;
    zip_file_t *file = zip_fopen_index(reader->zip, entry->index, 0);
    if (!file) {
        fail_entry(reader, entry, zip_strerror(reader->zip), problem);
        return false;
    }
    bool read = inflate_entry(reader, file, (size_t)entry->record.size, entry, budget, problem);
    zip_fclose(file);
    return read;
}
