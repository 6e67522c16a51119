/*
 * command: what every command of the tool has in common.
 *
 * A command is one file, command_NAME.c, that defines `struct command command_NAME`, and one line
 * in commands.def. What it needs to say about itself stands in that struct; `turnstile help NAME`
 * prints it.
 */
#ifndef TURNSTILE_CLI_COMMAND_H
#define TURNSTILE_CLI_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diagnostics.h"
#include "cli/options.h"

enum exit_status {
    EXIT_NOTHING_FOUND = 0, /* all is done */
    EXIT_FINDINGS = 1,
    EXIT_USAGE = 2, /* wrong usage, or input that cannot be read */
    EXIT_INTERNAL = 3
};

/* Options that all commands take. */
struct common_options {
    const char *output; /* -o: NULL for standard output */
    unsigned color;     /* enum diagnostics_color */
    bool quiet, verbose;
    bool help;
};

/* The table entries for a struct common_options, to stand at the end of a command's table. */
#define COMMON_OPTIONS(common)                                                                     \
    COMMON_OPTIONS_WITH(common, "Write the result to FILE instead of standard output.",            \
                        "Errors only.")

/* The same, with other words about what -o and -q do. */
#define COMMON_OPTIONS_WITH(common, output_help, quiet_help)                                       \
    {.name = "output",                                                                             \
     .letter = 'o',                                                                                \
     .kind = OPTION_STRING,                                                                        \
     .argument = "FILE",                                                                           \
     .help = (output_help),                                                                        \
     .target = &(common).output},                                                                  \
        {.name = "color",                                                                          \
         .kind = OPTION_CHOICE,                                                                    \
         .argument = "auto|always|never",                                                          \
         .help = "Colour in messages; auto means on a terminal only.",                             \
         .target = &(common).color,                                                                \
         .choices = command_color_choices},                                                        \
        {.name = "quiet",                                                                          \
         .letter = 'q',                                                                            \
         .kind = OPTION_FLAG,                                                                      \
         .help = (quiet_help),                                                                     \
         .target = &(common).quiet},                                                               \
        {.name = "verbose",                                                                        \
         .letter = 'v',                                                                            \
         .kind = OPTION_FLAG,                                                                      \
         .help = "Say more about what is being done.",                                             \
         .target = &(common).verbose},                                                             \
        {.name = "help",                                                                           \
         .letter = 'h',                                                                            \
         .kind = OPTION_FLAG,                                                                      \
         .help = "Show this text.",                                                                \
         .target = &(common).help},                                                                \
        OPTIONS_END

extern const char *const command_color_choices[];

/* The form of a result: unless told, what is usual for where it goes. */
enum command_format { COMMAND_TEXT, COMMAND_JSON, COMMAND_FORMAT_NOT_TOLD };
extern const char *const command_format_choices[];

#define COMMAND_FORMAT_OPTION(format, where)                                                       \
    {                                                                                              \
        .name = "format", .kind = OPTION_CHOICE, .argument = "text|json",                          \
        .help = "The form of the result. Unless told, text on " where " and json in a file.",      \
        .target = &(format), .choices = command_format_choices                                     \
    }

bool command_wants_json(unsigned format, const struct common_options *common);

#define COMMAND_JDK_OPTION(jdk)                                                                    \
    {                                                                                              \
        .name = "jdk", .kind = OPTION_STRING, .argument = "HOME",                                  \
        .help =                                                                                    \
            "The JDK whose classes stand behind the program's. Unless told, $JAVA_HOME, else "     \
            "that of the java on the PATH, else the newest in /usr/lib/jvm. An empty HOME means "  \
            "none.",                                                                               \
        .target = &(jdk)                                                                           \
    }

struct command {
    const char *name;
    const char *summary;  /* one line, for the list of commands */
    const char *synopsis; /* one line each */
    const char *description;
    const char *exit_status; /* NULL: what is usual, see command_print_exit_status */
    const char *examples;
    const struct option *options;
    struct common_options *common;
    enum options_order order;
    /* The words that are no options. Returns an exit status. */
    int (*run)(const options_words *words, struct diagnostics *diagnostics);
};

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND

/* Parses the command's options, shows its help if asked to, sets up diagnostics, runs it. */
int command_execute(const struct command *command, int argument_count, char **arguments);

void command_print_help(const struct command *command, FILE *stream);

/* The EXIT STATUS part of the help. */
void command_print_exit_status(FILE *stream);

/* False after reporting that one of the inputs is the file that -o names, which would be lost. */
bool command_spares_inputs(const struct common_options *common, const options_words *inputs,
                           struct diagnostics *diagnostics);

/* Where results go: -o or standard output. NULL after reporting why not. */
FILE *command_open_output(const struct common_options *common, struct diagnostics *diagnostics);

/* Whether the result is coloured there. */
bool command_wants_color(const struct common_options *common, FILE *stream);

/* What the process has used so far. */
uint64_t command_processor_nanoseconds(void);

/* Closes it; false after reporting that something could not be written (a full disk). */
bool command_close_output(FILE *stream, const struct common_options *common,
                          struct diagnostics *diagnostics);

#endif
