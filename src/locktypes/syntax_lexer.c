#include "locktypes/syntax_lexer.h"

#include <string.h>

/* ---- characters ---- */

size_t syntax_lexer_character(const char *bytes, size_t left, uint32_t *character)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t lead = (uint8_t)bytes[0];
    size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (lead > 0xF4 || length == 0 || length > left)
        return 0;
    uint32_t value = length == 1 ? lead : lead & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        const uint8_t next = (uint8_t)bytes[i];
        if ((next & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (next & 0x3Fu);
    }
    if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 0;
    *character = value;
    return length;
}

bool syntax_lexer_is_visible(uint32_t character)
{
    if (character < 0x20 || (character >= 0x7F && character <= 0xA0))
        return false;
    /* Spaces that are not seen, and marks that turn the direction of writing. */
    return !((character >= 0x2000 && character <= 0x200F) ||
             (character >= 0x2028 && character <= 0x202F) ||
             (character >= 0x2060 && character <= 0x206F) || character == 0xFEFF);
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_line_end(char byte)
{
    return byte == '\n' || byte == '\r';
}

/* Bytes of the character there if a word may have it, else 0. What is not ASCII counts as a letter
   if it can be seen. */
static size_t word_character(const char *bytes, size_t left)
{
    const char byte = bytes[0];
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
        byte == '$' || is_digit(byte))
        return 1;
    uint32_t character = 0;
    const size_t length =
        (uint8_t)byte < 0x80 ? 0 : syntax_lexer_character(bytes, left, &character);
    return length && syntax_lexer_is_visible(character) ? length : 0;
}

/* ---- tokens ---- */

void syntax_lexer_init(struct syntax_lexer *lexer, struct text input)
{
    *lexer = (struct syntax_lexer){.input = input, .line = 1, .column = 1, .first = true};
    if (text_starts_with(input, TEXT("\xEF\xBB\xBF")))
        lexer->offset = lexer->line_start = 3;
}

static size_t left_of(const struct syntax_lexer *lexer)
{
    return lexer->input.length - lexer->offset;
}

static const char *rest_of(const struct syntax_lexer *lexer)
{
    return lexer->input.bytes + lexer->offset;
}

/* One character further, or one byte where there is none. */
static void step(struct syntax_lexer *lexer)
{
    const char *rest = rest_of(lexer);
    if (is_line_end(*rest)) {
        lexer->offset += *rest == '\r' && left_of(lexer) > 1 && rest[1] == '\n' ? 2 : 1;
        lexer->line_start = lexer->offset;
        lexer->line++;
        lexer->column = 1;
        lexer->first = true;
        return;
    }
    uint32_t character;
    const size_t length = syntax_lexer_character(rest, left_of(lexer), &character);
    lexer->offset += length ? length : 1;
    lexer->column++;
}

static bool begins_with(const struct syntax_lexer *lexer, const char *sign)
{
    return left_of(lexer) >= 2 && memcmp(rest_of(lexer), sign, 2) == 0;
}

/* Whether there was a comment; *closed says whether it has an end. */
static bool skip_comment(struct syntax_lexer *lexer, bool *closed)
{
    *closed = true;
    if (begins_with(lexer, "//")) {
        while (left_of(lexer) && !is_line_end(*rest_of(lexer)))
            step(lexer);
        return true;
    }
    if (!begins_with(lexer, "/*"))
        return false;
    lexer->offset += 2;
    lexer->column += 2;
    while (left_of(lexer) && !begins_with(lexer, "*/"))
        step(lexer);
    *closed = left_of(lexer) > 0;
    if (*closed) {
        lexer->offset += 2;
        lexer->column += 2;
    }
    return true;
}

static void skip_space(struct syntax_lexer *lexer)
{
    while (left_of(lexer) && memchr(" \t\n\r\f", *rest_of(lexer), 5))
        step(lexer);
}

/* A name between backquotes; the first of them is there. Where the second is missing, only the
   first is passed, for what follows it is rather not meant to be in a name. */
static enum syntax_token_kind read_quoted(struct syntax_lexer *lexer, struct text *name)
{
    step(lexer);
    const struct syntax_lexer inside = *lexer;
    while (left_of(lexer) && *rest_of(lexer) != '`' && !is_line_end(*rest_of(lexer)))
        step(lexer);
    *name = text_slice(lexer->input, inside.offset, lexer->offset);
    if (!left_of(lexer) || *rest_of(lexer) != '`') {
        *lexer = inside;
        return SYNTAX_OPEN_QUOTE;
    }
    step(lexer);
    return name->length ? SYNTAX_QUOTED : SYNTAX_OPEN_QUOTE;
}

static bool is_bad(const struct syntax_lexer *lexer)
{
    const uint8_t byte = (uint8_t)*rest_of(lexer);
    if (byte < 0x80)
        return (byte < 0x20 || byte == 0x7F) && !memchr(" \t\n\r\f", byte, 5);
    return word_character(rest_of(lexer), left_of(lexer)) == 0;
}

static enum syntax_token_kind read_token(struct syntax_lexer *lexer)
{
    const size_t start = lexer->offset;
    if (is_digit(*rest_of(lexer))) {
        while (left_of(lexer) && is_digit(*rest_of(lexer)))
            step(lexer);
        return SYNTAX_NUMBER;
    }
    while (left_of(lexer) && word_character(rest_of(lexer), left_of(lexer)))
        step(lexer);
    if (lexer->offset > start)
        return SYNTAX_WORD;
    while (left_of(lexer) && is_bad(lexer))
        step(lexer);
    if (lexer->offset > start)
        return SYNTAX_BAD;
    step(lexer);
    return SYNTAX_SIGN;
}

static void start_token(const struct syntax_lexer *lexer, struct syntax_token *token)
{
    *token = (struct syntax_token){.kind = SYNTAX_END,
                                   .start = lexer->offset,
                                   .line_start = lexer->line_start,
                                   .line = lexer->line,
                                   .column = lexer->column,
                                   .first = lexer->first};
}

void syntax_lexer_next(struct syntax_lexer *lexer, struct syntax_token *token)
{
    bool closed = true;
    do {
        skip_space(lexer);
        start_token(lexer, token);
    } while (left_of(lexer) && skip_comment(lexer, &closed) && closed);

    if (!closed) {
        token->kind = SYNTAX_OPEN_COMMENT;
        token->text = text_slice(lexer->input, token->start, token->start + 2);
    } else if (left_of(lexer) && *rest_of(lexer) == '`') {
        token->kind = read_quoted(lexer, &token->text);
    } else if (left_of(lexer)) {
        token->kind = read_token(lexer);
        token->text = text_slice(lexer->input, token->start, lexer->offset);
    } else {
        token->text = TEXT("");
    }
    token->end = lexer->offset;
    if (token->kind != SYNTAX_END)
        lexer->first = false;
}

bool syntax_lexer_is_word(struct text text)
{
    if (!text.length || is_digit(text.bytes[0]))
        return false;
    size_t position = 0;
    while (position < text.length) {
        const size_t length = word_character(text.bytes + position, text.length - position);
        if (!length)
            return false;
        position += length;
    }
    return true;
}

struct text syntax_lexer_line(struct text input, size_t line_start)
{
    size_t end = line_start;
    while (end < input.length && !is_line_end(input.bytes[end]))
        end++;
    return text_slice(input, line_start, end);
}

/* ---- words ---- */

static const char *const nature_words[] = {
    [NATURE_NONE] = "",
    [NATURE_THREAD_LOCAL] = "thread_local",
    [NATURE_IMMUTABLE] = "immutable",
    [NATURE_SAFE] = "thread_safe",
    [NATURE_UNGUARDED] = "unguarded",
};

static const char *const guard_words[] = {
    [GUARD_NONE] = "",
    [GUARD_ALWAYS] = "guarded_by",
    [GUARD_WRITES] = "write_guarded_by",
};

static const char *const effect_words[] = {
    [EFFECT_ACQUIRES] = "acquires",   [EFFECT_ACQUIRES_SHARED] = "acquires_shared",
    [EFFECT_TRIES] = "tries",         [EFFECT_TRIES_SHARED] = "tries_shared",
    [EFFECT_RELEASES] = "releases",   [EFFECT_WAITS] = "waits",
    [EFFECT_HOLDS] = "holds_if",      [EFFECT_ASSERTS] = "asserts",
    [EFFECT_STARTS] = "starts",       [EFFECT_JOINS] = "joins",
    [EFFECT_CALLS] = "calls",         [EFFECT_RETURNS] = "returns",
    [EFFECT_READ_VIEW] = "read_view", [EFFECT_WRITE_VIEW] = "write_view",
    [EFFECT_READS] = "reads",         [EFFECT_WRITES] = "writes",
};

static const char *const atomicity_words[] = {
    [ATOMICITY_CONST] = "const", [ATOMICITY_MOVER] = "mover", [ATOMICITY_ATOMIC] = "atomic",
    [ATOMICITY_CMPD] = "cmpd",   [ATOMICITY_ERROR] = "error",
};

static const char *const segment_words[] = {
    [SEGMENT_NAME] = "",         [SEGMENT_CALL] = "",
    [SEGMENT_THIS] = "this",     [SEGMENT_CLASS] = "class",
    [SEGMENT_PARAMETER] = "",    [SEGMENT_ITSELF] = "itself",
    [SEGMENT_SELF] = "self",     [SEGMENT_THIS_THREAD] = "thisThread",
    [SEGMENT_UNIQUE] = "unique", [SEGMENT_READONLY] = "readonly",
};

static const char *const modifier_words[] = {
    "public", "protected",    "private",  "static",    "final",    "abstract",
    "native", "synchronized", "volatile", "transient", "strictfp", "default",
};

static const char *const class_words[] = {"class", "interface", "enum", "record"};

#define WORD_COUNT(words) (sizeof(words) / sizeof(words)[0])

/* The place of the word in the list, or -1. */
static int find_word(struct text word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (word.length && text_is(word, words[i]))
            return (int)i;
    return -1;
}

enum syntax_clause_kind syntax_word_clause(struct text word, int *value)
{
    if ((*value = find_word(word, nature_words, WORD_COUNT(nature_words))) >= 0)
        return SYNTAX_CLAUSE_NATURE;
    if ((*value = find_word(word, guard_words, WORD_COUNT(guard_words))) >= 0)
        return SYNTAX_CLAUSE_GUARD;
    if ((*value = find_word(word, effect_words, WORD_COUNT(effect_words))) >= 0)
        return SYNTAX_CLAUSE_EFFECT;
    *value = 0;
    return text_is(word, "requires")    ? SYNTAX_CLAUSE_REQUIRES
           : text_is(word, "atomicity") ? SYNTAX_CLAUSE_ATOMICITY
           : text_is(word, "atomic")    ? SYNTAX_CLAUSE_ATOMIC
           : text_is(word, "no_warn")   ? SYNTAX_CLAUSE_NO_WARN
                                        : SYNTAX_CLAUSE_NONE;
}

const char *syntax_word_of_nature(enum class_nature nature)
{
    return nature_words[nature];
}

const char *syntax_word_of_guard(enum guard_kind guard)
{
    return guard_words[guard];
}

const char *syntax_word_of_effect(enum effect_kind effect)
{
    return effect_words[effect];
}

const char *syntax_word_of_atomicity(enum basic_atomicity atomicity)
{
    return atomicity_words[atomicity];
}

bool syntax_word_atomicity(struct text word, enum basic_atomicity *result)
{
    const int found = find_word(word, atomicity_words, WORD_COUNT(atomicity_words));
    if (found < 0)
        return false;
    *result = (enum basic_atomicity)found;
    return true;
}

bool syntax_word_owner(struct text word, enum segment_kind *result)
{
    const int found = find_word(word, segment_words, WORD_COUNT(segment_words));
    if (found < SEGMENT_SELF)
        return false;
    *result = (enum segment_kind)found;
    return true;
}

const char *syntax_word_of_segment(enum segment_kind kind)
{
    return segment_words[kind];
}

bool syntax_word_is_modifier(struct text word)
{
    return find_word(word, modifier_words, WORD_COUNT(modifier_words)) >= 0;
}

bool syntax_word_is_class(struct text word)
{
    return find_word(word, class_words, WORD_COUNT(class_words)) >= 0;
}
