/* What the C dialect needs beside both.c: what of the C library, memory for workers, faults, the
** loops over a block's threads, numbers and their bits. Pieces: see emit.h. */

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

/*@ mod_by u64 : mulhi.u64 */
/* a % b, where r is reciprocal(b): that is at most 1 below 2^64 / b, so that a * r / 2^64 is less
** than 1 below a / b. 0 for b == 0. */
$fn $T mod_by_$S($T a, $T b, $T r)
{
    const $T rest = a - mulhi_u64(a, r) * b;

    return b == 0 ? 0 : rest >= b ? rest - b : rest;
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
