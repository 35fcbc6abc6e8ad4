#include "runtime/many/part.h"
#include "runtime/array/array.h"

uint64_t parcel_bytes(const kjit_array *array)
{
    return (uint64_t)array_elements(array) * array_item_bytes(array);
}

static kjit_array dense(const kjit_array *array, void *data)
{
    kjit_array packed = *array;
    packed.data = data;
    array_set_strides(&packed, false);
    return packed;
}

void parcel_take(const kjit_array *array, void *parcel)
{
    const kjit_array packed = dense(array, parcel);
    array_copy(&packed, array);
}

void parcel_put(const kjit_array *array, const void *parcel)
{
    const kjit_array packed = dense(array, (void *)(uintptr_t)parcel);
    array_copy(array, &packed);
}
