#line 1 "kjit prelude"
#line 3 "integers_widen.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    int i = threadIdx.x;
    long long j = i + (long long)blockIdx.x * blockDim.x;
#line 6 "integers_widen.k"
    out[j] = j / 2 + i % 3;
}

