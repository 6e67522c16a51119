/*
 * turnstile check: compiled programs against their lock types.
 */
#include <sys/resource.h>

#include "check/atomicity_report.h"
#include "check/checker.h"
#include "classfile/names.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/library_locks.h"
#include "cli/locks_file.h"
#include "locktypes/annotation_reader.h"
#include "locktypes/comment_reader.h"
#include "locktypes/lock_types.h"
#include "report/report_json.h"
#include "report/report_source.h"

enum { HOLDS_ON, HOLDS_OFF };
enum { STATS_MAX = 32 };

static struct {
    struct common_options common;
    unsigned defaults, format, constructor_holds_lock;
    unsigned expect_atomic;
    bool stats, program, library, atomicities, all;
    const char *jdk, *explain;
    options_words sources, locks, silenced;
} settings = {.format = COMMAND_FORMAT_NOT_TOLD};

static const char *const defaults_choices[] = {"belief", "rfj", NULL};
static const char *const expect_choices[] = {"declared", "exported", "none", NULL};
static const char *const switch_choices[] = {"on", "off", NULL};

static const struct option options[] = {
    {.name = "defaults",
     .kind = OPTION_CHOICE,
     .argument = "belief|rfj",
     .help = "What counts for fields that nobody says anything about. belief, unless told: if "
             "nearly all accesses of a field hold the same lock, that is taken to be its guard, "
             "and the others are reported with basis `belief`. rfj: the default rules of Race Free "
             "Java. Classes without annotations and synchronized methods belong to one thread; "
             "fields of the others are guarded by their object, static ones by their class.",
     .target = &settings.defaults,
     .choices = defaults_choices},
    {.name = "source",
     .kind = OPTION_LIST,
     .argument = "DIR",
     .help = "Where Java source is, for comment annotations (/*# guarded_by this */) and for the "
             "lines in the report. May be given several times.",
     .target = &settings.sources},
    {.name = "locks",
     .kind = OPTION_LIST,
     .argument = "FILE",
     .help = "Lock types in a file of their own; they count more than those in source and class "
             "files. May be given several times.",
     .target = &settings.locks},
    {.name = "no-warn",
     .kind = OPTION_LIST,
     .argument = "RULE",
     .help = "Do not report findings of this rule. May be given several times.",
     .target = &settings.silenced},
    {.name = "constructor-holds-lock",
     .kind = OPTION_CHOICE,
     .argument = "on|off",
     .help = "Whether a constructor counts as holding the locks of the object that it makes, which "
             "is right as long as it shows the object to nobody. on, unless told.",
     .target = &settings.constructor_holds_lock,
     .choices = switch_choices},
    {.name = "program",
     .kind = OPTION_FLAG,
     .help = "This is a whole program: its methods are called by main, by threads and tasks, and "
             "by each other.",
     .target = &settings.program},
    {.name = "library",
     .kind = OPTION_FLAG,
     .help = "This is a library, unless told: public and protected methods may be called by "
             "anybody, holding nothing.",
     .target = &settings.library},
    {.name = "expect-atomic",
     .kind = OPTION_CHOICE,
     .argument = "declared|exported|none",
     .help =
         "Which methods should be atomic: those that are declared so, unless told; with "
         "exported also public, protected and synchronized ones, but not main and run, and "
         "synchronized blocks. Of methods that have the same cause only the lowest are reported.",
     .target = &settings.expect_atomic,
     .choices = expect_choices},
    {.name = "all",
     .kind = OPTION_FLAG,
     .help = "Report every method that should be atomic and is not, also if a method that it calls "
             "is the cause.",
     .target = &settings.all},
    {.name = "atomicities",
     .kind = OPTION_FLAG,
     .help = "Write the inferred atomicity of every method instead of findings, as a .locks file.",
     .target = &settings.atomicities},
    {.name = "explain",
     .kind = OPTION_STRING,
     .argument = "RULE",
     .help = "Say what the rule means, with an example, and do nothing else.",
     .target = &settings.explain},
    {.name = "stats",
     .kind = OPTION_FLAG,
     .help = "Say at the end how many classes, methods and fields there were, what the fields are "
             "guarded by, how many methods are without a finding, and what it took.",
     .target = &settings.stats},
    COMMAND_FORMAT_OPTION(settings.format, "standard output"),
    COMMAND_JDK_OPTION(settings.jdk),
    COMMON_OPTIONS_WITH(settings.common, "Write the result to FILE instead of standard output.",
                        "Errors and findings only.")};

/* Everything that is loaded and made, in the order in which it is. */
struct work {
    struct diagnostics *diagnostics;
    struct program program;
    struct call_graph graph;
    struct field_facts facts;
    struct entry_points entries;
    struct arena arena; /* of the declarations */
    struct lock_types types;
    struct checker checker;
    struct atomicity_inference atomicity;
    struct atomicity_counts atomicity_counts;
    uint64_t atomicity_milliseconds;
    struct finding_list findings;
    struct syntax_errors errors; /* of annotations and comments */
    struct problem problem;
};

/* ---- the program ---- */

static bool load_program(struct work *work, const options_words *paths)
{
    const struct program_options choice = {.platform = settings.jdk};
    bool found = program_init(&work->program, &choice, work->diagnostics, &work->problem);
    size_t usable = 0;
    for (size_t i = 0; found && i < paths->count; i++) {
        usable +=
            program_add_path(&work->program, paths->items[i], work->diagnostics, &work->problem);
        found = !work->problem.set;
    }
    if (!found || !usable || !program_link(&work->program, work->diagnostics, &work->problem))
        return false;
    /* A wrong path must not look like a program without mistakes. */
    if (!work->program.application_count && !work->diagnostics->errors)
        diagnostics_error(work->diagnostics, "no classes were found, so nothing was checked");
    return work->program.application_count > 0;
}

static bool look_into_program(struct work *work)
{
    const struct call_graph_options graph_options = {0};
    const struct field_facts_options facts_options = {.open_world = !settings.program};
    return call_graph_build(&work->graph, &work->program, &graph_options, work->diagnostics,
                            &work->problem) &&
           field_facts_build(&work->facts, &work->graph, &facts_options, &work->problem) &&
           entry_points_find(&work->entries, &work->graph, &work->problem);
}

/* ---- lock types ---- */

static bool out_of_memory(struct work *work)
{
    problem_set(&work->problem, PROBLEM_NO_OFFSET, "out of memory");
    return false;
}

static struct declarations *new_declarations(struct work *work)
{
    struct declarations *declarations = ARENA_NEW(&work->arena, struct declarations);
    if (!declarations)
        out_of_memory(work);
    return declarations;
}

static bool add_library(struct work *work, const struct library_locks *library)
{
    struct declarations *declarations = new_declarations(work);
    return declarations &&
           locks_file_parse(declarations, &work->arena, text_from(library->name),
                            text_of(library->bytes, library->size), SOURCE_PLATFORM,
                            work->diagnostics) &&
           lock_types_add(&work->types, declarations);
}

static bool add_locks_file(struct work *work, const char *path)
{
    struct declarations *declarations = new_declarations(work);
    return declarations && locks_file_read(declarations, &work->arena, path, work->diagnostics) &&
           lock_types_add(&work->types, declarations);
}

static bool add_annotations(struct work *work)
{
    struct declarations *declarations = new_declarations(work);
    if (!declarations)
        return false;
    if (!annotation_reader_read(declarations, &work->arena, &work->program, &work->errors) ||
        !lock_types_add(&work->types, declarations))
        return out_of_memory(work);
    return true;
}

static bool add_comments(struct work *work, const char *folder)
{
    struct declarations *declarations = new_declarations(work);
    return declarations &&
           comment_reader_read(declarations, &work->arena, &work->program, folder, &work->errors,
                               work->diagnostics) &&
           lock_types_add(&work->types, declarations);
}

static bool read_lock_types(struct work *work)
{
    if (!lock_types_init(&work->types, &work->program, &work->facts, &work->problem))
        return false;
    for (size_t i = 0; i < library_locks_count; i++)
        if (!add_library(work, &library_locks[i]))
            return false;
    if (!add_annotations(work))
        return false;
    for (size_t i = 0; i < settings.sources.count; i++)
        if (!add_comments(work, settings.sources.items[i]))
            return false;
    for (size_t i = 0; i < settings.locks.count; i++)
        if (!add_locks_file(work, settings.locks.items[i]))
            return false;
    return lock_types_bind(&work->types, (enum lock_defaults)settings.defaults, &work->problem);
}

/* What annotations and comments say in no language of ours is a finding at its place. */
static bool report_errors(struct work *work, bool silenced)
{
    for (size_t i = 0; i < work->errors.items.count && !silenced; i++) {
        const struct syntax_error *error = &work->errors.items.items[i];
        const struct text file = error->place.file;
        const struct finding finding = {
            .rule = FINDING_BAD_ANNOTATION,
            .basis = FINDING_BASIS_DECLARED,
            .class_name = names_dotted(&work->arena, error->class_name),
            .member = error->member,
            .file = text_slice(file, (size_t)(text_find_last(file, '/') + 1), file.length),
            .line = error->place.line,
            .message = error->message,
        };
        if (!finding_list_add(&work->findings, &finding))
            return out_of_memory(work);
    }
    return true;
}

/* ---- checking ---- */

static bool choose_options(struct checker_options *choice, struct diagnostics *diagnostics)
{
    *choice = (struct checker_options){
        .defaults = (enum lock_defaults)settings.defaults,
        .constructor_checked = settings.constructor_holds_lock == HOLDS_OFF,
        .whole_program = settings.program,
    };
    if (settings.program && settings.library) {
        diagnostics_error(diagnostics, "--program and --library exclude each other");
        return false;
    }
    for (size_t i = 0; i < settings.silenced.count; i++) {
        enum finding_rule rule;
        if (!finding_rule_parse(text_from(settings.silenced.items[i]), &rule)) {
            diagnostics_error(diagnostics, "--no-warn takes the name of a rule, not '%s'",
                              settings.silenced.items[i]);
            return false;
        }
        choice->silenced[rule] = true;
    }
    return true;
}

static size_t collect_stats(const struct work *work, struct report_stat *stats)
{
    const struct checker_stats *counts = &work->checker.stats;
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    const struct report_stat all[] = {
        {TEXT("classes"), counts->classes},
        {TEXT("methods"), counts->methods},
        {TEXT("methods_executed"), counts->methods_executed},
        {TEXT("methods_failed"), counts->methods_failed},
        {TEXT("methods_typed"), counts->methods_typed},
        {TEXT("fields"), counts->fields},
        {TEXT("fields_final"), counts->fields_final},
        {TEXT("fields_volatile"), counts->fields_volatile},
        {TEXT("fields_guarded_by_this"), counts->fields_guarded_this},
        {TEXT("fields_guarded_by_class"), counts->fields_guarded_class},
        {TEXT("fields_guarded_by_other"), counts->fields_guarded_other},
        {TEXT("fields_write_guarded"), counts->fields_write_guarded},
        {TEXT("fields_believed"), counts->fields_believed},
        {TEXT("fields_without_guard"), counts->fields_unguarded},
        {TEXT("accesses"), counts->accesses},
        {TEXT("accesses_checked"), counts->accesses_checked},
        {TEXT("methods_atomic_at_all_call_sites"), work->atomicity_counts.atomic},
        {TEXT("methods_with_an_atomicity"), work->atomicity_counts.methods},
        {TEXT("atomicity_evaluations"), work->atomicity.evaluations},
        {TEXT("atomicity_components"), work->atomicity.components},
        {TEXT("atomicity_milliseconds"), work->atomicity_milliseconds},
        {TEXT("atomicity_warnings"), work->atomicity_counts.warnings},
        {TEXT("atomicity_clusters"), work->atomicity_counts.clusters},
        {TEXT("atomicity_reported"), work->atomicity_counts.reported},
        {TEXT("processor_milliseconds"), command_processor_nanoseconds() / 1000000},
        {TEXT("process_peak_bytes"), (uint64_t)usage.ru_maxrss * 1024},
    };
    _Static_assert(sizeof all / sizeof all[0] <= STATS_MAX, "room for all");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        stats[i] = all[i];
    return sizeof all / sizeof all[0];
}

static bool write_report(struct work *work, FILE *stream)
{
    struct report_stat stats[STATS_MAX];
    const struct report report = {
        .findings = &work->findings,
        .version = TEXT(TURNSTILE_VERSION),
        .command = TEXT("check"),
        .stats = stats,
        .stat_count = settings.stats ? collect_stats(work, stats) : 0,
    };
    const struct report_sources sources = {settings.sources.items, settings.sources.count};
    const bool json = command_wants_json(settings.format, &settings.common);
    struct builder text;
    builder_init(&text);
    const bool whole =
        settings.atomicities ? atomicity_inference_print(&work->atomicity, &text)
        : json               ? report_json_write(&report, &text)
                             : report_source_write(&report, &sources,
                                                   command_wants_color(&settings.common, stream), &text);
    if (!whole)
        out_of_memory(work);
    else if (settings.atomicities || !settings.common.quiet || work->findings.items.count || json ||
             settings.stats)
        fwrite(text.bytes, 1, text.length, stream);
    builder_release(&text);
    return command_close_output(stream, &settings.common, work->diagnostics) && whole;
}

static bool declares_atomicities(const struct work *work)
{
    for (uint32_t i = 0; i < work->program.application_method_count; i++)
        if (lock_types_method(&work->types, i)->atomicity)
            return true;
    return false;
}

/* Before the rules, which use the flows up. */
static bool infer_atomicities(struct work *work)
{
    const bool wanted = settings.atomicities || settings.expect_atomic == EXPECT_EXPORTED ||
                        (settings.expect_atomic == EXPECT_DECLARED && declares_atomicities(work));
    if (!wanted)
        return true;
    const uint64_t before = command_processor_nanoseconds();
    const bool done =
        atomicity_inference_run(&work->atomicity, &work->checker, &work->problem) &&
        atomicity_report(&work->atomicity, (enum expect_atomic)settings.expect_atomic, settings.all,
                         &work->findings, &work->atomicity_counts, &work->problem);
    work->atomicity_milliseconds = (command_processor_nanoseconds() - before) / 1000000;
    return done;
}

static bool check(struct work *work, const struct checker_options *choice)
{
    return checker_init(&work->checker, &work->graph, &work->types, &work->entries, choice,
                        work->diagnostics, &work->problem) &&
           infer_atomicities(work) &&
           checker_run(&work->checker, &work->findings, &work->problem) &&
           report_errors(work, choice->silenced[FINDING_BAD_ANNOTATION]);
}

static void release(struct work *work)
{
    atomicity_inference_release(&work->atomicity);
    checker_release(&work->checker);
    lock_types_release(&work->types);
    entry_points_release(&work->entries);
    field_facts_release(&work->facts);
    call_graph_release(&work->graph);
    program_release(&work->program);
    finding_list_release(&work->findings);
    vector_release(&work->errors.items);
    arena_release(&work->arena);
}

static int check_paths(const options_words *paths, const struct checker_options *choice,
                       struct diagnostics *diagnostics)
{
    struct work work = {.diagnostics = diagnostics};
    int status = EXIT_USAGE;
    if (!command_spares_inputs(&settings.common, paths, diagnostics) ||
        !command_spares_inputs(&settings.common, &settings.locks, diagnostics))
        return EXIT_USAGE;
    FILE *stream = command_open_output(&settings.common, diagnostics);
    if (!stream)
        return EXIT_USAGE;
    arena_init(&work.arena);
    finding_list_init(&work.findings);
    work.errors.arena = &work.arena;
    const bool done = load_program(&work, paths) && look_into_program(&work) &&
                      read_lock_types(&work) && check(&work, choice);
    if (done && write_report(&work, stream) && !diagnostics->errors)
        status =
            work.findings.items.count && !settings.atomicities ? EXIT_FINDINGS : EXIT_NOTHING_FOUND;
    if (work.problem.set) {
        diagnostics_problem(diagnostics, DIAGNOSTICS_ERROR, TEXT("check"), &work.problem);
        status = EXIT_INTERNAL;
    }
    release(&work);
    return status;
}

static int run_check(const options_words *words, struct diagnostics *diagnostics)
{
    struct checker_options choice;
    int status = EXIT_USAGE;
    if (settings.explain)
        status =
            explain_rule(settings.explain, stdout, diagnostics) ? EXIT_NOTHING_FOUND : EXIT_USAGE;
    else if (!words->count)
        diagnostics_error(diagnostics, "check needs a PATH: see 'turnstile check --help'");
    else if (choose_options(&choice, diagnostics))
        status = check_paths(words, &choice, diagnostics);
    vector_release(&settings.sources);
    vector_release(&settings.locks);
    vector_release(&settings.silenced);
    return status;
}

const struct command command_check = {
    .name = "check",
    .summary = "check class files and jars against their lock types",
    .synopsis = "turnstile check [OPTIONS] PATH...",
    .description =
        "Checks that every field is accessed with the lock held that guards it, and every method "
        "called with the locks that it requires, on every path, without running the program. Locks "
        "are synchronized blocks and methods and those of java.util.concurrent.\n"
        "\n"
        "What guards what is read from annotations in the class files (GuardedBy of JCIP, jsr305, "
        "Error Prone, androidx and the Checker Framework, and turnstile.annotation), from comments "
        "in the source (--source), from files (--locks), and, for all else, from what the code "
        "itself mostly does (--defaults).\n"
        "\n"
        "Each finding says where it has the guard from: declared, inferred, default or belief, the "
        "last with the number of accesses that keep to it. The surest come first.",
    .examples = "turnstile check bank.jar\n"
                "turnstile check --source src --locks bank.locks classes/\n"
                "turnstile check --defaults rfj --stats bank.jar\n"
                "turnstile check --expect-atomic exported service.jar\n"
                "turnstile check --atomicities -o service.locks service.jar\n"
                "turnstile check --explain guard-not-held",
    .options = options,
    .common = &settings.common,
    .run = run_check,
};
