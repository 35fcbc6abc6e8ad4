// The three products of examples/kernel_tuner_matmul.k as plain CUDA C: what one tunes without
// kjit. WIDTH and the parameters are #defined before this text.
#define SPAN_X (block_size_x * tile_size_x)
#define SPAN_Y (block_size_y * tile_size_y)

extern "C" __global__ void matmul_naive(float *c, const float *a, const float *b)
{
    int x = blockIdx.x * block_size_x + threadIdx.x, y = blockIdx.y * block_size_y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < WIDTH; k++)
        sum += a[y * WIDTH + k] * b[k * WIDTH + x];
    c[y * WIDTH + x] = sum;
}

// Square blocks, as in the tutorial.
extern "C" __global__ void matmul_shared(float *c, const float *a, const float *b)
{
    __shared__ float near_a[block_size_y][block_size_x], near_b[block_size_y][block_size_x];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * block_size_x + tx, y = blockIdx.y * block_size_y + ty;
    float sum = 0;
    for (int start = 0; start < WIDTH; start += block_size_x) {
        __syncthreads();
        near_a[ty][tx] = a[y * WIDTH + start + tx];
        near_b[ty][tx] = b[(start + ty) * WIDTH + x];
        __syncthreads();
        for (int k = 0; k < block_size_x; k++)
            sum += near_a[ty][k] * near_b[k][tx];
    }
    c[y * WIDTH + x] = sum;
}

// block_size_x == SPAN_Y, as in the tutorial.
extern "C" __global__ void matmul_tiled(float *c, const float *a, const float *b)
{
    __shared__ float near_a[SPAN_Y][block_size_x], near_b[SPAN_Y][SPAN_X];
    int tx = threadIdx.x, ty = threadIdx.y;
    int left = blockIdx.x * SPAN_X + tx, top = blockIdx.y * SPAN_Y + ty;
    float sum[tile_size_y][tile_size_x] = {};
    for (int start = 0; start < WIDTH; start += block_size_x) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < tile_size_y; i++) {
            int row = ty + i * block_size_y;
            near_a[row][tx] = a[(top + i * block_size_y) * WIDTH + start + tx];
#pragma unroll
            for (int j = 0; j < tile_size_x; j++)
                near_b[row][tx + j * block_size_x] =
                    b[(start + row) * WIDTH + left + j * block_size_x];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < block_size_x; k++)
#pragma unroll
            for (int i = 0; i < tile_size_y; i++)
#pragma unroll
                for (int j = 0; j < tile_size_x; j++)
                    sum[i][j] += near_a[ty + i * block_size_y][k] * near_b[k][tx + j * block_size_x];
    }
#pragma unroll
    for (int i = 0; i < tile_size_y; i++)
#pragma unroll
        for (int j = 0; j < tile_size_x; j++)
            c[(top + i * block_size_y) * WIDTH + left + j * block_size_x] = sum[i][j];
}
