/* Memory of a GPU: plain, pooled, page-locked and managed; and copies.
**
** The pool is the context's own, separate from that of other code in the process, and caches freed
** memory: allocation by the driver takes longer than small kernels run. Plain memory is for arrays
** that may be shared with other processes, which pooled memory cannot be. */
#include "runtime/cuda/cuda.h"

void cuda_open_pool(CudaDevice *device)
{
    CuPoolProps props = { .kind = CU_POOL_PINNED,
                          .location = CU_POOL_ON_DEVICE,
                          .device = device->handle };
    uint64_t keep = UINT64_MAX;

    device->pool = NULL;
    if (!device->has_pools || device->driver->pool_create(&device->pool, &props) != CU_OK) {
        device->pool = NULL;
        return;
    }
    device->driver->pool_set(device->pool, CU_POOL_KEEP, &keep);
}

/* ---- allocation ----------------------------------------------------------------------- */

static CuResult alloc_once(CudaDevice *device, Block *block, CuStream stream)
{
    const Driver *driver = device->driver;
    size_t bytes = block->bytes ? block->bytes : 1;
    CuPointer memory = 0;
    CuResult result;

    switch (block->kind) {
    case KJIT_MEMORY_PINNED:
        return driver->host_alloc(&block->memory, bytes, CU_HOST_PORTABLE);
    case KJIT_MEMORY_MAPPED:
        return driver->host_alloc(&block->memory, bytes, CU_HOST_PORTABLE | CU_HOST_MAPPED);
    case KJIT_MEMORY_MANAGED:
        result = driver->mem_alloc_managed(&memory, bytes, CU_MANAGED_GLOBAL);
        break;
    default:
        block->pooled = block->ordered && device->pool;
        result = block->pooled ? driver->pool_alloc(&memory, bytes, device->pool, stream)
                               : driver->mem_alloc(&memory, bytes);
    }
    block->memory = (void *)(uintptr_t)memory;
    return result;
}

static const char *alloc_call(const Block *block)
{
    switch (block->kind) {
    case KJIT_MEMORY_PINNED:
    case KJIT_MEMORY_MAPPED:
        return "allocating page-locked memory (cuMemHostAlloc)";
    case KJIT_MEMORY_MANAGED:
        return "allocating managed memory (cuMemAllocManaged)";
    default:
        return block->pooled ? "allocating memory of the GPU (cuMemAllocFromPoolAsync)"
                             : "allocating memory of the GPU (cuMemAlloc)";
    }
}

/* Returns the pool's unused memory to the driver. Memory freed on streams is unused after they are
** synchronised. */
static void trim_pool(CudaDevice *device)
{
    device->driver->context_synchronize();
    device->driver->pool_trim(device->pool, 0);
}

kjit_status cuda_alloc(Device *base, Block *block, void *stream)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    block->memory = NULL;
    block->pooled = false;
    if (block->bytes > SIZE_MAX / 2)
        return error_set(KJIT_MEMORY, "error: no GPU has %zu bytes of memory", block->bytes);
    KJIT_TRY(cuda_enter(device, &pushed));
    int mode = cuda_begin_apart(device);
    CuResult result = alloc_once(device, block, stream);
    if (result == CU_OUT_OF_MEMORY && device->pool) {
        trim_pool(device);
        result = alloc_once(device, block, stream);
    }
    cuda_end_apart(device, mode);
    cuda_leave(device, pushed);
    if (result == CU_OUT_OF_MEMORY) {
        bool host = block->kind == KJIT_MEMORY_PINNED || block->kind == KJIT_MEMORY_MAPPED;
        return error_set(KJIT_MEMORY,
                         host ? "error: no room for %zu bytes of page-locked memory"
                              : "error: the GPU has no room for %zu bytes",
                         block->bytes);
    }
    return cuda_check(device, result, alloc_call(block));
}

static CuResult free_block(CudaDevice *device, const Block *block, CuStream stream)
{
    const Driver *driver = device->driver;

    if (block->pooled)
        return driver->pool_free(cuda_address(block->memory), stream);
    if (block->kind == KJIT_MEMORY_PINNED || block->kind == KJIT_MEMORY_MAPPED)
        return driver->host_free(block->memory);
    return driver->mem_free(cuda_address(block->memory));
}

kjit_status cuda_release(Device *base, Block *block, void *stream)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    KJIT_TRY(cuda_enter(device, &pushed));
    const char *call = "waiting for the GPU (cuCtxSynchronize)";
    CuResult result = CU_OK;
    if (!block->ordered || !block->pooled)
        result = device->driver->context_synchronize();
    if (result == CU_OK) {
        call = "freeing memory of the GPU (cuMemFree)";
        result = free_block(device, block, stream);
        block->memory = NULL; /* even on failure, which may be one of earlier work */
    }
    cuda_leave(device, pushed);
    return cuda_check(device, result, call);
}

/* ---- copies --------------------------------------------------------------------------- */

/* If the driver does not know the address it counts as the GPU's, so that the copy fails with a
** message. */
bool cuda_on_gpu(Device *base, const void *memory)
{
    CudaDevice *device = cuda(base);
    unsigned kind = 0;
    bool pushed;

    error_quiet(true);
    kjit_status status = cuda_enter(device, &pushed);
    error_quiet(false);
    if (status != KJIT_OK)
        return true;
    CuResult result =
        device->driver->pointer_attribute(&kind, CU_POINTER_KIND, cuda_address(memory));
    cuda_leave(device, pushed);
    return result == CU_OK ? kind != 0 : result != CU_INVALID_VALUE;
}

CuResult cuda_copy_line(const Driver *driver, const CopyRequest *request)
{
    CuPointer to = cuda_address(request->to), from = cuda_address(request->from);

    if (request->from_host)
        return driver->copy_in_async(to, request->from, request->width, request->stream);
    if (request->to_host)
        return driver->copy_out_async(request->to, from, request->width, request->stream);
    return driver->copy_async(to, from, request->width, request->stream);
}

static CuResult copy_rows(const Driver *driver, const CopyRequest *request)
{
    CuCopyRows rows = {
        .from_kind = request->from_host ? CU_MEMORY_HOST : CU_MEMORY_DEVICE,
        .from_host = request->from,
        .from_device = cuda_address(request->from),
        .from_pitch = request->from_pitch,
        .to_kind = request->to_host ? CU_MEMORY_HOST : CU_MEMORY_DEVICE,
        .to_host = request->to,
        .to_device = cuda_address(request->to),
        .to_pitch = request->to_pitch,
        .width = request->width,
        .height = request->height,
    };

    return driver->copy_rows_async(&rows, request->stream);
}

/* Copies row by row. */
static CuResult copy_each_row(const Driver *driver, const CopyRequest *request)
{
    CopyRequest row = *request;
    CuResult result = CU_OK;

    row.height = 1;
    for (size_t i = 0; i < request->height && result == CU_OK; i++) {
        result = cuda_copy_line(driver, &row);
        row.to = (char *)row.to + request->to_pitch;
        row.from = (const char *)row.from + request->from_pitch;
    }
    return result;
}

/* Copies between the host and any GPU, in that GPU's own primary context, and waits. */
static CuResult copy_where_it_is(const Driver *driver, const void *memory, CopyRequest request)
{
    int ordinal = 0;
    CuDevice owner;
    CuContext context, was;
    CuResult result = driver->pointer_attribute(&ordinal, CU_POINTER_ORDINAL, cuda_address(memory));

    if (result == CU_OK)
        result = driver->device_get(&owner, ordinal);
    if (result == CU_OK)
        result = driver->primary_retain(&context, owner);
    if (result != CU_OK)
        return result;
    result = driver->context_push(context);
    if (result == CU_OK) {
        request.stream = NULL;
        result = copy_each_row(driver, &request);
        if (result == CU_OK)
            result = driver->stream_synchronize(NULL);
        driver->context_pop(&was);
    }
    driver->primary_release(owner);
    return result;
}

/* A copy between GPUs through the host, where the driver refuses it: pitched rows, or pooled
** memory, to which other GPUs have no access. */
static CuResult copy_between_gpus(const Driver *driver, const CopyRequest *request)
{
    char *rows = memory_alloc(request->width * request->height);
    CopyRequest out = *request, in = *request;

    if (!rows)
        return CU_OUT_OF_MEMORY;
    out.to = rows;
    in.from = rows;
    out.to_host = in.from_host = true;
    out.to_pitch = in.from_pitch = request->width;
    CuResult result = driver->stream_synchronize(request->stream);
    if (result == CU_OK)
        result = copy_where_it_is(driver, request->from, out);
    if (result == CU_OK)
        result = copy_where_it_is(driver, request->to, in);
    memory_free(rows);
    return result;
}

kjit_status cuda_copy(Device *base, const CopyRequest *request)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    if (!request->width || !request->height)
        return KJIT_OK;
    KJIT_TRY(cuda_enter(device, &pushed));
    if (cuda_wants_staging(device, request)) {
        kjit_status status = cuda_copy_staged(device, request);
        cuda_leave(device, pushed);
        return status;
    }
    CuResult result = request->height == 1 ? cuda_copy_line(device->driver, request)
                                           : copy_rows(device->driver, request);
    if (result == CU_INVALID_VALUE && !request->from_host && !request->to_host)
        result = copy_between_gpus(device->driver, request);
    cuda_leave(device, pushed);
    return cuda_check(device, result,
                      request->from_host ? "copying to the GPU (cuMemcpyHtoD)"
                      : request->to_host ? "copying from the GPU (cuMemcpyDtoH)"
                                         : "copying on the GPU (cuMemcpy)");
}

kjit_status cuda_zero(Device *base, void *memory, size_t bytes, void *stream)
{
    CudaDevice *device = cuda(base);
    CuResult result;

    if (!bytes)
        return KJIT_OK;
    CUDA_CALL(device, result, set_bytes_async, cuda_address(memory), 0, bytes, stream);
    return cuda_check(device, result, "cuMemsetD8Async");
}

/* ---- page-locking, figures -------------------------------------------------------------- */

kjit_status cuda_pin(Device *base, void *memory, size_t bytes)
{
    CUDA_ONLY(base, "page-locking the array (cuMemHostRegister)", host_register, memory, bytes,
              CU_HOST_PORTABLE);
}

kjit_status cuda_unpin(Device *base, void *memory)
{
    CUDA_ONLY(base, "letting go of the array (cuMemHostUnregister)", host_unregister, memory);
}

static CuResult read_pool(CudaDevice *device, kjit_memory_info *info)
{
    const Driver *driver = device->driver;
    CuResult result = driver->pool_get(device->pool, CU_POOL_USED, &info->pool_used);

    if (result == CU_OK)
        result = driver->pool_get(device->pool, CU_POOL_USED_MOST, &info->pool_used_most);
    if (result == CU_OK)
        result = driver->pool_get(device->pool, CU_POOL_RESERVED, &info->pool_reserved);
    return result;
}

kjit_status cuda_memory_info(Device *base, kjit_memory_info *info)
{
    CudaDevice *device = cuda(base);
    size_t unused = 0, total = 0;
    bool pushed;

    KJIT_TRY(cuda_enter(device, &pushed));
    const char *call = "asking for the GPU's memory (cuMemGetInfo)";
    CuResult result = device->driver->mem_info(&unused, &total);
    if (result == CU_OK && device->pool) {
        call = "asking for the pool's memory (cuMemPoolGetAttribute)";
        result = read_pool(device, info);
    }
    cuda_leave(device, pushed);
    info->free = unused;
    info->total = total;
    return cuda_check(device, result, call);
}

kjit_status cuda_trim(Device *base, uint64_t keep)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    if (!device->pool)
        return KJIT_OK;
    KJIT_TRY(cuda_enter(device, &pushed));
    CuResult waited = device->driver->context_synchronize(), trimmed = CU_OK;
    if (waited == CU_OK)
        trimmed = device->driver->pool_trim(device->pool, (size_t)keep);
    cuda_leave(device, pushed);
    KJIT_TRY(cuda_check(device, waited, "waiting for the GPU (cuCtxSynchronize)"));
    return cuda_check(device, trimmed, "cuMemPoolTrimTo");
}
