#include "classfile/input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "classfile/input_internal.h"
#include "classfile/jimage.h"

void input_walk_class(const struct input_walk *walk, struct text path, struct text entry,
                      const uint8_t *bytes, size_t size, unsigned worker)
{
    static const uint8_t no_bytes[1];
    struct input_class input = {.path = path,
                                .entry = entry,
                                .bytes = size ? bytes : no_bytes,
                                .size = size,
                                .worker = worker};
    walk->function(walk->context, &input);
}

static struct text base_name(struct text path)
{
    return text_slice(path, (size_t)(text_find_last(path, '/') + 1), path.length);
}

static bool is_class(struct text path, const uint8_t *bytes, size_t size)
{
    static const uint8_t magic[4] = {0xCA, 0xFE, 0xBA, 0xBE};
    /* A broken class file is for the class reader to complain about. */
    return (size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0) ||
           text_ends_with(path, TEXT(".class"));
}

static bool walk_bytes(const struct input_walk *walk, struct text path, const uint8_t *bytes,
                       size_t size, struct problem *problem)
{
    if (is_class(path, bytes, size)) {
        if (size > JAR_CLASS_LIMIT) {
            problem_set(problem, PROBLEM_NO_OFFSET,
                        "class of %zu bytes, more than the limit of %zu", size, JAR_CLASS_LIMIT);
            return false;
        }
        input_walk_class(walk, path, base_name(path), bytes, size, 0);
        return true;
    }
    if (jimage_is_one(bytes, size))
        return input_walk_image(walk, path, bytes, size);
    if (jar_is_one(bytes, size) || jar_is_name_of_one(path)) {
        struct jar_budget budget;
        jar_budget_init(&budget, size);
        return input_walk_archive(walk, path, bytes, size, 0, &budget);
    }
    problem_set(problem, 0,
                size ? "is neither a class file nor an archive nor a modules image" : "is empty");
    return false;
}

bool input_walk_file(const struct input_walk *walk, const char *path)
{
    const struct text name = text_from(walk->options.name ? walk->options.name : path);
    struct problem problem = {0};
    struct file_map map;
    bool used = false;
    if (file_map_open(&map, path, &problem)) {
        used = walk_bytes(walk, name, map.bytes, map.size, &problem);
        file_map_close(&map);
    }
    if (problem.set)
        diagnostics_problem(walk->diagnostics, DIAGNOSTICS_ERROR, name, &problem);
    return used;
}

/* The platform's classes, if the directory is a JDK, else everything in it. */
static bool walk_directory(const struct input_walk *walk, const char *path)
{
    struct arena arena;
    arena_init(&arena);
    struct input_files files = {VECTOR_EMPTY};
    bool used = false;
    if (!input_jdk_files(path, &arena, &files))
        diagnostics_error(walk->diagnostics, "%s: no memory to list the directory", path);
    else if (!files.paths.count)
        used = input_walk_directory(walk, path);
    for (size_t i = 0; i < files.paths.count; i++)
        used |= input_walk_file(walk, files.paths.items[i].bytes);
    vector_release(&files.paths);
    arena_release(&arena);
    return used;
}

bool input_walk(const char *path, const struct input_options *options,
                struct diagnostics *diagnostics, input_function function, void *context)
{
    struct input_walk walk = {
        .options = *options, .diagnostics = diagnostics, .function = function, .context = context};
    if (!walk.options.workers)
        walk.options.workers = 1;
    struct stat status;
    if (stat(path, &status) != 0) {
        struct problem problem = {0};
        char reason[128];
        problem_set(&problem, PROBLEM_NO_OFFSET, "cannot be opened: %s",
                    strerror_r(errno, reason, sizeof reason));
        diagnostics_problem(diagnostics, DIAGNOSTICS_ERROR, text_from(path[0] ? path : "''"),
                            &problem);
        return false;
    }
    return S_ISDIR(status.st_mode) ? walk_directory(&walk, path) : input_walk_file(&walk, path);
}
