/*
 * Clauses behind a declaration, and what stands in comments and annotations.
 */
#include "locktypes/syntax_parser_internal.h"

/* ---- one clause ---- */

static const char *const subject_names[] = {
    [SYNTAX_OF_CLASS] = "a class",
    [SYNTAX_OF_FIELD] = "a field",
    [SYNTAX_OF_METHOD] = "a method",
    [SYNTAX_OF_ANYTHING] = "anything",
};

static bool fits(enum syntax_clause_kind kind, enum syntax_subject subject)
{
    switch (kind) {
    case SYNTAX_CLAUSE_NATURE:
        return subject == SYNTAX_OF_CLASS || subject == SYNTAX_OF_ANYTHING;
    case SYNTAX_CLAUSE_GUARD:
        return subject != SYNTAX_OF_METHOD;
    case SYNTAX_CLAUSE_REQUIRES:
    case SYNTAX_CLAUSE_ATOMICITY:
    case SYNTAX_CLAUSE_ATOMIC:
    case SYNTAX_CLAUSE_EFFECT:
        return subject == SYNTAX_OF_METHOD || subject == SYNTAX_OF_ANYTHING;
    case SYNTAX_CLAUSE_NO_WARN:
        return true;
    case SYNTAX_CLAUSE_NONE:
        break;
    }
    return false;
}

static bool report_misfit(struct syntax_parser *parser, const struct syntax_token *word,
                          enum syntax_clause_kind kind, enum syntax_subject subject)
{
    if (kind == SYNTAX_CLAUSE_GUARD && subject == SYNTAX_OF_METHOD)
        return syntax_parser_error(parser, word,
                                   "'%.*s' cannot be said of a method: 'requires' is meant",
                                   TEXT_ARGUMENTS(word->text));
    return syntax_parser_error(parser, word, "'%.*s' cannot be said of %s",
                               TEXT_ARGUMENTS(word->text), subject_names[subject]);
}

static bool set_nature(struct syntax_parser *parser, const struct syntax_token *word,
                       struct syntax_clauses *clauses, enum class_nature nature)
{
    if (clauses->nature != NATURE_NONE && clauses->nature != nature)
        return syntax_parser_error(parser, word, "'%s' and '%s' contradict each other",
                                   syntax_word_of_nature(clauses->nature),
                                   syntax_word_of_nature(nature));
    clauses->nature = nature;
    return true;
}

static bool parse_guard(struct syntax_parser *parser, const struct syntax_token *word,
                        struct syntax_collected *collected, enum guard_kind kind)
{
    struct syntax_guard *guard = &collected->clauses.guard;
    if (guard->kind != GUARD_NONE && guard->kind != kind)
        return syntax_parser_error(parser, word,
                                   "'guarded_by' and 'write_guarded_by' contradict each other");
    if (!syntax_parser_locks(parser, &collected->guard))
        return false;
    guard->kind = kind;
    return true;
}

static bool parse_requires(struct syntax_parser *parser, struct syntax_collected *collected)
{
    const struct syntax_token next = syntax_parser_peek(parser, 1);
    const bool continued = syntax_token_is_sign(&next, '.') || syntax_token_is_sign(&next, '(');
    if (continued || !syntax_parser_accept_word(parser, "nothing"))
        if (!syntax_parser_locks(parser, &collected->requires))
            return false;
    collected->clauses.has_requires = true;
    return true;
}

static bool set_atomicity(struct syntax_parser *parser, const struct syntax_token *word,
                          struct syntax_clauses *clauses, const struct syntax_atomicity *atomicity)
{
    if (clauses->atomicity)
        return syntax_parser_error(parser, word, "the atomicity is given twice");
    clauses->atomicity = atomicity;
    return !parser->failed;
}

static bool parse_atomicity(struct syntax_parser *parser, const struct syntax_token *word,
                            struct syntax_clauses *clauses)
{
    const struct syntax_atomicity *atomicity;
    return syntax_parser_atomicity(parser, &atomicity) &&
           set_atomicity(parser, word, clauses, atomicity);
}

static bool set_atomic(struct syntax_parser *parser, const struct syntax_token *word,
                       struct syntax_clauses *clauses)
{
    const struct syntax_atomicity atomic = {.basic = ATOMICITY_ATOMIC};
    return set_atomicity(parser, word, clauses,
                         syntax_parser_keep(parser, &atomic, 1, sizeof atomic));
}

static bool parse_effects(struct syntax_parser *parser, struct syntax_collected *collected,
                          enum effect_kind kind)
{
    const struct syntax_token next = syntax_parser_peek(parser, 1);
    if (syntax_token_is_sign(&parser->token, '(') && syntax_token_is_sign(&next, ')'))
        return syntax_parser_expected(parser, "a lock expression");
    struct syntax_lock_vector locks = {0};
    bool good = syntax_parser_locks(parser, &locks);
    for (size_t i = 0; good && i < locks.count; i++) {
        const struct syntax_effect effect = {kind, locks.items[i]};
        if (!vector_push(&collected->effects, effect))
            good = syntax_parser_fail(parser);
    }
    vector_release(&locks);
    return good;
}

/* ---- no_warn ---- */

/* Names with hyphens between them, without room: guard-not-held. */
static bool parse_rule(struct syntax_parser *parser, struct syntax_collected *collected)
{
    const struct syntax_token first = parser->token;
    struct text rule = first.text;
    if (!syntax_token_is_name(&first))
        return syntax_parser_expected(parser, "the name of a rule");
    syntax_parser_advance(parser);
    while (first.kind == SYNTAX_WORD && syntax_token_is_sign(&parser->token, '-') &&
           parser->token.start == parser->previous.end) {
        syntax_parser_advance(parser);
        if ((parser->token.kind != SYNTAX_WORD && parser->token.kind != SYNTAX_NUMBER) ||
            parser->token.start != parser->previous.end)
            return syntax_parser_expected(parser, "the rest of a rule's name");
        syntax_parser_advance(parser);
        rule = syntax_parser_written(parser, &first);
    }
    return vector_push(&collected->rules, rule) || syntax_parser_fail(parser);
}

/* Behind no_warn: a rule, or else whatever comes behind the clause. `requires-not-held` begins with
   a clause word, and `atomicity` is both a rule and a clause; it is the rule if nothing comes that
   a clause could have. */
static bool begins_rule(const struct syntax_parser *parser)
{
    if (!syntax_token_is_name(&parser->token))
        return false;
    const enum syntax_clause_kind kind = syntax_token_clause(&parser->token);
    const struct syntax_token next = syntax_parser_peek(parser, 1);
    if (syntax_token_is_sign(&next, '-') && next.start == parser->token.end)
        return true;
    if (kind != SYNTAX_CLAUSE_ATOMICITY)
        return kind == SYNTAX_CLAUSE_NONE && !syntax_token_is_word(&parser->token, "holds");
    return next.kind == SYNTAX_END || syntax_token_is_sign(&next, ',') ||
           syntax_token_is_sign(&next, ';') || syntax_token_is_sign(&next, '{');
}

static bool parse_no_warn(struct syntax_parser *parser, struct syntax_collected *collected)
{
    const bool in_parentheses = syntax_parser_accept(parser, '(');
    if (!in_parentheses && !begins_rule(parser)) {
        collected->clauses.no_warn.all = true;
        collected->clauses.has_no_warn = true;
        return true;
    }
    do {
        if (!parse_rule(parser, collected))
            return false;
    } while (syntax_parser_accept(parser, ','));
    collected->clauses.has_no_warn = true;
    return !in_parentheses || syntax_parser_expect(parser, ')', "',' or ')'");
}

/* ---- lists of clauses ---- */

bool syntax_parser_clause(struct syntax_parser *parser, struct syntax_collected *collected,
                          enum syntax_subject subject)
{
    const struct syntax_token word = parser->token;
    int value;
    const enum syntax_clause_kind kind = syntax_word_clause(word.text, &value);
    if (!fits(kind, subject))
        report_misfit(parser, &word, kind, subject);
    syntax_parser_advance(parser);
    switch (kind) {
    case SYNTAX_CLAUSE_NATURE:
        return set_nature(parser, &word, &collected->clauses, (enum class_nature)value);
    case SYNTAX_CLAUSE_GUARD:
        return parse_guard(parser, &word, collected, (enum guard_kind)value);
    case SYNTAX_CLAUSE_REQUIRES:
        return parse_requires(parser, collected);
    case SYNTAX_CLAUSE_ATOMICITY:
        return parse_atomicity(parser, &word, &collected->clauses);
    case SYNTAX_CLAUSE_ATOMIC:
        return set_atomic(parser, &word, &collected->clauses);
    case SYNTAX_CLAUSE_NO_WARN:
        return parse_no_warn(parser, collected);
    case SYNTAX_CLAUSE_EFFECT:
        return parse_effects(parser, collected, (enum effect_kind)value);
    case SYNTAX_CLAUSE_NONE:
        break;
    }
    return false;
}

bool syntax_parser_clause_list(struct syntax_parser *parser, struct syntax_collected *collected,
                               enum syntax_subject subject)
{
    while (syntax_token_clause(&parser->token) != SYNTAX_CLAUSE_NONE)
        if (!syntax_parser_clause(parser, collected, subject))
            return false;
    return true;
}

static struct syntax_locks keep_locks(struct syntax_parser *parser,
                                      const struct syntax_lock_vector *locks)
{
    return (struct syntax_locks){
        syntax_parser_keep(parser, locks->items, locks->count, sizeof *locks->items),
        (uint32_t)locks->count};
}

void syntax_parser_keep_clauses(struct syntax_parser *parser, struct syntax_collected *collected)
{
    struct syntax_clauses *clauses = &collected->clauses;
    clauses->guard.locks = keep_locks(parser, &collected->guard);
    clauses->requires = keep_locks(parser, &collected->requires);
    clauses->holds = keep_locks(parser, &collected->holds);
    clauses->effects =
        syntax_parser_keep(parser, collected->effects.items, collected->effects.count,
                           sizeof *collected->effects.items);
    clauses->effect_count = (uint32_t)collected->effects.count;
    if (!clauses->no_warn.all) {
        clauses->no_warn.rules = syntax_parser_keep(
            parser, collected->rules.items, collected->rules.count, sizeof *collected->rules.items);
        clauses->no_warn.count = (uint32_t)collected->rules.count;
    }
}

void syntax_collected_release(struct syntax_collected *collected)
{
    vector_release(&collected->guard);
    vector_release(&collected->requires);
    vector_release(&collected->holds);
    vector_release(&collected->effects);
    vector_release(&collected->rules);
}

/* ---- comments and strings ---- */

/* Whether only names that could be formals stand between the current < and its >; *ghost says that
   one of them has a type, so that they can be nothing else. */
static bool looks_like_formals(struct syntax_parser *parser, bool *ghost)
{
    const struct syntax_parser_mark start = syntax_parser_mark(parser);
    bool formals;
    *ghost = false;
    do {
        enum segment_kind special;
        syntax_parser_advance(parser);
        const struct syntax_token word = parser->token;
        const struct syntax_token next = syntax_parser_peek(parser, 1);
        *ghost = *ghost || (syntax_token_is_word(&word, "ghost") && syntax_token_is_name(&next));
        formals = syntax_token_is_name(&word) && !syntax_token_is_word(&word, "this") &&
                  !syntax_token_is_word(&word, "itself") &&
                  !syntax_word_owner(word.text, &special) && text_find(word.text, '$') < 0;
        if (formals)
            syntax_parser_advance(parser);
    } while (!*ghost && formals && syntax_token_is_sign(&parser->token, ','));
    formals = *ghost || (formals && syntax_token_is_sign(&parser->token, '>'));
    syntax_parser_return(parser, &start);
    return formals;
}

static bool parse_angle(struct syntax_parser *parser, struct syntax_clauses *clauses)
{
    bool ghost;
    const struct syntax_parser_mark start = syntax_parser_mark(parser);
    if (looks_like_formals(parser, &ghost)) {
        if (!syntax_parser_formals(parser, &clauses->formals, &clauses->formal_count))
            return false;
        clauses->has_formals = true;
        if (ghost)
            return true;
        syntax_parser_return(parser, &start);
    }
    if (!syntax_parser_owners(parser, &clauses->owners))
        return false;
    clauses->has_owners = true;
    return true;
}

static bool parse_holds(struct syntax_parser *parser, struct syntax_collected *collected)
{
    syntax_parser_advance(parser);
    const struct syntax_token next = syntax_parser_peek(parser, 1);
    if (syntax_token_is_sign(&parser->token, '(') && syntax_token_is_sign(&next, ')'))
        return syntax_parser_expected(parser, "a lock expression");
    if (!syntax_parser_locks(parser, &collected->holds))
        return false;
    collected->clauses.has_holds = true;
    return true;
}

static bool parse_any(struct syntax_parser *parser, struct syntax_collected *collected)
{
    if (syntax_token_is_sign(&parser->token, '<'))
        return parse_angle(parser, &collected->clauses);
    if (syntax_token_is_word(&parser->token, "holds"))
        return parse_holds(parser, collected);
    if (syntax_token_clause(&parser->token) != SYNTAX_CLAUSE_NONE)
        return syntax_parser_clause(parser, collected, SYNTAX_OF_ANYTHING);
    return syntax_parser_expected(parser, "a clause such as 'guarded_by'");
}

/* Nothing of a bad part is kept: half of the locks that guard a field are not its guard. */
static bool parse_part(struct syntax_parser *parser, struct syntax_collected *collected)
{
    const struct syntax_collected before = *collected;
    if (parse_any(parser, collected))
        return true;
    collected->clauses = before.clauses;
    collected->guard.count = before.guard.count;
    collected->requires.count = before.requires.count;
    collected->holds.count = before.holds.count;
    collected->effects.count = before.effects.count;
    collected->rules.count = before.rules.count;
    return false;
}

/* Goes to where a clause may begin, but not to where the bad one began. */
static bool may_begin_part(const struct syntax_token *token)
{
    return syntax_token_clause(token) != SYNTAX_CLAUSE_NONE ||
           syntax_token_is_word(token, "holds") || syntax_token_is_sign(token, ';');
}

/* In what is left of an atomicity (`l ? (mover : atomic`), `atomic` is no clause of its own. */
static void skip_part(struct syntax_parser *parser, size_t start, bool in_atomicity)
{
    while (parser->token.kind != SYNTAX_END &&
           (parser->token.start <= start || !may_begin_part(&parser->token) ||
            (in_atomicity && syntax_token_is_word(&parser->token, "atomic"))))
        syntax_parser_advance(parser);
}

bool syntax_parse_clauses(struct syntax_clauses *result, struct arena *arena, struct text text,
                          struct syntax_place place, struct syntax_errors *errors)
{
    struct syntax_parser parser;
    struct syntax_collected collected = {0};
    bool used = false;
    *result = (struct syntax_clauses){0};
    if (!syntax_parser_init(&parser, arena, text, place, "the end of the text", errors))
        return false;
    if (parser.token.kind == SYNTAX_END)
        syntax_parser_expected(&parser, "a clause such as 'guarded_by'");
    while (parser.token.kind != SYNTAX_END) {
        const size_t start = parser.token.start;
        const bool in_atomicity = syntax_token_is_word(&parser.token, "atomicity");
        if (syntax_parser_accept(&parser, ';'))
            continue;
        if (parse_part(&parser, &collected))
            used = true;
        else
            skip_part(&parser, start, in_atomicity);
    }
    syntax_parser_keep_clauses(&parser, &collected);
    *result = collected.clauses;
    syntax_collected_release(&collected);
    if (!used && parser.error_count == 0)
        syntax_parser_expected(&parser, "a clause such as 'guarded_by'");
    return used && !parser.failed;
}
