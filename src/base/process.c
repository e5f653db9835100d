#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "clock.h"

/* ---- Interruption ------------------------------------------------------------------------------ */

/* A pipe whose reading end wakes every waiter once something was written; nobody ever reads it. */
static int wake_pipe[2] = {-1, -1};
static atomic_int caught; /* read by every thread */

void kv_process_interrupt(void)
{
    if (wake_pipe[1] >= 0 && write(wake_pipe[1], "", 1) < 0)
        return; /* full: everybody is awake */
}

static void on_signal(int number)
{
    int error = errno;
    if (caught) {
        signal(number, SIG_DFL);
        raise(number);
    }
    caught = number;
    kv_process_interrupt();
    errno = error;
}

int kv_process_watch_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    if (pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return KV_E_IO;
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_NODEFER};
        sigemptyset(&action.sa_mask);
        if (sigaction(ending[i], &action, NULL) != 0)
            return KV_E_IO;
    }
    return KV_OK;
}

int kv_process_signal(void)
{
    return caught;
}

/* ---- Starting ---------------------------------------------------------------------------------- */

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0)
            close(pair[i]);
}

/* In the child, which shares nothing with other threads any more: only calls that are safe there. */
static void become(const char *const *arguments, const char *directory, int in, int out, int report,
                   pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    static const int ours[] = {SIGPIPE, SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        signal(ours[i], SIG_DFL);
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
#else
    (void)parent;
#endif
    int nowhere = open("/dev/null", O_WRONLY);
    bool ready = dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 && nowhere >= 0 &&
                 dup2(nowhere, STDERR_FILENO) >= 0 && (!directory || chdir(directory) == 0);
    if (ready) {
        close(nowhere);
        execvp(arguments[0], (char *const *)(uintptr_t)arguments);
    }
    int error = errno;
    ssize_t written = write(report, &error, sizeof error);
    _exit(written == sizeof error ? 127 : 126);
}

int kv_process_start(struct kv_process *process, const char *const *arguments, const char *directory,
                     struct kv_error *error)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, report[2] = {-1, -1}, cause = 0;
    pid_t parent = getpid(), pid = -1;
    if (pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 && pipe2(report, O_CLOEXEC) == 0)
        pid = fork();
    if (pid == 0)
        become(arguments, directory, in[0], out[1], report[1], parent);
    if (pid < 0) {
        cause = errno;
        close_pair(in);
        close_pair(out);
        close_pair(report);
        return kv_fail(error, KV_E_IO, "%s: %s", arguments[0], strerror(cause));
    }
    setpgid(pid, pid); /* whichever of the two comes first */
    close(in[0]);
    close(out[1]);
    close(report[1]);
    /* The report pipe closes when the program runs, or says why it does not. */
    ssize_t got;
    do
        got = read(report[0], &cause, sizeof cause);
    while (got < 0 && errno == EINTR);
    close(report[0]);
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    struct kv_process started = {.pid = pid, .in = in[1], .out = out[0]};
    if (got != 0) {
        kv_process_end(&started, 0);
        return kv_fail(error, KV_E_IO, "%s: %s", arguments[0], strerror(cause));
    }
    *process = started;
    return KV_OK;
}

/* ---- Talking ----------------------------------------------------------------------------------- */

int kv_process_wait(const struct kv_process *process, bool writing, int64_t deadline_ns)
{
    for (;;) {
        int64_t left = deadline_ns - kv_clock_ns();
        if (left < 0)
            left = 0;
        int64_t ms = left / 1000000 + (left % 1000000 > 0);
        struct pollfd fds[3] = {{.fd = process->out, .events = POLLIN},
                                {.fd = wake_pipe[0], .events = POLLIN},
                                {.fd = writing ? process->in : -1, .events = POLLOUT}};
        int ready = poll(fds, 3, ms > 3600000 ? 3600000 : (int)ms);
        if (ready > 0 && fds[1].revents)
            return KV_E_NOT_FOUND;
        if (ready > 0)
            return KV_OK;
        if (kv_clock_ns() >= deadline_ns)
            return KV_E_BUSY;
    }
}

static long outcome(ssize_t count)
{
    if (count >= 0)
        return (long)count;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? KV_E_BUSY : KV_E_IO;
}

long kv_process_read(struct kv_process *process, char *buffer, size_t size)
{
    return process->out < 0 ? KV_E_IO : outcome(read(process->out, buffer, size));
}

long kv_process_write(struct kv_process *process, const char *bytes, size_t length)
{
    return process->in < 0 ? KV_E_IO : outcome(write(process->in, bytes, length));
}

/* ---- Ending ------------------------------------------------------------------------------------ */

/* Has it ended? It stays to be waited for, so that its number is not given to another one yet. */
static bool has_ended(pid_t pid)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

bool kv_process_ends(const struct kv_process *process, int wait_ms)
{
    int64_t deadline = kv_clock_ns() + (int64_t)wait_ms * 1000000;
    long pause = 200000;
    while (!has_ended(process->pid)) {
        if (kv_clock_ns() >= deadline)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
        pause = pause < 10000000 ? 2 * pause : pause;
    }
    return true;
}

void kv_process_end(struct kv_process *process, int grace_ms)
{
    if (process->pid == 0)
        return;
    if (process->in >= 0)
        close(process->in);
    kv_process_ends(process, grace_ms);
    if (process->out >= 0)
        close(process->out);
    kill(-process->pid, SIGKILL);
    kill(process->pid, SIGKILL);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    *process = (struct kv_process){0};
}
