/* Estimates the times of configurations on a GPU before any is measured, from the shapes of their
** launches alone: the rules of thumb of tuning by hand as factors, crude, the same for all kernels
** and devices, and to be corrected by measurements.
**
** Sources: NVIDIA, "CUDA C++ Best Practices Guide", the chapter on execution configuration (64
** threads a block at least and a multiple of the warp, 128 to 256 to begin with, more blocks than
** processors) and that on coalesced access (rows of a warp); V. Volkov, "Better performance at
** lower occupancy", GTC 2010 (more work for fewer threads, since what they share is done once). */
#include <math.h>

#include "cli/measure/memory.h"
#include "cli/search/tune.h"

enum {
    SHAPE = 3, /* numbers per configuration */
    WARP = 32,
    THREADS_FEW = 64,
    THREADS_MANY = 256,
    BLOCKS_FEW = 128 /* large devices have about so many processors */
};

/* Factors for each halving or doubling beyond the limit. */
static const double SMALL_BLOCK = 1.2, LARGE_BLOCK = 1.05, NARROW_ROW = 1.15, IDLE_PROCESSOR = 2;

typedef struct Shape {
    double width, threads, blocks; /* the block's x, its threads; the grid's blocks; 0: unknown */
} Shape;

static Shape shape_at(const json_t *shapes, size_t index)
{
    double numbers[SHAPE];
    for (size_t i = 0; i < SHAPE; i++)
        numbers[i] = (double)json_integer_value(json_array_get(shapes, index * SHAPE + i));
    return (Shape){ numbers[0], numbers[1], numbers[2] };
}

/* The logarithm of the factor, for each time that `little` must be doubled to reach `much`. */
static double beyond(double much, double little, double factor)
{
    return much > little ? log(factor) * log2(much / little) : 0;
}

/* `work` is the work of a thread relative to the configuration with the most threads. Half of the
** work for one element is assumed to be shared by all elements of a thread. */
static double expected_time(Shape shape, double work)
{
    double time = log(1 + 1 / work);
    time += log(ceil(shape.threads / WARP) * WARP / shape.threads);
    time += beyond(THREADS_FEW, fmax(shape.threads, WARP), SMALL_BLOCK);
    time += beyond(shape.threads, THREADS_MANY, LARGE_BLOCK);
    time += beyond(fmin(WARP, shape.threads), shape.width, NARROW_ROW);
    time += beyond(BLOCKS_FEW, shape.blocks, IDLE_PROCESSOR);
    return time;
}

/* Configurations of unknown shape get the average. */
static void fill_unknown(double *expected, size_t count)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        sum += isnan(expected[i]) ? 0 : expected[i];
        known += !isnan(expected[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (isnan(expected[i]))
            expected[i] = known ? sum / (double)known : 0;
}

double *expected_times(const json_t *shapes, size_t count)
{
    double *expected, most = 0;
    if (!count || json_array_size(shapes) != count * SHAPE)
        return NULL;
    expected = must_alloc(count * sizeof *expected);
    for (size_t i = 0; i < count; i++) {
        Shape shape = shape_at(shapes, i);
        most = fmax(most, shape.threads * shape.blocks);
    }
    for (size_t i = 0; i < count; i++) {
        Shape shape = shape_at(shapes, i);
        expected[i] = (shape.width >= 1 && shape.threads >= 1 && shape.blocks >= 1)
                          ? expected_time(shape, most / (shape.threads * shape.blocks))
                          : (double)NAN;
    }
    fill_unknown(expected, count);
    return expected;
}
