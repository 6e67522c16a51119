#include "program/resolve.h"

#include "program/hierarchy.h"

static struct resolution found(uint32_t id)
{
    return (struct resolution){RESOLVE_FOUND, id};
}

static struct resolution not_found(const struct program *program, uint32_t class_id)
{
    bool missing = class_id == PROGRAM_NONE || program->classes[class_id].incomplete;
    return (struct resolution){missing ? RESOLVE_MISSING_CLASS : RESOLVE_NO_SUCH_MEMBER,
                               PROGRAM_NONE};
}

/* ---- fields ---- */

/* How far the search of interfaces may go for a field that several declare, before it settles for
   any of them. */
enum { MOST_FIELD_STEPS = 10000 };

static uint32_t any_interface_field(const struct program *program, uint32_t class_id,
                                    uint32_t selector, uint32_t *steps)
{
    struct declarers_walk walk =
        declarers_walk(program, &program->field_declarers, class_id, selector);
    uint32_t field = declarers_next(&walk);
    *steps += walk.steps;
    return field;
}

/* Superinterfaces of this class alone, not of its superclasses, depth first, as declared: the order
   decides when several declare the field. It goes only where there is one, so it never turns back.
 */
static uint32_t first_interface_field(const struct program *program, uint32_t class_id,
                                      uint32_t selector, uint32_t *steps)
{
    struct program_ids interfaces = program->classes[class_id].interfaces;
    for (uint32_t i = 0; i < interfaces.count && ++*steps <= MOST_FIELD_STEPS;) {
        uint32_t interface = interfaces.items[i++];
        uint32_t field = program_declared_field(program, interface, selector);
        if (field != PROGRAM_NONE)
            return field;
        if (any_interface_field(program, interface, selector, steps) != PROGRAM_NONE) {
            interfaces = program->classes[interface].interfaces;
            i = 0;
        }
    }
    return PROGRAM_NONE;
}

struct resolution resolve_field(const struct program *program, uint32_t class_id, uint32_t selector)
{
    uint32_t steps = 0;
    uint32_t inherited = declarers_nearest(program, &program->field_declarers, class_id, selector);
    uint32_t end = inherited == PROGRAM_NONE ? PROGRAM_NONE : program->fields[inherited].class_id;
    uint32_t any = any_interface_field(program, class_id, selector, &steps);
    /* What interfaces declare counts before what superclasses behind them do. */
    for (uint32_t id = class_id; any != PROGRAM_NONE && id != end && ++steps <= MOST_FIELD_STEPS;
         id = program->classes[id].superclass) {
        uint32_t field = first_interface_field(program, id, selector, &steps);
        if (field != PROGRAM_NONE)
            return found(field);
    }
    if (inherited != PROGRAM_NONE)
        return found(inherited);
    return any != PROGRAM_NONE ? found(any) : not_found(program, class_id);
}

/* ---- methods of superinterfaces ---- */

static bool is_inherited_by_interface(const struct program *program, uint32_t method)
{
    return !(program->methods[method].access & (ACCESS_PRIVATE | ACCESS_STATIC));
}

/* The maximally-specific methods: those that no other superinterface of the class declares closer.
   Of more than fit, and behind very many steps, nothing is known. */
enum { MOST_SPECIFIC = 64, MOST_METHOD_STEPS = 10000 };

struct specific_methods {
    uint32_t items[MOST_SPECIFIC]; /* by class */
    uint32_t count;
    uint32_t steps;
    bool undecided;
};

/* None of those that are there overrides another. */
static void add_specific(const struct program *program, struct specific_methods *specific,
                         uint32_t method)
{
    uint32_t interface = program->methods[method].class_id;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < specific->count; i++) {
        uint32_t other = program->methods[specific->items[i]].class_id;
        specific->steps++;
        if (hierarchy_is_subtype(program, other, interface))
            return;
        if (!hierarchy_is_subtype(program, interface, other))
            specific->items[kept++] = specific->items[i];
    }
    specific->count = kept;
    if (kept < MOST_SPECIFIC)
        specific->items[specific->count++] = method;
    else
        specific->undecided = true;
}

static void find_specific(const struct program *program, uint32_t class_id, uint32_t selector,
                          struct specific_methods *specific)
{
    struct declarers_walk walk =
        declarers_walk(program, &program->method_declarers, class_id, selector);
    specific->count = specific->steps = 0;
    specific->undecided = false;
    for (uint32_t method; (method = declarers_next(&walk)) != PROGRAM_NONE;) {
        if (is_inherited_by_interface(program, method))
            add_specific(program, specific, method);
        if (walk.steps + specific->steps > MOST_METHOD_STEPS) {
            specific->undecided = true;
            break;
        }
    }
    specific->steps += walk.steps;
}

/* The only one that is not abstract. */
static uint32_t only_default(const struct program *program, const struct specific_methods *specific)
{
    uint32_t only = PROGRAM_NONE;
    for (uint32_t i = 0; i < specific->count; i++) {
        uint32_t method = specific->items[i];
        if (program->methods[method].access & ACCESS_ABSTRACT)
            continue;
        if (only != PROGRAM_NONE)
            return PROGRAM_NONE;
        only = method;
    }
    return only;
}

uint32_t resolve_default(const struct program *program, uint32_t class_id, uint32_t selector)
{
    struct specific_methods specific;
    find_specific(program, class_id, selector, &specific);
    return only_default(program, &specific);
}

static struct resolution resolve_in_superinterfaces(const struct program *program,
                                                    uint32_t class_id, uint32_t selector)
{
    struct specific_methods specific;
    find_specific(program, class_id, selector, &specific);
    uint32_t method = only_default(program, &specific);
    if (method != PROGRAM_NONE)
        return found(method);
    /* Without one the specification leaves the choice open. */
    return specific.count ? found(specific.items[0]) : not_found(program, class_id);
}

/* ---- methods ---- */

static uint32_t inherited_method(const struct program *program, uint32_t class_id,
                                 uint32_t selector)
{
    return declarers_nearest(program, &program->method_declarers, class_id, selector);
}

/* The next one of the same selector on the way up. */
static uint32_t method_above(const struct program *program, uint32_t method)
{
    const struct program_member *member = &program->methods[method];
    return inherited_method(program, program->classes[member->class_id].superclass,
                            member->selector);
}

/* JVMS 2.9.3: native, variable arity, one Object[] parameter, the only one of its name. */
static uint32_t signature_polymorphic(const struct program *program, uint32_t class_id,
                                      struct text name)
{
    const struct program_class *class = &program->classes[class_id];
    if (!text_is(class->name, "java/lang/invoke/MethodHandle") &&
        !text_is(class->name, "java/lang/invoke/VarHandle"))
        return PROGRAM_NONE;
    uint32_t only = PROGRAM_NONE;
    for (uint32_t i = 0; i < class->method_count; i++) {
        uint32_t method = class->first_method + i;
        if (!text_equal(program_method_name(program, method), name))
            continue;
        if (only != PROGRAM_NONE)
            return PROGRAM_NONE;
        only = method;
    }
    const uint16_t flags = ACCESS_NATIVE | ACCESS_VARARGS;
    if (only == PROGRAM_NONE || (program->methods[only].access & flags) != flags ||
        !text_starts_with(program_method_descriptor(program, only), TEXT("([Ljava/lang/Object;)")))
        return PROGRAM_NONE;
    return only;
}

struct resolution resolve_class_method(const struct program *program, uint32_t class_id,
                                       uint32_t selector, struct text name)
{
    if (class_id == PROGRAM_NONE)
        return not_found(program, class_id);
    if (program->classes[class_id].access & ACCESS_INTERFACE)
        return (struct resolution){RESOLVE_WRONG_KIND, PROGRAM_NONE};
    uint32_t method = inherited_method(program, class_id, selector);
    if (method != PROGRAM_NONE)
        return found(method);
    uint32_t polymorphic = signature_polymorphic(program, class_id, name);
    if (polymorphic != PROGRAM_NONE)
        return found(polymorphic);
    return resolve_in_superinterfaces(program, class_id, selector);
}

struct resolution resolve_interface_method(const struct program *program, uint32_t class_id,
                                           uint32_t selector)
{
    if (class_id == PROGRAM_NONE || program->classes[class_id].missing)
        return not_found(program, class_id);
    if (!(program->classes[class_id].access & ACCESS_INTERFACE))
        return (struct resolution){RESOLVE_WRONG_KIND, PROGRAM_NONE};
    uint32_t method = program_declared_method(program, class_id, selector);
    if (method != PROGRAM_NONE)
        return found(method);
    method = program_declared_method(program, program->object, selector);
    if (method != PROGRAM_NONE && program->methods[method].access & ACCESS_PUBLIC &&
        !(program->methods[method].access & ACCESS_STATIC))
        return found(method);
    return resolve_in_superinterfaces(program, class_id, selector);
}

/* ---- constants ---- */

uint32_t resolve_owner(const struct program *program, const struct class_file *class_file,
                       uint16_t index)
{
    return program_find_class(program,
                              class_name_at(class_file, class_file->constants[index].first));
}

struct resolution resolve_field_constant(const struct program *program,
                                         const struct class_file *class_file, uint16_t index)
{
    struct member_reference reference = class_member_reference(class_file, index);
    uint32_t owner = program_find_class(program, reference.owner);
    return resolve_field(program, owner,
                         program_find_selector(program, reference.name, reference.descriptor));
}

struct resolution resolve_method_constant(const struct program *program,
                                          const struct class_file *class_file, uint16_t index)
{
    struct member_reference reference = class_member_reference(class_file, index);
    uint32_t owner = program_find_class(program, reference.owner);
    uint32_t selector = program_find_selector(program, reference.name, reference.descriptor);
    if (reference.interface)
        return resolve_interface_method(program, owner, selector);
    return resolve_class_method(program, owner, selector, reference.name);
}

/* ---- selection ---- */

/*
 * A package-private method is overridden from another package only by way of a class in between
 * that overrides it with a wider method. Walking down from `overridden` to `method`, we keep what
 * the methods that override it so far allow: everybody, or the packages they are in.
 */
enum { MOST_PACKAGES = 32 };

struct override_state {
    uint32_t packages[MOST_PACKAGES]; /* a class of each */
    unsigned package_count;
    bool open;
};

static bool overrides_one(const struct program *program, const struct override_state *state,
                          uint32_t class_id)
{
    for (unsigned i = 0; i < state->package_count; i++)
        if (program_same_package(program, state->packages[i], class_id))
            return true;
    return state->open;
}

static void admit(struct override_state *state, const struct program_member *method)
{
    if (method->access & (ACCESS_PUBLIC | ACCESS_PROTECTED))
        state->open = true;
    else if (state->package_count < MOST_PACKAGES)
        state->packages[state->package_count++] = method->class_id;
}

/* More than 256 methods on the way, or 32 packages, are not looked at. */
static bool between_overrides(const struct program *program, uint32_t method, uint32_t overridden,
                              uint32_t *steps)
{
    const struct program_member *bottom = &program->methods[method];
    const struct program_member *top = &program->methods[overridden];
    uint32_t chain[256];
    unsigned count = 0;
    for (uint32_t id = method_above(program, method);
         id != PROGRAM_NONE && program->methods[id].class_id != top->class_id &&
         count < sizeof chain / sizeof *chain;
         id = method_above(program, id)) {
        ++*steps;
        if (!(program->methods[id].access & (ACCESS_PRIVATE | ACCESS_STATIC)))
            chain[count++] = id;
    }
    struct override_state state = {.package_count = 0};
    admit(&state, top);
    while (count-- > 0)
        if (overrides_one(program, &state, program->methods[chain[count]].class_id))
            admit(&state, &program->methods[chain[count]]);
    return overrides_one(program, &state, bottom->class_id);
}

/* Whether a call of `overridden` can be answered by `method`, declared in a subclass (5.4.5). */
static bool can_override(const struct program *program, uint32_t method, uint32_t overridden,
                         uint32_t *steps)
{
    const struct program_member *bottom = &program->methods[method];
    const struct program_member *top = &program->methods[overridden];
    if (method == overridden)
        return true;
    if (bottom->selector != top->selector ||
        (bottom->access | top->access) & (ACCESS_PRIVATE | ACCESS_STATIC))
        return false;
    if (top->access & (ACCESS_PUBLIC | ACCESS_PROTECTED))
        return true;
    if (program_same_package(program, bottom->class_id, top->class_id))
        return true;
    return between_overrides(program, method, overridden, steps);
}

struct selection resolve_selection(const struct program *program, uint32_t receiver,
                                   uint32_t method)
{
    const struct program_member *resolved = &program->methods[method];
    struct selection selection = {.method = method};
    if (resolved->access & (ACCESS_PRIVATE | ACCESS_STATIC))
        return selection;
    for (uint32_t id = inherited_method(program, receiver, resolved->selector); id != PROGRAM_NONE;
         id = method_above(program, id)) {
        selection.steps++;
        if (can_override(program, id, method, &selection.steps)) {
            selection.method = id;
            return selection;
        }
    }
    struct specific_methods specific;
    find_specific(program, receiver, resolved->selector, &specific);
    selection.method = only_default(program, &specific);
    selection.steps += specific.steps;
    selection.undecided = specific.undecided;
    return selection;
}

uint32_t resolve_select(const struct program *program, uint32_t receiver, uint32_t method)
{
    return resolve_selection(program, receiver, method).method;
}

uint32_t resolve_special(const struct program *program, uint32_t caller, uint32_t owner,
                         uint32_t method)
{
    const struct program_member *resolved = &program->methods[method];
    if (text_is(program_selector_name(program, resolved->selector), "<init>"))
        return method;
    uint32_t start = owner;
    /* JVMS 4.1: ACC_SUPER counts as set in every class file. */
    if (owner != caller && !(program->classes[owner].access & ACCESS_INTERFACE) &&
        hierarchy_is_subclass(program, caller, owner))
        start = program->classes[caller].superclass;
    if (start == PROGRAM_NONE)
        return method;
    for (uint32_t id = inherited_method(program, start, resolved->selector); id != PROGRAM_NONE;
         id = method_above(program, id)) {
        const struct program_member *declared = &program->methods[id];
        if (!(declared->access & ACCESS_STATIC) &&
            (declared->class_id != program->object ||
             !(program->classes[start].access & ACCESS_INTERFACE) ||
             declared->access & ACCESS_PUBLIC))
            return id;
        /* An interface's superclass is java/lang/Object, which is next, as it should be. */
    }
    return resolve_default(program, start, resolved->selector);
}
