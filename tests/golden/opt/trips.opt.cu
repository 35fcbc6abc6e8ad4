== rows ==
#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

#line 8 "trips.k"
extern "C" __global__ void rows(const float *__restrict__ a, int a_0, int a_1,
        float *__restrict__ out, int out_0, int out_1)
{
    __shared__ float tile[32][32];
    int left = (int)blockIdx.x * 32;
    int top = (int)blockIdx.y * 32;
    int x = threadIdx.x;
    for (int _trip = 0; _trip < 4; _trip++) {
#line 14 "trips.k"
        int y = (int)threadIdx.y + _trip * 8;
        tile[y][x] = a[(top + y) * a_1 + left + x];
    }
#line 16 "trips.k"
    __syncthreads();
    for (int _trip_2 = 0; _trip_2 < 4; _trip_2++) {
        int y_2 = (int)threadIdx.y + _trip_2 * 8;
#line 18 "trips.k"
        out[(top + y_2) * out_1 + left + x] = tile[hidden_i64(31 - y_2)][x];
    }
}

== by_the_block ==
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

#line 23 "trips.k"
extern "C" __global__ void by_the_block(int *counts, int counts_0)
{
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    __shared__ int near[96];
    int *const _counts = (int *)dynamic_shared;
    const long long _counts_0 = dynamic_shared_size() / 4;
#line 26 "trips.k"
    unsigned int _self = ((unsigned int)threadIdx.z * (unsigned int)blockDim.y +
            (unsigned int)threadIdx.y) * (unsigned int)blockDim.x + (unsigned int)threadIdx.x;
#line 26 "trips.k"
    unsigned int _threads = (unsigned int)blockDim.x * (unsigned int)blockDim.y *
            (unsigned int)blockDim.z;
#line 26 "trips.k"
    unsigned int _counts_count = (unsigned int)counts_0;
    unsigned int _counts_room = min_u32(_threads * 24, 12288);
#line 26 "trips.k"
    unsigned int _counts_copies = _counts_count * 32 <= _counts_room ? 32 :
            _counts_count * 16 <= _counts_room ? 16 : _counts_count * 8 <= _counts_room ? 8 :
            _counts_count * 4 <= _counts_room ? 4 : _counts_count * 2 <= _counts_room ? 2 : 1;
#line 26 "trips.k"
    for (int _k = (int)_self; _k < (int)(_counts_count * _counts_copies); _k += (int)_threads)
#line 26 "trips.k"
        _counts[_k] = 0;
    unsigned int _counts_mine = _self & (_counts_copies - 1);
#line 26 "trips.k"
    __syncthreads();
    for (int _trip = 0; _trip < 3; _trip++) {
#line 26 "trips.k"
        int i = (int)threadIdx.x + _trip * 32;
        near[i] = i;
    }
#line 28 "trips.k"
    __syncthreads();
    for (int _trip_2 = 0; _trip_2 < 3; _trip_2++) {
        int i_2 = (int)threadIdx.x + _trip_2 * 32;
#line 30 "trips.k"
        atomicAdd(&_counts[(int)((unsigned int)i_2 * _counts_copies + _counts_mine)], near[i_2]);
    }
#line 30 "trips.k"
    __syncthreads();
    for (int _e = (int)_self; _e < (int)_counts_count; _e += (int)_threads) {
#line 30 "trips.k"
        int _total = 0;
        for (int _c = 0; _c < (int)_counts_copies; _c++) {
#line 30 "trips.k"
            int _item = _counts[_e * (int)_counts_copies + ((_c + _e) & ((int)_counts_copies - 1))];
            _total = _item + _total;
        }
#line 30 "trips.k"
        if (_total != 0)
#line 30 "trips.k"
            atomicAdd(&counts[_e], _total);
    }
}

== in_three_axes ==
#line 1 "kjit prelude"
#line 35 "trips.k"
extern "C" __global__ void in_three_axes(int *out, int out_0)
{
    int first = ((int)threadIdx.z * 4 + (int)threadIdx.y) * 16 + (int)threadIdx.x;
    for (int _trip = 0; _trip < 4; _trip++) {
        int i = first + _trip * 128;
        if (i % 3 == 0)
            continue;
#line 41 "trips.k"
        out[i] = i;
    }
}

== what_is_left ==
#line 1 "kjit prelude"
#line 46 "trips.k"
extern "C" __global__ void what_is_left(int *out, int out_0)
{
    int last = 0;
    int i = 0;
    for (int _i = (int)threadIdx.x - 5; _i < 200; _i += 64) {
#line 49 "trips.k"
        i = _i;
        last = i;
        if (out[threadIdx.x] > i + 128)
            break;
    }
    int j = 0;
#line 53 "trips.k"
    for (int _trip = 0; _trip < 3; _trip++) {
        int _i_2 = (int)threadIdx.x + _trip * 64;
#line 53 "trips.k"
        j = _i_2;
        out[j & 63] = last;
    }
#line 55 "trips.k"
    out[threadIdx.x] = (int)((unsigned int)out[threadIdx.x] + (unsigned int)(i + j));
}

