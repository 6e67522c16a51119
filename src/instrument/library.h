/*
 * library: the classes of the JDK that synchronize, or hand objects from thread to thread.
 *
 * They tell the run time themselves what they do: when the JVM loads one of them, hooks are put
 * into its methods, as the table library.def says. So every use counts, whether it is called by the
 * program, by a lambda, or by another class of the JDK on the program's behalf.
 *
 *     library_find     says whether a class is in the table; it is asked for every class of the JDK
 *     library_begin    before the methods of such a class: adds the twins (see below)
 *     library_plan     for each of its methods (instrument_internal.h)
 *     library_finish   after them: adds the fields
 *
 * Everything that is inserted does nothing as long as Thread.$turnstile$on is false: most of these
 * classes are in use long before the hooks are there.
 *
 * Twins. A lock or an atomic tells what is done to it. When a class of the JDK uses one for its own
 * ends (the count of a queue, the state of a thread pool) that must not be told: it would order
 * threads that the program does not order. Therefore each hooked method of these classes has a twin
 * with the original code, `$turnstile$NAME`, and classes that the table calls quiet call the twins.
 */
#ifndef TURNSTILE_INSTRUMENT_LIBRARY_H
#define TURNSTILE_INSTRUMENT_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct instrument_class;
struct library_class;

/* Makes the index of the table; library_find knows no class before. Once, by one thread; more often
   does no harm. False if the table does not fit, which a test rules out. */
bool library_init(void);

/* NULL if the class is not in the table. */
const struct library_class *library_find(struct text internal_name);

/* By number from 0 on; NULL behind the last. */
const struct library_class *library_class_at(size_t number);
struct text library_class_name(const struct library_class *class);

/* Where the class can get methods: before the first is rewritten. False if memory ran out. */
bool library_begin(struct instrument_class *owner);

#endif
