/* Commands about the position: for people, and for match runners that know no rules. */
#include "board/picture.h"

#include <inttypes.h>

#include "base/bits.h"
#include "protocol/session.h"

/* How long probe waits for tables under way. */
enum { PROBE_WAIT_S = 30 };

static void add_moves(struct kv_protocol *protocol, const struct kv_game *game)
{
    kv_move moves[KV_MOVES_MAX];
    char text[KV_MOVE_TEXT_MAX];
    int count = kv_game_moves(game, moves);
    for (int i = 0; i < count; i++)
        kv_buffer_format(&protocol->answer, "%s%s", i ? " " : "",
                         kv_move_write(&game->rules, moves[i], text));
    kv_buffer_text(&protocol->answer, count > 0 ? "\n" : "(none)\n");
}

void kv_command_moves(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
    const struct kv_game *game = kv_answer_game(protocol, "moves");
    if (game)
        add_moves(protocol, game);
}

/* The rules that are not those of the variant. */
static void add_rules(struct kv_protocol *protocol, const struct kv_rules *rules)
{
    struct kv_rules usual;
    kv_rules_init(&usual, rules->variant);
    kv_buffer_format(&protocol->answer, "Rules: %s", kv_variants[rules->variant].name);
    for (int i = 0; i < kv_rule_count; i++) {
        char text[24];
        if (kv_rule_value(rules, &kv_rule_table[i]) != kv_rule_value(&usual, &kv_rule_table[i]))
            kv_buffer_format(&protocol->answer, ", %s %s", kv_rule_table[i].name,
                             kv_rule_text(rules, &kv_rule_table[i], text));
    }
    kv_buffer_text(&protocol->answer, "\n");
}

void kv_command_d(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
    const struct kv_game *game = kv_answer_game(protocol, "d");
    if (!game)
        return;
    const struct kv_position *position = &game->position;
    char text[KV_POSITION_TEXT_MAX];
    kv_move moves[KV_MOVES_MAX];
    enum kv_reason reason;
    enum kv_result result = kv_game_result(game, &reason);
    kv_picture(&game->rules, position, &protocol->answer);
    kv_answer(protocol, "Side to move: %s, %s", kv_side_name(position->side),
              position->due > 0 ? "taking" : kv_position_phase(&game->rules, position));
    for (int side = 0; side < 2; side++)
        kv_answer(protocol, "%s: %d on the board, %d in hand", side == KV_WHITE ? "White (O)" : "Black (@)",
                  kv_popcount(position->stones[side]), position->hand[side]);
    if (position->due > 0)
        kv_answer(protocol, "Captures due: %d", position->due);
    add_rules(protocol, &game->rules);
    kv_position_write(&game->rules, position, text);
    kv_answer(protocol, "Fen: %s", text);
    kv_answer(protocol, "Key: %016" PRIX64, kv_position_key(position));
    kv_buffer_format(&protocol->answer, "Legal moves (%d): ", kv_game_moves(game, moves));
    add_moves(protocol, game);
    if (result == KV_ONGOING)
        kv_answer(protocol, "Result: ongoing");
    else
        kv_answer(protocol, "Result: %s (%s)",
                  result == KV_DRAW         ? "draw"
                  : result == KV_WHITE_WINS ? "white wins"
                                            : "black wins",
                  kv_reason_text(reason));
}

void kv_command_eval(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
    const struct kv_game *game = kv_answer_game(protocol, "eval");
    if (!game)
        return;
    if (game->position.due > 0 || kv_game_result(game, NULL) != KV_ONGOING) {
        kv_answer(protocol, "Score: none (%s)",
                  game->position.due > 0 ? "a capture is due" : "the game is over");
        return;
    }
    struct kv_term terms[KV_TERMS_MAX];
    int score, count = kv_engine_evaluate(&game->rules, &game->position, terms, &score);
    kv_answer(protocol, "%-24s %6s %6s %7s %7s", "Term", "white", "black", "weight", "score");
    for (int i = 0; i < count; i++)
        kv_answer(protocol, "%-24s %6d %6d %7d %7d", terms[i].name, terms[i].count[KV_WHITE],
                  terms[i].count[KV_BLACK], terms[i].weight, terms[i].score);
    kv_answer(protocol, "Score: %d (hundredths of a stone, for %s to move)", score,
              kv_side_name(game->position.side));
    int wdl[3];
    if (kv_engine_expect(&game->rules, &game->position, &score, wdl))
        kv_answer(protocol, "Network: %d (win %.1f %%, draw %.1f %%, loss %.1f %%)", score, wdl[0] / 10.0,
                  wdl[1] / 10.0, wdl[2] / 10.0);
}

/* ---- probe ------------------------------------------------------------------------------------ */

static void add_value(struct kv_protocol *protocol, const char *what, int outcome, int plies)
{
    static const char *const names[] = {"loss", "draw", "win"};
    kv_buffer_format(&protocol->answer, "%s %s", what, names[outcome + 1]);
    if (outcome != 0 && plies >= 0)
        kv_buffer_format(&protocol->answer, " %d", plies);
    kv_buffer_text(&protocol->answer, "\n");
}

/* The value of a move for the side that makes it, counted from before it. */
static int probe_move(struct kv_protocol *protocol, const struct kv_game *game, kv_move move, int *outcome,
                      int *plies)
{
    struct kv_position next = game->position;
    kv_position_play(&game->rules, &next, move);
    int64_t deadline = kv_engine_clock() + PROBE_WAIT_S * INT64_C(1000000000);
    int status = kv_engine_probe(protocol->engine, &next, deadline, outcome, plies);
    if (status || next.side == game->position.side)
        return status;
    *outcome = -*outcome;
    *plies += *outcome != 0 && *plies >= 0;
    return KV_OK;
}

void kv_command_probe(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
    const struct kv_game *game = kv_answer_game(protocol, "probe");
    if (!game)
        return;
    int64_t deadline = kv_engine_clock() + PROBE_WAIT_S * INT64_C(1000000000);
    int outcome, plies;
    int status = kv_engine_probe(protocol->engine, &game->position, deadline, &outcome, &plies);
    if (status == KV_OK)
        add_value(protocol, "position", outcome, plies);
    else if (status == KV_E_NOT_FOUND)
        kv_answer(protocol, "position unknown");
    else {
        kv_answer_error(protocol, "probe: %s", kv_status_text(status));
        return;
    }
    kv_move moves[KV_MOVES_MAX];
    int count = kv_game_moves(game, moves);
    for (int i = 0; i < count; i++) {
        char text[KV_MOVE_TEXT_MAX];
        kv_move_write(&game->rules, moves[i], text);
        if (probe_move(protocol, game, moves[i], &outcome, &plies) == KV_OK)
            add_value(protocol, text, outcome, plies);
        else
            kv_answer(protocol, "%s unknown", text);
    }
}

/* ---- query ------------------------------------------------------------------------------------ */

void kv_command_query(struct kv_protocol *protocol, struct kv_span words)
{
    struct kv_span question = kv_span_token(&words);
    char shown[40];
    bool p1turn = kv_span_is_nocase(question, "p1turn"), gameover = kv_span_is_nocase(question, "gameover");
    if (!p1turn && !gameover && !kv_span_is_nocase(question, "result")) {
        kv_answer_error(protocol, "query: expected p1turn, gameover or result, not '%s'",
                        kv_span_show(question, shown, sizeof shown));
        return;
    }
    const struct kv_game *game = kv_answer_game(protocol, "query");
    if (!game)
        return;
    int p1 = game->rules.first_move;
    enum kv_result result = kv_game_result(game, NULL);
    enum kv_result p1_wins = p1 == KV_WHITE ? KV_WHITE_WINS : KV_BLACK_WINS;
    if (p1turn)
        kv_answer(protocol, "response %s", game->position.side == p1 ? "true" : "false");
    else if (gameover)
        kv_answer(protocol, "response %s", result != KV_ONGOING ? "true" : "false");
    else
        kv_answer(protocol, "response %s",
                  result == KV_ONGOING ? "none"
                  : result == KV_DRAW  ? "draw"
                  : result == p1_wins  ? "p1win"
                                       : "p2win");
}
