// CUB's histogram and sum behind C functions, for ctypes. The first call of each finds out how much
// room CUB wants; that stays until the process ends.
#include <cub/cub.cuh>

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
