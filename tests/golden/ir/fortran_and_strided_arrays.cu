#line 1 "kjit prelude"
/* The element `offset` bytes behind the first. */
static __device__ inline long long *element_i64(const void *base, long long offset)
{
    return (long long *)((char *)base + offset);
}

#line 3 "fortran_and_strided_arrays.k"
extern "C" __global__ void k(const long long *a, long long a_0, long long a_1, const long long *b,
        long long b_0, long long b_1, long long b_s0, long long b_s1, double *out, long long out_0,
        long long out_1)
{
#line 4 "fortran_and_strided_arrays.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long j = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 3 && j < 4)
#line 6 "fortran_and_strided_arrays.k"
        out[i * out_1 + j] = (long long)((unsigned long long)a[j * a_0 + i] +
                (long long)((unsigned long long)*element_i64(b, i * b_s0 + j * b_s1) * 100));
}

