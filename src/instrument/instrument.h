/*
 * instrument: puts checks into a class. It knows no JVM: class bytes in, class bytes out.
 *
 *     instrument_class(&instrument, &rewriter, NULL, bytes, size, &problem)
 *
 * What is inserted calls `java.lang.TurnstileHook` (java/hook), whose static methods are the only
 * interface between rewritten code and the run time. Everything that is added to a class has a name
 * that starts with "$turnstile$"; reflection does not show such members (see library.h).
 *
 * How a class is changed depends on whose it is:
 *
 *   application   accesses of fields, array elements and library collections are checked; monitors,
 *                 volatile fields, wait and VarHandles are told to the run time.
 *   library       classes of the JDK that synchronize: what the table in library.def says.
 *
 * Checks. For each non-final, non-volatile field f the class gets a shadow, a hidden long
 * `$turnstile$w$f$H` (H: a hash of its descriptor), and a static check method for each kind of use:
 *
 *     static void $turnstile$N(C object, int site) {
 *         if (object != null && !TurnstileHook.isReadCovered(object.$turnstile$w$f)) {
 *             long offset = TurnstileHook.readField(object, $turnstile$oN, site + BASE);
 *             if ($turnstile$oN == 0)
 *                 $turnstile$oN = offset;
 *         }
 *     }
 *
 * which is called before the access, so that the access itself, and with it the exception that it
 * may throw, stays as it was. A field of another class is checked in the same way, but its shadow
 * is found by its offset, which the run time finds out at the first slow access. One method for
 * each field and kind, because the JIT's branch profile is kept per method. `site` is a number
 * within the class; BASE, added on the slow path only, makes it one of sites.h.
 *
 * Why everything is told before the access, also the acquire of a volatile read, which must count
 * from after it: the hook notes it as pending and the thread's next event carries it out.
 *
 * Modules: each kind of instruction has a file with a function that plans for one instruction
 * (instrument_internal.h): fields.c, monitors.c, arrays.c, calls.c (VarHandle, wait), hand_over.c,
 * collections.c, library.c, and atomic_blocks.c for marks of atomic blocks. They share the checks
 * (checks.h).
 */
#ifndef TURNSTILE_INSTRUMENT_INSTRUMENT_H
#define TURNSTILE_INSTRUMENT_INSTRUMENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pattern.h"
#include "base/problem.h"
#include "instrument/sites.h"
#include "rewrite/class_rewriter.h"

#define INSTRUMENT_HOOK "java/lang/TurnstileHook"
#define INSTRUMENT_PREFIX "$turnstile$"

struct library_class;
struct declared_methods;
struct lock_fields;

/* Which blocks are meant to be atomic; they get marks (atomic_blocks.h). */
enum instrument_atomic {
    INSTRUMENT_ATOMIC_NONE,
    INSTRUMENT_ATOMIC_HEURISTICS, /* what is declared so; of what is not declared, public, protected
                                     and synchronized methods but main and run; synchronized blocks
                                   */
    INSTRUMENT_ATOMIC_ANNOTATED,  /* what is declared so */
};

struct instrument {
    struct sites *sites;
    bool arrays;        /* check array elements */
    bool array_objects; /* one shadow for all elements of an array: TurnstileArrays.whole */
    bool recorded;      /* all accesses, by TurnstileRecorder, instead of checked */
    bool sampled;       /* checked, and threads may tell all they do: telling.h */
    bool object_words;  /* one shadow for all fields that a class declares */
    const struct pattern_list
        *watch; /* only fields whose `Class.field` matches; NULL or empty: all */
    enum instrument_atomic atomic;
    /* `Class.method` or `Class.method(TYPES)`; may be NULL. Unless there are no blocks at all:
       methods that are blocks too, and, with a '!' before it, methods that are none, nor have any.
       The last one that means a method counts; see atomic_blocks.c. */
    const struct pattern_list *atomic_methods;
    /* May be NULL. What annotations say counts less. */
    const struct declared_methods *declared;
    /* May be NULL. Told which fields the locks of the application's classes come from. */
    struct lock_fields *lock_fields;
    /* Told when something stays as it was; may be NULL. */
    void *context;
    void (*left)(void *context, const struct class_file *class_file, const struct member *method,
                 enum class_left reason, const struct problem *problem);
    _Atomic uint32_t array_methods; /* numbers given to methods: TurnstileArrays.words */
    /* What was done, for --stats. */
    _Atomic uint64_t classes, methods, fields, accesses, elements, monitors, collections, blocks;
};

/* The bytes are rewriter->writer's. `library` is what library_find gave for a class of the JDK;
   NULL for one of the application. */
enum class_rewritten instrument_class(struct instrument *instrument,
                                      struct class_rewriter *rewriter,
                                      const struct library_class *library, const void *bytes,
                                      size_t size, struct problem *problem);

#endif
