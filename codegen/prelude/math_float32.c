/* Functions of math of float32, on the processor: computed in float64 and rounded once. math.c says
** how. Pieces: see emit.h. */

/*@ exp_core - */
/* What 2 ** n * (1 + p) is of e ** (n * log 2 + r), with 32 bits: p. */
$inline double exp_core(double r)
{
    double sum = 0x1.a124f19fe89acp-13;

    sum = fma(sum, r, 0x1.6d43246b523b4p-10);
    sum = fma(sum, r, 0x1.1110e0f238322p-7);
    sum = fma(sum, r, 0x1.5554e9063586ep-5);
    sum = fma(sum, r, 0x1.5555555a78ed4p-3);
    sum = fma(sum, r, 0x1.0000000b9129bp-1);
    return fma(r * r, sum, r);
}

/*@ exp_short - : within.- exp_core.- power_of_two.- */
/* e ** x for what is rounded to float32. */
$inline double exp_short(double x)
{
    double y = within(x, -200, 200), n = rint(y * 0x1.71547652b82fep+0);
    double power = power_of_two((int)n);

    return fma(exp_core(fma(-n, 0x1.62e42fefa39efp-1, y)), power, power);
}

/*@ expm1_short - : within.- exp_core.- power_of_two.- */
/* e ** x - 1 for what is rounded to float32. */
$inline double expm1_short(double x)
{
    double y = within(x, -200, 200), n = rint(y * 0x1.71547652b82fep+0);
    double power = power_of_two((int)n);

    return fma(exp_core(fma(-n, 0x1.62e42fefa39efp-1, y)), power, power - 1);
}

/*@ log_short - : bits_of.- from_the_bits.- */
/* log x for what is rounded to float32, x being positive, finite and not denormal. See
** log_parts. */
$inline double log_short(double x)
{
    unsigned long long bits = bits_of(x);
    int above = (int)((bits + 0x95f619980c433ull) >> 52);
    double m = from_the_bits(bits - ((unsigned long long)(above - 1023) << 52)), n = above - 1023;
    double s = (m - 1) / (m + 1), z = s * s, sum = 0x1.8c92867b49a01p-3;

    sum = fma(sum, z, 0x1.c67a84e8a4ba0p-3);
    sum = fma(sum, z, 0x1.249324907dae3p-2);
    sum = fma(sum, z, 0x1.999998ca249fbp-2);
    sum = fma(sum, z, 0x1.5555555564fdap-1);
    return fma(n, 0x1.62e42fefa39efp-1, s * fma(z, sum, 2));
}

/*@ log1p_short - : log_short.- log_of.- */
/* log(1 + x) for what is rounded to float32. */
$inline double log1p_short(double x)
{
    double more = 1 + x, rest = x - (more - 1);

    return log_of(more, log_short(more) + rest / more);
}

/*@ exp f32 : HAS_FMA.- exp_short.- */
$inline float exp_f32(float x)
{
    return HAS_FMA ? (float)exp_short(x) : expf(x);
}

/*@ exp2 f32 : HAS_FMA.- within.- exp_core.- power_of_two.- */
$inline float exp2_f32(float x)
{
    double y = within(x, -300, 300), n = rint(y), power = power_of_two((int)n);

    return HAS_FMA ? (float)fma(exp_core((y - n) * 0x1.62e42fefa39efp-1), power, power) : exp2f(x);
}

/*@ expm1 f32 : HAS_FMA.- expm1_short.- */
$inline float expm1_f32(float x)
{
    return !HAS_FMA ? expm1f(x) : x == 0 ? x : (float)expm1_short(x);
}

/*@ log f32 : HAS_FMA.- log_short.- log_of.- */
$inline float log_f32(float x)
{
    return HAS_FMA ? (float)log_of(x, log_short(x)) : logf(x);
}

/*@ log2 f32 : HAS_FMA.- log_short.- log_of.- */
$inline float log2_f32(float x)
{
    return HAS_FMA ? (float)log_of(x, log_short(x) * 0x1.71547652b82fep+0) : log2f(x);
}

/*@ log10 f32 : HAS_FMA.- log_short.- log_of.- */
$inline float log10_f32(float x)
{
    return HAS_FMA ? (float)log_of(x, log_short(x) * 0x1.bcb7b1526e50ep-2) : log10f(x);
}

/*@ log1p f32 : HAS_FMA.- log1p_short.- */
$inline float log1p_f32(float x)
{
    return !HAS_FMA ? log1pf(x) : x == 0 ? x : (float)log1p_short(x);
}

/*@ pow f32 : HAS_FMA.- log_short.- exp_short.- power_of.- */
$inline float pow_f32(float x, float y)
{
    double size = exp_short(y * log_short(fabs((double)x)));

    return HAS_FMA ? (float)power_of(x, y, size) : powf(x, y);
}

/*@ cbrt f32 : HAS_FMA.- log_short.- exp_short.- */
$inline float cbrt_f32(float x)
{
    float a = fabsf(x), root = (float)exp_short(log_short(a) * 0x1.5555555555555p-2);

    return !HAS_FMA ? cbrtf(x) : a > 0 && a < INFINITY ? copysignf(root, x) : x;
}

/*@ sinh f32 : HAS_FMA.- expm1_short.- */
$inline float sinh_f32(float x)
{
    double less = expm1_short(fabs((double)x));

    return HAS_FMA ? copysignf((float)(0.5 * (less + less / (less + 1))), x) : sinhf(x);
}

/*@ cosh f32 : HAS_FMA.- exp_short.- */
$inline float cosh_f32(float x)
{
    double power = exp_short(fabs((double)x));

    return HAS_FMA ? (float)(0.5 * (power + 1 / power)) : coshf(x);
}

/*@ tanh f32 : HAS_FMA.- expm1_short.- */
$inline float tanh_f32(float x)
{
    double less = expm1_short(2 * fabs((double)x));

    return HAS_FMA ? copysignf((float)(less / (less + 2)), x) : tanhf(x);
}

/*@ asinh f32 : HAS_FMA.- log1p_short.- */
$inline float asinh_f32(float x)
{
    double a = fabs((double)x), square = a * a;
    double result = log1p_short(a + square / (1 + sqrt(square + 1)));

    return !HAS_FMA ? asinhf(x) : fabsf(x) < INFINITY ? copysignf((float)result, x) : x;
}

/*@ acosh f32 : HAS_FMA.- log1p_short.- */
$inline float acosh_f32(float x)
{
    double t = (double)x - 1, result = log1p_short(t + sqrt(t * (t + 2)));

    return !HAS_FMA ? acoshf(x) : x >= 1 ? (float)result : NAN;
}

/*@ atanh f32 : HAS_FMA.- log1p_short.- */
$inline float atanh_f32(float x)
{
    double a = fabs((double)x);

    return HAS_FMA ? copysignf((float)(0.5 * log1p_short(2 * a / (1 - a))), x) : atanhf(x);
}

/*@ ShortTurn - */
/* An angle for what is rounded to float32. */
typedef struct ShortTurn {
    double quarters, rest;
} ShortTurn;

/*@ short_two_over_pi - */
/* 2 / pi * 2 ** (8 * row) in two pieces, without multiples of 4. */
static const double short_two_over_pi[28] = {
    0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55,
    0x1.7cc1b727220a9p+1, 0x1.3f84eafa3ea6ap-53,
    0x1.836e4e44152a0p+0, -0x1.ec54170565912p-55,
    0x1.b727220a94fe1p+1, 0x1.d5f47d4d37703p-54,
    0x1.27220a94fe13bp+1, -0x1.05c1596447e49p-53,
    0x1.220a94fe13abfp+1, -0x1.c1596447e493bp-53,
    0x1.529fc2757d1f5p-4, 0x1.a6ee06db14acdp-59,
    0x1.29fc2757d1f53p+0, 0x1.377036d8a5665p-54,
    0x1.fc2757d1f534ep+0, -0x1.1f924eb53361ep-55,
    0x1.3abe8fa9a6ee0p-3, 0x1.b6c52b3278872p-57,
    0x1.abe8fa9a6ee07p+1, -0x1.275a99b0ef1bfp-54,
    0x1.e8fa9a6ee06dbp+1, 0x1.4acc9e21c8210p-55,
    0x1.f534ddc0db629p+0, 0x1.664f10e4107f9p-54,
    0x1.34ddc0db6295ap+0, -0x1.b0ef1bef806bap-54,
};

/*@ short_turn_of - : ShortTurn.- bits_of.- power_of_two.- short_two_over_pi.- */
/* See turn_of. */
$inline ShortTurn short_turn_of(double x)
{
    int above = ((int)(bits_of(x) >> 52 & 0x7ff) - 1046) >> 3;
    long long row = above < 0 ? 0 : above > 13 ? 13 : above;
    double n = x * power_of_two(-8 * (int)row), c = short_two_over_pi[2 * row];
    double product = n * c, whole = rint(product);
    double rest = product - whole + fma(n, short_two_over_pi[2 * row + 1], fma(n, c, -product));
    double more = rint(rest);
    ShortTurn turn = { whole + more, (rest - more) * 0x1.921fb54442d18p+0 };

    return turn;
}

/*@ short_sin - */
/* sin r for |r| up to an eighth of a turn. */
$inline double short_sin(double r)
{
    double z = r * r, sum = 0x1.6dbcfb4dee452p-19;

    sum = fma(sum, z, -0x1.a013a455bd213p-13);
    sum = fma(sum, z, 0x1.11110decc73fdp-7);
    sum = fma(sum, z, -0x1.555555545d0dap-3);
    return fma(r * z, sum, r);
}

/*@ short_cos - */
/* cos r for |r| up to an eighth of a turn. */
$inline double short_cos(double r)
{
    double z = r * r, sum = -0x1.25239a9550aefp-22;

    sum = fma(sum, z, 0x1.a015c25366932p-16);
    sum = fma(sum, z, -0x1.6c16bf534c9ebp-10);
    sum = fma(sum, z, 0x1.55555555027adp-5);
    return fma(z * z, sum, fma(-0.5, z, 1));
}

/*@ short_sine_of - : ShortTurn.- short_sin.- short_cos.- modulo_four.- */
/* The sine of an angle and so many quarters of a turn. */
$inline double short_sine_of(ShortTurn turn, double more)
{
    double quarters = modulo_four(turn.quarters + more);
    bool odd = quarters == 1 || quarters == 3;
    double size = odd ? short_cos(turn.rest) : short_sin(turn.rest);

    return quarters >= 2 ? -size : size;
}

/*@ sin f32 : HAS_FMA.- short_turn_of.- short_sine_of.- */
$inline float sin_f32(float x)
{
    float sine = (float)short_sine_of(short_turn_of(x), 0);

    return !HAS_FMA ? sinf(x) : x == 0 ? x : sine;
}

/*@ cos f32 : HAS_FMA.- short_turn_of.- short_sine_of.- */
$inline float cos_f32(float x)
{
    return HAS_FMA ? (float)short_sine_of(short_turn_of(x), 1) : cosf(x);
}

/*@ tan f32 : HAS_FMA.- short_turn_of.- short_sin.- short_cos.- modulo_four.- */
$inline float tan_f32(float x)
{
    ShortTurn turn = short_turn_of(x);
    double quarters = modulo_four(turn.quarters), a = short_sin(turn.rest);
    double b = short_cos(turn.rest);
    bool odd = quarters == 1 || quarters == 3;

    return !HAS_FMA ? tanf(x) : x == 0 ? x : (float)((odd ? -b : a) / (odd ? a : b));
}

/*@ atan f32 : HAS_FMA.- angle_of.- */
$inline float atan_f32(float x)
{
    return HAS_FMA ? copysignf((float)angle_of(fabs((double)x), 1), x) : atanf(x);
}

/*@ atan2 f32 : HAS_FMA.- atan2.f64 */
$inline float atan2_f32(float y, float x)
{
    return HAS_FMA ? (float)atan2_f64(y, x) : atan2f(y, x);
}

/*@ each asin asinf; acos acosf: $1 f32 : HAS_FMA.- $1.f64 */
$inline float $1_f32(float x)
{
    return HAS_FMA ? (float)$1_f64(x) : $2(x);
}

/*@ hypot f32 : HAS_FMA.- */
$inline float hypot_f32(float x, float y)
{
    float result = (float)sqrt((double)x * x + (double)y * y);

    if (!HAS_FMA)
        return hypotf(x, y);
    return fabsf(x) == INFINITY || fabsf(y) == INFINITY ? INFINITY : result;
}
