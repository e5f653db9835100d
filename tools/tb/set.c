/* A directory of tables as the commands see it. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/movegen.h"
#include "tb.h"

const char *tb_subspace_text(char text[KV_TABLE_NAME_MAX], struct kv_subspace subspace)
{
    kv_table_name(text, KV_TABLE_DISTANCES, subspace);
    *strrchr(text, '.') = '\0';
    return text;
}

bool tb_parse_subspace(const char *text, struct kv_subspace *subspace)
{
    char name[KV_TABLE_NAME_MAX];
    enum kv_table_kind kind;
    if (strlen(text) > 16)
        return false;
    snprintf(name, sizeof name, "%.16s.dtm", text);
    return kv_table_parse_name(name, &kind, subspace);
}

static bool add(struct tb_set *set, struct kv_subspace subspace)
{
    for (int i = 0; i < set->count; i++)
        if (memcmp(&set->subspaces[i], &subspace, sizeof subspace) == 0)
            return true;
    struct kv_subspace *grown = realloc(set->subspaces, ((size_t)set->count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    set->subspaces = grown;
    set->subspaces[set->count++] = subspace;
    return true;
}

static bool scan(struct tb_set *set, const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    bool ok = true, has_rules = false;
    if (directory == NULL) {
        fprintf(stderr, "kvern-tb: %s: %s\n", path, strerror(errno));
        return false;
    }
    while (ok && (entry = readdir(directory)) != NULL) {
        enum kv_table_kind kind;
        struct kv_subspace subspace;
        if (!kv_table_parse_name(entry->d_name, &kind, &subspace))
            continue;
        ok = add(set, subspace);
        if (!has_rules)
            has_rules = kv_store_read_rules(path, entry->d_name, &set->rules);
    }
    closedir(directory);
    if (ok && !has_rules)
        fprintf(stderr, "kvern-tb: %s: no table that can be read\n", path);
    return ok && has_rules;
}

bool tb_set_open(struct tb_set *set, const struct tb_options *options)
{
    memset(set, 0, sizeof *set);
    set->rules = options->rules;
    if (!scan(set, options->path)) {
        free(set->subspaces);
        return false;
    }
    qsort(set->subspaces, (size_t)set->count, sizeof *set->subspaces, kv_subspace_compare);
    if (kv_index_init(&set->index, kv_board_of(&set->rules), (2u << set->rules.stones) - 1) != KV_OK) {
        fprintf(stderr, "kvern-tb: out of memory\n");
        free(set->subspaces);
        return false;
    }
    set->store = (struct kv_store){
        .path = options->path,
        .rules = &set->rules,
        .index = &set->index,
        .threads = options->threads,
        .cancel = &tb_stop,
    };
    return true;
}

void tb_set_close(struct tb_set *set)
{
    free(set->subspaces);
    kv_index_finish(&set->index);
}
