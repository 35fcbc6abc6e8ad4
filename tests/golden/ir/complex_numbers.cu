#line 1 "kjit prelude"
typedef struct complex128 {
    double real, imag;
} complex128;

static __device__ inline double abs_c128(complex128 a)
{
    return hypot(a.real, a.imag);
}

static __device__ inline bool complex_eq_c128(complex128 a, complex128 b)
{
    return a.real == b.real && a.imag == b.imag;
}

static __device__ inline complex128 make_complex_c128(double real, double imag)
{
    complex128 result = { real, imag };

    return result;
}

static __device__ inline complex128 complex_mul_c128(complex128 a, complex128 b)
{
    return make_complex_c128(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real);
}

#line 3 "complex_numbers.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 5 "complex_numbers.k"
    complex128 z = complex_mul_c128(make_complex_c128(x[i], 1.0), make_complex_c128(1.0, 2.0));
    out[i] = (float)(z.real - z.imag + abs_c128(z));
    if (complex_eq_c128(z, make_complex_c128(0.0, 0.0)))
        out[i] = 0.0f;
}

