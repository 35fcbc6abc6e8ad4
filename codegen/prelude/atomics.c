/* Atomics of the C dialect, and what stands for them where no other thread accesses the element.
** Pieces: see emit.h. */

/*@ each add; sub; and; or; xor: atomic_$1 i8 u8 i16 u16 i32 u32 i64 u64 */
$fn $T atomic_$1_$S($T *address, $T value)
{
    return __atomic_fetch_$1(address, value, __ATOMIC_RELAXED);
}

/*@ exact_bump - */
/* Adds to a word that no other thread accesses, or any may. */
$fn void exact_bump(unsigned long long *word, unsigned long long part, bool alone)
{
    if (alone)
        *word += part;
    else
        __atomic_fetch_add(word, part, __ATOMIC_RELAXED);
}

/*@ exact_flag - */
$fn void exact_flag(unsigned long long *word, unsigned long long flags, bool alone)
{
    if (alone)
        *word |= flags;
    else
        __atomic_fetch_or(word, flags, __ATOMIC_RELAXED);
}

/*@ atomic_exch i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 f16 bf16 */
$fn $T atomic_exch_$S($T *address, $T value)
{
    $T old;

    __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);
    return old;
}

/*@ atomic_cas i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 f16 bf16 */
$fn $T atomic_cas_$S($T *address, $T expected, $T value)
{
    __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
    return expected;
}

/*@ atomic_swap i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 f16 bf16 */
/* Puts `value` where `old` is. If something else is there now, puts that in `old`: false. */
$fn bool atomic_swap_$S($T *address, $T *old, $T value)
{
    return __atomic_compare_exchange(address, old, &value, true, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

/*@ atomic_now i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 f16 bf16 */
$fn $T atomic_now_$S($T *address)
{
    $T now;

    __atomic_load(address, &now, __ATOMIC_RELAXED);
    return now;
}

/*@ atomic_add_each i32 u32 i64 u64 : atomic_add */
/* Adds `added` for each of `count` numbers that is not 0, which becomes what was there. */
$fn void atomic_add_each_$S($T *address, $T *numbers, int count, $T added)
{
    for (int k = 0; k < count; k++)
        if (numbers[k] != 0)
            numbers[k] = atomic_add_$S(address, added);
}

/*@ each add +; sub -: atomic_$1 float : atomic_now atomic_swap */
$fn $T atomic_$1_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (!atomic_swap_$S(address, &old, old $2 value))
        continue;
    return old;
}

/*@ each max >; min <: atomic_$1 int float : atomic_now atomic_swap */
/* What is there stays if either is NaN. */
$fn $T atomic_$1_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (value $2 old && !atomic_swap_$S(address, &old, value))
        continue;
    return old;
}

/*@ each nanmax <; nanmin >: atomic_$1 int float : atomic_now atomic_swap */
/* NaN counts as missing. */
$fn $T atomic_$1_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (value == value && !(value $2= old) && !atomic_swap_$S(address, &old, value))
        continue;
    return old;
}

/*@ atomic_add f16 bf16 : half_add atomic_now atomic_swap */
$fn $T atomic_add_$S($T *address, $T value)
{
    $T old = atomic_now_$S(address);

    while (!atomic_swap_$S(address, &old, half_add_$S(old, value)))
        continue;
    return old;
}

/*@ each add; sub: atomic_$1 complex : atomic_$1.part */
/* Each part in one step, not both. */
$fn $T atomic_$1_$S($T *address, $T value)
{
    const $T old = { atomic_$1_$Q(&address->real, value.real),
                     atomic_$1_$Q(&address->imag, value.imag) };

    return old;
}

/*@ atomic_inc u32 u64 : atomic_now atomic_swap */
/* old >= limit ? 0 : old + 1 */
$fn $T atomic_inc_$S($T *address, $T limit)
{
    $T old = atomic_now_$S(address);

    while (!atomic_swap_$S(address, &old, old >= limit ? 0 : old + 1))
        continue;
    return old;
}

/*@ atomic_dec u32 u64 : atomic_now atomic_swap */
/* old == 0 or old > limit ? limit : old - 1 */
$fn $T atomic_dec_$S($T *address, $T limit)
{
    $T old = atomic_now_$S(address);

    while (!atomic_swap_$S(address, &old, old == 0 || old > limit ? limit : old - 1))
        continue;
    return old;
}

/*@ each add +; sub -: alone_$1 i32 u32 i64 u64 f32 f64 */
/* As atomic_$1, of an element that no other thread accesses. */
$fn $T alone_$1_$S($T *address, $T value)
{
    const $T old = *address;

    *address = old $2 value;
    return old;
}

/*@ each and &; or |; xor ^: alone_$1 i32 u32 i64 u64 */
/* As atomic_$1, of an element that no other thread accesses. */
$fn $T alone_$1_$S($T *address, $T value)
{
    const $T old = *address;

    *address = old $2 value;
    return old;
}

/*@ alone_exch i32 u32 i64 u64 f32 f64 */
/* As atomic_exch, of an element that no other thread accesses. */
$fn $T alone_exch_$S($T *address, $T value)
{
    const $T old = *address;

    *address = value;
    return old;
}

/*@ each max >; min <: alone_$1 i32 u32 i64 u64 f32 f64 */
/* What is there stays if either is NaN, and mostly: a branch waits for no store before it. */
$fn $T alone_$1_$S($T *address, $T value)
{
    const $T old = *address;

    if (value $2 old)
        *address = value;
    return old;
}

/*@ each nanmax <; nanmin >: alone_$1 i32 u32 i64 u64 f32 f64 */
/* NaN counts as missing. */
$fn $T alone_$1_$S($T *address, $T value)
{
    const $T old = *address;

    if (value == value && !(value $2= old))
        *address = value;
    return old;
}

/*@ alone_inc u32 u64 */
/* As atomic_inc, of an element that no other thread accesses. */
$fn $T alone_inc_$S($T *address, $T value)
{
    const $T old = *address;

    *address = old >= value ? 0 : old + 1;
    return old;
}

/*@ alone_dec u32 u64 */
/* As atomic_dec, of an element that no other thread accesses. */
$fn $T alone_dec_$S($T *address, $T value)
{
    const $T old = *address;

    *address = old == 0 || old > value ? value : old - 1;
    return old;
}

/*@ alone_cas i32 u32 i64 u64 */
/* As atomic_cas, of an element that no other thread accesses. */
$fn $T alone_cas_$S($T *address, $T expected, $T value)
{
    const $T old = *address;

    if (old == expected)
        *address = value;
    return old;
}
