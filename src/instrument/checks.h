/*
 * checks: the check methods of one class, made when they are first asked for and added to the class
 * at its end.
 *
 * A check method is private, static, synthetic, returns nothing and keeps the operand stack clean:
 * it takes what it checks, and the number of the site within the class:
 *
 *     CHECK_FIELD_READ/WRITE     (Object, I)V   an instance field; null is let through
 *     CHECK_FIELD_START          (Object, I)V   a write of a constructor to a field of `this`: only
 *                                               the first times it is told where
 *     CHECK_STATIC_READ/WRITE    (I)V
 *     CHECK_FIELD/STATIC_UPDATE  as these       a read that a write follows at once; only if every
 *                                               access counts
 *     CHECK_ELEMENT_READ/WRITE   ([J, I, I)V    shadow words of the array (or null), index, site;
 *                                               an index out of bounds is let through
 *     CHECK_OBJECT_READ/WRITE    (Object, I)V   a library object that counts as one variable
 *     CHECK_BATCH                (Object)V      several instance fields of one object: see
 * batches.h CHECK_BATCH_TEST           ()V            finds out whether the fields can be a batch
 *     CHECK_BLOCK_BEGIN/END      (I)V           of an atomic block: no access
 *     CHECK_BLOCK_ENTER          (Object, I)V   CHECK_BLOCK_BEGIN unless the object is null
 *     CHECK_MONITOR_ENTER/LEAVE  (Object, I, I)V   a monitor and its number, as
 * TurnstileHook.entered and leaving have them; only if every access counts
 *     CHECK_MONITOR_BEGIN/END    (Object, I, I, I)V   the same for the monitor of an atomic block,
 *                                               with the site of the block before that of the
 *                                               monitor: the block begins before, or ends behind
 *
 * The Object of the field checks is of the class itself where the field is the class's own.
 * `constant` is the index of the field's constant in the class's pool; `group` tells checks apart
 * that would do the same, so that each has its own branch profile: the number of the method for
 * elements, and of the called method's constant for objects.
 */
#ifndef TURNSTILE_INSTRUMENT_CHECKS_H
#define TURNSTILE_INSTRUMENT_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intmap.h"
#include "base/vector.h"
#include "instrument/sites.h"
#include "rewrite/snippet.h"

struct instrument_class;

enum check_kind {
    CHECK_FIELD_READ,
    CHECK_FIELD_WRITE,
    CHECK_FIELD_UPDATE,
    CHECK_FIELD_START,
    CHECK_STATIC_READ,
    CHECK_STATIC_WRITE,
    CHECK_STATIC_UPDATE,
    CHECK_ELEMENT_READ,
    CHECK_ELEMENT_WRITE,
    CHECK_OBJECT_READ,
    CHECK_OBJECT_WRITE,
    CHECK_BATCH,
    CHECK_BATCH_TEST,
    CHECK_BLOCK_BEGIN,
    CHECK_BLOCK_END,
    CHECK_BLOCK_ENTER,
    CHECK_MONITOR_ENTER,
    CHECK_MONITOR_LEAVE,
    CHECK_MONITOR_BEGIN,
    CHECK_MONITOR_END,
};

enum {
    CHECK_BATCH_MAX = 8,
    CHECK_TOLD = 1 /* the group of a field check that only a thread makes that tells: it goes the
                      slow way, and so is short */
};

/* What a CHECK_BATCH answers for. */
struct check_batch {
    enum check_kind kind; /* of each of its fields: CHECK_FIELD_READ or -WRITE */
    bool own;             /* all are the class's own */
    uint32_t count;
    uint16_t constants[CHECK_BATCH_MAX];
    uint32_t sites[CHECK_BATCH_MAX];
    uint16_t asked[CHECK_BATCH_MAX]; /* fields of other classes that must not be volatile either */
    uint32_t asked_count;
};

struct check {
    enum check_kind kind;
    bool own;          /* a field that the class itself declares */
    uint16_t constant; /* of a field check */
    uint32_t group;
};

struct checks {
    VECTOR(struct check) items;
    struct intmap numbers; /* by kind, constant and group */
    VECTOR(struct site) sites;
    VECTOR(struct check_batch) batches; /* one more than its number is the `group` of its checks */
};

void checks_init(struct checks *checks);
void checks_release(struct checks *checks);

/* Adds to the snippet: the site's number and the call. The other arguments are on the stack. False
   if memory ran out or the pool is full. */
bool checks_call(struct instrument_class *owner, struct snippet *snippet, enum check_kind kind,
                 uint16_t constant, uint32_t group, uint32_t site);

/* The same; the site's number, too, is on the stack. */
bool checks_call_at(struct instrument_class *owner, struct snippet *snippet, enum check_kind kind,
                    uint16_t constant, uint32_t group);

/* Behind such a call: pushes 1 if the next one would tell nothing new as long as the thread
   releases nothing, 0 if the field is volatile. For fields of other classes that is known after the
   call. */
void checks_push_repeated(struct instrument_class *owner, struct snippet *snippet,
                          enum check_kind kind, uint16_t constant);

/* A batch gets a number. False if memory ran out. */
bool checks_add_batch(struct instrument_class *owner, const struct check_batch *batch,
                      uint32_t *number);

/* Calls its check; the object is on the stack. Unless the fields are the class's own: only if they
   are a batch. */
bool checks_call_batch(struct instrument_class *owner, struct snippet *snippet, uint32_t number);

/* Pushes an int: above 0 if the fields, those of another class, are a batch, below if they can be
   none; 0 if that is not known yet. */
void checks_push_batch(struct instrument_class *owner, struct snippet *snippet, uint32_t number);

/* Behind the checks of all its fields, and of those that are asked: finds out. */
bool checks_call_batch_test(struct instrument_class *owner, struct snippet *snippet,
                            uint32_t number);

/* Registers the sites and adds the methods. */
bool checks_finish(struct instrument_class *owner);

/* The name of the shadow of a field, in the arena: also what the run time asks for. */
struct text checks_shadow_name(struct arena *arena, bool object_words, struct text field,
                               struct text descriptor);

/* What is kept beside a final field, in a hidden one, about the object that it holds. */
enum check_beside {
    CHECK_BESIDE_WORDS,  /* of an array: its shadow words, a long[] */
    CHECK_BESIDE_NUMBER, /* of a lock: its number */
    CHECK_BESIDE_COUNT
};

struct text checks_beside_name(struct arena *arena, enum check_beside what, struct text field,
                               struct text descriptor);

#endif
