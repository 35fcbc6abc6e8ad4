#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline double hidden_f64(double number)
{
    asm("" : "+d"(number));
    return number;
}

typedef struct tuple_f64_i64 {
    double _0;
    long long _1;
} tuple_f64_i64;

static __device__ inline tuple_f64_i64 make_tuple_f64_i64(double _0, long long _1)
{
    tuple_f64_i64 made = { _0, _1 };

    return made;
}

#line 2 "device_functions.k"
static __device__ long long clamp(long long v, long long low, long long high)
{
    if (v < low)
        return low;
    return v > high ? high : v;
}

#line 2 "device_functions.k"
static __device__ double clamp_2(float v, long long low, double high)
{
    if (hidden_f64((double)v) < low)
        return low;
    return hidden_f64(v) > high ? high : (double)v;
}

#line 8 "device_functions.k"
static __device__ tuple_f64_i64 swap(long long a, double b)
{
    return make_tuple_f64_i64(b, a);
}

#line 24 "device_functions.k"
extern "C" __global__ void k(const float *x, long long x_0, double *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 26 "device_functions.k"
    tuple_f64_i64 _tuple = swap(clamp(i, 0, 4), clamp_2(x[i], 0, 2.5));
    double a = _tuple._0;
#line 26 "device_functions.k"
    long long b = _tuple._1;
    out[i] = a * 10.0 + b + (long long)((unsigned long long)clamp(-3, -1, 4) * 100);
}

