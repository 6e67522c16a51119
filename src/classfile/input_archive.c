#include <stdatomic.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "classfile/input_internal.h"

/* Entries that a worker takes at once: some tens of microseconds of work each. */
#define CHUNK 32u

struct worker {
    struct jar_reader reader; /* libzip's archives are for one thread: each worker has its own */
    struct builder path;
    bool opened;
    bool failed;
};

struct archive {
    const struct input_walk *walk;
    struct text where;
    struct jar jar;
    struct jar_budget *budget;
    unsigned depth;
    struct worker *workers;
};

/* A spent budget is told once, by whoever met it first; the entries behind it are left out. */
static void report_entry(const struct archive *archive, const struct jar_entry *entry,
                         const struct problem *problem)
{
    if (jar_budget_is_spent(archive->budget) &&
        atomic_flag_test_and_set(&archive->budget->reported))
        return;
    jar_report(archive->walk->diagnostics, DIAGNOSTICS_ERROR, archive->where, entry->name, problem);
}

static bool open_worker(const struct archive *archive, struct worker *worker)
{
    if (!worker->opened && !worker->failed) {
        struct problem problem = {0};
        worker->opened = jar_reader_init(&worker->reader, &archive->jar, &problem);
        worker->failed = !worker->opened;
        if (worker->failed)
            diagnostics_problem(archive->walk->diagnostics, DIAGNOSTICS_ERROR, archive->where,
                                &problem);
    }
    return worker->opened;
}

/* "outer.jar!/p/C.class", or as much of it as there is memory for. */
static struct text entry_path(const struct archive *archive, struct builder *path,
                              const struct jar_entry *entry)
{
    builder_clear(path);
    builder_add(path, archive->where);
    builder_add(path, TEXT("!/"));
    builder_add(path, entry->name);
    return path->failed ? entry->name : builder_text(path);
}

static void walk_class(const struct archive *archive, struct worker *worker, unsigned number,
                       const struct jar_entry *entry)
{
    if (jar_budget_is_spent(archive->budget))
        return;
    struct problem problem = {0};
    struct writer *buffer = &worker->reader.buffer;
    if (!jar_reader_read(&worker->reader, entry, JAR_CLASS_LIMIT, archive->budget, &problem))
        report_entry(archive, entry, &problem);
    else
        input_walk_class(archive->walk, entry_path(archive, &worker->path, entry), entry->entry,
                         buffer->bytes, buffer->size, number);
}

static void walk_chunk(void *context, size_t chunk, unsigned number)
{
    const struct archive *archive = context;
    struct worker *worker = &archive->workers[number];
    if (!open_worker(archive, worker))
        return;
    size_t end = (chunk + 1) * CHUNK;
    if (end > archive->jar.entries.count)
        end = archive->jar.entries.count;
    for (size_t i = chunk * CHUNK; i < end; i++)
        if (archive->jar.entries.items[i].kind == JAR_CLASS)
            walk_class(archive, worker, number, &archive->jar.entries.items[i]);
}

static void walk_nested(const struct archive *archive, struct worker *worker,
                        const struct jar_entry *entry)
{
    if (jar_budget_is_spent(archive->budget))
        return;
    struct problem problem = {0};
    if (archive->depth == JAR_DEPTH_LIMIT) {
        problem_set(&problem, entry->offset, "archives are nested more than %u deep",
                    JAR_DEPTH_LIMIT);
        report_entry(archive, entry, &problem);
        return;
    }
    if (!jar_reader_read(&worker->reader, entry, JAR_NESTED_LIMIT, archive->budget, &problem)) {
        report_entry(archive, entry, &problem);
        return;
    }
    struct writer content = worker->reader.buffer;
    writer_init(&worker->reader.buffer);
    struct builder path;
    builder_init(&path);
    input_walk_archive(archive->walk, entry_path(archive, &path, entry), content.bytes,
                       content.size, archive->depth + 1, archive->budget);
    builder_release(&path);
    writer_release(&content);
}

/* All classes first, on all workers, then one nested archive after the other: so that only one of
   them is in memory at a time, and with one worker the order is fixed. */
static void walk_entries(struct archive *archive, unsigned workers)
{
    size_t count = archive->jar.entries.count;
    parallel_for((count + CHUNK - 1) / CHUNK, workers, walk_chunk, archive);
    for (size_t i = 0; i < count; i++)
        if (archive->jar.entries.items[i].kind == JAR_ARCHIVE)
            walk_nested(archive, &archive->workers[0], &archive->jar.entries.items[i]);
}

static bool walk_opened(struct archive *archive)
{
    unsigned workers = archive->walk->options.workers;
    archive->workers = memory_allocate(workers * sizeof *archive->workers);
    if (!archive->workers) {
        diagnostics_error(archive->walk->diagnostics, "%.*s: no memory to read the archive",
                          TEXT_ARGUMENTS(archive->where));
        return false;
    }
    for (unsigned i = 0; i < workers; i++) {
        archive->workers[i] = (struct worker){.opened = false};
        builder_init(&archive->workers[i].path);
    }
    /* The first one opens here, so that an archive that libzip refuses is refused once. */
    bool opened = open_worker(archive, &archive->workers[0]);
    if (opened)
        walk_entries(archive, workers);
    for (unsigned i = 0; i < workers; i++) {
        if (archive->workers[i].opened)
            jar_reader_release(&archive->workers[i].reader);
        builder_release(&archive->workers[i].path);
    }
    memory_release(archive->workers);
    return opened;
}

bool input_walk_archive(const struct input_walk *walk, struct text where, const uint8_t *bytes,
                        size_t size, unsigned depth, struct jar_budget *budget)
{
    struct archive archive = {.walk = walk, .where = where, .budget = budget, .depth = depth};
    struct jar_options options = {.release = walk->options.release,
                                  .all_versions = walk->options.all_versions,
                                  .where = where,
                                  .diagnostics = walk->diagnostics,
                                  .budget = budget};
    struct problem problem = {0};
    if (!jar_open(&archive.jar, bytes, size, &options, &problem)) {
        diagnostics_problem(walk->diagnostics, DIAGNOSTICS_ERROR, where, &problem);
        return false;
    }
    bool used = walk_opened(&archive);
    jar_close(&archive.jar);
    return used;
}
