#line 1 "kjit prelude"
static __device__ inline long long abs_i64(long long x)
{
    return x < 0 ? (long long)(0 - (unsigned long long)x) : x;
}

/* The same number, of which the compiler then knows nothing. */
static __device__ inline double hidden_f64(double number)
{
    asm("" : "+d"(number));
    return number;
}

/* Truncated, and held at the ends of the range; NaN gives 0. */
static __device__ inline long long i64_from_f32(float x)
{
    return x != x ? 0 : __float2ll_rz(x);
}

static __device__ inline long long max_i64(long long a, long long b)
{
    return b > a ? b : a;
}

static __device__ inline long long min_i64(long long a, long long b)
{
    return b < a ? b : a;
}

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

/* The nearest integer, half to even. */
static __device__ inline long long round_f64(double x)
{
    return i64_from_f64(rint(x));
}

/* x ** n by multiplication. */
static __device__ inline double pow_int_f64(double x, long long n)
{
    unsigned long long left = n < 0 ? 0 - (unsigned long long)n : (unsigned long long)n;
    double result = 1;

    if (left > 65536)
        return (double)pow((double)x, (double)n);
    for (; left; left >>= 1, x *= x)
        if (left & 1)
            result *= x;
    return n < 0 ? 1 / result : result;
}

/* x rounded to so many decimals, half to even. */
static __device__ inline double round_digits_f64(double x, long long digits)
{
    long long places = digits < 0 ? -digits : digits;
    double large = pow_int_f64(10.0, places > 22 ? places - 22 : places);
    double more = places > 22 ? 1e22 : 1.0, scaled;

    if (!isfinite(x) || digits > 400)
        return x;
    scaled = digits < -400 ? 0 : digits < 0 ? x / large / more : x * large * more;
    if (!isfinite(scaled))
        return x;
    scaled = rint(scaled);
    if (scaled == 0)
        return copysign((double)0, x);
    return (double)(digits < 0 ? scaled * large * more : scaled / more / large);
}

#line 3 "scalar_functions.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    double _first = min_i64(i, 3);
#line 5 "scalar_functions.k"
    double _other = x[i];
#line 5 "scalar_functions.k"
    out[i] = (float)(round_f64(x[i] / 2.0) + round_digits_f64(x[i] / 3.0, 1) + abs_i64(-i) +
            (_other < hidden_f64(_first) ? _other : _first) + max_i64(1, i));
#line 6 "scalar_functions.k"
    out[i] = (float)(out[i] + ((double)(long long)((unsigned long long)(long long)((unsigned long long)(i % 3) + pow_i64(i, 2)) + i64_from_f32(x[i])) + i + (i != 0)));
}

