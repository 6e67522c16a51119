/*
 * method_report: findings of the rules, with the locks that are held and where they were taken.
 */
#include "check/method_check.h"
#include "classfile/names.h"

static bool is_silenced_by_line(const struct method_check *check, uint32_t line,
                                enum finding_rule rule)
{
    for (uint32_t i = 0; check->lines && i < check->lines->count; i++) {
        const struct syntax_line *declared = check->lines->items[i];
        if (declared->kind == LINE_NO_WARN && line >= declared->first && line <= declared->last &&
            no_warn_covers(&declared->no_warn, rule))
            return true;
    }
    return false;
}

static bool is_silenced(const struct method_check *check, const struct check_subject *subject,
                        uint32_t line)
{
    const struct lock_types *types = check->checker->types;
    return check->checker->options.silenced[subject->rule] ||
           (subject->no_warn && no_warn_covers(subject->no_warn, subject->rule)) ||
           no_warn_covers(&lock_types_class(types, check->class_id)->no_warn, subject->rule) ||
           no_warn_covers(&lock_types_method(types, check->method)->no_warn, subject->rule) ||
           is_silenced_by_line(check, line, subject->rule);
}

/* "this.mu", "this.rw for reading" */
static struct text held_name(struct method_check *check, term lock, unsigned mode)
{
    const struct text name = method_check_term(check, lock);
    return mode == LOCK_SHARED ? method_check_text(check, "%.*s for reading", TEXT_ARGUMENTS(name))
                               : name;
}

struct held_list {
    struct text *names;
    uint32_t *at; /* instruction, or INSTRUCTION_NONE */
    size_t count;
};

static struct held_list list_held(struct method_check *check, const struct flow_event *event)
{
    const struct lock_set *set = event ? &check->flow->lock_sets[event->locks] : NULL;
    const size_t most = (set ? set->count : 0) + check->entry_count + 1;
    struct held_list list = {ARENA_ARRAY(check->arena, struct text, most),
                             ARENA_ARRAY(check->arena, uint32_t, most), 0};
    if (!list.names || !list.at || !set)
        return list;
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->items[i].mode == LOCK_GIVEN_UP)
            continue;
        list.names[list.count] = held_name(check, set->items[i].lock, set->items[i].mode);
        list.at[list.count++] = set->items[i].at;
    }
    for (uint32_t i = 0; i < check->entry_count && !check->later; i++) {
        list.names[list.count] = held_name(check, check->entry[i].lock, check->entry[i].mode);
        list.at[list.count++] = INSTRUCTION_NONE;
    }
    return list;
}

/* Something held that is nearly what was needed: the same field of another object, the lock of
   another object of the class, the right lock for reading only. */
static struct text near_miss(struct method_check *check, const struct check_subject *subject)
{
    const struct method_flow *flow = check->flow;
    if (!subject->event || subject->needed == TERM_NONE)
        return TEXT("");
    const struct term_content needed = term_content(&flow->terms, subject->needed);
    const struct lock_set *set = &flow->lock_sets[subject->event->locks];
    for (uint32_t i = 0; i < set->count; i++) {
        const struct held_lock *held = &set->items[i];
        const struct term_content content = term_content(&flow->terms, held->lock);
        const bool same_path =
            needed.kind == TERM_FIELD && content.kind == TERM_FIELD && content.b == needed.b;
        const bool same_class = needed.kind != TERM_FIELD && needed.kind != TERM_CLASS &&
                                subject->needed < flow->origin_count &&
                                held->lock < flow->origin_count &&
                                flow->types[held->lock] != PROGRAM_NONE &&
                                flow->types[held->lock] == flow->types[subject->needed];
        if (held->mode == LOCK_GIVEN_UP)
            continue;
        if (held->lock == subject->needed)
            return held->mode == LOCK_SHARED ? TEXT("; it is held for reading only")
                                             : TEXT("; its monitor is held, which is another lock");
        if (same_path || same_class)
            return method_check_text(check, "; `%.*s` is held, `%.*s` is needed",
                                     TEXT_ARGUMENTS(method_check_term(check, held->lock)),
                                     TEXT_ARGUMENTS(method_check_term(check, subject->needed)));
    }
    return TEXT("");
}

static struct finding_frame frame_at(const struct method_check *check, uint32_t instruction)
{
    const struct program *program = check->checker->program;
    return (struct finding_frame){
        .class_name = check->class_name,
        .method = program_method_name(program, check->method),
        .file = check->source_file,
        .line = method_flow_line(check->flow, instruction == INSTRUCTION_NONE ? 0 : instruction),
    };
}

void method_check_report(struct method_check *check, const struct check_subject *subject)
{
    const struct program *program = check->checker->program;
    const struct held_list held = list_held(check, subject->event);
    struct finding_frame *frames = ARENA_ARRAY(check->arena, struct finding_frame, held.count + 1);
    struct finding_stack *stacks = ARENA_ARRAY(check->arena, struct finding_stack, held.count + 1);
    if (!frames || !stacks || !held.names || !held.at)
        return;
    frames[0] = frame_at(check, subject->instruction);
    if (subject->line)
        frames[0].line = subject->line;
    if (is_silenced(check, subject, frames[0].line))
        return;
    size_t count = 0;
    stacks[count++] = (struct finding_stack){.role = text_from(subject->role),
                                             .locks = held.names,
                                             .lock_count = held.count,
                                             .frames = frames,
                                             .frame_count = 1};
    for (size_t i = 0; i < held.count; i++) {
        if (held.at[i] == INSTRUCTION_NONE)
            continue;
        frames[count] = frame_at(check, held.at[i]);
        stacks[count] = (struct finding_stack){
            .role = method_check_text(check, "acquires %.*s", TEXT_ARGUMENTS(held.names[i])),
            .frames = &frames[count],
            .frame_count = 1};
        count++;
    }
    const struct text miss = near_miss(check, subject);
    const struct finding finding = {
        .rule = subject->rule,
        .basis = subject->basis,
        .class_name = names_dotted(check->arena, program->classes[subject->class_id].name),
        .member =
            subject->member.length ? subject->member : program_method_name(program, check->method),
        .signature = subject->member.length ? subject->signature
                                            : program_method_descriptor(program, check->method),
        .file = check->source_file,
        .line = frames[0].line,
        .message = method_check_text(check, "%.*s%.*s.", TEXT_ARGUMENTS(subject->message),
                                     TEXT_ARGUMENTS(miss)),
        .stacks = stacks,
        .stack_count = count,
        .surety = subject->surety,
    };
    if (finding_list_add(check->findings, &finding))
        check->reported++;
}
