#line 1 "kjit prelude"
static __device__ inline void async_commit()
{
    asm volatile("cp.async.commit_group;" : : : "memory");
}

/* Bytes of global memory to shared memory, past the registers. */
static __device__ inline void async_copy16(void *to, const void *from)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(to);

    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :
                 : "r"(address), "l"(from)
                 : "memory");
}

/* Bytes of global memory to shared memory, past the registers. */
static __device__ inline void async_copy4(void *to, const void *from)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(to);

    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"(address), "l"(from) : "memory");
}

/* Until no more than N of the groups that the thread has committed are on their way. */
template <int N> static __device__ inline void async_wait()
{
    asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
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

#line 4 "stage_ahead.ir"
extern "C" __global__ void __launch_bounds__(256) product(const float *__restrict__ a, int a_0,
        int a_1, const float *__restrict__ b, int b_0, int b_1, float *__restrict__ c, int c_0,
        int c_1, long long _threads_x, long long _threads_y, long long _threads_z)
{
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    float (&a_near)[3][16][132] = *(float (*)[3][16][132])(dynamic_shared + 0);
    float (&b_near)[3][16][132] = *(float (*)[3][16][132])(dynamic_shared + 25344);
    __align__(16) float b_wide[4];
    __align__(16) float b_wide_2[4];
    __align__(16) float c_wide[4];
    __align__(16) float c_wide_2[4];
    __align__(16) float c_wide_3[4];
    __align__(16) float c_wide_4[4];
    __align__(16) float c_wide_5[4];
    __align__(16) float c_wide_6[4];
    __align__(16) float c_wide_7[4];
    __align__(16) float c_wide_8[4];
    __align__(16) float c_wide_9[4];
    __align__(16) float c_wide_10[4];
    __align__(16) float c_wide_11[4];
    __align__(16) float c_wide_12[4];
    __align__(16) float c_wide_13[4];
    __align__(16) float c_wide_14[4];
    __align__(16) float c_wide_15[4];
    __align__(16) float c_wide_16[4];
#line 5 "stage_ahead.ir"
    int _block = (int)min_i64((long long)blockIdx.x * 128, _threads_y);
    int _end = min_i32((int)_threads_y, c_1);
#line 5 "stage_ahead.ir"
    int _begin = _block < _end ? min_i32(_block, (max_i32(_end - 128, 0) + 3) & -4) : _block;
    int first_y = _begin + (int)threadIdx.x * 4;
#line 5 "stage_ahead.ir"
    int _block_2 = (int)blockIdx.y * 128;
    int _end_2 = min_i32((int)_threads_x, c_0);
#line 5 "stage_ahead.ir"
    int _begin_2 = _block_2 < _end_2 ? min_i32(_block_2, max_i32(_end_2 - 128, 0)) : _block_2;
    int first_x = _begin_2 + (int)threadIdx.y * 8;
#line 5 "stage_ahead.ir"
    int first_z = blockIdx.z * blockDim.z + threadIdx.z;
    int i_0 = first_x;
#line 5 "stage_ahead.ir"
    int i_1 = first_x + 1;
    int i_2 = first_x + 2;
#line 5 "stage_ahead.ir"
    int i_3 = first_x + 3;
    int i_4 = first_x + 4;
#line 5 "stage_ahead.ir"
    int i_5 = first_x + 5;
    int i_6 = first_x + 6;
#line 5 "stage_ahead.ir"
    int i_7 = first_x + 7;
    int j_0 = first_y;
    int j_4 = first_y + 64;
#line 6 "stage_ahead.ir"
    int j_7 = first_y + 67;


    bool _whole = first_x + 7 < (int)_threads_x && first_y + 67 < (int)_threads_y &&
            first_z < (int)_threads_z && i_7 < c_0 && j_7 < c_1;
#line 9 "stage_ahead.ir"
    int _all = __syncthreads_and(_whole);
    bool _full = _all != 0;
#line 5 "stage_ahead.ir"
    if (_whole) {


        float total_0_0 = 0.0f;
        float total_1_0 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_2_0 = 0.0f;
        float total_3_0 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_4_0 = 0.0f;
        float total_5_0 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_6_0 = 0.0f;
        float total_7_0 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_0_1 = 0.0f;
        float total_1_1 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_2_1 = 0.0f;
        float total_3_1 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_4_1 = 0.0f;
        float total_5_1 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_6_1 = 0.0f;
        float total_7_1 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_0_2 = 0.0f;
        float total_1_2 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_2_2 = 0.0f;
        float total_3_2 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_4_2 = 0.0f;
        float total_5_2 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_6_2 = 0.0f;
        float total_7_2 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_0_3 = 0.0f;
        float total_1_3 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_2_3 = 0.0f;
        float total_3_3 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_4_3 = 0.0f;
        float total_5_3 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_6_3 = 0.0f;
        float total_7_3 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_0_4 = 0.0f;
        float total_1_4 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_2_4 = 0.0f;
        float total_3_4 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_4_4 = 0.0f;
        float total_5_4 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_6_4 = 0.0f;
        float total_7_4 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_0_5 = 0.0f;
        float total_1_5 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_2_5 = 0.0f;
        float total_3_5 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_4_5 = 0.0f;
        float total_5_5 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_6_5 = 0.0f;
        float total_7_5 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_0_6 = 0.0f;
        float total_1_6 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_2_6 = 0.0f;
        float total_3_6 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_4_6 = 0.0f;
        float total_5_6 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_6_6 = 0.0f;
        float total_7_6 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_0_7 = 0.0f;
        float total_1_7 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_2_7 = 0.0f;
        float total_3_7 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_4_7 = 0.0f;
        float total_5_7 = 0.0f;
#line 8 "stage_ahead.ir"
        float total_6_7 = 0.0f;
        float total_7_7 = 0.0f;
        int _next = 0;
#line 9 "stage_ahead.ir"
        int _stop = a_1;
        float a_1_2;
        float a_1_3;
        float a_1_4;
        float a_1_5;
        float a_1_6;
        float a_1_7;
        float a_1_8;
        float a_1_9;
#line 9 "stage_ahead.ir"
        if (_full && 0 < _stop) {
            int _self = (int)threadIdx.x + (int)threadIdx.y * 16;
#line 9 "stage_ahead.ir"
            __syncthreads();
            #pragma unroll 1
            for (int _ahead = 0; _ahead < 32; _ahead += 16) {
#line 9 "stage_ahead.ir"
                if (_ahead < _stop - 15) {
                    int _buffer = (_ahead >> 4) % 3;
#line 9 "stage_ahead.ir"
                    #pragma unroll
                    for (int _round = 0; _round < 8; _round++) {
#line 9 "stage_ahead.ir"
                        int _at = _self + _round * 256;
                        int _inner = _at & 15;
#line 9 "stage_ahead.ir"
                        int _outer = _at >> 4;
#line 9 "stage_ahead.ir"
                        async_copy4(&a_near[_buffer][_inner][_outer],
                                &a[((_block_2 < _end_2 ?
                                min_i32(_block_2, max_i32(_end_2 - 128, 0)) : _block_2) + _outer) *
                                a_1 + _ahead + _inner]);
                    }
#line 9 "stage_ahead.ir"
                    #pragma unroll
                    for (int _round_2 = 0; _round_2 < 2; _round_2++) {
#line 9 "stage_ahead.ir"
                        int _at_2 = _self + _round_2 * 256;
                        int _inner_2 = (_at_2 & 31) * 4;
#line 9 "stage_ahead.ir"
                        int _outer_2 = _at_2 >> 5;
#line 9 "stage_ahead.ir"
                        async_copy16(&b_near[_buffer][_outer_2][_inner_2],
                                &b[(_ahead + _outer_2) * b_1 +
                                (_block < _end ? min_i32(_block, (max_i32(_end - 128, 0) + 3) &
                                -4) : _block) + _inner_2]);
                    }
                }
#line 9 "stage_ahead.ir"
                async_commit();
            }
#line 9 "stage_ahead.ir"
            #pragma unroll 1
            for (int _iteration = 0; _iteration < _stop - 15; _iteration += 16) {
#line 9 "stage_ahead.ir"
                async_wait<1>();
#line 9 "stage_ahead.ir"
                __syncthreads();
                int _ahead_2 = _iteration + 32;
#line 9 "stage_ahead.ir"
                if (_ahead_2 < _stop - 15) {
                    int _buffer_2 = (_ahead_2 >> 4) % 3;
#line 9 "stage_ahead.ir"
                    #pragma unroll
                    for (int _round_3 = 0; _round_3 < 8; _round_3++) {
#line 9 "stage_ahead.ir"
                        int _at_3 = _self + _round_3 * 256;
                        int _inner_3 = _at_3 & 15;
#line 9 "stage_ahead.ir"
                        int _outer_3 = _at_3 >> 4;
#line 9 "stage_ahead.ir"
                        async_copy4(&a_near[_buffer_2][_inner_3][_outer_3],
                                &a[((_block_2 < _end_2 ?
                                min_i32(_block_2, max_i32(_end_2 - 128, 0)) : _block_2) +
                                _outer_3) * a_1 + _ahead_2 + _inner_3]);
                    }
#line 9 "stage_ahead.ir"
                    #pragma unroll
                    for (int _round_4 = 0; _round_4 < 2; _round_4++) {
#line 9 "stage_ahead.ir"
                        int _at_4 = _self + _round_4 * 256;
                        int _inner_4 = (_at_4 & 31) * 4;
#line 9 "stage_ahead.ir"
                        int _outer_4 = _at_4 >> 5;
#line 9 "stage_ahead.ir"
                        async_copy16(&b_near[_buffer_2][_outer_4][_inner_4],
                                &b[(_ahead_2 + _outer_4) * b_1 +
                                (_block < _end ? min_i32(_block, (max_i32(_end - 128, 0) + 3) &
                                -4) : _block) + _inner_4]);
                    }
                }
#line 9 "stage_ahead.ir"
                async_commit();
                int _buffer_3 = (_iteration >> 4) % 3;
#line 9 "stage_ahead.ir"
                #pragma unroll
                for (int _k = 0; _k < 16; _k++) {
#line 10 "stage_ahead.ir"
                    a_1_2 = a_near[_buffer_3][_k][(int)threadIdx.y * 8];
#line 10 "stage_ahead.ir"
                    a_1_3 = a_near[_buffer_3][_k][(int)threadIdx.y * 8 + 1];
#line 10 "stage_ahead.ir"
                    a_1_4 = a_near[_buffer_3][_k][(int)threadIdx.y * 8 + 2];
#line 10 "stage_ahead.ir"
                    a_1_5 = a_near[_buffer_3][_k][(int)threadIdx.y * 8 + 3];
#line 10 "stage_ahead.ir"
                    a_1_6 = a_near[_buffer_3][_k][(int)threadIdx.y * 8 + 4];
#line 10 "stage_ahead.ir"
                    a_1_7 = a_near[_buffer_3][_k][(int)threadIdx.y * 8 + 5];
#line 10 "stage_ahead.ir"
                    a_1_8 = a_near[_buffer_3][_k][(int)threadIdx.y * 8 + 6];
#line 10 "stage_ahead.ir"
                    a_1_9 = a_near[_buffer_3][_k][(int)threadIdx.y * 8 + 7];
#line 9 "stage_ahead.ir"
                    b_wide[0] = b_near[_buffer_3][_k][(int)threadIdx.x * 4];
#line 9 "stage_ahead.ir"
                    b_wide[1] = b_near[_buffer_3][_k][(int)threadIdx.x * 4 + 1];
#line 9 "stage_ahead.ir"
                    b_wide[2] = b_near[_buffer_3][_k][(int)threadIdx.x * 4 + 2];
#line 9 "stage_ahead.ir"
                    b_wide[3] = b_near[_buffer_3][_k][(int)threadIdx.x * 4 + 3];
#line 9 "stage_ahead.ir"
                    b_wide_2[0] = b_near[_buffer_3][_k][(int)threadIdx.x * 4 + 64];
#line 9 "stage_ahead.ir"
                    b_wide_2[1] = b_near[_buffer_3][_k][(int)threadIdx.x * 4 + 65];
#line 9 "stage_ahead.ir"
                    b_wide_2[2] = b_near[_buffer_3][_k][(int)threadIdx.x * 4 + 66];
#line 9 "stage_ahead.ir"
                    b_wide_2[3] = b_near[_buffer_3][_k][(int)threadIdx.x * 4 + 67];
                    total_0_0 += a_1_2 * b_wide[0];
#line 10 "stage_ahead.ir"
                    total_1_0 += a_1_2 * b_wide[1];
#line 10 "stage_ahead.ir"
                    total_2_0 += a_1_2 * b_wide[2];
#line 10 "stage_ahead.ir"
                    total_3_0 += a_1_2 * b_wide[3];
#line 10 "stage_ahead.ir"
                    total_4_0 += a_1_2 * b_wide_2[0];
#line 10 "stage_ahead.ir"
                    total_5_0 += a_1_2 * b_wide_2[1];
#line 10 "stage_ahead.ir"
                    total_6_0 += a_1_2 * b_wide_2[2];
#line 10 "stage_ahead.ir"
                    total_7_0 += a_1_2 * b_wide_2[3];
#line 10 "stage_ahead.ir"
                    total_0_1 += a_1_3 * b_wide[0];
#line 10 "stage_ahead.ir"
                    total_1_1 += a_1_3 * b_wide[1];
#line 10 "stage_ahead.ir"
                    total_2_1 += a_1_3 * b_wide[2];
#line 10 "stage_ahead.ir"
                    total_3_1 += a_1_3 * b_wide[3];
#line 10 "stage_ahead.ir"
                    total_4_1 += a_1_3 * b_wide_2[0];
#line 10 "stage_ahead.ir"
                    total_5_1 += a_1_3 * b_wide_2[1];
#line 10 "stage_ahead.ir"
                    total_6_1 += a_1_3 * b_wide_2[2];
#line 10 "stage_ahead.ir"
                    total_7_1 += a_1_3 * b_wide_2[3];
#line 10 "stage_ahead.ir"
                    total_0_2 += a_1_4 * b_wide[0];
#line 10 "stage_ahead.ir"
                    total_1_2 += a_1_4 * b_wide[1];
#line 10 "stage_ahead.ir"
                    total_2_2 += a_1_4 * b_wide[2];
#line 10 "stage_ahead.ir"
                    total_3_2 += a_1_4 * b_wide[3];
#line 10 "stage_ahead.ir"
                    total_4_2 += a_1_4 * b_wide_2[0];
#line 10 "stage_ahead.ir"
                    total_5_2 += a_1_4 * b_wide_2[1];
#line 10 "stage_ahead.ir"
                    total_6_2 += a_1_4 * b_wide_2[2];
#line 10 "stage_ahead.ir"
                    total_7_2 += a_1_4 * b_wide_2[3];
#line 10 "stage_ahead.ir"
                    total_0_3 += a_1_5 * b_wide[0];
#line 10 "stage_ahead.ir"
                    total_1_3 += a_1_5 * b_wide[1];
#line 10 "stage_ahead.ir"
                    total_2_3 += a_1_5 * b_wide[2];
#line 10 "stage_ahead.ir"
                    total_3_3 += a_1_5 * b_wide[3];
#line 10 "stage_ahead.ir"
                    total_4_3 += a_1_5 * b_wide_2[0];
#line 10 "stage_ahead.ir"
                    total_5_3 += a_1_5 * b_wide_2[1];
#line 10 "stage_ahead.ir"
                    total_6_3 += a_1_5 * b_wide_2[2];
#line 10 "stage_ahead.ir"
                    total_7_3 += a_1_5 * b_wide_2[3];
#line 10 "stage_ahead.ir"
                    total_0_4 += a_1_6 * b_wide[0];
#line 10 "stage_ahead.ir"
                    total_1_4 += a_1_6 * b_wide[1];
#line 10 "stage_ahead.ir"
                    total_2_4 += a_1_6 * b_wide[2];
#line 10 "stage_ahead.ir"
                    total_3_4 += a_1_6 * b_wide[3];
#line 10 "stage_ahead.ir"
                    total_4_4 += a_1_6 * b_wide_2[0];
#line 10 "stage_ahead.ir"
                    total_5_4 += a_1_6 * b_wide_2[1];
#line 10 "stage_ahead.ir"
                    total_6_4 += a_1_6 * b_wide_2[2];
#line 10 "stage_ahead.ir"
                    total_7_4 += a_1_6 * b_wide_2[3];
#line 10 "stage_ahead.ir"
                    total_0_5 += a_1_7 * b_wide[0];
#line 10 "stage_ahead.ir"
                    total_1_5 += a_1_7 * b_wide[1];
#line 10 "stage_ahead.ir"
                    total_2_5 += a_1_7 * b_wide[2];
#line 10 "stage_ahead.ir"
                    total_3_5 += a_1_7 * b_wide[3];
#line 10 "stage_ahead.ir"
                    total_4_5 += a_1_7 * b_wide_2[0];
#line 10 "stage_ahead.ir"
                    total_5_5 += a_1_7 * b_wide_2[1];
#line 10 "stage_ahead.ir"
                    total_6_5 += a_1_7 * b_wide_2[2];
#line 10 "stage_ahead.ir"
                    total_7_5 += a_1_7 * b_wide_2[3];
#line 10 "stage_ahead.ir"
                    total_0_6 += a_1_8 * b_wide[0];
#line 10 "stage_ahead.ir"
                    total_1_6 += a_1_8 * b_wide[1];
#line 10 "stage_ahead.ir"
                    total_2_6 += a_1_8 * b_wide[2];
#line 10 "stage_ahead.ir"
                    total_3_6 += a_1_8 * b_wide[3];
#line 10 "stage_ahead.ir"
                    total_4_6 += a_1_8 * b_wide_2[0];
#line 10 "stage_ahead.ir"
                    total_5_6 += a_1_8 * b_wide_2[1];
#line 10 "stage_ahead.ir"
                    total_6_6 += a_1_8 * b_wide_2[2];
#line 10 "stage_ahead.ir"
                    total_7_6 += a_1_8 * b_wide_2[3];
#line 10 "stage_ahead.ir"
                    total_0_7 += a_1_9 * b_wide[0];
#line 10 "stage_ahead.ir"
                    total_1_7 += a_1_9 * b_wide[1];
#line 10 "stage_ahead.ir"
                    total_2_7 += a_1_9 * b_wide[2];
#line 10 "stage_ahead.ir"
                    total_3_7 += a_1_9 * b_wide[3];
#line 10 "stage_ahead.ir"
                    total_4_7 += a_1_9 * b_wide_2[0];
#line 10 "stage_ahead.ir"
                    total_5_7 += a_1_9 * b_wide_2[1];
#line 10 "stage_ahead.ir"
                    total_6_7 += a_1_9 * b_wide_2[2];
#line 10 "stage_ahead.ir"
                    total_7_7 += a_1_9 * b_wide_2[3];
                }
#line 9 "stage_ahead.ir"
                _next = _iteration + 16;
            }
        }
#line 9 "stage_ahead.ir"
        #pragma unroll 1
        for (int k_2 = _next; k_2 < _stop; k_2++) {
#line 10 "stage_ahead.ir"
            a_1_2 = a[i_0 * a_1 + k_2];
#line 10 "stage_ahead.ir"
            a_1_3 = a[i_1 * a_1 + k_2];
#line 10 "stage_ahead.ir"
            a_1_4 = a[i_2 * a_1 + k_2];
#line 10 "stage_ahead.ir"
            a_1_5 = a[i_3 * a_1 + k_2];
#line 10 "stage_ahead.ir"
            a_1_6 = a[i_4 * a_1 + k_2];
#line 10 "stage_ahead.ir"
            a_1_7 = a[i_5 * a_1 + k_2];
#line 10 "stage_ahead.ir"
            a_1_8 = a[i_6 * a_1 + k_2];
#line 10 "stage_ahead.ir"
            a_1_9 = a[i_7 * a_1 + k_2];
#line 10 "stage_ahead.ir"
            wide_load16(b_wide, &b[k_2 * b_1 + j_0]);
#line 10 "stage_ahead.ir"
            wide_load16(b_wide_2, &b[k_2 * b_1 + j_4]);
#line 10 "stage_ahead.ir"
            total_0_0 += a_1_2 * b_wide[0];
#line 10 "stage_ahead.ir"
            total_1_0 += a_1_2 * b_wide[1];
#line 10 "stage_ahead.ir"
            total_2_0 += a_1_2 * b_wide[2];
#line 10 "stage_ahead.ir"
            total_3_0 += a_1_2 * b_wide[3];
#line 10 "stage_ahead.ir"
            total_4_0 += a_1_2 * b_wide_2[0];
#line 10 "stage_ahead.ir"
            total_5_0 += a_1_2 * b_wide_2[1];
#line 10 "stage_ahead.ir"
            total_6_0 += a_1_2 * b_wide_2[2];
#line 10 "stage_ahead.ir"
            total_7_0 += a_1_2 * b_wide_2[3];
#line 10 "stage_ahead.ir"
            total_0_1 += a_1_3 * b_wide[0];
#line 10 "stage_ahead.ir"
            total_1_1 += a_1_3 * b_wide[1];
#line 10 "stage_ahead.ir"
            total_2_1 += a_1_3 * b_wide[2];
#line 10 "stage_ahead.ir"
            total_3_1 += a_1_3 * b_wide[3];
#line 10 "stage_ahead.ir"
            total_4_1 += a_1_3 * b_wide_2[0];
#line 10 "stage_ahead.ir"
            total_5_1 += a_1_3 * b_wide_2[1];
#line 10 "stage_ahead.ir"
            total_6_1 += a_1_3 * b_wide_2[2];
#line 10 "stage_ahead.ir"
            total_7_1 += a_1_3 * b_wide_2[3];
#line 10 "stage_ahead.ir"
            total_0_2 += a_1_4 * b_wide[0];
#line 10 "stage_ahead.ir"
            total_1_2 += a_1_4 * b_wide[1];
#line 10 "stage_ahead.ir"
            total_2_2 += a_1_4 * b_wide[2];
#line 10 "stage_ahead.ir"
            total_3_2 += a_1_4 * b_wide[3];
#line 10 "stage_ahead.ir"
            total_4_2 += a_1_4 * b_wide_2[0];
#line 10 "stage_ahead.ir"
            total_5_2 += a_1_4 * b_wide_2[1];
#line 10 "stage_ahead.ir"
            total_6_2 += a_1_4 * b_wide_2[2];
#line 10 "stage_ahead.ir"
            total_7_2 += a_1_4 * b_wide_2[3];
#line 10 "stage_ahead.ir"
            total_0_3 += a_1_5 * b_wide[0];
#line 10 "stage_ahead.ir"
            total_1_3 += a_1_5 * b_wide[1];
#line 10 "stage_ahead.ir"
            total_2_3 += a_1_5 * b_wide[2];
#line 10 "stage_ahead.ir"
            total_3_3 += a_1_5 * b_wide[3];
#line 10 "stage_ahead.ir"
            total_4_3 += a_1_5 * b_wide_2[0];
#line 10 "stage_ahead.ir"
            total_5_3 += a_1_5 * b_wide_2[1];
#line 10 "stage_ahead.ir"
            total_6_3 += a_1_5 * b_wide_2[2];
#line 10 "stage_ahead.ir"
            total_7_3 += a_1_5 * b_wide_2[3];
#line 10 "stage_ahead.ir"
            total_0_4 += a_1_6 * b_wide[0];
#line 10 "stage_ahead.ir"
            total_1_4 += a_1_6 * b_wide[1];
#line 10 "stage_ahead.ir"
            total_2_4 += a_1_6 * b_wide[2];
#line 10 "stage_ahead.ir"
            total_3_4 += a_1_6 * b_wide[3];
#line 10 "stage_ahead.ir"
            total_4_4 += a_1_6 * b_wide_2[0];
#line 10 "stage_ahead.ir"
            total_5_4 += a_1_6 * b_wide_2[1];
#line 10 "stage_ahead.ir"
            total_6_4 += a_1_6 * b_wide_2[2];
#line 10 "stage_ahead.ir"
            total_7_4 += a_1_6 * b_wide_2[3];
#line 10 "stage_ahead.ir"
            total_0_5 += a_1_7 * b_wide[0];
#line 10 "stage_ahead.ir"
            total_1_5 += a_1_7 * b_wide[1];
#line 10 "stage_ahead.ir"
            total_2_5 += a_1_7 * b_wide[2];
#line 10 "stage_ahead.ir"
            total_3_5 += a_1_7 * b_wide[3];
#line 10 "stage_ahead.ir"
            total_4_5 += a_1_7 * b_wide_2[0];
#line 10 "stage_ahead.ir"
            total_5_5 += a_1_7 * b_wide_2[1];
#line 10 "stage_ahead.ir"
            total_6_5 += a_1_7 * b_wide_2[2];
#line 10 "stage_ahead.ir"
            total_7_5 += a_1_7 * b_wide_2[3];
#line 10 "stage_ahead.ir"
            total_0_6 += a_1_8 * b_wide[0];
#line 10 "stage_ahead.ir"
            total_1_6 += a_1_8 * b_wide[1];
#line 10 "stage_ahead.ir"
            total_2_6 += a_1_8 * b_wide[2];
#line 10 "stage_ahead.ir"
            total_3_6 += a_1_8 * b_wide[3];
#line 10 "stage_ahead.ir"
            total_4_6 += a_1_8 * b_wide_2[0];
#line 10 "stage_ahead.ir"
            total_5_6 += a_1_8 * b_wide_2[1];
#line 10 "stage_ahead.ir"
            total_6_6 += a_1_8 * b_wide_2[2];
#line 10 "stage_ahead.ir"
            total_7_6 += a_1_8 * b_wide_2[3];
#line 10 "stage_ahead.ir"
            total_0_7 += a_1_9 * b_wide[0];
#line 10 "stage_ahead.ir"
            total_1_7 += a_1_9 * b_wide[1];
#line 10 "stage_ahead.ir"
            total_2_7 += a_1_9 * b_wide[2];
#line 10 "stage_ahead.ir"
            total_3_7 += a_1_9 * b_wide[3];
#line 10 "stage_ahead.ir"
            total_4_7 += a_1_9 * b_wide_2[0];
#line 10 "stage_ahead.ir"
            total_5_7 += a_1_9 * b_wide_2[1];
#line 10 "stage_ahead.ir"
            total_6_7 += a_1_9 * b_wide_2[2];
#line 10 "stage_ahead.ir"
            total_7_7 += a_1_9 * b_wide_2[3];
        }
#line 11 "stage_ahead.ir"
        c_wide[0] = total_0_0;
#line 11 "stage_ahead.ir"
        c_wide[1] = total_1_0;
#line 11 "stage_ahead.ir"
        c_wide[2] = total_2_0;
#line 11 "stage_ahead.ir"
        c_wide[3] = total_3_0;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_0 * c_1 + j_0], c_wide);
#line 11 "stage_ahead.ir"
        c_wide_2[0] = total_4_0;
#line 11 "stage_ahead.ir"
        c_wide_2[1] = total_5_0;
#line 11 "stage_ahead.ir"
        c_wide_2[2] = total_6_0;
#line 11 "stage_ahead.ir"
        c_wide_2[3] = total_7_0;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_0 * c_1 + j_4], c_wide_2);
#line 11 "stage_ahead.ir"
        c_wide_3[0] = total_0_1;
#line 11 "stage_ahead.ir"
        c_wide_3[1] = total_1_1;
#line 11 "stage_ahead.ir"
        c_wide_3[2] = total_2_1;
#line 11 "stage_ahead.ir"
        c_wide_3[3] = total_3_1;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_1 * c_1 + j_0], c_wide_3);
#line 11 "stage_ahead.ir"
        c_wide_4[0] = total_4_1;
#line 11 "stage_ahead.ir"
        c_wide_4[1] = total_5_1;
#line 11 "stage_ahead.ir"
        c_wide_4[2] = total_6_1;
#line 11 "stage_ahead.ir"
        c_wide_4[3] = total_7_1;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_1 * c_1 + j_4], c_wide_4);
#line 11 "stage_ahead.ir"
        c_wide_5[0] = total_0_2;
#line 11 "stage_ahead.ir"
        c_wide_5[1] = total_1_2;
#line 11 "stage_ahead.ir"
        c_wide_5[2] = total_2_2;
#line 11 "stage_ahead.ir"
        c_wide_5[3] = total_3_2;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_2 * c_1 + j_0], c_wide_5);
#line 11 "stage_ahead.ir"
        c_wide_6[0] = total_4_2;
#line 11 "stage_ahead.ir"
        c_wide_6[1] = total_5_2;
#line 11 "stage_ahead.ir"
        c_wide_6[2] = total_6_2;
#line 11 "stage_ahead.ir"
        c_wide_6[3] = total_7_2;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_2 * c_1 + j_4], c_wide_6);
#line 11 "stage_ahead.ir"
        c_wide_7[0] = total_0_3;
#line 11 "stage_ahead.ir"
        c_wide_7[1] = total_1_3;
#line 11 "stage_ahead.ir"
        c_wide_7[2] = total_2_3;
#line 11 "stage_ahead.ir"
        c_wide_7[3] = total_3_3;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_3 * c_1 + j_0], c_wide_7);
#line 11 "stage_ahead.ir"
        c_wide_8[0] = total_4_3;
#line 11 "stage_ahead.ir"
        c_wide_8[1] = total_5_3;
#line 11 "stage_ahead.ir"
        c_wide_8[2] = total_6_3;
#line 11 "stage_ahead.ir"
        c_wide_8[3] = total_7_3;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_3 * c_1 + j_4], c_wide_8);
#line 11 "stage_ahead.ir"
        c_wide_9[0] = total_0_4;
#line 11 "stage_ahead.ir"
        c_wide_9[1] = total_1_4;
#line 11 "stage_ahead.ir"
        c_wide_9[2] = total_2_4;
#line 11 "stage_ahead.ir"
        c_wide_9[3] = total_3_4;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_4 * c_1 + j_0], c_wide_9);
#line 11 "stage_ahead.ir"
        c_wide_10[0] = total_4_4;
#line 11 "stage_ahead.ir"
        c_wide_10[1] = total_5_4;
#line 11 "stage_ahead.ir"
        c_wide_10[2] = total_6_4;
#line 11 "stage_ahead.ir"
        c_wide_10[3] = total_7_4;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_4 * c_1 + j_4], c_wide_10);
#line 11 "stage_ahead.ir"
        c_wide_11[0] = total_0_5;
#line 11 "stage_ahead.ir"
        c_wide_11[1] = total_1_5;
#line 11 "stage_ahead.ir"
        c_wide_11[2] = total_2_5;
#line 11 "stage_ahead.ir"
        c_wide_11[3] = total_3_5;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_5 * c_1 + j_0], c_wide_11);
#line 11 "stage_ahead.ir"
        c_wide_12[0] = total_4_5;
#line 11 "stage_ahead.ir"
        c_wide_12[1] = total_5_5;
#line 11 "stage_ahead.ir"
        c_wide_12[2] = total_6_5;
#line 11 "stage_ahead.ir"
        c_wide_12[3] = total_7_5;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_5 * c_1 + j_4], c_wide_12);
#line 11 "stage_ahead.ir"
        c_wide_13[0] = total_0_6;
#line 11 "stage_ahead.ir"
        c_wide_13[1] = total_1_6;
#line 11 "stage_ahead.ir"
        c_wide_13[2] = total_2_6;
#line 11 "stage_ahead.ir"
        c_wide_13[3] = total_3_6;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_6 * c_1 + j_0], c_wide_13);
#line 11 "stage_ahead.ir"
        c_wide_14[0] = total_4_6;
#line 11 "stage_ahead.ir"
        c_wide_14[1] = total_5_6;
#line 11 "stage_ahead.ir"
        c_wide_14[2] = total_6_6;
#line 11 "stage_ahead.ir"
        c_wide_14[3] = total_7_6;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_6 * c_1 + j_4], c_wide_14);
#line 11 "stage_ahead.ir"
        c_wide_15[0] = total_0_7;
#line 11 "stage_ahead.ir"
        c_wide_15[1] = total_1_7;
#line 11 "stage_ahead.ir"
        c_wide_15[2] = total_2_7;
#line 11 "stage_ahead.ir"
        c_wide_15[3] = total_3_7;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_7 * c_1 + j_0], c_wide_15);
#line 11 "stage_ahead.ir"
        c_wide_16[0] = total_4_7;
#line 11 "stage_ahead.ir"
        c_wide_16[1] = total_5_7;
#line 11 "stage_ahead.ir"
        c_wide_16[2] = total_6_7;
#line 11 "stage_ahead.ir"
        c_wide_16[3] = total_7_7;
#line 11 "stage_ahead.ir"
        wide_store16(&c[i_7 * c_1 + j_4], c_wide_16);
    } else {
#line 5 "stage_ahead.ir"
        #pragma unroll 1
        for (int near = 0; near < 8; near++) {
#line 5 "stage_ahead.ir"
            #pragma unroll 1
            for (int apart = 0; apart < 2; apart++) {
#line 5 "stage_ahead.ir"
                #pragma unroll 1
                for (int near_2 = 0; near_2 < 4; near_2++) {
#line 5 "stage_ahead.ir"
                    int index_x = first_x + near;
                    int index_y = first_y + apart * 64 + near_2;
#line 5 "stage_ahead.ir"
                    if (index_x < (int)_threads_x && index_y < (int)_threads_y &&
                            first_z < (int)_threads_z) {
#line 5 "stage_ahead.ir"
                        int i = index_x;
                        int j = index_y;
                        if (i < c_0 && j < c_1) {
                            float total = 0.0f;
                            for (int k = 0; k < a_1; k++)
                                total += a[i * a_1 + k] * b[k * b_1 + j];
                            c[i * c_1 + j] = total;
                        }
                    }
                }
            }
        }
    }
}

