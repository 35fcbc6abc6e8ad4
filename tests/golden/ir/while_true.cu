#line 1 "kjit prelude"
#line 3 "while_true.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long j = 0;
    while (true) {
        j++;
        if (j > i)
            break;
    }
#line 10 "while_true.k"
    out[i] = j;
}

