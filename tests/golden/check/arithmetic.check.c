== wrong ==
#line 1 "kjit prelude"
/* What may be used of the C library. To read its own headers would take a compiler a fifth of the
** time that a small kernel takes. */
#include <stdbool.h>
#include <stddef.h>
/* gcc 12 vectorises float16 wrongly for processors that compute with it (AVX512-FP16): an element
** that was stored is loaded as it was before. Kernels compute in float32. */
#if defined(__AVX512FP16__) && !defined(__clang__)
#pragma GCC target("no-avx512fp16")
#endif
/* gcc 12 makes -(double)i of 0.0 - (double)i, which is -0.0 where i is 0, unless it is told that
** numbers may be rounded in another way than to nearest. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("rounding-math")
/* Without AVX-512 masks are vectors, of which a gather takes the highest bits. gcc 12 guards stores
** by a mask that is the same in all iterations, and takes it for 1 behind the guard, where all bits
** of it are set: such a gather loads nothing. The pass that propagates the 1 is left out. */
#if defined(__AVX2__) && !defined(__AVX512VL__)
#pragma GCC optimize("no-tree-dominator-opts")
#endif
#endif
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
#define ONE(name) double name(double); float name##f(float);
#define TWO(name) double name(double, double); float name##f(float, float);
ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos)
ONE(cosh) ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor) ONE(lgamma) ONE(log)
ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(rint) ONE(round) ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan)
ONE(tanh) ONE(tgamma) ONE(trunc) ONE(j0) ONE(j1) ONE(y0) ONE(y1)
TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(pow)
TWO(remainder)
double fma(double, double, double), frexp(double, int *), ldexp(double, int), jn(int, double);
double yn(int, double), modf(double, double *);
float fmaf(float, float, float), frexpf(float, int *), ldexpf(float, int), modff(float, float *);
int ilogb(double), ilogbf(float), memcmp(const void *, const void *, size_t);
int posix_memalign(void **, size_t, size_t), printf(const char *, ...);
void *calloc(size_t, size_t), *memchr(const void *, int, size_t), *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), free(void *);
#undef ONE
#undef TWO

typedef struct dim3 {
    int x, y, z;
} dim3;

enum { CHECK_READ = 1, CHECK_WRITE = 2, CHECK_ATOMIC = 4, CHECK_VIEW = 8 };
enum { CHECK_ZERO_DIVISION, CHECK_INDEX_OVERFLOW, CHECK_SHIFT, CHECK_CAST,
       CHECK_INDEX_CAST, CHECK_UNSET, CHECK_NAN, CHECK_INFINITY };

typedef struct KjitCheck KjitCheck;
typedef struct KjitCheckOps {
    void *(*access)(KjitCheck *c, int site, void *address, unsigned bytes, int access);
    void *(*read)(KjitCheck *c, int site, void *address);
    void *(*write)(KjitCheck *c, int site, void *address);
    void *(*outside)(KjitCheck *c, int site, int axis, long long index, long long extent,
                     unsigned bytes, int access);
    void (*local)(KjitCheck *c, int site, void *address, unsigned long long bytes);
    void (*fence)(KjitCheck *c, int site, int scope);
    long long (*barrier)(KjitCheck *c, int site, int kind, long long value);
    unsigned long long (*warp)(KjitCheck *c, int site, int kind, unsigned mask,
                               unsigned long long value, int argument, int width);
    void (*grid)(KjitCheck *c, int site);
    void (*wrong)(KjitCheck *c, int site, int kind, long long a, long long b);
    void (*fault)(KjitCheck *c, int fault, const long long *integers, const double *floats);
    void (*branch)(KjitCheck *c, int site, int taken);
    void (*iteration)(KjitCheck *c, int site);
    void (*undefined)(KjitCheck *c, int from, int to);
    void (*swapped)(KjitCheck *c, const void *address, unsigned bytes, unsigned long long before,
                    unsigned long long after);
    void (*cut)(KjitCheck *c, int site, int number, bool stored, bool data, long long a, int bits);
    void (*used)(KjitCheck *c, int site, unsigned whole, unsigned part, long long extent);
    void (*escaped)(KjitCheck *c, void *address, unsigned long long bytes);
    void (*end)(KjitCheck *c) __attribute__((noreturn));
} KjitCheckOps;

struct KjitCheck {
    const KjitCheckOps *ops;
    unsigned long long base, words;
    const unsigned long long *mark;
    unsigned long long redundant[3];
    int budget, site;
    dim3 block, thread, block_dim, grid_dim;
    char *shared, *dynamic;
    unsigned long long dynamic_shared;
    long long iterations;
    int called, left;
    unsigned undefined, wraps;
    const unsigned *stored;
    bool advise, shuffle_undefined;
};
_Static_assert(sizeof(KjitCheck) == 176, "another layout");

/* Computes the value before the address. */
#define STORE(type, address, ...)                                                                \
    do {                                                                                       \
        const type kjit_stored = (__VA_ARGS__);                                                \
        memcpy(address, &kjit_stored, sizeof kjit_stored);                                       \
    } while (0)

/* Whether a read is redundant (checked.h); if so it is counted. */
static inline bool is_redundant(KjitCheck *c, int site, unsigned bytes, const void *address)
{
    unsigned long long at = (unsigned long long)address - c->base, count = bytes / 4;

    if (bytes != 4 && bytes != 8)
        return false;
    /* Rotated right, so that an unaligned offset becomes larger than all word numbers. */
    at = at / bytes | at << (bytes == 4 ? 62 : 61);
    if (at >= c->words / count || c->budget <= 0)
        return false;
    for (unsigned i = 0; i < count; i++) {
        unsigned long long mark = c->mark[at * count + i];
        if (mark != c->redundant[0] && mark != c->redundant[1] && mark != c->redundant[2])
            return false;
    }
    c->budget--;
    c->site = site;
    return true;
}

/* The address at which to access bytes within the bounds of their array. `access` is 0 for constant
** arrays, which are checked only where their address is CHECK_NOWHERE's; a view's first element is
** not accessed yet. */
static inline void *access_at(KjitCheck *c, int site, int access, unsigned bytes, const void *address)
{
    enum { EDGE = 61 };

    if (access == CHECK_VIEW || (!access && (unsigned long long)address >> EDGE == 0) ||
        (access == CHECK_READ && is_redundant(c, site, bytes, address)))
        return (void *)address;
    if (bytes == 4 && access == CHECK_READ)
        return c->ops->read(c, site, (void *)address);
    if (bytes == 4 && access == CHECK_WRITE)
        return c->ops->write(c, site, (void *)address);
    return c->ops->access(c, site, (void *)address, bytes, access ? access : CHECK_READ);
}

/* The address for an access out of bounds; for a view, CHECK_NOWHERE. */
static inline void *out_of_bounds(KjitCheck *c, int site, int access, unsigned bytes, int axis,
                        long long index, long long extent)
{
    if (access != CHECK_VIEW)
        return c->ops->outside(c, site, axis, index, extent, bytes, access ? access : CHECK_READ);
    c->ops->outside(c, site, axis, index, extent, 0, 0);
    return (void *)(1ULL << 62);
}

/* Whether the index is in range; a negative one is made to count from the end. */
static inline bool is_inside(long long *index, long long extent)
{
    if (*index < 0)
        *index += extent;
    return (unsigned long long)*index < (unsigned long long)extent;
}

/* Where to access an element: an index, extent and stride in bytes for each axis. */
static inline void *at_1(KjitCheck *c, int site, int access, unsigned bytes, const void *data, long long i,
               long long n, long long s)
{
    long long at = i;

    if (!is_inside(&at, n))
        return out_of_bounds(c, site, access, bytes, 0, i, n);
    return access_at(c, site, access, bytes, (const char *)data + at * s);
}

/* a // b, rounded down; 0 where C has no answer. gcc 12 takes (y - x) / 3 for -((x - y) / 3), which
** is wrong of the least number: it is not to see where a comes from. */
static inline long long floor_div_i64(long long a, long long b)
{
    long long quotient;

#ifndef __clang__
    __asm__("" : "+r"(a));
#endif
    if (b == 0)
        return 0;
    if (b == -1) {
        quotient = (long long)(0 - (unsigned long long)a);
        return quotient == a ? 0 : quotient;
    }
    quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

static inline long long check_floor_div_i64(KjitCheck *c, int site, long long a, long long b)
{
    if (b == 0)
        c->ops->wrong(c, site, CHECK_ZERO_DIVISION, (long long)a, 0);
    return floor_div_i64(a, b);
}

/* a % b, with the sign of b; 0 where C has no answer. What is less than b already, as most places
** on a ring are, waits for no division. Those by constants are none, and better off in vectors. */
static inline long long floor_mod_i64(long long a, long long b)
{
    long long rest;

    if (!__builtin_constant_p(b) && a >= 0 && a < b)
        return a;
    if (b == 0 || b == -1)
        return 0;
    rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static inline long long check_floor_mod_i64(KjitCheck *c, int site, long long a, long long b)
{
    if (b == 0)
        c->ops->wrong(c, site, CHECK_ZERO_DIVISION, (long long)a, 0);
    return floor_mod_i64(a, b);
}

/* The count b of a shift of a, reduced to its lowest bits as processors do. */
static inline int shift_count_i64(KjitCheck *c, int site, long long a, long long b)
{
    if ((unsigned long long)b >= 64)
        c->ops->wrong(c, site, CHECK_SHIFT, (long long)a, (long long)b);
    return (int)((unsigned long long)b & (64 - 1));
}

static inline long long check_shl_i64(KjitCheck *c, int site, long long a, long long b)
{
    return (long long)((unsigned long long)a << shift_count_i64(c, site, a, b));
}

static inline long long bits_of_double(double x)
{
    long long same;

    memcpy(&same, &x, sizeof same);
    return same;
}

/* A float that does not fit an integer of so many bits. */
static inline void integer_overflow(KjitCheck *c, int site, double x, int bits)
{
    c->ops->wrong(c, site, CHECK_CAST, bits_of_double(x), bits);
}

/* x, which is to become an integer. */
static inline double fits_i64(KjitCheck *c, int site, double x)
{
    const double end = (double)(1ULL << (64 - 1));

    if (!((x > -end - 1 || x == -end) && x < end))
        integer_overflow(c, site, x, 64);
    return x;
}

/* Truncated, and held at the ends of the range; NaN gives 0. What is less than 1 is not
** converted: of a conversion and one back gcc makes a truncation, and that of -0.5 is -0.0. */
static inline long long i64_from_f64(double x)
{
    if (!(fabs(x) >= 1))
        return 0;
    if (x >= (double)9223372036854775808.0)
        return 0x7fffffffffffffffLL;
    return x < (double)-9223372036854775808.0 ? -0x7fffffffffffffffLL - 1 : (long long)x;
}

/* The nearest integer, half to even. */
static inline long long round_f64(double x)
{
    return i64_from_f64(rint(x));
}

#line 6 "arithmetic.k"
static void wrong(KjitCheck *c, long long *a, long long a_0, const double *x, long long x_0,
        long long n)
{
#line 7 "arithmetic.k"
    int i = c->thread.x;
    STORE(long long, at_1(c, 0, CHECK_WRITE, 8, a, i, a_0, 8),
            check_floor_div_i64(c, 1, *(long long *)at_1(c, 2, CHECK_READ, 8, a, i, a_0, 8), n) +
            floor_mod_i64(*(long long *)at_1(c, 3, CHECK_READ, 8, a, i, a_0, 8), 2) +
            check_floor_mod_i64(c, 4, i, n));
#line 9 "arithmetic.k"
    STORE(long long, at_1(c, 5, CHECK_WRITE, 8, a, i, a_0, 8),
            check_shl_i64(c, 6, *(long long *)at_1(c, 7, CHECK_READ, 8, a, i, a_0, 8), n) +
            (*(long long *)at_1(c, 8, CHECK_READ, 8, a, i, a_0, 8) >> 3));
#line 10 "arithmetic.k"
    STORE(long long, at_1(c, 9, CHECK_WRITE, 8, a, i, a_0, 8),
            i64_from_f64(fits_i64(c, 11, *(double *)at_1(c, 10, CHECK_READ, 8, x, i, x_0, 8))) +
            round_f64(fits_i64(c, 13, *(double *)at_1(c, 12, CHECK_READ, 8, x, i, x_0, 8))));
#line 11 "arithmetic.k"
    STORE(long long, at_1(c, 14, CHECK_WRITE, 8, a, i, a_0, 8),
            i64_from_f64(fits_i64(c, 16, *(double *)at_1(c, 15, CHECK_READ, 8, x, i, x_0, 8))));
}

#line 1 "kjit"
void kjit_check_thread(KjitCheck *c, void *const *params)
{
    wrong(c, *(void * const *)params[0], *(long long const *)params[1], *(void * const *)params[2],
            *(long long const *)params[3], *(long long const *)params[4]);
}
== used_as_an_index ==
#line 1 "kjit prelude"
/* What may be used of the C library. To read its own headers would take a compiler a fifth of the
** time that a small kernel takes. */
#include <stdbool.h>
#include <stddef.h>
/* gcc 12 vectorises float16 wrongly for processors that compute with it (AVX512-FP16): an element
** that was stored is loaded as it was before. Kernels compute in float32. */
#if defined(__AVX512FP16__) && !defined(__clang__)
#pragma GCC target("no-avx512fp16")
#endif
/* gcc 12 makes -(double)i of 0.0 - (double)i, which is -0.0 where i is 0, unless it is told that
** numbers may be rounded in another way than to nearest. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("rounding-math")
/* Without AVX-512 masks are vectors, of which a gather takes the highest bits. gcc 12 guards stores
** by a mask that is the same in all iterations, and takes it for 1 behind the guard, where all bits
** of it are set: such a gather loads nothing. The pass that propagates the 1 is left out. */
#if defined(__AVX2__) && !defined(__AVX512VL__)
#pragma GCC optimize("no-tree-dominator-opts")
#endif
#endif
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
#define ONE(name) double name(double); float name##f(float);
#define TWO(name) double name(double, double); float name##f(float, float);
ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos)
ONE(cosh) ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor) ONE(lgamma) ONE(log)
ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(rint) ONE(round) ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan)
ONE(tanh) ONE(tgamma) ONE(trunc) ONE(j0) ONE(j1) ONE(y0) ONE(y1)
TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(pow)
TWO(remainder)
double fma(double, double, double), frexp(double, int *), ldexp(double, int), jn(int, double);
double yn(int, double), modf(double, double *);
float fmaf(float, float, float), frexpf(float, int *), ldexpf(float, int), modff(float, float *);
int ilogb(double), ilogbf(float), memcmp(const void *, const void *, size_t);
int posix_memalign(void **, size_t, size_t), printf(const char *, ...);
void *calloc(size_t, size_t), *memchr(const void *, int, size_t), *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), free(void *);
#undef ONE
#undef TWO

typedef struct dim3 {
    int x, y, z;
} dim3;

enum { CHECK_READ = 1, CHECK_WRITE = 2, CHECK_ATOMIC = 4, CHECK_VIEW = 8 };
enum { CHECK_ZERO_DIVISION, CHECK_INDEX_OVERFLOW, CHECK_SHIFT, CHECK_CAST,
       CHECK_INDEX_CAST, CHECK_UNSET, CHECK_NAN, CHECK_INFINITY };

typedef struct KjitCheck KjitCheck;
typedef struct KjitCheckOps {
    void *(*access)(KjitCheck *c, int site, void *address, unsigned bytes, int access);
    void *(*read)(KjitCheck *c, int site, void *address);
    void *(*write)(KjitCheck *c, int site, void *address);
    void *(*outside)(KjitCheck *c, int site, int axis, long long index, long long extent,
                     unsigned bytes, int access);
    void (*local)(KjitCheck *c, int site, void *address, unsigned long long bytes);
    void (*fence)(KjitCheck *c, int site, int scope);
    long long (*barrier)(KjitCheck *c, int site, int kind, long long value);
    unsigned long long (*warp)(KjitCheck *c, int site, int kind, unsigned mask,
                               unsigned long long value, int argument, int width);
    void (*grid)(KjitCheck *c, int site);
    void (*wrong)(KjitCheck *c, int site, int kind, long long a, long long b);
    void (*fault)(KjitCheck *c, int fault, const long long *integers, const double *floats);
    void (*branch)(KjitCheck *c, int site, int taken);
    void (*iteration)(KjitCheck *c, int site);
    void (*undefined)(KjitCheck *c, int from, int to);
    void (*swapped)(KjitCheck *c, const void *address, unsigned bytes, unsigned long long before,
                    unsigned long long after);
    void (*cut)(KjitCheck *c, int site, int number, bool stored, bool data, long long a, int bits);
    void (*used)(KjitCheck *c, int site, unsigned whole, unsigned part, long long extent);
    void (*escaped)(KjitCheck *c, void *address, unsigned long long bytes);
    void (*end)(KjitCheck *c) __attribute__((noreturn));
} KjitCheckOps;

struct KjitCheck {
    const KjitCheckOps *ops;
    unsigned long long base, words;
    const unsigned long long *mark;
    unsigned long long redundant[3];
    int budget, site;
    dim3 block, thread, block_dim, grid_dim;
    char *shared, *dynamic;
    unsigned long long dynamic_shared;
    long long iterations;
    int called, left;
    unsigned undefined, wraps;
    const unsigned *stored;
    bool advise, shuffle_undefined;
};
_Static_assert(sizeof(KjitCheck) == 176, "another layout");

/* Computes the value before the address. */
#define STORE(type, address, ...)                                                                \
    do {                                                                                       \
        const type kjit_stored = (__VA_ARGS__);                                                \
        memcpy(address, &kjit_stored, sizeof kjit_stored);                                       \
    } while (0)

/* Whether a read is redundant (checked.h); if so it is counted. */
static inline bool is_redundant(KjitCheck *c, int site, unsigned bytes, const void *address)
{
    unsigned long long at = (unsigned long long)address - c->base, count = bytes / 4;

    if (bytes != 4 && bytes != 8)
        return false;
    /* Rotated right, so that an unaligned offset becomes larger than all word numbers. */
    at = at / bytes | at << (bytes == 4 ? 62 : 61);
    if (at >= c->words / count || c->budget <= 0)
        return false;
    for (unsigned i = 0; i < count; i++) {
        unsigned long long mark = c->mark[at * count + i];
        if (mark != c->redundant[0] && mark != c->redundant[1] && mark != c->redundant[2])
            return false;
    }
    c->budget--;
    c->site = site;
    return true;
}

/* The address at which to access bytes within the bounds of their array. `access` is 0 for constant
** arrays, which are checked only where their address is CHECK_NOWHERE's; a view's first element is
** not accessed yet. */
static inline void *access_at(KjitCheck *c, int site, int access, unsigned bytes, const void *address)
{
    enum { EDGE = 61 };

    if (access == CHECK_VIEW || (!access && (unsigned long long)address >> EDGE == 0) ||
        (access == CHECK_READ && is_redundant(c, site, bytes, address)))
        return (void *)address;
    if (bytes == 4 && access == CHECK_READ)
        return c->ops->read(c, site, (void *)address);
    if (bytes == 4 && access == CHECK_WRITE)
        return c->ops->write(c, site, (void *)address);
    return c->ops->access(c, site, (void *)address, bytes, access ? access : CHECK_READ);
}

/* The address for an access out of bounds; for a view, CHECK_NOWHERE. */
static inline void *out_of_bounds(KjitCheck *c, int site, int access, unsigned bytes, int axis,
                        long long index, long long extent)
{
    if (access != CHECK_VIEW)
        return c->ops->outside(c, site, axis, index, extent, bytes, access ? access : CHECK_READ);
    c->ops->outside(c, site, axis, index, extent, 0, 0);
    return (void *)(1ULL << 62);
}

/* Whether the index is in range; a negative one is made to count from the end. */
static inline bool is_inside(long long *index, long long extent)
{
    if (*index < 0)
        *index += extent;
    return (unsigned long long)*index < (unsigned long long)extent;
}

/* Where to access an element: an index, extent and stride in bytes for each axis. */
static inline void *at_1(KjitCheck *c, int site, int access, unsigned bytes, const void *data, long long i,
               long long n, long long s)
{
    long long at = i;

    if (!is_inside(&at, n))
        return out_of_bounds(c, site, access, bytes, 0, i, n);
    return access_at(c, site, access, bytes, (const char *)data + at * s);
}

/* An iteration of a loop, or a call of a function that calls itself. */
static inline void begin_iteration(KjitCheck *c, int site)
{
    if (--c->iterations < 0)
        c->ops->iteration(c, site);
}

/* A condition that the threads of a warp may differ in. */
static inline bool branch(KjitCheck *c, int site, bool taken)
{
    if (c->advise)
        c->ops->branch(c, site, taken);
    return taken;
}

/* The thread, passed to a function that is called at a site. */
static inline KjitCheck *calls_at(KjitCheck *c, int site)
{
    c->called = site;
    return c;
}

/* For an index. */
static inline long long index_add_i64(KjitCheck *c, int site, long long a, long long b)
{
    long long result;

    if (__builtin_add_overflow(a, b, &result))
        c->ops->wrong(c, site, CHECK_INDEX_OVERFLOW, (long long)a, (long long)b);
    return result;
}

/* For an index. */
static inline long long index_mul_i64(KjitCheck *c, int site, long long a, long long b)
{
    long long result;

    if (__builtin_mul_overflow(a, b, &result))
        c->ops->wrong(c, site, CHECK_INDEX_OVERFLOW, (long long)a, (long long)b);
    return result;
}

/* For an index. */
static inline long long index_neg_i64(KjitCheck *c, int site, long long a)
{
    long long result;

    if (__builtin_sub_overflow(0, a, &result))
        c->ops->wrong(c, site, CHECK_INDEX_OVERFLOW, 0, (long long)a);
    return result;
}

/* For an index. */
static inline long long index_sub_i64(KjitCheck *c, int site, long long a, long long b)
{
    long long result;

    if (__builtin_sub_overflow(a, b, &result))
        c->ops->wrong(c, site, CHECK_INDEX_OVERFLOW, (long long)a, (long long)b);
    return result;
}

/* What follows i in a count by `step`: never beyond `stop`, so that nothing overflows. */
static inline long long range_next_i64(long long i, long long stop, long long step)
{
    unsigned long long left = step > 0 ? (unsigned long long)stop - (unsigned long long)i : (unsigned long long)i - (unsigned long long)stop;
    unsigned long long stride = step > 0 ? (unsigned long long)step : 0 - (unsigned long long)step;

    return left <= stride ? stop : (long long)(i + step);
}

/* Whether a count by `step` that is at i goes on. */
static inline bool range_short_i64(long long i, long long stop, long long step)
{
    return step > 0 ? i < stop : step < 0 && i > stop;
}

/* An index that may be computed from arithmetic that has wrapped. */
static inline long long used_index(KjitCheck *c, int site, unsigned whole, unsigned part, long long index,
                         long long extent)
{
    long long at = index;

    if ((c->wraps | *c->stored) & (whole | part) && is_inside(&at, extent))
        c->ops->used(c, site, whole, part, extent);
    return index;
}

#line 15 "arithmetic.k"
static long long place(KjitCheck *c, int row, long long width)
{
    return index_mul_i64(c, 0, row, width);
}


static void used_as_an_index(KjitCheck *c, long long *a, long long a_0, long long n)
{
    int i = c->thread.x;
    long long first = index_add_i64(c, 1, place(calls_at(c, 2), i, n), 1);
    long long last = first + n - 2;
    long long _step = index_sub_i64(c, 3, n, 7);
#line 25 "arithmetic.k"
    if (_step == 0) {
#line 25 "arithmetic.k"
        c->ops->fault(c, 0, 0, 0);
        return;
    }
#line 25 "arithmetic.k"
    for (long long k = first; branch(c, 4, range_short_i64(k, last, _step));
            k = range_next_i64(k, last, _step)) {
        begin_iteration(c, 5);
#line 26 "arithmetic.k"
        STORE(long long, at_1(c, 8, CHECK_WRITE, 8, a,
                used_index(c, 7, 8u, 22u, index_neg_i64(c, 6, k), a_0), a_0, 8), i * n);
    }
#line 27 "arithmetic.k"
    STORE(long long, at_1(c, 9, CHECK_WRITE, 8, a, ((long long)i * 31 + 7) % 64, a_0, 8), 1);
}

#line 1 "kjit"
void kjit_check_thread(KjitCheck *c, void *const *params)
{
    used_as_an_index(c, *(void * const *)params[0], *(long long const *)params[1],
            *(long long const *)params[2]);
}
== branches ==
#line 1 "kjit prelude"
/* What may be used of the C library. To read its own headers would take a compiler a fifth of the
** time that a small kernel takes. */
#include <stdbool.h>
#include <stddef.h>
/* gcc 12 vectorises float16 wrongly for processors that compute with it (AVX512-FP16): an element
** that was stored is loaded as it was before. Kernels compute in float32. */
#if defined(__AVX512FP16__) && !defined(__clang__)
#pragma GCC target("no-avx512fp16")
#endif
/* gcc 12 makes -(double)i of 0.0 - (double)i, which is -0.0 where i is 0, unless it is told that
** numbers may be rounded in another way than to nearest. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("rounding-math")
/* Without AVX-512 masks are vectors, of which a gather takes the highest bits. gcc 12 guards stores
** by a mask that is the same in all iterations, and takes it for 1 behind the guard, where all bits
** of it are set: such a gather loads nothing. The pass that propagates the 1 is left out. */
#if defined(__AVX2__) && !defined(__AVX512VL__)
#pragma GCC optimize("no-tree-dominator-opts")
#endif
#endif
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
#define ONE(name) double name(double); float name##f(float);
#define TWO(name) double name(double, double); float name##f(float, float);
ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos)
ONE(cosh) ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor) ONE(lgamma) ONE(log)
ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(rint) ONE(round) ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan)
ONE(tanh) ONE(tgamma) ONE(trunc) ONE(j0) ONE(j1) ONE(y0) ONE(y1)
TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(pow)
TWO(remainder)
double fma(double, double, double), frexp(double, int *), ldexp(double, int), jn(int, double);
double yn(int, double), modf(double, double *);
float fmaf(float, float, float), frexpf(float, int *), ldexpf(float, int), modff(float, float *);
int ilogb(double), ilogbf(float), memcmp(const void *, const void *, size_t);
int posix_memalign(void **, size_t, size_t), printf(const char *, ...);
void *calloc(size_t, size_t), *memchr(const void *, int, size_t), *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), free(void *);
#undef ONE
#undef TWO

typedef struct dim3 {
    int x, y, z;
} dim3;

enum { CHECK_READ = 1, CHECK_WRITE = 2, CHECK_ATOMIC = 4, CHECK_VIEW = 8 };
enum { CHECK_ZERO_DIVISION, CHECK_INDEX_OVERFLOW, CHECK_SHIFT, CHECK_CAST,
       CHECK_INDEX_CAST, CHECK_UNSET, CHECK_NAN, CHECK_INFINITY };

typedef struct KjitCheck KjitCheck;
typedef struct KjitCheckOps {
    void *(*access)(KjitCheck *c, int site, void *address, unsigned bytes, int access);
    void *(*read)(KjitCheck *c, int site, void *address);
    void *(*write)(KjitCheck *c, int site, void *address);
    void *(*outside)(KjitCheck *c, int site, int axis, long long index, long long extent,
                     unsigned bytes, int access);
    void (*local)(KjitCheck *c, int site, void *address, unsigned long long bytes);
    void (*fence)(KjitCheck *c, int site, int scope);
    long long (*barrier)(KjitCheck *c, int site, int kind, long long value);
    unsigned long long (*warp)(KjitCheck *c, int site, int kind, unsigned mask,
                               unsigned long long value, int argument, int width);
    void (*grid)(KjitCheck *c, int site);
    void (*wrong)(KjitCheck *c, int site, int kind, long long a, long long b);
    void (*fault)(KjitCheck *c, int fault, const long long *integers, const double *floats);
    void (*branch)(KjitCheck *c, int site, int taken);
    void (*iteration)(KjitCheck *c, int site);
    void (*undefined)(KjitCheck *c, int from, int to);
    void (*swapped)(KjitCheck *c, const void *address, unsigned bytes, unsigned long long before,
                    unsigned long long after);
    void (*cut)(KjitCheck *c, int site, int number, bool stored, bool data, long long a, int bits);
    void (*used)(KjitCheck *c, int site, unsigned whole, unsigned part, long long extent);
    void (*escaped)(KjitCheck *c, void *address, unsigned long long bytes);
    void (*end)(KjitCheck *c) __attribute__((noreturn));
} KjitCheckOps;

struct KjitCheck {
    const KjitCheckOps *ops;
    unsigned long long base, words;
    const unsigned long long *mark;
    unsigned long long redundant[3];
    int budget, site;
    dim3 block, thread, block_dim, grid_dim;
    char *shared, *dynamic;
    unsigned long long dynamic_shared;
    long long iterations;
    int called, left;
    unsigned undefined, wraps;
    const unsigned *stored;
    bool advise, shuffle_undefined;
};
_Static_assert(sizeof(KjitCheck) == 176, "another layout");

/* Computes the value before the address. */
#define STORE(type, address, ...)                                                                \
    do {                                                                                       \
        const type kjit_stored = (__VA_ARGS__);                                                \
        memcpy(address, &kjit_stored, sizeof kjit_stored);                                       \
    } while (0)

/* Whether a read is redundant (checked.h); if so it is counted. */
static inline bool is_redundant(KjitCheck *c, int site, unsigned bytes, const void *address)
{
    unsigned long long at = (unsigned long long)address - c->base, count = bytes / 4;

    if (bytes != 4 && bytes != 8)
        return false;
    /* Rotated right, so that an unaligned offset becomes larger than all word numbers. */
    at = at / bytes | at << (bytes == 4 ? 62 : 61);
    if (at >= c->words / count || c->budget <= 0)
        return false;
    for (unsigned i = 0; i < count; i++) {
        unsigned long long mark = c->mark[at * count + i];
        if (mark != c->redundant[0] && mark != c->redundant[1] && mark != c->redundant[2])
            return false;
    }
    c->budget--;
    c->site = site;
    return true;
}

/* The address at which to access bytes within the bounds of their array. `access` is 0 for constant
** arrays, which are checked only where their address is CHECK_NOWHERE's; a view's first element is
** not accessed yet. */
static inline void *access_at(KjitCheck *c, int site, int access, unsigned bytes, const void *address)
{
    enum { EDGE = 61 };

    if (access == CHECK_VIEW || (!access && (unsigned long long)address >> EDGE == 0) ||
        (access == CHECK_READ && is_redundant(c, site, bytes, address)))
        return (void *)address;
    if (bytes == 4 && access == CHECK_READ)
        return c->ops->read(c, site, (void *)address);
    if (bytes == 4 && access == CHECK_WRITE)
        return c->ops->write(c, site, (void *)address);
    return c->ops->access(c, site, (void *)address, bytes, access ? access : CHECK_READ);
}

/* The address for an access out of bounds; for a view, CHECK_NOWHERE. */
static inline void *out_of_bounds(KjitCheck *c, int site, int access, unsigned bytes, int axis,
                        long long index, long long extent)
{
    if (access != CHECK_VIEW)
        return c->ops->outside(c, site, axis, index, extent, bytes, access ? access : CHECK_READ);
    c->ops->outside(c, site, axis, index, extent, 0, 0);
    return (void *)(1ULL << 62);
}

/* Whether the index is in range; a negative one is made to count from the end. */
static inline bool is_inside(long long *index, long long extent)
{
    if (*index < 0)
        *index += extent;
    return (unsigned long long)*index < (unsigned long long)extent;
}

/* Where to access an element: an index, extent and stride in bytes for each axis. */
static inline void *at_1(KjitCheck *c, int site, int access, unsigned bytes, const void *data, long long i,
               long long n, long long s)
{
    long long at = i;

    if (!is_inside(&at, n))
        return out_of_bounds(c, site, access, bytes, 0, i, n);
    return access_at(c, site, access, bytes, (const char *)data + at * s);
}

/* An iteration of a loop, or a call of a function that calls itself. */
static inline void begin_iteration(KjitCheck *c, int site)
{
    if (--c->iterations < 0)
        c->ops->iteration(c, site);
}

/* A condition that the threads of a warp may differ in. */
static inline bool branch(KjitCheck *c, int site, bool taken)
{
    if (c->advise)
        c->ops->branch(c, site, taken);
    return taken;
}

#line 32 "arithmetic.k"
static void branches(KjitCheck *c, double *x, long long x_0)
{
    int i = c->thread.x;
#line 34 "arithmetic.k"
    if (branch(c, 1, *(double *)at_1(c, 0, CHECK_READ, 8, x, i, x_0, 8) < 0.0))
        STORE(double, at_1(c, 2, CHECK_WRITE, 8, x, i, x_0, 8), 0.0);
    else if (c->block_dim.x < 4)
        STORE(double, at_1(c, 3, CHECK_WRITE, 8, x, i, x_0, 8), 1.0);
    while (branch(c, 5, *(double *)at_1(c, 4, CHECK_READ, 8, x, i, x_0, 8) > 1.0)) {
        begin_iteration(c, 6);
#line 39 "arithmetic.k"
        STORE(double, at_1(c, 7, CHECK_WRITE, 8, x, i, x_0, 8),
                *(double *)at_1(c, 8, CHECK_READ, 8, x, i, x_0, 8) * 0.5);
    }
#line 40 "arithmetic.k"
    for (int j = 0; branch(c, 9, j < i); j++) {
        begin_iteration(c, 10);
#line 41 "arithmetic.k"
        STORE(double, at_1(c, 11, CHECK_WRITE, 8, x, i, x_0, 8),
                *(double *)at_1(c, 12, CHECK_READ, 8, x, i, x_0, 8) + j);
    }
}

#line 1 "kjit"
void kjit_check_thread(KjitCheck *c, void *const *params)
{
    branches(c, *(void * const *)params[0], *(long long const *)params[1]);
}
