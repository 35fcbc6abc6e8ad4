/* libdevice and the half floats on the processor: what the C library has not, or has otherwise.
** Pieces: see emit.h.
**
** Directed rounding: a result is rounded to nearest, the sign of the error that this made is found
** without rounding (T. Dekker's and D. Knuth's error-free sums and products; for fma S. Boldo and
** J.-M. Muller, "Exact and Approximated Error of the FMA", 2011), and if it is on the wrong side
** the next number is taken. No rounding mode of the processor's is touched. The operands are scaled
** first, so that no error is lost where numbers end. */

/*@ fdim f32 = fdimf */
/*@ fdim f64 = fdim */
/*@ logb f32 = logbf */
/*@ logb f64 = logb */
/*@ ilogb f32 = ilogbf */
/*@ ilogb f64 = ilogb */
/*@ rint f32 = rintf */
/*@ rint f64 = rint */
/*@ round_away f32 = roundf */
/*@ round_away f64 = round */
/*@ j0 f64 = j0 */
/*@ j1 f64 = j1 */
/*@ y0 f64 = y0 */
/*@ y1 f64 = y1 */
/*@ jn i32 = jn */
/*@ yn i32 = yn */
/*@ fast_sin f32 = sinf */
/*@ fast_cos f32 = cosf */
/*@ fast_tan f32 = tanf */
/*@ fast_exp f32 = expf */
/*@ fast_log f32 = logf */
/*@ fast_log2 f32 = log2f */
/*@ fast_log10 f32 = log10f */
/*@ fast_pow f32 = powf */

/*@ each j0; j1; y0; y1: $1 f32 */
$fn float $1_f32(float x)
{
    return (float)$1((double)x);
}

/*@ each jnf jn; ynf yn: $1 i32 */
$fn float $1_i32(int n, float x)
{
    return (float)$2(n, (double)x);
}

/*@ exp10 f64 */
$fn double exp10_f64(double x)
{
    return pow(10.0, x);
}

/*@ exp10 f32 */
$fn float exp10_f32(float x)
{
    return (float)pow(10.0, (double)x);
}

/*@ fast_exp10 f32 : exp10 */
$fn float fast_exp10_f32(float x)
{
    return exp10_f32(x);
}

/*@ fast_divide f32 */
$fn float fast_divide_f32(float x, float y)
{
    return x / y;
}

/*@ saturate f32 */
/* x held in 0 ... 1; 0 of NaN. */
$fn float saturate_f32(float x)
{
    return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
}

/*@ each rsqrt sqrt; rcbrt cbrt: $1 f64 */
$fn double $1_f64(double x)
{
    return 1 / $2(x);
}

/*@ each rsqrt sqrt; rcbrt cbrt: $1 f32 */
$fn float $1_f32(float x)
{
    return (float)(1 / $2((double)x));
}

/*@ rsqrt_rn f32 : rsqrt */
$fn float rsqrt_rn_f32(float x)
{
    return rsqrt_f32(x);
}

/*@ sinpi f64 */
/* sin(pi * x): x is brought to a quarter of a turn without error. */
$fn double sinpi_f64(double x)
{
    double rest = x - 2 * rint(x / 2), quarter = rint(2 * rest);
    double angle = (rest - quarter / 2) * 3.14159265358979323846;
    int turn = (int)quarter & 3;

    if (!isfinite(x))
        return x - x;
    if (x == 0)
        return x;
    if (turn & 1)
        return turn == 1 ? cos(angle) : -cos(angle);
    return turn == 0 ? sin(angle) : -sin(angle);
}

/*@ cospi f64 */
/* cos(pi * x): x is brought to a quarter of a turn without error. */
$fn double cospi_f64(double x)
{
    double rest = x - 2 * rint(x / 2), quarter = rint(2 * rest);
    double angle = (rest - quarter / 2) * 3.14159265358979323846;
    int turn = (int)quarter & 3;

    if (!isfinite(x))
        return x - x;
    if (turn & 1)
        return turn == 1 ? 0 - sin(angle) : sin(angle);
    return turn == 0 ? cos(angle) : -cos(angle);
}

/*@ erfcinv f64 */
/* The z with erfc(z) == y: S. Winitzki's estimate, good to 0.2 per cent, and Halley's steps, each
** of which trebles the digits. From the middle, 1 - y and erf() have them all. */
$fn double erfcinv_f64(double y)
{
    double small = y < 1 ? y : 2 - y, logarithm, half, z, off, slope;

    if (!(y > 0 && y < 2))
        return y == 0 ? INFINITY : y == 2 ? -INFINITY : NAN;
    logarithm = log(small) + log(2 - small);
    half = 4.330746750799873 + logarithm / 2; /* 2 / (pi * 0.147) */
    z = sqrt(sqrt(half * half - logarithm / 0.147) - half);
    for (int i = 0; i < 4 && z > 0; i++) {
        off = small > 0.5 ? (1 - small) - erf(z) : erfc(z) - small;
        slope = 1.1283791670955126 * exp(-z * z);
        if (slope == 0)
            break;
        off /= slope;
        z += off / (1 - z * off);
    }
    return y < 1 ? z : y > 1 ? -z : 0;
}

/*@ erfinv f64 : erfcinv */
/* The z with erf(z) == x. */
$fn double erfinv_f64(double x)
{
    double size = fabs(x), z, off;

    if (size > 0.5)
        return copysign(erfcinv_f64(1 - size), x);
    z = size * 0.8862269254527580; /* sqrt(pi) / 2 */
    if (!(size > 1e-9))
        return x * 0.8862269254527580;
    z += z * size * size * 0.2617993877991494; /* pi / 12 */
    for (int i = 0; i < 4; i++) {
        off = (size - erf(z)) / (1.1283791670955126 * exp(-z * z));
        z += off / (1 - z * off);
    }
    return copysign(z, x);
}

/*@ normcdfinv f64 : erfcinv */
$fn double normcdfinv_f64(double p)
{
    return p <= 0.5 ? -1.4142135623730951 * erfcinv_f64(2 * p)
                    : 1.4142135623730951 * erfcinv_f64(2 * (1 - p));
}

/*@ normcdf f64 */
/* erfc(-x / sqrt(2)) / 2, with what rounding the division takes away given back. */
$fn double normcdf_f64(double x)
{
    double high = -x * 0.7071067811865476;
    double low = fma(-x, 0.7071067811865476, -high) + x * 4.833646656726457e-17;
    double value = erfc(high);

    if (isfinite(x) && fabs(x) < 38.6)
        value -= 1.1283791670955126 * exp(-high * high) * low;
    return 0.5 * value;
}

/*@ erfcx f64 */
/* exp(x * x) * erfc(x). */
$fn double erfcx_f64(double x)
{
    double square = x * x, lost = fma(x, x, -square), t, sum = 0;

    if (x < 25)
        return x < -26.7 ? INFINITY : (exp(square) * erfc(x)) * (1 + lost);
    t = 1 / (2 * x) / x; /* the asymptotic series, sum of (-1)^k (2k - 1)!! t^k */
    for (int k = 8; k > 0; k--)
        sum = -(2 * k - 1) * t * (1 + sum);
    return 0.5641895835477563 / x * (1 + sum);
}

/*@ each sinpi; cospi; erfinv; erfcinv; normcdf; normcdfinv; erfcx: $1 f32 : $1.f64 */
$fn float $1_f32(float x)
{
    return (float)$1_f64((double)x);
}

/*@ opaque float */
/* x, of which the compiler knows nothing: it fuses or reorders nothing across this. */
$fn $T opaque_$S($T x)
{
#if defined(__x86_64__)
    __asm__("" : "+x"(x));
#elif defined(__aarch64__)
    __asm__("" : "+w"(x));
#else
    __asm__("" : "+m"(x));
#endif
    return x;
}

/*@ next_rd float */
/* `near` or the number below: what is rounded down, if the sign of `error` is that of what is
** lost. */
$fn $T next_rd_$S($T near, $T error)
{
    return error < 0 ? nextafter$m(near, -INFINITY) : near;
}

/*@ next_ru float */
$fn $T next_ru_$S($T near, $T error)
{
    return error > 0 ? nextafter$m(near, INFINITY) : near;
}

/*@ next_rz float */
$fn $T next_rz_$S($T near, $T error)
{
    return (near > 0 && error < 0) || (near < 0 && error > 0) ? nextafter$m(near, 0) : near;
}

/*@ add_error float : opaque */
/* Of the sign of a + b - near. */
$fn $T add_error_$S($T a, $T b, $T near)
{
    $T part = opaque_$S(near - a);

    if (!isfinite(near))
        return isfinite(a) && isfinite(b) ? -near : 0;
    return opaque_$S(a - opaque_$S(near - part)) + opaque_$S(b - part);
}

/*@ mul_error float */
/* Of the sign of a * b - near. */
$fn $T mul_error_$S($T a, $T b, $T near)
{
    int i, k;

    if (!isfinite(near))
        return isfinite(a) && isfinite(b) ? -near : 0;
    if (a == 0 || b == 0)
        return 0;
    a = frexp$m(a, &i);
    b = frexp$m(b, &k);
    return fma$m(a, b, -ldexp$m(near, -(i + k)));
}

/*@ div_error float */
/* Of the sign of a / b - near. */
$fn $T div_error_$S($T a, $T b, $T near)
{
    $T rest;
    int i, k;

    if (!isfinite(near))
        return isfinite(a) && isfinite(b) && b != 0 ? -near : 0;
    if (a == 0 || isinf(b))
        return 0;
    a = frexp$m(a, &i);
    b = frexp$m(b, &k);
    rest = fma$m(-ldexp$m(near, k - i), b, a);
    return b < 0 ? -rest : rest;
}

/*@ sqrt_error float */
/* Of the sign of sqrt(x) - near. */
$fn $T sqrt_error_$S($T x, $T near)
{
    int exponent;

    if (!(x > 0) || isinf(x))
        return 0;
    x = frexp$m(x, &exponent);
    if (exponent & 1) {
        x *= 2;
        exponent--;
    }
    near = ldexp$m(near, -exponent / 2);
    return fma$m(-near, near, x);
}

/*@ fma_error float : opaque */
/* Of the sign of a * b + c - near. Of a `c` that is far below the product, or above it, only that
** counts. */
$fn $T fma_error_$S($T a, $T b, $T c, $T near)
{
    $T product, low, sum, part, rest, whole;
    int i, k, above;

    if (!isfinite(near))
        return isfinite(a) && isfinite(b) && isfinite(c) ? -near : 0;
    if (a == 0 || b == 0)
        return 0;
    a = frexp$m(a, &i);
    b = frexp$m(b, &k);
    above = c == 0 ? 0 : ilogb$m(c) - (i + k);
    if (above > 115)
        return a * b;
    c = above < -120 ? copysign$m(($T)0x1p-120, c) : ldexp$m(c, -(i + k));
    near = ldexp$m(near, -(i + k));
    product = opaque_$S(a * b);
    low = fma$m(a, b, -product);
    sum = opaque_$S(c + low);
    part = opaque_$S(sum - c);
    rest = opaque_$S(c - opaque_$S(sum - part)) + opaque_$S(low - part);
    whole = opaque_$S(product + sum);
    part = opaque_$S(whole - product);
    low = opaque_$S(product - opaque_$S(whole - part)) + opaque_$S(sum - part);
    return opaque_$S(opaque_$S(whole - near) + low) + rest;
}

/*@ each add +; mul *; div /: $1_rn float : opaque */
$fn $T $1_rn_$S($T a, $T b)
{
    return opaque_$S(a $2 b);
}

/*@ each rz; ru: add_$1 float : opaque add_error next_$1 */
$fn $T add_$1_$S($T a, $T b)
{
    $T near = opaque_$S(a + b);

    return next_$1_$S(near, add_error_$S(a, b, near));
}

/*@ add_rd float : opaque add_error next_rd is_negative */
/* What cancels gives -0. */
$fn $T add_rd_$S($T a, $T b)
{
    $T near = opaque_$S(a + b);

    if (near == 0 && a == -b && is_negative_$S(a) != is_negative_$S(b))
        return -($T)0;
    return next_rd_$S(near, add_error_$S(a, b, near));
}

/*@ each rz; ru; rd: mul_$1 float : opaque mul_error next_$1 */
$fn $T mul_$1_$S($T a, $T b)
{
    $T near = opaque_$S(a * b);

    return next_$1_$S(near, mul_error_$S(a, b, near));
}

/*@ each rz; ru; rd: div_$1 float : opaque div_error next_$1 */
$fn $T div_$1_$S($T a, $T b)
{
    $T near = opaque_$S(a / b);

    return next_$1_$S(near, div_error_$S(a, b, near));
}

/*@ each rn; rz; ru; rd: sub_$1 float : add_$1 */
$fn $T sub_$1_$S($T a, $T b)
{
    return add_$1_$S(a, -b);
}

/*@ each rn; rz; ru; rd: rcp_$1 float : div_$1 */
$fn $T rcp_$1_$S($T x)
{
    return div_$1_$S(1, x);
}

/*@ sqrt_rn float */
$fn $T sqrt_rn_$S($T x)
{
    return sqrt$m(x);
}

/*@ straight_sqrt f32 */
$fn float straight_sqrt_f32(float x)
{
    return sqrtf(x);
}

/*@ straight_one_by f32 */
$fn float straight_one_by_f32(float x)
{
    return 1 / x;
}

/*@ fma_rn float */
$fn $T fma_rn_$S($T a, $T b, $T c)
{
    return fma$m(a, b, c);
}

/*@ each rz; ru; rd: sqrt_$1 float : sqrt_error next_$1 */
$fn $T sqrt_$1_$S($T x)
{
    $T near = sqrt$m(x);

    return next_$1_$S(near, sqrt_error_$S(x, near));
}

/*@ each rz; ru: fma_$1 float : fma_error next_$1 */
$fn $T fma_$1_$S($T a, $T b, $T c)
{
    $T near = fma$m(a, b, c);

    return next_$1_$S(near, fma_error_$S(a, b, c, near));
}

/*@ each rz; ru; rd: f32_$1 f64 i32 u32 : next_$1.f32 */
$fn float f32_$1_$S($T x)
{
    float near = (float)x;

    return next_$1_f32(near, (double)near < (double)x ? 1 : (double)near > (double)x ? -1 : 0);
}

/*@ each rz; ru; rd: f32_$1 i64 u64 : f64_odd f32_$1.f64 */
$fn float f32_$1_$S($T x)
{
    return f32_$1_f64(f64_odd_$S(x));
}

/*@ each rz; ru; rd: f64_$1 i64 u64 : integer_error next_$1.f64 */
$fn double f64_$1_$S($T x)
{
    return next_$1_f64((double)x, integer_error_$S(x));
}

/*@ fma_rd float : fma_error next_rd is_negative */
/* What cancels gives -0. */
$fn $T fma_rd_$S($T a, $T b, $T c)
{
    $T near = fma$m(a, b, c), error = fma_error_$S(a, b, c, near);

    if (near == 0 && error == 0 &&
        (is_negative_$S(a) != is_negative_$S(b)) != is_negative_$S(c))
        return -($T)0;
    return next_rd_$S(near, error);
}

/*@ integer_error i64 u64 */
/* Of the sign of x less the float64 nearest to it. */
$fn double integer_error_$S($T x)
{
    double near = (double)x;

    if (near >= (($T)-1 < 0 ? 0x1p63 : 0x1p64))
        return -1;
    return ($T)near < x ? 1 : ($T)near > x ? -1 : 0;
}

/*@ as_i32 f32 */
$fn int as_i32_f32(float x)
{
    int result;

    memcpy(&result, &x, sizeof result);
    return result;
}

/*@ as_f32 i32 */
$fn float as_f32_i32(int x)
{
    float result;

    memcpy(&result, &x, sizeof result);
    return result;
}

/*@ as_i64 f64 */
$fn long long as_i64_f64(double x)
{
    long long result;

    memcpy(&result, &x, sizeof result);
    return result;
}

/*@ as_f64 i64 */
$fn double as_f64_i64(long long x)
{
    double result;

    memcpy(&result, &x, sizeof result);
    return result;
}

/*@ high_bits f64 : as_i64 */
$fn int high_bits_f64(double x)
{
    return (int)(as_i64_f64(x) >> 32);
}

/*@ low_bits f64 : as_i64 */
$fn int low_bits_f64(double x)
{
    return (int)as_i64_f64(x);
}

/*@ from_high_low i32 : as_f64.i64 */
$fn double from_high_low_i32(int high, int low)
{
    const unsigned long long upper = (unsigned int)high;

    return as_f64_i64((long long)(upper << 32 | (unsigned int)low));
}

/*@ mulhi i32 */
$fn int mulhi_i32(int a, int b)
{
    return (int)((long long)a * b >> 32);
}

/*@ mulhi u32 */
$fn unsigned int mulhi_u32(unsigned int a, unsigned int b)
{
    return (unsigned int)((unsigned long long)a * b >> 32);
}

/*@ mulhi i64 */
$fn long long mulhi_i64(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}

/*@ mulhi u64 */
$fn unsigned long long mulhi_u64(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}

/*@ mul24 i32 */
/* The low 32 bits of the product of the low 24. */
$fn int mul24_i32(int a, int b)
{
    return (int)((unsigned int)(a << 8 >> 8) * (unsigned int)(b << 8 >> 8));
}

/*@ mul24 u32 */
/* The low 32 bits of the product of the low 24. */
$fn unsigned int mul24_u32(unsigned int a, unsigned int b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}

/*@ half_sum i32 u32 */
$fn $T half_sum_$S($T a, $T b)
{
    return ($T)(((long long)a + b) >> 1);
}

/*@ half_sum_up i32 u32 */
$fn $T half_sum_up_$S($T a, $T b)
{
    return ($T)(((long long)a + b + 1) >> 1);
}

/*@ sad i32 u32 */
/* |a - b| + sum */
$fn unsigned int sad_$S($T a, $T b, unsigned int sum)
{
    return (a > b ? (unsigned int)a - (unsigned int)b : (unsigned int)b - (unsigned int)a) + sum;
}

/*@ byte_perm u32 */
/* Four of the eight bytes of a and, above, b: a nibble of `choice` each, of which three bits
** count. */
$fn unsigned int byte_perm_u32(unsigned int a, unsigned int b, unsigned int choice)
{
    unsigned long long bytes = (unsigned long long)b << 32 | a;
    unsigned int result = 0;

    for (int i = 0; i < 4; i++)
        result |= (unsigned int)(bytes >> 8 * (choice >> 4 * i & 7) & 255) << 8 * i;
    return result;
}

/*@ each f16 float16; bf16 bfloat16: half_fma $1 : $1_from.f64 f32_from f64_fma_odd.- */
/* a * b + c, rounded once. */
$fn $2 half_fma_$1($2 a, $2 b, $2 c)
{
    return $1_from_f64(f64_fma_odd(f32_from_$1(a), f32_from_$1(b), f32_from_$1(c)));
}

/*@ f64_fma_odd - : add_error.f64 as_i64.f64 as_f64.i64 opaque.f64 */
/* a * b + c, the product exact; where the sum is not, its last bit is set, so that rounding it to
** fewer bits rounds the sum. */
$fn double f64_fma_odd(double a, double b, double c)
{
    double product = a * b, sum = opaque_f64(opaque_f64(product) + c);
    double error = add_error_f64(product, c, sum);
    long long bits = as_i64_f64(sum);

    if (!(error < 0 || error > 0) || bits & 1)
        return sum;
    return as_f64_i64((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}
