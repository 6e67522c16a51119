/*
 * Blocks that are not atomic, in words: what was predicted, and what the trace itself has shown.
 */
#include "base/builder.h"
#include "trace/analysis_internal.h"

enum { STACKS_MAX = 3 + TRANSACTIONS_PATH_MAX };

/* A finding about a block that grows. */
struct told {
    struct finding finding;
    struct finding_stack stacks[STACKS_MAX];
    struct builder message;
};

static void begin(struct analysis_teller *teller, struct told *told, uint32_t block,
                  uint32_t location)
{
    const struct trace_block name = analysis_name_of_block(teller, block, location);
    *told = (struct told){.finding = {.rule = FINDING_ATOMICITY,
                                      .grade = FINDING_GRADE_PREDICTED,
                                      .class_name = name.class_name,
                                      .member = name.method}};
    builder_init(&told->message);
    const struct text subject = analysis_dotted(teller, name.class_name, name.method);
    if (subject.length)
        builder_add(&told->message, subject);
    else
        builder_add_string(&told->message, "A block");
    builder_add_string(&told->message, " should be atomic, but ");
}

static struct finding_stack *add_stack(struct told *told, struct finding_stack stack)
{
    if (told->finding.stack_count == STACKS_MAX)
        return NULL;
    struct finding_stack *added = &told->stacks[told->finding.stack_count++];
    *added = stack;
    return added;
}

/* It stands where it is violated. */
static bool finish(struct analysis_teller *teller, struct told *told, size_t place)
{
    told->finding.stacks = told->stacks;
    told->finding.message = builder_text(&told->message);
    const bool added = !told->message.failed && analysis_add_finding(teller, &told->finding, place);
    builder_release(&told->message);
    return added;
}

/* ---- what the trace has shown ---- */

static void grade(struct analysis_teller *teller, struct told *told, uint32_t block)
{
    if (!intmap_get(&teller->analysis->observed_blocks, block, NULL))
        return;
    told->finding.grade = FINDING_GRADE_OBSERVED;
    builder_add_string(&told->message, " In this run others did come between its steps.");
}

static struct text variable_name(struct analysis_teller *teller, uint32_t field)
{
    const struct trace_field name = analysis_name_of_variable(teller, field);
    return analysis_dotted(teller, name.class_name, name.member);
}

static const char *verb_of(enum transactions_kind kind)
{
    switch (kind) {
    case TRANSACTIONS_READ:
        return "reads";
    case TRANSACTIONS_WRITE:
        return "writes";
    case TRANSACTIONS_ACQUIRE:
    case TRANSACTIONS_ACQUIRE_SHARED:
        return "acquires";
    case TRANSACTIONS_RELEASE:
    case TRANSACTIONS_RELEASE_SHARED:
        return "releases";
    case TRANSACTIONS_SYNC_ACQUIRE:
    case TRANSACTIONS_SYNC_RELEASE:
        return "uses";
    case TRANSACTIONS_START:
        return "starts a thread";
    case TRANSACTIONS_RUN:
        return "begins to run";
    case TRANSACTIONS_EXIT:
        return "ends";
    case TRANSACTIONS_JOIN:
        return "joins a thread";
    }
    return "does something";
}

static struct text object_name(struct analysis_teller *teller, enum transactions_kind kind,
                               uint64_t object)
{
    const uint32_t number = (uint32_t)object;
    if (kind <= TRANSACTIONS_WRITE)
        return variable_name(teller, trace_names_field_of(teller->names, number));
    if (kind <= TRANSACTIONS_RELEASE_SHARED)
        return analysis_name_of_lock(teller, number);
    if (kind <= TRANSACTIONS_SYNC_RELEASE)
        return analysis_name_of_sync(teller, number);
    return TEXT("");
}

/* "reads Account.balance" */
static void add_operation(struct analysis_teller *teller, struct builder *to,
                          enum transactions_kind kind, uint64_t object)
{
    const struct text name = object_name(teller, kind, object);
    builder_add_string(to, verb_of(kind));
    if (name.length)
        builder_add_format(to, " %.*s", TEXT_ARGUMENTS(name));
}

/* "meanwhile write" */
static const char *meanwhile(enum transactions_kind kind)
{
    switch (kind) {
    case TRANSACTIONS_READ:
        return "meanwhile read";
    case TRANSACTIONS_WRITE:
        return "meanwhile write";
    case TRANSACTIONS_ACQUIRE:
    case TRANSACTIONS_ACQUIRE_SHARED:
        return "meanwhile acquires";
    case TRANSACTIONS_RELEASE:
    case TRANSACTIONS_RELEASE_SHARED:
        return "meanwhile releases";
    default:
        return "meanwhile";
    }
}

static void add_step(struct analysis_teller *teller, struct told *told, const char *role,
                     const struct transactions_operation *operation)
{
    add_stack(told, analysis_stack(teller, role, operation->thread, operation->location,
                                   operation->stack));
}

/* What another thread did, with which it came after one conflict and before the next. */
static void add_visit(struct analysis_teller *teller, struct builder *to,
                      const struct transactions_conflict *before,
                      const struct transactions_conflict *after)
{
    builder_add_format(to, ", thread \"%.*s\" ",
                       TEXT_ARGUMENTS(analysis_name_of_thread(teller, before->later.thread)));
    add_operation(teller, to, before->later.kind, before->object);
    if (after->earlier.thread != before->later.thread)
        return; /* something between them is not known */
    builder_add_string(to, " and ");
    add_operation(teller, to, after->earlier.kind, after->object);
}

/* A cycle of which nothing was predicted, told by its own steps. */
static bool tell_cycle(struct analysis_teller *teller, const struct transactions_violation *cycle)
{
    const struct transactions_conflict *first = &cycle->path[0];
    const struct transactions_conflict *last = &cycle->path[cycle->path_count - 1];
    struct told told;
    begin(teller, &told, cycle->blocks[0].block, cycle->blocks[0].location);
    told.finding.grade = FINDING_GRADE_OBSERVED;
    add_stack(&told, analysis_stack(teller, "entered", cycle->thread, cycle->blocks[0].location,
                                    cycle->blocks[0].stack));
    builder_add_string(&told.message, "in this run others came between its steps: it ");
    if (first->earlier.thread == cycle->thread)
        add_step(teller, &told, "commits at", &first->earlier);
    add_operation(teller, &told.message, first->earlier.kind, first->object);
    for (uint32_t i = 0; i + 1 < cycle->path_count; i++) {
        add_visit(teller, &told.message, &cycle->path[i], &cycle->path[i + 1]);
        if (told.finding.stack_count + 1 < STACKS_MAX)
            add_step(teller, &told, meanwhile(cycle->path[i].later.kind), &cycle->path[i].later);
    }
    builder_add_string(&told.message, ", and only then it ");
    add_operation(teller, &told.message, last->later.kind, last->object);
    builder_add_byte(&told.message, '.');
    add_step(teller, &told, "violated at", &last->later);
    return finish(teller, &told, told.finding.stack_count - 1);
}

static bool tell_cycles(struct analysis_teller *teller)
{
    const struct analysis *analysis = teller->analysis;
    for (size_t i = 0; i < analysis->cycles.count; i++) {
        const struct transactions_violation *cycle = &analysis->cycles.items[i];
        if (cycle->block_count && cycle->path_count && !analysis_is_predicted(analysis, cycle) &&
            !tell_cycle(teller, cycle))
            return false;
    }
    return true;
}

/* ---- reduction ---- */

static void add_place(struct analysis_teller *teller, struct builder *to,
                      const struct reduction_place *place)
{
    switch (place->kind) {
    case REDUCTION_READ:
        add_operation(teller, to, TRANSACTIONS_READ, place->key);
        break;
    case REDUCTION_WRITE:
        add_operation(teller, to, TRANSACTIONS_WRITE, place->key);
        break;
    case REDUCTION_ACQUIRE:
        add_operation(teller, to, TRANSACTIONS_ACQUIRE, place->object);
        break;
    case REDUCTION_RELEASE:
        add_operation(teller, to, TRANSACTIONS_RELEASE, place->object);
        break;
    case REDUCTION_SYNC:
        add_operation(teller, to, TRANSACTIONS_SYNC_ACQUIRE, place->object);
        break;
    case REDUCTION_START:
        add_operation(teller, to, TRANSACTIONS_START, 0);
        break;
    case REDUCTION_JOIN:
        add_operation(teller, to, TRANSACTIONS_JOIN, 0);
        break;
    default:
        builder_add_string(to, "goes on");
        break;
    }
}

static bool is_access(const struct reduction_place *place)
{
    return place->kind == REDUCTION_READ || place->kind == REDUCTION_WRITE;
}

/* Somebody else who uses what is used at that place, and how. */
static const struct analysis_use *who_else(const struct analysis *analysis,
                                           const struct reduction_place *place, uint64_t thread,
                                           enum transactions_kind *kind)
{
    if (is_access(place)) {
        const struct analysis_record *record = analysis_record_of(analysis, place->key);
        if (!record)
            return NULL;
        const struct analysis_use *write = analysis_other_use(&record->writes, thread);
        const struct analysis_use *read = analysis_other_use(&record->reads, thread);
        if (place->kind != REDUCTION_WRITE)
            read = NULL;
        /* A read that can come between says more than a write that cannot. */
        const bool reads = read && (!write || (record->reads.apart && !record->writes.apart));
        *kind = reads ? TRANSACTIONS_READ : TRANSACTIONS_WRITE;
        return reads ? read : write;
    }
    if ((place->kind == REDUCTION_ACQUIRE || place->kind == REDUCTION_RELEASE) &&
        place->object < analysis->lock_uses.count) {
        *kind = TRANSACTIONS_ACQUIRE;
        return analysis_other_use(&analysis->lock_uses.items[place->object].acquires, thread);
    }
    return NULL;
}

static void add_other(struct analysis_teller *teller, struct told *told,
                      const struct reduction_violation *violation)
{
    const struct reduction_place *place = &violation->violated;
    enum transactions_kind kind = TRANSACTIONS_READ;
    const struct analysis_use *use = who_else(teller->analysis, place, violation->thread, &kind);
    if (!use) {
        place = &violation->commits;
        use = who_else(teller->analysis, place, violation->thread, &kind);
    }
    if (!use)
        return;
    builder_add_format(&told->message, " Thread \"%.*s\" ",
                       TEXT_ARGUMENTS(analysis_name_of_thread(teller, use->thread)));
    add_operation(teller, &told->message, kind, is_access(place) ? place->key : place->object);
    builder_add_string(&told->message, ", too.");
    struct finding_stack *stack = add_stack(
        told, analysis_stack(teller, meanwhile(kind), use->thread, use->location, use->stack));
    if (stack)
        analysis_add_held(teller, stack, teller->analysis->order, use->held);
}

static void add_part(struct analysis_teller *teller, struct told *told, const char *role,
                     uint64_t thread, const struct reduction_place *place)
{
    struct finding_stack *stack =
        add_stack(told, analysis_stack(teller, role, thread, place->location, place->stack));
    if (stack)
        analysis_add_held(teller, stack, teller->analysis->order,
                          (struct analysis_held){place->lockset, place->shared});
}

static bool tell_violation(struct analysis_teller *teller, const struct analysis_violation *noted)
{
    const struct reduction_violation *violation = &noted->violation;
    struct told told;
    begin(teller, &told, violation->block, violation->entered.location);
    told.finding.count = (size_t)noted->count;
    add_part(teller, &told, "entered", violation->thread, &violation->entered);
    add_part(teller, &told, "commits at", violation->thread, &violation->commits);
    add_part(teller, &told, "violated at", violation->thread, &violation->violated);
    builder_add_string(&told.message, "other threads can come in after it ");
    add_place(teller, &told.message, &violation->commits);
    builder_add_string(&told.message, " and before it ");
    add_place(teller, &told.message, &violation->violated);
    builder_add_byte(&told.message, '.');
    add_other(teller, &told, violation);
    grade(teller, &told, violation->block);
    return finish(teller, &told, 2);
}

/* ---- blocks ---- */

static const char *pattern_name(enum blocks_pattern pattern)
{
    switch (pattern) {
    case BLOCKS_READ_WRITE_READ:
        return "read-write-read";
    case BLOCKS_WRITE_READ_WRITE:
        return "write-read-write";
    case BLOCKS_READ_WRITE_WRITE:
        return "read-write-write";
    case BLOCKS_WRITE_WRITE_READ:
        return "write-write-read";
    case BLOCKS_TWO_VARIABLES:
        break;
    }
    return "two variables";
}

/* How many of the locks are there to be shown. */
static uint32_t show_locks(const struct blocks_locks *locks,
                           struct lockset_shown shown[BLOCKS_LOCKS_MAX])
{
    const uint32_t count = locks->count < BLOCKS_LOCKS_MAX ? locks->count : BLOCKS_LOCKS_MAX;
    for (uint32_t i = 0; i < count; i++)
        shown[i] = (struct lockset_shown){locks->locks[i], locks->shared[i]};
    return count;
}

static void add_between(struct analysis_teller *teller, struct told *told,
                        const struct blocks_violation *violation)
{
    struct lockset_shown locks[BLOCKS_LOCKS_MAX];
    const uint32_t count = show_locks(&violation->transactions[0].between, locks);
    if (!count) {
        builder_add_string(&told->message, " No lock is held from the first to the last of them.");
        return;
    }
    builder_add_string(&told->message, " From the first to the last it holds ");
    for (uint32_t i = 0; i < count; i++)
        builder_add_format(&told->message, "%s%.*s%s", i ? ", " : "",
                           TEXT_ARGUMENTS(analysis_name_of_lock(teller, locks[i].lock)),
                           locks[i].shared ? " (shared)" : "");
    builder_add_string(&told->message, ", which does not keep others away.");
}

/* The last event of the transaction that is not atomic. */
static unsigned last_own(const struct blocks_violation *violation)
{
    unsigned last = 0;
    for (unsigned i = 0; i < violation->event_count; i++)
        if (violation->events[i].transaction == 0)
            last = i;
    return last;
}

static void add_event(struct analysis_teller *teller, struct told *told, const char *role,
                      uint64_t thread, const struct blocks_event *event)
{
    struct finding_stack *stack = add_stack(
        told, analysis_stack(teller, role, thread, event->place.location, event->place.stack));
    struct lockset_shown locks[BLOCKS_LOCKS_MAX];
    const uint32_t count = show_locks(&event->held, locks);
    if (stack)
        analysis_add_shown(teller, stack, locks, count);
}

/* The accesses, in the order that is possible: where the block is violated. */
static size_t add_events(struct analysis_teller *teller, struct told *told,
                         const struct blocks_violation *violation)
{
    size_t place = 0;
    bool committed = false;
    for (unsigned i = 0; i < violation->event_count; i++) {
        const struct blocks_event *event = &violation->events[i];
        const enum transactions_kind kind = event->write ? TRANSACTIONS_WRITE : TRANSACTIONS_READ;
        const uint64_t thread = violation->transactions[event->transaction].thread;
        const bool own = event->transaction == 0;
        builder_add_string(&told->message, i ? ", " : " ");
        if (own)
            builder_add_string(&told->message, "it ");
        else
            builder_add_format(&told->message, "thread \"%.*s\" ",
                               TEXT_ARGUMENTS(analysis_name_of_thread(teller, thread)));
        add_operation(teller, &told->message, kind, event->variable);
        if (own && i == last_own(violation))
            place = told->finding.stack_count;
        add_event(teller, told,
                  !own                       ? meanwhile(kind)
                  : i == last_own(violation) ? "violated at"
                  : committed                ? "goes on at"
                                             : "commits at",
                  thread, event);
        committed |= own;
    }
    return place;
}

static bool tell_pattern(struct analysis_teller *teller, const struct blocks_violation *violation)
{
    const struct blocks_transaction *own = &violation->transactions[0];
    struct told told;
    begin(teller, &told, own->block, own->entered.location);
    builder_add_format(&told.message,
                       "another order is possible (%s):", pattern_name(violation->pattern));
    add_stack(&told, analysis_stack(teller, "entered", own->thread, own->entered.location,
                                    own->entered.stack));
    const size_t place = add_events(teller, &told, violation);
    builder_add_byte(&told.message, '.');
    add_between(teller, &told, violation);
    grade(teller, &told, own->block);
    return finish(teller, &told, place);
}

bool analysis_tell_atomicity(struct analysis_teller *teller)
{
    const struct analysis *analysis = teller->analysis;
    for (size_t i = 0; i < analysis->violations.count; i++)
        if (!tell_violation(teller, &analysis->violations.items[i]))
            return false;
    for (size_t i = 0; i < analysis->block_violations.count; i++)
        if (!tell_pattern(teller, &analysis->block_violations.items[i]))
            return false;
    return tell_cycles(teller);
}
