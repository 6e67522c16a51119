#include <stdio.h>
#include <string.h>

#include "agent/record.h"
#include "agent/sample.h"
#include "base/memory.h"

/* Names are kept for the last so many threads that were started. */
enum { NAMES = 1 << 15 };

struct name {
    uint64_t number;
    char *text;
    uint32_t start_stack;
};

static struct {
    jfieldID expected, settled, reading, writing, fresh, self, birth, reader;
    jclass virtual_thread; /* NULL if this JVM has none */
    pthread_mutex_t lock;  /* for the names */
    uint64_t last;
    struct name names[NAMES];
} threads = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* False if memory ran out. */
static bool find_virtual_thread(JNIEnv *jni)
{
    jclass class = (*jni)->FindClass(jni, "java/lang/BaseVirtualThread");
    if (!class) {
        (*jni)->ExceptionClear(jni);
        return true;
    }
    threads.virtual_thread = (*jni)->NewGlobalRef(jni, class);
    (*jni)->DeleteLocalRef(jni, class);
    return threads.virtual_thread;
}

bool threads_init(JNIEnv *jni)
{
    jclass class = (*jni)->FindClass(jni, "java/lang/Thread");
    if (!class)
        return false;
    threads.expected = (*jni)->GetFieldID(jni, class, INSTRUMENT_PREFIX "expected", "J");
    if (threads.expected)
        threads.settled = (*jni)->GetFieldID(jni, class, INSTRUMENT_PREFIX "settled", "J");
    if (threads.settled)
        threads.reading = (*jni)->GetFieldID(jni, class, INSTRUMENT_PREFIX "reading", "J");
    if (threads.reading)
        threads.writing = (*jni)->GetFieldID(jni, class, INSTRUMENT_PREFIX "writing", "J");
    if (threads.writing)
        threads.fresh = (*jni)->GetFieldID(jni, class, INSTRUMENT_PREFIX "fresh", "J");
    if (threads.fresh)
        threads.self = (*jni)->GetFieldID(jni, class, INSTRUMENT_PREFIX "self", "J");
    if (threads.self)
        threads.birth = (*jni)->GetFieldID(jni, class, INSTRUMENT_PREFIX "birth", "J");
    if (threads.birth)
        threads.reader = (*jni)->GetFieldID(jni, class, INSTRUMENT_PREFIX "reader", "J");
    (*jni)->DeleteLocalRef(jni, class);
    return threads.reader && find_virtual_thread(jni);
}

static char *copy_name(const char *name, uint64_t number)
{
    char made[32];
    if (!name || !*name) {
        snprintf(made, sizeof made, "thread-%llu", (unsigned long long)number);
        name = made;
    }
    char *copy = memory_allocate(strlen(name) + 1);
    if (copy)
        strcpy(copy, name);
    return copy;
}

/* A number for the name of the thread. */
static uint64_t note_name(JNIEnv *jni, jthread thread)
{
    jvmtiThreadInfo info = {0};
    bool known = (*runtime.jvmti)->GetThreadInfo(runtime.jvmti, thread, &info) == JVMTI_ERROR_NONE;
    uint32_t stack = stacks_capture();
    pthread_mutex_lock(&threads.lock);
    uint64_t number = ++threads.last;
    struct name *name = &threads.names[number % NAMES];
    memory_release(name->text);
    *name = (struct name){number, copy_name(known ? info.name : NULL, number), stack};
    pthread_mutex_unlock(&threads.lock);
    if (known) {
        (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)info.name);
        if (info.thread_group)
            (*jni)->DeleteLocalRef(jni, info.thread_group);
        if (info.context_class_loader)
            (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    }
    return number;
}

struct text threads_name(struct arena *arena, uint64_t name, uint32_t *start_stack)
{
    struct text text = TEXT("");
    *start_stack = 0;
    pthread_mutex_lock(&threads.lock);
    const struct name *found = &threads.names[name % NAMES];
    if (name && found->number == name && found->text) {
        text = text_copy(arena, text_from(found->text));
        *start_stack = found->start_stack;
    }
    pthread_mutex_unlock(&threads.lock);
    return text;
}

jlong threads_fresh(struct agent_thread *thread)
{
    const struct thread *engine = thread->engine;
    if (!engine || thread->initializing || runtime.recording || thread->telling)
        return 0;
    thread->seen = thread_seen(engine);
    return (jlong)word_of_owner(engine->slot, thread_segment(engine), true, 0, 0);
}

/* Bits for the words of variables that several threads read: see TurnstileLayout. */
static _Atomic uint32_t readers;

static uint32_t take_reader(void)
{
    uint32_t taken = atomic_load(&readers), bit;
    do {
        bit = ~taken & (taken + 1) & 0xFF;
    } while (bit && !atomic_compare_exchange_weak(&readers, &taken, taken | bit));
    return bit;
}

void threads_end(struct agent_thread *thread)
{
    atomic_fetch_and(&readers, ~thread->reader);
    thread->reader = 0;
    if (runtime.traced)
        record_thread_end(thread);
    engine_thread_end(runtime.engine, thread->engine);
}

bool threads_is_known(JNIEnv *jni, jthread thread)
{
    return (*jni)->GetLongField(jni, thread, threads.self) != 0;
}

struct agent_thread *threads_find(JNIEnv *jni, jthread thread)
{
    return (struct agent_thread *)(intptr_t)(*jni)->GetLongField(jni, thread, threads.self);
}

bool threads_is_still(const struct agent_thread *thread)
{
    const jint waits = JVMTI_THREAD_STATE_WAITING | JVMTI_THREAD_STATE_SLEEPING |
                       JVMTI_THREAD_STATE_PARKED | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER |
                       JVMTI_THREAD_STATE_IN_NATIVE;
    JNIEnv *jni = NULL;
    if (!thread->java ||
        (*runtime.vm)->GetEnv(runtime.vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK)
        return false;
    jobject object = (*jni)->NewLocalRef(jni, thread->java);
    if (!object)
        return true; /* it is gone */
    jint state = 0;
    const bool known =
        (*runtime.jvmti)->GetThreadState(runtime.jvmti, object, &state) == JVMTI_ERROR_NONE;
    (*jni)->DeleteLocalRef(jni, object);
    return known && (!(state & JVMTI_THREAD_STATE_ALIVE) || (state & waits));
}

static void record_begin_thread(JNIEnv *jni, struct agent_thread *parent,
                                struct agent_thread *thread, jthread child, uint64_t name)
{
    struct arena arena;
    uint32_t start;
    thread->java = (*jni)->NewWeakGlobalRef(jni, child);
    thread->eager = runtime.sampling || (threads.virtual_thread &&
                                         (*jni)->IsInstanceOf(jni, child, threads.virtual_thread));
    arena_init(&arena);
    record_thread(parent, thread, threads_name(&arena, name, &start));
    arena_release(&arena);
}

void threads_begin(JNIEnv *jni, struct agent_thread *parent, jthread child, bool for_program)
{
    const uint64_t name = note_name(jni, child);
    struct thread *engine =
        engine_thread_start(runtime.engine, parent ? parent->engine : NULL, name);
    if (!engine)
        return; /* not checked; what it synchronizes still counts for others as little as it can */
    struct agent_thread *thread = &runtime.threads[engine->slot];
    if (thread->java)
        (*jni)->DeleteWeakGlobalRef(jni, thread->java);
    *thread = (struct agent_thread){.engine = engine,
                                    .name = name,
                                    .reader = for_program && !runtime.recording ? take_reader() : 0,
                                    .locks = thread->locks,
                                    .syncs = thread->syncs,
                                    .entries = thread->entries,
                                    .marks = thread->marks,
                                    .stretch = thread->stretch,
                                    .group = thread->group,
                                    .episode = thread->episode,
                                    .budget = thread->budget,
                                    .outside = thread->outside,
                                    .counts = thread->counts,
                                    .refilled = thread->refilled,
                                    .told = thread->told};
    if (runtime.traced)
        record_begin_thread(jni, parent, thread, child, name);
    if (runtime.sampling)
        sample_thread(thread, for_program);
    const jlong fresh = threads_fresh(thread);
    (*jni)->SetLongField(jni, child, threads.birth, (jlong)engine_thread_birth(engine));
    (*jni)->SetLongField(jni, child, threads.fresh, fresh);
    (*jni)->SetLongField(jni, child, threads.expected, fresh ? fresh & (jlong)WORD_READ_MASK : -1);
    (*jni)->SetLongField(jni, child, threads.settled, -1); /* 0 would go for words of 0 */
    (*jni)->SetLongField(jni, child, threads.reading, -1);
    (*jni)->SetLongField(jni, child, threads.writing, -1);
    (*jni)->SetLongField(jni, child, threads.reader, thread->telling ? 0 : (jlong)thread->reader);
    (*jni)->SetLongField(jni, child, threads.self, (jlong)(intptr_t)thread);
}
