#include "cli/command.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *const command_color_choices[] = {"auto", "always", "never", NULL};
const char *const command_format_choices[] = {"text", "json", NULL};

bool command_wants_json(unsigned format, const struct common_options *common)
{
    return format == COMMAND_FORMAT_NOT_TOLD ? common->output != NULL : format == COMMAND_JSON;
}

bool command_wants_color(const struct common_options *common, FILE *stream)
{
    return common->color == DIAGNOSTICS_COLOR_ALWAYS ||
           (common->color == DIAGNOSTICS_COLOR_AUTO && isatty(fileno(stream)));
}

uint64_t command_processor_nanoseconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void print_heading(const char *heading, FILE *stream)
{
    fprintf(stream, "\n%s\n", heading);
}

void command_print_exit_status(FILE *stream)
{
    print_heading("EXIT STATUS", stream);
    fputs("    0  done, nothing found\n"
          "    1  findings\n"
          "    2  wrong usage, or input that cannot be read\n"
          "    3  internal error, such as no memory\n",
          stream);
}

void command_print_help(const struct command *command, FILE *stream)
{
    fputs("NAME\n", stream);
    fprintf(stream, "    turnstile %s - %s\n", command->name, command->summary);
    print_heading("SYNOPSIS", stream);
    options_print_wrapped(command->synopsis, 4, stream);
    print_heading("DESCRIPTION", stream);
    options_print_wrapped(command->description, 4, stream);
    print_heading("OPTIONS", stream);
    options_print(command->options, stream);
    if (command->exit_status) {
        print_heading("EXIT STATUS", stream);
        options_print_wrapped(command->exit_status, 4, stream);
    } else {
        command_print_exit_status(stream);
    }
    print_heading("EXAMPLES", stream);
    options_print_wrapped(command->examples, 4, stream);
}

int command_execute(const struct command *command, int argument_count, char **arguments)
{
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, stderr, DIAGNOSTICS_COLOR_AUTO);
    options_words words = VECTOR_EMPTY;
    int status = EXIT_USAGE;
    if (options_parse(command->options, command->order, argument_count, arguments, &words,
                      command->name, &diagnostics)) {
        diagnostics_release(&diagnostics);
        diagnostics_init(&diagnostics, stderr, command->common->color);
        diagnostics.quiet = command->common->quiet;
        diagnostics.verbose = command->common->verbose;
        if (command->common->help) {
            command_print_help(command, stdout);
            status = EXIT_NOTHING_FOUND;
        } else {
            status = command->run(&words, &diagnostics);
        }
    }
    vector_release(&words);
    diagnostics_release(&diagnostics);
    return status;
}

bool command_spares_inputs(const struct common_options *common, const options_words *inputs,
                           struct diagnostics *diagnostics)
{
    struct stat output, input;
    if (!common->output || stat(common->output, &output) != 0 || !S_ISREG(output.st_mode))
        return true;
    for (size_t i = 0; i < inputs->count; i++)
        if (stat(inputs->items[i], &input) == 0 && input.st_dev == output.st_dev &&
            input.st_ino == output.st_ino) {
            diagnostics_error(diagnostics,
                              "%s: is read, and would be overwritten: give -o another file",
                              common->output);
            return false;
        }
    return true;
}

FILE *command_open_output(const struct common_options *common, struct diagnostics *diagnostics)
{
    if (!common->output)
        return stdout;
    FILE *stream = fopen(common->output, "we");
    if (!stream)
        diagnostics_error(diagnostics, "%s: cannot be written: %s", common->output,
                          strerror(errno));
    return stream;
}

bool command_close_output(FILE *stream, const struct common_options *common,
                          struct diagnostics *diagnostics)
{
    /* An error of an earlier write is remembered by the stream, its reason only by errno. */
    bool failed = ferror(stream) != 0;
    errno = failed ? errno : 0;
    if ((stream == stdout ? fflush(stream) : fclose(stream)) != 0)
        failed = true;
    if (failed)
        diagnostics_error(diagnostics, "%s: cannot be written: %s",
                          common->output ? common->output : "standard output",
                          errno ? strerror(errno) : "write error");
    return !failed;
}
