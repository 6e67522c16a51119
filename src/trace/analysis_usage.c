#include <string.h>

#include "base/memory.h"
#include "trace/analysis_internal.h"

/* ---- pages ---- */

static bool make_pages(struct analysis_pages *pages, size_t page)
{
    size_t count = pages->count ? pages->count : 16;
    while (count <= page)
        count *= 2;
    void **grown = memory_resize(pages->pages, count * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + pages->count, 0, (count - pages->count) * sizeof *grown);
    pages->pages = grown;
    pages->count = count;
    return true;
}

void *analysis_page_item(struct analysis_pages *pages, uint32_t number, size_t size)
{
    const size_t page = number / ANALYSIS_PAGE;
    if (page >= pages->count && !make_pages(pages, page))
        return NULL;
    if (!pages->pages[page]) {
        pages->pages[page] = memory_allocate(ANALYSIS_PAGE * size);
        if (!pages->pages[page])
            return NULL;
        memset(pages->pages[page], 0, ANALYSIS_PAGE * size);
    }
    return (char *)pages->pages[page] + number % ANALYSIS_PAGE * size;
}

void analysis_pages_release(struct analysis_pages *pages)
{
    for (size_t i = 0; i < pages->count; i++)
        memory_release(pages->pages[i]);
    memory_release(pages->pages);
    *pages = (struct analysis_pages){0};
}

/* ---- who else ---- */

/* NULL when there is no memory: then it is not shown, and shared all the time. */
static struct analysis_lock *lock_of(struct analysis *analysis, uint32_t lock)
{
    while (analysis->lock_uses.count <= lock) {
        const struct analysis_lock none = {.phases = {.thread = 0}};
        if (!vector_push(&analysis->lock_uses, none))
            return NULL;
    }
    return &analysis->lock_uses.items[lock];
}

static enum analysis_told_kind kind_of(bool acquire)
{
    return acquire ? ANALYSIS_TOLD_ACQUIRE : ANALYSIS_TOLD_RELEASE;
}

/* What the table of locks has forgotten must be told again. */
bool analysis_is_lock_told(const struct analysis *analysis, const struct analysis_thread *thread,
                           const struct trace_event *event, bool acquire)
{
    return event->target < analysis->lock_uses.count &&
           analysis_was_told(&analysis->lock_uses.items[event->target].told, thread->order,
                             event->thread, thread->age, kind_of(acquire), true) &&
           !atomic_load_explicit(&analysis->movers.evicted, memory_order_relaxed);
}

void analysis_use_lock(struct analysis *analysis, const struct analysis_thread *thread,
                       const struct trace_event *event, struct analysis_held held, bool acquire)
{
    struct analysis_lock *lock = lock_of(analysis, event->target);
    const struct mover_user user = mover_user_of(thread->order);
    const struct mover_verdict verdict =
        acquire ? mover_acquire(&analysis->movers, event->target, &user, held.lockset, false)
                : mover_release(&analysis->movers, event->target, &user, held.lockset, false);
    if (!lock)
        return;
    if (acquire)
        analysis_note_use(&lock->acquires, event, held, &user);
    analysis_note_phase(analysis, &lock->phases, event, &user, verdict.state, verdict.taken_over);
    analysis_note_told(&lock->told, event->thread, thread->age, kind_of(acquire),
                       verdict.protecting, verdict.protecting, verdict.crowded);
}

/* ---- variables ---- */

static uint64_t stamp_of(const struct thread *thread, bool written)
{
    return (uint64_t)thread->slot << ANALYSIS_CELL_SLOT_SHIFT | thread_segment(thread) << 1 |
           written;
}

/* The same thread has told the same, or more, in the same segment. */
static bool is_repeated(uint64_t stamp, uint64_t now)
{
    return (stamp | 1) == (now | 1) && (stamp & 1) >= (now & 1);
}

/* ... and has not learned anything since: then it may be alone with the variable. */
static bool is_record_repeated(const struct analysis_record *record,
                               const struct analysis_thread *user, uint64_t now)
{
    return user->age && record->age == user->age && is_repeated(record->stamp, now);
}

static uint32_t slot_of(uint64_t stamp)
{
    return (uint32_t)(stamp >> ANALYSIS_CELL_SLOT_SHIFT);
}

static uint64_t segment_of(uint64_t stamp)
{
    return (stamp >> 1) & ((UINT64_C(1) << 50) - 1);
}

/* What a cell stands for. */
static struct mover_usage usage_of(const struct analysis_cell *cell)
{
    const uint64_t segment = segment_of(cell->stamp);
    return (struct mover_usage){
        .users = {(uint64_t)slot_of(cell->stamp) << 50 | segment},
        .access_set = cell->own.access_set,
        .write_set = cell->own.write_set,
        .state = MOVER_LOCAL,
        .written = cell->own.write_set != LOCKSET_ALL,
    };
}

/* Another thread has come. NULL when there is no room: then the cell stays that of the first
   one, and the variable counts as its own. */
static struct analysis_record *share(struct analysis *analysis, struct analysis_cell *cell,
                                     uint32_t variable)
{
    const struct analysis_record record = {.stamp = cell->stamp,
                                           .variable = variable,
                                           .unsure = cell->own.unsure,
                                           .usage = usage_of(cell),
                                           .handed = usage_of(cell)};
    if (analysis->records.count >= ANALYSIS_SHARED_MAX ||
        !vector_push(&analysis->records, record)) {
        analysis->forgotten++;
        return NULL;
    }
    struct analysis_record *shared = &vector_last(&analysis->records);
    const uint32_t slot = slot_of(cell->stamp);
    shared->phases = (struct analysis_phases){
        .last_use = segment_of(cell->stamp), .thread = analysis->in_slot[slot], .slot = slot};
    const struct analysis_use first = {analysis->in_slot[slot],
                                       cell->own.location,
                                       cell->own.stack,
                                       {LOCKSET_ALL, LOCKSET_EMPTY},
                                       analysis_use_stamp(slot, segment_of(cell->stamp))};
    (cell->stamp & 1 ? &shared->writes : &shared->reads)->last[0] = first;
    cell->stamp = ANALYSIS_CELL_SHARED | (analysis->records.count - 1);
    cell->told = (struct analysis_told){0};
    return shared;
}

static void use_cell(struct analysis *analysis, struct analysis_cell *cell, uint64_t now,
                     uint32_t lockset, const struct trace_event *event)
{
    struct lockset_table *locksets = analysis->rules.locksets;
    const bool write = event->kind == TRACE_WRITE;
    const bool same = cell->stamp && (cell->stamp | 1) == (now | 1);
    struct analysis_own *own = &cell->own;
    if (!cell->stamp)
        *own = (struct analysis_own){.access_set = LOCKSET_ALL, .write_set = LOCKSET_ALL};
    else if (!lockset_is_known(locksets, own->access_set))
        own->unsure = true;
    if (!lockset_is_known(locksets, lockset))
        own->unsure = true;
    cell->stamp = now | (same ? cell->stamp & 1 : 0);
    if (own->access_set != lockset)
        own->access_set = lockset_intersection(locksets, own->access_set, lockset);
    if (write && own->write_set != lockset)
        own->write_set = lockset_intersection(locksets, own->write_set, lockset);
    own->location = event->location;
    own->stack = event->stack;
}

/* The two engines count segments alike, but one of them knows what locks have handed over, if it
   has clocks. */
static struct mover_user user_with_hand_over(const struct analysis *analysis,
                                             const struct analysis_thread *thread)
{
    const struct analysis_options *options = &analysis->options;
    const bool clocks = thread->race && !(options->races && options->mode == ENGINE_LOCKSET);
    return mover_user_of(clocks ? thread->race : thread->order);
}

void analysis_begin_hand_over(struct analysis *analysis)
{
    for (size_t i = 0; !analysis->hands_over && i < analysis->records.count; i++) {
        struct analysis_record *record = &analysis->records.items[i];
        record->handed = record->usage;
        record->meets = record->contended;
    }
    analysis->hands_over = true;
}

/* Too much is for it to be known which locks all uses have in common. */
static bool is_forgotten(const struct analysis *analysis, const struct mover_usage *usage,
                         uint32_t lockset)
{
    const struct lockset_table *locksets = analysis->rules.locksets;
    return !lockset_is_known(locksets, lockset) || !lockset_is_known(locksets, usage->access_set) ||
           (usage->handed_over && !lockset_is_known(locksets, usage->past_access_set));
}

static void use_record(struct analysis *analysis, const struct analysis_thread *thread,
                       struct analysis_record *record, uint64_t now, uint32_t lockset,
                       const struct trace_event *event)
{
    const bool write = event->kind == TRACE_WRITE;
    const struct mover_user user = mover_user_of(thread->order);
    record->stamp = now | ((record->stamp | 1) == (now | 1) ? record->stamp & 1 : 0);
    record->age = thread->age;
    record->unsure |= is_forgotten(analysis, &record->usage, lockset);
    const bool taken_over =
        mover_usage_add(&record->usage, &analysis->rules, MOVER_VARIABLE, &user, lockset, write);
    analysis_note_phase(analysis, &record->phases, event, &user,
                        (enum mover_state)record->usage.state, taken_over);
    record->contended |= record->usage.state == MOVER_SHARED && record->usage.written;
    if (analysis->hands_over) {
        const struct mover_user handed = user_with_hand_over(analysis, thread);
        mover_usage_add(&record->handed, &analysis->rules, MOVER_VARIABLE, &handed, lockset, write);
        record->meets |= record->handed.state == MOVER_SHARED && record->handed.written;
    }
    const struct analysis_held held = {lockset, engine_shared(analysis->order, thread->order)};
    analysis_note_use(write ? &record->writes : &record->reads, event, held, &user);
}

static struct analysis_cell *cell_of(struct analysis *analysis, uint32_t variable)
{
    struct analysis_cell *cell = analysis_page_at(&analysis->cells, variable, sizeof *cell);
    return cell ? cell : analysis_page_item(&analysis->cells, variable, sizeof *cell);
}

void analysis_use_variable(struct analysis *analysis, const struct analysis_thread *user,
                           const struct trace_event *event)
{
    const struct thread *const thread = user->order;
    const bool write = event->kind == TRACE_WRITE;
    struct analysis_cell *cell = cell_of(analysis, event->target);
    if (!cell) {
        analysis->no_memory = true;
        return;
    }
    const enum analysis_told_kind kind = write ? ANALYSIS_TOLD_WRITE : ANALYSIS_TOLD_READ;
    const uint64_t now = stamp_of(thread, write);
    struct analysis_record *record = NULL;
    if (cell->stamp & ANALYSIS_CELL_SHARED) {
        if (!analysis->hands_over &&
            analysis_was_told(&cell->told, thread, event->thread, user->age, kind, write))
            return;
        record = &analysis->records.items[(uint32_t)cell->stamp];
    }
    if (record ? is_record_repeated(record, user, now) : is_repeated(cell->stamp, now))
        return;
    const uint32_t lockset = engine_lockset(analysis->order, user->order, write);
    if (!record && cell->stamp && slot_of(cell->stamp) != thread->slot) {
        record = share(analysis, cell, event->target);
        if (!record)
            return;
    }
    if (!record) {
        use_cell(analysis, cell, now, lockset, event);
        return;
    }
    use_record(analysis, user, record, now, lockset, event);
    analysis_note_told(&cell->told, event->thread, user->age, kind, record->usage.access_set,
                       record->usage.write_set, record->usage.crowded);
}

/* What holds for all accesses of the variable. True if locks hand it over, without guarding it.
   What they guard does not count as handed over, though each section may hand over to the next. */
static bool settle(const struct analysis *analysis, const struct analysis_record *record,
                   struct engine_facts *facts)
{
    mover_usage_facts(&record->usage, &analysis->rules, facts);
    if (!analysis->hands_over || facts->access_set != LOCKSET_EMPTY)
        return false;
    mover_usage_facts(&record->handed, &analysis->rules, facts);
    return !record->meets;
}

/* Of any two accesses of which one writes, a lock is held at both, or start, join and the like
   order them, in ways that transactions know, too. */
static bool is_guarded(const struct analysis *analysis, const struct analysis_record *record,
                       const struct engine_facts *facts)
{
    return !analysis->options.thorough && !analysis->hands_over && !record->unsure &&
           !record->usage.crowded && facts->access_set != LOCKSET_EMPTY &&
           !(record->usage.handed_over && analysis->at_once);
}

void analysis_settle_usage(struct analysis *analysis)
{
    for (size_t i = 0; i < analysis->records.count; i++) {
        const struct analysis_record *record = &analysis->records.items[i];
        struct analysis_cell *cell =
            analysis_page_item(&analysis->cells, record->variable, sizeof *cell);
        struct engine_facts facts;
        const bool handed = settle(analysis, record, &facts);
        if (!cell)
            continue;
        cell->settled =
            (struct analysis_settled){facts.access_set, facts.write_set, record->phases.first_until,
                                      record->phases.last_from};
        if (!record->contended)
            cell->stamp = 0;
        else if (handed)
            cell->stamp |= ANALYSIS_CELL_HANDED;
        else if (is_guarded(analysis, record, &facts))
            cell->stamp |= ANALYSIS_CELL_GUARDED;
        else if (facts.state == VARIABLE_SHARED_MODIFIED)
            cell->stamp |= ANALYSIS_CELL_OPEN;
    }
}

const struct analysis_record *analysis_record_of(const struct analysis *analysis, uint32_t variable)
{
    const struct analysis_cell *cell = analysis_shared_cell(analysis, variable);
    return cell ? &analysis->records.items[(uint32_t)cell->stamp] : NULL;
}
