/* Whether blocks keep apart: elements of a parameter that some block writes and another accesses.
**
** Along an axis of the array a block reaches some stretches of indices, moved on by a slope for
** each block before it. If those of one block never meet those of another, the two are apart. It is
** enough if that holds for all that the kernel ever reaches, in whichever box. */
#include "ir/predict/rehearsal.h"

enum { WIDTH = 4096, REACHES = 1 << 18, RECENT = 4 };

/* ---- what is reached ------------------------------------------------------------------------- */

static void add_reach(Rehearsal *r, ReachList *reach, int64_t low, int64_t high)
{
    for (int i = reach->count; i-- > 0 && i >= reach->count - RECENT;)
        if (reach->list[i].low <= low && high <= reach->list[i].high)
            return;
    if (reach->count == REACHES)
        rehearsal_give_up(r);
    array_push(r->arena, reach->list, reach->count, reach->capacity) = (BlockReach){ low, high };
}

/* Neighbours within a narrow stretch, in whatever order the threads have them. */
static void add_narrow(Rehearsal *r, ReachList *reach, const Spread *index, const Mask *mask,
                       int64_t low, int64_t high)
{
    uint8_t there[WIDTH + 1] = { 0 };

    for (int i = 0; i < r->threads; i++)
        if (mask->on[i])
            there[index->lanes[i] - low] = 1;
    for (int64_t at = 0; at <= high - low; at++) {
        int64_t first = at;
        while (there[at]) /* one beyond is never there */
            at++;
        if (at > first)
            add_reach(r, reach, index->base + low + first, index->base + low + at - 1);
    }
}

/* The same of threads that are further from each other. */
static void add_wide(Rehearsal *r, ReachList *reach, const Spread *index, const Mask *mask)
{
    int64_t low = 0, high = -1;

    for (int i = 0; i < r->threads; i++) {
        int64_t at = index->lanes[i];
        if (!mask->on[i] || (at >= low && at <= high))
            continue;
        if (high >= low && at == high + 1) {
            high++;
            continue;
        }
        if (high >= low)
            add_reach(r, reach, index->base + low, index->base + high);
        low = high = at;
    }
    if (high >= low)
        add_reach(r, reach, index->base + low, index->base + high);
}

void blocks_note(Rehearsal *r, Memory *memory, int axis, const Spread *index, const Mask *mask)
{
    ReachList *reach = &memory->reach[axis];
    int64_t low = INT64_MAX, high = INT64_MIN;

    if (reach->count && memcmp(memory->slope[axis], index->slope, sizeof index->slope) != 0)
        rehearsal_give_up(r);
    memcpy(memory->slope[axis], index->slope, sizeof index->slope);
    if (!index->lanes) {
        add_reach(r, reach, index->base, index->base);
        return;
    }
    rehearsal_work(r, 2 * (uint64_t)r->threads);
    for (int i = 0; i < r->threads; i++)
        if (mask->on[i]) {
            low = index->lanes[i] < low ? index->lanes[i] : low;
            high = index->lanes[i] > high ? index->lanes[i] : high;
        }
    if (high - low < WIDTH)
        add_narrow(r, reach, index, mask, low, high);
    else
        add_wide(r, reach, index, mask);
}

void blocks_note_box(Rehearsal *r, Memory *memory)
{
    for (int k = 0; k < 3; k++) {
        uint32_t first = r->box.first[k], last = r->box.last[k];
        memory->first[k] = memory->accessed && memory->first[k] < first ? memory->first[k] : first;
        memory->last[k] = memory->accessed && memory->last[k] > last ? memory->last[k] : last;
    }
    memory->accessed = true;
}

/* ---- whether they meet ----------------------------------------------------------------------- */

static int by_low(const void *a, const void *b)
{
    const BlockReach *x = a, *y = b;

    return (x->low > y->low) - (x->low < y->low);
}

/* In order, adjacent ones joined. */
static void tidy(ReachList *reach)
{
    int count = 0;

    qsort(reach->list, (size_t)reach->count, sizeof *reach->list, by_low);
    for (int i = 0; i < reach->count; i++) {
        BlockReach next = reach->list[i];
        if (count && next.low <= reach->list[count - 1].high + 1) {
            if (next.high > reach->list[count - 1].high)
                reach->list[count - 1].high = next.high;
        } else {
            reach->list[count++] = next;
        }
    }
    reach->count = count;
}

/* Whether what one of `blocks` reaches, `step` further on for each before it, is never reached by
** another. */
static bool are_apart(Rehearsal *r, const ReachList *reach, int64_t step, int64_t blocks)
{
    for (int i = 0; i < reach->count; i++) {
        const BlockReach *from = &reach->list[i];
        Wide furthest = (Wide)from->high + (Wide)step * (blocks - 1);
        for (int k = i; k < reach->count && reach->list[k].low <= furthest; k++) {
            Wide near = (Wide)reach->list[k].low - from->high;
            Wide far = (Wide)reach->list[k].high - from->low;
            Wide steps = near <= step ? 1 : (near + step - 1) / step;
            rehearsal_work(r, 4);
            if (steps < blocks && steps * step <= far)
                return false;
        }
    }
    return true;
}

static int64_t magnitude(int64_t value)
{
    return value < 0 ? -value : value;
}

/* Has each stretch reach what the blocks along one axis of the grid reach together. */
static void widen(ReachList *reach, int64_t slope, int64_t blocks)
{
    Wide by = (Wide)slope * (blocks - 1);

    for (int i = 0; i < reach->count; i++) {
        Wide low = reach->list[i].low + (by < 0 ? by : 0), high = reach->list[i].high;
        high += by > 0 ? by : 0;
        reach->list[i].low = low < -SPREAD_LIMIT ? -SPREAD_LIMIT : (int64_t)low;
        reach->list[i].high = high > SPREAD_LIMIT ? SPREAD_LIMIT : (int64_t)high;
    }
    tidy(reach);
}

static int64_t blocks_along(const Memory *memory, int k)
{
    return (int64_t)memory->last[k] - memory->first[k] + 1;
}

/* Notes the axes of the grid that the index along an axis moves with, if blocks that differ in any
** of them are apart by it. Those that move it least are looked at first. */
static void note_apart(Rehearsal *r, Memory *memory, int axis, bool apart[3])
{
    const int64_t *slope = memory->slope[axis];
    bool done[3] = { false };

    tidy(&memory->reach[axis]);
    for (int round = 0; round < 3; round++) {
        int k = -1;
        for (int i = 0; i < 3; i++)
            if (!done[i] && slope[i] && blocks_along(memory, i) > 1 &&
                (k < 0 || magnitude(slope[i]) < magnitude(slope[k])))
                k = i;
        if (k < 0)
            break;
        if (!are_apart(r, &memory->reach[axis], magnitude(slope[k]), blocks_along(memory, k)))
            return;
        widen(&memory->reach[axis], slope[k], blocks_along(memory, k));
        done[k] = true;
    }
    for (int k = 0; k < 3; k++)
        apart[k] |= done[k];
}

bool blocks_are_apart(Rehearsal *r, Memory *memory)
{
    bool apart[3] = { false };

    for (int axis = 0; axis < memory->rank; axis++)
        note_apart(r, memory, axis, apart);
    for (int k = 0; k < 3; k++)
        if (!apart[k] && blocks_along(memory, k) > 1)
            return false;
    return true;
}
