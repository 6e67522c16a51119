#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/file.h"
#include "support.h"

SUPPORT_FOLDER

static void check_contents(const char *path, const uint8_t *bytes, size_t size)
{
    struct problem problem;
    struct file_map map;
    problem_clear(&problem);
    assert_true(file_map_open(&map, path, &problem));
    assert_false(problem.set);
    assert_int_equal(map.size, size);
    assert_memory_equal(map.bytes, bytes, size);
    file_map_close(&map);
    assert_int_equal(map.size, 0);
}

/* Whole pages, and both sides of powers of two. */
static void files_of_any_size_are_read(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 100, 4096, 65535, 65536, 65537, 1000000};
    static uint8_t bytes[1000000];
    uint64_t random = 5;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)support_random(&random);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *path = support_path(&folder, "data");
        support_write(path, bytes, sizes[i]);
        check_contents(path, bytes, sizes[i]);
    }
}

/* Large ones are mapped. */
static void a_large_file_is_read(void **state)
{
    (void)state;
    const size_t size = ((size_t)32 << 20) + 1;
    const char *path = support_path(&folder, "large");
    support_write(path, "first", 5);
    assert_int_equal(truncate(path, (off_t)size), 0);
    struct problem problem;
    struct file_map map;
    problem_clear(&problem);
    assert_true(file_map_open(&map, path, &problem));
    assert_int_equal(map.size, size);
    assert_memory_equal(map.bytes, "first", 6);
    assert_int_equal(map.bytes[size - 1], 0);
    file_map_close(&map);
}

/* Whoever builds a jar anew may cut off the old one while it is read. */
static void a_file_that_is_cut_off_keeps_its_bytes(void **state)
{
    (void)state;
    static uint8_t bytes[1000000];
    const char *path = support_path(&folder, "data");
    memset(bytes, 7, sizeof bytes);
    support_write(path, bytes, sizeof bytes);
    struct problem problem;
    struct file_map map;
    problem_clear(&problem);
    assert_true(file_map_open(&map, path, &problem));
    assert_int_equal(truncate(path, 0), 0);
    assert_memory_equal(map.bytes, bytes, sizeof bytes);
    file_map_close(&map);
}

static void an_empty_file_has_no_bytes_but_an_address(void **state)
{
    (void)state;
    const char *path = support_path(&folder, "empty");
    support_write(path, "", 0);
    struct problem problem;
    struct file_map map;
    problem_clear(&problem);
    assert_true(file_map_open(&map, path, &problem));
    assert_int_equal(map.size, 0);
    assert_non_null(map.bytes);
    file_map_close(&map);
}

static void what_cannot_be_read_is_named(void **state)
{
    (void)state;
    struct problem problem;
    struct file_map map;
    problem_clear(&problem);
    assert_false(file_map_open(&map, support_path(&folder, "missing"), &problem));
    assert_string_equal(problem.reason, "cannot be opened: No such file or directory");
    assert_int_equal(problem.offset, PROBLEM_NO_OFFSET);
    assert_int_equal(map.size, 0);
    file_map_close(&map);

    problem_clear(&problem);
    assert_false(file_map_open(&map, folder.path, &problem));
    assert_string_equal(problem.reason, "is a directory");
}

static void a_pipe_is_read_to_its_end(void **state)
{
    (void)state;
    int ends[2];
    static uint8_t bytes[40000];
    memset(bytes, 0x5A, sizeof bytes);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes, sizeof bytes), sizeof bytes);
    close(ends[1]);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    check_contents(path, bytes, sizeof bytes);
    close(ends[0]);
}

static void a_file_whose_size_is_not_told_is_read(void **state)
{
    (void)state;
    struct problem problem;
    struct file_map map;
    problem_clear(&problem);
    if (!file_map_open(&map, "/proc/self/status", &problem))
        skip();
    assert_true(map.size > 5);
    assert_memory_equal(map.bytes, "Name:", 5);
    file_map_close(&map);
}

static void a_new_file_is_written(void **state)
{
    (void)state;
    const char *path = support_path(&folder, "new");
    struct problem problem;
    problem_clear(&problem);
    mode_t mask = umask(022);
    assert_true(file_write(path, "contents", 8, &problem));
    umask(mask);
    support_assert_file(path, "contents");
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644);
    assert_int_equal(support_folder_count(&folder), 1);
    assert_true(file_write(path, NULL, 0, &problem));
    support_assert_file(path, "");
}

/* Who has the old file open goes on reading it: the new one is another file. */
static void an_old_file_is_replaced_at_once(void **state)
{
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s", support_path(&folder, "old"));
    support_write(path, "old contents", 12);
    assert_int_equal(chmod(path, 0750), 0);
    FILE *reading = fopen(path, "rb");
    assert_non_null(reading);
    struct problem problem;
    problem_clear(&problem);
    assert_true(file_write(path, "new", 3, &problem));
    support_assert_file(path, "new");
    char seen[20] = "";
    assert_int_equal(fread(seen, 1, sizeof seen, reading), 12);
    assert_string_equal(seen, "old contents");
    fclose(reading);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0750);
    assert_int_equal(support_folder_count(&folder), 1);
}

static void a_link_stays_a_link(void **state)
{
    (void)state;
    char target[1024];
    char link[1024];
    snprintf(target, sizeof target, "%s", support_path(&folder, "target"));
    snprintf(link, sizeof link, "%s", support_path(&folder, "link"));
    support_write(target, "old", 3);
    assert_int_equal(symlink("target", link), 0);
    struct problem problem;
    problem_clear(&problem);
    assert_true(file_write(link, "new", 3, &problem));
    support_assert_file(target, "new");
    struct stat status;
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

/* A limit on the size of files stands for a full disk: writing stops in the middle. */
static void an_old_file_survives_a_full_disk(void **state)
{
    (void)state;
    const char *path = support_path(&folder, "precious");
    support_write(path, "precious", 8);
    static uint8_t bytes[100000];
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = {.rlim_cur = 5000, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct problem problem;
    problem_clear(&problem);
    bool written = file_write(path, bytes, sizeof bytes, &problem);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_false(written);
    assert_string_equal(problem.reason, "cannot be written: File too large");
    support_assert_file(path, "precious");
    assert_int_equal(support_folder_count(&folder), 1);
}

static void places_that_take_no_file_are_named(void **state)
{
    (void)state;
    char inside[1200];
    struct problem problem;
    problem_clear(&problem);
    assert_false(file_write(folder.path, "x", 1, &problem));
    assert_string_equal(problem.reason, "is a directory");

    problem_clear(&problem);
    assert_false(file_write(support_path(&folder, "missing/file"), "x", 1, &problem));
    assert_string_equal(problem.reason, "cannot be written: No such file or directory");

    support_write(support_path(&folder, "file"), "x", 1);
    snprintf(inside, sizeof inside, "%s/file/inside", folder.path);
    problem_clear(&problem);
    assert_false(file_write(inside, "x", 1, &problem));
    assert_string_equal(problem.reason, "cannot be written: Not a directory");
    assert_int_equal(support_folder_count(&folder), 1);
}

static void a_read_only_folder_keeps_its_old_file(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip(); /* the superuser may write anywhere */
    const char *path = support_path(&folder, "old");
    support_write(path, "old", 3);
    assert_int_equal(chmod(folder.path, 0500), 0);
    struct problem problem;
    problem_clear(&problem);
    bool written = file_write(path, "new", 3, &problem);
    assert_int_equal(chmod(folder.path, 0700), 0);
    assert_false(written);
    assert_string_equal(problem.reason, "cannot be written: Permission denied");
    support_assert_file(path, "old");
}

static void a_device_is_written_to_and_not_replaced(void **state)
{
    (void)state;
    struct stat status;
    if (stat("/dev/full", &status) != 0 || !S_ISCHR(status.st_mode))
        skip();
    struct problem problem;
    problem_clear(&problem);
    assert_false(file_write("/dev/full", "x", 1, &problem));
    assert_string_equal(problem.reason, "cannot be written: No space left on device");
    problem_clear(&problem);
    assert_true(file_write("/dev/null", "x", 1, &problem));
    assert_int_equal(stat("/dev/full", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

#define FILE_TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(files_of_any_size_are_read),
        FILE_TEST(a_large_file_is_read),
        FILE_TEST(a_file_that_is_cut_off_keeps_its_bytes),
        FILE_TEST(an_empty_file_has_no_bytes_but_an_address),
        FILE_TEST(what_cannot_be_read_is_named),
        FILE_TEST(a_pipe_is_read_to_its_end),
        FILE_TEST(a_file_whose_size_is_not_told_is_read),
        FILE_TEST(a_new_file_is_written),
        FILE_TEST(an_old_file_is_replaced_at_once),
        FILE_TEST(a_link_stays_a_link),
        FILE_TEST(an_old_file_survives_a_full_disk),
        FILE_TEST(places_that_take_no_file_are_named),
        FILE_TEST(a_read_only_folder_keeps_its_old_file),
        FILE_TEST(a_device_is_written_to_and_not_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
