/* Products of tiles by tensor cores: an instruction a piece, and what a warp does with it. Pieces:
** see emit.h. */

/*@ mma_f64 - */
/* The lanes of a warp have a[16][16], b[16][8] and sums[16][8] among them. To each of the sums 16
** products are added, one after the other, each by fma. */
$fn void mma_f64(double *sums, const double *a, const double *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                 : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),
                   "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
}

/*@ tile_product_f64 - : mma_f64.- */
/* A warp adds the products of 16 * M rows of `a` and 8 * N columns of `b` to its sums, 16 for each.
** The steps are from row to row, and from k to k. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>
$fn void tile_product_f64(double (&sums)[M][N][4], const double *a, const double *b, int lane)
{
    double a_part[8], b_part[N][4];

    a += lane / 4 * A_ROW + lane % 4 * A_K;
    b += lane / 4 * B_COLUMN + lane % 4 * B_K;
    #pragma unroll
    for (int n = 0; n < N; n++)
        #pragma unroll
        for (int i = 0; i < 4; i++)
            b_part[n][i] = b[8 * n * B_COLUMN + 4 * i * B_K];
    #pragma unroll
    for (int m = 0; m < M; m++) {
        #pragma unroll
        for (int i = 0; i < 8; i++)
            a_part[i] = a[(16 * m + i % 2 * 8) * A_ROW + i / 2 * 4 * A_K];
        #pragma unroll
        for (int n = 0; n < N; n++)
            mma_f64(sums[m][n], a_part, b_part[n]);
    }
}

/*@ mma_tf32 - */
/* The lanes of a warp have a[16][8], b[8][8] and sums[16][8] among them. To each of the sums 8
** products are added. */
$fn void mma_tf32(float *sums, const unsigned int *a, const unsigned int *b)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/*@ mma_f16 - */
/* The lanes of a warp have a[16][16], b[16][8] and sums[16][8] among them. To each of the sums 16
** products are added. */
$fn void mma_f16(float *sums, const unsigned int *a, const unsigned int *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/*@ mma_bf16 - */
/* The lanes of a warp have a[16][16], b[16][8] and sums[16][8] among them. To each of the sums 16
** products are added. */
$fn void mma_bf16(float *sums, const unsigned int *a, const unsigned int *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
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

/*@ tile_product_tf32x3_masked - : mma_tf32.- tf32_split.- */
/* A warp adds the products of 16 * M rows of `a` and 8 * N columns of `b` to its sums, 16 for each.
** The steps are from row to row, and from k to k. Of a number's two parts all products are added up
** but that of both rests; 8 of each at a time, whose sum the warp adds to the others itself: it
** rounds to the nearest where tensor cores cut off. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int M, int N>
$fn void tile_product_tf32x3_masked(float (&sums)[M][N][4], const float *a, const float *b,
                                     int lane)
{
    a += lane / 4 * A_ROW + lane % 4 * A_K;
    b += lane / 4 * B_COLUMN + lane % 4 * B_K;
    #pragma unroll
    for (int k = 0; k < 16; k += 8) {
        unsigned int a_part[3][4], b_part[N][3][2];

        #pragma unroll
        for (int n = 0; n < N; n++)
            #pragma unroll
            for (int i = 0; i < 2; i++)
                tf32_split(b[8 * n * B_COLUMN + (k + 4 * i) * B_K], &b_part[n][0][i],
                           &b_part[n][1][i], &b_part[n][2][i]);
        #pragma unroll
        for (int m = 0; m < M; m++) {
            float part[N][4] = {};

            #pragma unroll
            for (int i = 0; i < 4; i++)
                tf32_split(a[(16 * m + i % 2 * 8) * A_ROW + (k + i / 2 * 4) * A_K], &a_part[0][i],
                           &a_part[1][i], &a_part[2][i]);
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

/*@ bf16_pair - : bf16_split.- */
/* The parts of two neighbours, each pair as one word. */
$fn void bf16_pair(float first, float second, unsigned int *pairs)
{
    unsigned short low[4], high[4];

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

/*@ tile_product_i8 - : mma_i8.- four_bytes.- */
/* A warp adds the products of 16 * M rows of `a` and 8 * N columns of `b` to its sums, 64 for each.
** The steps are from row to row, and from k to k. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, typename A, typename B, int M, int N>
$fn void tile_product_i8(int (&sums)[M][N][4], const A *a, const B *b, int lane, bool a_signed,
                         bool b_signed)
{
    unsigned int a_part[4], b_part[N][2];

    a += lane / 4 * A_ROW + lane % 4 * 4 * A_K;
    b += lane / 4 * B_COLUMN + lane % 4 * 4 * B_K;
    #pragma unroll
    for (int k = 0; k < 64; k += 32) {
        #pragma unroll
        for (int i = 0; i < 2 * N; i++)
            b_part[i / 2][i % 2] =
                four_bytes<B_K>(b + 8 * (i / 2) * B_COLUMN + (k + 16 * (i % 2)) * B_K);
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
