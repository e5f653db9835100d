/* Commands about the session: who is there, options, a new game, the end. */
#include "protocol/session.h"

#include <string.h>

static void list_option(struct kv_protocol *protocol, const struct kv_option *option)
{
    static const char *const types[] = {"check", "spin", "combo", "string", "button"};
    kv_buffer_format(&protocol->answer, "option name %s type %s", option->name, types[option->type]);
    if (option->type == KV_OPTION_STRING)
        kv_buffer_text(&protocol->answer, " default <empty>");
    else if (option->type != KV_OPTION_BUTTON)
        kv_buffer_format(&protocol->answer, " default %s", option->standard);
    if (option->type == KV_OPTION_SPIN)
        kv_buffer_format(&protocol->answer, " min %lld max %lld", (long long)option->low,
                         (long long)option->high);
    for (int i = 0; option->choices[i]; i++)
        kv_buffer_format(&protocol->answer, " var %s", option->choices[i]);
    kv_buffer_text(&protocol->answer, "\n");
}

static void introduce(struct kv_protocol *protocol, bool ugi)
{
    protocol->ugi = ugi;
    kv_answer(protocol, "id name Kvern %s", kv_version());
    kv_answer(protocol, "id author the Kvern developers");
    for (int row = 0; row < kv_option_count(); row++) {
        struct kv_option option;
        kv_option_row(row, &option);
        list_option(protocol, &option);
    }
    kv_answer(protocol, "%s", ugi ? "ugiok" : "uciok");
}

void kv_command_uci(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
    introduce(protocol, false);
}

void kv_command_ugi(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
    introduce(protocol, true);
}

void kv_command_isready(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
    int status = kv_engine_get_ready(protocol->engine);
    if (status)
        kv_answer_error(protocol, "isready: Hash: %s", kv_status_text(status));
    kv_answer(protocol, "readyok");
}

void kv_command_quit(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
    protocol->quit = true;
    kv_protocol_stop(protocol);
}

void kv_command_newgame(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
    int status = kv_engine_new_game(protocol->engine);
    if (status)
        kv_answer_error(protocol, "ucinewgame: %s", kv_status_text(status));
}

/* ---- setoption -------------------------------------------------------------------------------- */

/* Cuts "name N value V" apart: the name with single spaces in `name`, the value as it stands.
 * KV_E_SYNTAX when there is no name. */
static int split_option(struct kv_span words, struct kv_buffer *name, struct kv_span *value)
{
    *value = (struct kv_span){NULL, 0};
    if (!kv_span_is_nocase(kv_span_token(&words), "name"))
        return KV_E_SYNTAX;
    for (;;) {
        struct kv_span word = kv_span_token(&words);
        if (word.length == 0)
            break;
        if (kv_span_is_nocase(word, "value")) {
            *value = kv_span_trim(words);
            break;
        }
        if (name->length > 0)
            kv_buffer_text(name, " ");
        kv_buffer_add(name, word.at, word.length);
    }
    if (name->failed)
        return KV_E_MEMORY;
    return name->length > 0 ? KV_OK : KV_E_SYNTAX;
}

void kv_command_setoption(struct kv_protocol *protocol, struct kv_span words)
{
    struct kv_buffer name = {0};
    struct kv_span value;
    struct kv_error error = {""};
    int status = split_option(words, &name, &value);
    if (status)
        kv_fail(&error, status, "%s", status == KV_E_MEMORY ? "out of memory" : "expected name N [value V]");
    else
        status =
            kv_engine_set_option(protocol->engine, name.data, name.length, value.at, value.length, &error);
    if (status)
        kv_answer_error(protocol, "setoption: %s", error.text);
    kv_buffer_finish(&name);
}

/* ---- compiler --------------------------------------------------------------------------------- */

void kv_command_compiler(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
#if defined(__clang__)
    kv_answer(protocol, "Compiled by clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    kv_answer(protocol, "Compiled by gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    kv_answer(protocol, "Compiled by an unknown compiler");
#endif
#if defined(__linux__)
    const char *system = "Linux";
#elif defined(__EMSCRIPTEN__)
    const char *system = "WebAssembly";
#elif defined(__APPLE__)
    const char *system = "macOS";
#else
    const char *system = "an unknown system";
#endif
    kv_answer(protocol, "for %s, %d bits", system, (int)(8 * sizeof(void *)));
    kv_buffer_text(&protocol->answer, "with");
#ifdef __BMI2__
    kv_buffer_text(&protocol->answer, " bmi2");
#endif
#ifdef __AVX2__
    kv_buffer_text(&protocol->answer, " avx2");
#endif
#ifdef __POPCNT__
    kv_buffer_text(&protocol->answer, " popcnt");
#endif
#ifdef NDEBUG
    kv_buffer_text(&protocol->answer, " without assertions\n");
#else
    kv_buffer_text(&protocol->answer, " assertions\n");
#endif
}
