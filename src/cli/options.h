/*
 * options: command-line options from a table, which also gives the OPTIONS part of the help.
 *
 * Accepts --name VALUE, --name=VALUE, -x VALUE, -xVALUE, flags by their long or short name, and --
 * as the end of options. Options and other words come in any order, or, for commands that start a
 * program with options of its own, options first. Names are not abbreviated.
 */
#ifndef TURNSTILE_CLI_OPTIONS_H
#define TURNSTILE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diagnostics.h"
#include "base/vector.h"

typedef VECTOR(const char *) options_words;

enum option_kind {
    OPTION_FLAG,   /* bool *: set to true */
    OPTION_STRING, /* const char **: points into the arguments */
    OPTION_NUMBER, /* unsigned *: from `least` to `most` */
    OPTION_CHOICE, /* unsigned *: the number of the word in `choices` */
    OPTION_LIST    /* options_words *: each use of the option adds a word, which is not empty */
};

struct option {
    const char *name; /* without the dashes */
    char letter;      /* the short form, or 0 */
    enum option_kind kind;
    const char *argument; /* what its value is called in the help; NULL for a flag */
    const char *help;
    void *target;
    const char *const *choices; /* ends with NULL */
    unsigned least, most;
};

/* Tables end with an entry whose name is NULL. */
#define OPTIONS_END                                                                                \
    {                                                                                              \
        .name = NULL                                                                               \
    }

enum options_order {
    OPTIONS_ANYWHERE,
    OPTIONS_FIRST /* what follows the first word that is no option is not looked at */
};

/* Stores values through the targets and collects the other words. False after an error was
   reported; `command` is named in it as the place to look for help. */
bool options_parse(const struct option *options, enum options_order order, int argument_count,
                   char **arguments, options_words *words, const char *command,
                   struct diagnostics *diagnostics);

void options_print(const struct option *options, FILE *stream);

/* Prints words broken into lines of at most 78 columns, each indented. Existing line ends stay. */
void options_print_wrapped(const char *text, unsigned indent, FILE *stream);

#endif
