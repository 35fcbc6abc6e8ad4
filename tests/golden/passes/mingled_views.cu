#line 1 "kjit prelude"
typedef struct array_f32_1 {
    float *data;
    long long shape[1], strides[1];
} array_f32_1;

static __device__ inline array_f32_1 make_array_f32_1(const void *data, long long n0, long long s0)
{
    array_f32_1 made = { (float *)data, { n0 }, { s0 } };

    return made;
}

#line 2 "mingled_views.ir"
extern "C" __global__ void k(const float *x, long long x_0, const double *z, long long z_0,
        float *out, long long out_0, bool c)
{
#line 3 "mingled_views.ir"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 1.0f;
    array_f32_1 h = c ? make_array_f32_1(x, 8, 4) : make_array_f32_1(out, 8, 4);
    out[i] = h.data[i];
}

