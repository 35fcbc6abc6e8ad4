== held ==
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
static inline int *element_i32(const void *base, long long offset)
{
    return (int *)((char *)base + offset);
}

/* Memory aligned for vectors; NULL if there is none. */
static inline void *worker_memory(size_t bytes)
{
    void *memory;

    return posix_memalign(&memory, 256, bytes ? bytes : 1) == 0 ? memory : NULL;
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
    int a[1024][4];
    array_i32_1 view[1024];
    unsigned long long dynamic_size;
} Worker;

static int held_block(Worker *restrict w, dim3 blockIdx, dim3 blockDim, dim3 gridDim, int *out,
        long long out_0)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_OWN(x, y, z) {
        const dim3 threadIdx = { x, y, z };
        const long long t_2 = (z * (long long)blockDim.y + y) * blockDim.x + x;
        int t = threadIdx.x;
        struct { _Alignas(16) int array[2]; } b;
#line 13 "held_arrays.k"
        b.array[t % 2] = t;
        for (long long i = 0; i < 4; i++)
            w->a[t_2][i] = (int)(b.array[t % 2] + i);
        array_i32_1 view = t % 3 != 0 ? make_array_i32_1(w->a[t_2], 4, 4) :
                make_array_i32_1(&w->a[t_2][3], 4, -4);
        w->view[t_2] = view;
    }
#line 17 "held_arrays.k"
    EACH_THREAD_OWN(x, y, z) {
        const dim3 threadIdx = { x, y, z };
        const long long t_2 = (z * (long long)blockDim.y + y) * blockDim.x + x;
        int t = threadIdx.x;
        array_i32_1 view = w->view[t_2];
#line 18 "held_arrays.k"
        out[t] = *element_i32(view.data, view.strides[0]);
    }
    return 0;
}

#line 1 "kjit"
static int held_block_work(void *const *params, const KjitHostLaunch *launch, long long chunk,
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
            const int status = !w ? 1 : held_block(w, blockIdx, blockDim, gridDim,
                    *(void * const *)params[0], *(long long const *)params[1]);
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
        failed = held_block_work(params, launch, blocks, &next, NULL);
    else
        failed = launch->share(held_block_work, params, launch, blocks, NULL);
    return failed;
}
== swapped ==
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

#define ALWAYS_INLINE static inline __attribute__((always_inline))

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

/* Whether no thread of the block is left. */
static inline bool all_done(const unsigned char *done, int threads)
{
    return !memchr(done, 0, (size_t)threads);
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
    _Alignas(64) int a[40];
    _Alignas(64) int b[40];
    array_i32_1 source[1024];
    array_i32_1 target[1024];
    unsigned char done[1024];
    unsigned long long dynamic_size;
} Worker;

/* What follows an early return; `ended`: some threads took it. */
ALWAYS_INLINE int swapped_block_rest(Worker *w, dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        int *out, long long out_0, long long n, bool ended)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
#line 32 "held_arrays.k"
    EACH_THREAD_SIMD(x, y, z) {
        const dim3 threadIdx = { x, y, z };
        const long long t_2 = (z * (long long)blockDim.y + y) * blockDim.x + x;
        if (ended && w->done[t_2])
            continue;
#line 33 "held_arrays.k"
        array_i32_1 source = make_array_i32_1(w->a, 40, 4);
        array_i32_1 target = make_array_i32_1(w->b, 40, 4);
        w->source[t_2] = source;
        w->target[t_2] = target;
    }
#line 33 "held_arrays.k"
    for (long long turn = 0; turn < 3; turn++) {
        EACH_THREAD_SIMD(x, y, z) {
            const dim3 threadIdx = { x, y, z };
            const long long t_2 = (z * (long long)blockDim.y + y) * blockDim.x + x;
            if (ended && w->done[t_2])
                continue;
            int t = threadIdx.x;
            array_i32_1 source = w->source[t_2];
            array_i32_1 target = w->target[t_2];
#line 34 "held_arrays.k"
            target.data[t] = (int)((long long)source.data[wrap(floor_mod_i64((long long)t + 1, n),
                    source.shape[0])] + 1);
        }
#line 35 "held_arrays.k"
        EACH_THREAD_SIMD(x, y, z) {
            const dim3 threadIdx = { x, y, z };
            const long long t_2 = (z * (long long)blockDim.y + y) * blockDim.x + x;
            if (ended && w->done[t_2])
                continue;
            array_i32_1 source = w->source[t_2];
            array_i32_1 target = w->target[t_2];
#line 36 "held_arrays.k"
            array_i32_1 _item = source;
            source = target;
#line 36 "held_arrays.k"
            target = _item;
            w->source[t_2] = source;
            w->target[t_2] = target;
        }
    }
    EACH_THREAD_SIMD(x, y, z) {
        const dim3 threadIdx = { x, y, z };
        const long long t_2 = (z * (long long)blockDim.y + y) * blockDim.x + x;
        if (ended && w->done[t_2])
            continue;
        int t = threadIdx.x;
        array_i32_1 source = w->source[t_2];
#line 37 "held_arrays.k"
        out[t] = (int)((long long)source.data[t] + w->a[t]);
    }
    return 0;
}

static int swapped_block(Worker *restrict w, dim3 blockIdx, dim3 blockDim, dim3 gridDim, int *out,
        long long out_0, long long n)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    memset(w->done, 0, sizeof w->done);
    EACH_THREAD_SIMD(x, y, z) {
        const dim3 threadIdx = { x, y, z };
        const long long t_2 = (z * (long long)blockDim.y + y) * blockDim.x + x;
        int t = threadIdx.x;
#line 28 "held_arrays.k"
        w->a[t] = t;

        if (t >= n) {
            goto leave_1;
        }
        continue;
    leave_1:
        w->done[t_2] = 1;
    }
    if (all_done(w->done, threads))
        return 0;
    if (memchr(w->done, 1, (size_t)threads))
        return swapped_block_rest(w, blockIdx, blockDim, gridDim, out, out_0, n, true);
    return swapped_block_rest(w, blockIdx, blockDim, gridDim, out, out_0, n, false);
}

#line 1 "kjit"
static int swapped_block_work(void *const *params, const KjitHostLaunch *launch, long long chunk,
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
            const int status = !w ? 1 : swapped_block(w, blockIdx, blockDim, gridDim,
                    *(void * const *)params[0], *(long long const *)params[1],
                    *(long long const *)params[2]);
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
        failed = swapped_block_work(params, launch, blocks, &next, NULL);
    else
        failed = launch->share(swapped_block_work, params, launch, blocks, NULL);
    return failed;
}
