/*
 * lock_fields: which field a lock is taken from, by where in the rewritten code that is.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "instrument/instrument_fixture.h"
#include "instrument/lock_fields.h"

/* ---- the table ---- */

static struct lock_fields_method method_of(const char *class_name, const char *name,
                                           const char *descriptor, uint32_t length)
{
    return (struct lock_fields_method){text_from(class_name), text_from(name),
                                       text_from(descriptor), length};
}

static void add(struct lock_fields *table, const struct lock_fields_method *method, uint32_t start,
                uint32_t end, uint32_t accessed)
{
    lock_fields_add(table, method,
                    &(struct lock_fields_place){.start = start, .end = end, .accessed = accessed});
}

static void places_are_ranges(void **state)
{
    struct lock_fields table;
    (void)state;
    assert_true(lock_fields_init(&table));
    const struct lock_fields_method method = method_of("p/A", "m", "()V", 20);
    assert_int_equal(lock_fields_find(&table, &method, 4), 0);
    add(&table, &method, 4, 8, 1);
    add(&table, &method, 8, 11, 2);
    const uint32_t expected[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0};
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(lock_fields_find(&table, &method, i), expected[i]);
    lock_fields_release(&table);
}

static void all_of_a_method_counts(void **state)
{
    struct lock_fields table;
    (void)state;
    assert_true(lock_fields_init(&table));
    const struct lock_fields_method method = method_of("p/A", "m", "()V", 20);
    const struct lock_fields_method others[] = {
        method_of("p/B", "m", "()V", 20), method_of("p/A", "n", "()V", 20),
        method_of("p/A", "m", "(I)V", 20), method_of("p/A", "m", "()V", 21)};
    add(&table, &method, 4, 8, 1);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(lock_fields_find(&table, &others[i], 4), 0);
    lock_fields_release(&table);
}

/* Two classes with the same name, from different loaders. */
static void what_differs_is_not_known(void **state)
{
    struct lock_fields table;
    (void)state;
    assert_true(lock_fields_init(&table));
    const struct lock_fields_method method = method_of("p/A", "m", "()V", 20);
    add(&table, &method, 4, 8, 1);
    add(&table, &method, 4, 8, 1);
    assert_int_equal(lock_fields_find(&table, &method, 5), 1);
    assert_int_equal(table.places.count, 1);
    add(&table, &method, 5, 8, 2);
    assert_int_equal(lock_fields_find(&table, &method, 4), 1);
    assert_int_equal(lock_fields_find(&table, &method, 5), 0);
    lock_fields_release(&table);
}

static void a_table_without_memory(void **state)
{
    (void)state;
    const struct lock_fields_method method = method_of("p/A", "m", "()V", 20);
    bool known = false;
    for (long requests = 0; !known; requests++) {
        struct lock_fields table;
        assert_true(lock_fields_init(&table));
        memory_fail_after(requests);
        add(&table, &method, 4, 8, 1);
        memory_fail_after(-1);
        known = lock_fields_find(&table, &method, 4) == 1;
        add(&table, &method, 4, 8, 1);
        assert_int_equal(lock_fields_find(&table, &method, 4), 1);
        lock_fields_release(&table);
        assert_true(requests < 20);
    }
}

static void stores_say_whose_objects_are_in_a_field(void **state)
{
    (void)state;
    struct lock_fields table;
    assert_true(lock_fields_init(&table));
    assert_false(lock_fields_is_own(&table, TEXT("p/Stock"), TEXT("lock"))); /* none was seen */
    lock_fields_add_store(&table, TEXT("p/Stock"), TEXT("lock"), false);
    lock_fields_add_store(&table, TEXT("p/Stock"), TEXT("lock"), false);
    assert_true(lock_fields_is_own(&table, TEXT("p/Stock"), TEXT("lock")));
    assert_false(lock_fields_is_own(&table, TEXT("p/Special"), TEXT("lock")));
    assert_false(lock_fields_is_own(&table, TEXT("p/Stock"), TEXT("other")));
    lock_fields_add_store(&table, TEXT("p/Stock"), TEXT("lock"), true);
    assert_false(lock_fields_is_own(&table, TEXT("p/Stock"), TEXT("lock")));
    lock_fields_add_store(&table, TEXT("p/Stock"), TEXT("lock"), false);
    assert_false(lock_fields_is_own(&table, TEXT("p/Stock"), TEXT("lock")));
    lock_fields_release(&table);
}

/* ---- classes ---- */

struct classes {
    struct fixture fixture; /* first: its functions take it for the state */
    struct lock_fields table;
};

static int set_up_classes(void **state)
{
    struct classes *classes = malloc(sizeof *classes);
    start(&classes->fixture, 49); /* without frames, which are none of this */
    assert_true(lock_fields_init(&classes->table));
    classes->fixture.instrument.lock_fields = &classes->table;
    *state = classes;
    return 0;
}

static int tear_down_classes(void **state)
{
    struct classes *classes = *state;
    lock_fields_release(&classes->table);
    end(&classes->fixture);
    free(classes);
    return 0;
}

/* "p/Sample.lock" for what is known of the place in the method; "" for nothing. */
static const char *field_at(struct classes *classes, const char *method, uint32_t length,
                            uint32_t offset)
{
    struct fixture *fixture = &classes->fixture;
    struct accessed field;
    const struct lock_fields_method found = method_of("p/Sample", method, "()V", length);
    builder_clear(&fixture->text);
    if (sites_get_accessed(&fixture->sites, lock_fields_find(&classes->table, &found, offset),
                           &field))
        builder_add_format(&fixture->text, "%.*s.%.*s", TEXT_ARGUMENTS(field.owner),
                           TEXT_ARGUMENTS(field.name));
    return builder_string(&fixture->text);
}

/* The same for the call of a method of that name, the n-th in the rewritten code from 0 on. */
static const char *field_at_call(struct classes *classes, const char *method, const char *callee,
                                 unsigned number)
{
    struct fixture *fixture = &classes->fixture;
    struct bytecode bytecode;
    decode(fixture, method, &bytecode);
    for (uint32_t i = 0; i < bytecode.count; i++) {
        const struct instruction *code = &bytecode.instructions[i];
        if (code->opcode >= OP_INVOKEVIRTUAL && code->opcode <= OP_INVOKEINTERFACE &&
            text_is(class_member_reference(fixture->result, code->operand).name, callee) &&
            number-- == 0)
            return field_at(classes, method, bytecode.code->length, code->offset);
    }
    fail_msg("no call of %s", callee);
    return NULL;
}

#define OBJECT "Ljava/lang/Object;"

/* Fields, a static one, one of another class, a copy, and all of it in one method, without lines.
 */
static void monitors_of_fields(void **state)
{
    struct classes *classes = *state;
    struct fixture *fixture = &classes->fixture;
    uint16_t lock = add_field(fixture, ACCESS_FINAL, "lock", OBJECT);
    uint16_t shared = add_field(fixture, ACCESS_STATIC, "SHARED", OBJECT);
    uint16_t other = field_constant(fixture, "p/Other", "spare", OBJECT);
    METHOD(fixture, 0, "m", "()V",                                                   /* */
           OP_ALOAD_0, OP_GETFIELD, TWO(lock), OP_DUP, OP_ASTORE_2, OP_MONITORENTER, /* */
           OP_GETSTATIC, TWO(shared), OP_DUP, OP_ASTORE_3, OP_MONITORENTER,          /* */
           OP_ACONST_NULL, OP_GETFIELD, TWO(other), OP_ASTORE_1,                     /* */
           OP_ALOAD_1, OP_MONITORENTER,                                              /* */
           OP_ALOAD_0, OP_MONITORENTER, OP_RETURN);
    run(fixture);
    assert_string_equal(field_at_call(classes, "m", "entered", 0), "p/Sample.lock");
    assert_string_equal(field_at_call(classes, "m", "entered", 1), "p/Sample.SHARED");
    assert_string_equal(field_at_call(classes, "m", "entered", 2), "p/Other.spare");
    assert_string_equal(field_at_call(classes, "m", "entered", 3), "");
}

/* The hook at the entry of a synchronized method stands before everything. */
static void other_monitors(void **state)
{
    struct classes *classes = *state;
    struct fixture *fixture = &classes->fixture;
    uint16_t lock = add_field(fixture, 0, "lock", OBJECT);
    uint16_t locks = add_field(fixture, 0, "locks", "[" OBJECT);
    uint16_t call = method_constant(fixture, "p/Other", "call", "()" OBJECT);
    METHOD(fixture, ACCESS_SYNCHRONIZED, "m", "()V", /* */
           OP_ALOAD_0, OP_GETFIELD, TWO(lock), OP_MONITORENTER, OP_RETURN);
    METHOD(fixture, 0, "n", "()V", /* */
           OP_ALOAD_0, OP_GETFIELD, TWO(locks), OP_ICONST_0, OP_AALOAD, OP_MONITORENTER,
           OP_INVOKESTATIC, TWO(call), OP_MONITORENTER, OP_RETURN);
    run(fixture);
    assert_string_equal(field_at_call(classes, "m", "entered", 0), "");
    assert_string_equal(field_at_call(classes, "m", "entered", 1), "p/Sample.lock");
    assert_string_equal(field_at_call(classes, "n", "entered", 0), "");
    assert_string_equal(field_at_call(classes, "n", "entered", 1), "");
}

/* Recorded, the place is where a check method of the class is called. */
static void recorded_monitors(void **state)
{
    struct classes *classes = *state;
    struct fixture *fixture = &classes->fixture;
    fixture->instrument.recorded = true;
    uint16_t lock = add_field(fixture, ACCESS_FINAL, "lock", OBJECT);
    METHOD(fixture, 0, "m", "()V", OP_ALOAD_0, OP_GETFIELD, TWO(lock), OP_MONITORENTER, OP_RETURN);
    run(fixture);
    assert_string_equal(field_at_call(classes, "m", "$turnstile$c0", 0), "p/Sample.lock");
}

#define LOCKS "java/util/concurrent/locks/"

static void calls_of_locks(void **state)
{
    struct classes *classes = *state;
    struct fixture *fixture = &classes->fixture;
    uint16_t lock = add_field(fixture, ACCESS_FINAL, "lock", "L" LOCKS "ReentrantLock;");
    uint16_t both = add_field(fixture, ACCESS_FINAL, "both", "L" LOCKS "ReentrantReadWriteLock;");
    uint16_t condition = add_field(fixture, ACCESS_FINAL, "condition", "L" LOCKS "Condition;");
    uint16_t try = method_constant(fixture, LOCKS "ReentrantLock", "tryLock",
                                   "(JLjava/util/concurrent/TimeUnit;)Z");
    uint16_t view = method_constant(fixture, LOCKS "ReentrantReadWriteLock", "readLock",
                                    "()L" LOCKS "ReentrantReadWriteLock$ReadLock;");
    uint16_t take =
        method_constant(fixture, LOCKS "ReentrantReadWriteLock$ReadLock", "lock", "()V");
    uint16_t await = method_constant(fixture, LOCKS "AbstractQueuedSynchronizer$ConditionObject",
                                     "await", "()V");
    uint16_t own = method_constant(fixture, "p/Own", "lock", "()V");
    METHOD(fixture, 0, "m", "()V", /* */
           OP_ALOAD_0, OP_GETFIELD, TWO(lock), OP_LCONST_1, OP_ACONST_NULL, OP_INVOKEVIRTUAL,
           TWO(try), OP_POP, /* */
           OP_ALOAD_0, OP_GETFIELD, TWO(both), OP_INVOKEVIRTUAL, TWO(view), OP_INVOKEVIRTUAL,
           TWO(take), /* */
           OP_ALOAD_1, OP_INVOKEVIRTUAL, TWO(take), OP_ALOAD_0, OP_GETFIELD, TWO(condition),
           OP_INVOKEVIRTUAL, TWO(await), /* */
           OP_ALOAD_0, OP_GETFIELD, TWO(lock), OP_INVOKEVIRTUAL, TWO(own), OP_RETURN);
    run(fixture);
    assert_string_equal(field_at_call(classes, "m", "tryLock", 0), "p/Sample.lock");
    assert_string_equal(field_at_call(classes, "m", "lock", 0), "p/Sample.both");
    assert_string_equal(field_at_call(classes, "m", "lock", 1), "");
    assert_string_equal(field_at_call(classes, "m", "await", 0), "");
    assert_string_equal(field_at_call(classes, "m", "lock", 2), "");
}

/* A view of itself, in a loop, comes from nowhere. */
static void a_view_of_a_view(void **state)
{
    struct classes *classes = *state;
    struct fixture *fixture = &classes->fixture;
    uint16_t view = method_constant(fixture, LOCKS "ReentrantReadWriteLock", "readLock",
                                    "()L" LOCKS "ReentrantReadWriteLock$ReadLock;");
    METHOD(fixture, ACCESS_SYNCHRONIZED, "m", "()V", OP_ALOAD_1, OP_INVOKEVIRTUAL, TWO(view),
           OP_ASTORE_1, OP_GOTO, TWO(-5));
    run(fixture);
    assert_string_equal(field_at_call(classes, "m", "readLock", 0), "");
}

/* Nothing is inserted into such a method: its offsets are those that it had. */
static void a_class_that_stays_as_it_was(void **state)
{
    struct classes *classes = *state;
    struct fixture *fixture = &classes->fixture;
    uint16_t lock = field_constant(fixture, "java/a/Library", "lock", "L" LOCKS "Lock;");
    uint16_t take = method_constant(fixture, LOCKS "ReentrantLock", "lock", "()V");
    METHOD(fixture, ACCESS_STATIC, "m", "()V", OP_GETSTATIC, TWO(lock), OP_INVOKEVIRTUAL, TWO(take),
           OP_RETURN);
    assert_int_equal(rewrite(fixture), CLASS_UNCHANGED);
    assert_string_equal(field_at(classes, "m", 7, 2), "");
    assert_string_equal(field_at(classes, "m", 7, 3), "java/a/Library.lock");
    assert_string_equal(field_at(classes, "m", 7, 6), "");
    assert_string_equal(field_at(classes, "m", 8, 3), "");
}

/* With any request for memory refused, the class is rewritten or stays; what is known is right. */
static void classes_without_memory(void **state)
{
    struct classes *classes = *state;
    struct fixture *fixture = &classes->fixture;
    uint16_t lock = add_field(fixture, ACCESS_FINAL, "lock", OBJECT);
    METHOD(fixture, 0, "m", "()V", OP_ALOAD_0, OP_GETFIELD, TWO(lock), OP_MONITORENTER, OP_RETURN);
    run(fixture);
    struct problem problem;
    problem_clear(&problem);
    const uint32_t length = member_code(find_method(fixture, "m"))->length;
    bool known = false;
    for (long requests = 0; !known; requests++) {
        struct lock_fields table;
        struct class_rewriter rewriter;
        assert_true(lock_fields_init(&table));
        class_rewriter_init(&rewriter);
        fixture->instrument.lock_fields = &table;
        memory_fail_after(requests);
        const enum class_rewritten result =
            instrument_class(&fixture->instrument, &rewriter, NULL, fixture->bytes.bytes,
                             fixture->bytes.size, &problem);
        memory_fail_after(-1);
        assert_true(result == CLASS_REWRITTEN || !table.places.count);
        const struct lock_fields_method method = method_of("p/Sample", "m", "()V", length);
        for (uint32_t i = 0; result == CLASS_REWRITTEN && i < length; i++)
            known |= lock_fields_find(&table, &method, i) != 0;
        class_rewriter_release(&rewriter);
        lock_fields_release(&table);
        assert_true(requests < 1000);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up_classes, tear_down_classes)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_say_whose_objects_are_in_a_field),
        cmocka_unit_test(places_are_ranges),
        cmocka_unit_test(all_of_a_method_counts),
        cmocka_unit_test(what_differs_is_not_known),
        cmocka_unit_test(a_table_without_memory),
        TEST(monitors_of_fields),
        TEST(other_monitors),
        TEST(recorded_monitors),
        TEST(calls_of_locks),
        TEST(a_view_of_a_view),
        TEST(a_class_that_stays_as_it_was),
        TEST(classes_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
