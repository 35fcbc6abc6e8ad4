/* Arithmetic as Python has it: quotients are rounded toward minus infinity, and a remainder has the
** sign of the divisor. For folding constants, interpreting programs and planning launches. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether integers have a quotient of 64 bits: not by 0, nor the least one by -1. */
static inline bool has_quotient(int64_t a, int64_t b)
{
    return b != 0 && !(a == INT64_MIN && b == -1);
}

static inline int64_t integer_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t integer_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Quotient and remainder of integers; the divisor is not 0. The least integer by -1 wraps. */
int64_t floor_quotient(int64_t a, int64_t b);
int64_t floor_rest(int64_t a, int64_t b);
/* base ** exponent, which wraps. */
uint64_t integer_power(uint64_t base, uint64_t exponent);
/* Of floats, bit for bit as CPython; by 0 as C has it. */
double float_floor_quotient(double a, double b);
double float_floor_rest(double a, double b);
/* Of complex numbers, real part first, as CPython: not by 0, and 0 not to a negative power. */
void complex_quotient(const double a[2], const double b[2], double out[2]);
void complex_power(const double a[2], const double b[2], double out[2]);
