#include "check/atomicity_report.h"

#include "base/vector.h"
#include "check/atomicity_clusters.h"
#include "check/atomicity_path.h"
#include "classfile/names.h"

struct reporting {
    struct atomicity_inference *inference;
    struct finding_list *findings;
    struct atomicity_counts *counts;
    struct arena arena;
    bool failed;
};

/* ---- findings ---- */

static struct finding_frame frame_of(struct reporting *reporting, uint32_t method,
                                     uint32_t instruction)
{
    const struct atomic_code *code = reporting->inference->codes[method];
    return (struct finding_frame){
        .class_name = code->check.class_name,
        .method = program_method_name(reporting->inference->checker->program, method),
        .file = code->check.source_file,
        .line = method_flow_line(code->check.flow, instruction),
    };
}

static struct finding_stack stack_of(struct reporting *reporting, const char *role,
                                     const struct atomicity_step *step)
{
    struct finding_stack stack = {.role = text_from(role)};
    struct finding_frame *frames =
        ARENA_ARRAY(&reporting->arena, struct finding_frame, step->depth + 1u);
    for (uint32_t i = 0; frames && i < step->depth; i++) {
        const uint32_t method = step->methods[step->depth - 1 - i];
        const struct atomic_code *code = reporting->inference->codes[method];
        const uint32_t atom = step->atoms[step->depth - 1 - i];
        const uint32_t instruction =
            atom == UINT32_MAX ? 0 : code->check.flow->events[code->atoms[atom].event].instruction;
        frames[i] = frame_of(reporting, method, instruction);
    }
    stack.frames = frames;
    stack.frame_count = frames ? step->depth : 0;
    return stack;
}

/* "reads Account.balance", "acquires this.mu" */
static struct text describe_step(struct reporting *reporting, const struct atomicity_step *step)
{
    const uint32_t last = step->depth - 1;
    const uint32_t method = step->methods[last];
    if (step->atoms[last] == UINT32_MAX) {
        struct method_check *callee = &reporting->inference->codes[method]->check;
        return method_check_text(callee, "calls %.*s",
                                 TEXT_ARGUMENTS(method_check_method_name(callee, method)));
    }
    struct atomic_code *code = reporting->inference->codes[method];
    struct method_check *check = &code->check;
    const struct atom *atom = &code->atoms[step->atoms[last]];
    const struct flow_event *event = &check->flow->events[atom->event];
    switch (event->kind) {
    case EVENT_READ:
    case EVENT_WRITE:
        return event->id == PROGRAM_NONE
                   ? TEXT("accesses a field")
                   : method_check_text(check, "%s %.*s",
                                       event->kind == EVENT_READ ? "reads" : "writes",
                                       TEXT_ARGUMENTS(method_check_field_name(check, event->id)));
    case EVENT_ARRAY_READ:
    case EVENT_ARRAY_WRITE:
        return method_check_text(check, "%s an element of an array",
                                 event->kind == EVENT_ARRAY_READ ? "reads" : "writes");
    case EVENT_ACQUIRE:
    case EVENT_RELEASE:
        return method_check_text(check, "%s `%.*s`",
                                 event->kind == EVENT_ACQUIRE ? "acquires" : "releases",
                                 TEXT_ARGUMENTS(method_check_term(check, event->object)));
    case EVENT_CALL:
        return event->id == PROGRAM_NONE
                   ? TEXT("calls a method")
                   : method_check_text(check, "calls %.*s",
                                       TEXT_ARGUMENTS(method_check_method_name(check, event->id)));
    default:
        return TEXT("goes on");
    }
}

static bool is_silenced(const struct reporting *reporting, uint32_t method, uint32_t line)
{
    const struct checker *checker = reporting->inference->checker;
    const struct method_check *check = &reporting->inference->codes[method]->check;
    if (checker->options.silenced[FINDING_NOT_ATOMIC] ||
        no_warn_covers(&lock_types_class(checker->types, check->class_id)->no_warn,
                       FINDING_NOT_ATOMIC) ||
        no_warn_covers(&lock_types_method(checker->types, method)->no_warn, FINDING_NOT_ATOMIC))
        return true;
    for (uint32_t i = 0; check->lines && i < check->lines->count; i++) {
        const struct syntax_line *declared = check->lines->items[i];
        if (declared->kind == LINE_NO_WARN && line >= declared->first && line <= declared->last &&
            no_warn_covers(&declared->no_warn, FINDING_NOT_ATOMIC))
            return true;
    }
    return false;
}

/* The three parts: entered, commits at, violated at. `entered_at`: the instruction. */
static void add_finding(struct reporting *reporting, uint32_t method, uint32_t entered_at,
                        const struct atomicity_path *path, struct text said,
                        enum finding_basis basis)
{
    struct atomicity_inference *inference = reporting->inference;
    const struct program *program = inference->checker->program;
    struct method_check *check = &inference->codes[method]->check;
    struct finding_frame entered = frame_of(reporting, method, entered_at);
    struct finding_stack stacks[3] = {
        {.role = TEXT("entered"), .frames = &entered, .frame_count = 1}};
    size_t count = 1;
    struct text why = TEXT("");
    if (is_silenced(reporting, method, entered.line))
        return;
    if (path) {
        const struct text commit = describe_step(reporting, &path->commit);
        const struct text violation = describe_step(reporting, &path->violation);
        const bool alone =
            text_equal(commit, violation) && path->violation.value >= ATOMICITY_OF_CMPD;
        /* One step that is too much by itself has one place. */
        if (!alone)
            stacks[count++] = stack_of(reporting, "commits at", &path->commit);
        stacks[count++] = stack_of(reporting, "violated at", &path->violation);
        why = alone ? method_check_text(check, ": it %.*s%s", TEXT_ARGUMENTS(violation),
                                        path->violation.value == ATOMICITY_OF_ERROR
                                            ? " without the lock that guards it"
                                            : ", which is not one step")
                    : method_check_text(check,
                                        ": others can come in after it %.*s and before it %.*s",
                                        TEXT_ARGUMENTS(commit), TEXT_ARGUMENTS(violation));
    }
    const struct finding finding = {
        .rule = FINDING_NOT_ATOMIC,
        .basis = basis,
        .class_name = check->class_name,
        .member = program_method_name(program, method),
        .signature = program_method_descriptor(program, method),
        .file = check->source_file,
        .line = entered.line,
        .message = method_check_text(check, "%.*s%.*s.", TEXT_ARGUMENTS(said), TEXT_ARGUMENTS(why)),
        .stacks = stacks,
        .stack_count = count,
    };
    if (!finding_list_add(reporting->findings, &finding))
        reporting->failed = true;
}

static void report_method(struct reporting *reporting, uint32_t method,
                          const struct atomicity_held *held, struct text said,
                          enum finding_basis basis)
{
    struct method_check *check = &reporting->inference->codes[method]->check;
    struct atomicity_path path;
    const bool found = atomicity_path_find(reporting->inference, method, held, &path);
    add_finding(reporting, method, 0, found ? &path : NULL,
                method_check_text(check, "%.*s %.*s",
                                  TEXT_ARGUMENTS(method_check_method_name(check, method)),
                                  TEXT_ARGUMENTS(said)),
                basis);
}

/* ---- declared atomicities ---- */

static void report_bad(struct reporting *reporting, uint32_t method,
                       const struct declared_atomicity *declared)
{
    const struct checker *checker = reporting->inference->checker;
    struct method_check *check = &reporting->inference->codes[method]->check;
    const struct text file = declared->bad->place.file;
    const struct finding finding = {
        .rule = FINDING_BAD_ANNOTATION,
        .basis = FINDING_BASIS_DECLARED,
        .class_name = check->class_name,
        .member = program_method_name(checker->program, method),
        .signature = program_method_descriptor(checker->program, method),
        .file = text_slice(file, (size_t)(text_find_last(file, '/') + 1), file.length),
        .line = declared->bad->place.line,
        .message = method_check_text(check, "'%.*s': %.*s", TEXT_ARGUMENTS(declared->bad->written),
                                     TEXT_ARGUMENTS(declared->message)),
    };
    if (!checker->options.silenced[FINDING_BAD_ANNOTATION] &&
        !finding_list_add(reporting->findings, &finding))
        reporting->failed = true;
}

static term required_lock(struct atomicity_inference *inference, uint32_t method, uint32_t number)
{
    const struct entry_locks *all = &inference->checker->entry;
    const struct entry_lock *lock = &all->methods[method].locks[number];
    return lock->inferred ? (term)TERM_NONE
                          : entry_locks_copy(&all->terms, lock->lock, &inference->table.locks);
}

/* What a method requires is held wherever it is called: the other rules see to that. */
static atomicity with_required(struct atomicity_inference *inference, uint32_t method,
                               atomicity number)
{
    for (uint32_t i = 0; i < inference->checker->entry.methods[method].count; i++) {
        const term lock = required_lock(inference, method, i);
        if (lock != TERM_NONE)
            number = atomicity_given(&inference->table, number, lock, true);
    }
    return number;
}

/* The locks that the declaration speaks of are held, and those that the method requires. */
struct declared_locks {
    struct atomicity_inference *inference;
    uint32_t method;
    atomicity declared;
    term asked;
    bool found;
};

static void compare_lock(void *context, term lock)
{
    struct declared_locks *locks = context;
    locks->found = locks->found || lock == locks->asked;
}

static bool is_declared_lock(void *context, term lock)
{
    struct declared_locks *locks = context;
    locks->asked = lock;
    locks->found = false;
    atomicity_each_lock(&locks->inference->table, locks->declared, compare_lock, locks);
    for (uint32_t i = 0; i < locks->inference->checker->entry.methods[locks->method].count; i++)
        locks->found = locks->found || required_lock(locks->inference, locks->method, i) == lock;
    return locks->found;
}

static void check_declared(struct reporting *reporting, uint32_t method)
{
    struct atomicity_inference *inference = reporting->inference;
    const struct method_locks *locks = lock_types_method(inference->checker->types, method);
    /* What a bridge passes its calls on to has the same declaration, and is judged by it. */
    if (!locks->atomicity || (inference->checker->program->methods[method].access & ACCESS_BRIDGE))
        return;
    const struct declared_atomicity declared =
        atomicity_declared(inference->checker, &inference->table, &reporting->arena, method);
    const atomicity wanted = declared.value;
    if (declared.bad) {
        report_bad(reporting, method, &declared);
        return;
    }
    const atomicity found =
        with_required(inference, method, atomicity_plain(&inference->table, inference->of[method]));
    const atomicity promised =
        with_required(inference, method, atomicity_plain(&inference->table, wanted));
    if (atomicity_is_below(&inference->table, found, promised))
        return;
    struct declared_locks held_locks = {
        .inference = inference, .method = method, .declared = wanted};
    const struct atomicity_held held = {is_declared_lock, &held_locks};
    struct method_check *check = &inference->codes[method]->check;
    struct builder text;
    builder_init(&text);
    atomicity_inference_print_one(inference, method, wanted, &text);
    const struct text said = method_check_text(
        check, "is declared `%.*s`, but is `%.*s`", TEXT_ARGUMENTS(builder_text(&text)),
        TEXT_ARGUMENTS(atomicity_inference_text(inference, method)));
    builder_release(&text);
    report_method(reporting, method, &held, said, FINDING_BASIS_DECLARED);
}

/* ---- expected ones ---- */

static bool is_expected(const struct atomicity_inference *inference, uint32_t method)
{
    const struct program *program = inference->checker->program;
    const uint16_t access = program->methods[method].access;
    const struct text name = program_method_name(program, method);
    if ((access & ACCESS_SYNTHETIC) || (name.length && name.bytes[0] == '<') ||
        text_is(name, "main") || text_is(name, "run") ||
        lock_types_method(inference->checker->types, method)->atomicity)
        return false;
    return access & (ACCESS_PUBLIC | ACCESS_PROTECTED | ACCESS_SYNCHRONIZED);
}

struct site_held {
    struct atomicity_inference *inference;
    uint32_t caller, atom;
};

/* What is held at the worst call site. */
static bool is_held_at_site(void *context, term lock)
{
    const struct site_held *site = context;
    struct atomicity_inference *inference = site->inference;
    if (site->caller == UINT32_MAX)
        return false;
    struct atomic_code *code = inference->codes[site->caller];
    bool always;
    const term name =
        atom_rename_lock(code, &inference->table, &code->atoms[site->atom], lock, &always);
    const struct method_entry *entry = &inference->checker->entry.methods[site->caller];
    for (uint32_t i = 0; !always && name != TERM_NONE && i < entry->count; i++)
        if (entry_locks_copy(&inference->checker->entry.terms, entry->locks[i].lock,
                             &inference->table.locks) == name)
            return true;
    return always;
}

static struct text describe_warning(struct reporting *reporting,
                                    const struct atomicity_warning *warning,
                                    const struct atomicity_clusters *clusters)
{
    struct method_check *check = &reporting->inference->codes[warning->method]->check;
    const struct atomicity_cluster *cluster = &clusters->items[warning->cluster];
    const struct text with = cluster->lock.length ? method_check_text(check, " unless %.*s is held",
                                                                      TEXT_ARGUMENTS(cluster->lock))
                                                  : TEXT("");
    const struct text others =
        cluster->method_count > 1
            ? method_check_text(check, " (one of %u methods with the same cause)",
                                cluster->method_count)
            : TEXT("");
    return method_check_text(check, "is not atomic%.*s%.*s", TEXT_ARGUMENTS(with),
                             TEXT_ARGUMENTS(others));
}

static void report_expected(struct reporting *reporting, struct atomicity_warning *warnings,
                            uint32_t count, bool all)
{
    struct atomicity_clusters clusters;
    if (!atomicity_clusters_find(&clusters, reporting->inference, &reporting->arena, warnings,
                                 count)) {
        reporting->failed = true;
        return;
    }
    reporting->counts->clusters = clusters.count;
    for (uint32_t i = 0; i < count && !reporting->failed; i++) {
        struct site_held site = {reporting->inference, warnings[i].caller, warnings[i].caller_atom};
        const struct atomicity_held held = {is_held_at_site, &site};
        if (!all && !warnings[i].lowest)
            continue;
        reporting->counts->reported++;
        report_method(reporting, warnings[i].method, &held,
                      describe_warning(reporting, &warnings[i], &clusters), FINDING_BASIS_DEFAULT);
    }
}

/* ---- synchronized blocks ---- */

/* Whether some method on the way is reported by itself. */
static bool leads_through(const uint8_t *warned, const struct atomicity_step *step)
{
    for (uint32_t i = 0; i < step->depth; i++)
        if (warned[step->methods[i]])
            return true;
    return false;
}

static void check_blocks(struct reporting *reporting, uint32_t method, const uint8_t *warned,
                         bool all)
{
    struct atomicity_inference *inference = reporting->inference;
    struct atomic_code *code = inference->codes[method];
    struct site_held site = {.inference = inference};
    atomicity_inference_worst(inference, method, &site.caller, &site.atom);
    const struct atomicity_held held = {is_held_at_site, &site};
    for (uint32_t i = 0; i < code->atom_count && !reporting->failed; i++) {
        const struct flow_event *event = &code->check.flow->events[code->atoms[i].event];
        struct atomicity_path path;
        if (event->kind != EVENT_ACQUIRE || event->other != FLOW_BY_MONITOR ||
            !atomicity_path_find_block(inference, method, i, &held, &path))
            continue;
        reporting->counts->warnings++;
        if (!all && (leads_through(warned, &path.commit) || leads_through(warned, &path.violation)))
            continue;
        reporting->counts->reported++;
        add_finding(
            reporting, method, event->instruction, &path,
            method_check_text(&code->check, "a synchronized block of %.*s is not atomic",
                              TEXT_ARGUMENTS(method_check_method_name(&code->check, method))),
            FINDING_BASIS_DEFAULT);
    }
}

static void report_blocks(struct reporting *reporting, const struct atomicity_warning *warnings,
                          uint32_t count, bool all)
{
    const struct program *program = reporting->inference->checker->program;
    uint8_t *warned =
        arena_allocate_zeroed(&reporting->arena, program->application_method_count + 1u, 1);
    if (!warned) {
        reporting->failed = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        warned[warnings[i].method] = 1;
    for (uint32_t method = 0; method < program->application_method_count; method++)
        if (reporting->inference->codes[method])
            check_blocks(reporting, method, warned, all);
}

bool atomicity_report(struct atomicity_inference *inference, enum expect_atomic expect, bool all,
                      struct finding_list *findings, struct atomicity_counts *counts,
                      struct problem *problem)
{
    const uint32_t method_count = inference->checker->program->application_method_count;
    struct reporting reporting = {.inference = inference, .findings = findings, .counts = counts};
    VECTOR(struct atomicity_warning) warnings = VECTOR_EMPTY;
    arena_init(&reporting.arena);
    *counts = (struct atomicity_counts){0};
    for (uint32_t method = 0; method < method_count && !reporting.failed; method++) {
        struct atomicity_warning warning = {.method = method};
        if (!inference->codes[method])
            continue;
        counts->methods++;
        warning.worst =
            atomicity_inference_worst(inference, method, &warning.caller, &warning.caller_atom);
        counts->atomic += warning.worst <= ATOMICITY_OF_ATOMIC;
        if (expect != EXPECT_NONE)
            check_declared(&reporting, method);
        if (expect == EXPECT_EXPORTED && warning.worst > ATOMICITY_OF_ATOMIC &&
            is_expected(inference, method) && !vector_push(&warnings, warning))
            reporting.failed = true;
    }
    counts->warnings = (uint32_t)warnings.count;
    if (!reporting.failed && warnings.count)
        report_expected(&reporting, warnings.items, (uint32_t)warnings.count, all);
    if (!reporting.failed && expect == EXPECT_EXPORTED)
        report_blocks(&reporting, warnings.items, (uint32_t)warnings.count, all);
    vector_release(&warnings);
    arena_release(&reporting.arena);
    if (reporting.failed || inference->table.failed || inference->arena.failed)
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    return !problem->set;
}
