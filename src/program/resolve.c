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

/* How far the search of interfaces for an ambiguous field may go before it settles for any. */
enum { DEEPEST_INTERFACE = 200, MOST_INTERFACE_STEPS = 10000 };

/* Superinterfaces depth first, as declared: the order decides when several declare the field. */
static uint32_t first_interface_field(const struct program *program, uint32_t class_id,
                                      uint32_t selector, unsigned depth, unsigned *steps)
{
    struct program_ids interfaces = program->classes[class_id].interfaces;
    for (uint32_t i = 0; i < interfaces.count; i++) {
        if (depth > DEEPEST_INTERFACE || ++*steps > MOST_INTERFACE_STEPS)
            return PROGRAM_NONE;
        uint32_t field = program_declared_field(program, interfaces.items[i], selector);
        if (field == PROGRAM_NONE)
            field = first_interface_field(program, interfaces.items[i], selector, depth + 1, steps);
        if (field != PROGRAM_NONE)
            return field;
    }
    return PROGRAM_NONE;
}

/* A field of the superinterfaces of this class alone, not of its superclasses. */
static uint32_t interface_field(const struct program *program, uint32_t class_id, uint32_t selector)
{
    const struct program_class *class = &program->classes[class_id];
    if (class->interfaces.count == 0)
        return PROGRAM_NONE;
    uint32_t any = PROGRAM_NONE;
    for (uint32_t i = 0; i < class->all_interfaces.count && any == PROGRAM_NONE; i++)
        any = program_declared_field(program, class->all_interfaces.items[i], selector);
    if (any == PROGRAM_NONE)
        return PROGRAM_NONE;
    unsigned steps = 0;
    uint32_t first = first_interface_field(program, class_id, selector, 0, &steps);
    return first != PROGRAM_NONE || steps <= MOST_INTERFACE_STEPS ? first : any;
}

struct resolution resolve_field(const struct program *program, uint32_t class_id, uint32_t selector)
{
    for (uint32_t id = class_id; id != PROGRAM_NONE; id = program->classes[id].superclass) {
        uint32_t field = program_declared_field(program, id, selector);
        if (field == PROGRAM_NONE && selector != PROGRAM_NONE)
            field = interface_field(program, id, selector);
        if (field != PROGRAM_NONE)
            return found(field);
    }
    return not_found(program, class_id);
}

/* ---- methods of superinterfaces ---- */

static bool is_inherited_by_interface(const struct program *program, uint32_t method)
{
    return !(program->methods[method].access & (ACCESS_PRIVATE | ACCESS_STATIC));
}

/* Whether another superinterface of the class declares the method closer than this one. */
static bool is_maximally_specific(const struct program *program, const struct program_class *class,
                                  uint32_t interface, uint32_t selector)
{
    for (uint32_t i = 0; i < class->all_interfaces.count; i++) {
        uint32_t other = class->all_interfaces.items[i];
        if (other == interface || !hierarchy_is_subtype(program, other, interface))
            continue;
        uint32_t method = program_declared_method(program, other, selector);
        if (method != PROGRAM_NONE && is_inherited_by_interface(program, method))
            return false;
    }
    return true;
}

uint32_t resolve_default(const struct program *program, uint32_t class_id, uint32_t selector)
{
    const struct program_class *class = &program->classes[class_id];
    uint32_t only = PROGRAM_NONE;
    if (selector == PROGRAM_NONE)
        return PROGRAM_NONE;
    for (uint32_t i = 0; i < class->all_interfaces.count; i++) {
        uint32_t interface = class->all_interfaces.items[i];
        uint32_t method = program_declared_method(program, interface, selector);
        if (method == PROGRAM_NONE || !is_inherited_by_interface(program, method) ||
            program->methods[method].access & ACCESS_ABSTRACT ||
            !is_maximally_specific(program, class, interface, selector))
            continue;
        if (only != PROGRAM_NONE)
            return PROGRAM_NONE;
        only = method;
    }
    return only;
}

/* Any superinterface's method: the specification leaves the choice open, we take a most specific
   one. */
static uint32_t any_interface_method(const struct program *program, uint32_t class_id,
                                     uint32_t selector)
{
    const struct program_class *class = &program->classes[class_id];
    uint32_t any = PROGRAM_NONE;
    for (uint32_t i = 0; i < class->all_interfaces.count; i++) {
        uint32_t interface = class->all_interfaces.items[i];
        uint32_t method = program_declared_method(program, interface, selector);
        if (method == PROGRAM_NONE || !is_inherited_by_interface(program, method))
            continue;
        if (is_maximally_specific(program, class, interface, selector))
            return method;
        any = method;
    }
    return any;
}

static struct resolution resolve_in_superinterfaces(const struct program *program,
                                                    uint32_t class_id, uint32_t selector)
{
    if (selector != PROGRAM_NONE) {
        uint32_t method = resolve_default(program, class_id, selector);
        if (method == PROGRAM_NONE)
            method = any_interface_method(program, class_id, selector);
        if (method != PROGRAM_NONE)
            return found(method);
    }
    return not_found(program, class_id);
}

/* ---- methods ---- */

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
    for (uint32_t id = class_id; id != PROGRAM_NONE; id = program->classes[id].superclass) {
        uint32_t method = program_declared_method(program, id, selector);
        if (method != PROGRAM_NONE)
            return found(method);
    }
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
static bool between_overrides(const struct program *program, uint32_t method, uint32_t overridden)
{
    const struct program_member *bottom = &program->methods[method];
    const struct program_member *top = &program->methods[overridden];
    uint32_t chain[256];
    unsigned count = 0;
    for (uint32_t id = program->classes[bottom->class_id].superclass;
         id != PROGRAM_NONE && id != top->class_id; id = program->classes[id].superclass) {
        uint32_t declared = program_declared_method(program, id, bottom->selector);
        if (declared != PROGRAM_NONE && count < sizeof chain / sizeof *chain &&
            !(program->methods[declared].access & (ACCESS_PRIVATE | ACCESS_STATIC)))
            chain[count++] = declared;
    }
    struct override_state state = {.package_count = 0};
    admit(&state, top);
    while (count-- > 0)
        if (overrides_one(program, &state, program->methods[chain[count]].class_id))
            admit(&state, &program->methods[chain[count]]);
    return overrides_one(program, &state, bottom->class_id);
}

/* Whether a call of `overridden` can be answered by `method`, declared in a subclass (5.4.5). */
static bool can_override(const struct program *program, uint32_t method, uint32_t overridden)
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
    return between_overrides(program, method, overridden);
}

uint32_t resolve_select(const struct program *program, uint32_t receiver, uint32_t method)
{
    const struct program_member *resolved = &program->methods[method];
    if (resolved->access & (ACCESS_PRIVATE | ACCESS_STATIC))
        return method;
    for (uint32_t id = receiver; id != PROGRAM_NONE; id = program->classes[id].superclass) {
        uint32_t declared = program_declared_method(program, id, resolved->selector);
        if (declared != PROGRAM_NONE && can_override(program, declared, method))
            return declared;
    }
    return resolve_default(program, receiver, resolved->selector);
}

uint32_t resolve_special(const struct program *program, uint32_t caller, uint32_t owner,
                         uint32_t method)
{
    const struct program_member *resolved = &program->methods[method];
    const struct program_class *from = &program->classes[caller];
    if (text_is(program_selector_name(program, resolved->selector), "<init>"))
        return method;
    uint32_t start = owner;
    if (owner != caller && !(program->classes[owner].access & ACCESS_INTERFACE) &&
        hierarchy_is_subclass(program, caller, owner) && from->access & ACCESS_SUPER)
        start = from->superclass;
    for (uint32_t id = start; id != PROGRAM_NONE; id = program->classes[id].superclass) {
        uint32_t declared = program_declared_method(program, id, resolved->selector);
        if (declared != PROGRAM_NONE && !(program->methods[declared].access & ACCESS_STATIC) &&
            (id != program->object || !(program->classes[start].access & ACCESS_INTERFACE) ||
             program->methods[declared].access & ACCESS_PUBLIC))
            return declared;
        /* An interface's superclass is java/lang/Object, which is next, as it should be. */
    }
    return start == PROGRAM_NONE ? method : resolve_default(program, start, resolved->selector);
}
