/*
 * syntax_parser_internal: what the files of the parser share.
 *
 * Functions that return false have reported an error, or memory has run out; the token that did not
 * fit is then the current one, and somebody above looks for the place to go on from. When memory
 * has run out, `failed` is set and the input is at its end, so that every loop ends.
 */
#ifndef TURNSTILE_LOCKTYPES_SYNTAX_PARSER_INTERNAL_H
#define TURNSTILE_LOCKTYPES_SYNTAX_PARSER_INTERNAL_H

#include "locktypes/syntax_lexer.h"
#include "locktypes/syntax_parser.h"

/* Conditional atomicities inside each other; nothing else nests. */
#define SYNTAX_PARSER_DEPTH 100

struct syntax_parser {
    struct arena *arena;
    struct syntax_errors *errors; /* may be NULL */
    struct syntax_place base;     /* of the first byte */
    const char *end_name;         /* what errors call the end of the input */
    struct syntax_lexer lexer;    /* behind the current token */
    struct syntax_token token;    /* the current one */
    struct syntax_token previous; /* SYNTAX_END before the first */
    uint32_t error_count;
    size_t error_start; /* of the token that the last error was about; SIZE_MAX: none */
    struct text error_file;
    size_t error_line_start; /* of error_line; SIZE_MAX: none */
    struct text error_line;
    bool failed;
};

/* A place to come back to. */
struct syntax_parser_mark {
    struct syntax_lexer lexer;
    struct syntax_token token, previous;
};

/* Copies the text into the arena and stands at its first token. */
bool syntax_parser_init(struct syntax_parser *parser, struct arena *arena, struct text text,
                        struct syntax_place base, const char *end_name,
                        struct syntax_errors *errors);

void syntax_parser_advance(struct syntax_parser *parser);

/* The token behind the current one, and so on: 1 is the next. */
struct syntax_token syntax_parser_peek(const struct syntax_parser *parser, unsigned distance);

struct syntax_parser_mark syntax_parser_mark(const struct syntax_parser *parser);
void syntax_parser_return(struct syntax_parser *parser, const struct syntax_parser_mark *mark);

/* Memory has run out: the input ends here. False, to be returned. */
bool syntax_parser_fail(struct syntax_parser *parser);

/* A copy of the items in the arena. */
void *syntax_parser_keep(struct syntax_parser *parser, const void *items, size_t count,
                         size_t size);

struct syntax_place syntax_parser_place(const struct syntax_parser *parser,
                                        const struct syntax_token *token);

/* What stands in the input from the token to the one before the current one. */
struct text syntax_parser_written(const struct syntax_parser *parser,
                                  const struct syntax_token *first);

static inline bool syntax_token_is_sign(const struct syntax_token *token, char sign)
{
    return token->kind == SYNTAX_SIGN && token->text.bytes[0] == sign;
}

static inline bool syntax_token_is_word(const struct syntax_token *token, const char *word)
{
    return token->kind == SYNTAX_WORD && text_is(token->text, word);
}

static inline bool syntax_token_is_name(const struct syntax_token *token)
{
    return token->kind == SYNTAX_WORD || token->kind == SYNTAX_QUOTED;
}

/* The clause that begins with the token, if any does. */
enum syntax_clause_kind syntax_token_clause(const struct syntax_token *token);

/* Goes on behind the sign or word if it is the current token. */
bool syntax_parser_accept(struct syntax_parser *parser, char sign);
bool syntax_parser_accept_word(struct syntax_parser *parser, const char *word);

/* An error about a token. False, to be returned. */
bool syntax_parser_error(struct syntax_parser *parser, const struct syntax_token *token,
                         const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "expected WHAT behind 'previous', found 'current'". */
bool syntax_parser_expected(struct syntax_parser *parser, const char *what);

/* Goes on behind the sign, or reports that `what` was expected. */
bool syntax_parser_expect(struct syntax_parser *parser, char sign, const char *what);

/* ---- expressions ---- */

struct syntax_lock_vector {
    struct syntax_lock *items;
    size_t count, capacity;
};

/* A name with its dots and slashes. */
bool syntax_parser_name(struct syntax_parser *parser, struct text *name, const char *what);

bool syntax_parser_lock(struct syntax_parser *parser, struct syntax_lock *lock);

/* locks of the grammar, added to those that are there. */
bool syntax_parser_locks(struct syntax_parser *parser, struct syntax_lock_vector *locks);

/* < owners >; the current token is the first sign. */
bool syntax_parser_owners(struct syntax_parser *parser, struct syntax_locks *owners);

bool syntax_parser_type(struct syntax_parser *parser, struct syntax_type *type);

/* < formals >; the current token is the first sign. */
bool syntax_parser_formals(struct syntax_parser *parser, const struct syntax_formal **formals,
                           uint32_t *count);

bool syntax_parser_atomicity(struct syntax_parser *parser, const struct syntax_atomicity **result);

/* ---- clauses ---- */

enum syntax_subject { SYNTAX_OF_CLASS, SYNTAX_OF_FIELD, SYNTAX_OF_METHOD, SYNTAX_OF_ANYTHING };

/* Clauses that are being collected. */
struct syntax_collected {
    struct syntax_clauses clauses;
    struct syntax_lock_vector guard, requires, holds;
    VECTOR(struct syntax_effect) effects;
    VECTOR(struct text) rules;
};

/* The clause that begins with the current token. One that does not fit the subject is an error, but
   is read to its end. */
bool syntax_parser_clause(struct syntax_parser *parser, struct syntax_collected *collected,
                          enum syntax_subject subject);

/* All clauses from here on. */
bool syntax_parser_clause_list(struct syntax_parser *parser, struct syntax_collected *collected,
                               enum syntax_subject subject);

/* Moves the lists into the arena, behind which the clauses are complete. */
void syntax_parser_keep_clauses(struct syntax_parser *parser, struct syntax_collected *collected);

void syntax_collected_release(struct syntax_collected *collected);

#endif
