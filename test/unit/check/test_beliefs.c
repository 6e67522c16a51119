/*
 * What is believed, and how the findings are ordered. That the right ones are there is tested with
 * the programs of test/check/beliefs.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/builder.h"
#include "base/diagnostics.h"
#include "check/checker.h"
#include "locktypes/syntax_parser.h"
#include "support.h"

/* Each class has a field `value` with the same three accesses under the lock of its object, and one
   without, in a method of its own. */
#define CLASS(name, access)                                                                        \
    "class " name " {\n"                                                                           \
    "    private long value; private static Object text;\n"                                        \
    "    synchronized void add() { value++; }\n"                                                   \
    "    synchronized void remove() { value--; }\n"                                                \
    "    synchronized boolean isZero() { return value == 0; }\n" access "}\n"

static const char source[] = CLASS("Written", "void spoil() { value = 1; }\n")
    CLASS("Read", "long twice() { text = this; return value * 2; }\n") CLASS(
        "Got", "long value() { return value; }\n")
        CLASS("Described", "public String toString() { return \"it is \" + value; }\n") CLASS(
            "Logged", "void log() { text = \"it is \" + value; }\n")
            CLASS("Closed", "void close() { value = 1; }\n") CLASS(
                "Again",
                "void step() { if (value > 0) synchronized (this) { if (value > 0) value--; } }\n")
                CLASS("Acted",
                      "void step() { if (value > 0) synchronized (this) { value = 7; } }\n")
                    CLASS("Right", "") "class Few {\n"
                                       "    private long value;\n"
                                       "    synchronized void add() { value = 1; }\n"
                                       "    synchronized void remove() { value = 2; }\n"
                                       "    void spoil() { value = 3; }\n"
                                       "}\n"
                                       "class Published {\n"
                                       "    private Object item;\n"
                                       "    synchronized void one() { item = \"\"; }\n"
                                       "    synchronized void two() { item = this; }\n"
                                       "    synchronized void three() { item = null; }\n"
                                       "    Object a() { return item; }\n"
                                       "    Object b() { return item; }\n"
                                       "    Object c() { return item; }\n"
                                       "    Object d() { return item; }\n"
                                       "    void four() { item = this; }\n"
                                       "}\n";

struct fixture {
    struct support_folder folder;
    struct diagnostics diagnostics;
    struct problem problem;
    struct program program;
    struct call_graph graph;
    struct entry_points entries;
    struct field_facts facts;
    struct lock_types types;
    struct declarations platform;
    struct syntax_errors errors;
    struct arena arena;
    struct checker checker;
};

static void compile(struct fixture *fixture)
{
    char path[1024], command[4096];
    const char *jdk = getenv("TURNSTILE_JDK");
    const struct text home = jdk && jdk[0] ? text_from(jdk) : fixture->program.platform_home;
    support_folder_make(&fixture->folder);
    snprintf(path, sizeof path, "%s/Beliefs.java", fixture->folder.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(source, file);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "'%.*s/bin/javac' -nowarn -g -d '%s' '%s'",
             TEXT_ARGUMENTS(home), fixture->folder.path, path);
    assert_int_equal(system(command), 0);
}

static int set_up(void **state)
{
    static struct fixture fixture;
    const char *jdk = getenv("TURNSTILE_JDK");
    const struct program_options options = {.workers = 1, .platform = jdk && jdk[0] ? jdk : NULL};
    const struct call_graph_options graph_options = {.workers = 1};
    const struct field_facts_options facts_options = {.open_world = true};
    const struct checker_options checker_options = {.defaults = DEFAULTS_BELIEF, .workers = 1};
    struct problem *problem = &fixture.problem;
    arena_init(&fixture.arena);
    fixture.errors.arena = &fixture.arena;
    diagnostics_init(&fixture.diagnostics, stderr, DIAGNOSTICS_COLOR_NEVER);
    assert_true(program_init(&fixture.program, &options, &fixture.diagnostics, problem));
    compile(&fixture);
    assert_true(
        program_add_path(&fixture.program, fixture.folder.path, &fixture.diagnostics, problem));
    assert_true(program_link(&fixture.program, &fixture.diagnostics, problem));
    assert_true(call_graph_build(&fixture.graph, &fixture.program, &graph_options,
                                 &fixture.diagnostics, problem));
    assert_true(entry_points_find(&fixture.entries, &fixture.graph, problem));
    assert_true(field_facts_build(&fixture.facts, &fixture.graph, &facts_options, problem));
    assert_true(lock_types_init(&fixture.types, &fixture.program, &fixture.facts, problem));
    assert_true(lock_types_bind(&fixture.types, DEFAULTS_BELIEF, problem));
    assert_true(checker_init(&fixture.checker, &fixture.graph, &fixture.types, &fixture.entries,
                             &checker_options, &fixture.diagnostics, problem));
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    checker_release(&fixture->checker);
    lock_types_release(&fixture->types);
    field_facts_release(&fixture->facts);
    entry_points_release(&fixture->entries);
    call_graph_release(&fixture->graph);
    program_release(&fixture->program);
    diagnostics_release(&fixture->diagnostics);
    vector_release(&fixture->errors.items);
    arena_release(&fixture->arena);
    support_folder_remove(&fixture->folder);
    return 0;
}

static const struct belief *belief_of(const struct fixture *fixture, const char *class_name,
                                      const char *field, const char *descriptor)
{
    const uint32_t number = program_find_field(&fixture->program, class_name, field, descriptor);
    assert_int_not_equal(number, PROGRAM_NONE);
    return beliefs_of(&fixture->checker.beliefs, number);
}

/* The surety of what is found in the class. */
static uint32_t surety(const struct fixture *fixture, const char *class_name)
{
    const struct belief *belief = belief_of(fixture, class_name, "value", "J");
    assert_non_null(belief);
    return belief->surety;
}

/* Each access that goes without the lock has its own surety; those that hold it have none. */
static void test_only_bare_accesses_have_a_surety(void **state)
{
    const struct fixture *fixture = *state;
    const struct checker *checker = &fixture->checker;
    for (uint32_t method = 0; method < fixture->program.application_method_count; method++) {
        const struct method_flow *flow = checker->flows[method];
        const struct text class = program_class_of_method(&fixture->program, method)->name;
        const struct text name = program_method_name(&fixture->program, method);
        for (uint32_t i = 0; flow && text_is(class, "Written") && i < flow->event_count; i++) {
            const struct flow_event *event = &flow->events[i];
            const struct belief_break access = {method, i, event->id, event->object};
            assert_true((beliefs_surety(&checker->beliefs, &access) > 0) ==
                        (text_is(name, "spoil") && event->kind == EVENT_WRITE));
        }
    }
}

static void test_counts_are_those_of_the_accesses(void **state)
{
    const struct belief *belief = belief_of(*state, "Written", "value", "J");
    assert_non_null(belief);
    assert_int_equal(belief->guard, GUARD_ALWAYS);
    assert_int_equal(belief->held, 5);
    assert_int_equal(belief->total, 6);
    assert_int_equal(
        term_kind(&((const struct fixture *)*state)->checker.beliefs.terms, belief->lock),
        TERM_PARAMETER);
}

static void test_a_guard_of_writes_counts_writes(void **state)
{
    const struct belief *belief = belief_of(*state, "Published", "item", "Ljava/lang/Object;");
    assert_non_null(belief);
    assert_int_equal(belief->guard, GUARD_WRITES);
    assert_int_equal(belief->held, 3);
    assert_int_equal(belief->total, 4);
}

static void test_nothing_is_found_where_everything_is_held(void **state)
{
    assert_int_equal(surety(*state, "Right"), 0);
}

/* A write is worse than a read, a read that something depends on worse than one that is just
   returned, and that worse than one that only goes into a message. */
static void test_the_order_is_that_of_the_harm(void **state)
{
    const struct fixture *fixture = *state;
    assert_true(surety(fixture, "Written") > surety(fixture, "Read"));
    assert_true(surety(fixture, "Read") > surety(fixture, "Got"));
    assert_true(surety(fixture, "Got") > surety(fixture, "Described"));
    assert_true(surety(fixture, "Got") > surety(fixture, "Logged"));
    assert_true(surety(fixture, "Described") > 0);
    assert_true(surety(fixture, "Logged") > 0);
}

/* Looking without the lock and again with it is often meant; acting on what was seen without it is
   not. */
static void test_looking_again_excuses(void **state)
{
    assert_true(surety(*state, "Again") < surety(*state, "Acted"));
}

static void test_the_end_of_an_object_is_less_sure(void **state)
{
    assert_true(surety(*state, "Closed") < surety(*state, "Written"));
}

static void test_more_evidence_is_surer(void **state)
{
    assert_true(surety(*state, "Few") < surety(*state, "Written"));
}

static bool find_again(void *context)
{
    struct fixture *fixture = context;
    struct beliefs beliefs = {0};
    struct problem problem = {0};
    const bool found = beliefs_find(&beliefs, &fixture->checker, &problem);
    assert_true(found != problem.set);
    beliefs_release(&beliefs);
    return found;
}

static void test_it_survives_without_memory(void **state)
{
    assert_true(support_fail_each_request(find_again, *state) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_bare_accesses_have_a_surety),
        cmocka_unit_test(test_counts_are_those_of_the_accesses),
        cmocka_unit_test(test_a_guard_of_writes_counts_writes),
        cmocka_unit_test(test_nothing_is_found_where_everything_is_held),
        cmocka_unit_test(test_the_order_is_that_of_the_harm),
        cmocka_unit_test(test_looking_again_excuses),
        cmocka_unit_test(test_the_end_of_an_object_is_less_sure),
        cmocka_unit_test(test_more_evidence_is_surer),
        cmocka_unit_test(test_it_survives_without_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
