#line 1 "kjit prelude"
#line 3 "value_carried_round_a_loop.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    float last = 0.0f;
#line 5 "value_carried_round_a_loop.k"
    for (long long j = 0; j < 3; j++) {
        if (j > 0)
            out[i] += last;
        last = x[j];
    }
}

