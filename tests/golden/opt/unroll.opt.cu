== shared_out_anew ==
#line 1 "kjit prelude"
static __device__ inline void wide_load16(void *to, const void *from)
{
    uint4 *const at = (uint4 *)to;
    const size_t address = __cvta_generic_to_global(from);

    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(at->x), "=r"(at->y), "=r"(at->z), "=r"(at->w)
                 : "l"(address)
                 : "memory");
}

/* By hand: the compiler takes an assignment apart, and does not always put it together again. */
static __device__ inline void wide_store16(void *to, const void *from)
{
    const uint4 all = *(const uint4 *)from;
    asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(all.x), "r"(all.y), "r"(all.z), "r"(all.w)
                 : "memory");
}

#line 8 "unroll.k"
extern "C" __global__ void __launch_bounds__(256) shared_out_anew(const float *__restrict__ x,
        int x_0, const float *__restrict__ y, int y_0, float *__restrict__ z, int z_0)
{
    __align__(16) float x_wide[4];
    __align__(16) float y_wide[4];
    __align__(16) float z_wide[4];
#line 9 "unroll.k"
    int stop = z_0;
    for (long long first_x = (long long)(blockIdx.x * blockDim.x + threadIdx.x) * 4;
            first_x < stop; first_x += (long long)(gridDim.x * blockDim.x) * 4) {
#line 9 "unroll.k"
        int i_0 = (int)first_x;
        if ((int)first_x + 3 < stop) {
#line 10 "unroll.k"
            wide_load16(x_wide, &x[i_0]);
#line 10 "unroll.k"
            wide_load16(y_wide, &y[i_0]);
#line 10 "unroll.k"
            z_wide[0] = (float)(2.0 * x_wide[0] + y_wide[0]);
#line 10 "unroll.k"
            z_wide[1] = (float)(2.0 * x_wide[1] + y_wide[1]);
#line 10 "unroll.k"
            z_wide[2] = (float)(2.0 * x_wide[2] + y_wide[2]);
#line 10 "unroll.k"
            z_wide[3] = (float)(2.0 * x_wide[3] + y_wide[3]);
#line 10 "unroll.k"
            wide_store16(&z[i_0], z_wide);
        } else {
#line 9 "unroll.k"
            #pragma unroll 1
            for (int near = 0; near < 4; near++) {
#line 9 "unroll.k"
                int index_x = (int)first_x + near;
                if (index_x < stop) {
#line 9 "unroll.k"
                    int i = index_x;
                    z[i] = (float)(2.0 * x[i] + y[i]);
                }
            }
        }
    }
}

== in_place ==
#line 1 "kjit prelude"
static __device__ inline void wide_load16(void *to, const void *from)
{
    uint4 *const at = (uint4 *)to;
    const size_t address = __cvta_generic_to_global(from);

    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(at->x), "=r"(at->y), "=r"(at->z), "=r"(at->w)
                 : "l"(address)
                 : "memory");
}

/* By hand: the compiler takes an assignment apart, and does not always put it together again. */
static __device__ inline void wide_store16(void *to, const void *from)
{
    const uint4 all = *(const uint4 *)from;
    asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(all.x), "r"(all.y), "r"(all.z), "r"(all.w)
                 : "memory");
}

#line 15 "unroll.k"
extern "C" __global__ void __launch_bounds__(256) in_place(float a, const float *x, int x_0,
        float *__restrict__ y, int y_0)
{
    __align__(16) float x_wide[4];
    __align__(16) float y_wide[4];
    __align__(16) float y_wide_2[4];
#line 18 "unroll.k"
    int stop = y_0;
    for (long long first_x = (long long)(blockIdx.x * blockDim.x + threadIdx.x) * 4;
            first_x < stop; first_x += (long long)(gridDim.x * blockDim.x) * 4) {
#line 18 "unroll.k"
        int i_0 = (int)first_x;
        if ((int)first_x + 3 < stop) {
#line 19 "unroll.k"
            wide_load16(x_wide, &x[i_0]);
#line 19 "unroll.k"
            wide_load16(y_wide, &y[i_0]);
#line 19 "unroll.k"
            y_wide_2[0] = a * x_wide[0] + y_wide[0];
#line 19 "unroll.k"
            y_wide_2[1] = a * x_wide[1] + y_wide[1];
#line 19 "unroll.k"
            y_wide_2[2] = a * x_wide[2] + y_wide[2];
#line 19 "unroll.k"
            y_wide_2[3] = a * x_wide[3] + y_wide[3];
#line 19 "unroll.k"
            wide_store16(&y[i_0], y_wide_2);
        } else {
#line 18 "unroll.k"
            #pragma unroll 1
            for (int near = 0; near < 4; near++) {
#line 18 "unroll.k"
                int index_x = (int)first_x + near;
                if (index_x < stop) {
#line 18 "unroll.k"
                    int i = index_x;
                    y[i] = a * x[i] + y[i];
                }
            }
        }
    }
}

== two_sizes ==
#line 1 "kjit prelude"
static __device__ inline void wide_load4(void *to, const void *from)
{
    unsigned int *const at = (unsigned int *)to;
    const size_t address = __cvta_generic_to_global(from);

    asm volatile("ld.global.u32 %0, [%1];" : "=r"(*at) : "l"(address) : "memory");
}

/* By hand: the compiler takes an assignment apart, and does not always put it together again. */
static __device__ inline void wide_store16(void *to, const void *from)
{
    const uint4 all = *(const uint4 *)from;
    asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(all.x), "r"(all.y), "r"(all.z), "r"(all.w)
                 : "memory");
}

#line 25 "unroll.k"
extern "C" __global__ void __launch_bounds__(256) two_sizes(const unsigned char *__restrict__ data,
        int data_0, const float *__restrict__ factor, int factor_0, float *__restrict__ out,
        int out_0, int out_1)
{
    __align__(16) unsigned char data_wide[4];
    __align__(16) float out_wide[4];
#line 27 "unroll.k"
    int stop = data_0;
    for (long long first_x = (long long)(blockIdx.x * blockDim.x + threadIdx.x) * 4;
            first_x < stop; first_x += (long long)(gridDim.x * blockDim.x) * 4) {
#line 27 "unroll.k"
        int i_0 = (int)first_x;
        if ((int)first_x + 3 < stop) {
#line 28 "unroll.k"
            wide_load4(data_wide, &data[i_0]);
#line 28 "unroll.k"
            float factor_1 = factor[data_wide[0]];
#line 28 "unroll.k"
            float factor_1_2 = factor[data_wide[1]];
#line 28 "unroll.k"
            float factor_1_3 = factor[data_wide[2]];
#line 28 "unroll.k"
            float factor_1_4 = factor[data_wide[3]];
#line 28 "unroll.k"
            out_wide[0] = factor_1;
#line 28 "unroll.k"
            out_wide[1] = factor_1_2;
#line 28 "unroll.k"
            out_wide[2] = factor_1_3;
#line 28 "unroll.k"
            out_wide[3] = factor_1_4;
#line 28 "unroll.k"
            wide_store16(&out[out_1 + i_0], out_wide);
        } else {
#line 27 "unroll.k"
            #pragma unroll 1
            for (int near = 0; near < 4; near++) {
#line 27 "unroll.k"
                int index_x = (int)first_x + near;
                if (index_x < stop) {
#line 27 "unroll.k"
                    int i = index_x;
                    out[out_1 + i] = factor[data[i]];
                }
            }
        }
    }
}

== counts ==
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

static __device__ inline void wide_load16(void *to, const void *from)
{
    uint4 *const at = (uint4 *)to;
    const size_t address = __cvta_generic_to_global(from);

    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(at->x), "=r"(at->y), "=r"(at->z), "=r"(at->w)
                 : "l"(address)
                 : "memory");
}

#line 33 "unroll.k"
extern "C" __global__ void counts(const float *__restrict__ x, int x_0, int *__restrict__ positive,
        int positive_0)
{
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    int *const _positive = (int *)dynamic_shared;
    const long long _positive_0 = dynamic_shared_size() / 4;
    __align__(16) float x_held[4];
    __align__(16) float x_held_2[4];
    __align__(16) float x_held_3[4];
    __align__(16) float x_held_4[4];
    __align__(16) float x_held_5[4];
    __align__(16) float x_held_6[4];
    __align__(16) float x_held_7[4];
    __align__(16) float x_held_8[4];
    __align__(16) float x_held_9[4];
#line 34 "unroll.k"
    unsigned int _self = ((unsigned int)threadIdx.z * (unsigned int)blockDim.y +
            (unsigned int)threadIdx.y) * (unsigned int)blockDim.x + (unsigned int)threadIdx.x;
#line 34 "unroll.k"
    unsigned int _threads = (unsigned int)blockDim.x * (unsigned int)blockDim.y *
            (unsigned int)blockDim.z;
#line 34 "unroll.k"
    unsigned int _positive_count = (unsigned int)positive_0;
    unsigned int _positive_room = min_u32(_threads * 24, 12288);
#line 34 "unroll.k"
    unsigned int _positive_copies = _positive_count * 32 <= _positive_room ? 32 :
            _positive_count * 16 <= _positive_room ? 16 : _positive_count * 8 <= _positive_room ?
            8 : _positive_count * 4 <= _positive_room ? 4 : _positive_count * 2 <= _positive_room ?
            2 : 1;
#line 34 "unroll.k"
    for (int _k_10 = (int)_self; _k_10 < (int)(_positive_count * _positive_copies);
            _k_10 += (int)_threads)
#line 34 "unroll.k"
        _positive[_k_10] = 0;
    unsigned int _positive_mine = _self & (_positive_copies - 1);
#line 34 "unroll.k"
    __syncthreads();
    int _stop = x_0;
#line 34 "unroll.k"
    int _step = gridDim.x * blockDim.x;
    int _start = blockIdx.x * blockDim.x + threadIdx.x;
#line 34 "unroll.k"
    int _chunks = _stop >> 2;
    int _next = _start;
#line 34 "unroll.k"
    #pragma unroll 1
    for (long long _c = _next; _c < _chunks - (long long)_step * 7; _c += (long long)_step * 8) {
#line 34 "unroll.k"
        int _first = (int)_c * 4;
#line 34 "unroll.k"
        wide_load16(x_held, &x[_first]);
        int _first_2 = ((int)_c + _step) * 4;
#line 34 "unroll.k"
        wide_load16(x_held_2, &x[_first_2]);
        int _first_3 = ((int)_c + _step * 2) * 4;
#line 34 "unroll.k"
        wide_load16(x_held_3, &x[_first_3]);
        int _first_4 = ((int)_c + _step * 3) * 4;
#line 34 "unroll.k"
        wide_load16(x_held_4, &x[_first_4]);
        int _first_5 = ((int)_c + _step * 4) * 4;
#line 34 "unroll.k"
        wide_load16(x_held_5, &x[_first_5]);
        int _first_6 = ((int)_c + _step * 5) * 4;
#line 34 "unroll.k"
        wide_load16(x_held_6, &x[_first_6]);
        int _first_7 = ((int)_c + _step * 6) * 4;
#line 34 "unroll.k"
        wide_load16(x_held_7, &x[_first_7]);
        int _first_8 = ((int)_c + _step * 7) * 4;
#line 34 "unroll.k"
        wide_load16(x_held_8, &x[_first_8]);
        #pragma unroll
        for (int _k = 0; _k < 4; _k++) {
#line 35 "unroll.k"
            if (x_held[_k] <= 0.0)
                continue;
            atomicAdd(&_positive[(int)(0 * _positive_copies + _positive_mine)], 1);
        }
#line 34 "unroll.k"
        #pragma unroll
        for (int _k_2 = 0; _k_2 < 4; _k_2++) {
#line 35 "unroll.k"
            if (x_held_2[_k_2] <= 0.0)
                continue;
            atomicAdd(&_positive[(int)(0 * _positive_copies + _positive_mine)], 1);
        }
#line 34 "unroll.k"
        #pragma unroll
        for (int _k_3 = 0; _k_3 < 4; _k_3++) {
#line 35 "unroll.k"
            if (x_held_3[_k_3] <= 0.0)
                continue;
            atomicAdd(&_positive[(int)(0 * _positive_copies + _positive_mine)], 1);
        }
#line 34 "unroll.k"
        #pragma unroll
        for (int _k_4 = 0; _k_4 < 4; _k_4++) {
#line 35 "unroll.k"
            if (x_held_4[_k_4] <= 0.0)
                continue;
            atomicAdd(&_positive[(int)(0 * _positive_copies + _positive_mine)], 1);
        }
#line 34 "unroll.k"
        #pragma unroll
        for (int _k_5 = 0; _k_5 < 4; _k_5++) {
#line 35 "unroll.k"
            if (x_held_5[_k_5] <= 0.0)
                continue;
            atomicAdd(&_positive[(int)(0 * _positive_copies + _positive_mine)], 1);
        }
#line 34 "unroll.k"
        #pragma unroll
        for (int _k_6 = 0; _k_6 < 4; _k_6++) {
#line 35 "unroll.k"
            if (x_held_6[_k_6] <= 0.0)
                continue;
            atomicAdd(&_positive[(int)(0 * _positive_copies + _positive_mine)], 1);
        }
#line 34 "unroll.k"
        #pragma unroll
        for (int _k_7 = 0; _k_7 < 4; _k_7++) {
#line 35 "unroll.k"
            if (x_held_7[_k_7] <= 0.0)
                continue;
            atomicAdd(&_positive[(int)(0 * _positive_copies + _positive_mine)], 1);
        }
#line 34 "unroll.k"
        #pragma unroll
        for (int _k_8 = 0; _k_8 < 4; _k_8++) {
#line 35 "unroll.k"
            if (x_held_8[_k_8] <= 0.0)
                continue;
            atomicAdd(&_positive[(int)(0 * _positive_copies + _positive_mine)], 1);
        }
#line 34 "unroll.k"
        _next = (int)_c + _step * 8;
    }
#line 34 "unroll.k"
    #pragma unroll 1
    for (int _c_2 = _next; _c_2 < _chunks; _c_2 += _step) {
#line 34 "unroll.k"
        int _first_9 = _c_2 * 4;
#line 34 "unroll.k"
        wide_load16(x_held_9, &x[_first_9]);
        #pragma unroll
        for (int _k_9 = 0; _k_9 < 4; _k_9++) {
#line 35 "unroll.k"
            if (x_held_9[_k_9] <= 0.0)
                continue;
            atomicAdd(&_positive[(int)(0 * _positive_copies + _positive_mine)], 1);
        }
    }
#line 34 "unroll.k"
    #pragma unroll 1
    for (long long i = (long long)_chunks * 4 + _start; i < _stop; i += _step) {
#line 35 "unroll.k"
        if (x[(int)i] <= 0.0)
            continue;
        atomicAdd(&_positive[(int)(0 * _positive_copies + _positive_mine)], 1);
    }
#line 37 "unroll.k"
    __syncthreads();
    for (int _e = (int)_self; _e < (int)_positive_count; _e += (int)_threads) {
#line 37 "unroll.k"
        int _total = 0;
        for (int _c_3 = 0; _c_3 < (int)_positive_copies; _c_3++) {
#line 37 "unroll.k"
            int _item = _positive[_e * (int)_positive_copies +
                    ((_c_3 + _e) & ((int)_positive_copies - 1))];
#line 37 "unroll.k"
            _total = _item + _total;
        }
#line 37 "unroll.k"
        if (_total != 0)
#line 37 "unroll.k"
            atomicAdd(&positive[_e], _total);
    }
}

== sum_in_order ==
#line 1 "kjit prelude"
/* Bytes of dynamic shared memory that the launch asked for. */
static __device__ inline unsigned int dynamic_shared_size()
{
    unsigned int bytes;

    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
}

static __device__ inline unsigned long long from_bits_u64(unsigned long long bits)
{
    union {
        unsigned long long bits;
        unsigned long long value;
    } same = { bits };

    return same.value;
}

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

static __device__ inline unsigned int min_u32(unsigned int a, unsigned int b)
{
    return b < a ? b : a;
}

static __device__ inline double negative_zero_f64()
{
    double zero = -0.0;

    asm("" : "+d"(zero));
    return zero;
}

static __device__ inline unsigned long long to_bits_f64(double value)
{
    union {
        double value;
        unsigned long long bits;
    } same = { value };

    return same.bits;
}

#line 43 "unroll.k"
extern "C" __global__ void sum_in_order(const float *__restrict__ x, int x_0,
        const float *__restrict__ y, int y_0, double *__restrict__ total, int total_0)
{
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    double *const _total = (double *)dynamic_shared;
    const long long _total_0 = dynamic_shared_size() / 8;
    __align__(16) float x_held[16];
    __align__(16) float y_held[16];
    __align__(16) float x_held_2[4];
    __align__(16) float y_held_2[4];
#line 45 "unroll.k"
    unsigned int _self = ((unsigned int)threadIdx.z * (unsigned int)blockDim.y +
            (unsigned int)threadIdx.y) * (unsigned int)blockDim.x + (unsigned int)threadIdx.x;
#line 45 "unroll.k"
    unsigned int _threads = (unsigned int)blockDim.x * (unsigned int)blockDim.y *
            (unsigned int)blockDim.z;
#line 45 "unroll.k"
    unsigned int _total_count = (unsigned int)total_0;
    unsigned int _total_room = min_u32(_threads * 2, 6144);
#line 45 "unroll.k"
    unsigned int _total_copies = _total_count * 32 <= _total_room ? 32 :
            _total_count * 16 <= _total_room ? 16 : _total_count * 8 <= _total_room ? 8 :
            _total_count * 4 <= _total_room ? 4 : _total_count * 2 <= _total_room ? 2 : 1;
#line 45 "unroll.k"
    for (int _k_5 = (int)_self; _k_5 < (int)(_total_count * _total_copies); _k_5 += (int)_threads)
#line 45 "unroll.k"
        _total[_k_5] = negative_zero_f64();
    unsigned int _total_mine = _self & (_total_copies - 1);
#line 45 "unroll.k"
    __syncthreads();
    double mine = 0.0;
    int _stop = x_0;
#line 46 "unroll.k"
    int _step = gridDim.x * blockDim.x;
    int _next = blockIdx.x * blockDim.x + threadIdx.x;
#line 46 "unroll.k"
    #pragma unroll 1
    for (long long _i = _next; _i < _stop - (long long)_step * 15; _i += (long long)_step * 16) {
#line 46 "unroll.k"
        #pragma unroll
        for (int _k = 0; _k < 16; _k++) {
#line 46 "unroll.k"
            long long i_2 = _i + (long long)_k * _step;
#line 46 "unroll.k"
            x_held[_k] = x[(int)i_2];
#line 46 "unroll.k"
            y_held[_k] = y[(int)i_2];
        }
#line 46 "unroll.k"
        #pragma unroll
        for (int _k_2 = 0; _k_2 < 16; _k_2++)
#line 47 "unroll.k"
            mine += x_held[_k_2] * y_held[_k_2];
#line 46 "unroll.k"
        _next = (int)_i + _step * 16;
    }
#line 46 "unroll.k"
    #pragma unroll 1
    for (long long _i_2 = _next; _i_2 < _stop - (long long)_step * 3;
            _i_2 += (long long)_step * 4) {
#line 46 "unroll.k"
        #pragma unroll
        for (int _k_3 = 0; _k_3 < 4; _k_3++) {
#line 46 "unroll.k"
            long long i_4 = _i_2 + (long long)_k_3 * _step;
#line 46 "unroll.k"
            x_held_2[_k_3] = x[(int)i_4];
#line 46 "unroll.k"
            y_held_2[_k_3] = y[(int)i_4];
        }
#line 46 "unroll.k"
        #pragma unroll
        for (int _k_4 = 0; _k_4 < 4; _k_4++)
#line 47 "unroll.k"
            mine += x_held_2[_k_4] * y_held_2[_k_4];
#line 46 "unroll.k"
        _next = (int)_i_2 + _step * 4;
    }
#line 46 "unroll.k"
    #pragma unroll 1
    for (int i = _next; i < _stop; i += _step)
#line 47 "unroll.k"
        mine += x[i] * y[i];
    met<double>{ __activemask(), atomicAdd(&_total[(int)(0 * _total_copies + _total_mine)],
            mine) }.found();
#line 48 "unroll.k"
    __syncthreads();
    for (int _e = (int)_self; _e < (int)_total_count; _e += (int)_threads) {
#line 48 "unroll.k"
        double _total_2 = negative_zero_f64();
        for (int _c = 0; _c < (int)_total_copies; _c++) {
#line 48 "unroll.k"
            double _item = _total[_e * (int)_total_copies + ((_c + _e) & ((int)_total_copies - 1))];
            _total_2 = _item + _total_2;
        }
#line 48 "unroll.k"
        if (from_bits_u64(to_bits_f64(_total_2)) != 9223372036854775808ULL)
#line 48 "unroll.k"
            atomicAdd(&total[_e], _total_2);
    }
}

== strided ==
#line 1 "kjit prelude"
/* The element `offset` bytes behind the first. */
static __device__ inline float *element_f32(const void *base, long long offset)
{
    return (float *)((char *)base + offset);
}

/* By hand: the compiler takes an assignment apart, and does not always put it together again. */
static __device__ inline void wide_store16(void *to, const void *from)
{
    const uint4 all = *(const uint4 *)from;
    asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(all.x), "r"(all.y), "r"(all.z), "r"(all.w)
                 : "memory");
}

#line 53 "unroll.k"
extern "C" __global__ void __launch_bounds__(256) strided(const float *__restrict__ x, int x_0,
        long long x_s0, float *__restrict__ y, int y_0)
{
    __align__(16) float y_wide[4];
#line 55 "unroll.k"
    int stop = x_0;
    for (long long first_x = (long long)(blockIdx.x * blockDim.x + threadIdx.x) * 4;
            first_x < stop; first_x += (long long)(gridDim.x * blockDim.x) * 4) {
#line 55 "unroll.k"
        int i_0 = (int)first_x;
        int i_1 = (int)first_x + 1;
#line 55 "unroll.k"
        int i_2 = (int)first_x + 2;
        int i_3 = (int)first_x + 3;
#line 55 "unroll.k"
        if ((int)first_x + 3 < stop) {
            float x_1 = *element_f32(x, i_0 * x_s0);
#line 56 "unroll.k"
            float x_1_2 = *element_f32(x, i_1 * x_s0);
#line 56 "unroll.k"
            float x_1_3 = *element_f32(x, i_2 * x_s0);
#line 56 "unroll.k"
            float x_1_4 = *element_f32(x, i_3 * x_s0);
#line 56 "unroll.k"
            y_wide[0] = (float)(x_1 + 1.0);
#line 56 "unroll.k"
            y_wide[1] = (float)(x_1_2 + 1.0);
#line 56 "unroll.k"
            y_wide[2] = (float)(x_1_3 + 1.0);
#line 56 "unroll.k"
            y_wide[3] = (float)(x_1_4 + 1.0);
#line 56 "unroll.k"
            wide_store16(&y[i_0], y_wide);
        } else {
#line 55 "unroll.k"
            #pragma unroll 1
            for (int near = 0; near < 4; near++) {
#line 55 "unroll.k"
                int index_x = (int)first_x + near;
                if (index_x < stop) {
#line 55 "unroll.k"
                    int i = index_x;
                    y[i] = (float)(*element_f32(x, i * x_s0) + 1.0);
                }
            }
        }
    }
}

== along_rows ==
#line 1 "kjit prelude"
static __device__ inline void wide_load16(void *to, const void *from)
{
    uint4 *const at = (uint4 *)to;
    const size_t address = __cvta_generic_to_global(from);

    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(at->x), "=r"(at->y), "=r"(at->z), "=r"(at->w)
                 : "l"(address)
                 : "memory");
}

static __device__ inline void wide_load32(void *to, const void *from)
{
    wide_load16(to, from);
    wide_load16((char *)to + 16, (const char *)from + 16);
}

static __device__ inline void wide_load64(void *to, const void *from)
{
    wide_load32(to, from);
    wide_load32((char *)to + 32, (const char *)from + 32);
}

#line 62 "unroll.k"
extern "C" __global__ void __launch_bounds__(32) along_rows(const float *__restrict__ a, int a_0,
        int a_1, const float *__restrict__ x, int x_0, float *__restrict__ y, int y_0,
        long long _threads_x)
{
    __align__(16) float a_held[16];
    __align__(16) float x_held[16];
    __align__(16) float a_held_2[4];
    __align__(16) float x_held_2[4];
#line 63 "unroll.k"
    if ((int)(blockIdx.x * blockDim.x + threadIdx.x) < (int)_threads_x) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < y_0) {
            float sum = 0.0f;
            int _stop = x_0;
#line 66 "unroll.k"
            int _next = 0;
            #pragma unroll 1
            for (int _i = _next; _i < _stop - 15; _i += 16) {
#line 66 "unroll.k"
                wide_load64(a_held, &a[i * a_1 + _i]);
#line 66 "unroll.k"
                wide_load64(x_held, &x[_i]);
                #pragma unroll
                for (int _k_2 = 0; _k_2 < 16; _k_2++)
#line 67 "unroll.k"
                    sum += a_held[_k_2] * x_held[_k_2];
#line 66 "unroll.k"
                _next = _i + 16;
            }
#line 66 "unroll.k"
            #pragma unroll 1
            for (int _i_2 = _next; _i_2 < _stop - 3; _i_2 += 4) {
#line 66 "unroll.k"
                wide_load16(a_held_2, &a[i * a_1 + _i_2]);
#line 66 "unroll.k"
                wide_load16(x_held_2, &x[_i_2]);
                #pragma unroll
                for (int _k_4 = 0; _k_4 < 4; _k_4++)
#line 67 "unroll.k"
                    sum += a_held_2[_k_4] * x_held_2[_k_4];
#line 66 "unroll.k"
                _next = _i_2 + 4;
            }
#line 66 "unroll.k"
            #pragma unroll 1
            for (int k = _next; k < _stop; k++)
#line 67 "unroll.k"
                sum += a[i * a_1 + k] * x[k];
            y[i] = sum;
        }
    }
}

== many_blocks_along_rows ==
#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline int wrap_int(int i, int n)
{
    return i < 0 ? i + n : i;
}

#line 74 "unroll.k"
extern "C" __global__ void many_blocks_along_rows(const float *__restrict__ a, int a_0,
        float *__restrict__ out, int out_0, float *__restrict__ last, int last_0, long long rows,
        long long cols)
{
    __align__(16) float a_held[4];
    __align__(16) float a_held_2[4];
#line 76 "unroll.k"
    for (int r = blockIdx.x; r < (int)rows; r += (int)gridDim.x) {
        int _stop = (int)cols;
        int _step = blockDim.x;
#line 77 "unroll.k"
        int _next = threadIdx.x;
        if (_step <= 1073741824) {
#line 77 "unroll.k"
            #pragma unroll 1
            for (int _i = _next; _i < _stop - _step * 3; _i += _step * 4) {
#line 77 "unroll.k"
                #pragma unroll
                for (int _k = 0; _k < 4; _k++) {
#line 77 "unroll.k"
                    int c_2 = _i + _k * _step;
#line 77 "unroll.k"
                    a_held[_k] = a[r * (int)cols + c_2];
#line 77 "unroll.k"
                    a_held_2[_k] = a[wrap_int((int)((unsigned int)(r * (int)cols) +
                            (unsigned int)cols - 1 - (unsigned int)c_2), a_0)];
                }
#line 77 "unroll.k"
                #pragma unroll
                for (int _k_2 = 0; _k_2 < 4; _k_2++) {
#line 77 "unroll.k"
                    int c_3 = _i + _k_2 * _step;
                    out[hidden_i64(r * (int)cols + c_3)] = a_held[_k_2] * a_held_2[_k_2];
                }
#line 77 "unroll.k"
                _next = _i + _step * 4;
            }
        }
#line 77 "unroll.k"
        #pragma unroll 1
        for (int c = _next; c < _stop; c += _step)
#line 78 "unroll.k"
            out[hidden_i64(r * (int)cols + c)] = a[r * (int)cols + c] *
                    a[(int)((unsigned int)(r * (int)cols) + (unsigned int)cols - 1 -
                    (unsigned int)c)];
#line 79 "unroll.k"
        if (threadIdx.x == 0)
            last[r] = a[r * (int)cols];
    }
}

== from_the_end ==
#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline float hidden_f32(float number)
{
    asm("" : "+f"(number));
    return number;
}

#line 85 "unroll.k"
extern "C" __global__ void __launch_bounds__(32) from_the_end(const float *a, int a_0,
        float *__restrict__ d, int d_0, int d_1, long long _threads_x)
{
    __align__(16) float a_held[16];
    __align__(16) float d_held[16];
    __align__(16) float a_held_2[4];
    __align__(16) float d_held_2[4];
#line 87 "unroll.k"
    if ((int)(blockIdx.x * blockDim.x + threadIdx.x) < (int)_threads_x) {
        int x = blockIdx.x * blockDim.x + threadIdx.x;
        int n = d_0;
#line 88 "unroll.k"
        int m = d_1;
        if (x < m) {
            float s = 0.0f;
            int _next = n - 1;
            #pragma unroll 1
            for (int _i = _next; _i > 14; _i -= 16) {
#line 91 "unroll.k"
                #pragma unroll
                for (int _k = 0; _k < 16; _k++) {
#line 91 "unroll.k"
                    int y_2 = _i - _k;
#line 91 "unroll.k"
                    a_held[_k] = a[y_2 * m + x];
#line 91 "unroll.k"
                    d_held[_k] = d[y_2 * d_1 + x];
                }
#line 91 "unroll.k"
                #pragma unroll
                for (int _k_2 = 0; _k_2 < 16; _k_2++) {
#line 91 "unroll.k"
                    int y_3 = _i - _k_2;
                    s = s * 0.5f + a_held[_k_2];
                    if (hidden_f32(s) < d_held[_k_2])
                        d[y_3 * d_1 + x] = d_held[_k_2] - s;
                }
#line 91 "unroll.k"
                _next = _i + -16;
            }
#line 91 "unroll.k"
            #pragma unroll 1
            for (int _i_2 = _next; _i_2 > 2; _i_2 -= 4) {
#line 91 "unroll.k"
                #pragma unroll
                for (int _k_3 = 0; _k_3 < 4; _k_3++) {
#line 91 "unroll.k"
                    int y_4 = _i_2 - _k_3;
#line 91 "unroll.k"
                    a_held_2[_k_3] = a[y_4 * m + x];
#line 91 "unroll.k"
                    d_held_2[_k_3] = d[y_4 * d_1 + x];
                }
#line 91 "unroll.k"
                #pragma unroll
                for (int _k_4 = 0; _k_4 < 4; _k_4++) {
#line 91 "unroll.k"
                    int y_5 = _i_2 - _k_4;
                    s = s * 0.5f + a_held_2[_k_4];
                    if (hidden_f32(s) < d_held_2[_k_4])
                        d[y_5 * d_1 + x] = d_held_2[_k_4] - s;
                }
#line 91 "unroll.k"
                _next = _i_2 + -4;
            }
#line 91 "unroll.k"
            #pragma unroll 1
            for (int y = _next; y > -1; y--) {
#line 92 "unroll.k"
                s = s * 0.5f + a[y * m + x];
                if (hidden_f32(s) < d[y * d_1 + x])
                    d[y * d_1 + x] -= s;
            }
        }
    }
}

