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

/* a % b; 0 for b == 0. */
static inline unsigned long long floor_mod_u64(unsigned long long a, unsigned long long b)
{
    return b == 0 ? 0 : a % b;
}

static inline unsigned long long mulhi_u64(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}

/* a % b, where r is reciprocal(b): that is at most 1 below 2^64 / b, so that a * r / 2^64 is less
** than 1 below a / b. 0 for b == 0. */
static inline unsigned long long mod_by_u64(unsigned long long a, unsigned long long b, unsigned long long r)
{
    const unsigned long long rest = a - mulhi_u64(a, r) * b;

    return b == 0 ? 0 : rest >= b ? rest - b : rest;
}

/* For mod_by. */
static inline unsigned long long reciprocal_u64(unsigned long long b)
{
    return b == 0 ? 0 : ~(unsigned long long)0 / b;
}

#line 1 "kjit"
static int k_block(dim3 blockIdx, dim3 blockDim, dim3 gridDim, const unsigned long long *key,
        long long key_0, const unsigned int *size, long long size_0, unsigned long long *out,
        long long out_0, unsigned long long n, long long s)
{
    EACH_THREAD_SIMD(x, y, z) {
        const dim3 threadIdx = { x, y, z };
#line 4 "reciprocal_remainders.ir"
        long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
        unsigned long long h = key[i];

        out[0] = floor_mod_u64(h, n);


        unsigned long long _reciprocal = reciprocal_u64(n);
#line 8 "reciprocal_remainders.ir"
        for (long long k_2 = 0; k_2 < 7; k_2++) {

            out[i + k_2] = mod_by_u64(h + (unsigned long long)k_2, n, _reciprocal) +
                    mod_by_u64(h, n, _reciprocal);
#line 11 "reciprocal_remainders.ir"
            out[k_2 + 1] = floor_mod_u64(h, size[i]);

            out[k_2 + 2] = h % 12;
            out[k_2 + 3] = (unsigned long long)floor_mod_i64(k_2, s);
            out[k_2 + 4] = floor_mod_u64(h, (unsigned long long)k_2);
            out[k_2 + 5] = floor_mod_u64(h, out[k_2]);
        }
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
                    *(long long const *)params[1], *(void * const *)params[2],
                    *(long long const *)params[3], *(void * const *)params[4],
                    *(long long const *)params[5], *(unsigned long long const *)params[6],
                    *(long long const *)params[7]);
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
