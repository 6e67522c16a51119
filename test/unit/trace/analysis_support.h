/*
 * analysis_support: traces given as text or as events, and what is found in them in short lines.
 * Include it behind <cmocka.h>.
 *
 * A finding is a line: rule, grade, what it is about, and for each stack its role and line (of an
 * STD location that is a number), such as "race observed x: read 20, write 10". Where threads were
 * started is left out.
 */
#ifndef TURNSTILE_TEST_ANALYSIS_SUPPORT_H
#define TURNSTILE_TEST_ANALYSIS_SUPPORT_H

#include <fcntl.h>

#include "base/builder.h"
#include "base/vector.h"
#include "support.h"
#include "trace/analysis.h"

/* Events from anywhere. */
struct support_origin {
    const char *path; /* of a file, or NULL */
    const struct trace_event *events;
    const struct trace_names *names;
    size_t count;
    size_t given;
    unsigned opened;
};

static inline size_t support_origin_give(void *context, struct trace_event *events, size_t capacity)
{
    struct support_origin *origin = context;
    size_t count = 0;
    while (count < capacity && origin->given < origin->count)
        events[count++] = origin->events[origin->given++];
    return count;
}

static inline bool support_origin_open(void *context, struct trace_source *source)
{
    struct support_origin *origin = context;
    origin->opened++;
    origin->given = 0;
    if (origin->path)
        return trace_open(source, origin->path);
    return trace_generate(source, origin->names, support_origin_give, origin);
}

/* The analysis of a trace. */
struct support_analysis {
    struct analysis_options options;
    struct analysis_result result;
    struct finding_list findings;
    struct builder outline;
    bool done;
};

static inline void support_outline(struct builder *to, const struct finding *finding)
{
    struct text name;
    builder_add_format(to, "%s %s %.*s:", finding_rule_info(finding->rule)->id,
                       finding_grade_name(finding->grade), TEXT_ARGUMENTS(finding->member));
    const char *before = " ";
    for (size_t i = 0; i < finding->stack_count; i++) {
        const struct finding_stack *stack = &finding->stacks[i];
        if (finding_started_thread(stack->role, &name))
            continue;
        builder_add_format(to, "%s%.*s %u", before, TEXT_ARGUMENTS(stack->role),
                           stack->frame_count ? stack->frames[0].line : 0);
        before = ", ";
    }
    builder_add_byte(to, '\n');
}

static inline void support_analyze(struct support_analysis *analysis, struct support_origin *origin)
{
    finding_list_init(&analysis->findings);
    builder_init(&analysis->outline);
    analysis->done = analysis_run(&analysis->options, support_origin_open, origin,
                                  &analysis->findings, &analysis->result);
    finding_list_sort(&analysis->findings);
    for (size_t i = 0; i < analysis->findings.items.count; i++)
        support_outline(&analysis->outline, analysis->findings.items.items[i]);
}

/* What does not depend on which of several accesses that are alike is shown as an example: of
   races the variables, of blocks all but who comes between. The block engine shows one example for
   each kind of pattern: which of the block's own accesses those are depends on whom it meets first,
   so with that engine only the blocks count (`blocks_only`). Sorted; each once. */
static inline void support_outline_alike(struct builder *to,
                                         const struct support_analysis *analysis, bool blocks_only)
{
    VECTOR(char *) lines = {0};
    builder_init(to);
    for (size_t i = 0; i < analysis->findings.items.count; i++) {
        const struct finding *finding = analysis->findings.items.items[i];
        struct builder line;
        builder_init(&line);
        support_outline(&line, finding);
        char *copy = strdup(builder_string(&line));
        char *end = strstr(copy, finding->rule == FINDING_RACE ? ":"
                                 : blocks_only                 ? ", commits"
                                                               : ", meanwhile");
        if (end)
            *end = 0;
        size_t at = 0;
        while (at < lines.count && strcmp(lines.items[at], copy) < 0)
            at++;
        assert_true(vector_push(&lines, copy));
        memmove(&lines.items[at + 1], &lines.items[at], (lines.count - at - 1) * sizeof(char *));
        lines.items[at] = copy;
        builder_release(&line);
    }
    for (size_t i = 0; i < lines.count; i++) {
        if (i == 0 || strcmp(lines.items[i - 1], lines.items[i]) != 0)
            builder_add_format(to, "%s\n", lines.items[i]);
        if (i > 0)
            free(lines.items[i - 1]);
    }
    if (lines.count)
        free(lines.items[lines.count - 1]);
    vector_release(&lines);
}

static inline void support_analysis_release(struct support_analysis *analysis)
{
    builder_release(&analysis->outline);
    finding_list_release(&analysis->findings);
    analysis_result_release(&analysis->result);
}

static inline void support_write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

/* The options of an analysis with nothing but what is asked for. */
static inline struct analysis_options support_only(bool races, bool reduction, bool blocks)
{
    struct analysis_options options;
    analysis_options_default(&options);
    options.races = races;
    options.reduction = reduction;
    options.blocks = blocks;
    options.observed = reduction || blocks;
    options.lock_order = false;
    return options;
}

/* Analyzes an STD text, and expects the lines. */
#define expect_std(text, options, lines)                                                           \
    support_expect_std((text), (options), (lines), __FILE__, __LINE__)

static inline void support_expect_std(const char *text, struct analysis_options options,
                                      const char *lines, const char *file, int line)
{
    struct support_folder folder;
    support_folder_make(&folder);
    const char *path = support_path(&folder, "trace.std");
    support_write_text(path, text);
    struct support_origin origin = {.path = path};
    struct support_analysis analysis = {.options = options};
    support_analyze(&analysis, &origin);
    assert_true(analysis.done);
    if (strcmp(builder_string(&analysis.outline), lines) != 0 || analysis.result.damage.length ||
        analysis.result.impossible.set) {
        print_error("expected:\n%sgot:\n%s%s%s\n", lines, builder_string(&analysis.outline),
                    builder_string(&analysis.result.damage), analysis.result.impossible.reason);
        _fail(file, line);
    }
    support_analysis_release(&analysis);
    unlink(path);
    rmdir(folder.path);
}

#endif
