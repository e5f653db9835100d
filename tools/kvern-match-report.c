#include "kvern-match-report.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void match_report_pairing(const struct match_header *header, int pairing, int players[2])
{
    struct match_config config = {.player_count = header->name_count, .mode = header->mode};
    match_pairing(&config, pairing, players);
}

struct match_tally match_summary_tally(const struct match_summary *summary, int pairing)
{
    struct match_tally tally = {0};
    for (int i = 0; i < summary->set_count; i++)
        match_results_tally(&summary->sets[i], pairing, &tally);
    return tally;
}

enum match_verdict match_summary_verdict(const struct match_summary *summary)
{
    struct match_tally tally = match_summary_tally(summary, 0);
    return summary->sprt.on ? match_verdict(&summary->sprt, &tally) : MATCH_UNDECIDED;
}

static int pairings(const struct match_summary *summary)
{
    return summary->sets[0].pairings;
}

/* A tally as the other player sees it, added up. */
static void add_tally(struct match_tally *sum, const struct match_tally *tally, bool other)
{
    sum->wins += other ? tally->losses : tally->wins;
    sum->losses += other ? tally->wins : tally->losses;
    sum->draws += tally->draws;
    for (int i = 0; i < 5; i++)
        sum->pairs[i] += tally->pairs[other ? 4 - i : i];
}

static struct match_tally player_tally(const struct match_summary *summary, int player)
{
    struct match_tally sum = {0};
    for (int k = 0; k < pairings(summary); k++) {
        int players[2];
        match_report_pairing(summary->header, k, players);
        struct match_tally tally = match_summary_tally(summary, k);
        if (players[0] == player || players[1] == player)
            add_tally(&sum, &tally, players[1] == player);
    }
    return sum;
}

static long games_of(const struct match_tally *tally)
{
    return tally->wins + tally->draws + tally->losses;
}

static long pairs_of(const struct match_tally *tally)
{
    long sum = 0;
    for (int i = 0; i < 5; i++)
        sum += tally->pairs[i];
    return sum;
}

/* How often each ending came, by who lost: [ending][player], draws under the last index. */
struct ending_counts {
    long counts[MATCH_ENDINGS][MATCH_ENGINES_MAX + 1];
};

static void count_endings(const struct match_summary *summary, struct ending_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    for (int i = 0; i < summary->set_count; i++)
        for (int number = 0; number < summary->sets[i].count; number++) {
            const struct match_game *game = &summary->sets[i].games[number];
            if (!game->done)
                continue;
            int players[2];
            match_report_pairing(summary->header, number / 2 % pairings(summary), players);
            bool white_lost = game->result == KV_BLACK_WINS;
            int loser = players[white_lost == (number % 2 == 0) ? 0 : 1];
            counts->counts[game->ending][game->result == KV_DRAW ? MATCH_ENGINES_MAX : loser]++;
        }
}

/* ---- For people -------------------------------------------------------------------------------- */

static void add_estimate(const struct match_summary *summary, const struct match_tally *tally,
                         struct kv_buffer *out)
{
    struct match_estimate e;
    if (!match_estimate(tally, summary->trinomial || pairs_of(tally) == 0, &e))
        return;
    kv_buffer_format(
        out, "  Elo %.1f [%.1f, %.1f], normalised %.1f [%.1f, %.1f], likelihood of superiority %.1f %%\n",
        e.elo, e.elo_low, e.elo_high, e.nelo, e.nelo_low, e.nelo_high, 100 * e.los);
}

static void add_pairing(const struct match_summary *summary, int pairing, struct kv_buffer *out)
{
    int players[2];
    match_report_pairing(summary->header, pairing, players);
    struct match_tally tally = match_summary_tally(summary, pairing);
    long games = games_of(&tally);
    if (games == 0)
        return;
    kv_buffer_format(out, "%s against %s: %ld games, +%ld =%ld -%ld, %.1f %%\n",
                     summary->header->names[players[0]], summary->header->names[players[1]], games,
                     tally.wins, tally.draws, tally.losses,
                     (100.0 * (double)tally.wins + 50.0 * (double)tally.draws) / (double)games);
    kv_buffer_format(out, "  pairs by points 0, 1/2, 1, 3/2, 2: %ld %ld %ld %ld %ld\n", tally.pairs[0],
                     tally.pairs[1], tally.pairs[2], tally.pairs[3], tally.pairs[4]);
    add_estimate(summary, &tally, out);
}

static void add_sprt(const struct match_summary *summary, struct kv_buffer *out)
{
    static const char *const verdicts[] = {"undecided", "H0 accepted", "H1 accepted"};
    double low, high;
    struct match_tally tally = match_summary_tally(summary, 0);
    match_sprt_bounds(&summary->sprt, &low, &high);
    kv_buffer_format(out, "  SPRT of %s Elo %g against %g: log-likelihood ratio %.2f [%.2f, %.2f], %s\n",
                     summary->sprt.model == MATCH_NORMALISED ? "normalised" : "logistic", summary->sprt.elo1,
                     summary->sprt.elo0, match_llr(&summary->sprt, &tally), low, high,
                     verdicts[match_summary_verdict(summary)]);
}

struct standing {
    int player;
    struct match_tally tally;
};

static int by_score(const void *a, const void *b)
{
    const struct match_tally *x = &((const struct standing *)a)->tally,
                             *y = &((const struct standing *)b)->tally;
    double sx = (double)(2 * x->wins + x->draws) * (double)(games_of(y) + !games_of(y));
    double sy = (double)(2 * y->wins + y->draws) * (double)(games_of(x) + !games_of(x));
    return (sx < sy) - (sx > sy);
}

static void add_table(const struct match_summary *summary, struct kv_buffer *out)
{
    struct standing standings[MATCH_ENGINES_MAX];
    int count = summary->header->name_count;
    for (int i = 0; i < count; i++)
        standings[i] = (struct standing){i, player_tally(summary, i)};
    qsort(standings, (size_t)count, sizeof *standings, by_score);
    kv_buffer_format(out, "%4s  %-24s %6s %6s %6s %6s %7s %8s\n", "rank", "player", "games", "wins", "draws",
                     "losses", "score", "Elo");
    for (int i = 0; i < count; i++) {
        const struct match_tally *t = &standings[i].tally;
        struct match_estimate e = {.score = 0};
        if (!match_estimate(t, true, &e))
            continue;
        kv_buffer_format(out, "%4d  %-24s %6ld %6ld %6ld %6ld %6.1f%% %8.1f\n", i + 1,
                         summary->header->names[standings[i].player], games_of(t), t->wins, t->draws,
                         t->losses, 100 * e.score, e.elo);
    }
}

static void add_endings(const struct match_summary *summary, struct kv_buffer *out)
{
    struct ending_counts *counts = malloc(sizeof *counts);
    if (!counts) {
        out->failed = true;
        return;
    }
    count_endings(summary, counts);
    kv_buffer_text(out, "endings:\n");
    for (int e = 0; e < MATCH_ENDINGS; e++)
        for (int p = 0; p <= MATCH_ENGINES_MAX; p++) {
            long count = counts->counts[e][p];
            if (count > 0 && p < MATCH_ENGINES_MAX)
                kv_buffer_format(out, "  %6ld  %s, lost by %s\n", count,
                                 match_ending_text((enum match_ending)e), summary->header->names[p]);
            else if (count > 0)
                kv_buffer_format(out, "  %6ld  %s, drawn\n", count, match_ending_text((enum match_ending)e));
        }
    free(counts);
}

void match_report_text(const struct match_summary *summary, struct kv_buffer *out)
{
    if (summary->header->name_count > 2)
        add_table(summary, out);
    for (int k = 0; k < pairings(summary); k++)
        add_pairing(summary, k, out);
    if (summary->sprt.on)
        add_sprt(summary, out);
    add_endings(summary, out);
}

/* ---- For programs ------------------------------------------------------------------------------ */

/* Infinite numbers have no JSON; they become null. */
static void json_real(cJSON *object, const char *name, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, name, value);
    else
        cJSON_AddNullToObject(object, name);
}

static cJSON *json_pairing(const struct match_summary *summary, int pairing)
{
    int players[2];
    struct match_tally tally = match_summary_tally(summary, pairing);
    struct match_estimate e;
    cJSON *object = cJSON_CreateObject();
    match_report_pairing(summary->header, pairing, players);
    cJSON_AddStringToObject(object, "first", summary->header->names[players[0]]);
    cJSON_AddStringToObject(object, "second", summary->header->names[players[1]]);
    cJSON_AddNumberToObject(object, "games", (double)games_of(&tally));
    cJSON_AddNumberToObject(object, "wins", (double)tally.wins);
    cJSON_AddNumberToObject(object, "draws", (double)tally.draws);
    cJSON_AddNumberToObject(object, "losses", (double)tally.losses);
    cJSON *pairs = cJSON_AddArrayToObject(object, "pairs");
    for (int i = 0; i < 5; i++)
        cJSON_AddItemToArray(pairs, cJSON_CreateNumber((double)tally.pairs[i]));
    if (!match_estimate(&tally, summary->trinomial || pairs_of(&tally) == 0, &e))
        return object;
    json_real(object, "score", e.score);
    json_real(object, "elo", e.elo);
    json_real(object, "elo_low", e.elo_low);
    json_real(object, "elo_high", e.elo_high);
    json_real(object, "nelo", e.nelo);
    json_real(object, "nelo_low", e.nelo_low);
    json_real(object, "nelo_high", e.nelo_high);
    json_real(object, "los", e.los);
    return object;
}

static void json_sprt(const struct match_summary *summary, cJSON *root)
{
    static const char *const verdicts[] = {"undecided", "H0", "H1"};
    double low, high;
    struct match_tally tally = match_summary_tally(summary, 0);
    match_sprt_bounds(&summary->sprt, &low, &high);
    cJSON *sprt = cJSON_AddObjectToObject(root, "sprt");
    json_real(sprt, "elo0", summary->sprt.elo0);
    json_real(sprt, "elo1", summary->sprt.elo1);
    json_real(sprt, "llr", match_llr(&summary->sprt, &tally));
    json_real(sprt, "low", low);
    json_real(sprt, "high", high);
    cJSON_AddStringToObject(sprt, "verdict", verdicts[match_summary_verdict(summary)]);
}

static void json_endings(const struct match_summary *summary, cJSON *root)
{
    struct ending_counts *counts = malloc(sizeof *counts);
    cJSON *endings = cJSON_AddArrayToObject(root, "endings");
    if (!counts)
        return;
    count_endings(summary, counts);
    for (int e = 0; e < MATCH_ENDINGS; e++)
        for (int p = 0; p <= MATCH_ENGINES_MAX; p++) {
            if (counts->counts[e][p] == 0)
                continue;
            cJSON *row = cJSON_CreateObject();
            cJSON_AddStringToObject(row, "ending", match_ending_text((enum match_ending)e));
            cJSON_AddNumberToObject(row, "games", (double)counts->counts[e][p]);
            if (p < MATCH_ENGINES_MAX)
                cJSON_AddStringToObject(row, "loser", summary->header->names[p]);
            else
                cJSON_AddNullToObject(row, "loser");
            cJSON_AddItemToArray(endings, row);
        }
    free(counts);
}

void match_report_json(const struct match_summary *summary, struct kv_buffer *out)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "type", "report");
    cJSON *rows = cJSON_AddArrayToObject(root, "pairings");
    for (int k = 0; k < pairings(summary); k++)
        cJSON_AddItemToArray(rows, json_pairing(summary, k));
    if (summary->sprt.on)
        json_sprt(summary, root);
    json_endings(summary, root);
    match_json_line(root, out);
}
