/* Copies between arrays of any two layouts.
**
** A copy is split into requests that devices support: pitched rows of bytes. Axes that are
** contiguous in both arrays are merged first, so that contiguous arrays are one row, slices a few,
** and only transpositions go element by element. Between the host and a GPU, where a request costs
** as much as many bytes, copies of many requests go through a contiguous copy on the host. */
#include "runtime/array/array.h"

enum { FEW_REQUESTS = 64, SHORT_ROW = 64, SPARSE = 16 };

typedef struct CopyAxis {
    int64_t extent, to, from; /* strides in bytes */
} CopyAxis;

/* A copy as nested loops, outermost first, around a request. */
typedef struct CopyPlan {
    CopyAxis axes[KJIT_RANK_MAX];
    int count;
    int64_t requests;
    CopyRequest request;
} CopyPlan;

/* ---- planning ------------------------------------------------------------------------- */

static int farthest_first(const void *a, const void *b)
{
    const CopyAxis *x = a, *y = b;

    if (x->to != y->to)
        return x->to > y->to ? -1 : 1;
    return x->from > y->from ? -1 : x->from < y->from;
}

/* The axes longer than 1, each with a stride of 0 or more in `to`. False if there is nothing to
** copy. */
static bool list_axes(CopyPlan *plan, const kjit_array *to, const kjit_array *from)
{
    char *first = to->data;
    const char *second = from->data;

    for (int i = 0; i < to->rank; i++) {
        CopyAxis axis = { to->shape[i], to->strides[i], from->strides[i] };
        if (axis.extent == 0)
            return false;
        if (axis.extent == 1)
            continue;
        if (axis.to < 0) { /* reverse the axis */
            first += axis.to * (axis.extent - 1);
            second += axis.from * (axis.extent - 1);
            axis.to = -axis.to;
            axis.from = -axis.from;
        }
        plan->axes[plan->count++] = axis;
    }
    plan->request.to = first;
    plan->request.from = second;
    return true;
}

/* Merges two axes if the outer one continues the inner one in both arrays. */
static void merge_axes(CopyPlan *plan)
{
    int kept = 0;

    for (int i = 1; i < plan->count; i++) {
        CopyAxis *outer = &plan->axes[kept], inner = plan->axes[i];
        bool continues =
            outer->to == inner.to * inner.extent && outer->from == inner.from * inner.extent;
        if (continues)
            *outer = (CopyAxis){ outer->extent * inner.extent, inner.to, inner.from };
        else
            plan->axes[++kept] = inner;
    }
    plan->count = plan->count ? kept + 1 : 0;
}

static bool is_pitch(int64_t stride, size_t width)
{
    return stride >= (int64_t)width && stride <= INT32_MAX;
}

/* Moves the innermost axes into the request: contiguous bytes, and rows of them. */
static void take_inner(CopyPlan *plan, size_t bytes)
{
    CopyRequest *request = &plan->request;

    request->width = bytes;
    request->height = 1;
    if (plan->count) {
        const CopyAxis *last = &plan->axes[plan->count - 1];
        if (last->to == (int64_t)bytes && last->from == (int64_t)bytes) {
            request->width = bytes * (size_t)last->extent;
            plan->count--;
        }
    }
    if (plan->count) {
        const CopyAxis *last = &plan->axes[plan->count - 1];
        if (is_pitch(last->to, request->width) && is_pitch(last->from, request->width)) {
            request->height = (size_t)last->extent;
            request->to_pitch = (size_t)last->to;
            request->from_pitch = (size_t)last->from;
            plan->count--;
        }
    }
    plan->requests = 1;
    for (int i = 0; i < plan->count; i++)
        plan->requests *= plan->axes[i].extent;
}

static bool make_plan(CopyPlan *plan, const kjit_array *to, const kjit_array *from)
{
    if (!list_axes(plan, to, from))
        return false;
    qsort(plan->axes, (size_t)plan->count, sizeof *plan->axes, farthest_first);
    merge_axes(plan);
    take_inner(plan, array_item_bytes(to));
    return true;
}

static kjit_status do_plan(Device *device, const CopyPlan *plan, int axis, char *to,
                           const char *from)
{
    if (axis == plan->count) {
        CopyRequest request = plan->request;
        request.to = to;
        request.from = from;
        return device->ops->copy(device, &request);
    }
    for (int64_t i = 0; i < plan->axes[axis].extent; i++)
        KJIT_TRY(do_plan(device, plan, axis + 1, to + i * plan->axes[axis].to,
                         from + i * plan->axes[axis].from));
    return KJIT_OK;
}

/* ---- through the host ------------------------------------------------------------------- */

/* Host memory for the span of a device array: `*block` is to be memory_free()d. */
static kjit_status stage_span(const kjit_array *array, void **block, kjit_array *staged,
                              size_t *bytes, int64_t *low)
{
    int64_t high;
    void *data;

    array_span(array, low, &high);
    *bytes = (size_t)(high - *low);
    *staged = *array;
    KJIT_TRY(block_alloc(*bytes, false, block, &data));
    staged->data = (char *)data - *low;
    return KJIT_OK;
}

/* Transfers bytes between the host and the device, and waits. */
static kjit_status transfer(Device *device, CopyRequest request)
{
    request.height = 1;
    KJIT_TRY(device->ops->copy(device, &request));
    return device->ops->stream_synchronize(device, request.stream);
}

/* To the host: transfers the whole span, then picks the elements. */
static kjit_status gather(Device *device, void *stream, const kjit_array *to,
                          const kjit_array *from)
{
    void *block;
    kjit_array staged;
    size_t bytes;
    int64_t low;

    KJIT_TRY(stage_span(from, &block, &staged, &bytes, &low));
    kjit_status status = transfer(device, (CopyRequest){ .to = (char *)staged.data + low,
                                                         .from = (char *)from->data + low,
                                                         .to_host = true,
                                                         .width = bytes,
                                                         .stream = stream });
    if (status == KJIT_OK)
        array_copy(to, &staged);
    memory_free(block);
    return status;
}

/* To a dense device array: arranges the elements in its order, then transfers them at once. */
static kjit_status scatter(Device *device, void *stream, const kjit_array *to,
                           const kjit_array *from)
{
    void *block;
    kjit_array staged;
    size_t bytes;
    int64_t low;

    KJIT_TRY(stage_span(to, &block, &staged, &bytes, &low));
    array_copy(&staged, from);
    kjit_status status = transfer(device, (CopyRequest){ .to = (char *)to->data + low,
                                                         .from = (char *)staged.data + low,
                                                         .from_host = true,
                                                         .width = bytes,
                                                         .stream = stream });
    memory_free(block);
    return status;
}

/* Whether an array is in host memory from the device's view. Device arrays may be of other
** contexts: the driver recognises those of other GPUs by address; those of the processor are memory
** of the process. */
static kjit_status find_host(Device *device, const kjit_array *array, bool *host)
{
    bool apart = !device->ops->host_memory;
    bool gpu = (array->flags & KJIT_ON_DEVICE) != 0;

    if (gpu && (array->flags & KJIT_ON_HOST))
        gpu = apart;
    else if (gpu)
        gpu = device->ops->on_gpu(device, array->data);
    *host = apart && !gpu;
    if (apart || !gpu)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT, "error: the processor cannot copy from and to memory of a GPU\n"
                                    "note: give the copy the GPU's context");
}

/* Whether a copy has many requests, or rows too short for their overhead. */
static bool is_scattered(const CopyPlan *plan)
{
    return plan->requests > FEW_REQUESTS ||
           (plan->requests * (int64_t)plan->request.height > 1 && plan->request.width < SHORT_ROW);
}

/* Whether the elements fill enough of the array's span to transfer all of it. */
static bool fills_span(const CopyPlan *plan, const kjit_array *array)
{
    uint64_t payload =
        (uint64_t)plan->requests * plan->request.height * (uint64_t)plan->request.width;
    int64_t low, high;

    array_span(array, &low, &high);
    return (uint64_t)(high - low) / SPARSE <= payload;
}

kjit_status copy_arrays(Device *device, void *stream, bool recorded, const kjit_array *to,
                        const kjit_array *from)
{
    bool apart = !device->ops->host_memory;
    CopyPlan plan = { .request = { .stream = stream } };
    bool to_host, from_host;

    if (!make_plan(&plan, to, from))
        return KJIT_OK;
    KJIT_TRY(find_host(device, to, &to_host));
    KJIT_TRY(find_host(device, from, &from_host));
    plan.request.to_host = to_host;
    plan.request.from_host = from_host;
    plan.request.unwritten = from_host && from->flags & KJIT_UNWRITTEN;
    if (recorded && to_host && from_host)
        return error_set(KJIT_ARGUMENT, "error: a graph cannot record a copy between host arrays\n"
                                        "note: one of them in mapped memory makes it one");
    if (!recorded && to_host == from_host && (to_host || !apart)) {
        /* The stream's pending work may write these. */
        if (apart)
            KJIT_TRY(device->ops->stream_synchronize(device, stream));
        array_copy(to, from);
        return KJIT_OK;
    }
    if (!recorded && to_host && is_scattered(&plan) && fills_span(&plan, from))
        return gather(device, stream, to, from);
    if (!recorded && from_host && is_scattered(&plan) && array_is_dense(to))
        return scatter(device, stream, to, from);
    return do_plan(device, &plan, 0, plan.request.to, plan.request.from);
}
