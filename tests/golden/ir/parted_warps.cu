== halves ==
#line 1 "kjit prelude"
/* __syncthreads() for warps whose lanes may have parted: a barrier that is not `aligned`. */
static __device__ inline void block_sync()
{
    asm volatile("barrier.sync 0;" ::: "memory");
}

/* __syncthreads_and() for such warps. */
static __device__ inline int block_sync_and(int predicate)
{
    int all;

    asm volatile("{ .reg .pred own, all; setp.ne.s32 own, %1, 0;"
                 " barrier.red.and.pred all, 0, own; selp.s32 %0, 1, 0, all; }"
                 : "=r"(all)
                 : "r"(predicate)
                 : "memory");
    return all;
}

/* __syncthreads_count() for such warps. */
static __device__ inline int block_sync_count(int predicate)
{
    int count;

    asm volatile("{ .reg .pred own; setp.ne.s32 own, %1, 0;"
                 " barrier.red.popc.u32 %0, 0, own; }"
                 : "=r"(count)
                 : "r"(predicate)
                 : "memory");
    return count;
}

/* __syncthreads_or() for such warps. */
static __device__ inline int block_sync_or(int predicate)
{
    int any;

    asm volatile("{ .reg .pred own, any; setp.ne.s32 own, %1, 0;"
                 " barrier.red.or.pred any, 0, own; selp.s32 %0, 1, 0, any; }"
                 : "=r"(any)
                 : "r"(predicate)
                 : "memory");
    return any;
}

#line 7 "parted_warps.k"
extern "C" __global__ void halves(const float *x, long long x_0, int *parity, long long parity_0,
        float *y, long long y_0)
{
    __shared__ float pool[64];
#line 9 "parted_warps.k"
    int t = threadIdx.x;
    int mask = (int)__match_any_sync(0xffffffffu, (long long)(t & 1));
    int votes = (int)__ballot_sync((unsigned int)mask, x[t] > 40.0);
    pool[t] = x[t];
    int more = block_sync_count(votes != 0);
    int _t_4 = block_sync_and(t < 64);
#line 14 "parted_warps.k"
    int _t_5 = block_sync_or(t > 64);
#line 14 "parted_warps.k"
    parity[t] = (int)((long long)more + _t_4 + _t_5);
    block_sync();
    y[t] = pool[((long long)t + 6) % 64];
}

== whole ==
#line 1 "kjit prelude"
#line 22 "parted_warps.k"
extern "C" __global__ void whole(const float *x, long long x_0, float *y, long long y_0)
{
    __shared__ float pool[64];
    int t = threadIdx.x;
#line 25 "parted_warps.k"
    float _t = __shfl_xor_sync(0xffffffffu, x[t], 1);
#line 25 "parted_warps.k"
    pool[t] = _t;
    __syncwarp(0xffffffffu);
    __syncthreads();
    y[t] = pool[((long long)t + 6) % 64];
}

