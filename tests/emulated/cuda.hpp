// What CUDA C has beside C++, of what kjit writes, on the processor: text.py puts this in front of
// a kernel's text. Threads that meet ask threads.c.
#include "threads.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static Emulated *emulated;

#define __global__
#define __device__
#define __constant__
#define __shared__   static // blocks run one after the other
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __CUDA_ARCH__ 900

typedef EmulatedAxes uint3;
struct __align__(8) uint2
{
    unsigned x, y;
};
struct __align__(16) uint4
{
    unsigned x, y, z, w;
};
#define threadIdx (emulated->thread)
#define blockIdx  (emulated->block)
#define blockDim  (emulated->block_dim)
#define gridDim   (emulated->grid_dim)

// ---- bits ---------------------------------------------------------------------------------------

template <class To, class From> static To bits_as(From value)
{
    To result = To();
    static_assert(sizeof(From) <= 8 && sizeof(To) <= 8, "as wide as an exchange");
    memcpy(&result, &value, sizeof(From) < sizeof(To) ? sizeof(From) : sizeof(To));
    return result;
}

static int __float_as_int(float x)
{
    return bits_as<int>(x);
}
static unsigned __float_as_uint(float x)
{
    return bits_as<unsigned>(x);
}
static float __int_as_float(int x)
{
    return bits_as<float>(x);
}
static float __uint_as_float(unsigned x)
{
    return bits_as<float>(x);
}
static long long __double_as_longlong(double x)
{
    return bits_as<long long>(x);
}
static double __longlong_as_double(long long x)
{
    return bits_as<double>(x);
}
static int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
static int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
static int __clz(unsigned x)
{
    return x ? __builtin_clz(x) : 32;
}
static int __clzll(unsigned long long x)
{
    return x ? __builtin_clzll(x) : 64;
}
static int __ffs(int x)
{
    return __builtin_ffs(x);
}
static int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}

static unsigned long long __brevll(unsigned long long x)
{
    unsigned long long turned = 0;
    for (int i = 0; i < 64; i++)
        turned |= (x >> i & 1) << (63 - i);
    return turned;
}

static unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned long long)a * b >> 32;
}

static unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}

static long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}

// ---- numbers ------------------------------------------------------------------------------------

// Conversions hold what is too far at the ends of the type; NaN gives 0.
template <class T, class F> static T held(F x)
{
    const T most = T(-1) > T(0) ? T(-1) : T(~(1ull << (8 * sizeof(T) - 1)));
    const T least = T(-1) > T(0) ? T(0) : T(~most);
    const F end = ldexp(F(1), 8 * sizeof(T) - (T(-1) > T(0) ? 0 : 1)); // beyond the last
    return x != x ? T(0) : x >= end ? most : x <= F(least) ? least : T(x);
}

static int __float2int_rz(float x)
{
    return held<int>(x);
}
static int __double2int_rz(double x)
{
    return held<int>(x);
}
static int __float2int_rd(float x)
{
    return held<int>(floor(x));
}
static int __double2int_rd(double x)
{
    return held<int>(floor(x));
}
static int __float2int_ru(float x)
{
    return held<int>(ceil(x));
}
static int __double2int_ru(double x)
{
    return held<int>(ceil(x));
}
static unsigned __float2uint_rz(float x)
{
    return held<unsigned>(x);
}
static unsigned __double2uint_rz(double x)
{
    return held<unsigned>(x);
}
static long long __float2ll_rz(float x)
{
    return held<long long>(x);
}
static long long __double2ll_rz(double x)
{
    return held<long long>(x);
}
static unsigned long long __float2ull_rz(float x)
{
    return held<unsigned long long>(x);
}
static unsigned long long __double2ull_rz(double x)
{
    return held<unsigned long long>(x);
}

// Of 0.0 and -0.0 a GPU takes -0.0 for the lesser; the C library may take either.
template <class T> static T lesser(T a, T b)
{
    return a != a ? b : b != b ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}

#define fmin        lesser<double>
#define fminf       lesser<float>
#define fmax(a, b)  (-lesser<double>(-(a), -(b)))
#define fmaxf(a, b) (-lesser<float>(-(a), -(b)))

static float __fadd_rn(float a, float b)
{
    return a + b;
}
static float __fsub_rn(float a, float b)
{
    return a - b;
}
static float __fmul_rn(float a, float b)
{
    return a * b;
}
static float __fdiv_rn(float a, float b)
{
    return a / b;
}
static double __dadd_rn(double a, double b)
{
    return a + b;
}
static double __dsub_rn(double a, double b)
{
    return a - b;
}
static double __dmul_rn(double a, double b)
{
    return a * b;
}
static double __ddiv_rn(double a, double b)
{
    return a / b;
}
static float __fmaf_rn(float a, float b, float c)
{
    return fmaf(a, b, c);
}
static double __fma_rn(double a, double b, double c)
{
    return fma(a, b, c);
}
static float __fsqrt_rn(float a)
{
    return sqrtf(a);
}
static double __dsqrt_rn(double a)
{
    return sqrt(a);
}
static float __frcp_rn(float a)
{
    return 1 / a;
}
static double __drcp_rn(double a)
{
    return 1 / a;
}

template <class A, class B> static decltype(A() + B()) min(A a, B b)
{
    return b < a ? b : a;
}
template <class A, class B> static decltype(A() + B()) max(A a, B b)
{
    return b > a ? b : a;
}

// ---- memory -------------------------------------------------------------------------------------

#define LOADS(name)                                                                                \
    template <class T> static T name(const T *from)                                                \
    {                                                                                              \
        return *from;                                                                              \
    }
#define STORES(name)                                                                               \
    template <class T, class V> static void name(T *to, V value)                                   \
    {                                                                                              \
        *to = (T)value;                                                                            \
    }
LOADS(__ldg)
LOADS(__ldca) LOADS(__ldcg) LOADS(__ldcs) LOADS(__ldlu) LOADS(__ldcv) STORES(__stwb) STORES(__stcg)
    STORES(__stcs) STORES(__stwt)

// Threads are only left where they wait.
#define ATOMIC(name, result)                                                                       \
    template <class T, class V> static T name(T *at, V with)                                       \
    {                                                                                              \
        const T old = *at, value = (T)with;                                                        \
        *at = (T)(result);                                                                         \
        return old;                                                                                \
    }
        ATOMIC(atomicAdd, old + value) ATOMIC(atomicSub, old - value)
            ATOMIC(atomicMax, value > old ? value : old)
                ATOMIC(atomicMin, value < old ? value : old) ATOMIC(atomicAnd, old &value)
                    ATOMIC(atomicOr, old | value) ATOMIC(atomicXor, old ^ value)
                        ATOMIC(atomicExch, value) ATOMIC(atomicInc, old >= value ? 0 : old + 1)
                            ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)

                                template <class T, class U, class V>
                                static T atomicCAS(T *at, U expected, V value)
{
    const T old = *at;
    if (old == (T)expected)
        *at = (T)value;
    return old;
}

static void __threadfence()
{
}
static void __threadfence_block()
{
}
static void __threadfence_system()
{
}

static void copy_aligned(void *to, const void *from, size_t bytes)
{
    if ((((uintptr_t)to | (uintptr_t)from) & ((bytes < 16 ? bytes : 16) - 1)) != 0)
        emulated->wrong("what is copied at once is not aligned");
    memcpy(to, from, bytes);
}

// ---- threads that meet --------------------------------------------------------------------------

static void __syncthreads()
{
    emulated->meet(MEET, 0);
}
static int __syncthreads_count(int p)
{
    return emulated->meet(MEET_COUNT, p);
}
static int __syncthreads_and(int p)
{
    return emulated->meet(MEET_AND, p);
}
static int __syncthreads_or(int p)
{
    return emulated->meet(MEET_OR, p);
}

// Lanes are never known to go on together.
static unsigned __activemask()
{
    return 1u << emulated->lane;
}

enum { PURPOSE_SYNC, PURPOSE_SHUFFLE, PURPOSE_VOTE, PURPOSE_MATCH };

struct Exchange {
    unsigned there;
    const unsigned long long *all;
    Exchange(int purpose, unsigned mask, unsigned long long value = 0)
    {
        all = emulated->exchange(purpose, mask, value, &there);
    }
    // The lanes that gave that value.
    unsigned like(unsigned long long value) const
    {
        unsigned lanes = 0;
        for (int lane = 0; lane < 32; lane++)
            lanes |= (unsigned)(there >> lane & 1 && all[lane] == value) << lane;
        return lanes;
    }
};

static void __syncwarp(unsigned mask = ~0u)
{
    Exchange(PURPOSE_SYNC, mask);
}

template <class T> static T shuffled(unsigned mask, T value, unsigned from, bool within)
{
    const Exchange got(PURPOSE_SHUFFLE, mask, bits_as<unsigned long long>(value));
    if (!within)
        return value;
    return bits_as<T>(got.there >> from & 1 ? got.all[from] : 0x0badbadbadbadbadull);
}

template <class T> static T __shfl_sync(unsigned mask, T value, int from, int width = 32)
{
    const unsigned first = emulated->lane & ~(width - 1u);
    return shuffled(mask, value, first + (from & (width - 1)), true);
}

template <class T> static T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32)
{
    by &= 31;
    return shuffled(mask, value, emulated->lane - by, by <= (emulated->lane & (width - 1u)));
}

template <class T> static T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32)
{
    by &= 31;
    return shuffled(mask, value, emulated->lane + by,
                    (emulated->lane & (width - 1u)) + by < (unsigned)width);
}

template <class T> static T __shfl_xor_sync(unsigned mask, T value, int by, int width = 32)
{
    const unsigned from = emulated->lane ^ ((unsigned)by & 31);
    return shuffled(mask, value, from, from / width <= emulated->lane / width);
}

static unsigned __ballot_sync(unsigned mask, int p)
{
    return Exchange(PURPOSE_VOTE, mask, p != 0).like(1);
}

static int __any_sync(unsigned mask, int p)
{
    return __ballot_sync(mask, p) != 0;
}
static int __all_sync(unsigned mask, int p)
{
    return __ballot_sync(mask, !p) == 0;
}

static int __uni_sync(unsigned mask, int p)
{
    const unsigned yes = __ballot_sync(mask, p), no = __ballot_sync(mask, !p);
    return !yes || !no;
}

template <class T> static unsigned __match_any_sync(unsigned mask, T value)
{
    const unsigned long long bits = bits_as<unsigned long long>(value);
    return Exchange(PURPOSE_MATCH, mask, bits).like(bits);
}

template <class T> static unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    const unsigned long long bits = bits_as<unsigned long long>(value);
    const Exchange got(PURPOSE_MATCH, mask, bits);
    *all = got.like(bits) == got.there;
    return *all ? mask : 0;
}

// ---- launches -----------------------------------------------------------------------------------

template <unsigned... I> struct Numbers {
};
template <unsigned N, unsigned... I> struct NumbersTo : NumbersTo<N - 1, N - 1, I...> {
};
template <unsigned... I> struct NumbersTo<0, I...> {
    typedef Numbers<I...> all;
};

template <class... P, unsigned... I>
static void call_with(void (*kernel)(P...), void *const *params, Numbers<I...>)
{
    kernel(*(P *)params[I]...);
}

template <class... P> static void call(void (*kernel)(P...), void *const *params, Emulated *runner)
{
    emulated = runner;
    call_with(kernel, params, typename NumbersTo<sizeof...(P)>::all());
}
