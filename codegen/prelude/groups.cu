/* Products of tiles by the tensor cores of sm_90: boxes that one thread loads (TMA), and groups of
** four warps that multiply together. Pieces: see emit.h. */

/*@ tile_map - */
/* A CUtensorMap: what a driver encodes of where boxes of an array lie. */
typedef struct __align__(64) tile_map {
    unsigned long long words[16];
} tile_map;

/*@ tile_begin - */
/* Initialises mbarriers, at which one thread arrives in each phase. */
$fn void tile_begin(unsigned long long *ready, int count)
{
    for (int i = 0; i < count; i++) {
        const unsigned int address = (unsigned int)__cvta_generic_to_shared(ready + i);

        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(address) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}

/*@ tile_expect - */
/* Arrives: the current phase ends when so many bytes have come. */
$fn void tile_expect(unsigned long long *ready, unsigned int bytes)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(ready);

    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(address), "r"(bytes)
                 : "memory");
}

/*@ tile_ready - */
/* Waits until the phase of this parity has ended. */
$fn void tile_ready(unsigned long long *ready, int parity)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(ready);

    asm volatile("{ .reg .pred over; again: mbarrier.try_wait.parity.shared::cta.b64 over, [%0], "
                 "%1; @!over bra again; }"
                 :
                 : "r"(address), "r"(parity)
                 : "memory");
}

/*@ tile_load2 - : tile_map.- */
/* A box of an array on its way to a tile, from column x and row y on. */
$fn void tile_load2(void *to, unsigned long long *ready, const tile_map &map, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4}], [%2];"
                 :
                 : "r"((unsigned int)__cvta_generic_to_shared(to)), "l"(&map),
                   "r"((unsigned int)__cvta_generic_to_shared(ready)), "r"(x), "r"(y)
                 : "memory");
}

/*@ tile_load3 - : tile_map.- */
/* Likewise, of an array in three axes. */
$fn void tile_load3(void *to, unsigned long long *ready, const tile_map &map, int x, int y, int z)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4, %5}], [%2];"
                 :
                 : "r"((unsigned int)__cvta_generic_to_shared(to)), "l"(&map),
                   "r"((unsigned int)__cvta_generic_to_shared(ready)), "r"(x), "r"(y), "r"(z)
                 : "memory");
}

/*@ lane_place - */
/* Where a lane finds k of a row in a tile: with MOVED in one of a group, of numbers of 32 bits. */
template <int ROW, int K, bool MOVED> $fn int lane_place(int row, int k)
{
    if (!MOVED)
        return row * ROW + k * K;
    return K == 1 ? row * ROW + (k ^ row % 8 * 4)
                  : (row / 32 * 32 + k) * K + (row % 32 ^ k % 8 * 4);
}

/*@ tile_fence - */
/* What a thread wrote to shared memory is there for what others have tensor cores read, behind a
** barrier. */
$fn void tile_fence()
{
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
}

/*@ tile_wait - */
/* Until all is added to the sums; those behind them are of what was multiplied last, and added,
** too. */
template <int M, int N> $fn void tile_wait(float (&sums)[M][N][4])
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" : : : "memory");
    #pragma unroll
    for (int i = 0; i < 4 * N; i++)
        asm volatile("" : "+f"(sums[M - 1][i / 4][i % 4]) : : "memory");
    #pragma unroll
    for (int i = 0; M > 1 && i < 4 * N; i++)
        sums[0][i / 4][i % 4] += sums[M - 1][i / 4][i % 4];
}

/*@ group_tile - */
/* How a group of warps finds a tile in shared memory, of rows of 128 bytes, 16 of which each lie
** where their number and the row's say: 8 rows are 1024 bytes; 64 columns of a turned tile are 64
** rows, 8192 bytes. */
$fn unsigned long long group_tile(const void *tile)
{
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(tile);

    return 1LLU << 62 | 64LLU << 32 | 512LLU << 16 | (address & 0x3ffff) >> 4;
}

/*@ GROUP_SUMS - */
#define GROUP_NAMES_8                                                                          \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, "              \
    "%17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define GROUP_NAMES_16                                                                         \
    GROUP_NAMES_8 ", "                                                                         \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, "              \
    "%47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "              \
    "%62, %63"
#define GROUP_NAMES_32                                                                         \
    GROUP_NAMES_16 ", "                                                                        \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, "              \
    "%79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, "              \
    "%94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, "           \
    "%108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, "           \
    "%121, %122, %123, %124, %125, %126, %127"
#define GROUP_SUMS_1(n)                                                                        \
    "+f"(sums[n][0]), "+f"(sums[n][1]), "+f"(sums[n][2]), "+f"(sums[n][3])
#define GROUP_SUMS_4(n)                                                                        \
    GROUP_SUMS_1(n), GROUP_SUMS_1(n + 1), GROUP_SUMS_1(n + 2), GROUP_SUMS_1(n + 3)
#define GROUP_SUMS_8(n) GROUP_SUMS_4(n), GROUP_SUMS_4(n + 4)
#define GROUP_SUMS_16(n) GROUP_SUMS_8(n), GROUP_SUMS_8(n + 8)
#define GROUP_SUMS_32(n) GROUP_SUMS_16(n), GROUP_SUMS_16(n + 16)

/*@ MMA_GROUP_HALF - : GROUP_SUMS.- */
/* A group of warps has sums[64][8 * N] among its lanes, and finds a[64][16] and b[16][8 * N] in
** shared memory. To each of the sums 16 products are added, some time before a wait. */
#define MMA_GROUP_HALF(name, type, N, columns, a_tile, b_tile, turned)                          \
    template <int A_TURNED, int B_TURNED>                                                       \
    $fn void name(float (&sums)[N][4], unsigned long long a, unsigned long long b)              \
    {                                                                                           \
        asm volatile("{ .reg .pred all; setp.eq.u32 all, 0, 0; wgmma.mma_async.sync.aligned"    \
                     ".m64n" columns "k16.f32." type "." type " {" GROUP_NAMES_##N "}, " a_tile\
                     ", " b_tile ", all, 1, 1, " turned "; }"                                   \
                     : GROUP_SUMS_##N(0)                                                        \
                     : "l"(a), "l"(b), "n"(A_TURNED), "n"(B_TURNED));                           \
    }

/*@ mma_group_f16 - : MMA_GROUP_HALF.- */
MMA_GROUP_HALF(mma_group_f16, "f16", 8, "64", "%32", "%33", "%34, %35")
MMA_GROUP_HALF(mma_group_f16, "f16", 16, "128", "%64", "%65", "%66, %67")
MMA_GROUP_HALF(mma_group_f16, "f16", 32, "256", "%128", "%129", "%130, %131")

/*@ mma_group_bf16 - : MMA_GROUP_HALF.- */
MMA_GROUP_HALF(mma_group_bf16, "bf16", 8, "64", "%32", "%33", "%34, %35")
MMA_GROUP_HALF(mma_group_bf16, "bf16", 16, "128", "%64", "%65", "%66, %67")
MMA_GROUP_HALF(mma_group_bf16, "bf16", 32, "256", "%128", "%129", "%130, %131")

/*@ TILE_PRODUCT_GROUP - : group_tile.- */
/* A group of four warps adds the products of 64 rows of `a` and 8 * N columns of `b` to its sums,
** 64 for each, but may do so until the next product but one is asked for. The steps are from row to
** row, and from k to k. */
#define TILE_PRODUCT_GROUP(name, mma)                                                           \
    template <int A_ROW, int A_K, int B_COLUMN, int B_K, int N>                                 \
    $fn void name(float (&sums)[1][N][4], const unsigned short *a, const unsigned short *b, int) \
    {                                                                                           \
        const unsigned long long a_tile = group_tile(a), b_tile = group_tile(b);                \
                                                                                                \
        asm volatile("wgmma.fence.sync.aligned;" : : : "memory");                               \
        _Pragma("unroll") for (int k = 0; k < 4; k++)                                           \
            mma<A_K != 1, B_K != 1>(sums[0], a_tile + k * (A_K == 1 ? 2 : 128),                 \
                                    b_tile + k * (B_K == 1 ? 2 : 128));                         \
        asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");                        \
        asm volatile("wgmma.wait_group.sync.aligned 1;" : : : "memory");                        \
    }

/*@ tile_product_f16_group - : TILE_PRODUCT_GROUP.- mma_group_f16.- */
TILE_PRODUCT_GROUP(tile_product_f16_group, mma_group_f16)

/*@ tile_product_bf16_group - : TILE_PRODUCT_GROUP.- mma_group_bf16.- */
TILE_PRODUCT_GROUP(tile_product_bf16_group, mma_group_bf16)

/*@ mma_group_tf32 - : GROUP_SUMS.- group_tile.- */
/* A group of warps has sums[64][8 * N] and a[64][8] among its lanes, and finds b[8][8 * N] in
** shared memory. To each of the sums, or to 0 instead, 8 products are added, some time before a
** wait. */
#define MMA_GROUP_TF32(N, columns, factors, adds)                                               \
    template <int ADD>                                                                          \
    $fn void mma_group_tf32(float (&sums)[N][4], const unsigned int *a, unsigned long long b)   \
    {                                                                                           \
        asm volatile("{ .reg .pred adds; setp.ne.b32 adds, " adds ", 0; wgmma.mma_async.sync."  \
                     "aligned.m64n" columns "k8.f32.tf32.tf32 {" GROUP_NAMES_##N "}, " factors \
                     ", adds, 1, 1; }"                                                          \
                     : GROUP_SUMS_##N(0)                                                        \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(ADD));           \
    }

MMA_GROUP_TF32(8, "64", "{%32, %33, %34, %35}, %36", "%37")
MMA_GROUP_TF32(16, "128", "{%64, %65, %66, %67}, %68", "%69")
MMA_GROUP_TF32(32, "256", "{%128, %129, %130, %131}, %132", "%133")

/*@ tile_product_tf32_group - : mma_group_tf32.- tf32_from.- lane_place.- */
/* A group of four warps adds the products of 64 rows, of which a warp finds its 16 in `a`, and of
** 8 * N columns of `b` to its sums, 32 for each, but may do so until the next product is asked for.
** Tensor cores cut numbers in shared memory off to 11 bits. The steps are from row to row, and from
** k to k. While three instructions wait for their turn, the lanes load what the next one takes. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int B_REST, bool MOVED, int N>
$fn void tile_product_tf32_group(float (&sums)[1][N][4], const float *a, const float *b, int self)
{
    const int lane = self % 32, row = lane / 4 + (MOVED ? self / 32 % 4 * 16 : 0);
    const unsigned long long b_tile = group_tile(b);
    unsigned int a_part[4][4];

    #pragma unroll
    for (int k = 0; k < 4; k++) {
        asm volatile("wgmma.wait_group.sync.aligned 3;" : : : "memory");
        #pragma unroll
        for (int i = 0; i < 4; i++)
            a_part[k][i] = tf32_from(a[lane_place<A_ROW, A_K, MOVED>(
                row + i % 2 * 8, 8 * k + lane % 4 + i / 2 * 4)]);
        asm volatile("wgmma.fence.sync.aligned;" : : : "memory");
        mma_group_tf32<1>(sums[0], a_part[k], b_tile + 2 * k);
        asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
    }
}

/*@ tile_split_tf32x3_group - : tf32_parts.- */
/* Numbers in shared memory become their parts, the rests REST behind them. */
template <int COUNT, int REST> $fn void tile_split_tf32x3_group(float *at)
{
    unsigned int near[4], rest[4];

    if (COUNT == 4) {
        const float4 x = *(const float4 *)at;

        tf32_parts(x.x, &near[0], &rest[0]);
        tf32_parts(x.y, &near[1], &rest[1]);
        tf32_parts(x.z, &near[2], &rest[2]);
        tf32_parts(x.w, &near[3], &rest[3]);
        *(uint4 *)at = make_uint4(near[0], near[1], near[2], near[3]);
        *(uint4 *)(at + REST) = make_uint4(rest[0], rest[1], rest[2], rest[3]);
    } else {
        tf32_parts(*at, &near[0], &rest[0]);
        *at = __uint_as_float(near[0]);
        at[REST] = __uint_as_float(rest[0]);
    }
}

/*@ tile_product_tf32x3_group - : mma_group_tf32.- tf32_parts.- tile_wait.- lane_place.- */
/* A group of four warps adds the products of 64 rows, of which a warp finds its 16 in `a`, and of
** 8 * N columns of `b`, whose rests are B_REST behind, to its sums, 32 for each. The steps are from
** row to row, and from k to k. Of a number's two parts all products are added up but that of both
** rests; 32 of each at a time, whose sum the lanes add to the others themselves: they round to the
** nearest where tensor cores cut off. They do so when the next product is asked for. */
template <int A_ROW, int A_K, int B_COLUMN, int B_K, int B_REST, bool MOVED, int N>
$fn void tile_product_tf32x3_group(float (&sums)[2][N][4], const float *a, const float *b, int self)
{
    const int lane = self % 32, row = lane / 4 + (MOVED ? self / 32 % 4 * 16 : 0);
    const unsigned long long b_tile = group_tile(b), b_rest = group_tile(b + B_REST);
    unsigned int a_part[4][4], a_rest[4][4];

    tile_wait(sums);
    #pragma unroll
    for (int i = 0; i < 16; i++)
        tf32_parts(a[lane_place<A_ROW, A_K, MOVED>(row + i % 2 * 8, lane % 4 + i / 2 * 4)],
                   &a_part[i / 4][i % 4], &a_rest[i / 4][i % 4]);
    asm volatile("wgmma.fence.sync.aligned;" : : : "memory");
    mma_group_tf32<0>(sums[1], a_rest[0], b_tile);
    #pragma unroll
    for (int k = 1; k < 4; k++)
        mma_group_tf32<1>(sums[1], a_rest[k], b_tile + 2 * k);
    #pragma unroll
    for (int k = 0; k < 4; k++)
        mma_group_tf32<1>(sums[1], a_part[k], b_rest + 2 * k);
    #pragma unroll
    for (int k = 0; k < 4; k++)
        mma_group_tf32<1>(sums[1], a_part[k], b_tile + 2 * k);
    asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
}
