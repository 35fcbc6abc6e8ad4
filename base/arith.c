/* Arithmetic as Python has it. */
#include "base/arith.h"

#include <math.h>

int64_t floor_quotient(int64_t a, int64_t b)
{
    if (b == -1)
        return (int64_t)(0 - (uint64_t)a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t floor_rest(int64_t a, int64_t b)
{
    int64_t rest = b == -1 ? 0 : a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

uint64_t integer_power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base *= base)
        result *= exponent & 1 ? base : 1;
    return result;
}

double float_floor_rest(double a, double b)
{
    double rest = fmod(a, b);
    if (rest != 0)
        return (rest < 0) != (b < 0) ? rest + b : rest;
    return copysign(0.0, b);
}

double float_floor_quotient(double a, double b)
{
    double rest = fmod(a, b), quotient = (a - rest) / b;
    if (rest != 0 && (rest < 0) != (b < 0))
        quotient -= 1;
    if (quotient == 0)
        return copysign(0.0, a / b);
    double whole = floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : whole;
}

/* Scaled by the larger part of the divisor. */
void complex_quotient(const double a[2], const double b[2], double out[2])
{
    bool real = fabs(b[0]) >= fabs(b[1]);
    double ratio = real ? b[1] / b[0] : b[0] / b[1];
    double by = real ? b[0] + b[1] * ratio : b[0] * ratio + b[1];
    double first = real ? a[0] + a[1] * ratio : a[0] * ratio + a[1];
    out[1] = (real ? a[1] - a[0] * ratio : a[1] * ratio - a[0]) / by;
    out[0] = first / by;
}

void complex_power(const double a[2], const double b[2], double out[2])
{
    double size = hypot(a[0], a[1]), angle = atan2(a[1], a[0]), phase = angle * b[0];
    double length = pow(size, b[0]);
    if (b[1] != 0) {
        length *= exp(-angle * b[1]);
        phase += b[1] * log(size);
    }
    out[0] = length * cos(phase);
    out[1] = length * sin(phase);
}
