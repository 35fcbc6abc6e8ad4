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
