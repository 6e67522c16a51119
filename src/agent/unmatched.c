/*
 * Patterns of the user that nothing matched. Whoever misspells a name gets a report all the same,
 * and would take what is not in it for a result.
 */
#include "agent/runtime.h"
#include "base/builder.h"
#include "report/run_log.h"

/* Several JVMs may run with the same patterns. Then only the command, to which all of them tell
   what they know, can say which were of no use to any. */
static void tell(const struct pattern *pattern, const char *option, const char *reason)
{
    const char *log = runtime.options.log.length ? runtime.options.log.bytes : NULL;
    const bool matched = atomic_load_explicit(&pattern->matched, memory_order_relaxed);
    struct builder message;
    builder_init(&message);
    builder_add_format(&message, "%s%s '%.*s': %s", log ? "--" : "", option,
                       (int)pattern->text.length, pattern->text.bytes, reason);
    if (log && !message.failed)
        (void)run_log_pattern(log, builder_text(&message), matched);
    else if (!matched && !message.failed)
        diagnostics_warning(&runtime.diagnostics, "%s", builder_string(&message));
    builder_release(&message);
}

static void tell_all(const struct pattern_list *list, const char *option, const char *reason)
{
    for (size_t i = 0; i < list->items.count; i++)
        tell(&list->items.items[i], option, reason);
}

void unmatched_tell(void)
{
    const struct agent_options *options = &runtime.options;
    tell_all(&options->include, "include",
             "no such class was loaded, or none that can be looked at");
    /* A program that did not come to anything has said so itself. */
    if (!atomic_load_explicit(&runtime.looked_at_any, memory_order_relaxed))
        return;
    tell_all(&options->watch, "watch",
             "no class that is looked at uses such a field, or none that needs watching");
    if (runtime.instrument.atomic != INSTRUMENT_ATOMIC_NONE)
        tell_all(&options->atomic_methods, "atomic-methods",
                 "no class that is looked at has such a method with code");
}
