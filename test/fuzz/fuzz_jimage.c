/* Any bytes as a JDK image: every entry of its table, some lookups, every resource. */
#include <stdlib.h>

#include "classfile/jimage.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { TABLE_LIMIT = 1 << 12 };

static void read_location(const struct jimage *image, uint32_t index, struct jimage_buffer *buffer)
{
    struct problem problem;
    problem_clear(&problem);
    struct jimage_location location;
    const uint8_t *content;
    size_t size;
    if (jimage_location_at(image, index, &location, &problem))
        jimage_read(image, &location, buffer, &content, &size, &problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct problem problem;
    problem_clear(&problem);
    struct jimage image;
    if (!jimage_open(&image, bytes, size, &problem)) {
        if (!problem.set)
            abort();
        return 0;
    }
    struct jimage_buffer buffer;
    jimage_buffer_init(&buffer);
    for (uint32_t i = 0; i < image.table_length && i < TABLE_LIMIT; i++)
        read_location(&image, i, &buffer);
    struct jimage_location location;
    jimage_find(&image, TEXT("/java.base/java/lang/Object.class"), &location, &problem);
    problem_clear(&problem);
    jimage_find_class(&image, TEXT("java/lang/Object"), &location, &problem);
    jimage_buffer_release(&buffer);
    return 0;
}
