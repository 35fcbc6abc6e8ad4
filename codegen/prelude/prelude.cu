/* What the CUDA dialect needs beside both.c. NVRTC has the rest built in. Pieces: see
** emit.h. */

/*@ pow f32 = powf */
/*@ pow f64 = pow */

/*@ around i32 */
/* a % b, where -b <= a < b: of a and a + b the less as unsigned numbers, by one instruction where a
** choice is three. */
$fn int around_i32(int a, int b)
{
    return (int)min((unsigned int)a, (unsigned int)a + (unsigned int)b);
}

/*@ KjitFault - */
typedef struct KjitFault {
    unsigned int code, block[3], thread[3];
    long long integers[6];
    double floats[6];
} KjitFault;

/*@ report_fault - : KjitFault.- */
/* Writes down what happened where, unless another thread was first: then it gives false. */
$fn bool report_fault(KjitFault *fault, unsigned int code, uint3 block, uint3 thread)
{
    if (atomicCAS(&fault->code, 0u, code) != 0)
        return false;
    fault->block[0] = block.x;
    fault->block[1] = block.y;
    fault->block[2] = block.z;
    fault->thread[0] = thread.x;
    fault->thread[1] = thread.y;
    fault->thread[2] = thread.z;
    return true;
}

/*@ call_linked - */
/* A linked function as numba calls it: the result goes where the first argument points, and what it
** returns is whether it failed. Its own text says what types it takes. */
template <typename T, typename S, typename R, typename... P, typename... A>
$fn T call_linked(S (*function)(R *, P...), A... arguments)
{
    T result = T();
    function((R *)&result, (P)arguments...);
    return result;
}

/*@ run_linked - */
template <typename S, typename R, typename... P, typename... A>
$fn void run_linked(S (*function)(R *, P...), A... arguments)
{
    long long result = 0;
    function((R *)&result, (P)arguments...);
}

/*@ call_linked_c - */
/* The same as C calls it. */
template <typename T, typename R, typename... P, typename... A>
$fn T call_linked_c(R (*function)(P...), A... arguments)
{
    return (T)function((P)arguments...);
}

/*@ copy_packed - */
/* Byte by byte, which `volatile` keeps so: NVRTC takes packed records in variables for aligned, and
** with them those that they are copied from. */
template <typename T> $fn void copy_packed(T *to, const T *from)
{
    const volatile unsigned char *source = (const volatile unsigned char *)from;
    unsigned char *target = (unsigned char *)to;

    for (unsigned int i = 0; i < sizeof(T); i++)
        target[i] = source[i];
}

/*@ hidden_address - */
/* The same address, of which the compiler then knows nothing. */
$fn void *hidden_address(void *address)
{
    asm("" : "+l"(address));
    return address;
}

/*@ reunited - */
/* What stands behind each barrier that is not `aligned`. Without optimisation ptxas 13.0 does not
** unite a warp at such a barrier in a function of its own: its lanes went on apart, and passed the
** next barrier too early or waited there for ever. (nvrtc.c defines KJIT_UNOPTIMISED.) */
$fn void reunited()
{
#ifdef KJIT_UNOPTIMISED
    __syncwarp();
#endif
}

/*@ block_sync - : reunited.- */
/* __syncthreads() for warps whose lanes may have parted: a barrier that is not `aligned`. */
$fn void block_sync()
{
    asm volatile("barrier.sync 0;" ::: "memory");
    reunited();
}

/*@ block_sync_count - : reunited.- */
/* __syncthreads_count() for such warps. */
$fn int block_sync_count(int predicate)
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

/*@ each and all; or any: block_sync_$1 - : reunited.- */
/* __syncthreads_$1() for such warps. */
$fn int block_sync_$1(int predicate)
{
    int $2;

    asm volatile("{ .reg .pred own, $2; setp.ne.s32 own, %1, 0;"
                 " barrier.red.$1.pred $2, 0, own; selp.s32 %0, 1, 0, $2; }"
                 : "=r"($2)
                 : "r"(predicate)
                 : "memory");
    reunited();
    return $2;
}

/*@ each i32 int r; f32 float f; f64 double d: hidden $1 */
/* The same number, of which the compiler then knows nothing. */
$fn $2 hidden_$1($2 number)
{
    asm("" : "+$3"(number));
    return number;
}

/*@ hidden i64 */
/* The same number, of which the compiler then knows nothing. */
$fn long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

/*@ negated i32 */
/* -x, computed in 64 bits: ptxas 13.0 then has nothing to make a sign of an operand of. */
$fn int negated_i32(int x)
{
    int result;

    asm("{ .reg .s64 wide; cvt.s64.s32 wide, %1; neg.s64 wide, wide; cvt.u32.u64 %0, wide; }"
        : "=r"(result)
        : "r"(x));
    return result;
}

/*@ negative_zero f32 */
/* NVVM takes a quotient by -0.0 for one that is not below 0 unless it knows nothing of it. */
$fn float negative_zero_f32()
{
    float zero = -0.0f;

    asm("" : "+f"(zero));
    return zero;
}

/*@ negative_zero f64 */
$fn double negative_zero_f64()
{
    double zero = -0.0;

    asm("" : "+d"(zero));
    return zero;
}

/*@ needed - */
/* What a vote or match found, which lies in its mask: to ptxas, a result that is used. For sm_90
** on, ptxas 13.0 lets the lanes of each mask pass alone (WARPSYNC.EXCLUSIVE), and unites the warp
** behind only if it has not dropped the vote or match itself. */
$fn int needed(unsigned int mask, int found)
{
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p nanosleep.u32 0; }"
                 :
                 : "r"((unsigned int)found & ~mask));
    return found;
}

/*@ ballot_some - : needed.- */
/* __ballot_sync() of maybe not all lanes. */
$fn int ballot_some(unsigned int mask, int predicate)
{
    return needed(mask, (int)__ballot_sync(mask, predicate));
}

/*@ any_some - : ballot_some.- */
$fn bool any_some(unsigned int mask, int predicate)
{
    return ballot_some(mask, predicate) != 0;
}

/*@ all_some - : ballot_some.- */
/* Lanes of the mask that have ended do not count, as in __all_sync(). */
$fn bool all_some(unsigned int mask, int predicate)
{
    return ballot_some(mask, !predicate) == 0;
}

/*@ eq_some - : ballot_some.- */
$fn bool eq_some(unsigned int mask, int predicate)
{
    const int yes = ballot_some(mask, predicate), no = ballot_some(mask, !predicate);

    return yes == 0 || no == 0;
}

/*@ match_any_some - : needed.- */
template <typename T>
$fn int match_any_some(unsigned int mask, T sent)
{
    return needed(mask, (int)__match_any_sync(mask, sent));
}

/*@ cut i8 i16 u16 : hidden.i32 */
/* The low bits of a result. LLVM makes neg.s16 of what it sees to need no more, and ptxas 13.0
** takes the neg.s16 of -32768 for 32768 in what follows, as where a sign of 8 bits is spread. */
$fn $T cut_$S(int result)
{
    return ($T)hidden_i32(result);
}

/*@ wrapping_abs i8 i16 i32 : hidden.i32 */
/* |x|, and the least number for itself. ptxas 13.0 takes no abs.s16, .s32 or .s64 to be negative,
** and LLVM makes them of all that it knows for an absolute value. */
$fn $T wrapping_abs_$S(int x)
{
    const unsigned int sign = hidden_i32(x >> 31);

    return ($T)(int)((x ^ sign) - sign);
}

/*@ wrapping_abs i64 : hidden.i64 */
/* |x|, and the least number for itself: as for shorter ones. */
$fn long long wrapping_abs_i64(long long x)
{
    const unsigned long long sign = hidden_i64(x >> 63);

    return (long long)((x ^ sign) - sign);
}

/*@ mod_by u64 */
/* a % b, where r is reciprocal(b): that is at most 1 below 2^64 / b, so that a * r / 2^64 is less
** than 1 below a / b. 0 for b == 0. */
$fn $T mod_by_$S($T a, $T b, $T r)
{
    const $T rest = a - __umul64hi(a, r) * b;

    return b == 0 ? 0 : rest >= b ? rest - b : rest;
}

/*@ differing i32 u32 */
/* The bits in which two numbers differ: 0 for equal ones, of which the assembler cannot tell. */
$fn $T differing_$S($T a, $T b)
{
    $T bits;

    asm("xor.b32 %0, %1, %2;" : "=r"(bits) : "r"(a), "r"(b));
    return bits;
}

/*@ differing i64 u64 */
$fn $T differing_$S($T a, $T b)
{
    $T bits;

    asm("xor.b64 %0, %1, %2;" : "=l"(bits) : "l"(a), "l"(b));
    return bits;
}

/*@ lane_id - */
$fn int lane_id()
{
    int lane;

    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

/*@ dynamic_shared_size - */
/* Bytes of dynamic shared memory that the launch asked for. */
$fn unsigned int dynamic_shared_size()
{
    unsigned int bytes;

    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
}

/*@ grid_sync - : block_sync.- */
/* How many blocks are at the barrier, and how often it has opened. It is left as it was found, so
** that the next launch can use it. */
__device__ struct GridBarrier {
    unsigned int arrived, rounds;
} grid_barrier;

/* Waits until every block has come, with all of its threads that have not ended. One of a block's
** threads, whichever writes its number last, goes to the barrier for it: thread 0 may have
** ended. Its warps' lanes may have parted. */
$fn int grid_sync()
{
    __shared__ volatile unsigned int speaker;
    const unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
    const unsigned int self =
        (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;

    speaker = self;
    block_sync();
    if (speaker == self) {
        volatile unsigned int *const rounds = &grid_barrier.rounds;
        const unsigned int round = *rounds;
        __threadfence();
        if (atomicAdd(&grid_barrier.arrived, 1u) == blocks - 1) {
            atomicExch(&grid_barrier.arrived, 0u);
            __threadfence();
            atomicAdd(&grid_barrier.rounds, 1u);
        }
        while (*rounds == round)
            continue;
        __threadfence();
    }
    block_sync();
    return 0;
}

/*@ each infinity 0x7f800000; nan 0x7fc00000: $1 f32 */
$fn float $1_f32()
{
    return __int_as_float($2);
}

/*@ each infinity 0x7ff0000000000000LL; nan 0x7ff8000000000000LL: $1 f64 */
$fn double $1_f64()
{
    return __longlong_as_double($2);
}

/*@ each f32 float __float2ll_rz; f64 double __double2ll_rz: i64_from $1 */
/* Truncated, and held at the ends of the range; NaN gives 0. */
$fn long long i64_from_$1($2 x)
{
    return x != x ? 0 : $3(x);
}

/*@ far_div i64 */
/* a // b, rounded down; 0 where C has no answer. What is divided is never negative, ~a in place of
** a where the quotient is: so that 32 bits do where both have no more, which takes a GPU a fraction
** of the instructions. */
static __device__ __noinline__ long long far_div_i64(long long a, long long b)
{
    const bool below = b < 0, turns = below ? a > 0 : a < 0;
    const unsigned long long by = below ? 0 - (unsigned long long)b : b;
    const unsigned long long size = below ? 0 - (unsigned long long)a : a;
    const unsigned long long of = turns ? ~size : size;

    if (b == 0 || (b == -1 && of >> 63))
        return 0;
    const unsigned long long quotient =
        (of | by) >> 32 ? of / by : (unsigned int)of / (unsigned int)by;
    return (long long)(turns ? ~quotient : quotient);
}

/*@ wide_div i64 : far_div.i64 */
/* The same, by a positive number of 32 bits in line. */
$fn long long wide_div_i64(long long a, long long b)
{
    const long long turns = a >> 63, of = a ^ turns;

    if ((unsigned long long)(of | b) >> 32 == 0 && (unsigned int)b != 0)
        return (long long)((unsigned int)of / (unsigned int)b) ^ turns;
    return far_div_i64(a, b);
}

/*@ far_mod i64 */
/* a % b, with the sign of b; 0 where C has no answer. As far_div_i64() does it. */
static __device__ __noinline__ long long far_mod_i64(long long a, long long b)
{
    const bool below = b < 0, turns = below ? a > 0 : a < 0;
    const unsigned long long by = below ? 0 - (unsigned long long)b : b;
    const unsigned long long size = below ? 0 - (unsigned long long)a : a;
    const unsigned long long of = turns ? ~size : size;

    if (b == 0)
        return 0;
    unsigned long long rest = (of | by) >> 32 ? of % by : (unsigned int)of % (unsigned int)by;
    rest = turns ? by - 1 - rest : rest;
    return (long long)(below ? 0 - rest : rest);
}

/*@ wide_mod i64 : far_mod.i64 */
/* The same, of what goes around once, as an index of a ring does, without a division. */
$fn long long wide_mod_i64(long long a, long long b)
{
    const unsigned long long near = (unsigned long long)a - (a < 0 ? 0 - (unsigned long long)b : b);
    const bool within = (unsigned long long)a < (unsigned long long)b;

    if (b > 0 && (within || near < (unsigned long long)b))
        return within ? a : (long long)near;
    return far_mod_i64(a, b);
}

/*@ each f32 float __float2ull_rz; f64 double __double2ull_rz: u64_from $1 */
/* Truncated, and held at the ends of the range; NaN gives 0. */
$fn unsigned long long u64_from_$1($2 x)
{
    return x > 0 ? $3(x) : 0;
}

/*@ i32_from f32 */
/* Truncated, and held at the ends of the range; NaN gives 0. */
$fn int i32_from_f32(float x)
{
    return __float2int_rz(x);
}

/*@ each i32_floor rd; i32_ceil ru: $1 f32 */
/* The integer below or above, held at the ends of the range; NaN gives 0. */
$fn int $1_f32(float x)
{
    return __float2int_$2(x);
}

/*@ each i32_floor rd; i32_ceil ru: $1 f64 */
/* The integer below or above, held at the ends of the range; NaN gives 0. */
$fn int $1_f64(double x)
{
    return x != x ? 0 : __double2int_$2(x);
}

/*@ i32_from f64 */
/* Truncated, and held at the ends of the range; NaN gives 0. */
$fn int i32_from_f64(double x)
{
    return x != x ? 0 : __double2int_rz(x);
}

/*@ u32_from f32 */
/* Truncated, and held at the ends of the range; NaN gives 0. */
$fn unsigned int u32_from_f32(float x)
{
    return __float2uint_rz(x);
}

/*@ u32_from f64 */
/* Truncated, and held at the ends of the range; NaN gives 0. */
$fn unsigned int u32_from_f64(double x)
{
    return x > 0 ? __double2uint_rz(x) : 0;
}

/*@ f32_bits - */
$fn unsigned int f32_bits(float x)
{
    return __float_as_uint(x);
}

/*@ f32_from_bits - */
$fn float f32_from_bits(unsigned int bits)
{
    return __uint_as_float(bits);
}

/*@ f32_from f16 */
$fn float f32_from_f16(float16 x)
{
    float result;

    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x));
    return result;
}

/*@ f16_from f32 : float16.- */
/* The xor keeps apart what ptxas 13.0 makes one of: a conversion to float16 of which the low byte
** is stored alone, as in packed records, stores the number converted to a uint8. */
$fn float16 f16_from_f32(float x)
{
    float16 result;

    asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; xor.b16 %0, h, 0; }" : "=h"(result) : "f"(x));
    return result;
}

/*@ f16_from f64 : float16.- */
$fn float16 f16_from_f64(double x)
{
    float16 result;

    asm("{ .reg .b16 h; cvt.rn.f16.f64 h, %1; xor.b16 %0, h, 0; }" : "=h"(result) : "d"(x));
    return result;
}

/*@ popc int */
$fn $T popc_$S($T x)
{
    return ($T)($B == 64 ? __popcll(($U)x) : __popc(($U)x));
}

/*@ clz int */
/* Leading zero bits at the width of x. */
$fn $T clz_$S($T x)
{
    return ($T)(__clzll((unsigned long long)($U)x) - (64 - $B));
}

/*@ brev int */
$fn $T brev_$S($T x)
{
    return ($T)(__brevll((unsigned long long)($U)x) >> (64 - $B));
}

/*@ ffs int */
/* The number of the lowest bit that is set, from 1; 0 if none is. */
$fn unsigned int ffs_$S($T x)
{
    return (unsigned int)__ffsll((long long)x);
}

/*@ CLUSTER_BOUNDS - */
/* Clusters came with sm_90. */
#if __CUDA_ARCH__ >= 900
#define CLUSTER_BOUNDS(threads, blocks, cluster) __launch_bounds__(threads, blocks, cluster)
#else
#define CLUSTER_BOUNDS(threads, blocks, cluster) __launch_bounds__(threads, blocks)
#endif
