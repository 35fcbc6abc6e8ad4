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

/*@ modulo_four - */
$inline double modulo_four(double x)
{
    return x - 4 * floor(x * 0.25);
}

/*@ Turn - */
/* An angle: quarters of a turn from 0 to 4, and the rest in radians. */
typedef struct Turn {
    double quarters, hi, lo;
} Turn;

/*@ two_over_pi - */
/* 2 / pi * 2 ** (16 * row) in four pieces, without multiples of 4. */
static const double two_over_pi[244] = {
    0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55,
    -0x1.6447e493ad4cep-109, 0x1.e21c820ff28b2p-163,
    0x1.836e4e44152a0p+0, -0x1.ec54170565912p-55,
    0x1.b6c52b3278872p-113, 0x1.07f9458eaf7afp-170,
    0x1.27220a94fe13bp+1, -0x1.05c1596447e49p-53,
    -0x1.d6a66c3bc6fbep-108, -0x1.ae9c5421443aap-168,
    0x1.529fc2757d1f5p-4, 0x1.a6ee06db14acdp-59,
    -0x1.8778df7c035d4p-113, 0x1.d5ef5de2b0db9p-167,
    0x1.fc2757d1f534ep+0, -0x1.1f924eb53361ep-55,
    0x1.c820ff28b1d5fp-111, -0x1.443a9e48db91cp-168,
    0x1.abe8fa9a6ee07p+1, -0x1.275a99b0ef1bfp-54,
    0x1.fe5163abdebbcp-112, 0x1.586dc91b8e909p-166,
    0x1.f534ddc0db629p+0, 0x1.664f10e4107f9p-54,
    0x1.163abdebbc562p-108, -0x1.236e4716f6c8bp-162,
    0x1.bb81b6c52b328p-1, -0x1.de37df00d74e3p-55,
    0x1.7bd778ac36e49p-109, -0x1.1c5bdb22d1ffap-164,
    0x1.b6c52b3278872p-1, 0x1.07f9458eaf7afp-58,
    -0x1.d4f246dc8e2dfp-115, 0x1.374b801924bbbp-170,
    0x1.4acc9e21c8210p+1, -0x1.ae9c5421443aap-56,
    0x1.b7246e3a424ddp-112, 0x1.700324977504fp-167,
    0x1.3c439041fe516p+0, 0x1.d5ef5de2b0db9p-55, 0x1.1b8e909374b80p-110, 0x1.924bba8274648p-166,
    0x1.c820ff28b1d5fp+1, -0x1.443a9e48db91cp-56,
    -0x1.6f6c8b47fe6dbp-110, -0x1.115f62e6de302p-164,
    0x1.fe5163abdebbcp+0, 0x1.586dc91b8e909p-54, 0x1.ba5c00c925dd4p-109, 0x1.3a32439fc3bd6p-165,
    0x1.63abdebbc561bp+0, 0x1.c91b8e909374cp-54,
    -0x1.ff9b6d115f62ep-108, -0x1.b78c0788538d4p-162,
    0x1.ef5de2b0db923p+1, 0x1.c74849ba5c00dp-53,
    -0x1.b688afb1736f2p-107, 0x1.fc3bd63962535p-161,
    0x1.e2b0db92371d2p+1, 0x1.26e9700324977p-55,
    0x1.413a32439fc3cp-109, -0x1.4e34ed658c117p-164,
    0x1.b7246e3a424ddp+0, 0x1.700324977504fp-55,
    -0x1.cdbc603c429c7p-109, 0x1.894d39f74411bp-163,
    0x1.b8e909374b802p-2, -0x1.b6d115f62e6dep-56,
    -0x1.80f10a71a76b3p-111, 0x1.cfba208d7d4bbp-166,
    0x1.2126e97003249p+1, 0x1.dd413a32439fcp-53,
    0x1.deb1cb129a73fp-108, -0x1.77dca0ad144bbp-164,
    0x1.d2e006492eea1p+0, -0x1.8b9b78c078854p-54,
    0x1.cb129a73ee882p-108, 0x1.afa975da24275p-163,
    0x1.924bba8274648p-6, 0x1.cfe1deb1cb12ap-60,
    -0x1.63045df7282b4p-114, -0x1.44bb7b16638fep-168,
    0x1.2eea09d1921d0p+0, -0x1.e214e34ed658cp-56,
    -0x1.177dca0ad144cp-112, 0x1.213a671c09ad1p-166,
    0x1.04e8c90e7f0efp+1, 0x1.63962534e7dd1p-53, 0x1.1afa975da2427p-111, 0x1.338e04d68befdp-165,
    0x1.921cfe1deb1cbp+0, 0x1.29a73ee88235fp-56,
    0x1.4baed1213a672p-110, -0x1.fb29741037d8dp-165,
    0x1.fc3bd63962535p-1, -0x1.822efb9415a29p-57,
    0x1.a24274ce38136p-111, -0x1.741037d8cdc54p-165,
    0x1.eb1cb129a73efp+0, -0x1.df7282b4512eep-54,
    0x1.3a671c09ad17ep-110, -0x1.bec66e29c67cbp-168,
    0x1.62534e7dd1047p-1, -0x1.0568a25dbd8b3p-55,
    -0x1.c7eca5d040df6p-111, -0x1.9b8a719f2b318p-166,
    0x1.a73ee88235f53p+0, -0x1.44bb7b16638fep-56,
    0x1.ad17df904e647p-110, 0x1.639835339f49dp-164,
    0x1.74411afa975dap+1, 0x1.213a671c09ad1p-54,
    0x1.f7e413991d63ap-108, -0x1.f2b3182d8dee8p-162,
    0x1.1afa975da2427p+1, 0x1.338e04d68befdp-53,
    -0x1.f633714e33e56p-107, -0x1.8c16c6f740e88p-161,
    0x1.2ebb4484e99c7p+0, 0x1.35a2fbf209cc9p-59,
    -0x1.4e33e566305b2p-115, 0x1.08bf177bf2507p-169,
    0x1.a24274ce38136p+1, -0x1.741037d8cdc54p-53,
    0x1.cc1a99cfa4e42p-107, 0x1.7e2ef7e4a0ec8p-162,
    0x1.d338e04d68bf0p-1, -0x1.bec66e29c67cbp-56,
    0x1.9cfa4e422fc5ep-111, -0x1.036be27003b40p-167,
    0x1.c09ad17df904ep-2, 0x1.91d639835339fp-56,
    0x1.272117e2ef7e5p-110, -0x1.7c4e007680022p-164,
    0x1.5a2fbf209cc8fp+1, -0x1.38cf9598c16c7p-53,
    0x1.17e2ef7e4a0ecp-110, 0x1.ff897ffde0598p-164,
    0x1.bf209cc8eb1ccp+1, 0x1.a99cfa4e422fcp-55, 0x1.77bf250763ff1p-109, 0x1.7ffde05980fefp-164,
    0x1.3991d63983534p+0, -0x1.82d8dee81d108p-54,
    -0x1.b5f13801da001p-110, 0x1.e05980fef2f12p-164,
    0x1.d639835339f4ap+0, -0x1.bdd03a21036bep-55,
    -0x1.3801da00087eap-110, 0x1.80fef2f118b5ap-164,
    0x1.835339f49c846p+0, -0x1.d1081b5f13802p-58,
    0x1.2fffbc0b301fep-113, -0x1.a1dce94beb25cp-169,
    0x1.9cfa4e422fc5ep+1, -0x1.036be27003b40p-55,
    -0x1.0fd33f8086877p-115, -0x1.d297d64b824b2p-170,
    0x1.3908bf177bf25p-1, 0x1.d8ffc4bffef03p-59,
    -0x1.9fc04343b9d29p-114, -0x1.f592e092c9813p-168,
    0x1.7e2ef7e4a0ec8p-2, -0x1.da00087e99fc0p-62,
    -0x1.0d0ee74a5f593p-116, 0x1.f6d367ecf27cbp-172,
    0x1.defc941d8ffc5p+1, -0x1.00043f4cfe022p-53,
    0x1.788c5ad053690p-107, -0x1.25930261b069fp-161,
    0x1.283b1ff897ffep+0, -0x1.fa67f010d0ee7p-56,
    -0x1.297d64b824b26p-110, -0x1.30d834f648b0cp-168,
    0x1.8ffc4bffef02dp+1, -0x1.fc04343b9d298p-54,
    0x1.4da3eda6cfd9ep-109, 0x1.3e584dba7a320p-163,
    0x1.2fffbc0b301fep-1, -0x1.a1dce94beb25cp-57,
    -0x1.25930261b069fp-113, 0x1.b74f463f669e6p-168,
    0x1.ef02cc07f7979p+1, -0x1.ce94beb25c126p-53,
    0x1.b3f6793e584dcp-107, -0x1.61738132c3403p-161,
    0x1.980fef2f118b6p+0, -0x1.7d64b824b2605p-54,
    0x1.e4f96136e9e8cp-109, 0x1.fb34f2ff516bbp-163,
    0x1.f79788c5ad053p+1, 0x1.a3eda6cfd9e50p-53,
    -0x1.a7b24585ce04dp-107, 0x1.3cbfd45aea4f7p-161,
    0x1.88c5ad05368fbp+1, 0x1.a6cfd9e4f9613p-53,
    0x1.ba7a31fb34f30p-107, -0x1.5d28ad8453814p-164,
    0x1.ad05368fb69b4p+1, -0x1.30d834f648b0cp-56,
    0x1.8fd9a797fa8b6p-110, -0x1.5b08a7028341dp-165,
    0x1.368fb69b3f679p+1, 0x1.f2c26dd3d18fep-54,
    -0x1.961a015d28ad8p-108, -0x1.14e050683a131p-162,
    0x1.b69b3f6793e58p+1, 0x1.36e9e8c7ecd3dp-53,
    -0x1.00ae9456c229cp-107, -0x1.41a0e84c2f8c6p-164,
    0x1.3f6793e584dbap+1, 0x1.e8c7ecd3cbfd4p-53,
    0x1.6ba93dd63f5f3p-107, -0x1.d0985f18c10ebp-165,
    0x1.93e584dba7a32p+1, -0x1.32c3402ba515bp-57,
    -0x1.14e050683a131p-114, 0x1.0739f78a5292fp-168,
    0x1.84dba7a31fb35p+1, -0x1.a015d28ad8454p-56,
    0x1.faf97c5ecf41dp-110, -0x1.821d6b5b45650p-166,
    0x1.a7a31fb34f2ffp+1, 0x1.45aea4f758fd8p-53,
    -0x1.a0e84c2f8c608p-108, -0x1.d6b5b45650128p-162,
    0x1.1fb34f2ff516cp+1, -0x1.5b08a7028341dp-53,
    -0x1.30be31821d6b6p-110, 0x1.2ea6bfb5fb120p-164,
    0x1.4f2ff516ba93ep+1, -0x1.4e050683a130cp-54,
    0x1.ce7de294a4baap-110, -0x1.404a04ee072a3p-164,
    0x1.f516ba93dd63fp+1, 0x1.7cbe2f67a0e74p-53,
    -0x1.0eb5ada2b2809p-109, -0x1.0277039517bd5p-163,
    0x1.7527bac7ebe5fp+0, 0x1.7b3d0739f78a5p-56,
    0x1.497535fdafd89p-111, -0x1.ca8bdea7f33eep-170,
};

/*@ turn_of - : Turn.- two_sum.- times.- bits_of.- power_of_two.- modulo_four.- two_over_pi.- */
/* Multiples of 4 quarters of a turn are left out where they arise: x = n * 2 ** (16 * row) with a
** whole n, or row 0, times a row of two_over_pi. */
$inline Turn turn_of(double x)
{
    int above = ((int)(bits_of(x) >> 52 & 0x7ff) - 1075) >> 4;
    long long row = above < 0 ? 0 : above;
    double n = x * power_of_two(-16 * (int)row);
    double c0 = two_over_pi[4 * row], c1 = two_over_pi[4 * row + 1], c2 = two_over_pi[4 * row + 2];
    double p0 = n * c0, e0 = fma(n, c0, -p0), p1 = n * c1, e1 = fma(n, c1, -p1);
    double p2 = n * c2, e2 = fma(n, c2, -p2) + n * two_over_pi[4 * row + 3];
    double n0 = rint(p0), n1 = rint(e0), n2 = rint(p1);
    Sum a = two_sum(p0 - n0, e0 - n1), b = two_sum(a.hi, p1 - n2);
    double n3 = rint(b.hi);
    Sum c = two_sum(b.hi - n3, a.lo), d = two_sum(c.hi, b.lo), e = two_sum(d.hi, e1);
    Sum f = two_sum(e.hi, p2), g = { f.hi, c.lo + d.lo + e.lo + f.lo + e2 };
    Sum rest = times(g, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54);
    Turn turn = { modulo_four(modulo_four(n0) + modulo_four(n1) + modulo_four(n2) + n3), rest.hi,
                  rest.lo };

    return turn;
}

/*@ sin_near - */
/* sin(r + lo) - r for |r| up to an eighth of a turn. */
$inline double sin_near(double r, double lo)
{
    double z = r * r, sum = -0x1.ab16f5caa198ap-41;

    sum = fma(sum, z, 0x1.61217d9252c03p-33);
    sum = fma(sum, z, -0x1.ae645410e937bp-26);
    sum = fma(sum, z, 0x1.71de3a545f836p-19);
    sum = fma(sum, z, -0x1.a01a01a01992fp-13);
    sum = fma(sum, z, 0x1.1111111111110p-7);
    sum = fma(sum, z, -0x1.5555555555555p-3);
    return fma(r * z, sum, fma(-0.5 * z, lo, lo));
}

/*@ cos_near - : Sum.- */
/* cos(r + lo) for |r| up to an eighth of a turn. */
$inline Sum cos_near(double r, double lo)
{
    double z = r * r, sum = 0x1.ab779550c8d9bp-45;
    double half = 0.5 * z, w = 1 - half;

    sum = fma(sum, z, -0x1.9394b8bd50ae1p-37);
    sum = fma(sum, z, 0x1.1eed8deac3dfep-29);
    sum = fma(sum, z, -0x1.27e4fb77125c5p-22);
    sum = fma(sum, z, 0x1.a01a01a019d06p-16);
    sum = fma(sum, z, -0x1.6c16c16c16c16p-10);
    sum = fma(sum, z, 0x1.5555555555555p-5);
    sum = fma(z * z, sum, 1 - w - half - fma(r, lo, 0.5 * fma(r, r, -z)));
    Sum result = { w, sum };
    return result;
}

/*@ sine_of - : Turn.- Sum.- sin_near.- cos_near.- modulo_four.- */
/* The sine of an angle and so many quarters of a turn. */
$inline double sine_of(Turn turn, double more)
{
    double quarters = modulo_four(turn.quarters + more);
    Sum cosine = cos_near(turn.hi, turn.lo);
    bool odd = quarters == 1 || quarters == 3;
    double size = odd ? cosine.hi + cosine.lo : turn.hi + sin_near(turn.hi, turn.lo);

    return quarters >= 2 ? -size : size;
}

/*@ sin f64 : HAS_FMA.- turn_of.- sine_of.- */
$inline double sin_f64(double x)
{
    double sine = sine_of(turn_of(x), 0);

    return !HAS_FMA ? sin(x) : fabs(x) < 0x1p-27 ? x : sine;
}

/*@ cos f64 : HAS_FMA.- turn_of.- sine_of.- */
$inline double cos_f64(double x)
{
    double cosine = sine_of(turn_of(x), 1);

    return !HAS_FMA ? cos(x) : fabs(x) < 0x1p-27 ? 1 : cosine;
}

/*@ tan f64 : HAS_FMA.- Sum.- turn_of.- sin_near.- cos_near.- */
/* The quotient of both, and what that division leaves. */
$inline double tan_f64(double x)
{
    Turn turn = turn_of(x);
    Sum cosine = cos_near(turn.hi, turn.lo);
    double near = sin_near(turn.hi, turn.lo), sine = turn.hi + near;
    double sine_lo = turn.hi - sine + near;
    double whole = cosine.hi + cosine.lo, whole_lo = cosine.hi - whole + cosine.lo;
    bool odd = turn.quarters == 1 || turn.quarters == 3;
    double a = odd ? -whole : sine, a_lo = odd ? -whole_lo : sine_lo;
    double b = odd ? sine : whole, b_lo = odd ? sine_lo : whole_lo, t = a / b;

    if (!HAS_FMA)
        return tan(x);
    t += (fma(-t, b, a) + (a_lo - t * b_lo)) / b;
    return fabs(x) < 0x1p-27 ? x : t;
}

/*@ angle_of - : two_sum.- */
/* The angle of the point (x, y), whose parts are positive or 0. It is what is left of half a right
** angle, or of a whole one, where that is nearer. */
$inline double angle_of(double y, double x)
{
    double large = x > y ? x : y;
    double scale = large > 0x1p900 ? 0x1p-200 : large < 0x1p-800 ? 0x1p200 : 1;
    bool far = large == INFINITY;
    double a = !far ? y * scale : y == INFINITY ? 1 : 0 * y;
    double b = !far ? x * scale : x == INFINITY ? 1 : 0 * x;
    bool steep = a > 2.414213562373095 * b, middle = a > 0.41421356237309503 * b;
    Sum above = two_sum(a, middle ? -b : 0), below = two_sum(b, middle ? a : 0);
    double n = steep ? -b : above.hi, n_lo = steep ? 0 : above.lo;
    double d = steep ? a : below.hi, d_lo = steep ? 0 : below.lo, inverse = d == 0 ? 1 : 1 / d;
    double v = n * inverse, v_lo = (fma(-v, d, n) + n_lo - v * d_lo) * inverse;
    double z = v * v, sum = 0x1.0a997ba33c1dbp-6;
    double whole = steep ? 0x1.921fb54442d18p+0 : middle ? 0x1.921fb54442d18p-1 : 0;
    double whole_lo = steep ? 0x1.1a62633145c07p-54 : middle ? 0x1.1a62633145c07p-55 : 0;

    sum = fma(sum, z, -0x1.1b1992aa413c9p-5);
    sum = fma(sum, z, 0x1.74d3a7b43351ap-5);
    sum = fma(sum, z, -0x1.ac7858539e493p-5);
    sum = fma(sum, z, 0x1.e199c62156609p-5);
    sum = fma(sum, z, -0x1.110e84aa36d9dp-4);
    sum = fma(sum, z, 0x1.3b1392a9c2d8bp-4);
    sum = fma(sum, z, -0x1.745d165c497f3p-4);
    sum = fma(sum, z, 0x1.c71c71c2fc236p-4);
    sum = fma(sum, z, -0x1.249249248d739p-3);
    sum = fma(sum, z, 0x1.9999999999952p-3);
    sum = fma(sum, z, -0x1.5555555555555p-2);
    return whole + (v + (fma(v * z, sum, v_lo) + whole_lo));
}

/*@ less_than_half_turn - */
/* pi - angle */
$inline double less_than_half_turn(double angle)
{
    return 0x1.921fb54442d18p+1 - angle + 0x1.1a62633145c07p-53;
}

/*@ atan f64 : HAS_FMA.- angle_of.- */
$inline double atan_f64(double x)
{
    return HAS_FMA ? copysign(angle_of(fabs(x), 1), x) : atan(x);
}

/*@ atan2 f64 : HAS_FMA.- angle_of.- less_than_half_turn.- */
$inline double atan2_f64(double y, double x)
{
    double angle = angle_of(fabs(y), fabs(x));

    if (!HAS_FMA)
        return atan2(y, x);
    return copysign(copysign(1, x) < 0 ? less_than_half_turn(angle) : angle, y);
}

/*@ other_side - */
/* sqrt(1 - a ** 2) */
$inline double other_side(double a)
{
    double square = a * a, rest = 1 - square;

    return sqrt(rest + (1 - rest - square - fma(a, a, -square)));
}

/*@ asin f64 : HAS_FMA.- angle_of.- other_side.- */
$inline double asin_f64(double x)
{
    double a = fabs(x);

    if (a > 1) /* of infinity, fastmath makes of the other side what it likes */
        return NAN;
    return HAS_FMA ? copysign(angle_of(a, other_side(a)), x) : asin(x);
}

/*@ acos f64 : HAS_FMA.- angle_of.- other_side.- less_than_half_turn.- */
$inline double acos_f64(double x)
{
    double a = fabs(x), angle = angle_of(other_side(a), a);

    if (a > 1)
        return NAN;
    return !HAS_FMA ? acos(x) : x < 0 ? less_than_half_turn(angle) : angle;
}

/*@ hypot f64 : HAS_FMA.- */
$inline double hypot_f64(double x, double y)
{
    double a = fabs(x), b = fabs(y), large = a > b ? a : b, small = a > b ? b : a;
    double scale = large > 0x1p500 ? 0x1p-600 : large < 0x1p-500 ? 0x1p600 : 1;
    double back = large > 0x1p500 ? 0x1p600 : large < 0x1p-500 ? 0x1p-600 : 1;
    double s = large * scale, t = small * scale, result = sqrt(fma(s, s, t * t)) * back;

    if (!HAS_FMA)
        return hypot(x, y);
    return a == INFINITY || b == INFINITY ? INFINITY : result;
}
