/* The words every room shares: status codes, one-line errors, visibility.
 *
 * A function that can fail returns KV_OK or a negative KV_E_ code. Where it also takes a
 * `struct kv_error *`, that may be NULL; on failure the struct holds one line for a person, naming
 * what was wrong and what was expected. Outputs are untouched on failure.
 */
#ifndef KVERN_BASE_H
#define KVERN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define KV_API __attribute__((visibility("default")))
#define KV_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define KV_API
#define KV_PRINTF(format_index, first)
#endif

enum kv_status {
    KV_OK = 0,
    KV_E_MEMORY = -1,    /* an allocation failed; the old state is still usable */
    KV_E_SYNTAX = -2,    /* text that cannot be read */
    KV_E_RANGE = -3,     /* read, but outside what is allowed */
    KV_E_ILLEGAL = -4,   /* against the rules of the game */
    KV_E_IO = -5,        /* the operating system refused; errno says why */
    KV_E_DAMAGED = -6,   /* a file whose contents contradict themselves or their checksum */
    KV_E_VERSION = -7,   /* a file made by another format version or for other rules */
    KV_E_BUSY = -8,      /* not now: a search or another writer is at work */
    KV_E_NOT_FOUND = -9, /* no such name, file or table */
    KV_E_FULL = -10,     /* no room left, on the disk or in a fixed limit */
};

/* One line, no newline, always terminated; longer text is cut. */
struct kv_error {
    char text[256];
};

/* A short constant English name for a status ("out of memory"); never NULL. */
KV_API const char *kv_status_text(int status);

/* Writes a formatted line into `error` (may be NULL) and returns `status`, so that a parser can say
 * `return kv_fail(error, KV_E_SYNTAX, "field 2: side '%s': expected w or b", s)`. */
KV_API int kv_fail(struct kv_error *error, int status, const char *format, ...) KV_PRINTF(3, 4);

/* The version of the library, "0.1.0"; constant. */
KV_API const char *kv_version(void);

#endif
