#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What users and service managers send to ask a program for something. */
static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

struct watch {
    sigset_t awaited;
    sigset_t mask_before;
    struct sigaction ended_before; /* of SIGCHLD */
};

/* From here on the signals are kept until wait_for asks for them, so none is lost and none ends us
   before the child. */
static void watch_begin(struct watch *watch)
{
    sigemptyset(&watch->awaited);
    sigaddset(&watch->awaited, SIGCHLD);
    for (size_t i = 0; i < sizeof forwarded / sizeof forwarded[0]; i++)
        sigaddset(&watch->awaited, forwarded[i]);
    sigprocmask(SIG_BLOCK, &watch->awaited, &watch->mask_before);
    /* Who starts us may ignore the end of children, and then there would be no status. */
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &usual, &watch->ended_before);
}

static void watch_end(const struct watch *watch)
{
    sigaction(SIGCHLD, &watch->ended_before, NULL);
    sigprocmask(SIG_SETMASK, &watch->mask_before, NULL);
}

/* Somebody sent the signal to us alone; what the kernel sends (codes above 0), such as ^C, goes to
   the whole process group. */
static bool is_for_us(const siginfo_t *info)
{
    return info->si_code <= 0;
}

static int wait_for(pid_t process, const struct watch *watch)
{
    for (;;) {
        int status;
        siginfo_t info;
        int signal = sigwaitinfo(&watch->awaited, &info);
        if (signal == SIGCHLD) {
            if (waitpid(process, &status, WNOHANG) == process)
                return status;
        } else if (signal > 0 && is_for_us(&info)) {
            kill(process, signal);
        }
    }
}

/* The errno of exec comes through a pipe that a successful exec closes. */
static void become(const char *path, char *const *arguments, int failure)
{
    /* The path has a slash in it, so PATH is not searched; a script without #! is given to sh. */
    execvp(path, arguments);
    int error = errno;
    ssize_t written = write(failure, &error, sizeof error);
    (void)written;
    _exit(127);
}

static int read_failure(int failure)
{
    int error = 0;
    ssize_t count;
    do
        count = read(failure, &error, sizeof error);
    while (count < 0 && errno == EINTR);
    return count == (ssize_t)sizeof error ? error : 0;
}

static int start_and_wait(const char *path, char *const *arguments, const struct watch *watch,
                          const int failure[2], int *status)
{
    pid_t process = fork();
    int error = errno;
    if (process == 0) {
        watch_end(watch);
        become(path, arguments, failure[1]);
    }
    close(failure[1]);
    if (process < 0)
        return error;
    error = read_failure(failure[0]);
    *status = wait_for(process, watch);
    return error;
}

int child_run(const char *path, char *const *arguments, struct child_end *end)
{
    int failure[2];
    if (pipe2(failure, O_CLOEXEC) != 0)
        return errno;
    struct watch watch;
    watch_begin(&watch);
    int status = 0;
    int error = start_and_wait(path, arguments, &watch, failure, &status);
    watch_end(&watch);
    close(failure[0]);
    *end = (struct child_end){.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                              .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
    return error;
}

int child_exit_status(const struct child_end *end)
{
    if (!end->signal)
        return end->status;
    /* The child has left a core file if there is to be one. */
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    signal(end->signal, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, end->signal);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(end->signal);
    return 128 + end->signal;
}
