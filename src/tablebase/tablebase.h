/* Exact values: what search, protocol and tools ask. How they were computed or stored is behind it. */
#ifndef KV_TABLEBASE_TABLEBASE_H
#define KV_TABLEBASE_TABLEBASE_H

#include "kvern/position.h"

/* The value of a position for its side to move. */
struct kv_value {
    int8_t outcome; /* 1 win, 0 draw, -1 loss */
    int16_t plies;  /* to the end of the game under best play by both; 0 for a draw; -1 = not known */
};

/* The same one ply before, as its mover sees it: a loss there is a win here, a ply later. */
static inline struct kv_value kv_value_before(struct kv_value after)
{
    return (struct kv_value){
        .outcome = (int8_t)-after.outcome,
        .plies = (int16_t)(after.plies + (after.outcome != 0 && after.plies >= 0)),
    };
}

enum { KV_VALUE_NONE = -2 }; /* the outcome of no move at all, to begin kv_value_add with */

/* The best of the moves seen so far, a win soon or else a loss late, and one more. Where a move that is
 * as good does not say its plies, the best does not know its own. */
static inline void kv_value_add(struct kv_value *best, struct kv_value move)
{
    if (move.outcome > best->outcome)
        *best = move;
    else if (move.outcome == best->outcome && (move.plies < 0 || best->plies < 0))
        best->plies = -1;
    else if (move.outcome == best->outcome && (move.plies < best->plies) == (move.outcome > 0))
        best->plies = move.plies;
}

/* The tables of one set of rules. Probing is safe from any number of threads, also while
 * tables are being computed. */
struct kv_tablebase;

/* An object that knows the opening, where the rules are the classic ones, and nothing else yet. KV_E_MEMORY.
 */
int kv_tablebase_create(struct kv_tablebase **tablebase, const struct kv_rules *rules);
void kv_tablebase_destroy(struct kv_tablebase *tablebase); /* stops computing; NULL is allowed */

/* Begin computing the built-in endgames (three stones against three or four, moving phase) in a
 * thread of its own; nothing when done, under way, when the files in use hold them, or when the rules have
 * state or limits that tables cannot hold (RecloseMill other than allowed, a NoCaptureLimit). */
void kv_tablebase_want(struct kv_tablebase *tablebase);
/* Waits until what was wanted is there, at most to `deadline_ns` (kv_clock_ns; INT64_MAX = for ever).
 * true when it is; false at once when nothing was wanted. Starts nothing. */
bool kv_tablebase_wait(struct kv_tablebase *tablebase, int64_t deadline_ns);

/* Receives one line about a file that is not used, or no longer; from the thread that found out. */
typedef void (*kv_tablebase_note)(void *user, const char *line);

/* Uses the table files of a directory (FORMAT.md), those made for these very rules, instead of any
 * used so far, with up to `cache_mb` (>= 1) megabytes of them unpacked in memory. A subspace that is
 * missing is normal; a file that is damaged or made for other rules is named to `note` (may be NULL;
 * called also later, when a damaged part is first met) and not used. `path` NULL or "" = none.
 * Not while another thread probes. Returns the number of tables in use, or KV_E_NOT_FOUND, KV_E_IO,
 * KV_E_MEMORY, or KV_E_RANGE for rules that tables cannot hold; then the old ones stay in use. */
int kv_tablebase_open(struct kv_tablebase *tablebase, const char *path, size_t cache_mb,
                      kv_tablebase_note note, void *user, struct kv_error *error);

/* Is it a position of the built-in opening? Its results are in memory: cheap to probe. */
bool kv_tablebase_knows_opening(const struct kv_tablebase *tablebase, const struct kv_position *position);
/* Is the game still in the built-in opening, by the stones in hand? Also true while a capture is due. */
bool kv_tablebase_in_opening(const struct kv_tablebase *tablebase, const struct kv_position *position);

/* Could kv_tablebase_probe know this position once everything wanted is there? (stone counts, hands
 * and nothing due; cheap) */
bool kv_tablebase_covers(const struct kv_tablebase *tablebase, const struct kv_position *position);

/* KV_OK and the value, or KV_E_NOT_FOUND, or KV_E_DAMAGED once for a file found damaged just now. Where
 * only results are on file, `plies` is -1 for a win or a loss. Repetitions and the no-capture limit are
 * outside its view. */
int kv_tablebase_probe(struct kv_tablebase *tablebase, const struct kv_position *position,
                       struct kv_value *value);

#endif
