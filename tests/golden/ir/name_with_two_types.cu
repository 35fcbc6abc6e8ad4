#line 1 "kjit prelude"
#line 3 "name_with_two_types.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long y = i + 1;
#line 6 "name_with_two_types.k"
    out[i] = y;
    float y_2 = x[i];
    out[i] += y_2;
}

