#line 1 "kjit prelude"
#line 3 "break_leaves_its_type.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long y = 0;
    double y_2 = y;
#line 6 "break_leaves_its_type.k"
    for (long long j = 0; j < 8; j++) {
        if (x[j] > 2.0) {
            y_2 = 0.5;
            break;
        }
        y = j;
#line 6 "break_leaves_its_type.k"
        y_2 = y;
    }



    out[i] = (float)y_2;
}

