/* What Python means and C has no operator for, for both dialects. Pieces: see emit.h. */

/*@ complex64 - */
typedef struct complex64 {
    float real, imag;
} complex64;

/*@ complex128 - */
typedef struct complex128 {
    double real, imag;
} complex128;

/*@ float16 - */
typedef unsigned short float16; /* its bits */

/*@ bfloat16 - */
typedef unsigned short bfloat16; /* its bits */

/*@ wrap - */
/* Index i of an axis of n elements: negative ones count from the end. */
$fn long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

/*@ wrap_int - */
/* Index i of an axis of n elements: negative ones count from the end. */
$fn int wrap_int(int i, int n)
{
    return i < 0 ? i + n : i;
}

/*@ around i32 */
/* a % b, where -b <= a < b. */
$fn int around_i32(int a, int b)
{
    return a < 0 ? a + b : a;
}

/*@ mod_positive i32 : around.i32 */
/* a % b for b > 0, without a branch, by the inverse of b: compilers compute that once for many a.
** What it finds of a + 2^31 is less than one too few, as 2^32 - 1 is no less than b times it. */
$fn int mod_positive_i32(int a, int b)
{
    const unsigned int by = (unsigned int)b, inverse = 0xffffffffu / by;
    const unsigned int above = (unsigned int)a ^ 0x80000000u, middle = 0x80000000u % by;
    const unsigned int times = (unsigned int)((unsigned long long)above * inverse >> 32);
    const unsigned int rest = above - times * by;

    return around_i32((int)((rest < by ? rest : rest - by) - middle), b);
}

/*@ element bool int float complex f16 bf16 e4m3 e5m2 */
/* The element `offset` bytes behind the first. */
$fn $T *element_$S(const void *base, long long offset)
{
    return ($T *)((char *)base + offset);
}

/*@ unaligned bool int float complex f16 bf16 e4m3 e5m2 */
/* A value at any address. */
typedef struct __attribute__((packed)) unaligned_$S {
    $T value;
} unaligned_$S;

/*@ range_short signed */
/* Whether a count by `step` that is at i goes on. */
$fn bool range_short_$S($T i, $T stop, $T step)
{
    return step > 0 ? i < stop : step < 0 && i > stop;
}

/*@ range_short unsigned */
$fn bool range_short_$S($T i, $T stop, $T step)
{
    return step > 0 && i < stop;
}

/*@ range_next signed */
/* What follows i in a count by `step`: never beyond `stop`, so that nothing overflows. */
$fn $T range_next_$S($T i, $T stop, $T step)
{
    $U left = step > 0 ? ($U)stop - ($U)i : ($U)i - ($U)stop;
    $U stride = step > 0 ? ($U)step : 0 - ($U)step;

    return left <= stride ? stop : ($T)(i + step);
}

/*@ range_next unsigned */
/* What follows i in a count by `step`: never beyond `stop`, so that nothing overflows. */
$fn $T range_next_$S($T i, $T stop, $T step)
{
    return stop - i <= step ? stop : ($T)(i + step);
}

/*@ floor_div signed */
/* a // b, rounded down; 0 where C has no answer. */
$fn $T floor_div_$S($T a, $T b)
{
    $T quotient;

    if (b == 0)
        return 0;
    if (b == -1) {
        quotient = ($T)(0 - ($U)a);
        return quotient == a ? 0 : quotient;
    }
    quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

/*@ each div / //; mod % %: floor_$1 unsigned */
/* a $3 b; 0 for b == 0. */
$fn $T floor_$1_$S($T a, $T b)
{
    return b == 0 ? 0 : a $2 b;
}

/*@ floor_div float */
/* a // b as Python has it. */
$fn $T floor_div_$S($T a, $T b)
{
    $T mod = fmod$m(a, b), quotient = (a - mod) / b, floored;

    if (b == 0)
        return a / b;
    if (mod != 0 && (b < 0) != (mod < 0))
        quotient -= 1;
    if (quotient == 0)
        return copysign$m(($T)0, a / b);
    floored = floor$m(quotient);
    return quotient - floored > ($T)0.5 ? floored + 1 : floored;
}

/*@ floor_mod signed */
/* a % b, with the sign of b; 0 where C has no answer. */
$fn $T floor_mod_$S($T a, $T b)
{
    $T rest;

    if (b == 0 || b == -1)
        return 0;
    rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/*@ floor_mod float */
/* a % b as Python has it. */
$fn $T floor_mod_$S($T a, $T b)
{
    $T mod = fmod$m(a, b);

    if (mod == 0)
        return copysign$m(($T)0, b);
    return (b < 0) != (mod < 0) ? mod + b : mod;
}

/*@ pow signed : i64_from.f64 */
/* a ** b, wrapping. */
$fn $T pow_$S($T a, $T b)
{
    $U base = a, result = 1;

    if (b < 0) {
        if (a == 0)
            return ($T)(($U)1 << ($B - 1));
        return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
    }
    if (b > 65536)
        return ($T)i64_from_f64(pow((double)a, (double)b));
    for (; b; b >>= 1, base *= base)
        if (b & 1)
            result *= base;
    return ($T)result;
}

/*@ pow unsigned : u64_from.f64 */
/* a ** b, wrapping. */
$fn $T pow_$S($T a, $T b)
{
    $T result = 1;

    if (b > 65535 && b > 65536)
        return ($T)u64_from_f64(pow((double)a, (double)b));
    for (; b; b >>= 1, a *= a)
        if (b & 1)
            result *= a;
    return result;
}

/*@ pow_int float */
/* x ** n by multiplication. */
$fn $T pow_int_$S($T x, long long n)
{
    unsigned long long left = n < 0 ? 0 - (unsigned long long)n : (unsigned long long)n;
    $T result = 1;

    if (left > 65536)
        return ($T)pow((double)x, (double)n);
    for (; left; left >>= 1, x *= x)
        if (left & 1)
            result *= x;
    return n < 0 ? 1 / result : result;
}

/*@ min f32 = fminf */
/*@ min f64 = fmin */
/*@ max f32 = fmaxf */
/*@ max f64 = fmax */

/*@ each min <; max >: $1 int bool */
$fn $T $1_$S($T a, $T b)
{
    return b $2 a ? b : a;
}

/*@ abs signed */
$fn $T abs_$S($T x)
{
    return x < 0 ? ($T)(0 - ($U)x) : x;
}

/*@ abs f32 = fabsf */
/*@ abs f64 = fabs */

/*@ selp int bool float complex f16 bf16 e4m3 e5m2 */
/* One of two values that are both computed. */
$fn $T selp_$S($T a, $T b, bool c)
{
    return c ? a : b;
}

/*@ i64_from float */
/* Truncated, and held at the ends of the range; NaN gives 0. What is less than 1 is not
** converted: of a conversion and one back gcc makes a truncation, and that of -0.5 is -0.0. */
$fn long long i64_from_$S($T x)
{
    if (!(fabs$m(x) >= 1))
        return 0;
    if (x >= ($T)9223372036854775808.0)
        return 0x7fffffffffffffffLL;
    return x < ($T)-9223372036854775808.0 ? -0x7fffffffffffffffLL - 1 : (long long)x;
}

/*@ u64_from float */
/* Truncated, and held at the ends of the range; NaN gives 0. What is less than 1 is not
** converted: of a conversion and one back gcc makes a truncation, and that of -0.5 is -0.0. */
$fn unsigned long long u64_from_$S($T x)
{
    if (!(x >= 1))
        return 0;
    return x >= ($T)18446744073709551616.0 ? 0xffffffffffffffffULL : (unsigned long long)x;
}

/*@ i32_from float */
/* Truncated, and held at the ends of the range; NaN gives 0. What is less than 1 is not
** converted: of a conversion and one back gcc makes a truncation, and that of -0.5 is -0.0. */
$fn int i32_from_$S($T x)
{
    if (!(fabs$m(x) >= 1))
        return 0;
    if (x >= ($T)2147483648.0)
        return 0x7fffffff;
    return x <= ($T)-2147483648.0 ? -0x7fffffff - 1 : (int)x;
}

/*@ u32_from float */
/* Truncated, and held at the ends of the range; NaN gives 0. What is less than 1 is not
** converted: of a conversion and one back gcc makes a truncation, and that of -0.5 is -0.0. */
$fn unsigned int u32_from_$S($T x)
{
    if (!(x >= 1))
        return 0;
    return x >= ($T)4294967296.0 ? 0xffffffffu : (unsigned int)x;
}

/*@ i16_from float : i32_from */
$fn short i16_from_$S($T x)
{
    int i = i32_from_$S(x);

    return (short)(i < -32768 ? -32768 : i > 32767 ? 32767 : i);
}

/*@ each u16 short 65535; u8 char 255: $1_from float : i32_from */
$fn unsigned $2 $1_from_$S($T x)
{
    int i = i32_from_$S(x);

    return (unsigned $2)(i < 0 ? 0 : i > $3 ? $3 : i);
}

/*@ i8_from float : i32_from */
$fn signed char i8_from_$S($T x)
{
    int i = i32_from_$S(x);

    return (signed char)(i < -128 ? -128 : i > 127 ? 127 : i);
}

/*@ round float : i64_from */
/* The nearest integer, half to even. */
$fn long long round_$S($T x)
{
    return i64_from_$S(rint$m(x));
}

/*@ reciprocal f64 */
/* 1 / b for div_by; 0 if b is so large or small that div_by cannot do with it. */
$fn $T reciprocal_$S($T b)
{
    return fabs(b) > 0x1p-700 && fabs(b) < 0x1p700 ? 1 / b : 0;
}

/*@ reciprocal_rest f64 */
/* What r lacks of 1 / b. */
$fn $T reciprocal_rest_$S($T b, $T r)
{
    return fma(-b, r, 1) * r;
}

/*@ div_by f64 */
/* a / b to the last bit, for a that is 0, infinite, NaN or between 2^-250 and 2^250, r that is
** reciprocal(b) and what that lacks: a quotient less than an ulp away, and what it leaves of a. */
$fn $T div_by_$S($T a, $T b, $T r, $T rest)
{
    $T near = fma(a, r, a * rest);
    $T quotient = fma(fma(-b, near, a), r, near);

    if (fabs(quotient) > 0)
        return quotient;
    return r != 0 ? a * r : a / b;
}

/*@ reciprocal u64 */
/* For mod_by. */
$fn $T reciprocal_$S($T b)
{
    return b == 0 ? 0 : ~($T)0 / b;
}

/*@ round_digits float : pow_int.f64 */
/* x rounded to so many decimals, half to even. */
$fn $T round_digits_$S($T x, long long digits)
{
    long long places = digits < 0 ? -digits : digits;
    double large = pow_int_f64(10.0, places > 22 ? places - 22 : places);
    double more = places > 22 ? 1e22 : 1.0, scaled;

    if (!isfinite(x) || digits > 400)
        return x;
    scaled = digits < -400 ? 0 : digits < 0 ? x / large / more : x * large * more;
    if (!isfinite(scaled))
        return x;
    scaled = rint(scaled);
    if (scaled == 0)
        return copysign$m(($T)0, x);
    return ($T)(digits < 0 ? scaled * large * more : scaled / more / large);
}

/*@ each degrees 57.29577951308232; radians 0.017453292519943295: $1 float */
$fn $T $1_$S($T x)
{
    return x * ($T)$2;
}

/*@ frexp_fraction float */
/* The fraction f in x == f * 2 ** e, 0.5 <= |f| < 1. */
$fn $T frexp_fraction_$S($T x)
{
    int exponent;

    return frexp$m(x, &exponent);
}

/*@ frexp_exponent float */
/* The exponent e in x == f * 2 ** e, 0.5 <= |f| < 1. */
$fn int frexp_exponent_$S($T x)
{
    int exponent = 0;

    if (x == 0 || !isfinite(x))
        return 0;
    frexp$m(x, &exponent);
    return exponent;
}

/*@ modf_fraction float */
/* What is behind the point, with the sign of x. */
$fn $T modf_fraction_$S($T x)
{
    return copysign$m(isinf(x) ? 0 : x - trunc$m(x), x);
}

/*@ f32_bits - */
$fn unsigned int f32_bits(float x)
{
    union {
        float number;
        unsigned int bits;
    } both;

    both.number = x;
    return both.bits;
}

/*@ f32_from_bits - */
$fn float f32_from_bits(unsigned int bits)
{
    union {
        float number;
        unsigned int bits;
    } both;

    both.bits = bits;
    return both.number;
}

/*@ f32_to_odd f64 : f32_bits.- f32_from_bits.- */
/* x as a float, with the last bit set if something was lost: rounding that once more to a narrower
** type rounds as x itself would. */
$fn float f32_to_odd_$S(double x)
{
    float near = (float)x;
    unsigned int bits = f32_bits(near);

    if (x != x || (double)near == x)
        return near;
    if (fabs((double)near) > fabs(x))
        bits--;
    return f32_from_bits(bits | 1);
}

/*@ each f16 float16; bf16 bfloat16: $1_from f64 : $2.- $1_from.f32 f32_to_odd.f64 */
$fn $2 $1_from_f64(double x)
{
    return $1_from_f32(f32_to_odd_f64(x));
}

/*@ f32_from bf16 : f32_from_bits.- */
$fn float f32_from_bf16(bfloat16 x)
{
    return f32_from_bits((unsigned int)x << 16);
}

/*@ bf16_from f32 : bfloat16.- f32_bits.- */
$fn bfloat16 bf16_from_f32(float x)
{
    unsigned int bits = f32_bits(x);

    if (x != x)
        return (bfloat16)(bits >> 16 | 0x40);
    return (bfloat16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/*@ tf32_split - : f32_bits.- f32_from_bits.- */
/* A float as one of 11 bits, which infinity and NaN are, too, and as two of 11 bits that add up to
** it, both 0 where it is not finite. What would round to infinity is cut off. */
$fn void tf32_split(float x, unsigned int *whole, unsigned int *near, unsigned int *rest)
{
    const unsigned int bits = f32_bits(x), size = bits & 0x7fffffff;
    const bool finite = size < 0x7f800000;
    const unsigned int cut = (size < 0x7f7ff000 ? bits + 0x1000 : bits) & 0xffffe000;

    *whole = size > 0x7f800000 ? bits | 0x400000 : cut;
    *near = finite ? cut : 0;
    *rest = finite ? (f32_bits(x - f32_from_bits(cut)) + 0x1000) & 0xffffe000 : 0;
}

/*@ bf16_split - : bf16_from.f32 f32_from.bf16 f32_bits.- */
/* A float as three of 8 bits that add up to it, all 0 where it is not finite; the fourth is the
** first of them, or infinity or NaN. What would round to infinity is cut off. */
$fn void bf16_split(float x, unsigned short *parts)
{
    const unsigned int size = f32_bits(x) & 0x7fffffff;
    const bool finite = size < 0x7f800000, great = finite && size >= 0x7f7f8000;
    float rest = x;

    parts[3] = great ? (unsigned short)(f32_bits(x) >> 16) : bf16_from_f32(x);
    parts[0] = finite ? parts[3] : 0;
    rest = finite ? x - f32_from_bf16(parts[0]) : 0;
    parts[1] = bf16_from_f32(rest);
    parts[2] = bf16_from_f32(rest - f32_from_bf16(parts[1]));
}

/*@ float8_e4m3 - */
typedef unsigned char float8_e4m3; /* its bits */

/*@ float8_e5m2 - */
typedef unsigned char float8_e5m2; /* its bits */

/*@ f32_from e4m3 : float8_e4m3.- f32_bits.- f32_from_bits.- */
$fn float f32_from_e4m3(float8_e4m3 x)
{
    unsigned int size = x & 0x7f, sign = (unsigned int)(x & 0x80) << 24;

    if (size < 8)
        return f32_from_bits(sign | f32_bits((float)size * 0.001953125f));
    return f32_from_bits(sign | (size == 0x7f ? 0x7fc00000 : (size << 20) + (120u << 23)));
}

/*@ f32_from e5m2 : float8_e5m2.- f32_bits.- f32_from_bits.- */
$fn float f32_from_e5m2(float8_e5m2 x)
{
    unsigned int size = x & 0x7f, sign = (unsigned int)(x & 0x80) << 24;

    if (size < 4)
        return f32_from_bits(sign | f32_bits((float)size * 0.0000152587890625f));
    if (size >= 0x7c)
        return f32_from_bits(sign | (size == 0x7c ? 0x7f800000 : 0x7fc00000));
    return f32_from_bits(sign | ((size << 21) + (112u << 23)));
}

/*@ e4m3_from f32 : float8_e4m3.- f32_bits.- f32_from_bits.- */
/* As ml_dtypes' float8_e4m3fn: what is beyond 464 is NaN. Adding a float rounds the least ones. */
$fn float8_e4m3 e4m3_from_f32(float x)
{
    unsigned int bits = f32_bits(x), sign = bits >> 24 & 0x80, size = bits & 0x7fffffff;

    if (size > 0x43e80000)
        return (float8_e4m3)(sign | 0x7f);
    if (size < 0x3c800000)
        return (float8_e4m3)(sign | (f32_bits(f32_from_bits(size) + 16384) - 0x46800000));
    return (float8_e4m3)(sign | (((size + 0x7ffff + (size >> 20 & 1)) >> 20) - 960));
}

/*@ e5m2_from f32 : float8_e5m2.- f32_bits.- f32_from_bits.- */
$fn float8_e5m2 e5m2_from_f32(float x)
{
    unsigned int bits = f32_bits(x), sign = bits >> 24 & 0x80, size = bits & 0x7fffffff;

    if (size > 0x7f800000)
        return (float8_e5m2)(sign | 0x7e);
    if (size >= 0x47700000)
        return (float8_e5m2)(sign | 0x7c);
    if (size < 0x38800000)
        return (float8_e5m2)(sign | (f32_bits(f32_from_bits(size) + 128) - 0x43000000));
    return (float8_e5m2)(sign | (((size + 0xfffff + (size >> 21 & 1)) >> 21) - 448));
}

/*@ each f16 float16; bf16 bfloat16: half_add $1 : f32_from $1_from.f32 */
$fn $2 half_add_$1($2 a, $2 b)
{
    return $1_from_f32(f32_from_$1(a) + f32_from_$1(b));
}

/*@ atomic_sub f16 bf16 : atomic_add */
$fn $T atomic_sub_$S($T *address, $T value)
{
    return atomic_add_$S(address, value ^ 0x8000); /* whose sign is the other */
}

/*@ each max >; min <: atomic_$1 f16 bf16 : f32_from atomic_now atomic_swap */
/* What is there stays if either is NaN. */
$fn $T atomic_$1_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (f32_from_$S(value) $2 f32_from_$S(old) &&
           !atomic_swap_$S(address, &old, value))
        continue;
    return old;
}

/*@ each nanmax <; nanmin >: atomic_$1 f16 bf16 : f32_from atomic_now atomic_swap */
/* NaN counts as missing. */
$fn $T atomic_$1_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (f32_from_$S(value) == f32_from_$S(value) && !(f32_from_$S(value) $2= f32_from_$S(old)) &&
           !atomic_swap_$S(address, &old, value))
        continue;
    return old;
}

/*@ to_bits int float f16 bf16 e4m3 e5m2 */
$fn $U to_bits_$S($T value)
{
    union {
        $T value;
        $U bits;
    } same = { value };

    return same.bits;
}

/*@ from_bits int float f16 bf16 e4m3 e5m2 */
$fn $T from_bits_$S($U bits)
{
    union {
        $U bits;
        $T value;
    } same = { bits };

    return same.value;
}
