/*
 * turnstile run: a program with the race detector in its JVM.
 */
#include "cli/command.h"
#include "cli/launch.h"

enum { EXIT_RACES = 66 };

/* An unsigned that no option has set. */
#define NOT_TOLD UINT32_MAX

static struct {
    struct common_options common;
    unsigned races, granularity, arrays, format;
    unsigned history, max_reports, exit_code;
    bool discipline, stats;
    options_words include, exclude, watch;
} settings = {.races = NOT_TOLD,
              .granularity = NOT_TOLD,
              .arrays = NOT_TOLD,
              .format = NOT_TOLD,
              .history = NOT_TOLD,
              .max_reports = NOT_TOLD,
              .exit_code = EXIT_RACES};

static const char *const races_choices[] = {"hybrid", "lockset", "hb", NULL};
static const char *const granularity_choices[] = {"field", "object", NULL};
static const char *const arrays_choices[] = {"element", "object", "off", NULL};
static const char *const format_choices[] = {"text", "json", NULL};

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
    {.name = "discipline",
     .kind = OPTION_FLAG,
     .help = "Also report variables that no lock protects but other ordering (start and join, "
             "queues, volatile fields, ...) explains.",
     .target = &settings.discipline},
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
    {.name = "max-reports",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .help = "Report at most N findings, 100 unless told. --stats says how many more races there "
             "were.",
     .target = &settings.max_reports,
     .least = 1,
     .most = 1000000},
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
    {.name = "format",
     .kind = OPTION_CHOICE,
     .argument = "text|json",
     .help = "The form of the result. Unless told, text on standard error and json in a file.",
     .target = &settings.format,
     .choices = format_choices},
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
    tell_choice(launch, "format", format_choices, settings.format);
    if (settings.common.color != DIAGNOSTICS_COLOR_AUTO)
        launch_tell(launch, "color", command_color_choices[settings.common.color]);
    tell_flag(launch, "quiet", settings.common.quiet);
    tell_flag(launch, "verbose", settings.common.verbose);
}

static void release_settings(void)
{
    vector_release(&settings.include);
    vector_release(&settings.exclude);
    vector_release(&settings.watch);
}

/* The program's own status, unless that hides findings. */
static void conclude(const struct launch *launch, struct child_end *end)
{
    bool well = end->status == 0 && end->signal == 0;
    diagnostics_note(launch->diagnostics, "%llu findings in %u JVMs",
                     (unsigned long long)launch->findings, launch->jvms);
    if (well && !launch->jvms)
        diagnostics_warning(launch->diagnostics,
                            "nothing was checked: no JVM ended with the agent in it");
    if (well && launch->findings)
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
    launch_init(&launch, diagnostics);
    bool done = launch_find(&launch, words);
    if (done) {
        tell_agent(&launch);
        done = launch_set_output(&launch, settings.common.output) && launch_run(&launch, &end);
    }
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
    .summary = "find data races in a program while it runs",
    .synopsis = "turnstile run [OPTIONS] [--] java ARGUMENTS...\n"
                "turnstile run [OPTIONS] [--] PROGRAM ARGUMENTS...",
    .description =
        "Runs the program with an agent in its JVM that watches which threads access which fields, "
        "array elements and collections, and how locks and java.util.concurrent order them. At the "
        "end it reports the accesses that nothing orders: both places, with thread, stack and "
        "locks held. Java 17 or newer is needed.\n"
        "\n"
        "The first word that is no option is the program; what follows belongs to it. If it is the "
        "java command of a JDK, the agent is given to it as an argument. If it is anything else, "
        "such as ./gradlew or catalina.sh, all JVMs that it starts are checked: they find the "
        "agent in the environment variable JAVA_TOOL_OPTIONS, and each says on standard error "
        "that it has picked it up. JVMs that a checked program starts are checked too.\n"
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
                "turnstile run --exit-code 1 ./gradlew test",
    .options = options,
    .common = &settings.common,
    .order = OPTIONS_FIRST,
    .run = run_run,
};
