== count_down ==
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

static __device__ void count_down_2(array_f64_1 out, long long n);
#line 3 "kernel_called_from_a_kernel.k"
static __device__ void count_down_2(array_f64_1 out, long long n)
{
    if (n > 0) {
#line 5 "kernel_called_from_a_kernel.k"
        out.data[(long long)blockIdx.x * blockDim.x + threadIdx.x] += n;
        count_down_2(out, (long long)((unsigned long long)n - 1));
    }
}

#line 3 "kernel_called_from_a_kernel.k"
extern "C" __global__ void count_down(double *out, long long out_0, long long n)
{
    if (n > 0) {
#line 5 "kernel_called_from_a_kernel.k"
        out[(long long)blockIdx.x * blockDim.x + threadIdx.x] += n;
        count_down_2(make_array_f64_1(out, out_0, 8), (long long)((unsigned long long)n - 1));
    }
}

== k ==
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

static __device__ void count_down(array_f64_1 out, long long n);
#line 3 "kernel_called_from_a_kernel.k"
static __device__ void count_down(array_f64_1 out, long long n)
{
    if (n > 0) {
#line 5 "kernel_called_from_a_kernel.k"
        out.data[(long long)blockIdx.x * blockDim.x + threadIdx.x] += n;
        count_down(out, (long long)((unsigned long long)n - 1));
    }
}


extern "C" __global__ void k(double *out, long long out_0)
{
#line 12 "kernel_called_from_a_kernel.k"
    count_down(make_array_f64_1(out, out_0, 8), 2);
    out[(long long)blockIdx.x * blockDim.x + threadIdx.x] *= 10.0;
}

