/*
 * random_internal: what the parts of random_program share.
 *
 *     random_paths.c       names for objects, and the locks that are known to be held
 *     random_statements.c  bodies of methods
 *     random_program.c     classes, their fields and methods, and Main
 */
#ifndef TURNSTILE_TEST_RANDOM_INTERNAL_H
#define TURNSTILE_TEST_RANDOM_INTERNAL_H

#include "check/random_program.h"

enum { RANDOM_PATHS = 160, RANDOM_HELD = 12 };

struct random_held {
    struct mini_path path;
    bool shared;
};

struct random_maker {
    struct mini_program *program;
    uint64_t random;
    unsigned mistakes;     /* that may still be made */
    unsigned shared_count; /* classes that are neither workers nor Main */

    /* The method. */
    unsigned class;
    struct mini_method *method;
    bool constructing; /* `this` must not be shown to anybody, nor can it be known yet */
    struct random_held held[RANDOM_HELD];
    unsigned held_count;
    bool fresh[MINI_LOCALS]; /* made here, and known to nobody else */
    bool owner_known[MINI_LOCALS];
    struct mini_path owners[MINI_LOCALS];
    unsigned loops;
    unsigned left; /* statements that may still be made */
};

struct random_paths {
    struct mini_path items[RANDOM_PATHS];
    unsigned count;
};

extern const struct mini_path random_self; /* `this` */

/* ---- random_paths.c ---- */

unsigned random_draw(struct random_maker *maker, unsigned limit);

bool random_chance(struct random_maker *maker, unsigned of_hundred);

/* Whether to do what a careful programmer would not; a program has few such places, because one
   that the checker misses is hidden by another one that it finds. */
bool random_mistake(struct random_maker *maker, unsigned of_hundred);

void random_add_path(struct random_paths *paths, const struct mini_path *path);

bool random_extend(struct mini_path *path, struct mini_step step);

/* The path and what can be reached from it through fields. */
void random_add_reached(struct random_maker *maker, struct random_paths *paths,
                        const struct mini_path *path, unsigned type, unsigned depth,
                        bool constant_only);

void random_add_statics(struct random_maker *maker, struct random_paths *paths);

/* One that can be used where this type is wanted; MINI_VOID: an object of any class of the program
   that has fields. */
bool random_pick_path(struct random_maker *maker, unsigned type, struct mini_path *result);

/* What the formal of the object's class is. */
bool random_owner_of(struct random_maker *maker, const struct mini_path *path,
                     struct mini_path *owner);

/* A declared lock as it is called here. */
bool random_needed_lock(struct random_maker *maker, const struct mini_path *declared,
                        const struct mini_path *object, const struct mini_path *arguments,
                        struct mini_path *needed);

bool random_is_held(const struct random_maker *maker, const struct mini_path *path, bool write);

void random_hold(struct random_maker *maker, const struct mini_path *path, bool shared);

/* The local gets another value: what begins with it is something else now. */
void random_forget_local(struct random_maker *maker, unsigned local);

void random_forget_held(struct random_maker *maker, const struct mini_path *path);

/* Somebody else knows what the path denotes from now on. */
void random_show(struct random_maker *maker, const struct mini_path *path);

/* ---- random_statements.c ---- */

uint16_t random_new_statement(struct random_maker *maker, enum mini_kind kind);

/* A field of the class or a superclass that is of this kind. */
bool random_pick_field(struct random_maker *maker, unsigned class, bool whole_number,
                       bool is_static, struct mini_step *result);

uint16_t random_make_access(struct random_maker *maker);

bool random_pick_arguments(struct random_maker *maker, const struct mini_method *method,
                           struct mini_path *arguments);

void random_set_arguments(struct random_maker *maker, uint16_t number,
                          const struct mini_method *method, const struct mini_path *arguments);

uint16_t random_make_block(struct random_maker *maker, unsigned depth);

/* Most locals have a value when the body begins; `end` is where statements are added. */
uint16_t *random_begin_locals(struct random_maker *maker, uint16_t *end);

#endif
