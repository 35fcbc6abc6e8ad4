#line 1 "kjit prelude"
#line 3 "and_or_give_operands.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long _left_2 = i % 2;
#line 5 "and_or_give_operands.k"
    out[i] = (float)((i != 0 ? (double)x[i] : (double)i) + (_left_2 != 0 ? (double)_left_2 : 0.5));
}

