#line 1 "kjit prelude"
/* What may be used of the C library. To read its own headers would take a compiler a fifth of the
** time that a small kernel takes. */
#include <stdbool.h>
#include <stddef.h>
/* gcc 12 vectorises float16 wrongly for processors that compute with it (AVX512-FP16): an element
** that was stored is loaded as it was before. Kernels compute in float32. */
#if defined(__AVX512FP16__) && !defined(__clang__)
#pragma GCC target("no-avx512fp16")
#endif
/* gcc 12 makes -(double)i of 0.0 - (double)i, which is -0.0 where i is 0, unless it is told that
** numbers may be rounded in another way than to nearest. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("rounding-math")
/* Without AVX-512 masks are vectors, of which a gather takes the highest bits. gcc 12 guards stores
** by a mask that is the same in all iterations, and takes it for 1 behind the guard, where all bits
** of it are set: such a gather loads nothing. The pass that propagates the 1 is left out. */
#if defined(__AVX2__) && !defined(__AVX512VL__)
#pragma GCC optimize("no-tree-dominator-opts")
#endif
#endif
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
#define ONE(name) double name(double); float name##f(float);
#define TWO(name) double name(double, double); float name##f(float, float);
ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos)
ONE(cosh) ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor) ONE(lgamma) ONE(log)
ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(rint) ONE(round) ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan)
ONE(tanh) ONE(tgamma) ONE(trunc) ONE(j0) ONE(j1) ONE(y0) ONE(y1)
TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(pow)
TWO(remainder)
double fma(double, double, double), frexp(double, int *), ldexp(double, int), jn(int, double);
double yn(int, double), modf(double, double *);
float fmaf(float, float, float), frexpf(float, int *), ldexpf(float, int), modff(float, float *);
int ilogb(double), ilogbf(float), memcmp(const void *, const void *, size_t);
int posix_memalign(void **, size_t, size_t), printf(const char *, ...);
void *calloc(size_t, size_t), *memchr(const void *, int, size_t), *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), free(void *);
#undef ONE
#undef TWO

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

/* A block that runs until all its threads wait. */
typedef struct BlockSlice {
    Rounds *rounds;
    bool moved; /* since they last looked, one of them has done something */
    bool done;  /* something, in this slice */
    bool waits; /* in loops: the slice is over */
    int looks;
} BlockSlice;

/* Runs what follows for each thread of the block. */
#define EACH_THREAD(i, j, k)                                                                   \
    for (int k = 0; k < blockDim.z; k++)                                                       \
        for (int j = 0; j < blockDim.y; j++)                                                   \
            for (int i = 0; i < blockDim.x; i++)

typedef struct KjitHostLaunch KjitHostLaunch;
typedef int KjitHostWork(void *const *params, const KjitHostLaunch *launch, long long chunk,
                         long long *next, void *shared);
struct KjitHostLaunch {
    unsigned int grid[3], block[3];
    unsigned long long dynamic_shared;
    int (*share)(KjitHostWork *work, void *const *params, const KjitHostLaunch *launch,
                 long long count, void *shared);
};

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

/* At the end of an iteration of a loop that waits for other threads. */
enum { AT_LOOK = AT_END + 1 };
#define YIELD(lane, number)                                                               \
    lane->stop = number;                                                                       \
    return AT_LOOK;                                                                            \
    case number:

static inline long long atomic_exch_i64(long long *address, long long value)
{
    long long old;

    __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);
    return old;
}

static inline void begin_block_slice(BlockSlice *slice, Lane *lanes, int threads)
{
    slice->moved = slice->done = slice->waits = false;
    slice->looks = 0;
    for (int t = 0; t < threads; t++)
        if (lanes[t].at == AT_LOOK || (lanes[t].at == AT_GRID_GATE && slice->rounds->open))
            lanes[t].at = AT_WORK;
}

/* False if there is no memory. */
static inline bool begin_round(Rounds *rounds)
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

typedef struct dim3 {
    int x, y, z;
} dim3;

/* The place in the grid of block number b. */
static inline dim3 block_number(long long b, dim3 grid)
{
    dim3 block = { (int)(b % grid.x), (int)(b / grid.x % grid.y), (int)(b / grid.x / grid.y) };

    return block;
}

static inline void end_block_slice(Rounds *rounds, void *worker, const BlockSlice *slice, int status)
{
    if (slice->done || status >= 0)
        __atomic_store_n(&rounds->moved, true, __ATOMIC_RELAXED);
    if (status >= 0)
        return;
    if (status == -1)
        __atomic_fetch_add(&rounds->at_grid, 1, __ATOMIC_RELAXED);
    rounds->now[__atomic_fetch_add(&rounds->waiting, 1, __ATOMIC_RELAXED)] = worker;
}

/* Behind round number `quiet` in which nothing was done: false if there were enough. */
int usleep(unsigned int);
static inline bool pause_round(int quiet)
{
    enum { ROUNDS = 10, MICROSECONDS = 20000 };

    if (quiet < ROUNDS)
        usleep(MICROSECONDS);
    return quiet < ROUNDS;
}

/* Whether there is one more to come; sets *failed to 3 or 5 if blocks wait for ever. */
static inline bool end_round(Rounds *rounds, long long blocks, int *failed)
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

/* When no thread of the block can go on: whether gates have opened, or some look once more at what
** they wait for, since others have done something meanwhile or may be about to. */
static inline bool have_block_slice(BlockSlice *slice, Lane *lanes, int threads, int opened)
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

/* The next block of a round: one that waits, or number *begins, unless that is -1. */
static inline bool next_block_slice(Rounds *rounds, long long *next, long long blocks, void **worker,
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

/* What lane `self` of a warp hears of the lanes `present`. */
static inline unsigned long long shuffle_answer(const Lane *warp, int self, unsigned int present)
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

/* Those of the lanes that say what lane `self` does. */
static inline unsigned int same_lanes(const Lane *warp, int self, unsigned int lanes)
{
    unsigned int same = 0;

    for (int lane = 0; lane < 32; lane++)
        if ((lanes >> lane & 1) && warp[lane].said == warp[self].said)
            same |= 1u << lane;
    return same;
}

/* The same, of votes too. */
static inline unsigned long long warp_answer(const Lane *warp, int self, unsigned int present)
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

/* Lanes that have met go on. Answers are all worked out before any does. */
static inline void let_go_on(Lane *warp, unsigned int lanes)
{
    for (int i = 0; i < 32; i++)
        if (lanes >> i & 1)
            warp[i].heard = warp_answer(warp, i, lanes);
    for (int i = 0; i < 32; i++)
        if (lanes >> i & 1)
            warp[i].at = AT_WORK;
}

/* Those of the waiting lanes that wait for the same as lane `self`, itself among them. */
static inline unsigned int together(const Lane *warp, int self, unsigned int waiting)
{
    unsigned int same = 0;

    for (int i = self; i < 32 && waiting >> i; i++)
        if ((waiting >> i & 1) && warp[i].ask == warp[self].ask && warp[i].of == warp[self].of &&
            (warp[i].mask == warp[self].mask || warp[i].ask == ASK_ACTIVE))
            same |= 1u << i;
    return same;
}

/* Lets go on the lanes of a warp that wait for the same, if all lanes of their mask that have not
** ended do; else some that ask who is there, which no other lane comes to. 1 if lanes go on, 0 if
** none does, -4 if a lane's mask does not name it. */
static inline int open_warp(Lane *warp, int lanes)
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

/* Lets all threads go on if every one that has not ended waits for the block. */
static inline bool open_block_gate(Lane *lanes, int threads)
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

/* When no thread can go on any more: opens what gates it can. 1 if threads go on, 0 if all have
** ended; else minus what the entry returns: -2 if they wait for one another, -4 if a lane waits
** with a mask that does not name it. */
static inline int open_gates(Lane *lanes, int threads)
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

/* Memory aligned for vectors; NULL if there is none. */
static inline void *worker_memory(size_t bytes)
{
    void *memory;

    return posix_memalign(&memory, 256, bytes ? bytes : 1) == 0 ? memory : NULL;
}

/* Index i of an axis of n elements: negative ones count from the end. */
static inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

#line 1 "kjit"
/* The variables of one thread. */
typedef struct Frame {
    int block;
    long long total;
    long long word;
    long long _seen;
} Frame;

/* What one worker needs to run a block. */
typedef struct Worker {
    Lane lanes[1024];
    Frame frames[1024];
    long long block;
    BlockSlice slice;
    unsigned char moved[1024];
    unsigned long long dynamic_size;
} Worker;

static int each_waits_for_the_one_before_block_thread(Lane *lane, Frame *frame, Worker *w,
        dim3 threadIdx, dim3 blockIdx, dim3 blockDim, dim3 gridDim, long long *words,
        long long words_0, long long *out, long long out_0)
{
    switch (lane->stop) {
    case 0:
#line 9 "spin_waits_for_another_thread.k"
        frame->block = blockIdx.x;
        frame->total = frame->block;
        if (frame->block > 0) {
            frame->word = *(const volatile long long *)&words[wrap((long long)frame->block - 1,
                    words_0)];
#line 13 "spin_waits_for_another_thread.k"
            w->moved[lane - w->lanes] |= true;
#line 13 "spin_waits_for_another_thread.k"
            while (frame->word == 0) {
                frame->word = *(const volatile long long *)&words[wrap((long long)frame->block - 1,
                        words_0)];
#line 13 "spin_waits_for_another_thread.k"
                w->moved[lane - w->lanes] |= frame->word != frame->_seen;
                frame->_seen = frame->word;
#line 13 "spin_waits_for_another_thread.k"
                YIELD(lane, 1);
            }
            frame->total += frame->word - 1;
        }
#line 16 "spin_waits_for_another_thread.k"
        atomic_exch_i64(&words[frame->block], frame->total + 1);
        out[frame->block] = frame->total;
    }
    return AT_END;
}

static int each_waits_for_the_one_before_block(Worker *restrict w, dim3 blockIdx, dim3 blockDim,
        dim3 gridDim, long long *words, long long words_0, long long *out, long long out_0)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    int opened;
    begin_block_slice(&w->slice, w->lanes, threads);
    do {
        EACH_THREAD(x, y, z) {
            const dim3 threadIdx = { x, y, z };
            const long long t = (z * (long long)blockDim.y + y) * blockDim.x + x;
            Lane *const lane = &w->lanes[t];
            if (lane->at != AT_WORK)
                continue;
            w->moved[t] = 0;
            lane->at = each_waits_for_the_one_before_block_thread(lane, &w->frames[t], w,
                    threadIdx, blockIdx, blockDim, gridDim, words, words_0, out, out_0);
            w->slice.moved |= w->moved[t] || lane->at == AT_END;
        }
        opened = open_gates(w->lanes, threads);
    } while (have_block_slice(&w->slice, w->lanes, threads, opened));
    return w->slice.waits ? -2 : -opened;
}

#line 1 "kjit"
static int each_waits_for_the_one_before_block_work(void *const *params,
        const KjitHostLaunch *launch, long long chunk, long long *next, void *shared)
{
    const dim3 blockDim = { launch->block[0], launch->block[1], launch->block[2] };
    const dim3 gridDim = { launch->grid[0], launch->grid[1], launch->grid[2] };
    const long long blocks = (long long)gridDim.x * gridDim.y * gridDim.z;
    int failed = 0;

    (void)params, (void)shared;
    const size_t threads = (size_t)blockDim.x * blockDim.y * blockDim.z;
    Rounds *const rounds = shared;
    void *waiting;
    Worker *spare = NULL;
    long long b;

    (void)chunk;
    __atomic_fetch_add(&rounds->active, 1, __ATOMIC_RELAXED);
    while (next_block_slice(rounds, next, blocks, &waiting, &b)) {
        Worker *w = waiting ? waiting : spare ? spare : worker_memory(sizeof(Worker));
        if (!w) {
            failed = 1;
            break;
        }
        if (b >= 0) {
            spare = NULL;
            memset(w->lanes, 0, sizeof(Lane) * threads);
            memset(w->frames, 0, sizeof(Frame) * threads);
            w->dynamic_size = launch->dynamic_shared;
            w->block = b;
        }
        w->slice.rounds = rounds;
        const dim3 blockIdx = block_number(w->block, gridDim);
        const int status = each_waits_for_the_one_before_block(w, blockIdx, blockDim, gridDim,
                *(void * const *)params[0], *(long long const *)params[1],
                *(void * const *)params[2], *(long long const *)params[3]);
        end_block_slice(rounds, w, &w->slice, status);
        if (status >= 0) {
            failed = status > failed ? status : failed;
            free(spare);
            spare = w;
        }
    }
    free(spare);
    __atomic_fetch_sub(&rounds->active, 1, __ATOMIC_RELAXED);
    return failed;
}
#line 1 "kjit"
int kjit_entry(void *const *params, const KjitHostLaunch *launch)
{
    const long long blocks = (long long)launch->grid[0] * launch->grid[1] * launch->grid[2];
    long long next = 0;
    int failed;

    Rounds rounds = { 0 };

    do {
        if (!begin_round(&rounds))
            return 1;
        next = 0;
        if (blocks <= 1)
            failed = each_waits_for_the_one_before_block_work(params, launch, blocks, &next,
                &rounds);
        else
            failed = launch->share(each_waits_for_the_one_before_block_work, params, launch,
                blocks, &rounds);
    } while (end_round(&rounds, blocks, &failed));
    return failed;
}
