== written_or_read ==
#line 1 "kjit prelude"
/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline int wrap_int(int i, int n)
{
    return i < 0 ? i + n : i;
}

#line 8 "written_or_read.k"
extern "C" __global__ void written_or_read(const float *x, int x_0, float *out, int out_0,
        float *first, int first_0, long long n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#line 11 "written_or_read.k"
    out[i] = (float)(x[i] * 2.0);
    __syncthreads();
    first[i] = (int)n > 5 ? out[wrap_int(31 - i, out_0)] : x[wrap_int(31 - i, x_0)];
}

== row_or_read ==
#line 1 "kjit prelude"
/* a // b as Python has it. */
static __device__ inline double floor_div_f64(double a, double b)
{
    double mod = fmod(a, b), quotient = (a - mod) / b, floored;

    if (b == 0)
        return a / b;
    if (mod != 0 && (b < 0) != (mod < 0))
        quotient -= 1;
    if (quotient == 0)
        return copysign((double)0, a / b);
    floored = floor(quotient);
    return quotient - floored > (double)0.5 ? floored + 1 : floored;
}

/* A value at a multiple of 8 bytes, which the compiler joins with its neighbours. */
typedef struct __align__(8) at8_f32 {
    float value;
} at8_f32;

static __device__ inline void store_at8_f32(float *to, float value)
{
    ((at8_f32 *)to)->value = value;
}

#line 19 "written_or_read.k"
extern "C" __global__ void __launch_bounds__(32) row_or_read(const float *x, int x_0, float *out,
        int out_0, int out_1, float *first, int first_0, long long _threads_x)
{
    if ((int)(blockIdx.x * blockDim.x + threadIdx.x) < (int)_threads_x) {
#line 21 "written_or_read.k"
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        store_at8_f32(&out[i * 2], (float)floor_div_f64((double)x[i], 2.0));
        out[i * 2 + 1] = (float)(x[i] + 1.0);
        float found = x[63];
        for (int k = 0; k < 2; k++) {
            if (out[i * 2 + k] > 7.0) {
                found = out[i * 2 + k];
                break;
            }
        }
#line 29 "written_or_read.k"
        first[i] = found;
    }
}

