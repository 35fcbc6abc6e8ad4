#line 1 "kjit prelude"
typedef struct array_i64_1 {
    long long *data;
    long long shape[1], strides[1];
} array_i64_1;

static __device__ inline array_i64_1 make_array_i64_1(const void *data, long long n0, long long s0)
{
    array_i64_1 made = { (long long *)data, { n0 }, { s0 } };

    return made;
}

#line 3 "rows_of_an_array.k"
extern "C" __global__ void k(const long long *a, long long a_0, long long a_1, double *out,
        long long out_0)
{
#line 4 "rows_of_an_array.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long _i = 0; _i < a_0; _i++) {
        array_i64_1 row = make_array_i64_1(&a[_i * a_1], a_1, 8);
#line 6 "rows_of_an_array.k"
        out[i] += row.data[i];
    }
}

