#include <unistd.h>

#include "agent/sample.h"

static bool open_trace(void *context, struct trace_source *source)
{
    return trace_open(source, context);
}

void sample_end(struct text path, struct finding_list *findings)
{
    struct analysis_options options;
    struct analysis_result result;
    analysis_options_default(&options);
    options.races = false; /* the engine has found them */
    analysis_choose_atomicity(&options, runtime.options.atomicity);
    options.refinements &= ~runtime.options.without;
    analysis_run(&options, open_trace, (void *)(uintptr_t)path.bytes, findings, &result);
    if (result.failure.set)
        diagnostics_error(&runtime.diagnostics, "%.*s: %s", TEXT_ARGUMENTS(path),
                          result.failure.reason);
    if (result.impossible.set)
        diagnostics_warning(&runtime.diagnostics, "%.*s: %s", TEXT_ARGUMENTS(path),
                            result.impossible.reason);
    if (result.damage.length)
        diagnostics_warning(&runtime.diagnostics, "the samples: %s",
                            builder_string(&result.damage));
    if (result.counts.forgotten)
        diagnostics_note(&runtime.diagnostics,
                         "%llu variables, locks or threads could not be remembered for want of "
                         "room; findings may be missing",
                         (unsigned long long)result.counts.forgotten);
    analysis_result_release(&result);
    unlink(path.bytes);
}
