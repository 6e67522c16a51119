/*
 * Names, lock expressions, types with owners, formals and atomicities.
 */
#include "locktypes/syntax_parser_internal.h"

#define EXPECTED_LOCK "a lock expression"

/* ---- names ---- */

/* Names, dots and slashes of which some are apart or in backquotes, put together. */
static struct text join_name(struct syntax_parser *parser, struct syntax_parser_mark *start,
                             size_t end)
{
    struct builder builder;
    builder_init(&builder);
    struct syntax_lexer lexer = start->lexer;
    for (struct syntax_token token = start->token; token.start < end;
         syntax_lexer_next(&lexer, &token))
        builder_add(&builder, token.text);
    struct text name = text_copy(parser->arena, builder_text(&builder));
    if (builder.failed || parser->arena->failed)
        syntax_parser_fail(parser);
    builder_release(&builder);
    return name;
}

static bool is_separator(const struct syntax_token *token)
{
    return syntax_token_is_sign(token, '.') || syntax_token_is_sign(token, '/');
}

bool syntax_parser_name(struct syntax_parser *parser, struct text *name, const char *what)
{
    if (!syntax_token_is_name(&parser->token))
        return syntax_parser_expected(parser, what);
    struct syntax_parser_mark start = syntax_parser_mark(parser);
    size_t length = parser->token.text.length;
    syntax_parser_advance(parser);
    while (is_separator(&parser->token)) {
        const struct syntax_token next = syntax_parser_peek(parser, 1);
        if (syntax_token_is_sign(&next, '.'))
            break; /* the three dots behind a type */
        syntax_parser_advance(parser);
        if (!syntax_token_is_name(&parser->token))
            return syntax_parser_expected(parser, "a name");
        length += 1 + parser->token.text.length;
        syntax_parser_advance(parser);
    }
    *name = syntax_parser_written(parser, &start.token);
    if (name->length != length)
        *name = join_name(parser, &start, parser->previous.end);
    return !parser->failed;
}

/* ---- lock expressions ---- */

struct path {
    VECTOR(struct syntax_segment) segments;
};

static bool add_segment(struct syntax_parser *parser, struct path *path, enum segment_kind kind,
                        struct text name)
{
    const struct syntax_segment segment = {.kind = kind, .name = name};
    return vector_push(&path->segments, segment) || syntax_parser_fail(parser);
}

/* The () behind a name, if they are there, make it a call. */
static bool add_named(struct syntax_parser *parser, struct path *path, struct text name)
{
    if (!syntax_parser_accept(parser, '('))
        return add_segment(parser, path, SEGMENT_NAME, name);
    if (!syntax_parser_accept(parser, ')'))
        return syntax_parser_error(parser, &parser->token,
                                   "expected ')' behind '(': a call in a lock expression has no "
                                   "arguments");
    return add_segment(parser, path, SEGMENT_CALL, name);
}

static bool only_names(const struct path *path)
{
    for (size_t i = 0; i < path->segments.count; i++)
        if (path->segments.items[i].kind != SEGMENT_NAME)
            return false;
    return true;
}

/* What stands behind a dot. */
static bool parse_member(struct syntax_parser *parser, struct path *path)
{
    const struct syntax_token token = parser->token;
    if (!syntax_token_is_name(&token))
        return syntax_parser_expected(parser, "a field, a method, 'this' or 'class'");
    const bool is_class = syntax_token_is_word(&token, "class");
    if (!is_class && !syntax_token_is_word(&token, "this")) {
        syntax_parser_advance(parser);
        return add_named(parser, path, token.text);
    }
    if (!only_names(path))
        return syntax_parser_error(parser, &token, "'%s' stands only behind the name of a class",
                                   is_class ? "class" : "this");
    syntax_parser_advance(parser);
    return add_segment(parser, path, is_class ? SEGMENT_CLASS : SEGMENT_THIS, (struct text){0});
}

static bool parse_members(struct syntax_parser *parser, struct path *path)
{
    while (syntax_parser_accept(parser, '.'))
        if (!parse_member(parser, path))
            return false;
    return true;
}

/* # number */
static bool parse_parameter(struct syntax_parser *parser, struct path *path)
{
    syntax_parser_advance(parser);
    const struct syntax_token token = parser->token;
    if (token.kind != SYNTAX_NUMBER)
        return syntax_parser_expected(parser, "the number of a parameter");
    struct syntax_segment segment = {.kind = SEGMENT_PARAMETER};
    for (size_t i = 0; i < token.text.length && segment.parameter <= 255; i++)
        segment.parameter = segment.parameter * 10 + (uint32_t)(token.text.bytes[i] - '0');
    if (segment.parameter < 1 || segment.parameter > 255)
        return syntax_parser_error(parser, &token, "parameters are counted from 1 to 255");
    syntax_parser_advance(parser);
    return vector_push(&path->segments, segment) || syntax_parser_fail(parser);
}

/* The first segment, from a word or a part of one that has been passed. */
static bool add_first(struct syntax_parser *parser, struct path *path, struct text word)
{
    if (text_is(word, "this") || text_is(word, "itself"))
        return add_segment(parser, path, text_is(word, "this") ? SEGMENT_THIS : SEGMENT_ITSELF,
                           (struct text){0});
    return add_named(parser, path, word);
}

static bool keep_path(struct syntax_parser *parser, struct path *path, struct syntax_lock *lock)
{
    lock->segments = syntax_parser_keep(parser, path->segments.items, path->segments.count,
                                        sizeof *path->segments.items);
    lock->segment_count = (uint32_t)path->segments.count;
    return !parser->failed;
}

/* Whether the current token goes on where the one before it ends. */
static bool is_adjacent(const struct syntax_parser *parser)
{
    return parser->token.kind != SYNTAX_END && parser->token.start == parser->previous.end;
}

/* Whether a qualifier begins with the rest of a word behind its $, or with what follows it. */
static bool begins_qualifier(const struct syntax_parser *parser, struct text rest)
{
    if (rest.length)
        return rest.bytes[0] < '0' || rest.bytes[0] > '9';
    return is_adjacent(parser) &&
           (parser->token.kind == SYNTAX_QUOTED || syntax_token_is_sign(&parser->token, '#'));
}

static bool parse_qualifier_path(struct syntax_parser *parser, struct text rest, struct path *path)
{
    bool good;
    if (rest.length) {
        good = add_first(parser, path, rest);
    } else if (syntax_token_is_sign(&parser->token, '#')) {
        good = parse_parameter(parser, path);
    } else {
        const struct text name = parser->token.text;
        syntax_parser_advance(parser);
        good = add_named(parser, path, name);
    }
    return good && parse_members(parser, path);
}

/* f$e: `e` begins with the rest of the word behind the $, or, if that is empty, with what follows
   it. `start` is where it is written. */
static bool parse_qualifier(struct syntax_parser *parser, struct text rest,
                            const struct syntax_token *start, struct syntax_lock *lock)
{
    struct path path = {0};
    struct syntax_lock qualifier = {.place = syntax_parser_place(parser, start)};
    bool good = parse_qualifier_path(parser, rest, &path) && keep_path(parser, &path, &qualifier);
    vector_release(&path.segments);
    if (!good)
        return false;
    qualifier.written = syntax_parser_written(parser, start);
    lock->qualifier = syntax_parser_keep(parser, &qualifier, 1, sizeof qualifier);
    return !parser->failed;
}

/* The token as if it began so many bytes later. */
static struct syntax_token token_from(struct syntax_token token, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (((uint8_t)token.text.bytes[i] & 0xC0) != 0x80)
            token.column++;
    token.start += bytes;
    return token;
}

/* A word or quoted name at the start of a lock expression that is one of f$e. Sets *done if so; the
   word has been passed either way. */
static bool parse_qualified(struct syntax_parser *parser, struct path *path,
                            struct syntax_lock *lock, bool *done)
{
    struct syntax_token word = parser->token;
    struct text formal = word.text, rest = TEXT("");
    size_t behind = 0; /* the $, in bytes of the word */
    syntax_parser_advance(parser);
    if (word.kind == SYNTAX_WORD) {
        const ptrdiff_t dollar = text_find(word.text, '$');
        if (dollar <= 0)
            return true;
        formal = text_slice(word.text, 0, (size_t)dollar);
        if (text_is(formal, "this"))
            return true;
        behind = (size_t)dollar + 1;
    } else {
        if (!is_adjacent(parser) || parser->token.kind != SYNTAX_WORD ||
            parser->token.text.bytes[0] != '$')
            return true;
        word = parser->token;
        behind = 1;
        const struct syntax_parser_mark mark = syntax_parser_mark(parser);
        syntax_parser_advance(parser);
        if (!begins_qualifier(parser, text_slice(word.text, behind, word.text.length))) {
            syntax_parser_return(parser, &mark);
            return true;
        }
    }
    rest = text_slice(word.text, behind, word.text.length);
    if (!begins_qualifier(parser, rest))
        return true;
    *done = true;
    const struct syntax_token start = rest.length ? token_from(word, behind) : parser->token;
    return add_segment(parser, path, SEGMENT_NAME, formal) &&
           parse_qualifier(parser, rest, &start, lock);
}

/* self and its like are names where something follows that only names have. */
static bool is_special_owner(const struct syntax_parser *parser, enum segment_kind *kind)
{
    if (parser->token.kind != SYNTAX_WORD || !syntax_word_owner(parser->token.text, kind))
        return false;
    const struct syntax_token next = syntax_parser_peek(parser, 1);
    return !syntax_token_is_sign(&next, '.') && !syntax_token_is_sign(&next, '(');
}

/* <self>, as the Checker Framework has it. */
static bool accept_itself(struct syntax_parser *parser)
{
    const struct syntax_token word = syntax_parser_peek(parser, 1);
    const struct syntax_token end = syntax_parser_peek(parser, 2);
    if (!syntax_token_is_sign(&parser->token, '<') || !syntax_token_is_word(&word, "self") ||
        !syntax_token_is_sign(&end, '>'))
        return false;
    for (int i = 0; i < 3; i++)
        syntax_parser_advance(parser);
    return true;
}

static bool parse_segments(struct syntax_parser *parser, struct path *path,
                           struct syntax_lock *lock)
{
    enum segment_kind kind;
    if (is_special_owner(parser, &kind)) {
        syntax_parser_advance(parser);
        return add_segment(parser, path, kind, (struct text){0});
    }
    if (accept_itself(parser))
        return add_segment(parser, path, SEGMENT_ITSELF, (struct text){0}) &&
               parse_members(parser, path);
    if (syntax_token_is_sign(&parser->token, '#'))
        return parse_parameter(parser, path) && parse_members(parser, path);
    if (!syntax_token_is_name(&parser->token))
        return syntax_parser_expected(parser, EXPECTED_LOCK);

    const struct syntax_token word = parser->token;
    bool done = false;
    if (!parse_qualified(parser, path, lock, &done))
        return false;
    if (done)
        return true;
    const bool good = word.kind == SYNTAX_QUOTED ? add_named(parser, path, word.text)
                                                 : add_first(parser, path, word.text);
    return good && parse_members(parser, path);
}

bool syntax_parser_lock(struct syntax_parser *parser, struct syntax_lock *lock)
{
    const struct syntax_token first = parser->token;
    struct path path = {0};
    *lock = (struct syntax_lock){.place = syntax_parser_place(parser, &first)};
    const bool good = parse_segments(parser, &path, lock) && keep_path(parser, &path, lock);
    vector_release(&path.segments);
    lock->written = syntax_parser_written(parser, &first);
    return good;
}

static bool push_lock(struct syntax_parser *parser, struct syntax_lock_vector *locks)
{
    struct syntax_lock lock;
    if (!syntax_parser_lock(parser, &lock))
        return false;
    return vector_push(locks, lock) || syntax_parser_fail(parser);
}

bool syntax_parser_locks(struct syntax_parser *parser, struct syntax_lock_vector *locks)
{
    const bool in_parentheses = syntax_parser_accept(parser, '(');
    if (in_parentheses && syntax_parser_accept(parser, ')'))
        return true;
    do {
        if (!push_lock(parser, locks))
            return false;
    } while (syntax_parser_accept(parser, ','));
    return !in_parentheses || syntax_parser_expect(parser, ')', "',' or ')'");
}

bool syntax_parse_lock(struct syntax_lock *result, struct arena *arena, struct text text,
                       struct syntax_place place, struct syntax_errors *errors)
{
    struct syntax_parser parser;
    *result = (struct syntax_lock){0};
    if (!syntax_parser_init(&parser, arena, text, place, "the end of the text", errors) ||
        !syntax_parser_lock(&parser, result))
        return false;
    if (parser.token.kind != SYNTAX_END)
        return syntax_parser_expected(&parser, "the end of the lock expression");
    return !parser.failed && parser.error_count == 0;
}

/* ---- types and formals ---- */

bool syntax_parser_owners(struct syntax_parser *parser, struct syntax_locks *owners)
{
    struct syntax_lock_vector list = {0};
    bool good = true;
    syntax_parser_advance(parser);
    if (!syntax_token_is_sign(&parser->token, '>')) {
        do {
            good = push_lock(parser, &list);
        } while (good && syntax_parser_accept(parser, ','));
    }
    good = good && syntax_parser_expect(parser, '>', "',' or '>'");
    if (good) {
        owners->items = syntax_parser_keep(parser, list.items, list.count, sizeof *list.items);
        owners->count = (uint32_t)list.count;
    }
    vector_release(&list);
    return good && !parser->failed;
}

bool syntax_parser_type(struct syntax_parser *parser, struct syntax_type *type)
{
    *type = (struct syntax_type){.place = syntax_parser_place(parser, &parser->token)};
    if (!syntax_parser_accept_word(parser, "_") &&
        !syntax_parser_name(parser, &type->name, "a type"))
        return false;
    if (syntax_token_is_sign(&parser->token, '<') && !syntax_parser_owners(parser, &type->owners))
        return false;
    while (syntax_parser_accept(parser, '[')) {
        if (!syntax_parser_expect(parser, ']', "']'"))
            return false;
        type->dimensions++;
    }
    return true;
}

static bool parse_formal(struct syntax_parser *parser, struct syntax_formal *formal)
{
    *formal = (struct syntax_formal){.place = syntax_parser_place(parser, &parser->token)};
    const struct syntax_token next = syntax_parser_peek(parser, 1);
    if (syntax_token_is_word(&parser->token, "ghost") && syntax_token_is_name(&next)) {
        syntax_parser_advance(parser);
        if (!syntax_parser_name(parser, &formal->type, "a type"))
            return false;
    }
    const struct syntax_token name = parser->token;
    enum segment_kind special;
    if (!syntax_token_is_name(&name))
        return syntax_parser_expected(parser, "the name of a class parameter");
    if (name.kind == SYNTAX_WORD && (syntax_word_owner(name.text, &special) ||
                                     text_is(name.text, "this") || text_is(name.text, "itself")))
        return syntax_parser_error(parser, &name, "a class parameter cannot be called '%.*s'",
                                   TEXT_ARGUMENTS(name.text));
    if (name.kind == SYNTAX_WORD && text_find(name.text, '$') >= 0)
        return syntax_parser_error(parser, &name,
                                   "the name of a class parameter cannot have a '$'");
    formal->name = name.text;
    syntax_parser_advance(parser);
    return true;
}

bool syntax_parser_formals(struct syntax_parser *parser, const struct syntax_formal **formals,
                           uint32_t *count)
{
    VECTOR(struct syntax_formal) list = VECTOR_EMPTY;
    bool good;
    do {
        struct syntax_formal formal;
        syntax_parser_advance(parser);
        good = parse_formal(parser, &formal);
        if (good && !vector_push(&list, formal))
            good = syntax_parser_fail(parser);
    } while (good && syntax_token_is_sign(&parser->token, ','));
    good = good && syntax_parser_expect(parser, '>', "',' or '>'");
    if (good) {
        *formals = syntax_parser_keep(parser, list.items, list.count, sizeof *list.items);
        *count = (uint32_t)list.count;
    }
    vector_release(&list);
    return good && !parser->failed;
}

/* ---- atomicities ---- */

static const struct syntax_atomicity *keep_atomicity(struct syntax_parser *parser,
                                                     struct syntax_atomicity atomicity)
{
    return syntax_parser_keep(parser, &atomicity, 1, sizeof atomicity);
}

static bool parse_nested(struct syntax_parser *parser, const struct syntax_atomicity **result,
                         unsigned depth);

/* lock ? then : otherwise */
static bool parse_conditional(struct syntax_parser *parser, struct syntax_atomicity *result,
                              unsigned depth)
{
    struct syntax_lock lock;
    if (!syntax_parser_lock(parser, &lock) || !syntax_parser_expect(parser, '?', "'?'") ||
        !parse_nested(parser, &result->then, depth + 1))
        return false;
    if (syntax_parser_accept(parser, ':')) {
        if (!parse_nested(parser, &result->otherwise, depth + 1))
            return false;
    } else {
        result->otherwise =
            keep_atomicity(parser, (struct syntax_atomicity){.basic = ATOMICITY_ERROR});
    }
    result->lock = syntax_parser_keep(parser, &lock, 1, sizeof lock);
    return !parser->failed;
}

static bool is_basic(const struct syntax_parser *parser, enum basic_atomicity *basic)
{
    if (parser->token.kind != SYNTAX_WORD || !syntax_word_atomicity(parser->token.text, basic))
        return false;
    const struct syntax_token next = syntax_parser_peek(parser, 1);
    return !syntax_token_is_sign(&next, '?') && !syntax_token_is_sign(&next, '.') &&
           !syntax_token_is_sign(&next, '(');
}

/* Parentheses around the whole are counted, not descended into: only conditions nest. */
static bool parse_nested(struct syntax_parser *parser, const struct syntax_atomicity **result,
                         unsigned depth)
{
    struct syntax_atomicity atomicity = {0};
    size_t open = 0;
    if (depth > SYNTAX_PARSER_DEPTH)
        return syntax_parser_error(parser, &parser->token, "this is nested too deeply");
    while (syntax_parser_accept(parser, '('))
        open++;
    if (is_basic(parser, &atomicity.basic)) {
        syntax_parser_advance(parser);
    } else {
        if (!syntax_token_is_name(&parser->token) && !syntax_token_is_sign(&parser->token, '#') &&
            !syntax_token_is_sign(&parser->token, '<'))
            return syntax_parser_expected(parser, "an atomicity or a lock expression");
        if (!parse_conditional(parser, &atomicity, depth))
            return false;
    }
    for (; open > 0; open--)
        if (!syntax_parser_expect(parser, ')', "')'"))
            return false;
    *result = keep_atomicity(parser, atomicity);
    return !parser->failed;
}

bool syntax_parser_atomicity(struct syntax_parser *parser, const struct syntax_atomicity **result)
{
    return parse_nested(parser, result, 0);
}
