#include "cli/launch.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "classfile/input.h"

#define AGENT_FILE "libturnstile.so"

enum { OLDEST_JAVA = 17 };

#if defined(__x86_64__)
#define MACHINE "x86_64"
#define OLD_MACHINE "amd64" /* as Java 8 called it */
#elif defined(__aarch64__)
#define MACHINE "aarch64"
#define OLD_MACHINE "aarch64"
#endif

/* Where the agent is, seen from the folder of the command: in the build, or installed. */
static const char *const agent_folders[] = {".", "../lib/turnstile", "../lib64/turnstile",
                                            "../lib/" MACHINE "-linux-gnu/turnstile"};

/* What the home of a JDK or JRE has: any of these. */
static const char *const jvm_files[] = {"release", "lib/server/libjvm.so", "lib/libjvm.so",
                                        "lib/" OLD_MACHINE "/server/libjvm.so"};

void launch_init(struct launch *launch, struct diagnostics *diagnostics)
{
    *launch = (struct launch){.diagnostics = diagnostics};
    builder_init(&launch->options);
    arena_init(&launch->arena);
    run_log_init(&launch->log);
}

void launch_release(struct launch *launch)
{
    builder_release(&launch->options);
    arena_release(&launch->arena);
    run_log_release(&launch->log);
}

static bool fail_memory(struct launch *launch)
{
    diagnostics_error(launch->diagnostics, "out of memory");
    return false;
}

/* FOLDER/NAME in the arena, or NULL. */
const char *launch_join(struct launch *launch, struct text folder, const char *name)
{
    struct builder path;
    builder_init(&path);
    builder_add(&path, folder);
    if (!text_ends_with(folder, TEXT("/")))
        builder_add_byte(&path, '/');
    builder_add_string(&path, name);
    const char *joined =
        path.failed ? NULL : arena_copy(&launch->arena, builder_string(&path), path.length + 1, 1);
    builder_release(&path);
    return joined;
}

static struct text folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return TEXT(".");
    return text_of(path, slash == path ? 1 : (size_t)(slash - path));
}

/* The path seen from wherever the JVM will be. */
static const char *absolute(struct launch *launch, const char *path)
{
    char folder[PATH_MAX];
    if (path[0] == '/' || !getcwd(folder, sizeof folder))
        return path;
    return launch_join(launch, text_from(folder), path);
}

/* ---- the program ---- */

/* 0, or the errno of why the file cannot be executed. */
static int why_not_executable(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return errno;
    if (S_ISDIR(status.st_mode))
        return EISDIR;
    return access(path, X_OK) == 0 ? 0 : errno;
}

/* As a shell would find it: the first that can be executed. */
static int search_path(struct launch *launch, const char *name)
{
    const char *variable = getenv("PATH");
    struct text folders = text_from(variable ? variable : "/bin:/usr/bin");
    int error = ENOENT;
    for (bool more = true; more && !launch->program;) {
        ptrdiff_t end = text_find(folders, ':');
        more = end >= 0;
        struct text folder = text_slice(folders, 0, more ? (size_t)end : folders.length);
        folders = text_slice(folders, folder.length + 1, folders.length);
        const char *path = launch_join(launch, folder.length ? folder : TEXT("."), name);
        if (!path)
            return ENOMEM;
        int reason = why_not_executable(path);
        if (!reason)
            launch->program = path;
        else if (reason == EACCES && access(path, F_OK) == 0)
            error = EACCES;
    }
    return launch->program ? 0 : error;
}

static bool find_program(struct launch *launch)
{
    const char *name = launch->words->items[0];
    bool is_path = strchr(name, '/') != NULL;
    int error = is_path ? why_not_executable(name) : search_path(launch, name);
    if (!error && is_path)
        launch->program = name;
    if (error == ENOENT && !is_path)
        diagnostics_error(launch->diagnostics, "%s: not found on the PATH", name[0] ? name : "''");
    else if (error)
        diagnostics_error(launch->diagnostics, "%s: cannot be run: %s", name, strerror(error));
    return !error;
}

/* ---- its JVM ---- */

static bool exists_in(struct launch *launch, struct text folder, const char *name)
{
    const char *path = launch_join(launch, folder, name);
    return path && access(path, F_OK) == 0;
}

/* HOME of HOME/bin/java, which is usually reached through links; empty if it is no such thing. */
static struct text find_home(struct launch *launch)
{
    char real[PATH_MAX];
    if (!realpath(launch->program, real))
        return TEXT("");
    struct text path = text_from(real);
    struct text ending = TEXT("/bin/java");
    if (!text_ends_with(path, ending))
        return TEXT("");
    struct text home = text_slice(path, 0, path.length - ending.length);
    for (size_t i = 0; i < sizeof jvm_files / sizeof jvm_files[0]; i++)
        if (exists_in(launch, home, jvm_files[i]))
            return text_copy(&launch->arena, home);
    return TEXT("");
}

/* 0 if nothing tells: the agent will look then. */
static unsigned find_release(struct text home)
{
    unsigned release = input_jdk_release(home);
    struct text inside = TEXT("/jre"); /* of a JDK, which alone has the file */
    if (!release && text_ends_with(home, inside))
        release = input_jdk_release(text_slice(home, 0, home.length - inside.length));
    return release;
}

static bool check_jvm(struct launch *launch)
{
    struct text home = find_home(launch);
    launch->is_java = home.length != 0;
    unsigned release = launch->is_java ? find_release(home) : 0;
    if (!release || release >= OLDEST_JAVA)
        return true;
    diagnostics_error(launch->diagnostics, "%s is Java %u, in %.*s: Java %d or newer is needed",
                      launch->program, release, TEXT_ARGUMENTS(home), OLDEST_JAVA);
    return false;
}

/* ---- the agent ---- */

static const char *real_path(struct launch *launch, const char *path)
{
    char real[PATH_MAX];
    return realpath(path, real) ? text_copy(&launch->arena, text_from(real)).bytes : NULL;
}

static bool find_told_agent(struct launch *launch, const char *path)
{
    launch->agent = real_path(launch, path);
    if (launch->agent && access(launch->agent, R_OK) == 0)
        return true;
    diagnostics_error(launch->diagnostics, "TURNSTILE_AGENT: %s: cannot be opened: %s", path,
                      strerror(errno));
    return false;
}

static bool find_agent_near(struct launch *launch)
{
    char command[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
    command[length > 0 ? length : 0] = '\0';
    struct text folder = folder_of(command);
    for (size_t i = 0; i < sizeof agent_folders / sizeof agent_folders[0]; i++) {
        const char *near = launch_join(launch, folder, agent_folders[i]);
        const char *path = near ? launch_join(launch, text_from(near), AGENT_FILE) : NULL;
        launch->agent = path && access(path, R_OK) == 0 ? real_path(launch, path) : NULL;
        if (launch->agent)
            return true;
    }
    diagnostics_error(launch->diagnostics,
                      "the agent, " AGENT_FILE ", is neither in %.*s nor in ../lib/turnstile from "
                      "there: set TURNSTILE_AGENT to its path",
                      TEXT_ARGUMENTS(folder));
    return false;
}

static bool find_agent(struct launch *launch)
{
    const char *told = getenv("TURNSTILE_AGENT");
    if (!(told && told[0] ? find_told_agent(launch, told) : find_agent_near(launch)))
        return false;
    /* The JVM takes what is behind the first '=' for the agent's options. */
    if (!strchr(launch->agent, '='))
        return true;
    diagnostics_error(launch->diagnostics,
                      "%s: a JVM cannot load an agent whose path has a '=' in it", launch->agent);
    return false;
}

bool launch_find(struct launch *launch, const options_words *words)
{
    launch->words = words;
    if (!find_program(launch) || !check_jvm(launch) || !find_agent(launch))
        return false;
    if (launch->arena.failed)
        return fail_memory(launch);
    diagnostics_note(launch->diagnostics, "program %s, %s; agent %s", launch->program,
                     launch->is_java ? "a Java launcher" : "with any JVM that it starts",
                     launch->agent);
    return true;
}

/* ---- what the agent is told ---- */

void launch_tell(struct launch *launch, const char *name, const char *value)
{
    if (launch->options.length)
        builder_add_byte(&launch->options, ',');
    builder_add_string(&launch->options, name);
    if (!value)
        return;
    builder_add_byte(&launch->options, '=');
    for (; *value; value++) {
        if (*value == ',' || *value == '\\')
            builder_add_byte(&launch->options, '\\');
        builder_add_byte(&launch->options, *value);
    }
}

void launch_tell_number(struct launch *launch, const char *name, unsigned value)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%u", value);
    launch_tell(launch, name, digits);
}

/* 0, or the errno of why the agent could not write there: it makes a new file beside the old one
   and gives it the name, except where there is a device or a pipe. */
static int why_not_writable(struct launch *launch, const char *path)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return EISDIR;
    if (exists && !S_ISREG(status.st_mode))
        return access(path, W_OK) == 0 ? 0 : errno;
    char real[PATH_MAX]; /* the file that a link leads to is the one that is replaced */
    const char *target = exists && realpath(path, real) ? real : path;
    struct text folder = text_copy(&launch->arena, folder_of(target));
    if (!folder.length)
        return ENOMEM;
    if (stat(folder.bytes, &status) != 0)
        return errno;
    if (!S_ISDIR(status.st_mode) || target[strlen(target) - 1] == '/')
        return ENOTDIR;
    return access(folder.bytes, W_OK | X_OK) == 0 ? 0 : errno;
}

const char *launch_tell_file(struct launch *launch, const char *name, const char *path)
{
    int error = path[0] ? why_not_writable(launch, path) : ENOENT;
    if (error) {
        if (path[0])
            diagnostics_error(launch->diagnostics, "%s: cannot be written: %s", path,
                              strerror(error));
        else
            diagnostics_error(launch->diagnostics, "--%s '': cannot be written: %s", name,
                              strerror(error));
        return NULL;
    }
    path = absolute(launch, path);
    const struct text whole = text_copy(&launch->arena, text_from(path ? path : ""));
    if (!whole.length) {
        fail_memory(launch);
        return NULL;
    }
    launch_tell(launch, name, whole.bytes);
    return whole.bytes;
}

bool launch_tell_input(struct launch *launch, const char *name, const char *path)
{
    struct stat status;
    int error = stat(path, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
    if (!error && access(path, R_OK) != 0)
        error = errno;
    if (error) {
        diagnostics_error(launch->diagnostics, "%s: %s", path[0] ? path : "''", strerror(error));
        return false;
    }
    path = absolute(launch, path);
    if (!path) {
        fail_memory(launch);
        return false;
    }
    launch_tell(launch, name, path);
    return true;
}

/* ---- what the agents say ---- */

/* An empty file, to which each JVM adds. NULL after reporting why there is none. */
static char *make_log_file(struct launch *launch)
{
    const char *folder = getenv("TMPDIR");
    folder = absolute(launch, folder && folder[0] ? folder : "/tmp");
    const char *pattern =
        folder ? launch_join(launch, text_from(folder), "turnstile-log-XXXXXX") : NULL;
    char *path = pattern ? arena_copy(&launch->arena, pattern, strlen(pattern) + 1, 1) : NULL;
    if (!path) {
        fail_memory(launch);
        return NULL;
    }
    int file = mkstemp(path);
    if (file < 0) {
        diagnostics_error(launch->diagnostics, "%s: no temporary file can be made there: %s",
                          folder, strerror(errno));
        return NULL;
    }
    close(file);
    return path;
}

static void read_log(struct launch *launch, const char *path)
{
    struct problem problem;
    problem_clear(&problem);
    if (!run_log_read(&launch->log, path, &problem))
        diagnostics_problem(launch->diagnostics, DIAGNOSTICS_WARNING, text_from(path), &problem);
}

/* ---- the start ---- */

static bool needs_quotes(const char *word)
{
    for (; *word; word++)
        if (isspace((unsigned char)*word) || *word == '"' || *word == '\'')
            return true;
    return false;
}

/* As JVMs read JAVA_TOOL_OPTIONS: between two quotes of one kind all is taken as it is, and quoted
   and other parts join to one word. */
static void add_quoted(struct builder *builder, const char *word)
{
    bool quoted = needs_quotes(word);
    char quote = '\0';
    for (; *word; word++) {
        if (quoted && (!quote || *word == quote)) {
            if (quote)
                builder_add_byte(builder, quote);
            quote = *word == '"' ? '\'' : '"';
            builder_add_byte(builder, quote);
        }
        builder_add_byte(builder, *word);
    }
    if (quote)
        builder_add_byte(builder, quote);
}

static bool set_environment(struct launch *launch, const char *agent_option)
{
    const char *before = getenv("JAVA_TOOL_OPTIONS");
    struct builder value;
    builder_init(&value);
    if (before && before[0])
        builder_add_format(&value, "%s ", before);
    add_quoted(&value, agent_option);
    bool set = !value.failed && setenv("JAVA_TOOL_OPTIONS", builder_string(&value), 1) == 0;
    builder_release(&value);
    return set || fail_memory(launch);
}

/* The program's words, with the agent's behind the first if it is to stand there. */
static char **make_arguments(struct launch *launch, const char *agent_option)
{
    size_t count = launch->words->count;
    char **arguments = ARENA_ARRAY(&launch->arena, char *, count + 2);
    if (!arguments)
        return NULL;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        arguments[at++] = (char *)launch->words->items[i];
        if (i == 0 && agent_option)
            arguments[at++] = (char *)agent_option;
    }
    arguments[at] = NULL;
    return arguments;
}

static bool run_with_log(struct launch *launch, const char *log_path, struct child_end *end)
{
    /* What a script starts, or what that starts, inherits the variable from it; what `java` starts
       can have it from the agent only. */
    launch_tell(launch, launch->is_java ? "children" : "child", NULL);
    launch_tell(launch, "log", log_path);
    struct builder option;
    builder_init(&option);
    builder_add_format(&option, "-agentpath:%s=", launch->agent);
    builder_add(&option, builder_text(&launch->options));
    bool done = !option.failed && !launch->options.failed;
    char **arguments = make_arguments(launch, launch->is_java ? builder_string(&option) : NULL);
    if (!done || !arguments)
        done = fail_memory(launch);
    else if (!launch->is_java)
        done = set_environment(launch, builder_string(&option));
    int error = done ? child_run(launch->program, arguments, end) : 0;
    if (error)
        diagnostics_error(launch->diagnostics, "%s: cannot be run: %s", launch->program,
                          strerror(error));
    builder_release(&option);
    return done && !error;
}

bool launch_run(struct launch *launch, struct child_end *end)
{
    const char *log_path = make_log_file(launch);
    if (!log_path)
        return false;
    bool done = run_with_log(launch, log_path, end);
    if (done)
        read_log(launch, log_path);
    unlink(log_path);
    return done;
}
