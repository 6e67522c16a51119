/*
 * sites: the places in the program that tell the run time something, and the variables they touch.
 *
 * A site is an instruction of a method: an access of a field, an array element or a collection.
 * What is accessed there is a field, by the class that the instruction names, the elements of an
 * array, or a library object. Both have numbers from 1 on that stay for the life of the table;
 * numbers travel through rewritten code and the engine, and come back here for reports.
 *
 * Any number of threads use one table. Texts are interned and live as long as the table.
 */
#ifndef TURNSTILE_INSTRUMENT_SITES_H
#define TURNSTILE_INSTRUMENT_SITES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/builder.h"
#include "base/text.h"
#include "base/textmap.h"
#include "base/vector.h"

enum accessed_kind {
    ACCESSED_FIELD,      /* instance field */
    ACCESSED_STATIC,     /* static field */
    ACCESSED_ELEMENTS,   /* the elements of an array: name and owner are of the field that the array
                             was reached through; empty if that is not known, then `descriptor` (of
                             the array) says what it is */
    ACCESSED_COLLECTION, /* a mutable library object, reached through that field; descriptor: its
                            static type */
};

/* All names are as in class files: internal names with slashes, field descriptors. */
struct accessed {
    enum accessed_kind kind;
    struct text owner;
    struct text name;
    struct text descriptor;
};

struct site {
    struct text class_name; /* internal name of the class that the code is in */
    struct text method;
    struct text file;  /* SourceFile, or empty */
    uint32_t line;     /* 0: not known */
    uint32_t accessed; /* 0: it is no access, but an atomic block or a monitor */
    bool starts;       /* a constructor writes a field of its object, and does not always say so */
    bool unshared;     /* no other thread can know the object that is accessed: see unshared.h */
};

enum { SITES_CHUNK = 4096, SITES_CHUNKS = 4096 };

/* Numbers by number, for readers that take no lock. */
struct sites_index {
    _Atomic(_Atomic uint32_t *) chunks[SITES_CHUNKS];
};

struct sites {
    pthread_mutex_t lock;
    struct arena arena;
    struct textmap text_numbers;
    VECTOR(struct text) texts;
    struct textmap accessed_numbers; /* by a text that holds all of the name */
    struct builder key;
    VECTOR(struct accessed) accessed;
    VECTOR(struct site) sites;
    struct sites_index accessed_of; /* by site */
    struct sites_index variable_of; /* by accessed: another's number, or 0 for its own */
    struct sites_index start_of;    /* by accessed: a site that starts it, twice; odd if there are
                                       others on other lines */
};

bool sites_init(struct sites *table);
void sites_release(struct sites *table);

/* The number of what is accessed, new or known; 0 if memory ran out. */
uint32_t sites_accessed(struct sites *table, const struct accessed *accessed);

/* Adds sites in a row and gives the number of the first; 0 if memory ran out (then none is added).
   Copies the texts. */
uint32_t sites_add(struct sites *table, const struct site *sites, size_t count);

/* An instruction may name a field by a subclass of the one that declares it: `accessed` is the same
   variable as `variable`. */
void sites_set_variable(struct sites *table, uint32_t accessed, uint32_t variable);

/* 0 if nothing was set. Takes no lock. */
static inline uint32_t sites_index_at(const struct sites_index *index, uint32_t number)
{
    if (number >= SITES_CHUNK * SITES_CHUNKS)
        return 0;
    _Atomic uint32_t *chunk =
        atomic_load_explicit(&index->chunks[number / SITES_CHUNK], memory_order_acquire);
    return chunk ? atomic_load_explicit(&chunk[number % SITES_CHUNK], memory_order_relaxed) : 0;
}

/* For any number of threads; of two that set the same number one wins. False if memory ran out. */
bool sites_index_set(struct sites_index *index, uint32_t number, uint32_t value);

/* The variable that is accessed at the site; 0 if it is none, or there is no such site. All
   elements of arrays count as one here, and all library objects: sites that name them differently
   may access the same.
 */
static inline uint32_t sites_variable_at(const struct sites *table, uint32_t site)
{
    uint32_t accessed = sites_index_at(&table->accessed_of, site);
    uint32_t variable = sites_index_at(&table->variable_of, accessed);
    return variable ? variable : accessed;
}

/* A site where constructors start the variable; 0 if there is none. *only: all such sites are on
   its line. */
static inline uint32_t sites_start_of(const struct sites *table, uint32_t accessed, bool *only)
{
    const uint32_t start = sites_index_at(&table->start_of, accessed);
    *only = !(start & 1);
    return start / 2;
}

/* False if there is no such number. */
bool sites_get(struct sites *table, uint32_t number, struct site *site);
bool sites_get_accessed(struct sites *table, uint32_t number, struct accessed *accessed);

uint32_t sites_count(struct sites *table);

#endif
