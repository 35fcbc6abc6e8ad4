#line 1 "kjit prelude"
/* The bits in which two numbers differ: 0 for equal ones, of which the assembler cannot tell. */
static __device__ inline int differing_i32(int a, int b)
{
    int bits;

    asm("xor.b32 %0, %1, %2;" : "=r"(bits) : "r"(a), "r"(b));
    return bits;
}

static __device__ inline int max_i32(int a, int b)
{
    return b > a ? b : a;
}

static __device__ inline int min_i32(int a, int b)
{
    return b < a ? b : a;
}

#line 2 "cuda_equal_to_what_was_read.ir"
extern "C" __global__ void k(const int *x, long long x_0, const int *z, long long z_0, int *out,
        long long out_0)
{
    int held[4];
    int mixed[4];
    int seen[4];
#line 6 "cuda_equal_to_what_was_read.ir"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long k_2 = 0; k_2 < 4; k_2++) {
        held[k_2] = x[i + k_2];
        mixed[k_2] = x[i + k_2];
        seen[k_2] = held[k_2];
    }
#line 11 "cuda_equal_to_what_was_read.ir"
    mixed[0] = max_i32(min_i32(x[i], 7), 0);
    int a = held[1];

    if (a == 7 || x[i] == 7)
        out[i] = 1;
    if (seen[2] == 7)
        out[i] = 2;

    if (differing_i32(mixed[0], 7) == 0)
        out[i] = 3;
    if (differing_i32(out[i + 1], 7) == 0)
        out[i] = 4;
}

