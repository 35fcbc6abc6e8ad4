#line 1 "kjit prelude"
/* The exponent e in x == f * 2 ** e, 0.5 <= |f| < 1. */
static __device__ inline int frexp_exponent_f32(float x)
{
    int exponent = 0;

    if (x == 0 || !isfinite(x))
        return 0;
    frexpf(x, &exponent);
    return exponent;
}

/* The fraction f in x == f * 2 ** e, 0.5 <= |f| < 1. */
static __device__ inline float frexp_fraction_f32(float x)
{
    int exponent;

    return frexpf(x, &exponent);
}

typedef struct tuple_f32_i32 {
    float _0;
    int _1;
} tuple_f32_i32;

static __device__ inline tuple_f32_i32 make_tuple_f32_i32(float _0, int _1)
{
    tuple_f32_i32 made = { _0, _1 };

    return made;
}

#line 3 "mathematics.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 5 "mathematics.k"
    out[i] = (float)(sinf(x[i]) + floor(i / 3.0) + atan2((double)x[i], 2.0) + 3.141592653589793 +
            hypotf(x[i], x[i]));
#line 6 "mathematics.k"
    tuple_f32_i32 _tuple = make_tuple_f32_i32(frexp_fraction_f32(x[i]), frexp_exponent_f32(x[i]));
    float m = _tuple._0;
#line 6 "mathematics.k"
    int e = _tuple._1;
    out[i] = (float)(out[i] + ((double)m + e));
}

