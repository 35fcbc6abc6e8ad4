#line 1 "kjit prelude"
#line 3 "while_with_a_short_circuit_condition.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long j = 0;
#line 6 "while_with_a_short_circuit_condition.k"
    while (j < 8 && (double)x[j] < i)
        j++;
    out[i] = j;
}

