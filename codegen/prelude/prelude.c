/* What the C dialect needs beside both.c: memory for workers, threads that meet, atomics,
** bits. Pieces: see emit.h. */

/*@ headers - */
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

/*@ hidden i64 */
/* 0, which the compiler cannot know: another definition might be linked. It makes no vectors where
** an asm is, and no call in a branch is made once for a loop, nor is what stores may change. Clang
** takes a constant for what it is here. */
#ifdef __clang__
__attribute__((weak, visibility("hidden"))) long long kjit_hidden_zero;
#else
__attribute__((weak)) const long long kjit_hidden_zero;
#endif

/* The same number, of which the compiler then knows nothing. */
$fn long long hidden_i64(long long number)
{
    return number ^ kjit_hidden_zero;
}

/*@ each u16 short 65535; u8 char 255: $1_from float */
/* Truncated; NaN gives 0. Held at the ends of the range before it is converted, by one instruction
** each. */
$fn unsigned $2 $1_from_$S($T x)
{
    x = x > 0 ? x : 0;
    return (unsigned $2)(int)(x < $3 ? x : $3);
}

/*@ wrap_seldom i32 i64 */
/* Index i of an axis of n elements, seldom negative: by a branch, which nothing waits for. There
** can be no vectors then, as there are none of atomics. */
$fn $T wrap_seldom_$S($T i, $T n)
{
    if (__builtin_expect(i < 0, 0)) {
        __asm__("" : "+r"(i)); /* lest it become a choice */
        i += n;
    }
    return i;
}

/*@ floor_mod i32 i64 */
/* a % b, with the sign of b; 0 where C has no answer. What is less than b already, as most places
** on a ring are, waits for no division. Those by constants are none, and better off in vectors. */
$fn $T floor_mod_$S($T a, $T b)
{
    $T rest;

    if (!__builtin_constant_p(b) && a >= 0 && a < b)
        return a;
    if (b == 0 || b == -1)
        return 0;
    rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/*@ dim3 - */
typedef struct dim3 {
    int x, y, z;
} dim3;

/*@ KjitHostLaunch - */
typedef struct KjitHostLaunch KjitHostLaunch;
typedef int KjitHostWork(void *const *params, const KjitHostLaunch *launch, long long chunk,
                         long long *next, void *shared);
struct KjitHostLaunch {
    unsigned int grid[3], block[3];
    unsigned long long dynamic_shared;
    int (*share)(KjitHostWork *work, void *const *params, const KjitHostLaunch *launch,
                 long long count, void *shared);
};

/*@ KjitFault - */
typedef struct KjitFault {
    unsigned int code, block[3], thread[3];
    long long integers[6];
    double floats[6];
} KjitFault;

/*@ report_fault - : KjitFault.- dim3.- */
/* Writes down what happened where, unless another thread was first: then it gives false. */
$fn bool report_fault(KjitFault *fault, unsigned int code, dim3 block, dim3 thread)
{
    unsigned int none = 0;

    if (!__atomic_compare_exchange_n(&fault->code, &none, code, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return false;
    fault->block[0] = (unsigned int)block.x;
    fault->block[1] = (unsigned int)block.y;
    fault->block[2] = (unsigned int)block.z;
    fault->thread[0] = (unsigned int)thread.x;
    fault->thread[1] = (unsigned int)thread.y;
    fault->thread[2] = (unsigned int)thread.z;
    return true;
}

/*@ worker_memory - */
/* Memory aligned for vectors; NULL if there is none. */
$fn void *worker_memory(size_t bytes)
{
    void *memory;

    return posix_memalign(&memory, 256, bytes ? bytes : 1) == 0 ? memory : NULL;
}

/*@ worker_memory_at - */
/* Memory aligned for the arrays of a worker that ask for more. */
$fn void *worker_memory_at(size_t alignment, size_t bytes)
{
    void *memory;

    return posix_memalign(&memory, alignment, bytes) == 0 ? memory : NULL;
}

/*@ i32_fitting float */
/* Truncated, of a number that fits. What is less than 1 is not
** converted: of a conversion and one back gcc makes a truncation, and that of -0.5 is -0.0. */
$fn int i32_fitting_$S($T x)
{
    return fabs$m(x) >= 1 ? (int)x : 0;
}

/*@ prefetch - */
/* Has memory come nearer that will be read soon; it need not be there. */
$fn void prefetch(const void *first, long long bytes)
{
    for (long long i = 0; i < bytes; i += 64)
        __builtin_prefetch((const char *)first + i);
}

/*@ rows_load - */
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define ROWS_MIX(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#endif
#endif
enum { ROWS_LOADED = 16 };

/*@ rows_load4 - : rows_load.- */
/* to[column][row] = row[column], of 16 rows of 16 elements of 4 bytes, as far apart as the first
** two are: 4 elements of 4 rows at a time, in registers. */
$fn void rows_load4(void *to, const void *first, const void *second)
{
    const long long pitch = (const char *)second - (const char *)first;
#ifdef ROWS_MIX
    typedef int Vector __attribute__((vector_size(16), aligned(4), may_alias));
#pragma GCC unroll 16
    for (int piece = 0; piece < 16; piece++) {
        const int row = piece % 4 * 4, column = piece / 4 * 4;
        const char *from = (const char *)first + row * pitch + column * 4;
        Vector *out = (Vector *)to + column * 4 + row / 4;
        const Vector a = *(const Vector *)from, b = *(const Vector *)(from + pitch);
        const Vector c = *(const Vector *)(from + 2 * pitch);
        const Vector d = *(const Vector *)(from + 3 * pitch);
        const Vector low = ROWS_MIX(a, b, 0, 4, 1, 5), high = ROWS_MIX(a, b, 2, 6, 3, 7);
        const Vector low_2 = ROWS_MIX(c, d, 0, 4, 1, 5), high_2 = ROWS_MIX(c, d, 2, 6, 3, 7);
        out[0] = ROWS_MIX(low, low_2, 0, 1, 4, 5);
        out[4] = ROWS_MIX(low, low_2, 2, 3, 6, 7);
        out[8] = ROWS_MIX(high, high_2, 0, 1, 4, 5);
        out[12] = ROWS_MIX(high, high_2, 2, 3, 6, 7);
    }
#else
    for (int row = 0; row < ROWS_LOADED; row++)
        for (int column = 0; column < ROWS_LOADED; column++)
            memcpy((char *)to + (column * ROWS_LOADED + row) * 4,
                   (const char *)first + row * pitch + column * 4, 4);
#endif
}

/*@ rows_load8 - : rows_load.- */
/* The same of elements of 8 bytes. */
$fn void rows_load8(void *to, const void *first, const void *second)
{
    const long long pitch = (const char *)second - (const char *)first;
#ifdef ROWS_MIX
    typedef long long Vector __attribute__((vector_size(32), aligned(8), may_alias));
    for (int piece = 0; piece < 16; piece++) {
        const int row = piece % 4 * 4, column = piece / 4 * 4;
        const char *from = (const char *)first + row * pitch + column * 8;
        Vector *out = (Vector *)to + column * 4 + row / 4;
        const Vector a = *(const Vector *)from, b = *(const Vector *)(from + pitch);
        const Vector c = *(const Vector *)(from + 2 * pitch);
        const Vector d = *(const Vector *)(from + 3 * pitch);
        const Vector low = ROWS_MIX(a, b, 0, 4, 2, 6), high = ROWS_MIX(a, b, 1, 5, 3, 7);
        const Vector low_2 = ROWS_MIX(c, d, 0, 4, 2, 6), high_2 = ROWS_MIX(c, d, 1, 5, 3, 7);
        out[0] = ROWS_MIX(low, low_2, 0, 1, 4, 5);
        out[4] = ROWS_MIX(high, high_2, 0, 1, 4, 5);
        out[8] = ROWS_MIX(low, low_2, 2, 3, 6, 7);
        out[12] = ROWS_MIX(high, high_2, 2, 3, 6, 7);
    }
#else
    for (int row = 0; row < ROWS_LOADED; row++)
        for (int column = 0; column < ROWS_LOADED; column++)
            memcpy((char *)to + (column * ROWS_LOADED + row) * 8,
                   (const char *)first + row * pitch + column * 8, 8);
#endif
}

/*@ block_number - : dim3.- */
/* The place in the grid of block number b. */
$fn dim3 block_number(long long b, dim3 grid)
{
    dim3 block = { (int)(b % grid.x), (int)(b / grid.x % grid.y), (int)(b / grid.x / grid.y) };

    return block;
}

/*@ lane_id - : dim3.- */
$fn int lane_id(dim3 thread, dim3 block)
{
    return ((thread.z * block.y + thread.y) * block.x + thread.x) % 32;
}

/*@ EACH_THREAD - */
/* Runs what follows for each thread of the block. */
#define EACH_THREAD(i, j, k)                                                                   \
    for (int k = 0; k < blockDim.z; k++)                                                       \
        for (int j = 0; j < blockDim.y; j++)                                                   \
            for (int i = 0; i < blockDim.x; i++)

/*@ EACH_THREAD_SIMD - */
/* Runs what follows for each thread of the block; none depends on another. */
#define EACH_THREAD_SIMD(i, j, k)                                                              \
    for (int k = 0; k < blockDim.z; k++)                                                       \
        for (int j = 0; j < blockDim.y; j++)                                                   \
            _Pragma("omp simd") for (int i = 0; i < blockDim.x; i++)

/*@ EACH_THREAD_OWN - : EACH_THREAD.- EACH_THREAD_SIMD.- */
/* The same for threads with arrays of their own in memory: clang (14 at least) has one for all
** iterations of a loop of omp simd, and makes vectors nevertheless. */
#ifdef __clang__
#define EACH_THREAD_OWN EACH_THREAD
#else
#define EACH_THREAD_OWN EACH_THREAD_SIMD
#endif

/*@ UNROLL - */
/* In front of a loop: so many iterations side by side. */
#define PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define UNROLL(count) PRAGMA(unroll count)
#else
#define UNROLL(count) PRAGMA(GCC unroll count)
#endif

/*@ NEVER_INLINE - */
#define NEVER_INLINE static __attribute__((noinline))

/*@ ALWAYS_INLINE - */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/*@ all_done - */
/* Whether no thread of the block is left. */
$fn bool all_done(const unsigned char *done, int threads)
{
    return !memchr(done, 0, (size_t)threads);
}

/*@ is_there - */
/* Whether the block has thread t, and it has not ended. `done` may be NULL: none has. */
$fn bool is_there(long long t, const unsigned char *done, int threads)
{
    return t < threads && !(done && done[t]);
}

/*@ shuffle_from - : is_there.- */
/* Whose value thread t gets that asks for a lane's; its own if none is there. */
$fn long long shuffle_from(long long t, int lane, int threads, const unsigned char *done)
{
    long long source = (t & ~31) | (lane & 31);

    return is_there(source, done, threads) ? source : t;
}

/*@ shuffle_up - : is_there.- */
/* Whose value thread t gets that asks the lane `delta` below; its own if none is there. */
$fn long long shuffle_up(long long t, int delta, int threads, const unsigned char *done)
{
    long long source = t - (delta & 31);

    return t % 32 >= (delta & 31) && is_there(source, done, threads) ? source : t;
}

/*@ shuffle_down - : is_there.- */
/* Whose value thread t gets that asks the lane `delta` above; its own if none is there. */
$fn long long shuffle_down(long long t, int delta, int threads, const unsigned char *done)
{
    long long source = t + (delta & 31);

    return t % 32 + (delta & 31) < 32 && is_there(source, done, threads) ? source : t;
}

/*@ shuffle_xor - : is_there.- */
/* Whose value thread t gets that asks its lane with bits flipped; its own if none is there. */
$fn long long shuffle_xor(long long t, int bits, int threads, const unsigned char *done)
{
    long long source = t ^ (bits & 31);

    return is_there(source, done, threads) ? source : t;
}

/*@ shuffle_named - */
/* Thread t's source if its mask names that lane, else itself. */
$fn long long shuffle_named(long long source, long long t, unsigned int mask)
{
    return mask >> (source & 31) & 1 ? source : t;
}

/*@ Late - */
/* For each thread the lanes of its warp that are held up until it ends: it did not come to where
** they waited for it. */
typedef struct Late {
    bool any;
    unsigned int held[1024];
} Late;

/*@ hold_up - : Late.- */
/* The lanes of `group` have met, and wait for those among `named` that are `there` and not of the
** group, and with who is held up himself. False if a lane waits for what it holds up. */
$fn bool hold_up(unsigned int *held, unsigned int group, unsigned int named, unsigned int there)
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

/*@ warp_meets - : hold_up.- */
/* Whether the lanes of a warp that come to one operation, `here`, meet there; each with its mask,
** or with one for all. What lanes_meet() returns. */
$fn int warp_meets(Late *late, int first, const unsigned int *masks, unsigned int mask,
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

/*@ warp_flags - */
/* 32 flags, each 0 or 1, as bits. */
$fn unsigned int warp_flags(const unsigned char *flags)
{
    unsigned int bits = 0;

    for (int i = 0; i < 4; i++) {
        unsigned long long eight;
        memcpy(&eight, flags + 8 * i, 8);
        bits |= (unsigned int)(eight * 0x0102040810204080ull >> 56) << 8 * i;
    }
    return bits;
}

/*@ lanes_meet - : warp_meets.- warp_flags.- */
/* What the entry returns if the threads that come to a warp operation, all but those that `skip`
** it, cannot meet there: 2 if they wait for one another for ever, 4 if a mask does not name its
** lane. */
$fn int lanes_meet(Late *late, const unsigned int *masks, unsigned int mask,
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

/*@ late_for_block - : Late.- is_there.- */
/* Whether threads wait for the block that hold up others of it. */
$fn bool late_for_block(const Late *late, const unsigned char *done, int threads)
{
    for (int t = 0; late->any && t < threads; t++)
        if (is_there(t, done, threads) && late->held[t])
            return true;
    return false;
}

/*@ write_bits i32 u32 i64 u64 f32 f64 */
/* A value's bits, and zeros behind them. */
$fn void write_bits_$S(unsigned long long *address, $T value)
{
    *address = 0;
    memcpy(address, &value, sizeof value);
}

/*@ match_any - : is_there.- */
/* The lanes of thread t's warp, among those of the mask that are there, that sent the same. */
$fn int match_any(const unsigned long long *sent, long long t, unsigned int mask, int threads,
                  const unsigned char *done)
{
    unsigned int same = 0;

    for (int lane = 0; lane < 32; lane++) {
        const long long other = (t & ~31ll) | lane;
        if ((mask >> lane & 1) && is_there(other, done, threads) && sent[other] == sent[t])
            same |= 1u << lane;
    }
    return (int)same;
}

/*@ Votes - */
/* The lanes of a warp that are there, and those of them that say yes. */
typedef struct Votes {
    unsigned int present, yes;
} Votes;

/*@ collect_votes - : Votes.- is_there.- */
$fn void collect_votes(Votes *warps, const unsigned char *votes, const unsigned char *done,
                       int threads)
{
    for (int first = 0; first < threads; first += 32) {
        Votes warp = { 0, 0 };
        for (int lane = 0; lane < 32; lane++) {
            if (!is_there(first + lane, done, threads))
                continue;
            warp.present |= 1u << lane;
            warp.yes |= (unsigned int)votes[first + lane] << lane;
        }
        warps[first / 32] = warp;
    }
}

/*@ vote_all - : Votes.- */
$fn bool vote_all(Votes warp, unsigned int mask)
{
    return (warp.yes & mask) == (warp.present & mask);
}

/*@ vote_any - : Votes.- */
$fn bool vote_any(Votes warp, unsigned int mask)
{
    return (warp.yes & mask) != 0;
}

/*@ vote_equal - : vote_all.- vote_any.- */
$fn bool vote_equal(Votes warp, unsigned int mask)
{
    return vote_all(warp, mask) || !vote_any(warp, mask);
}

/*@ vote_ballot - : Votes.- */
$fn int vote_ballot(Votes warp, unsigned int mask)
{
    return (int)(warp.yes & mask);
}

/*@ block_count - : is_there.- */
/* How many threads of the block say yes. */
$fn int block_count(const unsigned char *votes, const unsigned char *done, int threads)
{
    int count = 0;

    for (int t = 0; t < threads; t++)
        count += is_there(t, done, threads) && votes[t];
    return count;
}

/*@ block_or - : block_count.- */
$fn int block_or(const unsigned char *votes, const unsigned char *done, int threads)
{
    return block_count(votes, done, threads) > 0;
}

/*@ block_and - : is_there.- */
$fn int block_and(const unsigned char *votes, const unsigned char *done, int threads)
{
    for (int t = 0; t < threads; t++)
        if (is_there(t, done, threads) && !votes[t])
            return 0;
    return 1;
}

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

/*@ f32_from f16 : f32_bits.- f32_from_bits.- */
/* Where the processor computes with halves it converts vectors of them. Else without branches: a
** loop that calls this is one of vectors. */
$fn float f32_from_f16(float16 x)
{
#ifdef __AVX512FP16__
    _Float16 number;

    memcpy(&number, &x, sizeof number);
    return (float)number;
#else
    unsigned int sign = (x & 0x8000u) << 16, size = x & 0x7fffu;
    float small = (float)(int)size * 0x1p-24f;
    float number = f32_from_bits((size << 13) + ((size < 0x7c00u ? 112u : 224u) << 23));

    number = size < 0x400u ? small : number;
    return f32_from_bits(sign | f32_bits(number));
#endif
}

/*@ f16_from f32 : float16.- f32_bits.- f32_from_bits.- */
/* Likewise. What is denormal as a half is rounded by a sum: behind 0.5 a float has as many
** places. */
$fn float16 f16_from_f32(float x)
{
#ifdef __AVX512FP16__
    _Float16 number = (_Float16)x;
    float16 bits;

    memcpy(&bits, &number, sizeof bits);
    return bits;
#else
    unsigned int bits = f32_bits(x), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    unsigned int small = f32_bits(f32_from_bits(size) + 0.5f) - 0x3f000000u;
    unsigned int half = (size - (112u << 23) + 0xfff + (size >> 13 & 1)) >> 13;

    half = size < 0x38800000u ? small : half; /* less than the smallest normal number */
    half = size >= 0x477ff000u ? 0x7c00u : half; /* 65520 and more round to infinity */
    half = size > 0x7f800000u ? 0x7e00u : half;
    return (float16)(sign | half);
#endif
}

/*@ each infinity INFINITY; nan NAN: $1 float */
$fn $T $1_$S(void)
{
    return ($T)$2;
}

/*@ negative_zero float : hidden.i64 */
$fn $T negative_zero_$S(void)
{
#ifdef __clang__
    return -($T)kjit_hidden_zero;
#else
    return -($T)0;
#endif
}

/*@ square_root float */
/* clang 14 forgets that a root may be -0.0, by which a quotient is below 0. */
$fn $T square_root_$S($T x)
{
#ifdef __clang__
    return x == 0 ? x : sqrt$m(x);
#else
    return sqrt$m(x);
#endif
}

/*@ floor_div i32 i64 */
/* a // b, rounded down; 0 where C has no answer. gcc 12 takes (y - x) / 3 for -((x - y) / 3), which
** is wrong of the least number: it is not to see where a comes from. */
$fn $T floor_div_$S($T a, $T b)
{
    $T quotient;

#ifndef __clang__
    __asm__("" : "+r"(a));
#endif
    if (b == 0)
        return 0;
    if (b == -1) {
        quotient = ($T)(0 - ($U)a);
        return quotient == a ? 0 : quotient;
    }
    quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

/*@ each min -0.0 | <; max 0.0 & >: $1 float */
/* The number of the two if the other is none; of zeros $2: other numbers that are equal have the
** same bits. Unlike f$1(), for vectors too. */
$fn $T $1_$S($T a, $T b)
{
    $U bits, others;
    $T equal;

    memcpy(&bits, &a, sizeof bits);
    memcpy(&others, &b, sizeof others);
    bits $3= others;
    memcpy(&equal, &bits, sizeof equal);
    return a == b ? equal : a $4 b || b != b ? a : b;
}

/*@ popc int */
$fn $T popc_$S($T x)
{
    return ($T)__builtin_popcountll((unsigned long long)($U)x);
}

/*@ clz int */
/* Leading zero bits at the width of x. */
$fn $T clz_$S($T x)
{
    return ($T)(x == 0 ? $B : __builtin_clzll((unsigned long long)($U)x) - (64 - $B));
}

/*@ brev int */
$fn $T brev_$S($T x)
{
    $U from = ($U)x, to = 0;

    for (int i = 0; i < $B; i++)
        to = ($U)(to | (from >> i & 1) << ($B - 1 - i));
    return ($T)to;
}

/*@ ffs int */
/* The number of the lowest bit that is set, from 1; 0 if none is. */
$fn unsigned int ffs_$S($T x)
{
    return (unsigned int)__builtin_ffsll((long long)x);
}

/*@ each add; sub; and; or; xor: atomic_$1 i8 u8 i16 u16 i32 u32 i64 u64 */
$fn $T atomic_$1_$S($T *address, $T value)
{
    return __atomic_fetch_$1(address, value, __ATOMIC_RELAXED);
}

/*@ exact_bump - */
/* Adds to a word that no other thread accesses, or any may. */
$fn void exact_bump(unsigned long long *word, unsigned long long part, bool alone)
{
    if (alone)
        *word += part;
    else
        __atomic_fetch_add(word, part, __ATOMIC_RELAXED);
}

/*@ exact_flag - */
$fn void exact_flag(unsigned long long *word, unsigned long long flags, bool alone)
{
    if (alone)
        *word |= flags;
    else
        __atomic_fetch_or(word, flags, __ATOMIC_RELAXED);
}

/*@ atomic_exch i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 f16 bf16 */
$fn $T atomic_exch_$S($T *address, $T value)
{
    $T old;

    __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);
    return old;
}

/*@ atomic_cas i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 f16 bf16 */
$fn $T atomic_cas_$S($T *address, $T expected, $T value)
{
    __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
    return expected;
}

/*@ atomic_swap i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 f16 bf16 */
/* Puts `value` where `old` is. If something else is there now, puts that in `old`: false. */
$fn bool atomic_swap_$S($T *address, $T *old, $T value)
{
    return __atomic_compare_exchange(address, old, &value, true, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

/*@ atomic_now i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 f16 bf16 */
$fn $T atomic_now_$S($T *address)
{
    $T now;

    __atomic_load(address, &now, __ATOMIC_RELAXED);
    return now;
}

/*@ atomic_add_each i32 u32 i64 u64 : atomic_add */
/* Adds `added` for each of `count` numbers that is not 0, which becomes what was there. */
$fn void atomic_add_each_$S($T *address, $T *numbers, int count, $T added)
{
    for (int k = 0; k < count; k++)
        if (numbers[k] != 0)
            numbers[k] = atomic_add_$S(address, added);
}

/*@ each add +; sub -: atomic_$1 float : atomic_now atomic_swap */
$fn $T atomic_$1_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (!atomic_swap_$S(address, &old, old $2 value))
        continue;
    return old;
}

/*@ each max >; min <: atomic_$1 int float : atomic_now atomic_swap */
/* What is there stays if either is NaN. */
$fn $T atomic_$1_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (value $2 old && !atomic_swap_$S(address, &old, value))
        continue;
    return old;
}

/*@ each nanmax <; nanmin >: atomic_$1 int float : atomic_now atomic_swap */
/* NaN counts as missing. */
$fn $T atomic_$1_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (value == value && !(value $2= old) && !atomic_swap_$S(address, &old, value))
        continue;
    return old;
}

/*@ atomic_add f16 bf16 : half_add atomic_now atomic_swap */
$fn $T atomic_add_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (!atomic_swap_$S(address, &old, half_add_$S(old, value)))
        continue;
    return old;
}

/*@ each add; sub: atomic_$1 complex : atomic_$1.part */
/* Each part in one step, not both. */
$fn $T atomic_$1_$S($T *address, $T value)
{
    const $T old = { atomic_$1_$Q(&address->real, value.real),
                     atomic_$1_$Q(&address->imag, value.imag) };

    return old;
}

/*@ atomic_inc u32 u64 : atomic_now atomic_swap */
/* old >= limit ? 0 : old + 1 */
$fn $T atomic_inc_$S($T *address, $T limit)
{
    $T old = atomic_now_$S(address);

    while (!atomic_swap_$S(address, &old, old >= limit ? 0 : old + 1))
        continue;
    return old;
}

/*@ atomic_dec u32 u64 : atomic_now atomic_swap */
/* old == 0 or old > limit ? limit : old - 1 */
$fn $T atomic_dec_$S($T *address, $T limit)
{
    $T old = atomic_now_$S(address);

    while (!atomic_swap_$S(address, &old, old == 0 || old > limit ? limit : old - 1))
        continue;
    return old;
}

/*@ each add +; sub -: alone_$1 i32 u32 i64 u64 f32 f64 */
/* As atomic_$1, of an element that no other thread accesses. */
$fn $T alone_$1_$S($T *address, $T value)
{
    const $T old = *address;

    *address = old $2 value;
    return old;
}

/*@ each and &; or |; xor ^: alone_$1 i32 u32 i64 u64 */
/* As atomic_$1, of an element that no other thread accesses. */
$fn $T alone_$1_$S($T *address, $T value)
{
    const $T old = *address;

    *address = old $2 value;
    return old;
}

/*@ alone_exch i32 u32 i64 u64 f32 f64 */
/* As atomic_exch, of an element that no other thread accesses. */
$fn $T alone_exch_$S($T *address, $T value)
{
    const $T old = *address;

    *address = value;
    return old;
}

/*@ each max >; min <: alone_$1 i32 u32 i64 u64 f32 f64 */
/* What is there stays if either is NaN, and mostly: a branch waits for no store before it. */
$fn $T alone_$1_$S($T *address, $T value)
{
    const $T old = *address;

    if (value $2 old)
        *address = value;
    return old;
}

/*@ each nanmax <; nanmin >: alone_$1 i32 u32 i64 u64 f32 f64 */
/* NaN counts as missing. */
$fn $T alone_$1_$S($T *address, $T value)
{
    const $T old = *address;

    if (value == value && !(value $2= old))
        *address = value;
    return old;
}

/*@ alone_inc u32 u64 */
/* As atomic_inc, of an element that no other thread accesses. */
$fn $T alone_inc_$S($T *address, $T value)
{
    const $T old = *address;

    *address = old >= value ? 0 : old + 1;
    return old;
}

/*@ alone_dec u32 u64 */
/* As atomic_dec, of an element that no other thread accesses. */
$fn $T alone_dec_$S($T *address, $T value)
{
    const $T old = *address;

    *address = old == 0 || old > value ? value : old - 1;
    return old;
}

/*@ alone_cas i32 u32 i64 u64 */
/* As atomic_cas, of an element that no other thread accesses. */
$fn $T alone_cas_$S($T *address, $T expected, $T value)
{
    const $T old = *address;

    if (old == expected)
        *address = value;
    return old;
}

/*@ breakpoint - */
/* Stops in the debugger; without one, which Linux tells, goes on. */
typedef struct KjitFile KjitFile;
int raise(int signal), fclose(KjitFile *), sscanf(const char *, const char *, ...);
KjitFile *fopen(const char *, const char *);
char *fgets(char *, int, KjitFile *);
static void breakpoint(void)
{
    enum { TRAP = 5 };
    char line[128];
    int tracer = 0;
    KjitFile *status = fopen("/proc/self/status", "r");

    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "TracerPid: %d", &tracer) == 1)
            break;
    if (status)
        fclose(status);
    if (tracer)
        raise(TRAP);
}
