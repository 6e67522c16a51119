#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/textmap.h"
#include "classfile/input_internal.h"

/* Files that a worker takes at once. */
#define CHUNK 16u

struct listing {
    struct input_listing *result;
    struct diagnostics *diagnostics;
    struct textmap visited; /* the directories by device and inode, against loops of links */
    struct builder path;    /* of what is being looked at */
    bool out_of_memory;
};

struct worker {
    struct writer buffer;
};

struct directory {
    const struct input_walk *walk;
    const struct input_listing *listing;
    size_t prefix; /* length of the directory's path and its slash, in the listed paths */
    struct worker *workers;
};

void input_listing_init(struct input_listing *listing)
{
    memset(listing, 0, sizeof *listing);
    arena_init(&listing->arena);
}

void input_listing_release(struct input_listing *listing)
{
    vector_release(&listing->classes);
    vector_release(&listing->archives);
    arena_release(&listing->arena);
}

static void set_system_problem(struct problem *problem, const char *what, int error)
{
    char reason[128];
    problem_set(problem, PROBLEM_NO_OFFSET, "%s: %s", what,
                strerror_r(error, reason, sizeof reason));
}

static void report(const struct listing *listing, const char *what, int error)
{
    struct problem problem = {0};
    set_system_problem(&problem, what, error);
    diagnostics_problem(listing->diagnostics, DIAGNOSTICS_ERROR, builder_text(&listing->path),
                        &problem);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in the directory, sorted, in the arena's memory. */
struct names {
    VECTOR(char *) sorted;
};

static bool read_names(struct listing *listing, struct names *names)
{
    DIR *directory = opendir(listing->path.length ? builder_string(&listing->path) : "/");
    if (!directory) {
        report(listing, "cannot be read", errno);
        return false;
    }
    struct dirent *entry;
    while (!listing->out_of_memory && (entry = readdir(directory))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        size_t size = strlen(entry->d_name) + 1;
        char *name = arena_copy(&listing->result->arena, entry->d_name, size, 1);
        if (!name || !vector_push(&names->sorted, name))
            listing->out_of_memory = true;
    }
    closedir(directory);
    if (names->sorted.count)
        qsort(names->sorted.items, names->sorted.count, sizeof *names->sorted.items, compare_names);
    return !listing->out_of_memory;
}

/* True the first time. */
static bool visit(struct listing *listing, const struct stat *status)
{
    uint64_t identity[2] = {(uint64_t)status->st_dev, (uint64_t)status->st_ino};
    void *key = arena_copy(&listing->result->arena, identity, sizeof identity, 8);
    bool added = false;
    if (!key || !textmap_find_or_add(&listing->visited, text_of(key, sizeof identity), 0, &added))
        listing->out_of_memory = true;
    return added;
}

static bool list_directory(struct listing *listing);

/* Looks at listing->path, which is the name in its directory. */
static void list_name(struct listing *listing, struct text name)
{
    bool is_class = text_ends_with(name, TEXT(".class"));
    bool matters = is_class || jar_is_name_of_one(name);
    struct stat status;
    if (stat(builder_string(&listing->path), &status) != 0) {
        /* Links that lead nowhere are no class for the JVM either; anything else may be a folder.
         */
        if (matters || (errno != ENOENT && errno != ELOOP))
            report(listing, "cannot be opened", errno);
        return;
    }
    if (S_ISDIR(status.st_mode)) {
        if (visit(listing, &status))
            list_directory(listing);
        return;
    }
    if (!matters || !S_ISREG(status.st_mode))
        return;
    struct text path = text_copy(&listing->result->arena, builder_text(&listing->path));
    if (listing->result->arena.failed ||
        !(is_class ? vector_push(&listing->result->classes, path)
                   : vector_push(&listing->result->archives, path)))
        listing->out_of_memory = true;
}

static bool list_directory(struct listing *listing)
{
    struct names names = {VECTOR_EMPTY};
    bool read = read_names(listing, &names);
    size_t length = listing->path.length;
    for (size_t i = 0; read && i < names.sorted.count && !listing->out_of_memory; i++) {
        builder_add_byte(&listing->path, '/');
        builder_add_string(&listing->path, names.sorted.items[i]);
        if (listing->path.failed) {
            listing->out_of_memory = true;
            break;
        }
        list_name(listing, text_from(names.sorted.items[i]));
        listing->path.length = length;
        listing->path.bytes[length] = '\0';
    }
    vector_release(&names.sorted);
    return read;
}

/* "dir/" and "dir" are the same; "/" stays as the empty prefix of "/name". */
static struct text without_slashes(const char *directory)
{
    struct text path = text_from(directory);
    while (path.length && path.bytes[path.length - 1] == '/')
        path.length--;
    return path;
}

bool input_listing_fill(struct input_listing *listing, const char *directory,
                        struct diagnostics *diagnostics)
{
    struct listing state = {.result = listing, .diagnostics = diagnostics};
    textmap_init(&state.visited);
    builder_init(&state.path);
    builder_add(&state.path, without_slashes(directory));
    bool listed = false;
    struct stat status;
    if (state.path.failed)
        state.out_of_memory = true;
    else if (stat(directory, &status) != 0)
        report(&state, "cannot be opened", errno);
    else if (visit(&state, &status))
        listed = list_directory(&state);
    if (state.out_of_memory)
        diagnostics_error(diagnostics, "%s: no memory to list the directory", directory);
    textmap_release(&state.visited);
    builder_release(&state.path);
    return listed;
}

static bool read_all(int file, size_t expected, struct writer *buffer, size_t limit,
                     struct problem *problem)
{
    size_t step = expected + 1; /* so that the end is seen by the second read */
    for (;;) {
        uint8_t *to = writer_extend(buffer, step);
        if (!to) {
            problem_set(problem, PROBLEM_NO_OFFSET, "no memory for a file of %zu bytes", expected);
            return false;
        }
        ssize_t count = read(file, to, step);
        buffer->size -= step - (count > 0 ? (size_t)count : 0);
        if (count == 0)
            return true;
        if (count < 0 && errno != EINTR) {
            set_system_problem(problem, "cannot be read", errno);
            return false;
        }
        if (buffer->size > limit) {
            problem_set(problem, PROBLEM_NO_OFFSET, "is larger than the limit of %zu bytes", limit);
            return false;
        }
        step = buffer->size > expected ? 65536 : expected + 1 - buffer->size;
    }
}

bool input_read_file(const char *path, struct writer *buffer, size_t limit, struct problem *problem)
{
    writer_clear(buffer);
    /* Not blocking, in case that the file has become a pipe meanwhile. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        set_system_problem(problem, "cannot be opened", errno);
        if (file >= 0)
            close(file);
        return false;
    }
    bool read = false;
    if (!S_ISREG(status.st_mode))
        problem_set(problem, PROBLEM_NO_OFFSET, "is not a regular file");
    else if ((uintmax_t)status.st_size > limit)
        problem_set(problem, PROBLEM_NO_OFFSET, "file of %ju bytes is larger than the limit of %zu",
                    (uintmax_t)status.st_size, limit);
    else
        read = read_all(file, (size_t)status.st_size, buffer, limit, problem);
    close(file);
    return read;
}

static void walk_chunk(void *context, size_t chunk, unsigned number)
{
    const struct directory *directory = context;
    const struct input_listing *listing = directory->listing;
    struct writer *buffer = &directory->workers[number].buffer;
    size_t end = (chunk + 1) * CHUNK;
    if (end > listing->classes.count)
        end = listing->classes.count;
    for (size_t i = chunk * CHUNK; i < end; i++) {
        struct text path = listing->classes.items[i];
        struct problem problem = {0};
        if (input_read_file(path.bytes, buffer, JAR_CLASS_LIMIT, &problem))
            input_walk_class(directory->walk, path,
                             text_slice(path, directory->prefix, path.length), buffer->bytes,
                             buffer->size, number);
        else
            diagnostics_problem(directory->walk->diagnostics, DIAGNOSTICS_ERROR, path, &problem);
    }
}

static void walk_classes(struct directory *directory)
{
    unsigned workers = directory->walk->options.workers;
    directory->workers = memory_allocate(workers * sizeof *directory->workers);
    if (!directory->workers) {
        diagnostics_error(directory->walk->diagnostics, "no memory to read a directory");
        return;
    }
    for (unsigned i = 0; i < workers; i++)
        writer_init(&directory->workers[i].buffer);
    parallel_for((directory->listing->classes.count + CHUNK - 1) / CHUNK, workers, walk_chunk,
                 directory);
    for (unsigned i = 0; i < workers; i++)
        writer_release(&directory->workers[i].buffer);
    memory_release(directory->workers);
}

bool input_walk_directory(const struct input_walk *walk, const char *path)
{
    struct input_listing listing;
    input_listing_init(&listing);
    bool used = input_listing_fill(&listing, path, walk->diagnostics);
    if (listing.classes.count) {
        struct directory directory = {
            .walk = walk, .listing = &listing, .prefix = without_slashes(path).length + 1};
        walk_classes(&directory);
    }
    for (size_t i = 0; i < listing.archives.count; i++)
        input_walk_file(walk, listing.archives.items[i].bytes);
    input_listing_release(&listing);
    return used;
}
