#line 1 "kjit prelude"
#line 3 "assigned_on_one_path_is_zero_on_the_other.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    double y;
#line 5 "assigned_on_one_path_is_zero_on_the_other.k"
    if (i < 4)
        y = x[i] + 1.0;
    else
#line 5 "assigned_on_one_path_is_zero_on_the_other.k"
        y = 0.0;

    out[i] = (float)y;
}

