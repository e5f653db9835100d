#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(struct kv_error *error, const char *path, int number)
{
    int status = number == ENOSPC || number == EDQUOT || number == EFBIG ? KV_E_FULL
                 : number == ENOENT                                      ? KV_E_NOT_FOUND
                                                                         : KV_E_IO;
    return kv_fail(error, status, "%.120s: %s", path, strerror(number));
}

static struct kv_file_stamp stamp_of(const struct stat *info)
{
    return (struct kv_file_stamp){
        .device = (uint64_t)info->st_dev,
        .node = (uint64_t)info->st_ino,
        .size = (uint64_t)info->st_size,
        .seconds = info->st_mtim.tv_sec,
        .nanoseconds = info->st_mtim.tv_nsec,
    };
}

/* Reads a descriptor to its end, at which `info` describes it. */
static int read_all(int fd, struct kv_buffer *out, struct stat *info)
{
    if (fstat(fd, info) != 0)
        return errno;
    if (!S_ISREG(info->st_mode))
        return S_ISDIR(info->st_mode) ? EISDIR : EINVAL;
    char chunk[16384];
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        if (n == 0)
            return out->failed ? ENOMEM : 0;
        kv_buffer_add(out, chunk, (size_t)n);
    }
}

int kv_file_read(const char *path, struct kv_buffer *out, struct kv_file_stamp *stamp, struct kv_error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fail(error, path, errno);
    size_t before = out->length;
    struct stat info;
    int number = read_all(fd, out, &info);
    close(fd);
    if (number) {
        if (out->data)
            out->data[before] = '\0';
        out->length = before;
        return number == EINVAL ? kv_fail(error, KV_E_IO, "%.120s: not a regular file", path)
                                : fail(error, path, number);
    }
    if (stamp)
        *stamp = stamp_of(&info);
    return KV_OK;
}

static int write_all(int fd, struct kv_span bytes)
{
    while (bytes.length > 0) {
        ssize_t n = write(fd, bytes.at, bytes.length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        bytes.at += n;
        bytes.length -= (size_t)n;
    }
    return 0;
}

/* The name is on the disk only when the directory is. Some file systems cannot flush one: no harm. */
static void flush_directory(const char *path)
{
    char *directory = strdup(path);
    if (!directory)
        return;
    char *slash = strrchr(directory, '/');
    if (slash)
        slash[slash == directory] = '\0';
    int fd = open(slash ? directory : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(directory);
}

/* Opens a new file beside `target`; writes its name into `aside`. -1 with errno set on failure. */
static int open_aside(const char *target, struct kv_buffer *aside)
{
    for (int i = 0; i < 1000; i++) {
        kv_buffer_clear(aside);
        kv_buffer_format(aside, "%s.%ld-%d.new", target, (long)getpid(), i);
        if (aside->failed) {
            errno = ENOMEM;
            return -1;
        }
        int fd = open(aside->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Writes the new contents aside and names them `target`. Returns an errno, having cleaned up. */
static int replace(const char *target, struct kv_buffer *aside, struct kv_span bytes, struct stat *info)
{
    struct stat old;
    bool exists = stat(target, &old) == 0;
    if (!exists && errno != ENOENT)
        return errno;
    if (exists && !S_ISREG(old.st_mode))
        return S_ISDIR(old.st_mode) ? EISDIR : EINVAL;
    int fd = open_aside(target, aside);
    if (fd < 0)
        return errno;
    int number = write_all(fd, bytes);
    if (!number && exists && fchmod(fd, old.st_mode & 07777) != 0 && errno != EPERM)
        number = errno;
    if (!number && (fsync(fd) != 0 || fstat(fd, info) != 0))
        number = errno;
    if (close(fd) != 0 && !number)
        number = errno;
    if (!number && rename(aside->data, target) != 0)
        number = errno;
    if (number)
        unlink(aside->data);
    return number;
}

int kv_file_replace(const char *path, struct kv_span bytes, struct kv_file_stamp *stamp,
                    struct kv_error *error)
{
    /* Behind a symbolic link, the file it points to is the one to replace. */
    char *real = realpath(path, NULL);
    if (!real && errno != ENOENT)
        return fail(error, path, errno);
    const char *target = real ? real : path;
    struct kv_buffer aside = {0};
    struct stat info;
    int number = replace(target, &aside, bytes, &info);
    if (!number) {
        flush_directory(target);
        if (stamp)
            *stamp = stamp_of(&info);
    }
    kv_buffer_finish(&aside);
    free(real);
    if (number == EINVAL)
        return kv_fail(error, KV_E_IO, "%.120s: not a regular file", path);
    return number ? fail(error, path, number) : KV_OK;
}

int kv_file_stamp(const char *path, struct kv_file_stamp *stamp, struct kv_error *error)
{
    struct stat info;
    if (stat(path, &info) == 0)
        *stamp = stamp_of(&info);
    else if (errno == ENOENT)
        *stamp = (struct kv_file_stamp){0};
    else
        return fail(error, path, errno);
    return KV_OK;
}

bool kv_file_stamp_equal(const struct kv_file_stamp *a, const struct kv_file_stamp *b)
{
    return a->device == b->device && a->node == b->node && a->size == b->size && a->seconds == b->seconds &&
           a->nanoseconds == b->nanoseconds;
}

int kv_file_rename_new(const char *from, const char *to, struct kv_error *error)
{
    /* A hard link fails where the name is taken, which rename does not. */
    if (link(from, to) != 0)
        return errno == EEXIST ? kv_fail(error, KV_E_BUSY, "%.120s: there is such a file already", to)
                               : fail(error, to, errno);
    if (unlink(from) != 0)
        return fail(error, from, errno);
    flush_directory(to);
    return KV_OK;
}
