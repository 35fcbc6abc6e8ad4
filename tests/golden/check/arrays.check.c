== of_a_block ==
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

/* Where to access an element: an index, extent and stride in bytes for each axis. */
static inline void *at_2(KjitCheck *c, int site, int access, unsigned bytes, const void *data, long long i0,
               long long n0, long long s0, long long i1, long long n1, long long s1)
{
    long long at0 = i0, at1 = i1;

    if (!is_inside(&at0, n0))
        return out_of_bounds(c, site, access, bytes, 0, i0, n0);
    if (!is_inside(&at1, n1))
        return out_of_bounds(c, site, access, bytes, 1, i1, n1);
    return access_at(c, site, access, bytes, (const char *)data + at0 * s0 + at1 * s1);
}

/* A condition that the threads of a warp may differ in. */
static inline bool branch(KjitCheck *c, int site, bool taken)
{
    if (c->advise)
        c->ops->branch(c, site, taken);
    return taken;
}

#line 8 "arrays.k"
static void of_a_block(KjitCheck *c, const float *x, long long x_0, double *out, long long out_0)
{
    float *const tile = (float *)(c->shared + 0);
    signed char *const flags = (signed char *)(c->shared + 256);
    float *const more = (float *)c->dynamic;
    const long long more_0 = (long long)(c->dynamic_shared / sizeof(float));
#line 12 "arrays.k"
    int i = c->thread.x;
    STORE(float, at_2(c, 0, CHECK_WRITE, 4, tile, i / 8, 8, 32, i % 8, 8, 4),
            *(float *)at_1(c, 1, CHECK_READ, 4, x, i, x_0, 4));
    if (branch(c, 2, i < 3))
#line 15 "arrays.k"
        STORE(signed char, at_1(c, 3, CHECK_WRITE, 1, flags, i, 3, 1), 1);
    STORE(float, at_1(c, 4, CHECK_WRITE, 4, more, i % 16, more_0, 4),
            *(float *)at_1(c, 5, CHECK_READ, 4, x, i, x_0, 4));
#line 17 "arrays.k"
    c->ops->barrier(c, 6, 0, 0);
    STORE(double, at_1(c, 7, CHECK_WRITE, 8, out, i, out_0, 8),
            *(float *)at_2(c, 8, CHECK_READ, 4, tile, i % 8, 8, 32, i / 8, 8, 4) +
            *(signed char *)at_1(c, 9, CHECK_READ, 1, flags, 0, 3, 1) +
            *(float *)at_1(c, 10, CHECK_READ, 4, more, 3, more_0, 4));
}

#line 1 "kjit"
void kjit_check_thread(KjitCheck *c, void *const *params)
{
    of_a_block(c, *(void * const *)params[0], *(long long const *)params[1],
            *(void * const *)params[2], *(long long const *)params[3]);
}
== of_a_thread ==
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

/* Where to access an element: an index, extent and stride in bytes for each axis. */
static inline void *at_2(KjitCheck *c, int site, int access, unsigned bytes, const void *data, long long i0,
               long long n0, long long s0, long long i1, long long n1, long long s1)
{
    long long at0 = i0, at1 = i1;

    if (!is_inside(&at0, n0))
        return out_of_bounds(c, site, access, bytes, 0, i0, n0);
    if (!is_inside(&at1, n1))
        return out_of_bounds(c, site, access, bytes, 1, i1, n1);
    return access_at(c, site, access, bytes, (const char *)data + at0 * s0 + at1 * s1);
}

static const double weights[3] = {
    1.0, 2.0, 4.0
};

#line 23 "arrays.k"
static void of_a_thread(KjitCheck *c, double *out, long long out_0)
{
    int few[6];
    c->ops->local(c, 0, few, sizeof few);
#line 25 "arrays.k"
    int i = c->thread.x;
    STORE(int, at_2(c, 1, CHECK_WRITE, 4, few, 1, 2, 12, 2, 3, 4), i);
    STORE(double, at_1(c, 2, CHECK_WRITE, 8, out, i, out_0, 8),
            *(int *)at_2(c, 3, CHECK_READ, 4, few, 1, 2, 12, 2, 3, 4) *
            *(double *)at_1(c, 4, 0, 8, (double *)&weights[0], i % 3, 3, 8));
}

#line 1 "kjit"
void kjit_check_thread(KjitCheck *c, void *const *params)
{
    of_a_thread(c, *(void * const *)params[0], *(long long const *)params[1]);
}
== of_records ==
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

typedef struct record {
    float x;
    char gap0_[4];
    double y;
    signed char name;
    char gap1_[7];
} record;
_Static_assert(sizeof(record) == 24, "records lie as they do outside");

#line 35 "arrays.k"
static void of_records(KjitCheck *c, record *points, long long points_0)
{
    int i = c->thread.x;
#line 37 "arrays.k"
    STORE(float, at_1(c, 0, CHECK_WRITE, 4, points, i, points_0, 24),
            (float)(*(double *)at_1(c, 1, CHECK_READ, 8, (const char *)points + 8, i, points_0,
            24) + *(signed char *)at_1(c, 2, CHECK_READ, 1, (const char *)points + 16, -1,
            points_0, 24)));
#line 38 "arrays.k"
    STORE(record, at_1(c, 3, CHECK_WRITE, 24, points, 0, points_0, 24),
            *(record *)at_1(c, 4, CHECK_READ, 24, points, i, points_0, 24));
}

#line 1 "kjit"
void kjit_check_thread(KjitCheck *c, void *const *params)
{
    of_records(c, *(void * const *)params[0], *(long long const *)params[1]);
}
