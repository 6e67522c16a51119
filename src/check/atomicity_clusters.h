/*
 * atomicity_clusters: warnings that have one cause, together (paper 000, section 8).
 *
 * For each lock there is the set of methods that are not atomic unless it is held; methods that no
 * single lock would make atomic are a set of their own. Such a set falls into clusters: two methods
 * belong together if one of them calls the other, directly or not. Equal clusters of different
 * locks are one. Of a cluster those methods are reported that call no other method of it.
 */
#ifndef TURNSTILE_CHECK_ATOMICITY_CLUSTERS_H
#define TURNSTILE_CHECK_ATOMICITY_CLUSTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "check/atomicity_inference.h"

struct atomicity_warning {
    uint32_t method;
    atomicity worst;              /* at some call site */
    uint32_t caller, caller_atom; /* that site; UINT32_MAX: from outside */
    uint32_t cluster;             /* number, from 0 */
    bool lowest;                  /* of its cluster */
};

struct atomicity_cluster {
    struct text lock; /* as it is called in reports; empty: no lock alone would do */
    uint32_t method_count;
};

struct atomicity_clusters {
    struct atomicity_cluster *items;
    uint32_t count;
};

/* Fills the warnings' cluster and lowest. A method that belongs to several clusters is given the
   first. The result is in the arena. False when there is no memory. */
bool atomicity_clusters_find(struct atomicity_clusters *clusters,
                             struct atomicity_inference *inference, struct arena *arena,
                             struct atomicity_warning *warnings, uint32_t warning_count);

#endif
