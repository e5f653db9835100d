/* Asking the scoring modules one line at a time, and looking into what they answer. */
#ifndef KV_TESTS_ASK_H
#define KV_TESTS_ASK_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/buffer.h"
#include "kvern/scoring.h"

struct asker {
    struct kv_scoring *scoring;
    struct kv_buffer answer; /* the last one, all lines */
    int status, answers;     /* what it returned; how often it emitted */
};

static inline void ask_emit(void *user, const char *bytes, size_t length)
{
    struct asker *asker = user;
    kv_buffer_add(&asker->answer, bytes, length);
    asker->answers++;
}

static inline void ask_start(struct asker *asker, unsigned flags)
{
    *asker = (struct asker){.scoring = kv_scoring_create(flags)};
}

static inline void ask_finish(struct asker *asker)
{
    kv_scoring_destroy(asker->scoring);
    kv_buffer_finish(&asker->answer);
}

static inline const char *ask_bytes(struct asker *asker, const char *line, size_t length)
{
    kv_buffer_clear(&asker->answer);
    asker->answers = 0;
    asker->status = kv_scoring_command(asker->scoring, line, length, ask_emit, asker);
    return asker->answer.data;
}

static inline const char *ask(struct asker *asker, const char *format, ...) KV_PRINTF(2, 3);

static inline const char *ask(struct asker *asker, const char *format, ...)
{
    struct kv_buffer line = {0};
    va_list arguments;
    va_start(arguments, format);
    kv_buffer_vformat(&line, format, arguments);
    va_end(arguments);
    ask_bytes(asker, line.data, line.length);
    kv_buffer_finish(&line);
    return asker->answer.data;
}

/* The state as JSON; NULL when there is none. The caller deletes it. */
static inline cJSON *ask_json(struct asker *asker, const char *game)
{
    ask(asker, "%s json", game);
    return asker->status == KV_OK ? cJSON_Parse(asker->answer.data) : NULL;
}

/* A JSON value as people write it: strings without quotes, an array by its parts. */
static inline void ask_value(const cJSON *value, char *text, size_t size)
{
    if (cJSON_IsString(value)) {
        snprintf(text, size, "%s", value->valuestring);
    } else if (cJSON_IsArray(value)) {
        size_t used = 0;
        const cJSON *item;
        text[0] = '\0';
        cJSON_ArrayForEach(item, value)
        {
            if (used > 0 && used < size - 1)
                text[used++] = ',';
            ask_value(item, text + used, size - used);
            used = strlen(text);
        }
    } else if (cJSON_IsNumber(value)) {
        snprintf(text, size, "%.10g", value->valuedouble);
    } else {
        snprintf(text, size, "%s", !value ? "(nothing)" : cJSON_IsTrue(value) ? "true" : "false");
    }
}

#endif
