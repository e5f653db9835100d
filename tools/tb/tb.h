/* kvern-tb: what its parts share. */
#ifndef KVERN_TB_H
#define KVERN_TB_H

#include "tablebase/build.h"
#include "tablebase/store.h"

enum tb_exit { TB_OK = 0, TB_FAILED = 1, TB_USAGE = 2, TB_WRONG = 3, TB_STOPPED = 130 };
enum tb_format { TB_TEXT, TB_CSV, TB_JSON };

struct tb_options {
    const char *command;
    const char *arguments[2];
    int argument_count;
    const char *path;
    const char *against; /* directory of distances; or NULL */
    struct kv_rules rules;
    struct kv_plan_limits limits;
    int threads, level; /* level 0: the command's own */
    double memory_gib, share;
    enum tb_format format;
    bool histogram, quiet, distances;
    uint64_t seed;
};

extern _Atomic bool tb_stop; /* set by SIGINT and SIGTERM */

/* The tables of a directory, in order: fewest stones in hand first, then fewest on the board. */
struct tb_set {
    struct kv_rules rules; /* of the set */
    struct kv_index index;
    struct kv_store store;
    struct kv_subspace *subspaces; /* with a table of distances or of results */
    int count;
};

/* Reads the set's rules from its heads. Prints what is wrong and returns false on failure. */
bool tb_set_open(struct tb_set *set, const struct tb_options *options);
void tb_set_close(struct tb_set *set);
/* "5-4" or "5-4+2-1"; false when it is neither. */
bool tb_parse_subspace(const char *text, struct kv_subspace *subspace);
const char *tb_subspace_text(char text[KV_TABLE_NAME_MAX], struct kv_subspace subspace);

enum tb_exit tb_build(const struct tb_options *options);
enum tb_exit tb_opening(const struct tb_options *options);
enum tb_exit tb_pack(const struct tb_options *options);
enum tb_exit tb_verify(const struct tb_options *options);
enum tb_exit tb_stats(const struct tb_options *options);
enum tb_exit tb_longest(const struct tb_options *options);
enum tb_exit tb_sample(const struct tb_options *options);
enum tb_exit tb_probe(const struct tb_options *options);

#endif
