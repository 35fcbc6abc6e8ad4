== elements ==
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

#line 6 "accesses.k"
static void elements(KjitCheck *c, const float *x, long long x_0, long long x_1, double *out,
        long long out_0, long long n)
{
#line 7 "accesses.k"
    long long i = (long long)c->block.x * c->block_dim.x + c->thread.x;
    STORE(double, at_1(c, 0, CHECK_WRITE, 8, out, i, out_0, 8),
            *(float *)at_2(c, 1, CHECK_READ, 4, x, i, x_0, x_1 * 4, -1, x_1, 4) *
            *(float *)at_2(c, 2, CHECK_READ, 4, x, i, x_0, x_1 * 4, n, x_1, 4));
#line 9 "accesses.k"
    STORE(double, at_1(c, 3, CHECK_WRITE, 8, out, i, out_0, 8),
            *(double *)at_1(c, 4, CHECK_READ, 8, out, i, out_0, 8) +
            *(float *)at_2(c, 5, CHECK_READ, 4, x, -2, x_0, x_1 * 4, 3, x_1, 4));
}

#line 1 "kjit"
void kjit_check_thread(KjitCheck *c, void *const *params)
{
    elements(c, *(void * const *)params[0], *(long long const *)params[1],
            *(long long const *)params[2], *(void * const *)params[3],
            *(long long const *)params[4], *(long long const *)params[5]);
}
== through_views ==
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

typedef struct CheckAxis {
    int axis; /* of the underlying array */
    long long index, extent, stride;
} CheckAxis;

/* The same for any number of axes. */
static inline void *at(KjitCheck *c, int site, int access, unsigned bytes, const void *data, int count,
             const CheckAxis *axes)
{
    const char *address = data;

    for (int i = 0; i < count; i++) {
        long long index = axes[i].index;
        if (!is_inside(&index, axes[i].extent))
            return out_of_bounds(c, site, access, bytes, axes[i].axis, axes[i].index,
                                 axes[i].extent);
        address += index * axes[i].stride;
    }
    return access_at(c, site, access, bytes, address);
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

static inline long long max_i64(long long a, long long b)
{
    return b > a ? b : a;
}

static inline long long min_i64(long long a, long long b)
{
    return b < a ? b : a;
}

typedef struct array_f32_1 {
    float *data;
    long long shape[1], strides[1];
} array_f32_1;

static inline array_f32_1 make_array_f32_1(const void *data, long long n0, long long s0)
{
    array_f32_1 made = { (float *)data, { n0 }, { s0 } };

    return made;
}

#line 14 "accesses.k"
static void through_views(KjitCheck *c, const float *x, long long x_0, long long x_1, double *out,
        long long out_0)
{
#line 15 "accesses.k"
    long long i = (long long)c->block.x * c->block_dim.x + c->thread.x;
    array_f32_1 row = make_array_f32_1(at_1(c, 0, CHECK_VIEW, 0, x, i, x_0, x_1 * 4), x_1, 4);
    long long _start = min_i64(2, x_0);
    long long _count = max_i64(x_0 - _start, 0);
#line 17 "accesses.k"
    long long _start_2 = min_i64(1, x_1);
    long long _count_2 = max_i64(x_1 - _start_2, 0);
#line 17 "accesses.k"
    STORE(double, at_1(c, 1, CHECK_WRITE, 8, out, i, out_0, 8),
            *(float *)at_1(c, 2, CHECK_READ, 4, row.data, 2, row.shape[0], row.strides[0]) +
            *(float *)at_2(c, 3, CHECK_READ, 4, x, i, x_0, x_1 * 4, 3, x_1, 4) +
            *(float *)at_2(c, 4, CHECK_READ, 4, (const char *)x + _start * (x_1 * 4) +
            _start_2 * 4, 0, _count, x_1 * 4, 4, _count_2, 4) +
            *(float *)at(c, 5, CHECK_READ, 4, x, 2,
            (const CheckAxis[]){ { 1, 5, x_1, 4 }, { 0, i, x_0, x_1 * 4 } }));
}

#line 1 "kjit"
void kjit_check_thread(KjitCheck *c, void *const *params)
{
    through_views(c, *(void * const *)params[0], *(long long const *)params[1],
            *(long long const *)params[2], *(void * const *)params[3],
            *(long long const *)params[4]);
}
== by_other_elements ==
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

#line 22 "accesses.k"
static void by_other_elements(KjitCheck *c, const long long *index, long long index_0, double *x,
        long long x_0)
{
#line 23 "accesses.k"
    long long i = (long long)c->block.x * c->block_dim.x + c->thread.x;
    STORE(double, at_1(c, 1, CHECK_WRITE, 8, x,
            *(long long *)at_1(c, 0, CHECK_READ, 8, index, i, index_0, 8), x_0, 8),
            *(long long *)at_1(c, 3, CHECK_READ, 8, index,
            *(long long *)at_1(c, 2, CHECK_READ, 8, index, i, index_0, 8), index_0, 8) + 1);
}

#line 1 "kjit"
void kjit_check_thread(KjitCheck *c, void *const *params)
{
    by_other_elements(c, *(void * const *)params[0], *(long long const *)params[1],
            *(void * const *)params[2], *(long long const *)params[3]);
}
== atomics ==
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

static inline int atomic_add_i32(int *address, int value)
{
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

static inline int atomic_cas_i32(int *address, int expected, int value)
{
    __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
    return expected;
}

static inline int atomic_exch_i32(int *address, int value)
{
    int old;

    __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);
    return old;
}

static inline int atomic_now_i32(int *address)
{
    int now;

    __atomic_load(address, &now, __ATOMIC_RELAXED);
    return now;
}

/* Puts `value` where `old` is. If something else is there now, puts that in `old`: false. */
static inline bool atomic_swap_i32(int *address, int *old, int value)
{
    return __atomic_compare_exchange(address, old, &value, true, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

/* What is there stays if either is NaN. */
static inline int atomic_max_i32(int *address, int value)
{
    int old = atomic_now_i32(address);

    while (value > old && !atomic_swap_i32(address, &old, value))
        continue;
    return old;
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
static inline double fits_i32(KjitCheck *c, int site, double x)
{
    const double end = (double)(1ULL << (32 - 1));

    if (!((x > -end - 1 || x == -end) && x < end))
        integer_overflow(c, site, x, 32);
    return x;
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
static inline int i32_from_f64(double x)
{
    if (!(fabs(x) >= 1))
        return 0;
    if (x >= (double)2147483648.0)
        return 0x7fffffff;
    return x <= (double)-2147483648.0 ? -0x7fffffff - 1 : (int)x;
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

/* The old value of an exchange; reports a change. */
static inline int swapped_i32(KjitCheck *c, const int *address, int before)
{
    if (*address != before)
        c->ops->swapped(c, address, sizeof before, (unsigned int)before, (unsigned int)*address);
    return before;
}

#line 29 "accesses.k"
static void atomics_(KjitCheck *c, int *bins, long long bins_0, const double *x, long long x_0)
{
    long long i = (long long)c->block.x * c->block_dim.x + c->thread.x;
#line 31 "accesses.k"
    atomic_add_i32(at_1(c, 2, CHECK_ATOMIC, 4, bins,
            i64_from_f64(fits_i64(c, 1, *(double *)at_1(c, 0, CHECK_READ, 8, x, i, x_0, 8) * 4.0)),
            bins_0, 4), 1);
#line 32 "accesses.k"
    ({ const int operand = i32_from_f64(fits_i32(c, 4,
            *(double *)at_1(c, 3, CHECK_READ, 8, x, i, x_0, 8)));
            atomic_max_i32(at_1(c, 5, CHECK_ATOMIC, 4, bins, 0, bins_0, 4), operand); });
#line 33 "accesses.k"
    int old = ({ const int operand_2 = (int)i;
            ({ int *kjit_address = at_1(c, 6, CHECK_ATOMIC, 4, bins, i % 4, bins_0, 4);
            swapped_i32(c, kjit_address, atomic_cas_i32(kjit_address, 0, operand_2)); }); });
#line 34 "accesses.k"
    ({ int *kjit_address = at_1(c, 7, CHECK_ATOMIC, 4, bins, 1, bins_0, 4);
            swapped_i32(c, kjit_address, atomic_exch_i32(kjit_address, old)); });
}

#line 1 "kjit"
void kjit_check_thread(KjitCheck *c, void *const *params)
{
    atomics_(c, *(void * const *)params[0], *(long long const *)params[1],
            *(void * const *)params[2], *(long long const *)params[3]);
}
