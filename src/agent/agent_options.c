#include "agent/agent_options.h"

#include "base/text.h"

static bool parse_word(struct agent_options *options, struct text word)
{
    if (text_is(word, "rewrite=nop"))
        options->rewrite_nop = true;
    else if (text_is(word, "verbose"))
        options->verbose = true;
    else
        return word.length == 0;
    return true;
}

bool agent_options_parse(struct agent_options *options, const char *words, struct problem *problem)
{
    *options = (struct agent_options){0};
    struct text rest = text_from(words ? words : "");
    while (rest.length) {
        ptrdiff_t comma = text_find(rest, ',');
        size_t length = comma < 0 ? rest.length : (size_t)comma;
        struct text word = text_slice(rest, 0, length);
        if (!parse_word(options, word)) {
            problem_set(problem, PROBLEM_NO_OFFSET,
                        "unknown agent option '%.*s': the options are rewrite=nop and verbose",
                        TEXT_ARGUMENTS(word));
            return false;
        }
        rest = text_slice(rest, length + 1, rest.length);
    }
    return true;
}
