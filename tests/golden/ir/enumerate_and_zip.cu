#line 1 "kjit prelude"
static __device__ inline long long min_i64(long long a, long long b)
{
    return b < a ? b : a;
}

#line 3 "enumerate_and_zip.k"
extern "C" __global__ void k(const long long *x, long long x_0, const long long *y, long long y_0,
        double *out, long long out_0)
{
#line 4 "enumerate_and_zip.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long _i = 0; _i < min_i64(x_0, y_0); _i++) {
        long long n = _i;
#line 5 "enumerate_and_zip.k"
        long long a = x[_i];
#line 5 "enumerate_and_zip.k"
        long long b = y[_i];
        out[i] += (long long)((unsigned long long)(long long)((unsigned long long)n * a) * b);
    }
}

