#include "cli/declared.h"

#include <sys/stat.h>

#include "base/file.h"
#include "cli/locks_file.h"
#include "instrument/atomic_patterns.h"
#include "instrument/declared_methods.h"
#include "locktypes/comment_reader.h"

struct declaring {
    struct builder *lines;
    struct builder types; /* scratch */
    struct diagnostics *diagnostics;
    unsigned atomic, other, blocks;
};

/* ---- methods ---- */

static struct text types_of(struct declaring *declaring, const struct syntax_method *method)
{
    struct builder *types = &declaring->types;
    builder_clear(types);
    if (method->any_parameters)
        builder_add_byte(types, '*');
    for (uint32_t i = 0; i < method->parameter_count; i++) {
        const struct syntax_type *type = &method->parameters[i].type;
        if (i)
            builder_add_byte(types, ',');
        builder_add(types, type->name.length ? type->name : TEXT("_"));
        for (uint32_t dimension = 0; type->name.length && dimension < type->dimensions; dimension++)
            builder_add_string(types, "[]");
    }
    return builder_text(types);
}

static void add_method(struct declaring *declaring, const struct syntax_class *class,
                       const struct syntax_method *method)
{
    const enum atomicity_claim claim = atomicity_claim(method->atomicity, &method->requires);
    if (claim == CLAIM_NONE || text_is(method->name, "<init>"))
        return; /* constructors are never blocks */
    const struct declared_method line = {
        .claim = claim,
        .how = class->numbered        ? DECLARED_NUMBERED
               : class->internal_name ? DECLARED_IS
                                      : DECLARED_ENDS,
        .class_name = class->name,
        .name = method->name,
        .types = types_of(declaring, method),
        .first_line = class->numbered ? method->first_line : 0,
        .last_line = class->numbered ? method->last_line : 0,
    };
    if (!declared_methods_write_method(declaring->lines, &line))
        return;
    declaring->atomic += claim == CLAIM_ATOMIC;
    declaring->other += claim == CLAIM_OTHER;
}

/* `any`: those that stand for all methods of their name, which count less than the others. */
static void add_methods(struct declaring *declaring, const struct declarations *declarations,
                        bool any)
{
    for (uint32_t i = 0; i < declarations->class_count; i++) {
        const struct syntax_class *class = &declarations->classes[i];
        for (uint32_t n = 0; n < class->method_count; n++)
            if (class->methods[n].any_parameters == any)
                add_method(declaring, class, &class->methods[n]);
    }
}

/* ---- blocks ---- */

static void add_blocks(struct declaring *declaring, const struct declarations *declarations)
{
    for (uint32_t i = 0; i < declarations->line_count; i++) {
        const struct syntax_line *line = &declarations->lines[i];
        if (line->kind != LINE_ATOMIC)
            continue;
        if (!line->open) {
            diagnostics_warning(declaring->diagnostics,
                                "%.*s:%u:%u: a run marks methods and synchronized blocks, not "
                                "other blocks: `atomic` is left out",
                                TEXT_ARGUMENTS(line->place.file), (unsigned)line->place.line,
                                (unsigned)line->place.column);
            continue;
        }
        const struct declared_block block = {
            .file = line->file, .first_line = line->first, .last_line = line->open};
        declaring->blocks += declared_methods_write_block(declaring->lines, &block);
    }
}

/* ---- files ---- */

static bool add_locks(struct declaring *declaring, struct arena *arena, const options_words *locks)
{
    struct declarations *files = ARENA_ARRAY(arena, struct declarations, locks->count);
    if (!files)
        return false;
    for (size_t i = 0; i < locks->count; i++)
        if (!locks_file_read(&files[i], arena, locks->items[i], declaring->diagnostics))
            return false;
    for (int any = 0; any < 2; any++)
        for (size_t i = 0; i < locks->count; i++)
            add_methods(declaring, &files[i], any);
    return true;
}

static void tell_errors(const struct syntax_errors *errors, struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < errors->items.count; i++) {
        const struct syntax_error *error = &errors->items.items[i];
        diagnostics_warning(diagnostics, "%.*s:%u:%u: %.*s", TEXT_ARGUMENTS(error->place.file),
                            (unsigned)error->place.line, (unsigned)error->place.column,
                            TEXT_ARGUMENTS(error->message));
    }
}

static bool add_source(struct declaring *declaring, struct arena *arena, const char *folder)
{
    struct syntax_errors errors = {.arena = arena};
    struct declarations declarations;
    const bool read =
        comment_reader_read(&declarations, arena, NULL, folder, &errors, declaring->diagnostics);
    tell_errors(&errors, declaring->diagnostics);
    vector_release(&errors.items);
    if (!read)
        return false;
    add_methods(declaring, &declarations, false);
    add_blocks(declaring, &declarations);
    return true;
}

bool declared_read(struct builder *lines, const options_words *locks, const options_words *sources,
                   struct diagnostics *diagnostics)
{
    const unsigned told = diagnostics->errors;
    struct declaring declaring = {.lines = lines, .diagnostics = diagnostics};
    struct arena arena;
    arena_init(&arena);
    builder_init(&declaring.types);
    bool read = add_locks(&declaring, &arena, locks);
    for (size_t i = 0; read && i < sources->count; i++)
        read = add_source(&declaring, &arena, sources->items[i]);
    if (arena.failed || declaring.types.failed || lines->failed) {
        read = false;
        if (diagnostics->errors == told)
            diagnostics_error(diagnostics, "out of memory for what is declared");
    }
    if (read && locks->count + sources->count)
        diagnostics_note(diagnostics,
                         "declared: %u methods and %u synchronized blocks that should be atomic, "
                         "%u methods that need not",
                         declaring.atomic, declaring.blocks, declaring.other);
    builder_release(&declaring.types);
    arena_release(&arena);
    return read;
}

/* ---- patterns ---- */

bool declared_check_patterns(const char *path, struct diagnostics *diagnostics)
{
    struct problem problem;
    struct file_map map;
    struct stat status;
    problem_clear(&problem);
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return true;
    if (!file_map_open(&map, path, &problem)) {
        diagnostics_error(diagnostics, "%s: %s", path, problem.reason);
        return false;
    }
    struct arena arena;
    struct pattern_list patterns = {0};
    unsigned line;
    arena_init(&arena);
    const bool good =
        atomic_patterns_read(&patterns, &arena, text_of(map.bytes, map.size), &line, &problem);
    if (!good && line)
        diagnostics_error(diagnostics, "%s:%u: %s", path, line, problem.reason);
    else if (!good)
        diagnostics_error(diagnostics, "%s: %s", path, problem.reason);
    pattern_list_release(&patterns);
    arena_release(&arena);
    file_map_close(&map);
    return good;
}
