#line 1 "kjit prelude"
static __device__ inline float atomic_sub_f32(float *address, float value)
{
    return atomicAdd(address, -value);
}

/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

static __device__ inline long long max_i64(long long a, long long b)
{
    return b > a ? b : a;
}

static __device__ inline long long min_i64(long long a, long long b)
{
    return b < a ? b : a;
}

#line 3 "atomics.k"
extern "C" __global__ void k(int *a, long long a_0, float *f, long long f_0, const float *x,
        long long x_0)
{
#line 4 "atomics.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    int old = atomicAdd(&a[i % 2], (int)i);
    atomicMax(&a[2], (int)i);
    atomicMin(&a[3], (int)hidden_i64(-i));
    atomicExch(&a[4], 7);
    atomicCAS(&a[5], 0, 9);
    long long _start = min_i64(6, a_0);
    long long _count = max_i64(a_0 - _start, 0);
#line 10 "atomics.k"
    atomicCAS(&a[_start], 0, 11);
    atomic_sub_f32(&f[f_0 - 1], x[i]);
}

