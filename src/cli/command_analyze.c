/*
 * turnstile analyze: all engines over recorded traces.
 */
#include "cli/analyze.h"

enum { RACES_HYBRID, RACES_LOCKSET, RACES_HB, RACES_OFF };

static struct {
    struct common_options common;
    unsigned races, atomicity, format;
    unsigned max_reports; /* 0: not told */
    bool discipline, stats;
    options_words without;
} settings = {.format = COMMAND_FORMAT_NOT_TOLD};

static const char *const races_choices[] = {"hybrid", "lockset", "hb", "off", NULL};

static const struct option options[] = {
    {.name = "races",
     .kind = OPTION_CHOICE,
     .argument = "hybrid|lockset|hb|off",
     .help = "What counts as a race. hb: two accesses, one of them a write, that nothing ordered "
             "in the trace. hybrid, unless told: also accesses without a common lock that only the "
             "order in which locks went from thread to thread kept apart; the grade in the report "
             "tells them apart. lockset: any shared and written variable without one lock that is "
             "always held, whatever else orders the accesses. off: races are not looked for.",
     .target = &settings.races,
     .choices = races_choices},
    ANALYZE_DISCIPLINE_OPTION(settings.discipline),
    {.name = "atomicity",
     .kind = OPTION_CHOICE,
     .argument = "both|reduction|blocks|off",
     .help = "How blocks that should be atomic are judged. reduction: by which steps can be moved "
             "past those of other threads. blocks: by whether the locks allow an order of two "
             "executions whose outcome the two, one after the other, could not have had; it says "
             "which accesses. both, unless told. off: not at all.",
     .target = &settings.atomicity,
     .choices = analyze_atomicity_choices},
    ANALYZE_WITHOUT_OPTION(settings.without),
    ANALYZE_MAX_REPORTS_OPTION(settings.max_reports, "all"),
    {.name = "stats",
     .kind = OPTION_FLAG,
     .help = "Say at the end how many events, threads, variables and locks there were, how many "
             "events were analyzed in a second of processor time, and how much memory was used.",
     .target = &settings.stats},
    COMMAND_FORMAT_OPTION(settings.format, "standard output"),
    COMMON_OPTIONS_WITH(settings.common, "Write the result to FILE instead of standard output.",
                        "Errors and findings only.")};

static int run_analyze(const options_words *words, struct diagnostics *diagnostics)
{
    static const enum engine_mode modes[] = {[RACES_HYBRID] = ENGINE_HYBRID,
                                             [RACES_LOCKSET] = ENGINE_LOCKSET,
                                             [RACES_HB] = ENGINE_ORDER,
                                             [RACES_OFF] = ENGINE_HYBRID};
    struct analyze_request request = {
        .diagnostics = diagnostics,
        .common = &settings.common,
        .stream = stdout,
        .command = TEXT("analyze"),
        .max_reports = settings.max_reports,
        .json = command_wants_json(settings.format, &settings.common),
        .stats = settings.stats,
    };
    int status = EXIT_USAGE;
    size_t findings;
    analysis_options_default(&request.options);
    request.options.races = settings.races != RACES_OFF;
    request.options.mode = modes[settings.races];
    request.options.discipline = settings.discipline;
    analysis_choose_atomicity(&request.options, (enum analysis_atomicity)settings.atomicity);
    if (!words->count)
        diagnostics_error(diagnostics, "analyze needs a TRACE: see 'turnstile analyze --help'");
    else if (analyze_without(&request.options, &settings.without, diagnostics))
        status = analyze_traces(&request, words, &findings);
    vector_release(&settings.without);
    return status;
}

const struct command command_analyze = {
    .name = "analyze",
    .summary = "find races, atomicity violations and deadlocks in traces",
    .synopsis = "turnstile analyze [OPTIONS] TRACE...",
    .description =
        "Looks for data races, blocks that should be atomic and are not, and locks that are taken "
        "in different orders, in what the threads of a program did. A TRACE is a file that was "
        "recorded, or one in the STD text format, plain or gzipped; '-' is standard input. Each "
        "trace is a program of its own; the findings of all are reported together, each with the "
        "traces that it is from if there are several.\n"
        "\n"
        "A finding is `observed` if the trace itself contains it, and `predicted` if another "
        "schedule of the same steps may. For reduction a trace is read twice; what comes from a "
        "pipe is kept in a temporary file meanwhile.\n"
        "\n"
        "What cannot be read is told on standard error in one line, with the line or offset, the "
        "reason, and how many events could be used; they are analyzed, and the exit status is 2. "
        "Events that cannot have happened are left out or put right, with a warning.",
    .examples = "turnstile analyze bank.trace\n"
                "turnstile analyze --races hb --atomicity off -o races.json bank.trace\n"
                "turnstile analyze --atomicity both --without protected-locks bank.trace\n"
                "zstd -dc account.std.zst | turnstile analyze --stats -",
    .options = options,
    .common = &settings.common,
    .run = run_analyze,
};
