#line 1 "kjit prelude"
#line 3 "declared_signature.k"
extern "C" __global__ void k(double *x, long long x_0, long long n)
{
#line 3 "declared_signature.k"
    int n_2 = (int)n;
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n_2)
        x[i] = n_2 / 2.0;
}

