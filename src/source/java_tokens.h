/*
 * java_tokens: the words, literals, signs and comments of a Java source file, with their places.
 *
 * All of Java 8 to 25 lexically; unicode escapes are translated where they decide what a token is,
 * as the language wants it, but the texts of tokens are the bytes of the file. Operators are single
 * characters (`>>` is two tokens), which is what somebody who looks for types wants. Any bytes give
 * some tokens: a string or comment that does not end ends with its line.
 *
 * The last token is always JAVA_END, so there is a token behind every comment.
 */
#ifndef TURNSTILE_SOURCE_JAVA_TOKENS_H
#define TURNSTILE_SOURCE_JAVA_TOKENS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vector.h"

enum java_token_kind {
    JAVA_WORD, /* names and keywords */
    JAVA_NUMBER,
    JAVA_STRING,
    JAVA_TEXT_BLOCK,
    JAVA_CHARACTER,
    JAVA_SYMBOL, /* one character */
    JAVA_END
};

struct java_token {
    uint32_t start, end; /* bytes of the text */
    uint32_t line;       /* of its start, from 1 */
    uint8_t kind;        /* enum java_token_kind */
    char symbol;         /* of SYMBOL, else 0 */
};

struct java_comment {
    uint32_t start, end; /* with its comment signs */
    uint32_t line;       /* of its start */
    uint32_t before;     /* number of the token that follows */
    bool marked;         /* it begins with `#`, and is no row of them: an annotation */
    bool to_line_end;    /* begins with two slashes */
};

struct java_tokens {
    struct text text; /* must outlive the tokens */
    VECTOR(struct java_token) tokens;
    VECTOR(struct java_comment) comments;
    VECTOR(uint32_t) lines; /* where each line starts */
    bool failed;            /* memory ran out */
};

/* More of a text is not looked at. */
#define JAVA_TOKENS_LONGEST ((size_t)1 << 30)

/* False when there is no memory. To be released in any case. */
bool java_tokens_read(struct java_tokens *tokens, struct text text);
void java_tokens_release(struct java_tokens *tokens);

static inline struct text java_token_text(const struct java_tokens *tokens, uint32_t token)
{
    const struct java_token *found = &tokens->tokens.items[token];
    return text_slice(tokens->text, found->start, found->end);
}

static inline bool java_token_is_symbol(const struct java_tokens *tokens, uint32_t token,
                                        char symbol)
{
    return token < tokens->tokens.count && tokens->tokens.items[token].symbol == symbol;
}

static inline bool java_token_is_word(const struct java_tokens *tokens, uint32_t token)
{
    return token < tokens->tokens.count && tokens->tokens.items[token].kind == JAVA_WORD;
}

/* Whether it is that very word. */
static inline bool java_token_is(const struct java_tokens *tokens, uint32_t token, const char *word)
{
    return java_token_is_word(tokens, token) && text_is(java_token_text(tokens, token), word);
}

/* Line and column (in bytes) of a byte, from 1. */
uint32_t java_tokens_line(const struct java_tokens *tokens, uint32_t offset);
uint32_t java_tokens_column(const struct java_tokens *tokens, uint32_t offset);

/* A whole line, without its end; empty if there is none of that number. */
struct text java_tokens_line_text(const struct java_tokens *tokens, uint32_t line);

/* What stands in a marked comment behind the `#`. */
struct text java_comment_body(const struct java_tokens *tokens, const struct java_comment *comment);

#endif
