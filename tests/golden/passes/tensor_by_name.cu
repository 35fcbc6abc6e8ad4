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

/* Until no more than N of the groups that the thread has committed are on their way. */
template <int N> static __device__ inline void async_wait()
{
    asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
}

typedef unsigned short float16; /* its bits */

/* The xor keeps apart what ptxas 13.0 makes one of: a conversion to float16 of which the low byte
** is stored alone, as in packed records, stores the number converted to a uint8. */
static __device__ inline float16 f16_from_f32(float x)
{
    float16 result;

    asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; xor.b16 %0, h, 0; }" : "=h"(result) : "f"(x));
    return result;
}

static __device__ inline int min_i32(int a, int b)
{
    return b < a ? b : a;
}

/* Four matrices of 8 rows of 16 bytes, of which each lane has the address of one: a lane gets 4
** bytes of each. */
static __device__ inline void ldmatrix4(unsigned int *to, const void *row)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(row);

    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
}

/* Likewise, of rows of 8 numbers of 16 bits, which come as columns. */
static __device__ inline void ldmatrix4_turned(unsigned int *to, const void *row)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(row);

    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
}

/* A warp adds the products of 16 * M rows of `a` and 8 * N columns of `b` to its sums, 32 for each.
** The steps are from row to row, and from k to k. */
#define TILE_PRODUCT_HALF(name, mma)                                                            \
    template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>                          \
    static __device__ inline void name(float (&sums)[M][N][4], const unsigned short *a, const unsigned short *b,     \
                  int lane)                                                                     \
    {                                                                                           \
        const int far = lane % 8 + lane / 16 * 8, near = lane / 8 % 2 * 8;                      \
        unsigned int a_part[4], b_part[N][2];                                                   \
                                                                                                \
        a += A_K == 1 ? lane % 16 * A_ROW + lane / 16 * 8 : far * A_K + near;                   \
        b += B_K == 1 ? far * B_COLUMN + near : lane % 16 * B_K + lane / 16 * 8;                \
        _Pragma("unroll") for (int k = 0; k < 32; k += 16)                                      \
        {                                                                                       \
            _Pragma("unroll") for (int n = 0; n < N; n += 2)                                    \
            {                                                                                   \
                if (B_K == 1)                                                                   \
                    ldmatrix4(b_part[n], b + 8 * n * B_COLUMN + k * B_K);                       \
                else                                                                            \
                    ldmatrix4_turned(b_part[n], b + 8 * n * B_COLUMN + k * B_K);                \
            }                                                                                   \
            _Pragma("unroll") for (int m = 0; m < M; m++)                                       \
            {                                                                                   \
                if (A_K == 1)                                                                   \
                    ldmatrix4(a_part, a + 16 * m * A_ROW + k * A_K);                            \
                else                                                                            \
                    ldmatrix4_turned(a_part, a + 16 * m * A_ROW + k * A_K);                     \
                _Pragma("unroll") for (int n = 0; n < N; n++)                                   \
                    mma(sums[m][n], a_part, b_part[n]);                                         \
            }                                                                                   \
        }                                                                                       \
    }

/* The lanes of a warp have a[16][16], b[16][8] and sums[16][8] among them. To each of the sums 16
** products are added. */
static __device__ inline void mma_f16(float *sums, const unsigned int *a, const unsigned int *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

TILE_PRODUCT_HALF(tile_product_f16, mma_f16)

#line 4 "tensor_by_name.ir"
extern "C" __global__ void __launch_bounds__(256, 1) k(const float16 *__restrict__ a, int a_0,
        int a_1, const float16 *__restrict__ b, int b_0, int b_1, float *__restrict__ c, int c_0,
        int c_1, long long _threads_x, long long _threads_y, long long _threads_z)
{
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    float16 (&a_near)[4][256][40] = *(float16 (*)[4][256][40])(dynamic_shared + 0);
    float16 (&b_near)[4][32][136] = *(float16 (*)[4][32][136])(dynamic_shared + 81920);
    float total_sums[4][8][4];
#line 9 "tensor_by_name.ir"
    int _row_first = (int)blockIdx.y * 256;
    int _rows = min_i32((int)_threads_x, c_0);
#line 9 "tensor_by_name.ir"
    long long _column_first = (long long)blockIdx.x * 128;
    int _columns = min_i32((int)_threads_y, c_1);
#line 9 "tensor_by_name.ir"
    int _layer = blockIdx.z * blockDim.z + threadIdx.z;
    if (_row_first < _rows && _column_first < _columns) {
#line 9 "tensor_by_name.ir"
        int _lane = threadIdx.x;
        int _self = _lane + (int)threadIdx.y * 32;
#line 9 "tensor_by_name.ir"
        int _warp_row = ((int)threadIdx.y >> 1) * 64;
        int _warp_column = (int)(threadIdx.y & 1) * 64;
#line 9 "tensor_by_name.ir"
        #pragma unroll
        for (int _m = 0; _m < 4; _m++) {
#line 9 "tensor_by_name.ir"
            #pragma unroll
            for (int _n = 0; _n < 8; _n++) {
#line 9 "tensor_by_name.ir"
                #pragma unroll
                for (int _e = 0; _e < 4; _e++)
#line 9 "tensor_by_name.ir"
                    total_sums[_m][_n][_e] = 0.0f;
            }
        }
#line 9 "tensor_by_name.ir"
        int _start = 0;
        int _stop = a_1;
#line 9 "tensor_by_name.ir"
        #pragma unroll 1
        for (int _ahead = _start; _ahead < _start + 96; _ahead += 32) {
#line 9 "tensor_by_name.ir"
            if (_ahead < _stop) {
                int _buffer = (_ahead >> 5) & 3;
#line 9 "tensor_by_name.ir"
                if (_ahead + 32 <= _stop && _row_first + 256 <= _rows && (int)_column_first +
                        128 <= _columns) {
#line 9 "tensor_by_name.ir"
                    #pragma unroll
                    for (int _round = 0; _round < 4; _round++) {
#line 9 "tensor_by_name.ir"
                        int _at = (_self >> 2) + _round * 64;
                        int _near_k = (_self & 3) * 8;
#line 9 "tensor_by_name.ir"
                        int _i = _row_first + _at;
                        int n_2 = _ahead + _near_k;
#line 9 "tensor_by_name.ir"
                        async_copy16(&a_near[_buffer][_at][_near_k], &a[_i * a_1 + n_2]);
                    }
#line 9 "tensor_by_name.ir"
                    #pragma unroll
                    for (int _round_2 = 0; _round_2 < 2; _round_2++) {
#line 9 "tensor_by_name.ir"
                        int _at_2 = (_self & 15) * 8;
                        int _near_k_2 = (_self >> 4) + _round_2 * 16;
#line 9 "tensor_by_name.ir"
                        int _j = (int)_column_first + _at_2;
                        int n_3 = _ahead + _near_k_2;
#line 9 "tensor_by_name.ir"
                        async_copy16(&b_near[_buffer][_near_k_2][_at_2], &b[n_3 * b_1 + _j]);
                    }
                } else {
#line 9 "tensor_by_name.ir"
                    #pragma unroll
                    for (int _round_3 = 0; _round_3 < 4; _round_3++) {
#line 9 "tensor_by_name.ir"
                        int _at_3 = (_self >> 2) + _round_3 * 64;
                        int _near_k_3 = (_self & 3) * 8;
#line 9 "tensor_by_name.ir"
                        int _i_2 = min_i32(_row_first + _at_3, _rows + -1);
                        int n_4 = _ahead + _near_k_3;
#line 9 "tensor_by_name.ir"
                        if (n_4 + 7 < _stop) {
#line 9 "tensor_by_name.ir"
                            async_copy16(&a_near[_buffer][_at_3][_near_k_3], &a[_i_2 * a_1 + n_4]);
                        } else {
#line 9 "tensor_by_name.ir"
                            #pragma unroll 1
                            for (int _one = 0; _one < 8; _one++) {
#line 9 "tensor_by_name.ir"
                                int _at_4 = _at_3;
                                int _near_k_4 = _near_k_3 + _one;
#line 9 "tensor_by_name.ir"
                                int _i_3 = min_i32(_row_first + _at_4, _rows + -1);
                                int n_5 = _ahead + _near_k_4;
#line 9 "tensor_by_name.ir"
                                if (n_5 < _stop)
#line 9 "tensor_by_name.ir"
                                    a_near[_buffer][_at_4][_near_k_4] = a[_i_3 * a_1 + n_5];
                                else
#line 9 "tensor_by_name.ir"
                                    a_near[_buffer][_at_4][_near_k_4] = f16_from_f32(-0.0f);
                            }
                        }
                    }
#line 9 "tensor_by_name.ir"
                    #pragma unroll
                    for (int _round_4 = 0; _round_4 < 2; _round_4++) {
#line 9 "tensor_by_name.ir"
                        int _at_5 = (_self & 15) * 8;
                        int _near_k_5 = (_self >> 4) + _round_4 * 16;
#line 9 "tensor_by_name.ir"
                        int _j_2 = (int)_column_first + _at_5;
                        int n_6 = _ahead + _near_k_5;
#line 9 "tensor_by_name.ir"
                        if (_j_2 + 7 < _columns && n_6 < _stop) {
#line 9 "tensor_by_name.ir"
                            async_copy16(&b_near[_buffer][_near_k_5][_at_5], &b[n_6 * b_1 + _j_2]);
                        } else {
#line 9 "tensor_by_name.ir"
                            #pragma unroll 1
                            for (int _one_2 = 0; _one_2 < 8; _one_2++) {
#line 9 "tensor_by_name.ir"
                                int _at_6 = _at_5 + _one_2;
                                int _near_k_6 = _near_k_5;
#line 9 "tensor_by_name.ir"
                                int _j_3 = min_i32((int)_column_first + _at_6, _columns + -1);
                                int n_7 = _ahead + _near_k_6;
#line 9 "tensor_by_name.ir"
                                if (n_7 < _stop)
#line 9 "tensor_by_name.ir"
                                    b_near[_buffer][_near_k_6][_at_6] = b[n_7 * b_1 + _j_3];
                                else
#line 9 "tensor_by_name.ir"
                                    b_near[_buffer][_near_k_6][_at_6] = f16_from_f32(0.0f);
                            }
                        }
                    }
                }
            }
#line 9 "tensor_by_name.ir"
            async_commit();
        }
#line 9 "tensor_by_name.ir"
        #pragma unroll 1
        for (int _step = _start; _step < _stop; _step += 32) {
#line 9 "tensor_by_name.ir"
            async_wait<2>();
#line 9 "tensor_by_name.ir"
            __syncthreads();
            int _next = _step + 96;
#line 9 "tensor_by_name.ir"
            if (_next < _stop) {
                int _buffer_2 = (_next >> 5) & 3;
#line 9 "tensor_by_name.ir"
                if (_next + 32 <= _stop && _row_first + 256 <= _rows && (int)_column_first +
                        128 <= _columns) {
#line 9 "tensor_by_name.ir"
                    #pragma unroll
                    for (int _round_5 = 0; _round_5 < 4; _round_5++) {
#line 9 "tensor_by_name.ir"
                        int _at_7 = (_self >> 2) + _round_5 * 64;
                        int _near_k_7 = (_self & 3) * 8;
#line 9 "tensor_by_name.ir"
                        int _i_4 = _row_first + _at_7;
                        int n_8 = _next + _near_k_7;
#line 9 "tensor_by_name.ir"
                        async_copy16(&a_near[_buffer_2][_at_7][_near_k_7], &a[_i_4 * a_1 + n_8]);
                    }
#line 9 "tensor_by_name.ir"
                    #pragma unroll
                    for (int _round_6 = 0; _round_6 < 2; _round_6++) {
#line 9 "tensor_by_name.ir"
                        int _at_8 = (_self & 15) * 8;
                        int _near_k_8 = (_self >> 4) + _round_6 * 16;
#line 9 "tensor_by_name.ir"
                        int _j_4 = (int)_column_first + _at_8;
                        int n_9 = _next + _near_k_8;
#line 9 "tensor_by_name.ir"
                        async_copy16(&b_near[_buffer_2][_near_k_8][_at_8], &b[n_9 * b_1 + _j_4]);
                    }
                } else {
#line 9 "tensor_by_name.ir"
                    #pragma unroll
                    for (int _round_7 = 0; _round_7 < 4; _round_7++) {
#line 9 "tensor_by_name.ir"
                        int _at_9 = (_self >> 2) + _round_7 * 64;
                        int _near_k_9 = (_self & 3) * 8;
#line 9 "tensor_by_name.ir"
                        int _i_5 = min_i32(_row_first + _at_9, _rows + -1);
                        int n_10 = _next + _near_k_9;
#line 9 "tensor_by_name.ir"
                        if (n_10 + 7 < _stop) {
#line 9 "tensor_by_name.ir"
                            async_copy16(&a_near[_buffer_2][_at_9][_near_k_9],
                                    &a[_i_5 * a_1 + n_10]);
                        } else {
#line 9 "tensor_by_name.ir"
                            #pragma unroll 1
                            for (int _one_3 = 0; _one_3 < 8; _one_3++) {
#line 9 "tensor_by_name.ir"
                                int _at_10 = _at_9;
                                int _near_k_10 = _near_k_9 + _one_3;
#line 9 "tensor_by_name.ir"
                                int _i_6 = min_i32(_row_first + _at_10, _rows + -1);
                                int n_11 = _next + _near_k_10;
#line 9 "tensor_by_name.ir"
                                if (n_11 < _stop)
#line 9 "tensor_by_name.ir"
                                    a_near[_buffer_2][_at_10][_near_k_10] = a[_i_6 * a_1 + n_11];
                                else
#line 9 "tensor_by_name.ir"
                                    a_near[_buffer_2][_at_10][_near_k_10] = f16_from_f32(-0.0f);
                            }
                        }
                    }
#line 9 "tensor_by_name.ir"
                    #pragma unroll
                    for (int _round_8 = 0; _round_8 < 2; _round_8++) {
#line 9 "tensor_by_name.ir"
                        int _at_11 = (_self & 15) * 8;
                        int _near_k_11 = (_self >> 4) + _round_8 * 16;
#line 9 "tensor_by_name.ir"
                        int _j_5 = (int)_column_first + _at_11;
                        int n_12 = _next + _near_k_11;
#line 9 "tensor_by_name.ir"
                        if (_j_5 + 7 < _columns && n_12 < _stop) {
#line 9 "tensor_by_name.ir"
                            async_copy16(&b_near[_buffer_2][_near_k_11][_at_11],
                                    &b[n_12 * b_1 + _j_5]);
                        } else {
#line 9 "tensor_by_name.ir"
                            #pragma unroll 1
                            for (int _one_4 = 0; _one_4 < 8; _one_4++) {
#line 9 "tensor_by_name.ir"
                                int _at_12 = _at_11 + _one_4;
                                int _near_k_12 = _near_k_11;
#line 9 "tensor_by_name.ir"
                                int _j_6 = min_i32((int)_column_first + _at_12, _columns + -1);
                                int n_13 = _next + _near_k_12;
#line 9 "tensor_by_name.ir"
                                if (n_13 < _stop)
#line 9 "tensor_by_name.ir"
                                    b_near[_buffer_2][_near_k_12][_at_12] = b[n_13 * b_1 + _j_6];
                                else
#line 9 "tensor_by_name.ir"
                                    b_near[_buffer_2][_near_k_12][_at_12] = f16_from_f32(0.0f);
                            }
                        }
                    }
                }
            }
#line 9 "tensor_by_name.ir"
            async_commit();
            int _buffer_3 = (_step >> 5) & 3;
#line 9 "tensor_by_name.ir"
            tile_product_f16<40, 1, 1, 136>(total_sums, &a_near[_buffer_3][_warp_row][0],
                    &b_near[_buffer_3][0][_warp_column], _lane);
        }
#line 9 "tensor_by_name.ir"
        #pragma unroll
        for (int _m_2 = 0; _m_2 < 4; _m_2++) {
#line 9 "tensor_by_name.ir"
            #pragma unroll
            for (int _n_2 = 0; _n_2 < 8; _n_2++) {
#line 9 "tensor_by_name.ir"
                #pragma unroll
                for (int _e_2 = 0; _e_2 < 4; _e_2++) {
#line 9 "tensor_by_name.ir"
                    int _i_7 = _row_first + _warp_row + ((_lane >> 2) + (_e_2 >> 1) * 8) +
                            _m_2 * 16;
#line 9 "tensor_by_name.ir"
                    int _j_7 = (int)_column_first + _warp_column + ((_lane & 3) * 2 + (_e_2 & 1)) +
                            _n_2 * 8;
#line 9 "tensor_by_name.ir"
                    if (_i_7 < _rows && _j_7 < _columns) {
#line 9 "tensor_by_name.ir"
                        float total = total_sums[_m_2][_n_2][_e_2];

                        c[_i_7 * c_1 + _j_7] = total;
                    }
                }
            }
        }
    }
}

