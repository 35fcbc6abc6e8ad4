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

/* Runs what follows for each thread of the block; none depends on another. */
#define EACH_THREAD_SIMD(i, j, k)                                                              \
    for (int k = 0; k < blockDim.z; k++)                                                       \
        for (int j = 0; j < blockDim.y; j++)                                                   \
            _Pragma("omp simd") for (int i = 0; i < blockDim.x; i++)

/* The same for threads with arrays of their own in memory: clang (14 at least) has one for all
** iterations of a loop of omp simd, and makes vectors nevertheless. */
#ifdef __clang__
#define EACH_THREAD_OWN EACH_THREAD
#else
#define EACH_THREAD_OWN EACH_THREAD_SIMD
#endif

typedef struct KjitHostLaunch KjitHostLaunch;
typedef int KjitHostWork(void *const *params, const KjitHostLaunch *launch, long long chunk,
                         long long *next, void *shared);
struct KjitHostLaunch {
    unsigned int grid[3], block[3];
    unsigned long long dynamic_shared;
    int (*share)(KjitHostWork *work, void *const *params, const KjitHostLaunch *launch,
                 long long count, void *shared);
};

/* For each thread the lanes of its warp that are held up until it ends: it did not come to where
** they waited for it. */
typedef struct Late {
    bool any;
    unsigned int held[1024];
} Late;

#define NEVER_INLINE static __attribute__((noinline))

/* Whether no thread of the block is left. */
static inline bool all_done(const unsigned char *done, int threads)
{
    return !memchr(done, 0, (size_t)threads);
}

/* Whether the block has thread t, and it has not ended. `done` may be NULL: none has. */
static inline bool is_there(long long t, const unsigned char *done, int threads)
{
    return t < threads && !(done && done[t]);
}

/* How many threads of the block say yes. */
static inline int block_count(const unsigned char *votes, const unsigned char *done, int threads)
{
    int count = 0;

    for (int t = 0; t < threads; t++)
        count += is_there(t, done, threads) && votes[t];
    return count;
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

/* The lanes of `group` have met, and wait for those among `named` that are `there` and not of the
** group, and with who is held up himself. False if a lane waits for what it holds up. */
static inline bool hold_up(unsigned int *held, unsigned int group, unsigned int named, unsigned int there)
{
    unsigned int before, after = 0, circle = 0;

    for (int i = 0; i < 32; i++)
        if ((there >> i & 1) && ((named & ~group) >> i & 1 || (held[i] & named)))
            held[i] |= group;
    do {
        before = after, after = 0;
        for (int i = 0; i < 32; i++) {
            for (int k = 0; (there >> i & 1) && k < 32; k++)
                held[i] |= held[i] >> k & 1 && there >> k & 1 ? held[k] : 0;
            after += (there >> i & 1) ? (unsigned int)__builtin_popcount(held[i]) : 0;
            circle |= held[i] & there & 1u << i;
        }
    } while (after != before);
    return !circle;
}

/* Whether the lanes of a warp that come to one operation, `here`, meet there; each with its mask,
** or with one for all. What lanes_meet() returns. */
static inline int warp_meets(Late *late, int first, const unsigned int *masks, unsigned int mask,
                   unsigned int here, unsigned int there)
{
    for (unsigned int rest = here, group; rest; rest &= ~group) {
        const unsigned int named = masks ? masks[first + __builtin_ctz(rest)] : mask;
        group = masks ? 0 : rest;
        for (int i = 0; masks && i < 32; i++)
            group |= (unsigned int)((rest >> i & 1) && masks[first + i] == named) << i;
        if (group & ~named)
            return 4;
        if (!(named & there & ~group) && !late->any)
            continue;
        if (!late->any)
            memset(late->held, 0, sizeof late->held);
        late->any = true;
        if (!hold_up(&late->held[first], group, named, there))
            return 2;
    }
    return 0;
}

/* 32 flags, each 0 or 1, as bits. */
static inline unsigned int warp_flags(const unsigned char *flags)
{
    unsigned int bits = 0;

    for (int i = 0; i < 4; i++) {
        unsigned long long eight;
        memcpy(&eight, flags + 8 * i, 8);
        bits |= (unsigned int)(eight * 0x0102040810204080ull >> 56) << 8 * i;
    }
    return bits;
}

/* What the entry returns if the threads that come to a warp operation, all but those that `skip`
** it, cannot meet there: 2 if they wait for one another for ever, 4 if a mask does not name its
** lane. */
static inline int lanes_meet(Late *late, const unsigned int *masks, unsigned int mask,
                   const unsigned char *skip, const unsigned char *done, int threads)
{
    int status = 0;

    for (int first = 0; first < threads && !status; first += 32) {
        unsigned int last = ~0u >> (threads - first < 32 ? 32 - (threads - first) : 0);
        unsigned int there = last & ~(done ? warp_flags(done + first) : 0);
        unsigned int here = last & ~(skip ? warp_flags(skip + first) : ~there);
        status = warp_meets(late, first, masks, mask, here, there);
    }
    return status;
}

/* Whether threads wait for the block that hold up others of it. */
static inline bool late_for_block(const Late *late, const unsigned char *done, int threads)
{
    for (int t = 0; late->any && t < threads; t++)
        if (is_there(t, done, threads) && late->held[t])
            return true;
    return false;
}

static inline long long max_i64(long long a, long long b)
{
    return b > a ? b : a;
}

static inline long long min_i64(long long a, long long b)
{
    return b < a ? b : a;
}

/* Whose value thread t gets that asks the lane `delta` above; its own if none is there. */
static inline long long shuffle_down(long long t, int delta, int threads, const unsigned char *done)
{
    long long source = t + (delta & 31);

    return t % 32 + (delta & 31) < 32 && is_there(source, done, threads) ? source : t;
}

/* Whose value thread t gets that asks its lane with bits flipped; its own if none is there. */
static inline long long shuffle_xor(long long t, int bits, int threads, const unsigned char *done)
{
    long long source = t ^ (bits & 31);

    return is_there(source, done, threads) ? source : t;
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

typedef struct array_i32_1 {
    int *data;
    long long shape[1], strides[1];
} array_i32_1;

static inline array_i32_1 make_array_i32_1(const void *data, long long n0, long long s0)
{
    array_i32_1 made = { (int *)data, { n0 }, { s0 } };

    return made;
}

#line 1 "kjit"
/* What one worker needs to run a block. */
typedef struct Worker {
    _Alignas(64) int s[40];
    int seen[1024][2];
    int odd[1024];
    long long kept[1024];
    int t_2[1024];
    int mine[1024];
    int mine_2[1024];
    int mine_3[1024];
    _Alignas(64) unsigned long long sent[2][1024];
    unsigned char votes_2[1024];
    Late late;
    bool seen_2[1];
    unsigned char done[1024];
    unsigned char skips[1][1024];
    unsigned long long dynamic_size;
} Worker;

NEVER_INLINE void long_block_part(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        long long n, array_i32_1 view)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        int t = threadIdx.x;
        long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 28 "long.k"
        if (i >= n) {
            goto leave_1;
        }
#line 30 "long.k"
        w->s[t] = view.data[t];
        w->seen[t_5][0] = w->s[t];
        continue;
    leave_1:
        w->done[t_5] = 1;
    }
}

NEVER_INLINE void long_block_part_2(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        array_i32_1 a, long long n_2, bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (ended && w->done[t_5])
            continue;
#line 7 "long.k"
        int t_2 = threadIdx.x;
        int mine = a.data[wrap(floor_mod_i64((long long)t_2 + 1, n_2), a.shape[0])];
        w->t_2[t_5] = t_2;
        w->mine[t_5] = mine;
    }
}

NEVER_INLINE void long_block_part_3(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        array_i32_1 to, bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (ended && w->done[t_5])
            continue;
        int t_2 = w->t_2[t_5];
        int mine = w->mine[t_5];
#line 10 "long.k"
        to.data[t_2] = (int)((long long)mine + 1);
    }
}

NEVER_INLINE void long_block_part_4(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        long long turn, bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (ended && w->done[t_5])
            continue;
        int t = threadIdx.x;
#line 35 "long.k"
        w->seen[t_5][1] = (int)(w->s[t] + turn);
    }
}

NEVER_INLINE void long_block_part_5(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (ended && w->done[t_5])
            continue;
        int t = threadIdx.x;
#line 36 "long.k"
        w->votes_2[t_5] = (int)floor_mod_i64(w->s[t], 2) != 0;
    }
}

NEVER_INLINE void long_block_part_6(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        array_i32_1 a_2, long long n_3, bool ended, int total)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (ended && w->done[t_5])
            continue;
        int t = threadIdx.x;
        int t_3 = threadIdx.x;
#line 36 "long.k"
        int odd = total;
        long long kept = (long long)odd + w->seen[t_5][1];
#line 8 "long.k"
        int mine_2 = a_2.data[wrap(floor_mod_i64((long long)t_3 + 1, n_3), a_2.shape[0])];
        w->odd[t_5] = odd;
        w->kept[t_5] = kept;
        w->mine_2[t_5] = mine_2;
    }
}

NEVER_INLINE void long_block_part_7(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        array_i32_1 to_2, bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (ended && w->done[t_5])
            continue;
        int t_3 = threadIdx.x;
        int mine_2 = w->mine_2[t_5];
#line 10 "long.k"
        to_2.data[t_3] = (int)((long long)mine_2 + 1);
    }
}

NEVER_INLINE void long_block_part_8(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    memset(w->skips[0], 1, sizeof w->skips[0]);
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (ended && w->done[t_5])
            continue;
        int t = threadIdx.x;
#line 39 "long.k"
        w->skips[0][t_5] = !(t < 32);
    }
}

NEVER_INLINE void long_block_part_9(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (w->skips[0][t_5])
            continue;
        int t = threadIdx.x;
#line 40 "long.k"
        ((int *)w->sent[1])[t_5] = w->s[t];
    }
}

NEVER_INLINE void long_block_part_10(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (w->skips[0][t_5])
            continue;
        int t = threadIdx.x;
        long long kept = w->kept[t_5];
#line 40 "long.k"
        int _t_2 = ((int *)w->sent[1])[shuffle_xor(t_5, 1, threads, w->skips[0])];
        kept += _t_2;
#line 41 "long.k"
        ((int *)w->sent[0])[t_5] = w->s[t];
        w->kept[t_5] = kept;
    }
}

NEVER_INLINE void long_block_part_11(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (w->skips[0][t_5])
            continue;
        int t = threadIdx.x;
        long long kept = w->kept[t_5];
#line 41 "long.k"
        int _t_3 = ((int *)w->sent[0])[shuffle_down(t_5, 2, threads, w->skips[0])];
        kept -= _t_3;
        w->kept[t_5] = kept;
    }
}

NEVER_INLINE void long_block_part_12(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        array_i32_1 a_3, long long n_4, bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (ended && w->done[t_5])
            continue;
        int t_4 = threadIdx.x;
#line 8 "long.k"
        int mine_3 = a_3.data[wrap(floor_mod_i64((long long)t_4 + 1, n_4), a_3.shape[0])];
        w->mine_3[t_5] = mine_3;
    }
}

NEVER_INLINE void long_block_part_13(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        array_i32_1 to_3, bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (ended && w->done[t_5])
            continue;
        int t_4 = threadIdx.x;
        int mine_3 = w->mine_3[t_5];
#line 10 "long.k"
        to_3.data[t_4] = (int)((long long)mine_3 + 1);
    }
}

NEVER_INLINE void long_block_part_14(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        int *out, long long out_0, int *votes, long long votes_0, array_i32_1 view, bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
        const long long t_5 = (z * (long long)blockDim.y + y) * blockDim.x + x_2;
        if (ended && w->done[t_5])
            continue;
        int t = threadIdx.x;
        long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
        int odd = w->odd[t_5];
        long long kept = w->kept[t_5];
#line 43 "long.k"
        if (t == 0)
            votes[blockIdx.x] = odd;
        out[i] = (int)(kept + w->s[t] + w->seen[t_5][0] + view.data[t]);
    }
}

/* What follows an early return; `ended`: some threads took it. */
NEVER_INLINE int long_block_rest(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        const int *x, long long x_0, int *out, long long out_0, int *votes, long long votes_0,
        long long n, array_i32_1 view, long long there, bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
#line 32 "long.k"
    if (late_for_block(&w->late, w->done, threads))
        return 2;
#line 33 "long.k"
    for (long long turn = 0; turn < 3; turn++) {
        array_i32_1 a = make_array_i32_1(w->s, 40, 4);
#line 34 "long.k"
        array_i32_1 to = make_array_i32_1(w->s, 40, 4);
#line 34 "long.k"
        long long n_2 = there;
        long_block_part_2(w, blockIdx, blockDim, gridDim, a, n_2, ended);
#line 9 "long.k"
        if (late_for_block(&w->late, w->done, threads))
            return 2;
        long_block_part_3(w, blockIdx, blockDim, gridDim, to, ended);
#line 11 "long.k"
        if (late_for_block(&w->late, w->done, threads))
            return 2;
        long_block_part_4(w, blockIdx, blockDim, gridDim, turn, ended);
    }
    long_block_part_5(w, blockIdx, blockDim, gridDim, ended);
#line 36 "long.k"
    if (late_for_block(&w->late, w->done, threads))
        return 2;
    const int total = block_count(w->votes_2, w->done, threads);
#line 38 "long.k"
    array_i32_1 a_2 = make_array_i32_1(w->s, 40, 4);
#line 38 "long.k"
    array_i32_1 to_2 = make_array_i32_1(w->s, 40, 4);
#line 38 "long.k"
    long long n_3 = there;
    long_block_part_6(w, blockIdx, blockDim, gridDim, a_2, n_3, ended, total);
#line 9 "long.k"
    if (late_for_block(&w->late, w->done, threads))
        return 2;
    long_block_part_7(w, blockIdx, blockDim, gridDim, to_2, ended);
#line 11 "long.k"
    if (late_for_block(&w->late, w->done, threads))
        return 2;
    long_block_part_8(w, blockIdx, blockDim, gridDim, ended);
#line 39 "long.k"
    w->seen_2[0] = false;
    if (!all_done(w->skips[0], threads)) {
        long_block_part_9(w, blockIdx, blockDim, gridDim, ended);
#line 40 "long.k"
        if (!w->seen_2[0] || w->late.any) {
            const int status = lanes_meet(&w->late, NULL, 0xffffffffu, w->skips[0], w->done,
                    threads);
            if (status)
                return status;
            w->seen_2[0] = true;
        }
        long_block_part_10(w, blockIdx, blockDim, gridDim, ended);
#line 41 "long.k"
        if (!w->seen_2[0] || w->late.any) {
            const int status = lanes_meet(&w->late, NULL, 0xffffffffu, w->skips[0], w->done,
                    threads);
            if (status)
                return status;
            w->seen_2[0] = true;
        }
        long_block_part_11(w, blockIdx, blockDim, gridDim, ended);
    }
#line 42 "long.k"
    array_i32_1 a_3 = make_array_i32_1(w->s, 40, 4);
#line 42 "long.k"
    array_i32_1 to_3 = make_array_i32_1(w->s, 40, 4);
#line 42 "long.k"
    long long n_4 = there;
    long_block_part_12(w, blockIdx, blockDim, gridDim, a_3, n_4, ended);
#line 9 "long.k"
    if (late_for_block(&w->late, w->done, threads))
        return 2;
    long_block_part_13(w, blockIdx, blockDim, gridDim, to_3, ended);
#line 11 "long.k"
    if (late_for_block(&w->late, w->done, threads))
        return 2;
    long_block_part_14(w, blockIdx, blockDim, gridDim, out, out_0, votes, votes_0, view, ended);
    return 0;
}

static int long_block(Worker *restrict w, dim3 blockIdx, dim3 blockDim, dim3 gridDim, const int *x,
        long long x_0, int *out, long long out_0, int *votes, long long votes_0, long long n)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    memset(w->done, 0, sizeof w->done);
    w->late.any = false;
    memset(w->seen_2, 0, sizeof w->seen_2);

    long long first = (long long)blockIdx.x * blockDim.x;
    long long _start = min_i64(max_i64(first < 0 ? first + x_0 : first, 0), x_0);
#line 26 "long.k"
    long long _count = max_i64(x_0 - _start, 0);
#line 26 "long.k"
    array_i32_1 view = make_array_i32_1(&x[_start], _count, 4);
    long long there = min_i64(blockDim.x, n - first);
    long_block_part(w, blockIdx, blockDim, gridDim, n, view);
    if (all_done(w->done, threads))
        return 0;
    if (memchr(w->done, 1, (size_t)threads))
        return long_block_rest(w, blockIdx, blockDim, gridDim, x, x_0, out, out_0, votes, votes_0,
            n, view, there, true);
    return long_block_rest(w, blockIdx, blockDim, gridDim, x, x_0, out, out_0, votes, votes_0, n,
            view, there, false);
}

#line 1 "kjit"
static int long_block_work(void *const *params, const KjitHostLaunch *launch, long long chunk,
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
            const int status = !w ? 1 : long_block(w, blockIdx, blockDim, gridDim,
                    *(void * const *)params[0], *(long long const *)params[1],
                    *(void * const *)params[2], *(long long const *)params[3],
                    *(void * const *)params[4], *(long long const *)params[5],
                    *(long long const *)params[6]);
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
        failed = long_block_work(params, launch, blocks, &next, NULL);
    else
        failed = launch->share(long_block_work, params, launch, blocks, NULL);
    return failed;
}
