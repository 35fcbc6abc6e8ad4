#line 1 "kjit prelude"
/* What stands behind each barrier that is not `aligned`. Without optimisation ptxas 13.0 does not
** unite a warp at such a barrier in a function of its own: its lanes went on apart, and passed the
** next barrier too early or waited there for ever. (nvrtc.c defines KJIT_UNOPTIMISED.) */
static __device__ inline void reunited()
{
#ifdef KJIT_UNOPTIMISED
    __syncwarp();
#endif
}

/* __syncthreads() for warps whose lanes may have parted: a barrier that is not `aligned`. */
static __device__ inline void block_sync()
{
    asm volatile("barrier.sync 0;" ::: "memory");
    reunited();
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
    reunited();
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
    reunited();
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
    reunited();
    return any;
}

static __device__ inline long long differing_i64(long long a, long long b)
{
    long long bits;

    asm("xor.b64 %0, %1, %2;" : "=l"(bits) : "l"(a), "l"(b));
    return bits;
}

/* What a vote or match found, which lies in its mask: to ptxas, a result that is used. For sm_90
** on, ptxas 13.0 lets the lanes of each mask pass alone (WARPSYNC.EXCLUSIVE), and unites the warp
** behind only if it has not dropped the vote or match itself. */
static __device__ inline int needed(unsigned int mask, int found)
{
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p nanosleep.u32 0; }"
                 :
                 : "r"((unsigned int)found & ~mask));
    return found;
}

template <typename T>
static __device__ inline int match_any_some(unsigned int mask, T sent)
{
    return needed(mask, (int)__match_any_sync(mask, sent));
}

#line 5 "parted_warps_unoptimised.k"
static __device__ void meet()
{
#line 6 "parted_warps_unoptimised.k"
    block_sync();
}




extern "C" __global__ void rounds(const int *x, long long x_0, int *y, long long y_0, int *late,
        long long late_0)
{
    __shared__ int pool[64];
#line 14 "parted_warps_unoptimised.k"
    int t = threadIdx.x;
    int mask = match_any_some(0xffffffffu, ((long long)t >> 2) & 1);
    for (long long turn = 0; turn < 20; turn++) {
        long long seen = 0;
        for (long long i = 0; i < ((((long long)t >> 2) & 1) != 0 ? 2 : 4); i++) {
            int _t_2 = __shfl_sync((unsigned int)mask, x[t], (int)((t & 4) + i % 4));
            seen += _t_2;
        }
#line 20 "parted_warps_unoptimised.k"
        block_sync();
        for (long long i_2 = 0; i_2 < t * turn % 7; i_2++)
            seen += i_2;
        pool[t] = (int)(turn * 64 + t);
        meet();
        long long there = ((long long)t + 61) % 64;
        late[t] = (int)((long long)late[t] + (differing_i64(pool[there], turn * 64 + there) != 0));
        int _t_5 = y[t];
#line 27 "parted_warps_unoptimised.k"
        int _t_3 = block_sync_count(seen != 0);
#line 27 "parted_warps_unoptimised.k"
        int _t_4 = block_sync_and(seen >= 0);
#line 27 "parted_warps_unoptimised.k"
        y[t] = (int)(_t_5 + ((long long)_t_3 + _t_4));
        for (long long i_3 = 0; i_3 < (t + turn) % 5; i_3++)
            seen += i_3;
        int _t_7 = y[t];
#line 30 "parted_warps_unoptimised.k"
        int _t_6 = block_sync_or(seen < 0);
#line 30 "parted_warps_unoptimised.k"
        y[t] = (int)((long long)_t_7 + _t_6);
    }
}

