== k ==
#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline double hidden_f64(double number)
{
    asm("" : "+d"(number));
    return number;
}

#line 6 "zeros_of_integers.k"
static __device__ double less(double a, double b)
{
    return hidden_f64(b) < a ? b : a;
}


extern "C" __global__ void k(const double *x, long long x_0, const double *h, long long h_0,
        const int *n, long long n_0, double *out, long long out_0, long long out_1)
{
#line 13 "zeros_of_integers.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    double _first = n[t];
#line 14 "zeros_of_integers.k"
    double _other = x[t];
#line 14 "zeros_of_integers.k"
    out[t * out_1] = _other < hidden_f64(_first) ? _other : _first;
    double _first_2 = x[t];
#line 15 "zeros_of_integers.k"
    double _other_2 = n[t];
#line 15 "zeros_of_integers.k"
    out[t * out_1 + 1] = hidden_f64(_other_2) > _first_2 ? _other_2 : _first_2;
    out[t * out_1 + 2] = less(n[t], x[t]);
    double count = (long long)n[t] * 2;
    if (x[t] < hidden_f64(count))
        count = x[t];
    out[t * out_1 + 3] = count;
    double below = 0.0;
    for (long long i = 0; i < 2; i++) {
        if (x[t] < hidden_f64(below))
            below = x[t];
    }
#line 25 "zeros_of_integers.k"
    out[t * out_1 + 4] = below;
    out[t * out_1 + 5] = fmin(x[t], h[t]);
    out[t * out_1 + 6] = fmin(h[t], x[t]);
    out[t * out_1 + 7] = fmax(x[t], h[t]);
    out[t * out_1 + 8] = fmax(h[t], x[t]);
}

== signs ==
#line 1 "kjit prelude"
/* Truncated, and held at the ends of the range; NaN gives 0. */
static __device__ inline int i32_from_f64(double x)
{
    return x != x ? 0 : __double2int_rz(x);
}

static __device__ inline signed char i8_from_f64(double x)
{
    int i = i32_from_f64(x);

    return (signed char)(i < -128 ? -128 : i > 127 ? 127 : i);
}

#line 34 "zeros_of_integers.k"
extern "C" __global__ void signs(const float *x, long long x_0, const float *h, long long h_0,
        signed char *signs_2, long long signs_2_0, long long signs_2_1)
{
#line 35 "zeros_of_integers.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    signs_2[t * signs_2_1] = i8_from_f64(copysign(1.0, (double)fminf(x[t], h[t])));
    signs_2[t * signs_2_1 + 1] = i8_from_f64(copysign(1.0, (double)fmaxf(x[t], h[t])));
    signs_2[t * signs_2_1 + 2] = i8_from_f64(copysign(1.0, (double)fminf(h[t], x[t])));
    signs_2[t * signs_2_1 + 3] = i8_from_f64(copysign(1.0, (double)fmaxf(h[t], x[t])));
}

