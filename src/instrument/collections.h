/*
 * collections: the mutable objects of the JDK that count as one variable each, as collections.def
 * lists them.
 *
 * A call in application code whose receiver type and method are in the table is an access of the
 * receiver; what it does inside is not looked at. Which object an access is about is found at run
 * time by java.lang.TurnstileObjects: for a view or an iterator it is the collection behind it, for
 * an object of an unlisted class there is none.
 *
 * The table is made at the first use and does not change; any number of threads may ask.
 */
#ifndef TURNSTILE_INSTRUMENT_COLLECTIONS_H
#define TURNSTILE_INSTRUMENT_COLLECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum collection_effect {
    COLLECTION_UNKNOWN, /* the method is not in the table */
    COLLECTION_NONE,
    COLLECTION_READ,
    COLLECTION_WRITE,
};

/* What the result of a method has to do with its object. */
enum collection_result {
    COLLECTION_OTHER, /* nothing */
    COLLECTION_VIEW,  /* it leads to the same word: iterators, key sets, sublists, streams */
    COLLECTION_SELF,  /* it is the object itself */
};

struct collection_call {
    enum collection_effect effect;
    enum collection_result result;
};

enum { COLLECTION_PARENTS_MAX = 2 };

struct collection_type {
    struct text name;  /* internal */
    struct text chain; /* method of TurnstileObjects; "self": none is needed; "none": it is not a
                          variable, only arguments of its methods are */
    const struct collection_type *parents[COLLECTION_PARENTS_MAX];
};

/* NULL if the type is not listed. */
const struct collection_type *collections_type(struct text internal_name);

/* By number from 0 on; NULL behind the last. */
const struct collection_type *collections_type_at(size_t number);

/* What a method of the type does to its object. */
struct collection_call collections_call(const struct collection_type *type, struct text name,
                                        struct text descriptor);

/* What it does to an argument; 0 is the first. */
enum collection_effect collections_argument(const struct collection_type *type, struct text name,
                                            struct text descriptor, unsigned argument);

/* Whether any method of that name is in the table, of whatever type. */
bool collections_has_name(struct text method_name);

/* The classes that get the hidden word, by number from 0 on; NULL behind the last. */
const char *collections_word_class(size_t number);

/*
 * An application class may extend one of the JDK's and override a method, say with one that locks
 * first; then a call of it is not an access (what it does inside with super is). So that the run
 * time can tell, each method name has a number, and a class the set of the names of all methods
 * that it and its superclasses, up to the JDK's, declare. Names of collections and maps have
 * numbers of their own; others may share one: then the call of one counts as overridden if the
 * other is.
 */
enum {
    COLLECTIONS_NAME_LIMIT = 128,
    COLLECTIONS_NAME_NOTHING = -1,                 /* whatever is overridden does not matter */
    COLLECTIONS_NAME_ANY = COLLECTIONS_NAME_LIMIT, /* whatever is overridden does */
};

/* -1 for a name that the table does not have; else below the limit. */
int collections_name_number(struct text method_name);

#endif
