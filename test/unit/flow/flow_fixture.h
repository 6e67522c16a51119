/*
 * flow_fixture: the methods of Samples.java, compiled and executed. Include it behind <cmocka.h>.
 */
#ifndef TURNSTILE_TEST_FLOW_FIXTURE_H
#define TURNSTILE_TEST_FLOW_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>

#include "base/builder.h"
#include "base/diagnostics.h"
#include "flow/method_flow.h"
#include "flow/summaries.h"
#include "locktypes/syntax_parser.h"
#include "support.h"

struct flow_fixture {
    struct support_folder folder;
    struct diagnostics diagnostics;
    struct problem problem;
    struct program program;
    struct call_graph graph;
    struct field_facts facts;
    struct lock_types types;
    struct declarations platform_locks;
    struct syntax_errors errors;
    struct arena arena; /* of declarations */
    struct flow_summaries summaries;
    struct flow_context context;
    struct arena result; /* of one execution */
    struct method_flow flow;
    bool has_flow;
    struct builder text;
};

/* The folder with the sources of the tests. */
static inline struct text fixture_sources(void)
{
    struct text file = text_from(__FILE__);
    return text_slice(file, 0, (size_t)text_find_last(file, '/'));
}

static inline void fixture_compile(struct flow_fixture *fixture)
{
    char command[4096];
    const char *jdk = getenv("TURNSTILE_JDK");
    struct text home = jdk && jdk[0] ? text_from(jdk) : fixture->program.platform_home;
    support_folder_make(&fixture->folder);
    snprintf(command, sizeof command, "'%.*s/bin/javac' -nowarn -g -d '%s' '%.*s/Samples.java'",
             TEXT_ARGUMENTS(home), fixture->folder.path, TEXT_ARGUMENTS(fixture_sources()));
    assert_int_equal(system(command), 0);
}

static inline void fixture_read_locks(struct flow_fixture *fixture)
{
    char path[2048];
    struct text bytes;
    snprintf(path, sizeof path, "%.*s/../../../share/jdk.locks", TEXT_ARGUMENTS(fixture_sources()));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    struct builder builder;
    builder_init(&builder);
    char part[4096];
    for (size_t size; (size = fread(part, 1, sizeof part, file)) > 0;)
        builder_add(&builder, text_of(part, size));
    fclose(file);
    bytes = builder_text(&builder);
    assert_true(syntax_parse_file(&fixture->platform_locks, &fixture->arena, TEXT("jdk.locks"),
                                  bytes, SOURCE_PLATFORM, &fixture->errors));
    builder_release(&builder);
    assert_true(lock_types_add(&fixture->types, &fixture->platform_locks));
    assert_true(lock_types_bind(&fixture->types, DEFAULTS_BELIEF, &fixture->problem));
}

static inline void fixture_open(struct flow_fixture *fixture)
{
    const char *jdk = getenv("TURNSTILE_JDK");
    struct program_options options = {.workers = 1, .platform = jdk && jdk[0] ? jdk : NULL};
    struct call_graph_options graph_options = {.workers = 1};
    struct field_facts_options fact_options = {.open_world = false};
    memset(fixture, 0, sizeof *fixture);
    arena_init(&fixture->arena);
    arena_init(&fixture->result);
    builder_init(&fixture->text);
    fixture->errors.arena = &fixture->arena;
    diagnostics_init(&fixture->diagnostics, stderr, DIAGNOSTICS_COLOR_NEVER);
    assert_true(
        program_init(&fixture->program, &options, &fixture->diagnostics, &fixture->problem));
    fixture_compile(fixture);
    assert_true(program_add_path(&fixture->program, fixture->folder.path, &fixture->diagnostics,
                                 &fixture->problem));
    assert_true(program_link(&fixture->program, &fixture->diagnostics, &fixture->problem));
    assert_true(call_graph_build(&fixture->graph, &fixture->program, &graph_options,
                                 &fixture->diagnostics, &fixture->problem));
    assert_true(
        field_facts_build(&fixture->facts, &fixture->graph, &fact_options, &fixture->problem));
    assert_true(
        lock_types_init(&fixture->types, &fixture->program, &fixture->facts, &fixture->problem));
    fixture_read_locks(fixture);
    assert_true(flow_summaries_build(&fixture->summaries, &fixture->types, &fixture->graph,
                                     &fixture->problem));
    fixture->context = (struct flow_context){
        .program = &fixture->program, .types = &fixture->types, .summaries = &fixture->summaries};
}

static inline void fixture_drop_flow(struct flow_fixture *fixture)
{
    if (fixture->has_flow)
        method_flow_release(&fixture->flow);
    fixture->has_flow = false;
    arena_clear(&fixture->result);
}

static inline void fixture_close(struct flow_fixture *fixture)
{
    fixture_drop_flow(fixture);
    flow_summaries_release(&fixture->summaries);
    lock_types_release(&fixture->types);
    field_facts_release(&fixture->facts);
    call_graph_release(&fixture->graph);
    program_release(&fixture->program);
    diagnostics_release(&fixture->diagnostics);
    vector_release(&fixture->errors.items);
    arena_release(&fixture->arena);
    arena_release(&fixture->result);
    builder_release(&fixture->text);
    support_folder_remove(&fixture->folder);
}

/* The method of that name, which has to be the only one, or of that name and descriptor. */
static inline uint32_t fixture_method(const struct flow_fixture *fixture, const char *class_name,
                                      const char *name)
{
    uint32_t class_id = program_find_class(&fixture->program, text_from(class_name));
    assert_int_not_equal(class_id, PROGRAM_NONE);
    const struct program_class *class = &fixture->program.classes[class_id];
    for (uint32_t i = 0; i < class->method_count; i++)
        if (text_is(program_method_name(&fixture->program, class->first_method + i), name))
            return class->first_method + i;
    fail_msg("%s has no method %s", class_name, name);
    return PROGRAM_NONE;
}

static inline uint32_t fixture_field(const struct flow_fixture *fixture, const char *class_name,
                                     const char *name)
{
    uint32_t class_id = program_find_class(&fixture->program, text_from(class_name));
    assert_int_not_equal(class_id, PROGRAM_NONE);
    const struct program_class *class = &fixture->program.classes[class_id];
    for (uint32_t i = 0; i < class->field_count; i++)
        if (text_is(program_field_name(&fixture->program, class->first_field + i), name))
            return class->first_field + i;
    fail_msg("%s has no field %s", class_name, name);
    return PROGRAM_NONE;
}

static inline void fixture_run(struct flow_fixture *fixture, const char *class_name,
                               const char *name)
{
    fixture_drop_flow(fixture);
    if (!method_flow_run(&fixture->flow, &fixture->result, &fixture->context,
                         fixture_method(fixture, class_name, name), &fixture->problem))
        fail_msg("%s: %s", name, fixture->problem.reason);
    fixture->has_flow = true;
}

/* ---- in words ---- */

static inline uint32_t fixture_line(void *context, uint32_t instruction)
{
    (void)context;
    (void)instruction;
    return 0;
}

static inline term fixture_origin(void *context, term value)
{
    const struct flow_fixture *fixture = context;
    return value < fixture->flow.origin_count ? fixture->flow.origins[value] : TERM_NONE;
}

static inline void fixture_print(struct flow_fixture *fixture, term number, struct builder *to)
{
    struct text names[16];
    uint32_t count = fixture->flow.parameter_count < 16 ? fixture->flow.parameter_count : 16;
    lock_types_parameter_names(&fixture->program, fixture->flow.method, names, count);
    struct term_printer printer = {.program = &fixture->program,
                                   .table = &fixture->flow.terms,
                                   .parameter_names = names,
                                   .parameter_count = count,
                                   .is_static = fixture->flow.is_static,
                                   .line_of = fixture_line,
                                   .origin_of = fixture_origin,
                                   .context = fixture};
    term_print(&printer, number, to);
}

static inline int fixture_compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* "this, this.rw for reading, not this.lock": in the order of the letters. */
static inline void fixture_print_locks(struct flow_fixture *fixture, const struct lock_set *set)
{
    char *words[16];
    assert_true(set->count <= 16);
    for (uint32_t i = 0; i < set->count; i++) {
        const struct held_lock *held = &set->items[i];
        struct builder one;
        builder_init(&one);
        if (held->mode == LOCK_GIVEN_UP)
            builder_add_string(&one, "not ");
        fixture_print(fixture, held->lock, &one);
        if (held->mode == LOCK_SHARED)
            builder_add_string(&one, " for reading");
        if (held->depth > 1)
            builder_add_format(&one, " %u times", held->depth);
        if (held->known)
            builder_add_string(&one, " as said");
        words[i] = malloc(builder_text(&one).length + 1);
        assert_non_null(words[i]);
        memcpy(words[i], builder_text(&one).bytes, builder_text(&one).length);
        words[i][builder_text(&one).length] = 0;
        builder_release(&one);
    }
    qsort(words, set->count, sizeof *words, fixture_compare);
    for (uint32_t i = 0; i < set->count; i++) {
        builder_add_format(&fixture->text, "%s%s", i ? ", " : "", words[i]);
        free(words[i]);
    }
}

static inline struct text fixture_event_field(const struct flow_fixture *fixture,
                                              const struct flow_event *event)
{
    if (event->kind != EVENT_WRITE || event->id == PROGRAM_NONE)
        return TEXT("");
    return program_field_name(&fixture->program, event->id);
}

/* The event that writes the field of that name; `skip` such events come before it. */
static inline const struct flow_event *fixture_write(const struct flow_fixture *fixture,
                                                     const char *field, unsigned skip)
{
    for (uint32_t i = 0; i < fixture->flow.event_count; i++)
        if (text_is(fixture_event_field(fixture, &fixture->flow.events[i]), field) && skip-- == 0)
            return &fixture->flow.events[i];
    fail_msg("no write of %s", field);
    return NULL;
}

/* Which locks are held where the executed method writes the field; "|" between several writes. */
static inline void fixture_expect(struct flow_fixture *fixture, const char *field,
                                  const char *expected, int line)
{
    bool any = false;
    builder_clear(&fixture->text);
    for (uint32_t i = 0; i < fixture->flow.event_count; i++) {
        const struct flow_event *event = &fixture->flow.events[i];
        if (!text_is(fixture_event_field(fixture, event), field))
            continue;
        if (any)
            builder_add_string(&fixture->text, " | ");
        any = true;
        fixture_print_locks(fixture, &fixture->flow.lock_sets[event->locks]);
    }
    if (!any)
        fail_msg("line %d: no write of %s", line, field);
    if (!text_is(builder_text(&fixture->text), expected))
        fail_msg("line %d: at %s: expected \"%s\", got \"%.*s\"", line, field, expected,
                 TEXT_ARGUMENTS(builder_text(&fixture->text)));
}

#endif
