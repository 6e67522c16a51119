#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <zlib.h>

#include "base/file.h"
#include "base/textmap.h"
#include "classfile/jimage.h"
#include "support.h"

/* ---- images made here, with one resource ---- */

static void native_u4(struct writer *out, uint32_t value)
{
    writer_bytes(out, &value, sizeof value);
}

static void native_u8(struct writer *out, uint64_t value)
{
    writer_bytes(out, &value, sizeof value);
}

/* Offsets in the strings below; the names of the decompressors and what compact-cp refers to. */
static const char strings[] = "\0m\0p/q\0C\0class\0zip\0compact-cp\0"
                              "(L;I)V\0java/lang\0String\0toString\0(II)V\0D\0(L;)V";
enum {
    STRING_EMPTY = 0,
    STRING_MODULE = 1,
    STRING_PARENT = 3,
    STRING_BASE = 7,
    STRING_EXTENSION = 9,
    STRING_ZIP = 15,
    STRING_COMPACT = 19,
    STRING_SHAPE = 30,
    STRING_PACKAGE = 37,
    STRING_CLASS = 47,
    STRING_TO_STRING = 54,
    STRING_PLAIN = 63,
    STRING_D = 69,
    STRING_SHAPE_D = 71,
};

static void attribute(struct writer *out, unsigned kind, uint16_t value)
{
    writer_u1(out, (uint8_t)(kind << 3 | 1)); /* two bytes */
    writer_u2(out, value);
}

/* "/m/p/q/C.class", the only name: any redirect that is negative leads to location 0. */
static void make_image(struct writer *image, const struct writer *content, uint16_t compressed,
                       uint16_t uncompressed)
{
    struct writer locations;
    writer_init(&locations);
    writer_u1(&locations, 0); /* a location is never at 0 */
    attribute(&locations, 1, STRING_MODULE);
    attribute(&locations, 2, STRING_PARENT);
    attribute(&locations, 3, STRING_BASE);
    attribute(&locations, 4, STRING_EXTENSION);
    attribute(&locations, 6, compressed);
    attribute(&locations, 7, uncompressed);
    writer_u1(&locations, 0);
    writer_init(image);
    native_u4(image, 0xCAFEDADA);
    native_u4(image, 1u << 16);
    native_u4(image, 0);
    native_u4(image, 1); /* resources */
    native_u4(image, 1); /* length of the tables */
    native_u4(image, (uint32_t)locations.size);
    native_u4(image, sizeof strings);
    native_u4(image, UINT32_MAX); /* redirect -1: at 0 */
    native_u4(image, 1);          /* offset of the location */
    writer_bytes(image, locations.bytes, locations.size);
    writer_bytes(image, strings, sizeof strings);
    writer_bytes(image, content->bytes, content->size);
    assert_false(image->failed);
    writer_release(&locations);
}

static void add_layer(struct writer *out, const struct writer *content, size_t uncompressed,
                      uint32_t decompressor)
{
    native_u4(out, 0xCAFEFAFA);
    native_u8(out, content->size);
    native_u8(out, uncompressed);
    native_u4(out, decompressor);
    native_u4(out, STRING_EMPTY);
    writer_u1(out, 1);
    writer_bytes(out, content->bytes, content->size);
}

static void add_zip_layer(struct writer *out, const struct writer *content)
{
    struct writer packed;
    writer_init(&packed);
    uLongf size = compressBound((uLong)content->size);
    uint8_t *to = writer_extend(&packed, size);
    assert_int_equal(compress(to, &size, content->bytes, (uLong)content->size), Z_OK);
    packed.size = size;
    add_layer(out, &packed, content->size, STRING_ZIP);
    writer_release(&packed);
}

static bool read_only_resource(const struct writer *bytes, struct jimage_buffer *buffer,
                               const uint8_t **content, size_t *size, struct problem *problem)
{
    struct jimage image;
    struct jimage_location location;
    return jimage_open(&image, bytes->bytes, bytes->size, problem) &&
           jimage_find(&image, TEXT("/m/p/q/C.class"), &location, problem) == JIMAGE_FOUND &&
           jimage_read(&image, &location, buffer, content, size, problem);
}

static void assert_resource(const struct writer *image, const struct writer *expected)
{
    struct problem problem = {0};
    struct jimage_buffer buffer;
    jimage_buffer_init(&buffer);
    const uint8_t *content;
    size_t size;
    if (!read_only_resource(image, &buffer, &content, &size, &problem))
        fail_msg("%s", problem.reason);
    assert_int_equal(size, expected->size);
    assert_memory_equal(content, expected->bytes, size);
    jimage_buffer_release(&buffer);
}

static void test_plain_resource(void **state)
{
    (void)state;
    struct writer content;
    struct writer bytes;
    writer_init(&content);
    writer_bytes(&content, "content", 7);
    make_image(&bytes, &content, 0, 7);
    assert_resource(&bytes, &content);

    struct jimage image;
    struct jimage_location location;
    struct problem problem = {0};
    assert_true(jimage_open(&image, bytes.bytes, bytes.size, &problem));
    assert_true(jimage_location_at(&image, 0, &location, &problem));
    assert_text(location.module, "m");
    assert_text(location.parent, "p/q");
    assert_text(location.base, "C");
    assert_true(jimage_location_is_class(&location));
    static const char *const missing[] = {"/m/p/q/D.class", "/m/p/q/C",         "/m/p/C.class",
                                          "/n/p/q/C.class", "/m/p/q/C.classes", ""};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        assert_int_equal(jimage_find(&image, text_from(missing[i]), &location, &problem),
                         JIMAGE_MISSING);
    assert_false(problem.set);
    writer_release(&bytes);
    writer_release(&content);
}

static void add_utf8(struct writer *out, const char *string)
{
    writer_u1(out, 1);
    writer_u2(out, (uint16_t)strlen(string));
    writer_bytes(out, string, strlen(string));
}

/* A class, as far as compact-cp looks into it, and the same in its form. Numbers below 32 take one
   byte (0xA0 | n), those below 8192 two (0xC0 | high), and any four bytes with the top bit clear.
 */
static void make_compact(struct writer *plain, struct writer *compact)
{
    writer_init(plain);
    writer_init(compact);
    struct writer *both[] = {plain, compact};
    for (int i = 0; i < 2; i++) {
        writer_u4(both[i], 0xCAFEBABE);
        writer_u4(both[i], 61);
        writer_u2(both[i], 9); /* constants 1 to 8, of which 3 and 4 are one long */
        add_utf8(both[i], "kept");
        writer_u1(both[i], 7);
        writer_u2(both[i], 1);
        writer_u1(both[i], 5);
        writer_u8(both[i], 0x1122334455667788);
    }
    add_utf8(plain, "toString");
    writer_u1(compact, 23);
    writer_u1(compact, 0xC0);
    writer_u1(compact, STRING_TO_STRING);
    add_utf8(plain, "(Ljava/lang/String;I)V");
    writer_u1(compact, 25);
    writer_u4(compact, STRING_SHAPE);
    writer_u1(compact, 0xA0 | 4);
    writer_u1(compact, 0xC0);
    writer_u1(compact, STRING_PACKAGE);
    writer_u1(compact, 0xC0);
    writer_u1(compact, STRING_CLASS);
    add_utf8(plain, "(II)V"); /* no classes in it: an index of no bytes */
    writer_u1(compact, 25);
    writer_u1(compact, 0xC0);
    writer_u1(compact, STRING_PLAIN);
    writer_u1(compact, 0xA0);
    add_utf8(plain, "(LD;)V"); /* a class without a package */
    writer_u1(compact, 25);
    writer_u1(compact, 0xC0);
    writer_u1(compact, STRING_SHAPE_D);
    writer_u1(compact, 0xA0 | 3);
    writer_u1(compact, 0xA0 | STRING_EMPTY);
    writer_u1(compact, 0xC0);
    writer_u1(compact, STRING_D);
    for (int i = 0; i < 2; i++)
        writer_bytes(both[i], "the rest is copied", 18);
}

/* Any image of the class: plain, compact, deflated, both. */
static void make_compressed(struct writer *image, struct writer *plain, bool compact, bool zip)
{
    struct writer inner;
    struct writer packed;
    struct writer layered;
    make_compact(plain, &inner);
    writer_init(&packed);
    writer_init(&layered);
    if (compact)
        add_layer(&packed, &inner, plain->size, STRING_COMPACT);
    else
        writer_bytes(&packed, plain->bytes, plain->size);
    if (zip)
        add_zip_layer(&layered, &packed);
    else
        writer_bytes(&layered, packed.bytes, packed.size);
    make_image(image, &layered, compact || zip ? (uint16_t)layered.size : 0, (uint16_t)plain->size);
    writer_release(&inner);
    writer_release(&packed);
    writer_release(&layered);
}

static void test_compressed_resources(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        struct writer image;
        struct writer plain;
        make_compressed(&image, &plain, kind & 1, kind & 2);
        assert_resource(&image, &plain);
        writer_release(&image);
        writer_release(&plain);
    }
}

/* Every byte of an image takes some extreme values: the sanitizers watch, and what is refused is
   refused with a reason. */
static void test_any_byte_wrong(void **state)
{
    (void)state;
    static const uint8_t values[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
    struct jimage_buffer buffer;
    jimage_buffer_init(&buffer);
    for (int kind = 0; kind < 4; kind++) {
        struct writer image;
        struct writer plain;
        make_compressed(&image, &plain, kind & 1, kind & 2);
        for (size_t i = 0; i < image.size; i++) {
            uint8_t old = image.bytes[i];
            for (size_t j = 0; j < sizeof values; j++) {
                struct problem problem = {0};
                struct jimage opened;
                struct jimage_location location;
                const uint8_t *content;
                size_t size;
                image.bytes[i] = values[j];
                if (jimage_open(&opened, image.bytes, image.size, &problem) &&
                    jimage_location_at(&opened, 0, &location, &problem) &&
                    jimage_find_class(&opened, TEXT("p/q/C"), &location, &problem) !=
                        JIMAGE_BROKEN &&
                    jimage_read(&opened, &location, &buffer, &content, &size, &problem))
                    assert_true(size <= image.size || size == location.uncompressed);
                else
                    assert_true(problem.set && problem.reason[0]);
            }
            image.bytes[i] = old;
        }
        /* The end missing, from any place on. */
        for (size_t size = 0; size < image.size; size++) {
            struct writer part = {.size = size};
            part.bytes = memory_allocate(size);
            memcpy(part.bytes, image.bytes, size);
            struct problem problem = {0};
            const uint8_t *content;
            size_t content_size;
            assert_false(read_only_resource(&part, &buffer, &content, &content_size, &problem));
            assert_true(problem.set && problem.reason[0]);
            memory_release(part.bytes);
        }
        writer_release(&image);
        writer_release(&plain);
    }
    jimage_buffer_release(&buffer);
}

static bool read_compressed(void *context)
{
    struct problem problem = {0};
    struct jimage_buffer buffer;
    jimage_buffer_init(&buffer);
    const uint8_t *content;
    size_t size;
    bool read = read_only_resource(context, &buffer, &content, &size, &problem);
    assert_int_equal(read, !problem.set);
    jimage_buffer_release(&buffer);
    return read;
}

static void test_without_memory(void **state)
{
    (void)state;
    struct writer image;
    struct writer plain;
    make_compressed(&image, &plain, true, true);
    assert_true(support_fail_each_request(read_compressed, &image) > 0);
    writer_release(&image);
    writer_release(&plain);
}

static void assert_refused(const uint32_t *header, size_t size, size_t offset, const char *reason)
{
    struct jimage image;
    struct problem problem = {0};
    assert_false(jimage_open(&image, header, size, &problem));
    if (!strstr(problem.reason, reason))
        fail_msg("expected \"%s\", got \"%s\"", reason, problem.reason);
    assert_int_equal(problem.offset, offset);
}

static void test_headers(void **state)
{
    (void)state;
    uint32_t header[7] = {0xCAFEDADA, 1u << 16, 0, 0, 0, 0, 0};
    struct jimage image;
    struct problem problem = {0};
    assert_true(jimage_is_one(header, sizeof header));
    assert_true(jimage_open(&image, header, sizeof header, &problem));
    struct jimage_location location;
    assert_int_equal(jimage_find(&image, TEXT("/m/C.class"), &location, &problem), JIMAGE_MISSING);
    assert_refused(header, 27, 27, "ends inside its header");
    header[1] = 2u << 16 | 3;
    assert_refused(header, sizeof header, 4, "version 2.3");
    header[1] = 1u << 16;
    header[4] = 1;
    assert_refused(header, sizeof header, 12, "index of 36 bytes is larger than the image");
    header[4] = UINT32_MAX;
    header[5] = UINT32_MAX;
    header[6] = UINT32_MAX;
    assert_refused(header, sizeof header, 12, "is larger than the image");
    header[0] = 0xDADAFECA;
    assert_true(jimage_is_one(header, sizeof header));
    assert_refused(header, sizeof header, 0, "other byte order");
}

/* ---- the image of the JDK ---- */

struct mapped {
    struct file_map map;
    struct jimage image;
};

static bool map_image(struct mapped *mapped, const char *home)
{
    struct problem problem = {0};
    char path[4096];
    if (snprintf(path, sizeof path, "%s/lib/modules", home) >= (int)sizeof path)
        return false;
    if (!file_map_open(&mapped->map, path, &problem))
        return false;
    if (!jimage_open(&mapped->image, mapped->map.bytes, mapped->map.size, &problem))
        fail_msg("%s: %s", path, problem.reason);
    return true;
}

static const char *jdk_home(void)
{
    const char *home = getenv("TURNSTILE_JDK");
    if (!home || !home[0])
        skip();
    return home;
}

static void location_name(const struct jimage_location *location, char *name, size_t size)
{
    snprintf(name, size, "/%.*s/%.*s%s%.*s.%.*s", TEXT_ARGUMENTS(location->module),
             TEXT_ARGUMENTS(location->parent), location->parent.length ? "/" : "",
             TEXT_ARGUMENTS(location->base), TEXT_ARGUMENTS(location->extension));
}

/* How many classes the JDK's own tool lists, or -1 without one. */
static long listed_classes(const char *home)
{
    char command[2048];
    snprintf(
        command, sizeof command,
        "test -x '%s/bin/jimage' && '%s/bin/jimage' list '%s/lib/modules' | grep -c '[.]class$'",
        home, home, home);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    long count = -1;
    if (fscanf(pipe, "%ld", &count) != 1)
        count = -1;
    pclose(pipe);
    return count;
}

static void test_jdk_image(void **state)
{
    (void)state;
    const char *home = jdk_home();
    struct mapped mapped;
    if (!map_image(&mapped, home))
        skip();
    struct problem problem = {0};
    struct jimage_buffer buffer;
    jimage_buffer_init(&buffer);
    long classes = 0;
    for (uint32_t i = 0; i < mapped.image.table_length; i++) {
        struct jimage_location location;
        struct jimage_location found;
        assert_true(jimage_location_at(&mapped.image, i, &location, &problem));
        if (!jimage_location_is_class(&location))
            continue;
        classes++;
        char name[1024];
        location_name(&location, name, sizeof name);
        assert_int_equal(jimage_find(&mapped.image, text_from(name), &found, &problem),
                         JIMAGE_FOUND);
        assert_int_equal(found.offset, location.offset);
        const uint8_t *content;
        size_t size;
        assert_true(jimage_read(&mapped.image, &found, &buffer, &content, &size, &problem));
        assert_true(size > 4 && memcmp(content, "\xCA\xFE\xBA\xBE", 4) == 0);
    }
    long listed = listed_classes(home);
    print_message("%ld classes in the image; the jimage tool lists %ld\n", classes, listed);
    if (listed >= 0)
        assert_int_equal(classes, listed);
    jimage_buffer_release(&buffer);
    file_map_close(&mapped.map);
}

static void test_jdk_class_without_module(void **state)
{
    (void)state;
    struct mapped mapped;
    if (!map_image(&mapped, jdk_home()))
        skip();
    static const struct {
        const char *name;
        const char *module;
    } known[] = {{"java/util/Map$Entry", "java.base"},
                 {"java/lang/Object", "java.base"},
                 {"java/util/concurrent/locks/ReentrantLock", "java.base"},
                 {"java/util/logging/Logger", "java.logging"}};
    struct problem problem = {0};
    struct jimage_location location;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(
            jimage_find_class(&mapped.image, text_from(known[i].name), &location, &problem),
            JIMAGE_FOUND);
        assert_text(location.module, known[i].module);
    }
    static const char *const missing[] = {
        "java/util/NoSuchClass", "no/such/package/C", "java/C", "Unnamed", "/java/lang/Object", ""};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        assert_int_equal(
            jimage_find_class(&mapped.image, text_from(missing[i]), &location, &problem),
            JIMAGE_MISSING);
    assert_false(problem.set);
    file_map_close(&mapped.map);
}

/* Every class of one image is the same in the other; how many. */
static size_t compare_images(const struct mapped *packed, const struct mapped *plain)
{
    struct problem problem = {0};
    struct jimage_buffer buffers[2];
    size_t classes = 0;
    jimage_buffer_init(&buffers[0]);
    jimage_buffer_init(&buffers[1]);
    for (uint32_t i = 0; i < packed->image.table_length; i++) {
        struct jimage_location places[2];
        assert_true(jimage_location_at(&packed->image, i, &places[0], &problem));
        if (!jimage_location_is_class(&places[0]))
            continue;
        char name[1024];
        location_name(&places[0], name, sizeof name);
        const uint8_t *content[2];
        size_t size[2];
        if (jimage_find(&plain->image, text_from(name), &places[1], &problem) != JIMAGE_FOUND ||
            !jimage_read(&packed->image, &places[0], &buffers[0], &content[0], &size[0],
                         &problem) ||
            !jimage_read(&plain->image, &places[1], &buffers[1], &content[1], &size[1], &problem))
            fail_msg("%s: %s", name, problem.reason);
        if (size[0] != size[1] || memcmp(content[0], content[1], size[0]) != 0)
            fail_msg("%s differs", name);
        classes++;
    }
    jimage_buffer_release(&buffers[0]);
    jimage_buffer_release(&buffers[1]);
    return classes;
}

/* An image of java.base in FOLDER/imageN; false if jlink cannot make it. */
static bool link_image(struct mapped *mapped, const char *home, const char *folder, int compression)
{
    char command[2048];
    char image_home[1024];
    snprintf(image_home, sizeof image_home, "%s/image%d", folder, compression);
    snprintf(command, sizeof command,
             "'%s/bin/jlink' -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC --compress=%d "
             "--add-modules java.base --output '%s' >/dev/null 2>&1",
             home, compression, image_home);
    return system(command) == 0 && map_image(mapped, image_home);
}

/* What jlink compresses, against what it did not. */
static void test_jlink_compression(void **state)
{
    (void)state;
    const char *home = jdk_home();
    struct support_folder folder;
    support_folder_make(&folder);
    struct mapped plain;
    bool linked = link_image(&plain, home, folder.path, 0);
    for (int compression = 1; linked && compression <= 2; compression++) {
        struct mapped packed;
        assert_true(link_image(&packed, home, folder.path, compression));
        assert_true(packed.map.size < plain.map.size);
        size_t classes = compare_images(&packed, &plain);
        print_message("--compress=%d: %zu classes are the same\n", compression, classes);
        assert_true(classes > 5000); /* java.base has more, since it exists */
        file_map_close(&packed.map);
    }
    char command[1024];
    snprintf(command, sizeof command, "rm -rf '%s'", folder.path);
    assert_int_equal(system(command), 0);
    if (!linked)
        skip();
    file_map_close(&plain.map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_resource),
        cmocka_unit_test(test_compressed_resources),
        cmocka_unit_test(test_any_byte_wrong),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_jdk_image),
        cmocka_unit_test(test_jdk_class_without_module),
        cmocka_unit_test(test_jlink_compression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
