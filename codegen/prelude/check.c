/* What a checked kernel needs beside prelude.c and both.c: the interface of checked.h and the
** functions that call the checker. Pieces: see emit.h. */

/*@ KjitCheck - : dim3.- */
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

/*@ access_at - : KjitCheck.- is_redundant.- */
/* The address at which to access bytes within the bounds of their array. `access` is 0 for constant
** arrays, which are checked only where their address is CHECK_NOWHERE's; a view's first element is
** not accessed yet. */
$fn void *access_at(KjitCheck *c, int site, int access, unsigned bytes, const void *address)
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

/*@ is_redundant - : KjitCheck.- */
/* Whether a read is redundant (checked.h); if so it is counted. */
$fn bool is_redundant(KjitCheck *c, int site, unsigned bytes, const void *address)
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

/*@ out_of_bounds - : KjitCheck.- */
/* The address for an access out of bounds; for a view, CHECK_NOWHERE. */
$fn void *out_of_bounds(KjitCheck *c, int site, int access, unsigned bytes, int axis,
                        long long index, long long extent)
{
    if (access != CHECK_VIEW)
        return c->ops->outside(c, site, axis, index, extent, bytes, access ? access : CHECK_READ);
    c->ops->outside(c, site, axis, index, extent, 0, 0);
    return (void *)(1ULL << 62);
}

/*@ is_inside - */
/* Whether the index is in range; a negative one is made to count from the end. */
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

/*@ at_1 - : access_at.- out_of_bounds.- is_inside.- */
/* Where to access an element: an index, extent and stride in bytes for each axis. */
$fn void *at_1(KjitCheck *c, int site, int access, unsigned bytes, const void *data, long long i,
               long long n, long long s)
{
    long long at = i;

    if (!is_inside(&at, n))
        return out_of_bounds(c, site, access, bytes, 0, i, n);
    return access_at(c, site, access, bytes, (const char *)data + at * s);
}

/*@ at_2 - : access_at.- out_of_bounds.- is_inside.- */
/* Where to access an element: an index, extent and stride in bytes for each axis. */
$fn void *at_2(KjitCheck *c, int site, int access, unsigned bytes, const void *data, long long i0,
               long long n0, long long s0, long long i1, long long n1, long long s1)
{
    long long at0 = i0, at1 = i1;

    if (!is_inside(&at0, n0))
        return out_of_bounds(c, site, access, bytes, 0, i0, n0);
    if (!is_inside(&at1, n1))
        return out_of_bounds(c, site, access, bytes, 1, i1, n1);
    return access_at(c, site, access, bytes, (const char *)data + at0 * s0 + at1 * s1);
}

/*@ at_3 - : access_at.- out_of_bounds.- is_inside.- */
/* Where to access an element: an index, extent and stride in bytes for each axis. */
$fn void *at_3(KjitCheck *c, int site, int access, unsigned bytes, const void *data, long long i0,
               long long n0, long long s0, long long i1, long long n1, long long s1, long long i2,
               long long n2, long long s2)
{
    long long at0 = i0, at1 = i1, at2 = i2;

    if (!is_inside(&at0, n0))
        return out_of_bounds(c, site, access, bytes, 0, i0, n0);
    if (!is_inside(&at1, n1))
        return out_of_bounds(c, site, access, bytes, 1, i1, n1);
    if (!is_inside(&at2, n2))
        return out_of_bounds(c, site, access, bytes, 2, i2, n2);
    return access_at(c, site, access, bytes,
                     (const char *)data + at0 * s0 + at1 * s1 + at2 * s2);
}

/*@ at - : access_at.- out_of_bounds.- is_inside.- */
typedef struct CheckAxis {
    int axis; /* of the underlying array */
    long long index, extent, stride;
} CheckAxis;

/* The same for any number of axes. */
$fn void *at(KjitCheck *c, int site, int access, unsigned bytes, const void *data, int count,
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

/*@ tuple_index - : KjitCheck.- */
/* The index of one of n items; 0 if it is out of range. */
$fn long long tuple_index(KjitCheck *c, int site, long long i, long long n)
{
    if ((unsigned long long)i < (unsigned long long)n)
        return i;
    c->ops->outside(c, site, 0, i < 0 ? i - n : i, n, 0, 0);
    return 0;
}

/*@ clamp_index - */
/* An unsigned index; one above the maximum of a long long becomes that. */
$fn long long clamp_index(unsigned long long i)
{
    return i > 0x7fffffffffffffffULL ? 0x7fffffffffffffffLL : (long long)i;
}

/*@ STORE - */
/* Computes the value before the address. */
#define STORE(type, address, ...)                                                                \
    do {                                                                                       \
        const type kjit_stored = (__VA_ARGS__);                                                \
        memcpy(address, &kjit_stored, sizeof kjit_stored);                                       \
    } while (0)

/*@ UNALIGNED - */
/* A value at an address of any alignment. */
#define UNALIGNED(type, address)                                                                 \
    (((struct __attribute__((packed)) { type value; } *)(address))->value)

/*@ each div; mod: check_floor_$1 int : KjitCheck.- floor_$1 */
$fn $T check_floor_$1_$S(KjitCheck *c, int site, $T a, $T b)
{
    if (b == 0)
        c->ops->wrong(c, site, CHECK_ZERO_DIVISION, (long long)a, 0);
    return floor_$1_$S(a, b);
}

/*@ shift_count int : KjitCheck.- */
/* The count b of a shift of a, reduced to its lowest bits as processors do. */
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

/*@ each add; sub; mul: index_$1 int : KjitCheck.- */
/* For an index. */
$fn $T index_$1_$S(KjitCheck *c, int site, $T a, $T b)
{
    $T result;

    if (__builtin_$1_overflow(a, b, &result))
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
/* For an index, from a wider integer. */
$fn $T index_cast_$S(KjitCheck *c, int site, long long a)
{
    if (a != ($T)a)
        c->ops->wrong(c, site, CHECK_INDEX_CAST, a, $B);
    return ($T)a;
}

/*@ index_cast_from_u64 signed : index_cast clamp_index.- */
/* For an index. */
$fn $T index_cast_from_u64_$S(KjitCheck *c, int site, unsigned long long a)
{
    return index_cast_$S(c, site, clamp_index(a));
}

/*@ cut int : KjitCheck.- */
/* For an index, from a wider integer: dropping bits may be intended. */
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
/* An index that may be computed from arithmetic that has wrapped. */
$fn long long used_index(KjitCheck *c, int site, unsigned whole, unsigned part, long long index,
                         long long extent)
{
    long long at = index;

    if ((c->wraps | *c->stored) & (whole | part) && is_inside(&at, extent))
        c->ops->used(c, site, whole, part, extent);
    return index;
}

/*@ integer_overflow - : KjitCheck.- bits_of_double.- */
/* A float that does not fit an integer of so many bits. */
$fn void integer_overflow(KjitCheck *c, int site, double x, int bits)
{
    c->ops->wrong(c, site, CHECK_CAST, bits_of_double(x), bits);
}

/*@ fits signed : integer_overflow.- */
/* x, which is to become an integer. */
$fn double fits_$S(KjitCheck *c, int site, double x)
{
    const double end = (double)(1ULL << ($B - 1));

    if (!((x > -end - 1 || x == -end) && x < end))
        integer_overflow(c, site, x, $B);
    return x;
}

/*@ fits unsigned : integer_overflow.- */
/* x, which is to become an integer. */
$fn double fits_$S(KjitCheck *c, int site, double x)
{
    if (!(x > -1 && x < 2.0 * (double)(1ULL << ($B - 1))))
        integer_overflow(c, site, x, $B);
    return x;
}

/*@ bits_of_double - */
$fn long long bits_of_double(double x)
{
    long long same;

    memcpy(&same, &x, sizeof same);
    return same;
}

/*@ check_finite float : KjitCheck.- bits_of_double.- */
/* A result computed from a and b; reports NaN or infinity that neither operand has. */
$fn $T check_finite_$S(KjitCheck *c, int site, $T result, $T a, $T b)
{
    if (isfinite(result))
        return result;
    if (isnan(result) ? !isnan(a) && !isnan(b) : isfinite(a) && isfinite(b))
        c->ops->wrong(c, site, isnan(result) ? CHECK_NAN : CHECK_INFINITY, bits_of_double(a),
                      bits_of_double(b));
    return result;
}

/*@ each add +; sub -; mul *; div /: finite_$1 float : check_finite */
$fn $T finite_$1_$S(KjitCheck *c, int site, $T a, $T b)
{
    return check_finite_$S(c, site, a $2 b, a, b);
}

/*@ each div; mod: finite_floor_$1 float : check_finite floor_$1 */
$fn $T finite_floor_$1_$S(KjitCheck *c, int site, $T a, $T b)
{
    return check_finite_$S(c, site, floor_$1_$S(a, b), a, b);
}

/*@ finite_pow float : check_finite */
$fn $T finite_pow_$S(KjitCheck *c, int site, $T a, $T b)
{
    return check_finite_$S(c, site, pow$m(a, b), a, b);
}

/*@ finite_pow_int float : check_finite pow_int */
$fn $T finite_pow_int_$S(KjitCheck *c, int site, $T a, long long b)
{
    return check_finite_$S(c, site, pow_int_$S(a, b), a, a);
}

/*@ check_finite_3 float : check_finite */
/* A result of a, b and d. */
$fn $T check_finite_3_$S(KjitCheck *c, int site, $T result, $T a, $T b, $T d)
{
    return isfinite(d) ? check_finite_$S(c, site, result, a, b) : result;
}

/*@ narrows - : KjitCheck.- bits_of_double.- */
/* A float that is converted to a narrower type, in which values from `end` on are infinite. */
$fn double narrows(KjitCheck *c, int site, double x, double end)
{
    if (isfinite(x) && fabs(x) >= end)
        c->ops->wrong(c, site, CHECK_INFINITY, bits_of_double(x), bits_of_double(x));
    return x;
}

/*@ check_finite_complex complex : KjitCheck.- bits_of_double.- */
/* The same for complex numbers, by their parts. */
$fn $T check_finite_complex_$S(KjitCheck *c, int site, $T result, $T a, $T b)
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

/*@ each add; sub; mul; div: finite_complex_$1 complex : check_finite_complex complex_$1 */
$fn $T finite_complex_$1_$S(KjitCheck *c, int site, $T a, $T b)
{
    return check_finite_complex_$S(c, site, complex_$1_$S(a, b), a, b);
}

/*@ meet_grid - : KjitCheck.- */
$fn int meet_grid(KjitCheck *c, int site)
{
    c->ops->grid(c, site);
    return 0;
}

/*@ calls_at - : KjitCheck.- */
/* The thread, passed to a function that is called at a site. */
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
/* The old value of an exchange; reports a change. */
$fn $T swapped_$S(KjitCheck *c, const $T *address, $T before)
{
    if (*address != before)
        c->ops->swapped(c, address, sizeof before, ($U)before, ($U)*address);
    return before;
}

/*@ from_shuffle - : KjitCheck.- */
/* A variable is set to a shuffle's result; bit -1: it has none. */
$fn void from_shuffle(KjitCheck *c, int bit)
{
    if (bit >= 0)
        c->undefined &= ~(1u << bit);
    if (!c->shuffle_undefined)
        return;
    c->ops->undefined(c, -1, bit);
    if (bit >= 0)
        c->undefined |= 1u << bit;
}

/*@ use_shuffled - : KjitCheck.- */
/* A variable that may hold a shuffle's undefined result is used. */
$fn void use_shuffled(KjitCheck *c, int bit)
{
    if (c->undefined >> bit & 1)
        c->ops->undefined(c, bit, -1);
}

/*@ copy_shuffled - : KjitCheck.- */
/* Such a variable is set to another one, or with from -1 to some other value. */
$fn void copy_shuffled(KjitCheck *c, int from, int to)
{
    bool undefined = from >= 0 && c->undefined >> from & 1;

    if (undefined)
        c->ops->undefined(c, from, to);
    c->undefined = (c->undefined & ~(1u << to)) | (unsigned)undefined << to;
}

/*@ use_unset - : KjitCheck.- */
/* A variable is read that has no value on every path. */
$fn void use_unset(KjitCheck *c, int site, bool unset)
{
    if (unset)
        c->ops->wrong(c, site, CHECK_UNSET, 0, 0);
}

/*@ branch - : KjitCheck.- */
/* A condition that the threads of a warp may differ in. */
$fn bool branch(KjitCheck *c, int site, bool taken)
{
    if (c->advise)
        c->ops->branch(c, site, taken);
    return taken;
}
