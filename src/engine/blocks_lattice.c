#include "engine/blocks_lattice.h"

#include <string.h>

/* Where thread 1 may be, in steps taken, when thread 0 has taken `taken`. */
static void bounds_of(const struct blocks_lattice *lattice, uint32_t taken, uint32_t *low,
                      uint32_t *high)
{
    *low = 0;
    *high = lattice->counts[1];
    for (uint32_t i = 0; i < lattice->order_count; i++) {
        const struct blocks_lattice_order *order = &lattice->orders[i];
        if (order->side == 0) {
            if (taken <= order->first && order->then < *high)
                *high = order->then;
        } else if (taken > order->then && order->first + 1 > *low) {
            *low = order->first + 1;
        }
    }
}

static struct blocks_mask held(const struct blocks_lattice *lattice, unsigned side, uint32_t taken)
{
    struct blocks_mask none = {0, 0};
    return taken ? lattice->steps[side][taken - 1].after : none;
}

/* The step can be taken while the other thread holds `other`. */
static bool passes(const struct blocks_lattice_step *step, struct blocks_mask other)
{
    return !blocks_mask_conflict(step->passing, other) && !blocks_mask_conflict(step->after, other);
}

bool blocks_lattice_feasible(const struct blocks_lattice *lattice)
{
    uint8_t *row = lattice->row;
    uint32_t columns = lattice->counts[1];
    memset(row, 0, (size_t)columns + 1);
    for (uint32_t i = 0; i <= lattice->counts[0]; i++) {
        uint32_t low;
        uint32_t high;
        bounds_of(lattice, i, &low, &high);
        struct blocks_mask mine = held(lattice, 0, i);
        bool any = false;
        for (uint32_t j = 0; j <= columns; j++) {
            if (j < low || j > high) {
                row[j] = 0;
                continue;
            }
            bool reached = i == 0 && j == 0;
            if (i && row[j])
                reached = passes(&lattice->steps[0][i - 1], held(lattice, 1, j));
            if (!reached && j && row[j - 1])
                reached = passes(&lattice->steps[1][j - 1], mine);
            row[j] = reached;
            any |= reached;
        }
        if (!any)
            return false;
    }
    return row[columns];
}
