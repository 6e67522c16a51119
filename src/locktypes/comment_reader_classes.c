#include "base/builder.h"
#include "locktypes/comment_reader_internal.h"

/*
 * The compiler numbers local and anonymous classes: Outer$1, Outer$1Local. Which number it chose is
 * seen by the lines of their code, which lie between the braces of the body.
 */
struct candidate {
    uint32_t class_id;
    uint32_t first_line, last_line; /* 0: it has no lines */
    bool used;
};

struct candidates {
    VECTOR(struct candidate) items;
};

static void add_lines(struct candidate *candidate, const struct member *method)
{
    const struct code *code = member_code(method);
    for (uint16_t i = 0; code && i < code->attributes.count; i++) {
        const struct attribute *attribute = &code->attributes.items[i];
        if (attribute->kind != ATTRIBUTE_LINE_NUMBER_TABLE)
            continue;
        for (uint16_t j = 0; j < attribute->as.line_numbers->count; j++) {
            uint32_t line = attribute->as.line_numbers->items[j].line;
            if (candidate->first_line == 0 || line < candidate->first_line)
                candidate->first_line = line;
            if (line > candidate->last_line)
                candidate->last_line = line;
        }
    }
}

/* The first application class whose name is not before this one. */
static uint32_t first_from(const struct program *program, struct text name)
{
    uint32_t low = 0, high = program->application_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (text_compare(program->classes[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The program's classes inside of that one. */
static void collect(struct comment_file *file, struct text outermost, struct candidates *candidates)
{
    const struct program *program = file->reader->program;
    for (uint32_t id = first_from(program, outermost); id < program->application_count; id++) {
        const struct program_class *class = &program->classes[id];
        if (!text_starts_with(class->name, outermost))
            break;
        if (!class->class_file || class->name.length == outermost.length ||
            class->name.bytes[outermost.length] != '$')
            continue;
        struct candidate candidate = {.class_id = id};
        for (uint16_t i = 0; i < class->class_file->method_count; i++)
            add_lines(&candidate, &class->class_file->methods[i]);
        if (!vector_push(&candidates->items, candidate)) {
            file->reader->failed = true;
            return;
        }
    }
}

/* The number in OUTER$12NAME; 0 if the class is not called so. */
static uint32_t number_in(struct text binary, struct text outer, struct text name)
{
    if (!text_starts_with(binary, outer) || binary.length <= outer.length + 1 ||
        binary.bytes[outer.length] != '$')
        return 0;
    struct text rest = text_slice(binary, outer.length + 1, binary.length);
    uint32_t number = 0;
    size_t digits = 0;
    while (digits < rest.length && digits < 9 && rest.bytes[digits] >= '0' &&
           rest.bytes[digits] <= '9')
        number = number * 10 + (uint32_t)(rest.bytes[digits++] - '0');
    return text_equal(text_slice(rest, digits, rest.length), name) ? number : 0;
}

static struct text simple_part(struct text name)
{
    size_t start = name.length;
    while (start > 0 && name.bytes[start - 1] != '.' && name.bytes[start - 1] != '/' &&
           name.bytes[start - 1] != '$')
        start--;
    /* Of a local class, without its number. */
    size_t digits = start;
    while (digits < name.length && name.bytes[digits] >= '0' && name.bytes[digits] <= '9')
        digits++;
    return text_slice(name, digits, name.length);
}

/* Whether the class extends or implements what is called so. */
static bool has_supertype(const struct program *program, const struct program_class *class,
                          struct text written)
{
    struct text simple = simple_part(written);
    if (class->superclass != PROGRAM_NONE &&
        text_equal(simple_part(program->classes[class->superclass].name), simple))
        return true;
    for (uint32_t i = 0; i < class->interfaces.count; i++)
        if (text_equal(simple_part(program->classes[class->interfaces.items[i]].name), simple))
            return true;
    return false;
}

static bool fits(const struct comment_file *file, const struct candidate *candidate,
                 const struct java_class *class)
{
    const struct java_token *tokens = file->source.tokens.tokens.items;
    const struct program *program = file->reader->program;
    if (candidate->used ||
        (candidate->first_line && (candidate->first_line < tokens[class->first].line ||
                                   candidate->last_line > tokens[class->close].line)))
        return false;
    return class->kind != JAVA_ANONYMOUS ||
           has_supertype(program, &program->classes[candidate->class_id], class->superclass.name);
}

static struct text match(struct comment_file *file, struct candidates *candidates,
                         const struct java_class *class)
{
    const struct program *program = file->reader->program;
    struct text outer = file->classes[class->outer].name;
    struct candidate *best = NULL;
    uint32_t best_number = 0;
    for (size_t i = 0; i < candidates->items.count; i++) {
        struct candidate *candidate = &candidates->items.items[i];
        uint32_t number = number_in(program->classes[candidate->class_id].name, outer, class->name);
        if (number && (!best || number < best_number) && fits(file, candidate, class)) {
            best = candidate;
            best_number = number;
        }
    }
    if (!best)
        return TEXT("");
    best->used = true;
    return program->classes[best->class_id].name;
}

/* A member of a local class; or, with a sign in the place of the number, a local class. */
static struct text member_name(struct comment_file *file, const struct java_class *class)
{
    struct text outer = file->classes[class->outer].name;
    struct builder builder;
    builder_init(&builder);
    builder_add(&builder, outer);
    builder_add_byte(&builder, '$');
    if (class->local)
        builder_add_byte(&builder, '#');
    builder_add(&builder, class->name);
    struct text name = text_copy(&file->source.arena, builder_text(&builder));
    if (builder.failed || file->source.arena.failed)
        file->reader->failed = true;
    builder_release(&builder);
    return name;
}

/* The local class for which nothing better is known than its lines comes after those before it, so
   that two on one line get their numbers in order. */
void comment_classes_name(struct comment_file *file)
{
    struct candidates candidates = {VECTOR_EMPTY};
    size_t count = file->source.classes.count;
    for (size_t i = 0; i < count && !file->reader->failed; i++) {
        const struct java_class *class = &file->source.classes.items[i];
        file->classes[i].name = class->binary_name;
        if (class->outer == JAVA_NONE && class->binary_name.length && file->reader->program)
            collect(file, class->binary_name, &candidates);
    }
    for (size_t i = 0; i < count && !file->reader->failed; i++) {
        const struct java_class *class = &file->source.classes.items[i];
        if (class->binary_name.length || class->outer == JAVA_NONE ||
            !file->classes[class->outer].name.length)
            continue;
        file->classes[i].class.numbered = !file->reader->program;
        file->classes[i].name = class->local && file->reader->program
                                    ? match(file, &candidates, class)
                                    : member_name(file, class);
    }
    vector_release(&candidates.items);
}
