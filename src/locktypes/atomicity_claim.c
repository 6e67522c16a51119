#include "locktypes/atomicity_claim.h"

#include "locktypes/annotation_clauses.h"

/* ---- what a declaration says ---- */

/* The conditions around a part of it, the innermost first. */
struct condition {
    const struct condition *around;
    struct text lock;
    bool held;
};

static bool is_required(const struct syntax_locks *requires, struct text lock)
{
    for (uint32_t i = 0; i < requires->count; i++)
        if (text_equal(requires->items[i].written, lock))
            return true;
    return false;
}

/* The weakest of the parts that can come to pass, `error` left out; CONST if there is none. The
   parser limits how deep they are. */
static enum basic_atomicity weakest(const struct syntax_atomicity *atomicity,
                                    const struct syntax_locks *requires,
                                    const struct condition *around, bool *any)
{
    if (!atomicity || !atomicity->lock) {
        if (!atomicity || atomicity->basic == ATOMICITY_ERROR)
            return ATOMICITY_CONST;
        *any = true;
        return atomicity->basic;
    }
    const struct text lock = atomicity->lock->written;
    const struct condition *known = around;
    while (known && !text_equal(known->lock, lock))
        known = known->around;
    const bool held = known ? known->held : is_required(requires, lock);
    const bool open = !known && !held; /* it may be held or not */
    const struct condition with = {around, lock, true}, without = {around, lock, false};
    const enum basic_atomicity then =
        held || open ? weakest(atomicity->then, requires, &with, any) : ATOMICITY_CONST;
    const enum basic_atomicity otherwise =
        !held || open ? weakest(atomicity->otherwise, requires, &without, any) : ATOMICITY_CONST;
    return then > otherwise ? then : otherwise;
}

enum atomicity_claim atomicity_claim(const struct syntax_atomicity *atomicity,
                                     const struct syntax_locks *requires)
{
    if (!atomicity)
        return CLAIM_NONE;
    bool any = false;
    const enum basic_atomicity worst = weakest(atomicity, requires, NULL, &any);
    return any && worst <= ATOMICITY_ATOMIC ? CLAIM_ATOMIC : CLAIM_OTHER;
}

/* ---- annotations ---- */

/* @Atomic of any package. */
static bool is_atomic(struct text descriptor)
{
    const struct text end = TEXT("Atomic;");
    if (!text_ends_with(descriptor, end) || descriptor.length == end.length)
        return false;
    const size_t before = descriptor.length - end.length - 1;
    const char separator = descriptor.bytes[before];
    return separator == '/' || separator == '$' || (before == 0 && separator == 'L');
}

typedef void annotation_action(void *context, const struct class_file *class_file,
                               const struct annotation *annotation);

static void each_annotation(const struct class_file *class_file, const struct member *method,
                            annotation_action *action, void *context)
{
    static const enum attribute_kind kinds[] = {ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS,
                                                ATTRIBUTE_RUNTIME_INVISIBLE_ANNOTATIONS};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        const struct attribute *attribute = attributes_find(&method->attributes, kinds[kind]);
        for (uint32_t i = 0; attribute && i < attribute->as.annotations->count; i++)
            action(context, class_file, &attribute->as.annotations->items[i]);
    }
}

struct look {
    bool atomic, atomicity;
};

static void look_at(void *context, const struct class_file *class_file,
                    const struct annotation *annotation)
{
    struct look *look = context;
    const struct annotation_row *row = annotation_find(class_file, annotation);
    look->atomic |= is_atomic(class_utf8(class_file, annotation->type));
    look->atomicity |= row && row->meaning == MEANS_ATOMICITY;
}

struct reading {
    struct annotation_context context;
    struct syntax_clauses clauses;
};

static void read_clauses(void *context, const struct class_file *class_file,
                         const struct annotation *annotation)
{
    struct reading *reading = context;
    const struct annotation_row *row = annotation_find(class_file, annotation);
    if (row)
        annotation_clauses_add(&reading->context, row, annotation, ON_METHOD, &reading->clauses);
}

static bool read_atomicity(enum atomicity_claim *claim, const struct class_file *class_file,
                           const struct member *method)
{
    struct arena arena;
    arena_init(&arena);
    struct syntax_errors errors = {.arena = &arena};
    struct reading reading = {0};
    annotation_context_init(&reading.context, &arena, &errors);
    reading.context.class_file = class_file;
    reading.context.member = method;
    reading.context.is_method = true;
    each_annotation(class_file, method, read_clauses, &reading);
    *claim = atomicity_claim(reading.clauses.atomicity, &reading.clauses.requires);
    const bool done = !reading.context.no_memory && !arena.failed;
    annotation_context_release(&reading.context);
    vector_release(&errors.items);
    arena_release(&arena);
    return done;
}

bool atomicity_claim_annotated(enum atomicity_claim *claim, const struct class_file *class_file,
                               const struct member *method)
{
    struct look look = {0};
    each_annotation(class_file, method, look_at, &look);
    *claim = look.atomic ? CLAIM_ATOMIC : CLAIM_NONE;
    return look.atomic || !look.atomicity || read_atomicity(claim, class_file, method);
}
