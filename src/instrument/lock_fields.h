/*
 * lock_fields: from which fields the code takes its locks. For their names in reports only.
 *
 * That is known of a place where a monitor is entered, or a method of one of the locks in
 * java.util.concurrent called, if the code shows (origins.h) that the object came from a field. For
 * `lock.readLock().lock()` that is the field of `lock`. Places are ranges of code as the JVM has
 * it. A method is the one that is meant only if its code is as long as it was here: others may have
 * changed it since, or the class may be one of several with its name.
 *
 * A field's objects are its own if all code that stores into it stores what it has just made (or
 * got from the JDK): then no other field leads to them, and its name says which object is meant.
 * The forks of philosophers have two names each, and neither is right.
 *
 * Any number of threads use one table. Where memory runs out a place stays unknown.
 */
#ifndef TURNSTILE_INSTRUMENT_LOCK_FIELDS_H
#define TURNSTILE_INSTRUMENT_LOCK_FIELDS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/builder.h"
#include "base/text.h"
#include "base/textmap.h"
#include "base/vector.h"

#define LOCK_FIELDS_PACKAGE "java/util/concurrent/locks/"

/* Names are as in class files. */
struct lock_fields_method {
    struct text class_name, name, descriptor;
    uint32_t length; /* of the code */
};

struct lock_fields_place {
    uint32_t start, end; /* offsets in the code; the end is behind it */
    uint32_t accessed;   /* the field, as sites.h numbers it */
    uint32_t next;       /* of the same method, plus 1; the table's */
};

struct lock_fields {
    pthread_mutex_t lock;
    struct arena arena;     /* for the keys */
    struct textmap methods; /* to their last place, plus 1 */
    VECTOR(struct lock_fields_place) places;
    struct textmap fields; /* to what is stored into them */
    struct builder key;
};

bool lock_fields_init(struct lock_fields *table);
void lock_fields_release(struct lock_fields *table);

void lock_fields_add(struct lock_fields *table, const struct lock_fields_method *method,
                     const struct lock_fields_place *place);

/* The field of the lock that is taken at this offset of the method; 0 if none is known, or classes
   of the same name differ. */
uint32_t lock_fields_find(struct lock_fields *table, const struct lock_fields_method *method,
                          uint32_t offset);

/* An object is stored into a field: made or got from the JDK just before, or given by somebody. */
void lock_fields_add_store(struct lock_fields *table, struct text owner, struct text name,
                           bool given);

/* Whether objects in the field are its own. Fields of which no store was seen have none. */
bool lock_fields_is_own(struct lock_fields *table, struct text owner, struct text name);

#endif
