#line 1 "kjit prelude"
#line 4 "negative_numbers_as_unsigned.k"
extern "C" __global__ void k(const int *x, long long x_0, long long *out, long long out_0)
{
#line 5 "negative_numbers_as_unsigned.k"
    out[0] = (long long)((unsigned long long)(unsigned int)x[0] * (unsigned int)x[0]);
    out[1] = (long long)((unsigned long long)(long long)~(unsigned int)((long long)x[0] & 7) *
            (unsigned int)x[0]);
}

