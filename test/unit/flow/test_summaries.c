/*
 * Summaries: getters, constructors that store their parameters, fields that are the same as others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flow/flow_fixture.h"

static struct flow_fixture shared;

static int open_shared(void **unused)
{
    (void)unused;
    fixture_open(&shared);
    return 0;
}

static int close_shared(void **unused)
{
    (void)unused;
    fixture_close(&shared);
    return 0;
}

static void print_summary_term(term number, bool is_static)
{
    struct term_printer printer = {
        .program = &shared.program, .table = &shared.summaries.terms, .is_static = is_static};
    builder_clear(&shared.text);
    term_print(&printer, number, &shared.text);
}

/* "" if nothing is known. */
static struct text returned(const char *class_name, const char *name)
{
    uint32_t method = fixture_method(&shared, class_name, name);
    const struct method_summary *summary = flow_summaries_of(&shared.summaries, method);
    if (!summary || summary->returned == TERM_NONE)
        return TEXT("");
    print_summary_term(summary->returned,
                       (shared.program.methods[method].access & ACCESS_STATIC) != 0);
    return builder_text(&shared.text);
}

static void test_returned(void **unused)
{
    (void)unused;
    assert_text(returned("Samples", "getMu"), "this.mu");
    assert_text(returned("Samples", "self"), "this");
    assert_text(returned("Samples", "muOf"), "parameter 1.mu");
    assert_text(returned("Samples", "getVarying"), "");
    assert_text(returned("Samples", "either"), "");
    assert_text(returned("Samples", "unknown"), "");
}

static struct text alias(const char *class_name, const char *name)
{
    term found = flow_summaries_alias(&shared.summaries, fixture_field(&shared, class_name, name));
    if (found == TERM_NONE)
        return TEXT("");
    print_summary_term(found, false);
    return builder_text(&shared.text);
}

static void test_aliases(void **unused)
{
    (void)unused;
    assert_text(alias("Samples", "reading"), "this.rw.readLock()");
    assert_text(alias("Samples", "writing"), "this.rw.writeLock()");
    assert_text(alias("Samples", "changed"), "this.lock"); /* newCondition returns its lock */
    assert_text(alias("Samples", "SAME"), "Samples.GLOBAL");
    assert_text(alias("Samples$Derived", "me"), "this");
    assert_text(alias("Samples$Derived", "second"), "");
    assert_text(alias("Samples", "mu"), "");
    assert_text(alias("Samples", "rw"), "");
    assert_text(alias("Samples", "GLOBAL"), "");
    assert_text(alias("Samples", "varying"), "");
}

/* Constructors that do not agree. */
static void test_agreement(void **unused)
{
    (void)unused;
    assert_text(alias("Samples$Agreeing", "same"), "this.first");
    assert_text(alias("Samples$Agreeing", "sometimes"), "");
}

static struct text stored(const char *class_name, const char *descriptor, const char *field)
{
    uint32_t method = program_find_method(&shared.program, class_name, "<init>", descriptor);
    assert_int_not_equal(method, PROGRAM_NONE);
    const struct method_summary *summary = flow_summaries_of(&shared.summaries, method);
    for (uint32_t i = 0; summary && i < summary->stored_count; i++)
        if (text_is(program_field_name(&shared.program, summary->stored[i].field), field)) {
            print_summary_term(summary->stored[i].value, false);
            return builder_text(&shared.text);
        }
    return TEXT("");
}

#define TWO_OBJECTS "(Ljava/lang/Object;Ljava/lang/Object;)V"
#define ONE_OBJECT "(Ljava/lang/Object;)V"

static void test_stored(void **unused)
{
    (void)unused;
    assert_text(stored("Samples$Base", ONE_OBJECT, "baseLock"), "parameter 1");
    assert_text(stored("Samples$Derived", TWO_OBJECTS, "second"), "parameter 2");
    assert_text(stored("Samples$Derived", TWO_OBJECTS, "me"), "this");
    /* By way of super(...), and of this(...). */
    assert_text(stored("Samples$Derived", TWO_OBJECTS, "baseLock"), "parameter 1");
    assert_text(stored("Samples$Derived", ONE_OBJECT, "second"), "parameter 1");
    assert_text(stored("Samples$Derived", ONE_OBJECT, "baseLock"), "parameter 1");
    /* The instance around it. */
    assert_text(stored("Samples$Inner", "(LSamples;)V", "this$0"), "parameter 1");
    assert_text(stored("Samples", "()V", "mu"), "");
}

static bool build_without_memory(void *context)
{
    (void)context;
    struct flow_summaries summaries;
    struct problem problem;
    problem_clear(&problem);
    bool done = flow_summaries_build(&summaries, &shared.types, &shared.graph, &problem);
    if (done)
        flow_summaries_release(&summaries);
    else
        assert_true(problem.set);
    return done;
}

static void test_memory(void **unused)
{
    (void)unused;
    assert_true(support_fail_each_request(build_without_memory, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_returned),  cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_agreement), cmocka_unit_test(test_stored),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, open_shared, close_shared);
}
