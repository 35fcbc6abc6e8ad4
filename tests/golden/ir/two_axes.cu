#line 1 "kjit prelude"
#line 3 "two_axes.k"
extern "C" __global__ void k(const long long *a, long long a_0, long long a_1, double *out,
        long long out_0, long long out_1)
{
#line 4 "two_axes.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long j = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    if (i < out_0 && j < out_1)
#line 6 "two_axes.k"
        out[i * out_1 + j] = (long long)((unsigned long long)(long long)((unsigned long long)a[j *
                a_1 + i] * (long long)((unsigned long long)out_0 * out_1)) + 2);
}

