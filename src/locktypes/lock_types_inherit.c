#include <string.h>

#include "bytecode/decode.h"
#include "locktypes/lock_types_internal.h"
#include "program/hierarchy.h"
#include "program/resolve.h"

/* ---- terms of an overridden method in those of the overriding one ---- */

/* What the formals of some superclass are, in formals of the class that inherits. */
struct formal_map {
    term *items;
    uint32_t count;
};

static term *number_terms(struct lock_types *types, enum term_kind kind, uint32_t count)
{
    term *terms = ARENA_ARRAY(&types->arena, term, count);
    for (uint32_t i = 0; terms && i < count; i++)
        terms[i] = term_make(&types->terms, kind, i, TERM_NONE);
    return terms;
}

static struct formal_map same_formals(struct lock_types *types, uint32_t class_id)
{
    uint32_t count = lock_types_class(types, class_id)->formal_count;
    term *terms = ARENA_ARRAY(&types->arena, term, count);
    for (uint32_t i = 0; terms && i < count; i++)
        terms[i] = lock_types_formal(types, class_id, i, &types->terms);
    return (struct formal_map){terms, count};
}

/* From what the formals of `class_id` are to what those of its superclass are. */
static struct formal_map super_formals(struct lock_types *types, uint32_t class_id,
                                       struct formal_map formals)
{
    const struct class_locks *class = lock_types_class(types, class_id);
    uint32_t count = class->super_owners.count;
    if (!count) {
        uint32_t super = types->program->classes[class_id].superclass;
        struct formal_map same = same_formals(types, super);
        for (uint32_t i = 0; same.items && i < same.count && i < formals.count; i++)
            same.items[i] = formals.items[i];
        return same;
    }
    term self = term_make(&types->terms, TERM_PARAMETER, 0, 0);
    struct formal_map result = {ARENA_ARRAY(&types->arena, term, count), count};
    struct term_binding binding = {.to = &types->terms,
                                   .parameters = &self,
                                   .parameter_count = 1,
                                   .formals = formals.items,
                                   .formal_count = formals.items ? formals.count : 0};
    for (uint32_t i = 0; result.items && i < count; i++)
        result.items[i] = term_substitute(&types->terms, class->super_owners.items[i], &binding);
    return result;
}

struct inheritance {
    struct lock_types *types;
    struct method_entry *to;
    struct term_binding binding;
    bool took;
    bool from_library; /* to a method of the program */
};

/* What a library method does to its object, its argument or with its result is its own affair: the
   program's method that overrides it has code that tells. Locks it takes are part of its promise.
 */
static bool is_promise(uint8_t effect)
{
    return effect != EFFECT_READS && effect != EFFECT_WRITES && effect != EFFECT_RETURNS &&
           effect != EFFECT_CALLS && effect != EFFECT_READ_VIEW && effect != EFFECT_WRITE_VIEW;
}

/* Where both methods name the owners of a parameter, a formal of the one is what stands at the same
   place in the other. */
static void match_method_formals(const struct lock_types *types, term *formals, uint32_t count,
                                 const struct method_locks *to, const struct method_locks *from,
                                 uint32_t parameter_count)
{
    if (!to->parameter_owners || !from->parameter_owners)
        return;
    for (uint32_t i = 0; i < parameter_count; i++) {
        struct term_list theirs = from->parameter_owners[i], ours = to->parameter_owners[i];
        for (uint32_t j = 0; j < theirs.count && j < ours.count; j++) {
            struct term_content owner = term_content(&types->terms, theirs.items[j]);
            if (owner.kind == TERM_METHOD_FORMAL && owner.b == TERM_NONE && owner.a < count)
                formals[owner.a] = ours.items[j];
        }
    }
}

static bool inheritance_begin(struct inheritance *inheritance, struct lock_types *types,
                              struct method_entry *to, uint32_t parameter_count,
                              const struct method_entry *from, struct formal_map formals)
{
    uint32_t method_formals = from->locks.method_formal_count;
    term *parameters = ARENA_ARRAY(&types->arena, term, parameter_count);
    for (uint32_t i = 0; parameters && i < parameter_count; i++)
        parameters[i] = term_make(&types->terms, TERM_PARAMETER, i, 0);
    term *formals_of_method = number_terms(types, TERM_METHOD_FORMAL, method_formals);
    if (formals_of_method)
        match_method_formals(types, formals_of_method, method_formals, &to->locks, &from->locks,
                             parameter_count);
    *inheritance =
        (struct inheritance){.types = types,
                             .to = to,
                             .binding = {.to = &types->terms,
                                         .parameters = parameters,
                                         .parameter_count = parameter_count,
                                         .formals = formals.items,
                                         .formal_count = formals.items ? formals.count : 0,
                                         .method_formals = formals_of_method,
                                         .method_formal_count = method_formals}};
    return parameters && formals_of_method;
}

static term inherit_term(const struct inheritance *inheritance, term number)
{
    return term_substitute(&inheritance->types->terms, number, &inheritance->binding);
}

/* Those that have no name any more are left out; `written` goes with them. */
static struct term_list inherit_list(struct inheritance *inheritance, struct term_list from,
                                     const struct text *written, const struct text **to_written)
{
    struct arena *arena = &inheritance->types->arena;
    term *items = ARENA_ARRAY(arena, term, from.count);
    struct text *texts = ARENA_ARRAY(arena, struct text, from.count);
    struct term_list list = {items, 0};
    *to_written = texts;
    for (uint32_t i = 0; items && texts && i < from.count; i++) {
        term item = inherit_term(inheritance, from.items[i]);
        if (item == TERM_NONE)
            continue;
        texts[list.count] = written ? written[i] : TEXT("");
        items[list.count++] = item;
    }
    return list;
}

static struct term_list inherit_owners(struct inheritance *inheritance, struct term_list from)
{
    const struct text *unused;
    struct term_list list = inherit_list(inheritance, from, NULL, &unused);
    return list.count == from.count ? list : (struct term_list){NULL, 0};
}

static void inherit_requires(struct inheritance *inheritance, const struct method_locks *from)
{
    struct method_locks *to = &inheritance->to->locks;
    if (to->has_requires || !from->has_requires)
        return;
    to->has_requires = true;
    to->basis = from->basis;
    to->requires = inherit_list(inheritance, from->requires, from->written, &to->written);
    inheritance->took = true;
}

static void inherit_all_owners(struct inheritance *inheritance, const struct method_locks *from)
{
    struct method_locks *to = &inheritance->to->locks;
    uint32_t count = inheritance->binding.parameter_count;
    if (to->parameter_owners || !from->parameter_owners)
        return;
    struct term_list *lists = ARENA_ARRAY(&inheritance->types->arena, struct term_list, count);
    if (!lists)
        return;
    for (uint32_t i = 0; i < count; i++)
        lists[i] = inherit_owners(inheritance, from->parameter_owners[i]);
    to->parameter_owners = lists;
    to->result_owners = inherit_owners(inheritance, from->result_owners);
    to->method_formals = from->method_formals;
    to->method_formal_count = from->method_formal_count;
    inheritance->took = true;
}

static void inherit_effects(struct inheritance *inheritance, const struct method_locks *from)
{
    struct method_locks *to = &inheritance->to->locks;
    if (to->effect_count || !from->effect_count)
        return;
    struct bound_effect *effects =
        ARENA_ARRAY(&inheritance->types->arena, struct bound_effect, from->effect_count);
    uint32_t count = 0;
    for (uint32_t i = 0; effects && i < from->effect_count; i++) {
        term lock = inherit_term(inheritance, from->effects[i].lock);
        if (lock != TERM_NONE && (!inheritance->from_library || is_promise(from->effects[i].kind)))
            effects[count++] = (struct bound_effect){from->effects[i].kind, lock};
    }
    to->effects = effects;
    to->effect_count = count;
    inheritance->took = true;
}

/* All that `to` does not say yet. */
static void inherit_items(struct inheritance *inheritance, const struct method_locks *from)
{
    struct method_locks *to = &inheritance->to->locks;
    inherit_requires(inheritance, from);
    inherit_all_owners(inheritance, from);
    inherit_effects(inheritance, from);
    if (!to->atomicity && from->atomicity) {
        to->atomicity = from->atomicity;
        to->atomicity_method = from->atomicity_method;
        inheritance->took = true;
    }
    if (inheritance->took && !to->place.file.length)
        to->place = from->place;
}

/* ---- overriding ---- */

static struct method_entry *find_entry(const struct lock_types *types, uint32_t method)
{
    uint64_t address;
    return intmap_get(&types->methods, method, &address) ? (void *)(uintptr_t)address : NULL;
}

static bool is_overridable(const struct program *program, uint32_t method)
{
    struct text name = program_method_name(program, method);
    return !(program->methods[method].access & (ACCESS_STATIC | ACCESS_PRIVATE)) &&
           !(name.length && name.bytes[0] == '<');
}

/* The class's own method with that selector, if `method` overrides it and it has a declaration. */
static const struct method_entry *overridden_in(const struct lock_types *types, uint32_t class_id,
                                                uint32_t method)
{
    const struct program *program = types->program;
    uint32_t found = program_declared_method(program, class_id, program->methods[method].selector);
    if (found == PROGRAM_NONE || found == method || !is_overridable(program, found))
        return NULL;
    if (!(program->methods[found].access & (ACCESS_PUBLIC | ACCESS_PROTECTED)) &&
        !program_same_package(program, class_id, program->methods[method].class_id))
        return NULL;
    const struct method_entry *entry = find_entry(types, found);
    return entry && !entry->locks.inherited ? entry : NULL;
}

static bool take_from(struct lock_types *types, struct method_entry *to, uint32_t method,
                      const struct method_entry *from, struct formal_map formals, bool from_library)
{
    struct inheritance inheritance;
    if (!inheritance_begin(&inheritance, types, to,
                           lock_types_parameter_count(types->program, method), from, formals))
        return false;
    inheritance.from_library = from_library && program_method_member(types->program, method) &&
                               member_code(program_method_member(types->program, method)) &&
                               program_is_application_method(types->program, method);
    inherit_items(&inheritance, &from->locks);
    return inheritance.took;
}

static bool take_from_superclasses(struct lock_types *types, struct method_entry *to,
                                   uint32_t method)
{
    const struct program *program = types->program;
    uint32_t class_id = program->methods[method].class_id;
    struct formal_map formals = same_formals(types, class_id);
    bool took = false;
    for (uint32_t super = program->classes[class_id].superclass; super != PROGRAM_NONE;
         class_id = super, super = program->classes[super].superclass) {
        formals = super_formals(types, class_id, formals);
        const struct method_entry *from = overridden_in(types, super, method);
        if (from)
            took |=
                take_from(types, to, method, from, formals, !program->classes[super].application);
    }
    return took;
}

/* Whether another interface of the list has a declaration too and is closer. */
static bool has_closer(const struct lock_types *types, struct program_ids interfaces,
                       uint32_t position, uint32_t method)
{
    uint32_t id = interfaces.items[position];
    for (uint32_t i = 0; i < interfaces.count; i++)
        if (i != position && hierarchy_is_subtype(types->program, interfaces.items[i], id) &&
            overridden_in(types, interfaces.items[i], method))
            return true;
    return false;
}

static bool take_from_interfaces(struct lock_types *types, struct method_entry *to, uint32_t method)
{
    const struct program *program = types->program;
    uint32_t class_id = program->methods[method].class_id;
    struct program_ids interfaces = program->classes[class_id].all_interfaces;
    bool took = false;
    /* First those that no other one comes before, then the rest. */
    for (int closest = 1; closest >= 0; closest--)
        for (uint32_t i = 0; i < interfaces.count; i++) {
            const struct method_entry *from = overridden_in(types, interfaces.items[i], method);
            if (from && has_closer(types, interfaces, i, method) == !closest)
                took |= take_from(types, to, method, from, same_formals(types, interfaces.items[i]),
                                  !program->classes[interfaces.items[i]].application);
        }
    return took;
}

/* What was worked out for a method that had no entry becomes one. */
static void keep(struct lock_types *types, uint32_t method, const struct method_entry *filled)
{
    struct method_entry *entry = lock_types_make_method(types, method);
    if (entry)
        *entry = *filled;
}

static void fill_overriding(struct lock_types *types, uint32_t method)
{
    const struct method_entry *own = find_entry(types, method);
    struct method_entry filled;
    memset(&filled, 0, sizeof filled);
    filled.locks.inherited = true;
    if (own)
        filled = *own;
    bool took = take_from_superclasses(types, &filled, method);
    took |= take_from_interfaces(types, &filled, method);
    if (took)
        keep(types, method, &filled);
}

/* Fills the methods that override this one. */
static void propagate(struct lock_types *types, uint32_t method, struct intmap *done)
{
    const struct program *program = types->program;
    if (!is_overridable(program, method))
        return;
    uint32_t selector = program->methods[method].selector;
    struct program_ids subtypes = hierarchy_subtypes(program, program->methods[method].class_id);
    for (uint32_t i = 0; i < subtypes.count && !types->failed; i++) {
        uint32_t other = program_declared_method(program, subtypes.items[i], selector);
        bool added = false;
        if (other == PROGRAM_NONE || other == method || !is_overridable(program, other))
            continue;
        if (!intmap_find_or_add(done, other, 1, &added))
            types->failed = true;
        if (added)
            fill_overriding(types, other);
    }
}

/* ---- bridges ---- */

/* The method of the same class that the bridge calls, or PROGRAM_NONE. */
static uint32_t bridge_target(const struct lock_types *types, uint32_t bridge)
{
    const struct program *program = types->program;
    const struct program_class *class = program_class_of_method(program, bridge);
    const struct member *member = program_method_member(program, bridge);
    uint32_t found = PROGRAM_NONE;
    struct bytecode bytecode;
    struct problem problem;
    struct arena arena;
    if (!class->class_file || !member || !member_code(member))
        return PROGRAM_NONE;
    problem_clear(&problem);
    arena_init(&arena);
    bool decoded = bytecode_decode(&bytecode, &arena, class->class_file, member, &problem);
    for (uint32_t i = 0; decoded && i < bytecode.count; i++) {
        uint8_t opcode = bytecode.instructions[i].opcode;
        if (opcode != OP_INVOKEVIRTUAL && opcode != OP_INVOKESPECIAL &&
            opcode != OP_INVOKEINTERFACE)
            continue;
        struct resolution called =
            resolve_method_constant(program, class->class_file, bytecode.instructions[i].operand);
        if (called.status == RESOLVE_FOUND && called.id != bridge &&
            text_equal(program_method_name(program, called.id),
                       program_method_name(program, bridge)) &&
            program->methods[called.id].class_id == program->methods[bridge].class_id)
            found = called.id;
    }
    arena_release(&arena);
    if (found != PROGRAM_NONE &&
        lock_types_parameter_count(program, found) != lock_types_parameter_count(program, bridge))
        return PROGRAM_NONE;
    return found;
}

static bool exchange(struct lock_types *types, uint32_t to, uint32_t from)
{
    const struct method_entry *giver = find_entry(types, from);
    const struct method_entry *own = find_entry(types, to);
    struct method_entry filled;
    if (!giver)
        return false;
    memset(&filled, 0, sizeof filled);
    filled.locks.inherited = true;
    if (own)
        filled = *own;
    if (!take_from(types, &filled, to, giver,
                   same_formals(types, types->program->methods[to].class_id), false))
        return false;
    keep(types, to, &filled);
    return true;
}

/* A bridge overrides what its target does not, because their descriptors differ. What the target
   gets from it, the target's own overriding methods must get too. */
static void inherit_over_bridge(struct lock_types *types, uint32_t bridge, struct intmap *done)
{
    uint32_t target = bridge_target(types, bridge);
    if (target == PROGRAM_NONE)
        return;
    bool from_bridge = exchange(types, target, bridge);
    exchange(types, bridge, target);
    struct method_entry *entry = find_entry(types, target);
    if (!from_bridge || !entry)
        return;
    bool inherited = entry->locks.inherited;
    entry->locks.inherited = false; /* so that overriding methods see it */
    propagate(types, target, done);
    entry->locks.inherited = inherited;
}

void bind_inherited(struct lock_types *types)
{
    const struct program *program = types->program;
    struct intmap done;
    if (!types->methods.count)
        return;
    intmap_init(&done);
    for (uint32_t method = 0; method < program->method_count && !types->failed; method++) {
        const struct method_entry *entry = find_entry(types, method);
        if (entry && !entry->locks.inherited)
            propagate(types, method, &done);
    }
    intmap_clear(&done);
    for (uint32_t i = 0; i < program->application_method_count && !types->failed; i++)
        if (program->methods[i].access & ACCESS_BRIDGE)
            inherit_over_bridge(types, i, &done);
    intmap_release(&done);
}
