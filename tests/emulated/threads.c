/* The threads of a block, each with a stack of its own: one runs until it waits or ends. When none
** can go on, those that all wait for one another are let go: the lanes of a mask, or the block. */
#include "tests/emulated/threads.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { THREADS = 1024, LANES = 32, STACK = 256 << 10, SHARED = 228 << 10 };

typedef enum ThreadState { RUNS, AT_BARRIER, AT_EXCHANGE, ENDED } ThreadState;

typedef struct EmulatedThread {
    ucontext_t context;
    ThreadState state;
    int purpose, predicate, result; /* of what it waits for */
    unsigned mask, there;
    unsigned long long given, all[LANES];
} EmulatedThread;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static EmulatedThread threads[THREADS];
static int count, now; /* of the block; which one runs */
static ucontext_t back;
static char *stacks;
static EmulatedEntry *entry;
static void *const *params;

static void wait_as(ThreadState state)
{
    threads[now].state = state;
    swapcontext(&threads[now].context, &back);
}

static int meet(EmulatedMeeting how, int predicate)
{
    EmulatedThread *own = &threads[now];
    own->purpose = (int)how;
    own->predicate = predicate != 0;
    wait_as(AT_BARRIER);
    return own->result;
}

static void stop(void)
{
    wait_as(ENDED);
}

static Emulated emulated;

static void wrong(const char *what)
{
    fprintf(stderr, "emulated: %s: block %u %u %u, thread %u %u %u\n", what, emulated.block.x,
            emulated.block.y, emulated.block.z, emulated.thread.x, emulated.thread.y,
            emulated.thread.z);
    abort();
}

static const unsigned long long *exchange(int purpose, unsigned mask, unsigned long long value,
                                          unsigned *there)
{
    EmulatedThread *own = &threads[now];
    if (!(mask >> emulated.lane & 1))
        wrong("a lane is not in its mask");
    own->purpose = purpose;
    own->mask = mask;
    own->given = value;
    wait_as(AT_EXCHANGE);
    *there = own->there;
    return own->all;
}

static void begin(void)
{
    entry(params, &emulated);
    stop();
}

/* ---- who waits for whom ---------------------------------------------------------------------- */

/* Lets the block go if all threads that have not ended wait for it. */
static bool release_block(void)
{
    int waiting = 0, yes = 0;
    for (int i = 0; i < count; i++) {
        if (threads[i].state != AT_BARRIER && threads[i].state != ENDED)
            return false;
        waiting += threads[i].state == AT_BARRIER;
        yes += threads[i].state == AT_BARRIER && threads[i].predicate;
    }
    const int results[] = { 0, yes, yes == waiting, yes > 0 };
    for (int i = 0; i < count; i++) {
        if (threads[i].state != AT_BARRIER)
            continue;
        threads[i].result = results[threads[i].purpose];
        threads[i].state = RUNS;
    }
    return waiting > 0;
}

/* The lanes that wait together with one of a warp; 0: some of its mask have not come. */
static unsigned waiting_with(const EmulatedThread *warp, int lanes, const EmulatedThread *own)
{
    unsigned there = 0;
    for (int lane = 0; lane < lanes; lane++) {
        const EmulatedThread *other = &warp[lane];
        if (!(own->mask >> lane & 1) || other->state == ENDED)
            continue;
        if (other->state != AT_EXCHANGE || other->mask != own->mask ||
            other->purpose != own->purpose)
            return 0;
        there |= 1u << lane;
    }
    return there;
}

static bool release_lanes(EmulatedThread *warp, int lanes)
{
    bool any = false;
    for (int lane = 0; lane < lanes; lane++) {
        unsigned there =
            warp[lane].state == AT_EXCHANGE ? waiting_with(warp, lanes, &warp[lane]) : 0;
        for (int to = 0; to < lanes; to++) {
            if (!(there >> to & 1))
                continue;
            for (int from = 0; from < lanes; from++)
                warp[to].all[from] = warp[from].given;
            warp[to].there = there;
            warp[to].state = RUNS;
            any = true;
        }
    }
    return any;
}

static bool release_warps(void)
{
    bool any = false;
    for (int first = 0; first < count; first += LANES)
        any |= release_lanes(&threads[first], count - first < LANES ? count - first : LANES);
    return any;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void start(int i)
{
    EmulatedThread *own = &threads[i];
    own->state = RUNS;
    getcontext(&own->context);
    own->context.uc_stack.ss_sp = stacks + (size_t)i * STACK;
    own->context.uc_stack.ss_size = STACK;
    own->context.uc_link = NULL;
    makecontext(&own->context, begin, 0);
}

static void resume(int i)
{
    const unsigned width = emulated.block_dim.x, height = emulated.block_dim.y;
    const unsigned self = (unsigned)i;
    now = i;
    emulated.thread = (EmulatedAxes){ self % width, self / width % height, self / width / height };
    emulated.lane = self % LANES;
    swapcontext(&back, &threads[i].context);
}

/* Lets each thread run that can, in an order of its own; false: all have ended. */
static bool run_round(uint32_t *luck)
{
    static int order[THREADS];
    bool any = false;
    for (int i = 0; i < count; i++) {
        *luck = *luck * 1664525 + 1013904223;
        const int at = (int)((*luck >> 8) % (uint32_t)(i + 1));
        order[i] = order[at];
        order[at] = i;
    }
    for (int i = 0; i < count; i++) {
        if (threads[order[i]].state == RUNS)
            resume(order[i]);
        any |= threads[order[i]].state != ENDED;
    }
    return any;
}

static void run_block(void)
{
    uint32_t luck = 1;
    for (int i = 0; i < count; i++)
        start(i);
    while (run_round(&luck))
        if (!release_warps() && !release_block())
            wrong("threads wait for what does not come");
}

void emulated_launch(EmulatedEntry *kernel, const unsigned grid[3], const unsigned block[3],
                     size_t shared, void *const *given)
{
    pthread_mutex_lock(&lock);
    if (!stacks)
        stacks = mmap(NULL, (size_t)STACK * THREADS, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!emulated.shared)
        emulated.shared = aligned_alloc(1024, SHARED);
    if (stacks == MAP_FAILED || !emulated.shared)
        wrong("no memory");
    memset(emulated.shared, 0xa5, SHARED);
    emulated.meet = meet;
    emulated.exchange = exchange;
    emulated.stop = stop;
    emulated.wrong = wrong;
    emulated.shared_bytes = (unsigned)shared;
    emulated.grid_dim = (EmulatedAxes){ grid[0], grid[1], grid[2] };
    emulated.block_dim = (EmulatedAxes){ block[0], block[1], block[2] };
    entry = kernel;
    params = given;
    count = (int)(block[0] * block[1] * block[2]);
    for (unsigned z = 0; z < grid[2]; z++)
        for (unsigned y = 0; y < grid[1]; y++)
            for (unsigned x = grid[0]; x-- > 0;) {
                emulated.block = (EmulatedAxes){ x, y, z };
                run_block();
            }
    pthread_mutex_unlock(&lock);
}
