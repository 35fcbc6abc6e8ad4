#include "runtime/many/part.h"
#include "runtime/array/array.h"

/* ---- elements one behind the other ----------------------------------------------------------- */

/* Rows of an array along an axis. */
static kjit_array rows_of(const kjit_array *array, int axis, int64_t low, int64_t high)
{
    kjit_array rows = *array;
    rows.data = (char *)array->data + low * array->strides[axis];
    rows.shape[axis] = high - low + 1;
    return rows;
}

/* The same elements without gaps, at `data`. */
static kjit_array dense(const kjit_array *rows, void *data)
{
    kjit_array packed = *rows;
    packed.data = data;
    array_set_strides(&packed, false);
    return packed;
}

typedef struct Packing {
    const kjit_array *array;
    int axis;
    char *at;
    bool back; /* from the parcel to the array */
} Packing;

static void pack_rows(void *context, int64_t low, int64_t high)
{
    Packing *p = context;
    kjit_array rows = rows_of(p->array, p->axis, low, high), packed = dense(&rows, p->at);
    array_copy(p->back ? &rows : &packed, p->back ? &packed : &rows);
    p->at += (size_t)array_elements(&rows) * array_item_bytes(&rows);
}

/* What is meant by a stretch that is not said. */
static SplitStretch stretch_or_all(const kjit_array *array, int axis, const SplitStretch *stretch)
{
    return stretch ? *stretch : (SplitStretch){ 0, array->shape[axis] - 1, 0 };
}

static void pack(const kjit_array *array, int axis, const SplitStretch *stretch, void *parcel,
                 bool back)
{
    Packing packing = { array, axis, parcel, back };
    if (array_elements(array))
        split_runs(stretch_or_all(array, axis, stretch), array->shape[axis], pack_rows, &packing);
}

uint64_t parcel_bytes(const kjit_array *array, int axis, const SplitStretch *stretch)
{
    int64_t all = array_elements(array), extent = array->shape[axis];
    int64_t rows = split_runs(stretch_or_all(array, axis, stretch), extent, NULL, NULL);
    return all ? (uint64_t)(all / extent * rows) * array_item_bytes(array) : 0;
}

void parcel_take(const kjit_array *array, int axis, const SplitStretch *stretch, void *parcel)
{
    pack(array, axis, stretch, parcel, false);
}

void parcel_put(const kjit_array *array, int axis, const SplitStretch *stretch, const void *parcel)
{
    pack(array, axis, stretch, (void *)(uintptr_t)parcel, true);
}
