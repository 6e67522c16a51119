/*
 * hand_over: which code waits for what others do with a lock, and which lets others go on.
 *
 * A critical section that can wait would have waited had it come too early. So what it finds was
 * put there before, in every run: by a section that notifies. To call that order, though no more
 * than a lock went from thread to thread, needs nothing but the code: it is so also when nobody
 * has to wait, and when the notification is left out because nobody does.
 *
 *   - In a method that calls Object.notify or notifyAll, what came before each release of a monitor
 *     is handed over, and before each wait (which releases), and before the notification itself.
 *   - In a method that calls Object.wait, it is taken over at each acquire of a monitor. Where a
 *     wait ends the run time does that, whatever the method.
 *   - The same for Lock, with Condition's await and signal.
 *
 * A method that takes no lock of its own does what it does for those that call it: so they count as
 * doing it, if they are in the same class. Which of several locks is waited for is not looked at.
 */
#ifndef TURNSTILE_INSTRUMENT_HAND_OVER_H
#define TURNSTILE_INSTRUMENT_HAND_OVER_H

#include "instrument/instrument_internal.h"

enum {
    HAND_OVER_WAITS = 1, /* for a notification */
    HAND_OVER_NOTIFIES = 2,
    HAND_OVER_AWAITS = 4, /* a condition */
    HAND_OVER_SIGNALS = 8,
};

/* Before any method is changed. False if memory ran out. */
bool hand_over_begin(struct instrument_class *owner);

/* Bits of a method of the class, as it is when the method is planned. */
uint8_t hand_over_of(const struct instrument_class *owner, const struct member *method);

bool hand_over_is_wait(const struct member_reference *callee);

/* On the stack, where it stays: an object. */
void hand_over_object(struct snippet *snippet);
/* The same with its number as a lock. */
void hand_over_kept(struct snippet *snippet);

/* What a call hands over or takes over; not a wait. */
bool hand_over_plan(struct instrument_method *method, uint32_t instruction,
                    const struct member_reference *callee);

#endif
