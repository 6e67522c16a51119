/*
 * Resolution, selection and target sets, compared on random hierarchies with what the JVM
 * specification says, looked for the slow way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program/call_graph.h"
#include "program/hierarchy.h"
#include "program/program_fixture.h"
#include "program/resolve.h"

#define RETURN CODE("\xB1")

enum { INTERFACES = 8, CLASSES = 14, TYPES = INTERFACES + CLASSES, PROGRAMS = 400 };

static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
    return (unsigned)(support_random(&random_state) % limit);
}

/* ---- random programs ---- */

struct random_program {
    char names[TYPES][8];
    char callers[TYPES][12];
    char code[TYPES][12];
    struct sample samples[2 * TYPES + 1];
    unsigned count;
};

static const char *const method_names[] = {"m", "n"};

static void add_methods(struct sample *sample, const unsigned *accesses, unsigned access_count)
{
    unsigned count = 0;
    for (unsigned i = 0; i < 2; i++) {
        unsigned access = accesses[random_below(access_count)];
        struct sample_member method = {access, method_names[i], "()V", RETURN};
        if (access & ACCESS_ABSTRACT)
            method.code = NULL;
        if (random_below(2))
            sample->methods[count++] = method;
    }
}

/* Supertypes come before their subtypes, and mostly they are near: deep hierarchies. */
static unsigned earlier(unsigned number)
{
    return random_below(3) ? number - 1 : random_below(number);
}

static void add_superinterfaces(struct random_program *random, struct sample *sample,
                                unsigned among)
{
    unsigned count = among ? random_below(3) : 0;
    for (unsigned i = 0; i < count; i++)
        sample->interfaces[i] = random->names[earlier(among)];
    if (count == 2 && sample->interfaces[0] == sample->interfaces[1])
        sample->interfaces[1] = NULL;
}

static void add_type(struct random_program *random, unsigned number)
{
    static const unsigned of_interfaces[] = {0x1, 0x1, 0x401, 0x401, 0x2, 0x9};
    static const unsigned of_classes[] = {0x1, 0x1, 0x4, 0x0, 0x0, 0x2, 0x9, 0x401, 0x11};
    struct sample *sample = &random->samples[random->count++];
    bool interface = number < INTERFACES;
    snprintf(random->names[number], sizeof random->names[number], "%c/%c%u", "pq"[random_below(2)],
             interface ? 'I' : 'C', number);
    *sample = (struct sample){.access = interface         ? 0x601
                                        : random_below(4) ? 0x21
                                                          : 0x421,
                              .name = random->names[number],
                              .super = "java/lang/Object"};
    add_superinterfaces(random, sample, interface ? number : INTERFACES);
    if (interface) {
        add_methods(sample, of_interfaces, sizeof of_interfaces / sizeof *of_interfaces);
    } else {
        add_methods(sample, of_classes, sizeof of_classes / sizeof *of_classes);
        if (number > INTERFACES && random_below(6))
            sample->super = random->names[INTERFACES + earlier(number - INTERFACES)];
        else if (random_below(6) == 0)
            sample->super = "p/Absent";
    }
    if (random_below(4) == 0)
        sample->fields[0] = (struct sample_member){interface ? 0x19 : 0x1, "f", "I", NULL, 0};
}

/* Calls both methods on the type. */
static void add_caller(struct random_program *random, unsigned number)
{
    struct sample *sample = &random->samples[random->count++];
    bool interface = number < INTERFACES;
    size_t size = 0;
    snprintf(random->callers[number], sizeof random->callers[number], "r/Caller%u", number);
    *sample = (struct sample){
        .access = 0x21, .name = random->callers[number], .super = "java/lang/Object"};
    char *code = random->code[number];
    for (unsigned i = 0; i < 2; i++) {
        sample->references[i] = (struct sample_reference){
            interface ? 11 : 10, random->names[number], method_names[i], "()V"};
        code[size++] = (char)(interface ? 0xB9 : 0xB6);
        code[size++] = 0;
        code[size++] = (char)REFERENCE(i);
        if (interface) {
            code[size++] = 1;
            code[size++] = 0;
        }
    }
    code[size++] = (char)0xB1;
    sample->methods[0] = (struct sample_member){0x9, "call", "()V", code, size};
}

static void make_program(struct random_program *random, uint64_t seed)
{
    random_state = seed;
    random->count = 0;
    random->samples[random->count++] = (struct sample){
        .access = 0x21, .name = "java/lang/Object", .methods = {{0x1, "<init>", "()V", RETURN}}};
    for (unsigned i = 0; i < TYPES; i++)
        add_type(random, i);
    for (unsigned i = 0; i < TYPES; i++)
        add_caller(random, i);
}

/* ---- the slow way ---- */

static uint32_t slow_field(const struct program *program, uint32_t class_id, uint32_t selector)
{
    if (class_id == PROGRAM_NONE)
        return PROGRAM_NONE;
    const struct program_class *class = &program->classes[class_id];
    uint32_t field = program_declared_field(program, class_id, selector);
    for (uint32_t i = 0; field == PROGRAM_NONE && i < class->interfaces.count; i++)
        field = slow_field(program, class->interfaces.items[i], selector);
    return field != PROGRAM_NONE ? field : slow_field(program, class->superclass, selector);
}

static uint32_t slow_inherited(const struct program *program, uint32_t class_id, uint32_t selector)
{
    uint32_t method = PROGRAM_NONE;
    for (uint32_t id = class_id; id != PROGRAM_NONE && method == PROGRAM_NONE;
         id = program->classes[id].superclass)
        method = program_declared_method(program, id, selector);
    return method;
}

static bool has_access(const struct program *program, uint32_t method, unsigned flags)
{
    return (program->methods[method].access & flags) != 0;
}

/* The method that an interface hands on to its subtypes. */
static uint32_t handed_on(const struct program *program, uint32_t interface, uint32_t selector)
{
    uint32_t method = program_declared_method(program, interface, selector);
    return method == PROGRAM_NONE || has_access(program, method, ACCESS_PRIVATE | ACCESS_STATIC)
               ? PROGRAM_NONE
               : method;
}

static bool is_maximally_specific(const struct program *program, uint32_t class_id, uint32_t method)
{
    const struct program_member *member = &program->methods[method];
    struct program_ids all = program->classes[class_id].all_interfaces;
    for (uint32_t i = 0; i < all.count; i++)
        if (all.items[i] != member->class_id &&
            hierarchy_is_subtype(program, all.items[i], member->class_id) &&
            handed_on(program, all.items[i], member->selector) != PROGRAM_NONE)
            return false;
    return true;
}

/* The only default among the maximally-specific methods; *first is the first of all of these. */
static uint32_t slow_default(const struct program *program, uint32_t class_id, uint32_t selector,
                             uint32_t *first)
{
    struct program_ids all = program->classes[class_id].all_interfaces;
    uint32_t only = PROGRAM_NONE;
    unsigned defaults = 0;
    *first = PROGRAM_NONE;
    for (uint32_t i = 0; i < all.count; i++) {
        uint32_t method = handed_on(program, all.items[i], selector);
        if (method == PROGRAM_NONE || !is_maximally_specific(program, class_id, method))
            continue;
        if (*first == PROGRAM_NONE)
            *first = method;
        if (has_access(program, method, ACCESS_ABSTRACT))
            continue;
        only = method;
        defaults++;
    }
    return defaults == 1 ? only : PROGRAM_NONE;
}

/* JVMS 5.4.5, with its last case, a method in between, taken as it is written there. */
static bool slow_overrides(const struct program *program, uint32_t method, uint32_t overridden)
{
    const struct program_member *bottom = &program->methods[method];
    const struct program_member *top = &program->methods[overridden];
    const unsigned never = ACCESS_PRIVATE | ACCESS_STATIC;
    if (method == overridden)
        return true;
    if (has_access(program, method, never) || has_access(program, overridden, never))
        return false;
    if (has_access(program, overridden, ACCESS_PUBLIC | ACCESS_PROTECTED) ||
        program_same_package(program, bottom->class_id, top->class_id))
        return true;
    for (uint32_t id = program->classes[bottom->class_id].superclass;
         id != PROGRAM_NONE && id != top->class_id; id = program->classes[id].superclass) {
        uint32_t between = program_declared_method(program, id, bottom->selector);
        if (between != PROGRAM_NONE && slow_overrides(program, between, overridden) &&
            slow_overrides(program, method, between))
            return true;
    }
    return false;
}

static uint32_t slow_select(const struct program *program, uint32_t receiver, uint32_t method)
{
    uint32_t selector = program->methods[method].selector, first;
    if (has_access(program, method, ACCESS_PRIVATE | ACCESS_STATIC))
        return method;
    for (uint32_t id = receiver; id != PROGRAM_NONE; id = program->classes[id].superclass) {
        uint32_t declared = program_declared_method(program, id, selector);
        if (declared != PROGRAM_NONE && slow_overrides(program, declared, method))
            return declared;
    }
    return slow_default(program, receiver, selector, &first);
}

/* ---- comparisons ---- */

static uint32_t selector_of(const struct program *program, const char *name, const char *descriptor)
{
    return program_find_selector(program, text_from(name), text_from(descriptor));
}

static void compare_fields(const struct program *program, uint32_t class_id)
{
    uint32_t selector = selector_of(program, "f", "I");
    assert_int_equal(resolve_field(program, class_id, selector).id,
                     slow_field(program, class_id, selector));
}

static void compare_methods(const struct program *program, uint32_t class_id, const char *name)
{
    uint32_t selector = selector_of(program, name, "()V"), first;
    uint32_t only = slow_default(program, class_id, selector, &first);
    assert_int_equal(resolve_default(program, class_id, selector), only);
    uint32_t expected = slow_inherited(program, class_id, selector);
    if (expected == PROGRAM_NONE)
        expected = only != PROGRAM_NONE ? only : first;
    struct resolution resolution =
        program->classes[class_id].access & ACCESS_INTERFACE
            ? resolve_interface_method(program, class_id, selector)
            : resolve_class_method(program, class_id, selector, text_from(name));
    if (!program->classes[class_id].missing)
        assert_int_equal(resolution.id, expected);
}

static void compare_selections(const struct program *program, uint32_t method)
{
    struct program_ids subtypes = hierarchy_subtypes(program, program->methods[method].class_id);
    for (uint32_t i = 0; i < subtypes.count; i++)
        assert_int_equal(resolve_select(program, subtypes.items[i], method),
                         slow_select(program, subtypes.items[i], method));
}

/* What the call may run: one method for each class that can have instances. */
static uint32_t slow_targets(const struct program *program, uint32_t class_id, uint32_t method,
                             bool *is_target)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->class_count; i++) {
        if (!program_is_instantiable(&program->classes[i]) ||
            !hierarchy_is_subtype(program, i, class_id))
            continue;
        uint32_t target = slow_select(program, i, method);
        if (target == PROGRAM_NONE || has_access(program, target, ACCESS_ABSTRACT))
            continue;
        count += !is_target[target];
        is_target[target] = true;
    }
    return count;
}

static void compare_site(const struct call_graph *graph, uint32_t class_id,
                         const struct call_site *site)
{
    const struct program *program = graph->program;
    bool is_target[4 * TYPES] = {false};
    assert_true(program->method_count <= sizeof is_target / sizeof *is_target);
    if (site->method == PROGRAM_NONE)
        return;
    uint32_t count = 1, one;
    if (has_access(program, site->method, ACCESS_PRIVATE | ACCESS_FINAL))
        is_target[site->method] = true;
    else
        count = slow_targets(program, class_id, site->method, is_target);
    struct program_ids targets = call_graph_targets(graph, site->targets, &one);
    assert_int_equal(targets.count, count);
    for (uint32_t i = 0; i < targets.count; i++)
        assert_true(is_target[targets.items[i]]);
}

static void compare_sites(const struct program_fixture *fixture, const struct call_graph *graph,
                          const struct random_program *random)
{
    for (unsigned i = 0; i < TYPES; i++) {
        struct call_sites sites = call_graph_sites(
            graph, program_find_method(&fixture->program, random->callers[i], "call", "()V"));
        assert_int_equal(sites.count, 2);
        for (uint32_t j = 0; j < sites.count; j++)
            compare_site(graph, class_number(fixture, random->names[i]), &sites.items[j]);
    }
}

static void compare_program(uint64_t seed)
{
    static struct random_program random;
    make_program(&random, seed);
    struct program_fixture fixture;
    fixture_load(&fixture, random.samples, random.count);
    const struct program *program = &fixture.program;
    for (uint32_t i = 0; i < program->class_count; i++) {
        compare_fields(program, i);
        for (unsigned j = 0; j < 2; j++)
            compare_methods(program, i, method_names[j]);
    }
    for (uint32_t i = 0; i < program->method_count; i++)
        if (!text_is(program_method_name(program, i), "<init>"))
            compare_selections(program, i);
    struct call_graph graph;
    struct call_graph_options options = {.workers = 1};
    assert_true(
        call_graph_build(&graph, program, &options, &fixture.diagnostics, &fixture.problem));
    compare_sites(&fixture, &graph, &random);
    call_graph_release(&graph);
    fixture_close(&fixture);
}

static void test_random_programs(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        compare_program(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
