// The same results as an expert in the machine writes them: accesses of 16 bytes, several of
// them in flight, counters in shared memory, tiles in registers. Not general: sizes that divide, and
// the launches that rows.py gives them.

static __device__ float4 operator*(float4 a, float4 b)
{
    return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}

template<int COPIES>
static __device__ void count_exactly(int *mine, float x, float low, float scale, double width,
                                     int bins)
{
    // The quotient in float32 decides unless it is so near to a whole number that rounding could.
    float quotient = (x - low) * scale, whole = floorf(quotient), part = quotient - whole;
    int bin = (int)whole;
    if (part < 1e-3f || part > 0.999f)
        bin = floor((x - low) / width);
    if (bin >= 0 && bin < bins)
        atomicAdd(&mine[bin * COPIES], 1);
}

extern "C" {

// 16 elements a thread.
__global__ void inc_wide(float4 *a)
{
    int base = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    float4 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = a[base + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        v[k].x += 1, v[k].y += 1, v[k].z += 1, v[k].w += 1;
        a[base + k * blockDim.x] = v[k];
    }
}

// A grid-stride loop, 8 times unrolled: 16 loads of 16 bytes in flight. n counts float4.
__global__ void mult_wide(const float4 *__restrict__ a, const float4 *__restrict__ b,
                          float4 *product, int n)
{
    int stride = blockDim.x * gridDim.x, i = threadIdx.x + blockIdx.x * blockDim.x;
    for (; i + 7 * stride < n; i += 8 * stride) {
        float4 x[8], y[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            x[k] = __ldcs(&a[i + k * stride]);
            y[k] = __ldcs(&b[i + k * stride]);
        }
#pragma unroll
        for (int k = 0; k < 8; k++)
            __stcs(&product[i + k * stride], x[k] * y[k]);
    }
    for (; i < n; i += stride)
        product[i] = a[i] * b[i];
}

// 4 results a thread, for which it reads 4 elements and 2 of its neighbour's; a multiplication
// instead of the division. n counts elements of x.
__global__ void conv3_wide(const float *__restrict__ x, float *mean, int n)
{
    int i = 4 * (threadIdx.x + blockIdx.x * blockDim.x);
    if (i + 8 <= n) {
        float4 a = *(const float4 *)&x[i], r;
        float2 b = *(const float2 *)&x[i + 4];
        r.x = (a.x + a.y + a.z) * (1.0f / 3.0f);
        r.y = (a.y + a.z + a.w) * (1.0f / 3.0f);
        r.z = (a.z + a.w + b.x) * (1.0f / 3.0f);
        r.w = (a.w + b.x + b.y) * (1.0f / 3.0f);
        *(float4 *)&mean[i] = r;
    } else {
        for (int j = i; j < i + 4 && j < n - 2; j++)
            mean[j] = (x[j] + x[j + 1] + x[j + 2]) * (1.0f / 3.0f);
    }
}

// Each lane counts in a copy of its own, in a bank of its own; 4 loads of 16 bytes in flight. n
// counts float4.
__global__ void hist_wide(const float4 *__restrict__ x, float low, float high, int *counts, int n,
                          int bins)
{
    extern __shared__ int copies[];
    double width = (double)(high - low) / bins;
    float scale = (float)(1.0 / width);
    int *mine = copies + threadIdx.x % 32;
    for (int i = threadIdx.x; i < bins * 32; i += blockDim.x)
        copies[i] = 0;
    __syncthreads();
    int stride = blockDim.x * gridDim.x, i = threadIdx.x + blockIdx.x * blockDim.x;
    for (; i < n; i += 4 * stride) {
        float4 v[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = i + k * stride < n ? x[i + k * stride] : make_float4(0, 0, 0, 0);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            if (i + k * stride >= n)
                break;
            count_exactly<32>(mine, v[k].x, low, scale, width, bins);
            count_exactly<32>(mine, v[k].y, low, scale, width, bins);
            count_exactly<32>(mine, v[k].z, low, scale, width, bins);
            count_exactly<32>(mine, v[k].w, low, scale, width, bins);
        }
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) {
        int sum = 0;
        for (int k = 0; k < 32; k++)
            sum += copies[b * 32 + (k + b) % 32];
        if (sum)
            atomicAdd(&counts[b], sum);
    }
}

// The naive product with the axes exchanged and the sum in a register: what a pass over the naive
// text can reach by itself.
__global__ void matmul_swapped(const float *__restrict__ a, const float *__restrict__ b, float *c,
                               int n)
{
    int j = threadIdx.x + blockIdx.x * blockDim.x, i = threadIdx.y + blockIdx.y * blockDim.y;
    float sum = 0;
#pragma unroll 8
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}

// The same with the sum a double, as the naive text's literal makes it.
__global__ void matmul_swapped_double(const float *__restrict__ a, const float *__restrict__ b,
                                      float *c, int n)
{
    int j = threadIdx.x + blockIdx.x * blockDim.x, i = threadIdx.y + blockIdx.y * blockDim.y;
    double sum = 0;
#pragma unroll 8
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}

// 128 by 128 results a block of 256 threads, 8 by 8 a thread; n is a multiple of 128.
__global__ void __launch_bounds__(256) matmul_tiled(const float *__restrict__ a,
                                                    const float *__restrict__ b, float *c, int n)
{
    __shared__ float near_a[2][8][132], near_b[2][8][128];
    int t = threadIdx.x, row = blockIdx.y * 128, col = blockIdx.x * 128;
    int a_row = t / 2, a_col = t % 2 * 4, b_row = t / 32, b_col = t % 32 * 4;
    int y = t / 16 * 4, x = t % 16 * 4;
    const float *from_a = a + (row + a_row) * n + a_col, *from_b = b + b_row * n + col + b_col;
    float sum[8][8] = {};
    float4 next_a = *(const float4 *)from_a, next_b = *(const float4 *)from_b;
    for (int k = 0, now = 0; k < n; k += 8, now ^= 1) {
        near_a[now][a_col][a_row] = next_a.x;
        near_a[now][a_col + 1][a_row] = next_a.y;
        near_a[now][a_col + 2][a_row] = next_a.z;
        near_a[now][a_col + 3][a_row] = next_a.w;
        *(float4 *)&near_b[now][b_row][b_col] = next_b;
        __syncthreads();
        if (k + 8 < n) {
            next_a = *(const float4 *)(from_a + k + 8);
            next_b = *(const float4 *)(from_b + (k + 8) * n);
        }
#pragma unroll
        for (int s = 0; s < 8; s++) {
            float p[8], q[8];
            *(float4 *)&p[0] = *(const float4 *)&near_a[now][s][y];
            *(float4 *)&p[4] = *(const float4 *)&near_a[now][s][y + 64];
            *(float4 *)&q[0] = *(const float4 *)&near_b[now][s][x];
            *(float4 *)&q[4] = *(const float4 *)&near_b[now][s][x + 64];
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    sum[i][j] += p[i] * q[j];
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float *to = c + (row + y + i % 4 + i / 4 * 64) * n + col + x;
        *(float4 *)to = *(float4 *)&sum[i][0];
        *(float4 *)(to + 64) = *(float4 *)&sum[i][4];
    }
}

// Blocks of 32 by 8 threads: a tile of 32 by 32, 4 rows a thread.
__global__ void transpose_tiled(const float *__restrict__ a, float *turned, int rows, int cols)
{
    __shared__ float tile[32][33];
    int left = blockIdx.x * 32, top = blockIdx.y * 32;
#pragma unroll
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = a[(top + threadIdx.y + k) * cols + left + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k += 8)
        turned[(left + threadIdx.y + k) * rows + top + threadIdx.x] =
            tile[threadIdx.x][threadIdx.y + k];
}

// 8 loads of 16 bytes in flight, then warps fold by shuffles. n counts float4.
__global__ void sum_wide(const float4 *__restrict__ x, float *total, int n)
{
    __shared__ float part[32];
    int stride = blockDim.x * gridDim.x, i = threadIdx.x + blockIdx.x * blockDim.x;
    float sum[8] = {}, all = 0;
    for (; i + 7 * stride < n; i += 8 * stride)
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float4 v = x[i + k * stride];
            sum[k] += (v.x + v.y) + (v.z + v.w);
        }
    for (; i < n; i += stride)
        sum[0] += (x[i].x + x[i].y) + (x[i].z + x[i].w);
    for (int k = 0; k < 8; k++)
        all += sum[k];
    for (int away = 16; away; away /= 2)
        all += __shfl_xor_sync(0xffffffff, all, away);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = all;
    __syncthreads();
    if (threadIdx.x < 32) {
        all = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        for (int away = 16; away; away /= 2)
            all += __shfl_xor_sync(0xffffffff, all, away);
        if (threadIdx.x == 0)
            atomicAdd(total, all);
    }
}

// Every warp has counters of its own; 16 bytes at a load.
__global__ void byte_counts_wide(const uint4 *__restrict__ data, int *counts, int n)
{
    __shared__ int copies[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += blockDim.x)
        ((int *)copies)[i] = 0;
    __syncthreads();
    int *mine = copies[threadIdx.x / 32 % 8];
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        uint4 v = data[i];
        unsigned words[4] = { v.x, v.y, v.z, v.w };
#pragma unroll
        for (int k = 0; k < 4; k++)
#pragma unroll
            for (int b = 0; b < 32; b += 8)
                atomicAdd(&mine[words[k] >> b & 255], 1);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += copies[k][threadIdx.x];
    if (sum)
        atomicAdd(&counts[threadIdx.x], sum);
}

// Counters in shared memory, one set a block; 4 elements of either array at a load.
__global__ void hist2d_wide(const float4 *__restrict__ x, const float4 *__restrict__ y, float low,
                            float high, int *counts, int n, int rows, int cols)
{
    extern __shared__ int mine[];
    for (int i = threadIdx.x; i < rows * cols; i += blockDim.x)
        mine[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        float4 v = x[i], w = y[i];
        float xs[4] = { v.x, v.y, v.z, v.w }, ys[4] = { w.x, w.y, w.z, w.w };
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int row = floor((double)((xs[k] - low) / (high - low)) * rows);
            int col = floor((double)((ys[k] - low) / (high - low)) * cols);
            if (0 <= row && row < rows && 0 <= col && col < cols)
                atomicAdd(&mine[row * cols + col], 1);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < rows * cols; i += blockDim.x)
        if (mine[i])
            atomicAdd(&counts[i], mine[i]);
}

// Sums of each warp's own in shared memory, 4 pairs at a load.
__global__ void group_sums_wide(const int4 *__restrict__ group, const float4 *__restrict__ weight,
                                float *sums, int n, int groups)
{
    extern __shared__ float own[];
    int warps = blockDim.x / 32;
    for (int i = threadIdx.x; i < groups * warps; i += blockDim.x)
        own[i] = 0;
    __syncthreads();
    float *mine = own + threadIdx.x / 32 * groups;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        int4 g = group[i];
        float4 w = weight[i];
        atomicAdd(&mine[g.x], w.x);
        atomicAdd(&mine[g.y], w.y);
        atomicAdd(&mine[g.z], w.z);
        atomicAdd(&mine[g.w], w.w);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < groups; i += blockDim.x) {
        float sum = 0;
        for (int k = 0; k < warps; k++)
            sum += own[k * groups + i];
        atomicAdd(&sums[i], sum);
    }
}

} // extern "C"
