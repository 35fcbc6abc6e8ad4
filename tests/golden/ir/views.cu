#line 1 "kjit prelude"
/* The element `offset` bytes behind the first. */
static __device__ inline long long *element_i64(const void *base, long long offset)
{
    return (long long *)((char *)base + offset);
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

typedef struct array_i64_1 {
    long long *data;
    long long shape[1], strides[1];
} array_i64_1;

static __device__ inline array_i64_1 make_array_i64_1(const void *data, long long n0, long long s0)
{
    array_i64_1 made = { (long long *)data, { n0 }, { s0 } };

    return made;
}

#line 3 "views.k"
extern "C" __global__ void k(const long long *a, long long a_0, long long a_1, double *out,
        long long out_0)
{
#line 4 "views.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    array_i64_1 row = make_array_i64_1(&a[i * a_1], a_1, 8);
    long long _start = min_i64(1, row.shape[0]);
    long long _count = max_i64(floor_div_i64(row.shape[0] - _start + 1, 2), 0);
#line 6 "views.k"
    array_i64_1 odd = make_array_i64_1(&row.data[_start], _count, row.strides[0] * 2);
    long long _start_2 = row.shape[0] - 1;
    long long _count_2 = max_i64(floor_div_i64(-1 - _start_2, -1), 0);
#line 7 "views.k"
    array_i64_1 back = make_array_i64_1(&row.data[_start_2], _count_2,
            hidden_i64(row.strides[0] * -1));
    long long _start_4 = min_i64(2, a_1);
#line 8 "views.k"
    long long _count_4 = max_i64(a_1 - _start_4, 0);
#line 8 "views.k"
    out[i] = (long long)((unsigned long long)(long long)((unsigned long long)(long long)((unsigned long long)(long long)((unsigned long long)*element_i64(odd.data, 0) * 100) + *element_i64(back.data, 0)) + odd.shape[0] * 10000) + _count_4);
}

