/*
 * Whole .locks files: classes and their members.
 */
#include "locktypes/syntax_parser_internal.h"

/* How far behind the start of a bad member its error may be for the lines between them to be read
   again. Without a limit, reading again at each line would take the square of the file's size. */
#define REREAD_LIMIT 1000

/* How many are looked over, for the same reason. */
#define WORDS_BEFORE_CLASS 16

struct class_members {
    VECTOR(struct syntax_field) fields;
    VECTOR(struct syntax_method) methods;
};

struct file_classes {
    VECTOR(struct syntax_class) items;
};

/* ---- members ---- */

static void skip_modifiers(struct syntax_parser *parser)
{
    while (parser->token.kind == SYNTAX_WORD && syntax_word_is_modifier(parser->token.text))
        syntax_parser_advance(parser);
}

/* The name behind the last dot or slash; with `inner` also behind the last $. */
static struct text simple_name(struct text name, bool inner)
{
    size_t start = name.length;
    while (start > 0 && name.bytes[start - 1] != '.' && name.bytes[start - 1] != '/' &&
           !(inner && name.bytes[start - 1] == '$'))
        start--;
    return text_slice(name, start, name.length);
}

static bool names_constructor(const struct syntax_class *class, struct text name)
{
    return text_equal(name, simple_name(class->name, false)) ||
           text_equal(name, simple_name(class->name, true));
}

/* <init> or <clinit> */
static bool accept_special_name(struct syntax_parser *parser, struct text *name)
{
    const struct syntax_token word = syntax_parser_peek(parser, 1);
    const struct syntax_token end = syntax_parser_peek(parser, 2);
    if (!syntax_token_is_sign(&parser->token, '<') || !syntax_token_is_sign(&end, '>') ||
        (!syntax_token_is_word(&word, "init") && !syntax_token_is_word(&word, "clinit")))
        return false;
    *name = text_is(word.text, "init") ? TEXT("<init>") : TEXT("<clinit>");
    for (int i = 0; i < 3; i++)
        syntax_parser_advance(parser);
    return true;
}

/* Behind a word that is a type or the name of a member: whether the clause word that follows begins
   a clause, and is not the member's name. */
static bool begins_clause(const struct syntax_parser *parser)
{
    const enum syntax_clause_kind kind = syntax_token_clause(&parser->token);
    const struct syntax_token next = syntax_parser_peek(parser, 1);
    if (kind == SYNTAX_CLAUSE_NONE || kind == SYNTAX_CLAUSE_NO_WARN)
        return kind == SYNTAX_CLAUSE_NO_WARN;
    if (kind == SYNTAX_CLAUSE_GUARD)
        return next.kind != SYNTAX_END && !syntax_token_is_sign(&next, ';');
    /* Fields have no other clauses: this is one only if it would make no sense as a name, and is
       reported then. */
    const enum syntax_clause_kind behind = syntax_token_clause(&next);
    return syntax_token_is_name(&next) && behind != SYNTAX_CLAUSE_GUARD &&
           behind != SYNTAX_CLAUSE_NO_WARN;
}

/* type? name. Without a type, the type stays empty. */
static bool parse_head(struct syntax_parser *parser, struct syntax_type *type, struct text *name)
{
    const struct syntax_token first = parser->token;
    *type = (struct syntax_type){.place = syntax_parser_place(parser, &first)};
    if (accept_special_name(parser, name))
        return true;
    if (!syntax_token_is_name(&first))
        return syntax_parser_expected(parser, "a field, a method or '}'");
    if (!syntax_parser_type(parser, type))
        return false;
    const bool may_be_name = parser->previous.start == first.start;
    if (syntax_token_is_name(&parser->token) &&
        !(may_be_name && !syntax_token_is_word(&first, "_") && begins_clause(parser))) {
        *name = parser->token.text;
        syntax_parser_advance(parser);
        return true;
    }
    if (!may_be_name)
        return syntax_parser_expected(parser, "the name of a field or method");
    *name = first.text;
    *type = (struct syntax_type){.place = type->place};
    return true;
}

static bool parse_parameter(struct syntax_parser *parser, struct syntax_parameter *parameter)
{
    *parameter = (struct syntax_parameter){0};
    while (syntax_parser_accept_word(parser, "final"))
        continue;
    if (!syntax_parser_type(parser, &parameter->type))
        return false;
    if (syntax_parser_accept(parser, '.')) {
        if (!syntax_parser_expect(parser, '.', "'...'") ||
            !syntax_parser_expect(parser, '.', "'...'"))
            return false;
        parameter->type.dimensions++;
    }
    if (syntax_token_is_name(&parser->token)) {
        parameter->name = parser->token.text;
        syntax_parser_advance(parser);
    }
    return true;
}

/* Behind the opening parenthesis, up to and with the closing one. */
static bool parse_parameters(struct syntax_parser *parser, struct syntax_method *method)
{
    if (syntax_parser_accept(parser, '*')) {
        method->any_parameters = true;
        return syntax_parser_expect(parser, ')', "')'");
    }
    if (syntax_parser_accept(parser, ')'))
        return true;
    VECTOR(struct syntax_parameter) list = VECTOR_EMPTY;
    bool good;
    do {
        struct syntax_parameter parameter;
        good = parse_parameter(parser, &parameter);
        if (good && !vector_push(&list, parameter))
            good = syntax_parser_fail(parser);
    } while (good && syntax_parser_accept(parser, ','));
    good = good && syntax_parser_expect(parser, ')', "',' or ')'");
    if (good) {
        method->parameters = syntax_parser_keep(parser, list.items, list.count, sizeof *list.items);
        method->parameter_count = (uint32_t)list.count;
    }
    vector_release(&list);
    return good && !parser->failed;
}

static bool skip_throws(struct syntax_parser *parser)
{
    struct text name;
    if (!syntax_parser_accept_word(parser, "throws"))
        return true;
    do {
        if (!syntax_parser_name(parser, &name, "the name of an exception"))
            return false;
    } while (syntax_parser_accept(parser, ','));
    return true;
}

/* Behind the brace that closes the current one. */
static void skip_braces(struct syntax_parser *parser)
{
    size_t depth = 0;
    do {
        if (syntax_token_is_sign(&parser->token, '{'))
            depth++;
        else if (syntax_token_is_sign(&parser->token, '}'))
            depth--;
        syntax_parser_advance(parser);
    } while (depth > 0 && parser->token.kind != SYNTAX_END);
}

/* The end of a member. Where it is missing and the next member begins on another line, the error
   does no harm to either. */
static bool parse_end(struct syntax_parser *parser, const struct syntax_token *start)
{
    if (syntax_parser_accept(parser, ';'))
        return true;
    if (syntax_token_is_sign(&parser->token, '{')) {
        syntax_parser_error(parser, &parser->token, "expected ';': there are no bodies here");
        skip_braces(parser);
        return true;
    }
    syntax_parser_expected(parser, "a clause or ';'");
    return syntax_token_is_sign(&parser->token, '}') ||
           (parser->token.first && parser->token.column <= start->column &&
            parser->token.kind != SYNTAX_END);
}

static bool parse_field(struct syntax_parser *parser, const struct syntax_token *start,
                        struct syntax_field *field, struct class_members *members)
{
    struct syntax_collected collected = {0};
    bool good =
        syntax_parser_clause_list(parser, &collected, SYNTAX_OF_FIELD) && parse_end(parser, start);
    if (good) {
        syntax_parser_keep_clauses(parser, &collected);
        field->guard = collected.clauses.guard;
        field->no_warn = collected.clauses.no_warn;
        if (!vector_push(&members->fields, *field))
            good = syntax_parser_fail(parser);
    }
    syntax_collected_release(&collected);
    return good;
}

static bool parse_method(struct syntax_parser *parser, const struct syntax_token *start,
                         struct syntax_method *method, struct class_members *members)
{
    struct syntax_collected collected = {0};
    bool good = parse_parameters(parser, method) && skip_throws(parser) &&
                syntax_parser_clause_list(parser, &collected, SYNTAX_OF_METHOD) &&
                parse_end(parser, start);
    if (good) {
        syntax_parser_keep_clauses(parser, &collected);
        const struct syntax_clauses *clauses = &collected.clauses;
        method->requires = clauses->requires;
        method->has_requires = clauses->has_requires;
        method->effects = clauses->effects;
        method->effect_count = clauses->effect_count;
        method->atomicity = clauses->atomicity;
        method->no_warn = clauses->no_warn;
        if (!vector_push(&members->methods, *method))
            good = syntax_parser_fail(parser);
    }
    syntax_collected_release(&collected);
    return good;
}

static bool parse_member(struct syntax_parser *parser, const struct syntax_class *class,
                         struct class_members *members)
{
    const struct syntax_token start = parser->token;
    struct syntax_type type = {0};
    struct text name = TEXT("");
    skip_modifiers(parser);
    const struct syntax_token head = parser->token;
    if (!parse_head(parser, &type, &name))
        return false;
    const struct syntax_place place = syntax_parser_place(parser, &head);
    if (!syntax_parser_accept(parser, '(')) {
        struct syntax_field field = {.name = name, .type = type, .place = place};
        return parse_field(parser, &start, &field, members);
    }
    /* A type is more than one token, or another one. */
    const bool has_type = type.name.length || syntax_token_is_word(&head, "_");
    struct syntax_method method = {.name = name, .result = type, .place = place};
    if (!has_type && names_constructor(class, name))
        method.name = TEXT("<init>");
    return parse_method(parser, &start, &method, members);
}

/* ---- going on behind an error ---- */

/* From the start of a bad member to where the next one seems to begin: behind a semicolon or a
   body, at the brace that ends the class, or at a line that is not further in than the bad one. */
static void skip_member(struct syntax_parser *parser, const struct syntax_parser_mark *start)
{
    const bool again = parser->token.start - start->token.start <= REREAD_LIMIT;
    size_t depth = 0;
    if (again)
        syntax_parser_return(parser, start);
    for (; parser->token.kind != SYNTAX_END; syntax_parser_advance(parser)) {
        const struct syntax_token *token = &parser->token;
        if (depth == 0 && token->start > start->token.start && token->first &&
            token->column <= start->token.column)
            return;
        if (syntax_token_is_sign(token, '{')) {
            depth++;
        } else if (syntax_token_is_sign(token, '}')) {
            if (depth == 0)
                return;
            if (--depth == 0)
                break;
        } else if (syntax_token_is_sign(token, ';') && depth == 0) {
            break;
        }
    }
    syntax_parser_advance(parser);
}

static bool is_class_word(const struct syntax_token *token)
{
    return token->kind == SYNTAX_WORD && syntax_word_is_class(token->text);
}

/* Words that may stand before `class`. */
static bool is_before_class(const struct syntax_token *token)
{
    return token->kind == SYNTAX_WORD &&
           (syntax_word_is_modifier(token->text) || text_is(token->text, "sealed") ||
            syntax_token_clause(token) == SYNTAX_CLAUSE_NATURE);
}

/* Whether a class begins here, and not a field of a type called `record`. */
static bool begins_class(const struct syntax_parser *parser)
{
    struct syntax_lexer lexer = parser->lexer;
    struct syntax_token token = parser->token;
    for (int i = 0; i < WORDS_BEFORE_CLASS && is_before_class(&token); i++)
        syntax_lexer_next(&lexer, &token);
    if (!is_class_word(&token))
        return false;
    if (!text_is(token.text, "record"))
        return true;
    syntax_lexer_next(&lexer, &token);
    if (!syntax_token_is_name(&token))
        return false;
    syntax_lexer_next(&lexer, &token);
    return syntax_token_is_sign(&token, '{') || syntax_token_is_sign(&token, '<') ||
           syntax_token_is_sign(&token, '.') || syntax_token_is_sign(&token, '/') ||
           syntax_token_is_word(&token, "extends");
}

/* ---- classes ---- */

/* A class inside a class. Returns true if it is not further in than the one around it: then it is
   rather the brace of that one that is missing. */
static bool report_nested(struct syntax_parser *parser, const struct syntax_token *outer)
{
    if (parser->token.column <= outer->column && parser->token.first) {
        syntax_parser_expected(parser, "'}' before the next class");
        return true;
    }
    syntax_parser_error(parser, &parser->token,
                        "a class inside a class is written beside it, as 'class Outer.Inner'");
    const struct syntax_parser_mark start = syntax_parser_mark(parser);
    while (parser->token.kind != SYNTAX_END && !syntax_token_is_sign(&parser->token, '{') &&
           !syntax_token_is_sign(&parser->token, ';') && !syntax_token_is_sign(&parser->token, '}'))
        syntax_parser_advance(parser);
    if (syntax_token_is_sign(&parser->token, '{'))
        skip_braces(parser);
    else if (parser->token.start == start.token.start)
        syntax_parser_advance(parser);
    return false;
}

static void parse_body(struct syntax_parser *parser, const struct syntax_token *start,
                       const struct syntax_class *class, struct class_members *members)
{
    while (parser->token.kind != SYNTAX_END) {
        if (syntax_parser_accept(parser, '}'))
            return;
        if (syntax_parser_accept(parser, ';'))
            continue;
        if (begins_class(parser)) {
            if (report_nested(parser, start))
                return;
            continue;
        }
        const struct syntax_parser_mark member = syntax_parser_mark(parser);
        if (!parse_member(parser, class, members))
            skip_member(parser, &member);
    }
    syntax_parser_expected(parser, "'}'");
}

static bool keep_class(struct syntax_parser *parser, struct syntax_class *class,
                       const struct class_members *members, struct file_classes *classes)
{
    class->fields = syntax_parser_keep(parser, members->fields.items, members->fields.count,
                                       sizeof *members->fields.items);
    class->field_count = (uint32_t)members->fields.count;
    class->methods = syntax_parser_keep(parser, members->methods.items, members->methods.count,
                                        sizeof *members->methods.items);
    class->method_count = (uint32_t)members->methods.count;
    if (parser->failed)
        return false;
    return vector_push(&classes->items, *class) || syntax_parser_fail(parser);
}

static bool parse_before_class(struct syntax_parser *parser, struct syntax_collected *collected)
{
    while (is_before_class(&parser->token)) {
        if (syntax_token_clause(&parser->token) == SYNTAX_CLAUSE_NONE)
            syntax_parser_advance(parser);
        else if (!syntax_parser_clause(parser, collected, SYNTAX_OF_CLASS))
            return false;
    }
    if (!is_class_word(&parser->token))
        return syntax_parser_expected(parser, "'class', 'interface', 'enum' or 'record'");
    syntax_parser_advance(parser);
    return true;
}

/* name formals? extends? clause* */
static bool parse_class_head(struct syntax_parser *parser, struct syntax_class *class,
                             struct syntax_collected *collected)
{
    if (!syntax_parser_name(parser, &class->name, "the name of a class"))
        return false;
    class->internal_name = text_find(class->name, '/') >= 0;
    if (syntax_token_is_sign(&parser->token, '<') &&
        !syntax_parser_formals(parser, &class->formals, &class->formal_count))
        return false;
    if (syntax_parser_accept_word(parser, "extends") &&
        !syntax_parser_type(parser, &class->superclass))
        return false;
    if (!syntax_parser_clause_list(parser, collected, SYNTAX_OF_CLASS))
        return false;
    return syntax_token_is_sign(&parser->token, '{') || syntax_token_is_sign(&parser->token, ';') ||
           syntax_parser_expected(parser, "a clause, '{' or ';'");
}

/* Behind an error in the head of a class: to its body. */
static void skip_head(struct syntax_parser *parser)
{
    while (parser->token.kind != SYNTAX_END && !syntax_token_is_sign(&parser->token, '{') &&
           !syntax_token_is_sign(&parser->token, ';') &&
           !syntax_token_is_sign(&parser->token, '}') &&
           !(parser->token.first && begins_class(parser)))
        syntax_parser_advance(parser);
}

static void parse_class_rest(struct syntax_parser *parser, const struct syntax_token *start,
                             struct syntax_collected *collected, struct file_classes *classes)
{
    struct syntax_class class = {.place = syntax_parser_place(parser, &parser->token)};
    struct class_members members = {0};
    if (!parse_class_head(parser, &class, collected))
        skip_head(parser);
    syntax_parser_keep_clauses(parser, collected);
    class.nature = collected->clauses.nature;
    class.guard = collected->clauses.guard;
    class.no_warn = collected->clauses.no_warn;
    if (!class.name.length && syntax_token_is_sign(&parser->token, '{'))
        skip_braces(parser);
    else if (syntax_parser_accept(parser, '{'))
        parse_body(parser, start, &class, &members);
    else
        syntax_parser_accept(parser, ';');
    if (class.name.length)
        keep_class(parser, &class, &members, classes);
    vector_release(&members.fields);
    vector_release(&members.methods);
}

/* False if there is no class here. */
static bool parse_class(struct syntax_parser *parser, struct file_classes *classes)
{
    const struct syntax_token start = parser->token;
    struct syntax_collected collected = {0};
    bool good = is_before_class(&start) || is_class_word(&start);
    if (!good)
        syntax_parser_expected(parser, "a class");
    good = good && parse_before_class(parser, &collected);
    if (good)
        parse_class_rest(parser, &start, &collected, classes);
    syntax_collected_release(&collected);
    return good;
}

/* ---- files ---- */

/* Behind something that is no class: to the next one, or behind the next semicolon. */
static void skip_to_class(struct syntax_parser *parser, size_t start)
{
    while (parser->token.kind != SYNTAX_END) {
        if (parser->token.start > start && begins_class(parser))
            return;
        if (syntax_token_is_sign(&parser->token, '{')) {
            skip_braces(parser);
            continue;
        }
        syntax_parser_advance(parser);
        if (syntax_token_is_sign(&parser->previous, ';'))
            return;
    }
}

static void parse_inferred(struct syntax_parser *parser, struct declarations *result)
{
    const struct syntax_token next = syntax_parser_peek(parser, 1);
    if (!syntax_token_is_word(&parser->token, "inferred") || !syntax_token_is_sign(&next, ';'))
        return;
    result->inferred = true;
    syntax_parser_advance(parser);
    syntax_parser_advance(parser);
}

bool syntax_parse_file(struct declarations *result, struct arena *arena, struct text file_name,
                       struct text bytes, enum syntax_source source, struct syntax_errors *errors)
{
    struct syntax_parser parser;
    struct file_classes classes = {0};
    *result = (struct declarations){.source = source};
    const struct syntax_place base = {text_copy(arena, file_name), 1, 1};
    if (!syntax_parser_init(&parser, arena, bytes, base, "the end of the file", errors))
        return false;
    parse_inferred(&parser, result);
    while (parser.token.kind != SYNTAX_END) {
        const size_t start = parser.token.start;
        if (!syntax_parser_accept(&parser, ';') && !parse_class(&parser, &classes))
            skip_to_class(&parser, start);
    }
    result->classes = syntax_parser_keep(&parser, classes.items.items, classes.items.count,
                                         sizeof *classes.items.items);
    result->class_count = result->classes ? (uint32_t)classes.items.count : 0;
    vector_release(&classes.items);
    return !parser.failed;
}
