/* position: a whole game in one line, taken over only when all of it is good. */
#include "protocol/session.h"

/* Everything up to the word "moves", which is eaten; `has_moves` says whether it was there. */
static struct kv_span before_moves(struct kv_span *words, bool *has_moves)
{
    struct kv_span text = {words->at, 0};
    *has_moves = false;
    for (;;) {
        struct kv_span word = kv_span_token(words);
        if (word.length == 0)
            return text;
        if (kv_span_is_nocase(word, "moves")) {
            *has_moves = true;
            return text;
        }
        text.length = (size_t)(word.at + word.length - text.at);
    }
}

/* The same limit as the position text has for its move number. */
enum { MOVES_MAX = 60000 };

static int play_moves(struct kv_game *game, struct kv_span words, struct kv_error *error)
{
    for (unsigned long number = 1;; number++) {
        struct kv_span word = kv_span_token(&words);
        if (word.length == 0)
            return KV_OK;
        char shown[32];
        struct kv_error cause;
        kv_move move;
        kv_span_show(word, shown, sizeof shown);
        if (number > MOVES_MAX)
            return kv_fail(error, KV_E_RANGE, "move %lu '%s': more than %d moves", number, shown, MOVES_MAX);
        int status = kv_move_read(&game->rules, &game->position, word.at, word.length, &move, &cause);
        if (!status) {
            status = kv_game_play(game, move);
            if (status)
                kv_fail(&cause, status, "%s", kv_status_text(status));
        }
        if (status)
            return kv_fail(error, status, "move %lu '%s': %.180s", number, shown, cause.text);
    }
}

static int set_up(struct kv_game *game, struct kv_span words, struct kv_error *error)
{
    struct kv_span kind = kv_span_token(&words);
    bool has_moves;
    char shown[40];
    struct kv_span text = kv_span_trim(before_moves(&words, &has_moves));
    if (kv_span_is(kind, "fen")) {
        struct kv_position position;
        int status = kv_position_read(&game->rules, text.at, text.length, &position, error);
        if (!status)
            status = kv_game_set(game, &position);
        if (status)
            return status;
    } else if (!kv_span_is(kind, "startpos")) {
        return kv_fail(error, KV_E_SYNTAX, "expected startpos or fen, not '%s'",
                       kv_span_show(kind, shown, sizeof shown));
    } else if (text.length > 0) {
        return kv_fail(error, KV_E_SYNTAX, "expected moves, not '%s'",
                       kv_span_show(text, shown, sizeof shown));
    }
    return has_moves ? play_moves(game, words, error) : KV_OK;
}

void kv_command_position(struct kv_protocol *protocol, struct kv_span words)
{
    struct kv_game game = {0};
    struct kv_error error = {""};
    int status = kv_engine_begin_game(protocol->engine, &game);
    if (status)
        kv_fail(&error, status, "%s", kv_status_text(status));
    else
        status = set_up(&game, words, &error);
    if (!status)
        status = kv_engine_set_game(protocol->engine, &game);
    if (status) {
        kv_engine_unset_game(protocol->engine);
        kv_answer_error(protocol, "position: %s", error.text);
    }
    kv_game_finish(&game);
}
