/*
 * How far apart the first two processors are: nanoseconds for a line of memory to go from the cache
 * of one to that of the other. On a virtual machine this may change from second to second, as the
 * host moves its processors about, and with it what threads pay that share anything: measurements
 * of such programs can be compared only if it was the same for all of them. Prints 0 if there is
 * one processor, or it cannot be told.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 100000 };

static _Alignas(128) _Atomic int ball;

static bool run_on(size_t processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

/* Waits for an even number, or an odd one, and throws the next. */
static void play(int first)
{
    for (int i = 0; i < ROUNDS; i++) {
        while (atomic_load(&ball) != 2 * i + first) {
        }
        atomic_store(&ball, 2 * i + first + 1);
    }
}

static void *answer(void *context)
{
    (void)context;
    play(1);
    return NULL;
}

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(void)
{
    pthread_t other;
    /* A thread starts where the one is that makes it. */
    if (!run_on(1) || pthread_create(&other, NULL, answer, NULL) != 0 || !run_on(0)) {
        puts("0");
        return 0;
    }
    const double start = nanoseconds();
    play(0);
    pthread_join(other, NULL);
    printf("%.0f\n", (nanoseconds() - start) / (2.0 * ROUNDS));
    return 0;
}
