/*
 * analysis_internal: what the files of the analysis share.
 *
 *     analysis.c            the passes
 *     analysis_threads.c    what begins and ends with a thread
 *     analysis_events.c     the first pass
 *     analysis_usage.c      how variables are used, for reduction
 *     analysis_told.h       ... and which uses are like others before
 *     analysis_phases.c     when one thread has them for itself
 *     analysis_unshared.c   what is done to objects that nobody else knows yet
 *     analysis_others.c     who else uses them
 *     analysis_reduction.c  the second pass: reduction
 *     analysis_blocks.c     the second pass: blocks
 *     analysis_cycles.c     the second pass: transactions
 *     analysis_notes.c      what the engines report, until it becomes findings
 *     analysis_findings.c   races and deadlocks in words
 *     analysis_atomicity.c  blocks in words
 *     analysis_places.c     names of things, stacks
 */
#ifndef TURNSTILE_TRACE_ANALYSIS_INTERNAL_H
#define TURNSTILE_TRACE_ANALYSIS_INTERNAL_H

#include <assert.h>

#include "base/intmap.h"
#include "base/vector.h"
#include "engine/blocks.h"
#include "engine/engine.h"
#include "engine/lock_order.h"
#include "engine/mover.h"
#include "engine/race.h"
#include "engine/reduction.h"
#include "engine/transactions.h"
#include "trace/analysis.h"
#include "trace/analysis_told.h"
#include "trace/trace_check.h"

/* Blocks without a number of their own are told apart by where they begin. */
#define ANALYSIS_BLOCK_AT UINT32_C(0x80000000)

/* Locks stand in for synchronization objects, beside those of the trace. */
#define ANALYSIS_HANDED_OVER UINT32_C(0x80000000)

enum {
    ANALYSIS_PAGE = 4096,           /* variables */
    ANALYSIS_SHARED_MAX = 1 << 20,  /* records of shared variables */
    ANALYSIS_REPORTS_MAX = 1 << 16, /* different reports of one engine */
    ANALYSIS_OTHERS = 2,
    ANALYSIS_SYNC_USERS = 12,
    ANALYSIS_AHEAD = 12, /* events: some that are looked at while memory comes */
};

/*
 * When one thread alone uses a variable, a lock or a synchronization object: first, until others
 * come, if start, join and the like order all of theirs after that, or else until it started the
 * first of those; and last, if the same orders all that others did before. Nobody can notice when
 * it is used then. Events are told by their number in a pass, which is the same in the next one.
 */
struct analysis_phases {
    uint64_t last_use;    /* the first thread's segment when others came */
    uint64_t first_until; /* the event with which others came, or were started; 0: none came */
    uint64_t last_from;   /* the event with which the last phase began; 0: there is none */
    uint64_t started;     /* the event with which the first of the others was started */
    uint32_t thread;      /* whose the first phase is; 0: there was no use yet */
    uint32_t slot;
    uint32_t other; /* the last other thread that came */
    bool apart;     /* not all uses of others are ordered after the first phase */
};

/* Who uses a synchronization object. What only one thread uses, or nobody releases, can be moved
   past everything. So can what is done to it in the first phase; and then, if nobody released it
   any more, all the rest; and what a thread does when it has joined all others that used it: that
   is the last phase. Other order than by joins does not count for that, as the object itself may
   have made it, and in another run not. */
struct analysis_sync {
    struct analysis_phases phases;
    uint64_t last_release; /* the event; 0: nobody did */
    uint32_t users[ANALYSIS_SYNC_USERS];
    uint32_t user_count; /* more than there is room for: then there is no last phase */
};

struct analysis_thread {
    struct thread *race;  /* of the engine that looks for races, and knows of hand-over */
    struct thread *order; /* of the one that knows the order for everything else */
    struct lock_order_thread *lock_order;
    struct reduction_thread *reduction; /* in the second pass */
    uint64_t race_birth;
    uint64_t order_birth;
    bool started;
    bool ended;
    uint32_t joined_by; /* 0: by nobody */
    uint32_t tried;     /* the lock that it acquires next without waiting, or 0 */
    uint32_t age;       /* as analysis_told.h has it: no other thread's is the same; 0: too old */
    uint64_t learned;   /* the segment in which it learned something last */
    uint32_t releases;  /* of either pass: how often it has released something, to whomever */
    bool makes; /* ... and made an object since that nobody else knows: analysis_unshared.c */
    /* Who started it, where. */
    uint32_t parent;
    uint64_t start_number; /* of the event in its pass */
    uint32_t start_location;
    uint32_t start_stack;
    /* While it waits: how often it had the lock. */
    uint32_t race_times;
    uint32_t order_times;
    uint32_t lock_order_times;
    /* Of the second pass. */
    bool locks_known;
    uint32_t any; /* locks held */
    uint32_t exclusive;
    uint32_t shared;            /* in this mode only */
    struct trace_event synced;  /* the call that it may still be in; thread 0: none */
    bool synced_back;           /* what that call released first it has acquired, too */
    struct trace_event written; /* the last release of what is no lock; in either pass */
    uint32_t locked_at;         /* where it acquired or released a lock just now, or 0 */
    struct blocks_thread *blocks;
    struct thread *again; /* of the engine that knows the order in this pass */
    uint64_t again_birth;
    uint32_t blocks_waits; /* for this lock, or 0 */
    uint32_t blocks_times;
    bool blocks_over;
    struct transactions_thread *transactions;
    uint64_t transactions_birth;
    bool transactions_begun;
    bool transactions_over;
};

/* The locks that a thread holds at an event. */
struct analysis_held {
    uint32_t lockset; /* those that count for the event; LOCKSET_ALL: not known */
    uint32_t shared;  /* those in shared mode only, whether they count or not; for reports */
};

/* Somebody's use of a variable or lock, to be shown beside a violation. */
struct analysis_use {
    uint32_t thread; /* 0: none */
    uint32_t location;
    uint32_t stack;
    struct analysis_held held;
    uint64_t stamp; /* where in its thread, as analysis_use_stamp has it */
};

/* The last ones, of different threads. */
struct analysis_uses {
    struct analysis_use last[ANALYSIS_OTHERS];
    bool apart;     /* they are two, and nothing but locks orders them */
    uint64_t later; /* the stamp of one who came after them, and is not among them; or 0 */
};

/* A variable that one thread uses. */
struct analysis_own {
    uint32_t access_set; /* as in struct mover_usage; LOCKSET_ALL as write set: never written */
    uint32_t write_set;
    uint32_t location; /* of the last use in another segment than those before */
    uint32_t stack;
    bool unsure; /* as in struct analysis_record */
};

/* A variable once all is settled: what else is asked of its record. */
struct analysis_settled {
    uint32_t access_set;
    uint32_t write_set;
    uint64_t first_until; /* as in struct analysis_phases */
    uint64_t last_from;
};

/* A variable that one thread uses, or the number of its record. */
struct analysis_cell {
    /* 0: not used; bit 63: the low bits are the record's number; else slot << 51 | segment << 1 |
       whether it was written in that segment. Once all is settled: 0, or that of a record, with bit
       62 if there is an access that is no both-mover, 61 if nothing guards it and it is used by one
       thread after the other all the same, because locks hand it over, and 60 if locks guard it. */
    uint64_t stamp;
    union {
        struct analysis_own own;
        struct analysis_told told; /* with a record */
        struct analysis_settled settled;
    };
};
static_assert(sizeof(struct analysis_cell) == 32, "a cell is not in one line of the cache");

#define ANALYSIS_CELL_SHARED (UINT64_C(1) << 63)
#define ANALYSIS_CELL_OPEN (UINT64_C(1) << 62)
#define ANALYSIS_CELL_HANDED (UINT64_C(1) << 61)
#define ANALYSIS_CELL_GUARDED (UINT64_C(1) << 60)
#define ANALYSIS_CELL_SLOT_SHIFT 51

/* How a lock is used. */
struct analysis_lock {
    struct analysis_told told;
    struct analysis_uses acquires;
    struct analysis_phases phases;
};

/* A variable that several threads use. */
struct analysis_record {
    uint64_t stamp; /* of the last use that was told, as in a cell */
    uint32_t age;   /* of the thread, then */
    uint32_t variable;
    bool contended; /* there are conflicting accesses that only locks order, if anything does */
    bool unsure;    /* the sets of locks may have more than all accesses had */
    struct mover_usage usage;
    struct mover_usage handed; /* if what locks hand over is ordered; once one has done so */
    bool meets;                /* `contended`, in that order */
    struct analysis_phases phases;
    struct analysis_uses reads;
    struct analysis_uses writes;
};

struct analysis_pages {
    void **pages;
    size_t count;
};

struct analysis_violation {
    struct reduction_violation violation;
    uint64_t count;
};

struct analysis {
    struct analysis_options options;
    struct analysis_result *result;
    struct trace_check check;
    const struct trace_names *names;

    bool apart;           /* the order of accesses is kept apart from that of locks */
    bool begin_again;     /* ... and must be: a lock hands something over */
    bool hands_over;      /* some lock has handed something over */
    bool at_once;         /* some call has released and acquired something, as one step */
    struct engine *racer; /* NULL: only the order of locks is looked for */
    struct engine *order; /* the same, if nothing else is looked for */
    struct lock_order *lock_order;
    struct mover_table movers;
    struct mover_rules rules;
    struct reduction *reduction;       /* in the second pass */
    struct thread *stand_in;           /* of all threads in the second pass */
    struct blocks *blocks;             /* in the second pass */
    struct engine *again;              /* keeps the order for those */
    struct transactions *transactions; /* in the second pass */
    bool uses;                         /* it is noted how variables and locks are used */

    VECTOR(struct analysis_thread) threads;
    uint32_t in_slot[THREAD_SLOTS_MAX + 1]; /* the thread that is, or was last, in a slot */
    struct analysis_pages words;            /* uint64_t by variable */
    struct analysis_pages cells;            /* struct analysis_cell by variable */
    struct analysis_pages makers;           /* uint64_t by variable: see analysis_unshared.c */
    VECTOR(struct analysis_record) records;
    VECTOR(struct analysis_lock) lock_uses; /* by lock */
    VECTOR(struct analysis_sync) sync_uses; /* by synchronization object */
    uint32_t ages;                          /* that threads have had */
    bool no_memory;
    uint64_t forgotten;

    /* What the engines have reported. */
    struct race_filter race_filter;
    struct intmap race_index; /* from field and places to `races` */
    VECTOR(struct race) races;
    struct intmap violation_index; /* from block and places to `violations` */
    VECTOR(struct analysis_violation) violations;
    struct intmap block_index;
    VECTOR(struct blocks_violation) block_violations;
    struct intmap cycle_index;
    VECTOR(struct transactions_violation) cycles;
    VECTOR(struct lock_order_cycle) deadlocks;
    struct intmap observed_blocks;  /* those on cycles */
    struct intmap predicted_blocks; /* those of which something else was reported */
};

/* analysis_threads.c */

/* The thread learns or releases something that is no lock. */
static inline void analysis_begin_age(struct analysis *analysis, struct analysis_thread *thread)
{
    const bool counts = analysis->ages < ANALYSIS_AGE_MAX && !analysis->options.thorough;
    thread->age = counts ? ++analysis->ages : 0;
}

/* NULL when there is no memory for it. Threads move when others come. */
struct analysis_thread *analysis_start_thread(struct analysis *analysis, uint32_t number,
                                              const struct trace_event *fork);
void analysis_end_thread(struct analysis *analysis, struct analysis_thread *thread);

static inline struct analysis_thread *analysis_thread(struct analysis *analysis, uint32_t number)
{
    if (number < analysis->threads.count && analysis->threads.items[number].started)
        return &analysis->threads.items[number];
    return analysis_start_thread(analysis, number, NULL);
}

/* analysis_events.c, analysis_reduction.c: what a pass does with an event. */
typedef void (*analysis_handler)(struct analysis *analysis, const struct trace_event *event);
void analysis_first(struct analysis *analysis, const struct trace_event *event);
void analysis_second(struct analysis *analysis, const struct trace_event *event);

/* The same files: what it is going to need for events that are still to come. */
typedef void (*analysis_foresight)(struct analysis *analysis, const struct trace_source *source);
void analysis_first_ahead(struct analysis *analysis, const struct trace_source *source);
void analysis_second_ahead(struct analysis *analysis, const struct trace_source *source);

/* Between the passes: classifies by what was collected. False when there is no memory. */
bool analysis_begin_reduction(struct analysis *analysis);

/* analysis_blocks.c */
bool analysis_begin_blocks(struct analysis *analysis);
void analysis_tell_blocks(struct analysis *analysis, const struct trace_event *event);
void analysis_end_blocks(struct analysis *analysis);

/* analysis_cycles.c */
bool analysis_begin_cycles(struct analysis *analysis);
void analysis_tell_cycles(struct analysis *analysis, const struct trace_event *event);

/* analysis_usage.c */

/* An item of `size` bytes by number, all zero at first; NULL when there is no memory. */
void *analysis_page_item(struct analysis_pages *pages, uint32_t number, size_t size);

/* The same; NULL if nobody has asked for one nearby so far. */
static inline void *analysis_page_at(const struct analysis_pages *pages, uint32_t number,
                                     size_t size)
{
    const size_t page = number / ANALYSIS_PAGE;
    if (page >= pages->count || !pages->pages[page])
        return NULL;
    return (char *)pages->pages[page] + number % ANALYSIS_PAGE * size;
}

static inline void analysis_prefetch(const struct analysis_pages *pages, uint32_t number,
                                     size_t size)
{
    const void *item = analysis_page_at(pages, number, size);
    if (item)
        __builtin_prefetch(item, 1);
}

void analysis_pages_release(struct analysis_pages *pages);

/* analysis.c: some lock hands something over. Whether that cannot be told apart any more. */
bool analysis_must_begin_again(const struct analysis *analysis);

/* analysis_usage.c: a lock hands something over, perhaps for the first time. */
void analysis_begin_hand_over(struct analysis *analysis);
void analysis_use_variable(struct analysis *analysis, const struct analysis_thread *user,
                           const struct trace_event *event);

/* To be told of every use of a lock, unless analysis_is_lock_told. `held`: the others that the
   thread has for itself, before an acquire or after a release. */
void analysis_use_lock(struct analysis *analysis, const struct analysis_thread *thread,
                       const struct trace_event *event, struct analysis_held held, bool acquire);

bool analysis_is_lock_told(const struct analysis *analysis, const struct analysis_thread *thread,
                           const struct trace_event *event, bool acquire);

/* analysis_unshared.c */

/* The location says that no other thread can know what is accessed there, or the thread, which has
   made something since it last released anything, has made this: see analysis_is_unshared. */
bool analysis_makes(struct analysis *analysis, struct analysis_thread *thread,
                    const struct trace_event *event);
bool analysis_has_made(const struct analysis *analysis, const struct analysis_thread *thread,
                       const struct trace_event *event);

/* Whether nobody else can notice the access, because the object is only being made. To be asked of
   all accesses in their order, in each pass. */
static inline bool analysis_is_unshared(struct analysis *analysis, struct analysis_thread *thread,
                                        const struct trace_event *event)
{
    if (trace_names_is_unshared(analysis->names, event->location))
        return analysis_makes(analysis, thread, event);
    return thread->makes && analysis_has_made(analysis, thread, event);
}

/* To be told of all other events. */
void analysis_note_release(struct analysis_thread *thread, enum trace_kind kind);

/* Between the passes. */
void analysis_forget_makers(struct analysis *analysis);

/* analysis_phases.c */

/* To be told of every use. `state`: since this one, with which, perhaps, another group of users has
   begun. */
void analysis_note_phase(struct analysis *analysis, struct analysis_phases *phases,
                         const struct trace_event *event, const struct mover_user *user,
                         enum mover_state state, bool taken_over);

/* When all uses have been told. */
void analysis_settle_phases(struct analysis *analysis);

/* Whether the event of that number is in one of the phases. */
static inline bool analysis_is_in_phase(uint64_t first_until, uint64_t last_from, uint64_t number)
{
    return number < first_until || (last_from && number >= last_from);
}

static inline bool analysis_is_alone(const struct analysis_phases *phases, uint64_t number)
{
    return analysis_is_in_phase(phases->first_until, phases->last_from, number);
}

/* analysis_others.c */
uint64_t analysis_use_stamp(uint32_t slot, uint64_t segment);
void analysis_note_use(struct analysis_uses *uses, const struct trace_event *event,
                       struct analysis_held held, const struct mover_user *user);
/* One by another thread, or NULL. */
const struct analysis_use *analysis_other_use(const struct analysis_uses *uses, uint64_t thread);

/* analysis_usage.c again. The uses so far become facts: cells of variables that no two threads use,
   or nobody writes, become 0, the others get the two sets. */
void analysis_settle_usage(struct analysis *analysis);

/* The record of the variable, or NULL. */
const struct analysis_record *analysis_record_of(const struct analysis *analysis,
                                                 uint32_t variable);

/* The cell of a contended variable, once all is settled; or NULL. */
static inline const struct analysis_cell *analysis_shared_cell(const struct analysis *analysis,
                                                               uint32_t variable)
{
    const struct analysis_cell *cell = analysis_page_at(&analysis->cells, variable, sizeof *cell);
    return cell && (cell->stamp & ANALYSIS_CELL_SHARED) ? cell : NULL;
}

static inline uint32_t analysis_block(const struct trace_event *event)
{
    return event->target ? event->target : (ANALYSIS_BLOCK_AT | event->location);
}

/* analysis_notes.c: for the engines. */
void analysis_note_race(void *context, const struct race *race);
void analysis_note_violation(void *context, const struct reduction_violation *violation);
void analysis_note_blocks(void *context, const struct blocks_violation *violation);
void analysis_note_cycle(void *context, const struct transactions_violation *violation);
void analysis_note_deadlock(void *context, const struct lock_order_cycle *cycle);

/* Whether something was predicted of a block on the cycle. */
bool analysis_is_predicted(const struct analysis *analysis,
                           const struct transactions_violation *cycle);
void analysis_notes_release(struct analysis *analysis);

/* analysis_places.c */

/* For making findings, one at a time. */
struct analysis_teller {
    const struct analysis *analysis;
    const struct trace_names *names;
    struct finding_list *findings;
    struct arena arena; /* of the finding that is being made */
};

/* Texts live in the arena or as long as the names. */
struct text analysis_name_of_thread(struct analysis_teller *teller, uint64_t thread);
struct text analysis_name_of_lock(struct analysis_teller *teller, uint32_t lock);
struct text analysis_name_of_sync(struct analysis_teller *teller, uint32_t sync);
struct trace_field analysis_name_of_variable(struct analysis_teller *teller, uint32_t field);

/* Class and method; for a block without a name, those of the place where it begins. */
struct trace_block analysis_name_of_block(struct analysis_teller *teller, uint32_t block,
                                          uint32_t location);

/* "Account.balance", or the part that is there. */
struct text analysis_dotted(struct analysis_teller *teller, struct text class_name,
                            struct text member);

struct finding_frame analysis_frame(struct analysis_teller *teller, uint32_t location);
struct finding_stack analysis_stack(struct analysis_teller *teller, const char *role,
                                    uint64_t thread, uint32_t location, uint32_t stack);
/* The locks of the sets, which are of that engine. */
void analysis_add_held(struct analysis_teller *teller, struct finding_stack *stack,
                       struct engine *engine, struct analysis_held held);
void analysis_add_shown(struct analysis_teller *teller, struct finding_stack *stack,
                        const struct lockset_shown *locks, size_t count);

/* Where the thread was started; false if that is not known. */
bool analysis_start_of(struct analysis_teller *teller, uint64_t thread,
                       struct finding_stack *stack);

struct text analysis_format(struct analysis_teller *teller, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* analysis_atomicity.c: of reduction, blocks and transactions. False when there is no memory. */
bool analysis_tell_atomicity(struct analysis_teller *teller);

/* The finding, which stands at the top of its stack number `place`. False when there is no memory.
 */
bool analysis_add_finding(struct analysis_teller *teller, struct finding *finding, size_t place);

/* analysis_findings.c: all that was noted. False when there is no memory. */
bool analysis_make_findings(struct analysis *analysis, struct finding_list *findings);

/* analysis_events.c, in the second pass: whether others may notice this use of a synchronization
   object. */
bool analysis_is_noticed(const struct analysis *analysis, const struct trace_event *event);

/* analysis_reduction.c: whether two events of a thread, one of synchronization directly behind the
   other, are of one call. */
bool analysis_is_same_call(const struct trace_event *first, const struct trace_event *event);

#endif
