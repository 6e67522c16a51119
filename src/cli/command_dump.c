/*
 * turnstile dump: classes, their code and frames, the call graph, traces, or lock types, as text.
 */
#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "bytecode/dump.h"
#include "classfile/class_reader.h"
#include "classfile/input.h"
#include "classfile/names.h"
#include "cli/command.h"
#include "cli/dump_trace.h"
#include "cli/locks_file.h"
#include "locktypes/syntax_parser.h"
#include "program/dump_call_graph.h"
#include "program/hierarchy.h"
#include "program/program.h"

static struct {
    struct common_options common;
    bool code, frames, call_graph, all_versions, std, numbers;
    const char *class_pattern;
    const char *jdk;
    unsigned release;
    unsigned targets;
} settings = {.targets = 20};

static const struct option options[] = {
    {.name = "code",
     .letter = 'c',
     .kind = OPTION_FLAG,
     .help = "Show the instructions, exception handlers and line numbers of each method.",
     .target = &settings.code},
    {.name = "frames",
     .letter = 'f',
     .kind = OPTION_FLAG,
     .help = "Show the instructions, and before each the types of local variables and operand "
             "stack: from the StackMapTable, or by the data-flow rules in files that have none.",
     .target = &settings.frames},
    {.name = "callgraph",
     .letter = 'g',
     .kind = OPTION_FLAG,
     .help = "Show who may call whom, where threads and frameworks enter the program, what is "
             "reachable from there, and which fields are final in effect. All PATHs together are "
             "one program.",
     .target = &settings.call_graph},
    {.name = "targets",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .help = "With --callgraph: show at most N of the methods that one call may run, 20 unless "
             "told; 0 shows all.",
     .target = &settings.targets,
     .most = UINT32_MAX},
    {.name = "std",
     .kind = OPTION_FLAG,
     .help = "The PATHs are traces: write their events in the STD format. See docs/traces.md.",
     .target = &settings.std},
    {.name = "numbers",
     .kind = OPTION_FLAG,
     .help = "With --std: call things T1, V1, L1, as some programs want it.",
     .target = &settings.numbers},
    {.name = "class",
     .kind = OPTION_STRING,
     .argument = "PATTERN",
     .help = "Show only classes whose name matches, such as 'java.util.*' or '*Account'. All "
             "others are still read.",
     .target = &settings.class_pattern},
    {.name = "release",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .help = "Read multi-release jars as Java N would. Unless told, as the JDK would (see --jdk).",
     .target = &settings.release,
     .least = 8,
     .most = 99},
    {.name = "all-versions",
     .kind = OPTION_FLAG,
     .help = "Read every version of every class in a multi-release jar.",
     .target = &settings.all_versions},
    COMMAND_JDK_OPTION(settings.jdk),
    COMMON_OPTIONS(settings.common)};

/* Whether --class lets the class with this internal name through. Names and patterns may have dots
   or slashes. */
static bool is_wanted(struct text internal_name)
{
    if (!settings.class_pattern)
        return true;
    struct builder name, pattern;
    builder_init(&name);
    builder_init(&pattern);
    names_add_dotted(&name, internal_name);
    names_add_dotted(&pattern, text_from(settings.class_pattern));
    bool wanted = fnmatch(builder_string(&pattern), builder_string(&name), 0) == 0;
    builder_release(&pattern);
    builder_release(&name);
    return wanted;
}

/* ---- classes one by one ---- */

struct dump_walk {
    FILE *output;
    struct diagnostics *diagnostics;
    struct progress progress;
    struct arena arena;
    struct builder builder;
    struct dump_options options;
    size_t read, shown; /* classes */
    size_t others;      /* traces, .locks files */
    bool failed;        /* for a reason that is not the input's: memory, or a limit */
};

static void fail(struct dump_walk *walk, struct text where, const struct problem *problem)
{
    diagnostics_problem(walk->diagnostics, DIAGNOSTICS_ERROR, where, problem);
    walk->failed = true;
}

static void fail_memory(struct dump_walk *walk, struct text where)
{
    struct problem problem = {0};
    problem_set(&problem, PROBLEM_NO_OFFSET, "out of memory");
    fail(walk, where, &problem);
}

/* Told by the dumper: what there is may be too much to keep. */
static void write_some(void *context, struct builder *builder)
{
    enum { ENOUGH = 1 << 20 };
    const struct dump_walk *walk = context;
    if (builder->failed || builder->length < ENOUGH)
        return;
    fwrite(builder->bytes, 1, builder->length, walk->output);
    builder_clear(builder);
}

static void print_class(struct dump_walk *walk, const struct class_file *class_file,
                        struct text path)
{
    walk->read++;
    progress_step(&walk->progress, path);
    if (!is_wanted(class_this_name(class_file)))
        return;
    walk->shown++;
    builder_clear(&walk->builder);
    dump_class(&walk->builder, class_file, &walk->options, path, walk->diagnostics);
    if (walk->builder.failed)
        fail_memory(walk, path);
    else
        fwrite(walk->builder.bytes, 1, walk->builder.length, walk->output);
}

static void read_class(void *context, const struct input_class *input)
{
    struct dump_walk *walk = context;
    struct problem problem;
    problem_clear(&problem);
    arena_clear(&walk->arena);
    struct class_file *class_file = class_read(&walk->arena, input->bytes, input->size, &problem);
    if (class_file)
        print_class(walk, class_file, input->path);
    else
        diagnostics_problem(walk->diagnostics, DIAGNOSTICS_ERROR, input->path, &problem);
}

/* Sets --jdk and --release where they were not given. */
static bool find_jdk(struct arena *arena, struct diagnostics *diagnostics)
{
    bool given = settings.jdk != NULL;
    if (!given) {
        struct text found = input_find_jdk(arena);
        settings.jdk = found.length ? found.bytes : "";
    }
    unsigned release = input_jdk_release(text_from(settings.jdk));
    if (given && settings.jdk[0] && !release) {
        diagnostics_error(diagnostics, "--jdk: %s is not the home of a JDK", settings.jdk);
        return false;
    }
    if (!settings.release)
        settings.release = release;
    diagnostics_note(diagnostics, "JDK: %s, multi-release jars as of Java %u",
                     settings.jdk[0] ? settings.jdk : "none", settings.release);
    return true;
}

static void print_trace(struct dump_walk *walk, struct trace_input *input,
                        enum dump_trace_form form)
{
    walk->others++;
    const uint64_t events = dump_trace(input, form, walk->output, walk->diagnostics);
    diagnostics_note(walk->diagnostics, "%s: %llu events", trace_input_name(input),
                     (unsigned long long)events);
}

/* In its normal form, as inference would write it. */
static void print_locks(struct dump_walk *walk, const char *path)
{
    struct arena arena;
    struct declarations declarations = {0};
    struct builder text;
    arena_init(&arena);
    builder_init(&text);
    walk->others++;
    if (locks_file_read(&declarations, &arena, path, walk->diagnostics)) {
        syntax_print_file(&declarations, &text);
        walk->failed |= text.failed;
        fwrite(builder_string(&text), 1, text.length, walk->output);
    }
    builder_release(&text);
    arena_release(&arena);
}

static void dump_std(struct dump_walk *walk, const options_words *paths)
{
    for (size_t i = 0; i < paths->count; i++) {
        struct trace_input input;
        if (!trace_input_init(&input, paths->items[i], walk->diagnostics))
            continue;
        print_trace(walk, &input, settings.numbers ? DUMP_TRACE_STD_NUMBERS : DUMP_TRACE_STD);
        trace_input_release(&input);
    }
}

/* A trace, or classes. */
static void dump_file(struct dump_walk *walk, const char *path)
{
    struct trace_input input;
    char room[TRACE_INPUT_PATH];
    if (!trace_input_init(&input, path, walk->diagnostics))
        return;
    const struct input_options choice = {.release = settings.release,
                                         .all_versions = settings.all_versions,
                                         .name = input.copy < 0 ? NULL : trace_input_name(&input)};
    if (dump_trace_is(&input))
        print_trace(walk, &input, DUMP_TRACE_TEXT);
    else
        input_walk(trace_input_path(&input, room), &choice, walk->diagnostics, read_class, walk);
    trace_input_release(&input);
}

static void dump_files(struct dump_walk *walk, const options_words *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        if (locks_file_is(paths->items[i]))
            print_locks(walk, paths->items[i]);
        else
            dump_file(walk, paths->items[i]);
}

/* ---- classes as one program ---- */

static void print_program(struct dump_walk *walk, const struct program *program,
                          struct problem *problem)
{
    if (settings.call_graph) {
        struct dump_call_graph_options choice = {.most_targets = settings.targets,
                                                 .is_wanted = is_wanted};
        for (uint32_t i = 0; i < program->application_count; i++)
            walk->shown += is_wanted(program->classes[i].name);
        walk->read = program->application_count;
        program_dump_call_graph(program, &choice, walk->output, walk->diagnostics, problem);
        return;
    }
    struct type_hierarchy hierarchy = program_type_hierarchy(program);
    walk->options.hierarchy = &hierarchy;
    for (uint32_t i = 0; i < program->application_count; i++)
        if (program->classes[i].class_file)
            print_class(walk, program->classes[i].class_file, program->classes[i].path);
    walk->options.hierarchy = NULL;
}

static void warn_of_duplicates(const struct dump_walk *walk, const struct program *program)
{
    const unsigned count = program->duplicate_count;
    if (count)
        diagnostics_warning(walk->diagnostics,
                            "%u class%s not used, because others of the same name come earlier on "
                            "the class path; -v names them",
                            count, count == 1 ? " is" : "es are");
}

static void dump_program(struct dump_walk *walk, const options_words *paths)
{
    struct program_options choice = {.platform = settings.jdk, .release = settings.release};
    struct problem problem;
    problem_clear(&problem);
    struct program program;
    bool done = program_init(&program, &choice, walk->diagnostics, &problem);
    for (size_t i = 0; done && i < paths->count; i++) {
        const char *path = strcmp(paths->items[i], "-") == 0 ? "/dev/stdin" : paths->items[i];
        done = program_add_path(&program, path, walk->diagnostics, &problem) || !problem.set;
    }
    if (done && program_link(&program, walk->diagnostics, &problem)) {
        warn_of_duplicates(walk, &program);
        print_program(walk, &program, &problem);
    }
    if (problem.set && !ferror(walk->output))
        fail(walk, TEXT("the program"), &problem);
    program_release(&program);
}

static bool check_usage(const options_words *words, struct diagnostics *diagnostics)
{
    const char *wrong = NULL;
    if (words->count == 0)
        wrong = "dump needs a PATH: see 'turnstile dump --help'";
    else if (settings.call_graph && (settings.code || settings.frames))
        wrong = "--callgraph shows no code: leave out --code and --frames";
    else if (settings.all_versions && (settings.call_graph || settings.frames))
        wrong =
            "--all-versions shows files; --callgraph and --frames need a program, which has one "
            "version of each class";
    else if (settings.std && (settings.call_graph || settings.code || settings.frames))
        wrong = "--std is for traces: leave out --callgraph, --code and --frames";
    else if (settings.numbers && !settings.std)
        wrong = "--numbers needs --std";
    if (wrong)
        diagnostics_error(diagnostics, "%s", wrong);
    return !wrong;
}

static void tell_what_was_shown(const struct dump_walk *walk)
{
    if (walk->others && !walk->read)
        return;
    if (!walk->read && !walk->diagnostics->errors && !walk->diagnostics->warnings)
        diagnostics_warning(walk->diagnostics, "no classes were found");
    else if (walk->read && !walk->shown)
        diagnostics_warning(walk->diagnostics, "no class matches '%s' among %zu",
                            settings.class_pattern, walk->read);
    diagnostics_note(walk->diagnostics, "%zu classes read, %zu shown", walk->read, walk->shown);
}

static void dump_all(struct dump_walk *walk, const options_words *words)
{
    /* On a terminal the classes themselves show how far it has come. */
    progress_init(&walk->progress, walk->diagnostics, "reading", "classes", 0);
    if (isatty(fileno(walk->output)))
        walk->progress.shown = false;
    if (settings.std)
        dump_std(walk, words);
    else if (settings.call_graph || settings.frames)
        dump_program(walk, words);
    else
        dump_files(walk, words);
    progress_finish(&walk->progress);
    tell_what_was_shown(walk);
}

static int run_dump(const options_words *words, struct diagnostics *diagnostics)
{
    struct dump_walk walk = {.diagnostics = diagnostics,
                             .options = {.code = settings.code || settings.frames,
                                         .frames = settings.frames,
                                         .flush = write_some}};
    walk.options.context = &walk;
    struct arena kept;
    arena_init(&kept);
    arena_init(&walk.arena);
    builder_init(&walk.builder);
    bool done = check_usage(words, diagnostics) && find_jdk(&kept, diagnostics) &&
                command_spares_inputs(&settings.common, words, diagnostics) &&
                (walk.output = command_open_output(&settings.common, diagnostics)) != NULL;
    if (done) {
        dump_all(&walk, words);
        done = command_close_output(walk.output, &settings.common, diagnostics);
    }
    builder_release(&walk.builder);
    arena_release(&walk.arena);
    arena_release(&kept);
    if (walk.failed)
        return EXIT_INTERNAL;
    return done && !diagnostics->errors ? EXIT_NOTHING_FOUND : EXIT_USAGE;
}

const struct command command_dump = {
    .name = "dump",
    .summary = "show classes, their code and call graph, or traces as text",
    .synopsis = "turnstile dump [OPTIONS] PATH...",
    .description =
        "Prints what is in class files. A PATH is a class file, a folder, a jar, war, ear, zip or "
        "jmod (with the jars inside it), the lib/modules image of a JDK, or the home of a JDK. It "
        "may also be a trace, recorded or in the STD format, of which each event is shown in a "
        "line, with the names that it was recorded with, or a .locks file, which is shown in its "
        "normal form.\n"
        "\n"
        "Without options each class is shown with its fields, methods and attributes. Input that "
        "cannot be read is reported on standard error, one line each with file, offset and reason; "
        "the rest is still shown, and the exit status is 2.\n"
        "\n"
        "A PATH may be a pipe; - is standard input. Archives may stand in each other four deep; "
        "inflated, a class may have 64 MiB and an archive in another 1 GiB. --frames makes "
        "hundreds "
        "of megabytes of a large jar: --class chooses.",
    .examples = "turnstile dump --code Account.class\n"
                "turnstile dump --frames --class 'org.h2.util.*' h2.jar\n"
                "turnstile dump --callgraph -o graph.txt build/classes lib/service.jar\n"
                "turnstile dump --std bank.trace >bank.std\n"
                "turnstile dump --class java.lang.Thread /usr/lib/jvm/java-17-openjdk-amd64",
    .options = options,
    .common = &settings.common,
    .run = run_dump,
};
