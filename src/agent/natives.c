/*
 * What TurnstileHook calls. These functions are on the slow path of rewritten code; nothing here
 * allocates once the engine's tables have their size, except stack traces and reports.
 */
#include <stddef.h>
#include <string.h>

#include "agent/record.h"
#include "agent/sample.h"
#include "engine/inline.h"
#include "engine/variable.h"

/* Class_method: the native method of that name of Turnstile<Class>. */
#define NATIVE(type, class, method, ...)                                                           \
    static type JNICALL class##_##method(JNIEnv *jni, jclass hook, __VA_ARGS__)

/* How a lock is acquired, as TurnstileHook says it. */
enum { HOOK_SHARED = 1, HOOK_AT_ONCE = 2 };

/* What a lock hands over is a synchronization object beside those that TurnstileHook numbers. */
#define HANDED_OVER UINT32_C(0x80000000)

static struct agent_thread *thread_of(jlong self)
{
    return (struct agent_thread *)(intptr_t)self;
}

NATIVE(jlong, Hook, layout, jint part)
{
    (void)jni;
    (void)hook;
    struct engine_layout layout;
    engine_layout(runtime.engine, &layout);
    const jlong parts[] = {
        (jlong)(intptr_t)layout.chunks,
        layout.chunk_records,
        layout.index_mask,
        layout.record_size,
        layout.guard,
        layout.seen,
        (jlong)(intptr_t)layout.sites,
        (jlong)layout.sites_mask,
        layout.noted,
        offsetof(struct agent_thread, seen),
        (jlong)(intptr_t)runtime.sites.accessed_of.chunks,
        (jlong)(intptr_t)runtime.sites.variable_of.chunks,
        (jlong)(intptr_t)stacks_counts()->chunks,
        layout.segment,
        layout.held_count,
        layout.segments,
        (jlong)(intptr_t)layout.locks.marks,
        layout.locks.set_mask,
        layout.locks.mark_size,
        layout.locks.id,
        layout.locks.stamp,
        (jlong)(intptr_t)layout.threads,
        layout.birth,
        layout.full,
        layout.held,
        layout.held_inline,
        layout.clock_count,
        layout.clock_epochs,
        offsetof(struct agent_thread, locks),
        (jlong)(intptr_t)locks_places(),
        layout.version_count,
        layout.versions,
        layout.clock_references,
        layout.clock_everything,
        (jlong)(intptr_t)layout.syncs.marks,
        layout.syncs.set_mask,
        layout.ordered,
        offsetof(struct agent_thread, syncs),
        layout.growth,
        layout.locks.growth,
        runtime.recording,
        offsetof(struct agent_thread, next),
        offsetof(struct agent_thread, limit),
        offsetof(struct agent_thread, end),
        offsetof(struct agent_thread, group),
        offsetof(struct agent_thread, stamp),
        offsetof(struct agent_thread, owner),
        offsetof(struct agent_thread, wanted),
        offsetof(struct agent_thread, eager),
        offsetof(struct agent_thread, initializing),
        (jlong)(intptr_t)runtime.threads,
        sizeof(struct agent_thread),
        (jlong)(intptr_t)record_quick_sites(),
        (jlong)(intptr_t)record_groups(),
        (jlong)(intptr_t)record_locks(),
        RECORD_LOCKS - 1,
        offsetof(struct agent_thread, marks),
        offsetof(struct agent_thread, stretch),
        offsetof(struct agent_thread, depth),
        runtime.options.events,
        RECORD_MARKS - 1,
        RECORD_LEARNED - 1,
        (jlong)record_stretch_factor,
        runtime.sampling,
        offsetof(struct agent_thread, telling),
        offsetof(struct agent_thread, outer_telling),
        offsetof(struct agent_thread, told_blocks),
        offsetof(struct agent_thread, told_locks),
        offsetof(struct agent_thread, episode),
        offsetof(struct agent_thread, budget),
        offsetof(struct agent_thread, floor),
        offsetof(struct agent_thread, outside),
        offsetof(struct agent_thread, counts),
        offsetof(struct agent_thread, reader),
        SAMPLE_BLOCKS - 1,
        SAMPLE_ACCESSES - 1,
        offsetof(struct agent_thread, active),
        RECORD_ROOM * sizeof(uint64_t),
        offsetof(struct agent_thread, chance),
        layout.birth_epoch,
        layout.handover_count,
        layout.handovers,
    };
    _Static_assert(
        SYNC_WAYS == 4 && THREAD_STAMP_SEGMENT_BITS == 50 && THREAD_HELD_INLINE == 8 &&
            sizeof(struct thread_held) == 12 && offsetof(struct thread_held, exclusive) == 4 &&
            offsetof(struct thread_held, shared) == 8 && LOCKS_PLACES == 1 << 16 &&
            THREAD_VERSIONS == 8 && CLOCK_SLOTS_MIN == 16 && sizeof(struct thread_version) == 24 &&
            offsetof(struct thread_version, from) == 8 &&
            offsetof(struct thread_growth, learned) == 8 && THREAD_HANDOVERS == 32 &&
            sizeof(struct thread_handover) == 24 &&
            offsetof(struct thread_handover, segment) == 8 &&
            offsetof(struct thread_handover, lock) == 16 &&
            offsetof(struct thread_version, clock) == 16,
        "as TurnstileLayout has it");
    _Static_assert(sizeof runtime.threads[0].next == 8 && sizeof(bool) == 1 &&
                       AGENT_EVENTS_ALL == 0 && AGENT_EVENTS_REDUCTION == 2 &&
                       (THREAD_SLOTS_MAX + 1) * 2 + 1 < 1 << 16,
                   "as TurnstileRecorder has it");
    _Static_assert(THREAD_SEGMENTS == 256 && WORD_BUSY_WINDOW == 256 &&
                       sizeof(struct thread_segment) == 24 && THREAD_SEGMENT_LOCKS == 4,
                   "as TurnstileWords.isSegmentNoted has it");
    _Static_assert(VARIABLE_SEEN == 8 && VARIABLE_SEEN_WRITE == 1 << 12 &&
                       VARIABLE_SEEN_LOCKS == UINT32_C(1) << 31 &&
                       THREAD_EPOCH_MASK == (1 << 18) - 1,
                   "as TurnstileWords.isSeen has it");
    return parts[part];
}

NATIVE(jlong, Hook, resolve, jobject object, jint site)
{
    (void)hook;
    return resolve_offset(jni, object, (uint32_t)site);
}

NATIVE(jobject, Hook, declaringClass, jclass named, jint site)
{
    (void)hook;
    return resolve_holder(jni, named, (uint32_t)site);
}

NATIVE(jlong, Hook, access, jlong self, jlong word, jint site, jint key, jint identity,
       jboolean write)
{
    (void)jni;
    (void)hook;
    struct agent_thread *thread = thread_of(self);
    if (thread->initializing || !atomic_load_explicit(&runtime.live, memory_order_relaxed))
        return word;
    const uint32_t variable = sites_variable_at(&runtime.sites, (uint32_t)site);
    struct engine_access access = {
        .field = variable,
        .key = (uint32_t)key,
        .identity = (uint32_t)identity,
        .location = (uint32_t)site,
        .stack = stacks_of_site((uint32_t)site, thread->name, findings_troubled(variable)),
        .write = write,
    };
    return (jlong)engine_access(runtime.engine, thread->engine, &access, (uint64_t)word, NULL);
}

NATIVE(void, Hook, countSite, jint site)
{
    (void)jni;
    (void)hook;
    stacks_count_site((uint32_t)site);
}

NATIVE(jlongArray, Hook, shadows, jclass type)
{
    (void)hook;
    return resolve_shadows(jni, type);
}

NATIVE(jboolean, Hook, lost, jlong word, jlong result)
{
    (void)jni;
    (void)hook;
    return engine_lost(runtime.engine, (uint64_t)word, (uint64_t)result);
}

NATIVE(void, Hook, nameLock, jint lock, jobject object)
{
    (void)hook;
    locks_note(jni, (uint32_t)lock, object);
}

NATIVE(void, Hook, nameElement, jint sync, jint number, jobject collection)
{
    (void)hook;
    locks_note_element(jni, (uint32_t)sync, (uint32_t)number, collection);
}

NATIVE(void, Hook, nameVolatile, jint sync, jint variable)
{
    (void)jni;
    (void)hook;
    locks_note_volatile((uint32_t)sync, (uint32_t)variable);
}

NATIVE(jlong, Hook, lockAcquire, jlong self, jint lock, jint mode)
{
    (void)jni;
    (void)hook;
    struct agent_thread *thread = thread_of(self);
    thread->locks++;
    const bool shared = mode & HOOK_SHARED;
    engine_lock_acquire(runtime.engine, thread->engine, (uint32_t)lock,
                        shared ? THREAD_SHARED : THREAD_EXCLUSIVE);
    if (runtime.recording && (mode & HOOK_AT_ONCE))
        record_lock(thread, TRACE_TRY, (uint32_t)lock);
    if (runtime.recording)
        record_lock(thread, shared ? TRACE_ACQUIRE_SHARED : TRACE_ACQUIRE, (uint32_t)lock);
    if (runtime.sampling)
        sample_locks(thread, mode & HOOK_AT_ONCE);
    return threads_fresh(thread);
}

NATIVE(jlong, Hook, lockRelease, jlong self, jint lock, jint mode)
{
    (void)jni;
    (void)hook;
    struct agent_thread *thread = thread_of(self);
    thread->locks++;
    if (runtime.recording)
        record_lock(thread, mode ? TRACE_RELEASE_SHARED : TRACE_RELEASE, (uint32_t)lock);
    engine_lock_release(runtime.engine, thread->engine, (uint32_t)lock,
                        mode ? THREAD_SHARED : THREAD_EXCLUSIVE);
    if (runtime.sampling)
        sample_locks(thread, false);
    return threads_fresh(thread);
}

static void hand_over(struct agent_thread *thread, uint32_t lock)
{
    if (runtime.traced)
        record_lock(thread, TRACE_HAND_OVER, lock);
    engine_sync_release(runtime.engine, thread->engine, lock | HANDED_OVER);
}

static void take_over(struct agent_thread *thread, uint32_t lock)
{
    engine_sync_acquire(runtime.engine, thread->engine, lock | HANDED_OVER);
    if (runtime.traced)
        record_lock(thread, TRACE_TAKE_OVER, lock);
}

/* The lock, or if that is 0 all that the thread has for itself. */
static jlong pass_over(jlong self, jint lock, void pass(struct agent_thread *, uint32_t))
{
    struct agent_thread *thread = thread_of(self);
    thread->syncs++;
    if (lock)
        pass(thread, (uint32_t)lock);
    for (uint32_t i = 0; !lock && thread->engine && i < thread->engine->held_count; i++)
        if (thread->engine->held[i].exclusive)
            pass(thread, thread->engine->held[i].lock);
    return threads_fresh(thread);
}

NATIVE(jlong, Hook, handOver, jlong self, jint lock)
{
    (void)jni;
    (void)hook;
    return pass_over(self, lock, hand_over);
}

NATIVE(jlong, Hook, takeOver, jlong self, jint lock)
{
    (void)jni;
    (void)hook;
    return pass_over(self, lock, take_over);
}

NATIVE(void, Hook, waitBegin, jlong self, jint lock)
{
    (void)jni;
    (void)hook;
    struct agent_thread *thread = thread_of(self);
    thread->waiting_lock = (uint32_t)lock;
    thread->waiting_times = engine_wait_begin(runtime.engine, thread->engine, (uint32_t)lock);
    if (runtime.recording && thread->waiting_times)
        record_lock(thread, TRACE_WAIT, (uint32_t)lock);
    if (runtime.sampling && thread->waiting_times)
        sample_wait(thread, (uint32_t)lock);
}

NATIVE(jlong, Hook, waitEnd, jlong self)
{
    (void)jni;
    (void)hook;
    struct agent_thread *thread = thread_of(self);
    if (thread->waiting_lock && thread->waiting_times) {
        engine_wait_end(runtime.engine, thread->engine, thread->waiting_lock,
                        thread->waiting_times);
        if (runtime.recording)
            record_lock(thread, TRACE_WAITED, thread->waiting_lock);
        if (runtime.sampling)
            sample_waited(thread, thread->waiting_lock);
        take_over(thread, thread->waiting_lock);
    }
    thread->waiting_lock = 0;
    return threads_fresh(thread);
}

/* Where it was is of interest only in what else is told. */
static void tell_sync(struct agent_thread *thread, enum trace_kind kind, uint32_t sync)
{
    if (runtime.traced)
        record_sync(thread, kind, sync,
                    runtime.recording || thread->telling || thread->told_blocks);
}

NATIVE(jlong, Hook, syncAcquire, jlong self, jint sync)
{
    (void)jni;
    (void)hook;
    struct agent_thread *thread = thread_of(self);
    thread->syncs++;
    engine_sync_acquire(runtime.engine, thread->engine, (uint32_t)sync);
    tell_sync(thread, TRACE_SYNC_ACQUIRE, (uint32_t)sync);
    return threads_fresh(thread);
}

NATIVE(jlong, Hook, syncRelease, jlong self, jint sync)
{
    (void)jni;
    (void)hook;
    struct agent_thread *thread = thread_of(self);
    thread->syncs++;
    tell_sync(thread, TRACE_SYNC_RELEASE, (uint32_t)sync);
    engine_sync_release(runtime.engine, thread->engine, (uint32_t)sync);
    return threads_fresh(thread);
}

NATIVE(jlong, Hook, threadStart, jlong self, jobject child)
{
    (void)hook;
    struct agent_thread *thread = thread_of(self);
    if (atomic_load(&runtime.live))
        threads_begin(jni, thread, child, true);
    return thread ? threads_fresh(thread) : 0;
}

NATIVE(void, Hook, threadEnd, jlong self)
{
    (void)jni;
    (void)hook;
    threads_end(thread_of(self));
}

NATIVE(jlong, Hook, threadJoin, jlong self, jlong ended, jlong birth)
{
    (void)jni;
    (void)hook;
    struct agent_thread *thread = thread_of(self);
    engine_thread_join(runtime.engine, thread->engine, thread_of(ended)->engine, (uint64_t)birth);
    if (runtime.traced && (uint64_t)birth == engine_thread_birth(thread_of(ended)->engine))
        record_join(thread, thread_of(ended)->number);
    return threads_fresh(thread);
}

NATIVE(jlong, Hook, initializeBegin, jlong self)
{
    (void)jni;
    (void)hook;
    struct agent_thread *thread = thread_of(self);
    thread->initializing++;
    atomic_store(&thread->limit, NULL); /* the recorder must look */
    return 0;
}

NATIVE(jlong, Hook, initializeEnd, jlong self)
{
    (void)jni;
    (void)hook;
    struct agent_thread *thread = thread_of(self);
    if (thread->initializing)
        thread->initializing--;
    return threads_fresh(thread);
}

NATIVE(void, Hook, notePlace, jlong self)
{
    (void)jni;
    (void)hook;
    thread_of(self)->place = stacks_capture();
}

NATIVE(jint, Library, variable, jclass declaring, jstring name)
{
    (void)hook;
    return (jint)resolve_variable(jni, declaring, name);
}

NATIVE(jlong, Objects, overriddenNames, jclass class, jint part)
{
    (void)hook;
    return (jlong)resolve_overridden(jni, class, (unsigned)part);
}

NATIVE(void, Recorder, flush, jlong self)
{
    (void)jni;
    (void)hook;
    record_flush(thread_of(self));
}

NATIVE(jint, Recorder, place, jlong self, jint site, jint what, jint block)
{
    (void)jni;
    (void)hook;
    return (jint)record_place(thread_of(self), (uint32_t)site, (enum record_entry)what,
                              (uint32_t)block);
}

NATIVE(jint, Recorder, newVariable, jlong self, jint site)
{
    (void)jni;
    (void)hook;
    return (jint)record_new_variable(thread_of(self), (uint32_t)site);
}

NATIVE(jint, Recorder, lockNumber, jlong self, jint lock)
{
    (void)jni;
    (void)hook;
    return (jint)record_number_lock(thread_of(self), (uint32_t)lock);
}

NATIVE(jboolean, Sampler, beginEpisode, jlong self)
{
    (void)jni;
    (void)hook;
    return sample_begin(thread_of(self));
}

NATIVE(jlong, Sampler, changed, jlong self)
{
    (void)jni;
    (void)hook;
    sample_changed(thread_of(self));
    return threads_fresh(thread_of(self));
}

NATIVE(void, Sampler, tellBlock, jlong self, jint site, jboolean begins)
{
    (void)jni;
    (void)hook;
    sample_block(thread_of(self), (uint32_t)site, begins);
}

NATIVE(jboolean, Sampler, tellAccess, jlong self, jobject object, jlong offset, jint site,
       jboolean write)
{
    (void)jni;
    (void)hook;
    struct agent_thread *thread = thread_of(self);
    return thread->initializing ||
           sample_access(thread, object, (uint64_t)offset, (uint32_t)site, write);
}

/* ---- making them known ---- */

#define ENTRY(class, method, descriptor)                                                           \
    {                                                                                              \
        (char *)(uintptr_t) #method, (char *)(uintptr_t)(descriptor),                              \
            (void *)(uintptr_t) class##_##method                                                   \
    }

static const JNINativeMethod of_hook[] = {
    ENTRY(Hook, layout, "(I)J"),
    ENTRY(Hook, resolve, "(Ljava/lang/Object;I)J"),
    ENTRY(Hook, declaringClass, "(Ljava/lang/Class;I)Ljava/lang/Object;"),
    ENTRY(Hook, access, "(JJIIIZ)J"),
    ENTRY(Hook, countSite, "(I)V"),
    ENTRY(Hook, shadows, "(Ljava/lang/Class;)[J"),
    ENTRY(Hook, lost, "(JJ)Z"),
    ENTRY(Hook, nameLock, "(ILjava/lang/Object;)V"),
    ENTRY(Hook, nameElement, "(IILjava/lang/Object;)V"),
    ENTRY(Hook, nameVolatile, "(II)V"),
    ENTRY(Hook, lockAcquire, "(JII)J"),
    ENTRY(Hook, lockRelease, "(JII)J"),
    ENTRY(Hook, handOver, "(JI)J"),
    ENTRY(Hook, takeOver, "(JI)J"),
    ENTRY(Hook, waitBegin, "(JI)V"),
    ENTRY(Hook, waitEnd, "(J)J"),
    ENTRY(Hook, syncAcquire, "(JI)J"),
    ENTRY(Hook, syncRelease, "(JI)J"),
    ENTRY(Hook, threadStart, "(JLjava/lang/Thread;)J"),
    ENTRY(Hook, threadEnd, "(J)V"),
    ENTRY(Hook, threadJoin, "(JJJ)J"),
    ENTRY(Hook, initializeBegin, "(J)J"),
    ENTRY(Hook, initializeEnd, "(J)J"),
    ENTRY(Hook, notePlace, "(J)V"),
};

static const JNINativeMethod of_library[] = {
    ENTRY(Library, variable, "(Ljava/lang/Class;Ljava/lang/String;)I"),
};

static const JNINativeMethod of_objects[] = {
    ENTRY(Objects, overriddenNames, "(Ljava/lang/Class;I)J"),
};

static const JNINativeMethod of_recorder[] = {
    ENTRY(Recorder, flush, "(J)V"),
    ENTRY(Recorder, place, "(JIII)I"),
    ENTRY(Recorder, newVariable, "(JI)I"),
    ENTRY(Recorder, lockNumber, "(JI)I"),
};

static const JNINativeMethod of_sampler[] = {
    ENTRY(Sampler, beginEpisode, "(J)Z"),
    ENTRY(Sampler, changed, "(J)J"),
    ENTRY(Sampler, tellBlock, "(JIZ)V"),
    ENTRY(Sampler, tellAccess, "(JLjava/lang/Object;JIZ)Z"),
};

#define REGISTER(class, methods)                                                                   \
    ((*jni)->RegisterNatives(jni, class, methods, sizeof(methods) / sizeof(methods)[0]) == 0)

/* The JVM finds this one by its name in the agent's library, while no hook is in use yet. It would
   find the others too, but the Java code that it runs to do so calls hooks, which call them. Called
   by a class of java.base, because the JVM warns when others bind the native methods of one. */
JNIEXPORT void JNICALL Java_java_lang_TurnstileHook_registerNatives(JNIEnv *jni, jclass hook,
                                                                    jclass library, jclass objects,
                                                                    jclass recorder,
                                                                    jclass sampler);
JNIEXPORT void JNICALL Java_java_lang_TurnstileHook_registerNatives(JNIEnv *jni, jclass hook,
                                                                    jclass library, jclass objects,
                                                                    jclass recorder, jclass sampler)
{
    /* What goes wrong is thrown. */
    (void)(REGISTER(hook, of_hook) && REGISTER(library, of_library) &&
           REGISTER(objects, of_objects) && REGISTER(recorder, of_recorder) &&
           REGISTER(sampler, of_sampler));
}
