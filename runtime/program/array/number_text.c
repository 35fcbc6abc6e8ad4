/* Numbers as NumPy writes them: as few digits as bring back the same number of that dtype. */
#include "runtime/program/program.h"
#include "runtime/array/array.h"

#include <float.h>
#include <math.h>

double numpy_rounded(kjit_dtype dtype, double number)
{
    const kjit_arg scalar = kjit_arg_float64(number);
    return scalar_cast(&scalar, dtype).as.number;
}

/* The double whose shortest text is the shortest of `number` in its dtype. */
double numpy_shortest(kjit_dtype dtype, double number)
{
    const double epsilon = dtype == KJIT_DTYPE_FLOAT16 ? 0x1p-10 : FLT_EPSILON;
    char text[DECIMAL_TEXT];
    for (int digits = 1; digits < 17; digits++)
        for (int up = 0; up < 2; up++) { /* above a power of two: base/decimal.c */
            snprintf(text, sizeof text, "%.*e", digits - 1, number * (1 + up * epsilon / 4));
            double read = strtod(text, NULL);
            if (numpy_rounded(dtype, read) == number)
                return read;
        }
    return number;
}

/* A narrow float has an exponent where its integers get more digits than it keeps. */
void numpy_float(Buf *out, kjit_dtype dtype, double number)
{
    bool narrow = dtype != KJIT_DTYPE_FLOAT64 && isfinite(number) && number != 0;
    double size = fabs(number), most = dtype == KJIT_DTYPE_FLOAT16 ? 1e3 : 1e6;
    double shown = narrow ? numpy_shortest(dtype, number) : number;
    if (!narrow || (size >= 1e-4 && size < most)) {
        float_repr(out, shown);
        return;
    }
    char text[DECIMAL_TEXT];
    for (int digits = 0; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits, shown);
        if (strtod(text, NULL) == shown)
            break;
    }
    buf_puts(out, text);
}
