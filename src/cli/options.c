#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"

enum { LINE_WIDTH = 78, HELP_INDENT = 8 };

static const struct option *find_long(const struct option *options, struct text name)
{
    for (; options->name; options++)
        if (text_is(name, options->name))
            return options;
    return NULL;
}

static const struct option *find_short(const struct option *options, char letter)
{
    for (; options->name; options++)
        if (options->letter == letter)
            return options;
    return NULL;
}

static void list_choices(struct builder *builder, const struct option *option)
{
    for (unsigned i = 0; option->choices[i]; i++)
        builder_add_format(builder, "%s%s", i ? ", " : "", option->choices[i]);
}

static bool store_choice(const struct option *option, const char *value,
                         struct diagnostics *diagnostics)
{
    for (unsigned i = 0; option->choices[i]; i++) {
        if (strcmp(option->choices[i], value) == 0) {
            *(unsigned *)option->target = i;
            return true;
        }
    }
    struct builder choices;
    builder_init(&choices);
    list_choices(&choices, option);
    diagnostics_error(diagnostics, "--%s takes one of %s, not '%s'", option->name,
                      builder_string(&choices), value);
    builder_release(&choices);
    return false;
}

static bool store_number(const struct option *option, const char *value,
                         struct diagnostics *diagnostics)
{
    char *end;
    errno = 0;
    unsigned long number = strtoul(value, &end, 10);
    bool digits = value[0] >= '0' && value[0] <= '9' && *end == '\0';
    if (!digits || errno || number < option->least || number > option->most) {
        diagnostics_error(diagnostics, "--%s takes a whole number from %u to %u, not '%s'",
                          option->name, option->least, option->most, value);
        return false;
    }
    *(unsigned *)option->target = (unsigned)number;
    return true;
}

static bool store_in_list(const struct option *option, const char *value,
                          struct diagnostics *diagnostics)
{
    options_words *list = option->target;
    if (!value[0])
        diagnostics_error(diagnostics, "--%s takes %s, not an empty word", option->name,
                          option->argument);
    else if (vector_push(list, value))
        return true;
    else
        diagnostics_error(diagnostics, "out of memory");
    return false;
}

static bool store(const struct option *option, const char *value, struct diagnostics *diagnostics)
{
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)option->target = true;
        return true;
    case OPTION_STRING:
        *(const char **)option->target = value;
        return true;
    case OPTION_NUMBER:
        return store_number(option, value, diagnostics);
    case OPTION_CHOICE:
        return store_choice(option, value, diagnostics);
    case OPTION_LIST:
        return store_in_list(option, value, diagnostics);
    }
    return false;
}

struct parser {
    const struct option *options;
    char **arguments;
    int count, next;
    const char *command;
    struct diagnostics *diagnostics;
};

/* The value of an option: what is attached to it, or the next word. */
static bool take_value(struct parser *parser, const struct option *option, const char *attached)
{
    if (!option->argument) {
        if (!attached)
            return store(option, NULL, parser->diagnostics);
        diagnostics_error(parser->diagnostics, "--%s takes no value", option->name);
        return false;
    }
    if (!attached && parser->next < parser->count)
        attached = parser->arguments[parser->next++];
    if (!attached) {
        diagnostics_error(parser->diagnostics, "--%s needs a value: --%s %s", option->name,
                          option->name, option->argument);
        return false;
    }
    return store(option, attached, parser->diagnostics);
}

static bool unknown(struct parser *parser, const char *word)
{
    diagnostics_error(parser->diagnostics, "unknown option '%s': see 'turnstile %s --help'", word,
                      parser->command);
    return false;
}

static bool parse_long(struct parser *parser, const char *word)
{
    const char *equals = strchr(word, '=');
    struct text name =
        equals ? text_of(word + 2, (size_t)(equals - word - 2)) : text_from(word + 2);
    const struct option *option = find_long(parser->options, name);
    return option ? take_value(parser, option, equals ? equals + 1 : NULL) : unknown(parser, word);
}

static bool parse_short(struct parser *parser, const char *word)
{
    for (const char *letter = word + 1; *letter; letter++) {
        const struct option *option = find_short(parser->options, *letter);
        if (!option)
            return unknown(parser, word);
        if (option->argument)
            return take_value(parser, option, letter[1] ? letter + 1 : NULL);
        if (!take_value(parser, option, NULL))
            return false;
    }
    return true;
}

bool options_parse(const struct option *options, enum options_order order, int argument_count,
                   char **arguments, options_words *words, const char *command,
                   struct diagnostics *diagnostics)
{
    struct parser parser = {options, arguments, argument_count, 0, command, diagnostics};
    bool only_words = false;
    while (parser.next < parser.count) {
        const char *word = arguments[parser.next++];
        if (!only_words && strcmp(word, "--") == 0) {
            only_words = true;
        } else if (!only_words && word[0] == '-' && word[1]) {
            if (!(word[1] == '-' ? parse_long(&parser, word) : parse_short(&parser, word)))
                return false;
        } else if (vector_push(words, word)) {
            only_words |= order == OPTIONS_FIRST;
        } else {
            diagnostics_error(diagnostics, "out of memory");
            return false;
        }
    }
    return true;
}

static void indent_line(unsigned indent, FILE *stream)
{
    fprintf(stream, "%*s", (int)indent, "");
}

void options_print_wrapped(const char *text, unsigned indent, FILE *stream)
{
    unsigned column = 0;
    while (*text) {
        if (*text == '\n') {
            fputc('\n', stream);
            column = 0;
            text++;
            continue;
        }
        unsigned spaces = (unsigned)strspn(text, " ");
        unsigned length = (unsigned)strcspn(text + spaces, " \n");
        if (column && column + spaces + length > LINE_WIDTH) {
            fputc('\n', stream);
            column = 0;
            spaces = 0;
            text += strspn(text, " ");
        }
        if (!column) {
            indent_line(indent, stream);
            column = indent;
        }
        fprintf(stream, "%.*s", (int)(spaces + length), text);
        column += spaces + length;
        text += spaces + length;
    }
    fputc('\n', stream);
}

void options_print(const struct option *options, FILE *stream)
{
    for (; options->name; options++) {
        fprintf(stream, "    ");
        if (options->letter)
            fprintf(stream, "-%c, ", options->letter);
        fprintf(stream, "--%s", options->name);
        if (options->argument)
            fprintf(stream, " %s", options->argument);
        fputc('\n', stream);
        options_print_wrapped(options->help, HELP_INDENT, stream);
    }
}
