/*
 * turnstile: the command line.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"

static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static void print_version(FILE *stream)
{
    fputs("turnstile " TURNSTILE_VERSION "\n", stream);
}

static void print_overview(FILE *stream)
{
    fputs("NAME\n"
          "    turnstile - find data races and atomicity violations in JVM programs\n"
          "\n"
          "SYNOPSIS\n"
          "    turnstile COMMAND [OPTIONS] [ARGUMENTS]\n"
          "    turnstile help [COMMAND]\n"
          "    turnstile --version\n"
          "\n"
          "COMMANDS\n",
          stream);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(stream, "    %-10s %s\n", commands[i]->name, commands[i]->summary);
    fputs("    help       show this text, or that of a command\n", stream);
    command_print_exit_status(stream);
}

/* `what` is wrong with that word. */
static int refuse(const char *what, const char *word)
{
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, stderr, DIAGNOSTICS_COLOR_AUTO);
    diagnostics_error(&diagnostics, "%s '%s': see 'turnstile help'", what, word);
    diagnostics_release(&diagnostics);
    return EXIT_USAGE;
}

static int unknown_command(const char *name)
{
    return refuse(name[0] == '-' ? "unknown option" : "unknown command", name);
}

static int show_help(int argument_count, char **arguments)
{
    if (argument_count == 0) {
        print_overview(stdout);
        return EXIT_NOTHING_FOUND;
    }
    const struct command *command = find_command(arguments[0]);
    if (!command)
        return unknown_command(arguments[0]);
    if (argument_count > 1)
        return refuse("help is about one command, not also about", arguments[1]);
    command_print_help(command, stdout);
    return EXIT_NOTHING_FOUND;
}

/* The largest files are mapped: who cuts one off takes away what is being read. */
static void tell_of_lost_file(int signal)
{
    (void)signal;
    static const char message[] = "turnstile: error: a file became shorter while it was read: try "
                                  "again when it is complete\n";
    const ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    _exit(written < 0 ? EXIT_INTERNAL : EXIT_USAGE);
}

static bool is_one_of(const char *word, const char *first, const char *second, const char *third)
{
    return strcmp(word, first) == 0 || strcmp(word, second) == 0 || strcmp(word, third) == 0;
}

int main(int argument_count, char **arguments)
{
    if (argument_count < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *word = arguments[1];
    if (is_one_of(word, "--version", "-V", "version")) {
        print_version(stdout);
        return EXIT_NOTHING_FOUND;
    }
    if (is_one_of(word, "--help", "-h", "help"))
        return show_help(argument_count - 2, arguments + 2);
    const struct command *command = find_command(word);
    if (!command)
        return unknown_command(word);
    const struct sigaction action = {.sa_handler = tell_of_lost_file};
    sigaction(SIGBUS, &action, NULL);
    return command_execute(command, argument_count - 2, arguments + 2);
}
