/*
 * What the files of this folder share while one class is rewritten.
 *
 * A planner is called for each instruction that is its business, in the order of the code, and
 * plans into `method->edit`. It uses `method->snippet` (cleared by instrument_snippet) to build
 * what it inserts: the plan copies it. It returns false if the method must stay as it was.
 */
#ifndef TURNSTILE_INSTRUMENT_INSTRUMENT_INTERNAL_H
#define TURNSTILE_INSTRUMENT_INSTRUMENT_INTERNAL_H

#include "instrument/checks.h"
#include "instrument/instrument.h"
#include "instrument/lock_fields.h"
#include "instrument/origins.h"
#include "rewrite/exits.h"
#include "rewrite/method_editor.h"

struct atomic_blocks;
struct batched;
struct collection_targets;
struct library_class;
struct private_objects;
struct quiet_calls;
struct repeats;

/* A lock from a field, of lock_fields.c: the instruction that takes it in the method in hand, and
   where that is in a method that is done. */
struct lock_fields_note {
    uint32_t instruction;
    uint32_t accessed;
};

struct lock_fields_placed {
    struct lock_fields_method method;
    struct lock_fields_place place;
};

struct instrument_class {
    struct instrument *instrument;
    struct class_editor *editor;
    const struct library_class *library; /* of a library class: what is known of it */
    struct text name;                    /* internal name of the class */
    struct text file;                    /* its SourceFile, or empty */
    bool interface;
    bool no_checks;            /* it can have no check methods */
    bool class_constants;      /* ldc can load a class (version 49 and later) */
    bool synchronized_methods; /* it declares some that are not static */
    struct arena arena;        /* for this class: types and code of what is added */
    struct checks checks;
    uint8_t *beside; /* by field: what is kept beside it, a bit for each check_beside; or NULL */
    struct quiet_calls *calls;          /* of quiet.c */
    struct collection_targets *targets; /* of collections.c */
    uint8_t *hand_overs;                /* of hand_over.c: by method; or NULL */
    uint32_t hand_over_count;
    VECTOR(struct lock_fields_note) lock_notes; /* of the method in hand */
    VECTOR(struct lock_fields_placed) lock_places;
    struct snippet snippet;
    bool failed; /* no memory: the class stays as it was */
};

enum { INSTRUMENT_LOCKS = 64 };

/* A local that holds the object of a synchronized block (-1: no local does), and kept locals with
   the object and its number. */
struct instrument_lock {
    int32_t local;
    uint16_t object, number;
};

struct instrument_method {
    struct instrument_class *owner;
    struct method_editor *edit;
    struct text name;
    struct text descriptor;
    const struct line_numbers *lines; /* NULL without */
    bool is_static, is_constructor, is_initializer;
    uint8_t hand_over;         /* bits of hand_over.h */
    bool this_kept;            /* local 0 is `this` all over the method */
    struct unshared *unshared; /* of unshared.c; or NULL */
    const uint8_t *states;     /* of a constructor: an exit_state for each instruction; else NULL */
    struct origins origins;    /* where the operands come from */
    struct array_caches *arrays;                    /* of arrays.c */
    struct repeats *repeats;                        /* of repeats.c */
    struct batched *batches;                        /* of batches.c: by instruction */
    int32_t telling;                                /* of telling.c: a local, or -1 */
    struct atomic_blocks *blocks;                   /* of atomic_blocks.c */
    struct private_objects *privates;               /* of collections_private.c */
    struct instrument_lock locks[INSTRUMENT_LOCKS]; /* of monitors.c */
    uint32_t lock_count;
};

/* The method's snippet, empty. */
struct snippet *instrument_snippet(struct instrument_method *method);

/* The line of the instruction; 0: not known. */
uint32_t instrument_line(const struct instrument_method *method, uint32_t instruction);

/* A number for the site of this instruction, within the class; a check method adds the rest. */
uint32_t instrument_site(struct instrument_method *method, uint32_t instruction);

/* The same for an access; `object` is where the object comes from that is accessed, or whose field
   or element is. */
uint32_t instrument_access_site(struct instrument_method *method, uint32_t instruction,
                                const struct accessed *accessed, struct origin object);

/* Whether `Class.member` is in the list, which may be NULL. `class_name` is an internal name. */
bool instrument_matches(struct instrument_class *owner, const struct pattern_list *list,
                        struct text class_name, struct text member);

/* Whether the options want it looked at (--watch), by the class that the instruction names. What
   has no name is wanted only if everything is. */
bool instrument_wants(struct instrument_class *owner, const struct accessed *accessed);

/* In a constructor: `this` is not an object yet. */
bool instrument_is_early(const struct instrument_method *method, uint32_t instruction);

/* Pushes the class itself, as an object. */
void instrument_push_class(struct instrument_class *owner, struct snippet *snippet);

/* Calls a static method of the hook. */
void instrument_call_hook(struct snippet *snippet, const char *name, const char *descriptor);

/* fields.c: getfield, putfield, getstatic, putstatic. */
bool fields_plan(struct instrument_method *method, uint32_t instruction);
/* Whether the class itself declares the field; then with its access flags. */
bool fields_find_own(const struct instrument_class *owner, const struct member_reference *field,
                     uint16_t *access);
/* Whether such an access of a field is checked: final fields, the JDK's, and the class's own that
   nobody wants to see are not. */
bool fields_is_checked(struct instrument_class *owner, const struct member_reference *field,
                       enum opcode opcode);
/* Whether what the field at this constant holds stays the same: a final one of the class's own. And
   something can be kept beside it: not so in an interface. */
bool fields_is_lasting(const struct instrument_class *owner, uint16_t constant);
/* On the stack: the object that such a field holds, as the getter gives it (a getfield from the
   object in the local `holder`, or a getstatic). It becomes what is kept beside the field about it,
   which the first time `make` makes of the object. */
void fields_push_beside(struct instrument_method *method, struct snippet *snippet, uint32_t getter,
                        uint16_t holder, enum check_beside what,
                        void make(struct instrument_method *, struct snippet *));
/* Adds the shadows of the class's own fields. */
bool fields_finish(struct instrument_class *owner);

/* monitors.c: monitorenter and monitorexit; and, once for a method, what its being synchronized or
   a class initializer asks for. */
bool monitors_plan(struct instrument_method *method, uint32_t instruction);
bool monitors_plan_method(struct instrument_method *method);
/* The local that keeps the object of the synchronized block that begins or ends with this
   instruction; -1 if none is known to. */
int32_t monitors_local(const struct instrument_method *method, uint32_t instruction);
/* The handler, as compilers write it, that leaves the monitor with this instruction after an
   exception and has itself in its range; INSTRUCTION_NONE if it is not that. What is told of the
   monitor then belongs on the way to the handler: HotSpot's first compiler gives up on a handler
   that can come back to itself, and were the stack to overflow in it, it would do so for ever. */
uint32_t monitors_handler(const struct instrument_method *method, uint32_t instruction);
/* Before a monitorenter, behind code that branches: the JVM compiles a method only if it can see
   that the object that is locked is the one in the local, and it loses sight of that at branches.
 */
void monitors_pair(struct snippet *snippet, int32_t local);
/* Whether what is told of the class's monitors says where they are: only when a trace is recorded.
 */
bool monitors_are_placed(const struct instrument_class *owner);
/* Adds what the methods need. */
bool monitors_finish(struct instrument_class *owner);

/* arrays.c: loads and stores of elements. begin and end are called once for each method. */
bool arrays_begin(struct instrument_method *method);
bool arrays_plan(struct instrument_method *method, uint32_t instruction);
bool arrays_end(struct instrument_method *method);

/* calls.c: Object.wait, VarHandle, AtomicXFieldUpdater, ...: what the call itself does to order. */
bool calls_plan(struct instrument_method *method, uint32_t instruction);

/* lock_fields.c: notes the field that the lock comes from which is taken by this instruction: a
   monitorenter, or a call. When the method is done, where that is; when the class is, for the table
   of struct instrument. */
void lock_fields_note_monitor(struct instrument_method *method, uint32_t instruction);
void lock_fields_note_store(struct instrument_method *method, uint32_t instruction);
void lock_fields_note_call(struct instrument_method *method, uint32_t instruction,
                           const struct member_reference *callee);
void lock_fields_place(struct instrument_class *owner, const struct method_editor *edit);
void lock_fields_finish(struct instrument_class *owner);

/* collections.c: calls of methods of unsynchronized library classes. */
bool collections_plan(struct instrument_method *method, uint32_t instruction);

/* library.c: the methods of a library class. */
bool library_plan(struct instrument_method *method);
bool library_finish(struct instrument_class *owner);

#endif
