#line 1 "kjit prelude"
#line 3 "return_stops_the_thread.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 4)
        return;
    for (long long j = 0; j < 8; j++) {
        if (j > i)
            return;
#line 10 "return_stops_the_thread.k"
        out[i] = (float)(out[i] + 1.0);
    }
}

