/*
 * flow_internal: how the parts of the symbolic execution work together.
 *
 *   flow_loops.c      order of the blocks, where loops begin, what they assign
 *   flow_values.c     terms and what is known of them
 *   flow_locks.c      lock sets
 *   flow_state.c      states of blocks and how they meet
 *   flow_parts.c      what hangs in objects that nobody else knows
 *   flow_transfer.c   what instructions do
 *   flow_calls.c      what calls do
 *   flow_record.c     events, and the result in its final form
 *   method_flow.c     the whole
 *
 * Blocks are executed until their states no longer change, then once more for the events. States
 * only lose knowledge on the way, so that this ends.
 *
 * Where a loop begins, each local that it assigns becomes a JOIN from the start. So no term for
 * what an instruction made can be in the state when that instruction is executed again, and places
 * need no second round: in one, only locks and freshness can still change.
 */
#ifndef TURNSTILE_FLOW_FLOW_INTERNAL_H
#define TURNSTILE_FLOW_FLOW_INTERNAL_H

#include "base/vector.h"
#include "bytecode/flow.h"
#include "flow/method_flow.h"
#include "flow/summaries.h"

enum {
    MOST_LOCKS = 255, /* held at once; a method with more is not analysed */
    MOST_FRESH = 32,  /* of more objects only some are known to be fresh */
    MOST_PARTS = 64,  /* of all of them together, */
    MORE_PARTS = 8,   /* and this many more than came first where states meet */
    MOST_PATH = 12,   /* fields in a row that a term may have */
    MOST_RESTARTS = 8,
    MOST_NAMES = 1000,   /* pairs of names of the same lock */
    MOST_WORK = 1 << 26, /* instructions, and sixteenths of compared places */
    MOST_STATE_BYTES = 1 << 26
};

/* ---- states ---- */

/* What is known of a field of a fresh object. */
enum part_kind {
    PART_VALUE,  /* the field refers to the value, or did on some way: who hands that out hands out
                    what is in the field */
    PART_SHARED, /* others may know what is in the field; then there is nothing else about it */
    PART_MADE    /* on every way the method has stored it there itself, and it was new */
};

struct fresh_part {
    term holder;
    uint32_t field;
    uint8_t kind; /* enum part_kind */
    bool made;    /* of a value: it was PART_MADE when it was read */
    term value;   /* of a value; else TERM_NONE */
};

struct flow_state {
    term *places;            /* locals, then stack; TERM_NONE: nothing that could be used */
    struct held_lock *locks; /* ascending by lock, then by mode */
    term *fresh;
    struct fresh_part *parts; /* of those */
    uint32_t stack_count;
    uint32_t lock_count, lock_room;
    uint32_t fresh_count;
    uint32_t part_count, part_room;
    bool reached;
};

/* ---- what is looked up once for each instruction ---- */

struct field_use {
    uint32_t field; /* PROGRAM_NONE: unresolved */
    uint8_t slots;  /* of its value */
    bool is_final;
    bool is_volatile;
    bool is_own_static; /* of the class in whose static initializer we are */
};

struct call_use {
    uint32_t method;         /* PROGRAM_NONE: unresolved */
    uint16_t argument_count; /* receiver not counted */
    uint8_t argument_slots, result_slots;
    bool has_receiver;
    bool is_constructor;
    bool dispatched;
    bool releases;    /* some lock: then it is taken not to throw */
    const bool *lent; /* by parameter, the receiver first if there is one: it is only read or
                         written; NULL: none is */
    const uint8_t *positions;             /* of the arguments, in slots from the first */
    const bool *is_object;                /* by argument */
    const struct method_locks *locks;     /* NULL: nothing is declared */
    const struct method_summary *summary; /* NULL: none */
    const struct bound_effect
        *net; /* what the program's method does to locks; terms of summaries */
    uint32_t net_count;
    bool net_releases_only;
    const struct call_lambda *lambda; /* of an invokedynamic; NULL: none */
};

/* The constructor call that initialized the object of a `new`. */
struct construction {
    const struct method_summary *summary;
    term *arguments; /* the object first */
    uint32_t argument_count;
    bool unknown; /* it was not always the same */
};

/* ---- the execution ---- */

struct value_info {
    term root;       /* what the term is a path from; often itself */
    uint32_t type;   /* of joins; see flow_values.c */
    term last_input; /* of a join: what was noted last */
    uint8_t depth;   /* of the path */
};

struct join_input {
    term join, input;
};

struct loop {
    uint64_t *assigned; /* set of locals */
};

struct flow_run {
    struct method_flow *flow;
    const struct flow_context *context;
    const struct program *program;
    const struct call_graph *graph; /* NULL: none */
    struct arena *scratch;
    struct problem *problem;
    uint32_t class_id;
    bool is_constructor, is_static_initializer;
    bool failed; /* memory ran out, or the code is bad: the problem is set */

    struct flow blocks;
    uint32_t local_count, stack_limit;
    uint32_t *order; /* block numbers in reverse post-order */
    uint32_t order_count;
    uint32_t *rank;     /* by block: its place in the order; UINT32_MAX: not reached */
    bool *throws;       /* by block: some instruction of it can throw */
    struct loop *loops; /* by block; assigned is NULL where no loop begins. NULL: no loops */
    bool *in_loop;      /* by block; NULL: no loops */

    struct term_table terms;
    VECTOR(struct value_info) infos;
    VECTOR(struct join_input) inputs;
    bool types_lost;                       /* too many inputs: types of joins are not known */
    VECTOR(struct join_input) other_names; /* of locks: pairs */

    struct flow_state *at; /* by block */
    struct flow_state now;
    uint32_t instruction; /* that is being executed */
    bool handlers_behind; /* the state has changed since the handlers heard of it */
    bool escaped;    /* something has stopped being fresh, or a part; never cleared by itself */
    bool *pending;   /* by rank */
    uint32_t lowest; /* no pending rank is below */
    size_t state_bytes;
    uint64_t work;

    void **uses; /* by instruction: struct field_use, call_use, construction; NULL: not looked up */
    bool use_constructions;
    bool restart;

    /* Events, in the second part. */
    bool recording;
    VECTOR(struct flow_event) events;
    VECTOR(term) arguments;
    VECTOR(uint8_t) argument_flags; /* as many */
    VECTOR(struct lock_set) sets;
    struct intmap set_numbers;
    uint32_t set_now; /* number of the set in `now`, or UINT32_MAX */
    term returned;
    bool returns_differ;
};

/* Ends the execution with this reason. */
void flow_fail(struct flow_run *run, const char *reason);
void flow_fail_memory(struct flow_run *run);

/* Counts a pass over so many places; ends the execution when there have been too many. */
void flow_count_work(struct flow_run *run, uint32_t places);

/* ---- loops ---- */

bool flow_loops_find(struct flow_run *run);
bool flow_can_throw(const struct flow_run *run, const struct instruction *instruction);

/* The local that an instruction assigns, and how many slots; -1: none. */
int32_t flow_assigned_local(const struct instruction *instruction, unsigned *slots);

/* ---- values ---- */

bool flow_values_init(struct flow_run *run);

term flow_make(struct flow_run *run, enum term_kind kind, uint32_t a, uint32_t b);

/* The value that an instruction makes: a NEW for those that make objects, else OPAQUE. */
static inline term flow_made(uint32_t instruction)
{
    return instruction + 1;
}

term flow_root(struct flow_run *run, term number);

/* Whether it is a value of the code: not a parameter, a class, or a path from such. */
bool flow_is_code_value(struct flow_run *run, term number);

/* What the final field of the object holds. */
term flow_field_term(struct flow_run *run, term object, uint32_t field);
term flow_static_term(struct flow_run *run, uint32_t field);

/* A declared or summarized term at a call; TERM_NONE if it has no name here. */
term flow_substitute(struct flow_run *run, const struct term_table *from, term number,
                     const term *parameters, uint32_t count);

void flow_note_join(struct flow_run *run, term join, term input);

/* Static types, when the execution is over: by term of run->terms. False without memory. */
uint32_t *flow_value_types(struct flow_run *run, const term *kept);

/* ---- locks, of run->now ---- */

void flow_locks_acquire(struct flow_run *run, term lock, uint8_t mode, uint32_t at);
/* `either`: it is for reading if it is not held otherwise. */
void flow_locks_release(struct flow_run *run, term lock, uint8_t mode, bool either);
void flow_locks_assert(struct flow_run *run, term lock, uint8_t mode, uint32_t at);

/* Taken or given up by a call, not as a monitor. */
bool flow_is_by_call(const struct flow_run *run, const struct held_lock *held);

/* run->now's set as it goes into a block where a loop begins. */
void flow_locks_begin_loop(struct flow_run *run, uint32_t block);

/* `to` keeps what both have; true if it changed. */
bool flow_locks_meet(struct flow_run *run, struct flow_state *to, const struct flow_state *from);

/* The number of run->now's set among the result's. */
uint32_t flow_locks_number(struct flow_run *run);

/* ---- states ---- */

bool flow_states_init(struct flow_run *run);
void flow_states_clear(struct flow_run *run);
void flow_state_load(struct flow_run *run, uint32_t block);

/* run->now goes on to that block, or into the handlers of this one. */
void flow_state_join(struct flow_run *run, uint32_t block);
void flow_state_join_handlers(struct flow_run *run, const struct block *block);

/* What is not fresh now may not have been so when an exception was thrown. */
void flow_state_escape_in_handlers(struct flow_run *run, const struct block *block);

term flow_pop(struct flow_run *run);
term flow_pop_wide(struct flow_run *run, unsigned slots);
void flow_push(struct flow_run *run, term value);
void flow_push_wide(struct flow_run *run, term value, unsigned slots);
void flow_store(struct flow_run *run, uint32_t local, term value);
term flow_load(struct flow_run *run, uint32_t local);

bool flow_is_fresh(const struct flow_run *run, term value);
void flow_add_fresh(struct flow_run *run, term value);
void flow_escape(struct flow_run *run, term value);

bool flow_state_is_fresh(const struct flow_state *state, term object);
/* False: it was not fresh. */
bool flow_state_drop_fresh(struct flow_state *state, term object);

/* ---- parts of fresh objects ---- */

/* EVENT_OBJECT_PART and EVENT_PART_MADE, as far as they are true of the value. */
unsigned flow_part_flags(const struct flow_state *state, term value);

/* A field of the object has been read or written; in objects that are not fresh it is nothing.
   `fresh`: the value was, before it was written. */
void flow_parts_read(struct flow_run *run, term object, uint32_t field, term value);
void flow_parts_write(struct flow_run *run, term object, uint32_t field, term value, bool fresh);

/* The value, a part as `known` has it, is known to others now, or can no longer be followed; true
   if that is news. */
bool flow_parts_escape(struct flow_state *state, const struct flow_state *known, term value);

/* The object is no longer fresh, or is another one. */
void flow_parts_forget(struct flow_state *state, term holder);

/* What goes on, with so many places of `from`, to a block that nothing has reached before. `to` has
   room for all parts. */
void flow_parts_begin(struct flow_state *to, const struct flow_state *from, uint32_t places);

/* Values and what is shared come together, what is made stays if both have it; true if `to`
   changed. What is fresh has met before; so many places of `from` go on. */
bool flow_parts_meet(struct flow_state *to, const struct flow_state *from, uint32_t places);

/* ---- execution ---- */

void flow_run_block(struct flow_run *run, uint32_t block);
const struct call_use *flow_call_use(struct flow_run *run, uint32_t instruction);
void flow_run_call(struct flow_run *run, const struct instruction *instruction);

/* ---- recording ---- */

/* NULL when not recording. The instruction and the lock set are filled in. */
struct flow_event *flow_event_add(struct flow_run *run, enum event_kind kind);
/* To be told before the call does anything to it. */
void flow_event_argument(struct flow_run *run, struct flow_event *event, term value, bool lent);

/* Flags about the object of an access or call. */
uint8_t flow_object_flags(const struct flow_run *run, term object);

/* Puts everything that was recorded into run->flow. */
bool flow_record_finish(struct flow_run *run, struct arena *arena);

#endif
