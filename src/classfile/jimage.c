#include "classfile/jimage.h"

#include <string.h>

#define MAGIC 0xCAFEDADAu
#define MAGIC_OF_OTHER_ORDER 0xDADAFECAu
#define MAJOR_VERSION 1u
#define HEADER_SIZE 28u

/* Both the multiplier of the hash function and its first seed. */
#define HASH_MULTIPLIER 0x01000193u

/* Longer names than this are not in any image: components are Java identifiers of classes whose
   names a constant pool can hold, and those that get here are of real ones. */
#define NAME_LIMIT 4096u

enum attribute {
    ATTRIBUTE_END,
    ATTRIBUTE_MODULE,
    ATTRIBUTE_PARENT,
    ATTRIBUTE_BASE,
    ATTRIBUTE_EXTENSION,
    ATTRIBUTE_OFFSET,
    ATTRIBUTE_COMPRESSED,
    ATTRIBUTE_UNCOMPRESSED,
    ATTRIBUTE_COUNT
};

/* A name put together on the stack: lookups must not need memory. */
struct name {
    char bytes[NAME_LIMIT];
    size_t length;
    bool too_long;
};

static uint32_t native_u4(const uint8_t *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

bool jimage_is_one(const void *bytes, size_t size)
{
    if (size < 4)
        return false;
    uint32_t magic = native_u4(bytes);
    return magic == MAGIC || magic == MAGIC_OF_OTHER_ORDER;
}

/* Lays the parts of the index out one behind the other and checks that they fit. */
static bool lay_out(struct jimage *image, uint64_t locations_size, uint64_t strings_size,
                    struct problem *problem)
{
    uint64_t table = (uint64_t)image->table_length * 4;
    uint64_t end = HEADER_SIZE + 2 * table + locations_size + strings_size;
    if (end > image->size) {
        problem_set(problem, 12, "index of %llu bytes is larger than the image of %zu bytes",
                    (unsigned long long)end, image->size);
        return false;
    }
    image->redirects = HEADER_SIZE;
    image->offsets = image->redirects + (size_t)table;
    image->locations = image->offsets + (size_t)table;
    image->strings = image->locations + (size_t)locations_size;
    image->resources = (size_t)end;
    return true;
}

bool jimage_open(struct jimage *image, const void *bytes, size_t size, struct problem *problem)
{
    *image = (struct jimage){.bytes = bytes, .size = size};
    const uint8_t *header = bytes;
    if (size < HEADER_SIZE) {
        problem_set(problem, size, "modules image ends inside its header");
        return false;
    }
    if (native_u4(header) != MAGIC) {
        problem_set(problem, 0,
                    native_u4(header) == MAGIC_OF_OTHER_ORDER
                        ? "modules image was made for a machine of the other byte order"
                        : "is not a modules image");
        return false;
    }
    uint32_t version = native_u4(header + 4);
    /* A newer minor version may add attributes, and those say how long they are. */
    if (version >> 16 != MAJOR_VERSION) {
        problem_set(problem, 4, "modules image has version %u.%u; only 1.x is known", version >> 16,
                    version & 0xFFFFu);
        return false;
    }
    image->table_length = native_u4(header + 16);
    return lay_out(image, native_u4(header + 20), native_u4(header + 24), problem);
}

bool jimage_string(const struct jimage *image, uint64_t offset, struct text *string,
                   struct problem *problem)
{
    *string = TEXT("");
    size_t strings_size = image->resources - image->strings;
    if (offset >= strings_size) {
        problem_set(problem, image->strings,
                    "string offset %llu is outside of the %zu bytes of strings",
                    (unsigned long long)offset, strings_size);
        return false;
    }
    const uint8_t *start = image->bytes + image->strings + offset;
    const uint8_t *end = memchr(start, 0, strings_size - (size_t)offset);
    if (!end) {
        problem_set(problem, image->strings + (size_t)offset, "string does not end in the strings");
        return false;
    }
    *string = text_of(start, (size_t)(end - start));
    return true;
}

/* An attribute is a byte, its kind and its length, and a value of that many bytes. */
static bool read_attributes(const struct jimage *image, size_t position, uint64_t *values,
                            struct problem *problem)
{
    size_t start = position;
    while (position < image->strings) {
        unsigned kind = image->bytes[position] >> 3;
        size_t length = (image->bytes[position] & 7u) + 1;
        if (kind == ATTRIBUTE_END)
            return true;
        position++;
        if (length > image->strings - position)
            break;
        uint64_t value = 0;
        for (size_t i = 0; i < length; i++)
            value = value << 8 | image->bytes[position + i];
        position += length;
        if (kind < ATTRIBUTE_COUNT)
            values[kind] = value;
    }
    problem_set(problem, start, "attributes of a resource do not end");
    return false;
}

bool jimage_location_at(const struct jimage *image, uint32_t index,
                        struct jimage_location *location, struct problem *problem)
{
    size_t slot = image->offsets + (size_t)index * 4;
    if (index >= image->table_length) {
        problem_set(problem, image->offsets, "location %u of %u", index, image->table_length);
        return false;
    }
    uint32_t offset = native_u4(image->bytes + slot);
    if (offset >= image->strings - image->locations) {
        problem_set(problem, slot, "location offset %u is outside of the locations", offset);
        return false;
    }
    uint64_t values[ATTRIBUTE_COUNT] = {0};
    if (!read_attributes(image, image->locations + offset, values, problem))
        return false;
    *location = (struct jimage_location){.offset = values[ATTRIBUTE_OFFSET],
                                         .compressed = values[ATTRIBUTE_COMPRESSED],
                                         .uncompressed = values[ATTRIBUTE_UNCOMPRESSED]};
    return jimage_string(image, values[ATTRIBUTE_MODULE], &location->module, problem) &&
           jimage_string(image, values[ATTRIBUTE_PARENT], &location->parent, problem) &&
           jimage_string(image, values[ATTRIBUTE_BASE], &location->base, problem) &&
           jimage_string(image, values[ATTRIBUTE_EXTENSION], &location->extension, problem);
}

bool jimage_location_is_class(const struct jimage_location *location)
{
    return text_equal(location->extension, TEXT("class")) && location->module.length &&
           !text_equal(location->module, TEXT("modules")) &&
           !text_equal(location->module, TEXT("packages"));
}

static uint32_t hash_name(struct text name, uint32_t seed)
{
    for (size_t i = 0; i < name.length; i++)
        seed = (seed * HASH_MULTIPLIER) ^ (uint8_t)name.bytes[i];
    return seed & 0x7FFFFFFFu;
}

/* Cuts the part off the front of the name, if it is there. */
static bool skip(struct text *name, struct text part)
{
    if (!text_starts_with(*name, part))
        return false;
    *name = text_slice(*name, part.length, name->length);
    return true;
}

static bool is_named(const struct jimage_location *location, struct text name)
{
    if (location->module.length &&
        !(skip(&name, TEXT("/")) && skip(&name, location->module) && skip(&name, TEXT("/"))))
        return false;
    if (location->parent.length && !(skip(&name, location->parent) && skip(&name, TEXT("/"))))
        return false;
    if (!skip(&name, location->base))
        return false;
    if (location->extension.length && !(skip(&name, TEXT(".")) && skip(&name, location->extension)))
        return false;
    return name.length == 0;
}

enum jimage_found jimage_find(const struct jimage *image, struct text name,
                              struct jimage_location *location, struct problem *problem)
{
    if (!image->table_length)
        return JIMAGE_MISSING;
    uint32_t slot = hash_name(name, HASH_MULTIPLIER) % image->table_length;
    uint32_t redirect = native_u4(image->bytes + image->redirects + (size_t)slot * 4);
    /* 0: no name hashes to here. Negative: the one that does is at -1-redirect. Positive: the seed
       with which all names that hash to here get places of their own. */
    if (redirect == 0)
        return JIMAGE_MISSING;
    uint32_t index =
        redirect >> 31 ? UINT32_MAX - redirect : hash_name(name, redirect) % image->table_length;
    if (!jimage_location_at(image, index, location, problem))
        return JIMAGE_BROKEN;
    return is_named(location, name) ? JIMAGE_FOUND : JIMAGE_MISSING;
}

static void add(struct name *name, struct text part)
{
    if (part.length > NAME_LIMIT - name->length) {
        name->too_long = true;
        return;
    }
    if (part.length)
        memcpy(name->bytes + name->length, part.bytes, part.length);
    name->length += part.length;
}

/* The module that has classes in the package: "/packages/P" is a list of pairs (1 if the package is
   empty in the module, string offset of the module's name). */
static enum jimage_found find_module(const struct jimage *image, struct text package,
                                     struct text *module, struct problem *problem)
{
    struct name name = {.length = 0};
    add(&name, TEXT("/packages/"));
    size_t start = name.length;
    add(&name, package);
    if (name.too_long)
        return JIMAGE_MISSING;
    for (size_t i = start; i < name.length; i++)
        if (name.bytes[i] == '/')
            name.bytes[i] = '.';
    struct jimage_location location;
    enum jimage_found found =
        jimage_find(image, text_of(name.bytes, name.length), &location, problem);
    if (found != JIMAGE_FOUND)
        return found;
    /* jlink never compresses these, so no buffer is ever needed. */
    struct jimage_buffer buffer;
    jimage_buffer_init(&buffer);
    const uint8_t *pairs;
    size_t size;
    found = JIMAGE_MISSING;
    if (!jimage_read(image, &location, &buffer, &pairs, &size, problem))
        found = JIMAGE_BROKEN;
    for (size_t i = 0; found == JIMAGE_MISSING && size - i >= 8; i += 8)
        if (native_u4(pairs + i) == 0)
            found = jimage_string(image, native_u4(pairs + i + 4), module, problem) ? JIMAGE_FOUND
                                                                                    : JIMAGE_BROKEN;
    jimage_buffer_release(&buffer);
    return found;
}

enum jimage_found jimage_find_class(const struct jimage *image, struct text internal_name,
                                    struct jimage_location *location, struct problem *problem)
{
    ptrdiff_t slash = text_find_last(internal_name, '/');
    if (slash < 0)
        return JIMAGE_MISSING; /* modules have no classes in the unnamed package */
    struct text module;
    enum jimage_found found =
        find_module(image, text_slice(internal_name, 0, (size_t)slash), &module, problem);
    if (found != JIMAGE_FOUND)
        return found;
    struct name name = {.length = 0};
    add(&name, TEXT("/"));
    add(&name, module);
    add(&name, TEXT("/"));
    add(&name, internal_name);
    add(&name, TEXT(".class"));
    if (name.too_long)
        return JIMAGE_MISSING;
    return jimage_find(image, text_of(name.bytes, name.length), location, problem);
}

bool jimage_read(const struct jimage *image, const struct jimage_location *location,
                 struct jimage_buffer *buffer, const uint8_t **bytes, size_t *size,
                 struct problem *problem)
{
    uint64_t stored = location->compressed ? location->compressed : location->uncompressed;
    size_t room = image->size - image->resources;
    if (location->offset > room || stored > room - location->offset) {
        problem_set(problem, image->resources,
                    "resource of %llu bytes at %llu is outside of the %zu bytes of resources",
                    (unsigned long long)stored, (unsigned long long)location->offset, room);
        return false;
    }
    size_t position = image->resources + (size_t)location->offset;
    *bytes = image->bytes + position;
    *size = (size_t)stored;
    if (!location->compressed)
        return true;
    if (!jimage_decompress(image, position, *bytes, *size, buffer, bytes, size, problem))
        return false;
    if (*size != location->uncompressed) {
        problem_set(problem, position, "resource has %zu bytes but %llu were declared", *size,
                    (unsigned long long)location->uncompressed);
        return false;
    }
    return true;
}
