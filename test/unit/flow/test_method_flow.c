/*
 * The execution of one method: what is held where, what values are called, what is fresh.
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

/* The locks at the writes of a field, in one method of Samples. */
struct expectation {
    const char *method, *field, *locks;
    int line;
};

#define HELD(method, field, locks)                                                                 \
    {                                                                                              \
        method, field, locks, __LINE__                                                             \
    }

static void expect_all(const struct expectation *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(items[i].method, items[i - 1].method) != 0)
            fixture_run(&shared, "Samples", items[i].method);
        fixture_expect(&shared, items[i].field, items[i].locks, items[i].line);
    }
}

#define EXPECT_ALL(items) expect_all((items), sizeof(items) / sizeof *(items))

/* ---- monitors ---- */

static void test_monitors(void **unused)
{
    (void)unused;
    static const struct expectation items[] = {
        HELD("block", "a", ""),
        HELD("block", "b", "this"),
        HELD("block", "c", ""),
        HELD("method", "a", "this"),
        HELD("staticMethod", "sa", "Samples.class"),
        HELD("classLiteral", "a", "Samples.class"),
        HELD("nested", "a", "this.mu"),
        HELD("nested", "b", "this.mu, this.other"),
        HELD("nested", "c", "this.mu"),
        HELD("nested", "d", ""),
        HELD("again", "a", "this.mu 2 times"),
        HELD("again", "b", "this.mu"),
        HELD("again", "c", ""),
        HELD("early", "a", "this.mu"),
        HELD("early", "b", "this.mu"),
        HELD("early", "c", ""),
        HELD("exceptions", "a", "this.mu"),
        HELD("exceptions", "b", ""),
        HELD("exceptions", "c", ""),
        HELD("caughtInside", "a", "this.mu"),
        HELD("caughtInside", "b", "this.mu"),
        HELD("parameter", "a", "on"),
        HELD("alias", "a", "this.mu"),
        HELD("aliasOfVarying", "a", "this.varying"),
        HELD("aliasOfVarying", "b", "this.varying"),
        HELD("oneOfTwo", "a", "one of several values"),
        HELD("onBothWays", "a", "this.mu"),
        HELD("onBothWays", "b", "this.mu"),
        HELD("onBothWays", "c", "this.mu"),
        HELD("statics", "a", "Samples.GLOBAL"),
        HELD("waits", "a", "this.mu"),
        HELD("cast", "a", "this.mu"),
    };
    EXPECT_ALL(items);
}

/* Each read of a field that changes gives a value of its own. */
static void test_varying(void **unused)
{
    (void)unused;
    fixture_run(&shared, "Samples", "aliasOfVarying");
    const struct lock_set *sets = shared.flow.lock_sets;
    const struct lock_set *first = &sets[fixture_write(&shared, "a", 0)->locks];
    const struct lock_set *second = &sets[fixture_write(&shared, "b", 0)->locks];
    assert_int_not_equal(first->items[0].lock, second->items[0].lock);
    const term origin = shared.flow.origins[first->items[0].lock];
    assert_int_equal(origin, shared.flow.origins[second->items[0].lock]);
    const struct term_content content = term_content(&shared.flow.terms, origin);
    assert_int_equal(content.kind, TERM_VARYING);
    assert_int_equal(content.b, fixture_field(&shared, "Samples", "varying"));
    assert_true(lock_set_has(first, first->items[0].lock, true));
    assert_false(lock_set_has(first, second->items[0].lock, false));
}

/* Where a lock was taken. */
static void test_places(void **unused)
{
    (void)unused;
    fixture_run(&shared, "Samples", "method");
    const struct flow_event *write = fixture_write(&shared, "a", 0);
    assert_int_equal(shared.flow.lock_sets[write->locks].items[0].at, INSTRUCTION_NONE);
    assert_int_equal(shared.flow.lock_sets[0].count, 0);
    fixture_run(&shared, "Samples", "block");
    write = fixture_write(&shared, "b", 0);
    const uint32_t at = shared.flow.lock_sets[write->locks].items[0].at;
    assert_int_equal(shared.flow.bytecode.instructions[at].opcode, OP_MONITORENTER);
    assert_int_equal(method_flow_line(&shared.flow, at) + 1,
                     method_flow_line(&shared.flow, write->instruction));
    assert_int_equal(method_flow_line(&shared.flow, INSTRUCTION_NONE), 0);
}

/* ---- java.util.concurrent.locks ---- */

static void test_locks(void **unused)
{
    (void)unused;
    static const struct expectation items[] = {
        HELD("lockUnlock", "a", "this.lock"),
        /* javac writes the finally block twice: behind the try block, and for exceptions. */
        HELD("lockUnlock", "b", "this.lock | this.lock"), HELD("lockUnlock", "c", " | "),
        HELD("lockUnlock", "d", ""), HELD("nestedFinally", "a", "this.lock"),
        HELD("nestedFinally", "b", "this.lock | this.lock"),
        HELD("nestedFinally", "c", "this.lock"), HELD("nestedFinally", "d", ""),
        HELD("interruptibly", "a", "this.lock"), HELD("interruptibly", "b", "this.lock"),
        HELD("interruptibly", "c", ""), HELD("giveUp", "a", "not this.lock"),
        HELD("giveUp", "b", ""), /* as at entry: the caller holds it */
        HELD("arrayOfLocks", "a", "some value"),
        HELD("arrayOfLocks", "b", "not some value"), /* by whatever name it was taken */
    };
    EXPECT_ALL(items);
}

static void test_try(void **unused)
{
    (void)unused;
    static const struct expectation items[] = {
        HELD("tryIt", "a", "this.lock"),
        HELD("tryIt", "b", ""),
        HELD("tryIt", "c", ""),
        HELD("tryNot", "a", "this.lock"),
        HELD("tryVariable", "a", ""),
        HELD("tryVariable", "b", "this.lock"),
        HELD("tryVariable", "c", ""),
        HELD("tryVariable", "d", ""), /* it was released meanwhile */
        HELD("tryTimed", "a", ""),
        HELD("tryTimed", "b", "this.lock"),
        HELD("tryFinally", "a", "this.lock"),
        HELD("tryFinally", "b", "this.lock | this.lock"),
        HELD("tryFinally", "c", ""),
        HELD("tryTwice", "a", "this.lock"),
        HELD("tryTwice", "b", ""),
        HELD("tryStamp", "a", ""),
        HELD("tryStamp", "b", "this.stamped"),
        HELD("tryStamp", "c", "this.stamped for reading"),
    };
    EXPECT_ALL(items);
}

static void test_views(void **unused)
{
    (void)unused;
    static const struct expectation items[] = {
        HELD("readAndWrite", "a", "this.rw for reading"),
        HELD("readAndWrite", "b", "this.rw"),
        HELD("readAndWrite", "c", ""),
        HELD("views", "a", "this.rw for reading"),
        HELD("views", "b", "this.rw"),
        HELD("views", "c", "this.rw, this.rw for reading"),
        HELD("views", "d", "this.rw for reading"),
        HELD("views", "e", ""),
        HELD("readOrWrite", "a", "this.rw for reading"),
        HELD("stamps", "a", "this.stamped"),
        HELD("stamps", "b", "this.stamped for reading"),
        HELD("stamps", "c", ""),
    };
    EXPECT_ALL(items);
    fixture_run(&shared, "Samples", "views");
    const struct lock_set *sets = shared.flow.lock_sets;
    const struct lock_set *reading = &sets[fixture_write(&shared, "a", 0)->locks];
    const struct lock_set *writing = &sets[fixture_write(&shared, "b", 0)->locks];
    const term lock = reading->items[0].lock;
    assert_true(lock_set_has(reading, lock, false));
    assert_false(lock_set_has(reading, lock, true));
    assert_true(lock_set_has(writing, lock, true));
}

static void test_said(void **unused)
{
    (void)unused;
    static const struct expectation items[] = {
        HELD("asserted", "a", "this.mu as said"),
        HELD("asked", "a", "this.mu as said"),
        HELD("asked", "b", ""),
        HELD("countAsked", "a", "this.lock as said"),
        HELD("askedAndReleased", "a", "this.lock as said"),
        HELD("askedAndReleased", "b", "this.lock as said"),
        HELD("askedAndReleased", "c", "not this.lock"),
    };
    EXPECT_ALL(items);
}

/* ---- loops ---- */

static void test_loops(void **unused)
{
    (void)unused;
    static const struct expectation items[] = {
        HELD("eachNode", "a", "one of several values"),
        HELD("eachNode", "b", "one of several values"),
        HELD("eachNode", "c", ""),
        HELD("stale", "a", "one of several values"),
        HELD("leftLocked", "b", ""),
        HELD("walkLocked", "a", "this"),
        HELD("walkLocked", "b", "this"),
        HELD("walkLocked", "c", ""),
        HELD("heldAcross", "b", "this.mu"),
        HELD("heldAcross", "d", "this.mu"),
        HELD("heldAcross", "e", ""),
        HELD("waitLoop", "b", "this.mu"),
        HELD("retry", "a", "this.mu"),
        HELD("retry", "b", ""),
    };
    EXPECT_ALL(items);
}

/* The object of a write, and whether that same object is locked there. */
static bool is_locked(const struct flow_event *write)
{
    return lock_set_has(&shared.flow.lock_sets[write->locks], write->object, true);
}

/* The lock of one round does not pass for that of the next. */
static void test_stale(void **unused)
{
    (void)unused;
    fixture_run(&shared, "Samples", "stale");
    assert_false(is_locked(fixture_write(&shared, "value", 0)));
    assert_true(is_locked(fixture_write(&shared, "value", 1)));
}

static bool node_is_locked(const struct flow_event *write)
{
    const term lock = term_make(&shared.flow.terms, TERM_FIELD, write->object,
                                fixture_field(&shared, "Samples$Node", "lock"));
    return lock_set_has(&shared.flow.lock_sets[write->locks], lock, true);
}

static uint32_t held_count(const char *field)
{
    return shared.flow.lock_sets[fixture_write(&shared, field, 0)->locks].count;
}

static void test_hand_over_hand(void **unused)
{
    (void)unused;
    fixture_run(&shared, "Samples", "handOverHand");
    assert_int_equal(held_count("a"), 1); /* previous is released, the next not yet taken */
    assert_int_equal(held_count("b"), 2);
    assert_true(node_is_locked(fixture_write(&shared, "value", 0)));
    assert_true(node_is_locked(fixture_write(&shared, "value", 1)));
    assert_int_equal(held_count("c"), 1);
    assert_int_equal(held_count("d"), 0);
}

/* ---- values ---- */

static void test_getters(void **unused)
{
    (void)unused;
    static const struct expectation items[] = {
        HELD("getters", "a", "this.mu"),
        HELD("getters", "b", "this.mu"),
        HELD("getters", "c", "that.mu"),
        HELD("getters", "d", "some value"),
    };
    EXPECT_ALL(items);
    /* Base.overridden returns baseLock, Derived's does not. */
    fixture_run(&shared, "Samples$Derived", "dispatched");
    fixture_expect(&shared, "x", "some value | this", __LINE__);
}

static void test_constructed(void **unused)
{
    (void)unused;
    static const struct expectation items[] = {
        HELD("constructed", "a", "one"),
        HELD("constructed", "b", "this.mu"),
        HELD("constructed", "c", "this.mu"),
        /* What changes from round to round is not followed into the object. */
        HELD("constructedInLoop", "a", "a new object.baseLock"),
        HELD("constructedInLoop", "b", "this.mu"),
    };
    EXPECT_ALL(items);
}

static void test_inner_classes(void **unused)
{
    (void)unused;
    fixture_run(&shared, "Samples$Inner", "outer");
    fixture_expect(&shared, "a", "Samples.this", __LINE__);
    fixture_expect(&shared, "b", "Samples.this.mu", __LINE__);
    fixture_run(&shared, "Samples$1", "run");
    fixture_expect(&shared, "a", "Samples.this.mu", __LINE__);
}

static void test_lambdas(void **unused)
{
    (void)unused;
    unsigned count = 0;
    fixture_run(&shared, "Samples", "lambda");
    const struct method_flow *flow = &shared.flow;
    const term this = term_make(&shared.flow.terms, TERM_PARAMETER, 0, 0);
    const term number = term_make(&shared.flow.terms, TERM_PARAMETER, 2, 0);
    for (uint32_t i = 0; i < flow->event_count; i++) {
        const struct flow_event *event = &flow->events[i];
        if (event->kind != EVENT_LAMBDA)
            continue;
        const term *arguments = flow->arguments + event->first_argument;
        assert_int_equal(event->other,
                         program_find_class(&shared.program, TEXT("java/util/function/Consumer")));
        assert_int_equal(arguments[0], this);
        assert_int_equal(flow->lock_sets[event->locks].count, 1);
        if (count++ == 0) {
            assert_text(program_method_name(&shared.program, event->id), "lambda$lambda$0");
            assert_int_equal(event->argument_count, 2);
            assert_int_equal(arguments[1], number);
        } else {
            assert_int_equal(event->id, fixture_method(&shared, "Samples", "take"));
            assert_int_equal(event->argument_count, 1);
        }
    }
    assert_int_equal(count, 2);
}

static void test_types(void **unused)
{
    (void)unused;
    fixture_run(&shared, "Samples", "eachNode");
    const uint32_t node = program_find_class(&shared.program, TEXT("Samples$Node"));
    const struct flow_event *write = fixture_write(&shared, "a", 0);
    const struct held_lock *held = shared.flow.lock_sets[write->locks].items;
    assert_int_equal(term_kind(&shared.flow.terms, held->lock), TERM_JOIN);
    assert_int_equal(shared.flow.types[held->lock], node);
    assert_int_equal(shared.flow.types[write->object],
                     program_find_class(&shared.program, TEXT("Samples")));
    fixture_run(&shared, "Samples", "fresh");
    write = fixture_write(&shared, "stored", 0);
    assert_int_equal(shared.flow.types[write->object],
                     program_find_class(&shared.program, TEXT("Samples$Cell")));
}

/* ---- freshness ---- */

static bool is_fresh(const char *field)
{
    return (fixture_write(&shared, field, 0)->flags & EVENT_OBJECT_FRESH) != 0;
}

static void test_fresh(void **unused)
{
    (void)unused;
    fixture_run(&shared, "Samples", "fresh");
    assert_true(is_fresh("plain"));
    assert_true(is_fresh("kept"));
    assert_true(is_fresh("returned"));
    assert_false(is_fresh("stored"));
    assert_false(is_fresh("passed"));
    assert_false(is_fresh("met"));    /* it may be reached by another value */
    assert_false(is_fresh("looped")); /* any of those that the loop made */
    assert_false(is_fresh("late"));   /* passed before the exception */
    assert_false(is_fresh("shared"));
    assert_true(fixture_write(&shared, "shared", 0)->flags & EVENT_VALUE_FRESH);
    const struct flow_event *last = &shared.flow.events[shared.flow.event_count - 1];
    assert_int_equal(last->kind, EVENT_RETURN);
    assert_true(last->flags & EVENT_VALUE_FRESH);
}

/* Library methods that only write their receiver do not hand it out. */
static void test_fresh_collection(void **unused)
{
    (void)unused;
    static const bool fresh[] = {true, true, false};
    unsigned count = 0;
    fixture_run(&shared, "Samples", "freshList");
    for (uint32_t i = 0; i < shared.flow.event_count; i++) {
        const struct flow_event *event = &shared.flow.events[i];
        if (event->kind != EVENT_CALL ||
            !text_is(program_method_name(&shared.program, event->id), "add"))
            continue;
        assert_true(count < 3);
        assert_int_equal((event->flags & EVENT_OBJECT_FRESH) != 0, fresh[count++]);
        assert_true(event->flags & EVENT_DISPATCHED);
    }
    assert_int_equal(count, 3);
}

static void test_construction(void **unused)
{
    (void)unused;
    fixture_run(&shared, "Samples", "<init>");
    assert_true(fixture_write(&shared, "mu", 0)->flags & EVENT_UNDER_CONSTRUCTION);
    fixture_run(&shared, "Samples", "<clinit>");
    const struct flow_event *write = fixture_write(&shared, "GLOBAL", 0);
    assert_true(write->flags & EVENT_UNDER_CONSTRUCTION);
    assert_true(write->flags & EVENT_STATIC);
    fixture_run(&shared, "Samples", "block");
    assert_false(fixture_write(&shared, "a", 0)->flags & EVENT_UNDER_CONSTRUCTION);
}

/* ---- events ---- */

static void test_events(void **unused)
{
    (void)unused;
    static const enum event_kind kinds[] = {EVENT_WRITE,   EVENT_ACQUIRE, EVENT_WRITE,
                                            EVENT_RELEASE, EVENT_RELEASE, EVENT_THROW,
                                            EVENT_WRITE,   EVENT_RETURN};
    fixture_run(&shared, "Samples", "block");
    assert_int_equal(shared.flow.event_count, sizeof kinds / sizeof *kinds);
    for (uint32_t i = 0; i < shared.flow.event_count; i++) {
        const struct flow_event *event = &shared.flow.events[i];
        assert_int_equal(event->kind, kinds[i]);
        if (event->kind == EVENT_ACQUIRE || event->kind == EVENT_RELEASE) {
            assert_int_equal(event->other, FLOW_BY_MONITOR);
            assert_int_equal(shared.flow.lock_sets[event->locks].count,
                             event->kind == EVENT_RELEASE);
        }
    }
}

/* ---- failures ---- */

static bool run_without_memory(void *context)
{
    (void)context;
    struct arena arena;
    struct method_flow flow;
    struct problem problem;
    arena_init(&arena);
    problem_clear(&problem);
    const bool done = method_flow_run(&flow, &arena, &shared.context,
                                      fixture_method(&shared, "Samples", "handOverHand"), &problem);
    if (done)
        method_flow_release(&flow);
    else
        assert_true(problem.set);
    arena_release(&arena);
    return done;
}

static void test_memory(void **unused)
{
    (void)unused;
    assert_true(support_fail_each_request(run_without_memory, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monitors),
        cmocka_unit_test(test_varying),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_try),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_said),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_stale),
        cmocka_unit_test(test_hand_over_hand),
        cmocka_unit_test(test_getters),
        cmocka_unit_test(test_constructed),
        cmocka_unit_test(test_inner_classes),
        cmocka_unit_test(test_lambdas),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_fresh),
        cmocka_unit_test(test_fresh_collection),
        cmocka_unit_test(test_construction),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, open_shared, close_shared);
}
