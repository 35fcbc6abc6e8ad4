#line 1 "kjit prelude"
/* a % b; 0 for b == 0. */
static __device__ inline unsigned long long floor_mod_u64(unsigned long long a, unsigned long long b)
{
    return b == 0 ? 0 : a % b;
}

/* a % b, where r is reciprocal(b): that is at most 1 below 2^64 / b, so that a * r / 2^64 is less
** than 1 below a / b. 0 for b == 0. */
static __device__ inline unsigned long long mod_by_u64(unsigned long long a, unsigned long long b, unsigned long long r)
{
    const unsigned long long rest = a - __umul64hi(a, r) * b;

    return b == 0 ? 0 : rest >= b ? rest - b : rest;
}

/* For mod_by. */
static __device__ inline unsigned long long reciprocal_u64(unsigned long long b)
{
    return b == 0 ? 0 : ~(unsigned long long)0 / b;
}

/* a % b, with the sign of b; 0 where C has no answer. As far_div_i64() does it. */
static __device__ __noinline__ long long far_mod_i64(long long a, long long b)
{
    const bool below = b < 0, turns = below ? a > 0 : a < 0;
    const unsigned long long by = below ? 0 - (unsigned long long)b : b;
    const unsigned long long size = below ? 0 - (unsigned long long)a : a;
    const unsigned long long of = turns ? ~size : size;

    if (b == 0)
        return 0;
    unsigned long long rest = (of | by) >> 32 ? of % by : (unsigned int)of % (unsigned int)by;
    rest = turns ? by - 1 - rest : rest;
    return (long long)(below ? 0 - rest : rest);
}

/* The same, of what goes around once, as an index of a ring does, without a division. */
static __device__ inline long long wide_mod_i64(long long a, long long b)
{
    const unsigned long long near = (unsigned long long)a - (a < 0 ? 0 - (unsigned long long)b : b);
    const bool within = (unsigned long long)a < (unsigned long long)b;

    if (b > 0 && (within || near < (unsigned long long)b))
        return within ? a : (long long)near;
    return far_mod_i64(a, b);
}

#line 3 "reciprocal_remainders.ir"
extern "C" __global__ void k(const unsigned long long *key, long long key_0,
        const unsigned int *size, long long size_0, unsigned long long *out, long long out_0,
        unsigned long long n, long long s)
{
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
        out[k_2 + 3] = (unsigned long long)wide_mod_i64(k_2, s);
        out[k_2 + 4] = floor_mod_u64(h, (unsigned long long)k_2);
        out[k_2 + 5] = floor_mod_u64(h, out[k_2]);
    }
}

