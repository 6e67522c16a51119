/*
 * hook_classes: the compiled classes of java/hook, as the build put them into the agent.
 */
#ifndef TURNSTILE_AGENT_HOOK_CLASSES_H
#define TURNSTILE_AGENT_HOOK_CLASSES_H

#include <stddef.h>

struct hook_class {
    const char *name; /* internal name */
    const unsigned char *bytes;
    size_t size;
};

/* In the order of their names. */
extern const struct hook_class hook_classes[];
extern const size_t hook_class_count;

#endif
