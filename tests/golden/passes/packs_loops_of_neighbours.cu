#line 1 "kjit prelude"
#line 3 "packs_loops_of_neighbours.ir"
extern "C" __global__ void k(const unsigned char *src, long long src_0, unsigned char *dst,
        long long dst_0, unsigned short *mid, long long mid_0, unsigned char *odd, long long odd_0,
        unsigned char *far, long long far_0, unsigned char *at, long long at_0,
        const unsigned char *table, long long table_0, long long *words, long long words_0)
{
    src = (const unsigned char *)__builtin_assume_aligned(src, 16);
    dst = (unsigned char *)__builtin_assume_aligned(dst, 16);
    mid = (unsigned short *)__builtin_assume_aligned(mid, 16);
#line 4 "packs_loops_of_neighbours.ir"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;

    unsigned char u = src[i * 4 + 1];
    unsigned char v = src[i * 4 + 3];

    for (long long p = 0; p < 2; p++) {
        dst[i * 6 + p * 3] = (unsigned char)(u + v);
        dst[i * 6 + p * 3 + 1] = u;
    }
    for (long long j = 0; j < 4; j += 2)
#line 13 "packs_loops_of_neighbours.ir"
        mid[j * 1 + i * 8] = u;

    for (long long c = 0; c < 3; c++)
        odd[i * 3 + c] = v;

    for (long long d = 0; d < 99; d++)
        far[i * 4 + d] = v;

    for (long long e = 0; e < 4; e++)
        at[i * 4 + e] = table[4 * e + 1];

    for (long long w = 0; w < 4; w++)
        words[i * 4 + w] = i;
}

