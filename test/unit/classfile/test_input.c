#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>

#include "base/builder.h"
#include "base/vector.h"
#include "classfile/input.h"
#include "classfile/jar.h"
#include "classfile/zip_bytes.h"
#include "support.h"

/* What a walk hands out: a line "PATH ENTRY CONTENT" for each class, PATH without the folder. */
struct walked {
    struct diagnostics diagnostics;
    FILE *stream;
    char *messages;
    size_t messages_size;
    struct builder lines;
    size_t count;
    size_t prefix; /* to be cut off paths */
    unsigned workers;
    pthread_mutex_t mutex;
    bool used;
};

static void note_class(void *context, const struct input_class *input)
{
    struct walked *walked = context;
    pthread_mutex_lock(&walked->mutex);
    assert_true(input->worker < walked->workers);
    assert_non_null(input->bytes);
    walked->count++;
    builder_add(&walked->lines, text_slice(input->path, walked->prefix, input->path.length));
    builder_add_byte(&walked->lines, ' ');
    builder_add(&walked->lines, input->entry);
    builder_add_byte(&walked->lines, ' ');
    /* Large ones are told by their size. */
    if (input->size < 100)
        builder_add(&walked->lines, text_of(input->bytes, input->size));
    else
        builder_add_format(&walked->lines, "%zu", input->size);
    builder_add_byte(&walked->lines, '\n');
    pthread_mutex_unlock(&walked->mutex);
}

static void walk(struct walked *walked, const struct support_folder *folder, const char *name,
                 unsigned workers)
{
    memset(walked, 0, sizeof *walked);
    pthread_mutex_init(&walked->mutex, NULL);
    builder_init(&walked->lines);
    walked->workers = workers;
    walked->prefix = strlen(folder->path) + 1;
    walked->stream = open_memstream(&walked->messages, &walked->messages_size);
    assert_non_null(walked->stream);
    diagnostics_init(&walked->diagnostics, walked->stream, DIAGNOSTICS_COLOR_NEVER);
    struct input_options options = {.workers = workers, .release = 17};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    walked->used = input_walk(path, &options, &walked->diagnostics, note_class, walked);
    fflush(walked->stream);
}

static void walked_release(struct walked *walked)
{
    diagnostics_release(&walked->diagnostics);
    fclose(walked->stream);
    free(walked->messages);
    builder_release(&walked->lines);
    pthread_mutex_destroy(&walked->mutex);
}

/* One worker, so the order counts; nothing is complained about. */
static void assert_walk(const struct support_folder *folder, const char *name, const char *lines)
{
    struct walked walked;
    walk(&walked, folder, name, 1);
    assert_true(walked.used);
    assert_string_equal(builder_string(&walked.lines), lines);
    assert_string_equal(walked.messages, "");
    walked_release(&walked);
}

/* The one message ends like this (it begins with the folder's path). */
static void assert_message(const struct walked *walked, const char *ending)
{
    if (walked->diagnostics.errors != 1 || !strstr(walked->messages, ending))
        fail_msg("expected one message \"%s\", got \"%s\"", ending, walked->messages);
}

static void write_string(const struct support_folder *folder, const char *name, const char *content)
{
    support_write(support_path(folder, name), content, strlen(content));
}

static void make_folder(const struct support_folder *folder, const char *name)
{
    assert_int_equal(mkdir(support_path(folder, name), 0777), 0);
}

static void write_zip(const struct support_folder *folder, const char *name, struct zip_bytes *zip)
{
    zip_bytes_finish(zip);
    support_write(support_path(folder, name), zip->out.bytes, zip->out.size);
    zip_bytes_release(zip);
}

static void remove_tree(const struct support_folder *folder)
{
    char command[1024];
    snprintf(command, sizeof command, "rm -rf '%s'", folder->path);
    assert_int_equal(system(command), 0);
}

static void test_single_files(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    write_string(&folder, "C.class", "\xCA\xFE\xBA\xBE!");
    write_string(&folder, "noextension", "\xCA\xFE\xBA\xBE?");
    write_string(&folder, "Broken.class", "not a class"); /* for the class reader to say */
    write_string(&folder, "Empty.class", "");
    write_string(&folder, "text", "just text");
    assert_walk(&folder, "C.class", "C.class C.class \xCA\xFE\xBA\xBE!\n");
    assert_walk(&folder, "noextension", "noextension noextension \xCA\xFE\xBA\xBE?\n");
    assert_walk(&folder, "Broken.class", "Broken.class Broken.class not a class\n");
    assert_walk(&folder, "Empty.class", "Empty.class Empty.class \n");
    struct walked walked;
    walk(&walked, &folder, "text", 1);
    assert_false(walked.used);
    assert_message(
        &walked, "/text: at byte 0: is neither a class file nor an archive nor a modules image\n");
    walked_release(&walked);
    walk(&walked, &folder, "missing", 1);
    assert_false(walked.used);
    assert_message(&walked, "/missing: cannot be opened: No such file or directory\n");
    walked_release(&walked);
    remove_tree(&folder);
}

static void test_archives_are_told_by_content(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "p/C.class", "c");
    write_zip(&folder, "odd.name", &zip);
    write_string(&folder, "text.jar", "just text");
    assert_walk(&folder, "odd.name", "odd.name!/p/C.class p/C.class c\n");
    struct walked walked;
    walk(&walked, &folder, "text.jar", 1);
    assert_false(walked.used);
    assert_message(&walked, "/text.jar: at byte 0: is not a zip archive\n");
    walked_release(&walked);
    remove_tree(&folder);
}

static void test_directory(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    make_folder(&folder, "d");
    make_folder(&folder, "d/q");
    make_folder(&folder, "d/p");
    write_string(&folder, "d/q/A.class", "qa");
    write_string(&folder, "d/p/B.class", "pb");
    write_string(&folder, "d/p/A.class", "pa");
    write_string(&folder, "d/p/readme.txt", "no");
    write_string(&folder, "d/Z.class", "z");
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "r/J.class", "j");
    write_zip(&folder, "d/p/lib.jar", &zip);
    /* Loops, dead ends, and a pipe that nobody writes to. */
    assert_int_equal(symlink("..", support_path(&folder, "d/p/up")), 0);
    assert_int_equal(symlink("self", support_path(&folder, "d/self")), 0);
    assert_int_equal(mkfifo(support_path(&folder, "d/p/pipe.class"), 0600), 0);
    static const char expected[] = "d/Z.class Z.class z\n"
                                   "d/p/A.class p/A.class pa\n"
                                   "d/p/B.class p/B.class pb\n"
                                   "d/q/A.class q/A.class qa\n"
                                   "d/p/lib.jar!/r/J.class r/J.class j\n";
    assert_walk(&folder, "d", expected);
    assert_int_equal(symlink("nowhere", support_path(&folder, "d/Gone.class")), 0);
    struct walked walked;
    walk(&walked, &folder, "d", 1);
    assert_true(walked.used);
    assert_string_equal(builder_string(&walked.lines), expected);
    assert_message(&walked, "/d/Gone.class: cannot be opened: No such file or directory\n");
    walked_release(&walked);
    remove_tree(&folder);
}

/* A slash behind the directory's name does not show in the paths. */
static void test_directory_with_slash(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    make_folder(&folder, "d");
    write_string(&folder, "d/C.class", "c");
    assert_walk(&folder, "d//", "d/C.class C.class c\n");
    remove_tree(&folder);
}

static void test_war(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    struct zip_bytes inner;
    struct zip_bytes war;
    zip_bytes_init(&inner);
    zip_bytes_store_string(&inner, "META-INF/MANIFEST.MF", "Multi-Release: true\n");
    zip_bytes_deflate(&inner, "p/L.class", "old", 3, NULL);
    zip_bytes_deflate(&inner, "META-INF/versions/17/p/L.class", "new", 3, NULL);
    zip_bytes_finish(&inner);
    zip_bytes_init(&war);
    zip_bytes_deflate(&war, "WEB-INF/lib/l.jar", inner.out.bytes, inner.out.size, NULL);
    zip_bytes_store_string(&war, "WEB-INF/classes/p/C.class", "c");
    zip_bytes_store_string(&war, "WEB-INF/lib/bad.jar", "no archive");
    zip_bytes_store(&war, "WEB-INF/lib/stored.jar", inner.out.bytes, inner.out.size);
    write_zip(&folder, "w.war", &war);
    zip_bytes_release(&inner);
    struct walked walked;
    walk(&walked, &folder, "w.war", 1);
    assert_true(walked.used);
    assert_string_equal(
        builder_string(&walked.lines),
        "w.war!/WEB-INF/classes/p/C.class p/C.class c\n"
        "w.war!/WEB-INF/lib/l.jar!/META-INF/versions/17/p/L.class p/L.class new\n"
        "w.war!/WEB-INF/lib/stored.jar!/META-INF/versions/17/p/L.class p/L.class new\n");
    assert_message(&walked, "/w.war!/WEB-INF/lib/bad.jar: at byte 0: is not a zip archive\n");
    walked_release(&walked);
    remove_tree(&folder);
}

/* level0.jar holds L0.class and level1.jar, and so on. */
static void test_nesting(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    struct writer inner;
    writer_init(&inner);
    for (int level = 6; level >= 0; level--) {
        struct zip_bytes zip;
        zip_bytes_init(&zip);
        char name[32];
        snprintf(name, sizeof name, "L%d.class", level);
        zip_bytes_store_string(&zip, name, "x");
        snprintf(name, sizeof name, "level%d.jar", level + 1);
        if (inner.size)
            zip_bytes_store(&zip, name, inner.bytes, inner.size);
        zip_bytes_finish(&zip);
        writer_release(&inner);
        inner = zip.out;
        writer_init(&zip.out);
        zip_bytes_release(&zip);
    }
    support_write(support_path(&folder, "level0.jar"), inner.bytes, inner.size);
    writer_release(&inner);
    struct walked walked;
    walk(&walked, &folder, "level0.jar", 1);
    assert_true(walked.used);
    assert_int_equal(walked.count, JAR_DEPTH_LIMIT + 1);
    assert_message(&walked,
                   "/level0.jar!/level1.jar!/level2.jar!/level3.jar!/level4.jar!/level5.jar"
                   ": at byte 39: archives are nested more than 4 deep\n");
    walked_release(&walked);
    remove_tree(&folder);
}

static void test_broken_entry_and_the_rest(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "A.class", "a");
    zip_bytes_store_string(&zip, "B.class", "b");
    zip.out.bytes[zip.out.size - 1] = 'x'; /* against its checksum */
    size_t offset = zip.last_header;
    zip_bytes_store_string(&zip, "C.class", "c");
    write_zip(&folder, "t.jar", &zip);
    struct walked walked;
    walk(&walked, &folder, "t.jar", 1);
    assert_true(walked.used);
    assert_string_equal(builder_string(&walked.lines),
                        "t.jar!/A.class A.class a\nt.jar!/C.class C.class c\n");
    char ending[128];
    snprintf(ending, sizeof ending,
             "/t.jar!/B.class: at byte %zu: entry cannot be read: CRC error\n", offset);
    assert_message(&walked, ending);
    walked_release(&walked);
    remove_tree(&folder);
}

/* Many records that share the same few bytes: small on disk, 1.2 GB in memory. */
static void make_bomb(const struct support_folder *folder)
{
    enum { SIZE = 40 << 20, COUNT = 30 };
    uint8_t *zeros = memory_allocate(SIZE);
    assert_non_null(zeros);
    memset(zeros, 0, SIZE);
    struct zip_bytes zip;
    struct writer packed;
    zip_bytes_init(&zip);
    writer_init(&packed);
    zip_bytes_compress(&packed, zeros, SIZE);
    struct zip_bytes_entry entry = {.name = TEXT("a00.class"),
                                    .method = ZIP_BYTES_DEFLATED,
                                    .crc = zip_bytes_crc(zeros, SIZE),
                                    .size = SIZE,
                                    .content = packed.bytes,
                                    .content_size = packed.size};
    zip_bytes_add(&zip, &entry);
    for (int i = 1; i < COUNT; i++) {
        char name[32];
        snprintf(name, sizeof name, "a%02d.class", i);
        entry.name = text_from(name);
        zip_bytes_list(&zip, &entry, zip.last_header);
    }
    memory_release(zeros);
    writer_release(&packed);
    write_zip(folder, "bomb.jar", &zip);
}

static void test_bomb(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    make_bomb(&folder);
    struct walked walked;
    walk(&walked, &folder, "bomb.jar", 1);
    assert_true(walked.used);
    assert_true(walked.count >= 6 && walked.count < 10); /* 256 MiB and some */
    assert_message(&walked, "bytes: the rest is left out\n");
    walked_release(&walked);
    remove_tree(&folder);
}

static int compare_lines(const void *a, const void *b)
{
    return text_compare(*(const struct text *)a, *(const struct text *)b);
}

/* The lines in the order of their bytes, so that two walks can be compared. */
static void sort_lines(struct builder *lines)
{
    VECTOR(struct text) sorted = VECTOR_EMPTY;
    struct text rest = builder_text(lines);
    while (rest.length) {
        size_t end = (size_t)text_find(rest, '\n') + 1;
        assert_true(vector_push(&sorted, text_slice(rest, 0, end)));
        rest = text_slice(rest, end, rest.length);
    }
    qsort(sorted.items, sorted.count, sizeof *sorted.items, compare_lines);
    struct builder result;
    builder_init(&result);
    for (size_t i = 0; i < sorted.count; i++)
        builder_add(&result, sorted.items[i]);
    vector_release(&sorted);
    builder_release(lines);
    *lines = result;
}

static void test_several_workers(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    make_folder(&folder, "d");
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    for (int i = 0; i < 1000; i++) {
        char name[32];
        snprintf(name, sizeof name, "p/C%d.class", i);
        zip_bytes_deflate(&zip, name, name, strlen(name), NULL);
        snprintf(name, sizeof name, "d/D%d.class", i);
        if (i % 5 == 0)
            write_string(&folder, name, name);
    }
    write_zip(&folder, "d/many.jar", &zip);
    struct walked one;
    struct walked four;
    walk(&one, &folder, "d", 1);
    walk(&four, &folder, "d", 4);
    assert_int_equal(one.count, 1200);
    assert_int_equal(four.count, 1200);
    sort_lines(&one.lines);
    sort_lines(&four.lines);
    assert_string_equal(builder_string(&one.lines), builder_string(&four.lines));
    assert_string_equal(four.messages, "");
    walked_release(&one);
    walked_release(&four);
    remove_tree(&folder);
}

static bool walk_without_complaint(void *context)
{
    struct walked walked;
    walk(&walked, context, "d", 1);
    bool good = walked.used && walked.diagnostics.errors == 0;
    /* What fell out was told. */
    if (!good)
        assert_true(walked.diagnostics.errors > 0);
    walked_release(&walked);
    return good && walked.count == 3;
}

static void test_without_memory(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    make_folder(&folder, "d");
    write_string(&folder, "d/C.class", "c");
    struct zip_bytes inner;
    struct zip_bytes outer;
    zip_bytes_init(&inner);
    zip_bytes_deflate(&inner, "I.class", "i", 1, NULL);
    zip_bytes_finish(&inner);
    zip_bytes_init(&outer);
    zip_bytes_deflate(&outer, "O.class", "o", 1, NULL);
    zip_bytes_store(&outer, "inner.jar", inner.out.bytes, inner.out.size);
    write_zip(&folder, "d/outer.jar", &outer);
    zip_bytes_release(&inner);
    assert_true(support_fail_each_request(walk_without_complaint, &folder) > 10);
    remove_tree(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_files),
        cmocka_unit_test(test_archives_are_told_by_content),
        cmocka_unit_test(test_directory),
        cmocka_unit_test(test_directory_with_slash),
        cmocka_unit_test(test_war),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_broken_entry_and_the_rest),
        cmocka_unit_test(test_bomb),
        cmocka_unit_test(test_several_workers),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
