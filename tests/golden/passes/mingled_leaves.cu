#line 1 "kjit prelude"
#line 2 "mingled_leaves.ir"
extern "C" __global__ void k(const float *x, long long x_0, const double *z, long long z_0,
        float *out, long long out_0, bool c)
{
#line 3 "mingled_leaves.ir"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 1.0f;
    for (long long k_2 = 0; k_2 < 4; k_2++) {
        if (out[k_2] < 1.0f) {
            out[i] = out[k_2 + 1];
            break;
        }
#line 9 "mingled_leaves.ir"
        out[k_2] = x[k_2];
    }
}

