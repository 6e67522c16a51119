/*
 * atomic_blocks: marks where blocks begin and end that are meant to be atomic.
 *
 * A block is a method or a synchronized block; which ones, the options say (enum
 * instrument_atomic) and what is declared. What is declared of a method counts in this order: the
 * patterns that the user gave, .locks files and comments (declared_methods.h), annotations. Begin
 * and end carry the number of the block's site, the same at both.
 *
 *   method               begins before everything else and ends after everything else, by a return
 *                        or an exception: if it is synchronized, after its lock was told to be left
 *   synchronized block   begins before the monitorenter and what is told of it (unless the object
 *                        is null: then nothing is entered), ends behind the monitorexit
 *
 * Where monitors are told with their places (monitors_are_placed), what is told of the monitor
 * tells of the block, too: it is one call instead of two. In the same order; so the block begins
 * behind the monitorenter, and ends before the monitorexit.
 *
 * A hook that throws, as on a stack overflow, may leave a block without an end; the end of the next
 * one around it, which has another number, shows that.
 *
 * Never blocks are constructors, because no handler may cover their call of another constructor,
 * class initializers, and methods that the compiler made (bridges, bodies of lambdas).
 *
 * Synchronized blocks are marked only in methods where each monitorexit has one monitorenter that
 * it belongs to, whatever way was taken, and no way out leaves a monitor entered: what Java
 * compilers write, and what a JVM asks for before it compiles a method. Not in methods with jsr.
 */
#ifndef TURNSTILE_INSTRUMENT_ATOMIC_BLOCKS_H
#define TURNSTILE_INSTRUMENT_ATOMIC_BLOCKS_H

#include "instrument/instrument_internal.h"

/* Before anything is planned for the method: finds its blocks. method->blocks stays NULL if there
   are none. False if memory ran out. */
bool atomic_blocks_begin(struct instrument_method *method);

/* After what its being synchronized asks for: the method's end. */
bool atomic_blocks_end(struct instrument_method *method);

/* Before and after what is planned for a monitorenter or monitorexit. */
bool atomic_blocks_before(struct instrument_method *method, uint32_t instruction);
bool atomic_blocks_after(struct instrument_method *method, uint32_t instruction);

/* Whether what is told of the monitor that the instruction enters or leaves must tell of its block;
   then with the number of the block's site. And the same for a synchronized method. */
bool atomic_blocks_joins(const struct instrument_method *method, uint32_t instruction,
                         uint32_t *site);
bool atomic_blocks_joins_method(const struct instrument_method *method, uint32_t *site);

/* How many blocks of the method have marks. */
uint32_t atomic_blocks_count(const struct instrument_method *method);

/* When all is planned: whether it has marks and may pass the limits of a method. */
bool atomic_blocks_too_large(const struct instrument_method *method);

#endif
