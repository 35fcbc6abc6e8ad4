#line 1 "kjit prelude"
#line 3 "cast_keeps_float32.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 5 "cast_keeps_float32.k"
    out[i] = x[i] * 2.0f;
}

