#include "check/references.h"

/* Captured values are the first parameters, the receiver among them. */
bool reference_find(struct reference_call *found, const struct checker *checker,
                    const struct method_flow *flow, const struct flow_event *event)
{
    const struct program *program = checker->program;
    if (event->kind != EVENT_LAMBDA || event->id == PROGRAM_NONE ||
        program->methods[event->id].access & ACCESS_SYNTHETIC)
        return false;
    const struct flow_event *caller = entry_locks_called_at_once(checker, flow, event);
    struct flow_event *call = &found->call;
    found->later = !caller;
    *call = *event;
    call->kind = EVENT_CALL;
    call->locks = caller ? caller->locks : 0;
    if (program->methods[event->id].access & ACCESS_STATIC) {
        call->flags |= EVENT_STATIC;
    } else if (call->argument_count > 0) {
        if (caller)
            call->flags |=
                (uint8_t)(flow->argument_flags[call->first_argument] & ~(unsigned)ARGUMENT_LENT);
        call->object = flow->arguments[call->first_argument++];
        call->argument_count--;
    }
    return true;
}
