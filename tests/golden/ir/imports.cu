#line 1 "kjit prelude"
#line 11 "imports.k"
extern "C" __global__ void k(double *x, long long x_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 13 "imports.k"
    x[i] = sqrt(3.141592653589793) + (int)i + 1.0 + 3.141592653589793 + 2.7182817459106445;
}

