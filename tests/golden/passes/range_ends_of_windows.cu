#line 1 "kjit prelude"
static __device__ inline long long max_i64(long long a, long long b)
{
    return b > a ? b : a;
}

static __device__ inline long long min_i64(long long a, long long b)
{
    return b < a ? b : a;
}

/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

#line 3 "range_ends_of_windows.ir"
extern "C" __global__ void k(const float *x, long long x_0, float *y, long long y_0, long long n,
        long long r, long long s, long long t)
{
#line 4 "range_ends_of_windows.ir"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long high = min_i64((long long)((unsigned long long)(long long)((unsigned long long)i +
            r) + 1), n);
    long long low = max_i64((long long)((unsigned long long)i - s), 0);
    long long other = (long long)((unsigned long long)i + t);
    if (i < n)
#line 9 "range_ends_of_windows.ir"
        y[i] = x[high] + x[low] + x[wrap(other, x_0)];
}

