#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* The signal handler may only touch these: a pipe that wakes the reader, and two flags. */
static int wake[2] = {-1, -1};
static atomic_int signal_seen;
static atomic_bool interrupted, impatient_now;

static void wake_reader(void)
{
    ssize_t ignored = write(wake[1], "", 1);
    (void)ignored;
}

static void on_signal(int number)
{
    int saved = errno;
    if (atomic_load(&impatient_now) || atomic_load(&signal_seen))
        _exit(128 + number);
    atomic_store(&signal_seen, number);
    atomic_store(&interrupted, true);
    wake_reader();
    errno = saved;
}

/* A program may be started with standard streams closed; nothing else may get their numbers. What stands in
 * for one fails as a closed one does. */
static void occupy_standard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
            int opened = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
            (void)opened; /* the lowest free number, hence that of the stream */
        }
}

int kv_stream_open(void)
{
    occupy_standard_streams();
    if (pipe(wake) != 0)
        return KV_E_IO;
    for (int i = 0; i < 2; i++) {
        fcntl(wake[i], F_SETFD, FD_CLOEXEC);
        fcntl(wake[i], F_SETFL, O_NONBLOCK);
    }
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        sigaction(asking[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    return KV_OK;
}

long kv_stream_read(char *buffer, size_t size, int timeout_ms)
{
    for (;;) {
        if (atomic_load(&interrupted))
            return KV_E_NOT_FOUND;
        struct pollfd waiting[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                    {.fd = wake[0], .events = POLLIN}};
        int ready = poll(waiting, 2, timeout_ms);
        if (ready == 0)
            return KV_E_BUSY;
        if (ready < 0 && errno != EINTR)
            return KV_E_IO;
        if (ready < 0 || waiting[1].revents)
            continue;
        ssize_t got = read(STDIN_FILENO, buffer, size);
        if (got >= 0)
            return (long)got;
        if (errno != EINTR && errno != EAGAIN)
            return KV_E_IO;
    }
}

void kv_stream_interrupt(void)
{
    atomic_store(&interrupted, true);
    wake_reader();
}

bool kv_stream_is_interrupted(void)
{
    return atomic_load(&interrupted);
}

int kv_stream_signal(void)
{
    return atomic_load(&signal_seen);
}

void kv_stream_set_impatient(bool impatient)
{
    atomic_store(&impatient_now, impatient);
    if (impatient && atomic_load(&signal_seen))
        _exit(128 + atomic_load(&signal_seen));
}

int kv_stream_write(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(STDOUT_FILENO, bytes, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno == EAGAIN) {
            struct pollfd waiting = {.fd = STDOUT_FILENO, .events = POLLOUT};
            poll(&waiting, 1, -1);
            continue;
        }
        if (done <= 0)
            return KV_E_IO;
        bytes += done;
        length -= (size_t)done;
    }
    return KV_OK;
}
