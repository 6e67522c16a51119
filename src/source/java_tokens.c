#include "source/java_tokens.h"

struct lexer {
    struct java_tokens *tokens;
    const char *bytes;
    uint32_t length;
    uint32_t position;
    uint32_t line;     /* of the position */
    uint32_t plain_at; /* a backslash here begins no unicode escape: there is one before it */
    /* Once the end of one of these was not found, that of a later one would not be found either. */
    bool comment_never_ends, text_block_never_ends;
};

/* A character after translation of unicode escapes. */
struct unit {
    uint32_t value; /* UNIT_END behind the last */
    uint32_t width; /* in bytes */
};
#define UNIT_END UINT32_MAX

static int hex_digit(char byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    if (byte >= 'a' && byte <= 'f')
        return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F')
        return byte - 'A' + 10;
    return -1;
}

static struct unit unit_at(const struct lexer *lexer, uint32_t position)
{
    if (position >= lexer->length)
        return (struct unit){UNIT_END, 0};
    struct unit plain = {(unsigned char)lexer->bytes[position], 1};
    uint32_t next = position + 1;
    if (plain.value != '\\' || position == lexer->plain_at || next >= lexer->length ||
        lexer->bytes[next] != 'u')
        return plain;
    while (next < lexer->length && lexer->bytes[next] == 'u')
        next++;
    uint32_t value = 0;
    for (uint32_t i = 0; i < 4; i++, next++) {
        int digit = next < lexer->length ? hex_digit(lexer->bytes[next]) : -1;
        if (digit < 0)
            return plain;
        value = value << 4 | (uint32_t)digit;
    }
    return (struct unit){value, next - position};
}

static struct unit current(const struct lexer *lexer)
{
    return unit_at(lexer, lexer->position);
}

static void advance(struct lexer *lexer)
{
    struct unit unit = current(lexer);
    if (unit.value == '\\' && unit.width == 1 && lexer->position != lexer->plain_at)
        lexer->plain_at = lexer->position + 1;
    lexer->position += unit.width;
}

/* The unit behind the current one. */
static uint32_t peek(const struct lexer *lexer)
{
    return unit_at(lexer, lexer->position + current(lexer).width).value;
}

static bool is_line_end(uint32_t value)
{
    return value == '\n' || value == '\r' || value == UNIT_END;
}

static bool is_space(uint32_t value)
{
    return value == ' ' || (value >= '\t' && value <= '\r') || value == 0x1A || value == 0;
}

static bool is_digit(uint32_t value)
{
    return value >= '0' && value <= '9';
}

static bool is_letter(uint32_t value)
{
    return (value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z') || value == '_' ||
           value == '$' || (value >= 0x80 && value != UNIT_END);
}

/* ---- one token each; the position is behind its first unit, or at it where said ---- */

static void skip_word(struct lexer *lexer)
{
    for (uint32_t value = current(lexer).value; is_letter(value) || is_digit(value);
         value = current(lexer).value)
        advance(lexer);
}

/* More than the language allows: signs only behind an exponent. */
static void skip_number(struct lexer *lexer)
{
    bool hexadecimal = current(lexer).value == '0' && (peek(lexer) | 0x20) == 'x';
    for (;;) {
        uint32_t value = current(lexer).value;
        if (!is_letter(value) && !is_digit(value) && value != '.')
            return;
        bool exponent = (value | 0x20) == (hexadecimal ? 'p' : 'e');
        advance(lexer);
        value = current(lexer).value;
        if (exponent && (value == '+' || value == '-'))
            advance(lexer);
    }
}

/* A string or character, up to its quote or the end of the line. */
static void skip_quoted(struct lexer *lexer, uint32_t quote)
{
    for (;;) {
        uint32_t value = current(lexer).value;
        if (is_line_end(value))
            return;
        advance(lexer);
        if (value == quote)
            return;
        if (value == '\\' && !is_line_end(current(lexer).value))
            advance(lexer);
    }
}

/* Behind the three quotes. False, with the position as it was, if it never ends. */
static bool skip_text_block(struct lexer *lexer)
{
    if (lexer->text_block_never_ends)
        return false;
    uint32_t start = lexer->position;
    uint32_t quotes = 0;
    while (quotes < 3) {
        uint32_t value = current(lexer).value;
        if (value == UNIT_END) {
            lexer->text_block_never_ends = true;
            lexer->position = start;
            return false;
        }
        advance(lexer);
        quotes = value == '"' ? quotes + 1 : 0;
        if (value == '\\' && current(lexer).value != UNIT_END)
            advance(lexer);
    }
    return true;
}

static enum java_token_kind skip_string(struct lexer *lexer)
{
    if (current(lexer).value == '"' && peek(lexer) == '"') {
        struct lexer before = *lexer;
        advance(lexer);
        advance(lexer);
        if (skip_text_block(lexer))
            return JAVA_TEXT_BLOCK;
        before.text_block_never_ends = lexer->text_block_never_ends;
        *lexer = before;
    }
    skip_quoted(lexer, '"');
    return JAVA_STRING;
}

/* ---- comments ---- */

static void skip_line(struct lexer *lexer)
{
    while (!is_line_end(current(lexer).value))
        advance(lexer);
}

/* Behind the opening sign. One that never ends takes the rest of its line. */
static void skip_block_comment(struct lexer *lexer)
{
    uint32_t start = lexer->position;
    while (!lexer->comment_never_ends) {
        uint32_t value = current(lexer).value;
        if (value == UNIT_END) {
            lexer->comment_never_ends = true;
            lexer->position = start;
            break;
        }
        advance(lexer);
        if (value == '*' && current(lexer).value == '/') {
            advance(lexer);
            return;
        }
    }
    skip_line(lexer);
}

/* Rows of # are ornaments, and `#` alone says nothing. */
static bool is_annotation(struct text body)
{
    if (body.length && body.bytes[0] == '#')
        return false;
    for (size_t i = 0; i < body.length; i++)
        if (!is_space((unsigned char)body.bytes[i]))
            return true;
    return false;
}

static void read_comment(struct lexer *lexer)
{
    struct java_comment comment = {.start = lexer->position,
                                   .line = lexer->line,
                                   .before = (uint32_t)lexer->tokens->tokens.count};
    advance(lexer);
    comment.to_line_end = current(lexer).value == '/';
    advance(lexer);
    if (comment.to_line_end)
        skip_line(lexer);
    else
        skip_block_comment(lexer);
    comment.end = lexer->position;
    /* A sign written with unicode escapes begins a comment, but no annotation. */
    if (comment.end - comment.start > 2 && lexer->bytes[comment.start + 2] == '#' &&
        lexer->bytes[comment.start] == '/')
        comment.marked = is_annotation(java_comment_body(lexer->tokens, &comment));
    if (!vector_push(&lexer->tokens->comments, comment))
        lexer->tokens->failed = true;
}

/* ---- all ---- */

static void push(struct lexer *lexer, uint32_t start, enum java_token_kind kind, char symbol)
{
    struct java_token token = {.start = start,
                               .end = lexer->position,
                               .line = lexer->line,
                               .kind = (uint8_t)kind,
                               .symbol = symbol};
    if (!vector_push(&lexer->tokens->tokens, token))
        lexer->tokens->failed = true;
}

static void read_token(struct lexer *lexer)
{
    uint32_t start = lexer->position;
    uint32_t value = current(lexer).value;
    if (is_letter(value)) {
        skip_word(lexer);
        push(lexer, start, JAVA_WORD, 0);
    } else if (is_digit(value) || (value == '.' && is_digit(peek(lexer)))) {
        skip_number(lexer);
        push(lexer, start, JAVA_NUMBER, 0);
    } else if (value == '"') {
        advance(lexer);
        enum java_token_kind kind = skip_string(lexer);
        push(lexer, start, kind, 0);
    } else if (value == '\'') {
        advance(lexer);
        skip_quoted(lexer, '\'');
        push(lexer, start, JAVA_CHARACTER, 0);
    } else {
        advance(lexer);
        push(lexer, start, JAVA_SYMBOL, (char)value);
    }
}

static void read_all(struct lexer *lexer)
{
    while (lexer->position < lexer->length && !lexer->tokens->failed) {
        while (lexer->line < lexer->tokens->lines.count &&
               lexer->tokens->lines.items[lexer->line] <= lexer->position)
            lexer->line++;
        uint32_t value = current(lexer).value;
        if (is_space(value))
            advance(lexer);
        else if (value == '/' && (peek(lexer) == '/' || peek(lexer) == '*'))
            read_comment(lexer);
        else
            read_token(lexer);
    }
}

/* By the bytes: that is how compilers count lines, whatever unicode escapes say. */
static void find_lines(struct java_tokens *tokens)
{
    const char *bytes = tokens->text.bytes;
    size_t length = tokens->text.length;
    if (!vector_push(&tokens->lines, 0)) {
        tokens->failed = true;
        return;
    }
    for (size_t i = 0; i < length; i++) {
        bool ends =
            bytes[i] == '\n' || (bytes[i] == '\r' && !(i + 1 < length && bytes[i + 1] == '\n'));
        if (ends && !vector_push(&tokens->lines, (uint32_t)(i + 1))) {
            tokens->failed = true;
            return;
        }
    }
}

bool java_tokens_read(struct java_tokens *tokens, struct text text)
{
    *tokens = (struct java_tokens){.text = text_slice(text, 0, JAVA_TOKENS_LONGEST)};
    find_lines(tokens);
    struct lexer lexer = {.tokens = tokens,
                          .bytes = tokens->text.bytes,
                          .length = (uint32_t)tokens->text.length,
                          .line = 1,
                          .plain_at = UINT32_MAX};
    /* A byte order mark is no word. */
    if (text_starts_with(tokens->text, TEXT("\xEF\xBB\xBF")))
        lexer.position = 3;
    read_all(&lexer);
    lexer.position = lexer.length;
    lexer.line = (uint32_t)tokens->lines.count;
    push(&lexer, lexer.length, JAVA_END, 0);
    return !tokens->failed;
}

void java_tokens_release(struct java_tokens *tokens)
{
    vector_release(&tokens->tokens);
    vector_release(&tokens->comments);
    vector_release(&tokens->lines);
}

uint32_t java_tokens_line(const struct java_tokens *tokens, uint32_t offset)
{
    size_t low = 0, high = tokens->lines.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tokens->lines.items[middle] <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

uint32_t java_tokens_column(const struct java_tokens *tokens, uint32_t offset)
{
    uint32_t line = java_tokens_line(tokens, offset);
    return line ? offset - tokens->lines.items[line - 1] + 1 : 1;
}

struct text java_tokens_line_text(const struct java_tokens *tokens, uint32_t line)
{
    if (line == 0 || line > tokens->lines.count)
        return TEXT("");
    size_t end = line < tokens->lines.count ? tokens->lines.items[line] : tokens->text.length;
    struct text text = text_slice(tokens->text, tokens->lines.items[line - 1], end);
    while (text.length && is_line_end((unsigned char)text.bytes[text.length - 1]))
        text.length--;
    return text;
}

struct text java_comment_body(const struct java_tokens *tokens, const struct java_comment *comment)
{
    struct text body = text_slice(tokens->text, comment->start + 3, comment->end);
    if (!comment->to_line_end && text_ends_with(body, TEXT("*/")))
        body.length -= 2;
    return body;
}
