#include "check/atomicity_code.h"

#include <string.h>

#include "base/vector.h"
#include "check/accessors.h"
#include "check/contents.h"
#include "check/references.h"

enum { PASSES = 1000 }; /* the lattice is far lower */

typedef VECTOR(struct atom) atom_list;

struct maker {
    struct atomic_code *code;
    struct method_check *check;
    const struct checker *checker;
    const struct atomicity_facts *facts;
    struct atomicity_table *table;
    struct arena *arena;
    atom_list atoms;
    bool failed;
};

/* ---- facts ---- */

static bool is_private_access(const struct checker *checker, const struct method_flow *flow,
                              const struct flow_event *event)
{
    const struct term_content object = term_content(&flow->terms, event->object);
    return (event->flags & (EVENT_OBJECT_FRESH | EVENT_UNDER_CONSTRUCTION)) ||
           (object.kind == TERM_PARAMETER && object.a == 0 && !flow->is_static &&
            checker->entry.methods[flow->method].constructing);
}

static void note_facts(struct atomicity_facts *facts, const struct checker *checker,
                       uint32_t method)
{
    const struct program *program = checker->program;
    const struct method_flow *flow = checker->flows[method];
    const uint32_t class_id = program->methods[method].class_id;
    if (program->methods[method].access & ACCESS_SYNCHRONIZED)
        facts->class_synchronizes[class_id] = 1;
    for (uint32_t i = 0; flow && i < flow->event_count; i++) {
        const struct flow_event *event = &flow->events[i];
        if (event->kind == EVENT_ACQUIRE)
            facts->class_synchronizes[class_id] = 1;
        if (event->kind == EVENT_WRITE && event->id < program->application_field_count &&
            !is_private_access(checker, flow, event))
            facts->field_written[event->id] = 1;
    }
}

bool atomicity_facts_find(struct atomicity_facts *facts, struct arena *arena,
                          const struct checker *checker)
{
    const struct program *program = checker->program;
    facts->class_synchronizes = arena_allocate_zeroed(arena, program->application_count + 1u, 1);
    facts->field_written = arena_allocate_zeroed(arena, program->application_field_count + 1u, 1);
    if (!facts->class_synchronizes || !facts->field_written)
        return false;
    for (uint32_t method = 0; method < program->application_method_count; method++)
        note_facts(facts, checker, method);
    return true;
}

/* ---- names of locks ---- */

/* Whether the term can be said by who calls the method. */
static bool has_name(const struct term_table *terms, term number)
{
    const struct term_content content = term_content(terms, number);
    switch (content.kind) {
    case TERM_PARAMETER:
    case TERM_CLASS:
    case TERM_STATIC:
    case TERM_GHOST:
        return true;
    case TERM_FIELD:
    case TERM_VARYING:
    case TERM_READ_VIEW:
    case TERM_WRITE_VIEW:
        return content.a == TERM_NONE || has_name(terms, content.a);
    case TERM_FORMAL:
    case TERM_METHOD_FORMAL:
        return content.b == TERM_NONE || has_name(terms, content.b);
    default:
        return false;
    }
}

static term name_of(struct method_check *check, struct atomicity_table *table, term lock)
{
    lock = lock == TERM_NONE ? lock : checker_canonical(check->checker, check->flow, lock);
    return lock != TERM_NONE && has_name(&check->flow->terms, lock)
               ? entry_locks_copy(&check->flow->terms, lock, &table->locks)
               : (term)TERM_NONE;
}

/* Held by the method's own doing; what callers hold is what the atomicity depends on. */
static bool is_held_here(struct method_check *check, const struct flow_event *event, term lock,
                         bool for_writing)
{
    const uint32_t entry_count = check->entry_count;
    check->entry_count = 0;
    const bool held = method_check_holds(check, event, lock, for_writing, false);
    check->entry_count = entry_count;
    return held;
}

/* ---- atoms ---- */

static void add(struct maker *maker, struct atom atom)
{
    if (!vector_push(&maker->atoms, atom))
        maker->failed = true;
}

static void add_basic(struct maker *maker, uint32_t event, unsigned basic)
{
    if (basic != ATOMICITY_OF_CONST)
        add(maker, (struct atom){.kind = ATOM_BASIC, .held = (uint8_t)basic, .event = event});
}

static void add_guard(struct maker *maker, uint32_t number, term lock, bool write, unsigned held,
                      unsigned otherwise)
{
    struct method_check *check = maker->check;
    const struct flow_event *event = &check->flow->events[number];
    if (is_held_here(check, event, lock, write))
        add_basic(maker, number, held);
    else
        add(maker, (struct atom){.kind = ATOM_GUARD,
                                 .held = (uint8_t)held,
                                 .otherwise = (uint8_t)otherwise,
                                 .lock = name_of(check, maker->table, lock),
                                 .event = number});
}

/* What an access is that nothing protects: two words may be read one after the other. */
static unsigned racy_access(const struct maker *maker, uint32_t field)
{
    const char type = program_field_descriptor(maker->checker->program, field).bytes[0];
    return type == 'J' || type == 'D' ? ATOMICITY_OF_CMPD : ATOMICITY_OF_ATOMIC;
}

/* A field that nobody says anything about. */
static unsigned undeclared_access(const struct maker *maker, uint32_t field)
{
    const struct program *program = maker->checker->program;
    const struct program_member *member = &program->fields[field];
    const enum class_nature nature = lock_types_nature(maker->checker->types, member->class_id);
    if (lock_types_is_final(maker->checker->types, field))
        return ATOMICITY_OF_CONST;
    if (member->access & ACCESS_VOLATILE)
        return ATOMICITY_OF_ATOMIC;
    if (field >= program->application_field_count)
        return ATOMICITY_OF_MOVER;
    if (!maker->facts->field_written[field] || nature == NATURE_THREAD_LOCAL ||
        nature == NATURE_IMMUTABLE || !maker->facts->class_synchronizes[member->class_id])
        return ATOMICITY_OF_MOVER;
    return racy_access(maker, field);
}

static void add_declared(struct maker *maker, uint32_t number, uint32_t field, term object,
                         term content, bool write, const struct field_locks *locks)
{
    struct method_check *check = maker->check;
    struct term_binding binding =
        method_check_binding(check, object, maker->checker->program->fields[field].class_id);
    binding.itself = content;
    const bool writes_only = locks->guard == GUARD_WRITES;
    /* Others read a write-guarded field without its lock: writing it is a step that they see. */
    const unsigned held = writes_only && write ? racy_access(maker, field) : ATOMICITY_OF_MOVER;
    const unsigned otherwise =
        writes_only && !write ? racy_access(maker, field) : ATOMICITY_OF_ERROR;
    for (uint32_t i = 0; i < locks->locks.count; i++) {
        if (term_kind(&maker->checker->types->terms, locks->locks.items[i]) == TERM_ITSELF &&
            content == TERM_NONE)
            continue;
        const term lock = owners_resolve(
            &check->owners, &check->flow->terms,
            term_substitute(&maker->checker->types->terms, locks->locks.items[i], &binding));
        add_guard(maker, number, lock, write, held, otherwise);
    }
}

static void add_field(struct maker *maker, uint32_t number, uint32_t field, term object,
                      term content, bool write)
{
    struct method_check *check = maker->check;
    const struct field_locks *locks = lock_types_field(maker->checker->types, field);
    const struct belief *belief = beliefs_of(&maker->checker->beliefs, field);
    if (locks->guard != GUARD_NONE) {
        add_declared(maker, number, field, object, content, write, locks);
        return;
    }
    if (!belief) {
        add_basic(maker, number, undeclared_access(maker, field));
        return;
    }
    const struct term_binding binding =
        method_check_binding(check, object, maker->checker->program->fields[field].class_id);
    const term lock = term_substitute(&maker->checker->beliefs.terms, belief->lock, &binding);
    const bool writes_only = belief->guard == GUARD_WRITES;
    add_guard(maker, number, lock, write,
              writes_only && write ? racy_access(maker, field) : ATOMICITY_OF_MOVER,
              writes_only && !write ? racy_access(maker, field) : ATOMICITY_OF_ERROR);
}

static void add_access(struct maker *maker, uint32_t number)
{
    struct method_check *check = maker->check;
    const struct flow_event *event = &check->flow->events[number];
    const bool write = event->kind == EVENT_WRITE;
    if (event->id == PROGRAM_NONE || method_check_is_private(check, event))
        add_basic(maker, number, ATOMICITY_OF_MOVER);
    else if (!write && lock_types_is_final(maker->checker->types, event->id))
        add_basic(maker, number, ATOMICITY_OF_CONST);
    else
        add_field(maker, number, event->id, event->object, TERM_NONE, write);
}

/* Elements of arrays, and what library objects hold. */
static void add_content(struct maker *maker, uint32_t number, const struct flow_event *event,
                        const struct content_use *use)
{
    struct method_check *check = maker->check;
    uint32_t field;
    term object;
    if (use->fresh || !method_check_origin(check, use->object, &field, &object) ||
        field >= maker->checker->program->field_count ||
        (object != TERM_NONE && method_check_owns(check, event, object)))
        add_basic(maker, number, ATOMICITY_OF_MOVER);
    else if (lock_types_is_final(maker->checker->types, field) &&
             lock_types_field(maker->checker->types, field)->guard == GUARD_NONE &&
             !beliefs_of(&maker->checker->beliefs, field))
        /* Nobody says who guards what a final field refers to. */
        add_basic(maker, number, ATOMICITY_OF_MOVER);
    else
        add_field(maker, number, field, object, use->object, use->write);
}

/* Whether what is in the event's object is touched, not only what is passed. */
static bool add_contents(struct maker *maker, uint32_t number, const struct flow_event *event)
{
    struct content_uses uses;
    bool own = false;
    contents_find(&uses, maker->checker, maker->check->flow, event);
    for (uint32_t i = 0; i < uses.count; i++) {
        add_content(maker, number, event, &uses.items[i]);
        own = own || uses.items[i].object == event->object;
    }
    return own;
}

/* ---- declared atomicities ---- */

struct binding {
    const struct checker *checker;
    struct atomicity_table *table;
    struct arena *arena;
    uint32_t method;
    struct declared_atomicity *result;
};

static atomicity bind(const struct binding *binding, const struct syntax_atomicity *syntax)
{
    static const atomicity basics[] = {[ATOMICITY_CONST] = ATOMICITY_OF_CONST,
                                       [ATOMICITY_MOVER] = ATOMICITY_OF_MOVER,
                                       [ATOMICITY_ATOMIC] = ATOMICITY_OF_ATOMIC,
                                       [ATOMICITY_CMPD] = ATOMICITY_OF_CMPD,
                                       [ATOMICITY_ERROR] = ATOMICITY_OF_ERROR};
    if (!syntax->lock)
        return basics[syntax->basic];
    struct text message = TEXT("");
    const term lock = lock_types_bind_expression(
        binding->checker->types, syntax->lock,
        binding->checker->program->methods[binding->method].class_id, binding->method,
        &binding->table->locks, binding->arena, &message);
    if (lock == TERM_NONE && !binding->result->bad) {
        binding->result->bad = syntax->lock;
        binding->result->message = message;
    }
    const atomicity held = bind(binding, syntax->then);
    const atomicity otherwise =
        syntax->otherwise ? bind(binding, syntax->otherwise) : ATOMICITY_OF_ERROR;
    return atomicity_conditional(binding->table, lock, held, otherwise);
}

struct declared_atomicity atomicity_declared(const struct checker *checker,
                                             struct atomicity_table *table, struct arena *arena,
                                             uint32_t method)
{
    const struct method_locks *locks = lock_types_method(checker->types, method);
    struct declared_atomicity result = {.value = ATOMICITY_OF_CONST};
    const struct binding binding = {checker, table, arena, locks->atomicity_method, &result};
    if (locks->atomicity)
        result.value = bind(&binding, locks->atomicity);
    return result;
}

/* ---- calls ---- */

/* True if somebody says what the library method is. */
static bool add_declared_call(struct maker *maker, uint32_t number)
{
    const struct flow_event *event = &maker->check->flow->events[number];
    if (!lock_types_method(maker->checker->types, event->id)->atomicity)
        return false;
    const struct declared_atomicity declared =
        atomicity_declared(maker->checker, maker->table, maker->arena, event->id);
    if (declared.bad)
        return false;
    add(maker, (struct atom){.kind = ATOM_DECLARED,
                             .event = number,
                             .lambda = UINT32_MAX,
                             .declared = declared.value});
    return true;
}

/* `event`: the one of that number, or what a function does that it calls. */
static void add_library_call(struct maker *maker, uint32_t number, const struct flow_event *event)
{
    struct method_check *check = maker->check;
    const struct program *program = maker->checker->program;
    const struct method_locks *locks = lock_types_method(maker->checker->types, event->id);
    const uint32_t type = event->object < check->flow->origin_count
                              ? check->flow->types[event->object]
                              : PROGRAM_NONE;
    const enum class_nature nature = lock_types_nature(
        maker->checker->types, type == PROGRAM_NONE ? program->methods[event->id].class_id : type);
    const bool is_constructor = text_is(program_method_name(program, event->id), "<init>");
    bool described = add_contents(maker, number, event);
    for (uint32_t i = 0; i < locks->effect_count; i++) {
        switch ((enum effect_kind)locks->effects[i].kind) {
        case EFFECT_WAITS:
            add_basic(maker, number, ATOMICITY_OF_CMPD);
            described = true;
            break;
        case EFFECT_STARTS:
            add_basic(maker, number, ATOMICITY_OF_LEFT);
            described = true;
            break;
        case EFFECT_JOINS:
            add_basic(maker, number, ATOMICITY_OF_RIGHT);
            described = true;
            break;
        case EFFECT_READS:
        case EFFECT_WRITES:
        case EFFECT_CALLS:
            break;
        default: /* locks and views: events of their own tell */
            described = true;
            break;
        }
    }
    if (!described && nature == NATURE_SAFE && !is_constructor && !(event->flags & EVENT_STATIC) &&
        !(event->flags & EVENT_OBJECT_FRESH))
        add_basic(maker, number, ATOMICITY_OF_ATOMIC);
    else if (!described && nature != NATURE_IMMUTABLE)
        add_basic(maker, number, ATOMICITY_OF_MOVER);
}

static struct program_ids application_targets(struct maker *maker, struct program_ids targets)
{
    const struct checker *checker = maker->checker;
    uint32_t *items = ARENA_ARRAY(maker->arena, uint32_t, (size_t)targets.count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; items && i < targets.count; i++)
        if (program_is_application_method(checker->program, targets.items[i]) &&
            !accessors_is_one(checker, targets.items[i]))
            items[count++] = targets.items[i];
    return (struct program_ids){items, items ? count : 0};
}

static void add_call(struct maker *maker, uint32_t number)
{
    const struct checker *checker = maker->checker;
    const struct flow_event *event = &maker->check->flow->events[number];
    const struct call_site *site =
        event->flags & EVENT_DISPATCHED
            ? call_graph_site_at(checker->graph, maker->check->method, event->instruction, false)
            : NULL;
    uint32_t one;
    struct program_ids targets = {&event->id, event->id == PROGRAM_NONE ? 0 : 1};
    if (site)
        targets = call_graph_targets(checker->graph, site->targets, &one);
    targets = application_targets(maker, targets);
    if (event->id != PROGRAM_NONE && !program_is_application_method(checker->program, event->id) &&
        !add_declared_call(maker, number))
        add_library_call(maker, number, event);
    if (targets.count)
        add(maker,
            (struct atom){
                .kind = ATOM_CALL, .event = number, .lambda = UINT32_MAX, .targets = targets});
}

/* A function that is called at once runs there, as often as it pleases. */
static void add_functions(struct maker *maker, uint32_t number)
{
    const struct method_flow *flow = maker->check->flow;
    const struct flow_event *call = &flow->events[number];
    for (uint32_t i = 0; i < flow->event_count; i++) {
        const struct flow_event *lambda = &flow->events[i];
        if (lambda->kind != EVENT_LAMBDA || lambda->id == PROGRAM_NONE ||
            entry_locks_called_at_once(maker->checker, flow, lambda) != call)
            continue;
        const struct program_ids body = {&lambda->id, 1};
        const struct program_ids targets = application_targets(maker, body);
        struct reference_call reference;
        if (targets.count)
            add(maker, (struct atom){.kind = ATOM_CALL,
                                     .repeated = true,
                                     .event = number,
                                     .lambda = i,
                                     .targets = targets});
        else if (reference_find(&reference, maker->checker, flow, lambda))
            for (unsigned times = 0; times < 2; times++) /* as good as often */
                add_library_call(maker, number, &reference.call);
    }
}

/* ---- locks ---- */

static uint32_t depth_of(const struct method_flow *flow, const struct flow_event *event)
{
    const struct lock_set *set = &flow->lock_sets[event->locks];
    uint32_t depth = 0;
    for (uint32_t i = 0; i < set->count; i++)
        if (set->items[i].lock == event->object && set->items[i].mode != LOCK_GIVEN_UP)
            depth += set->items[i].depth;
    return depth;
}

static void add_lock(struct maker *maker, uint32_t number)
{
    struct method_check *check = maker->check;
    const struct flow_event *event = &check->flow->events[number];
    const bool acquires = event->kind == EVENT_ACQUIRE;
    const uint32_t depth = depth_of(check->flow, event);
    /* Taken again or not given back yet, or a lock that nobody else can know. */
    if ((event->flags & EVENT_OBJECT_FRESH) || depth > (acquires ? 0u : 1u))
        add_basic(maker, number, ATOMICITY_OF_MOVER);
    else if (acquires && lock_set_is_given_up(&check->flow->lock_sets[event->locks], event->object))
        add_basic(maker, number, ATOMICITY_OF_CMPD); /* others have come in since */
    else if (acquires && event->other == FLOW_BY_TRYING)
        add_basic(maker, number, ATOMICITY_OF_ATOMIC); /* that it failed is something others see */
    else
        add(maker, (struct atom){.kind = acquires ? ATOM_ACQUIRE : ATOM_RELEASE,
                                 .lock = name_of(check, maker->table, event->object),
                                 .event = number});
}

static void add_event(struct maker *maker, uint32_t number)
{
    const struct flow_event *event = &maker->check->flow->events[number];
    switch (event->kind) {
    case EVENT_READ:
    case EVENT_WRITE:
        add_access(maker, number);
        break;
    case EVENT_ARRAY_READ:
    case EVENT_ARRAY_WRITE:
        add_contents(maker, number, event);
        break;
    case EVENT_CALL:
        add_call(maker, number);
        add_functions(maker, number);
        break;
    case EVENT_NEW:
    case EVENT_LAMBDA:
        add_basic(maker, number, ATOMICITY_OF_MOVER);
        break;
    case EVENT_ACQUIRE:
    case EVENT_RELEASE:
        add_lock(maker, number);
        break;
    default:
        break;
    }
}

/* ---- the code ---- */

/* Events are in code order, so those of a block stand together. */
static bool divide(struct maker *maker)
{
    struct atomic_code *code = maker->code;
    const struct method_flow *flow = maker->check->flow;
    code->atoms_of =
        arena_allocate_zeroed(maker->arena, (code->blocks.count + 1u) * sizeof *code->atoms_of,
                              alignof(struct atom_block));
    if (!code->atoms_of)
        return false;
    for (uint32_t i = 0; i < code->blocks.count; i++) {
        const struct block *block = &code->blocks.blocks[i];
        struct atom_block *own = &code->atoms_of[i];
        while (own->first < code->atom_count &&
               flow->events[code->atoms[own->first].event].instruction < block->first)
            own->first++;
        own->end = own->first;
        while (own->end < code->atom_count &&
               flow->events[code->atoms[own->end].event].instruction < block->end)
            own->end++;
    }
    return true;
}

static void find_monitor(struct maker *maker)
{
    struct method_check *check = maker->check;
    const struct program *program = maker->checker->program;
    const uint16_t access = program->methods[check->method].access;
    if (!(access & ACCESS_SYNCHRONIZED))
        return;
    maker->code->monitor = access & ACCESS_STATIC
                               ? term_make(&maker->table->locks, TERM_CLASS, check->class_id, 0)
                               : term_make(&maker->table->locks, TERM_PARAMETER, 0, 0);
}

bool atomic_code_make(struct atomic_code *code, struct arena *arena, const struct checker *checker,
                      const struct atomicity_facts *facts, struct atomicity_table *table,
                      uint32_t method)
{
    memset(code, 0, sizeof *code);
    intmap_init(&code->renamed);
    struct maker maker = {.code = code,
                          .check = &code->check,
                          .checker = checker,
                          .facts = facts,
                          .table = table,
                          .arena = arena};
    if (!method_check_init(&code->check, checker, method, arena, NULL) ||
        !flow_build(&code->blocks, arena, &code->check.flow->bytecode))
        return false;
    for (uint32_t i = 0; i < code->check.flow->event_count && !maker.failed; i++)
        add_event(&maker, i);
    code->atoms = arena_copy(arena, maker.atoms.items, maker.atoms.count * sizeof *code->atoms,
                             alignof(struct atom));
    code->atom_count = (uint32_t)maker.atoms.count;
    vector_release(&maker.atoms);
    find_monitor(&maker);
    return !maker.failed && code->atoms && divide(&maker) && !arena->failed;
}

void atomic_code_release(struct atomic_code *code)
{
    intmap_release(&code->renamed);
    method_check_release(&code->check);
}

/* ---- values ---- */

struct call_place {
    struct atomic_code *code;
    struct atomicity_table *table;
    const struct atom *atom;
};

/* What the callee's parameters are here: receiver and arguments, or what was captured. */
static struct term_binding binding_at(struct atomic_code *code, const struct atom *atom)
{
    struct method_check *check = &code->check;
    const struct flow_event *event =
        &check->flow->events[atom->lambda == UINT32_MAX ? atom->event : atom->lambda];
    if (atom->lambda == UINT32_MAX)
        return method_check_call_binding(check, event);
    return (struct term_binding){.to = &check->flow->terms,
                                 .parameters = &check->flow->arguments[event->first_argument],
                                 .parameter_count = event->argument_count};
}

static term rename_lock(void *context, term lock, bool *always)
{
    const struct call_place *place = context;
    struct atomic_code *code = place->code;
    const uint64_t key = (uint64_t)(place->atom - code->atoms) << 32 | lock;
    uint64_t known;
    if (intmap_get(&code->renamed, key, &known)) {
        *always = known == UINT64_MAX;
        return *always ? (term)TERM_NONE : (term)known;
    }
    struct method_check *check = &code->check;
    const struct flow_event *event = &check->flow->events[place->atom->event];
    const struct term_binding binding = binding_at(code, place->atom);
    term here = term_substitute(&place->table->locks, lock, &binding);
    here = owners_resolve(&check->owners, &check->flow->terms, here);
    /* Nobody else can want the lock of an object that nobody else knows. */
    const bool fresh =
        here != TERM_NONE && here == event->object && (event->flags & EVENT_OBJECT_FRESH);
    *always = here != TERM_NONE && (fresh || is_held_here(check, event, here, true));
    const term name = *always ? (term)TERM_NONE : name_of(check, place->table, here);
    if (!intmap_put(&code->renamed, key, *always ? UINT64_MAX : name))
        place->table->failed = true;
    return name;
}

term atom_rename_lock(struct atomic_code *code, struct atomicity_table *table,
                      const struct atom *atom, term lock, bool *always)
{
    struct call_place place = {code, table, atom};
    return rename_lock(&place, lock, always);
}

atomicity atom_target_value(struct atomic_code *code, struct atomicity_table *table,
                            const struct atom *atom, atomicity target)
{
    struct call_place place = {code, table, atom};
    const struct atomicity_renaming renaming = {rename_lock, &place};
    return atomicity_rename(table, target, &renaming);
}

atomicity atom_value(struct atomic_code *code, struct atomicity_table *table,
                     const struct atom *atom, const atomicity *of)
{
    atomicity value = ATOMICITY_OF_CONST;
    switch ((enum atom_kind)atom->kind) {
    case ATOM_BASIC:
        return atom->held;
    case ATOM_GUARD:
        return atom->lock == TERM_NONE
                   ? atom->otherwise
                   : atomicity_conditional(table, atom->lock, atom->held, atom->otherwise);
    case ATOM_ACQUIRE:
    case ATOM_RELEASE: {
        const atomicity alone = atom->kind == ATOM_ACQUIRE ? ATOMICITY_OF_RIGHT : ATOMICITY_OF_LEFT;
        return atom->lock == TERM_NONE
                   ? alone
                   : atomicity_conditional(table, atom->lock, ATOMICITY_OF_MOVER, alone);
    }
    case ATOM_CALL:
        for (uint32_t i = 0; i < atom->targets.count; i++)
            value = atomicity_join(
                table, value, atom_target_value(code, table, atom, of[atom->targets.items[i]]));
        return atom->repeated ? atomicity_closure(table, value) : value;
    case ATOM_DECLARED:
        return atom_target_value(code, table, atom, atom->declared);
    }
    return ATOMICITY_OF_ERROR;
}

/* A block as a whole, and what an exception may leave undone of it. */
struct block_value {
    atomicity whole, part;
};

static struct block_value block_value(struct atomic_code *code, struct atomicity_table *table,
                                      const atomicity *of, uint32_t number)
{
    struct block_value value = {ATOMICITY_OF_CONST, ATOMICITY_OF_CONST};
    for (uint32_t i = code->atoms_of[number].first; i < code->atoms_of[number].end; i++) {
        value.whole =
            atomicity_sequence(table, value.whole, atom_value(code, table, &code->atoms[i], of));
        value.part = atomicity_join(table, value.part, value.whole);
    }
    return value;
}

static bool raise(struct atomicity_table *table, atomicity *state, bool *reached, atomicity by)
{
    const atomicity raised = *reached ? atomicity_join(table, *state, by) : by;
    const bool changed = !*reached || raised != *state;
    *reached = true;
    *state = raised;
    return changed;
}

atomicity atomic_code_value(struct atomic_code *code, struct atomicity_table *table,
                            const atomicity *of, struct arena *scratch)
{
    const uint32_t count = code->blocks.count;
    arena_clear(scratch);
    struct block_value *values = ARENA_ARRAY(scratch, struct block_value, count + 1u);
    atomicity *states = ARENA_ARRAY(scratch, atomicity, count + 1u);
    bool *reached = arena_allocate_zeroed(scratch, count + 1u, 1);
    atomicity result = ATOMICITY_OF_CONST;
    if (!values || !states || !reached || !count) {
        table->failed = table->failed || count > 0;
        return ATOMICITY_OF_ERROR;
    }
    for (uint32_t i = 0; i < count; i++)
        values[i] = block_value(code, table, of, i);
    reached[0] = true;
    states[0] = ATOMICITY_OF_CONST;
    bool changed = true;
    for (unsigned pass = 0; changed && pass < PASSES; pass++) {
        changed = false;
        for (uint32_t i = 0; i < count; i++) {
            const struct block *block = &code->blocks.blocks[i];
            if (!reached[i])
                continue;
            const atomicity out = atomicity_sequence(table, states[i], values[i].whole);
            const atomicity thrown = atomicity_sequence(table, states[i], values[i].part);
            /* What is undone when it ends is less than what is done. */
            result = atomicity_join(table, result, out);
            for (uint32_t k = 0; k < block->successor_count; k++)
                changed |= raise(table, &states[block->successors[k]],
                                 &reached[block->successors[k]], out);
            for (uint32_t k = 0; k < block->handler_count; k++)
                changed |=
                    raise(table, &states[block->handlers[k]], &reached[block->handlers[k]], thrown);
        }
    }
    return code->monitor == TERM_NONE ? result
                                      : atomicity_synchronized(table, code->monitor, result);
}
