/*
 * class_choice: which classes are changed, and how.
 *
 * The application's are those that neither the boot loader nor the platform's loader defines, and
 * that are not of a module of the JDK (its tools are loaded like applications). `include` adds
 * classes of the JDK, except those that everything else stands on; `exclude` takes classes away.
 */
#ifndef TURNSTILE_AGENT_CLASS_CHOICE_H
#define TURNSTILE_AGENT_CLASS_CHOICE_H

#include <jni.h>
#include <stdbool.h>

#include "base/text.h"

enum class_choice {
    CLASS_CHOICE_NONE,
    CLASS_CHOICE_LIBRARY, /* the table of the library knows it */
    CLASS_CHOICE_APPLICATION
};

/* The hook classes are there: before, only classes of the library are changed. */
void class_choice_begin(void);

/* Whether it is in a package of the JDK, also of its modules that the application's loader defines.
   The name may have slashes or dots. */
bool class_choice_is_platform(struct text name);

enum class_choice class_choice(JNIEnv *jni, jobject loader, struct text internal_name);

#endif
