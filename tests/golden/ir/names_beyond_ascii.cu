#line 1 "kjit prelude"
#line 3 "names_beyond_ascii.k"
extern "C" __global__ void k(double *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    double pi = 3.0;
    double strase = pi * i;
#line 7 "names_beyond_ascii.k"
    out[i] = strase;
}

