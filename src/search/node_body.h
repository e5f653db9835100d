/* The search of one position. Included twice, by node_classic.c and node_general.c, which define
 *   NODE(name)    the name of this instance's function
 *   RULES(worker) the rules: a compile-time constant in the one, the game's in the other
 *   SCORE(worker, position) the static score
 *
 * The contract of NODE(search). On entry `frame->position` is the position, reached after
 * `frame->ply` turns; alpha < beta; the frames before it hold the line that led here. It returns a
 * score v from the view of the side to move, fail-soft:
 *   v <= alpha         the true value is at most v
 *   alpha < v < beta   the value is v, and frame->pv holds the line that proves it
 *   v >= beta          the true value is at least v
 * "Value" means the minimax value at this depth of the heuristics below; with worker->full_width it is
 * that of plain full-width search over the same static scores. A score beyond
 * +-KV_SCORE_WIN_MIN is a proof, whatever the heuristics: pruning never invents one. When
 * worker->stopped becomes true the value means nothing and every caller returns at once.
 */

enum { DRAW_SCORE = 0 };

static inline int NODE(lost_at)(int ply)
{
    return -KV_SCORE_WIN + ply;
}

/* Mate scores count from the root; the table counts them from the entry's own position. */
static inline int NODE(to_table)(int score, int ply)
{
    return score >= KV_SCORE_WIN_MIN ? score + ply : score <= -KV_SCORE_WIN_MIN ? score - ply : score;
}

static inline int NODE(from_table)(int score, int ply)
{
    return score >= KV_SCORE_WIN_MIN ? score - ply : score <= -KV_SCORE_WIN_MIN ? score + ply : score;
}

/* ---- Hash key --------------------------------------------------------------------------------- */

/* The smallest image of the stones under the board's symmetries; `symmetry` brings the position there. */
KV_INLINE void NODE(canonical)(const struct kv_rules *rules, struct kv_position *position, int *symmetry)
{
    const struct kv_board *board = kv_board_of(rules);
    uint32_t first = position->stones[0], second = position->stones[1];
    *symmetry = 0;
    for (int s = 1; s < board->symmetries; s++) {
        uint32_t a = kv_symmetry_set(board, s, position->stones[0]);
        if (a > first)
            continue;
        uint32_t b = kv_symmetry_set(board, s, position->stones[1]);
        if (a < first || b < second) {
            first = a;
            second = b;
            *symmetry = s;
        }
    }
    position->stones[0] = first;
    position->stones[1] = second;
}

/* While most stones are still in hand, symmetric positions meet so often that looking for the smallest
 * image pays; later it only costs (bench/ measures it). */
KV_INLINE uint64_t NODE(key_of)(const struct kv_worker *worker, const struct kv_position *position,
                                int *symmetry)
{
    const struct kv_rules *rules = RULES(worker);
    uint64_t key;
    *symmetry = 0;
    if (kv_popcount(position->stones[0] | position->stones[1]) <= worker->shared->canonical_stones &&
        position->hand[position->side] > 0 && (position->reclose[0] | position->reclose[1]) == 0) {
        struct kv_position image = *position;
        NODE(canonical)(rules, &image, symmetry);
        key = kv_position_plain_key(&image);
    } else
        key = kv_position_plain_key(position);
    uint64_t state = (uint64_t)position->reclose[0] << 32 | position->reclose[1];
    if (worker->shared->rules->no_capture_limit > 0)
        state ^= (uint64_t)position->quiet << 20;
    if (state)
        key ^= kv_mix64(state);
    /* Searches that prune otherwise do not mix: the highest bits are no part of a plain key. */
    return kv_mix64(key ^ (uint64_t)worker->full_width << 63 ^ (uint64_t)worker->shared->root_value << 61);
}

/* ---- The end of the game ---------------------------------------------------------------------- */

/* Has this position been on the line before? Once since the root is enough to call it a draw; for
 * positions of the game before the root the rule's own count holds. */
static bool NODE(repeats)(const struct kv_worker *worker, const struct kv_frame *frame)
{
    const struct kv_position *now = &frame->position;
    int steps = now->quiet, seen = 0;
    const struct kv_frame *earlier = frame;
    for (; steps >= 1 && earlier > worker->frames; steps--) {
        earlier--;
        if (earlier->position.stones[0] == now->stones[0] && kv_position_same(&earlier->position, now))
            return true;
    }
    if (worker->shared->rules->repetition == 0)
        return false;
    for (int i = worker->past_count - 1; i >= 0 && steps >= 1; i--, steps--)
        if (kv_position_same(&worker->past[i], now) && ++seen >= worker->shared->rules->repetition - 1)
            return true;
    return false;
}

/* Repetition or the no-capture limit; a side that is lost on the spot is not saved by them. */
KV_INLINE bool NODE(is_drawn)(const struct kv_worker *worker, const struct kv_frame *frame)
{
    const struct kv_position *position = &frame->position;
    if (kv_is_past_limit(worker->shared->rules->no_capture_limit, position))
        return !kv_too_few(position, position->side) && !kv_is_blocked(RULES(worker), position);
    return position->quiet >= 4 && NODE(repeats)(worker, frame);
}

KV_INLINE bool NODE(count_node)(struct kv_worker *worker, const struct kv_frame *frame)
{
    if (++worker->nodes >= worker->check_at)
        kv_worker_check(worker);
    if (frame->ply > worker->seldepth)
        worker->seldepth = frame->ply;
    return worker->stopped;
}

/* An exact value from a table, if there is one and it may be used. */
KV_INLINE bool NODE(probe)(struct kv_worker *worker, const struct kv_frame *frame, int *score)
{
    struct kv_tablebase *tablebase = worker->shared->tablebase;
    struct kv_value value;
    if (!tablebase)
        return false;
    bool near = frame->position.hand[0] + frame->position.hand[1] == 0;
    if ((near && worker->shared->opening_only) ||
        !(near ? kv_tablebase_covers : kv_tablebase_knows_opening)(tablebase, &frame->position) ||
        kv_tablebase_probe(tablebase, &frame->position, &value) != KV_OK)
        return false;
    worker->tbhits++;
    if (value.outcome == 0 || value.plies < 0) {
        *score = value.outcome * KV_SCORE_TABLE;
        return kv_root_value_of(value.outcome, frame->position.side) != worker->shared->root_value;
    }
    *score = value.outcome > 0 ? -NODE(lost_at)(frame->ply + value.plies)
                               : NODE(lost_at)(frame->ply + value.plies);
    return true;
}

/* The line of the next frame with `move` in front. */
static inline void NODE(extend_pv)(const struct kv_frame *frame, kv_move move, kv_move *pv, int *length)
{
    pv[0] = move;
    int rest = frame[1].pv_length < KV_PLY_MAX - 1 ? frame[1].pv_length : KV_PLY_MAX - 1;
    memcpy(pv + 1, frame[1].pv, (size_t)rest * sizeof *pv);
    *length = rest + 1;
}

/* ---- Captures only ---------------------------------------------------------------------------- */

/* What the position is worth once the mills that can be closed at once are closed. The side to move may
 * also leave things as they are, for the static score. */
static int NODE(quiesce)(struct kv_worker *worker, struct kv_frame *frame, int alpha, int beta)
{
    const struct kv_rules *rules = RULES(worker);
    const struct kv_position *position = &frame->position;
    int side = position->side, exact;
    frame->pv_length = 0;
    if (NODE(count_node)(worker, frame))
        return 0;
    if (kv_too_few(position, side))
        return NODE(lost_at)(frame->ply);
    if (NODE(probe)(worker, frame, &exact))
        return exact;
    if (kv_is_blocked(rules, position))
        return NODE(lost_at)(frame->ply);
    int best = SCORE(worker, position);
    if (best >= beta || frame - worker->frames >= KV_PLY_MAX)
        return best;
    if (best > alpha)
        alpha = best;
    /* Gaining a stone and breaking a mill cannot lift a score by more than this; the last stone that the
     * opponent needs is another matter. */
    enum { MOST_GAIN = 260, MOST_TRIED = 10 };
    bool decides =
        kv_popcount(position->stones[side ^ 1]) + position->hand[side ^ 1] <= 3 + rules->double_mill;
    if (!decides && !worker->full_width && best + MOST_GAIN <= alpha)
        return best;
    kv_move moves[KV_MOVES_MAX];
    int count = kv_generate_closing(rules, position, moves), orders[KV_MOVES_MAX];
    if (count == 0)
        return best;
    struct kv_outlook look = kv_look_out(rules, position);
    for (int i = 0; i < count; i++)
        orders[i] = kv_move_capture(moves[i]) == KV_NO_POINT ? 0 : kv_capture_order(rules, &look, moves[i]);
    for (int i = 0; i < count && (i < MOST_TRIED || worker->full_width); i++) {
        kv_pick(moves, orders, i, count);
        if (orders[i] == 0)
            break; /* closes a mill but takes nothing */
        frame[1].position = *position;
        kv_make(rules, &frame[1].position, moves[i]);
        frame[1].ply = frame->ply + 1;
        int score = -NODE(quiesce)(worker, frame + 1, -beta, -alpha);
        if (worker->stopped)
            return 0;
        if (score <= best)
            continue;
        best = score;
        if (score <= alpha)
            continue;
        NODE(extend_pv)(frame, moves[i], frame->pv, &frame->pv_length);
        if (score >= beta)
            break;
        alpha = score;
    }
    return best;
}

/* ---- The full search -------------------------------------------------------------------------- */

static int NODE(search)(struct kv_worker *worker, struct kv_frame *frame, int alpha, int beta, int depth);

/* Plays `move` into the next frame and searches it; the score is for the side to move of `frame`, also
 * where the turn goes on because another capture is due. */
KV_INLINE int NODE(child)(struct kv_worker *worker, struct kv_frame *frame, int alpha, int beta, int depth)
{
    if (frame[1].position.side == frame->position.side)
        return NODE(search)(worker, frame + 1, alpha, beta, depth);
    return -NODE(search)(worker, frame + 1, -beta, -alpha, depth);
}

KV_INLINE void NODE(enter)(const struct kv_worker *worker, struct kv_frame *frame, kv_move move, int depth)
{
    frame[1].position = frame->position;
    kv_make(RULES(worker), &frame[1].position, move);
    if (depth > 0 || frame[1].position.due > 0) {
        /* The entry is on its way while the first stages of the search run. */
        frame[1].key = NODE(key_of)(worker, &frame[1].position, &frame[1].symmetry);
        kv_table_prefetch(worker->shared->table, frame[1].key);
    }
    frame[1].ply = frame->ply + (frame[1].position.side != frame->position.side);
    frame[1].came_by = move;
}

static inline void NODE(add_history)(int16_t *entry, int bonus)
{
    int value = *entry;
    value += bonus - value * (bonus < 0 ? -bonus : bonus) / KV_HISTORY_LIMIT;
    *entry = (int16_t)value;
}

/* A quiet move refuted the position: remember it, and that those before it did not. */
static void NODE(learn)(struct kv_worker *worker, struct kv_frame *frame, kv_move best, const kv_move *tried,
                        int count, int depth)
{
    int side = frame->position.side, bonus = depth * depth * 16;
    if (bonus > KV_HISTORY_LIMIT / 8)
        bonus = KV_HISTORY_LIMIT / 8;
    for (int i = 0; i < count; i++)
        if (tried[i] != best && kv_move_capture(tried[i]) == KV_NO_POINT)
            NODE(add_history)(&worker->history[side][kv_move_from(tried[i])][kv_move_to(tried[i])], -bonus);
    NODE(add_history)(&worker->history[side][kv_move_from(best)][kv_move_to(best)], bonus);
    if (frame->killers[0] != best) {
        frame->killers[1] = frame->killers[0];
        frame->killers[0] = best;
    }
    worker->replies[kv_move_from(frame->came_by)][kv_move_to(frame->came_by)] = best;
}

/* How many plies a late move is searched less deep at first. */
KV_INLINE int NODE(reduction)(const struct kv_worker *worker, const struct kv_frame *frame,
                              const struct kv_outlook *look, kv_move move, int order, int depth, int number,
                              bool pv)
{
    if (depth < 3 || number < 2 || order >= KV_ORDER_KILLER * 2)
        return order >= KV_ORDER_CAPTURE && depth >= 3 && number >= 4 ? 1 : 0;
    int history = worker->history[frame->position.side][kv_move_from(move)][kv_move_to(move)];
    int less = (kv_log2_64ths(depth) * kv_log2_64ths(number + 1)) / (64 * 64 * 3 / 2);
    less += look->their_ready != 0; /* it does not stop the mill that is threatened */
    less -= pv;
    less -= history / 6000;
    if (less > depth - 2)
        less = depth - 2;
    return less < 0 ? 0 : less;
}

/* Stage 5: is the static score so far outside the window that a shallow search need not look? */
KV_INLINE bool NODE(far_above)(const struct kv_outlook *look, int score, int beta, int depth)
{
    return depth <= 6 && !kv_score_is_mate(beta) && score - 55 * depth - (look->their_ready ? 90 : 0) >= beta;
}

KV_INLINE bool NODE(far_below)(int score, int alpha, int depth, int order)
{
    return depth <= 3 && order < KV_ORDER_KILLER && !kv_score_is_mate(alpha) &&
           score + 60 + 70 * depth <= alpha;
}

static int NODE(search)(struct kv_worker *worker, struct kv_frame *frame, int alpha, int beta, int depth)
{
    const struct kv_rules *rules = RULES(worker);
    const struct kv_position *position = &frame->position;
    const bool pv = beta - alpha > 1, prune = !worker->full_width && !pv;

    /* 1. Nothing left to search: draws, horizon, end of the game. */
    frame->pv_length = 0;
    if (position->due == 0) {
        if (NODE(is_drawn)(worker, frame))
            return DRAW_SCORE;
        if (depth <= 0)
            return NODE(quiesce)(worker, frame, alpha, beta);
        if (kv_too_few(position, position->side))
            return NODE(lost_at)(frame->ply);
    }
    if (NODE(count_node)(worker, frame))
        return 0;
    if (frame - worker->frames >= KV_PLY_MAX)
        return position->due ? 0 : SCORE(worker, position);

    /* 2. No line from here can be better than a win next ply or worse than a loss now. */
    int worst = NODE(lost_at)(frame->ply), most = -NODE(lost_at)(frame->ply + 1);
    alpha = alpha > worst ? alpha : worst;
    beta = beta < most ? beta : most;
    if (alpha >= beta)
        return alpha;

    /* 3. What is known: tables, then the hash table. */
    int exact;
    if (NODE(probe)(worker, frame, &exact))
        return exact;
    const struct kv_outlook look = kv_look_out(rules, position);
    const uint64_t key = frame->key;
    const int symmetry = frame->symmetry;
    struct kv_known known;
    kv_move hash_move = KV_MOVE_NONE;
    bool hit = kv_table_probe(worker->shared->table, key, &known);
    if (hit) {
        int score = NODE(from_table)(known.score, frame->ply);
        bool deep_enough = worker->full_width ? known.depth == depth : known.depth >= depth;
        if (!pv && deep_enough &&
            (known.bound == KV_BOUND_EXACT ||
             (known.bound == KV_BOUND_LOWER ? score >= beta : score <= alpha)))
            return score;
        if (known.move != KV_MOVE_NONE)
            hash_move = kv_move_transform(rules, known.move, kv_board_of(rules)->inverse[symmetry]);
    } else if (depth >= 5 && !worker->full_width)
        depth--; /* an unknown position: its turn comes again with a move to start from */

    /* 4. The static score may settle shallow nodes. */
    int score_now = 0;
    const bool may_prune = prune && depth <= 6 && position->due == 0;
    if (may_prune) {
        score_now = SCORE(worker, position);
        if (NODE(far_above)(&look, score_now, beta, depth))
            return score_now;
    }

    /* 5. The moves, best first. */
    kv_move moves[KV_MOVES_MAX];
    int orders[KV_MOVES_MAX], count = kv_generate(rules, position, moves);
    if (count == 0)
        return NODE(lost_at)(frame->ply); /* blocked */
    kv_move reply = worker->replies[kv_move_from(frame->came_by)][kv_move_to(frame->came_by)];
    for (int i = 0; i < count; i++)
        orders[i] = kv_move_order(rules, worker, frame, &look, moves[i], hash_move, reply);
    frame[1].killers[0] = frame[1].killers[1] = KV_MOVE_NONE;

    /* 6. Each move: the first with the open window, the others only to show that they are no better. */
    int best = -KV_SCORE_NONE, bound = KV_BOUND_UPPER;
    kv_move best_move = KV_MOVE_NONE;
    for (int i = 0; i < count; i++) {
        kv_pick(moves, orders, i, count);
        if (may_prune && i > 0 && NODE(far_below)(score_now, alpha, depth, orders[i])) {
            int claim = score_now + 60 + 70 * depth;
            best = best > claim ? best : claim;
            break; /* what follows is ordered behind */
        }
        NODE(enter)(worker, frame, moves[i], depth - 1);
        int score = 0, deeper = depth - 1, order = orders[i];
        bool open = i == 0;
        _Atomic uint64_t *busy = open || depth < KV_BUSY_DEPTH ? NULL : kv_busy_slot(worker, frame[1].key);
        if (busy && order == KV_ORDER_PUT_OFF)
            order = kv_move_order(rules, worker, frame, &look, moves[i], hash_move, reply);
        else if (busy && atomic_load_explicit(busy, memory_order_relaxed) == frame[1].key) {
            /* Another thread is at it: its result will be in the table when this move's turn comes again. */
            orders[i--] = KV_ORDER_PUT_OFF;
            continue;
        }
        if (busy)
            atomic_store_explicit(busy, frame[1].key, memory_order_relaxed);
        if (!open) {
            int less =
                worker->full_width ? 0 : NODE(reduction)(worker, frame, &look, moves[i], order, depth, i, pv);
            score = NODE(child)(worker, frame, alpha, alpha + 1, deeper - less);
            if (less > 0 && score > alpha && !worker->stopped)
                score = NODE(child)(worker, frame, alpha, alpha + 1, deeper);
            open = pv && score > alpha;
        }
        if (open && !worker->stopped)
            score = NODE(child)(worker, frame, alpha, beta, deeper);
        if (busy)
            atomic_store_explicit(busy, 0, memory_order_relaxed);
        if (worker->stopped)
            return 0;
        if (score <= best)
            continue;
        best = score;
        if (score <= alpha)
            continue;
        best_move = moves[i];
        bound = KV_BOUND_EXACT;
        if (pv)
            NODE(extend_pv)(frame, best_move, frame->pv, &frame->pv_length);
        if (score >= beta) {
            bound = KV_BOUND_LOWER;
            if (kv_move_capture(best_move) == KV_NO_POINT)
                NODE(learn)(worker, frame, best_move, moves, i, depth);
            break;
        }
        alpha = score;
    }

    /* 7. Remember. */
    kv_table_store(
        worker->shared->table, key,
        &(struct kv_known){
            .move = best_move == KV_MOVE_NONE ? KV_MOVE_NONE : kv_move_transform(rules, best_move, symmetry),
            .score = NODE(to_table)(best, frame->ply),
            .depth = depth,
            .bound = bound,
        });
    return best;
}

/* ---- The root --------------------------------------------------------------------------------- */

int NODE(kv_search_root)(struct kv_worker *worker, int alpha, int beta, int depth)
{
    struct kv_frame *frame = worker->frames;
    int best = -KV_SCORE_NONE;
    frame->ply = 0;
    frame[1].killers[0] = frame[1].killers[1] = KV_MOVE_NONE;
    for (int i = worker->pv_index; i < worker->root_count; i++) {
        struct kv_root_move *root = &worker->root_moves[i];
        uint64_t nodes_before = worker->nodes;
        worker->seldepth = 0;
        kv_worker_current_move(worker, root->move, i + 1);
        NODE(enter)(worker, frame, root->move, depth);
        int score = 0;
        bool open = i == worker->pv_index;
        if (!open) {
            int less = worker->full_width || depth < 4 || i < worker->pv_index + 4 ||
                               kv_move_capture(root->move) != KV_NO_POINT
                           ? 0
                           : 1;
            score = NODE(child)(worker, frame, alpha, alpha + 1, depth - 1 - less);
            if (less > 0 && score > alpha && !worker->stopped)
                score = NODE(child)(worker, frame, alpha, alpha + 1, depth - 1);
            open = score > alpha;
        }
        if (open && !worker->stopped)
            score = NODE(child)(worker, frame, alpha, beta, depth - 1);
        if (worker->stopped)
            return best;
        root->effort += worker->nodes - nodes_before;
        root->score = -KV_SCORE_NONE;
        if (score > best)
            best = score;
        if (score > alpha || i == worker->pv_index) {
            root->score = score;
            root->seldepth = worker->seldepth;
            NODE(extend_pv)(frame, root->move, root->pv, &root->pv_length);
        }
        if (score >= beta)
            break;
        alpha = score > alpha ? score : alpha;
    }
    return best;
}
