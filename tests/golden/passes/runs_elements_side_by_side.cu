#line 1 "kjit prelude"
static __device__ inline int lane_id()
{
    int lane;

    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

/* Adds the lane's value to its element. Of lanes side by side that name the same one the first adds
** what all of them have; where most name one of their own, each adds its own. */
static __device__ inline void atomic_add_runs_f32(float *address, float value)
{
    if (__activemask() == ~0u) {
        const int lane = lane_id();
        const unsigned long long at = (unsigned long long)address;
        const bool differs = __shfl_up_sync(~0u, at, 1) != at;
        const unsigned int begins = __ballot_sync(~0u, differs || lane == 0);
        if (__popc((int)begins) <= 16) {
            const unsigned int behind = lane == 31 ? 0u : begins >> (lane + 1);
            const int end = behind != 0 ? lane + __ffs((int)behind) : 32;
            #pragma unroll
            for (int d = 1; d < 32; d *= 2) {
                const float other = __shfl_down_sync(~0u, value, d);
                if (lane + d < end)
                    value += other;
            }
            if ((begins >> lane & 1) == 0)
                return;
        }
    }
    atomicAdd(address, value);
}

/* Adds the lane's values to its elements. Where those of each lane lie side by side, a warp's go
** there item by item, so that neighbours in memory are neighbours among the lanes; but where most
** lanes name the elements of the lane before them. */
template <int N> static __device__ inline void atomic_add_group_f32(float *const (&at)[N], const float (&value)[N])
{
    bool beside = true;
    #pragma unroll
    for (int k = 1; k < N; k++)
        beside &= at[k] == at[0] + k;
    if (__activemask() == ~0u && __all_sync(~0u, beside)) {
        const int lane = lane_id();
        const unsigned long long first = (unsigned long long)at[0];
        const bool differs = __shfl_up_sync(~0u, first, 1) != first;
        if (__popc((int)__ballot_sync(~0u, differs || lane == 0)) > 16) {
            #pragma unroll
            for (int k = 0; k < N; k++) {
                const int item = k * 32 + lane, from = item / N, part = item % N;
                float *const element = (float *)__shfl_sync(~0u, first, from) + part;
                float mine = 0;
                #pragma unroll
                for (int j = 0; j < N; j++) {
                    const float other = __shfl_sync(~0u, value[j], from);
                    mine = j == part ? other : mine;
                }
                atomicAdd(element, mine);
            }
            return;
        }
    }
    #pragma unroll
    for (int k = 0; k < N; k++)
        atomic_add_runs_f32(at[k], value[k]);
}

/* Adds the lane's value to its element. Of lanes side by side that name the same one the first adds
** what all of them have; where most name one of their own, each adds its own. */
static __device__ inline void atomic_add_runs_f64(double *address, double value)
{
    if (__activemask() == ~0u) {
        const int lane = lane_id();
        const unsigned long long at = (unsigned long long)address;
        const bool differs = __shfl_up_sync(~0u, at, 1) != at;
        const unsigned int begins = __ballot_sync(~0u, differs || lane == 0);
        if (__popc((int)begins) <= 16) {
            const unsigned int behind = lane == 31 ? 0u : begins >> (lane + 1);
            const int end = behind != 0 ? lane + __ffs((int)behind) : 32;
            #pragma unroll
            for (int d = 1; d < 32; d *= 2) {
                const double other = __shfl_down_sync(~0u, value, d);
                if (lane + d < end)
                    value += other;
            }
            if ((begins >> lane & 1) == 0)
                return;
        }
    }
    atomicAdd(address, value);
}

/* Adds the lane's values to its elements. Where those of each lane lie side by side, a warp's go
** there item by item, so that neighbours in memory are neighbours among the lanes; but where most
** lanes name the elements of the lane before them. */
template <int N> static __device__ inline void atomic_add_group_f64(double *const (&at)[N], const double (&value)[N])
{
    bool beside = true;
    #pragma unroll
    for (int k = 1; k < N; k++)
        beside &= at[k] == at[0] + k;
    if (__activemask() == ~0u && __all_sync(~0u, beside)) {
        const int lane = lane_id();
        const unsigned long long first = (unsigned long long)at[0];
        const bool differs = __shfl_up_sync(~0u, first, 1) != first;
        if (__popc((int)__ballot_sync(~0u, differs || lane == 0)) > 16) {
            #pragma unroll
            for (int k = 0; k < N; k++) {
                const int item = k * 32 + lane, from = item / N, part = item % N;
                double *const element = (double *)__shfl_sync(~0u, first, from) + part;
                double mine = 0;
                #pragma unroll
                for (int j = 0; j < N; j++) {
                    const double other = __shfl_sync(~0u, value[j], from);
                    mine = j == part ? other : mine;
                }
                atomicAdd(element, mine);
            }
            return;
        }
    }
    #pragma unroll
    for (int k = 0; k < N; k++)
        atomic_add_runs_f64(at[k], value[k]);
}

/* Adds the lane's value to its element. Of lanes side by side that name the same one the first adds
** what all of them have; where most name one of their own, each adds its own. */
static __device__ inline void atomic_add_runs_u32(unsigned int *address, unsigned int value)
{
    if (__activemask() == ~0u) {
        const int lane = lane_id();
        const unsigned long long at = (unsigned long long)address;
        const bool differs = __shfl_up_sync(~0u, at, 1) != at;
        const unsigned int begins = __ballot_sync(~0u, differs || lane == 0);
        if (__popc((int)begins) <= 16) {
            const unsigned int behind = lane == 31 ? 0u : begins >> (lane + 1);
            const int end = behind != 0 ? lane + __ffs((int)behind) : 32;
            #pragma unroll
            for (int d = 1; d < 32; d *= 2) {
                const unsigned int other = __shfl_down_sync(~0u, value, d);
                if (lane + d < end)
                    value += other;
            }
            if ((begins >> lane & 1) == 0)
                return;
        }
    }
    atomicAdd(address, value);
}

static __device__ inline void atomic_add_runs_i32(int *address, int value)
{
    atomic_add_runs_u32((unsigned int *)address, (unsigned int)value);
}

/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

#line 3 "runs_elements_side_by_side.ir"
extern "C" __global__ void k(const int *at, long long at_0, float *force, long long force_0,
        double *grid, long long grid_0, long long grid_1, int *count, long long count_0,
        float *six, long long six_0, float *gap, long long gap_0)
{
#line 4 "runs_elements_side_by_side.ir"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long v = at[i];
    float f = at[i + 1];

    atomic_add_group_f32<3>({ &force[wrap(v * 3, force_0)], &force[wrap(v * 3 + 1, force_0)],
            &force[wrap(v * 3 + 2, force_0)] }, { -(f * f), f, f + 1.0f });


    atomic_add_group_f64<2>({ &grid[wrap(v, grid_0) * grid_1 + wrap(v, grid_1)],
            &grid[wrap(v, grid_0) * grid_1 + wrap(v + 1, grid_1)] }, { 1.0, 2.0 });
    atomic_add_group_f64<2>({ &grid[wrap(v + 1, grid_0) * grid_1 + wrap(v, grid_1)],
            &grid[wrap(v + 1, grid_0) * grid_1 + wrap(v + 1, grid_1)] }, { 3.0, 4.0 });

    atomic_add_runs_i32(&count[wrap(v, count_0)], 1);
    atomic_add_runs_i32(&count[wrap(v + 1, count_0)], 2);

    atomic_add_group_f32<4>({ &six[wrap(v, six_0)], &six[wrap(v + 1, six_0)],
            &six[wrap(v + 2, six_0)], &six[wrap(v + 3, six_0)] }, { f, f, f, f });
    atomic_add_group_f32<2>({ &six[wrap(v + 4, six_0)], &six[wrap(v + 5, six_0)] }, { f, f });
#line 27 "runs_elements_side_by_side.ir"
    atomic_add_runs_f32(&gap[wrap(v, gap_0)], f);
    atomic_add_runs_f32(&gap[wrap(v + 2, gap_0)], f);
    atomic_add_runs_f32(&gap[wrap(v + v, gap_0)], f);
}

