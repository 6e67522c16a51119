#include "agent/class_choice.h"

#include <stdatomic.h>

#include "agent/runtime.h"
#include "base/builder.h"
#include "classfile/names.h"
#include "instrument/library.h"

static _Atomic bool begun;

void class_choice_begin(void)
{
    atomic_store(&begun, true);
}

/* Prefixes have slashes, the name slashes or dots. */
static bool starts_with_any(struct text name, const char *const *prefixes)
{
    for (; *prefixes; prefixes++) {
        const char *prefix = *prefixes;
        size_t i = 0;
        while (prefix[i] && i < name.length &&
               (name.bytes[i] == prefix[i] || (name.bytes[i] == '.' && prefix[i] == '/')))
            i++;
        if (!prefix[i])
            return true;
    }
    return false;
}

bool class_choice_is_platform(struct text name)
{
    static const char *const prefixes[] = {"java/",
                                           "jdk/",
                                           "sun/",
                                           "com/sun/",
                                           "com/oracle/",
                                           "javax/annotation/processing/",
                                           "javax/lang/model/",
                                           "javax/tools/",
                                           NULL};
    return starts_with_any(name, prefixes);
}

/* What the hooks themselves, or the JVM, stand on. */
static bool is_foundation(struct text name)
{
    static const char *const prefixes[] = {"java/lang/", "jdk/internal/", "sun/", NULL};
    return starts_with_any(name, prefixes);
}

static bool matches(const struct pattern_list *patterns, struct text internal_name)
{
    if (!patterns->items.count)
        return false;
    struct builder name;
    builder_init(&name);
    names_add_dotted(&name, internal_name);
    bool matched = pattern_list_matches(patterns, builder_text(&name));
    builder_release(&name);
    return matched;
}

enum class_choice class_choice(JNIEnv *jni, jobject loader, struct text name)
{
    (void)jni;
    const struct agent_options *options = &runtime.options;
    if (options->rewrite_nop)
        return loader ? CLASS_CHOICE_APPLICATION : CLASS_CHOICE_NONE;
    if (library_find(name))
        return loader ? CLASS_CHOICE_NONE : CLASS_CHOICE_LIBRARY;
    if (!atomic_load_explicit(&begun, memory_order_relaxed) || matches(&options->exclude, name))
        return CLASS_CHOICE_NONE;
    const bool asked_for = class_choice_is_platform(name) || !loader;
    const bool included = !(asked_for && is_foundation(name)) && matches(&options->include, name);
    return included || !asked_for ? CLASS_CHOICE_APPLICATION : CLASS_CHOICE_NONE;
}
