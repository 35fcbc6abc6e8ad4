/* Arrays of numbers: constant, in a line, at random.
**
** Random numbers come from xoroshiro128+, whose two words splitmix64 makes of the seed; normal
** ones by Box and Muller's method, two of each pair. The stream does not depend on the dtype:
** a float32 array holds the float64 one's numbers, rounded. */
#include "runtime/values.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 1024 };

void fill_scalar(const kjit_array *array, const kjit_arg *scalar)
{
    size_t element = array_item_bytes(array);
    size_t bytes = element * (size_t)array_elements(array);

    if (!bytes)
        return;
    if (array->dtype == KJIT_DTYPE_RECORD) {
        fill_record(array->record, array->data, scalar);
    } else {
        kjit_arg cast = scalar_cast(scalar, array->dtype);
        scalar_store(&cast, array->data);
    }
    for (size_t done = element; done < bytes; done *= 2)
        memcpy((char *)array->data + done, array->data, done < bytes - done ? done : bytes - done);
}

/* Numbers to elements [first, first + count). */
static void store_numbers(const kjit_array *array, int64_t first, const double *numbers,
                          int64_t count)
{
    size_t element = kjit_dtype_bytes(array->dtype);
    char *to = (char *)array->data + element * (size_t)first;

    if (array->dtype == KJIT_DTYPE_FLOAT64) {
        memcpy(to, numbers, element * (size_t)count);
    } else if (array->dtype == KJIT_DTYPE_FLOAT32) {
        for (int64_t i = 0; i < count; i++)
            ((float *)(void *)to)[i] = (float)numbers[i];
    } else {
        for (int64_t i = 0; i < count; i++) {
            kjit_arg scalar = { .kind = KJIT_ARG_SCALAR, .dtype = KJIT_DTYPE_FLOAT64 };
            scalar.as.number = numbers[i];
            scalar = scalar_cast(&scalar, array->dtype);
            scalar_store(&scalar, to + element * (size_t)i);
        }
    }
}

static void store_integers(const kjit_array *array, int64_t first, const int64_t *integers,
                           int64_t count)
{
    size_t element = kjit_dtype_bytes(array->dtype);
    char *to = (char *)array->data + element * (size_t)first;

    if (array->dtype == KJIT_DTYPE_INT64) {
        memcpy(to, integers, element * (size_t)count);
    } else if (array->dtype == KJIT_DTYPE_INT32) {
        for (int64_t i = 0; i < count; i++)
            ((int32_t *)(void *)to)[i] = (int32_t)integers[i];
    } else {
        for (int64_t i = 0; i < count; i++) {
            kjit_arg scalar = kjit_arg_int64(integers[i]);
            scalar = scalar_cast(&scalar, array->dtype);
            scalar_store(&scalar, to + element * (size_t)i);
        }
    }
}

static void integer_range(const kjit_array *array, uint64_t start, uint64_t step)
{
    int64_t count = array_elements(array), integers[CHUNK];

    for (int64_t at = 0; at < count; at += CHUNK) {
        int64_t n = count - at < CHUNK ? count - at : CHUNK;
        for (int64_t i = 0; i < n; i++)
            integers[i] = (int64_t)(start + (uint64_t)(at + i) * step);
        store_integers(array, at, integers, n);
    }
}

void fill_range(const kjit_array *array, const kjit_arg *start, const kjit_arg *step)
{
    int64_t count = array_elements(array);
    kjit_arg first = scalar_cast(start, KJIT_DTYPE_FLOAT64),
             by = scalar_cast(step, KJIT_DTYPE_FLOAT64);
    double numbers[CHUNK];

    if (!dtype_is_float(start->dtype) && !dtype_is_float(step->dtype)) {
        integer_range(array, (uint64_t)start->as.integer, (uint64_t)step->as.integer);
        return;
    }
    for (int64_t at = 0; at < count; at += CHUNK) {
        int64_t n = count - at < CHUNK ? count - at : CHUNK;
        for (int64_t i = 0; i < n; i++)
            numbers[i] = first.as.number + (double)(at + i) * by.as.number;
        store_numbers(array, at, numbers, n);
    }
}

void fill_line(const kjit_array *array, double start, double stop, bool endpoint)
{
    int64_t count = array_elements(array), parts = endpoint ? count - 1 : count;
    double step = parts > 0 ? (stop - start) / (double)parts : 0, numbers[CHUNK];

    for (int64_t at = 0; at < count; at += CHUNK) {
        int64_t n = count - at < CHUNK ? count - at : CHUNK;
        for (int64_t i = 0; i < n; i++)
            numbers[i] =
                endpoint && at + i == parts && parts > 0 ? stop : start + (double)(at + i) * step;
        store_numbers(array, at, numbers, n);
    }
}

/* ---- random --------------------------------------------------------------------------- */

typedef struct Random {
    uint64_t s0, s1;
} Random;

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static Random random_seeded(uint64_t seed)
{
    Random random;

    random.s0 = splitmix(&seed);
    random.s1 = splitmix(&seed);
    return random;
}

static uint64_t rotated(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static uint64_t random_bits(Random *random)
{
    uint64_t s0 = random->s0, s1 = random->s1, bits = s0 + s1;

    s1 ^= s0;
    random->s0 = rotated(s0, 24) ^ s1 ^ s1 << 16;
    random->s1 = rotated(s1, 37);
    return bits;
}

/* In [0, 1), of 53 bits. */
static double random_unit(Random *random)
{
    return (double)(random_bits(random) >> 11) * 0x1p-53;
}

static void normal_pair(Random *random, double *a, double *b)
{
    double radius = sqrt(-2 * log(1 - random_unit(random)));
    double angle = 6.283185307179586477 * random_unit(random);

    *a = radius * cos(angle);
    *b = radius * sin(angle);
}

void fill_normal(const kjit_array *array, uint64_t seed, double mean, double deviation)
{
    Random random = random_seeded(seed);
    int64_t count = array_elements(array);
    double numbers[CHUNK];

    for (int64_t at = 0; at < count; at += CHUNK) {
        int64_t n = count - at < CHUNK ? count - at : CHUNK;
        for (int64_t i = 0; i < n; i += 2)
            normal_pair(&random, &numbers[i], &numbers[i + 1]);
        for (int64_t i = 0; i < n; i++)
            numbers[i] = mean + deviation * numbers[i];
        store_numbers(array, at, numbers, n);
    }
}

/* How many bits a fraction below 1 may have so that rounding to the dtype keeps it below 1. */
static int unit_bits(kjit_dtype dtype)
{
    switch (dtype) {
    case KJIT_DTYPE_FLOAT16:
        return 11;
    case KJIT_DTYPE_BFLOAT16:
        return 8;
    case KJIT_DTYPE_FLOAT32:
    case KJIT_DTYPE_COMPLEX64:
        return 24;
    default:
        return 53;
    }
}

void fill_uniform(const kjit_array *array, uint64_t seed, double low, double high)
{
    Random random = random_seeded(seed);
    int64_t count = array_elements(array);
    int bits = unit_bits(array->dtype);
    double numbers[CHUNK], unit = ldexp(1, -bits);

    for (int64_t at = 0; at < count; at += CHUNK) {
        int64_t n = count - at < CHUNK ? count - at : CHUNK;
        for (int64_t i = 0; i < n; i++)
            numbers[i] =
                low + (high - low) * ((double)(random_bits(&random) >> (64 - bits)) * unit);
        store_numbers(array, at, numbers, n);
    }
}

void fill_integers(const kjit_array *array, uint64_t seed, int64_t low, uint64_t range)
{
    Random random = random_seeded(seed);
    int64_t count = array_elements(array), integers[CHUNK];

    for (int64_t at = 0; at < count; at += CHUNK) {
        int64_t n = count - at < CHUNK ? count - at : CHUNK;
        for (int64_t i = 0; i < n; i++) {
            unsigned __int128 wide = (unsigned __int128)random_bits(&random) * range;
            integers[i] = (int64_t)((uint64_t)low + (uint64_t)(wide >> 64));
        }
        store_integers(array, at, integers, n);
    }
}
