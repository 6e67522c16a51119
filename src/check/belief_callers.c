#include "check/belief_callers.h"

#include "base/vector.h"
#include "check/checker.h"
#include "check/common_locks.h"
#include "classfile/descriptor.h"

enum { ROUNDS = 64, MOST_ARGUMENTS = 64, MOST_NAMES = 96, MOST_DEPTH = 12 };
enum { SOME_ROUNDS = 4, SOME_LOCKS = 16 }; /* what some callers hold is only a hint */

/* One call of a method of the application. */
struct edge {
    uint32_t caller, callee, event;
    uint32_t argument; /* whose method it is: number of an argument; UINT32_MAX: the receiver */
};

struct search {
    struct belief_callers *callers;
    const struct checker *checker;
    VECTOR(struct edge) edges;
    struct common_locks *found; /* what all callers hold, then what some do */
    bool failed;
};

/* ---- terms ---- */

static bool is_outer_field(const struct program *program, uint32_t field)
{
    return (program->fields[field].access & ACCESS_SYNTHETIC) &&
           text_starts_with(program_field_name(program, field), TEXT("this$"));
}

/* That of the class closest to the root which keeps an outer object of the same class: a subclass
   hands its own on to the constructor of its superclass. */
static uint32_t first_outer_field(const struct program *program, uint32_t field)
{
    const struct text descriptor = program_field_descriptor(program, field);
    uint32_t first = field;
    if (!is_outer_field(program, field))
        return field;
    for (uint32_t class_id = program->classes[program->fields[field].class_id].superclass;
         class_id != PROGRAM_NONE; class_id = program->classes[class_id].superclass) {
        const struct program_class *class = &program->classes[class_id];
        for (uint32_t i = 0; i < class->field_count; i++)
            if (is_outer_field(program, class->first_field + i) &&
                text_equal(program_field_descriptor(program, class->first_field + i), descriptor))
                first = class->first_field + i;
    }
    return first;
}

static term with_first_outers(const struct checker *checker, struct method_flow *flow, term number,
                              unsigned depth)
{
    const struct term_content content = term_content(&flow->terms, number);
    if (content.kind != TERM_FIELD || depth == MOST_DEPTH)
        return number;
    return term_make(&flow->terms, TERM_FIELD,
                     with_first_outers(checker, flow, content.a, depth + 1),
                     first_outer_field(checker->program, content.b));
}

term belief_normal(const struct checker *checker, struct method_flow *flow, term number)
{
    if (number == TERM_NONE)
        return TERM_NONE;
    number = checker_canonical(checker, flow, number);
    return term_kind(&flow->terms, number) == TERM_FIELD
               ? with_first_outers(checker, flow, number, 0)
               : number;
}

term belief_rename(const struct method_flow *flow, term number, const struct belief_name *names,
                   uint32_t count, struct term_table *to)
{
    if (number == TERM_NONE)
        return TERM_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (names[i].from == number)
            return names[i].to;
    const struct term_content content = term_content(&flow->terms, number);
    if (content.kind == TERM_CLASS || content.kind == TERM_STATIC)
        return term_make(to, (enum term_kind)content.kind, content.a, content.b);
    if (content.kind != TERM_FIELD)
        return TERM_NONE;
    const term inner = belief_rename(flow, content.a, names, count, to);
    return inner == TERM_NONE ? TERM_NONE : term_make(to, TERM_FIELD, inner, content.b);
}

/* ---- objects that nobody else knows ---- */

static bool is_given_away(const struct checker *checker, const struct method_flow *flow,
                          const struct flow_event *event, term object)
{
    if (event->kind == EVENT_CALL && event->object == object)
        return event->id != PROGRAM_NONE &&
               text_is(program_method_name(checker->program, event->id), "start");
    if ((event->kind == EVENT_WRITE || event->kind == EVENT_ARRAY_WRITE ||
         event->kind == EVENT_THROW) &&
        event->value == object)
        return true;
    for (uint32_t i = 0; i < event->argument_count; i++)
        if (flow->arguments[event->first_argument + i] == object)
            return true;
    return false;
}

/* A copy that Object.clone has just made, or what a method returns that makes it. */
static bool is_made_by_call(const struct belief_callers *callers, const struct checker *checker,
                            const struct method_flow *flow, uint32_t event, term object)
{
    const struct program *program = checker->program;
    for (uint32_t i = 0; i < event; i++) {
        const struct flow_event *call = &flow->events[i];
        if (call->kind != EVENT_CALL || call->value != object || call->id == PROGRAM_NONE)
            continue;
        if (program_is_application_method(program, call->id) && callers->methods[call->id].makes)
            return true;
        return text_is(program_method_name(program, call->id), "clone") &&
               text_starts_with(program_method_descriptor(program, call->id), TEXT("()"));
    }
    return false;
}

bool belief_is_new(const struct belief_callers *callers, const struct checker *checker,
                   const struct method_flow *flow, uint32_t event, term object)
{
    const enum term_kind kind = term_kind(&flow->terms, object);
    if (kind != TERM_NEW && kind != TERM_OPAQUE)
        return false;
    if (kind == TERM_OPAQUE && !is_made_by_call(callers, checker, flow, event, object))
        return false;
    for (uint32_t i = 0; i < event; i++)
        if (is_given_away(checker, flow, &flow->events[i], object))
            return false;
    return true;
}

/* Methods that only return objects of their own making. */
static bool only_makes(const struct belief_callers *callers, const struct checker *checker,
                       const struct method_flow *flow)
{
    bool makes = false;
    for (uint32_t i = 0; i < flow->event_count; i++) {
        const struct flow_event *event = &flow->events[i];
        if (event->kind != EVENT_RETURN)
            continue;
        if (event->value == TERM_NONE || (!(event->flags & EVENT_VALUE_FRESH) &&
                                          !belief_is_new(callers, checker, flow, i, event->value)))
            return false;
        makes = true;
    }
    return makes;
}

static void find_makers(struct belief_callers *callers, const struct checker *checker)
{
    for (uint32_t i = 0; i < checker->program->application_method_count; i++)
        callers->methods[i].makes =
            checker->flows[i] && only_makes(callers, checker, checker->flows[i]);
}

bool belief_has_this_alone(const struct program *program, uint32_t method)
{
    const struct text name = program_method_name(program, method);
    const struct text descriptor = program_method_descriptor(program, method);
    return (text_is(name, "readObject") && text_is(descriptor, "(Ljava/io/ObjectInputStream;)V")) ||
           (text_is(name, "readExternal") && text_is(descriptor, "(Ljava/io/ObjectInput;)V")) ||
           (text_is(name, "readObjectNoData") && text_is(descriptor, "()V")) ||
           (text_is(name, "readResolve") && text_is(descriptor, "()Ljava/lang/Object;")) ||
           (text_is(name, "finalize") && text_is(descriptor, "()V"));
}

/* Whether the caller, at this call, has the object for itself. */
static bool is_private(const struct search *search, const struct edge *edge, term object,
                       bool receiver)
{
    const struct checker *checker = search->checker;
    const struct method_flow *flow = checker->flows[edge->caller];
    const struct flow_event *event = &flow->events[edge->event];
    const struct term_content content = term_content(&flow->terms, object);
    if (event->flags & (receiver ? EVENT_OBJECT_FRESH | EVENT_UNDER_CONSTRUCTION : 0))
        return true;
    if (content.kind == TERM_PARAMETER && content.a < MOST_ARGUMENTS)
        return (search->callers->methods[edge->caller].private_parameters >> content.a & 1) ||
               (content.a == 0 && !flow->is_static &&
                (checker->entry.methods[edge->caller].constructing ||
                 belief_has_this_alone(checker->program, edge->caller) ||
                 text_is(program_method_name(checker->program, edge->caller), "<init>")));
    return belief_is_new(search->callers, checker, flow, edge->event, object);
}

/* ---- calls ---- */

static const struct call_site *site_at(const struct call_graph *graph, uint32_t method,
                                       uint32_t instruction)
{
    const struct call_sites sites = call_graph_sites(graph, method);
    for (uint32_t i = 0; i < sites.count; i++)
        if (sites.items[i].instruction == instruction &&
            (sites.items[i].kind == CALL_VIRTUAL || sites.items[i].kind == CALL_INTERFACE))
            return &sites.items[i];
    return NULL;
}

static void add_edge(struct search *search, struct edge edge)
{
    if (search->checker->flows[edge.callee] && !vector_push(&search->edges, edge))
        search->failed = true;
}

/* The class of the parameter of that number, as the method's descriptor has it. */
static uint32_t parameter_class(const struct program *program, uint32_t method, uint32_t number)
{
    const struct text descriptor = program_method_descriptor(program, method);
    struct text parameter = {0};
    size_t position = 1;
    for (uint32_t i = 0; i <= number; i++)
        if (!descriptor_next_parameter(descriptor, &position, &parameter))
            return PROGRAM_NONE;
    return parameter.length > 2 && parameter.bytes[0] == 'L'
               ? program_find_class(program, text_slice(parameter, 1, parameter.length - 1))
               : PROGRAM_NONE;
}

/* What an object of the class runs when that method of one of its interfaces is called. */
static uint32_t implementation(const struct program *program, uint32_t class_id, uint32_t selector)
{
    for (; class_id != PROGRAM_NONE; class_id = program->classes[class_id].superclass) {
        const uint32_t method = program_declared_method(program, class_id, selector);
        if (method != PROGRAM_NONE)
            return method;
    }
    return PROGRAM_NONE;
}

/* A library method that calls its argument before it returns: doPrivileged. */
static void add_callbacks(struct search *search, uint32_t caller, uint32_t event_number)
{
    const struct checker *checker = search->checker;
    const struct program *program = checker->program;
    const struct method_flow *flow = checker->flows[caller];
    const struct flow_event *event = &flow->events[event_number];
    const struct method_locks *locks = lock_types_method(checker->types, event->id);
    for (uint32_t i = 0; i < locks->effect_count; i++) {
        const struct term_content lock =
            term_content(&checker->types->terms, locks->effects[i].lock);
        const uint32_t argument = lock.a - !(event->flags & EVENT_STATIC);
        if (locks->effects[i].kind != EFFECT_CALLS || lock.kind != TERM_PARAMETER ||
            argument >= event->argument_count)
            continue;
        const term object = flow->arguments[event->first_argument + argument];
        const uint32_t type = object < flow->origin_count ? flow->types[object] : PROGRAM_NONE;
        const uint32_t interface = parameter_class(program, event->id, argument);
        if (type == PROGRAM_NONE || type >= program->application_count || interface == PROGRAM_NONE)
            continue;
        for (uint32_t k = 0; k < program->classes[interface].method_count; k++) {
            const uint32_t wanted = program->classes[interface].first_method + k;
            const uint32_t method =
                implementation(program, type, program->methods[wanted].selector);
            if (method == PROGRAM_NONE || !program_is_application_method(program, method))
                continue;
            search->callers->methods[method].api = false;
            add_edge(search, (struct edge){caller, method, event_number, argument});
        }
    }
}

static void add_call(struct search *search, uint32_t caller, uint32_t event_number)
{
    const struct checker *checker = search->checker;
    const struct flow_event *event = &checker->flows[caller]->events[event_number];
    uint32_t one;
    if (event->id == PROGRAM_NONE)
        return;
    const struct call_site *site = event->flags & EVENT_DISPATCHED
                                       ? site_at(checker->graph, caller, event->instruction)
                                       : NULL;
    struct program_ids targets = {&event->id, 1};
    if (site)
        targets = call_graph_targets(checker->graph, site->targets, &one);
    for (uint32_t i = 0; i < targets.count; i++)
        if (program_is_application_method(checker->program, targets.items[i]))
            add_edge(search, (struct edge){caller, targets.items[i], event_number, UINT32_MAX});
    if (!program_is_application_method(checker->program, event->id))
        add_callbacks(search, caller, event_number);
}

static void collect_edges(struct search *search)
{
    const struct checker *checker = search->checker;
    for (uint32_t method = 0; method < checker->program->application_method_count; method++) {
        const struct method_flow *flow = checker->flows[method];
        for (uint32_t i = 0; flow && i < flow->event_count && !search->failed; i++)
            if (flow->events[i].kind == EVENT_CALL)
                add_call(search, method, i);
    }
}

/* Receiver and arguments, as far as there is room. */
static uint32_t edge_arguments(const struct search *search, const struct edge *edge, term *to)
{
    const struct method_flow *flow = search->checker->flows[edge->caller];
    const struct flow_event *event = &flow->events[edge->event];
    uint32_t count = 0;
    if (edge->argument != UINT32_MAX) {
        to[count++] = flow->arguments[event->first_argument + edge->argument];
        return count;
    }
    if (!(event->flags & EVENT_STATIC))
        to[count++] = event->object;
    for (uint32_t i = 0; i < event->argument_count && count < MOST_ARGUMENTS; i++)
        to[count++] = flow->arguments[event->first_argument + i];
    return count;
}

/* ---- beginnings ---- */

static bool starts_with_word(struct text name, const char *word)
{
    const struct text prefix = text_from(word);
    return text_starts_with(name, prefix) &&
           (name.length == prefix.length || name.bytes[prefix.length] < 'a' ||
            name.bytes[prefix.length] > 'z');
}

static bool is_called_beginning(struct text name)
{
    static const char *const words[] = {"<init>", "<clinit>", "init",       "initialize",
                                        "boot",   "setup",    "readObject", "readExternal"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (starts_with_word(name, words[i]))
            return true;
    return false;
}

/* By name, and then those that have no other callers. */
static void find_beginnings(struct search *search, const bool *called)
{
    const struct program *program = search->checker->program;
    struct belief_caller *methods = search->callers->methods;
    for (uint32_t i = 0; i < program->application_method_count; i++)
        methods[i].begins =
            (called[i] && !methods[i].api) || is_called_beginning(program_method_name(program, i));
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < search->edges.count; i++) {
            const struct edge *edge = &search->edges.items[i];
            if (methods[edge->callee].begins && !methods[edge->caller].begins &&
                !is_called_beginning(program_method_name(program, edge->callee))) {
                methods[edge->callee].begins = false;
                changed = true;
            }
        }
    }
}

/* A call that comes before all others. */
static bool comes_first(const struct search *search, const struct edge *edge)
{
    return search->callers->methods[edge->caller].begins &&
           !search->callers->methods[edge->callee].begins;
}

/* ---- locks ---- */

struct names {
    struct belief_name items[MOST_NAMES];
    uint32_t count;
};

static void add_name(struct names *names, term from, term to)
{
    if (names->count < MOST_NAMES && from != TERM_NONE && to != TERM_NONE)
        names->items[names->count++] = (struct belief_name){from, to};
}

/* What the caller put into the final fields of an object that it made: the outer object above
   all. */
static void name_parts(const struct search *search, struct method_flow *flow, term object, term to,
                       struct names *names)
{
    const struct checker *checker = search->checker;
    for (uint32_t i = 0; i < flow->event_count; i++) {
        const struct flow_event *event = &flow->events[i];
        if (event->kind != EVENT_CALL || event->object != object || event->id == PROGRAM_NONE ||
            !text_is(program_method_name(checker->program, event->id), "<init>"))
            continue;
        const struct method_summary *summary = flow_summaries_of(&checker->summaries, event->id);
        term parameters[MOST_ARGUMENTS + 1];
        uint32_t count = 0;
        parameters[count++] = object;
        for (uint32_t a = 0; a < event->argument_count && a < MOST_ARGUMENTS; a++)
            parameters[count++] = flow->arguments[event->first_argument + a];
        const struct term_binding binding = {
            .to = &flow->terms, .parameters = parameters, .parameter_count = count};
        for (uint32_t k = 0; summary && k < summary->stored_count; k++) {
            const term value =
                term_substitute(&checker->summaries.terms, summary->stored[k].value, &binding);
            const uint32_t field = first_outer_field(checker->program, summary->stored[k].field);
            add_name(names, belief_normal(checker, flow, value),
                     term_make(&search->callers->terms, TERM_FIELD, to, field));
        }
        return;
    }
}

/* Whether a constructor keeps what it was given in a final field of its object here. */
static bool keeps_parameter(const struct checker *checker, const struct method_flow *flow,
                            const struct flow_event *event)
{
    return event->kind == EVENT_WRITE && (event->flags & EVENT_UNDER_CONSTRUCTION) &&
           event->id != PROGRAM_NONE && !(event->flags & EVENT_STATIC) &&
           term_kind(&flow->terms, event->value) == TERM_PARAMETER &&
           lock_types_is_final(checker->types, event->id);
}

/* What a constructor was given, and keeps in final fields of the object. */
static void name_own_parts(const struct search *search, const struct edge *edge, term to,
                           struct names *names)
{
    const struct checker *checker = search->checker;
    const struct method_flow *flow = checker->flows[edge->caller];
    for (uint32_t i = 0; i < flow->event_count; i++) {
        const struct flow_event *event = &flow->events[i];
        if (keeps_parameter(checker, flow, event))
            add_name(names, event->value,
                     term_make(&search->callers->terms, TERM_FIELD, to,
                               first_outer_field(checker->program, event->id)));
    }
}

/* The constructor of a class that has one only, else PROGRAM_NONE. */
static uint32_t only_constructor(const struct program *program, uint32_t class_id)
{
    const struct program_class *class = &program->classes[class_id];
    uint32_t found = PROGRAM_NONE;
    for (uint32_t i = 0; i < class->method_count; i++) {
        if (!text_is(program_method_name(program, class->first_method + i), "<init>"))
            continue;
        if (found != PROGRAM_NONE)
            return PROGRAM_NONE;
        found = class->first_method + i;
    }
    return found;
}

/* What the constructor of a subclass, whose method is called, hands on to the one that calls and
   keeps in final fields itself: compilers since Java 18 give a superclass no field for the outer
   object if it needs that only while it is made. */
static void name_parts_of_subclass(const struct search *search, const struct edge *edge, term to,
                                   struct names *names)
{
    const struct checker *checker = search->checker;
    const struct program *program = checker->program;
    struct method_flow *flow = checker->flows[edge->caller];
    const uint32_t subclass = program->methods[edge->callee].class_id;
    if (subclass == program->methods[edge->caller].class_id ||
        (program->methods[edge->callee].access & ACCESS_STATIC) ||
        !text_is(program_method_name(program, edge->caller), "<init>"))
        return;
    const uint32_t constructor = only_constructor(program, subclass);
    const struct method_flow *own =
        constructor == PROGRAM_NONE ? NULL : checker->flows[constructor];
    for (uint32_t i = 0; own && i < own->event_count; i++) {
        const struct flow_event *call = &own->events[i];
        if (call->kind != EVENT_CALL || call->id != edge->caller ||
            term_kind(&own->terms, call->object) != TERM_PARAMETER)
            continue;
        for (uint32_t k = 0; k < own->event_count; k++) {
            const struct flow_event *write = &own->events[k];
            if (!keeps_parameter(checker, own, write))
                continue;
            const term field = term_make(&search->callers->terms, TERM_FIELD, to,
                                         first_outer_field(program, write->id));
            for (uint32_t a = 0; a < call->argument_count; a++)
                if (write->value == own->arguments[call->first_argument + a])
                    add_name(names, term_make(&flow->terms, TERM_PARAMETER, a + 1, 0), field);
        }
    }
}

static void add_lock(struct search *search, struct common_locks *locks, term lock, unsigned mode)
{
    if (!common_locks_add(locks, lock, mode))
        search->failed = true;
}

term belief_given_up_later(const struct method_flow *flow, const struct lock_set *now, uint32_t set,
                           uint32_t i)
{
    const struct held_lock *item = &flow->lock_sets[set].items[i];
    return item->mode == LOCK_GIVEN_UP && !lock_set_is_given_up(now, item->lock) ? item->lock
                                                                                 : TERM_NONE;
}

/* What this call gives the callee. */
static void contribution(struct search *search, const struct edge *edge,
                         struct common_locks *result)
{
    const struct checker *checker = search->checker;
    struct method_flow *flow = checker->flows[edge->caller];
    struct term_table *to = &search->callers->terms;
    const struct common_locks *caller = &search->found[edge->caller];
    const struct lock_set *set = &flow->lock_sets[flow->events[edge->event].locks];
    struct names names = {.count = 0};
    term arguments[MOST_ARGUMENTS];
    vector_clear(&result->locks);
    if (!caller->locks.count && flow->lock_set_count < 2)
        return;
    const uint32_t count = edge_arguments(search, edge, arguments);
    for (uint32_t i = 0; i < count; i++) {
        const term parameter = term_make(to, TERM_PARAMETER, i, 0);
        add_name(&names, belief_normal(checker, flow, arguments[i]), parameter);
        const struct term_content content = term_content(&flow->terms, arguments[i]);
        if (content.kind == TERM_NEW)
            name_parts(search, flow, arguments[i], parameter, &names);
        else if (content.kind == TERM_PARAMETER && content.a == 0 && !flow->is_static) {
            name_own_parts(search, edge, parameter, &names);
            if (i == 0)
                name_parts_of_subclass(search, edge, parameter, &names);
        }
    }
    for (uint32_t i = 0; i < set->count; i++)
        if (set->items[i].mode != LOCK_GIVEN_UP)
            add_lock(search, result,
                     belief_rename(flow, belief_normal(checker, flow, set->items[i].lock),
                                   names.items, names.count, to),
                     set->items[i].mode);
    for (uint32_t k = 0; k < flow->lock_set_count; k++)
        for (uint32_t i = 0; i < flow->lock_sets[k].count; i++)
            add_lock(search, result,
                     belief_rename(
                         flow, belief_normal(checker, flow, belief_given_up_later(flow, set, k, i)),
                         names.items, names.count, to),
                     LOCK_EXCLUSIVE);
    for (size_t i = 0; i < caller->locks.count; i++) {
        const term here = entry_locks_copy(to, caller->locks.items[i].lock, &flow->terms);
        if (here != TERM_NONE && !lock_set_is_given_up(set, here))
            add_lock(search, result, belief_rename(flow, here, names.items, names.count, to),
                     caller->locks.items[i].mode);
    }
}

static void solve(struct search *search)
{
    struct common_locks given = {0};
    bool changed = true;
    for (unsigned round = 0; changed && round < ROUNDS && !search->failed; round++) {
        changed = false;
        for (size_t i = 0; i < search->edges.count && !search->failed; i++) {
            const struct edge *edge = &search->edges.items[i];
            struct common_locks *callee = &search->found[edge->callee];
            if (search->found[edge->caller].any || (!callee->any && !callee->locks.count) ||
                comes_first(search, edge))
                continue;
            contribution(search, edge, &given);
            if (!common_locks_meet(callee, &given, &changed))
                search->failed = true;
        }
    }
    for (uint32_t i = 0; i < search->checker->program->application_method_count; i++)
        if (search->found[i].any || changed)
            vector_clear(&search->found[i].locks);
    common_locks_release(&given);
}

/* What some callers hold adds up. */
static void solve_some(struct search *search)
{
    struct common_locks given = {0};
    bool changed = true;
    for (unsigned round = 0; changed && round < SOME_ROUNDS && !search->failed; round++) {
        changed = false;
        for (size_t i = 0; i < search->edges.count && !search->failed; i++) {
            const struct edge *edge = &search->edges.items[i];
            struct common_locks *callee = &search->found[edge->callee];
            const size_t before = callee->locks.count;
            if (search->callers->methods[edge->callee].api || !callee->any || before >= SOME_LOCKS)
                continue;
            contribution(search, edge, &given);
            for (size_t k = 0; k < given.locks.count; k++)
                add_lock(search, callee, given.locks.items[k].lock, given.locks.items[k].mode);
            changed = changed || callee->locks.count != before;
        }
    }
    common_locks_release(&given);
}

/* ---- all of it ---- */

/* Lambdas' bodies, and what is entered from outside in a way of its own: what is known of them
   stands in the entry locks. */
static bool is_special(const struct checker *checker, uint32_t method)
{
    const uint16_t access = checker->program->methods[method].access;
    uint32_t count;
    return entry_points_of(checker->entries, method, &count) ||
           ((access & ACCESS_SYNTHETIC) && (access & ACCESS_PRIVATE)) ||
           text_is(program_method_name(checker->program, method), "<clinit>");
}

static bool is_api(const struct checker *checker, uint32_t method)
{
    return !checker->options.whole_program &&
           (checker->program->methods[method].access & ACCESS_PUBLIC) &&
           (program_class_of_method(checker->program, method)->access & ACCESS_PUBLIC);
}

static void begin(struct search *search, bool *called)
{
    const struct checker *checker = search->checker;
    const uint32_t count = checker->program->application_method_count;
    for (uint32_t method = 0; method < count; method++)
        search->callers->methods[method].api = is_api(checker, method);
    collect_edges(search);
    for (size_t i = 0; i < search->edges.count; i++) {
        const uint32_t callee = search->edges.items[i].callee;
        called[callee] = !is_special(checker, callee);
        search->found[callee].any = called[callee];
    }
    find_beginnings(search, called);
    for (uint32_t method = 0; method < count; method++) {
        struct belief_caller *caller = &search->callers->methods[method];
        const struct method_entry *entry = &checker->entry.methods[method];
        if (search->found[method].any) {
            caller->private_parameters = UINT64_MAX;
            continue;
        }
        for (uint32_t i = 0; i < entry->count; i++)
            add_lock(search, &search->found[method],
                     entry_locks_copy(&checker->entry.terms, entry->locks[i].lock,
                                      &search->callers->terms),
                     entry->locks[i].mode);
    }
}

static void find_private(struct search *search)
{
    struct belief_caller *methods = search->callers->methods;
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < search->edges.count; i++) {
            const struct edge *edge = &search->edges.items[i];
            uint64_t *bits = &methods[edge->callee].private_parameters;
            term arguments[MOST_ARGUMENTS];
            if (!*bits)
                continue;
            const uint32_t count = edge_arguments(search, edge, arguments);
            const bool has_receiver =
                edge->argument == UINT32_MAX &&
                !(search->checker->flows[edge->caller]->events[edge->event].flags & EVENT_STATIC);
            uint64_t kept = 0;
            for (uint32_t k = 0; k < count; k++)
                if ((*bits >> k & 1) &&
                    is_private(search, edge, arguments[k], has_receiver && k == 0))
                    kept |= UINT64_C(1) << k;
            changed = changed || kept != *bits;
            *bits = kept;
        }
    }
}

/* The locks that were found for the method, kept for good. */
static const struct entry_lock *kept_locks(struct search *search, uint32_t method, uint32_t *count)
{
    const struct common_locks *found = &search->found[method];
    *count = 0;
    if (!found->locks.count)
        return NULL;
    const struct entry_lock *locks =
        arena_copy(&search->callers->arena, found->locks.items,
                   found->locks.count * sizeof *found->locks.items, alignof(struct entry_lock));
    if (locks)
        *count = (uint32_t)found->locks.count;
    else
        search->failed = true;
    return locks;
}

static void find_locks(struct search *search, const bool *called)
{
    const uint32_t count = search->checker->program->application_method_count;
    solve(search);
    for (uint32_t i = 0; i < count; i++) {
        struct belief_caller *caller = &search->callers->methods[i];
        caller->locks = kept_locks(search, i, &caller->count);
        search->found[i].any = called[i];
    }
    solve_some(search);
    for (uint32_t i = 0; i < count; i++) {
        struct belief_caller *caller = &search->callers->methods[i];
        if (called[i] && !caller->api)
            caller->some_locks = kept_locks(search, i, &caller->some_count);
    }
}

bool belief_callers_find(struct belief_callers *callers, const struct checker *checker)
{
    const uint32_t count = checker->program->application_method_count;
    struct search search = {.callers = callers, .checker = checker};
    struct arena scratch;
    arena_init(&scratch);
    arena_init(&callers->arena);
    search.found = arena_allocate_zeroed(&scratch, (count + 1u) * sizeof *search.found,
                                         alignof(struct common_locks));
    callers->methods = arena_allocate_zeroed(
        &callers->arena, (count + 1u) * sizeof *callers->methods, alignof(struct belief_caller));
    bool *called = arena_allocate_zeroed(&scratch, count + 1u, 1);
    search.failed = !term_table_init(&callers->terms, &callers->arena) || !search.found ||
                    !callers->methods || !called;
    if (!search.failed) {
        find_makers(callers, checker);
        begin(&search, called);
        find_locks(&search, called);
        find_private(&search);
        for (uint32_t i = 0; i < count; i++)
            vector_release(&search.found[i].locks);
    }
    vector_release(&search.edges);
    arena_release(&scratch);
    return !search.failed && !callers->terms.failed;
}

void belief_callers_release(struct belief_callers *callers)
{
    term_table_release(&callers->terms);
    arena_release(&callers->arena);
}
