#line 1 "kjit prelude"
#line 3 "accumulator_widens_in_a_loop.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    double acc_2 = 0.0;
    for (long long _i = 0; _i < x_0; _i++) {
#line 5 "accumulator_widens_in_a_loop.k"
        float v = x[_i];
        acc_2 += v;
    }
#line 7 "accumulator_widens_in_a_loop.k"
    out[(long long)blockIdx.x * blockDim.x + threadIdx.x] = (float)acc_2;
}

