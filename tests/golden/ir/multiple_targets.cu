#line 1 "kjit prelude"
#line 3 "multiple_targets.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 5 "multiple_targets.k"
    double _value = x[i] + 1.0;
    double a = _value;
#line 5 "multiple_targets.k"
    double b = _value;
    b += 1.0;
    out[i] = (float)(a * 10.0 + b);
}

