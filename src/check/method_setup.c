/*
 * method_setup: what the rules need to know of a method before they start.
 */
#include "bytecode/decode.h"
#include "check/method_check.h"
#include "classfile/descriptor.h"
#include "classfile/names.h"

/* The name of the local at that slot when the method begins. */
static struct text local_name(const struct class_file *class_file, const struct attribute *table,
                              unsigned slot)
{
    for (uint16_t i = 0; i < table->as.local_variables->count; i++) {
        const struct local_variable *local = &table->as.local_variables->items[i];
        if (local->start == 0 && local->index == slot)
            return class_utf8(class_file, local->name);
    }
    return TEXT("");
}

static void name_parameters(struct method_check *check, const struct class_file *class_file,
                            const struct code *code)
{
    const struct attribute *table =
        attributes_find(&code->attributes, ATTRIBUTE_LOCAL_VARIABLE_TABLE);
    const struct text descriptor =
        program_method_descriptor(check->checker->program, check->method);
    size_t position = 1;
    struct text parameter;
    uint32_t number = 0;
    unsigned slot = 0;
    if (!table)
        return;
    check->parameter_names =
        ARENA_ARRAY(check->arena, struct text, (size_t)check->flow->parameter_count + 1);
    if (!check->parameter_names)
        return;
    for (uint32_t i = 0; i <= check->flow->parameter_count; i++)
        check->parameter_names[i] = TEXT("");
    if (!check->flow->is_static) {
        number++;
        slot++;
    }
    while (number < check->flow->parameter_count &&
           descriptor_next_parameter(descriptor, &position, &parameter)) {
        check->parameter_names[number++] = local_name(class_file, table, slot);
        slot += descriptor_slots(parameter);
    }
}

/* Entry locks, said in the flow's own terms. */
static bool bring_entry(struct method_check *check)
{
    const struct entry_locks *all = &check->checker->entry;
    const struct method_entry *own = &all->methods[check->method];
    struct method_flow *flow = check->flow;
    check->entry = ARENA_ARRAY(check->arena, struct entry_lock, (size_t)own->count + 1);
    check->constructing = own->constructing;
    if (!check->entry)
        return false;
    for (uint32_t i = 0; i < own->count; i++) {
        const term lock = entry_locks_copy(&all->terms, own->locks[i].lock, &flow->terms);
        if (lock == TERM_NONE)
            continue;
        check->entry[check->entry_count] = own->locks[i];
        check->entry[check->entry_count++].lock = checker_canonical(check->checker, flow, lock);
    }
    return true;
}

/* A call that is known to give back what it was given has its value, but has not made it. */
static bool has_made(const struct method_flow *flow, const struct flow_event *event)
{
    const struct term_content content = term_content(&flow->terms, event->value);
    return (content.kind != TERM_OPAQUE && content.kind != TERM_NEW) ||
           content.a == event->instruction;
}

static bool index_producers(struct method_check *check)
{
    const struct method_flow *flow = check->flow;
    check->producer_count = flow->terms.count;
    check->producers = arena_allocate_zeroed(
        check->arena, (check->producer_count + 1u) * sizeof(uint32_t), alignof(uint32_t));
    if (!check->producers)
        return false;
    for (uint32_t i = 0; i < flow->event_count; i++) {
        const struct flow_event *event = &flow->events[i];
        const bool makes = event->kind == EVENT_READ || event->kind == EVENT_ARRAY_READ ||
                           event->kind == EVENT_CALL || event->kind == EVENT_LAMBDA ||
                           event->kind == EVENT_NEW;
        if (makes && event->value != TERM_NONE && event->value < check->producer_count &&
            has_made(flow, event))
            check->producers[event->value] = i + 1;
    }
    return true;
}

static struct text source_path(struct method_check *check, const struct program_class *class)
{
    const struct text package = text_slice(class->name, 0, class->package_length);
    return package.length ? method_check_text(check, "%.*s/%.*s", TEXT_ARGUMENTS(package),
                                              TEXT_ARGUMENTS(check->source_file))
                          : check->source_file;
}

bool method_check_init(struct method_check *check, const struct checker *checker, uint32_t method,
                       struct arena *arena, struct finding_list *findings)
{
    return method_check_init_flow(check, checker, checker->flows[method], arena, findings);
}

bool method_check_init_flow(struct method_check *check, const struct checker *checker,
                            struct method_flow *flow, struct arena *arena,
                            struct finding_list *findings)
{
    const struct program *program = checker->program;
    const uint32_t method = flow->method;
    const struct program_class *class = program_class_of_method(program, method);
    const struct attribute *file =
        attributes_find(&class->class_file->attributes, ATTRIBUTE_SOURCE_FILE);
    *check = (struct method_check){
        .checker = checker,
        .flow = flow,
        .method = method,
        .class_id = program->methods[method].class_id,
        .arena = arena,
        .findings = findings,
        .class_name = names_dotted(arena, class->name),
        .source_file = file ? class_utf8(class->class_file, file->as.index) : TEXT(""),
    };
    /* The arena of the worker that executed the method may be in use by another one now. */
    check->flow->terms.arena = arena;
    check->lines = lock_types_lines(checker->types, source_path(check, class));
    name_parameters(check, class->class_file, check->flow->bytecode.code);
    return bring_entry(check) && index_producers(check) && owners_infer(check);
}

void method_check_release(struct method_check *check)
{
    owners_release(&check->owners);
}
