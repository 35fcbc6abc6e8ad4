#line 1 "kjit prelude"
#line 3 "accumulator_widens_in_nested_loops.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{

    double a_2 = 0.0;
    double b_2 = 0.0;
#line 6 "accumulator_widens_in_nested_loops.k"
    for (long long i = 0; i < 3; i++) {
        for (long long j = 0; j < 2; j++)
            a_2 += b_2;
        b_2 += x[i];
    }
#line 10 "accumulator_widens_in_nested_loops.k"
    out[(long long)blockIdx.x * blockDim.x + threadIdx.x] = (float)a_2;
}

