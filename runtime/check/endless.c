/* Threads that do not end.
**
** A thread counts the iterations of its loops, except of those whose bounds allow only few, its
** recursive calls, and its accesses. When there are more of either than any kernel intends, after
** some seconds, the checker records which loops iterate from then on, and reports the outermost
** one, unless that is a `for`: it has a last iteration, however far that is. */
#include "runtime/check/run.h"

/* Iterations of one thread; an otherwise empty one takes a nanosecond or two. */
#define ITERATIONS_MAX (1ll << 30)
/* Accesses of one thread, which take ten to thirty nanoseconds each. */
#define CALLS_MAX (1ull << 28)
/* How many iterations, or accesses, are recorded then, of how many loops. */
enum { WATCHED = 1 << 24, LOOPS = 64 };

/* The loops of one thread that still iterate. */
typedef struct Endless {
    const Thread *thread;
    bool iterations; /* iterations exceeded their limit, not accesses */
    uint64_t seen;
    int count;
    struct {
        int site;
        uint64_t iterations;
    } loop[LOOPS];
} Endless;

void endless_reset(Thread *t)
{
    t->front.iterations = ITERATIONS_MAX;
}

void endless_close(CheckRun *run)
{
    memory_free(run->endless);
}

/* The site of the kernel's first loop in the source, as an outer loop precedes those inside it; if
** only called functions loop, of the loop with the fewest iterations. -1: there is none. */
static int outermost(const CheckRun *run, const Endless *endless)
{
    int found = -1;

    for (int i = 0; i < endless->count; i++) {
        int site = endless->loop[i].site;
        bool inner = run->request->sites[site].inner;
        bool found_inner = found >= 0 && run->request->sites[endless->loop[found].site].inner;
        if (found < 0 || (!inner && found_inner) ||
            (!inner && !found_inner && site < endless->loop[found].site) ||
            (inner && found_inner && endless->loop[i].iterations < endless->loop[found].iterations))
            found = i;
    }
    return found < 0 ? -1 : endless->loop[found].site;
}

static void report(Thread *t, int site, bool iterations)
{
    const char *what = site < 0 ? "" : t->run->request->sites[site].what;

    if (site < 0)
        site = t->front.site;
    CheckFinding *found = find_add(t->run, FOUND_DEADLOCK, site, -1);
    if (!found)
        return;
    found->at = find_event(t, site, 0);
    if (iterations)
        snprintf(found->message, sizeof found->message,
                 "a thread does not end: its loops have made %lld iterations",
                 (long long)ITERATIONS_MAX);
    else
        snprintf(found->message, sizeof found->message,
                 "a thread does not end: it has made %llu accesses", (unsigned long long)CALLS_MAX);
    snprintf(found->note, sizeof found->note, "mend the condition that ends the %s",
             strcmp(what, "call") == 0 ? "recursion" : "loop");
}

/* Counts from the beginning. */
static void go_on(Thread *t)
{
    t->run->endless->thread = NULL;
    t->calls = 0;
    endless_reset(t);
}

static void give_up(Thread *t)
{
    const Endless *endless = t->run->endless;
    int site = endless ? outermost(t->run, endless) : -1;

    if (endless &&
        (site < 0 || strcmp(t->run->request->sites[site].what, CHECK_COUNTED_LOOP) == 0)) {
        go_on(t);
        return;
    }
    report(t, site, endless && endless->iterations);
    schedule_fail(t->run, KJIT_OK);
}

/* From now on each iteration of the thread is recorded. */
static void watch(Thread *t, bool iterations)
{
    CheckRun *run = t->run;

    t->front.iterations = 0;
    if (!run->endless) {
        run->endless = memory_zeroed(1, sizeof *run->endless);
        if (!run->endless) {
            give_up(t);
            return;
        }
    }
    *run->endless = (Endless){ .thread = t, .iterations = iterations };
}

static void note_iteration(Endless *endless, int site)
{
    int i = 0;

    while (i < endless->count && endless->loop[i].site != site)
        i++;
    if (i == LOOPS)
        return;
    endless->loop[i].site = site;
    endless->loop[i].iterations++;
    endless->count += i == endless->count;
}

void endless_iteration(KjitCheck *c, int site)
{
    Thread *t = (Thread *)c;

    if (!t->run->endless || t->run->endless->thread != t)
        watch(t, true);
    t->front.iterations = 0;
    note_iteration(t->run->endless, site);
    if (++t->run->endless->seen > WATCHED)
        give_up(t);
}

void endless_calls(Thread *t)
{
    if (t->calls <= CALLS_MAX)
        return;
    if (!t->run->endless || t->run->endless->thread != t)
        watch(t, false);
    else if (t->calls > CALLS_MAX + WATCHED)
        give_up(t);
}
