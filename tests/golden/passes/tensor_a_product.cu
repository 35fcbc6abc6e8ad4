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
static __device__ inline void async_copy8(void *to, const void *from)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(to);

    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" : : "r"(address), "l"(from) : "memory");
}

/* Until no more than N of the groups that the thread has committed are on their way. */
template <int N> static __device__ inline void async_wait()
{
    asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
}

static __device__ inline int min_i32(int a, int b)
{
    return b < a ? b : a;
}

static __device__ inline double negative_zero_f64()
{
    double zero = -0.0;

    asm("" : "+d"(zero));
    return zero;
}

/* The lanes of a warp have a[16][8], b[8][8] and sums[16][8] among them. To each of the sums 8
** products are added, one after the other, each by fma. */
static __device__ inline void mma_f64(double *sums, const double *a, const double *b)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

/* A warp adds the products of 16 * M rows of `a` and 8 * N columns of `b` to its sums, 8 for each,
** of what its lanes hold of them, if it ADDS, and loads what they hold next: of `a` in the place of
** what has been multiplied, of `b` beside it. The steps are from row to row, and from k to k. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, bool ADDS, int M, int N>
static __device__ inline void tile_half_f64(double (&sums)[M][N][4], double *a_held, const double *b_held,
                       double *b_next, const double *a, const double *b, int lane)
{
    a += lane / 4 * A_ROW + lane % 4 * A_K;
    b += lane / 4 * B_COLUMN + lane % 4 * B_K;
    #pragma unroll
    for (int m = 0; m < M; m++) {
        #pragma unroll
        for (int n = 0; ADDS && n < N; n++)
            mma_f64(sums[m][n], a_held + 4 * m, b_held + 2 * n);
        #pragma unroll
        for (int i = 0; i < 4; i++)
            a_held[4 * m + i] = a[(16 * m + i % 2 * 8) * A_ROW + i / 2 * 4 * A_K];
        #pragma unroll
        for (int i = m * 2 * N / M; i < (m + 1) * 2 * N / M; i++)
            b_next[i] = b[8 * (i / 2) * B_COLUMN + i % 2 * 4 * B_K];
    }
}

template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>
static __device__ inline void tile_ahead_f64(double (&sums)[M][N][4], const double *a, const double *b, int lane,
                        double *held)
{
    tile_half_f64<A_ROW, A_K, B_COLUMN, B_K, false>(sums, held, held, held + 4 * M, a, b, lane);
}

/* Adds the first 8 products of tiles, and loads what the other 8 are of. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>
static __device__ inline void tile_product_f64(double (&sums)[M][N][4], const double *a, const double *b, int lane,
                          double *held)
{
    tile_half_f64<A_ROW, A_K, B_COLUMN, B_K, true>(
        sums, held, held + 4 * M, held + 4 * M + 2 * N, a + 8 * A_K, b + 8 * B_K, lane);
}

/* Adds these other 8, and loads what the first 8 of the next tiles are of. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>
static __device__ inline void tile_rest_f64(double (&sums)[M][N][4], const double *a, const double *b, int lane,
                       double *held)
{
    tile_half_f64<A_ROW, A_K, B_COLUMN, B_K, true>(sums, held, held + 4 * M + 2 * N, held + 4 * M,
                                                   a, b, lane);
}

#line 4 "tensor_a_product.ir"
extern "C" __global__ void __launch_bounds__(128, 2) k(const double *__restrict__ a, int a_0,
        int a_1, const double *__restrict__ b, int b_0, int b_1, double *__restrict__ c, int c_0,
        int c_1, long long _threads_x, long long _threads_y, long long _threads_z)
{
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    double (&a_near)[3][128][20] = *(double (*)[3][128][20])(dynamic_shared + 0);
    double (&b_near)[3][16][68] = *(double (*)[3][16][68])(dynamic_shared + 61440);
    double total_sums[4][4][4];
    double total_held[32];
#line 9 "tensor_a_product.ir"
    int _row_first = (int)blockIdx.y * 128;
    int _rows = min_i32((int)_threads_x, c_0);
#line 9 "tensor_a_product.ir"
    long long _column_first = (long long)blockIdx.x * 64;
    int _columns = min_i32((int)_threads_y, c_1);
#line 9 "tensor_a_product.ir"
    int _layer = blockIdx.z * blockDim.z + threadIdx.z;
    if (_row_first < _rows && _column_first < _columns) {
#line 9 "tensor_a_product.ir"
        int _lane = threadIdx.x;
        int _self = _lane + (int)threadIdx.y * 32;
#line 9 "tensor_a_product.ir"
        int _warp_row = ((int)threadIdx.y >> 1) * 64;
        int _warp_column = (int)(threadIdx.y & 1) * 32;
#line 9 "tensor_a_product.ir"
        #pragma unroll
        for (int _m = 0; _m < 4; _m++) {
#line 9 "tensor_a_product.ir"
            #pragma unroll
            for (int _n = 0; _n < 4; _n++) {
#line 9 "tensor_a_product.ir"
                #pragma unroll
                for (int _e = 0; _e < 4; _e++)
#line 9 "tensor_a_product.ir"
                    total_sums[_m][_n][_e] = 0.0;
            }
        }
#line 9 "tensor_a_product.ir"
        int _start = 0;
        int _stop = a_1;
#line 9 "tensor_a_product.ir"
        #pragma unroll 1
        for (int _ahead = _start; _ahead < _start + 32; _ahead += 16) {
#line 9 "tensor_a_product.ir"
            if (_ahead < _stop) {
                int _buffer = (_ahead >> 4) % 3;
#line 9 "tensor_a_product.ir"
                if (_ahead + 16 <= _stop && _row_first + 128 <= _rows && (int)_column_first +
                        64 <= _columns) {
#line 9 "tensor_a_product.ir"
                    #pragma unroll
                    for (int _round = 0; _round < 8; _round++) {
#line 9 "tensor_a_product.ir"
                        int _at = (_self >> 3) + _round * 16;
                        int _near_k = (_self & 7) * 2;
#line 9 "tensor_a_product.ir"
                        int _i = _row_first + _at;
                        int n_2 = _ahead + _near_k;
#line 9 "tensor_a_product.ir"
                        async_copy16(&a_near[_buffer][_at][_near_k], &a[_i * a_1 + n_2]);
                    }
#line 9 "tensor_a_product.ir"
                    #pragma unroll
                    for (int _round_2 = 0; _round_2 < 4; _round_2++) {
#line 9 "tensor_a_product.ir"
                        int _at_2 = (_self & 31) * 2;
                        int _near_k_2 = (_self >> 5) + _round_2 * 4;
#line 9 "tensor_a_product.ir"
                        int _j = (int)_column_first + _at_2;
                        int n_3 = _ahead + _near_k_2;
#line 9 "tensor_a_product.ir"
                        async_copy16(&b_near[_buffer][_near_k_2][_at_2], &b[n_3 * b_1 + _j]);
                    }
                } else {
#line 9 "tensor_a_product.ir"
                    #pragma unroll
                    for (int _round_3 = 0; _round_3 < 8; _round_3++) {
#line 9 "tensor_a_product.ir"
                        int _at_3 = (_self >> 3) + _round_3 * 16;
                        int _near_k_3 = (_self & 7) * 2;
#line 9 "tensor_a_product.ir"
                        int _i_2 = min_i32(_row_first + _at_3, _rows + -1);
                        int n_4 = _ahead + _near_k_3;
#line 9 "tensor_a_product.ir"
                        if (n_4 + 1 < _stop) {
#line 9 "tensor_a_product.ir"
                            async_copy16(&a_near[_buffer][_at_3][_near_k_3], &a[_i_2 * a_1 + n_4]);
                        } else {
#line 9 "tensor_a_product.ir"
                            int _at_4 = _at_3;
                            int _near_k_4 = _near_k_3;
#line 9 "tensor_a_product.ir"
                            int _i_3 = min_i32(_row_first + _at_4, _rows + -1);
                            int n_5 = _ahead + _near_k_4;
#line 9 "tensor_a_product.ir"
                            if (n_5 < _stop)
#line 9 "tensor_a_product.ir"
                                async_copy8(&a_near[_buffer][_at_4][_near_k_4],
                                        &a[_i_3 * a_1 + n_5]);
                            else
#line 9 "tensor_a_product.ir"
                                a_near[_buffer][_at_4][_near_k_4] = negative_zero_f64();
                            int _at_5 = _at_3;
#line 9 "tensor_a_product.ir"
                            int _near_k_5 = _near_k_3 + 1;
                            int _i_4 = min_i32(_row_first + _at_5, _rows + -1);
#line 9 "tensor_a_product.ir"
                            int n_6 = _ahead + _near_k_5;
                            if (n_6 < _stop)
#line 9 "tensor_a_product.ir"
                                async_copy8(&a_near[_buffer][_at_5][_near_k_5],
                                        &a[_i_4 * a_1 + n_6]);
                            else
#line 9 "tensor_a_product.ir"
                                a_near[_buffer][_at_5][_near_k_5] = negative_zero_f64();
                        }
                    }
#line 9 "tensor_a_product.ir"
                    #pragma unroll
                    for (int _round_4 = 0; _round_4 < 4; _round_4++) {
#line 9 "tensor_a_product.ir"
                        int _at_6 = (_self & 31) * 2;
                        int _near_k_6 = (_self >> 5) + _round_4 * 4;
#line 9 "tensor_a_product.ir"
                        int _j_2 = (int)_column_first + _at_6;
                        int n_7 = _ahead + _near_k_6;
#line 9 "tensor_a_product.ir"
                        if (_j_2 + 1 < _columns && n_7 < _stop) {
#line 9 "tensor_a_product.ir"
                            async_copy16(&b_near[_buffer][_near_k_6][_at_6], &b[n_7 * b_1 + _j_2]);
                        } else {
#line 9 "tensor_a_product.ir"
                            int _at_7 = _at_6;
                            int _near_k_7 = _near_k_6;
#line 9 "tensor_a_product.ir"
                            int _j_3 = min_i32((int)_column_first + _at_7, _columns + -1);
                            int n_8 = _ahead + _near_k_7;
#line 9 "tensor_a_product.ir"
                            if (n_8 < _stop)
#line 9 "tensor_a_product.ir"
                                async_copy8(&b_near[_buffer][_near_k_7][_at_7],
                                        &b[n_8 * b_1 + _j_3]);
                            else
#line 9 "tensor_a_product.ir"
                                b_near[_buffer][_near_k_7][_at_7] = 0.0;
                            int _at_8 = _at_6 + 1;
#line 9 "tensor_a_product.ir"
                            int _near_k_8 = _near_k_6;
                            int _j_4 = min_i32((int)_column_first + _at_8, _columns + -1);
#line 9 "tensor_a_product.ir"
                            int n_9 = _ahead + _near_k_8;
                            if (n_9 < _stop)
#line 9 "tensor_a_product.ir"
                                async_copy8(&b_near[_buffer][_near_k_8][_at_8],
                                        &b[n_9 * b_1 + _j_4]);
                            else
#line 9 "tensor_a_product.ir"
                                b_near[_buffer][_near_k_8][_at_8] = 0.0;
                        }
                    }
                }
            }
#line 9 "tensor_a_product.ir"
            async_commit();
        }
#line 9 "tensor_a_product.ir"
        async_wait<1>();
#line 9 "tensor_a_product.ir"
        __syncthreads();
        int _buffer_2 = (_start >> 4) % 3;
#line 9 "tensor_a_product.ir"
        tile_ahead_f64<20, 1, 1, 68>(total_sums, &a_near[_buffer_2][_warp_row][0],
                &b_near[_buffer_2][0][_warp_column], _lane, total_held);
#line 9 "tensor_a_product.ir"
        #pragma unroll 1
        for (int _step = _start; _step < _stop; _step += 16) {
#line 9 "tensor_a_product.ir"
            int _buffer_3 = (_step >> 4) % 3;
#line 9 "tensor_a_product.ir"
            tile_product_f64<20, 1, 1, 68>(total_sums, &a_near[_buffer_3][_warp_row][0],
                    &b_near[_buffer_3][0][_warp_column], _lane, total_held);
#line 9 "tensor_a_product.ir"
            int _next = _step + 32;
            if (_next < _stop) {
#line 9 "tensor_a_product.ir"
                int _buffer_4 = (_next >> 4) % 3;
                if (_next + 16 <= _stop && _row_first + 128 <= _rows && (int)_column_first +
                        64 <= _columns) {
#line 9 "tensor_a_product.ir"
                    #pragma unroll
                    for (int _round_5 = 0; _round_5 < 8; _round_5++) {
#line 9 "tensor_a_product.ir"
                        int _at_9 = (_self >> 3) + _round_5 * 16;
                        int _near_k_9 = (_self & 7) * 2;
#line 9 "tensor_a_product.ir"
                        int _i_5 = _row_first + _at_9;
                        int n_10 = _next + _near_k_9;
#line 9 "tensor_a_product.ir"
                        async_copy16(&a_near[_buffer_4][_at_9][_near_k_9], &a[_i_5 * a_1 + n_10]);
                    }
#line 9 "tensor_a_product.ir"
                    #pragma unroll
                    for (int _round_6 = 0; _round_6 < 4; _round_6++) {
#line 9 "tensor_a_product.ir"
                        int _at_10 = (_self & 31) * 2;
                        int _near_k_10 = (_self >> 5) + _round_6 * 4;
#line 9 "tensor_a_product.ir"
                        int _j_5 = (int)_column_first + _at_10;
                        int n_11 = _next + _near_k_10;
#line 9 "tensor_a_product.ir"
                        async_copy16(&b_near[_buffer_4][_near_k_10][_at_10], &b[n_11 * b_1 + _j_5]);
                    }
                } else {
#line 9 "tensor_a_product.ir"
                    #pragma unroll
                    for (int _round_7 = 0; _round_7 < 8; _round_7++) {
#line 9 "tensor_a_product.ir"
                        int _at_11 = (_self >> 3) + _round_7 * 16;
                        int _near_k_11 = (_self & 7) * 2;
#line 9 "tensor_a_product.ir"
                        int _i_6 = min_i32(_row_first + _at_11, _rows + -1);
                        int n_12 = _next + _near_k_11;
#line 9 "tensor_a_product.ir"
                        if (n_12 + 1 < _stop) {
#line 9 "tensor_a_product.ir"
                            async_copy16(&a_near[_buffer_4][_at_11][_near_k_11],
                                    &a[_i_6 * a_1 + n_12]);
                        } else {
#line 9 "tensor_a_product.ir"
                            int _at_12 = _at_11;
                            int _near_k_12 = _near_k_11;
#line 9 "tensor_a_product.ir"
                            int _i_7 = min_i32(_row_first + _at_12, _rows + -1);
                            int n_13 = _next + _near_k_12;
#line 9 "tensor_a_product.ir"
                            if (n_13 < _stop)
#line 9 "tensor_a_product.ir"
                                async_copy8(&a_near[_buffer_4][_at_12][_near_k_12],
                                        &a[_i_7 * a_1 + n_13]);
                            else
#line 9 "tensor_a_product.ir"
                                a_near[_buffer_4][_at_12][_near_k_12] = negative_zero_f64();
                            int _at_13 = _at_11;
#line 9 "tensor_a_product.ir"
                            int _near_k_13 = _near_k_11 + 1;
                            int _i_8 = min_i32(_row_first + _at_13, _rows + -1);
#line 9 "tensor_a_product.ir"
                            int n_14 = _next + _near_k_13;
                            if (n_14 < _stop)
#line 9 "tensor_a_product.ir"
                                async_copy8(&a_near[_buffer_4][_at_13][_near_k_13],
                                        &a[_i_8 * a_1 + n_14]);
                            else
#line 9 "tensor_a_product.ir"
                                a_near[_buffer_4][_at_13][_near_k_13] = negative_zero_f64();
                        }
                    }
#line 9 "tensor_a_product.ir"
                    #pragma unroll
                    for (int _round_8 = 0; _round_8 < 4; _round_8++) {
#line 9 "tensor_a_product.ir"
                        int _at_14 = (_self & 31) * 2;
                        int _near_k_14 = (_self >> 5) + _round_8 * 4;
#line 9 "tensor_a_product.ir"
                        int _j_6 = (int)_column_first + _at_14;
                        int n_15 = _next + _near_k_14;
#line 9 "tensor_a_product.ir"
                        if (_j_6 + 1 < _columns && n_15 < _stop) {
#line 9 "tensor_a_product.ir"
                            async_copy16(&b_near[_buffer_4][_near_k_14][_at_14],
                                    &b[n_15 * b_1 + _j_6]);
                        } else {
#line 9 "tensor_a_product.ir"
                            int _at_15 = _at_14;
                            int _near_k_15 = _near_k_14;
#line 9 "tensor_a_product.ir"
                            int _j_7 = min_i32((int)_column_first + _at_15, _columns + -1);
                            int n_16 = _next + _near_k_15;
#line 9 "tensor_a_product.ir"
                            if (n_16 < _stop)
#line 9 "tensor_a_product.ir"
                                async_copy8(&b_near[_buffer_4][_near_k_15][_at_15],
                                        &b[n_16 * b_1 + _j_7]);
                            else
#line 9 "tensor_a_product.ir"
                                b_near[_buffer_4][_near_k_15][_at_15] = 0.0;
                            int _at_16 = _at_14 + 1;
#line 9 "tensor_a_product.ir"
                            int _near_k_16 = _near_k_14;
                            int _j_8 = min_i32((int)_column_first + _at_16, _columns + -1);
#line 9 "tensor_a_product.ir"
                            int n_17 = _next + _near_k_16;
                            if (n_17 < _stop)
#line 9 "tensor_a_product.ir"
                                async_copy8(&b_near[_buffer_4][_near_k_16][_at_16],
                                        &b[n_17 * b_1 + _j_8]);
                            else
#line 9 "tensor_a_product.ir"
                                b_near[_buffer_4][_near_k_16][_at_16] = 0.0;
                        }
                    }
                }
            }
#line 9 "tensor_a_product.ir"
            async_commit();
            int _after = _step + 16;
#line 9 "tensor_a_product.ir"
            async_wait<1>();
#line 9 "tensor_a_product.ir"
            __syncthreads();
            int _buffer_5 = (_after >> 4) % 3;
#line 9 "tensor_a_product.ir"
            tile_rest_f64<20, 1, 1, 68>(total_sums, &a_near[_buffer_5][_warp_row][0],
                    &b_near[_buffer_5][0][_warp_column], _lane, total_held);
        }
#line 9 "tensor_a_product.ir"
        #pragma unroll
        for (int _m_2 = 0; _m_2 < 4; _m_2++) {
#line 9 "tensor_a_product.ir"
            #pragma unroll
            for (int _n_2 = 0; _n_2 < 4; _n_2++) {
#line 9 "tensor_a_product.ir"
                #pragma unroll
                for (int _e_2 = 0; _e_2 < 4; _e_2++) {
#line 9 "tensor_a_product.ir"
                    int _i_9 = _row_first + _warp_row + ((_lane >> 2) + (_e_2 >> 1) * 8) +
                            _m_2 * 16;
#line 9 "tensor_a_product.ir"
                    int _j_9 = (int)_column_first + _warp_column + ((_lane & 3) * 2 + (_e_2 & 1)) +
                            _n_2 * 8;
#line 9 "tensor_a_product.ir"
                    if (_i_9 < _rows && _j_9 < _columns) {
#line 9 "tensor_a_product.ir"
                        double total = total_sums[_m_2][_n_2][_e_2];

                        c[_i_9 * c_1 + _j_9] = total;
                    }
                }
            }
        }
    }
}

