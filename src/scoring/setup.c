#include "scoring/setup.h"

#include <stdlib.h>
#include <string.h>

#include "scoring/names.h"

const struct kv_card_module *const kv_card_modules[] = {&kv_molkky_module, &kv_palet_module,
                                                        &kv_jakkolo_module, NULL};

const struct kv_card_module *kv_card_module_find(struct kv_span name)
{
    for (size_t i = 0; kv_card_modules[i]; i++)
        if (kv_span_is(name, kv_card_modules[i]->name))
            return kv_card_modules[i];
    return NULL;
}

int kv_card_input_reserve(struct kv_card_input *input, size_t count, struct kv_error *error)
{
    input->count = 0;
    if (count <= input->capacity)
        return KV_OK;
    int64_t *values = realloc(input->values, count * sizeof *values);
    if (!values)
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    input->values = values;
    input->capacity = count;
    return KV_OK;
}

const struct kv_card_named *kv_card_side_find(const struct kv_card_setup *setup, struct kv_span name)
{
    return kv_card_names_find(setup->by_name, setup->side_count, name);
}

size_t kv_card_state_size(const struct kv_card_setup *setup)
{
    return setup->module->size + setup->side_count * setup->module->side_size;
}

void *kv_card_state_create(const struct kv_card_setup *setup)
{
    void *state = calloc(1, kv_card_state_size(setup));
    if (state)
        setup->module->start(state, setup);
    return state;
}

void kv_card_label(size_t row, struct kv_buffer *out)
{
    kv_buffer_format(out, "%zu", row + 1);
}

size_t kv_card_member_at(const struct kv_card_setup *setup, size_t side, size_t turns)
{
    size_t members = setup->sides[side].member_count;
    return members ? turns % members : 0;
}

static int option_index(const struct kv_card_module *module, struct kv_span key)
{
    for (int i = 0; module->options[i].name; i++)
        if (kv_span_is(key, module->options[i].name))
            return i;
    return -1;
}

static bool is_any_option(struct kv_span key)
{
    for (size_t i = 0; kv_card_modules[i]; i++)
        if (option_index(kv_card_modules[i], key) >= 0)
            return true;
    return false;
}

/* The place of `value` in "x|imo|none", or -1. */
static int choice_index(const char *choices, struct kv_span value)
{
    for (int i = 0;; i++) {
        size_t length = strcspn(choices, "|");
        if (value.length == length && memcmp(value.at, choices, length) == 0)
            return i;
        if (choices[length] == '\0')
            return -1;
        choices += length + 1;
    }
}

void kv_card_option_write(const struct kv_card_option *option, int64_t value, struct kv_buffer *out)
{
    if (!option->choices) {
        kv_buffer_format(out, "%lld", (long long)value);
        return;
    }
    const char *choice = option->choices;
    for (; value > 0; value--)
        choice = strchr(choice, '|') + 1;
    kv_buffer_add(out, choice, strcspn(choice, "|"));
}

static int read_option(const struct kv_card_option *option, struct kv_span value, int64_t *out,
                       struct kv_error *error)
{
    char shown[40];
    kv_span_show(value, shown, sizeof shown);
    if (option->choices) {
        int index = value.length > 0 ? choice_index(option->choices, value) : -1;
        if (index < 0)
            return kv_fail(error, KV_E_RANGE, "option %s=%s: expected one of %s", option->name, shown,
                           option->choices);
        *out = index;
        return KV_OK;
    }
    if (kv_span_int(value, option->low, option->high, out) != KV_OK)
        return kv_fail(error, KV_E_RANGE, "option %s=%s: expected a whole number from %lld to %lld",
                       option->name, shown, (long long)option->low, (long long)option->high);
    return KV_OK;
}

static int grow(void **array, size_t count, size_t size)
{
    /* Doubles at every power of two. */
    if (count & (count - 1))
        return KV_OK;
    void *larger = realloc(*array, (count ? 2 * count : 1) * size);
    if (!larger)
        return KV_E_MEMORY;
    *array = larger;
    return KV_OK;
}

static bool at_blank(struct kv_span rest)
{
    return rest.length == 0 || strchr(" \t\r\n", rest.at[0]);
}

static int read_members(struct kv_card_side *side, struct kv_span *rest, struct kv_error *error)
{
    do {
        rest->at++;
        rest->length--;
        if (at_blank(*rest) || rest->at[0] == ',')
            return kv_fail(error, KV_E_SYNTAX, "team '%.40s': expected a member's name after '=' and ','",
                           side->name);
        char *name;
        int status = kv_card_name_read(rest, &name, NULL, error);
        if (status != KV_OK)
            return status;
        if (grow((void **)&side->members, side->member_count, sizeof *side->members) != KV_OK) {
            free(name);
            return kv_fail(error, KV_E_MEMORY, "out of memory");
        }
        side->members[side->member_count++] = name;
    } while (rest->length > 0 && rest->at[0] == ',');
    return KV_OK;
}

/* Reads one word, a side or an option, off `rest`, which starts with no blank. */
static int read_word(struct kv_card_setup *setup, struct kv_span *rest, bool *given, struct kv_error *error)
{
    struct kv_span key = *rest, after = *rest;
    bool quoted = false;
    char *name;
    int status = kv_card_name_read(&after, &name, &quoted, error);
    if (status != KV_OK)
        return status;
    bool equals = after.length > 0 && after.at[0] == '=';
    key.length = (size_t)(after.at - rest->at);
    if (!quoted && equals && is_any_option(key)) {
        free(name);
        int i = option_index(setup->module, key);
        if (i < 0)
            return kv_fail(error, KV_E_SYNTAX, "option %.*s is not for %s (a team of that name needs quotes)",
                           (int)key.length, key.at, setup->module->name);
        if (given[i])
            return kv_fail(error, KV_E_SYNTAX, "option %.*s is given twice", (int)key.length, key.at);
        given[i] = true;
        after.at++;
        after.length--;
        *rest = after;
        return read_option(&setup->module->options[i],
                           at_blank(after) ? (struct kv_span){after.at, 0} : kv_span_token(rest),
                           &setup->options[i], error);
    }
    if (grow((void **)&setup->sides, setup->side_count, sizeof *setup->sides) != KV_OK) {
        free(name);
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    }
    struct kv_card_side *side = &setup->sides[setup->side_count++];
    *side = (struct kv_card_side){.name = name};
    *rest = after;
    if (equals) {
        status = read_members(side, rest, error);
        if (status != KV_OK)
            return status;
    }
    if (!at_blank(*rest))
        return kv_fail(error, KV_E_SYNTAX, "side '%.40s': expected a blank after it, or =MEMBER,MEMBER",
                       name);
    return KV_OK;
}

static int index_sides(struct kv_card_setup *setup, struct kv_error *error)
{
    setup->by_name = malloc(setup->side_count * sizeof *setup->by_name);
    if (!setup->by_name)
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    for (size_t i = 0; i < setup->side_count; i++)
        setup->by_name[i] = (struct kv_card_named){setup->sides[i].name, i};
    const char *twice = kv_card_names_sort(setup->by_name, setup->side_count);
    if (twice)
        return kv_fail(error, KV_E_ILLEGAL, "name '%.80s' stands twice: expected every side to have its own",
                       twice);
    return KV_OK;
}

static int check_members(const struct kv_card_setup *setup, struct kv_error *error)
{
    size_t members = 0, n = 0;
    for (size_t i = 0; i < setup->side_count; i++)
        members += setup->sides[i].member_count;
    if (members == 0)
        return KV_OK;
    struct kv_card_named *names = malloc(members * sizeof *names);
    if (!names)
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    for (size_t i = 0; i < setup->side_count; i++)
        for (size_t j = 0; j < setup->sides[i].member_count; j++)
            names[n++] = (struct kv_card_named){setup->sides[i].members[j], i};
    const char *twice = kv_card_names_sort(names, members);
    free(names);
    if (twice)
        return kv_fail(error, KV_E_ILLEGAL,
                       "name '%.80s' stands twice: expected every member to have their own", twice);
    return KV_OK;
}

static int read_words(struct kv_card_setup *setup, struct kv_span words, struct kv_error *error)
{
    bool given[KV_CARD_OPTIONS] = {false};
    for (;;) {
        while (words.length > 0 && at_blank(words)) {
            words.at++;
            words.length--;
        }
        if (words.length == 0)
            break;
        int status = read_word(setup, &words, given, error);
        if (status != KV_OK)
            return status;
    }
    if (setup->side_count < setup->module->least_sides)
        return kv_fail(error, KV_E_RANGE, "expected %zu or more sides, found %zu", setup->module->least_sides,
                       setup->side_count);
    int status = index_sides(setup, error);
    return status == KV_OK ? check_members(setup, error) : status;
}

int kv_card_setup_read(const struct kv_card_module *module, struct kv_span words, struct kv_card_setup **out,
                       struct kv_error *error)
{
    struct kv_card_setup *setup = calloc(1, sizeof *setup);
    if (!setup)
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    setup->module = module;
    for (int i = 0; module->options[i].name; i++)
        setup->options[i] = module->options[i].initial;
    int status = read_words(setup, words, error);
    if (status == KV_OK)
        *out = setup;
    else
        kv_card_setup_destroy(setup);
    return status;
}

void kv_card_setup_write(const struct kv_card_setup *setup, struct kv_buffer *out)
{
    for (size_t i = 0; i < setup->side_count; i++) {
        const struct kv_card_side *side = &setup->sides[i];
        if (i > 0)
            kv_buffer_text(out, " ");
        /* A team called as an option is: the quotes tell them apart. */
        kv_card_name_write(out, side->name, side->member_count > 0 && is_any_option(kv_span_of(side->name)));
        for (size_t j = 0; j < side->member_count; j++) {
            kv_buffer_text(out, j == 0 ? "=" : ",");
            kv_card_name_write(out, side->members[j], false);
        }
    }
    for (int i = 0; setup->module->options[i].name; i++) {
        kv_buffer_format(out, " %s=", setup->module->options[i].name);
        kv_card_option_write(&setup->module->options[i], setup->options[i], out);
    }
}

void kv_card_setup_destroy(struct kv_card_setup *setup)
{
    if (!setup)
        return;
    for (size_t i = 0; i < setup->side_count; i++) {
        for (size_t j = 0; j < setup->sides[i].member_count; j++)
            free(setup->sides[i].members[j]);
        free(setup->sides[i].members);
        free(setup->sides[i].name);
    }
    free(setup->sides);
    free(setup->by_name);
    free(setup);
}
