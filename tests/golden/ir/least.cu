== absolute ==
#line 1 "kjit prelude"
static __device__ inline long long abs_i64(long long x)
{
    return x < 0 ? (long long)(0 - (unsigned long long)x) : x;
}

/* a // b, rounded down; 0 where C has no answer. */
static __device__ inline long long floor_div_i64(long long a, long long b)
{
    long long quotient;

    if (b == 0)
        return 0;
    if (b == -1) {
        quotient = (long long)(0 - (unsigned long long)a);
        return quotient == a ? 0 : quotient;
    }
    quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

/* a % b, with the sign of b; 0 where C has no answer. */
static __device__ inline long long floor_mod_i64(long long a, long long b)
{
    long long rest;

    if (b == 0 || b == -1)
        return 0;
    rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

static __device__ inline long long max_i64(long long a, long long b)
{
    return b > a ? b : a;
}

/* -x, computed in 64 bits: ptxas 13.0 then has nothing to make a sign of an operand of. */
static __device__ inline int negated_i32(int x)
{
    int result;

    asm("{ .reg .s64 wide; cvt.s64.s32 wide, %1; neg.s64 wide, wide; cvt.u32.u64 %0, wide; }"
        : "=r"(result)
        : "r"(x));
    return result;
}

/* The same number, of which the compiler then knows nothing. */
static __device__ inline int hidden_i32(int number)
{
    asm("" : "+r"(number));
    return number;
}

/* |x|, and the least number for itself. ptxas 13.0 takes no abs.s16, .s32 or .s64 to be negative,
** and LLVM makes them of all that it knows for an absolute value. */
static __device__ inline short wrapping_abs_i16(int x)
{
    const unsigned int sign = hidden_i32(x >> 31);

    return (short)(int)((x ^ sign) - sign);
}

/* |x|, and the least number for itself. ptxas 13.0 takes no abs.s16, .s32 or .s64 to be negative,
** and LLVM makes them of all that it knows for an absolute value. */
static __device__ inline int wrapping_abs_i32(int x)
{
    const unsigned int sign = hidden_i32(x >> 31);

    return (int)(int)((x ^ sign) - sign);
}

/* |x|, and the least number for itself: as for shorter ones. */
static __device__ inline long long wrapping_abs_i64(long long x)
{
    const unsigned long long sign = hidden_i64(x >> 63);

    return (long long)((x ^ sign) - sign);
}

/* |x|, and the least number for itself. ptxas 13.0 takes no abs.s16, .s32 or .s64 to be negative,
** and LLVM makes them of all that it knows for an absolute value. */
static __device__ inline signed char wrapping_abs_i8(int x)
{
    const unsigned int sign = hidden_i32(x >> 31);

    return (signed char)(int)((x ^ sign) - sign);
}

#line 10 "least.k"
extern "C" __global__ void absolute(const signed char *a, long long a_0, const short *b,
        long long b_0, const int *c, long long c_0, const long long *d, long long d_0,
        long long *out, long long out_0, long long out_1)
{
#line 11 "least.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = floor_div_i64(wrapping_abs_i8(a[t]), 3);
    out[out_1 + t] = floor_div_i64(wrapping_abs_i16(b[t]), 3);
    out[2 * out_1 + t] = floor_div_i64(wrapping_abs_i32(c[t]), 3);
    out[3 * out_1 + t] = floor_div_i64(wrapping_abs_i64(d[t]), 3);
    out[4 * out_1 + t] = floor_div_i64(c[t] >= 0 ? c[t] : negated_i32(c[t]), 3);
    out[5 * out_1 + t] = floor_div_i64(max_i64(d[t],
            (long long)(0 - (unsigned long long)hidden_i64(d[t]))), 3);
#line 18 "least.k"
    out[6 * out_1 + t] = floor_mod_i64(d[t] > 0 ? d[t] :
            (long long)(0 - (unsigned long long)hidden_i64(d[t])), 7);
#line 19 "least.k"
    out[7 * out_1 + t] = floor_div_i64(abs_i64((long long)a[t] - b[t]), 3);
    out[8 * out_1 + t] = (int)hidden_i64(negated_i32(c[t])) < 5;
    long long wide = c[t];
    out[9 * out_1 + t] = floor_div_i64((int)hidden_i64(wide < 0 ?
            (long long)(0 - (unsigned long long)hidden_i64(wide)) : wide), 3);
#line 23 "least.k"
    out[10 * out_1 + t] = floor_div_i64((int)hidden_i64(abs_i64(c[t])), 3);
    if (wide < 0)
        wide = (long long)(0 - (unsigned long long)hidden_i64(wide));
    out[11 * out_1 + t] = floor_div_i64((int)hidden_i64(wide), 3);
    long long least = d[t];
    if (least < 0)
        least = (long long)(0 - (unsigned long long)hidden_i64(least));
    out[12 * out_1 + t] = floor_div_i64(least, 3);
}

== of_16_bits ==
#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline int hidden_i32(int number)
{
    asm("" : "+r"(number));
    return number;
}

/* The low bits of a result. LLVM makes neg.s16 of what it sees to need no more, and ptxas 13.0
** takes the neg.s16 of -32768 for 32768 in what follows, as where a sign of 8 bits is spread. */
static __device__ inline short cut_i16(int result)
{
    return (short)hidden_i32(result);
}

/* The low bits of a result. LLVM makes neg.s16 of what it sees to need no more, and ptxas 13.0
** takes the neg.s16 of -32768 for 32768 in what follows, as where a sign of 8 bits is spread. */
static __device__ inline unsigned short cut_u16(int result)
{
    return (unsigned short)hidden_i32(result);
}

/* -x, computed in 64 bits: ptxas 13.0 then has nothing to make a sign of an operand of. */
static __device__ inline int negated_i32(int x)
{
    int result;

    asm("{ .reg .s64 wide; cvt.s64.s32 wide, %1; neg.s64 wide, wide; cvt.u32.u64 %0, wide; }"
        : "=r"(result)
        : "r"(x));
    return result;
}

#line 36 "least.k"
extern "C" __global__ void of_16_bits(const unsigned short *a, long long a_0,
        const unsigned short *b, long long b_0, long long *out, long long out_0, long long out_1)
{
#line 37 "least.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = cut_u16((unsigned long long)a[t] + b[t]) == 0;
    out[out_1 + t] = !(cut_u16((unsigned long long)a[t] + b[t]) != 0);
    out[2 * out_1 + t] = cut_i16(cut_i16(negated_i32((short)a[t]))) < 0;
    out[3 * out_1 + t] = (long long)cut_i16((long long)(short)a[t] * -1) >> 3;
}

== step ==
#line 1 "kjit prelude"
#line 46 "least.k"
extern "C" __global__ void step(const long long *last, long long last_0, long long *out,
        long long out_0, long long out_1)
{
#line 47 "least.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long k = -1;
    for (long long _i = 1073741822 - t; _i > 0; _i -= 2147483648LL) {
        k = _i;
#line 50 "least.k"
        out[t] = (long long)((unsigned long long)out[t] + k);
    }
#line 51 "least.k"
    out[out_1 + t] = (long long)((unsigned long long)last[t] + k);
}

