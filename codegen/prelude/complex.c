/* Complex numbers, for both dialects. Pieces: see emit.h. */

/*@ make_complex complex */
$fn $T make_complex_$S($P real, $P imag)
{
    $T result = { real, imag };

    return result;
}

/*@ c64_from c128 : make_complex.c64 */
$fn complex64 c64_from_c128(complex128 a)
{
    return make_complex_c64((float)a.real, (float)a.imag);
}

/*@ c128_from c64 : make_complex.c128 */
$fn complex128 c128_from_c64(complex64 a)
{
    return make_complex_c128(a.real, a.imag);
}

/*@ complex_neg complex : make_complex */
$fn $T complex_neg_$S($T a)
{
    return make_complex_$S(-a.real, -a.imag);
}

/*@ each add +; sub -: complex_$1 complex : make_complex */
$fn $T complex_$1_$S($T a, $T b)
{
    return make_complex_$S(a.real $2 b.real, a.imag $2 b.imag);
}

/*@ complex_mul complex : make_complex */
$fn $T complex_mul_$S($T a, $T b)
{
    return make_complex_$S(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real);
}

/*@ complex_div complex : make_complex */
/* a / b by Smith's method, which scales by b's larger part. */
$fn $T complex_div_$S($T a, $T b)
{
    $P ratio, scale;

    if (fabs$m(b.real) >= fabs$m(b.imag)) {
        ratio = b.imag / b.real;
        scale = b.real + b.imag * ratio;
        return make_complex_$S((a.real + a.imag * ratio) / scale,
                               (a.imag - a.real * ratio) / scale);
    }
    ratio = b.real / b.imag;
    scale = b.real * ratio + b.imag;
    return make_complex_$S((a.real * ratio + a.imag) / scale, (a.imag * ratio - a.real) / scale);
}

/*@ complex_eq complex */
$fn bool complex_eq_$S($T a, $T b)
{
    return a.real == b.real && a.imag == b.imag;
}

/*@ complex_true complex */
$fn bool complex_true_$S($T a)
{
    return a.real != 0 || a.imag != 0;
}

/*@ abs complex */
$fn $P abs_$S($T a)
{
    return hypot$m(a.real, a.imag);
}

/*@ complex_pow complex : make_complex complex_mul abs */
/* a ** b in polar form. */
$fn $T complex_pow_$S($T a, $T b)
{
    $P size = abs_$S(a), angle = atan2$m(a.imag, a.real), length, turn;

    if (b.real == 0 && b.imag == 0)
        return make_complex_$S(1, 0);
    if (size == 0)
        return make_complex_$S(0, 0);
    if (b.real == 2 && b.imag == 0)
        return complex_mul_$S(a, a);
    length = pow$m(size, b.real);
    turn = angle * b.real;
    if (b.imag != 0) {
        length /= exp$m(angle * b.imag);
        turn += b.imag * log$m(size);
    }
    return make_complex_$S(length * cos$m(turn), length * sin$m(turn));
}
