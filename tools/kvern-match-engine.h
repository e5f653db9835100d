/* A player's program: started, spoken to and ended. Nothing here waits longer than its deadline. */
#ifndef KVERN_MATCH_ENGINE_H
#define KVERN_MATCH_ENGINE_H

#include "base/buffer.h"
#include "base/process.h"
#include "kvern-match-config.h"

/* What can go wrong with a program. */
enum match_fault {
    FAULT_NONE,
    FAULT_START,       /* cannot be run, or does not finish its greeting */
    FAULT_EXIT,        /* has ended */
    FAULT_CLOSED,      /* runs, but has closed its output */
    FAULT_SILENT,      /* does not answer in time */
    FAULT_GARBAGE,     /* the same, but it wrote lines that mean nothing */
    FAULT_FLOOD,       /* writes without end */
    FAULT_TWICE,       /* an answer nobody asked for */
    FAULT_INTERRUPTED, /* not its fault: the match is being stopped */
};

/* What a program last said about its search. */
struct match_report {
    bool has_score, mate; /* a mate score counts moves */
    int score, depth;
};

struct match_engine {
    const struct match_player *player;
    struct kv_process process;
    struct kv_buffer input; /* bytes read, from `at` on not looked at yet */
    size_t at;
    uint64_t bytes; /* read since the last command */
    bool garbage;   /* a line without meaning came since the last command */
    struct match_report report;
    struct kv_buffer answer; /* the words after bestmove */
    int64_t answer_ns;       /* when they came */
};

/* Starts the program if it does not run: greeting, options, rules. */
enum match_fault match_engine_start(struct match_engine *engine, const struct match_config *config,
                                    const struct match_player *player);
/* A new game: told to the program, which then says that it is ready. */
enum match_fault match_engine_new_game(struct match_engine *engine, const struct match_config *config);
/* Asks whether the program is ready, sends `commands` (whole lines, the last one go) and waits for bestmove,
 * at most `allowed_ns`. `*sent_ns` is when the program had it all. */
enum match_fault match_engine_go(struct match_engine *engine, const struct kv_buffer *commands,
                                 const struct match_config *config, int64_t allowed_ns, int64_t *sent_ns);
/* Ends the program: politely, or at once. Nothing when it does not run. */
void match_engine_stop(struct match_engine *engine, bool politely);

#endif
