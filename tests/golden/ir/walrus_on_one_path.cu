#line 1 "kjit prelude"
#line 3 "walrus_on_one_path.k"
extern "C" __global__ void k(const long long *a, long long a_0, double *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    bool _both = a[i] > 3;
    double x_2;
#line 6 "walrus_on_one_path.k"
    if (_both) {
        x_2 = 2.5;
#line 6 "walrus_on_one_path.k"
        _both = x_2 > 1.0;
    } else {
#line 6 "walrus_on_one_path.k"
        x_2 = 1.0;
    }
#line 6 "walrus_on_one_path.k"
    if (_both)
        out[i] = 10.0;
    long long _middle = a[i];
    bool _both_2 = 0 < _middle;
#line 8 "walrus_on_one_path.k"
    long long y;
    if (_both_2) {
#line 8 "walrus_on_one_path.k"
        y = 6;
        _both_2 = _middle < y;
    } else {
#line 8 "walrus_on_one_path.k"
        y = 0;
    }
#line 8 "walrus_on_one_path.k"
    double _choice;
    if (_both_2) {
#line 8 "walrus_on_one_path.k"
        _choice = x_2;
    } else {
#line 8 "walrus_on_one_path.k"
        y = -1;
        _choice = y;
    }
#line 8 "walrus_on_one_path.k"
    out[i] += _choice;
    out[i] += y;
}

