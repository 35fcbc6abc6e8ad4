#line 1 "kjit prelude"
typedef struct array_f64_1 {
    double *data;
    long long shape[1], strides[1];
} array_f64_1;

static __device__ inline array_f64_1 make_array_f64_1(const void *data, long long n0, long long s0)
{
    array_f64_1 made = { (double *)data, { n0 }, { s0 } };

    return made;
}

#line 6 "unroll.k"
static __device__ double total_2(array_f64_1 x)
{
    double sum = 0.0;
    #pragma unroll 8
    for (long long i = 0; i < 8; i++)
#line 9 "unroll.k"
        sum += x.data[i];
    return sum;
}



extern "C" __global__ void unrolled(const double *x, long long x_0, double *out, long long out_0)
{
    #pragma unroll 4
    for (long long i = 0; i < 64; i += 2)
#line 17 "unroll.k"
        out[0] += x[i];
    #pragma unroll
    for (long long i_2 = 0; i_2 < 3; i_2++)
#line 19 "unroll.k"
        out[1] += x[i_2];
    #pragma unroll 1
    for (long long i_3 = 0; i_3 < x_0; i_3++)
#line 21 "unroll.k"
        out[2] += x[i_3];
    out[3] = total_2(make_array_f64_1(x, x_0, 8));
}

