#line 1 "kjit prelude"
#line 3 "effects_keep_their_order.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
#line 6 "effects_keep_their_order.k"
        float _t_2 = out[0];
#line 6 "effects_keep_their_order.k"
        float _t = atomicAdd(&out[0], 5.0f);
#line 6 "effects_keep_their_order.k"
        float y = _t_2 + _t + out[0];
        out[1] = y;
    }
}

