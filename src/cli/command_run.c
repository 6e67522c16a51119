/*
 * turnstile run: a program with the race detector in its JVM. With --atomicity the agent also takes
 * samples of what the program does, and analyzes them when it has ended; with --record, or if all
 * events are wanted, they are recorded instead, and analyzed here.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/analyze.h"
#include "cli/declared.h"
#include "cli/launch.h"

enum { EXIT_RACES = 66 };

/* An unsigned that no option has set. */
#define NOT_TOLD UINT32_MAX

static struct {
    struct common_options common;
    unsigned races, granularity, arrays, format;
    unsigned atomicity, atomic, events;
    unsigned history, max_reports, exit_code;
    bool discipline, stats;
    const char *record, *atomic_methods;
    options_words include, exclude, watch, without, locks, sources;
} settings = {.races = NOT_TOLD,
              .atomicity = NOT_TOLD,
              .atomic = NOT_TOLD,
              .events = NOT_TOLD,
              .granularity = NOT_TOLD,
              .arrays = NOT_TOLD,
              .format = NOT_TOLD,
              .history = NOT_TOLD,
              .max_reports = NOT_TOLD,
              .exit_code = EXIT_RACES};

static const char *const races_choices[] = {"hybrid", "lockset", "hb", NULL};
static const char *const granularity_choices[] = {"field", "object", NULL};
static const char *const arrays_choices[] = {"element", "object", "off", NULL};
enum { ATOMIC_HEURISTICS, ATOMIC_ANNOTATED, ATOMIC_NONE };
static const char *const atomic_choices[] = {"heuristics", "annotated", "none", NULL};
enum { EVENTS_SAMPLED, EVENTS_DISTINCT, EVENTS_ALL };
static const char *const events_choices[] = {"sampled", "distinct", "all", NULL};

static const struct option options[] = {
    {.name = "races",
     .kind = OPTION_CHOICE,
     .argument = "hybrid|lockset|hb",
     .help = "What counts as a race. hb: two accesses, one of them a write, that nothing ordered "
             "in this run; these are real, but which ones are seen depends on the schedule. "
             "hybrid, unless told: also accesses without a common lock that only the order in "
             "which locks went from thread to thread kept apart; the grade in the report tells "
             "them apart. lockset: any shared and written variable without one lock that is "
             "always held, whatever else orders the accesses (start and join, queues, ...).",
     .target = &settings.races,
     .choices = races_choices},
    ANALYZE_DISCIPLINE_OPTION(settings.discipline),
    {.name = "granularity",
     .kind = OPTION_CHOICE,
     .argument = "field|object",
     .help = "Watch each field by itself, unless told, or all fields of an object as one variable, "
             "which needs less memory and reports objects whose fields have different locks.",
     .target = &settings.granularity,
     .choices = granularity_choices},
    {.name = "arrays",
     .kind = OPTION_CHOICE,
     .argument = "element|object|off",
     .help = "Watch each element of an array, unless told, or the array as one variable, or not at "
             "all.",
     .target = &settings.arrays,
     .choices = arrays_choices},
    {.name = "history",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .help = "Remember up to N earlier accesses of a variable that has shown trouble, to show the "
             "stack of the other side; 2 to 32, 8 unless told.",
     .target = &settings.history,
     .least = 2,
     .most = 32},
    ANALYZE_MAX_REPORTS_OPTION(settings.max_reports, "100"),
    {.name = "include",
     .kind = OPTION_LIST,
     .argument = "PATTERN",
     .help = "Look at these classes too. Unless told, all classes are looked at except the JDK's. "
             "In a PATTERN '*' stands for any characters; without one it also matches what is in "
             "the package or class that it names. May be given several times, as may the next "
             "two.",
     .target = &settings.include},
    {.name = "exclude",
     .kind = OPTION_LIST,
     .argument = "PATTERN",
     .help = "Do not look at these classes.",
     .target = &settings.exclude},
    {.name = "watch",
     .kind = OPTION_LIST,
     .argument = "PATTERN",
     .help = "Watch only these fields, written as Class.field. Locks and threads are followed in "
             "all classes.",
     .target = &settings.watch},
    {.name = "atomicity",
     .kind = OPTION_CHOICE,
     .argument = "both|reduction|blocks|off",
     .help = "Also look for blocks that should be atomic and are not, and for locks that are taken "
             "in different orders: samples of what the program does are taken, and analyzed when "
             "it has ended. reduction: blocks are judged by which steps can be moved "
             "past those of other threads; blocks: by whether the locks allow an order of two "
             "executions whose outcome the two, one after the other, could not have had; both: "
             "either way; off: not at all. off unless told, both if the run is recorded.",
     .target = &settings.atomicity,
     .choices = analyze_atomicity_choices},
    {.name = "atomic",
     .kind = OPTION_CHOICE,
     .argument = "heuristics|annotated|none",
     .help = "Which blocks should be atomic. annotated: those that are declared so, by an "
             "annotation @Atomic or @Atomicity, or as --locks and --source say. heuristics, unless "
             "told: also public, protected and synchronized methods, but not main and run, and not "
             "methods of which something else is declared; and synchronized blocks. none: none. "
             "Like the next four, only with --atomicity or --record.",
     .target = &settings.atomic,
     .choices = atomic_choices},
    {.name = "atomic-methods",
     .kind = OPTION_STRING,
     .argument = "FILE",
     .help = "More methods that should be atomic, as patterns of Class.method, one on a line, with "
             "types of parameters or without: bank.Account.add(int); with a '!' before it, methods "
             "that should not. The last line that means a method counts; '!*' and then "
             "'com.example.*' leaves the blocks of that package.",
     .target = &settings.atomic_methods},
    {.name = "locks",
     .kind = OPTION_LIST,
     .argument = "FILE",
     .help = "A file of lock types, as for 'turnstile check': methods that it declares to be "
             "atomic, or better, should be so. May be given several times.",
     .target = &settings.locks},
    {.name = "source",
     .kind = OPTION_LIST,
     .argument = "DIR",
     .help = "Where Java source is: methods and synchronized blocks with a comment /*# atomic */ "
             "should be atomic. May be given several times.",
     .target = &settings.sources},
    ANALYZE_WITHOUT_OPTION(settings.without),
    {.name = "record",
     .kind = OPTION_STRING,
     .argument = "FILE",
     .help = "Write the program's events to FILE, for 'turnstile analyze', and keep it. The "
             "findings of this run come from it too. Each other JVM that the program starts writes "
             "a file of its own, with its process id before the extension.",
     .target = &settings.record},
    {.name = "events",
     .kind = OPTION_CHOICE,
     .argument = "sampled|distinct|all",
     .help =
         "Where atomicity and lock orders are looked for. sampled, unless there is --record: in "
         "the first executions of each block on each thread, and in some of the later ones; "
         "races are looked for everywhere, as always. distinct: everywhere. All events are "
         "recorded in a file, and analyzed when the program has ended; an access that repeats "
         "others, so that it changes nothing that can be found, is left out. all: not even "
         "that is left out, which takes several times as long, for what else a trace may be "
         "good for.",
     .target = &settings.events,
     .choices = events_choices},
    {.name = "stats",
     .kind = OPTION_FLAG,
     .help = "Say at the end what was instrumented, how many events were told to the engine and "
             "how many accesses took the slow path, and how much memory was used.",
     .target = &settings.stats},
    {.name = "exit-code",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .help = "The exit status if there are findings and the program's own is 0; 66 unless told. 0 "
             "leaves the program's own as it is.",
     .target = &settings.exit_code,
     .most = 255},
    COMMAND_FORMAT_OPTION(settings.format, "standard error"),
    COMMON_OPTIONS_WITH(settings.common,
                        "Write the result to FILE instead of standard error. Each other JVM that "
                        "the program starts writes a file of its own, with its process id before "
                        "the extension: result.json, result.4711.json.",
                        "Errors and findings only.")};

static void tell_choice(struct launch *launch, const char *name, const char *const *choices,
                        unsigned choice)
{
    if (choice != NOT_TOLD)
        launch_tell(launch, name, choices[choice]);
}

static void tell_number(struct launch *launch, const char *name, unsigned number)
{
    if (number != NOT_TOLD)
        launch_tell_number(launch, name, number);
}

static void tell_flag(struct launch *launch, const char *name, bool flag)
{
    if (flag)
        launch_tell(launch, name, NULL);
}

static void tell_list(struct launch *launch, const char *name, const options_words *list)
{
    for (size_t i = 0; i < list->count; i++)
        launch_tell(launch, name, list->items[i]);
}

/* Only what the user has said: what holds otherwise is the agent's own affair. */
static void tell_agent(struct launch *launch)
{
    tell_choice(launch, "races", races_choices, settings.races);
    tell_flag(launch, "discipline", settings.discipline);
    tell_choice(launch, "granularity", granularity_choices, settings.granularity);
    tell_choice(launch, "arrays", arrays_choices, settings.arrays);
    tell_number(launch, "history", settings.history);
    tell_number(launch, "max-reports", settings.max_reports);
    tell_list(launch, "include", &settings.include);
    tell_list(launch, "exclude", &settings.exclude);
    tell_list(launch, "watch", &settings.watch);
    tell_flag(launch, "stats", settings.stats);
    tell_choice(launch, "format", command_format_choices, settings.format);
    if (settings.common.color != DIAGNOSTICS_COLOR_AUTO)
        launch_tell(launch, "color", command_color_choices[settings.common.color]);
    tell_flag(launch, "quiet", settings.common.quiet);
    tell_flag(launch, "verbose", settings.common.verbose);
}

/* ---- recorded runs ---- */

/* Where the events go; a folder that is only for this run, or NULL. */
struct recording {
    const char *path; /* NULL: nothing is recorded. Lives in the launch */
    char *folder;
    const char *declared; /* the file in it that says what is declared, or NULL; in the launch */
    time_t since;         /* files that are older are of another run */
};

static bool is_atomicity(const char *choice)
{
    const char *told =
        settings.atomicity == NOT_TOLD ? "off" : analyze_atomicity_choices[settings.atomicity];
    return strcmp(told, choice) == 0;
}

static bool is_recorded(void)
{
    return settings.record || !is_atomicity("off");
}

/* A folder for what nobody wants to keep. False after reporting why there is none. */
static bool make_folder(struct recording *recording, struct diagnostics *diagnostics)
{
    const char *temporary = getenv("TMPDIR");
    if (!temporary || !*temporary)
        temporary = "/tmp";
    const size_t size = strlen(temporary) + 32;
    char *folder = malloc(size);
    if (!folder)
        return false;
    snprintf(folder, size, "%s/turnstile-XXXXXX", temporary);
    if (mkdtemp(folder)) {
        recording->folder = folder;
        return true;
    }
    diagnostics_error(diagnostics, "%s: no temporary folder can be made there: %s", temporary,
                      strerror(errno));
    free(folder);
    return false;
}

/* A file in the folder, which is made if there is none. NULL after reporting why there is none. */
static const char *file_in_folder(struct launch *launch, struct recording *recording,
                                  const char *name)
{
    if (!recording->folder && !make_folder(recording, launch->diagnostics))
        return NULL;
    return launch_join(launch, text_from(recording->folder), name);
}

/* Hands the agent what is declared. False after reporting what is wrong. */
static bool tell_declared(struct launch *launch, struct recording *recording, struct text lines)
{
    struct problem problem = {0};
    const char *path = lines.length ? file_in_folder(launch, recording, "declared") : NULL;
    if (!path)
        return !lines.length;
    if (!file_write(path, lines.bytes, lines.length, &problem)) {
        diagnostics_problem(launch->diagnostics, DIAGNOSTICS_ERROR, text_from(path), &problem);
        return false;
    }
    recording->declared = path;
    return launch_tell_file(launch, "declared", path);
}

/* The agent looks for races as always, and analyzes samples of what the program does itself. */
static bool is_sampled(void)
{
    return settings.events == NOT_TOLD ? !settings.record : settings.events == EVENTS_SAMPLED;
}

static void tell_events(struct launch *launch)
{
    /* A trace that nobody keeps need be good for nothing but this analysis. */
    if (settings.events == EVENTS_DISTINCT && !settings.record && is_atomicity("reduction"))
        launch_tell(launch, "events", "reduction");
    else
        tell_choice(launch, "events", events_choices,
                    is_sampled() ? EVENTS_SAMPLED : settings.events);
    if (!is_sampled())
        return;
    tell_choice(launch, "atomicity", analyze_atomicity_choices, settings.atomicity);
    tell_list(launch, "without", &settings.without);
}

static bool check_events(struct diagnostics *diagnostics)
{
    if (!settings.record || settings.events != EVENTS_SAMPLED)
        return true;
    diagnostics_error(diagnostics, "--events sampled keeps no trace: leave out --record, or choose "
                                   "distinct or all");
    return false;
}

/* 0 if there is room for the beginning of a short run, or an error number. The file grows by it. */
static int try_to_write(int descriptor)
{
    enum { BEGINNING = 1 << 16 }; /* bytes */
    const int wrong = posix_fallocate(descriptor, 0, BEGINNING);
    return wrong == EINVAL || wrong == EOPNOTSUPP ? 0 : wrong; /* it cannot be asked for there */
}

/* Whether a trace can be written there: told now, and not by a JVM that cannot start. A file that
   is there stays as it is until one does. */
static bool can_record(const char *path, struct diagnostics *diagnostics)
{
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        diagnostics_error(diagnostics, "%s: is not a regular file: a trace is written to one",
                          path);
        return false;
    }
    if (settings.common.output && strcmp(path, settings.common.output) == 0) {
        diagnostics_error(diagnostics, "%s: the trace and the result need files of their own",
                          path);
        return false;
    }
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    int wrong = descriptor < 0 ? errno : 0;
    if (descriptor >= 0 && !exists) {
        wrong = try_to_write(descriptor);
        unlink(path);
    }
    if (descriptor >= 0)
        close(descriptor);
    if (wrong)
        diagnostics_error(diagnostics, "%s: cannot be written: %s", path, strerror(wrong));
    return !wrong;
}

/* Tells the agent to record, if it shall. False after reporting that no file can be written. */
static bool begin_recording(struct launch *launch, struct recording *recording, struct text lines)
{
    if (!is_recorded())
        return true;
    recording->since = time(NULL);
    const char *path =
        settings.record ? settings.record : file_in_folder(launch, recording, "run.trace");
    if (!path || !can_record(path, launch->diagnostics))
        return false;
    recording->path = launch_tell_file(launch, "record", path);
    tell_choice(launch, "atomic", atomic_choices, settings.atomic);
    tell_events(launch);
    return recording->path &&
           (!settings.atomic_methods ||
            (launch_tell_input(launch, "atomic-methods", settings.atomic_methods) &&
             declared_check_patterns(settings.atomic_methods, launch->diagnostics))) &&
           tell_declared(launch, recording, lines);
}

/* The same, behind reading what is declared: mistakes there are told whether it is used or not. */
static bool prepare_recording(struct launch *launch, struct recording *recording)
{
    struct builder lines;
    builder_init(&lines);
    const bool prepared =
        declared_read(&lines, &settings.locks, &settings.sources, launch->diagnostics) &&
        begin_recording(launch, recording, builder_text(&lines));
    builder_release(&lines);
    return prepared;
}

/* Whether a JVM of this run gives its trace that name: the first one that of the file itself,
   others put their process id before the extension. */
static bool is_trace(struct text wanted, struct text name)
{
    ptrdiff_t dot = text_find_last(wanted, '.');
    const size_t stem = dot > 0 ? (size_t)dot : wanted.length;
    const struct text ending = text_slice(wanted, stem, wanted.length);
    if (text_equal(wanted, name))
        return true;
    if (name.length <= stem + 1 + ending.length ||
        !text_starts_with(name, text_slice(wanted, 0, stem)) || !text_ends_with(name, ending) ||
        name.bytes[stem] != '.')
        return false;
    for (size_t i = stem + 1; i < name.length - ending.length; i++)
        if (name.bytes[i] < '0' || name.bytes[i] > '9')
            return false;
    return true;
}

/* Adds the paths of the traces that are there; the texts live in the launch. */
static bool find_traces(struct launch *launch, const struct recording *recording,
                        options_words *found)
{
    const struct text path = text_from(recording->path);
    const size_t slash = (size_t)text_find_last(path, '/'); /* it is absolute */
    const struct text wanted = text_slice(path, slash + 1, path.length);
    const struct text folder = text_copy(&launch->arena, text_slice(path, 0, slash + 1));
    DIR *listing = folder.length ? opendir(folder.bytes) : NULL; /* text_copy ends it with a 0 */
    bool whole = listing;
    for (struct dirent *entry; whole && (entry = readdir(listing));) {
        if (!is_trace(wanted, text_from(entry->d_name)))
            continue;
        const char *one = launch_join(launch, folder, entry->d_name);
        struct stat status;
        if (one && (stat(one, &status) != 0 || status.st_mtime < recording->since))
            continue;
        whole = one && vector_push(found, one);
    }
    if (listing)
        closedir(listing);
    return whole;
}

/* Removes what nobody asked to keep. */
static void end_recording(struct launch *launch, struct recording *recording)
{
    options_words found = {0};
    if (!settings.record && recording->path && find_traces(launch, recording, &found))
        for (size_t i = 0; i < found.count; i++)
            unlink(found.items[i]);
    vector_release(&found);
    if (recording->declared)
        unlink(recording->declared);
    if (recording->folder)
        rmdir(recording->folder);
    free(recording->folder);
}

/* False after reporting what is wrong with the options. */
static bool choose_analysis(struct analysis_options *analysis, struct diagnostics *diagnostics)
{
    static const enum engine_mode modes[] = {ENGINE_HYBRID, ENGINE_LOCKSET, ENGINE_ORDER};
    analysis_options_default(analysis);
    if (settings.races != NOT_TOLD)
        analysis->mode = modes[settings.races];
    analysis->discipline = settings.discipline;
    if (settings.atomicity != NOT_TOLD)
        analysis_choose_atomicity(analysis, (enum analysis_atomicity)settings.atomicity);
    return analyze_without(analysis, &settings.without, diagnostics);
}

/* Says whose report is missing. */
static void tell_lost(const struct launch *launch, const char *output)
{
    for (size_t i = 0; i < launch->log.lost.count; i++)
        diagnostics_warning(launch->diagnostics,
                            "the JVM with process id %ld was killed, or has crashed, before it "
                            "could report: %s%swhat it had found until then",
                            launch->log.lost.items[i].process, output ? output : "this is ",
                            output ? " has " : "");
}

/* The findings in what was recorded, and those of JVMs that did not report them. These go where the
   first of them would have put them. */
static void report_rest(struct launch *launch, const struct recording *recording,
                        const struct analysis_options *analysis)
{
    const struct run_log *log = &launch->log;
    struct common_options common = settings.common;
    if (log->lost.count && log->lost.items[0].report.length)
        common.output = log->lost.items[0].report.bytes;
    struct analyze_request request = {
        .diagnostics = launch->diagnostics,
        .common = &common,
        .stream = stderr,
        .command = TEXT("run"),
        .options = *analysis,
        .found = &log->found,
        .name = settings.record ? NULL
                : is_sampled()  ? "the samples"
                                : "the record",
        .max_reports = settings.max_reports == NOT_TOLD ? 100 : settings.max_reports,
        .json = settings.format == NOT_TOLD ? settings.common.output != NULL
                                            : settings.format == COMMAND_JSON,
        .stats = settings.stats,
    };
    options_words paths = {0};
    size_t findings = 0;
    /* Who ends in peace has looked at its samples itself. */
    const bool left = recording->path && !(is_sampled() && !log->lost.count);
    if (left && !find_traces(launch, recording, &paths))
        vector_clear(&paths);
    tell_lost(launch, common.output);
    if (paths.count || log->lost.count)
        analyze_traces(&request, &paths, &findings);
    launch->log.findings += findings;
    vector_release(&paths);
}

static void release_settings(void)
{
    vector_release(&settings.include);
    vector_release(&settings.exclude);
    vector_release(&settings.watch);
    vector_release(&settings.without);
    vector_release(&settings.locks);
    vector_release(&settings.sources);
}

static void warn_unused(struct diagnostics *diagnostics, const char *name, bool given)
{
    if (given)
        diagnostics_warning(diagnostics, "%s has no effect without --atomicity or --record", name);
}

/* Says which options change nothing, lest somebody takes silence for a result. Who has switched
   atomicity off knows. */
static void tell_unused(struct diagnostics *diagnostics)
{
    if (!is_recorded() && settings.atomicity == NOT_TOLD) {
        warn_unused(diagnostics, "--atomic", settings.atomic != NOT_TOLD);
        warn_unused(diagnostics, "--atomic-methods", settings.atomic_methods != NULL);
        warn_unused(diagnostics, "--locks", settings.locks.count != 0);
        warn_unused(diagnostics, "--source", settings.sources.count != 0);
        warn_unused(diagnostics, "--without", settings.without.count != 0);
        warn_unused(diagnostics, "--events", settings.events != NOT_TOLD);
    } else if (settings.atomic == ATOMIC_NONE && settings.atomic_methods) {
        diagnostics_warning(diagnostics, "--atomic-methods has no effect with --atomic none");
    } else if (settings.without.count && is_atomicity("blocks")) {
        diagnostics_warning(diagnostics, "--without has no effect with --atomicity blocks");
    }
}

/* What a JVM that was killed has marked is not known. */
static void tell_nothing_annotated(const struct launch *launch)
{
    if (is_recorded() && settings.atomic == ATOMIC_ANNOTATED && launch->log.ended &&
        !launch->log.lost.count && !launch->log.marked)
        diagnostics_warning(launch->diagnostics,
                            "--atomic annotated: no block of what was loaded is declared to be "
                            "atomic, by an annotation, --source, --locks or --atomic-methods, so "
                            "that none was looked at");
}

/* Nor is it known what would have matched in a JVM that was killed. */
static void tell_unmatched(const struct launch *launch)
{
    enum { SHOWN = 6 };
    const size_t count = launch->log.lost.count ? 0 : launch->log.unmatched.count;
    for (size_t i = 0; i < count && i < SHOWN; i++)
        diagnostics_warning(launch->diagnostics, "%.*s", (int)launch->log.unmatched.items[i].length,
                            launch->log.unmatched.items[i].bytes);
    if (count > SHOWN)
        diagnostics_warning(launch->diagnostics, "and %zu more such patterns", count - SHOWN);
}

/* The program's own status, unless that hides findings. */
static void conclude(const struct launch *launch, struct child_end *end)
{
    bool well = end->status == 0 && end->signal == 0;
    diagnostics_note(launch->diagnostics, "%llu findings in %u JVMs",
                     (unsigned long long)launch->log.findings, launch->log.ended);
    if (well && !launch->log.ended && !launch->log.lost.count)
        diagnostics_warning(launch->diagnostics,
                            "nothing was checked: no JVM ended with the agent in it");
    tell_nothing_annotated(launch);
    tell_unmatched(launch);
    if (well && launch->log.findings)
        end->status = (int)settings.exit_code;
}

static int run_run(const options_words *words, struct diagnostics *diagnostics)
{
    if (!words->count) {
        diagnostics_error(diagnostics,
                          "run needs a program: turnstile run [OPTIONS] [--] java ARGUMENTS...");
        release_settings();
        return EXIT_USAGE;
    }
    struct launch launch;
    struct child_end end = {0};
    struct recording recording = {0};
    struct analysis_options analysis;
    launch_init(&launch, diagnostics);
    bool done = check_events(diagnostics) && choose_analysis(&analysis, diagnostics) &&
                launch_find(&launch, words);
    if (done) {
        const char *output = settings.common.output;
        tell_agent(&launch);
        done = prepare_recording(&launch, &recording) &&
               (!output || launch_tell_file(&launch, "output", output));
        if (done)
            tell_unused(diagnostics);
        done = done && launch_run(&launch, &end);
    }
    if (done)
        report_rest(&launch, &recording, &analysis);
    end_recording(&launch, &recording);
    if (done)
        conclude(&launch, &end);
    bool no_memory = launch.arena.failed || launch.options.failed;
    launch_release(&launch);
    release_settings();
    if (!done)
        return no_memory ? EXIT_INTERNAL : EXIT_USAGE;
    return child_exit_status(&end);
}

const struct command command_run = {
    .name = "run",
    .summary = "find races, deadlocks and broken atomicity in a program",
    .synopsis = "turnstile run [OPTIONS] [--] java ARGUMENTS...\n"
                "turnstile run [OPTIONS] [--] PROGRAM ARGUMENTS...",
    .description =
        "Runs the program with an agent in its JVM that watches which threads access which fields, "
        "array elements and collections, and how locks and java.util.concurrent order them. At the "
        "end it reports the accesses that nothing orders: both places, with thread, stack and "
        "locks held. If threads wait for each other then, it reports that, too: interrupt a "
        "program that hangs (^C). Java 17 or newer is needed.\n"
        "\n"
        "The first word that is no option is the program; what follows belongs to it. If it is the "
        "java command of a JDK, the agent is given to it as an argument. If it is anything else, "
        "such as ./gradlew or catalina.sh, all JVMs that it starts are checked: they find the "
        "agent in the environment variable JAVA_TOOL_OPTIONS, and each says on standard error "
        "that it has picked it up. JVMs that a checked program starts are checked too. What one "
        "had found when it was killed is reported, too.\n"
        "\n"
        "The program reads standard input, writes standard output and receives signals as it would "
        "by itself. What is wrong with the command line is told in one line, and the program is "
        "not started. The agent is found beside this command or where it was installed; the "
        "environment variable TURNSTILE_AGENT can name another one. To use it without this "
        "command, see -agentpath in docs/run.md.",
    .exit_status = "The program's own, with these exceptions:\n"
                   "66  findings, and the program's own is 0 (see --exit-code)\n"
                   " 2  wrong usage; the program was not started\n"
                   " 3  internal error, such as no memory; the program was not started\n"
                   "If a signal ends the program, the same signal ends this command.",
    .examples = "turnstile run java -cp build/classes Bank\n"
                "turnstile run -o races.json --exclude 'org.apache.*' java -jar server.jar\n"
                "turnstile run --watch Account.balance --history 32 -- java Bank\n"
                "turnstile run --exit-code 1 ./gradlew test\n"
                "turnstile run --atomicity both --atomic annotated --source src java Bank",
    .options = options,
    .common = &settings.common,
    .order = OPTIONS_FIRST,
    .run = run_run,
};
