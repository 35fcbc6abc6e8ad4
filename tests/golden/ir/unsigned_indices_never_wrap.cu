#line 1 "kjit prelude"
/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

#line 4 "unsigned_indices_never_wrap.k"
extern "C" __global__ void k(const long long *x, long long x_0, const unsigned int *u,
        long long u_0, long long *out, long long out_0)
{
#line 5 "unsigned_indices_never_wrap.k"
    int i = threadIdx.x;
    unsigned int j = u[i];
    out[i] = (long long)((unsigned long long)(long long)((unsigned long long)x[j] +
            x[(unsigned char)j]) + x[wrap((long long)i - 4, x_0)]);
}

