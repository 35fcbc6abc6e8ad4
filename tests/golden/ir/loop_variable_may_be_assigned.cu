#line 1 "kjit prelude"
#line 3 "loop_variable_may_be_assigned.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long _i = 0; _i < 3; _i++) {
#line 5 "loop_variable_may_be_assigned.k"
        long long j = _i;
        j = (long long)((unsigned long long)j * 2);
        out[i] = (float)((double)out[i] + j);
    }
}

