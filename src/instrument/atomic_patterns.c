#include "instrument/atomic_patterns.h"

#include "base/builder.h"

/* How much of a pattern a message shows. */
enum { MOST_SHOWN = 44 };

static bool refuse_parameters(struct text pattern, struct problem *problem)
{
    const bool cut = pattern.length > MOST_SHOWN;
    problem_set(problem, PROBLEM_NO_OFFSET, "'%.*s%s': a '(' needs types and a ')' behind it",
                cut ? MOST_SHOWN : (int)pattern.length, pattern.bytes, cut ? "..." : "");
    return false;
}

static bool add(struct pattern_list *list, struct arena *arena, bool exempt, struct text pattern)
{
    struct builder written;
    builder_init(&written);
    builder_add_string(&written, exempt ? "!" : "");
    builder_add(&written, pattern);
    const bool added = !written.failed && pattern_list_add(list, arena, builder_text(&written));
    builder_release(&written);
    return added;
}

bool atomic_patterns_read(struct pattern_list *list, struct arena *arena, struct text content,
                          unsigned *line, struct problem *problem)
{
    struct text pattern;
    for (*line = 1; text_next_line(&content, &pattern); ++*line) {
        if (!pattern.length || pattern.bytes[0] == '#')
            continue;
        const bool exempt = pattern.bytes[0] == '!';
        if (exempt)
            pattern = text_trimmed(text_slice(pattern, 1, pattern.length));
        if (!pattern.length) {
            problem_set(problem, PROBLEM_NO_OFFSET, "a '!' needs a pattern behind it");
            return false;
        }
        if (text_find(pattern, '(') >= 0 && pattern.bytes[pattern.length - 1] != ')')
            return refuse_parameters(pattern, problem);
        if (!add(list, arena, exempt, pattern)) {
            *line = 0;
            problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
            return false;
        }
    }
    return true;
}
