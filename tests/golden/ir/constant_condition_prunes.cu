#line 1 "kjit prelude"
#line 6 "constant_condition_prunes.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;


    out[i] = 1.0f;
    out[i] = (float)(out[i] + 2.0);
}

