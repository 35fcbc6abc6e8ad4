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
/* Bytes of dynamic shared memory that the launch asked for. */
static __device__ inline unsigned int dynamic_shared_size()
{
    unsigned int bytes;

    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
}

static __device__ inline unsigned int min_u32(unsigned int a, unsigned int b)
{
    return b < a ? b : a;
}

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
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    int *const _counts = (int *)dynamic_shared;
    const long long _counts_0 = dynamic_shared_size() / 4;
#line 26 "restrict.k"
    unsigned int _self = ((unsigned int)threadIdx.z * (unsigned int)blockDim.y +
            (unsigned int)threadIdx.y) * (unsigned int)blockDim.x + (unsigned int)threadIdx.x;
#line 26 "restrict.k"
    unsigned int _threads = (unsigned int)blockDim.x * (unsigned int)blockDim.y *
            (unsigned int)blockDim.z;
#line 26 "restrict.k"
    unsigned int _counts_count = (unsigned int)counts_0;
    unsigned int _counts_room = min_u32(_threads * 24, 8192);
#line 26 "restrict.k"
    unsigned int _counts_copies = _counts_count * 32 <= _counts_room ? 32 :
            _counts_count * 16 <= _counts_room ? 16 : _counts_count * 8 <= _counts_room ? 8 :
            _counts_count * 4 <= _counts_room ? 4 : _counts_count * 2 <= _counts_room ? 2 : 1;
#line 26 "restrict.k"
    for (long long _k = _self; _k < _counts_count * _counts_copies; _k += _threads)
#line 26 "restrict.k"
        _counts[_k] = 0;
    unsigned int _counts_mine = _self & (_counts_copies - 1);
#line 26 "restrict.k"
    __syncthreads();
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < x_0;
            i += (long long)gridDim.x * blockDim.x)
#line 27 "restrict.k"
        atomicAdd(&_counts[(unsigned int)floor_mod_i64(x[i], 10) * _counts_copies + _counts_mine],
                1);
#line 27 "restrict.k"
    __syncthreads();
    for (long long _e = _self; _e < _counts_count; _e += _threads) {
#line 27 "restrict.k"
        int _total = 0;
        for (long long _c = 0; _c < _counts_copies; _c++) {
#line 27 "restrict.k"
            int _item = _counts[_e * _counts_copies +
                    ((_c + _e) & ((long long)_counts_copies - 1))];
#line 27 "restrict.k"
            _total = _item + _total;
        }
#line 27 "restrict.k"
        if (_total != 0)
#line 27 "restrict.k"
            atomicAdd(&counts[_e], _total);
    }
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

