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

/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

/* |x|, and the least number for itself: as for shorter ones. */
static __device__ inline long long wrapping_abs_i64(long long x)
{
    const unsigned long long sign = hidden_i64(x >> 63);

    return (long long)((x ^ sign) - sign);
}

#line 2 "wraps_clamped.ir"
extern "C" __global__ void k(const float *a, long long a_0, long long a_1, const float *b,
        long long b_0, long long b_1, long long y, float *out, long long out_0)
{
#line 3 "wraps_clamped.ir"
    long long clamped = min_i64(max_i64(y, 0), a_0 - 1);
    long long column = max_i64(min_i64((long long)((unsigned long long)y + 1), a_1 - 1),
            min_i64(y, 0));
    long long behind = min_i64(max_i64(y, 0), a_0 - 2);
    long long other = min_i64(max_i64(y, 0), b_0 - 1);
#line 7 "wraps_clamped.ir"
    out[0] = a[clamped * a_1];
    out[1] = a[wrap(clamped, a_1)];
    out[2] = b[wrap(clamped, b_0) * b_1];
    out[3] = a[wrap(behind, a_0) * a_1];
    out[4] = a[wrap(other, a_0) * a_1];
    out[5] = a[wrap(min_i64(wrapping_abs_i64(clamped), clamped), a_0) * a_1 + wrap(column, a_1)];
}

