#include "base/pattern.h"

/* With '*': the whole name must match. Only the last '*' is ever tried again, further to the right:
   whatever an earlier one could take instead, the later one can take too. So the work is at most
   the product of the lengths. */
static bool matches_whole(struct text pattern, struct text name)
{
    size_t at = 0, next = 0;
    size_t star = 0, taken = 0;
    bool starred = false;
    while (next < name.length) {
        if (at < pattern.length && pattern.bytes[at] == '*') {
            starred = true;
            star = ++at;
            taken = next;
        } else if (at < pattern.length && pattern.bytes[at] == name.bytes[next]) {
            at++;
            next++;
        } else if (starred) {
            at = star;
            next = ++taken;
        } else {
            return false;
        }
    }
    while (at < pattern.length && pattern.bytes[at] == '*')
        at++;
    return at == pattern.length;
}

/* Without '*': the name itself, or what is in it. */
static bool matches_prefix(struct text pattern, struct text name)
{
    if (!text_starts_with(name, pattern))
        return false;
    if (name.length == pattern.length)
        return true;
    char follows = name.bytes[pattern.length];
    return pattern.length && (follows == '.' || follows == '$');
}

bool pattern_matches(struct text pattern, struct text name)
{
    return text_find(pattern, '*') < 0 ? matches_prefix(pattern, name)
                                       : matches_whole(pattern, name);
}

bool pattern_list_add(struct pattern_list *list, struct arena *arena, struct text pattern)
{
    if (!vector_reserve(&list->items, 1))
        return false;
    struct text copy = text_copy(arena, pattern);
    return copy.length == pattern.length &&
           vector_push(&list->items, (struct pattern){.text = copy});
}

bool pattern_list_matches(const struct pattern_list *list, struct text name)
{
    bool matched = false;
    for (size_t i = 0; i < list->items.count; i++)
        if (pattern_matches(list->items.items[i].text, name)) {
            pattern_mark(&list->items.items[i]);
            matched = true;
        }
    return matched;
}

void pattern_list_release(struct pattern_list *list)
{
    vector_release(&list->items);
}
