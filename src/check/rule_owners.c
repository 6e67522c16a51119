/*
 * owners: a value goes only where a type with its owners is declared (assignment, call, return).
 */
#include "check/method_check.h"

static struct text place_of(struct method_check *check, const struct flow_event *event,
                            uint32_t argument)
{
    switch (event->kind) {
    case EVENT_WRITE:
        return method_check_text(check, "is stored in %.*s",
                                 TEXT_ARGUMENTS(method_check_field_name(check, event->id)));
    case EVENT_CALL: {
        const struct text name = method_check_method_name(check, event->id);
        const uint32_t receiver = !(event->flags & EVENT_STATIC);
        return argument < receiver
                   ? method_check_text(check, "is the receiver of %.*s", TEXT_ARGUMENTS(name))
                   : method_check_text(check, "is argument %u of %.*s", argument - receiver + 1,
                                       TEXT_ARGUMENTS(name));
    }
    default:
        return TEXT("is returned");
    }
}

void rule_owners(struct method_check *check)
{
    const struct program *program = check->checker->program;
    for (size_t i = 0; i < check->owners.mismatches.count; i++) {
        const struct owner_mismatch *mismatch = &check->owners.mismatches.items[i];
        const struct flow_event *event =
            mismatch->event == UINT32_MAX ? NULL : &check->flow->events[mismatch->event];
        const bool of_field = event && event->kind == EVENT_WRITE;
        const bool of_call = event && event->kind == EVENT_CALL;
        const struct check_subject subject = {
            .rule = FINDING_OWNER_MISMATCH,
            .basis = FINDING_BASIS_DECLARED,
            .class_id = of_field  ? program->fields[event->id].class_id
                        : of_call ? program->methods[event->id].class_id
                                  : check->class_id,
            .member = of_field  ? program_field_name(program, event->id)
                      : of_call ? program_method_name(program, event->id)
                                : TEXT(""),
            .signature = of_field  ? program_field_descriptor(program, event->id)
                         : of_call ? program_method_descriptor(program, event->id)
                                   : TEXT(""),
            .instruction = event ? event->instruction : INSTRUCTION_NONE,
            .event = event,
            .role = "uses",
            .message =
                event
                    ? method_check_text(check,
                                        "an object with the owner `%.*s` %.*s, where `%.*s` is "
                                        "declared",
                                        TEXT_ARGUMENTS(method_check_term(check, mismatch->found)),
                                        TEXT_ARGUMENTS(place_of(check, event, mismatch->argument)),
                                        TEXT_ARGUMENTS(method_check_term(check, mismatch->wanted)))
                    : method_check_text(check,
                                        "objects with the owners `%.*s` and `%.*s` meet in one "
                                        "variable",
                                        TEXT_ARGUMENTS(method_check_term(check, mismatch->found)),
                                        TEXT_ARGUMENTS(method_check_term(check, mismatch->wanted))),
        };
        method_check_report(check, &subject);
    }
}
