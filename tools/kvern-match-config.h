/* What a match is: players, conditions, how to play them. */
#ifndef KVERN_MATCH_CONFIG_H
#define KVERN_MATCH_CONFIG_H

#include "base/span.h"
#include "kvern-match-stats.h"
#include "kvern/position.h"

enum { MATCH_ENGINES_MAX = 64, MATCH_WORDS_MAX = 32, MATCH_OPTIONS_MAX = 64 };

/* How long a player may think; zero where there is no such limit. Several limits may hold at once. */
struct match_time {
    int64_t base_ns, increment_ns, movetime_ns;
    int moves; /* a period of the clock; 0 = the whole game */
    int64_t nodes;
    int depth;
};

/* One player. All strings belong to the configuration. */
struct match_player {
    char *name, *directory;
    char *words[MATCH_WORDS_MAX + 1]; /* the command, NULL-terminated */
    int word_count;
    char *options[MATCH_OPTIONS_MAX][2]; /* names and values, in the order given */
    int option_count;
    struct match_time time;
    bool ugi;
    bool split;    /* captures are tokens of their own, asked for by a second go */
    bool one_line; /* bestmove may stand at the end of an info line */
    bool words_ok; /* "bestmove draw" offers a draw, "bestmove none" resigns */
};

enum match_mode { MATCH_ROUND_ROBIN, MATCH_GAUNTLET };

struct match_config {
    struct match_player players[MATCH_ENGINES_MAX];
    const char *descriptions[MATCH_ENGINES_MAX]; /* of the players, as given */
    int player_count;
    const char *each; /* what holds for every player unless it says otherwise; NULL = nothing */
    struct kv_rules rules;
    enum match_mode mode;
    int rounds;      /* game pairs of every pairing */
    int part, parts; /* of the rounds, this program plays those with round % parts == part */
    int concurrency;
    uint64_t seed;
    int random_plies;
    const char *openings; /* file; NULL = none */
    int64_t margin_ns;    /* how late an answer may come */
    int64_t start_ns;     /* how long a player may take to start, or to say readyok */
    int64_t think_ns;     /* the longest a move may take when no clock says so */
    int max_plies;
    bool use_table;                        /* adjudicate by table */
    const char *tables;                    /* directory of table files; NULL = none */
    int draw_moves, draw_from, draw_score; /* both scores small, `draw_moves` moves each; 0 = off */
    int resign_moves, resign_score;        /* both agree on the winner; 0 = off */
    struct match_sprt sprt;
    bool trinomial; /* statistics by single games */
    const char *event, *state, *text, *jsonl;
    int report_every; /* games; 0 = only at the end */
    bool json;        /* reports as lines of JSON */
    bool quiet;
};

void match_config_init(struct match_config *config);
void match_config_finish(struct match_config *config);

/* "cmd=./engine name=x option.Hash=16 tc=10+0.1": describes one player. Values with blanks stand in quotes.
 */
int match_player_read(const char *text, struct match_player *player, struct kv_error *error);
/* "elo0=0 elo1=10 alpha=0.05 beta=0.05 model=normalized|logistic stats=pentanomial|trinomial" */
int match_sprt_read(const char *text, struct match_sprt *sprt, struct kv_error *error);
/* Reads the descriptions, completes what was left out and refuses what does not fit together. */
int match_config_check(struct match_config *config, struct kv_error *error);

/* "10+0.1", "40/60+0.5", "depth=9", "movetime=0.05", ... as the tag TimeControl says it. */
void match_time_text(const struct match_time *time, char *buffer, size_t size);

/* The number of pairings, and the two players of one. */
int match_pairings(const struct match_config *config);
void match_pairing(const struct match_config *config, int pairing, int players[2]);

#endif
