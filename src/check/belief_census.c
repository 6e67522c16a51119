#include "check/accessors.h"
#include "check/belief_internal.h"
#include "check/contents.h"
#include "check/references.h"

/* ---- what counts ---- */

/* Nobody has said how it is protected. */
static bool is_undeclared(const struct checker *checker, uint32_t field)
{
    const struct program *program = checker->program;
    if (field >= program->application_field_count)
        return false;
    const uint16_t access = program->fields[field].access;
    return !(access & (ACCESS_VOLATILE | ACCESS_SYNTHETIC)) &&
           lock_types_field(checker->types, field)->guard == GUARD_NONE &&
           lock_types_nature(checker->types, program->fields[field].class_id) !=
               NATURE_THREAD_LOCAL;
}

/* A new array, or a new library object that does not synchronize itself. */
static bool is_unguarded_object(const struct checker *checker, const struct method_flow *flow,
                                term value)
{
    const struct term_content content = term_content(&flow->terms, value);
    if (content.kind != TERM_NEW)
        return false;
    const uint32_t type = value < flow->origin_count ? flow->types[value] : PROGRAM_NONE;
    if (type == PROGRAM_NONE)
        return flow->bytecode.instructions[content.a].opcode != OP_NEW;
    return !checker->program->classes[type].application &&
           lock_types_nature(checker->types, type) == NATURE_UNGUARDED;
}

/* Final fields whose objects are known to be such: there it is the content that needs a lock. */
static void find_contents(struct belief_search *search)
{
    enum { CONTENT_KNOWN = 1, CONTENT_OTHER = 2 };
    const struct checker *checker = search->checker;
    const struct program *program = checker->program;
    for (uint32_t m = 0; m < program->application_method_count; m++) {
        const struct method_flow *flow = checker->flows[m];
        for (uint32_t i = 0; flow && i < flow->event_count; i++) {
            const struct flow_event *event = &flow->events[i];
            if (event->kind != EVENT_WRITE || !is_undeclared(checker, event->id) ||
                !lock_types_is_final(checker->types, event->id))
                continue;
            search->contents[event->id] |=
                is_unguarded_object(checker, flow, event->value) ? CONTENT_KNOWN : CONTENT_OTHER;
        }
    }
    for (uint32_t i = 0; i < program->application_field_count; i++)
        search->contents[i] = search->contents[i] == CONTENT_KNOWN;
}

/* What an event accesses, as far as beliefs go: a field, or what a final field refers to. */
struct subject {
    uint32_t field;
    term object;   /* whose field */
    term accessed; /* the same, or what the field refers to */
    bool write;
    bool fresh; /* nobody else has the object, by what the event itself says */
};

static bool is_construction(const struct checker *checker, const struct method_flow *flow,
                            const struct subject *subject)
{
    const struct program *program = checker->program;
    const struct text name = program_method_name(program, flow->method);
    const struct term_content object = term_content(&flow->terms, subject->object);
    if (subject->object == TERM_NONE)
        return text_is(name, "<clinit>") &&
               program->methods[flow->method].class_id == program->fields[subject->field].class_id;
    return text_is(name, "<init>") && object.kind == TERM_PARAMETER && object.a == 0;
}

/* False: nothing that beliefs are about. */
static bool find_field(const struct checker *checker, const struct flow_event *event,
                       struct subject *subject)
{
    *subject =
        (struct subject){.field = event->id,
                         .object = event->object,
                         .accessed = event->object,
                         .write = event->kind == EVENT_WRITE,
                         .fresh = event->flags & (EVENT_OBJECT_FRESH | EVENT_UNDER_CONSTRUCTION)};
    return (event->kind == EVENT_READ || event->kind == EVENT_WRITE) &&
           is_undeclared(checker, event->id) && !lock_types_is_final(checker->types, event->id);
}

static bool find_content(const struct belief_search *search, const struct method_flow *flow,
                         const struct content_use *use, struct subject *subject)
{
    const struct term_content content = term_content(&flow->terms, use->object);
    if (content.kind != TERM_FIELD && content.kind != TERM_STATIC)
        return false;
    const bool is_static = content.kind == TERM_STATIC;
    *subject = (struct subject){.field = is_static ? content.a : content.b,
                                .object = is_static ? (term)TERM_NONE : content.a,
                                .accessed = use->object,
                                .write = use->write};
    subject->fresh = use->fresh || is_construction(search->checker, flow, subject);
    return subject->field < search->checker->program->application_field_count &&
           search->contents[subject->field];
}

/* All calls that we see are about objects that nobody else knows yet. */
static bool is_lonely(const struct belief_search *search, const struct method_flow *flow,
                      term object)
{
    const struct term_content content = term_content(&flow->terms, object);
    return content.kind == TERM_PARAMETER && content.a < 64 &&
           (search->callers.methods[flow->method].private_parameters >> content.a & 1);
}

/* Accesses that no other thread can meet, for certain or as far as we see. */
static bool is_private(const struct belief_search *search, const struct method_flow *flow,
                       uint32_t event_number, const struct subject *subject)
{
    const struct checker *checker = search->checker;
    const struct term_content object = term_content(&flow->terms, subject->object);
    if (subject->fresh)
        return true;
    if (object.kind != TERM_PARAMETER)
        return belief_is_new(&search->callers, checker, flow, event_number, subject->object);
    if (is_lonely(search, flow, subject->object) && !search->callers.methods[flow->method].api)
        return true;
    return object.a == 0 && !flow->is_static &&
           (checker->entry.methods[flow->method].constructing ||
            belief_has_this_alone(checker->program, flow->method));
}

/* ---- candidates ---- */

static struct belief_tally *tally_of(struct belief_search *search, uint32_t field)
{
    if (!search->by_field[field]) {
        search->by_field[field] = ARENA_NEW(&search->scratch, struct belief_tally);
        if (search->by_field[field])
            search->by_field[field]->field = field;
        else
            search->failed = true;
    }
    return search->by_field[field];
}

/* The candidate as a set; empty if there are too many. */
static uint64_t candidate_bit(struct belief_search *search, struct belief_tally *tally, term lock)
{
    for (size_t i = 0; i < tally->candidates.count; i++)
        if (tally->candidates.items[i] == lock)
            return UINT64_C(1) << i;
    if (tally->candidates.count == BELIEF_CANDIDATES)
        return 0;
    if (!vector_push(&tally->candidates, lock)) {
        search->failed = true;
        return 0;
    }
    return UINT64_C(1) << (tally->candidates.count - 1);
}

struct place {
    struct belief_search *search;
    struct method_flow *flow;
    struct belief_tally *tally;
    const struct lock_set *set;
    struct belief_name object; /* what `this` of the field's class is here */
    bool write;
};

static uint64_t named(const struct place *place, term lock)
{
    if (lock == TERM_NONE)
        return 0;
    struct term_table *to = &place->search->beliefs->terms;
    const term name =
        belief_rename(place->flow, belief_normal(place->search->checker, place->flow, lock),
                      &place->object, place->object.from != TERM_NONE, to);
    return name == TERM_NONE ? 0 : candidate_bit(place->search, place->tally, name);
}

static bool is_enough(unsigned mode, bool write)
{
    return mode == LOCK_EXCLUSIVE || (mode == LOCK_SHARED && !write);
}

static uint64_t of_entry(const struct place *place, const struct term_table *terms,
                         const struct entry_lock *locks, uint32_t count)
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < count; i++) {
        const term lock = is_enough(locks[i].mode, place->write)
                              ? entry_locks_copy(terms, locks[i].lock, &place->flow->terms)
                              : (term)TERM_NONE;
        if (lock != TERM_NONE && !lock_set_is_given_up(place->set, lock))
            set |= named(place, lock);
    }
    return set;
}

/* What is in an object is often touched several times for one purpose: a loop asks for an iterator,
   whether there is more, and for the next. */
static bool is_same_statement(const struct belief_tally *tally, const struct method_flow *flow,
                              uint32_t number, const struct subject *subject)
{
    const struct flow_event *event = &flow->events[number];
    if (!tally->accesses.count || event->kind == EVENT_READ || event->kind == EVENT_WRITE)
        return false;
    const struct belief_access *last = &vector_last(&tally->accesses);
    const uint32_t line = method_flow_line(flow, event->instruction);
    return line && last->method == flow->method && last->write == subject->write &&
           (last->event != number || last->object == subject->accessed) &&
           method_flow_line(flow, flow->events[last->event].instruction) == line &&
           flow->events[last->event].locks == event->locks;
}

/* What callers hold counts, unless it happens later. */
static void add_entry_locks(const struct place *place, struct belief_access *access)
{
    const struct belief_search *search = place->search;
    const struct checker *checker = search->checker;
    const struct method_flow *flow = place->flow;
    const struct method_entry *entry = &checker->entry.methods[flow->method];
    const struct belief_caller *caller = &search->callers.methods[flow->method];
    access->held |= of_entry(place, &checker->entry.terms, entry->locks, entry->count);
    access->likely = of_entry(place, &search->callers.terms, caller->locks, caller->count);
    /* All callers of a method that nobody else can call are those that we see. */
    if (!checker_is_called_from_outside(checker, flow->method))
        access->held |= access->likely;
    access->likely &= ~access->held;
    access->mixed = of_entry(place, &search->callers.terms, caller->some_locks, caller->some_count);
    access->mixed &= ~(access->held | access->likely);
}

static void count_access(struct belief_search *search, struct method_flow *flow, uint32_t number,
                         const struct subject *subject, const struct reference_call *reference)
{
    const struct checker *checker = search->checker;
    const struct flow_event *event = reference ? &reference->call : &flow->events[number];
    struct place place = {
        .search = search,
        .flow = flow,
        .tally = tally_of(search, subject->field),
        .set = &flow->lock_sets[event->locks],
        .object = {belief_normal(checker, flow, subject->object),
                   term_make(&search->beliefs->terms, TERM_PARAMETER, 0, 0)},
        .write = subject->write,
    };
    struct belief_access access = {.method = flow->method,
                                   .event = number,
                                   .object = subject->accessed,
                                   .write = place.write,
                                   .lonely = is_lonely(search, flow, subject->object)};
    if (!place.tally || is_same_statement(place.tally, flow, number, subject))
        return;
    for (uint32_t i = 0; i < place.set->count; i++) {
        const struct held_lock *held = &place.set->items[i];
        const uint64_t bit = is_enough(held->mode, place.write) ? named(&place, held->lock) : 0;
        access.held |= bit;
        access.in_block |= held->at != INSTRUCTION_NONE ? bit : 0;
    }
    for (uint32_t k = 0; k < flow->lock_set_count; k++)
        for (uint32_t i = 0; i < flow->lock_sets[k].count; i++)
            access.held |= named(&place, belief_given_up_later(flow, place.set, k, i));
    if (!reference || !reference->later)
        add_entry_locks(&place, &access);
    if (!vector_push(&place.tally->accesses, access))
        search->failed = true;
}

/* A class with a method that takes a lock and keeps it: its users hold it, where we cannot see. */
static void find_lenders(struct belief_search *search)
{
    const struct checker *checker = search->checker;
    for (uint32_t m = 0; m < checker->program->application_method_count; m++) {
        const struct method_flow *flow = checker->flows[m];
        for (uint32_t i = 0; flow && i < flow->event_count; i++) {
            if (flow->events[i].kind != EVENT_RETURN)
                continue;
            const struct lock_set *set = &flow->lock_sets[flow->events[i].locks];
            for (uint32_t k = 0; k < set->count; k++)
                if (set->items[k].mode != LOCK_GIVEN_UP && !set->items[k].known &&
                    set->items[k].at != INSTRUCTION_NONE)
                    search->lenders[checker->program->methods[m].class_id] = true;
        }
    }
}

/* `reference`: what the function does that the event makes; NULL: the event itself. */
static void count_contents(struct belief_search *search, struct method_flow *flow, uint32_t number,
                           const struct reference_call *reference)
{
    struct subject subject;
    struct content_uses uses;
    contents_find(&uses, search->checker, flow,
                  reference ? &reference->call : &flow->events[number]);
    for (uint32_t i = 0; i < uses.count; i++)
        if (find_content(search, flow, &uses.items[i], &subject) &&
            ((reference && reference->later) || !is_private(search, flow, number, &subject)))
            count_access(search, flow, number, &subject, reference);
}

static void count_event(struct belief_search *search, struct method_flow *flow, uint32_t number)
{
    const struct flow_event *event = &flow->events[number];
    struct reference_call reference;
    struct subject subject;
    if (find_field(search->checker, event, &subject) && !is_private(search, flow, number, &subject))
        count_access(search, flow, number, &subject, NULL);
    count_contents(search, flow, number, NULL);
    if (reference_find(&reference, search->checker, flow, event))
        count_contents(search, flow, number, &reference);
}

void belief_census(struct belief_search *search)
{
    const struct checker *checker = search->checker;
    find_lenders(search);
    find_contents(search);
    for (uint32_t m = 0; m < checker->program->application_method_count; m++) {
        struct method_flow *flow = accessors_is_one(checker, m) ? NULL : checker->flows[m];
        for (uint32_t i = 0; flow && i < flow->event_count && !search->failed; i++)
            count_event(search, flow, i);
    }
}
