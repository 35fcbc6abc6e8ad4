/* A launch gone through: blocks that take the same branches together, a box of them at a time. */
#include "ir/optimise.h"
#include "ir/predict/rehearsal.h"

enum { BOXES = 4096 };
/* However much a launch does, a rehearsal may not take longer than a second or so. */
enum { WORK_MOST = 1 << 30 };

void rehearsal_give_up(Rehearsal *r)
{
    longjmp(r->jump, JUMP_GIVE_UP);
}

void rehearsal_split(Rehearsal *r, int axis, uint32_t last)
{
    r->split_axis = axis;
    r->split_at = last;
    longjmp(r->jump, JUMP_SPLIT);
}

void rehearsal_again(Rehearsal *r)
{
    longjmp(r->jump, JUMP_AGAIN);
}

static uint64_t blocks_in(const Box *box)
{
    uint64_t blocks = 1;

    for (int k = 0; k < 3; k++)
        blocks *= box->last[k] - box->first[k] + 1;
    return blocks;
}

/* The more the launch has been seen to do, the more may its rehearsal take. */
void rehearsal_work(Rehearsal *r, uint64_t work)
{
    r->work += work;
    if (r->work <= r->limit)
        return;
    uint64_t limit = r->request->work + r->all_accesses + blocks_in(&r->box) * r->accesses;
    if (r->work > limit || r->work > WORK_MOST)
        rehearsal_give_up(r);
    r->limit = limit;
}

int64_t *rehearsal_room(Rehearsal *r)
{
    rehearsal_work(r, (uint64_t)r->threads);
    if (r->room_used == r->room_count)
        array_push(r->arena, r->rooms, r->room_count, r->room_capacity) =
            arena_array(r->arena, int64_t, r->threads);
    return r->rooms[r->room_used++];
}

Mask rehearsal_mask(Rehearsal *r, const Mask *like)
{
    Mask mask = { (uint8_t *)rehearsal_room(r), like->count, like->sure };

    memcpy(mask.on, like->on, (size_t)r->threads);
    return mask;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* 0, 1, 2, ... for each so many threads, and from 0 again. */
static Spread counted(Rehearsal *r, int each, int round)
{
    int64_t *lanes = arena_array(r->arena, int64_t, r->threads);

    for (int i = 0; i < r->threads; i++)
        lanes[i] = i / each % round;
    return (Spread){ .known = true, .lanes = lanes, .low = 0, .high = round - 1 };
}

static void open_rehearsal(Rehearsal *r)
{
    const uint32_t *block = r->request->block;
    const IrFunc *fn = r->request->unit->kernel;
    int each = 1;

    r->threads = (int)(block[0] * block[1] * block[2]);
    for (int k = 0; k < 3; k++) {
        r->place[k] = block[k] > 1 ? counted(r, each, (int)block[k]) : spread_number(0);
        each *= (int)block[k];
    }
    r->lane = counted(r, 1, 32);
    r->vars = arena_array(r->arena, Spread, fn->var_count + 1);
    r->set = arena_array(r->arena, bool, fn->var_count + 1);
    r->index = arena_array(r->arena, bool, fn->var_count + 1);
    r->homes = arena_array(r->arena, int64_t *, fn->var_count + 1);
    r->memories = arena_array(r->arena, Memory *, fn->var_count + 1);
    r->none = arena_array(r->arena, uint8_t, r->threads);
    r->gone = arena_array(r->arena, uint8_t, r->threads);
    memory_open(r);
    flow_find_indices(r);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static void run_box(Rehearsal *r)
{
    const IrFunc *fn = r->request->unit->kernel;
    uint64_t blocks = blocks_in(&r->box);

    r->run++;
    r->stretch++;
    r->room_used = 0;
    r->loop = NULL;
    r->gone_count = 0;
    r->accesses = r->waits = 0;
    memset(r->gone, 0, (size_t)r->threads);
    memset(r->set, 0, sizeof *r->set * (size_t)fn->var_count);
    Mask all = { (uint8_t *)rehearsal_room(r), r->threads, true };
    memset(all.on, 1, (size_t)r->threads);
    flow_run(r, &fn->body, &all);
    r->all_accesses += blocks * r->accesses;
    r->all_waits += blocks * r->waits;
    memory_close_box(r, blocks);
}

static int try_box(Rehearsal *r)
{
    int how = setjmp(r->jump);

    if (!how)
        run_box(r);
    return how;
}

/* All boxes, those that are split by their parts. */
static bool try_grid(Rehearsal *r)
{
    Box *boxes = arena_array(r->arena, Box, BOXES + 1);
    int count = 1;

    for (int k = 0; k < 3; k++)
        boxes[0].last[k] = r->request->grid[k] - 1;
    while (count) {
        r->box = boxes[count - 1];
        int how = try_box(r);
        if (how == JUMP_GIVE_UP || (how == JUMP_SPLIT && count == BOXES))
            return false;
        if (how == JUMP_SPLIT) {
            boxes[count - 1].first[r->split_axis] = r->split_at + 1;
            boxes[count] = r->box;
            boxes[count++].last[r->split_axis] = r->split_at;
        } else if (!how) {
            count--;
        }
    }
    return true;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static bool is_whole(const Memory *memory)
{
    uint64_t elements = 1;

    for (int k = 0; k < memory->rank; k++)
        elements *= (uint64_t)memory->shape[k];
    return memory->arg->written || memory->total == elements;
}

/* Of arrays that some thread writes: whether blocks are apart, and what has values after it. */
static bool check_arrays(Rehearsal *r, bool *whole)
{
    const IrFunc *fn = r->request->unit->kernel;

    if (setjmp(r->jump))
        return false;
    for (int i = 0; i < fn->param_count; i++) {
        Memory *memory = r->memories[fn->vars[i]->id];
        if (!memory)
            continue;
        if (memory->accessed && !blocks_are_apart(r, memory))
            return false;
        whole[i] = is_whole(memory);
        if ((memory->access & ACCESS_WRITE) && !whole[i])
            return false;
    }
    return true;
}

RehearsalAnswer rehearse(Arena *arena, const RehearsalRequest *request)
{
    Rehearsal *r = arena_new(arena, Rehearsal);
    RehearsalAnswer answer = { 0 };

    r->arena = arena;
    r->request = request;
    open_rehearsal(r);
    answer.whole = arena_array(arena, bool, request->unit->kernel->param_count + 1);
    answer.clean = try_grid(r) && check_arrays(r, answer.whole);
    answer.accesses = r->all_accesses;
    answer.waits = r->all_waits;
    return answer;
}

/* ---- the unit -------------------------------------------------------------------------------- */

const IrUnit *ir_rehearsable(IrUnit *unit)
{
    enum { MOST_STATEMENTS = 2000, MOST_FUNCTIONS = 16 };

    if (!unit->count)
        return unit;
    for (int i = 0; i < unit->count; i++)
        if (ir_has_kind(unit->functions[i], VAR_PRIVATE)) /* whose values end with each call */
            return NULL;
    if (unit->count > MOST_FUNCTIONS)
        return NULL;
    ir_take_calls(unit);
    ir_effects(unit);
    ir_range(unit);
    ir_uniform(unit);
    if (ir_inline_excess(unit, ir_is_inlined, MOST_STATEMENTS))
        return NULL;
    return ir_inline(unit->arena, unit, ir_is_inlined);
}
