#line 1 "kjit prelude"
#line 3 "branches_unify.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    double y_2;
#line 5 "branches_unify.k"
    if (i < 4)
        y_2 = 1.0;
    else
        y_2 = 2.5;
    out[i] = (float)y_2;
}

