#include "program/entry_points.h"

#include <stdlib.h>
#include <string.h>

#include "program/entry_points_internal.h"
#include "program/hierarchy.h"
#include "program/program_internal.h"
#include "program/resolve.h"

/* From this version on a class file may have been made for a launcher that takes any main. */
enum { MAJOR_WITH_FLEXIBLE_MAIN = 69 };

struct member_rule {
    enum entry_kind kind;
    const char *class_name, *method, *descriptor, *why;
};

static const struct member_rule override_rules[] = {
#define ENTRY_OVERRIDE(kind, class_name, method, descriptor, why)                                  \
    {ENTRY_##kind, class_name, method, descriptor, why},
#include "program/entry_points.def"
#undef ENTRY_OVERRIDE
};

static const struct member_rule declared_rules[] = {
#define ENTRY_DECLARED(kind, class_name, method, descriptor, why)                                  \
    {ENTRY_##kind, class_name, method, descriptor, why},
#include "program/entry_points.def"
#undef ENTRY_DECLARED
};

static const struct {
    enum entry_kind kind;
    const char *descriptor, *why;
} annotation_rules[] = {
#define ENTRY_ANNOTATION(kind, descriptor, why) {ENTRY_##kind, descriptor, why},
#include "program/entry_points.def"
#undef ENTRY_ANNOTATION
};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

void entry_finder_add(struct entry_finder *finder, uint32_t method, uint32_t class_id,
                      enum entry_kind kind, const char *why)
{
    if (method == PROGRAM_NONE || !program_is_application_method(finder->program, method) ||
        finder->program->methods[method].access & ACCESS_ABSTRACT)
        return;
    struct found_entry entry = {{method, class_id, kind, why}, finder->found.count};
    if (!vector_push(&finder->found, entry))
        finder->failed = true;
}

/* Matches a name against a rule's, which may end in a star. */
static bool name_matches(struct text name, const char *rule)
{
    size_t length = strlen(rule);
    if (length && rule[length - 1] == '*')
        return text_starts_with(name, text_of(rule, length - 1));
    return text_is(name, rule);
}

static bool member_matches(const struct program *program, uint32_t method,
                           const struct member_rule *rule)
{
    return name_matches(program_method_name(program, method), rule->method) &&
           (!rule->descriptor[0] ||
            text_is(program_method_descriptor(program, method), rule->descriptor));
}

/* ---- overriding methods ---- */

uint32_t entry_virtual_method(const struct program *program, uint32_t class_id, uint32_t selector)
{
    for (uint32_t id = class_id; id != PROGRAM_NONE; id = program->classes[id].superclass) {
        uint32_t method = program_declared_method(program, id, selector);
        if (method != PROGRAM_NONE &&
            !(program->methods[method].access & (ACCESS_PRIVATE | ACCESS_STATIC)))
            return method;
    }
    return resolve_default(program, class_id, selector);
}

/* All methods of a supertype that match, by what is found for them on the class. */
static void match_methods_of(struct entry_finder *finder, uint32_t class_id, uint32_t type,
                             const struct member_rule *rule)
{
    const struct program *program = finder->program;
    const struct program_class *declarer = &program->classes[type];
    if (!declarer->application)
        return;
    for (uint32_t i = 0; i < declarer->method_count; i++) {
        const struct program_member *member = &program->methods[declarer->first_method + i];
        if (!(member->access & (ACCESS_PRIVATE | ACCESS_STATIC)) &&
            member_matches(program, declarer->first_method + i, rule))
            entry_finder_add(finder, entry_virtual_method(program, class_id, member->selector),
                             class_id, rule->kind, rule->why);
    }
}

/* What is found on instances of the class. */
static void match_class(struct entry_finder *finder, uint32_t class_id, uint32_t selector,
                        const struct member_rule *rule)
{
    const struct program *program = finder->program;
    const struct program_class *class = &program->classes[class_id];
    if (selector != PROGRAM_NONE) {
        entry_finder_add(finder, entry_virtual_method(program, class_id, selector), class_id,
                         rule->kind, rule->why);
        return;
    }
    for (uint32_t id = class_id; id != PROGRAM_NONE; id = program->classes[id].superclass)
        match_methods_of(finder, class_id, id, rule);
    for (uint32_t i = 0; i < class->all_interfaces.count; i++)
        match_methods_of(finder, class_id, class->all_interfaces.items[i], rule);
}

/* The selector of a rule for one method; PROGRAM_NONE if it is for several. */
static bool find_rule_selector(const struct program *program, const struct member_rule *rule,
                               uint32_t *selector)
{
    *selector = PROGRAM_NONE;
    if (!rule->descriptor[0] || rule->method[strlen(rule->method) - 1] == '*')
        return true;
    *selector =
        program_find_selector(program, text_from(rule->method), text_from(rule->descriptor));
    return *selector != PROGRAM_NONE;
}

static void apply_override_rule(struct entry_finder *finder, const struct member_rule *rule)
{
    const struct program *program = finder->program;
    uint32_t class_id = program_find_class(program, text_from(rule->class_name));
    uint32_t selector;
    if (class_id == PROGRAM_NONE || !find_rule_selector(program, rule, &selector))
        return;
    struct program_ids subtypes = hierarchy_subtypes(program, class_id);
    for (uint32_t i = 0; i < subtypes.count; i++) {
        const struct program_class *class = &program->classes[subtypes.items[i]];
        if (class->application && program_is_instantiable(class))
            match_class(finder, subtypes.items[i], selector, rule);
    }
}

/* ---- lambdas ---- */

void entry_finder_add_lambda(struct entry_finder *finder, const struct call_lambda *lambda,
                             enum entry_kind kind, const char *why)
{
    uint32_t one;
    struct program_ids targets = call_graph_targets(finder->graph, lambda->targets, &one);
    for (uint32_t i = 0; i < targets.count; i++)
        entry_finder_add(finder, targets.items[i], lambda->interface, kind, why);
}

static bool implements_any(const struct program *program, const struct call_lambda *lambda,
                           const char *name)
{
    for (uint32_t i = 0; i < lambda->selectors.count; i++)
        if (name_matches(program_selector_name(program, lambda->selectors.items[i]), name))
            return true;
    return false;
}

/* A function object is of this type: what it implements itself, and the type's default methods. */
static void check_lambda_type(struct entry_finder *finder, const struct call_lambda *lambda,
                              uint32_t type, const struct member_rule *rule)
{
    const struct program *program = finder->program;
    uint32_t class_id = program_find_class(program, text_from(rule->class_name)), selector;
    if (!hierarchy_is_subtype(program, type, class_id) || class_id == program->object)
        return;
    if (implements_any(program, lambda, rule->method))
        entry_finder_add_lambda(finder, lambda, rule->kind, rule->why);
    if (find_rule_selector(program, rule, &selector))
        match_class(finder, type, selector, rule);
}

static void check_lambda(struct entry_finder *finder, const struct call_lambda *lambda)
{
    if (lambda->interface == PROGRAM_NONE)
        return;
    for (size_t i = 0; i < COUNT_OF(override_rules); i++) {
        check_lambda_type(finder, lambda, lambda->interface, &override_rules[i]);
        for (uint32_t j = 0; j < lambda->markers.count; j++)
            check_lambda_type(finder, lambda, lambda->markers.items[j], &override_rules[i]);
    }
}

/* ---- declared methods, annotations, main ---- */

static void check_annotations(struct entry_finder *finder, uint32_t class_id, uint32_t method)
{
    static const enum attribute_kind kinds[] = {ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS,
                                                ATTRIBUTE_RUNTIME_INVISIBLE_ANNOTATIONS};
    const struct member *member = program_method_member(finder->program, method);
    const struct class_file *class_file = finder->program->classes[class_id].class_file;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const struct attribute *attribute = attributes_find(&member->attributes, kinds[i]);
        for (uint16_t j = 0; attribute && j < attribute->as.annotations->count; j++) {
            struct text type = class_utf8(class_file, attribute->as.annotations->items[j].type);
            for (size_t k = 0; k < COUNT_OF(annotation_rules); k++)
                if (text_is(type, annotation_rules[k].descriptor))
                    entry_finder_add(finder, method, class_id, annotation_rules[k].kind,
                                     annotation_rules[k].why);
        }
    }
}

/* The first method of that selector in the class or a superclass that the launcher can call. */
static uint32_t find_main(const struct program *program, uint32_t class_id, const char *descriptor)
{
    const uint32_t selector = program_find_selector(program, TEXT("main"), text_from(descriptor));
    for (uint32_t id = class_id; selector != PROGRAM_NONE && id != PROGRAM_NONE;
         id = program->classes[id].superclass) {
        const uint32_t method = program_declared_method(program, id, selector);
        if (method != PROGRAM_NONE && !(program->methods[method].access & ACCESS_PRIVATE))
            return method;
    }
    return selector == PROGRAM_NONE ? PROGRAM_NONE : resolve_default(program, class_id, selector);
}

/* Up to Java 24 public static void main(String[]). Since Java 25 also without `public` and without
   `static`, then on an object that the launcher makes; and main() where there is no main(String[]).
   Either may be inherited. */
static void check_main(struct entry_finder *finder, uint32_t class_id)
{
    const struct program *program = finder->program;
    const struct class_file *class_file = program->classes[class_id].class_file;
    const bool is_flexible = class_file && class_file->major >= MAJOR_WITH_FLEXIBLE_MAIN;
    uint32_t method = find_main(program, class_id, "([Ljava/lang/String;)V");
    if (method == PROGRAM_NONE && is_flexible)
        method = find_main(program, class_id, "()V");
    if (method == PROGRAM_NONE)
        return;
    const uint16_t access = program->methods[method].access,
                   classic = ACCESS_PUBLIC | ACCESS_STATIC;
    if ((access & classic) == classic || (is_flexible && access & ACCESS_STATIC)) {
        entry_finder_add(finder, method, class_id, ENTRY_MAIN, "main");
        return;
    }
    const uint32_t constructor = program_declared_method(
        program, class_id, program_find_selector(program, TEXT("<init>"), TEXT("()V")));
    if (!is_flexible || constructor == PROGRAM_NONE ||
        program->methods[constructor].access & ACCESS_PRIVATE ||
        !program_is_instantiable(&program->classes[class_id]) ||
        !program_is_application_method(program, method))
        return;
    entry_finder_add(finder, method, class_id, ENTRY_MAIN, "main");
    entry_finder_add(finder, constructor, class_id, ENTRY_MAIN, "object of main");
}

static void check_method(struct entry_finder *finder, uint32_t class_id, uint32_t method)
{
    const struct program *program = finder->program;
    check_annotations(finder, class_id, method);
    for (size_t i = 0; i < COUNT_OF(declared_rules); i++) {
        const struct member_rule *rule = &declared_rules[i];
        if (member_matches(program, method, rule) &&
            hierarchy_is_subtype(program, class_id,
                                 program_find_class(program, text_from(rule->class_name))))
            entry_finder_add(finder, method, class_id, rule->kind, rule->why);
    }
}

static int compare_found(const void *left, const void *right)
{
    const struct found_entry *a = left, *b = right;
    if (a->entry.method != b->entry.method)
        return a->entry.method < b->entry.method ? -1 : 1;
    if (a->entry.kind != b->entry.kind)
        return a->entry.kind < b->entry.kind ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Sorted, and of each method and kind the first. */
static bool hand_over(struct entry_finder *finder, struct entry_points *entries)
{
    size_t count = finder->found.count;
    if (count)
        qsort(finder->found.items, count, sizeof *finder->found.items, compare_found);
    *entries = (struct entry_points){memory_allocate(count * sizeof *entries->items), 0};
    if (!entries->items || count >= UINT32_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct entry_point *entry = &finder->found.items[i].entry;
        const struct entry_point *last =
            entries->count ? &entries->items[entries->count - 1] : NULL;
        if (!last || last->method != entry->method || last->kind != entry->kind)
            entries->items[entries->count++] = *entry;
    }
    return true;
}

bool entry_points_find(struct entry_points *entries, const struct call_graph *graph,
                       struct problem *problem)
{
    const struct program *program = graph->program;
    struct entry_finder finder = {.program = program, .graph = graph};
    *entries = (struct entry_points){NULL, 0};
    for (size_t i = 0; i < COUNT_OF(override_rules); i++)
        apply_override_rule(&finder, &override_rules[i]);
    for (uint32_t i = 0; i < graph->lambda_count; i++)
        check_lambda(&finder, &graph->lambdas[i]);
    entry_passed_find(&finder);
    for (uint32_t i = 0; i < program->application_count; i++)
        check_main(&finder, i);
    for (uint32_t i = 0; i < program->application_method_count; i++)
        check_method(&finder, program->methods[i].class_id, i);
    bool ok = !finder.failed && hand_over(&finder, entries);
    vector_release(&finder.found);
    if (!ok) {
        program_no_memory(problem);
        entry_points_release(entries);
    }
    return ok;
}

void entry_points_release(struct entry_points *entries)
{
    memory_release(entries->items);
    *entries = (struct entry_points){NULL, 0};
}

const struct entry_point *entry_points_of(const struct entry_points *entries, uint32_t method,
                                          uint32_t *count)
{
    uint32_t low = 0, high = entries->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (entries->items[middle].method < method)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t end = low;
    while (end < entries->count && entries->items[end].method == method)
        end++;
    *count = end - low;
    return end > low ? &entries->items[low] : NULL;
}

const char *entry_kind_name(enum entry_kind kind)
{
    static const char *const names[ENTRY_KIND_COUNT] = {"main",          "thread",     "container",
                                                        "event",         "test",       "finalizer",
                                                        "serialization", "initializer"};
    return kind < ENTRY_KIND_COUNT ? names[kind] : "?";
}
