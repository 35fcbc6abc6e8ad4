#line 1 "kjit prelude"
/* What follows i in a count by `step`: never beyond `stop`, so that nothing overflows. */
static __device__ inline long long range_next_i64(long long i, long long stop, long long step)
{
    unsigned long long left = step > 0 ? (unsigned long long)stop - (unsigned long long)i : (unsigned long long)i - (unsigned long long)stop;
    unsigned long long stride = step > 0 ? (unsigned long long)step : 0 - (unsigned long long)step;

    return left <= stride ? stop : (long long)(i + step);
}

/* Whether a count by `step` that is at i goes on. */
static __device__ inline bool range_short_i64(long long i, long long stop, long long step)
{
    return step > 0 ? i < stop : step < 0 && i > stop;
}

#line 3 "step_of_unknown_sign.k"
extern "C" __global__ void k(long long n, double *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long j = 0; range_short_i64(j, (long long)((unsigned long long)n * 2), n);
            j = range_next_i64(j, (long long)((unsigned long long)n * 2), n))
#line 6 "step_of_unknown_sign.k"
        out[i] += (long long)((unsigned long long)j + 1);
}

