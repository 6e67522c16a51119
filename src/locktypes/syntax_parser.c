#include "locktypes/syntax_parser_internal.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>

#define ERROR_LIMIT 100
#define FURTHEST_PART 1000

/* ---- walking ---- */

static void read_token(struct syntax_parser *parser)
{
    syntax_lexer_next(&parser->lexer, &parser->token);
    if (parser->token.kind == SYNTAX_OPEN_COMMENT) {
        syntax_parser_error(parser, &parser->token, "this comment is never closed");
        parser->token.kind = SYNTAX_END;
    }
}

bool syntax_parser_init(struct syntax_parser *parser, struct arena *arena, struct text text,
                        struct syntax_place base, const char *end_name,
                        struct syntax_errors *errors)
{
    *parser = (struct syntax_parser){.arena = arena,
                                     .errors = errors,
                                     .base = base,
                                     .end_name = end_name,
                                     .error_start = SIZE_MAX,
                                     .error_line_start = SIZE_MAX};
    const bool too_large = text.length > SYNTAX_LEXER_LIMIT;
    const struct text copy = text_copy(arena, too_large ? TEXT("") : text);
    syntax_lexer_init(&parser->lexer, copy);
    if (arena->failed)
        return syntax_parser_fail(parser);
    read_token(parser);
    if (too_large)
        syntax_parser_error(parser, &parser->token, "this is too large to be read: %zu bytes",
                            text.length);
    return !parser->failed;
}

void syntax_parser_advance(struct syntax_parser *parser)
{
    if (parser->token.kind == SYNTAX_END)
        return;
    parser->previous = parser->token;
    read_token(parser);
}

struct syntax_token syntax_parser_peek(const struct syntax_parser *parser, unsigned distance)
{
    struct syntax_lexer ahead = parser->lexer;
    struct syntax_token token = parser->token;
    for (unsigned i = 0; i < distance; i++)
        syntax_lexer_next(&ahead, &token);
    return token;
}

struct syntax_parser_mark syntax_parser_mark(const struct syntax_parser *parser)
{
    return (struct syntax_parser_mark){parser->lexer, parser->token, parser->previous};
}

void syntax_parser_return(struct syntax_parser *parser, const struct syntax_parser_mark *mark)
{
    if (parser->failed)
        return;
    parser->lexer = mark->lexer;
    parser->token = mark->token;
    parser->previous = mark->previous;
}

bool syntax_parser_fail(struct syntax_parser *parser)
{
    parser->failed = true;
    parser->lexer.offset = parser->lexer.input.length;
    parser->token.kind = SYNTAX_END;
    parser->token.text = TEXT("");
    return false;
}

void *syntax_parser_keep(struct syntax_parser *parser, const void *items, size_t count, size_t size)
{
    if (!count)
        return NULL;
    void *kept = arena_copy(parser->arena, items, count * size, alignof(max_align_t));
    if (!kept)
        syntax_parser_fail(parser);
    return kept;
}

struct syntax_place syntax_parser_place(const struct syntax_parser *parser,
                                        const struct syntax_token *token)
{
    struct syntax_place place = parser->base;
    if (place.line)
        place.line += token->line - 1;
    if (place.column)
        place.column = token->line == 1 ? place.column + token->column - 1 : token->column;
    return place;
}

struct text syntax_parser_written(const struct syntax_parser *parser,
                                  const struct syntax_token *first)
{
    return text_slice(parser->lexer.input, first->start, parser->previous.end);
}

enum syntax_clause_kind syntax_token_clause(const struct syntax_token *token)
{
    int value;
    return token->kind == SYNTAX_WORD ? syntax_word_clause(token->text, &value)
                                      : SYNTAX_CLAUSE_NONE;
}

bool syntax_parser_accept(struct syntax_parser *parser, char sign)
{
    if (!syntax_token_is_sign(&parser->token, sign))
        return false;
    syntax_parser_advance(parser);
    return true;
}

bool syntax_parser_accept_word(struct syntax_parser *parser, const char *word)
{
    if (!syntax_token_is_word(&parser->token, word))
        return false;
    syntax_parser_advance(parser);
    return true;
}

/* ---- errors ---- */

/* Of a line only a part may be known: it is moved to its column, so that the caret finds its place
   in it as in the whole line. Too far to the right nothing is shown. */
static struct text copy_line(struct syntax_parser *parser, const struct syntax_token *token)
{
    const struct text line = syntax_lexer_line(parser->lexer.input, token->line_start);
    const size_t before =
        token->line == 1 && parser->base.column ? (size_t)parser->base.column - 1 : 0;
    if (!before)
        return text_copy(parser->errors->arena, line);
    char *copy = before > FURTHEST_PART
                     ? NULL
                     : arena_allocate(parser->errors->arena, before + line.length, 1);
    if (!copy)
        return TEXT("");
    memset(copy, ' ', before);
    memcpy(copy + before, line.bytes, line.length);
    return text_of(copy, before + line.length);
}

/* The line is copied once for all errors in it: a file may be one line. */
static struct text line_of(struct syntax_parser *parser, const struct syntax_token *token)
{
    if (parser->error_line_start != token->line_start) {
        parser->error_line_start = token->line_start;
        parser->error_line = copy_line(parser, token);
    }
    return parser->error_line;
}

static bool add_error(struct syntax_parser *parser, const struct syntax_token *token,
                      struct text message)
{
    struct syntax_errors *errors = parser->errors;
    if (!errors)
        return true;
    struct syntax_error error = {.place = syntax_parser_place(parser, token),
                                 .message = text_copy(errors->arena, message),
                                 .line = line_of(parser, token)};
    if (!error.place.column)
        error.caret = token->column;
    if (parser->error_count == 0)
        parser->error_file = text_copy(errors->arena, parser->base.file);
    error.place.file = parser->error_file;
    return !errors->arena->failed && vector_push(&errors->items, error);
}

bool syntax_parser_error(struct syntax_parser *parser, const struct syntax_token *token,
                         const char *format, ...)
{
    /* A second error about the same token is the echo of the first. */
    if (parser->failed || parser->error_start == token->start || parser->error_count > ERROR_LIMIT)
        return false;
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (parser->error_count == ERROR_LIMIT)
        snprintf(message, sizeof message, "there are more errors, which are not shown");
    if (!add_error(parser, token, text_from(message)))
        return syntax_parser_fail(parser);
    parser->error_start = token->start;
    parser->error_count++;
    return false;
}

/* The start of the text, with question marks for what cannot be shown. */
static void show(struct text text, char *to, size_t size)
{
    size_t length = 0, position = 0;
    while (position < text.length && length + 8 < size) {
        uint32_t character = 0;
        size_t step =
            syntax_lexer_character(text.bytes + position, text.length - position, &character);
        if (step && syntax_lexer_is_visible(character)) {
            memcpy(to + length, text.bytes + position, step);
            length += step;
        } else {
            to[length++] = '?';
        }
        position += step ? step : 1;
    }
    if (position < text.length) {
        memcpy(to + length, "...", 3);
        length += 3;
    }
    to[length] = '\0';
}

static void describe_bad(struct text text, char *to, size_t size)
{
    uint32_t character = 0;
    if (syntax_lexer_character(text.bytes, text.length, &character) && character >= 0x80)
        snprintf(to, size, "the character U+%04X", (unsigned)character);
    else
        snprintf(to, size, "the byte 0x%02X", (unsigned)(uint8_t)text.bytes[0]);
}

static void describe(const struct syntax_parser *parser, const struct syntax_token *token, char *to,
                     size_t size)
{
    char shown[64];
    if (token->kind == SYNTAX_END) {
        snprintf(to, size, "%s", parser->end_name);
    } else if (token->kind == SYNTAX_BAD) {
        describe_bad(token->text, to, size);
    } else if (token->kind == SYNTAX_OPEN_QUOTE) {
        snprintf(to, size, "a backquote without a name and a second backquote");
    } else {
        show(token->text, shown, sizeof shown);
        snprintf(to, size, "'%s'", shown);
    }
}

bool syntax_parser_expected(struct syntax_parser *parser, const char *what)
{
    char behind[96], found[96];
    describe(parser, &parser->token, found, sizeof found);
    if (parser->previous.kind == SYNTAX_END)
        return syntax_parser_error(parser, &parser->token, "expected %s, found %s", what, found);
    describe(parser, &parser->previous, behind, sizeof behind);
    return syntax_parser_error(parser, &parser->token, "expected %s behind %s, found %s", what,
                               behind, found);
}

bool syntax_parser_expect(struct syntax_parser *parser, char sign, const char *what)
{
    return syntax_parser_accept(parser, sign) || syntax_parser_expected(parser, what);
}

/* ---- printing errors ---- */

#define SHOWN_BEFORE 120
#define SHOWN_BEHIND 60

/* Characters first .. last - 1 of the line, counted from 0; `blank` shows all but tabs as a space.
   Whether there are more behind them. */
static bool print_part(struct text line, uint32_t first, uint32_t last, bool blank,
                       struct builder *to)
{
    size_t position = 0;
    for (uint32_t number = 0; position < line.length && number < last; number++) {
        uint32_t character = 0;
        const struct text rest = text_slice(line, position, line.length);
        const size_t length = syntax_lexer_character(rest.bytes, rest.length, &character);
        position += length ? length : 1;
        if (number < first)
            continue;
        if (character == '\t' || blank)
            builder_add_byte(to, character == '\t' ? '\t' : ' ');
        else if (length && syntax_lexer_is_visible(character))
            builder_add(to, text_slice(rest, 0, length));
        else
            builder_add_byte(to, '?');
    }
    return position < line.length;
}

static void print_line(struct text line, uint32_t caret, struct builder *to)
{
    const uint32_t before = caret - 1;
    const uint32_t first = before > SHOWN_BEFORE ? before - SHOWN_BEFORE : 0;
    const uint32_t last = before < UINT32_MAX - SHOWN_BEHIND ? before + SHOWN_BEHIND : before;
    const char *const cut = "...";
    builder_add_string(to, first ? cut : "");
    builder_add_string(to, print_part(line, first, last, false, to) ? "...\n" : "\n");
    builder_add_string(to, first ? "   " : "");
    print_part(line, first, before, true, to);
    builder_add_string(to, "^\n");
}

void syntax_error_print(const struct syntax_error *error, struct builder *to)
{
    builder_add(to, error->place.file);
    if (error->place.line)
        builder_add_format(to, ":%u", (unsigned)error->place.line);
    if (error->place.line && error->place.column)
        builder_add_format(to, ":%u", (unsigned)error->place.column);
    builder_add_string(to, error->place.file.length || error->place.line ? ": error: " : "error: ");
    builder_add(to, error->message);
    builder_add_byte(to, '\n');
    const uint32_t caret = error->place.column ? error->place.column : error->caret;
    if (caret && error->line.length)
        print_line(error->line, caret, to);
}
