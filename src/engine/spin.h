/*
 * spin: a lock that is held for some tens of instructions.
 *
 * Nothing that calls back, or takes a lock that the watched program can hold, happens under it;
 * rarely, when a table grows, memory is asked for. The thread that holds it may be taken off its
 * processor, so a waiter soon gives up its own.
 */
#ifndef TURNSTILE_ENGINE_SPIN_H
#define TURNSTILE_ENGINE_SPIN_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* All zero bytes: free. */
struct spin {
    _Atomic uint32_t taken;
};

static inline bool spin_try(struct spin *spin)
{
    return !atomic_load_explicit(&spin->taken, memory_order_relaxed) &&
           !atomic_exchange_explicit(&spin->taken, 1, memory_order_acquire);
}

static inline void spin_lock(struct spin *spin)
{
    for (unsigned turn = 0; !spin_try(spin); turn++) {
        if (turn >= 64)
            sched_yield();
#if defined(__x86_64__)
        else
            __builtin_ia32_pause();
#endif
    }
}

static inline void spin_unlock(struct spin *spin)
{
    atomic_store_explicit(&spin->taken, 0, memory_order_release);
}

#endif
