/*
 * vector: growable arrays of one type.
 *
 *     VECTOR(struct edge) edges = VECTOR_EMPTY;
 *     if (!vector_push(&edges, edge)) ... no memory; the vector is as it was
 *     for (size_t i = 0; i < edges.count; i++) use(edges.items[i]);
 *     vector_release(&edges);
 *
 * The macros evaluate the vector argument more than once.
 */
#ifndef TURNSTILE_BASE_VECTOR_H
#define TURNSTILE_BASE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

#define VECTOR(type)                                                                               \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

#define VECTOR_EMPTY                                                                               \
    {                                                                                              \
        0                                                                                          \
    }

/* Makes room for `more` items behind the last; false when there is no memory. */
#define vector_reserve(vector, more)                                                               \
    ((vector)->capacity - (vector)->count >= (more) ||                                             \
     ((vector)->items = vector_grown((vector)->items, (vector)->count, &(vector)->capacity,        \
                                     (more), sizeof *(vector)->items),                             \
      (vector)->capacity - (vector)->count >= (more)))

#define vector_push(vector, item)                                                                  \
    (vector_reserve((vector), 1)                                                                   \
         ? ((vector)->items[(vector)->count] = (item), (vector)->count++, true)                    \
         : false)

#define vector_pop(vector) ((vector)->items[--(vector)->count])
#define vector_last(vector) ((vector)->items[(vector)->count - 1])
#define vector_clear(vector) ((void)((vector)->count = 0))

#define vector_release(vector)                                                                     \
    (memory_release((vector)->items),                                                              \
     (void)((vector)->items = NULL, (vector)->count = (vector)->capacity = 0))

/* For the macros only: the block, grown if that was possible, else as it was. */
void *vector_grown(void *items, size_t count, size_t *capacity, size_t more, size_t item_size);

#endif
