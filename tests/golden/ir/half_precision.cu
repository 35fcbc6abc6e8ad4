#line 1 "kjit prelude"
typedef unsigned short float16; /* its bits */

/* The xor keeps apart what ptxas 13.0 makes one of: a conversion to float16 of which the low byte
** is stored alone, as in packed records, stores the number converted to a uint8. */
static __device__ inline float16 f16_from_f32(float x)
{
    float16 result;

    asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; xor.b16 %0, h, 0; }" : "=h"(result) : "f"(x));
    return result;
}

static __device__ inline float f32_from_f16(float16 x)
{
    float result;

    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x));
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

