#line 1 "kjit prelude"
#line 3 "chained_comparison.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long _middle = i + 1;
#line 5 "chained_comparison.k"
    bool _both = 1 < _middle;
    double _middle_2 = 0;
#line 5 "chained_comparison.k"
    if (_both) {
#line 5 "chained_comparison.k"
        _middle_2 = x[i] + 2.0;
        _both = _middle <= _middle_2;
    }
#line 5 "chained_comparison.k"
    out[i] = _both && _middle_2 < 7.0;
}

