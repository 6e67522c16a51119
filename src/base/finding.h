/*
 * finding: what the tool found in the program that it checks.
 *
 * The checker and the engines fill a `struct finding` with texts that may live anywhere and add it
 * to a list; the list owns a deep copy, so that a finding never points into live run-time state.
 * The writers (text, JSON, SARIF) print what the list holds.
 *
 * Two findings are the same, and are counted instead of kept twice, when they agree in rule, class,
 * member and signature and in where their stacks end: class, method and line of the top frames,
 * whatever the order of the stacks. So there is one report for a racy field and a pair of source
 * lines. Of the same findings, the one with the strongest grade is shown.
 *
 * The fingerprint is coarser: it knows no line, so that it survives edits elsewhere in the file.
 * Neither depends on threads, on grades or on roles: of `x++` in two threads, one schedule shows a
 * write after a read and another a write after a write.
 *
 * Where the thread of an access was started is a stack of its own: its role is
 * `thread "NAME" started`, with the name of the started thread; its frames are those that called
 * Thread.start; its `thread`, if not empty, is the one that called it. What another thread does at
 * the wrong moment has a role that begins with `meanwhile`. Where a thread of a deadlock got the
 * lock that another one wants has the role `holds`. Such stacks are shown, but count neither for
 * the identity nor for the fingerprint.
 *
 * A list is used by one thread at a time.
 */
#ifndef TURNSTILE_BASE_FINDING_H
#define TURNSTILE_BASE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intmap.h"
#include "base/text.h"
#include "base/vector.h"

enum finding_rule {
#define RULE(name, id, kind, title, help) FINDING_##name,
#include "base/rules.def"
    FINDING_RULE_COUNT
};

/* How a rule's findings are counted in a summary. */
enum finding_kind {
    FINDING_KIND_RACES,
    FINDING_KIND_ATOMICITY,
    FINDING_KIND_DEADLOCKS,
    FINDING_KIND_WARNINGS,
    FINDING_KIND_COUNT
};

/* How sure a run is; the stronger, the greater. */
enum finding_grade {
    FINDING_GRADE_NONE,
    FINDING_GRADE_DISCIPLINE,
    FINDING_GRADE_PREDICTED,
    FINDING_GRADE_OBSERVED,
    FINDING_GRADE_COUNT
};

/* Where the checker has the broken lock type from. */
enum finding_basis {
    FINDING_BASIS_NONE,
    FINDING_BASIS_DECLARED,
    FINDING_BASIS_INFERRED,
    FINDING_BASIS_DEFAULT,
    FINDING_BASIS_BELIEF,
    FINDING_BASIS_COUNT
};

/* Class names are Java binary names with dots (`java.util.Map$Entry`); a line of 0 is unknown. */
struct finding_frame {
    struct text class_name;
    struct text method;
    struct text file;
    uint32_t line;
};

/* What is called `name` where it is held in shared mode only, as a read lock is. */
struct text finding_shared_lock(struct arena *arena, struct text name);

struct finding_stack {
    struct text role; /* "write", "commits at", "acquires" ... */
    struct text thread;
    const struct text *locks;
    size_t lock_count;
    const struct finding_frame *frames; /* the innermost first */
    size_t frame_count;
    bool locks_unknown;   /* some were held, but which is not known */
    bool callers_unknown; /* only the innermost frame is known */
    bool presumed;        /* nobody has noted the place; this is where it most likely was */
};

/* Texts that do not apply are empty. */
struct finding {
    enum finding_rule rule;
    enum finding_grade grade;
    enum finding_basis basis;
    struct text class_name;
    struct text member;
    struct text signature;
    struct text file;
    uint32_t line;
    struct text message;
    struct text help; /* empty: that of the rule */
    const struct text *locks;
    size_t lock_count;
    const struct finding_stack *stacks;
    size_t stack_count;
    const struct text *traces; /* in which of several it was found; else none */
    size_t trace_count;
    uint32_t
        surety;   /* of a belief, up to 1000; 0 where it does not apply. Not printed: it orders */
    size_t count; /* how often it was seen; 0 in what is added means once */
    uint64_t fingerprint; /* set by the list */
};

struct finding_list {
    struct arena arena;
    VECTOR(struct finding *) items; /* in the order of arrival until sorted */
    struct intmap by_identity;      /* to the address of the finding */
};

void finding_list_init(struct finding_list *list);
void finding_list_release(struct finding_list *list);

/* Adds a copy, or counts one that is there already, which is then from the traces of both. The
   finding that the list now holds (a new one
   has the count of what was added), or NULL when there is no memory and the list is as it was. */
const struct finding *finding_list_add(struct finding_list *list, const struct finding *finding);

/* The surest first, where the checker says how sure it is (basis, surety); then by file, class,
   line, rule, and then by all else that tells findings apart: the order is the same whatever the
   order of arrival. */
void finding_list_sort(struct finding_list *list);

/* Leaves `most` of each kind: those of the highest grades, and of one grade those that came first.
   How many are gone. Nothing is added to the list after that. */
size_t finding_list_cut(struct finding_list *list, size_t most);

struct finding_counts {
    size_t by_rule[FINDING_RULE_COUNT];
    size_t by_kind[FINDING_KIND_COUNT];
    size_t all;
};

/* Counts findings, not how often each was seen. */
struct finding_counts finding_list_count(const struct finding_list *list);

/* The NAME in the role of a stack that tells where a thread was started (empty for a thread without
   a name); false for any other role. */
bool finding_started_thread(struct text role, struct text *name);

/* Over rule, class, member, signature and the class and method of each stack's top frame. It is
   kept in users' baselines: the way it is computed is part of the tool's interface. */
uint64_t finding_fingerprint(const struct finding *finding);

#define FINDING_FINGERPRINT_SIZE 17 /* 16 hexadecimal digits and a zero */
void finding_fingerprint_print(uint64_t fingerprint, char to[FINDING_FINGERPRINT_SIZE]);

/* False if the text is not 16 hexadecimal digits. */
bool finding_fingerprint_parse(struct text text, uint64_t *fingerprint);

struct finding_rule_info {
    const char *id;
    const char *title;
    const char *help;
    enum finding_kind kind;
};

const struct finding_rule_info *finding_rule_info(enum finding_rule rule);

/* "races", "atomicity", "deadlocks", "warnings". */
const char *finding_kind_name(enum finding_kind kind);

/* "" for none. */
const char *finding_grade_name(enum finding_grade grade);
const char *finding_basis_name(enum finding_basis basis);

/* False if there is no such name. */
bool finding_rule_parse(struct text id, enum finding_rule *rule);
bool finding_grade_parse(struct text name, enum finding_grade *grade);
bool finding_basis_parse(struct text name, enum finding_basis *basis);

#endif
