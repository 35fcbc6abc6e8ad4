== copied ==
#line 1 "kjit prelude"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dim3 {
    int x, y, z;
} dim3;

/* Runs what follows for each thread of the block; none depends on another. */
#define EACH_THREAD_SIMD(i, j, k)                                                              \
    for (int k = 0; k < blockDim.z; k++)                                                       \
        for (int j = 0; j < blockDim.y; j++)                                                   \
            _Pragma("omp simd") for (int i = 0; i < blockDim.x; i++)

typedef struct KjitHostLaunch {
    unsigned int grid[3], block[3];
    unsigned long long dynamic_shared;
} KjitHostLaunch;

/* How many threads of the processor run blocks. Headers bring names; what one function needs is
** declared instead, here and below. */
int omp_get_max_threads(void);
static inline int workers(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* The place in the grid of block number b. */
static inline dim3 block_number(long long b, dim3 grid)
{
    dim3 block = { (int)(b % grid.x), (int)(b / grid.x % grid.y), (int)(b / grid.x / grid.y) };

    return block;
}

#line 1 "kjit"
static int copied_block(dim3 blockIdx, dim3 blockDim, dim3 gridDim, const float *restrict a,
        long long a_0, float *restrict b, long long b_0)
{
    EACH_THREAD_SIMD(x, y, z) {
        const dim3 threadIdx = { x, y, z };
#line 8 "restrict.k"
        long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
        if (i < b_0)
            b[i] = a[i];
    }
    return 0;
}

#line 1 "kjit"
int kjit_entry(void *const *params, const KjitHostLaunch *launch)
{
    const dim3 blockDim = { launch->block[0], launch->block[1], launch->block[2] };
    const dim3 gridDim = { launch->grid[0], launch->grid[1], launch->grid[2] };
    const long long blocks = (long long)gridDim.x * gridDim.y * gridDim.z;
    const long long chunk = blocks / (16 * workers()) + 1;
    int failed = 0;

    (void)params, (void)chunk;
    #pragma omp parallel if (blocks > 1) reduction(max : failed)
    {
        #pragma omp for schedule(dynamic, chunk)
        for (long long b = 0; b < blocks; b++) {
            const dim3 blockIdx = block_number(b, gridDim);
            const int status = copied_block(blockIdx, blockDim, gridDim,
                    *(void * const *)params[0], *(long long const *)params[1],
                    *(void * const *)params[2], *(long long const *)params[3]);
            failed = status > failed ? status : failed;
        }
    }
    return failed;
}
== read_and_written ==
#line 1 "kjit prelude"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dim3 {
    int x, y, z;
} dim3;

/* Runs what follows for each thread of the block; none depends on another. */
#define EACH_THREAD_SIMD(i, j, k)                                                              \
    for (int k = 0; k < blockDim.z; k++)                                                       \
        for (int j = 0; j < blockDim.y; j++)                                                   \
            _Pragma("omp simd") for (int i = 0; i < blockDim.x; i++)

typedef struct KjitHostLaunch {
    unsigned int grid[3], block[3];
    unsigned long long dynamic_shared;
} KjitHostLaunch;

/* How many threads of the processor run blocks. Headers bring names; what one function needs is
** declared instead, here and below. */
int omp_get_max_threads(void);
static inline int workers(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* The place in the grid of block number b. */
static inline dim3 block_number(long long b, dim3 grid)
{
    dim3 block = { (int)(b % grid.x), (int)(b / grid.x % grid.y), (int)(b / grid.x / grid.y) };

    return block;
}

#line 1 "kjit"
static int read_and_written_block(dim3 blockIdx, dim3 blockDim, dim3 gridDim,
        const float *restrict a, long long a_0, long long a_1, const float *restrict b,
        long long b_0, long long b_1, float *restrict c, long long c_0, long long c_1)
{
    EACH_THREAD_SIMD(x, y, z) {
        const dim3 threadIdx = { x, y, z };
#line 17 "restrict.k"
        long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
        long long j = (long long)blockIdx.y * blockDim.y + threadIdx.y;
        if (i < c_0 && j < c_1) {
            if (0 < a_1) {
#line 20 "restrict.k"
                float c_kept = c[i * c_1 + j];
#line 19 "restrict.k"
                for (long long k = 0; k < a_1; k++)
                    c_kept += a[i * a_1 + k] * b[k * b_1 + j];
#line 20 "restrict.k"
                c[i * c_1 + j] = c_kept;
            }
        }
    }
    return 0;
}

#line 1 "kjit"
int kjit_entry(void *const *params, const KjitHostLaunch *launch)
{
    const dim3 blockDim = { launch->block[0], launch->block[1], launch->block[2] };
    const dim3 gridDim = { launch->grid[0], launch->grid[1], launch->grid[2] };
    const long long blocks = (long long)gridDim.x * gridDim.y * gridDim.z;
    const long long chunk = blocks / (16 * workers()) + 1;
    int failed = 0;

    (void)params, (void)chunk;
    #pragma omp parallel if (blocks > 1) reduction(max : failed)
    {
        #pragma omp for schedule(dynamic, chunk)
        for (long long b = 0; b < blocks; b++) {
            const dim3 blockIdx = block_number(b, gridDim);
            const int status = read_and_written_block(blockIdx, blockDim, gridDim,
                    *(void * const *)params[0], *(long long const *)params[1],
                    *(long long const *)params[2], *(void * const *)params[3],
                    *(long long const *)params[4], *(long long const *)params[5],
                    *(void * const *)params[6], *(long long const *)params[7],
                    *(long long const *)params[8]);
            failed = status > failed ? status : failed;
        }
    }
    return failed;
}
== counted ==
#line 1 "kjit prelude"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dim3 {
    int x, y, z;
} dim3;

/* Runs what follows for each thread of the block. */
#define EACH_THREAD(i, j, k)                                                                   \
    for (int k = 0; k < blockDim.z; k++)                                                       \
        for (int j = 0; j < blockDim.y; j++)                                                   \
            for (int i = 0; i < blockDim.x; i++)

/* a % b, with the sign of b; 0 where C has no answer. */
static inline long long floor_mod_i64(long long a, long long b)
{
    long long rest;

    if (b == 0 || b == -1)
        return 0;
    rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static inline int atomic_add_i32(int *place, int value)
{
    return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
}

typedef struct KjitHostLaunch {
    unsigned int grid[3], block[3];
    unsigned long long dynamic_shared;
} KjitHostLaunch;

/* How many threads of the processor run blocks. Headers bring names; what one function needs is
** declared instead, here and below. */
int omp_get_max_threads(void);
static inline int workers(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* The place in the grid of block number b. */
static inline dim3 block_number(long long b, dim3 grid)
{
    dim3 block = { (int)(b % grid.x), (int)(b / grid.x % grid.y), (int)(b / grid.x / grid.y) };

    return block;
}

#line 1 "kjit"
static int counted_block(dim3 blockIdx, dim3 blockDim, dim3 gridDim, const long long *restrict x,
        long long x_0, int *restrict counts, long long counts_0)
{
    EACH_THREAD(x_2, y, z) {
        const dim3 threadIdx = { x_2, y, z };
#line 26 "restrict.k"
        for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < x_0;
                i += (long long)gridDim.x * blockDim.x)
#line 27 "restrict.k"
            atomic_add_i32(&counts[floor_mod_i64(x[i], 10)], 1);
    }
    return 0;
}

#line 1 "kjit"
int kjit_entry(void *const *params, const KjitHostLaunch *launch)
{
    const dim3 blockDim = { launch->block[0], launch->block[1], launch->block[2] };
    const dim3 gridDim = { launch->grid[0], launch->grid[1], launch->grid[2] };
    const long long blocks = (long long)gridDim.x * gridDim.y * gridDim.z;
    const long long chunk = blocks / (16 * workers()) + 1;
    int failed = 0;

    (void)params, (void)chunk;
    #pragma omp parallel if (blocks > 1) reduction(max : failed)
    {
        #pragma omp for schedule(dynamic, chunk)
        for (long long b = 0; b < blocks; b++) {
            const dim3 blockIdx = block_number(b, gridDim);
            const int status = counted_block(blockIdx, blockDim, gridDim,
                    *(void * const *)params[0], *(long long const *)params[1],
                    *(void * const *)params[2], *(long long const *)params[3]);
            failed = status > failed ? status : failed;
        }
    }
    return failed;
}
== read_before_a_barrier_written_behind_it ==
#line 1 "kjit prelude"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dim3 {
    int x, y, z;
} dim3;

/* Runs what follows for each thread of the block; none depends on another. */
#define EACH_THREAD_SIMD(i, j, k)                                                              \
    for (int k = 0; k < blockDim.z; k++)                                                       \
        for (int j = 0; j < blockDim.y; j++)                                                   \
            _Pragma("omp simd") for (int i = 0; i < blockDim.x; i++)

/* Index i of an axis of n elements: negative ones count from the end. */
static inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

typedef struct KjitHostLaunch {
    unsigned int grid[3], block[3];
    unsigned long long dynamic_shared;
} KjitHostLaunch;

/* How many threads of the processor run blocks. Headers bring names; what one function needs is
** declared instead, here and below. */
int omp_get_max_threads(void);
static inline int workers(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* Memory aligned for vectors; NULL if there is none. */
static inline void *worker_memory(size_t bytes)
{
    void *memory;

    return posix_memalign(&memory, 256, bytes ? bytes : 1) == 0 ? memory : NULL;
}

/* The place in the grid of block number b. */
static inline dim3 block_number(long long b, dim3 grid)
{
    dim3 block = { (int)(b % grid.x), (int)(b / grid.x % grid.y), (int)(b / grid.x / grid.y) };

    return block;
}

#line 1 "kjit"
/* What one worker needs to run a block. */
typedef struct Worker {
    _Alignas(64) float tile[128];
    unsigned long long dynamic_size;
} Worker;

static int read_before_a_barrier_written_behind_it_block(Worker *restrict w, dim3 blockIdx,
        dim3 blockDim, dim3 gridDim, const float *restrict a, long long a_0, float *restrict b,
        long long b_0)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    EACH_THREAD_SIMD(x, y, z) {
        const dim3 threadIdx = { x, y, z };
        long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 35 "restrict.k"
        w->tile[threadIdx.x] = a[i];
    }
#line 36 "restrict.k"
    EACH_THREAD_SIMD(x, y, z) {
        const dim3 threadIdx = { x, y, z };
        long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 37 "restrict.k"
        b[i] = w->tile[wrap(127LL - threadIdx.x, 128)];
    }
    return 0;
}

#line 1 "kjit"
int kjit_entry(void *const *params, const KjitHostLaunch *launch)
{
    const dim3 blockDim = { launch->block[0], launch->block[1], launch->block[2] };
    const dim3 gridDim = { launch->grid[0], launch->grid[1], launch->grid[2] };
    const long long blocks = (long long)gridDim.x * gridDim.y * gridDim.z;
    const long long chunk = blocks / (16 * workers()) + 1;
    int failed = 0;

    (void)params, (void)chunk;
    #pragma omp parallel if (blocks > 1) reduction(max : failed)
    {
        Worker *w = worker_memory(sizeof(Worker));
        #pragma omp for schedule(dynamic, chunk)
        for (long long b = 0; b < blocks; b++) {
            const dim3 blockIdx = block_number(b, gridDim);
            const int status = !w ? 1 : read_before_a_barrier_written_behind_it_block(w, blockIdx,
                    blockDim, gridDim, *(void * const *)params[0], *(long long const *)params[1],
                    *(void * const *)params[2], *(long long const *)params[3]);
            failed = status > failed ? status : failed;
        }
        free(w);
    }
    return failed;
}
