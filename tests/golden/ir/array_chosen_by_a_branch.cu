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

#line 3 "array_chosen_by_a_branch.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    array_f32_1 s;
#line 5 "array_chosen_by_a_branch.k"
    if (i % 2 == 0)
        s = make_array_f32_1(x, x_0, 4);
    else
#line 5 "array_chosen_by_a_branch.k"
        s = make_array_f32_1(out, out_0, 4);



    out[i] = (float)(s.data[i] + 1.0);
}

