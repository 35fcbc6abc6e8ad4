/* Launches on a GPU, and messages for launches that the driver refuses. */
#include "runtime/cuda/cuda.h"

/* Raises the function's limit of dynamic shared memory for a launch. */
static CuResult allow_shared(CudaDevice *device, Code *code, size_t bytes)
{
    CuResult result = CU_OK;

    pthread_mutex_lock(&code->lock);
    if (bytes > atomic_load(&code->dynamic_shared)) {
        result = device->driver->function_set(code->function, CU_FN_MAX_DYNAMIC_SHARED, (int)bytes);
        if (result == CU_OK)
            atomic_store(&code->dynamic_shared, bytes);
    }
    pthread_mutex_unlock(&code->lock);
    return result;
}

/* A cooperative launch with more blocks than can be resident. */
static kjit_status too_many_blocks(const CudaDevice *device, const LaunchRequest *request,
                                   const Code *code)
{
    uint64_t threads = (uint64_t)request->block[0] * request->block[1] * request->block[2];
    uint64_t blocks = (uint64_t)request->grid[0] * request->grid[1] * request->grid[2];
    int each = 0;

    device->driver->resident_blocks(&each, code->function, (int)threads, request->shared_bytes);
    return error_set(KJIT_LAUNCH,
                     "error: %llu blocks of %llu threads do not run at once, which a kernel that "
                     "waits for its grid needs: %s runs %d\n"
                     "note: make the grid smaller, and let each thread do more in a loop",
                     (unsigned long long)blocks, (unsigned long long)threads, device->base.name,
                     each * cuda_attribute(device, CU_MULTIPROCESSORS));
}

static kjit_status launch_failure(CudaDevice *device, CuResult result, const LaunchRequest *request,
                                  const Code *code)
{
    uint64_t threads = (uint64_t)request->block[0] * request->block[1] * request->block[2];

    if (threads > (uint64_t)code->most_threads)
        return error_set(KJIT_LAUNCH,
                         "error: a block of %llu threads does not fit: this kernel uses so many "
                         "registers that a block can have %d\n"
                         "note: make the block smaller, or give the kernel max_registers",
                         (unsigned long long)threads, code->most_threads);
    if (result == CU_TOO_MANY_BLOCKS)
        return too_many_blocks(device, request, code);
    return cuda_check(device, result,
                      code->cooperative ? "launching the kernel (cuLaunchCooperativeKernel)"
                                        : "launching the kernel (cuLaunchKernel)");
}

/* Marks the kernel as launched in this round: before the launch, since it may fault at once, and
** after it, as a wait may have begun a new round in between. Writes only if the value changes:
** threads that launch the same kernel share the cache line. */
static void note_launch(const CudaDevice *device, Code *code, const void *stream)
{
    uint64_t round = atomic_load_explicit(&device->round, memory_order_relaxed);
    _Atomic uint64_t *launched = stream ? &code->launched_apart : &code->launched;

    if (atomic_load_explicit(launched, memory_order_relaxed) != round)
        atomic_store_explicit(launched, round, memory_order_relaxed);
}

static kjit_status launch_once(CudaDevice *device, Code *code, const LaunchRequest *request,
                               void **params)
{
    const uint32_t *grid = request->grid, *block = request->block;
    bool pushed;
    CuResult result = CU_OK;

    KJIT_TRY(cuda_enter(device, &pushed));
    note_launch(device, code, request->stream);
    if (request->shared_bytes > atomic_load_explicit(&code->dynamic_shared, memory_order_relaxed))
        result = allow_shared(device, code, request->shared_bytes);
    bool allowed = result == CU_OK;
    if (allowed && code->cooperative)
        result = device->driver->launch_cooperative(
            code->function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
            (unsigned)request->shared_bytes, request->stream, params);
    else if (allowed)
        result = device->driver->launch(code->function, grid[0], grid[1], grid[2], block[0],
                                        block[1], block[2], (unsigned)request->shared_bytes,
                                        request->stream, params, NULL);
    note_launch(device, code, request->stream);
    kjit_status status = KJIT_OK;
    if (!allowed)
        status = cuda_check(device, result, "allowing so much shared memory (cuFuncSetAttribute)");
    else if (result != CU_OK)
        status = launch_failure(device, result, request, code);
    cuda_leave(device, pushed);
    return status;
}

/* ---- boxes of arrays ------------------------------------------------------------------------- */

/* CUDA counts axes from the last on. An array of nothing has a map like any other, by which nothing
** is loaded. */
kjit_status cuda_map(Device *base, const MapRequest *request, void *map)
{
    _Alignas(64) char made[MAP_BYTES];
    static char nothing[16] __attribute__((aligned(16)));
    uint64_t extents[MAP_MOST_AXES], strides[MAP_MOST_AXES], bytes = request->size;
    unsigned box[MAP_MOST_AXES], steps[MAP_MOST_AXES];
    CudaDevice *device = cuda(base);
    CuResult result;

    for (int i = 0; i < request->rank; i++) {
        int axis = request->rank - 1 - i;
        extents[i] = request->shape[axis] > 0 ? (uint64_t)request->shape[axis] : 1;
        bytes *= extents[i];
        strides[i] = (bytes + 15) / 16 * 16;
        box[i] = i == 0                   ? (unsigned)(128 / request->size)
                 : axis == request->along ? (unsigned)request->rows
                                          : 1;
        steps[i] = 1;
    }
    CUDA_CALL(device, result, map_encode, made, request->size == 2 ? CU_MAP_UINT16 : CU_MAP_UINT32,
              (unsigned)request->rank, request->memory ? request->memory : nothing, extents,
              strides, box, steps, 0, CU_MAP_SWIZZLE_128, CU_MAP_PROMOTE_256, 0);
    memcpy(map, made, sizeof made);
    return cuda_check(device, result, "describing an array (cuTensorMapEncodeTiled)");
}

/* ---- sums that are kept exactly -------------------------------------------------------------- */

static kjit_status round_sums(CudaDevice *device, const Code *code, const LaunchRequest *request,
                              void **params)
{
    enum { THREADS = 256, BLOCKS = 1024 };
    uint64_t blocks = (request->rounded + THREADS - 1) / THREADS;
    CuResult result;

    if (!blocks)
        return KJIT_OK;
    CUDA_CALL(device, result, launch, code->rounding, blocks < BLOCKS ? (unsigned)blocks : BLOCKS,
              1, 1, THREADS, 1, 1, 0, request->stream, params, NULL);
    return cuda_check(device, result, "launching what rounds sums (cuLaunchKernel)");
}

/* Copies the parameters, with the last ones pointing into `memory`. */
static void place_sums(const LaunchRequest *request, char *memory, void **params, void **rows)
{
    size_t first = request->param_count - (size_t)request->sum_count;

    memcpy(params, request->params, first * sizeof *params);
    for (int i = 0; i < request->sum_count; i++) {
        rows[i] = memory;
        params[first + (size_t)i] = &rows[i];
        memory += request->sums[i];
    }
}

/* Launches the kernel and then the one that rounds its exact sums, with temporary memory for
** these. */
static kjit_status launch_exact(CudaDevice *device, Code *code, const LaunchRequest *request)
{
    Block block = { .ordered = true };
    void *rows[EXACT_ARRAYS];
    void **params = memory_alloc(request->param_count * sizeof *params);

    if (!params)
        return error_memory();
    for (int i = 0; i < request->sum_count; i++)
        block.bytes += request->sums[i];
    kjit_status status = cuda_alloc(&device->base, &block, request->stream);
    if (status != KJIT_OK) {
        memory_free(params);
        return status;
    }
    place_sums(request, block.memory, params, rows);
    status = cuda_zero(&device->base, block.memory, block.bytes, request->stream);
    if (status == KJIT_OK)
        status = launch_once(device, code, request, params);
    if (status == KJIT_OK)
        status = round_sums(device, code, request, params);
    error_quiet(true);
    cuda_release(&device->base, &block, request->stream);
    error_quiet(false);
    memory_free(params);
    return status;
}

kjit_status cuda_launch(Device *base, Code *code, const LaunchRequest *request)
{
    if (request->sum_count)
        return launch_exact(cuda(base), code, request);
    return launch_once(cuda(base), code, request, request->params);
}
