#include <string.h>

#include "classfile/constant_pool.h"

/* The most bytes that a constant takes besides its text; a shorter one may be stored with so many
   all the same, as the next overwrites what is too much. */
enum { LARGEST = 9 };

#define TAG_SET(tag) (UINT32_C(1) << (tag))

/* Nearly all constants are of these kinds: one or two indices, or a text and its length. */
#define FREQUENT_TAGS                                                                              \
    (TAG_SET(CONSTANT_UTF8) | TAG_SET(CONSTANT_CLASS) | TAG_SET(CONSTANT_STRING) |                 \
     TAG_SET(CONSTANT_FIELD) | TAG_SET(CONSTANT_METHOD) | TAG_SET(CONSTANT_INTERFACE_METHOD) |     \
     TAG_SET(CONSTANT_NAME_AND_TYPE))

/* Stores a constant of one of the other kinds behind its tag; gives its size. */
static size_t store_rare(uint8_t *to, const struct constant *constant)
{
    switch (constant->tag) {
    case CONSTANT_UNUSABLE:
        return 0;
    case CONSTANT_INTEGER:
    case CONSTANT_FLOAT:
        writer_store_u4(to + 1, (uint32_t)constant->value.bits);
        return 5;
    case CONSTANT_LONG:
    case CONSTANT_DOUBLE:
        writer_store_u4(to + 1, (uint32_t)(constant->value.bits >> 32));
        writer_store_u4(to + 5, (uint32_t)constant->value.bits);
        return 9;
    case CONSTANT_METHOD_TYPE:
    case CONSTANT_MODULE:
    case CONSTANT_PACKAGE:
        writer_store_u2(to + 1, constant->first);
        return 3;
    case CONSTANT_METHOD_HANDLE:
        to[1] = constant->reference_kind;
        writer_store_u2(to + 2, constant->first);
        return 4;
    default: /* (invoke) dynamic */
        writer_store_u2(to + 1, constant->first);
        writer_store_u2(to + 3, constant->second);
        return 5;
    }
}

/* The writer, with room for so many constants and besides for `text` bytes behind `used`. Gives the
   place behind `used`, or NULL, and how much more text there is room for. */
static uint8_t *make_room(struct writer *writer, size_t used, uint32_t constants, size_t text,
                          size_t *text_room)
{
    writer->size = used;
    if (!writer_extend(writer, LARGEST * (size_t)constants + text))
        return NULL;
    *text_room = writer->capacity - writer->size + text;
    return writer->bytes + used;
}

void constant_pool_write(struct writer *writer, const struct class_file *class_file)
{
    const uint32_t count = class_file->constant_count;
    const uint32_t known = class_file->source_count <= count ? class_file->source_count : 0;
    size_t text_room;
    writer_u2(writer, class_file->constant_count);
    if (known)
        writer_bytes(writer, class_file->source, class_file->source_size);
    uint8_t *to = make_room(writer, writer->size, count - known, 0, &text_room);
    if (!to)
        return;
    for (uint32_t index = known ? known : 1; index < count; index++) {
        const struct constant *constant = &class_file->constants[index];
        const uint8_t tag = constant->tag;
        to[0] = tag;
        if (!(FREQUENT_TAGS >> tag & 1)) {
            to += store_rare(to, constant);
            continue;
        }
        const uint16_t first = constant->first;
        if (tag == CONSTANT_UTF8 && first) {
            if (first > text_room) {
                to = make_room(writer, (size_t)(to - writer->bytes), count - index, first,
                               &text_room);
                if (!to)
                    return;
                to[0] = tag;
            }
            text_room -= first;
            writer_store_u2(to + 1, first);
            memcpy(to + 3, constant->value.utf8, first);
            to += 3u + first;
        } else {
            writer_store_u2(to + 1, first);
            writer_store_u2(to + 3, constant->second);
            to += tag >= CONSTANT_FIELD ? 5 : 3;
        }
    }
    writer->size = (size_t)(to - writer->bytes);
}
