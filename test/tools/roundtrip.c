/*
 * roundtrip PATH...: reads every class of the paths, writes it from the model and compares.
 *
 * Prints a line for each class that comes out different, with the first differing offset, one for
 * each path and, if there are several, one for all. Exit status: 0 all byte-identical, 1 some
 * differ, 2 something could not be read.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/writer.h"
#include "classfile/class_reader.h"
#include "classfile/class_writer.h"
#include "classfile/input.h"
#include "tools.h"

struct counts {
    uint64_t classes;
    uint64_t bytes;
    uint64_t different;
    uint64_t unreadable;
};

/* What one thread of a walk owns. */
struct worker {
    struct arena arena;
    struct writer writer;
    struct counts counts;
};

struct roundtrip {
    struct worker *workers;
    unsigned worker_count;
    struct diagnostics *diagnostics;
    pthread_mutex_t output;
};

static size_t first_difference(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    size_t position = 0;
    while (position < a_size && position < b_size && a[position] == b[position])
        position++;
    return position;
}

static void compare(struct roundtrip *roundtrip, struct worker *worker,
                    const struct input_class *input)
{
    const struct writer *writer = &worker->writer;
    if (writer->size == input->size && memcmp(writer->bytes, input->bytes, input->size) == 0)
        return;
    worker->counts.different++;
    size_t offset = first_difference(input->bytes, input->size, writer->bytes, writer->size);
    pthread_mutex_lock(&roundtrip->output);
    printf("%.*s: differs at byte %zu (%zu bytes read, %zu written)\n", TEXT_ARGUMENTS(input->path),
           offset, input->size, writer->size);
    pthread_mutex_unlock(&roundtrip->output);
}

static void check_class(void *context, const struct input_class *input)
{
    struct roundtrip *roundtrip = context;
    struct worker *worker = &roundtrip->workers[input->worker];
    struct problem problem;
    worker->counts.classes++;
    worker->counts.bytes += input->size;
    arena_clear(&worker->arena);
    writer_clear(&worker->writer);
    struct class_file *class_file = class_read(&worker->arena, input->bytes, input->size, &problem);
    if (class_file) {
        class_file->source_count = 0; /* every constant is to be written anew, not copied */
        class_write(&worker->writer, class_file);
    }
    if (class_file && worker->writer.failed) {
        problem_clear(&problem);
        problem_set(&problem, PROBLEM_NO_OFFSET, "out of memory");
    }
    if (!class_file || worker->writer.failed) {
        worker->counts.unreadable++;
        diagnostics_problem(roundtrip->diagnostics, DIAGNOSTICS_ERROR, input->path, &problem);
        return;
    }
    compare(roundtrip, worker, input);
}

static void report(const char *what, const struct counts *counts)
{
    printf("%s: %" PRIu64 " classes, %" PRIu64 " bytes: ", what, counts->classes, counts->bytes);
    if (!counts->different && !counts->unreadable)
        printf("all byte-identical\n");
    else
        printf("%" PRIu64 " different, %" PRIu64 " unreadable\n", counts->different,
               counts->unreadable);
}

static void add_counts(struct counts *to, const struct counts *counts)
{
    to->classes += counts->classes;
    to->bytes += counts->bytes;
    to->different += counts->different;
    to->unreadable += counts->unreadable;
}

static void check_path(struct roundtrip *roundtrip, const char *path, struct counts *total)
{
    const struct input_options options = {.workers = roundtrip->worker_count, .all_versions = true};
    if (!input_walk(path, &options, roundtrip->diagnostics, check_class, roundtrip))
        return;
    struct counts counts = {0};
    for (unsigned i = 0; i < roundtrip->worker_count; i++) {
        add_counts(&counts, &roundtrip->workers[i].counts);
        roundtrip->workers[i].counts = (struct counts){0};
    }
    report(path, &counts);
    add_counts(total, &counts);
}

int tool_roundtrip(int argument_count, char **arguments)
{
    if (argument_count < 2) {
        fprintf(stderr, "usage: roundtrip PATH...\n");
        return 2;
    }
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, stderr, DIAGNOSTICS_COLOR_AUTO);
    struct roundtrip roundtrip = {.worker_count = parallel_workers(),
                                  .diagnostics = &diagnostics,
                                  .output = PTHREAD_MUTEX_INITIALIZER};
    roundtrip.workers = memory_allocate(roundtrip.worker_count * sizeof *roundtrip.workers);
    if (!roundtrip.workers) {
        diagnostics_error(&diagnostics, "out of memory");
        return 2;
    }
    for (unsigned i = 0; i < roundtrip.worker_count; i++) {
        arena_init(&roundtrip.workers[i].arena);
        writer_init(&roundtrip.workers[i].writer);
        roundtrip.workers[i].counts = (struct counts){0};
    }
    struct counts total = {0};
    for (int i = 1; i < argument_count; i++)
        check_path(&roundtrip, arguments[i], &total);
    if (argument_count > 2)
        report("total", &total);
    for (unsigned i = 0; i < roundtrip.worker_count; i++) {
        arena_release(&roundtrip.workers[i].arena);
        writer_release(&roundtrip.workers[i].writer);
    }
    memory_release(roundtrip.workers);
    int status = diagnostics.errors ? 2 : total.different ? 1 : 0;
    diagnostics_release(&diagnostics);
    return status;
}
