/* What a checked kernel needs beside prelude.c and both.c: what it says to the checker, as
** checked.h has it. Pieces: see emit.h. */

/*@ KjitCheck - : dim3.- */
enum { CHECK_READ = 1, CHECK_WRITE = 2, CHECK_ATOMIC = 4, CHECK_VIEW = 8 };
enum { CHECK_ZERO_DIVISION, CHECK_INDEX_OVERFLOW, CHECK_SHIFT, CHECK_CAST,
       CHECK_INDEX_CAST, CHECK_NAN, CHECK_INFINITY };

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
    void (*heard)(KjitCheck *c, int from, int to);
    void (*swapped)(KjitCheck *c, const void *address, unsigned bytes, unsigned long long before,
                    unsigned long long after);
    void (*cut)(KjitCheck *c, int site, int number, bool stored, bool data, long long a, int bits);
    void (*used)(KjitCheck *c, int site, unsigned whole, unsigned part, long long extent);
    void (*given)(KjitCheck *c, void *address, unsigned long long bytes);
    void (*end)(KjitCheck *c) __attribute__((noreturn));
} KjitCheckOps;

struct KjitCheck {
    const KjitCheckOps *ops;
    unsigned long long base, words;
    const unsigned long long *mark;
    unsigned long long told[3];
    int budget, site;
    dim3 block, thread, block_dim, grid_dim;
    char *shared, *dynamic;
    unsigned long long dynamic_shared;
    long long iterations;
    int called, left;
    unsigned heard, wraps;
    const unsigned *stored;
    bool advise, unheard;
};
_Static_assert(sizeof(KjitCheck) == 176, "another layout");

/*@ access_at - : KjitCheck.- is_reported.- */
/* Bytes in the bounds of their array. What is there for good is accessed as 0; a view's first
** element is not accessed yet. */
$fn void *access_at(KjitCheck *c, int site, int access, unsigned bytes, const void *address)
{
    enum { EDGE = 61 };

    if (access == CHECK_VIEW || (!access && (unsigned long long)address >> EDGE == 0) ||
        (access == CHECK_READ && is_reported(c, site, bytes, address)))
        return (void *)address;
    if (bytes == 4 && access == CHECK_READ)
        return c->ops->read(c, site, (void *)address);
    if (bytes == 4 && access == CHECK_WRITE)
        return c->ops->write(c, site, (void *)address);
    return c->ops->access(c, site, (void *)address, bytes, access ? access : CHECK_READ);
}

/*@ is_reported - : KjitCheck.- */
/* Whether a read need not be said, as checked.h has it; then it is done. */
$fn bool is_reported(KjitCheck *c, int site, unsigned bytes, const void *address)
{
    unsigned long long at = (unsigned long long)address - c->base, count = bytes / 4;

    if (bytes != 4 && bytes != 8)
        return false;
    /* Divided by what it must be a multiple of: what is not is beyond all words. */
    at = at / bytes | at << (bytes == 4 ? 62 : 61);
    if (at >= c->words / count || c->budget <= 0)
        return false;
    for (unsigned i = 0; i < count; i++) {
        unsigned long long mark = c->mark[at * count + i];
        if (mark != c->told[0] && mark != c->told[1] && mark != c->told[2])
            return false;
    }
    c->budget--;
    c->site = site;
    return true;
}

/*@ beyond - : KjitCheck.- */
/* The same of bytes that are not; views of them are nowhere. */
$fn void *beyond(KjitCheck *c, int site, int access, unsigned bytes, int axis, long long index,
                 long long extent)
{
    if (access != CHECK_VIEW)
        return c->ops->outside(c, site, axis, index, extent, bytes, access ? access : CHECK_READ);
    c->ops->outside(c, site, axis, index, extent, 0, 0);
    return (void *)(1ULL << 62);
}

/*@ is_inside - */
/* Whether the index is one of an axis; makes a negative one count from the end. */
$fn bool is_inside(long long *index, long long extent)
{
    if (*index < 0)
        *index += extent;
    return (unsigned long long)*index < (unsigned long long)extent;
}

/*@ at_0 - : access_at.- */
/* Where to access an element: an index, extent and stride in bytes for each axis. */
$fn void *at_0(KjitCheck *c, int site, int access, unsigned bytes, const void *data)
{
    return access_at(c, site, access, bytes, data);
}

/*@ at_1 - : access_at.- beyond.- is_inside.- */
/* Where to access an element: an index, extent and stride in bytes for each axis. */
$fn void *at_1(KjitCheck *c, int site, int access, unsigned bytes, const void *data, long long i,
               long long n, long long s)
{
    long long at = i;

    if (!is_inside(&at, n))
        return beyond(c, site, access, bytes, 0, i, n);
    return access_at(c, site, access, bytes, (const char *)data + at * s);
}

/*@ at_2 - : access_at.- beyond.- is_inside.- */
/* Where to access an element: an index, extent and stride in bytes for each axis. */
$fn void *at_2(KjitCheck *c, int site, int access, unsigned bytes, const void *data, long long i0,
               long long n0, long long s0, long long i1, long long n1, long long s1)
{
    long long at0 = i0, at1 = i1;

    if (!is_inside(&at0, n0))
        return beyond(c, site, access, bytes, 0, i0, n0);
    if (!is_inside(&at1, n1))
        return beyond(c, site, access, bytes, 1, i1, n1);
    return access_at(c, site, access, bytes, (const char *)data + at0 * s0 + at1 * s1);
}

/*@ at_3 - : access_at.- beyond.- is_inside.- */
/* Where to access an element: an index, extent and stride in bytes for each axis. */
$fn void *at_3(KjitCheck *c, int site, int access, unsigned bytes, const void *data, long long i0,
               long long n0, long long s0, long long i1, long long n1, long long s1, long long i2,
               long long n2, long long s2)
{
    long long at0 = i0, at1 = i1, at2 = i2;

    if (!is_inside(&at0, n0))
        return beyond(c, site, access, bytes, 0, i0, n0);
    if (!is_inside(&at1, n1))
        return beyond(c, site, access, bytes, 1, i1, n1);
    if (!is_inside(&at2, n2))
        return beyond(c, site, access, bytes, 2, i2, n2);
    return access_at(c, site, access, bytes,
                     (const char *)data + at0 * s0 + at1 * s1 + at2 * s2);
}

/*@ at - : access_at.- beyond.- is_inside.- */
typedef struct CheckAxis {
    int axis; /* of the array that the user knows */
    long long index, extent, stride;
} CheckAxis;

/* Where to access an element, through any number of axes. */
$fn void *at(KjitCheck *c, int site, int access, unsigned bytes, const void *data, int count,
             const CheckAxis *axes)
{
    const char *address = data;

    for (int i = 0; i < count; i++) {
        long long index = axes[i].index;
        if (!is_inside(&index, axes[i].extent))
            return beyond(c, site, access, bytes, axes[i].axis, axes[i].index, axes[i].extent);
        address += index * axes[i].stride;
    }
    return access_at(c, site, access, bytes, address);
}

/*@ tuple_index - : KjitCheck.- */
/* The index of one of n items; another if there is none such. */
$fn long long tuple_index(KjitCheck *c, int site, long long i, long long n)
{
    if ((unsigned long long)i < (unsigned long long)n)
        return i;
    c->ops->outside(c, site, 0, i < 0 ? i - n : i, n, 0, 0);
    return 0;
}

/*@ far_index - */
/* An index that is never negative. */
$fn long long far_index(unsigned long long i)
{
    return i > 0x7fffffffffffffffULL ? 0x7fffffffffffffffLL : (long long)i;
}

/*@ STORE - */
/* Computes the value, then asks where to put it. */
#define STORE(type, address, ...)                                                                \
    do {                                                                                       \
        const type kjit_stored = (__VA_ARGS__);                                                \
        memcpy(address, &kjit_stored, sizeof kjit_stored);                                       \
    } while (0)

/*@ UNALIGNED - */
/* What lies at any address. */
#define UNALIGNED(type, address)                                                                 \
    (((struct __attribute__((packed)) { type value; } *)(address))->value)

/*@ check_floor_div int : KjitCheck.- floor_div */
$fn $T check_floor_div_$S(KjitCheck *c, int site, $T a, $T b)
{
    if (b == 0)
        c->ops->wrong(c, site, CHECK_ZERO_DIVISION, (long long)a, 0);
    return floor_div_$S(a, b);
}

/*@ check_floor_mod int : KjitCheck.- floor_mod */
$fn $T check_floor_mod_$S(KjitCheck *c, int site, $T a, $T b)
{
    if (b == 0)
        c->ops->wrong(c, site, CHECK_ZERO_DIVISION, (long long)a, 0);
    return floor_mod_$S(a, b);
}

/*@ shift_count int : KjitCheck.- */
/* The count b of a shift of a, of which the processor takes the lowest bits. */
$fn int shift_count_$S(KjitCheck *c, int site, $T a, $T b)
{
    if (($U)b >= $B)
        c->ops->wrong(c, site, CHECK_SHIFT, (long long)a, (long long)b);
    return (int)(($U)b & ($B - 1));
}

/*@ check_shl int : shift_count */
$fn $T check_shl_$S(KjitCheck *c, int site, $T a, $T b)
{
    return ($T)(($U)a << shift_count_$S(c, site, a, b));
}

/*@ check_shr int : shift_count */
$fn $T check_shr_$S(KjitCheck *c, int site, $T a, $T b)
{
    return ($T)(a >> shift_count_$S(c, site, a, b));
}

/*@ index_add int : KjitCheck.- */
/* For an index. */
$fn $T index_add_$S(KjitCheck *c, int site, $T a, $T b)
{
    $T result;

    if (__builtin_add_overflow(a, b, &result))
        c->ops->wrong(c, site, CHECK_INDEX_OVERFLOW, (long long)a, (long long)b);
    return result;
}

/*@ index_sub int : KjitCheck.- */
/* For an index. */
$fn $T index_sub_$S(KjitCheck *c, int site, $T a, $T b)
{
    $T result;

    if (__builtin_sub_overflow(a, b, &result))
        c->ops->wrong(c, site, CHECK_INDEX_OVERFLOW, (long long)a, (long long)b);
    return result;
}

/*@ index_mul int : KjitCheck.- */
/* For an index. */
$fn $T index_mul_$S(KjitCheck *c, int site, $T a, $T b)
{
    $T result;

    if (__builtin_mul_overflow(a, b, &result))
        c->ops->wrong(c, site, CHECK_INDEX_OVERFLOW, (long long)a, (long long)b);
    return result;
}

/*@ index_neg int : KjitCheck.- */
/* For an index. */
$fn $T index_neg_$S(KjitCheck *c, int site, $T a)
{
    $T result;

    if (__builtin_sub_overflow(0, a, &result))
        c->ops->wrong(c, site, CHECK_INDEX_OVERFLOW, 0, (long long)a);
    return result;
}

/*@ index_shl int : check_shl */
/* For an index. */
$fn $T index_shl_$S(KjitCheck *c, int site, $T a, $T b)
{
    $T result = check_shl_$S(c, site, a, b);

    if (($U)b < $B && ($T)(result >> b) != a)
        c->ops->wrong(c, site, CHECK_INDEX_OVERFLOW, (long long)a, (long long)b);
    return result;
}

/*@ index_cast signed : KjitCheck.- */
/* For an index, of a wider integer. */
$fn $T index_cast_$S(KjitCheck *c, int site, long long a)
{
    if (a != ($T)a)
        c->ops->wrong(c, site, CHECK_INDEX_CAST, a, $B);
    return ($T)a;
}

/*@ index_cast_from_u64 signed : index_cast far_index.- */
/* For an index. */
$fn $T index_cast_from_u64_$S(KjitCheck *c, int site, unsigned long long a)
{
    return index_cast_$S(c, site, far_index(a));
}

/*@ cut int : KjitCheck.- */
/* For an index, of a wider integer: what is cut off may be meant to be. */
$fn $T cut_$S(KjitCheck *c, int site, int number, bool data, long long a)
{
    c->wraps &= ~(1u << number);
    if (a != (long long)($T)a) {
        c->ops->cut(c, site, number, false, data, a, $B);
        c->wraps |= 1u << number;
    }
    return ($T)a;
}

/*@ stored_cut int : KjitCheck.- */
/* For an array whose elements are indices. */
$fn $T stored_cut_$S(KjitCheck *c, int site, int number, bool data, long long a)
{
    if (a != (long long)($T)a)
        c->ops->cut(c, site, number, true, data, a, $B);
    return ($T)a;
}

/*@ used_index - : KjitCheck.- is_inside.- */
/* An index that may be made of what has wrapped. */
$fn long long used_index(KjitCheck *c, int site, unsigned whole, unsigned part, long long index,
                         long long extent)
{
    long long at = index;

    if ((c->wraps | *c->stored) & (whole | part) && is_inside(&at, extent))
        c->ops->used(c, site, whole, part, extent);
    return index;
}

/*@ beyond_integer - : KjitCheck.- bits_of_double.- */
/* A float that no integer of so many bits holds. */
$fn void beyond_integer(KjitCheck *c, int site, double x, int bits)
{
    c->ops->wrong(c, site, CHECK_CAST, bits_of_double(x), bits);
}

/*@ fits signed : beyond_integer.- */
/* x, which is to become an integer. */
$fn double fits_$S(KjitCheck *c, int site, double x)
{
    const double end = (double)(1ULL << ($B - 1));

    if (!((x > -end - 1 || x == -end) && x < end))
        beyond_integer(c, site, x, $B);
    return x;
}

/*@ fits unsigned : beyond_integer.- */
/* x, which is to become an integer. */
$fn double fits_$S(KjitCheck *c, int site, double x)
{
    if (!(x > -1 && x < 2.0 * (double)(1ULL << ($B - 1))))
        beyond_integer(c, site, x, $B);
    return x;
}

/*@ bits_of_double - */
$fn long long bits_of_double(double x)
{
    long long same;

    memcpy(&same, &x, sizeof same);
    return same;
}

/*@ born float : KjitCheck.- bits_of_double.- */
/* A result of a and b; tells if it is the first NaN, or infinity. */
$fn $T born_$S(KjitCheck *c, int site, $T result, $T a, $T b)
{
    if (isfinite(result))
        return result;
    if (isnan(result) ? !isnan(a) && !isnan(b) : isfinite(a) && isfinite(b))
        c->ops->wrong(c, site, isnan(result) ? CHECK_NAN : CHECK_INFINITY, bits_of_double(a),
                      bits_of_double(b));
    return result;
}

/*@ born_add float : born */
$fn $T born_add_$S(KjitCheck *c, int site, $T a, $T b)
{
    return born_$S(c, site, a + b, a, b);
}

/*@ born_sub float : born */
$fn $T born_sub_$S(KjitCheck *c, int site, $T a, $T b)
{
    return born_$S(c, site, a - b, a, b);
}

/*@ born_mul float : born */
$fn $T born_mul_$S(KjitCheck *c, int site, $T a, $T b)
{
    return born_$S(c, site, a * b, a, b);
}

/*@ born_div float : born */
$fn $T born_div_$S(KjitCheck *c, int site, $T a, $T b)
{
    return born_$S(c, site, a / b, a, b);
}

/*@ born_floor_div float : born floor_div */
$fn $T born_floor_div_$S(KjitCheck *c, int site, $T a, $T b)
{
    return born_$S(c, site, floor_div_$S(a, b), a, b);
}

/*@ born_floor_mod float : born floor_mod */
$fn $T born_floor_mod_$S(KjitCheck *c, int site, $T a, $T b)
{
    return born_$S(c, site, floor_mod_$S(a, b), a, b);
}

/*@ born_pow float : born */
$fn $T born_pow_$S(KjitCheck *c, int site, $T a, $T b)
{
    return born_$S(c, site, pow$m(a, b), a, b);
}

/*@ born_pow_int float : born pow_int */
$fn $T born_pow_int_$S(KjitCheck *c, int site, $T a, long long b)
{
    return born_$S(c, site, pow_int_$S(a, b), a, a);
}

/*@ born_of_3 float : born */
/* A result of a, b and d. */
$fn $T born_of_3_$S(KjitCheck *c, int site, $T result, $T a, $T b, $T d)
{
    return isfinite(d) ? born_$S(c, site, result, a, b) : result;
}

/*@ narrows - : KjitCheck.- bits_of_double.- */
/* A float that is to become a narrower one, for which what is not below `end` is an infinity. */
$fn double narrows(KjitCheck *c, int site, double x, double end)
{
    if (isfinite(x) && fabs(x) >= end)
        c->ops->wrong(c, site, CHECK_INFINITY, bits_of_double(x), bits_of_double(x));
    return x;
}

/*@ born_complex complex : KjitCheck.- bits_of_double.- */
/* A result of a and b; tells if a part is the first NaN, or infinity. */
$fn $T born_complex_$S(KjitCheck *c, int site, $T result, $T a, $T b)
{
    bool finite = isfinite(a.real) && isfinite(a.imag) && isfinite(b.real) && isfinite(b.imag);
    bool nan = isnan(result.real) || isnan(result.imag);
    bool none = isnan(a.real) || isnan(a.imag) || isnan(b.real) || isnan(b.imag);

    if ((isfinite(result.real) && isfinite(result.imag)) || (nan ? none : !finite))
        return result;
    c->ops->wrong(c, site, nan ? CHECK_NAN : CHECK_INFINITY,
                  bits_of_double(hypot(a.real, a.imag)), bits_of_double(hypot(b.real, b.imag)));
    return result;
}

/*@ born_complex_add complex : born_complex complex_add */
$fn $T born_complex_add_$S(KjitCheck *c, int site, $T a, $T b)
{
    return born_complex_$S(c, site, complex_add_$S(a, b), a, b);
}

/*@ born_complex_sub complex : born_complex complex_sub */
$fn $T born_complex_sub_$S(KjitCheck *c, int site, $T a, $T b)
{
    return born_complex_$S(c, site, complex_sub_$S(a, b), a, b);
}

/*@ born_complex_mul complex : born_complex complex_mul */
$fn $T born_complex_mul_$S(KjitCheck *c, int site, $T a, $T b)
{
    return born_complex_$S(c, site, complex_mul_$S(a, b), a, b);
}

/*@ born_complex_div complex : born_complex complex_div */
$fn $T born_complex_div_$S(KjitCheck *c, int site, $T a, $T b)
{
    return born_complex_$S(c, site, complex_div_$S(a, b), a, b);
}

/*@ meet_grid - : KjitCheck.- */
$fn int meet_grid(KjitCheck *c, int site)
{
    c->ops->grid(c, site);
    return 0;
}

/*@ calls_at - : KjitCheck.- */
/* The thread, which the kernel hands to a function. */
$fn KjitCheck *calls_at(KjitCheck *c, int site)
{
    c->called = site;
    return c;
}

/*@ begin_iteration - : KjitCheck.- */
/* An iteration of a loop, or a call of a function that calls itself. */
$fn void begin_iteration(KjitCheck *c, int site)
{
    if (--c->iterations < 0)
        c->ops->iteration(c, site);
}

/*@ swapped int : KjitCheck.- */
/* What an exchange found, and whether it changed that. */
$fn $T swapped_$S(KjitCheck *c, const $T *address, $T before)
{
    if (*address != before)
        c->ops->swapped(c, address, sizeof before, ($U)before, ($U)*address);
    return before;
}

/*@ has_heard - : KjitCheck.- */
/* A variable holds what a shuffle gave; bit -1: one that has none. */
$fn void has_heard(KjitCheck *c, int bit)
{
    if (bit >= 0)
        c->heard &= ~(1u << bit);
    if (!c->unheard)
        return;
    c->ops->heard(c, -1, bit);
    if (bit >= 0)
        c->heard |= 1u << bit;
}

/*@ uses_heard - : KjitCheck.- */
/* Such a variable is used. */
$fn void uses_heard(KjitCheck *c, int bit)
{
    if (c->heard >> bit & 1)
        c->ops->heard(c, bit, -1);
}

/*@ passes_heard - : KjitCheck.- */
/* Such a variable is set to what another holds, or with -1 to something else. */
$fn void passes_heard(KjitCheck *c, int from, int to)
{
    bool unheard = from >= 0 && c->heard >> from & 1;

    if (unheard)
        c->ops->heard(c, from, to);
    c->heard = (c->heard & ~(1u << to)) | (unsigned)unheard << to;
}

/*@ branch - : KjitCheck.- */
/* A condition that the threads of a warp may differ in. */
$fn bool branch(KjitCheck *c, int site, bool taken)
{
    if (c->advise)
        c->ops->branch(c, site, taken);
    return taken;
}
