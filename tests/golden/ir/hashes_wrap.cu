#line 1 "kjit prelude"
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

#line 9 "hashes_wrap.k"
extern "C" __global__ void k(const unsigned int *s, long long s_0, const unsigned char *x,
        long long x_0, const unsigned char *text, long long text_0, long long *out,
        long long out_0, double *far, long long far_0)
{
#line 10 "hashes_wrap.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = floor_mod_i64((long long)((unsigned long long)s[t] * 6364136223846793005LL), 1000);
    out[t + 3] = floor_div_i64((long long)((unsigned long long)x[t] * 4611686018427387903LL), 10);
    far[t] = (unsigned long long)(long long)((unsigned long long)x[t] * 4611686018427387903LL);
    long long h = 5381;
    for (long long i = 0; i < text_0 - t; i++)
        h = (long long)((unsigned long long)(long long)((unsigned long long)h * 33) + text[i]);
    out[t + 6] = floor_mod_i64(h, 1009);
}

