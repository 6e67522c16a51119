/*
 * instrument_classes: instruments every class of some jars as classes of an application.
 *
 *     instrument_classes [--out DIR] [--object-words] [--whole-arrays] [--atomic] [--release N]
 *                        [--workers N] [--quiet] PATH...
 *
 * --atomic: with marks of the blocks that the heuristics take for atomic.
 * Writes the classes to DIR, prints counts and whatever had to stay as it was. Exit status 0, or 2
 * if something could not be read or written.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/builder.h"
#include "base/diagnostics.h"
#include "base/parallel.h"
#include "classfile/input.h"
#include "instrument/instrument.h"
#include "tools.h"

struct worker {
    struct class_rewriter rewriter;
    struct builder path;
    unsigned long classes, left, bytes_in, bytes_out;
};

struct tool {
    const char *directory;
    bool quiet;
    struct sites sites;
    struct instrument instrument;
    struct worker *workers;
    struct diagnostics diagnostics;
    pthread_mutex_t mutex; /* for what follows, and for the output */
    unsigned long left_methods;
    unsigned failures;
};

static void tell_left(void *context, const struct class_file *class_file,
                      const struct member *method, enum class_left reason,
                      const struct problem *problem)
{
    struct tool *tool = context;
    struct text class_name = class_this_name(class_file);
    struct text name = method ? class_utf8(class_file, method->name) : TEXT("(all)");
    struct text descriptor = method ? class_utf8(class_file, method->descriptor) : TEXT("");
    pthread_mutex_lock(&tool->mutex);
    tool->left_methods += method != NULL;
    if (!tool->quiet)
        printf("left as it was: %.*s.%.*s%.*s: %s%s%s\n", TEXT_ARGUMENTS(class_name),
               TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(descriptor), class_left_text(reason),
               problem->set ? ": " : "", problem->set ? problem->reason : "");
    pthread_mutex_unlock(&tool->mutex);
}

/* ---- files ---- */

static void fail_file(struct tool *tool, const char *path)
{
    pthread_mutex_lock(&tool->mutex);
    tool->failures++;
    fprintf(stderr, "instrument_classes: %s: %s\n", path, strerror(errno));
    pthread_mutex_unlock(&tool->mutex);
}

static void make_parents(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
}

static void write_class(struct tool *tool, struct worker *worker, struct text entry,
                        const void *bytes, size_t size)
{
    worker->bytes_out += size;
    if (!tool->directory)
        return;
    builder_clear(&worker->path);
    builder_add_string(&worker->path, tool->directory);
    builder_add_byte(&worker->path, '/');
    builder_add(&worker->path, entry);
    if (worker->path.failed)
        return;
    FILE *file = fopen(worker->path.bytes, "wb");
    if (!file) {
        make_parents(worker->path.bytes);
        file = fopen(worker->path.bytes, "wb");
    }
    bool good = file && fwrite(bytes, 1, size, file) == size;
    if ((file && fclose(file) != 0) || !good)
        fail_file(tool, worker->path.bytes);
}

static void take_class(void *context, const struct input_class *input)
{
    struct tool *tool = context;
    struct worker *worker = &tool->workers[input->worker];
    struct problem problem;
    problem_clear(&problem);
    if (text_ends_with(input->entry, TEXT("module-info.class")))
        return;
    worker->classes++;
    worker->bytes_in += input->size;
    switch (instrument_class(&tool->instrument, &worker->rewriter, NULL, input->bytes, input->size,
                             &problem)) {
    case CLASS_REWRITTEN:
        write_class(tool, worker, input->entry, worker->rewriter.writer.bytes,
                    worker->rewriter.writer.size);
        return;
    case CLASS_UNREADABLE:
        diagnostics_problem(&tool->diagnostics, DIAGNOSTICS_ERROR, input->path, &problem);
        break;
    case CLASS_LEFT:
        worker->left++;
        break;
    case CLASS_UNCHANGED:
        break;
    }
    write_class(tool, worker, input->entry, input->bytes, input->size);
}

/* ---- the command ---- */

static void print_counts(struct tool *tool, unsigned workers)
{
    struct instrument *instrument = &tool->instrument;
    unsigned long classes = 0, left = 0, bytes_in = 0, bytes_out = 0;
    for (unsigned i = 0; i < workers; i++) {
        classes += tool->workers[i].classes;
        left += tool->workers[i].left;
        bytes_in += tool->workers[i].bytes_in;
        bytes_out += tool->workers[i].bytes_out;
    }
    printf("%lu classes, %" PRIu64 " instrumented, %lu left as they were; %" PRIu64
           " methods changed, %lu left as they were; %lu bytes became %lu\n",
           classes, instrument->classes, left, instrument->methods, tool->left_methods, bytes_in,
           bytes_out);
    printf("%" PRIu64 " shadows; checks of %" PRIu64 " accesses of fields, %" PRIu64
           " of elements, %" PRIu64 " of collections; %" PRIu64 " monitors; %" PRIu32 " sites\n",
           instrument->fields, instrument->accesses, instrument->elements, instrument->collections,
           instrument->monitors, sites_count(&tool->sites));
    if (instrument->atomic)
        printf("%" PRIu64 " atomic blocks\n", instrument->blocks);
}

static int usage(void)
{
    fprintf(stderr, "usage: instrument_classes [--out DIR] [--object-words] [--whole-arrays] "
                    "[--atomic] [--release N] [--workers N] [--quiet] PATH...\n");
    return 2;
}

static void run(struct tool *tool, const struct input_options *options, char **paths)
{
    for (unsigned i = 0; i < options->workers; i++) {
        class_rewriter_init(&tool->workers[i].rewriter);
        builder_init(&tool->workers[i].path);
    }
    for (; *paths; paths++)
        input_walk(*paths, options, &tool->diagnostics, take_class, tool);
    print_counts(tool, options->workers);
    for (unsigned i = 0; i < options->workers; i++) {
        class_rewriter_release(&tool->workers[i].rewriter);
        builder_release(&tool->workers[i].path);
    }
}

/* False: wrong usage. */
static bool parse(int argument_count, char **arguments, struct tool *tool,
                  struct input_options *options)
{
    static const struct option long_options[] = {
        {"out", required_argument, NULL, 'o'},     {"object-words", no_argument, NULL, 'w'},
        {"whole-arrays", no_argument, NULL, 'a'},  {"atomic", no_argument, NULL, 'b'},
        {"release", required_argument, NULL, 'r'}, {"workers", required_argument, NULL, 'j'},
        {"quiet", no_argument, NULL, 'q'},         {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argument_count, arguments, "", long_options, NULL)) != -1) {
        switch (option) {
        case 'o':
            tool->directory = optarg;
            break;
        case 'w':
            tool->instrument.object_words = true;
            break;
        case 'a':
            tool->instrument.array_objects = true;
            break;
        case 'b':
            tool->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
            break;
        case 'r':
            options->release = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'j':
            options->workers = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'q':
            tool->quiet = true;
            break;
        default:
            return false;
        }
    }
    return optind < argument_count && options->workers > 0 && options->workers <= 64;
}

int tool_instrument_classes(int argument_count, char **arguments)
{
    struct tool tool = {0};
    struct input_options options = {.workers = parallel_workers(), .release = 17};
    tool.instrument = (struct instrument){
        .sites = &tool.sites, .arrays = true, .context = &tool, .left = tell_left};
    if (!parse(argument_count, arguments, &tool, &options))
        return usage();
    tool.workers = calloc(options.workers, sizeof *tool.workers);
    if (!tool.workers || !sites_init(&tool.sites))
        return 2;
    diagnostics_init(&tool.diagnostics, stderr, DIAGNOSTICS_COLOR_AUTO);
    pthread_mutex_init(&tool.mutex, NULL);
    run(&tool, &options, arguments + optind);
    bool failed = tool.failures || tool.diagnostics.errors;
    pthread_mutex_destroy(&tool.mutex);
    diagnostics_release(&tool.diagnostics);
    sites_release(&tool.sites);
    free(tool.workers);
    return failed ? 2 : 0;
}
