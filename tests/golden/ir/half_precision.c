#line 1 "kjit prelude"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dim3 {
    int x, y, z;
} dim3;

typedef unsigned short float16; /* its bits */

/* Runs what follows for each thread of the block; none depends on another. */
#define EACH_THREAD_SIMD(i, j, k)                                                              \
    for (int k = 0; k < blockDim.z; k++)                                                       \
        for (int j = 0; j < blockDim.y; j++)                                                   \
            _Pragma("omp simd") for (int i = 0; i < blockDim.x; i++)

static inline float f32_from_bits(unsigned int bits)
{
    union {
        float number;
        unsigned int bits;
    } both;

    both.bits = bits;
    return both.number;
}

static inline float f32_from_f16(float16 x)
{
    unsigned int sign = (x & 0x8000u) << 16, exponent = x >> 10 & 31, fraction = x & 0x3ffu;

    if (exponent == 31)
        return f32_from_bits(sign | 0x7f800000u | fraction << 13);
    if (exponent == 0)
        return (sign ? -1.0f : 1.0f) * ((float)fraction * 0x1p-24f);
    return f32_from_bits(sign | (exponent + 112) << 23 | fraction << 13);
}

static inline unsigned int f32_bits(float x)
{
    union {
        float number;
        unsigned int bits;
    } both;

    both.number = x;
    return both.bits;
}

static inline float16 f16_from_f32(float x)
{
    unsigned int bits = f32_bits(x), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;

    if (size > 0x7f800000u)
        return (float16)(sign | 0x7e00);
    if (size >= 0x477ff000u) /* 65520 and more round to infinity */
        return (float16)(sign | 0x7c00);
    if (size < 0x38800000u) /* less than the smallest normal number */
        return (float16)(sign | (unsigned int)rintf(fabsf(x) * 0x1p24f));
    size -= 112u << 23;
    return (float16)(sign | (size + 0xfff + (size >> 13 & 1)) >> 13);
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
static int k_block(dim3 blockIdx, dim3 blockDim, dim3 gridDim, float16 *h, long long h_0,
        double *out, long long out_0)
{
    EACH_THREAD_SIMD(x, y, z) {
        const dim3 threadIdx = { x, y, z };
#line 4 "half_precision.k"
        long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
        h[i] = f16_from_f32(f32_from_f16(f16_from_f32(f32_from_f16(h[i]) * f32_from_f16(h[i]))) +
                1.0f);
#line 6 "half_precision.k"
        out[i] = (double)f32_from_f16(h[i]) / 3.0;
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
            const int status = k_block(blockIdx, blockDim, gridDim, *(void * const *)params[0],
                    *(long long const *)params[1], *(void * const *)params[2],
                    *(long long const *)params[3]);
            failed = status > failed ? status : failed;
        }
    }
    return failed;
}
