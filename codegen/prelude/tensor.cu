/* Products of tiles by tensor cores: an instruction a piece, and what a warp does with it. Pieces:
** see emit.h. */

/*@ mma_f64 - */
/* The lanes of a warp have a[16][8], b[8][8] and sums[16][8] among them. To each of the sums 8
** products are added, one after the other, each by fma. */
$fn void mma_f64(double *sums, const double *a, const double *b)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

/*@ tile_half_f64 - : mma_f64.- */
/* A warp adds the products of 16 * M rows of `a` and 8 * N columns of `b` to its sums, 8 for each,
** of what its lanes hold of them, if it ADDS, and loads what they hold next: of `a` in the place of
** what has been multiplied, of `b` beside it. The steps are from row to row, and from k to k. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, bool ADDS, int M, int N>
$fn void tile_half_f64(double (&sums)[M][N][4], double *a_held, const double *b_held,
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

/*@ tile_product_f64 - : tile_half_f64.- */
/* Adds the first 8 products of tiles, and loads what the other 8 are of. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>
$fn void tile_product_f64(double (&sums)[M][N][4], const double *a, const double *b, int lane,
                          double *held)
{
    tile_half_f64<A_ROW, A_K, B_COLUMN, B_K, true>(
        sums, held, held + 4 * M, held + 4 * M + 2 * N, a + 8 * A_K, b + 8 * B_K, lane);
}

/*@ tile_rest_f64 - : tile_half_f64.- */
/* Adds these other 8, and loads what the first 8 of the next tiles are of. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>
$fn void tile_rest_f64(double (&sums)[M][N][4], const double *a, const double *b, int lane,
                       double *held)
{
    tile_half_f64<A_ROW, A_K, B_COLUMN, B_K, true>(sums, held, held + 4 * M + 2 * N, held + 4 * M,
                                                   a, b, lane);
}

/*@ tile_ahead_f64 - : tile_half_f64.- */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>
$fn void tile_ahead_f64(double (&sums)[M][N][4], const double *a, const double *b, int lane,
                        double *held)
{
    tile_half_f64<A_ROW, A_K, B_COLUMN, B_K, false>(sums, held, held, held + 4 * M, a, b, lane);
}

/*@ each tf32 8; f16 16; bf16 16: mma_$1 - */
/* The lanes of a warp have a[16][$2], b[$2][8] and sums[16][8] among them. To each of the sums $2
** products are added. */
$fn void mma_$1(float *sums, const unsigned int *a, const unsigned int *b)
{
    asm volatile("mma.sync.aligned.m16n8k$2.row.col.f32.$1.$1.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/*@ MMA_I8 - */
#define MMA_I8(a_type, b_type)                                                                  \
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32." a_type "." b_type ".s32 "             \
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"              \
                 : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])                   \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

/*@ mma_i8 - : MMA_I8.- */
/* The lanes of a warp have a[16][32], b[32][8] and sums[16][8] among them. To each of the sums 32
** products are added, exactly, or as an int wraps. */
$fn void mma_i8(int *sums, const unsigned int *a, const unsigned int *b, bool a_signed,
                bool b_signed)
{
    if (a_signed && b_signed)
        MMA_I8("s8", "s8");
    else if (a_signed)
        MMA_I8("s8", "u8");
    else if (b_signed)
        MMA_I8("u8", "s8");
    else
        MMA_I8("u8", "u8");
}

/*@ ldmatrix4 - */
/* Four matrices of 8 rows of 16 bytes, of which each lane has the address of one: a lane gets 4
** bytes of each. */
$fn void ldmatrix4(unsigned int *to, const void *row)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(row);

    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
}

/*@ ldmatrix4_turned - */
/* Likewise, of rows of 8 numbers of 16 bits, which come as columns. */
$fn void ldmatrix4_turned(unsigned int *to, const void *row)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(row);

    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
}

/*@ tf32_from - */
/* x rounded to the 11 bits of a tf32. */
$fn unsigned int tf32_from(float x)
{
    unsigned int bits;

    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}

/*@ tile_product_tf32 - : mma_tf32.- tf32_from.- */
/* A warp adds the products of 16 * M rows of `a` and 8 * N columns of `b` to its sums, 16 for each.
** The steps are from row to row, and from k to k. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>
$fn void tile_product_tf32(float (&sums)[M][N][4], const float *a, const float *b, int lane)
{
    a += lane / 4 * A_ROW + lane % 4 * A_K;
    b += lane / 4 * B_COLUMN + lane % 4 * B_K;
    #pragma unroll
    for (int k = 0; k < 16; k += 8) {
        unsigned int a_part[4], b_part[N][2];

        #pragma unroll
        for (int n = 0; n < N; n++)
            #pragma unroll
            for (int i = 0; i < 2; i++)
                b_part[n][i] = tf32_from(b[8 * n * B_COLUMN + (k + 4 * i) * B_K]);
        #pragma unroll
        for (int m = 0; m < M; m++) {
            #pragma unroll
            for (int i = 0; i < 4; i++)
                a_part[i] = tf32_from(a[(16 * m + i % 2 * 8) * A_ROW + (k + i / 2 * 4) * A_K]);
            #pragma unroll
            for (int n = 0; n < N; n++)
                mma_tf32(sums[m][n], a_part, b_part[n]);
        }
    }
}

/*@ tf32_parts - */
/* x as a number of 11 bits and a rest, by arithmetic that is quick: tensor cores cut the rest off
** to 11 bits. NaN where x is not finite, or so great that it is on the way. */
$fn void tf32_parts(float x, unsigned int *near, unsigned int *rest)
{
    const float far = __fmul_rn(x, 8193), first = __fsub_rn(far, __fsub_rn(far, x));

    *near = __float_as_uint(first);
    *rest = __float_as_uint(__fsub_rn(x, first));
}

/*@ tile_product_tf32x3 - : mma_tf32.- tf32_parts.- */
/* A warp adds the products of 16 * M rows of `a` and 8 * N columns of `b` to its sums, 16 for each.
** The steps are from row to row, and from k to k. Of a number's two parts all products are added up
** but that of both rests; 8 of each at a time, whose sum the warp adds to the others itself: it
** rounds to the nearest where tensor cores cut off. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>
$fn void tile_product_tf32x3(float (&sums)[M][N][4], const float *a, const float *b, int lane)
{
    a += lane / 4 * A_ROW + lane % 4 * A_K;
    b += lane / 4 * B_COLUMN + lane % 4 * B_K;
    #pragma unroll
    for (int k = 0; k < 16; k += 8) {
        unsigned int a_part[2][4], b_part[N][2][2];

        #pragma unroll
        for (int n = 0; n < N; n++)
            #pragma unroll
            for (int i = 0; i < 2; i++)
                tf32_parts(b[8 * n * B_COLUMN + (k + 4 * i) * B_K], &b_part[n][0][i],
                           &b_part[n][1][i]);
        #pragma unroll
        for (int m = 0; m < M; m++) {
            float part[N][4] = {};

            #pragma unroll
            for (int i = 0; i < 4; i++)
                tf32_parts(a[(16 * m + i % 2 * 8) * A_ROW + (k + i / 2 * 4) * A_K], &a_part[0][i],
                           &a_part[1][i]);
            #pragma unroll
            for (int n = 0; n < N; n++)
                mma_tf32(part[n], a_part[1], b_part[n][0]);
            #pragma unroll
            for (int n = 0; n < N; n++)
                mma_tf32(part[n], a_part[0], b_part[n][1]);
            #pragma unroll
            for (int n = 0; n < N; n++)
                mma_tf32(part[n], a_part[0], b_part[n][0]);
            #pragma unroll
            for (int i = 0; i < 4 * N; i++)
                sums[m][i / 4][i % 4] += part[i / 4][i % 4];
        }
    }
}

/*@ tf32x3_masked - : mma_tf32.- tf32_split.- lane_place.- */
/* As tile_product_tf32x3, of DEPTH products, with numbers that are not finite; with MOVED, of a
** tile `b` of a group of warps, and with A_MOVED of such a tile `a`, from a row on. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int DEPTH, bool MOVED, bool A_MOVED, int M,
          int N>
$fn void tf32x3_masked(float (&sums)[M][N][4], const float *a, const float *b, int lane, int row)
{
    b += lane / 4 * B_COLUMN + lane % 4 * B_K;
    #pragma unroll
    for (int k = 0; k < DEPTH; k += 8) {
        unsigned int a_part[3][4], b_part[N][3][2];

        #pragma unroll
        for (int n = 0; n < N; n++)
            #pragma unroll
            for (int i = 0; i < 2; i++)
                tf32_split(b[8 * n * B_COLUMN + (k + 4 * i ^ (MOVED ? lane / 4 * 4 : 0)) * B_K],
                           &b_part[n][0][i], &b_part[n][1][i], &b_part[n][2][i]);
        #pragma unroll
        for (int m = 0; m < M; m++) {
            float part[N][4] = {};

            #pragma unroll
            for (int i = 0; i < 4; i++)
                tf32_split(a[lane_place<A_ROW, A_K, A_MOVED>(row + lane / 4 + 16 * m + i % 2 * 8,
                                                             lane % 4 + k + i / 2 * 4)],
                           &a_part[0][i], &a_part[1][i], &a_part[2][i]);
            #pragma unroll
            for (int n = 0; n < N; n++)
                mma_tf32(part[n], a_part[2], b_part[n][1]);
            #pragma unroll
            for (int n = 0; n < N; n++)
                mma_tf32(part[n], a_part[1], b_part[n][2]);
            #pragma unroll
            for (int n = 0; n < N; n++)
                mma_tf32(part[n], a_part[0], b_part[n][0]);
            #pragma unroll
            for (int i = 0; i < 4 * N; i++)
                sums[m][i / 4][i % 4] += part[i / 4][i % 4];
        }
    }
}

/*@ tile_product_tf32x3_masked - : tf32x3_masked.- */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>
$fn void tile_product_tf32x3_masked(float (&sums)[M][N][4], const float *a, const float *b,
                                    int lane)
{
    tf32x3_masked<A_ROW, A_K, B_COLUMN, B_K, 16, false, false>(sums, a, b, lane, 0);
}

/*@ tile_product_tf32x3_group_masked - : tf32x3_masked.- */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int B_REST, bool MOVED, int N>
$fn void tile_product_tf32x3_group_masked(float (&sums)[2][N][4], const float *a, const float *b,
                                          int self)
{
    float(&first)[1][N][4] = *(float(*)[1][N][4])sums;

    tf32x3_masked<A_ROW, A_K, B_COLUMN, B_K, 32, true, MOVED>(first, a, b, self % 32,
                                                              MOVED ? self / 32 % 4 * 16 : 0);
}

/*@ TILE_PRODUCT_HALF - : ldmatrix4.- ldmatrix4_turned.- */
/* A warp adds the products of 16 * M rows of `a` and 8 * N columns of `b` to its sums, 32 for each.
** The steps are from row to row, and from k to k. */
#define TILE_PRODUCT_HALF(name, mma)                                                            \
    template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>                          \
    $fn void name(float (&sums)[M][N][4], const unsigned short *a, const unsigned short *b,     \
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

/*@ tile_product_f16 - : TILE_PRODUCT_HALF.- mma_f16.- */
TILE_PRODUCT_HALF(tile_product_f16, mma_f16)

/*@ tile_product_bf16 - : TILE_PRODUCT_HALF.- mma_bf16.- */
TILE_PRODUCT_HALF(tile_product_bf16, mma_bf16)

/*@ tile_map - */
/* A CUtensorMap: what a driver encodes of where boxes of an array lie. */
typedef struct __align__(64) tile_map {
    unsigned long long words[16];
} tile_map;

/*@ tile_begin - */
/* Initialises mbarriers, at which one thread arrives in each phase. */
$fn void tile_begin(unsigned long long *ready, int count)
{
    for (int i = 0; i < count; i++) {
        const unsigned int address = (unsigned int)__cvta_generic_to_shared(ready + i);

        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(address) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}

/*@ tile_expect - */
/* Arrives: the current phase ends when so many bytes have come. */
$fn void tile_expect(unsigned long long *ready, unsigned int bytes)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(ready);

    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(address), "r"(bytes)
                 : "memory");
}

/*@ tile_ready - */
/* Waits until the phase of this parity has ended. */
$fn void tile_ready(unsigned long long *ready, int parity)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(ready);

    asm volatile("{ .reg .pred over; again: mbarrier.try_wait.parity.shared::cta.b64 over, [%0], "
                 "%1; @!over bra again; }"
                 :
                 : "r"(address), "r"(parity)
                 : "memory");
}

/*@ tile_load2 - : tile_map.- */
/* A box of an array on its way to a tile, from column x and row y on. */
$fn void tile_load2(void *to, unsigned long long *ready, const tile_map &map, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4}], [%2];"
                 :
                 : "r"((unsigned int)__cvta_generic_to_shared(to)), "l"(&map),
                   "r"((unsigned int)__cvta_generic_to_shared(ready)), "r"(x), "r"(y)
                 : "memory");
}

/*@ tile_load3 - : tile_map.- */
/* Likewise, of an array in three axes. */
$fn void tile_load3(void *to, unsigned long long *ready, const tile_map &map, int x, int y, int z)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4, %5}], [%2];"
                 :
                 : "r"((unsigned int)__cvta_generic_to_shared(to)), "l"(&map),
                   "r"((unsigned int)__cvta_generic_to_shared(ready)), "r"(x), "r"(y), "r"(z)
                 : "memory");
}

/*@ lane_place - */
/* Where a lane finds k of a row in a tile: with MOVED in one of a group, of numbers of 32 bits. */
template <int ROW, int K, bool MOVED> $fn int lane_place(int row, int k)
{
    if (!MOVED)
        return row * ROW + k * K;
    return K == 1 ? row * ROW + (k ^ row % 8 * 4)
                  : (row / 32 * 32 + k) * K + (row % 32 ^ k % 8 * 4);
}

/*@ tile_fence - */
/* What a thread wrote to shared memory is there for what others have tensor cores read, behind a
** barrier. */
$fn void tile_fence()
{
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
}

/*@ tile_wait - */
/* Until all is added to the sums; those behind them are of what was multiplied last, and added,
** too. */
template <int M, int N> $fn void tile_wait(float (&sums)[M][N][4])
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" : : : "memory");
    #pragma unroll
    for (int i = 0; i < 4 * N; i++)
        asm volatile("" : "+f"(sums[M - 1][i / 4][i % 4]) : : "memory");
    #pragma unroll
    for (int i = 0; M > 1 && i < 4 * N; i++)
        sums[0][i / 4][i % 4] += sums[M - 1][i / 4][i % 4];
}

/*@ group_tile - */
/* How a group of warps finds a tile in shared memory, of rows of 128 bytes, 16 of which each lie
** where their number and the row's say: 8 rows are 1024 bytes; 64 columns of a turned tile are 64
** rows, 8192 bytes. */
$fn unsigned long long group_tile(const void *tile)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(tile);

    return 1LLU << 62 | 64LLU << 32 | 512LLU << 16 | (address & 0x3ffff) >> 4;
}

/*@ GROUP_SUMS - */
#define GROUP_NAMES_8                                                                          \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, "              \
    "%17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define GROUP_NAMES_16                                                                         \
    GROUP_NAMES_8 ", "                                                                         \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, "              \
    "%47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "              \
    "%62, %63"
#define GROUP_NAMES_32                                                                         \
    GROUP_NAMES_16 ", "                                                                        \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, "              \
    "%79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, "              \
    "%94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, "           \
    "%108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, "           \
    "%121, %122, %123, %124, %125, %126, %127"
#define GROUP_SUMS_1(n)                                                                        \
    "+f"(sums[n][0]), "+f"(sums[n][1]), "+f"(sums[n][2]), "+f"(sums[n][3])
#define GROUP_SUMS_4(n)                                                                        \
    GROUP_SUMS_1(n), GROUP_SUMS_1(n + 1), GROUP_SUMS_1(n + 2), GROUP_SUMS_1(n + 3)
#define GROUP_SUMS_8(n) GROUP_SUMS_4(n), GROUP_SUMS_4(n + 4)
#define GROUP_SUMS_16(n) GROUP_SUMS_8(n), GROUP_SUMS_8(n + 8)
#define GROUP_SUMS_32(n) GROUP_SUMS_16(n), GROUP_SUMS_16(n + 16)

/*@ MMA_GROUP_HALF - : GROUP_SUMS.- */
/* A group of warps has sums[64][8 * N] among its lanes, and finds a[64][16] and b[16][8 * N] in
** shared memory. To each of the sums 16 products are added, some time before a wait. */
#define MMA_GROUP_HALF(name, type, N, columns, a_tile, b_tile, turned)                          \
    template <int A_TURNED, int B_TURNED>                                                       \
    $fn void name(float (&sums)[N][4], unsigned long long a, unsigned long long b)              \
    {                                                                                           \
        asm volatile("{ .reg .pred all; setp.eq.u32 all, 0, 0; wgmma.mma_async.sync.aligned"    \
                     ".m64n" columns "k16.f32." type "." type " {" GROUP_NAMES_##N "}, " a_tile\
                     ", " b_tile ", all, 1, 1, " turned "; }"                                   \
                     : GROUP_SUMS_##N(0)                                                        \
                     : "l"(a), "l"(b), "n"(A_TURNED), "n"(B_TURNED));                           \
    }

/*@ mma_group_f16 - : MMA_GROUP_HALF.- */
MMA_GROUP_HALF(mma_group_f16, "f16", 8, "64", "%32", "%33", "%34, %35")
MMA_GROUP_HALF(mma_group_f16, "f16", 16, "128", "%64", "%65", "%66, %67")
MMA_GROUP_HALF(mma_group_f16, "f16", 32, "256", "%128", "%129", "%130, %131")

/*@ mma_group_bf16 - : MMA_GROUP_HALF.- */
MMA_GROUP_HALF(mma_group_bf16, "bf16", 8, "64", "%32", "%33", "%34, %35")
MMA_GROUP_HALF(mma_group_bf16, "bf16", 16, "128", "%64", "%65", "%66, %67")
MMA_GROUP_HALF(mma_group_bf16, "bf16", 32, "256", "%128", "%129", "%130, %131")

/*@ TILE_PRODUCT_GROUP - : group_tile.- */
/* A group of four warps adds the products of 64 rows of `a` and 8 * N columns of `b` to its sums,
** 64 for each, but may do so until the next product but one is asked for. The steps are from row to
** row, and from k to k. */
#define TILE_PRODUCT_GROUP(name, mma)                                                           \
    template <int A_ROW, int A_K, int B_COLUMN, int B_K, int N>                                 \
    $fn void name(float (&sums)[1][N][4], const unsigned short *a, const unsigned short *b, int) \
    {                                                                                           \
        const unsigned long long a_tile = group_tile(a), b_tile = group_tile(b);                \
                                                                                                \
        asm volatile("wgmma.fence.sync.aligned;" : : : "memory");                               \
        _Pragma("unroll") for (int k = 0; k < 4; k++)                                           \
            mma<A_K != 1, B_K != 1>(sums[0], a_tile + k * (A_K == 1 ? 2 : 128),                 \
                                    b_tile + k * (B_K == 1 ? 2 : 128));                         \
        asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");                        \
        asm volatile("wgmma.wait_group.sync.aligned 1;" : : : "memory");                        \
    }

/*@ tile_product_f16_group - : TILE_PRODUCT_GROUP.- mma_group_f16.- */
TILE_PRODUCT_GROUP(tile_product_f16_group, mma_group_f16)

/*@ tile_product_bf16_group - : TILE_PRODUCT_GROUP.- mma_group_bf16.- */
TILE_PRODUCT_GROUP(tile_product_bf16_group, mma_group_bf16)

/*@ mma_group_tf32 - : GROUP_SUMS.- group_tile.- */
/* A group of warps has sums[64][8 * N] and a[64][8] among its lanes, and finds b[8][8 * N] in
** shared memory. To each of the sums, or to 0 instead, 8 products are added, some time before a
** wait. */
#define MMA_GROUP_TF32(N, columns, factors, adds)                                               \
    template <int ADD>                                                                          \
    $fn void mma_group_tf32(float (&sums)[N][4], const unsigned int *a, unsigned long long b)   \
    {                                                                                           \
        asm volatile("{ .reg .pred adds; setp.ne.b32 adds, " adds ", 0; wgmma.mma_async.sync."  \
                     "aligned.m64n" columns "k8.f32.tf32.tf32 {" GROUP_NAMES_##N "}, " factors \
                     ", adds, 1, 1; }"                                                          \
                     : GROUP_SUMS_##N(0)                                                        \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(ADD));           \
    }

MMA_GROUP_TF32(8, "64", "{%32, %33, %34, %35}, %36", "%37")
MMA_GROUP_TF32(16, "128", "{%64, %65, %66, %67}, %68", "%69")
MMA_GROUP_TF32(32, "256", "{%128, %129, %130, %131}, %132", "%133")

/*@ tile_product_tf32_group - : mma_group_tf32.- tf32_from.- lane_place.- */
/* A group of four warps adds the products of 64 rows, of which a warp finds its 16 in `a`, and of
** 8 * N columns of `b` to its sums, 32 for each, but may do so until the next product is asked for.
** Tensor cores cut numbers in shared memory off to 11 bits. The steps are from row to row, and from
** k to k. While three instructions wait for their turn, the lanes load what the next one takes. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int B_REST, bool MOVED, int N>
$fn void tile_product_tf32_group(float (&sums)[1][N][4], const float *a, const float *b, int self)
{
    const int lane = self % 32, row = lane / 4 + (MOVED ? self / 32 % 4 * 16 : 0);
    const unsigned long long b_tile = group_tile(b);
    unsigned int a_part[4][4];

    #pragma unroll
    for (int k = 0; k < 4; k++) {
        asm volatile("wgmma.wait_group.sync.aligned 3;" : : : "memory");
        #pragma unroll
        for (int i = 0; i < 4; i++)
            a_part[k][i] = tf32_from(a[lane_place<A_ROW, A_K, MOVED>(
                row + i % 2 * 8, 8 * k + lane % 4 + i / 2 * 4)]);
        asm volatile("wgmma.fence.sync.aligned;" : : : "memory");
        mma_group_tf32<1>(sums[0], a_part[k], b_tile + 2 * k);
        asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
    }
}

/*@ tile_split_tf32x3_group - : tf32_parts.- */
/* Numbers in shared memory become their parts, the rests REST behind them. */
template <int COUNT, int REST> $fn void tile_split_tf32x3_group(float *at)
{
    unsigned int near[4], rest[4];

    if (COUNT == 4) {
        const float4 x = *(const float4 *)at;

        tf32_parts(x.x, &near[0], &rest[0]);
        tf32_parts(x.y, &near[1], &rest[1]);
        tf32_parts(x.z, &near[2], &rest[2]);
        tf32_parts(x.w, &near[3], &rest[3]);
        *(uint4 *)at = make_uint4(near[0], near[1], near[2], near[3]);
        *(uint4 *)(at + REST) = make_uint4(rest[0], rest[1], rest[2], rest[3]);
    } else {
        tf32_parts(*at, &near[0], &rest[0]);
        *at = __uint_as_float(near[0]);
        at[REST] = __uint_as_float(rest[0]);
    }
}

/*@ tile_product_tf32x3_group - : mma_group_tf32.- tf32_parts.- tile_wait.- lane_place.- */
/* A group of four warps adds the products of 64 rows, of which a warp finds its 16 in `a`, and of
** 8 * N columns of `b`, whose rests are B_REST behind, to its sums, 32 for each. The steps are from
** row to row, and from k to k. Of a number's two parts all products are added up but that of both
** rests; 32 of each at a time, whose sum the lanes add to the others themselves: they round to the
** nearest where tensor cores cut off. They do so when the next product is asked for. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int B_REST, bool MOVED, int N>
$fn void tile_product_tf32x3_group(float (&sums)[2][N][4], const float *a, const float *b, int self)
{
    const int lane = self % 32, row = lane / 4 + (MOVED ? self / 32 % 4 * 16 : 0);
    const unsigned long long b_tile = group_tile(b), b_rest = group_tile(b + B_REST);
    unsigned int a_part[4][4], a_rest[4][4];

    tile_wait(sums);
    #pragma unroll
    for (int i = 0; i < 16; i++)
        tf32_parts(a[lane_place<A_ROW, A_K, MOVED>(row + i % 2 * 8, lane % 4 + i / 2 * 4)],
                   &a_part[i / 4][i % 4], &a_rest[i / 4][i % 4]);
    asm volatile("wgmma.fence.sync.aligned;" : : : "memory");
    mma_group_tf32<0>(sums[1], a_rest[0], b_tile);
    #pragma unroll
    for (int k = 1; k < 4; k++)
        mma_group_tf32<1>(sums[1], a_rest[k], b_tile + 2 * k);
    #pragma unroll
    for (int k = 0; k < 4; k++)
        mma_group_tf32<1>(sums[1], a_part[k], b_rest + 2 * k);
    #pragma unroll
    for (int k = 0; k < 4; k++)
        mma_group_tf32<1>(sums[1], a_part[k], b_tile + 2 * k);
    asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
}

/*@ bf16_pair - : bf16_split.- f32_bits.- f32_from_bits.- */
/* The parts of two neighbours, each pair as one word. Those that no part rounds to infinity of are
** split by an instruction for both. */
$fn void bf16_pair(float first, float second, unsigned int *pairs)
{
    unsigned short low[4], high[4];

    if (fabsf(first) < 3.38e38f && fabsf(second) < 3.38e38f) {
        #pragma unroll
        for (int i = 0; i < 3; i++) {
            asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pairs[i]) : "f"(second), "f"(first));
            first -= f32_from_bits(pairs[i] << 16);
            second -= f32_from_bits(pairs[i] & 0xffff0000);
        }
        pairs[3] = pairs[0];
        return;
    }
    bf16_split(first, low);
    bf16_split(second, high);
    #pragma unroll
    for (int i = 0; i < 4; i++)
        pairs[i] = low[i] | (unsigned int)high[i] << 16;
}

/*@ tile_product_bf16x9 - : mma_bf16.- bf16_pair.- */
/* A warp adds the products of 16 * M rows of `a` and 8 * N columns of `b` to its sums, 16 for each.
** The steps are from row to row, and from k to k. All products of a number's three parts are added
** up, the least first, whose sum the warp adds to the others itself: it rounds to the nearest where
** tensor cores cut off. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>
$fn void tile_product_bf16x9(float (&sums)[M][N][4], const float *a, const float *b, int lane)
{
    unsigned int pairs[4], a_part[4][4], b_part[N][4][2];

    a += lane / 4 * A_ROW + lane % 4 * 2 * A_K;
    b += lane / 4 * B_COLUMN + lane % 4 * 2 * B_K;
    #pragma unroll
    for (int i = 0; i < 2 * N; i++) {
        const float *at = b + 8 * (i / 2) * B_COLUMN + i % 2 * 8 * B_K;

        bf16_pair(at[0], at[B_K], pairs);
        #pragma unroll
        for (int p = 0; p < 4; p++)
            b_part[i / 2][p][i % 2] = pairs[p];
    }
    #pragma unroll
    for (int m = 0; m < M; m++) {
        float part[N][4] = {};

        #pragma unroll
        for (int i = 0; i < 4; i++) {
            const float *at = a + (16 * m + i % 2 * 8) * A_ROW + i / 2 * 8 * A_K;

            bf16_pair(at[0], at[A_K], pairs);
            #pragma unroll
            for (int p = 0; p < 4; p++)
                a_part[p][i] = pairs[p];
        }
        #pragma unroll
        for (int which = 8; which >= 0; which--) {
            const int p = 0x221210100LL >> 4 * which & 3, q = 0x212012010LL >> 4 * which & 3;

            #pragma unroll
            for (int n = 0; n < N; n++)
                mma_bf16(part[n], a_part[which ? p : 3], b_part[n][which ? q : 3]);
        }
        #pragma unroll
        for (int i = 0; i < 4 * N; i++)
            sums[m][i / 4][i % 4] += part[i / 4][i % 4];
    }
}

/*@ four_bytes - */
/* Four bytes, of which neighbours are STEP apart, as one word. */
template <int STEP> $fn unsigned int four_bytes(const void *at)
{
    const unsigned char *const byte = (const unsigned char *)at;

    if (STEP == 1)
        return *(const unsigned int *)at;
    return byte[0] | byte[STEP] << 8 | byte[2 * STEP] << 16 | (unsigned int)byte[3 * STEP] << 24;
}

/*@ bytes_turned - */
/* Four rows of four bytes, STEP apart, as columns. */
template <int STEP> $fn void bytes_turned(unsigned int *to, const void *at)
{
    const unsigned char *const byte = (const unsigned char *)at;
    unsigned int row[4], pair[4];

    #pragma unroll
    for (int i = 0; i < 4; i++)
        row[i] = *(const unsigned int *)(byte + i * STEP);
    #pragma unroll
    for (int i = 0; i < 4; i++)
        pair[i] = __byte_perm(row[i % 2 * 2], row[i % 2 * 2 + 1], i < 2 ? 0x5140 : 0x7362);
    #pragma unroll
    for (int i = 0; i < 4; i++)
        to[i] = __byte_perm(pair[i / 2 * 2], pair[i / 2 * 2 + 1], i % 2 ? 0x7632 : 0x5410);
}

/*@ bytes_along - : four_bytes.- bytes_turned.- */
/* Of N columns side by side, which lie along the rows of a tile, four bytes of each. */
template <int STEP, int N> $fn void bytes_along(unsigned int (&to)[N][2], int half, const void *at)
{
    const unsigned char *const byte = (const unsigned char *)at;
    unsigned int four[4];

    #pragma unroll
    for (int n = 0; n < N; n++) {
        if (N % 4 != 0) {
            to[n][half] = four_bytes<STEP>(byte + n);
            continue;
        }
        if (n % 4 == 0)
            bytes_turned<STEP>(four, byte + n);
        to[n][half] = four[n % 4];
    }
}

/*@ tile_product_i8 - : mma_i8.- four_bytes.- bytes_along.- */
/* A warp adds the products of 16 * M rows of `a` and 8 * N columns of `b` to its sums, 64 for each.
** The steps are from row to row, and from k to k. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, typename A, typename B, int M, int N>
$fn void tile_product_i8(int (&sums)[M][N][4], const A *a, const B *b, int lane, bool a_signed,
                         bool b_signed)
{
    unsigned int a_part[4], b_part[N][2];

    a += lane / 4 * A_ROW + lane % 4 * 4 * A_K;
    b += lane / 4 * (B_K == 1 ? B_COLUMN : N) + lane % 4 * 4 * B_K;
    #pragma unroll
    for (int k = 0; k < 64; k += 32) {
        #pragma unroll
        for (int i = 0; i < 2 * N && B_K == 1; i++)
            b_part[i / 2][i % 2] =
                four_bytes<B_K>(b + 8 * (i / 2) * B_COLUMN + (k + 16 * (i % 2)) * B_K);
        #pragma unroll
        for (int i = 0; i < 2 && B_K != 1; i++)
            bytes_along<B_K>(b_part, i, b + (k + 16 * i) * B_K);
        #pragma unroll
        for (int m = 0; m < M; m++) {
            #pragma unroll
            for (int i = 0; i < 4; i++)
                a_part[i] =
                    four_bytes<A_K>(a + (16 * m + i % 2 * 8) * A_ROW + (k + i / 2 * 16) * A_K);
            #pragma unroll
            for (int n = 0; n < N; n++)
                mma_i8(sums[m][n], a_part, b_part[n], a_signed, b_signed);
        }
    }
}
