/* What the engines find in traces written by hand. Each trace says why. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "engine/mover.h"
#include "trace/analysis_support.h"

static struct analysis_options races(enum engine_mode mode)
{
    struct analysis_options options = support_only(true, false, false);
    options.mode = mode;
    return options;
}

static struct analysis_options reduction(void)
{
    return support_only(false, true, false);
}

static struct analysis_options without(uint32_t refinement)
{
    struct analysis_options options = reduction();
    options.refinements &= ~refinement;
    return options;
}

static struct analysis_options lock_order(void)
{
    struct analysis_options options = support_only(false, false, false);
    options.lock_order = true;
    return options;
}

/* ---- races ---- */

/* The fork comes before both accesses, and nothing between them. */
static void test_observed_race(void **state)
{
    static const char trace[] = "T1|fork(T2)|1\n"
                                "T1|w(x)|10\n"
                                "T2|r(x)|20\n";
    (void)state;
    expect_std(trace, races(ENGINE_HYBRID), "race observed x: read 20, write 10\n");
    expect_std(trace, races(ENGINE_ORDER), "race observed x: read 20, write 10\n");
}

/* Two reads do not conflict; neither do accesses of one thread, or of different variables. */
static void test_no_conflict(void **state)
{
    (void)state;
    expect_std("T1|fork(T2)|1\nT1|r(x)|10\nT2|r(x)|20\nT1|w(y)|11\nT2|w(z)|21\n",
               races(ENGINE_HYBRID), "");
}

/* T2 has become the owner of x, as T1's write came before over the lock. When T1 comes back only
   the hand-over of L is between T2's write and its own, and no lock is held at both. */
static void test_predicted_race(void **state)
{
    static const char trace[] = "T1|fork(T2)|1\n"
                                "T1|w(x)|10\n"
                                "T1|acq(L)|11\nT1|rel(L)|12\n"
                                "T2|acq(L)|20\nT2|rel(L)|21\n"
                                "T2|w(x)|22\n"
                                "T2|acq(L)|23\nT2|rel(L)|24\n"
                                "T1|acq(L)|13\nT1|rel(L)|14\n"
                                "T1|w(x)|15\n";
    (void)state;
    expect_std(trace, races(ENGINE_HYBRID), "race predicted x: write 15, write 22\n");
    expect_std(trace, races(ENGINE_ORDER), "");
}

/* T2's write comes after the fork and before the join: well ordered, but not by a lock. */
static void test_discipline(void **state)
{
    static const char trace[] = "T1|w(x)|10\n"
                                "T1|fork(T2)|11\n"
                                "T2|w(x)|20\n"
                                "T1|join(T2)|12\n"
                                "T1|w(x)|13\n";
    struct analysis_options options = races(ENGINE_HYBRID);
    (void)state;
    expect_std(trace, options, "");
    options.discipline = true;
    expect_std(trace, options, "race discipline x: write 13, write 20\n");
    /* Locksets alone know nothing of joins. */
    expect_std(trace, races(ENGINE_LOCKSET), "race predicted x: write 13, write 20\n");
}

static void test_guarded(void **state)
{
    static const char trace[] = "T1|fork(T2)|1\n"
                                "T1|acq(L)|10\nT1|w(x)|11\nT1|rel(L)|12\n"
                                "T2|acq(L)|20\nT2|w(x)|21\nT2|rel(L)|22\n"
                                "T1|acq(L)|13\nT1|r(x)|14\nT1|rel(L)|15\n";
    (void)state;
    expect_std(trace, races(ENGINE_HYBRID), "");
    expect_std(trace, races(ENGINE_LOCKSET), "");
}

/* ---- atomicity ---- */

/* Paper 001, section 1: append holds its own lock, and gives that of the argument back between
   asking for its length and copying its characters. */
static void test_string_buffer(void **state)
{
    static const char lucky[] = "main|fork(other)|1\n"
                                "main|begin(append)|10\n"
                                "main|acq(this)|11\n"
                                "main|acq(sb)|20\nmain|r(sb.count)|21\nmain|rel(sb)|22\n"
                                "main|acq(sb)|30\nmain|r(sb.count)|31\nmain|rel(sb)|32\n"
                                "main|rel(this)|12\n"
                                "main|end(append)|13\n"
                                "other|acq(sb)|40\nother|w(sb.count)|41\nother|rel(sb)|42\n"
                                "other|acq(this)|50\nother|rel(this)|51\n";
    static const char unlucky[] = "main|fork(other)|1\n"
                                  "main|begin(append)|10\n"
                                  "main|acq(this)|11\n"
                                  "main|acq(sb)|20\nmain|r(sb.count)|21\nmain|rel(sb)|22\n"
                                  "other|acq(sb)|40\nother|w(sb.count)|41\nother|rel(sb)|42\n"
                                  "main|acq(sb)|30\nmain|r(sb.count)|31\nmain|rel(sb)|32\n"
                                  "main|rel(this)|12\n"
                                  "main|end(append)|13\n"
                                  "other|acq(this)|50\nother|rel(this)|51\n";
    (void)state;
    expect_std(lucky, reduction(),
               "atomicity predicted append: entered 10, commits at 22, violated at 30, "
               "meanwhile acquires 40\n");
    /* The two reads are initial reads of append, with the other's write between them. */
    expect_std(lucky, support_only(false, false, true),
               "atomicity predicted append: entered 10, commits at 21, meanwhile write 41, "
               "violated at 31\n");
    expect_std(unlucky, reduction(),
               "atomicity observed append: entered 10, commits at 22, violated at 30, "
               "meanwhile acquires 40\n");
    expect_std(unlucky, support_only(false, false, true),
               "atomicity observed append: entered 10, commits at 21, meanwhile write 41, "
               "violated at 31\n");
    expect_std(lucky, races(ENGINE_HYBRID), "");
}

/* Asks under the lock, acts under the lock, and gives it back in between. */
static void test_check_then_act(void **state)
{
    static const char trace[] = "T1|fork(T2)|1\n"
                                "T1|begin(put)|10\n"
                                "T1|acq(L)|11\nT1|r(x)|12\nT1|rel(L)|13\n"
                                "T1|acq(L)|14\nT1|w(x)|15\nT1|rel(L)|16\n"
                                "T1|end|17\n"
                                "T2|acq(L)|20\nT2|w(x)|21\nT2|rel(L)|22\n";
    (void)state;
    expect_std(trace, reduction(),
               "atomicity predicted put: entered 10, commits at 13, violated at 14, "
               "meanwhile acquires 20\n");
    /* Initial read, the other's final write, own final write. */
    expect_std(trace, support_only(false, false, true),
               "atomicity predicted put: entered 10, commits at 12, meanwhile write 21, "
               "violated at 15\n");
}

/* The same with the lock held all the time. */
static void test_atomic(void **state)
{
    (void)state;
    expect_std("T1|fork(T2)|1\n"
               "T1|begin(put)|10\nT1|acq(L)|11\nT1|r(x)|12\nT1|w(x)|13\nT1|rel(L)|14\nT1|end|15\n"
               "T2|begin(put)|10\nT2|acq(L)|11\nT2|r(x)|12\nT2|w(x)|13\nT2|rel(L)|14\nT2|end|15\n",
               support_only(true, true, true), "");
}

/* x++ without a lock is two non-movers; both threads do it, so one finding, seen twice. In this
   order nothing came in between. */
static void test_increment(void **state)
{
    static const char trace[] = "T1|fork(T2)|1\n"
                                "T1|begin(inc)|10\nT1|r(x)|11\nT1|w(x)|12\nT1|end|13\n"
                                "T2|begin(inc)|10\nT2|r(x)|11\nT2|w(x)|12\nT2|end|13\n";
    (void)state;
    expect_std(trace, reduction(),
               "atomicity predicted inc: entered 10, commits at 11, violated at 12, "
               "meanwhile write 12\n");
}

/* Each half is atomic, both together are not. The block without a name is told by its place. */
static void test_nested(void **state)
{
    static const char trace[] =
        "T1|fork(T2)|1\n"
        "T1|begin|10\n"
        "T1|begin(get)|11\nT1|acq(L)|12\nT1|r(x)|13\nT1|rel(L)|14\nT1|end|15\n"
        "T1|begin(set)|16\nT1|acq(L)|17\nT1|w(x)|18\nT1|rel(L)|19\nT1|end|20\n"
        "T1|end|21\n"
        "T2|begin(set)|16\nT2|acq(L)|17\nT2|w(x)|18\nT2|rel(L)|19\nT2|end|20\n";
    (void)state;
    expect_std(trace, reduction(),
               "atomicity predicted : entered 10, commits at 14, violated at 17, "
               "meanwhile acquires 17\n");
}

/* Between the two halves no thread but this one is alive, so nobody can come in: x and L pass from
   one to the next by fork and join. */
static void test_start_and_join(void **state)
{
    (void)state;
    expect_std("T1|acq(L)|2\nT1|w(x)|3\nT1|rel(L)|4\n"
               "T1|fork(T2)|5\n"
               "T2|begin(b)|10\nT2|acq(L)|11\nT2|r(x)|12\nT2|rel(L)|13\n"
               "T2|acq(L)|14\nT2|w(x)|15\nT2|rel(L)|16\nT2|end|17\n"
               "T1|join(T2)|6\n"
               "T1|acq(L)|7\nT1|w(x)|8\nT1|rel(L)|9\n",
               support_only(true, true, true), "");
}

/* Three threads: B writes x, which the second reads before it writes z; the third reads z before
   it writes y, which B reads. No two of them make a cycle, and the trace has one. */
static void test_cycle_of_three(void **state)
{
    static const char trace[] = "T1|fork(T2)|1\nT1|fork(T3)|2\n"
                                "T1|begin(B)|10\nT1|w(x)|11\n"
                                "T2|r(x)|20\nT2|w(z)|21\n"
                                "T3|r(z)|30\nT3|w(y)|31\n"
                                "T1|r(y)|12\nT1|end|13\n";
    struct analysis_options options = support_only(false, false, false);
    (void)state;
    options.observed = true;
    expect_std(trace, options,
               "atomicity observed B: entered 10, commits at 11, meanwhile read 20, "
               "meanwhile read 30, violated at 12\n");
    expect_std(trace, reduction(),
               "atomicity observed B: entered 10, commits at 11, violated at 12, "
               "meanwhile write 31\n");
}

/* ---- refinements ---- */

static void test_reentrant_locks(void **state)
{
    /* The inner ones do nothing to others. */
    static const char trace[] = "T1|fork(T2)|1\n"
                                "T1|begin(b)|10\nT1|acq(L)|11\n"
                                "T1|acq(L)|12\nT1|rel(L)|13\nT1|acq(L)|14\nT1|rel(L)|15\n"
                                "T1|rel(L)|16\nT1|end|17\n"
                                "T2|acq(L)|20\nT2|rel(L)|21\n";
    (void)state;
    expect_std(trace, reduction(), "");
    expect_std(trace, without(MOVER_REENTRANT_LOCKS),
               "atomicity predicted b: entered 10, commits at 13, violated at 14, "
               "meanwhile acquires 20\n");
}

static void test_thread_local_locks(void **state)
{
    static const char trace[] = "T1|begin(b)|10\n"
                                "T1|acq(L)|11\nT1|rel(L)|12\nT1|acq(L)|13\nT1|rel(L)|14\n"
                                "T1|end|15\n";
    (void)state;
    expect_std(trace, reduction(), "");
    expect_std(trace, without(MOVER_THREAD_LOCAL_LOCKS),
               "atomicity predicted b: entered 10, commits at 12, violated at 13\n");
}

static void test_thread_local_2_locks(void **state)
{
    /* The first thread used it, too, but before it started the second. */
    static const char trace[] = "T1|acq(L)|1\nT1|rel(L)|2\nT1|fork(T2)|3\n"
                                "T2|begin(b)|10\n"
                                "T2|acq(L)|11\nT2|rel(L)|12\nT2|acq(L)|13\nT2|rel(L)|14\n"
                                "T2|end|15\n";
    (void)state;
    expect_std(trace, reduction(), "");
    expect_std(trace, without(MOVER_THREAD_LOCAL_2_LOCKS),
               "atomicity predicted b: entered 10, commits at 12, violated at 13, "
               "meanwhile acquires 1\n");
}

static void test_protected_locks(void **state)
{
    /* M is taken under L only. */
    static const char trace[] = "T1|fork(T2)|1\n"
                                "T1|begin(b)|10\nT1|acq(L)|11\n"
                                "T1|acq(M)|12\nT1|rel(M)|13\nT1|acq(M)|14\nT1|rel(M)|15\n"
                                "T1|rel(L)|16\nT1|end|17\n"
                                "T2|acq(L)|20\nT2|acq(M)|21\nT2|rel(M)|22\nT2|rel(L)|23\n";
    (void)state;
    expect_std(trace, reduction(), "");
    expect_std(trace, without(MOVER_PROTECTED_LOCKS),
               "atomicity predicted b: entered 10, commits at 13, violated at 14, "
               "meanwhile acquires 21\n");
}

static void test_write_protected_data(void **state)
{
    /* Whoever holds L may read x, as all writers do; who writes it is not alone with the readers.
     */
    static const char trace[] = "T1|fork(T2)|1\n"
                                "T1|begin(b)|10\nT1|acq(L)|11\n"
                                "T1|r(x)|12\nT1|w(x)|13\n"
                                "T1|rel(L)|14\nT1|end|15\n"
                                "T2|r(x)|20\nT2|acq(L)|21\nT2|w(x)|22\nT2|rel(L)|23\n";
    (void)state;
    expect_std(trace, reduction(), "");
    expect_std(trace, without(MOVER_WRITE_PROTECTED_DATA),
               "atomicity predicted b: entered 10, commits at 12, violated at 13, "
               "meanwhile write 22\n");
}

/* ---- lock order ---- */

static void test_inversion(void **state)
{
    (void)state;
    expect_std("T1|fork(T2)|1\n"
               "T1|acq(L)|10\nT1|acq(M)|11\nT1|rel(M)|12\nT1|rel(L)|13\n"
               "T2|acq(M)|20\nT2|acq(L)|21\nT2|rel(L)|22\nT2|rel(M)|23\n",
               lock_order(), "deadlock predicted : holds 10, acquires 11, holds 20, acquires 21\n");
}

static void test_no_deadlock(void **state)
{
    (void)state;
    /* Behind a gate, the two cannot be there at once. */
    expect_std(
        "T1|fork(T2)|1\n"
        "T1|acq(G)|9\nT1|acq(L)|10\nT1|acq(M)|11\nT1|rel(M)|12\nT1|rel(L)|13\nT1|rel(G)|14\n"
        "T2|acq(G)|19\nT2|acq(M)|20\nT2|acq(L)|21\nT2|rel(L)|22\nT2|rel(M)|23\nT2|rel(G)|24\n",
        lock_order(), "");
    /* One thread cannot wait for itself. */
    expect_std("T1|acq(L)|10\nT1|acq(M)|11\nT1|rel(M)|12\nT1|rel(L)|13\n"
               "T1|acq(M)|20\nT1|acq(L)|21\nT1|rel(L)|22\nT1|rel(M)|23\n",
               lock_order(), "");
    /* The second begins when the first is done. */
    expect_std("T1|acq(L)|10\nT1|acq(M)|11\nT1|rel(M)|12\nT1|rel(L)|13\n"
               "T1|fork(T2)|14\n"
               "T2|acq(M)|20\nT2|acq(L)|21\nT2|rel(L)|22\nT2|rel(M)|23\n",
               lock_order(), "");
}

/* Philosophers. */
static void test_three_locks(void **state)
{
    (void)state;
    expect_std("T1|fork(T2)|1\nT1|fork(T3)|2\n"
               "T1|acq(A)|10\nT1|acq(B)|11\nT1|rel(B)|12\nT1|rel(A)|13\n"
               "T2|acq(B)|20\nT2|acq(C)|21\nT2|rel(C)|22\nT2|rel(B)|23\n"
               "T3|acq(C)|30\nT3|acq(A)|31\nT3|rel(A)|32\nT3|rel(C)|33\n",
               lock_order(),
               "deadlock predicted : holds 10, acquires 11, holds 20, acquires 21, holds 30, "
               "acquires 31\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_observed_race),
        cmocka_unit_test(test_no_conflict),
        cmocka_unit_test(test_predicted_race),
        cmocka_unit_test(test_discipline),
        cmocka_unit_test(test_guarded),
        cmocka_unit_test(test_string_buffer),
        cmocka_unit_test(test_check_then_act),
        cmocka_unit_test(test_atomic),
        cmocka_unit_test(test_increment),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_start_and_join),
        cmocka_unit_test(test_cycle_of_three),
        cmocka_unit_test(test_reentrant_locks),
        cmocka_unit_test(test_thread_local_locks),
        cmocka_unit_test(test_thread_local_2_locks),
        cmocka_unit_test(test_protected_locks),
        cmocka_unit_test(test_write_protected_data),
        cmocka_unit_test(test_inversion),
        cmocka_unit_test(test_no_deadlock),
        cmocka_unit_test(test_three_locks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
