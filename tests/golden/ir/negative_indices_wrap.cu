#line 1 "kjit prelude"
/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

#line 3 "negative_indices_wrap.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0,
        double *last, long long last_0)
{
#line 4 "negative_indices_wrap.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[x_0 - 1] - x[wrap(i - 1, x_0)];
    if (i == 0)
        last[last_0 - 1] = x[x_0 - 2];
}

