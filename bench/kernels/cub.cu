// CUB's histogram, sum, sums of segments and selection behind C functions, for ctypes. The first
// call of each finds out how much room CUB wants; that stays until the process ends.
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

static void *room;
static size_t room_bytes;

static cudaError_t make_room(size_t bytes)
{
    if (bytes <= room_bytes)
        return cudaSuccess;
    cudaFree(room);
    room_bytes = bytes;
    return cudaMalloc(&room, bytes);
}

extern "C" int cub_histogram(const float *x, float low, float high, int *counts, int n, int bins)
{
    size_t bytes = 0;
    cudaError_t e = cub::DeviceHistogram::HistogramEven(nullptr, bytes, x, counts, bins + 1, low,
                                                        high, n);
    if (e == cudaSuccess)
        e = make_room(bytes);
    if (e == cudaSuccess)
        e = cub::DeviceHistogram::HistogramEven(room, bytes, x, counts, bins + 1, low, high, n);
    return e;
}

extern "C" int cub_sum(const float *x, float *total, int n)
{
    size_t bytes = 0;
    cudaError_t e = cub::DeviceReduce::Sum(nullptr, bytes, x, total, n);
    if (e == cudaSuccess)
        e = make_room(bytes);
    if (e == cudaSuccess)
        e = cub::DeviceReduce::Sum(room, bytes, x, total, n);
    return e;
}

struct Term {
    const int *column;
    const float *value, *x;
    __host__ __device__ float operator()(int k) const { return value[k] * x[column[k]]; }
};

extern "C" int cub_sparse_product(const int *start, const int *column, const float *value,
                                  const float *x, float *y, int rows)
{
    auto terms = thrust::make_transform_iterator(thrust::make_counting_iterator(0),
                                                 Term{column, value, x});
    size_t bytes = 0;
    cudaError_t e = cub::DeviceSegmentedReduce::Sum(nullptr, bytes, terms, y, rows, start,
                                                    start + 1);
    if (e == cudaSuccess)
        e = make_room(bytes);
    if (e == cudaSuccess)
        e = cub::DeviceSegmentedReduce::Sum(room, bytes, terms, y, rows, start, start + 1);
    return e;
}

struct Above {
    const float *x;
    float limit;
    __host__ __device__ bool operator()(int i) const { return x[i] > limit; }
};

extern "C" int cub_pick(const float *x, float limit, int *kept, int *count, int n)
{
    auto all = thrust::make_counting_iterator(0);
    size_t bytes = 0;
    cudaError_t e = cub::DeviceSelect::If(nullptr, bytes, all, kept, count, n, Above{x, limit});
    if (e == cudaSuccess)
        e = make_room(bytes);
    if (e == cudaSuccess)
        e = cub::DeviceSelect::If(room, bytes, all, kept, count, n, Above{x, limit});
    return e;
}
