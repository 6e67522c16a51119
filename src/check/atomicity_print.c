#include "check/atomicity_internal.h"

const char *atomicity_basic_name(atomicity basic)
{
    static const char *const names[ATOMICITY_BASIC_COUNT] = {
        [ATOMICITY_OF_CONST] = "const",   [ATOMICITY_OF_MOVER] = "mover",
        [ATOMICITY_OF_RIGHT] = "right",   [ATOMICITY_OF_LEFT] = "left",
        [ATOMICITY_OF_ATOMIC] = "atomic", [ATOMICITY_OF_CMPD] = "cmpd",
        [ATOMICITY_OF_ERROR] = "error",
    };
    return names[basic];
}

/* Whether the two are equal when right and left are atomic. Without them this is identity, which
   ends the search in all but a few diagrams. */
static bool print_same(const struct atomicity_table *table, atomicity a, atomicity b)
{
    if (a == b)
        return true;
    if (!atomicity_is_one_sided(table, a) && !atomicity_is_one_sided(table, b))
        return false;
    if (atomicity_is_basic(a) && atomicity_is_basic(b))
        return atomicity_basic_plain(a) == atomicity_basic_plain(b);
    const term lock = atomicity_first_lock(table, a, b);
    return print_same(table, atomicity_side(table, a, lock, true),
                      atomicity_side(table, b, lock, true)) &&
           print_same(table, atomicity_side(table, a, lock, false),
                      atomicity_side(table, b, lock, false));
}

/* Past the locks on which nothing depends that is shown. */
static atomicity shown(const struct atomicity_table *table, atomicity number)
{
    while (!atomicity_is_basic(number)) {
        const struct atomicity_node *node = atomicity_node_of(table, number);
        if (!print_same(table, node->held, node->otherwise))
            return number;
        number = node->held;
    }
    return atomicity_basic_plain(number);
}

/* Chains of `otherwise` are followed in a loop; only what is between ? and : nests. */
void atomicity_print(const struct atomicity_table *table, atomicity number,
                     const struct term_printer *printer, struct builder *to)
{
    number = shown(table, number);
    while (!atomicity_is_basic(number)) {
        const struct atomicity_node *node = atomicity_node_of(table, number);
        const bool nested = !atomicity_is_basic(shown(table, node->held));
        term_print(printer, node->lock, to);
        builder_add_string(to, nested ? " ? (" : " ? ");
        atomicity_print(table, node->held, printer, to);
        builder_add_string(to, nested ? ")" : "");
        number = shown(table, node->otherwise);
        if (number == ATOMICITY_OF_ERROR)
            return;
        builder_add_string(to, " : ");
    }
    builder_add_string(to, atomicity_basic_name(number));
}
