#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/textmap.h"
#include "classfile/input_internal.h"
#include "classfile/jimage.h"

/* An archive of the root: on disk, or inflated from inside another. */
struct archive {
    struct jar jar;
    struct text where;
    struct writer content; /* of a nested one */
    struct jar_reader reader;
    pthread_mutex_t mutex; /* for the reader: libzip's archives are for one thread at a time */
};

/* A file of the root: an image or an archive. */
struct mapped {
    struct file_map map;
    struct jimage image;
    bool is_image;
};

/* Where a class is. */
struct place {
    struct archive *archive;
    const struct jar_entry *entry;
};

/* Built once and then only read, but for the readers of its archives. */
struct input_root {
    struct arena arena;
    struct text directory; /* empty if the root is none */
    VECTOR(struct mapped) files;
    VECTOR(struct archive *) archives;
    VECTOR(struct place) places;
    struct textmap names; /* "p/C.class" -> places; the first on the class path wins */
};

struct opening {
    struct input_root *root;
    const struct input_options *options;
    struct diagnostics *diagnostics;
};

static bool add_archive(const struct opening *opening, struct text where, const uint8_t *bytes,
                        size_t size, struct writer *content, unsigned depth,
                        struct jar_budget *budget);

/* False when there is no memory; the names that were added until then are good. */
static bool add_names(const struct opening *opening, struct archive *archive)
{
    struct input_root *root = opening->root;
    for (size_t i = 0; i < archive->jar.entries.count; i++) {
        const struct jar_entry *entry = &archive->jar.entries.items[i];
        if (entry->kind != JAR_CLASS)
            continue;
        bool added;
        if (!vector_reserve(&root->places, 1) ||
            !textmap_find_or_add(&root->names, entry->entry, (uint32_t)root->places.count, &added))
            return false;
        if (added)
            root->places.items[root->places.count++] = (struct place){archive, entry};
    }
    return true;
}

static void add_nested(const struct opening *opening, struct archive *archive,
                       const struct jar_entry *entry, unsigned depth, struct jar_budget *budget)
{
    struct problem problem = {0};
    struct writer content;
    writer_init(&content);
    if (depth == JAR_DEPTH_LIMIT) {
        problem_set(&problem, entry->offset, "archives are nested more than %u deep",
                    JAR_DEPTH_LIMIT);
    } else if (jar_reader_read(&archive->reader, entry, JAR_NESTED_LIMIT, budget, &problem)) {
        content = archive->reader.buffer;
        writer_init(&archive->reader.buffer);
    }
    if (problem.set) {
        jar_report(opening->diagnostics, DIAGNOSTICS_ERROR, archive->where, entry->name, &problem);
        return;
    }
    struct builder path;
    builder_init(&path);
    builder_add(&path, archive->where);
    builder_add(&path, TEXT("!/"));
    builder_add(&path, entry->name);
    add_archive(opening, builder_text(&path), content.bytes, content.size, &content, depth + 1,
                budget);
    builder_release(&path);
    writer_release(&content); /* empty if the archive has taken it */
}

static void archive_free(struct archive *archive)
{
    jar_reader_release(&archive->reader);
    jar_close(&archive->jar);
    writer_release(&archive->content);
    pthread_mutex_destroy(&archive->mutex);
    memory_release(archive);
}

/* An archive of the root, not yet in its lists; NULL with a problem. */
static struct archive *archive_new(const struct opening *opening, struct text where,
                                   const uint8_t *bytes, size_t size, struct jar_budget *budget,
                                   struct problem *problem)
{
    struct archive *archive = memory_allocate(sizeof *archive);
    if (!archive) {
        problem_set(problem, PROBLEM_NO_OFFSET, "no memory to open the archive");
        return NULL;
    }
    memset(archive, 0, sizeof *archive);
    pthread_mutex_init(&archive->mutex, NULL);
    archive->where = text_copy(&opening->root->arena, where);
    struct jar_options options = {.release = opening->options->release,
                                  .all_versions = opening->options->all_versions,
                                  .where = where,
                                  .diagnostics = opening->diagnostics,
                                  .budget = budget};
    if (!jar_open(&archive->jar, bytes, size, &options, problem) ||
        !jar_reader_init(&archive->reader, &archive->jar, problem)) {
        archive_free(archive);
        return NULL;
    }
    return archive;
}

static bool add_archive(const struct opening *opening, struct text where, const uint8_t *bytes,
                        size_t size, struct writer *content, unsigned depth,
                        struct jar_budget *budget)
{
    struct problem problem = {0};
    struct archive *archive = archive_new(opening, where, bytes, size, budget, &problem);
    if (archive && !vector_push(&opening->root->archives, archive)) {
        archive_free(archive);
        archive = NULL;
        problem_set(&problem, PROBLEM_NO_OFFSET, "no memory to open the archive");
    }
    if (archive && content) {
        archive->content = *content;
        writer_init(content);
    }
    if (archive && !add_names(opening, archive))
        problem_set(&problem, PROBLEM_NO_OFFSET, "no memory for the archive's directory");
    if (problem.set) {
        diagnostics_problem(opening->diagnostics, DIAGNOSTICS_ERROR, where, &problem);
        return false;
    }
    for (size_t i = 0; i < archive->jar.entries.count && !jar_budget_is_spent(budget); i++)
        if (archive->jar.entries.items[i].kind == JAR_ARCHIVE)
            add_nested(opening, archive, &archive->jar.entries.items[i], depth, budget);
    return true;
}

static bool add_mapped(const struct opening *opening, struct mapped *mapped, const char *path,
                       struct problem *problem)
{
    const struct file_map *map = &mapped->map;
    mapped->is_image = jimage_is_one(map->bytes, map->size);
    if (mapped->is_image)
        return jimage_open(&mapped->image, map->bytes, map->size, problem);
    struct jar_budget budget;
    jar_budget_init(&budget, map->size);
    return add_archive(opening, text_from(path), map->bytes, map->size, NULL, 0, &budget);
}

static bool add_file(const struct opening *opening, const char *path)
{
    struct problem problem = {0};
    struct mapped mapped = {.is_image = false};
    bool added = false;
    if (!vector_reserve(&opening->root->files, 1)) {
        problem_set(&problem, PROBLEM_NO_OFFSET, "no memory to open the file");
    } else if (file_map_open(&mapped.map, path, &problem)) {
        added = add_mapped(opening, &mapped, path, &problem);
        /* Even a bad file stays mapped: part of it may have been listed. */
        mapped.is_image = mapped.is_image && added;
        (void)vector_push(&opening->root->files, mapped);
    }
    if (problem.set)
        diagnostics_problem(opening->diagnostics, DIAGNOSTICS_ERROR, text_from(path), &problem);
    return added;
}

/* Class files are looked up by name when asked for; the archives in the tree are listed now. */
static bool add_directory(const struct opening *opening, const char *path)
{
    struct input_root *root = opening->root;
    struct input_listing listing;
    input_listing_init(&listing);
    bool added = input_listing_fill(&listing, path, opening->diagnostics);
    root->directory = text_copy(&root->arena, text_from(path));
    for (size_t i = 0; i < listing.archives.count; i++)
        add_file(opening, listing.archives.items[i].bytes);
    input_listing_release(&listing);
    return added;
}

static bool add_path(const struct opening *opening, const char *path)
{
    struct input_root *root = opening->root;
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return add_file(opening, path);
    struct input_files files = {VECTOR_EMPTY};
    bool added = false;
    if (input_jdk_files(path, &root->arena, &files) && !files.paths.count)
        added = add_directory(opening, path);
    for (size_t i = 0; i < files.paths.count; i++)
        added |= add_file(opening, files.paths.items[i].bytes);
    vector_release(&files.paths);
    if (root->arena.failed)
        diagnostics_error(opening->diagnostics, "%s: no memory to open it", path);
    return added && !root->arena.failed;
}

struct input_root *input_root_open(const char *path, const struct input_options *options,
                                   struct diagnostics *diagnostics)
{
    struct input_root *root = memory_allocate(sizeof *root);
    if (!root) {
        diagnostics_error(diagnostics, "%s: no memory to open it", path);
        return NULL;
    }
    memset(root, 0, sizeof *root);
    arena_init(&root->arena);
    textmap_init(&root->names);
    struct opening opening = {.root = root, .options = options, .diagnostics = diagnostics};
    if (add_path(&opening, path))
        return root;
    input_root_close(root);
    return NULL;
}

void input_root_close(struct input_root *root)
{
    if (!root)
        return;
    for (size_t i = 0; i < root->archives.count; i++)
        archive_free(root->archives.items[i]);
    for (size_t i = 0; i < root->files.count; i++)
        file_map_close(&root->files.items[i].map);
    vector_release(&root->archives);
    vector_release(&root->files);
    vector_release(&root->places);
    textmap_release(&root->names);
    arena_release(&root->arena);
    memory_release(root);
}

/* Moves what is in a buffer to the arena. */
static enum input_found keep(struct arena *arena, const struct writer *buffer,
                             const uint8_t **bytes, size_t *size, struct problem *problem)
{
    void *copy =
        arena_copy(arena, buffer->size ? (const void *)buffer->bytes : "", buffer->size, 1);
    if (!copy) {
        problem_set(problem, PROBLEM_NO_OFFSET, "no memory for a class of %zu bytes", buffer->size);
        return INPUT_BROKEN;
    }
    *bytes = copy;
    *size = buffer->size;
    return INPUT_FOUND;
}

static enum input_found find_in_archive(const struct place *place, struct arena *arena,
                                        const uint8_t **bytes, size_t *size,
                                        struct problem *problem)
{
    struct archive *archive = place->archive;
    pthread_mutex_lock(&archive->mutex);
    enum input_found found = INPUT_BROKEN;
    if (jar_reader_read(&archive->reader, place->entry, JAR_CLASS_LIMIT, NULL, problem))
        found = keep(arena, &archive->reader.buffer, bytes, size, problem);
    pthread_mutex_unlock(&archive->mutex);
    return found;
}

static enum input_found find_in_image(const struct jimage *image, struct text name,
                                      struct arena *arena, const uint8_t **bytes, size_t *size,
                                      struct problem *problem)
{
    struct jimage_location location;
    enum jimage_found found = jimage_find_class(image, name, &location, problem);
    if (found != JIMAGE_FOUND)
        return found == JIMAGE_MISSING ? INPUT_MISSING : INPUT_BROKEN;
    struct jimage_buffer buffer;
    jimage_buffer_init(&buffer);
    enum input_found result = INPUT_BROKEN;
    if (jimage_read(image, &location, &buffer, bytes, size, problem)) {
        result = INPUT_FOUND;
        for (int i = 0; i < 2; i++)
            if (location.compressed && *bytes == buffer.parts[i].bytes) {
                result = keep(arena, &buffer.parts[i], bytes, size, problem);
                break;
            }
    }
    jimage_buffer_release(&buffer);
    return result;
}

/* Names come from class files, which may lie: none may lead out of the directory. */
static bool is_safe_name(struct text name)
{
    if (!name.length || name.bytes[0] == '/' || text_find(name, '\0') >= 0)
        return false;
    for (size_t i = 0; i + 1 < name.length; i++)
        if (name.bytes[i] == '.' && name.bytes[i + 1] == '.')
            return false; /* a class name has no dots at all */
    return true;
}

static enum input_found find_in_directory(const struct input_root *root, struct text file_name,
                                          struct arena *arena, const uint8_t **bytes, size_t *size,
                                          struct problem *problem)
{
    struct builder path;
    builder_init(&path);
    builder_add(&path, root->directory);
    builder_add_byte(&path, '/');
    builder_add(&path, file_name);
    struct stat status;
    struct writer buffer;
    writer_init(&buffer);
    enum input_found found = INPUT_BROKEN;
    if (path.failed)
        problem_set(problem, PROBLEM_NO_OFFSET, "no memory for the name of a file");
    else if (stat(builder_string(&path), &status) != 0 &&
             (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG))
        found = INPUT_MISSING;
    else if (input_read_file(builder_string(&path), &buffer, JAR_CLASS_LIMIT, problem))
        found = keep(arena, &buffer, bytes, size, problem);
    writer_release(&buffer);
    builder_release(&path);
    return found;
}

enum input_found input_root_find(struct input_root *root, struct text internal_name,
                                 struct arena *arena, const uint8_t **bytes, size_t *size,
                                 struct problem *problem)
{
    if (!is_safe_name(internal_name))
        return INPUT_MISSING;
    for (size_t i = 0; i < root->files.count; i++) {
        if (!root->files.items[i].is_image)
            continue;
        enum input_found found =
            find_in_image(&root->files.items[i].image, internal_name, arena, bytes, size, problem);
        if (found != INPUT_MISSING)
            return found;
    }
    struct builder file_name;
    builder_init(&file_name);
    builder_add(&file_name, internal_name);
    builder_add(&file_name, TEXT(".class"));
    enum input_found found = INPUT_MISSING;
    uint32_t place;
    if (file_name.failed) {
        problem_set(problem, PROBLEM_NO_OFFSET, "no memory for the name of a class");
        found = INPUT_BROKEN;
    } else if (root->directory.length) {
        found = find_in_directory(root, builder_text(&file_name), arena, bytes, size, problem);
    }
    if (found == INPUT_MISSING && textmap_get(&root->names, builder_text(&file_name), &place))
        found = find_in_archive(&root->places.items[place], arena, bytes, size, problem);
    builder_release(&file_name);
    return found;
}
