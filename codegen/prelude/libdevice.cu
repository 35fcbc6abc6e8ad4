/* libdevice and the half floats in the CUDA dialect, where most functions are built in. Pieces: see
** emit.h. */
/*@ exp10 f32 = exp10f */
/*@ exp10 f64 = exp10 */
/*@ fdim f32 = fdimf */
/*@ fdim f64 = fdim */
/*@ logb f32 = logbf */
/*@ logb f64 = logb */
/*@ ilogb f32 = ilogbf */
/*@ ilogb f64 = ilogb */
/*@ rint f32 = rintf */
/*@ rint f64 = rint */
/*@ rsqrt f32 = rsqrtf */
/*@ rsqrt f64 = rsqrt */
/*@ rcbrt f32 = rcbrtf */
/*@ rcbrt f64 = rcbrt */
/*@ sinpi f32 = sinpif */
/*@ sinpi f64 = sinpi */
/*@ cospi f32 = cospif */
/*@ cospi f64 = cospi */
/*@ normcdf f32 = normcdff */
/*@ normcdf f64 = normcdf */
/*@ normcdfinv f32 = normcdfinvf */
/*@ normcdfinv f64 = normcdfinv */
/*@ erfinv f32 = erfinvf */
/*@ erfinv f64 = erfinv */
/*@ erfcinv f32 = erfcinvf */
/*@ erfcinv f64 = erfcinv */
/*@ erfcx f32 = erfcxf */
/*@ erfcx f64 = erfcx */
/*@ j0 f32 = j0f */
/*@ j0 f64 = j0 */
/*@ j1 f32 = j1f */
/*@ j1 f64 = j1 */
/*@ y0 f32 = y0f */
/*@ y0 f64 = y0 */
/*@ y1 f32 = y1f */
/*@ y1 f64 = y1 */
/*@ round_away f32 = roundf */
/*@ round_away f64 = round */
/*@ jn i32 = jn */
/*@ yn i32 = yn */
/*@ jnf i32 = jnf */
/*@ ynf i32 = ynf */
/*@ fast_sin f32 = __sinf */
/*@ fast_cos f32 = __cosf */
/*@ fast_tan f32 = __tanf */
/*@ fast_exp f32 = __expf */
/*@ fast_exp10 f32 = __exp10f */
/*@ fast_log f32 = __logf */
/*@ fast_log2 f32 = __log2f */
/*@ fast_log10 f32 = __log10f */
/*@ fast_pow f32 = __powf */
/*@ fast_divide f32 = __fdividef */
/*@ add_rn f32 = __fadd_rn */
/*@ add_rn f64 = __dadd_rn */
/*@ add_rz f32 = __fadd_rz */
/*@ add_rz f64 = __dadd_rz */
/*@ add_ru f32 = __fadd_ru */
/*@ add_ru f64 = __dadd_ru */
/*@ add_rd f32 = __fadd_rd */
/*@ add_rd f64 = __dadd_rd */
/*@ sub_rn f32 = __fsub_rn */
/*@ sub_rn f64 = __dsub_rn */
/*@ sub_rz f32 = __fsub_rz */
/*@ sub_rz f64 = __dsub_rz */
/*@ sub_ru f32 = __fsub_ru */
/*@ sub_ru f64 = __dsub_ru */
/*@ sub_rd f32 = __fsub_rd */
/*@ sub_rd f64 = __dsub_rd */
/*@ mul_rn f32 = __fmul_rn */
/*@ mul_rn f64 = __dmul_rn */
/*@ mul_rz f32 = __fmul_rz */
/*@ mul_rz f64 = __dmul_rz */
/*@ mul_ru f32 = __fmul_ru */
/*@ mul_ru f64 = __dmul_ru */
/*@ mul_rd f32 = __fmul_rd */
/*@ mul_rd f64 = __dmul_rd */
/*@ div_rn f32 = __fdiv_rn */
/*@ div_rn f64 = __ddiv_rn */
/*@ div_rz f32 = __fdiv_rz */
/*@ div_rz f64 = __ddiv_rz */
/*@ div_ru f32 = __fdiv_ru */
/*@ div_ru f64 = __ddiv_ru */
/*@ div_rd f32 = __fdiv_rd */
/*@ div_rd f64 = __ddiv_rd */
/*@ rcp_rn f32 = __frcp_rn */
/*@ rcp_rn f64 = __drcp_rn */
/*@ rcp_rz f32 = __frcp_rz */
/*@ rcp_rz f64 = __drcp_rz */
/*@ rcp_ru f32 = __frcp_ru */
/*@ rcp_ru f64 = __drcp_ru */
/*@ rcp_rd f32 = __frcp_rd */
/*@ rcp_rd f64 = __drcp_rd */
/*@ sqrt_rn f32 = __fsqrt_rn */
/*@ sqrt_rn f64 = __dsqrt_rn */
/*@ sqrt_rz f32 = __fsqrt_rz */
/*@ sqrt_rz f64 = __dsqrt_rz */
/*@ sqrt_ru f32 = __fsqrt_ru */
/*@ sqrt_ru f64 = __dsqrt_ru */
/*@ sqrt_rd f32 = __fsqrt_rd */
/*@ sqrt_rd f64 = __dsqrt_rd */
/*@ fma_rn f32 = __fmaf_rn */
/*@ fma_rn f64 = __fma_rn */
/*@ fma_rz f32 = __fmaf_rz */
/*@ fma_rz f64 = __fma_rz */
/*@ fma_ru f32 = __fmaf_ru */
/*@ fma_ru f64 = __fma_ru */
/*@ fma_rd f32 = __fmaf_rd */
/*@ fma_rd f64 = __fma_rd */
/*@ rsqrt_rn f32 = __frsqrt_rn */
/*@ f32_rz i32 = __int2float_rz */
/*@ f32_rz u32 = __uint2float_rz */
/*@ f32_rz i64 = __ll2float_rz */
/*@ f32_rz u64 = __ull2float_rz */
/*@ f32_rz f64 = __double2float_rz */
/*@ f64_rz i64 = __ll2double_rz */
/*@ f64_rz u64 = __ull2double_rz */
/*@ f32_ru i32 = __int2float_ru */
/*@ f32_ru u32 = __uint2float_ru */
/*@ f32_ru i64 = __ll2float_ru */
/*@ f32_ru u64 = __ull2float_ru */
/*@ f32_ru f64 = __double2float_ru */
/*@ f64_ru i64 = __ll2double_ru */
/*@ f64_ru u64 = __ull2double_ru */
/*@ f32_rd i32 = __int2float_rd */
/*@ f32_rd u32 = __uint2float_rd */
/*@ f32_rd i64 = __ll2float_rd */
/*@ f32_rd u64 = __ull2float_rd */
/*@ f32_rd f64 = __double2float_rd */
/*@ f64_rd i64 = __ll2double_rd */
/*@ f64_rd u64 = __ull2double_rd */
/*@ as_i32 f32 = __float_as_int */
/*@ as_f32 i32 = __int_as_float */
/*@ as_i64 f64 = __double_as_longlong */
/*@ as_f64 i64 = __longlong_as_double */
/*@ high_bits f64 = __double2hiint */
/*@ low_bits f64 = __double2loint */
/*@ from_high_low i32 = __hiloint2double */
/*@ mulhi i32 = __mulhi */
/*@ mulhi u32 = __umulhi */
/*@ mulhi i64 = __mul64hi */
/*@ mulhi u64 = __umul64hi */
/*@ mul24 i32 = __mul24 */
/*@ mul24 u32 = __umul24 */
/*@ half_sum i32 = __hadd */
/*@ half_sum u32 = __uhadd */
/*@ half_sum_up i32 = __rhadd */
/*@ half_sum_up u32 = __urhadd */
/*@ sad i32 = __sad */
/*@ sad u32 = __usad */
/*@ byte_perm u32 = __byte_perm */

/*@ half_fma f16 */
/* a * b + c, rounded once. */
$fn float16 half_fma_f16(float16 a, float16 b, float16 c)
{
    float16 result;

    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(result) : "h"(a), "h"(b), "h"(c));
    return result;
}

/*@ half_fma bf16 : f32_from bf16_from.f32 f32_bits.- f32_from_bits.- */
/* a * b + c, rounded once. */
$fn bfloat16 half_fma_bf16(bfloat16 a, bfloat16 b, bfloat16 c)
{
#if __CUDA_ARCH__ >= 800
    bfloat16 result;

    asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(result) : "h"(a), "h"(b), "h"(c));
    return result;
#else
    float x = f32_from_bf16(a), y = f32_from_bf16(b), z = f32_from_bf16(c);
    float near = __fmaf_rz(x, y, z);

    /* the last bit set where something is lost, so that the second rounding is the only one */
    if (__fmaf_ru(x, y, z) > __fmaf_rd(x, y, z))
        near = f32_from_bits(f32_bits(near) | 1);
    return bf16_from_f32(near);
#endif
}

/*@ saturate f32 */
$fn float saturate_f32(float x)
{
    return __saturatef(x);
}

/*@ straight_sqrt f32 */
/* sqrtf(x) to the last bit, without the branch to where NVIDIA's has the rare numbers, over which
** no other iteration's operations are moved. Small ones are scaled, so that what is left below is
** exact; the correction is NVIDIA's. */
$fn float straight_sqrt_f32(float x)
{
    const float infinite = __int_as_float(0x7f800000);
    bool small = x < 0x1p-100f;
    float scaled = small ? x * 0x1p100f : x, near;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(scaled));
    float root = __fmul_rn(scaled, near);
    float left = __fmaf_rn(-root, root, scaled);
    root = __fmaf_rn(left, __fmul_rn(near, 0.5f), root);
    root = scaled == 0 || scaled == infinite ? scaled : root;
    return small ? root * 0x1p-50f : root;
}

/*@ straight_one_by f32 */
/* 1 / x to the last bit of an x that is 0, infinite, a NaN, or between 2^-125 and 2^125 in size, as
** square roots are; without a branch. */
$fn float straight_one_by_f32(float x)
{
    float near;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(x));
    float left = __fmaf_rn(-x, near, 1);
    float quotient = __fmaf_rn(near, left, near);
    return left == left ? quotient : near;
}
