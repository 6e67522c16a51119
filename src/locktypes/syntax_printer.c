/*
 * Declarations as text in the language of syntax_parser.h.
 *
 * Fields come before methods, and the clauses of each in one order; `no_warn` is the last, because
 * a rule may be called like a clause. Names that would be read as something else are put between
 * backquotes.
 */
#include "classfile/descriptor.h"
#include "locktypes/syntax_lexer.h"
#include "locktypes/syntax_parser.h"

/* ---- names ---- */

static void print_quoted(struct text name, struct builder *to)
{
    builder_add_byte(to, '`');
    builder_add(to, name);
    builder_add_byte(to, '`');
}

static void print_if(struct text name, bool plain, struct builder *to)
{
    if (plain)
        builder_add(to, name);
    else
        print_quoted(name, to);
}

/* Words with dots or slashes between them. */
static bool is_path_of_words(struct text name)
{
    size_t start = 0;
    for (size_t i = 0; i <= name.length; i++) {
        if (i < name.length && name.bytes[i] != '.' && name.bytes[i] != '/')
            continue;
        if (!syntax_lexer_is_word(text_slice(name, start, i)))
            return false;
        start = i + 1;
    }
    return true;
}

static bool is_clause_word(struct text word)
{
    int value;
    return syntax_word_clause(word, &value) != SYNTAX_CLAUSE_NONE;
}

/* Where a member or parameter begins, these are read as something else. */
static bool is_taken(struct text word)
{
    return is_clause_word(word) || syntax_word_is_modifier(word) || syntax_word_is_class(word) ||
           text_is(word, "sealed");
}

/* The name of a class or type; `first` where a member or parameter begins with it. */
static void print_path(struct text name, bool first, struct builder *to)
{
    size_t end = 0;
    while (end < name.length && name.bytes[end] != '.' && name.bytes[end] != '/')
        end++;
    const struct text part = text_slice(name, 0, end);
    print_if(name, is_path_of_words(name) && !text_is(part, "_") && !(first && is_taken(part)), to);
}

static void print_member_name(struct text name, struct builder *to)
{
    print_if(name, syntax_lexer_is_word(name) && !text_is(name, "_") && !is_taken(name), to);
}

/* ---- lock expressions ---- */

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Whether the parser would see f$e in the word. */
static bool would_be_split(struct text word)
{
    const ptrdiff_t dollar = text_find(word, '$');
    if (dollar <= 0 || (size_t)dollar + 1 == word.length)
        return false;
    return !text_is(text_slice(word, 0, (size_t)dollar), "this") &&
           !is_digit(word.bytes[dollar + 1]);
}

static bool is_first_word(struct text name)
{
    return syntax_lexer_is_word(name) && !text_is(name, "this") && !text_is(name, "itself");
}

/* The name of a path's first segment, of a lock that is not f$e. */
static void print_first_name(const struct syntax_lock *lock, struct builder *to)
{
    enum segment_kind special;
    const struct text name = lock->segments[0].name;
    const bool alone = lock->segment_count == 1 && lock->segments[0].kind == SEGMENT_NAME;
    const bool plain = is_first_word(name) && !would_be_split(name) &&
                       !(alone && (syntax_word_owner(name, &special) || text_is(name, "nothing")));
    print_if(name, plain, to);
}

static void print_later_name(struct text name, struct builder *to)
{
    print_if(name, syntax_lexer_is_word(name) && !text_is(name, "this") && !text_is(name, "class"),
             to);
}

/* A segment but for its name. */
static void print_segment(const struct syntax_segment *segment, struct builder *to)
{
    if (segment->kind == SEGMENT_CALL)
        builder_add_string(to, "()");
    else if (segment->kind == SEGMENT_PARAMETER)
        builder_add_format(to, "#%u", (unsigned)segment->parameter);
    else
        builder_add_string(to, syntax_word_of_segment(segment->kind));
}

static bool has_name(const struct syntax_segment *segment)
{
    return segment->kind == SEGMENT_NAME || segment->kind == SEGMENT_CALL;
}

/* The segments behind the first name. */
static void print_segments(const struct syntax_lock *lock, struct builder *to)
{
    if (lock->segment_count)
        print_segment(&lock->segments[0], to);
    for (uint32_t i = 1; i < lock->segment_count; i++) {
        builder_add_byte(to, '.');
        if (has_name(&lock->segments[i]))
            print_later_name(lock->segments[i].name, to);
        print_segment(&lock->segments[i], to);
    }
}

/* f$e. Between the $ and what follows it nothing is split again. */
static void print_qualified(const struct syntax_lock *lock, struct builder *to)
{
    const struct text formal = lock->segment_count ? lock->segments[0].name : TEXT("");
    print_if(formal,
             syntax_lexer_is_word(formal) && text_find(formal, '$') < 0 && !text_is(formal, "this"),
             to);
    builder_add_byte(to, '$');
    const struct syntax_lock *qualifier = lock->qualifier;
    if (qualifier->segment_count && has_name(&qualifier->segments[0]))
        print_if(qualifier->segments[0].name, is_first_word(qualifier->segments[0].name), to);
    print_segments(qualifier, to);
}

void syntax_print_lock(const struct syntax_lock *lock, struct builder *to)
{
    if (lock->qualifier) {
        print_qualified(lock, to);
        return;
    }
    if (lock->segment_count && has_name(&lock->segments[0]))
        print_first_name(lock, to);
    print_segments(lock, to);
}

static void print_locks(const struct syntax_locks *locks, struct builder *to)
{
    for (uint32_t i = 0; i < locks->count; i++) {
        builder_add_string(to, i ? ", " : "");
        syntax_print_lock(&locks->items[i], to);
    }
}

static void print_owners(const struct syntax_locks *owners, struct builder *to)
{
    if (!owners->count)
        return;
    builder_add_byte(to, '<');
    print_locks(owners, to);
    builder_add_byte(to, '>');
}

/* ---- types ---- */

static void print_dimensions(uint32_t count, struct builder *to)
{
    for (uint32_t i = 0; i < count; i++)
        builder_add_string(to, "[]");
}

static void print_type(const struct syntax_type *type, bool first, struct builder *to)
{
    if (!type->name.length)
        builder_add_byte(to, '_');
    else
        print_path(type->name, first, to);
    print_owners(&type->owners, to);
    print_dimensions(type->dimensions, to);
}

static const char *primitive_name(char letter)
{
    static const char letters[] = "BCDFIJSZV";
    static const char *const names[] = {"byte", "char",  "double",  "float", "int",
                                        "long", "short", "boolean", "void"};
    const char *found = memchr(letters, letter, sizeof letters - 1);
    return found ? names[found - letters] : "_";
}

/* A class file's name, with dots if it is one that Java source could have. */
static void print_class_name(struct text name, struct builder *to)
{
    struct builder dotted;
    builder_init(&dotted);
    for (size_t i = 0; i < name.length; i++)
        builder_add_byte(&dotted, name.bytes[i] == '/' ? '.' : name.bytes[i]);
    print_path(is_path_of_words(name) ? builder_text(&dotted) : name, true, to);
    to->failed = to->failed || dotted.failed;
    builder_release(&dotted);
}

/* The type that a well-formed descriptor stands for, with the owners that are given for it. */
static void print_descriptor(struct text descriptor, const struct syntax_locks *owners,
                             struct builder *to)
{
    uint32_t dimensions = 0;
    while (descriptor.bytes[dimensions] == '[')
        dimensions++;
    const struct text element = text_slice(descriptor, dimensions, descriptor.length);
    if (element.bytes[0] == 'L')
        print_class_name(text_slice(element, 1, element.length - 1), to);
    else
        builder_add_string(to, primitive_name(element.bytes[0]));
    if (owners)
        print_owners(owners, to);
    print_dimensions(dimensions, to);
}

static bool is_given(const struct syntax_type *type)
{
    return type->name.length || type->owners.count || type->dimensions;
}

/* ---- clauses ---- */

static void print_guard(const struct syntax_guard *guard, struct builder *to)
{
    if (guard->kind == GUARD_NONE)
        return;
    builder_add_format(to, "  %s ", syntax_word_of_guard(guard->kind));
    builder_add_string(to, guard->locks.count ? "" : "()");
    print_locks(&guard->locks, to);
}

/* Words with hyphens between them, that begin no clause. */
static bool is_rule(struct text rule)
{
    size_t start = 0;
    for (size_t i = 0; i <= rule.length; i++) {
        if (i < rule.length && rule.bytes[i] != '-')
            continue;
        if (!syntax_lexer_is_word(text_slice(rule, start, i)))
            return false;
        start = i + 1;
    }
    return text_is(rule, "atomicity") || (!is_clause_word(rule) && !text_is(rule, "holds"));
}

static void print_no_warn(const struct syntax_no_warn *no_warn, struct builder *to)
{
    if (!no_warn->all && !no_warn->count)
        return;
    builder_add_string(to, "  no_warn");
    for (uint32_t i = 0; !no_warn->all && i < no_warn->count; i++) {
        builder_add_string(to, i ? ", " : " ");
        print_if(no_warn->rules[i], is_rule(no_warn->rules[i]), to);
    }
}

static void print_requires(const struct syntax_method *method, struct builder *to)
{
    if (!method->has_requires && !method->requires.count)
        return;
    builder_add_string(to, method->requires.count ? "  requires " : "  requires nothing");
    print_locks(&method->requires, to);
}

static void print_effects(const struct syntax_method *method, struct builder *to)
{
    for (uint32_t i = 0; i < method->effect_count; i++) {
        const struct syntax_effect *effect = &method->effects[i];
        if (i && method->effects[i - 1].kind == effect->kind)
            builder_add_string(to, ", ");
        else
            builder_add_format(to, "  %s ", syntax_word_of_effect(effect->kind));
        syntax_print_lock(&effect->lock, to);
    }
}

/* Chains of `otherwise` are followed in a loop; only what is between ? and : nests. */
static void print_atomicity(const struct syntax_atomicity *atomicity, struct builder *to)
{
    while (atomicity && atomicity->lock) {
        const struct syntax_atomicity *then = atomicity->then, *otherwise = atomicity->otherwise;
        syntax_print_lock(atomicity->lock, to);
        builder_add_string(to, then->lock ? " ? (" : " ? ");
        print_atomicity(then, to);
        builder_add_string(to, then->lock ? ")" : "");
        if (!otherwise || (!otherwise->lock && otherwise->basic == ATOMICITY_ERROR))
            return;
        builder_add_string(to, " : ");
        atomicity = otherwise;
    }
    if (atomicity)
        builder_add_string(to, syntax_word_of_atomicity(atomicity->basic));
}

static void print_atomicity_clause(const struct syntax_atomicity *atomicity, struct builder *to)
{
    if (!atomicity)
        return;
    if (!atomicity->lock && atomicity->basic == ATOMICITY_ATOMIC) {
        builder_add_string(to, "  atomic");
        return;
    }
    builder_add_string(to, "  atomicity ");
    print_atomicity(atomicity, to);
}

/* ---- members ---- */

static void print_field(const struct syntax_field *field, struct builder *to)
{
    builder_add_string(to, "    ");
    if (!field->type.name.length && descriptor_is_field(field->descriptor)) {
        print_descriptor(field->descriptor, &field->type.owners, to);
        builder_add_byte(to, ' ');
    } else if (is_given(&field->type)) {
        print_type(&field->type, true, to);
        builder_add_byte(to, ' ');
    }
    print_member_name(field->name, to);
    print_guard(&field->guard, to);
    print_no_warn(&field->no_warn, to);
    builder_add_string(to, ";\n");
}

static void print_parameter_name(struct text name, struct builder *to)
{
    if (!name.length)
        return;
    builder_add_byte(to, ' ');
    print_if(name, syntax_lexer_is_word(name), to);
}

static void print_described_parameters(const struct syntax_method *method, struct builder *to)
{
    size_t position = 1;
    struct text descriptor;
    for (uint32_t i = 0; descriptor_next_parameter(method->descriptor, &position, &descriptor);
         i++) {
        const struct syntax_parameter *parameter =
            i < method->parameter_count ? &method->parameters[i] : NULL;
        builder_add_string(to, i ? ", " : "");
        print_descriptor(descriptor, parameter ? &parameter->type.owners : NULL, to);
        if (parameter)
            print_parameter_name(parameter->name, to);
    }
}

static void print_parameters(const struct syntax_method *method, bool described, struct builder *to)
{
    builder_add_byte(to, '(');
    if (method->any_parameters) {
        builder_add_byte(to, '*');
    } else if (described) {
        print_described_parameters(method, to);
    } else {
        for (uint32_t i = 0; i < method->parameter_count; i++) {
            builder_add_string(to, i ? ", " : "");
            print_type(&method->parameters[i].type, true, to);
            print_parameter_name(method->parameters[i].name, to);
        }
    }
    builder_add_byte(to, ')');
}

/* The name behind the last dot or slash, which a constructor has. */
static struct text simple_name(struct text name)
{
    size_t start = name.length;
    while (start > 0 && name.bytes[start - 1] != '.' && name.bytes[start - 1] != '/')
        start--;
    return text_slice(name, start, name.length);
}

/* A method without a type that would be taken for a constructor has the type `_`. */
static bool looks_like_constructor(const struct syntax_class *class, struct text name)
{
    const struct text simple = simple_name(class->name);
    const ptrdiff_t dollar = text_find_last(simple, '$');
    return text_equal(name, simple) ||
           text_equal(name, text_slice(simple, (size_t)(dollar + 1), simple.length));
}

static void print_method_head(const struct syntax_class *class, const struct syntax_method *method,
                              bool described, struct builder *to)
{
    bool typed = true;
    if (text_is(method->name, "<init>") && simple_name(class->name).length) {
        print_member_name(simple_name(class->name), to);
        return;
    }
    if (text_is(method->name, "<init>") || text_is(method->name, "<clinit>")) {
        builder_add(to, method->name);
        return;
    }
    if (described && !method->result.name.length)
        print_descriptor(descriptor_return(method->descriptor), &method->result.owners, to);
    else if (is_given(&method->result) || looks_like_constructor(class, method->name))
        print_type(&method->result, true, to);
    else
        typed = false;
    builder_add_string(to, typed ? " " : "");
    print_member_name(method->name, to);
}

static void print_method(const struct syntax_class *class, const struct syntax_method *method,
                         struct builder *to)
{
    const bool described = descriptor_is_method(method->descriptor);
    builder_add_string(to, "    ");
    print_method_head(class, method, described, to);
    print_parameters(method, described, to);
    print_requires(method, to);
    print_effects(method, to);
    print_atomicity_clause(method->atomicity, to);
    print_no_warn(&method->no_warn, to);
    builder_add_string(to, ";\n");
}

/* ---- classes ---- */

static void print_formals(const struct syntax_class *class, struct builder *to)
{
    for (uint32_t i = 0; i < class->formal_count; i++) {
        const struct syntax_formal *formal = &class->formals[i];
        enum segment_kind special;
        builder_add_string(to, i ? ", " : "<");
        if (formal->type.length) {
            builder_add_string(to, "ghost ");
            print_path(formal->type, false, to);
            builder_add_byte(to, ' ');
        }
        print_if(formal->name,
                 is_first_word(formal->name) && !syntax_word_owner(formal->name, &special) &&
                     text_find(formal->name, '$') < 0,
                 to);
    }
    builder_add_string(to, class->formal_count ? ">" : "");
}

static void print_class(const struct syntax_class *class, struct builder *to)
{
    if (class->nature != NATURE_NONE)
        builder_add_format(to, "%s ", syntax_word_of_nature(class->nature));
    builder_add_string(to, "class ");
    print_path(class->name, false, to);
    print_formals(class, to);
    if (is_given(&class->superclass)) {
        builder_add_string(to, " extends ");
        print_type(&class->superclass, false, to);
    }
    print_guard(&class->guard, to);
    print_no_warn(&class->no_warn, to);
    if (!class->field_count && !class->method_count) {
        builder_add_string(to, ";\n");
        return;
    }
    builder_add_string(to, " {\n");
    for (uint32_t i = 0; i < class->field_count; i++)
        print_field(&class->fields[i], to);
    for (uint32_t i = 0; i < class->method_count; i++)
        print_method(class, &class->methods[i], to);
    builder_add_string(to, "}\n");
}

void syntax_print_file(const struct declarations *declarations, struct builder *to)
{
    if (declarations->inferred)
        builder_add_string(to, "inferred;\n");
    for (uint32_t i = 0; i < declarations->class_count; i++) {
        builder_add_string(to, i || declarations->inferred ? "\n" : "");
        print_class(&declarations->classes[i], to);
    }
}
