/* Any bytes as a .locks file, as the text of a comment, and as a lock expression. What was
   understood of a file is printed, read again without an error, and printed the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "locktypes/syntax_parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void show_errors(struct syntax_errors *errors)
{
    struct builder shown;
    builder_init(&shown);
    for (size_t i = 0; i < errors->items.count; i++)
        syntax_error_print(&errors->items.items[i], &shown);
    if (shown.failed)
        abort();
    builder_release(&shown);
}

/* The number of errors. */
static size_t copy(struct text bytes, struct builder *to)
{
    struct arena arena;
    arena_init(&arena);
    struct syntax_errors errors = {.arena = &arena};
    struct declarations declarations;
    if (!syntax_parse_file(&declarations, &arena, TEXT("a.locks"), bytes, SOURCE_LOCKS_FILE,
                           &errors))
        abort();
    syntax_print_file(&declarations, to);
    show_errors(&errors);
    const size_t count = errors.items.count;
    vector_release(&errors.items);
    arena_release(&arena);
    return count;
}

static void read_part(struct text bytes)
{
    const struct syntax_place place = {TEXT("A.java"), 3, 17};
    struct arena arena;
    arena_init(&arena);
    struct syntax_errors errors = {.arena = &arena};
    struct syntax_clauses clauses;
    struct syntax_lock lock;
    if (!syntax_parse_clauses(&clauses, &arena, bytes, place, &errors) && !errors.items.count)
        abort();
    const size_t count = errors.items.count;
    const bool good = syntax_parse_lock(&lock, &arena, bytes, place, &errors);
    if (good != (errors.items.count == count))
        abort();
    if (good) {
        struct builder printed;
        builder_init(&printed);
        syntax_print_lock(&lock, &printed);
        if (!syntax_parse_lock(&lock, &arena, builder_text(&printed), place, &errors))
            abort();
        builder_release(&printed);
    }
    show_errors(&errors);
    vector_release(&errors.items);
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct builder first, second;
    if (size > 1 << 16)
        return 0;
    read_part(text_of(bytes, size));
    builder_init(&first);
    builder_init(&second);
    copy(text_of(bytes, size), &first);
    if (copy(builder_text(&first), &second) != 0 ||
        !text_equal(builder_text(&first), builder_text(&second)))
        abort();
    builder_release(&first);
    builder_release(&second);
    return 0;
}
