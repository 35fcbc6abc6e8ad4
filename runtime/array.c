/* Arrays: the memory behind them, on the host and on the device, and copies between layouts. */
#include "runtime/runtime.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>

enum { BLOCK_ALIGN = 64, POISON = 0xa5 };

/* "7.3 TiB" */
static void print_bytes(uint64_t bytes, char *out, size_t size)
{
    static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    double value = (double)bytes;
    size_t unit = 0;

    while (value >= 1024 && unit + 1 < ARRAY_COUNT(units)) {
        value /= 1024;
        unit++;
    }
    snprintf(out, size, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

static kjit_status no_room(uint64_t bytes)
{
    struct sysinfo machine;
    char wanted[32], there[32] = "";

    print_bytes(bytes, wanted, sizeof wanted);
    if (sysinfo(&machine) == 0)
        print_bytes((uint64_t)machine.totalram * machine.mem_unit, there, sizeof there);
    return error_set(KJIT_MEMORY, "error: this needs %s of memory%s%s", wanted,
                     *there ? ", and the machine has " : "", there);
}

/* Whether the machine could have that much at all: the system may promise more than there is. */
static bool plausible(uint64_t bytes)
{
    struct sysinfo machine;

    if (bytes > SIZE_MAX / 2)
        return false;
    return sysinfo(&machine) != 0 ||
           bytes / machine.mem_unit <= (uint64_t)machine.totalram + machine.totalswap;
}

kjit_status block_alloc(uint64_t bytes, bool poison, void **block, void **data)
{
    *block = *data = NULL;
    if (!plausible(bytes))
        return no_room(bytes);
    size_t size = (size_t)bytes + BLOCK_ALIGN;
    /* Large zeroed memory costs nothing until it is touched. */
    *block = poison ? memory_alloc(size) : memory_zeroed(size, 1);
    if (!*block)
        return no_room(bytes);
    *data = (void *)(((uintptr_t)*block + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN);
    if (poison)
        memset(*data, POISON, (size_t)bytes);
    return KJIT_OK;
}

void array_set_strides(kjit_array *array, bool columns)
{
    int64_t stride = (int64_t)array_item_bytes(array);

    for (int i = 0; i < array->rank; i++) {
        int axis = columns ? i : array->rank - 1 - i;
        array->strides[axis] = stride;
        if (__builtin_mul_overflow(stride, array->shape[axis], &stride))
            stride = 0;
    }
}

kjit_array array_field(const kjit_array *array, const kjit_field *field)
{
    int64_t stride;
    kjit_array view = *array;

    view.data = (char *)array->data + field->offset;
    view.dtype = field->dtype;
    view.record = field->record;
    view.rank = array->rank + field->rank;
    stride = (int64_t)array_item_bytes(&view);
    for (int i = field->rank; i-- > 0; stride *= field->shape[i]) {
        view.shape[array->rank + i] = field->shape[i];
        view.strides[array->rank + i] = stride;
    }
    return view;
}

kjit_array kjit_host_array(void *data, kjit_dtype dtype, int32_t rank, const int64_t *shape)
{
    kjit_array array = { .data = data, .dtype = dtype, .rank = rank };

    if (rank < 0 || rank > KJIT_RANK_MAX)
        return array; /* what takes it will say so */
    if (rank)
        memcpy(array.shape, shape, sizeof *shape * (size_t)rank);
    array_set_strides(&array, false);
    return array;
}

/* Copies elements between arrays of one dtype and shape: axis by axis, the last one in a loop. */
static void copy_axis(int axis, int rank, const int64_t *shape, size_t bytes, char *to,
                      const int64_t *to_strides, const char *from, const int64_t *from_strides)
{
    if (axis == rank) {
        memcpy(to, from, bytes);
        return;
    }
    bool whole = axis == rank - 1 && to_strides[axis] == (int64_t)bytes &&
                 from_strides[axis] == (int64_t)bytes;
    if (whole) {
        memcpy(to, from, bytes * (size_t)shape[axis]);
        return;
    }
    for (int64_t i = 0; i < shape[axis]; i++)
        copy_axis(axis + 1, rank, shape, bytes, to + i * to_strides[axis], to_strides,
                  from + i * from_strides[axis], from_strides);
}

void array_copy(const kjit_array *to, const kjit_array *from)
{
    for (int i = 0; i < to->rank; i++) {
        if (to->shape[i] == 0)
            return;
    }
    copy_axis(0, to->rank, to->shape, array_item_bytes(to), to->data, to->strides, from->data,
              from->strides);
}

/* A contiguous host copy of a strided array; nothing if it is contiguous already. */
static kjit_status make_contiguous(const kjit_array *array, uint64_t bytes, void **block,
                                   kjit_array *copy)
{
    void *data;

    *copy = *array;
    *block = NULL;
    if (array_layout(array) != LAYOUT_A)
        return KJIT_OK;
    KJIT_TRY(block_alloc(bytes, false, block, &data));
    copy->data = data;
    array_set_strides(copy, false);
    array_copy(copy, array);
    return KJIT_OK;
}

kjit_status kjit_to_device(kjit_context *context, const kjit_array *host, kjit_array *device)
{
    Device *on = context->device;
    kjit_array whole;
    uint64_t bytes;
    void *block, *memory;

    memset(device, 0, sizeof *device);
    if (!array_check(host, "the array", &bytes))
        return KJIT_ARGUMENT;
    if (host->flags & KJIT_ON_DEVICE)
        return error_set(KJIT_ARGUMENT, "error: the array is on a device already");
    KJIT_TRY(make_contiguous(host, bytes, &block, &whole));
    kjit_status status = on->ops->alloc(on, (size_t)bytes, &memory);
    if (status == KJIT_OK) {
        status = on->ops->copy_in(on, memory, whole.data, (size_t)bytes);
        if (status != KJIT_OK)
            on->ops->release(on, memory);
    }
    memory_free(block);
    if (status != KJIT_OK)
        return status;
    *device = whole;
    device->data = memory;
    device->flags = KJIT_ON_DEVICE;
    return KJIT_OK;
}

static bool same_shape(const kjit_array *a, const kjit_array *b)
{
    return a->dtype == b->dtype && dtype_same_record(a->record, b->record) && a->rank == b->rank &&
           memcmp(a->shape, b->shape, sizeof *a->shape * (size_t)a->rank) == 0;
}

static bool same_strides(const kjit_array *a, const kjit_array *b)
{
    return memcmp(a->strides, b->strides, sizeof *a->strides * (size_t)a->rank) == 0;
}

/* Through a host copy of the device's bytes, for layouts that differ. */
static kjit_status copy_strided(Device *on, const kjit_array *device, const kjit_array *host)
{
    int64_t low, high;
    void *block, *data;
    kjit_array staged = *device;

    array_span(device, &low, &high);
    KJIT_TRY(block_alloc((uint64_t)(high - low), false, &block, &data));
    kjit_status status =
        on->ops->copy_out(on, data, (char *)device->data + low, (size_t)(high - low));
    if (status == KJIT_OK) {
        staged.data = (char *)data - low;
        array_copy(host, &staged);
    }
    memory_free(block);
    return status;
}

kjit_status kjit_copy_to_host(kjit_context *context, const kjit_array *device,
                              const kjit_array *host)
{
    Device *on = context->device;
    uint64_t bytes;

    if (!array_check(device, "the device array", &bytes) ||
        !array_check(host, "the host array", &bytes))
        return KJIT_ARGUMENT;
    if (!(device->flags & KJIT_ON_DEVICE) || (host->flags & KJIT_ON_DEVICE))
        return error_set(KJIT_ARGUMENT,
                         "error: kjit_copy_to_host() copies from a device array to a "
                         "host array");
    if (!same_shape(device, host))
        return error_set(KJIT_ARGUMENT, "error: the arrays differ in dtype or shape");
    if (host->flags & KJIT_READONLY)
        return error_set(KJIT_ARGUMENT, "error: the host array is read-only");
    if (!bytes)
        return KJIT_OK;
    if (array_layout(device) != LAYOUT_A && same_strides(device, host))
        return on->ops->copy_out(on, host->data, device->data, (size_t)bytes);
    return copy_strided(on, device, host);
}

void kjit_device_free(kjit_context *context, kjit_array *device)
{
    if (!device || !device->data)
        return;
    context->device->ops->release(context->device, device->data);
    device->data = NULL;
}
