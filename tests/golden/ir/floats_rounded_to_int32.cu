#line 1 "kjit prelude"
/* The integer below or above, held at the ends of the range; NaN gives 0. */
static __device__ inline int i32_ceil_f32(float x)
{
    return __float2int_ru(x);
}

/* The integer below or above, held at the ends of the range; NaN gives 0. */
static __device__ inline int i32_ceil_f64(double x)
{
    return x != x ? 0 : __double2int_ru(x);
}

/* The integer below or above, held at the ends of the range; NaN gives 0. */
static __device__ inline int i32_floor_f32(float x)
{
    return __float2int_rd(x);
}

/* The integer below or above, held at the ends of the range; NaN gives 0. */
static __device__ inline int i32_floor_f64(double x)
{
    return x != x ? 0 : __double2int_rd(x);
}

/* Truncated, and held at the ends of the range; NaN gives 0. */
static __device__ inline long long i64_from_f32(float x)
{
    return x != x ? 0 : __float2ll_rz(x);
}

#line 10 "floats_rounded_to_int32.k"
extern "C" __global__ void near(const float *x, long long x_0, const double *y, long long y_0,
        int *low, long long low_0, long long low_1, long long *far, long long far_0)
{
#line 11 "floats_rounded_to_int32.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    low[i] = i32_floor_f32(x[i]);
    low[low_1 + i] = i32_ceil_f32(x[i]);
    low[2 * low_1 + i] = i32_floor_f64(y[i]);
    low[3 * low_1 + i] = i32_ceil_f64(y[i]);
    far[i] = i64_from_f32(floorf(x[i]));
}

