/*
 * Who else uses a variable or a lock, to be shown beside a violation.
 *
 * Whoever came last may be the one who looks at the result when all others have ended: it comes
 * between nobody's steps. So two are kept that nothing but locks orders, if there are such; who
 * comes after them does not replace them, until two of those are not in order either.
 */
#include "trace/analysis_internal.h"

enum { SLOT_SHIFT = 50 };

uint64_t analysis_use_stamp(uint32_t slot, uint64_t segment)
{
    return (uint64_t)slot << SLOT_SHIFT | segment;
}

static bool is_after(const struct mover_user *user, uint64_t stamp)
{
    return mover_is_after(user, (uint32_t)(stamp >> SLOT_SHIFT),
                          stamp & ((UINT64_C(1) << SLOT_SHIFT) - 1));
}

/* Whether those that are kept stay, though somebody has come later. */
static bool stay(struct analysis_uses *uses, const struct mover_user *user)
{
    if (uses->later && !is_after(user, uses->later))
        return false;
    uses->later = analysis_use_stamp(user->slot, user->segment);
    return true;
}

void analysis_note_use(struct analysis_uses *uses, const struct trace_event *event,
                       struct analysis_held held, const struct mover_user *user)
{
    const bool again = uses->last[0].thread == event->thread;
    const struct analysis_use *other = &uses->last[again ? 1 : 0];
    const bool apart = other->thread && !is_after(user, other->stamp);
    if (uses->apart && !apart && stay(uses, user))
        return;
    if (!again)
        uses->last[1] = uses->last[0];
    uses->last[0] = (struct analysis_use){
        .thread = event->thread,
        .location = event->location,
        .stack = event->stack,
        .held = held,
        .stamp = analysis_use_stamp(user->slot, user->segment),
    };
    uses->apart = apart;
    uses->later = 0;
}

const struct analysis_use *analysis_other_use(const struct analysis_uses *uses, uint64_t thread)
{
    for (unsigned i = 0; i < ANALYSIS_OTHERS; i++)
        if (uses->last[i].thread && uses->last[i].thread != thread)
            return &uses->last[i];
    return NULL;
}
