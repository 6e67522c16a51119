#include "base/vector.h"

#include <stdint.h>

void *vector_grown(void *items, size_t count, size_t *capacity, size_t more, size_t item_size)
{
    if (more > SIZE_MAX / 4 / item_size || count > SIZE_MAX / 4 / item_size)
        return items;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < count + more)
        wanted = count + more;
    if (wanted < 8)
        wanted = 8;
    if (wanted > SIZE_MAX / 2 / item_size)
        return items;
    void *grown = memory_resize(items, wanted * item_size);
    if (!grown)
        return items;
    *capacity = wanted;
    return grown;
}
