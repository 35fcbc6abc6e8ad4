/* Numbers of a distribution, one by one, with the bits that NumPy draws for each: normal ones by
** Marsaglia's polar method in np.random, by the ziggurat in a Generator; integers of a range by
** masking in the one, by Lemire's multiplication in the other. Sources: ziggurat.h; Lemire, "Fast
** Random Integer Generation in an Interval", ACM TOMACS 29 (2019). */
#include "runtime/program/array/ziggurat.h"
#include "runtime/program/model/random.h"

#include <math.h>

enum { NARROWER = 29 }; /* bits that the ziggurat in single precision has less */

/* ---- normal --------------------------------------------------------------------------------- */

/* Marsaglia's polar method, which makes two at a time. */
static double normal_polar(RandomSource *source)
{
    double x, y, square;
    if (source->has_normal) {
        source->has_normal = false;
        return source->normal;
    }
    do {
        x = 2 * random_unit(source) - 1;
        y = 2 * random_unit(source) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double factor = sqrt(-2 * log(square) / square);
    source->normal = factor * x;
    source->has_normal = true;
    return factor * y;
}

static double normal_tail(RandomSource *source)
{
    double x, y;
    do {
        x = -ZIGGURAT_NORMAL_SCALE * log1p(-random_unit(source));
        y = -log1p(-random_unit(source));
    } while (y + y <= x * x);
    return ZIGGURAT_NORMAL_EDGE + x;
}

static double normal_ziggurat(RandomSource *source)
{
    for (;;) {
        const uint64_t bits = random_long(source), number = bits >> 9 & 0xfffffffffffffu;
        const int layer = bits & 0xff;
        const ZigguratLayer *at = &normal_layers[layer];
        double x = (double)number * at->width;
        x = bits >> 8 & 1 ? -x : x;
        if (number < at->inside)
            return x;
        if (layer == 0) {
            double tail = normal_tail(source);
            return number >> 8 & 1 ? -tail : tail;
        }
        double height = (at[-1].density - at->density) * random_unit(source) + at->density;
        if (height < exp(-0.5 * x * x))
            return x;
    }
}

double random_normal(RandomSource *source)
{
    return source->modern ? normal_ziggurat(source) : normal_polar(source);
}

static float normal_tail_narrow(RandomSource *source)
{
    float x, y;
    do {
        x = -(float)ZIGGURAT_NORMAL_SCALE * log1pf(-random_unit_narrow(source));
        y = -log1pf(-random_unit_narrow(source));
    } while (y + y <= x * x);
    return (float)ZIGGURAT_NORMAL_EDGE + x;
}

float random_normal_narrow(RandomSource *source)
{
    const uint64_t half = (uint64_t)1 << (NARROWER - 1);
    for (;;) {
        const uint32_t bits = random_word(source), number = bits >> 9;
        const int layer = bits & 0xff;
        const ZigguratLayer *at = &normal_layers[layer];
        float x = (float)number * (float)(at->width * (1 << NARROWER));
        x = bits >> 8 & 1 ? -x : x;
        if (number < (at->inside + half) >> NARROWER)
            return x;
        if (layer == 0) {
            float tail = normal_tail_narrow(source);
            return number >> 8 & 1 ? -tail : tail;
        }
        float edge = (float)at->density;
        float height = ((float)at[-1].density - edge) * random_unit_narrow(source) + edge;
        if ((double)height < exp(-0.5 * (double)x * (double)x))
            return x;
    }
}

/* ---- exponential ---------------------------------------------------------------------------- */

double random_exponential(RandomSource *source)
{
    if (!source->modern)
        return -log(1 - random_unit(source));
    for (;;) {
        const uint64_t bits = random_long(source) >> 3, number = bits >> 8;
        const int layer = bits & 0xff;
        const ZigguratLayer *at = &exponential_layers[layer];
        double x = (double)number * at->width;
        if (number < at->inside)
            return x;
        if (layer == 0)
            return ZIGGURAT_EXPONENTIAL_EDGE - log1p(-random_unit(source));
        if ((at[-1].density - at->density) * random_unit(source) + at->density < exp(-x))
            return x;
    }
}

/* ---- integers ------------------------------------------------------------------------------- */

uint64_t random_masked(RandomSource *source, uint64_t most)
{
    uint64_t mask = most, number;
    for (int shift = 1; shift < 64; shift *= 2)
        mask |= mask >> shift;
    if (!most)
        return 0;
    do
        number = (most <= UINT32_MAX ? random_word(source) : random_long(source)) & mask;
    while (number > most);
    return number;
}

static uint32_t scaled_word(RandomSource *source, uint32_t most)
{
    const uint32_t count = most + 1;
    uint64_t product = (uint64_t)random_word(source) * count;
    if ((uint32_t)product < count)
        for (const uint32_t least = (UINT32_MAX - most) % count; (uint32_t)product < least;)
            product = (uint64_t)random_word(source) * count;
    return (uint32_t)(product >> 32);
}

static uint64_t scaled_long(RandomSource *source, uint64_t most)
{
    const uint64_t count = most + 1;
    uint64_t bits = random_long(source);
    if (bits * count < count)
        for (const uint64_t least = (UINT64_MAX - most) % count; bits * count < least;)
            bits = random_long(source);
    return (uint64_t)((unsigned __int128)bits * count >> 64);
}

uint64_t random_scaled(RandomSource *source, uint64_t most)
{
    return most == 0            ? 0
           : most == UINT32_MAX ? random_word(source)
           : most < UINT32_MAX  ? scaled_word(source, (uint32_t)most)
           : most == UINT64_MAX ? random_long(source)
                                : scaled_long(source, most);
}
