/*
 * syntax: lock types as somebody wrote them, before any name in them is looked up.
 *
 * Every source of lock types (`.locks` files, comments in Java source, annotations in class files)
 * is read into the same `struct declarations`; lock_types.h binds the names and decides between
 * sources. A reader says where each thing was written, so that `bad-annotation` can be reported
 * there.
 *
 * Everything hangs in the arena that the reader was given. Texts are what was written, without the
 * quotes and comment signs around it.
 */
#ifndef TURNSTILE_LOCKTYPES_SYNTAX_H
#define TURNSTILE_LOCKTYPES_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

/* Where something was written. For annotations in class files: the class's SourceFile and the line
   of the member's first instruction if there is one, else line 0. */
struct syntax_place {
    struct text file;
    uint32_t line, column; /* from 1; 0 is unknown */
};

/* The stronger, the greater: when two sources speak of the same thing, the stronger one counts. */
enum syntax_source {
    SOURCE_DEFAULT,
    SOURCE_PLATFORM, /* the shipped jdk.locks */
    SOURCE_ANNOTATION,
    SOURCE_COMMENT,
    SOURCE_LOCKS_FILE
};

/* ---- lock expressions ---- */

enum segment_kind {
    SEGMENT_NAME,      /* a field, a parameter, a formal, a class or part of its name */
    SEGMENT_CALL,      /* name() */
    SEGMENT_THIS,      /* this, or behind names: Outer.this */
    SEGMENT_CLASS,     /* behind names: C.class */
    SEGMENT_PARAMETER, /* #2: the second parameter (Checker Framework) */
    SEGMENT_ITSELF,    /* itself, <self>: the object that the field refers to */
    SEGMENT_SELF,      /* the special owners: alone, or before $ of nothing */
    SEGMENT_THIS_THREAD,
    SEGMENT_UNIQUE,
    SEGMENT_READONLY
};

struct syntax_segment {
    enum segment_kind kind;
    struct text name;   /* of NAME and CALL */
    uint32_t parameter; /* of PARAMETER, from 1 */
};

/* a.b.c, C.class, Outer.this.lock, f$e: `f` in the segments, `e` in the qualifier. A name may
   itself have a `$` in it (this$0, Outer$Inner): the parser makes a qualifier only where the part
   before the first `$` is a whole single segment; binding puts them together again if that part is
   no formal. */
struct syntax_lock {
    const struct syntax_segment *segments;
    uint32_t segment_count;
    const struct syntax_lock *qualifier; /* NULL: none */
    struct text written;                 /* as the user wrote it, for messages */
    struct syntax_place place;
};

struct syntax_locks {
    const struct syntax_lock *items;
    uint32_t count;
};

/* ---- atomicities ---- */

enum basic_atomicity {
    ATOMICITY_CONST,
    ATOMICITY_MOVER,
    ATOMICITY_ATOMIC,
    ATOMICITY_CMPD,
    ATOMICITY_ERROR
};

/* `basic`, or lock ? then : otherwise. `l ? a` is l ? a : error. */
struct syntax_atomicity {
    const struct syntax_lock *lock; /* NULL: basic */
    enum basic_atomicity basic;
    const struct syntax_atomicity *then, *otherwise;
};

/* ---- declarations ---- */

/* A type with owner arguments: `TNode<thisOwner$this, TOwner>`, `int[]`. */
struct syntax_type {
    struct text
        name; /* as written, dots and all; empty: not given (annotations give owners only) */
    struct syntax_locks owners;
    uint32_t dimensions; /* [] behind it */
    struct syntax_place place;
};

/* A class's own parameter: `thisOwner`, or `ghost Dictionary d` with its type. */
struct syntax_formal {
    struct text name;
    struct text type; /* empty: an owner of any kind */
    struct syntax_place place;
};

enum guard_kind { GUARD_NONE, GUARD_ALWAYS /* guarded_by */, GUARD_WRITES /* write_guarded_by */ };

struct syntax_guard {
    enum guard_kind kind;
    struct syntax_locks locks; /* all of them must be held */
};

/* Rules that are not to be reported; count 0 with `all` for `no_warn` without a name. */
struct syntax_no_warn {
    bool all;
    const struct text *rules;
    uint32_t count;
};

struct syntax_field {
    struct text name;
    struct text descriptor; /* empty: any field of that name */
    struct syntax_type type;
    struct syntax_guard guard;
    struct syntax_no_warn no_warn;
    struct syntax_place place;
};

/* What a call does, besides requiring locks. Most are for library methods in jdk.locks. */
enum effect_kind {
    EFFECT_ACQUIRES,        /* on return the lock is held: lock() */
    EFFECT_ACQUIRES_SHARED, /* for reading only */
    EFFECT_TRIES,           /* held if the result is true, or not 0 */
    EFFECT_TRIES_SHARED,
    EFFECT_RELEASES,   /* unlock() */
    EFFECT_WAITS,      /* gives the lock up and has it again on return; requires it */
    EFFECT_HOLDS,      /* held if the result is true, for whatever reason: holdsLock(x) */
    EFFECT_ASSERTS,    /* held from here on, because the program says so: Turnstile.holds(x) */
    EFFECT_STARTS,     /* what the lock expression names is run by another thread */
    EFFECT_JOINS,      /* waits for the end of that thread */
    EFFECT_CALLS,      /* calls the function that the parameter is, before it returns */
    EFFECT_RETURNS,    /* the result is that object: `returns this` */
    EFFECT_READ_VIEW,  /* the result is the read lock of it: ReadWriteLock.readLock() */
    EFFECT_WRITE_VIEW, /* its write lock */
    EFFECT_READS,      /* reads what the object holds: HashMap.get */
    EFFECT_WRITES      /* writes it: HashMap.put */
};

struct syntax_effect {
    enum effect_kind kind;
    struct syntax_lock lock;
};

struct syntax_parameter {
    struct text name; /* may be empty */
    struct syntax_type type;
};

struct syntax_method {
    struct text name;       /* <init> for constructors */
    struct text descriptor; /* empty: found by the parameters' types */
    bool any_parameters;    /* `name(*)`: every method of that name */
    struct syntax_type result;
    const struct syntax_parameter *parameters; /* names and types; with a descriptor: owners only */
    uint32_t parameter_count;
    struct syntax_locks requires;
    bool has_requires; /* also when the list is empty: it says that nothing is required */
    const struct syntax_effect *effects;
    uint32_t effect_count;
    const struct syntax_atomicity *atomicity; /* NULL: not declared */
    struct syntax_no_warn no_warn;
    struct syntax_place place;
    uint32_t first_line, last_line; /* of a method in source: from its header to its end; else 0 */
};

enum class_nature {
    NATURE_NONE,
    NATURE_THREAD_LOCAL, /* thread_local: one thread at a time owns an instance */
    NATURE_IMMUTABLE,    /* immutable, Immutable: every field is readonly */
    NATURE_SAFE,         /* thread_safe, ThreadSafe: it synchronizes itself */
    NATURE_UNGUARDED     /* unguarded: what it holds needs the lock of whoever it belongs to
                            (HashMap, ArrayList, StringBuilder) */
};

struct syntax_class {
    struct text name;   /* as written: "TStack", "java.util.Map.Entry"; binary names work too */
    bool internal_name; /* the name is a class file's: "java/util/Map$Entry" */
    bool numbered;      /* it has `#` where the compiler puts the number of a local or anonymous
                           class: "p/A$#", "p/A$#Local". Source alone does not tell which */
    const struct syntax_formal *formals;
    uint32_t formal_count;
    struct syntax_type superclass; /* `extends Base<owners>`; name empty: not given */
    enum class_nature nature;
    struct syntax_guard guard; /* of all its fields that have none of their own */
    const struct syntax_field *fields;
    uint32_t field_count;
    const struct syntax_method *methods;
    uint32_t method_count;
    struct syntax_no_warn no_warn;
    struct syntax_place place;
};

/* What holds for some lines of a source file: `holds`, `no_warn`, and owners of an allocation or a
   local (`new Node/ *#<this>* /()`), which line tables lead to. */
enum line_kind { LINE_HOLDS, LINE_NO_WARN, LINE_OWNERS, LINE_ATOMIC };

struct syntax_line {
    enum line_kind kind;
    struct text file; /* as the SourceFile attribute has it, and the package: "p/q/Name.java" */
    uint32_t first, last;
    uint32_t open;                 /* ATOMIC: line of a synchronized block's brace; else 0 */
    struct syntax_lock lock;       /* HOLDS */
    struct syntax_no_warn no_warn; /* NO_WARN */
    struct syntax_type type;       /* OWNERS */
    struct syntax_place place;
};

/* Owners of one allocation, by annotation: `new @Owners("this") Node()`. */
struct syntax_allocation {
    struct text class_name;              /* internal, of the class whose code it is */
    struct text method_name, descriptor; /* of the method */
    uint32_t offset;                     /* of the `new`, in bytes */
    struct syntax_locks owners;
    struct syntax_place place;
};

struct declarations {
    enum syntax_source source;
    bool inferred; /* a .locks file that inference wrote: findings have basis `inferred` */
    const struct syntax_class *classes;
    uint32_t class_count;
    const struct syntax_line *lines;
    uint32_t line_count;
    const struct syntax_allocation *allocations;
    uint32_t allocation_count;
};

#endif
