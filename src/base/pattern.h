/*
 * pattern: names with wildcards, as users write them: `com.example.*`, `Account.balance`, `*Test`.
 *
 * `*` stands for any characters, also none and also dots; everything else for itself. A pattern
 * without `*` that names a package or a class (`com.example`) also matches what is in it: a name
 * that goes on with '.' or '$' after the pattern.
 */
#ifndef TURNSTILE_BASE_PATTERN_H
#define TURNSTILE_BASE_PATTERN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/vector.h"

bool pattern_matches(struct text pattern, struct text name);

/* `matched`: something has, so that who wrote it has made no mistake in it. Any thread may say so,
   also of a list that is otherwise constant. */
struct pattern {
    struct text text;
    atomic_bool matched;
};

static inline void pattern_mark(struct pattern *pattern)
{
    atomic_store_explicit(&pattern->matched, true, memory_order_relaxed);
}

/* The texts live in the arena that they were added with. */
struct pattern_list {
    VECTOR(struct pattern) items;
};

/* False if memory ran out. */
bool pattern_list_add(struct pattern_list *list, struct arena *arena, struct text pattern);
/* All are asked, and those that match are marked. */
bool pattern_list_matches(const struct pattern_list *list, struct text name);
void pattern_list_release(struct pattern_list *list);

#endif
