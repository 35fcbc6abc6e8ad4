/* Complex numbers: their arithmetic as CPython and NumPy have it, which differ in how they divide
** and raise to powers, their parts and their texts. Sources: CPython's documentation of complex();
** Smith, "Algorithm 116: Complex division", CACM 5 (1962). */
#include "runtime/program/complex/library.h"
#include "runtime/array/array.h"
#include "runtime/program/program.h"

#include <complex.h>
#include <math.h>

HostValue host_complex(double real, double imaginary)
{
    return (HostValue){ .kind = HOST_COMPLEX, .number = real, .imaginary = imaginary };
}

bool host_is_complex(HostValue value)
{
    return value.kind == HOST_COMPLEX ||
           (value.kind == HOST_NUMBER && dtype_is_complex(value.dtype));
}

Complex host_parts(HostValue number)
{
    return (Complex){ host_as_double(number), host_is_complex(number) ? number.imaginary : 0 };
}

kjit_dtype dtype_part(kjit_dtype dtype)
{
    return dtype == KJIT_DTYPE_COMPLEX64    ? KJIT_DTYPE_FLOAT32
           : dtype == KJIT_DTYPE_COMPLEX128 ? KJIT_DTYPE_FLOAT64
                                            : dtype;
}

/* ---- operations ----------------------------------------------------------------------------- */

/* Sums, products, and quotients as NumPy has them, which multiplies by a reciprocal: in double or
** in single precision. */
#define OPERATIONS(name, real_type)                                                                \
    static Complex product_##name(Complex x, Complex y)                                            \
    {                                                                                              \
        const real_type a = (real_type)x.real, b = (real_type)x.imaginary;                         \
        const real_type c = (real_type)y.real, d = (real_type)y.imaginary;                         \
        const real_type real = a * c - b * d, imaginary = a * d + b * c;                           \
        return (Complex){ (double)real, (double)imaginary };                                       \
    }                                                                                              \
    static Complex sum_##name(Complex x, Complex y, double sign)                                   \
    {                                                                                              \
        const real_type real = (real_type)x.real + (real_type)(sign * y.real);                     \
        const real_type imaginary = (real_type)x.imaginary + (real_type)(sign * y.imaginary);      \
        return (Complex){ (double)real, (double)imaginary };                                       \
    }                                                                                              \
    static Complex quotient_##name(Complex x, Complex y)                                           \
    {                                                                                              \
        real_type a = (real_type)x.real, b = (real_type)x.imaginary;                               \
        real_type c = (real_type)y.real, d = (real_type)y.imaginary;                               \
        const bool turned = fabs((double)c) < fabs((double)d);                                     \
        if (c == 0 && d == 0)                                                                      \
            return (Complex){ x.real / fabs(y.real), x.imaginary / fabs(y.real) };                 \
        const real_type ratio = turned ? c / d : d / c;                                            \
        const real_type scale = 1 / (turned ? d + c * ratio : c + d * ratio);                      \
        const real_type real = (turned ? a * ratio + b : a + b * ratio) * scale;                   \
        const real_type imaginary = (turned ? b * ratio - a : b - a * ratio) * scale;              \
        return (Complex){ (double)real, (double)imaginary };                                       \
    }
OPERATIONS(wide, double)
OPERATIONS(narrow, float)

static Complex product(Complex a, Complex b, bool narrow)
{
    return narrow ? product_narrow(a, b) : product_wide(a, b);
}

static Complex numpy_quotient(Complex a, Complex b, bool narrow)
{
    return narrow ? quotient_narrow(a, b) : quotient_wide(a, b);
}

/* Smith's way, as CPython has it; the divisor is not 0. */
static Complex quotient(Complex a, Complex b)
{
    if (fabs(b.real) >= fabs(b.imaginary)) {
        double ratio = b.imaginary / b.real, by = b.real + b.imaginary * ratio;
        return (Complex){ (a.real + a.imaginary * ratio) / by,
                          (a.imaginary - a.real * ratio) / by };
    }
    if (fabs(b.imaginary) >= fabs(b.real)) {
        double ratio = b.real / b.imaginary, by = b.real * ratio + b.imaginary;
        return (Complex){ (a.real * ratio + a.imaginary) / by,
                          (a.imaginary * ratio - a.real) / by };
    }
    return (Complex){ (double)NAN, (double)NAN };
}

/* By squaring; `most` is at least 1. */
static Complex whole_power(Complex base, int64_t exponent, bool narrow)
{
    Complex result = { 1, 0 };
    for (;; base = product(base, base, narrow)) {
        if (exponent & 1)
            result = product(result, base, narrow);
        if (!(exponent >>= 1))
            return result;
    }
}

/* Through polar coordinates; the base is not 0. */
static Complex polar_power(Complex a, Complex b)
{
    double size = hypot(a.real, a.imaginary), angle = atan2(a.imaginary, a.real);
    double length = pow(size, b.real), phase = angle * b.real;
    if (b.imaginary != 0) {
        length *= exp(-angle * b.imaginary);
        phase += b.imaginary * log(size);
    }
    return (Complex){ length * cos(phase), length * sin(phase) };
}

static bool is_small(Complex exponent)
{
    return exponent.imaginary == 0 && exponent.real == floor(exponent.real) &&
           fabs(exponent.real) <= 100;
}

static bool python_power(Program *p, Complex a, Complex b, Complex *out)
{
    bool zero = a.real == 0 && a.imaginary == 0;
    int64_t whole = is_small(b) ? (int64_t)b.real : 0;
    if (b.real == 0 && b.imaginary == 0)
        *out = (Complex){ 1, 0 };
    else if (zero && (b.imaginary != 0 || b.real < 0))
        return host_fail(p, "ZeroDivisionError", "0.0 to a negative or complex power");
    else if (whole > 0)
        *out = whole_power(a, whole, false);
    else if (whole < 0)
        *out = quotient((Complex){ 1, 0 }, whole_power(a, -whole, false));
    else
        *out = zero ? (Complex){ 0, 0 } : polar_power(a, b);
    bool finite =
        isfinite(a.real) && isfinite(a.imaginary) && isfinite(b.real) && isfinite(b.imaginary);
    if (finite && (isinf(out->real) || isinf(out->imaginary)))
        return host_fail(p, "OverflowError", "complex exponentiation");
    return true;
}

static Complex library_power(Complex a, Complex b, bool narrow)
{
    if (narrow) {
        float complex result = cpowf(complex_of_floats((float)a.real, (float)a.imaginary),
                                     complex_of_floats((float)b.real, (float)b.imaginary));
        return (Complex){ (double)crealf(result), (double)cimagf(result) };
    }
    double complex result = cpow(complex_of(a.real, a.imaginary), complex_of(b.real, b.imaginary));
    return (Complex){ creal(result), cimag(result) };
}

static Complex numpy_power(Complex a, Complex b, bool narrow)
{
    bool zero = a.real == 0 && a.imaginary == 0;
    if (b.real == 0 && b.imaginary == 0)
        return (Complex){ 1, 0 };
    if (zero && b.real > 0 && b.imaginary == 0)
        return (Complex){ 0, 0 };
    if (zero)
        return (Complex){ (double)NAN, (double)NAN };
    if (!is_small(b) || fabs(b.real) == 100)
        return library_power(a, b, narrow);
    Complex result = whole_power(a, (int64_t)fabs(b.real), narrow);
    return b.real > 0 ? result : numpy_quotient((Complex){ 1, 0 }, result, narrow);
}

static bool sum_or_product(AstOp op, Complex a, Complex b, bool narrow, Complex *out)
{
    double sign = op == AST_SUB ? -1 : 1;
    if (op == AST_MUL)
        *out = product(a, b, narrow);
    else
        *out = (narrow ? sum_narrow : sum_wide)(a, b, sign);
    return op == AST_ADD || op == AST_SUB || op == AST_MUL;
}

bool complex_python(Program *p, AstOp op, HostValue left, HostValue right, HostValue *out)
{
    const Complex a = host_parts(left), b = host_parts(right);
    Complex result = { 0, 0 };
    if (op == AST_DIV && b.real == 0 && b.imaginary == 0)
        return host_fail(p, "ZeroDivisionError", "complex division by zero");
    if (op == AST_DIV)
        result = quotient(a, b);
    else if (op == AST_POW) {
        if (!python_power(p, a, b, &result))
            return false;
    } else if (!sum_or_product(op, a, b, false, &result)) {
        return host_fail(p, "TypeError", "unsupported operand type(s) for %s: '%s' and '%s'",
                         ast_op_spelling(op), host_type_name(p, left), host_type_name(p, right));
    }
    return host_give(out, host_complex(result.real, result.imaginary));
}

Complex complex_numpy(AstOp op, kjit_dtype dtype, Complex a, Complex b)
{
    bool narrow = dtype == KJIT_DTYPE_COMPLEX64;
    Complex result = { 0, 0 };
    if (op == AST_DIV)
        return numpy_quotient(a, b, narrow);
    if (op == AST_POW)
        return numpy_power(a, b, narrow);
    sum_or_product(op, a, b, narrow, &result);
    return result;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static bool conjugate(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    *out = args->self;
    if (host_is_complex(*out))
        out->imaginary = -out->imaginary;
    else if (out->kind == HOST_BOOL)
        out->kind = HOST_INT;
    return true;
}

/* A part of a number is of its kind, a complex number's is a float. */
bool complex_attribute(HostValue number, const char *name, HostValue *out)
{
    bool real = strcmp(name, "real") == 0;
    if (!host_is_number(number) || (!real && strcmp(name, "imag") != 0))
        return false;
    *out = number;
    if (out->kind == HOST_BOOL)
        out->kind = HOST_INT;
    if (!real)
        out->number = host_is_complex(number) ? number.imaginary : 0;
    out->imaginary = 0;
    if (number.kind == HOST_COMPLEX)
        out->kind = HOST_FLOAT;
    out->dtype = dtype_part(number.dtype);
    return true;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* A float without what says that it is one: 1, 1e+20, nan. */
static void plain_float(Buf *out, kjit_dtype dtype, double number)
{
    size_t begin = out->length;
    numpy_float(out, dtype, number);
    if (out->length > begin + 2 && strcmp(buf_text(out) + out->length - 2, ".0") == 0) {
        out->length -= 2;
        out->text[out->length] = '\0';
    }
}

void complex_text(Buf *out, HostValue number)
{
    const Complex z = host_parts(number);
    kjit_dtype part = dtype_part(host_dtype_of(number));
    bool imaginary = z.real == 0 && !signbit(z.real);
    if (!imaginary) {
        buf_putc(out, '(');
        plain_float(out, part, z.real);
        buf_puts(out, signbit(z.imaginary) && !isnan(z.imaginary) ? "" : "+");
    }
    plain_float(out, part, z.imaginary);
    buf_puts(out, imaginary ? "j" : "j)");
}

/* Formats a part, of which a whole number without a type has no .0 behind. */
static bool format_part(Program *p, double number, char sign, const char *spec, Buf *out)
{
    const char *whole = arena_printf(&p->scratch, "%.1s%s", &sign, spec);
    size_t begin = out->length;
    if (!*whole)
        float_repr(out, number);
    else if (!host_format(p, host_float(number), whole, strlen(whole), out))
        return false;
    bool plain =
        !*spec && out->length > begin + 2 && strcmp(buf_text(out) + out->length - 2, ".0") == 0;
    if (plain) {
        out->length -= 2;
        out->text[out->length] = '\0';
    }
    return true;
}

bool complex_format(Program *p, HostValue number, char sign, const char *spec, bool untyped,
                    Buf *out)
{
    const Complex z = host_parts(number);
    bool alone = untyped && z.real == 0 && !signbit(z.real), brackets = untyped && !alone;
    buf_puts(out, brackets ? "(" : "");
    if ((!alone && !format_part(p, z.real, sign, spec, out)) ||
        !format_part(p, z.imaginary, alone ? sign : '+', spec, out))
        return false;
    buf_puts(out, brackets ? "j)" : "j");
    return true;
}

/* ---- complex() ------------------------------------------------------------------------------ */

/* "1+2j", "3", "-2.5e3j": a float, a float with j, or both. */
static bool read_text(const HostString *string, Complex *out)
{
    const char *at = string->text + strspn(string->text, " \t\n\r(");
    char *end;
    *out = (Complex){ 0, 0 };
    double first = strtod(at, &end);
    if (end == at)
        return false;
    at = end;
    if (*at == 'j' || *at == 'J') {
        out->imaginary = first;
        at++;
    } else {
        out->real = first;
        if (*at == '+' || *at == '-') {
            out->imaginary = strtod(at, &end);
            if (end == at || (*end != 'j' && *end != 'J'))
                return false;
            at = end + 1;
        }
    }
    at += strspn(at, " \t\n\r)");
    return !*at && strlen(string->text) == string->length;
}

static bool builtin_complex(Program *p, HostArgs *args, HostValue *out)
{
    HostValue real = args_get(args, 0, "real", host_int(0)),
              imaginary = args_get(args, 1, "imag", host_int(0));
    Complex a;
    if (!wide_as(p, KJIT_DTYPE_FLOAT64, &real) || !wide_as(p, KJIT_DTYPE_FLOAT64, &imaginary))
        return false;
    if (real.kind == HOST_STRING) {
        if (!read_text(real.string, &a))
            return host_fail(p, "ValueError", "complex() arg is a malformed string");
        return host_give(out, host_complex(a.real, a.imaginary));
    }
    for (int i = 0; i < 2; i++)
        if (!host_is_number(i ? imaginary : real))
            return host_fail(p, "TypeError",
                             i ? "complex() second argument must be a number, not '%s'"
                               : "complex() first argument must be a string or a number, not '%s'",
                             host_type_name(p, i ? imaginary : real));
    a = host_parts(real);
    Complex b = host_parts(imaginary);
    if (host_is_complex(imaginary))
        a.real -= b.imaginary;
    if (args->count + args->named_count > 1)
        a.imaginary = host_is_complex(real) ? a.imaginary + b.real : b.real;
    return host_give(out, host_complex(a.real, a.imaginary));
}

static bool bit_length(Program *p, HostArgs *args, HostValue *out)
{
    return host_give(out, host_int(wide_bits(p, args->self)));
}

static bool is_integer(Program *p, HostArgs *args, HostValue *out)
{
    const double number = args->self.number;
    (void)p;
    return host_give(out, host_bool(isfinite(number) && number == floor(number)));
}

const HostBuiltin complex_functions[] = {
    { "int.bit_length", 0, 0, bit_length, NULL },
    { "float.is_integer", 0, 0, is_integer, NULL },
    { "complex", 0, 2, builtin_complex, "real imag" },
    { "complex.conjugate", 0, 0, conjugate, NULL },
    { "float.conjugate", 0, 0, conjugate, NULL },
    { NULL, 0, 0, NULL, NULL },
};
