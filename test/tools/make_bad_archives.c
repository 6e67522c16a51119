/*
 * make_bad_archives: writes archives that no tool would make, and says what is wrong with them.
 *
 *   make_bad_archives FOLDER
 *
 * On stdout, a line for each: the file's name, then the level (error or warning), how many good
 * classes it holds besides, and what is to be said about it, separated by tabs.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/classfile/zip_bytes.h"

#include "base/builder.h"
#include "base/file.h"
#include "tools.h"

static const char *folder;

static void write_bytes(const char *name, const void *bytes, size_t size)
{
    struct builder path;
    struct problem problem = {0};
    builder_init(&path);
    builder_add_format(&path, "%s/%s", folder, name);
    if (!file_write(builder_string(&path), bytes, size, &problem)) {
        fprintf(stderr, "make_bad_archives: %s: %s\n", builder_string(&path), problem.reason);
        exit(2);
    }
    builder_release(&path);
}

static void expect(const char *name, const char *level, int good, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void expect(const char *name, const char *level, int good, const char *format, ...)
{
    printf("%s\t%s\t%d\t", name, level, good);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

/* A class of this name, stored or, with a change, deflated. */
static void add_class_as(struct zip_bytes *zip, struct text entry, const char *class_name,
                         void (*change)(struct zip_bytes_entry *))
{
    struct writer content;
    writer_init(&content);
    zip_bytes_class(&content, class_name);
    if (change)
        zip_bytes_deflate(zip, entry.bytes, content.bytes, content.size, change);
    else
        zip_bytes_store_text(zip, entry, content.bytes, content.size);
    writer_release(&content);
}

static void start(struct zip_bytes *zip)
{
    zip_bytes_init(zip);
    add_class_as(zip, TEXT("good/First.class"), "good/First", NULL);
}

/* The second good class, behind the bad entry. */
static void finish(struct zip_bytes *zip, const char *name)
{
    add_class_as(zip, TEXT("good/Second.class"), "good/Second", NULL);
    zip_bytes_finish(zip);
    write_bytes(name, zip->out.bytes, zip->out.size);
    zip_bytes_release(zip);
}

static void make_bad_name(const char *name, struct text entry, const char *shown,
                          const char *reason)
{
    struct zip_bytes zip;
    start(&zip);
    add_class_as(&zip, entry, "bad/Bad", NULL);
    expect(name, "error", 2, "%s!/%s: at byte %zu: %s", name, shown, zip.last_header, reason);
    finish(&zip, name);
}

static void make_bad_entry(const char *name, void (*change)(struct zip_bytes_entry *),
                           const char *reason)
{
    struct zip_bytes zip;
    start(&zip);
    add_class_as(&zip, TEXT("bad/Bad.class"), "bad/Bad", change);
    expect(name, "error", 2, "%s!/bad/Bad.class: at byte %zu: %s", name, zip.last_header, reason);
    finish(&zip, name);
}

static void make_too_large(struct zip_bytes_entry *entry)
{
    entry->size = 0x7FFFFFFF;
}

static void make_impossible(struct zip_bytes_entry *entry)
{
    entry->size = 50u << 20;
}

static void make_longer(struct zip_bytes_entry *entry)
{
    entry->size -= 20;
}

static void break_checksum(struct zip_bytes_entry *entry)
{
    entry->crc ^= 1;
}

static void encrypt(struct zip_bytes_entry *entry)
{
    entry->flags |= ZIP_BYTES_ENCRYPTED;
}

static void use_bad_method(struct zip_bytes_entry *entry)
{
    entry->method = 99;
}

static void make_duplicate(void)
{
    struct zip_bytes zip;
    start(&zip);
    add_class_as(&zip, TEXT("good/First.class"), "good/First", NULL);
    expect("duplicate.jar", "error", 2,
           "duplicate.jar!/good/First.class: at byte %zu: entry name occurs more than once",
           zip.last_header);
    finish(&zip, "duplicate.jar");
}

/* An archive without classes behind a lot of zeros: as an archive, it is good. */
static void make_long_archive(struct writer *out, size_t zeros)
{
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "readme.txt", "nothing here");
    zip_bytes_finish(&zip);
    uint8_t *start = writer_extend(out, zeros);
    if (!start)
        abort();
    memset(start, 0, zeros);
    writer_bytes(out, zip.out.bytes, zip.out.size);
    zip_bytes_release(&zip);
}

/* Thirty records for the same 40 KB, which inflate to 40 MiB each time. */
static void make_bomb(void)
{
    struct zip_bytes zip;
    struct writer content;
    struct writer packed;
    writer_init(&content);
    writer_init(&packed);
    make_long_archive(&content, (size_t)40 << 20);
    zip_bytes_compress(&packed, content.bytes, content.size);
    struct zip_bytes_entry entry = {.name = TEXT("lib/a.jar"),
                                    .method = ZIP_BYTES_DEFLATED,
                                    .crc = zip_bytes_crc(content.bytes, content.size),
                                    .size = (uint32_t)content.size,
                                    .content = packed.bytes,
                                    .content_size = packed.size};
    start(&zip);
    zip_bytes_add(&zip, &entry);
    char name[32];
    for (int i = 1; i < 30; i++) {
        snprintf(name, sizeof name, "lib/a%02d.jar", i);
        entry.name = text_from(name);
        zip_bytes_list(&zip, &entry, zip.last_header);
    }
    expect("bomb.jar", "error", 2, "at byte %zu: archive inflates to more than", zip.last_header);
    finish(&zip, "bomb.jar");
    writer_release(&packed);
    writer_release(&content);
}

static void make_nested_text(void)
{
    struct zip_bytes zip;
    start(&zip);
    zip_bytes_store_string(&zip, "WEB-INF/lib/text.jar", "this is no archive");
    expect("nested.war", "error", 2,
           "nested.war!/WEB-INF/lib/text.jar: at byte 0: is not a zip archive");
    finish(&zip, "nested.war");
}

/* Archives in archives in archives, with a good class in each. */
static void make_nested_deep(void)
{
    struct zip_bytes zip;
    struct writer inner;
    writer_init(&inner);
    size_t offset = 0;
    for (int level = 6; level > 0; level--) {
        zip_bytes_init(&zip);
        add_class_as(&zip, TEXT("good/Deep.class"), "good/Deep", NULL);
        if (inner.size)
            zip_bytes_store(&zip, "in.jar", inner.bytes, inner.size);
        offset = zip.last_header;
        zip_bytes_finish(&zip);
        writer_release(&inner);
        inner = zip.out;
        writer_init(&zip.out);
        zip_bytes_release(&zip);
    }
    write_bytes("deep.jar", inner.bytes, inner.size);
    writer_release(&inner);
    expect("deep.jar", "error", 5,
           "deep.jar!/in.jar!/in.jar!/in.jar!/in.jar!/in.jar: at byte %zu: archives are nested",
           offset);
}

static void make_cut(void)
{
    struct zip_bytes zip;
    start(&zip);
    add_class_as(&zip, TEXT("good/Second.class"), "good/Second", NULL);
    zip_bytes_finish(&zip);
    write_bytes("cut.jar", zip.out.bytes, zip.out.size - 30);
    expect("cut.jar", "error", 0, "cut.jar: at byte %zu: archive is cut off", zip.out.size - 30);
    zip_bytes_release(&zip);
}

static void make_harmless(void)
{
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_finish(&zip);
    write_bytes("empty.jar", zip.out.bytes, zip.out.size);
    zip_bytes_release(&zip);
    expect("empty.jar", "warning", 0, "empty.jar: archive has no entries");
    start(&zip);
    zip_bytes_store_string(&zip, "folder.class/", "");
    expect("folder.jar", "warning", 2, "folder.jar!/folder.class/: at byte %zu: is a directory",
           zip.last_header);
    finish(&zip, "folder.jar");
}

int tool_make_bad_archives(int argument_count, char **arguments)
{
    if (argument_count != 2) {
        fputs("usage: make_bad_archives FOLDER\n", stderr);
        return 2;
    }
    folder = arguments[1];
    make_bad_name("leaves.jar", TEXT("../evil.class"), "../evil.class",
                  "entry name leaves the archive");
    make_bad_name("absolute.jar", TEXT("/evil.class"), "/evil.class",
                  "entry name leaves the archive");
    make_bad_name("backslash.jar", TEXT("bad\\evil.class"), "bad\\evil.class",
                  "entry name contains a backslash");
    make_bad_name("zero.jar", TEXT("bad/E\0vil.class"), "bad/E\\x00vil.class",
                  "entry name contains a zero byte");
    make_bad_entry("large.jar", make_too_large, "entry declares 2147483647 bytes, more than");
    make_bad_entry("impossible.jar", make_impossible, "entry declares 52428800 bytes, which its");
    make_bad_entry("longer.jar", make_longer, "entry has more than the");
    make_bad_entry("checksum.jar", break_checksum, "entry cannot be read: CRC error");
    make_bad_entry("encrypted.jar", encrypt, "entry is encrypted");
    make_bad_entry("method.jar", use_bad_method, "compression method 99 is not one");
    make_duplicate();
    make_bomb();
    make_nested_text();
    make_nested_deep();
    make_cut();
    write_bytes("text.jar", "no archive at all\n", 18);
    expect("text.jar", "error", 0, "text.jar: at byte 0: is not a zip archive");
    make_harmless();
    return 0;
}
