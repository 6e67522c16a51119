/*
 * batches: accesses of fields that need no check of their own.
 *
 * What is looked at is code that runs from one instruction to the next, without branches into it.
 * There, as long as nothing is released (see quiet.h):
 *
 *  - A field of an object that was checked needs no second check, unless the first was for a read
 *    and this is for a write.
 *  - The same for a StringBuilder, which is one variable: appending to it gives the same one again.
 *  - If a read is surely followed by a write of the same field (x += 1), one check for the write
 *    stands before the read.
 *  - Reads of several fields of one object that surely follow each other, or writes, are a batch:
 *    one check before the first of them answers for all. Their words mostly look alike, since who
 *    reads one reads the others. Where they do not, each is checked by itself, there.
 *
 * Moving a check ahead of its access changes nothing as long as the access surely comes, and the
 * thread acquires and releases nothing before it.
 *
 * A field of another class may be volatile, which is an acquire or a release. That is not known
 * here. So only fields of the class itself are left out or moved for certain; a batch of another
 * class's fields has a flag that says, while the method runs, whether it is one: the check methods
 * find out (checks.h), and until then each access has its own check.
 *
 * The place of a batch's finding is that of the access, not of the check: a site says where it is.
 *
 * Where every access counts, because a trace is recorded, each has its check. Only a read that a
 * write of the same field follows at once, on the same line and with no other access in between,
 * has one together with the write: which tells of both.
 */
#ifndef TURNSTILE_INSTRUMENT_BATCHES_H
#define TURNSTILE_INSTRUMENT_BATCHES_H

#include "instrument/instrument_internal.h"

enum { BATCH_MAX = CHECK_BATCH_MAX };

struct batch {
    bool write;
    bool own;                     /* fields of the class itself */
    uint32_t accesses[BATCH_MAX]; /* instructions, in the order of the code */
    uint32_t count;
    uint16_t asked[BATCH_MAX]; /* constants of other classes' fields that are read in between */
    uint32_t asked_count;
    uint16_t flag; /* a local: above 0 if it is a batch; unless they are own */
    /* From when the first access is planned: */
    uint32_t check;            /* the number of its check */
    uint32_t sites[BATCH_MAX]; /* of the accesses */
};

enum batch_answer {
    BATCH_ALONE,    /* it has a check as any other */
    BATCH_NEEDLESS, /* none */
    BATCH_FIRST,    /* one for the whole batch */
    BATCH_FURTHER,  /* none if it is a batch */
    BATCH_LAST,     /* the same; if it is not known whether it is one, this is found out */
    BATCH_UPDATE,   /* a read: one for it and the write that follows it at once */
};

struct batched {
    enum batch_answer answer;
    uint32_t as; /* the instruction that is checked for: another one if a write follows this read */
    struct batch *batch; /* of FIRST, FURTHER and LAST */
};

/* After repeats_begin: what a loop's flag saves is in no batch. False if memory ran out. */
bool batches_begin(struct instrument_method *method);

struct batched batches_at(const struct instrument_method *method, uint32_t instruction);

#endif
