#include "cli/trace_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *trace_input_name(const struct trace_input *input)
{
    return strcmp(input->path, "-") == 0 ? "standard input" : input->path;
}

static int make_temporary(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/turnstile-trace-XXXXXX",
                                folder && folder[0] ? folder : "/tmp");
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0)
        unlink(path);
    return descriptor;
}

static bool write_all(int descriptor, const char *bytes, size_t size)
{
    while (size) {
        const ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* 0, or why it failed. */
static int copy_all(int from, int to)
{
    static char buffer[1 << 16];
    for (;;) {
        const ssize_t size = read(from, buffer, sizeof buffer);
        if (size == 0)
            return 0;
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0 || !write_all(to, buffer, (size_t)size))
            return errno ? errno : EIO;
    }
}

static bool copy(struct trace_input *input, int from, struct diagnostics *diagnostics)
{
    /* If it is closed the temporary file would get its number. */
    int error = fcntl(from, F_GETFD) < 0 ? errno : 0;
    if (!error) {
        input->copy = make_temporary();
        error = input->copy < 0 ? errno : copy_all(from, input->copy);
    }
    if (!error)
        return true;
    diagnostics_error(diagnostics, "%s: cannot be %s: %s", trace_input_name(input),
                      input->copy < 0 && error == EBADF ? "read" : "copied to a temporary file",
                      strerror(error));
    trace_input_release(input);
    return false;
}

bool trace_input_init(struct trace_input *input, const char *path, struct diagnostics *diagnostics)
{
    struct stat status;
    *input = (struct trace_input){.path = path, .copy = -1};
    const bool standard = strcmp(path, "-") == 0;
    /* What is wrong with other files is told when they are opened; a device may have no end. */
    if (!standard &&
        (stat(path, &status) != 0 || !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))))
        return true;
    const int from = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return true;
    const bool copied = copy(input, from, diagnostics);
    if (!standard)
        close(from);
    return copied;
}

void trace_input_release(struct trace_input *input)
{
    if (input->copy >= 0)
        close(input->copy);
    input->copy = -1;
}

size_t trace_input_head(const struct trace_input *input, void *bytes, size_t size)
{
    char room[TRACE_INPUT_PATH];
    FILE *file = fopen(trace_input_path(input, room), "rbe");
    const size_t read = file ? fread(bytes, 1, size, file) : 0;
    if (file)
        fclose(file);
    return read;
}

const char *trace_input_path(const struct trace_input *input, char room[TRACE_INPUT_PATH])
{
    if (input->copy < 0)
        return input->path;
    snprintf(room, TRACE_INPUT_PATH, "/proc/self/fd/%d", input->copy);
    return room;
}

bool trace_input_open(void *context, struct trace_source *source)
{
    const struct trace_input *input = context;
    if (input->copy < 0)
        return trace_open(source, input->path);
    const int descriptor = fcntl(input->copy, F_DUPFD_CLOEXEC, 3);
    if (descriptor >= 0 && lseek(descriptor, 0, SEEK_SET) == 0)
        return trace_open_descriptor(source, descriptor);
    const int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    if (trace_source_init(source))
        trace_source_fail(source, PROBLEM_NO_OFFSET, "cannot be read again: %s", strerror(error));
    trace_close(source);
    return false;
}
