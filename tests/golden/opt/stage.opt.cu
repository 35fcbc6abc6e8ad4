#line 1 "kjit prelude"
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

#line 9 "stage.k"
extern "C" __global__ void __launch_bounds__(256) product(const float *__restrict__ a, int a_0,
        int a_1, const float *__restrict__ b, int b_0, int b_1, float *__restrict__ c, int c_0,
        int c_1, long long _threads_x, long long _threads_y, long long _threads_z)
{
    __shared__ __align__(16) float a_near[16][68];
    __shared__ __align__(16) float b_near[16][68];
    __align__(16) float b_wide[4];
    __align__(16) float c_wide[4];
    __align__(16) float c_wide_2[4];
    __align__(16) float c_wide_3[4];
    __align__(16) float c_wide_4[4];
    __align__(16) float a_held[16];
    __align__(16) float b_held[16];
    __align__(16) float a_held_2[4];
    __align__(16) float b_held_2[4];
#line 11 "stage.k"
    int _block = (int)min_i64((long long)blockIdx.x * 64, _threads_x);
    int _end = min_i32((int)_threads_x, c_1);
#line 11 "stage.k"
    int _begin = _block < _end ? min_i32(_block, (max_i32(_end - 64, 0) + 3) & -4) : _block;
    int first_x = _begin + (int)threadIdx.x * 4;
#line 11 "stage.k"
    int _block_2 = (int)blockIdx.y * 64;
    int _end_2 = min_i32((int)_threads_y, c_0);
#line 11 "stage.k"
    int _begin_2 = _block_2 < _end_2 ? min_i32(_block_2, max_i32(_end_2 - 64, 0)) : _block_2;
    int first_y = _begin_2 + (int)threadIdx.y * 4;
#line 11 "stage.k"
    int first_z = blockIdx.z * blockDim.z + threadIdx.z;
    int x_0 = first_x;
#line 11 "stage.k"
    int x_3 = first_x + 3;
    int y_0 = first_y;
#line 11 "stage.k"
    int y_1 = first_y + 1;
    int y_2 = first_y + 2;
#line 11 "stage.k"
    int y_3 = first_y + 3;


    bool _whole = first_x + 3 < (int)_threads_x && first_y + 3 < (int)_threads_y &&
            first_z < (int)_threads_z && y_3 < c_0 && x_3 < c_1;
#line 14 "stage.k"
    int _all = __syncthreads_and(_whole);
    bool _full = _all != 0;
#line 11 "stage.k"
    if (_whole) {

        float total_0_0 = 0.0f;
        float total_1_0 = 0.0f;
#line 13 "stage.k"
        float total_2_0 = 0.0f;
        float total_3_0 = 0.0f;
#line 13 "stage.k"
        float total_0_1 = 0.0f;
        float total_1_1 = 0.0f;
#line 13 "stage.k"
        float total_2_1 = 0.0f;
        float total_3_1 = 0.0f;
#line 13 "stage.k"
        float total_0_2 = 0.0f;
        float total_1_2 = 0.0f;
#line 13 "stage.k"
        float total_2_2 = 0.0f;
        float total_3_2 = 0.0f;
#line 13 "stage.k"
        float total_0_3 = 0.0f;
        float total_1_3 = 0.0f;
#line 13 "stage.k"
        float total_2_3 = 0.0f;
        float total_3_3 = 0.0f;
        int _next = 0;
#line 14 "stage.k"
        int _stop = a_1;
        float a_1_2;
        float a_1_3;
        float a_1_4;
        float a_1_5;
#line 14 "stage.k"
        if (_full && 0 < _stop) {
            int _self = (int)threadIdx.x + (int)threadIdx.y * 16;
#line 14 "stage.k"
            #pragma unroll 1
            for (int _iteration = 0; _iteration < _stop - 15; _iteration += 16) {
#line 14 "stage.k"
                __syncthreads();
                #pragma unroll
                for (int _round = 0; _round < 4; _round++) {
#line 14 "stage.k"
                    int _at = _self + _round * 256;
                    int _inner = _at & 15;
#line 14 "stage.k"
                    int _outer = _at >> 4;
#line 14 "stage.k"
                    a_near[_inner][_outer] = a[((_block_2 < _end_2 ?
                            min_i32(_block_2, max_i32(_end_2 - 64, 0)) : _block_2) + _outer) *
                            a_1 + _iteration + _inner];
                }
#line 14 "stage.k"
                #pragma unroll
                for (int _round_2 = 0; _round_2 < 4; _round_2++) {
#line 14 "stage.k"
                    int _at_2 = _self + _round_2 * 256;
                    int _inner_2 = _at_2 & 63;
#line 14 "stage.k"
                    int _outer_2 = _at_2 >> 6;
#line 14 "stage.k"
                    b_near[_outer_2][_inner_2] =
                            b[(_iteration + _outer_2) * b_1 +
                            (_block < _end ? min_i32(_block, (max_i32(_end - 64, 0) + 3) & -4) :
                            _block) + _inner_2];
                }
#line 14 "stage.k"
                __syncthreads();
                #pragma unroll
                for (int _k = 0; _k < 16; _k++) {
#line 15 "stage.k"
                    a_1_2 = a_near[_k][(int)threadIdx.y * 4];
#line 15 "stage.k"
                    a_1_3 = a_near[_k][(int)threadIdx.y * 4 + 1];
#line 15 "stage.k"
                    a_1_4 = a_near[_k][(int)threadIdx.y * 4 + 2];
#line 15 "stage.k"
                    a_1_5 = a_near[_k][(int)threadIdx.y * 4 + 3];
#line 14 "stage.k"
                    b_wide[0] = b_near[_k][(int)threadIdx.x * 4];
#line 14 "stage.k"
                    b_wide[1] = b_near[_k][(int)threadIdx.x * 4 + 1];
#line 14 "stage.k"
                    b_wide[2] = b_near[_k][(int)threadIdx.x * 4 + 2];
#line 14 "stage.k"
                    b_wide[3] = b_near[_k][(int)threadIdx.x * 4 + 3];
                    total_0_0 += a_1_2 * b_wide[0];
#line 15 "stage.k"
                    total_1_0 += a_1_2 * b_wide[1];
#line 15 "stage.k"
                    total_2_0 += a_1_2 * b_wide[2];
#line 15 "stage.k"
                    total_3_0 += a_1_2 * b_wide[3];
#line 15 "stage.k"
                    total_0_1 += a_1_3 * b_wide[0];
#line 15 "stage.k"
                    total_1_1 += a_1_3 * b_wide[1];
#line 15 "stage.k"
                    total_2_1 += a_1_3 * b_wide[2];
#line 15 "stage.k"
                    total_3_1 += a_1_3 * b_wide[3];
#line 15 "stage.k"
                    total_0_2 += a_1_4 * b_wide[0];
#line 15 "stage.k"
                    total_1_2 += a_1_4 * b_wide[1];
#line 15 "stage.k"
                    total_2_2 += a_1_4 * b_wide[2];
#line 15 "stage.k"
                    total_3_2 += a_1_4 * b_wide[3];
#line 15 "stage.k"
                    total_0_3 += a_1_5 * b_wide[0];
#line 15 "stage.k"
                    total_1_3 += a_1_5 * b_wide[1];
#line 15 "stage.k"
                    total_2_3 += a_1_5 * b_wide[2];
#line 15 "stage.k"
                    total_3_3 += a_1_5 * b_wide[3];
                }
#line 14 "stage.k"
                _next = _iteration + 16;
            }
        }
#line 14 "stage.k"
        #pragma unroll 1
        for (int k_2 = _next; k_2 < _stop; k_2++) {
#line 15 "stage.k"
            a_1_2 = a[y_0 * a_1 + k_2];
#line 15 "stage.k"
            a_1_3 = a[y_1 * a_1 + k_2];
#line 15 "stage.k"
            a_1_4 = a[y_2 * a_1 + k_2];
#line 15 "stage.k"
            a_1_5 = a[y_3 * a_1 + k_2];
#line 15 "stage.k"
            wide_load16(b_wide, &b[k_2 * b_1 + x_0]);
#line 15 "stage.k"
            total_0_0 += a_1_2 * b_wide[0];
#line 15 "stage.k"
            total_1_0 += a_1_2 * b_wide[1];
#line 15 "stage.k"
            total_2_0 += a_1_2 * b_wide[2];
#line 15 "stage.k"
            total_3_0 += a_1_2 * b_wide[3];
#line 15 "stage.k"
            total_0_1 += a_1_3 * b_wide[0];
#line 15 "stage.k"
            total_1_1 += a_1_3 * b_wide[1];
#line 15 "stage.k"
            total_2_1 += a_1_3 * b_wide[2];
#line 15 "stage.k"
            total_3_1 += a_1_3 * b_wide[3];
#line 15 "stage.k"
            total_0_2 += a_1_4 * b_wide[0];
#line 15 "stage.k"
            total_1_2 += a_1_4 * b_wide[1];
#line 15 "stage.k"
            total_2_2 += a_1_4 * b_wide[2];
#line 15 "stage.k"
            total_3_2 += a_1_4 * b_wide[3];
#line 15 "stage.k"
            total_0_3 += a_1_5 * b_wide[0];
#line 15 "stage.k"
            total_1_3 += a_1_5 * b_wide[1];
#line 15 "stage.k"
            total_2_3 += a_1_5 * b_wide[2];
#line 15 "stage.k"
            total_3_3 += a_1_5 * b_wide[3];
        }
#line 16 "stage.k"
        c_wide[0] = total_0_0;
#line 16 "stage.k"
        c_wide[1] = total_1_0;
#line 16 "stage.k"
        c_wide[2] = total_2_0;
#line 16 "stage.k"
        c_wide[3] = total_3_0;
#line 16 "stage.k"
        wide_store16(&c[y_0 * c_1 + x_0], c_wide);
#line 16 "stage.k"
        c_wide_2[0] = total_0_1;
#line 16 "stage.k"
        c_wide_2[1] = total_1_1;
#line 16 "stage.k"
        c_wide_2[2] = total_2_1;
#line 16 "stage.k"
        c_wide_2[3] = total_3_1;
#line 16 "stage.k"
        wide_store16(&c[y_1 * c_1 + x_0], c_wide_2);
#line 16 "stage.k"
        c_wide_3[0] = total_0_2;
#line 16 "stage.k"
        c_wide_3[1] = total_1_2;
#line 16 "stage.k"
        c_wide_3[2] = total_2_2;
#line 16 "stage.k"
        c_wide_3[3] = total_3_2;
#line 16 "stage.k"
        wide_store16(&c[y_2 * c_1 + x_0], c_wide_3);
#line 16 "stage.k"
        c_wide_4[0] = total_0_3;
#line 16 "stage.k"
        c_wide_4[1] = total_1_3;
#line 16 "stage.k"
        c_wide_4[2] = total_2_3;
#line 16 "stage.k"
        c_wide_4[3] = total_3_3;
#line 16 "stage.k"
        wide_store16(&c[y_3 * c_1 + x_0], c_wide_4);
    } else {
#line 11 "stage.k"
        #pragma unroll 1
        for (int near = 0; near < 4; near++) {
#line 11 "stage.k"
            #pragma unroll 1
            for (int near_2 = 0; near_2 < 4; near_2++) {
#line 11 "stage.k"
                int index_x = first_x + near_2;
                int index_y = first_y + near;
#line 11 "stage.k"
                if (index_x < (int)_threads_x && index_y < (int)_threads_y &&
                        first_z < (int)_threads_z) {
#line 11 "stage.k"
                    int x = index_x;
                    int y = index_y;
                    if (y < c_0 && x < c_1) {
                        float total = 0.0f;
                        int _stop_2 = a_1;
#line 14 "stage.k"
                        int _next_2 = 0;
                        #pragma unroll 1
                        for (int _i = _next_2; _i < _stop_2 - 15; _i += 16) {
#line 14 "stage.k"
                            #pragma unroll
                            for (int _k_2 = 0; _k_2 < 16; _k_2++) {
#line 14 "stage.k"
                                int k_4 = _i + _k_2;
#line 14 "stage.k"
                                a_held[_k_2] = a[y * a_1 + k_4];
#line 14 "stage.k"
                                b_held[_k_2] = b[k_4 * b_1 + x];
                            }
#line 14 "stage.k"
                            #pragma unroll
                            for (int _k_3 = 0; _k_3 < 16; _k_3++)
#line 15 "stage.k"
                                total += a_held[_k_3] * b_held[_k_3];
#line 14 "stage.k"
                            _next_2 = _i + 16;
                        }
#line 14 "stage.k"
                        #pragma unroll 1
                        for (int _i_2 = _next_2; _i_2 < _stop_2 - 3; _i_2 += 4) {
#line 14 "stage.k"
                            #pragma unroll
                            for (int _k_4 = 0; _k_4 < 4; _k_4++) {
#line 14 "stage.k"
                                int k_6 = _i_2 + _k_4;
#line 14 "stage.k"
                                a_held_2[_k_4] = a[y * a_1 + k_6];
#line 14 "stage.k"
                                b_held_2[_k_4] = b[k_6 * b_1 + x];
                            }
#line 14 "stage.k"
                            #pragma unroll
                            for (int _k_5 = 0; _k_5 < 4; _k_5++)
#line 15 "stage.k"
                                total += a_held_2[_k_5] * b_held_2[_k_5];
#line 14 "stage.k"
                            _next_2 = _i_2 + 4;
                        }
#line 14 "stage.k"
                        #pragma unroll 1
                        for (int k = _next_2; k < _stop_2; k++)
#line 15 "stage.k"
                            total += a[y * a_1 + k] * b[k * b_1 + x];
                        c[y * c_1 + x] = total;
                    }
                }
            }
        }
    }
}

