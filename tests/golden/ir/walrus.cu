#line 1 "kjit prelude"
#line 3 "walrus.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 5 "walrus.k"
    double y = x[i] * 2.0;
    if (y > 4.0)
#line 6 "walrus.k"
        out[i] = (float)y;
    long long z = i;
#line 7 "walrus.k"
    out[i] = (float)((double)out[i] + (z + z));
}

