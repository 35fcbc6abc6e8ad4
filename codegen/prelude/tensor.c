/* What tensor cores do, by the processor: as those of sm_90 have it, bit by bit. Pieces: see
** emit.h. */

/*@ tile_load - */
/* A box of an array, from `first` on: 128 bytes along its last axis, and so many rows along
** another. The eight pieces of 16 bytes of row r lie as CUDA's swizzle has them: piece p is number
** p ^ r % 8. */
$fn void tile_load(void *to, const void *from, int size, int rank, const long long *extent,
                   const long long *first, int along, int rows)
{
    for (int i = 0; i < rows * (128 / size); i++) {
        int row = i / (128 / size), column = i % (128 / size);
        char *place = (char *)to + row * 128 + (column * size ^ row % 8 * 16);
        long long at = 0;
        bool there = true;

        for (int axis = 0; axis < rank; axis++) {
            long long index =
                first[axis] + (axis == along ? row : axis == rank - 1 ? column : 0);
            there = there && index < extent[axis];
            at = at * extent[axis] + index;
        }
        if (there)
            __builtin_memcpy(place, (const char *)from + at * size, (unsigned long)size);
        else
            __builtin_memset(place, 0, (unsigned long)size);
    }
}

/*@ tile_product_f64 - */
/* What a lane has of the sums that its warp adds 16 products to each, of 16 * m rows of `a` and
** 8 * n columns of `b`. The steps are from row to row, and from k to k. */
$fn void tile_product_f64(double (*sums)[4], int m, int n, const double *a, const double *b,
                          long long lane, int a_row, int a_k, int b_column, int b_k)
{
    for (int i = 0; i < m * n * 4; i++) {
        const double *row = a + (i / (4 * n) * 16 + lane / 4 + i % 4 / 2 * 8) * a_row;
        const double *column = b + (i / 4 % n * 8 + lane % 4 * 2 + i % 2) * b_column;
        double *sum = &sums[i / 4][i % 4];

        for (int k = 0; k < 16; k++)
            *sum += row[k * a_k] * column[k * b_k];
    }
}

/*@ float_exponent - */
/* Of a number that is none of those too near 0 for `least`; of these, that. */
$fn int float_exponent(float x, int least)
{
    int exponent;

    frexpf(x, &exponent);
    return exponent - 1 > least ? exponent - 1 : least;
}

/*@ tensor_sum - : float_exponent.- */
/* A sum and `count` products, 16 at most, of numbers of 11 bits: what each has below 2^-25 of the
** greatest is cut off, and what is left is added up exactly, then cut off to a float. */
$fn float tensor_sum(float sum, const float *a, const float *b, int count, int least)
{
    int top = sum != 0 ? float_exponent(sum, -126) : -1000;
    double all = sum;
    long long units = 0;

    for (int i = 0; i < count; i++) {
        all += (double)a[i] * b[i];
        if (a[i] != 0 && b[i] != 0) {
            int exponent = float_exponent(a[i], least) + float_exponent(b[i], least);
            top = exponent > top ? exponent : top;
        }
    }
    if (!isfinite(all) || top == -1000)
        return (float)all;
    for (int i = 0; i < count; i++)
        units += (long long)ldexp((double)a[i] * b[i], 25 - top);
    units += (long long)ldexp(sum, 25 - top);
    double exact = ldexp((double)units, top - 25);
    float near = (float)exact;
    return fabs(near) > fabs(exact) && fabs(exact) < 0x1p128 ? nextafterf(near, 0) : near;
}

/*@ TILE_PRODUCT_FLOAT - : tensor_sum.- */
/* What a lane has of the sums that its warp adds DEPTH products to each, of 16 * m rows of `a` and
** 8 * n columns of `b`: K at a time by `add`, which has the numbers in order. The steps are from
** row to row, and from k to k. */
#define TILE_PRODUCT_FLOAT(name, T, from, add, K, DEPTH)                                        \
    $fn void name(float (*sums)[4], int m, int n, const T *a, const T *b, long long lane,       \
                  int a_row, int a_k, int b_column, int b_k)                                    \
    {                                                                                           \
        for (int i = 0; i < m * n * 4; i++) {                                                   \
            const T *row = a + (i / (4 * n) * 16 + lane / 4 + i % 4 / 2 * 8) * a_row;           \
            const T *column = b + (i / 4 % n * 8 + lane % 4 * 2 + i % 2) * b_column;            \
            float left[K], right[K];                                                            \
                                                                                                \
            for (int k = 0; k < DEPTH; k += K) {                                                \
                for (int j = 0; j < K; j++) {                                                   \
                    left[j] = from(row[(k + j) * a_k]);                                         \
                    right[j] = from(column[(k + j) * b_k]);                                     \
                }                                                                               \
                sums[i / 4][i % 4] = add(sums[i / 4][i % 4], left, right);                      \
            }                                                                                   \
        }                                                                                       \
    }

/*@ tf32_from - : f32_bits.- f32_from_bits.- */
/* x rounded to the 11 bits of a tf32, ties away from 0. */
$fn float tf32_from(float x)
{
    return isfinite(x) ? f32_from_bits((f32_bits(x) + 0x1000) & 0xffffe000) : x;
}

/*@ add_tf32 - : tensor_sum.- */
$fn float add_tf32(float sum, const float *a, const float *b)
{
    return tensor_sum(sum, a, b, 8, -126);
}

/*@ tile_product_tf32 - : TILE_PRODUCT_FLOAT.- tf32_from.- add_tf32.- */
TILE_PRODUCT_FLOAT(tile_product_tf32, float, tf32_from, add_tf32, 8, 16)

/*@ tf32_parts - : f32_bits.- f32_from_bits.- mul_rn.f32 */
/* x as a number of 11 bits and a rest, cut off to 11 bits. NaN where x is not finite, or so great
** that it is on the way. The product is rounded by itself: compilers may not join it with the
** difference. */
$fn void tf32_parts(float x, float *near, float *rest)
{
    const float far = mul_rn_f32(x, 8193), less = far - x;

    *near = far - less;
    *rest = f32_from_bits(f32_bits(x - *near) & 0xffffe000);
}

/*@ add_tf32x3 - : add_tf32.- tf32_parts.- */
$fn float add_tf32x3(float sum, const float *a, const float *b)
{
    float left[2][8], right[2][8];

    for (int i = 0; i < 8; i++) {
        tf32_parts(a[i], &left[0][i], &left[1][i]);
        tf32_parts(b[i], &right[0][i], &right[1][i]);
    }
    return sum + add_tf32(add_tf32(add_tf32(0, left[1], right[0]), left[0], right[1]), left[0],
                          right[0]);
}

/*@ tile_product_tf32x3 - : TILE_PRODUCT_FLOAT.- add_tf32x3.- */
TILE_PRODUCT_FLOAT(tile_product_tf32x3, float, , add_tf32x3, 8, 16)

/*@ add_tf32x3_masked - : add_tf32.- tf32_split.- f32_from_bits.- */
$fn float add_tf32x3_masked(float sum, const float *a, const float *b)
{
    float left[3][8], right[3][8];
    unsigned int part[3];

    for (int i = 0; i < 8; i++) {
        tf32_split(a[i], &part[0], &part[1], &part[2]);
        for (int p = 0; p < 3; p++)
            left[p][i] = f32_from_bits(part[p]);
        tf32_split(b[i], &part[0], &part[1], &part[2]);
        for (int p = 0; p < 3; p++)
            right[p][i] = f32_from_bits(part[p]);
    }
    return sum + add_tf32(add_tf32(add_tf32(0, left[2], right[1]), left[1], right[2]), left[0],
                          right[0]);
}

/*@ tile_product_tf32x3_masked - : TILE_PRODUCT_FLOAT.- add_tf32x3_masked.- */
TILE_PRODUCT_FLOAT(tile_product_tf32x3_masked, float, , add_tf32x3_masked, 8, 16)

/*@ TILE_PRODUCT_SPLIT - : group_place32.- tf32_from.- */
/* What a lane has of the sums that its warp adds 32 products to each, of 16 rows of `a` and 8 * n
** columns of `b`, which tile_split has made ready: `add` has the numbers of `a` and of `b`, and the
** rests of these. */
#define TILE_PRODUCT_SPLIT(name, add)                                                           \
    $fn void name(float (*sums)[4], int, int n, const float *a, const float *b,                 \
                  long long self, int a_row, int a_k, int, int, long long rest, bool moved)     \
    {                                                                                           \
        for (int i = 0; i < n * 4; i++) {                                                       \
            int column = i / 4 * 8 + self % 4 * 2 + i % 2;                                      \
            float left[32], right[32], rests[32];                                               \
                                                                                                \
            for (int k = 0; k < 32; k++) {                                                      \
                int at = group_place32(column, k);                                              \
                int row = self % 32 / 4 + i % 4 / 2 * 8 + (moved ? self / 32 % 4 * 16 : 0);     \
                left[k] = a[!moved     ? row * a_row + k * a_k                                  \
                            : a_k == 1 ? group_place32(row, k)                                  \
                                       : (row - row % 32 + k) * 32 + (row % 32 ^ k % 8 * 4)];   \
                right[k] = b[at];                                                               \
                rests[k] = b[at + rest];                                                        \
            }                                                                                   \
            sums[i / 4][i % 4] = add(sums[i / 4][i % 4], left, right, rests);                   \
        }                                                                                       \
    }

/*@ group_place32 - */
/* Where element k of a column lies in a tile of a group, of numbers of 32 bits. */
$fn int group_place32(int at, int k)
{
    return at * 32 + (k ^ at % 8 * 4);
}

/*@ tf32_cut - : f32_bits.- f32_from_bits.- */
/* x cut off to the 11 bits of a tf32. */
$fn float tf32_cut(float x)
{
    return isfinite(x) ? f32_from_bits(f32_bits(x) & 0xffffe000) : x;
}

/*@ add_tf32_group - : add_tf32.- tf32_from.- tf32_cut.- */
$fn float add_tf32_group(float sum, const float *a, const float *b, const float *)
{
    float left[32], right[32];

    for (int k = 0; k < 32; k++) {
        left[k] = tf32_from(a[k]);
        right[k] = tf32_cut(b[k]);
    }
    for (int k = 0; k < 32; k += 8)
        sum = add_tf32(sum, left + k, right + k);
    return sum;
}

/*@ tile_product_tf32_group - : TILE_PRODUCT_SPLIT.- add_tf32_group.- */
TILE_PRODUCT_SPLIT(tile_product_tf32_group, add_tf32_group)

/*@ tile_split_tf32x3_group - : tf32_parts.- */
/* Numbers become their parts. */
$fn void tile_split_tf32x3_group(float *at, long long count, long long rest)
{
    for (int i = 0; i < count; i++)
        tf32_parts(at[i], &at[i], &at[i + rest]);
}

/*@ add_tf32x3_group - : add_tf32.- tf32_parts.- */
$fn float add_tf32x3_group(float sum, const float *a, const float *b, const float *rests)
{
    float left[2][32], part = 0;

    for (int k = 0; k < 32; k++)
        tf32_parts(a[k], &left[0][k], &left[1][k]);
    for (int k = 0; k < 32; k += 8)
        part = add_tf32(part, left[1] + k, b + k);
    for (int k = 0; k < 32; k += 8)
        part = add_tf32(part, left[0] + k, rests + k);
    for (int k = 0; k < 32; k += 8)
        part = add_tf32(part, left[0] + k, b + k);
    return sum + part;
}

/*@ tile_product_tf32x3_group - : TILE_PRODUCT_SPLIT.- add_tf32x3_group.- */
TILE_PRODUCT_SPLIT(tile_product_tf32x3_group, add_tf32x3_group)

/*@ add_tf32x3_group_masked - : add_tf32x3_masked.- */
$fn float add_tf32x3_group_masked(float sum, const float *a, const float *b, const float *)
{
    for (int k = 0; k < 32; k += 8)
        sum = add_tf32x3_masked(sum, a + k, b + k);
    return sum;
}

/*@ tile_product_tf32x3_group_masked - : TILE_PRODUCT_SPLIT.- add_tf32x3_group_masked.- */
TILE_PRODUCT_SPLIT(tile_product_tf32x3_group_masked, add_tf32x3_group_masked)

/*@ each f16 14; bf16 126: add_$1 - : tensor_sum.- */
$fn float add_$1(float sum, const float *a, const float *b)
{
    return tensor_sum(sum, a, b, 16, -$2);
}

/*@ tile_product_f16 - : TILE_PRODUCT_FLOAT.- f32_from.f16 add_f16.- */
TILE_PRODUCT_FLOAT(tile_product_f16, unsigned short, f32_from_f16, add_f16, 16, 32)

/*@ tile_product_bf16 - : TILE_PRODUCT_FLOAT.- f32_from.bf16 add_bf16.- */
TILE_PRODUCT_FLOAT(tile_product_bf16, unsigned short, f32_from_bf16, add_bf16, 16, 32)

/*@ TILE_PRODUCT_GROUP - : tensor_sum.- */
/* What a lane has of the sums that its group of four warps adds 64 products to each, of 64 rows of
** `a` and 8 * n columns of `b`, as ir.h has such tiles. */
#define TILE_PRODUCT_GROUP(name, T, from, add)                                                  \
    $fn void name(float (*sums)[4], int, int n, const T *a, const T *b, long long self,         \
                  int, int a_k, int, int b_k)                                                   \
    {                                                                                           \
        for (int i = 0; i < n * 4; i++) {                                                       \
            int row = self / 32 % 4 * 16 + self % 32 / 4 + i % 4 / 2 * 8;                       \
            int column = i / 4 * 8 + self % 4 * 2 + i % 2;                                      \
            float left[16], right[16];                                                          \
                                                                                                \
            for (int k = 0; k < 64; k++) {                                                      \
                left[k % 16] = from(a[group_place(row, k, a_k != 1)]);                          \
                right[k % 16] = from(b[group_place(column, k, b_k != 1)]);                      \
                if (k % 16 == 15)                                                               \
                    sums[i / 4][i % 4] = add(sums[i / 4][i % 4], left, right);                  \
            }                                                                                   \
        }                                                                                       \
    }

/*@ group_place - */
/* Where element k of a row or column lies in a tile of a group, of numbers of 16 bits. */
$fn int group_place(int at, int k, bool turned)
{
    return turned ? (at - at % 64 + k) * 64 + (at % 64 ^ k % 8 * 8) : at * 64 + (k ^ at % 8 * 8);
}

/*@ tile_product_f16_group - : TILE_PRODUCT_GROUP.- group_place.- f32_from.f16 add_f16.- */
TILE_PRODUCT_GROUP(tile_product_f16_group, unsigned short, f32_from_f16, add_f16)

/*@ tile_product_bf16_group - : TILE_PRODUCT_GROUP.- group_place.- f32_from.bf16 add_bf16.- */
TILE_PRODUCT_GROUP(tile_product_bf16_group, unsigned short, f32_from_bf16, add_bf16)

/*@ add_bf16x9 - : add_bf16.- bf16_split.- f32_from.bf16 */
$fn float add_bf16x9(float sum, const float *a, const float *b)
{
    static const int order[9][2] = { { 2, 2 }, { 2, 1 }, { 1, 2 }, { 2, 0 }, { 1, 1 },
                                     { 0, 2 }, { 1, 0 }, { 0, 1 }, { 3, 3 } };
    float left[4][16], right[4][16], part = 0;
    unsigned short parts[4];

    for (int i = 0; i < 16; i++) {
        bf16_split(a[i], parts);
        for (int p = 0; p < 4; p++)
            left[p][i] = f32_from_bf16(parts[p]);
        bf16_split(b[i], parts);
        for (int p = 0; p < 4; p++)
            right[p][i] = f32_from_bf16(parts[p]);
    }
    for (int i = 0; i < 9; i++)
        part = add_bf16(part, left[order[i][0]], right[order[i][1]]);
    return sum + part;
}

/*@ tile_product_bf16x9 - : TILE_PRODUCT_FLOAT.- add_bf16x9.- */
TILE_PRODUCT_FLOAT(tile_product_bf16x9, float, , add_bf16x9, 16, 16)

/*@ byte_value - */
$fn int byte_value(unsigned char byte, bool is_signed)
{
    return is_signed && byte > 127 ? byte - 256 : byte;
}

/*@ tile_product_i8 - : byte_value.- */
/* What a lane has of the sums that its warp adds 64 products to each, of 16 * m rows of `a` and
** 8 * n columns of `b`. The steps are from row to row, and from k to k. */
$fn void tile_product_i8(int (*sums)[4], int m, int n, const void *a, const void *b,
                         long long lane, bool a_signed, bool b_signed, int a_row, int a_k,
                         int b_column, int b_k)
{
    for (int i = 0; i < m * n * 4; i++) {
        const unsigned char *row =
            (const unsigned char *)a + (i / (4 * n) * 16 + lane / 4 + i % 4 / 2 * 8) * a_row;
        int place = lane % 4 * 2 + i % 2;
        const unsigned char *column = (const unsigned char *)b +
                                      (b_k == 1 ? i / 4 % n * 8 + place : place * n + i / 4 % n) *
                                          b_column;
        unsigned int sum = (unsigned int)sums[i / 4][i % 4];

        for (int k = 0; k < 64; k++)
            sum += (unsigned int)(byte_value(row[k * a_k], a_signed) *
                                  byte_value(column[k * b_k], b_signed));
        sums[i / 4][i % 4] = (int)sum;
    }
}
