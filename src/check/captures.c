#include "check/captures.h"

#include "base/vector.h"
#include "check/method_check.h"

enum {
    OUTSIDE = 1 << 30, /* numbers of owners from elsewhere: above all that a method has itself */
    MOST_ARGUMENTS = 256,
    DEPTH = 128, /* of bodies in bodies */
    ROUNDS = 8   /* when local classes make each other */
};

/* One place where a function or an object is made that captures. */
struct site {
    uint32_t maker, event;
    uint32_t next; /* of the same body, plus 1 */
};

struct search {
    struct captures *captures;
    const struct checker *checker;
    struct arena scratch;
    VECTOR(struct site) sites;
    struct intmap first; /* by body_key: the first site, plus 1 */
    uint8_t *states;     /* by method: enum state */
    bool cyclic, changed, failed;
};

enum state { NOT_SEEN, IN_PROGRESS, DONE };

/* ---- numbers ---- */

enum numbered { FORMAL_OF_CLASS, FORMAL_OF_METHOD, TERM_OF_METHOD, PART_OF_FIELD };

/* The number of something that is told apart from all else, but has no name. */
static uint32_t number_of(struct search *search, enum numbered what, uint32_t whose, uint32_t which)
{
    bool added;
    struct intmap *numbers = &search->captures->numbers;
    const uint64_t key = (uint64_t)what << 62 | (uint64_t)(whose & 0x3FFFFFFFu) << 32 | which;
    const uint64_t *number = intmap_find_or_add(numbers, key, numbers->count, &added);
    if (!number)
        search->failed = true;
    return OUTSIDE + (number ? (uint32_t)*number : 0);
}

/* A lock that is not known, and never `self`: nothing qualifies it. */
static term nameless(struct search *search, enum numbered what, uint32_t whose, uint32_t which)
{
    return term_make(&search->captures->terms, TERM_GHOST, number_of(search, what, whose, which),
                     TERM_NONE);
}

/* ---- owners in other words ---- */

/* One maker's owners on the way to a body. */
struct saying {
    struct search *search;
    const struct term_table *from;
    uint32_t maker, maker_class;
    const term *arguments; /* what the body's parameters are in the maker */
    uint32_t count;
    bool same_class; /* formals of the class mean the same */
    bool later;      /* another thread may run the body */
};

static term say_formal(const struct saying *saying, term owner)
{
    struct term_table *to = &saying->search->captures->terms;
    const struct term_content content = term_content(saying->from, owner);
    const bool of_class = content.kind != TERM_METHOD_FORMAL;
    term qualifier = TERM_NONE;
    if (content.kind != TERM_GHOST && content.b != TERM_NONE) {
        qualifier = entry_locks_translate(saying->from, content.b, saying->arguments, saying->count,
                                          saying->same_class, to);
        if (qualifier == TERM_NONE)
            return nameless(saying->search, TERM_OF_METHOD, saying->maker, owner);
    }
    if (content.a >= OUTSIDE || (of_class && saying->same_class))
        return term_make(to, (enum term_kind)content.kind, content.a, qualifier);
    if (content.kind == TERM_GHOST)
        return nameless(saying->search, FORMAL_OF_CLASS, saying->maker_class, content.a);
    return term_make(
        to, TERM_METHOD_FORMAL,
        of_class ? number_of(saying->search, FORMAL_OF_CLASS, saying->maker_class, content.a)
                 : number_of(saying->search, FORMAL_OF_METHOD, saying->maker, content.a),
        qualifier);
}

static term say_owner(const struct saying *saying, term owner)
{
    struct term_table *to = &saying->search->captures->terms;
    term said;
    switch (term_kind(saying->from, owner)) {
    case TERM_SELF:
    case TERM_READONLY:
    case TERM_OTHER_THREAD:
        return term_make(to, term_kind(saying->from, owner), 0, 0);
    case TERM_THIS_THREAD:
        return term_make(to, saying->later ? TERM_OTHER_THREAD : TERM_THIS_THREAD, 0, 0);
    case TERM_UNIQUE:
        /* A body may run more than once, and two threads may run it: what it captures is not its
           own to hand over. */
        return saying->later ? nameless(saying->search, TERM_OF_METHOD, saying->maker, owner)
                             : term_make(to, TERM_THIS_THREAD, 0, 0);
    case TERM_FORMAL:
    case TERM_GHOST:
    case TERM_METHOD_FORMAL:
        return say_formal(saying, owner);
    default:
        said = entry_locks_translate(saying->from, owner, saying->arguments, saying->count,
                                     saying->same_class, to);
        return said == TERM_NONE ? nameless(saying->search, TERM_OF_METHOD, saying->maker, owner)
                                 : said;
    }
}

static struct term_list say_list(const struct saying *saying, struct term_list owners)
{
    term *items = ARENA_ARRAY(&saying->search->captures->arena, term, (size_t)owners.count + 1);
    if (!items) {
        saying->search->failed = true;
        return (struct term_list){0};
    }
    for (uint32_t i = 0; i < owners.count; i++)
        items[i] = say_owner(saying, owners.items[i]);
    return (struct term_list){items, owners.count};
}

/* The term with other terms for parameters; NULL: they stand for themselves. */
static term reword(const struct term_table *from, term number, const term *names, uint32_t count,
                   struct term_table *to)
{
    const struct term_content content = term_content(from, number);
    term inner;
    switch ((enum term_kind)content.kind) {
    case TERM_PARAMETER:
        if (names)
            return content.a < count ? names[content.a] : (term)TERM_NONE;
        break;
    case TERM_FIELD:
    case TERM_VARYING:
    case TERM_READ_VIEW:
    case TERM_WRITE_VIEW:
        inner = reword(from, content.a, names, count, to);
        return inner == TERM_NONE && content.a != TERM_NONE
                   ? TERM_NONE
                   : term_make(to, (enum term_kind)content.kind, inner, content.b);
    case TERM_FORMAL:
    case TERM_METHOD_FORMAL:
        inner = reword(from, content.b, names, count, to);
        return inner == TERM_NONE && content.b != TERM_NONE
                   ? TERM_NONE
                   : term_make(to, (enum term_kind)content.kind, content.a, inner);
    default:
        break;
    }
    return term_make(to, (enum term_kind)content.kind, content.a, content.b);
}

/* ---- what is found ---- */

static bool is_equal(const struct captured *one, const struct captured *other)
{
    if (one->owners.count != other->owners.count || one->declared != other->declared)
        return false;
    for (uint32_t i = 0; i < one->owners.count; i++)
        if (one->owners.items[i] != other->owners.items[i])
            return false;
    return true;
}

static void record(struct search *search, struct intmap *map, uint64_t key,
                   const struct captured *found)
{
    struct captures *captures = search->captures;
    uint64_t value;
    if (intmap_get(map, key, &value)) {
        struct captured *known = (struct captured *)(uintptr_t)value;
        if (!known->disputed && !is_equal(known, found)) {
            known->disputed = true;
            search->changed = true;
        }
        return;
    }
    struct captured *kept = ARENA_NEW(&captures->arena, struct captured);
    if (!kept || !intmap_put(map, key, (uint64_t)(uintptr_t)kept)) {
        search->failed = true;
        return;
    }
    *kept = *found;
    kept->next = captures->all;
    captures->all = kept;
}

static uint64_t parameter_key(uint32_t method, uint32_t number)
{
    return (uint64_t)method << 32 | number;
}

static uint64_t field_key(uint32_t field, bool constructing)
{
    return (uint64_t)constructing << 32 | field;
}

/* ---- outer instances ---- */

static bool is_outer_instance(const struct program *program, uint32_t field)
{
    return (program->fields[field].access & ACCESS_SYNTHETIC) &&
           text_starts_with(program_field_name(program, field), TEXT("this$"));
}

static void record_outer_instance(struct search *search, uint32_t field)
{
    const struct checker *checker = search->checker;
    const uint32_t class_id =
        owners_class_of(checker->program, program_field_descriptor(checker->program, field));
    if (class_id == PROGRAM_NONE)
        return;
    const struct class_locks *locks = lock_types_class(checker->types, class_id);
    term *items = ARENA_ARRAY(&search->captures->arena, term, (size_t)locks->formal_count + 1);
    if (!items) {
        search->failed = true;
        return;
    }
    for (uint32_t i = 0; i < locks->formal_count; i++)
        items[i] = locks->ghosts && locks->ghosts[i]
                       ? nameless(search, FORMAL_OF_CLASS, class_id, i)
                       : term_make(&search->captures->terms, TERM_METHOD_FORMAL,
                                   number_of(search, FORMAL_OF_CLASS, class_id, i), TERM_NONE);
    const struct captured found = {.owners = {items, locks->formal_count}};
    record(search, &search->captures->by_field, field_key(field, false), &found);
    record(search, &search->captures->by_field, field_key(field, true), &found);
}

static void record_outer_instances(struct search *search)
{
    const struct program *program = search->checker->program;
    for (uint32_t field = 0; field < program->application_field_count; field++)
        if (is_outer_instance(program, field))
            record_outer_instance(search, field);
}

/* ---- one place ---- */

/* The compiler's field where the constructor keeps what it is given; PROGRAM_NONE: none. */
static uint32_t stored_in(const struct search *search, const struct method_flow *constructor,
                          uint32_t parameter)
{
    const struct program *program = search->checker->program;
    for (uint32_t i = 0; constructor && i < constructor->event_count; i++) {
        const struct flow_event *event = &constructor->events[i];
        if (event->kind != EVENT_WRITE || event->id >= program->application_field_count ||
            !(program->fields[event->id].access & ACCESS_SYNTHETIC))
            continue;
        const struct term_content object = term_content(&constructor->terms, event->object);
        const struct term_content value = term_content(&constructor->terms, event->value);
        if (object.kind == TERM_PARAMETER && object.a == 0 && value.kind == TERM_PARAMETER &&
            value.a == parameter)
            return event->id;
    }
    return PROGRAM_NONE;
}

/* How the object's own methods call what the constructor was given; TERM_NONE: not at all. */
static void name_by_fields(struct search *search, uint32_t constructor, term *names, uint32_t count)
{
    struct term_table *terms = &search->captures->terms;
    names[0] = term_make(terms, TERM_PARAMETER, 0, 0);
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t field = stored_in(search, search->checker->flows[constructor], i);
        names[i] =
            field == PROGRAM_NONE ? (term)TERM_NONE : term_make(terms, TERM_FIELD, names[0], field);
    }
}

static void record_field(struct search *search, uint32_t field, bool constructing,
                         struct captured found, const term *names, uint32_t count)
{
    struct captures *captures = search->captures;
    term *items = ARENA_ARRAY(&captures->arena, term, (size_t)found.owners.count + 1);
    if (!items) {
        search->failed = true;
        return;
    }
    for (uint32_t i = 0; i < found.owners.count; i++) {
        items[i] = reword(&captures->terms, found.owners.items[i], names, count, &captures->terms);
        if (items[i] == TERM_NONE)
            items[i] = nameless(search, PART_OF_FIELD, field, i);
    }
    found.owners.items = items;
    record(search, &captures->by_field, field_key(field, constructing), &found);
}

/* An object of a local class is free to be run by any thread, unless the class is thread-local. */
static bool may_move(const struct checker *checker, uint32_t class_id)
{
    return lock_types_nature(checker->types, class_id) != NATURE_THREAD_LOCAL;
}

/* What the body's parameters are in the maker. */
static uint32_t list_arguments(const struct method_flow *flow, const struct flow_event *event,
                               term *to)
{
    uint32_t count = 0;
    if (event->kind == EVENT_CALL)
        to[count++] = event->object;
    for (uint32_t i = 0; i < event->argument_count && count < MOST_ARGUMENTS; i++)
        to[count++] = flow->arguments[event->first_argument + i];
    return count;
}

static void record_argument(struct saying *saying, struct method_check *check, uint32_t target,
                            uint32_t number, const term *names)
{
    struct search *search = saying->search;
    const struct program *program = search->checker->program;
    const struct method_locks *locks = lock_types_method(search->checker->types, target);
    const uint32_t receiver = !(program->methods[target].access & ACCESS_STATIC);
    const term value = saying->arguments[number];
    if (number < receiver || method_check_is_null(check, value) ||
        (locks->parameter_owners && locks->parameter_owners[number].count))
        return;
    const struct term_list owners =
        owners_of(check, value, owners_parameter_class(program, target, number - receiver));
    struct captured found = {.owners = say_list(saying, owners),
                             .declared = owners_is_declared(&check->owners, value)};
    record(search, &search->captures->by_parameter, parameter_key(target, number), &found);
    /* Constructors run at once, what they store is used later. */
    if (!names || term_kind(&search->captures->terms, names[number]) != TERM_FIELD)
        return;
    const uint32_t field = term_content(&search->captures->terms, names[number]).b;
    if (is_outer_instance(program, field))
        return;
    record_field(search, field, true, found, names, saying->count);
    saying->later = may_move(search->checker, program->methods[target].class_id);
    found.owners = say_list(saying, owners);
    saying->later = false;
    record_field(search, field, false, found, names, saying->count);
}

static void record_site(struct search *search, struct method_check *check,
                        const struct flow_event *event)
{
    const struct checker *checker = search->checker;
    const uint32_t target = event->id;
    const uint32_t parameters = lock_types_parameter_count(checker->program, target);
    const bool makes_object = event->kind == EVENT_CALL;
    const bool is_static = checker->program->methods[target].access & ACCESS_STATIC;
    const term self = check->flow->is_static ? (term)TERM_NONE
                                             : term_make(&check->flow->terms, TERM_PARAMETER, 0, 0);
    term arguments[MOST_ARGUMENTS + 1], names[MOST_ARGUMENTS + 1];
    uint32_t count = list_arguments(check->flow, event, arguments);
    count = count < parameters ? count : parameters;
    struct saying saying = {
        .search = search,
        .from = &check->flow->terms,
        .maker = check->method,
        .maker_class = check->class_id,
        .arguments = arguments,
        .count = count,
        .same_class = checker->program->methods[target].class_id == check->class_id &&
                      (is_static || (count && arguments[0] == self)),
        .later = !makes_object && !entry_locks_called_at_once(checker, check->flow, event)};
    if (makes_object && count)
        name_by_fields(search, target, names, count);
    for (uint32_t i = 0; i < count && !search->failed; i++)
        record_argument(&saying, check, target, i, makes_object ? names : NULL);
}

/* ---- all places ---- */

/* The class by whose name that one's begins, without its last part; PROGRAM_NONE if there is none.
 */
static uint32_t class_around(const struct program *program, uint32_t class_id)
{
    const struct text name = program->classes[class_id].name;
    const ptrdiff_t end = text_find_last(name, '$');
    return end <= 0 ? PROGRAM_NONE : program_find_class(program, text_slice(name, 0, (size_t)end));
}

/* A local or anonymous class, or one inside such: compilers since Java 18 let that keep captured
   variables itself where it would need its outer object for nothing else. */
static bool is_local_class(const struct program *program, uint32_t class_id)
{
    for (; class_id != PROGRAM_NONE; class_id = class_around(program, class_id)) {
        const struct class_file *class_file = program->classes[class_id].class_file;
        if (class_file && attributes_find(&class_file->attributes, ATTRIBUTE_ENCLOSING_METHOD))
            return true;
    }
    return false;
}

/* Does the event make something that captures? `key` is of the body: the method of a lambda, or the
   class. */
static bool makes_body(const struct program *program, const struct flow_event *event, uint64_t *key)
{
    if ((event->kind != EVENT_LAMBDA && event->kind != EVENT_CALL) || event->id == PROGRAM_NONE ||
        !program_is_application_method(program, event->id))
        return false;
    if (event->kind == EVENT_LAMBDA) {
        *key = event->id;
        return program->methods[event->id].access & ACCESS_SYNTHETIC;
    }
    *key = UINT64_C(1) << 32 | program->methods[event->id].class_id;
    return text_is(program_method_name(program, event->id), "<init>") &&
           is_local_class(program, program->methods[event->id].class_id);
}

static void add_site(struct search *search, uint32_t maker, uint32_t event, uint64_t key)
{
    struct site site = {.maker = maker, .event = event};
    uint64_t first;
    if (intmap_get(&search->first, key, &first))
        site.next = (uint32_t)first;
    if (!vector_push(&search->sites, site) || !intmap_put(&search->first, key, search->sites.count))
        search->failed = true;
}

static void collect_sites(struct search *search)
{
    const struct checker *checker = search->checker;
    for (uint32_t method = 0; method < checker->program->application_method_count; method++) {
        const struct method_flow *flow = checker->flows[method];
        uint64_t key;
        for (uint32_t i = 0; flow && i < flow->event_count && !search->failed; i++)
            if (makes_body(checker->program, &flow->events[i], &key))
                add_site(search, method, i, key);
    }
}

/* The flow with terms of its own, which have the same numbers. */
static bool copy_flow(const struct method_flow *flow, struct arena *arena, struct method_flow *copy)
{
    *copy = *flow;
    if (!term_table_init(&copy->terms, arena))
        return false;
    for (uint32_t i = 1; i < flow->terms.count; i++) {
        const struct term_content content = term_content(&flow->terms, i);
        if (term_make(&copy->terms, (enum term_kind)content.kind, content.a, content.b) != i)
            return false;
    }
    return true;
}

/* What all bodies that the method makes capture. */
static void look_at(struct search *search, uint32_t maker)
{
    struct method_flow flow = {0};
    struct method_check check;
    uint64_t key;
    arena_clear(&search->scratch);
    if (!copy_flow(search->checker->flows[maker], &search->scratch, &flow)) {
        search->failed = true;
    } else {
        if (!method_check_init_flow(&check, search->checker, &flow, &search->scratch, NULL))
            search->failed = true;
        for (uint32_t i = 0; i < flow.event_count && !search->failed; i++)
            if (makes_body(search->checker->program, &flow.events[i], &key))
                record_site(search, &check, &flow.events[i]);
        method_check_release(&check);
    }
    term_table_release(&flow.terms);
}

static void visit(struct search *search, uint32_t maker, unsigned depth);

static void visit_makers(struct search *search, uint64_t key, unsigned depth)
{
    uint64_t number;
    if (!intmap_get(&search->first, key, &number))
        return;
    for (; number && !search->failed; number = search->sites.items[number - 1].next)
        visit(search, search->sites.items[number - 1].maker, depth + 1);
}

/* What a method captures itself comes before what the bodies in it capture: as body of a lambda,
   and in fields of its class and of those around it. */
static void visit(struct search *search, uint32_t maker, unsigned depth)
{
    const struct program *program = search->checker->program;
    if (search->states[maker] == DONE)
        return;
    if (search->states[maker] == IN_PROGRESS || depth == DEPTH) {
        search->cyclic = true;
        return;
    }
    search->states[maker] = IN_PROGRESS;
    visit_makers(search, maker, depth);
    struct text name = program_class_of_method(program, maker)->name;
    for (;;) {
        const uint32_t class_id = program_find_class(program, name);
        if (class_id != PROGRAM_NONE)
            visit_makers(search, UINT64_C(1) << 32 | class_id, depth);
        const ptrdiff_t end = text_find_last(name, '$');
        if (end <= 0)
            break;
        name = text_slice(name, 0, (size_t)end);
    }
    if (!search->failed)
        look_at(search, maker);
    search->states[maker] = DONE;
}

/* Where bodies make each other, the first answer was got before all was known: it must hold when
   looked at again. */
static void confirm(struct search *search)
{
    search->changed = search->cyclic;
    for (unsigned round = 0; round < ROUNDS && search->changed && !search->failed; round++) {
        uint32_t last = PROGRAM_NONE;
        search->changed = false;
        for (size_t i = 0; i < search->sites.count && !search->failed; i++) {
            const uint32_t maker = search->sites.items[i].maker;
            if (maker != last)
                look_at(search, maker);
            last = maker;
        }
    }
    for (struct captured *each = search->captures->all; search->changed && each; each = each->next)
        each->disputed = true;
}

bool captures_find(struct captures *captures, const struct checker *checker,
                   struct problem *problem)
{
    struct search search = {.captures = captures, .checker = checker};
    arena_init(&captures->arena);
    arena_init(&search.scratch);
    search.states =
        arena_allocate_zeroed(&captures->arena, checker->program->application_method_count + 1u, 1);
    search.failed = !search.states || !term_table_init(&captures->terms, &captures->arena);
    if (!search.failed) {
        record_outer_instances(&search);
        collect_sites(&search);
    }
    for (size_t i = 0; i < search.sites.count && !search.failed; i++)
        visit(&search, search.sites.items[i].maker, 0);
    if (!search.failed)
        confirm(&search);
    search.failed =
        search.failed || captures->terms.failed || captures->arena.failed || search.scratch.failed;
    vector_release(&search.sites);
    intmap_release(&search.first);
    arena_release(&search.scratch);
    if (search.failed)
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    return !search.failed;
}

void captures_release(struct captures *captures)
{
    intmap_release(&captures->by_parameter);
    intmap_release(&captures->by_field);
    intmap_release(&captures->numbers);
    term_table_release(&captures->terms);
    arena_release(&captures->arena);
}

/* ---- queries ---- */

static const struct captured *known(const struct intmap *map, uint64_t key)
{
    uint64_t value;
    if (!intmap_get(map, key, &value))
        return NULL;
    const struct captured *found = (const struct captured *)(uintptr_t)value;
    return found->disputed || !found->owners.count ? NULL : found;
}

const struct captured *captures_parameter(const struct captures *captures, uint32_t method,
                                          uint32_t number)
{
    return known(&captures->by_parameter, parameter_key(method, number));
}

const struct captured *captures_field(const struct captures *captures, uint32_t field,
                                      bool constructing)
{
    return known(&captures->by_field, field_key(field, constructing));
}

struct term_list captures_bring(const struct captures *captures, const struct captured *captured,
                                term object, struct term_table *to, struct arena *arena)
{
    const uint32_t count = captured->owners.count;
    term *items = ARENA_ARRAY(arena, term, (size_t)count + 1);
    if (!items)
        return (struct term_list){0};
    for (uint32_t i = 0; i < count; i++)
        items[i] = reword(&captures->terms, captured->owners.items[i],
                          object == TERM_NONE ? NULL : &object, 1, to);
    return (struct term_list){items, count};
}
