/*
 * support: what the unit tests of all folders share. Include it behind <cmocka.h>.
 */
#ifndef TURNSTILE_TEST_SUPPORT_H
#define TURNSTILE_TEST_SUPPORT_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

/* The text has exactly the bytes of the string. */
#define assert_text(text, string) support_assert_text((text), (string), __FILE__, __LINE__)

static inline void support_assert_text(struct text text, const char *string, const char *file,
                                       int line)
{
    if (!text_is(text, string)) {
        print_error("expected \"%s\", got \"%.*s\"\n", string, TEXT_ARGUMENTS(text));
        _fail(file, line);
    }
}

/* The same numbers in every run. Start with any state. */
static inline uint64_t support_random(uint64_t *state)
{
    uint64_t mixed = *state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

/* Runs the operation with its first request for memory failing, then with its second, and so on,
   until it says that it succeeded. Each run must clean up after itself: the leak checker watches.
   The number of runs that failed. */
static inline long support_fail_each_request(bool (*operation)(void *context), void *context)
{
    for (long failed = 0; failed < 100000; failed++) {
        memory_fail_after(failed);
        bool succeeded = operation(context);
        memory_fail_after(-1);
        if (succeeded)
            return failed;
    }
    fail_msg("the operation fails even with enough memory");
    return -1;
}

struct support_folder {
    char path[512];
};

/* A new, empty folder in TMPDIR. */
static inline void support_folder_make(struct support_folder *folder)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder->path, sizeof folder->path, "%s/turnstile-test-XXXXXX",
             parent && parent[0] ? parent : "/tmp");
    assert_non_null(mkdtemp(folder->path));
}

/* The path of a file in the folder; good until the next call. */
static inline const char *support_path(const struct support_folder *folder, const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    return path;
}

/* How many files and folders are in it. */
static inline size_t support_folder_count(const struct support_folder *folder)
{
    size_t count = 0;
    DIR *directory = opendir(folder->path);
    assert_non_null(directory);
    for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

/* Removes it with the files, but not the folders, that are in it. */
static inline void support_folder_remove(const struct support_folder *folder)
{
    DIR *directory = opendir(folder->path);
    assert_non_null(directory);
    for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlink(support_path(folder, entry->d_name));
    closedir(directory);
    assert_int_equal(rmdir(folder->path), 0);
}

/* `folder` for all tests of a program, and for its main: make_folder and remove_folder. */
#define SUPPORT_FOLDER                                                                             \
    static struct support_folder folder;                                                           \
    static int make_folder(void **state)                                                           \
    {                                                                                              \
        (void)state;                                                                               \
        support_folder_make(&folder);                                                              \
        return 0;                                                                                  \
    }                                                                                              \
    static int remove_folder(void **state)                                                         \
    {                                                                                              \
        (void)state;                                                                               \
        support_folder_remove(&folder);                                                            \
        return 0;                                                                                  \
    }

static inline void support_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* The file has exactly the bytes of the string. */
static inline void support_assert_file(const char *path, const char *string)
{
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(size, strlen(string));
    assert_memory_equal(bytes, string, size);
}

#endif
