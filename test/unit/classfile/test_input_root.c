#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdatomic.h>

#include "base/parallel.h"
#include "classfile/input.h"
#include "classfile/zip_bytes.h"
#include "support.h"

struct fixture {
    struct support_folder folder;
    struct diagnostics diagnostics;
    FILE *stream;
    char *messages;
    size_t messages_size;
    struct arena arena;
};

static void setup(struct fixture *fixture)
{
    memset(fixture, 0, sizeof *fixture);
    support_folder_make(&fixture->folder);
    fixture->stream = open_memstream(&fixture->messages, &fixture->messages_size);
    assert_non_null(fixture->stream);
    diagnostics_init(&fixture->diagnostics, fixture->stream, DIAGNOSTICS_COLOR_NEVER);
    arena_init(&fixture->arena);
}

static void teardown(struct fixture *fixture)
{
    char command[1024];
    snprintf(command, sizeof command, "rm -rf '%s'", fixture->folder.path);
    assert_int_equal(system(command), 0);
    diagnostics_release(&fixture->diagnostics);
    fclose(fixture->stream);
    free(fixture->messages);
    arena_release(&fixture->arena);
}

static void write_string(const struct fixture *fixture, const char *name, const char *content)
{
    support_write(support_path(&fixture->folder, name), content, strlen(content));
}

static void make_folder(const struct fixture *fixture, const char *name)
{
    assert_int_equal(mkdir(support_path(&fixture->folder, name), 0777), 0);
}

static void write_zip(const struct fixture *fixture, const char *name, struct zip_bytes *zip)
{
    zip_bytes_finish(zip);
    support_write(support_path(&fixture->folder, name), zip->out.bytes, zip->out.size);
    zip_bytes_release(zip);
}

static struct input_root *open_root(struct fixture *fixture, const char *name, unsigned release)
{
    struct input_options options = {.release = release};
    struct input_root *root =
        input_root_open(support_path(&fixture->folder, name), &options, &fixture->diagnostics);
    fflush(fixture->stream);
    return root;
}

/* The class is there with this content, or, if that is NULL, not there. */
static void assert_class(struct fixture *fixture, struct input_root *root, const char *name,
                         const char *content)
{
    struct problem problem = {0};
    const uint8_t *bytes;
    size_t size;
    enum input_found found =
        input_root_find(root, text_from(name), &fixture->arena, &bytes, &size, &problem);
    assert_int_equal(found, content ? INPUT_FOUND : INPUT_MISSING);
    assert_false(problem.set);
    if (content)
        assert_text(text_of(bytes, size), content);
}

static void test_directory(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    make_folder(&fixture, "d");
    make_folder(&fixture, "d/p");
    write_string(&fixture, "d/p/C.class", "c");
    write_string(&fixture, "d/D.class", "");
    write_string(&fixture, "Outside.class", "secret");
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "p/C.class", "hidden behind the directory");
    zip_bytes_store_string(&zip, "p/J.class", "j");
    write_zip(&fixture, "d/lib.jar", &zip);
    struct input_root *root = open_root(&fixture, "d", 17);
    assert_non_null(root);
    assert_class(&fixture, root, "p/C", "c");
    assert_class(&fixture, root, "D", "");
    assert_class(&fixture, root, "p/J", "j");
    assert_class(&fixture, root, "p/Missing", NULL);
    assert_class(&fixture, root, "C", NULL);
    assert_class(&fixture, root, "../Outside", NULL);
    assert_class(&fixture, root, "p/../../Outside", NULL);
    char absolute[1024];
    snprintf(absolute, sizeof absolute, "%s/Outside", fixture.folder.path);
    assert_class(&fixture, root, absolute, NULL);
    assert_class(&fixture, root, "", NULL);
    input_root_close(root);
    assert_string_equal(fixture.messages, "");
    teardown(&fixture);
}

static void test_jar_and_war(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    struct zip_bytes jar;
    struct zip_bytes war;
    zip_bytes_init(&jar);
    zip_bytes_store_string(&jar, "META-INF/MANIFEST.MF", "Multi-Release: true\n");
    zip_bytes_deflate(&jar, "p/C.class", "base", 4, NULL);
    zip_bytes_deflate(&jar, "META-INF/versions/11/p/C.class", "eleven", 6, NULL);
    zip_bytes_deflate(&jar, "p/Lib.class", "lib", 3, NULL);
    zip_bytes_init(&war);
    zip_bytes_finish(&jar);
    support_write(support_path(&fixture.folder, "j.jar"), jar.out.bytes, jar.out.size);
    zip_bytes_deflate(&war, "WEB-INF/lib/j.jar", jar.out.bytes, jar.out.size, NULL);
    zip_bytes_store_string(&war, "WEB-INF/classes/p/C.class", "of the application");
    zip_bytes_release(&jar);
    write_zip(&fixture, "w.war", &war);
    struct input_root *root = open_root(&fixture, "j.jar", 0);
    assert_non_null(root);
    assert_class(&fixture, root, "p/C", "base");
    input_root_close(root);
    root = open_root(&fixture, "j.jar", 17);
    assert_class(&fixture, root, "p/C", "eleven");
    assert_class(&fixture, root, "p/Lib", "lib");
    assert_class(&fixture, root, "META-INF/versions/11/p/C", NULL);
    input_root_close(root);
    /* The application's own classes come before its libraries. */
    root = open_root(&fixture, "w.war", 17);
    assert_class(&fixture, root, "p/C", "of the application");
    assert_class(&fixture, root, "p/Lib", "lib");
    input_root_close(root);
    assert_string_equal(fixture.messages, "");
    teardown(&fixture);
}

static void test_broken(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    write_string(&fixture, "text", "just text");
    assert_null(open_root(&fixture, "text", 17));
    assert_null(open_root(&fixture, "missing", 17));
    assert_int_equal(fixture.diagnostics.errors, 2);
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "Good.class", "g");
    zip_bytes_store_string(&zip, "Bad.class", "b");
    zip.out.bytes[zip.out.size - 1] = 'x';
    size_t offset = zip.last_header;
    write_zip(&fixture, "t.jar", &zip);
    struct input_root *root = open_root(&fixture, "t.jar", 17);
    struct problem problem = {0};
    const uint8_t *bytes;
    size_t size;
    assert_int_equal(input_root_find(root, TEXT("Bad"), &fixture.arena, &bytes, &size, &problem),
                     INPUT_BROKEN);
    assert_true(problem.set);
    assert_int_equal(problem.offset, offset);
    assert_class(&fixture, root, "Good", "g");
    input_root_close(root);
    teardown(&fixture);
}

static void test_layouts_of_old_jdks(void **state)
{
    (void)state;
    static const uint8_t header[4] = {'J', 'M', 1, 0};
    struct fixture fixture;
    setup(&fixture);
    make_folder(&fixture, "jdk9");
    make_folder(&fixture, "jdk9/jmods");
    static const char *const modules[] = {"java.base", "java.sql"};
    for (int i = 0; i < 2; i++) {
        struct zip_bytes zip;
        zip_bytes_init(&zip);
        zip_bytes_deflate(&zip, i ? "classes/java/sql/S.class" : "classes/java/lang/O.class",
                          modules[i], strlen(modules[i]), NULL);
        zip_bytes_finish(&zip);
        struct writer file;
        writer_init(&file);
        writer_bytes(&file, header, sizeof header);
        writer_bytes(&file, zip.out.bytes, zip.out.size);
        char name[64];
        snprintf(name, sizeof name, "jdk9/jmods/%s.jmod", modules[i]);
        support_write(support_path(&fixture.folder, name), file.bytes, file.size);
        writer_release(&file);
        zip_bytes_release(&zip);
    }
    struct input_root *root = open_root(&fixture, "jdk9", 17);
    assert_class(&fixture, root, "java/lang/O", "java.base");
    assert_class(&fixture, root, "java/sql/S", "java.sql");
    input_root_close(root);

    make_folder(&fixture, "jdk8");
    make_folder(&fixture, "jdk8/jre");
    make_folder(&fixture, "jdk8/jre/lib");
    make_folder(&fixture, "jdk8/demo");
    write_string(&fixture, "jdk8/demo/Demo.class", "not of the platform");
    struct zip_bytes zip;
    zip_bytes_init(&zip);
    zip_bytes_store_string(&zip, "java/lang/O.class", "rt");
    write_zip(&fixture, "jdk8/jre/lib/rt.jar", &zip);
    root = open_root(&fixture, "jdk8", 17);
    assert_class(&fixture, root, "java/lang/O", "rt");
    assert_class(&fixture, root, "demo/Demo", NULL);
    input_root_close(root);
    assert_string_equal(fixture.messages, "");
    teardown(&fixture);
}

static void assert_release(struct fixture *fixture, const char *content, unsigned release)
{
    write_string(fixture, "release", content);
    assert_int_equal(input_jdk_release(text_from(fixture->folder.path)), release);
}

static void test_release(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    assert_int_equal(input_jdk_release(text_from(fixture.folder.path)), 0);
    assert_release(&fixture, "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.15\"\nOS=\"y\"\n", 17);
    assert_release(&fixture, "JAVA_VERSION=\"1.8.0_392\"\n", 8);
    assert_release(&fixture, "JAVA_VERSION=\"25\"", 25);
    assert_release(&fixture, "JAVA_VERSION=26-ea\r\n", 26);
    assert_release(&fixture, "JAVA_VERSION_DATE=\"2025-04-15\"\n", 0);
    assert_release(&fixture, "", 0);
    teardown(&fixture);
}

static void test_find_jdk(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    char *old_home = getenv("JAVA_HOME") ? strdup(getenv("JAVA_HOME")) : NULL;
    char *old_path = getenv("PATH") ? strdup(getenv("PATH")) : NULL;
    make_folder(&fixture, "jdk");
    make_folder(&fixture, "jdk/bin");
    make_folder(&fixture, "links");
    write_string(&fixture, "jdk/release", "JAVA_VERSION=\"21.0.1\"\n");
    write_string(&fixture, "jdk/bin/java", "");
    assert_int_equal(symlink("../jdk/bin/java", support_path(&fixture.folder, "links/java")), 0);
    char home[1024];
    assert_non_null(realpath(support_path(&fixture.folder, "jdk"), home));

    setenv("JAVA_HOME", home, 1);
    setenv("PATH", "/nonexistent", 1);
    assert_text(input_find_jdk(&fixture.arena), home);
    /* A JAVA_HOME that is none is passed over, for what is on the path. */
    setenv("JAVA_HOME", "/nonexistent", 1);
    char path[2048];
    snprintf(path, sizeof path, "/nonexistent:%s/links", fixture.folder.path);
    setenv("PATH", path, 1);
    assert_text(input_find_jdk(&fixture.arena), home);

    if (old_home)
        setenv("JAVA_HOME", old_home, 1);
    else
        unsetenv("JAVA_HOME");
    if (old_path)
        setenv("PATH", old_path, 1);
    free(old_home);
    free(old_path);
    teardown(&fixture);
}

struct finding {
    struct input_root *root;
    atomic_int found;
};

static void find_some(void *context, size_t item, unsigned worker)
{
    (void)worker;
    static const char *const names[] = {"java/lang/Object", "java/util/HashMap",
                                        "java/util/concurrent/ConcurrentHashMap", "java/no/Such"};
    struct finding *finding = context;
    struct arena arena;
    arena_init(&arena);
    struct problem problem = {0};
    const uint8_t *bytes;
    size_t size;
    if (input_root_find(finding->root, text_from(names[item % 4]), &arena, &bytes, &size,
                        &problem) == INPUT_FOUND &&
        size > 4 && memcmp(bytes, "\xCA\xFE\xBA\xBE", 4) == 0)
        atomic_fetch_add(&finding->found, 1);
    arena_release(&arena);
}

/* The platform's classes by name alone, on several threads: the image, then the jmods. */
static void test_jdk(void **state)
{
    (void)state;
    const char *home = getenv("TURNSTILE_JDK");
    if (!home || !home[0])
        skip();
    char jmods[1024];
    snprintf(jmods, sizeof jmods, "%s/jmods", home);
    const char *const paths[] = {home, jmods};
    for (int i = 0; i < 2; i++) {
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics, stderr, DIAGNOSTICS_COLOR_NEVER);
        struct input_options options = {.release = 17};
        struct finding finding = {.root = NULL};
        if (access(paths[i], R_OK) == 0) {
            finding.root = input_root_open(paths[i], &options, &diagnostics);
            assert_non_null(finding.root);
            parallel_for(400, 4, find_some, &finding);
            assert_int_equal(finding.found, 300);
            input_root_close(finding.root);
        }
        diagnostics_release(&diagnostics);
    }
}

static bool open_and_find(void *context)
{
    struct fixture *fixture = context;
    struct input_root *root = open_root(fixture, "d", 17);
    struct problem problem = {0};
    const uint8_t *bytes;
    size_t size;
    bool good = root != NULL;
    static const char *const names[] = {"C", "O", "I"};
    for (int i = 0; root && i < 3; i++) {
        arena_clear(&fixture->arena);
        problem_clear(&problem);
        good &= input_root_find(root, text_from(names[i]), &fixture->arena, &bytes, &size,
                                &problem) == INPUT_FOUND;
    }
    input_root_close(root);
    return good;
}

static void test_without_memory(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    make_folder(&fixture, "d");
    write_string(&fixture, "d/C.class", "c");
    struct zip_bytes inner;
    struct zip_bytes outer;
    zip_bytes_init(&inner);
    zip_bytes_deflate(&inner, "I.class", "i", 1, NULL);
    zip_bytes_finish(&inner);
    zip_bytes_init(&outer);
    zip_bytes_deflate(&outer, "O.class", "o", 1, NULL);
    zip_bytes_store(&outer, "inner.jar", inner.out.bytes, inner.out.size);
    write_zip(&fixture, "d/outer.jar", &outer);
    zip_bytes_release(&inner);
    assert_true(support_fail_each_request(open_and_find, &fixture) > 10);
    teardown(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directory), cmocka_unit_test(test_jar_and_war),
        cmocka_unit_test(test_broken),    cmocka_unit_test(test_layouts_of_old_jdks),
        cmocka_unit_test(test_release),   cmocka_unit_test(test_find_jdk),
        cmocka_unit_test(test_jdk),       cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
