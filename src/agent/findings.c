#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent/runtime.h"
#include "base/builder.h"
#include "classfile/names.h"
#include "report/report_json.h"
#include "report/report_text.h"
#include "report/run_log.h"

enum {
    PAIRS_MAX = 1 << 20,
    EXACT_STACKS = 512, /* so many accesses of a variable that has shown a race */
};

/* A race that became a finding, or a part of one: its repetitions are counted by the filter. */
struct shown {
    struct race race;
    const struct finding *finding;
};

static struct {
    struct race_filter filter;
    pthread_mutex_t lock; /* for the list */
    struct finding_list list;
    size_t kept[2]; /* how many there are of observed races ([1]) and of others */
    VECTOR(struct shown) shown;
    /* By variable: 0 if it has shown no race; else one more than the number of its accesses that
       are still to have stacks of their own. */
    struct sites_index troubled;
    _Atomic uint64_t dropped; /* beyond the number of reports */
} findings = {.lock = PTHREAD_MUTEX_INITIALIZER};

void findings_init(void)
{
    race_filter_init(&findings.filter, PAIRS_MAX);
    finding_list_init(&findings.list);
}

bool findings_troubled(uint32_t variable)
{
    uint32_t left = sites_index_at(&findings.troubled, variable);
    if (left <= 1)
        return false;
    sites_index_set(&findings.troubled, variable, left - 1);
    return true;
}

/* ---- a race in words ---- */

static struct text formatted(struct arena *arena, const char *format, struct text text)
{
    struct builder builder;
    builder_init(&builder);
    builder_add_format(&builder, format, TEXT_ARGUMENTS(text));
    struct text copy = text_copy(arena, builder_text(&builder));
    builder_release(&builder);
    return copy;
}

/* "int[]" of "[I", "String" of "Ljava/lang/String;" */
static struct text type_name(struct arena *arena, struct text descriptor)
{
    static const char letters[] = "BCDFIJSZ";
    static const char *const names[] = {"byte", "char", "double",  "float",
                                        "int",  "long", "boolean", "short"};
    size_t dimensions = 0;
    while (dimensions < descriptor.length && descriptor.bytes[dimensions] == '[')
        dimensions++;
    struct text element = text_slice(descriptor, dimensions, descriptor.length);
    struct builder builder;
    builder_init(&builder);
    if (element.length == 1 && strchr(letters, element.bytes[0])) {
        size_t letter = (size_t)(strchr(letters, element.bytes[0]) - letters);
        builder_add_string(&builder, names[letter == 6 ? 7 : letter == 7 ? 6 : letter]);
    } else if (element.length > 2) {
        struct text name = names_dotted(arena, text_slice(element, 1, element.length - 1));
        builder_add(&builder,
                    text_slice(name, (size_t)(text_find_last(name, '.') + 1), name.length));
    }
    for (size_t i = 0; i < dimensions; i++)
        builder_add_string(&builder, "[]");
    struct text copy = text_copy(arena, builder_text(&builder));
    builder_release(&builder);
    return copy;
}

/* What the finding is about: class, member, signature. `subject` is for the message. */
static void name_variable(struct arena *arena, const struct accessed *accessed,
                          const struct site *site, struct finding *finding, struct text *subject)
{
    struct builder builder;
    builder_init(&builder);
    const bool known = accessed->name.length;
    finding->class_name = names_dotted(arena, known ? accessed->owner : site->class_name);
    finding->signature = accessed->descriptor;
    finding->member = accessed->name;
    if (accessed->kind == ACCESSED_ELEMENTS)
        finding->member = known ? formatted(arena, "%.*s[]", accessed->name)
                                : type_name(arena, accessed->descriptor);
    else if (accessed->kind == ACCESSED_COLLECTION && !known)
        finding->member = type_name(arena, accessed->descriptor);
    if (accessed->kind == ACCESSED_COLLECTION && known)
        builder_add_format(&builder, "the %.*s in ",
                           TEXT_ARGUMENTS(type_name(arena, accessed->descriptor)));
    if (known)
        builder_add_format(&builder, "%.*s.%.*s", TEXT_ARGUMENTS(finding->class_name),
                           TEXT_ARGUMENTS(finding->member));
    else
        builder_add_format(&builder, "%s %.*s in %.*s.%.*s",
                           accessed->kind == ACCESSED_ELEMENTS ? "an element of an" : "a",
                           TEXT_ARGUMENTS(finding->member), TEXT_ARGUMENTS(finding->class_name),
                           TEXT_ARGUMENTS(site->method));
    *subject = text_copy(arena, builder_text(&builder));
    builder_release(&builder);
}

/* Where an access was. */
struct place {
    uint32_t site;
    bool presumed;    /* nobody noted it */
    bool only_method; /* it may have been on another line of the method, or of one of that name */
};

/* Constructors note only the first times where they write (checks.h): of a write that nobody noted
   it is most likely that it was there. */
static struct place find_place(const struct race *race, const struct race_side *side)
{
    struct place place = {.site = side->location};
    bool only = true;
    if (!side->location && side->write) {
        place.site = sites_start_of(&runtime.sites, race->field, &only);
        place.presumed = true;
        place.only_method = !only;
    }
    return place;
}

static void describe_locks(struct arena *arena, const struct race_side *side,
                           struct finding_stack *stack)
{
    struct lockset_shown locks[LOCKSET_SHOWN_MAX];
    const uint32_t count =
        lockset_show(engine_locksets(runtime.engine), side->lockset, side->shared, locks);
    struct text *names = ARENA_ARRAY(arena, struct text, count);
    if (!names)
        return;
    for (uint32_t i = 0; i < count; i++) {
        names[i] = locks_name(arena, locks[i].lock, "lock");
        if (locks[i].shared)
            names[i] = finding_shared_lock(arena, names[i]);
    }
    stack->locks = names;
    stack->lock_count = count;
    stack->locks_unknown =
        !count && (side->lockset != LOCKSET_EMPTY || side->shared != LOCKSET_EMPTY);
}

/* The stack of an access; only its innermost frame if no more is known. A check may stand some
   lines ahead of the access, in the same method: the line is the site's. */
static void describe_frames(struct arena *arena, uint32_t number, const struct place *where,
                            struct finding_stack *stack)
{
    struct site site;
    stack->frame_count = stacks_frames(arena, number, &stack->frames);
    if (!sites_get(&runtime.sites, where->site, &site))
        return;
    stack->presumed = where->presumed;
    if (where->only_method)
        site.line = 0;
    const struct finding_frame place = {names_dotted(arena, site.class_name), site.method,
                                        site.file, site.line};
    const size_t count = stack->frame_count ? stack->frame_count : 1;
    if (stack->frame_count && (!text_equal(stack->frames[0].class_name, place.class_name) ||
                               !text_equal(stack->frames[0].method, place.method)))
        return;
    struct finding_frame *frames = ARENA_ARRAY(arena, struct finding_frame, count);
    if (!frames)
        return;
    if (stack->frame_count)
        memcpy(frames, stack->frames, count * sizeof *frames);
    frames[0] = place;
    stack->callers_unknown = !stack->frame_count;
    stack->frames = frames;
    stack->frame_count = count;
}

/* The stack of the access and, if it is known, of the start of its thread. */
static size_t describe_side(struct arena *arena, const struct race_side *side, uint32_t number,
                            const struct place *where, struct finding_stack *stacks)
{
    uint32_t start = 0;
    stacks[0] = (struct finding_stack){.role = side->write ? TEXT("write") : TEXT("read"),
                                       .thread = threads_name(arena, side->thread, &start)};
    describe_locks(arena, side, &stacks[0]);
    describe_frames(arena, number, where, &stacks[0]);
    stacks[1] = (struct finding_stack){
        .role = formatted(arena, "thread \"%.*s\" started", stacks[0].thread)};
    stacks[1].frame_count = stacks_frames(arena, start, &stacks[1].frames);
    return stacks[1].frame_count ? 2 : 1;
}

/* The variable by its best name: of the two sites, one may know the field that leads to it. */
static void choose_name(const struct race *race, struct site *site, struct accessed *accessed)
{
    const uint32_t places[] = {race->later.location, race->earlier.location};
    for (size_t i = 0; i < 2; i++) {
        struct site other;
        struct accessed name;
        if (!sites_get(&runtime.sites, places[i], &other) ||
            !sites_get_accessed(&runtime.sites, other.accessed, &name))
            continue;
        if (i == 0 || (!accessed->name.length && name.name.length)) {
            *site = other;
            *accessed = name;
        }
    }
    struct accessed variable;
    if ((accessed->kind == ACCESSED_FIELD || accessed->kind == ACCESSED_STATIC) &&
        sites_get_accessed(&runtime.sites, race->field, &variable) && variable.name.length)
        *accessed = variable; /* by the class that declares it */
}

void findings_name(struct arena *arena, uint32_t site, struct finding *finding)
{
    struct site place = {0};
    struct accessed accessed = {0};
    struct text subject;
    const struct race race = {.field = sites_variable_at(&runtime.sites, site),
                              .later.location = site};
    choose_name(&race, &place, &accessed);
    name_variable(arena, &accessed, &place, finding, &subject);
}

static void note_shown(const struct race *race, const struct finding *finding)
{
    struct shown shown = {*race, finding};
    if (finding && !vector_push(&findings.shown, shown))
        return; /* its repetitions are not counted */
}

/* So that it is known even if the JVM is killed. */
static void log_finding(const struct finding *finding)
{
    if (runtime.options.log.length)
        (void)run_log_found(runtime.options.log.bytes, finding);
}

/* Of an access that rewritten code noted itself, or not at all. */
static uint32_t find_stack(const struct race_side *side, const struct place *place)
{
    return place->only_method ? 0 : stacks_last_of(place->site, side->thread);
}

/* `before` is where the earlier access was. */
static void add_finding(struct arena *arena, const struct race *race, const struct place *before)
{
    struct finding_stack stacks[4];
    struct site site = {0};
    struct accessed accessed = {0};
    struct finding finding = {.rule = FINDING_RACE,
                              .grade = race->grade == RACE_OBSERVED    ? FINDING_GRADE_OBSERVED
                                       : race->grade == RACE_PREDICTED ? FINDING_GRADE_PREDICTED
                                                                       : FINDING_GRADE_DISCIPLINE,
                              .stacks = stacks};
    struct text subject;
    choose_name(race, &site, &accessed);
    name_variable(arena, &accessed, &site, &finding, &subject);
    /* What this thread does now is known exactly. */
    const struct place now = {.site = race->later.location};
    finding.stack_count = describe_side(arena, &race->later, stacks_capture(), &now, stacks);
    const uint32_t earlier =
        race->earlier.stack ? race->earlier.stack : find_stack(&race->earlier, before);
    finding.stack_count +=
        describe_side(arena, &race->earlier, earlier, before, stacks + finding.stack_count);
    if (stacks[0].frame_count) {
        finding.file = stacks[0].frames[0].file;
        finding.line = stacks[0].frames[0].line;
    }
    struct builder message;
    builder_init(&message);
    race_explain(&message, race, subject,
                 race->between ? locks_name(arena, race->between, "lock") : (struct text){0});
    finding.message = builder_text(&message);
    pthread_mutex_lock(&findings.lock);
    /* What comes later may be surer than all that came before. */
    size_t *kept = &findings.kept[finding.grade == FINDING_GRADE_OBSERVED];
    const bool shown = *kept < runtime.options.max_reports;
    const size_t count = findings.list.items.count;
    if (shown)
        note_shown(race, finding_list_add(&findings.list, &finding));
    else
        atomic_fetch_add(&findings.dropped, 1);
    *kept += findings.list.items.count - count;
    pthread_mutex_unlock(&findings.lock);
    if (shown)
        log_finding(&finding);
    builder_release(&message);
}

void findings_race(void *context, const struct race *race)
{
    (void)context;
    if (!sites_index_at(&findings.troubled, race->field))
        sites_index_set(&findings.troubled, race->field, EXACT_STACKS + 1);
    const struct place before = find_place(race, &race->earlier);
    struct race placed = *race;
    if (!before.only_method)
        placed.earlier.location = before.site; /* that place may be known from other times */
    if (!race_filter_add(&findings.filter, &placed, NULL))
        return;
    struct arena arena;
    arena_init(&arena);
    add_finding(&arena, &placed, &before);
    arena_release(&arena);
}

/* ---- the end ---- */

char *findings_own_path(const char *path)
{
    if (!runtime.options.child)
        return strdup(path);
    const char *name = strrchr(path, '/');
    const char *ending = strrchr(name ? name : path, '.');
    size_t stem =
        ending && ending != path && ending[-1] != '/' ? (size_t)(ending - path) : strlen(path);
    const size_t size = strlen(path) + 32;
    char *own = malloc(size);
    if (own)
        snprintf(own, size, "%.*s.%ld%s", (int)stem, path, (long)getpid(), path + stem);
    return own;
}

static bool write_all(int descriptor, struct text text)
{
    while (text.length) {
        ssize_t written = write(descriptor, text.bytes, text.length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text = text_slice(text, (size_t)written, text.length);
    }
    return true;
}

static void write_file(const char *path, struct text text, int flags)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC | flags, 0666);
    if (descriptor < 0 || !write_all(descriptor, text) || close(descriptor) != 0) {
        diagnostics_error(&runtime.diagnostics, "cannot write '%s': %s: the report follows here",
                          path, strerror(errno));
        write_all(STDERR_FILENO, text);
    }
}

enum { STATS_MAX = 32 };

static size_t collect_stats(struct report_stat *stats)
{
    struct engine_counts counts;
    size_t count = 0;
    engine_counts(runtime.engine, &counts);
    uint64_t locks = 0, syncs = 0;
    for (uint32_t slot = 1; slot <= counts.slots; slot++) {
        locks += runtime.threads[slot].locks;
        syncs += runtime.threads[slot].syncs;
    }
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    const struct report_stat all[] = {
        {TEXT("classes_changed"), atomic_load(&runtime.instrument.classes)},
        {TEXT("methods_changed"), atomic_load(&runtime.instrument.methods)},
        {TEXT("classes_left"), atomic_load(&runtime.classes_left)},
        {TEXT("methods_left"), atomic_load(&runtime.methods_left)},
        {TEXT("fields_watched"), atomic_load(&runtime.instrument.fields)},
        {TEXT("field_accesses_checked"), atomic_load(&runtime.instrument.accesses)},
        {TEXT("element_accesses_checked"), atomic_load(&runtime.instrument.elements)},
        {TEXT("collection_calls_checked"), atomic_load(&runtime.instrument.collections)},
        {TEXT("monitor_operations"), atomic_load(&runtime.instrument.monitors)},
        {TEXT("slow_accesses"), counts.slow_accesses},
        {TEXT("lock_events"), locks},
        {TEXT("other_synchronization_events"), syncs},
        {TEXT("races_observed"), counts.races[RACE_OBSERVED]},
        {TEXT("races_predicted"), counts.races[RACE_PREDICTED]},
        {TEXT("races_discipline"), counts.races[RACE_DISCIPLINE]},
        {TEXT("reports_dropped"), atomic_load(&findings.dropped)},
        {TEXT("shared_variables"), counts.variables},
        {TEXT("variables_forgotten"), counts.forgotten + counts.evicted},
        {TEXT("accesses_unjudged"), counts.unjudged},
        {TEXT("thread_slots"), counts.slots},
        {TEXT("threads_refused"), counts.refused},
        {TEXT("locksets"), counts.locksets},
        {TEXT("unbalanced_releases"), counts.unbalanced},
        {TEXT("clock_bytes"), counts.clock_bytes},
        {TEXT("shared_variable_bytes"), counts.variables * sizeof(struct variable)},
        {TEXT("process_peak_bytes"), (uint64_t)usage.ru_maxrss * 1024},
    };
    _Static_assert(sizeof all / sizeof all[0] <= STATS_MAX, "room for all");
    for (; count < sizeof all / sizeof all[0]; count++)
        stats[count] = all[count];
    return count;
}

static bool wants_color(void)
{
    return runtime.options.color == AGENT_COLOR_ALWAYS ||
           (runtime.options.color == AGENT_COLOR_AUTO && !runtime.options.output.length &&
            isatty(STDERR_FILENO));
}

static void write_report(size_t not_shown)
{
    struct report_stat stats[STATS_MAX];
    struct report report = {.findings = &findings.list,
                            .version = TEXT(TURNSTILE_VERSION),
                            .command = TEXT("run"),
                            .stats = stats,
                            .not_shown = not_shown,
                            .most = runtime.options.max_reports};
    if (runtime.options.stats)
        report.stat_count = collect_stats(stats);
    struct builder text;
    builder_init(&text);
    bool whole = runtime.options.format == AGENT_FORMAT_JSON
                     ? report_json_write(&report, &text)
                     : report_text_write(&report, wants_color(), &text);
    if (!whole)
        diagnostics_error(&runtime.diagnostics, "out of memory: the report is cut short");
    char *path =
        runtime.options.output.length ? findings_own_path(runtime.options.output.bytes) : NULL;
    if (path)
        write_file(path, builder_text(&text), O_CREAT | O_TRUNC);
    else if (!runtime.options.quiet || findings.list.items.count || runtime.options.stats)
        write_all(STDERR_FILENO, builder_text(&text));
    free(path);
    builder_release(&text);
}

/* Each finding gets the number of races that it stands for. */
static void count_repetitions(void)
{
    for (size_t i = 0; i < findings.list.items.count; i++) {
        struct finding *finding = findings.list.items.items[i];
        uint64_t count = 0;
        for (size_t k = 0; k < findings.shown.count; k++)
            if (findings.shown.items[k].finding == finding)
                count += race_filter_count(&findings.filter, &findings.shown.items[k].race);
        if (count > finding->count)
            finding->count = count;
    }
}

void findings_tell_beginning(void)
{
    const struct text output = runtime.options.output;
    if (!runtime.options.log.length)
        return;
    char *report = output.length && !runtime.recording ? findings_own_path(output.bytes) : NULL;
    (void)run_log_began(runtime.options.log.bytes, text_from(report ? report : ""));
    free(report);
}

void findings_tell_end(size_t count)
{
    if (!runtime.options.log.length)
        return;
    if (runtime.traced)
        (void)run_log_marked(
            runtime.options.log.bytes,
            atomic_load_explicit(&runtime.instrument.blocks, memory_order_relaxed));
    (void)run_log_ended(runtime.options.log.bytes, count);
}

void findings_add(void (*find)(struct text path, struct finding_list *list), struct text path)
{
    pthread_mutex_lock(&findings.lock);
    find(path, &findings.list);
    pthread_mutex_unlock(&findings.lock);
}

void findings_take(const struct finding *finding)
{
    pthread_mutex_lock(&findings.lock);
    (void)finding_list_add(&findings.list, finding);
    pthread_mutex_unlock(&findings.lock);
    log_finding(finding);
}

void findings_write(void)
{
    pthread_mutex_lock(&findings.lock);
    const size_t gone = finding_list_cut(&findings.list, runtime.options.max_reports);
    const uint64_t dropped = atomic_fetch_add(&findings.dropped, gone) + gone;
    count_repetitions();
    write_report((size_t)dropped);
    findings_tell_end(findings.list.items.count);
    pthread_mutex_unlock(&findings.lock);
}
