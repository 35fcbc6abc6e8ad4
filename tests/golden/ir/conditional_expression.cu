#line 1 "kjit prelude"
#line 3 "conditional_expression.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 5 "conditional_expression.k"
    out[i] = (float)(i < 4 ? 1.0 : (double)x[i]);
}

