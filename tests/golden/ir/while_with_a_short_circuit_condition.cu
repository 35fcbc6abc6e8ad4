#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline double hidden_f64(double number)
{
    asm("" : "+d"(number));
    return number;
}

#line 3 "while_with_a_short_circuit_condition.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long j = 0;
#line 6 "while_with_a_short_circuit_condition.k"
    while (j < 8 && (double)x[j] < hidden_f64(i))
        j++;
    out[i] = j;
}

