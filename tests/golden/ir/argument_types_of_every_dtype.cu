#line 1 "kjit prelude"
typedef struct complex128 {
    double real, imag;
} complex128;

typedef unsigned short float16; /* its bits */

static __device__ inline float f32_from_f16(float16 x)
{
    float result;

    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x));
    return result;
}

#line 3 "argument_types_of_every_dtype.k"
extern "C" __global__ void k(bool a, signed char b, unsigned short c, unsigned long long d,
        float16 e, float f, complex128 g, double *x, long long x_0)
{
#line 4 "argument_types_of_every_dtype.k"
    x[0] = a;
    x[1] = b;
    x[2] = c;
    x[3] = d;
    x[4] = (double)f32_from_f16(e);
    x[5] = f;
    x[6] = g.real;
    x[7] = g.imag;
}

