#include "base/builder.h"
#include "source/java_source_internal.h"

static const char *const modifiers[] = {
    "public",       "protected", "private",   "static",   "abstract", "final", "native",
    "synchronized", "default",   "transient", "volatile", "strictfp", "sealed"};

/* Words that never stand in type arguments: with them, looking for the end is in vain. */
static const char *const no_arguments[] = {"new",    "class",  "interface", "enum",
                                           "record", "return", "instanceof"};

static bool is_one_of(struct text word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (text_is(word, words[i]))
            return true;
    return false;
}

static bool belongs_in_arguments(const struct java_parser *parser, uint32_t token)
{
    if (java_is_word(parser, token))
        return !is_one_of(java_text(parser, token), no_arguments,
                          sizeof no_arguments / sizeof *no_arguments);
    switch (parser->tokens->tokens.items[token].symbol) {
    case '<':
    case '>':
    case ',':
    case '.':
    case '?':
    case '&':
    case '[':
    case ']':
    case '@':
        return true;
    default:
        return false;
    }
}

uint32_t java_skip_arguments(const struct java_parser *parser, uint32_t token)
{
    if (!java_is_symbol(parser, token, '<'))
        return JAVA_NONE;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < JAVA_LONGEST_ARGUMENTS; i++) {
        if (java_is_symbol(parser, token, '(') && parser->source->matches[token] != JAVA_NONE) {
            token = parser->source->matches[token] + 1; /* of an annotation */
            continue;
        }
        if (!belongs_in_arguments(parser, token))
            return JAVA_NONE;
        if (java_is_symbol(parser, token, '<'))
            depth++;
        else if (java_is_symbol(parser, token, '>') && --depth == 0)
            return token + 1;
        token++;
    }
    return JAVA_NONE;
}

/* a.b.C, without type arguments. */
static uint32_t skip_name(const struct java_parser *parser, uint32_t token)
{
    token++;
    while (java_is_symbol(parser, token, '.') && java_is_word(parser, token + 1))
        token += 2;
    return token;
}

uint32_t java_skip_annotations(const struct java_parser *parser, uint32_t token)
{
    while (java_is_symbol(parser, token, '@') && java_is_word(parser, token + 1) &&
           !java_is(parser, token + 1, "interface")) {
        token = skip_name(parser, token + 1);
        if (java_is_symbol(parser, token, '(') && parser->source->matches[token] != JAVA_NONE)
            token = parser->source->matches[token] + 1;
    }
    return token;
}

bool java_is_modifier(const struct java_parser *parser, uint32_t token)
{
    return java_is_word(parser, token) &&
           is_one_of(java_text(parser, token), modifiers, sizeof modifiers / sizeof *modifiers);
}

uint32_t java_skip_modifiers(const struct java_parser *parser, uint32_t token)
{
    for (;;) {
        uint32_t next = java_skip_annotations(parser, token);
        if (java_is_modifier(parser, next))
            next++;
        else if (java_is(parser, next, "non") && java_is_symbol(parser, next + 1, '-') &&
                 java_is(parser, next + 2, "sealed"))
            next += 3;
        if (next == token)
            return token;
        token = next;
    }
}

uint32_t java_skip_brackets(const struct java_parser *parser, uint32_t token, uint32_t *dimensions)
{
    for (;;) {
        uint32_t next = java_skip_annotations(parser, token);
        if (!java_is_symbol(parser, next, '[') || !java_is_symbol(parser, next + 1, ']'))
            return token;
        token = next + 2;
        ++*dimensions;
    }
}

/* The words of a type's name with dots between them: a slice of the source where it is written so,
   else put together. */
static struct text plain_name(struct java_parser *parser, uint32_t first, uint32_t last, bool plain)
{
    struct text text = parser->tokens->text;
    const struct java_token *tokens = parser->tokens->tokens.items;
    uint32_t bytes = 0;
    for (uint32_t i = first; i <= last; i++)
        bytes += tokens[i].end - tokens[i].start;
    if (plain && bytes == tokens[last].end - tokens[first].start)
        return text_slice(text, tokens[first].start, tokens[last].end);
    struct builder builder;
    builder_init(&builder);
    uint32_t token = first;
    for (;;) {
        builder_add(&builder, java_text(parser, token));
        if (token >= last)
            break;
        /* From one word to the next over what may stand between them. */
        uint32_t arguments = java_skip_arguments(parser, ++token);
        token = java_skip_annotations(parser, (arguments == JAVA_NONE ? token : arguments) + 1);
        builder_add_byte(&builder, '.');
    }
    struct text name = text_copy(&parser->source->arena, builder_text(&builder));
    if (builder.failed || parser->source->arena.failed)
        parser->source->failed = true;
    builder_release(&builder);
    return name;
}

uint32_t java_read_type(struct java_parser *parser, uint32_t token, bool with_brackets,
                        struct java_type *type)
{
    *type = (struct java_type){
        .first = token, .arguments_open = JAVA_NONE, .arguments_close = JAVA_NONE};
    token = java_skip_annotations(parser, token);
    if (!java_is_word(parser, token)) {
        type->end = type->first;
        return JAVA_NONE;
    }
    uint32_t name_first = token;
    bool plain = true;
    for (;;) {
        type->last_name = token++;
        uint32_t behind = java_skip_arguments(parser, token);
        type->arguments_open = behind == JAVA_NONE ? JAVA_NONE : token;
        type->arguments_close = behind == JAVA_NONE ? JAVA_NONE : behind - 1;
        if (behind != JAVA_NONE)
            token = behind;
        uint32_t next = java_skip_annotations(parser, token + 1);
        if (!java_is_symbol(parser, token, '.') || !java_is_word(parser, next))
            break;
        plain = plain && behind == JAVA_NONE && next == token + 1;
        token = next;
    }
    type->name = plain_name(parser, name_first, type->last_name, plain);
    if (with_brackets) {
        token = java_skip_brackets(parser, token, &type->dimensions);
        uint32_t dots = java_skip_annotations(parser, token);
        if (java_is_symbol(parser, dots, '.') && java_is_symbol(parser, dots + 1, '.') &&
            java_is_symbol(parser, dots + 2, '.')) {
            token = dots + 3;
            type->dimensions++;
        }
    }
    type->end = token;
    return token;
}

bool java_type_ends_before(const struct java_type *type, uint32_t token)
{
    if (type->first == type->end || token <= type->last_name || token > type->end)
        return false;
    return type->arguments_open == JAVA_NONE || token <= type->arguments_open ||
           token > type->arguments_close;
}

/* One parameter; JAVA_NONE for the receiver and for what is none. */
static uint32_t read_parameter(struct java_parser *parser, uint32_t token,
                               struct java_parameter *parameter, uint32_t *name)
{
    token = java_skip_modifiers(parser, token);
    token = java_read_type(parser, token, true, &parameter->type);
    if (token == JAVA_NONE || !java_is_word(parser, token) || java_is(parser, token, "this") ||
        java_is_symbol(parser, token + 1, '.'))
        return JAVA_NONE;
    *name = token;
    parameter->name = java_text(parser, token);
    return java_skip_brackets(parser, token + 1, &parameter->type.dimensions);
}

/* The next comma outside of brackets and type arguments, or the end. */
static uint32_t parameter_end(const struct java_parser *parser, uint32_t token, uint32_t end)
{
    while (token < end && !java_is_symbol(parser, token, ',')) {
        uint32_t match = parser->source->matches[token];
        uint32_t arguments = java_skip_arguments(parser, token);
        if (match != JAVA_NONE && match > token)
            token = match + 1;
        else
            token = arguments != JAVA_NONE ? arguments : token + 1;
    }
    return token < end ? token : end;
}

void java_read_parameters(struct java_parser *parser, uint32_t open, uint32_t close,
                          struct java_parameters *parameters)
{
    uint32_t most = 0;
    for (uint32_t token = open + 1; token < close; token = parameter_end(parser, token, close) + 1)
        most++;
    struct arena *arena = &parser->source->arena;
    *parameters = (struct java_parameters){.items = ARENA_ARRAY(arena, struct java_parameter, most),
                                           .names = ARENA_ARRAY(arena, uint32_t, most),
                                           .firsts = ARENA_ARRAY(arena, uint32_t, most)};
    if (arena->failed) {
        parser->source->failed = true;
        return;
    }
    for (uint32_t token = open + 1; token < close;) {
        struct java_parameter parameter = {0};
        uint32_t end = parameter_end(parser, token, close);
        uint32_t name = token;
        if (read_parameter(parser, token, &parameter, &name) == end) {
            parameters->items[parameters->count] = parameter;
            parameters->firsts[parameters->count] = token;
            parameters->names[parameters->count++] = name;
        }
        token = end + 1;
    }
}

const struct java_parameter *java_read_variables(struct java_parser *parser, uint32_t open,
                                                 uint32_t close, uint32_t *count)
{
    *count = 0;
    uint32_t most = 0;
    for (uint32_t token = open + 1; token < close; token = parameter_end(parser, token, close) + 1)
        most++;
    struct java_parameter *variables =
        ARENA_ARRAY(&parser->source->arena, struct java_parameter, most);
    if (!variables) {
        parser->source->failed = true;
        return NULL;
    }
    for (uint32_t token = open + 1; token < close;
         token = parameter_end(parser, token, close) + 1) {
        uint32_t name = java_skip_annotations(parser, token);
        if (!java_is_word(parser, name))
            continue;
        struct java_parameter variable = {.name = java_text(parser, name)};
        if (java_is(parser, name + 1, "extends"))
            java_read_type(parser, name + 2, false, &variable.type);
        variables[(*count)++] = variable;
    }
    return variables;
}
