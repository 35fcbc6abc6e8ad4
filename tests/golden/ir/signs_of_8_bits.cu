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
static __device__ inline signed char cut_i8(int result)
{
    return (signed char)hidden_i32(result);
}

#line 7 "signs_of_8_bits.k"
extern "C" __global__ void k(const int *a, long long a_0, unsigned short *wide, long long wide_0,
        short *signed_, long long signed__0, int *more, long long more_0)
{
#line 8 "signs_of_8_bits.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    wide[t] = (unsigned short)cut_i8(255LL * a[t] + 255LL * a[t]);
    signed_[t] = cut_i8((long long)a[t] * -2);
    more[t] = (int)((long long)cut_i8((long long)a[t] * 254) -
            cut_i8((long long)cut_i16(a[t]) * -2));
}

