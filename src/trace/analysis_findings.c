#include "base/builder.h"
#include "trace/analysis_internal.h"

bool analysis_add_finding(struct analysis_teller *teller, struct finding *finding, size_t place)
{
    if (place < finding->stack_count && finding->stacks[place].frame_count) {
        finding->file = finding->stacks[place].frames[0].file;
        finding->line = finding->stacks[place].frames[0].line;
    }
    const bool added = !teller->arena.failed && finding_list_add(teller->findings, finding) != NULL;
    arena_clear(&teller->arena);
    return added;
}

/* ---- races ---- */

/* The stack of the access and, if it is known, of the start of its thread. */
static size_t tell_side(struct analysis_teller *teller, const struct race_side *side,
                        struct finding_stack *stacks)
{
    stacks[0] = analysis_stack(teller, side->write ? "write" : "read", side->thread, side->location,
                               side->stack);
    analysis_add_held(teller, &stacks[0], teller->analysis->racer,
                      (struct analysis_held){side->lockset, side->shared});
    return analysis_start_of(teller, side->thread, &stacks[1]) ? 2 : 1;
}

static bool tell_race(struct analysis_teller *teller, const struct race *race, uint64_t count)
{
    struct finding_stack stacks[4];
    const struct trace_field variable = analysis_name_of_variable(teller, race->field);
    const struct text subject = analysis_dotted(teller, variable.class_name, variable.member);
    struct finding finding = {
        .rule = FINDING_RACE,
        .grade = race->grade == RACE_OBSERVED    ? FINDING_GRADE_OBSERVED
                 : race->grade == RACE_PREDICTED ? FINDING_GRADE_PREDICTED
                                                 : FINDING_GRADE_DISCIPLINE,
        .class_name = variable.class_name,
        .member = variable.member,
        .signature = variable.signature,
        .stacks = stacks,
        .count = (size_t)count,
    };
    finding.stack_count = tell_side(teller, &race->later, stacks);
    finding.stack_count += tell_side(teller, &race->earlier, stacks + finding.stack_count);
    struct builder message;
    builder_init(&message);
    race_explain(&message, race, subject,
                 race->between ? analysis_name_of_lock(teller, race->between) : (struct text){0});
    finding.message = builder_text(&message);
    const bool added = analysis_add_finding(teller, &finding, 0);
    builder_release(&message);
    return added;
}

static bool tell_races(struct analysis_teller *teller, struct analysis *analysis)
{
    for (size_t i = 0; i < analysis->races.count; i++) {
        const struct race *race = &analysis->races.items[i];
        if (!tell_race(teller, race, race_filter_count(&analysis->race_filter, race)))
            return false;
    }
    return true;
}

/* ---- deadlocks ---- */

static int compare_places(struct analysis_teller *teller, uint32_t a, uint32_t b)
{
    const struct finding_frame left = analysis_frame(teller, a);
    const struct finding_frame right = analysis_frame(teller, b);
    int order = text_compare(left.class_name, right.class_name);
    if (!order)
        order = text_compare(left.method, right.method);
    return order ? order : (left.line > right.line) - (left.line < right.line);
}

/* A cycle may begin anywhere: so that it is told the same way each time, where the names say. */
static uint32_t first_of(struct analysis_teller *teller, const struct lock_order_cycle *cycle)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < cycle->count; i++)
        if (compare_places(teller, cycle->waits[i].wants.location,
                           cycle->waits[first].wants.location) < 0)
            first = i;
    return first;
}

static void tell_wait(struct analysis_teller *teller, const struct lock_order_wait *wait,
                      struct finding_stack *stacks)
{
    const struct lockset_shown held = {wait->holds.lock, wait->holds.mode == LOCK_ORDER_SHARED};
    stacks[0] =
        analysis_stack(teller, "holds", wait->thread, wait->holds.location, wait->holds.stack);
    analysis_add_shown(teller, &stacks[0], &held, 1);
    stacks[1] =
        analysis_stack(teller, "acquires", wait->thread, wait->wants.location, wait->wants.stack);
    analysis_add_shown(teller, &stacks[1], &held, 1);
}

static bool tell_deadlock(struct analysis_teller *teller, const struct lock_order_cycle *cycle)
{
    struct finding_stack stacks[2 * LOCK_ORDER_LENGTH_MAX];
    struct text locks[LOCK_ORDER_LENGTH_MAX];
    struct lock_order_words words[LOCK_ORDER_LENGTH_MAX];
    const uint32_t first = first_of(teller, cycle);
    for (uint32_t i = 0; i < cycle->count; i++) {
        const struct lock_order_wait *wait = &cycle->waits[(first + i) % cycle->count];
        tell_wait(teller, wait, stacks + (size_t)2 * i);
        locks[i] = analysis_name_of_lock(teller, wait->wants.lock);
        words[i] =
            (struct lock_order_words){.thread = analysis_name_of_thread(teller, wait->thread),
                                      .holds = analysis_name_of_lock(teller, wait->holds.lock),
                                      .wants = locks[i]};
        if (wait->holds.mode == LOCK_ORDER_SHARED)
            words[i].holds = finding_shared_lock(&teller->arena, words[i].holds);
    }
    struct builder message;
    builder_init(&message);
    lock_order_explain(&message, cycle->happened, words, cycle->count);
    const struct finding_frame place = analysis_frame(teller, cycle->waits[first].wants.location);
    struct finding finding = {
        .rule = FINDING_DEADLOCK,
        .grade = cycle->happened ? FINDING_GRADE_OBSERVED : FINDING_GRADE_PREDICTED,
        .class_name = place.class_name,
        .message = builder_text(&message),
        .locks = locks,
        .lock_count = cycle->count,
        .stacks = stacks,
        .stack_count = (size_t)2 * cycle->count,
    };
    const bool told = !message.failed && analysis_add_finding(teller, &finding, 1);
    builder_release(&message);
    return told;
}

static bool tell_deadlocks(struct analysis_teller *teller, const struct analysis *analysis)
{
    for (size_t i = 0; i < analysis->deadlocks.count; i++)
        if (!tell_deadlock(teller, &analysis->deadlocks.items[i]))
            return false;
    return true;
}

bool analysis_make_findings(struct analysis *analysis, struct finding_list *findings)
{
    struct analysis_teller teller = {
        .analysis = analysis, .names = analysis->names, .findings = findings};
    arena_init(&teller.arena);
    const bool told = tell_races(&teller, analysis) && analysis_tell_atomicity(&teller) &&
                      tell_deadlocks(&teller, analysis);
    arena_release(&teller.arena);
    return told;
}
