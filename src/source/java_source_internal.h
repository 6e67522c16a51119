/*
 * java_source_internal: how the parts of java_source work together.
 *
 *   java_source.c   brackets, blocks, binary names; puts the parts in order and answers queries
 *   java_types.c    types, modifiers, parameters: what stands in headers
 *   java_members.c  classes, fields and methods, and the classes in code
 *
 * A function that reads something takes the token where it begins and gives the token behind it, or
 * JAVA_NONE if it is not there. Whoever loops over them makes sure that each round goes on.
 */
#ifndef TURNSTILE_SOURCE_JAVA_SOURCE_INTERNAL_H
#define TURNSTILE_SOURCE_JAVA_SOURCE_INTERNAL_H

#include "source/java_source.h"

/* Classes in classes, by whatever ways. Deeper ones are left out. */
#define JAVA_DEEPEST 64

/* Type arguments are looked at no further: the search for their end may be in vain. */
#define JAVA_LONGEST_ARGUMENTS 500

struct java_parser {
    struct java_source *source;
    const struct java_tokens *tokens;
    uint32_t depth;
    uint32_t class_number; /* the class whose body is read, or JAVA_NONE */
    uint32_t method;       /* the method whose body is read, or JAVA_NONE */
    uint32_t implicit;     /* the implicit class, or JAVA_NONE */
    struct text file_name;
};

static inline bool java_is(const struct java_parser *parser, uint32_t token, const char *word)
{
    return java_token_is(parser->tokens, token, word);
}

static inline bool java_is_word(const struct java_parser *parser, uint32_t token)
{
    return java_token_is_word(parser->tokens, token);
}

static inline bool java_is_symbol(const struct java_parser *parser, uint32_t token, char symbol)
{
    return java_token_is_symbol(parser->tokens, token, symbol);
}

static inline struct text java_text(const struct java_parser *parser, uint32_t token)
{
    return java_token_text(parser->tokens, token);
}

/* ---- java_types.c ---- */

/* Whatever stands between < and >, if it can be type arguments or parameters. */
uint32_t java_skip_arguments(const struct java_parser *parser, uint32_t token);

/* Annotations and modifiers, possibly none. */
uint32_t java_skip_annotations(const struct java_parser *parser, uint32_t token);
uint32_t java_skip_modifiers(const struct java_parser *parser, uint32_t token);
bool java_is_modifier(const struct java_parser *parser, uint32_t token);

/* A type; with_brackets: also those behind it, and `...`. */
uint32_t java_read_type(struct java_parser *parser, uint32_t token, bool with_brackets,
                        struct java_type *type);

/* [] pairs, which are added to the dimensions. */
uint32_t java_skip_brackets(const struct java_parser *parser, uint32_t token, uint32_t *dimensions);

struct java_parameters {
    struct java_parameter *items;
    uint32_t *firsts, *names; /* for each, its first token and that of its name */
    uint32_t count;
};

/* What stands between the parentheses, without the receiver and what is no parameter. */
void java_read_parameters(struct java_parser *parser, uint32_t open, uint32_t close,
                          struct java_parameters *parameters);

/* The type variables from < to >; their number is stored. NULL without memory. */
const struct java_parameter *java_read_variables(struct java_parser *parser, uint32_t open,
                                                 uint32_t close, uint32_t *count);

/* ---- java_members.c ---- */

/* The whole file. */
void java_read_file(struct java_parser *parser);

#endif
