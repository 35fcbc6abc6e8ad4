== first ==
#line 1 "kjit prelude"
#line 3 "several_kernels.k"
extern "C" __global__ void first(double *x, long long x_0)
{
#line 4 "several_kernels.k"
    x[(long long)blockIdx.x * blockDim.x + threadIdx.x] = 1.0;
}

== second ==
#line 1 "kjit prelude"
#line 9 "several_kernels.k"
extern "C" __global__ void second(double *x, long long x_0)
{
#line 10 "several_kernels.k"
    x[(long long)blockIdx.x * blockDim.x + threadIdx.x] = 2.0;
}

