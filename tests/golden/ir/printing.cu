#line 1 "kjit prelude"
#line 3 "printing.k"
extern "C" __global__ void k(float *x, long long x_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 1) {
#line 6 "printing.k"
        printf("i is %lld %f %s (%lld, %f)\n", (long long)i, (double)x[i], (i > 0) ? "True" :
                "False", (long long)1, (double)2.5);
    }
#line 7 "printing.k"
    x[i] = (float)(x[i] + 1.0);
}

