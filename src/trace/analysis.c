#include "trace/analysis.h"

#include "base/memory.h"
#include "trace/analysis_internal.h"

enum { PROGRESS_MASK = (1 << 20) - 1 }; /* events between two calls */

void analysis_options_default(struct analysis_options *options)
{
    *options = (struct analysis_options){
        .races = true,
        .mode = ENGINE_HYBRID,
        .reduction = true,
        .blocks = true,
        .observed = true,
        .refinements = MOVER_ALL_REFINEMENTS,
        .lock_order = true,
    };
}

void analysis_choose_atomicity(struct analysis_options *options, enum analysis_atomicity choice)
{
    options->reduction =
        choice == ANALYSIS_ATOMICITY_REDUCTION || choice == ANALYSIS_ATOMICITY_BOTH;
    options->blocks = choice == ANALYSIS_ATOMICITY_BLOCKS || choice == ANALYSIS_ATOMICITY_BOTH;
    options->observed = choice != ANALYSIS_ATOMICITY_OFF;
}

void analysis_result_release(struct analysis_result *result)
{
    builder_release(&result->damage);
}

/* ---- the engines ---- */

static struct engine *make_engine(struct analysis *analysis, bool races)
{
    struct engine_options options;
    engine_options_default(&options);
    if (races) {
        options.mode = analysis->options.mode;
        options.discipline = analysis->options.discipline;
        options.report = analysis_note_race;
        options.context = analysis;
    }
    return engine_new(&options);
}

static bool looks_at_blocks(const struct analysis_options *options)
{
    return options->reduction || options->blocks || options->observed;
}

/* Locksets alone have no clocks, so another engine keeps the order that the rest needs. So it does
   where locks hand something over: accesses are in that order, those who take locks are not. */
static bool make_order(struct analysis *analysis)
{
    const struct analysis_options *options = &analysis->options;
    const bool alone = !looks_at_blocks(options) && !options->lock_order;
    const bool handed = analysis->apart && looks_at_blocks(options);
    if ((options->races || handed) && !(analysis->racer = make_engine(analysis, options->races)))
        return false;
    if (options->races && (alone || (!analysis->apart && options->mode != ENGINE_LOCKSET)))
        analysis->order = analysis->racer;
    else
        analysis->order = make_engine(analysis, false);
    return analysis->order;
}

bool analysis_must_begin_again(const struct analysis *analysis)
{
    const struct analysis_options *options = &analysis->options;
    if (analysis->apart || (options->races && options->mode == ENGINE_LOCKSET))
        return false;
    return looks_at_blocks(options) || (options->races && options->lock_order);
}

static bool make_lock_order(struct analysis *analysis)
{
    struct lock_order_options options;
    if (!analysis->options.lock_order)
        return true;
    lock_order_options_default(&options);
    analysis->lock_order = lock_order_new(&options, engine_clocks(analysis->order));
    return analysis->lock_order;
}

/* Blocks and transactions leave out what only one thread uses, so they want to know as well. */
static bool make_movers(struct analysis *analysis)
{
    struct mover_options options;
    analysis->uses = looks_at_blocks(&analysis->options);
    if (!analysis->uses)
        return true;
    mover_options_default(&options);
    options.refinements = analysis->options.refinements;
    options.final = true;
    if (!mover_table_init(&analysis->movers, &options, engine_locksets(analysis->order)))
        return false;
    analysis->rules = analysis->movers.rules;
    return true;
}

static void init(struct analysis *analysis, const struct analysis_options *options,
                 struct analysis_result *result, bool apart)
{
    *analysis = (struct analysis){.options = *options, .result = result, .apart = apart};
    race_filter_init(&analysis->race_filter, ANALYSIS_REPORTS_MAX);
    intmap_init(&analysis->race_index);
    intmap_init(&analysis->violation_index);
    intmap_init(&analysis->block_index);
    intmap_init(&analysis->cycle_index);
    intmap_init(&analysis->observed_blocks);
    intmap_init(&analysis->predicted_blocks);
}

static void end_threads(struct analysis *analysis)
{
    for (size_t i = 0; i < analysis->threads.count; i++)
        analysis_end_thread(analysis, &analysis->threads.items[i]);
}

static void release(struct analysis *analysis)
{
    end_threads(analysis);
    analysis_end_blocks(analysis);
    reduction_free(analysis->reduction);
    if (analysis->movers.chunks)
        mover_table_release(&analysis->movers);
    if (analysis->transactions)
        transactions_free(analysis->transactions);
    if (analysis->lock_order)
        lock_order_free(analysis->lock_order);
    if (analysis->order != analysis->racer)
        engine_free(analysis->order);
    engine_free(analysis->racer);
    vector_release(&analysis->threads);
    analysis_pages_release(&analysis->words);
    analysis_pages_release(&analysis->cells);
    analysis_pages_release(&analysis->makers);
    vector_release(&analysis->records);
    vector_release(&analysis->lock_uses);
    vector_release(&analysis->sync_uses);
    analysis_notes_release(analysis);
}

/* ---- a pass ---- */

static bool fail(struct analysis *analysis, const struct problem *problem)
{
    analysis->result->failure = *problem;
    return false;
}

static bool fail_memory(struct analysis *analysis)
{
    problem_clear(&analysis->result->failure);
    problem_set(&analysis->result->failure, PROBLEM_NO_OFFSET,
                "there is no memory to analyze the trace");
    analysis->result->no_memory = true;
    return false;
}

/* An access by a thread that is known to run is always possible. */
static inline bool is_plain(const struct trace_check *check, const struct trace_event *event)
{
    if (event->kind > TRACE_WRITE || event->thread >= check->threads.count)
        return false;
    const struct trace_check_thread *thread = &check->threads.items[event->thread];
    return thread->active && !thread->joined;
}

/* Checks the event and tells of it, or of those that stand in its place. False: it is over. */
static bool tell_checked(struct analysis *analysis, const struct trace_source *source,
                         const struct trace_event *event, analysis_handler handler)
{
    struct trace_check *check = &analysis->check;
    switch (trace_check_event(check, event, trace_line(source))) {
    case TRACE_CHECK_FINE:
        handler(analysis, event);
        return !analysis->begin_again;
    case TRACE_CHECK_FIXED:
        for (size_t i = 0; i < check->fixed.count; i++)
            handler(analysis, &check->fixed.items[i]);
        return true;
    default:
        analysis->no_memory = true;
        return false;
    }
}

static void show_progress(const struct analysis *analysis)
{
    if (analysis->options.progress)
        analysis->options.progress(analysis->options.context, analysis->check.events,
                                   analysis->result->counts.passes);
}

/* To be inlined with a handler that is known. */
static inline __attribute__((always_inline)) enum trace_status
go_through(struct analysis *analysis, struct trace_source *source, analysis_handler handler,
           analysis_foresight ahead)
{
    struct trace_event event;
    enum trace_status status;
    while ((status = trace_next(source, &event)) == TRACE_EVENT) {
        if ((analysis->check.events & PROGRESS_MASK) == PROGRESS_MASK)
            show_progress(analysis);
        ahead(analysis, source);
        if (is_plain(&analysis->check, &event)) {
            analysis->check.events++;
            handler(analysis, &event);
        } else if (!tell_checked(analysis, source, &event, handler)) {
            break;
        }
    }
    return status;
}

static void begin_pass(struct analysis *analysis, const struct trace_source *source)
{
    analysis->names = source->names;
    analysis->result->counts.passes++;
    trace_check_init(&analysis->check, source->names, true);
}

static void end_pass(struct analysis *analysis, const struct trace_source *source)
{
    analysis->result->counts.read += trace_delivered(source);
    trace_check_release(&analysis->check);
}

static void count_all(struct analysis *analysis)
{
    struct analysis_counts *counts = &analysis->result->counts;
    counts->events = analysis->check.events;
    counts->left_out = analysis->check.left_out;
    counts->changed = analysis->check.changed;
    counts->added = analysis->check.added;
    counts->threads = (uint32_t)analysis->names->threads.count;
    counts->locks = (uint32_t)analysis->names->locks.count;
    counts->variables = analysis->names->variables.count;
    counts->shared_variables = (uint32_t)analysis->records.count;
    counts->forgotten = analysis->forgotten;
    if (analysis->options.races) {
        struct engine_counts engine;
        engine_counts(analysis->racer, &engine);
        for (unsigned grade = RACE_DISCIPLINE; grade <= RACE_OBSERVED; grade++)
            counts->races += engine.races[grade];
        counts->forgotten += engine.forgotten + engine.evicted + engine.refused;
    }
}

static bool first_pass(struct analysis *analysis, struct trace_source *source)
{
    begin_pass(analysis, source);
    const enum trace_status status =
        go_through(analysis, source, analysis_first, analysis_first_ahead);
    end_threads(analysis);
    if (analysis->begin_again) {
        end_pass(analysis, source);
        return true;
    }
    if (analysis->lock_order)
        lock_order_find(analysis->lock_order, analysis_note_deadlock, analysis);
    count_all(analysis);
    if (analysis->check.problem.set)
        analysis->result->impossible = analysis->check.problem;
    end_pass(analysis, source);
    if (status == TRACE_FAILED)
        trace_explain(source, &analysis->result->damage);
    return !analysis->no_memory || fail_memory(analysis);
}

static bool second_pass(struct analysis *analysis, struct trace_source *source)
{
    analysis_settle_phases(analysis);
    analysis_settle_usage(analysis);
    analysis_forget_makers(analysis);
    if ((analysis->options.reduction && !analysis_begin_reduction(analysis)) ||
        (analysis->options.blocks && !analysis_begin_blocks(analysis)) ||
        (analysis->options.observed && !analysis_begin_cycles(analysis)))
        return fail_memory(analysis);
    begin_pass(analysis, source);
    go_through(analysis, source, analysis_second, analysis_second_ahead);
    analysis_end_blocks(analysis);
    end_pass(analysis, source);
    return !analysis->no_memory || fail_memory(analysis);
}

/* The source is open when this returns, also on failure: its names are needed for findings. */
static bool go_through_all(struct analysis *analysis, struct trace_source *source,
                           analysis_open open, void *context)
{
    if (!open(context, source))
        return fail(analysis, &source->problem);
    if (!first_pass(analysis, source))
        return false;
    if (analysis->begin_again || !analysis->uses || !analysis->result->counts.blocks)
        return true;
    trace_close(source);
    if (!open(context, source))
        return fail(analysis, &source->problem);
    return second_pass(analysis, source);
}

/* Whether all is done; or, if it must begin again, what was looked at until then. */
static bool run(struct analysis *analysis, analysis_open open, void *context,
                struct finding_list *findings)
{
    struct trace_source source = {0};
    bool done = make_order(analysis) && make_lock_order(analysis) && make_movers(analysis);
    if (!done)
        fail_memory(analysis);
    done = done && go_through_all(analysis, &source, open, context);
    if (done && !analysis->begin_again && !analysis_make_findings(analysis, findings))
        done = fail_memory(analysis);
    trace_close(&source);
    release(analysis);
    return done;
}

bool analysis_run(const struct analysis_options *options, analysis_open open, void *context,
                  struct finding_list *findings, struct analysis_result *result)
{
    *result = (struct analysis_result){.no_memory = false};
    builder_init(&result->damage);
    problem_clear(&result->failure);
    problem_clear(&result->impossible);
    struct analysis analysis;
    init(&analysis, options, result, false);
    const bool done = run(&analysis, open, context, findings);
    if (!done || !analysis.begin_again)
        return done;
    result->counts =
        (struct analysis_counts){.read = result->counts.read, .passes = result->counts.passes};
    init(&analysis, options, result, true);
    return run(&analysis, open, context, findings);
}
