#line 1 "kjit prelude"
#line 3 "names_that_c_reserves.k"
extern "C" __global__ void k(const float *x, long long x_0, double *out, long long out_0,
        long long default_)
{
#line 4 "names_that_c_reserves.k"
    long long int_ = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    float float_ = x[int_];
    double register_ = float_ + 1.0;
    double threadIdx_ = register_ * 2.0;
    out[int_] = threadIdx_ + default_;
}

