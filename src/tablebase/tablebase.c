/* The tables of one set of rules: the built-in endgames, computed in a thread of their own. */
#include "tablebase/tablebase.h"

#include <stdlib.h>

#include "base/thread.h"
#include "board/movegen.h"
#include "tablebase/folder.h"
#include "tablebase/opening.h"
#include "tablebase/retro.h"

enum { FEWEST = 3, MOST = 4 }; /* stones a side in the built-in endgames */

enum state { IDLE, COMPUTING, READY, FAILED };

struct kv_tablebase {
    struct kv_rules rules;
    struct kv_mutex mutex;
    struct kv_condition changed; /* `state` has left COMPUTING */
    struct kv_thread thread;
    bool has_thread;
    struct kv_folder *folder;   /* NULL: no files */
    struct kv_opening *opening; /* NULL under rules it does not fit */
    _Atomic int state;
    _Atomic bool cancel;
    /* written before `state` becomes READY, constant from then on */
    struct kv_index index;
    uint8_t *values[MOST + 1][MOST + 1]; /* [mover][other], a byte a slot as in retro.h */
};

static bool rules_can_be_held(const struct kv_rules *rules)
{
    return rules->reclose_mill == KV_RECLOSE_ALLOWED && rules->no_capture_limit == 0;
}

/* Is a-b one of the built-in endgames? */
static bool is_built_in(const struct kv_rules *rules, int a, int b)
{
    return a >= FEWEST && b >= FEWEST && a + b <= FEWEST + MOST && a <= rules->stones && b <= rules->stones;
}

int kv_tablebase_create(struct kv_tablebase **tablebase, const struct kv_rules *rules)
{
    struct kv_tablebase *made = calloc(1, sizeof *made);
    if (made == NULL)
        return KV_E_MEMORY;
    made->rules = *rules;
    if (kv_opening_fits(rules) && kv_opening_create(&made->opening) == KV_E_MEMORY) {
        free(made);
        return KV_E_MEMORY;
    }
    kv_mutex_init(&made->mutex);
    kv_condition_init(&made->changed);
    *tablebase = made;
    return KV_OK;
}

static void forget(struct kv_tablebase *tablebase)
{
    for (int a = FEWEST; a <= MOST; a++)
        for (int b = FEWEST; b <= MOST; b++) {
            free(tablebase->values[a][b]);
            tablebase->values[a][b] = NULL;
        }
    kv_index_finish(&tablebase->index);
}

void kv_tablebase_destroy(struct kv_tablebase *tablebase)
{
    if (tablebase == NULL)
        return;
    atomic_store(&tablebase->cancel, true);
    if (tablebase->has_thread)
        kv_thread_join(&tablebase->thread);
    forget(tablebase);
    kv_folder_close(tablebase->folder);
    kv_opening_destroy(tablebase->opening);
    kv_condition_finish(&tablebase->changed);
    kv_mutex_finish(&tablebase->mutex);
    free(tablebase);
}

/* ---- Computing -------------------------------------------------------------------------------- */

static int allocate_pair(struct kv_tablebase *tablebase, struct kv_retro *retro, uint16_t *states[2])
{
    for (int s = 0; s < retro->sides; s++) {
        struct kv_retro_side *side = &retro->side[s];
        struct kv_block_job *job = &side->job;
        job->values = calloc(side->value_blocks, side->value_block);
        tablebase->values[job->mover][job->other] = job->values;
        side->states = states[s] =
            malloc((size_t)side->state_blocks * side->state_block * sizeof *side->states);
        for (int taken = 1; taken <= 2; taken++)
            if (job->other - taken >= FEWEST)
                job->after[taken] = tablebase->values[job->other - taken][job->mover];
        if (job->values == NULL || side->states == NULL)
            return KV_E_MEMORY;
    }
    return KV_OK;
}

static int compute_pair(struct kv_tablebase *tablebase, int a, int b)
{
    struct kv_retro retro;
    uint16_t *states[2] = {NULL, NULL};
    int status = kv_retro_init(&retro, &tablebase->index, &tablebase->rules, a, b);
    if (status)
        return status;
    retro.cancel = &tablebase->cancel;
    status = allocate_pair(tablebase, &retro, states);
    if (status == KV_OK)
        status = kv_retro_run(&retro, 1);
    free(states[0]);
    free(states[1]);
    kv_retro_finish(&retro);
    return status;
}

static void compute(void *argument)
{
    struct kv_tablebase *tablebase = argument;
    const struct kv_rules *rules = &tablebase->rules;
    uint32_t used = 1u << FEWEST | (rules->stones >= MOST ? 1u << MOST : 0);
    int status = kv_index_init(&tablebase->index, kv_board_of(rules), used);
    if (status == KV_OK)
        status = compute_pair(tablebase, FEWEST, FEWEST);
    if (status == KV_OK && rules->stones >= MOST)
        status = compute_pair(tablebase, FEWEST, MOST);
    if (status)
        forget(tablebase);
    kv_mutex_lock(&tablebase->mutex);
    atomic_store_explicit(&tablebase->state, status ? FAILED : READY, memory_order_release);
    kv_condition_signal_all(&tablebase->changed);
    kv_mutex_unlock(&tablebase->mutex);
}

/* Do the files hold all that would be computed? */
static bool files_suffice(const struct kv_tablebase *tablebase)
{
    const struct kv_folder *folder = tablebase->folder;
    for (int a = FEWEST; a <= MOST && folder; a++)
        for (int b = FEWEST; b <= MOST; b++)
            if (is_built_in(&tablebase->rules, a, b) &&
                !kv_folder_has_distances(folder, (struct kv_subspace){(uint8_t)a, (uint8_t)b, 0, 0}))
                return false;
    return folder != NULL;
}

void kv_tablebase_want(struct kv_tablebase *tablebase)
{
    if (!rules_can_be_held(&tablebase->rules) || files_suffice(tablebase))
        return;
    int idle = IDLE;
    if (!atomic_compare_exchange_strong(&tablebase->state, &idle, COMPUTING))
        return;
    tablebase->has_thread = kv_thread_start(&tablebase->thread, compute, tablebase) == KV_OK;
    if (!tablebase->has_thread)
        atomic_store(&tablebase->state, IDLE);
}

bool kv_tablebase_wait(struct kv_tablebase *tablebase, int64_t deadline_ns)
{
    bool in_time = true;
    kv_mutex_lock(&tablebase->mutex);
    while (atomic_load(&tablebase->state) == COMPUTING && in_time)
        in_time = kv_condition_wait_until(&tablebase->changed, &tablebase->mutex, deadline_ns);
    kv_mutex_unlock(&tablebase->mutex);
    return atomic_load(&tablebase->state) == READY;
}

/* ---- Probing ---------------------------------------------------------------------------------- */

int kv_tablebase_open(struct kv_tablebase *tablebase, const char *path, size_t cache_mb,
                      kv_tablebase_note note, void *user, struct kv_error *error)
{
    struct kv_folder *folder = NULL;
    if (path && *path) {
        if (!rules_can_be_held(&tablebase->rules))
            return kv_fail(error, KV_E_RANGE, "no tables can hold RecloseMill or NoCaptureLimit");
        int status = kv_folder_open(&folder, &tablebase->rules, path, cache_mb, note, user, error);
        if (status)
            return status;
    }
    kv_folder_close(tablebase->folder);
    tablebase->folder = folder;
    return folder ? kv_folder_count(folder) : 0;
}

/* Is it one of the built-in endgames? */
static bool built_in(const struct kv_tablebase *tablebase, const struct kv_position *position)
{
    return rules_can_be_held(&tablebase->rules) && position->due == 0 &&
           (position->hand[0] | position->hand[1]) == 0 &&
           is_built_in(&tablebase->rules, kv_popcount(position->stones[0]), kv_popcount(position->stones[1]));
}

bool kv_tablebase_knows_opening(const struct kv_tablebase *tablebase, const struct kv_position *position)
{
    return tablebase->opening && kv_opening_covers(tablebase->opening, position);
}

bool kv_tablebase_in_opening(const struct kv_tablebase *tablebase, const struct kv_position *position)
{
    return tablebase->opening && kv_opening_is_on(position);
}

bool kv_tablebase_covers(const struct kv_tablebase *tablebase, const struct kv_position *position)
{
    return built_in(tablebase, position) || kv_tablebase_knows_opening(tablebase, position) ||
           (tablebase->folder && kv_folder_covers(tablebase->folder, position));
}

/* Files first: they may know distances. */
static int probe_stored(struct kv_tablebase *tablebase, const struct kv_position *position,
                        struct kv_value *value)
{
    int status = KV_E_NOT_FOUND;
    if (tablebase->folder)
        status = kv_folder_probe(tablebase->folder, position, value);
    if (status != KV_OK && kv_tablebase_knows_opening(tablebase, position))
        status = kv_opening_probe(tablebase->opening, position, value);
    return status;
}

int kv_tablebase_probe(struct kv_tablebase *tablebase, const struct kv_position *position,
                       struct kv_value *value)
{
    if (atomic_load_explicit(&tablebase->state, memory_order_acquire) != READY ||
        !built_in(tablebase, position))
        return probe_stored(tablebase, position, value);
    uint32_t movers = position->stones[position->side], others = position->stones[position->side ^ 1];
    int a = kv_popcount(movers), b = kv_popcount(others);
    uint8_t byte = tablebase->values[a][b][kv_index_slot(&tablebase->index, a, b, movers, others)];
    *value = (struct kv_value){
        .outcome = byte == KV_BYTE_DRAW   ? 0
                   : kv_byte_is_win(byte) ? 1
                                          : -1,
        .plies = byte == KV_BYTE_DRAW ? 0 : (int16_t)(byte - 1),
    };
    return KV_OK;
}
