#line 1 "kjit prelude"
typedef struct array_f64_1 {
    double *data;
    long long shape[1], strides[1];
} array_f64_1;

static __device__ inline array_f64_1 make_array_f64_1(const void *data, long long n0, long long s0)
{
    array_f64_1 made = { (double *)data, { n0 }, { s0 } };

    return made;
}

#line 12 "device_function_with_effect.k"
static __device__ void set_first(array_f64_1 a, long long v)
{
#line 13 "device_function_with_effect.k"
    a.data[0] = v;
}

static __device__ long long fact(long long n);
#line 16 "device_function_with_effect.k"
static __device__ long long fact(long long n)
{
    if (n <= 1)
        return 1;
    long long _t = fact((long long)((unsigned long long)n - 1));
#line 19 "device_function_with_effect.k"
    return (long long)((unsigned long long)n * _t);
}



extern "C" __global__ void k(const float *x, long long x_0, double *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
#line 27 "device_function_with_effect.k"
        set_first(make_array_f64_1(out, out_0, 8), 3);
    long long _t = fact(i);
#line 28 "device_function_with_effect.k"
    out[i] += _t;
}

