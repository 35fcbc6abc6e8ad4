#line 1 "kjit prelude"
static __device__ inline long long atomic_exch_i64(long long *address, long long value)
{
    return atomicExch((unsigned long long *)address, (unsigned long long)value);
}

/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

#line 8 "spin_waits_for_another_thread.k"
extern "C" __global__ void each_waits_for_the_one_before(long long *words, long long words_0,
        long long *out, long long out_0)
{
#line 9 "spin_waits_for_another_thread.k"
    int block = blockIdx.x;
    long long total = block;
    if (block > 0) {
        long long word = *(const volatile long long *)&words[wrap((long long)block - 1, words_0)];
        while (word == 0)
            word = *(const volatile long long *)&words[wrap((long long)block - 1, words_0)];
        total = (long long)((unsigned long long)total + (long long)((unsigned long long)word - 1));
    }
#line 16 "spin_waits_for_another_thread.k"
    atomic_exch_i64(&words[block], (long long)((unsigned long long)total + 1));
    out[block] = total;
}

