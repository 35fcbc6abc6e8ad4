== k ==
#line 1 "kjit prelude"
/* What an atomic found, where its lanes meet again. In shared memory there is no instruction for
** atomics on floats and on 64 bits: ptxas makes them a loop that lanes leave one by one. Version
** 13.0 takes what stands behind for what all lanes come to at once, and counts a loop around it
** once for each time that some lane leaves. Those that began together wait for one another here. */
template <class T> struct met {
    unsigned int lanes;
    T value;
    __device__ T found() const
    {
        __syncwarp(lanes);
        return value;
    }
};

#line 9 "atomics_that_part_lanes.k"
extern "C" __global__ void k(const long long *n, long long n_0, float *floats, long long floats_0,
        unsigned long long *words, long long words_0, int *small, long long small_0)
{
    __shared__ float f[1];
    __shared__ unsigned long long w[2];
    __shared__ int s[1];
#line 13 "atomics_that_part_lanes.k"
    if (threadIdx.x == 0) {
        f[0] = 0.0f;
        w[0] = 0;
#line 15 "atomics_that_part_lanes.k"
        w[1] = 0;
        s[0] = 0;
    }
#line 17 "atomics_that_part_lanes.k"
    __syncthreads();
    for (long long i = 0, i_stop = n[0] & 3; i < i_stop; i++)
        met<float>{ __activemask(), atomicAdd(&f[0], threadIdx.x & 7) }.found();
    for (long long i_2 = 0, i_2_stop = n[1] & 3; i_2 < i_2_stop; i_2++) {
        met<unsigned long long>{ __activemask(),
                atomicAdd(&w[0], (unsigned long long)(threadIdx.x & 7)) }.found();
#line 22 "atomics_that_part_lanes.k"
        met<unsigned long long>{ __activemask(),
                atomicMax(&w[1], (unsigned long long)(threadIdx.x + i_2)) }.found();
#line 23 "atomics_that_part_lanes.k"
        atomicAdd(&s[0], 1);
    }
#line 24 "atomics_that_part_lanes.k"
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&floats[0], f[0]);
        atomicAdd(&words[0], w[0]);
        atomicMax(&words[1], w[1]);
        atomicAdd(&small[0], s[0]);
    }
}

== least_of_some ==
#line 1 "kjit prelude"
static __device__ inline double atomic_cas_f64(double *address, double expected, double value)
{
    return __longlong_as_double(atomicCAS((unsigned long long *)address,
                                          (unsigned long long)__double_as_longlong(expected),
                                          (unsigned long long)__double_as_longlong(value)));
}

static __device__ inline bool same_bits_f64(double a, double b)
{
    return __double_as_longlong(a) == __double_as_longlong(b);
}

/* What is there stays if either is NaN. */
static __device__ inline double atomic_min_f64(double *address, double value)
{
    double old = *(volatile double *)address;

    while (value < old) {
        double seen = atomic_cas_f64(address, old, value);
        if (same_bits_f64(seen, old))
            break;
        old = seen;
    }
    return old;
}

#line 35 "atomics_that_part_lanes.k"
extern "C" __global__ void least_of_some(const double *x, long long x_0, double *out,
        long long out_0)
{
    __shared__ double least[2];
#line 37 "atomics_that_part_lanes.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 2)
        least[i] = 1e+09;
    __syncthreads();
    if (x[i] > 2.0)
        atomic_min_f64(&least[i % 2], x[i]);
    __syncthreads();
    if (i < 2)
        out[i] = least[i];
}

