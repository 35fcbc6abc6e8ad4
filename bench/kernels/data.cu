// What the measurement itself runs: data that is a function of an element's index, a comparison, a
// copy and operations for their rates, and a kernel that keeps the GPU busy while the host fills
// its queue.

typedef unsigned long long u64;

// splitmix64's output function (Steele, Lea, Flood 2014).
static __device__ u64 mixed(u64 x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

#define EACH(i, n)                                                                                 \
    for (u64 i = threadIdx.x + (u64)blockIdx.x * blockDim.x; i < n; i += (u64)blockDim.x * gridDim.x)

extern "C" {

__global__ void uniform_float(float *to, u64 n, u64 seed, double low, double high)
{
    EACH(i, n)
        to[i] = low + (high - low) * ((mixed(i + (seed << 40)) >> 11) * 0x1p-53);
}

__global__ void uniform_double(double *to, u64 n, u64 seed, double low, double high)
{
    EACH(i, n)
        to[i] = low + (high - low) * ((mixed(i + (seed << 40)) >> 11) * 0x1p-53);
}

__global__ void uniform_half(unsigned short *to, u64 n, u64 seed, double low, double high)
{
    EACH(i, n) {
        float x = low + (high - low) * ((mixed(i + (seed << 40)) >> 11) * 0x1p-53);
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(to[i]) : "f"(x));
    }
}

__global__ void uniform_bfloat(unsigned short *to, u64 n, u64 seed, double low, double high)
{
    EACH(i, n) {
        float x = low + (high - low) * ((mixed(i + (seed << 40)) >> 11) * 0x1p-53);
        to[i] = __float_as_uint(x) >> 16;
    }
}

// Box and Muller's method, one of each pair.
__global__ void normal_float(float *to, u64 n, u64 seed, double mean, double deviation)
{
    EACH(i, n) {
        u64 random = mixed(i + (seed << 40));
        float u = ((unsigned)(random >> 32) + 0.5f) * 0x1p-32f, v = (unsigned)random * 0x1p-32f;
        to[i] = mean + deviation * (sqrtf(-2 * logf(fminf(u, 1))) * cospif(2 * v));
    }
}

#define WHOLE(name, type)                                                                          \
    __global__ void whole_##name(type *to, u64 n, u64 seed, double low, double high)               \
    {                                                                                              \
        EACH(i, n)                                                                                 \
            to[i] = (type)((long long)low                                                          \
                           + (long long)(mixed(i + (seed << 40)) % (u64)(high - low)));            \
    }
WHOLE(1, signed char)
WHOLE(2, short)
WHOLE(4, int)
WHOLE(8, long long)

// What grows: the i-th element is i steps and a whole number below the spread.
__global__ void steps_4(int *to, u64 n, u64 seed, double step, double spread)
{
    EACH(i, n)
        to[i] = (int)(i * (u64)step + mixed(i + (seed << 40)) % (u64)spread);
}

// How many elements are apart by more than absolute + relative |b|, or are NaN.
#define APART(name, type)                                                                          \
    __global__ void apart_##name(const type *a, const type *b, u64 n, double absolute,             \
                                 double relative, u64 *count)                                      \
    {                                                                                              \
        u64 mine = 0;                                                                              \
        EACH(i, n)                                                                                 \
            mine += !(fabs((double)a[i] - b[i]) <= absolute + relative * fabs((double)b[i]));      \
        if (mine)                                                                                  \
            atomicAdd(count, mine);                                                                \
    }
APART(float, float)
APART(double, double)
APART(1, signed char)
APART(2, short)
APART(4, int)
APART(8, long long)

__global__ void copy16(const uint4 *from, uint4 *to, u64 n)
{
    u64 base = threadIdx.x + (u64)blockIdx.x * blockDim.x * 4;
    uint4 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = from[base + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < 4; k++)
        to[base + k * blockDim.x] = v[k];
}

// Multiplications whose products are added, 16 sums of a thread's own, `rounds` times. What is
// stored keeps the compiler from leaving them out.
#define FUSED(type)                                                                                \
    __global__ void fused_##type(type *to, int rounds, type factor)                                \
    {                                                                                              \
        type sum[16], keep = 0;                                                                    \
        for (int k = 0; k < 16; k++)                                                               \
            sum[k] = (type)(threadIdx.x + k);                                                      \
        for (int r = 0; r < rounds; r++)                                                           \
            for (int k = 0; k < 16; k++)                                                           \
                sum[k] = sum[k] * factor + (type)3;                                                \
        for (int k = 0; k < 16; k++)                                                               \
            keep += sum[k];                                                                        \
        if (keep == (type)12345)                                                                   \
            *to = keep;                                                                            \
    }
FUSED(float)
FUSED(double)
FUSED(int)

__global__ void busy(u64 nanoseconds)
{
    u64 begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < nanoseconds);
}

} // extern "C"
