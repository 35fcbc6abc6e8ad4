/* Numbers as NumPy writes them: as few digits as bring back the same number of that dtype. */
#include "runtime/program/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double rounded(kjit_dtype dtype, double number)
{
    kjit_arg scalar = kjit_arg_float64(number);
    scalar = scalar_cast(&scalar, dtype);
    return scalar.as.number;
}

/* The double whose shortest text is the shortest of `number` in its dtype. */
double numpy_shortest(kjit_dtype dtype, double number)
{
    char text[DECIMAL_TEXT];
    for (int digits = 1; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, number);
        double read = strtod(text, NULL);
        if (rounded(dtype, read) == number)
            return read;
    }
    return number;
}

void numpy_float(Buf *out, kjit_dtype dtype, double number)
{
    bool narrow = dtype != KJIT_DTYPE_FLOAT64 && isfinite(number) && number != 0;
    float_repr(out, narrow ? numpy_shortest(dtype, number) : number);
}
