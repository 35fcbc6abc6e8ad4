/* Random integers, and rows in a random order. */
#include "runtime/program/arrays.h"
#include "runtime/array/array.h"

/* ---- integers ------------------------------------------------------------------------------- */

/* Of a range: words of 8 and 16 bits are parts of one of 32. */
typedef struct Range {
    RandomSource *source;
    uint64_t most;  /* above `low` */
    uint64_t mask;  /* the bits that `most` has */
    int width;      /* bits of a part; 0: words are drawn */
    uint32_t parts; /* that are not used yet, and how many */
    int left;
} Range;

static uint32_t next_part(Range *range)
{
    if (range->left == 0) {
        range->parts = random_word(range->source);
        range->left = 32 / range->width;
    } else {
        range->parts >>= range->width;
    }
    range->left--;
    return range->parts & (((uint32_t)1 << range->width) - 1);
}

/* By Lemire's multiplication, in numbers of `width` bits. */
static uint32_t scaled_part(Range *range)
{
    const uint32_t ones = ((uint32_t)1 << range->width) - 1, count = (uint32_t)range->most + 1;
    if (range->most == ones)
        return next_part(range);
    uint32_t product = next_part(range) * count;
    if ((product & ones) < count)
        for (const uint32_t least = (ones - (uint32_t)range->most) % count;
             (product & ones) < least;)
            product = next_part(range) * count;
    return product >> range->width;
}

static uint64_t next_integer(Range *range)
{
    uint64_t number;
    bool modern = range->source->modern;
    if (range->most == 0)
        return 0;
    if (range->width == 1)
        return next_part(range);
    if (range->width == 0)
        return (modern ? random_scaled : random_masked)(range->source, range->most);
    if (modern)
        return scaled_part(range);
    do
        number = next_part(range) & range->mask;
    while (number > range->most);
    return number;
}

static Range range_of(RandomSource *source, kjit_dtype dtype, uint64_t most)
{
    size_t bytes = kjit_dtype_bytes(dtype);
    Range range = { .source = source, .most = most, .mask = most };
    for (int shift = 1; shift < 64; shift *= 2)
        range.mask |= range.mask >> shift;
    range.width = dtype == KJIT_DTYPE_BOOL ? 1 : bytes < 4 ? (int)(8 * bytes) : 0;
    return range;
}

/* What integers are drawn from. */
typedef struct Bounds {
    int64_t low;
    uint64_t most;                /* above `low` */
    bool low_beyond, high_beyond; /* whether the least and the last are above those of int64 */
    bool none;                    /* 64 bits do not hold the last */
} Bounds;

/* A bound as 64 bits; `beyond`: it is above those of int64; `none`: it has more bits. */
static bool bound_of(Program *p, HostValue bound, uint64_t *bits, bool *beyond, bool *none)
{
    int64_t number;
    if (bound.kind == HOST_FLOAT && bound.number == (double)(int64_t)bound.number)
        bound = host_int((int64_t)bound.number);
    *beyond = bound.kind == HOST_WIDE;
    *none = *beyond && !wide_natural(bound, &bound);
    if (!*beyond && !host_integer(p, bound, &number))
        return false;
    *bits = *beyond ? (uint64_t)bound.integer : (uint64_t)number;
    return true;
}

/* The bound that a number is; what is above int64 is an int of Python's. */
static bool plain_bound(Program *p, HostValue *bound)
{
    return bound->kind != HOST_NUMBER || bound->dtype != KJIT_DTYPE_UINT64 ||
           wide_plain(p, *bound, bound);
}

static bool bounds(Program *p, const HostArgs *args, Bounds *b)
{
    HostValue from = args_get(args, 0, "low", host_none()),
              to = args_get(args, 1, "high", host_none());
    const HostValue *endpoint = args_named(args, "endpoint");
    const bool closed = endpoint && host_truth_of(*endpoint);
    uint64_t low, last;
    bool none = false;
    if (to.kind == HOST_NONE) {
        to = from;
        from = host_int(0);
    }
    if (!plain_bound(p, &from) || !plain_bound(p, &to))
        return false;
    bool within = closed; /* whether `to` is the last one itself */
    if (!closed && to.kind == HOST_WIDE) {
        within = true;
        if (!host_binary(p, AST_SUB, to, host_int(1), &to))
            return false;
    }
    if (!bound_of(p, from, &low, &b->low_beyond, &none) ||
        !bound_of(p, to, &last, &b->high_beyond, &b->none))
        return false;
    const bool natural = b->low_beyond && b->high_beyond;
    const bool above = natural          ? low > last
                       : b->low_beyond  ? true
                       : b->high_beyond ? false
                       : within         ? (int64_t)low > (int64_t)last
                                        : (int64_t)low >= (int64_t)last;
    if (above && !none && !b->none)
        return host_fail(p, "ValueError", closed ? "low > high" : "low >= high");
    b->none |= none;
    b->low = (int64_t)low;
    b->most = last - low - !within;
    return true;
}

static bool check_bounds(Program *p, const char *name, kjit_dtype dtype, const Bounds *b)
{
    const bool truth = dtype == KJIT_DTYPE_BOOL, widest = dtype == KJIT_DTYPE_UINT64;
    if (!truth && !dtype_is_integer(dtype))
        return host_fail(p, "TypeError", "Unsupported dtype dtype('%s') for %s",
                         kjit_dtype_name(dtype), name);
    const HostValue high = host_int((int64_t)((uint64_t)b->low + b->most));
    const bool lower = b->low_beyond ? widest
                       : truth       ? b->low >= 0
                                     : dtype_holds(dtype, host_int(b->low));
    const bool upper = b->high_beyond ? widest && !b->none
                       : truth        ? high.integer <= 1
                                      : dtype_holds(dtype, high);
    return (lower && upper) || host_fail(p, "ValueError", "%s is out of bounds for %s",
                                         lower ? "high" : "low", kjit_dtype_name(dtype));
}

static bool random_integers(Program *p, HostArgs *args, HostValue *out)
{
    int64_t shape[KJIT_RANK_MAX];
    Bounds b;
    int rank = 0;
    kjit_dtype dtype = KJIT_DTYPE_INT64;
    HostArray *array;
    const HostValue size = args_get(args, 2, "size", host_none());
    const HostValue given = args_get(args, 3, "dtype", host_none());
    if (!bounds(p, args, &b) || !dtype_from(p, given, &dtype) ||
        !check_bounds(p, strrchr(args->builtin->name, '.') + 1, dtype, &b))
        return false;
    Range range = range_of(host_source(p, args), dtype, b.most);
    bool legacy = !range.source->modern;
    if (size.kind != HOST_NONE && !shape_from(p, size, shape, &rank))
        return false;
    if (size.kind == HOST_NONE) {
        const kjit_arg scalar = kjit_arg_int64((int64_t)((uint64_t)b.low + next_integer(&range)));
        return host_give(out, legacy && given.kind == HOST_NONE ? host_int(scalar.as.integer)
                                                                : host_number(dtype, &scalar));
    }
    if (!host_array_new(p, dtype, rank, shape, false, &array))
        return false;
    char *to = array->view.data;
    const size_t bytes = kjit_dtype_bytes(dtype);
    for (int64_t i = 0, count = array_elements(&array->view); i < count; i++, to += bytes) {
        const uint64_t number = (uint64_t)b.low + next_integer(&range);
        memcpy(to, &number, bytes);
    }
    return host_give(out, host_object(array));
}

/* ---- order ---------------------------------------------------------------------------------- */

static void swap_bytes(char *a, char *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

static bool shuffle_list(RandomSource *source, const HostList *list)
{
    for (size_t i = list->count; i-- > 1;) {
        size_t other = random_masked(source, i);
        HostValue item = list->items[i];
        list->items[i] = list->items[other];
        list->items[other] = item;
    }
    return true;
}

/* Swaps the rows i and other of an array: along its first axis. */
static void swap_rows(const kjit_array *view, int64_t i, int64_t other)
{
    kjit_array row = *view;
    int64_t index[KJIT_RANK_MAX] = { 0 };
    size_t bytes = array_item_bytes(view);
    row.shape[0] = 1;
    do {
        char *at = view->data;
        for (int axis = 1; axis < view->rank; axis++)
            at += index[axis] * view->strides[axis];
        swap_bytes(at + i * view->strides[0], at + other * view->strides[0], bytes);
    } while (index_next(&row, index));
}

static bool random_shuffle(Program *p, HostArgs *args, HostValue *out)
{
    HostValue what = args->values[0];
    RandomSource *source = host_source(p, args);
    *out = host_none();
    if (what.kind == HOST_LIST)
        return shuffle_list(source, what.list);
    if (what.kind != HOST_ARRAY)
        return host_fail(p, "TypeError", "shuffle() takes an array or a list, not '%s'",
                         host_type_name(p, what));
    const kjit_array *view = &what.array->view;
    if (!view->rank)
        return host_fail(p, "TypeError", "shuffle() takes an array of one axis at least");
    if (view->flags & KJIT_READONLY)
        return host_fail(p, "ValueError", "array is read-only");
    if (!host_array_read(p, what.array) || !host_array_write(p, what.array))
        return false;
    bool empty = array_elements(view) == 0;
    for (int64_t i = view->shape[0]; i-- > 1;) {
        int64_t other = (int64_t)random_masked(source, (uint64_t)i);
        if (other != i && !empty)
            swap_rows(view, i, other);
    }
    return true;
}

/* An array of the integers below `count`, the last of which, from `first` on, are shuffled with
** all before them. */
static bool shuffled(Program *p, RandomSource *source, int64_t count, int64_t first, HostValue *out)
{
    HostArray *array;
    if (count < 0)
        return host_fail(p, "ValueError", "negative dimensions are not allowed");
    if (!host_array_new(p, KJIT_DTYPE_INT64, 1, &count, false, &array))
        return false;
    int64_t *items = array->view.data;
    for (int64_t i = 0; i < count; i++)
        items[i] = i;
    for (int64_t i = count; i-- > first;) {
        uint64_t other = (source->modern ? random_scaled : random_masked)(source, (uint64_t)i);
        int64_t item = items[i];
        items[i] = items[other];
        items[other] = item;
    }
    return host_give(out, host_object(array));
}

/* _order(count, first): for permutation() and choice(), in library/python/np/random.k. */
static bool random_order(Program *p, HostArgs *args, HostValue *out)
{
    int64_t count, first;
    return host_integer(p, args->values[0], &count) && host_integer(p, args->values[1], &first) &&
           shuffled(p, host_source(p, args), count, first, out);
}

/* _floyd(count, size, shuffle): `size` different integers below `count`, by Floyd's algorithm. */
static bool random_floyd(Program *p, HostArgs *args, HostValue *out)
{
    int64_t count, size;
    HostArray *array;
    RandomSource *source = host_source(p, args);
    if (!host_integer(p, args->values[0], &count) || !host_integer(p, args->values[1], &size) ||
        !host_array_new(p, KJIT_DTYPE_INT64, 1, &size, false, &array))
        return false;
    *out = host_object(array);
    int64_t *items = array->view.data;
    uint64_t mask = (uint64_t)(1.2 * (double)size);
    for (int shift = 1; shift < 64; shift *= 2)
        mask |= mask >> shift;
    int64_t *set = memory_alloc((mask + 1) * sizeof *set);
    if (!set)
        return host_lacks(p, "MemoryError", "no memory for %lld numbers", (long long)size);
    memset(set, -1, (mask + 1) * sizeof *set);
    for (int64_t most = count - size, i = 0; most < count; most++, i++) {
        int64_t item = (int64_t)random_scaled(source, (uint64_t)most);
        uint64_t at = (uint64_t)item & mask;
        while (set[at] != -1 && set[at] != item)
            at = (at + 1) & mask;
        if (set[at] == item) { /* it was drawn before: the last of them was not */
            item = most;
            for (at = (uint64_t)item & mask; set[at] != -1;)
                at = (at + 1) & mask;
        }
        set[at] = items[i] = item;
    }
    memory_free(set);
    for (int64_t i = size; host_truth_of(args->values[2]) && i-- > 1;) {
        uint64_t other = random_scaled(source, (uint64_t)i);
        int64_t item = items[i];
        items[i] = items[other];
        items[other] = item;
    }
    return true;
}

const HostBuiltin pick_functions[] = {
    { "np.random.randint", 1, 4, random_integers, "low high size dtype" },
    { "RandomState.randint", 1, 4, random_integers, "low high size dtype" },
    { "Generator.integers", 1, 4, random_integers, "low high size dtype endpoint" },
    { "np.random.shuffle", 1, 1, random_shuffle, NULL },
    { "RandomState.shuffle", 1, 1, random_shuffle, NULL },
    { "Generator.shuffle", 1, 1, random_shuffle, NULL },
    { "np.random._order", 2, 2, random_order, NULL },
    { "RandomState._order", 2, 2, random_order, NULL },
    { "Generator._order", 2, 2, random_order, NULL },
    { "Generator._floyd", 3, 3, random_floyd, NULL },
    { NULL, 0, 0, NULL, NULL },
};
