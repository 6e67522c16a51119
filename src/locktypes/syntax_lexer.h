/*
 * syntax_lexer: the words and signs of the lock-type language.
 *
 * A lexer is a small value: a copy of it is a place to come back to, which is how the parser looks
 * ahead. Whatever the input holds, every token but the end is at least one byte long, so reading
 * on always ends.
 *
 * The words that have a meaning stand here too, for the parser and the printer alike.
 */
#ifndef TURNSTILE_LOCKTYPES_SYNTAX_LEXER_H
#define TURNSTILE_LOCKTYPES_SYNTAX_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "locktypes/syntax.h"

enum syntax_token_kind {
    SYNTAX_END,
    SYNTAX_WORD,         /* a Java identifier, with its $ */
    SYNTAX_QUOTED,       /* a name between backquotes: never a keyword */
    SYNTAX_NUMBER,       /* decimal digits */
    SYNTAX_SIGN,         /* any other visible character of ASCII */
    SYNTAX_BAD,          /* bytes that have no place in the language */
    SYNTAX_OPEN_COMMENT, /* a comment that is never closed; the end comes next */
    SYNTAX_OPEN_QUOTE    /* a backquote without a second one in its line, or with nothing between */
};

struct syntax_token {
    enum syntax_token_kind kind;
    struct text text;      /* without the backquotes */
    size_t start, end;     /* bytes of the input */
    size_t line_start;     /* the first byte of its line */
    uint32_t line, column; /* from 1, in characters */
    bool first;            /* in its line */
};

struct syntax_lexer {
    struct text input;
    size_t offset, line_start;
    uint32_t line, column;
    bool first;
};

/* Inputs of more bytes are not read. */
#define SYNTAX_LEXER_LIMIT ((size_t)1 << 30)

/* The input must outlive the lexer and its tokens. A byte order mark is left out. */
void syntax_lexer_init(struct syntax_lexer *lexer, struct text input);

void syntax_lexer_next(struct syntax_lexer *lexer, struct syntax_token *token);

/* Bytes of the UTF-8 character at the start of these (at least one); 0 if there is none. The
   character goes to *character. */
size_t syntax_lexer_character(const char *bytes, size_t left, uint32_t *character);

/* Whether the character is shown as it is: not a control, and nothing that changes what is shown
   around it. */
bool syntax_lexer_is_visible(uint32_t character);

/* The whole text is one word as the lexer would read it. */
bool syntax_lexer_is_word(struct text text);

/* The line that starts there, without its end. */
struct text syntax_lexer_line(struct text input, size_t line_start);

/* ---- words ---- */

enum syntax_clause_kind {
    SYNTAX_CLAUSE_NONE,
    SYNTAX_CLAUSE_NATURE,
    SYNTAX_CLAUSE_GUARD,
    SYNTAX_CLAUSE_REQUIRES,
    SYNTAX_CLAUSE_ATOMICITY,
    SYNTAX_CLAUSE_ATOMIC,
    SYNTAX_CLAUSE_NO_WARN,
    SYNTAX_CLAUSE_EFFECT
};

/* What kind of clause begins with the word; which nature, guard or effect goes to *value. */
enum syntax_clause_kind syntax_word_clause(struct text word, int *value);

const char *syntax_word_of_nature(enum class_nature nature); /* "" of none */
const char *syntax_word_of_guard(enum guard_kind guard);     /* "" of none */
const char *syntax_word_of_effect(enum effect_kind effect);
const char *syntax_word_of_atomicity(enum basic_atomicity atomicity);

/* False if it is none. */
bool syntax_word_atomicity(struct text word, enum basic_atomicity *result);

/* self, thisThread, unique, readonly: the kind of their segment. False if it is none. */
bool syntax_word_owner(struct text word, enum segment_kind *result);
const char *syntax_word_of_segment(enum segment_kind kind); /* "" of those that have a name */

bool syntax_word_is_modifier(struct text word); /* of Java */
bool syntax_word_is_class(struct text word);    /* class, interface, enum, record */

#endif
