#include <stdlib.h>

#include "base/intmap.h"
#include "locktypes/comment_reader_internal.h"

/*
 * What an instruction makes is found again by its line, its class and the order among its like, and
 * line tables have the line where the statement begins for all that it makes. So a line declaration
 * begins with the statement; and where a statement makes several objects of one class of which only
 * some have owners, the others are told too, as having none.
 */

/* Statements are looked back at no further. */
#define LONGEST_STATEMENT 2000

static bool is_symbol(const struct comment_file *file, uint32_t token, char symbol)
{
    return java_token_is_symbol(&file->source.tokens, token, symbol);
}

static bool is_word(const struct comment_file *file, uint32_t token)
{
    return java_token_is_word(&file->source.tokens, token);
}

static uint32_t line_of(const struct comment_file *file, uint32_t token)
{
    return file->source.tokens.tokens.items[token].line;
}

static uint32_t statement_line(const struct comment_file *file, uint32_t token)
{
    for (uint32_t i = 0; i < LONGEST_STATEMENT && token > 0; i++, token--)
        if (is_symbol(file, token - 1, ';') || is_symbol(file, token - 1, '{') ||
            is_symbol(file, token - 1, '}'))
            break;
    return line_of(file, token);
}

/* From the last token of a type back over brackets and type arguments to the last word of its name;
   JAVA_NONE: that is no type. */
static uint32_t last_name(const struct comment_file *file, uint32_t token, uint32_t *dimensions)
{
    while (token > 1 && is_symbol(file, token, ']') && is_symbol(file, token - 1, '[')) {
        token -= 2;
        ++*dimensions;
    }
    uint32_t depth = 0;
    for (uint32_t i = 0; i < LONGEST_STATEMENT; i++, token--) {
        if (is_symbol(file, token, '>'))
            depth++;
        else if (is_symbol(file, token, '<') && depth > 0)
            depth--;
        else if (depth == 0)
            break;
        if (token == 0)
            return JAVA_NONE;
    }
    return depth == 0 && is_word(file, token) ? token : JAVA_NONE;
}

static uint32_t first_name(const struct comment_file *file, uint32_t token)
{
    for (uint32_t i = 0; i < LONGEST_STATEMENT && token > 1 && is_symbol(file, token - 1, '.') &&
                         is_word(file, token - 2);
         i++)
        token -= 2;
    return token;
}

static struct text name_between(const struct comment_file *file, uint32_t first, uint32_t last)
{
    const struct java_token *tokens = file->source.tokens.tokens.items;
    return text_slice(file->source.tokens.text, tokens[first].start, tokens[last].end);
}

bool comment_own_line(struct comment_file *file, uint32_t last_token,
                      const struct syntax_locks *owners, uint32_t offset)
{
    struct java_type type = {0};
    uint32_t last = last_name(file, last_token, &type.dimensions);
    if (last == JAVA_NONE)
        return false;
    uint32_t first = first_name(file, last);
    bool is_made = first > 0 && java_token_is(&file->source.tokens, first - 1, "new");
    type.name = name_between(file, first, last);
    struct line_draft draft = {.line = {.kind = LINE_OWNERS,
                                        .first = statement_line(file, last),
                                        .last = line_of(file, last),
                                        .type = comment_type(file, &type, owners, offset)},
                               .made_at = is_made ? first - 1 : JAVA_NONE};
    comment_line(file, &draft, offset);
    return true;
}

/* ---- the end ---- */

static bool is_alike(const struct syntax_line *a, const struct syntax_line *b)
{
    return a->kind == LINE_OWNERS && b->kind == LINE_OWNERS && a->first == b->first &&
           text_equal(a->type.name, b->type.name);
}

/* The type of a local variable says nothing more where that of the object is written. */
static bool is_told_by_allocation(const struct comment_file *file, size_t number)
{
    const struct line_draft *draft = &file->lines.items[number];
    if (draft->line.kind != LINE_OWNERS || draft->made_at != JAVA_NONE)
        return false;
    for (size_t i = number + 1; i < file->lines.count && i - number < LONGEST_STATEMENT; i++) {
        const struct line_draft *other = &file->lines.items[i];
        if (other->line.kind == LINE_OWNERS && other->line.first > draft->line.first)
            return false;
        if (other->made_at != JAVA_NONE && is_alike(&draft->line, &other->line))
            return true;
    }
    return false;
}

/* Whether `new` makes exactly an object of the class whose name follows, or an array of them; the
   last word of the name is stored. */
static bool makes_named(const struct comment_file *file, uint32_t token, uint32_t *last)
{
    const struct java_source *source = &file->source;
    uint32_t next = token + 1;
    if (!is_word(file, next))
        return false;
    while (is_symbol(file, next + 1, '.') && is_word(file, next + 2))
        next += 2;
    *last = next++;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < LONGEST_STATEMENT && next < source->tokens.tokens.count; i++, next++) {
        if (is_symbol(file, next, '<'))
            depth++;
        else if (is_symbol(file, next, '>') && depth > 0)
            depth--;
        else if (depth == 0)
            break;
    }
    if (!is_symbol(file, next, '(') && !is_symbol(file, next, '['))
        return false;
    uint32_t close = source->matches[next];
    return close != JAVA_NONE &&
           !is_symbol(file, close + 1, is_symbol(file, next, '(') ? '{' : '[');
}

/* One allocation without owners, if there are some like it. `first_of` has for a line the first
   draft whose statement begins there. */
static void add_ownerless(struct comment_file *file, const struct intmap *first_of, uint32_t token,
                          size_t draft_count)
{
    uint32_t last;
    uint64_t number;
    if (!makes_named(file, token, &last))
        return;
    struct syntax_line line = {.kind = LINE_OWNERS,
                               .first = statement_line(file, token),
                               .last = line_of(file, last),
                               .type = {.name = name_between(file, token + 1, last)}};
    if (!intmap_get(first_of, line.first, &number))
        return;
    for (size_t i = (size_t)number; i < draft_count && i - number < LONGEST_STATEMENT; i++) {
        const struct line_draft *draft = &file->lines.items[i];
        if (draft->line.kind == LINE_OWNERS && draft->line.first > line.first)
            return;
        if (draft->made_at != JAVA_NONE && is_alike(&draft->line, &line)) {
            line.type = draft->line.type; /* for the text, which lives on */
            line.type.owners = (struct syntax_locks){NULL, 0};
            struct line_draft added = {.line = line, .made_at = token};
            comment_line(file, &added, file->source.tokens.tokens.items[token].start);
            return;
        }
    }
}

static void add_ownerless_all(struct comment_file *file)
{
    struct intmap first_of;
    intmap_init(&first_of);
    size_t count = file->lines.count;
    struct intmap told; /* tokens `new` that have owners */
    intmap_init(&told);
    for (size_t i = 0; i < count && !file->reader->failed; i++) {
        const struct line_draft *draft = &file->lines.items[i];
        bool added;
        if (draft->made_at != JAVA_NONE &&
            (!intmap_find_or_add(&first_of, draft->line.first, i, &added) ||
             !intmap_put(&told, draft->made_at, 1)))
            file->reader->failed = true;
    }
    for (uint32_t i = 0; first_of.count && i < file->source.tokens.tokens.count; i++)
        if (!file->reader->failed && java_token_is(&file->source.tokens, i, "new") &&
            !intmap_get(&told, i, NULL))
            add_ownerless(file, &first_of, i, count);
    intmap_release(&told);
    intmap_release(&first_of);
}

static int compare_places(const void *a, const void *b)
{
    const struct syntax_place *left = &((const struct line_draft *)a)->line.place;
    const struct syntax_place *right = &((const struct line_draft *)b)->line.place;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    /* Several locks of one comment. */
    const struct syntax_place *left_lock = &((const struct line_draft *)a)->line.lock.place;
    const struct syntax_place *right_lock = &((const struct line_draft *)b)->line.lock.place;
    return (left_lock->column > right_lock->column) - (left_lock->column < right_lock->column);
}

void comment_lines_finish(struct comment_file *file)
{
    add_ownerless_all(file);
    if (file->lines.count)
        qsort(file->lines.items, file->lines.count, sizeof *file->lines.items, compare_places);
    for (size_t i = 0; i < file->lines.count && !file->reader->failed; i++)
        if (!is_told_by_allocation(file, i) &&
            !vector_push(&file->reader->lines, file->lines.items[i].line))
            file->reader->failed = true;
}
