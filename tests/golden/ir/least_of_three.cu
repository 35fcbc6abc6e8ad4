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

/* The element `offset` bytes behind the first. */
static __device__ inline int *element_i32(const void *base, long long offset)
{
    return (int *)((char *)base + offset);
}

static __device__ inline int max_i32(int a, int b)
{
    return b > a ? b : a;
}

static __device__ inline long long max_i64(long long a, long long b)
{
    return b > a ? b : a;
}

static __device__ inline int min_i32(int a, int b)
{
    return b < a ? b : a;
}

static __device__ inline long long min_i64(long long a, long long b)
{
    return b < a ? b : a;
}

static __device__ inline unsigned long long min_u64(unsigned long long a, unsigned long long b)
{
    return b < a ? b : a;
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

/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

#line 6 "least_of_three.k"
extern "C" __global__ void k(const int *x, long long x_0, const int *y, long long y_0,
        long long y_s0, const unsigned int *u, long long u_0, const short *s, long long s_0,
        long long *out, long long out_0, long long out_1)
{
#line 7 "least_of_three.k"
    int t = threadIdx.x;
    int a = x[t];
#line 8 "least_of_three.k"
    int b = *element_i32(y, t * y_s0);
#line 8 "least_of_three.k"
    unsigned int c = u[t];
#line 8 "least_of_three.k"
    short h = s[t];
    out[t * out_1] = min_i64(min_i64(a, negated_i32(b)), 2);
    out[t * out_1 + 1] = max_i64(max_i64(negated_i32(a), b), t);
    out[t * out_1 + 2] = min_i64(min_i32(a, b), 0LL - a);
    out[t * out_1 + 3] = max_i64(max_i64(b, (long long)a * -1), -4);
    out[t * out_1 + 4] = (long long)min_u64(min_u64((unsigned int)(0 -
            (unsigned int)hidden_i32(c)), c), 5);
#line 14 "least_of_three.k"
    out[t * out_1 + 5] = max_i64(max_i64(cut_i16(negated_i32(h)), h), s[wrap(7LL - t, s_0)]);
    int least = a;
    long long least_2;
    if (negated_i32(b) < least)
        least_2 = negated_i32(b);
    else
#line 16 "least_of_three.k"
        least_2 = least;

    if (h < least_2) {
        short least_3 = h;
#line 18 "least_of_three.k"
        least_2 = least_3;
    }
    out[t * out_1 + 6] = least_2;
    out[t * out_1 + 7] = min_i64(min_i64(-((long long)a + b), a), b);
    out[t * out_1 + 8] = max_i64(max_i64(~a, negated_i32(b)), a);
    out[t * out_1 + 9] = min_i32(min_i32(a, (int)((long long)~b + 1)), t);
    out[t * out_1 + 10] = max_i32(max_i32(a, (int)(a - ((long long)a + b))), t);
    out[t * out_1 + 11] = max_i32(max_i32((int)(((long long)b ^ -1) - -1), a), t);
}

