#line 1 "kjit prelude"
#line 1 "functions_named_alike.k"
static __device__ long long f(long long x)
{
    return (long long)((unsigned long long)x + 1);
}

#line 1 "functions_named_alike.k"
static __device__ double f_2(double x)
{
    return x + 1.0;
}

#line 5 "functions_named_alike.k"
static __device__ long long f_2_2(long long x)
{
    return (long long)((unsigned long long)x + 2);
}

#line 5 "functions_named_alike.k"
static __device__ double f_2_3(double x)
{
    return x + 2.0;
}


extern "C" __global__ void k(double *out, long long out_0)
{
#line 12 "functions_named_alike.k"
    out[0] = f(1);
    out[1] = f_2(1.5);
    out[2] = f_2_2(1);
    out[3] = f_2_3(1.5);
}

