#line 1 "kjit prelude"
/* a // b, rounded down; 0 where C has no answer. */
static __device__ inline int floor_div_i32(int a, int b)
{
    int quotient;

    if (b == 0)
        return 0;
    if (b == -1) {
        quotient = (int)(0 - (unsigned int)a);
        return quotient == a ? 0 : quotient;
    }
    quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

#line 3 "cuda_quotients.ir"
extern "C" __global__ void k(const int *x, int x_0, int *y, int y_0, long long w, long long h,
        long long s)
{
#line 4 "cuda_quotients.ir"
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < y_0 && (int)s != 0) {
        int a = (int)((unsigned int)i % (unsigned int)w);
        int b = (int)((unsigned int)i / (unsigned int)w % (unsigned int)h);
        int c = (int)((unsigned int)i / (unsigned int)w / (unsigned int)h);
        int d = (int)((unsigned int)i /
                (unsigned int)((int)w + (int)((unsigned int)i / (unsigned int)h)));
#line 10 "cuda_quotients.ir"
        y[i] = x[(c * (int)h + b) * (int)w + (a + d)];
        y[i / 12] = i % 7;
        y[i] = floor_div_i32(x[i], (int)w);
        y[i] = floor_div_i32(i, (int)s);
    }
}

