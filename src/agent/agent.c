/*
 * agent: libturnstile.so, loaded into a JVM by -agentpath.
 *
 * It sees each class before the JVM does, except hidden ones. With rewrite=nop it rewrites all
 * classes that do not come from the boot loader, with instructions that do nothing at every place
 * where checks can be inserted: whoever doubts that rewriting leaves a program alone can run it so
 * and compare. Whatever cannot be rewritten is left as it was; nothing that goes wrong here reaches
 * the program.
 */
#include <jvmti.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "agent/agent_options.h"
#include "base/diagnostics.h"
#include "bytecode/opcode.h"
#include "rewrite/class_rewriter.h"

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *words, void *reserved);

static struct {
    struct agent_options options;
    struct diagnostics diagnostics;
    atomic_ulong classes_rewritten, classes_left, methods_left;
} agent;

/* ---- the no-op rewriting ---- */

struct nop_visit {
    struct snippet nop;
};

static bool begin_class(void *context, struct class_editor *editor)
{
    struct nop_visit *visit = context;
    snippet_init(&visit->nop, editor);
    snippet_add(&visit->nop, OP_NOP);
    return true;
}

static bool plan_method(void *context, struct method_editor *edit)
{
    struct nop_visit *visit = context;
    for (uint32_t i = 0; i < edit->bytecode.count; i++)
        method_editor_before(edit, i, &visit->nop);
    return method_editor_at_entry(edit, &visit->nop) &&
           method_editor_at_return(edit, &visit->nop) && method_editor_at_throw(edit, &visit->nop);
}

static void end_class(void *context, struct class_editor *editor)
{
    struct nop_visit *visit = context;
    (void)editor;
    snippet_release(&visit->nop);
}

static void report_left(void *context, const struct class_file *class_file,
                        const struct member *method, enum class_left reason,
                        const struct problem *problem)
{
    (void)context;
    atomic_fetch_add(method ? &agent.methods_left : &agent.classes_left, 1);
    struct text class_name = class_this_name(class_file);
    struct text method_name = method ? class_utf8(class_file, method->name) : TEXT("the class");
    diagnostics_note(&agent.diagnostics, "%.*s: %.*s stays as it was: %s",
                     TEXT_ARGUMENTS(class_name), TEXT_ARGUMENTS(method_name),
                     problem && problem->set ? problem->reason : class_left_text(reason));
}

/* ---- JVMTI ---- */

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
    atomic_fetch_add(&agent.classes_rewritten, 1);
}

static void JNICALL on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                             const char *name, jobject protection_domain, jint size,
                             const unsigned char *bytes, jint *new_size, unsigned char **new_bytes)
{
    (void)jni;
    (void)redefined;
    (void)protection_domain;
    /* The boot loader's classes are the JDK's own. */
    if (!loader || size < 0)
        return;
    struct problem problem;
    problem_clear(&problem);
    struct nop_visit visit;
    struct class_visitor visitor = {&visit, begin_class, plan_method, end_class, report_left};
    struct class_rewriter rewriter;
    class_rewriter_init(&rewriter);
    switch (class_rewriter_run(&rewriter, bytes, (size_t)size, &visitor, &problem)) {
    case CLASS_REWRITTEN:
        replace_class(jvmti, &rewriter.writer, new_size, new_bytes);
        break;
    case CLASS_UNREADABLE:
        atomic_fetch_add(&agent.classes_left, 1);
        diagnostics_problem(&agent.diagnostics, DIAGNOSTICS_NOTE,
                            text_from(name ? name : "a class without name"), &problem);
        break;
    case CLASS_UNCHANGED:
    case CLASS_LEFT:
        break;
    }
    class_rewriter_release(&rewriter);
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    (void)jni;
    diagnostics_note(&agent.diagnostics,
                     "%lu classes rewritten, %lu classes and %lu methods left as they were",
                     atomic_load(&agent.classes_rewritten), atomic_load(&agent.classes_left),
                     atomic_load(&agent.methods_left));
}

static jint refuse(const char *reason)
{
    diagnostics_error(&agent.diagnostics, "%s", reason);
    return JNI_ERR;
}

static bool enable(jvmtiEnv *jvmti)
{
    jvmtiEventCallbacks callbacks = {.ClassFileLoadHook = on_class, .VMDeath = on_death};
    return (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) == JVMTI_ERROR_NONE &&
           (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                                              NULL) == JVMTI_ERROR_NONE &&
           (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL) ==
               JVMTI_ERROR_NONE;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *words, void *reserved)
{
    (void)reserved;
    diagnostics_init(&agent.diagnostics, stderr, DIAGNOSTICS_COLOR_AUTO);
    struct problem problem;
    problem_clear(&problem);
    if (!agent_options_parse(&agent.options, words, &problem))
        return refuse(problem.reason);
    agent.diagnostics.verbose = agent.options.verbose;
    if (!agent.options.rewrite_nop)
        return JNI_OK;
    jvmtiEnv *jvmti;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return refuse("this JVM has no tool interface (JVMTI 1.2)");
    return enable(jvmti) ? JNI_OK : refuse("this JVM does not let an agent see its classes");
}
