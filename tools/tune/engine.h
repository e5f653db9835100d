/* The engine that is looked at: the library's search with the opening and the endgames built
 * in and no table files. */
#ifndef TUNE_ENGINE_H
#define TUNE_ENGINE_H

#include "search/search.h"
#include "tune/tune.h"

struct tune_engine {
    struct kv_search *search;
    struct kv_tablebase *built_in;
    struct kv_limits limits; /* of every move; without its start */
};

/* Waits for the built-in endgames. Complains by itself: TUNE_USAGE when neither time nor nodes were given. */
enum tune_exit tune_engine_open(struct tune_engine *engine, const struct kv_rules *rules,
                                const struct tune_options *options);
void tune_engine_close(struct tune_engine *engine); /* a zeroed one is allowed */

/* The move it plays in an ongoing game, as one thread at full strength. KV_E_MEMORY. */
int tune_engine_move(struct tune_engine *engine, const struct kv_game *game, struct kv_search_result *result);
/* The same in a game that begins at `position`, with nothing remembered. */
int tune_engine_fresh_move(struct tune_engine *engine, const struct kv_rules *rules,
                           const struct kv_position *position, struct kv_search_result *result);

/* "50 ms", "2000 nodes" or both. */
const char *tune_engine_limits(const struct tune_options *options, char text[64]);

#endif
