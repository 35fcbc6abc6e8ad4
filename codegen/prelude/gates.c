/* Threads of the C dialect that stop where they must wait and go on there: gates of warps, blocks
** and the grid, and blocks that go on round by round. Pieces: see emit.h. */

/*@ Lane - */
/* Where a thread is: at work, waiting, or at its end. */
enum { AT_WORK, AT_WARP_GATE, AT_BLOCK_GATE, AT_GRID_GATE, AT_END };
/* What it wants to know when the gate opens. */
enum {
    ASK_NOTHING, ASK_FROM, ASK_UP, ASK_DOWN, ASK_XOR, ASK_ALL, ASK_ANY, ASK_EQUAL, ASK_BALLOT,
    ASK_ACTIVE, ASK_MATCH, ASK_COUNT, ASK_AND, ASK_OR
};
/* A thread that stops where it must wait, and goes on there. */
typedef struct Lane {
    int at;
    int stop;                       /* which of its stops it is at */
    int ask, of, operand;           /* `of`: the values' type, or where it asks who is there */
    unsigned int mask;              /* the lanes to wait for */
    unsigned long long said, heard; /* its own value, and the answer */
} Lane;

/*@ WAIT_FOR_WARP - : Lane.- */
#define WAIT_FOR_WARP(lane, number, what, of_what, lanes, number_asked)                        \
    lane->ask = what;                                                                          \
    lane->of = of_what;                                                                        \
    lane->mask = lanes;                                                                        \
    lane->operand = number_asked;                                                              \
    lane->stop = number;                                                                       \
    return AT_WARP_GATE;                                                                       \
    case number:

/*@ WAIT_FOR_BLOCK - : Lane.- */
#define WAIT_FOR_BLOCK(lane, number, what)                                                     \
    lane->ask = what;                                                                          \
    lane->stop = number;                                                                       \
    return AT_BLOCK_GATE;                                                                      \
    case number:

/*@ WAIT_FOR_GRID - : Lane.- */
#define WAIT_FOR_GRID(lane, number)                                                            \
    lane->heard = 0;                                                                           \
    lane->stop = number;                                                                       \
    return AT_GRID_GATE;                                                                       \
    case number:

/*@ waits_for_grid - : Lane.- */
/* Whether every thread of the block that has not ended waits for the grid, and one does. */
$fn bool waits_for_grid(const Lane *lanes, int threads)
{
    int left = 0, waiting = 0;

    for (int t = 0; t < threads; t++) {
        left += lanes[t].at != AT_END;
        waiting += lanes[t].at == AT_GRID_GATE;
    }
    return left > 0 && waiting == left;
}

/*@ pass_grid_gate - : Lane.- */
$fn void pass_grid_gate(Lane *lanes, int threads)
{
    for (int t = 0; t < threads; t++)
        if (lanes[t].at == AT_GRID_GATE)
            lanes[t].at = AT_WORK;
}

/*@ YIELD - : Lane.- */
/* At the end of an iteration of a loop that waits for other threads. */
enum { AT_LOOK = AT_END + 1 };
#define YIELD(lane, number)                                                               \
    lane->stop = number;                                                                       \
    return AT_LOOK;                                                                            \
    case number:

/*@ Rounds - */
/* The blocks of a launch that have begun and not ended: those that have waited since the last
** round, and those that wait in this one. */
typedef struct Rounds {
    void **before, **now;
    long long count, waiting, most; /* `most`: that may wait before no more begin */
    long long begun, at_grid;
    bool open;  /* all wait for the grid: they go on */
    bool moved; /* in this round a block has done something */
    int quiet;  /* rounds in a row in which none has */
    int active; /* threads of the processor */
} Rounds;

/*@ BlockSlice - : Rounds.- */
/* A block that runs until all its threads wait. */
typedef struct BlockSlice {
    Rounds *rounds;
    bool moved; /* since they last looked, one of them has done something */
    bool done;  /* something, in this slice */
    bool waits; /* in loops: the slice is over */
    int looks;
} BlockSlice;

/*@ begin_block_slice - : BlockSlice.- YIELD.- */
$fn void begin_block_slice(BlockSlice *slice, Lane *lanes, int threads)
{
    slice->moved = slice->done = slice->waits = false;
    slice->looks = 0;
    for (int t = 0; t < threads; t++)
        if (lanes[t].at == AT_LOOK || (lanes[t].at == AT_GRID_GATE && slice->rounds->open))
            lanes[t].at = AT_WORK;
}

/*@ have_block_slice - : BlockSlice.- YIELD.- */
/* When no thread of the block can go on: whether gates have opened, or some look once more at what
** they wait for, since others have done something meanwhile or may be about to. */
$fn bool have_block_slice(BlockSlice *slice, Lane *lanes, int threads, int opened)
{
    bool looking = false;

    if (opened > 0)
        return true;
    slice->done |= slice->moved;
    for (int t = 0; t < threads && opened == -2; t++)
        looking |= lanes[t].at == AT_LOOK;
    if (!looking)
        return false;
    slice->waits = slice->looks++ == 64 ||
                  (!slice->moved && __atomic_load_n(&slice->rounds->active, __ATOMIC_RELAXED) < 2);
    slice->moved = false;
    for (int t = 0; t < threads && !slice->waits; t++)
        if (lanes[t].at == AT_LOOK)
            lanes[t].at = AT_WORK;
    return !slice->waits;
}

/*@ next_block_slice - : Rounds.- */
/* The next block of a round: one that waits, or number *begins, unless that is -1. */
$fn bool next_block_slice(Rounds *rounds, long long *next, long long blocks, void **worker,
                   long long *begins)
{
    long long k = rounds->count;

    if (__atomic_load_n(next, __ATOMIC_RELAXED) < rounds->count)
        k = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
    *worker = NULL;
    *begins = -1;
    if (k < rounds->count) {
        *worker = rounds->before[k];
        return true;
    }
    if (__atomic_load_n(&rounds->waiting, __ATOMIC_RELAXED) >= rounds->most ||
        __atomic_load_n(&rounds->begun, __ATOMIC_RELAXED) >= blocks)
        return false;
    *begins = __atomic_fetch_add(&rounds->begun, 1, __ATOMIC_RELAXED);
    return *begins < blocks;
}

/*@ end_block_slice - : BlockSlice.- */
$fn void end_block_slice(Rounds *rounds, void *worker, const BlockSlice *slice, int status)
{
    if (slice->done || status >= 0)
        __atomic_store_n(&rounds->moved, true, __ATOMIC_RELAXED);
    if (status >= 0)
        return;
    if (status == -1)
        __atomic_fetch_add(&rounds->at_grid, 1, __ATOMIC_RELAXED);
    rounds->now[__atomic_fetch_add(&rounds->waiting, 1, __ATOMIC_RELAXED)] = worker;
}

/*@ begin_round - : Rounds.- */
/* False if there is no memory. */
$fn bool begin_round(Rounds *rounds)
{
    enum { FEW = 256, CREW = 1024 }; /* `CREW`: the most threads of the processor, which may each
                                        have begun a block at the same time */
    long long most = rounds->waiting < FEW / 2 ? FEW : 2 * rounds->waiting;
    void **now = calloc((size_t)most + CREW, sizeof *now);

    rounds->before = rounds->now;
    rounds->count = rounds->waiting;
    rounds->most = most;
    rounds->now = now;
    rounds->waiting = rounds->at_grid = 0;
    rounds->moved = false;
    for (long long k = 0; !now && k < rounds->count; k++)
        free(rounds->before[k]);
    if (!now)
        free(rounds->before);
    return now;
}

/*@ end_round - : Rounds.- pause_round.- */
/* Whether there is one more to come; sets *failed to 3 or 5 if blocks wait for ever. */
$fn bool end_round(Rounds *rounds, long long blocks, int *failed)
{
    bool all_begun = rounds->begun >= blocks, some_look = rounds->waiting > rounds->at_grid;

    free(rounds->before);
    rounds->open = all_begun && !some_look && rounds->at_grid == blocks;
    rounds->quiet = rounds->moved || rounds->open || !all_begun ? 0 : rounds->quiet + 1;
    if (!*failed && rounds->waiting && rounds->quiet)
        *failed = pause_round(rounds->quiet) ? 0 : some_look ? 5 : 3;
    if (!*failed && (rounds->waiting || !all_begun))
        return true;
    for (long long k = 0; k < rounds->waiting; k++)
        free(rounds->now[k]);
    free(rounds->now);
    return false;
}

/*@ pause_round - */
/* Behind round number `quiet` in which nothing was done: false if there were enough. */
int usleep(unsigned int);
$fn bool pause_round(int quiet)
{
    enum { ROUNDS = 10, MICROSECONDS = 20000 };

    if (quiet < ROUNDS)
        usleep(MICROSECONDS);
    return quiet < ROUNDS;
}

/*@ stand_by - */
/* In a loop that waits for a block which has begun: now and then its thread of the processor gets
** to run where this one is. */
int usleep(unsigned int);
$fn void stand_by(void)
{
    enum { LOOKS = 256, MICROSECONDS = 20 };
    static _Thread_local int looks;

    if (++looks < LOOKS)
        return;
    looks = 0;
    usleep(MICROSECONDS);
}

/*@ shuffle_answer - : Lane.- */
/* What lane `self` of a warp hears of the lanes `present`. */
$fn unsigned long long shuffle_answer(const Lane *warp, int self, unsigned int present)
{
    int by = warp[self].operand & 31, source = self;

    switch (warp[self].ask) {
    case ASK_FROM: source = by; break;
    case ASK_UP: source = self >= by ? self - by : self; break;
    case ASK_DOWN: source = self + by < 32 ? self + by : self; break;
    default: source = self ^ by; break;
    }
    return warp[present >> source & 1 ? source : self].said;
}

/*@ same_lanes - : Lane.- */
/* Those of the lanes that say what lane `self` does. */
$fn unsigned int same_lanes(const Lane *warp, int self, unsigned int lanes)
{
    unsigned int same = 0;

    for (int lane = 0; lane < 32; lane++)
        if ((lanes >> lane & 1) && warp[lane].said == warp[self].said)
            same |= 1u << lane;
    return same;
}

/*@ warp_answer - : shuffle_answer.- same_lanes.- */
/* The same, of votes too. */
$fn unsigned long long warp_answer(const Lane *warp, int self, unsigned int present)
{
    unsigned int yes = 0;

    for (int i = 0; i < 32; i++)
        if (present >> i & 1 && warp[self].ask >= ASK_ALL)
            yes |= (unsigned int)(warp[i].said != 0) << i;
    switch (warp[self].ask) {
    case ASK_NOTHING: return 0;
    case ASK_ALL: return yes == present;
    case ASK_ANY: return yes != 0;
    case ASK_EQUAL: return yes == present || yes == 0;
    case ASK_BALLOT: return yes;
    case ASK_ACTIVE: return present;
    case ASK_MATCH: return same_lanes(warp, self, present);
    default: return shuffle_answer(warp, self, present);
    }
}

/*@ together - : Lane.- */
/* Those of the waiting lanes that wait for the same as lane `self`, itself among them. */
$fn unsigned int together(const Lane *warp, int self, unsigned int waiting)
{
    unsigned int same = 0;

    for (int i = self; i < 32 && waiting >> i; i++)
        if ((waiting >> i & 1) && warp[i].ask == warp[self].ask && warp[i].of == warp[self].of &&
            (warp[i].mask == warp[self].mask || warp[i].ask == ASK_ACTIVE))
            same |= 1u << i;
    return same;
}

/*@ let_go_on - : warp_answer.- */
/* Lanes that have met go on. Answers are all worked out before any does. */
$fn void let_go_on(Lane *warp, unsigned int lanes)
{
    for (int i = 0; i < 32; i++)
        if (lanes >> i & 1)
            warp[i].heard = warp_answer(warp, i, lanes);
    for (int i = 0; i < 32; i++)
        if (lanes >> i & 1)
            warp[i].at = AT_WORK;
}

/*@ open_warp - : let_go_on.- together.- */
/* Lets go on the lanes of a warp that wait for the same, if all lanes of their mask that have not
** ended do; else some that ask who is there, which no other lane comes to. 1 if lanes go on, 0 if
** none does, -4 if a lane's mask does not name it. */
$fn int open_warp(Lane *warp, int lanes)
{
    unsigned int left = 0, waiting = 0, askers = 0, opened = 0;

    for (int i = 0; i < lanes; i++) {
        bool here = warp[i].at == AT_WARP_GATE, asks = here && warp[i].ask == ASK_ACTIVE;
        left |= (unsigned int)(warp[i].at != AT_END) << i;
        waiting |= (unsigned int)(here && !asks) << i;
        askers |= (unsigned int)asks << i;
    }
    for (unsigned int rest = waiting, group; rest; rest &= ~group) {
        int first = __builtin_ctz(rest);
        group = together(warp, first, rest);
        if (group & ~warp[first].mask)
            return -4;
        if (warp[first].mask & left & ~group)
            continue;
        let_go_on(warp, group);
        opened |= group;
    }
    if (!opened && askers) {
        opened = together(warp, __builtin_ctz(askers), askers);
        let_go_on(warp, opened);
    }
    return opened != 0;
}

/*@ open_block_gate - : Lane.- */
/* Lets all threads go on if every one that has not ended waits for the block. */
$fn bool open_block_gate(Lane *lanes, int threads)
{
    int left = 0, waiting = 0, yes = 0;

    for (int t = 0; t < threads; t++) {
        bool here = lanes[t].at == AT_BLOCK_GATE;
        left += lanes[t].at != AT_END;
        waiting += here;
        yes += here && lanes[t].ask != ASK_NOTHING && lanes[t].said;
    }
    if (!left || waiting < left)
        return false;
    for (int t = 0; t < threads; t++) {
        if (lanes[t].at == AT_END)
            continue;
        lanes[t].heard = (unsigned long long)(lanes[t].ask == ASK_COUNT ? yes
                                              : lanes[t].ask == ASK_AND ? yes == left
                                                                        : yes > 0);
        lanes[t].at = AT_WORK;
    }
    return true;
}

/*@ open_gates - : open_warp.- open_block_gate.- */
/* When no thread can go on any more: opens what gates it can. 1 if threads go on, 0 if all have
** ended; else minus what the entry returns: -2 if they wait for one another, -4 if a lane waits
** with a mask that does not name it. */
$fn int open_gates(Lane *lanes, int threads)
{
    bool opened = false, ended = true;

    for (int first = 0; first < threads; first += 32) {
        int status = open_warp(&lanes[first], threads - first < 32 ? threads - first : 32);
        if (status < 0)
            return status;
        opened |= status;
    }
    if (opened || open_block_gate(lanes, threads))
        return 1;
    for (int t = 0; t < threads; t++)
        ended &= lanes[t].at == AT_END;
    return ended ? 0 : -2;
}
