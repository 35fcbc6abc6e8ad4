/* The report of a deadlock, which ends the run. */
#include "runtime/check/run.h"

static bool is_waiting(const Thread *t)
{
    return t->state == AT_BARRIER || t->state == AT_WARP || t->state == AT_GRID ||
           (t->state == RUNNABLE && t->spinning);
}

/* How well a waiting thread explains the deadlock. */
static int weight(const Thread *t)
{
    return t->state == RUNNABLE ? 3 : t->state == AT_WARP ? 2 : 1;
}

/* Picks the thread that explains most, and one that waits elsewhere, in its block if possible. */
static void pick(const CheckRun *run, const Thread **at, const Thread **other)
{
    *at = *other = NULL;
    for (int i = 0; i < run->block_count; i++)
        for (int k = 0; k < run->blocks[i]->count; k++) {
            const Thread *t = &run->blocks[i]->threads[k];
            if (is_waiting(t) && (!*at || weight(t) > weight(*at)))
                *at = t;
        }
    for (int i = 0; *at && i < run->block_count; i++)
        for (int k = 0; k < run->blocks[i]->count; k++) {
            const Thread *t = &run->blocks[i]->threads[k];
            if (is_waiting(t) && (t->front.site != (*at)->front.site || t->state != (*at)->state) &&
                (!*other || ((*other)->block != (*at)->block && t->block == (*at)->block)))
                *other = t;
        }
}

static void describe_wait(const CheckRun *run, const Thread *t, CheckFinding *found)
{
    if (t->state == RUNNABLE && !t->probe->count) {
        snprintf(found->message, sizeof found->message,
                 "threads repeat a loop for ever, and change nothing");
        snprintf(found->note, sizeof found->note, "mend the condition that ends the loop");
    } else if (t->state == RUNNABLE) {
        find_element(run, t->block, t->front.site, t->probe->seen[0].address, found->element);
        snprintf(found->message, sizeof found->message,
                 "a thread waits for ever for %s to change: no thread is left that could",
                 *found->element ? found->element : "memory");
        snprintf(found->note, sizeof found->note,
                 "what it waits for must be done by a thread that does not wait for it in turn");
    } else if (t->state == AT_GRID) {
        snprintf(found->message, sizeof found->message,
                 "threads wait for ever for the whole grid: %s",
                 run->ended_blocks ? "some blocks have ended" : "others wait elsewhere");
        snprintf(found->note, sizeof found->note, "all threads of all blocks are to come to it");
    } else if (t->state == AT_BARRIER) {
        snprintf(found->message, sizeof found->message,
                 "threads wait for ever at a barrier: %d of the %d threads of the block are there",
                 t->block->arrived, t->block->live);
        snprintf(found->note, sizeof found->note, "all threads of a block are to come to it");
    } else {
        snprintf(found->message, sizeof found->message,
                 "lanes wait for ever for the others that their mask 0x%08x names", t->mask);
        snprintf(found->note, sizeof found->note, "all lanes of the mask are to come to it");
    }
}

void wait_report(CheckRun *run)
{
    const Thread *at, *other;

    if (locks_report(run))
        return;
    pick(run, &at, &other);
    if (!at)
        return;
    CheckFinding *found =
        find_add(run, FOUND_DEADLOCK, at->front.site, other ? other->front.site : -1);
    if (!found)
        return;
    found->at = find_event(at, at->front.site, at->state == RUNNABLE ? CHECK_READ : 0);
    if (other)
        found->other =
            find_event(other, other->front.site, other->state == RUNNABLE ? CHECK_READ : 0);
    describe_wait(run, at, found);
}
