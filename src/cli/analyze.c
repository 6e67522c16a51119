#include "cli/analyze.h"

#include <sys/resource.h>

#include "cli/trace_input.h"
#include "engine/mover.h"
#include "report/report_json.h"
#include "report/report_text.h"

const char *const analyze_atomicity_choices[] = {"both", "reduction", "blocks", "off", NULL};

/* All traces of one request. */
struct work {
    const struct analyze_request *request;
    struct diagnostics *diagnostics;
    const char *path;
    struct analysis_options options;
    struct finding_list findings;
    struct analysis_counts counts;
    bool several; /* traces that have names: it must be told which one a finding is from */
    bool no_memory;
};

/* ---- options ---- */

bool analyze_without(struct analysis_options *options, const options_words *names,
                     struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < names->count; i++) {
        const uint32_t bit = mover_refinement_from(text_from(names->items[i]));
        if (!bit) {
            diagnostics_error(diagnostics,
                              "--without takes one of reentrant-locks, thread-local-locks, "
                              "thread-local-2-locks, protected-locks, write-protected-data, not "
                              "'%s'",
                              names->items[i]);
            return false;
        }
        options->refinements &= ~bit;
    }
    return true;
}

/* ---- one trace ---- */

static void show_progress(void *context, uint64_t events, unsigned pass)
{
    const struct work *work = context;
    char line[256];
    const int length = snprintf(line, sizeof line, "analyzing %.0f million events%s  %.160s",
                                (double)events / 1e6, pass > 1 ? " once more" : "", work->path);
    if (length > 0)
        diagnostics_status(
            work->diagnostics,
            text_of(line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1));
}

static void add_counts(struct analysis_counts *all, const struct analysis_counts *more)
{
    all->events += more->events;
    all->read += more->read;
    all->accesses += more->accesses;
    all->blocks += more->blocks;
    all->races += more->races;
    all->threads += more->threads;
    all->locks += more->locks;
    all->variables += more->variables;
    all->shared_variables += more->shared_variables;
    all->forgotten += more->forgotten;
    all->left_out += more->left_out;
    all->changed += more->changed;
    all->added += more->added;
    all->passes += more->passes;
}

static void tell_result(struct work *work, const struct analysis_result *result)
{
    const struct analysis_counts *counts = &result->counts;
    if (result->failure.set) {
        diagnostics_problem(work->diagnostics, DIAGNOSTICS_ERROR, text_from(work->path),
                            &result->failure);
        work->no_memory |= result->no_memory;
        return;
    }
    if (result->impossible.set)
        diagnostics_warning(work->diagnostics,
                            "%s: %s; %llu impossible events were left out, %llu changed and %llu "
                            "added, and the rest was analyzed",
                            work->path, result->impossible.reason,
                            (unsigned long long)counts->left_out,
                            (unsigned long long)counts->changed, (unsigned long long)counts->added);
    if (result->damage.length)
        (work->request->name ? diagnostics_warning : diagnostics_error)(
            work->diagnostics, "%s: %s", work->path, builder_string(&result->damage));
    else if (!counts->events && !work->request->found) /* who has run a program knows what it did */
        diagnostics_error(work->diagnostics, "%s: there are no events in it", work->path);
    diagnostics_note(work->diagnostics, "%s: %llu events, %u threads, %u passes", work->path,
                     (unsigned long long)counts->events, counts->threads, counts->passes);
    if (counts->forgotten)
        diagnostics_note(work->diagnostics,
                         "%s: %llu variables, locks or threads could not be remembered for want of "
                         "room; findings may be missing",
                         work->path, (unsigned long long)counts->forgotten);
}

static void add_found(struct work *work, const struct finding_list *found)
{
    for (size_t i = 0; found && i < found->items.count; i++)
        if (!finding_list_add(&work->findings, found->items.items[i]))
            work->no_memory = true;
}

/* Those of one of several traces, which they are from. */
static void add_from(struct work *work, struct finding_list *found)
{
    const struct text trace = text_from(work->path);
    for (size_t i = 0; i < found->items.count; i++) {
        found->items.items[i]->traces = &trace;
        found->items.items[i]->trace_count = 1;
    }
    add_found(work, found);
}

static void analyze(struct work *work, const char *path)
{
    struct finding_list found;
    struct trace_input input;
    struct analysis_result result;
    if (!trace_input_init(&input, path, work->diagnostics))
        return;
    work->path = work->request->name ? work->request->name : trace_input_name(&input);
    finding_list_init(&found);
    analysis_run(&work->options, trace_input_open, &input, work->several ? &found : &work->findings,
                 &result);
    add_from(work, &found);
    finding_list_release(&found);
    diagnostics_status(work->diagnostics, TEXT(""));
    add_counts(&work->counts, &result.counts);
    tell_result(work, &result);
    analysis_result_release(&result);
    trace_input_release(&input);
}

/* ---- the report ---- */

enum { STATS_MAX = 16 };

static size_t collect_stats(const struct work *work, struct report_stat *stats)
{
    const struct analysis_counts *counts = &work->counts;
    const uint64_t nanoseconds = command_processor_nanoseconds();
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    const struct report_stat all[] = {
        {TEXT("events"), counts->events},
        {TEXT("events_per_second"),
         nanoseconds ? (uint64_t)((double)counts->events * 1e9 / (double)nanoseconds) : 0},
        {TEXT("processor_milliseconds"), nanoseconds / 1000000},
        {TEXT("passes"), counts->passes},
        {TEXT("accesses"), counts->accesses},
        {TEXT("blocks_entered"), counts->blocks},
        {TEXT("threads"), counts->threads},
        {TEXT("locks"), counts->locks},
        {TEXT("variables"), counts->variables},
        {TEXT("shared_variables"), counts->shared_variables},
        {TEXT("races"), counts->races},
        {TEXT("impossible_events"), counts->left_out + counts->changed + counts->added},
        {TEXT("forgotten"), counts->forgotten},
        {TEXT("process_peak_bytes"), (uint64_t)usage.ru_maxrss * 1024},
    };
    _Static_assert(sizeof all / sizeof all[0] <= STATS_MAX, "room for all");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        stats[i] = all[i];
    return sizeof all / sizeof all[0];
}

static bool write_report(struct work *work, FILE *stream, size_t not_shown)
{
    const struct analyze_request *request = work->request;
    const struct common_options *common = request->common;
    struct report_stat stats[STATS_MAX];
    struct report report = {.findings = &work->findings,
                            .version = TEXT(TURNSTILE_VERSION),
                            .command = request->command,
                            .stats = stats,
                            .not_shown = not_shown,
                            .most = request->max_reports};
    if (request->stats)
        report.stat_count = collect_stats(work, stats);
    else if (!common->output && !work->findings.items.count &&
             (common->quiet ||
              (!request->json && work->diagnostics->errors && !work->counts.events)))
        return true; /* where nothing could be looked at, nothing is said to be found */
    struct builder text;
    builder_init(&text);
    const bool whole = request->json
                           ? report_json_write(&report, &text)
                           : report_text_write(&report, command_wants_color(common, stream), &text);
    if (!whole)
        diagnostics_error(work->diagnostics, "out of memory: the report is cut short");
    work->no_memory |= !whole;
    fwrite(text.bytes, 1, text.length, stream);
    builder_release(&text);
    return stream == stderr || command_close_output(stream, common, work->diagnostics);
}

static int analyze_all(struct work *work, const options_words *paths)
{
    const struct common_options *common = work->request->common;
    if (!command_spares_inputs(common, paths, work->diagnostics))
        return EXIT_USAGE;
    FILE *stream =
        common->output ? command_open_output(common, work->diagnostics) : work->request->stream;
    if (!stream)
        return EXIT_USAGE;
    work->several = paths->count > 1 && !work->request->name;
    add_found(work, work->request->found);
    for (size_t i = 0; i < paths->count; i++)
        analyze(work, paths->items[i]);
    const size_t most = work->request->max_reports;
    const size_t not_shown = most ? finding_list_cut(&work->findings, most) : 0;
    const bool written = write_report(work, stream, not_shown);
    if (work->no_memory)
        return EXIT_INTERNAL;
    if (!written || work->diagnostics->errors)
        return EXIT_USAGE;
    return work->findings.items.count ? EXIT_FINDINGS : EXIT_NOTHING_FOUND;
}

int analyze_traces(struct analyze_request *request, const options_words *paths, size_t *findings)
{
    struct work work = {
        .request = request, .diagnostics = request->diagnostics, .options = request->options};
    finding_list_init(&work.findings);
    work.options.progress = show_progress;
    work.options.context = &work;
    const int status = analyze_all(&work, paths);
    *findings = work.findings.items.count;
    finding_list_release(&work.findings);
    return status;
}
