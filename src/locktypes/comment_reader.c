#include "locktypes/comment_reader.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/builder.h"
#include "base/file.h"
#include "base/textmap.h"
#include "locktypes/comment_reader_internal.h"

/* Folders in folders; deeper ones are left out. */
#define DEEPEST 200

struct source_file {
    struct text path;
    size_t name_start;     /* of the last part of the path */
    size_t relative_start; /* of the part below the folder that was given */
    bool read;
};

struct search {
    struct comment_reader *reader;
    struct diagnostics *diagnostics;
    struct arena scratch;
    struct textmap keys;    /* "p/q/Name.java" of the application's classes; 1: it has been read */
    struct textmap names;   /* the last parts of those */
    struct textmap visited; /* folders, by device and number */
    struct builder path;
    VECTOR(struct source_file) files;
};

static void fail(struct search *search)
{
    search->reader->failed = true;
}

/* ---- which files are wanted ---- */

static struct text outermost_name(struct text simple)
{
    ptrdiff_t dollar = text_find(simple, '$');
    return dollar > 0 ? text_slice(simple, 0, (size_t)dollar) : simple;
}

/* PACKAGE/FILE. A class that does not know its file is taken to be in that of its outermost class.
 */
static void add_key(struct search *search, const struct program_class *class)
{
    const struct attribute *attribute =
        attributes_find(&class->class_file->attributes, ATTRIBUTE_SOURCE_FILE);
    struct text package = text_slice(class->name, 0, class->package_length);
    struct text simple =
        text_slice(class->name, package.length ? package.length + 1 : 0, class->name.length);
    builder_clear(&search->path);
    if (package.length) {
        builder_add(&search->path, package);
        builder_add_byte(&search->path, '/');
    }
    size_t name_start = search->path.length;
    if (attribute) {
        builder_add(&search->path, class_utf8(class->class_file, attribute->as.index));
    } else {
        builder_add(&search->path, outermost_name(simple));
        builder_add_string(&search->path, ".java");
    }
    struct text written = builder_text(&search->path);
    if (search->path.failed || textmap_get(&search->keys, written, NULL)) {
        if (search->path.failed)
            fail(search);
        return;
    }
    struct text key = text_copy(&search->scratch, written);
    if (search->scratch.failed || !textmap_put(&search->keys, key, 0) ||
        !textmap_put(&search->names, text_slice(key, name_start, key.length), 0))
        fail(search);
}

/* ---- the folder ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct names {
    VECTOR(char *) sorted;
};

static bool read_names(struct search *search, struct names *names)
{
    DIR *directory = opendir(builder_string(&search->path));
    if (!directory)
        return false;
    for (const struct dirent *entry; !search->reader->failed && (entry = readdir(directory));) {
        /* Neither . and .. nor what version control keeps. */
        if (entry->d_name[0] == '.')
            continue;
        char *name = arena_copy(&search->scratch, entry->d_name, strlen(entry->d_name) + 1, 1);
        if (!name || !vector_push(&names->sorted, name))
            fail(search);
    }
    closedir(directory);
    if (names->sorted.count)
        qsort(names->sorted.items, names->sorted.count, sizeof *names->sorted.items, compare_names);
    return true;
}

/* True the first time. */
static bool visit(struct search *search, const struct stat *status)
{
    uint64_t identity[2] = {(uint64_t)status->st_dev, (uint64_t)status->st_ino};
    void *key = arena_copy(&search->scratch, identity, sizeof identity, 8);
    bool added = false;
    if (!key || !textmap_find_or_add(&search->visited, text_of(key, sizeof identity), 0, &added))
        fail(search);
    return added;
}

static void add_file(struct search *search, size_t name_start, size_t relative_start)
{
    struct source_file file = {.path = text_copy(&search->scratch, builder_text(&search->path)),
                               .name_start = name_start,
                               .relative_start = relative_start};
    if (search->scratch.failed || !vector_push(&search->files, file))
        fail(search);
}

static void walk(struct search *search, size_t relative_start, unsigned depth);

/* search->path is the name in its folder. */
static void look_at(struct search *search, size_t name_start, size_t relative_start, unsigned depth)
{
    struct text path = builder_text(&search->path);
    struct text name = text_slice(path, name_start, path.length);
    bool wanted = search->reader->program ? textmap_get(&search->names, name, NULL)
                                          : text_ends_with(name, TEXT(".java"));
    struct stat status;
    if (stat(builder_string(&search->path), &status) != 0)
        return;
    if (S_ISDIR(status.st_mode)) {
        if (depth < DEEPEST && visit(search, &status))
            walk(search, relative_start, depth + 1);
    } else if (wanted && S_ISREG(status.st_mode)) {
        add_file(search, name_start, relative_start);
    }
}

static void tell(struct search *search, enum diagnostics_level level, int error)
{
    struct problem problem;
    char text[128];
    problem_clear(&problem);
    problem_set(&problem, PROBLEM_NO_OFFSET, "cannot be read: %s",
                strerror_r(error, text, sizeof text));
    diagnostics_problem(search->diagnostics, level, builder_text(&search->path), &problem);
}

static void walk(struct search *search, size_t relative_start, unsigned depth)
{
    struct names names = {VECTOR_EMPTY};
    size_t length = search->path.length;
    if (!read_names(search, &names))
        tell(search, DIAGNOSTICS_WARNING, errno);
    for (size_t i = 0; i < names.sorted.count && !search->reader->failed; i++) {
        builder_add_byte(&search->path, '/');
        builder_add_string(&search->path, names.sorted.items[i]);
        if (search->path.failed) {
            fail(search);
            break;
        }
        look_at(search, length + 1, relative_start, depth);
        search->path.length = length;
        search->path.bytes[length] = '\0';
    }
    vector_release(&names.sorted);
}

/* False, told, if there is no such folder. A single file will do too. */
static bool walk_folder(struct search *search, const char *folder)
{
    builder_clear(&search->path);
    builder_add_string(&search->path, folder);
    while (search->path.length > 1 && search->path.bytes[search->path.length - 1] == '/')
        search->path.bytes[--search->path.length] = '\0';
    if (search->path.failed) {
        fail(search);
        return false;
    }
    struct stat status;
    DIR *directory = NULL;
    if (stat(builder_string(&search->path), &status) != 0 ||
        (S_ISDIR(status.st_mode) && !(directory = opendir(builder_string(&search->path))))) {
        tell(search, DIAGNOSTICS_ERROR, errno);
        return false;
    }
    if (directory) {
        closedir(directory);
        if (visit(search, &status))
            walk(search, search->path.length + 1, 0);
    } else {
        size_t name_start = (size_t)(text_find_last(builder_text(&search->path), '/') + 1);
        add_file(search, name_start, name_start);
    }
    return true;
}

/* ---- one file ---- */

static bool has_marks(const struct file_map *map)
{
    struct text rest = text_of(map->bytes, map->size);
    for (;;) {
        ptrdiff_t mark = text_find(rest, '#');
        if (mark < 0)
            return false;
        if (mark >= 2 && rest.bytes[mark - 2] == '/' &&
            (rest.bytes[mark - 1] == '*' || rest.bytes[mark - 1] == '/'))
            return true;
        /* What stands before the next mark may begin at this one's place, but not before it. */
        rest = text_slice(rest, (size_t)mark + 1, rest.length);
    }
}

/* Whether the program has (or, if that is not known, may have) a class from this file, whose
   comments are not known yet. */
static bool claim(struct search *search, struct comment_file *file, struct text name)
{
    struct builder builder;
    builder_init(&builder);
    if (file->source.package.length) {
        builder_add(&builder, file->source.package);
        builder_add_byte(&builder, '/');
    }
    builder_add(&builder, name);
    bool added = false;
    uint32_t *read = NULL;
    file->key = text_copy(search->reader->arena, builder_text(&builder));
    if (builder.failed || search->reader->arena->failed)
        fail(search);
    else if (textmap_get(&search->keys, file->key, NULL))
        read = textmap_find_or_add(&search->keys, file->key, 0, &added);
    builder_release(&builder);
    if (!search->reader->program)
        return !search->reader->failed;
    if (!read || *read)
        return false;
    *read = 1;
    return true;
}

static void read_comments(struct search *search, struct comment_file *file, struct text name)
{
    struct comment_reader *reader = search->reader;
    if (!claim(search, file, name) || reader->failed || !comment_drafts_init(file))
        return;
    for (size_t i = 0; i < file->source.tokens.comments.count && !reader->failed; i++)
        if (file->source.tokens.comments.items[i].marked)
            comment_attach(file, &file->source.tokens.comments.items[i]);
    if (!reader->failed)
        comment_lines_finish(file);
    if (!reader->failed)
        comment_drafts_finish(file);
    vector_release(&file->lines);
}

static void read_file(struct search *search, struct source_file *source_file)
{
    struct problem problem;
    struct file_map map;
    problem_clear(&problem);
    source_file->read = true;
    if (!file_map_open(&map, source_file->path.bytes, &problem)) {
        diagnostics_problem(search->diagnostics, DIAGNOSTICS_WARNING, source_file->path, &problem);
        return;
    }
    if (has_marks(&map)) {
        struct text name =
            text_slice(source_file->path, source_file->name_start, source_file->path.length);
        struct comment_file file = {.reader = search->reader};
        file.path = text_copy(search->reader->arena, source_file->path);
        if (search->reader->arena->failed ||
            !java_source_read(&file.source, text_of(map.bytes, map.size), name))
            fail(search);
        else
            read_comments(search, &file, name);
        java_source_release(&file.source);
    }
    file_map_close(&map);
}

/* Those first that are where their package says. */
static void read_files(struct search *search)
{
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < search->files.count && !search->reader->failed; i++) {
            struct source_file *file = &search->files.items[i];
            struct text relative = text_slice(file->path, file->relative_start, file->path.length);
            if (!file->read && (round == 1 || textmap_get(&search->keys, relative, NULL)))
                read_file(search, file);
        }
    }
}

/* ---- all ---- */

static void hand_over(struct comment_reader *reader, struct declarations *result)
{
    *result = (struct declarations){.source = SOURCE_COMMENT};
    if (reader->failed)
        return;
    if (reader->classes.count)
        result->classes = arena_copy(reader->arena, reader->classes.items,
                                     reader->classes.count * sizeof *reader->classes.items,
                                     alignof(struct syntax_class));
    if (reader->lines.count)
        result->lines = arena_copy(reader->arena, reader->lines.items,
                                   reader->lines.count * sizeof *reader->lines.items,
                                   alignof(struct syntax_line));
    if (reader->arena->failed) {
        reader->failed = true;
        return;
    }
    result->class_count = (uint32_t)reader->classes.count;
    result->line_count = (uint32_t)reader->lines.count;
}

bool comment_reader_read(struct declarations *result, struct arena *arena,
                         const struct program *program, const char *folder,
                         struct syntax_errors *errors, struct diagnostics *diagnostics)
{
    struct comment_reader reader = {.arena = arena, .program = program, .errors = errors};
    struct search search = {.reader = &reader, .diagnostics = diagnostics};
    arena_init(&search.scratch);
    textmap_init(&search.keys);
    textmap_init(&search.names);
    textmap_init(&search.visited);
    builder_init(&search.path);
    for (uint32_t i = 0; program && i < program->application_count && !reader.failed; i++)
        if (program->classes[i].class_file)
            add_key(&search, &program->classes[i]);
    bool found = !reader.failed && walk_folder(&search, folder);
    if (found)
        read_files(&search);
    hand_over(&reader, result);
    vector_release(&search.files);
    vector_release(&reader.classes);
    vector_release(&reader.lines);
    builder_release(&search.path);
    textmap_release(&search.visited);
    textmap_release(&search.names);
    textmap_release(&search.keys);
    arena_release(&search.scratch);
    return found && !reader.failed;
}
