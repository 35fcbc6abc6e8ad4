#line 1 "kjit prelude"
#line 3 "name_left_by_an_inner_loop.k"
extern "C" __global__ void k(const long long *a, long long a_0, long long n, double *out,
        long long out_0)
{
#line 4 "name_left_by_an_inner_loop.k"
    long long i = 0;
    for (long long q = 0; q < n; q++) {
        if (q > 0) {
            for (long long _i = 0; _i < 3; _i++) {
                i = _i;
#line 8 "name_left_by_an_inner_loop.k"
                out[0] += 1.0;
            }
        }
#line 9 "name_left_by_an_inner_loop.k"
        for (long long _i_2 = 0; _i_2 < a_0; _i_2++) {
#line 9 "name_left_by_an_inner_loop.k"
            i = a[_i_2];
            out[0] += i;
        }
    }
#line 11 "name_left_by_an_inner_loop.k"
    out[1] = i;
}

