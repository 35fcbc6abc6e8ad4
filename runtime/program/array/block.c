/* The memory of arrays, and where its current copy is. */
#include "runtime/program/arrays.h"
#include "runtime/array/array.h"

/* Of blocks of LARGE_BYTES or more a single element is fetched alone LOOKS_MOST times, then the
** whole block is. */
enum { LARGE_BYTES = 1 << 16, LOOKS_MOST = 8 };

HostBlock *block_new(Program *p)
{
    HostBlock *block = host_new(p, HOST_BLOCK, sizeof *block);
    block->host_current = true;
    return block;
}

void block_adopt(Program *p, HostBlock *block, void *raw, void *begin, uint64_t bytes)
{
    block->raw = raw;
    block->begin = begin;
    block->bytes = bytes;
    p->bytes += bytes;
}

void block_free(Program *p, HostBlock *block)
{
    if (block->device.data) {
        repeats_flush(p);
        kjit_array_free(p->context, &block->device);
    }
    if (block->spread && p->group)
        kjit_group_drop(p->group, block->begin);
    block_release(block->raw, block->mapped);
}

HostArray *host_array_of(Program *p, HostBlock *block, const kjit_array *view)
{
    HostArray *array = host_new(p, HOST_ARRAY, sizeof *array);
    array->block = block;
    array->view = *view;
    return array;
}

bool host_array_like(Program *p, const kjit_array *like, int rank, const int64_t *shape,
                     bool columns, bool poison, HostArray **out)
{
    uint64_t bytes;
    void *raw, *data;
    kjit_array view = kjit_host_array(&bytes, like->dtype, rank, shape); /* for the check */
    for (int i = 0; i < rank; i++)
        if (shape[i] < 0)
            return host_fail(p, "ValueError", "negative dimensions are not allowed");
    view.record = like->record;
    array_set_strides(&view, columns);
    if (!array_check(&view, "the array", &bytes))
        return host_failed(p, KJIT_MEMORY);
    HostArray *array = host_array_of(p, block_new(p), &view);
    kjit_status status = block_alloc(bytes, poison, &raw, &data);
    if (status != KJIT_OK)
        return host_failed(p, status);
    block_adopt(p, array->block, raw, data, bytes);
    array->view.data = data;
    *out = array;
    return true;
}

bool host_array_new(Program *p, kjit_dtype dtype, int rank, const int64_t *shape, bool zeroed,
                    HostArray **out)
{
    const kjit_array like = { .dtype = dtype };
    if (dtype == KJIT_DTYPE_RECORD)
        return records_refused(p);
    (void)zeroed; /* pages that nothing is stored in cost nothing */
    return host_array_like(p, &like, rank, shape, false, false, out);
}

/* From now on ranks keep what they write of it. */
static bool spread(Program *p, HostBlock *block)
{
    if (block->spread || !block->bytes)
        return true;
    kjit_status status = kjit_group_hold(p->group, p->context, block->begin, block->bytes);
    block->spread = status == KJIT_OK;
    return block->spread || host_failed(p, status);
}

bool host_array_read(Program *p, const HostArray *array)
{
    HostBlock *block = array->block;
    if (block->host_current)
        return true;
    if (block->spread) {
        kjit_status status = kjit_group_fetch(p->group, block->begin);
        block->host_current = status == KJIT_OK;
        return status == KJIT_OK || host_failed(p, status);
    }
    if (!block->device.data)
        return host_fail(p, "ValueError", "of an argument the shape alone is known here");
    const int64_t bytes = (int64_t)block->bytes;
    const kjit_array host = kjit_host_array(block->begin, KJIT_DTYPE_UINT8, 1, &bytes);
    kjit_status status = repeats_flush(p);
    if (status == KJIT_OK)
        status = kjit_copy_to_host(p->context, &block->device, &host);
    block->host_current = status == KJIT_OK;
    return status == KJIT_OK || host_failed(p, status);
}

bool host_array_read_one(Program *p, const HostArray *array)
{
    HostBlock *block = array->block;
    const int64_t bytes = (int64_t)kjit_dtype_bytes(array->view.dtype);
    if (block->host_current || block->spread || !block->device.data || block->bytes < LARGE_BYTES ||
        block->looks++ >= LOOKS_MOST)
        return host_array_read(p, array);
    const kjit_array host = kjit_host_array(array->view.data, KJIT_DTYPE_UINT8, 1, &bytes);
    kjit_array device = block->device;
    device.data = (char *)device.data + ((char *)array->view.data - block->begin);
    device.shape[0] = bytes;
    kjit_status status = repeats_flush(p);
    if (status == KJIT_OK)
        status = kjit_copy_to_host(p->context, &device, &host);
    return status == KJIT_OK || host_failed(p, status);
}

bool host_array_write(Program *p, HostArray *array)
{
    if (array->view.flags & KJIT_READONLY)
        return host_fail(p, "ValueError", "assignment destination is read-only");
    if (!host_array_read(p, array))
        return false;
    if (array->block->spread) {
        kjit_status status = kjit_group_wrote(p->group, array->block->begin);
        if (status != KJIT_OK)
            return host_failed(p, status);
    }
    array->block->device_current = false;
    array->block->unwritten = false;
    return true;
}

/* A copy on the device that is current. */
static bool to_device(Program *p, HostBlock *block)
{
    const int64_t bytes = (int64_t)block->bytes;
    kjit_status status = KJIT_OK;
    if (!block->device.data)
        status = kjit_array_new(p->context, KJIT_DTYPE_UINT8, 1, &bytes, NULL, &block->device);
    if (status == KJIT_OK && !block->device_current && !block->unwritten) {
        const kjit_array host = kjit_host_array(block->begin, KJIT_DTYPE_UINT8, 1, &bytes);
        status = repeats_flush(p);
        if (status == KJIT_OK)
            status = kjit_copy(p->context, &block->device, &host);
    }
    block->device_current = status == KJIT_OK;
    return status == KJIT_OK || host_failed(p, status);
}

/* Where its elements have to begin, in bytes; those of records may lie anywhere. */
static int64_t alignment(kjit_dtype dtype)
{
    return dtype == KJIT_DTYPE_RECORD
               ? 1
               : (int64_t)kjit_dtype_bytes(dtype) / (dtype_is_complex(dtype) ? 2 : 1);
}

bool view_is_aligned(const kjit_array *view)
{
    const int64_t align = alignment(view->dtype);
    bool aligned = (int64_t)(intptr_t)view->data % align == 0;
    for (int i = 0; i < view->rank; i++)
        aligned &= view->strides[i] % align == 0 || view->shape[i] == 1;
    return aligned || !array_elements(view);
}

bool host_array_launch(Program *p, HostArray *array, kjit_array *out)
{
    HostBlock *block = array->block;
    if (!view_is_aligned(&array->view))
        return host_fail(p, "NotImplementedError",
                         "kernels cannot read %s at addresses that are no multiples of %d: take a "
                         "copy(), or lay the records out by np.dtype(..., align=True)",
                         kjit_dtype_name(array->view.dtype), (int)alignment(array->view.dtype));
    *out = array->view;
    if (p->group)
        return spread(p, block);
    if (p->context->device->ops->host_memory) {
        out->flags |= block->unwritten ? KJIT_UNWRITTEN : 0;
        return true;
    }
    if (!to_device(p, block))
        return false;
    out->data = (char *)block->device.data + ((char *)array->view.data - block->begin);
    out->flags = block->device.flags | (array->view.flags & KJIT_READONLY);
    return true;
}

void host_array_launched(Program *p, HostArray *array, bool writes)
{
    if (!writes)
        return;
    array->block->unwritten = false;
    array->block->host_current = host_shares(p);
    array->block->looks = 0;
}
