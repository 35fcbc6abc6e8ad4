// The kernels of the .k files as plain CUDA C: the same loops and the same types of what is
// computed, indices of 32 bits, __restrict__ on what is only read. Compiled by nvcc -O3 and by NVRTC.
// A stride is in elements.

extern "C" {

// ---- elementwise.k ------------------------------------------------------------------------------

__global__ void inc(float *a, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        a[i] += 1;
}

__global__ void mult(const float *__restrict__ a, const float *__restrict__ b, float *product, int n)
{
    int threads = blockDim.x, blocks = gridDim.x;
    for (int i = threadIdx.x + blockIdx.x * threads; i < n; i += threads * blocks)
        product[i] = a[i] * b[i];
}

__global__ void saxpy(float alpha, const float *__restrict__ x, float *y, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n)
        return;
    y[i] = alpha * x[i] + y[i];
}

__global__ void axpby(double alpha, const double *__restrict__ x, double beta,
                      const double *__restrict__ y, double *z, int n)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        z[i] = alpha * x[i] + beta * y[i];
}

__global__ void clip(const short *__restrict__ x, short low, short high, short *clipped, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        clipped[i] = min(max(x[i], low), high);
}

__global__ void threshold(const unsigned char *__restrict__ picture, int limit,
                          unsigned char *marked, int rows, int cols)
{
    int row = threadIdx.x + blockIdx.x * blockDim.x, col = threadIdx.y + blockIdx.y * blockDim.y;
    if (row < rows && col < cols)
        marked[row * cols + col] = picture[row * cols + col] > limit ? 255 : 0;
}

__global__ void multiply_complex(const float2 *__restrict__ x, const float2 *__restrict__ y,
                                 float2 *z, int n)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        float2 a = x[i], b = y[i];
        z[i] = make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
    }
}

__global__ void scale_strided(const float *__restrict__ x, int x_stride, float factor, float *y,
                              int y_stride, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        y[i * y_stride] = x[i * x_stride] * factor;
}

__global__ void masked_update(float *values, const bool *__restrict__ mask, float factor, int rows,
                              int cols)
{
    int row = threadIdx.x + blockIdx.x * blockDim.x, col = threadIdx.y + blockIdx.y * blockDim.y;
    if (row < rows && col < cols)
        if (mask[row * cols + col])
            values[row * cols + col] *= factor;
}

__global__ void gather(const float *__restrict__ source, const int *__restrict__ where,
                       float *found, int n)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        found[i] = source[where[i]];
}

static __device__ float smooth_step(float t)
{
    t = fminf(fmaxf(t, 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

__global__ void blend(const float *__restrict__ a, const float *__restrict__ b,
                      const float *__restrict__ t, float *mixed, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        float s = smooth_step(t[i]);
        mixed[i] = a[i] + (b[i] - a[i]) * s;
    }
}

// ---- stencils.k ---------------------------------------------------------------------------------

__global__ void conv3(const float *__restrict__ x, float *mean, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        mean[i] = (x[i] + x[i + 1] + x[i + 2]) / 3.;
}

__global__ void stencil5(const float *__restrict__ now, float *later, int rows, int cols)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i < 1 || j < 1 || i >= rows - 1 || j >= cols - 1)
        return;
    int at = i * cols + j;
    float around = now[at - cols] + now[at + cols] + now[at - 1] + now[at + 1];
    later[at] = now[at] + 0.2f * (around - 4.0f * now[at]);
}

__global__ void stencil7(const double *__restrict__ now, double rate, double *later, int planes,
                         int rows, int cols)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    int k = threadIdx.z + blockIdx.z * blockDim.z;
    if (0 < i && i < planes - 1 && 0 < j && j < rows - 1 && 0 < k && k < cols - 1) {
        int plane = rows * cols, at = i * plane + j * cols + k;
        double total = now[at - plane] + now[at + plane];
        total += now[at - cols] + now[at + cols];
        total += now[at - 1] + now[at + 1];
        later[at] = now[at] + rate * (total - 6.0 * now[at]);
    }
}

// ---- histograms.k -------------------------------------------------------------------------------

__global__ void hist(const float *__restrict__ x, float low, float high, int *counts, int n,
                     int bins)
{
    double width = (double)(high - low) / bins;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        int bin = floor((x[i] - low) / width);
        if (bin >= 0 && bin < bins)
            atomicAdd(&counts[bin], 1);
    }
}

__global__ void hist2d(const float *__restrict__ x, const float *__restrict__ y, float low,
                       float high, int *counts, int n, int rows, int cols)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        int row = floor((double)((x[i] - low) / (high - low)) * rows);
        int col = floor((double)((y[i] - low) / (high - low)) * cols);
        if (0 <= row && row < rows && 0 <= col && col < cols)
            atomicAdd(&counts[row * cols + col], 1);
    }
}

__global__ void byte_counts(const unsigned char *__restrict__ data, int *counts, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n)
        return;
    atomicAdd(&counts[data[i]], 1);
}

__global__ void group_sums(const int *__restrict__ group, const float *__restrict__ weight,
                           float *sums, int n)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&sums[group[i]], weight[i]);
}

__global__ void group_most(const unsigned short *__restrict__ group,
                           const int *__restrict__ value, int *most, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        atomicMax(&most[group[i]], value[i]);
}

__global__ void count_above(const float *__restrict__ x, float limit, int *count, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n || x[i] <= limit)
        return;
    atomicAdd(count, 1);
}

// ---- reductions.k -------------------------------------------------------------------------------

__global__ void tree_sum(const float *__restrict__ x, float *total, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x;
    float mine = 0;
    for (int i = t + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        mine += x[i];
    part[t] = mine;
    __syncthreads();
    for (int half = 256 / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(total, part[0]);
}

__global__ void dot(const float *__restrict__ x, const float *__restrict__ y, double *total, int n)
{
    double mine = 0;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        mine += x[i] * y[i];
    atomicAdd(total, mine);
}

__global__ void row_sums(const float *__restrict__ a, float *sums, int rows, int cols, int row_step,
                         int col_step)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < rows)
        for (int k = 0; k < cols; k++)
            sums[i] += a[i * row_step + k * col_step];
}

__global__ void running_sums(const float *__restrict__ a, float *sums, int rows, int cols)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < rows) {
        float so_far = 0;
        for (int k = 0; k < cols; k++) {
            so_far += a[i * cols + k];
            sums[i * cols + k] = so_far;
        }
    }
}

__global__ void banded(const float *__restrict__ p, const float *__restrict__ q, float *r, int m,
                       int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < m + n - 1) {
        float sum = 0;
        for (int j = 0; j < n; j++)
            if (0 <= i - j && i - j < m)
                sum += p[i - j] * q[j];
        r[i] = sum;
    }
}

// ---- matrices.k ---------------------------------------------------------------------------------

__global__ void matmul_memory(const float *__restrict__ a, const float *__restrict__ b, float *out,
                              int rows, int depth, int cols)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i < rows && j < cols)
        for (int k = 0; k < depth; k++)
            out[i * cols + j] += a[i * depth + k] * b[k * cols + j];
}

__global__ void matmul_naive(const float *__restrict__ a, const float *__restrict__ b, float *c,
                             int rows, int depth, int cols)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i < rows && j < cols) {
        double sum = 0.;
        for (int k = 0; k < depth; k++)
            sum += a[i * depth + k] * b[k * cols + j];
        c[i * cols + j] = sum;
    }
}

__global__ void matmul_naive_double(const double *__restrict__ a, const double *__restrict__ b,
                                    double *c, int rows, int depth, int cols)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i < rows && j < cols) {
        double sum = 0.;
        for (int k = 0; k < depth; k++)
            sum += a[i * depth + k] * b[k * cols + j];
        c[i * cols + j] = sum;
    }
}

__global__ void matmul_shared(const float *__restrict__ a, const float *__restrict__ b, float *c,
                              int rows, int depth, int cols)
{
    __shared__ float near_a[16][16], near_b[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int col = x + blockIdx.x * blockDim.x, row = y + blockIdx.y * blockDim.y;
    float sum = 0;
    for (int step = 0; step < (depth + 15) / 16; step++) {
        near_a[y][x] = 0;
        near_b[y][x] = 0;
        if (row < rows && x + step * 16 < depth)
            near_a[y][x] = a[row * depth + x + step * 16];
        if (col < cols && y + step * 16 < depth)
            near_b[y][x] = b[(y + step * 16) * cols + col];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += near_a[y][k] * near_b[k][x];
        __syncthreads();
    }
    if (row < rows && col < cols)
        c[row * cols + col] = sum;
}

__global__ void transpose_naive(const float *__restrict__ a, float *turned, int rows, int cols)
{
    int col = threadIdx.x + blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
    if (row < rows && col < cols)
        turned[col * rows + row] = a[row * cols + col];
}

__global__ void transpose_indexed(const float *__restrict__ a, float *turned, int rows, int cols)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i < rows && j < cols)
        turned[j * rows + i] = a[i * cols + j];
}

__global__ void transpose_shared(const float *__restrict__ a, float *turned, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;
    if (top + y < rows && left + x < cols)
        tile[y][x] = a[(top + y) * cols + left + x];
    __syncthreads();
    if (left + y < cols && top + x < rows)
        turned[(left + y) * rows + top + x] = tile[x][y];
}

__global__ void matvec(const float *__restrict__ a, const float *__restrict__ x, float *y, int rows,
                       int cols)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < rows) {
        float sum = 0;
        for (int k = 0; k < cols; k++)
            sum += a[i * cols + k] * x[k];
        y[i] = sum;
    }
}

__global__ void matmul_batched(const float *__restrict__ a, const float *__restrict__ b, float *c,
                               int batches, int rows, int depth, int cols)
{
    int n = threadIdx.x + blockIdx.x * blockDim.x, i = threadIdx.y + blockIdx.y * blockDim.y;
    int j = threadIdx.z + blockIdx.z * blockDim.z;
    if (n < batches && i < rows && j < cols) {
        float sum = 0;
        for (int k = 0; k < depth; k++)
            sum += a[(n * rows + i) * depth + k] * b[(n * depth + k) * cols + j];
        c[(n * rows + i) * cols + j] = sum;
    }
}

__global__ void distances(const float *__restrict__ a, const float *__restrict__ b, float *apart,
                          int rows, int cols, int depth)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i >= rows || j >= cols)
        return;
    float sum = 0;
    for (int k = 0; k < depth; k++) {
        float step = a[i * depth + k] - b[j * depth + k];
        sum += step * step;
    }
    apart[i * cols + j] = sqrtf(sum);
}

__global__ void add_transposed(const double *__restrict__ a, const double *__restrict__ b,
                               double *out, int rows, int cols)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i < rows && j < cols)
        out[i * cols + j] = a[j * rows + i] + b[i * cols + j];
}

__global__ void permute(const unsigned short *__restrict__ a, unsigned short *out, int planes,
                        int rows, int cols)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    int k = threadIdx.z + blockIdx.z * blockDim.z;
    if (i < planes && j < rows && k < cols)
        out[(k * rows + j) * planes + i] = a[(i * rows + j) * cols + k];
}

} // extern "C"
