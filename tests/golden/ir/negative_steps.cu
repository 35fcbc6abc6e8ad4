#line 1 "kjit prelude"
#line 3 "negative_steps.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long j = 7; j > -1; j -= 2)
#line 6 "negative_steps.k"
        out[i] = (float)(out[i] * 10.0 + j);
}

