/* Reading elements of arrays, of every dtype and any strides. */
#include <inttypes.h>
#include <math.h>

#include "cli/cli.h"

/* ---- one element ---------------------------------------------------------------------------- */

Number number_real(double value)
{
    return (Number){ .kind = NUMBER_REAL, .real = value };
}

static NumberKind kind_of(kjit_dtype dtype)
{
    return dtype == KJIT_DTYPE_BOOL                                          ? NUMBER_BOOL
           : dtype >= KJIT_DTYPE_INT8 && dtype <= KJIT_DTYPE_INT64           ? NUMBER_INTEGER
           : dtype >= KJIT_DTYPE_UINT8 && dtype <= KJIT_DTYPE_UINT64         ? NUMBER_UNSIGNED
           : dtype == KJIT_DTYPE_COMPLEX64 || dtype == KJIT_DTYPE_COMPLEX128 ? NUMBER_COMPLEX
           : kjit_dtype_bytes(dtype) == 8 && dtype != KJIT_DTYPE_FLOAT64     ? NUMBER_TIME
                                                                             : NUMBER_REAL;
}

static Number element_read(kjit_dtype dtype, const void *at)
{
    Number number = { .kind = kind_of(dtype) };
    kjit_arg element;

    kjit_element(dtype, at, &element);
    if (number.kind == NUMBER_REAL) {
        number.real = element.as.number;
    } else if (number.kind == NUMBER_COMPLEX) {
        number.real = element.as.complex_parts[0];
        number.imag = element.as.complex_parts[1];
    } else {
        number.integer = element.as.integer;
        number.real = number.kind == NUMBER_UNSIGNED ? (double)(uint64_t)number.integer
                      : number.kind == NUMBER_TIME && number.integer == INT64_MIN
                          ? NAN
                          : (double)number.integer;
    }
    return number;
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
