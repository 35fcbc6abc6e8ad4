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

/* The element `offset` bytes behind the first. */
static inline long long *element_i64(const void *base, long long offset)
{
    return (long long *)((char *)base + offset);
}

/* a // b, rounded down; 0 where C has no answer. gcc 12 takes (y - x) / 3 for -((x - y) / 3), which
** is wrong of the least number: it is not to see where a comes from. */
static inline long long floor_div_i64(long long a, long long b)
{
    long long quotient;

#ifndef __clang__
    __asm__("" : "+r"(a));
#endif
    if (b == 0)
        return 0;
    if (b == -1) {
        quotient = (long long)(0 - (unsigned long long)a);
        return quotient == a ? 0 : quotient;
    }
    quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

static inline long long max_i64(long long a, long long b)
{
    return b > a ? b : a;
}

static inline long long min_i64(long long a, long long b)
{
    return b < a ? b : a;
}

typedef struct array_i64_1 {
    long long *data;
    long long shape[1], strides[1];
} array_i64_1;

static inline array_i64_1 make_array_i64_1(const void *data, long long n0, long long s0)
{
    array_i64_1 made = { (long long *)data, { n0 }, { s0 } };

    return made;
}

#line 1 "kjit"
static int k_block(dim3 blockIdx, dim3 blockDim, dim3 gridDim, const long long *a, long long a_0,
        long long a_1, double *out, long long out_0)
{
    EACH_THREAD_SIMD(x, y, z) {
        const dim3 threadIdx = { x, y, z };
#line 4 "views.k"
        long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
        array_i64_1 row = make_array_i64_1(&a[i * a_1], a_1, 8);
        long long _start = min_i64(1, row.shape[0]);
        long long _count = max_i64(floor_div_i64(row.shape[0] - _start + 1, 2), 0);
#line 6 "views.k"
        array_i64_1 odd = make_array_i64_1(&row.data[_start], _count, row.strides[0] * 2);
        long long _start_2 = row.shape[0] - 1;
        long long _count_2 = max_i64(floor_div_i64(-1 - _start_2, -1), 0);
#line 7 "views.k"
        array_i64_1 back = make_array_i64_1(&row.data[_start_2], _count_2, row.strides[0] * -1);
        long long _start_4 = min_i64(2, a_1);
        long long _count_4 = max_i64(a_1 - _start_4, 0);
#line 8 "views.k"
        out[i] = *element_i64(odd.data, 0) * 100 + *element_i64(back.data, 0) +
                odd.shape[0] * 10000 + _count_4;
    }
    return 0;
}

#line 1 "kjit"
static int k_block_work(void *const *params, const KjitHostLaunch *launch, long long chunk,
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
            const int status = k_block(blockIdx, blockDim, gridDim, *(void * const *)params[0],
                    *(long long const *)params[1], *(long long const *)params[2],
                    *(void * const *)params[3], *(long long const *)params[4]);
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
        failed = k_block_work(params, launch, blocks, &next, NULL);
    else
        failed = launch->share(k_block_work, params, launch, blocks, NULL);
    return failed;
}
