#line 1 "kjit prelude"
#line 2 "mingled_not.ir"
extern "C" __global__ void k(const float *x, long long x_0, const double *z, long long z_0,
        float *__restrict__ out, long long out_0, bool c)
{
#line 3 "mingled_not.ir"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 1.0f;
    float v = out[i];
    for (long long k_2 = 0; k_2 < 4; k_2++)
        v += x[k_2] * x[i];
    double d = c ? z[i] : (double)out[i];
    out[i] = v + (float)d;
}

