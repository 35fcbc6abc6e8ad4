/* Functions of math on the processor, in C that is free of branches and calls: a loop that calls
** them is a loop of vectors, with any compiler, and what is left over at its end is computed by the
** same operations and comes out the same. The C library's own vectors (libmvec) err by up to 4
** units, more than CUDA allows of exp, log, sin or cos. Without fused multiply-add, on which the
** remainders below hang, the C library's functions are called, one number at a time.
**
** float32 is computed in float64 and rounded once. float64 carries a second number with what the
** first cannot hold (T. Dekker, "A floating-point technique for extending the available
** precision", 1971; D. Knuth's sum) where that is needed for the bounds of docs/accuracy.md.
** Reductions of arguments: W. Cody and W. Waite, "Software Manual for the Elementary Functions",
** 1980, for exp and log; M. Payne and R. Hanek, "Radian reduction for trigonometric functions",
** 1983, for sin, cos and tan, with pieces of 2 / pi by the size of the argument. Polynomials
** interpolate at Chebyshev's points. Pieces: see emit.h. */

/*@ HAS_FMA - */
/* Where this is named, cc.c lets no sums be put in another order. */
#if defined __FMA__ || defined __FMA4__ || defined __aarch64__
enum { HAS_FMA = 1 };
#else
enum { HAS_FMA = 0 };
#endif

/*@ Sum - */
/* A number in two parts, the second being what the first cannot hold. */
typedef struct Sum {
    double hi, lo;
} Sum;

/*@ two_sum - : Sum.- */
/* a + b without an error. */
$inline Sum two_sum(double a, double b)
{
    double hi = a + b, part = hi - a;
    Sum sum = { hi, a - (hi - part) + (b - part) };

    return sum;
}

/*@ times - : Sum.- */
/* a * (hi + lo) */
$inline Sum times(Sum a, double hi, double lo)
{
    double product = a.hi * hi;
    Sum result = { product, fma(a.hi, hi, -product) + (a.hi * lo + a.lo * hi) };

    return result;
}

/*@ bits_of - */
$inline unsigned long long bits_of(double x)
{
    unsigned long long bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/*@ from_the_bits - */
$inline double from_the_bits(unsigned long long bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/*@ power_of_two - : from_the_bits.- */
/* 2 ** n for n from -1022 to 1023. */
$inline double power_of_two(int n)
{
    return from_the_bits((unsigned long long)(n + 1023) << 52);
}

/*@ scaled - : power_of_two.- */
/* x * 2 ** n, rounded once where it is denormal. */
$inline double scaled(double x, int n)
{
    return x * power_of_two(n >> 1) * power_of_two(n - (n >> 1));
}

/*@ within - */
/* x, or the end of the range that it is beyond; NaN stays. */
$inline double within(double x, double low, double high)
{
    x = x < low ? low : x;
    return x > high ? high : x;
}

/*@ ExpParts - */
/* 2 ** n * (1 + hi + lo) */
typedef struct ExpParts {
    int n;
    double hi, lo;
} ExpParts;

/*@ exp_rest - */
/* (e ** r - 1 - r) / r ** 2 for |r| up to half of log 2. */
$inline double exp_rest(double r)
{
    double sum = 0x1.1f730349868cep-29;

    sum = fma(sum, r, 0x1.af4de97ca4194p-26);
    sum = fma(sum, r, 0x1.27e4db646b17ep-22);
    sum = fma(sum, r, 0x1.71de0231960ebp-19);
    sum = fma(sum, r, 0x1.a01a01a6d889cp-16);
    sum = fma(sum, r, 0x1.a01a01abe7fe1p-13);
    sum = fma(sum, r, 0x1.6c16c16c162d4p-10);
    sum = fma(sum, r, 0x1.11111111100dcp-7);
    sum = fma(sum, r, 0x1.5555555555556p-5);
    sum = fma(sum, r, 0x1.5555555555557p-3);
    return fma(sum, r, 0.5);
}

/*@ exp_parts - : ExpParts.- Sum.- two_sum.- within.- exp_rest.- */
/* e ** (hi + lo) */
$inline ExpParts exp_parts(double hi, double lo)
{
    double x = within(hi, -760, 720), n = rint(x * 0x1.71547652b82fep+0);
    Sum r = two_sum(fma(-n, 0x1.62e42fefa2000p-1, x), fma(-n, 0x1.9ef35793c7673p-41, lo));
    ExpParts parts = { (int)n, r.hi, fma(r.hi * r.hi, exp_rest(r.hi), r.lo) };

    return parts;
}

/*@ exp_whole - : ExpParts.- scaled.- */
/* The number that it is, times 2 ** more. */
$inline double exp_whole(ExpParts parts, int more)
{
    return scaled(1 + (parts.hi + parts.lo), parts.n + more);
}

/*@ exp_less - : ExpParts.- Sum.- two_sum.- power_of_two.- */
/* The number that it is less 1, if it is less than 2 ** 64. */
$inline Sum exp_less(ExpParts parts)
{
    int n = parts.n < -1000 ? -1000 : parts.n > 64 ? 64 : parts.n;
    double power = power_of_two(n);
    Sum sum = two_sum(power - 1, power * parts.hi);
    double lo = sum.lo + power * parts.lo, hi = sum.hi + lo;
    Sum result = { hi, sum.hi - hi + lo };

    return result;
}

/*@ exp f64 : HAS_FMA.- exp_parts.- exp_whole.- */
$inline double exp_f64(double x)
{
    return HAS_FMA ? exp_whole(exp_parts(x, 0), 0) : exp(x);
}

/*@ exp2 f64 : HAS_FMA.- ExpParts.- within.- exp_rest.- exp_whole.- */
$inline double exp2_f64(double x)
{
    double y = within(x, -1100, 1030), n = rint(y), r = (y - n) * 0x1.62e42fefa39efp-1;
    double lo = fma(y - n, 0x1.62e42fefa39efp-1, -r) + (y - n) * 0x1.abc9e3b39803fp-56;
    ExpParts parts = { (int)n, r, fma(r * r, exp_rest(r), lo) };

    return HAS_FMA ? exp_whole(parts, 0) : exp2(x);
}

/*@ expm1 f64 : HAS_FMA.- exp_parts.- exp_whole.- exp_less.- */
$inline double expm1_f64(double x)
{
    ExpParts parts = exp_parts(x, 0);

    if (!HAS_FMA)
        return expm1(x);
    return x == 0 ? x : parts.n > 63 ? exp_whole(parts, 0) : exp_less(parts).hi;
}

/*@ log_rest - */
/* ((log((1 + s) / (1 - s)) / s - 2) / z - 2 / 3) / z of z = s ** 2. */
$inline double log_rest(double z)
{
    double sum = 0x1.e03a7acf07f85p-4;

    sum = fma(sum, z, 0x1.df7ba1f4809c3p-4);
    sum = fma(sum, z, 0x1.1118cd67251c5p-3);
    sum = fma(sum, z, 0x1.3b1395b82701ep-3);
    sum = fma(sum, z, 0x1.745d177ad436ap-3);
    sum = fma(sum, z, 0x1.c71c71c6ea5acp-3);
    sum = fma(sum, z, 0x1.2492492492522p-2);
    return fma(sum, z, 0x1.999999999999ap-2);
}

/*@ log_parts - : Sum.- two_sum.- bits_of.- from_the_bits.- log_rest.- */
/* log x to some 64 bits, for x that is positive and finite. With m between the roots of 1/2 and 2,
** x = m * 2 ** n and s = (m - 1) / (m + 1), it is n * log 2 + s * (2 + 2/3 s ** 2 + ...). */
$inline Sum log_parts(double x)
{
    bool denormal = x < 0x1p-1022;
    unsigned long long bits = bits_of(denormal ? x * 0x1p54 : x);
    int above = (int)((bits + 0x95f619980c433ull) >> 52);
    double m = from_the_bits(bits - ((unsigned long long)(above - 1023) << 52));
    double n = above - (denormal ? 1023 + 54 : 1023);
    double f = m - 1, d = 2 + f, d_lo = f - (d - 2), inverse = 1 / d;
    double s = f * inverse, s_lo = inverse * (fma(-s, d, f) - s * d_lo);
    double z = s * s, z_lo = fma(s, s, -z) + 2 * s * s_lo, t = z * log_rest(z);
    double c = 0x1.5555555555555p-1 + t;
    double c_lo = 0x1.5555555555555p-1 - c + t + 0x1.5555555555555p-55;
    double u = z * c, u_lo = fma(z, c, -u) + (z * c_lo + z_lo * c);
    double w = 2 + u, w_lo = 2 - w + u + u_lo;
    double p = s * w, p_lo = fma(s, w, -p) + (s * w_lo + s_lo * w);
    Sum sum = two_sum(n * 0x1.62e42fefa2000p-1, p);
    double lo = sum.lo + fma(n, 0x1.9ef35793c7673p-41, p_lo), hi = sum.hi + lo;
    Sum result = { hi, sum.hi - hi + lo };

    return result;
}

/*@ log_of - */
/* A logarithm of x: `value` where x has an ordinary one. */
$inline double log_of(double x, double value)
{
    double high = x < INFINITY ? value : x;

    return x > 0 ? high : x == 0 ? -INFINITY : NAN;
}

/*@ log f64 : HAS_FMA.- log_parts.- log_of.- */
$inline double log_f64(double x)
{
    return HAS_FMA ? log_of(x, log_parts(x).hi) : log(x);
}

/*@ log2 f64 : HAS_FMA.- log_parts.- times.- log_of.- */
$inline double log2_f64(double x)
{
    Sum result = times(log_parts(x), 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56);

    return HAS_FMA ? log_of(x, result.hi + result.lo) : log2(x);
}

/*@ log10 f64 : HAS_FMA.- log_parts.- times.- log_of.- */
$inline double log10_f64(double x)
{
    Sum result = times(log_parts(x), 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);

    return HAS_FMA ? log_of(x, result.hi + result.lo) : log10(x);
}

/*@ log1p f64 : HAS_FMA.- two_sum.- log_parts.- log_of.- */
$inline double log1p_f64(double x)
{
    Sum more = two_sum(1, x), result = log_parts(more.hi);

    if (!HAS_FMA)
        return log1p(x);
    return x == 0 ? x : log_of(more.hi, result.hi + (result.lo + more.lo / more.hi));
}

/*@ power_of - */
/* x ** y, if |x| ** y is `value` where both are ordinary: the cases are those of C's Annex F. */
$inline double power_of(double x, double y, double value)
{
    bool whole = rint(y) == y, odd = whole && rint(y * 0.5) * 2 != y;

    value = x == 0 ? (y < 0 ? INFINITY : 0) : value;
    value = fabs(x) == INFINITY ? (y < 0 ? 0 : INFINITY) : value;
    value = x < 0 && !whole && x > -INFINITY ? NAN : value;
    value = odd ? copysign(value, x) : value;
    value = x == -1 && fabs(y) == INFINITY ? 1 : value;
    value = x != x || y != y ? NAN : value;
    return x == 1 || y == 0 ? 1 : value;
}

/*@ pow f64 : HAS_FMA.- Sum.- log_parts.- times.- exp_parts.- exp_whole.- power_of.- */
$inline double pow_f64(double x, double y)
{
    Sum log = log_parts(fabs(x)), product = times(log, y, 0);
    double lo = fabs(product.hi) < 800 ? product.lo : 0;

    return HAS_FMA ? power_of(x, y, exp_whole(exp_parts(product.hi, lo), 0)) : pow(x, y);
}

/*@ cbrt f64 : HAS_FMA.- Sum.- log_parts.- times.- exp_parts.- exp_whole.- */
/* e ** (log x / 3), and a step of Newton's. */
$inline double cbrt_f64(double x)
{
    double a = fabs(x);
    Sum third = times(log_parts(a), 0x1.5555555555555p-2, 0x1.5555555555555p-56);
    double y = exp_whole(exp_parts(third.hi, third.lo), 0), square = y * y;
    double more = fma(y, square, -a) + y * fma(y, y, -square);

    if (!HAS_FMA)
        return cbrt(x);
    y = a > 0x1p-960 ? y - more / (3 * square) : y;
    return a > 0 && a < INFINITY ? copysign(y, x) : x;
}

/*@ sinh f64 : HAS_FMA.- exp_parts.- exp_less.- exp_whole.- */
$inline double sinh_f64(double x)
{
    ExpParts parts = exp_parts(fabs(x), 0);
    double less = exp_less(parts).hi, half = 0.5 * (less + less / (less + 1));

    if (!HAS_FMA)
        return sinh(x);
    return copysign(fabs(x) > 22 ? exp_whole(parts, -1) : half, x);
}

/*@ cosh f64 : HAS_FMA.- exp_parts.- exp_whole.- */
$inline double cosh_f64(double x)
{
    double half = exp_whole(exp_parts(fabs(x), 0), -1);

    return HAS_FMA ? half + 0.25 / half : cosh(x);
}

/*@ tanh f64 : HAS_FMA.- Sum.- within.- exp_parts.- exp_less.- two_sum.- */
/* less / (2 + less) of less = e ** 2x - 1, and what that division leaves. */
$inline double tanh_f64(double x)
{
    Sum less = exp_less(exp_parts(2 * within(fabs(x), 0, 20), 0)), d = two_sum(2, less.hi);
    double t = less.hi / d.hi;
    double left = fma(-t, d.hi, less.hi) + (less.lo - t * (d.lo + less.lo));

    return HAS_FMA ? copysign(t + left / d.hi, x) : tanh(x);
}

/*@ asinh f64 : HAS_FMA.- log1p.f64 */
$inline double asinh_f64(double x)
{
    double a = fabs(x), square = a * a;
    bool large = a > 0x1p28;
    double result = log1p_f64(large ? a - 1 : a + square / (1 + sqrt(square + 1)));

    return HAS_FMA ? copysign(large ? result + 0x1.62e42fefa39efp-1 : result, x) : asinh(x);
}

/*@ acosh f64 : HAS_FMA.- log1p.f64 */
$inline double acosh_f64(double x)
{
    double t = x - 1;
    bool large = x > 0x1p28;
    double result = log1p_f64(large ? t : t + sqrt(t * (t + 2)));

    if (!HAS_FMA)
        return acosh(x);
    return x >= 1 ? (large ? result + 0x1.62e42fefa39efp-1 : result) : NAN;
}

/*@ atanh f64 : HAS_FMA.- log1p.f64 */
$inline double atanh_f64(double x)
{
    double a = fabs(x);

    return HAS_FMA ? copysign(0.5 * log1p_f64(2 * a / (1 - a)), x) : atanh(x);
}
