/*
 * word: the 64 bits that stand beside each watched variable.
 *
 * The caller keeps the word (in the object, in an array of shadows, anywhere), starts it at 0 and
 * stores what engine_access gives back. Its low 36 bits say which thread looked at the variable
 * last and in which of its segments; a thread compares them with its own `expected` to see that it
 * has nothing to tell the engine. This comparison is the fast path; see word_covers.
 *
 *     bits  0..23  segment, low bits     \ equal to the thread's `expected`:
 *          24..35  thread slot, 1..4095  / this thread, in this segment
 *          36      written: that thread wrote in that segment
 *          37      shared: the state is in a variable record, not in this word
 *          38..63  shared: which record, with its generation
 *                  owned:  segment bits 24..39; 7 bits: how many segments before this one the owner
 *                          wrote last (0: it did not; 127: too many to say); 3 bits: its age
 *
 * 0 means: never accessed.
 *
 * The age of an owned word says for how long the owner has been alone with the variable: it grows
 * by one when the owner comes back in another stretch of WORD_STRETCH segments, up to WORD_SETTLED.
 * From then on a caller may leave out the owner's accesses in the same WORD_WINDOW segments as the
 * one in the word (word_settled_covers). That is what makes variables cheap that one thread uses
 * all the time while it takes and releases locks. The price: when another thread comes after so
 * long, the owner's last access may look earlier than it was, by less than a window, and a race of
 * this one access be missed. In code that has been run so often that it would have shown what is
 * wrong with it, the caller may do the same with words of any age but 0, in WORD_BUSY_WINDOW
 * segments (word_busy_covers): most objects there do not live until they are settled. Age 0 says
 * that the access may have left no note of where it was; a caller that notes one may set the age
 * to 1.
 *
 * The word of a shared variable may have slot 0: then bits 0..23 are the caller's (inline.h), who
 * keeps there which threads have read it.
 *
 * Segments have 50 bits. An owned word has 40 of them, so the segment meant is the one nearest to
 * the thread's present segment: wrong only if 2^39 segments have passed since. The fast path sees
 * 24: a word that was left alone for exactly a multiple of 2^24 segments of its thread is taken for
 * one of the present segment, and that access is not looked at.
 */
#ifndef TURNSTILE_ENGINE_WORD_H
#define TURNSTILE_ENGINE_WORD_H

#include <stdbool.h>
#include <stdint.h>

#define WORD_SEGMENT_BITS 24
#define WORD_SEGMENT_MASK ((UINT64_C(1) << WORD_SEGMENT_BITS) - 1)
#define WORD_SLOT_SHIFT 24
#define WORD_SLOT_MASK UINT64_C(0xFFF)
#define WORD_READ_MASK ((UINT64_C(1) << 36) - 1)
#define WORD_WRITTEN (UINT64_C(1) << 36)
#define WORD_WRITE_MASK ((UINT64_C(1) << 37) - 1)
#define WORD_SHARED (UINT64_C(1) << 37)
#define WORD_HIGH_SHIFT 38
#define WORD_OWNED_SEGMENT_BITS 40
#define WORD_DISTANCE_SHIFT 54
#define WORD_DISTANCE_MAX 127u
#define WORD_AGE_SHIFT 61
#define WORD_SETTLED 7u
#define WORD_STRETCH 16u
#define WORD_WINDOW 64u
#define WORD_BUSY_WINDOW 256u /* threads know their locks for as long: THREAD_SEGMENTS */
#define WORD_HANDLE_BITS 26

static inline uint64_t word_expected(uint32_t slot, uint64_t segment)
{
    return (uint64_t)slot << WORD_SLOT_SHIFT | (segment & WORD_SEGMENT_MASK);
}

/* True: the thread with this `expected` has made an access of the same or the stronger kind in its
   present segment, and nobody else since. A further one changes nothing. */
static inline bool word_covers(uint64_t word, uint64_t expected, bool write)
{
    return write ? (word & WORD_WRITE_MASK) == (expected | WORD_WRITTEN)
                 : (word & WORD_READ_MASK) == expected;
}

static inline bool word_is_shared(uint64_t word)
{
    return word & WORD_SHARED;
}

static inline bool word_is_written(uint64_t word)
{
    return word & WORD_WRITTEN;
}

static inline uint32_t word_slot(uint64_t word)
{
    return (uint32_t)(word >> WORD_SLOT_SHIFT & WORD_SLOT_MASK);
}

static inline uint32_t word_handle(uint64_t word)
{
    return (uint32_t)(word >> WORD_HIGH_SHIFT);
}

static inline uint64_t word_of_record(uint64_t expected, bool written, uint32_t handle)
{
    return expected | (written ? WORD_WRITTEN : 0) | WORD_SHARED |
           (uint64_t)handle << WORD_HIGH_SHIFT;
}

static inline uint64_t word_of_owner(uint32_t slot, uint64_t segment, bool written,
                                     uint32_t distance, uint32_t age)
{
    uint64_t high = segment >> WORD_SEGMENT_BITS & 0xFFFF;
    return word_expected(slot, segment) | (written ? WORD_WRITTEN : 0) | high << WORD_HIGH_SHIFT |
           (uint64_t)distance << WORD_DISTANCE_SHIFT | (uint64_t)age << WORD_AGE_SHIFT;
}

static inline uint32_t word_distance(uint64_t word)
{
    return (uint32_t)(word >> WORD_DISTANCE_SHIFT) & WORD_DISTANCE_MAX;
}

static inline uint32_t word_age(uint64_t word)
{
    return (uint32_t)(word >> WORD_AGE_SHIFT);
}

/* The age of the next word of the owner, whose last one is `word` and of segment `last`. */
static inline uint32_t word_next_age(uint64_t word, uint64_t last, uint64_t segment)
{
    uint32_t age = word ? word_age(word) : 0;
    return age + (word && age < WORD_SETTLED && last / WORD_STRETCH != segment / WORD_STRETCH);
}

/* The thread with this `expected` has settled here, and accessed the variable in this window. */
static inline bool word_settled_covers(uint64_t word, uint64_t expected, bool write)
{
    return word_age(word) == WORD_SETTLED && !(word & WORD_SHARED) &&
           ((word ^ expected) & WORD_READ_MASK) / WORD_WINDOW == 0 &&
           (!write || (word & WORD_WRITTEN));
}

/* The thread in this slot and segment has noted an access in this busy window, and nobody else has
   accessed the variable ever. */
static inline bool word_busy_covers(uint64_t word, uint32_t slot, uint64_t segment, bool write)
{
    const uint64_t now = word_of_owner(slot, segment, write, 0, 0);
    const uint64_t same = UINT64_C(0xFFFF) << WORD_HIGH_SHIFT | WORD_SHARED |
                          (WORD_READ_MASK & ~(uint64_t)(WORD_BUSY_WINDOW - 1));
    return word_age(word) && ((word ^ now) & same) == 0 && (!write || word_is_written(word));
}

/* The owner's segment, from its 40 bits and a segment that the owner is in or was in lately. */
static inline uint64_t word_owned_segment(uint64_t word, uint64_t present)
{
    const uint64_t period = UINT64_C(1) << WORD_OWNED_SEGMENT_BITS;
    uint64_t low = (word & WORD_SEGMENT_MASK) | (word >> WORD_HIGH_SHIFT & 0xFFFF)
                                                    << WORD_SEGMENT_BITS;
    uint64_t segment = (present & ~(period - 1)) | low;
    if (segment > present && segment - present > period / 2 && segment >= period)
        segment -= period;
    else if (segment < present && present - segment > period / 2)
        segment += period;
    return segment;
}

#endif
