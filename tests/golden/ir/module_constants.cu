#line 1 "kjit prelude"
#line 13 "module_constants.k"
extern "C" __global__ void k(double *out, long long out_0)
{
    __shared__ float s[16][17];
#line 14 "module_constants.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;

    s[0][0] = 7.0f;
    out[i] = s[0][0] + 8.0 + 1027.0 + 7.0;
}

