#include "program/dump_call_graph.h"

#include <string.h>

#include "bytecode/decode.h"
#include "classfile/modified_utf8.h"
#include "program/program_internal.h"

struct graph_input {
    const struct call_graph *graph;
    const struct entry_points *entries;
    const struct field_facts *facts;
    const struct reachability *reachability;
};

struct printer {
    struct builder *builder;
    const struct graph_input *input;
    const struct dump_call_graph_options *options;
    const struct program *program;
    FILE *stream;
    struct problem *problem; /* when set, nothing more can be written */
};

static bool write_text(struct builder *builder, FILE *stream, struct problem *problem)
{
    struct text text = builder_text(builder);
    if (builder->failed)
        program_no_memory(problem);
    else if (fwrite(text.bytes, 1, text.length, stream) != text.length)
        problem_set(problem, PROBLEM_NO_OFFSET, "the output could not be written");
    builder_clear(builder);
    return !problem->set;
}

/* The text of a class may be too much to keep: each of its calls may have names as long as a class
   file allows. */
static void write_some(const struct printer *printer)
{
    enum { ENOUGH = 1 << 16 };
    if (printer->builder->failed || printer->builder->length >= ENOUGH)
        write_text(printer->builder, printer->stream, printer->problem);
}

static void add_name(const struct printer *printer, struct text name)
{
    write_some(printer);
    modified_utf8_add_escaped(printer->builder, name);
}

static void add_method(const struct printer *printer, uint32_t method)
{
    add_name(printer, program_class_of_method(printer->program, method)->name);
    builder_add_byte(printer->builder, '.');
    add_name(printer, program_method_name(printer->program, method));
    add_name(printer, program_method_descriptor(printer->program, method));
}

/* ---- calls ---- */

/* What the instruction names, as the class file has it: for calls that were not resolved. */
static void add_constant(const struct printer *printer, const struct class_file *class_file,
                         uint16_t index)
{
    uint8_t tag = class_file->constants[index].tag;
    if (tag == CONSTANT_CLASS) {
        add_name(printer, class_name_at(class_file, index));
        return;
    }
    if (tag == CONSTANT_METHOD_HANDLE) {
        builder_add_string(printer->builder, "method handle ");
        index = class_file->constants[index].first;
    }
    struct member_reference reference = class_member_reference(class_file, index);
    if (reference.owner.length) {
        add_name(printer, reference.owner);
        builder_add_byte(printer->builder, '.');
    }
    add_name(printer, reference.name);
    if (reference.descriptor.length && reference.descriptor.bytes[0] != '(')
        builder_add_byte(printer->builder, ' ');
    add_name(printer, reference.descriptor);
}

static void add_targets(const struct printer *printer, const struct call_site *site)
{
    uint32_t one;
    struct program_ids targets = call_graph_targets(printer->input->graph, site->targets, &one);
    bool platform = call_graph_may_run_platform(site);
    if (!platform && targets.count == 1 && targets.items[0] == site->method)
        return;
    /* The application's methods come first in a set. Which of the platform's are in it is chance.
     */
    uint32_t count = targets.count;
    while (platform && count &&
           !program_is_application_method(printer->program, targets.items[count - 1]))
        count--;
    builder_add_string(printer->builder, " ->");
    if (count == 0 && !platform)
        builder_add_string(printer->builder, " (none known)");
    uint32_t shown = count;
    if (printer->options->most_targets && shown > printer->options->most_targets)
        shown = printer->options->most_targets;
    for (uint32_t i = 0; i < shown; i++) {
        builder_add_string(printer->builder, i ? ", " : " ");
        add_method(printer, targets.items[i]);
    }
    if (shown < count)
        builder_add_format(printer->builder, ", and %u more", count - shown);
    if (platform)
        builder_add_string(printer->builder, count ? ", (platform)" : " (platform)");
}

/* "lambda java/lang/Runnable.run()V": what the function object stands for. */
static void add_lambda(const struct printer *printer, const struct call_site *site)
{
    const struct call_lambda *lambda = call_graph_lambda(printer->input->graph, site);
    if (!lambda || lambda->interface == PROGRAM_NONE) {
        builder_add_string(printer->builder, "method handle");
        return;
    }
    add_name(printer, printer->program->classes[lambda->interface].name);
    if (lambda->selectors.count) {
        builder_add_byte(printer->builder, '.');
        add_name(printer, program_selector_name(printer->program, lambda->selectors.items[0]));
        add_name(printer,
                 program_selector_descriptor(printer->program, lambda->selectors.items[0]));
    }
}

/* The code of a method, with its lines. */
struct method_code {
    struct bytecode bytecode;
    uint32_t *lines; /* by byte offset: the source line plus one, or 0 */
};

/* The last entry of the tables that starts at an offset holds, up to where another starts. Every
   call asks, so that to search the tables each time would take long. */
static bool find_lines(struct method_code *method, struct arena *arena)
{
    const struct code *code = method->bytecode.code;
    uint32_t *lines = arena_allocate_zeroed(arena, code->length * sizeof *lines, alignof(uint32_t));
    if (!lines)
        return false;
    for (uint16_t i = 0; i < code->attributes.count; i++) {
        const struct attribute *attribute = &code->attributes.items[i];
        if (attribute->kind != ATTRIBUTE_LINE_NUMBER_TABLE)
            continue;
        for (uint16_t j = 0; j < attribute->as.line_numbers->count; j++) {
            const struct line_number *entry = &attribute->as.line_numbers->items[j];
            if (entry->start < code->length)
                lines[entry->start] = entry->line + 1u;
        }
    }
    for (uint32_t i = 1; i < code->length; i++)
        if (!lines[i])
            lines[i] = lines[i - 1];
    method->lines = lines;
    return true;
}

static void add_place(const struct printer *printer, const struct method_code *method,
                      uint32_t instruction)
{
    uint32_t offset = bytecode_offset(&method->bytecode, instruction);
    builder_add_format(printer->builder, "    %u", offset);
    if (method->lines[offset] > 1)
        builder_add_format(printer->builder, " (line %u)", method->lines[offset] - 1);
    builder_add_string(printer->builder, ": ");
}

static void add_site(const struct printer *printer, const struct method_code *method,
                     const struct call_site *site)
{
    struct builder *builder = printer->builder;
    add_place(printer, method, site->instruction);
    builder_add_format(builder, "%s ", call_kind_name(site->kind));
    if (site->kind == CALL_LAMBDA) {
        add_lambda(printer, site);
        if (call_graph_may_run_platform(site)) {
            builder_add_string(builder, " by ");
            add_method(printer, site->method);
            add_targets(printer, site);
        } else if (site->method != PROGRAM_NONE && site->targets != CALL_NO_TARGETS &&
                   site->targets & CALL_ONE_TARGET) {
            builder_add_string(builder, " -> ");
            add_method(printer, site->method);
        } else {
            add_targets(printer, site);
        }
    } else if (site->method != PROGRAM_NONE) {
        add_method(printer, site->method);
        add_targets(printer, site);
    } else {
        add_constant(printer, method->bytecode.class_file, site->constant);
        if (site->kind == CALL_INITIALIZER)
            add_targets(printer, site);
    }
    if (site->unknown != CALL_KNOWN)
        builder_add_format(builder, " ? %s", call_unknown_name(site->unknown));
    builder_add_byte(builder, '\n');
}

static void add_sites(const struct printer *printer, const struct class_file *class_file,
                      uint32_t method)
{
    struct call_sites sites = call_graph_sites(printer->input->graph, method);
    if (!sites.count)
        return;
    struct arena arena;
    struct method_code code;
    struct problem problem;
    arena_init(&arena);
    problem_clear(&problem);
    if (bytecode_decode(&code.bytecode, &arena, class_file,
                        program_method_member(printer->program, method), &problem) &&
        find_lines(&code, &arena))
        for (uint32_t i = 0; i < sites.count && !printer->problem->set; i++)
            add_site(printer, &code, &sites.items[i]);
    else
        printer->builder->failed |= arena.failed;
    arena_release(&arena);
}

/* ---- members ---- */

static void add_entries(const struct printer *printer, uint32_t method)
{
    uint32_t count;
    const struct entry_point *entries = entry_points_of(printer->input->entries, method, &count);
    for (uint32_t i = 0; i < count; i++) {
        const char *kind = entry_kind_name(entries[i].kind);
        builder_add_format(printer->builder, " [entry: %s", kind);
        if (strcmp(entries[i].why, kind) != 0)
            builder_add_format(printer->builder, ", %s", entries[i].why);
        builder_add_byte(printer->builder, ']');
    }
}

static void add_reached(const struct printer *printer, uint32_t method)
{
    uint16_t from = printer->input->reachability->from[method];
    if (!from) {
        builder_add_string(printer->builder, " [not reached]");
        return;
    }
    const char *separator = " [reached from ";
    for (unsigned kind = 0; kind < ENTRY_KIND_COUNT; kind++)
        if (from & REACHABILITY_KIND(kind)) {
            builder_add_format(printer->builder, "%s%s", separator, entry_kind_name(kind));
            separator = ", ";
        }
    builder_add_byte(printer->builder, ']');
}

static void add_header(const struct printer *printer, const struct program_class *class)
{
    struct builder *builder = printer->builder;
    builder_add_string(builder, class->access & ACCESS_INTERFACE ? "interface " : "class ");
    add_name(printer, class->name);
    if (class->superclass != PROGRAM_NONE && !(class->access & ACCESS_INTERFACE)) {
        builder_add_string(builder, " extends ");
        add_name(printer, printer->program->classes[class->superclass].name);
    }
    for (uint32_t i = 0; i < class->interfaces.count; i++) {
        const char *word = class->access & ACCESS_INTERFACE ? " extends " : " implements ";
        builder_add_string(builder, i ? ", " : word);
        add_name(printer, printer->program->classes[class->interfaces.items[i]].name);
    }
    if (class->circular)
        builder_add_string(builder, " [circular]");
    else if (class->incomplete)
        builder_add_string(builder, " [supertypes missing]");
    builder_add_byte(builder, '\n');
}

static void add_class(const struct printer *printer, uint32_t class_id)
{
    struct builder *builder = printer->builder;
    const struct program *program = printer->program;
    const struct program_class *class = &program->classes[class_id];
    add_header(printer, class);
    for (uint32_t i = 0; i < class->field_count; i++) {
        uint32_t field = class->first_field + i;
        builder_add_string(builder, program->fields[field].access & ACCESS_STATIC
                                        ? "  static field "
                                        : "  field ");
        add_name(printer, program_field_name(program, field));
        builder_add_byte(builder, ' ');
        add_name(printer, program_field_descriptor(program, field));
        builder_add_format(builder, " %s\n",
                           field_fact_name(field_fact_of(printer->input->facts, field)));
    }
    for (uint32_t i = 0; i < class->method_count; i++) {
        uint32_t method = class->first_method + i;
        builder_add_string(builder, "  method ");
        add_name(printer, program_method_name(program, method));
        add_name(printer, program_method_descriptor(program, method));
        add_entries(printer, method);
        add_reached(printer, method);
        builder_add_byte(builder, '\n');
        add_sites(printer, class->class_file, method);
    }
}

/* ---- the whole ---- */

static void add_summary(struct builder *builder, const struct graph_input *input)
{
    const struct program *program = input->graph->program;
    uint64_t unknown = 0, edges = 0;
    for (uint32_t i = 0; i < input->graph->site_count; i++) {
        uint32_t one;
        unknown += input->graph->sites[i].unknown != CALL_KNOWN;
        edges += call_graph_targets(input->graph, input->graph->sites[i].targets, &one).count;
    }
    builder_add_format(
        builder,
        "%u classes, %u methods, %u call sites, %llu edges, %llu unknown calls, "
        "%u entry points, %u methods reached, %u final and %u effectively final "
        "fields of %u\n",
        program->application_count, program->application_method_count, input->graph->site_count,
        (unsigned long long)edges, (unsigned long long)unknown, input->entries->count,
        input->reachability->reached_count, input->facts->counts[FIELD_FINAL],
        input->facts->counts[FIELD_EFFECTIVELY_FINAL], program->application_field_count);
}

static bool print_all(const struct graph_input *input,
                      const struct dump_call_graph_options *options, FILE *stream,
                      struct problem *problem)
{
    struct builder builder;
    builder_init(&builder);
    bool ok = true;
    const struct program *program = input->graph->program;
    const struct printer printer = {&builder, input, options, program, stream, problem};
    for (uint32_t i = 0; ok && i < program->application_count; i++) {
        if (options->is_wanted && !options->is_wanted(program->classes[i].name))
            continue;
        add_class(&printer, i);
        ok = write_text(&builder, stream, problem);
    }
    if (ok) {
        add_summary(&builder, input);
        ok = write_text(&builder, stream, problem);
    }
    builder_release(&builder);
    return ok;
}

bool program_dump_call_graph(const struct program *program,
                             const struct dump_call_graph_options *options, FILE *stream,
                             struct diagnostics *diagnostics, struct problem *problem)
{
    struct call_graph graph = {0};
    struct entry_points entries = {0};
    struct field_facts facts = {0};
    struct reachability reachability = {0};
    struct call_graph_options graph_options = {0};
    struct field_facts_options fact_options = {0};
    struct graph_input input = {&graph, &entries, &facts, &reachability};
    bool ok =
        call_graph_build(&graph, program, &graph_options, diagnostics, problem) &&
        entry_points_find(&entries, &graph, problem) &&
        field_facts_build(&facts, &graph, &fact_options, problem) &&
        reachability_compute(&reachability, &graph, &entries, REACHABILITY_DEFAULT, problem) &&
        print_all(&input, options, stream, problem);
    reachability_release(&reachability);
    field_facts_release(&facts);
    entry_points_release(&entries);
    call_graph_release(&graph);
    return ok;
}
