/* The protocol: command lines in, answer lines out. PROTOCOL.md describes both.
 *
 * Everything is called by one thread; answers to a search are written from the search's thread. A
 * front end is a loop that cuts its input into lines (reader.h), hands each to kv_protocol_line, and
 * calls kv_protocol_go_on now and then while kv_protocol_has_backlog.
 */
#ifndef KV_PROTOCOL_PROTOCOL_H
#define KV_PROTOCOL_PROTOCOL_H

#include "kvern/engine.h"

struct kv_protocol;

struct kv_protocol_config {
    /* Takes one or more whole answer lines; never called by two threads at once. KV_E_IO when they
     * cannot be delivered, after which nothing more is written. */
    int (*write)(void *user, const char *bytes, size_t length);
    /* Told before and after work that cannot be stopped half-way; may be NULL. */
    void (*busy)(void *user, bool begins);
    void *user;
    struct kv_engine_config engine; /* its notices become answer lines */
};

/* KV_E_MEMORY. */
int kv_protocol_create(struct kv_protocol **protocol, const struct kv_protocol_config *config);
/* Stops and waits for a search, whose answer is written. NULL is allowed. */
void kv_protocol_destroy(struct kv_protocol *protocol);

/* One line without its line end, received at `received_ns` (kv_engine_clock). */
void kv_protocol_line(struct kv_protocol *protocol, const char *line, size_t length, int64_t received_ns);

/* Lines that wait for a search to end; kv_protocol_go_on works them off as far as it can. */
bool kv_protocol_has_backlog(const struct kv_protocol *protocol);
void kv_protocol_go_on(struct kv_protocol *protocol);

/* There is no more input: a search without an end of its own is stopped, everything else is waited
 * for, at most to `deadline_ns`. True when all is answered. */
bool kv_protocol_finish(struct kv_protocol *protocol, int64_t deadline_ns);
/* Waits for a search that ends by itself, at most to `deadline_ns`. True when none is running. */
bool kv_protocol_wait(struct kv_protocol *protocol, int64_t deadline_ns);
/* Stops the search and drops the backlog. */
void kv_protocol_stop(struct kv_protocol *protocol);

bool kv_protocol_has_quit(const struct kv_protocol *protocol);   /* a `quit` was read */
bool kv_protocol_is_broken(const struct kv_protocol *protocol);  /* an answer could not be delivered */
unsigned kv_protocol_errors(const struct kv_protocol *protocol); /* error lines written so far */

/* Is this the name of a command that takes words after it? And of any command? */
bool kv_protocol_takes_words(const char *name);
bool kv_protocol_knows(const char *name);

#endif
