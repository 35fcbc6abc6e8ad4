== loop ==
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

/* Runs what follows for each thread of the block; none depends on another. */
#define EACH_THREAD_SIMD(i, j, k)                                                              \
    for (int k = 0; k < blockDim.z; k++)                                                       \
        for (int j = 0; j < blockDim.y; j++)                                                   \
            _Pragma("omp simd") for (int i = 0; i < blockDim.x; i++)

typedef struct KjitHostLaunch KjitHostLaunch;
typedef int KjitHostWork(void *const *params, const KjitHostLaunch *launch, long long chunk,
                         long long *next, void *shared);
struct KjitHostLaunch {
    unsigned int grid[3], block[3];
    unsigned long long dynamic_shared;
    int (*share)(KjitHostWork *work, void *const *params, const KjitHostLaunch *launch,
                 long long count, void *shared);
};

typedef struct dim3 {
    int x, y, z;
} dim3;

/* The place in the grid of block number b. */
static inline dim3 block_number(long long b, dim3 grid)
{
    dim3 block = { (int)(b % grid.x), (int)(b / grid.x % grid.y), (int)(b / grid.x / grid.y) };

    return block;
}

#line 1 "kjit"
static int loop_block(dim3 blockIdx, dim3 blockDim, dim3 gridDim, const float *x, long long x_0,
        float *out, long long out_0)
{
    EACH_THREAD_SIMD(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
#line 8 "shapes.k"
        long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= out_0) {
            continue;
        }
#line 11 "shapes.k"
        out[i] = (float)(2.0 * x[i]);
    }
    return 0;
}

#line 1 "kjit"
static int loop_block_work(void *const *params, const KjitHostLaunch *launch, long long chunk,
        long long *next, void *shared)
{
    const dim3 blockDim = { launch->block[0], launch->block[1], launch->block[2] };
    const dim3 gridDim = { launch->grid[0], launch->grid[1], launch->grid[2] };
    const long long blocks = (long long)gridDim.x * gridDim.y * gridDim.z;
    int failed = 0;

    (void)params, (void)shared;
    long long b, end;
    while ((b = __atomic_fetch_add(next, chunk, __ATOMIC_RELAXED)) < blocks) {
        end = b + chunk < blocks ? b + chunk : blocks;
        for (; b < end; b++) {
            const dim3 blockIdx = block_number(b, gridDim);
            const int status = loop_block(blockIdx, blockDim, gridDim, *(void * const *)params[0],
                    *(long long const *)params[1], *(void * const *)params[2],
                    *(long long const *)params[3]);
            failed = status > failed ? status : failed;
        }
    }
    return failed;
}
#line 1 "kjit"
int kjit_entry(void *const *params, const KjitHostLaunch *launch)
{
    const long long blocks = (long long)launch->grid[0] * launch->grid[1] * launch->grid[2];
    long long next = 0;
    int failed;

    if (blocks <= 1)
        failed = loop_block_work(params, launch, blocks, &next, NULL);
    else
        failed = launch->share(loop_block_work, params, launch, blocks, NULL);
    return failed;
}
== split ==
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

/* Runs what follows for each thread of the block; none depends on another. */
#define EACH_THREAD_SIMD(i, j, k)                                                              \
    for (int k = 0; k < blockDim.z; k++)                                                       \
        for (int j = 0; j < blockDim.y; j++)                                                   \
            _Pragma("omp simd") for (int i = 0; i < blockDim.x; i++)

typedef struct KjitHostLaunch KjitHostLaunch;
typedef int KjitHostWork(void *const *params, const KjitHostLaunch *launch, long long chunk,
                         long long *next, void *shared);
struct KjitHostLaunch {
    unsigned int grid[3], block[3];
    unsigned long long dynamic_shared;
    int (*share)(KjitHostWork *work, void *const *params, const KjitHostLaunch *launch,
                 long long count, void *shared);
};

typedef struct dim3 {
    int x, y, z;
} dim3;

/* The place in the grid of block number b. */
static inline dim3 block_number(long long b, dim3 grid)
{
    dim3 block = { (int)(b % grid.x), (int)(b / grid.x % grid.y), (int)(b / grid.x / grid.y) };

    return block;
}

/* a % b, with the sign of b; 0 where C has no answer. What is less than b already, as most places
** on a ring are, waits for no division. Those by constants are none, and better off in vectors. */
static inline long long floor_mod_i64(long long a, long long b)
{
    long long rest;

    if (!__builtin_constant_p(b) && a >= 0 && a < b)
        return a;
    if (b == 0 || b == -1)
        return 0;
    rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/* Memory aligned for vectors; NULL if there is none. */
static inline void *worker_memory(size_t bytes)
{
    void *memory;

    return posix_memalign(&memory, 256, bytes ? bytes : 1) == 0 ? memory : NULL;
}

#line 1 "kjit"
/* What one worker needs to run a block. */
typedef struct Worker {
    _Alignas(64) float s[128];
    float mine[1024];
    unsigned long long dynamic_size;
} Worker;

static int split_block(Worker *restrict w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        const float *x, long long x_0, float *out, long long out_0)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
#line 21 "shapes.k"
    long long away = 1;
    EACH_THREAD_SIMD(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_2 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        int t = threadIdx.x;
#line 19 "shapes.k"
        float mine = x[t];
        w->s[t] = mine;
        w->mine[t_2] = mine;
    }
#line 22 "shapes.k"
    while (away < 128) {
        EACH_THREAD_SIMD(x_2, y, z) {
            const dim3 threadIdx = { x_2, y, z };
            const long long t_2 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
            int t = threadIdx.x;
            float mine = w->mine[t_2];
#line 24 "shapes.k"
            mine += w->s[floor_mod_i64(t + away, 128)];
            w->mine[t_2] = mine;
        }
#line 25 "shapes.k"


        away *= 2;
        EACH_THREAD_SIMD(x_2, y, z) {
            const dim3 threadIdx = { x_2, y, z };
            const long long t_2 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
            int t = threadIdx.x;
            float mine = w->mine[t_2];
#line 26 "shapes.k"
            w->s[t] = mine;
        }
    }
    EACH_THREAD_SIMD(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_2 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        int t = threadIdx.x;
        float mine = w->mine[t_2];
#line 28 "shapes.k"
        out[t] = mine;
    }
    return 0;
}

#line 1 "kjit"
static int split_block_work(void *const *params, const KjitHostLaunch *launch, long long chunk,
        long long *next, void *shared)
{
    const dim3 blockDim = { launch->block[0], launch->block[1], launch->block[2] };
    const dim3 gridDim = { launch->grid[0], launch->grid[1], launch->grid[2] };
    const long long blocks = (long long)gridDim.x * gridDim.y * gridDim.z;
    int failed = 0;

    (void)params, (void)shared;
    Worker *w = worker_memory(sizeof(Worker));
    long long b, end;
    while ((b = __atomic_fetch_add(next, chunk, __ATOMIC_RELAXED)) < blocks) {
        end = b + chunk < blocks ? b + chunk : blocks;
        for (; b < end; b++) {
            const dim3 blockIdx = block_number(b, gridDim);
            const int status = !w ? 1 : split_block(w, blockIdx, blockDim, gridDim,
                    *(void * const *)params[0], *(long long const *)params[1],
                    *(void * const *)params[2], *(long long const *)params[3]);
            failed = status > failed ? status : failed;
        }
    }
    free(w);
    return failed;
}
#line 1 "kjit"
int kjit_entry(void *const *params, const KjitHostLaunch *launch)
{
    const long long blocks = (long long)launch->grid[0] * launch->grid[1] * launch->grid[2];
    long long next = 0;
    int failed;

    if (blocks <= 1)
        failed = split_block_work(params, launch, blocks, &next, NULL);
    else
        failed = launch->share(split_block_work, params, launch, blocks, NULL);
    return failed;
}
== resume ==
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

#define WAIT_FOR_BLOCK(lane, number, what)                                                     \
    lane->ask = what;                                                                          \
    lane->stop = number;                                                                       \
    return AT_BLOCK_GATE;                                                                      \
    case number:

typedef struct dim3 {
    int x, y, z;
} dim3;

/* The place in the grid of block number b. */
static inline dim3 block_number(long long b, dim3 grid)
{
    dim3 block = { (int)(b % grid.x), (int)(b / grid.x % grid.y), (int)(b / grid.x / grid.y) };

    return block;
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
    int t;
} Frame;

/* What one worker needs to run a block. */
typedef struct Worker {
    _Alignas(64) float s[64];
    Lane lanes[1024];
    Frame frames[1024];
    unsigned long long dynamic_size;
} Worker;

static int resume_block_thread(Lane *lane, Frame *frame, Worker *w, dim3 threadIdx, dim3 blockIdx,
        dim3 blockDim, dim3 gridDim, const float *x, long long x_0, float *out, long long out_0)
{
    switch (lane->stop) {
    case 0:
#line 35 "shapes.k"
        frame->t = threadIdx.x;
        if (frame->t / 32 == 1) {
            w->s[frame->t] = x[frame->t];
            WAIT_FOR_BLOCK(lane, 1, ASK_NOTHING);
        } else {
            w->s[frame->t] = -x[frame->t];
            WAIT_FOR_BLOCK(lane, 2, ASK_NOTHING);
        }
#line 42 "shapes.k"
        out[frame->t] = w->s[wrap(63LL - frame->t, 64)];
    }
    return AT_END;
}

static int resume_block(Worker *restrict w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        const float *x, long long x_0, float *out, long long out_0)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    int opened;
    memset(w->lanes, 0, sizeof w->lanes);
    memset(w->frames, 0, sizeof(Frame) * threads);
    do {
        EACH_THREAD(x_2, y, z) {
            const dim3 threadIdx = { x_2, y, z };
            const long long t_2 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
            Lane *const lane = &w->lanes[t_2];
            if (lane->at == AT_WORK)
                lane->at = resume_block_thread(lane, &w->frames[t_2], w, threadIdx, blockIdx,
                    blockDim, gridDim, x, x_0, out, out_0);
        }
        opened = open_gates(w->lanes, threads);
    } while (opened > 0);
    return -opened;
}

#line 1 "kjit"
static int resume_block_work(void *const *params, const KjitHostLaunch *launch, long long chunk,
        long long *next, void *shared)
{
    const dim3 blockDim = { launch->block[0], launch->block[1], launch->block[2] };
    const dim3 gridDim = { launch->grid[0], launch->grid[1], launch->grid[2] };
    const long long blocks = (long long)gridDim.x * gridDim.y * gridDim.z;
    int failed = 0;

    (void)params, (void)shared;
    Worker *w = worker_memory(sizeof(Worker));
    long long b, end;
    while ((b = __atomic_fetch_add(next, chunk, __ATOMIC_RELAXED)) < blocks) {
        end = b + chunk < blocks ? b + chunk : blocks;
        for (; b < end; b++) {
            const dim3 blockIdx = block_number(b, gridDim);
            const int status = !w ? 1 : resume_block(w, blockIdx, blockDim, gridDim,
                    *(void * const *)params[0], *(long long const *)params[1],
                    *(void * const *)params[2], *(long long const *)params[3]);
            failed = status > failed ? status : failed;
        }
    }
    free(w);
    return failed;
}
#line 1 "kjit"
int kjit_entry(void *const *params, const KjitHostLaunch *launch)
{
    const long long blocks = (long long)launch->grid[0] * launch->grid[1] * launch->grid[2];
    long long next = 0;
    int failed;

    if (blocks <= 1)
        failed = resume_block_work(params, launch, blocks, &next, NULL);
    else
        failed = launch->share(resume_block_work, params, launch, blocks, NULL);
    return failed;
}
