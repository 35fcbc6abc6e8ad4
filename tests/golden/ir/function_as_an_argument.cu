#line 1 "kjit prelude"
#line 1 "function_as_an_argument.k"
static __device__ long long twice(long long v)
{
    return (long long)((unsigned long long)v * 2);
}

#line 5 "function_as_an_argument.k"
static __device__ long long apply(long long v)
{
    return twice(v);
}

#line 5 "function_as_an_argument.k"
static __device__ double apply_2(double v)
{
    return sqrt(v);
}


extern "C" __global__ void k(double *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 13 "function_as_an_argument.k"
    out[i] = apply(i) + apply_2(16.0);
}

