/* Retrograde analysis of a pair of subspaces; retro.h says how. */
#include "tablebase/retro.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "board/movegen.h"

/* A state: bits 0..5 the quiet moves not yet known to lose, bits 6..7 a kind, bits 8..15 a byte. */
enum {
    COUNT_MASK = 63,
    KIND_MASK = 3 << 6,
    OPEN = 0 << 6,    /* may be won or lost; byte: the longest loss by a capture, 0 = none */
    NO_LOSS = 1 << 6, /* a capture draws: may be won */
    WINNING = 2 << 6, /* byte: a win that is certain; a shorter one may come */
    DECIDED = 3 << 6,
};

enum { QUEUE = 128, CAPTURES_MAX = 12, PAIRS_MAX = 66, UNKNOWN = 255 };

/* Where a capture leads: the block of the opponent's stones that are left. */
struct target {
    const uint8_t *values; /* NULL: fewer than three are left */
    uint32_t free_points;  /* in the image */
    int symmetry;
};

/* A decided position on its way to its slot. */
struct pending {
    uint32_t movers, others;
    uint8_t byte;
    uint32_t entry;
};

/* What one thread works with. The block in work is that of `others`, stones of the side not to
 * move; the side to move stands on some of the points they leave free, numbered 0, 1, …: a compressed
 * set. */
struct worker {
    struct kv_retro *retro;
    struct kv_retro_side *side;
    const struct kv_board *board;
    uint32_t others, free_points;
    uint32_t expand[3][256]; /* a compressed set's points, byte by byte */
    uint32_t takeable;       /* which of `others` a closed mill may take */
    struct target one[CAPTURES_MAX], two[PAIRS_MAX];
    int ones, twos;
    uint8_t *captured[2]; /* by rank after the move: its value when a mill, or two, were closed */
    struct pending queue[QUEUE];
    int queued;
    int deepest;
};

static inline uint32_t expand(const struct worker *worker, uint32_t set)
{
    return worker->expand[0][set & 255] | worker->expand[1][set >> 8 & 255] | worker->expand[2][set >> 16];
}

static inline uint32_t rank_of(const struct worker *worker, uint32_t points)
{
    return kv_index_rank(worker->retro->index, worker->side->mover, kv_compress(points, worker->free_points));
}

/* ---- Writing values --------------------------------------------------------------------------- */

static void store(struct kv_retro_side *side, uint32_t block, uint32_t inside, uint8_t byte)
{
    __atomic_store_n(&side->values[(uint64_t)block * side->value_block + inside], byte, __ATOMIC_RELAXED);
}

/* Writes the queued values: in rounds, so that the far memory each needs is on its way before use. */
static void flush(struct worker *worker)
{
    struct kv_retro_side *side = worker->side;
    const struct kv_index *index = worker->retro->index;
    const struct kv_classes *classes = &index->classes[side->mover];
    uint32_t place[QUEUE];
    for (int i = 0; i < worker->queued; i++) {
        place[i] = kv_index_rank(index, side->mover, worker->queue[i].movers);
        __builtin_prefetch(&classes->entry[place[i]]);
    }
    for (int i = 0; i < worker->queued; i++) {
        struct pending *item = &worker->queue[i];
        item->entry = classes->entry[place[i]];
        uint32_t block = item->entry >> 4;
        place[i] =
            kv_index_inside(index, side->mover, block, (int)(item->entry & 15), side->other, item->others);
        __builtin_prefetch(&side->values[(uint64_t)block * side->value_block + place[i]], 1);
        __builtin_prefetch(&side->marks[block * 4 + item->byte / 64], 1);
    }
    for (int i = 0; i < worker->queued; i++) {
        struct pending *item = &worker->queue[i];
        uint32_t block = item->entry >> 4, others = classes->stabiliser[block] & ~1u;
        store(side, block, place[i], item->byte);
        if (others) {
            uint32_t image = kv_symmetry_set(worker->board, (int)(item->entry & 15), item->others);
            while (others)
                store(side, block,
                      kv_index_inside(index, side->mover, block, kv_take(&others), side->other, image),
                      item->byte);
        }
        _Atomic uint64_t *mark = &side->marks[block * 4 + item->byte / 64];
        uint64_t bit = UINT64_C(1) << item->byte % 64;
        if ((atomic_load_explicit(mark, memory_order_relaxed) & bit) == 0)
            atomic_fetch_or_explicit(mark, bit, memory_order_relaxed);
    }
    worker->queued = 0;
}

static inline void decide(struct worker *worker, uint32_t compressed, int byte)
{
    if (byte > KV_BYTE_MAX) {
        atomic_store(&worker->retro->overflow, true);
        return;
    }
    if (byte > worker->deepest)
        worker->deepest = byte;
    worker->queue[worker->queued++] =
        (struct pending){expand(worker, compressed), worker->others, (uint8_t)byte, 0};
    if (worker->queued == QUEUE)
        flush(worker);
}

/* ---- A block ---------------------------------------------------------------------------------- */

static struct target target_of(const struct worker *worker, int taken, uint32_t left)
{
    const struct kv_index *index = worker->retro->index;
    const uint8_t *values = worker->side->after[taken];
    int mover = worker->side->other - taken; /* who is to move then */
    if (values == NULL)
        return (struct target){NULL, 0, 0};
    uint32_t entry = index->classes[mover].entry[kv_index_rank(index, mover, left)];
    return (struct target){
        values + (uint64_t)(entry >> 4) * kv_index_block(index, mover, worker->side->mover),
        worker->board->all & ~index->classes[mover].sets[entry >> 4],
        (int)(entry & 15),
    };
}

/* The pairs a double mill may take; none when only one stone can be taken. */
static void list_pairs(struct worker *worker)
{
    const struct kv_rules *rules = worker->retro->rules;
    uint32_t firsts = worker->takeable;
    worker->twos = 0;
    for (uint32_t rest = firsts; rest;) {
        uint32_t first = 1u << kv_take(&rest);
        for (uint32_t seconds = kv_takeable(rules, worker->others & ~first); seconds;) {
            uint32_t second = 1u << kv_take(&seconds);
            bool listed =
                second < first && firsts & second && kv_takeable(rules, worker->others & ~second) & first;
            if (!listed)
                worker->two[worker->twos++] = target_of(worker, 2, worker->others & ~(first | second));
        }
    }
}

static void enter_block(struct worker *worker, uint32_t block)
{
    const struct kv_retro *retro = worker->retro;
    worker->others = retro->index->classes[worker->side->other].sets[block];
    worker->free_points = worker->board->all & ~worker->others;
    worker->takeable = kv_takeable(retro->rules, worker->others);
    for (int byte = 0; byte < 3; byte++)
        for (uint32_t set = 1; set < 256; set++) {
            uint32_t bit = set & -set;
            worker->expand[byte][set] =
                worker->expand[byte][set ^ bit] |
                (set == bit ? kv_expand(bit << 8 * byte, worker->free_points) : worker->expand[byte][bit]);
        }
}

/* ---- First pass: count quiet moves, look captures up ------------------------------------------ */

/* The best of the captures that may follow when the mover has come to stand on `movers`. */
static uint8_t best_capture(const struct worker *worker, const struct target *targets, int count,
                            uint32_t movers)
{
    const struct kv_index *index = worker->retro->index;
    uint8_t win = UNKNOWN, loss = 0;
    bool draw = false;
    for (int i = 0; i < count; i++) {
        uint8_t after = KV_BYTE_LOST;
        if (targets[i].values) {
            uint32_t image = kv_symmetry_set(worker->board, targets[i].symmetry, movers);
            after = targets[i].values[kv_index_rank(index, worker->side->mover,
                                                    kv_compress(image, targets[i].free_points))];
        }
        uint8_t byte = kv_byte_before(after);
        if (byte == KV_BYTE_DRAW)
            draw = true;
        else if (kv_byte_is_win(byte))
            win = byte < win ? byte : win;
        else
            loss = byte > loss ? byte : loss;
    }
    return win != UNKNOWN ? win : draw ? KV_BYTE_DRAW : loss;
}

static uint8_t capture_value(struct worker *worker, uint32_t movers, bool two)
{
    bool pair = two && worker->twos > 0;
    uint8_t *known = &worker->captured[pair][rank_of(worker, movers)];
    if (*known == UNKNOWN) {
        *known = pair ? best_capture(worker, worker->two, worker->twos, movers)
                      : best_capture(worker, worker->one, worker->ones, movers);
        if (*known == UNKNOWN)
            atomic_store(&worker->retro->overflow, true);
    }
    return *known;
}

/* Quiet moves of a position and its captures taken together. */
struct outlook {
    int quiet;
    uint8_t win, loss; /* shortest win and longest loss by a capture; UNKNOWN and 0 when none */
    bool draw;
};

static inline void look_at(struct worker *worker, uint32_t movers, bool flies, struct outlook *outlook)
{
    const struct kv_rules *rules = worker->retro->rules;
    uint32_t empty = worker->free_points & ~movers, twice = 0;
    uint32_t closing = worker->takeable ? kv_closing(rules->board, movers, NULL) & empty : 0;
    *outlook = (struct outlook){.win = UNKNOWN};
    for (uint32_t rest = movers; rest;) {
        int from = kv_take(&rest);
        uint32_t targets = flies ? empty : worker->board->neighbours[from] & empty;
        uint32_t closers = targets & closing;
        if (closers)
            closers &= kv_closing(rules->board, movers & ~(1u << from), &twice);
        outlook->quiet += kv_popcount(targets & ~closers);
        while (closers) {
            int to = kv_take(&closers);
            uint8_t byte = capture_value(worker, (movers & ~(1u << from)) | 1u << to, twice >> to & 1);
            if (byte == KV_BYTE_DRAW)
                outlook->draw = true;
            else if (kv_byte_is_win(byte))
                outlook->win = byte < outlook->win ? byte : outlook->win;
            else
                outlook->loss = byte > outlook->loss ? byte : outlook->loss;
        }
    }
}

static void first_pass(struct worker *worker, uint32_t block)
{
    struct kv_retro_side *side = worker->side;
    const struct kv_rules *rules = worker->retro->rules;
    uint16_t *states = side->states + (uint64_t)block * side->state_block;
    bool flies = rules->flying && side->mover == 3;
    enter_block(worker, block);
    worker->ones = worker->twos = 0;
    for (uint32_t rest = worker->takeable; rest;)
        worker->one[worker->ones++] = target_of(worker, 1, worker->others & ~(1u << kv_take(&rest)));
    if (rules->double_mill == KV_DOUBLE_TWO)
        list_pairs(worker);
    memset(worker->captured[0], UNKNOWN, side->state_block);
    memset(worker->captured[1], UNKNOWN, side->state_block);
    for (uint32_t rank = 0; rank < side->state_block; rank++) {
        struct outlook outlook;
        look_at(worker, expand(worker, side->sets[rank]), flies, &outlook);
        int state = OPEN | outlook.quiet | outlook.loss << 8;
        assert(outlook.quiet <= COUNT_MASK);
        if (outlook.win != UNKNOWN) {
            state = WINNING | outlook.win << 8;
            decide(worker, side->sets[rank], outlook.win);
        } else if (outlook.draw) {
            state = NO_LOSS;
        } else if (outlook.quiet == 0) {
            state = DECIDED;
            decide(worker, side->sets[rank], outlook.loss ? outlook.loss : KV_BYTE_LOST);
        }
        states[rank] = (uint16_t)state;
    }
}

/* ---- Propagation ------------------------------------------------------------------------------ */

/* A successor of the position is lost for its mover. */
static inline void gain(struct worker *worker, uint16_t *state, uint32_t compressed, int byte)
{
    int kind = *state & KIND_MASK;
    if (kind == DECIDED || (kind == WINNING && *state >> 8 <= byte))
        return;
    *state = DECIDED;
    decide(worker, compressed, byte);
}

/* A successor of the position is won for its mover. */
static inline void lose(struct worker *worker, uint16_t *state, uint32_t compressed, int byte)
{
    if ((*state & KIND_MASK) != OPEN || (--*state & COUNT_MASK) != 0)
        return;
    int loss = *state >> 8;
    *state = DECIDED;
    decide(worker, compressed, loss > byte ? loss : byte);
}

/* The successor whose mover's opponent stands on `set` (compressed) has just been decided. */
static inline void propagate(struct worker *worker, uint16_t *states, uint32_t set, bool flies, int level)
{
    const struct kv_index *index = worker->retro->index;
    const struct kv_board *board = worker->board;
    uint32_t movers = expand(worker, set), empty = worker->free_points & ~movers;
    uint32_t moved = worker->takeable ? movers & ~kv_in_mills(worker->retro->rules, movers) : movers;
    while (moved) {
        int to = kv_take(&moved);
        uint32_t without = set & ~kv_compress(1u << to, worker->free_points);
        uint32_t origins = flies ? empty : board->neighbours[to] & empty;
        while (origins) {
            uint32_t from = origins & -origins;
            origins ^= from;
            uint32_t before = without | kv_compress(from, worker->free_points);
            uint16_t *state = &states[kv_index_rank(index, worker->side->mover, before)];
            if (kv_byte_is_loss((uint8_t)level))
                gain(worker, state, before, level + 1);
            else
                lose(worker, state, before, level + 1);
        }
    }
}

/* Looks for the bytes `level` in a block of the successors' values, eight at a time. */
static void level_pass(struct worker *worker, const struct kv_retro_side *successors, uint32_t block)
{
    struct kv_retro_side *side = worker->side;
    int level = worker->retro->level;
    if ((atomic_load_explicit(&successors->marks[block * 4 + (unsigned)level / 64], memory_order_relaxed) >>
             level % 64 &
         1) == 0)
        return;
    const uint8_t *values = successors->values + (uint64_t)block * side->state_block;
    uint16_t *states = side->states + (uint64_t)block * side->state_block;
    bool flies = worker->retro->rules->flying && side->mover == 3;
    const uint64_t ones = UINT64_C(0x0101010101010101), pattern = ones * (unsigned)level;
    enter_block(worker, block);
    uint32_t rank = 0;
    while (rank < side->state_block) {
        uint32_t end = rank + 1;
        if (((uintptr_t)(values + rank) & 7) == 0 && rank + 8 <= side->state_block) {
            uint64_t word = __atomic_load_n((const uint64_t *)(values + rank), __ATOMIC_RELAXED) ^ pattern;
            end = rank + 8;
            if (((word - ones) & ~word & ones << 7) == 0) {
                rank = end;
                continue;
            }
        }
        for (; rank < end; rank++)
            if (__atomic_load_n(values + rank, __ATOMIC_RELAXED) == level)
                propagate(worker, states, side->sets[rank], flies, level);
    }
}

/* ---- Steps ------------------------------------------------------------------------------------ */

static bool cancelled(const struct kv_retro *retro)
{
    return atomic_load_explicit(&retro->overflow, memory_order_relaxed) ||
           (retro->cancel && atomic_load_explicit(retro->cancel, memory_order_relaxed));
}

/* Takes blocks of `side` until none is left, or the work is given up. */
static void work(struct worker *worker, struct kv_retro_side *side)
{
    struct kv_retro *retro = worker->retro;
    const struct kv_retro_side *successors = &retro->side[retro->sides - 1 - (side - retro->side)];
    uint32_t share = 1 + side->state_blocks / 1024;
    worker->side = side;
    while (!cancelled(retro)) {
        uint32_t block = atomic_fetch_add(&retro->next, share);
        if (block >= side->state_blocks)
            break;
        uint32_t end = block + share < side->state_blocks ? block + share : side->state_blocks;
        for (; block < end; block++)
            if (retro->level == 0)
                first_pass(worker, block);
            else
                level_pass(worker, successors, block);
    }
    flush(worker);
    int deepest = atomic_load(&retro->deepest);
    while (deepest < worker->deepest &&
           !atomic_compare_exchange_weak(&retro->deepest, &deepest, worker->deepest))
        ;
}

struct crew {
    struct kv_retro *retro;
    struct kv_mutex mutex;
    struct kv_condition all_met;
    int size, met;     /* threads; those that have come to the present meeting */
    unsigned meetings; /* that are over */
    bool done;
};

struct member {
    struct crew *crew;
    struct worker *worker;
    struct kv_thread thread;
};

/* Returns when all have come: before and after each step. */
static void meet(struct crew *crew)
{
    kv_mutex_lock(&crew->mutex);
    unsigned meeting = crew->meetings;
    if (++crew->met == crew->size) {
        crew->met = 0;
        crew->meetings++;
        kv_condition_signal_all(&crew->all_met);
    }
    while (crew->meetings == meeting)
        kv_condition_wait(&crew->all_met, &crew->mutex);
    kv_mutex_unlock(&crew->mutex);
}

/* Every thread runs this; `leader` prepares each step while the others wait. */
static void serve(struct crew *crew, struct worker *worker, bool leader)
{
    struct kv_retro *retro = crew->retro;
    for (;;) {
        for (int s = 0; s < retro->sides; s++) {
            if (leader)
                atomic_store(&retro->next, 0);
            meet(crew);
            work(worker, &retro->side[s]);
            meet(crew);
        }
        if (leader) {
            crew->done = retro->level >= atomic_load(&retro->deepest) || cancelled(retro);
            retro->level++;
            if (retro->progress)
                retro->progress(retro->user, retro);
        }
        meet(crew);
        if (crew->done)
            return;
    }
}

static void helper(void *argument)
{
    struct member *member = argument;
    serve(member->crew, member->worker, false);
}

static void free_worker(struct worker *worker)
{
    if (worker) {
        free(worker->captured[0]);
        free(worker->captured[1]);
    }
    free(worker);
}

static struct worker *make_worker(struct kv_retro *retro)
{
    struct worker *worker = calloc(1, sizeof *worker);
    uint32_t longest = 1;
    for (int s = 0; s < retro->sides; s++)
        if (retro->side[s].state_block > longest)
            longest = retro->side[s].state_block;
    if (worker == NULL)
        return NULL;
    worker->retro = retro;
    worker->board = retro->index->board;
    worker->captured[0] = malloc(longest);
    worker->captured[1] = malloc(longest);
    if (worker->captured[0] && worker->captured[1])
        return worker;
    free_worker(worker);
    return NULL;
}

/* With as many of the `threads` as the system gives. */
static void run_crew(struct crew *crew, struct member *members, int threads)
{
    int helpers = 0;
    kv_mutex_init(&crew->mutex);
    kv_condition_init(&crew->all_met);
    crew->size = threads; /* nobody's meeting ends before the number is known */
    while (helpers + 1 < threads &&
           kv_thread_start(&members[helpers + 1].thread, helper, &members[helpers + 1]) == KV_OK)
        helpers++;
    kv_mutex_lock(&crew->mutex);
    crew->size = helpers + 1;
    kv_mutex_unlock(&crew->mutex);
    serve(crew, members[0].worker, true);
    for (int t = 1; t <= helpers; t++)
        kv_thread_join(&members[t].thread);
    kv_condition_finish(&crew->all_met);
    kv_mutex_finish(&crew->mutex);
}

int kv_retro_run(struct kv_retro *retro, int threads)
{
    struct crew crew = {.retro = retro};
    if (!kv_threads_exist())
        threads = 1;
    struct member *members = calloc((size_t)threads, sizeof *members);
    int status = members ? KV_OK : KV_E_MEMORY;
    for (int t = 0; t < threads && status == KV_OK; t++) {
        members[t] = (struct member){.crew = &crew, .worker = make_worker(retro)};
        if (members[t].worker == NULL)
            status = KV_E_MEMORY;
    }
    retro->level = 0;
    if (status == KV_OK)
        run_crew(&crew, members, threads);
    for (int t = 0; members && t < threads; t++)
        free_worker(members[t].worker);
    free(members);
    if (status == KV_OK && atomic_load(&retro->overflow))
        status = KV_E_RANGE;
    else if (status == KV_OK && cancelled(retro))
        status = KV_E_BUSY;
    return status;
}

/* ---- Memory ----------------------------------------------------------------------------------- */

static int init_side(struct kv_retro_side *side, const struct kv_index *index)
{
    int points = index->board->points - side->other;
    side->value_blocks = index->classes[side->mover].count;
    side->value_block = kv_index_block(index, side->mover, side->other);
    side->state_blocks = index->classes[side->other].count;
    side->state_block = kv_binomial(points, side->mover);
    side->sets = malloc(side->state_block * sizeof *side->sets);
    side->marks = calloc((size_t)side->value_blocks * 4, sizeof *side->marks);
    if (side->sets == NULL || side->marks == NULL)
        return KV_E_MEMORY;
    uint32_t set = (1u << side->mover) - 1;
    for (uint32_t rank = 0; rank < side->state_block; rank++, set = kv_next_set(set))
        side->sets[rank] = set;
    return KV_OK;
}

int kv_retro_init(struct kv_retro *retro, const struct kv_index *index, const struct kv_rules *rules, int a,
                  int b)
{
    memset(retro, 0, sizeof *retro);
    retro->index = index;
    retro->rules = rules;
    retro->sides = a == b ? 1 : 2;
    int status = KV_OK;
    for (int s = 0; s < retro->sides && status == KV_OK; s++) {
        retro->side[s].mover = s == 0 ? a : b;
        retro->side[s].other = s == 0 ? b : a;
        status = init_side(&retro->side[s], index);
    }
    if (status)
        kv_retro_finish(retro);
    return status;
}

void kv_retro_finish(struct kv_retro *retro)
{
    for (int s = 0; s < retro->sides; s++) {
        free(retro->side[s].sets);
        free(retro->side[s].marks);
        retro->side[s].sets = NULL;
        retro->side[s].marks = NULL;
    }
}
