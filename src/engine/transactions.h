/*
 * transactions: does the run itself contain a cycle of conflicting transactions?
 *
 * A transaction is what a thread does from entering an outermost block that should be atomic until
 * it leaves it; each operation outside blocks is a transaction by itself. There is an edge from one
 * transaction to another when an operation of the first comes before one of the second, and
 *
 *     both are of the same thread, or
 *     both access a variable, at least one as a writer, or
 *     a lock is released, then acquired, at least one of the two exclusively, or
 *     a synchronization object is released, then acquired, or
 *     a thread is started, then runs, or has ended, then is joined.
 *
 * The run can be rearranged into one without interleaved transactions exactly when these edges
 * have no cycle. transactions_perform says so at the operation that closes a cycle, which always is
 * one of a transaction that is still going on: nothing is guessed about other runs, and none of
 * this run is missed as long as the tables are not full (transactions_counts says what was lost; by
 * that cycles can be missed, and none is invented).
 *
 * How: only a transaction that is going on can get new edges into it, so only it can be on a cycle
 * that is not closed yet. It has a row that says, for each thread, from which position on the
 * thread's operations come after it over edges; that is all there is of the graph. An operation of
 * the past is worth remembering only as long as it belongs to such a transaction or comes after
 * one. See transactions_graph.c.
 *
 * Events of different threads may come at the same time, those of one thread one after the other;
 * what orders them in the program must order the calls, as engine.h has it. Reports are made on the
 * thread that closes the cycle, with no lock held.
 *
 * What may be left out. A caller may skip an operation when the same thread has told one of the
 * same kind (or, for a read, a write) on the same variable with the same transactions_stamp, and no
 * other thread has told one on that variable since. The argument: the operation would get edges
 * only from what others did to the variable before the first one (nothing has come since), and
 * those are there already, as edges between transactions stay. Later operations of others would get
 * an edge from its transaction, and get it from the remembered one: equal stamps are in the same
 * transaction, or are operations outside of blocks between which the thread has got no edge, so
 * that whatever comes before the second of them comes before the first. Inside a transaction it
 * does no harm to the verdict, either, to skip while the stamp changes, but then a report may name
 * an outer block in place of the inner one. Outside of blocks it would: B{write y; read x} with the
 * other thread's write x; read y; write x between B's two operations is a cycle by the second write
 * only. transactions_perform itself skips in the same way, before it takes any lock.
 */
#ifndef TURNSTILE_ENGINE_TRANSACTIONS_H
#define TURNSTILE_ENGINE_TRANSACTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRANSACTIONS_THREADS_MAX 16383u
#define TRANSACTIONS_OBJECT_MAX ((UINT64_C(1) << 62) - 1)
#define TRANSACTIONS_BLOCKS_MAX 16u
#define TRANSACTIONS_PATH_MAX 16u

enum transactions_kind {
    TRANSACTIONS_READ,           /* variable */
    TRANSACTIONS_WRITE,          /* variable */
    TRANSACTIONS_ACQUIRE,        /* lock */
    TRANSACTIONS_RELEASE,        /* lock */
    TRANSACTIONS_ACQUIRE_SHARED, /* lock */
    TRANSACTIONS_RELEASE_SHARED, /* lock */
    TRANSACTIONS_SYNC_ACQUIRE,   /* synchronization object */
    TRANSACTIONS_SYNC_RELEASE,   /* synchronization object */
    TRANSACTIONS_START,          /* the parent's operation; the object is 0 */
    TRANSACTIONS_RUN,            /* the child's first moment */
    TRANSACTIONS_EXIT,           /* its last */
    TRANSACTIONS_JOIN,
};

struct transactions_operation {
    uint64_t thread; /* its name */
    enum transactions_kind kind;
    uint32_t location;
    uint32_t stack;
    uint32_t block; /* the outermost block it was done in; 0: outside */
};

/* An edge: `later` comes after `earlier`, for what both do to the object. */
struct transactions_conflict {
    uint64_t object;
    struct transactions_operation earlier;
    struct transactions_operation later;
};

struct transactions_block {
    uint32_t block;
    uint32_t location;
    uint32_t stack;
};

/*
 * A cycle. path[0].earlier is the operation of the violated block after which others came in
 * ("commits at"), path[path_count - 1].later the one with which it came after them ("violated at").
 * In between, path[i].later and path[i + 1].earlier are of the same other thread.
 */
struct transactions_violation {
    uint64_t thread;
    /* The innermost block that both operations are in, and those around it, which are violated
       with it; the outermost last. */
    struct transactions_block blocks[TRANSACTIONS_BLOCKS_MAX];
    uint32_t block_count;
    struct transactions_conflict path[TRANSACTIONS_PATH_MAX];
    uint32_t path_count;
    bool whole; /* false: conflicts are missing between the first and the rest of the path, or the
                   first as well (then path[0].earlier.thread is not `thread`) */
    bool alone; /* the block would not be serializable even if all other operations were on their
                   own; if not so, perhaps one of the others on the path is to blame */
};

typedef void (*transactions_report)(void *context, const struct transactions_violation *violation);

struct transactions_options {
    uint32_t threads;  /* at most TRANSACTIONS_THREADS_MAX at a time */
    uint32_t objects;  /* variables, locks and synchronization objects that matter at a time */
    uint32_t accesses; /* reads (and shared releases) that matter at a time */
    uint32_t steps;    /* conflicts that are remembered for reports */
    size_t row_bytes;  /* for what comes after the transactions that are going on */
    uint32_t reports;  /* after this many different ones no more are made */
    transactions_report report; /* may be NULL */
    void *context;
};

struct transactions_counts {
    uint64_t operations; /* that were not skipped */
    uint64_t cycles;     /* operations that closed one; the same may be reported before */
    uint64_t reports;
    uint64_t lost;    /* operations that could not be remembered, transactions without a row */
    uint64_t cut;     /* paths that are not whole */
    uint64_t refused; /* threads that there was no room for */
    uint64_t sweeps;
    uint32_t objects;  /* remembered now, some perhaps in vain */
    uint32_t accesses; /* likewise */
    uint32_t steps;    /* conflicts that are remembered for reports */
    uint32_t threads;  /* slots in use */
    size_t row_bytes;
};

struct transactions;
struct transactions_thread;

void transactions_options_default(struct transactions_options *options);

/* NULL when there is no memory. */
struct transactions *transactions_new(const struct transactions_options *options);

/* No thread may be using it. */
void transactions_free(struct transactions *transactions);

/*
 * Threads. A NULL thread is accepted everywhere, and what it does is not looked at.
 */

/* Told by the parent (NULL: not known) before the child runs. `name` is for reports; not 0. */
struct transactions_thread *transactions_thread_start(struct transactions *transactions,
                                                      struct transactions_thread *parent,
                                                      uint64_t name, uint32_t location,
                                                      uint32_t stack);

/* Tells this thread from others that have or had the same structure; for the join. */
uint64_t transactions_thread_birth(const struct transactions_thread *thread);

/* Leaves all blocks that the thread is in. */
void transactions_thread_end(struct transactions *transactions, struct transactions_thread *thread);

/* `child` began with `birth`, has ended, and may be long gone. The result is that of
   transactions_perform. */
bool transactions_thread_join(struct transactions *transactions, struct transactions_thread *thread,
                              struct transactions_thread *child, uint64_t birth, uint32_t location,
                              uint32_t stack);

/*
 * Blocks that should be atomic. They nest.
 */
void transactions_begin(struct transactions *transactions, struct transactions_thread *thread,
                        uint32_t block, uint32_t location, uint32_t stack);
void transactions_end(struct transactions *transactions, struct transactions_thread *thread);

/* What follows is another transaction, in the same blocks: for a wait in the middle of them. */
void transactions_split(struct transactions *transactions, struct transactions_thread *thread);

/*
 * Operations.
 */

/* True when the operation closes a cycle. The object is at most TRANSACTIONS_OBJECT_MAX; variables,
   locks and synchronization objects have numbers of their own. Acquires of a lock that the thread
   has, and all but the last release, may be told or not. */
bool transactions_perform(struct transactions *transactions, struct transactions_thread *thread,
                          enum transactions_kind kind, uint64_t object, uint32_t location,
                          uint32_t stack);

/* See the top. Never 0; not the same for different threads that live at the same time. */
uint64_t transactions_stamp(const struct transactions_thread *thread);

void transactions_counts(struct transactions *transactions, struct transactions_counts *counts);

#endif
