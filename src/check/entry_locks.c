#include "check/entry_locks.h"

#include <string.h>

#include "base/vector.h"
#include "check/checker.h"
#include "check/common_locks.h"

enum { ROUNDS = 64, MOST_ARGUMENTS = 256 }; /* more rounds than a real program ever needed */

/* One way into a method. */
struct edge {
    uint32_t caller, callee;
    uint32_t event;  /* number: what is held there is held at entry */
    uint32_t lambda; /* number of the EVENT_LAMBDA whose body the callee is, or UINT32_MAX */
};

struct search {
    struct entry_locks *entry;
    const struct checker *checker;
    VECTOR(struct edge) edges;
    uint8_t *at_once; /* by method: the body of a lambda that is always called at once */
    uint8_t *fixed;   /* by method: not to be found out, it is what it is */
    bool failed;
};

/* ---- terms across calls ---- */

term entry_locks_translate(const struct term_table *from, term number, const term *arguments,
                           uint32_t count, bool same_class, struct term_table *to)
{
    if (number == TERM_NONE)
        return TERM_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (arguments[i] == number)
            return term_make(to, TERM_PARAMETER, i, 0);
    const struct term_content content = term_content(from, number);
    term inner = TERM_NONE;
    switch (content.kind) {
    case TERM_CLASS:
    case TERM_STATIC:
        return term_make(to, (enum term_kind)content.kind, content.a, content.b);
    case TERM_FIELD:
    case TERM_VARYING:
    case TERM_READ_VIEW:
    case TERM_WRITE_VIEW:
        inner = entry_locks_translate(from, content.a, arguments, count, same_class, to);
        return inner == TERM_NONE ? TERM_NONE
                                  : term_make(to, (enum term_kind)content.kind, inner, content.b);
    case TERM_GHOST:
        return same_class ? term_make(to, TERM_GHOST, content.a, TERM_NONE) : (term)TERM_NONE;
    case TERM_FORMAL:
        if (!same_class)
            return TERM_NONE;
        inner = entry_locks_translate(from, content.b, arguments, count, same_class, to);
        return inner == TERM_NONE && content.b != TERM_NONE
                   ? TERM_NONE
                   : term_make(to, TERM_FORMAL, content.a, inner);
    default:
        return TERM_NONE;
    }
}

term entry_locks_copy(const struct term_table *from, term number, struct term_table *to)
{
    const struct term_content content = term_content(from, number);
    term inner;
    switch (content.kind) {
    case TERM_KIND_NONE:
        return TERM_NONE;
    case TERM_FIELD:
    case TERM_VARYING:
    case TERM_READ_VIEW:
    case TERM_WRITE_VIEW:
        inner = entry_locks_copy(from, content.a, to);
        return inner == TERM_NONE && content.a != TERM_NONE
                   ? TERM_NONE
                   : term_make(to, (enum term_kind)content.kind, inner, content.b);
    case TERM_FORMAL:
    case TERM_METHOD_FORMAL:
        return term_make(to, (enum term_kind)content.kind, content.a,
                         entry_locks_copy(from, content.b, to));
    default:
        return term_make(to, (enum term_kind)content.kind, content.a, content.b);
    }
}

/* ---- lambdas ---- */

/* Does the library or program method that is called here call its argument of that number? */
static bool calls_argument(const struct lock_types *types, const struct flow_event *call,
                           uint32_t argument)
{
    const uint32_t parameter = argument + !(call->flags & EVENT_STATIC);
    const struct method_locks *locks = lock_types_method(types, call->id);
    for (uint32_t i = 0; i < locks->effect_count; i++) {
        const struct term_content lock = term_content(&types->terms, locks->effects[i].lock);
        if (locks->effects[i].kind == EFFECT_CALLS && lock.kind == TERM_PARAMETER &&
            lock.a == parameter)
            return true;
    }
    return false;
}

enum use { USE_NONE, USE_CALLED, USE_OTHER };

static enum use use_of(const struct lock_types *types, const struct method_flow *flow,
                       const struct flow_event *event, term function)
{
    enum use use = USE_NONE;
    if (event->kind == EVENT_CALL && event->object == function)
        use = USE_CALLED;
    else if (event->object == function && event->kind != EVENT_CAST)
        use = USE_OTHER;
    for (uint32_t i = 0; i < event->argument_count; i++) {
        if (flow->arguments[event->first_argument + i] != function)
            continue;
        if (event->kind != EVENT_CALL || event->id == PROGRAM_NONE ||
            !calls_argument(types, event, i))
            return USE_OTHER;
        use = USE_CALLED;
    }
    if (event->value == function && event->kind != EVENT_LAMBDA && event->kind != EVENT_NEW)
        use = USE_OTHER;
    return use;
}

const struct flow_event *entry_locks_called_at_once(const struct checker *checker,
                                                    const struct method_flow *flow,
                                                    const struct flow_event *lambda)
{
    const struct flow_event *call = NULL;
    for (uint32_t i = 0; i < flow->event_count; i++) {
        const struct flow_event *event = &flow->events[i];
        const enum use use =
            event == lambda ? USE_NONE : use_of(checker->types, flow, event, lambda->value);
        if (use == USE_OTHER || (use == USE_CALLED && call))
            return NULL;
        if (use == USE_CALLED)
            call = event;
    }
    return call;
}

/* ---- the ways in ---- */

static void add_edge(struct search *search, struct edge edge)
{
    if (!vector_push(&search->edges, edge))
        search->failed = true;
}

static void add_call(struct search *search, uint32_t caller, uint32_t event_number)
{
    const struct checker *checker = search->checker;
    const struct flow_event *event = &checker->flows[caller]->events[event_number];
    const struct call_site *site =
        event->flags & EVENT_DISPATCHED
            ? call_graph_site_at(checker->graph, caller, event->instruction, false)
            : NULL;
    uint32_t one;
    struct program_ids targets = {&event->id, event->id == PROGRAM_NONE ? 0 : 1};
    if (site)
        targets = call_graph_targets(checker->graph, site->targets, &one);
    for (uint32_t i = 0; i < targets.count; i++)
        if (program_is_application_method(checker->program, targets.items[i]))
            add_edge(search, (struct edge){caller, targets.items[i], event_number, UINT32_MAX});
}

static void add_lambda(struct search *search, uint32_t maker, uint32_t event_number)
{
    const struct checker *checker = search->checker;
    const struct method_flow *flow = checker->flows[maker];
    const struct flow_event *lambda = &flow->events[event_number];
    if (lambda->id == PROGRAM_NONE || !program_is_application_method(checker->program, lambda->id))
        return;
    const uint16_t access = checker->program->methods[lambda->id].access;
    const struct flow_event *call = entry_locks_called_at_once(checker, flow, lambda);
    /* A body of its own that compilers make is used in one place only. */
    if (!call || !(access & ACCESS_SYNTHETIC) || !(access & ACCESS_PRIVATE))
        return;
    search->at_once[lambda->id] = 1;
    add_edge(search,
             (struct edge){maker, lambda->id, (uint32_t)(call - flow->events), event_number});
}

static void collect_edges(struct search *search)
{
    const struct checker *checker = search->checker;
    for (uint32_t method = 0; method < checker->program->application_method_count; method++) {
        const struct method_flow *flow = checker->flows[method];
        for (uint32_t i = 0; flow && i < flow->event_count && !search->failed; i++) {
            if (flow->events[i].kind == EVENT_CALL)
                add_call(search, method, i);
            else if (flow->events[i].kind == EVENT_LAMBDA)
                add_lambda(search, method, i);
        }
    }
}

/* What the callee's parameters are in the caller: receiver and arguments, or what is captured. */
static uint32_t edge_arguments(const struct search *search, const struct edge *edge, term *to)
{
    const struct method_flow *flow = search->checker->flows[edge->caller];
    const struct flow_event *event =
        &flow->events[edge->lambda == UINT32_MAX ? edge->event : edge->lambda];
    uint32_t count = 0;
    if (edge->lambda == UINT32_MAX && !(event->flags & EVENT_STATIC))
        to[count++] = event->object;
    for (uint32_t i = 0; i < event->argument_count && count < MOST_ARGUMENTS; i++)
        to[count++] = flow->arguments[event->first_argument + i];
    return count;
}

/* ---- what is held ---- */

static void add_lock(struct search *search, struct common_locks *locks, term lock, unsigned mode)
{
    if (!common_locks_add(locks, lock, mode))
        search->failed = true;
}

/* What this way in gives the callee. */
static void contribution(struct search *search, const struct edge *edge,
                         const struct common_locks *caller, struct common_locks *result)
{
    const struct checker *checker = search->checker;
    struct method_flow *flow = checker->flows[edge->caller];
    struct term_table *to = &search->entry->terms;
    const struct lock_set *set = &flow->lock_sets[flow->events[edge->event].locks];
    term arguments[MOST_ARGUMENTS];
    const uint32_t count = edge_arguments(search, edge, arguments);
    const bool same_class = checker->program->methods[edge->caller].class_id ==
                                checker->program->methods[edge->callee].class_id &&
                            count > 0 &&
                            arguments[0] == term_make(&flow->terms, TERM_PARAMETER, 0, 0);
    vector_clear(&result->locks);
    for (uint32_t i = 0; i < set->count; i++)
        if (set->items[i].mode != LOCK_GIVEN_UP)
            add_lock(search, result,
                     entry_locks_translate(&flow->terms, set->items[i].lock, arguments, count,
                                           same_class, to),
                     set->items[i].mode);
    for (size_t i = 0; i < caller->locks.count; i++) {
        const term here = entry_locks_copy(to, caller->locks.items[i].lock, &flow->terms);
        if (here != TERM_NONE && !lock_set_is_given_up(set, here))
            add_lock(search, result,
                     entry_locks_translate(&flow->terms, here, arguments, count, same_class, to),
                     caller->locks.items[i].mode);
    }
}

/* A body that is called at once is entered from there alone, whatever the call graph thinks of the
   interface that it implements. */
static bool counts(const struct search *search, const struct edge *edge)
{
    return !search->at_once[edge->callee] || edge->lambda != UINT32_MAX;
}

static void solve(struct search *search, struct common_locks *all)
{
    struct common_locks given = {0};
    bool changed = true;
    for (unsigned round = 0; changed && round < ROUNDS && !search->failed; round++) {
        changed = false;
        for (size_t i = 0; i < search->edges.count && !search->failed; i++) {
            const struct edge *edge = &search->edges.items[i];
            struct common_locks *callee = &all[edge->callee];
            if (search->fixed[edge->callee] || all[edge->caller].any || !counts(search, edge))
                continue;
            contribution(search, edge, &all[edge->caller], &given);
            if (!common_locks_meet(callee, &given, &changed))
                search->failed = true;
        }
    }
    /* Without an answer in time, nothing is known. */
    for (uint32_t i = 0; i < search->checker->program->application_method_count; i++)
        if (all[i].any || (changed && !search->fixed[i])) {
            all[i].any = false;
            vector_clear(&all[i].locks);
        }
    common_locks_release(&given);
}

/* ---- objects under construction ---- */

static bool constructs(const struct search *search, const struct edge *edge)
{
    const struct checker *checker = search->checker;
    struct method_flow *flow = checker->flows[edge->caller];
    term arguments[MOST_ARGUMENTS];
    const uint32_t count = edge_arguments(search, edge, arguments);
    return !flow->is_static && count > 0 &&
           arguments[0] == term_make(&flow->terms, TERM_PARAMETER, 0, 0) &&
           (search->entry->methods[edge->caller].constructing ||
            text_is(program_method_name(checker->program, edge->caller), "<init>"));
}

static bool may_be_constructing(const struct search *search, uint32_t method)
{
    const struct checker *checker = search->checker;
    return (search->at_once[method] || !checker_is_called_from_outside(checker, method)) &&
           checker->flows[method] && !checker->flows[method]->is_static &&
           !text_is(program_method_name(checker->program, method), "<init>");
}

/* Those that constructors call, and what these call, less those that somebody else calls too. */
static void find_constructing(struct search *search)
{
    struct method_entry *methods = search->entry->methods;
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < search->edges.count; i++) {
            const struct edge *edge = &search->edges.items[i];
            if (counts(search, edge) && !methods[edge->callee].constructing &&
                may_be_constructing(search, edge->callee) && constructs(search, edge)) {
                methods[edge->callee].constructing = true;
                changed = true;
            }
        }
    }
    for (changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < search->edges.count; i++) {
            const struct edge *edge = &search->edges.items[i];
            if (counts(search, edge) && methods[edge->callee].constructing &&
                !constructs(search, edge)) {
                methods[edge->callee].constructing = false;
                changed = true;
            }
        }
    }
}

/* ---- all of it ---- */

/* Requires clauses are where strict answers begin. */
static void begin_strict(struct search *search, struct common_locks *all)
{
    const struct checker *checker = search->checker;
    const struct lock_types *types = checker->types;
    for (uint32_t method = 0; method < checker->program->application_method_count; method++) {
        const struct method_locks *locks = lock_types_method(types, method);
        all[method].any = search->at_once[method] && !locks->has_requires;
        search->fixed[method] = !all[method].any;
        if (!locks->requires.count || !checker->flows[method])
            continue;
        for (uint32_t i = 0; i < locks->requires.count; i++)
            add_lock(
                search, &all[method],
                entry_locks_copy(&types->terms, locks->requires.items[i], &search->entry->terms),
                LOCK_EXCLUSIVE);
    }
}

static void begin_inferred(struct search *search, const struct common_locks *strict,
                           struct common_locks *all)
{
    const struct checker *checker = search->checker;
    for (uint32_t method = 0; method < checker->program->application_method_count; method++) {
        const bool inside =
            checker->flows[method] &&
            (search->at_once[method] || !checker_is_called_from_outside(checker, method));
        all[method].any = inside;
        search->fixed[method] = !inside;
        for (size_t i = 0; !inside && i < strict[method].locks.count; i++)
            add_lock(search, &all[method], strict[method].locks.items[i].lock,
                     strict[method].locks.items[i].mode);
    }
}

static void keep(struct search *search, const struct common_locks *strict,
                 const struct common_locks *inferred)
{
    const uint32_t count = search->checker->program->application_method_count;
    for (uint32_t method = 0; method < count && !search->failed; method++) {
        const size_t most = strict[method].locks.count + inferred[method].locks.count;
        if (!most)
            continue;
        struct method_entry *entry = &search->entry->methods[method];
        struct entry_lock *locks = ARENA_ARRAY(&search->entry->arena, struct entry_lock, most);
        if (!locks) {
            search->failed = true;
            return;
        }
        for (size_t i = 0; i < strict[method].locks.count; i++)
            locks[entry->count++] = strict[method].locks.items[i];
        for (size_t i = 0; i < inferred[method].locks.count; i++) {
            struct entry_lock lock = inferred[method].locks.items[i];
            lock.inferred = true;
            if (!common_locks_has(&strict[method], lock.lock, lock.mode))
                locks[entry->count++] = lock;
        }
        entry->locks = locks;
    }
}

static void release_found(struct common_locks *all, uint32_t count)
{
    for (uint32_t i = 0; all && i < count; i++)
        vector_release(&all[i].locks);
}

bool entry_locks_find(struct entry_locks *entry, const struct checker *checker,
                      struct problem *problem)
{
    const uint32_t count = checker->program->application_method_count;
    struct search search = {.entry = entry, .checker = checker};
    struct arena scratch;
    arena_init(&scratch);
    arena_init(&entry->arena);
    struct common_locks *strict = arena_allocate_zeroed(&scratch, (count + 1u) * sizeof *strict,
                                                        alignof(struct common_locks));
    struct common_locks *inferred = arena_allocate_zeroed(&scratch, (count + 1u) * sizeof *inferred,
                                                          alignof(struct common_locks));
    search.at_once = arena_allocate_zeroed(&scratch, count + 1u, 1);
    search.fixed = arena_allocate_zeroed(&scratch, count + 1u, 1);
    entry->methods = arena_allocate_zeroed(&entry->arena, (count + 1u) * sizeof *entry->methods,
                                           alignof(struct method_entry));
    search.failed =
        !term_table_init(&entry->terms, &entry->arena) || scratch.failed || entry->arena.failed;
    if (!search.failed) {
        collect_edges(&search);
        begin_strict(&search, strict);
        solve(&search, strict);
        begin_inferred(&search, strict, inferred);
        solve(&search, inferred);
        keep(&search, strict, inferred);
        find_constructing(&search);
    }
    release_found(strict, count);
    release_found(inferred, count);
    vector_release(&search.edges);
    arena_release(&scratch);
    if (search.failed || entry->arena.failed)
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    return !problem->set;
}

void entry_locks_release(struct entry_locks *entry)
{
    term_table_release(&entry->terms);
    arena_release(&entry->arena);
}
