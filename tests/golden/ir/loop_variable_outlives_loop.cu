#line 1 "kjit prelude"
#line 3 "loop_variable_outlives_loop.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long j = 0;
#line 5 "loop_variable_outlives_loop.k"
    for (long long _i = 0; _i < 3; _i++) {
        j = _i;
#line 6 "loop_variable_outlives_loop.k"
        out[i] = (float)((double)out[i] + j);
    }
#line 7 "loop_variable_outlives_loop.k"
    out[i] = (float)((double)out[i] + j * 100);
}

