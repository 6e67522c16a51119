#include "check/beliefs.h"

#include <stdlib.h>

#include "base/order.h"
#include "check/belief_internal.h"

enum {
    WRITE_WEIGHT = 2,  /* a write without the lock says more than a read */
    METHOD_WEIGHT = 4, /* and one method, however long, says no more than this */
    LEAST_HELD = 2,    /* one access under a lock is chance */
    LEAST_WEIGHT = 4,  /* so are two reads */
    LEAST_WRITES = 3,  /* for a guard of writes only */
    DAMPING = 10, /* percent, for each other field that the same method is sooner wrong about */
    MOST_DAMPED = 5
};

struct choice {
    uint32_t candidate; /* UINT32_MAX: none */
    struct belief_evidence evidence;
};

/* ---- what speaks for a lock ---- */

bool belief_is_bare(const struct belief_search *search, const struct belief_access *access,
                    uint32_t candidate)
{
    const bool likely = access->likely >> candidate & 1;
    return !(access->held >> candidate & 1) &&
           !(likely && !search->callers.methods[access->method].api);
}

static uint32_t weight(uint32_t reads, uint32_t writes)
{
    return reads + writes * WRITE_WEIGHT;
}

static uint32_t limited(uint32_t reads, uint32_t writes)
{
    const uint32_t all = weight(reads, writes);
    return all < METHOD_WEIGHT ? all : METHOD_WEIGHT;
}

struct counts {
    uint32_t held_reads, held_writes, bare_reads, bare_writes, mixed_reads, mixed_writes;
};

static void add_method(struct belief_evidence *evidence, const struct counts *of_method)
{
    const uint32_t held = limited(of_method->held_reads, of_method->held_writes);
    const uint32_t bare = limited(of_method->bare_reads, of_method->bare_writes);
    const uint32_t mixed = limited(of_method->mixed_reads, of_method->mixed_writes);
    evidence->held_reads += of_method->held_reads;
    evidence->held_writes += of_method->held_writes;
    evidence->bare_reads += of_method->bare_reads;
    evidence->bare_writes += of_method->bare_writes;
    evidence->mixed_reads += of_method->mixed_reads;
    evidence->mixed_writes += of_method->mixed_writes;
    evidence->held_methods += held > 0;
    evidence->bare_methods += bare > 0;
    evidence->held_weight += held;
    evidence->bare_weight += bare + mixed / 2;
}

/* Accesses stand in the order of their methods. What some callers hold and others do not speaks
   half against the lock. */
static struct belief_evidence weigh(const struct belief_search *search,
                                    const struct belief_tally *tally, uint32_t candidate)
{
    struct belief_evidence evidence = {0};
    struct counts of_method = {0};
    for (size_t i = 0; i < tally->accesses.count; i++) {
        const struct belief_access *access = &tally->accesses.items[i];
        const bool held = access->held >> candidate & 1;
        const bool mixed = access->mixed >> candidate & 1;
        const bool bare = !mixed && belief_is_bare(search, access, candidate);
        if (i && access->method != tally->accesses.items[i - 1].method) {
            add_method(&evidence, &of_method);
            of_method = (struct counts){0};
        }
        of_method.held_reads += held && !access->write;
        of_method.held_writes += held && access->write;
        of_method.bare_reads += bare && !access->write;
        of_method.bare_writes += bare && access->write;
        of_method.mixed_reads += mixed && !access->write;
        of_method.mixed_writes += mixed && access->write;
        evidence.in_block = evidence.in_block || (access->in_block >> candidate & 1);
        evidence.late_writes =
            evidence.late_writes || (access->write && !belief_is_setup(search, access->method));
    }
    add_method(&evidence, &of_method);
    return evidence;
}

/* ---- deciding ---- */

/* `this` before fields of it before statics, where the counts are equal. */
static bool is_simpler(const struct term_table *terms, term a, term b)
{
    return term_kind(terms, a) < term_kind(terms, b);
}

static bool is_guard(const struct belief_evidence *evidence)
{
    const uint32_t held = weight(evidence->held_reads, evidence->held_writes);
    const uint32_t bare = weight(evidence->bare_reads, evidence->bare_writes);
    const uint32_t mixed = weight(evidence->mixed_reads, evidence->mixed_writes);
    return held >= bare * 2 + mixed && held >= LEAST_WEIGHT &&
           evidence->held_reads + evidence->held_writes >= LEAST_HELD &&
           evidence->held_writes > 0 && evidence->held_methods >= evidence->bare_methods &&
           (evidence->held_methods > 1 || evidence->in_block);
}

static bool is_guard_of_writes(const struct belief_evidence *evidence)
{
    return evidence->held_writes >= LEAST_WRITES &&
           evidence->held_writes >= evidence->bare_writes * 3 && evidence->held_methods > 1;
}

/* The lock that is held most among those that will do. */
static struct choice choose(const struct belief_search *search, const struct belief_tally *tally,
                            bool (*will_do)(const struct belief_evidence *evidence))
{
    const struct term_table *terms = &search->beliefs->terms;
    struct choice best = {.candidate = UINT32_MAX};
    for (uint32_t i = 0; i < tally->candidates.count; i++) {
        const struct belief_evidence evidence = weigh(search, tally, i);
        const uint32_t own = weight(evidence.held_reads, evidence.held_writes);
        const uint32_t other = weight(best.evidence.held_reads, best.evidence.held_writes);
        if (will_do(&evidence) &&
            (best.candidate == UINT32_MAX || own > other ||
             (own == other && is_simpler(terms, tally->candidates.items[i],
                                         tally->candidates.items[best.candidate]))))
            best = (struct choice){i, evidence};
    }
    return best;
}

static void add_findings(struct belief_search *search, const struct belief_tally *tally,
                         const struct choice *choice, const struct belief *belief)
{
    for (size_t i = 0; i < tally->accesses.count; i++) {
        const struct belief_access *access = &tally->accesses.items[i];
        if (!belief_is_bare(search, access, choice->candidate) ||
            (belief->guard == GUARD_WRITES && !access->write))
            continue;
        const uint32_t surety =
            belief_surety(search, tally, &choice->evidence, access, choice->candidate);
        const struct belief_break broken = {access->method, access->event, tally->field,
                                            access->object};
        if (!vector_push(&search->findings, ((struct belief_finding){broken, surety})))
            search->failed = true;
    }
}

static bool decide(struct belief_search *search, const struct belief_tally *tally)
{
    struct beliefs *beliefs = search->beliefs;
    struct choice choice = choose(search, tally, is_guard);
    const bool always = choice.candidate != UINT32_MAX;
    if (!always)
        choice = choose(search, tally, is_guard_of_writes);
    if (choice.candidate == UINT32_MAX)
        return false;
    struct belief *belief = ARENA_NEW(&beliefs->arena, struct belief);
    if (!belief) {
        search->failed = true;
        return true;
    }
    const struct belief_evidence *evidence = &choice.evidence;
    belief->lock = tally->candidates.items[choice.candidate];
    belief->guard = always ? GUARD_ALWAYS : GUARD_WRITES;
    belief->held = evidence->held_writes + (always ? evidence->held_reads : 0);
    belief->total = belief->held + evidence->bare_writes + evidence->mixed_writes +
                    (always ? evidence->bare_reads + evidence->mixed_reads : 0);
    add_findings(search, tally, &choice, belief);
    if (!intmap_put(&beliefs->by_field, tally->field, (uint64_t)(uintptr_t)belief))
        search->failed = true;
    return true;
}

static void keep_beliefs(struct belief_search *search)
{
    const uint32_t count = search->checker->program->application_field_count;
    for (uint32_t field = 0; field < count && !search->failed; field++)
        if (search->by_field[field] && !decide(search, search->by_field[field]))
            search->beliefs->silent++;
}

/* ---- the order of what is found ---- */

/* By method, the surest first, and then so that it is always the same. */
static int compare_findings(const void *left, const void *right)
{
    const struct belief_finding *a = left, *b = right;
    int order = order_of(a->at.method, b->at.method);
    if (!order)
        order = order_of(b->surety, a->surety);
    if (!order)
        order = order_of(a->at.field, b->at.field);
    if (!order)
        order = order_of(a->at.event, b->at.event);
    return order ? order : order_of(a->at.object, b->at.object);
}

static bool is_first_of_field(const struct belief_finding *findings, size_t first, size_t i)
{
    for (size_t k = first; k < i; k++)
        if (findings[k].at.field == findings[i].at.field)
            return false;
    return true;
}

struct belief_broken {
    struct belief_break at;
    uint32_t surety;
    struct belief_broken *next; /* of the same event */
};

static uint64_t key_of(const struct belief_break *access)
{
    return (uint64_t)access->method << 32 | access->event;
}

static void keep_break(struct belief_search *search, const struct belief_break *access,
                       uint32_t surety)
{
    struct beliefs *beliefs = search->beliefs;
    struct belief_broken *broken = ARENA_NEW(&beliefs->arena, struct belief_broken);
    uint64_t others = 0;
    intmap_get(&beliefs->breaks, key_of(access), &others);
    if (broken)
        *broken =
            (struct belief_broken){*access, surety, (struct belief_broken *)(uintptr_t)others};
    if (!broken || !intmap_put(&beliefs->breaks, key_of(access), (uint64_t)(uintptr_t)broken))
        search->failed = true;
}

/* A method that goes without locks for several fields does so for one reason: what is true of one
   of them will be of the others, and one of them is enough to begin with. */
static void keep_findings(struct belief_search *search)
{
    struct belief_finding *findings = search->findings.items;
    size_t first = 0;
    uint32_t fields = 0;
    if (search->findings.count)
        qsort(findings, search->findings.count, sizeof *findings, compare_findings);
    for (size_t i = 0; i < search->findings.count && !search->failed; i++) {
        if (i && findings[i].at.method != findings[first].at.method) {
            first = i;
            fields = 0;
        }
        fields += fields <= MOST_DAMPED && is_first_of_field(findings, first, i);
        const uint32_t damped = (fields ? fields - 1 : 0) * DAMPING;
        const uint32_t surety = findings[i].surety * (100 - damped) / 100;
        struct belief *belief = (struct belief *)beliefs_of(search->beliefs, findings[i].at.field);
        if (belief && surety > belief->surety)
            belief->surety = (uint16_t)surety;
        keep_break(search, &findings[i].at, surety ? surety : 1);
    }
}

/* ---- all of it ---- */

bool beliefs_find(struct beliefs *beliefs, const struct checker *checker, struct problem *problem)
{
    const uint32_t count = checker->program->application_field_count;
    struct belief_search search = {.beliefs = beliefs, .checker = checker};
    arena_init(&beliefs->arena);
    arena_init(&search.scratch);
    intmap_init(&beliefs->by_field);
    intmap_init(&beliefs->breaks);
    search.by_field = arena_allocate_zeroed(&search.scratch, (count + 1u) * sizeof *search.by_field,
                                            alignof(struct belief_tally *));
    search.lenders =
        arena_allocate_zeroed(&search.scratch, checker->program->application_count + 1u, 1);
    search.contents = arena_allocate_zeroed(&search.scratch, count + 1u, 1);
    search.failed = !search.by_field || !search.lenders || !search.contents ||
                    !term_table_init(&beliefs->terms, &beliefs->arena) ||
                    !belief_callers_find(&search.callers, checker);
    if (!search.failed) {
        belief_census(&search);
        keep_beliefs(&search);
        keep_findings(&search);
    }
    vector_release(&search.findings);
    for (uint32_t i = 0; search.by_field && i < count; i++)
        if (search.by_field[i]) {
            vector_release(&search.by_field[i]->accesses);
            vector_release(&search.by_field[i]->candidates);
        }
    belief_callers_release(&search.callers);
    arena_release(&search.scratch);
    if (search.failed)
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    return !search.failed;
}

void beliefs_release(struct beliefs *beliefs)
{
    intmap_release(&beliefs->by_field);
    intmap_release(&beliefs->breaks);
    term_table_release(&beliefs->terms);
    arena_release(&beliefs->arena);
}

const struct belief *beliefs_of(const struct beliefs *beliefs, uint32_t field)
{
    uint64_t value;
    return intmap_get(&beliefs->by_field, field, &value) ? (const struct belief *)(uintptr_t)value
                                                         : NULL;
}

uint32_t beliefs_surety(const struct beliefs *beliefs, const struct belief_break *access)
{
    uint64_t value = 0;
    intmap_get(&beliefs->breaks, key_of(access), &value);
    for (const struct belief_broken *broken = (const struct belief_broken *)(uintptr_t)value;
         broken; broken = broken->next)
        if (broken->at.field == access->field && broken->at.object == access->object)
            return broken->surety;
    return 0;
}
