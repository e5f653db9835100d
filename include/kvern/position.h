/* Positions, rules, moves and their text: everything needed to referee a game.
 *
 * Points are numbered 0..points-1 in the order of the position text: ring by ring from the
 * innermost, each clockwise from its top middle (d5 is 0, a7 is 23). A set of points is a uint32_t
 * with bit p for point p. Nothing here allocates except `struct kv_game`; all structures are plain
 * values that may be copied, and every function is safe to call from several threads on
 * different objects.
 */
#ifndef KVERN_POSITION_H
#define KVERN_POSITION_H

#include "kvern/base.h"

enum { KV_POINTS_MAX = 24, KV_MILLS_MAX = 20, KV_MOVES_MAX = 1024 };

enum kv_side { KV_WHITE, KV_BLACK };

/* ---- Rules ------------------------------------------------------------------------------------ */

enum kv_mill_protection { KV_PROTECT_UNLESS_ALL, KV_PROTECT_ALWAYS, KV_PROTECT_NEVER };
enum kv_double_mill { KV_DOUBLE_ONE, KV_DOUBLE_TWO };
enum kv_reclose_mill { KV_RECLOSE_ALLOWED, KV_RECLOSE_NOT_TWICE, KV_RECLOSE_NOT_AT_ONCE };

/* What the players agreed on. Fill it with kv_rules_init, then change it with kv_rules_set (or
 * directly, with values from the enumerations). */
struct kv_rules {
    uint8_t variant;           /* row of kv_variants */
    uint8_t board;             /* row of kv_boards, from the variant */
    uint8_t stones;            /* a side, 3..12; from the variant, fewer on request */
    uint8_t flying;            /* bool */
    uint8_t mill_protection;   /* enum kv_mill_protection */
    uint8_t double_mill;       /* enum kv_double_mill */
    uint8_t reclose_mill;      /* enum kv_reclose_mill */
    uint8_t first_move;        /* enum kv_side */
    uint16_t repetition;       /* the occurrence that draws; 0 = off */
    uint16_t no_capture_limit; /* plies; 0 = off */
};

/* A named game: a board, a number of stones and the rules that differ from the classic ones. */
struct kv_variant {
    const char *name; /* as in UCI_Variant */
    uint8_t board, stones;
    bool flying; /* the default */
};

extern KV_API const struct kv_variant kv_variants[];
extern KV_API const int kv_variant_count;

enum kv_rule_kind { KV_RULE_BOOL, KV_RULE_CHOICE, KV_RULE_NUMBER };

/* One row a house rule: the option list, its parsing and its documentation walk this table. */
struct kv_rule {
    const char *name;
    enum kv_rule_kind kind;
    const char *const *choices; /* KV_RULE_CHOICE: NULL-terminated words; the value is the index */
    int low, high;              /* KV_RULE_NUMBER */
    const char *help;           /* one sentence */
    size_t offset, size;        /* the field of struct kv_rules */
};

extern KV_API const struct kv_rule kv_rule_table[];
extern KV_API const int kv_rule_count;

KV_API void kv_rules_init(struct kv_rules *rules, int variant); /* the variant's own rules */
/* Is this exactly the classic game (repetition and limits aside, which no move depends on)? */
KV_API bool kv_rules_are_classic(const struct kv_rules *rules);
KV_API const struct kv_rule *kv_rule_find(const char *name, size_t length); /* without case; or NULL */
KV_API int kv_rule_value(const struct kv_rules *rules, const struct kv_rule *rule);
/* The value as a word ("true", "not-twice", "3"), written into `buffer`; returns it. */
KV_API const char *kv_rule_text(const struct kv_rules *rules, const struct kv_rule *rule, char buffer[24]);
/* Sets one rule from text. KV_E_RANGE or KV_E_SYNTAX with a line that names the values allowed. */
KV_API int kv_rule_set(struct kv_rules *rules, const struct kv_rule *rule, const char *value, size_t length,
                       struct kv_error *error);
/* The variant of that name (without case): its row, or KV_E_NOT_FOUND with a line naming them all. */
KV_API int kv_variant_find(const char *name, size_t length, struct kv_error *error);

/* ---- Positions -------------------------------------------------------------------------------- */

struct kv_position {
    uint32_t stones[2]; /* by side: the points it stands on */
    uint8_t hand[2];    /* by side: stones still to be placed */
    uint8_t side;       /* to move */
    uint8_t due;        /* captures the side to move still owes from its last placement or move */
    /* What RecloseMill has to remember, by side; 0 where the rule does not apply. not-twice: the
     * mills (bit set) of that side's last closing. not-at-once: kv_left_mill of its last turn. */
    uint32_t reclose[2];
    uint16_t quiet; /* plies of the moving phase since the last capture or placement */
    uint16_t ply;   /* plies since the start, by the position text's move number */
};

enum { KV_POSITION_TEXT_MAX = 160 };

/* The empty board, all stones in hand, `first_move` to move. */
KV_API void kv_position_start(const struct kv_rules *rules, struct kv_position *position);

/* Reads a position text (src/board/RULES.md describes the fields). On failure `position` is
 * untouched and `error` names the field. */
KV_API int kv_position_read(const struct kv_rules *rules, const char *text, size_t length,
                            struct kv_position *position, struct kv_error *error);
/* Writes it; `buffer` ends up terminated. Returns its length. */
KV_API size_t kv_position_write(const struct kv_rules *rules, const struct kv_position *position,
                                char buffer[KV_POSITION_TEXT_MAX]);

/* The board's points by number: how many there are, and the name of one ("d5"). */
KV_API int kv_point_count(const struct kv_rules *rules);
KV_API const char *kv_point_name(const struct kv_rules *rules, unsigned point);
/* What the side to move does on its turns: "placing", "moving" or "flying". */
KV_API const char *kv_position_phase(const struct kv_rules *rules, const struct kv_position *position);

/* Equal as the repetition rule sees it: board, side, hands, captures due and rule state. */
KV_API bool kv_position_same(const struct kv_position *a, const struct kv_position *b);

/* A 64-bit number for showing and for hashing; equal positions have equal keys. Without RecloseMill
 * state it is a one-to-one image of the position. */
KV_API uint64_t kv_position_key(const struct kv_position *position);

/* The image of a position under symmetry number `symmetry` of its board (0 is the identity), and
 * under exchange of the two colours. */
KV_API void kv_position_transform(const struct kv_rules *rules, const struct kv_position *position,
                                  int symmetry, struct kv_position *image);
KV_API void kv_position_swap_colours(const struct kv_position *position, struct kv_position *image);

/* ---- Results ---------------------------------------------------------------------------------- */

enum kv_result { KV_ONGOING, KV_WHITE_WINS, KV_BLACK_WINS, KV_DRAW };
enum kv_reason { KV_NO_REASON, KV_TOO_FEW_STONES, KV_BLOCKED, KV_REPETITION, KV_NO_CAPTURE };

/* What the position alone decides: too few stones, blocked, or the no-capture limit. Never
 * decided while a capture is due. `reason` may be NULL. */
KV_API enum kv_result kv_position_result(const struct kv_rules *rules, const struct kv_position *position,
                                         enum kv_reason *reason);
KV_API const char *kv_result_text(enum kv_result result); /* "ongoing" "white" "black" "draw" */
KV_API const char *kv_reason_text(enum kv_reason reason); /* "none", "fewer than three stones", … */

/* ---- Moves ------------------------------------------------------------------------------------ */

/* A turn in 20 bits, five each: from, to, first capture, second capture; KV_NO_POINT where there is
 * none. A placement has no `from`; a capture that was due has neither `from` nor `to`. */
typedef uint32_t kv_move;

#define KV_NO_POINT 31u
#define KV_MOVE_NONE ((kv_move)0xfffff)

static inline kv_move kv_move_make(unsigned from, unsigned to, unsigned capture, unsigned second)
{
    return from | to << 5 | capture << 10 | second << 15;
}
static inline unsigned kv_move_from(kv_move move)
{
    return move & 31;
}
static inline unsigned kv_move_to(kv_move move)
{
    return move >> 5 & 31;
}
static inline unsigned kv_move_capture(kv_move move)
{
    return move >> 10 & 31;
}
static inline unsigned kv_move_second(kv_move move)
{
    return move >> 15 & 31;
}

enum { KV_MOVE_TEXT_MAX = 12 };

/* All legal moves (turns complete with their captures; or, while captures are due, one capture
 * each), no two with the same result. Returns their number; 0 also when the game is over by too few
 * stones. Draws by repetition or limit are not looked at. */
KV_API int kv_moves(const struct kv_rules *rules, const struct kv_position *position,
                    kv_move moves[KV_MOVES_MAX]);

/* Plays a legal move, or a legal move whose captures are left out: those are then due and the side
 * does not change. */
KV_API void kv_position_play(const struct kv_rules *rules, struct kv_position *position, kv_move move);

/* Writes "d6", "d6xa1", "a1-a4", "a1-a4xd6xg7" or "xd6"; KV_MOVE_NONE is "(none)". Returns `buffer`. */
KV_API const char *kv_move_write(const struct kv_rules *rules, kv_move move, char buffer[KV_MOVE_TEXT_MAX]);

/* Reads one token as a legal move in `position`: any case, with or without the dash, captures in any
 * legal order, or left out (see kv_position_play). KV_E_SYNTAX or KV_E_ILLEGAL with the cause
 * ("point occupied", "stones are in mills"). */
KV_API int kv_move_read(const struct kv_rules *rules, const struct kv_position *position, const char *text,
                        size_t length, kv_move *move, struct kv_error *error);

/* A move's image under a symmetry. */
KV_API kv_move kv_move_transform(const struct kv_rules *rules, kv_move move, int symmetry);

/* The number of move sequences of `depth` turns (perft). `last_ply_counted` counts the last ply
 * without playing it; the number is the same. */
KV_API uint64_t kv_perft(const struct kv_rules *rules, const struct kv_position *position, int depth,
                         bool last_ply_counted);

/* ---- Games ------------------------------------------------------------------------------------ */

/* A position and how it came about; needed for the repetition rule. */
struct kv_game {
    struct kv_rules rules;
    struct kv_position position;   /* the current one; == positions[count - 1] */
    struct kv_position *positions; /* every position since the set-up, that one included */
    kv_move *moves;                /* moves[i] leads from positions[i] to positions[i + 1] */
    size_t count, capacity;
};

/* The start position under `rules`. KV_E_MEMORY. A zeroed kv_game may be finished. */
KV_API int kv_game_init(struct kv_game *game, const struct kv_rules *rules);
KV_API void kv_game_finish(struct kv_game *game);
/* Forgets the history; `position` becomes the first occurrence of itself. */
KV_API int kv_game_set(struct kv_game *game, const struct kv_position *position);
/* Plays a legal move (see kv_position_play). KV_E_MEMORY leaves the game as it was. */
KV_API int kv_game_play(struct kv_game *game, kv_move move);
KV_API void kv_game_undo(struct kv_game *game); /* the last move; nothing at the set-up position */
KV_API int kv_game_copy(struct kv_game *copy, const struct kv_game *game); /* into an uninitialised one */
/* How often the current position has occurred, this time included. */
KV_API int kv_game_repetitions(const struct kv_game *game);
KV_API enum kv_result kv_game_result(const struct kv_game *game, enum kv_reason *reason);

#endif
