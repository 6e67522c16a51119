#include "source/java_source_internal.h"

/* Headers are looked at no further: their end may not be there. */
#define LONGEST_HEADER 2000

static uint32_t read_code(struct java_parser *parser, uint32_t token, uint32_t end,
                          bool is_initializer);
static void read_class_body(struct java_parser *parser, uint32_t class_number);

static void own(struct java_parser *parser, uint32_t token, uint32_t end, enum java_owner_kind kind,
                uint32_t number)
{
    struct java_owner owner = {.kind = (uint8_t)kind, .number = number};
    for (; token < end; token++)
        parser->source->owners[token] = owner;
}

static uint32_t match_of(const struct java_parser *parser, uint32_t token)
{
    return parser->source->matches[token];
}

/* The number of the new thing, or JAVA_NONE without memory. */
#define PUSH(parser, list, item)                                                                   \
    (vector_push(&(parser)->source->list, (item)) ? (uint32_t)(parser)->source->list.count - 1     \
                                                  : ((parser)->source->failed = true, JAVA_NONE))

/* Whether a class, interface, enum, record or annotation type begins at its keyword here. */
static bool starts_class(const struct java_parser *parser, uint32_t token,
                         enum java_class_kind *kind, uint32_t *name)
{
    *name = token + 1;
    if (java_is(parser, token, "class"))
        *kind = JAVA_CLASS;
    else if (java_is(parser, token, "interface"))
        *kind = JAVA_INTERFACE;
    else if (java_is(parser, token, "enum"))
        *kind = JAVA_ENUM;
    else if (java_is(parser, token, "record") &&
             (java_is_symbol(parser, token + 2, '(') || java_is_symbol(parser, token + 2, '<')))
        *kind = JAVA_RECORD;
    else if (java_is_symbol(parser, token, '@') && java_is(parser, token + 1, "interface")) {
        *kind = JAVA_ANNOTATION;
        *name = token + 2;
    } else
        return false;
    return java_is_word(parser, *name);
}

/* What is not understood: behind the next `;` or pair of braces, in which classes may stand, or to
   the next class. */
static uint32_t recover(struct java_parser *parser, uint32_t token, uint32_t end)
{
    enum java_class_kind kind;
    uint32_t name;
    for (uint32_t start = token; token < end;) {
        if (java_is_symbol(parser, token, ';'))
            return token + 1;
        if (token > start && starts_class(parser, token, &kind, &name))
            return token;
        uint32_t match = match_of(parser, token);
        if (match != JAVA_NONE && match > token) {
            if (java_is_symbol(parser, token, '{')) {
                read_code(parser, token + 1, match, false);
                return match + 1;
            }
            token = match;
        }
        token++;
    }
    return end;
}

/* ---- classes ---- */

static bool belongs_in_header(const struct java_parser *parser, uint32_t token)
{
    if (java_is_word(parser, token))
        return !java_is(parser, token, "class") && !java_is(parser, token, "interface") &&
               !java_is(parser, token, "enum");
    return java_is_symbol(parser, token, '.') || java_is_symbol(parser, token, ',') ||
           java_is_symbol(parser, token, '@') || java_is_symbol(parser, token, '(');
}

/* From behind the name and its parameters to the opening brace; JAVA_NONE: there is none. */
static uint32_t read_supertypes(struct java_parser *parser, uint32_t token,
                                struct java_class *class)
{
    uint32_t limit = token + LONGEST_HEADER;
    while (!java_is_symbol(parser, token, '{')) {
        if (token >= limit)
            return JAVA_NONE;
        if (java_is(parser, token, "extends") && class->kind == JAVA_CLASS &&
            class->superclass.first == class->superclass.end) {
            uint32_t behind = java_read_type(parser, token + 1, false, &class->superclass);
            if (behind == JAVA_NONE)
                return JAVA_NONE;
            token = behind;
            continue;
        }
        uint32_t arguments = java_skip_arguments(parser, token);
        if (arguments == JAVA_NONE && !belongs_in_header(parser, token))
            return JAVA_NONE;
        if (arguments != JAVA_NONE)
            token = arguments;
        else if (java_is_symbol(parser, token, '(') && match_of(parser, token) != JAVA_NONE)
            token = match_of(parser, token) + 1;
        else
            token++;
    }
    return token;
}

/* The components in a record's header are its fields. */
static void read_components(struct java_parser *parser, uint32_t class_number, uint32_t open)
{
    struct java_parameters parameters;
    java_read_parameters(parser, open, match_of(parser, open), &parameters);
    for (uint32_t i = 0; i < parameters.count && !parser->source->failed; i++) {
        uint32_t end = parameters.names[i] + 1;
        while (!java_is_symbol(parser, end, ',') && !java_is_symbol(parser, end, ')'))
            end++;
        struct java_field field = {.class_number = class_number,
                                   .first = parameters.firsts[i],
                                   .name_token = parameters.names[i],
                                   .end = end,
                                   .first_of_declaration = true,
                                   .component = true,
                                   .name = parameters.items[i].name,
                                   .type = parameters.items[i].type};
        uint32_t number = PUSH(parser, fields, field);
        own(parser, field.first, field.name_token, JAVA_OWNER_FIELD_TYPE, number);
        own(parser, field.name_token, end + 1, JAVA_OWNER_FIELD, number);
    }
    parser->source->classes.items[class_number].components = parameters.items;
    parser->source->classes.items[class_number].component_count = parameters.count;
}

static uint32_t read_header(struct java_parser *parser, struct java_class *class, uint32_t *record)
{
    uint32_t token = class->name_token + 1;
    uint32_t arguments = java_skip_arguments(parser, token);
    if (arguments != JAVA_NONE) {
        class->arguments_open = token;
        class->arguments_close = arguments - 1;
        class->variables =
            java_read_variables(parser, token, arguments - 1, &class->variable_count);
        token = arguments;
    }
    if (class->kind == JAVA_RECORD) {
        if (!java_is_symbol(parser, token, '(') || match_of(parser, token) == JAVA_NONE)
            return JAVA_NONE;
        *record = token;
        token = match_of(parser, token) + 1;
    }
    return read_supertypes(parser, token, class);
}

/* A class whose keyword is known; JAVA_NONE if it has no body. */
static uint32_t read_class(struct java_parser *parser, uint32_t first, uint32_t name,
                           enum java_class_kind kind, bool local)
{
    struct java_class class = {.kind = (uint8_t)kind,
                               .local = local,
                               .outer = parser->class_number,
                               .method = parser->method,
                               .first = first,
                               .name_token = name,
                               .arguments_open = JAVA_NONE,
                               .arguments_close = JAVA_NONE,
                               .name = java_text(parser, name)};
    uint32_t record = JAVA_NONE;
    class.open = read_header(parser, &class, &record);
    if (class.open == JAVA_NONE || match_of(parser, class.open) == JAVA_NONE)
        return JAVA_NONE;
    class.close = match_of(parser, class.open);
    uint32_t number = PUSH(parser, classes, class);
    if (number == JAVA_NONE)
        return class.close + 1;
    own(parser, first, class.open + 1, JAVA_OWNER_CLASS, number);
    if (record != JAVA_NONE)
        read_components(parser, number, record);
    read_class_body(parser, number);
    return class.close + 1;
}

/* A body without a header; what is before its brace stays what it is. */
static void add_anonymous(struct java_parser *parser, enum java_class_kind kind, uint32_t first,
                          uint32_t open, const struct java_type *superclass)
{
    struct java_class class = {.kind = (uint8_t)kind,
                               .local = true,
                               .outer = parser->class_number,
                               .method = parser->method,
                               .first = first,
                               .name_token = JAVA_NONE,
                               .arguments_open = JAVA_NONE,
                               .arguments_close = JAVA_NONE,
                               .open = open,
                               .close = match_of(parser, open),
                               .name = TEXT(""),
                               .superclass = *superclass};
    uint32_t number = PUSH(parser, classes, class);
    if (number != JAVA_NONE)
        own(parser, open, open + 1, JAVA_OWNER_CLASS, number);
}

/* At `new`: if the object has a class body, that is read when its brace is reached, because classes
   in the arguments come before it. */
static void note_anonymous(struct java_parser *parser, uint32_t token)
{
    uint32_t next = token + 1;
    uint32_t arguments = java_skip_arguments(parser, next);
    struct java_type type;
    next = java_read_type(parser, arguments == JAVA_NONE ? next : arguments, false, &type);
    if (next == JAVA_NONE || !java_is_symbol(parser, next, '(') ||
        match_of(parser, next) == JAVA_NONE)
        return;
    uint32_t open = match_of(parser, next) + 1;
    if (java_is_symbol(parser, open, '{') && match_of(parser, open) != JAVA_NONE)
        add_anonymous(parser, JAVA_ANONYMOUS, token, open, &type);
}

/* ---- code ---- */

/* Modifiers and simple annotations before the keyword of a local class. */
static uint32_t first_modifier(const struct java_parser *parser, uint32_t token, uint32_t start)
{
    for (;;) {
        if (token > start && java_is_modifier(parser, token - 1) &&
            !java_is(parser, token - 1, "default"))
            token--;
        else if (token > start + 1 && java_is_word(parser, token - 1) &&
                 java_is_symbol(parser, token - 2, '@'))
            token -= 2;
        else
            return token;
    }
}

/* What a comma begins that separates declarators, not type arguments. */
static bool declarator_follows(const struct java_parser *parser, uint32_t token)
{
    return java_is_word(parser, token) &&
           (java_is_symbol(parser, token + 1, '=') || java_is_symbol(parser, token + 1, ',') ||
            java_is_symbol(parser, token + 1, ';') || java_is_symbol(parser, token + 1, '['));
}

/* A class that begins here, in code; JAVA_NONE: none does. */
static uint32_t read_local_class(struct java_parser *parser, uint32_t token, uint32_t start)
{
    enum java_class_kind kind;
    uint32_t name;
    if (!starts_class(parser, token, &kind, &name) || kind == JAVA_ANNOTATION ||
        (token > start && java_is_symbol(parser, token - 1, '.')))
        return JAVA_NONE;
    return read_class(parser, first_modifier(parser, token, start), name, kind, true);
}

/* Tokens up to `end`; of an initializer, up to the `,` or `;` behind it. Gives where it stopped. */
static uint32_t read_code(struct java_parser *parser, uint32_t token, uint32_t end,
                          bool is_initializer)
{
    uint32_t start = token;
    uint32_t group_end = 0; /* the last outermost bracket that was opened closes here */
    while (token < end && !parser->source->failed) {
        bool outside = token > group_end;
        uint32_t match = match_of(parser, token);
        if (is_initializer && outside) {
            if (java_is_symbol(parser, token, ';') ||
                (java_is_symbol(parser, token, ',') && declarator_follows(parser, token + 1)))
                return token;
            uint32_t arguments = java_skip_arguments(parser, token);
            if (arguments != JAVA_NONE && arguments <= end) {
                own(parser, token, arguments, JAVA_OWNER_CODE, JAVA_NONE);
                token = arguments;
                continue;
            }
        }
        if (outside && match != JAVA_NONE && match > token)
            group_end = match;
        struct java_owner owner = parser->source->owners[token];
        if (owner.kind == JAVA_OWNER_CLASS && java_is_symbol(parser, token, '{')) {
            read_class_body(parser, owner.number);
            token = match + 1;
            continue;
        }
        if (java_is(parser, token, "new"))
            note_anonymous(parser, token);
        uint32_t behind =
            java_is_word(parser, token) ? read_local_class(parser, token, start) : JAVA_NONE;
        if (behind != JAVA_NONE) {
            token = behind;
            continue;
        }
        own(parser, token, token + 1, JAVA_OWNER_CODE, JAVA_NONE);
        token++;
    }
    return token < end ? token : end;
}

static uint32_t read_initializer_block(struct java_parser *parser, uint32_t first, uint32_t open)
{
    uint32_t close = match_of(parser, open);
    own(parser, first, open + 1, JAVA_OWNER_CODE, JAVA_NONE);
    read_code(parser, open + 1, close, false);
    own(parser, close, close + 1, JAVA_OWNER_CODE, JAVA_NONE);
    return close + 1;
}

/* ---- fields ---- */

/* The class that members belong to; of a compact source file, that of the file. */
static uint32_t owner_class(struct java_parser *parser, uint32_t first)
{
    if (parser->class_number != JAVA_NONE)
        return parser->class_number;
    if (parser->implicit == JAVA_NONE) {
        uint32_t end = (uint32_t)parser->tokens->tokens.count - 1;
        struct java_class class = {.kind = JAVA_IMPLICIT,
                                   .outer = JAVA_NONE,
                                   .method = JAVA_NONE,
                                   .first = first,
                                   .name_token = JAVA_NONE,
                                   .arguments_open = JAVA_NONE,
                                   .arguments_close = JAVA_NONE,
                                   .open = JAVA_NONE,
                                   .close = end};
        class.name = parser->file_name;
        if (text_ends_with(class.name, TEXT(".java")))
            class.name.length -= sizeof ".java" - 1;
        parser->implicit = PUSH(parser, classes, class);
    }
    return parser->implicit;
}

/* One declarator from its name; gives where it ends. */
static uint32_t read_declarator(struct java_parser *parser, struct java_field *field, uint32_t end)
{
    uint32_t token = java_skip_brackets(parser, field->name_token + 1, &field->type.dimensions);
    uint32_t number = PUSH(parser, fields, *field);
    own(parser, field->name_token, token, JAVA_OWNER_FIELD, number);
    if (java_is_symbol(parser, token, '=')) {
        own(parser, token, token + 1, JAVA_OWNER_FIELD, number);
        token = read_code(parser, token + 1, end, true);
    }
    if (number != JAVA_NONE)
        parser->source->fields.items[number].end = token;
    if (token < end && (java_is_symbol(parser, token, ',') || java_is_symbol(parser, token, ';')))
        own(parser, token, token + 1, JAVA_OWNER_FIELD, number);
    return token;
}

static uint32_t read_fields(struct java_parser *parser, uint32_t first,
                            const struct java_type *type, uint32_t name, uint32_t end)
{
    struct java_field field = {
        .class_number = owner_class(parser, first), .first = first, .first_of_declaration = true};
    own(parser, first, name, JAVA_OWNER_FIELD_TYPE, (uint32_t)parser->source->fields.count);
    for (;;) {
        field.name_token = name;
        field.name = java_text(parser, name);
        field.type = *type;
        uint32_t token = read_declarator(parser, &field, end);
        if (token >= end || parser->source->failed)
            return end;
        field.first_of_declaration = false;
        if (java_is_symbol(parser, token, ';'))
            return token + 1;
        if (!java_is_symbol(parser, token, ',') || !java_is_word(parser, token + 1))
            return recover(parser, token, end);
        name = token + 1;
    }
}

/* ---- methods ---- */

/* From behind the parameters to the `{` or `;`; JAVA_NONE: neither is there. */
static uint32_t method_header_end(const struct java_parser *parser, uint32_t token, uint32_t end)
{
    bool is_default = false; /* of an annotation type's method; braces may stand in it */
    for (uint32_t steps = 0; token < end && steps < LONGEST_HEADER; steps++) {
        if (java_is_symbol(parser, token, ';'))
            return token;
        uint32_t match = match_of(parser, token);
        if (java_is_symbol(parser, token, '{') && !is_default)
            return match == JAVA_NONE ? JAVA_NONE : token;
        if (java_is(parser, token, "default"))
            is_default = true;
        if (match != JAVA_NONE && match > token)
            token = match;
        else if (!is_default && !java_is_word(parser, token) &&
                 !java_is_symbol(parser, token, '.') && !java_is_symbol(parser, token, ',') &&
                 !java_is_symbol(parser, token, '@') && !java_is_symbol(parser, token, '<') &&
                 !java_is_symbol(parser, token, '>') && !java_is_symbol(parser, token, '?') &&
                 !java_is_symbol(parser, token, '&'))
            return JAVA_NONE;
        token++;
    }
    return JAVA_NONE;
}

static uint32_t add_method(struct java_parser *parser, struct java_method *method)
{
    bool has_body = java_is_symbol(parser, method->end, '{');
    method->class_number = owner_class(parser, method->first);
    method->body_close = has_body ? match_of(parser, method->end) : JAVA_NONE;
    uint32_t number = PUSH(parser, methods, *method);
    own(parser, method->first, method->end + 1, JAVA_OWNER_METHOD, number);
    if (!has_body)
        return method->end + 1;
    uint32_t around = parser->method;
    parser->method = number;
    read_code(parser, method->end + 1, method->body_close, false);
    parser->method = around;
    own(parser, method->body_close, method->body_close + 1, JAVA_OWNER_METHOD_END, number);
    return method->body_close + 1;
}

/* Its name is followed by a parenthesis. */
static uint32_t read_method(struct java_parser *parser, struct java_method *method, uint32_t end)
{
    uint32_t open = method->name_token + 1;
    uint32_t close = match_of(parser, open);
    if (close == JAVA_NONE || close >= end)
        return recover(parser, method->first, end);
    method->end = method_header_end(parser, close + 1, end);
    if (method->end == JAVA_NONE)
        return recover(parser, method->first, end);
    method->parameters_open = open;
    method->parameters_close = close;
    java_skip_brackets(parser, close + 1, &method->result.dimensions);
    struct java_parameters parameters;
    java_read_parameters(parser, open, close, &parameters);
    method->parameters = parameters.items;
    method->parameter_count = parameters.count;
    return add_method(parser, method);
}

/* `Name {` in a record: its parameters are the components. */
static uint32_t read_compact_constructor(struct java_parser *parser, struct java_method *method)
{
    method->end = method->name_token + 1;
    method->parameters_open = method->parameters_close = JAVA_NONE;
    const struct java_class *class = &parser->source->classes.items[parser->class_number];
    method->parameters = class->components;
    method->parameter_count = class->component_count;
    return add_method(parser, method);
}

/* ---- members ---- */

static bool is_compact_constructor(const struct java_parser *parser, uint32_t token)
{
    if (parser->class_number == JAVA_NONE || !java_is_word(parser, token) ||
        !java_is_symbol(parser, token + 1, '{') || match_of(parser, token + 1) == JAVA_NONE)
        return false;
    const struct java_class *class = &parser->source->classes.items[parser->class_number];
    return class->kind == JAVA_RECORD && text_equal(class->name, java_text(parser, token));
}

static bool may_follow_field_name(const struct java_parser *parser, uint32_t token)
{
    return java_is_symbol(parser, token, ';') || java_is_symbol(parser, token, '=') ||
           java_is_symbol(parser, token, ',') || java_is_symbol(parser, token, '[') ||
           java_is_symbol(parser, token, '@');
}

/* A field, method or constructor behind its modifiers. */
static uint32_t read_field_or_method(struct java_parser *parser, uint32_t first, uint32_t token,
                                     uint32_t end)
{
    struct java_method method = {
        .first = first, .arguments_open = JAVA_NONE, .arguments_close = JAVA_NONE};
    uint32_t arguments = java_skip_arguments(parser, token);
    if (arguments != JAVA_NONE) {
        method.arguments_open = token;
        method.arguments_close = arguments - 1;
        method.variables =
            java_read_variables(parser, token, arguments - 1, &method.variable_count);
        token = arguments;
    }
    method.name_token = token;
    method.constructor = true;
    method.name = TEXT("<init>");
    if (is_compact_constructor(parser, token))
        return read_compact_constructor(parser, &method);
    if (java_is_word(parser, token) && java_is_symbol(parser, token + 1, '('))
        return read_method(parser, &method, end);
    uint32_t name = java_read_type(parser, token, true, &method.result);
    if (name == JAVA_NONE || name >= end || !java_is_word(parser, name))
        return recover(parser, first, end);
    method.constructor = false;
    method.name_token = name;
    method.name = java_text(parser, name);
    if (java_is_symbol(parser, name + 1, '('))
        return read_method(parser, &method, end);
    if (arguments != JAVA_NONE || !may_follow_field_name(parser, name + 1))
        return recover(parser, first, end);
    return read_fields(parser, first, &method.result, name, end);
}

static uint32_t read_member(struct java_parser *parser, uint32_t first, uint32_t end)
{
    if (java_is_symbol(parser, first, ';') || java_is_symbol(parser, first, '}') ||
        java_is_symbol(parser, first, ')') || java_is_symbol(parser, first, ']'))
        return first + 1; /* closing ones would have ended the body if they belonged to something */
    uint32_t token = java_skip_modifiers(parser, first);
    if (token >= end)
        return end;
    if (java_is_symbol(parser, token, '{') && match_of(parser, token) != JAVA_NONE)
        return read_initializer_block(parser, first, token);
    enum java_class_kind kind;
    uint32_t name;
    if (starts_class(parser, token, &kind, &name)) {
        uint32_t behind = read_class(parser, first, name, kind, false);
        return behind == JAVA_NONE ? recover(parser, name, end) : behind;
    }
    return read_field_or_method(parser, first, token, end);
}

/* Constants, up to and with the `;` behind them, or to the end. */
static uint32_t read_constants(struct java_parser *parser, uint32_t token, uint32_t end)
{
    while (token < end) {
        uint32_t first = token;
        token = java_skip_annotations(parser, token);
        uint32_t name = token;
        if (java_is_word(parser, token))
            token++;
        own(parser, first, token, JAVA_OWNER_CODE, JAVA_NONE);
        if (java_is_symbol(parser, token, '(') && match_of(parser, token) != JAVA_NONE)
            token = read_code(parser, token, match_of(parser, token) + 1, false);
        if (token < end && java_is_symbol(parser, token, '{')) {
            static const struct java_type none = {0};
            uint32_t class_number = (uint32_t)parser->source->classes.count;
            add_anonymous(parser, JAVA_CONSTANT_BODY, name, token, &none);
            if (parser->source->failed)
                return end;
            read_class_body(parser, class_number);
            token = match_of(parser, token) + 1;
        }
        if (java_is_symbol(parser, token, ';'))
            return token + 1;
        if (token >= end)
            return end;
        if (!java_is_symbol(parser, token, ','))
            return recover(parser, token, end);
        own(parser, token, token + 1, JAVA_OWNER_CODE, JAVA_NONE);
        token++;
    }
    return end;
}

static void read_class_body(struct java_parser *parser, uint32_t class_number)
{
    const struct java_class *class = &parser->source->classes.items[class_number];
    uint32_t token = class->open + 1, end = class->close;
    own(parser, end, end + 1, JAVA_OWNER_CLASS_END, class_number);
    if (parser->depth >= JAVA_DEEPEST)
        return;
    struct java_parser around = *parser;
    parser->depth++;
    parser->class_number = class_number;
    parser->method = JAVA_NONE;
    if (class->kind == JAVA_ENUM)
        token = read_constants(parser, token, end);
    while (token < end && !parser->source->failed) {
        uint32_t next = read_member(parser, token, end);
        token = next > token ? next : token + 1;
    }
    parser->depth = around.depth;
    parser->class_number = around.class_number;
    parser->method = around.method;
}

/* ---- the file ---- */

/* a.b.c with or without .*, and the `;`; the words with `separator` between them. */
static uint32_t read_dotted(struct java_parser *parser, uint32_t token, char separator,
                            struct text prefix, struct text *name)
{
    uint32_t first = token;
    size_t length = prefix.length;
    while (java_is_word(parser, token) || java_is_symbol(parser, token, '.') ||
           java_is_symbol(parser, token, '*'))
        length += java_text(parser, token++).length;
    char *bytes = arena_allocate(&parser->source->arena, length + 1, 1);
    if (!bytes) {
        parser->source->failed = true;
        return token;
    }
    memcpy(bytes, prefix.bytes, prefix.length);
    size_t filled = prefix.length;
    for (uint32_t i = first; i < token; i++) {
        struct text part = java_text(parser, i);
        memcpy(bytes + filled, part.bytes, part.length);
        if (java_is_symbol(parser, i, '.'))
            bytes[filled] = separator;
        filled += part.length;
    }
    bytes[filled] = '\0';
    *name = text_of(bytes, filled);
    return java_is_symbol(parser, token, ';') ? token + 1 : token;
}

static uint32_t read_import(struct java_parser *parser, uint32_t token)
{
    struct text prefix = TEXT("");
    if (java_is(parser, token, "static")) {
        prefix = TEXT("static ");
        token++;
    }
    struct text name = TEXT("");
    token = read_dotted(parser, token, '.', prefix, &name);
    if (!parser->source->failed && !vector_push(&parser->source->imports, name))
        parser->source->failed = true;
    return token;
}

void java_read_file(struct java_parser *parser)
{
    uint32_t end = (uint32_t)parser->tokens->tokens.count - 1;
    for (uint32_t token = 0; token < end && !parser->source->failed;) {
        uint32_t start = java_skip_annotations(parser, token);
        uint32_t next;
        if (java_is(parser, start, "package") && java_is_word(parser, start + 1))
            next = read_dotted(parser, start + 1, '/', TEXT(""), &parser->source->package);
        else if (java_is(parser, start, "import") && java_is_word(parser, start + 1))
            next = read_import(parser, start + 1);
        else
            next = read_member(parser, token, end);
        token = next > token ? next : token + 1;
    }
}
