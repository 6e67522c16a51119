#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "bytecode/decode.h"
#include "classfile/names.h"
#include "locktypes/lock_types_internal.h"

/* ---- lines of each file ---- */

static int compare_lines(const void *left, const void *right)
{
    const struct syntax_line *a = *(const struct syntax_line *const *)left;
    const struct syntax_line *b = *(const struct syntax_line *const *)right;
    int order = (a->first > b->first) - (a->first < b->first);
    if (!order)
        order = (a->last > b->last) - (a->last < b->last);
    if (!order)
        order = (a->place.line > b->place.line) - (a->place.line < b->place.line);
    return order ? order
                 : (a->place.column > b->place.column) - (a->place.column < b->place.column);
}

static void check_no_warn(struct lock_types *types, const struct declarations *declarations,
                          const struct syntax_line *line)
{
    struct syntax_no_warn rules = {0};
    struct bind_source from = {.types = types,
                               .source = declarations->source,
                               .basis = declarations->inferred ? FINDING_BASIS_INFERRED
                                                               : FINDING_BASIS_DECLARED,
                               .class_id = PROGRAM_NONE,
                               .place = line->place};
    bind_no_warn(&from, &rules, &line->no_warn, &line->place);
}

/* Numbers the files and counts their lines; the number of files, or UINT32_MAX. */
static uint32_t number_files(struct lock_types *types, uint32_t *counts, uint32_t most)
{
    uint32_t files = 0;
    for (size_t i = 0; i < types->added.count; i++)
        for (uint32_t j = 0; j < types->added.items[i]->line_count; j++) {
            bool added;
            const uint32_t *number = textmap_find_or_add(
                &types->lines, types->added.items[i]->lines[j].file, files, &added);
            if (!number || *number >= most)
                return UINT32_MAX;
            files += added;
            counts[*number]++;
        }
    return files;
}

static bool index_lines(struct lock_types *types)
{
    uint32_t all = 0;
    for (size_t i = 0; i < types->added.count; i++)
        all += types->added.items[i]->line_count;
    if (!all)
        return true;
    uint32_t *counts =
        arena_allocate_zeroed(&types->arena, (size_t)all * sizeof *counts, alignof(uint32_t));
    if (!counts)
        return false;
    uint32_t files = number_files(types, counts, all);
    if (files == UINT32_MAX)
        return false;
    types->line_lists = ARENA_ARRAY(&types->arena, struct file_lines, files);
    const struct syntax_line **items = ARENA_ARRAY(&types->arena, const struct syntax_line *, all);
    if (!types->line_lists || !items)
        return false;
    uint32_t start = 0;
    for (uint32_t i = 0; i < files; i++) {
        types->line_lists[i] = (struct file_lines){items + start, 0};
        start += counts[i];
        counts[i] = start - counts[i]; /* from now on: where the next line of the file goes */
    }
    for (size_t i = 0; i < types->added.count; i++)
        for (uint32_t j = 0; j < types->added.items[i]->line_count; j++) {
            const struct syntax_line *line = &types->added.items[i]->lines[j];
            uint32_t number = 0;
            textmap_get(&types->lines, line->file, &number);
            items[counts[number]++] = line;
            types->line_lists[number].count++;
            if (line->kind == LINE_NO_WARN)
                check_no_warn(types, types->added.items[i], line);
        }
    for (uint32_t i = 0; i < files; i++) {
        uint32_t count = types->line_lists[i].count;
        qsort(items + (counts[i] - count), count, sizeof *items, compare_lines);
    }
    return true;
}

/* ---- owners of allocations ---- */

static void put_allocation(struct lock_types *types, uint32_t method, uint32_t offset,
                           struct term_list owners)
{
    uint64_t key = (uint64_t)method << 32 | offset;
    if (!owners.count || intmap_get(&types->allocations, key, NULL))
        return;
    struct term_list *list = ARENA_NEW(&types->arena, struct term_list);
    if (list)
        *list = owners;
    if (!list || !intmap_put(&types->allocations, key, (uintptr_t)list))
        types->failed = true;
}

static struct bind_source method_source(struct lock_types *types, enum syntax_source source,
                                        uint32_t method, const struct syntax_place *place)
{
    const struct program *program = types->program;
    return (struct bind_source){.types = types,
                                .source = source,
                                .basis = FINDING_BASIS_DECLARED,
                                .class_id = program->methods[method].class_id,
                                .member = program_method_name(program, method),
                                .signature = program_method_descriptor(program, method),
                                .place = *place};
}

static void bind_allocation(struct lock_types *types, enum syntax_source source, uint32_t method,
                            uint32_t offset, struct text made, bool is_array,
                            const struct syntax_locks *owners, const struct syntax_place *place)
{
    struct bind_source from = method_source(types, source, method, place);
    struct expression_context context = {.types = types,
                                         .to = &types->terms,
                                         .arena = &types->arena,
                                         .class_id = from.class_id,
                                         .method = method,
                                         .field = PROGRAM_NONE};
    uint64_t entry;
    if (intmap_get(&types->methods, method, &entry))
        context.method_entry = (struct method_entry *)(uintptr_t)entry;
    expression_context_parameters(&context, NULL);
    put_allocation(types, method, offset,
                   bind_class_owners(&from, &context, owners,
                                     program_find_class(types->program, made), is_array));
}

static uint32_t line_at(const struct code *code, uint32_t offset)
{
    uint32_t line = 0, best = 0;
    for (uint16_t i = 0; i < code->attributes.count; i++) {
        const struct attribute *attribute = &code->attributes.items[i];
        if (attribute->kind != ATTRIBUTE_LINE_NUMBER_TABLE)
            continue;
        const struct line_numbers *numbers = attribute->as.line_numbers;
        for (uint16_t j = 0; j < numbers->count; j++)
            if (numbers->items[j].start <= offset && numbers->items[j].start >= best) {
                best = numbers->items[j].start;
                line = numbers->items[j].line;
            }
    }
    return line;
}

/* One `new`, or the making of an array of objects. */
struct making {
    uint32_t offset;
    uint32_t line, call_line; /* of the instruction, and of the constructor's call */
    struct text made;
    bool is_array, called;
};

typedef VECTOR(struct making) makings;

/* The call belongs to the last `new` of that class whose constructor has not been called yet. */
static void note_constructor(makings *list, struct text owner, uint32_t line)
{
    for (size_t i = list->count; i > 0; i--) {
        struct making *making = &list->items[i - 1];
        if (!making->called && text_equal(making->made, owner)) {
            making->called = true;
            making->call_line = line;
            return;
        }
    }
}

static bool collect_makings(makings *list, const struct bytecode *bytecode)
{
    const struct class_file *class_file = bytecode->class_file;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const struct instruction *instruction = &bytecode->instructions[i];
        uint32_t line = 0;
        switch (instruction->opcode) {
        case OP_NEW:
        case OP_ANEWARRAY: {
            line = line_at(bytecode->code, instruction->offset);
            bool is_array = instruction->opcode == OP_ANEWARRAY;
            struct making making = {.offset = instruction->offset,
                                    .line = line,
                                    .call_line = line,
                                    .made = class_name_at(class_file, instruction->operand),
                                    .is_array = is_array,
                                    .called = is_array};
            if (!vector_push(list, making))
                return false;
            break;
        }
        case OP_INVOKESPECIAL: {
            struct member_reference called =
                class_member_reference(class_file, instruction->operand);
            if (text_equal(called.name, TEXT("<init>")))
                note_constructor(list, called.owner, line_at(bytecode->code, instruction->offset));
            break;
        }
        default:
            break;
        }
    }
    return true;
}

static bool is_made_there(const struct making *making, const struct syntax_line *line)
{
    return names_may_be(making->made, line->type.name) &&
           ((line->first <= making->line && making->line <= line->last) ||
            (line->first <= making->call_line && making->call_line <= line->last));
}

/* How many declarations before this one in the list speak of the same line and class. */
static uint32_t place_among_alike(const struct file_lines *lines, uint32_t number, uint32_t *all)
{
    const struct syntax_line *line = lines->items[number];
    uint32_t before = 0;
    *all = 0;
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct syntax_line *other = lines->items[i];
        if (other->kind != LINE_OWNERS || other->first != line->first ||
            !text_equal(other->type.name, line->type.name))
            continue;
        before += i < number;
        ++*all;
    }
    return before;
}

/* Several of one class in a line are told apart by their order, which is that of the code. The
   compiler may have copied the line (initializers, finally): then the order begins again. */
static void match_line(struct lock_types *types, uint32_t method, const makings *list,
                       const struct file_lines *lines, uint32_t number)
{
    const struct syntax_line *line = lines->items[number];
    uint32_t all, seen = 0;
    uint32_t wanted = place_among_alike(lines, number, &all);
    for (size_t i = 0; i < list->count; i++) {
        const struct making *making = &list->items[i];
        if (is_made_there(making, line) && seen++ % all == wanted)
            bind_allocation(types, SOURCE_COMMENT, method, making->offset, making->made,
                            making->is_array, &line->type.owners, &line->place);
    }
}

static void match_method(struct lock_types *types, uint32_t method, const struct file_lines *lines)
{
    const struct class_file *class_file =
        program_class_of_method(types->program, method)->class_file;
    const struct member *member = program_method_member(types->program, method);
    struct bytecode bytecode;
    struct problem problem;
    struct arena arena;
    makings list = VECTOR_EMPTY;
    problem_clear(&problem);
    if (!member || !member_code(member))
        return;
    arena_init(&arena);
    if (bytecode_decode(&bytecode, &arena, class_file, member, &problem)) {
        if (!collect_makings(&list, &bytecode))
            types->failed = true;
        for (uint32_t i = 0; list.count && i < lines->count; i++)
            if (lines->items[i]->kind == LINE_OWNERS)
                match_line(types, method, &list, lines, i);
    }
    vector_release(&list);
    arena_release(&arena);
}

static bool has_owners(const struct file_lines *lines)
{
    for (uint32_t i = 0; i < lines->count; i++)
        if (lines->items[i]->kind == LINE_OWNERS)
            return true;
    return false;
}

/* "p/q/Name.java" of the class; false if it does not say. */
static bool source_path(const struct program_class *class, struct builder *path)
{
    const struct attribute *source =
        class->class_file ? attributes_find(&class->class_file->attributes, ATTRIBUTE_SOURCE_FILE)
                          : NULL;
    builder_clear(path);
    if (!source)
        return false;
    if (class->package_length) {
        builder_add(path, text_slice(class->name, 0, class->package_length));
        builder_add_byte(path, '/');
    }
    builder_add(path, class_utf8(class->class_file, source->as.index));
    return !path->failed;
}

static void bind_line_owners(struct lock_types *types)
{
    struct builder path;
    builder_init(&path);
    for (uint32_t id = 0; id < types->program->application_count; id++) {
        const struct program_class *class = &types->program->classes[id];
        if (!source_path(class, &path))
            continue;
        const struct file_lines *lines = lock_types_lines(types, builder_text(&path));
        for (uint32_t i = 0; lines && has_owners(lines) && i < class->method_count; i++)
            match_method(types, class->first_method + i, lines);
    }
    types->failed |= path.failed;
    builder_release(&path);
}

/* The class that the instruction at the offset makes; empty if it makes none. */
static struct text made_at(struct lock_types *types, uint32_t method, uint32_t offset,
                           bool *is_array)
{
    const struct class_file *class_file =
        program_class_of_method(types->program, method)->class_file;
    const struct member *member = program_method_member(types->program, method);
    const struct code *code = member ? member_code(member) : NULL;
    if (!code || offset >= code->length || code->length - offset < 3)
        return TEXT("");
    uint16_t index = (uint16_t)(code->bytes[offset + 1] << 8 | code->bytes[offset + 2]);
    *is_array = code->bytes[offset] == OP_ANEWARRAY;
    if ((code->bytes[offset] != OP_NEW && !*is_array) || index >= class_file->constant_count ||
        class_file->constants[index].tag != CONSTANT_CLASS)
        return TEXT("");
    return class_name_at(class_file, index);
}

static void bind_annotated_allocation(struct lock_types *types,
                                      const struct declarations *declarations,
                                      const struct syntax_allocation *allocation)
{
    const struct program *program = types->program;
    uint32_t class_id = program_find_class(program, allocation->class_name);
    uint32_t selector =
        program_find_selector(program, allocation->method_name, allocation->descriptor);
    if (class_id == PROGRAM_NONE || selector == PROGRAM_NONE)
        return;
    uint32_t method = program_declared_method(program, class_id, selector);
    bool is_array = false;
    struct text made = TEXT("");
    if (method != PROGRAM_NONE)
        made = made_at(types, method, allocation->offset, &is_array);
    if (made.length)
        bind_allocation(types, declarations->source, method, allocation->offset, made, is_array,
                        &allocation->owners, &allocation->place);
}

void bind_lines(struct lock_types *types)
{
    if (!index_lines(types)) {
        types->failed = true;
        return;
    }
    if (types->lines.count)
        bind_line_owners(types);
    for (size_t i = 0; i < types->added.count; i++)
        for (uint32_t j = 0; j < types->added.items[i]->allocation_count; j++)
            bind_annotated_allocation(types, types->added.items[i],
                                      &types->added.items[i]->allocations[j]);
}
