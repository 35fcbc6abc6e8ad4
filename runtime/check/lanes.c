/* Findings about masks of warp operations: a mask names lanes that have ended, do not exist or wait
** elsewhere, or not the lane itself; or a shuffle reads a lane that its mask does not name. The
** undefined result of such a shuffle is reported when it is used (codegen/check/undefined.c), and
** recorded here until then. */
#include "runtime/check/run.h"

enum { BITS = 32 }; /* of KjitCheck.undefined */

/* A shuffle's read of a lane that does not exist, has ended, or is not in its mask. */
typedef struct UndefinedRead {
    CheckEvent at;
    CheckEvent other; /* where the lane is that was read; .site -1 if unknown */
    int source;       /* the lane that was read */
    bool ended;       /* whether it had ended */
    uint32_t mask;
} UndefinedRead;

struct UndefinedReads {
    UndefinedRead last;          /* of the last shuffle */
    UndefinedRead of_bits[BITS]; /* of variables, by bit */
};

/* ---- where lanes are ------------------------------------------------------------------------- */

/* Where a lane returned, or what it waits at; .site -1 if it runs, or reached the kernel's end. */
static CheckEvent event_of_lane(const Thread *t)
{
    CheckEvent nowhere = { .site = -1, .called = -1 };

    if (t->state == ENDED)
        return t->front.left >= 0 ? find_event(t, t->front.left, 0) : nowhere;
    if (t->state == AT_BARRIER || t->state == AT_WARP || t->state == AT_GRID)
        return find_event(t, t->front.site, 0);
    return nowhere;
}

static Thread *lane_of(Thread *t, int lane)
{
    return t - t->index % 32 + lane;
}

/* The number of lanes of the thread's warp, ended or not. */
static int lanes_of(const Thread *t)
{
    int lanes = t->block->count - t->index / 32 * 32;

    return lanes < 32 ? lanes : 32;
}

/* Adds a finding about one operation, whichever lane is absent. */
static CheckFinding *add(CheckRun *run, const CheckEvent *at, const CheckEvent *other)
{
    CheckFinding *found = find_add(run, FOUND_ABSENT_LANES, at->site, -1);

    if (found) {
        found->at = *at;
        found->other = *other;
    } else if (other->site >= 0) {
        CheckFinding *known = find_known(run, FOUND_ABSENT_LANES, at->site, -1);
        if (known && known->other.site < 0)
            known->other = *other;
    }
    return found;
}

static CheckFinding *add_lane(Thread *t, const CheckEvent *other)
{
    CheckEvent at = find_event(t, t->front.site, 0), nowhere = { .site = -1, .called = -1 };

    return add(t->run, &at, other ? other : &nowhere);
}

/* ---- masks ----------------------------------------------------------------------------------- */

void lanes_report_ended(Thread *t, uint32_t lanes)
{
    CheckEvent left = event_of_lane(lane_of(t, __builtin_ctz(lanes)));
    CheckFinding *found = t->kind == CHECK_WARP_SYNC ? NULL : add_lane(t, &left);

    if (!found)
        return;
    snprintf(found->message, sizeof found->message,
             "the mask 0x%08x names lane %d, which has ended", t->mask, __builtin_ctz(lanes));
    snprintf(found->note, sizeof found->note,
             "let all lanes come here and guard what they do, or name those that come");
}

/* Reports that t's mask names lanes beyond the block's last thread. */
static void report_beyond(Thread *t, uint32_t beyond, int lanes)
{
    CheckFinding *found = t->kind == CHECK_WARP_SYNC ? NULL : add_lane(t, NULL);

    if (!found)
        return;
    snprintf(found->message, sizeof found->message,
             "the mask 0x%08x names lane %d, and the block's last warp has %d lanes", t->mask,
             __builtin_ctz(beyond), lanes);
    snprintf(found->note, sizeof found->note,
             "launch blocks of a multiple of 32 threads, or name the lanes that are there");
}

void lanes_report_absent(Thread *t, uint32_t lanes, bool meet)
{
    const Thread *absent = lane_of(t, __builtin_ctz(lanes));
    CheckFinding *found = find_add(t->run, FOUND_ABSENT_LANES, t->front.site, absent->front.site);

    if (!found)
        return;
    found->at = find_event(t, t->front.site, 0);
    found->other = find_event(absent, absent->front.site, 0);
    if (meet)
        snprintf(found->message, sizeof found->message,
                 "lanes %d and %d meet with different masks: 0x%08x and 0x%08x", t->index % 32,
                 absent->index % 32, t->mask, absent->mask);
    else
        snprintf(
            found->message, sizeof found->message,
            "the mask 0x%08x names lane %d, which waits elsewhere (lanes that do not come: %d)",
            t->mask, absent->index % 32, __builtin_popcount(lanes));
    snprintf(found->note, sizeof found->note,
             "let all lanes come to one place, or give each branch a mask of its own lanes");
}

static void report_unnamed(Thread *t)
{
    CheckFinding *found = add_lane(t, NULL);

    if (!found)
        return;
    snprintf(found->message, sizeof found->message, "lane %d is not named by its own mask, 0x%08x",
             t->index % 32, t->mask);
    snprintf(found->note, sizeof found->note,
             "a lane that takes part is to have its bit in the mask");
}

void lanes_check_mask(Thread *t)
{
    uint32_t own = 1u << t->index % 32, all = UINT32_MAX;
    int lanes = lanes_of(t);

    if (!(t->mask & own)) {
        report_unnamed(t);
        t->mask |= own;
    }
    if (lanes < 32)
        all = (1u << lanes) - 1;
    if (t->mask & ~all)
        report_beyond(t, t->mask & ~all, lanes);
    if (t->mask & all & ~t->warp->there)
        lanes_report_ended(t, t->mask & all & ~t->warp->there);
}

/* ---- shuffles -------------------------------------------------------------------------------- */

void lanes_read_undefined(Thread *t, int source)
{
    if (!t->undefined)
        t->undefined = memory_zeroed(1, sizeof *t->undefined);
    if (!t->undefined)
        return;
    bool there = source < lanes_of(t);
    t->undefined->last = (UndefinedRead){
        .at = find_event(t, t->front.site, 0),
        .other =
            there ? event_of_lane(lane_of(t, source)) : (CheckEvent){ .site = -1, .called = -1 },
        .source = source,
        .ended = there && lane_of(t, source)->state == ENDED,
        .mask = t->mask,
    };
    t->front.shuffle_undefined = true;
}

static void report_undefined(Thread *t, const UndefinedRead *undefined)
{
    CheckFinding *found = add(t->run, &undefined->at, &undefined->other);
    int lane = t->index % 32, source = undefined->source, lanes = lanes_of(t);

    if (!found)
        return;
    if (source >= lanes)
        snprintf(found->message, sizeof found->message,
                 "lane %d reads lane %d, and the block's last warp has %d lanes", lane, source,
                 lanes);
    else
        snprintf(found->message, sizeof found->message,
                 "lane %d reads lane %d, which %sthe mask 0x%08x does not name", lane, source,
                 undefined->ended ? "has ended and " : "", undefined->mask);
    snprintf(found->note, sizeof found->note,
             "the mask is to name all lanes that take part, those that are read too");
}

void lanes_undefined(KjitCheck *c, int from, int to)
{
    Thread *t = (Thread *)c;
    const UndefinedRead *undefined = from < 0 ? &t->undefined->last : &t->undefined->of_bits[from];

    if (to < 0)
        report_undefined(t, undefined);
    else
        t->undefined->of_bits[to] = *undefined;
}
