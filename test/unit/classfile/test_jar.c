#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "classfile/jar.h"
#include "classfile/manifest.h"
#include "classfile/zip_bytes.h"
#include "support.h"

/* A jar that was opened, and what was said about it. */
struct opened {
    struct jar jar;
    struct jar_budget budget;
    struct diagnostics diagnostics;
    struct problem problem;
    FILE *stream;
    char *messages;
    size_t messages_size;
    bool good;
};

static void open_bytes(struct opened *opened, const void *bytes, size_t size, unsigned release,
                       bool all_versions)
{
    memset(opened, 0, sizeof *opened);
    opened->stream = open_memstream(&opened->messages, &opened->messages_size);
    assert_non_null(opened->stream);
    diagnostics_init(&opened->diagnostics, opened->stream, DIAGNOSTICS_COLOR_NEVER);
    jar_budget_init(&opened->budget, size);
    struct jar_options options = {.release = release,
                                  .all_versions = all_versions,
                                  .where = TEXT("t.jar"),
                                  .diagnostics = &opened->diagnostics,
                                  .budget = &opened->budget};
    opened->good = jar_open(&opened->jar, bytes, size, &options, &opened->problem);
    fflush(opened->stream);
}

static void open_zip(struct opened *opened, const struct zip_bytes *zip, unsigned release)
{
    open_bytes(opened, zip->out.bytes, zip->out.size, release, false);
    assert_true(opened->good);
}

static void close_opened(struct opened *opened)
{
    if (opened->good)
        jar_close(&opened->jar);
    diagnostics_release(&opened->diagnostics);
    fclose(opened->stream);
    free(opened->messages);
}

/* The content of the entry, which must be the string. */
static void assert_content(const struct opened *opened, size_t position, const char *string)
{
    struct jar_reader reader;
    struct problem problem = {0};
    assert_true(position < opened->jar.entries.count);
    assert_true(jar_reader_init(&reader, &opened->jar, &problem));
    if (!jar_reader_read(&reader, &opened->jar.entries.items[position], JAR_CLASS_LIMIT, NULL,
                         &problem))
        fail_msg("%s", problem.reason);
    assert_text(text_of(reader.buffer.bytes, reader.buffer.size), string);
    jar_reader_release(&reader);
}

/* Reading the entry fails for this reason, told with the place of its header. */
static void assert_broken(const struct opened *opened, size_t position, size_t limit,
                          const char *reason)
{
    struct jar_reader reader;
    struct problem problem = {0};
    assert_true(position < opened->jar.entries.count);
    assert_true(jar_reader_init(&reader, &opened->jar, &problem));
    assert_false(
        jar_reader_read(&reader, &opened->jar.entries.items[position], limit, NULL, &problem));
    if (!strstr(problem.reason, reason))
        fail_msg("expected \"%s\", got \"%s\"", reason, problem.reason);
    assert_int_equal(problem.offset, opened->jar.entries.items[position].offset);
    jar_reader_release(&reader);
}

static void test_lists_classes_and_archives_only(void **state)
{
    (void)state;
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "p/", "");
    zip_bytes_store_string(&zip, "p/C.class", "one");
    zip_bytes_store_string(&zip, "p/text.txt", "no");
    zip_bytes_deflate(&zip, "WEB-INF/classes/q/D.class", "two", 3, NULL);
    zip_bytes_store_string(&zip, "BOOT-INF/classes/r/E.class", "three");
    zip_bytes_store_string(&zip, "WEB-INF/lib/x.JAR", "four");
    zip_bytes_finish(&zip);
    struct opened opened;
    open_zip(&opened, &zip, 17);
    assert_int_equal(opened.jar.entries.count, 4);
    assert_text(opened.jar.entries.items[0].entry, "p/C.class");
    assert_text(opened.jar.entries.items[1].entry, "q/D.class");
    assert_text(opened.jar.entries.items[1].name, "WEB-INF/classes/q/D.class");
    assert_text(opened.jar.entries.items[2].entry, "r/E.class");
    assert_int_equal(opened.jar.entries.items[3].kind, JAR_ARCHIVE);
    assert_content(&opened, 0, "one");
    assert_content(&opened, 1, "two");
    assert_content(&opened, 3, "four");
    assert_string_equal(opened.messages, "");
    close_opened(&opened);
    zip_bytes_release(&zip);
}

static void test_names_that_leave_the_archive(void **state)
{
    (void)state;
    const struct {
        struct text name;
        const char *message;
    } bad[] = {
        {TEXT("../evil.class"), "t.jar!/../evil.class: at byte %zu: entry name leaves the archive"},
        {TEXT("a/../../e.class"), "t.jar!/a/../../e.class: at byte %zu: entry name leaves"},
        {TEXT("/abs.class"), "t.jar!//abs.class: at byte %zu: entry name leaves the archive"},
        {TEXT("..\\w.class"), "t.jar!/..\\w.class: at byte %zu: entry name leaves the archive"},
        {TEXT("a\\b.class"), "t.jar!/a\\b.class: at byte %zu: entry name contains a backslash"},
        {TEXT("a\0b.class"), "t.jar!/a\\x00b.class: at byte %zu: entry name contains a zero byte"},
        {TEXT("x/.."), "t.jar!/x/..: at byte %zu: entry name leaves the archive"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct zip_bytes zip;
        zip_bytes_init(&zip);
        zip_bytes_store_string(&zip, "Good.class", "good");
        zip_bytes_store_text(&zip, bad[i].name, "evil", 4);
        size_t offset = zip.last_header;
        zip_bytes_store_string(&zip, "Also.class", "also");
        zip_bytes_finish(&zip);
        struct opened opened;
        open_zip(&opened, &zip, 17);
        char expected[256];
        snprintf(expected, sizeof expected, bad[i].message, offset);
        if (!strstr(opened.messages, expected))
            fail_msg("expected \"%s\", got \"%s\"", expected, opened.messages);
        assert_int_equal(opened.diagnostics.errors, 1);
        assert_int_equal(opened.jar.entries.count, 2);
        assert_content(&opened, 0, "good");
        assert_content(&opened, 1, "also");
        close_opened(&opened);
        zip_bytes_release(&zip);
    }
}

/* URLClassLoader, the application's and the boot class loader of JDK 17 and 25 all take the last
   entry of the central directory; tried with an archive like this one. */
static void test_last_of_several_with_a_name(void **state)
{
    (void)state;
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "A.class", "first");
    zip_bytes_store_string(&zip, "B.class", "b");
    zip_bytes_store_string(&zip, "A.class", "second");
    zip_bytes_store_string(&zip, "A.class", "third");
    zip_bytes_store_string(&zip, "LICENSE", "x");
    zip_bytes_store_string(&zip, "LICENSE", "y");
    zip_bytes_finish(&zip);
    struct opened opened;
    open_zip(&opened, &zip, 17);
    assert_int_equal(opened.jar.entries.count, 2);
    assert_content(&opened, 0, "third");
    assert_content(&opened, 1, "b");
    assert_int_equal(opened.diagnostics.errors, 1);
    assert_non_null(strstr(opened.messages, "t.jar!/A.class: at byte"));
    close_opened(&opened);
    zip_bytes_release(&zip);
}

static void make_multi_release(struct zip_bytes *zip, const char *manifest)
{
    zip_bytes_init(zip);
    zip_bytes_store_string(zip, "META-INF/MANIFEST.MF", manifest);
    zip_bytes_store_string(zip, "META-INF/versions/11/p/C.class", "eleven");
    zip_bytes_store_string(zip, "p/C.class", "base");
    zip_bytes_store_string(zip, "META-INF/versions/9/p/C.class", "nine");
    zip_bytes_store_string(zip, "META-INF/versions/9/p/New.class", "new");
    zip_bytes_store_string(zip, "META-INF/versions/8/p/C.class", "eight");
    zip_bytes_store_string(zip, "META-INF/versions/010/p/C.class", "octal");
    zip_bytes_store_string(zip, "META-INF/versions/9/META-INF/p/C.class", "meta");
    zip_bytes_store_string(zip, "p/D.class", "d");
    zip_bytes_finish(zip);
}

/* The class at p/C.class, and whether p/New.class is there, for one release. */
static void assert_version(const struct zip_bytes *zip, unsigned release, const char *content,
                           bool has_new)
{
    struct opened opened;
    open_zip(&opened, zip, release);
    assert_int_equal(opened.jar.entries.count, has_new ? 3 : 2);
    unsigned seen = 0;
    for (size_t i = 0; i < opened.jar.entries.count; i++) {
        const struct jar_entry *entry = &opened.jar.entries.items[i];
        if (text_is(entry->entry, "p/C.class")) {
            assert_content(&opened, i, content);
            seen |= 1;
        } else if (text_is(entry->entry, "p/D.class")) {
            assert_content(&opened, i, "d");
            seen |= 2;
        } else if (text_is(entry->entry, "p/New.class")) {
            assert_content(&opened, i, "new");
            seen |= 4;
        }
    }
    assert_int_equal(seen, has_new ? 7 : 3);
    assert_string_equal(opened.messages, "");
    close_opened(&opened);
}

static void test_multi_release(void **state)
{
    (void)state;
    struct zip_bytes zip;
    make_multi_release(&zip, "Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n");
    assert_version(&zip, 0, "base", false);
    assert_version(&zip, 8, "base", false);
    assert_version(&zip, 9, "nine", true);
    assert_version(&zip, 10, "nine", true);
    assert_version(&zip, 11, "eleven", true);
    assert_version(&zip, 25, "eleven", true);
    zip_bytes_release(&zip);
}

/* As JDK 17 and 25 do it. */
static void test_version_8(void **state)
{
    (void)state;
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "META-INF/MANIFEST.MF",
                           "Multi-Release: false\nMulti-Release: true\n");
    zip_bytes_store_string(&zip, "META-INF/versions/7/p/C.class", "seven");
    zip_bytes_store_string(&zip, "META-INF/versions/8/p/C.class", "eight");
    zip_bytes_store_string(&zip, "p/C.class", "base");
    zip_bytes_store_string(&zip, "p/D.class", "d");
    zip_bytes_finish(&zip);
    assert_version(&zip, 8, "base", false);
    assert_version(&zip, 9, "eight", false);
    assert_version(&zip, 25, "eight", false);
    zip_bytes_release(&zip);
}

static void test_versions_without_multi_release(void **state)
{
    (void)state;
    static const char *const manifests[] = {
        "Manifest-Version: 1.0\n",
        "Multi-Release: false\n",
        "X: y\n Multi-Release: true\n", /* continues X */
        "Manifest-Version: 1.0\n\nMulti-Release: true\n" /* not the main section */,
        /* What follows has no versions for JDK 17 and 25, though it looks as if. */
        "Manifest-Version: 1.0\nMulti-Release: true",
        "Multi-Release: tr\n ue\n",
        "Multi-Release: true\nMulti-Release: false\n",
    };
    for (size_t i = 0; i < sizeof manifests / sizeof *manifests; i++) {
        struct zip_bytes zip;
        make_multi_release(&zip, manifests[i]);
        assert_version(&zip, 17, "base", false);
        zip_bytes_release(&zip);
    }
}

static void test_all_versions(void **state)
{
    (void)state;
    struct zip_bytes zip;
    make_multi_release(&zip, "Manifest-Version: 1.0\n");
    struct opened opened;
    open_bytes(&opened, zip.out.bytes, zip.out.size, 9, true);
    assert_true(opened.good);
    assert_int_equal(opened.jar.entries.count, 8);
    assert_text(opened.jar.entries.items[0].name, "META-INF/versions/11/p/C.class");
    assert_text(opened.jar.entries.items[0].entry, "p/C.class");
    assert_content(&opened, 0, "eleven");
    close_opened(&opened);
    zip_bytes_release(&zip);
}

static void assert_attribute(const char *manifest, const char *expected)
{
    struct builder value;
    builder_init(&value);
    bool found = manifest_main_attribute(text_from(manifest), TEXT("Multi-Release"), &value);
    assert_int_equal(found, expected != NULL);
    if (expected)
        assert_string_equal(builder_string(&value), expected);
    builder_release(&value);
}

static void test_manifest(void **state)
{
    (void)state;
    assert_attribute("Multi-Release: true", "true");
    assert_attribute("A: b\r\nmulti-RELEASE: true\r\nC: d\r\n", "true");
    assert_attribute("A: b\rMulti-Release: true\rC: d\r", "true");
    assert_attribute("Multi-Release: tr\r\n ue\r\n", "true");
    assert_attribute("Multi-Release: tr\n u\n e\n x\n", "truex");
    assert_attribute("Multi-Release: a\nA: b\nmulti-release: c\n d\n", "cd");
    assert_attribute("Multi-Release-X: true\n", NULL);
    assert_attribute("Multi-Release:true\n", NULL);
    assert_attribute("A: b\n\nMulti-Release: true\n", NULL);
    assert_attribute("A: b\n Multi-Release: true\n", NULL);
    assert_attribute("", NULL);
}

static void test_archive_behind_a_prefix(void **state)
{
    (void)state;
    static const char script[] = "#!/bin/sh\nexec java -jar \"$0\"\n";
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "C.class", "content");
    zip_bytes_finish_behind(&zip, 0, "a comment");
    struct writer file;
    writer_init(&file);
    writer_bytes(&file, script, sizeof script - 1);
    writer_bytes(&file, zip.out.bytes, zip.out.size);
    struct opened opened;
    assert_true(jar_is_one(file.bytes, file.size));
    open_bytes(&opened, file.bytes, file.size, 17, false);
    assert_true(opened.good);
    assert_int_equal(opened.jar.entries.items[0].offset, sizeof script - 1);
    assert_content(&opened, 0, "content");
    close_opened(&opened);
    /* Bytes behind the archive do not matter, either. */
    writer_bytes(&file, "trailing", 8);
    open_bytes(&opened, file.bytes, file.size, 17, false);
    assert_true(opened.good);
    assert_content(&opened, 0, "content");
    close_opened(&opened);
    writer_release(&file);
    zip_bytes_release(&zip);
}

static void test_jmod(void **state)
{
    (void)state;
    static const uint8_t header[4] = {'J', 'M', 1, 0};
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "classes/p/C.class", "content");
    zip_bytes_store_string(&zip, "lib/x.class", "no class of the module");
    zip_bytes_store_string(&zip, "classes/module-info.class", "module");
    zip_bytes_finish(&zip);
    struct writer file;
    writer_init(&file);
    writer_bytes(&file, header, sizeof header);
    writer_bytes(&file, zip.out.bytes, zip.out.size);
    struct opened opened;
    open_bytes(&opened, file.bytes, file.size, 17, false);
    assert_true(opened.good);
    assert_int_equal(opened.jar.entries.count, 2);
    assert_text(opened.jar.entries.items[0].entry, "p/C.class");
    assert_text(opened.jar.entries.items[1].entry, "module-info.class");
    assert_content(&opened, 0, "content");
    close_opened(&opened);
    writer_release(&file);
    zip_bytes_release(&zip);
}

static void lie_less(struct zip_bytes_entry *entry)
{
    entry->size = 10;
}

static void lie_more(struct zip_bytes_entry *entry)
{
    entry->size += 10;
}

static void lie_much_more(struct zip_bytes_entry *entry)
{
    entry->size = 60u << 20;
}

static void lie_crc(struct zip_bytes_entry *entry)
{
    entry->crc ^= 1;
}

static void cut(struct zip_bytes_entry *entry)
{
    entry->content_size /= 2;
}

static void encrypt(struct zip_bytes_entry *entry)
{
    entry->flags |= ZIP_BYTES_ENCRYPTED;
}

static void use_other_method(struct zip_bytes_entry *entry)
{
    entry->method = 99;
}

static void test_broken_entries(void **state)
{
    (void)state;
    static const struct {
        void (*change)(struct zip_bytes_entry *);
        const char *reason;
    } lies[] = {
        {lie_less, "has more than the 10 bytes that it declares"},
        {lie_more, "entry "}, /* newer versions of libzip see it first, in their words */
        {lie_much_more, "declares 62914560 bytes, which its"},
        {lie_crc, "entry cannot be read: CRC error"},
        {cut, "entry cannot be read: "},
        {encrypt, "entry is encrypted"},
        {use_other_method, "compression method 99 is not one that Java reads"},
    };
    char content[20000];
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (char)('a' + support_random(&random) % 16);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct zip_bytes zip;
        zip_bytes_init(&zip);
        zip_bytes_store_string(&zip, "Before.class", "before");
        zip_bytes_deflate(&zip, "Bad.class", content, sizeof content, lies[i].change);
        zip_bytes_store_string(&zip, "After.class", "after");
        zip_bytes_finish(&zip);
        struct opened opened;
        open_zip(&opened, &zip, 17);
        assert_content(&opened, 0, "before");
        assert_broken(&opened, 1, JAR_CLASS_LIMIT, lies[i].reason);
        assert_content(&opened, 2, "after");
        close_opened(&opened);
        zip_bytes_release(&zip);
    }
}

static void test_misplaced_entries(void **state)
{
    (void)state;
    static const struct {
        size_t offset; /* in an archive whose entry takes 44 bytes */
        size_t size;
        const char *reason;
    } lies[] = {
        {1000, 7, "entry is said to begin behind all entries"},
        {0xFFFFFFF0, 7, "entry is said to begin behind all entries"},
        {15, 7, "entry is said to begin behind all entries"},
        {14, 7, "entry is said to begin where no local header stands"},
        {0, 8, "entry reaches into the central directory"},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct zip_bytes zip;
        zip_bytes_init(&zip);
        zip_bytes_store_string(&zip, "A.class", "content");
        assert_int_equal(zip.out.size, 44);
        struct zip_bytes_entry entry = {.name = TEXT("Bad.class"),
                                        .content_size = lies[i].size,
                                        .size = (uint32_t)lies[i].size};
        zip_bytes_list(&zip, &entry, lies[i].offset);
        zip_bytes_finish(&zip);
        struct opened opened;
        open_zip(&opened, &zip, 17);
        assert_content(&opened, 0, "content");
        assert_broken(&opened, 1, JAR_CLASS_LIMIT, lies[i].reason);
        close_opened(&opened);
        zip_bytes_release(&zip);
    }
}

static void test_entry_over_the_limit(void **state)
{
    (void)state;
    static const char content[3000];
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_deflate(&zip, "C.class", content, sizeof content, NULL);
    zip_bytes_finish(&zip);
    struct opened opened;
    open_zip(&opened, &zip, 17);
    assert_broken(&opened, 0, 2999, "entry declares 3000 bytes, more than the limit of 2999");
    close_opened(&opened);
    zip_bytes_release(&zip);
}

static void test_budget(void **state)
{
    (void)state;
    static const char content[3000];
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_deflate(&zip, "C.class", content, sizeof content, NULL);
    zip_bytes_finish(&zip);
    struct opened opened;
    open_zip(&opened, &zip, 17);
    struct jar_budget budget;
    jar_budget_init(&budget, zip.out.size);
    assert_int_equal(budget.total, JAR_BUDGET_FREE + JAR_BUDGET_FACTOR * zip.out.size);
    budget.total = 4000;
    struct jar_reader reader;
    struct problem problem = {0};
    assert_true(jar_reader_init(&reader, &opened.jar, &problem));
    const struct jar_entry *entry = &opened.jar.entries.items[0];
    assert_true(jar_reader_read(&reader, entry, JAR_CLASS_LIMIT, &budget, &problem));
    assert_false(jar_budget_is_spent(&budget));
    assert_false(jar_reader_read(&reader, entry, JAR_CLASS_LIMIT, &budget, &problem));
    assert_true(jar_budget_is_spent(&budget));
    assert_non_null(strstr(problem.reason, "inflates to more than 4000 bytes"));
    jar_reader_release(&reader);
    close_opened(&opened);
    zip_bytes_release(&zip);
}

static void assert_unusable(const void *bytes, size_t size, const char *reason)
{
    struct opened opened;
    open_bytes(&opened, bytes, size, 17, false);
    assert_false(opened.good);
    assert_true(opened.problem.set);
    if (!strstr(opened.problem.reason, reason))
        fail_msg("expected \"%s\", got \"%s\"", reason, opened.problem.reason);
    close_opened(&opened);
}

static void test_unusable_archives(void **state)
{
    (void)state;
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "C.class", "content");
    zip_bytes_finish(&zip);
    uint8_t *bytes = zip.out.bytes;
    size_t size = zip.out.size;
    assert_unusable("", 0, "is not a zip archive");
    assert_unusable("no archive, just text", 21, "is not a zip archive");
    for (size_t cut_size = 4; cut_size < size; cut_size++)
        assert_unusable(bytes, cut_size, "archive is cut off");
    bytes[size - 10] = 0xFF; /* size of the directory */
    assert_unusable(bytes, size, "does not fit before its end record");
    bytes[size - 10] = (uint8_t)zip.directory.size;
    bytes[size - 12] = 2; /* number of entries */
    assert_unusable(bytes, size, "cannot hold 2 entries");
    bytes[size - 12] = 1;
    bytes[size - 22 - zip.directory.size + 28] = 200; /* length of the name */
    assert_unusable(bytes, size, "central directory is broken: an entry reaches beyond its end");
    zip_bytes_release(&zip);
}

/* JDK 17 and 25 find all three classes by the size of the directory, whatever the count says; tried
   with archives like these. Of more than 65,535 entries it cannot say how many they are. */
static void test_wrong_count_of_entries(void **state)
{
    (void)state;
    for (uint8_t count = 0; count < 3; count++) {
        struct zip_bytes zip;
        zip_bytes_init(&zip);
        zip_bytes_store_string(&zip, "A.class", "a");
        zip_bytes_store_string(&zip, "B.class", "b");
        zip_bytes_store_string(&zip, "C.class", "c");
        zip_bytes_finish(&zip);
        zip.out.bytes[zip.out.size - 22 + 8] = count;
        zip.out.bytes[zip.out.size - 22 + 10] = count;
        struct opened opened;
        open_zip(&opened, &zip, 17);
        assert_int_equal(opened.jar.entries.count, 3);
        assert_content(&opened, 2, "c");
        assert_string_equal(opened.messages, "");
        close_opened(&opened);
        zip_bytes_release(&zip);
    }
}

static void test_odd_but_harmless(void **state)
{
    (void)state;
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_finish(&zip);
    struct opened opened;
    open_zip(&opened, &zip, 17);
    assert_int_equal(opened.jar.entries.count, 0);
    assert_string_equal(opened.messages, "turnstile: warning: t.jar: archive has no entries\n");
    close_opened(&opened);
    zip_bytes_release(&zip);

    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "folder.class/", "");
    zip_bytes_store_string(&zip, "Empty.class", "");
    zip_bytes_finish(&zip);
    open_zip(&opened, &zip, 17);
    assert_int_equal(opened.jar.entries.count, 1);
    assert_content(&opened, 0, "");
    assert_int_equal(opened.diagnostics.errors, 0);
    assert_int_equal(opened.diagnostics.warnings, 1);
    close_opened(&opened);
    zip_bytes_release(&zip);
}

/* The 64-bit end record, what leads to it, and a usual end record: each with the count of entries,
   the size of the directory and its place. */
static void put_end64(struct writer *out, const size_t values[3], const size_t usual[3])
{
    size_t end64 = out->size;
    zip_bytes_u4(out, 0x06064b50);
    zip_bytes_u4(out, 44); /* size of the rest */
    zip_bytes_u4(out, 0);
    zip_bytes_u2(out, 45);
    zip_bytes_u2(out, 45);
    zip_bytes_u4(out, 0);
    zip_bytes_u4(out, 0);
    for (int i = 0; i < 4; i++) {
        zip_bytes_u4(out, values[i ? i - 1 : 0]);
        zip_bytes_u4(out, 0);
    }
    zip_bytes_u4(out, 0x07064b50);
    zip_bytes_u4(out, 0);
    zip_bytes_u4(out, end64);
    zip_bytes_u4(out, 0);
    zip_bytes_u4(out, 1);
    zip_bytes_u4(out, 0x06054b50);
    zip_bytes_u4(out, 0);
    zip_bytes_u2(out, usual[0] & 0xFFFF);
    zip_bytes_u2(out, usual[0] & 0xFFFF);
    zip_bytes_u4(out, usual[1]);
    zip_bytes_u4(out, usual[2]);
    zip_bytes_u2(out, 0);
}

enum { END64_PARTS = 56 + 20 };

/* The 64-bit end record, in the place of the values that do not fit into the usual one. */
static void test_zip64(void **state)
{
    (void)state;
    static const size_t elsewhere[3] = {0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF};
    for (int known = 0; known < 2; known++) {
        struct zip_bytes zip;
        zip_bytes_init(&zip);
        zip_bytes_store_string(&zip, "C.class", "content");
        const size_t values[3] = {1, zip.directory.size, zip.out.size};
        writer_bytes(&zip.out, zip.directory.bytes, zip.directory.size);
        put_end64(&zip.out, values, known ? values : elsewhere);
        struct opened opened;
        open_zip(&opened, &zip, 17);
        assert_int_equal(opened.jar.entries.count, 1);
        assert_content(&opened, 0, "content");
        close_opened(&opened);
        zip_bytes_release(&zip);
    }
}

/* The usual end record leads to a directory with A, in an extra field of which stand a directory
   with B and a 64-bit record that leads to it. The JVM, 17 and 25, finds A. */
static void test_zip64_that_contradicts(void **state)
{
    (void)state;
    struct zip_bytes zip, hidden;
    zip_bytes_init(&zip);
    zip_bytes_init(&hidden);
    zip_bytes_store_string(&zip, "A.class", "content");
    zip_bytes_store_string(&hidden, "B.class", "content");
    size_t directory = zip.out.size;
    size_t extra = hidden.directory.size + END64_PARTS;
    zip.directory.bytes[30] = (uint8_t)(4 + extra);
    writer_bytes(&zip.out, zip.directory.bytes, zip.directory.size);
    zip_bytes_u2(&zip.out, 0xCAFE);
    zip_bytes_u2(&zip.out, (unsigned)extra);
    const size_t values[3] = {1, hidden.directory.size, zip.out.size};
    const size_t usual[3] = {1, zip.directory.size + 4 + extra, directory};
    writer_bytes(&zip.out, hidden.directory.bytes, hidden.directory.size);
    put_end64(&zip.out, values, usual);
    struct opened opened;
    open_zip(&opened, &zip, 17);
    assert_int_equal(opened.jar.entries.count, 1);
    assert_text(opened.jar.entries.items[0].entry, "A.class");
    assert_content(&opened, 0, "content");
    close_opened(&opened);
    zip_bytes_release(&hidden);
    zip_bytes_release(&zip);
}

/* Opens and reads everything; true if memory did not run out on the way. */
static bool open_and_read(const void *bytes, size_t size)
{
    struct opened opened;
    open_bytes(&opened, bytes, size, 17, false);
    bool good = opened.good;
    struct problem problem = {0};
    struct jar_reader reader;
    if (opened.good && jar_reader_init(&reader, &opened.jar, &problem)) {
        for (size_t i = 0; i < opened.jar.entries.count; i++) {
            problem_clear(&problem);
            good &= jar_reader_read(&reader, &opened.jar.entries.items[i], JAR_CLASS_LIMIT,
                                    &opened.budget, &problem);
        }
        jar_reader_release(&reader);
    }
    good &= opened.diagnostics.errors == 0;
    close_opened(&opened);
    return good;
}

static bool open_and_read_zip(void *context)
{
    const struct zip_bytes *zip = context;
    return open_and_read(zip->out.bytes, zip->out.size);
}

static void test_without_memory(void **state)
{
    (void)state;
    struct zip_bytes zip;
    make_multi_release(&zip, "Multi-Release: true\n");
    assert_true(support_fail_each_request(open_and_read_zip, &zip) > 0);
    zip_bytes_release(&zip);
}

/* The sanitizers watch; there is nothing else to see. */
static void test_any_byte_wrong(void **state)
{
    (void)state;
    static const uint8_t values[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "META-INF/MANIFEST.MF", "Multi-Release: true\n");
    zip_bytes_deflate(&zip, "META-INF/versions/9/p/C.class", "content content", 15, NULL);
    zip_bytes_finish(&zip);
    for (size_t i = 0; i < zip.out.size; i++) {
        uint8_t old = zip.out.bytes[i];
        for (size_t j = 0; j < sizeof values; j++) {
            zip.out.bytes[i] = values[j];
            open_and_read(zip.out.bytes, zip.out.size);
        }
        zip.out.bytes[i] = old;
    }
    assert_true(open_and_read(zip.out.bytes, zip.out.size));
    zip_bytes_release(&zip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_classes_and_archives_only),
        cmocka_unit_test(test_names_that_leave_the_archive),
        cmocka_unit_test(test_last_of_several_with_a_name),
        cmocka_unit_test(test_wrong_count_of_entries),
        cmocka_unit_test(test_multi_release),
        cmocka_unit_test(test_version_8),
        cmocka_unit_test(test_versions_without_multi_release),
        cmocka_unit_test(test_all_versions),
        cmocka_unit_test(test_manifest),
        cmocka_unit_test(test_archive_behind_a_prefix),
        cmocka_unit_test(test_jmod),
        cmocka_unit_test(test_broken_entries),
        cmocka_unit_test(test_misplaced_entries),
        cmocka_unit_test(test_entry_over_the_limit),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_unusable_archives),
        cmocka_unit_test(test_odd_but_harmless),
        cmocka_unit_test(test_zip64),
        cmocka_unit_test(test_zip64_that_contradicts),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_any_byte_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
