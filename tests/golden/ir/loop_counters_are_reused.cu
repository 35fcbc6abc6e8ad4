#line 1 "kjit prelude"
#line 3 "loop_counters_are_reused.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long j = 0; j < 2; j++)
#line 6 "loop_counters_are_reused.k"
        out[i] = (float)((double)out[i] + j);
    for (long long j_2 = 0; j_2 < 3; j_2++) {
        for (long long k_ = 0; k_ < j_2; k_++)
            out[i] = (float)((double)out[i] + k_);
    }
}

