#line 1 "kjit prelude"
#line 3 "chained_comparison.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    bool _both = 1 < i + 1;
#line 5 "chained_comparison.k"
    double _middle = 0;
    if (_both) {
#line 5 "chained_comparison.k"
        _middle = x[i] + 2.0;
        _both = i + 1 <= _middle;
    }
#line 5 "chained_comparison.k"
    out[i] = _both && _middle < 7.0;
}

