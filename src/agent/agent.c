/*
 * agent: libturnstile.so, loaded into a JVM by -agentpath.
 *
 * It sees each class before the JVM does, except hidden ones, and puts checks into those of the
 * application and hooks into those of the JDK that synchronize (src/instrument). When the JVM has
 * started far enough it defines the hook classes, which the changed classes call. At the end of the
 * JVM it writes the report. Whatever cannot be changed is left as it was; nothing that goes wrong
 * here reaches the program.
 *
 * With rewrite=nop it changes all classes of the application in a way that does nothing: whoever
 * doubts that rewriting leaves a program alone can run it so and compare.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/class_choice.h"
#include "agent/hook_classes.h"
#include "agent/nop.h"
#include "agent/record.h"
#include "agent/sample.h"
#include "base/builder.h"
#include "instrument/library.h"

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *words, void *reserved);
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *words, void *reserved);

struct runtime runtime;

/* ---- classes ---- */

static void report_left(void *context, const struct class_file *class_file,
                        const struct member *method, enum class_left reason,
                        const struct problem *problem)
{
    (void)context;
    atomic_fetch_add(method ? &runtime.methods_left : &runtime.classes_left, 1);
    struct text class_name = class_this_name(class_file);
    struct text method_name = method ? class_utf8(class_file, method->name) : TEXT("the class");
    diagnostics_note(&runtime.diagnostics, "%.*s: %.*s stays as it was: %s",
                     TEXT_ARGUMENTS(class_name), TEXT_ARGUMENTS(method_name),
                     problem && problem->set ? problem->reason : class_left_text(reason));
}

/* Hands the bytes to the JVM, which wants them in memory of its own. */
static void replace_class(jvmtiEnv *jvmti, const struct writer *writer, jint *new_size,
                          unsigned char **new_bytes)
{
    unsigned char *bytes;
    if (writer->size > INT32_MAX ||
        (*jvmti)->Allocate(jvmti, (jlong)writer->size, &bytes) != JVMTI_ERROR_NONE)
        return;
    memcpy(bytes, writer->bytes, writer->size);
    *new_size = (jint)writer->size;
    *new_bytes = bytes;
}

static enum class_rewritten change_class(struct class_rewriter *rewriter, bool library,
                                         struct text name, const void *bytes, size_t size,
                                         struct problem *problem)
{
    if (runtime.options.rewrite_nop)
        return nop_rewrite(rewriter, bytes, size, report_left, problem);
    return instrument_class(&runtime.instrument, rewriter, library ? library_find(name) : NULL,
                            bytes, size, problem);
}

static void JNICALL on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                             const char *name, jobject protection_domain, jint size,
                             const unsigned char *bytes, jint *new_size, unsigned char **new_bytes)
{
    (void)redefined;
    (void)protection_domain;
    if (!name || size < 0)
        return; /* without a name it cannot be told whose it is */
    const enum class_choice choice = class_choice(jni, loader, text_from(name));
    if (choice == CLASS_CHOICE_NONE)
        return;
    if (choice == CLASS_CHOICE_APPLICATION)
        atomic_store_explicit(&runtime.looked_at_any, true, memory_order_relaxed);
    struct problem problem;
    problem_clear(&problem);
    struct class_rewriter rewriter;
    class_rewriter_init(&rewriter);
    switch (change_class(&rewriter, choice == CLASS_CHOICE_LIBRARY, text_from(name), bytes,
                         (size_t)size, &problem)) {
    case CLASS_REWRITTEN:
        replace_class(jvmti, &rewriter.writer, new_size, new_bytes);
        break;
    case CLASS_UNREADABLE:
        atomic_fetch_add(&runtime.classes_left, 1);
        diagnostics_problem(&runtime.diagnostics, DIAGNOSTICS_NOTE, text_from(name), &problem);
        break;
    case CLASS_UNCHANGED:
    case CLASS_LEFT:
        break;
    }
    class_rewriter_release(&rewriter);
}

/* ---- the JVM starts ---- */

static void forget_exception(JNIEnv *jni)
{
    if ((*jni)->ExceptionCheck(jni))
        (*jni)->ExceptionClear(jni);
}

static bool define_hooks(JNIEnv *jni)
{
    for (size_t i = 0; i < hook_class_count; i++) {
        const struct hook_class *hook = &hook_classes[i];
        jclass class = (*jni)->DefineClass(jni, hook->name, NULL, (const jbyte *)hook->bytes,
                                           (jsize)hook->size);
        if (!class)
            return false;
        (*jni)->DeleteLocalRef(jni, class);
    }
    jclass hook = (*jni)->FindClass(jni, INSTRUMENT_HOOK);
    if (!hook)
        return false;
    runtime.hook = (*jni)->NewGlobalRef(jni, hook);
    runtime.offset =
        (*jni)->GetStaticMethodID(jni, hook, "offset", "(Ljava/lang/reflect/Field;Z)J");
    if (!runtime.hook || !runtime.offset || !threads_init(jni))
        return false;
    deadlocks_init(jni);
    return true;
}

static void begin_known_threads(JNIEnv *jni)
{
    jint count = 0;
    jthread *threads = NULL;
    if ((*runtime.jvmti)->GetAllThreads(runtime.jvmti, &count, &threads) != JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < count; i++) {
        if (!threads_is_known(jni, threads[i]))
            threads_begin(jni, NULL, threads[i], false);
        (*jni)->DeleteLocalRef(jni, threads[i]);
    }
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)threads);
}

/* So that no thread of the program has to. */
static bool initialize_hooks(JNIEnv *jni)
{
    for (size_t i = 0; i < hook_class_count; i++) {
        jclass class = (*jni)->FindClass(jni, hook_classes[i].name);
        if (!class)
            return false;
        (*jni)->DeleteLocalRef(jni, class);
    }
    return true;
}

static bool tell_arrays(JNIEnv *jni)
{
    jclass arrays = (*jni)->FindClass(jni, "java/lang/TurnstileArrays");
    jfieldID whole = arrays ? (*jni)->GetStaticFieldID(jni, arrays, "whole", "Z") : NULL;
    if (!whole)
        return false;
    (*jni)->SetStaticBooleanField(jni, arrays, whole, runtime.instrument.array_objects);
    (*jni)->DeleteLocalRef(jni, arrays);
    return true;
}

/* From now on the hooks in the JDK's classes are in use. */
static bool switch_on(JNIEnv *jni, jthread main_thread)
{
    if (!initialize_hooks(jni) || !tell_arrays(jni))
        return false;
    jclass thread = (*jni)->FindClass(jni, "java/lang/Thread");
    jfieldID on =
        thread ? (*jni)->GetStaticFieldID(jni, thread, INSTRUMENT_PREFIX "on", "Z") : NULL;
    if (!on)
        return false;
    atomic_store(&runtime.live, true);
    threads_begin(jni, NULL, main_thread, true);
    begin_known_threads(jni);
    (*jni)->SetStaticBooleanField(jni, thread, on, JNI_TRUE);
    (*jni)->DeleteLocalRef(jni, thread);
    return true;
}

static void JNICALL on_start(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    if (define_hooks(jni))
        class_choice_begin();
    else
        diagnostics_error(&runtime.diagnostics,
                          "this JVM does not take the hook classes: the program runs unchecked");
    forget_exception(jni);
}

static void JNICALL on_live(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    findings_tell_beginning();
    if (runtime.hook && !switch_on(jni, thread))
        diagnostics_error(&runtime.diagnostics,
                          "this JVM's threads cannot be followed: the program runs unchecked");
    forget_exception(jni);
}

/* Threads that no Java code started. */
static void JNICALL on_thread(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    if (atomic_load(&runtime.live) && !threads_is_known(jni, thread))
        threads_begin(jni, NULL, thread, true);
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    if (runtime.options.rewrite_nop) {
        diagnostics_note(&runtime.diagnostics,
                         "%lu classes rewritten, %lu classes and %lu methods left as they were",
                         (unsigned long)nop_count(),
                         (unsigned long)atomic_load(&runtime.classes_left),
                         (unsigned long)atomic_load(&runtime.methods_left));
        return;
    }
    struct text path = TEXT("");
    deadlocks_find(jni);
    if (runtime.traced)
        record_end(&path);
    if (runtime.sampling && path.length) /* also if not all of it could be written */
        findings_add(sample_end, path);
    unmatched_tell();
    if (runtime.recording)
        findings_tell_end(0);
    else
        findings_write();
    atomic_store(&runtime.live, false);
}

/* ---- loading ---- */

static jint refuse(const char *reason)
{
    diagnostics_error(&runtime.diagnostics, "%s", reason);
    return JNI_ERR;
}

static bool enable(jvmtiEnv *jvmti, jvmtiEvent event)
{
    return (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, event, NULL) == JVMTI_ERROR_NONE;
}

static bool listen(jvmtiEnv *jvmti)
{
    const jvmtiEventCallbacks callbacks = {.ClassFileLoadHook = on_class,
                                           .VMStart = on_start,
                                           .VMInit = on_live,
                                           .ThreadStart = on_thread,
                                           .VMDeath = on_death};
    if ((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE ||
        !enable(jvmti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK) || !enable(jvmti, JVMTI_EVENT_VM_DEATH))
        return false;
    return runtime.options.rewrite_nop ||
           (enable(jvmti, JVMTI_EVENT_VM_START) && enable(jvmti, JVMTI_EVENT_VM_INIT) &&
            enable(jvmti, JVMTI_EVENT_THREAD_START));
}

static bool begin_engine(void)
{
    const struct agent_options *options = &runtime.options;
    struct engine_options engine;
    engine_options_default(&engine);
    engine.mode = options->races == AGENT_RACES_HB        ? ENGINE_ORDER
                  : options->races == AGENT_RACES_LOCKSET ? ENGINE_LOCKSET
                                                          : ENGINE_HYBRID;
    engine.discipline = options->discipline;
    engine.object_rule = options->granularity == AGENT_GRANULARITY_OBJECT;
    engine.history = options->history;
    engine.report = findings_race;
    runtime.engine = engine_new(&engine);
    runtime.instrument =
        (struct instrument){.sites = &runtime.sites,
                            .arrays = options->arrays != AGENT_ARRAYS_OFF,
                            .array_objects = options->arrays == AGENT_ARRAYS_OBJECT,
                            .object_words = engine.object_rule,
                            .watch = &options->watch,
                            .lock_fields = &runtime.lock_fields,
                            .left = report_left};
    if (options->record.length) {
        runtime.instrument.sampled = options->events == AGENT_EVENTS_SAMPLED;
        runtime.instrument.recorded = !runtime.instrument.sampled;
        runtime.instrument.atomic =
            options->atomic == AGENT_ATOMIC_HEURISTICS  ? INSTRUMENT_ATOMIC_HEURISTICS
            : options->atomic == AGENT_ATOMIC_ANNOTATED ? INSTRUMENT_ATOMIC_ANNOTATED
                                                        : INSTRUMENT_ATOMIC_NONE;
        runtime.instrument.atomic_methods = &options->atomic_methods;
        runtime.instrument.declared = &options->declared;
    }
    findings_init();
    return runtime.engine && sites_init(&runtime.sites) && lock_fields_init(&runtime.lock_fields) &&
           stacks_init() && library_init();
}

static bool begin_recording(struct problem *problem)
{
    const bool sampled = runtime.options.events == AGENT_EVENTS_SAMPLED;
    if (!runtime.options.record.length)
        return true;
    runtime.traced = true;
    runtime.recording = !sampled;
    runtime.sampling = sampled;
    return record_begin(runtime.options.record, problem);
}

/* Programs that the checked one starts find the agent in their environment. */
static void tell_children(const char *words)
{
    Dl_info info;
    struct builder value;
    const char *before = getenv("JAVA_TOOL_OPTIONS");
    if (!dladdr((void *)(uintptr_t)tell_children, &info) || !info.dli_fname)
        return;
    builder_init(&value);
    if (before && strstr(before, info.dli_fname))
        before = NULL, words = NULL; /* it is there already */
    if (words) {
        builder_add_format(&value, "%s%s'-agentpath:%s=%s,child'", before ? before : "",
                           before ? " " : "", info.dli_fname, words);
        if (!value.failed)
            setenv("JAVA_TOOL_OPTIONS", builder_string(&value), 1);
    }
    builder_release(&value);
}

static bool add_capabilities(jvmtiEnv *jvmti)
{
    jvmtiCapabilities wanted = {.can_generate_all_class_hook_events = 1,
                                .can_generate_early_class_hook_events = 1,
                                .can_get_line_numbers = 1,
                                .can_get_source_file_name = 1,
                                .can_get_current_contended_monitor = 1,
                                .can_get_monitor_info = 1,
                                .can_tag_objects = runtime.options.events == AGENT_EVENTS_SAMPLED};
    return (*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE;
}

/* "17.0.9+9": 17. 0 if it cannot be told. */
static long jvm_version(jvmtiEnv *jvmti)
{
    char *value = NULL;
    long version = 0;
    if ((*jvmti)->GetSystemProperty(jvmti, "java.vm.specification.version", &value) ==
        JVMTI_ERROR_NONE) {
        version = strtol(value, NULL, 10); /* "1.8" of an old one becomes 1 */
        (*jvmti)->Deallocate(jvmti, (unsigned char *)value);
    }
    return version;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *words, void *reserved)
{
    (void)reserved;
    if (runtime.vm)
        return JNI_OK; /* loaded twice: once is enough */
    diagnostics_init(&runtime.diagnostics, stderr, DIAGNOSTICS_COLOR_AUTO);
    struct problem problem;
    problem_clear(&problem);
    if (!agent_options_parse(&runtime.options, words, &problem))
        return refuse(problem.reason);
    runtime.vm = vm;
    runtime.diagnostics.verbose = runtime.options.verbose;
    runtime.diagnostics.quiet = runtime.options.quiet;
    if ((*vm)->GetEnv(vm, (void **)&runtime.jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return refuse("this JVM has no tool interface (JVMTI 1.2)");
    if (!runtime.options.rewrite_nop) {
        long version = jvm_version(runtime.jvmti);
        if (version && version < 17)
            return refuse("this JVM is too old: run the program with Java 17 or newer");
        if (!add_capabilities(runtime.jvmti))
            return refuse("this JVM does not let an agent see its classes early enough");
        if (!begin_engine())
            return refuse("out of memory");
        if (!begin_recording(&problem))
            return refuse(problem.reason);
        if (runtime.options.children)
            tell_children(words);
    }
    return listen(runtime.jvmti) ? JNI_OK
                                 : refuse("this JVM does not let an agent see its classes");
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *words, void *reserved)
{
    (void)vm;
    (void)words;
    (void)reserved;
    if (runtime.vm)
        return JNI_OK; /* it is there already */
    diagnostics_init(&runtime.diagnostics, stderr, DIAGNOSTICS_COLOR_AUTO);
    return refuse("turnstile must be there from the start of the JVM: use -agentpath or "
                  "'turnstile run'");
}
