/*
 * How jlink compresses resources: --compress=1 replaces the strings of the constant pool by
 * references into the image's strings ("compact-cp"), --compress=2 deflates ("zip"), also on top of
 * that. Each layer begins with a header that says how to undo it.
 */
#include <string.h>
#include <zlib.h>

#include "base/reader.h"
#include "classfile/jimage.h"

#define LAYER_MAGIC 0xCAFEFAFAu
#define LAYER_HEADER_SIZE 29u

/* jlink makes two at most. */
#define LAYER_LIMIT 4

/* Tags of the constant pool; the last two are compact-cp's own. */
#define TAG_UTF8 1
#define TAG_LONG 5
#define TAG_DOUBLE 6
#define TAG_EXTERNAL_STRING 23
#define TAG_EXTERNAL_DESCRIPTOR 25

struct layer {
    uint64_t size; /* of the content behind the header */
    uint64_t uncompressed;
    struct text decompressor;
};

void jimage_buffer_init(struct jimage_buffer *buffer)
{
    writer_init(&buffer->parts[0]);
    writer_init(&buffer->parts[1]);
}

void jimage_buffer_release(struct jimage_buffer *buffer)
{
    writer_release(&buffer->parts[0]);
    writer_release(&buffer->parts[1]);
}

static bool has_layer(const uint8_t *bytes, size_t size)
{
    uint32_t magic = 0;
    if (size >= LAYER_HEADER_SIZE)
        memcpy(&magic, bytes, sizeof magic);
    return magic == LAYER_MAGIC;
}

/* The header is in the byte order of the image: magic, both sizes, name and configuration of the
   decompressor as string offsets, and whether this is the last layer, which the magic says too. */
static bool read_layer(const struct jimage *image, size_t position, const uint8_t *bytes,
                       size_t size, struct layer *layer, struct problem *problem)
{
    uint32_t name;
    memcpy(&layer->size, bytes + 4, 8);
    memcpy(&layer->uncompressed, bytes + 12, 8);
    memcpy(&name, bytes + 20, 4);
    if (layer->size > size - LAYER_HEADER_SIZE) {
        problem_set(problem, position,
                    "compressed content of %llu bytes is longer than its resource",
                    (unsigned long long)layer->size);
        return false;
    }
    if (layer->uncompressed > JIMAGE_RESOURCE_LIMIT) {
        problem_set(problem, position, "resource declares %llu bytes, more than the limit of %zu",
                    (unsigned long long)layer->uncompressed, JIMAGE_RESOURCE_LIMIT);
        return false;
    }
    return jimage_string(image, name, &layer->decompressor, problem);
}

/* One byte more than declared is offered, to see whether there is more. */
static bool undo_zip(const struct layer *layer, const uint8_t *content, struct writer *out,
                     struct problem *problem)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)content, .avail_in = (uInt)layer->size};
    if (layer->size > UINT32_MAX || inflateInit(&stream) != Z_OK) {
        problem_set(problem, PROBLEM_NO_OFFSET, "no memory to inflate a resource");
        return false;
    }
    int status = Z_OK;
    size_t wanted = (size_t)layer->uncompressed + 1;
    while (status == Z_OK && out->size < wanted) {
        /* Grown by what was inflated, not by what was declared. */
        size_t step = out->size < 65536 ? 65536 : out->size;
        if (step > wanted - out->size)
            step = wanted - out->size;
        stream.next_out = writer_extend(out, step);
        if (!stream.next_out)
            break;
        stream.avail_out = (uInt)step;
        status = inflate(&stream, Z_NO_FLUSH);
        out->size -= stream.avail_out;
    }
    inflateEnd(&stream);
    if (out->failed)
        problem_set(problem, PROBLEM_NO_OFFSET, "no memory to inflate a resource");
    else if (status != Z_STREAM_END || out->size != layer->uncompressed)
        problem_set(problem, PROBLEM_NO_OFFSET, "deflated resource is broken");
    return !problem->set;
}

/* Strings are referred to by numbers of 1 to 4 bytes: with the top bit set, the next two say how
   many bytes, of which the first gives its other five bits. */
static uint32_t read_number(struct reader *reader)
{
    uint8_t first = reader_u1(reader);
    uint32_t value = first;
    unsigned more = 3;
    if (first & 0x80) {
        unsigned length = first >> 5 & 3;
        value = first & 0x1F;
        more = length ? length - 1 : 0;
    }
    while (more--)
        value = value << 8 | reader_u1(reader);
    return value;
}

static struct text read_string(const struct jimage *image, struct reader *reader)
{
    struct text string;
    uint32_t offset = read_number(reader);
    if (!reader_ok(reader) || !jimage_string(image, offset, &string, reader->problem))
        return TEXT("");
    return string;
}

/* A descriptor without its class names: for each L, package and class follow as two strings. */
static void add_descriptor(const struct jimage *image, struct reader *reader, struct writer *out)
{
    struct text shape = read_string(image, reader);
    uint32_t size = read_number(reader);
    struct reader names = reader_part(reader, size);
    if (!size) {
        writer_bytes(out, shape.bytes, shape.length);
        return;
    }
    for (size_t i = 0; i < shape.length && reader_ok(reader); i++) {
        writer_u1(out, (uint8_t)shape.bytes[i]);
        if (shape.bytes[i] != 'L')
            continue;
        struct text package = read_string(image, &names);
        struct text class_name = read_string(image, &names);
        if (package.length) {
            writer_bytes(out, package.bytes, package.length);
            writer_u1(out, '/');
        }
        writer_bytes(out, class_name.bytes, class_name.length);
        if (out->size > JIMAGE_RESOURCE_LIMIT)
            reader_fail(reader, "descriptor has no end");
    }
}

/* A string that the constant pool holds as a reference: tag, length, bytes. */
static void add_external(const struct jimage *image, struct reader *reader, struct writer *out,
                         uint8_t tag)
{
    size_t start = out->size;
    writer_u1(out, TAG_UTF8);
    writer_u2(out, 0);
    if (tag == TAG_EXTERNAL_STRING) {
        struct text string = read_string(image, reader);
        writer_bytes(out, string.bytes, string.length);
    } else {
        add_descriptor(image, reader, out);
    }
    if (out->failed || !reader_ok(reader))
        return;
    size_t length = out->size - start - 3;
    if (length > UINT16_MAX)
        reader_fail(reader, "string of %zu bytes in the constant pool", length);
    else
        writer_patch_u2(out, start + 1, (uint16_t)length);
}

/* The bytes behind the tag of constants that are copied as they are. */
static size_t constant_size(uint8_t tag)
{
    static const uint8_t sizes[] = {
        [3] = 4,  [4] = 4,  [5] = 8,  [6] = 8,  [7] = 2,  [8] = 2,  [9] = 4,  [10] = 4,
        [11] = 4, [12] = 4, [15] = 3, [16] = 2, [17] = 4, [18] = 4, [19] = 2, [20] = 2};
    return tag < sizeof sizes ? sizes[tag] : 0;
}

static void copy_bytes(struct reader *reader, size_t size, struct writer *out)
{
    const uint8_t *bytes = reader_bytes(reader, size);
    if (bytes)
        writer_bytes(out, bytes, size);
}

static void copy_constant(struct reader *reader, struct writer *out, uint8_t tag)
{
    writer_u1(out, tag);
    if (tag == TAG_UTF8) {
        uint16_t length = reader_u2(reader);
        writer_u2(out, length);
        copy_bytes(reader, length, out);
        return;
    }
    size_t size = constant_size(tag);
    if (size)
        copy_bytes(reader, size, out);
    else
        reader_fail(reader, "constant with unknown tag %u", tag);
}

static bool undo_compact(const struct jimage *image, const struct layer *layer,
                         const uint8_t *content, struct writer *out, struct problem *problem)
{
    struct reader reader;
    reader_init(&reader, content, (size_t)layer->size, problem);
    copy_bytes(&reader, 8, out); /* magic and version */
    unsigned count = reader_u2(&reader);
    writer_u2(out, (uint16_t)count);
    for (unsigned i = 1; i < count && reader_ok(&reader) && !out->failed; i++) {
        uint8_t tag = reader_u1(&reader);
        if (tag == TAG_EXTERNAL_STRING || tag == TAG_EXTERNAL_DESCRIPTOR)
            add_external(image, &reader, out, tag);
        else
            copy_constant(&reader, out, tag);
        if (tag == TAG_LONG || tag == TAG_DOUBLE)
            i++; /* these take two places */
        if (out->size > layer->uncompressed)
            reader_fail(&reader, "constant pool is longer than the class");
    }
    copy_bytes(&reader, reader_left(&reader), out);
    if (out->failed)
        problem_set(problem, PROBLEM_NO_OFFSET, "no memory to uncompress a resource");
    else if (out->size != layer->uncompressed)
        problem_set(problem, PROBLEM_NO_OFFSET, "compact resource has %zu bytes, not %llu",
                    out->size, (unsigned long long)layer->uncompressed);
    return !problem->set;
}

bool jimage_decompress(const struct jimage *image, size_t position, const uint8_t *content,
                       size_t content_size, struct jimage_buffer *buffer, const uint8_t **bytes,
                       size_t *size, struct problem *problem)
{
    for (int i = 0; i < LAYER_LIMIT && has_layer(content, content_size); i++) {
        struct layer layer;
        if (!read_layer(image, position, content, content_size, &layer, problem))
            return false;
        const uint8_t *packed = content + LAYER_HEADER_SIZE;
        struct writer *out = &buffer->parts[i % 2];
        writer_clear(out);
        bool done = false;
        /* Offsets in the problems of a layer mean little: the resource's place is told instead. */
        struct problem inner = {0};
        if (text_equal(layer.decompressor, TEXT("zip")))
            done = undo_zip(&layer, packed, out, &inner);
        else if (text_equal(layer.decompressor, TEXT("compact-cp")))
            done = undo_compact(image, &layer, packed, out, &inner);
        else
            problem_set(&inner, PROBLEM_NO_OFFSET,
                        "resource is compressed by unknown means, '%.*s'",
                        TEXT_ARGUMENTS(layer.decompressor));
        if (!done) {
            problem_set(problem, position, "%s", inner.reason);
            return false;
        }
        content = out->bytes;
        content_size = out->size;
    }
    *bytes = content;
    *size = content_size;
    return true;
}
