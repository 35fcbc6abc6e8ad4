#line 1 "kjit prelude"
#line 3 "break_leaves_its_type.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    double y_2 = 0.0;
#line 6 "break_leaves_its_type.k"
    for (long long j = 0; j < 8; j++) {
        if (x[j] > 2.0) {
            y_2 = 0.5;
            break;
        }
        long long y_3 = j;
#line 6 "break_leaves_its_type.k"
        y_2 = y_3;
    }



    out[i] = (float)y_2;
}

