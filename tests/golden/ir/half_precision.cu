#line 1 "kjit prelude"
typedef unsigned short float16; /* its bits */

static __device__ inline float f32_from_f16(float16 x)
{
    float result;

    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x));
    return result;
}

static __device__ inline float16 f16_from_f32(float x)
{
    float16 result;

    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(x));
    return result;
}

#line 3 "half_precision.k"
extern "C" __global__ void k(float16 *h, long long h_0, double *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 5 "half_precision.k"
    h[i] = f16_from_f32(f32_from_f16(f16_from_f32(f32_from_f16(h[i]) * f32_from_f16(h[i]))) + 1.0f);
    out[i] = (double)f32_from_f16(h[i]) / 3.0;
}

