#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/builder.h"
#include "base/memory.h"

/* A mapping of a file that somebody cuts off ends the process, so what others may write anew while
   we look at it is copied; what is larger, such as the image of a JDK, would cost too much. */
#define SMALLEST_MAPPING ((size_t)32 * 1024 * 1024)

/* Pipes and devices have no size; one that never ends must not eat all memory. */
#define LARGEST_STREAM ((size_t)1 << 30)

static const uint8_t no_bytes[1];

static void set_problem(struct problem *problem, const char *what, int error)
{
    char text[128];
    problem_set(problem, PROBLEM_NO_OFFSET, "%s: %s", what, strerror_r(error, text, sizeof text));
}

/* Reading to the end, not to the size: files in /proc say 0, and a file may grow meanwhile. */
static bool read_stream(struct file_map *map, int file, size_t expected, struct problem *problem)
{
    size_t capacity = 0;
    size_t size = 0;
    uint8_t *bytes = NULL;
    for (;;) {
        if (size == capacity) {
            /* One byte more than expected, so that the end is seen without growing again. */
            capacity = capacity ? capacity * 2 : expected ? expected + 1 : 16384;
            uint8_t *grown = capacity > LARGEST_STREAM ? NULL : memory_resize(bytes, capacity);
            if (!grown) {
                problem_set(problem, PROBLEM_NO_OFFSET, "is too large for the memory");
                break;
            }
            bytes = grown;
        }
        ssize_t count = read(file, bytes + size, capacity - size);
        if (count == 0) {
            *map = (struct file_map){.bytes = bytes, .size = size};
            return true;
        }
        if (count > 0) {
            size += (size_t)count;
        } else if (errno != EINTR) {
            set_problem(problem, "cannot be read", errno);
            break;
        }
    }
    memory_release(bytes);
    return false;
}

static bool open_descriptor(struct file_map *map, int file, struct problem *problem)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        set_problem(problem, "cannot be read", errno);
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        problem_set(problem, PROBLEM_NO_OFFSET, "is a directory");
        return false;
    }
    if (!S_ISREG(status.st_mode) || (uintmax_t)status.st_size < SMALLEST_MAPPING)
        return read_stream(map, file, S_ISREG(status.st_mode) ? (size_t)status.st_size : 0,
                           problem);
    if ((uintmax_t)status.st_size > SIZE_MAX / 2) {
        problem_set(problem, PROBLEM_NO_OFFSET, "is too large for the memory");
        return false;
    }
    size_t size = (size_t)status.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) {
        set_problem(problem, "cannot be mapped into memory", errno);
        return false;
    }
    *map = (struct file_map){.bytes = bytes, .size = size, .mapped = true};
    return true;
}

bool file_map_open(struct file_map *map, const char *path, struct problem *problem)
{
    *map = (struct file_map){.bytes = no_bytes};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0) {
        set_problem(problem, "cannot be opened", errno);
        return false;
    }
    bool opened = open_descriptor(map, file, problem);
    close(file);
    return opened;
}

void file_map_close(struct file_map *map)
{
    if (map->mapped)
        munmap((void *)map->bytes, map->size);
    else if (map->bytes != no_bytes)
        memory_release((void *)map->bytes);
    *map = (struct file_map){.bytes = no_bytes};
}

static bool write_all(int file, const uint8_t *bytes, size_t size)
{
    while (size) {
        ssize_t count = write(file, bytes, size);
        if (count >= 0) {
            bytes += count;
            size -= (size_t)count;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Writes and closes; an error of the last close (a full disk far away) is an error too. */
static bool write_and_close(int file, const void *bytes, size_t size, struct problem *problem)
{
    bool written = write_all(file, bytes, size);
    int error = errno;
    if (close(file) != 0 && written) {
        written = false;
        error = errno;
    }
    if (!written)
        set_problem(problem, "cannot be written", error);
    return written;
}

/* A new file beside `path`, with its name in `name`. Not mkstemp: that would give the file to its
   owner only, while the result of a tool should be as readable as any other new file. */
static int create_beside(const char *path, mode_t mode, struct builder *name)
{
    static atomic_uint counter;
    for (int attempt = 0; attempt < 100; attempt++) {
        builder_clear(name);
        builder_add_format(name, "%s.%ld-%u.tmp", path, (long)getpid(),
                           atomic_fetch_add(&counter, 1));
        if (name->failed) {
            errno = ENOMEM;
            return -1;
        }
        int file = open(builder_string(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* `old` is the file that is replaced, or NULL. */
static bool replace_file(const char *path, const struct stat *old, const void *bytes, size_t size,
                         struct problem *problem)
{
    struct builder name;
    builder_init(&name);
    bool done = false;
    int file = create_beside(path, 0666, &name);
    if (file < 0) {
        set_problem(problem, "cannot be written", errno);
    } else {
        /* Where the modes cannot be kept, the new file still serves. */
        if (old)
            (void)fchmod(file, old->st_mode & 07777);
        done = write_and_close(file, bytes, size, problem);
        if (done && rename(builder_string(&name), path) != 0) {
            set_problem(problem, "cannot be replaced", errno);
            done = false;
        }
        if (!done)
            unlink(builder_string(&name));
    }
    builder_release(&name);
    return done;
}

/* Devices and pipes (/dev/stdout, say) are written to, not replaced. */
static bool write_into(const char *path, const void *bytes, size_t size, struct problem *problem)
{
    int file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0) {
        set_problem(problem, "cannot be opened", errno);
        return false;
    }
    return write_and_close(file, bytes, size, problem);
}

bool file_write(const char *path, const void *bytes, size_t size, struct problem *problem)
{
    struct stat old;
    if (stat(path, &old) != 0)
        return replace_file(path, NULL, bytes, size, problem);
    if (S_ISDIR(old.st_mode)) {
        problem_set(problem, PROBLEM_NO_OFFSET, "is a directory");
        return false;
    }
    if (!S_ISREG(old.st_mode))
        return write_into(path, bytes, size, problem);
    /* The file that a link leads to is replaced, not the link. */
    char target[PATH_MAX];
    return replace_file(realpath(path, target) ? target : path, &old, bytes, size, problem);
}
