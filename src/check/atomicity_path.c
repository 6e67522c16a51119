#include "check/atomicity_path.h"

#include "base/vector.h"

/* One method on the way, with what its caller holds. */
struct place {
    struct atomicity_inference *inference;
    uint32_t method;
    const struct atomicity_held *held; /* of the outermost; else NULL */
    struct place *caller;              /* NULL: the outermost */
    uint32_t atom;                     /* of the caller */
    uint32_t depth;
};

/* A callee's lock is held if the caller holds what it is called there. */
static bool is_held(void *context, term lock)
{
    struct place *place = context;
    if (!place->caller)
        return place->held->is_held(place->held->context, lock);
    struct place *caller = place->caller;
    struct atomic_code *code = caller->inference->codes[caller->method];
    bool always;
    const term name =
        atom_rename_lock(code, &caller->inference->table, &code->atoms[place->atom], lock, &always);
    return always || (name != TERM_NONE && is_held(caller, name));
}

static atomicity value_of(struct place *place, const struct atom *atom)
{
    struct atomicity_inference *inference = place->inference;
    struct atomic_code *code = inference->codes[place->method];
    return atomicity_at(&inference->table, atom_value(code, &inference->table, atom, inference->of),
                        is_held, place);
}

/* ---- steps ---- */

static bool comes_before_commit(atomicity value)
{
    return value == ATOMICITY_OF_CONST || value == ATOMICITY_OF_MOVER ||
           value == ATOMICITY_OF_RIGHT;
}

static bool comes_behind_commit(atomicity value)
{
    return value == ATOMICITY_OF_CONST || value == ATOMICITY_OF_MOVER || value == ATOMICITY_OF_LEFT;
}

/* The target whose atomicity is the worst here. */
static uint32_t worst_target(struct place *place, uint32_t atom_number, struct place *inside)
{
    struct atomicity_inference *inference = place->inference;
    const struct atom *atom = &inference->codes[place->method]->atoms[atom_number];
    uint32_t worst = PROGRAM_NONE;
    atomicity worst_value = ATOMICITY_OF_CONST;
    for (uint32_t i = 0; i < atom->targets.count; i++) {
        *inside = (struct place){.inference = inference,
                                 .method = atom->targets.items[i],
                                 .caller = place,
                                 .atom = atom_number,
                                 .depth = place->depth + 1};
        const atomicity value =
            atomicity_at(&inference->table, inference->of[atom->targets.items[i]], is_held, inside);
        if (inference->codes[atom->targets.items[i]] &&
            (worst == PROGRAM_NONE || value > worst_value)) {
            worst = atom->targets.items[i];
            worst_value = value;
        }
    }
    inside->method = worst;
    return worst;
}

static void add_step(struct atomicity_step *step, uint32_t method, uint32_t atom)
{
    if (step->depth == ATOMICITY_PATH_DEPTH)
        return;
    step->methods[step->depth] = method;
    step->atoms[step->depth++] = atom;
}

/* The first atom that is not of the kind, in the order of the code; and on into calls. */
static void follow(struct place *place, uint32_t atom_number, bool (*is_kind)(atomicity value),
                   struct atomicity_step *step)
{
    struct atomic_code *code = place->inference->codes[place->method];
    const struct atom *atom = &code->atoms[atom_number];
    struct place inside;
    add_step(step, place->method, atom_number);
    step->value = value_of(place, atom);
    if (atom->kind != ATOM_CALL || place->depth + 1 >= ATOMICITY_PATH_DEPTH ||
        worst_target(place, atom_number, &inside) == PROGRAM_NONE)
        return;
    const struct atomic_code *callee = place->inference->codes[inside.method];
    for (uint32_t i = 0; i < callee->atom_count; i++) {
        if (!is_kind(value_of(&inside, &callee->atoms[i]))) {
            follow(&inside, i, is_kind, step);
            return;
        }
    }
    if (callee->monitor != TERM_NONE)
        add_step(step, inside.method, UINT32_MAX);
}

/* ---- the search ---- */

struct state {
    uint32_t block;
    uint32_t commit; /* atom, plus 1; 0: not yet */
};

struct search {
    struct place *place;
    struct atomic_code *code;
    uint8_t *seen; /* by block: bit 0 before, bit 1 behind the commit */
    VECTOR(struct state) work;
    term monitor; /* the search ends where it is released; TERM_NONE: with the method */
    bool failed;
};

static void go_to(struct search *search, uint32_t block, uint32_t commit)
{
    const uint8_t bit = commit ? 2 : 1;
    if (search->seen[block] & bit)
        return;
    search->seen[block] |= bit;
    if (!vector_push(&search->work, ((struct state){block, commit})))
        search->failed = true;
}

static bool find(struct place *place, struct atomicity_path *path);

/* Where the lock was given up that this step takes back; the step itself if it is no such one. */
static uint32_t given_up_at(const struct place *place, uint32_t atom)
{
    const struct atomic_code *code = place->inference->codes[place->method];
    const struct flow_event *events = code->check.flow->events;
    const struct flow_event *taken = &events[code->atoms[atom].event];
    for (uint32_t i = atom; taken->kind == EVENT_ACQUIRE && i-- > 0;) {
        const struct flow_event *event = &events[code->atoms[i].event];
        if (event->kind == EVENT_RELEASE && event->object == taken->object)
            return i;
    }
    return atom;
}

/* One step that is too much by itself: what is wrong is inside the call. */
static void enter(struct place *place, uint32_t atom, struct atomicity_path *path)
{
    struct place inside;
    const struct atom *call = &place->inference->codes[place->method]->atoms[atom];
    add_step(&path->commit, place->method, given_up_at(place, atom));
    add_step(&path->violation, place->method, atom);
    path->commit.value = path->violation.value = value_of(place, call);
    if (call->kind == ATOM_CALL && place->depth + 1 < ATOMICITY_PATH_DEPTH &&
        worst_target(place, atom, &inside) != PROGRAM_NONE)
        find(&inside, path);
}

static bool is_end(const struct search *search, uint32_t atom)
{
    const struct flow_event *event =
        &search->code->check.flow->events[search->code->atoms[atom].event];
    return search->monitor != TERM_NONE && event->kind == EVENT_RELEASE &&
           event->object == search->monitor;
}

/* From this atom of the block on. True if the path has been found in it. */
static bool walk(struct search *search, struct state state, uint32_t first,
                 struct atomicity_path *path)
{
    struct place *place = search->place;
    const struct block *block = &search->code->blocks.blocks[state.block];
    const struct atom_block *atoms = &search->code->atoms_of[state.block];
    uint32_t commit = state.commit;
    for (uint32_t i = first; i < atoms->end; i++) {
        if (is_end(search, i))
            return false;
        const atomicity value = value_of(place, &search->code->atoms[i]);
        if (value >= ATOMICITY_OF_CMPD) {
            enter(place, i, path);
            return true;
        }
        if (commit && !comes_behind_commit(value)) {
            follow(place, commit - 1, comes_before_commit, &path->commit);
            follow(place, i, comes_behind_commit, &path->violation);
            return true;
        }
        if (!commit && !comes_before_commit(value))
            commit = i + 1;
        for (uint32_t k = 0; k < block->handler_count; k++)
            go_to(search, block->handlers[k], commit);
    }
    for (uint32_t k = 0; k < block->handler_count; k++)
        go_to(search, block->handlers[k], commit);
    for (uint32_t k = 0; k < block->successor_count; k++)
        go_to(search, block->successors[k], commit);
    return false;
}

/* The nearest violation, counted in blocks; in the whole method, or in the synchronized block that
   begins with the acquire (UINT32_MAX: none). */
static bool search_from(struct place *place, uint32_t acquire, struct atomicity_path *path)
{
    struct arena arena;
    struct search search = {.place = place, .code = place->inference->codes[place->method]};
    bool found = false;
    if (!search.code || !search.code->blocks.count)
        return false;
    arena_init(&arena);
    search.seen = arena_allocate_zeroed(&arena, search.code->blocks.count, 1);
    search.failed = !search.seen;
    if (!search.failed && acquire == UINT32_MAX) {
        go_to(&search, 0, 0);
    } else if (!search.failed) {
        const struct flow_event *event =
            &search.code->check.flow->events[search.code->atoms[acquire].event];
        search.monitor = event->object;
        found = walk(&search, (struct state){search.code->blocks.block_of[event->instruction], 0},
                     acquire + 1, path);
    }
    for (size_t next = 0; next < search.work.count && !found && !search.failed; next++)
        found = walk(&search, search.work.items[next],
                     search.code->atoms_of[search.work.items[next].block].first, path);
    vector_release(&search.work);
    arena_release(&arena);
    return found;
}

static bool find(struct place *place, struct atomicity_path *path)
{
    return search_from(place, UINT32_MAX, path);
}

bool atomicity_path_find_block(struct atomicity_inference *inference, uint32_t method,
                               uint32_t acquire, const struct atomicity_held *held,
                               struct atomicity_path *path)
{
    struct place place = {.inference = inference, .method = method, .held = held};
    *path = (struct atomicity_path){0};
    return search_from(&place, acquire, path);
}

bool atomicity_path_find(struct atomicity_inference *inference, uint32_t method,
                         const struct atomicity_held *held, struct atomicity_path *path)
{
    struct place place = {.inference = inference, .method = method, .held = held};
    *path = (struct atomicity_path){0};
    return find(&place, path);
}
