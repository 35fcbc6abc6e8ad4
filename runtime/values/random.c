/* Arrays of random numbers.
**
** They come from xoroshiro128+, whose two words splitmix64 makes of the seed; normal ones by Box
** and Muller's method, two of each pair. The stream does not depend on the dtype: a float32 array
** holds the float64 one's numbers, rounded.
**
** Each element takes one number of the stream, so parts of an array can be drawn by several threads
** at once: the generator's step is linear over the field of two elements, and its power by squaring
** skips to where a part begins. What is drawn does not depend on how many threads there are. */
#include "runtime/share.h"
#include "runtime/values/values.h"

#include <math.h>

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

/* ---- skipping -------------------------------------------------------------------------- */

enum { BITS = 128 };

/* What becomes of each single bit of a state. */
typedef struct Skip {
    Random columns[BITS];
} Skip;

static Random skipped(const Skip *skip, Random from)
{
    Random sum = { 0, 0 };

    for (int bit = 0; bit < BITS; bit++) {
        uint64_t set = (bit < 64 ? from.s0 : from.s1) >> bit % 64 & 1, all = 0 - set;
        sum.s0 ^= skip->columns[bit].s0 & all;
        sum.s1 ^= skip->columns[bit].s1 & all;
    }
    return sum;
}

/* So many numbers at once, a power of 2. */
static void make_skip(Skip *skip, int64_t numbers)
{
    for (int bit = 0; bit < BITS; bit++) {
        Random one = { bit < 64 ? (uint64_t)1 << bit : 0,
                       bit < 64 ? 0 : (uint64_t)1 << (bit - 64) };
        random_bits(&one);
        skip->columns[bit] = one;
    }
    for (; numbers > 1; numbers /= 2) {
        Skip once = *skip;
        for (int bit = 0; bit < BITS; bit++)
            skip->columns[bit] = skipped(&once, once.columns[bit]);
    }
}

/* ---- drawing --------------------------------------------------------------------------- */

typedef struct Drawing Drawing;
typedef void Draw(const Drawing *drawing, Random *random, int64_t at, int64_t count);

/* An array on its way, and what its numbers are like. */
struct Drawing {
    const kjit_array *array;
    Draw *draw;     /* `count` of them, FILL_CHUNK at most, to the elements from `at` on */
    Random *starts; /* the generator's state where each part begins */
    double low, scale;
    int bits;      /* of a fraction */
    int64_t least; /* of integers */
    uint64_t range;
};

static void draw_part(void *job, int64_t part)
{
    const Drawing *drawing = job;
    FillPart range = fill_part(drawing->array, part);
    Random random = drawing->starts[part];

    for (int64_t at = range.begin; at < range.end; at += FILL_CHUNK) {
        int64_t left = range.end - at;
        drawing->draw(drawing, &random, at, left < FILL_CHUNK ? left : FILL_CHUNK);
    }
}

/* In one go, by this thread. */
static void draw_in_order(const Drawing *drawing, Random random)
{
    int64_t elements = array_elements(drawing->array);

    for (int64_t at = 0; at < elements; at += FILL_CHUNK) {
        int64_t left = elements - at;
        drawing->draw(drawing, &random, at, left < FILL_CHUNK ? left : FILL_CHUNK);
    }
}

static void draw_all(Drawing *drawing, uint64_t seed)
{
    Random random = random_seeded(seed);
    int64_t parts = fill_parts(drawing->array);
    Skip *skip = parts > 1 ? memory_alloc(sizeof *skip) : NULL;

    drawing->starts = skip ? memory_alloc((size_t)parts * sizeof random) : NULL;
    if (drawing->starts) {
        make_skip(skip, FILL_PART);
        for (int64_t part = 0; part < parts; part++) {
            drawing->starts[part] = random;
            random = skipped(skip, random);
        }
        share_out(parts, draw_part, drawing);
    } else {
        draw_in_order(drawing, random);
    }
    memory_free(drawing->starts);
    memory_free(skip);
}

/* ---- what is drawn --------------------------------------------------------------------- */

static void normal_pair(Random *random, double *a, double *b)
{
    double radius = sqrt(-2 * log(1 - random_unit(random)));
    double angle = 6.283185307179586477 * random_unit(random);

    *a = radius * cos(angle);
    *b = radius * sin(angle);
}

static void draw_normal(const Drawing *drawing, Random *random, int64_t at, int64_t count)
{
    double numbers[FILL_CHUNK];

    for (int64_t i = 0; i < count; i += 2)
        normal_pair(random, &numbers[i], &numbers[i + 1]);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = drawing->low + drawing->scale * numbers[i];
    store_numbers(drawing->array, at, numbers, count);
}

void fill_normal(const kjit_array *array, uint64_t seed, double mean, double deviation)
{
    Drawing drawing = { .array = array, .draw = draw_normal, .low = mean, .scale = deviation };

    draw_all(&drawing, seed);
}

/* How many bits a fraction below 1 may have so that rounding to the dtype keeps it below 1. */
static int unit_bits(kjit_dtype dtype)
{
    switch (dtype) {
    case KJIT_DTYPE_FLOAT16:
        return 11;
    case KJIT_DTYPE_BFLOAT16:
        return 8;
    case KJIT_DTYPE_FLOAT8_E4M3:
        return 4;
    case KJIT_DTYPE_FLOAT8_E5M2:
        return 3;
    case KJIT_DTYPE_FLOAT32:
    case KJIT_DTYPE_COMPLEX64:
        return 24;
    default:
        return 53;
    }
}

static void draw_uniform(const Drawing *drawing, Random *random, int64_t at, int64_t count)
{
    double numbers[FILL_CHUNK], unit = ldexp(1, -drawing->bits);

    for (int64_t i = 0; i < count; i++) {
        uint64_t fraction = random_bits(random) >> (64 - drawing->bits);
        numbers[i] = drawing->low + drawing->scale * ((double)fraction * unit);
    }
    store_numbers(drawing->array, at, numbers, count);
}

void fill_uniform(const kjit_array *array, uint64_t seed, double low, double high)
{
    Drawing drawing = { .array = array,
                        .draw = draw_uniform,
                        .low = low,
                        .scale = high - low,
                        .bits = unit_bits(array->dtype) };

    draw_all(&drawing, seed);
}

static void draw_integers(const Drawing *drawing, Random *random, int64_t at, int64_t count)
{
    int64_t integers[FILL_CHUNK];

    for (int64_t i = 0; i < count; i++) {
        unsigned __int128 wide = (unsigned __int128)random_bits(random) * drawing->range;
        integers[i] = (int64_t)((uint64_t)drawing->least + (uint64_t)(wide >> 64));
    }
    store_integers(drawing->array, at, integers, count);
}

void fill_integers(const kjit_array *array, uint64_t seed, int64_t low, uint64_t range)
{
    Drawing drawing = { .array = array, .draw = draw_integers, .least = low, .range = range };

    draw_all(&drawing, seed);
}
