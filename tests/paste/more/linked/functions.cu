// Device functions for lens.py, by numba's calling convention and by C's.
#include <cuda_fp16.h>
#include "lens.cuh"

#define N 3
#define refract broken /* means nothing in the kernels */

template <typename T> __device__ T square(T x)
{
    return x * x;
}

extern "C" __device__ int lens_bend(float *angle, float height, float focus)
{
    *angle = atan2f(height, focus) * LENS_SCALE;
    return 0;
}

extern "C" __device__ int lens_total(double *result, const float *values, int count)
{
    double total = 0;
    for (int i = 0; i < count; i++)
        total += square((double)values[i]);
    *result = total;
    return 0;
}

extern "C" __device__ int lens_fill(void *, int *cells, long count, int value)
{
    for (long i = 0; i < count; i++)
        cells[i] = value + N * (int)i;
    return 0;
}

extern "C" __device__ unsigned int lens_mix(unsigned int x)
{
    return x * 2654435761u ^ __float2uint_rz(__half2float(__float2half(1.0f)));
}

struct lens_pair {
    float first, second;
};

extern "C" __device__ int lens_split(lens_pair *result, float x)
{
    result->first = truncf(x);
    result->second = x - truncf(x);
    return 0;
}
