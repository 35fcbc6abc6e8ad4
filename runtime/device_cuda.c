/* A CUDA GPU as a device, through the driver.
**
** The device's primary context is used, so that other CUDA code of the process shares the memory.
** Every entry makes it current for its own duration, and only if it is not already. Everything
** runs on the default stream. Memory that kernels' host arrays pass through is kept for the next
** launch, since the driver takes longer to hand it out than small kernels run. */
#include "runtime/driver.h"
#include "runtime/nvrtc.h"

#include <stdio.h>
#include <string.h>

struct Code {
    CuModule module;
    CuFunction function;
    int most_threads;
    bool cooperative; /* all blocks must run at once */
    pthread_mutex_t lock;
    _Atomic size_t dynamic_shared; /* what the function has been allowed so far */
};

enum { KEPT_BLOCKS = 64, KEPT_MEGABYTES = 512, DEFAULT_DYNAMIC_SHARED = 48 << 10 };

/* Device memory that was released and not given back. */
typedef struct KeptBlock {
    CuPointer memory;
    size_t bytes;
} KeptBlock;

typedef struct CudaDevice {
    Device base;
    const Driver *driver;
    CuDevice handle;
    CuContext context;
    pthread_mutex_t lock; /* of all that follows */
    KeptBlock kept[KEPT_BLOCKS];
    int kept_count;
    size_t kept_bytes;
    struct Sizes {
        CuPointer memory;
        size_t bytes;
    } * lent; /* what is out, for its sizes */
    int lent_count, lent_capacity;
} CudaDevice;

static CudaDevice *cuda(Device *device)
{
    return (CudaDevice *)device;
}

/* Turns a driver call's result into a status, with a message that names the call. */
static kjit_status check(CuResult result, const char *call)
{
    if (result == CU_OK)
        return KJIT_OK;
    kjit_status status = result == CU_OUT_OF_MEMORY ? KJIT_MEMORY : KJIT_LAUNCH;
    return error_set(status, "error: %s failed: %s", call, driver_error(result));
}

/* Makes the context current; `*pushed` says whether leave() has to undo it. */
static kjit_status enter(CudaDevice *device, bool *pushed)
{
    CuContext current = NULL;

    *pushed = false;
    if (device->driver->context_current(&current) == CU_OK && current == device->context)
        return KJIT_OK;
    KJIT_TRY(check(device->driver->context_push(device->context), "cuCtxPushCurrent"));
    *pushed = true;
    return KJIT_OK;
}

static void leave(CudaDevice *device, bool pushed)
{
    CuContext was;

    if (pushed)
        device->driver->context_pop(&was);
}

static int attribute(const CudaDevice *device, int number)
{
    int value = 0;

    device->driver->device_attribute(&value, number, device->handle);
    return value;
}

/* ---- memory --------------------------------------------------------------------------- */

/* Sizes are rounded so that blocks are reused: to an eighth of the power of two below. */
static size_t rounded(size_t bytes)
{
    size_t step = 512;

    while (step < bytes / 16)
        step *= 2;
    return (bytes + step - 1) / step * step;
}

/* A kept block of just this size, or 0. The caller has the lock. */
static CuPointer take_kept(CudaDevice *device, size_t bytes)
{
    for (int i = device->kept_count; i-- > 0;) {
        if (device->kept[i].bytes == bytes) {
            CuPointer memory = device->kept[i].memory;
            device->kept[i] = device->kept[--device->kept_count];
            device->kept_bytes -= bytes;
            return memory;
        }
    }
    return 0;
}

static void free_kept(CudaDevice *device)
{
    while (device->kept_count)
        device->driver->mem_free(device->kept[--device->kept_count].memory);
    device->kept_bytes = 0;
}

static bool remember_lent(CudaDevice *device, CuPointer memory, size_t bytes)
{
    if (device->lent_count == device->lent_capacity) {
        int capacity = device->lent_capacity ? 2 * device->lent_capacity : 32;
        void *list = memory_resize(device->lent, sizeof *device->lent * (size_t)capacity);
        if (!list)
            return false;
        device->lent = list;
        device->lent_capacity = capacity;
    }
    device->lent[device->lent_count].memory = memory;
    device->lent[device->lent_count++].bytes = bytes;
    return true;
}

/* The size of a lent block, which is lent no longer. */
static size_t forget_lent(CudaDevice *device, CuPointer memory)
{
    for (int i = device->lent_count; i-- > 0;) {
        if (device->lent[i].memory == memory) {
            size_t bytes = device->lent[i].bytes;
            device->lent[i] = device->lent[--device->lent_count];
            return bytes;
        }
    }
    return 0;
}

static CuResult alloc_or_trim(CudaDevice *device, CuPointer *memory, size_t bytes)
{
    CuResult result = device->driver->mem_alloc(memory, bytes);

    if (result != CU_OUT_OF_MEMORY || !device->kept_count)
        return result;
    free_kept(device);
    return device->driver->mem_alloc(memory, bytes);
}

static kjit_status cuda_alloc(Device *base, size_t bytes, void **out)
{
    CudaDevice *device = cuda(base);
    bool pushed;
    CuResult result = CU_OK;

    *out = NULL;
    if (bytes > SIZE_MAX / 2)
        return error_set(KJIT_MEMORY, "error: no GPU has %zu bytes of memory", bytes);
    bytes = rounded(bytes ? bytes : 1);
    KJIT_TRY(enter(device, &pushed));
    pthread_mutex_lock(&device->lock);
    CuPointer memory = take_kept(device, bytes);
    if (!memory)
        result = alloc_or_trim(device, &memory, bytes);
    bool noted = result == CU_OK && remember_lent(device, memory, bytes);
    if (result == CU_OK && !noted)
        device->driver->mem_free(memory);
    pthread_mutex_unlock(&device->lock);
    leave(device, pushed);
    if (result == CU_OUT_OF_MEMORY)
        return error_set(KJIT_MEMORY, "error: the GPU has no room for %zu bytes", bytes);
    KJIT_TRY(check(result, "cuMemAlloc"));
    if (!noted)
        return error_memory();
    *out = (void *)(uintptr_t)memory;
    return KJIT_OK;
}

static void cuda_release(Device *base, void *memory)
{
    CudaDevice *device = cuda(base);
    CuPointer pointer = (CuPointer)(uintptr_t)memory;
    bool pushed;

    if (!memory || enter(device, &pushed) != KJIT_OK)
        return;
    pthread_mutex_lock(&device->lock);
    size_t bytes = forget_lent(device, pointer);
    bool keep = bytes && device->kept_count < KEPT_BLOCKS &&
                device->kept_bytes + bytes <= (size_t)KEPT_MEGABYTES << 20;
    if (keep) {
        /* What uses it next comes later on the same stream. */
        device->kept[device->kept_count++] = (KeptBlock){ pointer, bytes };
        device->kept_bytes += bytes;
    } else if (bytes) {
        device->driver->mem_free(pointer);
    }
    pthread_mutex_unlock(&device->lock);
    leave(device, pushed);
}

static kjit_status cuda_copy_in(Device *base, void *to, const void *from, size_t bytes)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    if (!bytes)
        return KJIT_OK;
    KJIT_TRY(enter(device, &pushed));
    CuResult result = device->driver->copy_in((CuPointer)(uintptr_t)to, from, bytes);
    leave(device, pushed);
    return check(result, "copying to the GPU (cuMemcpyHtoD)");
}

static kjit_status cuda_copy_out(Device *base, void *to, const void *from, size_t bytes)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    if (!bytes)
        return KJIT_OK;
    KJIT_TRY(enter(device, &pushed));
    CuResult result = device->driver->copy_out(to, (CuPointer)(uintptr_t)from, bytes);
    leave(device, pushed);
    return check(result, "copying from the GPU (cuMemcpyDtoH)");
}

static kjit_status cuda_synchronize(Device *base)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    KJIT_TRY(enter(device, &pushed));
    CuResult result = device->driver->context_synchronize();
    leave(device, pushed);
    if (result == CU_ILLEGAL_ADDRESS)
        return error_set(KJIT_LAUNCH,
                         "error: a kernel reached outside of its arrays: %s\n"
                         "note: load it for debug ('kjit run --debug') to be told where",
                         driver_error(result));
    return check(result, "the kernel");
}

/* ---- code ----------------------------------------------------------------------------- */

static bool make_key(const Device *device, const BuildRequest *request, CacheKey *key)
{
    KeyState *state = key_begin();
    const IrOptions *options = &request->options;

    key_text(state, "cuda");
    key_text(state, device->arch);
    key_field(state, request->text, request->length);
    key_text(state, request->entry);
    key_number(state, options->fastmath);
    key_number(state, options->debug);
    key_number(state, options->lineinfo);
    key_number(state, (uint64_t)options->max_registers);
    key_number(state, options->opt <= 0);
    nvrtc_identify(state);
    return key_end(state, key);
}

/* What a recursive kernel finds beside its own frame: the driver's default, 1 KB, is soon used up,
** and then the context is lost. Each thread that the device can hold gets as much. */
enum { RECURSION_STACK = 16384 };

/* A wish, which may go unheard. */
static void raise_stack(const Driver *driver, CuFunction function)
{
    int frame;
    size_t stack;

    if (driver->function_attribute(&frame, CU_FN_LOCAL, function) != CU_OK ||
        driver->context_limit(&stack, CU_LIMIT_STACK) != CU_OK)
        return;
    if (stack < (size_t)frame + RECURSION_STACK)
        driver->context_set_limit(CU_LIMIT_STACK, (size_t)frame + RECURSION_STACK);
}

/* Hands an image to the driver and finds the kernel in it. */
static kjit_status load_image(CudaDevice *device, const char *image, const BuildRequest *request,
                              Code *code)
{
    char log[2048] = "";
    int options[] = { CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_SIZE };
    void *values[] = { log, (void *)(uintptr_t)(sizeof log - 1) };
    const Driver *driver = device->driver;
    CuResult result = driver->module_load(&code->module, image, 2, options, values);

    if (result != CU_OK)
        return error_set(KJIT_INTERNAL, "error: the driver does not load %s: %s%s%s", request->call,
                         driver_error(result), *log ? "\n" : "", log);
    result = driver->module_function(&code->function, code->module, request->entry);
    if (result == CU_OK)
        result = driver->function_attribute(&code->most_threads, CU_FN_MAX_THREADS, code->function);
    if (result == CU_OK && request->options.carveout >= 0) /* a wish, which may go unheard */
        driver->function_set(code->function, CU_FN_SHARED_CARVEOUT, request->options.carveout);
    if (result == CU_OK && request->recursive)
        raise_stack(driver, code->function);
    if (result == CU_OK)
        return KJIT_OK;
    driver->module_unload(code->module);
    return error_set(KJIT_INTERNAL, "error: the driver does not find '%s' in what was compiled: %s",
                     request->entry, driver_error(result));
}

static kjit_status load_code(CudaDevice *device, const char *image, const BuildRequest *request,
                             Code **out)
{
    double begin = clock_ms();
    bool pushed;
    Code *code = memory_zeroed(1, sizeof *code);

    if (!code)
        return error_memory();
    kjit_status status = enter(device, &pushed);
    if (status == KJIT_OK) {
        status = load_image(device, image, request, code);
        leave(device, pushed);
    }
    if (status != KJIT_OK) {
        memory_free(code);
        return status;
    }
    code->cooperative = request->cooperative;
    pthread_mutex_init(&code->lock, NULL);
    atomic_store(&code->dynamic_shared, request->static_shared < DEFAULT_DYNAMIC_SHARED
                                            ? DEFAULT_DYNAMIC_SHARED - request->static_shared
                                            : 0);
    report_current()->load_ms = clock_ms() - begin;
    *out = code;
    return KJIT_OK;
}

static kjit_status cuda_build(Device *base, const BuildRequest *request, Code **code)
{
    CudaDevice *device = cuda(base);
    CacheKey key;
    size_t length;
    char *image =
        make_key(base, request, &key) ? cache_read(base->cache, &key, &length, NULL) : NULL;

    if (image) {
        kjit_status loaded = load_code(device, image, request, code);
        memory_free(image);
        report_current()->disk_hit = loaded == KJIT_OK;
        if (loaded == KJIT_OK)
            return KJIT_OK;
    }
    double begin = clock_ms();
    report_current()->compiled = 1;
    KJIT_TRY(nvrtc_compile(request, base->arch, NVRTC_CUBIN, true, &image, &length));
    report_current()->compiler_ms = clock_ms() - begin;
    kjit_status status = load_code(device, image, request, code);
    if (status == KJIT_OK)
        cache_write(base->cache, &key, image, length, request->call, base->arch, NULL);
    memory_free(image);
    return status;
}

static void cuda_unload(Device *base, Code *code)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    if (enter(device, &pushed) == KJIT_OK) {
        /* It may still run: a launch with device arrays alone was not waited for. */
        device->driver->context_synchronize();
        device->driver->module_unload(code->module);
        leave(device, pushed);
    }
    pthread_mutex_destroy(&code->lock);
    memory_free(code);
}

static int cuda_most_threads(const Code *code)
{
    return code->most_threads;
}

static kjit_status cuda_best_block(Device *base, Code *code, size_t shared, int *best)
{
    CudaDevice *device = cuda(base);
    int grid;
    bool pushed;

    *best = code->most_threads;
    KJIT_TRY(enter(device, &pushed));
    CuResult result = device->driver->best_block(&grid, best, code->function, NULL, shared, 0);
    leave(device, pushed);
    return check(result, "cuOccupancyMaxPotentialBlockSize");
}

/* ---- launching ------------------------------------------------------------------------ */

/* Allows the function as much dynamic shared memory as a launch wants. */
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

/* A kernel that waits for its whole grid was given more blocks than run at once. */
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
                     each * attribute(device, CU_MULTIPROCESSORS));
}

static kjit_status launch_failure(const CudaDevice *device, CuResult result,
                                  const LaunchRequest *request, const Code *code)
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
    return check(result, "launching the kernel (cuLaunchKernel)");
}

static kjit_status cuda_launch(Device *base, Code *code, const LaunchRequest *request)
{
    CudaDevice *device = cuda(base);
    const uint32_t *grid = request->grid, *block = request->block;
    bool pushed;
    CuResult result = CU_OK;

    KJIT_TRY(enter(device, &pushed));
    if (request->shared_bytes > atomic_load_explicit(&code->dynamic_shared, memory_order_relaxed))
        result = allow_shared(device, code, request->shared_bytes);
    if (result == CU_OK && code->cooperative)
        result = device->driver->launch_cooperative(
            code->function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
            (unsigned)request->shared_bytes, NULL, request->params);
    else if (result == CU_OK)
        result = device->driver->launch(code->function, grid[0], grid[1], grid[2], block[0],
                                        block[1], block[2], (unsigned)request->shared_bytes, NULL,
                                        request->params, NULL);
    leave(device, pushed);
    return result == CU_OK ? KJIT_OK : launch_failure(device, result, request, code);
}

/* ---- opening -------------------------------------------------------------------------- */

static void cuda_close(Device *base)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    if (enter(device, &pushed) == KJIT_OK) {
        free_kept(device);
        for (int i = 0; i < device->lent_count; i++)
            device->driver->mem_free(device->lent[i].memory);
        leave(device, pushed);
    }
    device->driver->primary_release(device->handle);
    pthread_mutex_destroy(&device->lock);
    memory_free(device->lent);
    memory_free(device);
}

static const DeviceOps cuda_ops = {
    .dialect = DIALECT_CUDA,
    .host_memory = false,
    .close = cuda_close,
    .build = cuda_build,
    .unload = cuda_unload,
    .most_threads = cuda_most_threads,
    .best_block = cuda_best_block,
    .launch = cuda_launch,
    .alloc = cuda_alloc,
    .release = cuda_release,
    .copy_in = cuda_copy_in,
    .copy_out = cuda_copy_out,
    .synchronize = cuda_synchronize,
};

static void describe(CudaDevice *device, int ordinal)
{
    DeviceLimits *limits = &device->base.limits;

    snprintf(device->base.name, sizeof device->base.name, "cuda:%d", ordinal);
    snprintf(device->base.arch, sizeof device->base.arch, "sm_%d%d", attribute(device, CU_MAJOR),
             attribute(device, CU_MINOR));
    if (device->driver->device_name(device->base.model, sizeof device->base.model,
                                    device->handle) != CU_OK)
        snprintf(device->base.model, sizeof device->base.model, "unknown GPU");
    for (int axis = 0; axis < 3; axis++) {
        limits->block[axis] = (uint32_t)attribute(device, CU_MAX_BLOCK_X + axis);
        limits->grid[axis] = (uint32_t)attribute(device, CU_MAX_GRID_X + axis);
    }
    limits->threads = (uint32_t)attribute(device, CU_MAX_THREADS);
    limits->static_shared = (size_t)attribute(device, CU_MAX_SHARED);
    limits->shared = (size_t)attribute(device, CU_MAX_SHARED_OPTIN);
    if (limits->shared < limits->static_shared)
        limits->shared = limits->static_shared;
}

static kjit_status no_driver(const Driver *driver)
{
    return error_set(
        KJIT_NO_DEVICE,
        "error: %s\nnote: install NVIDIA's driver, or use the processor: --device cpu, or "
        "device \"cpu\" in kjit_open_options; 'kjit doctor' says what was found",
        driver->why_not);
}

kjit_status device_cuda_open(Cache *cache, int ordinal, Device **out)
{
    const Driver *driver = driver_get();

    *out = NULL;
    if (driver->why_not[0])
        return no_driver(driver);
    if (ordinal >= driver->device_count)
        return error_set(KJIT_NO_DEVICE,
                         "error: there is no device cuda:%d: this machine has %d GPU%s", ordinal,
                         driver->device_count, driver->device_count == 1 ? "" : "s");
    CudaDevice *device = memory_zeroed(1, sizeof *device);
    if (!device)
        return error_memory();
    device->base.ops = &cuda_ops;
    device->base.cache = cache;
    device->driver = driver;
    kjit_status status = check(driver->device_get(&device->handle, ordinal), "cuDeviceGet");
    if (status == KJIT_OK)
        status = check(driver->primary_retain(&device->context, device->handle),
                       "starting the GPU (cuDevicePrimaryCtxRetain)");
    if (status != KJIT_OK) {
        memory_free(device);
        return status;
    }
    pthread_mutex_init(&device->lock, NULL);
    describe(device, ordinal);
    *out = &device->base;
    return KJIT_OK;
}
