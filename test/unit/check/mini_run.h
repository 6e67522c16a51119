/*
 * mini_run: a mini_program executed, its threads interleaved at random, before the race engine.
 *
 * What is executed is the code of the class files that the checker saw. Every access of a guarded
 * field, every lock and every start of a thread is told to two engines, one that judges by
 * locksets and one by locksets and order. Besides, at each access of a guarded field the guard is
 * looked up in the objects of that moment: it must be held, unless no other thread can reach the
 * object.
 */
#ifndef TURNSTILE_TEST_MINI_RUN_H
#define TURNSTILE_TEST_MINI_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "check/mini_code.h"
#include "engine/engine.h"

enum { MINI_ENGINES = 2 };

/* Engines are made once and serve many runs. */
struct mini_world {
    struct engine *engines[MINI_ENGINES];
    uint32_t next_lock, next_field;
    uint64_t next_thread;
    unsigned races; /* of the run */
    unsigned runs;  /* of these engines */
};

struct mini_outcome {
    unsigned races;      /* that the engines reported */
    unsigned broken;     /* accesses without their guard */
    unsigned accesses;   /* of guarded fields that other threads could reach */
    unsigned threads;    /* that ran */
    struct mini_step at; /* the field that was first accessed without its guard */
    struct mini_step in; /* the method that did it */
};

bool mini_world_open(struct mini_world *world);
void mini_world_close(struct mini_world *world);

/* One schedule. Adds to the outcome. False when there is no memory for engines. */
bool mini_run(struct mini_world *world, const struct mini_code *code, uint64_t seed,
              struct mini_outcome *outcome);

#endif
