#include "locktypes/comment_reader_internal.h"

/*
 * A comment stands between two tokens, and may belong to what is before it or behind it. It belongs
 * to what is before it if it ends a line that does not begin with it; else to what comes. A comment
 * directly behind an opening brace may also be about what the brace belongs to.
 */
enum target_kind {
    TARGET_CLASS,
    TARGET_FIELD,
    TARGET_DECLARATION, /* all fields that are declared with it */
    TARGET_LINE,        /* those of them whose names are on the comment's line */
    TARGET_METHOD,
    TARGET_CODE
};

struct target {
    enum target_kind kind;
    uint32_t number;
};

struct attachment {
    struct comment_file *file;
    const struct java_source *source;
    const struct java_comment *comment;
    struct syntax_clauses clauses;
    uint32_t offset;          /* of what is said: errors point there */
    uint32_t next;            /* token behind the comment */
    uint32_t previous;        /* token before it, or JAVA_NONE */
    uint32_t last_line;       /* of the comment */
    bool follows;             /* something is before it on its line */
    bool ends_line;           /* nothing is behind it on its last line */
    struct target targets[3]; /* in the order in which they come into question */
    uint32_t target_count;
};

static const struct java_token *token_at(const struct attachment *attachment, uint32_t token)
{
    return &attachment->source->tokens.tokens.items[token];
}

static bool is_symbol(const struct attachment *attachment, uint32_t token, char symbol)
{
    return java_token_is_symbol(&attachment->source->tokens, token, symbol);
}

static void add_target(struct attachment *attachment, enum target_kind kind, uint32_t number)
{
    attachment->targets[attachment->target_count++] = (struct target){kind, number};
}

/* ---- what it may belong to ---- */

/* What the comment ends a line of. */
static void add_target_before(struct attachment *attachment)
{
    const struct java_source *source = attachment->source;
    struct java_owner owner = source->owners[attachment->previous];
    switch ((enum java_owner_kind)owner.kind) {
    case JAVA_OWNER_FIELD:
        add_target(attachment,
                   is_symbol(attachment, attachment->previous, ';') ? TARGET_LINE : TARGET_FIELD,
                   owner.number);
        break;
    case JAVA_OWNER_FIELD_TYPE:
        add_target(attachment, TARGET_DECLARATION, owner.number);
        break;
    case JAVA_OWNER_METHOD:
        add_target(attachment, TARGET_METHOD, owner.number);
        break;
    case JAVA_OWNER_METHOD_END:
        if (token_at(attachment, source->methods.items[owner.number].name_token)->line ==
            attachment->comment->line)
            add_target(attachment, TARGET_METHOD, owner.number);
        break;
    case JAVA_OWNER_CLASS:
        add_target(attachment, TARGET_CLASS, owner.number);
        break;
    case JAVA_OWNER_CLASS_END:
        if (token_at(attachment, source->classes.items[owner.number].first)->line ==
            attachment->comment->line)
            add_target(attachment, TARGET_CLASS, owner.number);
        break;
    case JAVA_OWNER_CODE:
    case JAVA_OWNER_NONE:
        break;
    }
}

/* What the comment stands before, or inside of. */
static void add_target_behind(struct attachment *attachment)
{
    const struct java_source *source = attachment->source;
    uint32_t next = attachment->next;
    struct java_owner owner = source->owners[next];
    switch ((enum java_owner_kind)owner.kind) {
    case JAVA_OWNER_FIELD: {
        const struct java_field *field = &source->fields.items[owner.number];
        bool before_all = field->first_of_declaration && next == field->name_token;
        add_target(attachment, before_all ? TARGET_DECLARATION : TARGET_FIELD, owner.number);
        break;
    }
    case JAVA_OWNER_FIELD_TYPE:
        add_target(attachment, TARGET_DECLARATION, owner.number);
        break;
    case JAVA_OWNER_METHOD:
        add_target(attachment, TARGET_METHOD, owner.number);
        break;
    case JAVA_OWNER_CLASS:
        add_target(attachment, TARGET_CLASS, owner.number);
        break;
    case JAVA_OWNER_CODE:
    case JAVA_OWNER_METHOD_END:
        /* Behind the `=` of a field it is still about the field. */
        if (attachment->previous != JAVA_NONE && is_symbol(attachment, attachment->previous, '=') &&
            source->owners[attachment->previous].kind == JAVA_OWNER_FIELD)
            add_target(attachment, TARGET_FIELD, source->owners[attachment->previous].number);
        else
            add_target(attachment, TARGET_CODE, JAVA_NONE);
        break;
    case JAVA_OWNER_CLASS_END:
    case JAVA_OWNER_NONE:
        break;
    }
}

static void add_target_of_brace(struct attachment *attachment)
{
    struct java_owner owner = attachment->source->owners[attachment->previous];
    if (!is_symbol(attachment, attachment->previous, '{'))
        return;
    if (owner.kind == JAVA_OWNER_CLASS)
        add_target(attachment, TARGET_CLASS, owner.number);
    else if (owner.kind == JAVA_OWNER_METHOD)
        add_target(attachment, TARGET_METHOD, owner.number);
}

static void find_targets(struct attachment *attachment)
{
    const struct java_tokens *tokens = &attachment->source->tokens;
    const struct java_comment *comment = attachment->comment;
    attachment->next = comment->before;
    attachment->previous = comment->before ? comment->before - 1 : JAVA_NONE;
    attachment->last_line = java_tokens_line(tokens, comment->end - 1);
    const struct java_token *next = token_at(attachment, comment->before);
    attachment->ends_line = next->kind == JAVA_END || next->line > attachment->last_line;
    if (attachment->previous != JAVA_NONE) {
        const struct java_token *previous = token_at(attachment, attachment->previous);
        attachment->follows = java_tokens_line(tokens, previous->end - 1) == comment->line;
    }
    if (attachment->follows && attachment->ends_line)
        add_target_before(attachment);
    add_target_behind(attachment);
    if (attachment->previous != JAVA_NONE)
        add_target_of_brace(attachment);
}

/* The first target of one of these kinds, or NULL. */
static const struct target *target_of(const struct attachment *attachment, unsigned kinds)
{
    for (uint32_t i = 0; i < attachment->target_count; i++)
        if (kinds & 1u << attachment->targets[i].kind)
            return &attachment->targets[i];
    return NULL;
}

#define KIND(kind) (1u << (kind))
#define FIELD_KINDS (KIND(TARGET_FIELD) | KIND(TARGET_DECLARATION) | KIND(TARGET_LINE))

/* ---- fields ---- */

typedef void field_action(struct attachment *attachment, uint32_t field, bool shared);

/* Nested classes in initializers have fields between those of a declaration. */
static void each_field(struct attachment *attachment, const struct target *target,
                       field_action *action)
{
    const struct java_source *source = attachment->source;
    const struct java_field *fields = source->fields.items;
    uint32_t first = fields[target->number].first;
    uint32_t class_number = fields[target->number].class_number;
    if (target->kind == TARGET_FIELD) {
        action(attachment, target->number, false);
    } else if (target->kind == TARGET_DECLARATION) {
        for (uint32_t i = target->number; i < source->fields.count; i++) {
            if (fields[i].first == first)
                action(attachment, i, true);
            else if (fields[i].class_number == class_number)
                break;
        }
    } else {
        for (uint32_t i = target->number + 1; i-- > 0;) {
            if (fields[i].first == first &&
                (i == target->number ||
                 token_at(attachment, fields[i].name_token)->line == attachment->comment->line))
                action(attachment, i, false);
            else if (fields[i].first != first && fields[i].class_number == class_number)
                break;
        }
    }
}

static void guard_field(struct attachment *attachment, uint32_t number, bool shared)
{
    struct comment_file *file = attachment->file;
    struct field_draft *draft = comment_field(file, number, attachment->offset);
    if (draft->field.guard.kind != GUARD_NONE && (shared || !draft->guard_is_shared)) {
        comment_error(file, attachment->offset, "'%.*s' has a guard already",
                      TEXT_ARGUMENTS(draft->field.name));
        return;
    }
    draft->field.guard = attachment->clauses.guard;
    draft->field.place = comment_place(file, attachment->offset);
    draft->guard_is_shared = shared;
}

static void quiet_field(struct attachment *attachment, uint32_t number, bool shared)
{
    (void)shared;
    comment_field(attachment->file, number, attachment->offset)->field.no_warn =
        attachment->clauses.no_warn;
}

static void own_field(struct attachment *attachment, uint32_t number, bool shared)
{
    (void)shared;
    struct field_draft *draft = comment_field(attachment->file, number, attachment->offset);
    draft->field.type =
        comment_type(attachment->file, &attachment->source->fields.items[number].type,
                     &attachment->clauses.owners, attachment->offset);
}

/* ---- clauses of declarations ---- */

static void attach_guard(struct attachment *attachment)
{
    const struct syntax_guard *guard = &attachment->clauses.guard;
    const struct target *target = target_of(attachment, FIELD_KINDS | KIND(TARGET_CLASS));
    struct comment_file *file = attachment->file;
    if (!target) {
        comment_error(file, attachment->offset, "`%s` belongs to a field or a class",
                      guard->kind == GUARD_WRITES ? "write_guarded_by" : "guarded_by");
    } else if (target->kind != TARGET_CLASS) {
        each_field(attachment, target, guard_field);
    } else {
        struct class_draft *draft = comment_class(file, target->number, attachment->offset);
        if (draft->class.guard.kind != GUARD_NONE)
            comment_error(file, attachment->offset, "the class has a guard already");
        else
            draft->class.guard = *guard;
    }
}

static void attach_nature(struct attachment *attachment)
{
    static const char *const names[] = {"", "thread_local", "immutable", "thread_safe",
                                        "unguarded"};
    const struct target *target = target_of(attachment, KIND(TARGET_CLASS));
    if (target)
        comment_class(attachment->file, target->number, attachment->offset)->class.nature =
            attachment->clauses.nature;
    else
        comment_error(attachment->file, attachment->offset, "`%s` belongs to a class",
                      names[attachment->clauses.nature]);
}

/* The items of both lists, in the result's arena; NULL without memory. */
static void *joined(struct attachment *attachment, const void *first, uint32_t first_count,
                    const void *second, uint32_t second_count, size_t size)
{
    char *items = arena_allocate_array(attachment->file->reader->arena,
                                       (size_t)first_count + second_count, size, 16);
    if (!items) {
        attachment->file->reader->failed = true;
        return NULL;
    }
    if (first_count)
        memcpy(items, first, first_count * size);
    if (second_count)
        memcpy(items + first_count * size, second, second_count * size);
    return items;
}

static void add_requires(struct attachment *attachment, struct syntax_method *method)
{
    const struct syntax_locks *more = &attachment->clauses.requires;
    const struct syntax_lock *all =
        joined(attachment, method->requires.items, method->requires.count, more->items, more->count,
               sizeof *all);
    if (!all)
        return;
    method->requires = (struct syntax_locks){all, method->requires.count + more->count};
    method->has_requires = true;
}

static void add_effects(struct attachment *attachment, struct syntax_method *method)
{
    const struct syntax_clauses *clauses = &attachment->clauses;
    const struct syntax_effect *all = joined(attachment, method->effects, method->effect_count,
                                             clauses->effects, clauses->effect_count, sizeof *all);
    if (!all)
        return;
    method->effects = all;
    method->effect_count += clauses->effect_count;
}

static void attach_to_method(struct attachment *attachment)
{
    const struct syntax_clauses *clauses = &attachment->clauses;
    const struct target *target = target_of(attachment, KIND(TARGET_METHOD));
    if (!target) {
        comment_error(attachment->file, attachment->offset,
                      clauses->has_requires ? "`requires` belongs to a method"
                                            : "what a call does to locks belongs to a method");
        return;
    }
    struct method_draft *draft =
        comment_method(attachment->file, target->number, attachment->offset);
    if (draft && clauses->has_requires)
        add_requires(attachment, &draft->method);
    if (draft && clauses->effect_count)
        add_effects(attachment, &draft->method);
}

/* ---- lines ---- */

static void add_line(struct attachment *attachment, struct syntax_line line)
{
    struct line_draft draft = {.line = line, .made_at = JAVA_NONE};
    comment_line(attachment->file, &draft, attachment->offset);
}

/* The braces of the block, or of the synchronized block, that begins behind the comment. */
static uint32_t block_behind(const struct attachment *attachment)
{
    const struct java_source *source = attachment->source;
    uint32_t token = attachment->next;
    if (java_token_is(&source->tokens, token, "synchronized") &&
        is_symbol(attachment, token + 1, '(') && source->matches[token + 1] != JAVA_NONE)
        token = source->matches[token + 1] + 1;
    return is_symbol(attachment, token, '{') && source->owners[token].kind == JAVA_OWNER_CODE
               ? token
               : JAVA_NONE;
}

static void attach_atomicity(struct attachment *attachment)
{
    const struct syntax_atomicity *atomicity = attachment->clauses.atomicity;
    const struct target *target = target_of(attachment, KIND(TARGET_METHOD) | KIND(TARGET_CODE));
    uint32_t open = target && target->kind == TARGET_CODE ? block_behind(attachment) : JAVA_NONE;
    if (open != JAVA_NONE && !atomicity->lock && atomicity->basic == ATOMICITY_ATOMIC) {
        uint32_t close = attachment->source->matches[open];
        bool synchronized = open != attachment->next;
        add_line(attachment,
                 (struct syntax_line){.kind = LINE_ATOMIC,
                                      .first = token_at(attachment, attachment->next)->line,
                                      .last = token_at(attachment, close)->line,
                                      .open = synchronized ? token_at(attachment, open)->line : 0});
        return;
    }
    target = target_of(attachment, KIND(TARGET_METHOD));
    struct method_draft *draft =
        target ? comment_method(attachment->file, target->number, attachment->offset) : NULL;
    if (!target)
        comment_error(attachment->file, attachment->offset,
                      "`atomic` belongs to a method or before a block");
    else if (draft && draft->method.atomicity)
        comment_error(attachment->file, attachment->offset, "the method has an atomicity already");
    else if (draft)
        draft->method.atomicity = atomicity;
}

/* On a line of its own it is about the line that follows. */
static void attach_no_warn(struct attachment *attachment)
{
    bool alone = !attachment->follows && attachment->ends_line;
    const struct java_token *next = token_at(attachment, attachment->next);
    add_line(attachment,
             (struct syntax_line){.kind = LINE_NO_WARN,
                                  .first = attachment->comment->line,
                                  .last = alone && next->kind != JAVA_END ? next->line
                                                                          : attachment->last_line,
                                  .no_warn = attachment->clauses.no_warn});
    const struct target *field = target_of(attachment, FIELD_KINDS);
    if (field && field == attachment->targets)
        each_field(attachment, field, quiet_field);
    /* A method or class only from before or inside its header. */
    struct java_owner owner = attachment->source->owners[attachment->next];
    bool inside = attachment->previous != JAVA_NONE &&
                  attachment->source->owners[attachment->previous].kind == owner.kind &&
                  attachment->source->owners[attachment->previous].number == owner.number;
    if (attachment->follows && attachment->ends_line && !inside)
        return;
    if (owner.kind == JAVA_OWNER_CLASS) {
        comment_class(attachment->file, owner.number, attachment->offset)->class.no_warn =
            attachment->clauses.no_warn;
    } else if (owner.kind == JAVA_OWNER_METHOD) {
        struct method_draft *draft =
            comment_method(attachment->file, owner.number, attachment->offset);
        if (draft)
            draft->method.no_warn = attachment->clauses.no_warn;
    }
}

static void attach_holds(struct attachment *attachment)
{
    const struct java_source *source = attachment->source;
    uint32_t number = java_source_block_at(source, attachment->next);
    const struct java_block *block = number == JAVA_NONE ? NULL : &source->blocks.items[number];
    enum java_owner_kind kind =
        block ? (enum java_owner_kind)source->owners[block->open].kind : JAVA_OWNER_NONE;
    if (kind != JAVA_OWNER_CODE && kind != JAVA_OWNER_METHOD) {
        comment_error(attachment->file, attachment->offset,
                      "`holds` belongs into the body of a method");
        return;
    }
    /* What stands behind the closing brace on its line is no longer inside. */
    uint32_t last = token_at(attachment, block->close - 1)->line;
    if (last < attachment->last_line)
        last = attachment->last_line;
    for (uint32_t i = 0; i < attachment->clauses.holds.count; i++)
        add_line(attachment, (struct syntax_line){.kind = LINE_HOLDS,
                                                  .first = attachment->comment->line,
                                                  .last = last,
                                                  .lock = attachment->clauses.holds.items[i]});
}

/* ---- owners ---- */

static bool own_in_class_header(struct attachment *attachment, uint32_t number)
{
    const struct java_class *class = &attachment->source->classes.items[number];
    const struct syntax_clauses *clauses = &attachment->clauses;
    bool behind_name =
        attachment->previous == class->name_token ||
        (class->arguments_close != JAVA_NONE && attachment->previous == class->arguments_close);
    if (behind_name && clauses->has_formals) {
        struct class_draft *draft = comment_class(attachment->file, number, attachment->offset);
        draft->class.formals = clauses->formals;
        draft->class.formal_count = clauses->formal_count;
        return true;
    }
    if (class->kind != JAVA_ANONYMOUS && clauses->has_owners &&
        java_type_ends_before(&class->superclass, attachment->next)) {
        struct class_draft *draft = comment_class(attachment->file, number, attachment->offset);
        draft->class.superclass = comment_type(attachment->file, &class->superclass,
                                               &clauses->owners, attachment->offset);
        return true;
    }
    return false;
}

static bool own_in_method_header(struct attachment *attachment, uint32_t number)
{
    const struct java_method *method = &attachment->source->methods.items[number];
    const struct syntax_locks *owners = &attachment->clauses.owners;
    if (java_type_ends_before(&method->result, attachment->next)) {
        struct method_draft *draft = comment_method(attachment->file, number, attachment->offset);
        if (draft)
            draft->method.result =
                comment_type(attachment->file, &method->result, owners, attachment->offset);
        return true;
    }
    for (uint32_t i = 0; method->parameters_open != JAVA_NONE && i < method->parameter_count; i++) {
        if (!java_type_ends_before(&method->parameters[i].type, attachment->next))
            continue;
        struct method_draft *draft = comment_method(attachment->file, number, attachment->offset);
        if (draft) {
            draft->parameters[i].type.owners = *owners;
            draft->parameters[i].type.place = comment_place(attachment->file, attachment->offset);
        }
        return true;
    }
    return false;
}

static bool own_by_previous(struct attachment *attachment)
{
    const struct java_source *source = attachment->source;
    if (attachment->previous == JAVA_NONE)
        return false;
    struct java_owner owner = source->owners[attachment->previous];
    if (owner.kind == JAVA_OWNER_CLASS)
        return own_in_class_header(attachment, owner.number);
    if (!attachment->clauses.has_owners)
        return false;
    if (owner.kind == JAVA_OWNER_METHOD)
        return own_in_method_header(attachment, owner.number);
    if (owner.kind == JAVA_OWNER_CODE)
        return comment_own_line(attachment->file, attachment->previous, &attachment->clauses.owners,
                                attachment->offset);
    if (owner.kind != JAVA_OWNER_FIELD_TYPE ||
        !java_type_ends_before(&source->fields.items[owner.number].type, attachment->next))
        return false;
    struct target target = {TARGET_DECLARATION, owner.number};
    each_field(attachment, &target, own_field);
    return true;
}

static void attach_owners(struct attachment *attachment)
{
    if (own_by_previous(attachment))
        return;
    comment_error(attachment->file, attachment->offset,
                  attachment->clauses.has_owners
                      ? "owners belong directly behind a type, parameters behind the name of a "
                        "class"
                      : "ghost parameters belong behind the name of a class");
}

/* ---- all ---- */

/* What is said, in the arena of the result; stars that begin the lines of a comment say nothing. */
static struct text body_of(struct comment_file *file, const struct java_comment *comment)
{
    struct text body = java_comment_body(&file->source.tokens, comment);
    char *bytes = arena_copy(file->reader->arena, body.bytes, body.length, 1);
    if (!bytes) {
        file->reader->failed = true;
        return TEXT("");
    }
    bool begins = false;
    for (size_t i = 0; i < body.length; i++) {
        if (bytes[i] == '*' && begins)
            bytes[i] = ' ';
        begins = bytes[i] == '\n' || bytes[i] == '\r' ||
                 (begins && (bytes[i] == ' ' || bytes[i] == '\t'));
    }
    return text_of(bytes, body.length);
}

/* The parser knows the text of the comment only; errors show the whole line. */
static void show_lines(struct comment_file *file, size_t first_error)
{
    struct syntax_errors *errors = file->reader->errors;
    for (size_t i = first_error; i < errors->items.count; i++) {
        struct syntax_error *error = &errors->items.items[i];
        struct text line = java_tokens_line_text(&file->source.tokens, error->place.line);
        error->line = text_copy(errors->arena, line);
    }
    if (errors->arena->failed)
        file->reader->failed = true;
}

static void attach_clauses(struct attachment *attachment)
{
    const struct syntax_clauses *clauses = &attachment->clauses;
    if (clauses->has_owners || clauses->has_formals)
        attach_owners(attachment);
    if (clauses->nature != NATURE_NONE)
        attach_nature(attachment);
    if (clauses->guard.kind != GUARD_NONE)
        attach_guard(attachment);
    if (clauses->has_requires || clauses->effect_count)
        attach_to_method(attachment);
    if (clauses->atomicity)
        attach_atomicity(attachment);
    if (clauses->has_no_warn)
        attach_no_warn(attachment);
    if (clauses->has_holds)
        attach_holds(attachment);
}

void comment_attach(struct comment_file *file, const struct java_comment *comment)
{
    struct attachment attachment = {.file = file, .source = &file->source, .comment = comment};
    struct text body = body_of(file, comment);
    uint32_t start = comment->start + 3;
    uint32_t spaces = 0;
    while (spaces < body.length && (unsigned char)body.bytes[spaces] <= ' ')
        spaces++;
    attachment.offset = start + spaces;
    size_t first_error = file->reader->errors->items.count;
    bool used = syntax_parse_clauses(&attachment.clauses, file->reader->arena, body,
                                     comment_place(file, start), file->reader->errors);
    show_lines(file, first_error);
    if (file->reader->arena->failed)
        file->reader->failed = true;
    if (!used || file->reader->failed)
        return;
    find_targets(&attachment);
    attach_clauses(&attachment);
}
