#line 1 "kjit prelude"
#line 3 "swap.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 5 "swap.k"
    float a = x[i];
#line 5 "swap.k"
    float b = x[0];
    float _item = a;
    a = b;
#line 6 "swap.k"
    b = _item;
    float c = a;
    float d = b;
#line 7 "swap.k"
    long long e = i;
    out[i] = (float)(a - b + c * 10.0 + d + e);
}

