== halves ==
#line 1 "kjit prelude"
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

/* __ballot_sync() of maybe not all lanes. */
static __device__ inline int ballot_some(unsigned int mask, int predicate)
{
    return needed(mask, (int)__ballot_sync(mask, predicate));
}

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

template <typename T>
static __device__ inline int match_any_some(unsigned int mask, T sent)
{
    return needed(mask, (int)__match_any_sync(mask, sent));
}

#line 7 "parted_warps.k"
extern "C" __global__ void halves(const float *x, long long x_0, int *parity, long long parity_0,
        float *y, long long y_0)
{
    __shared__ float pool[64];
#line 9 "parted_warps.k"
    int t = threadIdx.x;
    int mask = match_any_some(0xffffffffu, (long long)(t & 1));
    int votes = ballot_some((unsigned int)mask, x[t] > 40.0);
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

== unneeded ==
#line 1 "kjit prelude"
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

/* __ballot_sync() of maybe not all lanes. */
static __device__ inline int ballot_some(unsigned int mask, int predicate)
{
    return needed(mask, (int)__ballot_sync(mask, predicate));
}

/* Lanes of the mask that have ended do not count, as in __all_sync(). */
static __device__ inline bool all_some(unsigned int mask, int predicate)
{
    return ballot_some(mask, !predicate) == 0;
}

static __device__ inline bool any_some(unsigned int mask, int predicate)
{
    return ballot_some(mask, predicate) != 0;
}

/* The same number, of which the compiler then knows nothing. */
static __device__ inline int hidden_i32(int number)
{
    asm("" : "+r"(number));
    return number;
}

/* The low bits of a result. LLVM makes neg.s16 of what it sees to need no more, and ptxas 13.0
** takes the neg.s16 of -32768 for 32768 in what follows, as where a sign of 8 bits is spread. */
static __device__ inline short cut_i16(int result)
{
    return (short)hidden_i32(result);
}

static __device__ inline bool eq_some(unsigned int mask, int predicate)
{
    const int yes = ballot_some(mask, predicate), no = ballot_some(mask, !predicate);

    return yes == 0 || no == 0;
}

static __device__ inline int lane_id()
{
    int lane;

    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

template <typename T>
static __device__ inline int match_any_some(unsigned int mask, T sent)
{
    return needed(mask, (int)__match_any_sync(mask, sent));
}

#line 23 "parted_warps.k"
extern "C" __global__ void unneeded(const float *x, long long x_0, short *room, long long room_0,
        long long *seen, long long seen_0)
{
#line 24 "parted_warps.k"
    int t = threadIdx.x;
    long long mask = lane_id() < 16 ? 65535LL : 4294901760LL;
    int _t = match_any_some((unsigned int)mask, x[t]);
#line 26 "parted_warps.k"
    int _t_2 = match_any_some((unsigned int)mask, (long long)(t & 1));
    long long votes = (long long)_t + _t_2;
#line 27 "parted_warps.k"
    int _t_3 = ballot_some((unsigned int)mask, x[t] > 40.0);
    votes += _t_3;
#line 28 "parted_warps.k"
    bool _t_4 = any_some((unsigned int)mask, x[t] > 40.0);
#line 28 "parted_warps.k"
    bool _t_5 = all_some((unsigned int)mask, x[t] > 40.0);
    votes += (long long)_t_4 + _t_5;
#line 29 "parted_warps.k"
    bool _t_6 = eq_some((unsigned int)mask, x[t] > 40.0);
    votes += _t_6;
    for (long long i = 0; i < (t & 3); i++)
#line 31 "parted_warps.k"
        room[4LL * t + i] = cut_i16(t);
    if (t < 32)
        __syncwarp(0xffffffffu);
    seen[t] = room[4LL * t];
}

== needed ==
#line 1 "kjit prelude"
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

/* __ballot_sync() of maybe not all lanes. */
static __device__ inline int ballot_some(unsigned int mask, int predicate)
{
    return needed(mask, (int)__ballot_sync(mask, predicate));
}

/* Lanes of the mask that have ended do not count, as in __all_sync(). */
static __device__ inline bool all_some(unsigned int mask, int predicate)
{
    return ballot_some(mask, !predicate) == 0;
}

static __device__ inline bool any_some(unsigned int mask, int predicate)
{
    return ballot_some(mask, predicate) != 0;
}

static __device__ inline bool eq_some(unsigned int mask, int predicate)
{
    const int yes = ballot_some(mask, predicate), no = ballot_some(mask, !predicate);

    return yes == 0 || no == 0;
}

static __device__ inline int lane_id()
{
    int lane;

    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

#line 40 "parted_warps.k"
extern "C" __global__ void needed_(const float *x, long long x_0, int *y, long long y_0)
{
    int t = threadIdx.x;
    long long mask = lane_id() < 16 ? 65535LL : 4294901760LL;
#line 43 "parted_warps.k"
    bool _t = any_some((unsigned int)mask, x[t] > 40.0);
#line 43 "parted_warps.k"
    bool _t_2 = all_some((unsigned int)mask, x[t] > 40.0);
    long long votes = 8LL * _t + 4LL * _t_2;
#line 44 "parted_warps.k"
    bool _t_3 = eq_some((unsigned int)mask, x[t] > 40.0);
#line 44 "parted_warps.k"
    bool _t_4 = eq_some(0xffffffffu, t < 64);
    votes += 2LL * _t_3 + _t_4;
#line 45 "parted_warps.k"
    y[t] = (int)votes;
}

== whole ==
#line 1 "kjit prelude"
#line 51 "parted_warps.k"
extern "C" __global__ void whole(const float *x, long long x_0, float *y, long long y_0)
{
    __shared__ float pool[64];
    int t = threadIdx.x;
#line 54 "parted_warps.k"
    float _t = __shfl_xor_sync(0xffffffffu, x[t], 1);
#line 54 "parted_warps.k"
    pool[t] = _t;
    __syncwarp(0xffffffffu);
    __syncthreads();
    y[t] = pool[((long long)t + 6) % 64];
}

