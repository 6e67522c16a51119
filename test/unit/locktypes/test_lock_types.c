/*
 * Binding: what the names in declarations mean, which source counts, what is rejected and where.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "locktypes/lock_fixture.h"

#define BAD FINDING_BAD_ANNOTATION
#define VARYING FINDING_LOCK_NOT_FINAL

/* aload_0, getfield of that reference, areturn */
#define GETTER(reference) CODE("\x2A\xB4\x00" reference "\xB0")

static const struct sample bank[] = {
    OBJECT_CLASS,
    {.access = 0x21,
     .name = "p/Account",
     .super = "p/Base",
     .references = {{9, "p/Account", "mutex", OBJECT},
                    {9, "p/Account", "changing", OBJECT},
                    {9, "p/Registry", "LOCK", OBJECT}},
     .fields = {{FINAL, "mutex", OBJECT, NULL, 0},
                {0, "changing", OBJECT, NULL, 0},
                {0, "balance", "I", NULL, 0},
                {STATIC, "count", "I", NULL, 0},
                {FINAL, "rw", "Ljava/util/concurrent/locks/ReentrantReadWriteLock;", NULL, 0},
                {FINAL, "stamped", "Ljava/util/concurrent/locks/StampedLock;", NULL, 0}},
     .methods = {{0x1, "<init>", "()V", RETURN},
                 {0x1, "lock", "()" OBJECT, GETTER("\x06")},
                 {0x1, "moving", "()" OBJECT, GETTER("\x0C")},
                 {0x9, "global", "()" OBJECT, CODE("\xB2\x00\x12\xB0")},
                 {0x1, "deposit", "(ILp/Account;)V", RETURN},
                 {0x1, "deposit", "(J)V", RETURN},
                 {0x9, "transfer", "(Lp/Account;Lp/Account;)V", RETURN},
                 {0x1, "made", "()" OBJECT, CODE("\x01\xB0")}}},
    {.access = 0x21,
     .name = "p/Base",
     .super = "java/lang/Object",
     .fields = {{FINAL, "baseLock", OBJECT, NULL, 0}},
     .methods = {{0x1, "deposit", "(J)V", RETURN}}},
    {.access = 0x21,
     .name = "p/Registry",
     .super = "java/lang/Object",
     .fields = {{FINAL | STATIC, "LOCK", OBJECT, NULL, 0},
                {STATIC, "loose", OBJECT, NULL, 0},
                {FINAL, "home", "Lp/Account;", NULL, 0},
                {VOLATILE, "flag", OBJECT, NULL, 0},
                {0, "data", "I", NULL, 0}}},
    {.access = 0x20,
     .name = "p/Account$Entry",
     .super = "java/lang/Object",
     .fields = {{FINAL | SYNTHETIC, "this$0", "Lp/Account;", NULL, 0},
                {FINAL | SYNTHETIC, "val$seen", OBJECT, NULL, 0},
                {0, "value", "I", NULL, 0},
                {0, "other", "I", NULL, 0}},
     .methods = {{0x1, "<init>", "(Lp/Account;I" OBJECT ")V", RETURN}}},
    {.access = 0x21,
     .name = "p/Saving",
     .super = "p/Base",
     .references = {{9, "p/Base", "baseLock", OBJECT}},
     .fields = {{0, "rate", "I", NULL, 0}},
     .methods = {{0x1, "rateLock", "()" OBJECT, GETTER("\x06")},
                 {0x11, "fixedLock", "()" OBJECT, GETTER("\x06")}}},
    {.access = 0x21,
     .name = "p/Child",
     .super = "p/Saving",
     .methods = {{0x1, "rateLock", "()" OBJECT, CODE("\x01\xB0")}}},
    {.access = 0x20,
     .name = "p/Account$Nested",
     .super = "java/lang/Object",
     .fields = {{0, "value", "I", NULL, 0}}},
};

/* One way to name a lock, in the guard of a field of p.Account or one of its inner classes. */
static void test_lock_expressions(void **unused)
{
    (void)unused;
    static const struct {
        const char *class_name, *field, *written, *expected;
    } cases[] = {
        {"p/Account", "balance", "this", "this"},
        {"p/Account", "balance", "self", "this"},
        {"p/Account", "balance", "mutex", "this.mutex"},
        {"p/Account", "balance", "this.mutex", "this.mutex"},
        {"p/Account", "balance", "baseLock", "this.baseLock"},
        {"p/Account", "balance", "lock()", "this.mutex"},
        {"p/Account", "balance", "this.lock()", "this.mutex"},
        {"p/Account", "balance", "global()", "p.Registry.LOCK"},
        {"p/Account", "balance", "Account.global()", "p.Registry.LOCK"},
        {"p/Account", "balance", "rw", "this.rw"},
        {"p/Account", "balance", "rw.readLock()", "this.rw.readLock()"},
        {"p/Account", "balance", "this.rw.writeLock()", "this.rw.writeLock()"},
        {"p/Account", "balance", "stamped.asReadLock()", "this.stamped.readLock()"},
        {"p/Account", "balance", "Account.class", "p.Account.class"},
        {"p/Account", "balance", "p.Account.class", "p.Account.class"},
        {"p/Account", "balance", "Account.Nested.class", "p.Account$Nested.class"},
        {"p/Account", "balance", "Nested.class", "p.Account$Nested.class"},
        {"p/Account", "balance", "Registry.LOCK", "p.Registry.LOCK"},
        {"p/Account", "balance", "p.Registry.LOCK", "p.Registry.LOCK"},
        {"p/Account", "balance", "Account.this.mutex", "this.mutex"},
        {"p/Account", "balance", "thisThread", "thisThread"},
        {"p/Account", "balance", "readonly", "readonly"},
        {"p/Account", "mutex", "itself", "itself"},
        {"p/Account", "mutex", "mutex", "itself"},
        {"p/Account", "mutex", "lock()", "itself"},
        {"p/Registry", "LOCK", "Registry.LOCK", "itself"},
        {"p/Account", "count", "Account.class", "p.Account.class"},
        {"p/Account", "count", "Registry.LOCK", "p.Registry.LOCK"},
        {"p/Registry", "data", "home.mutex", "this.home.mutex"},
        {"p/Registry", "data", "home.lock()", "this.home.mutex"},
        {"p/Registry", "data", "LOCK", "p.Registry.LOCK"},
        {"p/Saving", "rate", "fixedLock()", "this.baseLock"},
        {"p/Account$Entry", "value", "this", "this"},
        {"p/Account$Entry", "value", "Account.this", "p.Account.this"},
        {"p/Account$Entry", "value", "Account.this.mutex", "p.Account.this.mutex"},
        {"p/Account$Entry", "value", "p.Account.this.mutex", "p.Account.this.mutex"},
        {"p/Account$Entry", "value", "mutex", "p.Account.this.mutex"},
        {"p/Account$Entry", "value", "baseLock", "p.Account.this.baseLock"},
        {"p/Account$Entry", "value", "lock()", "p.Account.this.mutex"},
        {"p/Account$Entry", "value", "this$0.mutex", "p.Account.this.mutex"},
        {"p/Account$Entry", "value", "seen", "seen"},
        {"p/Account$Entry", "value", "Account$Nested.class", "p.Account$Nested.class"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct lock_fixture fixture;
        char text[200];
        locks_open(&fixture, bank, COUNT(bank));
        snprintf(text, sizeof text, "class %s { %s guarded_by %s; }", cases[i].class_name,
                 cases[i].field, cases[i].written);
        locks_say(&fixture, SOURCE_LOCKS_FILE, text);
        locks_bind(&fixture, DEFAULTS_BELIEF);
        locks_assert_problems(&fixture, NULL, 0);
        locks_assert_guard(&fixture, cases[i].class_name, cases[i].field, cases[i].expected);
        uint32_t field = locks_field(&fixture, cases[i].class_name, cases[i].field);
        assert_text(lock_types_field(&fixture.types, field)->written[0], cases[i].written);
        locks_close(&fixture);
    }
}

/* What has no meaning: the guard counts as not there, unless it only is not final. */
static void test_bad_lock_expressions(void **unused)
{
    (void)unused;
    static const struct {
        const char *class_name, *field, *written;
        enum finding_rule rule;
        const char *message, *expected;
    } cases[] = {
        {"p/Account", "balance", "mutx", BAD, "did you mean 'mutex'?", ""},
        {"p/Account", "balance", "nothingLikeIt", BAD, "no class has this name", ""},
        {"p/Account", "balance", "mutex.deep", BAD, "java.lang.Object has no field 'deep'", ""},
        {"p/Account", "balance", "Account", BAD, "write 'p.Account.class'", ""},
        {"p/Account", "balance", "balance", BAD, "primitive", ""},
        {"p/Account", "balance", "Account.mutex", BAD, "write 'this.mutex'", ""},
        {"p/Account", "balance", "#1", BAD, "no method", ""},
        {"p/Account", "balance", "loc()", BAD, "did you mean 'lock()'?", ""},
        {"p/Account", "balance", "made()", BAD, "does not just return a field", ""},
        {"p/Saving", "rate", "rateLock()", BAD, "p.Child overrides it", ""},
        {"p/Account", "balance", "Registry.this", BAD, "no class around", ""},
        {"p/Account", "balance", "owner$this", BAD, "no formal 'owner'", ""},
        {"p/Account", "count", "this", BAD, "'p.Account.class'", ""},
        {"p/Account", "count", "mutex", BAD, "there is no 'this' here", ""},
        {"p/Account$Nested", "value", "mutex", BAD, "no object of that class", ""},
        {"p/Account$Nested", "value", "Account.this", BAD, "no 'p.Account.this'", ""},
        {"p/Registry", "home", "home.mutex", BAD, "goes through 'home' itself", ""},
        {"p/Account", "balance", "changing", VARYING, "'changing' of p.Account is not final",
         "this.changing"},
        {"p/Account", "balance", "moving()", VARYING, "not final", "this.changing"},
        {"p/Account", "balance", "Registry.loose", VARYING, "not final", "p.Registry.loose"},
        {"p/Registry", "data", "flag", VARYING, "volatile", "this.flag"},
        {"p/Registry", "data", "home.changing", VARYING, "not final", "this.home.changing"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct lock_fixture fixture;
        char text[200];
        locks_open(&fixture, bank, COUNT(bank));
        snprintf(text, sizeof text, "class %s {\n %s guarded_by %s; }", cases[i].class_name,
                 cases[i].field, cases[i].written);
        locks_say(&fixture, SOURCE_LOCKS_FILE, text);
        locks_bind(&fixture, DEFAULTS_BELIEF);
        struct expected_problem expected = {2, cases[i].rule, cases[i].message};
        locks_assert_problems(&fixture, &expected, 1);
        assert_text(fixture.types.problems.items[0].member, cases[i].field);
        locks_assert_guard(&fixture, cases[i].class_name, cases[i].field, cases[i].expected);
        locks_close(&fixture);
    }
}

/* A circle of guards is cut at one of them; a field that is not final cannot guard itself. */
static void test_cycles(void **unused)
{
    (void)unused;
    static const struct expected_problem expected[] = {
        {2, BAD, "goes through 'mutex' itself"},
        {4, BAD, "goes through 'changing' itself"},
        {4, VARYING, "not final"},
    };
    struct lock_fixture fixture;
    locks_open(&fixture, bank, COUNT(bank));
    locks_say(&fixture, SOURCE_LOCKS_FILE,
              "class Account {\n"
              "  mutex guarded_by rw;\n"
              "  rw guarded_by mutex;\n"
              "  changing guarded_by changing;\n"
              "  balance guarded_by mutex;\n"
              "}\n");
    locks_bind(&fixture, DEFAULTS_BELIEF);
    locks_assert_problems(&fixture, expected, COUNT(expected));
    locks_assert_guard(&fixture, "p/Account", "mutex", "");
    locks_assert_guard(&fixture, "p/Account", "rw", "this.mutex");
    locks_assert_guard(&fixture, "p/Account", "changing", "");
    locks_assert_guard(&fixture, "p/Account", "balance", "this.mutex");
    locks_close(&fixture);
}

static void test_not_final_is_varying(void **unused)
{
    (void)unused;
    struct lock_fixture fixture;
    locks_open(&fixture, bank, COUNT(bank));
    locks_say(&fixture, SOURCE_LOCKS_FILE, "class Account { balance guarded_by changing; }");
    locks_bind(&fixture, DEFAULTS_BELIEF);
    const struct field_locks *locks =
        lock_types_field(&fixture.types, locks_field(&fixture, "p/Account", "balance"));
    assert_int_equal(term_kind(&fixture.types.terms, locks->locks.items[0]), TERM_VARYING);
    locks_close(&fixture);
}

static void test_methods(void **unused)
{
    (void)unused;
    struct lock_fixture fixture;
    locks_open(&fixture, bank, COUNT(bank));
    locks_say(&fixture, SOURCE_LOCKS_FILE,
              "class Account {\n"
              "  void deposit(int amount, Account other) requires other.mutex, #2, this;\n"
              "  void deposit(long) requires nothing;\n"
              "  static void transfer(Account a, p.Account b) requires a, b.mutex;\n"
              "  Account() requires Account.class;\n"
              "}\n"
              "class Account.Entry { Entry(int number, Object o) requires o, #2; }\n");
    locks_bind(&fixture, DEFAULTS_BELIEF);
    locks_assert_problems(&fixture, NULL, 0);
    locks_assert_requires(&fixture, "p/Account", "deposit", "(ILp/Account;)V",
                          "parameter 2.mutex, parameter 2, this");
    locks_assert_requires(&fixture, "p/Account", "deposit", "(J)V", "");
    assert_true(
        lock_types_method(&fixture.types, locks_method(&fixture, "p/Account", "deposit", "(J)V"))
            ->has_requires);
    locks_assert_requires(&fixture, "p/Account", "transfer", "(Lp/Account;Lp/Account;)V",
                          "parameter 1, parameter 2.mutex");
    locks_assert_requires(&fixture, "p/Account", "<init>", "()V", "p.Account.class");
    /* The outer instance is a parameter in the class file, but not in the source. */
    locks_assert_requires(&fixture, "p/Account$Entry", "<init>", "(Lp/Account;I" OBJECT ")V",
                          "parameter 3, parameter 3");
    locks_close(&fixture);
}

static void test_what_is_not_there(void **unused)
{
    (void)unused;
    static const char text[] = "class Account {\n"
                               "  ballance guarded_by this;\n"
                               "  void deposit(char) requires this;\n"
                               "  void depositt(long) requires this;\n"
                               "  void transfer(Account a, Account b) requires this;\n"
                               "  balance no_warn guard_not_held, gard-not-held;\n"
                               "}\n"
                               "class Acount { }\n"
                               "class java.util.Nothing { }\n";
    static const struct expected_problem expected[] = {
        {2, BAD, "p.Account has no field 'ballance': did you mean 'balance'?"},
        {3, BAD, "no method 'deposit' of p.Account has these parameters"},
        {4, BAD, "no method 'depositt': did you mean 'deposit'?"},
        {5, BAD, "there is no 'this' in a static method"},
        {6, BAD, "there is no rule 'gard-not-held': did you mean 'guard-not-held'?"},
        {8, BAD, "no class 'Acount': did you mean 'Account'?"},
        {9, BAD, "no class 'java.util.Nothing'"},
    };
    struct lock_fixture fixture;
    locks_open(&fixture, bank, COUNT(bank));
    locks_say(&fixture, SOURCE_LOCKS_FILE, text);
    locks_bind(&fixture, DEFAULTS_BELIEF);
    locks_assert_problems(&fixture, expected, COUNT(expected));
    assert_int_equal(fixture.types.problems.items[6].class_id, PROGRAM_NONE);
    const struct syntax_no_warn *no_warn =
        &lock_types_field(&fixture.types, locks_field(&fixture, "p/Account", "balance"))->no_warn;
    assert_true(no_warn_covers(no_warn, FINDING_GUARD_NOT_HELD));
    assert_false(no_warn_covers(no_warn, FINDING_OWNER_MISMATCH));
    locks_close(&fixture);

    /* The shipped file speaks of all there is; a program has some of it. */
    locks_open(&fixture, bank, COUNT(bank));
    locks_say(&fixture, SOURCE_PLATFORM,
              "class p.Account { ballance guarded_by this; void gone(); }\n"
              "class java.util.Nothing { }\n"
              "class Account { balance guarded_by this; }\n");
    locks_bind(&fixture, DEFAULTS_BELIEF);
    locks_assert_problems(&fixture, NULL, 0);
    locks_assert_guard(&fixture, "p/Account", "balance", "");
    locks_close(&fixture);
}

static void test_sources(void **unused)
{
    (void)unused;
    struct lock_fixture fixture;
    locks_open(&fixture, bank, COUNT(bank));
    locks_say(&fixture, SOURCE_ANNOTATION,
              "thread_safe class Account { balance guarded_by this; mutex guarded_by Account.class;"
              " void deposit(long) requires mutex atomic; }");
    locks_say(&fixture, SOURCE_LOCKS_FILE,
              "thread_local class Account { balance guarded_by mutex;"
              " void deposit(long) requires nothing; }");
    locks_bind(&fixture, DEFAULTS_BELIEF);
    locks_assert_problems(&fixture, NULL, 0);
    locks_assert_guard(&fixture, "p/Account", "balance", "this.mutex");
    locks_assert_guard(&fixture, "p/Account", "mutex", "p.Account.class");
    uint32_t deposit = locks_method(&fixture, "p/Account", "deposit", "(J)V");
    assert_int_equal(lock_types_method(&fixture.types, deposit)->requires.count, 0);
    assert_non_null(lock_types_method(&fixture.types, deposit)->atomicity);
    assert_int_equal(lock_types_nature(&fixture.types, class_number(&fixture.base, "p/Account")),
                     NATURE_THREAD_LOCAL);
    locks_close(&fixture);
}

static void test_contradictions(void **unused)
{
    (void)unused;
    static const struct expected_problem expected[] = {
        {2, BAD, "this guard contradicts that of a.locks:1"},
        {3, BAD, "this requires clause contradicts"},
        {4, BAD, "both thread_safe and immutable"},
    };
    struct lock_fixture fixture;
    locks_open(&fixture, bank, COUNT(bank));
    locks_say(&fixture, SOURCE_LOCKS_FILE,
              "thread_safe class Account { balance guarded_by this; mutex guarded_by Account.class;"
              " void deposit(long) requires mutex; }");
    locks_say(&fixture, SOURCE_LOCKS_FILE,
              "class Account { mutex guarded_by Account.class;\n"
              "balance guarded_by mutex;\n"
              "void deposit(long) requires this; }\n"
              "immutable class Account { }");
    locks_bind(&fixture, DEFAULTS_BELIEF);
    locks_assert_problems(&fixture, expected, COUNT(expected));
    locks_assert_guard(&fixture, "p/Account", "balance", "this");
    locks_close(&fixture);
}

/* What is said of one method counts more than what is said of all with its name. */
static void test_any_parameters(void **unused)
{
    (void)unused;
    struct lock_fixture fixture;
    locks_open(&fixture, bank, COUNT(bank));
    locks_say(&fixture, SOURCE_PLATFORM,
              "class p.Account { deposit(*) requires this acquires #2; "
              "void deposit(long) requires mutex; }");
    locks_bind(&fixture, DEFAULTS_BELIEF);
    locks_assert_problems(&fixture, NULL, 0);
    locks_assert_requires(&fixture, "p/Account", "deposit", "(J)V", "this.mutex");
    locks_assert_requires(&fixture, "p/Account", "deposit", "(ILp/Account;)V", "this");
    const struct method_locks *two = lock_types_method(
        &fixture.types, locks_method(&fixture, "p/Account", "deposit", "(ILp/Account;)V"));
    assert_int_equal(two->effect_count, 1);
    assert_int_equal(two->effects[0].kind, EFFECT_ACQUIRES);
    /* It has no second parameter. */
    assert_int_equal(
        lock_types_method(&fixture.types, locks_method(&fixture, "p/Account", "deposit", "(J)V"))
            ->effect_count,
        0);
    locks_close(&fixture);
}

static void test_class_guard(void **unused)
{
    (void)unused;
    struct lock_fixture fixture;
    locks_open(&fixture, bank, COUNT(bank));
    locks_say(&fixture, SOURCE_LOCKS_FILE,
              "class Account guarded_by mutex { changing guarded_by this; }");
    locks_bind(&fixture, DEFAULTS_BELIEF);
    locks_assert_guard(&fixture, "p/Account", "balance", "this.mutex");
    locks_assert_guard(&fixture, "p/Account", "changing", "this");
    locks_assert_guard(&fixture, "p/Account", "mutex", ""); /* final */
    locks_assert_guard(&fixture, "p/Account", "count", ""); /* static */
    locks_close(&fixture);
}

/* ---- single expressions, and memory ---- */

static void test_single_expression(void **unused)
{
    (void)unused;
    struct lock_fixture fixture;
    struct term_table terms;
    struct text message;
    struct syntax_lock lock;
    locks_open(&fixture, bank, COUNT(bank));
    locks_bind(&fixture, DEFAULTS_BELIEF);
    assert_true(term_table_init(&terms, &fixture.arena));
    uint32_t account = class_number(&fixture.base, "p/Account");
    uint32_t deposit = locks_method(&fixture, "p/Account", "deposit", "(ILp/Account;)V");
    uint32_t transfer =
        locks_method(&fixture, "p/Account", "transfer", "(Lp/Account;Lp/Account;)V");
    static const struct {
        const char *written;
        bool in_static;
        const char *message; /* "": it is good; with a term: not final */
        bool term;
    } cases[] = {
        {"#2.mutex", false, "", true},           {"mutex", false, "", true},
        {"changing", false, "not final", true},  {"mutex", true, "no 'this' here", false},
        {"#3", true, "the method has 2", false}, {"itself", false, "a field only", false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(syntax_parse_lock(&lock, &fixture.arena, text_from(cases[i].written),
                                      (struct syntax_place){0}, &fixture.errors));
        term bound = lock_types_bind_expression(&fixture.types, &lock, account,
                                                cases[i].in_static ? transfer : deposit, &terms,
                                                &fixture.arena, &message);
        assert_int_equal(bound != TERM_NONE, cases[i].term);
        if (!cases[i].message[0])
            assert_int_equal(message.length, 0);
        else
            assert_non_null(
                memmem(message.bytes, message.length, cases[i].message, strlen(cases[i].message)));
    }
    term_table_release(&terms);
    locks_close(&fixture);
}

static bool bind_again(void *context)
{
    struct lock_fixture *fixture = context;
    struct lock_types types;
    struct problem problem;
    problem_clear(&problem);
    if (!lock_types_init(&types, &fixture->base.program, NULL, &problem)) {
        assert_true(problem.set);
        return false;
    }
    bool bound = lock_types_add(&types, &fixture->declarations[0]) &&
                 lock_types_bind(&types, DEFAULTS_RFJ, &problem);
    lock_types_release(&types);
    return bound;
}

static void test_no_memory(void **unused)
{
    (void)unused;
    struct lock_fixture fixture;
    locks_open(&fixture, bank, COUNT(bank));
    locks_say(&fixture, SOURCE_LOCKS_FILE,
              "class Account<a, b> guarded_by mutex { balance guarded_by changing, mutx;\n"
              "void deposit(int i, Account<g, h> o) requires g, o.lock() atomic acquires this; }\n"
              "class Base { void deposit(long) requires this; }");
    assert_true(support_fail_each_request(bind_again, &fixture) > 5);
    locks_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lock_expressions),
        cmocka_unit_test(test_bad_lock_expressions),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_not_final_is_varying),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_what_is_not_there),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_any_parameters),
        cmocka_unit_test(test_class_guard),
        cmocka_unit_test(test_single_expression),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
