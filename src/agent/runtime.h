/*
 * runtime: the agent's state inside the JVM, and what its files share.
 *
 * There is one JVM in a process and one agent in it, so there is one `runtime`. It is set up when
 * the agent is loaded (agent.c) and is never taken down: threads of the program may be in rewritten
 * code until the process ends. What is in it:
 *
 *     agent.c      loading, events of the JVM, which classes are changed
 *     natives.c    what rewritten code calls (TurnstileHook): tells the engine
 *     threads.c    threads of the JVM and of the engine, with their names
 *     stacks.c     stack traces as numbers
 *     locks.c      what locks are called
 *     resolve.c    where in an object a field's shadow is
 *     findings.c   races become findings; the report at the end
 *     unmatched.c  patterns of the user that were of no use
 *     deadlocks.c  threads that wait for each other at the end
 *     record.c     everything goes into a trace instead
 *     sample.c     some things go into a trace besides
 *
 * Everything here runs on threads of the program. It throws nothing into it, holds no lock while it
 * calls Java, and goes on without memory.
 */
#ifndef TURNSTILE_AGENT_RUNTIME_H
#define TURNSTILE_AGENT_RUNTIME_H

#include <jvmti.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "agent/agent_options.h"
#include "base/diagnostics.h"
#include "base/finding.h"
#include "engine/engine.h"
#include "instrument/instrument.h"
#include "instrument/lock_fields.h"

/* What the agent knows of a thread; rewritten code holds its address. One for each slot of the
   engine: it is used again by a later thread with that slot. Touched by its thread only. */
struct agent_thread {
    alignas(128) struct thread *engine; /* rewritten code expects it here */
    uint32_t seen;                      /* thread_seen of it, for rewritten code */
    uint32_t
        initializing; /* class initializers that it is in: what it does there is not looked at */
    /* What it has done and is not in its stream yet: see TurnstileRecorder, which uses these at
       every event. Nobody else does but at great intervals. */
    _Atomic(uint64_t *) next, limit, end;
    uint64_t *marks;
    uint64_t stretch;
    uint32_t depth; /* of blocks */
    uint32_t owner;
    _Atomic uint32_t stamp;
    bool eager;
    uint64_t locks, syncs;              /* events told, by all threads that had this slot */
    uint32_t chance;                    /* what busy code tells: see TurnstileWords.isLeftOut */
    alignas(64) _Atomic uint64_t group; /* others look at this and what follows */
    _Atomic uint32_t wanted;
    uint32_t waiting_lock; /* gave this up to wait, and has not told that it has it again; or 0 */
    uint32_t waiting_times;
    uint32_t reader; /* its bit in words of several readers; 0: none */
    uint64_t name;   /* see threads_name */
    /* Of record.h. */
    struct trace_stream *stream;
    uint64_t sequence;        /* of the next event in the stream */
    uint64_t flushes;         /* of its entries */
    uint64_t asked;           /* when it was first wanted, and has not answered since */
    uint64_t *entries;        /* stay with the slot */
    _Atomic(uint64_t *) kept; /* not NULL: where they end, because it notes elsewhere now */
    jweak java;               /* the thread */
    uint32_t number;          /* in the trace */
    uint32_t place;           /* stack of the volatile read that is pending; 0: none is */
    _Atomic bool recording;   /* it is in its stream; read by others too */
    /* Of sample.h; TurnstileSampler uses all but the last four. */
    uint32_t telling; /* not 0: all that it does is told */
    uint32_t active;
    uint32_t told_locks;
    uint64_t outer_telling, told_blocks; /* a bit for each open block, the innermost lowest */
    uint32_t episode;
    int64_t budget, floor,
        outside; /* how much it may still tell: in blocks, down to there; outside */
    uint64_t *counts;
    uint64_t refilled; /* when the budget grew */
    struct sample_told *told;
};

struct runtime {
    JavaVM *vm;
    jvmtiEnv *jvmti;
    struct agent_options options;
    struct diagnostics diagnostics;
    struct engine *engine;
    struct sites sites;
    struct lock_fields lock_fields;
    struct instrument instrument;
    jclass hook;       /* TurnstileHook */
    jmethodID offset;  /* its method of that name */
    _Atomic bool live; /* the hook classes are there, and the JVM has not ended */
    bool recording;    /* see record.h */
    bool sampling;     /* see sample.h */
    bool traced;       /* one of the two: there is a trace */
    _Atomic uint64_t classes_left, methods_left;
    atomic_bool looked_at_any; /* some class of the application has come by */
    struct agent_thread threads[THREAD_SLOTS_MAX + 1];
};

extern struct runtime runtime;

/* threads.c */
bool threads_init(JNIEnv *jni);
/* Makes a thread of the JVM known to the engine. `for_program`: it is not one of the JVM's own, and
   gets one of the few bits for readers if there is one left. */
void threads_begin(JNIEnv *jni, struct agent_thread *parent, jthread child, bool for_program);
/* The thread does nothing more. */
void threads_end(struct agent_thread *thread);
bool threads_is_known(JNIEnv *jni, jthread thread);
/* NULL if it is not known. */
struct agent_thread *threads_find(JNIEnv *jni, jthread thread);
/* Whether it waits or is in native code. Not if it cannot be told. */
bool threads_is_still(const struct agent_thread *thread);
/* What rewritten code compares words with: see TurnstileHook.expect. */
jlong threads_fresh(struct agent_thread *thread);
/* The name and the stack number of the start of a thread that the engine knows by `name`. The text
   is copied to the arena. */
struct text threads_name(struct arena *arena, uint64_t name, uint32_t *start_stack);

/* stacks.c: numbers for stack traces. 0: none. */
bool stacks_init(void);
uint32_t stacks_capture(void);
/* Of a thread that waits for a lock, from the place on where it wants the lock. */
uint32_t stacks_capture_waiting(jthread thread);
/* The stack of an access of the present thread, by its name, at the site: taken anew the first
   times and then now and then, in between the last one that it had there, or 0. `exact`: taken anew
   in any case. */
uint32_t stacks_of_site(uint32_t site, uint64_t thread, bool exact);
/* How often it was asked for, by site. Rewritten code counts there too. */
const struct sites_index *stacks_counts(void);
void stacks_count_site(uint32_t site);
/* The last one of that thread that was taken there, or 0. */
uint32_t stacks_last_of(uint32_t site, uint64_t thread);
/* The frames, innermost first, in the arena, without those that would tell nobody anything. */
size_t stacks_frames(struct arena *arena, uint32_t stack, const struct finding_frame **frames);
/* Those from the innermost of the program's on; all if there is none. The key tells stacks apart by
   them, up to where in its method each is. */
size_t stacks_program_frames(struct arena *arena, uint32_t stack,
                             const struct finding_frame **frames, uint64_t *key);
/* How many of the innermost ones are the JDK's, which say how it does what the program asked for.
 */
size_t stacks_platform_frames(const struct finding_frame *frames, size_t count);

/* locks.c */
#define LOCKS_PLACES (1 << 16)
/* The thread is about to tell that it has taken the lock, or is at what else it does with the
   object: the name may come from where that is. */
void locks_note(JNIEnv *jni, uint32_t lock, jobject object);
/* For rewritten code: not 0 at (lock ^ lock >> 16) % LOCKS_PLACES if there is nothing to note. */
const _Atomic uint32_t *locks_places(void);
/* A volatile field of an object: `variable` is the field. */
void locks_note_volatile(uint32_t sync, uint32_t variable);
/* Something that goes through a collection and is ordered with it: it is called as that is, of
   which nobody has seen more. `number` is that of the collection. */
void locks_note_element(JNIEnv *jni, uint32_t sync, uint32_t number, jobject collection);
/* Whether there is a name. */
bool locks_is_noted(uint32_t lock);
/* "Account@1b28cdfa" or "Stock.lock@1b28cdfa", in the arena; with the word `unknown` if neither
   class nor field was noted. */
struct text locks_name(struct arena *arena, uint32_t lock, const char *unknown);

/* resolve.c: see TurnstileHook.resolve and TurnstileHook.holder. */
jlong resolve_offset(JNIEnv *jni, jobject object, uint32_t site);
jobject resolve_holder(JNIEnv *jni, jclass named, uint32_t site);
/* See TurnstileHook.shadows. NULL with an exception pending if memory ran out. */
jlongArray resolve_shadows(JNIEnv *jni, jclass type);
/* The number of a volatile field for a VarHandle; 0 if there is no such field. */
uint32_t resolve_variable(JNIEnv *jni, jclass declaring, jstring name);

/* The names in collections.h of the methods that the application's part of the class overrides: 64
   of them, from 64 * part on, as bits. See TurnstileObjects. */
uint64_t resolve_overridden(JNIEnv *jni, jclass class, unsigned part);

/* findings.c */
void findings_init(void);
void findings_race(void *context, const struct race *race);
/* Adds what is found in a trace; `find` gets the list. */
void findings_add(void (*find)(struct text path, struct finding_list *list), struct text path);
/* Adds a copy. */
void findings_take(const struct finding *finding);
/* Whether the variable has shown a race: then the stacks of the next accesses are worth more. */
bool findings_troubled(uint32_t variable);
void findings_write(void);
/* Tells `turnstile run` that this JVM has begun; and that it has ended, with so many findings. */
void findings_tell_beginning(void);
void findings_tell_end(size_t count);
/* The name of a file that this JVM writes: one that the program started puts its process number
   before the ending. To be freed. NULL if memory ran out. */
char *findings_own_path(const char *path);
/* Class, member and signature of what is accessed at the site; in the arena. */
void findings_name(struct arena *arena, uint32_t site, struct finding *finding);

/* unmatched.c: at the end of the JVM, before findings_tell_end. */
void unmatched_tell(void);

/* deadlocks.c. `init` when the JVM has started: later, to find a class may run the program's own
   code, which may be what hangs. */
void deadlocks_init(JNIEnv *jni);
/* At the end of the JVM, before a trace is closed and before findings are written. */
void deadlocks_find(JNIEnv *jni);

#endif
