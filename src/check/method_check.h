/*
 * method_check: one method as the rules see it.
 *
 * A rule is a function over a method_check, in a file of its own, with a line in rules.def. It goes
 * through the events of the flow, asks what is held and who owns what, and reports. One method is
 * judged by one thread; only `flow->terms` is changed meanwhile (substitution makes terms).
 */
#ifndef TURNSTILE_CHECK_METHOD_CHECK_H
#define TURNSTILE_CHECK_METHOD_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/builder.h"
#include "base/finding.h"
#include "check/checker.h"
#include "check/owners.h"
#include "flow/method_flow.h"

struct method_check {
    const struct checker *checker;
    struct method_flow *flow;
    uint32_t method, class_id;
    struct entry_lock *entry; /* with terms of the flow */
    uint32_t entry_count;
    bool constructing; /* `this` is under construction all the time */
    bool later; /* what is looked at runs when the method may be over: no entry lock is held, and
                   nothing is under construction */
    struct owners owners;
    uint32_t *producers; /* by term: number of the event that made it, plus 1; 0: none */
    uint32_t producer_count;
    const struct file_lines *lines; /* line declarations of the source file; NULL: none */
    struct text class_name;         /* with dots */
    struct text source_file;        /* "Name.java"; empty if the class does not say */
    struct text *parameter_names;   /* as far as the class file has them; NULL: none */
    struct arena *arena;            /* scratch, until the method is done */
    struct finding_list *findings;
    uint32_t reported;
};

/* Makes everything ready for the rules; false when there is no memory. The findings' list and the
   arena are the caller's. */
bool method_check_init(struct method_check *check, const struct checker *checker, uint32_t method,
                       struct arena *arena, struct finding_list *findings);
/* The same with another flow of the method than the checker's. */
bool method_check_init_flow(struct method_check *check, const struct checker *checker,
                            struct method_flow *flow, struct arena *arena,
                            struct finding_list *findings);
void method_check_release(struct method_check *check);

/* What a finding is about, for method_check_report. */
struct check_subject {
    enum finding_rule rule;
    enum finding_basis basis;
    uint32_t class_id;  /* of the member */
    struct text member; /* name; empty: the method itself */
    struct text signature;
    uint32_t line;                  /* where, if not 0; else: */
    uint32_t instruction;           /* where; INSTRUCTION_NONE: the method's first line */
    const struct flow_event *event; /* its locks are shown; NULL: none */
    const char *role;               /* of the stack: "read", "write", "call" */
    struct text message;
    const struct syntax_no_warn *no_warn; /* of the member; NULL: none */
    term needed;     /* the lock that was wanted, for the near miss; or TERM_NONE */
    uint32_t surety; /* of a belief, 0 to 1000; else 0 */
};

/* Adds the finding, unless it is silenced: by the rule's option, by no_warn of class, member,
   method or line. */
void method_check_report(struct method_check *check, const struct check_subject *subject);

/* Is the lock held before the event, by what is taken in the method, by entry locks (inferred ones
   too if wanted), by `holds` lines, or because it is one that is always held? */
bool method_check_holds(struct method_check *check, const struct flow_event *event, term lock,
                        bool for_writing, bool inferred_too);

/* What was in the same field a moment ago is held: the lock is another one only if somebody else
   has assigned the field since. */
bool method_check_holds_earlier(const struct method_check *check, const struct flow_event *event,
                                term lock);

/* What the event's object, or any other term, stands for in a declaration about its class: binding
   for term_substitute with `this` and the formals set. The arrays hang in check->arena. */
struct term_binding method_check_binding(struct method_check *check, term object,
                                         uint32_t class_id);

/* The same for a call: parameters are receiver and arguments. */
struct term_binding method_check_call_binding(struct method_check *check,
                                              const struct flow_event *event);

/* The field that the term was read from, with its object (TERM_NONE for a static one); elements of
   arrays count as read from where the array was. False: not from a field. */
bool method_check_origin(const struct method_check *check, term value, uint32_t *field,
                         term *object);

/* Is the object one that nobody else can see at this event: fresh, or under construction? */
bool method_check_is_private(const struct method_check *check, const struct flow_event *event);

/* The same for another object than the event's: what hangs in an object that nobody else can see is
   seen by nobody else either, as far as the rules go. */
bool method_check_owns(const struct method_check *check, const struct flow_event *event,
                       term object);

/* The constant null: it has no owner, and goes anywhere. */
bool method_check_is_null(const struct method_check *check, term value);

/* The term as a user would write it, in the arena. */
struct text method_check_term(struct method_check *check, term number);

/* "Account.balance", "Account.deposit". */
struct text method_check_field_name(struct method_check *check, uint32_t field);
struct text method_check_method_name(struct method_check *check, uint32_t method);

/* A text in the arena. */
struct text method_check_text(struct method_check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define RULE(name) void rule_##name(struct method_check *check);
#include "check/rules.def"
#undef RULE

#endif
