#include "base/prompt.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef KV_LIBEDIT
#include <histedit.h>
#endif

enum { SIGNALS = 3 };
static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

static volatile sig_atomic_t caught;

struct kv_prompt {
    FILE *in, *out;
    bool terminal;
    char *line;
    size_t capacity;
    struct sigaction before[SIGNALS];
#ifdef KV_LIBEDIT
    EditLine *editor;
    History *history;
    const char *text;
#endif
};

static void catch_signal(int number)
{
    caught = number;
}

#ifdef KV_LIBEDIT
static char *prompt_text(EditLine *editor)
{
    struct kv_prompt *prompt = NULL;
    el_get(editor, EL_CLIENTDATA, &prompt);
    return (char *)(uintptr_t)prompt->text;
}

static void open_editor(struct kv_prompt *prompt)
{
    HistEvent event;
    /* Letters beyond ASCII can be edited only in the locale of the terminal; numbers stay as they are. */
    setlocale(LC_CTYPE, "");
    prompt->editor = el_init("kvern", prompt->in, prompt->out, stderr);
    prompt->history = history_init();
    if (!prompt->editor)
        return;
    el_set(prompt->editor, EL_CLIENTDATA, prompt);
    el_set(prompt->editor, EL_PROMPT, prompt_text);
    el_set(prompt->editor, EL_EDITOR, "emacs");
    el_set(prompt->editor, EL_SIGNAL, 0);
    if (prompt->history) {
        history(prompt->history, &event, H_SETSIZE, 500);
        el_set(prompt->editor, EL_HIST, history, prompt->history);
    }
}

static int read_edited(struct kv_prompt *prompt, const char *text, struct kv_span *line)
{
    int count = 0;
    HistEvent event;
    prompt->text = text;
    errno = 0;
    const char *typed = el_gets(prompt->editor, &count);
    if (!typed || count <= 0)
        return KV_E_NOT_FOUND;
    *line = (struct kv_span){typed, (size_t)count};
    if (prompt->history && kv_span_trim(*line).length > 0)
        history(prompt->history, &event, H_ENTER, typed);
    return KV_OK;
}
#endif

struct kv_prompt *kv_prompt_open(FILE *in, FILE *out)
{
    struct kv_prompt *prompt = calloc(1, sizeof *prompt);
    if (!prompt)
        return NULL;
    prompt->in = in;
    prompt->out = out;
    prompt->terminal = isatty(fileno(in)) && isatty(fileno(out));
    /* Without SA_RESTART, so that a read that waits comes back. */
    struct sigaction action = {.sa_handler = catch_signal};
    sigemptyset(&action.sa_mask);
    caught = 0;
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, &prompt->before[i]);
#ifdef KV_LIBEDIT
    if (prompt->terminal)
        open_editor(prompt);
#endif
    return prompt;
}

void kv_prompt_close(struct kv_prompt *prompt)
{
    if (!prompt)
        return;
#ifdef KV_LIBEDIT
    if (prompt->history)
        history_end(prompt->history);
    if (prompt->editor)
        el_end(prompt->editor);
#endif
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &prompt->before[i], NULL);
    free(prompt->line);
    free(prompt);
}

bool kv_prompt_is_terminal(const struct kv_prompt *prompt)
{
    return prompt->terminal;
}

size_t kv_prompt_columns(const struct kv_prompt *prompt)
{
    struct winsize size;
    if (!isatty(fileno(prompt->out)))
        return 0;
    if (ioctl(fileno(prompt->out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

static int read_plain(struct kv_prompt *prompt, const char *text, struct kv_span *line)
{
    if (prompt->terminal) {
        fputs(text, prompt->out);
        fflush(prompt->out);
    }
    ssize_t length = getline(&prompt->line, &prompt->capacity, prompt->in);
    if (length < 0) {
        clearerr(prompt->in);
        return KV_E_NOT_FOUND;
    }
    *line = (struct kv_span){prompt->line, (size_t)length};
    return KV_OK;
}

int kv_prompt_read(struct kv_prompt *prompt, const char *text, struct kv_span *line, int *number)
{
    int status = KV_E_NOT_FOUND;
    if (!caught) {
#ifdef KV_LIBEDIT
        status = prompt->editor ? read_edited(prompt, text, line) : read_plain(prompt, text, line);
#else
        status = read_plain(prompt, text, line);
#endif
    }
    /* A line that was read is answered first; the signal is told with the next call. */
    if (status == KV_OK || !caught)
        return status;
    *number = caught;
    caught = 0;
    return KV_E_BUSY;
}
