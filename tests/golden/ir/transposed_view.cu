#line 1 "kjit prelude"
typedef struct array_i64_2 {
    long long *data;
    long long shape[2], strides[2];
} array_i64_2;

static __device__ inline array_i64_2 make_array_i64_2(const void *data, long long n0, long long n1,
        long long s0, long long s1)
{
    array_i64_2 made = { (long long *)data, { n0, n1 }, { s0, s1 } };

    return made;
}

#line 3 "transposed_view.k"
extern "C" __global__ void k(const long long *a, long long a_0, long long a_1, double *out,
        long long out_0)
{
#line 4 "transposed_view.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    array_i64_2 t = make_array_i64_2(a, a_1, a_0, 8, a_1 * 8);
    out[i] = (long long)((unsigned long long)t.data[t.shape[0] + i] + t.shape[0] * 100);
}

