== of_a_thread ==
#line 1 "kjit prelude"
/* Byte by byte, which `volatile` keeps so: NVRTC takes packed records in variables for aligned, and
** with them those that they are copied from. */
template <typename T> static __device__ inline void copy_packed(T *to, const T *from)
{
    const volatile unsigned char *source = (const volatile unsigned char *)from;
    unsigned char *target = (unsigned char *)to;

    for (unsigned int i = 0; i < sizeof(T); i++)
        target[i] = source[i];
}

/* The same address, of which the compiler then knows nothing. */
static __device__ inline void *hidden_address(void *address)
{
    asm("" : "+l"(address));
    return address;
}

typedef struct __attribute__((packed, aligned(1))) record {
    signed char h0;
    unsigned short h1;
} record;
static_assert(sizeof(record) == 3, "records lie as they do outside");

typedef struct __attribute__((packed, aligned(1))) record_v2 {
    long long f2;
    long long f0;
    int f1;
    record inner;
} record_v2;
static_assert(sizeof(record_v2) == 23, "records lie as they do outside");

#line 15 "packed_records.k"
extern "C" __global__ void of_a_thread(const record_v2 *x, long long x_0, record_v2 *out,
        long long out_0, long long *f0, long long f0_0)
{
    record_v2 own_at[4];
    record_v2 (&own)[4] = *(record_v2 (*)[4])hidden_address(own_at);
#line 16 "packed_records.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;

    for (long long i = 0; i < 4; i++) {
        copy_packed(&own[i], &x[(t + i) % 4]);
        own[i].f0 = (t + i) % 4 + 1;
    }
#line 21 "packed_records.k"
    f0[t] = own[2].f0;
    copy_packed(&out[t], &own[t % 4]);
}

== of_a_block ==
#line 1 "kjit prelude"
/* Byte by byte, which `volatile` keeps so: NVRTC takes packed records in variables for aligned, and
** with them those that they are copied from. */
template <typename T> static __device__ inline void copy_packed(T *to, const T *from)
{
    const volatile unsigned char *source = (const volatile unsigned char *)from;
    unsigned char *target = (unsigned char *)to;

    for (unsigned int i = 0; i < sizeof(T); i++)
        target[i] = source[i];
}

/* The same address, of which the compiler then knows nothing. */
static __device__ inline void *hidden_address(void *address)
{
    asm("" : "+l"(address));
    return address;
}

/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

typedef struct __attribute__((packed, aligned(1))) record {
    signed char h0;
    unsigned short h1;
} record;
static_assert(sizeof(record) == 3, "records lie as they do outside");

typedef struct __attribute__((packed, aligned(1))) record_v2 {
    long long f2;
    long long f0;
    int f1;
    record inner;
} record_v2;
static_assert(sizeof(record_v2) == 23, "records lie as they do outside");

#line 27 "packed_records.k"
extern "C" __global__ void of_a_block(const record_v2 *x, long long x_0, long long *f0,
        long long f0_0)
{
    __shared__ record_v2 tile_at[32];
    record_v2 (&tile)[32] = *(record_v2 (*)[32])hidden_address(tile_at);
#line 28 "packed_records.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;

    copy_packed(&tile[t], &x[t]);
    tile[t].f0 = t;
    __syncthreads();
    f0[t] = tile[wrap(31 - t, 32)].f0;
}

== aligned ==
#line 1 "kjit prelude"
typedef struct record {
    long long a;
    long long b;
} record;
static_assert(sizeof(record) == 16, "records lie as they do outside");

#line 38 "packed_records.k"
extern "C" __global__ void aligned(long long *f0, long long f0_0)
{
    record own[4];
#line 39 "packed_records.k"
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;

    for (long long i = 0; i < 4; i++)
        own[i].a = t + i;
    f0[t] = own[t % 4].a;
}

