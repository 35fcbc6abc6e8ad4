/* CUDA's accesses of many bytes at once, by hand where its compiler takes them apart, and copies to
** shared memory past the registers. */

/*@ wide_copy2 - */
/* So many bytes at once, whatever they are. */
$fn void wide_copy2(void *to, const void *from)
{
    *(unsigned short *)to = *(const unsigned short *)from;
}

/*@ wide_copy4 - */
$fn void wide_copy4(void *to, const void *from)
{
    *(unsigned int *)to = *(const unsigned int *)from;
}

/*@ each copy8 uint2; copy16 uint4: wide_$1 - */
$fn void wide_$1(void *to, const void *from)
{
    *($2 *)to = *(const $2 *)from;
}

/*@ wide_store16 - */
/* By hand: the compiler takes an assignment apart, and does not always put it together again. */
$fn void wide_store16(void *to, const void *from)
{
    const uint4 all = *(const uint4 *)from;
    asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(all.x), "r"(all.y), "r"(all.z), "r"(all.w)
                 : "memory");
}

/*@ each store32 store16; copy32 copy16; load32 load16: wide_$1 - : wide_$2.- */
$fn void wide_$1(void *to, const void *from)
{
    wide_$2(to, from);
    wide_$2((char *)to + 16, (const char *)from + 16);
}

/*@ wide_copy64 - : wide_copy32.- */
$fn void wide_copy64(void *to, const void *from)
{
    wide_copy32(to, from);
    wide_copy32((char *)to + 32, (const char *)from + 32);
}

/*@ async_copy4 - */
/* Bytes of global memory to shared memory, past the registers. */
$fn void async_copy4(void *to, const void *from)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(to);

    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"(address), "l"(from) : "memory");
}

/*@ async_copy8 - */
/* Bytes of global memory to shared memory, past the registers. */
$fn void async_copy8(void *to, const void *from)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(to);

    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" : : "r"(address), "l"(from) : "memory");
}

/*@ async_copy16 - */
/* Bytes of global memory to shared memory, past the registers. */
$fn void async_copy16(void *to, const void *from)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(to);

    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :
                 : "r"(address), "l"(from)
                 : "memory");
}

/*@ async_commit - */
$fn void async_commit()
{
    asm volatile("cp.async.commit_group;" : : : "memory");
}

/*@ async_wait - */
/* Until no more than N of the groups that the thread has committed are on their way. */
template <int N> $fn void async_wait()
{
    asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
}

/*@ wide_load2 - */
/* So many bytes of global memory at once. The assembler may move what it knows to be read-only
** behind where it is wanted first; from here it does not go past a store. */
$fn void wide_load2(void *to, const void *from)
{
    unsigned short *const at = (unsigned short *)to;
    const size_t address = __cvta_generic_to_global(from);

    asm volatile("ld.global.u16 %0, [%1];" : "=h"(*at) : "l"(address) : "memory");
}

/*@ wide_load4 - */
$fn void wide_load4(void *to, const void *from)
{
    unsigned int *const at = (unsigned int *)to;
    const size_t address = __cvta_generic_to_global(from);

    asm volatile("ld.global.u32 %0, [%1];" : "=r"(*at) : "l"(address) : "memory");
}

/*@ wide_load8 - */
$fn void wide_load8(void *to, const void *from)
{
    uint2 *const at = (uint2 *)to;
    const size_t address = __cvta_generic_to_global(from);

    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];"
                 : "=r"(at->x), "=r"(at->y)
                 : "l"(address)
                 : "memory");
}

/*@ wide_load16 - */
$fn void wide_load16(void *to, const void *from)
{
    uint4 *const at = (uint4 *)to;
    const size_t address = __cvta_generic_to_global(from);

    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(at->x), "=r"(at->y), "=r"(at->z), "=r"(at->w)
                 : "l"(address)
                 : "memory");
}

/*@ wide_load64 - : wide_load32.- */
$fn void wide_load64(void *to, const void *from)
{
    wide_load32(to, from);
    wide_load32((char *)to + 32, (const char *)from + 32);
}

/*@ each 2; 4; 8; 16: at$1 int float */
/* A value at a multiple of $1 bytes, which the compiler joins with its neighbours. */
typedef struct __align__($1) at$1_$S {
    $T value;
} at$1_$S;

/*@ each 2; 4; 8; 16: load_at$1 int float : at$1 */
$fn $T load_at$1_$S(const $T *from)
{
    return ((const at$1_$S *)from)->value;
}

/*@ each 2; 4; 8; 16: store_at$1 int float : at$1 */
$fn void store_at$1_$S($T *to, $T value)
{
    ((at$1_$S *)to)->value = value;
}
