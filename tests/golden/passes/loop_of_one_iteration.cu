#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline int hidden_i32(int number)
{
    asm("" : "+r"(number));
    return number;
}

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

#line 2 "loop_of_one_iteration.ir"
extern "C" __global__ void k(const int *a, long long a_0, long long *out, long long out_0,
        long long s, long long n, int m)
{
#line 3 "loop_of_one_iteration.ir"
    long long u = 0;
    long long v = 0;
    for (long long k_2 = hidden_i64(0); k_2 < n; k_2++) {
        if (k_2 == s) {
            if (a[k_2] > 1)
                u += a[k_2];
            v += a[k_2];
        }
    }
#line 10 "loop_of_one_iteration.ir"
    for (long long first = hidden_i64(0); first < n; first++) {
        if (first > 0)
            continue;
        u += s > 1 ? 5 : a[first];
        v += 2;
    }
    for (int short_ = hidden_i32(0); short_ < m; short_++) {
        if (short_ != (int)s)
            v += 3;
        else if (a[wrap(s, a_0)] > 1)
            u += 2;
    }
    long long low = 0;
    for (long long named = hidden_i64(low); named < n; named++) {
        if (named == s) {
#line 24 "loop_of_one_iteration.ir"
            if (a[named] > 1)
                u += 2;
            v += 3;
        }
    }
#line 27 "loop_of_one_iteration.ir"
    for (long long later = 1; later < n; later++) {
        if (later == s) {
            if (a[later] > 1)
                u += 2;
            v += 3;
        }
    }
#line 32 "loop_of_one_iteration.ir"
    for (long long known = 0; known < 100; known++) {
        if (known == s) {
            if (a[known] > 1)
                u += 2;
            v += 3;
        }
    }
#line 37 "loop_of_one_iteration.ir"
    for (long long plain = 0; plain < n; plain++) {
        if (plain == s)
            v += 3;
    }
    for (long long outer = 0; outer < n; outer++) {
        if (outer == s) {
#line 42 "loop_of_one_iteration.ir"
            if (a[outer] > 1)
                u += 2;
            for (long long inner = 0; inner < n; inner++)
                v += 3;
        }
    }
#line 46 "loop_of_one_iteration.ir"
    out[0] = u;
    out[1] = v;
}

