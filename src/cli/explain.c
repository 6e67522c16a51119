#include "cli/explain.h"

#include <errno.h>
#include <string.h>

#include "base/builder.h"
#include "base/finding.h"
#include "cli/options.h"

enum { TEXT_INDENT = 2, CODE_INDENT = 6 };

/* What silences a rule. `RULE` in these texts becomes the rule's id. */
static const char in_code[] =
    "To silence it on one line, or on the next if it has a line of its own (with --source):\n"
    "    /*# no_warn RULE */\n"
    "For a class, a method or a field, the same comment in its declaration, or:\n"
    "    @turnstile.annotation.NoWarn(\"RULE\")\n"
    "Everywhere, on the command line:\n"
    "    --no-warn RULE\n"
    "A `no_warn` without a rule silences all of them.";
static const char by_option[] =
    "It is about what is declared, not about code, so that `no_warn` beside the code does not "
    "silence it. On the command line:\n"
    "    --no-warn RULE";
static const char at_run_time[] =
    "`no_warn`, NoWarn and --no-warn do not count for it. To leave out a class where it is run:\n"
    "    turnstile run --exclude PATTERN ...";
static const char for_blocks[] =
    "`no_warn`, NoWarn and --no-warn do not count for it. To say that a method need not be "
    "atomic, a line with `!CLASS.METHOD` in a file:\n"
    "    turnstile run --atomicity both --atomic-methods FILE ...";

struct explanation {
    const char *about, *wrong, *says, *right, *silence;
};

enum {
#define EXPLANATION(name, about, wrong, says, right, silence) EXPLAINED_##name,
#include "cli/explain.def"
    EXPLAINED_COUNT
};
_Static_assert((int)EXPLAINED_COUNT == (int)FINDING_RULE_COUNT, "every rule is explained");

static const struct explanation explanations[FINDING_RULE_COUNT] = {
#define EXPLANATION(name, about, wrong, says, right, silence)                                      \
    [FINDING_##name] = {about, wrong, says, right, silence},
#include "cli/explain.def"
};

/* Lines of code are never wrapped. */
static void print_code(const char *code, FILE *stream)
{
    while (*code) {
        const size_t length = strcspn(code, "\n");
        if (length)
            fprintf(stream, "%*s%.*s", CODE_INDENT, "", (int)length, code);
        fputc('\n', stream);
        code += length + (code[length] == '\n');
    }
}

static void print_paragraph(const char *text, FILE *stream)
{
    fputc('\n', stream);
    options_print_wrapped(text, TEXT_INDENT, stream);
}

static void print_silence(const char *silence, const char *id, FILE *stream)
{
    static const char placeholder[] = "RULE";
    struct builder text;
    builder_init(&text);
    for (const char *rest = silence; *rest;) {
        const char *found = strstr(rest, placeholder);
        const size_t length = found ? (size_t)(found - rest) : strlen(rest);
        builder_add(&text, text_of(rest, length));
        rest += length;
        if (found) {
            builder_add_string(&text, id);
            rest += sizeof placeholder - 1;
        }
    }
    print_paragraph(builder_string(&text), stream);
    builder_release(&text);
}

static void explain(enum finding_rule rule, FILE *stream)
{
    const struct finding_rule_info *info = finding_rule_info(rule);
    const struct explanation *explanation = &explanations[rule];
    fprintf(stream, "%s: %s\n", info->id, info->title);
    print_paragraph(explanation->about, stream);
    if (explanation->wrong[0]) {
        print_paragraph("This breaks the rule:\n", stream);
        print_code(explanation->wrong, stream);
        print_paragraph("What is said about it:\n", stream);
        options_print_wrapped(explanation->says, CODE_INDENT, stream);
        print_paragraph("This keeps to it:\n", stream);
        print_code(explanation->right, stream);
    }
    print_paragraph(info->help, stream);
    print_silence(explanation->silence, info->id, stream);
}

static void report_unknown(const char *id, struct diagnostics *diagnostics)
{
    struct builder names;
    builder_init(&names);
    for (unsigned rule = 0; rule < FINDING_RULE_COUNT; rule++)
        builder_add_format(&names, "%s%s", rule ? ", " : "",
                           finding_rule_info((enum finding_rule)rule)->id);
    diagnostics_error(diagnostics, "there is no rule '%s': the rules are %s", id,
                      builder_string(&names));
    builder_release(&names);
}

bool explain_rule(const char *id, FILE *stream, struct diagnostics *diagnostics)
{
    enum finding_rule rule;
    if (!finding_rule_parse(text_from(id), &rule)) {
        report_unknown(id, diagnostics);
        return false;
    }
    explain(rule, stream);
    if (fflush(stream) == 0 && !ferror(stream))
        return true;
    diagnostics_error(diagnostics, "the explanation cannot be written: %s", strerror(errno));
    return false;
}
