/* Loading and storing scalars of every dtype. */
#include "runtime/array/array.h"

#include <math.h>

bool dtype_is_float(kjit_dtype dtype)
{
    return (dtype >= KJIT_DTYPE_FLOAT16 && dtype <= KJIT_DTYPE_FLOAT64) ||
           dtype == KJIT_DTYPE_FLOAT8_E4M3 || dtype == KJIT_DTYPE_FLOAT8_E5M2;
}

bool dtype_is_complex(kjit_dtype dtype)
{
    return dtype == KJIT_DTYPE_COMPLEX64 || dtype == KJIT_DTYPE_COMPLEX128;
}

void scalar_store(const kjit_arg *scalar, void *to)
{
    float single[2];
    uint16_t half;
    uint8_t flag;

    switch (scalar->dtype) {
    case KJIT_DTYPE_FLOAT16:
    case KJIT_DTYPE_BFLOAT16:
        half = scalar->dtype == KJIT_DTYPE_FLOAT16 ? float16_bits(scalar->as.number)
                                                   : bfloat16_bits(scalar->as.number);
        memcpy(to, &half, sizeof half);
        return;
    case KJIT_DTYPE_FLOAT8_E4M3:
    case KJIT_DTYPE_FLOAT8_E5M2:
        *(uint8_t *)to = float8_bits(scalar->as.number, scalar->dtype == KJIT_DTYPE_FLOAT8_E5M2);
        return;
    case KJIT_DTYPE_FLOAT32:
        single[0] = (float)scalar->as.number;
        memcpy(to, single, sizeof *single);
        return;
    case KJIT_DTYPE_COMPLEX64:
        single[0] = (float)scalar->as.complex_parts[0];
        single[1] = (float)scalar->as.complex_parts[1];
        memcpy(to, single, sizeof single);
        return;
    case KJIT_DTYPE_FLOAT64:
        memcpy(to, &scalar->as.number, 8);
        return;
    case KJIT_DTYPE_COMPLEX128:
        memcpy(to, scalar->as.complex_parts, 16);
        return;
    case KJIT_DTYPE_BOOL:
        flag = scalar->as.integer != 0;
        memcpy(to, &flag, 1);
        return;
    default:
        memcpy(to, &scalar->as.integer, kjit_dtype_bytes(scalar->dtype)); /* little-endian */
    }
}

/* An integer of `bytes` bytes, its sign extended if it has one. */
static int64_t load_integer(const void *from, size_t bytes, bool is_signed)
{
    uint64_t value = 0;
    int unused = 64 - 8 * (int)bytes;

    memcpy(&value, from, bytes);
    return is_signed ? (int64_t)(value << unused) >> unused : (int64_t)value;
}

kjit_arg scalar_load(kjit_dtype dtype, const void *from)
{
    kjit_arg scalar = { .kind = KJIT_ARG_SCALAR, .dtype = dtype };
    float single[2];
    uint16_t half;

    switch (dtype) {
    case KJIT_DTYPE_BOOL:
        scalar.as.integer = *(const uint8_t *)from != 0;
        return scalar;
    case KJIT_DTYPE_FLOAT16:
    case KJIT_DTYPE_BFLOAT16:
        memcpy(&half, from, sizeof half);
        scalar.as.number =
            dtype == KJIT_DTYPE_FLOAT16 ? float16_number(half) : bfloat16_number(half);
        return scalar;
    case KJIT_DTYPE_FLOAT8_E4M3:
    case KJIT_DTYPE_FLOAT8_E5M2:
        scalar.as.number = float8_number(*(const uint8_t *)from, dtype == KJIT_DTYPE_FLOAT8_E5M2);
        return scalar;
    case KJIT_DTYPE_FLOAT32:
        memcpy(single, from, sizeof *single);
        scalar.as.number = (double)single[0];
        return scalar;
    case KJIT_DTYPE_COMPLEX64:
        memcpy(single, from, sizeof single);
        scalar.as.complex_parts[0] = (double)single[0];
        scalar.as.complex_parts[1] = (double)single[1];
        return scalar;
    case KJIT_DTYPE_FLOAT64:
        memcpy(&scalar.as.number, from, 8);
        return scalar;
    case KJIT_DTYPE_COMPLEX128:
        memcpy(scalar.as.complex_parts, from, 16);
        return scalar;
    default:
        scalar.as.integer = load_integer(from, kjit_dtype_bytes(dtype),
                                         dtype >= KJIT_DTYPE_INT8 && dtype <= KJIT_DTYPE_INT64);
        return scalar;
    }
}

void kjit_element(kjit_dtype dtype, const void *at, kjit_arg *element)
{
    *element = scalar_load(dtype, at);
}

/* A float as an integer of a type; out of range as NumPy on x86: what the processor gives for 32
** bits, of which narrower types take the last, and for 64. */
static int64_t truncated(double number, kjit_dtype dtype)
{
    if (kjit_dtype_bytes(dtype) < 4 || dtype == KJIT_DTYPE_INT32)
        return number > -0x1p31 - 1 && number < 0x1p31 ? (int64_t)number : INT32_MIN;
    if (number >= 0x1p63 && number < 0x1p64)
        return (int64_t)(uint64_t)number;
    return number >= -0x1p63 && number < 0x1p63 ? (int64_t)number : INT64_MIN;
}

static double real_number(const kjit_arg *scalar)
{
    if (dtype_is_complex(scalar->dtype))
        return scalar->as.complex_parts[0];
    if (dtype_is_float(scalar->dtype))
        return scalar->as.number;
    return scalar->dtype == KJIT_DTYPE_UINT64 ? (double)(uint64_t)scalar->as.integer
                                              : (double)scalar->as.integer;
}

kjit_arg scalar_cast(const kjit_arg *scalar, kjit_dtype dtype)
{
    kjit_arg cast = { .kind = KJIT_ARG_SCALAR, .dtype = dtype };
    bool from_integer = !dtype_is_float(scalar->dtype) && !dtype_is_complex(scalar->dtype);
    char element[16];

    if (dtype_is_time(scalar->dtype) && dtype_is_time(dtype)) {
        cast.as.integer = time_in_unit(scalar->as.integer, dtype_type(scalar->dtype),
                                       time_unit(dtype_type(dtype)));
    } else if (dtype_is_complex(dtype)) {
        cast.as.complex_parts[0] = real_number(scalar);
        cast.as.complex_parts[1] =
            dtype_is_complex(scalar->dtype) ? scalar->as.complex_parts[1] : 0;
    } else if (dtype == KJIT_DTYPE_FLOAT32 && from_integer) { /* rounded once */
        cast.as.number = scalar->dtype == KJIT_DTYPE_UINT64 ? (float)(uint64_t)scalar->as.integer
                                                            : (float)scalar->as.integer;
    } else if (dtype_is_float(dtype)) {
        cast.as.number = real_number(scalar);
    } else if (dtype == KJIT_DTYPE_BOOL) {
        cast.as.integer = from_integer
                              ? scalar->as.integer != 0
                              : real_number(scalar) != 0 || (dtype_is_complex(scalar->dtype) &&
                                                             scalar->as.complex_parts[1] != 0);
    } else {
        cast.as.integer = from_integer ? scalar->as.integer : truncated(real_number(scalar), dtype);
    }
    /* Through memory, which rounds or wraps the value. */
    scalar_store(&cast, element);
    return scalar_load(dtype, element);
}
