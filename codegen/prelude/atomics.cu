/* Atomics of the CUDA dialect. Pieces: see emit.h. */

/*@ atomic_add i32 u32 u64 f32 f64 = atomicAdd */
/*@ atomic_sub i32 u32 = atomicSub */
/*@ atomic_max i32 u32 i64 u64 = atomicMax */
/*@ atomic_min i32 u32 i64 u64 = atomicMin */
/*@ atomic_nanmax i32 u32 i64 u64 = atomicMax */
/*@ atomic_nanmin i32 u32 i64 u64 = atomicMin */
/*@ atomic_and i32 u32 u64 = atomicAnd */
/*@ atomic_or i32 u32 u64 = atomicOr */
/*@ atomic_xor i32 u32 u64 = atomicXor */
/*@ atomic_exch i32 u32 u64 f32 = atomicExch */
/*@ atomic_cas i32 u32 u64 = atomicCAS */
/*@ atomic_inc u32 = atomicInc */
/*@ atomic_dec u32 = atomicDec */

/*@ met - */
/* What an atomic found, where its lanes meet again. In shared memory there is no instruction for
** atomics on floats and on 64 bits: ptxas makes them a loop that lanes leave one by one. Version
** 13.0 takes what stands behind for what all lanes come to at once, and counts a loop around it
** once for each time that some lane leaves. Those that began together wait for one another here. */
template <class T> struct met {
    unsigned int lanes;
    T value;
    __device__ T found() const
    {
        __syncwarp(lanes);
        return value;
    }
};

/*@ exact_bump - : met.- */
/* Adds to a word that no other thread accesses, or any may. */
$fn void exact_bump(unsigned long long *word, unsigned long long part, bool alone)
{
    if (alone)
        *word += part;
    else
        met<unsigned long long>{ __activemask(), atomicAdd(word, part) }.found();
}

/*@ exact_flag - : met.- */
$fn void exact_flag(unsigned long long *word, unsigned long long flags, bool alone)
{
    if (alone)
        *word |= flags;
    else
        met<unsigned long long>{ __activemask(), atomicOr(word, flags) }.found();
}

/*@ atomic_add i64 */
$fn long long atomic_add_i64(long long *address, long long value)
{
    return atomicAdd((unsigned long long *)address, (unsigned long long)value);
}

/*@ atomic_add_each i32 u32 u64 : lane_id.- */
/* Adds `added` for each of `count` numbers that is not 0, of which the lanes that are there have so
** many each, by one atomic for all: the first of every lane come first, the lanes in order, then
** the second. A number becomes what was there when its turn came. */
$fn void atomic_add_each_$S($T *address, $T *numbers, int count, $T added)
{
    typedef unsigned long long Wraps;
    const unsigned int there = __activemask(), before = (1u << lane_id()) - 1;
    const int first = __ffs((int)there) - 1;
    $T found = 0;
    int turns = 0;

    #pragma unroll
    for (int k = 0; k < count; k++) {
        const unsigned int wanted = __ballot_sync(there, numbers[k] != 0);
        numbers[k] = ($T)(turns + __popc(wanted & before));
        turns += __popc(wanted);
    }
    if (turns != 0 && lane_id() == first)
        found = atomicAdd(address, ($T)((Wraps)turns * (Wraps)added));
    found = __shfl_sync(there, found, first);
    #pragma unroll
    for (int k = 0; k < count; k++)
        numbers[k] = ($T)((Wraps)found + (Wraps)numbers[k] * (Wraps)added);
}

/*@ atomic_add_each i64 : atomic_add_each.u64 */
$fn void atomic_add_each_i64(long long *address, long long *numbers, int count, long long added)
{
    atomic_add_each_u64((unsigned long long *)address, (unsigned long long *)numbers, count,
                        (unsigned long long)added);
}

/*@ atomic_add_runs u32 u64 f32 f64 : lane_id.- */
/* Adds the lane's value to its element. Of lanes side by side that name the same one the first adds
** what all of them have; where most name one of their own, each adds its own. */
$fn void atomic_add_runs_$S($T *address, $T value)
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
                const $T other = __shfl_down_sync(~0u, value, d);
                if (lane + d < end)
                    value += other;
            }
            if ((begins >> lane & 1) == 0)
                return;
        }
    }
    atomicAdd(address, value);
}

/*@ atomic_add_runs i32 : atomic_add_runs.u32 */
$fn void atomic_add_runs_i32(int *address, int value)
{
    atomic_add_runs_u32((unsigned int *)address, (unsigned int)value);
}

/*@ atomic_add_runs i64 : atomic_add_runs.u64 */
$fn void atomic_add_runs_i64(long long *address, long long value)
{
    atomic_add_runs_u64((unsigned long long *)address, (unsigned long long)value);
}

/*@ atomic_sub i64 u64 */
$fn $T atomic_sub_$S($T *address, $T value)
{
    return atomicAdd((unsigned long long *)address, 0 - (unsigned long long)value);
}

/*@ atomic_sub float */
$fn $T atomic_sub_$S($T *address, $T value)
{
    return atomicAdd(address, -value);
}

/*@ each and atomicAnd; or atomicOr; xor atomicXor; exch atomicExch: atomic_$1 i64 */
$fn long long atomic_$1_i64(long long *address, long long value)
{
    return $2((unsigned long long *)address, (unsigned long long)value);
}

/*@ atomic_exch f64 */
$fn double atomic_exch_f64(double *address, double value)
{
    return __longlong_as_double(atomicExch((unsigned long long *)address,
                                           (unsigned long long)__double_as_longlong(value)));
}

/*@ atomic_cas i64 */
$fn long long atomic_cas_i64(long long *address, long long expected, long long value)
{
    return atomicCAS((unsigned long long *)address, (unsigned long long)expected,
                     (unsigned long long)value);
}

/*@ atomic_cas f32 */
$fn float atomic_cas_f32(float *address, float expected, float value)
{
    return __int_as_float(
        atomicCAS((int *)address, __float_as_int(expected), __float_as_int(value)));
}

/*@ atomic_cas f64 */
$fn double atomic_cas_f64(double *address, double expected, double value)
{
    return __longlong_as_double(atomicCAS((unsigned long long *)address,
                                          (unsigned long long)__double_as_longlong(expected),
                                          (unsigned long long)__double_as_longlong(value)));
}

/*@ atomic_inc u64 */
/* old >= limit ? 0 : old + 1 */
$fn unsigned long long atomic_inc_u64(unsigned long long *address, unsigned long long limit)
{
    unsigned long long seen = *(volatile unsigned long long *)address, old;

    do {
        old = seen;
        seen = atomicCAS(address, old, old >= limit ? 0 : old + 1);
    } while (seen != old);
    return old;
}

/*@ atomic_dec u64 */
/* old == 0 or old > limit ? limit : old - 1 */
$fn unsigned long long atomic_dec_u64(unsigned long long *address, unsigned long long limit)
{
    unsigned long long seen = *(volatile unsigned long long *)address, old;

    do {
        old = seen;
        seen = atomicCAS(address, old, old == 0 || old > limit ? limit : old - 1);
    } while (seen != old);
    return old;
}

/*@ same_bits f32 */
$fn bool same_bits_f32(float a, float b)
{
    return __float_as_int(a) == __float_as_int(b);
}

/*@ same_bits f64 */
$fn bool same_bits_f64(double a, double b)
{
    return __double_as_longlong(a) == __double_as_longlong(b);
}

/*@ each max >; min <: atomic_$1 float : atomic_cas same_bits */
/* What is there stays if either is NaN. */
$fn $T atomic_$1_$S($T *address, $T value)
{
    $T old = *(volatile $T *)address;

    while (value $2 old) {
        $T seen = atomic_cas_$S(address, old, value);
        if (same_bits_$S(seen, old))
            break;
        old = seen;
    }
    return old;
}

/*@ each nanmax <; nanmin >: atomic_$1 float : atomic_cas same_bits */
/* NaN counts as missing. */
$fn $T atomic_$1_$S($T *address, $T value)
{
    $T old = *(volatile $T *)address;

    while (value == value && !(value $2= old)) {
        $T seen = atomic_cas_$S(address, old, value);
        if (same_bits_$S(seen, old))
            break;
        old = seen;
    }
    return old;
}

/*@ atomic_swap i8 u8 i16 u16 */
/* Puts `value` in place of `*old`, by a swap of the word around it; if something else is there,
   `*old` becomes that. */
$fn bool atomic_swap_$S($T *address, $T *old, $T value)
{
    unsigned int *word = (unsigned int *)((unsigned long long)address & ~3ull);
    const unsigned int shift = 8 * (unsigned int)((unsigned long long)address & 3);
    const unsigned int mask = ((1u << $B) - 1) << shift;
    unsigned int seen = *(volatile unsigned int *)word, expected;

    do {
        expected = seen;
        if (($U)(expected >> shift) != ($U)*old) {
            *old = ($T)(expected >> shift);
            return false;
        }
        seen = atomicCAS(word, expected, (expected & ~mask) | (unsigned int)($U)value << shift);
    } while (seen != expected);
    return true;
}

/*@ atomic_swap f16 bf16 : atomic_swap.u16 */
$fn bool atomic_swap_$S($T *address, $T *old, $T value)
{
    return atomic_swap_u16(address, old, value);
}

/*@ atomic_now i8 u8 i16 u16 f16 bf16 */
$fn $T atomic_now_$S(const $T *address)
{
    return *(const volatile $T *)address;
}

/*@ atomic_cas i8 u8 i16 u16 f16 bf16 : atomic_swap */
$fn $T atomic_cas_$S($T *address, $T expected, $T value)
{
    atomic_swap_$S(address, &expected, value);
    return expected;
}

/*@ atomic_exch i8 u8 i16 u16 f16 bf16 : atomic_now atomic_swap */
$fn $T atomic_exch_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (!atomic_swap_$S(address, &old, value))
        continue;
    return old;
}

/*@ each add +; sub -; and &; or |; xor ^: atomic_$1 i8 u8 i16 u16 : atomic_now atomic_swap */
$fn $T atomic_$1_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (!atomic_swap_$S(address, &old, ($T)(old $2 value)))
        continue;
    return old;
}

/*@ each max >; min <; nanmax >; nanmin <: atomic_$1 i8 u8 i16 u16 : atomic_now atomic_swap */
$fn $T atomic_$1_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (value $2 old && !atomic_swap_$S(address, &old, value))
        continue;
    return old;
}

/*@ each f16 float16 700; bf16 bfloat16 900: atomic_add $1 : half_add atomic_now atomic_swap */
$fn $2 atomic_add_$1($2 *address, $2 value)
{
    $2 old;

#if __CUDA_ARCH__ >= $3
    asm volatile("atom.add.noftz.$1 %0, [%1], %2;"
                 : "=h"(old) : "l"(address), "h"(value) : "memory");
#else
    old = atomic_now_$1(address);
    while (!atomic_swap_$1(address, &old, half_add_$1(old, value)))
        continue;
#endif
    return old;
}

/*@ atomic_add complex */
/* Each part in one step, not both. */
$fn $T atomic_add_$S($T *address, $T value)
{
    const $T old = { atomicAdd(&address->real, value.real), atomicAdd(&address->imag, value.imag) };

    return old;
}

/*@ atomic_sub complex */
/* Each part in one step, not both. */
$fn $T atomic_sub_$S($T *address, $T value)
{
    const $T old = { atomicAdd(&address->real, -value.real),
                     atomicAdd(&address->imag, -value.imag) };

    return old;
}

/*@ atomic_add_group f32 f64 : lane_id.- atomic_add_runs */
/* Adds the lane's values to its elements. Where those of each lane lie side by side, a warp's go
** there item by item, so that neighbours in memory are neighbours among the lanes; but where most
** lanes name the elements of the lane before them. */
template <int N> $fn void atomic_add_group_$S($T *const (&at)[N], const $T (&value)[N])
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
                $T *const element = ($T *)__shfl_sync(~0u, first, from) + part;
                $T mine = 0;
                #pragma unroll
                for (int j = 0; j < N; j++) {
                    const $T other = __shfl_sync(~0u, value[j], from);
                    mine = j == part ? other : mine;
                }
                atomicAdd(element, mine);
            }
            return;
        }
    }
    #pragma unroll
    for (int k = 0; k < N; k++)
        atomic_add_runs_$S(at[k], value[k]);
}
