/* libdevice and the half floats in the CUDA dialect, where most functions are built in. Pieces: see
** emit.h. */
/*@ each fdim; logb; ilogb; rint; rsqrt; rcbrt; exp10; j0; j1; y0; y1: $1 f32 = $1f */
/*@ each fdim; logb; ilogb; rint; rsqrt; rcbrt; exp10; j0; j1; y0; y1: $1 f64 = $1 */
/*@ each sinpi; cospi; normcdf; normcdfinv; erfinv; erfcinv; erfcx: $1 f32 = $1f */
/*@ each sinpi; cospi; normcdf; normcdfinv; erfinv; erfcinv; erfcx: $1 f64 = $1 */
/*@ round_away f32 = roundf */
/*@ round_away f64 = round */
/*@ each jn; yn; jnf; ynf: $1 i32 = $1 */
/*@ each sin; cos; tan; exp; exp10; log; log2; log10; pow: fast_$1 f32 = __$1f */
/*@ fast_divide f32 = __fdividef */
/*@ each add; sub; mul; div; rcp; sqrt: $1_rn f32 = __f$1_rn */
/*@ each add; sub; mul; div; rcp; sqrt: $1_rn f64 = __d$1_rn */
/*@ each add; sub; mul; div; rcp; sqrt: $1_rz f32 = __f$1_rz */
/*@ each add; sub; mul; div; rcp; sqrt: $1_rz f64 = __d$1_rz */
/*@ each add; sub; mul; div; rcp; sqrt: $1_ru f32 = __f$1_ru */
/*@ each add; sub; mul; div; rcp; sqrt: $1_ru f64 = __d$1_ru */
/*@ each add; sub; mul; div; rcp; sqrt: $1_rd f32 = __f$1_rd */
/*@ each add; sub; mul; div; rcp; sqrt: $1_rd f64 = __d$1_rd */
/*@ each rn; rz; ru; rd: fma_$1 f32 = __fmaf_$1 */
/*@ each rn; rz; ru; rd: fma_$1 f64 = __fma_$1 */
/*@ rsqrt_rn f32 = __frsqrt_rn */
/*@ each i32 int; u32 uint; i64 ll; u64 ull; f64 double: f32_rz $1 = __$22float_rz */
/*@ each i64 ll; u64 ull: f64_rz $1 = __$22double_rz */
/*@ each i32 int; u32 uint; i64 ll; u64 ull; f64 double: f32_ru $1 = __$22float_ru */
/*@ each i64 ll; u64 ull: f64_ru $1 = __$22double_ru */
/*@ each i32 int; u32 uint; i64 ll; u64 ull; f64 double: f32_rd $1 = __$22float_rd */
/*@ each i64 ll; u64 ull: f64_rd $1 = __$22double_rd */
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
