== divided ==
#line 1 "kjit prelude"
#line 8 "blocks.k"
extern "C" __global__ void divided(const float *__restrict__ a, long long a_0, long long a_1,
        float *__restrict__ turned, long long turned_0, long long turned_1)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x;
    int y = threadIdx.y;
#line 12 "blocks.k"
    int y_1 = (int)threadIdx.y + 8;
    int y_2 = (int)threadIdx.y + 16;
#line 12 "blocks.k"
    int y_3 = (int)threadIdx.y + 24;
    long long col = (long long)blockIdx.x * 32 + x;
    long long row = (long long)blockIdx.y * 32 + y;
    long long row_1 = (long long)blockIdx.y * 32 + y_1;
#line 14 "blocks.k"
    long long row_2 = (long long)blockIdx.y * 32 + y_2;
    long long row_3 = (long long)blockIdx.y * 32 + y_3;
    if (row < a_0 && row_1 < a_0 && row_2 < a_0 && row_3 < a_0 && col < a_1) {
#line 16 "blocks.k"
        tile[y][x] = a[row * a_1 + col];
#line 16 "blocks.k"
        tile[y_1][x] = a[row_1 * a_1 + col];
#line 16 "blocks.k"
        tile[y_2][x] = a[row_2 * a_1 + col];
#line 16 "blocks.k"
        tile[y_3][x] = a[row_3 * a_1 + col];
    } else {
#line 15 "blocks.k"
        if (row < a_0 && col < a_1)
            tile[y][x] = a[row * a_1 + col];
#line 15 "blocks.k"
        if (row_1 < a_0 && col < a_1)
            tile[y_1][x] = a[row_1 * a_1 + col];
#line 15 "blocks.k"
        if (row_2 < a_0 && col < a_1)
            tile[y_2][x] = a[row_2 * a_1 + col];
#line 15 "blocks.k"
        if (row_3 < a_0 && col < a_1)
            tile[y_3][x] = a[row_3 * a_1 + col];
    }
#line 17 "blocks.k"
    __syncthreads();
    turned[((long long)blockIdx.x * 32 + y) * turned_1 + (long long)blockIdx.y * 32 + x] =
            tile[x][y];
#line 18 "blocks.k"
    turned[((long long)blockIdx.x * 32 + y_1) * turned_1 + (long long)blockIdx.y * 32 + x] =
            tile[x][y_1];
#line 18 "blocks.k"
    turned[((long long)blockIdx.x * 32 + y_2) * turned_1 + (long long)blockIdx.y * 32 + x] =
            tile[x][y_2];
#line 18 "blocks.k"
    turned[((long long)blockIdx.x * 32 + y_3) * turned_1 + (long long)blockIdx.y * 32 + x] =
            tile[x][y_3];
}

== merged ==
#line 1 "kjit prelude"
/* a % b, with the sign of b; 0 where C has no answer. */
static __device__ inline long long floor_mod_i64(long long a, long long b)
{
    long long rest;

    if (b == 0 || b == -1)
        return 0;
    rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static __device__ inline long long min_i64(long long a, long long b)
{
    return b < a ? b : a;
}

#line 24 "blocks.k"
extern "C" __global__ void merged(const float *__restrict__ a, long long a_0, long long a_1,
        const float *__restrict__ b, long long b_0, long long b_1, float *__restrict__ c,
        long long c_0, long long c_1, long long _blocks_x, long long _blocks_y)
{
    __shared__ float near_a[16][16];
    __shared__ float near_b[16][16];
    __shared__ float near_b_1[16][16];
    __shared__ float near_b_2[16][16];
    __shared__ float near_b_3[16][16];
    __shared__ float near_a_1[16][16];
#line 24 "blocks.k"
    if ((long long)blockIdx.x * 4 + 4 <= _blocks_x && (long long)blockIdx.y * 2 + 2 <= _blocks_y) {



        long long col = (long long)((int)blockIdx.x * 4) * 16 + threadIdx.x;
        long long col_1 = (long long)((int)blockIdx.x * 4 + 1) * 16 + threadIdx.x;
#line 28 "blocks.k"
        long long col_2 = (long long)((int)blockIdx.x * 4 + 2) * 16 + threadIdx.x;
        long long col_3 = (long long)((int)blockIdx.x * 4 + 3) * 16 + threadIdx.x;
#line 28 "blocks.k"
        long long row = (long long)((int)blockIdx.y * 2) * 16 + threadIdx.y;
        long long row_0_1 = (long long)((int)blockIdx.y * 2) * 16 + ((int)threadIdx.y + 4);
#line 28 "blocks.k"
        long long row_0_2 = (long long)((int)blockIdx.y * 2) * 16 + ((int)threadIdx.y + 8);
        long long row_0_3 = (long long)((int)blockIdx.y * 2) * 16 + ((int)threadIdx.y + 12);
#line 28 "blocks.k"
        long long row_1_0 = (long long)((int)blockIdx.y * 2 + 1) * 16 + threadIdx.y;
        long long row_1_1 = (long long)((int)blockIdx.y * 2 + 1) * 16 + ((int)threadIdx.y + 4);
#line 28 "blocks.k"
        long long row_1_2 = (long long)((int)blockIdx.y * 2 + 1) * 16 + ((int)threadIdx.y + 8);
        long long row_1_3 = (long long)((int)blockIdx.y * 2 + 1) * 16 + ((int)threadIdx.y + 12);
        int x = threadIdx.x;
        int y = threadIdx.y;
#line 30 "blocks.k"
        int y_1 = (int)threadIdx.y + 4;
        int y_2 = (int)threadIdx.y + 8;
#line 30 "blocks.k"
        int y_3 = (int)threadIdx.y + 12;
        float total = 0.0f;
        float total_0_0_1 = 0.0f;
#line 31 "blocks.k"
        float total_0_0_2 = 0.0f;
        float total_0_0_3 = 0.0f;
#line 31 "blocks.k"
        float total_0_1_0 = 0.0f;
        float total_0_1_1 = 0.0f;
#line 31 "blocks.k"
        float total_0_1_2 = 0.0f;
        float total_0_1_3 = 0.0f;
#line 31 "blocks.k"
        float total_0_2_0 = 0.0f;
        float total_0_2_1 = 0.0f;
#line 31 "blocks.k"
        float total_0_2_2 = 0.0f;
        float total_0_2_3 = 0.0f;
#line 31 "blocks.k"
        float total_0_3_0 = 0.0f;
        float total_0_3_1 = 0.0f;
#line 31 "blocks.k"
        float total_0_3_2 = 0.0f;
        float total_0_3_3 = 0.0f;
#line 31 "blocks.k"
        float total_1_0_0 = 0.0f;
        float total_1_0_1 = 0.0f;
#line 31 "blocks.k"
        float total_1_0_2 = 0.0f;
        float total_1_0_3 = 0.0f;
#line 31 "blocks.k"
        float total_1_1_0 = 0.0f;
        float total_1_1_1 = 0.0f;
#line 31 "blocks.k"
        float total_1_1_2 = 0.0f;
        float total_1_1_3 = 0.0f;
#line 31 "blocks.k"
        float total_1_2_0 = 0.0f;
        float total_1_2_1 = 0.0f;
#line 31 "blocks.k"
        float total_1_2_2 = 0.0f;
        float total_1_2_3 = 0.0f;
#line 31 "blocks.k"
        float total_1_3_0 = 0.0f;
        float total_1_3_1 = 0.0f;
#line 31 "blocks.k"
        float total_1_3_2 = 0.0f;
        float total_1_3_3 = 0.0f;
        for (long long start = 0; start < a_1; start += 16) {
#line 33 "blocks.k"
            near_a[y][x] = a[floor_mod_i64(row, a_0) * a_1 + start + x];
#line 33 "blocks.k"
            near_a[y_1][x] = a[floor_mod_i64(row_0_1, a_0) * a_1 + start + x];
#line 33 "blocks.k"
            near_a[y_2][x] = a[floor_mod_i64(row_0_2, a_0) * a_1 + start + x];
#line 33 "blocks.k"
            near_a[y_3][x] = a[floor_mod_i64(row_0_3, a_0) * a_1 + start + x];
#line 33 "blocks.k"
            near_a_1[y][x] = a[floor_mod_i64(row_1_0, a_0) * a_1 + start + x];
#line 33 "blocks.k"
            near_a_1[y_1][x] = a[floor_mod_i64(row_1_1, a_0) * a_1 + start + x];
#line 33 "blocks.k"
            near_a_1[y_2][x] = a[floor_mod_i64(row_1_2, a_0) * a_1 + start + x];
#line 33 "blocks.k"
            near_a_1[y_3][x] = a[floor_mod_i64(row_1_3, a_0) * a_1 + start + x];
            near_b[y][x] = b[(start + y) * b_1 + floor_mod_i64(col, b_1)];
#line 34 "blocks.k"
            near_b[y_1][x] = b[(start + y_1) * b_1 + floor_mod_i64(col, b_1)];
#line 34 "blocks.k"
            near_b[y_2][x] = b[(start + y_2) * b_1 + floor_mod_i64(col, b_1)];
#line 34 "blocks.k"
            near_b[y_3][x] = b[(start + y_3) * b_1 + floor_mod_i64(col, b_1)];
#line 34 "blocks.k"
            near_b_1[y][x] = b[(start + y) * b_1 + floor_mod_i64(col_1, b_1)];
#line 34 "blocks.k"
            near_b_1[y_1][x] = b[(start + y_1) * b_1 + floor_mod_i64(col_1, b_1)];
#line 34 "blocks.k"
            near_b_1[y_2][x] = b[(start + y_2) * b_1 + floor_mod_i64(col_1, b_1)];
#line 34 "blocks.k"
            near_b_1[y_3][x] = b[(start + y_3) * b_1 + floor_mod_i64(col_1, b_1)];
#line 34 "blocks.k"
            near_b_2[y][x] = b[(start + y) * b_1 + floor_mod_i64(col_2, b_1)];
#line 34 "blocks.k"
            near_b_2[y_1][x] = b[(start + y_1) * b_1 + floor_mod_i64(col_2, b_1)];
#line 34 "blocks.k"
            near_b_2[y_2][x] = b[(start + y_2) * b_1 + floor_mod_i64(col_2, b_1)];
#line 34 "blocks.k"
            near_b_2[y_3][x] = b[(start + y_3) * b_1 + floor_mod_i64(col_2, b_1)];
#line 34 "blocks.k"
            near_b_3[y][x] = b[(start + y) * b_1 + floor_mod_i64(col_3, b_1)];
#line 34 "blocks.k"
            near_b_3[y_1][x] = b[(start + y_1) * b_1 + floor_mod_i64(col_3, b_1)];
#line 34 "blocks.k"
            near_b_3[y_2][x] = b[(start + y_2) * b_1 + floor_mod_i64(col_3, b_1)];
#line 34 "blocks.k"
            near_b_3[y_3][x] = b[(start + y_3) * b_1 + floor_mod_i64(col_3, b_1)];
            __syncthreads();
            for (long long k = 0; k < 16; k++) {
                total += near_a[y][k] * near_b[k][x];
#line 37 "blocks.k"
                total_0_0_1 += near_a[y_1][k] * near_b[k][x];
#line 37 "blocks.k"
                total_0_0_2 += near_a[y_2][k] * near_b[k][x];
#line 37 "blocks.k"
                total_0_0_3 += near_a[y_3][k] * near_b[k][x];
#line 37 "blocks.k"
                total_0_1_0 += near_a[y][k] * near_b_1[k][x];
#line 37 "blocks.k"
                total_0_1_1 += near_a[y_1][k] * near_b_1[k][x];
#line 37 "blocks.k"
                total_0_1_2 += near_a[y_2][k] * near_b_1[k][x];
#line 37 "blocks.k"
                total_0_1_3 += near_a[y_3][k] * near_b_1[k][x];
#line 37 "blocks.k"
                total_0_2_0 += near_a[y][k] * near_b_2[k][x];
#line 37 "blocks.k"
                total_0_2_1 += near_a[y_1][k] * near_b_2[k][x];
#line 37 "blocks.k"
                total_0_2_2 += near_a[y_2][k] * near_b_2[k][x];
#line 37 "blocks.k"
                total_0_2_3 += near_a[y_3][k] * near_b_2[k][x];
#line 37 "blocks.k"
                total_0_3_0 += near_a[y][k] * near_b_3[k][x];
#line 37 "blocks.k"
                total_0_3_1 += near_a[y_1][k] * near_b_3[k][x];
#line 37 "blocks.k"
                total_0_3_2 += near_a[y_2][k] * near_b_3[k][x];
#line 37 "blocks.k"
                total_0_3_3 += near_a[y_3][k] * near_b_3[k][x];
#line 37 "blocks.k"
                total_1_0_0 += near_a_1[y][k] * near_b[k][x];
#line 37 "blocks.k"
                total_1_0_1 += near_a_1[y_1][k] * near_b[k][x];
#line 37 "blocks.k"
                total_1_0_2 += near_a_1[y_2][k] * near_b[k][x];
#line 37 "blocks.k"
                total_1_0_3 += near_a_1[y_3][k] * near_b[k][x];
#line 37 "blocks.k"
                total_1_1_0 += near_a_1[y][k] * near_b_1[k][x];
#line 37 "blocks.k"
                total_1_1_1 += near_a_1[y_1][k] * near_b_1[k][x];
#line 37 "blocks.k"
                total_1_1_2 += near_a_1[y_2][k] * near_b_1[k][x];
#line 37 "blocks.k"
                total_1_1_3 += near_a_1[y_3][k] * near_b_1[k][x];
#line 37 "blocks.k"
                total_1_2_0 += near_a_1[y][k] * near_b_2[k][x];
#line 37 "blocks.k"
                total_1_2_1 += near_a_1[y_1][k] * near_b_2[k][x];
#line 37 "blocks.k"
                total_1_2_2 += near_a_1[y_2][k] * near_b_2[k][x];
#line 37 "blocks.k"
                total_1_2_3 += near_a_1[y_3][k] * near_b_2[k][x];
#line 37 "blocks.k"
                total_1_3_0 += near_a_1[y][k] * near_b_3[k][x];
#line 37 "blocks.k"
                total_1_3_1 += near_a_1[y_1][k] * near_b_3[k][x];
#line 37 "blocks.k"
                total_1_3_2 += near_a_1[y_2][k] * near_b_3[k][x];
#line 37 "blocks.k"
                total_1_3_3 += near_a_1[y_3][k] * near_b_3[k][x];
            }
#line 38 "blocks.k"
            __syncthreads();
        }
        if (row < c_0 && row_0_1 < c_0 && row_0_2 < c_0 && row_0_3 < c_0 && row_1_0 < c_0 &&
                row_1_1 < c_0 && row_1_2 < c_0 && row_1_3 < c_0 && col < c_1 && col_1 < c_1 &&
                col_2 < c_1 && col_3 < c_1) {
#line 40 "blocks.k"
            c[row * c_1 + col] = total;
#line 40 "blocks.k"
            c[row_0_1 * c_1 + col] = total_0_0_1;
#line 40 "blocks.k"
            c[row_0_2 * c_1 + col] = total_0_0_2;
#line 40 "blocks.k"
            c[row_0_3 * c_1 + col] = total_0_0_3;
#line 40 "blocks.k"
            c[row * c_1 + col_1] = total_0_1_0;
#line 40 "blocks.k"
            c[row_0_1 * c_1 + col_1] = total_0_1_1;
#line 40 "blocks.k"
            c[row_0_2 * c_1 + col_1] = total_0_1_2;
#line 40 "blocks.k"
            c[row_0_3 * c_1 + col_1] = total_0_1_3;
#line 40 "blocks.k"
            c[row * c_1 + col_2] = total_0_2_0;
#line 40 "blocks.k"
            c[row_0_1 * c_1 + col_2] = total_0_2_1;
#line 40 "blocks.k"
            c[row_0_2 * c_1 + col_2] = total_0_2_2;
#line 40 "blocks.k"
            c[row_0_3 * c_1 + col_2] = total_0_2_3;
#line 40 "blocks.k"
            c[row * c_1 + col_3] = total_0_3_0;
#line 40 "blocks.k"
            c[row_0_1 * c_1 + col_3] = total_0_3_1;
#line 40 "blocks.k"
            c[row_0_2 * c_1 + col_3] = total_0_3_2;
#line 40 "blocks.k"
            c[row_0_3 * c_1 + col_3] = total_0_3_3;
#line 40 "blocks.k"
            c[row_1_0 * c_1 + col] = total_1_0_0;
#line 40 "blocks.k"
            c[row_1_1 * c_1 + col] = total_1_0_1;
#line 40 "blocks.k"
            c[row_1_2 * c_1 + col] = total_1_0_2;
#line 40 "blocks.k"
            c[row_1_3 * c_1 + col] = total_1_0_3;
#line 40 "blocks.k"
            c[row_1_0 * c_1 + col_1] = total_1_1_0;
#line 40 "blocks.k"
            c[row_1_1 * c_1 + col_1] = total_1_1_1;
#line 40 "blocks.k"
            c[row_1_2 * c_1 + col_1] = total_1_1_2;
#line 40 "blocks.k"
            c[row_1_3 * c_1 + col_1] = total_1_1_3;
#line 40 "blocks.k"
            c[row_1_0 * c_1 + col_2] = total_1_2_0;
#line 40 "blocks.k"
            c[row_1_1 * c_1 + col_2] = total_1_2_1;
#line 40 "blocks.k"
            c[row_1_2 * c_1 + col_2] = total_1_2_2;
#line 40 "blocks.k"
            c[row_1_3 * c_1 + col_2] = total_1_2_3;
#line 40 "blocks.k"
            c[row_1_0 * c_1 + col_3] = total_1_3_0;
#line 40 "blocks.k"
            c[row_1_1 * c_1 + col_3] = total_1_3_1;
#line 40 "blocks.k"
            c[row_1_2 * c_1 + col_3] = total_1_3_2;
#line 40 "blocks.k"
            c[row_1_3 * c_1 + col_3] = total_1_3_3;
        } else {
#line 39 "blocks.k"
            if (row < c_0 && col < c_1)
                c[row * c_1 + col] = total;
#line 39 "blocks.k"
            if (row_0_1 < c_0 && col < c_1)
                c[row_0_1 * c_1 + col] = total_0_0_1;
#line 39 "blocks.k"
            if (row_0_2 < c_0 && col < c_1)
                c[row_0_2 * c_1 + col] = total_0_0_2;
#line 39 "blocks.k"
            if (row_0_3 < c_0 && col < c_1)
                c[row_0_3 * c_1 + col] = total_0_0_3;
#line 39 "blocks.k"
            if (row < c_0 && col_1 < c_1)
                c[row * c_1 + col_1] = total_0_1_0;
#line 39 "blocks.k"
            if (row_0_1 < c_0 && col_1 < c_1)
                c[row_0_1 * c_1 + col_1] = total_0_1_1;
#line 39 "blocks.k"
            if (row_0_2 < c_0 && col_1 < c_1)
                c[row_0_2 * c_1 + col_1] = total_0_1_2;
#line 39 "blocks.k"
            if (row_0_3 < c_0 && col_1 < c_1)
                c[row_0_3 * c_1 + col_1] = total_0_1_3;
#line 39 "blocks.k"
            if (row < c_0 && col_2 < c_1)
                c[row * c_1 + col_2] = total_0_2_0;
#line 39 "blocks.k"
            if (row_0_1 < c_0 && col_2 < c_1)
                c[row_0_1 * c_1 + col_2] = total_0_2_1;
#line 39 "blocks.k"
            if (row_0_2 < c_0 && col_2 < c_1)
                c[row_0_2 * c_1 + col_2] = total_0_2_2;
#line 39 "blocks.k"
            if (row_0_3 < c_0 && col_2 < c_1)
                c[row_0_3 * c_1 + col_2] = total_0_2_3;
#line 39 "blocks.k"
            if (row < c_0 && col_3 < c_1)
                c[row * c_1 + col_3] = total_0_3_0;
#line 39 "blocks.k"
            if (row_0_1 < c_0 && col_3 < c_1)
                c[row_0_1 * c_1 + col_3] = total_0_3_1;
#line 39 "blocks.k"
            if (row_0_2 < c_0 && col_3 < c_1)
                c[row_0_2 * c_1 + col_3] = total_0_3_2;
#line 39 "blocks.k"
            if (row_0_3 < c_0 && col_3 < c_1)
                c[row_0_3 * c_1 + col_3] = total_0_3_3;
#line 39 "blocks.k"
            if (row_1_0 < c_0 && col < c_1)
                c[row_1_0 * c_1 + col] = total_1_0_0;
#line 39 "blocks.k"
            if (row_1_1 < c_0 && col < c_1)
                c[row_1_1 * c_1 + col] = total_1_0_1;
#line 39 "blocks.k"
            if (row_1_2 < c_0 && col < c_1)
                c[row_1_2 * c_1 + col] = total_1_0_2;
#line 39 "blocks.k"
            if (row_1_3 < c_0 && col < c_1)
                c[row_1_3 * c_1 + col] = total_1_0_3;
#line 39 "blocks.k"
            if (row_1_0 < c_0 && col_1 < c_1)
                c[row_1_0 * c_1 + col_1] = total_1_1_0;
#line 39 "blocks.k"
            if (row_1_1 < c_0 && col_1 < c_1)
                c[row_1_1 * c_1 + col_1] = total_1_1_1;
#line 39 "blocks.k"
            if (row_1_2 < c_0 && col_1 < c_1)
                c[row_1_2 * c_1 + col_1] = total_1_1_2;
#line 39 "blocks.k"
            if (row_1_3 < c_0 && col_1 < c_1)
                c[row_1_3 * c_1 + col_1] = total_1_1_3;
#line 39 "blocks.k"
            if (row_1_0 < c_0 && col_2 < c_1)
                c[row_1_0 * c_1 + col_2] = total_1_2_0;
#line 39 "blocks.k"
            if (row_1_1 < c_0 && col_2 < c_1)
                c[row_1_1 * c_1 + col_2] = total_1_2_1;
#line 39 "blocks.k"
            if (row_1_2 < c_0 && col_2 < c_1)
                c[row_1_2 * c_1 + col_2] = total_1_2_2;
#line 39 "blocks.k"
            if (row_1_3 < c_0 && col_2 < c_1)
                c[row_1_3 * c_1 + col_2] = total_1_2_3;
#line 39 "blocks.k"
            if (row_1_0 < c_0 && col_3 < c_1)
                c[row_1_0 * c_1 + col_3] = total_1_3_0;
#line 39 "blocks.k"
            if (row_1_1 < c_0 && col_3 < c_1)
                c[row_1_1 * c_1 + col_3] = total_1_3_1;
#line 39 "blocks.k"
            if (row_1_2 < c_0 && col_3 < c_1)
                c[row_1_2 * c_1 + col_3] = total_1_3_2;
#line 39 "blocks.k"
            if (row_1_3 < c_0 && col_3 < c_1)
                c[row_1_3 * c_1 + col_3] = total_1_3_3;
        }
    } else {
#line 24 "blocks.k"
        for (int _block = 0; _block < (int)min_i64(4, _blocks_x - (long long)blockIdx.x * 4);
                _block++) {
#line 24 "blocks.k"
            for (int _block_2 = 0; _block_2 < (int)min_i64(2, _blocks_y -
                    (long long)blockIdx.y * 2); _block_2++) {


                long long col_0 = (long long)((int)blockIdx.x * 4 + _block) * 16 + threadIdx.x;
                long long row_0_0 = (long long)((int)blockIdx.y * 2 + _block_2) * 16 + threadIdx.y;
#line 28 "blocks.k"
                long long row_0_1_2 = (long long)((int)blockIdx.y * 2 + _block_2) * 16 +
                        ((int)threadIdx.y + 4);
#line 28 "blocks.k"
                long long row_0_2_2 = (long long)((int)blockIdx.y * 2 + _block_2) * 16 +
                        ((int)threadIdx.y + 8);
#line 28 "blocks.k"
                long long row_0_3_2 = (long long)((int)blockIdx.y * 2 + _block_2) * 16 +
                        ((int)threadIdx.y + 12);
                int x_2 = threadIdx.x;
                int y_0 = threadIdx.y;
#line 30 "blocks.k"
                int y_1_2 = (int)threadIdx.y + 4;
                int y_2_2 = (int)threadIdx.y + 8;
#line 30 "blocks.k"
                int y_3_2 = (int)threadIdx.y + 12;
                float total_0_0_0 = 0.0f;
                float total_0_0_1_2 = 0.0f;
#line 31 "blocks.k"
                float total_0_0_2_2 = 0.0f;
                float total_0_0_3_2 = 0.0f;
                for (long long start_2 = 0; start_2 < a_1; start_2 += 16) {
#line 33 "blocks.k"
                    near_a[y_0][x_2] = a[floor_mod_i64(row_0_0, a_0) * a_1 + start_2 + x_2];
#line 33 "blocks.k"
                    near_a[y_1_2][x_2] = a[floor_mod_i64(row_0_1_2, a_0) * a_1 + start_2 + x_2];
#line 33 "blocks.k"
                    near_a[y_2_2][x_2] = a[floor_mod_i64(row_0_2_2, a_0) * a_1 + start_2 + x_2];
#line 33 "blocks.k"
                    near_a[y_3_2][x_2] = a[floor_mod_i64(row_0_3_2, a_0) * a_1 + start_2 + x_2];
                    near_b[y_0][x_2] = b[(start_2 + y_0) * b_1 + floor_mod_i64(col_0, b_1)];
#line 34 "blocks.k"
                    near_b[y_1_2][x_2] = b[(start_2 + y_1_2) * b_1 + floor_mod_i64(col_0, b_1)];
#line 34 "blocks.k"
                    near_b[y_2_2][x_2] = b[(start_2 + y_2_2) * b_1 + floor_mod_i64(col_0, b_1)];
#line 34 "blocks.k"
                    near_b[y_3_2][x_2] = b[(start_2 + y_3_2) * b_1 + floor_mod_i64(col_0, b_1)];
                    __syncthreads();
                    for (long long k_2 = 0; k_2 < 16; k_2++) {
                        total_0_0_0 += near_a[y_0][k_2] * near_b[k_2][x_2];
#line 37 "blocks.k"
                        total_0_0_1_2 += near_a[y_1_2][k_2] * near_b[k_2][x_2];
#line 37 "blocks.k"
                        total_0_0_2_2 += near_a[y_2_2][k_2] * near_b[k_2][x_2];
#line 37 "blocks.k"
                        total_0_0_3_2 += near_a[y_3_2][k_2] * near_b[k_2][x_2];
                    }
#line 38 "blocks.k"
                    __syncthreads();
                }
                if (row_0_0 < c_0 && row_0_1_2 < c_0 && row_0_2_2 < c_0 && row_0_3_2 < c_0 &&
                        col_0 < c_1) {
#line 40 "blocks.k"
                    c[row_0_0 * c_1 + col_0] = total_0_0_0;
#line 40 "blocks.k"
                    c[row_0_1_2 * c_1 + col_0] = total_0_0_1_2;
#line 40 "blocks.k"
                    c[row_0_2_2 * c_1 + col_0] = total_0_0_2_2;
#line 40 "blocks.k"
                    c[row_0_3_2 * c_1 + col_0] = total_0_0_3_2;
                } else {
#line 39 "blocks.k"
                    if (row_0_0 < c_0 && col_0 < c_1)
                        c[row_0_0 * c_1 + col_0] = total_0_0_0;
#line 39 "blocks.k"
                    if (row_0_1_2 < c_0 && col_0 < c_1)
                        c[row_0_1_2 * c_1 + col_0] = total_0_0_1_2;
#line 39 "blocks.k"
                    if (row_0_2_2 < c_0 && col_0 < c_1)
                        c[row_0_2_2 * c_1 + col_0] = total_0_0_2_2;
#line 39 "blocks.k"
                    if (row_0_3_2 < c_0 && col_0 < c_1)
                        c[row_0_3_2 * c_1 + col_0] = total_0_0_3_2;
                }
#line 24 "blocks.k"
                __syncthreads();
            }
        }
    }
}

== held_back ==
#line 1 "kjit prelude"
#line 46 "blocks.k"
extern "C" __global__ void held_back(const float *__restrict__ a, long long a_0, long long a_1,
        float *__restrict__ sums, long long sums_0)
{
    __shared__ float near[8][32];
    long long col = (long long)blockIdx.x * 32 + threadIdx.x;
#line 49 "blocks.k"
    long long row = (long long)blockIdx.y * 8 + threadIdx.y;
    long long row_1 = (long long)blockIdx.y * 8 + ((int)threadIdx.y + 2);
#line 49 "blocks.k"
    long long row_2 = (long long)blockIdx.y * 8 + ((int)threadIdx.y + 4);
    long long row_3 = (long long)blockIdx.y * 8 + ((int)threadIdx.y + 6);
    int x = threadIdx.x;
    int y = threadIdx.y;
#line 51 "blocks.k"
    int y_1 = (int)threadIdx.y + 2;
    int y_2 = (int)threadIdx.y + 4;
#line 51 "blocks.k"
    int y_3 = (int)threadIdx.y + 6;
    bool _here = row < a_0 && col < a_1;
    bool _here_2 = row_1 < a_0 && col < a_1;
#line 52 "blocks.k"
    bool _here_3 = row_2 < a_0 && col < a_1;
    bool _here_4 = row_3 < a_0 && col < a_1;
#line 52 "blocks.k"
    bool _all_here = _here && _here_2 && _here_3 && _here_4;
    if (_here || _here_2 || _here_3 || _here_4) {
        float total = 0.0f;
        float total_1 = 0.0f;
#line 54 "blocks.k"
        float total_2 = 0.0f;
        float total_3 = 0.0f;
        for (long long turn = 0; turn < 4; turn++) {
            if (turn != 2) {
                if (_all_here) {
#line 58 "blocks.k"
                    near[y][x] = (float)((double)a[row * a_1 + col] * turn);
#line 58 "blocks.k"
                    near[y_1][x] = (float)((double)a[row_1 * a_1 + col] * turn);
#line 58 "blocks.k"
                    near[y_2][x] = (float)((double)a[row_2 * a_1 + col] * turn);
#line 58 "blocks.k"
                    near[y_3][x] = (float)((double)a[row_3 * a_1 + col] * turn);
                } else {
#line 58 "blocks.k"
                    if (_here)
#line 58 "blocks.k"
                        near[y][x] = (float)((double)a[row * a_1 + col] * turn);
                    if (_here_2)
#line 58 "blocks.k"
                        near[y_1][x] = (float)((double)a[row_1 * a_1 + col] * turn);
                    if (_here_3)
#line 58 "blocks.k"
                        near[y_2][x] = (float)((double)a[row_2 * a_1 + col] * turn);
                    if (_here_4)
#line 58 "blocks.k"
                        near[y_3][x] = (float)((double)a[row_3 * a_1 + col] * turn);
                }
#line 59 "blocks.k"
                __syncthreads();
                if (_all_here) {
#line 60 "blocks.k"
                    total += near[y][x];
#line 60 "blocks.k"
                    total_1 += near[y_1][x];
#line 60 "blocks.k"
                    total_2 += near[y_2][x];
#line 60 "blocks.k"
                    total_3 += near[y_3][x];
                    if (x == 0) {
                        atomicAdd(&sums[row], total);
#line 62 "blocks.k"
                        atomicAdd(&sums[row_1], total_1);
#line 62 "blocks.k"
                        atomicAdd(&sums[row_2], total_2);
#line 62 "blocks.k"
                        atomicAdd(&sums[row_3], total_3);
                    }
                } else {
#line 60 "blocks.k"
                    if (_here)
#line 60 "blocks.k"
                        total += near[y][x];
                    if (_here_2)
#line 60 "blocks.k"
                        total_1 += near[y_1][x];
                    if (_here_3)
#line 60 "blocks.k"
                        total_2 += near[y_2][x];
                    if (_here_4)
#line 60 "blocks.k"
                        total_3 += near[y_3][x];
                    if (x == 0) {
                        if (_here)
#line 62 "blocks.k"
                            atomicAdd(&sums[row], total);
                        if (_here_2)
#line 62 "blocks.k"
                            atomicAdd(&sums[row_1], total_1);
                        if (_here_3)
#line 62 "blocks.k"
                            atomicAdd(&sums[row_2], total_2);
                        if (_here_4)
#line 62 "blocks.k"
                            atomicAdd(&sums[row_3], total_3);
                    }
                }
#line 63 "blocks.k"
                __syncthreads();
            }
        }
    }
}

== loops_of_their_own ==
#line 1 "kjit prelude"
/* What follows i in a count by `step`: never beyond `stop`, so that nothing overflows. */
static __device__ inline long long range_next_i64(long long i, long long stop, long long step)
{
    unsigned long long left = step > 0 ? (unsigned long long)stop - (unsigned long long)i : (unsigned long long)i - (unsigned long long)stop;
    unsigned long long stride = step > 0 ? (unsigned long long)step : 0 - (unsigned long long)step;

    return left <= stride ? stop : (long long)(i + step);
}

#line 68 "blocks.k"
extern "C" __global__ void loops_of_their_own(int *counts, long long counts_0, const int *total,
        long long total_0)
{
    __shared__ int near[8];
    int x = threadIdx.y;
    int y = threadIdx.x;
    long long steps = total_0 + 1;
    if (x == 0)
#line 75 "blocks.k"
        near[y] = 0;
    __syncthreads();
    for (long long i = x, i_stop = 8LL * counts[0] + 32; i < i_stop;
            i = range_next_i64(i, i_stop, 32))
#line 78 "blocks.k"
        atomicAdd(&near[y], (int)steps);
    __syncthreads();
    steps++;
    if (x == 0)
        counts[y] = (int)(near[y] + steps);
}

