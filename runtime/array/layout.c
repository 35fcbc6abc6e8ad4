/* Layouts of arrays: element sizes, contiguity, the bytes they span, and validation. */
#include "runtime/array/array.h"

const char *kjit_dtype_name(kjit_dtype dtype)
{
    static const char *const names[] = { "none",
#define DTYPE_NAME(NAME, name, bytes) #name,
                                         KJIT_DTYPE_MAP(DTYPE_NAME)
#undef DTYPE_NAME
    };

    if (dtype == KJIT_DTYPE_RECORD)
        return "record";
    if (dtype_is_time(dtype))
        return dtype_type(dtype)->tuple.names->name;
    return (size_t)dtype < ARRAY_COUNT(names) ? names[dtype] : "unknown";
}

size_t kjit_dtype_bytes(kjit_dtype dtype)
{
    static const uint8_t sizes[] = { 0,
#define DTYPE_BYTES(NAME, name, bytes) bytes,
                                     KJIT_DTYPE_MAP(DTYPE_BYTES)
#undef DTYPE_BYTES
    };

    if ((size_t)dtype < ARRAY_COUNT(sizes))
        return sizes[dtype];
    return dtype_is_time(dtype) ? 8 : 0;
}

void kjit_time_text(kjit_dtype dtype, int64_t count, char *text, size_t room)
{
    char whole[TIME_TEXT];

    if (dtype_is_time(dtype))
        time_print(whole, dtype_type(dtype), count);
    else
        snprintf(whole, sizeof whole, "%lld", (long long)count);
    snprintf(text, room, "%s", whole);
}

/* Whether an array is C-contiguous, or with `columns` Fortran-contiguous. Axes of one element do
** not matter, and an array without elements is both. */
static bool contiguous(const kjit_array *array, bool columns)
{
    int64_t expected = (int64_t)array_item_bytes(array);

    for (int i = 0; i < array->rank; i++) {
        int axis = columns ? i : array->rank - 1 - i;
        if (array->shape[axis] != 1 && array->strides[axis] != expected)
            return false;
        if (__builtin_mul_overflow(expected, array->shape[axis], &expected))
            return false;
    }
    return true;
}

bool array_is_columns(const kjit_array *array)
{
    for (int i = 0; i < array->rank; i++) {
        if (array->shape[i] == 0)
            return true;
    }
    return contiguous(array, true);
}

int64_t array_elements(const kjit_array *array)
{
    int64_t count = 1;

    for (int i = 0; i < array->rank; i++) {
        if (array->shape[i] == 0)
            return 0;
    }
    for (int i = 0; i < array->rank; i++)
        count *= array->shape[i];
    return count;
}

/* Axes of more than one element. */
static int long_axes(const kjit_array *array)
{
    int count = 0;

    for (int i = 0; i < array->rank; i++)
        count += array->shape[i] > 1;
    return count;
}

ArrayLayout array_layout(const kjit_array *array)
{
    for (int i = 0; i < array->rank; i++) {
        if (array->shape[i] == 0)
            return LAYOUT_C;
    }
    return contiguous(array, false) ? LAYOUT_C : contiguous(array, true) ? LAYOUT_F : LAYOUT_A;
}

bool array_is_dense(const kjit_array *array)
{
    int64_t expected = (int64_t)array_item_bytes(array);

    /* In order of strides, each stride is the size of all axes before it. */
    for (int left = long_axes(array); left; left--) {
        int axis = 0;
        while (axis < array->rank &&
               (array->shape[axis] == 1 || llabs(array->strides[axis]) != expected))
            axis++;
        if (axis == array->rank || __builtin_mul_overflow(expected, array->shape[axis], &expected))
            return false;
    }
    return true;
}

/* Whether the address of every element can be computed without overflow. */
static bool reachable(const kjit_array *array)
{
    int64_t low = 0, high = (int64_t)array_item_bytes(array), reach;

    for (int i = 0; i < array->rank; i++) {
        int64_t *end = array->strides[i] < 0 ? &low : &high;
        if (__builtin_mul_overflow(array->shape[i] - 1, array->strides[i], &reach) ||
            __builtin_add_overflow(*end, reach, end))
            return false;
    }
    return !__builtin_sub_overflow(high, low, &reach);
}

const char *quote_around(const char *name)
{
    return strchr(name, ' ') ? "" : "'";
}

bool array_is_plain(const kjit_array *array, uint64_t *bytes)
{
    int64_t expected = (int64_t)array_item_bytes(array);

    if (!expected || !array->data || array->flags >> ARRAY_TAG_SHIFT ||
        (uint32_t)array->rank > KJIT_RANK_MAX)
        return false;
    for (int i = array->rank; i-- > 0;) {
        if (array->shape[i] <= 0 || array->strides[i] != expected ||
            __builtin_mul_overflow(expected, array->shape[i], &expected))
            return false;
    }
    *bytes = (uint64_t)expected;
    return true;
}

bool array_check(const kjit_array *array, const char *name, uint64_t *bytes)
{
    if (array_is_plain(array, bytes))
        return true;
    uint64_t total = array_item_bytes(array);

    *bytes = 0;
    if (array_is_gone(array)) {
        error_set(KJIT_ARGUMENT, "error: the memory of %s%s%s was freed", QUOTED(name));
        return false;
    }
    if (!total || array->rank < 0 || array->rank > KJIT_RANK_MAX) {
        error_set(KJIT_ARGUMENT, "error: %s%s%s is no array: dtype %d, rank %d (0 to %d)",
                  QUOTED(name), (int)array->dtype, array->rank, KJIT_RANK_MAX);
        return false;
    }
    for (int i = 0; i < array->rank; i++) {
        if (array->shape[i] < 0) {
            error_set(KJIT_ARGUMENT, "error: axis %d of %s%s%s has %lld elements", i, QUOTED(name),
                      (long long)array->shape[i]);
            return false;
        }
    }
    for (int i = 0; i < array->rank; i++) {
        if (array->shape[i] == 0)
            return true;
    }
    for (int i = 0; i < array->rank; i++) {
        if (__builtin_mul_overflow(total, (uint64_t)array->shape[i], &total) || total > INT64_MAX) {
            error_set(KJIT_ARGUMENT, "error: %s%s%s is larger than any memory", QUOTED(name));
            return false;
        }
    }
    if (!reachable(array)) {
        error_set(KJIT_ARGUMENT, "error: the strides of %s%s%s lead out of any memory",
                  QUOTED(name));
        return false;
    }
    if (!array->data) {
        error_set(KJIT_ARGUMENT, "error: %s%s%s has elements but its data is NULL", QUOTED(name));
        return false;
    }
    *bytes = total;
    return true;
}

void array_span(const kjit_array *array, int64_t *low, int64_t *high)
{
    *low = 0;
    *high = (int64_t)array_item_bytes(array);
    for (int i = 0; i < array->rank; i++) {
        if (array->shape[i] == 0) {
            *low = *high = 0;
            return;
        }
        int64_t reach = (array->shape[i] - 1) * array->strides[i];
        *(reach < 0 ? low : high) += reach;
    }
}

bool strides_are_apart(int rank, const int64_t *shape, const int64_t *strides, uint64_t item)
{
    bool done[KJIT_RANK_MAX] = { false };
    uint64_t spanned = item;

    for (int round = 0; round < rank; round++) {
        int axis = -1;
        for (int k = 0; k < rank; k++)
            if (!done[k] && (axis < 0 || llabs(strides[k]) < llabs(strides[axis])))
                axis = k;
        uint64_t step = (uint64_t)llabs(strides[axis]);
        if (shape[axis] > 1 && step < spanned)
            return false;
        if (shape[axis] > 1)
            spanned += step * (uint64_t)(shape[axis] - 1);
        done[axis] = true;
    }
    return true;
}
