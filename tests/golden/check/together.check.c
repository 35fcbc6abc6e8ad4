== kernel ==
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

static inline float from_bits_f32(unsigned int bits)
{
    union {
        unsigned int bits;
        float value;
    } same = { bits };

    return same.value;
}

static inline int from_bits_i32(unsigned int bits)
{
    union {
        unsigned int bits;
        int value;
    } same = { bits };

    return same.value;
}

/* A variable is set to a shuffle's result; bit -1: it has none. */
static inline void from_shuffle(KjitCheck *c, int bit)
{
    if (bit >= 0)
        c->undefined &= ~(1u << bit);
    if (!c->shuffle_undefined)
        return;
    c->ops->undefined(c, -1, bit);
    if (bit >= 0)
        c->undefined |= 1u << bit;
}

/* For an index. */
static inline long long index_sub_i64(KjitCheck *c, int site, long long a, long long b)
{
    long long result;

    if (__builtin_sub_overflow(a, b, &result))
        c->ops->wrong(c, site, CHECK_INDEX_OVERFLOW, (long long)a, (long long)b);
    return result;
}

static inline int lane_id(dim3 thread, dim3 block)
{
    return ((thread.z * block.y + thread.y) * block.x + thread.x) % 32;
}

static inline unsigned int to_bits_f32(float value)
{
    union {
        float value;
        unsigned int bits;
    } same = { value };

    return same.bits;
}

static inline unsigned int to_bits_i32(int value)
{
    union {
        int value;
        unsigned int bits;
    } same = { value };

    return same.bits;
}

/* A variable that may hold a shuffle's undefined result is used. */
static inline void use_shuffled(KjitCheck *c, int bit)
{
    if (c->undefined >> bit & 1)
        c->ops->undefined(c, bit, -1);
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

typedef struct array_f32_1 {
    float *data;
    long long shape[1], strides[1];
} array_f32_1;

static inline array_f32_1 make_array_f32_1(const void *data, long long n0, long long s0)
{
    array_f32_1 made = { (float *)data, { n0 }, { s0 } };

    return made;
}

#line 5 "together.k"
static float total(KjitCheck *c, array_f32_1 tile, float value)
{
    int i = c->thread.x;
#line 7 "together.k"
    STORE(float, at_1(c, 0, CHECK_WRITE, 4, tile.data, i, tile.shape[0], tile.strides[0]), value);
    c->ops->barrier(c, 1, 0, 0);
    if (branch(c, 3, *(float *)at_1(c, 2, CHECK_READ, 4, tile.data, 0, tile.shape[0],
            tile.strides[0]) < 0.0)) {
#line 10 "together.k"
        c->ops->fault(c, 0, (const long long[]){ 0 }, (const double[]){ value });
        c->ops->end(c);
    }
#line 11 "together.k"
    return *(float *)at_1(c, 6, CHECK_READ, 4, tile.data,
            used_index(c, 5, 2u, 0u, index_sub_i64(c, 4, 31, i), tile.shape[0]), tile.shape[0],
            tile.strides[0]);
}

static void kernel(KjitCheck *c, float *x, long long x_0, long long n)
{
    float *const tile = (float *)(c->shared + 0);
    int i = c->thread.x;
#line 19 "together.k"
    float _t = total(calls_at(c, 7), make_array_f32_1(tile, 32, 4),
            *(float *)at_1(c, 8, CHECK_READ, 4, x, i, x_0, 4));
#line 19 "together.k"
    STORE(float, at_1(c, 9, CHECK_WRITE, 4, x, i, x_0, 4), _t);
    c->ops->fence(c, 10, 1);
    c->ops->fence(c, 11, 0);
    c->ops->fence(c, 12, 2);
    unsigned int mask = (unsigned int)c->ops->warp(c, 13, 10, 0, 1, 0, 32);
    float value = from_bits_f32(c->ops->warp(c, 15, 3, 0xffffffffu,
            to_bits_f32(*(float *)at_1(c, 14, CHECK_READ, 4, x, i, x_0, 4)), 1, 32));
    from_shuffle(c, 0);
#line 25 "together.k"
    int other = from_bits_i32(c->ops->warp(c, 16, 1, mask, to_bits_i32(i),
            lane_id(c->thread, c->block_dim), 32));
    from_shuffle(c, 1);
#line 26 "together.k"
    bool _t_5 = c->ops->warp(c, 17, 6, mask, (use_shuffled(c, 0), value) > 3.0, 0, 32) != 0;
    bool _both = _t_5;
#line 26 "together.k"
    if (branch(c, 18, _both)) {
#line 26 "together.k"
        int _t_6 = (int)c->ops->barrier(c, 19, 1, i);
        _both = _t_6 > 3;
    }
#line 26 "together.k"
    if (branch(c, 20, _both)) {
        int _t_7 = (int)c->ops->warp(c, 21, 8, mask, i < n, 0, 32);
#line 27 "together.k"
        int _t_8 = (int)c->ops->warp(c, 22, 9, mask, to_bits_i32((use_shuffled(c, 1), other)), 0,
                32);
#line 27 "together.k"
        STORE(float, at_1(c, 23, CHECK_WRITE, 4, x, i, x_0, 4), (long long)_t_7 + _t_8);
    }
#line 28 "together.k"
    c->ops->warp(c, 24, 0, 0xffffffffu, 0, 0, 32);
    if (branch(c, 26, !(*(float *)at_1(c, 25, CHECK_READ, 4, x, i, x_0, 4) >= 0.0))) {
#line 29 "together.k"
        c->ops->fault(c, 1, 0, 0);
        return;
    }
}

#line 1 "kjit"
void kjit_check_thread(KjitCheck *c, void *const *params)
{
    kernel(c, *(void * const *)params[0], *(long long const *)params[1],
            *(long long const *)params[2]);
}
== grids ==
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

/* For an index. */
static inline long long index_sub_i64(KjitCheck *c, int site, long long a, long long b)
{
    long long result;

    if (__builtin_sub_overflow(a, b, &result))
        c->ops->wrong(c, site, CHECK_INDEX_OVERFLOW, (long long)a, (long long)b);
    return result;
}

static inline int meet_grid(KjitCheck *c, int site)
{
    c->ops->grid(c, site);
    return 0;
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

#line 34 "together.k"
static void grids(KjitCheck *c, double *x, long long x_0)
{
    int i = c->block.x;
#line 36 "together.k"
    STORE(double, at_1(c, 0, CHECK_WRITE, 8, x, i, x_0, 8), i);
    meet_grid(c, 1);
    STORE(double, at_1(c, 2, CHECK_WRITE, 8, x, i, x_0, 8),
            *(double *)at_1(c, 5, CHECK_READ, 8, x,
            used_index(c, 4, 2u, 0u, index_sub_i64(c, 3, 3, i), x_0), x_0, 8));
}

#line 1 "kjit"
void kjit_check_thread(KjitCheck *c, void *const *params)
{
    grids(c, *(void * const *)params[0], *(long long const *)params[1]);
}
