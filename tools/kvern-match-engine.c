#include "kvern-match-engine.h"

#include <string.h>

#include "base/clock.h"

/* More output than this for one command, or a line longer than that, is a flood. */
enum { FLOOD_BYTES = 16 << 20, LINE_MAX_BYTES = 1 << 20 };
/* How long a program may take to quit, and to end after its output has. */
enum { GRACE_MS = 500, END_MS = 200 };

/* ---- Lines ------------------------------------------------------------------------------------- */

/* Takes in what the program has written. */
static enum match_fault take_in(struct match_engine *engine)
{
    char chunk[65536];
    long got = kv_process_read(&engine->process, chunk, sizeof chunk);
    if (got == KV_E_BUSY)
        return FAULT_NONE;
    if (got <= 0)
        return kv_process_ends(&engine->process, END_MS) ? FAULT_EXIT : FAULT_CLOSED;
    if (engine->at > 0 && engine->at == engine->input.length) {
        kv_buffer_clear(&engine->input);
        engine->at = 0;
    }
    kv_buffer_add(&engine->input, chunk, (size_t)got);
    engine->bytes += (uint64_t)got;
    return engine->bytes > FLOOD_BYTES || engine->input.failed ? FAULT_FLOOD : FAULT_NONE;
}

/* The next whole line that is already here. */
static bool next_line(struct match_engine *engine, struct kv_span *line)
{
    size_t left = engine->input.length - engine->at;
    const char *start = left ? engine->input.data + engine->at : NULL;
    const char *end = left ? memchr(start, '\n', left) : NULL;
    if (!end)
        return false;
    *line = kv_span_trim((struct kv_span){start, (size_t)(end - start)});
    engine->at += (size_t)(end - start) + 1;
    return true;
}

/* The next line, waited for. */
static enum match_fault read_line(struct match_engine *engine, int64_t deadline_ns, struct kv_span *line)
{
    while (!next_line(engine, line)) {
        if (engine->input.length - engine->at > LINE_MAX_BYTES)
            return FAULT_FLOOD;
        int status = kv_process_wait(&engine->process, false, deadline_ns);
        if (status == KV_E_NOT_FOUND)
            return FAULT_INTERRUPTED;
        if (status != KV_OK)
            return engine->garbage ? FAULT_GARBAGE : FAULT_SILENT;
        enum match_fault fault = take_in(engine);
        if (fault)
            return fault;
    }
    return FAULT_NONE;
}

/* Sends it all, taking in what the program writes meanwhile, lest both wait for each other. */
static enum match_fault send_all(struct match_engine *engine, const char *bytes, size_t length,
                                 int64_t deadline_ns)
{
    engine->bytes = 0;
    engine->garbage = false;
    while (length > 0) {
        long sent = kv_process_write(&engine->process, bytes, length);
        if (sent == KV_E_IO)
            return kv_process_ends(&engine->process, END_MS) ? FAULT_EXIT : FAULT_CLOSED;
        if (sent > 0) {
            bytes += sent;
            length -= (size_t)sent;
            continue;
        }
        int status = kv_process_wait(&engine->process, true, deadline_ns);
        if (status == KV_E_NOT_FOUND)
            return FAULT_INTERRUPTED;
        if (status != KV_OK)
            return FAULT_SILENT;
        enum match_fault fault = take_in(engine);
        if (fault)
            return fault;
    }
    return FAULT_NONE;
}

static enum match_fault send_text(struct match_engine *engine, const char *text, int64_t deadline_ns)
{
    return send_all(engine, text, strlen(text), deadline_ns);
}

/* Waits for a line that is just this word; `each` sees the others. */
static enum match_fault wait_for(struct match_engine *engine, const char *word, int64_t deadline_ns,
                                 void (*each)(void *user, struct kv_span line), void *user)
{
    for (;;) {
        struct kv_span line;
        enum match_fault fault = read_line(engine, deadline_ns, &line);
        if (fault)
            return fault;
        if (kv_span_is(line, word))
            return FAULT_NONE;
        if (each)
            each(user, line);
    }
}

/* ---- Starting and ending ----------------------------------------------------------------------- */

/* Which rules the program has options for. */
struct known_rules {
    bool variant, rules[64];
};

static void note_option(void *user, struct kv_span line)
{
    struct known_rules *known = user;
    struct kv_span rest = line;
    if (!kv_span_is(kv_span_token(&rest), "option") || !kv_span_is(kv_span_token(&rest), "name"))
        return;
    struct kv_span name = kv_span_token(&rest);
    known->variant |= kv_span_is_nocase(name, "UCI_Variant");
    const struct kv_rule *rule = kv_rule_find(name.at, name.length);
    if (rule && rule - kv_rule_table < 64)
        known->rules[rule - kv_rule_table] = true;
}

static void add_setup(struct kv_buffer *out, const struct match_config *config,
                      const struct match_player *player, const struct known_rules *known)
{
    char value[24];
    if (known->variant)
        kv_buffer_format(out, "setoption name UCI_Variant value %s\n",
                         kv_variants[config->rules.variant].name);
    for (int i = 0; i < kv_rule_count && i < 64; i++)
        if (known->rules[i])
            kv_buffer_format(out, "setoption name %s value %s\n", kv_rule_table[i].name,
                             kv_rule_text(&config->rules, &kv_rule_table[i], value));
    for (int i = 0; i < player->option_count; i++)
        if (player->options[i][1][0])
            kv_buffer_format(out, "setoption name %s value %s\n", player->options[i][0],
                             player->options[i][1]);
        else
            kv_buffer_format(out, "setoption name %s\n", player->options[i][0]);
}

static enum match_fault greet(struct match_engine *engine, const struct match_config *config)
{
    const struct match_player *player = engine->player;
    int64_t deadline = kv_clock_ns() + config->start_ns;
    struct known_rules known = {0};
    enum match_fault fault = send_text(engine, player->ugi ? "ugi\n" : "uci\n", deadline);
    if (!fault)
        fault = wait_for(engine, player->ugi ? "ugiok" : "uciok", deadline, note_option, &known);
    if (fault)
        return fault;
    struct kv_buffer setup = {0};
    add_setup(&setup, config, player, &known);
    if (setup.length)
        fault = send_all(engine, setup.data, setup.length, deadline);
    kv_buffer_finish(&setup);
    return fault;
}

enum match_fault match_engine_start(struct match_engine *engine, const struct match_config *config,
                                    const struct match_player *player)
{
    if (engine->process.pid && engine->player == player)
        return FAULT_NONE;
    match_engine_stop(engine, true);
    engine->player = player;
    if (kv_process_start(&engine->process, (const char *const *)player->words, player->directory, NULL))
        return FAULT_START;
    enum match_fault fault = greet(engine, config);
    if (!fault)
        return fault;
    match_engine_stop(engine, false);
    return fault == FAULT_INTERRUPTED ? fault : FAULT_START;
}

void match_engine_stop(struct match_engine *engine, bool politely)
{
    if (engine->process.pid) {
        if (politely)
            send_text(engine, "quit\n", kv_clock_ns());
        kv_process_end(&engine->process, politely ? GRACE_MS : 0);
    }
    kv_buffer_finish(&engine->input);
    kv_buffer_finish(&engine->answer);
    *engine = (struct match_engine){0};
}

enum match_fault match_engine_new_game(struct match_engine *engine, const struct match_config *config)
{
    int64_t deadline = kv_clock_ns() + config->start_ns;
    const char *text = engine->player->ugi ? "uginewgame\nisready\n" : "ucinewgame\nisready\n";
    enum match_fault fault = send_text(engine, text, deadline);
    return fault ? fault : wait_for(engine, "readyok", deadline, NULL, NULL);
}

/* ---- Searching --------------------------------------------------------------------------------- */

static void read_info(struct match_engine *engine, struct kv_span rest)
{
    struct match_report *report = &engine->report;
    for (struct kv_span word; (word = kv_span_token(&rest)).length > 0;) {
        int64_t value;
        if (kv_span_is(word, "string") || kv_span_is(word, "pv"))
            return;
        if (kv_span_is(word, "multipv") && kv_span_int(kv_span_token(&rest), 0, 1, &value) != KV_OK)
            return;
        if (kv_span_is(word, "depth") && kv_span_int(kv_span_token(&rest), 0, 1000, &value) == KV_OK)
            report->depth = (int)value;
        if (!kv_span_is(word, "score"))
            continue;
        struct kv_span kind = kv_span_token(&rest);
        if (kv_span_int(kv_span_token(&rest), -1000000, 1000000, &value) == KV_OK) {
            report->mate = kv_span_is(kind, "mate");
            report->has_score = report->mate || kv_span_is(kind, "cp");
            report->score = (int)value;
            if (report->mate && engine->player->ugi) /* plies there */
                report->score = (int)(value + (value > 0)) / 2;
        }
    }
}

/* Does the line hold a bestmove, and what follows it? */
static bool find_answer(const struct match_engine *engine, struct kv_span line, struct kv_span *rest)
{
    *rest = line;
    struct kv_span first = kv_span_token(rest);
    if (kv_span_is(first, "bestmove"))
        return true;
    if (!engine->player->one_line || !kv_span_is(first, "info"))
        return false;
    for (struct kv_span word; (word = kv_span_token(rest)).length > 0;)
        if (kv_span_is(word, "bestmove"))
            return true;
    return false;
}

static bool means_something(struct kv_span line)
{
    static const char *const first_words[] = {"info",  "option", "id",          "readyok",
                                              "uciok", "ugiok",  "registration"};
    struct kv_span word = kv_span_token(&line);
    for (size_t i = 0; i < sizeof first_words / sizeof *first_words; i++)
        if (kv_span_is(word, first_words[i]))
            return true;
    return word.length == 0;
}

/* Asks whether the program is ready. What it wrote since its last answer comes before readyok, and should
 * hold no other answer. */
static enum match_fault check_ready(struct match_engine *engine, int64_t deadline_ns)
{
    struct kv_span line, rest;
    bool twice = false;
    enum match_fault fault = send_text(engine, "isready\n", deadline_ns);
    while (!fault) {
        fault = read_line(engine, deadline_ns, &line);
        if (!fault && kv_span_is(line, "readyok"))
            return twice ? FAULT_TWICE : FAULT_NONE;
        twice |= !fault && find_answer(engine, line, &rest);
    }
    return fault;
}

enum match_fault match_engine_go(struct match_engine *engine, const struct kv_buffer *commands,
                                 const struct match_config *config, int64_t allowed_ns, int64_t *sent_ns)
{
    engine->report = (struct match_report){0};
    enum match_fault fault = check_ready(engine, kv_clock_ns() + config->start_ns);
    int64_t deadline_ns = kv_clock_ns() + allowed_ns;
    if (!fault)
        fault = send_all(engine, commands->data, commands->length, deadline_ns);
    *sent_ns = kv_clock_ns();
    while (!fault) {
        struct kv_span line, rest;
        fault = read_line(engine, deadline_ns, &line);
        if (fault)
            break;
        if (kv_span_starts(line, "info"))
            read_info(engine, line);
        else
            engine->garbage |= !means_something(line);
        if (!find_answer(engine, line, &rest))
            continue;
        engine->answer_ns = kv_clock_ns();
        kv_buffer_clear(&engine->answer);
        kv_buffer_add(&engine->answer, rest.at, rest.length);
        return engine->answer.failed ? FAULT_FLOOD : FAULT_NONE;
    }
    return fault;
}
