== copied ==
#line 1 "kjit prelude"
#line 7 "restrict.k"
extern "C" __global__ void copied(const float *__restrict__ a, long long a_0,
        float *__restrict__ b, long long b_0)
{
#line 8 "restrict.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < b_0)
        b[i] = a[i];
}

== read_and_written ==
#line 1 "kjit prelude"
#line 16 "restrict.k"
extern "C" __global__ void read_and_written(const float *__restrict__ a, long long a_0,
        long long a_1, const float *__restrict__ b, long long b_0, long long b_1,
        float *__restrict__ c, long long c_0, long long c_1)
{
#line 17 "restrict.k"
    long long i = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    long long j = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < c_0 && j < c_1) {
        if (0 < a_1) {
#line 20 "restrict.k"
            float c_kept = c[i * c_1 + j];
#line 19 "restrict.k"
            for (long long k = 0; k < a_1; k++)
                c_kept += a[i * a_1 + k] * b[k * b_1 + j];
#line 20 "restrict.k"
            c[i * c_1 + j] = c_kept;
        }
    }
}

== counted ==
#line 1 "kjit prelude"
/* a % b, with the sign of b; 0 where C has no answer. */
static __device__ inline long long floor_mod_i64(long long a, long long b)
{
    long long rest;

    if (b == 0 || b == -1)
        return 0;
    rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

#line 25 "restrict.k"
extern "C" __global__ void counted(const long long *__restrict__ x, long long x_0,
        int *__restrict__ counts, long long counts_0)
{
#line 26 "restrict.k"
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < x_0;
            i += (long long)gridDim.x * blockDim.x)
#line 27 "restrict.k"
        atomicAdd(&counts[floor_mod_i64(x[i], 10)], 1);
}

== read_before_a_barrier_written_behind_it ==
#line 1 "kjit prelude"
/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

#line 32 "restrict.k"
extern "C" __global__ void read_before_a_barrier_written_behind_it(const float *__restrict__ a,
        long long a_0, float *__restrict__ b, long long b_0)
{
    __shared__ float tile[128];
#line 34 "restrict.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = a[i];
    __syncthreads();
    b[i] = tile[wrap(127LL - threadIdx.x, 128)];
}

