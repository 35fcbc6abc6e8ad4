#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

#line 7 "loops_that_are_split.k"
extern "C" __global__ void k(const int *w, long long w_0, const int *n, long long n_0,
        const double *a, long long a_0, const double *b, long long b_0, double *out,
        long long out_0)
{
#line 8 "loops_that_are_split.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    int last = w[t];
    double s = 0.0;
    for (long long i = 0, i_stop = hidden_i64((long long)n[t] & 1023); i < i_stop; i++) {
        if (i < last && b[3] > 2.0)
            s = a[t];
        else
            s = b[t];
    }
#line 16 "loops_that_are_split.k"
    for (long long j = 0, j_stop = (long long)n[t] & 7; j < j_stop; j++) {
        if (j < t)
            s += 1.0;
    }
#line 19 "loops_that_are_split.k"
    out[t] += s;
}

