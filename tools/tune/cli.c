/* Complaints, progress and files written: what every command does alike. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/clock.h"
#include "tune/tune.h"

_Atomic bool tune_stop;

enum tune_exit tune_complain(enum tune_exit code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("kvern-tune: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return code;
}

void tune_progress(const struct tune_options *options, bool now, const char *format, ...)
{
    static int64_t last;
    int64_t time = kv_clock_ns();
    if (options->quiet || (!now && time - last < INT64_C(2000000000)))
        return;
    last = time;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

enum tune_exit tune_close(FILE *file, const char *path)
{
    bool good = fflush(file) == 0 && !ferror(file);
    good = fclose(file) == 0 && good;
    return good ? TUNE_OK : tune_complain(TUNE_FAILED, "%s: %s", path, strerror(errno));
}
