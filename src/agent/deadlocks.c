/*
 * Threads that wait for each other when the JVM ends. The JVM is asked who waits for which monitor,
 * or for which lock of java.util.concurrent, and who has it. It answers for one thread at a time,
 * while others may go on: so a circle counts only if it is the same each time that it is looked at.
 *
 * Who waits for a limited time only will go on.
 *
 * Not seen: locks that are held shared, and stamped ones, whose holders the JVM does not know;
 * virtual threads, of which it keeps no list; classes that wait for each other's initialization.
 */
#include <string.h>
#include <time.h>

#include "agent/record.h"
#include "agent/runtime.h"
#include "base/builder.h"
#include "base/memory.h"
#include "engine/lock_order.h"

enum {
    LENGTH_MAX = LOCK_ORDER_LENGTH_MAX,
    LOOKS = 5,
    REFERENCES = 64, /* for what is looked at besides threads, and more than that */
    REFERENCES_EACH =
        4, /* for each thread: itself, what it waits for, whose that is; once as a waiter */
};

static const struct timespec between_looks = {.tv_nsec = 5000000};

/* Local references. */
struct wait {
    jthread thread;
    jobject lock;
    jthread owner;
    uint32_t number;              /* of the lock */
    jint thread_hash, owner_hash; /* to tell threads apart without asking much */
};

struct waits {
    struct wait *items; /* with room for every thread */
    size_t count;
};

/* A circle: each waits for what the next one has. */
struct circle {
    const struct wait *waits[LENGTH_MAX];
    size_t count;
};

/* What of the JDK's own fields is looked at. NULL: this JVM has it not. */
static struct {
    jclass synchronizer;
    jfieldID blocker, owner;
} fields;

void deadlocks_init(JNIEnv *jni)
{
    jclass class = NULL, thread = (*jni)->FindClass(jni, "java/lang/Thread");
    if (thread)
        fields.blocker = (*jni)->GetFieldID(jni, thread, "parkBlocker", "Ljava/lang/Object;");
    if (fields.blocker)
        class = (*jni)->FindClass(jni, "java/util/concurrent/locks/AbstractOwnableSynchronizer");
    if (class)
        fields.synchronizer = (*jni)->NewGlobalRef(jni, class);
    if (fields.synchronizer)
        fields.owner = (*jni)->GetFieldID(jni, class, "exclusiveOwnerThread", "Ljava/lang/Thread;");
    if ((*jni)->ExceptionCheck(jni))
        (*jni)->ExceptionClear(jni);
    if (thread)
        (*jni)->DeleteLocalRef(jni, thread);
    if (class)
        (*jni)->DeleteLocalRef(jni, class);
}

/* ---- who waits for whom ---- */

static void forget(JNIEnv *jni, jobject *reference)
{
    if (*reference)
        (*jni)->DeleteLocalRef(jni, *reference);
    *reference = NULL;
}

static void forget_all(JNIEnv *jni, jthread *threads, jint count)
{
    for (jint i = 0; threads && i < count; i++)
        forget(jni, &threads[i]);
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)threads);
}

static bool find_hash(jobject object, jint *hash)
{
    return (*runtime.jvmti)->GetObjectHashCode(runtime.jvmti, object, hash) == JVMTI_ERROR_NONE;
}

static jthread find_owner(JNIEnv *jni, jobject monitor)
{
    jvmtiMonitorUsage usage = {0};
    if ((*runtime.jvmti)->GetObjectMonitorUsage(runtime.jvmti, monitor, &usage) != JVMTI_ERROR_NONE)
        return NULL;
    forget_all(jni, usage.waiters, usage.waiter_count);
    forget_all(jni, usage.notify_waiters, usage.notify_waiter_count);
    return usage.owner;
}

/* One of those that are known who waits for the same, or NULL. To ask who has a monitor takes the
   longer the more wait for it. */
static const struct wait *find_same(JNIEnv *jni, const struct waits *known, jobject lock,
                                    uint32_t number)
{
    for (size_t i = known ? known->count : 0; i > 0; i--)
        if (known->items[i - 1].number == number &&
            (*jni)->IsSameObject(jni, known->items[i - 1].lock, lock))
            return &known->items[i - 1];
    return NULL;
}

static void find_monitor(JNIEnv *jni, const struct waits *known, struct wait *wait)
{
    jint number = 0;
    if ((*runtime.jvmti)->GetCurrentContendedMonitor(runtime.jvmti, wait->thread, &wait->lock) !=
            JVMTI_ERROR_NONE ||
        !wait->lock || !find_hash(wait->lock, &number))
        return;
    const struct wait *same = find_same(jni, known, wait->lock, (uint32_t)number);
    wait->owner = same ? (*jni)->NewLocalRef(jni, same->owner) : find_owner(jni, wait->lock);
}

static void find_synchronizer(JNIEnv *jni, struct wait *wait)
{
    if (!fields.owner)
        return;
    wait->lock = (*jni)->GetObjectField(jni, wait->thread, fields.blocker);
    if (wait->lock && (*jni)->IsInstanceOf(jni, wait->lock, fields.synchronizer))
        wait->owner = (*jni)->GetObjectField(jni, wait->lock, fields.owner);
}

/* Finds the lock that the thread waits for, for as long as it takes, and the other one that has
   it. `known`: those that wait already; may be NULL. */
static bool find_wait(JNIEnv *jni, const struct waits *known, struct wait *wait)
{
    const jint parked = JVMTI_THREAD_STATE_PARKED | JVMTI_THREAD_STATE_WAITING_INDEFINITELY;
    jint state = 0, number = 0;
    if ((*runtime.jvmti)->GetThreadState(runtime.jvmti, wait->thread, &state) != JVMTI_ERROR_NONE)
        return false;
    if (state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER)
        find_monitor(jni, known, wait);
    else if ((state & parked) == parked)
        find_synchronizer(jni, wait);
    if (!wait->owner || (*jni)->IsSameObject(jni, wait->owner, wait->thread) ||
        !find_hash(wait->lock, &number) || !find_hash(wait->thread, &wait->thread_hash) ||
        !find_hash(wait->owner, &wait->owner_hash))
        return false;
    wait->number = (uint32_t)number;
    return true;
}

/* Whether the thread waits for a lock that another one has; if not, there are no references. */
static bool look_at(JNIEnv *jni, const struct waits *known, jthread thread, struct wait *wait)
{
    *wait = (struct wait){.thread = thread};
    if (find_wait(jni, known, wait))
        return true;
    forget(jni, &wait->lock);
    forget(jni, &wait->owner);
    return false;
}

/* The items are to be released. */
static void look_at_all(JNIEnv *jni, struct waits *waits)
{
    jint count = 0;
    jthread *threads = NULL;
    *waits = (struct waits){0};
    if ((*runtime.jvmti)->GetAllThreads(runtime.jvmti, &count, &threads) != JVMTI_ERROR_NONE)
        return;
    /* Without it there may be room all the same. */
    if ((*jni)->EnsureLocalCapacity(jni, REFERENCES_EACH * count + REFERENCES) != 0)
        (*jni)->ExceptionClear(jni);
    waits->items = count ? memory_allocate((size_t)count * sizeof *waits->items) : NULL;
    for (jint i = 0; waits->items && i < count; i++)
        waits->count += look_at(jni, waits, threads[i], &waits->items[waits->count]);
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)threads);
}

/* Who has what this one waits for, if that one waits, too. */
static const struct wait *next_of(JNIEnv *jni, const struct waits *waits, const struct wait *wait)
{
    for (size_t i = 0; i < waits->count; i++)
        if (wait->owner_hash == waits->items[i].thread_hash &&
            (*jni)->IsSameObject(jni, wait->owner, waits->items[i].thread))
            return &waits->items[i];
    return NULL;
}

/* It waited for the same lock of the same thread whenever it was looked at. */
static bool is_stuck(JNIEnv *jni, const struct wait *wait)
{
    struct wait again;
    if (!look_at(jni, NULL, wait->thread, &again))
        return false;
    const bool stuck = (*jni)->IsSameObject(jni, again.lock, wait->lock) &&
                       (*jni)->IsSameObject(jni, again.owner, wait->owner);
    forget(jni, &again.lock);
    forget(jni, &again.owner);
    return stuck;
}

static bool is_deadlock(JNIEnv *jni, const struct circle *circle)
{
    for (unsigned look = 1; look < LOOKS; look++) {
        nanosleep(&between_looks, NULL);
        for (size_t i = 0; i < circle->count; i++)
            if (!is_stuck(jni, circle->waits[i]))
                return false;
    }
    return true;
}

/* ---- in words ---- */

static struct text copy_thread_name(JNIEnv *jni, struct arena *arena, jthread thread)
{
    jvmtiThreadInfo info = {0};
    if ((*runtime.jvmti)->GetThreadInfo(runtime.jvmti, thread, &info) != JVMTI_ERROR_NONE)
        return TEXT("");
    struct text name = text_copy(arena, text_from(info.name ? info.name : ""));
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)info.name);
    if (info.thread_group)
        (*jni)->DeleteLocalRef(jni, info.thread_group);
    if (info.context_class_loader)
        (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    return name;
}

static struct text lock_name(JNIEnv *jni, struct arena *arena, const struct wait *wait)
{
    locks_note(jni, wait->number, wait->lock);
    return locks_name(arena, wait->number, "lock");
}

/* From the place in the program on, as in traces. */
static void describe_frames(struct arena *arena, jthread thread, struct finding_stack *stack)
{
    const struct finding_frame *frames = NULL;
    const size_t count = stacks_frames(arena, stacks_capture_waiting(thread), &frames);
    size_t skipped = stacks_platform_frames(frames, count);
    if (skipped == count)
        skipped = 0; /* a thread of the JDK's own */
    stack->frames = count ? frames + skipped : NULL;
    stack->frame_count = count - skipped;
}

/* What one thread of a circle waits for; it holds what the one before it waits for. */
static void describe(JNIEnv *jni, struct arena *arena, const struct wait *wait,
                     const struct wait *before, struct lock_order_words *words,
                     struct finding_stack *stack)
{
    *words = (struct lock_order_words){.thread = copy_thread_name(jni, arena, wait->thread),
                                       .holds = lock_name(jni, arena, before),
                                       .wants = lock_name(jni, arena, wait)};
    *stack = (struct finding_stack){.role = TEXT("acquires"), .thread = words->thread};
    struct text *held = ARENA_ARRAY(arena, struct text, 1);
    if (held) {
        *held = words->holds;
        stack->locks = held;
        stack->lock_count = 1;
    }
    describe_frames(arena, wait->thread, stack);
}

static struct finding_frame place_of(const struct finding_stack *stack)
{
    return stack->frame_count ? stack->frames[0] : (struct finding_frame){0};
}

static bool is_before(const struct finding_stack *left, const struct finding_stack *right)
{
    const struct finding_frame a = place_of(left), b = place_of(right);
    int order = text_compare(a.class_name, b.class_name);
    if (!order)
        order = text_compare(a.method, b.method);
    return order ? order < 0 : a.line < b.line;
}

/* A circle may begin anywhere: it is told from the place on whose names come first, as in traces.
 */
static void turn(struct circle *circle, size_t first)
{
    struct circle turned = {.count = circle->count};
    for (size_t i = 0; i < circle->count; i++)
        turned.waits[i] = circle->waits[(first + i) % circle->count];
    *circle = turned;
}

static void tell_finding(JNIEnv *jni, struct circle *circle)
{
    struct finding_stack stacks[LENGTH_MAX];
    struct lock_order_words words[LENGTH_MAX];
    struct text locks[LENGTH_MAX];
    struct arena arena;
    arena_init(&arena);
    for (unsigned round = 0; round < 2; round++) { /* to see where it begins, and to tell it so */
        size_t first = 0;
        for (size_t i = 0; i < circle->count; i++) {
            describe(jni, &arena, circle->waits[i],
                     circle->waits[(i + circle->count - 1) % circle->count], &words[i], &stacks[i]);
            locks[i] = words[i].wants;
            if (is_before(&stacks[i], &stacks[first]))
                first = i;
        }
        turn(circle, first);
    }
    struct builder message;
    builder_init(&message);
    lock_order_explain(&message, true, words, circle->count);
    const struct finding_frame place = place_of(&stacks[0]);
    const struct finding finding = {.rule = FINDING_DEADLOCK,
                                    .grade = FINDING_GRADE_OBSERVED,
                                    .class_name = place.class_name,
                                    .file = place.file,
                                    .line = place.line,
                                    .message = builder_text(&message),
                                    .locks = locks,
                                    .lock_count = circle->count,
                                    .stacks = stacks,
                                    .stack_count = circle->count};
    findings_take(&finding);
    builder_release(&message);
    arena_release(&arena);
}

/* The trace has who holds what. */
static void tell_trace(JNIEnv *jni, const struct circle *circle)
{
    for (size_t i = 0; i < circle->count; i++) {
        struct agent_thread *thread = threads_find(jni, circle->waits[i]->thread);
        locks_note(jni, circle->waits[i]->number, circle->waits[i]->lock);
        if (thread)
            record_want(thread, circle->waits[i]->number,
                        stacks_capture_waiting(circle->waits[i]->thread));
    }
}

static void tell(JNIEnv *jni, struct circle *circle)
{
    if (!is_deadlock(jni, circle))
        return;
    if (runtime.recording)
        tell_trace(jni, circle);
    else
        tell_finding(jni, circle);
}

/* ---- circles ---- */

/* The circle that `first` is on. False if it is too long to be told. */
static bool follow(JNIEnv *jni, const struct waits *waits, const struct wait *first,
                   struct circle *circle)
{
    circle->count = 0;
    const struct wait *wait = first;
    do {
        if (circle->count == LENGTH_MAX)
            return false;
        circle->waits[circle->count++] = wait;
        wait = next_of(jni, waits, wait);
    } while (wait && wait != first);
    return wait;
}

/* `round`: for each, in which it was met; 0: in none. */
static void find_circles(JNIEnv *jni, const struct waits *waits, size_t *round)
{
    for (size_t start = 0; start < waits->count; start++) {
        const struct wait *at = &waits->items[start];
        while (at && !round[at - waits->items]) {
            round[at - waits->items] = start + 1;
            at = next_of(jni, waits, at);
        }
        struct circle circle;
        if (at && round[at - waits->items] == start + 1 && follow(jni, waits, at, &circle))
            tell(jni, &circle);
    }
}

void deadlocks_find(JNIEnv *jni)
{
    struct waits waits;
    if (!runtime.hook || (*jni)->PushLocalFrame(jni, REFERENCES) != 0) {
        (*jni)->ExceptionClear(jni);
        return;
    }
    look_at_all(jni, &waits);
    size_t *round = waits.count ? memory_allocate(waits.count * sizeof *round) : NULL;
    if (round) {
        memset(round, 0, waits.count * sizeof *round);
        find_circles(jni, &waits, round);
    }
    memory_release(round);
    memory_release(waits.items);
    (*jni)->PopLocalFrame(jni, NULL);
}
