/* The functions of functions.cu for the processor. */
#include <math.h>
#include "lens.cuh"
#include "lens.cuh"

/* A name that kjit's own text has, too. */
static double floor_divide(double x)
{
    return x * x;
}

int lens_bend(float *angle, float height, float focus)
{
    *angle = atan2f(height, focus) * LENS_SCALE;
    return 0;
}

int lens_total(double *result, const float *values, int count)
{
    double total = 0;
    for (int i = 0; i < count; i++)
        total += floor_divide(values[i]);
    *result = total;
    return 0;
}

int lens_fill(void *result, int *cells, long count, int value)
{
    (void)result;
    for (long i = 0; i < count; i++)
        cells[i] = value + 3 * (int)i;
    return 0;
}

unsigned int lens_mix(unsigned int x)
{
    return x * 2654435761u ^ 1u;
}

struct lens_pair {
    float first, second;
};

int lens_split(struct lens_pair *result, float x)
{
    result->first = truncf(x);
    result->second = x - truncf(x);
    return 0;
}
