#include <string.h>

#include "scoring/jakkolo.h"

static void write_gates(struct kv_buffer *out, const int64_t gates[KV_JAKKOLO_GATES])
{
    kv_buffer_format(out, "%lld %lld %lld %lld", (long long)gates[0], (long long)gates[1],
                     (long long)gates[2], (long long)gates[3]);
}

/* What is still to go into each gate on the way from one state of them to another. */
static void write_difference(struct kv_buffer *out, const int64_t from[KV_JAKKOLO_GATES],
                             const int64_t to[KV_JAKKOLO_GATES])
{
    int64_t need[KV_JAKKOLO_GATES];
    for (int i = 0; i < KV_JAKKOLO_GATES; i++)
        need[i] = to[i] > from[i] ? to[i] - from[i] : 0;
    write_gates(out, need);
}

static void write_best(const struct kv_jakkolo *game, int64_t hand, struct kv_buffer *out)
{
    static const int64_t nothing[KV_JAKKOLO_GATES];
    const struct kv_jakkolo_side *side = &game->sides[game->turn];
    int64_t aim[KV_JAKKOLO_GATES], most = kv_jakkolo_best(side->gates, hand, aim);
    kv_buffer_format(out, "advice best total with the discs in hand: %lld, gates ", (long long)most);
    write_gates(out, aim);
    kv_buffer_text(out, ", aim at ");
    write_difference(out, side->gates, aim);
    kv_buffer_text(out, "\n");
    int64_t extra = game->due ? 0 : kv_jakkolo_bonus(game, aim);
    if (extra > 0) {
        most = kv_jakkolo_best(side->gates, hand + extra, aim);
        kv_buffer_format(out, "advice with all in now and %lld bonus: %lld, gates ", (long long)extra,
                         (long long)most);
        write_gates(out, aim);
        kv_buffer_text(out, "\n");
    }
    int64_t later = game->games - (int64_t)game->game - 1;
    if (later > 0) {
        struct kv_jakkolo fresh = {.setup = game->setup, .discs = game->discs};
        kv_jakkolo_best(nothing, game->discs, aim);
        int64_t ceiling = kv_jakkolo_best(nothing, game->discs + kv_jakkolo_bonus(&fresh, aim), NULL);
        kv_buffer_format(out, "advice best total of the match: %lld\n",
                         (long long)(side->past + most + later * ceiling));
    }
}

static void write_gains(const struct kv_jakkolo *game, struct kv_buffer *out)
{
    const int64_t *gates = game->sides[game->turn].gates;
    int64_t now = kv_jakkolo_score(gates), gain[KV_JAKKOLO_GATES];
    for (int i = 0; i < KV_JAKKOLO_GATES; i++) {
        int64_t more[KV_JAKKOLO_GATES];
        memcpy(more, gates, sizeof more);
        more[i]++;
        gain[i] = kv_jakkolo_score(more) - now;
    }
    kv_buffer_text(out, "advice gain of the next disc by gate: ");
    write_gates(out, gain);
    kv_buffer_text(out, "\n");
}

/* Every set that the discs in hand can still complete. */
static void write_sets(const struct kv_jakkolo *game, int64_t hand, struct kv_buffer *out)
{
    const int64_t *gates = game->sides[game->turn].gates;
    int64_t sets = gates[0];
    for (int i = 1; i < KV_JAKKOLO_GATES; i++)
        sets = gates[i] < sets ? gates[i] : sets;
    for (int64_t set = sets + 1;; set++) {
        int64_t to[KV_JAKKOLO_GATES] = {set, set, set, set}, missing = 0;
        for (int i = 0; i < KV_JAKKOLO_GATES; i++)
            missing += gates[i] < set ? set - gates[i] : 0;
        if (missing > hand)
            break;
        kv_buffer_format(out, "advice set %lld needs ", (long long)set);
        write_difference(out, gates, to);
        kv_buffer_text(out, "\n");
    }
}

int kv_jakkolo_advice(const void *state, struct kv_span rest, struct kv_buffer *out, struct kv_error *error)
{
    const struct kv_jakkolo *game = state;
    if (kv_span_trim(rest).length > 0)
        return kv_fail(error, KV_E_SYNTAX, "advice: expected nothing after it");
    int64_t hand = kv_jakkolo_in_hand(game);
    kv_buffer_text(out, "advice ");
    kv_card_name_write(out, game->setup->sides[game->turn].name, false);
    kv_buffer_format(out, " has %lld and %lld %sdiscs in hand\n",
                     (long long)kv_jakkolo_score(game->sides[game->turn].gates), (long long)hand,
                     game->due ? "bonus " : "");
    write_best(game, hand, out);
    write_gains(game, out);
    write_sets(game, hand, out);
    return KV_OK;
}
