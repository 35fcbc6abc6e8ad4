/* The C library's complex numbers by their parts: what C11's CMPLX() is, which clang does not have
** with glibc's headers. A complex number is laid out as two numbers (C11, 6.2.5). */
#pragma once

#include <string.h>

static inline double _Complex complex_of(double real, double imaginary)
{
    const double parts[2] = { real, imaginary };
    double _Complex number;
    memcpy(&number, parts, sizeof number);
    return number;
}

static inline float _Complex complex_of_floats(float real, float imaginary)
{
    const float parts[2] = { real, imaginary };
    float _Complex number;
    memcpy(&number, parts, sizeof number);
    return number;
}
