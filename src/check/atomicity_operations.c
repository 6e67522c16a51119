#include "check/atomicity_internal.h"

/* The memo has what a step gave, which may also be ATOMICITY_TOO_LARGE. */
enum operation {
    OPERATION_SEQUENCE,
    OPERATION_JOIN,
    OPERATION_CLOSURE,
    OPERATION_PLAIN,
    OPERATION_GIVEN_HELD,
    OPERATION_GIVEN_OTHERWISE,
    OPERATION_KEEP_HELD,
    OPERATION_KEEP_OTHERWISE,
    OPERATION_SYNCHRONIZED,
    OPERATION_IS_BELOW
};

/* The memo is emptied when it has this many entries: it only saves time. */
#define MOST_REMEMBERED ((size_t)1 << 20)

/* ---- basic ones ---- */

#define K ATOMICITY_OF_CONST
#define B ATOMICITY_OF_MOVER
#define R ATOMICITY_OF_RIGHT
#define L ATOMICITY_OF_LEFT
#define A ATOMICITY_OF_ATOMIC
#define C ATOMICITY_OF_CMPD
#define E ATOMICITY_OF_ERROR

/* The first in rows, the second in columns. Code is atomic if it is right movers, at most one
   atomic step, then left movers. */
/* clang-format off */
static const uint8_t basic_sequence[ATOMICITY_BASIC_COUNT][ATOMICITY_BASIC_COUNT] = {
    /*      K  B  R  L  A  C  E */
    [K] = { K, B, R, L, A, C, E },
    [B] = { B, B, R, L, A, C, E },
    [R] = { R, R, R, A, A, C, E },
    [L] = { L, L, C, L, C, C, E },
    [A] = { A, A, C, A, C, C, E },
    [C] = { C, C, C, C, C, C, E },
    [E] = { E, E, E, E, E, E, E },
};
/* clang-format on */

static const uint8_t basic_closure[ATOMICITY_BASIC_COUNT] = {
    [K] = K, [B] = B, [R] = R, [L] = L, [A] = C, [C] = C, [E] = E,
};

#undef K
#undef B
#undef R
#undef L
#undef A
#undef C
#undef E

/* ---- the memo ---- */

static uint64_t memo_key(enum operation operation, uint32_t a, uint32_t b)
{
    return (uint64_t)operation << 2 * ATOMICITY_NUMBER_BITS | (uint64_t)a << ATOMICITY_NUMBER_BITS |
           b;
}

static bool recall(const struct atomicity_table *table, uint64_t key, atomicity *result)
{
    uint64_t value;
    if (!intmap_get(&table->memo, key, &value))
        return false;
    *result = (atomicity)value;
    return true;
}

/* Gives the result, or that there is no memory. */
static atomicity remember(struct atomicity_table *table, uint64_t key, atomicity result)
{
    if (result == ATOMICITY_NO_MEMORY)
        return result;
    if (table->memo.count >= MOST_REMEMBERED)
        intmap_clear(&table->memo);
    return intmap_put(&table->memo, key, result) ? result : ATOMICITY_NO_MEMORY;
}

/* ---- results ---- */

static bool is_usable(struct atomicity_table *table)
{
    if (table->locks.failed || table->locks.count > 1u << ATOMICITY_NUMBER_BITS)
        table->failed = true;
    return !table->failed;
}

static atomicity finished(struct atomicity_table *table, atomicity result, atomicity bound)
{
    if (result < ATOMICITY_TOO_LARGE)
        return result;
    if (result == ATOMICITY_TOO_LARGE) {
        table->widened++;
        return bound;
    }
    table->failed = true;
    return ATOMICITY_OF_ERROR;
}

/* ---- two operands: sequence and join ---- */

/* Where the result is known without a look at all of it. */
static bool shortcut(const struct atomicity_table *table, enum operation operation, atomicity a,
                     atomicity b, atomicity *result)
{
    if (a >= ATOMICITY_TOO_LARGE || b >= ATOMICITY_TOO_LARGE)
        *result = a > b ? a : b;
    else if (atomicity_is_basic(a) && atomicity_is_basic(b))
        *result = operation == OPERATION_JOIN ? atomicity_basic_join(a, b) : basic_sequence[a][b];
    else if (a == ATOMICITY_OF_ERROR || b == ATOMICITY_OF_ERROR)
        *result = ATOMICITY_OF_ERROR;
    else if (a == ATOMICITY_OF_CONST)
        *result = b;
    else if (b == ATOMICITY_OF_CONST || (a == b && operation == OPERATION_JOIN))
        *result = a;
    else if ((a == ATOMICITY_OF_CMPD && atomicity_worst(table, b) <= ATOMICITY_OF_CMPD) ||
             (b == ATOMICITY_OF_CMPD && atomicity_worst(table, a) <= ATOMICITY_OF_CMPD))
        *result = ATOMICITY_OF_CMPD;
    else
        return false;
    return true;
}

static atomicity apply(struct atomicity_table *table, enum operation operation, atomicity a,
                       atomicity b)
{
    atomicity result;
    if (shortcut(table, operation, a, b, &result))
        return result;
    if (operation == OPERATION_JOIN && a > b) {
        const atomicity swapped = a;
        a = b;
        b = swapped;
    }
    const uint64_t key = memo_key(operation, a, b);
    if (recall(table, key, &result))
        return result;
    const term lock = atomicity_first_lock(table, a, b);
    const atomicity held = apply(table, operation, atomicity_side(table, a, lock, true),
                                 atomicity_side(table, b, lock, true));
    /* Nothing that has a part that is too large, or could not be made, is better itself. */
    if (held >= ATOMICITY_TOO_LARGE)
        return remember(table, key, held);
    const atomicity otherwise = apply(table, operation, atomicity_side(table, a, lock, false),
                                      atomicity_side(table, b, lock, false));
    return remember(table, key, atomicity_make_node(table, lock, held, otherwise));
}

atomicity atomicity_sequence(struct atomicity_table *table, atomicity first, atomicity then)
{
    if (!is_usable(table))
        return ATOMICITY_OF_ERROR;
    const atomicity result = apply(table, OPERATION_SEQUENCE, first, then);
    return finished(table, result,
                    basic_sequence[atomicity_worst(table, first)][atomicity_worst(table, then)]);
}

atomicity atomicity_join(struct atomicity_table *table, atomicity a, atomicity b)
{
    if (!is_usable(table))
        return ATOMICITY_OF_ERROR;
    const atomicity result = apply(table, OPERATION_JOIN, a, b);
    return finished(table, result,
                    atomicity_basic_join(atomicity_worst(table, a), atomicity_worst(table, b)));
}

/* ---- one operand: these never make a diagram larger ---- */

static atomicity map(struct atomicity_table *table, enum operation operation, atomicity number)
{
    if (atomicity_is_basic(number))
        return operation == OPERATION_CLOSURE ? basic_closure[number]
                                              : atomicity_basic_plain(number);
    const uint64_t key = memo_key(operation, number, 0);
    atomicity result;
    if (recall(table, key, &result))
        return result;
    const struct atomicity_node node = *atomicity_node_of(table, number);
    const atomicity held = map(table, operation, node.held);
    const atomicity otherwise = map(table, operation, node.otherwise);
    return remember(table, key, atomicity_make_node(table, node.lock, held, otherwise));
}

atomicity atomicity_closure(struct atomicity_table *table, atomicity body)
{
    if (!is_usable(table))
        return ATOMICITY_OF_ERROR;
    return finished(table, map(table, OPERATION_CLOSURE, body),
                    basic_closure[atomicity_worst(table, body)]);
}

atomicity atomicity_plain(struct atomicity_table *table, atomicity number)
{
    if (!is_usable(table))
        return ATOMICITY_OF_ERROR;
    if (!atomicity_is_one_sided(table, number))
        return number;
    return finished(table, map(table, OPERATION_PLAIN, number),
                    atomicity_basic_plain(atomicity_worst(table, number)));
}

/* ---- locks ---- */

/* What is known of a lock beforehand. */
enum known { KNOWN_NOTHING, KNOWN_HELD, KNOWN_NOT_HELD };

static enum known known_of(const struct atomicity_table *table, term lock)
{
    if (lock == TERM_NONE || term_kind(&table->locks, lock) == TERM_OTHER_THREAD)
        return KNOWN_NOT_HELD;
    return term_is_always_held(&table->locks, lock) ? KNOWN_HELD : KNOWN_NOTHING;
}

static atomicity given(struct atomicity_table *table, atomicity number, term lock, bool held)
{
    if (number >= ATOMICITY_TOO_LARGE || atomicity_lock_precedes(table, lock, number))
        return number;
    const struct atomicity_node node = *atomicity_node_of(table, number);
    if (node.lock == lock)
        return held ? node.held : node.otherwise;
    const uint64_t key =
        memo_key(held ? OPERATION_GIVEN_HELD : OPERATION_GIVEN_OTHERWISE, number, lock);
    atomicity result;
    if (recall(table, key, &result))
        return result;
    const atomicity side = given(table, node.held, lock, held);
    const atomicity other_side = given(table, node.otherwise, lock, held);
    return remember(table, key, atomicity_make_node(table, node.lock, side, other_side));
}

atomicity atomicity_given(struct atomicity_table *table, atomicity number, term lock, bool held)
{
    if (!is_usable(table))
        return ATOMICITY_OF_ERROR;
    if (known_of(table, lock) != KNOWN_NOTHING)
        return number;
    return finished(table, given(table, number, lock, held), atomicity_worst(table, number));
}

/* lock ? number : const, or lock ? const : number. */
static atomicity keep(struct atomicity_table *table, atomicity number, term lock, bool held)
{
    if (number >= ATOMICITY_TOO_LARGE)
        return number;
    const bool precedes = atomicity_lock_precedes(table, lock, number);
    if (precedes || atomicity_node_of(table, number)->lock == lock) {
        const atomicity kept = atomicity_side(table, number, lock, held);
        return held ? atomicity_make_node(table, lock, kept, ATOMICITY_OF_CONST)
                    : atomicity_make_node(table, lock, ATOMICITY_OF_CONST, kept);
    }
    const uint64_t key =
        memo_key(held ? OPERATION_KEEP_HELD : OPERATION_KEEP_OTHERWISE, number, lock);
    atomicity result;
    if (recall(table, key, &result))
        return result;
    const struct atomicity_node node = *atomicity_node_of(table, number);
    const atomicity side = keep(table, node.held, lock, held);
    const atomicity other_side = keep(table, node.otherwise, lock, held);
    return remember(table, key, atomicity_make_node(table, node.lock, side, other_side));
}

/* A lock that stands before all others is the first node; elsewhere the two halves are joined, for
   which const is neutral. */
static atomicity choose(struct atomicity_table *table, term lock, atomicity held,
                        atomicity otherwise)
{
    if (held >= ATOMICITY_TOO_LARGE || otherwise >= ATOMICITY_TOO_LARGE)
        return held > otherwise ? held : otherwise;
    if (held == otherwise)
        return held;
    if (atomicity_lock_precedes(table, lock, held) &&
        atomicity_lock_precedes(table, lock, otherwise))
        return atomicity_make_node(table, lock, held, otherwise);
    return apply(table, OPERATION_JOIN, keep(table, held, lock, true),
                 keep(table, otherwise, lock, false));
}

static atomicity choose_known(struct atomicity_table *table, term lock, atomicity held,
                              atomicity otherwise)
{
    switch (known_of(table, lock)) {
    case KNOWN_HELD:
        return held;
    case KNOWN_NOT_HELD:
        return otherwise;
    case KNOWN_NOTHING:
        break;
    }
    return choose(table, lock, held, otherwise);
}

atomicity atomicity_conditional(struct atomicity_table *table, term lock, atomicity held,
                                atomicity otherwise)
{
    if (!is_usable(table))
        return ATOMICITY_OF_ERROR;
    return finished(
        table, choose_known(table, lock, held, otherwise),
        atomicity_basic_join(atomicity_worst(table, held), atomicity_worst(table, otherwise)));
}

/* right;body;left: what it is for a thread that does not hold the lock. */
static atomicity locked(struct atomicity_table *table, atomicity body)
{
    return apply(table, OPERATION_SEQUENCE,
                 apply(table, OPERATION_SEQUENCE, ATOMICITY_OF_RIGHT, body), ATOMICITY_OF_LEFT);
}

static atomicity synchronized_on(struct atomicity_table *table, term lock, atomicity body)
{
    const uint64_t key = memo_key(OPERATION_SYNCHRONIZED, body, lock);
    atomicity result;
    if (recall(table, key, &result))
        return result;
    const atomicity inside = given(table, body, lock, true);
    return remember(table, key, choose(table, lock, inside, locked(table, inside)));
}

atomicity atomicity_synchronized(struct atomicity_table *table, term lock, atomicity body)
{
    if (!is_usable(table))
        return ATOMICITY_OF_ERROR;
    /* Not better than the body itself: nothing is that right and left movers are put around. */
    const atomicity bound = locked(table, atomicity_worst(table, body));
    switch (known_of(table, lock)) {
    case KNOWN_HELD:
        return body;
    case KNOWN_NOT_HELD:
        return finished(table, locked(table, body), bound);
    case KNOWN_NOTHING:
        break;
    }
    return finished(table, synchronized_on(table, lock, body), bound);
}

/* ---- renaming ---- */

struct new_names {
    struct atomicity_locks locks;
    term names[ATOMICITY_MOST_PATHS];
    bool always[ATOMICITY_MOST_PATHS];
};

static atomicity renamed(struct atomicity_table *table, atomicity number,
                         const struct new_names *new_names, uint32_t from)
{
    if (atomicity_is_basic(number))
        return number;
    const struct atomicity_node node = *atomicity_node_of(table, number);
    /* Locks are in one order here and there. */
    while (new_names->locks.items[from] != node.lock)
        from++;
    if (new_names->always[from])
        return renamed(table, node.held, new_names, from + 1);
    const term name = new_names->names[from];
    if (known_of(table, name) == KNOWN_NOT_HELD)
        return renamed(table, node.otherwise, new_names, from + 1);
    const atomicity held = renamed(table, node.held, new_names, from + 1);
    const atomicity otherwise = renamed(table, node.otherwise, new_names, from + 1);
    return choose_known(table, name, held, otherwise);
}

atomicity atomicity_rename(struct atomicity_table *table, atomicity number,
                           const struct atomicity_renaming *renaming)
{
    if (!is_usable(table))
        return ATOMICITY_OF_ERROR;
    if (atomicity_is_basic(number))
        return number;
    struct new_names new_names;
    bool changed = false;
    atomicity_collect_locks(table, number, &new_names.locks);
    for (uint32_t i = 0; i < new_names.locks.count; i++) {
        const term lock = new_names.locks.items[i];
        bool always = false;
        new_names.names[i] = renaming->replace(renaming->context, lock, &always);
        new_names.always[i] = always;
        changed = changed || always || new_names.names[i] != lock;
    }
    if (!is_usable(table))
        return ATOMICITY_OF_ERROR;
    if (!changed)
        return number;
    return finished(table, renamed(table, number, &new_names, 0), atomicity_worst(table, number));
}

/* ---- the order ---- */

static bool basic_is_below(atomicity a, atomicity b)
{
    return atomicity_basic_join(a, b) == b;
}

bool atomicity_is_below(struct atomicity_table *table, atomicity a, atomicity b)
{
    if (a == b || basic_is_below(atomicity_worst(table, a), atomicity_best(table, b)))
        return true;
    if (!basic_is_below(atomicity_worst(table, a), atomicity_worst(table, b)) ||
        !basic_is_below(atomicity_best(table, a), atomicity_best(table, b)))
        return false; /* also for two basic ones */
    if (!is_usable(table))
        return false;
    const uint64_t key = memo_key(OPERATION_IS_BELOW, a, b);
    atomicity known;
    if (recall(table, key, &known))
        return known != 0;
    const term lock = atomicity_first_lock(table, a, b);
    const bool below = atomicity_is_below(table, atomicity_side(table, a, lock, true),
                                          atomicity_side(table, b, lock, true)) &&
                       atomicity_is_below(table, atomicity_side(table, a, lock, false),
                                          atomicity_side(table, b, lock, false));
    if (remember(table, key, below) == ATOMICITY_NO_MEMORY)
        table->failed = true;
    return below && !table->failed;
}
