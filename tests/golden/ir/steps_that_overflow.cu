== grows_from_an_element ==
#line 1 "kjit prelude"
#line 7 "steps_that_overflow.k"
extern "C" __global__ void grows_from_an_element(const long long *x, long long x_0, bool *out,
        long long out_0, long long n)
{
#line 8 "steps_that_overflow.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long sum = x[i];
    for (long long k = 0; k < n; k++)
        sum = (long long)((unsigned long long)sum + 1);
    out[i] = sum > x[i];
}

== counts_from_a_number ==
#line 1 "kjit prelude"
/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

#line 17 "steps_that_overflow.k"
extern "C" __global__ void counts_from_a_number(long long *out, long long out_0, long long start)
{
    for (long long i = start; i < (long long)((unsigned long long)start + 2); i++)
#line 19 "steps_that_overflow.k"
        out[wrap((long long)((unsigned long long)i - start), out_0)] =
                (long long)((unsigned long long)i * 3);
}

== counts_from_nought ==
#line 1 "kjit prelude"
#line 24 "steps_that_overflow.k"
extern "C" __global__ void counts_from_nought(long long *out, long long out_0)
{
    long long count = 0;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < 1000;
            i += (long long)gridDim.x * blockDim.x)
#line 27 "steps_that_overflow.k"
        count += i + 1;
    out[(long long)blockIdx.x * blockDim.x + threadIdx.x] = count;
}

== counts_below_zero ==
#line 1 "kjit prelude"
#line 33 "steps_that_overflow.k"
extern "C" __global__ void counts_below_zero(long long *out, long long out_0, long long n)
{
    unsigned long long left = 0;
    for (long long k = 0; k < n; k++)
        left--;
#line 37 "steps_that_overflow.k"
    out[0] = (long long)((unsigned long long)(long long)(left >> 1) + 1);
}

