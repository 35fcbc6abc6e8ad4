#line 1 "kjit prelude"
/* NVVM takes a quotient by -0.0 for one that is not below 0 unless it knows nothing of it. */
static __device__ inline float negative_zero_f32()
{
    float zero = -0.0f;

    asm("" : "+f"(zero));
    return zero;
}

static __device__ inline double negative_zero_f64()
{
    double zero = -0.0;

    asm("" : "+d"(zero));
    return zero;
}

#line 6 "zeros_that_bound.k"
extern "C" __global__ void k(const double *x, long long x_0, const float *h, long long h_0,
        double *out, long long out_0, long long out_1)
{
#line 7 "zeros_that_bound.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    out[t * out_1] = x[t] < negative_zero_f64() ? x[t] : 0.0;
    out[t * out_1 + 1] = x[t] > 0.0 ? x[t] : negative_zero_f64();
    out[t * out_1 + 2] = negative_zero_f32() > h[t] ? h[t] : 0.0f;
    double below = 0.0;
    if (x[t] < negative_zero_f64())
        below = x[t];
    out[t * out_1 + 3] = below;
    if (!(x[t] < negative_zero_f64()))
        out[t * out_1 + 4] = 0.0;
    else
        out[t * out_1 + 4] = x[t];
    out[t * out_1 + 5] = x[t] <= 0.0 ? x[t] : 0.0;
    out[t * out_1 + 6] = h[t] < negative_zero_f32() ? h[t] : 0.0f;
    out[t * out_1 + 7] = h[t] > 0.0f ? h[t] : negative_zero_f32();
    float least = h[t];
    if (least < negative_zero_f32())
        least = 0.0f;
    out[t * out_1 + 8] = least;
}

