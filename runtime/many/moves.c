/* Bringing bytes to where they are needed. All processes make the same list of moves, each carries
** out those that begin or end with it: within a process by copies, between GPUs of two processes by
** the wire, else in one message for each pair of processes. */
#include "runtime/many/group.h"

/* ---- making the list ------------------------------------------------------------------------- */

static bool add_move(Moves *moves, const Move *move)
{
    if (!memory_more(moves->list, moves->count, moves->capacity))
        return false;
    moves->list[moves->count++] = *move;
    return true;
}

static bool add_need(Moves *moves, Spread *spread, int place, const Region *bytes)
{
    if (!memory_more(moves->needs, moves->need_count, moves->need_capacity))
        return false;
    PlaceNeed *need = &moves->needs[moves->need_count];
    *need = (PlaceNeed){ spread, place, { 0 } };
    if (!region_copy(bytes, &need->bytes))
        return false;
    moves->need_count++;
    return true;
}

/* How far a place is from another: in the same process near, and there GPUs nearer to GPUs. */
static int distance(const kjit_group *group, int from, int to)
{
    int process = group_process(group, from), other = group_process(group, to);
    int apart = process < other ? other - process : process - other;

    return 4 * apart + (group_on_gpu(group, from) != group_on_gpu(group, to)) +
           2 * (apart && group_on_gpu(group, to) != group_on_gpu(group, from));
}

/* The nearest place that was not asked and has some of what is missing; -1: none. */
static int nearest(const kjit_group *group, const Spread *spread, int to, const Region *missing,
                   const bool *asked)
{
    int best = -1;

    for (int place = 0; place < group_places(group); place++) {
        Region common;
        bool has = place != to && !asked[place] && spread->valid[place].count &&
                   (best < 0 || distance(group, place, to) < distance(group, best, to)) &&
                   region_common(&spread->valid[place], missing, &common);
        if (!has)
            continue;
        best = common.count ? place : best;
        region_free(&common);
    }
    return best;
}

static bool move_from(Moves *moves, Spread *spread, int from, int to, Region *missing)
{
    Region common;
    bool good = region_common(&spread->valid[from], missing, &common);

    for (int64_t i = 0; good && i < common.count; i++)
        good = add_move(moves, &(Move){ spread, from, to, common.runs[i] });
    good = good && region_take_away(missing, &common);
    region_free(&common);
    return good;
}

kjit_status moves_need(kjit_group *group, Moves *moves, Spread *spread, int place,
                       const Region *bytes)
{
    bool asked[2 * SPLIT_RANKS] = { false };
    Region missing;
    int from = 0;

    KJIT_TRY(reduce_settle(group, spread));
    if (!region_copy(bytes, &missing))
        return error_memory();
    bool good = region_take_away(&missing, &spread->valid[place]);
    bool any = missing.count > 0;
    while (good && missing.count && from >= 0) {
        from = nearest(group, spread, place, &missing, asked);
        if (from < 0)
            break;
        asked[from] = true;
        good = move_from(moves, spread, from, place, &missing);
    }
    bool lost = missing.count > 0;
    region_free(&missing);
    if (good && lost)
        return error_set(KJIT_INTERNAL, "error: no rank has bytes that rank %d needs", place);
    good = good && (!any || add_need(moves, spread, place, bytes));
    return good ? KJIT_OK : error_memory();
}

void moves_free(Moves *moves)
{
    for (size_t i = 0; i < moves->need_count; i++)
        region_free(&moves->needs[i].bytes);
    memory_free(moves->needs);
    memory_free(moves->list);
    *moves = (Moves){ 0 };
}

/* ---- carrying it out ------------------------------------------------------------------------- */

static size_t length_of(const Move *move)
{
    return (size_t)(move->run.high - move->run.low);
}

/* Whether the wire takes a move: it is between ranks' own places, of two processes. */
static bool by_wire(const kjit_group *group, const Move *move)
{
    return group->wire && move->from < group->ranks && move->to < group->ranks &&
           group_process(group, move->from) != group_process(group, move->to);
}

/* The other process of a move that this one sends or receives as part of a message; -1: none. */
static int message_peer(const kjit_group *group, const Move *move, bool sends)
{
    int from = group_process(group, move->from), to = group_process(group, move->to);

    if (from == to || by_wire(group, move) || (sends ? from : to) != group->process)
        return -1;
    return sends ? to : from;
}

static kjit_status copy_here(kjit_group *group, const Move *move)
{
    char *from, *to;

    KJIT_TRY(spread_at(group, move->spread, move->from, move->run.low, &from));
    KJIT_TRY(spread_at(group, move->spread, move->to, move->run.low, &to));
    return group_copy(group, move->to, to, move->from, from, length_of(move));
}

/* Which ranks of this process a move waits for, on the side stream of which rank: bits from the
** first one on. */
typedef struct Waits {
    uint64_t for_[GROUP_GPUS];
} Waits;

static void note_wait(const kjit_group *group, Waits *waits, int on, int end)
{
    if (group_on_gpu(group, end) && group_is_local(group, end))
        waits->for_[on - group->first] |= (uint64_t)1 << (end - group->first);
}

static Waits waits_of(const kjit_group *group, const Moves *moves)
{
    Waits waits = { { 0 } };

    for (size_t i = 0; i < moves->count; i++) {
        const Move *move = &moves->list[i];
        bool to = group_on_gpu(group, move->to) && group_is_local(group, move->to);
        int on = to ? move->to : move->from;
        if (!group_on_gpu(group, on) || !group_is_local(group, on))
            continue;
        note_wait(group, &waits, on, move->from);
        note_wait(group, &waits, on, move->to);
    }
    return waits;
}

/* What waits for what: before moves their streams for the work at both ends, behind them work for
** these streams, of the rank that has the stream or of the other one. */
typedef enum Order { ORDER_BEFORE, ORDER_OWN, ORDER_OTHER } Order;

static bool waits_so(const Waits *waits, Order which, int on, int end)
{
    bool part = which == ORDER_BEFORE || (which == ORDER_OWN) == (on == end);
    return part && (waits->for_[on] >> end & 1);
}

/* Each stream is marked once: on a GPU a call takes about a microsecond. */
static kjit_status mark_all(kjit_group *group, const Waits *waits, Order which)
{
    uint64_t marked = 0;

    for (int on = 0; on < group->locals; on++)
        for (int end = 0; end < group->locals; end++)
            if (waits_so(waits, which, on, end))
                marked |= (uint64_t)1 << (which == ORDER_BEFORE ? end : on);
    for (int r = 0; r < group->locals; r++)
        if (marked >> r & 1)
            KJIT_TRY(
                group_mark(group, group->first + r, which == ORDER_BEFORE ? LANE_WORK : LANE_SIDE));
    return KJIT_OK;
}

static kjit_status order(kjit_group *group, const Moves *moves, Order which)
{
    int first = group->first;

    if (!group->gpu || !moves->count)
        return KJIT_OK;
    Waits waits = waits_of(group, moves);
    KJIT_TRY(mark_all(group, &waits, which));
    for (int on = 0; on < group->locals; on++)
        for (int end = 0; end < group->locals; end++)
            if (waits_so(&waits, which, on, end))
                KJIT_TRY(which == ORDER_BEFORE
                             ? group_wait(group, first + on, LANE_SIDE, first + end, LANE_WORK)
                             : group_wait(group, first + end, LANE_WORK, first + on, LANE_SIDE));
    return KJIT_OK;
}

bool moves_come_to(const Moves *moves, int rank)
{
    for (size_t i = 0; i < moves->count; i++)
        if (moves->list[i].to == rank)
            return true;
    return false;
}

kjit_status moves_let_go(kjit_group *group, const Moves *moves)
{
    return order(group, moves, ORDER_OTHER);
}

kjit_status moves_join_own(kjit_group *group, const Moves *moves)
{
    return order(group, moves, ORDER_OWN);
}

kjit_status moves_join(kjit_group *group, const Moves *moves)
{
    KJIT_TRY(moves_let_go(group, moves));
    return moves_join_own(group, moves);
}

static kjit_status copy_all_here(kjit_group *group, const Moves *moves)
{
    for (size_t i = 0; i < moves->count; i++) {
        const Move *move = &moves->list[i];
        if (group_is_local(group, move->from) && group_is_local(group, move->to))
            KJIT_TRY(copy_here(group, move));
    }
    return KJIT_OK;
}

/* Whether this process has a part in any; the others that have agree on what is to come. */
static kjit_status expect_wire(kjit_group *group, const Moves *moves, bool *any)
{
    *any = false;
    for (size_t i = 0; i < moves->count; i++) {
        const Move *move = &moves->list[i];
        bool out = group_is_local(group, move->from), in = group_is_local(group, move->to);
        if (!by_wire(group, move) || out == in)
            continue;
        *any = true;
        KJIT_TRY(engine_expects(group->engine, group_process(group, out ? move->to : move->from),
                                length_of(move), out));
    }
    return *any ? engine_finish(group->engine) : KJIT_OK;
}

static kjit_status run_wire(kjit_group *group, const Moves *moves)
{
    bool any;

    KJIT_TRY(expect_wire(group, moves, &any));
    if (!any)
        return KJIT_OK;
    gpu_wire_begin(group->wire);
    for (size_t i = 0; i < moves->count; i++) {
        const Move *move = &moves->list[i];
        bool out = group_is_local(group, move->from), in = group_is_local(group, move->to);
        char *at;
        if (!by_wire(group, move) || out == in)
            continue;
        int here = out ? move->from : move->to, there = out ? move->to : move->from;
        void *stream = group_stream(group, here, LANE_SIDE);
        KJIT_TRY(spread_at(group, move->spread, here, move->run.low, &at));
        KJIT_TRY(out ? gpu_wire_send(group->wire, there, at, length_of(move), stream)
                     : gpu_wire_receive(group->wire, there, at, length_of(move), stream));
    }
    if (gpu_wire_connects(group->wire))
        KJIT_TRY(group_settle(group));
    return gpu_wire_end(group->wire);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* What all moves between two processes come to, one way. */
typedef struct Message {
    char *data; /* NULL: there is none */
    size_t bytes, at;
} Message;

typedef struct Post {
    kjit_group *group;
    const Moves *moves;
    Message *out, *in; /* by process */
} Post;

static kjit_status open_messages(const Post *post, bool sends)
{
    Message *messages = sends ? post->out : post->in;

    for (size_t i = 0; i < post->moves->count; i++) {
        int peer = message_peer(post->group, &post->moves->list[i], sends);
        if (peer >= 0)
            messages[peer].bytes += length_of(&post->moves->list[i]);
    }
    for (int p = 0; p < post->group->processes; p++) {
        if (!messages[p].bytes)
            continue;
        messages[p].data = memory_alloc(messages[p].bytes);
        if (!messages[p].data)
            return error_memory();
    }
    return KJIT_OK;
}

/* Takes what is sent from its places, or puts what came there. */
static kjit_status pack_messages(const Post *post, bool sends)
{
    kjit_group *group = post->group;
    Message *messages = sends ? post->out : post->in;

    for (size_t i = 0; i < post->moves->count; i++) {
        const Move *move = &post->moves->list[i];
        int peer = message_peer(group, move, sends), host = group_host(group, group->process);
        char *at;
        if (peer < 0)
            continue;
        Message *message = &messages[peer];
        KJIT_TRY(spread_at(group, move->spread, sends ? move->from : move->to, move->run.low, &at));
        KJIT_TRY(sends ? group_copy(group, host, message->data + message->at, move->from, at,
                                    length_of(move))
                       : group_copy(group, move->to, at, host, message->data + message->at,
                                    length_of(move)));
        message->at += length_of(move);
    }
    return KJIT_OK;
}

static kjit_status exchange(const Post *post)
{
    Engine *engine = post->group->engine;

    KJIT_TRY(open_messages(post, true));
    KJIT_TRY(open_messages(post, false));
    for (int p = 0; p < post->group->processes; p++)
        if (post->in[p].data)
            KJIT_TRY(engine_receive(engine, p, post->in[p].data, post->in[p].bytes));
    KJIT_TRY(pack_messages(post, true));
    KJIT_TRY(group_settle(post->group));
    for (int p = 0; p < post->group->processes; p++)
        if (post->out[p].data)
            KJIT_TRY(engine_send(engine, p, post->out[p].data, post->out[p].bytes));
    KJIT_TRY(engine_finish(engine));
    return pack_messages(post, false);
}

static kjit_status run_messages(kjit_group *group, const Moves *moves)
{
    Message *messages = memory_zeroed(2 * (size_t)group->processes, sizeof *messages);

    if (!messages)
        return error_memory();
    Post post = { group, moves, messages, messages + group->processes };
    kjit_status status = exchange(&post);
    if (status != KJIT_OK)
        return status; /* what has begun may still come: the memory stays */
    for (int p = 0; p < 2 * group->processes; p++)
        memory_free(messages[p].data);
    memory_free(messages);
    return status;
}

/* Whether this process has a part in any message: else it waits for nothing. */
static bool has_messages(const kjit_group *group, const Moves *moves)
{
    for (size_t i = 0; i < moves->count; i++)
        if (message_peer(group, &moves->list[i], true) >= 0 ||
            message_peer(group, &moves->list[i], false) >= 0)
            return true;
    return false;
}

static bool ends_at_host(const kjit_group *group, const Moves *moves)
{
    for (size_t i = 0; i < moves->count; i++)
        if (group_is_local(group, moves->list[i].to) && !group_on_gpu(group, moves->list[i].to))
            return true;
    return false;
}

kjit_status moves_run(kjit_group *group, Moves *moves)
{
    if (!moves->count)
        return KJIT_OK;
    KJIT_TRY(order(group, moves, ORDER_BEFORE));
    KJIT_TRY(copy_all_here(group, moves));
    KJIT_TRY(run_wire(group, moves));
    if (has_messages(group, moves))
        KJIT_TRY(run_messages(group, moves));
    if (group->gpu && ends_at_host(group, moves))
        KJIT_TRY(group_settle(group));
    for (size_t i = 0; i < moves->need_count; i++) {
        const PlaceNeed *need = &moves->needs[i];
        if (!region_add(&need->spread->valid[need->place], &need->bytes))
            return error_memory();
    }
    return KJIT_OK;
}

kjit_status moves_bring(kjit_group *group, Moves *moves)
{
    KJIT_TRY(moves_run(group, moves));
    return moves_join(group, moves);
}

kjit_status group_fetch(kjit_group *group, Spread *spread, int process)
{
    Moves moves = { 0 };
    Region all = { 0 };
    bool pending = spread->pending != NULL;
    kjit_status status = region_append(&all, 0, spread->bytes) ? KJIT_OK : error_memory();

    engine_begins(group->engine, "bringing an array to the host");
    for (int p = 0; p < group->processes && status == KJIT_OK; p++)
        if (process < 0 || p == process)
            status = moves_need(group, &moves, spread, group_host(group, p), &all);
    if (pending || moves.need_count) /* else there is nothing that others have a part in */
        engine_adds(group->engine, spread->number);
    if (status == KJIT_OK)
        status = moves_bring(group, &moves);
    moves_free(&moves);
    region_free(&all);
    return status;
}
