#line 1 "kjit prelude"
/* Truncated, and held at the ends of the range; NaN gives 0. */
static __device__ inline long long i64_from_f64(double x)
{
    return x != x ? 0 : __double2ll_rz(x);
}

/* a ** b, wrapping. */
static __device__ inline long long pow_i64(long long a, long long b)
{
    unsigned long long base = a, result = 1;

    if (b < 0) {
        if (a == 0)
            return (long long)((unsigned long long)1 << (64 - 1));
        return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
    }
    if (b > 65536)
        return (long long)i64_from_f64(pow((double)a, (double)b));
    for (; b; b >>= 1, base *= base)
        if (b & 1)
            result *= base;
    return (long long)result;
}

/* x ** n by multiplication. */
static __device__ inline float pow_int_f32(float x, long long n)
{
    unsigned long long left = n < 0 ? 0 - (unsigned long long)n : (unsigned long long)n;
    float result = 1;

    if (left > 65536)
        return (float)pow((double)x, (double)n);
    for (; left; left >>= 1, x *= x)
        if (left & 1)
            result *= x;
    return n < 0 ? 1 / result : result;
}

#line 3 "powers.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 5 "powers.k"
    out[i] = (float)((double)pow_int_f32(x[i], 2) + pow_i64(i, 2) + pow((double)x[i], 0.5) +
            pow_int_f32(x[i], i));
}

