#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "classfile/input_internal.h"
#include "classfile/jimage.h"

/* Resources that a worker takes at once; most are not compressed and cost nothing to read. */
#define CHUNK 64u

struct place {
    uint64_t offset; /* of the content: the order of the walk, so that pages are read once */
    uint32_t index;
};

struct worker {
    struct jimage_buffer buffer;
    struct builder path;
    struct builder entry;
};

struct image {
    const struct input_walk *walk;
    struct text where;
    struct jimage jimage;
    VECTOR(struct place) places;
    struct worker *workers;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *left = a;
    const struct place *right = b;
    if (left->offset != right->offset)
        return left->offset < right->offset ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

/* One wrong byte in the header can break all locations: the first is told, the others counted.
   False when there is no memory. */
static bool list_classes(struct image *image)
{
    size_t broken = 0;
    for (uint32_t i = 0; i < image->jimage.table_length; i++) {
        struct problem problem = {0};
        struct jimage_location location;
        if (!jimage_location_at(&image->jimage, i, &location, &problem)) {
            if (!broken++)
                diagnostics_problem(image->walk->diagnostics, DIAGNOSTICS_ERROR, image->where,
                                    &problem);
        } else if (jimage_location_is_class(&location) &&
                   !vector_push(&image->places, ((struct place){location.offset, i}))) {
            return false;
        }
    }
    if (broken > 1)
        diagnostics_error(image->walk->diagnostics,
                          "%.*s: %zu more entries of its index are broken",
                          TEXT_ARGUMENTS(image->where), broken - 1);
    if (image->places.count)
        qsort(image->places.items, image->places.count, sizeof *image->places.items,
              compare_places);
    return true;
}

static void walk_place(const struct image *image, struct worker *worker, unsigned number,
                       uint32_t index)
{
    struct problem problem = {0};
    struct jimage_location location;
    if (!jimage_location_at(&image->jimage, index, &location, &problem))
        return; /* it was good when it was listed */
    builder_clear(&worker->entry);
    if (location.parent.length) {
        builder_add(&worker->entry, location.parent);
        builder_add_byte(&worker->entry, '/');
    }
    builder_add(&worker->entry, location.base);
    builder_add(&worker->entry, TEXT(".class"));
    builder_clear(&worker->path);
    builder_add(&worker->path, image->where);
    builder_add(&worker->path, TEXT("!/"));
    builder_add(&worker->path, location.module);
    builder_add_byte(&worker->path, '/');
    builder_add(&worker->path, builder_text(&worker->entry));
    struct text path = builder_text(&worker->path);
    const uint8_t *bytes;
    size_t size;
    if (worker->path.failed || worker->entry.failed)
        problem_set(&problem, PROBLEM_NO_OFFSET, "no memory for the name of a class");
    else if (jimage_read(&image->jimage, &location, &worker->buffer, &bytes, &size, &problem))
        input_walk_class(image->walk, path, builder_text(&worker->entry), bytes, size, number);
    if (problem.set)
        diagnostics_problem(image->walk->diagnostics, DIAGNOSTICS_ERROR,
                            worker->path.failed ? image->where : path, &problem);
}

static void walk_chunk(void *context, size_t chunk, unsigned number)
{
    const struct image *image = context;
    size_t end = (chunk + 1) * CHUNK;
    if (end > image->places.count)
        end = image->places.count;
    for (size_t i = chunk * CHUNK; i < end; i++)
        walk_place(image, &image->workers[number], number, image->places.items[i].index);
}

static bool walk_places(struct image *image)
{
    unsigned workers = image->walk->options.workers;
    image->workers = memory_allocate(workers * sizeof *image->workers);
    if (!image->workers)
        return false;
    for (unsigned i = 0; i < workers; i++) {
        jimage_buffer_init(&image->workers[i].buffer);
        builder_init(&image->workers[i].path);
        builder_init(&image->workers[i].entry);
    }
    parallel_for((image->places.count + CHUNK - 1) / CHUNK, workers, walk_chunk, image);
    for (unsigned i = 0; i < workers; i++) {
        jimage_buffer_release(&image->workers[i].buffer);
        builder_release(&image->workers[i].path);
        builder_release(&image->workers[i].entry);
    }
    memory_release(image->workers);
    return true;
}

bool input_walk_image(const struct input_walk *walk, struct text where, const uint8_t *bytes,
                      size_t size)
{
    struct image image = {.walk = walk, .where = where, .places = VECTOR_EMPTY};
    struct problem problem = {0};
    bool used = jimage_open(&image.jimage, bytes, size, &problem);
    if (used && (!list_classes(&image) || !walk_places(&image))) {
        problem_set(&problem, PROBLEM_NO_OFFSET, "no memory to list the image");
        used = false;
    }
    if (problem.set)
        diagnostics_problem(walk->diagnostics, DIAGNOSTICS_ERROR, where, &problem);
    vector_release(&image.places);
    return used;
}
