/* Reading elements of arrays, of every dtype and any strides. */
#include <inttypes.h>
#include <math.h>

#include "cli/cli.h"

/* ---- one element ---------------------------------------------------------------------------- */

/* A float of 16 bits with `mantissa` bits of mantissa. */
static double small_float(uint16_t bits, int mantissa)
{
    int exponent_bits = 15 - mantissa, bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = bits >> mantissa & ((1 << exponent_bits) - 1);
    int fraction = bits & ((1 << mantissa) - 1);
    double value;

    if (exponent == (1 << exponent_bits) - 1)
        value = fraction ? NAN : INFINITY;
    else if (exponent)
        value = ldexp((1 << mantissa) + fraction, exponent - bias - mantissa);
    else
        value = ldexp(fraction, 1 - bias - mantissa);
    return bits & 0x8000 ? -value : value;
}

/* A float of 8 bits, which has no infinity. */
static double e4m3_float(uint8_t bits)
{
    double size = small_float((uint16_t)((bits & 0x7f) << 7), 10) * 256;

    if ((bits & 0x7f) == 0x7f)
        size = NAN;
    return bits & 0x80 ? -size : size;
}

static Number integer(NumberKind kind, int64_t value)
{
    double real = kind == NUMBER_UNSIGNED ? (double)(uint64_t)value : (double)value;
    return (Number){ .kind = kind, .integer = value, .real = real };
}

Number number_real(double value)
{
    return (Number){ .kind = NUMBER_REAL, .real = value };
}

/* Elements may be unaligned, so they are copied before they are read. */
#define READ(type) (memcpy(&as.type##_, at, sizeof as.type##_), as.type##_)

static Number element_read(kjit_dtype dtype, const void *at)
{
    union {
        int8_t int8_t_;
        int16_t int16_t_;
        int32_t int32_t_;
        int64_t int64_t_;
        uint8_t uint8_t_;
        uint16_t uint16_t_;
        uint32_t uint32_t_;
        float float_;
        double double_;
        float narrow[2];
        double wide[2];
    } as;

    switch (dtype) {
    default:
        if (kjit_dtype_bytes(dtype) != 8)
            break;
        memcpy(&as.int64_t_, at, sizeof as.int64_t_);
        return (Number){ .kind = NUMBER_TIME,
                         .integer = as.int64_t_,
                         .real = as.int64_t_ == INT64_MIN ? NAN : (double)as.int64_t_ };
    case KJIT_DTYPE_BOOL:
        return integer(NUMBER_BOOL, READ(uint8_t) != 0);
    case KJIT_DTYPE_INT8:
        return integer(NUMBER_INTEGER, READ(int8_t));
    case KJIT_DTYPE_INT16:
        return integer(NUMBER_INTEGER, READ(int16_t));
    case KJIT_DTYPE_INT32:
        return integer(NUMBER_INTEGER, READ(int32_t));
    case KJIT_DTYPE_INT64:
        return integer(NUMBER_INTEGER, READ(int64_t));
    case KJIT_DTYPE_UINT8:
        return integer(NUMBER_UNSIGNED, READ(uint8_t));
    case KJIT_DTYPE_UINT16:
        return integer(NUMBER_UNSIGNED, READ(uint16_t));
    case KJIT_DTYPE_UINT32:
        return integer(NUMBER_UNSIGNED, READ(uint32_t));
    case KJIT_DTYPE_UINT64:
        return integer(NUMBER_UNSIGNED, READ(int64_t));
    case KJIT_DTYPE_FLOAT16:
        return number_real(small_float(READ(uint16_t), 10));
    case KJIT_DTYPE_BFLOAT16:
        return number_real(small_float(READ(uint16_t), 7));
    case KJIT_DTYPE_FLOAT8_E4M3:
        return number_real(e4m3_float(READ(uint8_t)));
    case KJIT_DTYPE_FLOAT8_E5M2: /* the upper half of a float16 */
        return number_real(small_float((uint16_t)(READ(uint8_t) << 8), 10));
    case KJIT_DTYPE_FLOAT32:
        return number_real(READ(float));
    case KJIT_DTYPE_FLOAT64:
        return number_real(READ(double));
    case KJIT_DTYPE_COMPLEX64:
        memcpy(as.narrow, at, sizeof as.narrow);
        return (Number){ .kind = NUMBER_COMPLEX, .real = as.narrow[0], .imag = as.narrow[1] };
    case KJIT_DTYPE_COMPLEX128:
        memcpy(as.wide, at, sizeof as.wide);
        return (Number){ .kind = NUMBER_COMPLEX, .real = as.wide[0], .imag = as.wide[1] };
    }
    return number_real(NAN);
}

/* ---- all of them ---------------------------------------------------------------------------- */

int64_t array_count(const kjit_array *array)
{
    int64_t count = 1;
    for (int axis = 0; axis < array->rank; axis++)
        count *= array->shape[axis];
    return count;
}

void walk_start(Walk *walk, const kjit_array *array)
{
    *walk = (Walk){ .array = array, .at = array->data, .left = array_count(array) };
}

void walk_from(Walk *walk, const kjit_array *array, int64_t first, int64_t count)
{
    walk_start(walk, array);
    walk->left = count;
    for (int axis = array->rank - 1; axis >= 0 && first; axis--) {
        walk->index[axis] = first % array->shape[axis];
        walk->at += walk->index[axis] * array->strides[axis];
        first /= array->shape[axis];
    }
}

void walk_skip(Walk *walk)
{
    const kjit_array *array = walk->array;
    if (--walk->left == 0)
        return;
    for (int axis = array->rank - 1; axis >= 0; axis--) {
        walk->at += array->strides[axis];
        if (++walk->index[axis] < array->shape[axis])
            break;
        walk->at -= array->strides[axis] * array->shape[axis];
        walk->index[axis] = 0;
    }
}

bool walk_next(Walk *walk, Number *number)
{
    if (walk->left == 0)
        return false;
    *number = element_read(walk->array->dtype, walk->at);
    walk_skip(walk);
    return true;
}

/* ---- as text -------------------------------------------------------------------------------- */

/* The exponent in the output of "%g"; 0 if there is none. */
static int exponent_of(const char *text)
{
    const char *mark = strchr(text, 'e');
    return mark ? atoi(mark + 1) : 0;
}

static bool means(const char *text, double value, bool narrow)
{
    return narrow ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
}

/* As NumPy: "%g", but a number whose digits are all shown gets an exponent only from 16 digits
** on. */
static void format_real(char *text, size_t room, double value, kjit_dtype dtype, int digits)
{
    enum { PLAIN_MAX = 16 };
    bool narrow = dtype == KJIT_DTYPE_FLOAT32 || dtype == KJIT_DTYPE_COMPLEX64 ||
                  dtype == KJIT_DTYPE_FLOAT16 || dtype == KJIT_DTYPE_BFLOAT16 ||
                  dtype == KJIT_DTYPE_FLOAT8_E4M3 || dtype == KJIT_DTYPE_FLOAT8_E5M2;
    int precision = digits ? digits : 1;

    if (isnan(value)) {
        snprintf(text, room, "nan"); /* its sign is meaningless, and differs between devices */
        return;
    }
    snprintf(text, room, "%.*g", precision, value);
    while (!digits && precision < 17 && !means(text, value, narrow))
        snprintf(text, room, "%.*g", ++precision, value);
    int exponent = exponent_of(text);
    if (exponent > 0 && exponent < PLAIN_MAX && means(text, value, narrow))
        snprintf(text, room, "%.*f", precision > exponent + 1 ? precision - exponent - 1 : 0,
                 strtod(text, NULL));
}

void number_format(char text[NUMBER_TEXT], const Number *number, kjit_dtype dtype, int digits)
{
    char re[32], im[32];
    switch (number->kind) {
    case NUMBER_BOOL:
        snprintf(text, NUMBER_TEXT, number->integer ? "True" : "False");
        break;
    case NUMBER_INTEGER:
        snprintf(text, NUMBER_TEXT, "%" PRId64, number->integer);
        break;
    case NUMBER_UNSIGNED:
        snprintf(text, NUMBER_TEXT, "%" PRIu64, (uint64_t)number->integer);
        break;
    case NUMBER_TIME:
        kjit_time_text(dtype, number->integer, text, NUMBER_TEXT);
        break;
    case NUMBER_REAL:
        format_real(text, NUMBER_TEXT, number->real, dtype, digits);
        break;
    case NUMBER_COMPLEX:
        format_real(re, sizeof re, number->real, dtype, digits);
        format_real(im, sizeof im, number->imag, dtype, digits);
        snprintf(text, NUMBER_TEXT, "(%s%s%sj)", re, im[0] == '-' ? "" : "+", im);
        break;
    }
}
