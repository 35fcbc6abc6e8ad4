== local ==
#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

#line 7 "factors.k"
extern "C" __global__ void local(const int *v, long long v_0, int *out, long long out_0,
        long long out_1)
{
    int m[16];
#line 8 "factors.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;

    for (long long i = 0; i < 16; i++)
        m[i] = (int)i;
    long long u = (t & 3) * 3;
    m[hidden_i64(wrap(10 - u, 16))] = v[t];
    for (long long i_2 = 0; i_2 < 4; i_2++)
        out[i_2 * out_1 + t] = (int)((long long)m[3 * i_2 + 1] + m[1 + u] +
                m[wrap(15 - (t & 7), 16)]);
#line 16 "factors.k"
    m[0] = 7;
    m[hidden_i64(wrap(12 - (3 - (t & 3)) * 4, 16))] = v[t];
    out[t] = (int)((long long)out[t] + m[0]);
}

== shared_of_two_axes ==
#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

#line 23 "factors.k"
extern "C" __global__ void shared_of_two_axes(const int *v, long long v_0, int *out,
        long long out_0, long long out_1)
{
    __shared__ int s[64][4];
#line 24 "factors.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;

    for (long long i = 0; i < 4; i++)
        s[t][i] = (int)i;
    s[wrap(63 - (63 - t), 64)][hidden_i64(wrap((t & 1) * -2 + 3, 4))] = v[t];
    for (long long i_2 = 0; i_2 < 4; i_2++)
        out[i_2 * out_1 + t] = s[t][i_2];
}

== backwards ==
#line 1 "kjit prelude"
/* The element `offset` bytes behind the first. */
static __device__ inline int *element_i32(const void *base, long long offset)
{
    return (int *)((char *)base + offset);
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

typedef struct array_i32_1 {
    int *data;
    long long shape[1], strides[1];
} array_i32_1;

static __device__ inline array_i32_1 make_array_i32_1(const void *data, long long n0, long long s0)
{
    array_i32_1 made = { (int *)data, { n0 }, { s0 } };

    return made;
}

typedef struct tuple_array_i32_1_array_i32_1 {
    array_i32_1 _0;
    array_i32_1 _1;
} tuple_array_i32_1_array_i32_1;

static __device__ inline tuple_array_i32_1_array_i32_1 make_tuple_array_i32_1_array_i32_1(array_i32_1 _0, array_i32_1 _1)
{
    tuple_array_i32_1_array_i32_1 made = { _0, _1 };

    return made;
}

#line 35 "factors.k"
extern "C" __global__ void backwards(const int *v, long long v_0, int *out, long long out_0,
        long long out_1)
{
    int m[4][2];
#line 37 "factors.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;

    array_i32_1 column = make_array_i32_1(&m[0][1], 4, 8);
    for (long long i = 0; i < 4; i++)
        *element_i32(column.data, i * column.strides[0]) = (int)i;
    long long _start = column.shape[0] - 1;
    long long _count = max_i64(floor_div_i64(-1 - _start, -1), 0);
#line 42 "factors.k"
    tuple_array_i32_1_array_i32_1 both =
            make_tuple_array_i32_1_array_i32_1(make_array_i32_1(element_i32(column.data,
            _start * column.strides[0]), _count, hidden_i64(column.strides[0] * -1)), column);
#line 43 "factors.k"
    *element_i32(both._0.data, (t & 3) * both._0.strides[0]) = v[t];
    for (long long i_2 = 0; i_2 < 4; i_2++)
        out[i_2 * out_1 + t] = *element_i32(column.data, i_2 * column.strides[0]);
}

== in_other_ways ==
#line 1 "kjit prelude"
/* The element `offset` bytes behind the first. */
static __device__ inline int *element_i32(const void *base, long long offset)
{
    return (int *)((char *)base + offset);
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

static __device__ inline long long min_i64(long long a, long long b)
{
    return b < a ? b : a;
}

/* a // b, rounded down; 0 where C has no answer. What is divided is never negative, ~a in place of
** a where the quotient is: so that 32 bits do where both have no more, which takes a GPU a fraction
** of the instructions. */
static __device__ __noinline__ long long far_div_i64(long long a, long long b)
{
    const bool below = b < 0, turns = below ? a > 0 : a < 0;
    const unsigned long long by = below ? 0 - (unsigned long long)b : b;
    const unsigned long long size = below ? 0 - (unsigned long long)a : a;
    const unsigned long long of = turns ? ~size : size;

    if (b == 0 || (b == -1 && of >> 63))
        return 0;
    const unsigned long long quotient =
        (of | by) >> 32 ? of / by : (unsigned int)of / (unsigned int)by;
    return (long long)(turns ? ~quotient : quotient);
}

/* The same, by a positive number of 32 bits in line. */
static __device__ inline long long wide_div_i64(long long a, long long b)
{
    const long long turns = a >> 63, of = a ^ turns;

    if ((unsigned long long)(of | b) >> 32 == 0 && (unsigned int)b != 0)
        return (long long)((unsigned int)of / (unsigned int)b) ^ turns;
    return far_div_i64(a, b);
}

/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

typedef struct array_i32_1 {
    int *data;
    long long shape[1], strides[1];
} array_i32_1;

static __device__ inline array_i32_1 make_array_i32_1(const void *data, long long n0, long long s0)
{
    array_i32_1 made = { (int *)data, { n0 }, { s0 } };

    return made;
}

#line 50 "factors.k"
extern "C" __global__ void in_other_ways(const int *v, long long v_0, int *out, long long out_0,
        long long out_1)
{
    int m[16];
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long i = 0; i < 16; i++)
        m[i] = (int)i;
    long long u = t & 3;
    long long by = -3;
#line 57 "factors.k"
    long long at = 10;
    m[hidden_i64(wrap(10 - u - u - u, 16))] = v[t];
    m[hidden_i64(wrap(11 + u * by, 16))] = v[t];
    m[hidden_i64(wrap(floor_div_i64(12 - 3 * u, 1), 16))] = v[t];
    for (long long i_2 = 0; i_2 < u; i_2++) {
        at--;
        at -= 2;
    }
#line 64 "factors.k"
    m[hidden_i64(wrap(at, 16))] = v[t];
    long long _start = min_i64(max_i64(13, by > 0 ? 0 : -1), by > 0 ? 16 : 15);
    long long _count = max_i64(wide_div_i64((by > 0 ? 16 : -1) - _start + (by - (by > 0 ? 1 : -1)),
            by), 0);
#line 65 "factors.k"
    array_i32_1 view = make_array_i32_1(&m[_start], _count, hidden_i64(4 * by));
    *element_i32(view.data, u * view.strides[0]) = v[t];
    for (long long i_3 = 0; i_3 < 4; i_3++)
        out[i_3 * out_1 + t] = (int)((long long)m[i_3] + m[4 + i_3] + m[8 + i_3] + m[12 + i_3]);
}

== by_counters ==
#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

static __constant__ const int TABLE[16] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
};

#line 76 "factors.k"
extern "C" __global__ void by_counters(const int *v, long long v_0, long long n, int *out,
        long long out_0, long long out_1)
{
    int m[32];
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long i = 0; i < 32; i++)
        m[i] = (int)i;
    if (t < n) {
        for (long long i_2 = 0; i_2 < 4; i_2++)
            m[hidden_i64(wrap((long long)((unsigned long long)15 +
                    (long long)((unsigned long long)(long long)((unsigned long long)n - t) * i_2)),
                    32))] = v[t];
#line 86 "factors.k"
        for (long long i_3 = n; i_3 < (long long)((unsigned long long)n + 4); i_3++)
            m[wrap((long long)((unsigned long long)(long long)((unsigned long long)n - t) * i_3),
                    32)] = (int)((long long)m[wrap((long long)((unsigned long long)(long long)((unsigned long long)n - t) * i_3), 32)] + v[t]);
        for (long long i_4 = (long long)((unsigned long long)n + 3);
                i_4 > (long long)((unsigned long long)n - 1); i_4--)
#line 89 "factors.k"
            m[hidden_i64(wrap((long long)((unsigned long long)(long long)((unsigned long long)n -
                    t) * i_4), 32))] = (int)((long long)m[hidden_i64(wrap((long long)((unsigned long long)(long long)((unsigned long long)n - t) * i_4), 32))] + v[t]);
    }
    for (long long i_5 = 0; i_5 < 4; i_5++)
#line 92 "factors.k"
        out[i_5 * out_1 + t] = (int)((long long)m[20 + 3 * i_5] + m[i_5] +
                TABLE[wrap(15 - 3 * (t & 3) - i_5, 16)]);
}

