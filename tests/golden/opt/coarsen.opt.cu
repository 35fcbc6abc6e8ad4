== element_by_element ==
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

#line 7 "coarsen.k"
extern "C" __global__ void __launch_bounds__(256) element_by_element(float *a, int a_0,
        long long _threads_x, long long _threads_y, long long _threads_z)
{
    __align__(16) float a_wide[4];
    __align__(16) float a_wide_2[4];
#line 9 "coarsen.k"
    int first_x = (int)(blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int first_y = blockIdx.y * blockDim.y + threadIdx.y;
#line 9 "coarsen.k"
    int first_z = blockIdx.z * blockDim.z + threadIdx.z;
    int i_0 = first_x;
#line 9 "coarsen.k"
    int i_3 = first_x + 3;
    if (first_x + 3 < (int)_threads_x && first_y < (int)_threads_y && first_z < (int)_threads_z &&
            i_3 < a_0) {
#line 11 "coarsen.k"
        wide_load16(a_wide, &a[i_0]);
#line 11 "coarsen.k"
        a_wide_2[0] = (float)(a_wide[0] + 1.0);
#line 11 "coarsen.k"
        a_wide_2[1] = (float)(a_wide[1] + 1.0);
#line 11 "coarsen.k"
        a_wide_2[2] = (float)(a_wide[2] + 1.0);
#line 11 "coarsen.k"
        a_wide_2[3] = (float)(a_wide[3] + 1.0);
#line 11 "coarsen.k"
        wide_store16(&a[i_0], a_wide_2);
    } else {
#line 9 "coarsen.k"
        #pragma unroll 1
        for (int near = 0; near < 4; near++) {
#line 9 "coarsen.k"
            int index_x = first_x + near;
            if (index_x < (int)_threads_x && first_y < (int)_threads_y &&
                    first_z < (int)_threads_z) {
#line 9 "coarsen.k"
                int i = index_x;
                if (i < a_0)
                    a[i] = (float)(a[i] + 1.0);
            }
        }
    }
}

== stencil ==
#line 1 "kjit prelude"
/* A value at a multiple of 8 bytes, which the compiler joins with its neighbours. */
typedef struct __align__(8) at8_f32 {
    float value;
} at8_f32;

static __device__ inline float load_at8_f32(const float *from)
{
    return ((const at8_f32 *)from)->value;
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

/* By hand: the compiler takes an assignment apart, and does not always put it together again. */
static __device__ inline void wide_store16(void *to, const void *from)
{
    const uint4 all = *(const uint4 *)from;
    asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(all.x), "r"(all.y), "r"(all.z), "r"(all.w)
                 : "memory");
}

#line 16 "coarsen.k"
extern "C" __global__ void __launch_bounds__(256) stencil(const float *__restrict__ x, int x_0,
        float *__restrict__ out, int out_0, long long _threads_x, long long _threads_y,
        long long _threads_z)
{
    __align__(16) float x_wide[4];
    __align__(16) float out_wide[4];
#line 18 "coarsen.k"
    int first_x = (int)(blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int first_y = blockIdx.y * blockDim.y + threadIdx.y;
#line 18 "coarsen.k"
    int first_z = blockIdx.z * blockDim.z + threadIdx.z;
    int i_0 = first_x;
#line 18 "coarsen.k"
    int i_2 = first_x + 2;
    int i_3 = first_x + 3;
#line 18 "coarsen.k"
    if (first_x + 3 < (int)_threads_x && first_y < (int)_threads_y && first_z < (int)_threads_z &&
            i_3 < out_0) {

        wide_load16(x_wide, &x[i_0]);
#line 21 "coarsen.k"
        float x_1 = x[i_3 + 1];
#line 21 "coarsen.k"
        float x_1_2 = load_at8_f32(&x[i_2 + 2]);
#line 21 "coarsen.k"
        float x_1_3 = x[i_3 + 2];
#line 21 "coarsen.k"
        out_wide[0] = x_wide[0] + x_wide[1] + x_wide[2];
#line 21 "coarsen.k"
        out_wide[1] = x_wide[1] + x_wide[2] + x_wide[3];
#line 21 "coarsen.k"
        out_wide[2] = x_wide[2] + x_wide[3] + x_1_2;
#line 21 "coarsen.k"
        out_wide[3] = x_wide[3] + x_1 + x_1_3;
#line 21 "coarsen.k"
        wide_store16(&out[i_0], out_wide);
    } else {
#line 18 "coarsen.k"
        #pragma unroll 1
        for (int near = 0; near < 4; near++) {
#line 18 "coarsen.k"
            int index_x = first_x + near;
            if (index_x < (int)_threads_x && first_y < (int)_threads_y &&
                    first_z < (int)_threads_z) {
#line 18 "coarsen.k"
                int i = index_x;
                if (i < out_0) {

                    out[i] = x[i] + x[i + 1] + x[i + 2];
                }
            }
        }
    }
}

== transpose ==
#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

static __device__ inline int max_i32(int a, int b)
{
    return b > a ? b : a;
}

static __device__ inline int min_i32(int a, int b)
{
    return b < a ? b : a;
}

static __device__ inline long long min_i64(long long a, long long b)
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

/* By hand: the compiler takes an assignment apart, and does not always put it together again. */
static __device__ inline void wide_store16(void *to, const void *from)
{
    const uint4 all = *(const uint4 *)from;
    asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(all.x), "r"(all.y), "r"(all.z), "r"(all.w)
                 : "memory");
}

#line 27 "coarsen.k"
extern "C" __global__ void __launch_bounds__(256) transpose(const float *__restrict__ a, int a_0,
        int a_1, float *__restrict__ out, int out_0, int out_1, long long _threads_x,
        long long _threads_y, long long _threads_z)
{
    __align__(16) float a_wide[4];
    __align__(16) float a_wide_2[4];
    __align__(16) float a_wide_3[4];
    __align__(16) float a_wide_4[4];
    __align__(16) float out_wide[4];
    __align__(16) float out_wide_2[4];
    __align__(16) float out_wide_3[4];
    __align__(16) float out_wide_4[4];
#line 29 "coarsen.k"
    int _block = (int)min_i64((long long)blockIdx.x * 32, _threads_x);
    int _end = min_i32((int)_threads_x, out_0);
#line 29 "coarsen.k"
    int _begin = _block < _end ? min_i32(_block, (max_i32(_end - 32, 0) + 3) & -4) : _block;
    int first_x = _begin + (int)threadIdx.x * 4;
#line 29 "coarsen.k"
    int _block_2 = (int)blockIdx.y * 128;
    int _end_2 = min_i32((int)_threads_y, out_1);
#line 29 "coarsen.k"
    int _begin_2 = _block_2 < _end_2 ? min_i32(_block_2, (max_i32(_end_2 - 128, 0) + 3) & -4) :
            _block_2;
#line 29 "coarsen.k"
    int first_y = _begin_2 + (int)threadIdx.y * 4;
    int first_z = blockIdx.z * blockDim.z + threadIdx.z;
#line 29 "coarsen.k"
    int i_0 = first_x;
    int i_1 = first_x + 1;
#line 29 "coarsen.k"
    int i_2 = first_x + 2;
    int i_3 = first_x + 3;
#line 29 "coarsen.k"
    int j_0 = first_y;
    int j_1 = first_y + 1;
#line 29 "coarsen.k"
    int j_2 = first_y + 2;
    int j_3 = first_y + 3;
#line 29 "coarsen.k"
    if (first_x + 3 < (int)_threads_x && first_y + 3 < (int)_threads_y &&
            first_z < (int)_threads_z && i_3 < out_0 && j_3 < out_1) {
        wide_load16(a_wide, &a[j_0 * a_1 + i_0]);
#line 31 "coarsen.k"
        wide_load16(a_wide_2, &a[j_1 * a_1 + i_0]);
#line 31 "coarsen.k"
        wide_load16(a_wide_3, &a[j_2 * a_1 + i_0]);
#line 31 "coarsen.k"
        wide_load16(a_wide_4, &a[j_3 * a_1 + i_0]);
#line 31 "coarsen.k"
        out_wide[0] = a_wide[0];
#line 31 "coarsen.k"
        out_wide[1] = a_wide_2[0];
#line 31 "coarsen.k"
        out_wide[2] = a_wide_3[0];
#line 31 "coarsen.k"
        out_wide[3] = a_wide_4[0];
#line 31 "coarsen.k"
        wide_store16(&out[hidden_i64(i_0 * out_1 + j_0)], out_wide);
#line 31 "coarsen.k"
        out_wide_2[0] = a_wide[1];
#line 31 "coarsen.k"
        out_wide_2[1] = a_wide_2[1];
#line 31 "coarsen.k"
        out_wide_2[2] = a_wide_3[1];
#line 31 "coarsen.k"
        out_wide_2[3] = a_wide_4[1];
#line 31 "coarsen.k"
        wide_store16(&out[hidden_i64(i_1 * out_1 + j_0)], out_wide_2);
#line 31 "coarsen.k"
        out_wide_3[0] = a_wide[2];
#line 31 "coarsen.k"
        out_wide_3[1] = a_wide_2[2];
#line 31 "coarsen.k"
        out_wide_3[2] = a_wide_3[2];
#line 31 "coarsen.k"
        out_wide_3[3] = a_wide_4[2];
#line 31 "coarsen.k"
        wide_store16(&out[hidden_i64(i_2 * out_1 + j_0)], out_wide_3);
#line 31 "coarsen.k"
        out_wide_4[0] = a_wide[3];
#line 31 "coarsen.k"
        out_wide_4[1] = a_wide_2[3];
#line 31 "coarsen.k"
        out_wide_4[2] = a_wide_3[3];
#line 31 "coarsen.k"
        out_wide_4[3] = a_wide_4[3];
#line 31 "coarsen.k"
        wide_store16(&out[hidden_i64(i_3 * out_1 + j_0)], out_wide_4);
    } else {
#line 29 "coarsen.k"
        #pragma unroll 1
        for (int near = 0; near < 4; near++) {
#line 29 "coarsen.k"
            #pragma unroll 1
            for (int near_2 = 0; near_2 < 4; near_2++) {
#line 29 "coarsen.k"
                int index_x = first_x + near_2;
                int index_y = first_y + near;
#line 29 "coarsen.k"
                if (index_x < (int)_threads_x && index_y < (int)_threads_y &&
                        first_z < (int)_threads_z) {
#line 29 "coarsen.k"
                    int i = index_x;
                    int j = index_y;
                    if (i < out_0 && j < out_1)
#line 31 "coarsen.k"
                        out[hidden_i64(i * out_1 + j)] = a[j * a_1 + i];
                }
            }
        }
    }
}

== product ==
#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

static __device__ inline int max_i32(int a, int b)
{
    return b > a ? b : a;
}

static __device__ inline int min_i32(int a, int b)
{
    return b < a ? b : a;
}

static __device__ inline long long min_i64(long long a, long long b)
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

/* By hand: the compiler takes an assignment apart, and does not always put it together again. */
static __device__ inline void wide_store16(void *to, const void *from)
{
    const uint4 all = *(const uint4 *)from;
    asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(all.x), "r"(all.y), "r"(all.z), "r"(all.w)
                 : "memory");
}

#line 36 "coarsen.k"
extern "C" __global__ void __launch_bounds__(128) product(const double *__restrict__ a, int a_0,
        int a_1, const double *__restrict__ b, int b_0, int b_1, double *__restrict__ out,
        int out_0, int out_1, long long _threads_x, long long _threads_y, long long _threads_z)
{
    __shared__ __align__(16) double a_near[16][18];
    __shared__ __align__(16) double b_near[16][34];
    __align__(16) double b_wide[2];
    __align__(16) double out_wide[2];
    __align__(16) double out_wide_2[2];
    __align__(16) double a_held[16];
    __align__(16) double b_held[16];
    __align__(16) double a_held_2[4];
    __align__(16) double b_held_2[4];
#line 38 "coarsen.k"
    int _block = (int)min_i64((long long)blockIdx.x * 32, _threads_y);
    int _end = min_i32((int)_threads_y, out_1);
#line 38 "coarsen.k"
    int _begin = _block < _end ? min_i32(_block, (max_i32(_end - 32, 0) + 1) & -2) : _block;
    int _most = (max_i32(_end - _begin - 2, 0) + 1) & -2;
#line 38 "coarsen.k"
    int from_y = _begin + min_i32((int)threadIdx.x * 2, _most);
    int first_y = _begin + (int)threadIdx.x * 2;
#line 38 "coarsen.k"
    int _block_2 = (int)blockIdx.y * 16;
    int _end_2 = min_i32((int)_threads_x, out_0);
#line 38 "coarsen.k"
    int _begin_2 = _block_2 < _end_2 ? min_i32(_block_2, max_i32(_end_2 - 16, 0)) : _block_2;
    int _most_2 = max_i32(_end_2 - _begin_2 - 2, 0);
#line 38 "coarsen.k"
    int from_x = _begin_2 + min_i32((int)threadIdx.y * 2, _most_2);
    int first_x = _begin_2 + (int)threadIdx.y * 2;
#line 38 "coarsen.k"
    int first_z = blockIdx.z * blockDim.z + threadIdx.z;
    int i_0 = from_x;
#line 38 "coarsen.k"
    int i_1 = from_x + 1;
    int j_0 = from_y;
#line 38 "coarsen.k"
    int j_1 = from_y + 1;


    bool _whole = from_x + 1 < (int)_threads_x && from_y + 1 < (int)_threads_y &&
            first_z < (int)_threads_z && i_1 < out_0 && j_1 < out_1;
#line 41 "coarsen.k"
    int _all = __syncthreads_and(_whole);
    bool _full = _all != 0;
#line 38 "coarsen.k"
    if (_whole) {

        double total_0_0 = 0.0;
        double total_1_0 = 0.0;
#line 40 "coarsen.k"
        double total_0_1 = 0.0;
        double total_1_1 = 0.0;
        int _next = 0;
#line 41 "coarsen.k"
        int _stop = a_1;
        double a_1_2;
        double a_1_3;
#line 41 "coarsen.k"
        if (_full && 0 < _stop) {
            int _self = (int)threadIdx.x + (int)threadIdx.y * 16;
#line 41 "coarsen.k"
            #pragma unroll 1
            for (int _iteration = 0; _iteration < _stop - 15; _iteration += 16) {
#line 41 "coarsen.k"
                __syncthreads();
                #pragma unroll
                for (int _round = 0; _round < 2; _round++) {
#line 41 "coarsen.k"
                    int _at = _self + _round * 128;
                    int _inner = _at & 15;
#line 41 "coarsen.k"
                    int _outer = _at >> 4;
#line 41 "coarsen.k"
                    a_near[_inner][_outer] = a[((_block_2 < _end_2 ?
                            min_i32(_block_2, max_i32(_end_2 - 16, 0)) : _block_2) +
                            (min_i32((_outer >> 1) * 2, _most_2) + (_outer & 1))) * a_1 +
                            _iteration + _inner];
                }
#line 41 "coarsen.k"
                #pragma unroll
                for (int _round_2 = 0; _round_2 < 4; _round_2++) {
#line 41 "coarsen.k"
                    int _at_2 = _self + _round_2 * 128;
                    int _inner_2 = _at_2 & 31;
#line 41 "coarsen.k"
                    int _outer_2 = _at_2 >> 5;
#line 41 "coarsen.k"
                    b_near[_outer_2][_inner_2] =
                            b[(_iteration + _outer_2) * b_1 +
                            (_block < _end ? min_i32(_block, (max_i32(_end - 32, 0) + 1) & -2) :
                            _block) + (min_i32((_inner_2 >> 1) * 2, _most) + (_inner_2 & 1))];
                }
#line 41 "coarsen.k"
                __syncthreads();
                #pragma unroll
                for (int _k = 0; _k < 16; _k++) {
#line 42 "coarsen.k"
                    a_1_2 = a_near[_k][(int)threadIdx.y * 2];
#line 42 "coarsen.k"
                    a_1_3 = a_near[_k][(int)threadIdx.y * 2 + 1];
#line 41 "coarsen.k"
                    b_wide[0] = b_near[_k][(int)threadIdx.x * 2];
#line 41 "coarsen.k"
                    b_wide[1] = b_near[_k][(int)threadIdx.x * 2 + 1];
                    total_0_0 += a_1_2 * b_wide[0];
#line 42 "coarsen.k"
                    total_1_0 += a_1_2 * b_wide[1];
#line 42 "coarsen.k"
                    total_0_1 += a_1_3 * b_wide[0];
#line 42 "coarsen.k"
                    total_1_1 += a_1_3 * b_wide[1];
                }
#line 41 "coarsen.k"
                _next = _iteration + 16;
            }
        }
#line 41 "coarsen.k"
        #pragma unroll 1
        for (int k_2 = _next; k_2 < _stop; k_2++) {
#line 42 "coarsen.k"
            a_1_2 = a[i_0 * a_1 + k_2];
#line 42 "coarsen.k"
            a_1_3 = a[i_1 * a_1 + k_2];
#line 42 "coarsen.k"
            wide_load16(b_wide, &b[k_2 * b_1 + j_0]);
#line 42 "coarsen.k"
            total_0_0 += a_1_2 * b_wide[0];
#line 42 "coarsen.k"
            total_1_0 += a_1_2 * b_wide[1];
#line 42 "coarsen.k"
            total_0_1 += a_1_3 * b_wide[0];
#line 42 "coarsen.k"
            total_1_1 += a_1_3 * b_wide[1];
        }
#line 43 "coarsen.k"
        out_wide[0] = total_0_0;
#line 43 "coarsen.k"
        out_wide[1] = total_1_0;
#line 43 "coarsen.k"
        wide_store16(&out[hidden_i64(i_0 * out_1 + j_0)], out_wide);
#line 43 "coarsen.k"
        out_wide_2[0] = total_0_1;
#line 43 "coarsen.k"
        out_wide_2[1] = total_1_1;
#line 43 "coarsen.k"
        wide_store16(&out[hidden_i64(i_1 * out_1 + j_0)], out_wide_2);
    } else {
#line 38 "coarsen.k"
        #pragma unroll 1
        for (int near = 0; near < 2; near++) {
#line 38 "coarsen.k"
            #pragma unroll 1
            for (int near_2 = 0; near_2 < 2; near_2++) {
#line 38 "coarsen.k"
                int index_x = first_x + near;
                int index_y = first_y + near_2;
#line 38 "coarsen.k"
                if (index_x < (int)_threads_x && index_y < (int)_threads_y &&
                        first_z < (int)_threads_z) {
#line 38 "coarsen.k"
                    int i = index_x;
                    int j = index_y;
                    if (i < out_0 && j < out_1) {
                        double total = 0.0;
                        int _stop_2 = a_1;
#line 41 "coarsen.k"
                        int _next_2 = 0;
                        #pragma unroll 1
                        for (int _i = _next_2; _i < _stop_2 - 15; _i += 16) {
#line 41 "coarsen.k"
                            #pragma unroll
                            for (int _k_2 = 0; _k_2 < 16; _k_2++) {
#line 41 "coarsen.k"
                                int k_4 = _i + _k_2;
#line 41 "coarsen.k"
                                a_held[_k_2] = a[i * a_1 + k_4];
#line 41 "coarsen.k"
                                b_held[_k_2] = b[k_4 * b_1 + j];
                            }
#line 41 "coarsen.k"
                            #pragma unroll
                            for (int _k_3 = 0; _k_3 < 16; _k_3++)
#line 42 "coarsen.k"
                                total += a_held[_k_3] * b_held[_k_3];
#line 41 "coarsen.k"
                            _next_2 = _i + 16;
                        }
#line 41 "coarsen.k"
                        #pragma unroll 1
                        for (int _i_2 = _next_2; _i_2 < _stop_2 - 3; _i_2 += 4) {
#line 41 "coarsen.k"
                            #pragma unroll
                            for (int _k_4 = 0; _k_4 < 4; _k_4++) {
#line 41 "coarsen.k"
                                int k_6 = _i_2 + _k_4;
#line 41 "coarsen.k"
                                a_held_2[_k_4] = a[i * a_1 + k_6];
#line 41 "coarsen.k"
                                b_held_2[_k_4] = b[k_6 * b_1 + j];
                            }
#line 41 "coarsen.k"
                            #pragma unroll
                            for (int _k_5 = 0; _k_5 < 4; _k_5++)
#line 42 "coarsen.k"
                                total += a_held_2[_k_5] * b_held_2[_k_5];
#line 41 "coarsen.k"
                            _next_2 = _i_2 + 4;
                        }
#line 41 "coarsen.k"
                        #pragma unroll 1
                        for (int k = _next_2; k < _stop_2; k++)
#line 42 "coarsen.k"
                            total += a[i * a_1 + k] * b[k * b_1 + j];
                        out[hidden_i64(i * out_1 + j)] = total;
                    }
                }
            }
        }
    }
}

== product_in_memory ==
#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

static __device__ inline int max_i32(int a, int b)
{
    return b > a ? b : a;
}

static __device__ inline int min_i32(int a, int b)
{
    return b < a ? b : a;
}

static __device__ inline long long min_i64(long long a, long long b)
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

/* By hand: the compiler takes an assignment apart, and does not always put it together again. */
static __device__ inline void wide_store16(void *to, const void *from)
{
    const uint4 all = *(const uint4 *)from;
    asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(all.x), "r"(all.y), "r"(all.z), "r"(all.w)
                 : "memory");
}

#line 49 "coarsen.k"
extern "C" __global__ void __launch_bounds__(256) product_in_memory(const float *a, int a_0,
        int a_1, const float *b, int b_0, int b_1, float *out, int out_0, int out_1,
        long long _threads_x, long long _threads_y, long long _threads_z)
{
    __shared__ __align__(16) float a_near[16][132];
    __shared__ __align__(16) float b_near[16][132];
    __align__(16) float out_wide[4];
    __align__(16) float out_wide_2[4];
    __align__(16) float out_wide_3[4];
    __align__(16) float out_wide_4[4];
    __align__(16) float out_wide_5[4];
    __align__(16) float out_wide_6[4];
    __align__(16) float out_wide_7[4];
    __align__(16) float out_wide_8[4];
    __align__(16) float out_wide_9[4];
    __align__(16) float out_wide_10[4];
    __align__(16) float out_wide_11[4];
    __align__(16) float out_wide_12[4];
    __align__(16) float out_wide_13[4];
    __align__(16) float out_wide_14[4];
    __align__(16) float out_wide_15[4];
    __align__(16) float out_wide_16[4];
    __align__(16) float b_wide[4];
    __align__(16) float b_wide_2[4];
    __align__(16) float out_wide_17[4];
    __align__(16) float out_wide_18[4];
    __align__(16) float out_wide_19[4];
    __align__(16) float out_wide_20[4];
    __align__(16) float out_wide_21[4];
    __align__(16) float out_wide_22[4];
    __align__(16) float out_wide_23[4];
    __align__(16) float out_wide_24[4];
    __align__(16) float out_wide_25[4];
    __align__(16) float out_wide_26[4];
    __align__(16) float out_wide_27[4];
    __align__(16) float out_wide_28[4];
    __align__(16) float out_wide_29[4];
    __align__(16) float out_wide_30[4];
    __align__(16) float out_wide_31[4];
    __align__(16) float out_wide_32[4];
    __align__(16) float a_held[16];
    __align__(16) float b_held[16];
    __align__(16) float a_held_2[4];
    __align__(16) float b_held_2[4];
#line 51 "coarsen.k"
    int _block = (int)min_i64((long long)blockIdx.x * 128, _threads_y);
    int _end = min_i32((int)_threads_y, out_1);
#line 51 "coarsen.k"
    int _begin = _block < _end ? min_i32(_block, (max_i32(_end - 128, 0) + 3) & -4) : _block;
    int own_y = _block;
#line 51 "coarsen.k"
    int first_y = _begin + (int)threadIdx.x * 4;
    int _block_2 = (int)blockIdx.y * 128;
#line 51 "coarsen.k"
    int _end_2 = min_i32((int)_threads_x, out_0);
    int _begin_2 = _block_2 < _end_2 ? min_i32(_block_2, max_i32(_end_2 - 128, 0)) : _block_2;
#line 51 "coarsen.k"
    int own_x = _block_2;
    int first_x = _begin_2 + (int)threadIdx.y * 8;
#line 51 "coarsen.k"
    int first_z = blockIdx.z * blockDim.z + threadIdx.z;
    int i_0 = first_x;
#line 51 "coarsen.k"
    int i_1 = first_x + 1;
    int i_2 = first_x + 2;
#line 51 "coarsen.k"
    int i_3 = first_x + 3;
    int i_4 = first_x + 4;
#line 51 "coarsen.k"
    int i_5 = first_x + 5;
    int i_6 = first_x + 6;
#line 51 "coarsen.k"
    int i_7 = first_x + 7;
    int j_0 = first_y;
#line 51 "coarsen.k"
    int j_4 = first_y + 64;
    int j_7 = first_y + 67;
    bool _whole = first_x + 7 < (int)_threads_x && first_y + 67 < (int)_threads_y &&
            first_z < (int)_threads_z && i_7 < out_0 && j_7 < out_1 && 0 < a_1;
#line 53 "coarsen.k"
    int _all = __syncthreads_and(_whole);
    bool _full = _all != 0;
#line 51 "coarsen.k"
    if (_whole) {


        wide_load16(out_wide, &out[hidden_i64(i_0 * out_1 + j_0)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_2, &out[hidden_i64(i_0 * out_1 + j_4)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_3, &out[hidden_i64(i_1 * out_1 + j_0)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_4, &out[hidden_i64(i_1 * out_1 + j_4)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_5, &out[hidden_i64(i_2 * out_1 + j_0)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_6, &out[hidden_i64(i_2 * out_1 + j_4)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_7, &out[hidden_i64(i_3 * out_1 + j_0)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_8, &out[hidden_i64(i_3 * out_1 + j_4)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_9, &out[hidden_i64(i_4 * out_1 + j_0)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_10, &out[hidden_i64(i_4 * out_1 + j_4)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_11, &out[hidden_i64(i_5 * out_1 + j_0)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_12, &out[hidden_i64(i_5 * out_1 + j_4)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_13, &out[hidden_i64(i_6 * out_1 + j_0)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_14, &out[hidden_i64(i_6 * out_1 + j_4)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_15, &out[hidden_i64(i_7 * out_1 + j_0)]);
#line 54 "coarsen.k"
        wide_load16(out_wide_16, &out[hidden_i64(i_7 * out_1 + j_4)]);
#line 54 "coarsen.k"
        float out_kept_0_0 = out_wide[0];
#line 54 "coarsen.k"
        float out_kept_1_0 = out_wide[1];
#line 54 "coarsen.k"
        float out_kept_2_0 = out_wide[2];
#line 54 "coarsen.k"
        float out_kept_3_0 = out_wide[3];
#line 54 "coarsen.k"
        float out_kept_4_0 = out_wide_2[0];
#line 54 "coarsen.k"
        float out_kept_5_0 = out_wide_2[1];
#line 54 "coarsen.k"
        float out_kept_6_0 = out_wide_2[2];
#line 54 "coarsen.k"
        float out_kept_7_0 = out_wide_2[3];
#line 54 "coarsen.k"
        float out_kept_0_1 = out_wide_3[0];
#line 54 "coarsen.k"
        float out_kept_1_1 = out_wide_3[1];
#line 54 "coarsen.k"
        float out_kept_2_1 = out_wide_3[2];
#line 54 "coarsen.k"
        float out_kept_3_1 = out_wide_3[3];
#line 54 "coarsen.k"
        float out_kept_4_1 = out_wide_4[0];
#line 54 "coarsen.k"
        float out_kept_5_1 = out_wide_4[1];
#line 54 "coarsen.k"
        float out_kept_6_1 = out_wide_4[2];
#line 54 "coarsen.k"
        float out_kept_7_1 = out_wide_4[3];
#line 54 "coarsen.k"
        float out_kept_0_2 = out_wide_5[0];
#line 54 "coarsen.k"
        float out_kept_1_2 = out_wide_5[1];
#line 54 "coarsen.k"
        float out_kept_2_2 = out_wide_5[2];
#line 54 "coarsen.k"
        float out_kept_3_2 = out_wide_5[3];
#line 54 "coarsen.k"
        float out_kept_4_2 = out_wide_6[0];
#line 54 "coarsen.k"
        float out_kept_5_2 = out_wide_6[1];
#line 54 "coarsen.k"
        float out_kept_6_2 = out_wide_6[2];
#line 54 "coarsen.k"
        float out_kept_7_2 = out_wide_6[3];
#line 54 "coarsen.k"
        float out_kept_0_3 = out_wide_7[0];
#line 54 "coarsen.k"
        float out_kept_1_3 = out_wide_7[1];
#line 54 "coarsen.k"
        float out_kept_2_3 = out_wide_7[2];
#line 54 "coarsen.k"
        float out_kept_3_3 = out_wide_7[3];
#line 54 "coarsen.k"
        float out_kept_4_3 = out_wide_8[0];
#line 54 "coarsen.k"
        float out_kept_5_3 = out_wide_8[1];
#line 54 "coarsen.k"
        float out_kept_6_3 = out_wide_8[2];
#line 54 "coarsen.k"
        float out_kept_7_3 = out_wide_8[3];
#line 54 "coarsen.k"
        float out_kept_0_4 = out_wide_9[0];
#line 54 "coarsen.k"
        float out_kept_1_4 = out_wide_9[1];
#line 54 "coarsen.k"
        float out_kept_2_4 = out_wide_9[2];
#line 54 "coarsen.k"
        float out_kept_3_4 = out_wide_9[3];
#line 54 "coarsen.k"
        float out_kept_4_4 = out_wide_10[0];
#line 54 "coarsen.k"
        float out_kept_5_4 = out_wide_10[1];
#line 54 "coarsen.k"
        float out_kept_6_4 = out_wide_10[2];
#line 54 "coarsen.k"
        float out_kept_7_4 = out_wide_10[3];
#line 54 "coarsen.k"
        float out_kept_0_5 = out_wide_11[0];
#line 54 "coarsen.k"
        float out_kept_1_5 = out_wide_11[1];
#line 54 "coarsen.k"
        float out_kept_2_5 = out_wide_11[2];
#line 54 "coarsen.k"
        float out_kept_3_5 = out_wide_11[3];
#line 54 "coarsen.k"
        float out_kept_4_5 = out_wide_12[0];
#line 54 "coarsen.k"
        float out_kept_5_5 = out_wide_12[1];
#line 54 "coarsen.k"
        float out_kept_6_5 = out_wide_12[2];
#line 54 "coarsen.k"
        float out_kept_7_5 = out_wide_12[3];
#line 54 "coarsen.k"
        float out_kept_0_6 = out_wide_13[0];
#line 54 "coarsen.k"
        float out_kept_1_6 = out_wide_13[1];
#line 54 "coarsen.k"
        float out_kept_2_6 = out_wide_13[2];
#line 54 "coarsen.k"
        float out_kept_3_6 = out_wide_13[3];
#line 54 "coarsen.k"
        float out_kept_4_6 = out_wide_14[0];
#line 54 "coarsen.k"
        float out_kept_5_6 = out_wide_14[1];
#line 54 "coarsen.k"
        float out_kept_6_6 = out_wide_14[2];
#line 54 "coarsen.k"
        float out_kept_7_6 = out_wide_14[3];
#line 54 "coarsen.k"
        float out_kept_0_7 = out_wide_15[0];
#line 54 "coarsen.k"
        float out_kept_1_7 = out_wide_15[1];
#line 54 "coarsen.k"
        float out_kept_2_7 = out_wide_15[2];
#line 54 "coarsen.k"
        float out_kept_3_7 = out_wide_15[3];
#line 54 "coarsen.k"
        float out_kept_4_7 = out_wide_16[0];
#line 54 "coarsen.k"
        float out_kept_5_7 = out_wide_16[1];
#line 54 "coarsen.k"
        float out_kept_6_7 = out_wide_16[2];
#line 54 "coarsen.k"
        float out_kept_7_7 = out_wide_16[3];
#line 53 "coarsen.k"
        int _next = 0;
        int _stop = a_1;
#line 53 "coarsen.k"
        float a_1_2;
        float a_1_3;
        float a_1_4;
        float a_1_5;
        float a_1_6;
        float a_1_7;
        float a_1_8;
        float a_1_9;
#line 53 "coarsen.k"
        if (_full && 0 < _stop) {
            int _self = (int)threadIdx.x + (int)threadIdx.y * 16;
#line 53 "coarsen.k"
            #pragma unroll 1
            for (int _iteration = 0; _iteration < _stop - 15; _iteration += 16) {
#line 53 "coarsen.k"
                __syncthreads();
                #pragma unroll
                for (int _round = 0; _round < 8; _round++) {
#line 53 "coarsen.k"
                    int _at = _self + _round * 256;
                    int _inner = _at & 15;
#line 53 "coarsen.k"
                    int _outer = _at >> 4;
#line 53 "coarsen.k"
                    a_near[_inner][_outer] = a[((_block_2 < _end_2 ?
                            min_i32(_block_2, max_i32(_end_2 - 128, 0)) : _block_2) + _outer) *
                            a_1 + _iteration + _inner];
                }
#line 53 "coarsen.k"
                #pragma unroll
                for (int _round_2 = 0; _round_2 < 8; _round_2++) {
#line 53 "coarsen.k"
                    int _at_2 = _self + _round_2 * 256;
                    int _inner_2 = _at_2 & 127;
#line 53 "coarsen.k"
                    int _outer_2 = _at_2 >> 7;
#line 53 "coarsen.k"
                    b_near[_outer_2][_inner_2] =
                            b[(_iteration + _outer_2) * b_1 +
                            (_block < _end ? min_i32(_block, (max_i32(_end - 128, 0) + 3) & -4) :
                            _block) + _inner_2];
                }
#line 53 "coarsen.k"
                __syncthreads();
                #pragma unroll
                for (int _k = 0; _k < 16; _k++) {
#line 54 "coarsen.k"
                    a_1_2 = a_near[_k][(int)threadIdx.y * 8];
#line 54 "coarsen.k"
                    a_1_3 = a_near[_k][(int)threadIdx.y * 8 + 1];
#line 54 "coarsen.k"
                    a_1_4 = a_near[_k][(int)threadIdx.y * 8 + 2];
#line 54 "coarsen.k"
                    a_1_5 = a_near[_k][(int)threadIdx.y * 8 + 3];
#line 54 "coarsen.k"
                    a_1_6 = a_near[_k][(int)threadIdx.y * 8 + 4];
#line 54 "coarsen.k"
                    a_1_7 = a_near[_k][(int)threadIdx.y * 8 + 5];
#line 54 "coarsen.k"
                    a_1_8 = a_near[_k][(int)threadIdx.y * 8 + 6];
#line 54 "coarsen.k"
                    a_1_9 = a_near[_k][(int)threadIdx.y * 8 + 7];
#line 53 "coarsen.k"
                    b_wide[0] = b_near[_k][(int)threadIdx.x * 4];
#line 53 "coarsen.k"
                    b_wide[1] = b_near[_k][(int)threadIdx.x * 4 + 1];
#line 53 "coarsen.k"
                    b_wide[2] = b_near[_k][(int)threadIdx.x * 4 + 2];
#line 53 "coarsen.k"
                    b_wide[3] = b_near[_k][(int)threadIdx.x * 4 + 3];
#line 53 "coarsen.k"
                    b_wide_2[0] = b_near[_k][(int)threadIdx.x * 4 + 64];
#line 53 "coarsen.k"
                    b_wide_2[1] = b_near[_k][(int)threadIdx.x * 4 + 65];
#line 53 "coarsen.k"
                    b_wide_2[2] = b_near[_k][(int)threadIdx.x * 4 + 66];
#line 53 "coarsen.k"
                    b_wide_2[3] = b_near[_k][(int)threadIdx.x * 4 + 67];
                    out_kept_0_0 += a_1_2 * b_wide[0];
#line 54 "coarsen.k"
                    out_kept_1_0 += a_1_2 * b_wide[1];
#line 54 "coarsen.k"
                    out_kept_2_0 += a_1_2 * b_wide[2];
#line 54 "coarsen.k"
                    out_kept_3_0 += a_1_2 * b_wide[3];
#line 54 "coarsen.k"
                    out_kept_4_0 += a_1_2 * b_wide_2[0];
#line 54 "coarsen.k"
                    out_kept_5_0 += a_1_2 * b_wide_2[1];
#line 54 "coarsen.k"
                    out_kept_6_0 += a_1_2 * b_wide_2[2];
#line 54 "coarsen.k"
                    out_kept_7_0 += a_1_2 * b_wide_2[3];
#line 54 "coarsen.k"
                    out_kept_0_1 += a_1_3 * b_wide[0];
#line 54 "coarsen.k"
                    out_kept_1_1 += a_1_3 * b_wide[1];
#line 54 "coarsen.k"
                    out_kept_2_1 += a_1_3 * b_wide[2];
#line 54 "coarsen.k"
                    out_kept_3_1 += a_1_3 * b_wide[3];
#line 54 "coarsen.k"
                    out_kept_4_1 += a_1_3 * b_wide_2[0];
#line 54 "coarsen.k"
                    out_kept_5_1 += a_1_3 * b_wide_2[1];
#line 54 "coarsen.k"
                    out_kept_6_1 += a_1_3 * b_wide_2[2];
#line 54 "coarsen.k"
                    out_kept_7_1 += a_1_3 * b_wide_2[3];
#line 54 "coarsen.k"
                    out_kept_0_2 += a_1_4 * b_wide[0];
#line 54 "coarsen.k"
                    out_kept_1_2 += a_1_4 * b_wide[1];
#line 54 "coarsen.k"
                    out_kept_2_2 += a_1_4 * b_wide[2];
#line 54 "coarsen.k"
                    out_kept_3_2 += a_1_4 * b_wide[3];
#line 54 "coarsen.k"
                    out_kept_4_2 += a_1_4 * b_wide_2[0];
#line 54 "coarsen.k"
                    out_kept_5_2 += a_1_4 * b_wide_2[1];
#line 54 "coarsen.k"
                    out_kept_6_2 += a_1_4 * b_wide_2[2];
#line 54 "coarsen.k"
                    out_kept_7_2 += a_1_4 * b_wide_2[3];
#line 54 "coarsen.k"
                    out_kept_0_3 += a_1_5 * b_wide[0];
#line 54 "coarsen.k"
                    out_kept_1_3 += a_1_5 * b_wide[1];
#line 54 "coarsen.k"
                    out_kept_2_3 += a_1_5 * b_wide[2];
#line 54 "coarsen.k"
                    out_kept_3_3 += a_1_5 * b_wide[3];
#line 54 "coarsen.k"
                    out_kept_4_3 += a_1_5 * b_wide_2[0];
#line 54 "coarsen.k"
                    out_kept_5_3 += a_1_5 * b_wide_2[1];
#line 54 "coarsen.k"
                    out_kept_6_3 += a_1_5 * b_wide_2[2];
#line 54 "coarsen.k"
                    out_kept_7_3 += a_1_5 * b_wide_2[3];
#line 54 "coarsen.k"
                    out_kept_0_4 += a_1_6 * b_wide[0];
#line 54 "coarsen.k"
                    out_kept_1_4 += a_1_6 * b_wide[1];
#line 54 "coarsen.k"
                    out_kept_2_4 += a_1_6 * b_wide[2];
#line 54 "coarsen.k"
                    out_kept_3_4 += a_1_6 * b_wide[3];
#line 54 "coarsen.k"
                    out_kept_4_4 += a_1_6 * b_wide_2[0];
#line 54 "coarsen.k"
                    out_kept_5_4 += a_1_6 * b_wide_2[1];
#line 54 "coarsen.k"
                    out_kept_6_4 += a_1_6 * b_wide_2[2];
#line 54 "coarsen.k"
                    out_kept_7_4 += a_1_6 * b_wide_2[3];
#line 54 "coarsen.k"
                    out_kept_0_5 += a_1_7 * b_wide[0];
#line 54 "coarsen.k"
                    out_kept_1_5 += a_1_7 * b_wide[1];
#line 54 "coarsen.k"
                    out_kept_2_5 += a_1_7 * b_wide[2];
#line 54 "coarsen.k"
                    out_kept_3_5 += a_1_7 * b_wide[3];
#line 54 "coarsen.k"
                    out_kept_4_5 += a_1_7 * b_wide_2[0];
#line 54 "coarsen.k"
                    out_kept_5_5 += a_1_7 * b_wide_2[1];
#line 54 "coarsen.k"
                    out_kept_6_5 += a_1_7 * b_wide_2[2];
#line 54 "coarsen.k"
                    out_kept_7_5 += a_1_7 * b_wide_2[3];
#line 54 "coarsen.k"
                    out_kept_0_6 += a_1_8 * b_wide[0];
#line 54 "coarsen.k"
                    out_kept_1_6 += a_1_8 * b_wide[1];
#line 54 "coarsen.k"
                    out_kept_2_6 += a_1_8 * b_wide[2];
#line 54 "coarsen.k"
                    out_kept_3_6 += a_1_8 * b_wide[3];
#line 54 "coarsen.k"
                    out_kept_4_6 += a_1_8 * b_wide_2[0];
#line 54 "coarsen.k"
                    out_kept_5_6 += a_1_8 * b_wide_2[1];
#line 54 "coarsen.k"
                    out_kept_6_6 += a_1_8 * b_wide_2[2];
#line 54 "coarsen.k"
                    out_kept_7_6 += a_1_8 * b_wide_2[3];
#line 54 "coarsen.k"
                    out_kept_0_7 += a_1_9 * b_wide[0];
#line 54 "coarsen.k"
                    out_kept_1_7 += a_1_9 * b_wide[1];
#line 54 "coarsen.k"
                    out_kept_2_7 += a_1_9 * b_wide[2];
#line 54 "coarsen.k"
                    out_kept_3_7 += a_1_9 * b_wide[3];
#line 54 "coarsen.k"
                    out_kept_4_7 += a_1_9 * b_wide_2[0];
#line 54 "coarsen.k"
                    out_kept_5_7 += a_1_9 * b_wide_2[1];
#line 54 "coarsen.k"
                    out_kept_6_7 += a_1_9 * b_wide_2[2];
#line 54 "coarsen.k"
                    out_kept_7_7 += a_1_9 * b_wide_2[3];
                }
#line 53 "coarsen.k"
                _next = _iteration + 16;
            }
        }
#line 53 "coarsen.k"
        #pragma unroll 1
        for (int k_2 = _next; k_2 < _stop; k_2++) {
#line 54 "coarsen.k"
            a_1_2 = a[i_0 * a_1 + k_2];
#line 54 "coarsen.k"
            a_1_3 = a[i_1 * a_1 + k_2];
#line 54 "coarsen.k"
            a_1_4 = a[i_2 * a_1 + k_2];
#line 54 "coarsen.k"
            a_1_5 = a[i_3 * a_1 + k_2];
#line 54 "coarsen.k"
            a_1_6 = a[i_4 * a_1 + k_2];
#line 54 "coarsen.k"
            a_1_7 = a[i_5 * a_1 + k_2];
#line 54 "coarsen.k"
            a_1_8 = a[i_6 * a_1 + k_2];
#line 54 "coarsen.k"
            a_1_9 = a[i_7 * a_1 + k_2];
#line 54 "coarsen.k"
            wide_load16(b_wide, &b[k_2 * b_1 + j_0]);
#line 54 "coarsen.k"
            wide_load16(b_wide_2, &b[k_2 * b_1 + j_4]);
#line 54 "coarsen.k"
            out_kept_0_0 += a_1_2 * b_wide[0];
#line 54 "coarsen.k"
            out_kept_1_0 += a_1_2 * b_wide[1];
#line 54 "coarsen.k"
            out_kept_2_0 += a_1_2 * b_wide[2];
#line 54 "coarsen.k"
            out_kept_3_0 += a_1_2 * b_wide[3];
#line 54 "coarsen.k"
            out_kept_4_0 += a_1_2 * b_wide_2[0];
#line 54 "coarsen.k"
            out_kept_5_0 += a_1_2 * b_wide_2[1];
#line 54 "coarsen.k"
            out_kept_6_0 += a_1_2 * b_wide_2[2];
#line 54 "coarsen.k"
            out_kept_7_0 += a_1_2 * b_wide_2[3];
#line 54 "coarsen.k"
            out_kept_0_1 += a_1_3 * b_wide[0];
#line 54 "coarsen.k"
            out_kept_1_1 += a_1_3 * b_wide[1];
#line 54 "coarsen.k"
            out_kept_2_1 += a_1_3 * b_wide[2];
#line 54 "coarsen.k"
            out_kept_3_1 += a_1_3 * b_wide[3];
#line 54 "coarsen.k"
            out_kept_4_1 += a_1_3 * b_wide_2[0];
#line 54 "coarsen.k"
            out_kept_5_1 += a_1_3 * b_wide_2[1];
#line 54 "coarsen.k"
            out_kept_6_1 += a_1_3 * b_wide_2[2];
#line 54 "coarsen.k"
            out_kept_7_1 += a_1_3 * b_wide_2[3];
#line 54 "coarsen.k"
            out_kept_0_2 += a_1_4 * b_wide[0];
#line 54 "coarsen.k"
            out_kept_1_2 += a_1_4 * b_wide[1];
#line 54 "coarsen.k"
            out_kept_2_2 += a_1_4 * b_wide[2];
#line 54 "coarsen.k"
            out_kept_3_2 += a_1_4 * b_wide[3];
#line 54 "coarsen.k"
            out_kept_4_2 += a_1_4 * b_wide_2[0];
#line 54 "coarsen.k"
            out_kept_5_2 += a_1_4 * b_wide_2[1];
#line 54 "coarsen.k"
            out_kept_6_2 += a_1_4 * b_wide_2[2];
#line 54 "coarsen.k"
            out_kept_7_2 += a_1_4 * b_wide_2[3];
#line 54 "coarsen.k"
            out_kept_0_3 += a_1_5 * b_wide[0];
#line 54 "coarsen.k"
            out_kept_1_3 += a_1_5 * b_wide[1];
#line 54 "coarsen.k"
            out_kept_2_3 += a_1_5 * b_wide[2];
#line 54 "coarsen.k"
            out_kept_3_3 += a_1_5 * b_wide[3];
#line 54 "coarsen.k"
            out_kept_4_3 += a_1_5 * b_wide_2[0];
#line 54 "coarsen.k"
            out_kept_5_3 += a_1_5 * b_wide_2[1];
#line 54 "coarsen.k"
            out_kept_6_3 += a_1_5 * b_wide_2[2];
#line 54 "coarsen.k"
            out_kept_7_3 += a_1_5 * b_wide_2[3];
#line 54 "coarsen.k"
            out_kept_0_4 += a_1_6 * b_wide[0];
#line 54 "coarsen.k"
            out_kept_1_4 += a_1_6 * b_wide[1];
#line 54 "coarsen.k"
            out_kept_2_4 += a_1_6 * b_wide[2];
#line 54 "coarsen.k"
            out_kept_3_4 += a_1_6 * b_wide[3];
#line 54 "coarsen.k"
            out_kept_4_4 += a_1_6 * b_wide_2[0];
#line 54 "coarsen.k"
            out_kept_5_4 += a_1_6 * b_wide_2[1];
#line 54 "coarsen.k"
            out_kept_6_4 += a_1_6 * b_wide_2[2];
#line 54 "coarsen.k"
            out_kept_7_4 += a_1_6 * b_wide_2[3];
#line 54 "coarsen.k"
            out_kept_0_5 += a_1_7 * b_wide[0];
#line 54 "coarsen.k"
            out_kept_1_5 += a_1_7 * b_wide[1];
#line 54 "coarsen.k"
            out_kept_2_5 += a_1_7 * b_wide[2];
#line 54 "coarsen.k"
            out_kept_3_5 += a_1_7 * b_wide[3];
#line 54 "coarsen.k"
            out_kept_4_5 += a_1_7 * b_wide_2[0];
#line 54 "coarsen.k"
            out_kept_5_5 += a_1_7 * b_wide_2[1];
#line 54 "coarsen.k"
            out_kept_6_5 += a_1_7 * b_wide_2[2];
#line 54 "coarsen.k"
            out_kept_7_5 += a_1_7 * b_wide_2[3];
#line 54 "coarsen.k"
            out_kept_0_6 += a_1_8 * b_wide[0];
#line 54 "coarsen.k"
            out_kept_1_6 += a_1_8 * b_wide[1];
#line 54 "coarsen.k"
            out_kept_2_6 += a_1_8 * b_wide[2];
#line 54 "coarsen.k"
            out_kept_3_6 += a_1_8 * b_wide[3];
#line 54 "coarsen.k"
            out_kept_4_6 += a_1_8 * b_wide_2[0];
#line 54 "coarsen.k"
            out_kept_5_6 += a_1_8 * b_wide_2[1];
#line 54 "coarsen.k"
            out_kept_6_6 += a_1_8 * b_wide_2[2];
#line 54 "coarsen.k"
            out_kept_7_6 += a_1_8 * b_wide_2[3];
#line 54 "coarsen.k"
            out_kept_0_7 += a_1_9 * b_wide[0];
#line 54 "coarsen.k"
            out_kept_1_7 += a_1_9 * b_wide[1];
#line 54 "coarsen.k"
            out_kept_2_7 += a_1_9 * b_wide[2];
#line 54 "coarsen.k"
            out_kept_3_7 += a_1_9 * b_wide[3];
#line 54 "coarsen.k"
            out_kept_4_7 += a_1_9 * b_wide_2[0];
#line 54 "coarsen.k"
            out_kept_5_7 += a_1_9 * b_wide_2[1];
#line 54 "coarsen.k"
            out_kept_6_7 += a_1_9 * b_wide_2[2];
#line 54 "coarsen.k"
            out_kept_7_7 += a_1_9 * b_wide_2[3];
        }
#line 54 "coarsen.k"
        if (first_x >= own_x && first_y >= own_y) {
#line 54 "coarsen.k"
            out_wide_17[0] = out_kept_0_0;
#line 54 "coarsen.k"
            out_wide_17[1] = out_kept_1_0;
#line 54 "coarsen.k"
            out_wide_17[2] = out_kept_2_0;
#line 54 "coarsen.k"
            out_wide_17[3] = out_kept_3_0;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_0 * out_1 + j_0)], out_wide_17);
        }
#line 54 "coarsen.k"
        if (first_x >= own_x && first_y + 64 >= own_y) {
#line 54 "coarsen.k"
            out_wide_18[0] = out_kept_4_0;
#line 54 "coarsen.k"
            out_wide_18[1] = out_kept_5_0;
#line 54 "coarsen.k"
            out_wide_18[2] = out_kept_6_0;
#line 54 "coarsen.k"
            out_wide_18[3] = out_kept_7_0;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_0 * out_1 + j_4)], out_wide_18);
        }
#line 54 "coarsen.k"
        if (first_x + 1 >= own_x && first_y >= own_y) {
#line 54 "coarsen.k"
            out_wide_19[0] = out_kept_0_1;
#line 54 "coarsen.k"
            out_wide_19[1] = out_kept_1_1;
#line 54 "coarsen.k"
            out_wide_19[2] = out_kept_2_1;
#line 54 "coarsen.k"
            out_wide_19[3] = out_kept_3_1;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_1 * out_1 + j_0)], out_wide_19);
        }
#line 54 "coarsen.k"
        if (first_x + 1 >= own_x && first_y + 64 >= own_y) {
#line 54 "coarsen.k"
            out_wide_20[0] = out_kept_4_1;
#line 54 "coarsen.k"
            out_wide_20[1] = out_kept_5_1;
#line 54 "coarsen.k"
            out_wide_20[2] = out_kept_6_1;
#line 54 "coarsen.k"
            out_wide_20[3] = out_kept_7_1;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_1 * out_1 + j_4)], out_wide_20);
        }
#line 54 "coarsen.k"
        if (first_x + 2 >= own_x && first_y >= own_y) {
#line 54 "coarsen.k"
            out_wide_21[0] = out_kept_0_2;
#line 54 "coarsen.k"
            out_wide_21[1] = out_kept_1_2;
#line 54 "coarsen.k"
            out_wide_21[2] = out_kept_2_2;
#line 54 "coarsen.k"
            out_wide_21[3] = out_kept_3_2;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_2 * out_1 + j_0)], out_wide_21);
        }
#line 54 "coarsen.k"
        if (first_x + 2 >= own_x && first_y + 64 >= own_y) {
#line 54 "coarsen.k"
            out_wide_22[0] = out_kept_4_2;
#line 54 "coarsen.k"
            out_wide_22[1] = out_kept_5_2;
#line 54 "coarsen.k"
            out_wide_22[2] = out_kept_6_2;
#line 54 "coarsen.k"
            out_wide_22[3] = out_kept_7_2;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_2 * out_1 + j_4)], out_wide_22);
        }
#line 54 "coarsen.k"
        if (first_x + 3 >= own_x && first_y >= own_y) {
#line 54 "coarsen.k"
            out_wide_23[0] = out_kept_0_3;
#line 54 "coarsen.k"
            out_wide_23[1] = out_kept_1_3;
#line 54 "coarsen.k"
            out_wide_23[2] = out_kept_2_3;
#line 54 "coarsen.k"
            out_wide_23[3] = out_kept_3_3;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_3 * out_1 + j_0)], out_wide_23);
        }
#line 54 "coarsen.k"
        if (first_x + 3 >= own_x && first_y + 64 >= own_y) {
#line 54 "coarsen.k"
            out_wide_24[0] = out_kept_4_3;
#line 54 "coarsen.k"
            out_wide_24[1] = out_kept_5_3;
#line 54 "coarsen.k"
            out_wide_24[2] = out_kept_6_3;
#line 54 "coarsen.k"
            out_wide_24[3] = out_kept_7_3;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_3 * out_1 + j_4)], out_wide_24);
        }
#line 54 "coarsen.k"
        if (first_x + 4 >= own_x && first_y >= own_y) {
#line 54 "coarsen.k"
            out_wide_25[0] = out_kept_0_4;
#line 54 "coarsen.k"
            out_wide_25[1] = out_kept_1_4;
#line 54 "coarsen.k"
            out_wide_25[2] = out_kept_2_4;
#line 54 "coarsen.k"
            out_wide_25[3] = out_kept_3_4;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_4 * out_1 + j_0)], out_wide_25);
        }
#line 54 "coarsen.k"
        if (first_x + 4 >= own_x && first_y + 64 >= own_y) {
#line 54 "coarsen.k"
            out_wide_26[0] = out_kept_4_4;
#line 54 "coarsen.k"
            out_wide_26[1] = out_kept_5_4;
#line 54 "coarsen.k"
            out_wide_26[2] = out_kept_6_4;
#line 54 "coarsen.k"
            out_wide_26[3] = out_kept_7_4;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_4 * out_1 + j_4)], out_wide_26);
        }
#line 54 "coarsen.k"
        if (first_x + 5 >= own_x && first_y >= own_y) {
#line 54 "coarsen.k"
            out_wide_27[0] = out_kept_0_5;
#line 54 "coarsen.k"
            out_wide_27[1] = out_kept_1_5;
#line 54 "coarsen.k"
            out_wide_27[2] = out_kept_2_5;
#line 54 "coarsen.k"
            out_wide_27[3] = out_kept_3_5;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_5 * out_1 + j_0)], out_wide_27);
        }
#line 54 "coarsen.k"
        if (first_x + 5 >= own_x && first_y + 64 >= own_y) {
#line 54 "coarsen.k"
            out_wide_28[0] = out_kept_4_5;
#line 54 "coarsen.k"
            out_wide_28[1] = out_kept_5_5;
#line 54 "coarsen.k"
            out_wide_28[2] = out_kept_6_5;
#line 54 "coarsen.k"
            out_wide_28[3] = out_kept_7_5;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_5 * out_1 + j_4)], out_wide_28);
        }
#line 54 "coarsen.k"
        if (first_x + 6 >= own_x && first_y >= own_y) {
#line 54 "coarsen.k"
            out_wide_29[0] = out_kept_0_6;
#line 54 "coarsen.k"
            out_wide_29[1] = out_kept_1_6;
#line 54 "coarsen.k"
            out_wide_29[2] = out_kept_2_6;
#line 54 "coarsen.k"
            out_wide_29[3] = out_kept_3_6;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_6 * out_1 + j_0)], out_wide_29);
        }
#line 54 "coarsen.k"
        if (first_x + 6 >= own_x && first_y + 64 >= own_y) {
#line 54 "coarsen.k"
            out_wide_30[0] = out_kept_4_6;
#line 54 "coarsen.k"
            out_wide_30[1] = out_kept_5_6;
#line 54 "coarsen.k"
            out_wide_30[2] = out_kept_6_6;
#line 54 "coarsen.k"
            out_wide_30[3] = out_kept_7_6;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_6 * out_1 + j_4)], out_wide_30);
        }
#line 54 "coarsen.k"
        if (first_x + 7 >= own_x && first_y >= own_y) {
#line 54 "coarsen.k"
            out_wide_31[0] = out_kept_0_7;
#line 54 "coarsen.k"
            out_wide_31[1] = out_kept_1_7;
#line 54 "coarsen.k"
            out_wide_31[2] = out_kept_2_7;
#line 54 "coarsen.k"
            out_wide_31[3] = out_kept_3_7;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_7 * out_1 + j_0)], out_wide_31);
        }
#line 54 "coarsen.k"
        if (first_x + 7 >= own_x && first_y + 64 >= own_y) {
#line 54 "coarsen.k"
            out_wide_32[0] = out_kept_4_7;
#line 54 "coarsen.k"
            out_wide_32[1] = out_kept_5_7;
#line 54 "coarsen.k"
            out_wide_32[2] = out_kept_6_7;
#line 54 "coarsen.k"
            out_wide_32[3] = out_kept_7_7;
#line 54 "coarsen.k"
            wide_store16(&out[hidden_i64(i_7 * out_1 + j_4)], out_wide_32);
        }
    } else {
#line 51 "coarsen.k"
        #pragma unroll 1
        for (int near = 0; near < 8; near++) {
#line 51 "coarsen.k"
            #pragma unroll 1
            for (int apart = 0; apart < 2; apart++) {
#line 51 "coarsen.k"
                #pragma unroll 1
                for (int near_2 = 0; near_2 < 4; near_2++) {
#line 51 "coarsen.k"
                    int index_x = first_x + near;
                    int index_y = first_y + apart * 64 + near_2;
#line 51 "coarsen.k"
                    if (index_x < (int)_threads_x && index_y < (int)_threads_y &&
                            first_z < (int)_threads_z && index_x >= own_x && index_y >= own_y) {
#line 51 "coarsen.k"
                        int i = index_x;
                        int j = index_y;
                        if (i < out_0 && j < out_1) {
                            if (0 < a_1) {
#line 54 "coarsen.k"
                                float out_kept = out[hidden_i64(i * out_1 + j)];
#line 53 "coarsen.k"
                                int _stop_2 = a_1;
                                int _next_2 = 0;
#line 53 "coarsen.k"
                                #pragma unroll 1
                                for (int _i = _next_2; _i < _stop_2 - 15; _i += 16) {
#line 53 "coarsen.k"
                                    #pragma unroll
                                    for (int _k_2 = 0; _k_2 < 16; _k_2++) {
#line 53 "coarsen.k"
                                        int k_4 = _i + _k_2;
#line 53 "coarsen.k"
                                        a_held[_k_2] = a[i * a_1 + k_4];
#line 53 "coarsen.k"
                                        b_held[_k_2] = b[k_4 * b_1 + j];
                                    }
#line 53 "coarsen.k"
                                    #pragma unroll
                                    for (int _k_3 = 0; _k_3 < 16; _k_3++)
#line 54 "coarsen.k"
                                        out_kept += a_held[_k_3] * b_held[_k_3];
#line 53 "coarsen.k"
                                    _next_2 = _i + 16;
                                }
#line 53 "coarsen.k"
                                #pragma unroll 1
                                for (int _i_2 = _next_2; _i_2 < _stop_2 - 3; _i_2 += 4) {
#line 53 "coarsen.k"
                                    #pragma unroll
                                    for (int _k_4 = 0; _k_4 < 4; _k_4++) {
#line 53 "coarsen.k"
                                        int k_6 = _i_2 + _k_4;
#line 53 "coarsen.k"
                                        a_held_2[_k_4] = a[i * a_1 + k_6];
#line 53 "coarsen.k"
                                        b_held_2[_k_4] = b[k_6 * b_1 + j];
                                    }
#line 53 "coarsen.k"
                                    #pragma unroll
                                    for (int _k_5 = 0; _k_5 < 4; _k_5++)
#line 54 "coarsen.k"
                                        out_kept += a_held_2[_k_5] * b_held_2[_k_5];
#line 53 "coarsen.k"
                                    _next_2 = _i_2 + 4;
                                }
#line 53 "coarsen.k"
                                #pragma unroll 1
                                for (int k = _next_2; k < _stop_2; k++)
#line 54 "coarsen.k"
                                    out_kept += a[i * a_1 + k] * b[k * b_1 + j];
#line 54 "coarsen.k"
                                out[hidden_i64(i * out_1 + j)] = out_kept;
                            }
                        }
                    }
                }
            }
        }
    }
}

== by_strides_of_the_grid ==
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

#line 60 "coarsen.k"
extern "C" __global__ void __launch_bounds__(256) by_strides_of_the_grid(const float *__restrict__ a, int a_0, const float *__restrict__ b, int b_0, float *__restrict__ out, int out_0)
{
    __align__(16) float a_wide[4];
    __align__(16) float b_wide[4];
    __align__(16) float out_wide[4];
#line 62 "coarsen.k"
    int stop = out_0;
    for (long long first_x = (long long)(blockIdx.x * blockDim.x + threadIdx.x) * 4;
            first_x < stop; first_x += (long long)(gridDim.x * blockDim.x) * 4) {
#line 62 "coarsen.k"
        int i_0 = (int)first_x;
        if ((int)first_x + 3 < stop) {
#line 63 "coarsen.k"
            wide_load16(a_wide, &a[i_0]);
#line 63 "coarsen.k"
            wide_load16(b_wide, &b[i_0]);
#line 63 "coarsen.k"
            out_wide[0] = a_wide[0] * b_wide[0];
#line 63 "coarsen.k"
            out_wide[1] = a_wide[1] * b_wide[1];
#line 63 "coarsen.k"
            out_wide[2] = a_wide[2] * b_wide[2];
#line 63 "coarsen.k"
            out_wide[3] = a_wide[3] * b_wide[3];
#line 63 "coarsen.k"
            wide_store16(&out[i_0], out_wide);
        } else {
#line 62 "coarsen.k"
            #pragma unroll 1
            for (int near = 0; near < 4; near++) {
#line 62 "coarsen.k"
                int index_x = (int)first_x + near;
                if (index_x < stop) {
#line 62 "coarsen.k"
                    int i = index_x;
                    out[i] = a[i] * b[i];
                }
            }
        }
    }
}

== hashed ==
#line 1 "kjit prelude"
/* By hand: the compiler takes an assignment apart, and does not always put it together again. */
static __device__ inline void wide_store16(void *to, const void *from)
{
    const uint4 all = *(const uint4 *)from;
    asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(all.x), "r"(all.y), "r"(all.z), "r"(all.w)
                 : "memory");
}

#line 68 "coarsen.k"
extern "C" __global__ void __launch_bounds__(256) hashed(int *out, int out_0, long long _threads_x,
        long long _threads_y, long long _threads_z)
{
    __align__(16) int out_wide[4];
#line 70 "coarsen.k"
    int first_x = (int)(blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int first_y = blockIdx.y * blockDim.y + threadIdx.y;
#line 70 "coarsen.k"
    int first_z = blockIdx.z * blockDim.z + threadIdx.z;
    int i_0 = first_x;
#line 70 "coarsen.k"
    int i_1 = first_x + 1;
    int i_2 = first_x + 2;
#line 70 "coarsen.k"
    int i_3 = first_x + 3;
    if (first_x + 3 < (int)_threads_x && first_y < (int)_threads_y && first_z < (int)_threads_z &&
            i_3 < out_0 && (long long)((unsigned long long)i_0 * 6364136223846793005LL) < 0 &&
            (long long)((unsigned long long)i_1 * 6364136223846793005LL) < 0 &&
            (long long)((unsigned long long)i_2 * 6364136223846793005LL) < 0 &&
            (long long)((unsigned long long)i_3 * 6364136223846793005LL) < 0) {
#line 72 "coarsen.k"
        out_wide[0] = 1;
#line 72 "coarsen.k"
        out_wide[1] = 1;
#line 72 "coarsen.k"
        out_wide[2] = 1;
#line 72 "coarsen.k"
        out_wide[3] = 1;
#line 72 "coarsen.k"
        wide_store16(&out[i_0], out_wide);
    } else {
#line 70 "coarsen.k"
        #pragma unroll 1
        for (int near = 0; near < 4; near++) {
#line 70 "coarsen.k"
            int index_x = first_x + near;
            if (index_x < (int)_threads_x && first_y < (int)_threads_y &&
                    first_z < (int)_threads_z) {
#line 70 "coarsen.k"
                int i = index_x;
                if (i < out_0 && (long long)((unsigned long long)i * 6364136223846793005LL) < 0)
                    out[i] = 1;
            }
        }
    }
}

== far_away ==
#line 1 "kjit prelude"
/* By hand: the compiler takes an assignment apart, and does not always put it together again. */
static __device__ inline void wide_store16(void *to, const void *from)
{
    const uint4 all = *(const uint4 *)from;
    asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(all.x), "r"(all.y), "r"(all.z), "r"(all.w)
                 : "memory");
}

#line 77 "coarsen.k"
extern "C" __global__ void __launch_bounds__(256) far_away(int *out, int out_0, long long far,
        long long _threads_x, long long _threads_y, long long _threads_z)
{
    __align__(16) int out_wide[4];
#line 79 "coarsen.k"
    int first_x = (int)(blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int first_y = blockIdx.y * blockDim.y + threadIdx.y;
#line 79 "coarsen.k"
    int first_z = blockIdx.z * blockDim.z + threadIdx.z;
    int i_0 = first_x;
#line 79 "coarsen.k"
    int i_1 = first_x + 1;
    int i_2 = first_x + 2;
#line 79 "coarsen.k"
    int i_3 = first_x + 3;
    if (first_x + 3 < (int)_threads_x && first_y < (int)_threads_y && first_z < (int)_threads_z &&
            i_3 < out_0 && (long long)((unsigned long long)i_0 + far) > 0 &&
            (long long)((unsigned long long)i_1 + far) > 0 &&
            (long long)((unsigned long long)i_2 + far) > 0 &&
            (long long)((unsigned long long)i_3 + far) > 0) {
#line 81 "coarsen.k"
        out_wide[0] = 1;
#line 81 "coarsen.k"
        out_wide[1] = 1;
#line 81 "coarsen.k"
        out_wide[2] = 1;
#line 81 "coarsen.k"
        out_wide[3] = 1;
#line 81 "coarsen.k"
        wide_store16(&out[i_0], out_wide);
    } else {
#line 79 "coarsen.k"
        #pragma unroll 1
        for (int near = 0; near < 4; near++) {
#line 79 "coarsen.k"
            int index_x = first_x + near;
            if (index_x < (int)_threads_x && first_y < (int)_threads_y &&
                    first_z < (int)_threads_z) {
#line 79 "coarsen.k"
                int i = index_x;
                if (i < out_0 && (long long)((unsigned long long)i + far) > 0)
                    out[i] = 1;
            }
        }
    }
}

