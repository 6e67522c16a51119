#include "bytecode/opcode.h"
#include "check/belief_internal.h"
#include "program/hierarchy.h"

/*
 * An access without the lock may be a mistake, or the author knew better. What it looks like is
 * told by factors, in percent; that they are just so is a matter of experience with real programs:
 * what is wrong there are mostly writes, and reads on which something depends that is done under
 * the lock afterwards. Getters are read at one's own risk, and what goes into a message harms
 * nobody.
 */
enum {
    SOME_DOUBT =
        4, /* as if so much more weight were against it: few accesses are little evidence */
    WEIGHT_MOST = 1000,

    FACTOR_READ = 85,
    FACTOR_GETTER = 60,
    FACTOR_WIDE_GETTER = 75, /* of a long or double, which may come in two halves */
    FACTOR_TEXT = 30,
    FACTOR_SETUP = 55,
    FACTOR_CONSTRUCTOR = 75,
    FACTOR_LIKELY = 40,
    FACTOR_OTHER_LOCK = 60,
    FACTOR_CONTAINER = 35,
    FACTOR_LENDER = 50,
    FACTOR_MIXED = 80,
    FACTOR_CHECKED_AGAIN = 70,
    FACTOR_AFTERWARDS = 65,
    FACTOR_WHOLE_METHODS = 90,
    FACTOR_EARLY_WRITES = 60,

    TEXT_DISTANCE = 12 /* instructions from a read to the text it becomes part of */
};

/* ---- methods ---- */

static bool starts_with_word(struct text name, const char *word)
{
    const struct text prefix = text_from(word);
    return text_starts_with(name, prefix) &&
           (name.length == prefix.length || name.bytes[prefix.length] < 'a' ||
            name.bytes[prefix.length] > 'z');
}

bool belief_is_setup(const struct belief_search *search, uint32_t method)
{
    static const char *const words[] = {"start", "startup", "open",     "configure", "destroy",
                                        "close", "stop",    "shutdown", "dispose",   "shutDown"};
    const struct text name = program_method_name(search->checker->program, method);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (starts_with_word(name, words[i]))
            return true;
    return search->callers.methods[method].begins;
}

/* Methods that only describe the object. */
static bool is_describing(const struct program *program, uint32_t method)
{
    const struct text name = program_method_name(program, method);
    return text_starts_with(name, TEXT("toString")) || text_is(name, "hashCode") ||
           starts_with_word(name, "dump") || starts_with_word(name, "print") ||
           starts_with_word(name, "debug") || starts_with_word(name, "trace");
}

static bool is_constructor(const struct program *program, uint32_t method)
{
    return text_is(program_method_name(program, method), "<init>");
}

/* Nothing but a read and a return. */
static bool is_getter(const struct method_flow *flow)
{
    uint32_t reads = 0;
    for (uint32_t i = 0; i < flow->event_count; i++) {
        reads += flow->events[i].kind == EVENT_READ;
        if (flow->events[i].kind != EVENT_READ && flow->events[i].kind != EVENT_RETURN)
            return false;
    }
    return reads == 1;
}

/* ---- what becomes of the value ---- */

/* Calls of string builders, and what newer compilers use in their place: any invokedynamic that
   makes no function. */
static bool is_concatenation(const struct checker *checker, const struct method_flow *flow,
                             uint32_t instruction)
{
    const struct call_sites sites = call_graph_sites(checker->graph, flow->method);
    for (uint32_t i = 0; i < sites.count; i++) {
        if (sites.items[i].instruction != instruction || sites.items[i].method == PROGRAM_NONE)
            continue;
        const struct text class =
            program_class_of_method(checker->program, sites.items[i].method)->name;
        return sites.items[i].kind != CALL_LAMBDA &&
               (text_starts_with(class, TEXT("java/lang/StringBu")) ||
                text_is(class, "java/lang/AbstractStringBuilder") ||
                text_is(class, "java/lang/Appendable"));
    }
    return flow->bytecode.instructions[instruction].opcode == OP_INVOKEDYNAMIC;
}

/* Instructions that only put something on the stack. */
static bool only_pushes(unsigned opcode)
{
    return opcode <= OP_ALOAD_3 || opcode == OP_GETFIELD || opcode == OP_GETSTATIC;
}

/* Read to be part of a text, of which nothing depends. */
static bool is_read_for_text(const struct checker *checker, const struct method_flow *flow,
                             const struct flow_event *event)
{
    for (uint32_t i = event->instruction + 1;
         i < flow->bytecode.count && i <= event->instruction + TEXT_DISTANCE; i++)
        if (!only_pushes(flow->bytecode.instructions[i].opcode))
            return is_concatenation(checker, flow, i);
    return false;
}

/* What else the method does with the same field of the same object. */
struct company {
    bool held_before; /* it had the lock, and gave it back */
    bool read_later;  /* it looks again, with the lock */
    bool written_later;
};

static struct company company_of(const struct belief_tally *tally,
                                 const struct belief_access *access, uint32_t candidate)
{
    struct company company = {0};
    for (size_t i = 0; i < tally->accesses.count; i++) {
        const struct belief_access *other = &tally->accesses.items[i];
        const bool held = other->held >> candidate & 1;
        if (other->method != access->method || other->object != access->object)
            continue;
        company.held_before = company.held_before || (held && other->event < access->event);
        company.read_later =
            company.read_later || (held && !other->write && other->event > access->event);
        company.written_later =
            company.written_later || (other->write && other->event > access->event);
    }
    return company;
}

static bool is_reference(struct text type)
{
    return type.length && (type.bytes[0] == 'L' || type.bytes[0] == '[');
}

/* The object was reached through others, and one of its kind is locked: the first of a list, the
   root of a tree guards all of them. */
static bool is_in_locked_container(const struct belief_search *search,
                                   const struct belief_access *access, uint32_t field)
{
    const struct program *program = search->checker->program;
    const struct method_flow *flow = search->checker->flows[access->method];
    const struct flow_event *event = &flow->events[access->event];
    const enum term_kind kind = term_kind(&flow->terms, access->object);
    const struct lock_set *set = &flow->lock_sets[event->locks];
    if (kind != TERM_JOIN && kind != TERM_OPAQUE)
        return false;
    for (uint32_t i = 0; i < set->count; i++)
        if (set->items[i].mode != LOCK_GIVEN_UP && set->items[i].lock < flow->origin_count &&
            flow->types[set->items[i].lock] != PROGRAM_NONE &&
            hierarchy_is_subtype(program, flow->types[set->items[i].lock],
                                 program->fields[field].class_id))
            return true;
    return false;
}

/* ---- the sum of it ---- */

static uint32_t factor_of_read(const struct belief_search *search, const struct belief_tally *tally,
                               const struct belief_access *access, uint32_t candidate)
{
    const struct checker *checker = search->checker;
    const struct method_flow *flow = checker->flows[access->method];
    const struct text type = program_field_descriptor(checker->program, tally->field);
    if (is_describing(checker->program, access->method) ||
        is_read_for_text(checker, flow, &flow->events[access->event]))
        return FACTOR_TEXT;
    const struct company company = company_of(tally, access, candidate);
    if (company.read_later && !is_reference(type))
        return FACTOR_CHECKED_AGAIN;
    if (company.read_later || company.written_later)
        return 100;
    if (company.held_before)
        return FACTOR_AFTERWARDS;
    if (is_getter(flow))
        return text_is(type, "J") || text_is(type, "D") ? FACTOR_WIDE_GETTER : FACTOR_GETTER;
    return FACTOR_READ;
}

/* Another lock is held, that many accesses hold. */
static bool has_other_lock(const struct belief_tally *tally, const struct belief_access *access,
                           uint32_t candidate)
{
    for (uint32_t i = 0; i < tally->candidates.count; i++) {
        size_t held = 0;
        if (i == candidate || !(access->held >> i & 1))
            continue;
        for (size_t k = 0; k < tally->accesses.count; k++)
            held += tally->accesses.items[k].held >> i & 1;
        if (held * 2 >= tally->accesses.count)
            return true;
    }
    return false;
}

uint32_t belief_surety(const struct belief_search *search, const struct belief_tally *tally,
                       const struct belief_evidence *evidence, const struct belief_access *access,
                       uint32_t candidate)
{
    const struct program *program = search->checker->program;
    const bool constructor = is_constructor(program, access->method);
    uint32_t factors[12];
    size_t count = 0;
    uint64_t surety = (uint64_t)WEIGHT_MOST * evidence->held_weight /
                      (evidence->held_weight + evidence->bare_weight + (uint64_t)SOME_DOUBT);
    factors[count++] = access->write ? 100 : factor_of_read(search, tally, access, candidate);
    factors[count++] = constructor                               ? FACTOR_CONSTRUCTOR
                       : belief_is_setup(search, access->method) ? FACTOR_SETUP
                                                                 : 100;
    factors[count++] = (access->likely >> candidate & 1) || access->lonely ? FACTOR_LIKELY : 100;
    factors[count++] = access->mixed >> candidate & 1 ? FACTOR_MIXED : 100;
    factors[count++] =
        is_in_locked_container(search, access, tally->field) ? FACTOR_CONTAINER : 100;
    factors[count++] =
        search->lenders[program->methods[access->method].class_id] ? FACTOR_LENDER : 100;
    factors[count++] = has_other_lock(tally, access, candidate) ? FACTOR_OTHER_LOCK : 100;
    factors[count++] = evidence->in_block ? 100 : FACTOR_WHOLE_METHODS;
    factors[count++] = evidence->late_writes ? 100 : FACTOR_EARLY_WRITES;
    for (size_t i = 0; i < count; i++)
        surety = surety * factors[i] / 100;
    return surety ? (uint32_t)surety : 1;
}
