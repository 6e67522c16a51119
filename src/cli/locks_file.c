#include "cli/locks_file.h"

#include "base/file.h"
#include "locktypes/syntax_parser.h"

bool locks_file_is(const char *path)
{
    return text_ends_with(text_from(path), TEXT(".locks"));
}

/* As a compiler tells them, with the line and a caret. */
static void tell_errors(struct diagnostics *diagnostics, const struct syntax_errors *errors)
{
    for (size_t i = 0; i < errors->items.count; i++) {
        struct builder shown;
        builder_init(&shown);
        syntax_error_print(&errors->items.items[i], &shown);
        fwrite(builder_string(&shown), 1, shown.length, diagnostics->stream);
        builder_release(&shown);
    }
    if (errors->items.count)
        diagnostics_error(diagnostics, "%zu error%s in lock types", errors->items.count,
                          errors->items.count == 1 ? "" : "s");
}

bool locks_file_parse(struct declarations *result, struct arena *arena, struct text name,
                      struct text bytes, enum syntax_source source, struct diagnostics *diagnostics)
{
    struct syntax_errors errors = {.arena = arena};
    const bool parsed = syntax_parse_file(result, arena, name, bytes, source, &errors);
    if (!parsed)
        diagnostics_error(diagnostics, "%.*s: out of memory", TEXT_ARGUMENTS(name));
    tell_errors(diagnostics, &errors);
    const bool good = parsed && !errors.items.count;
    vector_release(&errors.items);
    return good;
}

bool locks_file_read(struct declarations *result, struct arena *arena, const char *path,
                     struct diagnostics *diagnostics)
{
    struct file_map file;
    struct problem problem = {0};
    if (!file_map_open(&file, path, &problem)) {
        diagnostics_problem(diagnostics, DIAGNOSTICS_ERROR, text_from(path), &problem);
        return false;
    }
    const struct text bytes = text_copy(arena, text_of(file.bytes, file.size));
    file_map_close(&file);
    return locks_file_parse(result, arena, text_from(path), bytes, SOURCE_LOCKS_FILE, diagnostics);
}
