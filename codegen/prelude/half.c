/* What libdevice and the half floats need beside both.c, for both dialects. Pieces: see
** emit.h. */

/*@ is_negative float */
/* Whether the sign bit is set. */
$fn bool is_negative_$S($T x)
{
    return copysign$m(($T)1, x) < 0;
}

/*@ infinity_sign f32 */
/* 1 of infinity, -1 of -infinity, else 0. */
$fn int infinity_sign_f32(float x)
{
    return isinf(x) ? (x > 0 ? 1 : -1) : 0;
}

/*@ quotient_bits float */
/* The sign and the low three bits of the quotient that remainder() rounds x / y to. */
$fn int quotient_bits_$S($T x, $T y)
{
    int quotient = 0;

    if (y == 0 || !isfinite(x) || y != y)
        return 0;
    remquo$m(x, y, &quotient);
    return quotient < 0 ? -(-quotient & 7) : quotient & 7;
}

/*@ ordered_ne f32 */
$fn bool ordered_ne_f32(float a, float b)
{
    return a < b || a > b;
}

/*@ unordered_eq f32 */
$fn bool unordered_eq_f32(float a, float b)
{
    return !(a < b || a > b);
}

/*@ each lt >; gt <: unordered_$1 f32 */
$fn bool unordered_$1_f32(float a, float b)
{
    return !(a $2= b);
}

/*@ each le >; ge <: unordered_$1 f32 */
$fn bool unordered_$1_f32(float a, float b)
{
    return !(a $2 b);
}

/*@ each max fmaxf; min fminf: $1_nan f32 */
/* NaN if one of both is. */
$fn float $1_nan_f32(float a, float b)
{
    return a != a || b != b ? a + b : $2(a, b);
}

/*@ each add +; sub -; mul *: $1_sat f32 : saturate */
$fn float $1_sat_f32(float a, float b)
{
    return saturate_f32(a $2 b);
}

/*@ each f16; bf16: half_fma_sat $1 : half_fma f32_from $1_from.f32 saturate.f32 */
/* a * b + c, rounded once, and held in 0 ... 1. */
$fn $T half_fma_sat_$S($T a, $T b, $T c)
{
    return $1_from_f32(saturate_f32(f32_from_$S(half_fma_$S(a, b, c))));
}

/*@ half_fma_relu f16 bf16 : half_fma f32_from */
/* a * b + c, rounded once; 0 for what is less. */
$fn $T half_fma_relu_$S($T a, $T b, $T c)
{
    $T sum = half_fma_$S(a, b, c);

    return f32_from_$S(sum) <= 0 ? 0 : sum;
}

/*@ half_down - */
/* The bits of the half float below: of either format, not of -infinity or NaN. */
$fn unsigned short half_down(unsigned short bits)
{
    if ((bits & 0x7fff) == 0)
        return 0x8001;
    return (unsigned short)(bits & 0x8000 ? bits + 1 : bits - 1);
}

/*@ half_up - */
/* The bits of the half float above: of either format, not of infinity or NaN. */
$fn unsigned short half_up(unsigned short bits)
{
    if ((bits & 0x7fff) == 0)
        return 1;
    return (unsigned short)(bits & 0x8000 ? bits - 1 : bits + 1);
}

/*@ f64_odd signed */
/* x with the bits that 53 do not hold gathered in the lowest: rounding that rounds x. */
$fn double f64_odd_$S($T x)
{
    unsigned long long size = x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x;
    double number;

    if (size >> 53)
        size = (size & ~2047ULL) | (size & 2047 ? 2048 : 0);
    number = (double)size;
    return x < 0 ? -number : number;
}

/*@ f64_odd unsigned */
/* x with the bits that 53 do not hold gathered in the lowest: rounding that rounds x. */
$fn double f64_odd_$S($T x)
{
    unsigned long long size = x;

    if (size >> 53)
        size = (size & ~2047ULL) | (size & 2047 ? 2048 : 0);
    return (double)size;
}

/*@ each f16 float16; bf16 bfloat16: $1_rd f64 : $2.- $1_from f32_from.$1 half_down.- */
$fn $2 $1_rd_f64(double x)
{
    $2 near = $1_from_f64(x);

    return (double)f32_from_$1(near) > x ? half_down(near) : near;
}

/*@ each f16 float16; bf16 bfloat16: $1_ru f64 : $2.- $1_from f32_from.$1 half_up.- */
$fn $2 $1_ru_f64(double x)
{
    $2 near = $1_from_f64(x);

    return (double)f32_from_$1(near) < x ? half_up(near) : near;
}

/*@ each f16 float16; bf16 bfloat16: $1_rz f64 : $2.- $1_rd $1_ru */
$fn $2 $1_rz_f64(double x)
{
    return x > 0 ? $1_rd_f64(x) : $1_ru_f64(x);
}

/*@ each rz; ru; rd: f16_$1 i64 u64 : float16.- f64_odd f16_$1.f64 */
$fn float16 f16_$1_$S($T x)
{
    return f16_$1_f64(f64_odd_$S(x));
}

/*@ bf16_from i64 u64 : bfloat16.- f64_odd bf16_from.f64 */
/* Rounded once, which by way of a double it would not be. */
$fn bfloat16 bf16_from_$S($T x)
{
    return bf16_from_f64(f64_odd_$S(x));
}

/*@ each rz; ru; rd: bf16_$1 i64 u64 : bfloat16.- f64_odd bf16_$1.f64 */
$fn bfloat16 bf16_$1_$S($T x)
{
    return bf16_$1_f64(f64_odd_$S(x));
}

/*@ as_i16 f16 bf16 */
$fn short as_i16_$S($T x)
{
    return (short)x;
}

/*@ as_u16 f16 bf16 */
$fn unsigned short as_u16_$S($T x)
{
    return (unsigned short)x;
}

/*@ each f16 float16; bf16 bfloat16: as_$1 i16 u16 : $2.- */
$fn $2 as_$1_$S($T bits)
{
    return ($2)bits;
}
