/* Floats of 16 and 8 bits: their bits from a number, rounded once, ties to even, and back. */
#include "base/base.h"

#include <math.h>

uint16_t float16_bits(double number)
{
    uint16_t sign = signbit(number) ? 0x8000 : 0;
    double size = fabs(number);
    int exponent;

    if (isnan(number))
        return sign | 0x7e00;
    if (size >= 65520)
        return sign | 0x7c00;
    if (size < 0x1p-14)
        return (uint16_t)(sign | (uint16_t)nearbyint(size * 0x1p24));
    double fraction = frexp(size, &exponent) * 2 - 1;
    /* A fraction that rounds up to 1 carries into the exponent, as it should. */
    return (uint16_t)(sign | (((exponent + 14) << 10) + (int)nearbyint(fraction * 1024)));
}

double float16_number(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                 : ldexp(fraction, -24);

    return bits & 0x8000 ? -size : size;
}

uint16_t bfloat16_bits(double number)
{
    float single = (float)number;
    uint32_t word;

    /* Rounded to odd on the way, so that the second rounding sees what the first left out. */
    if (fabs((double)single) > fabs(number))
        single = nextafterf(single, 0);
    memcpy(&word, &single, sizeof word);
    if (isnan(single))
        return (uint16_t)(word >> 16 | 0x40);
    word |= (double)single != number;
    return (uint16_t)((word + 0x7fff + (word >> 16 & 1)) >> 16);
}

double bfloat16_number(uint16_t bits)
{
    uint32_t word = (uint32_t)bits << 16;
    float single;

    memcpy(&single, &word, sizeof single);
    return (double)single;
}

uint8_t float8_bits(double number, bool e5m2)
{
    const float size = fabsf((float)number);
    const int fraction_bits = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7;
    uint8_t sign = signbit(number) ? 0x80 : 0;
    int exponent;

    if (isnan(size))
        return sign | (e5m2 ? 0x7e : 0x7f);
    if (size >= (e5m2 ? 61440 : nextafterf(464, 465)))
        return sign | (e5m2 ? 0x7c : 0x7f);
    if (size < ldexpf(1, 1 - bias))
        return (uint8_t)(sign | (uint8_t)nearbyintf(ldexpf(size, bias - 1 + fraction_bits)));
    float fraction = frexpf(size, &exponent) * 2 - 1;
    /* A fraction that rounds up to 1 carries into the exponent, as it should. */
    return (uint8_t)(sign | (((exponent - 1 + bias) << fraction_bits) +
                             (int)nearbyintf(ldexpf(fraction, fraction_bits))));
}

double float8_number(uint8_t bits, bool e5m2)
{
    const int fraction_bits = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7, size = bits & 0x7f;
    int exponent = size >> fraction_bits, fraction = size & ((1 << fraction_bits) - 1);
    double value = ldexp(exponent ? fraction + (1 << fraction_bits) : fraction,
                         (exponent ? exponent : 1) - bias - fraction_bits);

    if (size > (e5m2 ? 0x7c : 0x7e))
        value = (double)NAN;
    else if (e5m2 && size == 0x7c)
        value = (double)INFINITY;
    return bits & 0x80 ? -value : value;
}
