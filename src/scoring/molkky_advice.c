#include "scoring/molkky.h"

#include <math.h>
#include <string.h>

enum { GOAL = KV_MOLKKY_GOAL, FALL = 25 };

/* The value of aiming at `pin` from total `t` with `x` X, when the states are worth what `chances` says. */
static double value_of(double p, const struct kv_molkky_chances *chances, int t, int x, int pin)
{
    int next = t + pin;
    double hit = next == GOAL ? 1 : chances->chance[next > GOAL ? FALL : next][0];
    double miss = x == 2 ? 0 : chances->chance[t][x + 1];
    return p * hit + (1 - p) * miss;
}

/* The values never fall from one sweep to the next and end on a fixed point: aiming so as to go over
 * 50 is never better than the pin that wins, so there is no circle to wait for. Going down from 49,
 * most of the work is done in the first sweep. */
void kv_molkky_solve(double p, struct kv_molkky_chances *out)
{
    memset(out, 0, sizeof *out);
    for (bool changed = true; changed;) {
        changed = false;
        for (int t = GOAL - 1; t >= 0; t--)
            for (int x = 2; x >= 0; x--) {
                double best = 0;
                for (int pin = 1; pin <= 12; pin++)
                    best = fmax(best, value_of(p, out, t, x, pin));
                if (best > out->chance[t][x]) {
                    out->chance[t][x] = best;
                    changed = true;
                }
            }
    }
    for (int t = 0; t < GOAL; t++)
        for (int x = 0; x < 3; x++) {
            int pin = 1;
            /* Rounding must not decide between equals. */
            while (pin < 12 && value_of(p, out, t, x, pin) < out->chance[t][x] * (1 - 1e-12))
                pin++;
            out->target[t][x] = pin;
        }
}

/* A decimal from 0 to 1, "0.7", whatever the locale says; at most 15 digits, which are exact. */
static int read_chance(struct kv_span text, double *p)
{
    double digits = 0, unit = 1;
    size_t whole = 0;
    if (text.length == 0 || text.length > 16)
        return KV_E_SYNTAX;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        if (c == '.' && whole == 0 && i > 0 && i + 1 < text.length) {
            whole = i;
            continue;
        }
        if (c < '0' || c > '9')
            return KV_E_SYNTAX;
        digits = digits * 10 + (c - '0');
        if (whole > 0)
            unit *= 10;
    }
    if (digits > unit)
        return KV_E_RANGE;
    *p = digits / unit;
    return KV_OK;
}

static void write_throw(const struct kv_molkky *game, struct kv_buffer *out)
{
    int total = game->sides[game->turn].total, needs = GOAL - total;
    kv_buffer_text(out, "advice ");
    kv_card_name_write(out, game->setup->sides[game->turn].name, false);
    kv_buffer_format(out, " has %d and needs %d\n", total, needs);
    if (needs == 1)
        kv_buffer_text(out, "advice wins: pin 1\n");
    else if (needs <= 12)
        kv_buffer_format(out, "advice wins: pin %d, or any %d pins\n", needs, needs);
    else
        kv_buffer_text(out, "advice wins: nothing on this throw\n");
    if (needs == 11)
        kv_buffer_text(out, "advice bursts: 12\n");
    else if (needs < 11)
        kv_buffer_format(out, "advice bursts: %d to 12\n", needs + 1);
    else
        kv_buffer_text(out, "advice bursts: nothing\n");
}

static void write_names(const struct kv_molkky *game, const char *title,
                        bool (*holds)(const struct kv_molkky_side *), struct kv_buffer *out)
{
    bool any = false;
    kv_buffer_format(out, "advice %s:", title);
    for (size_t side = 0; side < game->setup->side_count; side++)
        if (!game->sides[side].out && holds(&game->sides[side])) {
            kv_buffer_text(out, any ? ", " : " ");
            kv_card_name_write(out, game->setup->sides[side].name, false);
            any = true;
        }
    kv_buffer_text(out, any ? "\n" : " nobody\n");
}

static bool can_win(const struct kv_molkky_side *side)
{
    return side->total >= GOAL - 12;
}

static bool nearly_out(const struct kv_molkky_side *side)
{
    return side->run == 2;
}

int kv_molkky_advice(const void *state, struct kv_span rest, struct kv_buffer *out, struct kv_error *error)
{
    const struct kv_molkky *game = state;
    struct kv_span word = kv_span_token(&rest);
    double p = -1;
    if (word.length > 0) {
        char shown[40];
        kv_span_show(word, shown, sizeof shown);
        bool named = kv_span_starts(word, "p=");
        if (!named || kv_span_token(&rest).length > 0 ||
            read_chance((struct kv_span){word.at + 2, word.length - 2}, &p) != KV_OK)
            return kv_fail(error, KV_E_SYNTAX,
                           "advice '%s': expected p= and a chance from 0 to 1, as in p=0.7", shown);
    }
    write_throw(game, out);
    write_names(game, "can win on the next throw", can_win, out);
    write_names(game, "one X from out", nearly_out, out);
    if (p >= 0) {
        struct kv_molkky_chances chances;
        kv_molkky_solve(p, &chances);
        const struct kv_molkky_side *side = &game->sides[game->turn];
        kv_buffer_format(out, "advice target: pin %d, chance of 50 before three X %.9f at p=%.*s\n",
                         chances.target[side->total][side->run], chances.chance[side->total][side->run],
                         (int)word.length - 2, word.at + 2);
    }
    return KV_OK;
}
