/* Reading lines from a person (with editing and history where libedit was found) or from a pipe. */
#ifndef KV_BASE_PROMPT_H
#define KV_BASE_PROMPT_H

#include <stdio.h>

#include "base/span.h"

struct kv_prompt;

/* From here to kv_prompt_close the signals INT, TERM and HUP only interrupt kv_prompt_read. One
 * prompt at a time. NULL when memory is short. */
struct kv_prompt *kv_prompt_open(FILE *in, FILE *out);
void kv_prompt_close(struct kv_prompt *prompt);

/* Whether a person types, as far as can be seen. Only then is the prompt text shown. */
bool kv_prompt_is_terminal(const struct kv_prompt *prompt);

/* Columns of the terminal; 0 when the output is none. */
size_t kv_prompt_columns(const struct kv_prompt *prompt);

/* The next line, which stays valid until the next call. KV_E_NOT_FOUND at the end of the input;
 * KV_E_BUSY when a signal came, whose number is then in `*number`. */
int kv_prompt_read(struct kv_prompt *prompt, const char *text, struct kv_span *line, int *number);

#endif
