/*
 * checker_run: every method by every rule, and the problems of the lock types themselves.
 */
#include "base/parallel.h"
#include "check/accessors.h"
#include "check/method_check.h"
#include "classfile/names.h"

typedef void (*rule_function)(struct method_check *check);

static const rule_function rules[] = {
#define RULE(name) rule_##name,
#include "check/rules.def"
#undef RULE
};

struct rule_work {
    const struct checker *checker;
    struct finding_list *lists; /* one for each worker; so are the arenas */
    struct arena *arenas;
    _Atomic uint32_t typed;
    _Atomic bool out_of_memory;
};

static void judge_method(struct rule_work *work, uint32_t method, unsigned worker)
{
    struct method_check check;
    struct arena *arena = &work->arenas[worker];
    arena_clear(arena);
    if (method_check_init(&check, work->checker, method, arena, &work->lists[worker])) {
        for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
            rules[i](&check);
        work->typed += check.reported == 0;
    }
    method_check_release(&check);
    if (arena->failed)
        work->out_of_memory = true;
}

static void judge_class(void *context, size_t item, unsigned worker)
{
    struct rule_work *work = context;
    const struct program_class *class = &work->checker->program->classes[item];
    for (uint32_t i = 0; i < class->method_count; i++) {
        const uint32_t method = class->first_method + i;
        if (work->checker->flows[method] && !accessors_is_one(work->checker, method))
            judge_method(work, method, worker);
    }
}

/* ---- what binding found ---- */

static bool add_problems(const struct checker *checker, struct finding_list *findings)
{
    const struct lock_types *types = checker->types;
    struct arena arena;
    bool added = true;
    arena_init(&arena);
    for (size_t i = 0; i < types->problems.count && added; i++) {
        const struct lock_problem *problem = &types->problems.items[i];
        const struct text file = problem->place.file;
        if (checker->options.silenced[problem->rule])
            continue;
        const struct finding finding = {
            .rule = problem->rule,
            .basis = problem->basis,
            .class_name =
                problem->class_id == PROGRAM_NONE
                    ? TEXT("")
                    : names_dotted(&arena, checker->program->classes[problem->class_id].name),
            .member = problem->member,
            .signature = problem->signature,
            .file = text_slice(file, (size_t)(text_find_last(file, '/') + 1), file.length),
            .line = problem->place.line,
            .message = problem->message,
        };
        added = finding_list_add(findings, &finding) != NULL && !arena.failed;
    }
    arena_release(&arena);
    return added;
}

/* ---- statistics ---- */

static void count_fields(struct checker *checker)
{
    const struct program *program = checker->program;
    struct checker_stats *stats = &checker->stats;
    for (uint32_t field = 0; field < program->application_field_count; field++) {
        const struct field_locks *locks = lock_types_field(checker->types, field);
        if (locks->guard == GUARD_WRITES)
            stats->fields_write_guarded++;
        else if (locks->guard == GUARD_ALWAYS) {
            const enum term_kind kind =
                locks->locks.count ? term_kind(&checker->types->terms, locks->locks.items[0])
                                   : TERM_KIND_NONE;
            stats->fields_guarded_this += kind == TERM_PARAMETER;
            stats->fields_guarded_class += kind == TERM_CLASS;
            stats->fields_guarded_other += kind != TERM_PARAMETER && kind != TERM_CLASS;
        } else if (beliefs_of(&checker->beliefs, field))
            stats->fields_believed++;
        else if (lock_types_is_final(checker->types, field))
            stats->fields_final++;
        else if (program->fields[field].access & ACCESS_VOLATILE)
            stats->fields_volatile++;
        else
            stats->fields_unguarded++;
    }
    stats->beliefs_silent = checker->beliefs.silent;
}

static void count_accesses(struct checker *checker)
{
    for (uint32_t i = 0; i < checker->program->application_method_count; i++) {
        const struct method_flow *flow = checker->flows[i];
        for (uint32_t k = 0; flow && k < flow->event_count; k++) {
            const struct flow_event *event = &flow->events[k];
            if ((event->kind != EVENT_READ && event->kind != EVENT_WRITE) ||
                event->id >= checker->program->application_field_count)
                continue;
            checker->stats.accesses++;
            checker->stats.accesses_checked +=
                lock_types_field(checker->types, event->id)->guard != GUARD_NONE ||
                beliefs_of(&checker->beliefs, event->id) != NULL;
        }
    }
}

bool checker_run(struct checker *checker, struct finding_list *findings, struct problem *problem)
{
    struct rule_work work = {
        .checker = checker,
        .lists = ARENA_ARRAY(&checker->arena, struct finding_list, checker->worker_count),
        .arenas = ARENA_ARRAY(&checker->arena, struct arena, checker->worker_count)};
    bool complete = work.lists && work.arenas;
    count_fields(checker);
    count_accesses(checker);
    if (complete) {
        for (unsigned i = 0; i < checker->worker_count; i++) {
            finding_list_init(&work.lists[i]);
            arena_init(&work.arenas[i]);
        }
        parallel_for(checker->program->application_count, checker->worker_count, judge_class,
                     &work);
        complete = !work.out_of_memory;
        for (unsigned i = 0; i < checker->worker_count; i++) {
            for (size_t k = 0; k < work.lists[i].items.count && complete; k++)
                complete = finding_list_add(findings, work.lists[i].items.items[k]) != NULL;
            finding_list_release(&work.lists[i]);
            arena_release(&work.arenas[i]);
        }
        checker->stats.methods_typed = work.typed;
    }
    complete = complete && add_problems(checker, findings);
    if (!complete)
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    return complete;
}
