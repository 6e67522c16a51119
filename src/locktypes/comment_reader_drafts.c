#include <stdarg.h>
#include <stdio.h>

#include "locktypes/comment_reader_internal.h"

bool comment_drafts_init(struct comment_file *file)
{
    struct arena *arena = &file->source.arena;
    file->classes = arena_allocate_zeroed(arena, file->source.classes.count * sizeof *file->classes,
                                          alignof(struct class_draft));
    file->fields = arena_allocate_zeroed(arena, file->source.fields.count * sizeof *file->fields,
                                         alignof(struct field_draft));
    file->methods = arena_allocate_zeroed(arena, file->source.methods.count * sizeof *file->methods,
                                          alignof(struct method_draft));
    if (!file->classes || !file->fields || !file->methods)
        file->reader->failed = true;
    return !file->reader->failed;
}

struct syntax_place comment_place(const struct comment_file *file, uint32_t offset)
{
    return (struct syntax_place){.file = file->path,
                                 .line = java_tokens_line(&file->source.tokens, offset),
                                 .column = java_tokens_column(&file->source.tokens, offset)};
}

void comment_error(struct comment_file *file, uint32_t offset, const char *format, ...)
{
    struct syntax_errors *errors = file->reader->errors;
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct syntax_error error = {.place = comment_place(file, offset)};
    error.message = text_copy(errors->arena, text_from(message));
    error.line =
        text_copy(errors->arena, java_tokens_line_text(&file->source.tokens, error.place.line));
    if (errors->arena->failed || !vector_push(&errors->items, error))
        file->reader->failed = true;
}

static struct text keep(struct comment_file *file, struct text text)
{
    struct text copy = text_copy(file->reader->arena, text);
    if (file->reader->arena->failed)
        file->reader->failed = true;
    return copy;
}

struct class_draft *comment_class(struct comment_file *file, uint32_t number, uint32_t offset)
{
    struct class_draft *draft = &file->classes[number];
    if (!draft->declared) {
        draft->declared = true;
        draft->class.place = comment_place(file, offset);
    }
    return draft;
}

struct field_draft *comment_field(struct comment_file *file, uint32_t number, uint32_t offset)
{
    struct field_draft *draft = &file->fields[number];
    if (!draft->declared) {
        draft->declared = true;
        draft->field.place = comment_place(file, offset);
        draft->field.name = keep(file, file->source.fields.items[number].name);
        comment_class(file, file->source.fields.items[number].class_number, offset);
    }
    return draft;
}

struct method_draft *comment_method(struct comment_file *file, uint32_t number, uint32_t offset)
{
    const struct java_method *method = &file->source.methods.items[number];
    struct method_draft *draft = &file->methods[number];
    if (draft->declared)
        return draft;
    draft->parameters =
        ARENA_ARRAY(file->reader->arena, struct syntax_parameter, method->parameter_count);
    if (!draft->parameters) {
        file->reader->failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < method->parameter_count; i++) {
        const struct java_parameter *parameter = &method->parameters[i];
        struct text type =
            java_source_erase(&file->source, method->class_number, number, parameter->type.name);
        draft->parameters[i] = (struct syntax_parameter){
            .name = keep(file, parameter->name),
            .type = {.name = keep(file, type),
                     .dimensions = parameter->type.dimensions,
                     .place = comment_place(
                         file, file->source.tokens.tokens.items[parameter->type.first].start)}};
    }
    draft->declared = true;
    draft->method.name = keep(file, method->name);
    draft->method.place = comment_place(file, offset);
    draft->method.parameters = draft->parameters;
    draft->method.parameter_count = method->parameter_count;
    const struct java_token *tokens = file->source.tokens.tokens.items;
    draft->method.first_line = tokens[method->first].line;
    draft->method.last_line =
        tokens[method->body_close == JAVA_NONE ? method->end : method->body_close].line;
    comment_class(file, method->class_number, offset);
    return draft;
}

void comment_line(struct comment_file *file, struct line_draft *draft, uint32_t offset)
{
    draft->line.file = file->key;
    draft->line.place = comment_place(file, offset);
    if (!vector_push(&file->lines, *draft))
        file->reader->failed = true;
}

struct syntax_type comment_type(struct comment_file *file, const struct java_type *type,
                                const struct syntax_locks *owners, uint32_t offset)
{
    return (struct syntax_type){.name = keep(file, type->name),
                                .owners = *owners,
                                .dimensions = type->dimensions,
                                .place = comment_place(file, offset)};
}

/* ---- the end ---- */

struct member_counts {
    uint32_t fields, methods;
};

/* Room for the members of each class, which are filled in by their order in the file. */
static struct member_counts *make_room(struct comment_file *file)
{
    size_t class_count = file->source.classes.count;
    struct member_counts *counts = arena_allocate_zeroed(
        &file->source.arena, class_count * sizeof *counts, alignof(struct member_counts));
    if (!counts)
        return NULL;
    for (size_t i = 0; i < file->source.fields.count; i++)
        if (file->fields[i].declared)
            counts[file->source.fields.items[i].class_number].fields++;
    for (size_t i = 0; i < file->source.methods.count; i++)
        if (file->methods[i].declared)
            counts[file->source.methods.items[i].class_number].methods++;
    struct arena *arena = file->reader->arena;
    for (size_t i = 0; i < class_count; i++) {
        struct syntax_class *class = &file->classes[i].class;
        if (!file->classes[i].declared)
            continue;
        class->fields = ARENA_ARRAY(arena, struct syntax_field, counts[i].fields);
        class->methods = ARENA_ARRAY(arena, struct syntax_method, counts[i].methods);
        if (!class->fields || !class->methods)
            return NULL;
    }
    return counts;
}

/* The arrays are ours until the class is handed over. */
static void fill_members(struct comment_file *file)
{
    for (size_t i = 0; i < file->source.fields.count; i++) {
        if (!file->fields[i].declared)
            continue;
        struct syntax_class *class =
            &file->classes[file->source.fields.items[i].class_number].class;
        struct syntax_field *fields = (struct syntax_field *)(uintptr_t) class->fields;
        fields[class->field_count++] = file->fields[i].field;
    }
    for (size_t i = 0; i < file->source.methods.count; i++) {
        if (!file->methods[i].declared)
            continue;
        struct syntax_class *class =
            &file->classes[file->source.methods.items[i].class_number].class;
        struct syntax_method *methods = (struct syntax_method *)(uintptr_t) class->methods;
        methods[class->method_count++] = file->methods[i].method;
    }
}

static void report_unknown(struct comment_file *file, const struct syntax_class *class)
{
    uint32_t line = class->place.line;
    uint32_t offset = file->source.tokens.lines.items[line - 1] + class->place.column - 1;
    comment_error(file, offset,
                  "no class of the program has its code here: is the source that of the classes?");
}

void comment_drafts_finish(struct comment_file *file)
{
    struct comment_reader *reader = file->reader;
    comment_classes_name(file);
    if (reader->failed)
        return;
    if (!make_room(file)) {
        reader->failed = true;
        return;
    }
    fill_members(file);
    for (size_t i = 0; i < file->source.classes.count && !reader->failed; i++) {
        struct class_draft *draft = &file->classes[i];
        if (!draft->declared)
            continue;
        if (!draft->name.length) {
            report_unknown(file, &draft->class);
            continue;
        }
        draft->class.name = keep(file, draft->name);
        draft->class.internal_name = true;
        if (!vector_push(&reader->classes, draft->class))
            reader->failed = true;
    }
}
