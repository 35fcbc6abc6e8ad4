#line 1 "kjit prelude"
#line 3 "raise_stops_the_thread.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 3)
        return;
    if (i == 2)
#line 7 "raise_stops_the_thread.k"
        return;
    out[i] = 1.0f;
}

