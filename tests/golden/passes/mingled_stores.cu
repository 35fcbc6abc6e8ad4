#line 1 "kjit prelude"
#line 2 "mingled_stores.ir"
extern "C" __global__ void k(const float *x, long long x_0, const double *z, long long z_0,
        float *out, long long out_0, bool c)
{
#line 3 "mingled_stores.ir"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 1.0f;
    if (c)
        out[i] = out[i + 1];
    else
        out[i] = x[i];
}

