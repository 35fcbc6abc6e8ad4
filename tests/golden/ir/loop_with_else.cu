#line 1 "kjit prelude"
/* The same number, of which the compiler then knows nothing. */
static __device__ inline double hidden_f64(double number)
{
    asm("" : "+d"(number));
    return number;
}

/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

#line 3 "loop_with_else.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long j = 0;
#line 5 "loop_with_else.k"
    bool _broke = false;
    for (long long _i = 0; _i < 8; _i++) {
#line 5 "loop_with_else.k"
        j = _i;
        if ((double)x[wrap(j, x_0)] > hidden_f64(i)) {
            _broke = true;
            break;
        }
    }
#line 5 "loop_with_else.k"
    if (!_broke) {



        out[i] = -1.0f;
    }
    while (j > 0)
        j--;
    out[i] = (float)(out[i] + 100.0);
}

